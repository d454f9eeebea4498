"""`rulewright search`: cards, keywords, terms, rules and rulings in both languages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import FINDINGS, Home, fail, home_options, indexing, language_option

if TYPE_CHECKING:
    from rulewright.index import Hit

_KINDS = ("card", "keyword", "ruling", "rule", "term")
_WORDS = {
    "en": {
        "card": "card", "keyword": "keyword", "ruling": "ruling", "rule": "rule", "term": "term",
        "nothing": "nothing found: {text}", "near": "; is {names} meant?", "or": " or ",
        "empty": "{text!r}: what is sought? Give a name, a number or some words",
    },
    "de": {
        "card": "Karte", "keyword": "Schlüsselwort", "ruling": "Regelerläuterung", "rule": "Regel", "term": "Begriff",
        "nothing": "nichts gefunden: {text}", "near": "; ist {names} gemeint?", "or": " oder ",
        "empty": "{text!r}: Was wird gesucht? Zu nennen ist ein Name, eine Nummer oder ein paar Wörter",
    },
}  # fmt: skip


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(_KINDS), help="Only such things; repeatable.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many at most.")
@home_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@language_option
def search(text: tuple[str, ...], kinds: tuple[str, ...], limit: int, home: Home, form: str, lang: str) -> None:
    """Find cards, keywords, rulings, rules and terms by English or German name, number or words.

    Typing errors are forgiven, umlauts may be spelt in either way. Without --store or --endpoint it is what the package
    carries. Exit code 1: nothing was found.
    """
    from rulewright.index.folding import fold
    from rulewright.store import StoreError

    words = _WORDS[lang]
    wanted = " ".join(text)
    if not fold(wanted):
        fail(words["empty"].format(text=wanted))
    try:
        hits, near = _searched(wanted, kinds, limit, home, lang)
    except StoreError as error:
        fail(str(error))
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
    text: str, kinds: tuple[str, ...], limit: int, home: Home, lang: str,
) -> tuple[list[Hit], list[str]]:
    import rulewright.api
    from rulewright.index import KINDS

    chosen = [kind for kind in KINDS if kind in kinds]
    with home.open(read_only=True) if home.endpoint else nullcontext(home.store) as of:
        return rulewright.api.search_or_hint(text, of, chosen, limit, lang, indexing(lang))


def _told(hit: Hit, lang: str) -> Iterator[str]:
    """One line, and the part of a text that matched below it."""
    words = _WORDS[lang]
    width = max(len(words[kind]) for kind in _KINDS)
    others = ", ".join(hit.others(lang))
    yield f"{words[hit.kind]:<{width}}  {hit.title(lang)}{f' ({others})' if others else ''}  {hit.local}"
    if hit.excerpt:
        yield f"{'':<{width}}  {hit.excerpt}"
