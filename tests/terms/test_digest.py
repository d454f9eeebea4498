import hashlib
import unicodedata

import pytest

from rulewright.terms import NORMALISATION, digest, normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("„Abprall“ – sagt sie", '"Abprall" - sagt sie'),
        ("Chandra’s ‚Feuer‘", "Chandra's 'Feuer'"),
        ("«eins» ‹zwei›", "\"eins\" 'zwei'"),
        ("Suspend 4—{U}", "Suspend 4-{U}"),
        ("Suspend 4--{U}", "Suspend 4-{U}"),
        ("a\u2212b \u2010 \u2011", "a-b - -"),
        ("Versor\u00adgungs\u200bseg\ufeffment", "Versorgungssegment"),
        (" one\u00a0\u2009two\r\n\tthree\u3000", "one two three"),
        ("und so weiter…", "und so weiter..."),
        ("Bo\u0308e", "Böe"),
        ("o\u00ad\u0308", "ö"),
        ("", ""),
    ],
)
def test_what_is_made_alike(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [("Karte", "karte"), ("Ende.", "Ende"), ("{X}", "X"), ("a - b", "a-b"), ("Böe", "Boe"), ("²", "2"), ("(r)", "®")],
)
def test_what_is_kept_apart(one: str, other: str) -> None:
    assert digest(one) != digest(other)


def test_every_single_character_and_pairs_with_marks_are_stable() -> None:
    for code in [*range(0xD800), *range(0xE000, 0x11000)]:
        once = normalise(f"a{chr(code)}\u0301")
        assert normalise(once) == once, hex(code)


def test_white_space_is_unicodes() -> None:
    for code in range(0x3001):
        character = chr(code)
        is_space = unicodedata.category(character) in {"Zs", "Zl", "Zp"} or code in {*range(9, 14), 0x85}
        assert (normalise(f"a{character}b") == "a b") == is_space, hex(code)


def test_digest_is_sha256_of_the_normal_form() -> None:
    assert digest(" „Böe“ ") == hashlib.sha256('"Böe"'.encode()).hexdigest()
    assert NORMALISATION == "1"
