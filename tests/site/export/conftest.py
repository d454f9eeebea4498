"""Exports of what the package carries: all of it, and a part."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from linked import packaged

from once import once
from rulewright.site.export import Report, export


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of all that the package carries, as files."""

    def make(folder: Path) -> None:
        report = export(packaged, folder, jobs=len(os.sched_getaffinity(0)))
        assert report.missing == []
        assert report.files == sum(len(files) for _, _, files in os.walk(folder))

    return once(tmp_path_factory, "whole", make)


@pytest.fixture(scope="session")
def part(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """A part of it, with addresses of its own."""
    folder = tmp_path_factory.mktemp("export") / "part"
    report = export(packaged, folder, ["RB-8", "aftermath"], base="https://files.example/some/where/",
                    elsewhere="https://whole.example/")  # fmt: skip
    return folder, report
