"""What people do on the site, in a browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rulewright.vocabulary import packaged

from .conftest import Open
from .kinds import PAGES

expect = pytest.importorskip("playwright.sync_api").expect
GAME = "rebound/cast-from-hand-goes-to-graveyard"
EVIL = "<img src=x onerror=console.error('run')>"


def record(name: str = "Consuming Vapors") -> str:
    """A game as a user has it, without what a scenario says of itself; one rule is broken in it, at its fifth event."""
    game = json.loads((packaged("data", "scenarios") / f"{GAME}.json").read_text(encoding="utf-8"))
    for key in ("comment", "statements", "source", "expect", "exhaustive"):
        game.pop(key, None)
    game["id"] = "urn:example:game:1"
    game["cards"][0]["name"] = name
    return json.dumps(game)


def checked(page: Any, text: str = "") -> Any:
    """The page with the verdicts on a game that is pasted."""
    page.goto("check")
    page.locator("#text").fill(text or record())
    page.locator(".check button").click()
    expect(page.locator(".game-verdict-violates")).to_have_count(1)
    return page


def run_query(page: Any, name: str = "rulings-of-a-keyword") -> Any:
    """The page with the result of a named query."""
    page.goto("sparql")
    page.locator(f".sparql-aside a[href*='name={name}']").click()
    expect(page.locator("#sparql-query")).to_have_value(re.compile("SELECT"))
    page.locator(".sparql-run").click()
    expect(page.locator(".sparql-table tbody tr").first).to_be_visible()
    return page


@pytest.mark.parametrize(
    ("language", "typed", "title"),
    [("en", "rebou", "rebound"), ("de", "Abpral", "Abprall"), ("de", "rebou", "Abprall")],
)
def test_suggestions_while_typing(opened: Open, language: str, typed: str, title: str) -> None:
    page = opened(language=language)
    field = page.get_by_role("combobox")
    field.press_sequentially(typed)
    first = page.get_by_role("option").first
    expect(first).to_contain_text(title)
    expect(first).to_contain_text("keyword" if language == "en" else "Schlüsselwort")
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("Escape")
    expect(first).to_be_hidden()
    field.press_sequentially("n" if typed == "rebou" else "l")
    expect(first).to_be_visible()
    field.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", first.get_attribute("id"))
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    assert page.url.endswith("/keyword/rebound.html")


@pytest.mark.parametrize(
    ("language", "words", "title"),
    [
        ("en", "Abprall", "rebound"),
        ("de", "rebuond", "Abprall"),
        ("de", "Abprall", "Abprall"),
        ("en", "702.88a", "702.88a"),
    ],
)
def test_search(opened: Open, language: str, words: str, title: str) -> None:
    page = opened(language=language)
    page.get_by_role("combobox").fill(words)
    page.get_by_role("combobox").press("Enter")
    expect(page.locator(".hits li").first).to_contain_text(title)
    page.locator(".hits a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)


def test_a_suggestion_is_clicked(opened: Open) -> None:
    page = opened("card/")
    page.get_by_role("combobox").press_sequentially("underworld")
    page.get_by_role("option").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Underworld Breach")


def test_search_of_a_kind(opened: Open) -> None:
    page = opened("search?q=rebound")
    page.get_by_label("Rules", exact=True).check()
    page.locator(".refine button").click()
    expect(page.locator(".hits li").first).to_contain_text("702.88a")
    assert set(page.locator(".hits .of").all_inner_texts()) == {"rule"}


def test_from_a_keyword_to_its_ruling_and_rule(opened: Open) -> None:
    page = opened("keyword/")
    page.get_by_role("link", name="rebound", exact=True).click()
    expect(page.get_by_role("heading", name="Rulings")).to_be_visible()
    page.locator(".rulings").get_by_role("link", name="RB-8", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("RB-8")
    english, german = (page.locator(f".sides [lang={tag}]").bounding_box() for tag in ("en", "de"))
    assert english["y"] == german["y"], "side by side"
    assert english["x"] + english["width"] < german["x"]
    page.get_by_role("link", name="CR 702.88a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("702.88a")
    expect(page.locator(".editions")).to_contain_text("702.85a")


def test_a_scenario_and_its_violation(opened: Open) -> None:
    page = opened(PAGES["keyword"])
    page.locator(f".scenarios a[href*='{GAME}']").click()
    mark = page.locator(".game-picture a.tl-mark").first
    expect(mark).to_be_visible()
    mark.click()
    assert page.url.endswith("#v1")
    verdict = page.locator("#v1")
    expect(verdict).to_be_in_viewport()
    expect(verdict.locator(".game-message")).not_to_be_empty()
    assert verdict.locator(".game-facts tr").count() > 1
    expect(verdict.locator(".game-facts tr").first).to_be_visible()
    verdict.get_by_role("link", name="event 5").first.click()
    expect(page.locator("#e5")).to_be_in_viewport()
    page.locator("#e5").get_by_role("link").click()
    verdict.get_by_role("link", name="RB-a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("RB-a")


def test_a_record_is_pasted(opened: Open) -> None:
    page = checked(opened(), record(EVIL))
    expect(page.locator(".game-events")).to_contain_text(EVIL)
    expect(page.locator("main img")).to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture (SVG)").click()
    picture = saved.value.path().read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert saved.value.suggested_filename.endswith(".svg")


def test_a_record_is_uploaded(opened: Open) -> None:
    page = opened("check", language="de")
    file = {"name": "partie.json", "mimeType": "application/json", "buffer": record().encode()}
    page.locator("#file").set_input_files([file])
    page.locator(".check button").click()
    expect(page.locator(".game-verdict-violates")).to_contain_text("Regelverstoß")
    expect(page.locator(".game-about")).to_contain_text("partie.json")


def test_what_is_no_record(opened: Open) -> None:
    page = opened("check")
    page.locator("#text").fill('{"type": "Game"')
    page.locator(".check button").click()
    expect(page.locator("main")).to_contain_text("JSON")


def test_a_named_query(opened: Open) -> None:
    page = run_query(opened())
    expect(page.locator("#sparql-result")).to_contain_text("rows")
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    rows = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert len(rows) == page.locator(".sparql-table tbody tr").count() + 1
    page.locator(".sparql-table td a").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert "/ruling/" in page.url


def test_a_query_of_ones_own(opened: Open) -> None:
    page = opened("sparql")
    query = page.locator("#sparql-query")
    query.fill("SELECT ?x WHERE { ?x a rw:Keyword }")
    query.press("Control+Enter")
    expect(page.locator(".sparql-table tbody tr").first).to_contain_text("kw:")
    page.locator(".sparql-declare").click()
    expect(query).to_have_value(re.compile("^PREFIX rw: <"))


def test_the_language_is_switched(opened: Open) -> None:
    page = opened(PAGES["keyword"])
    page.get_by_role("link", name="de", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Abprall")
    page.locator(".rulings").get_by_role("link", name="RB-8", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", name="Szenarien")).to_be_visible()
    page.get_by_role("combobox").press_sequentially("Nachhall")
    expect(page.get_by_role("option").first).to_contain_text("Schlüsselwort")
    page.get_by_role("combobox").press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("link", name="en", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def tab_to(page: Any, element: Any, most: int = 40) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if element.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach {element}")


def test_with_the_keyboard_alone(opened: Open) -> None:
    page = opened()
    skip = page.get_by_role("link", name="To the content")
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("main a").first).to_be_focused()

    page.reload()
    tab_to(page, page.get_by_role("combobox"))
    page.keyboard.type("Abprall")
    page.keyboard.press("Enter")
    expect(page.locator(".hits")).to_be_visible()
    tab_to(page, page.locator(".hits a").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("rebound")

    tab_to(page, page.get_by_role("link", name="Check a game"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator("#text"))
    page.keyboard.insert_text(record())
    tab_to(page, page.locator(".check button"))
    page.keyboard.press("Enter")
    expect(page.locator(".game-verdict-violates")).to_be_visible()
    tab_to(page, page.locator(".game-picture"))
    tab_to(page, page.locator(".game-picture a.tl-mark").first)
    page.keyboard.press("Enter")
    assert page.url.endswith("#v1")
    expect(page.locator("#v1")).to_be_in_viewport()
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('#v1').contains(document.activeElement)")


def test_without_a_script(opened: Open) -> None:
    page = opened(java_script_enabled=False)
    field = page.get_by_role("searchbox")
    field.fill("Abprall")
    field.press("Enter")
    page.locator(".hits a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("rebound")
    page.locator(".scenarios a").first.click()
    expect(page.locator(".game-picture svg").first).to_be_visible()
    checked(page).locator(".game-picture a.tl-mark").first.click()
    expect(page.locator("#v1")).to_be_in_viewport()
    run_query(page)
    page.get_by_role("link", name="de", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".sparql-table tbody tr").first).to_be_visible()
