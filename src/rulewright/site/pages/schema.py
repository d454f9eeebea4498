"""What search engines read of a page: schema.org as JSON-LD."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from rulewright.site import dumping
from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.store.dataset import PREFIXES
from rulewright.version import __version__
from rulewright.vocabulary import BASE, CORE, SKOS

_KINDS = {
    CORE + "Keyword": "DefinedTerm",
    SKOS + "Concept": "DefinedTerm",
    CORE + "Statement": "CreativeWork",
    CORE + "Rule": "CreativeWork",
    CORE + "Card": "CreativeWork",
    CORE + "Edition": "CreativeWork",
    "http://www.w3.org/ns/earl#TestCase": "CreativeWork",
}
LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"


def of_thing(site: Site, document: Document, title: str) -> dict[str, Any] | None:
    """None for what schema.org has no kind for."""
    kind = next((_KINDS[t] for t in document.types if t in _KINDS), None)
    if kind is None:
        return None
    names = sorted({*document.texts(SKOS + "prefLabel").values()} - {title})
    texts = document.texts(CORE + "statement")
    said: dict[str, Any] = {
        "@context": "https://schema.org/", "@type": kind, "@id": document.iri, "name": title,
        "url": f"{site.base}{document.path}.html",
    }  # fmt: skip
    if names:
        said["alternateName"] = names
    if kind == "DefinedTerm":
        said["inDefinedTermSet"] = site.base
    if texts:
        said["text"] = [{"@language": tag, "@value": text} for tag, text in sorted(texts.items())]
    if issued := document.value(PREFIXES["dcterms"] + "issued"):
        said["datePublished"] = issued
    return said


def of_dataset(site: Site, name: str, description: str) -> dict[str, Any]:
    return {
        "@context": "https://schema.org/", "@type": "Dataset", "@id": BASE + "dataset", "name": name,
        "description": description, "url": site.base, "license": LICENCE, "inLanguage": ["en", "de"],
        "version": __version__,
        "distribution": [
            {"@type": "DataDownload", "contentUrl": site.base + dumping.path(form), "encodingFormat": dumping.TYPE,
             "name": kind.name}
            for form, kind in dumping.FORMS.items()
        ],
    }  # fmt: skip


def written(said: dict[str, Any] | None) -> Markup:
    """As it may stand in a page: nothing in it ends the element."""
    if said is None:
        return Markup("")
    text = json.dumps(said, ensure_ascii=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)
