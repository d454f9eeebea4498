"""The picture of a game: XML with each event once, and verdicts marked where they belong, whatever a record holds."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rulewright.axioms import packaged_knowledge
from rulewright.checks import Checker
from rulewright.explain import outcome
from rulewright.records import Record, RecordError, read
from rulewright.site.game.course import UNKNOWN, Course, Lane
from rulewright.site.game.timeline import fitted, svg, width

ROOT = Path(__file__).parents[3]
SCENARIOS = sorted((ROOT / "data" / "scenarios").rglob("*.json"))
ARENA = ROOT.parent / "shared" / "data" / "arena"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>", '" onload="alert(1)', "'><img src=x onerror=alert(1)>", "]]>&lt;&amp;<!--",
    "\u202e\u05d0\u05d1\u05d2 txet", "\u0627\u0644\u0628\u0631\u0642", "a\x00b\x0bc\ufffe", "\ud800", "{0}{card}", "🂡🂢",
]  # fmt: skip
Json = dict[str, Any]


def pictured(path: Path, language: str = "en", everything: bool = False) -> Iterator[tuple[Record, Json, Course]]:
    knowledge = packaged_knowledge()
    for result in Checker(knowledge, everything=everything).check(read([str(path)], knowledge.parameters())):
        assert result.record is not None, result.problems
        entry = outcome(result, knowledge, everything).entry
        assert entry is not None
        yield result.record, entry, Course(result.record, entry, language, knowledge)


def one(path: Path, language: str = "en") -> tuple[Record, Json, Course]:
    (found,) = pictured(path, language)
    return found


def written(record: Json, folder: Path) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def scenario(name: str) -> Json:
    found: Json = json.loads((ROOT / "data" / "scenarios" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def events_in(tree: ElementTree.Element) -> list[ElementTree.Element]:
    return [g for g in tree.iter(f"{SVG}g") if "tl-event" in g.get("class", "").split()]


def test_every_scenario_has_each_event_once_and_each_verdict_at_its_event() -> None:
    for path in SCENARIOS[::7]:
        record, entry, _ = one(path)
        tree = ElementTree.fromstring(svg(record, entry, "de", False))
        events = record.children("events")
        ids = [g.get("id") for g in events_in(tree)]
        assert ids == [f"p{n}" for n in range(1, len(events) + 1)], path.name
        numbers = {e.iri: n for n, e in enumerate(events, 1)}
        for n, verdict in enumerate(entry["verdicts"], 1):
            marks = [a for a in tree.iter(f"{SVG}a") if a.get("href") == f"#v{n}"]
            assert len(marks) == 1, path.name
            if verdict["focus"] in numbers:
                (flag,) = marks[0].iter(f"{SVG}rect")
                (event,) = [g for g in events_in(tree) if g.get("id") == f"p{numbers[verdict['focus']]}"]
                (word,) = [t for t in event.iter(f"{SVG}text") if t.get("class") == "tl-word"]
                middle = float(flag.get("x", "")) + float(flag.get("width", "")) / 2
                assert middle == pytest.approx(float(word.get("x", "")), abs=0.2), path.name
                signs = [t.text for t in event.iter(f"{SVG}text") if "tl-sign" in t.get("class", "")]
                assert {"violates": "✗", "undetermined": "?"}[verdict["verdict"]] in signs


def test_all_that_is_drawn_lies_in_the_picture() -> None:
    for path in SCENARIOS[::11]:
        record, entry, _ = one(path)
        for alone in (False, True):
            tree = ElementTree.fromstring(svg(record, entry, "en", alone))
            wide, high = (float(n) for n in tree.get("viewBox", "").split()[2:])
            for text in tree.iter(f"{SVG}text"):
                assert 0 <= float(text.get("x") or 0) < wide, path.name
                assert 0 <= float(text.get("y") or 0) < high, path.name


def test_ids_are_unique_and_carry_the_prefix() -> None:
    record, entry, _ = one(SCENARIOS[0])
    tree = ElementTree.fromstring(svg(record, entry, "en", prefix="g2-"))
    ids = [e.get("id") for e in tree.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert all(i is not None and i.startswith("g2-") for i in ids)


def test_shapes_tell_kinds_of_events_apart_without_colour() -> None:
    record, entry, _ = one(ROOT / "data" / "scenarios" / "suspend" / "delayed-spell-ticks-at-its-owners-upkeep.json")
    tree = ElementTree.fromstring(svg(record, entry, "en"))
    outlines: dict[str, set[str]] = {}
    for g in events_in(tree):
        drawn = ",".join(sorted(c.tag.removeprefix(SVG) for c in g if "tl-shape" in c.get("class", "").split()
                                or "tl-inner" in c.get("class", "") or "tl-strike" in c.get("class", "")))  # fmt: skip
        corners = [len(c.get("points", "").split()) for c in g if c.tag == f"{SVG}polygon"]
        outlines.setdefault(g.get("class", "").split()[1], set()).add(f"{drawn}{corners}")
    assert {"tl-act", "tl-trigger", "tl-resolve", "tl-stop", "tl-move", "tl-counter"} <= set(outlines)
    assert all(len(o) == 1 for o in outlines.values())
    distinct = [o for kind, (o,) in ((k, tuple(v)) for k, v in outlines.items()) if kind not in ("tl-act", "tl-other")]
    assert len(distinct) == len(set(distinct))


def test_a_picture_that_stands_alone_has_its_style_and_explains_its_marks() -> None:
    path = ROOT / "data" / "scenarios" / "rebound" / "cast-from-hand-goes-to-graveyard.json"
    record, entry, _ = one(path)
    alone, embedded = svg(record, entry, "en", True), svg(record, entry, "en", False)
    assert "<style>" in alone
    assert "<style" not in embedded
    assert "style=" not in embedded
    tree = ElementTree.fromstring(alone)
    (told,) = [t for t in tree.iter(f"{SVG}text") if t.get("id") == "v1"]
    words = " ".join("".join(told.itertext()).split())
    assert "it should have gone into exile" in words


def test_words_are_those_of_the_language() -> None:
    path = ROOT / "data" / "scenarios" / "rebound" / "cast-from-hand-goes-to-graveyard.json"
    record, entry, _ = one(path)
    english, german = (svg(record, entry, lang).replace(record.id.rpartition("/")[2], "") for lang in ("en", "de"))
    for word in ("graveyard", "battlefield", "casts", "resolves", "Turn 5", "violation"):
        assert re.search(rf"\b{word}\b", english)
        assert not re.search(rf"\b{word}\b", german)
    for word in ("Friedhof", "Spielfeld", "wirkt", "verrechnet", "Zug 5", "Regelverstoß"):
        assert re.search(rf"\b{word}\b", german)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("alone", [False, True])
def test_names_cannot_break_out(name: str, alone: bool, tmp_path: Path) -> None:
    record = scenario("rebound/cast-from-hand-goes-to-graveyard")
    record["players"][0]["name"] = record["cards"][0]["name"] = name
    record["events"][3]["label"] = name
    path = written(record, tmp_path)
    knowledge = packaged_knowledge()
    items = list(read([str(path)], knowledge.parameters()))
    if isinstance(items[0], RecordError):
        pytest.skip("refused on reading")
    read_record, entry, _ = one(path)
    drawn = svg(read_record, entry, "en", alone)
    drawn.encode("utf-8")
    tree = ElementTree.fromstring(drawn)
    known = {"svg", "g", "title", "desc", "style", "rect", "path", "circle", "polygon", "text", "tspan", "a"}
    assert {e.tag.removeprefix(SVG) for e in tree.iter()} <= known
    assert not [a for e in tree.iter() for a in e.keys() if a.startswith("on")]  # noqa: SIM118
    assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", drawn)
    assert len(events_in(tree)) == len(record["events"])


# --- where things are


def lanes_of(course: Course, name: str) -> list[Lane]:
    return [s.lane for s in course.stays if course.name(s.thing) == name]


def closed() -> dict[str, Any]:
    """A game in which nothing could replace the sacrificed creature's way to the graveyard."""
    record = scenario("rebound/cast-from-hand-goes-to-graveyard")
    record["effects"] = []
    record["cards"][1]["keywords"] = []
    return record


def test_a_card_goes_from_zone_to_zone(tmp_path: Path) -> None:
    record, _, course = one(written(closed(), tmp_path))
    ana, ben = (p.iri for p in record.children("players"))
    assert lanes_of(course, "Consuming Vapors") == [Lane("hand", ana), Lane("stack"), Lane("graveyard", ana)]
    assert lanes_of(course, "Llanowar Elves") == [Lane("battlefield", ben), Lane("graveyard", ben)]


def test_a_permanent_stands_with_who_controls_it_and_dies_to_its_owner(tmp_path: Path) -> None:
    record = closed()
    record["events"][2:3] = [
        {"id": "#x1", "type": "ChangeControl", "card": "#elves", "to": "#ana", "during": "#e2"},
        {"id": "#e3", "type": "Sacrifice", "player": "#ana", "cards": ["#elves"], "during": "#e2"},
    ]
    read_record, _, course = one(written(record, tmp_path))
    ana, ben = (p.iri for p in read_record.children("players"))
    lanes = lanes_of(course, "Llanowar Elves")
    assert lanes == [Lane("battlefield", ben), Lane("battlefield", ana), Lane("graveyard", ben)]


def test_what_is_not_recorded_is_shown_as_such(tmp_path: Path) -> None:
    record = scenario("rebound/cast-from-hand-goes-to-graveyard")
    for key in ("turn", "activePlayer", "step"):
        del record["events"][0][key]
    del record["events"][5:]
    record["events"].insert(0, {"id": "#e0", "type": "Observe", "card": "#lost", "colors": ["U"]})
    record["cards"].append({"id": "#lost", "name": "Lost Card", "owner": "#ben"})
    read_record, entry, course = one(written(record, tmp_path))
    drawn = svg(read_record, entry, "en")
    assert "turn not recorded" in drawn
    assert "step not recorded" in drawn
    assert lanes_of(course, "Lost Card") == [Lane(UNKNOWN)]
    assert "zone not re" in drawn


def test_an_ability_lasts_until_all_of_it_has_happened(tmp_path: Path) -> None:
    path = ROOT / "data" / "scenarios" / "rebound" / "three-spells-one-trigger-missing.json"
    _, _, course = one(path)
    abilities = [s for s in course.stays if course.telling.graph.kinds.get(s.thing) == "Ability"]
    assert [(s.start, s.end) for s in abilities] == [(14, 16), (13, 21)]
    assert {s.lane for s in abilities} == {Lane("stack")}


def test_a_copy_that_becomes_a_permanent_is_one_line_and_a_token_ends_where_it_goes() -> None:
    scenarios = ROOT / "data" / "scenarios"
    _, _, course = one(scenarios / "gift" / "copied-permanent-spell-loses-the-promise.json")
    ((_, lanes),) = Counter({n: len(lanes_of(course, n)) for n in ["a copy of Scrapshooter"]}).items()
    assert lanes == 2
    _, _, course = one(scenarios / "escape" / "sacrificed-token-exiled-for-escape.json")
    assert [(s.lane.zone, s.start, s.end) for s in course.stays if s.thing.endswith("#satyr")] == [
        ("battlefield", 3, 5), ("exile", 5, 5),
    ]  # fmt: skip


def test_no_two_lines_of_a_zone_lie_on_one_another() -> None:
    from rulewright.site.game.timeline import Timeline

    for path in SCENARIOS[::13]:
        _, _, course = one(path)
        lines = [line for several in Timeline(course).lines.values() for line in several]
        for a in lines:
            for b in lines:
                if a is not b and (a.stay.lane, a.slot) == (b.stay.lane, b.slot) and a.left <= b.left:
                    assert b.left >= a.reach, (path.name, a.name, b.name)


def test_many_cards_that_do_nothing_are_one_line(tmp_path: Path) -> None:
    record = scenario("rebound/cast-from-hand-goes-to-graveyard")
    record["cards"] += [
        {"id": f"#x{n}", "name": f"Forest {n}", "owner": "#ana", "zone": "library"} for n in range(50)
    ]
    read_record, entry, course = one(written(record, tmp_path))
    resting = [s for s in course.stays if s.lane.zone == "library"]
    assert [len(s.others) for s in resting] == [0, 0, 0, 46]
    drawn = svg(read_record, entry, "en")
    assert "and 46 more" in drawn
    assert "Forest 49" in drawn


def test_a_record_without_events_or_players_has_a_picture(tmp_path: Path) -> None:
    empty = {"id": "urn:example:empty", "type": "Game", "players": [], "cards": [], "events": []}
    record, entry, _ = one(written(empty, tmp_path))
    ElementTree.fromstring(svg(record, entry, "en", True))


def test_a_long_game_has_each_event_once(tmp_path: Path) -> None:
    record = scenario("rebound/cast-from-hand-goes-to-graveyard")
    events = []
    for n in range(30):
        for event in copy.deepcopy(record["events"][:5]):
            event["id"] = f"#n{n}{event['id'][1:]}"
            for key in ("object", "of", "card", "cause", "during"):
                if key in event:
                    event[key] = f"#n{n}{event[key][1:]}"
            event.pop("cards", None)
            event.pop("turn", None)
            if event["type"] != "Sacrifice":
                events.append(event)
    spell = record["cards"][0]
    record["cards"] = [{**spell, "id": f"#n{n}spell"} for n in range(30)]
    record["events"] = [{"id": "#start", "type": "Step", "turn": 5, "activePlayer": "#ana",
                         "step": "precombat main"}, *events]  # fmt: skip
    del record["expect"]
    read_record, entry, _ = one(written(record, tmp_path))
    tree = ElementTree.fromstring(svg(read_record, entry, "en"))
    assert len(events_in(tree)) == 121
    assert sum(v["verdict"] == "violates" for v in entry["verdicts"]) == 30
    xs = [float(t.get("x", "")) for g in events_in(tree) for t in g if t.get("class") == "tl-word"]
    assert all(b - a >= 24 for a, b in pairwise(xs))


def test_a_name_without_end_costs_nothing(tmp_path: Path) -> None:
    record = scenario("rebound/cast-from-hand-goes-to-graveyard")
    record["cards"][0]["name"] = "x" * 300_000
    read_record, entry, _ = one(written(record, tmp_path))
    tree = ElementTree.fromstring(svg(read_record, entry, "en", True))
    assert float(tree.get("width", "")) < 2000


@pytest.mark.skipif(not ARENA.exists(), reason="the real match (shared/data/arena) is not here")
def test_a_real_match(tmp_path: Path) -> None:
    from rulewright.sources import open_log

    (record,) = open_log(ARENA / "sample-match.json.gz", ARENA / "card-names.json")
    assert isinstance(record, Record)
    entry = {"id": record.id, "source": "", "conforms": True, "verdicts": [], "unchecked": [], "warnings": []}
    tree = ElementTree.fromstring(svg(record, entry, "de"))
    assert len(events_in(tree)) == len(record.children("events")) > 200


# --- texts


@pytest.mark.parametrize("text", ["Consuming Vapors", "Æther Vial", "電結の荒廃者", "W" * 60, "ii", "", "e\u0301" * 30])
def test_a_fitted_text_fits(text: str) -> None:
    for room in (0, 5, 30, 90, 1400):
        told = fitted(text, room, 12)
        assert width(told, 12) <= room or not told
        assert told in (text, "") or told.endswith("…")
