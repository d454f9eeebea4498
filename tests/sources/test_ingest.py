"""Documents into the graph: what is found, stored and refused. Of the five documents, only ids and counts."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

import rulewright
from rulewright.sources import ingest as ingesting
from rulewright.sources.ingest import Report, graph_of
from rulewright.store import Dataset
from rulewright.store.dataset import SOURCE
from rulewright.terms import digest
from rulewright.vocabulary import BASE, CORE

if TYPE_CHECKING:
    import rdflib

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "data" / "examples"
SEEDS = ROOT.parent / "shared" / "seeds"
LIST = "Aschenpfad\n\n03/05/2025\n\nEin Satz über die Karte.\n\n04/05/2025\n\nThis one is about the card, too.\n"


@pytest.fixture
def data() -> Dataset:
    return rulewright.open()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text(LIST, encoding="utf-8")
    return path


def ask(data: Dataset, query: str) -> list[str]:
    rows = data.query(query)
    assert isinstance(rows, ox.QuerySolutions)
    return sorted(row[0].value for row in rows)


def sources(data: Dataset) -> list[str]:
    return [g for g in data.graphs() if g.startswith(SOURCE)]


def states(report: Report) -> list[str]:
    return [d.state for d in report.documents]


# --- our own examples


def test_the_examples() -> None:
    report = rulewright.ingest(EXAMPLES)
    assert not report.errors
    dated, wiki = report.documents
    assert (dated.kind, dated.headings) == ("dated", ["Aschenpfad", "Der letzte Funke"])
    assert [s.passage.date for s in dated.statements] == [dt.date(2025, 5, 3)] * 3 + [dt.date(2025, 9, 12)] * 3
    assert dated.languages == {"de": 4, "de+en": 1, "en": 1}
    assert [s.number for s in dated.statements if "en" in s.language.languages] == [2, 3]
    assert (wiki.kind, wiki.headings, wiki.languages) == ("wiki", ["Glutwacht"], {"de": 6})
    assert [s.passage.number for s in wiki.statements] == ["799.1a", "799.1b", "799.1c", None, None, None]
    assert report.summary["statements"] == 12
    assert report.summary["matched"] == 0
    assert len(ask(report.dataset, "SELECT ?text { ?text a rw:Text ; rw:uncurated true }")) == 12


def test_what_stands_in_the_graph(data: Dataset, file: Path) -> None:
    (document,) = rulewright.ingest(file, data).documents
    assert document.graph == f"{SOURCE}{sha256(file.read_bytes()).hexdigest()[:16]}"
    graph = f"GRAPH <{document.graph}>"
    assert ask(data, f"SELECT ?p {{ {graph} {{ <{document.graph}> rw:place ?p }} }}") == ["list.txt"]
    assert ask(data, f"SELECT ?n {{ {graph} {{ ?s a rw:Source ; rw:statementCount ?n ; rw:digest ?d }} }}") == ["2"]
    assert ask(data, f"SELECT ?w {{ {graph} {{ ?t rw:wording ?w FILTER(LANG(?w) = 'de') }} }}") == [
        "Ein Satz über die Karte."
    ]
    second = digest("This one is about the card, too.")
    publication = f"?p rw:publishes text:{second} ; rw:inSource <{document.graph}> ; rw:sequence 2 ; rw:line 9"
    when = f"SELECT ?d {{ {graph} {{ {publication} ; rw:heading 'Aschenpfad' ; dcterms:issued ?d }} }}"
    assert ask(data, when) == ["2025-05-04"]
    assert ask(data, f"SELECT ?l {{ {graph} {{ text:{second} dcterms:language ?l }} }}") == ["en"]
    by = f"{graph} {{ <{document.graph}> prov:wasGeneratedBy ?a . ?a prov:wasAssociatedWith ?s . ?s ?p ?o }}"
    assert rulewright.__version__ in ask(data, f"SELECT ?o {{ {by} }}")
    (time,) = ask(data, f"SELECT ?t {{ {graph} {{ <{document.graph}> prov:generatedAtTime ?t }} }}")
    assert abs(dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(time)) < dt.timedelta(minutes=5)
    for triple in data.triples(document.graph):
        assert not any(isinstance(t, ox.BlankNode) for t in (triple.subject, triple.object))
        assert str(file.parent) not in str(triple)


def test_cards_are_known_by_either_name_and_by_a_half(data: Dataset, tmp_path: Path) -> None:
    names = ["Restore Balance", "GLEICHGEWICHT wiederherstellen", "Cooperate", "Verweigern//Kooperieren", "Niemand"]
    path = tmp_path / "cards.txt"
    path.write_text("".join(f"{name}\n01/02/2020\nEin Satz zu Nummer {i}.\n" for i, name in enumerate(names)))
    (document,) = rulewright.ingest(path, data).documents
    labels = ask(data, "SELECT ?n { ?p rw:line ?l ; rw:onCard ?c . ?c skos:prefLabel ?n FILTER(LANG(?n) = 'en') }")
    assert labels == ["Refuse // Cooperate"] * 2 + ["Restore Balance"] * 2
    assert [s.card is None for s in document.statements] == [False] * 4 + [True]
    assert len(ask(data, "SELECT ?h { ?p rw:heading ?h }")) == 5


def test_keywords_are_known_by_either_name(data: Dataset, tmp_path: Path) -> None:
    for name in ("Abprall", "rebound"):
        (tmp_path / f"{name}.txt").write_text(f"| a\n| - 702.99. {name} 702.99a Ein Satz zu {name}.\n")
    report = rulewright.ingest(tmp_path, data)
    assert {s.about for d in report.documents for s in d.statements} == {f"{BASE}keyword/rebound"}


def test_a_text_that_is_known_by_its_digest_expresses_the_statement(data: Dataset, file: Path) -> None:
    text = f"{BASE}text/{digest('Ein Satz über die Karte.')}"
    known = [
        ox.Triple(ox.NamedNode(text), ox.NamedNode(CORE + "digest"), ox.Literal(digest("Ein Satz über die Karte."))),
        ox.Triple(ox.NamedNode(text), ox.NamedNode(CORE + "expresses"), ox.NamedNode(f"{BASE}ruling/XX-1")),
    ]
    (before,) = rulewright.ingest(file, data).documents
    assert before.matched == 0
    data.add_graph(f"{BASE}graph/rulings/of-a-later-version", known)
    (document,) = rulewright.ingest(file, data).documents
    assert document.state == "updated"
    assert document.matched == 1
    assert [s.ids for s in document.statements] == [("XX-1",), ()]
    graph = set(data.triples(document.graph))
    assert known[1] in graph
    assert not [t for t in graph if t.predicate.value == CORE + "uncurated" and t.subject == ox.NamedNode(text)]
    assert states(rulewright.ingest(file, data)) == ["already there"]


def test_what_was_ingested_does_not_confirm_itself(data: Dataset, file: Path) -> None:
    text = ox.NamedNode(f"{BASE}text/{digest('Ein Satz über die Karte.')}")
    claims = [ox.Triple(text, ox.NamedNode(CORE + "expresses"), ox.NamedNode(f"{BASE}ruling/XX-1"))]
    claims.append(ox.Triple(text, ox.NamedNode(CORE + "digest"), ox.Literal(text.value.rpartition("/")[2])))
    data.add_graph(f"{SOURCE}0123456789abcdef", claims)
    (document,) = rulewright.ingest(file, data).documents
    assert document.matched == 0


def test_line_ends_change_the_source_but_no_text(data: Dataset, file: Path) -> None:
    rulewright.ingest(file, data)
    file.write_bytes(b"\xef\xbb\xbf" + LIST.replace("\n", "\r\n").encode())
    (document,) = rulewright.ingest(file, data).documents
    assert document.state == "added"
    assert len(sources(data)) == 2
    assert len(ask(data, "SELECT DISTINCT ?t { ?t a rw:Text ; rw:wording ?w }")) == 2
    assert len(ask(data, "SELECT ?p { ?p rw:heading ?h }")) == 4


# --- again, and whole


def test_the_same_again_changes_nothing(tmp_path: Path, file: Path) -> None:
    store = tmp_path / "store"
    assert states(rulewright.ingest([file], store)) == ["added"]
    with rulewright.open(store, read_only=True) as data:
        before = set(data.quads())
    file.rename(tmp_path / "renamed.txt")
    assert states(rulewright.ingest(tmp_path / "renamed.txt", store)) == ["already there"]
    with rulewright.open(store, read_only=True) as data:
        assert set(data.quads()) == before
        assert len(sources(data)) == 1


def test_a_bad_file_hinders_no_other(data: Dataset, tmp_path: Path, file: Path) -> None:
    bad = {
        "neither.txt": b"Dies ist ein Brief.\n\nEr handelt von nichts.\n",
        "latin.txt": "Böe\n\n01/02/2020\n\nText\n".encode("latin-1"),
        "null.txt": b"Name\n01/02/2020\nTe\0xt\n",
        "empty.txt": b"",
        "date.txt": b"Name\n\n31/02/2020\n\nText\n",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    report = rulewright.ingest(
        [*(tmp_path / name for name in bad), tmp_path / "none.txt", tmp_path / "folder", file], data
    )
    assert [(Path(e.source).name, e.place) for e in report.errors] == [
        ("neither.txt", "line 3"), ("latin.txt", "line 1"), ("null.txt", "line 3"), ("empty.txt", "line 1"),
        ("date.txt", "line 3"), ("none.txt", ""), ("folder", ""),
    ]  # fmt: skip
    for error in report.errors:
        assert "\n" not in str(error)
        assert ":" in error.problem or ";" in error.problem
    assert states(report) == ["added"]
    assert sources(data) == [graph_of(sha256(file.read_bytes()).hexdigest())]


def test_nothing_of_a_document_is_stored_when_writing_fails(
    data: Dataset, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(data)
    real = ingesting._triples

    def breaks(*arguments: object) -> Iterable[ox.Triple]:
        for i, triple in enumerate(real(*arguments)):  # type: ignore[arg-type]
            if i == 20:
                raise OSError("the disk is full")
            yield triple

    monkeypatch.setattr(ingesting, "_triples", breaks)
    with pytest.raises(OSError, match="full"):
        rulewright.ingest(file, data)
    assert len(data) == before


def test_the_kind_can_be_given(data: Dataset, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("* Eine Anmerkung zu etwas.\n* Noch eine dazu.\n")
    assert len(rulewright.ingest(tmp_path, data).errors) == 1
    (document,) = rulewright.ingest(tmp_path, data, "wiki").documents
    assert len(document.statements) == 2


# --- shapes


def test_what_is_ingested_conforms_to_the_shapes(data: Dataset, file: Path, tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    pyshacl = pytest.importorskip("pyshacl")
    rulewright.ingest([file, EXAMPLES], data)
    graph: rdflib.Graph = rdflib.Graph()
    for name in [*sources(data), f"{BASE}graph/cards", f"{BASE}graph/rulings/rebound"]:
        data_of = ox.serialize(data.triples(name), format=ox.RdfFormat.N_TRIPLES)
        graph.parse(data=data_of, format="nt")
    for path in (
        ROOT / "data" / "keywords" / "rebound.ttl",
        ROOT / "ontology" / "core.ttl",
        ROOT / "data" / "rules.ttl",
    ):
        graph.parse(path)
    shapes = rdflib.Graph().parse(ROOT / "ontology" / "shapes" / "core.ttl")
    conforms, _, report = pyshacl.validate(graph, shacl_graph=shapes)
    assert conforms, report


# --- the five documents

ENGLISH = {"CO-4", "CO-7", "ES-8", "SU-15", "SU-17"}
MIXED = {"CO-2", "ES-10", "GI-4", "SU-19"}


@pytest.fixture(scope="module")
def five() -> Report:
    if not SEEDS.exists():
        pytest.skip("the source documents are not there: ../shared/seeds")
    return rulewright.ingest(sorted(SEEDS.glob("*.txt")))


def test_all_68_statements_are_matched(five: Report) -> None:
    assert not five.errors
    assert [(d.kind, len(d.statements), d.matched) for d in five.documents] == [
        ("wiki", 11, 11), ("dated", 19, 19), ("dated", 10, 10), ("dated", 9, 9), ("dated", 19, 19),
    ]  # fmt: skip
    ids = [i for d in five.documents for s in d.statements for i in s.ids]
    assert len(ids) == len(set(ids)) == 68
    prefixes = [[i.split("-")[0] for s in d.statements for i in s.ids] for d in five.documents]
    assert [set(p) for p in prefixes] == [{"RB"}, {"CO"}, {"ES"}, {"GI"}, {"SU"}]
    assert five.summary["matched"] == 68
    assert not ask(five.dataset, "SELECT ?t { ?t rw:uncurated true }")


def test_which_are_in_which_language(five: Report) -> None:
    of = {i: s.language.languages for d in five.documents for s in d.statements for i in s.ids}
    assert {i for i, languages in of.items() if languages == ("en",)} == ENGLISH
    assert {i for i, languages in of.items() if languages == ("de", "en")} == MIXED
    assert Counter(of.values()) == {("de",): 59, ("en",): 5, ("de", "en"): 4}


def test_languages_and_cards_agree_with_the_curated_data(five: Report) -> None:
    """The curated texts say their languages too, and the curated publications their cards and dates."""
    for name in ("dcterms:language ?v", "^rw:publishes/rw:onCard ?v", "^rw:publishes/dcterms:issued ?v"):
        predicate, _, _ = name.partition(" ")
        pairs = []
        for graph in ("graph/rulings/", "source/"):
            part = f"GRAPH ?g {{ ?t {predicate} ?v }} FILTER(STRSTARTS(STR(?g), '{BASE}{graph}'))"
            pairs.append(ask(five.dataset, f"SELECT (CONCAT(STR(?t), ' ', STR(?v)) AS ?pair) {{ {part} }}"))
        assert pairs[0] == pairs[1], name


def test_the_documents_are_those_that_the_curated_data_name(five: Report) -> None:
    same = ask(five.dataset, "SELECT ?c { ?s owl:sameAs ?c . ?s rw:digest ?d . ?c rw:digest ?d }")
    assert [s.rpartition("/")[2] for s in same] == ["000", "001", "002", "003", "004"]


def test_the_five_again_with_windows_line_ends_and_without_blank_lines(five: Report, tmp_path: Path) -> None:
    for path in sorted(SEEDS.glob("*.txt")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        (tmp_path / path.name).write_bytes("\r\n".join(lines).encode())
    report = rulewright.ingest(tmp_path)
    assert report.summary["matched"] == report.summary["statements"] == 68
    assert report.summary["languages"] == five.summary["languages"]


def test_four_of_them_in_one_file(tmp_path: Path) -> None:
    if not SEEDS.exists():
        pytest.skip("the source documents are not there: ../shared/seeds")
    paths = [p for p in sorted(SEEDS.glob("*.txt")) if not p.name.startswith("000")]
    (tmp_path / "all.txt").write_text("\n".join(p.read_text(encoding="utf-8") for p in paths), encoding="utf-8")
    (document,) = rulewright.ingest(tmp_path).documents
    assert document.matched == len(document.statements) == 57
    assert len(document.headings) == 4
