"""Names: IRIs apart from texts, and how they are made and shortened."""

from __future__ import annotations

import pytest

from rulewright.vocabulary import NONE, Iri, local_name, slug


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Rebound", "rebound"),
        ("precombat main", "precombat-main"),
        ("  Jump-start! ", "jump-start"),
        ("Flüchtig", "fluchtig"),
        ("Großer Spaß", "grosser-spass"),
        ("Æther 2", "ther-2"),
        ("雷", ""),
        ("", ""),
    ],
)
def test_slug(text: str, wanted: str) -> None:
    assert slug(text) == wanted


@pytest.mark.parametrize(
    ("iri", "wanted"),
    [
        ("https://example.org/a#b", "b"),
        ("https://example.org/keyword/rebound", "rebound"),
        ("https://example.org/keyword/rebound#exile/applies", "applies"),
        ("urn:x", "urn:x"),
        ("https://example.org/a/", ""),
    ],
)
def test_local_name(iri: str, wanted: str) -> None:
    assert local_name(iri) == wanted


def test_an_iri_is_no_mere_text() -> None:
    assert isinstance(NONE, Iri)
    assert not isinstance(str(NONE), Iri)
    assert repr(Iri("urn:x")) == "<urn:x>"
    assert f"{Iri('urn:x')}" == "urn:x"
