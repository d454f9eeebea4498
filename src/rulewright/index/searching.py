"""Finds things in an index: the exact name first, then names that begin so, names with these words, similar names,
and then texts."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rulewright.index.folding import fold, raw, stem, stems
from rulewright.index.model import KINDS, OWN, Hit, Kind, Match

EXCERPT: Final = 160
"""Characters of a text that is shown, about as many."""
LONGEST: Final = 200
"""Characters of what is sought that count."""
SIMILAR, ALIKE, SURE = 0.7, 0.8, 0.9
"""Similarity (0 to 1) from which a name is found at all, from which it comes before texts, and from which no name that
has less of the words is looked for."""
COMMON: Final = 2500
"""Texts beyond which it is not worth weighing one against another by its words."""
SHARE: Final = 0.6
"""Of the weight of the words sought, what a text must have at least."""
LONG: Final = 60
"""Letters beyond which what is sought is no name."""
FETCHED: Final = 1500
"""Names that are looked at in one step."""
_ORDER: Final[dict[Kind, int]] = {"keyword": 0, "term": 1, "card": 2, "rule": 3, "ruling": 4}
"""Of kinds, where all else is the same."""
_NUMBER: Final = re.compile(r"(?:cr|rules?|regeln?)[\s:]*(\d{3}\b.*)", re.IGNORECASE)
_END: Final = "\x7f"

EXACT, BEGINNING, WORDS, CLOSE, TEXT, FAR = range(6)
_MATCHES: Final[dict[int, Match]] = {
    EXACT: "exact", BEGINNING: "beginning", WORDS: "words", CLOSE: "similar", TEXT: "text", FAR: "similar",
}  # fmt: skip
_NAME = "SELECT n.document, n.kind, n.language, n.rank, n.text, n.raw, n.folded, n.compact FROM name n"


@dataclass(slots=True)
class Sought:
    """What is sought, in the forms in which it is compared."""

    raw: str
    folded: str
    words: list[str]
    compact: str
    language: str
    kinds: tuple[int, ...]

    @property
    def of_kinds(self) -> str:
        """The condition of SQL by which names are of the wanted kinds."""
        return f" AND n.kind IN ({','.join(map(str, self.kinds))})" if self.kinds else ""


@dataclass(slots=True)
class Found:
    key: tuple[Any, ...]
    name: str = ""
    text: int | None = None


@dataclass
class Index:
    """An index that is open for reading. `close` it, or use it in a `with` statement."""

    connection: sqlite3.Connection
    _words: dict[tuple[str, int], list[str]] = field(default_factory=dict)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of things that can be found."""
        return int(self.connection.execute("SELECT count(*) FROM document").fetchone()[0])

    def search(self, text: str, kinds: Collection[Kind] = (), limit: int = 10, language: str = "en") -> list[Hit]:
        """What fits best, best first; nothing where nothing fits.

        `language`: whose names come first where two fit alike, and of which texts are shown.
        """
        sought = _sought(text, kinds, language)
        if not sought.compact:
            return []
        found: dict[int, Found] = {}
        self._names(sought, found, limit)
        exact = any(f.key[0] == EXACT for f in found.values())
        if len(found) < limit and not exact:
            self._inside(sought, found)
            self._similar(sought, found)
        if len(found) < limit:
            self._texts(sought, found, limit - len(found))
        best = sorted(found.items(), key=lambda item: item[1].key)[:limit]
        return [self._hit(document, f, sought) for document, f in best]

    def near(self, text: str, kinds: Collection[Kind] = (), language: str = "en", limit: int = 3) -> list[str]:
        """Names that are a little like it, for a hint where nothing was found."""
        sought = _sought(text, kinds, language)
        found: dict[int, Found] = {}
        if sought.compact:
            self._similar(sought, found, 0.55)
        return [f.name for f in sorted(found.values(), key=lambda f: f.key)[:limit]]

    def search_or_near(
        self, text: str, kinds: Collection[Kind], limit: int, language: str
    ) -> tuple[list[Hit], list[str]]:
        """What fits, as `search` has it; and where that is nothing, names as `near` has them."""
        hits = self.search(text, kinds, limit, language)
        return hits, [] if hits else self.near(text, kinds, language)

    # --- names

    def _names(self, sought: Sought, found: dict[int, Found], limit: int) -> None:
        """Names that are what is sought, begin with it, or have words that begin with its words."""
        for row in self._ask(f"{_NAME} WHERE n.compact = ?{sought.of_kinds}", sought.compact):
            _add(found, row, sought, EXACT, (row[5] != sought.raw,))
        bounds = (sought.compact + " ", sought.compact + _END)
        for row in self._ask(
            f"{_NAME} WHERE n.compact > ? AND n.compact < ?{sought.of_kinds}"
            f" ORDER BY n.kind = {KINDS.index('card')}, length(n.compact) LIMIT {FETCHED // 3}",
            *bounds,
        ):
            _add(found, row, sought, BEGINNING, (not (row[6] + " ").startswith(sought.folded + " "),))
        if len(found) >= limit:
            return
        asked = " AND ".join(f'"{word}"*' for word in dict.fromkeys(sought.words))
        for row in self._matching("name_words", asked, sought):
            words = row[6].split()
            part = sum(word not in words for word in sought.words)
            _add(found, row, sought, WORDS, (part, not _in_order(sought.words, words)))

    def _inside(self, sought: Sought, found: dict[int, Found]) -> None:
        """Names that have it inside a word."""
        if len(sought.compact) < 4:
            return
        asked = " AND ".join(f'"{three}"' for three in _threes(sought.compact))
        for row in self._matching("name_letters", asked, sought):
            if sought.folded in row[6] or _at_a_word(sought.compact, row[6].split()):
                _add(found, row, sought, WORDS, (len(sought.words) + 1, False))

    def _similar(self, sought: Sought, found: dict[int, Found], cutoff: float = SIMILAR) -> None:
        """Names whose words are spelt nearly so, and names that are nearly so as a whole."""
        from rapidfuzz.distance import OSA, Jaro

        scored: list[tuple[float, Sequence[Any]]] = []
        near = [self._near(word) for word in dict.fromkeys(sought.words)]
        if len(sought.words) <= 8 and all(near):
            asked = " AND ".join(
                "(" + " OR ".join(f'"{w}"' + "*" * (s == 1) for w, s in options.items()) + ")" for options in near
            )
            whole = sum(len(w) for w in dict.fromkeys(sought.words))
            for row in self._matching("name_words", asked, sought):
                words = row[6].split()
                fit = sum(
                    len(word) * max((s for o, s in options.items() if _has(words, o, s)), default=0)
                    for word, options in zip(dict.fromkeys(sought.words), near, strict=True)
                ) / whole  # fmt: skip
                scored.append((fit * (0.9 + 0.1 * min(1.0, len(sought.compact) / len(row[7]))), row))
        sure = any(fit >= SURE for fit, _ in scored)
        if not sure and len(sought.compact) <= LONG and (threes := self._rarest(sought.compact)):
            for row in self._matching("name_letters", " OR ".join(f'"{three}"' for three in threes), sought):
                fit = OSA.normalized_similarity(sought.compact, row[7], score_cutoff=cutoff)
                if fit:
                    scored.append((fit, row))
        for fit, row in scored:
            if fit >= cutoff:
                # letters that changed places are a likelier slip than a letter that is another
                swapped = Jaro.similarity(sought.compact, row[7])
                _add(found, row, sought, CLOSE if fit >= ALIKE else FAR, (-round(fit, 2), -swapped))

    def _near(self, word: str) -> dict[str, float]:
        """Words of names that are spelt nearly as this one is, and how nearly: 1 for itself and what begins with it."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        near = {word: 1.0}
        errors = 0 if len(word) < 3 else 1 if len(word) < 6 else 2 if len(word) < 11 else 3
        if errors:
            for length in range(max(2, len(word) - errors), len(word) + errors + 1):
                options = self._of_length("name", length)
                for other, distance, _ in process.extract(
                    word, options, scorer=OSA.distance, score_cutoff=errors, limit=12
                ):
                    if distance:
                        near[other] = 1 - distance / max(len(word), length)
        return dict(sorted(near.items(), key=lambda item: -item[1])[:24])

    def _of_length(self, of: str, length: int) -> list[str]:
        """The words of names, or the stems of texts, that have so many characters."""
        if (of, length) not in self._words:
            row = self.connection.execute("SELECT words FROM word WHERE of = ? AND length = ?", (of, length)).fetchone()
            self._words[of, length] = row[0].split() if row else []
        return self._words[of, length]

    def _rarest(self, compact: str) -> list[str]:
        """Groups of three letters that few names have, as many as together do not lead to too many names."""
        counted = []
        for three in _threes(compact):
            row = self.connection.execute("SELECT doc FROM letter_vocabulary WHERE term = ?", (three,)).fetchone()
            if row:
                counted.append((int(row[0]), three))
        chosen: list[str] = []
        names = 0
        for number, three in sorted(counted):
            names += number
            if names > FETCHED and len(chosen) >= 3:
                break
            chosen.append(three)
        return chosen

    # --- texts

    def _texts(self, sought: Sought, found: dict[int, Found], wanted: int) -> None:
        words = list(dict.fromkeys(stem(word) for word in sought.words))
        counts = {word: self._count(word) for word in words}
        if all(counts.values()) and self._with(words, min(counts.values()), sought, found):
            return
        if any(f.key[0] <= CLOSE for f in found.values()):
            return  # a name is meant
        spelt = [word if counts[word] else self._spelt(word) for word in words]
        known = [word for word in spelt if word]
        if spelt != words:
            counts = {word: self._count(word) for word in known}
            if known == spelt and all(counts.values()) and self._with(known, min(counts.values()), sought, found):
                return
        self._with_most(known, len(words), counts, sought, found)

    def _with(self, words: Iterable[str], at_most: int, sought: Sought, found: dict[int, Found]) -> bool:
        """Texts that have all of the words; whether there are any."""
        asked = " AND ".join(f'"{word}"' for word in words)
        some = False
        for id_, document, kind, language, weight, text in self._text_rows(asked, at_most, sought):
            some = True
            _add_text(found, document, kind, language, sought, weight * _together(sought, text), id_)
        return some

    def _with_most(
        self, words: list[str], number: int, counts: dict[str, int], sought: Sought, found: dict[int, Found]
    ) -> None:
        """Texts that have most of the words, the rare ones above all."""
        from math import log

        if number < 3 or not words:
            return
        total = max(1, int(self.connection.execute("SELECT max(id) FROM text").fetchone()[0] or 1))
        worth = {word: log(1 + total / max(1, counts[word])) for word in words}
        whole = sum(worth.values()) * number / len(words)
        chosen: list[str] = []
        reached = 0
        for word in sorted(worth, key=lambda w: -worth[w]):
            reached += counts[word]
            if reached > COMMON and chosen:
                break
            chosen.append(word)
        asked = " OR ".join(f'"{word}"' for word in chosen)
        for id_, document, kind, language, weight, text in self._text_rows(asked, min(reached, COMMON), sought):
            there = set(stems(fold(text)).split())
            if sum(worth[w] for w in words if w in there) >= SHARE * whole:
                _add_text(found, document, kind, language, sought, weight, id_)

    def _text_rows(self, asked: str, at_most: int, sought: Sought) -> Iterator[tuple[int, int, int, str, float, str]]:
        weight, order = ("rank", "rank") if at_most <= COMMON else ("0.0", "rowid")
        yield from self._ask(
            f"SELECT t.id, t.document, d.kind, t.language, w.weight, t.text FROM"
            f" (SELECT rowid AS id, {weight} AS weight FROM text_words WHERE text_words MATCH ?"
            f" AND {self._within('text', sought)} ORDER BY {order} LIMIT 100) w"
            " JOIN text t ON t.id = w.id JOIN document d ON d.id = t.document", asked,
        )  # fmt: skip

    def _count(self, word: str) -> int:
        row = self.connection.execute("SELECT doc FROM text_vocabulary WHERE term = ?", (word,)).fetchone()
        return int(row[0]) if row else 0

    def _spelt(self, word: str) -> str | None:
        """The stem in texts that is spelt most nearly as this one, the commonest of several."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        errors = 0 if len(word) < 4 else 1 if len(word) < 8 else 2
        lengths = range(len(word) - errors, len(word) + errors + 1) if errors else ()
        options = [other for length in lengths for other in self._of_length("text", length)]
        found = process.extract(word, options, scorer=OSA.distance, score_cutoff=errors, limit=20)
        best = sorted((distance, -self._count(other), other) for other, distance, _ in found)
        return best[0][2] if best else None

    # --- both

    def _matching(self, table: str, asked: str, sought: Sought) -> Iterator[Sequence[Any]]:
        return self._ask(
            f"{_NAME} JOIN (SELECT rowid FROM {table} WHERE {table} MATCH ? AND {self._within('name', sought)}"
            f" LIMIT {FETCHED}) w ON w.rowid = n.id", asked,
        )  # fmt: skip

    def _within(self, of: str, sought: Sought) -> str:
        """The condition of SQL by which rows are of the wanted kinds: each kind's stand together."""
        if not sought.kinds:
            return "true"
        spans = self._ask(
            f"SELECT first, last FROM span WHERE of = ? AND kind IN ({','.join(map(str, sought.kinds))})", of
        )
        return "(" + (" OR ".join(f"rowid BETWEEN {first} AND {last}" for first, last in spans) or "false") + ")"

    def _ask(self, sql: str, *values: object) -> Iterator[Any]:
        return iter(self.connection.execute(sql, values))

    def _hit(self, document: int, found: Found, sought: Sought) -> Hit:
        iri, kind = self.connection.execute("SELECT iri, kind FROM document WHERE id = ?", (document,)).fetchone()
        labels = dict(self._ask("SELECT language, text FROM label WHERE document = ? ORDER BY language DESC", document))
        excerpt = ""
        shown = self._shown(document, found, sought.language)
        if shown:
            excerpt = _excerpt(shown, sought.words)
        return Hit(iri, KINDS[kind], labels, _MATCHES[found.key[0]], found.name, excerpt)

    def _shown(self, document: int, found: Found, language: str) -> str:
        """The text that matched; of a ruling that was found by its name, the text in the language wanted."""
        if found.text is not None:
            return str(self.connection.execute("SELECT text FROM text WHERE id = ?", (found.text,)).fetchone()[0])
        row = self.connection.execute(
            "SELECT t.text FROM text t JOIN document d ON d.id = t.document WHERE t.document = ? AND d.kind = ?"
            " ORDER BY t.language <> ? LIMIT 1", (document, KINDS.index("ruling"), language),
        ).fetchone()  # fmt: skip
        return str(row[0]) if row else ""


def _sought(text: str, kinds: Collection[Kind], language: str) -> Sought:
    text = text.strip()[:LONGEST]
    if number := _NUMBER.fullmatch(text):
        text = number[1]
    folded = fold(text)
    wanted = tuple(sorted(KINDS.index(kind) for kind in set(kinds)))
    return Sought(raw(text), folded, folded.split(), folded.replace(" ", ""), language, wanted)


def _add(found: dict[int, Found], row: Sequence[Any], sought: Sought, tier: int, fit: tuple[Any, ...]) -> None:
    document, kind, language, rank, name, _, folded, _ = row
    other = language not in (sought.language, "")
    key = (tier, *fit, rank, _ORDER[KINDS[kind]], len(folded), other, name)
    if document not in found or key < found[document].key:
        found[document] = Found(key, name)


def _add_text(
    found: dict[int, Found], document: int, kind: int, language: str, sought: Sought, weight: float, text: int
) -> None:
    if document in found and found[document].key[0] != FAR:
        return
    # a statement is said for all cards; in a card's own text a rule is used, not said
    weight *= 0.6 if KINDS[kind] == "card" else 1.0
    key = (TEXT, weight, OWN, _ORDER[KINDS[kind]], 0, language != sought.language, text)
    if document not in found or key < found[document].key:
        found[document] = Found(key, "", text)


def _together(sought: Sought, text: str) -> float:
    """How much of what is sought stands in the text as it was typed: 1, and up to 2 where all does."""
    from rapidfuzz import fuzz

    return 1 + fuzz.partial_ratio(sought.folded, fold(text)) / 100


def _threes(compact: str) -> list[str]:
    return list(dict.fromkeys(compact[i : i + 3] for i in range(len(compact) - 2)))


def _has(words: Sequence[str], word: str, similarity: float) -> bool:
    return word in words or (similarity == 1 and any(w.startswith(word) for w in words))


def _at_a_word(compact: str, words: Sequence[str]) -> bool:
    """Whether words that are written together begin so."""
    return any("".join(words[i:]).startswith(compact) for i in range(len(words)))


def _in_order(sought: Iterable[str], words: Iterable[str]) -> bool:
    left = iter(words)
    return all(any(word.startswith(part) for word in left) for part in sought)


def _excerpt(text: str, words: Iterable[str]) -> str:
    """About the part of a text in which most of the words stand."""
    text = " ".join(text.split())
    if len(text) <= EXCERPT:
        return text
    wanted = {stem(word) for word in words}
    places = [m.start() for m in re.finditer(r"[^\W_]+", text) if stem(fold(m[0])) in wanted]
    start = max(places, key=lambda place: sum(place <= p < place + EXCERPT - 20 for p in places), default=0)
    start = 0 if start < EXCERPT // 4 else text.rfind(" ", 0, start - 20) + 1
    end = len(text) if start + EXCERPT >= len(text) else text.rfind(" ", start, start + EXCERPT)
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")
