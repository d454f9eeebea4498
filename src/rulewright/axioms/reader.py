"""Axioms, conditions and keywords from Turtle: checked against the vocabulary on the way in."""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path as FilePath

import pyoxigraph as ox

from rulewright.axioms import ir
from rulewright.axioms.model import Axiom, AxiomError, Keyword, Knowledge, Label, NamedCondition
from rulewright.records.words import ABILITY, normal
from rulewright.vocabulary import (
    AX,
    BASE,
    CORE,
    COST_ROLES,
    COST_TRAITS,
    GAME,
    NONE,
    RDF,
    SH,
    SKOS,
    Iri,
    OpenWord,
    Scalar,
    cached,
    load_schema,
    local_name,
    packaged,
    slug,
    turtle_files,
)

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
ARCHETYPES = (
    "Permission", "Prohibition", "Obligation", "Replacement", "Trigger", "Cost", "Value", "Inheritance", "Order",
    "Identity", "PermissionPrinciple", "DestinationPrinciple",
)  # fmt: skip
_NODES_JUDGED = ("Standing", "Attachment", "Turn", "RecordedStep", "LegendPair")
"""What an axiom may judge besides events."""
_AXIOM_PROPERTIES = frozenset(
    (
        *("of", "keywordNeeded", "focus", "scope", "when", "unless", "require"),
        *("destination", "replaces", "createdBy", "ability", "on", "step", "inTurnOf", "controller"),
        *("instancesAuthority", "validFrom", "validUntil"),
    )
)
_COMPARISONS = (
    *("hasValue", "in", "equals", "exists", "atMost", "atLeast", "lessThan", "before", "atMostPath", "atLeastPath"),
    *("includes", "includesPath", "count", "countPath", "countAtMost"),
)
_VALUES: Mapping[str, tuple[type, str]] = {
    "Boolean": (bool, "true or false"),
    **dict.fromkeys(("Integer", "Date"), (int, "a whole number")),
    **dict.fromkeys(("String", "Label", "Mana", "List"), (str, "a text")),
}
"""Kind of value -> as what it is read, and in words; of others, IRIs."""
_ENUMERATIONS = {"Zone": "Zone", "Step": "TurnStep", "Colour": "Colour", "Layout": "Layout", "EventType": "EventType"}
"""Kind of value -> the class of all its values."""
_OF_SHACL = frozenset({"hasValue", "in"})
_AS_WORD = frozenset({SH + "hasValue", SH + "in"})
"""Comparisons with a constant."""
_TRAITS = ("colourless", "everySubtypeOf", "castFaceDown", *COST_TRAITS)
"""What a keyword can define about the objects that have it."""
_BESIDE = {"path": _COMPARISONS, "some": ("that",), "every": ("that",), "someNode": ("that", "recorded")}
"""Form of a condition -> what it may, and in part must, say beside."""
_INTEGER = re.compile(r"[+-]?[0-9]+")
Resource = ox.NamedNode | ox.BlankNode
Term = ox.NamedNode | ox.BlankNode | ox.Literal


def packaged_knowledge() -> Knowledge:
    """The axioms that the package carries."""
    files = [packaged("data", "kinds.ttl"), *turtle_files("data", "principles"), *turtle_files("data", "keywords")]
    return cached("axioms", [*files, packaged("ontology", "game.ttl")], lambda: read_files(files))


def read_files(files: Iterable[FilePath], base: Knowledge | None = None) -> Knowledge:
    """Axiom files on top of `base`. Raises AxiomError where one does not parse or contradicts the vocabulary."""
    known = base or Knowledge()
    documents = [_Document(file) for file in files]
    for document in documents:
        document.keywords(known)
        document.rules(known)
    for document in documents:
        document.words(known)
    for document in documents:
        document.beside = documents
        document.conditions(known)
    for document in documents:
        document.axioms(known)
    for document in documents:
        document.citations(known)
    return known


class _Document:
    def __init__(self, file: FilePath) -> None:
        self.file = str(file)
        self.facts: dict[Resource, dict[str, list[Term]]] = {}
        self.known: Knowledge = Knowledge()
        self.beside: list[_Document] = []
        self._reading: list[Iri] = []
        try:
            text = file.read_bytes()
        except OSError as error:
            raise AxiomError(self.file, "", f"cannot be read: {error.strerror}") from None
        try:
            for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
                if isinstance(quad.subject, (ox.NamedNode, ox.BlankNode)) and isinstance(
                    quad.object, (ox.NamedNode, ox.BlankNode, ox.Literal)
                ):
                    self.facts.setdefault(quad.subject, {}).setdefault(quad.predicate.value, []).append(quad.object)
        except (SyntaxError, ValueError) as error:
            raise AxiomError(self.file, "", f"is not Turtle: {error}") from None

    def fail(self, node: object, problem: str) -> AxiomError:
        name = node.value if isinstance(node, ox.NamedNode) else node if isinstance(node, str) else self._inside(node)
        return AxiomError(self.file, name, problem)

    def _inside(self, node: object) -> str:
        """Where a node without a name stands: in which axiom or named condition."""
        outer, seen = node, set[object]()
        while outer is not None and not isinstance(outer, ox.NamedNode) and outer not in seen:
            seen.add(outer)
            outer = next((s for s, po in self.facts.items() if any(outer in values for values in po.values())), None)
        return f"{outer.value}, a condition" if isinstance(outer, ox.NamedNode) else "a condition"

    def _typed(self, *names: str) -> list[tuple[ox.NamedNode, str]]:
        found = []
        for node, po in self.facts.items():
            for kind in po.get(RDF + "type", []):
                if isinstance(node, ox.NamedNode) and isinstance(kind, ox.NamedNode) and kind.value in names:
                    found.append((node, local_name(kind.value)))
        return found

    def _label(self, node: Resource, predicate: str, required: bool = True) -> Label | None:
        by_language = {v.language: v.value for v in self.facts[node].get(predicate, []) if isinstance(v, ox.Literal)}
        if "en" in by_language and "de" in by_language:
            return Label(by_language["en"], by_language["de"])
        if not required and not by_language:
            return None
        raise self.fail(node, f"{local_name(predicate)} is needed in English and German (@en, @de)")

    def _iris(self, node: Resource, predicate: str) -> tuple[Iri, ...]:
        values = self.facts[node].get(predicate, [])
        for value in values:
            if not isinstance(value, ox.NamedNode):
                raise self.fail(node, f"{local_name(predicate)} wants an IRI, not {value}")
        return tuple(sorted(Iri(v.value) for v in values if isinstance(v, ox.NamedNode)))

    # --- keywords and named conditions

    def keywords(self, known: Knowledge) -> None:
        for node, _ in self._typed(CORE + "Keyword"):
            label = self._label(node, SKOS + "prefLabel")
            assert label is not None
            texts = [
                v.value
                for p in ("prefLabel", "altLabel", "hiddenLabel")
                for v in self.facts[node].get(SKOS + p, [])
                if isinstance(v, ox.Literal)
            ]
            parameters = frozenset(local_name(p) for p in self._iris(node, AX + "parameter"))
            known.keywords[Iri(node.value)] = Keyword(
                Iri(node.value),
                tuple(dict.fromkeys([local_name(node.value), *texts])),
                label,
                self._iris(node, CORE + "definedBy"),
                parameters,
                self._traits(node),
                tuple(sorted(v.value for v in self.facts[node].get(AX + "compound", []))),
            )

    def _traits(self, node: ox.NamedNode) -> tuple[tuple[str, Scalar], ...]:
        found = [(name, self._term(v)) for name in _TRAITS for v in self.facts[node].get(AX + name, [])]
        if found and AX + "validFrom" in self.facts[node]:
            found.append(("validFrom", self._day(node, AX + "validFrom")))
        role = dict(found).get("costRole", COST_ROLES[0])
        if role not in COST_ROLES:
            names = ", ".join(f"ax:{local_name(known)}" for known in COST_ROLES)
            raise self.fail(node, f"{role} is no role of a cost: use one of {names}")
        return tuple(found)

    def rules(self, known: Knowledge) -> None:
        for node, _ in self._typed(CORE + "Rule"):
            label = self._label(node, SKOS + "prefLabel")
            assert label is not None
            known.rules[Iri(node.value)] = label

    # --- words of records

    def words(self, known: Knowledge) -> None:
        """What open words can mean: the abilities of keywords, and kinds of things."""
        self.known = known
        for node, kind in self._typed(*(GAME + name for name in load_schema().word_kinds)):
            label = self._label(node, SKOS + "prefLabel")
            assert label is not None
            more = [v.value for v in self.facts[node].get(SKOS + "altLabel", []) if isinstance(v, ox.Literal)]
            keyword = next(iter(self._iris(node, GAME + "abilityOf")), None)
            if (keyword is None) is (kind == ABILITY):
                raise self.fail(node, "game:abilityOf names the keyword of an ability, and of nothing else")
            events = frozenset(local_name(event) for event in self._iris(node, GAME + "speaksOf"))
            among = next((v.value for v in self.facts[node].get(GAME + "chosenAmong", ())), None)
            known.words[Iri(node.value)] = OpenWord(
                Iri(node.value), kind, label.en, label.de, tuple(more), keyword, events, among
            )

    def _word(self, kind: str, text: str, node: Resource) -> Iri:
        """What a word means by which an axiom speaks of a kind: it is known by a label, or by being used here."""
        wanted = normal(text)
        for word in (*load_schema().own_words, *self.known.words.values()):
            if word.kind == kind and wanted in map(normal, word.labels):
                return word.iri
        made = self._new_ability(wanted, node) if kind == ABILITY else _new_word(kind, wanted)
        return self.known.words.setdefault(made.iri, made).iri

    def _new_ability(self, text: str, node: Resource) -> OpenWord:
        """An ability that has no node of its own: its keyword's labels and the part make its labels."""
        name, _, part = text.partition(": ")
        keyword = next((k for k in self.known.keywords.values() if name in map(normal, k.names)), None)
        if keyword is None:
            raise self.fail(node, f"“{text}” names no keyword that is declared: an ability is named after its keyword")
        en, de = (f"{name}: {part}" if part else name for name in (keyword.label.en, keyword.label.de))
        iri = Iri(f"{keyword.iri}#{slug(part)}{'-' if part else ''}ability")
        return OpenWord(iri, ABILITY, en, de, (), keyword.iri)

    def conditions(self, known: Knowledge) -> None:
        self.known = known
        for node, _ in self._typed(AX + "Condition"):
            self._named(node)

    def _named(self, node: ox.NamedNode) -> ir.Named:
        iri = Iri(node.value)
        if iri not in self.known.conditions:
            if node not in self.facts:
                home = next((d for d in self.beside if node in d.facts), None)
                if home is not None:
                    home.known, home.beside = self.known, self.beside
                    return home._named(node)
                near = difflib.get_close_matches(iri, self.known.conditions, 1)
                raise self.fail(node, "this condition is not defined" + (f"; is {near[0]} meant?" if near else ""))
            if iri in self._reading:
                raise self.fail(node, "this condition is defined by itself")
            self._reading.append(iri)
            label = self._label(node, RDFS + "label")
            assert label is not None
            self.known.conditions[iri] = NamedCondition(
                iri,
                self._body(node),
                label,
                self._label(node, AX + "negation", required=False),
                self._iris(node, CORE + "authority"),
                self._iris(node, AX + "citedBy"),
            )
            self._reading.pop()
        return ir.Named(iri, self.known.conditions[iri].condition)

    def _labelled(self, node: ox.BlankNode, label: Label) -> ir.Named:
        """A condition that is used once, and so has words but no name: its English words serve as one."""
        iri = Iri(f"urn:rulewright:condition:{slug(label.en)}")
        body = self._body(node)
        known = self.known.conditions.get(iri)
        if known is not None and known.condition != body:
            raise self.fail(node, f"“{label.en}” is said of two different conditions: name one, or say it otherwise")
        self.known.conditions[iri] = NamedCondition(
            iri, body, label, self._label(node, AX + "negation", required=False)
        )
        return ir.Named(iri, body)

    # --- conditions

    def condition(self, node: Term) -> ir.Condition:
        if isinstance(node, ox.NamedNode):
            return self._named(node)
        if isinstance(node, ox.BlankNode):
            label = self._label(node, RDFS + "label", required=False) if node in self.facts else None
            if label is None:
                return self._body(node)
            return self._labelled(node, label)
        raise self.fail(str(node), "is no condition")

    def _list(self, node: Term) -> list[Term]:
        members: list[Term] = []
        while isinstance(node, (ox.NamedNode, ox.BlankNode)) and node.value != RDF + "nil":
            po = self.facts.get(node, {})
            if RDF + "first" not in po or RDF + "rest" not in po:
                raise self.fail(node, "is no well-formed list")
            members.append(po[RDF + "first"][0])
            node = po[RDF + "rest"][0]
        return members

    def _body(self, node: Resource) -> ir.Condition:
        po = self.facts.get(node, {})
        known = {RDF + "type", RDFS + "label", RDFS + "comment", AX + "negation", AX + "citedBy", CORE + "authority"}
        names = [p for p in po if p not in known]
        forms: dict[str, Callable[[Resource], ir.Condition]] = {
            AX + "all": lambda n: ir.All(tuple(self.condition(c) for c in self._filled_list(n, AX + "all"))),
            AX + "any": lambda n: ir.AnyOf(tuple(self.condition(c) for c in self._filled_list(n, AX + "any"))),
            AX + "not": lambda n: ir.Not(self.condition(po[AX + "not"][0])),
            AX + "some": self._some, AX + "every": self._every, AX + "someNode": self._some_node,
            AX + "instance": self._instance, SH + "path": self._comparison, AX + "hasKeyword": self._has_keyword,
            AX + "stated": lambda n: ir.Stated(self._path(po[AX + "stated"][0])),
        }  # fmt: skip
        for form, build in forms.items():
            if form in po:
                self._one_form(node, form, names)
                return build(node)
        wrong = ", ".join(local_name(n) for n in names) or "nothing"
        raise self.fail(
            node,
            f"says {wrong}, which is no condition: use sh:path with a comparison, or ax:all, ax:any, "
            "ax:not, ax:some, ax:every, ax:someNode, ax:instance, ax:hasKeyword, ax:stated",
        )

    def _one_form(self, node: Resource, form: str, names: list[str]) -> None:
        """What would be passed over in silence: a second form or comparison, or a word that belongs to another form."""
        allowed = {form, *(SH + n if n in _OF_SHACL else AX + n for n in _BESIDE.get(local_name(form), ()))}
        said = [n for n in names if n in allowed] if form == SH + "path" else []
        over = [n for n in names if n not in allowed] or said[2:]
        if over and said != [SH + "path"]:
            raise self.fail(
                node, f"says {local_name(over[0])} beside {local_name(form)}: write two conditions, or correct the one"
            )

    def _filled_list(self, node: Resource, name: str) -> list[Term]:
        members = self._list(self.facts[node][name][0])
        if not members:
            prefix = "sh" if name.startswith(SH) else "ax"
            raise self.fail(node, f"{prefix}:{local_name(name)} lists nothing: name at least one")
        return members

    def _path(self, node: Term) -> ir.Path:
        steps = [node] if isinstance(node, ox.NamedNode) else self._list(node)
        from_focus = bool(steps) and isinstance(steps[0], ox.NamedNode) and steps[0].value == AX + "focusNode"
        names = []
        for step in steps[1:] if from_focus else steps:
            if not isinstance(step, ox.NamedNode) or not step.value.startswith(GAME):
                raise self.fail(node, f"{step} is no property of the game graph")
            names.append(self._property(local_name(step.value), node))
        return ir.Path(tuple(names), from_focus)

    @cached_property
    def _properties(self) -> frozenset[str]:
        schema = load_schema()
        return schema.functional | schema.lists | set(schema.properties) | set(schema.members) | self.known.parameters()

    def _property(self, name: str, node: Term) -> str:
        if name not in self._properties:
            near = difflib.get_close_matches(name, self._properties, 1)
            raise self.fail(
                node if isinstance(node, ox.NamedNode) else GAME + name,
                f"game:{name} is not declared in the ontology" + (f"; is game:{near[0]} meant?" if near else ""),
            )
        return name

    def _term(self, value: Term) -> Scalar:
        if isinstance(value, ox.NamedNode):
            return Iri(value.value)
        if isinstance(value, ox.Literal):
            match local_name(value.datatype.value):
                case "boolean" if value.value in ("true", "false"):
                    return value.value == "true"
                case "integer" if _INTEGER.fullmatch(value.value):
                    return int(value.value)
                case "string" | "langString":
                    return value.value
        raise self.fail(str(value), "is no value: write an IRI, a text, a whole number, true or false")

    def _constant(self, node: Resource, name: str, value: Term) -> Scalar:
        """A value as one that the property can have: a constant of another kind would never be equal to it."""
        schema = load_schema()
        kind_of_word = schema.meanings.get(name)
        if kind_of_word is not None and isinstance(value, ox.Literal):
            return self._word(kind_of_word, value.value, node)
        found, kind = self._term(value), schema.kinds.get(name, "Any")
        named = schema.words.get(_ENUMERATIONS.get(kind, ""))
        if found == NONE or kind in ("Any", "Map"):
            return found
        if named is not None and found not in named.values():
            meant = named.get(found) if isinstance(found, str) else None
            write = f": write game:{local_name(meant)}" if meant else ", which are " + ", ".join(sorted(named))
            raise self.fail(node, f"{found!r} is none of the values of game:{name}{write}")
        wanted, what = _VALUES.get(kind, (Iri, "an IRI"))
        if type(found) is not wanted:
            raise self.fail(node, f"{found!r} is no value of game:{name}, which is {what}")
        return found

    def _members(self, path: ir.Path, node: Term) -> tuple[ir.Path, str, str]:
        """A path whose last step is a list: where the list is, its members, its length."""
        schema = load_schema()
        last = path.steps[-1] if path.steps else "focusNode"
        if last in schema.properties and schema.properties[last].member:
            prop = schema.properties[last]
            member, count = str(prop.member), prop.count
        elif last in schema.lists:
            count = f"{last}Count"
            member = next(m for m, c in schema.members.items() if c == count)
        else:
            raise self.fail(node, f"game:{last} is no list")
        return ir.Path(path.steps[:-1], path.from_focus), member, count

    def _comparison(self, node: Resource) -> ir.Condition:
        po = self.facts[node]
        at = self._path(po[SH + "path"][0])
        if not _AS_WORD.isdisjoint(po):
            at = _meaning(at)
        last = at.steps[-1] if at.steps else ""
        if SH + "hasValue" in po:
            return ir.Compare("=", at, self._constant(node, last, po[SH + "hasValue"][0]))
        if SH + "in" in po:
            values = [self._constant(node, last, v) for v in self._filled_list(node, SH + "in")]
            return ir.any_of(*(ir.Compare("=", at, value) for value in values))
        if AX + "equals" in po:
            return _equal(at, self._path(po[AX + "equals"][0]))
        if AX + "exists" in po:
            found: ir.Condition
            if self._is_list(at):
                where, _, count = self._members(at, node)
                found = ir.Compare(">=", ir.Path((*where.steps, count), where.from_focus), 1)
            else:
                found = ir.Exists(at)
            return found if self._term(po[AX + "exists"][0]) is True else ir.Not(found)
        for name, op in (("atMost", "<="), ("atLeast", ">="), ("lessThan", "<")):
            if AX + name in po:
                return ir.Compare(op, at, self._constant(node, last, po[AX + name][0]))
        for name, op in (("before", "<"), ("atMostPath", "<="), ("atLeastPath", ">=")):
            if AX + name in po:
                return ir.Compare(op, at, self._path(po[AX + name][0]))
        if AX + "includes" in po or AX + "includesPath" in po:
            where, member, count = self._members(at, node)
            term: ir.Term = (
                self._constant(node, member, po[AX + "includes"][0])
                if AX + "includes" in po
                else self._path(po[AX + "includesPath"][0])
            )
            return ir.Includes(where, member, count, term)
        if AX + "count" in po or AX + "countPath" in po or AX + "countAtMost" in po:
            where, _, count = self._members(at, node)
            path = ir.Path((*where.steps, count), where.from_focus)
            if AX + "countAtMost" in po:
                return ir.Compare("<=", path, self._constant(node, count, po[AX + "countAtMost"][0]))
            if AX + "count" in po:
                return ir.Compare("=", path, self._constant(node, count, po[AX + "count"][0]))
            return ir.Compare("=", path, self._path(po[AX + "countPath"][0]))
        raise self.fail(
            node,
            f"compares game:{'/'.join(at.steps)} with nothing: add sh:hasValue, sh:in, ax:equals, "
            "ax:exists, ax:includes, ax:count, ax:atMost, ax:before …",
        )

    def _is_list(self, path: ir.Path) -> bool:
        schema = load_schema()
        return bool(path.steps) and path.steps[-1] in schema.lists

    def _that(self, node: Resource) -> ir.Condition:
        if AX + "that" not in self.facts[node]:
            raise self.fail(node, "needs ax:that, the condition on the member")
        return self.condition(self.facts[node][AX + "that"][0])

    def _some(self, node: Resource) -> ir.Condition:
        where, member, count = self._members(self._path(self.facts[node][AX + "some"][0]), node)
        return ir.Some(self._that(node), where, member, count)

    def _every(self, node: Resource) -> ir.Condition:
        where, member, count = self._members(self._path(self.facts[node][AX + "every"][0]), node)
        return ir.Not(ir.Some(ir.Not(self._that(node)), where, member, count))

    def _some_node(self, node: Resource) -> ir.Condition:
        kind = self.facts[node][AX + "someNode"][0]
        if not isinstance(kind, ox.NamedNode):
            raise self.fail(node, "ax:someNode wants a class of nodes")
        name = local_name(kind.value)
        closed: ir.Condition | None = None
        recorded = self.facts[node].get(AX + "recorded")
        if (recorded is None or self._term(recorded[0]) is not True) and name in load_schema().event_types:
            closed = ir.Includes(ir.Path(("inRecord",), True), "closedType", "closedTypesCount", Iri(kind.value))
        return ir.Some(self._that(node), kind=name, closed=closed)

    def _instance(self, node: Resource) -> ir.Condition:
        """Some instance of the axiom's keyword in force meets the condition; the keyword is filled in by the axiom."""
        inside = self.condition(self.facts[node][AX + "instance"][0])
        mine = ir.Compare("=", ir.path("keywordNamed"), _THE_KEYWORD)
        return ir.Some(ir.All((mine, inside)), ir.Path(()), "instanceInForce", "instancesInForceCount")

    def _has_keyword(self, node: Resource) -> ir.Condition:
        keyword = self._term(self.facts[node][AX + "hasKeyword"][0])
        return ir.Includes(ir.Path(()), "keywordInForce", "keywordsInForceCount", keyword)

    # --- axioms

    def axioms(self, known: Knowledge) -> None:
        self.known = known
        for node, archetype in self._typed(*(AX + a for a in ARCHETYPES)):
            self._axiom(node, archetype)
        for subject, po in self.facts.items():
            for kind in po.get(RDF + "type", []):
                name = kind.value if isinstance(kind, ox.NamedNode) else ""
                if name.startswith(AX) and local_name(name) not in (*ARCHETYPES, "Condition"):
                    near = difflib.get_close_matches(local_name(name), ARCHETYPES, 1)
                    raise self.fail(
                        subject,
                        f"ax:{local_name(name)} is no archetype" + (f"; is ax:{near[0]} meant?" if near else ""),
                    )

    def citations(self, known: Knowledge) -> None:
        for node, _ in self._typed(AX + "Condition"):
            for axiom in known.conditions[Iri(node.value)].cited_by:
                if axiom not in known.axioms:
                    near = difflib.get_close_matches(axiom, known.axioms, 1)
                    raise self.fail(
                        node, f"ax:citedBy {axiom} is no axiom" + (f"; is {near[0]} meant?" if near else "")
                    )

    def _axiom(self, node: ox.NamedNode, archetype: str) -> None:
        po = self.facts[node]
        for predicate in po:
            if predicate.startswith(AX) and local_name(predicate) not in _AXIOM_PROPERTIES:
                near = difflib.get_close_matches(local_name(predicate), _AXIOM_PROPERTIES, 1)
                raise self.fail(
                    node,
                    f"ax:{local_name(predicate)} is no property of an axiom"
                    + (f"; is ax:{near[0]} meant?" if near else ""),
                )
        label = self._label(node, RDFS + "label")
        assert label is not None
        axiom = Axiom(Iri(node.value), archetype, self.file, label, authority=self._iris(node, CORE + "authority"))
        if not axiom.authority:
            raise self.fail(node, "has no rw:authority: name the rule or ruling that it rests on")
        of = self._iris(node, AX + "of")
        axiom.keyword = of[0] if of else None
        if axiom.keyword is not None and axiom.keyword not in self.known.keywords:
            raise self.fail(node, f"is of {axiom.keyword}, which is not declared as a rw:Keyword")
        own = self.known.keywords[axiom.keyword].rules if axiom.keyword is not None else ()
        axiom.authority = tuple(sorted(axiom.authority, key=lambda a: (a not in own, a)))
        axiom.keyword_needed = self._term(po[AX + "keywordNeeded"][0]) is True if AX + "keywordNeeded" in po else True
        axiom.focus = tuple(local_name(f) for f in self._iris(node, AX + "focus"))
        for kind in axiom.focus:
            if kind not in load_schema().event_types and kind not in _NODES_JUDGED:
                raise self.fail(node, f"ax:focus game:{kind} is no event type")
        for name, into in (
            ("scope", axiom.scope),
            ("when", axiom.when),
            ("unless", axiom.unless),
            ("require", axiom.require),
        ):
            into.extend(_of_keyword(self.condition(c), axiom.keyword, self, node) for c in po.get(AX + name, []))
            if any(_nested(condition) for condition in into):
                raise self.fail(
                    node,
                    f"ax:{name} has a quantifier (ax:some, ax:every, ax:someNode, ax:instance) within a quantifier: "
                    "say it with a property of the member, or in two axioms",
                )
        zones = load_schema().words["Zone"].values()
        for name in ("destination", "replaces"):
            value = self._iris(node, AX + name)
            if value and value[0] not in zones and value[0] != AX + "anyDestination":
                raise self.fail(node, f"ax:{name} {value[0]} is no zone")
        axiom.destination = next(iter(self._iris(node, AX + "destination")), None)
        axiom.replaces = next(iter(self._iris(node, AX + "replaces")), None)
        axiom.created_by = next(iter(self._iris(node, AX + "createdBy")), None)
        axiom.step = next(iter(self._iris(node, AX + "step")), None)
        axiom.on = tuple(local_name(e) for e in self._iris(node, AX + "on"))
        axiom.instances_authority = self._iris(node, AX + "instancesAuthority")
        if axiom.step is not None and axiom.step not in load_schema().step_position:
            raise self.fail(node, f"ax:step {axiom.step} is no step")
        if AX + "ability" in po:
            axiom.ability = self._ability(node, po[AX + "ability"][0])
        for name in ("inTurnOf", "controller"):
            if AX + name in po:
                setattr(axiom, "in_turn_of" if name == "inTurnOf" else name, self._path(po[AX + name][0]))
        for name in ("validFrom", "validUntil"):
            if AX + name in po:
                setattr(axiom, "valid_from" if name == "validFrom" else "valid_until", self._day(node, AX + name))
        self._complete(axiom, node)
        if axiom.iri in self.known.axioms and self.known.axioms[axiom.iri].file != self.file:
            raise self.fail(node, f"is already defined in {self.known.axioms[axiom.iri].file}")
        self.known.axioms[axiom.iri] = axiom

    def _ability(self, node: ox.NamedNode, value: Term) -> Iri:
        """The ability that triggers: a resource, or a text by which records name it."""
        found = self._term(value)
        if isinstance(found, Iri):
            word = self.known.words.get(found)
            if word is None or word.kind != ABILITY:
                raise self.fail(node, f"ax:ability {found} is no game:{ABILITY}")
            return found
        return self._word(ABILITY, str(found), node)

    def _day(self, node: ox.NamedNode, name: str) -> int:
        value = self.facts[node][name][0]
        try:
            day = datetime.date.fromisoformat(value.value)
        except ValueError:
            raise self.fail(node, f"ax:{local_name(name)} {value.value} is no date: write YYYY-MM-DD") from None
        return day.year * 10000 + day.month * 100 + day.day

    def _complete(self, axiom: Axiom, node: ox.NamedNode) -> None:
        """Each archetype needs its own properties."""
        all_needs: dict[str, dict[str, object]] = {
            "Replacement": {"destination": axiom.destination, "of": axiom.keyword, "when": axiom.when},
            "Permission": {"of": axiom.keyword, "when": axiom.when},
            "Trigger": {"ability": axiom.ability, "step or ax:on": axiom.step or axiom.on, "of": axiom.keyword},
            "Prohibition": {"focus": axiom.focus},
            "Cost": {"focus": axiom.focus, "require": axiom.require},
            "Value": {"focus": axiom.focus, "require": axiom.require},
            "Obligation": {"focus": axiom.focus, "require": axiom.require},
            "Order": {"focus": axiom.focus, "require": axiom.require},
            "Identity": {"focus": axiom.focus, "require": axiom.require},
            "Inheritance": {"focus": axiom.focus, "require": axiom.require},
        }
        missing = [f"ax:{name}" for name, value in all_needs.get(axiom.archetype, {}).items() if not value]
        if missing:
            raise self.fail(node, f"a {axiom.archetype} needs {', '.join(missing)}")
        if (
            axiom.created_by is not None
            and axiom.created_by not in self.known.axioms
            and ox.NamedNode(axiom.created_by) not in self.facts
        ):
            raise self.fail(node, f"ax:createdBy {axiom.created_by} is no axiom")


def _nested(condition: ir.Condition) -> bool:
    """Whether a quantifier stands within a quantifier, which no query can say in one stage."""
    quantified = (part for part in ir.walk(condition) if isinstance(part, ir.Some))
    return any(isinstance(inner, ir.Some) for part in quantified for inner in ir.walk(part.condition))


def _new_word(kind: str, text: str) -> OpenWord:
    """A kind that has no node of its own and only one label."""
    return OpenWord(Iri(f"{BASE}kind/{re.sub('(Kind|Event|Name)$', '', kind).lower()}-{slug(text)}"), kind, text, text)


def _equal(left: ir.Path, right: ir.Path) -> ir.Condition:
    """Two values are the same; two words where they mean the same, and an unknown one is surely like itself."""
    schema = load_schema()
    stated = [path.steps[-1] if path.steps and path.steps[-1] in schema.properties else "" for path in (left, right)]
    uses = [schema.word_uses.get(name) for name in stated]
    if None in uses:
        return ir.Compare("=", left, right)
    spelled = [
        ir.Path((*path.steps[:-1], use.spelling), path.from_focus)
        for path, use in zip((left, right), uses, strict=True) if use is not None and use.spelling is not None
    ]  # fmt: skip
    same = ir.Compare("=", _meaning(left), _meaning(right))
    return ir.AnyOf((ir.Compare("=", *spelled), same)) if len(spelled) == 2 else same


def _meaning(path: ir.Path) -> ir.Path:
    """A path to an open word as one to what the word means: a word is no constant to compare with."""
    use = load_schema().word_uses.get(path.steps[-1]) if path.steps else None
    return path if use is None else ir.Path((*path.steps[:-1], use.meaning), path.from_focus)


_THE_KEYWORD = Iri(AX + "theKeyword")


def _of_keyword(condition: ir.Condition, keyword: Iri | None, document: _Document, node: ox.NamedNode) -> ir.Condition:
    """Fills the axiom's keyword in where a condition speaks of its instance."""
    match condition:
        case ir.Compare(op=op, left=left, right=right) if right == _THE_KEYWORD:
            if keyword is None:
                raise document.fail(node, "ax:instance needs ax:of, the keyword whose instance is meant")
            return ir.Compare(op, left, keyword)
        case ir.All(parts=inner):
            return ir.All(tuple(_of_keyword(p, keyword, document, node) for p in inner))
        case ir.AnyOf(parts=inner):
            return ir.AnyOf(tuple(_of_keyword(p, keyword, document, node) for p in inner))
        case ir.Not(part=part):
            return ir.Not(_of_keyword(part, keyword, document, node))
        case ir.Named(iri=iri, part=part):
            return ir.Named(iri, _of_keyword(part, keyword, document, node))
        case ir.Some():
            return ir.Some(
                _of_keyword(condition.condition, keyword, document, node),
                condition.at,
                condition.members,
                condition.count,
                condition.kind,
                condition.closed,
            )
        case _:
            return condition
