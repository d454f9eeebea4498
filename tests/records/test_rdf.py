"""Records written by hand as Turtle, TriG, N-Quads and JSON-LD: what is read of them, and what cannot be."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.records import Record, RecordError, plain, rdf, read, read_structure
from rulewright.records.context import CONTEXT, context
from rulewright.vocabulary import GAME, packaged

HEAD = f"""@prefix game: <{GAME}> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
EXAMPLE: dict[str, Any] = {
    "id": "urn:example:game:1",
    "type": "Game",
    "date": "2026-03-01",
    "records": ["Cast", "Move"],
    "players": [{"id": "#ana", "turnOrder": 1}, {"id": "#ben", "turnOrder": 2}],
    "cards": [
        {"id": "#bolt", "name": "Staggershock", "owner": "#ana", "manaCost": None, "types": ["Instant"], "subtypes": [],
         "keywords": [{"keyword": "rebound"}]},
    ],
    "events": [
        {"id": "#e1", "type": "Cast", "turn": 3, "activePlayer": "#ana", "step": "precombat main", "player": "#ana",
         "card": "#bolt", "object": "#s1", "from": "hand", "cost": "mana cost", "targets": ["#ben", "#ana"]},
        {"id": "#e2", "type": "Gift", "gift": "card", "to": "#ben", "of": "#s1"},
        {"id": "#e3", "type": "Move", "card": "#bolt", "from": "stack", "to": "graveyard", "cause": "#e2",
         "faceDown": False},
    ],
}  # fmt: skip
LISTS = HEAD + """
<urn:example:game:1> a game:Record ; game:date "2026-03-01"^^xsd:date ; game:records ( game:Cast game:Move ) ;
    game:players ( <#ana> <#ben> ) ; game:cards ( <#bolt> ) ; game:events ( <#e1> <#e2> <#e3> ) .
<#ana> a game:Player ; game:turnOrder 1 .
<#ben> a game:Player ; game:turnOrder 2 .
<#bolt> a game:Card ; game:name "Staggershock" ; game:owner <#ana> ; game:manaCost game:none ;
    game:types ( "Instant" ) ; game:subtypes () ; game:keywords ( [ game:keyword "rebound" ] ) .
<#e1> a game:Cast ; game:turn 3 ; game:activePlayer <#ana> ; game:step game:precombatMain ; game:player <#ana> ;
    game:card <#bolt> ; game:object <#s1> ; game:from game:hand ; game:cost ( game:payingManaCost ) ;
    game:targets ( <#ben> <#ana> ) .
<#e2> a game:Gift ; game:gift "card" ; game:recipient <#ben> ; game:of <#s1> .
<#e3> a game:Move ; game:card <#bolt> ; game:from game:stack ; game:to game:graveyard ; game:cause <#e2> ;
    game:faceDown false .
"""
MEMBERS = HEAD + """
<urn:example:game:1> a game:Record ; game:date 20260301 ;
    game:complete game:Cast , game:Move ; game:recordsCount 2 ;
    game:hasPlayer <#ana> , <#ben> ; game:playersCount 2 ; game:hasCard <#bolt> ; game:cardsCount 1 ;
    game:hasEvent <#e3> , <#e1> , <#e2> .
<#ana> a game:Player ; game:turnOrder 1 .
<#ben> a game:Player ; game:turnOrder 2 .
<#bolt> a game:Card ; game:name "Staggershock" ; game:owner <#ana> ; game:manaCost game:none ;
    game:cardType "Instant" ; game:typesCount 1 ; game:subtypesCount 0 ;
    game:keywordInstance [ a game:KeywordInstance ; game:keyword "rebound" ] ; game:keywordsCount 1 .
<#e1> a game:Cast , game:Event ; game:order 1 ; game:turn 3 ; game:activePlayer <#ana> ; game:step game:precombatMain ;
    game:player <#ana> ; game:card <#bolt> ; game:object <#s1> ; game:from game:hand ;
    game:costBasis game:payingManaCost ; game:costCount 1 ;
    game:targets ( <#ben> <#ana> ) ; game:targeted <#ana> , <#ben> ; game:targetsCount 2 .
<#e2> a game:Gift ; game:order 2 ; game:gift "card" ; game:recipient <#ben> ; game:of <#s1> .
<#e3> a game:Move ; game:order 3 ; game:card <#bolt> ; game:from game:stack ; game:to game:graveyard ;
    game:cause <#e2> ; game:faceDown false ; game:during game:none ; game:zoneBefore game:stack .
"""


def of(text: str, form: ox.RdfFormat = ox.RdfFormat.TRIG) -> list[Record | RecordError]:
    return list(rdf.records(rdf.parse(text, form, "g"), "g", itertools.count(1)))


def one(text: str, form: ox.RdfFormat = ox.RdfFormat.TRIG) -> Record:
    (record,) = of(text, form)
    assert isinstance(record, Record), record
    return record


def problems(results: list[Record | RecordError]) -> list[tuple[str, str]]:
    return [(p.place, p.problem) for r in results if isinstance(r, RecordError) for p in r.problems]


def from_json(document: Any) -> list[Record | RecordError]:
    return list(read(["-"], stdin=io.BytesIO(json.dumps(document).encode())))


@pytest.mark.parametrize("text", [LISTS, MEMBERS], ids=["lists", "members"])
def test_the_plain_form_comes_back(text: str) -> None:
    record = one(text)
    assert plain(record) == EXAMPLE
    assert not record.warnings


def test_relative_ids_belong_to_the_record_that_is_read() -> None:
    text = HEAD + """
    <urn:g:1> { <urn:g:1> a game:Record ; game:events ( <#e> ) . <#e> a game:Step ; game:turn 1 . }
    <urn:g:2> { <urn:g:2> a game:Record ; game:events ( <#e> ) . <#e> a game:Step ; game:turn 2 . }
    """
    first, second = of(text)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert [n.iri for n in first.children("events")] == ["urn:g:1#e"]
    assert [n.iri for n in second.children("events")] == ["urn:g:2#e"]


def test_a_record_without_an_iri_of_its_own() -> None:
    for start in ("<>", "[]"):
        record = one(f"{HEAD} {start} a game:Record ; game:events ( [ a game:Step ; game:turn 1 ] ) .")
        assert plain(record) == {
            "id": "urn:rulewright:record:1", "type": "Game", "events": [{"type": "Step", "turn": 1}],
        }  # fmt: skip


def test_ids_are_whole_where_the_records_own_has_a_fragment() -> None:
    text = HEAD + """<#e> a game:Step .
    <urn:g#one> a game:Record ; game:events ( <#e> [ a game:Step ; game:cause <#e> ] ) ."""
    record = one(text)
    assert [n.iri for n in record.children("events")] == ["urn:g#e", "urn:g#one/event/2"]
    (error,) = from_json({"id": "urn:g#one", "events": [{"id": "#e", "type": "Step"}]})
    assert "write whole IRIs" in problems([error])[0][1]
    again = read_structure(plain(record), "g")
    assert again.nodes == record.nodes


def test_blank_nodes_get_ids_by_position() -> None:
    text = HEAD + """
    <urn:g> a game:Record ; game:players ( _:ana ) ; game:cards ( [ game:owner _:ana ; game:name "Opt" ] _:second ) ;
        game:events ( _:cast [ a game:Resolve ; game:object _:spell ]
                      [ a game:Choose ; game:chosen ( "x" 3 true _:second ) ] ) .
    _:second game:owner _:ana .
    _:cast a game:Cast ; game:card _:second ; game:object _:spell ; game:player _:ana ;
        game:division ( [ game:target _:ana ; game:amount 2 ] ) .
    """
    assert plain(one(text)) == {
        "id": "urn:g",
        "type": "Game",
        "players": [{"id": "#/players/1"}],
        "cards": [{"id": "#/cards/1", "owner": "#/players/1", "name": "Opt"},
                  {"id": "#/cards/2", "owner": "#/players/1"}],
        "events": [
            {"type": "Cast", "card": "#/cards/2", "object": "#/object/7", "player": "#/players/1",
             "division": {"#/players/1": 2}},
            {"type": "Resolve", "object": "#/object/7"},
            {"type": "Choose", "chosen": ["x", 3, True, "#/cards/2"]},
        ],
    }  # fmt: skip


def test_things_chosen_by_a_whole_iri() -> None:
    text = HEAD + """@prefix c: <http://example.org/cards/> .
    <urn:g> a game:Record ; game:cards ( c:opt ) ;
        game:events ( [ a game:Choose ; game:chosen ( c:opt "http://x.org/y" ) ] ) ."""
    record = one(text)
    (choice,) = record.children("events")
    assert [type(value).__name__ for value in choice.facts["chosen"]] == ["Iri", "str"]  # type: ignore[union-attr]
    assert read_structure(plain(record), "g").nodes == record.nodes


def test_several_records_of_one_turtle_file() -> None:
    text = HEAD + "<urn:g:2> a game:Record ; game:events () . <urn:g:1> a game:Record ; game:events () ."
    assert [str(r.id) for r in of(text, ox.RdfFormat.TURTLE) if isinstance(r, Record)] == ["urn:g:2", "urn:g:1"]


def test_inferred_facts_are_not_stated() -> None:
    text = HEAD + """<urn:g> a game:Record ; game:events ( <#e> ) .
    <#e> a game:Step ; game:turn 1 ; game:step game:upkeep ; game:inferred game:step ; game:stepPosition 2 ."""
    assert plain(one(text))["events"] == [{"id": "#e", "type": "Step", "turn": 1}]


def test_unknown_properties_are_warnings() -> None:
    text = HEAD + """<urn:g> a game:Record ; game:weather "fine" ; game:events ( <#e> ) .
    <#e> a game:Dance ; game:turn 1 ; game:zone game:hand ; <urn:other> 3 ."""
    assert one(text).warnings == [
        "event type 'Dance' is unknown, the event is kept without meaning",
        "<#e>: game:zone is no property of Event, ignored",
        "<urn:g>: unknown property game:weather, ignored",
    ]


def test_what_is_not_known_of_an_effect_is_kept_as_a_gap() -> None:
    text = HEAD + """<urn:g> a game:Record ; game:events () ; game:effects ( <#f> ) .
    <#f> game:increases "{1}" ; game:condition [ game:moon "full" ] ."""
    record = one(text)
    assert {node.kind for node in record.nodes.values() if node.partial} == {"EffectCondition"}


EVENT = HEAD + "<urn:g> a game:Record ; game:players ( <#p> ) ; game:events ( <#e> ) . <#p> a game:Player . <#e> "


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (EVENT + "a game:Move ; game:to 'hand' .", "<#e> game:to", '"hand" is no individual'),
        (EVENT + "a game:Move ; game:to game:upkeep .", "<#e> game:to", "'upkeep' is no zone"),
        (EVENT + "a game:Move ; game:to game:hand , game:exile .", "<#e> game:to", "has 2 values, and can have one"),
        (EVENT + "a game:Move ; game:card <#none> .", "<#e> game:card", "is not declared as a card"),
        (EVENT + "a game:Move ; game:card <other> .", "<#e> game:card", "<other> is a relative IRI"),
        (EVENT + "a game:Draw ; game:n 1.5 .", "<#e> game:n", "is not an integer"),
        (EVENT + "a game:Draw ; game:n 'one'^^xsd:integer .", "<#e> game:n", "is not an integer"),
        (EVENT + "a game:Draw ; game:n true .", "<#e> game:n", "is not an integer"),
        (EVENT + "a game:Draw ; game:player 'Ana' .", "<#e> game:player", "is a literal"),
        (EVENT + "a game:Move ; game:faceDown 'no' .", "<#e> game:faceDown", "is not true or false"),
        (EVENT + "a game:Effect ; game:label 'Schaden'@de .", "<#e> game:label", "has a language"),
        (EVENT + "a game:Effect ; game:label game:hand .", "<#e> game:label", "is no text"),
        (EVENT + "game:turn 1 .", "<urn:g> game:events", "has no event type"),
        (EVENT + "a game:Move , game:Cast .", "<urn:g> game:events", "is of 2 event types"),
        (EVENT + "a game:Cast ; game:targets <#p> .", "<#e> game:targets", "is no RDF list"),
        (EVENT + "a game:Cast ; game:targeted <#p> .", "<#e> game:targets", "no game:targetsCount: say how many"),
        (EVENT + "a game:Cast ; game:targeted <#p> ; game:targetsCount 2 .", "<#e> game:targets", "say how many"),
        (EVENT + "a game:Cast ; game:targets ( <#p> ) , () .", "<#e> game:targets", "one RDF list"),
        (EVENT + "a game:Cast ; game:targets <#l> . <#l> rdf:first <#p> ; rdf:rest <#l> .", "<#e> game:targets",
         "does not end"),
        (EVENT + "a game:Cast ; game:targets <#l> . <#l> rdf:first <#p> .", "<#e> game:targets", "is broken"),
        (EVENT + "a game:Cast ; game:division ( [ game:target <#p> ] ) .", "<#e> game:division", "one game:amount"),
        (EVENT + "a game:Cast ; game:division '{}' .", "<#e> game:division", "is no RDF list"),
        (EVENT + "a game:Cast ; game:division '{'^^rdf:JSON .", "<#e> game:division", "is no JSON"),
        (EVENT + "a game:Step . <#f> a game:Step .", "<#f>", "is a game:Step that no list of a record has"),
        (HEAD + "<urn:g> a game:Record .", "<urn:g> game:events", "missing"),
        (HEAD + "<urn:g> a game:Record ; game:hasEvent <#a> , <#b> .", "<urn:g> game:events", "events have an order"),
        (HEAD + "<g> a game:Record ; game:events () .", "<g>", "is a relative IRI"),
        (HEAD + "<urn:a> game:turn 1 .", "", "holds no game:Record"),
        (HEAD + "<urn:n> { <urn:a> game:turn 1 }", "urn:n", "this graph has no game:Record"),
        ("", "", "holds no game:Record"),
    ],
)  # fmt: skip
def test_what_cannot_be_turned_is_an_error(text: str, place: str, said: str) -> None:
    text = text.replace("@prefix xsd", "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix xsd")
    ((found_place, found),) = problems(of(text))
    assert said in found, found
    assert found_place == place


def test_syntax_errors_have_their_place() -> None:
    with pytest.raises(RecordError) as caught:
        rdf.parse(HEAD + "<urn:g> a game:Record ;; game:events ( .", ox.RdfFormat.TURTLE, "g.ttl")
    assert str(caught.value).startswith("g.ttl: line 3, column ")


@pytest.mark.parametrize("deep", ["<urn:a> game:n " + "[ game:n " * 50_000, "<urn:a> game:n " + "( " * 50_000])
def test_nesting_without_end(deep: str) -> None:
    with pytest.raises(RecordError):
        rdf.parse(HEAD + deep, ox.RdfFormat.TURTLE, "g")


class TestJsonLd:
    def test_our_context_alone_is_the_plain_form(self) -> None:
        for stated in (CONTEXT, [CONTEXT]):
            (record,) = from_json({"@context": stated, **EXAMPLE})
            assert isinstance(record, Record)
            assert plain(record) == EXAMPLE
        assert len(from_json([{"@context": CONTEXT, **EXAMPLE}, EXAMPLE])) == 2
        assert len(from_json({"@context": CONTEXT, "@graph": [EXAMPLE, {**EXAMPLE, "id": "urn:g:2"}]})) == 2

    def test_expanded(self) -> None:
        for text in (LISTS, MEMBERS):
            data = ox.serialize(rdf.parse(text, ox.RdfFormat.TRIG, "g"), format=ox.RdfFormat.JSON_LD)
            (record,) = read(["-"], stdin=io.BytesIO(data or b""))
            assert isinstance(record, Record)
            assert plain(record) == EXAMPLE

    def test_compacted_by_the_packaged_context(self) -> None:
        """What a JSON-LD processor makes of the plain form is the same record, but for what no context can say."""
        document = json.loads(json.dumps(EXAMPLE))
        document["cards"][0]["manaCost"] = "{4}"
        document["events"][0]["division"] = {"#ben": 1, "#ana": 1}
        for stated in (context(), [CONTEXT, {"more": "urn:more"}]):
            (record,) = from_json({"@context": stated, **document})
            assert isinstance(record, Record), record
            assert plain(record) == document

    @pytest.mark.parametrize("path", sorted(packaged("data", "scenarios").rglob("*.json"))[::40], ids=lambda p: p.stem)
    def test_scenarios_by_the_packaged_context(self, path: Path) -> None:
        stated = plain(read_structure(json.loads(path.read_text()), str(path)))
        text = json.dumps(stated)
        results = from_json({"@context": context(), **stated})
        if "null" in text:
            assert all("null would be dropped" in said for _, said in problems(results))
        else:
            (record,) = results
            assert isinstance(record, Record), record
            assert plain(record) == stated

    def test_the_packaged_context_is_that_of_the_schema(self) -> None:
        """After a change of the schema: `make docs`."""
        assert json.loads(packaged("ontology", "context.jsonld").read_text()) == {"@context": context()}

    @pytest.mark.parametrize(
        ("change", "place", "said"),
        [
            ({"weather": "fine"}, "weather", '"fine" would be dropped'),
            ({"date": None}, "date", "null says nothing in JSON-LD"),
            ({"players": [{"id": "#a b", "turnOrder": 1}]}, "players[0].id", '"#a b" would be dropped'),
            ({"players": [{"id": "#p", "nickname": {"deep": [1]}}]}, "players[0].nickname", "would be dropped"),
            ({"events": [{"type": "Dance party", "turn": 1}]}, "events[0].type", '"Dance party" would be dropped'),
            ({"events": [{"type": "Step", "step": "after dinner"}]}, "events[0].step", "would be dropped"),
            ({"cards": [{"id": "#c", "manaCost": None}]}, "cards[0].manaCost", "null would be dropped"),
            ({"cards": [{"id": "#c", "colors": ["R", None]}]}, "cards[0].colors[1]", "null would be dropped"),
            ({"cards": [{"id": "#c", "keywords": [{"keyword": []}]}]}, "cards[0].keywords[0].keyword", "[] would be"),
        ],
    )
    def test_what_would_be_dropped_is_an_error(self, change: dict[str, Any], place: str, said: str) -> None:
        ((found_place, found),) = problems(from_json({"@context": context(), "id": "urn:g", "events": [], **change}))
        assert said in found, found
        assert found_place == place

    def test_a_set_is_not_a_list(self) -> None:
        document = {"@context": {"@vocab": GAME}, "@id": "urn:g", "@type": "Record", "events": []}
        ((place, said),) = problems(from_json(document))
        assert place == "events"
        assert said.endswith('write {"@list": []}')
        (record,) = from_json({**document, "events": {"@list": []}})
        assert isinstance(record, Record)

    @pytest.mark.parametrize(
        "stated",
        [
            "https://schema.org",
            [CONTEXT, "https://schema.org"],
            {"a": {"@id": "urn:a", "@context": "https://schema.org"}},
            {"@import": "https://schema.org"},
        ],
    )
    def test_nothing_is_fetched(self, stated: Any) -> None:
        (error,) = from_json({"@context": stated, "id": "urn:g", "events": [], "a": {"b": 1}})
        assert isinstance(error, RecordError)
        assert "fetched" in str(error) or "load" in str(error)

    def test_many_dropped_values_are_cut_short(self) -> None:
        document = {"@context": context(), "id": "urn:g", "events": [], **{f"k{n}": n for n in range(50)}}
        found = problems(from_json(document))
        assert len(found) == 21
        assert found[-1] == ("", "and more values would be dropped")
