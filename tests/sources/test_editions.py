"""Reading editions and following rules: on editions of our own making and, where the archive is there, on real ones."""

import datetime as dt
import io
import tarfile
from pathlib import Path

import pytest

from rulewright.sources import editions as ed

ARCHIVE = Path(__file__).parents[3] / "shared" / "data" / "comprehensive-rules.tar.xz"
TABLE = Path(__file__).parents[2] / "data" / "rules.ttl"
real = pytest.mark.skipif(not ARCHIVE.exists(), reason="not there: ../shared/data/comprehensive-rules.tar.xz")

OLD = """Toy Rules

These rules are effective as of March 1, 2010.

Contents

1. Basics
100. General
7. More
701. Keyword Actions
702. Keyword Abilities

Glossary

1. Basics

100. General

100.1. Any group of friends can sit down and enjoy the toy game together.
Example: 100.2 is not a rule here.

100.2. A toy’s owner is whoever brought that toy to the table (see rule 702.5a).

Ownership never changes while the game goes on.

100.2a Toys that nobody brought are owned by the host.

7. More

701. Keyword Actions

701.1. Some verbs have a special meaning in these rules and are explained below.

701.2. Sleep

701.2a To make a toy sleep, lay it on its side.

702. Keyword Abilities

702.1. Some abilities are printed as a single word and are explained below.

702.2. Bounce

702.2a Bounce works while the toy is in the air, and it says “leave the table and return at the next bell.”

702.2b Multiple instances of bounce on the same toy are redundant.

702.3. Sleep

702.3a Sleep works while the toy lies on its side.

Glossary

Bounce
A keyword ability. See rule 702.2, “Bounce.”
702.9z This line belongs to the glossary.
"""

NEW = (
    OLD.replace("March 1, 2010", "June 5, 2011")
    .replace("702.3. Sleep\n\n702.3a Sleep", "702.4. Sleep\n\n702.4a Sleep")
    .replace("702.2b Multiple instances of bounce", "702.3b Multiple instances of bounce")
    .replace("702.2a Bounce works", "702.3a Bounce works")
    .replace(
        "702.2. Bounce\n\n",
        "702.2. Anchor\n\n702.2a Anchored toys stay where they are.\n\n"
        "702.2b Multiple instances of anchor on the same toy are redundant.\n\n702.3. Bounce\n\n",
    )
    .replace("Any group of friends can", "Any group of people can")
    .replace("702.5a", "702.6a")
)


def make(text: str, name: str = "", encoding: str = "utf-8") -> ed.Edition:
    return ed.edition(text.encode(encoding), name)


def archive(path: Path, **texts: str) -> Path:
    with tarfile.open(path, "w:xz") as tar:
        for name, text in texts.items():
            info = tarfile.TarInfo(f"./{name.strip('_').replace('_', '-')}.txt")
            raw = text.encode()
            info.size = len(raw)
            tar.addfile(info, io.BytesIO(raw))
    return path


@pytest.mark.parametrize(
    ("end", "terms"),
    [
        ("", []),
        ("\n\nDoze\nSee Sleep.", ["Bounce"]),
        ("\n\nDoze", ["Bounce"]),
        ("\n\nDoze\nSee Sleep.\n\nCredits\n", ["Bounce", "Doze"]),
    ],
)
def test_of_a_glossary_that_breaks_off_all_but_what_stands_last(end: str, terms: list[str]) -> None:
    found = ed.edition((OLD.rstrip() + end).encode(), "2010-03-01.txt")
    assert [term for term, _ in found.glossary] == terms
    assert found.reaches == ("credits" if "Credits" in end else "glossary")


def test_rules_without_contents_examples_and_glossary() -> None:
    rules = ed.read(OLD.encode())
    assert [n for n, _ in rules] == [
        "100",
        "100.1",
        "100.2",
        "100.2a",
        "701",
        "701.1",
        "701.2",
        "701.2a",
        "702",
        "702.1",
        "702.2",
        "702.2a",
        "702.2b",
        "702.3",
        "702.3a",
    ]
    assert dict(rules)["100"] == "General"
    assert dict(rules)["100.2"].endswith("(see rule 702.5a). Ownership never changes while the game goes on.")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\n\r"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    assert ed.read(OLD.replace("\n", end).encode(encoding)) == ed.read(OLD.encode())


def test_big_endian_and_dos_code_page() -> None:
    assert ed.read(b"\xfe\xff" + OLD.encode("utf-16-be")) == ed.read(OLD.encode())
    plain = OLD.replace("’", "'").replace("“", '"').replace("”", '"').replace("the host", "Dandân and Lim-Dûl")
    assert ed.read(plain.encode("cp437")) == ed.read(plain.encode())


def test_a_wrapped_edition_reads_as_an_unwrapped_one() -> None:
    long = OLD.replace("lay it on its side.", "lay it on its side. " + "It does not wake before it is told to. " * 6)
    wrapped = []
    for paragraph in long.split("\n"):
        line = ""
        for word in paragraph.split():
            if len(line) + len(word) > 70:
                wrapped.append(line)
                line = ""
            line = f"{line} {word}".strip()
        wrapped.append(line)
    assert [(n, t.split()) for n, t in ed.read("\n".join(wrapped).encode())] == [
        (n, t.split()) for n, t in ed.read(long.encode())
    ]


def test_italics_and_missing_spaces() -> None:
    assert ed.read(OLD.replace("bell.", "_bell_.").encode()) == ed.read(OLD.encode())
    assert ed.read(OLD.replace("100.1. Any", "100.1.Any").encode()) == ed.read(OLD.encode())


def test_name_and_effective_day() -> None:
    assert make(OLD, "2010-02-26.txt").name == "2010-02-26"
    assert make(OLD, "2010-02-26.txt").effective == dt.date(2010, 3, 1)
    assert make(OLD, "CR20100226.txt").name == "2010-02-26"
    assert make(OLD, "2012-03-01.txt").name == "2010-03-01", "a file misnamed by years goes by what it states"
    assert make(OLD.replace("effective", "current")).name == "2010-03-01"
    with pytest.raises(ValueError, match="states no effective date"):
        make(OLD.replace("effective", "good"), "rules.txt")


def test_what_is_no_edition_is_refused() -> None:
    with pytest.raises(ValueError, match="not an edition"):
        ed.read(b"Just a letter.\n")


def test_a_rule_is_followed_when_numbers_move() -> None:
    old, new = make(OLD), make(NEW)
    traced = ed.trace(
        [old, new], [("702.3a", new.name), ("702.3b", new.name), ("702.2b", new.name), ("100.1", new.name)]
    )
    assert [(v.edition, v.number) for v in traced["702.3a", new.name]] == [
        ("2010-03-01", "702.2a"),
        ("2011-06-05", "702.3a"),
    ]
    assert [v.number for v in traced["702.3b", new.name]] == ["702.2b", "702.3b"]
    assert [v.number for v in traced["702.2b", new.name]] == ["702.2b"], "another keyword's rule is not its past"
    assert [(v.edition, v.number) for v in traced["100.1", new.name]] == [
        ("2010-03-01", "100.1"),
        ("2011-06-05", "100.1"),
    ]
    assert len({v.digest for v in traced["100.1", new.name]}) == 2


def test_a_rule_is_followed_to_newer_editions_too() -> None:
    old, new = make(OLD), make(NEW)
    assert [v.number for v in ed.trace([old, new], [("702.2a", old.name)])["702.2a", old.name]] == ["702.2a", "702.3a"]


def test_a_reference_that_moves_changes_the_wording_not_the_rule() -> None:
    old, new = make(OLD), make(NEW)
    versions = ed.trace([old, new], [("100.2", new.name)])["100.2", new.name]
    assert [v.edition for v in versions] == [old.name, new.name]


def test_unchanged_rules_have_one_version() -> None:
    old, new = make(OLD), make(NEW)
    assert [v.edition for v in ed.trace([old, new], [("701.2a", new.name)])["701.2a", new.name]] == [old.name]


def test_tracing_stops_at_a_rewritten_rule() -> None:
    old, new = (
        make(OLD),
        make(OLD.replace("2010", "2011").replace("lay it on its side.", "turn off the light and sing.")),
    )
    assert len(ed.trace([old, new], [("701.2a", new.name)])["701.2a", new.name]) == 1


def test_a_number_printed_twice() -> None:
    twice = make(OLD.replace("702.2b Multiple", "702.2a Multiple"))
    new = make(NEW)
    second = ed.trace([twice, new], [("702.3b", new.name)])["702.3b", new.name][0]
    assert (second.number, second.path) == ("702.2a", "edition/2010-03-01/702.2a-2")


def test_headings_and_slugs() -> None:
    new = make(NEW)
    assert ed.heading(new, "702.3a").slug == "bounce-a"
    assert ed.heading(new, "702.3").slug == "bounce"
    assert ed.heading(new, "702.1").slug == "keyword-abilities-1"
    assert ed.heading(new, "100.2a").slug == "general-2a"
    assert ed.heading(new, "701.2a").slug == "keyword-actions-sleep-a", (
        "a heading that is not unique follows its parent's"
    )
    assert ed.heading(new, "702.4a").label("Schlaf") == "Schlaf, a"
    assert ed.slug("Players’ Toys and/or Games") == "players-toys-and-or-games"


def test_the_table_is_remade_alike_and_added_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = archive(tmp_path / "a.tar.xz", _2010_03_01=OLD, _2011_06_05=NEW)
    table = tmp_path / "rules.ttl"
    table.write_text(ed.turtle(ed.read_archive(packed), [ed.mint(make(NEW), "702.3a", "Hüpfen")]), encoding="utf-8")
    before = table.read_text(encoding="utf-8")
    assert ed.main([str(packed), "--rules", str(table), "--check"]) == 0
    assert (
        ed.main(
            [str(packed), "--rules", str(table), "--add", "702.3b", "--add", "100.1=Allgemeines", "--add", "702.3a"]
        )
        == 0
    )
    after = table.read_text(encoding="utf-8")
    assert [c.slug for c in ed.read_table(table)] == ["bounce-a", "bounce-b", "general-1"]
    assert '"Hüpfen, b"@de' in after
    assert after != before
    assert ed.main([str(packed), "--rules", str(table)]) == 0
    assert table.read_text(encoding="utf-8") == after
    assert ed.main([str(packed), "--rules", str(table), "--add", "701.2a"]) == 2
    assert "give the German" in capsys.readouterr().err
    assert ed.main([str(packed), "--rules", str(table), "--add", "999.1=Nichts"]) == 2
    assert table.read_text(encoding="utf-8") == after


def test_identifiers_outlive_their_number(tmp_path: Path) -> None:
    packed = archive(tmp_path / "a.tar.xz", _2010_03_01=OLD, _2011_06_05=NEW)
    old = ed.read_archive(packed)[0]
    table = tmp_path / "rules.ttl"
    table.write_text(ed.turtle([old], [ed.mint(old, "702.2a", "Hüpfen")]), encoding="utf-8")
    assert ed.main([str(packed), "--rules", str(table)]) == 0
    text = table.read_text(encoding="utf-8")
    assert "<edition/2011-06-05/702.3a> a rw:RuleVersion ;\n    rw:versionOf rule:bounce-a ;" in text
    assert '    rw:mintedAs "702.2a" ;' in text


HISTORY = {
    "702.88a": "2010-04-23 702.85a, 2011-06-17 702.86a, 2013-07-11 702.87a, 2021-04-19 702.88a",
    "702.88b": "2010-04-23 702.85b, 2011-06-17 702.86b, 2013-07-11 702.87b, 2021-04-19 702.88b",
    "702.88c": "2010-04-23 702.85c, 2011-06-17 702.86c, 2013-07-11 702.87c, 2021-04-19 702.88c",
    "702.62a": "2006-10-01 502.59a, 2009-07-11 702.59a, 2011-06-17 702.60a, 2013-07-11 702.61a, 2021-04-19 702.62a",
    "702.62b": "2006-10-01 502.59b, 2009-07-11 702.59b, 2011-06-17 702.60b, 2013-07-11 702.61b, 2021-04-19 702.62b",
    "702.34a": "2003-03-15 502.22a, 2009-07-11 702.31a, 2011-06-17 702.32a, 2013-07-11 702.33a, 2021-04-19 702.34a",
    "702.33a": "2003-03-15 502.21a, 2009-07-11 702.30a, 2011-06-17 702.31a, 2013-07-11 702.32a, 2021-04-19 702.33a",
    "702.85a": "2009-05-01 502.85a, 2009-07-11 702.82a, 2011-06-17 702.83a, 2013-07-11 702.84a, 2021-04-19 702.85a",
    "702.102a": "2013-04-29 702.100a, 2013-07-11 702.101a, 2021-04-19 702.102a",
    "702.127a": "2017-04-28 702.126a, 2021-04-19 702.127a",
    "702.138a": "2020-01-22 702.137a, 2021-04-19 702.138a",
    "702.174a": "2024-08-02 702.174a",
    "709.1": "2003-03-15 505.1, 2009-07-11 708.1, 2021-07-12 709.1",
    "709.4b": "2017-04-28 708.4b, 2021-07-12 709.4b",
    "118.9a": "2009-07-11 116.9a, 2010-07-16 117.9a, 2019-07-12 118.9a",
    "601.2f": "2003-03-15 409.1f, 2009-07-11 601.2e, 2015-07-17 601.2f",
    "616.1": "2003-03-15 419.8a, 2003-07-01 419.9a, 2009-07-11 615.1, 2009-10-01 616.1",
    "101.4": "2003-07-01 103.4, 2009-07-11 101.4",
}


@pytest.fixture(scope="module")
def published() -> list[ed.Edition]:
    return ed.read_archive(ARCHIVE)


@pytest.fixture(scope="module")
def remade(published: list[ed.Edition]) -> str:
    return ed.turtle(published, ed.read_table(TABLE))


@real
def test_all_editions_are_read(published: list[ed.Edition]) -> None:
    assert len(published) == 107
    assert {
        e.name: e.effective.isoformat() for e in published if e.name in {"2024-02-06", "2021-04-19", "2004-06-01"}
    } == {"2004-06-01": "2004-06-01", "2021-04-19": "2021-04-22", "2024-02-06": "2024-02-02"}
    assert len(published[-1].rules) > 3000
    assert min(len(e.rules) for e in published) > 500
    assert not any("\ufffd" in text for e in published for _, text in e.rules)


@real
def test_the_table_is_what_the_archive_gives(remade: str) -> None:
    assert TABLE.read_text(encoding="utf-8") == remade


def moves() -> dict[str, str]:
    """By the number at minting: the editions at which the number changed, as the table has them."""
    import pyoxigraph as ox

    store = ox.Store()
    store.load(path=str(TABLE), format=ox.RdfFormat.TURTLE)
    found: dict[str, list[tuple[str, str]]] = {}
    rows = store.query(
        "PREFIX rw: <https://w3id.org/rulewright/core#> SELECT ?minted ?number ?edition "
        "{ ?v rw:versionOf ?r ; rw:number ?number ; rw:inEdition ?edition . ?r rw:mintedAs ?minted } "
        "ORDER BY ?minted ?edition"
    )
    assert isinstance(rows, ox.QuerySolutions)
    for row in rows:
        minted, number, edition = (str(row[i].value) for i in range(3))
        past = found.setdefault(minted, [])
        if not past or past[-1][1] != number:
            past.append((edition.rsplit("/", 1)[1], number))
    return {minted: ", ".join(f"{e} {n}" for e, n in past) for minted, past in found.items()}


def test_known_histories() -> None:
    found = moves()
    assert {number: found[number] for number in HISTORY} == HISTORY


@real
def test_every_number_stands_in_its_edition(published: list[ed.Edition]) -> None:
    import pyoxigraph as ox

    by_name = {e.name: {n for n, _ in e.rules} for e in published}
    pairs: dict[str, dict[str, str]] = {}
    for quad in ox.parse(path=str(TABLE), format=ox.RdfFormat.TURTLE):
        if quad.predicate.value.endswith(("#number", "#inEdition")):
            pairs.setdefault(str(quad.subject), {})[quad.predicate.value.rsplit("#", 1)[1]] = quad.object.value
    assert len(pairs) > 1000
    wrong = [p for p in pairs.values() if p["number"] not in by_name[p["inEdition"].rsplit("/", 1)[1]]]
    assert wrong == []
