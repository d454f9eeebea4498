"""What the words of records mean: keywords, their abilities, and kinds of things, in every language of the data.

This is the one place where a text becomes a resource. It knows nothing but labels: a word that is none of them is
unknown, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from rulewright.records.descriptions import description
from rulewright.records.model import Value
from rulewright.vocabulary import (
    KEYWORD,
    NEWEST,
    NONE,
    Iri,
    KeywordCost,
    KeywordIris,
    OpenWord,
    Scalar,
    load_schema,
    slug,
)

ABILITY, COST, COUNTER = "AbilityLabel", "CostKind", "CounterKind"
"""Classes of what words mean that are spoken of here."""
_NOTHING: Mapping[str, Iri] = {}
_NOTHING_SAID = KeywordCost()
_COLON = re.compile(r"\s*:\s*")
_ALIKE = 82
"""From which similarity on, of 100, an unknown word is taken for a slip: one letter of six may differ."""


@lru_cache(maxsize=2**14)
def normal(text: str) -> str:
    """A word in one spelling: neither letter case nor spaces make another one of it."""
    return _COLON.sub(": ", " ".join(text.casefold().split()))


def _patterns(compounds: Mapping[str, Iri]) -> tuple[tuple[str, str, Iri], ...]:
    """Compound names as what stands before the quality and after it, and the keyword."""
    cut = ((name.casefold().partition("…"), keyword) for name, keyword in compounds.items())
    return tuple((before, after, keyword) for (before, _, after), keyword in cut)


def _between(name: str, before: str, after: str) -> str | None:
    """The quality that a name says; grown together with the rest, it has to be one that is understood."""
    said = name.removeprefix(before).removesuffix(after)
    if not said.strip() or len(said) + len(before) + len(after) != len(name) or said != said.strip():
        return None
    grown = not (before or " ").endswith(" ") or not (after or " ").startswith(" ")
    return said if not grown or description(said).understood else None


class Words:
    """What words mean: `keywords` by their names and labels, and further `words`, beside those of the ontology."""

    def __init__(self, keywords: Mapping[str, Iri], words: Iterable[OpenWord] = ()) -> None:
        self._keywords = {normal(name): iri for name, iri in keywords.items()}
        self._defined = frozenset(keywords.values())
        self._costs: dict[Iri, KeywordCost] = {}
        self._traits = keywords.traits if isinstance(keywords, KeywordIris) else {}
        self._compounds = _patterns(keywords.compounds) if isinstance(keywords, KeywordIris) else ()
        self._composed: dict[str, tuple[Iri, str] | None] = {}
        self._names = tuple(keywords)
        self._near: dict[tuple[str, tuple[str, ...]], str | None] = {}
        self._words: dict[str, dict[str, Iri]] = {}
        self._spellings: dict[Iri, str] = {}
        self._labels: dict[str, list[str]] = {}
        self._abilities: dict[Iri, dict[str, Iri]] = {}
        self._events: dict[Iri, frozenset[str]] = {}
        self._among: dict[Iri, str] = {}
        for word in (*load_schema().own_words, *words):
            self._add(word)

    def _add(self, word: OpenWord) -> None:
        known = self._words.setdefault(word.kind, {})
        self._spellings[word.iri] = normal(word.en)
        self._events[word.iri] = word.events
        if word.among is not None:
            self._among[word.iri] = word.among
        for label in word.labels:
            text = normal(label)
            known.setdefault(text, word.iri)
            self._labels.setdefault(word.kind, []).append(label)
            if word.keyword is not None:
                self._abilities.setdefault(word.keyword, {})[text.partition(": ")[2]] = word.iri

    # --- keywords

    def keyword(self, name: str, also: Mapping[str, Iri] = _NOTHING) -> Iri | None:
        """The keyword of a name, known or (`also`) had by a card of the record."""
        name = normal(name)
        return self._known(name) or also.get(name)

    def iri(self, name: str) -> Iri:
        """The keyword of a name, which need not be known."""
        return self._known(normal(name)) or Iri(KEYWORD + slug(name))

    def _known(self, name: str) -> Iri | None:
        found = self._keywords.get(name)
        if found is None and (composed := self.compound(name)) is not None:
            return composed[0]
        return found

    def compound(self, name: str) -> tuple[Iri, str] | None:
        """The keyword and the quality of a name that says both, such as “swampwalk”."""
        name = normal(name)
        if name in self._keywords or not self._compounds:
            return None
        if name not in self._composed:
            found = ((keyword, _between(name, before, after)) for before, after, keyword in self._compounds)
            self._composed[name] = next(((keyword, said) for keyword, said in found if said is not None), None)
        return self._composed[name]

    def define(self, keywords: Iterable[Iri]) -> bool:
        """Whether all of these are known, and so whatever they say of play."""
        return self._defined.issuperset(keywords)

    def traits(self, keyword: Iri) -> Mapping[str, Scalar]:
        """What a keyword defines about the object that has it."""
        return self._traits.get(keyword, {})

    def cost(self, keyword: Value | None) -> KeywordCost:
        """What the cost of a keyword is to a spell that has it."""
        if not isinstance(keyword, Iri):
            return _NOTHING_SAID
        if keyword not in self._costs:
            self._costs[keyword] = KeywordCost.of(self.traits(keyword))
        return self._costs[keyword]

    def since(self, trait: str) -> int:
        """The first day (yyyymmdd) of whose rules a keyword defines such a thing."""
        days = (t.get("validFrom", 0) for t in self._traits.values() if trait in t)
        return min((day for day in days if isinstance(day, int)), default=NEWEST)

    def in_label(self, label: str, also: Mapping[str, Iri]) -> Iri:
        """The keyword that a label (`rebound`, `suspend: cast`) names, or `game:none`."""
        return self.keyword(label.partition(":")[0], also) or NONE

    # --- abilities and kinds

    def resolve(self, kind: str, text: str) -> Iri | None:
        """What a word of a kind means; None where it is unknown."""
        return self._words.get(kind, _NOTHING).get(normal(text))

    def ability(self, label: str, keyword: Iri | None, events: Collection[str] = ()) -> Iri | None:
        """The ability that a label names, whose keyword is known already.

        A keyword alone stands for its only ability, or for the only one that triggers on one of these `events`.
        """
        text = normal(label)
        exactly = self._words.get(ABILITY, _NOTHING).get(text)
        if exactly is not None or keyword is None:
            return exactly
        abilities = self._abilities.get(keyword, _NOTHING)
        _, colon, part = text.partition(": ")
        if colon or part in abilities:
            return abilities.get(part)
        found = set(abilities.values())
        if len(found) > 1:
            found = {ability for ability in found if not self._events[ability].isdisjoint(events)}
        return found.pop() if len(found) == 1 else None

    def has_abilities(self, keyword: Iri) -> bool:
        """Whether abilities of a keyword are known, so that a label should name one of them."""
        return keyword in self._abilities

    def events(self, word: Iri) -> frozenset[str]:
        """The event types that a word speaks of."""
        return self._events.get(word, frozenset())

    def among(self, word: Iri) -> str | None:
        """Of a choice of what to keep: the description of what it is chosen among."""
        return self._among.get(word)

    def spelled(self, kind: str, text: str) -> str:
        """A word in one spelling, the same for all that mean the same; an unknown word is only like itself."""
        meant = self.resolve(kind, text)
        return normal(text) if meant is None else self._spellings[meant]

    def spelling(self, word: Iri) -> str:
        """The spelling of what a word means."""
        return self._spellings[word]

    # --- what may have been meant

    def near(self, text: str, kinds: Iterable[str] = ()) -> str | None:
        """The known word that an unknown one nearly is: a keyword's name, or a word of one of these kinds."""
        asked = normal(text), tuple(kinds)
        if asked not in self._near:
            from rapidfuzz import fuzz, process

            words = dict.fromkeys([*self._names, *(label for kind in asked[1] for label in self._labels.get(kind, ()))])
            found = process.extractOne(asked[0], words.keys(), scorer=fuzz.ratio, processor=normal, score_cutoff=_ALIKE)
            self._near[asked] = None if found is None else found[0]
        return self._near[asked]
