"""What the cost of a keyword is to a spell, as the keyword's data say it (CR 118.8, 118.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.vocabulary.names import AX, Iri, Scalar

ADDITIONAL, REPEATABLE, ACTION, WAY_OF_PAYING, OF_ANOTHER_CARD, ALTERNATIVE = (
    Iri(AX + name)
    for name in (
        "additionalCost", "repeatableCost", "additionalAction", "wayOfPaying", "costOfAnotherCard", "alternativeCost"
    )
)  # fmt: skip
COST_ROLES = (ADDITIONAL, REPEATABLE, ACTION, WAY_OF_PAYING, OF_ANOTHER_CARD, ALTERNATIVE)


COST_TRAITS = ("costRole", "paidBy", "castFor", "variantOf", "reducesCost")
"""What the data of a keyword say of its cost."""


@dataclass(frozen=True)
class KeywordCost:
    """None: nothing is said."""

    role: Iri | None = None
    paid_by: Iri | None = None
    """What is done with the cards that pay it."""
    cast_for: str | None = None
    """The mana for which the spell is cast, where that is not the keyword's cost."""
    variant_of: Iri | None = None
    """The keyword as whose cost it counts, too."""
    reduces: bool = False
    """Whether a spell that has the keyword may cost less."""

    @classmethod
    def of(cls, traits: Mapping[str, Scalar]) -> KeywordCost:
        role, paid_by, variant_of = (traits.get(name) for name in ("costRole", "paidBy", "variantOf"))
        return cls(
            role if isinstance(role, Iri) else None, paid_by if isinstance(paid_by, Iri) else None,
            str(traits["castFor"]) if "castFor" in traits else None,
            variant_of if isinstance(variant_of, Iri) else None, traits.get("reducesCost") is True,
        )  # fmt: skip
