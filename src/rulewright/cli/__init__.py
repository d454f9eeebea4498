"""The command line, thin: parse, call, print."""

from rulewright.cli.main import main

__all__ = ["main"]
