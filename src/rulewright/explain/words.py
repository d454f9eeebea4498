"""Conditions and axioms in plain words, made from their structure, their labels and the labels of the ontology."""

from __future__ import annotations

from rulewright.axioms import Axiom, Knowledge, ir
from rulewright.terms.phrases import Phrases, load_phrases
from rulewright.vocabulary import AX, GAME, NONE, Iri, Scalar, local_name

_OPS = {"<=": {"en": "at most", "de": "höchstens"}, ">=": {"en": "at least", "de": "mindestens"},
        "<": {"en": "before", "de": "vor"}}  # fmt: skip


class Words:
    """Says things in one language."""

    def __init__(self, knowledge: Knowledge, language: str) -> None:
        self.knowledge, self.language = knowledge, language
        self._phrases: Phrases = load_phrases(labels=True)

    def say(self, en: str, de: str) -> str:
        return de if self.language == "de" else en

    def label(self, name: str) -> str:
        """The label of a property, class or individual of the game ontology."""
        return self._phrases.get(GAME + name, self.language, "label") or name

    def value(self, value: Scalar) -> str:
        if value == NONE:
            return self.say("nothing", "nichts")
        if isinstance(value, bool):
            return self.say("true" if value else "false", "wahr" if value else "falsch")
        if isinstance(value, Iri):
            keyword = self.knowledge.keywords.get(value)
            return keyword.label.in_language(self.language) if keyword else self.label(local_name(value))
        return self.say(f"“{value}”", f"„{value}“") if isinstance(value, str) else str(value)

    def path(self, path: ir.Path) -> str:
        named = [self.label(s) for s in path.steps]
        if len(named) > 1:
            return f"{named[-1]} ({', '.join(named[:-1])})"
        return named[0] if named else self.say("the thing itself", "die Sache selbst")

    def conditions(self, conditions: list[ir.Condition], holds: bool = True) -> list[str]:
        """Each condition as a clause; what only limits an axiom to what is recorded needs no words."""
        return [text for c in conditions if (text := self.condition(c, holds))]

    def condition(self, condition: ir.Condition, holds: bool = True) -> str:
        """A condition as a clause; with `holds` false, its contrary."""
        match condition:
            case ir.Named(iri=iri, part=part):
                found = self.knowledge.conditions.get(iri)
                if found is None:
                    return self.condition(part, holds)
                if holds:
                    return found.label.in_language(self.language)
                if found.negation is not None:
                    return found.negation.in_language(self.language)
                return self.say("it is not so that ", "es ist nicht so, dass ") + found.label.in_language(self.language)
            case ir.Not(part=part):
                return self.condition(part, not holds)
            case ir.Stated():
                return ""
            case ir.Constant():
                return ""
            case ir.All(parts=inner):
                return self._joined(inner, holds, ("and", "und") if holds else ("or", "oder"))
            case ir.AnyOf(parts=inner):
                return self._joined(inner, holds, ("or", "oder") if holds else ("and", "und"))
            case ir.Compare(op=op, left=left, right=right):
                return self._comparison(op, left, right, holds)
            case ir.Exists(path=path):
                return self.say(f"{'there is' if holds else 'there is no'}: {self.path(path)}",
                                f"es gibt {'' if holds else 'nicht '}: {self.path(path)}")
            case ir.Includes(at=at, members=members, term=term):
                list_path = ir.Path((*at.steps, members), at.from_focus)
                wanted = self.path(term) if isinstance(term, ir.Path) else self.value(term)
                verb = self.say("includes" if holds else "does not include", "enthält" if holds else "enthält nicht")
                return f"{self.path(list_path)} {verb} {wanted}"
            case ir.Some(condition=inside, kind=kind, members=members):
                what = self.label(kind or members)
                some = self.say("for some" if holds else "for no", "für ein" if holds else "für kein")
                return f"{some} “{what}”: {self.condition(inside)}" if self.language == "en" else \
                    f"{some} „{what}“: {self.condition(inside)}"
            case _:
                return ""

    def _joined(self, parts: tuple[ir.Condition, ...], holds: bool, words: tuple[str, str]) -> str:
        told = [t for p in parts if (t := self.condition(p, holds))]
        if len(told) <= 1:
            return told[0] if told else ""
        return f"{', '.join(told[:-1])} {self.say(*words)} {told[-1]}"

    def _comparison(self, op: str, left: ir.Path, right: ir.Term, holds: bool) -> str:
        subject = self.path(left)
        if isinstance(right, ir.Path):
            other = self.path(right)
            if op == "=":
                return self.say(f"{subject} and {other} are {'the same' if holds else 'different'}",
                                f"{subject} und {other} sind {'gleich' if holds else 'verschieden'}")
        else:
            other = self.value(right)
            if op == "=" and isinstance(right, bool):
                yes = right if holds else not right
                return self.say(f"{subject}: {'yes' if yes else 'no'}", f"{subject}: {'ja' if yes else 'nein'}")
        if op == "=":
            return self.say(f"{subject} {'is' if holds else 'is not'} {other}",
                            f"{subject} ist {'' if holds else 'nicht '}{other}")
        word = _OPS[op][self.language]
        return self.say(f"{subject} is {'' if holds else 'not '}{word} {other}",
                        f"{subject} ist {'' if holds else 'nicht '}{word} {other}")

    def axiom(self, axiom: Axiom) -> list[str]:
        """What an axiom says, a clause a line, in the order in which one would ask."""
        lines: list[str] = []
        keyword = axiom.keyword if axiom.keyword_needed else None
        if axiom.focus:
            kinds = ", ".join(self.label(k) for k in axiom.focus)
            lines.append(self.say(f"about: {kinds}", f"betrifft: {kinds}"))
        has = []
        if keyword is not None and keyword in self.knowledge.keywords:
            name = self.knowledge.keywords[keyword].label.in_language(self.language)
            has = [self.say(f"it has {name}", f"es hat {name}")]
        for names, clauses in (
            (("when", "wenn"), [*has, *self.conditions([*axiom.scope, *axiom.when])]),
            (("unless", "es sei denn"), self.conditions(axiom.unless)),
            (("then", "dann"), self.conditions(axiom.require)),
        ):
            lines += [f"{self.say(*names)}: {clause}" for clause in clauses]
        lines += self._effect(axiom)
        for name, day in ((self.say("from", "ab"), axiom.valid_from), (self.say("until", "vor"), axiom.valid_until)):
            if day is not None:
                lines.append(f"{name}: {day // 10000}-{day // 100 % 100:02}-{day % 100:02}")
        return lines

    def _effect(self, axiom: Axiom) -> list[str]:
        lines: list[str] = []
        if axiom.destination is not None:
            to = self._phrases.get(axiom.destination, self.language, "toPhrase") or self.label(local_name(axiom.destination))
            if axiom.replaces is None or axiom.replaces == AX + "anyDestination":
                lines.append(self.say(f"goes: {to}, wherever it would go", f"geht: {to}, wohin auch immer es ginge"))
            else:
                instead = self._phrases.get(axiom.replaces, self.language, "toPhrase") or ""
                lines.append(self.say(f"goes: {to} instead of {instead}", f"geht: {to} statt {instead}"))
        if axiom.step is not None:
            at = self._phrases.get(axiom.step, self.language) or self.label(local_name(axiom.step))
            whose = self.path(axiom.in_turn_of) if axiom.in_turn_of else ""
            lines.append(self.say(f"triggers: {at} ({whose})", f"wird ausgelöst: {at} ({whose})"))
        if axiom.on:
            what = ", ".join(self.label(k) for k in axiom.on)
            lines.append(self.say(f"triggers on: {what}", f"wird ausgelöst durch: {what}"))
        return lines
