"""What a verdict says, in a sentence made from the structure of the axiom and the words in `data/terms`."""

from __future__ import annotations

from rulewright.axioms import Knowledge
from rulewright.axioms.ir import Named, walk
from rulewright.checks import Verdict
from rulewright.records import Graph, Value
from rulewright.terms.phrases import LANGUAGES, Phrases, fill, load_phrases, sentence
from rulewright.vocabulary import GAME, NONE, Iri

_ZONE_SLOTS = {"from": "fromPhrase", "to": "toPhrase"}


def message(verdict: Verdict, knowledge: Knowledge, graph: Graph) -> dict[str, str]:
    """The message in every language."""
    return {language: _Speaker(verdict, knowledge, graph, language).speak() for language in LANGUAGES}


class _Speaker:
    def __init__(self, verdict: Verdict, knowledge: Knowledge, graph: Graph, language: str) -> None:
        self.verdict, self.knowledge, self.graph, self.language = verdict, knowledge, graph, language
        self.words: Phrases = load_phrases()

    def speak(self) -> str:
        verdict = self.verdict
        if verdict.verdict == "violates":
            template = self._template(verdict.part)
        else:
            template = self.words.term("open" if verdict.verdict == "undetermined" else "kept", self.language)
        axiom = self.knowledge.axioms[verdict.axiom]
        slots = {
            "event": self.event(verdict.focus),
            "axiom": axiom.label.in_language(self.language),
            "why": self.why(),
            "keyword": self.keyword(axiom.keyword),
            "missing": self.missing(),
        }
        return sentence(fill(template, slots.get, lambda name: ""))

    def _template(self, part: str) -> str:
        return self.words.get(f"https://w3id.org/rulewright/term/{part or 'broken'}", self.language) or self.words.term(
            "broken", self.language
        )

    def keyword(self, keyword: Iri | None) -> str | None:
        if keyword is None:
            return None
        name = self.knowledge.keywords[keyword].label.in_language(self.language)
        return f"„{name}“" if self.language == "de" else f"“{name}”"

    def why(self) -> str | None:
        """The named conditions that decided, as they turned out."""
        told: list[str] = []
        for iri, value in self._deepest():
            condition = self.knowledge.conditions.get(iri)
            if condition is None or value is None:
                continue
            label = condition.label if value else condition.negation
            if label is not None:
                told.append(label.in_language(self.language))
        if not told:
            return None
        unique = list(dict.fromkeys(told))
        if len(unique) == 1:
            return unique[0]
        return f"{', '.join(unique[:-1])} {self.words.term('and', self.language)} {unique[-1]}"

    def _deepest(self) -> list[tuple[Iri, bool | None]]:
        """Without conditions of the axiom's scope, and without those inside which another of them decided."""
        axiom = self.knowledge.axioms[self.verdict.axiom]
        scope = {c.iri for part in axiom.scope for c in walk(part) if isinstance(c, Named)}
        told = [(i, v) for i, v in self.verdict.conditions if i not in scope and i in self.knowledge.conditions]
        inner = {i: {c.iri for c in walk(self.knowledge.conditions[i].condition) if isinstance(c, Named)} for i, _ in told}
        return [(i, v) for i, v in told if not inner[i] & {j for j, _ in told}]

    def missing(self) -> str:
        labels = load_phrases(labels=True)
        names = [f"{labels.get(GAME + prop, self.language, 'label') or prop} ({self.name(node)})"
                 for node, prop in self.verdict.missing if not prop.startswith("http")]  # fmt: skip
        return ", ".join(dict.fromkeys(names)) or "…"

    # --- events and what they are about

    def event(self, event: Iri) -> str:
        kind = self.graph.kinds.get(event, "")
        template = self.words.get(GAME + kind, self.language)
        if template is None:
            return self.name(event)
        facts = self.graph.facts[event]
        return fill(template, lambda slot: self.slot(slot, facts.get(slot), event), self.otherwise)

    def slot(self, slot: str, value: Value | None, event: Iri) -> str | None:
        if slot == "card" and value is None:
            value = self.graph.facts[event].get("object")
        if value is None or value == NONE:
            return None
        if slot in _ZONE_SLOTS:
            return self.words.get(str(value), self.language, _ZONE_SLOTS[slot]) if isinstance(value, Iri) else None
        if slot == "step":
            return self.words.get(str(value), self.language)
        return self.name(value) if isinstance(value, Iri) else str(value)

    def otherwise(self, slot: str) -> str:
        people = ("player", "recipient")
        return self.words.term("some-player" if slot in people else "some-thing", self.language)

    def name(self, node: Iri) -> str:
        """A card's or player's name; a copy or ability by what it is of; else the local part of the identifier."""
        facts = self.graph.facts.get(node, {})
        if "name" in facts:
            return str(facts["name"])
        if facts.get("isCopy") is True:
            origin = facts.get("originSpell")
            of = self.name(origin) if isinstance(origin, Iri) and origin != node else self.otherwise("of")
            return fill(self.words.term("copy-of", self.language), {"of": of}.get, lambda s: "")
        card = facts.get("card")
        if isinstance(card, Iri) and card != NONE and card != node:
            return self.name(card)
        if self.graph.kinds.get(node) == "Ability":
            source = facts.get("source")
            if isinstance(source, Iri) and "abilityLabel" in facts:
                slots = {"ability": str(facts["abilityLabel"]), "source": self.name(source)}
                return fill(self.words.term("ability-of", self.language), slots.get, lambda s: "")
            return self.words.term("some-ability", self.language)
        return "#" + node.rpartition("#")[2] if "#" in node else node
