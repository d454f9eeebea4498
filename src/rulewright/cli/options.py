"""What the commands share: exit codes, and options that mean the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rulewright.store import Dataset

F = TypeVar("F", bound=Callable[..., Any])
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
        from rulewright.store import Dataset, Endpoint, StoreError

        if self.endpoint is not None:
            password = os.environ.get(PASSWORD)
            server = Endpoint(self.endpoint, self.update, self.graph_store, self.user, password)
            dataset = Dataset.connect(server, read_only)
            if read_only and not dataset.graphs():
                mend = "make it with: rulewright ingest --endpoint"
                raise StoreError(self.endpoint, "there is nothing of ours", mend)
        else:
            dataset = Dataset.open(self.store, read_only and self.store is not None)
        if not read_only or not self:
            try:
                dataset.load_packaged()
            except BaseException:
                dataset.close()
                raise
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
