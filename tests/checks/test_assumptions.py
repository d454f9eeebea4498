"""What is taken as none although a record leaves it out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.axioms import Knowledge
from rulewright.checks import Checker
from rulewright.checks.assumptions import KINDS, assumed
from rulewright.records import read_structure
from rulewright.vocabulary import GAME, Iri, load_schema

from ..axioms.turtle import SAYS, read

COMPLETE = "ax:require [ sh:path ( game:inRecord game:effectsComplete ) ; sh:hasValue false ]"
NO_MOVE = "ax:require [ ax:someNode game:Move ; ax:that [ sh:path game:order ; ax:atLeast 0 ] ]"
AXIOMS = (
    f":effects a ax:Value ; {SAYS} ; ax:focus game:Cast ; {COMPLETE} . "
    f":records a ax:Value ; {SAYS} ; ax:focus game:Cast ; {NO_MOVE} . "
    f":both a ax:Value ; {SAYS} ; ax:focus game:Cast ; ax:require [ ax:any ( "
    "[ sh:path ( game:inRecord game:effectsComplete ) ; sh:hasValue false ] "
    "[ ax:someNode game:Move ; ax:that [ sh:path game:order ; ax:atLeast 0 ] ] ) ] . "
    f":none a ax:Value ; {SAYS} ; ax:focus game:Cast ; ax:require [ sh:path game:from ; sh:hasValue game:exile ] ."
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    return read(tmp_path, AXIOMS)


def record(**more: Any) -> Any:
    cards: list[dict[str, Any]] = [
        {"id": "#c"}, {"id": "#d", "keywords": ["kindle"]}, {"id": "#f", "faces": [{"name": "A", "keywords": []}]},
    ]  # fmt: skip
    events = [{"id": "#1", "type": "Cast", "card": "#c", "object": "#s", "from": "hand"}]
    return read_structure({"id": "urn:g", "cards": cards, "events": events, **more}, "g")


def found(knowledge: Knowledge, *kinds: str, engine: str = "fast", **more: Any) -> dict[str, Any]:
    (result,) = Checker(knowledge, engine, assume=kinds).check([record(**more)])
    return {v.axiom.rpartition("#")[2]: (v.verdict, v.assumed) for v in result.verdicts}


def test_what_is_left_out_is_none_and_what_is_said_stays() -> None:
    told = assumed(record(effects=[{"id": "#x"}]), KINDS)
    assert told.root.facts["effects"] == (Iri("urn:g#x"),)
    assert told.root.facts["records"] == tuple(Iri(GAME + name) for name in load_schema().event_types)
    keywords = [told.nodes[Iri(f"urn:g#{name}")].facts.get("keywords") for name in "cdf"]
    assert (keywords[0], keywords[2]) == ((), None)
    assert keywords[1]
    assert assumed(record(), ["effects"]).root.facts["effects"] == ()


def test_the_record_itself_is_left_alone() -> None:
    one = record()
    assumed(one, KINDS)
    assert "effects" not in one.root.facts


@pytest.mark.parametrize("engine", ["fast", "sparql", "reference"])
def test_a_verdict_names_the_fewest_assumptions_that_it_rests_on(knowledge: Knowledge, engine: str) -> None:
    open_ = ("undetermined", ())
    assert found(knowledge, engine=engine) == {
        "effects": open_, "records": open_, "both": open_, "none": ("violates", ()),
    }  # fmt: skip
    assert found(knowledge, "records", "effects", "keywords", engine=engine) == {
        "effects": ("violates", ("effects",)), "records": ("violates", ("records",)),
        "both": ("violates", ("effects", "records")), "none": ("violates", ()),
    }  # fmt: skip


def test_what_the_record_says_itself_is_not_assumed(knowledge: Knowledge) -> None:
    assert found(knowledge, "effects", effects=[])["effects"] == ("violates", ())
