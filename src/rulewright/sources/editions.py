"""Editions of the Comprehensive Rules: reading them, and following a rule through them.

Rule numbers move (702.85 was rebound and is cascade), so the table that the data carries, one node for each edition at
which a rule's number or wording changed, is made by following each rule from the edition in which its identifier was
minted back to older editions and on to newer ones. Two neighbouring editions are aligned rule by rule, one to one:

1. same heading and same wording, references to other rules left out of account; of several, the same number first;
2. same wording under another heading, outside keywords;
3. by likeness, best pairs first: the share of words in common order (``difflib``), after old terms are replaced by
   today's, must be at least ``THRESHOLD``; a rule of one keyword never becomes one of another; a text of less than five
   words keeps its number; the same number, heading or neighbourhood only ranks candidates and does not lift an unlike
   pair over the threshold.

Where nothing is found, tracing stops: a rule that was split off, merged or rewritten beyond likeness has no older
version here, rather than a doubtful one. Of a rule that was split the likest part keeps the history.

The text of a rule is its paragraphs without its number and its examples. Editions come as published: UTF-8 (with or
without a byte order mark), UTF-16, Windows, Macintosh and DOS code pages; any line ends, also mixed; three are wrapped
at 100 columns. An edition is named by the date of its file, unless that is more than ``MISDATED`` from the effective
date that its text states (one file is misnamed by two years): then by the latter. Where a misprint gives two rules the
same number, the second one's version is ``NUMBER-2``, with the number as printed.

    python -m rulewright.sources.editions ARCHIVE.tar.xz --rules data/rules.ttl [--add NUMBER]... [--check]

re-makes the table for the rules already in it (their identifiers and labels stay), and those added.
"""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import itertools
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from ..terms import digest

BASE: Final = "https://w3id.org/rulewright/"
THRESHOLD: Final = 0.6
_SHORT: Final = 5  # words; headings are too short for likeness to mean much
MISDATED: Final = dt.timedelta(days=120)

_LINE_END: Final = re.compile(r"\r\n?|[\n\x0b\x0c\u2028\u2029]")
_NUMBERED: Final = re.compile(r"^(\d{3})(?:\.(\d+[a-z]{0,2}|[a-z]))?(?:\.?\s+|\.)(?=\S)(.*)$")
_SUBRULE: Final = re.compile(r"^\d{3}\.\d")
_CHAPTER: Final = re.compile(r"^(\d)\.\s+(\S.*)$")
_EXAMPLE: Final = re.compile(r"^Examples?\b")
_EFFECTIVE: Final = re.compile(r"(?:effective|current) as of ([A-Z][a-z]+ \d{1,2}, \d{4})")
_FILE_DATE: Final = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_ITALICS: Final = re.compile(r"(?<!_)_(?!_)")
_REFERENCE: Final = re.compile(r"\b\d{3}(?:\.\d+[a-z]?(?:[-\u2013][a-z0-9.]+)?)?\b")
_WORD: Final = re.compile(r"[^\W_]+|\{[^}]*\}", re.UNICODE)
# What the rules called the same thing at other times; for comparison only.
_RENAMED: Final = (
    (r"\b(?:removed?|removes|removing) (.{0,40}?)from the game\b", r"exile \1"),
    (r"\bconverted mana cost\b", "mana value"),
    (r"\b(?:comes|come|coming|put) into play\b", "enters the battlefield"),
    (r"\b(?:leaves|leave) play\b", "leaves the battlefield"),
    (r"\bin play\b", "on the battlefield"),
    (r"\b(?:his or her|its|her|his)\b", "their"),
    (r"\bhe or she\b", "they"),
    (r"\bthey ['\u2019]?s\b", "they re"),
    (r"\b(?:plays|play)\b", "cast"),
    (r"\bplayed\b", "cast"),
    (r"\bplaying\b", "casting"),
    (r"\btribal\b", "kindred"),
)
_RENAMED_RE: Final = tuple((re.compile(p, re.IGNORECASE), r) for p, r in _RENAMED)


@dataclass(frozen=True)
class Edition:
    """One edition: ``name`` (ISO date by which it is known), ``effective`` day, rules as (number, text) in order.

    ``glossary``: (term, text) in order. ``reaches``: the last part that the file has; a whole one has its credits.
    """

    name: str
    effective: dt.date
    rules: tuple[tuple[str, str], ...]
    chapters: Mapping[str, str] = field(default_factory=dict)
    glossary: tuple[tuple[str, str], ...] = ()
    reaches: Literal["rules", "glossary", "credits"] = "credits"

    def text(self, number: str) -> str | None:
        """The text of the first rule with this number."""
        return next((text for n, text in self.rules if n == number), None)


def decode(raw: bytes) -> str:
    """The text of an edition's file, whatever its encoding."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    # One byte a character: the code page whose upper half reads as the punctuation and letters that the rules use.
    high = bytes(b for b in raw if b >= 0x80)
    expected = frozenset("‘’“”–—•™®©áâàäæÆéêíóöúûü")

    def score(encoding: str) -> int:
        return sum(c in expected for c in high.decode(encoding, errors="replace"))

    best = max(("cp1252", "mac_roman", "cp437"), key=score)
    return raw.decode(best, errors="replace")


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Paragraphs: lines, or in a wrapped edition the runs of lines between blank ones."""
    if max(map(len, lines), default=0) > 200:
        yield from (line for line in lines if line)
        return
    run: list[str] = []
    for line in lines:
        if run and (not line or _EXAMPLE.match(line)):
            yield " ".join(run)
            run = []
        if line:
            run.append(line)
    if run:
        yield " ".join(run)


def read(raw: bytes) -> list[tuple[str, str]]:
    """The numbered rules of an edition in its order, headings of sections among them: (number, text without number).

    The table of contents, chapters' titles, examples, the glossary and what follows are left out; a number that an
    edition has twice comes twice.
    """
    return _read(decode(raw))[0]


def _read(text: str) -> tuple[list[tuple[str, str]], dict[str, str], list[str]]:
    """The rules, the chapters' titles, and the lines of the glossary with what follows it."""
    lines = [line.strip() for line in _LINE_END.split(_ITALICS.sub("", text))]
    first = next((i for i, line in enumerate(lines) if _SUBRULE.match(line)), None)
    if first is None:
        raise ValueError("no rule number such as 100.1 at the beginning of a line: not an edition of the rules")
    start = max((i for i in range(first) if _CHAPTER.match(lines[i])), default=0)
    end = next((i for i in range(first, len(lines)) if lines[i].casefold() == "glossary"), len(lines))
    rules: list[tuple[str, str]] = []
    chapters: dict[str, str] = {}
    in_example = False
    for paragraph in _paragraphs(lines[start:end]):
        if _EXAMPLE.match(paragraph):
            in_example = True
        elif match := _NUMBERED.match(paragraph):
            section, rest, body = match.groups()
            rules.append((section if rest is None else f"{section}.{rest}", body.strip()))
            in_example = False
        elif match := _CHAPTER.match(paragraph):
            chapters[match[1]] = match[2].strip()
        elif rules and not in_example:
            rules[-1] = (rules[-1][0], f"{rules[-1][1]} {paragraph}")
    return rules, chapters, lines[end + 1 :]


def _glossary(lines: Sequence[str]) -> tuple[list[tuple[str, str]], bool]:
    """The entries, each a term and its text, between blank lines; and whether the credits follow them.

    Where the file ends without them, what stands last may be cut short and is left out.
    """
    end = next((i for i, line in enumerate(lines) if line.casefold().rstrip(":") == "credits"), None)
    runs = [list(run) for filled, run in itertools.groupby(lines[:end], bool) if filled]
    if end is None:
        runs = runs[:-1]
    # a line alone is a heading, or belongs to a list that one edition has
    return [(run[0], " ".join(run[1:])) for run in runs if len(run) > 1], end is not None


def effective(text: str) -> dt.date | None:
    """The day from which an edition says that it holds."""
    match = _EFFECTIVE.search(" ".join(text[:4000].split()))
    return dt.datetime.strptime(match[1], "%B %d, %Y").date() if match else None


def edition(raw: bytes, file_name: str = "") -> Edition:
    """Read one edition; the file's name may hold its date (``2021-04-19``, ``20210419``)."""
    text = decode(raw)
    day = effective(text)
    match = _FILE_DATE.search(file_name)
    dated = dt.date(*map(int, match.groups())) if match else None
    if day is None:
        if dated is None:
            raise ValueError(f"{file_name or 'edition'}: states no effective date, and its name holds none")
        day = dated
    name = dated if dated is not None and abs(dated - day) <= MISDATED else day
    rules, chapters, rest = _read(text)
    glossary, whole = _glossary(rest)
    return Edition(
        name.isoformat(), day, tuple(rules), chapters, tuple(glossary),
        "credits" if whole else "glossary" if rest else "rules",
    )  # fmt: skip


def read_archive(path: Path) -> list[Edition]:
    """All editions of a tar archive (any compression) of dated text files, by effective date."""
    found: list[Edition] = []
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile() and member.name.endswith(".txt"):
                stream = tar.extractfile(member)
                if stream is not None:
                    found.append(edition(stream.read(), Path(member.name).name))
    found.sort(key=lambda e: (e.effective, e.name))
    names = Counter(e.name for e in found)
    if twice := sorted(n for n, count in names.items() if count > 1):
        raise ValueError(f"{path}: more than one edition of {', '.join(twice)}")
    return found


def _is_heading(text: str) -> bool:
    return len(text) <= 60 and not text.endswith((".", '"', "\u201d", ")", ":"))


class _Rules:
    """An edition prepared for comparison; rules are known by their index."""

    def __init__(self, source: Edition) -> None:
        self.edition = source
        self.numbers = [n for n, _ in source.rules]
        self.texts = [t for _, t in source.rules]
        self.index: dict[str, int] = {}
        for i, number in enumerate(self.numbers):
            self.index.setdefault(number, i)
        titles = {n: t for n, t in reversed(source.rules) if _is_heading(t)}
        self.headings: list[str] = []
        self.keyword: list[bool] = []
        for number in self.numbers:
            section, _, rest = number.partition(".")
            entry = f"{section}.{rest.rstrip('abcdefghijklmnopqrstuvwxyz')}"
            self.keyword.append(titles.get(section, "").startswith("Keyword ") and entry in titles)
            self.headings.append(titles.get(entry, titles.get(section, "")).casefold())
        self.masked = [" ".join(_words(t)) for t in self.texts]


def _words(text: str) -> list[str]:
    text = _REFERENCE.sub("", text)
    for pattern, replacement in _RENAMED_RE:
        text = pattern.sub(replacement, text)
    return _WORD.findall(text.casefold())


def likeness(one: str, other: str) -> float:
    """How alike two rules' texts are, 0 to 1; numbers of rules are left out, old terms read as today's."""
    return _ratio(_words(one), _words(other))


def _ratio(one: Sequence[str], other: Sequence[str]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _pair(
    a: _Rules,
    b: _Rules,
    groups_a: Mapping[object, list[int]],
    groups_b: Mapping[object, list[int]],
    found: dict[int, int],
) -> None:
    """Pair the rules of equal keys: same number first, then in order."""
    for key, left in groups_a.items():
        right = groups_b.get(key, [])
        by_number = {b.numbers[j]: j for j in reversed(right)}
        same = {i: by_number.pop(a.numbers[i]) for i in left if a.numbers[i] in by_number}
        used = set(same.values())
        found.update(same)
        found.update(zip((i for i in left if i not in same), (j for j in right if j not in used), strict=False))


def _groups(keys: Iterable[tuple[int, object]]) -> dict[object, list[int]]:
    groups: dict[object, list[int]] = defaultdict(list)
    for i, key in keys:
        groups[key].append(i)
    return groups


def _align(a: _Rules, b: _Rules) -> dict[int, int]:
    """Which rule of ``b`` each rule of ``a`` is (indices), for two neighbouring editions."""
    found: dict[int, int] = {}
    _pair(
        a,
        b,
        _groups((i, (a.headings[i], m)) for i, m in enumerate(a.masked)),
        _groups((j, (b.headings[j], m)) for j, m in enumerate(b.masked)),
        found,
    )
    taken = set(found.values())
    _pair(
        a,
        b,
        _groups((i, m) for i, m in enumerate(a.masked) if i not in found and not a.keyword[i]),
        _groups((j, m) for j, m in enumerate(b.masked) if j not in taken and not b.keyword[j]),
        found,
    )
    taken = set(found.values())

    left = [i for i in range(len(a.numbers)) if i not in found]
    right = [j for j in range(len(b.numbers)) if j not in taken]
    bags_b = {j: Counter(b.masked[j].split()) for j in right}
    offers: list[tuple[float, int, int]] = []
    for i in left:
        words = a.masked[i].split()
        bag = Counter(words)
        for j in right:
            if (a.keyword[i] or b.keyword[j]) and a.headings[i] != b.headings[j]:
                continue
            other = bags_b[j]
            total = len(words) + other.total()
            if min(len(words), other.total()) < _SHORT and a.numbers[i] != b.numbers[j]:
                continue
            # the words in common, in any order, bound the ratio from above
            if total == 0 or min(len(words), other.total()) * 2 < THRESHOLD * total:
                continue
            if 2 * sum(min(n, other[w]) for w, n in bag.items() if w in other) < THRESHOLD * total:
                continue
            ratio = _ratio(words, b.masked[j].split())
            if ratio >= THRESHOLD:
                ratio += 0.1 * (a.numbers[i] == b.numbers[j]) + 0.05 * (a.headings[i] == b.headings[j])
                ratio += 0.05 * (i > 0 and found.get(i - 1) == j - 1)
                offers.append((ratio, i, j))
    taken = set()
    for _, i, j in sorted(offers, key=lambda o: (-o[0], o[1], o[2])):
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


@dataclass(frozen=True)
class Version:
    """A rule from one edition on: number, digest of its wording; ``occurrence`` where a misprint repeats the number."""

    edition: str
    number: str
    digest: str
    occurrence: int = 1

    @property
    def path(self) -> str:
        """The node's path below the base."""
        return f"edition/{self.edition}/{self.number}" + (f"-{self.occurrence}" if self.occurrence > 1 else "")


def trace(editions: Sequence[Edition], minted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[Version]]:
    """Follow rules through ``editions`` (by effective date), each given as (number, name of the edition that has it).

    Gives each its versions, oldest first: one for each edition at which its number or wording changed.
    """
    prepared = [_Rules(e) for e in editions]
    position = {e.name: k for k, e in enumerate(editions)}
    back = [_align(newer, older) for older, newer in itertools.pairwise(prepared)]
    ahead = [{older: newer for newer, older in links.items()} for links in back]
    traced: dict[tuple[str, str], list[Version]] = {}
    for number, name in minted:
        if name not in position:
            raise ValueError(f"rule {number}: the archive has no edition {name}")
        start = position[name]
        if number not in prepared[start].index:
            raise ValueError(f"rule {number}: not in the edition of {name}")
        at = {start: prepared[start].index[number]}
        for k in range(start, 0, -1):
            if at[k] not in back[k - 1]:
                break
            at[k - 1] = back[k - 1][at[k]]
        for k in range(start, len(prepared) - 1):
            if at[k] not in ahead[k]:
                break
            at[k + 1] = ahead[k][at[k]]
        versions: list[Version] = []
        for k in sorted(at):
            rules = prepared[k]
            written = rules.numbers[at[k]]
            occurrence = rules.numbers[: at[k]].count(written) + 1
            version = Version(rules.edition.name, written, digest(rules.texts[at[k]]), occurrence)
            if not versions or (versions[-1].number, versions[-1].digest) != (version.number, version.digest):
                versions.append(version)
        traced[number, name] = versions
    return traced


def slug(text: str) -> str:
    """A heading as a part of an identifier: lower case, hyphens for all else but letters and digits."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold().replace("'", "").replace("\u2019", "")).strip("-")


@dataclass(frozen=True)
class Heading:
    """What a rule's identifier and label are made of: ``parent`` is empty where ``title`` is unique in its edition."""

    parent: str
    title: str
    rest: str

    @property
    def slug(self) -> str:
        return "-".join(slug(part) for part in (self.parent, self.title, self.rest) if part)

    def label(self, title: str | None = None) -> str:
        """The heading, or its translation, and what remains of the number."""
        return f"{title or self.english}, {self.rest}" if self.rest else title or self.english

    @property
    def english(self) -> str:
        return f"{self.parent}: {self.title}" if self.parent else self.title


def heading(source: Edition, number: str) -> Heading:
    """The heading under which a rule stands: its section's or, among the keywords, its keyword's."""
    titles = {n: t for n, t in reversed(source.rules) if _is_heading(t)}
    entries: list[tuple[str, str]] = []
    for n, title in titles.items():
        section = n.partition(".")[0]
        if n == section:
            entries.append((source.chapters.get(n[0], ""), title))
        elif titles.get(section, "").startswith("Keyword "):
            entries.append((titles[section], title))
    section, _, rest = number.partition(".")
    if section not in titles:
        raise ValueError(f"rule {number}: its section has no heading in the edition of {source.name}")
    parent, title = source.chapters.get(section[0], ""), titles[section]
    plain = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    if title.startswith("Keyword ") and f"{section}.{plain}" in titles:
        parent, title, rest = title, titles[f"{section}.{plain}"], rest[len(plain) :]
    shared = sum(slug(t) == slug(title) for _, t in entries) > 1
    return Heading(parent if shared else "", title, rest)


@dataclass(frozen=True)
class Concept:
    """A rule of the table: identifier, labels, and the number and edition at which the identifier was minted."""

    slug: str
    english: str
    german: str
    number: str
    edition: str


def read_table(path: Path) -> list[Concept]:
    """The rules that a table (Turtle) declares."""
    import pyoxigraph as ox

    values: dict[str, dict[str, str]] = defaultdict(dict)
    kinds = {f"{BASE}core#mintedAs": "number", f"{BASE}core#mintedIn": "edition"}
    for quad in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE):
        subject, predicate, value = quad.subject, quad.predicate.value, quad.object
        if not isinstance(subject, ox.NamedNode) or not subject.value.startswith(f"{BASE}rule/"):
            continue
        entry = values[subject.value.removeprefix(f"{BASE}rule/")]
        if isinstance(value, ox.Literal) and predicate.endswith("#prefLabel"):
            entry[value.language or ""] = value.value
        elif predicate in kinds and isinstance(value, ox.Literal | ox.NamedNode):
            entry[kinds[predicate]] = value.value.removeprefix(f"{BASE}edition/")
    try:
        return [Concept(s, v["en"], v["de"], v["number"], v["edition"]) for s, v in sorted(values.items())]
    except KeyError as error:
        raise ValueError(f"{path}: a rule lacks {error}: each needs both labels, rw:mintedAs and rw:mintedIn") from None


def mint(source: Edition, number: str, german: str) -> Concept:
    """A new rule's entry; ``german`` is the German heading."""
    if source.text(number) is None:
        raise ValueError(f"rule {number}: not in the edition of {source.name}")
    found = heading(source, number)
    return Concept(found.slug, found.label(), found.label(german), number, source.name)


def natural(text: str) -> list[tuple[int, int, str]]:
    """A sort key that puts 601.2 before 601.10."""
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.findall(r"\d+|[^\d]+", text)]


_HEAD: Final = f"""@base <{BASE}> .
@prefix rw: <{BASE}core#> .
@prefix rule: <{BASE}rule/> .
@prefix edition: <{BASE}edition/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

# Made by: python -m rulewright.sources.editions ARCHIVE --rules data/rules.ttl
"""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def turtle(editions: Sequence[Edition], concepts: Iterable[Concept]) -> str:
    """The table of editions, rules and their versions."""
    ordered = sorted(concepts, key=lambda c: natural(c.slug))
    traced = trace(editions, [(c.number, c.edition) for c in ordered])
    parts = [_HEAD]
    for e in editions:
        parts.append(
            f'edition:{e.name} a rw:Edition ;\n    dcterms:issued "{e.name}"^^xsd:date ;\n'
            f'    rw:effective "{e.effective.isoformat()}"^^xsd:date .\n'
        )
    for c in ordered:
        parts.append(
            f"rule:{c.slug} a rw:Rule ;\n    skos:prefLabel {_quoted(c.english)}@en , {_quoted(c.german)}@de ;\n"
            f'    rw:mintedAs "{c.number}" ;\n    rw:mintedIn edition:{c.edition} .\n'
        )
        for v in traced[c.number, c.edition]:
            parts.append(
                f"<{v.path}> a rw:RuleVersion ;\n    rw:versionOf rule:{c.slug} ;\n"
                f'    rw:number "{v.number}" ;\n    rw:inEdition edition:{v.edition} ;\n    rw:digest "{v.digest}" .\n'
            )
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m rulewright.sources.editions", description="Re-make the table of rules.")
    parser.add_argument("archive", type=Path, help="tar archive of editions, one dated text file each")
    parser.add_argument("--rules", type=Path, required=True, help="the table (Turtle), re-made in place")
    parser.add_argument(
        "--add",
        action="append",
        default=[],
        metavar="NUMBER[=GERMAN HEADING]",
        help="a rule of the newest edition; the German heading may be left out where the table has one",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the table would change")
    options = parser.parse_args(arguments)
    try:
        editions = read_archive(options.archive)
        if not editions:
            raise ValueError(f"{options.archive}: no edition in it")
        concepts = read_table(options.rules)
        by_slug = {c.slug: c for c in concepts}
        known = {(c.number, c.edition) for c in concepts}
        german = {_title(c.english): _title(c.german) for c in concepts}
        for item in options.add:
            number, _, given = item.partition("=")
            if (number, editions[-1].name) in known:
                continue
            title = heading(editions[-1], number).english
            if not (given or title in german):
                raise ValueError(f"rule {number}: give the German of {title!r}: --add '{number}=...'")
            new = mint(editions[-1], number, given or german[title])
            if (old := by_slug.setdefault(new.slug, new)) is not new and old.number != new.number:
                raise ValueError(f"rule {number}: rule:{new.slug} already is {old.number} of {old.edition}")
        made = turtle(editions, by_slug.values())
    except (OSError, ValueError, tarfile.TarError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.check:
        return int(options.rules.read_text(encoding="utf-8") != made)
    options.rules.write_text(made, encoding="utf-8")
    return 0


def _title(label: str) -> str:
    """A label without what remains of the number."""
    return re.sub(r", [0-9a-z]{1,5}$", "", label)


if __name__ == "__main__":
    sys.exit(main())
