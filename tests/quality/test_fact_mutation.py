"""A derived fact that is wrong is noticed by a scenario, and what is not noticed is said."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.quality.fact_mutation import COUNTS, SURVIVORS, FactMutant, FactWorld, mutants
from rulewright.quality.tally import listed, read_counts

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def world() -> FactWorld:
    return FactWorld()


def test_every_kind_of_fact_is_falsified(world: FactWorld) -> None:
    ways = {mutant.name for mutant in mutants(world.plan)}
    assert {"leftBefore: becomes false", "leftBefore: unknown becomes true", "stepsLeftOut: becomes empty",
            "zoneBefore: becomes none", "zoneBefore: becomes unknown"} <= ways  # fmt: skip
    assert not {name for name in ways if name.startswith(("card:", "focusEvent:", "inRecord:"))}


@pytest.mark.parametrize("way", ["becomes false", "becomes true", "becomes unknown"])
def test_a_wrong_fact_is_noticed(world: FactWorld, way: str) -> None:
    assert world.killer_of(FactMutant("leftBefore", way))


def test_what_changes_nothing_is_no_mutant(world: FactWorld) -> None:
    assert world.killer_of(FactMutant("nothingSuch", "becomes unknown")) == ""


def test_the_counts_kept_are_of_these_facts_and_survivors(world: FactWorld) -> None:
    kept = read_counts(ROOT / COUNTS)
    made = Counter(m.fact for m in mutants(world.plan))
    assert {fact: count.made for fact, count in kept.items()} == made, "make mutant-counts"
    survivors = {f"{fact}: {way}" for fact, count in kept.items() for way in count.survivors}
    assert survivors == set(listed(ROOT / SURVIVORS))
