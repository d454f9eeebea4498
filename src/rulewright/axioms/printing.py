"""The executable checks as text: for `rulewright compile`."""

from __future__ import annotations

from dataclasses import replace

from rulewright.axioms.lower import lower
from rulewright.axioms.model import AxiomError, Knowledge
from rulewright.axioms.shacl import shapes
from rulewright.axioms.sparql import Program, compile_plan
from rulewright.vocabulary import Iri


def selected(knowledge: Knowledge, keywords: tuple[str, ...]) -> Knowledge:
    """The axioms of the keywords given by name or IRI, and the principles; all, where none is given."""
    if not keywords:
        return knowledge
    names = {n.casefold(): iri for n, iri in knowledge.keyword_names.items()}
    wanted: set[Iri] = set()
    for keyword in keywords:
        iri = names.get(keyword.casefold(), Iri(keyword))
        if iri not in knowledge.keywords:
            known = ", ".join(sorted(k.label.en for k in knowledge.keywords.values()))
            raise AxiomError("--keyword", keyword, f"is no keyword here; known are {known}")
        wanted.add(iri)
    axioms = {iri: a for iri, a in knowledge.axioms.items() if a.keyword is None or a.keyword in wanted}
    return replace(knowledge, axioms=axioms)


def printed(knowledge: Knowledge, target: str) -> str:
    """The compiled axioms as SPARQL (steps in their order, then one SELECT a check) or as SHACL."""
    program = compile_plan(lower(knowledge))
    return shapes(program, knowledge) if target == "shacl" else _sparql(program, knowledge)


def _sparql(program: Program, knowledge: Knowledge) -> str:
    parts = ["# Stages, in this order: each adds the facts that it constructs to the graph of the records.\n"]
    for number, step in enumerate(program.steps, 1):
        parts.append(f"# stage {number}: {step.fact}\n{step.construct()}\n")
    parts.append("# Checks: each finds the events that break its axiom.\n")
    for query in program.queries:
        axiom = knowledge.axioms[query.check.axiom]
        label = " ".join(axiom.label.en.split())
        cites = " ".join(f"<{a}>" for a in query.check.authority or axiom.authority)
        parts.append(f"# {query.check.id}: {label}\n# {cites}\n{query.select('violates')}\n")
    return "\n".join(parts)
