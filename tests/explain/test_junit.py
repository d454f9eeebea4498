"""JUnit XML: what continuous integration shows of a run."""

from __future__ import annotations

from xml.etree import ElementTree

from rulewright.explain import Outcome, Summary
from rulewright.explain.junit import junit

from .test_formats import ERROR, GAPS, OUTCOMES, entry, verdict


def suite(outcomes: list[Outcome], language: str = "en") -> ElementTree.Element:
    return ElementTree.fromstring("\n".join(junit(outcomes, Summary(), language)).encode())


def test_junit_has_a_case_for_each_record_and_error() -> None:
    found = suite(OUTCOMES)
    assert {k: found.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4", "failures": "2", "errors": "1", "skipped": "0",
    }  # fmt: skip
    assert [(c.get("name"), len(c.findall("failure")), len(c.findall("error"))) for c in found] == [
        ("urn:a", 1, 0), ("b.json", 0, 1), ("urn:c", 0, 0), ("urn:d", 2, 0),
    ]  # fmt: skip
    (error,) = found.iter("error")
    assert str(error.get("message")).startswith("events[1].to: says ")


def test_junit_is_xml_whatever_is_in_a_name() -> None:
    """XML 1.0 §2.2."""
    (failure, *_) = suite(OUTCOMES, "de").iter("failure")
    assert failure.get("type") == "urn:x#a"
    told = str(failure.text)
    assert told.startswith('#e1: de: says "no" \\ <&> „ja“ – 雷\nand\ttabs ')
    assert "\x01" not in told
    assert told.endswith("{x} ]]>\nCR 1.1")


def test_junit_of_scenarios_fails_where_they_differ() -> None:
    found = suite([Outcome(entry("a", verdict("violates")), differences=[]), Outcome(entry("b"), differences=["x"])])
    assert [len(c.findall("failure")) for c in found] == [0, 1]
    assert found.get("failures") == "1"


def test_a_record_with_open_verdicts_alone_is_skipped() -> None:
    open_ = verdict("undetermined", "urn:g#e2", "not recorded: from")
    found = suite([Outcome(entry("a", open_)), Outcome(entry("b", open_, verdict("violates")))])
    assert [len(c.findall("skipped")) for c in found] == [1, 0]
    assert found.get("skipped") == "1"
    (skipped,) = found.iter("skipped")
    assert skipped.get("message") == "#e2: not recorded: from"
    assert str(skipped.text).endswith("\nCR 1.1")
    assert "#e2: not recorded: from" in str(found[1].findtext("system-out"))


def test_what_is_unchecked_noted_and_in_order_is_output() -> None:
    (case,) = suite([Outcome(entry("a", verdict("conforms"), unchecked=GAPS[:1], warnings=["x: unknown"]))])
    assert case.findtext("system-out") == "#e1: it is so\nCR 1.1\nx: unknown\nunchecked: keyword storm"


def test_a_record_that_cannot_be_read_is_one_error_with_all_its_problems() -> None:
    found = suite([Outcome(errors=[ERROR, {**ERROR, "place": "", "problem": "is long"}])])
    assert (found.get("tests"), found.get("errors")) == ("1", "1")
    (error,) = found.iter("error")
    assert str(error.text).endswith("\nis long")
