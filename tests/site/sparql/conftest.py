"""The endpoint on what the package carries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from around import application
from starlette.testclient import TestClient

from rulewright.store import Dataset


@pytest.fixture(scope="session")
def packaged() -> Dataset:
    dataset = Dataset.open()
    dataset.load_packaged()
    return dataset


@pytest.fixture(scope="session")
def client(packaged: Dataset) -> Iterator[TestClient]:
    """On what the package carries."""
    with TestClient(application(packaged)) as made:
        yield made
