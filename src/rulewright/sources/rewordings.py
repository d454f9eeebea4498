"""Rewordings: rulings on a card that went between two days and came again in nearly the same words.

Of the rulings on a card of both days, those that went and those that came are compared, and paired one to one, the most
alike first. How alike two wordings are is the share of their characters in common order (Indel similarity, rapidfuzz),
after both are normalised and in lower case. `docs/corpus.md` says how the threshold was chosen.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from ..store import Dataset
from ..terms import normalise
from ..vocabulary import BASE
from .rows import rows
from .triples import DERIVED, A, decimal, literal, node, rw

THRESHOLD: Final = 0.6
METHOD: Final = "rapidfuzz.fuzz.ratio"
GRAPHS: Final = f"{BASE}graph/inferred/rewordings/"


@dataclass(frozen=True)
class Reworded:
    """What the comparison of two days found, in numbers."""

    since: dt.date
    until: dt.date
    kept: int
    """Rulings of both days."""
    new: int
    """Rulings of the second day alone, on cards that have some on both."""
    withdrawn: int
    """Rulings of the first day alone, on cards that have some on both."""
    reworded: int
    """Pairs of a new and a withdrawn one."""

    @property
    def graph(self) -> str:
        return f"{GRAPHS}{self.since}-{self.until}"

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.since.isoformat(), "to": self.until.isoformat(), "graph": self.graph, "kept": self.kept,
            "new": self.new, "withdrawn": self.withdrawn, "reworded": self.reworded,
        }  # fmt: skip


@dataclass
class _Publication:
    card: str
    text: str
    sources: set[str]


def reword(dataset: Dataset, day: dt.date) -> list[Reworded]:
    """Infers the rewordings between a day and the nearest days before and after it of which there are rulings."""
    days = sorted(
        dt.date.fromisoformat(row["day"].value)
        for row in rows(dataset, "SELECT DISTINCT ?day WHERE { ?source a rw:Source ; rw:asOf ?day . "
                         "FILTER EXISTS { ?any rw:seen ?day } }")
    )  # fmt: skip
    before = max((d for d in days if d < day), default=None)
    after = min((d for d in days if d > day), default=None)
    found = [_between(dataset, before, day)] if before else []
    return found + ([_between(dataset, day, after)] if after else [])


def _between(dataset: Dataset, since: dt.date, until: dt.date) -> Reworded:
    old, new = _published(dataset, since), _published(dataset, until)
    shared = {p.card for p in old.values()} & {p.card for p in new.values()}
    went = {k: p for k, p in old.items() if k not in new and p.card in shared}
    came = {k: p for k, p in new.items() if k not in old and p.card in shared}
    wordings = _wordings(dataset, since, {p.text for p in went.values()})
    wordings |= _wordings(dataset, until, {p.text for p in came.values()})
    pairs = list(_pairs(went, came, wordings))
    found = Reworded(since, until, len(old.keys() & new.keys()), len(came), len(went), len(pairs))
    dataset.fill(found.graph, (f"{line}\n" for line in _lines(pairs, went, came)), replace=True)
    return found


def _published(dataset: Dataset, day: dt.date) -> dict[str, _Publication]:
    found: dict[str, _Publication] = {}
    for row in rows(dataset, f"""SELECT ?publication ?card ?text ?source WHERE {{
        ?source rw:asOf "{day}"^^xsd:date . ?publication rw:inSource ?source ; rw:onCard ?card ; rw:publishes ?text .
    }}"""):
        key = row["publication"].value
        if key in found:
            found[key].sources.add(row["source"].value)
        else:
            found[key] = _Publication(row["card"].value, row["text"].value, {row["source"].value})
    return found


def _wordings(dataset: Dataset, day: dt.date, texts: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in rows(dataset, f"""SELECT DISTINCT ?text ?wording WHERE {{
        ?source rw:asOf "{day}"^^xsd:date . ?publication rw:inSource ?source ; rw:publishes ?text .
        ?text rw:wording ?wording .
    }}"""):
        if (text := row["text"].value) in texts:
            found[text] = row["wording"].value
    return found


def _pairs(
    went: dict[str, _Publication], came: dict[str, _Publication], wordings: dict[str, str]
) -> Iterator[tuple[float, str, str]]:
    """How alike, the one that went, the one that came."""
    sides: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, publications in enumerate((went, came)):
        for key, publication in publications.items():
            sides[publication.card][side].append(key)
    text = {
        key: normalise(wordings.get(p.text, "")).casefold() for found in (went, came) for key, p in found.items()
    }
    for left, right in sides.values():
        yield from best(left, right, text)


def best(left: Iterable[str], right: Sequence[str], text: dict[str, str]) -> Iterator[tuple[float, str, str]]:
    """Pairs one to one of the most alike, each over the threshold, by the keys of their texts."""
    from rapidfuzz.fuzz import ratio

    offers = [
        (score / 100, a, b)
        for a in left
        for b in right
        if (score := ratio(text[a], text[b], score_cutoff=THRESHOLD * 100))
    ]
    taken: set[str] = set()
    for score, a, b in sorted(offers, key=lambda o: (-o[0], o[1], o[2])):
        if a not in taken and b not in taken:
            taken |= {a, b}
            yield score, a, b


def _lines(
    pairs: Iterable[tuple[float, str, str]], went: dict[str, _Publication], came: dict[str, _Publication]
) -> Iterator[str]:
    method, used = literal(METHOD), literal(version("rapidfuzz"))
    for score, a, b in pairs:
        it = node(f"rewording/{a.rsplit('/', 1)[-1][:16]}-{b.rsplit('/', 1)[-1]}")
        yield f"{it} {A} {rw('Rewording')} ."
        yield f"{it} {rw('from')} <{a}> ."
        yield f"{it} {rw('to')} <{b}> ."
        yield f"{it} {rw('confidence')} {decimal(score)} ."
        yield f"{it} {rw('method')} {method} ."
        yield f"{it} {rw('methodVersion')} {used} ."
        for source in sorted(went[a].sources | came[b].sources):
            yield f"{it} {DERIVED} <{source}> ."
