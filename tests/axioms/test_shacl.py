"""The exported SHACL: Turtle that holds what it should, whatever stands in labels and values."""

from __future__ import annotations

from pathlib import Path

import pyshacl
import pytest
from rdflib import RDF, Graph, Literal, Namespace, URIRef

from rulewright.axioms import Knowledge, lower
from rulewright.axioms.shacl import shape_iri, shapes
from rulewright.axioms.sparql import compile_plan
from rulewright.vocabulary import CORE, GAME, RULE

from .turtle import iri, read

SH = Namespace("http://www.w3.org/ns/shacl#")
SPEAKING = (
    ':a a ax:Prohibition ; rdfs:label """says "no\\\\way\\""""@en , """sagt „nein“"""@de ; '
    "rw:authority rule:kindle-a ; "
    "ax:of kw:kindle ; ax:focus game:Cast ; ax:keywordNeeded false ; "
    'ax:when [ sh:path game:permission ; sh:in ( "a \\"b\\" \\\\c" "\\"\\"\\"" ) ] .'
)
QUANTIFIED = (
    ":b a ax:Cost ; rdfs:label 'b'@en , 'b'@de ; rw:authority rule:kindle-a ; ax:focus game:Cast ; ax:require "
    "[ ax:some game:targets ; ax:that [ sh:path game:turnOrder ; sh:hasValue 1 ] ] ."
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    return read(tmp_path, SPEAKING + QUANTIFIED)


@pytest.fixture
def graph(knowledge: Knowledge) -> Graph:
    return Graph().parse(data=shapes(compile_plan(lower(knowledge)), knowledge), format="turtle")


def test_each_check_is_a_shape_with_messages_in_both_languages_and_its_authority(
    knowledge: Knowledge, graph: Graph
) -> None:
    checks = lower(knowledge).checks
    for number, check in enumerate(checks, 1):
        shape = URIRef(shape_iri(number))
        assert {str(t) for t in graph.objects(shape, SH.targetClass)} == {GAME + k for k in check.focus.kinds}
        (constraint,) = graph.objects(shape, SH.sparql)
        label = knowledge.axioms[check.axiom].label
        assert set(graph.objects(constraint, SH.message)) == {Literal(label.en, "en"), Literal(label.de, "de")}
        assert list(graph.objects(constraint, URIRef(CORE + "authority"))) == [URIRef(RULE + "kindle-a")]
    assert len(set(graph.subjects(SH.sparql))) == len(checks)


def test_stages_are_rules_in_their_order(knowledge: Knowledge, graph: Graph) -> None:
    steps = compile_plan(lower(knowledge)).steps
    rules = {graph.value(s, SH.order): graph.value(r, SH.construct) for s, r in graph.subject_objects(SH.rule)}
    assert sorted(o.toPython() for o in rules if isinstance(o, Literal)) == list(range(1, len(steps) + 1))
    assert all(f"<{step.fact}>" in str(rules[Literal(n)]) for n, step in enumerate(steps, 1))


def test_a_label_without_knowledge_is_none(knowledge: Knowledge) -> None:
    bare = Graph().parse(data=shapes(compile_plan(lower(knowledge))), format="turtle")
    assert not list(bare.objects(None, SH.message))


def test_a_shacl_engine_finds_the_event_that_breaks_it(graph: Graph) -> None:
    game = Namespace(GAME)
    data = Graph()
    for name, permission in (("x", 'a "b" \\c'), ("y", "another")):
        event = URIRef(f"urn:e:{name}")
        data.add((event, RDF.type, game.Cast))
        data.add((event, game.namesKeyword, URIRef(iri("").rstrip("#"))))
        data.add((event, game.permission, Literal(permission)))
    conforms, report, _ = pyshacl.validate(data, shacl_graph=graph, advanced=True)
    assert not conforms
    assert isinstance(report, Graph)
    broken = {(report.value(r, SH.focusNode), str(m)) for r in report.subjects(RDF.type, SH.ValidationResult)
              for m in report.objects(r, SH.resultMessage)}  # fmt: skip
    assert broken == {(URIRef("urn:e:x"), 'says "no\\way"'), (URIRef("urn:e:x"), "sagt „nein“")}
