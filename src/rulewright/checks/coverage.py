"""What a record names and no axiom judges, so that silence is not taken for approval."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.axioms import Knowledge, ir
from rulewright.records import Graph, Unchecked
from rulewright.vocabulary import GAME, KEYWORD, Iri, load_schema


class Coverage:
    """What the axioms of a plan look at."""

    def __init__(self, knowledge: Knowledge, plan: ir.Plan) -> None:
        self._keywords = frozenset(_keywords(plan)) | {k.iri for k in knowledge.keywords.values() if k.traits}
        self._names = {iri: keyword.label.en for iri, keyword in knowledge.keywords.items()}
        looked_at = load_schema().looked_at
        self._kinds = frozenset(looked_at.get(kind, kind) for kind in _kinds(plan))

    def gaps(self, graph: Graph) -> Iterator[Unchecked]:
        """Keywords without axioms, event types that no axiom looks at, and events whose type nobody knows."""
        schema = load_schema()
        for dropped, word in graph.record.dropped.items():
            yield Unchecked("event", word, dropped)
        for event in graph.record.children("events"):
            if event.kind in schema.event_types and event.kind not in self._kinds:
                yield Unchecked("event type", event.kind, event.iri)
        yield from self._of_keywords(graph)

    def pattern(self) -> str:
        """Where a canonical graph in a store, of the record `?record`, has any of these."""
        unseen = [f"game:{kind}" for kind in (*load_schema().event_types, "Event") if kind not in self._kinds]
        kinds, keywords = ", ".join(unseen), ", ".join(f"<{keyword}>" for keyword in sorted(self._keywords))
        return f"""{{ ?record game:unknownWords true }}
UNION {{ ?node game:inRecord ?record ; a ?kind FILTER (?kind IN ({kinds})) }}
UNION {{ ?node game:inRecord ?record ; game:keywordNamed ?keyword FILTER (?keyword NOT IN ({keywords})) }}
UNION {{ ?node game:inRecord ?record ; game:namesKeyword ?keyword FILTER (?keyword NOT IN ({keywords})) }}"""

    @staticmethod
    def unjudged(graph: Graph) -> Iterator[Unchecked]:
        """The events of a record of which no axiom had anything to say."""
        for event in graph.record.children("events"):
            yield Unchecked("event type", event.kind, event.iri)

    def _of_keywords(self, graph: Graph) -> Iterator[Unchecked]:
        """Each with the events that name it, or whose card or spell has it; told once where it bears on none."""
        words: dict[Iri, str] = {}
        events: dict[Iri, list[Iri]] = {}
        types = load_schema().event_types
        for node, facts in graph.facts.items():
            keyword = facts.get("keywordNamed")
            if isinstance(keyword, Iri) and keyword not in self._keywords:
                words.setdefault(keyword, str(facts["keyword"]))
            named = facts.get("keywordsNamed")
            if isinstance(named, tuple) and graph.kinds[node] in types:
                for name in named:
                    if isinstance(name, Iri) and name not in self._keywords:
                        events.setdefault(name, []).append(node)
        for keyword in dict.fromkeys([*words, *events]):
            word = words.get(keyword) or self._names.get(keyword, keyword.rpartition("/")[2])
            for event in events.get(keyword) or (None,):
                yield Unchecked("keyword", word, event)


def _keywords(plan: ir.Plan) -> Iterator[Iri]:
    """The keywords that a rule is of, and those that one asks for."""
    for rule in plan.rules():
        if rule.focus.keyword is not None:
            yield rule.focus.keyword
        for part in _parts(rule):
            if isinstance(part, ir.Includes | ir.Compare):
                asked = part.term if isinstance(part, ir.Includes) else part.right
                if isinstance(asked, Iri) and asked.startswith(KEYWORD):
                    yield asked


def _kinds(plan: ir.Plan) -> Iterator[str]:
    """The kinds of nodes that a rule judges, looks for or asks for."""
    for rule in plan.rules():
        yield from rule.focus.kinds
        for part in _parts(rule):
            if isinstance(part, ir.Some) and part.kind:
                yield part.kind
            elif isinstance(part, ir.Compare) and part.left.steps[-1:] == ("eventType",):
                yield str(part.right).removeprefix(GAME)


def _parts(rule: ir.Rule) -> Iterator[ir.Condition]:
    for condition in ir.conditions(rule):
        yield from ir.walk(condition)
