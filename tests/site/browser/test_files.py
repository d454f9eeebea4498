"""The site as files, in a browser: from a disk and from a plain server, with its search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from once import once
from rulewright.cli.options import Home
from rulewright.site.context import Site
from rulewright.site.export import export
from servers import plain

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.base")

Visit = Callable[..., Any]
SOUGHT = [
    "Rebound", "abprall", "rebuond", "702.88a", "CR 702.88a", "702.85a", "rb-8", "Cancel", "Abbrechen", "cancle",
    "Staggershock", "stagger", "Nachklang", "nachwirkung", "prall",
]  # fmt: skip
SAID = ["not exiled", "hand gewirkt", "kopie abprall"]
"""What stands in texts, of which several are as good."""
ONLY = ["rebound", "aftermath", "Cancel", "Staggershock"]


@pytest.fixture(scope="module")
def dataset() -> Any:
    return Home().open(read_only=True)


@pytest.fixture(scope="module")
def folder(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        export(partial(Home().open, read_only=True), folder, ONLY, jobs=2)

    return once(tmp_path_factory, "files", make)


@pytest.fixture(scope="module", params=["disk", "server"])
def root(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "disk":
        yield folder.as_uri() + "/"
        return
    with plain(folder) as address:
        yield address


@pytest.fixture
def visit(browser: Any, root: str) -> Iterator[Visit]:
    wrong: list[str] = []
    contexts: list[Any] = []

    def open_page(path: str, **options: Any) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        context.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.on("request", lambda asked: None if asked.url.startswith((root, "data:")) else wrong.append(asked.url))
        page = context.new_page()
        page.goto(root + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong, wrong


def titles(page: Any) -> list[str]:
    return page.locator("#hits a").all_inner_texts()


def test_from_the_first_page_by_the_search_to_a_keyword(visit: Visit, root: str) -> None:
    page = visit("index.html")
    assert page.evaluate("getComputedStyle(document.querySelector('.skip')).position") != "static", "the style is there"
    page.get_by_role("searchbox").first.fill("Abprall")
    page.keyboard.press("Enter")
    playwright.expect(page.locator("#hits li").first).to_contain_text("rebound")
    page.locator("#hits a").first.click()
    assert page.url == f"{root}keyword/rebound.html"
    page.locator(".tongues a[lang=de]").click()
    assert page.url == f"{root}de/keyword/rebound.html"
    playwright.expect(page.locator("h1")).to_contain_text("Abprall")
    page.locator("nav.main a").first.click()
    assert page.url == f"{root}de/keyword/index.html"
    page.locator("a.brand").click()
    assert page.url == f"{root}de/index.html"


def test_while_typing_and_by_kind(visit: Visit) -> None:
    page = visit("de/search.html")
    page.locator("#words").press_sequentially("Rebuond")
    playwright.expect(page.locator("#hits a").first).to_have_text("Abprall")
    playwright.expect(page).to_have_url(re.compile(r"/search\.html\?q=Rebuond$"))
    page.locator("#words").fill("Abprall")
    page.locator("input[value=ruling]").check()
    playwright.expect(page.locator("#hits .of").first).to_have_text("Regelerläuterung")
    assert set(page.locator("#hits .of").all_inner_texts()) == {"Regelerläuterung"}
    page.reload()
    assert page.locator("input[value=ruling]").is_checked()
    assert titles(page)
    page.locator("#words").fill("qqqqzzzz")
    playwright.expect(page.locator("#found")).to_contain_text("qqqqzzzz")
    assert titles(page) == []


def test_what_is_sought_is_never_markup(visit: Visit) -> None:
    hostile = "</title><script>alert(1)</script><img src=x onerror=alert(1)>$&{0}"
    page = visit(f"search.html?q={quote(hostile)}&kind=nonsense&kind=<b>")
    playwright.expect(page.locator("#found")).to_contain_text(hostile)
    assert page.locator("main img, main script").count() == 0


def test_axe_finds_nothing(visit: Visit) -> None:
    page = visit("search.html?q=Abprall")
    playwright.expect(page.locator("#hits li").first).to_be_visible()
    page.evaluate(axe.AXE_SCRIPT)
    told = "v => `${v.id}: ${v.nodes[0].html}`"
    assert page.evaluate(f"async () => (await axe.run({{ preload: false }})).violations.map({told})") == []


def test_without_script(visit: Visit) -> None:
    page = visit("search.html", java_script_enabled=False)
    playwright.expect(page.locator("noscript p")).to_contain_text("JavaScript")
    page = visit("scenario/rebound/buyback-chosen-over-rebound.html", java_script_enabled=False)
    playwright.expect(page.locator(".game-picture svg").first).to_be_visible()
    page.locator(".tongues a[lang=de]").click()
    playwright.expect(page.locator("h3", has_text="Ereignisse")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_finds_what_the_search_of_the_project_finds(
    visit: Visit, dataset: Any, folder: Path, language: str
) -> None:
    site = Site(dataset)
    page = visit("search.html" if language == "en" else "de/search.html")
    for text in (*SOUGHT, *SAID):
        hits, _ = site.search(text, (), 50, language)
        wanted = next((f"{hit.local}.html" for hit in hits if (folder / f"{hit.local}.html").is_file()), None)
        page.locator("#words").fill(text)
        page.locator("form.refine button").click()
        found = page.locator("#hits a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
        if text in SOUGHT:
            assert found[:1] == ([wanted] if wanted else []), text
        else:
            assert wanted in found, text
