"""An address of each kind of page."""

from __future__ import annotations

PAGES = {
    "home": "",
    "keyword": "keyword/rebound",
    "ruling": "ruling/RB-8",
    "rule": "rule/rebound-a",
    "card": "card/7ebde396-6672-491a-a6ce-1de49b12379b",
    "principle": "principle/zones-agree",
    "term": "term/aftermath",
    "edition": "edition/2010-04-23",
    "publication": "publication/001-07",
    "scenario": "scenario/rebound/cast-from-hand-goes-to-graveyard",
    "vocabulary": "core",
    "register": "rule/",
    "register of scenarios": "scenario/",
    "search": "search?q=Abprall",
    "search without result": "search?q=qqqq+zzzz",
    "check": "check",
    "editor": "sparql?name=rulings-of-a-keyword",
    "error": "nope",
}


def status(kind: str) -> int:
    return 404 if kind == "error" else 200
