"""Axioms from the graph, into an intermediate representation, into executable text."""

from rulewright.axioms.functions import Functions
from rulewright.axioms.lower import lower
from rulewright.axioms.model import Axiom, AxiomError, Keyword, Knowledge, Label, NamedCondition
from rulewright.axioms.printing import printed, selected
from rulewright.axioms.reader import packaged_knowledge, read_files

__all__ = [
    "Axiom",
    "AxiomError",
    "Functions",
    "Keyword",
    "Knowledge",
    "Label",
    "NamedCondition",
    "lower",
    "packaged_knowledge",
    "printed",
    "read_files",
    "selected",
]
