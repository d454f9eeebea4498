"""Makes the file of an index: SQLite, with its full-text search (FTS5) over words and over groups of three letters."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rulewright.index.folding import fold, raw, stems
from rulewright.index.model import KINDS, OWN, Document

LAYOUT: Final = "1"
"""Changes with whatever is kept in the file, and how."""
_SCHEMA: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (id INTEGER PRIMARY KEY, iri TEXT NOT NULL, kind INTEGER NOT NULL);
CREATE TABLE label (document INTEGER NOT NULL, language TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (document, language)) WITHOUT ROWID;
CREATE TABLE name (id INTEGER PRIMARY KEY, document INTEGER NOT NULL, kind INTEGER NOT NULL, language TEXT NOT NULL,
    rank INTEGER NOT NULL, text TEXT NOT NULL, raw TEXT NOT NULL, folded TEXT NOT NULL, compact TEXT NOT NULL);
CREATE TABLE text (id INTEGER PRIMARY KEY, document INTEGER NOT NULL, language TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE span (of TEXT NOT NULL, kind INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE word (of TEXT NOT NULL, length INTEGER NOT NULL, words TEXT NOT NULL, PRIMARY KEY (of, length))
    WITHOUT ROWID;
CREATE VIRTUAL TABLE name_words USING fts5(folded, content='name', content_rowid='id', tokenize='ascii',
    detail=none, columnsize=0, prefix='1 2 3 4');
CREATE VIRTUAL TABLE name_letters USING fts5(compact, content='name', content_rowid='id', tokenize='trigram',
    detail=none, columnsize=0);
CREATE VIRTUAL TABLE text_words USING fts5(stems, content='', tokenize='ascii', detail=full);
CREATE VIRTUAL TABLE name_vocabulary USING fts5vocab(name_words, row);
CREATE VIRTUAL TABLE letter_vocabulary USING fts5vocab(name_letters, row);
CREATE VIRTUAL TABLE text_vocabulary USING fts5vocab(text_words, row);
"""
_FINISH: Final = """
CREATE INDEX name_compact ON name (compact, kind);
INSERT INTO span SELECT 'name', kind, min(id), max(id) FROM name GROUP BY kind;
INSERT INTO span SELECT 'text', d.kind, min(t.id), max(t.id) FROM text t JOIN document d ON d.id = t.document
    GROUP BY d.kind;
CREATE INDEX text_document ON text (document);
INSERT INTO name_words(name_words) VALUES ('rebuild');
INSERT INTO name_letters(name_letters) VALUES ('rebuild');
INSERT INTO name_words(name_words) VALUES ('optimize');
INSERT INTO name_letters(name_letters) VALUES ('optimize');
INSERT INTO text_words(text_words) VALUES ('optimize');
INSERT INTO word SELECT 'name', length(term), group_concat(term, ' ') FROM name_vocabulary GROUP BY length(term);
INSERT INTO word SELECT 'text', length(term), group_concat(term, ' ') FROM text_vocabulary GROUP BY length(term);
ANALYZE;
"""


def build(file: Path | None, documents: Iterable[Document], state: str) -> sqlite3.Connection:
    """Writes an index of `documents`, which come kind by kind in the order of KINDS, to a new file or into memory.

    `state` is what the index says it is of. Raises sqlite3.Error where the file cannot be written, ValueError for
    documents in another order.
    """
    connection = sqlite3.connect(":memory:" if file is None else file, isolation_level=None)
    try:
        connection.executescript(_SCHEMA)
        connection.execute("BEGIN")
        _fill(connection, documents)
        connection.execute("INSERT INTO state VALUES ('layout', ?), ('of', ?)", (LAYOUT, state))
        connection.execute("COMMIT")
        connection.executescript(_FINISH)
    except BaseException:
        connection.close()
        raise
    return connection


def _fill(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    text_id = 0
    before = -1
    for id_, document in enumerate(documents, 1):
        kind = KINDS.index(document.kind)
        if kind < before:
            raise ValueError(f"{document.iri}: a {document.kind} after a {KINDS[before]}")
        before = kind
        connection.execute("INSERT INTO document VALUES (?, ?, ?)", (id_, document.iri, kind))
        labels: dict[str, str] = {}
        for name in (*document.names, *document.heading):
            labels.setdefault(name.language, name.text)
        connection.executemany("INSERT INTO label VALUES (?, ?, ?)", [(id_, *pair) for pair in labels.items()])
        rows = []
        for name in dict.fromkeys(document.names):
            folded = fold(name.text)
            if folded:
                rows.append((id_, kind, name.language, name.rank, name.text, raw(name.text), folded,
                             folded.replace(" ", "")))  # fmt: skip
        connection.executemany(
            "INSERT INTO name (document, kind, language, rank, text, raw, folded, compact)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        own = [n for n in document.names if n.rank == OWN]
        heading = " ".join(n.text for n in document.heading)
        for text in document.texts:
            text_id += 1
            connection.execute("INSERT INTO text VALUES (?, ?, ?, ?)", (text_id, id_, text.language, text.text))
            words = [*(n.text for n in own if n.language in (text.language, "")), heading, text.text]
            folded = stems(fold(" ".join(words)))
            connection.execute("INSERT INTO text_words (rowid, stems) VALUES (?, ?)", (text_id, folded))
