"""`rulewright ingest`: documents of rulings, and bulk files of cards, rulings and rules, into the graph."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright.cli.options import BAD_INPUT, FINE, Home, fail, home_options, indexing, language_option

if TYPE_CHECKING:
    from rulewright.sources.bulk import Loaded
    from rulewright.sources.games import Records
    from rulewright.sources.ingest import Found, Ingested, Report

RECORDS = "records"
EXCERPT = 70
"""Characters of a text that is shown, so that a person finds it again."""
KINDS = (
    "dated", "wiki", "scryfall-rulings", "scryfall-cards", "mtgjson-set", "mtgjson-cards", "german-cards",
    "comprehensive-rules", RECORDS,
)  # fmt: skip
"""As in `rulewright.sources.ingest`, which is loaded only when it is needed."""
_WORDS: dict[str, Any] = {
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
        "scryfall-rulings": "rulings (Scryfall)", "scryfall-cards": "cards (Scryfall)",
        "mtgjson-set": "a set's cards and rulings (MTGJSON)", "mtgjson-cards": "cards and rulings (MTGJSON)",
        "german-cards": "German names and texts of cards", "comprehensive-rules": "Comprehensive Rules",
        "records": "game records", "as of": "as of", "entries": "{n} entries",
        "counts": {
            "cards": "{n} cards", "german": "{n} German names", "rulings": "{n} rulings", "texts": "{n} wordings",
            "matched": "{n} of them known", "rules": "{n} rules", "glossary": "{n} glossary entries",
            "empty": "{n} without text left out", "records": "{n} records",
        },
        "names": "names of no card that is known, or of several: {n} ({names}); ingest cards, then this file again",
        "cut": "the file ends too early: what was read of it is whole, and something is missing behind it",
        "reworded": "{since} to {until}: {kept} rulings stay; on cards that had and have some, {new} came and "
        "{withdrawn} went; rewordings among them: {reworded}",
        "nothing": "Nothing was kept: a store to keep it in is named by --store DIR or --endpoint URL.",
        "kept": "Kept in {home}: ask it by rulewright query … {option}; rulewright query --list has the questions",
        "no index": "the index for searching cannot be kept (is the disk full?): each search makes it until it can be",
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
        "scryfall-rulings": "Regelerläuterungen (Scryfall)", "scryfall-cards": "Karten (Scryfall)",
        "mtgjson-set": "Karten und Regelerläuterungen eines Sets (MTGJSON)",
        "mtgjson-cards": "Karten und Regelerläuterungen (MTGJSON)",
        "german-cards": "deutsche Namen und Texte von Karten", "comprehensive-rules": "Comprehensive Rules",
        "records": "Spielaufzeichnungen", "as of": "Stand", "entries": "{n} Einträge",
        "counts": {
            "cards": "{n} Karten", "german": "{n} deutsche Namen", "rulings": "{n} Regelerläuterungen",
            "texts": "{n} Wortlaute", "matched": "davon {n} bekannt", "rules": "{n} Regeln",
            "glossary": "{n} Glossareinträge", "empty": "{n} ohne Text ausgelassen", "records": "{n} Aufzeichnungen",
        },
        "names": "Namen von keiner bekannten Karte oder von mehreren: {n} ({names}); erst Karten einlesen, dann diese "
        "Datei noch einmal",
        "cut": "die Datei endet zu früh: Was aus ihr gelesen wurde, ist ganz, doch dahinter fehlt etwas",
        "reworded": "{since} bis {until}: {kept} Regelerläuterungen bleiben; auf Karten, die vorher und nachher welche "
        "haben, kamen {new} hinzu und {withdrawn} fielen weg; Neufassungen darunter: {reworded}",
        "nothing": "Nichts wurde aufbewahrt: Einen Speicher dafür nennt --store ORDNER oder --endpoint URL.",
        "kept": "Aufbewahrt in {home}: danach fragt man mit rulewright query … {option}; die Fragen hat "
        "rulewright query --list",
        "no index": "der Index für die Suche lässt sich nicht aufbewahren (ist die Platte voll?): Bis es geht, macht "
        "ihn jede Suche neu",
    },
}  # fmt: skip


@click.command()
@click.argument("paths", nargs=-1, required=True)
@home_options
@click.option("--as", "kind", type=click.Choice(KINDS), help="The kind of source, where it is not recognised.")
@click.option(
    "--date", type=click.DateTime(["%Y-%m-%d"]),
    help="The day of which a dump tells, where neither it nor its name says one.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@language_option
def ingest(
    paths: tuple[str, ...], home: Home, kind: str | None, date: datetime | None, form: str, lang: str
) -> None:
    """Read sources: files, folders, or - for standard input.

    Documents of rulings: lists of dated rulings below the name of their card (dated), dumps of wiki pages with notes
    (wiki). Bulk files, plain or packed by gzip, xz or Zstandard: Scryfall's rulings and cards, MTGJSON's sets and
    AtomicCards, German names of cards, the Comprehensive Rules (an edition, or a tar archive of them). Game records
    only where --as records says so. Without --store or --endpoint it says what it finds, and keeps nothing;
    with --store it also makes the index for `rulewright search`.
    """
    from rulewright.index import keep_index
    from rulewright.records import Problem
    from rulewright.sources import ingest as ingesting
    from rulewright.store import StoreError

    try:
        with home.open() as dataset:
            report = ingesting.Report(dataset)
            with _progress(paths) as (advance, aside):
                day, records = date.date() if date else None, _records() if kind == RECORDS else None
                for item in ingesting.ingest(paths, dataset, kind, bool(home), day, advance, records):
                    report.add(item)
                    with aside():
                        if isinstance(item, Problem):
                            click.echo(str(item), err=True)
                        elif form == "text":
                            told = _document if isinstance(item, ingesting.Ingested) else _bulk
                            for line in told(item, lang):  # type: ignore[arg-type]
                                click.echo(line)
            if form == "json":
                click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
            else:
                for line in _total(report, home, lang):
                    click.echo(line)
            # When all is kept and told: whatever becomes of the index, that stays.
            if home.store is not None and report.documents and not keep_index(dataset, indexing(lang)):
                click.echo(_WORDS[lang]["no index"], err=True)
    except StoreError as error:
        fail(str(error))
    sys.exit(BAD_INPUT if report.errors else FINE)


def _records() -> Records:
    from rulewright.axioms import lower, packaged_knowledge
    from rulewright.sources.games import Records

    knowledge = packaged_knowledge()
    names = knowledge.record_words()
    return Records(names, knowledge.parameters(), tuple(lower(knowledge).steps))


@contextmanager
def _progress(paths: tuple[str, ...]) -> Iterator[tuple[Callable[[int], object] | None, Callable[[], Any]]]:
    """What counts the bytes read, on a terminal; and what clears the way for a line of output meanwhile."""
    if not sys.stderr.isatty():
        yield None, nullcontext
        return
    from tqdm import tqdm

    files = [f for p in map(Path, paths) for f in (p.rglob("*") if p.is_dir() else [p]) if f.is_file()]
    total = 2 * sum(f.stat().st_size for f in files)  # each is read twice: for its digest, and for what it says
    with tqdm(total=total or None, unit="B", unit_scale=True, leave=False, file=sys.stderr, delay=1) as bar:
        yield bar.update, bar.external_write_mode


def _bulk(item: Loaded, language: str) -> Iterator[str]:
    words = _WORDS[language]
    day = f", {words['as of']} {item.day}" if item.day else ""
    counts = [said.format(n=item.counts[key]) for key, said in words["counts"].items() if item.counts.get(key)]
    yield f"{item.source}: {words[item.kind]}{day}"
    yield f"    {words[item.state]}: {', '.join(counts) or words['entries'].format(n=item.size)}"
    if item.unknown:
        shown = ", ".join(item.unknown[:5]) + (", …" if len(item.unknown) > 5 else "")
        yield f"    {words['names'].format(n=len(item.unknown), names=shown)}"
    if item.cut:
        yield f"    {words['cut']}"
    for found in item.reworded:
        yield f"    {words['reworded'].format(**vars(found))}"


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


def _total(report: Report, home: Home, language: str) -> Iterator[str]:
    words = _WORDS[language]
    summary = report.summary
    languages = ", ".join(f"{n} {words.get(name, name)}" for name, n in summary["languages"].items())
    counted = {key: _counted(summary[key], key, words) for key in ("documents", "errors")}
    yield words["total"].format(**{**summary, **counted, "languages": languages or "–"})
    if report.documents:
        yield words["kept"].format(home=home, option=home.option) if home else words["nothing"]


def _counted(number: int, plural: str, words: dict[str, str]) -> str:
    return f"{number} {words[plural if number != 1 else plural.removesuffix('s')]}"
