"""What is raised for a source that cannot be read."""

from __future__ import annotations


class SourceError(ValueError):
    """A source that cannot be read: where in it (or ""), and what is wrong and how to mend it."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem
