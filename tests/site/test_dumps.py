"""The whole dataset as a file: made once, sent while it is made, never half."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import IO, Any

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient

from rulewright.site import dumping, dumps
from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.dumping import FORMS
from rulewright.store import Dataset
from rulewright.vocabulary import BASE, CORE
from waiting import PATIENCE

EXAMPLE = [
    ox.Quad(ox.NamedNode(f"{BASE}keyword/x{n}"), ox.NamedNode(CORE + "number"), ox.Literal(str(n)), ox.NamedNode(graph))
    for n in range(40) for graph in (f"{BASE}graph/a", f"{BASE}source/b")
]  # fmt: skip


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def filled(dataset: Dataset) -> Dataset:
    for graph in sorted({q.graph_name.value for q in EXAMPLE}):
        dataset.add_graph(graph, [q for q in EXAMPLE if q.graph_name.value == graph])
    return dataset


@pytest.fixture(params=["memory", "disk"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "memory":
        yield Site(filled(Dataset.open()), "http://testserver/")
        return
    with Dataset.open(tmp_path / "store") as store:
        filled(store)
    with Dataset.open(tmp_path / "store", read_only=True) as store:
        yield Site(store, "http://testserver/")


def parsed(content: bytes, form: str) -> set[ox.Quad]:
    quads = ox.parse(gzip.decompress(content), FORMS[form])
    return {q for q in quads if isinstance(q.predicate, ox.NamedNode) and q.predicate.value == CORE + "number"}


@pytest.mark.parametrize("form", FORMS)
def test_all_of_it(site: Site, form: str, cache: Path) -> None:
    visitor = TestClient(application(site))
    path = "/" + dumping.path(form)
    before = visitor.head(path)
    assert before.status_code == 200
    assert "content-length" not in before.headers
    assert not list(cache.glob("dump-*")), "who only asks whether it is there need not wait"
    first = visitor.get(path)
    assert first.status_code == 200
    assert parsed(first.content, form) == set(EXAMPLE)
    assert first.headers["content-type"] == "application/gzip"
    assert "content-encoding" not in first.headers
    assert first.headers["content-disposition"] == f'attachment; filename="rulewright.{form}.gz"'
    assert first.headers["access-control-allow-origin"] == "*"
    again = visitor.get(path)
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"] == before.headers["etag"]
    assert int(again.headers["content-length"]) == len(first.content)
    known = visitor.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    part = visitor.get(path, headers={"Range": "bytes=10-19", "If-Range": first.headers["etag"]})
    assert (part.status_code, part.content) == (206, first.content[10:20])
    assert visitor.head(path).headers["content-length"] == str(len(first.content))


def test_it_is_made_once(site: Site, cache: Path) -> None:
    for _ in range(2):
        TestClient(application(site)).get("/dump.nq.gz")
        (file,) = cache.glob("dump-*")
        file.write_bytes(b"kept")
    assert TestClient(application(site)).get("/dump.nq.gz").content == b"kept"


def test_others_of_the_same_dataset_go(tmp_path: Path, cache: Path) -> None:
    made = []
    for n in range(2):
        with Dataset.open(tmp_path / "store") as store:
            store.add_graph(f"{BASE}graph/{n}", EXAMPLE[:1])
        with Dataset.open(tmp_path / "store", read_only=True) as store:
            visitor = TestClient(application(Site(store, "http://testserver/")))
            made.append(visitor.get("/dump.nq.gz"))
            visitor.get("/dump.trig.gz")
        assert len(list(cache.glob("dump-*.nq.gz"))) == len(list(cache.glob("dump-*.trig.gz"))) == 1
    assert made[0].headers["etag"] != made[1].headers["etag"]
    assert len(parsed(made[1].content, "nq")) == 2


def test_without_a_cache_it_lasts_as_long_as_the_site(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = dumps.Dumps(site)

    async def asked() -> list[Path]:
        async with asyncio.timeout(PATIENCE):
            begun = await made._begun("nq", made._file("nq"))
            assert begun is not None
            await begun[1]
        found = list(tmp_path.glob("rulewright-dumps-*/*"))
        await made.close()
        return found

    assert len(asyncio.run(asked())) == 1
    assert not list(tmp_path.glob("rulewright-dumps-*"))


def test_who_comes_while_it_is_made_reads_along(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only when it is whole: it becomes that when the first has read its beginning, and another has come."""
    runs = []
    begun, joined = asyncio.Event(), asyncio.Event()

    async def slowly(_: Dataset, __: str, out: IO[bytes]) -> None:
        runs.append(1)
        out.write(b"first ")
        out.flush()
        await joined.wait()
        out.write(b"last")

    monkeypatch.setattr(dumps, "_write", slowly)
    monkeypatch.setattr(dumps, "PAUSE", 0.01)
    made = dumps.Dumps(site)

    async def read(seen: asyncio.Event) -> bytes:
        writing = await made._begun("nq", made._file("nq"))
        assert writing is not None
        content = b""
        async for chunk in dumps._followed(*writing):
            content += chunk
            seen.set()
        return content

    async def later() -> bytes:
        await begun.wait()
        return await read(joined)

    async def both() -> list[bytes]:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.gather(read(begun), later())

    assert asyncio.run(both()) == [b"first last"] * 2
    assert len(runs) == 1


def test_half_of_it_is_not_taken_for_whole(site: Site, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    async def failing(_: Dataset, __: str, out: IO[bytes]) -> None:
        out.write(b"half")
        out.flush()
        await asyncio.sleep(0.1)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(dumps, "_write", failing)
    with pytest.raises(dumps.Failed):
        TestClient(application(site)).get("/dump.nq.gz")
    assert not list(cache.glob("dump-*")), "nothing is left"
    monkeypatch.undo()
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(cache))
    assert parsed(TestClient(application(site)).get("/dump.nq.gz").content, "nq") == set(EXAMPLE)


def test_a_process_that_fails(tmp_path: Path, site: Site, cache: Path) -> None:
    if getattr(site.dataset, "folder", None) is None:
        pytest.skip("a dataset in memory needs no process")
    site.dataset.folder = tmp_path / "gone"  # type: ignore[attr-defined]
    with pytest.raises(dumps.Failed):
        TestClient(application(site)).get("/dump.nq.gz")
    assert not list(cache.glob("dump-*"))


def test_where_nothing_can_be_written(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    answer = TestClient(application(site)).get("/dump.nq.gz")
    assert answer.status_code == 503
    assert "retry-after" in answer.headers


def test_what_was_left_long_ago_goes(site: Site, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    TestClient(application(site)).get("/dump.nq.gz")
    (whole,) = cache.glob("dump-*")
    left = whole.with_name(f"{whole.name}.abc.part")
    left.write_bytes(b"")
    assert left not in dumps._old(whole), "it may still be written to"
    monkeypatch.setattr(dumps, "LEFT", -1)
    assert left in dumps._old(whole)


def test_it_is_linked(site: Site) -> None:
    visitor = TestClient(application(site))
    assert 'href="/dump.nq.gz"' in visitor.get("/", headers={"Accept": "text/html"}).text
    triples = list(ox.parse(visitor.get("/.well-known/void", headers={"Accept": "application/n-triples"}).content,
                            ox.RdfFormat.N_TRIPLES))  # fmt: skip
    by_predicate = {p: [t for t in triples if t.predicate.value.endswith(p)] for p in ("dataDump", "downloadURL")}
    for found in by_predicate.values():
        assert {t.object.value for t in found} == {"http://testserver/dump.nq.gz", "http://testserver/dump.trig.gz"}
    parts = {t.object for t in triples if t.predicate.value == "http://www.w3.org/ns/dcat#distribution"}
    assert {t.subject for t in by_predicate["downloadURL"]} <= parts
    assert "Disallow: /dump" in visitor.get("/robots.txt").text
