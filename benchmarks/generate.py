"""Game records to measure with: the same for the same seed, of several kinds, some broken, some with things unknown.

    python benchmarks/generate.py 10000 >records.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
BROKEN, OPEN = 0.1, 0.1
"""The shares of plays in which something is wrong, and in which something is not recorded."""

PLAYERS = ("#ana", "#ben")
FILLER = ("Plains", "Island", "Swamp", "Mountain", "Forest")


class _Game:
    """One record while it is made: two players in turn, a play or two in each turn."""

    def __init__(self, number: int, chance: random.Random) -> None:
        self.chance = chance
        self.cards: list[Json] = []
        self.events: list[Json] = []
        self.record: Json = {
            "id": f"urn:example:benchmark:{number}", "type": "Game", "date": "2026-03-01",
            "records": ["Cast", "Resolve", "Move", "Trigger", "Activate"],
            "players": [{"id": p, "turnOrder": n} for n, p in enumerate(PLAYERS, 1)],
            "cards": self.cards, "effects": [], "events": self.events,
        }  # fmt: skip
        self.turn = chance.randrange(2, 12)

    @property
    def active(self) -> str:
        return PLAYERS[self.turn % 2]

    def wrong(self) -> bool:
        return self.chance.random() < BROKEN

    def unknown(self) -> bool:
        return self.chance.random() < OPEN

    def card(self, name: str, **facts: Any) -> str:
        iri = f"#c{len(self.cards) + 1}"
        self.cards.append({"id": iri, "name": f"{name} {len(self.cards) + 1}", "owner": self.active, **facts})
        return iri

    def event(self, kind: str, **facts: Any) -> str:
        iri = f"#e{len(self.events) + 1}"
        self.events.append({"id": iri, "type": kind, **{k: v for k, v in facts.items() if v is not None}})
        return iri

    def step(self, name: str) -> None:
        self.event("Step", turn=self.turn, activePlayer=self.active, step=name)

    def spell(self, card: str, to: str | None, **cast: Any) -> None:
        """Cast, resolved, and moved from the stack."""
        stack = f"#s{len(self.events) + 1}"
        if self.unknown():
            cast.pop(self.chance.choice(["from", "cost"]), None)
        if "turn" not in cast and not self.events:
            self.step("precombat main")
        self.event("Cast", player=self.active, card=card, object=stack, **cast)
        end = self.event("Resolve", object=stack)
        self.event("Move", card=card, **{"from": "stack"}, to=to, cause=end)


def _ordinary(game: _Game) -> None:
    creature = game.chance.random() < 0.5
    card = game.card("Bear" if creature else "Shock", types=["Creature" if creature else "Instant"], manaCost="{1}{G}")
    to = "battlefield" if creature else "graveyard"
    game.spell(card, "exile" if game.wrong() else to, **{"from": "hand"}, cost="mana cost", totalCost="{1}{G}")


def _rebound(game: _Game) -> None:
    card = game.card("Shock", types=["Instant"], manaCost="{2}{R}", keywords=[{"keyword": "rebound"}])
    wrong = game.wrong()
    game.spell(card, "graveyard" if wrong else "exile", **{"from": "hand"}, cost="mana cost")
    if wrong:
        return
    game.turn += 1
    game.step("upkeep")
    game.turn += 1
    game.step("upkeep")
    if not game.wrong():
        ability = f"#a{len(game.events) + 1}"
        game.event("Trigger", player=game.active, object=ability, source=card, ability="rebound")
        resolve = game.event("Resolve", object=ability)
        free = "mana cost" if game.wrong() else "without paying mana cost"
        game.spell(card, "graveyard", **{"from": "exile"}, cost=free, permission="rebound", during=resolve)
    game.step("precombat main")


def _escape(game: _Game) -> None:
    fuel = [game.card(game.chance.choice(FILLER), types=["Land"], zone="graveyard") for _ in range(3)]
    keyword = {"keyword": "escape", "cost": "{3}{B}", "exile": 3}
    card = game.card("Phantom", types=["Sorcery"], manaCost="{1}{B}", zone="graveyard", keywords=[keyword])
    if game.wrong():
        fuel.pop()
    cost = {"alternative": "escape", "mana": "{3}{B}", "exile": fuel}
    game.spell(card, "graveyard", **{"from": "graveyard"}, cost=cost)


def _aftermath(game: _Game) -> None:
    faces = [{"name": "First", "manaCost": "{R}", "types": ["Instant"]},
             {"name": "Second", "manaCost": "{2}{U}", "types": ["Instant"],
              "keywords": [{"keyword": "aftermath"}]}]  # fmt: skip
    card = game.card("First // Second", layout="aftermath", faces=faces)
    game.spell(card, "graveyard", **{"from": "hand"}, face="First", cost="mana cost")
    to = "graveyard" if game.wrong() else "exile"
    game.spell(card, to, **{"from": "graveyard"}, face="Second", cost="mana cost")


def _split(game: _Game) -> None:
    faces = [{"name": "Left", "manaCost": "{1}{G}", "types": ["Instant"]},
             {"name": "Right", "manaCost": "{3}{B}", "types": ["Instant"]}]  # fmt: skip
    card = game.card("Left // Right", layout="split", zone="hand", faces=faces)
    game.event("Observe", card=card, zone="hand", manaValue=2 if game.wrong() else 6)
    game.spell(card, "graveyard", **{"from": "hand"}, face="Left", cost="mana cost", totalCost="{1}{G}")


def _flashback(game: _Game) -> None:
    keyword = {"keyword": "flashback", "cost": "{4}{R}"}
    card = game.card("Bolt", types=["Instant"], manaCost="{R}", zone="hand", keywords=[keyword])
    game.spell(card, "graveyard", **{"from": "hand"}, cost="mana cost")
    cost = {"alternative": "flashback", "mana": "{R}" if game.wrong() else "{4}{R}"}
    game.spell(card, "graveyard" if game.wrong() else "exile", **{"from": "graveyard"}, cost=cost)


PLAYS: tuple[tuple[Callable[[_Game], None], int], ...] = (
    (_ordinary, 4), (_rebound, 3), (_escape, 2), (_aftermath, 2), (_split, 2), (_flashback, 2),
)  # fmt: skip


def records(count: int, seed: int = 1) -> Iterator[Json]:
    """`count` records in the plain form."""
    chance = random.Random(seed)
    plays, weights = zip(*PLAYS, strict=True)
    for number in range(1, count + 1):
        game = _Game(number, chance)
        game.step("precombat main")
        while len(game.events) < 9:
            chance.choices(plays, weights)[0](game)
        if game.unknown():
            game.record["records"].remove("Trigger")
        if game.unknown():
            del game.record["effects"]
        yield game.record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for record in records(arguments.count, arguments.seed):
        print(json.dumps(record))


if __name__ == "__main__":
    main()
