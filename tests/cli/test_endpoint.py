"""The commands on a server, as a user has them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import rulewright as package
from commands import Command

pytest_plugins = ["servers"]

DATA = Path(__file__).parents[2] / "data"
RECORDS = sorted((DATA / "scenarios" / "rebound").glob("*.json"))[:4]


def test_documents_on_a_server(rulewright: Command, oxigraph: str, tmp_path: Path) -> None:
    server = f"{oxigraph}/query"
    done = rulewright("ingest", DATA / "examples", "--endpoint", server)
    assert (done.code, done.err) == (0, "")
    assert f"Kept in {server}: ask it by rulewright query … --endpoint {server}" in done.out
    assert "already there" in rulewright("ingest", DATA / "examples", "--endpoint", server).out
    rulewright("ingest", DATA / "examples", "--store", "store")
    call = ("query", "deprecated-terms", "--set", "word=Nachwirkung")
    there, here = rulewright(*call, "--endpoint", server), rulewright(*call, "--store", "store")
    assert there.out == here.out
    assert "rulings-aschenpfad.txt" in there.out
    for place in (("--endpoint", server), ("--store", "store")):
        assert rulewright("export", "all.nq.gz", *place).code == 0
        lines = gzip.decompress((tmp_path / "all.nq.gz").read_bytes()).decode().splitlines()
        assert len([line for line in lines if "/source/" in line]) > 100
    call = ("search", "Aschenpfad", "--format", "json")
    there, here = rulewright(*call, "--endpoint", server), rulewright(*call, "--store", "store")
    assert (there.code, there.out) == (0, here.out)
    with package.open(endpoint=server) as dataset:
        assert dataset.graphs()
        assert package.query("deprecated-terms", dataset, word="Nachwirkung")


def test_a_server_without_our_graphs(rulewright: Command, virtuoso: str) -> None:
    for command in (("query", "sources"), ("export", "all.nq"), ("search", "rebound")):
        done = rulewright(*command, "--endpoint", f"{virtuoso}/sparql")
        assert done.code == 2
        assert "there is nothing of ours; make it with: rulewright ingest --endpoint" in done.err


@pytest.mark.parametrize("kind", ["oxigraph", "virtuoso", "store"])
def test_records_are_checked_where_they_are(
    rulewright: Command, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "" if kind == "store" else request.getfixturevalue(kind)
    ask, more = {
        "oxigraph": (["--endpoint", f"{address}/query"], ["--update-endpoint", f"{address}/update"]),
        "virtuoso": (["--endpoint", f"{address}/sparql"],
                     ["--update-endpoint", f"{address}/sparql-auth", "--user", "dba"]),
        "store": (["--store", "games"], []),
    }[kind]  # fmt: skip
    monkeypatch.setenv("RULEWRIGHT_PASSWORD", "secret")
    done = rulewright("ingest", "--as", "records", *RECORDS, *ask, *more, "--format", "json")
    monkeypatch.delenv("RULEWRIGHT_PASSWORD")
    assert (done.code, done.err) == (0, "")
    documents = json.loads(done.out)["documents"]
    assert [(d["kind"], d["state"], d["counts"]) for d in documents] == [("records", "added", {"records": 1})] * 4
    there, here = rulewright("check", *ask, "--format", "json"), rulewright("check", *RECORDS, "--format", "json")
    assert (there.code, there.err) == (here.code, here.err) == (1, "")
    found, wanted = json.loads(there.out), json.loads(here.out)
    assert found["summary"] == wanted["summary"]
    assert {r["id"]: r["verdicts"] for r in found["records"]} == {r["id"]: r["verdicts"] for r in wanted["records"]}


def test_records_are_files_or_kept(rulewright: Command) -> None:
    for call, said in (((), "name records"), ((*RECORDS, "--store", "games"), "name records"),
                       (("--store", "games", "--expect"), "are for files")):  # fmt: skip
        done = rulewright("check", *call)
        assert done.code == 2
        assert said in done.err
    done = rulewright("check", "--store", "nowhere")
    assert (done.code, done.out) == (2, "")
    assert "there is no such store" in done.err


def test_records_without_a_name_are_refused(rulewright: Command, tmp_path: Path) -> None:
    record = json.loads(RECORDS[0].read_text())
    del record["id"]
    (tmp_path / "game.json").write_text(json.dumps(record))
    done = rulewright("ingest", "--as", "records", "game.json", "--store", "store")
    assert done.code == 2
    assert "game.json: record 1: has no id" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--endpoint", "http://127.0.0.1:9/sparql"), "refuses the connection"),
        (("--endpoint", "localhost"), "is no web address"),
        (("--endpoint", "http://127.0.0.1:9/sparql", "--store", "x"), "name one of them"),
        (("--user", "ana"), "go with --endpoint"),
    ],
)
def test_what_cannot_be(rulewright: Command, options: tuple[str, ...], said: str) -> None:
    for command in (("query", "sources"), ("export", "all.nq"), ("ingest", DATA / "examples")):
        done = rulewright(*command, *options)
        assert done.code == 2
        assert said in done.err
        assert "Traceback" not in done.err
