"""The promises of what a verdict means, each a property: how a record is changed, and what may change in its verdicts.

A property lists the *sites* at which a record can be changed; a change is made at one of them or at several. Which
properties can be left out, and which words are open, is taken from the record's schema, so that what is added there is
tried; only what the contract says of absence is listed here.
"""

from __future__ import annotations

import io
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from rulewright.checks.assumptions import KINDS, assumed
from rulewright.records import Record, plain, read, whereabouts, write
from rulewright.vocabulary import BASE, NONE, load_schema, local_name
from soundness.judging import KEYWORD, Judge, Plain, Verdicts, accused
from soundness.records import CARRIED, Path, Spot, absolute, at, copied, drop, put, readable, spots

UNHEARD = "quorbling"
"""A word that nobody defines, nor any that is like it."""


@dataclass(frozen=True)
class Site:
    """Where and how a record can be changed. `kind` groups what is found."""

    kind: str
    data: Any = None


@dataclass(frozen=True)
class Break:
    """A promise that is not kept: what an axiom says of an event after a change, and what it said before."""

    axiom: str
    focus: str
    before: str
    after: str

    def __str__(self) -> str:
        said = f"{self.axiom.removeprefix(BASE)} says {self.after}, not {self.before}"
        return f"{local_name(self.focus)}: {said}"


@dataclass(frozen=True)
class Change:
    """What was changed: the record as it was, and where."""

    stated: Plain
    sites: Sequence[Site]
    judge: Judge


class Property(ABC):
    """One promise. The records that it is given are prepared: each event has an id and its own turn and step."""

    name: str
    several = True
    """Whether changes at several sites can be made together."""

    @abstractmethod
    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        """Where a record can be changed so."""

    @abstractmethod
    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        """A new record; None where the change makes none that could be read."""

    def breaks(self, before: Verdicts, after: Verdicts, change: Change) -> list[Break]:
        """As most promises say: no event is accused that was not accused before."""
        return newly_accused(before, after, change.judge)


def newly_accused(before: Verdicts, after: Verdicts, judge: Judge) -> list[Break]:
    """A break that was told of another event before, on the same authority, is no new one: what a record lacks is
    reported where it should have come about, and the event that shows it broken may be lost by the change.
    """
    old, new = accused(before), accused(after)
    moved = {a for focus, axioms in old.items() if focus not in new for axiom in axioms for a in judge.authority(axiom)}
    return [
        Break(axiom, focus, before.get((axiom, focus), "nothing"), "violates")
        for focus, axioms in new.items()
        if focus not in old
        for axiom in sorted(axioms)
        if moved.isdisjoint(judge.authority(axiom))
    ]


def differing(before: Verdicts, after: Verdicts) -> list[Break]:
    keys = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    return [Break(*key, before.get(key, "nothing"), after.get(key, "nothing")) for key in keys]


# --- what a record need not say

REQUIRED = frozenset({"id", "type", "events", "players", "cards"})
"""Without them there is no record, or nothing that a verdict could be about."""
ABSENCE_SAYS = frozenset(
    {*CARRIED, "date", "n", "ifPaid", "unlessPaid", "not", "grantedBy", "fromPlayer", "controller", "until"}
)
"""Keys whose absence says something: what went before holds on, the newest rules, one, always, the owner."""
KEPT = REQUIRED | ABSENCE_SAYS
NARROWING = frozenset({"KeywordInstance.keyword", "Observe.permission", "Observe.face", "Card.faceDown"})
"""Without a name a keyword would be another one; without these a belief would say more, and a card would be face up."""
AS_A_WHOLE = frozenset({"ContinuousEffect", "EffectCondition"})
"""The parts of an effect bound it: without them it would bear on more. Effects are forgotten as a whole."""


def forgettable(spot: Spot) -> bool:
    return spot.property.key not in KEPT and spot.kind not in NARROWING and spot.structure not in AS_A_WHOLE


class Forgetting(Property):
    """Whatever a record need not say can be left out."""

    name = "forgetting"

    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        for spot in spots(stated):
            if spot.kind == "Record.records":
                yield from (Site(f"records: {word}", word) for word in spot.value)
            if forgettable(spot):
                yield Site(spot.kind, [spot.path])
        for key in CARRIED:
            yield Site(f"{key} of every event", [("events", n, key) for n in range(len(stated["events"]))])

    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        found = copied(stated)
        for site in sites:
            if isinstance(site.data, str):
                if site.data in found.get("records", ()):
                    found["records"].remove(site.data)
            else:
                for path in site.data:
                    drop(found, path)
        return readable(found, judge, KEPT)


# --- words that nobody knows

NAMES = frozenset({"name", "names", "team", "face"})
NO_OPEN_WORDS = NAMES | {"types", "subtypes", "supertypes"}
"""Names, and the lists of types, which are complete and so say what something is not."""
_KINDS = frozenset({"kind", "ifPaid", "unlessPaid"})


class Word(NamedTuple):
    """A word of a record, where it stands and under which key, and what it can mean."""

    text: str
    path: Path
    key: str
    kind: str


def words(stated: Plain) -> Iterator[Word]:
    """The open words of a record; a keyword that is given as a plain text is one too."""
    schema = load_schema()
    for spot in spots(stated):
        prop = spot.property
        if prop.structure == "KeywordInstance":
            yield from (Word(text, path, KEYWORD, KEYWORD) for text, path in texts(spot))
        elif prop.kind in ("Label", "String", "EventOrText") and prop.key not in NO_OPEN_WORDS:
            use = schema.word_uses.get(prop.name)
            kind = use.kind if use is not None and use.applies(spot.structure) else ""
            found = (Word(text, path, prop.key, kind) for text, path in texts(spot))
            yield from (word for word in found if prop.kind != "EventOrText" or not word.text.startswith("#"))


def texts(spot: Spot) -> Iterator[tuple[str, Path]]:
    if isinstance(spot.value, str):
        yield spot.value, spot.path
    elif isinstance(spot.value, list):
        yield from ((text, (*spot.path, n)) for n, text in enumerate(spot.value) if isinstance(text, str))


def _head(word: str) -> str:
    return word.partition(":")[0].strip().casefold()


class OpenWords(Property):
    """Any open word can be one that nobody knows: all over the record, of one key, or of one claim."""

    name = "open words"

    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        everywhere: dict[str, list[tuple[Path, str]]] = {}
        by_key: dict[tuple[str, str], list[Path]] = {}
        for word, path, key, _ in words(stated):
            everywhere.setdefault(_head(word), []).append((path, key))
            if key != KEYWORD:
                by_key.setdefault(("kind" if key in _KINDS else key, word.casefold()), []).append(path)
        for places in everywhere.values():
            keys = " ".join(sorted({key for _, key in places}))
            yield Site(f"everywhere ({keys})", (_in_place_of_head, [path for path, _ in places]))
        for (key, word), paths in by_key.items():
            yield Site(key, (_in_place_of_all, paths))
            if ":" in word:
                yield Site(f"part of {key}", (_in_place_of_part, paths))
        for spot in spots(stated):
            if spot.property.kind == "Label" and spot.property.key != KEYWORD and spot.structure not in AS_A_WHOLE:
                yield Site(f"one {spot.kind}", (_in_place_of_all, [spot.path]))

    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        found = copied(stated)
        for number, site in enumerate(sites):
            way, paths = site.data
            for path in paths:
                put(found, path, way(at(found, path), UNHEARD + "s" * number))
        return readable(found, judge, KEPT)


def _in_place_of_head(old: str, new: str) -> str:
    _, colon, rest = old.partition(":")
    return f"{new}{colon}{rest}"


def _in_place_of_part(old: str, new: str) -> str:
    return f"{old.partition(':')[0]}: {new}"


def _in_place_of_all(old: str, new: str) -> str:
    return new


# --- other names, another order, another form


class Names(Property):
    """Names and ids can be others, keywords in the other language, what has no order in another, in every form."""

    name = "names"
    several = False
    unordered = frozenset({"records", "cards", "players", "effects", "keywords"})
    """Lists without order; the ontology says of others that they are compared as sets or bags."""

    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        yield Site("ids", self._other_ids)
        yield Site("names", self._other_names)
        yield Site("the other language", self._other_language)
        yield Site("letter case", self._other_case)
        yield Site("order of keys", self._other_key_order)
        compared = load_schema().compared
        listed = {spot.property.key: compared.get(spot.property.name) for spot in spots(stated)}
        for key in sorted(key for key, by in listed.items() if by in ("set", "bag") or key in self.unordered):
            yield Site(f"order of {key}", partial(self._other_order, key=key))
        for form in ("trig", "jsonld", "json"):
            yield Site(f"form {form}", partial(self._other_form, form=form))

    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        way: Callable[[Plain, Judge], Plain] = sites[0].data
        return way(stated, judge)

    def breaks(self, before: Verdicts, after: Verdicts, change: Change) -> list[Break]:
        stated = change.stated
        if change.sites[0].kind == "ids":
            renamed = {absolute(stated, old): absolute(stated, new) for old, new in _renamed_ids(stated).items()}
            before = {(axiom, renamed.get(focus, focus)): verdict for (axiom, focus), verdict in before.items()}
        return differing(before, after)

    @staticmethod
    def _other_ids(stated: Plain, judge: Judge) -> Plain:
        renamed = _renamed_ids(stated)
        found = _replaced(stated, renamed)
        assert isinstance(found, dict)
        return found

    @staticmethod
    def _other_names(stated: Plain, judge: Judge) -> Plain:
        found = copied(stated)
        names: dict[str, str] = {}
        for spot in spots(stated):
            if spot.property.key in NAMES - {"team"}:
                for text, _ in texts(spot):
                    for name in (text, *text.split(" // ")):
                        if not judge.keeps_name(name) and " // " not in name:
                            names.setdefault(name, f"Quorbling {len(names) + 1}")
        for spot in spots(stated):
            is_name = spot.property.key in NAMES
            if is_name or spot.property.kind in ("Label", "String", "Any"):
                for text, path in texts(spot):
                    put(found, path, _with_names(text, names, is_name, judge))
        return found

    @staticmethod
    def _other_language(stated: Plain, judge: Judge) -> Plain:
        found = copied(stated)
        for word in words(stated):
            put(found, word.path, judge.synonym(word.text, word.kind))
        return found

    @staticmethod
    def _other_case(stated: Plain, judge: Judge) -> Plain:
        found = copied(stated)
        for word in words(stated):
            if judge.knows(word.text, word.kind):
                put(found, word.path, word.text.upper())
        return found

    @staticmethod
    def _other_key_order(stated: Plain, judge: Judge) -> Plain:
        def turned(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: turned(value[key]) for key in reversed(value)}
            return [turned(item) for item in value] if isinstance(value, list) else value

        found = turned(stated)
        assert isinstance(found, dict)
        return found

    @staticmethod
    def _other_order(stated: Plain, judge: Judge, key: str) -> Plain:
        found = copied(stated)
        for spot in spots(found):
            if spot.property.key == key and isinstance(spot.value, list):
                spot.value.reverse()
        return found

    @staticmethod
    def _other_form(stated: Plain, judge: Judge, form: str) -> Plain:
        record = judge.read(stated)
        assert isinstance(record, Record)
        stream = io.BytesIO()
        write([record], form, stream, judge.names)
        (back,) = read(["-"], judge.parameters, io.BytesIO(stream.getvalue()))
        assert isinstance(back, Record), back
        return plain(back)


def _renamed_ids(stated: Plain) -> dict[str, str]:
    """Each id that the record declares, as it is written -> another one."""
    ids: dict[str, str] = {}
    for node in [*stated.get("players", ()), *stated.get("cards", ()), *stated.get("effects", ()), *stated["events"]]:
        for key in ("id", "object", "newObject"):
            old = node.get(key)
            if isinstance(old, str) and old not in ids:
                ids[old] = f"{old}-{len(ids)}q"
    return ids


def _replaced(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _replaced(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def _with_names(text: str, names: Mapping[str, str], is_name: bool, judge: Judge) -> str:
    if text in names and (is_name or judge.names.in_label(text, {}) == NONE):
        return names[text]
    if is_name:
        return " // ".join(names.get(part, part) for part in text.split(" // "))
    if judge.names.in_label(text, {}) != NONE or text.startswith("#"):
        return text
    for old in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(old)}\b", names[old], text)
    return text


# --- what takes no part


class Bystanders(Property):
    """What takes no part changes nothing: cards, true beliefs, events that bear on nothing."""

    name = "bystanders"

    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        for zone in ("library", "graveyard", "exile", "battlefield"):
            for types in (["Artifact"], ["Instant"]) if zone != "battlefield" else (["Artifact"],):
                yield Site(f"card in {zone}", self._card(stated, zone, types))
        if not stated.get("players"):
            return
        card = self._card(stated, "exile", ["Artifact"])
        places = self._places(stated, judge)
        events = stated["events"]
        for number, (last, event) in enumerate(pairwise(events), 1):
            # The first event of a step also tells that the step has begun: it stays the first.
            same_step = all(last.get(key) == event.get(key) for key in CARRIED)
            action = load_schema().event_types[event["type"]].action
            if same_step and action and not {"during", "cause"} & event.keys():
                when = {key: event[key] for key in CARRIED if key in event}
                belief = {"type": "Observe", "card": card["id"], "zone": "exile", "types": ["Artifact"]}
                yield Site("belief about a bystander", (number, card, {**belief, **when}))
                reveal = {"type": "Reveal", "cards": [card["id"]], "player": card["owner"], **when}
                yield Site("Reveal", (number, card, reveal))
                counters = {"type": "AddCounters", "card": card["id"], "counter": "ore", "n": 1, **when}
                yield Site("AddCounters", (number, card, counters))
                for iri, zone in places[number].items():
                    belief = {"type": "Observe", "card": iri, "zone": zone, **when}
                    yield Site("true belief of a zone", (number, None, belief))

    @staticmethod
    def _card(stated: Plain, zone: str, types: list[str]) -> Plain:
        owner = stated["players"][-1]["id"] if stated.get("players") else None
        card = {"id": f"#bystander-in-{zone}-{types[0].lower()}", "name": "Quorbling", "zone": zone}
        known = {"manaCost": "{3}", "types": types, "colors": [], "keywords": []}
        return card | ({"owner": owner} if owner else {}) | known

    @staticmethod
    def _places(stated: Plain, judge: Judge) -> list[dict[str, str]]:
        """Before each event: the zone of each card, where the product itself follows it to."""
        record = judge.read(stated)
        assert isinstance(record, Record)
        now: dict[str, Any] = {}
        found: list[dict[str, str]] = []
        word_of = load_schema().word_of
        for change in whereabouts(record, judge.names).changes:
            now |= {thing: place.zone for thing, place in change.items()}
            cards = ((card["id"], now.get(absolute(stated, card["id"]))) for card in stated.get("cards", ()))
            found.append({iri: word_of[zone] for iri, zone in cards if zone in word_of})
        return found

    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        found = copied(stated)
        cards = {card["id"]: card for card in found.setdefault("cards", [])}
        for site in sites:
            card = site.data[1] if isinstance(site.data, tuple) else site.data
            if card is not None:
                cards.setdefault(card["id"], card)
        found["cards"] = list(cards.values())
        later = sorted((s.data for s in sites if isinstance(s.data, tuple)), key=lambda d: -d[0])
        for count, (number, _, event) in enumerate(later):
            found["events"].insert(number, {"id": f"#bystander-{count}", **event})
        return readable(found, judge, KEPT)

    def breaks(self, before: Verdicts, after: Verdicts, change: Change) -> list[Break]:
        old = {absolute(change.stated, event["id"]) for event in change.stated["events"]}
        changed = [b for b in differing(before, after) if b.focus in old]
        return changed + [b for b in newly_accused(before, after, change.judge) if b.focus not in old]


# --- cut games


class Cutting(Property):
    """A game can be cut off behind any event, or begin with any; a log can miss what happened anywhere."""

    name = "cutting"
    several = False

    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        last = len(stated["events"])
        yield from (Site("tail", (number, last)) for number in range(1, last))
        if "Gap" not in load_schema().event_types:
            return
        yield Site("head states", (0, 0))
        yield from (Site("head", (0, number)) for number in range(1, last))
        yield from (Site("gap between", (number, number)) for number in range(1, last))
        yield from (Site("gap instead of one", (number, number + 1)) for number in range(last))
        yield from (Site("gap instead of two", (number, number + 2)) for number in range(1, last - 1))

    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        site = sites[0]
        first, end = site.data
        found = copied(stated)
        events = found["events"]
        lost = {event["id"] for event in events[first:end]}
        gap = [] if site.kind in ("tail", "head states") else [{"id": "#gap", "type": "Gap"}]
        found["events"] = [*events[:first], *gap, *events[end:]]
        if site.kind == "tail" and any(effect.get("since") in lost for effect in found.get("effects", ())):
            return None
        if gap:
            _replace_references(found, lost, "#gap")
        if site.kind.startswith("head"):
            _forget_beginnings(found)
        return readable(found, judge, REQUIRED)


def _replace_references(stated: Plain, lost: set[str], gap: str) -> None:
    """What began or ended at a lost event began or ended in the gap; other references to it are lost with it."""
    for spot in list(spots(stated)):
        if spot.property.kind == "Event" and spot.value in lost and spot.property.key in ("since", "until"):
            put(stated, spot.path, gap)


STATES = frozenset({"Card", "Player"})
PRINTED = frozenset({"owner", "name", "layout", "faces", "turnOrder", "team", "otherText", "commander", "token"})


def _forget_beginnings(stated: Plain) -> None:
    """Zones and states as the record begins: what a card or player has beside what is printed or lasts all game."""
    schema = load_schema()
    for structure, key in (("Card", "cards"), ("Player", "players")):
        own = schema.structures[structure].keys() - schema.structures["Face"].keys() - PRINTED - ABSENCE_SAYS
        for node in stated.get(key, ()):
            for state in own & node.keys():
                del node[state]


# --- closure


class Closing(Property):
    """What is taken as none by hand settles what was open, and nothing else."""

    name = "closing"

    def sites(self, stated: Plain, judge: Judge) -> Iterator[Site]:
        yield from (Site(f"assume {kind}", kind) for kind in KINDS)
        for word in sorted({event["type"] for event in stated["events"]} - set(stated.get("records", ()))):
            yield Site("one event type", ("records", word))
        for number, card in enumerate(stated.get("cards", ())):
            if "keywords" not in card and "faces" not in card:
                yield Site("keywords of one card", ("cards", number))

    def changed(self, stated: Plain, sites: Sequence[Site], judge: Judge) -> Plain | None:
        found = copied(stated)
        for site in sites:
            match site.data:
                case "records", word:
                    found["records"] = [*found.get("records", ()), word]
                case "cards", number:
                    found["cards"][number]["keywords"] = []
        record = judge.read(found)
        assert isinstance(record, Record)
        return plain(assumed(record, [site.data for site in sites if isinstance(site.data, str)]))

    def breaks(self, before: Verdicts, after: Verdicts, change: Change) -> list[Break]:
        """What was open may be settled; what was settled stays; nothing is accused of which nothing was said."""
        return [
            b
            for b in differing(before, after)
            if b.before in ("violates", "conforms") or (b.before == "nothing" and b.after == "violates")
        ]


PROPERTIES: tuple[Property, ...] = (Forgetting(), OpenWords(), Names(), Bystanders(), Cutting(), Closing())
