"""`explain`: things are found by name, number and identifier, and described in both languages."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from rulewright.axioms import packaged_knowledge
from rulewright.explain.things import describe, find, names, near, text
from rulewright.vocabulary import Iri

KNOWLEDGE = packaged_knowledge()
BASE = "https://w3id.org/rulewright/"
BREACH = "card/27e0948b-9916-473b-8d8c-a51bdfbc7457"
KEYWORDS = {
    "rebound": "Abprall", "escape": "Befreiung", "aftermath": "Nachhall", "gift": "Geschenk", "suspend": "Aussetzen",
    "flashback": "Rückblende", "adventure": "Abenteuer", "fuse": "Fusion",
}  # fmt: skip


def found(wanted: str) -> list[str]:
    return [iri.removeprefix(BASE) for iri in find(wanted, KNOWLEDGE)]


@pytest.mark.parametrize(("english", "german"), KEYWORDS.items())
def test_keywords_by_both_names(english: str, german: str) -> None:
    for wanted in (english, german, english.upper(), f" {german} ", f"{BASE}keyword/{english}"):
        assert found(wanted) == [f"keyword/{english}"]


@pytest.mark.parametrize(
    ("wanted", "things"),
    [
        ("702.88a", ["rule/rebound-a", "rule/infect-a", "rule/battle-cry-a"]),
        ("CR 702.88a", ["rule/rebound-a", "rule/infect-a", "rule/battle-cry-a"]),
        ("702.85a", ["rule/cascade-a", "rule/annihilator-a", "rule/level-up-a", "rule/rebound-a"]),
        ("rebound-a", ["rule/rebound-a"]),
        (f"{BASE}rule/rebound-a", ["rule/rebound-a"]),
        ("RB-3", ["ruling/RB-3"]),
        ("rb-3", ["ruling/RB-3"]),
        (f"{BASE}ruling/RB-3", ["ruling/RB-3"]),
        ("Underworld Breach", [BREACH]),
        ("underworld breach", [BREACH]),
        ("Bresche in der Unterwelt", [BREACH]),
        (f"{BASE}{BREACH}", [BREACH]),
        ("keyword/rebound#exile", ["keyword/rebound#exile"]),
        ("principle/targets", ["principle/targets"]),
        ("no such thing", []),
    ],
)
def test_find(wanted: str, things: list[str]) -> None:
    assert found(wanted) == things


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [("ABPRAL", "Abprall"), ("rebond", "rebound"), ("REBOND ", "rebound"), ("underworld breech", "Underworld Breach"),
     ("rb--3", "RB-3")],
)  # fmt: skip
def test_near_names_in_whatever_letters(wanted: str, meant: str) -> None:
    assert near(wanted, KNOWLEDGE)[0] == meant


def test_what_cites_it_where_it_holds_is_told_too() -> None:
    axioms = {a["id"].removeprefix(BASE) for a in describe(Iri(BASE + "ruling/ES-1"), KNOWLEDGE)["axioms"]}
    assert axioms == {"principle/spell-destination", "keyword/escape#cast"}


def test_names_for_a_hint() -> None:
    known = names(KNOWLEDGE)
    assert {"rebound", "Abprall", "RB-3", "Underworld Breach", "Bresche in der Unterwelt"} <= set(known)


@pytest.mark.parametrize(
    ("thing", "kind", "keys"),
    [
        ("keyword/rebound", "keyword", {"label", "rules", "axioms", "rulings", "scenarios"}),
        ("ruling/RB-3", "ruling", {"label", "statement", "restsOn", "about", "axioms", "scenarios", "issued",
                                     "status"}),
        ("rule/rebound-a", "rule", {"label", "heading", "numbers", "keywords", "axioms", "rulings"}),
        (BREACH, "card", {"label", "faces", "rulings", "scenarios"}),
        ("keyword/rebound#exile", "axiom", {"label", "words", "authority", "archetype"}),
    ],
)  # fmt: skip
def test_what_is_told(thing: str, kind: str, keys: set[str]) -> None:
    told = describe(Iri(BASE + thing), KNOWLEDGE)
    assert told["kind"] == kind
    assert told["id"] == BASE + thing
    assert set(told) == keys | {"kind", "id"}
    assert json.loads(json.dumps(told)) == told


def test_a_keyword_has_its_parts() -> None:
    told = describe(Iri(BASE + "keyword/rebound"), KNOWLEDGE)
    assert told["label"] == {"en": "rebound", "de": "Abprall"}
    assert [r["label"] for r in told["rules"]] == ["CR 702.88a", "CR 702.88b", "CR 702.88c"]
    assert [r["label"] for r in told["rulings"]][:3] == ["RB-a", "RB-b", "RB-c"]
    assert {a["id"].rpartition("#")[2] for a in told["axioms"]} == {"exile", "trigger", "recast", "stays"}
    assert all(set(a["words"]) == {"en", "de"} and all(a["words"].values()) for a in told["axioms"])
    counts = told["scenarios"]
    assert counts["conforms"] + counts["violates"] + counts["undetermined"] == len(counts["listed"]) > 20


def test_a_ruling_finds_the_axioms_that_cite_it() -> None:
    told = describe(Iri(BASE + "ruling/RB-2"), KNOWLEDGE)
    assert f"{BASE}keyword/rebound#exile" in {a["id"] for a in told["axioms"]}, "by a condition's authority"
    assert told["about"] == [{"id": f"{BASE}keyword/rebound", "label": {"en": "rebound", "de": "Abprall"}}]


def test_a_rule_has_its_numbers_with_their_days() -> None:
    numbers = describe(Iri(BASE + "rule/rebound-a"), KNOWLEDGE)["numbers"]
    assert [n["number"] for n in numbers] == ["702.85a", "702.86a", "702.87a", "702.88a"]
    assert numbers == sorted(numbers, key=lambda n: n["since"])


@pytest.mark.parametrize(
    "thing", ["keyword/escape", "ruling/CO-11", "rule/casting-spells-2f", BREACH, "principle/targets"]
)
def test_text_for_people(thing: str) -> None:
    told = describe(Iri(BASE + thing), KNOWLEDGE)
    english, german = ("\n".join(text(told, language)) for language in ("en", "de"))
    assert english != german
    for lines in (english, german):
        assert "None" not in lines
        assert told["id"] in lines


def explain(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "utf8", "-m", "rulewright", "explain", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_command() -> None:
    german = explain("Abprall", "--lang", "de")
    assert german.returncode == 0
    assert german.stdout.startswith("Abprall (rebound)\n")
    assert "wenn: der Zauberspruch hat Abprall, er verlässt den Stapel" in german.stdout
    told = json.loads(explain("702.85a", "--format", "json").stdout)
    assert [t["id"].rpartition("/")[2] for t in told] == ["cascade-a", "annihilator-a", "level-up-a", "rebound-a"]


def test_an_unknown_thing_gives_a_hint() -> None:
    done = explain("Underworld Breech")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == ("Underworld Breech: no keyword, ruling, rule or card of this name, number or id; "
                           "is Underworld Breach meant?\n")  # fmt: skip
