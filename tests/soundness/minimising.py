"""A promise tried, and where it is broken the smallest record that still shows it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulewright.vocabulary import BASE
from soundness.judging import Judge, Plain, Verdicts
from soundness.mutators import Break, Change, Property, Site
from soundness.records import CARRIED, at, copied, drop, readable, spots

_NEEDED = frozenset({"id", "type", "events"})


@dataclass(frozen=True)
class Case:
    """A record, how it was changed, and the promises that this breaks."""

    property: Property
    stated: Plain
    sites: tuple[Site, ...]
    changed: Plain
    breaks: tuple[Break, ...]
    clean: bool
    """Whether nothing was accused before the change."""

    @property
    def size(self) -> int:
        return len(json.dumps(self.stated))

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(sorted({site.kind for site in self.sites}))

    def by_axiom(self) -> Iterator[Case]:
        """One for each axiom whose verdicts changed."""
        for axiom in sorted({b.axiom for b in self.breaks}):
            yield replace(self, breaks=tuple(b for b in self.breaks if b.axiom == axiom))

    @property
    def group(self) -> str:
        """Of a case of one axiom: what kind of counterexample it is."""
        return f"{self.property.name} | {', '.join(self.kinds)} | {self.breaks[0].axiom.removeprefix(BASE)}"


def tried(
    prop: Property, stated: Plain, sites: tuple[Site, ...], judge: Judge, before: Verdicts | None = None
) -> Case | None:
    """What comes of a change; None where it makes no record that can be read."""
    if before is None:
        before = judge.of(stated)
    changed = None if before is None else prop.changed(stated, sites, judge)
    after = None if changed is None else judge.of(changed)
    if before is None or changed is None or after is None:
        return None
    breaks = tuple(prop.breaks(before, after, Change(stated, sites, judge)))
    return Case(prop, stated, sites, changed, breaks, "violates" not in before.values())


def fewest_sites(case: Case, judge: Judge) -> Case:
    """The same axiom's break by as few of the changes as do it."""
    axiom = case.breaks[0].axiom
    for site in case.sites:
        fewer = tuple(other for other in case.sites if other is not site)
        found = tried(case.property, case.stated, fewer, judge) if fewer else None
        if found is not None:
            mine = [c for c in found.by_axiom() if c.breaks[0].axiom == axiom]
            if mine:
                return fewest_sites(mine[0], judge)
    return case


def smallest(case: Case, judge: Judge, seconds: float) -> Case:
    """The same kind of change with the same axiom, in a record from which nothing more can be taken in that time."""
    end = time.process_time() + seconds
    smaller = True
    while smaller:
        smaller = False
        for less in _smaller(case.stated, judge):
            if time.process_time() > end:
                return case
            found = _again(case, less, judge)
            if found is not None and found.size < case.size:
                case, smaller = found, True
                break
    return case


def _again(case: Case, stated: Plain, judge: Judge) -> Case | None:
    before = judge.of(stated)
    if before is None or (case.clean and "violates" in before.values()):
        return None
    sites = [site for site in case.property.sites(stated, judge) if site.kind in case.kinds]
    for chosen in [(site,) for site in sites] if len(case.sites) == 1 else [tuple(sites)] * bool(sites):
        found = tried(case.property, stated, chosen, judge, before)
        for one in found.by_axiom() if found is not None else ():
            if one.breaks[0].axiom == case.breaks[0].axiom:
                return one
    return None


def _smaller(stated: Plain, judge: Judge) -> Iterator[Plain]:
    for key in ("events", "cards", "players", "effects"):
        for number in reversed(range(len(stated.get(key, ())))):
            less = copied(stated)
            del less[key][number]
            yield from _readable(less, judge)
    for spot in list(spots(stated)):
        if spot.property.key in {*_NEEDED, *CARRIED}:
            continue
        less = copied(stated)
        drop(less, spot.path)
        yield from _readable(less, judge)
        for number in range(len(spot.value)) if isinstance(spot.value, list) else ():
            less = copied(stated)
            del at(less, spot.path)[number]
            yield from _readable(less, judge)


def _readable(stated: Plain, judge: Judge) -> Iterator[Plain]:
    found = readable(stated, judge, _NEEDED)
    if found is not None:
        yield found
