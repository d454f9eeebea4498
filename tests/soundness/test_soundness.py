"""The promises of what a verdict means, tried on scenarios, a converted log and games by chance, in short."""

from __future__ import annotations

import json
import random
import tomllib
from functools import cache
from itertools import islice, product
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, assume, given, settings

from soundness.corpus import logs, scenarios
from soundness.games import game
from soundness.judging import Judge, Plain
from soundness.minimising import Case, fewest_sites, tried
from soundness.mutators import PROPERTIES, Property
from soundness.records import prepared

OPEN = Path(__file__).with_name("open.toml")
"""Kinds of counterexamples that are known and not yet mended: why, and for each a record that shows it."""
SEVERAL = 4
COMBINATIONS = 500
SHORT = settings(
    derandomize=True, database=None, deadline=None, max_examples=120, suppress_health_check=list(HealthCheck)
)
DICE = st.integers(0, 2**32).map(random.Random)
"""By number: a game is as odd for a small one as for a large one, and `smallest` makes records small."""
BY_NAME = {prop.name: prop for prop in PROPERTIES}


@cache
def judge() -> Judge:
    return Judge()


@cache
def records() -> dict[str, Plain]:
    return scenarios() | logs()


@cache
def known() -> dict[str, str]:
    """Kind of counterexample, as `Case.group` says it -> a record that shows it."""
    found: dict[str, str] = {}
    for entry in tomllib.loads(OPEN.read_text(encoding="utf-8")).get("open", []):
        assert str(entry["why"]).strip()
        found |= dict(line.rsplit(" | ", 1) for line in entry["kinds"])
    return found


def counterexamples(prop: Property, stated: Plain, dice: random.Random) -> list[str]:
    sites = list(prop.sites(stated, judge()))
    assume(sites)
    chosen = dice.sample(sites, min(len(sites), dice.randint(1, SEVERAL) if prop.several else 1))
    case = tried(prop, stated, tuple(chosen), judge())
    found = [fewest_sites(one, judge()) for one in case.by_axiom()] if case is not None else []
    return [f"{one.group}: {'; '.join(map(str, one.breaks))}" for one in found if not _known(one)]


def _known(case: Case) -> bool:
    """By itself, or by one of the changes that it needs."""
    name, _, axiom = case.group.split(" | ")
    return case.group in known() or any(f"{name} | {kind} | {axiom}" in known() for kind in case.kinds)


@pytest.mark.parametrize("name", BY_NAME)
@SHORT
@given(data=st.data(), dice=DICE)
def test_of_what_was_recorded(name: str, data: st.DataObject, dice: random.Random) -> None:
    stated = records()[data.draw(st.sampled_from(sorted(records())))]
    assert not counterexamples(BY_NAME[name], stated, dice)


@pytest.mark.parametrize("name", BY_NAME)
@settings(SHORT, max_examples=40)
@given(dice=DICE)
def test_of_games_by_chance(name: str, dice: random.Random) -> None:
    stated = prepared(game(dice, judge()))
    assume(judge().of(stated) is not None)
    assert not counterexamples(BY_NAME[name], stated, dice)


def test_what_is_listed_as_open_is_open() -> None:
    mended = [f"{group} | {name}" for group, name in known().items() if not shows(group, witness(name))]
    assert not mended, "take these out of open.toml"


def witness(name: str) -> Plain:
    """A scenario, or a file beside `open.toml` that holds what a game by chance came to."""
    file = OPEN.parent / f"{name}.json"
    return prepared(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else records()[name]


def shows(group: str, stated: Plain) -> bool:
    """Whether a change of these kinds does break the promise for that axiom."""
    name, kinds, _ = group.split(" | ")
    prop = BY_NAME[name]
    sites = list(prop.sites(stated, judge()))
    alike = [[site for site in sites if site.kind == kind] for kind in kinds.split(", ")]
    cases = (tried(prop, stated, chosen, judge()) for chosen in islice(product(*alike), COMBINATIONS))
    return any(one.group == group for case in cases if case is not None for one in case.by_axiom())
