"""The site as files, for hosting that has no program: pages in both languages, data beside them, search by a script."""

from rulewright.site.export.writing import Report, export

__all__ = ["Report", "export"]
