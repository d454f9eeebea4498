"""Named graphs on a server (SPARQL 1.1).

Only graphs that the journal or PACKAGED names are this dataset's: a server may hold others. No server promises that an
update of several operations, or an upload in parts, is done whole or not at all: so a graph counts from the one
statement that says so, and what replaces another is made beside it first.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from rulewright.store import answers
from rulewright.store.dataset import (
    COMMITTED,
    DIGEST,
    GRAPH,
    JOURNAL,
    PACKAGED,
    PREFIXES,
    SOURCE,
    STARTED,
    Counted,
    Dataset,
    Results,
    Term,
    data_block,
    mark,
    quads_of,
    removing,
    unmarking,
)
from rulewright.store.endpoint import UPDATED, Endpoint, cut_short
from rulewright.store.protocol import Row, StoreError
from rulewright.store.sparql import has_from, serialised, whole, without_escapes

STAGING: Final = GRAPH + "staging/"
POSTED: Final = 20_000
"""Triples an upload by the Graph Store Protocol."""
FORGOTTEN: Final = dt.timedelta(hours=1)
"""After so long, nobody is writing any more what was started."""


@dataclass
class _State:
    """What the server says of our graphs."""

    started: dict[str, str] = field(default_factory=dict)
    """Graph -> since when."""
    committed: set[str] = field(default_factory=set)
    packaged: dict[str, str] = field(default_factory=dict)
    """Graph -> digest of its file."""

    @property
    def graphs(self) -> list[str]:
        ours = (self.committed | self.packaged.keys()) - self.started.keys()
        own = [JOURNAL] * bool(self.committed or self.started) + [PACKAGED] * bool(self.packaged)
        return sorted({*ours, *own})


class Server(Dataset):
    """See `Dataset.connect`. A graph is added to, or replaced, in several steps that end with one update."""

    def __init__(self, endpoint: Endpoint, read_only: bool = False) -> None:
        self._endpoint: Endpoint | None = endpoint
        self.name, self.read_only = endpoint.query_address, read_only
        self._union: bool | None = None
        self._swept = False
        self._by_graph_store: bool | None = None

    def close(self) -> None:
        self._endpoint = None

    @property
    def _server(self) -> Endpoint:
        if self._endpoint is None:
            raise StoreError(self.name, "is closed", "open it again")
        return self._endpoint

    # --- what is there

    def _state(self) -> _State:
        state = _State()
        parts = " UNION ".join(
            f"{{ GRAPH <{graph}> {{ ?graph ?property ?value }} FILTER (?property = {p}) }}"
            for graph, p in ((JOURNAL, STARTED), (JOURNAL, COMMITTED), (PACKAGED, DIGEST))
        )
        for row in self._select(f"SELECT ?graph ?property ?value WHERE {{ {parts} }}"):
            graph, value = row["graph"].value, row["value"].value
            if row["property"] == STARTED:
                state.started[graph] = value
            elif row["property"] == COMMITTED:
                state.committed.add(graph)
            else:
                state.packaged[graph] = value
        return state

    def _select(self, text: str) -> Iterable[Row]:
        return answers.rows(self._server.query(text, "SELECT"), self.name)

    def graphs(self) -> list[str]:
        return self._state().graphs

    def __contains__(self, graph: object) -> bool:
        return isinstance(graph, str) and graph in self._state().graphs

    def triples(self, graph: str) -> Iterator[ox.Triple]:
        if graph not in self:
            return iter(())
        return self._content(graph)

    def _content(self, graph: str) -> Iterator[ox.Triple]:
        node = ox.NamedNode(graph)
        if self._server.graph_store is not None:
            reply = self._server.graph(graph)
        else:
            reply = self._server.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH {node} {{ ?s ?p ?o }} }}", "CONSTRUCT")
        found = list(answers.triples(reply, self.name))
        # Virtuoso cuts a graph off at ResultSetMaxRows and says nothing of it.
        counted = self._select(f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {node} {{ ?s ?p ?o }} }}")
        if len(found) < int(next(iter(counted))["n"].value):
            raise cut_short(self.name)
        return iter(found)

    def quads(self) -> Iterator[ox.Quad]:
        for graph in self.graphs():
            node = ox.NamedNode(graph)
            for triple in self._content(graph):
                yield ox.Quad(triple.subject, triple.predicate, triple.object, node)

    def __len__(self) -> int:
        counts = " UNION ".join(f"{{ GRAPH <{g}> {{ ?s ?p ?o }} }}" for g in self.graphs())
        return next(int(r["n"].value) for r in self._select(f"SELECT (COUNT(*) AS ?n) WHERE {{ {counts or '{}'} }}"))

    def query(
        self, sparql: str, substitutions: Mapping[str, Term] | None = None, graphs: Iterable[str] = (), *,
        default_graphs: Sequence[str] = (), named_graphs: Sequence[str] = (),
    ) -> Results:  # fmt: skip
        # What is no query is told as of any other dataset, and without asking.
        try:
            ox.Store().query(
                sparql, prefixes=dict(PREFIXES),
                substitutions={ox.Variable(n): t for n, t in (substitutions or {}).items()},
            )  # fmt: skip
        except RuntimeError as error:
            raise ValueError(str(error)) from None
        text, form = whole(sparql, PREFIXES)
        if substitutions:
            names, terms = " ".join(f"?{n}" for n in substitutions), " ".join(map(serialised, substitutions.values()))
            text += f"\nVALUES ({names}) {{ ({terms}) }}"
        asked = [(f"{kind}-graph-uri", graph) for kind, names in (("default", default_graphs), ("named", named_graphs))
                 for graph in names]  # fmt: skip
        reply = self._server.query(text, form, asked or ([] if has_from(sparql) else self._dataset(set(graphs))))
        if form in ("SELECT", "ASK"):
            return answers.solutions(reply, self.name)
        return answers.triples(reply, self.name)

    def _dataset(self, parts: set[str]) -> list[tuple[str, str]]:
        """The graphs that a query asks (SPARQL 1.1 Protocol §2.1.4), unless the server's union of all will do."""
        state = self._state()
        if not state.started and self._is_union(state):
            return []
        asked = [g for g in state.graphs if not parts or _part(g) in parts] or [JOURNAL]
        return [(f"{kind}-graph-uri", graph) for kind in ("default", "named") for graph in asked]

    def _is_union(self, state: _State) -> bool:
        if self._union is None:
            known = next(iter(state.packaged), None)
            pattern = f"<{known}> {DIGEST} ?value" if known else None
            if pattern is None and state.committed:
                pattern = f"<{next(iter(state.committed))}> {COMMITTED} ?value"
            if pattern is None:
                return False
            reply = self._server.query(f"ASK {{ {pattern} }}", "ASK")
            self._union = bool(answers.solutions(reply, self.name))
        return self._union

    # --- writing

    def add_graph(self, name: str, quads_or_triples: Iterable[ox.Quad | ox.Triple]) -> None:
        self.fill(name, _lines(quads_or_triples))

    def replace_graph(self, name: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        self.fill(name, _lines(triples), replace=True)

    def keep(self, name: str, digest: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        node = ox.Quad(ox.NamedNode(name), DIGEST, ox.Literal(digest), ox.NamedNode(PACKAGED))
        self._write(name, _lines(triples), True, data_block([node]))

    def fill(self, graph: str, lines: Iterable[str], replace: bool = False) -> int:
        return self._write(graph, lines, replace, data_block([mark(graph, COMMITTED)]))

    def load(self, file: Path) -> None:
        """All or nothing of each graph. The triples of no graph are refused: no server has them in our dataset."""
        by_graph: dict[str, list[ox.Quad]] = {}
        for quad in quads_of(file):
            if not isinstance(quad.graph_name, ox.NamedNode):
                raise StoreError(str(file), "has triples in no named graph", "give a file of TriG or N-Quads")
            by_graph.setdefault(quad.graph_name.value, []).append(quad)
        for graph, quads in by_graph.items():
            self.add_graph(graph, quads)

    def settle(self) -> None:
        pass

    def drop(self, graph: str) -> None:
        self._update(data_block([mark(graph, STARTED)]))  # at once nobody sees it any more
        self._remove(graph)

    def _remove(self, graph: str) -> None:
        self._update(removing(graph))

    def _write(self, graph: str, lines: Iterable[str], replace: bool, commit: str) -> int:
        """`commit`: the update that says that the graph is there."""
        if self.read_only:
            raise StoreError(self.name, "is open for reading only", "open it for writing")
        state = self._state()
        there = graph in state.graphs
        for left, since in state.started.items():
            if left == graph or (not self._swept and _forgotten(since)):
                self._remove(left)
        self._swept = True
        target = f"{STAGING}{uuid.uuid4()}" if there else graph
        self._update(data_block([mark(target, STARTED)]))
        counted = Counted(lines)
        try:
            self._pour(target, counted)
            steps = [unmarking(target), commit]
            if there:
                if not replace:
                    steps = [unmarking(target)]  # what is said of the graph already, holds
                moved = f"ADD SILENT <{target}> TO {ox.NamedNode(graph)} ;\nDROP SILENT GRAPH <{target}>"
                steps = [*([removing(graph)] if replace else []), moved, *steps]
            self._update(" ;\n".join(steps))
        except BaseException:
            with suppress(StoreError):  # what stopped the writing may stop this too: a later writer removes it
                self._remove(target)
            raise
        return counted.number

    def _update(self, text: str) -> None:
        """All of these set something to what it is then, so twice does no harm."""
        if self.read_only:
            raise StoreError(self.name, "is open for reading only", "open it for writing")
        self._server.update(text, again=True)

    def _pour(self, graph: str, lines: Iterator[str]) -> None:
        blank: list[str] = []

        def named() -> Iterator[str]:
            for line in lines:
                if line.startswith("_:") or " _:" in line:
                    blank.append(line)
                else:
                    yield line

        send, size = self._sender(graph)
        source = named()
        while batch := list(islice(source, size)):
            send(_checked(batch))
        # A blank node is another one in each request.
        for batch in _together(blank, size):
            send(_checked(batch))

    def _sender(self, graph: str) -> tuple[Callable[[str], None], int]:
        """What adds lines to a graph, and how many at once: the Graph Store Protocol where there is one."""
        server = self._server
        if self._by_graph_store is None:
            self._by_graph_store = server.graph_store is not None or self._found(graph)
        if self._by_graph_store:
            return (lambda text: server.post(graph, text.encode())), POSTED

        def insert(text: str) -> None:
            blank = "_:" in text  # Virtuoso refuses blank nodes in INSERT DATA
            content = f"{{ GRAPH {ox.NamedNode(graph)} {{\n{without_escapes(text)}}} }}"
            server.update(f"INSERT {content} WHERE {{}}" if blank else f"INSERT DATA {content}", again=not blank)

        return insert, UPDATED

    def _found(self, graph: str) -> bool:
        """Whether one of the usual addresses gives the journal, in which the start of this graph stands by now."""
        for address in self._server.usual_graph_stores():
            self._server.graph_store = address
            try:
                if any(t.subject == ox.NamedNode(graph) and t.predicate == STARTED for t in self._content(JOURNAL)):
                    return True
            except StoreError:
                pass
        self._server.graph_store = None
        return False


def _part(graph: str) -> str:
    """`cards`, `rulings`, `ontology` …; `source` of what was ingested."""
    return "source" if graph.startswith(SOURCE) else graph.removeprefix(GRAPH).partition("/")[0]


def _forgotten(since: str) -> bool:
    try:
        return dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(since) > FORGOTTEN
    except (ValueError, TypeError):
        return True


def _lines(items: Iterable[ox.Quad | ox.Triple]) -> Iterator[str]:
    return (f"{item.triple if isinstance(item, ox.Quad) else item} .\n" for item in items)


def _checked(lines: list[str]) -> str:
    """The lines as text. A server may take more than N-Triples, or stop in the middle: no line is sent that is none."""
    text = "".join(lines)
    for _ in ox.parse(text, format=ox.RdfFormat.N_TRIPLES):
        pass
    return text


def _together(lines: list[str], size: int) -> Iterator[list[str]]:
    """Batches of about `size` lines; those that share blank nodes, directly or through others, are in one."""
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    nodes = [[part for part in (line.split(" ", 1)[0], line.split(" ", 2)[-1].split(" ", 1)[0]) if part[:2] == "_:"]
             for line in lines]  # fmt: skip
    for found in nodes:
        for node in found:
            parent[root(node)] = root(found[0])
    groups: dict[str, list[str]] = {}
    for found, line in zip(nodes, lines, strict=True):
        groups.setdefault(root(found[0]) if found else "", []).append(line)
    batch: list[str] = []
    for group in groups.values():
        if batch and len(batch) + len(group) > size:
            yield batch
            batch = []
        batch += group
    if batch:
        yield batch
