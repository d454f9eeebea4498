"""Conditions over a small graph made by hand, each with the value that it must have: what every engine is held to.

True, False, or None for unknown (docs/axioms.md, "Three values").
"""

from __future__ import annotations

from itertools import product

from rulewright.axioms import ir
from rulewright.axioms.ir import Compare, Exists, Includes, Not, Path, Some, Stated, path
from rulewright.records import Graph, Record
from rulewright.records.graph import Facts
from rulewright.vocabulary import GAME, NONE, Iri

Value = bool | None
RECORD, FOCUS = Iri("urn:g"), Iri("urn:g#1")
ANA, BEN, SPELL = Iri("urn:g#ana"), Iri("urn:g#ben"), Iri("urn:g#s")
KEYWORD = Iri("urn:x:keyword")
HAND = Iri(GAME + "hand")


def small_graph() -> Graph:
    """Made anew each time: engines add facts to it. All casts are recorded, not all resolutions."""
    graph = Graph(Record(RECORD, "by hand"))
    nodes: dict[Iri, tuple[str, Facts]] = {
        RECORD: ("Record", {"records": (Iri(GAME + "Cast"),), "recordsCount": 1, "rulesDate": 20260301}),
        ANA: ("Player", {"turnOrder": 1}),
        BEN: ("Player", {"turnOrder": 2}),
        Iri("urn:g#3"): ("Cast", {"order": 2, "player": ANA}),
        FOCUS: (
            "Cast",
            {
                "order": 3, "player": ANA, "from": HAND, "fromPlayer": NONE, "object": SPELL, "permission": "rebound",
                "targets": (ANA, BEN), "targetsCount": 2, "modes": (), "modesCount": 0, "forbiddenBy": (BEN,),
                "keywordsNamed": (KEYWORD,), "keywordsNamedCount": 1,
            },
        ),
        Iri("urn:g#2"): ("Cast", {"order": 5, "player": BEN}),
        Iri("urn:g#4"): ("Resolve", {"order": 7, "object": SPELL}),
        SPELL: ("Spell", {"resolved": False, "castEvent": FOCUS, "controller": ANA}),
    }  # fmt: skip
    for iri, (kind, facts) in nodes.items():
        graph.add(iri, kind, facts if iri == RECORD else {"inRecord": RECORD, **facts})
    return graph


def targets(term: ir.Term) -> Includes:
    return Includes(Path(()), "targeted", "targetsCount", term)


def modes(term: ir.Term) -> Includes:
    return Includes(Path(()), "mode", "modesCount", term)


def forbidden(term: ir.Term) -> Includes:
    """Of a list that need not be whole."""
    return Includes(Path(()), "forbidden", "forbiddenByCount", term)


def some_target(condition: ir.Condition) -> Some:
    return Some(condition, Path(()), "targeted", "targetsCount")


def some_event(kind: str, condition: ir.Condition) -> Some:
    """Where all events of the type need to be recorded for it to be false."""
    closed = Includes(Path(("inRecord",), True), "complete", "recordsCount", Iri(GAME + kind))
    return Some(condition, kind=kind, closed=closed)


YES, NO = Compare("=", path("order"), 3), Compare("=", path("order"), 4)
OPEN = Compare("=", path("x"), 3)
OF_VALUE: dict[Value, ir.Condition] = {True: YES, False: NO, None: OPEN}
_RANK = {False: 0, None: 1, True: 2}
_WORD = {False: "false", None: "unknown", True: "true"}


def _joined() -> list[tuple[str, ir.Condition, Value]]:
    """Kleene's tables: *all* is the least of two values, *any* the greatest, where unknown lies between."""
    found: list[tuple[str, ir.Condition, Value]] = []
    for one, two in product(OF_VALUE, repeat=2):
        parts = (OF_VALUE[one], OF_VALUE[two])
        least, greatest = min(one, two, key=_RANK.__getitem__), max(one, two, key=_RANK.__getitem__)
        found.append((f"{_WORD[one]} and {_WORD[two]}", ir.All(parts), least))
        found.append((f"{_WORD[one]} or {_WORD[two]}", ir.AnyOf(parts), greatest))
    return found


CASES: list[tuple[str, ir.Condition, Value]] = [
    ("true", ir.TRUE, True),
    ("false", ir.FALSE, False),
    ("unknown", ir.UNKNOWN, None),
    # values
    ("is that value", Compare("=", path("player"), ANA), True),
    ("is another value", Compare("=", path("player"), BEN), False),
    ("no fact", Compare("=", path("x"), 1), None),
    ("a text is that text", Compare("=", path("permission"), "rebound"), True),
    ("a text is no term", Compare("=", path("from"), str(HAND)), False),
    ("a term is no text", Compare("=", path("permission"), Iri("rebound:")), False),
    ("false is a value", Compare("=", path("object", "resolved"), False), True),
    ("false is not true", Compare("=", path("object", "resolved"), True), False),
    ("itself", Compare("=", Path(()), FOCUS), True),
    # a known nothing
    ("none is none", Compare("=", path("fromPlayer"), NONE), True),
    ("none differs", Compare("=", path("fromPlayer"), ANA), False),
    ("none differs from what is there", Compare("=", path("fromPlayer"), path("player")), False),
    ("nothing holds of none", Compare("=", path("fromPlayer", "turnOrder"), 1), False),
    ("none is no number", Compare("<", path("fromPlayer"), 9), None),
    ("none does not exist", Exists(path("fromPlayer")), False),
    ("nothing of none exists", Exists(path("fromPlayer", "turnOrder")), False),
    ("none is stated", Stated(path("fromPlayer")), True),
    ("lists of none", Includes(path("fromPlayer"), "targeted", "targetsCount", ANA), None),
    ("members of a list of none", Some(ir.TRUE, path("fromPlayer"), "targeted", "targetsCount"), None),
    # paths
    ("two steps", Compare("=", path("object", "controller"), ANA), True),
    ("breaks off", Compare("=", path("cause", "player"), ANA), None),
    ("breaks off at the end", Compare("=", path("object", "x"), 1), None),
    ("same at both ends", Compare("=", path("object", "controller"), path("player")), True),
    ("other at both ends", Compare("=", path("object", "castEvent"), path("player")), False),
    ("one end open", Compare("=", path("player"), path("toPlayer")), None),
    ("there and back", Compare("=", path("object", "castEvent", "order"), path("order")), True),
    ("exists", Exists(path("player")), True),
    ("may exist", Exists(path("cause")), None),
    ("stated", Stated(path("object", "resolved")), True),
    ("not stated", Stated(path("object", "x")), False),
    # numbers
    ("less", Compare("<", path("order"), 4), True),
    ("not less than itself", Compare("<", path("order"), 3), False),
    ("at most itself", Compare("<=", path("order"), 3), True),
    ("not at most", Compare("<=", path("order"), 2), False),
    ("at least itself", Compare(">=", path("order"), 3), True),
    ("not at least", Compare(">=", path("order"), 4), False),
    ("less than an open end", Compare("<", path("order"), path("x")), None),
    ("an identifier is no number", Compare("<", path("player"), 4), None),
    # lists
    ("in a whole list", targets(BEN), True),
    ("not in a whole list", targets(SPELL), False),
    ("in an open list", forbidden(BEN), True),
    ("perhaps in an open list", forbidden(ANA), None),
    ("in an empty list", modes("a"), False),
    ("in a list not stated", Includes(Path(()), "faceName", "faceCount", "Ice"), None),
    ("in a list of what is not there", Includes(path("cause"), "targeted", "targetsCount", ANA), None),
    ("in a list of another node", Includes(path("object", "castEvent"), "targeted", "targetsCount", ANA), True),
    ("a path's end in a list", targets(path("player")), True),
    ("a path's end not in a list", targets(path("object")), False),
    ("an open end in a list", targets(path("toPlayer")), None),
    # some and every member of a list
    ("some", some_target(Compare("=", path("turnOrder"), 2)), True),
    ("none of all", some_target(Compare("=", path("turnOrder"), 9)), False),
    ("of some nothing is known", some_target(Compare("=", path("team"), "a")), None),
    ("one is enough", some_target(ir.AnyOf((Compare("=", path("turnOrder"), 1), OPEN))), True),
    ("some of none", Some(ir.TRUE, Path(()), "mode", "modesCount"), False),
    ("every of none", Not(Some(Not(ir.UNKNOWN), Path(()), "mode", "modesCount")), True),
    ("every", Not(some_target(Not(Compare("<=", path("turnOrder"), 2)))), True),
    ("not every", Not(some_target(Not(Compare("=", path("turnOrder"), 2)))), False),
    ("some of an open list", Some(Compare("=", path("turnOrder"), 2), Path(()), "forbidden", "forbiddenByCount"), True),
    ("perhaps another", Some(Compare("=", path("turnOrder"), 1), Path(()), "forbidden", "forbiddenByCount"), None),
    ("some of a list not stated", Some(ir.TRUE, Path(()), "faceName", "faceCount"), None),
    ("the focus from inside", some_target(Compare("=", Path(()), Path(("player",), True))), True),
    ("of another node", Some(Compare("=", path("turnOrder"), 2), path("object", "castEvent"), "targeted",
                             "targetsCount"), True),
    # some node of a kind
    ("an event", some_event("Cast", Compare("=", path("player"), BEN)), True),
    ("no event, all recorded", some_event("Cast", Compare("=", path("order"), 9)), False),
    ("no event, not all recorded", some_event("Resolve", Compare("=", path("order"), 9)), None),
    ("an event, not all recorded", some_event("Resolve", Compare("=", path("order"), 7)), True),
    ("an event of which it is open", some_event("Cast", Compare("=", path("x"), 9)), None),
    ("no node of the kind, all recorded", Some(ir.TRUE, kind="Move", closed=ir.TRUE), False),
    ("no node of the kind, not all recorded", some_event("Move", ir.TRUE), None),
    ("a later event", some_event("Cast", Compare("<", Path(("order",), True), path("order"))), True),
    ("an event long before", some_event("Cast", Compare("<", path("order"), 2)), False),
    ("in the focus's list", some_event("Cast", Includes(Path((), True), "targeted", "targetsCount", path("player"))),
     True),
    ("perhaps in the focus's list", some_event("Cast", Includes(Path((), True), "targeted", "targetsCount",
                                                                path("object"))), None),
    # joined
    ("not true", Not(YES), False),
    ("not false", Not(NO), True),
    ("not unknown", Not(OPEN), None),
    ("named", ir.Named(Iri("urn:x:named"), NO), False),
    *_joined(),
]  # fmt: skip

IDS = [name for name, _, _ in CASES]
assert len(set(IDS)) == len(IDS)


def checks() -> ir.Plan:
    """A check for each case: it applies to every cast, and holds where the condition does."""
    focus = ir.Focus(("Cast",))
    return ir.Plan(checks=[ir.Check(Iri(f"urn:x:{n}"), "", focus, ir.TRUE, c) for n, (_, c, _) in enumerate(CASES)])


VERDICT = {True: "conforms", False: "violates", None: "undetermined"}
