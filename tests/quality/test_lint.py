"""The lint of the project: each kind of slip in a very small checkout of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.quality.lint import Project

PREFIXES = """@prefix ax: <https://w3id.org/rulewright/axiom#> .
@prefix game: <https://w3id.org/rulewright/game#> .
@prefix kw: <https://w3id.org/rulewright/keyword/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rule: <https://w3id.org/rulewright/rule/> .
@prefix ruling: <https://w3id.org/rulewright/ruling/> .
@prefix rw: <https://w3id.org/rulewright/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""
WORDS = 'rdfs:label "x"@en , "y"@de ; rdfs:comment "x"@en , "y"@de ; rdfs:isDefinedBy <https://w3id.org/rulewright/core>'
CLEAN = {
    "ontology/core.ttl": f"rw:Thing a owl:Class ; {WORDS} . rw:note a owl:DatatypeProperty ; {WORDS} .",
    "data/things.ttl": 'rule:a a rw:Thing ; rw:note "x" . ruling:RB-1 a rw:Thing ; rw:note "y" .',
}


def write(folder: Path, more: dict[str, str] | None = None) -> Project:
    """A clean checkout, with more in its files or in further ones."""
    wanted = dict(CLEAN)
    for name, text in (more or {}).items():
        wanted[name] = f"{wanted.get(name, '')}\n{text}"
    for name, text in wanted.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PREFIXES + text if name.endswith(".ttl") else text, encoding="utf-8")
    return Project(folder)


def slips(project: Project) -> Iterator[str]:
    for part in (project.undeclared, project.unused, project.wordless, project.uncited):
        yield from part()


def test_a_clean_project(tmp_path: Path) -> None:
    assert list(slips(write(tmp_path))) == []


@pytest.mark.parametrize(
    ("file", "content", "slip"),
    [
        ("data/things.ttl", "rule:b a rw:Thing ; rw:nots 1 .", "data/things.ttl: rw:nots is not declared"),
        ("data/things.ttl", "rule:b a rw:Thnig .", "data/things.ttl: rw:Thnig is not declared"),
        ("ontology/shapes/x.ttl", '[] sh:select """SELECT ?x { ?x rw:gone 1 }""" .', ""),
        ("ontology/shapes/x.ttl",
         '[] sh:select """PREFIX r: <https://w3id.org/rulewright/core#> SELECT ?x { ?x r:gone 1 }""" .',
         "ontology/shapes/x.ttl: rw:gone is not declared"),
        ("queries/q.rq", "SELECT ?x { ?x <https://w3id.org/rulewright/core#gone> 1 }",
         "queries/q.rq: rw:gone is not declared"),
        ("queries/q.rq",
         "PREFIX rw: <https://w3id.org/rulewright/core#>\n# rw:commented\nSELECT ?x { ?x rw:note 'rw:said' }", ""),
        ("ontology/context.jsonld", '{"@context": {"note": "rw:gone"}}', "ontology/context.jsonld: rw:gone is not"),
        ("src/x.py", 'from y import CORE\nA = CORE + "gone"\n', "src/x.py: rw:gone is not declared"),
        ("src/x.py", 'from y import CORE\nA = f"{CORE}gone"\n', "src/x.py: rw:gone is not declared"),
        ("src/x.py", '"""rw:gone is only spoken of."""\n', ""),
        ("src/x.py", 'A = "SELECT ?x { ?x rw:gone 1 }"\n', "src/x.py: rw:gone is not declared"),
        ("data/broken.ttl", "rule:b a", "data/broken.ttl: is not Turtle"),
    ],
)  # fmt: skip
def test_terms_that_are_used_and_not_declared(file: str, content: str, slip: str, tmp_path: Path) -> None:
    found = list(write(tmp_path, {file: content}).undeclared())
    assert bool(found) is bool(slip)
    assert all(f.startswith(slip) for f in found), found


@pytest.mark.parametrize(
    ("more", "used"),
    [
        ({}, False),
        ({"data/things.ttl": "rule:b a rw:Thing ; rw:spare 1 ."}, True),
        ({"queries/q.rq": "SELECT ?x { ?x <https://w3id.org/rulewright/core#spare> 1 }"}, True),
        ({"src/x.py": 'A = ("spare", "other")\n'}, True),
        ({"src/x.py": 'A = "spare other".split()\n'}, True),
        ({"src/x.py": 'A = "spare other"\n'}, False),
        ({"ontology/more.ttl": "rw:Thing rdfs:seeAlso rw:spare ."}, True),
        ({"ontology/more.ttl": "rw:spare rdfs:seeAlso rw:spare ."}, False),
        ({"ontology/more.ttl": "rw:Thing owl:disjointWith rw:spare ."}, False),
    ],
)
def test_terms_that_are_declared_and_not_used(more: dict[str, str], used: bool, tmp_path: Path) -> None:
    declares = {"ontology/core.ttl": f"rw:spare a owl:DatatypeProperty ; {WORDS} ."}
    found = list(write(tmp_path, {**declares, **more}).unused())
    assert found == ([] if used else ["ontology/core.ttl: rw:spare is declared and not used"])


@pytest.mark.parametrize(
    ("wrong", "right", "slip"),
    [
        ('"y"@de ; rdfs:comment', '"y"@fr ; rdfs:comment', "rw:Thing needs one rdfs:label in English and"),
        ('"y"@de ; rdfs:comment', '"y"@de , "z"@de ; rdfs:comment', "rw:Thing needs one rdfs:label in English"),
        ('rdfs:comment "x"@en , "y"@de ; ', "", "rw:Thing needs one rdfs:comment in English and one in German"),
        ("rulewright/core>", "rulewright/game>", "rw:Thing needs rdfs:isDefinedBy with its ontology"),
    ],
)
def test_terms_without_words(wrong: str, right: str, slip: str, tmp_path: Path) -> None:
    (tmp_path / "ontology").mkdir()
    text = CLEAN["ontology/core.ttl"].replace(wrong, right, 1)
    (tmp_path / "ontology" / "core.ttl").write_text(PREFIXES + text, encoding="utf-8")
    (found,) = Project(tmp_path).wordless()
    assert found.startswith(f"ontology/core.ttl: {slip}")


def test_shapes_speak_both_languages(tmp_path: Path) -> None:
    shape = "<urn:s> sh:message 'x'@en . <urn:t> sh:message 'x'@en , 'y'@de ."
    (found,) = write(tmp_path, {"ontology/shapes/s.ttl": shape}).wordless()
    assert found == "ontology/shapes/s.ttl: urn:s needs one sh:message in English and one in German"


def scenario(**more: object) -> str:
    return json.dumps({"id": "urn:g", "events": [], "expect": [], **more})


@pytest.mark.parametrize(
    ("file", "content", "slip"),
    [
        ("data/things.ttl", "rule:c a rw:Thing ; rw:note rule:gone .",
         "data/things.ttl: rule/c cites rule/gone, which is not there"),
        ("data/scenarios/s.json", scenario(statements=["RB-1"]), ""),
        ("data/scenarios/s.json", scenario(statements=["RB-9"]),
         "data/scenarios/s.json: cites ruling:RB-9, which is not there"),
        ("data/scenarios/s.json", scenario(expect=[{"authority": "RB-1"}]), ""),
        ("data/scenarios/s.json", scenario(expect=[{"authority": "702.1"}]),
         "data/scenarios/s.json: cites 702.1, which is no ruling and no rule"),
    ],
)  # fmt: skip
def test_what_is_cited_and_not_there(file: str, content: str, slip: str, tmp_path: Path) -> None:
    found = list(write(tmp_path, {file: content}).uncited())
    assert found == ([slip] if slip else [])


@pytest.mark.parametrize(
    ("more", "contradicts"),
    [
        ("", False),
        ("rw:Other a owl:Class ; owl:disjointWith rw:Thing . rw:it a rw:Thing , rw:Other .", True),
        ("rw:Other a owl:Class ; owl:disjointWith rw:Thing . rw:it a rw:Other .", False),
    ],
)
def test_data_that_contradict_the_ontology(more: str, contradicts: bool, tmp_path: Path) -> None:
    found = list(write(tmp_path, {"ontology/more.ttl": more}).contradictions())
    assert bool(found) is contradicts
    assert all(f.startswith("contradiction: ") for f in found)


def test_broken_axioms_are_a_slip_and_no_traceback(tmp_path: Path) -> None:
    project = write(tmp_path, {"data/keywords/k.ttl": "kw:k a rw:Keyword ."})
    said = "data/keywords/k.ttl: https://w3id.org/rulewright/keyword/k: prefLabel is needed in English and German"
    assert any(slip.startswith(said) for slip in project.undeclared())
