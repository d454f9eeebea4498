"""Named graphs in memory and on disk: what is written whole, what is refused, what comes back from a file."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.store import Dataset, StoreError, dataset, local
from rulewright.store.dataset import PACKAGED, packaged_graphs
from rulewright.store.scenarios import SCENARIOS
from rulewright.vocabulary import BASE

ONE, TWO = "urn:example:graph:1", "urn:example:graph:2"


def triple(number: int) -> ox.Triple:
    return ox.Triple(ox.NamedNode(f"urn:example:{number}"), ox.NamedNode("urn:example:is"), ox.Literal(number))


def canonical(data: Dataset) -> ox.Dataset:
    """The quads, with blank nodes named by what is said of them."""
    found = ox.Dataset(data.quads())
    found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return found


@pytest.fixture(scope="module")
def packaged() -> Dataset:
    data = Dataset.open()
    data.load_packaged()
    return data


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A package of two small files."""
    found = {}
    for name in ("one", "two"):
        found[f"{BASE}graph/{name}"] = tmp_path / f"{name}.ttl"
        found[f"{BASE}graph/{name}"].write_text(f'<urn:example:{name}> <urn:example:is> "{name}" , [] .')
    monkeypatch.setattr(dataset, "packaged_graphs", lambda: dict(found))
    return found


def ask(data: Dataset, query: str) -> list[str]:
    return sorted(next(iter(row.values())).value for row in data.rows(query))


# --- asked


def test_rows_by_variable() -> None:
    with Dataset.open() as data:
        data.add_graph(ONE, [triple(1)])
        assert data.rows("SELECT ?s ?none { ?s ?p ?o }") == [{"s": triple(1).subject, "none": None}]
        with pytest.raises(ValueError, match="ask with SELECT"):
            data.rows("ASK {}")


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_another_thread_may_let_go_of_rows_and_of_what_went_wrong() -> None:
    kept: list[object] = []
    with Dataset.open() as data:
        data.add_graph(ONE, [triple(1)])
        kept.append(data.rows("SELECT ?s { ?s ?p ?o }"))
        try:
            data.rows("SELECT * { ?s ?p ?o SERVICE <http://127.0.0.1:9/> { } }")  # fails as it is read
        except OSError as error:
            kept.append(error)
        assert len(kept) == 2
        another = threading.Thread(target=kept.clear)
        another.start()
        another.join()
        assert not kept


# --- the package


def test_the_package_is_there_file_by_file(packaged: Dataset) -> None:
    graphs = packaged.graphs()
    assert set(graphs) == {*packaged_graphs(), SCENARIOS, PACKAGED}
    for name in ("cards", "rules", "rulings/escape", "keywords/escape", "principles/copies", "ontology/core"):
        assert f"{BASE}graph/{name}" in graphs
    assert not [g for g in graphs if "shapes" in g]
    assert len(ask(packaged, "SELECT ?s { GRAPH ?g { ?s a rw:Statement } }")) == 68


def test_the_package_is_loaded_once(packaged: Dataset) -> None:
    before = len(packaged)
    packaged.load_packaged()
    assert len(packaged) == before


def test_a_file_that_changed_replaces_its_graph(files: dict[str, Path]) -> None:
    with Dataset.open() as data:
        data.load_packaged()
        one, two = files
        data.add_graph("urn:example:other", [triple(1)])
        before = set(data.triples(two))
        files[one].write_text('<urn:example:one> <urn:example:is> "changed" .')
        data.load_packaged()
        assert [t.object for t in data.triples(one)] == [ox.Literal("changed")]
        assert set(data.triples(two)) == before
        assert "urn:example:other" in data
        data.load_packaged()
        assert len(list(data.triples(one))) == 1


def test_a_file_that_is_gone_takes_its_graph_along(files: dict[str, Path]) -> None:
    with Dataset.open() as data:
        data.load_packaged()
        one, two = files
        del files[one]
        data.load_packaged()
        assert one not in data
        assert two in data
        assert not ask(data, f"SELECT ?d {{ GRAPH <{PACKAGED}> {{ <{one}> ?p ?d }} }}")


def test_a_broken_file_of_the_package_is_named(files: dict[str, Path]) -> None:
    one, two = files
    files[two].write_text("<urn:example:two> <urn:example:is> .")
    with Dataset.open() as data:
        with pytest.raises(StoreError, match=r"two\.ttl: cannot be read"):
            data.load_packaged()
        assert data.graphs() == [one, PACKAGED]


# --- asking


def test_the_default_graph_is_the_union(packaged: Dataset) -> None:
    query = (
        "SELECT ?name { ruling:GI-1 rw:about ?card . ?card a rw:Card ; skos:prefLabel ?name FILTER(LANG(?name)='en') }"
    )
    assert ask(packaged, query) == ["Parting Gust"]


@pytest.mark.parametrize("clause", [f"FROM <{ONE}>", f"from\n<{ONE}>", f"FROM<{ONE}>", f"FROM #FROM\n<{ONE}>"])
def test_from_says_which_graphs_are_asked(clause: str) -> None:
    with Dataset.open() as data:
        data.add_graph(ONE, [triple(1)])
        data.add_graph(TWO, [triple(2)])
        assert ask(data, f"SELECT ?o {clause} WHERE {{ ?s ?p ?o }}") == ["1"]
        assert ask(data, f"SELECT ?o FROM NAMED <{TWO}> WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}") == ["2"]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?o { ?from ?p ?o }",
        "SELECT ?o { ?s ?p ?o } # FROM <urn:example:graph:1>",
        "SELECT ?o { ?s ?p ?o FILTER(?o != 'FROM <urn:example:graph:1>') }",
        'SELECT ?o { ?s ?p ?o FILTER(?o != "FROM <urn:example:graph:1>") }',
        "PREFIX from: <urn:example:> SELECT ?o { ?s from:is ?o }",
    ],
)
def test_what_only_looks_like_from_does_not(query: str) -> None:
    with Dataset.open() as data:
        data.add_graph(ONE, [triple(1)])
        data.add_graph(TWO, [triple(2)])
        assert ask(data, query) == ["1", "2"]


def test_variables_are_replaced_by_terms() -> None:
    with Dataset.open() as data:
        data.add_graph(ONE, [triple(1), triple(2)])
        rows = data.query("SELECT ?s ?o { ?s ?p ?o }", {"o": ox.Literal(2)})
        assert isinstance(rows, ox.QuerySolutions)
        assert [row["s"].value for row in rows] == ["urn:example:2"]
        with pytest.raises(ValueError, match="projection"):
            data.query("SELECT ?s { ?s ?p ?o }", {"o": ox.Literal(2)})


def test_what_is_no_query_is_a_syntax_error() -> None:
    with Dataset.open() as data, pytest.raises(SyntaxError):
        data.query("SELECT ?s { ?s")


# --- writing


def test_a_graph_is_added_whole_or_not_at_all() -> None:
    def broken() -> Iterator[ox.Triple]:
        yield triple(1)
        raise RuntimeError("the source broke off")

    with Dataset.open() as data:
        with pytest.raises(RuntimeError):
            data.add_graph(ONE, broken())
        assert len(data) == 0
        data.add_graph(ONE, [triple(1)])
        data.add_graph(ONE, [triple(1), triple(2)])
        assert set(data.triples(ONE)) == {triple(1), triple(2)}
        data.replace_graph(ONE, [triple(3)])
        assert set(data.triples(ONE)) == {triple(3)}


def test_on_disk_it_lasts(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "store"
    with Dataset.open(folder) as data:
        data.load_packaged()
        data.add_graph(ONE, [triple(1)])
        there = canonical(data)
    for read_only in (True, False):
        with Dataset.open(folder, read_only) as data:
            assert canonical(data) == there
    with Dataset.open(folder) as data:
        before = len(data)
        data.load_packaged()
        assert len(data) == before


def test_several_may_read_at_once(tmp_path: Path) -> None:
    Dataset.open(tmp_path).close()
    with Dataset.open(tmp_path, read_only=True), Dataset.open(tmp_path, read_only=True) as data:
        assert data.graphs() == []
        with pytest.raises(StoreError, match="for reading only"):
            data.add_graph(ONE, [triple(1)])


@pytest.mark.parametrize("read_only", [True, False])
def test_nobody_else_while_one_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool) -> None:
    monkeypatch.setattr(local, "WAIT", 0.1)
    code = f"from rulewright.store import Dataset; d = Dataset.open(__import__('pathlib').Path({str(tmp_path)!r})); "
    with subprocess.Popen(
        [sys.executable, "-c", code + "print('open', flush=True); input()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match="in use by another process"):
            Dataset.open(tmp_path, read_only)
        other.communicate(b"\n")
    Dataset.open(tmp_path, read_only).close()


def test_folders_that_are_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "letter.txt").write_text("text")
    for path, read_only, problem in (
        (tmp_path / "none", True, "no such store"),
        (file, True, "is a file"),
        (file, False, "is a file"),
        (folder, True, "is no store"),
        (folder, False, "not empty"),
    ):
        with pytest.raises(StoreError, match=problem) as caught:
            Dataset.open(path, read_only)
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "none").exists()
    assert [f.name for f in folder.iterdir()] == ["letter.txt"]


def test_a_broken_store_is_said_to_be_one(tmp_path: Path) -> None:
    Dataset.open(tmp_path).close()
    (tmp_path / "CURRENT").write_text("MANIFEST-999999\n")
    with pytest.raises(StoreError, match="cannot be opened"):
        Dataset.open(tmp_path)


def test_closed_is_closed() -> None:
    data = Dataset.open()
    data.close()
    data.close()
    with pytest.raises(StoreError, match="is closed"):
        data.graphs()


# --- files


@pytest.mark.parametrize("suffix", [".trig", ".nq", ".jsonld"])
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_nothing_is_lost_in_a_file(packaged: Dataset, tmp_path: Path, suffix: str, packed: str) -> None:
    file = tmp_path / f"all{suffix}{packed}"
    packaged.dump(file)
    with Dataset.open() as data:
        data.load(file)
        assert data.graphs() == packaged.graphs()
        assert canonical(data) == canonical(packaged)


def test_turtle_holds_all_triples_in_one_graph(tmp_path: Path) -> None:
    with Dataset.open() as data, Dataset.open() as back:
        data.add_graph(ONE, [triple(1), triple(2)])
        data.add_graph(TWO, [triple(2)])
        data.dump(tmp_path / "all.ttl.gz")
        assert gzip.decompress((tmp_path / "all.ttl.gz").read_bytes())
        back.load(tmp_path / "all.ttl.gz")
        assert {q.triple for q in back.quads()} == {triple(1), triple(2)}
        assert len(back) == 2


def test_the_same_data_make_the_same_file(tmp_path: Path) -> None:
    with Dataset.open() as data:
        data.add_graph(ONE, map(triple, range(100)))
        for name in ("a.nq.gz", "b.nq.gz"):
            data.dump(tmp_path / name)
    assert (tmp_path / "a.nq.gz").read_bytes() == (tmp_path / "b.nq.gz").read_bytes()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken() -> Iterator[ox.Quad]:
        yield ox.Quad(triple(1).subject, triple(1).predicate, triple(1).object)
        raise RuntimeError("broke off")

    file = tmp_path / "all.nq"
    file.write_text("what was there\n")
    with Dataset.open() as data:
        with pytest.raises(RuntimeError):
            data.dump(file, broken())
        (tmp_path / "folder.nq").mkdir()
        with pytest.raises(StoreError, match="is a folder"):
            data.dump(tmp_path / "folder.nq")
        with pytest.raises(StoreError, match="cannot be written"):
            data.dump(tmp_path / "nowhere" / "all.nq")
    assert file.read_text() == "what was there\n"
    assert sorted(f.name for f in tmp_path.iterdir()) == ["all.nq", "folder.nq"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bad.ttl", b"<urn:a> <urn:b> 1 . <urn:a> <urn:b>"),
        ("bad.nq", b"<urn:a> <urn:b> <urn:c> .\nnonsense\n"),
        ("bad.ttl.gz", b"no gzip"),
        ("bad.ttl.zst", b"no zstandard"),
        ("bad.jsonld", b"{"),
    ],
)
def test_a_bad_file_adds_nothing(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with Dataset.open() as data:
        with pytest.raises(StoreError, match="cannot be read") as caught:
            data.load(tmp_path / name)
        assert "\n" not in str(caught.value)
        assert len(data) == 0
        with pytest.raises(StoreError, match="cannot be read"):
            data.load(tmp_path / "none.ttl")
        with pytest.raises(StoreError, match="no format"):
            data.load(tmp_path / "none.xlsx")
