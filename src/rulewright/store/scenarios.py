"""The scenarios as a small graph: what each tests, and how it ends (EARL 1.0 Schema §2.6, DCTERMS).

A scenario is a game record in JSON, which no query can see; this says of each one only what a person asks for: the
statements that it tells of (`dcterms:subject`), the verdict that it expects (`dcterms:type`: conforms, violates,
undetermined), its comment, and the public report that it retells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox

from rulewright.vocabulary import BASE, RDF, RULING, packaged

SCENARIOS: Final = BASE + "graph/scenarios"
"""The named graph in which these triples stand."""
_A = ox.NamedNode(RDF + "type")
_TEST_CASE = ox.NamedNode("http://www.w3.org/ns/earl#TestCase")
_TERM = {
    name: ox.NamedNode("http://purl.org/dc/terms/" + name) for name in ("subject", "type", "description", "source")
}


def expected_verdict(record: dict[str, Any]) -> str:
    """`violates` where a scenario expects any violation, else `undetermined` where it expects one, else `conforms`."""
    verdicts = {expected["verdict"] for expected in record.get("expect", [])}
    return next((v for v in ("violates", "undetermined") if v in verdicts), "conforms")


def scenario_triples(folder: Path | None = None) -> Iterator[ox.Triple]:
    """The triples of all scenarios below a folder (the packaged ones), in the order of their files."""
    for file in sorted((folder or packaged("data", "scenarios")).rglob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        node = ox.NamedNode(record["id"])
        yield ox.Triple(node, _A, _TEST_CASE)
        yield ox.Triple(node, _TERM["type"], ox.Literal(expected_verdict(record)))
        for statement in record.get("statements", []):
            yield ox.Triple(node, _TERM["subject"], ox.NamedNode(RULING + statement))
        if record.get("comment"):
            yield ox.Triple(node, _TERM["description"], ox.Literal(record["comment"], language="en"))
        if record.get("source"):
            yield ox.Triple(node, _TERM["source"], ox.Literal(record["source"]))
