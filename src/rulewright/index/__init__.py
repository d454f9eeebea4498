"""Finding things by name and by what is said of them, in English and German, typing errors forgiven."""

from rulewright.index.keeping import Progress, keep_index, open_index, state_of
from rulewright.index.model import KINDS, Document, Hit, Kind, Name, Text
from rulewright.index.searching import Index

__all__ = [
    "KINDS", "Document", "Hit", "Index", "Kind", "Name", "Progress", "Text", "keep_index", "open_index", "state_of",
]  # fmt: skip
