"""The table of the curated statements, `docs/statements.md`: `python -m rulewright.quality.statements`.

Each row is a statement of the graph with its node, its status, and what there is for it: texts of our own in both
languages, the axioms that check it, and the scenarios that tell of it. With `--check` nothing is written, and the exit
code is 1 where the document is not fresh.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from rulewright.axioms import Axiom, Knowledge, ir, packaged_knowledge
from rulewright.quality.reference import written
from rulewright.store.scenarios import scenario_triples
from rulewright.vocabulary import BASE, CORE, NEWEST, RDF, RULING, Iri, load_rule_numbers, local_name, turtle_files

DOCUMENT: Final = Path("docs", "statements.md")
DCTERMS = "http://purl.org/dc/terms/"
_INTRODUCTION: Final = """\
# The statements

Made by `python -m rulewright.quality.statements` from `data/`. Each of the {count} statements of the source documents
is a node `{node}ID`, said in words of our own in both languages
(`rulewright explain ID`); the verbatim texts are known by their digests only.

*Axioms* are those that cite the statement, themselves or by one of their conditions. Where none does, they are those
that cite a rule on which it rests, which is named. *Scenarios* are those that tell of the statement: how many conform
(✓), violate (✗) and are undetermined (?). A *note* says nothing about play, so nothing checks it.

"""
VERDICTS: Final = ("conforms", "violates", "undetermined")


@dataclass
class Statement:
    """A curated statement, with what there is for it."""

    iri: str
    sequence: int = 0
    status: list[str] = field(default_factory=list)
    languages: set[str] = field(default_factory=set)
    issued: str = ""
    rests_on: list[str] = field(default_factory=list)
    axioms: list[Iri] = field(default_factory=list)
    """Those that cite it."""
    by_rule: dict[str, list[Iri]] = field(default_factory=dict)
    """Where none cites it: rule on which it rests -> the axioms that cite that."""
    scenarios: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return local_name(self.iri)

    @property
    def normative(self) -> bool:
        return "normative" in self.status


def statements() -> dict[str, list[Statement]]:
    """The statements of each packaged file of rulings, in the order of their documents."""
    knowledge = packaged_knowledge()
    citing = _citing(knowledge)
    told: dict[str, Counter[str]] = {}
    verdict: dict[str, str] = {}
    for triple in scenario_triples():
        scenario, value = triple.subject, triple.object
        if isinstance(scenario, ox.NamedNode) and isinstance(value, (ox.NamedNode, ox.Literal)):
            if triple.predicate.value == DCTERMS + "type":
                verdict[scenario.value] = value.value
            elif triple.predicate.value == DCTERMS + "subject":
                told.setdefault(value.value, Counter())[verdict[scenario.value]] += 1
    found: dict[str, list[Statement]] = {}
    for file in turtle_files("data", "rulings"):
        read = _read(file)
        for statement in read:
            statement.scenarios = told.get(statement.iri, Counter())
            statement.axioms = citing.get(statement.iri, [])
            if not statement.axioms and statement.normative:
                statement.by_rule = {rule: citing[rule] for rule in statement.rests_on if rule in citing}
        found[file.stem] = read
    return found


def _read(file: Path) -> list[Statement]:
    facts: dict[str, dict[str, list[ox.NamedNode | ox.Literal]]] = {}
    for triple in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
        if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, (ox.NamedNode, ox.Literal)):
            facts.setdefault(triple.subject.value, {}).setdefault(triple.predicate.value, []).append(triple.object)
    found = []
    for node, said in facts.items():
        if CORE + "Statement" not in {v.value for v in said.get(RDF + "type", [])}:
            continue
        statement = Statement(node)
        statement.sequence = int(said[CORE + "sequence"][0].value)
        statement.status = [local_name(v.value) for v in said.get(CORE + "status", [])]
        texts = said.get(CORE + "statement", [])
        statement.languages = {v.language or "" for v in texts if isinstance(v, ox.Literal)}
        statement.issued = next((v.value for v in said.get(DCTERMS + "issued", [])), "")
        statement.rests_on = [v.value for v in said.get(CORE + "restsOn", [])]
        found.append(statement)
    return sorted(found, key=lambda s: s.sequence)


def _citing(knowledge: Knowledge) -> dict[str, list[Iri]]:
    """Authority -> the axioms that cite it: themselves, for their instances, or by a condition with a name."""
    found: dict[str, set[Iri]] = {}
    for axiom in knowledge.axioms.values():
        for authority in _authorities(axiom, knowledge):
            found.setdefault(authority, set()).add(axiom.iri)
    return {authority: sorted(axioms) for authority, axioms in found.items()}


def _authorities(axiom: Axiom, knowledge: Knowledge) -> Iterator[Iri]:
    yield from (*axiom.authority, *axiom.instances_authority)
    for condition in (*axiom.scope, *axiom.when, *axiom.unless, *axiom.require):
        for part in ir.walk(condition):
            if isinstance(part, ir.Named) and part.iri in knowledge.conditions:
                yield from knowledge.conditions[part.iri].authority


def document() -> str:
    """The whole text, from the packaged data."""
    return "\n".join(_lines(statements())) + "\n"


def _lines(found: dict[str, list[Statement]]) -> Iterator[str]:
    every = [s for rows in found.values() for s in rows]
    yield from _INTRODUCTION.format(count=len(every), node=RULING).splitlines()
    counts = Counter(verdict for s in every for verdict in s.scenarios.elements())
    normative = [s for s in every if s.normative]
    yield (
        f"{len(normative)} are normative: {sum(bool(s.axioms) for s in normative)} are cited by axioms, "
        f"{sum(bool(s.by_rule) for s in normative)} are checked by axioms of their rules; scenarios tell of them "
        f"{counts.total()} times ({counts['conforms']} ✓, {counts['violates']} ✗, {counts['undetermined']} ?)."
    )
    for file, rows in found.items():
        yield ""
        yield f"## {file}"
        yield ""
        heads = ["node", "status", "en", "de", "published", "rests on (CR)", "axioms", "✓", "✗", "?"]
        yield f"| {' | '.join(heads)} |"
        yield f"|{'|'.join(' --: ' if len(h) == 1 else ' --- ' for h in heads)}|"
        for statement in rows:
            yield f"| {' | '.join(_cells(statement))} |"


def _cells(statement: Statement) -> Iterator[str]:
    numbers = load_rule_numbers()

    def number(rule: str) -> str:
        return numbers.label(Iri(rule), NEWEST).removeprefix("CR ")

    yield f"[{statement.name}]({statement.iri})"
    yield ", ".join(statement.status)
    yield from ("yes" if language in statement.languages else "no" for language in ("en", "de"))
    yield statement.issued or "not dated"
    yield ", ".join(number(r) for r in statement.rests_on)
    by_rule = "; ".join(f"by {number(r)}: {_listed(axioms)}" for r, axioms in statement.by_rule.items())
    note = "–" if not statement.normative else ""
    yield _listed(statement.axioms) or by_rule or note
    yield from (note if note and not statement.scenarios else str(statement.scenarios[v]) for v in VERDICTS)


def _listed(axioms: list[Iri]) -> str:
    return ", ".join(f"`{a.removeprefix(BASE).removeprefix('keyword/')}`" for a in axioms)


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0, or with `--check` 1 where the document is not fresh."""
    parser = argparse.ArgumentParser(prog="python -m rulewright.quality.statements", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the document is not fresh")
    parser.add_argument("--to", type=Path, default=DOCUMENT, help="the document (default: %(default)s)")
    options = parser.parse_args(arguments)
    return written(options.to, document(), options.check, parser.prog)


if __name__ == "__main__":
    sys.exit(main())
