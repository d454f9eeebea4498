"""A scenario: the game as a picture, with its verdicts and their reasons."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from rulewright.explain import Outcome
from rulewright.records import read
from rulewright.site import game
from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages import thing
from rulewright.site.pages.parts import Page
from rulewright.vocabulary import SCENARIO, packaged

STYLES = ("game.css", "timeline.css")


def page(site: Site, document: Document, language: str) -> Page:
    folder = packaged("data", "scenarios")
    name = document.iri.removeprefix(SCENARIO)
    file = (folder / f"{name}.json").resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        return thing.page(site, document, language)
    outcomes = site.kept.get(("judged", document.iri), lambda: _judged(site, file))
    told = game.body(outcomes, language, knowledge=site.knowledge, link=site.href)
    title = name.rpartition("/")[2].replace("-", " ")
    body = site.render("scenario.html", language, iri=document.iri, title=title, group=name.partition("/")[0],
                       told=Markup(told))  # fmt: skip
    return Page(title, body, STYLES)


def _judged(site: Site, file: Path) -> list[Outcome]:
    outcomes = site.judged(lambda known: read([file], known.parameters()), True, 1)
    for outcome in outcomes:
        if outcome.entry is not None:
            outcome.entry["source"] = ""  # no path of this machine
    return outcomes
