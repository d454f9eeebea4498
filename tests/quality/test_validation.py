"""Validation: the project's data conform, every planted slip is found, and nothing that is right is found."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.quality import reports
from rulewright.quality.validation import LANGUAGES, Finding, Report, validate
from rulewright.sources.ingest import Ingested, ingest
from rulewright.store import Dataset

rdflib = pytest.importorskip("rdflib")

ROOT = Path(__file__).parents[2]
SEEDS = ROOT.parent / "shared" / "seeds"
SH = rdflib.SH
KEYS = [
    "kind", "shape", "severity", "file", "statement", "line", "id", "node", "path", "value", "words", "message", "mend",
]  # fmt: skip


def run(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "rulewright", "validate", *map(str, arguments)],
        input=stdin, capture_output=True, check=False,
    )  # fmt: skip
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err, err
    return done.returncode, out, err


def kinds(findings: list[Finding]) -> set[tuple[int | None, str, tuple[str, ...]]]:
    return {(f.statement, f.kind, tuple(w.text for w in f.words)) for f in findings}


# --- the project's own data


def test_the_packages_data_conform() -> None:
    code, out, err = run("--format", "json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["conforms"]
    assert told["findings"] == []
    nodes = {c["label"]["en"]: c["nodes"] for c in told["checked"]}
    assert nodes["statement"] == nodes["text"] == nodes["publication"] == 68
    assert nodes["keyword"] == sum(
        file.read_text(encoding="utf-8").count(" a rw:Keyword ;") for file in (ROOT / "data" / "keywords").glob("*.ttl")
    )
    assert {"rule", "rule version", "edition", "card", "face", "source", "term", "label of a term"} <= nodes.keys()
    assert {"permission", "prohibition", "replacement", "trigger", "cost", "condition"} <= nodes.keys()
    assert all(c["label"].keys() == {"en", "de"} and c["nodes"] > 0 for c in told["checked"])
    assert told["summary"]["nodes"] == sum(nodes.values())


# file, text, what stands instead, the shape that must find it
SLIPS = [
    ("data/rulings/rebound.ttl", "rw:status rw:normative", "rw:status rw:binding", "Statement-status"),
    ("data/rulings/escape.ttl", "rw:mainRule rule:", "rw:mainRule rule:no-such-", "Statement-mainRule"),
    ("data/rulings/gift.ttl", "rw:sequence 1 ;", "rw:sequence 0 ;", "Statement-sequence"),
    ("data/rulings/suspend.ttl", 'rw:normalisation "1"', 'rw:normalisation "9"', "Text-normalisation"),
    ("data/cards.ttl", '"Abbrechen"@de', '"Abbrechen"@en', "Card-name"),
    ("data/keywords/flashback.ttl", '"Rückblende"@de', '"flashback"@fr', "Keyword-prefLabel"),
    ("data/keywords/aftermath.ttl", "rw:authority rule:aftermath-a .", 'rdfs:comment "x"@en .', "Axiom-authority"),
    ("data/terms/terms.ttl", "dcterms:isReplacedBy term:aftermath-de-nachhall ;", "", "Concept-hiddenLabel"),
    ("data/terms/terms.ttl", '"Manabetrag"@de', '"Manabetrag"@fr', "Label-literalForm"),
    ("data/terms/terms.ttl", "skos:inScheme <terms>", "skos:inScheme <lists>", "Concept-inScheme"),
    (
        "data/terms/terms.ttl", "isReplacedBy term:mana-value-de-manabetrag", "isReplacedBy term:escape-de-befreiung",
        "Label",
    ),
]  # fmt: skip


def test_slips_in_data_are_found(tmp_path: Path) -> None:
    expected: dict[str, set[str]] = {}
    for name, old, new, shape in SLIPS:
        text = (ROOT / name).read_text(encoding="utf-8")
        file = tmp_path / Path(name).name
        text = file.read_text(encoding="utf-8") if file.exists() else text
        assert old in text, old
        file.write_text(text.replace(old, new, 1) if new else text.replace(old, new), encoding="utf-8")
        expected.setdefault(str(file), set()).add(shape)
    report = validate([tmp_path])
    assert report.errors == []
    assert not report.conforms
    found: dict[str, set[str]] = {}
    for finding in report.findings:
        found.setdefault(finding.file, set()).add(finding.kind)
        assert finding.severity == "violation"
        assert finding.message["en"] != finding.message["de"]
        assert finding.statement is None
    for file, shapes in expected.items():
        assert shapes <= found[file], file
    assert found.keys() == expected.keys()
    # One slip can break what depends on it, but nothing of another node.
    for name, kind in (("cards.ttl", "Card-name"), ("flashback.ttl", "Keyword-prefLabel")):
        assert {f.kind for f in report.findings if Path(f.file).name == name} == {kind}
    for form in ("text", "junit", "shacl", "json"):
        assert "\n".join(reports.written(report, form, "de"))


def test_files_are_held_to_the_package_and_only_they_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "keyword.ttl"
    base = "https://w3id.org/rulewright/"
    prefixes = (
        f"@prefix rw: <{base}core#> . @prefix kw: <{base}keyword/> . @prefix rule: <{base}rule/> . "
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
    )
    file.write_text(f'{prefixes} kw:ember a rw:Keyword ; skos:prefLabel "ember"@en , "Glut"@de ; '
                    "rw:definedBy rule:rebound-a .", encoding="utf-8")
    code, out, err = run(file, "--lang", "en")
    assert (code, err) == (0, "")
    assert out == "Checked: 1 × keyword.\nnodes: 1 – nothing to mend.\n"
    file.write_text(f"{prefixes} [] a rw:Keyword ; rw:definedBy rule:nowhere .", encoding="utf-8")
    report = validate([file])
    assert {"Keyword", "Keyword-prefLabel"} <= {f.kind for f in report.findings}
    assert {f.file for f in report.findings} == {str(file)}


# --- documents


def document(name: str, *statements: tuple[str, str]) -> str:
    return "\n\n".join([name, *(part for pair in statements for part in pair)])


CLEAN = {
    # German, with English names, names with capitals inside, a hyphen after a term, everyday words
    "german.txt": document(
        "Nebelkeiler",
        ("01/02/2024", "Eine Karte mit Nachhall darf aus dem Friedhof gewirkt werden. Sie gilt dort nicht als "
         "Destined // Lead, auch wenn Meddling Mage oder Crook of Condemnation im Spiel ist."),
        ("01/02/2024", "Der Manabetrag von „Old MacDonald’s Barn“ bleibt, wie er ist, und ein iPhone zählt nicht mit. "
         "McCoy und O’Brien dürfen mitspielen."),
        ("01/02/2024", "Die Flucht ist hier keine Fähigkeit: Wer auf der Flucht ist, dem kann niemand entkommen."),
        ("01/02/2024", "Chronomagische Flucht hat Aussetzen, und die Aussetzen-Kosten werden beim Aussetzen bezahlt."),
        ("01/02/2024", "Nach Regel 702.88a gilt das nur auf dem Stapel; siehe auch 601.2f-h und Kapitel 123.4."),
    ),
    "escape.txt": document(
        "Funkenläufer",
        ("05/03/2021", "Mit Befreiung wirkst du die Karte für ihre Befreiungskosten; der Zauberspruch befreit sich."),
        ("05/03/2021", "Die Befreiungsfähigkeit ändert nicht, wann du den Zauberspruch wirken darfst."),
    ),
    "english.txt": document(
        "Nebelkeiler",
        ("2024-02-01", "This card may be cast from your graveyard. If it is, it is exiled as it leaves the stack."),
        ("2024-02-01", "The mana value of the spell doesn't change, and an opponent can't escape from this."),
        ("2024-02-01", "Rule 702.88a is what the ability rests on when the spell was cast from your hand."),
    ),
}  # fmt: skip

SLIPPED = {
    "terms.txt": document(
        "Nebelkeiler",
        ("01/02/2024", "Ein Zauberspruch mit Nachwirkung geht danach ins Exil. "
         "Die Hälfte mit Nachwirkung bleibt nicht liegen."),
        ("01/02/2024", "Die umgewandelten Manakosten und der Manawert der Karte sind dasselbe."),
        ("01/02/2024", "Der Zauberspruch wird gekontert; in deiner Versorgungsphase geschieht nichts."),
        ("01/02/2024", "Du wirkst die Karte mit Befreiung, und danach ist der Zauberspruch entflohen."),
        ("01/02/2024", "Bezahle die Fluchtkosten, wenn du den Zauberspruch mit Flucht wirkst."),
    ),
    "languages.txt": document(
        "Nebelkeiler",
        ("01/02/2024", "Du kannst die Karte aus deinem Friedhof wirken, wenn der Stapel leer ist."),
        ("01/02/2024", "You may choose a new target for the copy if you want to, and it doesn't have to be legal."),
        ("01/02/2024", "Der Zauberspruch wird neutralisiert (because none of these targets are legal any more) "
         "und bleibt liegen."),
    ),
    "english.txt": document(
        "Nebelkeiler",
        ("2024-02-01", "If the spell is countered, it is put into its owner's graveyard and you can't cast it."),
        ("2024-02-01", "Du kannst die Karte nicht noch einmal aus deinem Friedhof wirken."),
        ("2024-02-01", "The converted mana cost of the copy is that of the spell, as it was on the stack."),
    ),
    "numbers.txt": document(
        "Nebelkeiler",
        ("01/06/2010", "Regel 702.85a sagt, wann du die Karte noch einmal wirken darfst."),
        ("01/06/2010", "Die Kosten werden nach 601.2e-f bestimmt, wie es für jeden Zauberspruch gilt."),
        ("01/06/2022", "Regel 702.85a sagt, wie viele Karten du aufdecken und wirken darfst."),
    ),
    "page.txt": "| abstract\n| - Zum Nachlesen 702.85. Abprall 702.85a Du kannst die Karte im nächsten Zug noch einmal "
    "wirken. 702.85c Zweimal dasselbe ist nicht mehr als einmal.\n"
    "* Du wirkst sie dankAbprall noch einmal, aber nur aus dem Exil.\n",
    "spelling.txt": document(
        "Nebelkeiler",
        ("01/02/2024", "Du legst die Karte aufden Stapel, dannGeschieht nichts, bis der FriedhofStapel leer ist."),
    ),
}  # fmt: skip
"""Our own documents, each with slips of one kind."""


@pytest.fixture(scope="module")
def slipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in SLIPPED.items():
        line_end = "\r\n" if name == "terms.txt" else "\n"
        (folder / name).write_bytes(text.replace("\n", line_end).encode())
    return folder, validate([folder])


def of(report: Report, name: str) -> list[Finding]:
    return [f for f in report.findings if Path(f.file).name == name]


def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path) -> None:
    for name, text in CLEAN.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = validate([tmp_path])
    assert report.errors == []
    assert kinds(report.findings) == set()
    assert report.conforms
    assert [len(d.statements) for d in report.documents] == [3, 2, 5]


def test_deviating_terms(slipped: tuple[Path, Report]) -> None:
    _, report = slipped
    found = of(report, "terms.txt")
    assert kinds(found) == {
        (1, "deviating-term", ("Nachwirkung", "Nachwirkung")),
        (2, "deviating-term", ("umgewandelten Manakosten",)),
        (2, "deviating-term", ("Manawert",)),
        (3, "deviating-term", ("gekontert",)),
        (3, "deviating-term", ("Versorgungsphase",)),
        (4, "deviating-term", ("entflohen",)),
        (5, "deviating-term", ("Fluchtkosten",)),
        (5, "deviating-term", ("Flucht",)),
    }
    assert {f.severity for f in found} == {"warning"}
    by_word = {f.words[0].text: f for f in found}
    assert by_word["Nachwirkung"].value == "Nachhall"
    assert by_word["Fluchtkosten"].value == "Befreiungskosten"
    assert by_word["Manawert"].value == by_word["umgewandelten Manakosten"].value == "Manabetrag"
    text = SLIPPED["terms.txt"].split("\n\n")[2]
    assert [text[w.start : w.end] for w in by_word["Nachwirkung"].words] == ["Nachwirkung", "Nachwirkung"]
    assert by_word["Nachwirkung"].mend == {
        "en": "Write “Nachhall”, inflected as needed.", "de": "Schreibe „Nachhall“, gebeugt, wie es passt.",
    }  # fmt: skip


def test_other_languages_than_the_documents(slipped: tuple[Path, Report]) -> None:
    _, report = slipped
    assert kinds(of(report, "languages.txt")) == {
        (2, "untranslated-statement", ("You may choose a new target …",)),
        (3, "untranslated-remark", ("because none of these targets are legal any more",)),
    }
    assert kinds(of(report, "english.txt")) == {
        (2, "untranslated-statement", ("Du kannst die Karte nicht noch …",)),
        (3, "deviating-term", ("converted mana cost",)),
    }
    assert {f.severity for f in of(report, "languages.txt")} == {"violation"}


def test_rule_numbers_that_moved(slipped: tuple[Path, Report]) -> None:
    _, report = slipped
    assert kinds(of(report, "numbers.txt")) == {
        (1, "number-of-another-rule", ("702.85a",)),
        (2, "number-that-moved", ("601.2e",)),
        (2, "number-that-moved", ("601.2f",)),
    }
    assert [(f.value, f.severity) for f in of(report, "numbers.txt")] == [
        ("702.88a", "warning"), ("601.2f", "info"), ("601.2g", "info"),
    ]  # fmt: skip
    assert kinds(of(report, "page.txt")) == {
        (None, "number-of-another-rule", ("702.85",)),
        (1, "number-of-another-rule", ("702.85a",)),
        (2, "number-of-another-rule", ("702.85c",)),
        (3, "words-run-together", ("dankAbprall",)),
    }
    assert [f.value for f in of(report, "page.txt")] == ["702.88", "702.88a", "702.88c", "dank Abprall"]


def test_words_run_together(slipped: tuple[Path, Report]) -> None:
    _, report = slipped
    found = of(report, "spelling.txt")
    assert {(f.words[0].text, f.value) for f in found} == {
        ("dannGeschieht", "dann Geschieht"), ("FriedhofStapel", "Friedhof Stapel"),
    }  # fmt: skip
    assert {f.severity for f in found} == {"violation"}


def test_a_file_of_terms_counts_for_documents_beside_it(tmp_path: Path) -> None:
    base = "https://w3id.org/rulewright/"
    (tmp_path / "terms.ttl").write_text(
        f"""@base <{base}> . @prefix term: <{base}term/> . @prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix dcterms: <http://purl.org/dc/terms/> .
        term:glow skos:inScheme <terms> ; skosxl:prefLabel term:glow-en , term:glow-de ;
        skosxl:hiddenLabel term:glow-old .
        term:glow-en a skosxl:Label ; skosxl:literalForm "glow"@en . term:glow-de a skosxl:Label ;
        skosxl:literalForm "Glut"@de . term:glow-old a skosxl:Label ; skosxl:literalForm "Leuchten"@de ;
        dcterms:isReplacedBy term:glow-de .""",
        encoding="utf-8",
    )
    text = document("Glutwurm", ("01/02/2024", "Der Wurm hat ein Leuchten, solange er auf dem Stapel liegt."))
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    report = validate([tmp_path])
    assert report.errors == []
    assert kinds(report.findings) == {(1, "deviating-term", ("Leuchten",))}
    assert report.findings[0].value == "Glut"


def test_a_store_is_validated_with_what_was_ingested(tmp_path: Path, slipped: tuple[Path, Report]) -> None:
    folder, report = slipped
    with Dataset.open(tmp_path / "store") as dataset:
        dataset.load_packaged()
        done = list(ingest([folder / "terms.txt", folder / "numbers.txt"], dataset))
        assert all(isinstance(d, Ingested) for d in done)
    from_store = validate(store=tmp_path / "store")
    assert from_store.errors == []
    assert {f.file for f in from_store.findings} == {"terms.txt", "numbers.txt"}
    for name in ("terms.txt", "numbers.txt"):
        assert kinds(of(from_store, name)) == kinds(of(report, name))
    assert {c.label["en"]: c.nodes for c in from_store.checked}["statement"] == 68


# --- reports


def test_reports_in_every_form(slipped: tuple[Path, Report]) -> None:
    _, report = slipped
    told = json.loads("\n".join(reports.written(report, "json", "en")))
    assert list(told) == ["conforms", "findings", "checked", "documents", "errors", "summary"]
    assert [list(f) for f in told["findings"]] == [KEYS] * len(report.findings)
    assert told["summary"]["findings"] == len(report.findings) == sum(d["findings"] for d in told["documents"])
    counts = Counter(f.severity for f in report.findings)
    assert {s: told["summary"][s] for s in ("violation", "warning", "info")} == counts

    graph = rdflib.Graph().parse(data="\n".join(reports.written(report, "shacl", "en")), format="turtle")
    (whole,) = graph.subjects(rdflib.RDF.type, SH.ValidationReport)
    assert graph.value(whole, SH.conforms) == rdflib.Literal(False)
    results = list(graph.objects(whole, SH.result))
    assert len(results) == sum(max(1, len(f.words)) for f in report.findings)
    for result in results:
        for needed in (SH.focusNode, SH.resultSeverity, SH.sourceShape, SH.sourceConstraintComponent):
            assert graph.value(result, needed) is not None
        assert {m.language for m in graph.objects(result, SH.resultMessage)} == set(LANGUAGES)

    suite = ElementTree.fromstring("\n".join(reports.written(report, "junit", "de")))
    assert suite.get("tests") == str(len(suite)) == str(sum(len(d.statements) + 1 for d in report.documents))
    failing = {(f.file, f.statement) for f in report.findings if f.severity != "info"}
    assert suite.get("failures") == str(len(failing)) == str(len({c for c in suite if c.find("failure") is not None}))
    assert len(suite.findall("testcase/failure")) == counts["violation"] + counts["warning"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_in_one_language_by_file_and_place(slipped: tuple[Path, Report], language: str) -> None:
    _, report = slipped
    other = "de" if language == "en" else "en"
    lines = list(reports.text(report, language))
    files = [line for line in lines if line.endswith(".txt")]
    assert files == sorted(str(f.file) for f in {f.file: f for f in report.findings}.values())
    body = "\n".join(lines)
    for finding in report.findings:
        assert finding.message[language] in body
        assert finding.mend[language] in body
        assert finding.message[other] not in body
        assert "{" not in finding.message[language] + finding.mend[language]
    assert ("Statement 1 · line 5" if language == "en" else "Aussage 1 · Zeile 5") in body
    assert ("(2 times)" if language == "en" else "(2 Mal)") in body


# --- the command


def test_exit_codes_and_errors(tmp_path: Path) -> None:
    info = tmp_path / "info.txt"
    text = document("Nebelkeiler", ("01/06/2010", "Die Kosten werden nach 601.2e bestimmt, wie immer."))
    info.write_text(text, encoding="utf-8")
    code, out, err = run(info, "--lang", "de")
    assert (code, err) == (0, "")
    assert "  Aussage 1 · Zeile 5\n    · Was Regel 601.2e war, ist heute 601.2f.\n" in out

    (tmp_path / "bad.ttl").write_text("<a> <b> ", encoding="utf-8")
    (tmp_path / "other.ttl").write_text("<urn:a> <urn:b> <urn:c> .", encoding="utf-8")
    (tmp_path / "neither.txt").write_text("Nur ein Satz.\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    names = ("bad.ttl", "other.ttl", "neither.txt", "empty", "missing.ttl", "missing.txt")
    warned = SLIPPED["spelling.txt"].encode()
    code, out, err = run("-", *(tmp_path / n for n in names), "--lang", "en", stdin=warned)
    assert code == 2
    told = {name: [line for line in err.splitlines() if line.startswith(str(tmp_path / name))] for name in names}
    assert all(len(lines) == 1 for lines in told.values()), err
    assert len(err.splitlines()) == len(names)
    assert "line 1" in told["bad.ttl"][0]
    assert "dannGeschieht" in out

    code, _, err = run("--store", tmp_path / "empty")
    assert code == 2
    assert len(err.splitlines()) == 1

    code, out, _ = run(info, tmp_path / "bad.ttl", "--format", "json")
    assert code == 2
    assert [e["source"] for e in json.loads(out)["errors"]] == [str(tmp_path / "bad.ttl")]


# --- the five source documents

ENGLISH = {"CO-4", "CO-7", "ES-8", "SU-15", "SU-17"}
REMARKS = {"CO-2", "ES-10", "GI-4", "SU-19"}
TERMS = {
    ("CO-11", "Manabetrag", 2), ("CO-12", "Nachhall", 1), ("CO-13", "Nachhall", 1), ("CO-15", "Nachhall", 2),
    ("ES-1", "sich befreien", 1), ("ES-4", "Befreiungskosten", 1), ("ES-6", "Befreiung", 1),
    ("ES-6", "Befreiungskosten", 1),
}  # fmt: skip
NUMBERS = {(None, "702.85", "702.88"), ("RB-a", "702.85a", "702.88a"), ("RB-b", "702.85b", "702.88b"),
           ("RB-c", "702.85c", "702.88c")}  # fmt: skip
IN_DOCUMENTS = {"000": 6, "001": 7, "002": 7, "003": 1, "004": 3}


def test_the_source_documents_have_exactly_these_findings() -> None:
    if not SEEDS.exists():
        pytest.skip("the source documents are not there: ../shared/seeds")
    report = validate([SEEDS])
    assert report.errors == []
    assert [len(d.statements) for d in report.documents] == [11, 19, 10, 9, 19]
    by_kind: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    assert {f.id for f in by_kind.pop("untranslated-statement")} == ENGLISH
    remarks = by_kind.pop("untranslated-remark")
    assert {f.id for f in remarks} == REMARKS
    assert len(remarks) == 4
    terms = by_kind.pop("deviating-term")
    assert {(f.id, f.value, len(f.words)) for f in terms} == TERMS
    assert len(terms) == 9  # in ES-1 two words, with one to stand for both
    numbers = by_kind.pop("number-of-another-rule")
    assert {(f.id, f.words[0].text, f.value) for f in numbers} == NUMBERS
    assert len(numbers) == 4
    (moved,) = by_kind.pop("number-that-moved")
    assert (moved.id, moved.words[0].text, moved.value) == ("RB-b", "601.2e", "601.2f")
    (joined,) = by_kind.pop("words-run-together")
    assert (joined.id, (joined.value or "").split()[0]) == ("RB-2", "dank")
    assert by_kind == {}
    assert Counter(Path(f.file).name[:3] for f in report.findings) == IN_DOCUMENTS
    assert Counter(f.severity for f in report.findings) == {"violation": 10, "warning": 13, "info": 1}
