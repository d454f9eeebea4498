"""JSON-LD: what is our plain form, what is never fetched, and that nothing is dropped in silence."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.records import RecordError
from rulewright.records.context import CONTEXT
from rulewright.records.jsonld import is_jsonld, plain_records, quads

VOCABULARY = {"@vocab": "urn:v:", "id": "@id", "type": "@type", "knows": {"@type": "@id"}}
PLAIN = {"id": "urn:g", "events": []}


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ({"@id": "urn:g"}, True), ({"@context": CONTEXT, **PLAIN}, True), ([PLAIN, {"@graph": []}], True),
        (PLAIN, False), ([PLAIN], False), ({"events": [{"@id": "x"}]}, False), ("@id", False), (None, False),
    ],
)  # fmt: skip
def test_is_jsonld(value: object, wanted: bool) -> None:
    assert is_jsonld(value) is wanted


@pytest.mark.parametrize(
    ("value", "records"),
    [
        ({"@context": CONTEXT, **PLAIN}, [PLAIN]),
        ({"@context": [CONTEXT], **PLAIN}, [PLAIN]),
        ([{"@context": CONTEXT, **PLAIN}, PLAIN], [PLAIN, PLAIN]),
        ({"@context": CONTEXT, "@graph": [PLAIN, PLAIN]}, [PLAIN, PLAIN]),
        (PLAIN, [PLAIN]),
        ({"@context": "urn:other", **PLAIN}, None),
        ({"@context": [CONTEXT, {"x": "urn:x"}], **PLAIN}, None),
        ({"@context": CONTEXT, "@id": "urn:g"}, None),
        ({"@context": CONTEXT, "@graph": [{"@id": "urn:g"}]}, None),
        ({"@context": CONTEXT, "@graph": [PLAIN], "@included": []}, None),
        ({"@id": "urn:g"}, None),
    ],
)
def test_our_context_alone_is_the_plain_form(value: object, records: list[object] | None) -> None:
    assert plain_records(value) == records


def objects(document: Any) -> set[str]:
    return {getattr(q.object, "value", "") for q in quads(document, "x")}


def dropped(document: Any) -> list[str]:
    """Places of what would be dropped."""
    with pytest.raises(RecordError) as error:
        quads(document, "x.jsonld")
    assert all(p.source == "x.jsonld" for p in error.value.problems)
    return [p.place for p in error.value.problems]


def test_what_is_whole_is_read() -> None:
    document = {
        "@context": {**VOCABULARY, "list": {"@container": "@list"}}, "id": "urn:a", "type": "T", "name": "x",
        "knows": ["urn:b", {"id": "urn:c", "name": {"@value": "y", "@language": "de"}}], "list": [1, 1, []],
    }  # fmt: skip
    assert {"x", "y", "urn:b", "urn:c", "1", "urn:v:T"} <= objects(document)


@pytest.mark.parametrize(
    ("more", "places"),
    [
        ({"name": None}, ["name"]),
        ({"name": ["x", None]}, ["name[1]"]),
        ({"name": []}, ["name"]),
        ({"knows": "not an iri"}, ["knows"]),
        ({"knows": ["urn:b", "not an iri", "urn:c"]}, ["knows[1]"]),
        ({"knows": {"id": "urn:b", "name": None}}, ["knows.name"]),
        ({"knows": {"id": "urn:b", "knows": [{"id": "urn:c", "name": [None]}]}}, ["knows.knows[0].name[0]"]),
        ({"id": "not an iri"}, ["id"]),
        ({"name": None, "knows": "x y"}, ["name", "knows"]),
    ],
)
def test_what_would_be_dropped_has_its_place(more: dict[str, Any], places: list[str]) -> None:
    assert dropped({"@context": VOCABULARY, "id": "urn:a", "title": "whole", **more}) == places


def test_a_key_without_a_term() -> None:
    context = {"id": "@id", "name": "urn:v:name"}
    assert dropped([{"@context": context, "id": "urn:a", "name": "x", "nmae": "y"}]) == ["[0].nmae"]


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"@context": "https://example.org/c.jsonld", "id": "x"}, "@context"),
        ({"@context": [CONTEXT, "https://example.org/c.jsonld"]}, "@context"),
        ({"@context": {"@import": "https://example.org/c.jsonld"}}, "@context"),
        ({"@context": VOCABULARY, "id": "urn:a", "knows": {"@context": "urn:c"}}, "knows.@context"),
    ],
)
def test_no_context_is_fetched(document: Any, place: str) -> None:
    with pytest.raises(RecordError, match="not fetched") as error:
        quads(document, "x")
    assert [p.place for p in error.value.problems] == [place]


def test_many_problems_are_cut_short() -> None:
    places = dropped({"@context": VOCABULARY, "id": "urn:a", **{f"k{n}": None for n in range(50)}})
    assert len(places) == 21
    assert places[-1] == ""


def test_what_is_no_jsonld_is_one_error() -> None:
    with pytest.raises(RecordError, match="no JSON-LD"):
        quads({"@context": {"id": "@id"}, "id": "urn:a", "@type": {"a": 1}}, "x")


def test_our_context_is_read_from_the_package() -> None:
    found = quads({"@context": [CONTEXT, {}], "id": "urn:g", "type": "Game", "events": []}, "x")
    assert any(q.object == ox.NamedNode("https://w3id.org/rulewright/game#Record") for q in found)
