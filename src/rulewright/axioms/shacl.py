"""Prints a plan as SHACL: stages as SPARQL rules (SHACL-AF §8), checks as SPARQL constraints (SHACL §5)."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.axioms.model import Knowledge
from rulewright.axioms.sparql import Program, Query, Step
from rulewright.vocabulary import GAME

PREFIXES = "@prefix sh: <http://www.w3.org/ns/shacl#> .\n@prefix rw: <https://w3id.org/rulewright/core#> .\n"
SHAPE = "urn:rulewright:shape:"


def shapes(program: Program, knowledge: Knowledge | None = None) -> str:
    """The shapes in Turtle. With `knowledge`, constraints carry messages and authorities."""
    parts = [PREFIXES]
    parts += [_rule(step, order) for order, step in enumerate(program.steps, 1)]
    parts += [_constraint(query, number, knowledge) for number, query in enumerate(program.queries, 1)]
    return "\n".join(parts)


def shape_iri(number: int) -> str:
    """The shape of the n-th check of a program (from 1)."""
    return f"{SHAPE}check:{number}"


def _targets(kinds: Iterable[str]) -> str:
    return " , ".join(f"<{GAME}{kind}>" for kind in kinds)


def _this(body: str) -> str:
    return body.replace("?focus", "$this")


def _long(text: str) -> str:
    """A text as a long literal of Turtle, which is read as it stands (Turtle §2.5.1)."""
    text = text.replace("\\", "\\\\").replace('"""', r'\"\"\"')
    return f'"""{text[:-1]}\\""""' if text.endswith('"') else f'"""{text}"""'


def _rule(step: Step, order: int) -> str:
    return (
        f"<{SHAPE}rule:{order}> a sh:NodeShape ;\n  sh:order {order} ;\n"
        f"  sh:targetClass {_targets(step.focus.kinds)} ;\n"
        f'  sh:rule [ a sh:SPARQLRule ; sh:order {order} ; sh:construct {_long(_this(step.construct()))} ] .\n'
    )


def _constraint(query: Query, number: int, knowledge: Knowledge | None) -> str:
    check = query.check
    text = f"SELECT DISTINCT $this WHERE {{\n{_this(query.body + query.condition('violates'))}}}"
    about = ""
    if knowledge is not None:
        axiom = knowledge.axioms[check.axiom]
        labels = " , ".join(f"{_long(text)}@{language}" for language, text in
                            (("en", axiom.label.en), ("de", axiom.label.de)))  # fmt: skip
        about = f" ; sh:message {labels}"
        cites = " , ".join(f"<{a}>" for a in check.authority or axiom.authority)
        about += f" ; rw:authority {cites}"
    return (
        f"# {check.id}\n<{shape_iri(number)}> a sh:NodeShape ;\n  sh:targetClass {_targets(check.focus.kinds)} ;\n"
        f'  sh:sparql [ a sh:SPARQLConstraint ; sh:select {_long(text)}{about} ] .\n'
    )
