"""Keywords: which ones an event names, and which are in force for its card or spell (CR 113.6, 702)."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.records.facts.faces import face_down
from rulewright.records.facts.state import Lasting, Moment, State
from rulewright.records.facts.values import ADVENTURE, BATTLEFIELD, MODAL, NORMAL, TRANSFORM, iri, iris
from rulewright.records.graph import Facts, Unchecked
from rulewright.records.model import Node, Value
from rulewright.records.words import normal
from rulewright.vocabulary import NONE, Iri

_LABELS = ("permission", "replacement")
"""What explains an event by a label."""
_LINKS = ("during", "cause")
_VERBS = {"permission": "permits", "replacement": "replaces"}
_ONE_FACE_SHOWN = frozenset({ADVENTURE, MODAL, TRANSFORM})
"""Off the stack, such a card has only the characteristics of its first face (CR 715.4, 712.8a)."""


@dataclass
class InForce:
    """Instances of keywords that a card or spell has; `maybe`: that it has if what is not recorded is so."""

    surely: list[Iri] = field(default_factory=list)
    maybe: list[Iri] = field(default_factory=list)
    all_stated: bool = False
    """Whether the record tells of all that it has."""


def of_instances(state: State, facts: Facts, keyword: Value | None) -> list[Iri]:
    """The instances of a keyword among those in force at an event."""
    return [i for i in iris(facts, "instancesInForce") if state.instances[i] == keyword]


# --- named (CR 702.1)


def named(state: State, at: Moment) -> set[Iri]:
    """Keywords that an event names: by labels, by its type, by its cause or ability, by its spell, by the layout."""
    found = _by_labels(state, at)
    facts = at.facts
    ability(state, at)
    because = state.node(facts.get("cause"))
    for kind in (at.kind, state.schema.event_types.get(because.kind) if because is not None else None):
        if kind is not None and kind.names_keyword:
            found.add(state.names.iri(kind.names_keyword))
    because_of = [facts.get("abilityKeyword"), state.value(at.event.facts.get("object"), "abilityKeyword")]
    links = [state.value(facts[link], "object") for link in _LINKS if link in facts]
    because_of += [state.value(thing, "abilityKeyword") for thing in links]
    if at.type != "Cast" and "spell" in facts:
        because_of.append(state.value(state.value(facts["spell"], "castEvent"), "alternativeKeyword"))
    found.update([keyword for keyword in because_of if isinstance(keyword, Iri)])
    layout = state.value(facts.get("subjectCard"), "layout")
    if isinstance(layout, str) and layout in state.schema.word_of:
        found.add(state.names.in_label(state.schema.word_of[layout], state.card_keywords))
    return found - {NONE}


def _by_labels(state: State, at: Moment) -> set[Iri]:
    """The permission (CR 601.3) and replacement (614.1) named: which keyword or effect that is.

    One whose name stands for neither, and for no card of the record, may be either.
    """
    facts = at.facts
    found: set[Iri] = set()
    for name in _LABELS:
        label = at.event.facts.get(name)
        if label is None:
            continue
        if label == NONE:
            facts[f"{name}Keyword"] = facts[f"{name}Effect"] = NONE
            continue
        keyword = state.names.in_label(str(label), state.card_keywords)
        effects = effects_named(state, str(label), _VERBS[name])
        if keyword != NONE or effects or _is_card(state, str(label)):
            facts[f"{name}Keyword"], facts[f"{name}Effect"] = keyword, effects[0].iri if effects else NONE
        else:
            state.graph.unchecked.append(Unchecked("label", str(label), at.event.iri))
        found.add(keyword)
        if effects:
            state.named_effects[at.event.iri] = effects
    return found


def effects_named(state: State, label: str, verb: str) -> list[Node]:
    """The effects of the record that a label names: by their id, or by their source's id or name.

    Where one source has several effects, those come first that do what the label is claimed to do.
    """
    found = []
    for effect in state.effects:
        names = _ids(effect.iri)
        source = effect.facts.get("source")
        if isinstance(source, Iri):
            node = state.node(source)
            names |= {*_ids(source), str(node.facts.get("name", "")) if node is not None else ""}
        if label in names:
            found.append(effect)
    return sorted(found, key=lambda effect: verb not in effect.facts)


def _is_card(state: State, label: str) -> bool:
    return any(label == card.facts.get("name") or label in _ids(card.iri) for card in state.record.children("cards"))


def _ids(thing: Iri) -> set[str]:
    return {str(thing), "#" + thing.rpartition("#")[2]}


def ability(state: State, at: Moment) -> None:
    """The ability named (CR 113.1), in one spelling: of which keyword, and which of that keyword's abilities it is."""
    label = at.event.facts.get("ability")
    if label is None:
        return
    facts, text = at.facts, str(label)
    facts["abilityLabel"] = normal(text)
    keyword = state.names.keyword(text.partition(":")[0], state.card_keywords)
    meant = state.names.ability(text, keyword, _triggering(state, at))
    if meant is not None:
        facts["abilityMeant"], facts["abilityLabel"] = meant, state.names.spelling(meant)
    elif (keyword is None or state.names.has_abilities(keyword)) and not own_abilities(state, at):
        state.graph.unchecked.append(Unchecked("label", text, at.event.iri))
    if keyword is not None:
        facts["abilityKeyword"] = keyword


def own_abilities(state: State, at: Moment) -> list[Node]:
    """The abilities that the source lists under the name that an event gives."""
    listed = state.parts(state.node(at.event.facts.get("source")), "abilities")
    name = normal(str(at.event.facts["ability"]))
    return [one for one in listed if normal(str(one.facts.get("ability", ""))) == name]


def _triggering(state: State, at: Moment) -> frozenset[str]:
    """The event types on which an ability may have triggered, by what the record says of that."""
    cause = state.node(at.facts.get("cause"))
    if cause is not None:
        return frozenset({cause.kind})
    on = at.facts.get("onMeant")
    return state.names.events(on) if isinstance(on, Iri) else frozenset()


def trigger(state: State, at: Moment) -> None:
    """When the same triggered ability triggered before (CR 603.2)."""
    if at.type != "Trigger" or "abilityLabel" not in at.facts:
        return
    same = (at.event.facts.get("source"), at.facts["abilityLabel"])
    if same in state.last_trigger or not any(gap < state.order[at.event.iri] for gap in state.gaps):
        at.facts["previousSame"] = state.last_trigger.get(same, NONE)
    state.last_trigger[same] = at.event.iri


# --- in force (CR 113.6)


def facts_at(state: State, at: Moment, names: set[Iri]) -> None:
    """The keywords in force (CR 113.6), counted where there can be no others, and with them those named (702.1)."""
    facts = at.facts
    original = state.original(at.subject)
    card = at.card if at.card is not None or original is None else original.card
    has = in_force(state, at.event, at.subject, card, at.faces if original is None else original.faces)
    alternative = facts.get("alternativeKeyword")
    if isinstance(alternative, Iri) and alternative != NONE:
        names.add(alternative)
    names.update(iris(facts, "paidKeywords"))
    cast = state.node(state.value(facts["spell"], "castEvent")) if "spell" in facts else None
    if cast is not None:
        names.update(iris(state.facts(cast.iri), "paidKeywords"))
    surely = {state.instances[i] for i in has.surely}
    maybe = {state.instances[i] for i in has.maybe} - surely
    facts["keywordsInForce"], facts["instancesInForce"] = tuple(sorted(surely)), tuple(has.surely)
    if not maybe and has.all_stated:
        facts["keywordsInForceCount"] = len(surely)
        facts["keywordsListed"] = True
        if not has.maybe:
            facts["instancesInForceCount"] = len(has.surely)
    together = tuple(sorted(names | surely | maybe))
    facts["keywordsNamed"] = together
    if has.all_stated:
        facts["keywordsNamedCount"] = len(together)
    if state.names.define(together):
        facts["keywordsDefined"] = True


def all_defined(state: State, event: Node, card: Iri) -> bool:
    """Whether all that a card has is recorded and known."""
    has = in_force(state, event, None, card, None)
    return has.all_stated and state.names.define({state.instances[i] for i in (*has.surely, *has.maybe)})


def in_force(
    state: State, event: Node, subject: Iri | None, card: Iri | None, faces: tuple[str, ...] | None
) -> InForce:
    """What a card or the spell that it is has (CR 113.6): stated, granted by permanents, gained and lost."""
    node = state.node(card)
    if node is None or node.kind != "Card":
        return InForce(all_stated=card is None and not _about_a_card(state, event, subject))
    has = _stated(state, node, faces, spell=subject in state.objects or event.kind == "Cast")
    if (down := face_down(state, event, subject, node.iri)) is not False:
        has = _hidden(state, has, surely=down is True)
    for thing in (card, subject):
        for change in state.changes.get(thing, ()) if thing is not None else ():
            _apply(state, has, change)
    if card in state.unsure or subject in state.unsure:
        return InForce(maybe=[*has.maybe, *has.surely])
    return has


def _apply(state: State, has: InForce, change: Lasting) -> None:
    """A keyword that is gained or lost; where that may be over, or is not said which, it may have it or not."""
    instance = iri(change.event.facts.get("keywordGained"))
    if change.event.kind == "GainKeyword":
        if instance is None:
            has.all_stated = False
        else:
            (has.surely if change.over is False else has.maybe).append(instance)
    elif change.event.kind == "LoseKeyword":
        lost = {i: _is_lost(state, i, instance) for i in (*has.surely, *has.maybe)}
        may_stay = [i for i in has.surely if lost[i] is None or (lost[i] and change.over is None)]
        has.surely = [i for i in has.surely if lost[i] is False]
        has.maybe = [*(i for i in has.maybe if not lost[i]), *may_stay]


def _is_lost(state: State, instance: Iri, named: Iri | None) -> bool | None:
    """Whether an instance is of the keyword that is lost, and of its quality where the loss names one."""
    if named is None:
        return None
    if state.instances[instance] != state.instances[named]:
        return False
    lost, own = state.value(named, "qualityKey"), state.value(instance, "qualityKey")
    return True if lost is None else None if own is None else own == lost


def _hidden(state: State, has: InForce, surely: bool) -> InForce:
    """Face down, it has no abilities but those by which it may be turned up (CR 708.2a, 702.37a)."""
    if not surely:
        return InForce([], [*has.surely, *has.maybe], has.all_stated)
    up = [i for i in has.surely if "castFaceDown" in state.names.traits(state.instances[i])]
    return InForce(up, [], all_stated=True)


def _about_a_card(state: State, event: Node, subject: Iri | None) -> bool:
    """Whether an event is about a card or spell, whichever that is."""
    found = state.objects.get(subject) if subject is not None else None
    own = state.schema.structures.get(event.kind, {})
    return ("card" in own and not {"object", "source"} & event.facts.keys()) or event.kind == "Cast" or (
        found is not None and found.kind == "Spell" and found.root is None
    )


def _stated(state: State, card: Node, faces: tuple[str, ...] | None, spell: bool) -> InForce:
    """The keywords that a card and its faces state: of a spell only those of the faces cast (CR 709.3, 715.3)."""
    has = InForce()
    _sort(state, has, card, unsure=False)
    listed = state.parts(card, "faces")
    if not spell and card.facts.get("layout") in _ONE_FACE_SHOWN:
        listed = listed[:1]
    counting = [face for face in listed if faces is None or face.facts.get("name") in faces]
    for face in counting:
        _sort(state, has, face, unsure=faces is None and spell and len(listed) > 1)
    if any("keywords" in face.facts for face in state.parts(card, "faces")):
        has.all_stated = bool(counting) and all("keywords" in face.facts for face in counting)
    else:
        whole = bool(listed) or (faces is None and card.facts.get("layout") in (None, NORMAL))
        has.all_stated = whole and "keywords" in card.facts
    return has


def _sort(state: State, has: InForce, part: Node, unsure: bool) -> None:
    """What a permanent grants is in force while that is on the battlefield (CR 611.3b)."""
    for instance in iris(part.facts, "keywords"):
        grantor = state.record.nodes[instance].facts.get("grantedBy")
        zone = state.zone.get(grantor) if isinstance(grantor, Iri) else BATTLEFIELD
        if zone is None or zone == BATTLEFIELD:
            (has.maybe if unsure or zone is None else has.surely).append(instance)
