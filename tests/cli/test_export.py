"""`rulewright export` as a user has it."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from commands import Command
from rulewright.store import Dataset
from rulewright.store.dataset import DESCRIPTION

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def canonical(data: Dataset) -> ox.Dataset:
    found = ox.Dataset(q for q in data.quads() if q.graph_name != ox.NamedNode(DESCRIPTION))
    found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return found


@pytest.mark.parametrize("name", ["all.trig", "all.nq.zst", "all.jsonld.gz"])
def test_a_store_comes_back_from_a_file(rulewright: Command, tmp_path: Path, name: str) -> None:
    assert rulewright("ingest", EXAMPLES, "--store", "store").code == 0
    done = rulewright("export", name, "--store", "store")
    assert (done.code, done.err) == (0, "")
    with Dataset.open() as back, Dataset.open(tmp_path / "store", read_only=True) as there:
        back.load(tmp_path / name)
        assert canonical(back) == canonical(there)
        assert set(back.graphs()) == {*there.graphs(), DESCRIPTION}
        assert f"{name}: {len(back)} statements of RDF in {len(back.graphs())} named graphs" in done.out


def test_the_package_alone(rulewright: Command, tmp_path: Path) -> None:
    assert rulewright("export", "all.nq").code == 0
    with Dataset.open() as back, Dataset.open() as packaged:
        back.load(tmp_path / "all.nq")
        packaged.load_packaged()
        assert canonical(back) == canonical(packaged)


def test_turtle_says_what_it_loses(rulewright: Command) -> None:
    done = rulewright("export", "all.ttl", "--lang", "de")
    assert done.code == 0
    (warning,) = done.problems
    assert "keine benannten Graphen" in warning


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ["all.xlsx"],
            "all.xlsx: is of no format that is known by its name; name it .trig, .nq, .ttl, .jsonld, or one",
        ),
        (["nowhere/all.nq"], "nowhere/all.nq: cannot be written: No such file or directory; mend the path"),
        (["all.nq", "--store", "none"], "none: there is no such store; make it with: rulewright ingest --store"),
    ],
)
def test_bad_usage(rulewright: Command, tmp_path: Path, arguments: list[str], problem: str) -> None:
    done = rulewright("export", *arguments)
    assert done.code == 2
    (line,) = done.problems
    assert line.startswith(problem)
    assert not list(tmp_path.iterdir())
