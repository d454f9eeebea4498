"""Descriptions of things, such as “instant or sorcery card in your graveyard”, taken apart into what they ask for.

A description is a list of phrases of which one must hold; of a phrase, all that it asks for. What the words do stands
in `data/words`. Where a description can be read in several ways, all are given; what is not understood is marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from rulewright.vocabulary import Iri, Scalar, local_name
from rulewright.vocabulary.lexicon import Word, load_lexicon, tokens

_PLAYERS = frozenset({"player", "opponent"})
_ADJECTIVES = frozenset({"supertype", "hasColour", "coloursAtLeast", "coloursAtMost"})
_NOUNS = frozenset({"cardType", "subtype"})
_OF_A_CARD = frozenset({"permanent", *_NOUNS, *_ADJECTIVES})
_CLAUSES = frozenset({"inZone", "ofPlayer", "controlledBy"})


@dataclass(frozen=True)
class Quality:
    """One thing that a phrase asks for: of what kind, and which; `negated`: that it is not there."""

    kind: str
    value: Scalar
    negated: bool = False


@dataclass(frozen=True)
class Phrase:
    """What a description asks for; `thing`: the kind of thing, a permanent where it says nothing else (CR 109.2)."""

    thing: str | None = None
    qualities: frozenset[Quality] = frozenset()
    unseen: bool = False
    """It also asks for something that no fact tells of."""
    unknown: bool = False
    """Part of it is not understood: it may ask for anything."""

    def asking(self, *more: Quality) -> Phrase:
        return replace(self, qualities=self.qualities.union(more))

    def among(self, kinds: frozenset[str]) -> list[Quality]:
        return [q for q in self.qualities if q.kind in kinds]


Reading = tuple[Phrase, ...]


@dataclass(frozen=True)
class Description:
    """`readings`: what it may mean; `optional`: fewer of them may be chosen, as far as is understood (CR 115.6)."""

    readings: tuple[Reading, ...]
    optional: bool = False

    @property
    def understood(self) -> bool:
        return not any(phrase.unknown for reading in self.readings for phrase in reading)


@cache
def description(text: str) -> Description:
    """A description taken apart."""
    items = list(_items(tokens(text)))
    optional = any(word is None or word.role == "Maximum" for word, _ in items) or not items
    phrases = [phrase for alternative in _alternatives(items) for phrase in _phrases(alternative)]
    if not phrases:
        return Description(((Phrase(unknown=True),),), optional)
    phrases = _with_common_noun(phrases)
    ways = product((True, False), (False, True))
    return Description(tuple(dict.fromkeys(_reading(phrases, *way) for way in ways)), optional)


@cache
def asking(
    found: Description, zone: Iri | None = None, controller: str | None = None, excluded: tuple[str, ...] = ()
) -> Description:
    """A description that asks for more than its words say; `excluded`: types that a thing must not have."""
    more = [Quality(kind, value) for kind, value in (("inZone", zone), ("controlledBy", controller)) if value]
    left_out = [quality(word) for word in excluded]
    more += [replace(q, negated=True) for q in left_out if q is not None]

    def narrowed(phrase: Phrase) -> Phrase:
        if phrase.thing in _PLAYERS:
            return phrase
        return replace(phrase.asking(*more), unseen=phrase.unseen or None in left_out)

    return replace(found, readings=tuple(tuple(map(narrowed, reading)) for reading in found.readings))


@cache
def quality(text: str) -> Quality | None:
    """What one word asks for, such as a card type; None where it is not known."""
    words = load_lexicon().parts(text.casefold())
    return _asked(words[0])[0] if len(words) == 1 and _asked(words[0]) else None


Item = tuple[Word | None, bool]
"""A word (None: one that is not known), and whether it is negated."""


def _items(parts: tuple[str, ...]) -> Iterator[Item]:
    lexicon = load_lexicon()
    position, negated = 0, False
    while position < len(parts):
        found = lexicon.at(parts, position)
        words: tuple[Word | None, ...]
        if found is not None:
            words, position = (found[0],), found[1]
        else:
            words, position = lexicon.parts(parts[position]) or (None,), position + 1
        for word in words:
            if word is not None and word.role == "Negation":
                negated = True
            elif word is None or word.role != "Filler":
                yield word, negated
                negated = False


def _alternatives(items: list[Item]) -> list[list[Item]]:
    """What stands between words for “or”; a comma says “or” where such a word follows somewhere, and else nothing."""
    roles = [word.role if word is not None else "" for word, _ in items]
    found: list[list[Item]] = [[]]
    for item, role, following in zip(items, roles, [*roles, ""][1:], strict=True):
        if role == "Disjunction" or (
            role == "Comma" and "Disjunction" in roles and following not in ("Clause", "UnseenClause")
        ):
            found.append([])
        elif role not in ("Comma", "Maximum"):
            found[-1].append(item)
    return [alternative for alternative in found if alternative]


def _phrases(items: list[Item]) -> Reading:
    """The phrase that words make up, or those for which a single word stands."""
    word = items[0][0]
    if len(items) == 1 and word is not None and word.role == "Paraphrase":
        return description(str(dict(word.asks)["standsFor"])).readings[0]
    phrase = Phrase()
    for word, negated in items:
        if word is not None and word.role == "UnseenClause":
            return (replace(phrase, unseen=True),)
        phrase = _with(phrase, word, negated)
    return (phrase,)


def _with(phrase: Phrase, word: Word | None, negated: bool) -> Phrase:
    if word is None:
        return replace(phrase, unknown=True)
    if word.role == "UnseenQuality":
        return replace(phrase, unseen=True)
    asked = _asked(word)
    if word.role == "ThingWord" and not word.asks:
        return _of_thing(phrase, local_name(word.iri), negated)
    if not asked or (negated and len(asked) > 1):
        return replace(phrase, unknown=True)
    if word.role == "ThingWord":
        phrase = replace(phrase, thing=phrase.thing or "ability")
    return phrase.asking(*(replace(q, negated=negated) for q in asked))


def _asked(word: Word) -> list[Quality]:
    """What a word asks for by itself: to be of its type, or what its data say."""
    match word.role:
        case "CardType" | "Supertype" | "Subtype":
            return [Quality(word.role[0].lower() + word.role[1:], word.iri)]
        case "ColourWord" | "Clause" | "ThingWord":
            return [Quality(kind, value) for kind, value in word.asks]
    return []


def _of_thing(phrase: Phrase, thing: str, negated: bool) -> Phrase:
    """A noun: of two, “card” and “spell” say what it is, and “permanent” which ones (CR 110.4a, 110.4b)."""
    if thing == "token":
        return phrase.asking(Quality(thing, True, negated))
    if negated:
        return replace(phrase, unknown=True)
    pair = {thing, phrase.thing or thing}
    if len(pair) == 1:
        return replace(phrase, thing=thing)
    noun = pair - {"permanent"}
    if noun <= {"card", "spell"} and len(noun) == 1:
        return replace(phrase, thing=noun.pop()).asking(Quality("permanent", True))
    return replace(phrase, unknown=True)


def _with_common_noun(phrases: list[Phrase]) -> list[Phrase]:
    """“Instant or sorcery card in a graveyard” asks for instant cards, “red or white creature” for red creatures.

    “Creature or spell” does not ask for creature spells.
    """
    found: list[Phrase] = []
    for phrase in reversed(phrases):
        found.append(_like(phrase, found[-1]) if found else phrase)
    return found[::-1]


def _like(phrase: Phrase, after: Phrase) -> Phrase:
    """A phrase with the noun of the one after it, where it has none of its own."""
    if phrase.thing is None and after.thing in ("card", "spell", "permanent") and after.among(_OF_A_CARD):
        where = [q for q in after.among(_CLAUSES) if q.kind != "controlledBy"]
        like = replace(phrase, thing=after.thing, unseen=phrase.unseen or after.unseen).asking(*where)
    else:
        like = phrase
    if like.thing in (None, after.thing) and not phrase.among(_NOUNS) and phrase.among(_ADJECTIVES):
        nouns = after.among(_NOUNS)
        return replace(like.asking(*nouns), unknown=phrase.unknown or len(nouns) > 1)
    return like


def _reading(phrases: list[Phrase], clauses: bool, adjectives: bool) -> Reading:
    """The phrases if the last one's clause, the first one's adjective is meant of all of them."""
    last, first = phrases[-1], phrases[0]
    found = []
    for phrase in phrases:
        shared = phrase
        if phrase.thing not in _PLAYERS:
            if clauses and not phrase.among(_CLAUSES):
                shared = replace(shared.asking(*last.among(_CLAUSES)), unseen=shared.unseen or last.unseen)
            if adjectives and not phrase.among(_ADJECTIVES):
                shared = replace(shared.asking(*first.among(_ADJECTIVES)), unseen=shared.unseen or first.unseen)
        found.append(shared)
    return tuple(found)


def named(words: tuple[str, ...]) -> frozenset[Iri | None]:
    """The words that types or the like name; None among them where one is not known."""
    qualities = map(quality, words)
    return frozenset(Iri(q.value) if q is not None and isinstance(q.value, Iri) else None for q in qualities)


def subtype_of(subtype: object) -> frozenset[Scalar]:
    """The card types whose subtype a word names (CR 205.3)."""
    word = load_lexicon().named.get(Iri(str(subtype)))
    return frozenset(value for name, value in word.asks if name == "subtypeOf") if word is not None else frozenset()
