"""The events of a game in words, and what its cards, spells, abilities and players are called, in one language."""

from __future__ import annotations

import json
import re

from rulewright.axioms import Knowledge
from rulewright.explain.words import Words
from rulewright.records import Graph, Value
from rulewright.records.graph import Facts
from rulewright.terms.phrases import Phrases, fill, load_phrases
from rulewright.vocabulary import GAME, NONE, Iri, load_schema, local_name

_ZONE_SLOTS = {"from": "fromPhrase", "to": "toPhrase"}


class Telling:
    """Tells of one game: its canonical graph has the names and the facts."""

    def __init__(self, knowledge: Knowledge, graph: Graph, language: str) -> None:
        self.knowledge, self.graph, self.language = knowledge, graph, language
        self.phrases: Phrases = load_phrases()
        self.words = Words(knowledge, language)

    def event(self, event: Iri) -> str:
        kind = self.graph.kinds.get(event, "")
        template = self.phrases.get(GAME + kind, self.language)
        if template is None:
            return self.name(event)
        facts = self.graph.facts[event]
        return fill(template, lambda slot: self.slot(slot, facts.get(slot), event), self.otherwise)

    def slot(self, slot: str, value: Value | None, event: Iri) -> str | None:
        facts = self.graph.facts[event]
        if slot == "card" and value is None:
            value = facts.get("object", facts.get("player") if "counter" in facts else None)
        if slot == "begins":
            return self.words.term(f"step-{local_name(str(facts.get('step')))}")
        if slot == "counters":
            return self._counters(facts.get("n"), facts)
        if slot == "drawn":
            return self._number(facts.get("n"), "a-card", "some-number-of-cards")
        if value is None or value == NONE:
            return None
        if isinstance(value, tuple):
            return self.words.joined([self.name(v) for v in value if isinstance(v, Iri)]) or None
        if slot in _ZONE_SLOTS:
            return self.phrases.get(str(value), self.language, _ZONE_SLOTS[slot]) if isinstance(value, Iri) else None
        if slot == "step":
            return self.phrases.get(str(value), self.language)
        if slot in ("gift", "choice", "keywordGained"):
            return self.word(slot, facts) or self.quoted(str(value))
        if slot in ("ability", "name"):
            return self.word(slot, facts) or str(value)
        return self.name(value) if isinstance(value, Iri) else str(value)

    def word(self, name: str, facts: Facts) -> str | None:
        """A word of the record in this language; None where it is unknown."""
        use = load_schema().word_uses.get(name)
        meant = facts.get(use.meaning) if use is not None else None
        known = self.words.knowledge.words.get(meant) if isinstance(meant, Iri) else None
        if known is None:
            return self.words.word(str(facts.get(name)))
        return self.words.word(known.en) or known.in_language(self.language)

    def _counters(self, n: Value | None, facts: Facts) -> str | None:
        kind = facts.get("counter")
        if not isinstance(kind, str):
            return None
        words = self.word("counter", facts) or kind
        sign = "" if words[-1:].isalpha() else "sign-"
        return self._number(n, f"a-{sign}counter", f"{sign}counters", words)

    def _number(self, n: Value | None, one: str, many: str, kind: str = "") -> str | None:
        if n is None:
            return None
        slots = {"n": str(n), "kind": kind}
        return fill(self.words.term(one if n == 1 else many) or "", slots.get, self.otherwise)

    def quoted(self, text: str) -> str:
        return fill(self.words.term("quoted") or "", {"text": text}.get, self.otherwise)

    def otherwise(self, slot: str) -> str:
        names = {"player": "some-player", "recipient": "some-player", "begins": "some-step", "choice": "some-choice",
                 "keywordGained": "some-keyword", "movedCards": "some-cards"}  # fmt: skip
        return self.words.term(names.get(slot, "some-thing")) or ""

    def value(self, value: Value, of: str = "") -> str:
        """A value in words. `of`: its property, where that may be a list as one value, whose members are told."""
        if load_schema().kinds.get(of) == "List":
            told = self._numbers(of, json.loads(str(value))) if str(value)[:1] == "{" else self._members(str(value))
            return self.words.joined(told) or self.words.term("none") or ""
        if isinstance(value, bool):
            return self.words.term("yes" if value else "no") or ""
        if value == NONE:
            return self.words.term("none") or ""
        if isinstance(value, Iri):
            return self.words.label(local_name(value)) if value.startswith(GAME) else self.name(value)
        return self._text(value) if isinstance(value, str) else str(value)

    def _members(self, array: str) -> list[str]:
        return [self.value(Iri(m["@id"]) if isinstance(m, dict) else m) for m in json.loads(array)]

    def _numbers(self, of: str, numbers: dict[str, int]) -> list[str]:
        if of.startswith("counters"):
            return [self._counters(n, {"counter": kind}) or "" for kind, n in numbers.items()]
        return [self._text(kind) if n == 1 else f"{self._text(kind)} ({n})" for kind, n in numbers.items()]

    def _text(self, text: str) -> str:
        if re.fullmatch(r"(\{[^{}]+\})+", text):
            return re.sub(r"\{([^{}]+)\}", lambda m: m[1] if "/" not in m[1] else f"({m[1]})", text)
        return self.words.word(text) or self.quoted(text)

    def ability(self, facts: Facts) -> str:
        """How an ability is named: a known one in this language, any other as the record writes it."""
        return self.word("abilityLabel", facts) or str(facts.get("abilityLabel", ""))

    def name(self, node: Iri) -> str:
        """A card's or player's name; a copy or ability by what it is of; else the local part of the identifier."""
        facts = self.graph.facts.get(node, {})
        if "name" in facts:
            return str(facts["name"])
        if facts.get("isCopy") is True:
            origin = facts.get("copyOf", facts.get("originSpell"))
            if origin == node and isinstance(card := facts.get("card"), Iri):
                return self.name(card)
            of = self.name(origin) if isinstance(origin, Iri) and origin != node else self.otherwise("of")
            return fill(self.words.term("copy-of") or "", {"of": of}.get, self.otherwise)
        card = facts.get("card", facts.get("target"))
        if isinstance(card, Iri) and card not in (NONE, node):
            return self.name(card)
        source = facts.get("source")
        if self.graph.kinds.get(node) == "Ability":
            if isinstance(source, Iri) and "abilityLabel" in facts:
                slots = {"ability": self.ability(facts), "source": self.name(source)}
                return fill(self.words.term("ability-of") or "", slots.get, self.otherwise)
            return self.words.term("some-ability") or ""
        if isinstance(source, Iri) and source not in (NONE, node):
            return self.name(source)
        return "#" + node.rpartition("#")[2] if "#" in node else node
