"""A term in both languages: which word is right, which also, and which is to be avoided, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Page, links
from rulewright.vocabulary import SKOS

_RANKS: Final = {"prefLabel": "right", "altLabel": "also", "hiddenLabel": "avoid"}
_WORDS: Final = """SELECT DISTINCT ?rank ?label ?form ?note ?other ?instead WHERE {
    VALUES ?rank { skosxl:prefLabel skosxl:altLabel skosxl:hiddenLabel }
    %s ?rank ?label . ?label skosxl:literalForm ?form
    OPTIONAL { ?label skos:note ?note }
    OPTIONAL { ?label ontolex:otherForm/ontolex:writtenRep ?other }
    OPTIONAL { ?label dcterms:isReplacedBy/skosxl:literalForm ?instead }
}"""


@dataclass
class Word:
    """`rank`: right, also, avoid; `notes` by language; `forms`: inflected ones."""

    text: str
    language: str
    rank: str
    notes: dict[str, str]
    forms: list[str]
    instead: str = ""


def words_of(site: Site, term: str) -> list[Word]:
    """The words of a term, English ones first, the right one first."""
    found: dict[str, Word] = {}
    for row in site.ask(_WORDS, term):
        rank = _RANKS[row["rank"].value.rpartition("#")[2]]
        form = row["form"]
        word = found.setdefault(row["label"].value, Word(form.value, form.language or "", rank, {}, []))
        if row["note"] is not None:
            word.notes[row["note"].language or ""] = row["note"].value
        if row["other"] is not None and row["other"].value not in word.forms:
            word.forms.append(row["other"].value)
        if row["instead"] is not None:
            word.instead = row["instead"].value
    order = list(_RANKS.values())
    for word in found.values():
        word.forms.sort()
    return sorted(found.values(), key=lambda w: (w.language != "en", order.index(w.rank), w.text))


def page(site: Site, document: Document, language: str) -> Page:
    words = words_of(site, document.iri)
    right = {w.language: w.text for w in words if w.rank == "right"}
    name = right.get(language) or next(iter(right.values()), document.path)
    second = next((text for tag, text in right.items() if tag != language and text != name), "")
    same = links(site, document.values(SKOS + "exactMatch"), language)
    notes = document.texts(SKOS + "note") | document.texts(SKOS + "definition")
    body = site.render("term.html", language, iri=document.iri, name=name, second=second, terms=words, same=same,
                       note=notes.get(language, ""))  # fmt: skip
    return Page(name, body)
