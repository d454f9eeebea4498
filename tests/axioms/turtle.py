"""A keyword of our own in Turtle, for tests that read axioms: kindle, which is cast from the graveyard and exiled."""

from __future__ import annotations

from pathlib import Path

from rulewright.axioms import Axiom, Knowledge, read_files
from rulewright.vocabulary import KEYWORD, Iri

PREFIXES = """@prefix : <https://w3id.org/rulewright/keyword/kindle#> .
@prefix ax: <https://w3id.org/rulewright/axiom#> .
@prefix game: <https://w3id.org/rulewright/game#> .
@prefix kw: <https://w3id.org/rulewright/keyword/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rule: <https://w3id.org/rulewright/rule/> .
@prefix rw: <https://w3id.org/rulewright/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
KINDLE = 'kw:kindle a rw:Keyword ; skos:prefLabel "kindle"@en , "Entfachen"@de ; rw:definedBy rule:kindle-a .\n'
SAYS = 'rdfs:label "kindle: it is so"@en , "Entfachen: so ist es"@de ; rw:authority rule:kindle-a'
"""What every axiom needs."""
FROM_GRAVEYARD = "[ sh:path game:from ; sh:hasValue game:graveyard ]"


def iri(name: str) -> Iri:
    """`#exile` of the keyword."""
    return Iri(f"{KEYWORD}kindle#{name}")


def read(folder: Path, text: str, name: str = "kindle.ttl", base: Knowledge | None = None) -> Knowledge:
    """Axioms from a file with the prefixes and the keyword."""
    file = folder / name
    file.write_text(PREFIXES + KINDLE + text, encoding="utf-8")
    return read_files([file], base)


def read_axiom(folder: Path, says: str, archetype: str = "Prohibition") -> Axiom:
    """The one axiom `:a`, which says this beside what every axiom needs."""
    return read(folder, f":a a ax:{archetype} ; {SAYS} ; {says} .").axioms[iri("a")]
