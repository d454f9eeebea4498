"""Game records in: every input form into one record model, and from it the canonical game graph."""

from rulewright.records.canonical import Graph, KeywordNames, canonical
from rulewright.records.model import Node, Problem, Record, RecordError, Value
from rulewright.records.structure import read_structure

__all__ = ["Graph", "KeywordNames", "Node", "Problem", "Record", "RecordError", "Value", "canonical", "read_structure"]
