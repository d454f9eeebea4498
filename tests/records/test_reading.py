"""Every input form, and every way in which a file can be broken: one clear line, and the rest goes on."""

from __future__ import annotations

import gzip
import io
import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import zstandard

from rulewright.records import Record, RecordError, plain, read, reading

Plain = dict[str, Any]


def game(name: str = "1", **more: Any) -> Plain:
    return {
        "id": f"urn:example:game:{name}",
        "type": "Game",
        "players": [{"id": "#ana", "turnOrder": 1}],
        "cards": [{"id": "#bolt", "name": "Staggershock", "owner": "#ana", "manaCost": None, "types": []}],
        "events": [{"id": "#e1", "type": "Cast", "player": "#ana", "card": "#bolt", "object": "#s1", "from": "hand"}],
        **more,
    }


def of(data: bytes | str, name: str = "-", folder: Path | None = None) -> list[Record | RecordError]:
    """What is read of these bytes as standard input, or as a file of this name."""
    raw = data.encode() if isinstance(data, str) else data
    if folder is None:
        return list(read([name], stdin=io.BytesIO(raw)))
    (folder / name).write_bytes(raw)
    return list(read([folder / name]))


def problem(results: list[Record | RecordError]) -> tuple[str, str]:
    """The place and the text of the only problem."""
    (error,) = results
    assert isinstance(error, RecordError), error
    (found,) = error.problems
    assert "\n" not in str(found)
    return found.place, found.problem


def ids(results: list[Record | RecordError]) -> list[str]:
    return [str(r.id).rpartition(":")[2] if isinstance(r, Record) else "error" for r in results]


LINES = "".join(json.dumps(game(n)) + "\n" for n in "abc")
TURTLE = """@prefix game: <https://w3id.org/rulewright/game#> .
<urn:example:game:t> a game:Record ; game:events ( [ a game:Step ; game:turn 1 ] ) .
"""


class TestForms:
    @pytest.mark.parametrize("name", ["g.json", "g.jsonld", "g.JSON", "g", "g.txt", "-"])
    def test_one_document(self, name: str, tmp_path: Path) -> None:
        folder = None if name == "-" else tmp_path
        for indent in (None, 2):
            (record,) = of(json.dumps(game(), indent=indent), name, folder)
            assert isinstance(record, Record)
            assert plain(record) == game()
            assert record.source == ("standard input" if folder is None else str(tmp_path / name))

    @pytest.mark.parametrize("name", ["g.jsonl", "g.ndjson", "g", "-"])
    def test_lines(self, name: str, tmp_path: Path) -> None:
        assert ids(of(LINES, name, None if name == "-" else tmp_path)) == ["a", "b", "c"]
        assert ids(of(LINES.replace("\n", "\r\n\n").rstrip(), name, None if name == "-" else tmp_path)) == list("abc")

    def test_array(self) -> None:
        assert ids(of(json.dumps([game("a"), game("b")], indent=1))) == ["a", "b"]

    @pytest.mark.parametrize("pack", [(gzip.compress, ".gz"), (zstandard.ZstdCompressor().compress, ".zst")])
    def test_packed(self, pack: Any, tmp_path: Path) -> None:
        packed, suffix = pack
        assert ids(of(packed(LINES.encode()), f"g.jsonl{suffix}", tmp_path)) == ["a", "b", "c"]
        twice = packed(LINES.encode()) + packed(json.dumps(game("d")).encode())
        assert ids(of(twice, f"g.jsonl{suffix}", tmp_path)) == ["a", "b", "c", "d"]
        assert ids(of(packed(json.dumps(game("a"), indent=1).encode()), f"g.json{suffix}", tmp_path)) == ["a"]
        assert ids(of(packed(TURTLE.encode()), f"g.ttl{suffix}", tmp_path)) == ["t"]
        assert ids(of(packed(LINES.encode()))) == ["a", "b", "c"]

    @pytest.mark.parametrize("name", ["g.ttl", "g.trig", "g", "-"])
    def test_rdf(self, name: str, tmp_path: Path) -> None:
        assert ids(of(TURTLE, name, None if name == "-" else tmp_path)) == ["t"]

    def test_nquads_by_content(self) -> None:
        text = (
            "# games\n<urn:example:game:q> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
            "<https://w3id.org/rulewright/game#Record> <urn:g> .\n"
            "<urn:example:game:q> <https://w3id.org/rulewright/game#events> "
            "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> <urn:g> .\n"
        )
        assert ids(of(text)) == ["q"]

    def test_byte_order_mark_is_accepted(self) -> None:
        assert ids(of(b"\xef\xbb\xbf" + LINES.encode())) == ["a", "b", "c"]

    def test_record_without_id_gets_one_from_its_position(self) -> None:
        bare: Plain = {"events": []}
        results = of(json.dumps(game("a")) + "\n" + json.dumps(bare) + "\n")
        assert [str(r.id) for r in results if isinstance(r, Record)] == [
            "urn:example:game:a", "urn:rulewright:record:2",
        ]  # fmt: skip


class TestFolders:
    def test_sorted_and_recursive(self, tmp_path: Path) -> None:
        (tmp_path / "b").mkdir()
        (tmp_path / "b" / "x.jsonl").write_text(LINES)
        (tmp_path / "a.json").write_text(json.dumps(game("first")))
        (tmp_path / "c.ttl").write_text(TURTLE)
        (tmp_path / "notes.txt").write_text("no record")
        assert ids(list(read([tmp_path]))) == ["first", "a", "b", "c", "t"]

    def test_without_records(self, tmp_path: Path) -> None:
        assert problem(list(read([tmp_path])))[1].startswith("this folder holds no game records (.json ")

    def test_input_order(self, tmp_path: Path) -> None:
        for name in "ab":
            (tmp_path / f"{name}.json").write_text(json.dumps(game(name)))
        results = list(read([tmp_path / "b.json", tmp_path / "none.json", "-", str(tmp_path / "a.json")],
                            stdin=io.BytesIO(LINES.encode())))
        assert ids(results) == ["b", "error", "a", "b", "c", "a"]


class TestProblems:
    """Place and problem of what cannot be read."""

    @pytest.mark.parametrize(
        ("data", "place", "said"),
        [
            (b"", "", "is empty"),
            (b" \n\n ", "", "is empty"),
            (b"[]", "", "an empty list"),
            (json.dumps(game())[:-5].encode(), "line 1, column 292", "ends too early here: is the file whole?"),
            (b'{"id": "urn:x', "line 1, column 8", "ends too early"),
            (b'{\n "id": "urn:x",\n "events": [}', "line 3, column 13", "no JSON: expecting value at '}'"),
            (b'{\n "id": "urn:x" "events": []}', "line 2, column 16", "expecting ',' delimiter"),
            (b'{\n "id": "urn:x", "events": []}\n{\n"events": []}', "line 3, column 1", "name the file .jsonl"),
            (json.dumps(game(), indent=1).encode("utf-16"), "", "is UTF-16: save it as UTF-8"),
            (json.dumps(game()).encode("utf-16-le"), "", "is UTF-16: save it as UTF-8"),
            (json.dumps(game()).encode("utf-16-be"), "", "is UTF-16: save it as UTF-8"),
            (json.dumps(game()).encode("utf-32"), "", "is UTF-32: save it as UTF-8"),
            ('{\n"id": "urn:x", "events": [], "comment": "für"}'.encode("latin-1"), "line 2, column 43",
             "byte 0xFC is not UTF-8: save the file as UTF-8"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "", "is binary, and no text"),
            (b"[" * 100_000, "", "nested too deeply"),
            (b'{"id": "urn:x", "events": ' + b"[" * 900 + b"]" * 900 + b"}", "events[0]", "is not an object"),
            (b'{\n"events": [], "x": NaN}', "line 2, column 20", "NaN is no JSON"),
            (b'{\n"comment": "Infinity",\n "events": -Infinity}', "line 3, column 12", "-Infinity is no JSON"),
            (b'{"events": [], "date": ' + b"1" * 5000 + b"}", "line 1, column 24", "too many digits"),
            (b'{"id": "urn:x", "events": [], "id": "urn:y"}', "", "has the key 'id' twice"),
            (b'{"events": [\n{"type": "Step", "turn": 1, "turn": 2}]}', "events[0]", "has the key 'turn' twice"),
            (b'{"events": [\n{"type": "Step", "turn": 1.5}]}', "events[0].turn", "1.5 is not an integer"),
            (b'{"events": [\n{"type": "Step", "turn": 1e2}]}', "events[0].turn", "100.0 is not an integer"),
            (b'{"events": [], "comment": "\\ud800"}', "comment", "half a character"),
            (b'{"events": [], "\\ud800": 1}', "", "half a character"),
            (b'{"@context": {}, "a": ' + b"[" * 900 + b"]" * 900 + b"}", "", "nested too deeply"),
            (b'"a text"', "line 1", "a record is a JSON object, not a text"),
            (b"nothing of the kind", "line 1, column 1", "(read as RDF, since it does not begin as JSON does)"),
            (b'{"@context": "https://example.org/context.jsonld", "events": []}', "@context", "is not fetched"),
        ],
    )  # fmt: skip
    def test_document(self, data: bytes, place: str, said: str, tmp_path: Path) -> None:
        name = "-" if "read as RDF" in said else "g.json"
        found_place, found = problem(of(data, name, None if name == "-" else tmp_path))
        assert said in found, found
        assert found_place == place

    def test_pairs_of_surrogates_are_whole(self) -> None:
        assert isinstance(of(b'{"events": [], "comment": "\\ud83d\\ude00"}')[0], Record)

    @pytest.mark.parametrize(
        ("line", "place", "said"),
        [
            ("{id: 3}", "line 2, column 2", "expecting property name"),
            ('{"id": "urn:x"', "line 2, column 15", "ends too early"),
            ('{"events": [{"type": "Move", "to": "void"}]}', "line 2, events[0].to", "'void' is no zone"),
            ('{"id": "urn:x"}', "line 2, events", "missing"),
            ('{"id": "urn:x", "events": [], "events": []}', "line 2", "has the key 'events' twice"),
            ('{"events": [{"turn": NaN}]}', "line 2, column 22", "NaN is no JSON"),
            ("[]", "line 2", "is an empty list"),
            ('[{"events": []}]', "line 2", "is a list: JSON Lines has one record a line"),
            ("17", "line 2", "a record is a JSON object, not a number"),
            ("[" * 5000, "line 2", "nested too deeply"),
            ('{"@context": "https://example.org/c"}', "line 2, @context", "is not fetched"),
        ],
    )
    def test_a_bad_line_is_one_error_and_the_rest_goes_on(self, line: str, place: str, said: str) -> None:
        text = json.dumps(game("a")) + "\n" + line + "\n" + json.dumps(game("c")) + "\n"
        first, bad, last = of(text)
        assert ids([first, last]) == ["a", "c"]
        found_place, found = problem([bad])
        assert said in found, found
        assert found_place == place

    def test_a_bad_byte_in_one_line(self) -> None:
        first, bad, last = of(json.dumps(game("a")).encode() + b'\n{"x": "\xff"}\n' + json.dumps(game("c")).encode())
        assert ids([first, last]) == ["a", "c"]
        assert problem([bad]) == ("line 2, column 8", "byte 0xFF is not UTF-8: save the file as UTF-8")

    def test_a_bad_record_in_an_array(self) -> None:
        first, bad, last = of(json.dumps([game("a"), game("b", date="soon"), 3], indent=1))
        assert ids([first]) == ["a"]
        assert problem([bad]) == ("record 2, date", "urn:example:game:b: 'soon' is no date: write YYYY-MM-DD")
        assert problem([last]) == ("record 3", "a record is a JSON object, not a number")

    def test_document_named_as_lines(self, tmp_path: Path) -> None:
        assert "name the file .json" in problem(of(json.dumps(game(), indent=1), "g.jsonl", tmp_path))[1]

    def test_several_problems_of_one_record_are_all_said(self) -> None:
        (error,) = of(json.dumps(game(date="soon", cards=[{"id": "#bolt", "owner": "#nobody"}])))
        assert isinstance(error, RecordError)
        assert [p.place for p in error.problems] == ["date", "cards[0].owner"]

    def test_warnings_have_a_place(self) -> None:
        _first, second = of(LINES.splitlines()[0] + "\n" + json.dumps(game("b", weather="fine")))
        assert isinstance(second, Record)
        assert second.warnings == ["line 2, weather: unknown property, ignored"]

    def test_missing_and_unreadable(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert problem(list(read([tmp_path / "none.json"])))[1] == "there is no such file"
        (tmp_path / "file").write_text("{}")
        assert problem(list(read([tmp_path / "file" / "g.json"])))[1] == "cannot be read: Not a directory"
        assert problem(list(read(["\0.json"])))[1].startswith("cannot be read: ")

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("builtins.open", refuse)
        assert problem(list(read(["g.json"])))[1] == "cannot be read: Permission denied"

    @pytest.mark.parametrize("pack", [(gzip.compress, ".gz"), (zstandard.ZstdCompressor().compress, ".zst")])
    def test_damaged(self, pack: Any, tmp_path: Path) -> None:
        packed, suffix = pack
        body = packed(os.urandom(50).hex().join([LINES, "\n"]).encode())
        *_good, error = of(body[:-10], f"g.jsonl{suffix}", tmp_path)
        assert "is cut off" in problem([error])[1]
        assert problem(of(b"{}" + body, f"g.jsonl{suffix}", tmp_path))[1].startswith("is damaged, or not packed")
        assert problem(of(body, "g.jsonl", tmp_path))[1] == f"is packed: give its name the suffix {suffix}"

    def test_cut_off_after_good_records(self, tmp_path: Path) -> None:
        noise = json.dumps(game("noise", comment=os.urandom(200_000).hex()))
        results = of(gzip.compress(f"{LINES}{noise}\n".encode())[:-1000], "g.jsonl.gz", tmp_path)
        assert ids(results) == ["a", "b", "c", "error"]
        assert problem(results[3:]) == ("line 4", "is cut off: the packed data ends too early")


class TestLimits:
    def test_long_line_is_skipped_and_not_held(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "LINE_LIMIT", 2**20)
        path = tmp_path / "g.jsonl.gz"
        with gzip.open(path, "wb") as stream:
            stream.write(json.dumps(game("a")).encode() + b"\n")
            for _ in range(64):
                stream.write(b" " * 2**20)
            stream.write(b"x\n" + json.dumps(game("c")).encode() + b"\n")
        list(read([path]))
        tracemalloc.start()
        results = list(read([path]))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert ids(results) == ["a", "error", "c"]
        assert problem(results[1:2]) == ("line 2", "is longer than 1 MiB: JSON Lines has one record a line")
        assert peak < 8 * 2**20

    def test_line_at_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        line = json.dumps(game("a")) + "\n"
        monkeypatch.setattr(reading, "LINE_LIMIT", len(line))
        assert ids(of(line + line)) == ["a", "a"]
        monkeypatch.setattr(reading, "LINE_LIMIT", len(line) - 1)
        assert ids(of(line + line)) == ["error", "error"]

    def test_long_document(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "DOCUMENT_LIMIT", 2**20)
        _place, said = problem(of(b" " * (2**20 + 1), "g.json", tmp_path))
        assert said.startswith("is longer than 1 MiB: split it, or write JSON Lines")

    def test_lines_are_streamed(self) -> None:
        """The first record is there before the rest is read, and memory does not grow with the number of lines."""
        line = json.dumps(game("a")).encode() + b"\n"

        class Endless(io.RawIOBase):
            given = 0

            def readable(self) -> bool:
                return True

            def readinto(self, buffer: Any) -> int:
                data = (line * (len(buffer) // len(line) + 1))[self.given % len(line) :][: len(buffer)]
                buffer[: len(data)] = data
                self.given += len(data)
                return len(data)

        source = Endless()
        results = read(["-"], stdin=io.BufferedReader(source))
        assert isinstance(next(results), Record)
        assert source.given < 2**20
        tracemalloc.start()
        for _ in range(2000):
            assert isinstance(next(results), Record)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2**20


def test_parameters_of_keywords() -> None:
    data = json.dumps(game(cards=[{"id": "#c", "keywords": [{"keyword": "cling", "depth": 3}]}], events=[])).encode()
    (record,) = read(["-"], frozenset({"depth"}), io.BytesIO(data))
    assert isinstance(record, Record)
    assert not record.warnings
    assert plain(record)["cards"] == [{"id": "#c", "keywords": [{"keyword": "cling", "depth": 3}]}]
