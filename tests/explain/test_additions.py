"""What is named as missing is a key that a user can add; added, it settles the axiom or the next one is named.

Values are generated from the schema of records, for every open verdict of every scenario.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.axioms import packaged_knowledge
from rulewright.checks import Checker, Result, Verdict
from rulewright.checks.reference import Missing
from rulewright.explain.additions import Addition, Tracer
from rulewright.records import RecordError, Words, canonical, read_structure
from rulewright.vocabulary import BASE, GAME, Iri, Property, load_schema, packaged

ROOT = packaged("data", "scenarios")
NEVER = Path(__file__).parents[1] / "unsettled.toml"
Plain = dict[str, Any]
DEEP = 10
"""Keys that are added one after the other, at most."""


@cache
def checker() -> Checker:
    return Checker(packaged_knowledge())


@cache
def parameters() -> frozenset[str]:
    return packaged_knowledge().parameters()


def judged(data: Plain) -> Result:
    (result,) = checker().check([read_structure(data, "", parameters=parameters())])
    return result


@cache
def never() -> frozenset[str]:
    listed = tomllib.loads(NEVER.read_text(encoding="utf-8"))["never"]
    return frozenset(name for entry in listed for name in entry["facts"])


def undetermined() -> Iterator[tuple[str, Plain, Result, Verdict]]:
    """Each open verdict of each scenario, with what it is called."""
    for file in sorted(ROOT.rglob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        if any(event.get("type") in load_schema().interruptions for event in data["events"]):
            continue  # no key closes what a record misses
        result = judged(data)
        for verdict in result.verdicts:
            if verdict.verdict == "undetermined":
                yield f"{file.stem}: {verdict.axiom.removeprefix(BASE)} at {verdict.focus}", data, result, verdict


def named(result: Result, verdict: Verdict) -> list[Addition]:
    assert result.graph is not None
    return Tracer(result.graph).additions(verdict.missing)


def excused(verdict: Verdict) -> bool:
    """Whether nothing that could be added to the record is lacking, or nothing alone would decide."""
    return {gap.name.removesuffix("Count") for gap in verdict.missing} <= never()


def still_open(result: Result, verdict: Verdict) -> Verdict | None:
    """The same verdict of a record with more in it; None where the axiom is settled."""
    alike = (v for v in result.verdicts if (v.axiom, v.focus) == (verdict.axiom, verdict.focus))
    return next((v for v in alike if v.verdict == "undetermined"), None)


@cache
def listed_as_open() -> frozenset[str]:
    return frozenset(tomllib.loads(NEVER.read_text(encoding="utf-8"))["open"])


def test_what_is_named_settles_the_axiom_or_the_next_one_is_named() -> None:
    """Either way: with each of a few values that the key can have."""
    problems = not_named()
    assert not [problem for problem in problems if problem.partition(" – ")[0] not in listed_as_open()], problems


@cache
def not_named() -> tuple[str, ...]:
    problems: list[str] = []
    for called, data, result, verdict in undetermined():
        keys = named(result, verdict)
        if not keys and not excused(verdict):
            problems.append(f"{called} – names no key, lacks {[gap.name for gap in verdict.missing]}")
        for key in keys:
            tried = list(readable(variants(data, result, key)))
            if not tried and key.key not in NOT_GENERATED:
                problems.append(f"{called} – no value for {key}")
            for changed in tried:
                after = still_open(changed, verdict)
                if after is not None and key in named(changed, after):
                    problems.append(f"{called} – {key} is named again")
                elif after is not None and not named(changed, after) and not excused(after):
                    problems.append(f"{called} – after {key} no key is named, lacks {[g.name for g in after.missing]}")
    return tuple(sorted(set(problems)))


def test_adding_what_is_named_one_after_the_other_settles_the_axiom() -> None:
    assert set(not_settled()) <= listed_as_open()


def test_what_is_listed_as_open_is_open() -> None:
    assert listed_as_open() == {*not_settled(), *(problem.partition(" – ")[0] for problem in not_named())}


@cache
def not_settled() -> tuple[str, ...]:
    problems: list[str] = []
    for called, data, result, verdict in undetermined():
        if named(result, verdict) and not settled(data, result, verdict, DEEP):
            problems.append(called)
    return tuple(problems)


def settled(data: Plain, result: Result, verdict: Verdict, deep: int) -> bool:
    """Whether some values of what is named, one key after the other, leave the axiom no longer open."""
    keys = named(result, verdict)
    if not keys:
        return excused(verdict)
    if keys[0].key in NOT_GENERATED:
        return True
    for changed in variants(data, result, keys[0]):
        for after in readable([changed]):
            found = still_open(after, verdict)
            if found is None or (deep and settled(changed, after, found, deep - 1)):
                return True
    return False


def readable(records: Iterable[Plain]) -> Iterator[Result]:
    """The results of those that the reader takes."""
    for data in records:
        with suppress(RecordError):
            yield judged(data)


def test_what_settles_a_property_is_said_once() -> None:
    """A second list would take the place of the first."""
    triples = ox.parse(path=packaged("ontology", "game.ttl"), format=ox.RdfFormat.TURTLE)
    said = Counter(t.subject for t in triples if t.predicate.value in (GAME + "settledBy", GAME + "neededWhere"))
    assert [subject for subject, times in said.items() if times > 1] == []


def keys(events: list[Plain], *gaps: tuple[str, str], **more: Any) -> list[tuple[str, ...]]:
    """What is named for facts of nodes that are missing: node, key, member."""
    record = read_structure({"id": "urn:g", **more, "events": events}, "")
    graph = canonical(record, Words({}))
    found = Tracer(graph).additions(Missing(Iri(f"urn:g{node}"), name) for node, name in gaps)
    return [(one.node.removeprefix("urn:g"), one.key, *([one.member] if one.member else [])) for one in found]


CAST: Plain = {"id": "#1", "type": "Cast", "card": "#c", "object": "#s", "from": "hand"}
CAST_FOR_IT = {**CAST, "cost": {"alternative": "kindle"}}
KINDLING = {"id": "#d", "keywords": ["kindle"]}
HALVES = {"id": "#c", "layout": "split", "faces": [{"id": "#l", "name": "L", "manaCost": "{R}"}, {"id": "#r"}]}


@pytest.mark.parametrize(
    ("gaps", "more", "wanted"),
    [
        ([("#1", "player")], {}, [("#1", "player")]),
        ([("", "effectsComplete"), ("", "effectsComplete")], {}, [("", "effects")]),
        ([("#s", "chosenX"), ("#1", "modesKey")], {}, [("#1", "modes")]),
        ([("#s", "chosenModesKey")], {}, [("#1", "modes")]),
        ([("#1", "cardManaValueKey")], {"cards": [HALVES]}, [("#r", "manaCost")]),
        ([("#1", "spellTypes")], {"cards": [HALVES]}, [("#1", "face")]),
        ([("#1", "basisMana")], {}, [("#1", "cost")]),
        ([("#1/exiled/1", "discardedForCost")], {}, [("#1", "additionalCosts")]),
        ([("#s", "resolved")], {}, [("", "records", "Resolve")]),
        ([("#s", "resolved")], {"records": ["Resolve"]}, []),
        ([("#2", "urn:a#b/due")], {}, [("", "events")]),
        ([("#1", "from"), ("#1", "keywordsDefined")], {}, []),
        ([("#1", "keywordsInForceCount")], {"cards": [{"id": "#c"}, KINDLING]}, [("#c", "keywords")]),
    ],
)
def test_a_fact_is_traced_to_what_the_record_leaves_out(
    gaps: list[tuple[str, str]], more: Plain, wanted: list[tuple[str, ...]]
) -> None:
    """What is there is not named, nor what matters only to other cards."""
    cast = CAST_FOR_IT if KINDLING in more.get("cards", ()) else CAST
    assert keys([cast], *gaps, **{"cards": [{"id": "#c"}], **more}) == wanted


def test_a_list_of_event_types_lacks_the_one_asked_for() -> None:
    graph = canonical(read_structure({"id": "urn:g", "records": ["Cast"], "events": []}, ""), Words({}))
    gap = Missing(Iri("urn:g"), "records", Iri(GAME + "Trigger"))
    assert Tracer(graph).additions([gap]) == [Addition(Iri("urn:g"), "records", "Trigger")]


# --- what can be added


NOT_GENERATED = frozenset({"events"})
"""Keys of which no value can be made up here."""


def variants(data: Plain, result: Result, addition: Addition) -> Iterator[Plain]:
    """The record with the key added, with one value after the other."""
    assert result.record is not None
    node = result.record.nodes[addition.node]
    if addition.member is not None:
        changed = copy.deepcopy(data)
        changed["records"] = [*changed.get("records", []), addition.member]
        yield changed
        return
    prop = load_schema().structures[node.kind][addition.key]
    for value in values(data, prop, node.place):
        changed = copy.deepcopy(data)
        at(changed, node.place)[addition.key] = value
        yield changed


def at(data: Plain, where: str) -> Plain:
    """The object at a place, such as `events[3].cost[0]`; a keyword that is a text becomes one."""
    found: Any = data
    for key, index in re.findall(r"([A-Za-z]+)|\[(\d+)\]", where):
        if not key and not isinstance(found, list):
            continue  # a list of one, written without brackets
        step: Any = key or int(index)
        if isinstance(found[step], str):
            found[step] = {"keyword": found[step]}
        found = found[step]
    assert isinstance(found, dict)
    return found


def values(data: Plain, prop: Property, where: str) -> list[Any]:
    """Plausible values of a property, of each kind some."""
    players = [player["id"] for player in data.get("players", [])]
    cards = [card["id"] for card in data.get("cards", [])]
    objects = [event["object"] for event in data["events"] if "object" in event]
    events = [event["id"] for event in data["events"] if "id" in event]
    names = [face["name"] for card in data.get("cards", []) for face in card.get("faces", []) if "name" in face]
    schema = load_schema()
    special: dict[str, list[Any]] = {
        "face": names,
        "types": [["Instant"], ["Creature"]],
        "keywords": [[], *([keyword] for keyword in ("flashback", "escape", "rebound", "suspend", "gift"))],
        "during": [event["id"] for event in data["events"] if event["type"] in ("Resolve", "Cast")],
        "cost": ["mana cost", "without paying mana cost", *({"alternative": k, "mana": "{1}"} for k in keywords(data))],
        "additionalCosts": [[], *([{"kind": kind}] for kind in ("discard", "kicker", "gift"))],
        "effects": [[]],
        "of": objects,
        "targets": [[], *([thing] for thing in (*players, *cards))],
        "division": [{target: 1 for target in at(data, where).get("targets", []) if prop.key == "division"}],
        "permission": [None, *keywords(data), *(effect["id"] for effect in data.get("effects", []) if "id" in effect)],
        "replacement": [None, *keywords(data), *(effect["id"] for effect in data.get("effects", []) if "id" in effect)],
        "otherText": [False],
        "kind": ["creature", "player", "discard"],
        "mana": ["{1}", "{2}{R}"],
    }
    if prop.key in special and (prop.key, prop.kind) not in (("cost", "Mana"), ("targets", "Structure")):
        return special[prop.key]
    kinds: dict[str, list[Any]] = {
        "Integer": [0, 1, 2], "Boolean": [True, False], "Mana": ["{0}", "{2}{R}"], "Player": players,
        "Card": cards, "Thing": [*cards, *players, *objects], "Event": events, "String": ["a", "b"], "Label": ["a"],
        "Any": ["a", 1], "EventOrText": [*events, "end of turn", "end of game"],
        "Zone": list(schema.words["Zone"]), "Step": list(schema.words["TurnStep"]),
        "Colour": list(schema.words["Colour"])[:2], "Layout": list(schema.words["Layout"]),
    }  # fmt: skip
    plain = kinds.get(prop.kind, [])
    return [[], *([one] for one in plain)] if prop.is_list else plain


def keywords(data: Plain) -> list[str]:
    listed = [k for card in data.get("cards", []) for k in card.get("keywords", [])]
    return [k if isinstance(k, str) else k["keyword"] for k in listed]
