"""Conditions and axioms in plain words, made from their structure, their labels and the labels of the ontology."""

from __future__ import annotations

import re

from rulewright.axioms import Axiom, Knowledge, ir
from rulewright.terms.phrases import Phrases, load_phrases
from rulewright.vocabulary import AX, GAME, NONE, Iri, Scalar, load_rule_numbers, local_name, slug

TERM = "https://w3id.org/rulewright/term/"
_OPS = {"<=": {"en": "at most", "de": "höchstens"}, ">=": {"en": "at least", "de": "mindestens"},
        "<": {"en": "before", "de": "vor"}}  # fmt: skip
_PRONOUNS = {
    "en": {"it": "spell card token copy gift ability permanent object", "they": "counters"},
    "de": {"er": "Zauberspruch Spielstein", "sie": "Karte Kopie Fähigkeit Kreatur", "es": "Geschenk Objekt"},
}
_ARTICLES = {"en": "the", "de": "der|die|das"}
_NO_VERB = {"en": "with of from that who whose being", "de": "mit von aus der des dem den deren dessen die das"}
"""What follows a noun that is described further: no pronoun can stand for that."""


def cited(authority: Iri, knowledge: Knowledge, day: int) -> dict[str, str]:
    """How an authority is cited: by number or id; a rule without a number by its name (the English one)."""
    numbers = load_rule_numbers()
    name = knowledge.rules.get(authority)
    if name is not None and numbers.number(authority, day) is None:
        return {"id": authority, "label": name.en}
    return {"id": authority, "label": numbers.label(authority, day)}


class Words:
    """Says things in one language."""

    def __init__(self, knowledge: Knowledge, language: str) -> None:
        self.knowledge, self.language = knowledge, language
        self._phrases: Phrases = load_phrases()

    def say(self, en: str, de: str) -> str:
        return de if self.language == "de" else en

    def term(self, name: str) -> str | None:
        """A phrase of `data/terms` that is no word for a thing of the ontology."""
        return self._phrases.get(TERM + name, self.language)

    def word(self, text: str) -> str | None:
        """A word of records in this language: a keyword's name, or one of `data/terms`; also part by part."""
        if ": " in text:
            parts = [self.word(part) or part for part in text.split(": ")]
            return ": ".join(parts)
        keyword = self.knowledge.keyword_names.get(text)
        if keyword is None and text in self.knowledge.keywords:
            keyword = Iri(text)
        if keyword is not None:
            return self.knowledge.keywords[keyword].label.in_language(self.language)
        return self.term(f"word-{slug(text)}")

    def citation(self, cited: dict[str, str]) -> str:
        """The label of what `cited` made, in this language."""
        name = self.knowledge.rules.get(Iri(cited["id"]))
        return name.in_language(self.language) if name and name.en == cited["label"] else cited["label"]

    def label(self, name: str) -> str:
        """The label of a property, class or individual of the game ontology, of a list also for its length or its text.

        A term without a label is called by its name in separate words.
        """
        labels = load_phrases(labels=True)
        base = name.removesuffix("Count").removesuffix("Key")
        for wanted in (base, name):
            found = labels.get(GAME + wanted, self.language, "label")
            if found is not None:
                return found
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", base).lower()

    def joined(self, clauses: list[str]) -> str:
        """Clauses as one: what a clause has in common with the one before it is said by a pronoun."""
        told = [self._after(before, clause) for before, clause in zip(["", *clauses], clauses, strict=False)]
        if len(told) <= 1:
            return told[0] if told else ""
        if any("," in clause for clause in told):
            return f"{'; '.join(told[:-1])}; {self.say('and', 'und')} {told[-1]}"
        return f"{', '.join(told[:-1])} {self.say('and', 'und')} {told[-1]}"

    def _after(self, before: str, clause: str) -> str:
        match = re.match(rf"((?:{_ARTICLES[self.language]}) (?:bleibende )?(\w+)) (\w+)", clause)
        if match is None or not before.startswith(match[1] + " ") or match[3] in _NO_VERB[self.language].split():
            return clause
        second = before.removeprefix(match[1] + " ").split(" ")[0]
        if second in _NO_VERB[self.language].split():
            return clause
        for pronoun, nouns in _PRONOUNS[self.language].items():
            if match[2] in nouns.split():
                return pronoun + clause.removeprefix(match[1])
        return clause

    def value(self, value: Scalar) -> str:
        if value == NONE:
            return self.say("none", "nichts")
        if isinstance(value, bool):
            return self.say("yes" if value else "no", "ja" if value else "nein")
        if isinstance(value, Iri):
            return self.resource(value) or self.label(local_name(value))
        return self.say(f"“{value}”", f"„{value}“") if isinstance(value, str) else str(value)

    def resource(self, value: Iri) -> str | None:
        """A keyword, or what a word of records means, by its name."""
        keyword = self.knowledge.keywords.get(value)
        if keyword is not None:
            return keyword.label.in_language(self.language)
        word = self.knowledge.words.get(value)
        return None if word is None else word.in_language(self.language)

    def path(self, path: ir.Path) -> str:
        named = [self.label(s) for s in path.steps]
        if len(named) > 1:
            return f"{named[-1]} ({', '.join(reversed(named[:-1]))})"
        return named[0] if named else self.say("the thing itself", "die Sache selbst")

    # --- conditions

    def conditions(self, conditions: list[ir.Condition], holds: bool = True) -> list[str]:
        """Each condition as a clause; what only limits an axiom to what is recorded needs no words."""
        return [text for c in conditions if (text := self.condition(c, holds))]

    def condition(self, condition: ir.Condition, holds: bool = True) -> str:
        """A condition as a clause; with `holds` false, its contrary."""
        match condition:
            case ir.Named(iri=iri, part=part):
                return self._named(iri, part, holds)
            case ir.Not(part=part):
                return self.condition(part, not holds)
            case ir.Stated() | ir.Constant() | ir.OneOf():
                return ""
            case ir.All(parts=inner):
                return self._several(inner, holds, holds)
            case ir.AnyOf(parts=inner):
                return self._several(inner, holds, not holds)
            case ir.Compare(op=op, left=left, right=right):
                return self._comparison(op, left, right, holds)
            case ir.Exists(path=path):
                return self.say(f"{'there is' if holds else 'there is not'}: {self.path(path)}",
                                f"es gibt{'' if holds else ' nicht'}: {self.path(path)}")
            case ir.Includes(members="keywordInForce", term=term) if not isinstance(term, ir.Path):
                name = self.value(term)
                return self.say(f"the card {'has' if holds else 'does not have'} {name}",
                                f"die Karte hat {name}{'' if holds else ' nicht'}")
            case ir.Includes(at=at, count=count, term=term):
                listed = self.path(ir.Path((*at.steps, count), at.from_focus))
                wanted = self.path(term) if isinstance(term, ir.Path) else self.value(term)
                return self.say(f"{wanted} {'is' if holds else 'is not'} among the following: {listed}",
                                f"{wanted} gehört {'' if holds else 'nicht '}zu: {listed}")
            case ir.Some(condition=inside, kind=kind, count=count):
                of_keyword = count == "instancesInForceCount"
                told = self._of_instance(inside) if of_keyword else self.condition(inside)
                if not told:
                    return ""
                if of_keyword:
                    one, eine = ("one", "eine") if holds else ("none", "keine")
                    return self.say(f"for {one} of its abilities of that name: {told}",
                                    f"für {eine} seiner Fähigkeiten dieses Namens gilt: {told}")
                what = self.label(kind or count)
                return self.say(f"{'at least one' if holds else 'none'} ({what}): {told}",
                                f"{'mindestens eines' if holds else 'keines'} ({what}): {told}")
        raise AssertionError(condition)

    def _of_instance(self, condition: ir.Condition) -> str:
        """What is said of an instance of the axiom's keyword, besides that it is one."""
        parts = condition.parts if isinstance(condition, ir.All) else (condition,)
        of_it = [p for p in parts if not (isinstance(p, ir.Compare) and p.left == ir.path("keywordNamed"))]
        return self._several(tuple(of_it), True, True)

    def _named(self, iri: Iri, part: ir.Condition, holds: bool) -> str:
        found = self.knowledge.conditions.get(iri)
        if found is None:
            return self.condition(part, holds)
        if holds:
            return found.label.in_language(self.language)
        if found.negation is not None:
            return found.negation.in_language(self.language)
        return self.say("it is not so that ", "es ist nicht so, dass gilt: ") + found.label.in_language(self.language)

    def _several(self, parts: tuple[ir.Condition, ...], holds: bool, together: bool) -> str:
        told = [t for p in parts if (t := self.condition(p, holds))]
        return self.joined(told) if together else self._or(told)

    def _or(self, clauses: list[str]) -> str:
        return f", {self.say('or', 'oder')} ".join(clauses)

    def _comparison(self, op: str, left: ir.Path, right: ir.Term, holds: bool) -> str:
        subject = self.path(left)
        no = "" if holds else self.say("not ", "nicht ")
        if op == "=" and isinstance(right, ir.Path):
            return self.say(f"{subject} and {self.path(right)} are {'the same' if holds else 'different'}",
                            f"{subject} und {self.path(right)} sind {'dasselbe' if holds else 'verschieden'}")
        other = self.path(right) if isinstance(right, ir.Path) else self.value(right)
        if op == "=" and isinstance(right, bool):
            return f"{subject}: {self.value(right if holds else not right)}"
        if op == "=":
            return f"{subject}: {no}{other}"
        return f"{subject}: {no}{_OPS[op][self.language]} {other}"

    # --- axioms

    def axiom(self, axiom: Axiom) -> list[str]:
        """What an axiom says, a line for each part of it, in the order in which one would ask."""
        lines = []
        about = self._about(axiom)
        if about:
            lines.append(f"{self.say('about', 'betrifft')}: {about}")
        when = [*self._keyword(axiom), *self.conditions([*axiom.scope, *axiom.when])]
        lines += self._line(("when", "wenn"), self.joined(list(dict.fromkeys(when))))
        lines += self._line(("then", "dann"), self.joined(self.conditions(axiom.require)) or self._principle(axiom))
        lines += self._effect(axiom)
        lines += self._line(("unless", "es sei denn"), self._or(self.conditions(axiom.unless)))
        days = [f"{self.say(*names)} {day // 10000}-{day // 100 % 100:02}-{day % 100:02}"
                for names, day in ((("from", "ab"), axiom.valid_from), (("before", "vor"), axiom.valid_until))
                if day is not None]  # fmt: skip
        lines += self._line(("in force", "gültig"), ", ".join(days))
        return lines

    def _line(self, names: tuple[str, str], clause: str) -> list[str]:
        return [f"{self.say(*names)}: {clause}"] if clause else []

    def _about(self, axiom: Axiom) -> str:
        """The events that an axiom is about, unless its conditions name them."""
        english = Words(self.knowledge, "en")
        clauses = " ".join(english.conditions([*axiom.scope, *axiom.when, *axiom.unless, *axiom.require]))
        kinds = [k for k in axiom.focus if len(axiom.focus) > 1 or not re.search(_SAID.get(k, "$."), clauses)]
        return ", ".join(self.term(f"about-{k}") or self.label(k) for k in kinds)

    def _keyword(self, axiom: Axiom) -> list[str]:
        """That the card or spell has the keyword, where it needs to."""
        keyword = self.knowledge.keywords.get(axiom.keyword) if axiom.keyword else None
        if keyword is None or not axiom.keyword_needed:
            return []
        name = keyword.label.in_language(self.language)
        events = {*axiom.focus, *axiom.on}
        if axiom.archetype in ("Permission", "Replacement") or axiom.created_by or events & {"Cast", "Resolve", "Copy"}:
            return [self.say(f"the spell has {name}", f"der Zauberspruch hat {name}")]
        return [self.say(f"the card has {name}", f"die Karte hat {name}")]

    def _principle(self, axiom: Axiom) -> str:
        """What the two principles demand that judge by all other axioms."""
        if axiom.archetype == "PermissionPrinciple":
            return self.say("a keyword or an effect allows it", "ein Schlüsselwort oder ein Effekt erlaubt es")
        if axiom.archetype == "DestinationPrinciple":
            return self.say("the spell goes where the rules, a keyword or an effect send it",
                            "der Zauberspruch geht, wohin die Regeln, ein Schlüsselwort oder ein Effekt ihn schicken")
        if axiom.archetype == "Prohibition":
            return self.say("that is not possible", "das ist nicht möglich")
        if axiom.archetype == "Permission":
            return self.say("the spell may be cast", "der Zauberspruch darf gewirkt werden")
        return ""

    def _effect(self, axiom: Axiom) -> list[str]:
        lines: list[str] = []
        if axiom.destination is not None:
            to = self._to(axiom.destination)
            if axiom.replaces is None or axiom.replaces == AX + "anyDestination":
                lines.append(self.say(f"then: the card goes {to}, wherever it would go",
                                      f"dann: die Karte geht {to}, wohin auch immer sie ginge"))
            else:
                instead = self._to(axiom.replaces)
                lines.append(self.say(f"then: the card goes {to} instead of {instead}",
                                      f"dann: die Karte geht {to} statt {instead}"))
        if axiom.step is not None:
            at = self._phrases.get(axiom.step, self.language) or self.label(local_name(axiom.step))
            whose = self.path(axiom.in_turn_of) if axiom.in_turn_of else self.label("owner")
            often = self.say("once", "einmal") if axiom.created_by else self.say("each time", "jedes Mal")
            lines.append(self.say(f"triggers: {often}, {at}; whose turn: {whose}",
                                  f"wird ausgelöst: {often}, {at}; wessen Zug: {whose}"))  # fmt: skip
        if axiom.on:
            what = ", ".join(self.term(f"about-{k}") or self.label(k) for k in axiom.on)
            lines.append(self.say(f"triggers on: {what}", f"wird ausgelöst durch: {what}"))
        return lines

    def _to(self, zone: Iri) -> str:
        return self._phrases.get(zone, self.language, "toPhrase") or self.label(local_name(zone))


_SAID = {
    "Cast": r"\bcast\b", "Copy": r"\bcop(y|ied)\b", "Trigger": r"\btriggers?\b", "Suspend": r"\bsuspended\b",
    "Move": r"\b(leaves|goes|changed zones)\b", "Gift": r"\bgift is\b", "Discard": r"\bdiscarded\b",
    "RemoveCounters": r"\bcounters? (are|is) removed\b", "CreateToken": r"\btoken\b", "Resolve": r"\bresolves\b",
    "Draw": r"\bdrawn?\b", "Choose": r"\bchosen\b", "Observe": r"\b(stated|taken)\b",
}  # fmt: skip
"""Words that show that a clause is about an event of that type."""
