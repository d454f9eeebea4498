"""Which keywords an event names, and which its card or spell has (CR 113.6, 702)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Words, canonical, read_structure
from rulewright.vocabulary import KEYWORD, Iri, KeywordIris

from ..small import INSTANT, PLAYERS, Plain, card, cast, event, fact, graph

KINDLE = {**INSTANT, "keywords": ["kindle"]}
FACES = [{"name": "Fire", "keywords": ["flame"]}, {"name": "Ice", "keywords": ["frost"]}]


def test_a_copy_has_the_keywords_of_the_spell_copied() -> None:
    """CR 707.10: a copy of a spell has its characteristics."""
    found = graph(cast(), event("Copy", object="#c", of="#s"), event("Resolve", object="#c"), cards=[KINDLE])
    assert fact(found, 3, "keywordsInForce") == ("kw:kindle",)


def test_of_a_split_card_the_half_that_is_cast_counts() -> None:
    """CR 709.3b."""
    split = card("bolt", layout="split", faces=FACES)

    def in_force(**face: Any) -> tuple[object, object]:
        found = graph(cast(**face), cards=[split])
        return fact(found, 1, "keywordsInForce"), fact(found, 1, "keywordsInForceCount")

    assert in_force(face="Ice") == (("kw:frost",), 1)
    assert in_force(face=["Fire", "Ice"]) == (("kw:flame", "kw:frost"), 2)
    assert in_force() == ((), None)


def test_what_a_card_may_have_is_named_and_not_in_force() -> None:
    """A grantor whose zone is not recorded."""
    granted = {**INSTANT, "keywords": [{"keyword": "kindle", "grantedBy": "#elf"}]}
    found = graph(cast(), cards=[granted, card("elf")])
    assert (fact(found, 1, "keywordsInForce"), fact(found, 1, "keywordsInForceCount")) == ((), None)
    assert fact(found, 1, "keywordsNamed") == ("kw:kindle",)


def test_of_a_card_without_a_list_it_is_not_known_which_it_has() -> None:
    bare = card("bolt")
    assert fact(graph(cast(), cards=[bare]), 1, "keywordsInForceCount") is None
    listed = graph(cast(), cards=[{**bare, "keywords": []}])
    assert (fact(listed, 1, "keywordsInForceCount"), fact(listed, 1, "keywordsListed")) == (0, True)
    named = graph(cast(cost={"alternative": "kindle"}), cards=[bare, card("elf", keywords=["kindle"])])
    assert fact(named, 1, "keywordsNamed") == ("kw:kindle",)


def test_a_spell_that_loses_a_keyword_loses_every_instance() -> None:
    twice = {**INSTANT, "keywords": ["kindle", "kindle", "glow"]}
    found = graph(cast(), event("LoseKeyword", object="#s", keyword="kindle"), event("Resolve", object="#s"),
                  cards=[twice])  # fmt: skip
    assert (fact(found, 1, "instancesInForceCount"), fact(found, 1, "keywordsInForceCount")) == (3, 2)
    assert fact(found, 3, "keywordsInForce") == ("kw:glow",)
    assert fact(found, 3, "instancesInForceCount") == 1


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"permission": "kindle"}, ("kw:kindle",)),
        ({"permission": "Kindle: again"}, ("kw:kindle",)),
        ({"permission": "kindled"}, ()),
        ({"cost": {"alternative": "kindle"}}, ("kw:kindle",)),
        ({"additionalCosts": [{"kind": "Kindle"}]}, ("kw:kindle",)),
        ({}, ()),
    ],
)
def test_what_a_cast_names(more: dict[str, Any], named: tuple[str, ...]) -> None:
    """A word is a keyword's name if some card of the record, or the data, has it."""
    cards = [{**INSTANT, "keywords": []}, card("elf", keywords=["kindle"])]
    assert fact(graph(cast(**more), cards=cards), 1, "keywordsNamed") == named


def test_what_happens_inside_or_because_of_a_keywords_ability_names_it() -> None:
    found = graph(
        event("Trigger", object="#t", source="#bolt", ability="kindle"), event("Resolve", object="#t"),
        event("Cast", card="#elf", object="#e", during="#2"), event("Move", card="#owl", to="exile", cause="#2"),
        cards=[KINDLE, card("elf"), card("owl")],
    )  # fmt: skip
    assert [fact(found, n, "keywordsNamed") for n in (2, 3, 4)] == [("kw:kindle",)] * 3


def test_what_became_of_a_spell_that_was_cast_for_a_keyword_names_it() -> None:
    found = graph(
        cast(cost={"alternative": "kindle"}), event("Resolve", object="#s"),
        event("Move", card="#bolt", **{"from": "stack"}, to="graveyard", cause="#2"),
        cards=[{**INSTANT, "keywords": []}, card("elf", keywords=["kindle"])],
    )  # fmt: skip
    assert fact(found, 3, "keywordsNamed") == ("kw:kindle",)


def test_a_known_name_in_another_language_is_the_same_keyword() -> None:
    names = Words({"kindle": Iri("urn:k"), "Entfachen": Iri("urn:k")})
    stated: Plain = {"id": "urn:g", "players": PLAYERS, "cards": [{**INSTANT, "keywords": ["entfachen"]}],
                     "events": [{"id": "#1", **cast(permission="KINDLE")}]}  # fmt: skip
    found = canonical(read_structure(stated, "g"), names)
    assert found.facts[Iri("urn:g#1")]["keywordsInForce"] == ("urn:k",)
    assert found.facts[Iri("urn:g#1")]["permissionKeyword"] == "urn:k"


def test_when_the_same_ability_triggered_before() -> None:
    def trigger(n: int, source: str = "#bolt", ability: str = "kindle") -> Plain:
        return event("Trigger", object=f"#t{n}", source=source, ability=ability)

    found = graph(trigger(1), trigger(2, ability="KINDLE "), trigger(3, "#elf"), trigger(4, ability="kindle: end"),
                  cards=[KINDLE, card("elf")])  # fmt: skip
    assert [fact(found, n, "previousSame") for n in (1, 2, 3, 4)] == ["none", "#1", "none", "none"]


STRIDE = Words(KeywordIris({"stride": Iri(KEYWORD + "stride")}, {}, {"…stride": Iri(KEYWORD + "stride")}))


def striding(*listed: object, lost: object = None) -> dict[str, Any]:
    change = [] if lost is None else [{"type": "LoseKeyword", "card": "#bolt", "keyword": lost}]
    events = [*change, {"type": "Observe", "card": "#bolt"}]
    stated = {"id": "urn:g", "players": PLAYERS, "cards": [{**INSTANT, "keywords": list(listed)}],
              "events": [{"id": f"#{n}", **one} for n, one in enumerate(events)]}  # fmt: skip
    found = canonical(read_structure(stated, "g"), STRIDE)
    facts: dict[str, Any] = dict(found.facts[Iri(f"urn:g#{len(change)}")])
    return facts | {"first": found.facts[Iri("urn:g#bolt/keywords/1")]}


@pytest.mark.parametrize(
    "stated",
    ["swampstride", "SWAMPSTRIDE", *({"keyword": "stride", "quality": said} for said in ("Swamp", ["Sumpf"]))],
)
def test_a_compound_name_is_the_keyword_with_a_quality(stated: object) -> None:
    first = striding(stated)["first"]
    assert first["keywordNamed"] == KEYWORD + "stride"
    assert first["qualityKey"] == striding("swampstride")["first"]["qualityKey"]
    assert first["qualityKey"] != striding("islandstride")["first"]["qualityKey"]
    assert striding("stride")["first"].get("qualityKey") is None


@pytest.mark.parametrize(
    ("lost", "left"),
    [("stride", 0), ("swampstride", 1), ("islandstride", 1), ("foreststride", 2), (None, 2)],
)
def test_of_a_keyword_with_a_quality_that_one_is_lost(lost: str | None, left: int) -> None:
    assert striding("swampstride", "islandstride", lost=lost)["instancesInForceCount"] == left


def test_which_quality_is_lost_may_be_open() -> None:
    facts = striding("stride", lost="swampstride")
    assert (facts["instancesInForce"], facts.get("instancesInForceCount")) == ((), None)
