"""Magic's rulings as an executable knowledge graph."""

from rulewright.version import __version__

__all__ = ["__version__"]
