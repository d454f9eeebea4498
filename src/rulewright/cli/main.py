"""`rulewright`: results to standard output, everything else to standard error; exit codes 0, 1, 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from rulewright.cli.export import export
from rulewright.cli.ingest import ingest
from rulewright.cli.options import BAD_INPUT, FINDINGS, FINE, Home, fail, home_options, language_option, progress
from rulewright.cli.query import query
from rulewright.cli.search import search
from rulewright.cli.serve import serve
from rulewright.cli.site import site
from rulewright.cli.validate import validate
from rulewright.version import __version__

if TYPE_CHECKING:
    from rulewright.axioms import Knowledge
    from rulewright.explain import Outcome, Summary
    from rulewright.records import Record, RecordError

T = TypeVar("T")
UNIT = " records"
"""What a counter counts."""
axioms_option = click.option(
    "--axioms", "axioms", multiple=True, type=click.Path(path_type=Path), help="A Turtle file with further axioms."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rulewright")
def cli() -> None:
    """Magic's rulings as an executable knowledge graph."""


@cli.command()
@click.argument("paths", nargs=-1)
@axioms_option
@home_options
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "shacl", "junit", "html"]), default="text", show_default=True
)
@click.option("--all", "everything", is_flag=True, help="Conforming verdicts too.")
@click.option(
    "--engine", type=click.Choice(["fast", "sparql", "pyshacl", "reference"]), default="fast", show_default=True
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--expect", is_flag=True, help="Run scenarios: compare the verdicts with those that they expect.")
@click.option(
    "--fail-on", type=click.Choice(["violates", "undetermined", "unchecked"]),
    help="What counts as a finding (exit code 1), with what stands before it.  [default: violates]",
)
@click.option("--strict", is_flag=True, help="Whatever is undetermined or unchecked, and each note, is a finding.")
@click.option(
    "--assume", "assumed", multiple=True, type=click.Choice(["effects", "text", "keywords", "records"]),
    help="Take what records leave out of this kind as none; repeatable. Verdicts that rest on it say so.",
)
@language_option
def check(
    paths: tuple[str, ...], home: Home, axioms: tuple[Path, ...], form: str, everything: bool, engine: str, jobs: int,
    expect: bool, fail_on: str | None, strict: bool, assumed: tuple[str, ...], lang: str,
) -> None:
    """Check game records: files, folders, or - for standard input.

    With --store or --endpoint instead: the records there (ingest --as records), where they are. Nothing is written.
    """
    if bool(paths) == bool(home):
        raise click.UsageError("name records: files, folders or -; or where they are kept, by --store or --endpoint")
    if home and (expect or assumed or jobs > 1 or engine != "fast"):
        raise click.UsageError(
            "--expect, --assume, --jobs and --engine are for files: what is kept is judged there, by SPARQL"
        )
    if expect and (strict or fail_on):
        raise click.UsageError("--expect asks whether scenarios hold: --strict and --fail-on do not go with it")
    from rulewright.explain import Run, Summary, formats
    from rulewright.explain.junit import junit
    from rulewright.records import read
    from rulewright.store.protocol import StoreError

    run = _or_fail(lambda: Run(axioms, engine, everything, expect, form == "html", assumed))
    summary = Summary()
    found = False

    def outcomes() -> Iterator[Outcome]:
        if not home:
            yield from run.outcomes(progress(read(paths, run.knowledge.parameters()), UNIT), jobs)
            return
        with home.open(read_only=True) as dataset:
            yield from progress(run.stored(dataset), UNIT)

    def observed() -> Iterator[Outcome]:
        nonlocal found
        for outcome in outcomes():
            for error in outcome.errors:
                told = (error["source"], error["place"], error["problem"])
                click.echo(": ".join(str(part) for part in told if part), err=True)
            found |= bool(outcome.differences) if expect else outcome.fails(fail_on or "violates", strict)
            yield outcome

    lines = {
        "text": lambda: formats.text(observed(), summary, lang, sys.stdout.isatty(), run.knowledge),
        "json": lambda: formats.as_json(observed(), summary),
        "shacl": lambda: formats.shacl(observed(), summary),
        "junit": lambda: junit(observed(), summary, lang, run.knowledge),
        "html": lambda: _page(observed(), summary, lang, run.knowledge),
    }[form]()
    try:
        for line in lines:
            click.echo(line)
    except StoreError as error:
        fail(str(error))
    if summary.counts["errors"]:
        sys.exit(BAD_INPUT)
    sys.exit(FINDINGS if found else FINE)


@cli.command(name="compile")
@click.option("--keyword", "keywords", multiple=True, help="Only the axioms of this keyword (name or IRI); repeatable.")
@axioms_option
@click.option("--to", "target", type=click.Choice(["sparql", "shacl"]), required=True)
def compile_(keywords: tuple[str, ...], axioms: tuple[Path, ...], target: str) -> None:
    """Print the executable checks as portable text."""
    from rulewright.axioms import printed, selected
    from rulewright.explain import knowledge

    known = _or_fail(lambda: knowledge(axioms))
    click.echo(_or_fail(lambda: printed(selected(known, keywords), target)), nl=False)


@cli.command()
@click.argument("thing")
@axioms_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@language_option
def explain(thing: str, axioms: tuple[Path, ...], form: str, lang: str) -> None:
    """Explain a keyword, ruling, rule or card: by English or German name, number or identifier."""
    import json

    from rulewright.explain import knowledge, things

    known = _or_fail(lambda: knowledge(axioms))
    found = things.find(thing, known)
    if not found:
        near = things.near(thing, known)
        fail(f"{thing}: no keyword, ruling, rule or card of this name, number or id"
             + (f"; is {' or '.join(near)} meant?" if near else ""))
    told = [things.describe(iri, known) for iri in found]
    if form == "json":
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        click.echo("\n\n".join("\n".join(things.text(t, lang, known)) for t in told))


@cli.command()
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--names", type=click.Path(path_type=Path), help="JSON file: the log's card numbers, and names.")
@click.option("--to", "target", type=click.Choice(["json", "jsonld", "trig"]), default="json", show_default=True)
def convert(log: Path, names: Path | None, target: str) -> None:
    """Turn a client's own log, or game records in another form, into game records."""
    from rulewright.explain import knowledge
    from rulewright.records import RecordError, write
    from rulewright.sources import SourceError, open_log

    bad = False

    def good() -> Iterator[Record]:
        nonlocal bad
        items: Iterable[Record | RecordError] = open_log(log, names)
        for item in progress(items, UNIT):
            if isinstance(item, RecordError):
                bad = True
                for problem in item.problems:
                    click.echo(str(problem), err=True)
            else:
                yield item

    try:
        write(good(), target, sys.stdout.buffer, knowledge().record_words())
    except SourceError as error:
        fail(f"{log}: {error}")
    sys.exit(BAD_INPUT if bad else FINE)


def _page(outcomes: Iterable[Outcome], summary: Summary, lang: str, known: Knowledge) -> Iterator[str]:
    """Only here is anything of the site imported."""
    from rulewright.site import game

    return game.document(outcomes, summary, lang, knowledge=known)


def _or_fail(make: Callable[[], T]) -> T:
    """What `make` returns; where the axioms are bad or cannot be compiled, one line and exit code 2."""
    try:
        return make()
    except ValueError as error:
        fail(str(error))


cli.add_command(export)
cli.add_command(ingest)
cli.add_command(query)
cli.add_command(search)
cli.add_command(serve)
cli.add_command(site)
cli.add_command(validate)


def main() -> None:
    """The entry point: whatever happens, no traceback reaches the user."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
