"""Game records in: every input form into one record model, and from it the canonical game graph; and out again."""

from rulewright.records.canonical import Graph, canonical
from rulewright.records.graph import Unchecked
from rulewright.records.model import Node, Problem, Record, RecordError, Value
from rulewright.records.reading import read
from rulewright.records.structure import read_structure
from rulewright.records.whereabouts import Place, Whereabouts, whereabouts
from rulewright.records.words import Words
from rulewright.records.writing import plain, write

__all__ = [
    "Graph",
    "Node",
    "Place",
    "Problem",
    "Record",
    "RecordError",
    "Unchecked",
    "Value",
    "Whereabouts",
    "Words",
    "canonical",
    "plain",
    "read",
    "read_structure",
    "whereabouts",
    "write",
]
