"""The derived facts of the canonical graph, one small record a fact; what is expected comes from the rules."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Value
from rulewright.vocabulary import NONE, Iri, load_schema

from .small import CREATURE, INSTANT, STACKS, Plain, card, cast, event, fact, graph, listed


class TestStated:
    def test_lists_are_counted_and_absent_ones_are_not(self) -> None:
        found = graph(cast(targets=["#ana", "#ben"]), cast(spell="t", targets=[]), cast(spell="u"))
        assert [fact(found, n, "targetsCount") for n in (1, 2, 3)] == [2, 0, None]

    def test_sets_have_one_spelling(self) -> None:
        found = graph(event("Observe", card="#bolt", colors=["R", "B"], names=["Z", "A"], manaValue=[2, 1]))
        assert fact(found, 1, "colorsKey") == listed("black", "red")
        assert fact(found, 1, "namesKey") == listed("A", "Z")
        assert fact(found, 1, "manaValueKey") == listed(1, 2)

    def test_order_type_and_record(self) -> None:
        found = graph(cast(), event("Resolve", object="#s"))
        assert [fact(found, n, "order") for n in (1, 2)] == [1, 2]
        assert fact(found, 2, "eventType") == "Resolve"
        assert fact(found, 2, "inRecord") == ""

    def test_rules_date(self) -> None:
        assert graph(cast(), date="2017-04-28").facts[Iri("urn:g")]["rulesDate"] == 20170428
        assert graph(cast()).facts[Iri("urn:g")]["rulesDate"] == 99991231

    def test_effects_stated(self) -> None:
        assert graph(cast()).facts[Iri("urn:g")]["effectsStated"] is False
        assert graph(cast(), effects=[]).facts[Iri("urn:g")]["effectsStated"] is True

    def test_no_events(self) -> None:
        assert graph().facts[Iri("urn:g")]["eventsCount"] == 0

    def test_counters_without_a_name(self) -> None:
        graph(event("Observe", card="#bolt", counters=[{}]), cards=[card("bolt", counters=[{"n": 2}])])

    def test_every_fact_is_declared(self) -> None:
        schema = load_schema()
        found = graph(
            cast(turn=1, activePlayer="#ana", step="precombat main", cost="mana cost", targets=["#ben"], face="Bolt"),
            event("Resolve", object="#s"), event("Move", card="#bolt", to="graveyard"), records=STACKS,
        )  # fmt: skip
        declared = {*schema.functional, *schema.lists, *schema.members.values()}
        declared |= {f"{name}Key" for name in schema.compared}
        names = {name for facts in found.facts.values() for name in facts}
        assert names <= declared


class TestResolutions:
    """CR 608.2: what happens inside of a resolution, and what surely does not."""

    def test_what_names_it_is_inside_and_so_is_what_stands_between(self) -> None:
        found = graph(
            cast(), event("Resolve", object="#s"), event("Draw", n=1), event("Effect", of="#s", during="#2"),
            event("Draw", n=1),
        )  # fmt: skip
        assert [fact(found, n, "during") for n in (2, 3, 4)] == ["none", "#2", "#2"]
        assert fact(found, 5, "during") is None

    @pytest.mark.parametrize(
        ("bolt", "first", "during"),
        [({}, {}, None), ({"zone": "hand"}, {}, "none"), ({}, {"stackEmpty": True}, "none")],
    )
    def test_a_record_may_begin_inside_a_resolution(self, bolt: Plain, first: Plain, during: str | None) -> None:
        """Unless it tells of a state to begin with, or of an empty stack."""
        assert fact(graph(cast(**first), cards=[{**INSTANT, **bolt}]), 1, "during") == during

    def test_nothing_is_inside_once_the_spell_has_moved(self) -> None:
        moved = event("Move", card="#bolt", **{"from": "stack"}, to="graveyard", cause="#2")
        found = graph(cast(), event("Resolve", object="#s"), moved, event("Draw", n=1))
        assert fact(found, 3, "during") == "#2"
        assert fact(found, 4, "during") == "none"

    @pytest.mark.parametrize(
        "outside",
        [
            event("Resolve", object="#t"),
            event("Step", step="draw"),
            event("Trigger", object="#v"),
            event("Draw", turn=2),
        ],
    )
    def test_what_is_surely_outside_ends_it(self, outside: Plain) -> None:
        found = graph(
            event("Trigger", object="#t", turn=1, step="upkeep"), event("Trigger", object="#u"),
            event("Resolve", object="#u"), outside, event("Draw", n=1),
        )  # fmt: skip
        assert fact(found, 4, "during") == "none"
        assert fact(found, 5, "during") == ("none" if outside["type"] != "Resolve" else None)


class TestStackAndZones:
    def test_zone_before(self) -> None:
        found = graph(
            cast(), event("Observe", card="#bolt"), event("Countered", object="#s"),
            event("Move", card="#bolt", to="graveyard", **{"from": "stack"}), event("Observe", card="#bolt"),
            cards=[{**INSTANT, "zone": "hand"}],
        )  # fmt: skip
        assert [fact(found, n, "zoneBefore") for n in (1, 2, 5)] == ["hand", "stack", "graveyard"]

    def test_stated_and_unknown_zones(self) -> None:
        assert fact(graph(event("Observe", card="#bolt")), 1, "zoneBefore") is None

    def test_the_stack_is_not_empty_under_a_spell(self) -> None:
        found = graph(cast(turn=1, step="precombat main"), cast("bear", "t"), cards=[INSTANT, CREATURE])
        assert fact(found, 1, "stackEmpty") is None
        assert fact(found, 2, "stackEmpty") is False

    def test_the_stack_is_empty_if_all_that_could_be_on_it_is_recorded(self) -> None:
        began = event("Step", turn=1, step="precombat main")
        assert fact(graph(began, cast(), records=STACKS), 2, "stackEmpty") is True
        assert fact(graph(began, cast(), records=["Cast"]), 2, "stackEmpty") is None
        assert fact(graph(cast(turn=1, step="precombat main"), records=STACKS), 1, "stackEmpty") is None

    def test_what_is_stated_is_kept(self) -> None:
        assert fact(graph(cast(stackEmpty=True)), 1, "stackEmpty") is True

    def test_a_new_step_begins_with_an_empty_stack(self) -> None:
        found = graph(cast(turn=1, step="upkeep"), cast("bear", "t", turn=2, step="precombat main"),
                      cards=[INSTANT, CREATURE])
        assert fact(found, 2, "stackEmpty") is not False

    def test_a_spell_that_has_resolved_is_gone(self) -> None:
        found = graph(cast(turn=1, step="precombat main"), event("Resolve", object="#s"), cast("bear", "t"),
                      cards=[INSTANT, CREATURE])
        assert fact(found, 3, "stackEmpty") is not False

    def test_arrival(self) -> None:
        found = graph(event("Move", card="#bolt", to="graveyard"), event("Move", card="#bolt", to="exile"))
        assert fact(found, 2, "arrivedBy") == "#1"

    def test_a_copy_is_not_cast(self) -> None:
        found = graph(cast(), event("Copy", object="#k", of="#s", to="stack", player="#ben"))
        assert (fact(found, "s", "isCopy"), fact(found, "k", "isCopy")) == (False, True)
        assert (fact(found, "s", "castEvent"), fact(found, "k", "castEvent")) == ("#1", "none")
        assert fact(found, "k", "originSpell") == "#s"

    @pytest.mark.parametrize(
        ("end", "resolved"), [("Resolve", True), ("Countered", False), ("NotResolved", False)]
    )
    def test_outcome(self, end: str, resolved: bool) -> None:
        found = graph(cast(), event(end, object="#s"))
        assert fact(found, "s", "resolved") is resolved
        assert fact(found, "s", "outcome") == end

    def test_not_resolved_where_all_resolutions_are_recorded(self) -> None:
        gone = event("Move", card="#bolt", to="hand")
        assert fact(graph(cast(), gone, records=["Resolve"]), "s", "resolved") is False
        assert fact(graph(cast(), gone), "s", "resolved") is None

    @pytest.mark.parametrize(
        ("types", "end", "where"),
        [
            (["Instant"], "Resolve", "graveyard"),  # 608.2n
            (["Creature"], "Resolve", "battlefield"),  # 608.3a
            (["Creature"], "Countered", "graveyard"),  # 701.6a
            (["Instant"], "NotResolved", "graveyard"),  # 608.2b
            (None, "Resolve", None),
        ],
    )
    def test_default_destination(self, types: list[str] | None, end: str, where: str | None) -> None:
        of = card("bolt") if types is None else card("bolt", types=types)
        moved = event("Move", card="#bolt", **{"from": "stack"}, to="exile", cause="#2")
        found = graph(cast(), event(end, object="#s"), moved, cards=[of])
        assert fact(found, 3, "defaultDestination") == where
        assert fact(found, 3, "byOwnEnd") is True


class TestCosts:
    def test_bases(self) -> None:
        found = graph(
            cast(cost="mana cost"), cast(spell="t", cost="without paying mana cost"),
            cast(spell="u", cost=[{"alternative": "Dash", "mana": "{R}"}, {"alternative": "overload"}]),
            cast(spell="v"),
        )  # fmt: skip
        assert [fact(found, n, "free") for n in (1, 2, 3, 4)] == [False, True, False, None]
        assert [fact(found, n, "alternativeBases") for n in (1, 2, 3, 4)] == [0, 1, 2, None]
        assert [fact(found, n, "basisMana") for n in (1, 2, 3)] == ["{1}{R}", "{0}", None]

    def test_mana_of_a_keyword_comes_from_the_card(self) -> None:
        dashing = {**INSTANT, "keywords": [{"keyword": "dash", "cost": "{2}{R}"}]}
        found = graph(cast(cost={"alternative": "dash"}), cards=[dashing])
        assert fact(found, 1, "alternativeKeyword") == "kw:dash"
        assert fact(found, 1, "basisMana") == "{2}{R}"

    def test_no_mana_cost_is_known_and_not_zero(self) -> None:
        found = graph(cast(cost="mana cost"), cards=[card("bolt", manaCost=None)])
        assert found.facts[Iri("urn:g#1")]["basisMana"] == NONE
        assert fact(found, 1, "costTotal") is None

    @pytest.mark.parametrize(
        ("more", "total"),
        [
            ({}, "{1}{R}"),
            ({"costIncreases": ["{2}"], "costReductions": ["{1}"]}, "{2}{R}"),
            ({"costReductions": ["{4}"]}, "{R}"),
            ({"additionalCosts": [{"kind": "kicker", "mana": "{4}"}]}, "{5}{R}"),
        ],
    )
    def test_total(self, more: Plain, total: str) -> None:
        assert fact(graph(cast(cost="mana cost", **more)), 1, "costTotal") == total

    def test_x(self) -> None:
        ball = card("bolt", manaCost="{X}{R}", types=["Sorcery"])
        found = graph(cast(cost="mana cost", x=3), cast(spell="t", cost="mana cost"), cards=[ball])
        assert fact(found, 1, "costTotal") == "{3}{R}"
        assert fact(found, 2, "costTotal") is None
        assert fact(found, 1, "hasX") is True
        assert (fact(found, 1, "cardManaValue"), fact(found, 1, "spellManaValue")) == (1, 4)  # 202.3e
        assert fact(found, 2, "spellManaValue") is None

    def test_mandatory_costs(self) -> None:
        fling = {**INSTANT, "additionalCosts": [{"kind": "sacrifice", "n": 2}]}
        paid = [{"kind": "sacrifice", "cards": ["#bear"]}]
        found = graph(cast(additionalCosts=[]), cast(spell="t"), cast(spell="u", additionalCosts=paid),
                      cast(spell="v", additionalCosts=[{"kind": "sacrifice"}]), cards=[fling, CREATURE])
        kept = [found.facts[found.facts[Iri(f"urn:g#{n}")]["requiredCosts"][0]].get("isPaid")  # type: ignore[index]
                for n in (1, 2, 3, 4)]
        assert kept == [False, None, False, True]  # the last does not say which two

    def test_cards_exiled_to_pay_and_where_they_are(self) -> None:
        cost = {"alternative": "escape", "mana": "{R}", "exile": ["#bear", "#bolt"]}
        found = graph(cast(cost=cost, **{"from": "graveyard"}),
                      cards=[{**INSTANT, "zone": "graveyard"}, {**CREATURE, "zone": "graveyard"}])
        assert fact(found, 1, "exiledEntriesCount") == 2
        assert fact(found, "1/exiled/1", "zone") == "graveyard"
        assert fact(found, "1/exiled/2", "zone") == "stack"  # 601.2a: the spell itself is on the stack by then

    def test_targets_needed(self) -> None:
        wants = {**INSTANT, "targets": [{"kind": "creature", "n": 2}, {"kind": "player", "ifPaid": "gift"}]}
        gift = [{"kind": "gift", "opponent": "#ben"}]
        found = graph(cast(additionalCosts=[]), cast(spell="t", additionalCosts=gift), cast(spell="u"), cards=[wants])
        assert [fact(found, n, "targetsNeeded") for n in (1, 2, 3)] == [2, 3, None]

    def test_targets_that_fit(self) -> None:
        wants = {**INSTANT, "targets": [{"kind": "creature"}, {"kind": "player"}, {"kind": "any"}]}
        bear = {**CREATURE, "zone": "battlefield"}
        found = graph(cast(targets=["#bear", "#ben", "#ben"]), cast(spell="t", targets=["#ben"]), cards=[wants, bear])
        assert [fact(found, f"1/target/{n}", "fits") for n in (1, 2, 3)] == [True, True, True]
        assert fact(found, "2/target/1", "fits") is False

    def test_a_card_is_no_player(self) -> None:
        wants = {**INSTANT, "targets": [{"kind": "player"}]}
        found = graph(cast(targets=["#bear"]), cards=[wants, {**CREATURE, "zone": "battlefield"}])
        assert fact(found, "1/target/1", "fits") is False

    def test_a_card_in_an_unknown_zone_may_be_no_creature(self) -> None:
        wants = {**INSTANT, "targets": [{"kind": "creature"}]}
        assert fact(graph(cast(targets=["#bear"]), cards=[wants, CREATURE]), "1/target/1", "fits") is None


SPLIT = card("split", layout="split", faces=[
    {"name": "Fire", "manaCost": "{1}{R}", "types": ["Instant"], "keywords": ["flame"]},
    {"name": "Ice", "manaCost": "{1}{U}", "types": ["Sorcery"], "keywords": ["frost"]},
])  # fmt: skip


class TestCharacteristics:
    def test_split_cards_are_combined_off_the_stack_and_halves_on_it(self) -> None:
        """CR 709.3b, 709.4."""
        split = {**SPLIT, "faces": [{**face, "keywords": []} for face in SPLIT["faces"]]}
        found = graph(event("Observe", card="#split"), cast("split", face="Ice"), cards=[split])
        assert fact(found, 1, "cardManaValue") == 4
        assert fact(found, 1, "cardNamesKey") == listed("Fire", "Ice")
        assert fact(found, 1, "cardColorsKey") == listed("blue", "red")
        assert fact(found, 1, "cardTypesKey") == listed("Instant", "Sorcery")
        assert fact(found, 1, "halvesManaValueKey") == listed(2)
        assert fact(found, 2, "spellNamesKey") == listed("Ice")
        assert fact(found, 2, "spellManaValue") == 2
        assert fact(found, 2, "spellColorsKey") == listed("blue")

    def test_fused_spells_have_both(self) -> None:
        """CR 709.4d."""
        found = graph(cast("split", face=["Fire", "Ice"]), cards=[SPLIT])
        assert fact(found, 1, "spellManaValue") == 4
        assert fact(found, 1, "spellNamesKey") == listed("Fire", "Ice")

    def test_an_unknown_half_is_unknown(self) -> None:
        found = graph(cast("split"), cards=[SPLIT])
        assert fact(found, 1, "spellManaValue") is None
        assert fact(found, 1, "cardManaValue") == 4

    def test_colours_come_from_the_cost_the_indicator_or_the_record(self) -> None:
        def colours(**of: Any) -> Value | None:
            listed_ = card("bolt", keywords=[], **of)
            return fact(graph(event("Observe", card="#bolt"), cards=[listed_]), 1, "cardColorsKey")

        assert colours(manaCost="{2}{R}{W/U}") == listed("blue", "red", "white")
        assert colours(manaCost=None, colorIndicator=["U"]) == listed("blue")  # 202.2e
        assert colours(manaCost="{3}", colors=["B"]) == listed("black")
        assert colours(manaCost="{3}") == listed()
        assert colours() is None

    def test_colours_of_a_card_without_mana_cost(self) -> None:
        found = graph(event("Observe", card="#bolt"), cards=[card("bolt", manaCost=None)])
        assert fact(found, 1, "cardColorsKey") is None

    def test_no_mana_cost_has_mana_value_nought(self) -> None:
        found = graph(event("Observe", card="#bolt"), cards=[card("bolt", manaCost=None)])
        assert fact(found, 1, "cardManaValue") == 0  # 202.3a


class TestKeywords:
    def test_in_force_and_closed_if_stated(self) -> None:
        found = graph(cast(), cards=[{**INSTANT, "keywords": [{"keyword": "Rebound"}]}])
        assert fact(found, 1, "keywordsInForce") == ("kw:rebound",)
        assert fact(found, 1, "keywordsInForceCount") == 1

    def test_of_the_half_that_is_cast(self) -> None:
        found = graph(cast("split", face="Ice"), event("Observe", card="#split"), cast("split", "t"), cards=[SPLIT])
        assert fact(found, 1, "keywordsInForce") == ("kw:frost",)
        assert fact(found, 3, "keywordsInForceCount") is None

    def test_granted_only_while_the_grantor_is_on_the_battlefield(self) -> None:
        """CR 611.3a."""
        granted = {**INSTANT, "keywords": [{"keyword": "rebound", "grantedBy": "#bear"}]}

        def count(zone: Plain, *before: Plain) -> Value | None:
            found = graph(*before, cast(), cards=[granted, {**CREATURE, **zone}])
            return fact(found, len(before) + 1, "keywordsInForceCount")

        assert count({"zone": "battlefield"}) == 1
        assert count({"zone": "graveyard"}) == 0
        assert count({}) is None
        assert count({"zone": "battlefield"}, event("Move", card="#bear", to="graveyard")) == 0

    def test_gained_lost_and_forgotten(self) -> None:
        """CR 400.7: a card that changes zones is a new object."""
        found = graph(
            event("GainKeyword", card="#bear", keyword="haste"), event("Observe", card="#bear"),
            event("LoseKeyword", card="#bear", keyword="haste"), event("Observe", card="#bear"),
            event("GainKeyword", card="#bear", keyword="haste"), event("Move", card="#bear", to="graveyard"),
            event("Observe", card="#bear"), cards=[{**CREATURE, "keywords": []}],
        )  # fmt: skip
        assert [fact(found, n, "keywordsInForce") for n in (2, 4, 7)] == [("kw:haste",), (), ()]

    def test_labels_name_keywords(self) -> None:
        found = graph(
            cast(permission="rebound: recast"),
            event("Trigger", object="#t", source="#bolt", ability=" Rebound:  cast "),
            event("Move", card="#bolt", to="exile", replacement="Leyline"), cast(spell="u"), cast(permission=None),
            cards=[{**INSTANT, "keywords": ["rebound"]}],
        )  # fmt: skip
        assert fact(found, 1, "permissionKeyword") == "kw:rebound"
        assert fact(found, 2, "abilityLabel") == "rebound: cast"
        assert fact(found, 3, "replacementKeyword") is None
        assert fact(found, 5, "permissionKeyword") == "none"

    @pytest.mark.parametrize("layout", ["adventure", "modal", "transform"])
    def test_off_the_stack_only_the_first_face_counts(self, layout: str) -> None:
        found = graph(event("Observe", card="#split"), cards=[{**SPLIT, "layout": layout, "zone": "hand"}])
        assert fact(found, 1, "keywordsInForce") == ("kw:flame",)


class TestEffects:
    def test_forbidden_and_permitted(self) -> None:
        effects = [{"id": "#no", "forbids": "Cast"}, {"id": "#yes", "permits": "Cast", "from": "exile"}]
        found = graph(cast(**{"from": "hand"}), effects=effects)
        assert fact(found, 1, "forbiddenBy") == ("#no",)
        assert (fact(found, 1, "permittedBy"), fact(found, 1, "permittedByCount")) == ((), 0)

    def test_unknown_without_a_list(self) -> None:
        assert fact(graph(cast()), 1, "permittedByCount") is None

    def test_since_and_until(self) -> None:
        effects = [{"id": "#no", "forbids": "Cast", "since": "#2", "until": "#3"}]
        found = graph(cast(spell="a"), cast(spell="b"), cast(spell="c"), cast(spell="d"), effects=effects)
        assert [fact(found, n, "forbiddenByCount") for n in (1, 2, 3, 4)] == [0, 0, 1, 0]

    def test_whom_it_affects(self) -> None:
        effects = [{"id": "#no", "forbids": "Cast", "player": "#ben"}]
        found = graph(cast(), {**cast(spell="t"), "player": "#ben"}, effects=effects)
        assert [fact(found, n, "forbiddenByCount") for n in (1, 2)] == [0, 1]

    def test_the_source_has_left(self) -> None:
        """CR 611.3a."""
        effects = [{"id": "#no", "forbids": "Cast", "source": "#bear"}]
        found = graph(cast(), event("Move", card="#bear", to="graveyard"), cast(spell="t"), effects=effects,
                      cards=[INSTANT, {**CREATURE, "zone": "battlefield"}])
        assert [fact(found, n, "forbiddenByCount") for n in (1, 3)] == [1, 0]

    def test_conditions(self) -> None:
        def forbids(condition: Plain, of: Plain = INSTANT, **more: Any) -> Value | None:
            effects = [{"id": "#no", "forbids": "Cast", "condition": condition}]
            return fact(graph(cast(**more), cards=[{**of, "id": "#bolt"}], effects=effects), 1, "forbiddenByCount")

        plain = {**INSTANT, "keywords": []}
        assert forbids({"colors": ["R"]}, plain) == 1
        assert forbids({"colors": ["G"]}, plain) == 0
        assert forbids({"manaValueAtMost": 1}) == 0
        assert forbids({"manaValue": [2]}) == 1
        assert forbids({"types": ["Instant"], "names": ["Nothing"]}) == 0
        assert forbids({"colors": ["G"]}, card("bolt")) is None
        assert forbids({"of": "card", "manaValue": [4]}, SPLIT, face="Ice") == 1
        assert forbids({"of": "spell", "manaValue": [4]}, SPLIT, face="Ice") == 0

    def test_one_spell_a_turn(self) -> None:
        effects = [{"id": "#no", "forbids": "Cast", "condition": {"perTurn": 1}}]
        found = graph(cast(turn=1), cast(spell="t"), cast(spell="u", turn=2), effects=effects, records=["Cast"])
        assert [fact(found, n, "forbiddenByCount") for n in (1, 2, 3)] == [0, 1, 0]

    def test_one_spell_a_turn_in_unknown_turns(self) -> None:
        effects = [{"id": "#no", "forbids": "Cast", "condition": {"perTurn": 1}}]
        found = graph(cast(), cast(spell="t"), effects=effects, records=["Cast"])
        assert fact(found, 2, "forbiddenBy") == ()

    def test_replacements(self) -> None:
        effects = [{"id": "#rip", "replaces": "Move", "to": "graveyard", "instead": "exile"}]
        moved = event("Move", card="#bolt", **{"from": "stack"}, to="graveyard", cause="#2")
        found = graph(cast(), event("Resolve", object="#s"), moved, effects=effects)
        assert fact(found, 3, "insteadZones") == ("exile",)


class TestPriorityAndCounters:
    def test_who_acted_receives_priority_else_the_active_player(self) -> None:
        """CR 117.3b, 117.3c."""
        found = graph(
            {**cast(), "player": "#ben", "turn": 1, "activePlayer": "#ana"}, event("Observe", card="#bolt"),
            event("Resolve", object="#s"), event("Observe", card="#bolt"),
        )  # fmt: skip
        assert (fact(found, 2, "priorityPlayer"), fact(found, 4, "priorityPlayer")) == ("#ben", "#ana")

    def test_counters(self) -> None:
        found = graph(
            event("RemoveCounters", card="#bear", counter="time", n=1),
            event("RemoveCounters", card="#bear", counter="time"),
            event("AddCounters", card="#bear", counter="time", n=4), event("Move", card="#bear", to="exile"),
            event("AddCounters", card="#bear", counter="time", n=1),
            cards=[{**CREATURE, "counters": [{"counter": "time", "n": 2}]}], records=["AddCounters", "RemoveCounters"],
        )  # fmt: skip
        assert [fact(found, n, "countersBefore") for n in (1, 2, 3, 5)] == [2, 1, 0, 0]
        assert [fact(found, n, "left") for n in (1, 2, 3, 5)] == [1, 0, 4, 1]

    def test_unknown_counters_stay_unknown(self) -> None:
        found = graph(event("AddCounters", card="#bear", counter="time", n=1), cards=[CREATURE])
        assert fact(found, 1, "countersBefore") is None
        assert fact(found, 1, "left") is None

    def test_suspending_puts_counters(self) -> None:
        found = graph(
            event("Suspend", player="#ana", card="#bear", counters=3, **{"from": "hand"}),
            event("RemoveCounters", card="#bear", counter="time", n=1), cards=[CREATURE],
        )  # fmt: skip
        assert fact(found, 2, "countersBefore") == 3
        assert fact(found, 2, "zoneBefore") == "exile"


class TestWhatIsKnownWithoutBeingSaid:
    """What a record leaves out and the rules settle."""

    def test_a_card_moves_from_where_it_is(self) -> None:
        move = event("Move", card="#bolt", to="exile")
        assert fact(graph(cast(), move), 2, "from") == "stack"
        assert fact(graph(move), 1, "from") is None

    def test_a_spell_on_the_stack_from_the_start_has_colours(self) -> None:
        bolt = {**INSTANT, "zone": "stack", "keywords": []}
        found = graph(event("Observe", card="#bolt", colors=["U"]), cards=[bolt])
        assert fact(found, 1, "spellColorsKey") == listed("red")

    @pytest.mark.parametrize(
        ("types", "to"), [(["Instant", "Sorcery"], "graveyard"), (["Creature", "Sorcery"], None)]
    )
    def test_where_a_spell_of_unknown_face_goes_if_its_faces_agree(self, types: list[str], to: str | None) -> None:
        faces = [{"name": kind, "types": [kind]} for kind in types]
        events = (cast(), event("Resolve", object="#s"), event("Move", card="#bolt", **{"from": "stack"}, to="exile"))
        found = graph(*events, cards=[card("bolt", layout="split", faces=faces)])
        assert fact(found, 3, "defaultDestination") == to

    def test_a_copied_ability_comes_from_the_same_spell(self) -> None:
        found = graph(
            cast("bear"),
            event("Resolve", object="#s"),
            event("Move", card="#bear", **{"from": "stack"}, to="battlefield", cause="#2"),
            event("Trigger", player="#ana", object="#t", source="#bear", ability="x"),
            event("Copy", player="#ana", object="#c", of="#t", to="stack"),
            cards=[CREATURE],
        )
        assert fact(found, "c", "originSpell") == "#s"

    def test_a_label_means_the_effect_that_replaces(self) -> None:
        effects = [
            {"id": "#allows", "source": "#bear", "permits": "Cast"},
            {"id": "#sends", "source": "#bear", "replaces": "Move", "to": "graveyard", "instead": "exile"},
        ]
        move = event("Move", card="#bolt", to="exile", replacement="Bear")
        assert fact(graph(move, cards=[INSTANT, CREATURE], effects=effects), 1, "replacementEffect") == "#sends"
