"""A game as a picture and in words: `timeline.svg`, `page.body`, and `page.document` as one file. Pure functions."""

from rulewright.site.game.page import body, document
from rulewright.site.game.timeline import svg

__all__ = ["body", "document", "svg"]
