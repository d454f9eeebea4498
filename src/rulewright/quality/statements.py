"""The table of the curated statements, `docs/statements.md`: `python -m rulewright.quality.statements`.

Each row is a statement of the graph with its node, its status, and what there is for it: texts of our own in both
languages, the axioms that check it, the scenarios that tell of it, and how many mutants of its axioms these kill. With
`--check` nothing is written, and the exit code is 1 where the document is not fresh.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from rulewright.axioms import Knowledge, packaged_knowledge
from rulewright.quality import generated
from rulewright.quality.mutation import COUNTS
from rulewright.quality.tally import Count, read_counts
from rulewright.store.scenarios import scenario_triples
from rulewright.terms.phrases import LANGUAGES
from rulewright.vocabulary import (
    BASE,
    CORE,
    NEWEST,
    RDF,
    RULING,
    Iri,
    load_rule_numbers,
    local_name,
    packaged,
    turtle_files,
)

DOCUMENT: Final = Path("docs", "statements.md")
DCTERMS = "http://purl.org/dc/terms/"
_INTRODUCTION: Final = """\
# The statements

Made by `make docs` from `data/`. Each of the {count} statements of the source documents is a node
`{node}ID`, said in words of our own in both languages
(`rulewright explain ID`); the verbatim texts are known by their digests only.

*Axioms* are those that cite the statement, themselves or by one of their conditions. *Scenarios* are those that tell of
the statement: how many conform (✓), violate (✗) and are undetermined (?). *Mutants* are ways in which these axioms were
made wrong on purpose (`make mutants`): how many of them some scenario notices, of all that change anything. A *note*
says nothing about play, so nothing checks it.

"""
VERDICTS: Final = ("conforms", "violates", "undetermined")
_HEADS: Final = ("node", "status", "says (en, de)", "published", "rests on (CR)", "axioms")
_SIGNS: Final = ("✓", "✗", "?")


@dataclass
class Statement:
    """A curated statement, with what there is for it."""

    iri: str
    sequence: int = 0
    status: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """What it says, by language."""
    issued: str = ""
    rests_on: list[str] = field(default_factory=list)
    axioms: list[Iri] = field(default_factory=list)
    """Those that cite it."""
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
        texts = [v for v in said.get(CORE + "statement", []) if isinstance(v, ox.Literal)]
        statement.texts = {v.language or "": v.value for v in texts}
        statement.issued = next((v.value for v in said.get(DCTERMS + "issued", [])), "")
        statement.rests_on = [v.value for v in said.get(CORE + "restsOn", [])]
        found.append(statement)
    return sorted(found, key=lambda s: s.sequence)


def _citing(knowledge: Knowledge) -> dict[str, list[Iri]]:
    """Authority -> the axioms that cite it."""
    found: dict[str, list[Iri]] = {}
    for axiom in sorted(knowledge.axioms):
        for authority in knowledge.authorities(knowledge.axioms[axiom]):
            found.setdefault(authority, []).append(axiom)
    return found


def document() -> str:
    """The whole text, from the packaged data and the counts of mutants of the checkout."""
    return "\n".join(_lines(statements(), read_counts(packaged() / COUNTS))) + "\n"


def _lines(found: dict[str, list[Statement]], counts: dict[str, Count]) -> Iterator[str]:
    every = [s for rows in found.values() for s in rows]
    yield from _INTRODUCTION.format(count=len(every), node=RULING).splitlines()
    told = Counter(verdict for s in every for verdict in s.scenarios.elements())
    normative = [s for s in every if s.normative]
    yield (
        f"{len(normative)} are normative: {sum(bool(s.axioms) for s in normative)} are cited by axioms; scenarios tell "
        f"of them {told.total()} times ({told['conforms']} ✓, {told['violates']} ✗, {told['undetermined']} ?)."
    )
    for file, rows in found.items():
        yield ""
        yield f"## {file}"
        yield ""
        heads = [*_HEADS, *_SIGNS, "mutants"]
        yield f"| {' | '.join(heads)} |"
        yield f"|{'|'.join(' --- ' if h in _HEADS else ' --: ' for h in heads)}|"
        for statement in rows:
            yield f"| {' | '.join(_cells(statement, counts))} |"


def _cells(statement: Statement, counts: dict[str, Count]) -> Iterator[str]:
    numbers = load_rule_numbers()
    yield f"[{statement.name}]({statement.iri})"
    yield ", ".join(statement.status)
    yield "<br>".join(statement.texts[language] for language in LANGUAGES if language in statement.texts)
    yield statement.issued or "not dated"
    yield ", ".join(numbers.label(Iri(r), NEWEST).removeprefix("CR ") for r in statement.rests_on)
    if not statement.normative and not statement.axioms:
        yield from "–" * (1 + len(_SIGNS) + 1)
        return
    yield _listed(statement.axioms) or "none"
    yield from (str(statement.scenarios[v]) for v in VERDICTS)
    known = [counts[name] for a in statement.axioms if (name := a.removeprefix(BASE)) in counts]
    yield f"{sum(c.killed for c in known)}/{sum(c.made - c.equivalent for c in known)}"


def _listed(axioms: list[Iri]) -> str:
    return ", ".join(f"`{a.removeprefix(BASE).removeprefix('keyword/')}`" for a in axioms)


def main(arguments: list[str] | None = None) -> int:
    """See `rulewright.quality.generated`."""
    return generated.main(arguments, "rulewright.quality.statements", __doc__, document, DOCUMENT)


if __name__ == "__main__":
    sys.exit(main())
