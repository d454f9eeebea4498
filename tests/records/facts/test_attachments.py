"""What was attached to what (CR 301.5, 303.4, 704.5m, 704.5n)."""

from __future__ import annotations

import pytest

from rulewright.records import Graph

from ..small import CREATURE, Plain, card, event, fact, graph

AURA = card("aura", types=["Enchantment"], subtypes=["Aura"], zone="battlefield")
BEAR = {**CREATURE, "zone": "battlefield"}
ELF = card("elf", types=["Creature"], zone="battlefield")
ATTACH = event("Attach", card="#aura", to="#bear")
LEAVES = event("Move", card="#bear", to="graveyard")


def of(*events: Plain) -> Graph:
    return graph(*events, cards=[AURA, BEAR, ELF])


def ended(found: Graph) -> list[tuple[object, ...]]:
    names = [n.rpartition("#")[2] for n in found.of_kind("Attachment")]
    return [tuple(fact(found, n, name) for name in ("card", "host", "attachedSince", "focusEvent")) for n in names]


def test_an_attachment_ends_as_its_host_leaves() -> None:
    found = of(ATTACH, LEAVES)
    assert ended(found) == [("#aura", "#bear", "#1", "#2")]
    (node,) = found.of_kind("Attachment")
    assert found.facts[node]["subtypes"] == ("Aura",)


@pytest.mark.parametrize(
    "before",
    [
        [ATTACH, event("Detach", card="#aura", **{"from": "#bear"})],
        [ATTACH, event("Attach", card="#aura", to="#elf")],
        [ATTACH, event("Move", card="#aura", to="graveyard")],
        [],
    ],
    ids=["detached", "attached to another", "gone itself", "never attached"],
)
def test_what_is_attached_no_more_has_not_lost_its_host(before: list[Plain]) -> None:
    assert ended(of(*before, LEAVES)) == []


def test_a_card_moves_because_its_host_left() -> None:
    gone = event("Move", card="#aura", to="graveyard")
    found = of(ATTACH, LEAVES, {**gone, "cause": "#2"})
    assert fact(found, 3, "hostLeft") is True
    assert fact(of(ATTACH, LEAVES, gone), 3, "hostLeft") is False
    assert fact(of(ATTACH, gone), 2, "hostLeft") is None
