"""`rulewright search`: lines and JSON, both languages, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from commands import Command
from rulewright.index.keeping import NAME

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def test_text(rulewright: Command) -> None:
    done = rulewright("search", "Rükblende", "--limit", "2")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "keyword  flashback (Rückblende)  keyword/flashback",
        "rule     702.34a Flashback, a (Rückblende, a)  rule/flashback-a",
    ]


def test_german(rulewright: Command) -> None:
    done = rulewright("search", "prallen", "nie", "ab", "--lang", "de", "--limit", "1")
    assert done.code == 0
    assert done.out.splitlines() == [
        "Regelerläuterung  RB-4 Abprall (rebound)  ruling/RB-4",
        "                  Kopien eines Zauberspruchs prallen nie ab, denn sie wurden nicht aus der Hand gewirkt.",
    ]


def test_json(rulewright: Command) -> None:
    """The rule that has the number today, and after it those that once had it."""
    done = rulewright("search", "CR 702.88a", "--format", "json")

    def hit(name: str, number: str, english: str, german: str) -> dict[str, object]:
        return {
            "id": f"https://w3id.org/rulewright/rule/{name}",
            "kind": "rule",
            "notation": number,
            "label": {"de": german, "en": english},
            "match": "exact",
            "matched": "702.88a",
        }

    assert json.loads(done.out) == {
        "query": "CR 702.88a",
        "hits": [
            hit("rebound-a", "702.88a", "Rebound, a", "Abprall, a"),
            hit("battle-cry-a", "702.91a", "Battle Cry, a", "Schlachtruf, a"),
            hit("infect-a", "702.90a", "Infect, a", "Infizieren, a"),
        ],
    }


def test_only_some_kinds(rulewright: Command) -> None:
    done = rulewright("search", "rebound", "--kind", "card", "--kind", "ruling", "--format", "json", "--limit", "50")
    assert {hit["kind"] for hit in json.loads(done.out)["hits"]} == {"ruling"}


def test_nothing_found(rulewright: Command) -> None:
    done = rulewright("search", "xqzvvk")
    assert (done.code, done.out, done.problems) == (1, "", ["nothing found: xqzvvk"])
    done = rulewright("search", "Schnlzbrrrr", "--lang", "de")
    assert (done.code, done.problems) == (1, ["nichts gefunden: Schnlzbrrrr; ist Schnellzauberer gemeint?"])
    done = rulewright("search", "xqzvvk", "--format", "json")
    assert (done.code, json.loads(done.out)) == (1, {"query": "xqzvvk", "hits": []})


def test_bad_input(rulewright: Command) -> None:
    assert rulewright("search").code == 2
    done = rulewright("search", "…")
    assert (done.code, len(done.problems)) == (2, 1)
    done = rulewright("search", "rebound", "--store", "none")
    assert (done.code, len(done.problems)) == (2, 1)
    assert "no such store" in done.err


def test_a_store(rulewright: Command, tmp_path: Path) -> None:
    rulewright("ingest", EXAMPLES, "--store", "store")
    file = tmp_path / "store" / f"{NAME}.sqlite"
    made = file.stat().st_mtime_ns
    done = rulewright("search", "Aschenpfad", "--store", "store", "--format", "json")
    assert done.code == 0
    rulewright("ingest", EXAMPLES, "--store", "store")
    assert file.stat().st_mtime_ns == made
    hits = json.loads(done.out)["hits"]
    assert {hit["kind"] for hit in hits} == {"ruling"}
    assert all(hit["excerpt"] for hit in hits)
