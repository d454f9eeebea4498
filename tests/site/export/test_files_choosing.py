"""What is exported of a dataset: what is named, by whatever name, and what the pages of that link to."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked import packaged

from rulewright.site.context import Site
from rulewright.site.export import choosing
from rulewright.vocabulary import BASE


@pytest.fixture(scope="module")
def site() -> Site:
    return Site(packaged())


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("rebound", "keyword/rebound"),
        ("Abprall", "keyword/rebound"),
        ("rb-8", "ruling/RB-8"),
        ("702.88a", "rule/rebound-a"),
        ("Cancel", "card/7d00fb28-ea6c-49a9-b4af-ffb38860a9a7"),
        ("Abbrechen", "card/7d00fb28-ea6c-49a9-b4af-ffb38860a9a7"),
        ("term/aftermath", "term/aftermath"),
        (BASE + "principle/zones-agree", "principle/zones-agree"),
        ("scenario/rebound/buyback-chosen-over-rebound", "scenario/rebound/buyback-chosen-over-rebound"),
    ],
)
def test_by_whatever_name(site: Site, asked: str, path: str) -> None:
    chosen = choosing.named(site, [asked])
    assert chosen.missing == []
    assert BASE + path in chosen.things
    assert len(chosen.things) < 400


def test_with_what_its_page_links_to(site: Site) -> None:
    things = choosing.named(site, ["RB-8"]).things
    assert {BASE + "ruling/RB-8", BASE + "keyword/rebound"} <= set(things)
    assert any(thing.startswith(BASE + "rule/") for thing in things)
    assert any(thing.startswith(BASE + "scenario/") for thing in things)
    assert set(things) <= set(choosing.everything(site))


@pytest.mark.parametrize("asked", ["2010-04-23", "edition/2010-04-23"])
def test_an_edition_with_all_its_rules(site: Site, asked: str) -> None:
    things = set(choosing.named(site, [asked]).things)
    assert BASE + "edition/2010-04-23" in things
    everything = choosing.everything(site)
    assert {t for t in everything if t.startswith(BASE + "edition/2010-04-23/")} <= things
    assert BASE + "rule/rebound-a" in things


def test_a_list_of_cards(site: Site, tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("Deck\n4 Cancel (M21) 46\n\n# nothing\n2x Abbrechen\nNo Such Card\n\nSideboard\n1 Nor This\n")
    chosen = choosing.named(site, [str(deck), "nonsense", "1999-01-01"])
    assert BASE + "card/7d00fb28-ea6c-49a9-b4af-ffb38860a9a7" in chosen.things
    assert chosen.missing == [
        f"{deck}, line 6: there is no card “No Such Card”",
        f"{deck}, line 9: there is no card “Nor This”",
        "nonsense: there is no keyword, ruling, rule, card, term, edition or file of that name",
        "1999-01-01: there is no keyword, ruling, rule, card, term, edition or file of that name",
    ]


@pytest.mark.parametrize("asked", ["", "/", "..", "keyword/", 'a"b> <c', "\0", "x" * 5000])
def test_what_is_no_name(site: Site, asked: str) -> None:
    chosen = choosing.named(site, [asked])
    assert chosen.things == []
    assert len(chosen.missing) == 1


def test_a_file_that_is_no_list(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "cards"
    file.write_bytes(b"\xff\xfe\x00")
    assert choosing.named(site, [str(file)]).missing == [f"{file}: cannot be read: it is not in UTF-8"]
