"""One form for every spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.index.folding import fold, raw, stem


@pytest.mark.parametrize(
    "spellings",
    [
        ("Flüche", "Flueche", "Fluche", "FLÜCHE", "Flu\u0308che"),
        ("Straße", "Strasse", "STRASSE"),
        ("Ätherphiole", "Aetherphiole", "Atherphiole"),
        ("Æther Vial", "Aether Vial", "Ather Vial"),
        ("Lim-Dûl's Vault", "lim dul’s vault", "Lim-Duls Vault"),
        ("Fire // Ice", "fire/ice", "Fire, Ice!"),
    ],
)
def test_spellings_of_one_name(spellings: tuple[str, ...]) -> None:
    assert len({fold(s) for s in spellings}) == 1


def test_numbers_and_signs() -> None:
    assert fold("702.88a") == "702 88a"
    assert fold("+2/-1 …") == "2 1"
    assert fold("»«") == ""


def test_raw_keeps_what_tells_names_apart() -> None:
    assert raw("  Lim-Dûl’s  VAULT ") == "lim-dûl's vault"
    assert raw("Fluche") != raw("Flüche")


@pytest.mark.parametrize(
    "forms",
    [("copy", "copies"), ("Kopie", "Kopien"), ("exile", "exiled", "Exil", "Exils"), ("cast", "casts", "casting")],
)
def test_forms_of_one_word(forms: tuple[str, ...]) -> None:
    assert len({stem(fold(f)) for f in forms}) == 1


@given(st.text())
def test_folding_is_all_there_is(text: str) -> None:
    folded = fold(text)
    assert set(folded) <= set("abcdefghijklmnopqrstuvwxyz0123456789 ")
    assert folded == " ".join(folded.split())


@given(st.text("aeiou bc", max_size=12), st.integers(0, 12))
def test_the_beginning_of_a_text_is_folded_to_the_beginning_of_it(text: str, end: int) -> None:
    assert fold(text).replace(" ", "").startswith(fold(text[:end]).replace(" ", ""))
