"""SHACL validation of the project's own data and of what was ingested.

The shapes say what is wrong (`ontology/shapes/`); pyshacl holds the data against them. What was ingested is validated
together with marks of its words (`rulewright.quality.mentions`), so that shapes can judge texts too.

Files of data are validated together with the package: what they describe is taken from them alone, what they refer to
may be the package's. Findings are about the nodes of the files (or of the store, or of the package) and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyoxigraph as ox
import rdflib
from rdflib.collection import Collection
from rdflib.plugins.sparql import prepareQuery
from rdflib.term import Node

from rulewright.quality.mentions import NIF, Document, Statement, Terms, marked
from rulewright.records import Problem
from rulewright.store.dataset import GRAPH, PREFIXES, SOURCE, Dataset, packaged_graphs
from rulewright.vocabulary import CORE, RULING, packaged, turtle_files

Json: TypeAlias = dict[str, Any]
Severity = Literal["violation", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("violation", "warning", "info")
LANGUAGES = ("en", "de")
DATA = (".ttl",)
"""Suffixes of files of data; any other file is a document."""
_TEXTS = "https://w3id.org/rulewright/shape/text#"
"""Shapes of words: what they judge is no node of anybody's data."""
_SH = rdflib.SH
_SPACE = rdflib.Namespace(CORE)
_RECORDS = "game.ttl"
"""The shapes of game records, which are no part of this: `check` judges those."""
_BESIDE_TEXTS = tuple(GRAPH + g for g in ("rulings/", "keywords/", "terms/", "cards", "ontology/core"))
"""Packaged graphs to which documents refer: with these alone, documents are validated sooner."""
_NAMES = tuple(GRAPH + g for g in ("cards", "rules", "terms/"))
"""Packaged graphs that say what cards, rules and terms are called."""
_SHOWN = 6
"""Words of a statement that are shown where the whole of it is meant."""
_PLACE = re.compile(r"^Parser error at line \d+ (?:column \d+|between [^:]*): ")
_VARIABLE = re.compile(r"\{[?$](\w+)\}")


@dataclass(frozen=True)
class Words:
    """Words of a text and their place in it, in characters from 0; None where they are no part of it (rule numbers)."""

    text: str
    start: int | None = None
    end: int | None = None


@dataclass
class Finding:
    """One thing to mend: where, what, and how. `kind` is the shape's name."""

    kind: str
    shape: str
    severity: Severity
    file: str
    node: str
    message: dict[str, str]
    mend: dict[str, str] = field(default_factory=dict)
    path: str | None = None
    value: str | None = None
    statement: int | None = None
    """The statement's place in its document, from 1; None where the whole document is meant."""
    line: int | None = None
    id: str | None = None
    """The id of the curated statement, such as RB-1."""
    words: list[Words] = field(default_factory=list)

    def as_json(self) -> Json:
        return {
            "kind": self.kind,
            "shape": self.shape,
            "severity": self.severity,
            "file": self.file,
            "statement": self.statement,
            "line": self.line,
            "id": self.id,
            "node": self.node,
            "path": self.path,
            "value": self.value,
            "words": [{"text": w.text, "start": w.start, "end": w.end} for w in self.words],
            "message": self.message,
            "mend": self.mend or None,
        }


@dataclass(frozen=True)
class Checked:
    """How many nodes of a kind were held against a shape."""

    kind: str
    label: dict[str, str]
    nodes: int

    def as_json(self) -> Json:
        return {"kind": self.kind, "label": self.label, "nodes": self.nodes}


@dataclass
class Report:
    """All that a validation found."""

    findings: list[Finding] = field(default_factory=list)
    checked: list[Checked] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    """Files of data that were validated."""
    shacl: rdflib.Graph = field(default_factory=rdflib.Graph)
    """The results as SHACL has them (§3.6), with messages in both languages and the marks that they are about."""

    @property
    def conforms(self) -> bool:
        """Whether nothing is to be mended: what is only worth knowing does not count."""
        return not any(f.severity != "info" for f in self.findings)

    @property
    def summary(self) -> Json:
        counts: Json = {s: sum(f.severity == s for f in self.findings) for s in SEVERITIES}
        return {
            "files": len(self.files),
            "documents": len(self.documents),
            "statements": sum(len(d.statements) for d in self.documents),
            "nodes": sum(c.nodes for c in self.checked),
            "findings": len(self.findings),
            **counts,
            "errors": len(self.errors),
        }


def validate(paths: Sequence[Path] = (), store: Path | None = None) -> Report:
    """Validates files: `.ttl` are data, any other are source documents, in folders `.ttl` and `.txt` are looked for.

    Without files: all that the store holds but bulk sources, and without a store the packaged data. With both, what the
    files refer to may be in the store. Raises StoreError for a store that cannot be read.
    """
    report = Report()
    files, documents = _sorted(paths, report)
    with Dataset.open() as dataset:
        if store is not None:
            with Dataset.open(store, read_only=True) as there:
                for graph in _curated(there):
                    dataset.add_graph(graph, there.triples(graph))
        dataset.load_packaged()
        ours = {g: f.relative_to(packaged()).as_posix() for g, f in packaged_graphs().items()}
        wanted: dict[str, str] = {}
        if not paths:
            wanted |= {g: ours.get(g, g) for g in dataset.graphs() if store or g in ours}
        wanted |= _data(files, dataset, report)
        wanted |= _documents(documents, dataset, report)
        if wanted:
            _Run(dataset, wanted, report).run()
    return report


def _curated(store: Dataset) -> list[str]:
    """The graphs of a store without those of bulk sources, and what was inferred of them: no person can mend these."""
    from rulewright.sources.bulk import FORMATS

    rows = store.rows("SELECT DISTINCT ?source ?kind WHERE { ?source a rw:Source ; rw:kind ?kind }")
    kinds = {f.kind for f in FORMATS}
    bulk = {row["source"].value for row in rows if row["kind"].value in kinds}
    return [g for g in store.graphs() if g not in bulk and not g.startswith(f"{GRAPH}inferred/")]


def _sorted(paths: Sequence[Path], report: Report) -> tuple[list[Path], list[Path]]:
    """Files of data, and documents."""
    data: list[Path] = []
    documents: list[Path] = []
    for path in paths:
        inside = sorted(f for f in path.rglob("*") if f.suffix in (*DATA, ".txt")) if path.is_dir() else [path]
        if not inside:
            told = "no data (*.ttl) and no documents (*.txt) in this folder: name files"
            report.errors.append(Problem(str(path), "", told))
        for file in inside:
            (data if file.suffix.lower() in DATA else documents).append(file)
    return data, documents


def _data(files: Iterable[Path], dataset: Dataset, report: Report) -> dict[str, str]:
    """Puts files of data into graphs of their own, in the place of what the package says of the same nodes."""
    found: dict[str, str] = {}
    for file in files:
        try:
            base = file.resolve().as_uri()
            triples = list(ox.parse(file.read_bytes(), ox.RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True))
        except OSError as error:
            report.errors.append(Problem(str(file), "", f"cannot be read ({error.strerror}): mend the path"))
            continue
        except SyntaxError as error:
            place = f"line {error.lineno}, column {error.offset}" if error.lineno else ""
            told = _PLACE.sub("", error.msg)
            mend = "save the file as UTF-8" if "UTF-8" in told else "mend that line"
            report.errors.append(Problem(str(file), place, f"is not Turtle: {told}; {mend}"))
            continue
        except ValueError as error:
            report.errors.append(Problem(str(file), "", f"is not Turtle: {error}"))
            continue
        report.files.append(str(file))
        name = f"urn:rulewright:file:{len(found)}"
        found[name] = str(file)
        dataset.add_graph(name, triples)
    return found


def _documents(paths: Sequence[Path], dataset: Dataset, report: Report) -> dict[str, str]:
    """Ingests documents in memory."""
    from rulewright.sources.bulk import Loaded
    from rulewright.sources.ingest import Ingested, ingest

    found: dict[str, str] = {}
    for item in ingest(paths, dataset, keep=False) if paths else ():
        if isinstance(item, Ingested):
            found[item.graph] = item.source
        elif isinstance(item, Loaded):
            told = f"is a bulk file ({item.kind}), and no document: give documents of rulings (*.txt), or data (*.ttl)"
            report.errors.append(Problem(item.source, "", told))
        else:
            report.errors.append(Problem(item.source, item.place, item.problem))
    return found


class _Run:
    """One validation: `wanted` are the graphs whose nodes are validated, and the files that they came from."""

    def __init__(self, dataset: Dataset, wanted: dict[str, str], report: Report) -> None:
        self.dataset, self.wanted, self.report = dataset, wanted, report
        self.shapes = rdflib.Graph()
        for file in turtle_files("ontology", "shapes"):
            if file.name != _RECORDS:
                _fill(self.shapes, ox.parse(path=str(file), format=ox.RdfFormat.TURTLE))
        self.data = _Graph()
        self.file_of: dict[Node, str] = {}
        """Node -> the file that describes it, for the nodes that are validated."""
        self.targets: set[Node] = set()
        self.statements: dict[str, tuple[Document, Statement]] = {}
        self.sources: dict[str, Document] = {}

    def run(self) -> None:
        referred: dict[Node, str] = {}
        """What a file refers to -> that file."""
        for graph, file in self.wanted.items():
            triples = list(self.dataset.triples(graph))
            _fill(self.data, triples)
            for triple in triples:
                self.file_of.setdefault(_node(triple.subject), file)
                if isinstance(triple.object, ox.NamedNode):
                    referred.setdefault(_node(triple.object), file)
        of_texts_only = all(graph.startswith(SOURCE) for graph in self.wanted)
        for graph in self.dataset.graphs():
            if of_texts_only and not graph.startswith(_BESIDE_TEXTS):
                continue
            if graph not in self.wanted:
                described = self.file_of.keys() if graph.startswith(GRAPH) else ()
                _fill(self.data, (t for t in self.dataset.triples(graph) if _node(t.subject) not in described))
        for named, file in referred.items():
            if named not in self.file_of and (named, None, None) not in self.data:
                self.file_of[named] = file  # what a file refers to and nobody describes is the file's own fault
        self._texts()
        self._aim()
        found = [f for result in self._results() if (f := self._finding(result)) is not None]
        self.report.findings += _together(found)
        for file in self.report.files:
            if not any(self.file_of[n] == file for n in self.targets):
                told = "describes nothing that is validated here (rules, rulings, keywords, axioms, cards, terms)"
                self.report.errors.append(Problem(file, "", f"{told}; game records are for: rulewright check"))

    # --- texts

    def _texts(self) -> None:
        """Marks the words of the documents among what is validated."""
        documents = list(_read(self.dataset, self.wanted))
        if not documents:
            return
        self.report.documents += documents
        for document in documents:
            self.sources[document.node] = document
            self.statements |= {s.node: (document, s) for s in document.statements}
        marks = marked(documents, Terms(self._said_of_terms()))
        _fill(self.data, marks)
        for mark in marks:
            context = str(_node(mark.subject)).partition("#")[0]
            if context in self.sources or context in self.statements:
                document = self.sources.get(context) or self.statements[context][0]
                self.file_of.setdefault(_node(mark.subject), document.file)

    def _said_of_terms(self) -> Iterator[ox.Triple]:
        """What names things: the package's graphs of names, and files of data that are validated."""
        for graph in self.dataset.graphs():
            if graph in self.wanted and not graph.startswith(SOURCE):
                yield from self.dataset.triples(graph)
            elif graph.startswith(_NAMES):
                yield from (t for t in self.dataset.triples(graph) if _node(t.subject) not in self.file_of)

    # --- SHACL

    def _aim(self) -> None:
        """Aims each shape at those of its targets that are validated (SHACL §2.1.3), and counts them.

        pyshacl can be told the nodes to validate, but then nested shapes let any other node pass.
        """
        counts: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
        for shape in sorted(self.shapes.subjects(rdflib.RDF.type, _SH.NodeShape), key=str):
            aims: set[Node] = set()
            of_class = self.shapes.value(shape, _SH.targetClass) is not None
            for predicate in (_SH.targetClass, _SH.targetSubjectsOf, _SH.targetObjectsOf):
                for kind in list(self.shapes.objects(shape, predicate)):
                    targets = self.file_of.keys() & self._targets(predicate, kind)
                    aims |= targets
                    self.shapes.remove((shape, predicate, kind))
                    if predicate == _SH.targetClass:
                        counts[str(kind), self._label(shape, kind)] = len(targets)
            for node in aims:
                self.shapes.add((shape, _SH.targetNode, node))
            if str(shape).startswith(_TEXTS):
                continue
            self.targets |= aims
            if not of_class:
                counts[str(shape), self._label(shape, shape)] = len(aims)
        # A shape of parts of nodes has no label, and its nodes are not counted.
        found = [Checked(kind, dict(label), n) for (kind, label), n in counts.items() if n and label]
        self.report.checked += sorted(found, key=lambda c: (-c.nodes, c.kind))

    def _targets(self, predicate: Node, kind: Node) -> set[Node]:
        if predicate == _SH.targetClass:
            classes = set(self.data.transitive_subjects(rdflib.RDFS.subClassOf, kind))
            return {n for c in classes for n in self.data.subjects(rdflib.RDF.type, c)}
        return set(self.data.subjects(kind) if predicate == _SH.targetSubjectsOf else self.data.objects(None, kind))

    def _results(self) -> Iterator[Node]:
        import pyshacl

        _, report, text = pyshacl.validate(self.data, shacl_graph=self.shapes, inplace=True)
        if not isinstance(report, rdflib.Graph):
            raise ValueError(f"pyshacl cannot validate: {text}")
        self.results = report
        for whole in report.subjects(rdflib.RDF.type, _SH.ValidationReport):
            for result in report.objects(whole, _SH.result):
                if report.value(result, _SH.focusNode) in self.file_of:
                    yield result

    def _label(self, shape: Node, kind: Node) -> tuple[tuple[str, str], ...]:
        said = [*self.shapes.objects(shape, rdflib.RDFS.label), *self.data.objects(kind, rdflib.RDFS.label)]
        label = {lang: str(w) for lang in LANGUAGES for w in reversed(said) if _language(w) == lang}
        return tuple(label.items())

    # --- findings

    def _finding(self, result: Node) -> Finding | None:
        focus = self.results.value(result, _SH.focusNode)
        shape = self.results.value(result, _SH.sourceShape)
        value = self.results.value(result, _SH.value)
        if focus is None or shape is None:
            return None
        named = self._named(shape)
        severity = str(self.results.value(result, _SH.resultSeverity)).rpartition("#")[2].lower()
        finding = Finding(
            kind=_local(named),
            shape=str(named),
            severity=next((s for s in SEVERITIES if s == severity), "violation"),
            file=self.file_of[focus],
            node=str(focus),
            message=self._message(result),
            path=_path(self.results, self.results.value(result, _SH.resultPath)),
            value=None if value is None or value == focus else _value(value),
        )
        self._place(finding, focus)
        self._keep(result, finding, focus, named)
        words = finding.words[0].text if finding.words else ""
        known = {"value": finding.value or "", "words": words}
        for mend in self.shapes.objects(named, _SPACE.mend):
            finding.mend[_language(mend)] = _VARIABLE.sub(lambda m: known.get(m[1], m[0]), str(mend))
        return finding

    def _keep(self, result: Node, finding: Finding, focus: Node, named: Node) -> None:
        """The result in the SHACL report; the constraint, a blank node of the shapes, is not kept."""
        for predicate, value in self.results.predicate_objects(result):
            if predicate not in (_SH.sourceConstraint, _SH.sourceShape, _SH.resultMessage, _SH.detail):
                self.report.shacl.add((result, predicate, value))
                self._keep_path(value if predicate == _SH.resultPath else None)
        self.report.shacl.add((result, _SH.sourceShape, named))
        for language, message in finding.message.items():
            self.report.shacl.add((result, _SH.resultMessage, rdflib.Literal(message, lang=language)))
        for triple in self.data.triples((focus, None, None)):
            if str(triple[1]).startswith(NIF):
                self.report.shacl.add(triple)

    def _keep_path(self, path: Node | None) -> None:
        if isinstance(path, rdflib.BNode):
            for triple in self.results.triples((path, None, None)):
                self.report.shacl.add(triple)
                self._keep_path(triple[2])

    def _place(self, finding: Finding, focus: Node) -> None:
        context = str(focus).partition("#")[0]
        if context not in self.statements and context not in self.sources:
            return
        if context in self.statements:
            _, statement = self.statements[context]
            finding.statement, finding.line, finding.id = statement.number, statement.line, statement.id
            if context == str(focus):
                first = statement.text.split()
                finding.words.append(Words(" ".join(first[:_SHOWN]) + (" …" if len(first) > _SHOWN else "")))
        if words := self.data.value(focus, rdflib.URIRef(NIF + "anchorOf")):
            begin, end = (self.data.value(focus, rdflib.URIRef(NIF + p)) for p in ("beginIndex", "endIndex"))
            place = (int(str(begin)), int(str(end))) if begin is not None and end is not None else (None, None)
            finding.words.append(Words(str(words), *place))

    def _named(self, shape: Node) -> Node:
        """The shape, or where it has no name the one around it."""
        seen: set[Node] = set()
        while isinstance(shape, rdflib.BNode) and shape not in seen:
            seen.add(shape)
            shape = next(self.shapes.subjects(None, shape), shape)
        return shape

    def _message(self, result: Node) -> dict[str, str]:
        """Messages by language. pyshacl drops the language of a message that it fills values in: its pattern tells."""
        found: dict[str, str] = {}
        constraint = self.results.value(result, _SH.sourceConstraint)
        templates = self.shapes.objects(constraint, _SH.message) if constraint else ()
        patterns = [(_language(m), _pattern(str(m))) for m in templates]
        for message in self.results.objects(result, _SH.resultMessage):
            language = _language(message) or next((lang for lang, p in patterns if p.fullmatch(str(message))), "en")
            found[language] = str(message)
        return {lang: found.get(lang) or next(iter(found.values()), "") for lang in LANGUAGES}


class _Graph(rdflib.Graph):
    """Keeps parsed queries: pyshacl asks the same one for every node, and parsing takes longer than the answer."""

    def __init__(self) -> None:
        super().__init__()
        self._parsed: dict[str, Any] = {}

    def query(self, query_object: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(query_object, str):
            if query_object not in self._parsed:
                self._parsed[query_object] = prepareQuery(query_object, initNs=options.get("initNs") or {})
            query_object = self._parsed[query_object]
        return super().query(query_object, *arguments, **options)


def _read(dataset: Dataset, wanted: dict[str, str]) -> Iterator[Document]:
    """The documents whose graphs are among those wanted."""
    rows = dataset.rows("""
        SELECT ?graph ?place ?node ?number ?wording ?line ?heading ?quoted ?issued ?statement WHERE {
            GRAPH ?graph {
                ?graph rw:place ?place .
                ?node rw:inSource ?graph ; rw:publishes ?text ; rw:sequence ?number .
                ?text rw:wording ?wording .
                OPTIONAL { ?node rw:line ?line }
                OPTIONAL { ?node rw:heading ?heading }
                OPTIONAL { ?node rw:number ?quoted }
                OPTIONAL { ?node dcterms:issued ?issued }
                OPTIONAL { ?text rw:expresses ?statement }
            }
        } ORDER BY ?place ?graph ?number ?statement""")
    found: dict[str, Document] = {}
    for row in rows:
        graph = row["graph"].value
        if graph not in wanted:
            continue
        file = wanted[graph] if wanted[graph] != graph else row["place"].value
        document = found.setdefault(graph, Document(graph, file))
        if document.statements and document.statements[-1].node == row["node"].value:
            continue  # a text that expresses more than one statement
        document.statements.append(Statement(
            node=row["node"].value,
            number=int(row["number"].value),
            text=row["wording"].value,
            id=row["statement"].value.removeprefix(RULING) if row["statement"] else None,
            day=int(row["issued"].value.replace("-", "")) if row["issued"] else None,
            quoted=row["quoted"].value if row["quoted"] else None,
            heading=row["heading"].value if row["heading"] else "",
            line=int(row["line"].value) if row["line"] else None,
        ))  # fmt: skip
    yield from found.values()


def _together(findings: Sequence[Finding]) -> list[Finding]:
    """In order of file and place; what is the same of several words of a statement, or of one node, is one finding."""
    found: dict[tuple[object, ...], Finding] = {}
    valued = {_about(f) for f in findings if f.value is not None}
    for one in sorted(findings, key=_order):
        in_text = bool(one.words) and one.words[0].start is not None
        if not in_text and one.value is None and _about(one) in valued:
            continue  # the same shape says it of the value
        key = (one.statement, *_about(one)[1:], one.value) if in_text else (*_about(one), one.value)
        if in_text and (one.file, *key) in found:
            found[one.file, *key].words += one.words
        else:
            found.setdefault((one.file, *key), one)
    return list(found.values())


def _about(finding: Finding) -> tuple[object, ...]:
    return finding.node, finding.shape, finding.path, tuple(finding.message.items())


def _order(finding: Finding) -> tuple[object, ...]:
    start = finding.words[0].start if finding.words else None
    return (finding.file, finding.statement or 0, -1 if start is None else start, finding.node, finding.shape,
            finding.path or "", finding.value or "")  # fmt: skip


# --- terms and words


def _fill(graph: rdflib.Graph, triples: Iterable[ox.Triple]) -> None:
    for t in triples:
        graph.add((_node(t.subject), rdflib.URIRef(t.predicate.value), _node(t.object)))


def _node(term: object) -> Node:
    if isinstance(term, ox.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return rdflib.BNode(term.value)
    if isinstance(term, ox.Literal):
        if term.language:
            return rdflib.Literal(term.value, lang=term.language)
        datatype = rdflib.URIRef(term.datatype.value)
        # to rdflib, a string with its datatype is another literal than one without
        return rdflib.Literal(term.value, datatype=None if datatype == rdflib.XSD.string else datatype, normalize=False)
    raise TypeError(f"no term of RDF 1.1: {term}")


def _language(term: object) -> str:
    return (term.language or "") if isinstance(term, rdflib.Literal) else ""


def _pattern(message: str) -> re.Pattern[str]:
    parts = _VARIABLE.split(message)[::2]
    return re.compile(".*".join(re.escape(p) for p in parts), re.DOTALL)


def _local(term: Node) -> str:
    return str(term).rpartition("#")[2] if isinstance(term, rdflib.URIRef) else "shape"


def short(term: Node | str) -> str:
    """An IRI with its prefix, where it has one of ours."""
    iri = str(term)
    for prefix, space in PREFIXES.items():
        if iri.startswith(space) and len(iri) > len(space):
            return f"{prefix}:{iri.removeprefix(space)}"
    return iri


def _value(term: Node) -> str:
    return short(term) if isinstance(term, rdflib.URIRef) else str(term)


def _path(graph: rdflib.Graph, path: Node | None) -> str | None:
    """A SHACL property path as SPARQL writes it."""
    if path is None or isinstance(path, rdflib.URIRef):
        return None if path is None else short(path)
    if inverse := graph.value(path, _SH.inversePath):
        return f"^{_path(graph, inverse)}"
    if alternatives := graph.value(path, _SH.alternativePath):
        return "(" + "|".join(_path(graph, p) or "" for p in Collection(graph, alternatives)) + ")"
    return "/".join(_path(graph, p) or "" for p in Collection(graph, path)) or None
