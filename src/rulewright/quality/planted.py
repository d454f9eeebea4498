"""Are breaks noticed? One is planted in a legal game at a time, and the check must find it or say what leaves it open.

`python -m rulewright.quality.planted [PATH]…` plants breaks in the legal scenarios of the package, or in the games of
these files (`docs/game-record.md`). It prints for each kind how many were found, and how many left open with the key to
add named; how many of these are found once everything left out is taken as none (`--assume`); and with `--silent` what
passed in silence. It fails where a legal game is accused.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.axioms import packaged_knowledge
from rulewright.checks import Checker, Verdict
from rulewright.checks.assumptions import KINDS as ASSUMPTIONS
from rulewright.quality.planting import Game, Planted, plant, spelled_out
from rulewright.records import RecordError, read_structure
from rulewright.vocabulary import Iri, packaged

FOUND, ASSUMED, OPEN, SILENT = "found", "found once assumed", "open", "silent"


@dataclass
class Tally:
    """Kind of break -> what came of how many; which passed in silence; what is said of the games as they are."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    silent: list[str] = field(default_factory=list)
    games: int = 0
    accused: list[str] = field(default_factory=list)
    open_before: int = 0

    def lines(self) -> Iterator[str]:
        yield f"{'kind':28} {'planted':>8} {FOUND:>8} {OPEN:>8} {'of these ' + ASSUMED:>28} {SILENT:>8}"
        total: Counter[str] = Counter()
        for kind, of in [*self.outcomes.items(), ("all", total)]:
            yield (f"{kind:28} {of.total():8} {of[FOUND]:8} {of[OPEN] + of[ASSUMED]:8} {of[ASSUMED]:28} {of[SILENT]:8}")
            if of is not total:
                total.update(of)
        yield f"{self.games} legal games: {len(self.accused)} accused, {self.open_before} verdicts open before planting"
        yield from (f"accused: {name}" for name in self.accused)


class Planter:
    def __init__(self) -> None:
        knowledge = packaged_knowledge()
        self._parameters = knowledge.parameters()
        self._plain = Checker(knowledge)
        self._assuming = Checker(knowledge, assume=ASSUMPTIONS)
        self.tally = Tally()

    def game(self, game: Game, name: str) -> None:
        """Plants every break in one game, if it is legal and can be read."""
        told = spelled_out(game)
        before = self._verdicts(self._plain, told, name)
        self.tally.games += 1
        if any(v.verdict == "violates" for v in before):
            self.tally.accused.append(name)
            return
        self.tally.open_before += len(before)
        known = {(v.axiom, v.focus) for v in before}
        for planted in plant(told):
            outcome = self._outcome(planted, name, known)
            self.tally.outcomes.setdefault(planted.kind, Counter())[outcome] += 1
            if outcome == SILENT:
                self.tally.silent.append(f"{planted.kind}: {name} {', '.join(planted.events)}")

    def _outcome(self, planted: Planted, name: str, known: set[tuple[Iri, Iri]]) -> str:
        there = [v for v in self._verdicts(self._plain, planted.game, name) if _is_at(v, planted)]
        if any(v.verdict == "violates" for v in there):
            return FOUND
        if not any(v.missing for v in there if (v.axiom, v.focus) not in known):
            return SILENT
        assuming = self._verdicts(self._assuming, planted.game, name)
        return ASSUMED if any(v.verdict == "violates" and _is_at(v, planted) for v in assuming) else OPEN

    def _verdicts(self, checker: Checker, game: Game, name: str) -> list[Verdict]:
        record = read_structure(game, name, parameters=self._parameters)
        return next(iter(checker.check([record]))).verdicts


def _is_at(verdict: Verdict, planted: Planted) -> bool:
    return "#" + verdict.focus.partition("#")[2] in planted.events or verdict.focus in planted.events


def legal_scenarios() -> Iterator[tuple[str, Game]]:
    """Scenarios in which nothing is broken."""
    root = packaged("data", "scenarios")
    for file in sorted(root.rglob("*.json")):
        game = json.loads(file.read_text(encoding="utf-8"))
        if not any(expected["verdict"] == "violates" for expected in game["expect"]):
            yield str(file.relative_to(root)), game


def _games(paths: Iterable[Path]) -> Iterator[tuple[str, Game]]:
    for path in paths:
        data = json.loads(path.read_text(encoding="utf-8"))
        for position, game in enumerate(data if isinstance(data, list) else [data], 1):
            yield f"{path.name}:{position}", game


def main() -> int:
    what = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m rulewright.quality.planted", description=what)
    parser.add_argument("paths", nargs="*", type=Path, help="records as JSON; without any, the legal scenarios")
    parser.add_argument("--silent", action="store_true", help="list what passed in silence")
    options = parser.parse_args()
    planter = Planter()
    for name, game in _games(options.paths) if options.paths else legal_scenarios():
        try:
            planter.game(game, name)
        except RecordError as error:
            print(error, file=sys.stderr)
            return 2
    print("\n".join(planter.tally.lines()))
    if options.silent:
        print("\n".join(planter.tally.silent))
    return 1 if planter.tally.accused else 0


if __name__ == "__main__":
    sys.exit(main())
