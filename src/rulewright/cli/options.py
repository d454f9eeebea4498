"""What the commands share: exit codes, options that mean the same everywhere, and what goes to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from rulewright.store import Dataset

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
FINE, FINDINGS, BAD_INPUT = 0, 1, 2


def _language(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    """`--lang`, else the locale of the environment, else English."""
    if value is not None:
        return value
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "de" if next((n for n in names if n), "").lower().startswith("de") else "en"


def language_option(command: F) -> F:
    """`--lang en|de`."""
    return click.option(
        "--lang", type=click.Choice(["en", "de"]), callback=_language,
        help="Language of messages (default: the locale's).",
    )(command)  # fmt: skip


def fail(line: str) -> NoReturn:
    """What cannot be done, in one line on standard error, and exit code 2."""
    click.echo(line, err=True)
    sys.exit(BAD_INPUT)


def without_the_site(error: ImportError) -> NoReturn:
    """The packages that only the site needs are not there."""
    fail(f"the site needs more packages ({error.name}): pip install 'rulewright[site]'")


def progress(items: Iterable[T], unit: str, desc: str | None = None, total: int | None = None) -> Iterable[T]:
    """A counter on standard error where that is a terminal; a bar, where `total` says how many there will be."""
    if not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    return tqdm(items, desc=desc, total=total, unit=unit, leave=False, file=sys.stderr, delay=1)


def indexing(lang: str) -> Callable[[Iterable[T]], Iterable[T]]:
    """What watches an index being made."""
    return lambda made: progress(made, "", {"en": "index", "de": "Index"}[lang])


PASSWORD = "RULEWRIGHT_PASSWORD"
"""The environment variable: what stands on a command line, others on the machine can read."""


@dataclass(frozen=True)
class Home:
    """Where the graph lives: a folder, a server, or neither, which is what the package carries, in memory."""

    store: Path | None = None
    endpoint: str | None = None
    update: str | None = None
    graph_store: str | None = None
    user: str | None = None

    def __bool__(self) -> bool:
        """Whether what is written there lasts."""
        return self.store is not None or self.endpoint is not None

    @property
    def option(self) -> str:
        """How a command is told of it."""
        return f"--endpoint {self.endpoint}" if self.endpoint else f"--store {self.store}"

    def __str__(self) -> str:
        return self.endpoint or str(self.store)

    def open(self, read_only: bool = False) -> Dataset:
        """Raises StoreError. For writing, or in memory, the package is there too."""
        import rulewright.api
        from rulewright.store import Endpoint, StoreError

        if self.endpoint is None:
            return rulewright.api.open(self.store, read_only)
        server = Endpoint(self.endpoint, self.update, self.graph_store, self.user, os.environ.get(PASSWORD))
        dataset = rulewright.api.open(read_only=read_only, endpoint=server)
        if read_only and not dataset.graphs():
            raise StoreError(self.endpoint, "there is nothing of ours", "make it with: rulewright ingest --endpoint")
        return dataset


def home_options(command: F) -> F:
    """`--store`, or `--endpoint` and what goes with it, as one argument `home`."""

    @wraps(command)
    def with_home(
        store: Path | None, endpoint: str | None, update_endpoint: str | None, gsp_endpoint: str | None,
        user: str | None, **others: Any,
    ) -> Any:  # fmt: skip
        if store is not None and endpoint is not None:
            raise click.UsageError("--store and --endpoint: name one of them")
        if endpoint is None and (update_endpoint or gsp_endpoint or user):
            raise click.UsageError("--update-endpoint, --gsp-endpoint and --user go with --endpoint")
        return command(home=Home(store, endpoint, update_endpoint, gsp_endpoint, user), **others)

    for option in (
        click.option("--user", help=f"Who asks; the password is taken from {PASSWORD}."),
        click.option("--gsp-endpoint", metavar="URL", help="Its Graph Store Protocol, where it is at no usual place."),
        click.option("--update-endpoint", metavar="URL", help="Where it takes updates, if not there (nor at /update)."),
        click.option("--endpoint", metavar="URL", help="A server of SPARQL 1.1, where it takes queries."),
        click.option("--store", type=click.Path(path_type=Path), help="A store on disk."),
    ):  # fmt: skip
        with_home = option(with_home)
    return with_home  # type: ignore[return-value]
