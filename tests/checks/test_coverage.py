"""What a record names and no axiom judges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.axioms import Knowledge
from rulewright.checks import Checker
from rulewright.checks.endpoint import EndpointChecker
from rulewright.records import Unchecked, canonical, read_structure
from rulewright.records.quads import nothing, triples
from rulewright.store import Embedded
from rulewright.vocabulary import Iri

from ..axioms.turtle import SAYS, read

AXIOMS = (
    f":a a ax:Cost ; {SAYS} ; ax:of kw:kindle ; ax:focus game:Cast ; "
    "ax:require [ sh:path game:from ; sh:in ( game:hand game:graveyard ) ] . "
    f":b a ax:Value ; {SAYS} ; ax:focus game:Cast ; ax:require [ ax:hasKeyword kw:haste ] , "
    "[ ax:not [ ax:someNode game:Change ; ax:that [ sh:path game:order ; ax:atMost 0 ] ] ] , "
    "[ ax:not [ sh:path ( game:spell game:castEvent game:eventType ) ; sh:hasValue game:Play ] ] ."
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    return read(tmp_path, AXIOMS)


def gaps(knowledge: Knowledge, events: list[dict[str, Any]], **more: Any) -> list[Unchecked]:
    data = {"id": "urn:g", "players": [{"id": "#ana"}], **more, "events": events}
    (result,) = Checker(knowledge).check([read_structure(data, "g")])
    return result.unchecked


def test_a_keyword_without_axioms_with_the_events_that_name_it(knowledge: Knowledge) -> None:
    cards = [{"id": "#c", "keywords": ["kindle", "storm"]}, {"id": "#d", "keywords": ["kindle", "Flying"]}]
    events = [{"id": "#1", "type": "Cast", "card": "#c", "object": "#s"}]
    assert gaps(knowledge, events, cards=cards) == [
        Unchecked("keyword", "storm", Iri("urn:g#1")), Unchecked("keyword", "Flying"),
    ]  # fmt: skip


def test_a_keyword_that_a_condition_asks_for_is_looked_at(knowledge: Knowledge) -> None:
    assert gaps(knowledge, [], cards=[{"id": "#c", "keywords": ["haste"]}]) == []


def test_event_types_that_no_axiom_looks_at(knowledge: Knowledge) -> None:
    """A focus, a node looked for and a type asked for are looked at."""
    events = [{"id": f"#{n}", "type": kind} for n, kind in enumerate(["Cast", "Change", "Play", "Draw", "Draw"], 1)]
    assert gaps(knowledge, events) == [
        Unchecked("event type", "Draw", Iri("urn:g#4")), Unchecked("event type", "Draw", Iri("urn:g#5")),
    ]  # fmt: skip


def test_an_event_of_a_type_that_nobody_knows(knowledge: Knowledge) -> None:
    events = [{"id": "#1", "type": "Vanish"}]
    assert gaps(knowledge, events) == [Unchecked("event", "Vanish", Iri("urn:g#1"))]


@pytest.mark.parametrize("engine", ["fast", "sparql", "pyshacl", "reference"])
def test_a_record_of_which_no_axiom_says_anything(tmp_path: Path, engine: str) -> None:
    """Its events are named, although axioms look at others of their type."""
    when = "ax:when [ sh:path game:from ; sh:hasValue game:exile ]"
    only = f":a a ax:Prohibition ; {SAYS} ; ax:focus game:Play ; {when} ."
    found = {}
    for zone in ("hand", "exile"):
        data = {"id": "urn:g", "events": [{"id": "#1", "type": "Play", "from": zone}]}
        (result,) = Checker(read(tmp_path, only), engine).check([read_structure(data, "g")])
        found[zone] = result.unchecked
    assert found == {"hand": [Unchecked("event type", "Play", Iri("urn:g#1"))], "exile": []}


@pytest.mark.parametrize(
    "more",
    [
        {"cards": [{"id": "#c", "keywords": ["Flying"]}]},
        {"cards": [{"id": "#c", "keywords": ["kindle"]}, {"id": "#d", "keywords": ["haste"]}]},
        {"events": [{"id": "#1", "type": "Draw"}]},
        {"events": [{"id": "#1", "type": "Vanish"}]},
    ],
)
def test_where_records_are_kept_the_same_is_told(knowledge: Knowledge, more: dict[str, Any]) -> None:
    data: dict[str, Any] = {"id": "urn:g", "events": [], **more}
    checker = Checker(knowledge)
    (here,) = checker.check([read_structure(data, "g")])
    store = Embedded()
    store.add([*nothing(), *triples(canonical(read_structure(data, "g"), checker.names, checker.plan.steps))])
    (there,) = EndpointChecker(knowledge, store, "store").check()
    assert there.unchecked == here.unchecked
    assert (there.unread is None) is bool(here.unchecked)
