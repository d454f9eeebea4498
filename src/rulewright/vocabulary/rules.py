"""The numbers that a rule has had, from the table in `data/rules.ttl`: numbers move, concepts do not."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from rulewright.vocabulary.cache import cached
from rulewright.vocabulary.names import CORE, RULE, RULING, Iri, local_name
from rulewright.vocabulary.resources import packaged


@dataclass
class RuleNumbers:
    versions: dict[Iri, list[tuple[int, str]]] = field(default_factory=dict)
    """Concept -> (day from which the number holds, yyyymmdd; number), oldest first."""

    def number(self, rule: Iri, day: int) -> str | None:
        """The rule's number on a day; before its first version, its first number."""
        known = self.versions.get(rule)
        if not known:
            return None
        return next((number for since, number in reversed(known) if since <= day), known[0][1])

    def numbers(self, rule: Iri) -> set[str]:
        """Every number that the rule ever had."""
        return {number for _, number in self.versions.get(rule, ())}

    def label(self, authority: Iri, day: int) -> str:
        """How an authority is cited: `CR 702.88a` as of the day, the ruling's id, or the end of any other IRI."""
        if authority.startswith(RULE) and (number := self.number(authority, day)) is not None:
            return f"CR {number}"
        return authority.removeprefix(RULING) if authority.startswith(RULING) else local_name(authority)


@cache
def load_rule_numbers() -> RuleNumbers:
    """The packaged table."""
    return cached("rules", [packaged("data", "rules.ttl")], _read_rule_numbers)


def _read_rule_numbers() -> RuleNumbers:
    import pyoxigraph as ox

    of: dict[str, str] = {}
    number: dict[str, str] = {}
    edition: dict[str, str] = {}
    effective: dict[str, int] = {}
    for triple in ox.parse(path=packaged("data", "rules.ttl"), format=ox.RdfFormat.TURTLE):
        match triple.predicate.value.removeprefix(CORE):
            case "versionOf":
                of[triple.subject.value] = triple.object.value
            case "number":
                number[triple.subject.value] = triple.object.value
            case "inEdition":
                edition[triple.subject.value] = triple.object.value
            case "effective":
                effective[triple.subject.value] = int(triple.object.value.replace("-", ""))
    table = RuleNumbers()
    for version, rule in of.items():
        table.versions.setdefault(Iri(rule), []).append((effective[edition[version]], number[version]))
    for known in table.versions.values():
        known.sort()
    return table
