"""Keywords that the project has never seen, each from one Turtle file: every axiom fires, stays silent, and is open.

Each case is a record and the verdicts that it must get: (verdict, axiom, event). The same must come out of the command
line and of the Python functions, and the same violations of every engine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.explain import Run
from rulewright.records import read

Json = dict[str, Any]
Found = set[tuple[str, str, str]]
DATA = Path(__file__).parent / "axioms" / "data"
SOURCE = Path(__file__).parent.parent / "src"
DOCUMENT = Path(__file__).parent.parent / "docs" / "add-a-keyword.md"
PLAYERS = [{"id": "#ana", "turnOrder": 1}, {"id": "#ben", "turnOrder": 2}]


def emberwake(n: int, **changed: Any) -> tuple[Json, list[Json]]:
    """A card with emberwake, and its way: cast from the graveyard, resolved, exiled. `changed`: `cast.from="hand"`."""
    card = {
        "id": f"#c{n}",
        "name": f"Example {n}",
        "owner": "#ana",
        "manaCost": "{3}{R}",
        "types": ["Instant"],
        "keywords": [{"keyword": "emberwake", "cost": "{1}{R}"}],
    }
    cast = {
        "id": f"#cast{n}",
        "type": "Cast",
        "player": "#ana",
        "card": f"#c{n}",
        "object": f"#s{n}",
        "from": "graveyard",
        "cost": {"alternative": "emberwake", "mana": "{1}{R}"},
    }
    end = {"id": f"#end{n}", "type": "Resolve", "object": f"#s{n}"}
    move = {"id": f"#move{n}", "type": "Move", "card": f"#c{n}", "from": "stack", "to": "exile", "cause": f"#end{n}"}
    parts: dict[str, Json] = {"card": card, "cast": cast, "end": end, "move": move}
    for key, value in changed.items():
        part, _, name = key.partition("_")
        if value is None:
            parts[part].pop(name, None)
        else:
            parts[part][name] = value
    return card, [cast, end, move]


def game(name: str, *ways: tuple[Json, list[Json]], **top: Any) -> Json:
    events = [deepcopy(e) for _, way in ways for e in way]
    events[0] = {"turn": 3, "activePlayer": "#ana", "step": "precombat main", **events[0]}
    return {
        "id": f"urn:example:{name}",
        "type": "Game",
        "records": ["Cast", "Resolve", "Move"],
        "players": PLAYERS,
        "cards": [card for card, _ in ways],
        "effects": [],
        "events": events,
        **top,
    }


def later(way: tuple[Json, list[Json]], turn: int, player: str = "#ana") -> tuple[Json, list[Json]]:
    way[1][0].update({"turn": turn, "activePlayer": player, "step": "precombat main"})
    return way


EMBERWAKE: list[tuple[Json, Found]] = [
    (game("cast-and-exiled", emberwake(1)), set()),
    (game("from-hand-for-mana", emberwake(1, cast_from="hand", cast_cost="mana cost", move_to="graveyard")), set()),
    (game("countered-and-exiled", emberwake(1, end_type="Countered")), set()),
    (game("one-in-each-turn", emberwake(1), later(emberwake(2), 5)), set()),
    (game("one-of-each-player", emberwake(1), emberwake(2, card_owner="#ben", cast_player="#ben")), set()),
    (game("name-in-german", emberwake(1, card_keywords=[{"keyword": "Glutwacht", "cost": "{1}{R}"}])), set()),
    (game("from-hand-for-emberwake", emberwake(1, cast_from="hand")), {("violates", "cast", "#cast1")}),
    (game("from-opponents-graveyard", emberwake(1, cast_player="#ben")), {("violates", "cast", "#cast1")}),
    (game("without-emberwake", emberwake(1, card_keywords=[])), {("violates", "cast", "#cast1")}),
    (
        game("too-little-paid", emberwake(1, cast_cost={"alternative": "emberwake", "mana": "{R}"})),
        {("violates", "cost", "#cast1")},
    ),
    (game("two-in-one-turn", emberwake(1), emberwake(2)), {("violates", "once-a-turn", "#cast2")}),
    (
        game("three-in-one-turn", emberwake(1), emberwake(2), emberwake(3)),
        {("violates", "once-a-turn", "#cast2"), ("violates", "once-a-turn", "#cast3")},
    ),
    (game("resolved-to-graveyard", emberwake(1, move_to="graveyard")), {("violates", "exile", "#move1")}),
    (
        game("countered-to-graveyard", emberwake(1, end_type="Countered", move_to="graveyard")),
        {("violates", "exile", "#move1")},
    ),
    (
        game("returned-to-hand-instead", emberwake(1, move_to="hand", move_replacement="Some Spell")),
        {("violates", "exile", "#move1")},
    ),
    (
        game(
            "exile-claimed-from-hand",
            emberwake(1, cast_from="hand", cast_cost="mana cost", move_replacement="emberwake"),
        ),
        {("violates", "exile", "#move1")},
    ),
    (game("origin-unknown", emberwake(1, cast_from=None)), {("undetermined", "cast", "#cast1")}),
    (
        game("cost-unknown", emberwake(1, card_keywords=[{"keyword": "emberwake"}])),
        {("undetermined", "cost", "#cast1")},
    ),
    (game("destination-unknown", emberwake(1, move_to=None)), {("undetermined", "exile", "#move1")}),
    (
        game("casts-not-all-recorded", emberwake(1), records=["Resolve", "Move"]),
        {("undetermined", "once-a-turn", "#cast1")},
    ),
    (
        game("first-player-unknown", emberwake(1, cast_player=None, cast_fromPlayer="#ana"), emberwake(2)),
        {("undetermined", "cast", "#cast1"), ("undetermined", "once-a-turn", "#cast2")},
    ),
]


def dwindle(name: str, events: list[Json], counters: int | None = 2, zone: str = "exile", **top: Any) -> Json:
    card: Json = {
        "id": "#ember",
        "name": "Example",
        "owner": "#ana",
        "zone": zone,
        "keywords": [{"keyword": "dwindle"}],
    }
    if counters is not None:
        card["counters"] = [{"counter": "ash", "n": counters}] if counters else []
    return {
        "id": f"urn:example:{name}",
        "type": "Game",
        "records": ["Trigger", "Resolve", "RemoveCounters"],
        "players": PLAYERS,
        "cards": [card],
        "effects": [],
        "events": events,
        **top,
    }


def step(name: str, turn: int = 3, player: str = "#ana") -> Json:
    words = {"end": "end", "upkeep": "upkeep", "draw": "draw", "cleanup": "cleanup", "main": "precombat main"}
    return {"id": f"#{name}{turn}", "type": "Step", "turn": turn, "activePlayer": player, "step": words[name]}


def trigger(number: int, ability: str, resolved: bool = True, **removed: Any) -> list[Json]:
    """A trigger, how it ended, and the counter that is removed. `removed`: what differs in it (None: not recorded)."""
    events: list[Json] = [
        {
            "id": f"#t{number}",
            "type": "Trigger",
            "player": "#ana",
            "object": f"#a{number}",
            "source": "#ember",
            "ability": f"dwindle: {ability}",
        },
        {"id": f"#r{number}", "type": "Resolve", "object": f"#a{number}"}
        if resolved
        else {"id": f"#r{number}", "type": "Countered", "object": f"#a{number}"},
    ]
    removal = {
        "id": f"#m{number}",
        "type": "RemoveCounters",
        "card": "#ember",
        "counter": "ash",
        "n": 1,
        "cause": f"#r{number}",
    }
    if removed.pop("none", False) or not resolved:
        return events
    return [*events, {k: v for k, v in {**removal, **removed}.items() if v is not None}]


UPKEEP, END = "upkeep", "end step"
BEFORE = [step("upkeep"), *trigger(0, UPKEEP), step("draw")]
DWINDLE: list[tuple[Json, Found]] = [
    (
        dwindle(
            "both-triggers",
            [step("upkeep"), *trigger(1, UPKEEP), step("draw"), step("end"), *trigger(2, END), step("cleanup")],
        ),
        set(),
    ),
    (dwindle("no-counter-no-trigger", [step("upkeep"), step("draw"), step("end"), step("cleanup")], 0), set()),
    (
        dwindle(
            "last-counter-gone-by-end",
            [step("upkeep"), *trigger(1, UPKEEP), step("draw"), step("end"), step("cleanup")],
            1,
        ),
        set(),
    ),
    (dwindle("in-graveyard-no-trigger", [step("upkeep"), step("draw")], zone="graveyard"), set()),
    (
        dwindle(
            "opponents-turn-no-trigger",
            [step("upkeep", 4, "#ben"), step("draw", 4, "#ben"), step("end", 4, "#ben"), step("cleanup", 4, "#ben")],
        ),
        set(),
    ),
    (dwindle("upkeep-not-over", [step("upkeep")]), set()),
    (dwindle("trigger-countered", [step("upkeep"), *trigger(1, UPKEEP, False), step("draw")]), set()),
    (dwindle("upkeep-trigger-missing", [step("upkeep"), step("draw")]), {("violates", "in-upkeep", "#upkeep3")}),
    (dwindle("end-trigger-missing", [*BEFORE, step("end"), step("cleanup")]), {("violates", "in-end-step", "#end3")}),
    (
        dwindle(
            "upkeep-trigger-in-opponents-turn",
            [step("upkeep", 4, "#ben"), *trigger(1, UPKEEP), step("draw", 4, "#ben")],
        ),
        {("violates", "in-upkeep", "#t1")},
    ),
    (
        dwindle(
            "upkeep-trigger-in-end-step",
            [*BEFORE, step("end"), *trigger(1, END), *trigger(2, UPKEEP), step("cleanup")],
            3,
        ),
        {("violates", "in-upkeep", "#t2")},
    ),
    (
        dwindle("end-trigger-in-upkeep", [step("upkeep"), *trigger(1, UPKEEP), *trigger(2, END), step("draw")]),
        {("violates", "in-end-step", "#t2")},
    ),
    (
        dwindle("trigger-twice", [step("upkeep"), *trigger(1, UPKEEP), *trigger(2, UPKEEP), step("draw")]),
        {("violates", "in-upkeep", "#t2")},
    ),
    (
        dwindle(
            "trigger-without-counter",
            [step("upkeep"), *trigger(1, UPKEEP, none=True), step("draw")],
            0,
            records=["Trigger"],
        ),
        {("violates", "in-upkeep", "#t1"), ("undetermined", "removes", "#r1")},
    ),
    (
        dwindle("nothing-removed", [step("upkeep"), *trigger(1, UPKEEP, none=True), step("draw")]),
        {("violates", "removes", "#r1")},
    ),
    (
        dwindle("two-removed", [*BEFORE, step("end"), *trigger(1, END, n=2), step("cleanup")], 3),
        {("violates", "one-counter", "#m1")},
    ),
    (
        dwindle("other-counter-removed", [step("upkeep"), *trigger(1, UPKEEP, counter="time"), step("draw")]),
        {("violates", "one-counter", "#m1")},
    ),
    (
        dwindle("card-not-recorded", [step("upkeep"), *trigger(1, UPKEEP, card=None), step("draw")]),
        {("undetermined", "one-counter", "#m1")},
    ),
    (
        dwindle("number-left-out-is-one", [step("upkeep"), *trigger(1, UPKEEP, n=None), step("draw")]),
        set(),
    ),
    (dwindle("counters-unknown", [step("upkeep"), step("draw")], None), {("undetermined", "in-upkeep", "#upkeep3")}),
    (
        dwindle("triggers-not-all-recorded", [*BEFORE, step("end"), step("cleanup")], records=[]),
        {("undetermined", "in-end-step", "#end3")},
    ),
    (
        dwindle(
            "removals-not-all-recorded",
            [step("upkeep"), *trigger(1, UPKEEP, none=True), step("draw")],
            records=["Trigger"],
        ),
        {("undetermined", "removes", "#r1")},
    ),
]
CASES = {"emberwake": EMBERWAKE, "dwindle": DWINDLE}
AXIOMS = {
    "emberwake": {"cast", "cost", "once-a-turn", "exile"},
    "dwindle": {"in-upkeep", "in-end-step", "removes", "one-counter"},
}
ALL = [pytest.param(k, r, f, id=f"{k}-{r['id'].rpartition(':')[2]}") for k, cases in CASES.items() for r, f in cases]


def _written(keyword: str, folder: Path) -> Path:
    file = folder / f"{keyword}.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r, _ in CASES[keyword]), encoding="utf-8")
    return file


def _told(keyword: str, entry: Json) -> Found:
    """The verdicts of the keyword's axioms; of other axioms, violations that none of these finds."""
    base = f"https://w3id.org/rulewright/keyword/{keyword}#"
    told = [v for v in entry["verdicts"] if v["verdict"] != "conforms"]
    mine = {
        (v["verdict"], v["axiom"].removeprefix(base), "#" + v["focus"].rpartition("#")[2])
        for v in told
        if v["axiom"].startswith(base)
    }
    broken = {focus for verdict, _, focus in mine if verdict == "violates"}
    return mine | {
        ("violates", v["axiom"], focus)
        for v in told
        if v["verdict"] == "violates"
        and not v["axiom"].startswith(base)
        and (focus := "#" + v["focus"].rpartition("#")[2]) not in broken
    }


@cache
def _by_functions(keyword: str, engine: str, folder: Path) -> dict[str, Found]:
    run = Run((DATA / f"{keyword}.ttl",), engine)
    outcomes = list(run.outcomes(read([_written(keyword, folder)], run.knowledge.parameters())))
    assert not [o.errors for o in outcomes if o.errors]
    return {o.entry["id"]: _told(keyword, o.entry) for o in outcomes if o.entry is not None}


@cache
def _by_command(keyword: str, engine: str, folder: Path) -> dict[str, Found]:
    arguments = ["check", "--axioms", DATA / f"{keyword}.ttl", "--engine", engine, "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", *map(str, arguments), str(_written(keyword, folder))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    return {r["id"]: _told(keyword, r) for r in json.loads(done.stdout)["records"]}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("unseen")


@pytest.mark.parametrize("way", [_by_functions, _by_command], ids=["functions", "command"])
@pytest.mark.parametrize("engine", ["fast", "reference", "pyshacl"])
@pytest.mark.parametrize(("keyword", "record", "expected"), ALL)
def test_verdicts(keyword: str, record: Json, expected: Found, engine: str, way: Any, folder: Path) -> None:
    if engine == "pyshacl":  # a SHACL report holds violations only
        expected = {f for f in expected if f[0] == "violates"}
    assert way(keyword, engine, folder)[record["id"]] == expected


@pytest.mark.parametrize("keyword", CASES)
def test_every_axiom_is_broken_and_kept_and_open_somewhere(keyword: str) -> None:
    found = {(verdict, axiom) for _, expected in CASES[keyword] for verdict, axiom, _ in expected}
    assert {a for v, a in found if v == "violates"} == AXIOMS[keyword]
    assert any(not expected for _, expected in CASES[keyword])
    assert {a for v, a in found if v == "undetermined"} == AXIOMS[keyword]


@pytest.mark.parametrize("keyword", CASES)
def test_no_keyword_is_named_in_the_program(keyword: str) -> None:
    assert not [p for p in SOURCE.rglob("*.py") if keyword in p.read_text(encoding="utf-8").casefold()]


def test_the_document_shows_this_file() -> None:
    assert (DATA / "emberwake.ttl").read_text(encoding="utf-8") in DOCUMENT.read_text(encoding="utf-8")
