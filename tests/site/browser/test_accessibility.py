"""What axe finds on each kind of page, light and dark, wide and narrow; and what it does not look for."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .conftest import Open
from .kinds import PAGES, status
from .test_ways import checked, run_query

axe = pytest.importorskip("axe_playwright_python.base")
# Of long lists the first entries: one is as the other.
RUN = """async (only) => {
    const rest = ["li", ".vocabulary > div", ".headings > div", "tr"].map((one) => [`${one}:nth-child(n+15)`]);
    const found = await axe.run({ exclude: rest }, { resultTypes: ["violations"], ...(only && { runOnly: only }) });
    return found.violations.flatMap((v) => v.nodes.map((n) => `${v.impact} ${v.id}: ${n.html} (${n.failureSummary})`));
}"""
SCHEMES = ("light", "dark")


def reached(opened: Open, kind: str, **options: Any) -> Any:
    """A page of a kind; for some of them something has to be done first."""
    if kind == "check with a verdict":
        return checked(opened("check", **options))
    if kind == "editor with a result":
        return run_query(opened("sparql", **options))
    return opened(PAGES[kind], status=status(kind), **options)


@pytest.mark.parametrize("kind", [*PAGES, "check with a verdict", "editor with a result"])
def test_axe_finds_nothing(opened: Open, kind: str) -> None:
    page = reached(opened, kind)
    page.evaluate(axe.AXE_SCRIPT)
    assert page.evaluate(RUN) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(RUN, ["color-contrast"]) == []


@pytest.mark.parametrize("kind", ["keyword", "scenario", "search", "editor"])
def test_axe_finds_nothing_on_a_phone(opened: Open, kind: str) -> None:
    page = reached(opened, kind, language="de", viewport={"width": 380, "height": 800})
    page.evaluate(axe.AXE_SCRIPT)
    assert page.evaluate(RUN) == []


def test_axe_would_find_something(opened: Open) -> None:
    page = opened()
    page.evaluate("document.querySelector('.find input').removeAttribute('aria-label')")
    page.evaluate("document.querySelector('.find input').removeAttribute('placeholder')")
    page.evaluate("document.querySelector('h1').style.color = '#ddd'")
    page.evaluate(axe.AXE_SCRIPT)
    found = "\n".join(page.evaluate(RUN))
    assert "label:" in found
    assert "color-contrast:" in found
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.querySelector('h1').style.color = '#444'")
    assert "color-contrast:" in "\n".join(page.evaluate(RUN, ["color-contrast"]))


def test_dark_is_dark(opened: Open) -> None:
    page = opened(PAGES["scenario"])
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for element in ("body", ".top", ".tl-paper"):
            name = "fill" if element.startswith(".tl") else "backgroundColor"
            shade = page.locator(element).first.evaluate(f"e => getComputedStyle(e).{name}")
            light = sum(int(part) for part in re.findall(r"\d+", shade)[:3]) / 3
            assert (light > 220) if scheme == "light" else (light < 60), (scheme, element, shade)


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_scrolls_sideways(opened: Open, language: str) -> None:
    page = opened(language=language)

    def look() -> None:
        for width in (320, 380, 900):
            page.set_viewport_size({"width": width, "height": 700})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (page.url, wide)

    for kind, path in PAGES.items():
        if kind != "error":
            page.goto(path)
            look()
    checked(page)
    look()
    run_query(page)
    look()


@pytest.mark.parametrize("kind", ["home", "keyword", "scenario", "check", "editor"])
def test_focus_is_always_seen(opened: Open, kind: str) -> None:
    """Whatever the Tab key reaches has an outline, a place on the screen, and a name."""
    page = opened(PAGES[kind])
    told = """() => {
        const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
        return { body: e === document.body, seen: box.width > 0 && box.right > 0 && box.bottom > 0 &&
                 style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
                 name: e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length) || "",
                 what: e.outerHTML.slice(0, 120) };
    }"""
    for number in range(30):
        page.keyboard.press("Tab")
        at = page.evaluate(told)
        if at["body"]:
            assert number > 5
            break
        assert at["seen"], at["what"]
        assert at["name"], at["what"]
