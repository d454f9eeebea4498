"""What several kinds of pages have: axioms in words, rulings, rules, scenarios."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from markupsafe import Markup

from rulewright.explain import things
from rulewright.explain.words import Words
from rulewright.site.context import Site
from rulewright.vocabulary import BASE, CORE, RULING, Iri, local_name

DCTERMS: Final = "http://purl.org/dc/terms/"
_STATEMENTS: Final = f"SELECT ?r ?p ?o WHERE {{ ?r <{CORE}%s> %s ; a <{CORE}Statement> ; ?p ?o }}"
VERDICTS: Final = ("violates", "undetermined", "conforms")


@dataclass(frozen=True)
class Page:
    """The title and body of a page; `styles`: what else of `static/` it needs; `data`: JSON-LD that stands in it."""

    title: str
    body: Markup
    styles: tuple[str, ...] = ()
    data: str = ""


@dataclass(frozen=True)
class Link:
    text: str
    href: str


@dataclass(frozen=True)
class Axiom:
    """`lines`: what it says, each with the word that introduces it, such as `when`."""

    anchor: str
    label: str
    lines: tuple[tuple[str, str], ...]
    authority: tuple[Link, ...]


@dataclass(frozen=True)
class Ruling:
    name: str
    href: str
    text: str
    language: str
    issued: str
    status: str
    rests_on: tuple[Link, ...]


@dataclass(frozen=True)
class Scenario:
    name: str
    href: str
    verdict: str
    comment: str


@dataclass(frozen=True)
class Scenarios:
    listed: tuple[Scenario, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def described(site: Site, iri: str) -> dict[str, Any]:
    """What `explain` knows of it, in both languages."""
    told: dict[str, Any] = site.kept.get(("described", iri), lambda: things.describe(Iri(iri), site.knowledge))
    return told


def axioms(site: Site, told: Iterable[dict[str, Any]], language: str, on_page_of: str = "") -> list[Axiom]:
    """`on_page_of`: the name of a keyword, which need not be said again there."""
    words = Words(site.knowledge, language)
    return [
        Axiom(
            local_name(axiom["id"]), axiom["label"][language].removeprefix(f"{on_page_of}: "),
            tuple(_line(line) for line in axiom["words"][language]),
            tuple(Link(words.citation(a), site.href(a["id"])) for a in axiom["authority"]),
        )
        for axiom in told
    ]  # fmt: skip


def _line(line: str) -> tuple[str, str]:
    head, colon, rest = line.partition(": ")
    return (head, rest) if colon and len(head) <= 40 else ("", line)


def links(site: Site, iris: Iterable[str], language: str) -> list[Link]:
    """Things by their names."""
    wanted = list(dict.fromkeys(iris))
    names = site.labels(wanted, language)
    return [Link(names[iri], site.href(iri)) for iri in wanted]


def statements(site: Site, predicate: str, thing: str, language: str) -> list[Ruling]:
    """Rulings that are `about` a thing, or rest on it (`restsOn`): what the rule says first, then the newest first."""
    facts: dict[str, dict[str, list[Any]]] = {}
    for row in site.ask(_STATEMENTS.replace("%s", predicate, 1), thing):
        facts.setdefault(row["r"].value, {}).setdefault(row["p"].value, []).append(row["o"])
    rules = {r.value for said in facts.values() for r in said.get(CORE + "restsOn", ())}
    names = site.labels(sorted(rules), language)
    found = []
    for iri, said in facts.items():
        text, tag = in_language(said.get(CORE + "statement", ()), language)
        issued = max((d.value for d in said.get(DCTERMS + "issued", ())), default="")
        sequence = min((whole(n.value) for n in said.get(CORE + "sequence", ())), default=0)
        status = next((local_name(s.value) for s in said.get(CORE + "status", ())), "")
        rests = sorted({r.value for r in said.get(CORE + "restsOn", ())}, key=lambda r: natural(names[r]))
        told = Ruling(iri.removeprefix(RULING), site.href(iri), text, tag, issued, status,
                      tuple(Link(names[r], site.href(r)) for r in rests))  # fmt: skip
        found.append((bool(issued), -whole(issued.replace("-", "")), sequence, iri, told))
    return [told for *_, told in sorted(found, key=lambda f: f[:4])]


def in_language(literals: Sequence[Any], language: str) -> tuple[str, str]:
    """A text in this language, or else in another, and which that is."""
    by_language = {literal.language or "": literal.value for literal in sorted(set(literals), key=str)}
    for tag in (language, "en", *by_language):
        if tag in by_language:
            return by_language[tag], tag
    return "", ""


def scenarios(site: Site, told: dict[str, Any] | None) -> Scenarios:
    if not told:
        return Scenarios()
    listed = [
        Scenario(s["id"].removeprefix(BASE + "scenario/"), site.href(s["id"]), s["verdict"], s["comment"])
        for s in told["listed"]
    ]
    listed.sort(key=lambda s: (VERDICTS.index(s.verdict), s.name))
    return Scenarios(tuple(listed), {verdict: told[verdict] for verdict in VERDICTS})


def natural(text: str) -> list[tuple[int, str]]:
    """What to sort names by that have numbers in them: 9 comes before 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", text) if part]


def whole(text: str) -> int:
    """A number that data states; 0 for what is none."""
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else 0


def heading(name: str) -> str:
    """The heading of a rule, without what its number says anyway: of `Costs, 9b`, `Costs`."""
    return re.sub(r", ([0-9]+[a-z]?|[a-z])$", "", name)


def other(language: str) -> str:
    return "en" if language == "de" else "de"


def chosen(texts: dict[str, str], language: str) -> str:
    """The text in this language, else in English, else in any; nothing where there is none."""
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")


def both(texts: dict[str, str], language: str) -> tuple[str, str]:
    """A name in this language, and in the other one where that is another."""
    own = chosen(texts, language)
    second = texts.get(other(language), "")
    return own, second if second != own else ""
