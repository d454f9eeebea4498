"""`rulewright validate`: the package's data, files of data, documents, or what a store holds, against the shapes."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulewright.cli.options import BAD_INPUT, FINDINGS, FINE, fail, language_option


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--store", type=click.Path(path_type=Path), help="A store on disk: validate what it holds.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "shacl", "junit"]), default="text", show_default=True
)
@language_option
def validate(paths: tuple[Path, ...], store: Path | None, form: str, lang: str) -> None:
    """Validate rulings, keywords, axioms and terms (SHACL), and the texts of documents.

    PATHS are files of data (.ttl), source documents, or folders of both; without any: the data of the store, else of
    the package.
    """
    from rulewright.quality import reports, validation
    from rulewright.store import StoreError

    try:
        report = validation.validate(paths, store)
    except StoreError as error:
        fail(str(error))
    for problem in report.errors:
        click.echo(str(problem), err=True)
    for line in reports.written(report, form, lang, sys.stdout.isatty()):
        click.echo(line)
    sys.exit(BAD_INPUT if report.errors else FINE if report.conforms else FINDINGS)
