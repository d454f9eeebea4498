"""A condition whose authority is cited where it holds, though it decides nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.axioms import AxiomError, Knowledge, read_files
from rulewright.checks import Checker
from rulewright.records import read_structure
from rulewright.vocabulary import RULE

HEAD = """\
@prefix : <urn:example:> .
@prefix ax: <https://w3id.org/rulewright/axiom#> .
@prefix game: <https://w3id.org/rulewright/game#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rule: <https://w3id.org/rulewright/rule/> .
@prefix rw: <https://w3id.org/rulewright/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""
AXIOM = """
:at-once a ax:Prohibition ;
    rdfs:label "nothing is cast from a graveyard"@en , "nichts wird aus einem Friedhof gewirkt"@de ;
    ax:focus game:Cast ;
    ax:when [ sh:path game:from ; sh:hasValue game:graveyard ] ;
    rw:authority rule:one .
"""
CONDITION = """
:twice a ax:Condition ;
    rdfs:label "X is 2"@en , "X ist 2"@de ;
    rw:authority rule:two ;
    ax:citedBy :at-once ;
    sh:path game:x ; sh:hasValue 2 .
"""


def knowledge(folder: Path, *texts: str) -> Knowledge:
    files = [folder / f"{n}.ttl" for n in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(HEAD + text, encoding="utf-8")
    return read_files(files)


def cited(known: Knowledge, **cast: Any) -> list[tuple[str, list[str]]]:
    event = {"id": "#e1", "type": "Cast", "card": "#c", "object": "#s", "player": "#ana", "from": "graveyard", **cast}
    record = read_structure(
        {
            "id": "urn:example:game",
            "type": "Game",
            "players": [{"id": "#ana", "turnOrder": 1}],
            "cards": [{"id": "#c", "name": "Example", "owner": "#ana"}],
            "events": [event],
        },
        "game.json",
    )
    (result,) = Checker(known, "reference").check([record])
    return [(v.verdict, [a.removeprefix(RULE) for a in v.authority]) for v in result.verdicts]


@pytest.mark.parametrize("texts", [(AXIOM + CONDITION,), (AXIOM, CONDITION), (CONDITION, AXIOM)])
def test_it_is_cited_where_it_holds_and_nowhere_else(tmp_path: Path, texts: tuple[str, ...]) -> None:
    known = knowledge(tmp_path, *texts)
    assert cited(known, x=2) == [("violates", ["one", "two"])]
    assert cited(known, x=3) == [("violates", ["one"])]
    assert cited(known) == [("violates", ["one"])]
    assert cited(known, **{"x": 2, "from": "hand"}) == []


def test_it_is_cited_by_an_axiom(tmp_path: Path) -> None:
    with pytest.raises(AxiomError, match=r"urn:example:twice: .*:at-onec is no axiom; is urn:example:at-once meant\?"):
        knowledge(tmp_path, AXIOM + CONDITION.replace("citedBy :at-once", "citedBy :at-onec"))
