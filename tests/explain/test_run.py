"""A run from input to outcomes, in one process or in several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.axioms import AxiomError
from rulewright.explain import Run, run
from rulewright.records import Problem, Record, RecordError, read_structure

from ..axioms.turtle import KINDLE, PREFIXES, SAYS, iri

AXIOM = f":a a ax:Cost ; {SAYS} ; ax:of kw:kindle ; ax:focus game:Cast ; ax:require [ sh:path game:x ; ax:atLeast 1 ] ."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "kindle.ttl"
    made.write_text(PREFIXES + KINDLE + AXIOM, encoding="utf-8")
    return made


def game(n: int, x: int) -> Record:
    card = {"id": "#c", "name": "Example", "owner": "#ana", "keywords": ["kindle"], "types": ["Instant"]}
    events: list[dict[str, Any]] = [{"type": "Cast", "card": "#c", "object": "#s", "player": "#ana", "from": "hand",
                                     "x": x}]  # fmt: skip
    return read_structure({"id": f"urn:g:{n}", "players": [{"id": "#ana"}], "cards": [card], "events": events}, f"{n}")


def stream() -> Iterator[Record | RecordError]:
    """Good and bad records by turns, and one id twice."""
    for n in range(9):
        yield RecordError([Problem(str(n), "events", "missing")]) if n % 4 == 2 else game(n % 7, n % 3)


def test_axioms_of_ones_own_count_beside_the_packaged(file: Path) -> None:
    own = Run(axioms=(file,))
    assert iri("a") in own.knowledge.axioms
    assert len(own.knowledge.axioms) == len(Run().knowledge.axioms) + 1
    found = [o.entry["verdicts"] for o in own.outcomes([game(1, 0), game(2, 1)]) if o.entry is not None]
    assert [[v["axiom"] for v in verdicts] for verdicts in found] == [[iri("a")], []]


def test_a_second_run_does_not_know_the_axioms_of_the_first(file: Path) -> None:
    Run(axioms=(file,))
    assert iri("a") not in Run().knowledge.axioms


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_several_processes_give_the_same_in_the_same_order(
    chunk: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "CHUNK", chunk)
    own = Run(axioms=(file,), everything=True)
    alone = list(own.outcomes(stream()))
    assert len(alone) == 9
    assert list(own.outcomes(stream(), jobs=2)) == alone


def test_scenarios_in_several_processes(file: Path) -> None:
    own = Run(axioms=(file,), expect=True)
    alone = list(own.outcomes([game(1, 0)]))
    assert alone[0].errors[0]["place"] == "expect"
    assert list(own.outcomes([game(1, 0)], jobs=2)) == alone


def test_no_records(file: Path) -> None:
    assert list(Run(axioms=(file,)).outcomes([], jobs=2)) == []


def test_broken_axioms_are_an_error_before_any_record(file: Path) -> None:
    file.write_text(PREFIXES + f":a a ax:Cost ; {SAYS} .", encoding="utf-8")
    with pytest.raises(AxiomError, match="a Cost needs ax:focus, ax:require"):
        Run(axioms=(file,))


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(ValueError, match="is no engine"):
        Run(engine="prolog")
