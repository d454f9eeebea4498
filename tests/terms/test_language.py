"""The language of texts, on sentences of our own."""

import pytest

from rulewright.terms.language import identify, languages, spans

GERMAN = [
    "Wenn der Zauberspruch den Stapel verlässt, geht die Karte ins Exil.",
    "Sie ist dann wieder eine gewöhnliche Karte, auch wenn sie vorher keine war.",
    "Art und Rat sind hier Wörter, die in beiden Sprachen stehen, ebenso Hand, arm und bald.",
    "Befreiung gilt nicht.",
]
ENGLISH = [
    "The card goes back to its owner's hand, unless that player has left the game.",
    "Once you've counted them, nobody can respond.",
    "If X is in its cost, X is 0 here.",
    "Nothing happens then.",
]


@pytest.mark.parametrize("text", GERMAN)
def test_german(text: str) -> None:
    assert languages(text) == ("de",)


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text: str) -> None:
    assert languages(text) == ("en",)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("Der Spieler zieht eine Karte (if there is one left).", "if there is one left"),
        ("Du kannst das tun (such as by paying two mana), sobald du möchtest.", "such as by paying two mana"),
        ("Er bleibt auf dem Stapel, but only while it has a target.", "but only while it has a target"),
        ("Er bleibt auf dem Stapel. You may look at it first. Danach geht er.", "You may look at it first"),
        ("Die Karte sagt „put it on the bottom“ und sonst nichts.", "put it on the bottom"),
        ("Wer das tut (as Night of Ashes tells you to), verliert ein Leben.", "as Night of Ashes tells you to"),
    ],
)
def test_an_english_remark_in_german(text: str, remark: str) -> None:
    found = identify(text)
    assert found.languages == ("de", "en")
    assert [text[r.start : r.end] for r in found.remarks] == [remark]


def test_a_german_remark_in_english() -> None:
    text = "You choose a card from your hand (das ist nicht dasselbe wie eine Karte im Exil) and reveal it."
    found = identify(text)
    assert found.languages == ("en", "de")
    assert [text[r.start : r.end] for r in found.remarks] == ["das ist nicht dasselbe wie eine Karte im Exil"]


@pytest.mark.parametrize(
    "name",
    [
        "Night of the Long Ashes",
        "To Each and All",
        "Ashes // Embers",
        "Now for Rain, Now for Snow",
        "The One That Waits",
        "Keeper's Oath",
        "Cast into the Fire",
    ],
)
def test_an_english_name_in_german_is_no_remark(name: str) -> None:
    assert languages(f"Ein Effekt wie der von {name} ändert daran nichts, und die Karte bleibt.") == ("de",)
    assert languages(f"{name} ist auf dem Stapel nur eine Karte.") == ("de",)


def test_a_german_name_in_english_is_no_remark() -> None:
    assert languages("If Nacht der langen Asche is on the battlefield, it does nothing.") == ("en",)


def test_a_name_that_is_given_says_nothing() -> None:
    text = "Der Spruch ist dann wie if it were this, was sonst nicht geht."
    assert languages(text) == ("de", "en")
    assert languages(text, {"if it were this"}) == ("de",)


@pytest.mark.parametrize(
    "text",
    [
        "Quand ce sort quitte la pile, la carte retourne dans la main de son propriétaire.",
        "Quando questa magia lascia la pila, la carta torna in mano al suo proprietario.",
        "{T}: {G}",
        "",
        "Xyzzy",
    ],
)
def test_neither(text: str) -> None:
    assert languages(text) == ("und",)


def test_spans_cover_the_text() -> None:
    for text in (*GERMAN, *ENGLISH, "", "Er bleibt dort (if there is room), bis er geht.", "Sie ist da (if you may)"):
        found = spans(text)
        assert "".join(text[s.start : s.end] for s in found) == text
        assert [s.start for s in found[1:]] == [s.end for s in found[:-1]]
