"""The tools that measure the scenarios; and what the scenarios must have shown of every axiom."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from rulewright.axioms import packaged_knowledge
from rulewright.quality.mutants import Mutant, mutants
from rulewright.quality.mutation import COUNTS, SURVIVORS, Seen, World, coverage, main
from rulewright.quality.tally import listed, read_counts
from rulewright.vocabulary import BASE, Iri

TESTS = Path(__file__).parents[1]
AXIOMS = sorted(packaged_knowledge().axioms)


@pytest.fixture(scope="module")
def world() -> World:
    return World()


@pytest.fixture(scope="module")
def seen(world: World) -> dict[Iri, Seen]:
    return coverage(world)


@pytest.mark.parametrize("axiom", AXIOMS, ids=lambda a: a.removeprefix(BASE))
def test_each_axiom_fires_and_stays_silent(axiom: Iri, seen: dict[Iri, Seen]) -> None:
    assert seen[axiom].fires, "no scenario breaks it"
    assert seen[axiom].different + seen[axiom].closed + seen[axiom].absent, "no scenario keeps it"


def test_each_axiom_is_undetermined_once_or_it_is_said_why_not(seen: dict[Iri, Seen]) -> None:
    entries = tomllib.loads((TESTS / "never-undetermined.toml").read_text(encoding="utf-8"))["never"]
    assert all(entry["reason"].strip() for entry in entries)
    said = {axiom for entry in entries for axiom in entry["axioms"]}
    never = {axiom.removeprefix(BASE) for axiom, kinds in seen.items() if not kinds.unknown}
    assert never - said == set(), "never undetermined, and not listed in never-undetermined.toml"
    assert said - never == set(), "listed, but undetermined in some scenario, or gone"


def test_mutants_are_named_once_and_differ() -> None:
    knowledge = packaged_knowledge()
    made = mutants(knowledge)
    assert len({m.name for m in made}) == len(made) > 1000
    assert {m.axiom for m in made} == set(knowledge.axioms)
    before = {iri: (a.scope[:], a.when[:], a.unless[:], a.require[:]) for iri, a in knowledge.axioms.items()}
    for mutant in made:
        mutant.change(knowledge)
    assert before == {iri: (a.scope, a.when, a.unless, a.require) for iri, a in knowledge.axioms.items()}


def test_a_dropped_axiom_is_noticed(world: World) -> None:
    rebound = next(m for m in mutants(world.knowledge) if m.name == "keyword/rebound#exile: dropped")
    assert world.killer(rebound)


def test_a_mutant_that_says_the_same_is_equivalent(world: World) -> None:
    assert world.killer(Mutant(AXIOMS[0], "nothing", lambda known: known)) == ""


def test_the_command_fails_for_an_unlisted_survivor_and_for_a_listed_one_that_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "survivors.toml"
    file.write_text(
        '[[survivors]]\nreason = "?"\nmutants = ["keyword/rebound#exile: dropped"]\n', encoding="utf-8"
    )
    assert main(["--axiom", "rebound#exile", "--survivors", str(file)]) == 1
    out = capsys.readouterr().out
    assert "listed, but killed: keyword/rebound#exile: dropped" in out
    assert "NOT LISTED" in out


def test_the_command_fails_where_the_numbers_kept_are_not_those_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "counts.json"
    arguments = ["--axiom", "rebound#stays", "--survivors", str(TESTS / "mutation-survivors.toml"), "--jobs", "1"]
    known = "is not as found: run with --json"
    main([*arguments, "--counts", str(file)])
    assert f"keyword/rebound#stays {known}" in capsys.readouterr().out
    main([*arguments, "--json", str(file)])
    main([*arguments, "--counts", str(file)])
    assert known not in capsys.readouterr().out


def test_the_counts_kept_are_of_these_axioms_and_survivors() -> None:
    kept = read_counts(TESTS.parent / COUNTS)
    made = Counter(m.axiom.removeprefix(BASE) for m in mutants(packaged_knowledge()))
    assert {axiom: count.made for axiom, count in kept.items()} == made, "make mutant-counts"
    for axiom, count in kept.items():
        assert count.made == count.killed + count.equivalent + len(count.survivors), axiom
    survivors = {f"{axiom}: {name}" for axiom, count in kept.items() for name in count.survivors}
    assert survivors == set(listed(TESTS.parent / SURVIVORS))
