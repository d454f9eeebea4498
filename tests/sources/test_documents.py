import datetime as dt
import json
import lzma
from pathlib import Path

import pytest

from rulewright.sources import DocumentError, read_document
from rulewright.sources.documents import kind_of

RULINGS = Path(__file__).parents[3] / "shared" / "data" / "rulings-2022-04-25.jsonl.xz"
DATED = """Ein Name

14/07/2017

Erste Aussage.

Zweiter Absatz.

2018-04-02
Zweite Aussage.
"""

WIKI = """| rdfs:comment
| - Auszug 701.99. Hüpfen 701.99a Eine Karte hüpft.
|
| abstract
| - Auszug 701.99. Hüpfen 701.99a Eine Karte hüpft. 701.99b Das folgt 601.2b und 601.2e-g. 701.99c Nur einmal.
* Eine Anmerkung.
* Noch eine, mit * Stern.
|
"""


def test_dated_list() -> None:
    first, second = read_document(DATED)
    assert (first.heading, first.date, first.text) == (
        "Ein Name",
        dt.date(2017, 7, 14),
        "Erste Aussage.\n\nZweiter Absatz.",
    )
    assert (second.date, second.text) == (dt.date(2018, 4, 2), "Zweite Aussage.")


def test_line_ends_and_byte_order_mark_do_not_matter() -> None:
    assert read_document("\ufeff" + DATED.replace("\n", "\r\n")) == read_document(DATED)


def test_wiki_dump_is_cut_at_its_own_rules_and_repeats_nothing() -> None:
    passages = read_document(WIKI)
    assert [p.number for p in passages] == ["701.99a", "701.99b", "701.99c", None, None]
    assert [p.text for p in passages] == [
        "Eine Karte hüpft.",
        "Das folgt 601.2b und 601.2e-g.",
        "Nur einmal.",
        "Eine Anmerkung.",
        "Noch eine, mit * Stern.",
    ]
    assert {p.heading for p in passages} == {"Hüpfen"}


SEVERAL = """Erste Karte
14/07/2017
Aussage zu ihr.
Zweiter Absatz.
14.07.2017
Noch eine.
Zweite Karte, die Große
2018-04-02
Aussage zur zweiten.
Erste Karte // Dritte
2018-04-02
Aussage zur dritten.
"""


@pytest.mark.parametrize("end", ["\n", "\n\n", "\r\n", "\r\n\r\n", "\r", " \n\t\n"])
def test_several_cards_with_and_without_blank_lines(end: str) -> None:
    passages = read_document(end.join(SEVERAL.splitlines()))
    assert [(p.heading, p.text) for p in passages] == [
        ("Erste Karte", "Aussage zu ihr.\n\nZweiter Absatz."),
        ("Erste Karte", "Noch eine."),
        ("Zweite Karte, die Große", "Aussage zur zweiten."),
        ("Erste Karte // Dritte", "Aussage zur dritten."),
    ]
    assert passages[1].date == dt.date(2017, 7, 14)


def test_the_line_of_each_passage() -> None:
    assert [p.line for p in read_document(SEVERAL)] == [3, 6, 9, 12]
    assert [p.line for p in read_document(DATED)] == [5, 10]
    assert [p.line for p in read_document(WIKI)] == [2, 5, 5, 6, 7]


def test_the_same_text_on_two_cards_stands_twice() -> None:
    text = "Eine\n01/02/2020\nDasselbe.\nAndere\n01/02/2020\nDasselbe.\n"
    assert [p.heading for p in read_document(text)] == ["Eine", "Andere"]


def test_a_known_name_begins_a_list_whatever_it_looks_like() -> None:
    text = "Eine\n01/02/2020\nErste.\nach so!\n03/02/2020\nZweite.\n"
    assert [p.heading for p in read_document(text)] == ["Eine", "Eine"]
    assert [p.heading for p in read_document(text, names={"ach so!"})] == ["Eine", "ach so!"]


@pytest.mark.parametrize(
    "last", ["Ein Satz.", "Ein Satz!", "„Zitat“", "klein geschrieben", "(Klammer)", "Und noch etwas " * 8]
)
def test_what_looks_like_no_name_is_text(last: str) -> None:
    text = f"Eine\n01/02/2020\nErste.\n{last}\n03/02/2020\nZweite.\n"
    assert [p.heading for p in read_document(text)] == ["Eine", "Eine"]


def test_a_ruling_of_one_short_line_is_no_name() -> None:
    text = "Eine\n01/02/2020\nWie gedruckt\n03/02/2020\nZweite.\n"
    assert [(p.heading, p.text) for p in read_document(text)] == [("Eine", "Wie gedruckt"), ("Eine", "Zweite.")]


def test_a_wiki_dump_of_another_keyword_with_windows_line_ends() -> None:
    value = "| - Aus 712.3. Springen 712.3a Wie in 712.3b. 712.3b Nicht wie 712.3a sagt. 712.3c Ende."
    text = f"| a\r\n{value}\r\n*Ohne Abstand"
    passages = read_document(text)
    assert [(p.number, p.text) for p in passages] == [
        ("712.3a", "Wie in 712.3b."),
        ("712.3b", "Nicht wie 712.3a sagt."),
        ("712.3c", "Ende."),
        (None, "Ohne Abstand"),
    ]
    assert {p.heading for p in passages} == {"Springen"}


def test_the_kind_can_be_given() -> None:
    notes = "* Eine Anmerkung.\n* Noch eine.\n"
    assert kind_of(WIKI) == "wiki"
    assert kind_of(DATED) == kind_of(notes) == "dated"
    with pytest.raises(DocumentError, match="neither"):
        read_document(notes)
    assert [p.text for p in read_document(notes, "wiki")] == ["Eine Anmerkung.", "Noch eine."]
    with pytest.raises(DocumentError, match="neither"):
        read_document(DATED, "wiki")


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("01/02/2020\nText\n", 1, "before any card"),
        ("Name\n\nMehr\n\n01/02/2020\n\nText\n", 3, "without a date"),
        ("Nur ein Name\n", 1, "neither"),
        ("# Lies mich\n\nDies ist etwas anderes.\n", 3, "neither"),
        ("| Tabelle | mit |\n| Strichen | 1 |\n", 1, "neither"),
    ],
)
def test_what_is_of_neither_kind_is_refused(text: str, line: int, word: str) -> None:
    with pytest.raises(DocumentError, match=word) as caught:
        read_document(text)
    assert caught.value.line == line


def test_a_known_card_without_rulings_is_refused() -> None:
    with pytest.raises(DocumentError, match="no ruling below") as caught:
        read_document("Eine\n01/02/2020\nErste.\nAndere\n", names={"Andere"})
    assert caught.value.line == 4


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("", 1, "no statement"),
        ("Name\n\nohne Datum\n", 3, "without a date"),
        ("Name\n\n31/02/2020\n\nText\n", 3, "no date"),
        ("Name\n\n01/02/2020\n\n02/02/2020\n\nText\n", 3, "no text"),
    ],
)
def test_broken_documents_are_refused_with_their_place(text: str, line: int, word: str) -> None:
    with pytest.raises(DocumentError, match=word) as caught:
        read_document(text)
    assert caught.value.line == line


@pytest.mark.parametrize("between", ["\n\n", "\n"])
def test_thousands_of_real_rulings_in_one_file(between: str) -> None:
    """All cards one after the other, none of them known by name: who begins where is seen by the look of the names."""
    if not RULINGS.exists():
        pytest.skip("the rulings are not there: ../shared/data")
    lines: list[str] = []
    expected: list[tuple[str, str]] = []
    with lzma.open(RULINGS, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    by_card: dict[str, dict[tuple[str, str], None]] = {}
    for row in rows:
        paragraphs = between.join(part for part in row["comment"].splitlines() if part.strip())
        if paragraphs and len(by_card) < 4000:
            by_card.setdefault(row["card_name"], {})[row["published_at"], paragraphs] = None
    for card, rulings in by_card.items():
        lines.append(card)
        for day, text in rulings:
            lines += ["/".join(reversed(day.split("-"))), text]
            expected.append((card, day))
    passages = read_document(between.join(lines))
    found = [(p.heading, str(p.date)) for p in passages]
    assert len(found) == len(expected)
    wrong = [pair for pair, other in zip(found, expected, strict=True) if pair != other]
    assert not {card for card, _ in found} - set(by_card)
    assert len(wrong) < len(expected) / 500
    known = read_document(between.join(lines), names=set(by_card))
    assert [(p.heading, str(p.date)) for p in known] == expected
