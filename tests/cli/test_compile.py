"""`rulewright compile`: text that any engine reads, of all axioms or of those of a keyword."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from rdflib import RDF, Graph, Namespace
from rdflib.plugins.sparql import prepareQuery

if TYPE_CHECKING:
    from commands import Command

SHACL = Namespace("http://www.w3.org/ns/shacl#")
UNSEEN = Path(__file__).parents[1] / "axioms" / "data" / "emberwake.ttl"


def queries(text: str) -> list[str]:
    """The queries, which comments part."""
    found: list[list[str]] = []
    fresh = True
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            fresh = True
        else:
            if fresh:
                found.append([])
            fresh = False
            found[-1].append(line)
    return ["\n".join(q) for q in found]


def test_sparql_is_portable(rulewright: Command) -> None:
    done = rulewright("compile", "--to", "sparql")
    assert (done.code, done.err) == (0, "")
    found = queries(done.out)
    stages = [q for q in found if q.startswith("CONSTRUCT")]
    checks = [q for q in found if q.startswith("SELECT")]
    assert len(stages) + len(checks) == len(found)
    assert min(len(stages), len(checks)) > 50
    store = pyoxigraph.Store()
    for query in found:
        prepareQuery(query)
        store.query(query)
        assert "MINUS" not in query
        assert "VALUES" not in query


def test_shacl_is_shacl(rulewright: Command) -> None:
    done = rulewright("compile", "--to", "shacl")
    assert (done.code, done.err) == (0, "")
    shapes = Graph().parse(data=done.out, format="turtle")
    assert len(set(shapes.subjects(RDF.type, SHACL.NodeShape))) > 100
    for select in shapes.objects(None, SHACL.select):
        assert "$this" in select


@pytest.mark.parametrize("name", ["rebound", "Abprall", "ABPRALL", "https://w3id.org/rulewright/keyword/rebound"])
def test_one_keyword_by_any_of_its_names(rulewright: Command, name: str) -> None:
    done = rulewright("compile", "--to", "sparql", "--keyword", name)
    assert done.code == 0
    assert "keyword/rebound#exile" in done.out
    assert "keyword/escape#" not in done.out


def test_axioms_of_a_file(rulewright: Command) -> None:
    done = rulewright("compile", "--to", "sparql", "--axioms", UNSEEN, "--keyword", "Glutwacht")
    assert done.code == 0
    assert "keyword/emberwake#once-a-turn" in done.out
    assert len(queries(rulewright("compile", "--to", "sparql", "--axioms", UNSEEN).out)) > len(queries(done.out))


def test_unknown_keyword(rulewright: Command) -> None:
    done = rulewright("compile", "--to", "sparql", "--keyword", "sleep")
    assert (done.code, done.out) == (2, "")
    (problem,) = done.problems
    assert problem.startswith("--keyword: sleep: is no keyword here; known are ")


@pytest.mark.parametrize("arguments", [[], ["--to", "prolog"], ["--to", "shacl", "extra"]], ids=" ".join)
def test_bad_usage(rulewright: Command, arguments: list[str]) -> None:
    done = rulewright("compile", *arguments)
    assert (done.code, done.out) == (2, "")
    assert "Error: " in done.err
