"""The long run: every change at one site of every record, then changes by chance at several, of generated games too.

    make soundness EXAMPLES=200000

tells for each property how many changes were tried, and each kind of counterexample with its smallest record. The exit
code is 1 where there is any.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from soundness.corpus import logs, scenarios
from soundness.games import game
from soundness.judging import Judge, Plain
from soundness.minimising import Case, fewest_sites, smallest, tried
from soundness.mutators import PROPERTIES, Property
from soundness.records import prepared

_ROUND = 250
"""Examples by chance that are tried as one task."""


@dataclass
class Kind:
    """Counterexamples that are alike: how many, how many of them where nothing was accused before, the smallest."""

    count: int = 0
    clean: int = 0
    source: str = ""
    smallest: tuple[bool, int] = (True, sys.maxsize)
    chosen: tuple[Plain, tuple[int, ...]] | None = None
    """The record, and the sites at which it is changed, as positions among those of the property."""

    def take(self, other: Kind) -> None:
        self.count += other.count
        self.clean += other.clean
        if other.smallest < self.smallest:
            self.smallest, self.source, self.chosen = other.smallest, other.source, other.chosen


@dataclass
class Told:
    tried: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Kind] = field(default_factory=dict)

    def take(self, other: Told) -> None:
        self.tried += other.tried
        for group, kind in other.kinds.items():
            self.kinds.setdefault(group, Kind()).take(kind)

    def add(self, case: Case, source: str, judge: Judge) -> None:
        for one in case.by_axiom():
            found = fewest_sites(one, judge) if len(one.sites) > 1 else one
            order = (not found.clean, found.size)
            listed = list(found.property.sites(found.stated, judge))
            chosen = tuple(n for n, site in enumerate(listed) if any(_same(site, other) for other in found.sites))
            kind = Kind(1, int(found.clean), source, order, (found.stated, chosen))
            self.kinds.setdefault(found.group, Kind()).take(kind)


def _same(one: Any, other: Any) -> bool:
    return one.kind == other.kind and (callable(one.data) or repr(one.data) == repr(other.data))


@cache
def judge() -> Judge:
    return Judge()


@cache
def _property(name: str) -> Property:
    return next(prop for prop in PROPERTIES if prop.name == name)


@cache
def records(more: tuple[str, ...]) -> dict[str, Plain]:
    return scenarios() | logs(more)


def at_each_site(name: str, more: tuple[str, ...], properties: tuple[str, ...]) -> Told:
    told = Told()
    stated = records(more)[name]
    before = judge().of(stated)
    for prop in map(_property, properties):
        for site in prop.sites(stated, judge()):
            told.tried[prop.name] += 1
            case = tried(prop, stated, (site,), judge(), before)
            if case is not None and case.breaks:
                told.add(case, name, judge())
    return told


def by_chance(seed: int, more: tuple[str, ...], properties: tuple[str, ...]) -> Told:
    told = Told()
    dice = random.Random(seed)
    names = sorted(records(more))
    for _ in range(_ROUND // 5):
        generated = dice.random() < 0.4
        name = f"game of {seed}" if generated else dice.choice(names)
        stated = prepared(game(dice, judge())) if generated else records(more)[name]
        before = judge().of(stated)
        if before is None:
            continue
        for _ in range(5):
            prop = _property(dice.choice(properties))
            sites = list(prop.sites(stated, judge()))
            chosen = tuple(dice.sample(sites, min(len(sites), dice.randint(1, 5) if prop.several else 1)))
            told.tried[f"{prop.name}, by chance"] += 1
            case = tried(prop, stated, chosen, judge(), before) if chosen else None
            if case is not None and case.breaks:
                told.add(case, name, judge())
    return told


def shown(group: str, kind: Kind, seconds: float) -> tuple[str, Case | None]:
    """The smallest record of a kind; none where the kind comes of a change by chance that cannot be made again."""
    prop = _property(group.partition(" | ")[0])
    assert kind.chosen is not None
    stated, positions = kind.chosen
    listed = list(prop.sites(stated, judge()))
    case = tried(prop, stated, tuple(listed[n] for n in positions), judge())
    mine = [c for c in case.by_axiom() if c.group == group] if case is not None else []
    return group, smallest(mine[0], judge(), seconds) if mine else None


def difference(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """What a change made of a record, a line for each place."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            where = f"{place}.{key}" if place else key
            if key in old and key in new:
                yield from difference(old[key], new[key], where)
            else:
                yield f"{where} {'left out: ' + _text(old[key]) if key in old else 'added: ' + _text(new[key])}"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, pair in enumerate(zip(old, new, strict=True)):
            yield from difference(*pair, f"{place}[{number}]")
    else:
        yield f"{place}: {_text(old)} became {_text(new)}"


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:199] + "…"


def written(record: Plain) -> str:
    """A record a line for each event, card and player."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            inner = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
            lines.append(f'  "{key}": [\n{inner}\n  ]')
        else:
            lines.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m soundness.run", description=__doc__.partition("\n")[0])
    parser.add_argument("--examples", type=int, default=0, help="changes by chance, after those at each single site")
    parser.add_argument("--property", action="append", choices=[p.name for p in PROPERTIES], help="only it; may repeat")
    parser.add_argument("--log", action="append", default=[], help="a further log or file of records; may repeat")
    parser.add_argument("--only", default="", help="only records whose name contains this")
    parser.add_argument("--every", type=int, default=1, help="only each n-th record at each single site")
    parser.add_argument("--seed", type=int, default=0, help="of what is done by chance")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--seconds", type=float, default=5, help="for making each counterexample small")
    parser.add_argument("--write", type=Path, help="a folder for the smallest records of what is found")
    options = parser.parse_args(arguments)
    more, properties = tuple(options.log), tuple(options.property or [p.name for p in PROPERTIES])
    names = [name for name in records(more) if options.only in name][:: options.every]
    started = time.monotonic()
    told = Told()
    seeds = range(options.seed, options.seed + -(-options.examples // _ROUND))
    with ProcessPoolExecutor(options.jobs) as pool:
        single = pool.map(partial(at_each_site, more=more, properties=properties), names, chunksize=4)
        chance = pool.map(partial(by_chance, more=more, properties=properties), seeds)
        for found in tqdm((f for part in (single, chance) for f in part), total=len(names) + len(seeds), disable=None):
            told.take(found)
        order = sorted(told.kinds, key=lambda g: (g.partition(" | ")[0], -told.kinds[g].count))
        kinds = [told.kinds[group] for group in order]
        cases = dict(pool.map(partial(shown, seconds=options.seconds), order, kinds))
    for group in order:
        kind, case = told.kinds[group], cases[group]
        print(f"{group} | {kind.source}  (×{kind.count}, {kind.clean} where nothing was accused)")
        if case is not None:
            print(f"    {'; '.join(difference(case.stated, case.changed))}\n    {'; '.join(map(str, case.breaks))}")
            if options.write:
                _write(options.write, group, case, kind.source)
    for name, count in sorted(told.tried.items()):
        print(f"{name}: {count} changes")
    print(f"{len(order)} kinds of counterexamples, {time.monotonic() - started:.0f} s")
    return 1 if order else 0


def _write(folder: Path, group: str, case: Case, source: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", " ".join(reversed(group.split(" | "))).lower()).strip("-")[:120]
    said = f"{'; '.join(difference(case.stated, case.changed))}. {'; '.join(map(str, case.breaks))}. From {source}."
    record = {"id": case.changed["id"], "comment": said, **case.changed}
    (folder / f"{name}.json").write_text(written(record), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
