"""The ontology's reference is fresh, and has everything."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.quality import context, reference

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / reference.DOCUMENT
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
BASE = "https://w3id.org/rulewright/"


def test_it_is_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main(["--check", "--to", str(DOCUMENT)]) == 0, capsys.readouterr().err


def test_every_term_is_there_with_its_words() -> None:
    text = reference.document()
    terms = set()
    for file in (ROOT / "ontology").glob("*.ttl"):
        for triple in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
            subject, value = triple.subject, triple.object
            if not isinstance(subject, ox.NamedNode) or not subject.value.startswith(BASE) or "#" not in subject.value:
                continue
            terms.add(subject.value)
            if triple.predicate.value in (RDFS + "label", RDFS + "comment"):
                assert isinstance(value, ox.Literal)
                assert reference._escaped(value.value) in text, subject.value
    assert len(terms) > 500
    headings = re.findall(r"(?m)^#### `(\w+:\w+)` \S", text)
    assert sorted(headings) == sorted(map(reference.short, terms))


def test_links_lead_somewhere() -> None:
    text = reference.document()
    anchors = re.findall(r'<a id="([^"]+)"></a>', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)


def test_it_says_where_it_is_not_fresh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "reference.md"
    assert reference.main(["--check", "--to", str(file)]) == 1
    assert reference.main(["--to", str(file)]) == 0
    assert reference.main(["--check", "--to", str(file)]) == 0
    file.write_text("changed", encoding="utf-8")
    assert reference.main(["--check", "--to", str(file)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told == [f"{file}: is not fresh: run python -m rulewright.quality.reference"] * 2
    assert file.read_text(encoding="utf-8") == "changed"


def test_the_context_is_fresh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    assert context.main(["--check", "--to", str(root / context.DOCUMENT)]) == 0, capsys.readouterr().err
    assert context.main(["--check", "--to", str(tmp_path / "context.jsonld")]) == 1
    assert "run python -m rulewright.quality.context" in capsys.readouterr().err
