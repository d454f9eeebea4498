"""What a verdict says, in a sentence made from the structure of the axiom and the words in `data/terms`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rulewright.axioms import Axiom, Knowledge, ir
from rulewright.checks import Verdict
from rulewright.explain.telling import Telling
from rulewright.records import Graph, Value
from rulewright.terms.phrases import LANGUAGES, fill, sentence
from rulewright.vocabulary import Iri

_ABOUT_A_CARD = ("Standing", "Attachment", "ExiledEntry", "TargetEntry")
"""Nodes that stand for a card at some event that need not name it."""
_TOLD_LISTS = ("forbiddenBy", "keptCards", "insteadZones")
"""Lists whose members say what is at fault."""
_INLINE = "urn:rulewright:condition:"


def message(verdict: Verdict, knowledge: Knowledge, graph: Graph) -> dict[str, str]:
    """The message in every language."""
    return {language: _Speaker(verdict, knowledge, graph, language).speak() for language in LANGUAGES}


class _Speaker(Telling):
    def __init__(self, verdict: Verdict, knowledge: Knowledge, graph: Graph, language: str) -> None:
        super().__init__(knowledge, graph, language)
        self.verdict = verdict
        self.axiom: Axiom = knowledge.axioms[verdict.axiom]

    def speak(self) -> str:
        slots: dict[str, Callable[[], str | None]] = {
            "event": lambda: self.event(self.verdict.focus),
            "axiom": lambda: self.axiom.label.in_language(self.language),
            "why": self.why,
            "keyword": self.keyword,
            "missing": self.missing,
            "destination": self.destination,
            "subject": self.subject,
        }
        return sentence(fill(self._template(), lambda name: slots[name](), self.otherwise))

    def _template(self) -> str:
        name = {"undetermined": "open", "conforms": "kept"}.get(self.verdict.verdict)
        if name is None:
            of_principle = {"DestinationPrinciple": "nowhere", "PermissionPrinciple": "unpermitted"}
            name = self.verdict.part or of_principle.get(self.axiom.archetype, "broken")
        if self.graph.kinds.get(self.verdict.focus) == "Observe":
            name = f"{name}-belief"
        return self.words.term(name) or self.words.term("broken") or ""

    def keyword(self) -> str | None:
        if self.axiom.keyword is None:
            return None
        return self.quoted(self.knowledge.keywords[self.axiom.keyword].label.in_language(self.language))

    def destination(self) -> str | None:
        return self.phrases.get(self.axiom.destination or "", self.language, "toPhrase")

    def subject(self) -> str | None:
        """The cards that are meant, where the axiom looks at something else than the event reported."""
        nodes = [node for node, _, _ in self.verdict.facts if self.graph.kinds.get(node) in _ABOUT_A_CARD]
        if not nodes and self.verdict.part == "missing":
            nodes = [self.verdict.focus]
        names = list(dict.fromkeys(self.name(node) for node in nodes))
        return self.words.joined(names) if names else None

    # --- why

    def why(self) -> str | None:
        """What decided: conditions, a keyword that is not there, values that differ, things that are at fault."""
        told = self.words.joined(self._conditions())
        found = [told, *self._without(), *self._differences(), *self._named()]
        return "; ".join(dict.fromkeys(f for f in found if f)) or None

    def _conditions(self) -> list[str]:
        """The labelled conditions that decided, as they turned out."""
        return list(dict.fromkeys(text for iri, value in self._deciding() if (text := self._said(iri, value))))

    def _said(self, iri: Iri, value: bool | None) -> str | None:
        condition = self.knowledge.conditions.get(iri)
        if condition is None or value is None:
            return None
        label = condition.label if value else condition.negation
        return None if label is None else label.in_language(self.language)

    def _deciding(self) -> list[tuple[Iri, bool | None]]:
        """Those that decided, each once.

        Without the conditions of the axiom's scope, save where somebody claimed that the axiom applied. Of one inside
        another, the inner says more; but words that an axiom has for its own case say most.
        """
        scope = set() if self.verdict.part == "claimed" else set(_names(self.axiom.scope))
        told = [(i, v) for i, v in self.verdict.conditions if i not in scope and self._said(i, v)]
        inner = {i: set(_names([self.knowledge.conditions[i].condition])) for i, _ in told}
        own = {i for i, _ in told if i.startswith(_INLINE)}
        inside_own = {j for i in own for j in inner[i]}
        told = [(i, v) for i, v in told if i not in inside_own]
        return [(i, v) for i, v in told if i in own or not inner[i] & {j for j, _ in told}]

    def _without(self) -> Iterator[str]:
        """That the card does not have the keyword, where that decided."""
        keyword = self.axiom.keyword
        if keyword is None or self.verdict.part not in ("claimed", "justified"):
            return
        for node, name, value in self.verdict.facts:
            if name == "keywordsInForce" and isinstance(value, tuple) and keyword not in value:
                slots = {"card": self.name(node), "keyword": self.keyword()}
                yield fill(self.words.term("without") or "", slots.get, self.otherwise)

    def _differences(self) -> Iterator[str]:
        """What is stated, and what it should be, where an axiom demands that two things are the same."""
        if self.verdict.part:
            return
        for part in _comparisons(self.axiom.require, alternatives=not self._conditions()):
            ends = self._ends(part)
            if ends is None or ends[0][1] == ends[1][1]:
                continue
            stated, due = reversed(ends) if _of_member(part) else ends
            label = self.words.label(stated[0])
            found, expected = self.value(stated[1], stated[0]), self.value(due[1], due[0])
            slots = {"label": label, "found": found, "expected": expected}
            yield fill(self.words.term("instead") or "", slots.get, self.otherwise)

    def _ends(self, part: ir.Compare) -> tuple[tuple[str, Value], tuple[str, Value]] | None:
        """The two values that a comparison compared, each with the property that led to it."""
        assert isinstance(part.right, ir.Path)
        left, right, facts = part.left.steps[-1], part.right.steps[-1], self.verdict.facts
        if left == right:
            same = [(one[2], other[2]) for one, other in pairwise(facts) if one[1] == other[1] == left]
            return ((left, same[-1][0]), (right, same[-1][1])) if same else None
        found = []
        for name, path in ((left, part.left), (right, part.right)):
            all_of_it = [(node, value) for node, prop, value in facts if prop == name]
            here = [(node, value) for node, value in all_of_it if node == self.verdict.focus]
            chosen = here if here and len(path.steps) == 1 else all_of_it
            if not chosen:
                return None
            found.append((name, chosen[-1][1]))
        return found[0], found[1]

    def _named(self) -> Iterator[str]:
        for node, name, _ in self.verdict.facts:
            base = name.removesuffix("Count")
            members = self.graph.facts.get(node, {}).get(base)
            if base in _TOLD_LISTS and isinstance(members, tuple) and members:
                names = self.words.joined([self.value(m) for m in members])
                slots = {"label": self.words.term(f"told-{base}"), "names": names}
                yield fill(self.words.term("list") or "", slots.get, self.otherwise)

    # --- what is not recorded

    def missing(self) -> str | None:
        """The facts that are missing, with what they are missing of, where that is not the event itself."""
        found: dict[str, list[str]] = {}
        for node, name, _ in self.verdict.missing:
            if ":" not in name:
                label = self.words.term(f"missing-{name.removesuffix('Count')}") or self.words.label(name)
                found.setdefault(label, []).append(self._whose(node) or "")
            elif name.endswith("/due"):
                found.setdefault(self.words.term("next-turn") or "", []).append("")
        told = [f"{label} ({', '.join(dict.fromkeys(of))})" if all(of) else label for label, of in found.items()]
        if told:
            return ", ".join(told)
        # no fact alone would decide where several replacements lead to the same place
        return self.words.term("missing-more" if self.verdict.missing else "missing-nothing")

    def _whose(self, node: Iri) -> str | None:
        if node == self.verdict.focus or self.graph.kinds.get(node) in ("Record", "Turn"):
            return None
        facts = self.graph.facts.get(node, {})
        if not {"name", "card", "isCopy", "source"} & set(facts) and "/" in node.rpartition("#")[2]:
            return self._whose(Iri(node.rsplit("/", 2)[0]))
        return self.name(node)


def _comparisons(conditions: Sequence[ir.Condition], alternatives: bool) -> Iterator[ir.Compare]:
    """Comparisons of two things that have to be the same: those of events elsewhere are left out."""
    for condition in conditions:
        match condition:
            case ir.Compare(op="=", right=ir.Path()):
                yield condition
            case ir.Named() | ir.All():
                yield from _comparisons(ir.parts(condition), alternatives)
            case ir.AnyOf() if alternatives:
                yield from _comparisons(ir.parts(condition), alternatives)
            case ir.Some(count="instancesInForceCount"):
                yield from _comparisons(ir.parts(condition), alternatives)


def _of_member(part: ir.Compare) -> bool:
    """Whether the value that is stated stands on the right: a member is compared with the event."""
    return isinstance(part.right, ir.Path) and part.right.from_focus and not part.left.from_focus


def _names(conditions: Sequence[ir.Condition]) -> Iterator[Iri]:
    for condition in conditions:
        for part in ir.walk(condition):
            if isinstance(part, ir.Named):
                yield part.iri
