"""The worked examples of the documents are what they say: files, commands and digests."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.store import Dataset
from rulewright.store.queries import load_queries
from rulewright.terms import digest

ROOT = Path(__file__).parents[1]
BASE = "https://w3id.org/rulewright/"
RULING = (ROOT / "docs" / "add-a-ruling.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SEARCH = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
SCENARIO = (ROOT / "docs" / "add-a-scenario.md").read_text(encoding="utf-8")


def block(text: str, language: str) -> str:
    found = re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)
    assert len(found) == 1, language
    return str(found[0])


def sessions(text: str) -> Iterator[tuple[list[str], str]]:
    """Each command in the `console` blocks, and what it prints."""
    for found in re.findall(r"(?ms)^```console\n(.*?)^```$", text):
        for command in re.split(r"(?m)^\$ ", found)[1:]:
            line, _, printed = command.partition("\n")
            yield shlex.split(line), printed


def run(arguments: list[str], folder: Path) -> tuple[int, str]:
    assert arguments[0] == "rulewright"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "rulewright", *arguments[1:]],
        cwd=folder,
        env={**os.environ, "LC_ALL": "en_GB.UTF-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


# --- README.md


@pytest.fixture
def with_example(tmp_path: Path) -> Path:
    """A folder with the README's game, in which `data` is that of the checkout."""
    (tmp_path / "game.json").write_text(block(README, "json"), encoding="utf-8")
    (tmp_path / "data").symlink_to(ROOT / "data")
    return tmp_path


def test_the_example_is_judged_as_told(with_example: Path) -> None:
    told = [(a, p) for a, p in sessions(README) if a[:2] == ["rulewright", "check"] and p.strip()]
    assert len(told) == 2
    assert [run(arguments, with_example) for arguments, _ in told] == [(1, printed) for _, printed in told]


def test_python_prints_what_is_told(with_example: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", block(README, "python")],
        cwd=with_example,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.stdout, done.stderr) == (block(README, "text"), "")


# --- add-a-ruling.md


@pytest.fixture(scope="module")
def dataset() -> Iterator[Dataset]:
    with Dataset.open() as made:
        made.load_packaged()
        mine = ox.parse(block(RULING, "turtle"), format=ox.RdfFormat.TURTLE)
        made.add_graph(BASE + "graph/rulings/house-rules", mine)
        yield made


def test_the_rulings_text_has_the_digest_that_is_printed() -> None:
    wording = re.findall(r"(?m)^> (.*)$", RULING)
    assert len(wording) == 1
    assert f'digest("{wording[0]}")' in RULING
    assert f"prints `{digest(wording[0])}`" in RULING
    assert set(re.findall(r"\b[0-9a-f]{64}\b", block(RULING, "turtle"))) == {
        digest(wording[0]),
        sha256(f"{wording[0]}\n".encode()).hexdigest(),
    }


def test_the_ruling_conforms_to_the_shapes() -> None:
    rdflib = pytest.importorskip("rdflib")
    pyshacl = pytest.importorskip("pyshacl")
    graph = rdflib.Graph().parse(data=block(RULING, "turtle"), format="turtle")
    for file in ("data/rules.ttl", "data/keywords/rebound.ttl", "ontology/core.ttl"):
        graph.parse(ROOT / file)
    shapes = rdflib.Graph().parse(ROOT / "ontology" / "shapes" / "core.ttl")
    conforms, _, report = pyshacl.validate(graph, shacl_graph=shapes)
    assert conforms, report


def test_the_ruling_is_found(dataset: Dataset) -> None:
    query = load_queries()["rulings-of-a-keyword"].bind({"keyword": "rebound"}, dataset.query)
    found = dataset.query(query)
    assert isinstance(found, ox.QuerySolutions)
    assert BASE + "ruling/HR-1" in {row["ruling"].value for row in found}


def test_what_cites_it_is_there_to_be_added_to() -> None:
    line = re.findall(r"(?m)^rw:authority (.*) , ruling:HR-1 \.$", RULING)
    assert len(line) == 1
    assert f"rw:authority {line[0]} ." in (ROOT / "data" / "keywords" / "rebound.ttl").read_text(encoding="utf-8")


def test_commands_about_the_ruling(tmp_path: Path) -> None:
    (tmp_path / "house-rules.ttl").write_text(block(RULING, "turtle"), encoding="utf-8")
    for arguments, printed in sessions(RULING):
        assert run(arguments, tmp_path) == (0, printed)


# --- search.md


def test_what_is_sought_is_found(tmp_path: Path) -> None:
    for arguments, printed in sessions(SEARCH):
        assert run(arguments, tmp_path) == (0, printed)


# --- add-a-scenario.md


def test_the_scenario_holds_and_the_other_differs(tmp_path: Path) -> None:
    record = json.loads(block(SCENARIO, "json"))
    (tmp_path / "exiled-from-the-stack.json").write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "expects-nothing.json").write_text(json.dumps({**record, "expect": []}), encoding="utf-8")
    told = list(sessions(SCENARIO))
    assert [run(arguments, tmp_path) for arguments, _ in told] == [
        (code, printed) for code, (_, printed) in zip((0, 1), told, strict=True)
    ]


def test_the_scenarios_neighbours_are_as_told(tmp_path: Path) -> None:
    record = json.loads(block(SCENARIO, "json"))
    events = {e["id"]: e for e in record["events"]}
    del events["#e6"]
    right = {**record, "id": "urn:example:right", "events": list(events.values()), "expect": []}
    some = [e for e in record["events"] if e["id"] not in ("#e3", "#e4", "#e5")]
    spell, answer = record["cards"]
    open_ = {
        **record,
        "id": "urn:example:open",
        "records": ["Cast", "Trigger"],
        "cards": [{k: v for k, v in spell.items() if k != "zone"}, answer],
        "events": some,
        "expect": [{"verdict": "undetermined", "focus": "#e6"}],
    }
    other = [
        {**e, "targets": ["#elsewhere"]} if e["id"] == "#e2" else e for e in record["events"] if e["id"] != "#e4"
    ]
    other[-1:-1] = [
        {"id": "#e7", "type": "Resolve", "object": "#s1"},
        {"id": "#e8", "type": "Move", "card": "#spell", "from": "stack", "to": "exile", "cause": "#e7",
         "replacement": "rebound"},
    ]  # fmt: skip
    due = {**record, "id": "urn:example:due", "events": other, "expect": []}
    due["cards"] = [*record["cards"], {"id": "#elsewhere", "name": "Another", "owner": "#ana", "types": ["Instant"]}]
    for name, scenario in (("right", right), ("open", open_), ("due", due)):
        (tmp_path / f"{name}.json").write_text(json.dumps(scenario), encoding="utf-8")
        code, printed = run(["rulewright", "check", "--expect", f"{name}.json"], tmp_path)
        assert (code, printed.splitlines()[0]) == (0, f"holds  {name}.json"), printed
