"""Axioms and verdicts in plain words, in both languages; reports."""

from rulewright.explain.report import Outcome, Summary, outcome
from rulewright.explain.run import Run, knowledge

__all__ = ["Outcome", "Run", "Summary", "knowledge", "outcome"]
