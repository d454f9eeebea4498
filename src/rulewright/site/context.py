"""What every page of the site needs: the graph, the axioms, the language, addresses, and the page around it."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import pyoxigraph as ox
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulewright.axioms import Knowledge
from rulewright.explain import Outcome, Run
from rulewright.explain import knowledge as packaged_knowledge
from rulewright.explain.formats import MARKS
from rulewright.index import Hit, Index, Kind, open_index
from rulewright.records import Record, RecordError
from rulewright.site import negotiation
from rulewright.site.addresses import Addresses, kept_language
from rulewright.site.findings import Finding
from rulewright.site.templating import environment, words_of
from rulewright.store import Dataset
from rulewright.store.dataset import GRAPH, packaged_graphs
from rulewright.vocabulary import BASE, CORE, RULE, RULING, Iri, local_name

LANGUAGES: Final = ("en", "de")
CACHED: Final = 2000
"""Answers that are kept."""
DOCUMENTS: Final = 128 * 2**20
"""Bytes of documents that are kept."""
_LABELS: Final = """SELECT ?x ?label WHERE { VALUES ?x { %s } ?x skos:prefLabel|rdfs:label|dcterms:title ?label }"""

_NUMBER: Final = f"""SELECT ?number WHERE {{
    ?v <{CORE}versionOf> %s ; <{CORE}number> ?number ; <{CORE}inEdition>/<{CORE}effective> ?day
}} ORDER BY DESC(?day) LIMIT 1"""


def words(language: str) -> Mapping[str, str]:
    """The words of the site itself."""
    return words_of("rulewright.site", language)


class Kept:
    """Answers that are made once; what was not asked for the longest goes first. Safe between threads: of those that
    want the same at the same time, one makes it, and the others wait. `most`: what all may weigh, as `weigh` has it."""

    def __init__(self, most: int = CACHED, weigh: Callable[[Any], int] = lambda _: 1) -> None:
        self._most, self._weigh, self._lock = most, weigh, threading.Lock()
        self._values: dict[Any, Any] = {}
        self._weight = 0
        self._making: dict[Any, threading.RLock] = {}

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key in self._values:
                return self._again(key)
            turn = self._making.setdefault(key, threading.RLock())
        with turn:
            with self._lock:
                if key in self._values:
                    return self._again(key)
            try:
                value = make()
                with self._lock:
                    if self._making.get(key) is not turn:  # forgotten meanwhile
                        return value
                    self._weight += self._weigh(value)
                    self._values[key] = value
                    while self._weight > self._most and len(self._values) > 1:
                        self._weight -= self._weigh(self._values.pop(next(iter(self._values))))
            finally:
                with self._lock:
                    if self._making.get(key) is turn:
                        del self._making[key]
        return value

    def there(self, key: Any) -> Any:
        """None where there is nothing, or where it is being made."""
        with self._lock:
            return self._again(key) if key in self._values else None

    def _again(self, key: Any) -> Any:
        value = self._values[key] = self._values.pop(key)
        return value

    def forget(self, those: Callable[[Any], bool] = lambda _: True) -> None:
        """Those, by their keys, as something has changed of which they are made."""
        with self._lock:
            for key in filter(those, list(self._values)):
                self._weight -= self._weigh(self._values.pop(key))
            for key in filter(those, list(self._making)):
                del self._making[key]


class Site(Addresses):
    """The site on one dataset, which does not change while it is served.

    `base`: the address at which it is served, with a `/` at its end. Identifiers stay what they are.
    """

    live = True
    """Whether there is a server: one that checks games, answers queries and searches."""

    def __init__(
        self, dataset: Dataset, base: str = "http://127.0.0.1:8000/", knowledge: Knowledge | None = None
    ) -> None:
        self.dataset, self.base = dataset, base if base.endswith("/") else base + "/"
        super().__init__(urlsplit(self.base).path)
        self.knowledge = knowledge or packaged_knowledge()
        self.on_start: list[Callable[[], Awaitable[None]]] = []
        self.on_stop: list[Callable[[], Awaitable[None]]] = []
        dataset.query("ASK { ?s ?p ?o }")  # a server that does not answer is told of at once
        newest = max(file.stat().st_mtime for file in packaged_graphs().values())
        self.modified = dt.datetime.fromtimestamp(int(newest), dt.UTC)
        self.kept, self.once = Kept(), Kept()
        """Answers about single things, which make room for each other; and registers, of which there are few."""
        self.findings: dict[str, list[Finding]] | None = None
        """What the validation finds in a ruling, by its IRI, once that is known."""
        self.documents = Kept(DOCUMENTS, lambda document: len(document[0]) + 2000)
        """Documents as they are sent: what is asked for again needs nothing of the above."""
        self._judging = threading.Lock()
        self._local = threading.local()
        self.templates = environment()
        self.templates.globals.update(href=self.href, url=self.url, root=self.root, live=self.live, marks=MARKS)

    # --- the graph

    def ask(self, query: str, *terms: ox.NamedNode | ox.Literal | str) -> list[dict[str, Any]]:
        """Rows of a SELECT; each `%s` is a term (a string: an IRI). Answers are kept."""
        filled = query % tuple(str(ox.NamedNode(t) if isinstance(t, str) else t) for t in terms) if terms else query
        rows: list[dict[str, Any]] = self.kept.get(("ask", filled), lambda: self.dataset.rows(filled))
        return rows

    @property
    def project_graphs(self) -> list[str]:
        """The graphs that are the project's own: small ones."""
        found: list[str] = self.once.get("graphs", lambda: [g for g in self.dataset.graphs() if g.startswith(GRAPH)])
        return found

    def labels(self, iris: Iterable[str], language: str) -> dict[str, str]:
        """What things are called in this language, else in another; a rule by its number, others by their names."""
        wanted = list(dict.fromkeys(iris))
        by_thing: dict[str, dict[str, str]] = {}
        rules = [iri for iri in wanted if iri.startswith(RULE)]
        for start in range(0, len(wanted), 200):
            part = " ".join(str(ox.NamedNode(iri)) for iri in wanted[start : start + 200])
            for row in self.ask(_LABELS.replace("%s", part)):
                by_thing.setdefault(row["x"].value, {}).setdefault(row["label"].language or "", row["label"].value)
        found = {}
        for iri in wanted:
            names = by_thing.get(iri, {})
            name = names.get(language) or names.get("en") or names.get("") or next(iter(names.values()), "")
            found[iri] = name or local_name(iri)
        for rule in rules:
            found[rule] = self.number(rule) or found[rule]
        return found

    def label(self, iri: str, language: str) -> str:
        return self.labels([iri], language)[iri]

    def number(self, rule: str) -> str | None:
        """`CR` and the newest number of a rule."""
        from rulewright.vocabulary import NEWEST, load_rule_numbers

        number = load_rule_numbers().number(Iri(rule), NEWEST)
        if number is None:
            rows = self.ask(_NUMBER, rule)
            number = rows[0]["number"].value if rows else None
        return None if number is None else f"CR {number}"

    def learn(self, findings: dict[str, list[Finding]] | None) -> None:
        """What the validation finds: pages of rulings that were made without it are made anew."""
        self.findings = findings
        self.kept.forget(lambda key: key[0] == "page" and key[1].startswith(RULING))
        self.documents.forget(lambda key: key[0].startswith(RULING.removeprefix(BASE)))

    # --- games

    def judged(
        self, read: Callable[[Knowledge], Iterable[Record | RecordError]], expect: bool, most: int
    ) -> list[Outcome]:
        """Outcomes of the first records of what is read. One game at a time: they are costly."""
        with self._judging:
            run: Run = self.once.get(("run", expect), lambda: Run(everything=True, expect=expect, keep=True))
            outcomes = list(islice(run.outcomes(read(run.knowledge)), most))
        for outcome in outcomes:
            if outcome.entry is not None:
                outcome.entry["verdicts"].sort(key=lambda verdict: verdict["verdict"] == "conforms")
        return outcomes

    # --- search

    def _index(self) -> Index:
        if not hasattr(self._local, "index"):
            packaged = getattr(self.dataset, "folder", self.dataset.name) is None
            self._local.index = open_index(None if packaged else self.dataset)
        index: Index = self._local.index
        return index

    def search(self, text: str, kinds: Sequence[Kind], limit: int, language: str) -> tuple[list[Hit], list[str]]:
        """What is found, and where that is nothing, names that are a little like it."""
        return self._index().search_or_near(text, kinds, limit, language)

    # --- what there is

    def has(self, iri: str) -> bool:
        """Whether a register lists it."""
        return True

    @property
    def size(self) -> int:
        """The number of triples."""
        found: int = self.once.get("triples", lambda: len(self.dataset))
        return found

    # --- addresses

    def language(self, request: Request) -> str:
        asked = request.query_params.get("lang")
        if asked in LANGUAGES:
            return asked
        return negotiation.language(request.headers.get("accept-language"), LANGUAGES, "en")

    # --- pages

    def render(self, template: str, language: str, /, **data: Any) -> Markup:
        """A part of a page."""
        return Markup(self.templates.get_template(template).render(w=words(language), language=language, **data))

    def page(
        self, request: Request, title: str, body: str, *, status: int = 200,
        styles: Sequence[str] = (), scripts: Sequence[str] = (), alternates: Sequence[tuple[str, str, str]] = (),
        sought: str = "", data: str = "",
    ) -> Response:  # fmt: skip
        """A page of the site around a body of HTML; `styles`, `scripts`: names of files in `static/`; `alternates`:
        name, media type and address of each of the same as data; `data`: JSON-LD that stands in the page.
        """
        language = self.language(request)
        asked = [(k, v) for k, v in request.query_params.multi_items() if k != "lang"]
        path = request.url.path if request.method in ("GET", "HEAD") else ""
        switch = {tag: f"{path}?{urlencode([*asked, ('lang', tag)])}" for tag in LANGUAGES}
        html = self.framed(
            language, title, body, switch, request.url.path.removeprefix(self.root).lstrip("/"), styles=styles,
            scripts=scripts, alternates=alternates, sought=sought, data=data,
        )  # fmt: skip
        response = HTMLResponse(html, status)
        response.headers.add_vary_header("Accept-Language")
        response.headers["Content-Language"] = language
        return response

    def framed(
        self, language: str, title: str, body: str, switch: Mapping[str, str], here: str, *,
        styles: Sequence[str] = (), scripts: Sequence[str] = (), alternates: Sequence[tuple[str, str, str]] = (),
        sought: str = "", data: str = "",
    ) -> str:  # fmt: skip
        """The HTML of a page. `switch`: where it is in each language; `here`: its path; the others as for `page`."""
        return self.render(
            "base.html", language, title=title, body=Markup(body), styles=styles, scripts=scripts, switch=switch,
            alternates=alternates, sought=sought, here=here, kept=kept_language.get(), languages=LANGUAGES, data=data,
        )  # fmt: skip
