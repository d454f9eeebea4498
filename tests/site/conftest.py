"""The site on what the package carries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.store import Dataset
from unhurried import unhurried


@pytest.fixture(scope="session", autouse=True)
def without_hurry() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        unhurried(patch)
        yield


@pytest.fixture(scope="session")
def site() -> Site:
    dataset = Dataset.open()
    dataset.load_packaged()
    return Site(dataset, "http://testserver/")


@pytest.fixture(scope="session")
def visitor(site: Site) -> TestClient:
    """Follows no redirect. The endpoint's workers are not started."""
    return TestClient(application(site), follow_redirects=False, raise_server_exceptions=False)
