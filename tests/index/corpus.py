"""Every card, its German names, and every ruling, as documents for an index: real data, not ours to keep."""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.index import Document, Name, Text
from rulewright.index.model import OTHER, OWN
from rulewright.terms import digest
from rulewright.vocabulary import BASE

DATA = Path(__file__).parents[3] / "shared" / "data"
CARDS, GERMAN, RULINGS = (DATA / f"{name}-2022-04-25.jsonl.xz" for name in ("oracle", "german", "rulings"))
MISSING = "real data is not there: ../shared/data"


def there() -> bool:
    return all(file.is_file() for file in (CARDS, GERMAN, RULINGS))


def documents(packaged: list[Document]) -> Iterator[Document]:
    """Those of the package but its cards, then those of the corpus."""
    cards = {card.iri: card for card in _cards()}
    yield from (d for d in packaged if d.kind != "card")
    yield from _rulings(cards)
    yield from cards.values()


def _lines(file: Path) -> Iterator[Any]:
    with lzma.open(file, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _cards() -> Iterator[Document]:
    german: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for line in _lines(GERMAN):
        german[line["oracle_id"], line["face"]].append(line)
    for line in _lines(CARDS):
        faces = line["faces"]
        names, texts = [Name(faces[0]["name"], "en")], []
        for face in faces:
            name = face.get("faceName") or face["name"]
            if len(faces) > 1:
                names.append(Name(name, "en", OTHER))
            texts += [Text(f"{face['type']}. {face['text']}", "en")] if face.get("text") else []
            for other in german[line["oracle_id"], name]:
                names.append(Name(other["name"], "de"))
                names += [Name(other["faceName"], "de", OTHER)] if other["faceName"] else []
                texts += [Text(other["text"], "de")] if other["text"] else []
        names = sorted(set(names), key=lambda n: (n.rank, n.language, n.text))
        yield Document(f"{BASE}card/{line['oracle_id']}", "card", tuple(names), tuple(texts))


def _rulings(cards: dict[str, Document]) -> Iterator[Document]:
    wordings: dict[str, str] = {}
    about: dict[str, set[str]] = defaultdict(set)
    for line in _lines(RULINGS):
        key = digest(line["comment"])
        wordings[key] = line["comment"]
        about[key].add(f"{BASE}card/{line['oracle_id']}")
    for key, wording in wordings.items():
        known = [cards[card] for card in sorted(about[key])[:5] if card in cards]
        heading = tuple(name for card in known for name in card.names if name.rank == OWN)
        yield Document(f"{BASE}text/{key}", "ruling", (), (Text(wording, "en"),), heading)
