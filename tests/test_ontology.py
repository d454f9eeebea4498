"""The ontologies, their shapes and the lint: nothing to find in the project, and every planted slip found."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.axioms import lower, packaged_knowledge
from rulewright.quality.lint import Project, lint
from rulewright.records import canonical, read_structure
from rulewright.records.quads import triples

pyshacl = pytest.importorskip("pyshacl")
rdflib = pytest.importorskip("rdflib")

ROOT = Path(__file__).parents[1]
BASE = "https://w3id.org/rulewright/"
SCENARIO = "rebound/cast-from-hand-goes-to-graveyard"
PREFIXES = f"""
@prefix ax: <{BASE}axiom#> . @prefix game: <{BASE}game#> . @prefix rw: <{BASE}core#> .
@prefix rule: <{BASE}rule/> . @prefix ruling: <{BASE}ruling/> . @prefix kw: <{BASE}keyword/> .
@prefix cond: <{BASE}condition/> . @prefix p: <{BASE}principle/> . @prefix rebound: <{BASE}keyword/rebound#> .
@prefix record: <{BASE}scenario/{SCENARIO}#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
WORDS = 'rdfs:label "x"@en , "x"@de ; rdfs:comment "x"@en , "x"@de ; rdfs:isDefinedBy '


# --- the lint


def test_the_lint_finds_nothing() -> None:
    pytest.importorskip("owlrl")
    assert lint() == []


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with one scenario of each folder, to plant slips in."""
    root = tmp_path_factory.mktemp("project")
    for folder in ("ontology", "queries", "src"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", root / "data", ignore=shutil.ignore_patterns("scenarios", "examples"))
    for folder in sorted(p for p in (ROOT / "data" / "scenarios").iterdir() if p.is_dir()):
        scenario = min(folder.glob("*.json"))
        target = root / scenario.relative_to(ROOT)
        target.parent.mkdir(parents=True)
        shutil.copy(scenario, target)
    return root


@pytest.fixture(scope="module")
def untouched(checkout: Path) -> dict[str, set[str]]:
    """What the lint finds in the copy as it is: facts of which no scenario was copied are not used."""
    project = Project(checkout)
    return {part: set(getattr(project, part)()) for part in ("undeclared", "unused", "wordless", "uncited")}


@pytest.fixture
def plant(checkout: Path) -> Iterator[object]:
    """Adds text to a file of the copy, or replaces text in it, and undoes that afterwards."""
    before: dict[Path, str | None] = {}

    def change(name: str, new: str, old: str | None = None) -> None:
        file = checkout / name
        text = file.read_text(encoding="utf-8") if file.exists() else None
        before.setdefault(file, text)
        if old is not None:
            assert text is not None
            assert old in text
            file.write_text(text.replace(old, new, 1), encoding="utf-8")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            prefixes = PREFIXES if file.suffix == ".ttl" else ""
            file.write_text(f"{text or ''}\n{prefixes}{new}\n", encoding="utf-8")

    yield change
    for file, text in before.items():
        if text is None:
            file.unlink()
        else:
            file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("part", "file", "new", "old", "slip"),
    [
        ("undeclared", "data/principles/zones.ttl", "p:x game:nowhere 1 .", None, "game:nowhere is not declared"),
        ("undeclared", "data/principles/zones.ttl", "p:x a ax:Wish .", None, "ax:Wish is not declared"),
        ("undeclared", "data/rulings/gift.ttl", "ruling:GI-1 rw:mood 1 .", None, "rw:mood is not declared"),
        ("undeclared", "data/principles/zones.ttl", "p:x", None, "is not Turtle"),
        ("undeclared", "ontology/game.ttl", "game:after a", "game:zoneBefore a", "game:zoneBefore is not declared"),
        ("undeclared", "ontology/game.ttl", "game:Item a", "game:ExiledEntry a", "game:ExiledEntry is not declared"),
        ("undeclared", "ontology/game.ttl", "game:inForce a", "game:keywordInForce a", "axiom "),
        ("undeclared", "ontology/shapes/x.ttl", "ax:x sh:targetClass game:Nothing .", None, "game:Nothing is not"),
        (
            "undeclared", "ontology/shapes/x.ttl",
            f'[] sh:select "PREFIX g: <{BASE}game#> ASK {{ $this g:nowhere 1 }}" .', None, "game:nowhere is not",
        ),
        (
            "undeclared", "queries/x.rq", f"PREFIX g: <{BASE}game#> # g:comment\nASK {{ ?s g:nowhere 'g:text' }}", None,
            "queries/x.rq: game:nowhere is not declared",
        ),
        ("undeclared", "queries/x.rq", f"ASK {{ ?s <{BASE}core#nowhere> ?o }}", None, "rw:nowhere is not declared"),
        ("undeclared", "src/x.py", 'X = GAME + "nowhere"', None, "src/x.py: game:nowhere is not declared"),
        ("undeclared", "src/x.py", 'X = f"{AX}nowhere"', None, "src/x.py: ax:nowhere is not declared"),
        ("undeclared", "src/x.py", 'X = "?s game:nowhere ?o"', None, "src/x.py: game:nowhere is not declared"),
        ("undeclared", "ontology/x.jsonld", '{"@context": {"x": "game:nowhere"}}', None, "game:nowhere is not"),
        (
            "unused", "ontology/axioms.ttl", f"ax:idle a owl:Class ; {WORDS} <{BASE}axiom> .", None,
            "ontology/axioms.ttl: ax:idle is declared and not used",
        ),
        ("wordless", "ontology/axioms.ttl", "", '"axiom"@en , ', "ax:Axiom needs one rdfs:label"),
        ("wordless", "ontology/axioms.ttl", '"Axiom"@fr', '"Axiom"@de', "ax:Axiom needs one rdfs:label"),
        ("wordless", "ontology/game.ttl", 'game:Zone rdfs:comment "x"@en .', None, "game:Zone needs one rdfs:comment"),
        ("wordless", "ontology/core.ttl", "rw:x a owl:Class .", None, "rw:x needs rdfs:isDefinedBy"),
        ("wordless", "ontology/shapes/game.ttl", 'ax:x sh:message "x"@en .', None, "needs one sh:message"),
        ("uncited", "data/principles/zones.ttl", "p:x rw:authority rule:nowhere .", None, "rule/nowhere, which is not"),
        ("uncited", "data/principles/zones.ttl", "p:x rw:authority ruling:RB-99 .", None, "ruling/RB-99, which is not"),
        ("uncited", "data/principles/zones.ttl", "p:x ax:when cond:nowhere .", None, "condition/nowhere, which is not"),
        ("uncited", "data/keywords/escape.ttl", "p:x ax:of kw:nowhere .", None, "keyword/nowhere, which is not"),
        ("uncited", "ontology/game.ttl", "game:Zone rw:authority rule:nowhere .", None, "rule/nowhere, which is not"),
        ("uncited", "data/scenarios/x.json", '{"statements": ["RB-99"]}', None, "cites ruling:RB-99"),
        ("uncited", "data/scenarios/x.json", '{"expect": [{"authority": "999.9z"}]}', None, "cites 999.9z"),
    ],
)  # fmt: skip
def test_the_lint_finds_a_planted_slip(
    checkout: Path,
    untouched: dict[str, set[str]],
    plant: object,
    part: str,
    file: str,
    new: str,
    old: str | None,
    slip: str,
) -> None:
    assert callable(plant)
    plant(file, new, old)
    found = set(getattr(Project(checkout), part)()) - untouched[part]
    assert any(slip in line for line in found), found


@pytest.mark.parametrize(
    ("file", "turtle", "what"),
    [
        ("ontology/game.ttl", "game:exile a game:Colour .", "contradiction"),
        ("ontology/game.ttl", "game:Copy rdfs:subClassOf owl:Nothing . p:x a game:Copy .", "can be nothing"),
    ],
)
def test_the_lint_finds_a_contradiction(checkout: Path, plant: object, file: str, turtle: str, what: str) -> None:
    pytest.importorskip("owlrl")
    assert callable(plant)
    plant(file, turtle)
    project = Project(checkout)
    project.data, project.graphs = {}, {}
    assert any(what in line for line in project.contradictions())


# --- the shapes


def ontology() -> "rdflib.Graph":
    graph = rdflib.Graph()
    for name in ("core", "game", "axioms"):
        graph.parse(ROOT / "ontology" / f"{name}.ttl")
    return graph


def shapes(name: str) -> "rdflib.Graph":
    return rdflib.Graph().parse(ROOT / "ontology" / "shapes" / f"{name}.ttl")


@pytest.fixture(scope="module")
def axioms() -> "rdflib.Graph":
    """The ontologies, all axioms, and the classes of what they cite."""
    graph = ontology()
    for file in sorted((ROOT / "data").glob("*/*.ttl")):
        if file.parent.name in ("keywords", "principles"):
            graph.parse(file)
    for file in [ROOT / "data" / "rules.ttl", *sorted((ROOT / "data" / "rulings").glob("*.ttl"))]:
        for t in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
            if t.predicate.value == str(rdflib.RDF.type) and isinstance(t.object, ox.NamedNode):
                graph.add((rdflib.URIRef(t.subject.value), rdflib.RDF.type, rdflib.URIRef(t.object.value)))
    return graph


def game_graph(names: list[str]) -> "rdflib.Graph":
    """The canonical graphs of scenarios, with the game ontology."""
    knowledge = packaged_knowledge()
    words, steps = knowledge.record_words(), lower(knowledge).steps
    lines = []
    for name in names:
        data = json.loads((ROOT / "data" / "scenarios" / f"{name}.json").read_text(encoding="utf-8"))
        record = read_structure(data, name, parameters=knowledge.parameters())
        lines += [f"{t} ." for t in triples(canonical(record, words, steps))]
    graph = rdflib.Graph().parse(ROOT / "ontology" / "game.ttl")
    for predicate in (rdflib.RDFS.label, rdflib.RDFS.comment, rdflib.RDFS.isDefinedBy):
        graph.remove((None, predicate, None))
    # what the ontology says of its own properties in lists is no part of a game
    for cell in set(graph.subjects(rdflib.RDF.first)):
        graph.remove((cell, None, None))
    return graph.parse(data="\n".join(lines), format="nt")


def broken(graph: "rdflib.Graph", name: str) -> set[str]:
    """Local names of the shapes and constraints that a graph breaks, and of the properties concerned."""
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes(name))
    where = (rdflib.SH.sourceShape, rdflib.SH.sourceConstraint, rdflib.SH.resultPath)
    found = {str(value) for predicate in where for value in report.objects(None, predicate)}
    return {value.rpartition("#")[2] for value in found if "#" in value}


def test_axioms_and_keywords_conform(axioms: "rdflib.Graph") -> None:
    conforms, _, report = pyshacl.validate(axioms, shacl_graph=shapes("axioms"))
    assert conforms, report


def test_game_graphs_conform() -> None:
    folder = ROOT / "data" / "scenarios"
    names = [f.relative_to(folder).with_suffix("").as_posix() for f in sorted(folder.glob("*/*.json"))]
    conforms, _, report = pyshacl.validate(game_graph(names[:: len(names) // 20]), shacl_graph=shapes("game"))
    assert conforms, report


@pytest.mark.parametrize(
    ("turtle", "shape"),
    [
        ("[] a ax:Cost .", "Axiom"),
        ("p:x a ax:Cost .", "Axiom-authority"),
        ("p:x a ax:Cost .", "label"),
        ('rebound:exile rdfs:label "exil"@fr .', "label"),
        ("rebound:exile rw:authority rule:nowhere .", "authority"),
        ("rebound:exile ax:of kw:nowhere .", "Axiom-of"),
        ('rebound:exile ax:keywordNeeded "yes" .', "Axiom-keywordNeeded"),
        ("rebound:exile ax:focus game:Nothing .", "Axiom-focus"),
        ('rebound:exile ax:validFrom "2017-04-28" .', "Axiom-validFrom"),
        ("rebound:exile ax:validUntil 2017 .", "Axiom-validUntil"),
        ("p:x a ax:Permission .", "needs-of"),
        ("p:x a ax:Permission .", "needs-when"),
        ("p:x a ax:Prohibition .", "needs-focus"),
        ("p:x a ax:Value ; ax:focus game:Cast .", "needs-require"),
        ("p:x a ax:Replacement .", "Replacement-destination"),
        ("rebound:exile ax:destination game:hand .", "Replacement-destination"),
        ("p:x a ax:Replacement ; ax:replaces game:blue .", "Replacement-replaces"),
        ("p:x a ax:Trigger .", "Trigger-ability"),
        ("p:x a ax:Trigger .", "Trigger-time"),
        ("p:x a ax:Trigger ; ax:on game:upkeep .", "Trigger-on"),
        ("p:x a ax:Trigger ; ax:step game:Cast .", "Trigger-step"),
        ("rebound:trigger ax:inTurnOf game:owner .", "Trigger-inTurnOf"),
        ("rebound:trigger ax:createdBy kw:rebound .", "Trigger-createdBy"),
        ("[] a ax:Condition .", "NamedCondition"),
        ("cond:x a ax:Condition .", "NamedCondition"),
        ("cond:free ax:stated game:free .", "NamedCondition"),
        ('cond:x a ax:Condition ; ax:negation "not"@en .', "NamedCondition"),
        ('cond:free ax:negation "not"@en .', "NamedCondition-negation"),
        ("p:x ax:when cond:nowhere .", "Condition"),
        ("p:x ax:when [] .", "Condition"),
        ("p:x ax:when [ ax:all ( cond:free cond:nowhere ) ] .", "Conditions-member"),
        ("p:x ax:when [ ax:any () ] .", "Conditions-member"),
        ("p:x ax:when [ ax:some game:targets ] .", "Quantified-that"),
        ("p:x ax:when [ ax:stated game:free ; ax:that cond:free ] .", "Quantified-of"),
        ("p:x ax:when [ ax:someNode game:Nothing ; ax:that cond:free ] .", "someNode"),
        ("p:x ax:when [ ax:stated game:free ; ax:recorded true ] .", "someNode"),
        ("p:x ax:when [ ax:hasKeyword kw:nowhere ] .", "hasKeyword"),
        ("p:x ax:when [ sh:path game:free ] .", "Comparison"),
        ("p:x ax:when [ sh:path game:free ; sh:hasValue true ; ax:exists true ] .", "Comparison"),
        ("p:x ax:when [ sh:path game:x ; sh:hasValue 1 , 2 ] .", "Comparison-one"),
        ('p:x ax:when [ sh:path game:free ; ax:exists "yes" ] .', "Comparison-exists"),
        ('p:x ax:when [ sh:path game:x ; ax:atMost "3" ] .', "Comparison-number"),
        ("p:x ax:when [ sh:path game:nowhere ; ax:exists true ] .", "Path"),
        ("p:x ax:when [ ax:stated ( game:spell game:nowhere ) ] .", "Path"),
        ("p:x ax:when [ ax:stated ax:focusNode ] .", "Path"),
        ("[] a rw:Keyword .", "Keyword"),
        ('kw:x a rw:Keyword ; skos:prefLabel "x"@en .', "Keyword-prefLabel"),
        ("kw:x a rw:Keyword ; rw:definedBy rule:nowhere .", "Keyword-definedBy"),
        ("kw:x a rw:Keyword ; ax:parameter ax:of .", "Keyword-parameter"),
    ],
)
def test_axiom_shapes_find_what_is_wrong(small_axioms: "rdflib.Graph", turtle: str, shape: str) -> None:
    graph = small_axioms + rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle")
    assert shape in broken(graph, "axioms")


@pytest.fixture(scope="module")
def small_axioms() -> "rdflib.Graph":
    """The ontologies without words, and few axioms, to plant faults in."""
    graph = rdflib.Graph()
    for t in ontology():
        if t[1] in (rdflib.RDF.type, rdflib.RDFS.subClassOf):
            graph.add(t)
    graph.parse(ROOT / "data" / "keywords" / "rebound.ttl").parse(ROOT / "data" / "principles" / "conditions.ttl")
    return graph


def test_an_axiom_may_speak_of_its_keywords_own_parameter(small_axioms: "rdflib.Graph") -> None:
    turtle = "kw:rebound ax:parameter game:depth . p:x ax:when [ ax:instance [ sh:path game:depth ; ax:atLeast 2 ] ] ."
    graph = small_axioms + rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle")
    assert "Path" not in broken(graph, "axioms")


@pytest.fixture(scope="module")
def one_game() -> "rdflib.Graph":
    return game_graph([SCENARIO])


NODE = f"record:x a game:Card ; game:inRecord <{BASE}scenario/{SCENARIO}> ; "


@pytest.mark.parametrize(
    ("turtle", "shape"),
    [
        ("record:e1 game:order 7 .", "one-value"),
        (f"{NODE} game:targetsCount 1 , 2 .", "one-value"),
        (f"{NODE} game:nowhere 1 .", "declared"),
        (f"<{BASE}scenario/{SCENARIO}> game:nowhere 1 .", "declared"),
        (f"{NODE} game:targeted [] .", "no-blank-value"),
        (f"[] a game:Card ; game:inRecord <{BASE}scenario/{SCENARIO}> .", "Node"),
        ("[] a game:Record .", "Record"),
        ("record:x a game:Record .", "Record-rulesDate"),
        ("record:x a game:Record .", "Record-effectsStated"),
        ("record:x a game:Record .", "Record-events"),
        ('record:x a game:Record ; game:date "2024-02-20" .', "Record-date"),
        ("record:x a game:Card ; game:inRecord record:e1 .", "Node-inRecord"),
        ("record:e1 a game:Move .", "Node-type"),
        (f"record:x a game:Nothing ; game:inRecord <{BASE}scenario/{SCENARIO}> .", "Node-type"),
        ("[] <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> record:e1 .", "List"),
        (f"{NODE} game:zone game:blue .", "zones"),
        (f'{NODE} game:zone "exile" .', "zones"),
        (f"{NODE} game:step game:exile .", "steps"),
        (f'{NODE} game:color "U" .', "colours"),
        (f"{NODE} game:layout game:none .", "layouts"),
        (f"{NODE} game:outcome game:Gone .", "event-types"),
        (f"{NODE} game:owner record:e1 .", "players"),
        (f"{NODE} game:cause record:ana .", "events"),
        (f"{NODE} game:during record:ana .", "events-or-none"),
        (f"{NODE} game:turnNode 3 .", "turns"),
        (f'{NODE} game:keywordInForce "rebound" .', "keywords"),
        (f'{NODE} game:manaCost "3" .', "mana"),
        (f'{NODE} game:isCopy "yes" .', "truth-values"),
        (f"{NODE} game:n -1 .", "numbers"),
        ("record:x a game:Draw .", "Event-inRecord"),
        ("record:x a game:Draw .", "Event-order"),
        ("record:x a game:Draw ; game:order 0 .", "Event-order"),
        ("record:x a game:Draw ; game:stepPosition 13 .", "Event-stepPosition"),
        ("record:x a game:KeywordInstance .", "keywordNamed"),
        ("record:x a game:Payment .", "kind"),
        ("record:x a game:CounterEntry .", "counter"),
        ("record:x a game:AlternativeCost .", "alternative"),
        ("record:x a game:Share .", "amount"),
        ("record:x a game:Spell .", "createdBy"),
        ("record:x a game:Turn .", "pastPosition"),
        ("record:x a game:Standing .", "focusEvent"),
        ("record:x a game:ExiledEntry .", "has-card"),
    ],
)
def test_game_shapes_find_what_is_wrong(one_game: "rdflib.Graph", turtle: str, shape: str) -> None:
    graph = one_game + rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle")
    assert shape in broken(graph, "game")
