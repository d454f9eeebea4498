"""`rulewright export`: the dataset as a file, described."""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.cli.options import Home, fail, home_options, language_option

_WORDS = {
    "en": {
        "done": "{file}: {triples} statements of RDF in {graphs} named graphs, described in {description}",
        "merged": "{file}: Turtle has no named graphs: all {graphs} are one here; .trig, .nq and .jsonld keep "
        "them apart",
    },
    "de": {
        "done": "{file}: {triples} RDF-Aussagen in {graphs} benannten Graphen, beschrieben in {description}",
        "merged": "{file}: Turtle hat keine benannten Graphen: Alle {graphs} sind hier einer; .trig, .nq und .jsonld "
        "halten sie auseinander",
    },
}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@home_options
@language_option
def export(file: Path, home: Home, lang: str) -> None:
    """Write the dataset to FILE: .trig, .nq, .ttl or .jsonld, also with .gz or .zst."""
    from rulewright.store import StoreError
    from rulewright.store.dataset import DESCRIPTION, format_of
    from rulewright.store.description import described

    try:
        form, _ = format_of(file)
        with home.open(read_only=True) as dataset:
            quads = list(described(dataset, file))
            dataset.dump(file, quads)
    except StoreError as error:
        fail(str(error))
    graphs = len({q.graph_name for q in quads})
    told = {"file": file, "triples": len(quads), "graphs": graphs, "description": DESCRIPTION}
    click.echo(_WORDS[lang]["done"].format(**told))
    if not form.supports_datasets:
        click.echo(_WORDS[lang]["merged"].format(**told), err=True)
