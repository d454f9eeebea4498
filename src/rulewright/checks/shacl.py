"""The exported SHACL, run by pyshacl: the same violations by another engine, slowly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import pyoxigraph as ox
import pyshacl
from rdflib import RDF, Graph, Literal, Namespace, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.query import Result

from rulewright.axioms import ir
from rulewright.axioms.shacl import shape_iri, shapes
from rulewright.axioms.sparql import Program, compile_plan
from rulewright.records import Graph as GameGraph
from rulewright.records.quads import nothing, triples
from rulewright.vocabulary import Iri

_STRING = "http://www.w3.org/2001/XMLSchema#string"
SHACL = Namespace("http://www.w3.org/ns/shacl#")


class _PreparedGraph(Graph):
    """rdflib parses a query each time that it runs; the same few run for each focus node."""

    def query(self, query_object: Any, *arguments: Any, **options: Any) -> Result:
        if isinstance(query_object, str):
            query_object = _prepared(query_object)
        return super().query(query_object, *arguments, **options)


@lru_cache(maxsize=4096)
def _prepared(text: str) -> Any:
    return prepareQuery(text)


def relevant(plan: ir.Plan, game: GameGraph) -> ir.Plan:
    """Only the rules that can matter for a record: of event types and keywords that are in it."""
    kinds = set(game.kinds.values())
    named = game.keywords_named()

    def matters(focus: ir.Focus) -> bool:
        return bool(kinds & set(focus.kinds)) and (focus.keyword is None or focus.keyword in named)

    return ir.Plan(
        [d for d in plan.derives if matters(d.focus)], [c for c in plan.checks if matters(c.focus)], plan.steps
    )


class Engine:
    """Runs the shapes of a plan that can matter for a record, a record at a time."""

    batch = 1

    def __init__(self, plan: ir.Plan) -> None:
        self._plan, self._program = plan, compile_plan(plan)

    def run(self, graphs: Sequence[GameGraph]) -> dict[Iri, list[ir.Finding]]:
        """The violations by record."""
        return {
            game.record.id: run_program(_restricted(self._program, relevant(self._plan, game)), [game])
            for game in graphs
        }


def _restricted(program: Program, needed: ir.Plan) -> Program:
    checks = {c.id for c in needed.checks}
    kinds = {(d.focus.kinds, d.focus.keyword) for d in needed.derives} | {
        (c.focus.kinds, c.focus.keyword) for c in needed.checks
    }
    steps = [s for s in program.steps if (s.focus.kinds, s.focus.keyword) in kinds]
    return Program(steps, [q for q in program.queries if q.check.id in checks], program.properties)


def _rdf(node: object) -> URIRef | Literal:
    if isinstance(node, ox.Literal):
        if node.datatype.value == _STRING:
            return Literal(node.value)  # rdflib takes "a" and "a"^^xsd:string for two terms
        return Literal(node.value, datatype=URIRef(node.datatype.value))
    assert isinstance(node, ox.NamedNode)
    return URIRef(node.value)


@cache
def _shapes_graph(text: str) -> Graph:
    return Graph().parse(data=text, format="turtle")


def run_program(program: Program, games: list[GameGraph]) -> list[ir.Finding]:
    """The violations of several records, whose identifiers are unique, in one data graph."""
    data = _PreparedGraph()
    stated = (triples(game, program.properties) for game in games)
    for triple in chain(nothing(program.properties), *stated):
        data.add((_rdf(triple.subject), _rdf(triple.predicate), _rdf(triple.object)))
    _, report, _ = pyshacl.validate(
        data,
        shacl_graph=_shapes_graph(shapes(program)),
        advanced=True,
        inplace=True,
        inference="none",
        meta_shacl=False,
    )
    assert isinstance(report, Graph)
    checks = {shape_iri(n): q.check for n, q in enumerate(program.queries, 1)}
    found: list[ir.Finding] = []
    for result in report.subjects(RDF.type, SHACL.ValidationResult):
        check = checks[str(report.value(result, SHACL.sourceShape))]
        found.append(ir.Finding(check, Iri(str(report.value(result, SHACL.focusNode))), "violates"))
    return found
