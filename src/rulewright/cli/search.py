"""`rulewright search`: cards, keywords, terms, rules and rulings in both languages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import BAD_INPUT, FINDINGS, language_option

if TYPE_CHECKING:
    from rulewright.index import Document, Hit

_KINDS = ("card", "keyword", "ruling", "rule", "term")
_WORDS = {
    "en": {
        "card": "card", "keyword": "keyword", "ruling": "ruling", "rule": "rule", "term": "term",
        "nothing": "nothing found: {text}", "near": "; is {names} meant?", "or": " or ", "index": "index",
        "empty": "{text!r}: what is sought? Give a name, a number or some words",
    },
    "de": {
        "card": "Karte", "keyword": "Schlüsselwort", "ruling": "Regelerläuterung", "rule": "Regel", "term": "Begriff",
        "nothing": "nichts gefunden: {text}", "near": "; ist {names} gemeint?", "or": " oder ", "index": "Index",
        "empty": "{text!r}: Was wird gesucht? Zu nennen ist ein Name, eine Nummer oder ein paar Wörter",
    },
}  # fmt: skip


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(_KINDS), help="Only such things; repeatable.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many at most.")
@click.option("--store", type=click.Path(path_type=Path), help="A store on disk (default: what the package carries).")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@language_option
def search(text: tuple[str, ...], kinds: tuple[str, ...], limit: int, store: Path | None, form: str, lang: str) -> None:
    """Find cards, keywords, rulings, rules and terms by English or German name, number or words.

    Typing errors are forgiven, umlauts may be spelt in either way. Exit code 1: nothing was found.
    """
    from rulewright.index.folding import fold
    from rulewright.store import StoreError

    words = _WORDS[lang]
    wanted = " ".join(text)
    if not fold(wanted):
        click.echo(words["empty"].format(text=wanted), err=True)
        sys.exit(BAD_INPUT)
    try:
        hits, near = _searched(wanted, kinds, limit, store, lang)
    except StoreError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)
    if form == "json":
        click.echo(json.dumps({"query": wanted, "hits": [h.as_json() for h in hits]}, ensure_ascii=False, indent=2))
    else:
        for hit in hits:
            for line in _told(hit, lang):
                click.echo(line)
    if not hits:
        hint = words["near"].format(names=words["or"].join(near)) if near else ""
        click.echo(words["nothing"].format(text=wanted) + hint, err=True)
        sys.exit(FINDINGS)


def _searched(
    text: str, kinds: tuple[str, ...], limit: int, store: Path | None, lang: str
) -> tuple[list[Hit], list[str]]:
    import rulewright.api
    from rulewright.index import KINDS

    chosen = [kind for kind in KINDS if kind in kinds]
    what = _WORDS[lang]["index"]
    return rulewright.api.search_or_hint(text, store, chosen, limit, lang, lambda made: _progress(made, what))


def _told(hit: Hit, lang: str) -> Iterator[str]:
    """One line, and the part of a text that matched below it."""
    words = _WORDS[lang]
    width = max(len(words[kind]) for kind in _KINDS)
    title = hit.title(lang)
    names = dict.fromkeys((hit.label.get("en" if lang == "de" else "de", ""), hit.matched))
    others = ", ".join(name for name in names if name and name not in (title, hit.label.get(""), hit.label.get(lang)))
    yield f"{words[hit.kind]:<{width}}  {title}{f' ({others})' if others else ''}  {hit.local}"
    if hit.excerpt:
        yield f"{'':<{width}}  {hit.excerpt}"


def _progress(documents: Iterable[Document], what: str) -> Iterable[Document]:
    """A counter on standard error, where that is a terminal, while an index is made."""
    if not sys.stderr.isatty():
        return documents
    from tqdm import tqdm

    return tqdm(documents, desc=what, unit="", leave=False, file=sys.stderr, delay=1)
