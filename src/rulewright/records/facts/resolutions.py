"""What happens while a spell or ability resolves, what surely does not, and in what order (CR 608.2)."""

from __future__ import annotations

from rulewright.records.facts import gaps
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import SPLIT, STACK, iris, members, texts
from rulewright.records.model import Node
from rulewright.vocabulary import NONE, Iri, Scalar

_SURELY_OUTSIDE = frozenset({"Resolve", "NotResolved", "Step", "Trigger", "Activate", "Suspend"})
_CAST_BEFORE = (_SURELY_OUTSIDE - {"Activate"}) | {"Play", "Countered", "Copy", "CopyCard", "Draw", "Effect"}
"""Where these are told of, a casting that began before is over; costs and mana abilities belong to it (CR 601.2)."""


# --- inside and outside


def windows(state: State) -> None:
    """During which resolution an event happens (CR 608.2): where the record leaves no doubt, and outside of any."""
    last, ended_by_move = _last_inside(state)
    current: Node | None = None
    outside = state.has_beginning
    for position, event in enumerate(state.events):
        facts = state.facts(event.iri)
        if "during" not in facts:
            if current is not None and position <= last[current.iri]:
                facts["during"] = current.iri
            else:
                outside = outside or event.kind in _SURELY_OUTSIDE or event.facts.get("stackEmpty") is True or (
                    current is not None
                    and (current.iri in ended_by_move or not state.turns.same_step(event.iri, current.iri))
                )
                if outside and not _perhaps_casting(state, event):
                    facts["during"] = NONE
        if event.kind == "Resolve" or position + 1 in state.gaps:
            current, outside = event if event.kind == "Resolve" else None, False


def _perhaps_casting(state: State, event: Node) -> bool:
    """Whether a choice may be part of a casting, which a record tells of from where it begins (CR 601.2b)."""
    if event.kind != "Choose":
        return False
    earlier = next((e for e in state.before(event) if e.kind == "Cast" or e.kind in _CAST_BEFORE), None)
    return earlier is not None and earlier.kind == "Cast"


def _last_inside(state: State) -> tuple[dict[Iri, int], set[Iri]]:
    """The index of the last event that is linked to each resolution, and the resolutions whose card has moved by then.

    A spell that leaves the stack does so as the last part of its resolution (CR 608.2n, 608.3).
    """
    starts = {e.iri: index for index, e in enumerate(state.events) if e.kind == "Resolve"}
    cards = {e.facts["object"]: e.facts.get("card") for e in state.events if e.kind == "Cast" and "object" in e.facts}
    last = dict.fromkeys(starts, -1)
    ended_by_move: set[Iri] = set()
    for index, event in enumerate(state.events):
        inside = _linked(state, event, starts)
        if inside is None or starts[inside] >= index or inside in ended_by_move:
            continue
        if state.turns.same_step(event.iri, inside):
            last[inside] = index
        card = cards.get(state.record.nodes[inside].facts.get("object", NONE))
        if event.kind == "Move" and event.facts.get("card") == card and event.facts.get("from") == STACK:
            ended_by_move.add(inside)
    return last, ended_by_move


def _linked(state: State, event: Node, resolutions: dict[Iri, int]) -> Iri | None:
    """The resolution during which an event is said to happen, or that is its cause; triggers wait until it is over."""
    link = event.facts.get("during")
    if link is None and event.kind != "Trigger":
        link = event.facts.get("cause")
    while isinstance(link, Iri) and link not in resolutions:
        node = state.node(link)
        link = node.facts.get("during") if node is not None else None
    return link if isinstance(link, Iri) else None


def able(state: State, at: Moment) -> None:
    """Of who declines to cast a card, whether it could be cast: as observed in the same resolution (CR 608.2g)."""
    if "able" in at.facts:
        return
    offered = state.value(at.event.facts.get("object"), "source")
    for earlier in state.before(at.event):
        if earlier.kind == "Resolve" or state.order[earlier.iri] in state.gaps:
            return
        if earlier.kind == "Observe" and "canCast" in earlier.facts and earlier.facts.get("card") == offered:
            at.facts["able"] = earlier.facts["canCast"]
            return


# --- the order of effects


def position(state: State, event: Node) -> None:
    """Effects of a resolution follow each other in the order written (CR 608.2c)."""
    facts = state.facts(event.iri)
    inside = facts.get("during")
    if "during" not in event.facts and "cause" in event.facts and event.kind not in ("Trigger", "Cast"):
        inside = facts["cause"]
    kind = state.schema.event_types.get(event.kind)
    counts = kind is not None and kind.action and event.kind not in ("Choose", "Cast")
    resolving = state.node(inside)
    if resolving is not None and counts and not gaps.between(state, resolving, event):
        inside = resolving.iri
        state.positions[inside] += 1
        facts["positionInResolution"] = state.positions[inside]
        if inside in state.graph.facts:
            state.facts(inside).setdefault("firstEffect", event.iri)


def batch(state: State, event: Node) -> None:
    """The trigger put on the stack together with one, just before it (CR 603.3b)."""
    if event.kind != "Trigger":
        return
    previous = next((e for e in state.before(event) if e.kind != "Observe"), None)
    if previous is None or previous.kind != "Trigger" or event.facts.get("cause") == previous.iri:
        return
    if state.turns.same_step(event.iri, previous.iri):
        state.facts(event.iri)["previousInBatch"] = previous.iri


# --- what players choose to keep, and what they give up for it


def kept(state: State) -> None:
    """Choices of what is kept while something resolves, and what is given up after them (CR 608.2e, 608.2f)."""
    choices: dict[tuple[Iri, str], list[Node]] = {}
    given: dict[tuple[Iri, str], list[Node]] = {}
    current: dict[Iri, str] = {}
    for event in state.events:
        inside = state.facts(event.iri).get("during")
        if state.order[event.iri] in state.gaps:
            current.clear()
        if event.kind == "Choose" and "chosen" in event.facts:
            _halves_named(state, event)
        if not isinstance(inside, Iri) or inside == NONE:
            continue
        if event.kind == "Choose" and "chosen" in event.facts:
            current[inside] = str(state.value(event.iri, "choiceSpelled"))
            choices.setdefault((inside, current[inside]), []).append(event)
        elif inside in current and event.kind in _gives_up(state, current[inside]):
            group = (inside, current[inside])
            _given_up(state, event, choices[group], given.setdefault(group, []))
    unsure = {inside for inside, choice in choices if state.names.resolve("ChoiceKind", choice) is None}
    for group, chosen in choices.items():
        if group[0] in unsure or gaps.between(state, state.record.nodes[group[0]], state.events[-1]):
            continue
        told = given.get(group) or {"Sacrifice", "Discard"} <= state.complete
        if told and _gives_up(state, group[1]):
            _fewest(state, chosen, given.get(group, []))


def _gives_up(state: State, choice: str) -> frozenset[str]:
    """The types of the events by which what was not chosen is given up; none where the choice is unknown."""
    meant = state.names.resolve("ChoiceKind", choice)
    return frozenset() if meant is None else state.names.events(meant)


def _halves_named(state: State, choice: Node) -> None:
    """How many halves of one split card the names chosen are (CR 709.4a, 201.4)."""
    names = set(texts(choice.facts, "chosen"))
    for card in state.record.children("cards"):
        if card.facts.get("layout") == SPLIT:
            halves = {str(half.facts.get("name")) for half in state.parts(card, "faces")}
            if not halves.isdisjoint(names):
                state.facts(choice.iri)["halvesNamed"] = len(halves & names)


def _given_up(state: State, event: Node, choices: list[Node], before: list[Node]) -> None:
    """Cards given up that were chosen to be kept (CR 608.2e), and whether others were given up apart (608.2f)."""
    facts = state.facts(event.iri)
    keep = {c for choice in choices for c in members(choice.facts, "chosen")}
    overlap = tuple([c for c in iris(event.facts, "movedCards") if c in keep])
    facts["keptCards"], facts["keptCardsCount"] = overlap, len(overlap)
    if event.kind != "Reveal":
        facts["apart"] = any(e.kind == event.kind for e in before)
        before.append(event)


def _fewest(state: State, choices: list[Node], given: list[Node]) -> None:
    """The fewest that one of the players had to begin with, of what they kept and gave up (CR 608.2e).

    A player of whom no choice is recorded may have had fewer: then only what is too many is known to be wrong.
    """
    gone = {c for event in given for c in iris(event.facts, "movedCards")}
    counts = []
    for choice in choices:
        own: set[Scalar] = {c for c in gone if state.value(c, "owner") == choice.facts.get("player")}
        counts.append(len(own.union(members(choice.facts, "chosen"))))
    chose = {choice.facts.get("player") for choice in choices}
    everybody = all(player.iri in chose for player in state.record.children("players"))
    for choice in choices:
        if everybody or len(members(choice.facts, "chosen")) > min(counts):
            state.facts(choice.iri)["fewest"] = min(counts)
