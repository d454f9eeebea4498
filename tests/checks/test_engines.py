"""Every engine gives the same verdicts on every scenario as the reference evaluator."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest

from rulewright.axioms import Knowledge, ir, lower, packaged_knowledge
from rulewright.axioms.joins import JoinedPlan
from rulewright.axioms.sparql import Program, compile_plan
from rulewright.checks import Checker, engines
from rulewright.checks.endpoint import BATCH, EndpointChecker
from rulewright.checks.reference import evaluate
from rulewright.checks.sparql import Engine
from rulewright.records import Graph, Words, canonical, read_structure
from rulewright.records.quads import nothing, triples
from rulewright.store import Embedded, Remote, Store, StoreError
from rulewright.vocabulary import Iri, packaged

from .. import three_values

pytest_plugins = ["servers"]

SCENARIOS = sorted(packaged("data", "scenarios").rglob("*.json"))
FOLDERS = sorted({f.parent.name for f in SCENARIOS})
PART = 80
"""So many of a folder are tried together, so that processes can share the work."""
ALONE = 4
"""One of so many is tried in a batch of its own."""
SHACL_BATCHES = [SCENARIOS[i : i + 20] for i in range(0, len(SCENARIOS), 20)]
SMOKE = 40
Verdicts = set[tuple[str, str, str]]


@cache
def compiled() -> tuple[ir.Plan, Program, Words]:
    knowledge = packaged_knowledge()
    plan = lower(knowledge)
    return plan, compile_plan(plan), knowledge.record_words()


def graphs(files: Iterable[Path]) -> list[Graph]:
    """Made anew each time: evaluating a graph adds the facts of the stages to it."""
    plan, _, names = compiled()
    records = (read_structure(json.loads(f.read_text(encoding="utf-8")), str(f)) for f in files)
    return [canonical(record, names, plan.steps) for record in records]


def told(findings: Iterable[ir.Finding]) -> Verdicts:
    return {(f.check.id, f.focus, f.verdict) for f in findings}


@cache
def reference(file: Path) -> frozenset[tuple[str, str, str]]:
    plan, _, _ = compiled()
    return frozenset(told(evaluate(plan, graphs([file])[0])))


def expected(files: Iterable[Path], *verdicts: str) -> Verdicts:
    return {v for f in files for v in reference(f) if not verdicts or v[2] in verdicts}


def agree(found: Verdicts, wanted: Verdicts) -> None:
    problems = [f"only the reference: {v}" for v in sorted(wanted - found)]
    problems += [f"only the engine: {v}" for v in sorted(found - wanted)]
    assert not problems, "\n".join(problems)


def batched(engine: engines.Engine, files: Iterable[Path]) -> Verdicts:
    return {v for findings in engine.run(graphs(files)).values() for v in told(findings)}


def in_folder(folder: str) -> list[Path]:
    return [f for f in SCENARIOS if f.parent.name == folder]


PARTS = {
    f"{folder}-{start // PART + 1}": in_folder(folder)[start : start + PART]
    for folder in FOLDERS
    for start in range(0, len(in_folder(folder)), PART)
}


# --- Python functions


@pytest.mark.parametrize("part", PARTS)
def test_functions(part: str) -> None:
    files = PARTS[part]
    agree(batched(engines.engine("fast", compiled()[0], everything=True), files), expected(files))


@pytest.mark.parametrize("part", PARTS)
def test_functions_derive_the_same_facts(part: str) -> None:
    """They are told by other modules, so they must be the reference evaluator's."""
    plan = compiled()[0]
    for ours, theirs in zip(graphs(PARTS[part]), graphs(PARTS[part]), strict=True):
        engines.engine("fast", plan, everything=True).run([ours])
        evaluate(plan, theirs)
        assert ours.facts == theirs.facts


# --- SPARQL on the embedded store


@pytest.mark.parametrize("part", PARTS)
def test_sparql_a_part_a_batch(part: str) -> None:
    files = PARTS[part]
    agree(batched(Engine(compiled()[1], everything=True), files), expected(files))


@pytest.mark.parametrize("part", PARTS)
def test_sparql_a_record_a_batch(part: str) -> None:
    engine = Engine(compiled()[1], everything=True)
    found: Verdicts = set()
    for file in PARTS[part][::ALONE]:
        found |= batched(engine, [file])
    agree(found, expected(PARTS[part][::ALONE]))


def test_sparql_all_in_one_batch() -> None:
    agree(batched(Engine(compiled()[1], everything=True), SCENARIOS), expected(SCENARIOS))


@pytest.mark.parametrize("part", PARTS)
def test_portable_sparql(part: str) -> None:
    """The texts for stores that do not promise to keep to SPARQL's errors, on one that does."""
    store = Embedded()
    store.exact = False
    found = batched(Engine(compiled()[1], everything=True, store=store), PARTS[part])
    agree(found, expected(PARTS[part]))


# --- SELECTs that the client joins, where nothing may be written


def joined(store: Store, files: Iterable[Path], everything: bool = False) -> Verdicts:
    checker = EndpointChecker(packaged_knowledge(), store, "endpoint", everything)
    found: Verdicts = set()
    store.add(nothing())
    for some in batches(list(files), BATCH):
        games = graphs(some)
        for game in games:
            store.add(triples(game))
        found |= {(c.id, f, v) for _, (c, f, v) in checker.findings([g.record.id for g in games])}
    return found


def batches(files: list[Path], size: int) -> list[list[Path]]:
    return [files[i : i + size] for i in range(0, len(files), size)]


@pytest.mark.parametrize("part", PARTS)
def test_joined_by_the_client(part: str) -> None:
    files = PARTS[part]
    agree(joined(Embedded(), files, everything=True), expected(files))


# --- the exported SHACL under pyshacl


def shacl(files: Sequence[Path]) -> Verdicts:
    from rulewright.checks.shacl import run_program

    return told(run_program(compiled()[1], graphs(files)))


@pytest.mark.parametrize("batch", range(len(SHACL_BATCHES)), ids=lambda n: f"{SHACL_BATCHES[n][0].parent.name}-{n}")
def test_exported_shacl(batch: int) -> None:
    agree(shacl(SHACL_BATCHES[batch]), expected(SHACL_BATCHES[batch], "violates"))


# --- SPARQL on a real Virtuoso


@cache
def smoke() -> tuple[Path, ...]:
    """Some of each folder in turn, so that none is missed."""
    ends: list[Path] = []
    for n in range(SMOKE):
        folder = in_folder(FOLDERS[n % len(FOLDERS)])
        ends.append(folder[(n // len(FOLDERS)) * len(folder) * len(FOLDERS) // SMOKE % len(folder)])
    return tuple(dict.fromkeys(ends))


def test_sparql_on_virtuoso(virtuoso: str) -> None:
    store = Remote(f"{virtuoso}/sparql", f"{virtuoso}/sparql-auth", user="dba", password="secret", timeout=120)
    found = batched(Engine(compiled()[1], store=store), smoke())
    agree(found, expected(smoke(), "violates", "undetermined"))
    assert not store.select("SELECT ?s WHERE { ?s ?p ?o } LIMIT 1"), "a run leaves nothing behind"


def test_joined_by_the_client_on_virtuoso(virtuoso: str) -> None:
    graph = "urn:records"
    writer = Remote(f"{virtuoso}/sparql", f"{virtuoso}/sparql-auth", graph, "dba", "secret")
    writer.add(nothing())
    for game in graphs(smoke()):
        writer.add(triples(game))
    checker = EndpointChecker(packaged_knowledge(), Remote(f"{virtuoso}/sparql", graph=graph), "endpoint")
    results = list(checker.check())
    found = {(v.axiom, v.focus, v.verdict) for result in results for v in result.verdicts}
    files = {result.record.id for result in results if result.record is not None}
    assert len(results) == len(smoke())
    assert found == {
        (v.axiom, v.focus, v.verdict)
        for result in Checker(packaged_knowledge()).check(g.record for g in graphs(smoke()))
        for v in result.verdicts
    }
    told = {f.rpartition("#")[0] for _, f, _ in found} | {r.record.id for r in results if r.record and r.unchecked}
    assert len(files) == len(told), "only records of which there is something to tell are fetched"


def test_virtuoso_refuses_in_one_line(virtuoso: str) -> None:
    stranger = Remote(f"{virtuoso}/sparql", f"{virtuoso}/sparql-auth", user="dba", password="wrong")
    with pytest.raises(StoreError, match="does not allow"):
        stranger.clear()
    with pytest.raises(StoreError, match="nothing at this path"):
        Remote(f"{virtuoso}/nowhere").select("SELECT * WHERE { ?s ?p ?o }")
    with pytest.raises(StoreError, match="refuses what it was asked: Virtuoso 37000"):
        Remote(f"{virtuoso}/sparql").select("SELECT ?s WHERE { ?s ?p }")


# --- every engine on conditions over a small graph


@cache
def of_small_graph(name: str) -> dict[str, str]:
    """Axiom -> verdict at the focus of the cases, of one engine."""
    found = engines.engine(name, three_values.checks(), everything=True).run([three_values.small_graph()])
    return {str(f.check.axiom): f.verdict for f in found[three_values.RECORD] if f.focus == three_values.FOCUS}


@pytest.mark.parametrize("name", engines.NAMES)
@pytest.mark.parametrize("number", range(len(three_values.CASES)), ids=three_values.IDS)
def test_a_condition_in_every_engine(name: str, number: int) -> None:
    """pyshacl finds violations alone."""
    verdict = three_values.VERDICT[three_values.CASES[number][2]]
    wanted = verdict if name != "pyshacl" or verdict == "violates" else None
    assert of_small_graph(name).get(f"urn:x:{number}") == wanted


@cache
def of_small_graph_portably() -> dict[str, str]:
    store = Embedded()
    store.exact = False
    plan = three_values.checks()
    found = Engine(compile_plan(plan), True, store).run([three_values.small_graph()])[three_values.RECORD]
    return {str(f.check.axiom): f.verdict for f in found if f.focus == three_values.FOCUS}


@pytest.mark.parametrize("number", range(len(three_values.CASES)), ids=three_values.IDS)
def test_a_condition_in_portable_sparql(number: int) -> None:
    wanted = three_values.VERDICT[three_values.CASES[number][2]]
    assert of_small_graph_portably().get(f"urn:x:{number}") == wanted


@cache
def of_small_graph_joined() -> dict[str, str]:
    """Of SELECTs that the client joins."""
    store = Embedded()
    store.add([*nothing(), *triples(three_values.small_graph())])
    ask = EndpointChecker(Knowledge(), store, "endpoint")._ask
    found = JoinedPlan(three_values.checks(), everything=True).run(ask, [three_values.RECORD])
    return {str(check.axiom): verdict for _, (check, focus, verdict) in found if focus == three_values.FOCUS}


@pytest.mark.parametrize("number", range(len(three_values.CASES)), ids=three_values.IDS)
def test_a_condition_in_joined_selects(number: int) -> None:
    wanted = three_values.VERDICT[three_values.CASES[number][2]]
    assert of_small_graph_joined().get(f"urn:x:{number}") == wanted


@pytest.mark.parametrize("name", engines.NAMES)
def test_an_engine_told_nothing_of_conforming_events_finds_none(name: str) -> None:
    found = engines.engine(name, three_values.checks()).run([three_values.small_graph()])[three_values.RECORD]
    assert "conforms" not in {f.verdict for f in found}
    assert "violates" in {f.verdict for f in found}


def test_there_is_no_other_engine() -> None:
    with pytest.raises(ValueError, match="prolog is no engine; they are fast, sparql, pyshacl, reference"):
        engines.engine("prolog", ir.Plan())


@pytest.mark.parametrize("name", engines.NAMES)
def test_what_is_found_can_be_explained_by_the_facts_left_in_the_graph(name: str) -> None:
    focus = ir.Focus(("Cast",))
    derive = ir.Derive("urn:x#late", Iri("urn:x"), focus, ir.Compare(">=", ir.path("order"), 3))
    late = ir.Compare("=", ir.path("urn:x#late"), True)
    graph = three_values.small_graph()
    plan = ir.Plan([derive], [ir.Check(Iri("urn:x"), "", focus, late, ir.FALSE)])
    found = engines.engine(name, plan).run([graph])[three_values.RECORD]
    assert {f.focus.rpartition("#")[2] for f in found} == {"1", "2"}
    assert [graph.facts[Iri(f"urn:g#{n}")].get("urn:x#late") for n in (1, 2, 3)] == [True, True, False]
