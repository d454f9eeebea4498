"""A quantifier within a quantifier is refused when the file is read, with the axiom and its property."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.axioms import AxiomError, read_files

AXIOM = """\
@prefix : <urn:example:> .
@prefix ax: <https://w3id.org/rulewright/axiom#> .
@prefix game: <https://w3id.org/rulewright/game#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rule: <https://w3id.org/rulewright/rule/> .
@prefix rw: <https://w3id.org/rulewright/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

:inner a ax:Condition ;
    rdfs:label "a spell was cast"@en , "ein Zauberspruch wurde gewirkt"@de ;
    ax:someNode game:Cast ; ax:that [ ax:stated game:player ] .

:axiom a ax:Cost ;
    rdfs:label "an example"@en , "ein Beispiel"@de ;
    ax:focus game:Cast ;
    ax:scope [ ax:stated game:player ] ;
    PROPERTY CONDITION ;
    ax:require [ ax:stated game:card ] ;
    rw:authority rule:one .
"""
MEMBER = "[ ax:some game:targets ; ax:that CONDITION ]"
INSIDE = [
    ":inner",
    "[ ax:not :inner ]",
    "[ ax:all ( [ ax:stated game:player ] :inner ) ]",
    "[ ax:every game:targets ; ax:that [ ax:stated game:player ] ]",
]


def written(folder: Path, name: str, condition: str) -> Path:
    file = folder / "mine.ttl"
    file.write_text(AXIOM.replace("PROPERTY", name).replace("CONDITION", condition), encoding="utf-8")
    return file


@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("name", ["ax:scope", "ax:when", "ax:unless", "ax:require"])
def test_it_names_file_axiom_and_property(tmp_path: Path, name: str, inside: str) -> None:
    file = written(tmp_path, name, MEMBER.replace("CONDITION", inside))
    with pytest.raises(AxiomError) as raised:
        read_files([file])
    assert str(raised.value).startswith(f"{file}: urn:example:axiom: {name} has a quantifier")
    assert "within a quantifier" in str(raised.value)


@pytest.mark.parametrize("inside", INSIDE)
def test_beside_each_other_they_are_right(tmp_path: Path, inside: str) -> None:
    both = f"[ ax:all ( {inside} {MEMBER.replace('CONDITION', '[ ax:stated game:player ]')} ) ]"
    assert read_files([written(tmp_path, "ax:when", both)]).axioms
