"""Bulk files into the graph: each format, packed in every way, cut, broken, and twice. The samples are our own."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import tarfile
import tracemalloc
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import zstandard

import rulewright
from rulewright.records import Problem
from rulewright.sources.bulk import FORMATS, Loaded, day_of_name
from rulewright.sources.errors import SourceError
from rulewright.sources.jsonstream import Reader
from rulewright.sources.packed import files, unpacked
from rulewright.store import Dataset
from rulewright.terms import digest
from rulewright.vocabulary import BASE, CORE

SAMPLES = Path(__file__).parent / "samples"
CARDS, OLD, NEW = (SAMPLES / n for n in (
    "oracle-cards-20220425210031.json", "rulings-2018-11-07.jsonl", "rulings-20220425210031.json",
))  # fmt: skip
KINDS = {
    "AtomicCards.json": "mtgjson-cards", "TOY.json": "mtgjson-set", "faces.jsonl": "scryfall-cards",
    "german.jsonl": "german-cards", CARDS.name: "scryfall-cards", OLD.name: "scryfall-rulings",
    NEW.name: "scryfall-rulings", "rules-2025-11-14.txt": "comprehensive-rules",
    "rules-2026-02-27.txt": "comprehensive-rules",
}  # fmt: skip


@pytest.fixture
def data() -> Iterator[Dataset]:
    with rulewright.open() as made:
        yield made


def read(data: Dataset, *paths: Path, **more: Any) -> list[Loaded]:
    report = rulewright.ingest(paths, data, **more)
    assert not report.errors
    return [d for d in report.documents if isinstance(d, Loaded)]


def fails(data: Dataset, path: Path, **more: Any) -> Problem:
    before = len(data), data.graphs()
    report = rulewright.ingest(path, data, **more)
    assert not report.documents
    assert (len(data), data.graphs()) == before
    (problem,) = report.errors
    return problem


def ask(data: Dataset, where: str) -> list[tuple[str, ...]]:
    """Rows, with the values in the order of their variables' names."""
    rows = data.query(f"SELECT DISTINCT * WHERE {{ {where} }}")
    assert isinstance(rows, ox.QuerySolutions)
    names = sorted(v.value for v in rows.variables)
    return sorted(tuple("" if row[n] is None else row[n].value for n in names) for row in rows)


# --- what is recognised


@pytest.mark.parametrize("name", KINDS)
def test_each_is_recognised_as_one_kind(name: str) -> None:
    (file,) = files(SAMPLES / name)
    assert [f.kind for f in FORMATS if f.recognise(file.head, file.name)] == [KINDS[name]]


def test_documents_are_none_of_them() -> None:
    for path in (SAMPLES.parents[2] / "data" / "examples").iterdir():
        (file,) = files(path)
        assert not [f.kind for f in FORMATS if f.recognise(file.head, file.name)]


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("rulings-2022-04-25.jsonl.xz", date(2022, 4, 25)),
        ("rulings-20220425210031.json", date(2022, 4, 25)),
        ("rulings-20220425.json", date(2022, 4, 25)),
        ("rulings-2022-0425.json", None),
        ("rulings-20221325.json", None),
        ("rulings-1234567820220425.json", None),
        ("rulings.json", None),
    ],
)
def test_the_day_of_a_name(name: str, day: date | None) -> None:
    assert day_of_name(name) == day


# --- cards


def test_cards(data: Dataset) -> None:
    (found,) = read(data, CARDS)
    assert (found.kind, found.day, found.counts) == ("scryfall-cards", date(2022, 4, 25), {"cards": 6})
    kite = f"<{BASE}card/10000000-0000-4000-8000-000000000001>"
    assert ask(data, f"{kite} rw:manaCost ?a ; rw:typeLine ?b ; rw:rulesText ?c ; skos:prefLabel ?d") == [
        ("{1}{U}", "Instant", "Let a paper kite fly.\nRebound", "Paper Kite")
    ]
    assert ask(data, f"{kite} rw:hasKeyword ?keyword") == [(f"{BASE}keyword/rebound",)]
    hide = f"{BASE}card/10000000-0000-4000-8000-000000000003"
    assert ask(data, f"?a rw:faceOf <{hide}> ; rw:sequence ?b ; rw:rulesText ?c") == [
        (f"{hide}/hide", "1", "Count to ten."),
        (f"{hide}/seek-it", "2", 'Look behind the "curtain".'),
    ]
    assert not ask(data, f"<{hide}> rw:rulesText ?text")
    assert not ask(data, '?token skos:prefLabel "Toy"@en')
    assert not ask(data, f"<{BASE}card/10000000-0000-4000-8000-000000000004> rw:manaCost|rw:rulesText ?nothing")


def test_the_derived_form_and_mtgjson_say_the_same_of_cards(tmp_path: Path) -> None:
    said = []
    for name in ("faces.jsonl", "TOY.json", "AtomicCards.json", CARDS.name):
        with rulewright.open() as data:
            (found,) = read(data, SAMPLES / name)
            cards = tuple(f"{BASE}card/10000000-0000-4000-8000-00000000000{n}" for n in "13")
            said.append({
                t for t in data.triples(found.graph)
                if isinstance(t.subject, ox.NamedNode)
                and t.subject.value.startswith(cards) and t.predicate.value != CORE + "seen"
                and not (isinstance(t.object, ox.Literal) and t.object.language == "de")
            })  # fmt: skip
    assert said[0] == said[1] == said[2] == said[3]
    assert len(said[0]) > 15


def test_german_names(data: Dataset) -> None:
    (found,) = read(data, SAMPLES / "german.jsonl")
    assert found.counts == {"german": 3}
    card = f"{BASE}card/10000000-0000-4000-8000-000000000003"
    assert ask(data, f"<{card}/hide> skos:prefLabel ?name") == [("Verstecken",)]
    assert ask(data, f"<{card}> skos:prefLabel ?name") == [("Verstecken // Suchen",)]
    with rulewright.open() as other:
        read(other, SAMPLES / "TOY.json")
        german = [
            {str(t) for g in made.graphs() if "/source/" in g for t in made.triples(g)
             if isinstance(t.object, ox.Literal) and t.object.language == "de" and "/card/" in str(t.subject)}
            for made in (data, other)
        ]  # fmt: skip
    assert german[0] == german[1]


def test_german_printings_in_the_file_of_all_cards(data: Dataset, tmp_path: Path) -> None:
    card = {
        "object": "card", "oracle_id": "10000000-0000-4000-8000-000000000007", "name": "Drum", "lang": "de",
        "layout": "normal", "printed_name": "Trommel", "printed_type_line": "Artefakt", "printed_text": "Bumm.",
    }  # fmt: skip
    french = {**card, "lang": "fr", "printed_name": "Tambour"}
    path = tmp_path / "all-cards.json"
    path.write_text(json.dumps([french, card, card]))
    (found,) = read(data, path)
    assert found.counts == {"german": 1}
    assert ask(data, f"<{BASE}card/{card['oracle_id']}> skos:prefLabel|rw:typeLine|rw:rulesText ?said") == [
        ("Artefakt",), ("Bumm.",), ("Trommel",),
    ]  # fmt: skip


# --- rulings


def test_rulings_by_oracle_id(data: Dataset) -> None:
    (found,) = read(data, NEW)
    assert (found.day, found.counts) == (date(2022, 4, 25), {"rulings": 7, "texts": 5, "matched": 0, "empty": 1})
    wording = "A toy that was put away can’t be played with until someone takes it out again."
    text = f"{BASE}text/{digest(wording)}"
    assert ask(data, f"<{text}> rw:wording ?a ; dcterms:language ?b ; rw:digest ?c") == [
        (wording, "en", digest(wording))
    ]
    on = [row[0] for row in ask(data, f"?publication rw:publishes <{text}>")]
    assert len(on) == 3
    assert on[0] == f"{BASE}publication/{digest(wording)[:16]}-10000000-0000-4000-8000-000000000001"
    assert ask(data, f"<{on[0]}> dcterms:issued ?day") == [("2016-04-08",)]


def test_rulings_by_name_wait_for_the_cards(data: Dataset) -> None:
    (found,) = read(data, OLD)
    assert (found.state, found.unknown) == ("added", ("Marble", "Paper Kite", "Seek It", "Wooden Top"))
    assert len(ask(data, "?p rw:heading ?name FILTER NOT EXISTS { ?p rw:onCard ?card }")) == 6
    (again,) = read(data, OLD)
    assert again.state == "already there"
    _, found = read(data, CARDS, OLD)
    assert (found.state, found.unknown, found.size) == ("updated", ("Marble",), 7)
    assert len(ask(data, "?p rw:heading ?name FILTER NOT EXISTS { ?p rw:onCard ?card }")) == 1
    (again,) = read(data, OLD)
    assert (again.state, again.size) == ("already there", 7)


def test_a_dump_needs_a_day(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "rulings.json"
    path.write_bytes(NEW.read_bytes())
    problem = fails(data, path)
    assert "--date" in problem.problem
    (found,) = read(data, path, date=date(2022, 4, 25))
    assert found.day == date(2022, 4, 25)


def test_what_has_no_day_of_its_own_has_that_of_its_name_first(data: Dataset) -> None:
    (found,) = read(data, NEW, date=date(2000, 1, 1))
    assert found.day == date(2022, 4, 25)
    (found,) = read(data, SAMPLES / "AtomicCards.json", date=date(2000, 1, 1))
    assert found.day == date(2022, 4, 26)


def test_a_source_says_where_it_is_from(data: Dataset) -> None:
    (found,) = read(data, NEW)
    graph = f"GRAPH <{found.graph}> {{ <{found.graph}>"
    for said, value in [("rw:kind", found.kind), ("rw:asOf", "2022-04-25"), ("rw:digest", found.digest),
                        ("rw:place", NEW.name), ("rw:statementCount", "7")]:  # fmt: skip
        assert ask(data, f"{graph} {said} ?it }}") == [(value,)]
    assert ask(data, f"{graph} prov:wasGeneratedBy/prov:wasAssociatedWith/schema:name ?it }}") == [("rulewright",)]


# --- history


def test_the_same_ruling_in_two_dumps_is_one(data: Dataset) -> None:
    found = read(data, CARDS, OLD, NEW)[-1]
    (change,) = found.reworded
    assert (change.kept, change.new, change.withdrawn, change.reworded) == (3, 3, 2, 1)
    flies = f"{BASE}publication/{digest('The kite flies only while someone holds the string.')[:16]}"
    for path in ("rw:seen", "rw:inSource/rw:asOf"):
        assert ask(data, f"<{flies}-10000000-0000-4000-8000-000000000001> {path} ?day") == [
            ("2018-11-07",), ("2022-04-25",),
        ]  # fmt: skip


def test_a_rewording_is_inferred(data: Dataset) -> None:
    read(data, CARDS, OLD, NEW)
    graph = f"{BASE}graph/inferred/rewordings/2018-11-07-2022-04-25"
    ((old, new, confidence, method),) = ask(data, f"""{{ SELECT ?a ?b ?c ?d WHERE {{
        GRAPH <{graph}> {{ ?rewording rw:from ?from ; rw:to ?to ; rw:confidence ?c ; rw:method ?d }}
        ?from rw:publishes/rw:wording ?a . ?to rw:publishes/rw:wording ?b
    }} }}""")
    assert old == "If the wind drops before the kite is up, you may try once more on the same day."
    assert new == "If the wind drops before your kite is up, you may try again on the same day."
    assert 0.6 <= float(confidence) < 1
    assert method == "rapidfuzz.fuzz.ratio"
    assert len(ask(data, f"GRAPH <{graph}> {{ [] prov:wasDerivedFrom ?source }}")) == 2


def test_the_order_of_the_dumps_does_not_matter() -> None:
    graph = f"{BASE}graph/inferred/rewordings/2018-11-07-2022-04-25"
    said = []
    for order in ((OLD, NEW), (NEW, OLD)):
        with rulewright.open() as data:
            read(data, CARDS, *order)
            said.append(set(data.triples(graph)))
    assert said[0] == said[1]
    assert said[0]


def test_a_set_beside_the_dump_of_its_day_changes_nothing(data: Dataset) -> None:
    read(data, CARDS, OLD, NEW)
    (found,) = read(data, SAMPLES / "TOY.json")
    assert (found.counts["rulings"], found.reworded) == (2, ())


# --- rules


@pytest.mark.parametrize(("name", "rules"), [("rules-2025-11-14.txt", 7), ("rules-2026-02-27.txt", 9)])
def test_an_edition(data: Dataset, name: str, rules: int) -> None:
    (found,) = read(data, SAMPLES / name)
    assert found.counts == {"rules": rules, "glossary": 2}
    assert found.day == day_of_name(name)
    edition = f"{BASE}edition/{found.day}"
    assert ask(data, f"<{edition}/702.88a> rw:text/rw:wording ?words") == [
        ("A ball with rebound comes back to whoever threw it.",)
    ]
    assert ask(data, f"<{edition}/702.1> rw:number ?number") == [("702.1",)]
    ((words,),) = ask(data, f"<{edition}/glossary/rebound> rw:text/rw:wording ?words")
    assert words.startswith("What a ball does that meets a wall.")


def test_a_rule_that_the_package_knows(data: Dataset) -> None:
    """By the number and the digest that it has in the edition's day."""
    wording = "A ball with rebound comes back to whoever threw it."
    rule, edition = (ox.NamedNode(f"{BASE}{path}") for path in ("rule/rebound-a", "edition/2025-11-14"))
    version = ox.NamedNode(f"{edition.value}/702.88a")
    said = {
        "versionOf": rule, "number": ox.Literal("702.88a"), "digest": ox.Literal(digest(wording)), "inEdition": edition,
    }  # fmt: skip
    data.add_graph(f"{BASE}graph/rules", [ox.Triple(version, ox.NamedNode(CORE + n), o) for n, o in said.items()])
    older, newer = read(data, SAMPLES / "rules-2025-11-14.txt", SAMPLES / "rules-2026-02-27.txt")
    known = [ask(data, f"GRAPH <{f.graph}> {{ ?version rw:versionOf ?rule }}") for f in (older, newer)]
    assert known[0] == [(rule.value, version.value)]
    assert known[1] == [(rule.value, f"{BASE}edition/2026-02-27/702.88a")]


def test_an_archive_of_editions(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "editions.tar.xz"
    with tarfile.open(path, "w:xz") as tar:
        for name in ("rules-2025-11-14.txt", "rules-2026-02-27.txt"):
            tar.add(SAMPLES / name, name)
    found = read(data, path)
    assert [f.source for f in found] == [f"{path}/rules-2025-11-14.txt", f"{path}/rules-2026-02-27.txt"]
    (alone,) = read(data, SAMPLES / "rules-2026-02-27.txt")
    assert (alone.state, alone.graph) == ("already there", found[1].graph)


def test_an_edition_that_is_cut(data: Dataset, tmp_path: Path) -> None:
    whole = (SAMPLES / "rules-2025-11-14.txt").read_bytes().decode("utf-16")
    path = tmp_path / "rules-2025-11-14.txt"
    path.write_text(whole[: whole.rindex("702.88a")])
    assert "before the glossary" in fails(data, path).problem
    path.write_text(whole[: whole.rindex("Anything that")])
    (found,) = read(data, path)
    assert found.cut
    assert found.counts == {"rules": 7, "glossary": 1}
    assert ask(data, f"<{found.graph}> rw:incomplete ?it") == [("true",)]


# --- packed, cut, broken


def packed(content: bytes, suffix: str) -> bytes:
    match suffix:
        case ".gz":
            return gzip.compress(content)
        case ".xz":
            return lzma.compress(content)
        case ".zst":
            half = len(content) // 2
            return b"".join(zstandard.compress(part) for part in (content[:half], content[half:]))
    return content


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_packed(data: Dataset, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"{NEW.name}{suffix}"
    path.write_bytes(packed(NEW.read_bytes(), suffix))
    (found,) = read(data, path)
    assert (found.size, found.day) == (7, date(2022, 4, 25))
    before = len(data)
    (again,) = read(data, path)
    assert (again.state, again.size, again.day) == ("already there", 7, date(2022, 4, 25))
    assert len(data) == before


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("name", [n for n in KINDS if not n.endswith(".txt")])
def test_a_file_that_is_cut_is_refused_whole(data: Dataset, tmp_path: Path, name: str, suffix: str) -> None:
    content = packed((SAMPLES / name).read_bytes(), suffix)
    path = tmp_path / f"2022-04-25-{name}{suffix}"
    for part in (0.55, 0.9):
        path.write_bytes(content[: int(len(content) * part)])
        problem = fails(data, path, kind=KINDS[name])
        assert problem.source == str(path)
        assert problem.place or suffix


def test_zstandard_that_asks_for_a_huge_window_is_refused(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "rulings-2022-04-25.jsonl.zst"
    magic, window, block = b"\x28\xb5\x2f\xfd\x00", bytes([(31 - 10) << 3]), b"\x0b\x00\x00a"
    path.write_bytes(magic + window + block)
    assert "too much memory" in fails(data, path).problem


def test_a_few_bytes_that_unpack_to_very_many_are_unpacked_a_little_at_a_time(tmp_path: Path) -> None:
    size = 2**28
    path = tmp_path / "much.zst"
    path.write_bytes(zstandard.compress(bytes(size)))
    tracemalloc.start()
    try:
        with unpacked(path) as stream:
            assert sum(len(part) for part in iter(lambda: stream.read(2**16), b"")) == size
        assert tracemalloc.get_traced_memory()[1] < size // 2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("content", "place", "problem"),
    [
        (b'[{"oracle_id": 3, "published_at": "2020-01-01", "comment": "x"}]', "line 1", "3 is no oracle id"),
        (b'{"card_name": "x", "published_at": "2020-13-01", "comment": "x"}\n', "line 1", "is no day"),
        (b'{"card_name": "x", "published_at": "2020-01-01", "comment": 3}\n', "line 1", "comment must be a text"),
        (b'{"card_name": "x", "published_at": "2020-01-01", "comment": "x"}\n[1]\n', "line 2", "an object was"),
        (b'[{"card_name": "x", "published_at": "2020-01-01", "comment": "x"},\n nonsense and more and more and more]',
         "line 2, character 2", "is not JSON"),
        (b'{"card_name": "x", "published_at": "2020-01-01", "comment": "\xff"}\n', "", "not UTF-8"),
        (b'[{"card_name": "x", "published_at": "2020-01-01", "comment": "x"}] 3', "line 1", "something follows"),
        (b"[]", "", "nothing in it"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_a_place(data: Dataset, tmp_path: Path, content: bytes, place: str, problem: str) -> None:
    path = tmp_path / "rulings-2022-04-25.json"
    path.write_bytes(content)
    found = fails(data, path, kind="scryfall-rulings")
    assert found.place.startswith(place)
    assert problem in found.problem


def test_json_of_no_kind(data: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"meta": {}, "cards": []}')
    assert "no kind that is known" in fails(data, path).problem


def test_a_folder_is_read_and_others_files_in_it_are_passed_over(data: Dataset, tmp_path: Path) -> None:
    for name in (CARDS.name, OLD.name, "german.jsonl"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    assert sorted(f.kind for f in read(data, tmp_path)) == ["german-cards", "scryfall-cards", "scryfall-rulings"]


# --- the stream


def reader(text: str, size: int) -> Reader:
    """Given out in small pieces, so that every value is met in its middle."""

    class Slow(io.BytesIO):
        def read(self, _: int | None = -1, /) -> bytes:
            return super().read(size)

    return Reader(Slow(text.encode()))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    "value", [12, -3.5e10, "ä\\u00e4 \" \\ 𝄞", [1, [2, {"x": None}], True], {"a": {"b": []}, "c": "d"}, {}, [], 0],
)  # fmt: skip
def test_values_come_out_as_they_are(size: int, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert list(reader(f"[{text} , {text}]\n", size).items()) == [value, value]
    members = reader(f'{{"one": {text}, "two" : {text}}}', size)
    assert [(name, members.value()) for name in members.members()] == [("one", value), ("two", value)]
    if not isinstance(value, list):
        assert list(reader(f"\ufeff{text}\n{text}\n", size).items()) == [value, value]


@pytest.mark.parametrize("text", ["[1, 2", '["a', "[1,]", "[1 2]", "[1] 2", "nul", '{"a": 1', "{1: 2}", "[-]"])
def test_nothing_is_taken_for_something(text: str) -> None:
    with pytest.raises(SourceError):
        list(reader(text, 3).items())
