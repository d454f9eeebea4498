"""The page of checked games: its links lead somewhere, its words are the reader's, and nothing in it comes alive."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rulewright.explain import Run, Summary
from rulewright.records import read
from rulewright.site.game import body, document
from rulewright.site.game.markup import Markup, clean, el, text
from rulewright.site.game.page import MOST_EVENTS

ROOT = Path(__file__).parents[3]
SCENARIOS = ROOT / "data" / "scenarios"
BROKEN = SCENARIOS / "rebound" / "cast-from-hand-goes-to-graveyard.json"
OPEN = SCENARIOS / "aftermath" / "aftermath-half-from-an-unknown-zone.json"
Json = dict[str, Any]


class Page(HTMLParser):
    """A page as elements and text; tags must be balanced."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def said(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, attribute: str) -> list[str]:
        return [v for _, attributes in self.elements if (v := attributes.get(attribute)) is not None]


def page(*paths: Path, language: str = "en", expect: bool = False, everything: bool = False) -> Page:
    run = Run(expect=expect, everything=everything, keep=True)
    outcomes = run.outcomes(read([str(p) for p in paths], run.knowledge.parameters()))
    return Page("".join(document(outcomes, Summary(), language, knowledge=run.knowledge)))


def written(record: Json, folder: Path, name: str = "game.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_links_within_lead_somewhere_and_ids_are_unique() -> None:
    told = page(BROKEN, OPEN, SCENARIOS / "suspend" / "delayed-spell-ticks-at-its-owners-upkeep.json")
    ids = told.values("id")
    assert len(ids) == len(set(ids))
    within = {h[1:] for h in told.values("href") if h.startswith("#")}
    assert within <= set(ids)
    assert {r for a in told.values("aria-labelledby") for r in a.split()} <= set(ids)
    assert "g1-v1" in within
    assert "g1-e5" in within


def test_nothing_is_fetched_and_no_script_runs() -> None:
    told = page(BROKEN, OPEN)
    assert "script" not in {tag for tag, _ in told.elements}
    assert not told.values("src")
    assert not told.values("style")
    for link in told.values("href"):
        assert link.startswith(("#", "https://w3id.org/rulewright/", "data:image/svg+xml;base64,"))


def test_a_verdict_has_its_reason_facts_rules_and_rulings() -> None:
    told = page(BROKEN)
    for words in ("it should have gone into exile", "CR 702.88a", "RB-1", "keyword in force", "ordinary destination"):
        assert words in told.said
    links = told.values("href")
    assert "https://w3id.org/rulewright/rule/rebound-a" in links
    assert "https://w3id.org/rulewright/ruling/RB-1" in links
    assert "https://w3id.org/rulewright/keyword/rebound#exile" in links


def test_what_is_missing_is_named() -> None:
    told = page(OPEN)
    assert "Not recorded" in told.said
    assert "zone it came from" in told.said


def test_a_scenario_shows_its_comment_and_what_it_expects() -> None:
    told = page(BROKEN, expect=True)
    comment = json.loads(BROKEN.read_text(encoding="utf-8"))["comment"]
    assert comment in told.said
    assert "violation at event 5 (702.88a)" in told.said
    assert "as expected" in told.said
    assert "https://w3id.org/rulewright/ruling/RB-a" in told.values("href")


def test_a_scenario_that_differs_says_how(tmp_path: Path) -> None:
    record = json.loads(BROKEN.read_text(encoding="utf-8"))
    record["expect"] = []
    told = page(written(record, tmp_path), expect=True)
    assert "no violation" in told.said
    assert "differs from what is expected" in told.said
    assert "found, but not expected" in told.said


@pytest.mark.parametrize("expect", [[1, "x", None, {}, {"verdict": []}, {"verdict": "violates", "focus": 7}], {"a": 1}])
def test_malformed_expectations_do_no_harm(expect: object, tmp_path: Path) -> None:
    record = json.loads(BROKEN.read_text(encoding="utf-8"))
    record |= {"expect": expect, "statements": [1, {"a": 2}], "comment": 3, "source": ["x"]}
    page(written(record, tmp_path))


def test_every_event_is_told_in_words_of_the_language() -> None:
    english, german = page(BROKEN), page(BROKEN, language="de")
    assert [v for v in english.values("value") if v.isdigit()] == [str(n) for n in range(1, 8)]
    assert "Ana casts Consuming Vapors from hand in the precombat main phase" in english.said
    assert "Ana wirkt Consuming Vapors aus der Hand in der ersten Hauptphase" in german.said
    assert "hätte aber ins Exil gehen müssen" in german.said
    assert "Friedhof" in german.said
    for words in ("Because", "Rests on", "Expected", "Turn 5", "violation"):
        assert words in english.said
        assert words not in german.said


def test_conforming_verdicts_are_there_where_they_are_wanted() -> None:
    told = page(BROKEN, everything=True)
    assert re.search(r"What conforms \(\d+\)", told.said)


def test_several_games_and_what_could_not_be_read(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"id": "urn:x:1", "type": "Game", "events": [{"type": "Move", "from": "limbo"}]}')
    told = page(BROKEN, bad, OPEN)
    assert "2 checked" in told.said
    assert "What could not be read" in told.said
    assert "limbo" in told.said
    assert [t for t, _ in told.elements].count("h2") == 4


def test_the_saved_picture_stands_alone() -> None:
    (link,) = (h for h in page(BROKEN).values("href") if h.startswith("data:"))
    tree = ElementTree.fromstring(base64.b64decode(link.partition(",")[2]))
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert tree.find("{http://www.w3.org/2000/svg}style") is not None


def test_the_body_links_where_the_site_says(tmp_path: Path) -> None:
    run = Run(keep=True)
    outcomes = run.outcomes(read([str(BROKEN)], run.knowledge.parameters()))
    told = Page(body(outcomes, "de", knowledge=run.knowledge, link=lambda iri: iri.replace("https://w3id.org", "")))
    assert "/rulewright/ruling/RB-1" in told.values("href")
    assert "html" not in {t for t, _ in told.elements}
    assert "h1" not in {t for t, _ in told.elements}


def test_a_result_without_its_record_has_verdicts_all_the_same() -> None:
    run = Run()
    outcomes = run.outcomes(read([str(BROKEN)], run.knowledge.parameters()))
    told = Page(body(outcomes, "en", knowledge=run.knowledge))
    assert "it should have gone into exile" in told.said
    assert "svg" not in {t for t, _ in told.elements}


def test_hostile_text_in_every_field_stays_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202egnirts"
    record = json.loads(BROKEN.read_text(encoding="utf-8"))
    record |= {"comment": evil, "source": evil, "statements": [evil], "unknown property " + evil: 1}
    record["expect"][0]["authority"] = evil
    record["players"][0]["name"] = record["cards"][0]["name"] = record["events"][3]["label"] = evil
    record["cards"][0]["keywords"].append({"keyword": evil})
    record["events"][4]["replacement"] = evil
    record["events"].append({"id": "#t", "type": "Trigger", "object": "#tt", "source": "#elves", "ability": evil})
    told = page(written(record, tmp_path), everything=True)
    assert not {"script", "img"} & {tag for tag, _ in told.elements}
    assert not [a for _, attributes in told.elements for a in attributes if a.startswith("on")]
    assert "\u202e" not in told.said
    assert "<script>alert(1)</script>" in told.said


def test_axioms_of_others_cannot_bring_a_script_as_a_link() -> None:
    from rulewright.explain import Outcome

    verdict = {"axiom": "javascript:alert(1)", "verdict": "violates", "focus": "urn:x#e1", "facts": []}
    verdict |= {"message": {"en": "m", "de": "m"}, "authority": [{"id": "javascript:alert(2)", "label": "x"}]}
    entry = {"id": "urn:x", "source": "", "conforms": False, "verdicts": [verdict], "unchecked": [], "warnings": []}
    assert not [h for h in Page(body([Outcome(entry)], "en")).values("href") if "javascript" in h]


def test_every_text_is_there_in_both_languages_with_the_same_slots() -> None:
    from rulewright.site.game.course import _texts

    texts = _texts()
    assert set(texts["en"]) == set(texts["de"])
    for name, english in texts["en"].items():
        slots = [sorted(re.findall(r"\{\w+\}", t)) for t in (english, texts["de"][name])]
        assert slots[0] == slots[1], name


def test_a_game_that_no_picture_can_hold_is_told_in_words(tmp_path: Path) -> None:
    steps = [{"type": "Step", "turn": n, "activePlayer": "#a", "step": "upkeep"} for n in range(1, MOST_EVENTS + 2)]
    record = {"id": "urn:example:long", "type": "Game", "players": [{"id": "#a", "turnOrder": 1}], "cards": [],
              "events": steps}  # fmt: skip
    told = page(written(record, tmp_path))
    assert "more than the picture can show" in told.said
    assert "svg" not in {t for t, _ in told.elements}
    assert len([i for i in told.values("id") if re.fullmatch(r"e\d+", i)]) == MOST_EVENTS + 1


# --- markup


def test_markup_is_escaped_by_construction() -> None:
    assert el("p", "<b>&", title='"x"') == '<p title="&quot;x&quot;">&lt;b&gt;&amp;</p>'
    assert el("p", Markup("<b>x</b>"), None) == "<p><b>x</b></p>"
    assert el("details", "x", open=True, hidden=False, id=None) == '<details open="open">x</details>'
    assert text(el("br")) == "<br>"


@pytest.mark.parametrize("bad", ["\x00", "\ud800", "\x1b", "\ufffe"])
def test_what_xml_cannot_hold_is_replaced(bad: str) -> None:
    assert clean(f"a{bad}b") == "a\ufffdb"
