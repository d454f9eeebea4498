"""`compile`: which axioms are printed, and in what form."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import Graph

from rulewright.axioms import AxiomError, Knowledge, printed, selected
from rulewright.vocabulary import KEYWORD

from .turtle import SAYS, iri, read

TEXT = (
    f":a a ax:Prohibition ; {SAYS} ; ax:of kw:kindle ; ax:focus game:Cast . "
    f":p a ax:Prohibition ; {SAYS} ; ax:focus game:Cast . "
    'kw:douse a rw:Keyword ; skos:prefLabel "douse"@en , "Löschen"@de . '
    ':d a ax:Prohibition ; rdfs:label """two\nlines"""@en , "zwei Zeilen"@de ; rw:authority rule:douse-a ; '
    "ax:of kw:douse ; ax:focus game:Cast ; "
    "ax:when [ ax:some game:targets ; ax:that [ sh:path game:turnOrder ; sh:hasValue 1 ] ] ."
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    return read(tmp_path, TEXT)


@pytest.mark.parametrize("name", ["kindle", "KINDLE", "Entfachen", "entfachen", KEYWORD + "kindle"])
def test_a_keyword_by_any_name_and_the_principles(name: str, knowledge: Knowledge) -> None:
    assert set(selected(knowledge, (name,)).axioms) == {iri("a"), iri("p")}


def test_without_a_name_all_are_printed(knowledge: Knowledge) -> None:
    assert selected(knowledge, ()) is knowledge
    assert set(selected(knowledge, ("kindle", "Löschen")).axioms) == set(knowledge.axioms)


def test_an_unknown_keyword_is_an_error_that_names_the_known(knowledge: Knowledge) -> None:
    with pytest.raises(AxiomError, match="kindel: is no keyword here; known are douse, kindle"):
        selected(knowledge, ("kindel",))


def test_the_sparql_has_stages_before_checks_and_each_query_stands_alone(knowledge: Knowledge) -> None:
    text = printed(knowledge, "sparql")
    assert text.index("# stage 1: ") < text.index("# Checks: ") < text.index(f"# {iri('a')}: ")
    assert all(f"# {iri(n)}: " in text for n in "adp")
    queries = [q for q in re.split(r"^(?=CONSTRUCT|SELECT)", text, flags=re.MULTILINE) if not q.startswith("#")]
    assert len(queries) == text.count("\nCONSTRUCT") + text.count("\nSELECT") > 4
    for query in queries:
        ox.Store().query(query)


def test_the_shacl_is_turtle(knowledge: Knowledge) -> None:
    assert len(Graph().parse(data=printed(knowledge, "shacl"), format="turtle")) > 10
