"""Plausible games by chance: casts, resolutions, moves, triggers and whatever else the schema knows, legal or not.

What is asked of them is only how verdicts change with a record, so that no game needs to be one that was played.
"""

from __future__ import annotations

import random
from typing import Any

from rulewright.vocabulary import Property, load_schema
from soundness.judging import Judge, Plain

_COSTS = ("{0}", "{R}", "{1}{U}", "{2}{W}{W}", "{X}{G}", None)
_TYPES = (["Instant"], ["Sorcery"], ["Creature"], ["Artifact"], ["Enchantment"], ["Land"], ["Artifact", "Creature"])
_LAYOUTS = ("split", "aftermath", "adventure", "modal", "transform")
_BY_HAND = frozenset({"type", "id", "turn", "activePlayer", "step", "object", "newObject", "cause", "during"})
_ODD = 0.12
"""How often something is stated by chance instead of as it was."""


def game(dice: random.Random, judge: Judge) -> Plain:
    """A record with everything that the verdicts of the product can rest on, each with some chance."""
    return _Game(dice, judge).record()


class _Game:
    def __init__(self, dice: random.Random, judge: Judge) -> None:
        self.dice, self.schema = dice, load_schema()
        self.keywords = sorted({name for k in judge.knowledge.keywords.values() for name in k.names})
        self.labels = judge.labels
        self.players = [f"#p{n}" for n in range(1, dice.randint(2, 3) + 1)]
        self.cards: list[Plain] = []
        self.zones: dict[str, str] = {}
        self.stack: list[Plain] = []
        self.events: list[Plain] = []
        self.objects: list[str] = []

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def record(self) -> Plain:
        self.cards = [self.card(f"#c{n}") for n in range(1, self.dice.randint(2, 5) + 1)]
        self.zones = {card["id"]: card.get("zone", "hand") for card in self.cards}
        turn = self.dice.randint(1, 9)
        found: Plain = {"id": "urn:example:game", "type": "Game"}
        if self.chance(0.2):
            found["date"] = f"{self.dice.randint(2006, 2026)}-05-0{self.dice.randint(1, 9)}"
        found["players"] = [{"id": p, "turnOrder": n} for n, p in enumerate(self.players, 1)]
        found["cards"] = self.cards
        for _ in range(self.dice.randint(1, 3)):
            self.steps(turn, self.players[turn % len(self.players)])
            turn += 1 if self.chance(0.8) else 2
        found["events"] = self.events or [{"id": "#e0", "type": "Step", "turn": turn}]
        if self.chance(0.8):
            seen = sorted({event["type"] for event in self.events})
            found["records"] = [word for word in seen if self.chance(0.8)]
        if self.chance(0.6):
            found["effects"] = [self.effect() for _ in range(self.dice.choice((0, 0, 1)))]
        return found

    def effect(self) -> Plain:
        found = self.structure("ContinuousEffect")
        if "since" in found:
            found.pop("until", None)
        return found

    def card(self, iri: str) -> Plain:
        found: Plain = {"id": iri, "name": f"Card {iri[1:].upper()}", "owner": self.dice.choice(self.players)}
        if self.chance(0.9):
            found["zone"] = self.dice.choice(("hand", "hand", "graveyard", "exile", "battlefield", "library"))
        if self.chance(0.15):
            found |= {"layout": self.dice.choice(_LAYOUTS), "faces": [self.printed("Left"), self.printed("Right")]}
        else:
            found |= self.printed(found["name"])
        if self.chance(0.15):
            found["counters"] = [{"counter": self.dice.choice(("time", "+1/+1", "ore")), "n": self.dice.randint(1, 3)}]
        return found

    def printed(self, name: str) -> Plain:
        found: Plain = {"name": name}
        if self.chance(0.9):
            found["manaCost"] = self.dice.choice(_COSTS)
        if self.chance(0.9):
            found["types"] = list(self.dice.choice(_TYPES))
        if self.chance(0.8):
            found["keywords"] = [self.keyword() for _ in range(self.dice.choice((0, 0, 1, 1, 2)))]
        if self.chance(0.2):
            found["targets"] = [{"kind": self.dice.choice(("creature", "player", "any target", "instant spell"))}]
        if self.chance(0.1):
            found["additionalCosts"] = [{"kind": self.dice.choice(("sacrifice", "discard", "exile")), "n": 1}]
        return found

    def keyword(self) -> Plain:
        found: Plain = {"keyword": self.dice.choice(self.keywords)}
        more = {"cost": self.dice.choice(_COSTS), "n": self.dice.randint(1, 3), "exile": self.dice.randint(1, 2),
                "gift": self.dice.choice(("a Fish", "tapped Fish", "a Treasure", "a card"))}  # fmt: skip
        return found | {key: value for key, value in more.items() if value is not None and self.chance(0.6)}

    def steps(self, turn: int, active: str) -> None:
        words = list(self.schema.words["TurnStep"])
        for step in [word for word in words if self.chance(0.35)]:
            if self.chance(0.5):
                self.add({"type": "Step"}, turn, active, step)
            for _ in range(self.dice.randint(0, 3)):
                self.happens(turn, active, step)

    def happens(self, turn: int, active: str, step: str) -> None:
        card = self.dice.choice(self.cards)
        match self.dice.choice(("cast", "cast", "resolve", "resolve", "trigger", "counters", "other", "copy")):
            case "cast":
                self.cast(card, active, turn, step)
            case "resolve" if self.stack:
                self.resolve(turn, active, step)
            case "trigger":
                label = self.dice.choice(self.labels)
                trigger = {"type": "Trigger", "player": active, "source": card["id"], "ability": label, "on": "step"}
                self.stack.append(self.add({**trigger, "object": self.named("t")}, turn, active, step))
            case "counters":
                counter = self.dice.choice(("time", "ore"))
                kind = self.dice.choice(("AddCounters", "RemoveCounters"))
                self.add({"type": kind, "card": card["id"], "counter": counter, "n": 1}, turn, active, step)
            case "copy" if self.stack and "card" in self.stack[-1]:
                of = self.stack[-1]
                copy = {"type": "Copy", "player": active, "of": of["object"], "to": "stack", "object": self.named("k")}
                self.stack.append(self.add(copy, turn, active, step))
            case _:
                self.other(turn, active, step)

    def cast(self, card: Plain, active: str, turn: int, step: str) -> None:
        keyword = next(iter(card.get("keywords", ())), None)
        cost: Any = self.dice.choice(("mana cost", "mana cost", "without paying mana cost"))
        event = {"type": "Cast", "player": card["owner"] if self.chance(0.8) else active, "card": card["id"],
                 "object": self.named("s"), "from": self.zones[card["id"]]}  # fmt: skip
        if keyword and self.chance(0.5):
            event["permission"] = keyword["keyword"]
            if self.chance(0.5):
                cost = {"alternative": keyword["keyword"], "mana": keyword.get("cost", "{R}")}
        if "faces" in card:
            event["face"] = self.dice.choice(("Left", "Right"))
        event["cost"] = cost
        if self.chance(0.3):
            paid = {"kind": self.dice.choice(("exile", "discard", "sacrifice", *self.keywords))}
            event["additionalCosts"] = [paid | {"cards": [self.dice.choice(self.cards)["id"]]}]
        if "targets" in card:
            event["targets"] = [self.dice.choice([*self.players, *(c["id"] for c in self.cards)])]
        self.zones[card["id"]] = "stack"
        self.stack.append(self.add(event, turn, active, step))

    def resolve(self, turn: int, active: str, step: str) -> None:
        top = self.stack.pop()
        kind = "Resolve" if self.chance(0.8) else "Countered"
        event = self.add({"type": kind, "object": top["object"]}, turn, active, step)
        if "card" in top:
            to = self.dice.choice(("graveyard", "graveyard", "battlefield", "exile"))
            move = {"type": "Move", "card": top["card"], "from": "stack", "to": to, "cause": event["id"]}
            if to == "exile" and "permission" in top:
                move["replacement"] = top["permission"]
            self.zones[top["card"]] = to
            self.add(move, turn, active, step)

    def other(self, turn: int, active: str, step: str) -> None:
        kind = self.dice.choice(sorted(self.schema.event_types))
        event = {"type": kind, "player": active}
        if self.schema.event_types[kind].creates or kind == "Suspend":
            event["object"] = self.named("o")
        elif "object" in self.schema.structures[kind] and self.objects:
            event["object"] = self.dice.choice(self.objects)
        for key, prop in self.schema.structures[kind].items():
            if key not in _BY_HAND and key not in event and self.chance(0.7):
                event |= self.stated(key, prop)
        self.add(event, turn, active, step)

    def add(self, event: Plain, turn: int, active: str, step: str) -> Plain:
        event = {"id": f"#e{len(self.events)}", "turn": turn, "activePlayer": active, "step": step} | event
        for key, prop in self.schema.structures[event["type"]].items():
            if key not in _BY_HAND and key not in event and self.chance(_ODD / 4):
                event |= self.stated(key, prop)
        if self.events and event["type"] not in ("Cast", "Step") and self.chance(0.15):
            event["cause"] = self.dice.choice(self.events)["id"]
        self.events.append(event)
        return event

    def named(self, letter: str) -> str:
        self.objects.append(f"#{letter}{len(self.objects)}")
        return self.objects[-1]

    def structure(self, name: str) -> Plain:
        known = self.schema.structures[name].items()
        found: Plain = {}
        for key, prop in known:
            if key not in _BY_HAND and self.chance(0.3):
                found |= self.stated(key, prop)
        return found

    def stated(self, key: str, prop: Property) -> Plain:
        """The property with a value by chance; nothing where none is at hand."""
        if prop.kind == "Map":
            return {key: {self.dice.choice(self.players): 1}}
        if not prop.is_list:
            value = self.value(prop)
            return {} if value is NotImplemented else {key: value}
        members = [self.value(prop) for _ in range(self.dice.randint(0, 2))]
        return {key: [m for m in members if m is not NotImplemented]}

    def value(self, prop: Property) -> Any:
        words = {"Step": "TurnStep"}.get(prop.kind, prop.kind)
        if words in self.schema.words:
            return self.dice.choice(sorted(self.schema.words[words]))
        cards = [card["id"] for card in self.cards]
        match prop.kind:
            case "Integer":
                return self.dice.randint(0, 3)
            case "Boolean":
                return self.chance(0.5)
            case "Date":
                return "2020-01-01"
            case "Mana":
                return self.dice.choice(_COSTS[:-1])
            case "Player":
                return self.dice.choice(self.players)
            case "Card":
                return self.dice.choice(cards)
            case "Thing" | "Any":
                return self.dice.choice([*cards, *self.players, *self.objects])
            case "Event":
                return self.dice.choice(self.events)["id"] if self.events else NotImplemented
            case "Structure" if prop.structure == "CostBasis":
                return self.dice.choice(sorted(self.schema.words["CostBasis"]))
            case "Structure" if prop.structure == "KeywordInstance":
                return self.keyword()
            case "Structure":
                return self.structure(str(prop.structure))
        return self.dice.choice(self.labels)
