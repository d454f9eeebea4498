"""What words of records mean: one place, from labels alone."""

from __future__ import annotations

import pytest

from rulewright.records import Words
from rulewright.vocabulary import GAME, KEYWORD, NONE, Iri, KeywordIris, OpenWord

KINDLE, GLOW = Iri(KEYWORD + "kindle"), Iri(KEYWORD + "glow")
CAST, BURN, SHINE = Iri("urn:cast"), Iri("urn:burn"), Iri("urn:shine")
ASH = Iri("urn:ash")


def ability(iri: Iri, keyword: Iri, en: str, de: str, *events: str) -> OpenWord:
    return OpenWord(iri, "AbilityLabel", en, de, (), keyword, frozenset(events))


WORDS = Words(
    {"kindle": KINDLE, "Entfachen": KINDLE, "glow": GLOW, "Glut  und Asche": GLOW},
    [
        ability(CAST, KINDLE, "kindle: cast", "Entfachen: wirken", "RemoveCounters"),
        ability(BURN, KINDLE, "kindle: burn", "Entfachen: brennen", "Step"),
        ability(SHINE, GLOW, "glow", "Glut und Asche", "Move"),
        OpenWord(ASH, "CounterKind", "ash", "Asche", ("ash counter", "Aschemarke")),
    ],
)


@pytest.mark.parametrize(
    ("name", "iri"),
    [
        ("kindle", KINDLE), ("KINDLE", KINDLE), (" entfachen ", KINDLE), ("glut und\tasche", GLOW),
        ("Jump-start", KEYWORD + "jump-start"),
    ],
)  # fmt: skip
def test_a_keyword_by_name(name: str, iri: str) -> None:
    assert WORDS.iri(name) == iri


@pytest.mark.parametrize(
    ("label", "iri"),
    [
        ("kindle", KINDLE), ("Kindle: cast", KINDLE), (" kindle : a: b", KINDLE), ("entfachen: x", KINDLE),
        ("flare: end", "urn:flare"), ("kindled", NONE), ("Some Card", NONE), ("", NONE), (": x", NONE),
    ],
)  # fmt: skip
def test_the_keyword_that_a_label_names(label: str, iri: str) -> None:
    assert WORDS.in_label(label, {"flare": Iri("urn:flare")}) == iri


def test_keywords_that_are_known_are_defined() -> None:
    assert WORDS.define([KINDLE, GLOW])
    assert not WORDS.define([KINDLE, Iri(KEYWORD + "flare")])


@pytest.mark.parametrize(
    ("label", "keyword", "events", "meant"),
    [
        ("kindle: cast", KINDLE, (), CAST),
        ("Entfachen :  WIRKEN", KINDLE, (), CAST),
        ("Entfachen: burn", KINDLE, (), BURN),
        ("kindle: fizzle", KINDLE, (), None),
        ("kindle", KINDLE, (), None),
        ("kindle", KINDLE, ("Step",), BURN),
        ("kindle", KINDLE, ("Move",), None),
        ("kindle", KINDLE, ("Step", "RemoveCounters"), None),
        ("glow", GLOW, (), SHINE),
        ("Glut und Asche", GLOW, ("Step",), SHINE),
        ("glow: fade", GLOW, (), None),
        ("flare", Iri(KEYWORD + "flare"), (), None),
        ("draw a card", None, ("Step",), None),
    ],
)
def test_the_ability_that_a_label_names(
    label: str, keyword: Iri | None, events: tuple[str, ...], meant: Iri | None
) -> None:
    assert WORDS.ability(label, keyword, events) == meant


@pytest.mark.parametrize("text", ["ash", "Asche", "ASH COUNTER", " Aschemarke "])
def test_a_kind_in_any_language_and_case(text: str) -> None:
    assert WORDS.resolve("CounterKind", text) == ASH
    assert WORDS.spelled("CounterKind", text) == "ash"


def test_an_unknown_word_is_only_like_itself() -> None:
    assert WORDS.resolve("CounterKind", "soot") is WORDS.resolve("CostKind", "ash") is None
    assert WORDS.spelled("CounterKind", " Soot ") == "soot"


def test_the_ontologys_own_words_are_known_to_all() -> None:
    assert Words({}).resolve("CostKind", "Abwerfen") == GAME + "discarding"


@pytest.mark.parametrize(
    ("text", "kinds", "near"),
    [
        ("kindel", (), "kindle"), ("Entfchen", (), "Entfachen"), ("aschmarke", ("CounterKind",), "Aschemarke"),
        ("kindle: csat", ("AbilityLabel",), "kindle: cast"), ("aschmarke", (), None), ("draw a card", (), None),
    ],
)  # fmt: skip
def test_a_near_miss_names_the_likely_word(text: str, kinds: tuple[str, ...], near: str | None) -> None:
    assert WORDS.near(text, kinds) == near


COMPOUNDS = Words(
    KeywordIris({"stride": Iri(KEYWORD + "stride")}, {}, {
        "…stride": Iri(KEYWORD + "stride"), "…schritt": Iri(KEYWORD + "stride"),
        "shelter from …": Iri(KEYWORD + "shelter"),
    })
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "keyword", "quality"),
    [
        ("swampstride", "stride", "swamp"),
        ("Snow SwampStride", "stride", "snow swamp"),
        ("Gebirgsschritt", "stride", "gebirgs"),
        ("shelter from everything", "shelter", "everything"),
    ],
)
def test_a_compound_name_says_a_quality(name: str, keyword: str, quality: str) -> None:
    assert COMPOUNDS.compound(name) == (KEYWORD + keyword, quality)
    assert COMPOUNDS.keyword(name) == COMPOUNDS.iri(name) == KEYWORD + keyword


@pytest.mark.parametrize("name", ["stride", "moonstride", " stride", "shelter from ", "shelter"])
def test_other_names_are_no_compounds(name: str) -> None:
    assert COMPOUNDS.compound(name) is None
