"""The site without a server: its pages link to files, by where one is from the other."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from rulewright.axioms import Knowledge
from rulewright.site.addresses import below_base
from rulewright.site.context import LANGUAGES, Kept, Site
from rulewright.site.export.names import Names
from rulewright.site.pages import Page
from rulewright.store import Dataset
from rulewright.store.description import DATASET
from rulewright.store.local import Local
from rulewright.vocabulary import BASE

KEPT: Final = 300
"""Answers and pages that are kept: each page is made but once."""
POLICY: Final = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' data: file:; "
    "form-action 'self' file:; base-uri 'none'"
)
"""As a server would say it. What is opened from a disk is to some browsers no part of `'self'`."""


class Offline(Site):
    """`base`: where the exported files are going to be; `elsewhere`: where things are that are not among them.

    `part`: what is exported of the dataset. `open` a page before anything of it is made.
    """

    live = False

    def __init__(
        self, dataset: Dataset, names: Names, base: str, elsewhere: str, knowledge: Knowledge | None = None
    ) -> None:
        super().__init__(dataset, base, knowledge)
        self.names, self.elsewhere = names, elsewhere
        self.kept = Kept(KEPT)
        self._folder, self._tree, self._up = "", "", ""
        self.part = dataset
        if isinstance(dataset, Local) and dataset.folder is None:
            self.findings = {}  # what the package carries has nothing to mend; a store is not validated for this
        self.templates.globals.update(policy=POLICY, described=DATASET)

    def has(self, iri: str) -> bool:
        return iri in self.names

    @property
    def size(self) -> int:
        return len(self.part)

    def open(self, path: str, language: str) -> None:
        """From now on links are those of the page at this path, in the tree of this language."""
        self._tree = tree(language)
        self._folder = posixpath.dirname(self._tree + path)
        self._up = "../" * len(self._folder.split("/")) if self._folder else ""
        self.root = self.templates.globals["root"] = self._up or "./"

    def to(self, path: str) -> str:
        """Where a path of the export is, as seen from the page that is open."""
        inside = f"{self._folder}/"
        return path.removeprefix(inside) if path.startswith(inside) else self._up + path

    def href(self, iri: str) -> str:
        if not iri.startswith(BASE):
            return super().href(iri)
        thing, sharp, fragment = iri.partition("#")
        stem = self.names.get(thing)
        if stem is None:
            return self.elsewhere + below_base(iri)
        return self.to(f"{self._tree}{stem}.html") + below_base(f"{BASE}{sharp}{fragment}")

    def url(self, path: str, /, **parameters: str) -> str:
        number = int(parameters.pop("page", "1") or 1)
        if not path or path.endswith("/"):
            name = "index" if number == 1 else f"page-{number}"
        elif path == "search":
            name = ""
        else:
            return self.elsewhere + path
        asked = {key: value for key, value in parameters.items() if value}
        return self.to(f"{self._tree}{path}{name}.html") + (f"?{urlencode(asked)}" if asked else "")

    def whole(
        self, path: str, language: str, page: Page, here: str = "", *, scripts: Sequence[str] = (),
        alternates: Sequence[tuple[str, str, str]] = (),
    ) -> str:  # fmt: skip
        """The HTML of a page that is open."""
        switch = {tag: self.to(tree(tag) + path) for tag in LANGUAGES}
        return self.framed(
            language, page.title, page.body, switch, here, styles=page.styles, scripts=scripts, alternates=alternates,
            data=page.data,
        )  # fmt: skip


def tree(language: str) -> str:
    """Below which the pages of a language are: the first one's at the root."""
    return "" if language == LANGUAGES[0] else f"{language}/"
