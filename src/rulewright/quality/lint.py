"""A lint of the whole project: its terms, their words, what is cited, and whether it all agrees (OWL 2 RL).

Nothing here judges play. What it finds is a slip of the project itself: a term that is used and not declared, declared
and not used, or without its words in both languages; a rule, ruling, keyword or condition that is cited and not there;
data that contradict the ontologies.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from rulewright.axioms import AxiomError, Knowledge, ir, lower, read_files
from rulewright.records import Graph, RecordError, Words, canonical, read_structure
from rulewright.records.quads import triples
from rulewright.vocabulary import AX, BASE, CORE, GAME, RDF, RULING, SH, Iri, load_schema, packaged

if TYPE_CHECKING:
    from rdflib import BNode, URIRef

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SCHEMA_ORG = "https://schema.org/"
NAMESPACES = {"rw": CORE, "game": GAME, "ax": AX}
CITED = tuple(BASE + kind + "/" for kind in (
    "rule", "edition", "ruling", "text", "publication", "source", "keyword", "principle", "condition", "card", "term",
))  # fmt: skip
INTERNAL = frozenset({AX + "theKeyword"})
"""Never in a graph: stands for the axiom's keyword until the reader has filled it in."""
NO_USE = frozenset(
    {RDFS + "isDefinedBy", SCHEMA_ORG + "domainIncludes", SCHEMA_ORG + "rangeIncludes", OWL + "disjointWith"}
)
"""To be spoken of in these ways is no use of a term."""
_ERROR = "http://www.daml.org/2002/03/agents/agent-ont#error"
_NAME = re.compile(r"[A-Za-z]\w*")
Triple = tuple[str, str, "ox.NamedNode | ox.BlankNode | ox.Literal"]
Mention = tuple[str, str]
"""Where (a file, or a scenario), and the IRI."""


def lint(root: Path | None = None) -> list[str]:
    """All slips of the project, each one line; [] where there are none. `root` is a checkout, this one if not given."""
    project = Project(root or packaged())
    found = [
        *project.undeclared(),
        *project.unused(),
        *project.wordless(),
        *project.uncited(),
        *project.contradictions(),
    ]
    return sorted(set(found))


class Project:
    """Everything that the parts of the lint look at, read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.broken: list[str] = []
        self.ontology = self._turtle(root.glob("ontology/*.ttl"))
        self.shapes = self._turtle(root.glob("ontology/shapes/*.ttl"))
        self.data = self._turtle(root.glob("data/**/*.ttl"))

    def _turtle(self, files: Iterable[Path]) -> dict[str, list[Triple]]:
        found: dict[str, list[Triple]] = {}
        for file in sorted(files):
            name = file.relative_to(self.root).as_posix()
            found[name] = []
            try:
                for t in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
                    subject = t.subject.value if isinstance(t.subject, ox.NamedNode) else str(t.subject)
                    if isinstance(t.object, (ox.NamedNode, ox.BlankNode, ox.Literal)):
                        found[name].append((subject, t.predicate.value, t.object))
            except (SyntaxError, ValueError) as error:
                self.broken.append(f"{name}: is not Turtle: {error}")
        return found

    @cached_property
    def declared(self) -> dict[str, str]:
        """Term of our namespaces -> the ontology file that declares it."""
        return {
            s: file for file, found in self.ontology.items() for s, p, _ in found
            if p == RDF + "type" and s.startswith(tuple(NAMESPACES.values()))
        }  # fmt: skip

    @cached_property
    def parameters(self) -> set[str]:
        """Properties that keywords bring along."""
        return {
            o.value
            for found in self.data.values()
            for _, p, o in found
            if p == AX + "parameter" and isinstance(o, ox.NamedNode)
        }

    # --- what is mentioned where

    def _in_triples(self, files: dict[str, list[Triple]]) -> Iterator[Mention]:
        for file, found in files.items():
            for s, p, o in found:
                yield from ((file, s), (file, p))
                if isinstance(o, ox.NamedNode):
                    yield file, o.value
                elif p in (SH + "select", SH + "ask", SH + "construct"):
                    yield from ((file, iri) for iri in _in_query(o.value))

    def _in_queries(self) -> Iterator[Mention]:
        for file in sorted(self.root.glob("queries/**/*.rq")):
            yield from (
                (file.relative_to(self.root).as_posix(), iri) for iri in _in_query(file.read_text(encoding="utf-8"))
            )

    def _in_contexts(self) -> Iterator[Mention]:
        for file in sorted(self.root.glob("ontology/*.jsonld")):
            name = file.relative_to(self.root).as_posix()
            for text in _texts(json.loads(file.read_text(encoding="utf-8"))):
                prefix, _, local = text.partition(":")
                if prefix in NAMESPACES and local:
                    yield name, NAMESPACES[prefix] + local
                elif text.startswith(tuple(NAMESPACES.values())) and text not in NAMESPACES.values():
                    yield name, text

    @cached_property
    def _code(self) -> dict[str, ast.Module]:
        return {
            f.relative_to(self.root).as_posix(): ast.parse(f.read_text(encoding="utf-8"))
            for f in sorted(self.root.glob("src/**/*.py"))
        }

    def _in_code(self) -> Iterator[Mention]:
        for file, module in self._code.items():
            yield from ((file, iri) for iri in _in_module(module) if iri not in INTERNAL)

    @cached_property
    def _names_in_code(self) -> set[str]:
        """Strings in the code that can be local names: alone, or a list of them that is split."""
        names: set[str] = set()
        for module in self._code.values():
            for node in ast.walk(module):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME.fullmatch(node.value):
                    names.add(node.value)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
                    of = node.func.value
                    names.update(of.value.split() if isinstance(of, ast.Constant) and isinstance(of.value, str) else ())
        return names

    @cached_property
    def knowledge(self) -> Knowledge | None:
        parts = ("kinds", "principles/*", "keywords/*")
        files = [file for part in parts for file in sorted(self.root.glob(f"data/{part}.ttl"))]
        try:
            return read_files(files)
        except AxiomError as error:
            self.broken.append(str(error).replace(f"{self.root}/", ""))
            return None

    @cached_property
    def scenarios(self) -> dict[str, dict[str, object]]:
        return {
            f.relative_to(self.root).as_posix(): json.loads(f.read_text(encoding="utf-8"))
            for f in sorted(self.root.glob("data/scenarios/**/*.json"))
        }

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        """The canonical graph of each scenario, with the state of cards at every step."""
        names = self.knowledge.record_words() if self.knowledge else Words({})
        parameters = self.knowledge.parameters() if self.knowledge else frozenset()
        found: dict[str, Graph] = {}
        for file, data in self.scenarios.items():
            try:
                found[file] = canonical(
                    read_structure(data, file, parameters=parameters), names, load_schema().step_position
                )
            except RecordError as error:
                self.broken.append(str(error))
        return found

    @cached_property
    def _facts(self) -> dict[str, str]:
        """Terms of the canonical graphs -> the first scenario in which they stand."""
        found: dict[str, str] = {}
        for file, graph in self.graphs.items():
            for node, facts in graph.facts.items():
                found.setdefault(GAME + graph.kinds[node], file)
                for name, value in facts.items():
                    found.setdefault(name if ":" in name else GAME + name, file)
                    for part in value if isinstance(value, tuple) else (value,):
                        if isinstance(part, Iri) and part.startswith(GAME):
                            found.setdefault(part, file)
        return found

    def _in_plan(self) -> Iterator[Mention]:
        """Facts that the compiled axioms ask for, the archetypes' own among them."""
        if self.knowledge is None:
            return
        for rule in lower(self.knowledge).rules():
            conditions: list[ir.Condition] = []
            paths: list[ir.Path] = []
            names = list(rule.focus.kinds)
            match rule:
                case ir.Derive(condition=condition):
                    conditions.append(condition)
                case ir.DeriveTurn(player=player):
                    paths.append(player)
                case ir.Check(applies=applies, holds=holds):
                    conditions += [applies, holds]
            for condition in (c for outer in conditions for c in ir.walk(outer)):
                match condition:
                    case ir.Compare(left=left, right=right):
                        paths += [left, right] if isinstance(right, ir.Path) else [left]
                    case ir.Exists(path=path) | ir.Stated(path=path):
                        paths.append(path)
                    case ir.Includes(at=at, members=members, count=count, term=term):
                        paths += [at, term] if isinstance(term, ir.Path) else [at]
                        names += [members, count]
                    case ir.Some(at=at, members=members, count=count, kind=kind):
                        paths += [at] if at is not None else []
                        names += [name for name in (members, count, kind) if name]
            for name in (*names, *(step for path in paths for step in path.steps)):
                if ":" not in name:
                    yield f"axiom {rule.axiom}", GAME + name

    # --- the parts of the lint

    def undeclared(self) -> Iterator[str]:
        """Terms of our namespaces that are used somewhere and declared nowhere."""
        mentions = [
            *self._in_triples({**self.ontology, **self.shapes, **self.data}),
            *self._in_queries(),
            *self._in_contexts(),
            *self._in_code(),
            *((file, iri) for iri, file in self._facts.items()),
            *self._in_plan(),
        ]
        for file, iri in mentions:
            if iri.startswith(tuple(NAMESPACES.values())) and iri not in self.declared and iri not in self.parameters:
                yield f"{file}: {_short(iri)} is not declared"
        yield from self.broken

    def unused(self) -> Iterator[str]:
        """Declared terms that neither data, queries, code, facts nor other terms use."""
        used = {
            iri for _, iri in (*self._in_triples(self.data), *self._in_queries(), *self._in_code(), *self._in_plan())
        }
        used |= set(self._facts)
        for found in self.ontology.values():
            for s, p, o in found:
                used.add(p)
                if isinstance(o, ox.NamedNode) and o.value != s and p not in NO_USE:
                    used.add(o.value)
                if p == GAME + "word":  # a record can say it
                    used.add(s)
                if p == GAME + "member":
                    used.add(f"{s}Key")
        used |= {namespace + name for namespace in NAMESPACES.values() for name in self._names_in_code}
        for term in sorted(set(self.declared) - used):
            yield f"{self.declared[term]}: {_short(term)} is declared and not used"

    def wordless(self) -> Iterator[str]:
        """Declared terms without label and comment in each language, or their ontology; shapes without messages."""
        said: dict[tuple[str, str], list[str]] = {}
        for found in (*self.ontology.values(), *self.shapes.values()):
            for s, p, o in found:
                said.setdefault((s, p), []).append((o.language or "") if isinstance(o, ox.Literal) else o.value)
        for term, file in self.declared.items():
            for name in ("label", "comment"):
                if sorted(said.get((term, RDFS + name), [])) != ["de", "en"]:
                    yield f"{file}: {_short(term)} needs one rdfs:{name} in English and one in German"
            if said.get((term, RDFS + "isDefinedBy")) != [term.split("#")[0]]:
                yield f"{file}: {_short(term)} needs rdfs:isDefinedBy with its ontology"
        for file, found in self.shapes.items():
            for subject in {s for s, p, _ in found if p == SH + "message"}:
                if sorted(said[subject, SH + "message"]) != ["de", "en"]:
                    yield f"{file}: {subject} needs one sh:message in English and one in German"

    def uncited(self) -> Iterator[str]:
        """Rules, rulings, keywords, conditions and the like that are cited and not there."""
        there = {s for found in self.data.values() for s, p, _ in found if p == RDF + "type"}
        for file, found in (*self.ontology.items(), *self.data.items()):
            for s, _, o in found:
                if isinstance(o, ox.NamedNode) and o.value.startswith(CITED) and o.value not in there:
                    yield f"{file}: {_short(s)} cites {_short(o.value)}, which is not there"
        numbers = {
            o.value for found in self.data.values() for _, p, o in found if p in (CORE + "mintedAs", CORE + "number")
        }
        for file, data in self.scenarios.items():
            statements = data.get("statements", [])
            for name in statements if isinstance(statements, list) else []:
                if RULING + str(name) not in there:
                    yield f"{file}: cites ruling:{name}, which is not there"
            expected = data.get("expect", [])
            for verdict in expected if isinstance(expected, list) else []:
                for name in [verdict["authority"]] if "authority" in verdict else []:
                    if RULING + str(name) not in there and name not in numbers:
                        yield f"{file}: cites {name}, which is no ruling and no rule"

    def contradictions(self) -> Iterator[str]:
        """What is wrong by OWL 2 RL: the ontologies with the axioms and the graphs of two scenarios."""
        import owlrl  # type: ignore[import-untyped]
        from rdflib import BNode, URIRef
        from rdflib import Graph as RdfGraph
        from rdflib import Literal as RdfLiteral

        graph = RdfGraph()
        asserted: list[Triple] = []
        for name, found in (*self.ontology.items(), *self.data.items()):
            if name.startswith(("ontology/", "data/principles/", "data/keywords/")):
                asserted += found
        for record in list(self.graphs.values())[:: max(1, len(self.graphs) // 2)][:2]:
            for t in triples(record):
                if isinstance(t.subject, ox.NamedNode) and isinstance(t.object, (ox.NamedNode, ox.Literal)):
                    asserted.append((t.subject.value, t.predicate.value, t.object))
        for s, p, o in asserted:
            if isinstance(o, ox.Literal):
                if o.language is None:
                    graph.add((_node(s), URIRef(p), RdfLiteral(o.value, datatype=URIRef(o.datatype.value))))
            else:
                graph.add((_node(s), URIRef(p), URIRef(o.value) if isinstance(o, ox.NamedNode) else BNode(o.value)))
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
        for message in graph.objects(None, URIRef(_ERROR)):
            yield f"contradiction: {message}"
        for member in graph.subjects(URIRef(RDF + "type"), URIRef(OWL + "Nothing")):
            yield f"contradiction: {_short(str(member))} can be nothing"


def _node(value: str) -> URIRef | BNode:
    from rdflib import BNode, URIRef

    return BNode(value[2:]) if value.startswith("_:") else URIRef(value)


def _short(iri: str) -> str:
    for prefix, namespace in NAMESPACES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri.removeprefix(BASE)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _in_query(text: str) -> Iterator[str]:
    """IRIs of our namespaces in SPARQL: written out, or with the prefixes that the query declares."""
    text = re.sub(r"\"[^\"\n]*\"|'[^'\n]*'", "", text)
    prefixes = dict(re.findall(r"PREFIX\s+(\w*):\s*<([^>]*)>", text, re.IGNORECASE))
    for iri in re.findall(r"<([^<>\s]*)>", text):
        if iri.startswith(tuple(NAMESPACES.values())) and iri not in NAMESPACES.values():
            yield iri
    text = re.sub(r"#.*", "", re.sub(r"<[^<>\s]*>", "", text))
    for prefix, local in re.findall(r"(\w*):([A-Za-z]\w*)", text):
        if prefixes.get(prefix) in NAMESPACES.values():
            yield prefixes[prefix] + local


def _in_module(module: ast.Module) -> Iterator[str]:
    """Terms that code names: `GAME + "from"`, `f"{GAME}from"`, and IRIs and prefixed names in its strings."""
    spaces = {"CORE": CORE, "GAME": GAME, "AX": AX}
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(module) if isinstance(node, holders) and node.body]
    docs = {body[0].value for body in bodies if isinstance(body[0], ast.Expr)}
    for node in ast.walk(module):
        match node:
            case ast.BinOp(left=ast.Name(id=space), op=ast.Add(), right=ast.Constant(value=str(name))) if (
                space in spaces
            ):
                if _NAME.fullmatch(name):
                    yield spaces[space] + name
            case ast.JoinedStr(
                values=[ast.FormattedValue(value=ast.Name(id=space)), ast.Constant(value=str(name)), *_]
            ) if space in spaces:
                if (local := _NAME.match(name)) is not None and (local.end() < len(name) or len(node.values) == 2):
                    yield spaces[space] + local.group()
            case ast.Constant(value=str(text)) if node not in docs:
                yield from re.findall(rf"{BASE}(?:core|game|axiom)#[A-Za-z]\w*", text)
                for prefix, local_name in re.findall(r"(?<![\w:/])(rw|game|ax):([A-Za-z]\w*)(?![\w:])", text):
                    yield NAMESPACES[prefix] + local_name
