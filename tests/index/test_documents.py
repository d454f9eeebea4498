"""What of a graph can be found."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox
import pytest

from rulewright.index import KINDS, Document, Name, Text
from rulewright.index.documents import documents
from rulewright.index.model import DEPRECATED, OTHER
from rulewright.store import Dataset
from rulewright.vocabulary import BASE

CARD = "00000000-0000-0000-0000-00000000000"
OLD, NEW = (
    f"""
    @prefix rw: <{BASE}core#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @base <{BASE}> .
    <edition/{day}> a rw:Edition ; rw:effective "{day}"^^<http://www.w3.org/2001/XMLSchema#date> .
    <edition/{day}/702.88> a rw:RuleVersion ; rw:inEdition <edition/{day}> ; rw:number "702.88" ; rw:text <text/a> .
    <edition/{day}/702.88a> a rw:RuleVersion ; rw:inEdition <edition/{day}> ; rw:number "702.88a" ;
        rw:text <text/{day}> ; rw:versionOf <rule/rebound-a> .
    <edition/{day}/702.999a> a rw:RuleVersion ; rw:inEdition <edition/{day}> ; rw:number "702.999a" ; rw:text <text/b> .
    <edition/{day}/glossary/rebound> a rw:GlossaryEntry ; skos:prefLabel "Rebound"@en ; rw:inEdition <edition/{day}> ;
        rw:text <text/c> .
    <edition/{day}/glossary/gleam> a rw:GlossaryEntry ; skos:prefLabel "Gleam"@en ; rw:inEdition <edition/{day}> ;
        rw:text <text/c> .
    <text/a> a rw:Text ; rw:wording "Rebound"@en .
    <text/b> a rw:Text ; rw:wording "Gleam stands for an ability."@en .
    <text/c> a rw:Text ; rw:wording "An ability that shines."@en .
    <text/{day}> a rw:Text ; rw:wording "As it was on {day}."@en .
    """
    for day in ("2001-01-01", "2099-01-01")
)
DUMP = f"""
    @prefix rw: <{BASE}core#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @base <{BASE}> .
    <card/{CARD}1> a rw:Card ; skos:prefLabel "Gleam"@en , "Schimmer"@de ; rw:typeLine "Sorcery"@en , "Hexerei"@de ;
        rw:rulesText "Shine."@en , "Scheint."@de .
    <card/{CARD}2> a rw:Card ; skos:prefLabel "Up // Down"@en .
    <card/{CARD}2/up> a rw:Face ; rw:faceOf <card/{CARD}2> ; skos:prefLabel "Up"@en , "Auf"@de ;
        rw:rulesText "Rise."@en .
    <publication/1> a rw:Publication ; rw:publishes <text/r> ; rw:onCard <card/{CARD}1> .
    <publication/2> a rw:Publication ; rw:publishes <text/r> ; rw:onCard <card/{CARD}2> .
    <publication/3> a rw:Publication ; rw:publishes <text/s> ; rw:heading "Nobody's Card" .
    <publication/4> a rw:Publication ; rw:publishes <text/t> ; rw:onCard <card/{CARD}1> .
    <text/r> a rw:Text ; rw:wording "It shines twice."@en .
    <text/s> a rw:Text ; rw:wording "Niemand kennt sie."@de .
    <text/t> a rw:Text ; rw:wording "So once it was printed."@en ; rw:expresses <ruling/RB-4> .
"""


@pytest.fixture(scope="module")
def found() -> Iterator[list[Document]]:
    with Dataset.open() as dataset:
        dataset.load_packaged()
        for name, turtle in {"old": OLD, "new": NEW, "dump": DUMP, "another": DUMP}.items():
            dataset.add_graph(f"{BASE}source/{name}", ox.parse(turtle, format=ox.RdfFormat.TURTLE))
        yield list(documents(dataset))


def one(found: list[Document], iri: str) -> Document:
    (document,) = (d for d in found if d.iri == BASE + iri)
    return document


def test_each_thing_once_and_kind_by_kind(found: list[Document]) -> None:
    assert len({d.iri for d in found}) == len(found)
    order = [KINDS.index(d.kind) for d in found]
    assert order == sorted(order)
    assert set(order) == set(range(len(KINDS)))


def test_a_keyword_has_the_words_of_its_term(found: list[Document]) -> None:
    names = one(found, "keyword/escape").names
    assert names[:2] == (Name("Befreiung", "de"), Name("escape", "en"))
    assert {Name("escape cost", "en", OTHER), Name("befreit", "de", OTHER)} <= set(names)
    assert Name("Fluchtkosten", "de", DEPRECATED) in names
    assert BASE + "term/escape" not in {d.iri for d in found}


def test_a_term(found: list[Document]) -> None:
    names = one(found, "term/mana-value").names
    assert {Name("mana value", "en"), Name("Manabetrag", "de"), Name("Manawert", "de", DEPRECATED)} <= set(names)


def test_a_rule_has_its_number_and_those_that_it_had(found: list[Document]) -> None:
    rule = one(found, "rule/rebound-a")
    assert {Name("Rebound, a", "en"), Name("Abprall, a", "de"), Name("702.88a")} <= set(rule.names)
    assert Name("702.85a", "", OTHER) in rule.names
    assert rule.texts == (Text("As it was on 2099-01-01.", "en"),)


def test_the_newest_edition(found: list[Document]) -> None:
    heading, gleam = one(found, "edition/2099-01-01/702.88"), one(found, "edition/2099-01-01/702.999a")
    assert (heading.names, heading.texts) == ((Name("702.88"), Name("Rebound", "en")), ())
    assert (gleam.names, gleam.texts) == ((Name("702.999a"),), (Text("Gleam stands for an ability.", "en"),))
    assert not [d for d in found if "/2001-01-01" in d.iri]


def test_a_glossary(found: list[Document]) -> None:
    assert one(found, "keyword/rebound").texts == (Text("An ability that shines.", "en"),)
    entry = one(found, "edition/2099-01-01/glossary/gleam")
    assert (entry.kind, entry.names) == ("term", (Name("Gleam", "en"),))


def test_a_statement_has_its_texts_too(found: list[Document]) -> None:
    statement = one(found, "ruling/RB-4")
    assert statement.names == (Name("RB-4"),)
    assert {t.language for t in statement.texts} == {"en", "de"}
    assert Text("So once it was printed.", "en") in statement.texts
    assert {n.text for n in statement.heading} == {"rebound", "Abprall"}


def test_a_text_that_is_not_known(found: list[Document]) -> None:
    text = one(found, "text/r")
    assert (text.kind, text.names, text.texts) == ("ruling", (), (Text("It shines twice.", "en"),))
    assert [n.text for n in text.heading] == ["Schimmer", "Gleam", "Up // Down"]
    assert one(found, "text/s").heading == (Name("Nobody's Card"),)


def test_cards_and_their_faces(found: list[Document]) -> None:
    card = one(found, f"card/{CARD}1")
    assert set(card.names) == {Name("Gleam", "en"), Name("Schimmer", "de")}
    assert set(card.texts) == {Text("Sorcery. Shine.", "en"), Text("Hexerei. Scheint.", "de")}
    split = one(found, f"card/{CARD}2")
    assert set(split.names) == {Name("Up // Down", "en"), Name("Up", "en", OTHER), Name("Auf", "de", OTHER)}
    assert split.texts == (Text("Rise.", "en"),)
