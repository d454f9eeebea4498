"""The record's schema, read from `ontology/game.ttl`: structures, event types, properties, enumerations.

Event types and what they imply are data: a new one needs a few triples and no code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from rulewright.vocabulary.cache import cached
from rulewright.vocabulary.names import CORE, GAME, RDF, SKOS, Iri, Scalar, local_name
from rulewright.vocabulary.resources import packaged

Cells = dict[str, dict[str, object]]
"""Blank node of a list -> its `first` and `rest`."""
RDFS = "http://www.w3.org/2000/01/rdf-schema#"


@dataclass(frozen=True)
class Property:
    """A stated property: the key it has in JSON, the kind of its value, and for lists how members are named."""

    name: str
    key: str
    kind: str
    structure: str | None = None
    member: str | None = None
    one_or_many: bool = False
    or_none: bool = False
    """Whether `null` says that there is none."""

    @cached_property
    def is_list(self) -> bool:
        return self.member is not None

    @property
    def count(self) -> str:
        return f"{self.name}Count"


@dataclass(frozen=True)
class EventType:
    """What an event of this type implies beyond what it states."""

    name: str
    action: bool = False
    creates: str | None = None
    ends_object: bool = False
    moves: str | None = None
    leaves: str | None = None
    arrives: str | None = None
    puts_counter: str | None = None
    counter_amount: str | None = None
    names_keyword: str | None = None
    interrupts: bool = False
    about: frozenset[str] = frozenset()
    """The properties of which one names what the event is about."""

    def moved(self, facts: Mapping[str, Scalar | tuple[Scalar, ...]]) -> tuple[Scalar | None, ...]:
        """What an event with these facts moves by its type; None: it does not say what."""
        things = facts.get(self.moves) if self.moves is not None else ()
        return things if isinstance(things, tuple) else (things,)

    def tells_of(self, facts: Mapping[str, object]) -> bool:
        """Whether an event with these facts says what it is about."""
        return not self.about or not self.about.isdisjoint(facts)


@dataclass(frozen=True)
class OpenWord:
    """What an open word of a record can mean: its class, and the labels by which records name it.

    Of an ability: the keyword that means it, and the event types on which it triggers.
    """

    iri: Iri
    kind: str
    en: str
    de: str
    others: tuple[str, ...] = ()
    keyword: Iri | None = None
    events: frozenset[str] = frozenset()
    among: str | None = None
    """Of a choice of what to keep: the description of what it is chosen among."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([self.en, self.de, *self.others]))

    def in_language(self, language: str) -> str:
        return self.de if language == "de" else self.en


@dataclass(frozen=True)
class WordUse:
    """What the words of a property can mean, and the derived facts that hold the meaning and one spelling of it."""

    kind: str
    meaning: str
    spelling: str | None = None
    within: frozenset[str] = frozenset()
    """The structures and event types in which alone the property holds words; none: wherever it is stated."""

    def applies(self, structure: str) -> bool:
        return not self.within or structure in self.within


@dataclass
class Schema:
    properties: dict[str, Property] = field(default_factory=dict)
    structures: dict[str, dict[str, Property]] = field(default_factory=dict)
    """Structure or event type -> JSON key -> property (an event type's own properties and those of all events)."""
    event_types: dict[str, EventType] = field(default_factory=dict)
    endings: frozenset[str] = frozenset()
    """Event types that end an object on the stack."""
    interruptions: frozenset[str] = frozenset()
    """Event types that say that the record misses something."""
    words: dict[str, dict[str, Iri]] = field(default_factory=dict)
    """Enumeration -> word of the record -> individual."""
    word_of: dict[str, str] = field(default_factory=dict)
    word_kinds: frozenset[str] = frozenset()
    """The classes of what open words mean."""
    word_uses: dict[str, WordUse] = field(default_factory=dict)
    """Property with open words (local name) -> what they can mean."""
    meanings: dict[str, str] = field(default_factory=dict)
    """Property that holds what words mean, or member of such a list -> the class of that."""
    own_words: tuple[OpenWord, ...] = ()
    """The open words that the ontology itself declares."""
    cost_kinds: dict[Iri, Iri | None] = field(default_factory=dict)
    """Kind of a cost -> the zone to which cards that pay it go; None: they stay where they are."""
    valid_until: dict[str, int] = field(default_factory=dict)
    """Derived property -> the day (yyyymmdd) from which the rules no longer know it."""
    ends_in: dict[Iri, Iri] = field(default_factory=dict)
    """Duration -> the step in which it ends."""
    step_position: dict[Iri, int] = field(default_factory=dict)
    public_zones: frozenset[str] = frozenset()
    functional: frozenset[str] = frozenset()
    """Local names of all properties, stated and derived, that have at most one value."""
    told: frozenset[str] = frozenset()
    """Facts worth telling a person: stated ones, and derived ones that rest on a rule (the others are bookkeeping)."""
    kinds: dict[str, str] = field(default_factory=dict)
    """Property, stated or derived, member or length of a list (local name) -> kind of its values (`Zone` …)."""
    lists: frozenset[str] = frozenset()
    compared: dict[str, str] = field(default_factory=dict)
    """List, stated or derived -> how it is compared with another: as a `set`, `bag` or `sequence`."""
    settled_by: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Property -> paths to what a record could state so that it is known, the first to be asked for first."""
    looked_at: dict[str, str] = field(default_factory=dict)
    """Kind of derived nodes -> the event type that is judged where axioms look at them."""
    needed_where: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Stated property -> paths, of which one leads to something where it is not to be left out."""
    members: Mapping[str, str] = field(default_factory=dict)
    """Member property -> its count property, stated and derived."""


def _rests_on_a_rule(po: Mapping[str, list[object]]) -> bool:
    return CORE + "authority" in po


@cache
def load_schema() -> Schema:
    """The schema of the packaged ontology."""
    return cached("schema", [packaged("ontology", "game.ttl")], _read_schema)


def _plain(value: object) -> object:
    import pyoxigraph as ox

    if not isinstance(value, ox.Literal):
        return Iri(value.value) if isinstance(value, ox.NamedNode) else str(value)
    if value.datatype.value.endswith("#boolean"):
        return value.value == "true"
    return int(value.value) if value.datatype.value.endswith("#integer") else value.value


def _listed(head: object, cells: Cells) -> Iterator[object]:
    """The members of an RDF list."""
    while str(head) in cells:
        yield cells[str(head)]["first"]
        head = cells[str(head)]["rest"]


def _path(of: object, cells: Cells) -> tuple[str, ...]:
    """A list of properties, or one."""
    return tuple(local_name(str(step)) for step in (_listed(of, cells) if str(of) in cells else (of,)))


def _read_schema() -> Schema:
    import pyoxigraph as ox

    facts: dict[str, dict[str, list[object]]] = {}
    cells: Cells = {}
    for triple in ox.parse(path=packaged("ontology", "game.ttl"), format=ox.RdfFormat.TURTLE):
        subject, predicate, value = triple.subject, triple.predicate, triple.object
        if isinstance(subject, ox.BlankNode):
            cells.setdefault(str(subject), {})[local_name(predicate.value)] = _plain(value)
            continue
        if not isinstance(subject, ox.NamedNode) or not subject.value.startswith(GAME):
            continue
        said: object = _plain(value)
        if isinstance(value, ox.Literal) and predicate.value.startswith(SKOS):
            said = value.language, value.value
        facts.setdefault(subject.value, {}).setdefault(predicate.value, []).append(said)

    schema = Schema()
    types = {iri: {local_name(str(t)) for t in po.get(RDF + "type", [])} for iri, po in facts.items()}

    def one(iri: str, name: str) -> str | None:
        values = facts[iri].get(GAME + name)
        return None if values is None else (local_name(values[0]) if isinstance(values[0], Iri) else str(values[0]))

    for iri, kinds in types.items():
        if "StatedProperty" in kinds:
            name = local_name(iri)
            schema.properties[name] = Property(
                name=name,
                key=one(iri, "key") or name,
                kind=(one(iri, "valueKind") or "StringValue").removesuffix("Value"),
                structure=one(iri, "structure"),
                member=one(iri, "member"),
                one_or_many=bool(facts[iri].get(GAME + "oneOrMany")),
                or_none=bool(facts[iri].get(GAME + "orNone")),
            )
    event_properties = facts[GAME + "Event"].get(GAME + "property", [])
    for iri, po in facts.items():
        name = local_name(iri)
        own = po.get(GAME + "property", [])
        if own or "EventType" in types[iri]:
            all_of_it = [*own, *(event_properties if "EventType" in types[iri] else [])]
            found = (schema.properties[local_name(str(p))] for p in all_of_it)
            schema.structures[name] = {p.key: p for p in found}
        if "EventType" in types[iri]:
            schema.event_types[name] = EventType(
                name=name,
                action=bool(po.get(GAME + "action")),
                creates=one(iri, "creates"),
                ends_object=bool(po.get(GAME + "endsObject")),
                moves=one(iri, "moves"),
                leaves=one(iri, "leaves"),
                arrives=one(iri, "arrives"),
                puts_counter=one(iri, "putsCounter"),
                counter_amount=one(iri, "counterAmount"),
                names_keyword=one(iri, "named"),
                interrupts=bool(po.get(GAME + "interrupts")),
                about=frozenset(local_name(str(p)) for p in po.get(GAME + "about", ())),
            )
        word = one(iri, "word")
        if word is not None:
            schema.word_of[iri] = word
            for kind in types[iri] & {"Zone", "TurnStep", "Colour", "Layout", "CostBasis", "EventType"}:
                schema.words.setdefault(kind, {})[word] = Iri(iri)
            if "CostKind" in types[iri]:
                schema.cost_kinds[Iri(iri)] = Iri(str(po[GAME + "arrives"][0])) if GAME + "arrives" in po else None
        for alternatives in po.get(GAME + "settledBy", ()):
            schema.settled_by[name] = tuple(_path(of, cells) for of in _listed(alternatives, cells))
        for where in po.get(GAME + "neededWhere", ()):
            schema.needed_where[name] = tuple(_path(of, cells) for of in _listed(where, cells))
        for step in po.get(GAME + "endsIn", ()):
            schema.ends_in[Iri(iri)] = Iri(str(step))
        if (event_type := one(iri, "looksAt")) is not None:
            schema.looked_at[name] = event_type
        if GAME + "validUntil" in po:
            schema.valid_until[name] = int(str(po[GAME + "validUntil"][0]).replace("-", ""))
        position = po.get(GAME + "position")
        if position:
            schema.step_position[Iri(iri)] = int(str(position[0]))
    schema.endings = frozenset(name for name, kind in schema.event_types.items() if kind.ends_object)
    schema.interruptions = frozenset(name for name, kind in schema.event_types.items() if kind.interrupts)
    _read_words(schema, facts, types)
    schema.public_zones = frozenset(iri for iri, po in facts.items() if po.get(GAME + "public") == [True])
    derived = {local_name(iri) for iri, kinds in types.items() if "DerivedProperty" in kinds}
    members = {p.member: p.count for p in schema.properties.values() if p.member}
    for iri, kinds in types.items():
        if "DerivedProperty" in kinds and GAME + "member" in facts[iri]:
            members[one(iri, "member") or ""] = one(iri, "length") or ""
    schema.members = members
    lists = {p.name for p in schema.properties.values() if p.is_list}
    lists |= {local_name(iri) for iri in types if GAME + "member" in facts[iri]}
    schema.lists = frozenset(lists)
    schema.compared = {local_name(iri): how for iri in types if (how := one(iri, "comparedAs")) is not None}
    resting = {local_name(i) for i, k in types.items() if "DerivedProperty" in k and _rests_on_a_rule(facts[i])}
    list_members = {
        m for m, count in members.items() if count.removesuffix("Count") in resting | set(schema.properties)
    }
    schema.kinds = {local_name(iri): (one(iri, "valueKind") or "StringValue").removesuffix("Value")
                    for iri, kinds in types.items() if kinds & {"StatedProperty", "DerivedProperty"}}  # fmt: skip
    for member, count in members.items():
        schema.kinds |= {member: schema.kinds[count.removesuffix("Count")], count: "Integer"}
    schema.told = frozenset(set(schema.properties) | resting | list_members)
    counts = set(members.values())
    schema.functional = frozenset(
        ({p.name for p in schema.properties.values()} | derived | counts) - lists - set(members)
    )
    return schema


def _read_words(schema: Schema, facts: Mapping[str, dict[str, list[object]]], types: Mapping[str, set[str]]) -> None:
    """What the open words of records can mean, as far as the ontology says it."""
    word = Iri(GAME + "OpenWord")
    schema.word_kinds = frozenset(
        local_name(iri) for iri, po in facts.items() if word in po.get(RDFS + "subClassOf", ())
    )
    own: list[OpenWord] = []
    for iri, po in facts.items():
        of_kind = [local_name(str(kind)) for kind in po.get(GAME + "wordKind", ())]
        if of_kind and GAME + "meaning" in po:
            spelling = po.get(GAME + "spelling")
            schema.word_uses[local_name(iri)] = WordUse(
                of_kind[0],
                local_name(str(po[GAME + "meaning"][0])),
                local_name(str(spelling[0])) if spelling else None,
                frozenset(local_name(str(where)) for where in po.get(GAME + "wordsIn", ())),
            )
            schema.meanings[local_name(str(po[GAME + "meaning"][0]))] = of_kind[0]
        elif of_kind:
            names = po.get(GAME + "member", [iri])
            schema.meanings |= {local_name(str(name)): of_kind[0] for name in names}
        for kind in sorted(types[iri] & schema.word_kinds):
            labels = [*po.get(SKOS + "prefLabel", ()), *po.get(SKOS + "altLabel", ())]
            texts = [label for label in labels if isinstance(label, tuple)]
            shown: dict[str, str] = dict(reversed(texts))
            own.append(OpenWord(Iri(iri), kind, shown["en"], shown["de"], tuple(text for _, text in texts)))
    schema.own_words = tuple(own)
