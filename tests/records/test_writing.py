"""What is written reads back as the same record, in every form and for every scenario."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.records import Record, Words, plain, read, read_structure, write
from rulewright.records.structure import SCENARIO_KEYS
from rulewright.vocabulary import GAME, KEYWORD, RDF, Iri, packaged

SCENARIOS = sorted(packaged("data", "scenarios").rglob("*.json"))


def scenarios(step: int = 1) -> list[Record]:
    return [record for record in read(SCENARIOS[::step]) if isinstance(record, Record)]


def written(records: list[Record], form: str) -> bytes:
    stream = io.BytesIO()
    write(records, form, stream)
    return stream.getvalue()


@pytest.mark.parametrize(("form", "step"), [("json", 1), ("trig", 4), ("jsonld", 20)])
def test_scenarios_read_back_equal(form: str, step: int, tmp_path: Path) -> None:
    records = scenarios(step)
    path = tmp_path / ("all.jsonl" if form == "json" else f"all.{form}")
    path.write_bytes(written(records, form))
    back = list(read([path]))
    assert len(back) == len(records)
    for before, after in zip(records, back, strict=True):
        assert isinstance(after, Record), after
        assert plain(after) == plain(before)
        assert {i: (n.kind, n.facts) for i, n in after.nodes.items()} == {
            i: (n.kind, n.facts) for i, n in before.nodes.items()
        }


def test_plain_is_what_the_scenario_says() -> None:
    """Beside what a scenario says about itself, and three other spellings, nothing is lost, added or reordered."""
    for path in SCENARIOS[::5]:
        stated = json.loads(path.read_text())
        record = read_structure(stated, str(path))
        if record.warnings:
            continue  # what is not known is left out
        found = plain(record)
        for key in SCENARIO_KEYS:
            stated.pop(key, None)
        assert found == {"id": stated.pop("id"), "type": "Game", **_long(stated)}


def _long(value: Any) -> Any:
    """The record with keywords as objects, one face or cost without its list, and copies elsewhere as of cards."""
    if isinstance(value, list):
        return [_long(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: _long(item) for key, item in value.items()}
    for key in ("face", "cost", "manaValue", "chosen"):
        if isinstance(found.get(key), list) and len(found[key]) == 1:
            found[key] = found[key][0]
    if found.get("type") == "Copy" and found.get("to", "stack") not in ("stack", "battlefield"):
        found |= {"type": "CopyCard", "zone": found.pop("to")}
    if isinstance(found.get("keywords"), list):
        found["keywords"] = [{"keyword": k} if isinstance(k, str) else k for k in found["keywords"]]
    if found.get("type") in ("GainKeyword", "LoseKeyword") and isinstance(found.get("keyword"), str):
        found["keyword"] = {"keyword": found["keyword"]}
    return found


def test_one_record_a_line() -> None:
    data = written(scenarios(100), "json")
    assert data.endswith(b"\n")
    assert [json.loads(line)["type"] for line in data.splitlines()] == ["Game"] * len(scenarios(100))


def test_one_named_graph_a_record_without_blank_nodes() -> None:
    records = scenarios(100)
    for form, name in ((ox.RdfFormat.TRIG, "trig"), (ox.RdfFormat.JSON_LD, "jsonld")):
        quads = list(ox.parse(written(records, name), format=form))
        assert {q.graph_name for q in quads} == {ox.NamedNode(r.id) for r in records}
        assert not any(isinstance(t, ox.BlankNode) for q in quads for t in (q.subject, q.object))
    assert written(records, "trig").startswith(b"@prefix ")


def test_stated_and_derived_facts() -> None:
    record = read_structure(
        {
            "id": "urn:g",
            "players": [{"id": "#ana"}],
            "events": [{"id": "#a", "type": "Step", "turn": 2, "step": "draw"}, {"id": "#b", "type": "Draw", "n": 1}],
        },
        "g",
    )
    quads = list(ox.parse(written([record], "trig"), format=ox.RdfFormat.TRIG))

    def values(node: str, name: str) -> list[str]:
        return [q.object.value for q in quads if q.subject.value == node and q.predicate.value == GAME + name]

    assert values("urn:g#b", "turn") == ["2"]
    assert values("urn:g#b", "order") == ["2"]
    assert set(values("urn:g#b", "inferred")) >= {GAME + "turn", GAME + "step"}
    assert GAME + "turn" not in values("urn:g#a", "inferred")
    (head,) = values("urn:g", "events")
    assert any(q.subject.value == head and q.predicate.value == RDF + "first" for q in quads)


@pytest.mark.parametrize("form", ["json", "trig", "jsonld"])
def test_records_are_written_as_they_come(form: str) -> None:
    """A generator is written without waiting for its end."""
    stream = io.BytesIO()
    sizes = []

    def records() -> Iterator[Record]:
        for record in scenarios(100):
            sizes.append(len(stream.getvalue()))
            yield record

    write(records(), form, stream)
    assert 0 < sizes[-1] < len(stream.getvalue())


def test_empty_and_unknown() -> None:
    assert written([], "json") == b""
    assert json.loads(written([], "jsonld")) == []
    with pytest.raises(ValueError, match="no form 'yaml': use one of json, jsonld, trig"):
        written([], "yaml")


def test_known_keywords_are_named_by_their_own_iri() -> None:
    cards = [{"id": "#c", "keywords": ["Abprall"]}]
    record = read_structure({"cards": cards, "events": [{"type": "Step"}]}, "g")
    stream = io.BytesIO()
    write([record], "trig", stream, Words({"Abprall": Iri(KEYWORD + "rebound")}))
    assert b"game:keywordNamed kw:rebound" in stream.getvalue()


def test_unknown_event_types_and_whole_iris_survive() -> None:
    record = read_structure(
        {
            "id": "urn:g",
            "cards": [{"id": "http://example.org/opt", "name": "Opt"}, {"id": "urn:g#a#b"[:7], "name": "Id"}],
            "events": [{"type": "Dance"}, {"type": "Move", "card": "http://example.org/opt", "to": "hand"}],
        },
        "g",
    )
    assert plain(record)["events"] == [
        {"type": "Dance"},
        {"type": "Move", "card": "http://example.org/opt", "to": "hand"},
    ]
    for form in ("json", "trig", "jsonld"):
        (back,) = read(["-"], stdin=io.BytesIO(written([record], form)))
        assert isinstance(back, Record)
        assert plain(back) == plain(record)


@pytest.mark.parametrize("form", ["json", "trig", "jsonld"])
def test_the_word_of_an_unknown_event_type_is_kept(form: str, tmp_path: Path) -> None:
    record = read_structure({"id": "urn:g", "events": [{"id": "#1", "type": "Applause"}]}, "g")
    path = tmp_path / ("g.jsonl" if form == "json" else f"g.{form}")
    path.write_bytes(written([record], form))
    (back,) = read([path])
    assert isinstance(back, Record)
    assert back.dropped == record.dropped == {Iri("urn:g#1"): "Applause"}
