"""The report as JUnit XML, for continuous integration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from rulewright.axioms import Knowledge
from rulewright.explain.formats import grounds, unchecked_told
from rulewright.explain.report import Json, Outcome, Summary
from rulewright.explain.words import Words

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold (§2.2)."""
_UNCHECKED = {"en": "unchecked", "de": "ungeprüft"}


def junit(
    outcomes: Iterable[Outcome], summary: Summary, language: str, knowledge: Knowledge | None = None
) -> Iterator[str]:
    """A test case for each record, with a failure for each violation, and for each that cannot be read, with an error.

    A record with open verdicts and no violation counts as skipped. Whatever else is to be told is its output.
    """
    names = Words(knowledge or Knowledge(), language)
    suite = ElementTree.Element("testsuite", name="rulewright")
    for outcome in outcomes:
        summary.add(outcome)
        if outcome.errors:
            _error(suite, outcome.errors)
        if outcome.entry is not None:
            _record(suite, outcome, outcome.entry, names)
    suite.set("tests", str(len(suite)))
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(kind) is not None for case in suite)))
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield ElementTree.tostring(suite, encoding="unicode")


def _error(suite: ElementTree.Element, problems: list[Json]) -> None:
    """What cannot be read: one case, however much is wrong with it."""
    case = ElementTree.SubElement(suite, "testcase", name=_xml(problems[0]["source"]), classname="rulewright")
    told = [": ".join(part for part in (p["place"], p["problem"]) if part) for p in problems]
    _told(case, "error", told)


def _record(suite: ElementTree.Element, outcome: Outcome, entry: Json, names: Words) -> None:
    case = ElementTree.SubElement(suite, "testcase", name=_xml(entry["id"]), classname=_xml(entry["source"]))
    by_kind: dict[str, list[Json]] = {}
    for verdict in outcome.verdicts:
        by_kind.setdefault(verdict["verdict"], []).append(verdict)
    said = [*by_kind.get("conforms", ())]
    if outcome.differences is not None:
        for difference in outcome.differences:
            _told(case, "failure", [difference], "differs")
        said = list(outcome.verdicts)
    else:
        broken, undecided = by_kind.get("violates", []), by_kind.get("undetermined", [])
        for verdict in broken:
            _told(case, "failure", _lines(verdict, names, outcome.places), str(verdict["axiom"]))
        if broken:
            said += undecided
        elif undecided:
            _told(case, "skipped", [line for verdict in undecided for line in _lines(verdict, names, outcome.places)])
    output = ["\n".join(_lines(verdict, names, outcome.places)) for verdict in said]
    output += entry["warnings"]
    if outcome.unchecked:
        output.append(f"{_UNCHECKED[names.language]}: {unchecked_told(outcome, names.language)}")
    if output:
        ElementTree.SubElement(case, "system-out").text = _xml("\n".join(output))


def _lines(verdict: Json, names: Words, places: dict[str, str]) -> list[str]:
    """What a verdict says, and on what it rests."""
    said = f"#{verdict['focus'].rpartition('#')[2]}: {verdict['message'][names.language]}"
    return [said, *grounds(verdict, names, places)]


def _told(case: ElementTree.Element, kind: str, lines: list[str], of: str | None = None) -> None:
    """The first line is the message; the text has all of them."""
    told = ElementTree.SubElement(case, kind, message=_xml(lines[0]))
    told.text = _xml("\n".join(lines))
    if of is not None:
        told.set("type", of)


def _xml(value: object) -> str:
    return _NO_XML.sub("", str(value))
