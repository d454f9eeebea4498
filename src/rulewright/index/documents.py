"""What can be found in a graph: its keywords, terms, rules, rulings and cards, as documents for an index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import pyoxigraph as ox

from rulewright.index.folding import fold
from rulewright.index.model import OTHER, OWN, Document, Kind, Name, Text
from rulewright.vocabulary import local_name

if TYPE_CHECKING:
    from rulewright.store import Dataset

HEADING: Final = 80
"""Characters of the heading of a section of the rules at most."""
CARDS_OF_A_TEXT: Final = 5
"""Names of cards by which a text is found that stands on many more."""
# Each file says what it says in a graph of its own, many of them the same: patterns that join across graphs would find
# each answer as often as there are pairs of graphs that say it.
_KEYWORDS: Final = """SELECT ?thing ?name ?rank WHERE {
    { GRAPH ?graph { ?thing a rw:Keyword ; skos:prefLabel ?name } BIND(0 AS ?rank) }
    UNION { ?thing a rw:Keyword . ?concept skos:exactMatch ?thing ; ?property ?label .
        ?label skosxl:literalForm|(ontolex:otherForm/ontolex:writtenRep) ?name
        VALUES (?property ?rank) { (skosxl:prefLabel 1) (skosxl:altLabel 1) (skosxl:hiddenLabel 2) } }
}"""
_TERMS: Final = """SELECT ?thing ?name ?rank WHERE {
    ?thing a skos:Concept ; ?property ?label .
    FILTER NOT EXISTS { ?thing skos:exactMatch ?keyword . ?keyword a rw:Keyword }
    { ?label skosxl:literalForm ?name
        VALUES (?property ?rank) { (skosxl:prefLabel 0) (skosxl:altLabel 1) (skosxl:hiddenLabel 2) } }
    UNION { ?label ontolex:otherForm/ontolex:writtenRep ?name
        VALUES (?property ?rank) { (skosxl:prefLabel 1) (skosxl:altLabel 1) (skosxl:hiddenLabel 2) } }
}"""
_RULES: Final = "SELECT ?thing ?name ?rank WHERE { ?thing a rw:Rule ; skos:prefLabel ?name BIND(0 AS ?rank) }"
_NUMBERS: Final = """SELECT DISTINCT ?thing ?number ?day WHERE {
    ?version rw:versionOf ?thing ; rw:number ?number ; rw:inEdition/rw:effective ?day
}"""
_STATEMENTS: Final = "SELECT ?thing ?text WHERE { ?thing a rw:Statement ; rw:statement ?text }"
_ABOUT: Final = "SELECT ?thing ?about WHERE { ?thing a rw:Statement ; rw:about ?about }"
_EXPRESSED: Final = "SELECT ?text ?thing WHERE { ?text rw:expresses ?thing }"
_PUBLISHED: Final = """SELECT ?text ?about WHERE {
    GRAPH ?graph { ?publication rw:publishes ?text ; rw:onCard|rw:about|rw:heading ?about }
}"""
_WORDINGS: Final = """SELECT ?text ?wording WHERE {
    GRAPH ?graph { ?publication rw:publishes ?text . ?text rw:wording ?wording }
}"""
_CARDS: Final = """SELECT ?thing ?name ?rank WHERE {
    GRAPH ?graph { ?thing a rw:Card ; skos:prefLabel ?name } BIND(0 AS ?rank)
}"""
_CARD_TEXTS: Final = """SELECT ?thing ?type ?text WHERE {
    GRAPH ?graph {
        ?it rw:rulesText ?text .
        OPTIONAL { ?it rw:faceOf ?card }
        OPTIONAL { ?it rw:typeLine ?type FILTER(LANG(?type) = LANG(?text)) }
    }
    BIND(COALESCE(?card, ?it) AS ?thing)
}"""
_EDITIONS: Final = "SELECT DISTINCT ?edition ?day WHERE { ?edition a rw:Edition ; rw:effective ?day }"
_WITH_TEXTS: Final = "SELECT ?text WHERE { GRAPH ?graph { ?version rw:inEdition <%s> ; rw:text ?text } } LIMIT 1"
_VERSIONS: Final = """SELECT ?version ?number ?rule ?wording WHERE {
    GRAPH ?graph {
        ?version rw:inEdition <%s> ; rw:number ?number ; rw:text ?text . ?text rw:wording ?wording
        OPTIONAL { ?version rw:versionOf ?rule }
    }
}"""
_GLOSSARY: Final = """SELECT ?entry ?name ?wording WHERE {
    GRAPH ?graph {
        ?entry a rw:GlossaryEntry ; rw:inEdition <%s> ; skos:prefLabel ?name ; rw:text ?text .
        ?text rw:wording ?wording
    }
}"""
_FACES: Final = """SELECT ?thing ?name WHERE {
    GRAPH ?graph { ?face rw:faceOf ?thing ; skos:prefLabel ?name }
}"""

Ask: TypeAlias = Callable[[str], Iterable[Any]]
Names: TypeAlias = dict[str, list[Name]]
Texts: TypeAlias = dict[str, list[Text]]


def documents(dataset: Dataset) -> Iterator[Document]:
    """Every thing that can be found, kind by kind, as an index wants it."""
    ask = cast(Ask, dataset.query)
    keywords = _named(ask(_KEYWORDS))
    cards = _named(ask(_CARDS))
    terms = _named(ask(_TERMS))
    rules = _numbered(_named(ask(_RULES)), ask(_NUMBERS))
    texts: Texts = defaultdict(list)
    if edition := _newest(ask):
        _add_versions(rules, texts, ask(_VERSIONS % edition))
        _add_entries(keywords, terms, texts, ask(_GLOSSARY % edition))
    yield from _as_documents("keyword", keywords, texts)
    yield from _as_documents("term", terms, texts)
    yield from _as_documents("rule", rules, texts)
    yield from _rulings(ask, keywords, cards)
    for row in ask(_FACES):
        if row["thing"].value in cards:
            cards[row["thing"].value].append(_name(row["name"], OTHER))
    for row in ask(_CARD_TEXTS):
        parts = [row[part].value for part in ("type", "text") if row[part] is not None]
        texts[row["thing"].value].append(Text(". ".join(parts), row["text"].language or ""))
    yield from _as_documents("card", cards, texts)


def _named(rows: Iterable[Any]) -> Names:
    """Names by thing, its own first."""
    names: Names = defaultdict(list)
    for row in rows:
        names[row["thing"].value].append(_name(row["name"], int(row["rank"].value)))
    return {thing: sorted(set(found), key=lambda n: (n.rank, n.language, n.text)) for thing, found in names.items()}


def _name(literal: Any, rank: int) -> Name:
    return Name(literal.value, literal.language or "", rank)


def _as_documents(kind: Kind, names: Names, texts: Texts) -> Iterator[Document]:
    for thing in sorted(names):
        yield Document(thing, kind, tuple(names[thing]), tuple(dict.fromkeys(texts.get(thing, ()))))


def _numbered(names: Names, rows: Iterable[Any]) -> Names:
    """Rules with their numbers: that of the newest edition is a name of the rule's own."""
    numbers: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        of_rule = numbers[row["thing"].value]
        of_rule[row["number"].value] = max(row["day"].value, of_rule.get(row["number"].value, ""))
    for thing, of_rule in numbers.items():
        newest = max(of_rule.values())
        for number, day in sorted(of_rule.items(), key=lambda item: item[1], reverse=True):
            names.setdefault(thing, []).append(Name(number, "", OWN if day == newest else OTHER))
    return names


def _newest(ask: Ask) -> str | None:
    """The newest edition of which the texts are there."""
    days = sorted(((row["day"].value, row["edition"].value) for row in ask(_EDITIONS)), reverse=True)
    return next((edition for _, edition in days if any(True for _ in ask(_WITH_TEXTS % edition))), None)


def _add_versions(rules: Names, texts: Texts, rows: Iterable[Any]) -> None:
    """The wordings of an edition's rules; one that is no concept of ours is found by itself. A heading is a name."""
    for row in rows:
        thing, wording = (row["rule"] or row["version"]).value, row["wording"].value
        if row["rule"] is None:
            rules[thing] = [Name(row["number"].value)]
        if row["rule"] is None and len(wording) <= HEADING and not wording.endswith("."):
            rules[thing].append(Name(wording, "en"))
        else:
            texts[thing].append(Text(wording, "en"))


def _add_entries(keywords: Names, terms: Names, texts: Texts, rows: Iterable[Any]) -> None:
    """An edition's glossary: what it says of a keyword or term of ours is a text of that."""
    ours = [*terms.items(), *keywords.items()]
    known = {fold(name.text): thing for thing, names in ours for name in names if name.rank == OWN}
    for row in rows:
        name = row["name"].value
        thing = known.get(fold(name), row["entry"].value)
        if thing == row["entry"].value:
            terms[thing] = [Name(name, "en")]
        texts[thing].append(Text(row["wording"].value, "en"))


def _rulings(ask: Ask, keywords: Names, cards: Names) -> Iterator[Document]:
    """Statements with their texts, then texts that are not known to make one."""
    statements: dict[str, list[Text]] = defaultdict(list)
    for row in ask(_STATEMENTS):
        statements[row["thing"].value].append(Text(row["text"].value, row["text"].language or ""))
    about: dict[str, set[str]] = defaultdict(set)
    for row in ask(_ABOUT):
        about[row["thing"].value].add(row["about"].value)
    expressed: dict[str, list[str]] = defaultdict(list)
    for row in ask(_EXPRESSED):
        expressed[row["text"].value].append(row["thing"].value)
    headings: dict[str, set[str]] = defaultdict(set)
    for row in ask(_PUBLISHED):
        is_heading = isinstance(row["about"], ox.Literal)
        (headings if is_heading else about)[row["text"].value].add(row["about"].value)
    wordings: dict[str, Text] = {}
    for row in ask(_WORDINGS):
        text = row["text"].value
        wording = Text(row["wording"].value, row["wording"].language or "")
        if text in expressed:
            for statement in expressed[text]:
                statements[statement].append(wording)
        elif text in about or text in headings:
            wordings[text] = wording
    for statement, texts in sorted(statements.items()):
        heading = _heading(about[statement], keywords, cards)
        yield Document(statement, "ruling", (Name(local_name(statement)),), tuple(sorted(set(texts), key=str)), heading)
    for text, wording in sorted(wordings.items()):
        heading = _heading(about[text], keywords, cards) or tuple(map(Name, sorted(headings[text])))
        yield Document(text, "ruling", (), (wording,), heading)


def _heading(about: Iterable[str], keywords: Names, cards: Names) -> tuple[Name, ...]:
    """Own names of what a text is about, in both languages."""
    things = [t for t in sorted(about) if t in keywords or t in cards][:CARDS_OF_A_TEXT]
    names = [n for t in things for n in (keywords.get(t) or cards[t]) if n.rank == OWN]
    return tuple(dict.fromkeys(names))
