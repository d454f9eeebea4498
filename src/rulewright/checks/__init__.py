"""Compiled checks over records: verdicts with their reasons; the reference evaluator."""

from rulewright.checks.checker import Checker, Result
from rulewright.checks.expect import Expected, differences, expectations
from rulewright.checks.reference import evaluate
from rulewright.checks.verdicts import Verdict

__all__ = ["Checker", "Expected", "Result", "Verdict", "differences", "evaluate", "expectations"]
