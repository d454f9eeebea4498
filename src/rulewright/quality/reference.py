"""The ontology's reference, `docs/ontology.md`, made of `ontology/*.ttl`: `python -m rulewright.quality.reference`.

With `--check` nothing is written, and the exit code is 1 where the document is not fresh.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from rulewright.quality import generated
from rulewright.vocabulary import AX, BASE, CORE, GAME, NEWEST, RDF, RULE, Iri, load_rule_numbers, local_name, packaged

DOCUMENT: Final = Path("docs", "ontology.md")
OWL = "http://www.w3.org/2002/07/owl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
DCTERMS = "http://purl.org/dc/terms/"
VANN = "http://purl.org/vocab/vann/"
SCHEMA_ORG = "https://schema.org/"
PREFIXES: Final = {
    "rw": CORE,
    "ax": AX,
    "game": GAME,
    "dcterms": DCTERMS,
    "eli": "http://data.europa.eu/eli/ontology#",
    "itsrdf": "http://www.w3.org/2005/11/its/rdf#",
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "owl": OWL,
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA_ORG,
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "skosxl": "http://www.w3.org/2008/05/skos-xl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
ORDER: Final = ("core", "axioms", "game")
SECTIONS: Final = ("Classes", "Individuals", "Properties of records", "Derived properties", "Properties")
_RELATIONS: Final = (
    (RDFS + "subClassOf", "subclass of"),
    (RDFS + "subPropertyOf", "subproperty of"),
    (RDFS + "domain", "domain"),
    (SCHEMA_ORG + "domainIncludes", "used on"),
    (RDFS + "range", "range"),
    (SCHEMA_ORG + "rangeIncludes", "values"),
    (GAME + "valueKind", "written as"),
    (GAME + "word", "word"),
    (GAME + "property", "may state"),
    (GAME + "member", "members"),
    (OWL + "inverseOf", "inverse of"),
    (OWL + "disjointWith", "disjoint with"),
    (CORE + "authority", "rests on"),
)
Value = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass
class Ontology:
    """The triples of one file: `facts` is subject -> predicate -> values, each in the order of the file."""

    name: str
    facts: dict[str, dict[str, list[Value]]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Ontology:
        found = cls(file.stem)
        for triple in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
            if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, Value):
                of = found.facts.setdefault(triple.subject.value, {})
                of.setdefault(triple.predicate.value, []).append(triple.object)
        return found

    @property
    def iri(self) -> str:
        return next(s for s in self.facts if OWL + "Ontology" in self.types(s))

    def values(self, subject: str, predicate: str) -> list[Value]:
        return self.facts[subject].get(predicate, [])

    def types(self, subject: str) -> list[str]:
        return [v.value for v in self.values(subject, RDF + "type")]

    def text(self, subject: str, predicate: str, language: str) -> str:
        found = (v for v in self.values(subject, predicate) if isinstance(v, ox.Literal) and v.language == language)
        return next((v.value for v in found), "")

    def terms(self) -> list[str]:
        """The terms that this ontology declares."""
        return sorted(s for s in self.facts if s.startswith(self.iri + "#") and self.types(s))


def document() -> str:
    """The whole text, from the packaged ontologies."""
    files = {f.stem: f for f in packaged("ontology").glob("*.ttl")}
    names = [n for n in ORDER if n in files] + sorted(set(files) - set(ORDER))
    return "\n".join(_lines([Ontology.read(files[n]) for n in names])) + "\n"


def _lines(ontologies: list[Ontology]) -> Iterator[str]:
    anchors = {term: anchor(term) for o in ontologies for term in o.terms()}
    yield "# The ontology"
    yield ""
    yield "Made by `python -m rulewright.quality.reference` from `ontology/*.ttl`: what is wrong here is to be mended"
    yield "there. Each term has its label and comment in English and in German. *Used on* and *values* are hints"
    yield "(`schema:domainIncludes`, `schema:rangeIncludes`), from which no reasoner concludes anything."
    yield ""
    for ontology in ontologies:
        title = ontology.text(ontology.iri, DCTERMS + "title", "en")
        yield f"- [{title}](#{anchor(ontology.iri)}): {len(ontology.terms())} terms"
    for ontology in ontologies:
        yield from _ontology(ontology, anchors)


def _ontology(ontology: Ontology, anchors: dict[str, str]) -> Iterator[str]:
    iri = ontology.iri
    said = {lang: [ontology.text(iri, DCTERMS + k, lang) for k in ("title", "description")] for lang in ("en", "de")}
    version = "".join(v.value for v in ontology.values(iri, OWL + "versionInfo"))
    prefix = "".join(v.value for v in ontology.values(iri, VANN + "preferredNamespacePrefix"))
    yield ""
    yield f'<a id="{anchor(iri)}"></a>'
    yield ""
    yield f"## {said['en'][0]}"
    yield ""
    yield f"`{iri}`, version {version}; prefix `{prefix}:` for `{iri}#`."
    yield ""
    yield said["en"][1]
    yield ""
    yield f"**{said['de'][0]}.** {said['de'][1]}"
    found: dict[str, list[str]] = {}
    for term in ontology.terms():
        found.setdefault(_section(ontology.types(term)), []).append(term)
    for section in SECTIONS:
        if section in found:
            yield ""
            yield f"### {section} of `{prefix}:`"
            for term in found[section]:
                yield from _term(ontology, term, anchors)


def _term(ontology: Ontology, term: str, anchors: dict[str, str]) -> Iterator[str]:
    yield ""
    yield f'<a id="{anchors[term]}"></a>'
    yield ""
    labels = " · ".join(ontology.text(term, RDFS + "label", lang) for lang in ("en", "de"))
    yield f"#### `{short(term)}` {_escaped(labels)}"
    yield ""
    yield _escaped(ontology.text(term, RDFS + "comment", "en"))
    yield ""
    yield f"*{_escaped(ontology.text(term, RDFS + 'comment', 'de'))}*"
    own = {OWL + "Class", OWL + "NamedIndividual", RDF + "Property"}
    kinds = [t for t in ontology.types(term) if t not in own]
    facts = [("a", [_link(t, anchors) for t in kinds])] if kinds else []
    for predicate, name in _RELATIONS:
        if values := ontology.values(term, predicate):
            facts.append((name, [_value(v, anchors) for v in values]))
    if facts:
        yield ""
        yield from (f"- {name}: {', '.join(values)}" for name, values in facts)


def _section(types: list[str]) -> str:
    if OWL + "Class" in types:
        return "Classes"
    if OWL + "NamedIndividual" in types:
        return "Individuals"
    if GAME + "StatedProperty" in types:
        return "Properties of records"
    return "Derived properties" if GAME + "DerivedProperty" in types else "Properties"


def _value(value: Value, anchors: dict[str, str]) -> str:
    if isinstance(value, ox.NamedNode):
        return _link(value.value, anchors)
    return f"`{value.value}`"


def _link(iri: str, anchors: dict[str, str]) -> str:
    if iri.startswith(RULE):
        return load_rule_numbers().label(Iri(iri), NEWEST)
    return f"[`{short(iri)}`](#{anchors[iri]})" if iri in anchors else f"`{short(iri)}`"


def short(iri: str) -> str:
    """An IRI with its prefix, or below the base."""
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri.removeprefix(BASE)


def anchor(iri: str) -> str:
    """Where a term, or an ontology, stands in the document."""
    local = local_name(iri)
    space = next((p for p, namespace in PREFIXES.items() if iri.startswith(namespace)), "")
    return f"{space}-{local}" if space else f"ontology-{local}"


def _escaped(text: str) -> str:
    for sign in ("\\", "*", "_", "<", "[", "]", "|"):
        text = text.replace(sign, "\\" + sign)
    return text


def main(arguments: list[str] | None = None) -> int:
    """See `rulewright.quality.generated`."""
    return generated.main(arguments, "rulewright.quality.reference", __doc__, document, DOCUMENT)


if __name__ == "__main__":
    sys.exit(main())
