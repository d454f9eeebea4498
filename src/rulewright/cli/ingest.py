"""`rulewright ingest`: documents of rulings into the graph."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import BAD_INPUT, FINE, language_option

if TYPE_CHECKING:
    from rulewright.sources.ingest import Found, Ingested, Report

EXCERPT = 70
"""Characters of a text that is shown, so that a person finds it again."""
_WORDS = {
    "en": {
        "dated": "dated rulings", "wiki": "wiki page", "on": "on", "about": "about",
        "card unknown": "no card that is known",
        "added": "added", "already there": "already there", "updated": "updated", "found": "read",
        "statements": "{n} statements, {matched} of them known", "known": "known as", "unknown": "not known",
        "line": "line", "none": "no date", "dates": "dates", "languages": "languages",
        "de": "German", "en": "English", "de+en": "German with an English remark",
        "en+de": "English with a German remark", "und": "another language, or too short to tell",
        "document": "document", "documents": "documents", "error": "error", "errors": "errors",
        "total": "{documents}, {matched} of {statements} statements matched ({languages}); {errors}",
        "nothing": "Nothing was kept: a store to keep it in is named by --store DIR.",
        "kept": "Kept in {store}: ask it by rulewright query … --store {store}",
    },
    "de": {
        "dated": "datierte Regelerläuterungen", "wiki": "Wikiseite", "on": "zu", "about": "über",
        "card unknown": "keine bekannte Karte",
        "added": "aufgenommen", "already there": "schon da", "updated": "erneuert", "found": "gelesen",
        "statements": "{n} Aussagen, davon {matched} bekannt", "known": "bekannt als", "unknown": "nicht bekannt",
        "line": "Zeile", "none": "ohne Datum", "dates": "Daten", "languages": "Sprachen",
        "de": "deutsch", "en": "englisch", "de+en": "deutsch mit englischer Bemerkung",
        "en+de": "englisch mit deutscher Bemerkung", "und": "andere Sprache oder zu kurz, um es zu sagen",
        "document": "Dokument", "documents": "Dokumente", "error": "Fehler", "errors": "Fehler",
        "total": "{documents}, {matched} von {statements} Aussagen zugeordnet ({languages}); {errors}",
        "nothing": "Nichts wurde aufbewahrt: Einen Speicher dafür nennt --store ORDNER.",
        "kept": "Aufbewahrt in {store}: danach fragt man mit rulewright query … --store {store}",
    },
}  # fmt: skip


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--store", type=click.Path(path_type=Path), help="A store on disk; made where there is none.")
@click.option(
    "--as", "kind", type=click.Choice(["dated", "wiki"]), help="The kind of document, where it is not recognised."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@language_option
def ingest(paths: tuple[str, ...], store: Path | None, kind: str | None, form: str, lang: str) -> None:
    """Read documents of rulings: files, folders of *.txt, or - for standard input.

    Two kinds are read: lists of dated rulings below the name of their card (dated), and dumps of wiki pages with notes
    (wiki). Without --store it says what it finds, and keeps nothing.
    """
    from rulewright.records import Problem
    from rulewright.sources import ingest as ingesting
    from rulewright.store import Dataset, StoreError

    try:
        with Dataset.open(store) as dataset:
            dataset.load_packaged()
            report = ingesting.Report(dataset)
            for item in ingesting.ingest(
                paths, dataset, "wiki" if kind == "wiki" else "dated" if kind else None, bool(store)
            ):
                report.add(item)
                if isinstance(item, Problem):
                    click.echo(str(item), err=True)
                elif form == "text":
                    for line in _document(item, lang):
                        click.echo(line)
    except StoreError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)
    if form == "json":
        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        for line in _total(report, store, lang):
            click.echo(line)
    sys.exit(BAD_INPUT if report.errors else FINE)


def _document(item: Ingested, language: str) -> Iterator[str]:
    words = _WORDS[language]
    about = words["about" if item.kind == "wiki" else "on"]
    told = words["statements"].format(n=len(item.statements), matched=item.matched)
    yield f"{item.source}: {words[item.kind]} {about} {', '.join(_headings(item, words))}"
    yield f"    {words[item.state]}: {told}"
    if dates := sorted({s.passage.date.isoformat() for s in item.statements if s.passage.date}):
        yield f"    {words['dates']}: {', '.join(dates)}"
    yield f"    {words['languages']}: {'; '.join(_languages(item, words))}"
    if known := [i for s in item.statements for i in s.ids]:
        yield f"    {words['known']}: {' '.join(known)}"
    for statement in item.statements:
        if not statement.statements:
            yield f"    {words['unknown']}: {_place(statement, words)}: {_excerpt(statement.passage.text)}"


def _headings(item: Ingested, words: dict[str, str]) -> Iterator[str]:
    """What the document is about, each with a word where no card is known by the name."""
    known = {s.passage.heading: s.card or s.about for s in item.statements}
    for heading, node in known.items():
        name = heading or "–"
        yield name if node or item.kind == "wiki" else f"{name} ({words['card unknown']})"


def _languages(item: Ingested, words: dict[str, str]) -> Iterator[str]:
    """Counts; of all languages but the commonest also which statements they are."""
    for i, (languages, count) in enumerate(item.languages.items()):
        which = [
            " ".join(s.ids) or str(s.number) for s in item.statements if "+".join(s.language.languages) == languages
        ]
        yield f"{count} {words.get(languages, languages)}" + (f" ({', '.join(which)})" if i else "")


def _place(statement: Found, words: dict[str, str]) -> str:
    day = statement.passage.date.isoformat() if statement.passage.date else words["none"]
    return f"{statement.number} ({words['line']} {statement.passage.line}, {day})"


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1].rsplit(" ", 1)[0] + " …"


def _total(report: Report, store: Path | None, language: str) -> Iterator[str]:
    words = _WORDS[language]
    summary = report.summary
    languages = ", ".join(f"{n} {words.get(name, name)}" for name, n in summary["languages"].items())
    counted = {key: _counted(summary[key], key, words) for key in ("documents", "errors")}
    yield words["total"].format(**{**summary, **counted, "languages": languages or "–"})
    if report.documents:
        yield words["kept"].format(store=store) if store else words["nothing"]


def _counted(number: int, plural: str, words: dict[str, str]) -> str:
    return f"{number} {words[plural if number != 1 else plural.removesuffix('s')]}"
