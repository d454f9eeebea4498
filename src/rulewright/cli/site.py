"""`rulewright site`: the linked-data site as files."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import click

from rulewright.cli.options import BAD_INPUT, Home, fail, home_options, language_option, progress, without_the_site

_WORDS = {
    "en": {
        "done": "{folder}: {things} things, {files} files; index.html is the first page",
        "nothing": "{folder}: not written, since nothing that was asked for is there",
    },
    "de": {
        "done": "{folder}: {things} Dinge, {files} Dateien; index.html ist die erste Seite",
        "nothing": "{folder}: nicht geschrieben, denn nichts von dem, was verlangt war, ist da",
    },
}


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="WHAT", help="Only this and what its pages link to: a keyword, ruling, "
              "rule, card or term by name, number or id, an edition by its day, or a file with names of cards; "
              "repeatable.")  # fmt: skip
@click.option("--at", metavar="URL", help="Where the files are going to be, for the list of pages and the description.")
@click.option("--base", metavar="URL", help="Where the whole site is: links to what is not exported lead there, if not "
              "to the identifiers.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), help="Processes (default: one for each processor).")
@home_options
@language_option
def site(
    folder: Path, home: Home, only: tuple[str, ...], at: str | None, base: str | None, jobs: int | None, lang: str
) -> None:
    """Write the site to DIR as files that need no server: pages, data, search.

    DIR is made, or replaced as a whole if an earlier export wrote it.
    """
    for option, url in (("--at", at), ("--base", base)):
        if url is not None and not url.startswith(("http://", "https://")):
            raise click.UsageError(f"{option}: {url} is no web address: give one such as https://example.org/")
    try:
        from rulewright.site.export import export
    except ImportError as error:
        without_the_site(error)
    from rulewright.store import StoreError

    elsewhere = _address(base)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        report = export(
            partial(home.open, read_only=True), folder, only, base=elsewhere if at is None else _address(at),
            elsewhere=elsewhere, jobs=jobs or processors,
            progress=lambda written, number: progress(written, "it", total=number),
        )  # fmt: skip
    except StoreError as error:
        fail(str(error))
    for line in report.missing:
        click.echo(line, err=True)
    told = _WORDS[lang]["done" if report.things else "nothing"]
    click.echo(told.format(folder=folder, things=report.things, files=report.files), err=not report.things)
    if report.missing or not report.things:
        sys.exit(BAD_INPUT)


def _address(url: str | None) -> str:
    from rulewright.vocabulary import BASE

    if url is None:
        return BASE
    return url if url.endswith("/") else f"{url}/"
