"""What shapes judge in a text: its words that are marked as forms of terms, rule numbers, remarks, words run together.

The marks are facts of NIF (the NLP Interchange Format): a phrase with its words (`nif:anchorOf`), its place in the text
(`nif:beginIndex`, `nif:endIndex`, in characters from 0) and the statement in which it stands (`nif:referenceContext`,
the publication). Whether a mark is a fault is said by `ontology/shapes/texts.ttl` alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import pyoxigraph as ox

from rulewright.terms.language import UNKNOWN, identify
from rulewright.vocabulary import CORE, NEWEST, RDF, RULE, SKOS, load_rule_numbers

NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
ITSRDF = "http://www.w3.org/2005/11/its/rdf#"
DCTERMS = "http://purl.org/dc/terms/"
SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
ONTOLEX = "http://www.w3.org/ns/lemon/ontolex#"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_NUMBER = re.compile(r"(?<![\w.,/])([1-9]\d\d\.[1-9]\d{0,2})([a-z]{0,2})(?!\w)(?:[-–]([a-z])(?!\w))?")
_TOKEN = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ][a-zäöüß])")
_HEADING = re.compile(r", [^,]*$")
_SHORT = 3
"""Letters that a word needs to be told from a particle of a name (Mc, de, van) or a brand's first letter."""


@dataclass(frozen=True)
class Statement:
    """One statement as a document has it. `node` is its publication, `number` its place in the document, from 1."""

    node: str
    number: int
    text: str
    id: str | None = None
    day: int | None = None
    quoted: str | None = None
    """The rule number under which the document has it, where it quotes a rule."""
    heading: str = ""
    line: int | None = None


@dataclass
class Document:
    """A source document: its node in the graph, its file as the user named it, and its statements in order."""

    node: str
    file: str
    statements: list[Statement] = field(default_factory=list)


class Terms:
    """The term list: forms of labels by language, the names of cards, and what rules are called."""

    def __init__(self, triples: Iterable[ox.Triple]) -> None:
        written: dict[str, tuple[str, str]] = {}
        labels: dict[str, list[tuple[str, str]]] = {}
        forms: dict[str, list[str]] = {}
        self.names: set[str] = set()
        self.headings: dict[str, dict[str, str]] = {}
        """Rule -> language -> the heading under which it stands, as its label has it."""
        self.rule_labels: dict[str, list[ox.Triple]] = {}
        everyday: set[str] = set()
        concepts: dict[str, dict[str, list[str]]] = {}
        kinds: dict[str, str] = {}
        named: list[tuple[str, str]] = []
        for t in triples:
            s, p, o = t.subject, t.predicate.value, t.object
            if not isinstance(s, ox.NamedNode):
                continue
            if p == RDF + "type" and isinstance(o, ox.NamedNode):
                kinds[s.value] = o.value
            elif p == ONTOLEX + "otherForm" and isinstance(o, ox.NamedNode):
                forms.setdefault(s.value, []).append(o.value)
            elif p.startswith(SKOSXL) and isinstance(o, ox.NamedNode):
                concepts.setdefault(s.value, {}).setdefault(p, []).append(o.value)
            elif p == CORE + "everydayWord" and isinstance(o, ox.Literal) and o.value == "true":
                everyday.add(s.value)
            elif isinstance(o, ox.Literal) and o.language:
                if p == ONTOLEX + "writtenRep":
                    written[s.value] = (o.value, o.language)
                elif p == SKOSXL + "literalForm":
                    labels.setdefault(s.value, []).append((o.value, o.language))
                elif p == SKOS + "prefLabel":
                    named.append((s.value, o.value))
                    if s.value.startswith(RULE):
                        self.headings.setdefault(s.value, {})[o.language] = _HEADING.sub("", o.value)
                        self.rule_labels.setdefault(s.value, []).append(t)
        for label, of in forms.items():
            labels.setdefault(label, []).extend(written[form] for form in of if form in written)
        for node, name in named:
            if kinds.get(node) in (CORE + "Card", CORE + "Face"):
                self.names.add(name)
        self.judged: set[str] = set()
        """Labels at whose mentions a shape looks: those to be replaced, and what tells everyday words from terms."""
        for of_concept in concepts.values():
            hidden = of_concept.get(SKOSXL + "hiddenLabel", [])
            told = [x for found in of_concept.values() for x in found] if everyday.intersection(hidden) else hidden
            self.judged.update(told)
        self._labels: dict[str, dict[str, list[str]]] = {}
        for label, spellings in labels.items():
            for text, language in spellings:
                for spelling in {text, text[:1].upper() + text[1:]}:
                    self._labels.setdefault(language, {}).setdefault(spelling, []).append(label)
        self._patterns = {language: _any_of(found) for language, found in self._labels.items()}

    def is_term(self, text: str) -> bool:
        return any(text in found for found in self._labels.values())

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of terms and of names."""
        forms = (form for found in self._labels.values() for form in found)
        return frozenset(word for part in (forms, self.names) for text in part for word in _TOKEN.findall(text))

    def mentions(self, text: str, language: str) -> Iterator[tuple[int, int, list[str]]]:
        """Where forms of labels stand, and which labels."""
        if pattern := self._patterns.get(language):
            for match in pattern.finditer(text):
                yield match.start(), match.end(), self._labels[language][re.sub(r"\s+", " ", match[0])]


def _any_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Any of the texts as whole words; a hyphen may follow, as in German compounds."""
    alternatives = (re.escape(t).replace(r"\ ", r"\s+") for t in sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(alternatives)})(?!\w)")


def marked(documents: Iterable[Document], terms: Terms) -> list[ox.Triple]:
    """All facts about the words of the documents."""
    found: list[ox.Triple] = []
    for document in documents:
        found += _Marker(document, terms).facts()
    meant = {t.subject: t.object.value for t in found if t.predicate.value == ITSRDF + "taIdentRef"
             and isinstance(t.object, ox.NamedNode)}  # fmt: skip
    numbers = {t.object.value for t in found if t.subject in meant and t.predicate.value == NIF + "anchorOf"
               and isinstance(t.object, ox.Literal)}  # fmt: skip
    found += _numbers_today(set(meant.values()), numbers, terms)
    return found


def _numbers_today(meant: set[str], numbers: set[str], terms: Terms) -> Iterator[ox.Triple]:
    """The numbers and labels of the rules that were meant, and of those that have one of the numbers today."""
    for rule in load_rule_numbers().versions:
        today = load_rule_numbers().number(rule, NEWEST) or ""
        if rule in meant or today in numbers or today.rstrip(_LETTERS) in numbers:
            yield ox.Triple(ox.NamedNode(rule), ox.NamedNode(DCTERMS + "identifier"), ox.Literal(today))
            yield from terms.rule_labels.get(rule, ())


class _Marker:
    """Marks one document."""

    def __init__(self, document: Document, terms: Terms) -> None:
        self.document, self.terms = document, terms
        headings = {s.heading for s in document.statements if s.heading}
        # A page about a keyword has its name as heading, which is no card's name.
        self.names = terms.names | {h for h in headings if not terms.is_term(h)}
        self._named = _any_of(self.names) if self.names else None
        self.languages = {s.node: identify(s.text, self.names) for s in document.statements}
        self.tokens = Counter(t for s in document.statements for t in _TOKEN.findall(s.text))

    def facts(self) -> Iterator[ox.Triple]:
        counts = Counter(i.main for i in self.languages.values() if i.main != UNKNOWN)
        (main, most), (_, second), *_ = [*counts.most_common(), ("", 0), ("", 0)]
        language = main if most > second else None
        source = ox.NamedNode(self.document.node)
        if language:
            yield _text(source, DCTERMS + "language", language)
        yield from self._section()
        for statement in self.document.statements:
            node = ox.NamedNode(statement.node)
            yield ox.Triple(node, ox.NamedNode(CORE + "inSource"), source)
            yield _text(node, DCTERMS + "language", self.languages[statement.node].main)
            yield from self._remarks(statement)
            yield from self._terms(statement, language)
            yield from self._numbers(statement)
            yield from self._joined(statement)

    def _phrase(self, context: str, words: str, place: tuple[int, int] | None, kind: str = "Phrase") -> list[ox.Triple]:
        # RFC 5147 names a stretch of a text by its characters.
        fragment = f"char={place[0]},{place[1]}" if place else f"number={words}"
        node = ox.NamedNode(f"{context}#{fragment}")
        found = [
            ox.Triple(node, ox.NamedNode(RDF + "type"), ox.NamedNode(NIF + kind)),
            _text(node, NIF + "anchorOf", words),
            ox.Triple(node, ox.NamedNode(NIF + "referenceContext"), ox.NamedNode(context)),
        ]
        if place:
            found.append(ox.Triple(node, ox.NamedNode(NIF + "beginIndex"), ox.Literal(place[0])))
            found.append(ox.Triple(node, ox.NamedNode(NIF + "endIndex"), ox.Literal(place[1])))
        return found

    def _remarks(self, statement: Statement) -> Iterator[ox.Triple]:
        for remark in self.languages[statement.node].remarks:
            place = (remark.start, remark.end)
            phrase = self._phrase(statement.node, statement.text[remark.start : remark.end], place)
            yield from phrase
            yield _text(phrase[0].subject, DCTERMS + "language", remark.language)

    def _terms(self, statement: Statement, language: str | None) -> Iterator[ox.Triple]:
        identified = self.languages[statement.node]
        main = language if identified.main == UNKNOWN else identified.main
        named = self._places_of_names(statement.text)
        for spoken in sorted({main or UNKNOWN, *(r.language for r in identified.remarks)}):
            for start, end, labels in self.terms.mentions(statement.text, spoken):
                here = next((r.language for r in identified.remarks if r.start <= start < r.end), main)
                if here != spoken or any(s < end and start < e for s, e in named):
                    continue
                phrase = self._phrase(statement.node, statement.text[start:end], (start, end))
                judged = [label for label in labels if label in self.terms.judged]
                yield from phrase if judged else ()
                for label in judged:
                    yield ox.Triple(phrase[0].subject, ox.NamedNode(CORE + "mentionsForm"), ox.NamedNode(label))

    def _places_of_names(self, text: str) -> list[tuple[int, int]]:
        return [m.span() for m in self._named.finditer(text)] if self._named else []

    # --- rule numbers

    def _quoted(self, statement: Statement) -> tuple[str, int] | None:
        """The rule that a statement quotes, known by its heading, and the day from which it had that number."""
        for rule, versions in sorted(load_rule_numbers().versions.items()):
            if statement.heading.casefold() in (h.casefold() for h in self.terms.headings.get(rule, {}).values()):
                for since, number in versions:
                    if number == statement.quoted:
                        return rule, since
        return None

    @cached_property
    def _day(self) -> int | None:
        """For a page without date: the day from which the rule that it quotes had the number."""
        quoted = (self._quoted(s) for s in self.document.statements if s.quoted)
        return next((q[1] for q in quoted if q), None)

    def _section(self) -> Iterator[ox.Triple]:
        """The number of what the document quotes as a whole, of which the statements quote the parts."""
        for statement in self.document.statements:
            if statement.quoted and (quoted := self._quoted(statement)):
                section = statement.quoted.rstrip(_LETTERS)
                if section != statement.quoted:
                    yield from self._number(self.document.node, section, None, quoted[0])
                return

    def _numbers(self, statement: Statement) -> Iterator[ox.Triple]:
        if statement.quoted and (quoted := self._quoted(statement)):
            yield from self._number(statement.node, statement.quoted, None, quoted[0])
        day = statement.day or self._day
        if day is None:
            return
        for match in _NUMBER.finditer(statement.text):
            numbers = [(match[1] + match[2], match.span(0) if not match[3] else (match.start(), match.end(2)))]
            if match[3]:
                numbers.append((match[1] + match[3], match.span(3)))
            for number, place in numbers:
                if rule := self._meant(number, day):
                    yield from self._number(statement.node, number, place, rule)

    def _meant(self, number: str, day: int) -> str | None:
        """The one rule that had the number on the day; of a whole section, any rule of it."""
        held = {rule: held for rule, versions in load_rule_numbers().versions.items() if (held := _held(versions, day))}
        exact = [rule for rule, is_ in held.items() if is_ == number]
        if exact or not number[-1].isdigit():
            return exact[0] if len(exact) == 1 else None
        below = sorted(rule for rule, is_ in held.items() if re.fullmatch(re.escape(number) + "[a-z]+", is_))
        headings = {self.terms.headings.get(rule, {}).get("en") for rule in below}
        return below[0] if len(headings) == 1 else None

    def _number(self, context: str, number: str, place: tuple[int, int] | None, rule: str) -> Iterator[ox.Triple]:
        phrase = self._phrase(context, number, place)
        yield from phrase
        yield ox.Triple(phrase[0].subject, ox.NamedNode(ITSRDF + "taIdentRef"), ox.NamedNode(rule))

    # --- spelling

    def _joined(self, statement: Statement) -> Iterator[ox.Triple]:
        """Words with a capital inside that are no name: a small word and a noun, or two words that are known."""
        named = self._places_of_names(statement.text)
        for match in _TOKEN.finditer(statement.text):
            parts = _JOINED.split(match[0])
            if len(parts) < 2 or any(s < match.end() and match.start() < e for s, e in named):
                continue
            small = match[0][0].islower() and len(parts[0]) > 1
            known = all(len(p) >= _SHORT and (p in self.terms.words or self.tokens[p]) for p in parts)
            if small or known:
                yield from self._phrase(statement.node, match[0], match.span(), "Word")


def _held(versions: list[tuple[int, str]], day: int) -> str | None:
    """The number held on a day; none before the first version."""
    return next((number for since, number in reversed(versions) if since <= day), None)


def _text(subject: ox.NamedNode | ox.BlankNode | ox.Triple, predicate: str, text: str) -> ox.Triple:
    return ox.Triple(subject, ox.NamedNode(predicate), ox.Literal(text))

