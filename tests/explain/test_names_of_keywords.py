"""Keywords and rules are called by their names, in the language of the report, wherever a verdict speaks of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.explain import Run, Summary
from rulewright.explain.formats import text
from rulewright.explain.things import describe
from rulewright.explain.things import text as text_of
from rulewright.records import read
from rulewright.vocabulary import RULE, Iri, packaged

EMBERWAKE = Path(__file__).parents[1] / "axioms" / "data" / "emberwake.ttl"
SCENARIOS = packaged("data", "scenarios")


def told(file: Path, language: str, *axioms: Path) -> list[str]:
    run = Run(axioms)
    outcomes = list(run.outcomes(read([file], run.knowledge.parameters())))
    assert not outcomes[0].errors
    return list(text(outcomes, Summary(), language, style=False, knowledge=run.knowledge))


@pytest.fixture
def countered(tmp_path: Path) -> Path:
    """A spell that was cast by emberwake is countered and goes to the graveyard."""
    game: dict[str, Any] = {
        "id": "urn:example:game",
        "type": "Game",
        "players": [{"id": "#ana", "turnOrder": 1}],
        "cards": [{"id": "#c", "name": "Example", "owner": "#ana", "manaCost": "{3}{R}", "types": ["Instant"],
                   "keywords": [{"keyword": "emberwake", "cost": "{1}{R}"}]}],
        "effects": [],
        "events": [
            {"id": "#e1", "type": "Cast", "player": "#ana", "card": "#c", "object": "#s", "from": "graveyard",
             "cost": {"alternative": "emberwake", "mana": "{1}{R}"}},
            {"id": "#e2", "type": "Countered", "object": "#s"},
            {"id": "#e3", "type": "Move", "card": "#c", "from": "stack", "to": "graveyard", "cause": "#e2"},
        ],
    }  # fmt: skip
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("language", "rule", "fact"),
    [
        ("en", "Emberwake, a · RB-4", "keyword of the alternative cost = emberwake (#e1)"),
        ("de", "Glutwacht, a · RB-4", "Schlüsselwort der alternativen Kosten = Glutwacht (#e1)"),
    ],
)
def test_of_ones_own(countered: Path, language: str, rule: str, fact: str) -> None:
    lines = told(countered, language, EMBERWAKE)
    assert f"      {rule}" in lines
    assert fact in "\n".join(lines)
    assert "CR emberwake" not in "\n".join(lines)


def test_a_rule_with_a_number_keeps_it(countered: Path, tmp_path: Path) -> None:
    axioms = tmp_path / "emberwake.ttl"
    named = EMBERWAKE.read_text(encoding="utf-8").replace("rule:emberwake-a", "rule:rebound-a")
    axioms.write_text(named, encoding="utf-8")
    assert "      CR 702.88a · RB-4" in told(countered, "en", axioms)


def test_a_rule_without_number_or_name_is_no_number(countered: Path, tmp_path: Path) -> None:
    axioms = tmp_path / "emberwake.ttl"
    nameless = EMBERWAKE.read_text(encoding="utf-8").replace("rule:emberwake-a a rw:Rule ;", "rule:another a rw:Rule ;")
    axioms.write_text(nameless, encoding="utf-8")
    assert "      emberwake-a · RB-4" in told(countered, "de", axioms)


def test_explain_calls_it_by_its_name() -> None:
    known = Run((EMBERWAKE,)).knowledge
    entry = describe(Iri("https://w3id.org/rulewright/keyword/emberwake"), known)
    assert [r["id"] for r in entry["rules"]] == [RULE + "emberwake-a"]
    assert "  defined by: Emberwake, a" in list(text_of(entry, "en", known))
    assert "  definiert in: Glutwacht, a" in list(text_of(entry, "de", known))


@pytest.mark.parametrize(
    ("scenario", "english", "german"),
    [
        ("rebound/cast-from-hand-goes-to-graveyard", "keyword in force = rebound", "geltendes Schlüsselwort = Abprall"),
        ("rebound/trigger-in-opponents-upkeep", "ability = rebound", "Fähigkeit = Abprall"),
        ("aftermath/aftermath-half-from-hand", "replacement = aftermath", "Schlüsselwort = Nachhall"),
    ],
)
def test_facts(scenario: str, english: str, german: str) -> None:
    file = SCENARIOS / f"{scenario}.json"
    assert english in "\n".join(told(file, "en"))
    assert german in "\n".join(told(file, "de"))
