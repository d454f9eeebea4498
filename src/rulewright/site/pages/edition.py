"""An edition of the Comprehensive Rules: its day, the editions beside it, and the rules that stand in it, by number."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import DCTERMS, Link, Page, natural
from rulewright.vocabulary import CORE, local_name

_RULES: Final = f"SELECT DISTINCT ?version ?number WHERE {{ ?version <{CORE}inEdition> %s ; <{CORE}number> ?number }}"
_EDITIONS: Final = f"SELECT DISTINCT ?edition ?day WHERE {{ ?edition a <{CORE}Edition> ; dcterms:issued ?day }}"


def page(site: Site, document: Document, language: str) -> Page:
    day = document.value(DCTERMS + "issued") or local_name(document.iri)
    every = sorted((row["day"].value, row["edition"].value) for row in site.ask(_EDITIONS))
    at = next((n for n, (_, iri) in enumerate(every) if iri == document.iri), None)
    beside = {} if at is None else {name: Link(every[n][0], site.href(every[n][1]))
                                    for name, n in (("previous", at - 1), ("next", at + 1)) if 0 <= n < len(every)}
    rules = sorted(((row["number"].value, row["version"].value) for row in site.ask(_RULES, document.iri)),
                   key=lambda rule: natural(rule[0]))  # fmt: skip
    groups = [(section, [Link(number, site.href(iri)) for number, iri in found])
              for section, found in groupby(rules, key=lambda rule: rule[0].partition(".")[0])]  # fmt: skip
    body = site.render("edition.html", language, iri=document.iri, day=day, beside=beside, groups=groups,
                       effective=document.value(CORE + "effective"), number=len(rules))  # fmt: skip
    return Page(day, body)
