"""Axioms from Turtle: what each form means, and one clear error for each kind of mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.axioms import AxiomError, ir, packaged_knowledge, read_files
from rulewright.axioms.ir import All, AnyOf, Compare, Exists, Includes, Named, Not, Some, Stated, path
from rulewright.vocabulary import AX, GAME, KEYWORD, RULE, Iri

from .turtle import FROM_GRAVEYARD, KINDLE, PREFIXES, SAYS, iri, read, read_axiom

ANYWHERE = ir.Path(())
HAND = Iri(GAME + "hand")
BEFORE = Compare("<", path("order"), ir.Path(("order",), True))

# --- conditions


@pytest.mark.parametrize(
    ("turtle", "wanted"),
    [
        ("sh:path game:from ; sh:hasValue game:hand", Compare("=", path("from"), HAND)),
        ('sh:path game:permission ; sh:hasValue "x"', Compare("=", path("permission"), "x")),
        ("sh:path game:x ; sh:hasValue 2", Compare("=", path("x"), 2)),
        ("sh:path game:free ; sh:hasValue true", Compare("=", path("free"), True)),
        ("sh:path ( game:spell game:castEvent game:from ) ; sh:hasValue game:hand",
         Compare("=", path("spell", "castEvent", "from"), HAND)),
        ("sh:path game:from ; sh:in ( game:hand )", Compare("=", path("from"), HAND)),
        ("sh:path game:x ; sh:in ( 1 2 )", AnyOf((Compare("=", path("x"), 1), Compare("=", path("x"), 2)))),
        ("sh:path game:player ; ax:equals ( game:object game:controller )",
         Compare("=", path("player"), path("object", "controller"))),
        ("sh:path game:player ; ax:exists true", Exists(path("player"))),
        ("sh:path game:player ; ax:exists false", Not(Exists(path("player")))),
        ("sh:path game:targets ; ax:exists true", Compare(">=", path("targetsCount"), 1)),
        ("sh:path game:targets ; ax:exists false", Not(Compare(">=", path("targetsCount"), 1))),
        ("sh:path game:x ; ax:atMost 3", Compare("<=", path("x"), 3)),
        ("sh:path game:x ; ax:atLeast 3", Compare(">=", path("x"), 3)),
        ("sh:path game:x ; ax:lessThan 3", Compare("<", path("x"), 3)),
        ("sh:path game:order ; ax:before ( ax:focusNode game:order )", BEFORE),
        ("sh:path game:x ; ax:atMostPath game:n", Compare("<=", path("x"), path("n"))),
        ("sh:path game:types ; ax:includes \"Land\"", Includes(ANYWHERE, "cardType", "typesCount", "Land")),
        ("sh:path ( game:object game:targets ) ; ax:includesPath game:player",
         Includes(path("object"), "targeted", "targetsCount", path("player"))),
        ("sh:path game:targets ; ax:count 2", Compare("=", path("targetsCount"), 2)),
        ("sh:path game:targets ; ax:countAtMost 2", Compare("<=", path("targetsCount"), 2)),
        ("sh:path game:targets ; ax:countPath game:x", Compare("=", path("targetsCount"), path("x"))),
        ("ax:all ( [ ax:stated game:x ] [ ax:stated game:n ] )", All((Stated(path("x")), Stated(path("n"))))),
        ("ax:any ( [ ax:stated game:x ] [ ax:stated game:n ] )", AnyOf((Stated(path("x")), Stated(path("n"))))),
        ("ax:not [ ax:stated game:x ]", Not(Stated(path("x")))),
        ("ax:some game:targets ; ax:that [ ax:stated game:name ]",
         Some(Stated(path("name")), ANYWHERE, "targeted", "targetsCount")),
        ("ax:every game:targets ; ax:that [ ax:stated game:name ]",
         Not(Some(Not(Stated(path("name"))), ANYWHERE, "targeted", "targetsCount"))),
        ("ax:hasKeyword kw:kindle",
         Includes(ANYWHERE, "keywordInForce", "keywordsInForceCount", Iri(KEYWORD + "kindle"))),
    ],
)  # fmt: skip
def test_a_form_of_condition(turtle: str, wanted: ir.Condition, tmp_path: Path) -> None:
    assert read_axiom(tmp_path, f"ax:focus game:Cast ; ax:when [ {turtle} ]").when == [wanted]


@pytest.mark.parametrize(
    ("kind", "more", "whole"),
    [
        ("Cast", "", Includes(ir.Path(("inRecord",), True), "closedType", "closedTypesCount", Iri(GAME + "Cast"))),
        ("Cast", "ax:recorded true ;", None),
        ("Standing", "", None),
    ],
)
def test_events_of_a_type_are_all_there_where_the_record_says_so(
    kind: str, more: str, whole: ir.Condition | None, tmp_path: Path
) -> None:
    that = "[ sh:path game:order ; ax:before ( ax:focusNode game:order ) ]"
    axiom = read_axiom(tmp_path, f"ax:focus game:Cast ; ax:when [ ax:someNode game:{kind} ; {more} ax:that {that} ]")
    assert axiom.when == [Some(BEFORE, kind=kind, closed=whole)]


def test_an_instance_is_one_of_the_axioms_keyword(tmp_path: Path) -> None:
    instance = "[ ax:not [ ax:instance [ sh:path game:n ; sh:hasValue 2 ] ] ]"
    axiom = read_axiom(tmp_path, f"ax:of kw:kindle ; ax:focus game:Cast ; ax:when {instance}")
    mine = Compare("=", path("keywordNamed"), Iri(KEYWORD + "kindle"))
    inside = All((mine, Compare("=", path("n"), 2)))
    assert axiom.when == [Not(Some(inside, ANYWHERE, "instanceInForce", "instancesInForceCount"))]


NAMED = 'a ax:Condition ; rdfs:label "from hand"@en , "aus der Hand"@de ; sh:path game:from ; sh:hasValue game:hand'


def test_a_named_condition_is_read_once_and_used_by_name(tmp_path: Path) -> None:
    negation = 'ax:negation "from elsewhere"@en , "von woanders"@de ; rw:authority rule:kindle-b'
    known = read(tmp_path, f":hand {NAMED} ; {negation} . :a a ax:Prohibition ; {SAYS} ; ax:focus game:Cast ; "
                           "ax:when :hand ; ax:unless [ ax:not :hand ] .")  # fmt: skip
    hand = Named(iri("hand"), Compare("=", path("from"), HAND))
    axiom, condition = known.axioms[iri("a")], known.conditions[iri("hand")]
    assert (axiom.when, axiom.unless) == ([hand], [Not(hand)])
    assert condition.negation is not None
    assert [condition.label.in_language(lang) for lang in ("en", "de")] == ["from hand", "aus der Hand"]
    assert condition.negation.de == "von woanders"
    assert condition.authority == (RULE + "kindle-b",)


def test_a_condition_with_words_and_no_name_is_told_by_its_words(tmp_path: Path) -> None:
    words = 'rdfs:label "from hand"@en , "aus der Hand"@de ; sh:path game:from ; sh:hasValue game:hand'
    known = read(tmp_path, f":a a ax:Prohibition ; {SAYS} ; ax:focus game:Cast ; ax:when [ {words} ] .")
    (condition,) = known.conditions.values()
    assert condition.label.de == "aus der Hand"
    assert known.axioms[iri("a")].when == [Named(condition.iri, condition.condition)]


@pytest.mark.parametrize("order", [("a.ttl", "b.ttl"), ("b.ttl", "a.ttl")])
def test_a_condition_may_stand_in_another_file_that_is_read_with_it(order: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(f"{PREFIXES}:hand {NAMED} .", encoding="utf-8")
    uses = f":not-hand {NAMED.partition(' sh:path')[0]} ax:not :hand ."
    (tmp_path / "b.ttl").write_text(PREFIXES + uses, encoding="utf-8")
    known = read_files([tmp_path / name for name in order])
    assert known.conditions[iri("not-hand")].condition == Not(Named(iri("hand"), Compare("=", path("from"), HAND)))


# --- axioms and keywords


def test_an_axiom(tmp_path: Path) -> None:
    axiom = read_axiom(
        tmp_path,
        "ax:of kw:kindle ; ax:keywordNeeded false ; ax:focus game:Move ; ax:replaces ax:anyDestination ; "
        f"ax:destination game:exile ; ax:when {FROM_GRAVEYARD} ; ax:validFrom '2014-07-18'^^xsd:date ; "
        "ax:validUntil '2017-04-28'^^xsd:date", "Replacement",
    )  # fmt: skip
    assert (axiom.archetype, axiom.keyword, axiom.keyword_needed) == ("Replacement", KEYWORD + "kindle", False)
    assert (axiom.focus, axiom.destination) == (("Move",), GAME + "exile")
    assert axiom.replaces == AX + "anyDestination"
    assert (axiom.valid_from, axiom.valid_until) == (20140718, 20170428)
    assert axiom.authority == (RULE + "kindle-a",)


def test_the_rule_that_defines_the_keyword_comes_first(tmp_path: Path) -> None:
    assert read_axiom(
        tmp_path, "ax:of kw:kindle ; ax:focus game:Cast ; rw:authority rule:aaa , rule:zzz"
    ).authority == tuple(RULE + name for name in ("kindle-a", "aaa", "zzz"))


def test_a_text_that_names_an_ability_stands_for_one(tmp_path: Path) -> None:
    says = 'ax:of kw:kindle ; ax:ability " Kindle:  Cast " ; ax:step game:upkeep ; ax:inTurnOf game:owner'
    axiom = read_axiom(tmp_path, says, "Trigger")
    assert axiom.ability == KEYWORD + "kindle#cast-ability"
    assert (axiom.step, axiom.in_turn_of) == (GAME + "upkeep", path("owner"))


def test_a_keyword_has_all_its_names_and_parameters(tmp_path: Path) -> None:
    more = 'kw:kindle skos:altLabel "kindles"@en ; ax:parameter game:sparks .'
    known = read(tmp_path, more)
    assert known.keyword_names == dict.fromkeys(("kindle", "Entfachen", "kindles"), KEYWORD + "kindle")
    assert known.parameters() == {"sparks"}


def test_conditions_may_ask_for_a_parameter_that_a_keyword_brings(tmp_path: Path) -> None:
    asks = "ax:of kw:kindle ; ax:focus game:Cast ; ax:when [ ax:instance [ sh:path game:sparks ; ax:atLeast 1 ] ]"
    known = read(tmp_path, f"kw:kindle ax:parameter game:sparks . :a a ax:Prohibition ; {SAYS} ; {asks} .")
    assert known.axioms[iri("a")].when


def test_files_are_read_on_top_of_what_is_known(tmp_path: Path) -> None:
    first = read(tmp_path, f":a a ax:Prohibition ; {SAYS} ; ax:focus game:Cast .")
    both = read(tmp_path, f":b a ax:Prohibition ; {SAYS} ; ax:focus game:Cast .", "second.ttl", first)
    assert set(both.axioms) == {iri("a"), iri("b")}


def test_the_packages_axioms_are_read_once_as_they_are() -> None:
    """What is kept between runs says the same as the files."""
    from rulewright.vocabulary import packaged, turtle_files

    kept = packaged_knowledge()
    files = [packaged("data", "kinds.ttl"), *turtle_files("data", "principles"), *turtle_files("data", "keywords")]
    assert kept == read_files(files)


# --- mistakes

AXIOM = f":a a ax:Prohibition ; {SAYS} ; ax:focus game:Cast"
WHEN = f"{AXIOM} ; ax:when"
MISTAKES = {
    "misspelt property": (f"{AXIOM} ; ax:wen {FROM_GRAVEYARD} .", "#a", "ax:wen is no property .*ax:when meant"),
    "misspelt archetype": (f":a a ax:Prohibtion ; {SAYS} .", "#a", "ax:Prohibtion is no archetype; is ax:Prohibition"),
    "no German": (':a a ax:Prohibition ; rdfs:label "x"@en ; rw:authority rule:kindle-a .', "#a",
                  "label is needed in English and German"),
    "no label": (":a a ax:Prohibition ; rw:authority rule:kindle-a .", "#a", "label is needed in English and German"),
    "no authority": (':a a ax:Prohibition ; rdfs:label "x"@en , "y"@de ; ax:focus game:Cast .', "#a",
                     "no rw:authority: name the rule"),
    "text as authority": (f'{AXIOM} ; rw:authority "702.1" .', "#a", "authority wants an IRI"),
    "unknown keyword": (f"{AXIOM} ; ax:of kw:kindel .", "#a", "is of .*kindel, which is not declared"),
    "no event type": (f":a a ax:Prohibition ; {SAYS} ; ax:focus game:Casts .", "#a", "game:Casts is no event type"),
    "no zone": (f":a a ax:Replacement ; {SAYS} ; ax:of kw:kindle ; ax:when {FROM_GRAVEYARD} ; "
                "ax:destination game:upkeep .", "#a", "ax:destination .*upkeep is no zone"),
    "no step": (f':a a ax:Trigger ; {SAYS} ; ax:of kw:kindle ; ax:ability "kindle" ; ax:step game:exile .', "#a",
                "ax:step .*exile is no step"),
    "no creator": (f':a a ax:Trigger ; {SAYS} ; ax:of kw:kindle ; ax:ability "kindle" ; ax:step game:upkeep ; '
                   "ax:createdBy :b .", "#a", "ax:createdBy .*#b is no axiom"),
    "replacement without parts": (f":a a ax:Replacement ; {SAYS} ; ax:of kw:kindle .", "#a",
                                  "a Replacement needs ax:destination, ax:when"),
    "permission without parts": (f":a a ax:Permission ; {SAYS} .", "#a", "a Permission needs ax:of, ax:when"),
    "trigger without parts": (f":a a ax:Trigger ; {SAYS} ; ax:of kw:kindle .", "#a",
                              "a Trigger needs ax:ability, ax:step or ax:on"),
    "prohibition without focus": (f":a a ax:Prohibition ; {SAYS} .", "#a", "a Prohibition needs ax:focus"),
    **{f"{kind.lower()} without parts": (f":a a ax:{kind} ; {SAYS} ; ax:focus game:Cast .", "#a",
                                         f"a {kind} needs ax:require")
       for kind in ("Cost", "Obligation", "Value", "Order", "Identity", "Inheritance")},
    "unknown condition": (f"{WHEN} :hands . :hand {NAMED} .", "#hands", "not defined; is .*#hand meant"),
    "condition of itself": (f"{WHEN} :hand . :hand a ax:Condition ; rdfs:label 'x'@en , 'y'@de ; ax:not :hand .",
                            "#hand", "defined by itself"),
    "text as condition": (f'{WHEN} "from hand" .', '"from hand"', "is no condition"),
    "empty condition": (f"{WHEN} [] .", "a condition", "says nothing, which is no condition"),
    "unknown form": (f"{WHEN} [ ax:nay {FROM_GRAVEYARD} ] .", "a condition", "says nay, which is no condition"),
    "no comparison": (f"{WHEN} [ sh:path ( game:spell game:resolved ) ] .", "a condition",
                      "compares game:spell/resolved with nothing"),
    "misspelt fact": (f"{WHEN} [ sh:path game:form ; sh:hasValue game:hand ] .", "form",
                      "game:form is not declared.*is game:from meant"),
    "fact of another space": (f"{WHEN} [ sh:path rdfs:label ; sh:hasValue 1 ] .", "label",
                              "label> is no property of the game graph"),
    "no list": (f"{WHEN} [ sh:path game:player ; ax:includes 1 ] .", "a condition", "game:player is no list"),
    "quantifier without condition": (f"{WHEN} [ ax:some game:targets ] .", "a condition", "needs ax:that"),
    "instance of nothing": (f"{WHEN} [ ax:instance [ sh:path game:n ; sh:hasValue 1 ] ] .", "#a",
                            "ax:instance needs ax:of"),
    "same words, other condition": (
        f"{WHEN} [ rdfs:label 'x'@en , 'y'@de ; ax:stated game:x ] , [ rdfs:label 'x'@en , 'y'@de ; ax:stated game:n ]"
        " .", "a condition", "“x” is said of two different conditions"),
    "blank value": (f"{WHEN} [ sh:path game:from ; sh:hasValue [] ] .", "_:", "is no value"),
    "list cut short": (f"{WHEN} [ ax:all [ <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> :hand ] ] .",
                       "a condition", "is no well-formed list"),
    "empty list of conditions": (f"{WHEN} [ ax:all () ] .", "a condition", "ax:all lists nothing"),
    "empty list of values": (f"{WHEN} [ sh:path game:x ; sh:in () ] .", "a condition", "sh:in lists nothing"),
    "empty path": (f"{WHEN} [ ax:some () ; ax:that {FROM_GRAVEYARD} ] .", "nil", "is no property of the game graph"),
    "focus as a list": (f"{WHEN} [ sh:path ( ax:focusNode ) ; ax:count 1 ] .", "a condition", "focusNode is no list"),
    "two comparisons": (f"{WHEN} [ sh:path game:x ; ax:atMost 3 ; ax:atLeast 1 ] .", "a condition",
                        "says at(Least|Most) beside path: write two conditions"),
    "two forms": (f"{WHEN} [ ax:not {FROM_GRAVEYARD} ; ax:stated game:x ] .", "a condition",
                  "says stated beside not: write two conditions"),
    "word of another form": (f"{WHEN} [ ax:stated game:x ; ax:exists false ] .", "a condition",
                             "says exists beside stated"),
    "no date": (f"{AXIOM} ; ax:validFrom 'soon' .", "#a", "ax:validFrom .*soon is no date: write YYYY-MM-DD"),
    "no class": (f"{WHEN} [ ax:someNode 'Cast' ; ax:that {FROM_GRAVEYARD} ] .", "a condition", "wants a class"),
    "value with a fraction": (f"{WHEN} [ sh:path game:x ; sh:hasValue 1.5 ] .", '"1.5"', "is no value: write"),
    "word for a zone": (f'{WHEN} [ sh:path game:from ; sh:hasValue "hand" ] .', "#a, a condition",
                        "'hand' is none of the values of game:from: write game:hand"),
    "value that is no zone": (f"{WHEN} [ sh:path game:from ; sh:in ( game:hand game:blue ) ] .", "#a, a condition",
                "#blue> is none of the values of game:from, which are battlefield, command"),
    "name for a keyword": (f'{WHEN} [ sh:path game:permissionKeyword ; sh:hasValue "kindle" ] .', "#a, a condition",
                           "'kindle' is no value of game:permissionKeyword, which is an IRI"),
    "number for a truth": (f"{WHEN} [ sh:path ( game:spell game:castEvent game:free ) ; sh:hasValue 1 ] .",
                           "#a, a condition", "1 is no value of game:free, which is true or false"),
    "text for a number": (f'{WHEN} [ ax:not [ sh:path game:order ; ax:atMost "3" ] ] .', "#a, a condition",
                          "'3' is no value of game:order, which is a whole number"),
    "truth for a text": (f"{WHEN} [ sh:path game:spellNames ; ax:includes true ] .", "#a, a condition",
                         "True is no value of game:spellName, which is a text"),
    "text for a length": (f'{WHEN} [ sh:path game:spellNames ; ax:count "1" ] .', "#a, a condition",
                          "'1' is no value of game:spellNamesCount, which is a whole number"),
    "value of the wrong type": (f"{WHEN} [ sh:path game:x ; sh:hasValue 'two'^^xsd:integer ] .", '"two"',
                                "is no value: write"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_error_that_names_file_node_and_what_is_wrong(mistake: str, tmp_path: Path) -> None:
    text, node, said = MISTAKES[mistake]
    with pytest.raises(AxiomError, match=said) as error:
        read(tmp_path, text)
    assert error.value.file == str(tmp_path / "kindle.ttl")
    assert error.value.node.endswith(node) or error.value.node.startswith(node), error.value.node
    assert str(error.value).startswith(f"{tmp_path / 'kindle.ttl'}: ")
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_turtle_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(AxiomError, match="is not Turtle") as error:
        read(tmp_path, ":a a")
    assert error.value.node == ""
    with pytest.raises(AxiomError, match="cannot be read"):
        read_files([tmp_path / "none.ttl"])


def test_an_axiom_is_defined_in_one_file(tmp_path: Path) -> None:
    known = read(tmp_path, f"{AXIOM} .")
    with pytest.raises(AxiomError, match=r"#a: is already defined in .*kindle\.ttl"):
        read(tmp_path, f"{AXIOM} .", "second.ttl", known)


def test_no_error_hides_that_the_keyword_is_in_one_language(tmp_path: Path) -> None:
    (tmp_path / "k.ttl").write_text(PREFIXES + KINDLE.replace(' , "Entfachen"@de', ""), encoding="utf-8")
    with pytest.raises(AxiomError, match="kindle: prefLabel is needed in English and German"):
        read_files([tmp_path / "k.ttl"])
