"""`explain`: a keyword, ruling, rule or card by name, number or id, with everything that the graph says of it."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from rulewright.axioms import Axiom, Knowledge
from rulewright.explain.formats import MARKS
from rulewright.explain.words import Words, cited
from rulewright.vocabulary import (
    BASE,
    CORE,
    NEWEST,
    RULE,
    RULING,
    SKOS,
    Iri,
    load_rule_numbers,
    local_name,
    packaged,
    turtle_files,
)

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
DCTERMS = "http://purl.org/dc/terms/"


@dataclass
class Graph:
    """The descriptive data of the package: node -> predicate -> values (a literal with its language)."""

    facts: dict[str, dict[str, list[tuple[str, str]]]] = field(default_factory=dict)

    def values(self, node: str, predicate: str) -> list[str]:
        return [v for v, _ in self.facts.get(node, {}).get(predicate, ())]

    def text(self, node: str, predicate: str, language: str) -> str | None:
        found = self.facts.get(node, {}).get(predicate, ())
        return next((v for v, lang in found if lang == language), None)

    def nodes(self, predicate: str, value: str) -> list[str]:
        return self._nodes.get((predicate, value), [])

    @cached_property
    def _nodes(self) -> dict[tuple[str, str], list[str]]:
        """The other way round."""
        found: dict[tuple[str, str], list[str]] = {}
        for node, said in sorted(self.facts.items()):
            for predicate, values in said.items():
                for value in dict.fromkeys(value for value, _ in values):
                    found.setdefault((predicate, value), []).append(node)
        return found


@cache
def load_graph() -> Graph:
    import pyoxigraph as ox

    graph = Graph()
    for file in [*turtle_files("data", "rulings"), packaged("data", "cards.ttl"), packaged("data", "rules.ttl")]:
        for triple in ox.parse(path=file, format=ox.RdfFormat.TURTLE):
            value = triple.object
            language = value.language or "" if isinstance(value, ox.Literal) else ""
            node, text = triple.subject, value
            if isinstance(node, ox.NamedNode) and isinstance(text, (ox.NamedNode, ox.Literal)):
                values = graph.facts.setdefault(node.value, {}).setdefault(triple.predicate.value, [])
                values.append((text.value, language))
    return graph


@cache
def scenarios() -> tuple[dict[str, Any], ...]:
    """The scenarios of the package: id, statements, comment, and the verdicts that they expect."""
    found = []
    for file in sorted(packaged("data", "scenarios").rglob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        verdicts = {e["verdict"] for e in record.get("expect", [])}
        found.append({
            "id": record["id"],
            "statements": record.get("statements", []),
            "comment": record.get("comment", ""),
            "verdict": next((v for v in ("violates", "undetermined") if v in verdicts), "conforms"),
        })  # fmt: skip
    return tuple(found)


def find(text: str, knowledge: Knowledge) -> list[Iri]:
    """What a text names: a keyword, ruling, rule or card by English or German name, number or identifier.

    Of the rules that have had a number, the one that got it last comes first.
    """
    graph, wanted = load_graph(), text.strip()
    folded = wanted.casefold()
    found: list[Iri] = [iri for name, iri in knowledge.keyword_names.items() if name.casefold() == folded]
    found += [Iri(n) for n in (RULING + wanted, RULING + wanted.upper(), RULE + folded) if n in graph.facts]
    found += [a.iri for a in knowledge.axioms.values() if wanted in (a.iri, a.iri.removeprefix(BASE))]
    number = re.fullmatch(r"(?:cr\s*)?(\d{3}(?:\.\w+)?)\.?", folded)
    if number:
        had = {rule: max((since for since, its in versions if its == number.group(1)), default=0)
               for rule, versions in load_rule_numbers().versions.items()}  # fmt: skip
        found += sorted(filter(had.get, had), key=lambda rule: (-had[rule], rule))
    for card, names_of_it in _cards(graph).items():
        if card in (wanted, BASE + "card/" + wanted) or any(name.casefold() == folded for name in names_of_it):
            found.append(Iri(card))
    if wanted in knowledge.keywords or wanted in graph.facts:
        found.append(Iri(wanted))
    return list(dict.fromkeys(found))


def _cards(graph: Graph) -> dict[str, list[str]]:
    """Cards and their faces, with their names."""
    return {n: graph.values(n, SKOS + "prefLabel") for n in graph.facts if n.startswith(BASE + "card/")}


def near(text: str, knowledge: Knowledge) -> list[str]:
    """Names that may have been meant, in whatever letters the text is written."""
    folded = {name.casefold(): name for name in names(knowledge)}
    return [folded[n] for n in difflib.get_close_matches(text.strip().casefold(), folded, 3)]


def names(knowledge: Knowledge) -> list[str]:
    """Everything that `find` knows by name."""
    graph = load_graph()
    cards = [name for names_of_it in _cards(graph).values() for name in names_of_it]
    rulings = [local_name(n) for n in graph.facts if n.startswith(RULING)]
    return [*knowledge.keyword_names, *rulings, *cards]


def describe(iri: Iri, knowledge: Knowledge) -> dict[str, Any]:
    """A thing as data, in both languages; which keys there are depends on its kind."""
    if iri in knowledge.keywords:
        return _Describer(knowledge).keyword(iri)
    if iri in knowledge.axioms:
        return _Describer(knowledge).axiom_thing(knowledge.axioms[iri])
    if iri.startswith(RULING):
        return _Describer(knowledge).ruling(iri)
    if iri.startswith(RULE):
        return _Describer(knowledge).rule(iri)
    return _Describer(knowledge).card(iri)


class _Describer:
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge, self.graph, self.numbers = knowledge, load_graph(), load_rule_numbers()
        self.words = {language: Words(knowledge, language) for language in ("en", "de")}

    def cited(self, authority: str) -> dict[str, str]:
        return cited(Iri(authority), self.knowledge, NEWEST)

    def both(self, node: str, predicate: str) -> dict[str, str]:
        return {lang: text for lang in ("en", "de") if (text := self.graph.text(node, predicate, lang)) is not None}

    def axiom(self, axiom: Axiom) -> dict[str, Any]:
        return {
            "id": axiom.iri,
            "archetype": axiom.archetype,
            "label": {"en": axiom.label.en, "de": axiom.label.de},
            "words": {lang: self.words[lang].axiom(axiom) for lang in ("en", "de")},
            "authority": [self.cited(a) for a in axiom.authority],
        }

    def ruling_entry(self, ruling: str) -> dict[str, Any]:
        issued = self.graph.values(ruling, DCTERMS + "issued")
        return {
            "id": ruling,
            "label": local_name(ruling),
            "statement": self.both(ruling, CORE + "statement"),
            "issued": issued[0] if issued else None,
            "status": [local_name(s) for s in self.graph.values(ruling, CORE + "status")],
            "restsOn": [self.cited(r) for r in self.graph.values(ruling, CORE + "restsOn")],
        }

    def axioms_citing(self, *authorities: str) -> list[dict[str, Any]]:
        return [self.axiom(a) for a in self.knowledge.citing(map(Iri, authorities))]

    def scenario_counts(self, statements: set[str]) -> dict[str, Any]:
        mine = [s for s in scenarios() if statements & set(s["statements"])]
        counts = {v: sum(1 for s in mine if s["verdict"] == v) for v in ("conforms", "violates", "undetermined")}
        return {**counts, "listed": [{"id": s["id"], "verdict": s["verdict"], "comment": s["comment"]} for s in mine]}

    def keyword(self, iri: Iri) -> dict[str, Any]:
        keyword = self.knowledge.keywords[iri]
        rulings = [n for n in self.graph.nodes(CORE + "about", iri) if n.startswith(RULING)]
        rulings.sort(key=lambda n: int((self.graph.values(n, CORE + "sequence") or ["0"])[0]))
        return {
            "kind": "keyword", "id": iri, "label": {"en": keyword.label.en, "de": keyword.label.de},
            "rules": [self.rule_entry(r) for r in keyword.rules],
            "axioms": [self.axiom(a) for a in self.knowledge.axioms.values() if a.keyword == iri
                       or a.iri.startswith(f"{iri}#")],
            "rulings": [self.ruling_entry(r) for r in rulings],
            "scenarios": self.scenario_counts({local_name(r) for r in rulings}),
        }  # fmt: skip

    def ruling(self, iri: Iri) -> dict[str, Any]:
        return {
            "kind": "ruling", **self.ruling_entry(iri),
            "about": [{"id": a, "label": self.both(a, SKOS + "prefLabel") or self._keyword_label(a)}
                      for a in self.graph.values(iri, CORE + "about")],
            "axioms": self.axioms_citing(iri),
            "scenarios": self.scenario_counts({local_name(iri)}),
        }  # fmt: skip

    def _keyword_label(self, iri: str) -> dict[str, str]:
        keyword = self.knowledge.keywords.get(Iri(iri))
        return {"en": keyword.label.en, "de": keyword.label.de} if keyword else {}

    def rule_entry(self, iri: str) -> dict[str, Any]:
        history = self.numbers.versions.get(Iri(iri), [])
        since: dict[str, int] = {}
        for day, number in history:
            since.setdefault(number, day)
        return {
            **self.cited(iri), "heading": self.both(iri, SKOS + "prefLabel"),
            "numbers": [{"number": n, "since": f"{d // 10000}-{d // 100 % 100:02}-{d % 100:02}"}
                        for n, d in since.items()],
        }  # fmt: skip

    def rule(self, iri: Iri) -> dict[str, Any]:
        resting = [n for n in self.graph.nodes(CORE + "restsOn", iri) if n.startswith(RULING)]
        return {
            "kind": "rule", **self.rule_entry(iri),
            "keywords": [{"id": k.iri, "label": {"en": k.label.en, "de": k.label.de}}
                         for k in self.knowledge.keywords.values() if iri in k.rules],
            "axioms": self.axioms_citing(iri),
            "rulings": [self.ruling_entry(r) for r in resting],
        }  # fmt: skip

    def card(self, iri: Iri) -> dict[str, Any]:
        rulings = [n for n in self.graph.nodes(CORE + "about", iri) if n.startswith(RULING)]
        rulings.sort(key=lambda n: int((self.graph.values(n, CORE + "sequence") or ["0"])[0]))
        faces = self.graph.nodes(CORE + "faceOf", iri)
        return {
            "kind": "card", "id": iri, "label": self.both(iri, SKOS + "prefLabel"),
            "faces": [self.both(f, SKOS + "prefLabel") for f in faces],
            "rulings": [self.ruling_entry(r) for r in rulings],
            "scenarios": self.scenario_counts({local_name(r) for r in rulings}),
        }  # fmt: skip

    def axiom_thing(self, axiom: Axiom) -> dict[str, Any]:
        return {"kind": "axiom", **self.axiom(axiom)}


def text(thing: dict[str, Any], language: str, knowledge: Knowledge | None = None) -> Iterator[str]:
    """A thing for a person, in one language. `knowledge`: what rules without a number are called."""
    names = Words(knowledge or Knowledge(), language)

    def say(en: str, de: str) -> str:
        return de if language == "de" else en

    label = thing.get("label")
    name = label.get(language) or label.get("en") if isinstance(label, dict) else label
    other = label.get("en" if language == "de" else "de") if isinstance(label, dict) else None
    heading = thing.get("heading", {}).get(language)
    yield f"{name}" + (f" — {heading}" if heading else "") + (f" ({other})" if other and other != name else "")
    yield f"  {thing['id']}"
    if "statement" in thing:
        yield f"  {thing['statement'].get(language, '')}"
        if thing.get("issued"):
            yield f"  {say('published', 'veröffentlicht')}: {thing['issued']}"
        yield f"  {say('rests on', 'beruht auf')}: " + " · ".join(r["label"] for r in thing["restsOn"])
    if thing["kind"] == "rule":
        yield f"  {say('numbers', 'Nummern')}: " + ", ".join(f"{n['number']} ({n['since']})" for n in thing["numbers"])
    if thing.get("rules"):
        yield f"  {say('defined by', 'definiert in')}: " + " · ".join(
            names.citation(r) + (f" ({', '.join(n['number'] for n in r['numbers'])})" if r["numbers"] else "")
            for r in thing["rules"])
    if thing.get("faces"):
        yield f"  {say('faces', 'Seiten')}: " + ", ".join(f.get(language) or f.get("en", "") for f in thing["faces"])
    if thing["kind"] == "axiom":
        yield from _axiom_text(thing, names, "  ")
    if thing.get("axioms"):
        yield ""
        yield say("What it means, as it is checked", "Was es bedeutet, so wie es geprüft wird")
        for axiom in thing["axioms"]:
            yield f"  • {axiom['label'][language]}"
            yield from _axiom_text(axiom, names, "      ")
    if thing.get("rulings"):
        yield ""
        yield say("Rulings", "Regelerläuterungen")
        for ruling in thing["rulings"]:
            rests = " · ".join(r["label"] for r in ruling["restsOn"])
            yield f"  {ruling['label']}  {ruling['statement'].get(language, '')}"
            yield f"      {rests}" + (f", {ruling['issued']}" if ruling["issued"] else "")
    if "scenarios" in thing:
        counts = thing["scenarios"]
        yield ""
        yield say(
            f"Scenarios: {counts['conforms']} conform, {counts['violates']} violate, "
            f"{counts['undetermined']} undetermined",
            f"Szenarien: {counts['conforms']} regelgerecht, {counts['violates']} regelwidrig, "
            f"{counts['undetermined']} ungeklärt",
        )
        for scenario in counts["listed"]:
            yield f"  {MARKS[scenario['verdict']]} {scenario['id'].removeprefix(BASE)}"


def _axiom_text(axiom: dict[str, Any], names: Words, indent: str) -> Iterator[str]:
    for line in axiom["words"][names.language]:
        yield f"{indent}{line}"
    rests_on = names.say("rests on", "beruht auf")
    yield f"{indent}{rests_on}: " + " · ".join(names.citation(a) for a in axiom["authority"])
