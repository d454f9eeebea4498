"""Random records go round in every form; broken ones give an error with its place, never a traceback."""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from rulewright.records import Record, RecordError, plain, read, read_structure, write
from rulewright.vocabulary import Property, Schema, load_schema, packaged

SCHEMA: Schema = load_schema()
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).filter(lambda t: bool(t.strip()))
SYMBOLS = ["{0}", "{2}", "{X}", "{R}", "{W/U}", "{2/B}", "{G/P}", "{C}"]
MANA = st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=3).map("".join)
CREATING = {name for name, kind in SCHEMA.event_types.items() if kind.creates} | {"Suspend"}
Plain = dict[str, Any]


class _Game:
    """Draws a valid record by the schema, so that a new property or event type is tried without a change here."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.players = [f"#p{n}" for n in range(draw(st.integers(1, 3)))]
        self.cards = [f"#c{n}" for n in range(draw(st.integers(1, 3)))]
        self.events: list[str] = []
        self.objects: list[str] = []

    def pick(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def record(self) -> Plain:
        events = [self.event(n) for n in range(self.draw(st.integers(1, 5)))]
        found: Plain = {
            "id": "urn:example:game",
            "players": [{"id": p, **self.some("Player", 3)} for p in self.players],
            "cards": [{"id": c, **self.some("Card", 6)} for c in self.cards],
            "events": events,
        }
        own = {key: prop for key, prop in SCHEMA.structures["Record"].items() if key not in found}
        return found | self.values(own, 2)

    def event(self, number: int) -> Plain:
        kind = self.pick(sorted(SCHEMA.event_types))
        found: Plain = {"type": kind}
        known = dict(SCHEMA.structures[kind])
        for key in ("object", "newObject"):
            prop = known.pop(key, None)
            if prop is None or (key == "newObject" and self.draw(st.booleans())):
                continue
            if key == "newObject" or kind in CREATING:
                found[key] = f"#o{number}{key[0]}"
            elif self.objects:
                found[key] = self.pick(self.objects)
        found |= self.values(known, 6)
        if kind == "Copy" and found.get("to") not in ("stack", "battlefield"):
            found.pop("to", None)  # read as another type of event, which has fewer properties
        self.objects += [found[key] for key in ("object", "newObject") if key == "newObject" or kind in CREATING
                         if key in found]
        if self.draw(st.booleans()):
            found["id"] = f"#e{number}"
        self.events.append(found.get("id", f"#/event/{number + 1}"))
        return found

    def some(self, structure: str, most: int) -> Plain:
        return self.values(SCHEMA.structures[structure], most)

    def values(self, known: dict[str, Property], most: int) -> Plain:
        keys = self.draw(st.lists(st.sampled_from(sorted(known)), max_size=most, unique=True)) if known else []
        pairs = ((key, self.value(known[key])) for key in keys)
        return {key: value for key, value in pairs if value is not NotImplemented}

    def value(self, prop: Property) -> Any:
        if prop.kind == "Map":
            targets = self.draw(st.lists(st.sampled_from(self.cards + self.players), max_size=2, unique=True))
            return {target: self.draw(st.integers(0, 9)) for target in targets}
        if not prop.is_list:
            return self.scalar(prop)
        members = [self.scalar(prop) for _ in range(self.draw(st.integers(0, 3)))]
        return [member for member in members if member is not NotImplemented]

    def scalar(self, prop: Property) -> Any:
        words = {"Step": "TurnStep"}.get(prop.kind, prop.kind)
        if words in SCHEMA.words:
            return self.pick(sorted(SCHEMA.words[words]))
        match prop.kind:
            case "Integer":
                return self.draw(st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(0, 5))
            case "Boolean":
                return self.draw(st.booleans())
            case "Date":
                return self.draw(st.dates()).isoformat()
            case "Mana":
                return self.draw(st.none() | MANA)
            case "Player":
                return self.pick(self.players)
            case "Card":
                return self.pick(self.cards)
            case "Thing":
                return self.pick(self.cards + self.players + self.objects)
            case "Event":
                return self.pick(self.events) if self.events else NotImplemented
            case "EventOrText" if self.events and self.draw(st.booleans()):
                return self.pick(self.events)
            case "EventOrText":
                return self.draw(st.sampled_from(["end of turn", "Ende des Spiels", "for a while"]))
            case "Any":
                return self.draw(st.integers(-9, 9) | st.sampled_from(self.cards) | TEXT.filter(lambda t: t[0] != "#"))
            case "Structure" if prop.structure == "CostBasis":
                words_ = sorted(SCHEMA.words["CostBasis"])
                if self.draw(st.booleans()):
                    return self.pick(words_)
                return {**self.some("AlternativeCost", 2), "alternative": self.draw(TEXT)}
            case "Structure" if prop.structure == "CounterEntry":
                return {"counter": self.draw(TEXT), **self.some("CounterEntry", 1)}
            case "Structure":
                return self.some(str(prop.structure), 3)
        return self.draw(TEXT)


@st.composite
def games(draw: st.DrawFn) -> Plain:
    return _Game(draw).record()


def results(data: bytes) -> list[Record | RecordError]:
    return list(read(["-"], stdin=io.BytesIO(data)))


def facts(record: Record) -> dict[str, Any]:
    return {iri: (node.kind, node.facts) for iri, node in record.nodes.items()}


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(games())
def test_every_form_goes_round(stated: Plain) -> None:
    record = read_structure(stated, "g")
    assert not record.warnings
    again = plain(record)
    assert facts(read_structure(again, "g")) == facts(record)
    assert plain(read_structure(again, "g")) == again
    for form in ("json", "trig", "jsonld"):
        stream = io.BytesIO()
        write([record], form, stream)
        (back,) = results(stream.getvalue())
        assert isinstance(back, Record), (form, back)
        assert plain(back) == again, form
        assert facts(back) == facts(record), form


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
    st.sampled_from(["#p0", "#e1", "#", "", " ", "hand", "{R}", "{", "urn:x", "urn:[", "#a#b", "2026-02-30", "Cast",
                     "\ud800", "\0", "@id", "#/event/1", "1" * 400]),
    st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=2)), max_size=2),
    st.dictionaries(st.sampled_from(["id", "type", "@context", "@id", "n", "of"]), st.text(max_size=3), max_size=2),
)  # fmt: skip
SCENARIOS = [json.loads(path.read_text()) for path in sorted(packaged("data", "scenarios").rglob("*.json"))[::23]]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys or positions."""
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


def broken(draw: st.DrawFn, stated: Any) -> Any:
    """One to three values dropped, replaced, swapped, doubled or renamed."""
    document = [copy.deepcopy(stated)]
    for _ in range(draw(st.integers(1, 3))):
        spots = places(document)
        container, key = spots[draw(st.integers(0, len(spots) - 1))]
        match draw(st.sampled_from(["drop", "replace", "swap", "wrap", "rename"])):
            case "drop" if container is not document:
                del container[key]
            case "swap":
                other, at = spots[draw(st.integers(0, len(spots) - 1))]
                container[key] = copy.deepcopy(other[at])
            case "wrap":
                container[key] = draw(st.sampled_from([[container[key]], {"id": container[key]}, str(container[key])]))
            case "rename" if isinstance(container, dict):
                container[draw(st.sampled_from(["id", "type", "@graph", "x", "cost"]))] = container.pop(key)
            case _:
                container[key] = draw(JUNK)
    return document[0]


def check(found: list[Record | RecordError], needs_place: bool = True) -> None:
    assert found
    for result in found:
        if isinstance(result, Record):
            assert facts(read_structure(plain(result), "g")) == facts(result)
            stream = io.BytesIO()
            write([result], "json", stream)
            continue
        assert isinstance(result, RecordError)
        assert result.problems
        for problem in result.problems:
            assert problem.source == "standard input"
            assert problem.problem
            assert problem.place or not needs_place
            assert "\n" not in str(problem)


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_broken_records_are_errors_with_a_place(data: st.DataObject) -> None:
    stated = data.draw(games() | st.sampled_from(SCENARIOS))
    document = data.draw(st.composite(broken)(stated))
    line = json.dumps(document).encode()
    good = json.dumps({"id": "urn:good", "events": []}).encode()
    *found, last = results(good + b"\n" + line + b"\n" + good + b"\n")
    assert isinstance(last, Record)
    check(found)
    check(results(line), needs_place=False)


@settings(max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_broken_jsonld(data: st.DataObject) -> None:
    stream = io.BytesIO()
    write([read_structure(data.draw(st.sampled_from(SCENARIOS[::7])), "g")], "jsonld", stream)
    document = data.draw(st.composite(broken)(json.loads(stream.getvalue())))
    check(results(json.dumps(document).encode()), needs_place=False)


@pytest.mark.parametrize("form", ["trig", "json", "jsonl.gz", "jsonl.zst"])
def test_broken_bytes(form: str) -> None:
    """Bytes and words changed at random. Not by hypothesis: what matters is the number, and nothing shrinks."""
    import zstandard

    dice = random.Random(702)
    stream = io.BytesIO()
    records = [read_structure(stated, "g") for stated in SCENARIOS[:3]]
    write(records[:1] if form == "trig" else records, form.partition("l.")[0].replace("jsonl", "json"), stream)
    whole = stream.getvalue()
    if form.endswith(".gz"):
        whole = gzip.compress(whole)
    elif form.endswith(".zst"):
        whole = zstandard.ZstdCompressor().compress(whole)
    for _ in range(30 if form == "trig" else 150):
        body = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(body))
            size = dice.choice([0, 1, 1, 5, 50])
            words = [b"", b"\0", b"\xff", b";", b'"', b" <#x> ", b"[", b"game:none", bytes(body[:at][-9:])]
            body[at : at + size] = dice.choice(words)
        check(results(bytes(body)), needs_place=False)


def test_broken_facts_in_rdf() -> None:
    """Whole statements dropped and exchanged: the syntax stays right, so that the reader of the graph is tried."""
    import pyoxigraph as ox

    dice = random.Random(608)
    for stated in SCENARIOS[:8]:
        stream = io.BytesIO()
        write([read_structure(stated, "g")], "trig", stream)
        quads = list(ox.parse(stream.getvalue(), format=ox.RdfFormat.TRIG))
        for _ in range(6):
            changed = list(quads)
            for _ in range(dice.randint(1, 6)):
                a, b = dice.choice(quads), dice.choice(quads)
                if dice.random() < 0.4:
                    changed.remove(a) if a in changed else None
                else:
                    changed.append(ox.Quad(a.subject, a.predicate, b.object, a.graph_name))
            check(results(ox.serialize(changed, format=ox.RdfFormat.N_QUADS) or b""), needs_place=False)
