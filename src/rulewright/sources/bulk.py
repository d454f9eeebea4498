"""Bulk files into the graph: each a named graph, filled as a stream, whole or not at all.

A reader for each format stands in a module of its own; `FORMATS` lists them. A file that is there already is left
alone. One thing can be better known later: the card that a dump without oracle ids names. Then its graph is made anew.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from ..store import Dataset
from ..terms import normalise
from ..vocabulary import BASE
from .comprehensive import Rules
from .errors import SourceError
from .german import German
from .mtgjson import Atomic, Set
from .packed import File, problems
from .provenance import graph_of, provenance
from .reading import Format, Reading
from .rewordings import Reworded, reword
from .rows import rows
from .scryfall import Cards, Rulings
from .triples import TRUE, rw

Json = dict[str, Any]
State = Literal["added", "already there", "updated", "found"]
"""`found`: in memory only, nothing is kept."""
FORMATS: Final[tuple[Format, ...]] = (Rulings(), Cards(), Set(), Atomic(), German(), Rules())
_DAY: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(-?)([01]\d)\2([0-3]\d)(?=\d{6}(?!\d)|(?!\d))")


@dataclass(frozen=True)
class Loaded:
    """A bulk file that was read: what it holds, and what became of it."""

    source: str
    kind: str
    digest: str
    state: State
    day: dt.date | None
    counts: Mapping[str, int]
    """How many of each thing; empty where the file was there already."""
    size: int
    """How many entries in all."""
    unknown: tuple[str, ...] = ()
    """Names of which no card, or more than one, was known."""
    cut: bool = False
    """Whether the file ends too early, and what was read of it is whole."""
    reworded: tuple[Reworded, ...] = ()

    @property
    def graph(self) -> str:
        return graph_of(self.digest)

    @property
    def matched(self) -> int:
        return self.counts.get("matched", 0)

    @property
    def languages(self) -> dict[str, int]:
        return {"en": self.counts["rulings"]} if self.counts.get("rulings") else {}

    def as_json(self) -> Json:
        return {
            "source": self.source,
            "kind": self.kind,
            "digest": self.digest,
            "graph": self.graph,
            "state": self.state,
            "asOf": self.day.isoformat() if self.day else None,
            "count": self.size,
            "counts": dict(self.counts),
            "unknownNames": list(self.unknown),
            "incomplete": self.cut,
            "rewordings": [r.as_json() for r in self.reworded],
        }


@dataclass
class Known:
    """What of the graph bulk files are held against, asked when it is needed."""

    dataset: Dataset
    curated: Collection[str] = frozenset()
    """Digests of texts that express a curated statement."""

    def cards(self) -> Names:
        return Names(self.dataset)

    @cached_property
    def _versions(self) -> dict[str, list[tuple[str, str, str]]]:
        """Concept -> (day from which it holds, number, digest of its wording), as the package says."""
        found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for row in rows(
            self.dataset,
            "SELECT ?rule ?since ?number ?digest WHERE { GRAPH graph:rules { ?version rw:versionOf ?rule ;"
            " rw:number ?number ; rw:digest ?digest ; rw:inEdition/rw:effective ?since } } ORDER BY ?since",
        ):
            found[row["rule"].value].append((row["since"].value, row["number"].value, row["digest"].value))
        return found

    def concepts(self, day: dt.date) -> dict[tuple[str, str], str]:
        """The rules known as concepts, by the number and the digest of the wording in force on a day."""
        found: dict[tuple[str, str], str] = {}
        for rule, versions in self._versions.items():
            for since, number, digest in reversed(versions):
                if since <= day.isoformat():
                    found[number, digest] = rule
                    break
        return found


@dataclass
class Names:
    """Names of cards and faces, as the graph has them now."""

    dataset: Dataset

    @cached_property
    def _cards(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        wholes: dict[str, set[str]] = defaultdict(set)
        faces: dict[str, set[str]] = defaultdict(set)
        for row in rows(
            self.dataset,
            "SELECT DISTINCT ?thing ?whole ?name WHERE { { ?thing a rw:Card } UNION { ?thing rw:faceOf ?whole }"
            ' ?thing skos:prefLabel ?name FILTER (LANG(?name) = "en") }',
        ):
            whole = (row["whole"] or row["thing"]).value.removeprefix(f"{BASE}card/")
            (faces if row["whole"] else wholes)[folded(row["name"].value)].add(whole)
        return wholes, faces

    def __call__(self, name: str) -> str | None:
        """The oracle id of the card of a name; None where there is none, or several."""
        key = folded(name)
        found = self._cards[0].get(key) or self._cards[1].get(key) or set()
        return next(iter(found)) if len(found) == 1 else None


def folded(name: str) -> str:
    """A name as it is compared: case, quotation marks, dashes, and the spaces around `//` do not count."""
    return "//".join(part.strip() for part in normalise(name).casefold().split("//"))


def recognised(file: File) -> Format | None:
    return next((f for f in FORMATS if f.recognise(file.head, file.name)), None)


def load(
    file: File, form: Format, dataset: Dataset, known: Known, given: dt.date | None = None, keep: bool = True
) -> Loaded:
    """Puts what a file says into its graph. `given`: its day, where neither it nor its name says one.

    Raises SourceError for a file that cannot be read whole: then nothing of it is stored.
    """
    graph = graph_of(file.sha256)
    cards = known.cards()
    there = graph in dataset
    if there and not _better_known(graph, dataset, cards):
        return _there(file, form, dataset, graph)
    reading = Reading(
        f"<{graph}>", file.name, day_of_name(file.name) or given, cards, known.concepts, known.curated
    )

    def lines() -> Iterator[str]:
        with problems(), file.open() as stream:
            yield from form.read(stream, reading)
        if not reading.size:
            raise SourceError("", f"nothing in it is what a file of this kind ({form.kind}) has: give another")
        for triple in provenance(
            file.sha256, form.kind, file.name, form.title, reading.size, dt.datetime.now(dt.UTC), reading.day
        ):
            yield f"{triple} ."
        if reading.cut:
            yield f'{reading.source} {rw("incomplete")} {TRUE} .'

    dataset.fill(graph, (f"{line}\n" for line in lines()), replace=there)
    reworded: list[Reworded] = []
    if reading.counts["rulings"] and reading.day is not None and _news(graph, dataset, reading.day):
        reworded = reword(dataset, reading.day)
    state: State = "updated" if there else "added" if keep else "found"
    return Loaded(
        file.source, form.kind, file.sha256, state, reading.day, dict(reading.counts), reading.size,
        tuple(sorted(reading.unknown)), reading.cut, tuple(reworded),
    )  # fmt: skip


def day_of_name(name: str) -> dt.date | None:
    """The day in a file's name: 2022-04-25, 20220425, or with a time behind it 20220425210031."""
    for match in _DAY.finditer(name):
        try:
            return dt.date(int(match[1]), int(match[3]), int(match[4]))
        except ValueError:
            continue
    return None


def _better_known(graph: str, dataset: Dataset, cards: Names) -> bool:
    """Whether a card is known now that was not when the file was read."""
    return any(
        cards(row["name"].value)
        for row in rows(
            dataset,
            f"SELECT DISTINCT ?name WHERE {{ GRAPH <{graph}> {{ ?p rw:heading ?name OPTIONAL {{ ?p rw:onCard ?card }}"
            " FILTER (!BOUND(?card)) } }",
        )
    )


def _news(graph: str, dataset: Dataset, day: dt.date) -> bool:
    """Whether a file has rulings that no other of its day has: a set's file beside a whole dump has none."""
    query = f"""SELECT ?publication WHERE {{
        GRAPH <{graph}> {{ ?publication rw:inSource <{graph}> }}
        FILTER NOT EXISTS {{
            GRAPH ?other {{ ?publication rw:seen "{day}"^^xsd:date }} FILTER (?other != <{graph}>)
        }}
    }} LIMIT 1"""
    return any(True for _ in rows(dataset, query))


def _there(file: File, form: Format, dataset: Dataset, graph: str) -> Loaded:
    day, size = None, 0
    for row in rows(
        dataset,
        f"SELECT ?size ?day WHERE {{ GRAPH <{graph}> {{ <{graph}> rw:statementCount ?size"
        f" OPTIONAL {{ <{graph}> rw:asOf ?day }} }} }}",
    ):
        size = int(row["size"].value)
        day = dt.date.fromisoformat(row["day"].value) if row["day"] else None
    return Loaded(file.source, form.kind, file.sha256, "already there", day, {}, size)
