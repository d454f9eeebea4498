"""The project's own data and ontology, checked: declared, used, labelled, cited, consistent."""

from rulewright.quality.lint import lint

__all__ = ["lint"]
