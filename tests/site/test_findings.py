"""Findings of the validation, on the pages of rulings."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.findings import Finding, by_ruling, validated
from rulewright.store import Dataset
from rulewright.vocabulary import RULING
from waiting import eventually

TOLD = {"severity": "warning", "id": "RB-8", "node": "urn:x", "message": {"en": "E", "de": "D"}, "mend": None,
        "words": [{"text": "W", "start": 1, "end": 2}], "file": "f.txt", "statement": 3}  # fmt: skip


def test_findings_by_ruling() -> None:
    of_text = Finding("warning", {"en": "E", "de": "D"}, {}, "W", ("f.txt", 3))
    assert by_ruling([TOLD]) == {RULING + "RB-8": [of_text]}
    node = {**TOLD, "id": None, "node": RULING + "CO-1", "words": [], "statement": None}
    assert by_ruling([node, TOLD, {**TOLD, "id": None, "node": "urn:y"}]).keys() == {RULING + "CO-1", RULING + "RB-8"}


def shown(site: Site, language: str = "en") -> str:
    page = TestClient(application(site)).get(f"/ruling/RB-8.html?lang={language}").text
    return " ".join(re.sub("<[^>]*>", " ", page).split())


def test_what_is_known_is_shown() -> None:
    dataset = Dataset.open()
    dataset.load_packaged()
    site = Site(dataset, "http://testserver/")
    assert "alidation" not in shown(site), "it is not known yet"
    site.learn({})
    assert "The validation finds nothing to mend" in shown(site)
    assert "nichts zu beheben" in shown(site, "de")
    evil = {"en": "<script>E</script>", "de": "<script>D</script>"}
    site.learn(by_ruling([{**TOLD, "message": evil, "mend": {"en": "Mend it.", "de": "Behebe es."}}]))
    page = TestClient(application(site)).get("/ruling/RB-8.html").text
    assert "<script>E" not in page
    assert "warning: &lt;script&gt;E&lt;/script&gt; “W” → Mend it." in page
    told = shown(site, "de")
    assert "Befunde der Validierung" in told
    assert "„W“ → Behebe es. f.txt, Aussage 3" in told


def test_the_package_has_nothing_to_mend() -> None:
    assert asyncio.run(validated(Dataset.open())) == {}


def test_a_store_is_validated_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []

    class Process:
        returncode = 1

        async def communicate(self) -> tuple[bytes, None]:
            return b'{"findings": []}' if len(ran) == 1 else b"", None

    async def run(*command: str, **_: object) -> Process:
        ran.append(command)
        return Process()

    monkeypatch.setattr(asyncio, "create_subprocess_exec", run)
    Dataset.open(tmp_path / "store").close()
    with Dataset.open(tmp_path / "store", read_only=True) as store:
        assert asyncio.run(validated(store)) == {}
        assert asyncio.run(validated(store)) is None, "it failed"
    assert str(tmp_path / "store") in ran[0]


def test_the_site_learns_of_it_after_it_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    come = asyncio.Event()

    async def slowly(_: Dataset) -> dict[str, list[Finding]]:
        await come.wait()
        return by_ruling([TOLD])

    monkeypatch.setattr("rulewright.site.app.validated", slowly)
    dataset = Dataset.open()
    dataset.load_packaged()
    site = Site(dataset, "http://testserver/")
    with TestClient(application(site)) as visitor:
        assert eventually(lambda: visitor.get("/ready").status_code == 200), "that is not waited for"
        before = visitor.get("/ruling/RB-8.html")
        assert 'id="findings"' not in before.text
        assert visitor.portal is not None
        visitor.portal.call(come.set)
        assert eventually(lambda: site.findings is not None)
        after = visitor.get("/ruling/RB-8.html", headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert 'id="findings"' in after.text
