"""The curated rulings, rules and cards: complete, well-formed, in both languages, and true to their sources."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from hashlib import sha256
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.sources import read_document
from rulewright.terms import digest

ROOT = Path(__file__).parents[1]
SEEDS = ROOT.parent / "shared" / "seeds"
BASE = "https://w3id.org/rulewright/"
RW = f"{BASE}core#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
ISSUED = "http://purl.org/dc/terms/issued"
SKOS = "http://www.w3.org/2004/02/skos/core#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"

RULINGS = {"rebound": "000", "copies-and-split-cards": "001", "escape": "002", "gift": "003", "suspend": "004"}
DATA = [
    ROOT / "data" / "rules.ttl",
    ROOT / "data" / "cards.ttl",
    *(ROOT / "data" / "rulings" / f"{n}.ttl" for n in RULINGS),
]
IDS = (
    ["RB-a", "RB-b", "RB-c", *(f"RB-{i}" for i in range(1, 9))]
    + [f"CO-{i}" for i in range(1, 20)]
    + [f"ES-{i}" for i in range(1, 11)]
    + [f"GI-{i}" for i in range(1, 10)]
    + [f"SU-{i}" for i in range(1, 20)]
)


class Data:
    """The files' triples by subject and predicate; terms as strings, literals with their language."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.objects: dict[str, dict[str, list[tuple[str, str | None]]]] = {}
        for path in paths:
            for quad in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE):
                assert isinstance(quad.subject, ox.NamedNode), f"{path.name}: blank node as subject"
                assert isinstance(quad.object, ox.NamedNode | ox.Literal), f"{path.name}: blank node as object"
                language = quad.object.language if isinstance(quad.object, ox.Literal) else None
                places = self.objects.setdefault(quad.subject.value, {}).setdefault(quad.predicate.value, [])
                places.append((quad.object.value, language))

    def of(self, kind: str) -> list[str]:
        return [s for s, p in self.objects.items() if (RW + kind, None) in p.get(TYPE, [])]

    def values(self, subject: str, predicate: str) -> list[str]:
        return [value for value, _ in self.objects[subject].get(predicate, [])]

    def languages(self, subject: str, predicate: str) -> list[str | None]:
        return sorted((language for _, language in self.objects[subject].get(predicate, [])), key=str)


@pytest.fixture(scope="module")
def data() -> Data:
    return Data(DATA)


def test_sixty_eight_statements_in_their_documents(data: Data) -> None:
    assert sorted(s.removeprefix(f"{BASE}ruling/") for s in data.of("Statement")) == sorted(IDS)
    for name in RULINGS:
        one = Data([ROOT / "data" / "rulings" / f"{name}.ttl"])
        in_order = sorted(one.of("Statement"), key=lambda s: int(one.values(s, f"{RW}sequence")[0]))
        assert [int(one.values(s, f"{RW}sequence")[0]) for s in in_order] == list(range(1, len(in_order) + 1))
        ids = [s.rsplit("/", 1)[1] for s in in_order]
        assert ids == [i for i in IDS if i in ids]


def test_statements_are_said_in_both_languages(data: Data) -> None:
    for statement in data.of("Statement"):
        assert data.languages(statement, f"{RW}statement") == ["de", "en"], statement
        english, german = sorted(data.objects[statement][f"{RW}statement"], key=lambda v: str(v[1]), reverse=True)
        assert english[0] != german[0]
        for predicate in (f"{SKOS}historyNote", f"{SKOS}note"):
            assert data.languages(statement, predicate) in ([], ["de", "en"]), statement


def test_statements_rest_on_declared_rules(data: Data) -> None:
    rules = set(data.of("Rule"))
    for statement in data.of("Statement"):
        rests_on = data.values(statement, f"{RW}restsOn")
        assert rests_on, statement
        assert set(rests_on) <= rules, statement
        (main,) = data.values(statement, f"{RW}mainRule")
        assert main in rests_on, statement


def test_status_agrees_with_notes(data: Data) -> None:
    counts: Counter[str] = Counter()
    for statement in data.of("Statement"):
        status = [s.removeprefix(RW) for s in data.values(statement, f"{RW}status")]
        counts.update(status)
        assert ("history" in status) == bool(data.values(statement, f"{SKOS}historyNote")), statement
        assert (set(status) == {"normative", "note"}) == bool(data.values(statement, f"{SKOS}note")), statement
    assert counts == {"normative": 67, "history": 4, "note": 2}


def test_every_statement_has_a_text_and_every_text_a_publication(data: Data) -> None:
    expressed = [s for t in data.of("Text") for s in data.values(t, f"{RW}expresses")]
    assert sorted(expressed) == sorted(data.of("Statement"))
    published = [t for p in data.of("Publication") for t in data.values(p, f"{RW}publishes")]
    assert sorted(published) == sorted(data.of("Text"))
    for publication in data.of("Publication"):
        (text,) = data.values(publication, f"{RW}publishes")
        (statement,) = data.values(text, f"{RW}expresses")
        assert data.values(publication, ISSUED) == data.values(statement, ISSUED)


def test_all_that_is_referred_to_is_declared(data: Data) -> None:
    for subject, predicates in data.objects.items():
        for predicate, values in predicates.items():
            for value, _ in values:
                if predicate != TYPE and re.match(rf"{BASE}(rule|edition|card|text|ruling|source)/", value):
                    assert value in data.objects, f"{subject} {predicate} {value}"


def test_one_version_of_a_rule_in_an_edition(data: Data) -> None:
    pairs = Counter(
        (data.values(v, f"{RW}versionOf")[0], data.values(v, f"{RW}inEdition")[0]) for v in data.of("RuleVersion")
    )
    assert set(pairs.values()) == {1}
    for version in data.of("RuleVersion"):
        (number,) = data.values(version, f"{RW}number")
        (edition,) = data.values(version, f"{RW}inEdition")
        assert re.fullmatch(rf"{edition}/{re.escape(number)}(-\d)?", version)


def test_minted_numbers_are_those_of_the_edition(data: Data) -> None:
    number_then: dict[str, dict[str, str]] = {}
    for version in data.of("RuleVersion"):
        (rule,), (edition,), (number,) = (data.values(version, RW + p) for p in ("versionOf", "inEdition", "number"))
        number_then.setdefault(rule, {})[edition] = number
    for rule in data.of("Rule"):
        (minted_in,) = data.values(rule, f"{RW}mintedIn")
        then = max(e for e in number_then[rule] if e <= minted_in)
        assert data.values(rule, f"{RW}mintedAs") == [number_then[rule][then]], rule


def test_texts_are_those_of_the_documents(data: Data) -> None:
    if not SEEDS.exists():
        pytest.skip("the source documents are not there: ../shared/seeds")
    found = 0
    for name, number in RULINGS.items():
        (path,) = SEEDS.glob(f"{number}_*.txt")
        raw = path.read_bytes()
        source = f"{BASE}source/{number}"
        assert data.values(source, f"{RW}digest") == [sha256(raw).hexdigest()]
        one = Data([ROOT / "data" / "rulings" / f"{name}.ttl"])
        text_of = {one.values(t, f"{RW}expresses")[0]: t for t in one.of("Text")}
        in_order = sorted(one.of("Statement"), key=lambda s: int(one.values(s, f"{RW}sequence")[0]))
        passages = read_document(raw.decode("utf-8"))
        assert len(passages) == len(in_order)
        for statement, passage in zip(in_order, passages, strict=True):
            text = text_of[statement]
            assert one.values(text, f"{RW}digest") == [digest(passage.text)] == [text.rsplit("/", 1)[1]], statement
            assert one.values(statement, ISSUED) == ([passage.date.isoformat()] if passage.date else []), statement
            found += 1
    assert found == 68


def graphs() -> tuple[object, object]:
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph()
    for path in [*DATA, ROOT / "ontology" / "core.ttl"]:
        graph.parse(path)
    return graph, rdflib.Graph().parse(ROOT / "ontology" / "shapes" / "core.ttl")


def test_data_conforms_to_the_shapes() -> None:
    pyshacl = pytest.importorskip("pyshacl")
    graph, shapes = graphs()
    conforms, _, report = pyshacl.validate(graph, shacl_graph=shapes)
    assert conforms, report


PREFIXES = f"""
@prefix rw: <{RW}> . @prefix rule: <{BASE}rule/> . @prefix ruling: <{BASE}ruling/> . @prefix kw: <{BASE}keyword/> .
@prefix card: <{BASE}card/> . @prefix dcterms: <http://purl.org/dc/terms/> . @prefix skos: <{SKOS}> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix edition: <{BASE}edition/> .
@prefix text: <{BASE}text/> . @prefix publication: <{BASE}publication/> . @prefix source: <{BASE}source/> .
"""


@pytest.mark.parametrize(
    ("turtle", "shape"),
    [
        ('rule:x a rw:Rule ; skos:prefLabel "X"@en .', "Rule-prefLabel"),
        ('rule:x a rw:Rule ; rw:mintedAs "7.1" .', "Rule-mintedAs"),
        ("rule:x a rw:Rule .", "Rule-versions"),
        ("rule:X a rw:Rule .", "Rule"),
        ("[] a rw:Rule .", "Rule"),
        ("<https://w3id.org/rulewright/edition/2026-01-16/100.1> rw:number 702.88 .", "RuleVersion-number"),
        ('<https://w3id.org/rulewright/edition/2026-01-16/100.1> rw:digest "abc" .', "RuleVersion-digest"),
        ('edition:2030-01-01 a rw:Edition ; dcterms:issued "2030" .', "Edition-issued"),
        ('ruling:RB-1 rw:statement "Noch einmal."@de .', "Statement-statement"),
        ('ruling:RB-1 rw:statement "Une fois."@fr .', "Statement-statement"),
        ("ruling:RB-1 rw:restsOn rule:not-declared .", "Statement-restsOn"),
        ("ruling:RB-1 rw:mainRule rule:rebound-b .", "Statement-mainRule"),
        ("ruling:RB-1 rw:status rw:binding .", "Statement-status"),
        ('ruling:RB-1 rw:about "rebound" .', "Statement-about"),
        ('ruling:CO-1 dcterms:issued "14.07.2017" .', "Statement-issued"),
        ("ruling:XX-1 a rw:Statement ; rw:sequence 0 .", "Statement-sequence"),
        ('text:abc a rw:Text ; rw:normalisation "0" .', "Text-normalisation"),
        ('text:abc a rw:Text ; dcterms:language "deutsch!" .', "Text-language"),
        ("text:abc a rw:Text .", "Text-expresses"),
        ("text:abc rw:expresses ruling:XX-1 ; a rw:Text .", "Text-expressed"),
        ("text:abc rw:uncurated false ; a rw:Text .", "Text-uncurated"),
        ('text:abc rw:wording "Ohne Sprache." ; a rw:Text .', "Text-wording"),
        ("publication:x rw:line 0 ; a rw:Publication .", "Publication-line"),
        ("publication:x rw:sequence 0 ; a rw:Publication .", "Publication-sequence"),
        ('publication:x rw:number "702.88A" ; a rw:Publication .', "Publication-number"),
        ('publication:x rw:heading "" ; a rw:Publication .', "Publication-heading"),
        ('source:x rw:place "a/b.txt" ; a rw:Source .', "Source-place"),
        ("source:x rw:statementCount 0 ; a rw:Source .", "Source-statementCount"),
        ("publication:x a rw:Publication ; rw:inSource source:000 .", "Publication-publishes"),
        ("publication:x a rw:Publication .", "Publication"),
        ("publication:x a rw:Publication ; rw:about kw:rebound .", "Publication-inSource"),
        ('kw:rebound a rw:Keyword ; skos:prefLabel "rebound"@en .', "Keyword-prefLabel"),
        ('card:x a rw:Card ; skos:prefLabel "Nur deutsch"@de .', "Card-name"),
        ('card:x dcterms:identifier "1" ; a rw:Card .', "Card-identifier"),
        ('<https://w3id.org/rulewright/card/x/y> a rw:Face ; skos:prefLabel "Y"@en .', "Face-faceOf"),
        ('source:x a rw:Source ; dcterms:title "X"@en , "X"@de .', "Source-digest"),
    ],
)
def test_shapes_find_what_is_wrong(turtle: str, shape: str) -> None:
    rdflib = pytest.importorskip("rdflib")
    pyshacl = pytest.importorskip("pyshacl")
    graph = rdflib.Graph()
    for name in ("rebound", "copies-and-split-cards"):
        graph.parse(ROOT / "data" / "rulings" / f"{name}.ttl")
    graph.parse(data=PREFIXES + turtle, format="turtle")
    if "/100.1>" in turtle:
        graph.parse(data=PREFIXES + f"<{BASE}edition/2026-01-16/100.1> a rw:RuleVersion .", format="turtle")
    shapes = rdflib.Graph().parse(ROOT / "ontology" / "shapes" / "core.ttl")
    conforms, report, text = pyshacl.validate(graph, shacl_graph=shapes)
    assert not conforms
    sources = {str(s) for s in report.objects(None, rdflib.SH.sourceShape)}
    assert f"{BASE}shape/core#{shape}" in sources, text


def test_the_ontology_is_labelled_and_used(data: Data) -> None:
    ontology = Data([ROOT / "ontology" / "core.ttl"])
    terms = [t for t in ontology.objects if t.startswith(RW)]
    for term in terms:
        for predicate in (f"{RDFS}label", f"{RDFS}comment"):
            assert ontology.languages(term, predicate) == ["de", "en"], term
        assert ontology.values(term, f"{RDFS}isDefinedBy") == [RW.removesuffix("#")], term
    named = {p for s in data.objects.values() for p in s}
    named |= {v for s in data.objects.values() for vs in s.values() for v, _ in vs}
    undeclared = {t for t in named if t.startswith(RW)} - set(terms)
    assert undeclared == set()
    # used by keywords, principles, terms and shapes, which have files of their own, and by graphs of ingested sources
    elsewhere = {f"{RW}{t}" for t in ("Keyword", "Status", "authority", "definedBy")}
    elsewhere |= {f"{RW}{t}" for t in ("phrase", "fromPhrase", "toPhrase")}
    elsewhere |= {f"{RW}{t}" for t in ("everydayWord", "mend", "mentionsForm")}
    elsewhere |= {f"{RW}{t}" for t in ("heading", "line", "place", "statementCount", "uncurated", "wording")}
    elsewhere |= {f"{RW}{t}" for t in ("Rewording", "confidence", "from", "method", "methodVersion", "seen", "to")}
    elsewhere |= {f"{RW}{t}" for t in ("asOf", "committed", "incomplete", "kind", "started", "text")}
    elsewhere |= {f"{RW}{t}" for t in ("GlossaryEntry", "hasKeyword", "manaCost", "rulesText", "typeLine")}
    assert set(terms) - named - elsewhere == set()


def test_dates_are_days(data: Data) -> None:
    for subject, predicates in data.objects.items():
        for value in (v for p in (ISSUED, f"{RW}effective") for v, _ in predicates.get(p, [])):
            assert date.fromisoformat(value), subject
