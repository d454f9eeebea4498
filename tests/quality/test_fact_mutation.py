"""A derived fact that is wrong is noticed by a scenario, and what is not noticed is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.quality import fact_mutation
from rulewright.quality.fact_mutation import FactMutant, FactWorld, mutants


@pytest.fixture(scope="module")
def world() -> FactWorld:
    return FactWorld()


def test_every_kind_of_fact_is_falsified(world: FactWorld) -> None:
    ways = {mutant.name for mutant in mutants(world.plan)}
    assert {"leftBefore: becomes false", "leftBefore: unknown becomes true", "stepsLeftOut: becomes empty",
            "zoneBefore: becomes none", "zoneBefore: becomes unknown"} <= ways  # fmt: skip
    assert not {name for name in ways if name.startswith(("card:", "focusEvent:", "inRecord:"))}


@pytest.mark.parametrize("way", ["becomes false", "becomes true", "becomes unknown"])
def test_a_wrong_fact_is_noticed(world: FactWorld, way: str) -> None:
    assert world.killer_of(FactMutant("leftBefore", way))


def test_what_changes_nothing_is_no_mutant(world: FactWorld) -> None:
    assert world.killer_of(FactMutant("nothingSuch", "becomes unknown")) == ""


def test_survivors_need_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "survivors.toml"
    file.write_text('[[survivors]]\nreason = " "\nmutants = ["x: becomes true"]\n', encoding="utf-8")
    assert fact_mutation.main(["--survivors", str(file), "--fact", "none"]) == 2
    assert "without a reason" in capsys.readouterr().err
