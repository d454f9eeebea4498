import datetime as dt

import pytest

from rulewright.sources import DocumentError, read_document

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
