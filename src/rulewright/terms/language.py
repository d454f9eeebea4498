"""Which language a text is in, English or German, and where it falls into the other one.

Rulings are short, full of card names in either language, and what has to be told apart are two languages only. So this
counts words that are common in one of them and no word of the other (articles, pronouns, prepositions, auxiliary verbs,
and the verbs and nouns without which no ruling gets by), and letters that only German has. Of a text of rulings, about
half of the words are such; a text of which fewer than one in seven is one is in neither language (`und`, ISO 639-2).

A *remark* is a stretch with at least two such words of the other language, which make up at least a quarter of it, and
none of the text's own. Names are no remarks: words of a card name that is given, and of anything that is written as
English names are (two or more capitals, with nothing but `of`, `the` and the like between them; German: `der`, `und`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

UNKNOWN: Final = "und"

_ENGLISH: Final = frozenset(
    """
    a abilities ability about after again already although and another any anything are as aside at away back
    battlefield be because been before being below beside between both but by can can't cannot card card's cards
    cast casting casts chooses chose cost costs could counters creature creatures did didn't do does doesn't doing
    don't done down due during each either else enters even every example except exiled for from gets getting
    given gives goes graveyard had hand's has have having he how however i if including instance instead into is
    isn't it it's its itself just leaves like likewise many may might more most much must needs neither never no
    nor not nothing of off on once one ones only onto opponent opponents or other others otherwise out over own
    owner's paid pay paying perhaps permanent permanents player player's players possibly put rather regardless
    resolved resolves returned sacrificed same several she should since some spell spell's spells such target
    targets than that that's the their them themselves then there therefore these they this those though through
    to together too trigger triggered triggers turn turns two under unless until up upon very we were weren't what
    when whenever where whether which who whose why with within without won't would wouldn't yet you you'd you'll
    you're your yours yourself
    """.split()  # noqa: SIM905
)
_GERMAN: Final = frozenset(
    """
    aber alle allem allen aller alles als also andere anderem anderen anderer anderes anstatt auch auf aus außer
    bei beide beiden beider beim bevor bezahlen bezahlst bezahlt bis bleibt bzw da dabei dadurch dafür daher damit
    danach dann daran darauf daraus darf darfst darin das dass davon dazu dein deine deinem deinen deiner deines
    dem den denen denn der deren des dessen dich diese diesem diesen dieser dieses dir doch dort du durch dürfen
    eigenschaften ein eine einem einen einer eines einmal entweder er erst es etwa etwas euch falls friedhof
    fähigkeit fähigkeiten für gegen gegner gegners geopfert gewirkt gibt haben hast hatte hätte ich ihm ihn ihnen
    ihr ihre ihrem ihren ihrer ihres im immer indem innerhalb ins irgendein irgendeine ist jede jedem jeden jeder
    jedes jedoch jemand jetzt kann kannst karte karten kein keine keinem keinen keiner keines kosten kreatur
    kreaturen können könnte legst man mehr mehrere mit muss musst müssen nach nachdem nicht nichts noch nur ob
    oder ohne opfere opfern schickst schon sein seine seinem seinen seiner seines selbst sich sie sind sobald
    sodass solange soll sondern sonst sowie sowohl spieler spielern spielers stapel statt stattdessen um und uns
    unter verrechnet verrechnung viele vom von vor wann waren weder wegen weil weitere weiterhin welche welchem
    welchen welcher welches wenn werden wessen wie wieder wird wirken wirkst wirst wo wodurch worden wurde wurden
    während würde würden zauberspruch zauberspruchs zaubersprüche zu zug zuges zum zur zwar zwei zwischen über
    """.split()  # noqa: SIM905
)
_GERMAN_LETTERS: Final = re.compile("[äöüß]")
_ENGLISH_ENDING: Final = re.compile(r"[a-z]{3,}(?:ing|ly|ed|tion|ous|ness|'s)")
_GERMAN_ENDING: Final = re.compile(
    r"[a-zäöüß]{3,}(?:ungs?|ungen|keit|heit|lich|liche[mnrs]?|schaft|iert|isch|ische[mnrs]?)"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_JOINS: Final = {
    "en": frozenset("a an and as at by for from in into of on or out that the to upon with".split()),  # noqa: SIM905
    "de": frozenset("am an auf aus bei das dem den der des die für im in ins mit und vom von zu zum zur".split()),  # noqa: SIM905
}
_BETWEEN_NAMES: Final = re.compile(r"(?:\s+|\s*//\s*|,\s+|\s*[-–]\s*)")
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_EDGE: Final = re.compile(r"[()\[\]„“”\"»«.;:!?–—\n]")
_SHARE: Final = 1 / 7
_DENSITY: Final = 1 / 4


@dataclass(frozen=True)
class Span:
    """A stretch of a text, `text[start:end]`, in one language."""

    start: int
    end: int
    language: str


@dataclass(frozen=True)
class Identified:
    """What was found: the language of the text (`en`, `de`, or `und` for neither), and the remarks in the other."""

    main: str
    remarks: tuple[Span, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The text's own language first, then that of its remarks."""
        return tuple(dict.fromkeys((self.main, *(r.language for r in self.remarks))))


def languages(text: str, names: Collection[str] = frozenset()) -> tuple[str, ...]:
    """The languages of a text, its own first."""
    return identify(text, names).languages


def spans(text: str, names: Collection[str] = frozenset()) -> list[Span]:
    """The text from its beginning to its end, cut where the language changes."""
    found = identify(text, names)
    cut: list[Span] = []
    at = 0
    for remark in found.remarks:
        if at < remark.start:
            cut.append(Span(at, remark.start, found.main))
        cut.append(remark)
        at = remark.end
    return [*cut, Span(at, len(text), found.main)] if at < len(text) or not cut else cut


@dataclass(frozen=True)
class _Word:
    start: int
    end: int
    text: str
    language: str | None
    named: bool


def identify(text: str, names: Collection[str] = frozenset()) -> Identified:
    """The language of a text and its remarks; `names` are card names, which say nothing about either."""
    words = list(_words(text, names))
    main = _main(text, words)
    if main == UNKNOWN:
        return Identified(_by_endings(words))
    return Identified(main, tuple(_remarks(text, words, main, "en" if main == "de" else "de")))


def _words(text: str, names: Collection[str]) -> Iterator[_Word]:
    pattern = _pattern(frozenset(names)) if names else None
    named = [m.span() for m in pattern.finditer(text)] if pattern else []
    for match in _WORD.finditer(text):
        inside = any(start <= match.start() < end for start, end in named)
        yield _Word(match.start(), match.end(), match[0], None if inside else _language(match[0]), inside)


@lru_cache(maxsize=4)
def _pattern(names: frozenset[str]) -> re.Pattern[str] | None:
    alternatives = "|".join(re.escape(n).replace("'", "['’]") for n in sorted(names, key=len, reverse=True) if n)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?:['’]?s)?(?!\w)") if alternatives else None


def _language(word: str) -> str | None:
    plain = word.lower().replace("’", "'")
    if plain in _ENGLISH:
        return "en"
    return "de" if plain in _GERMAN or _GERMAN_LETTERS.search(plain) else None


def _main(text: str, words: list[_Word]) -> str:
    """The language of most of the common words outside brackets; where that is no clear majority, of the first."""
    outside = [w for w in words if not any(m.start() < w.start < m.end() for m in _ASIDE.finditer(text))]
    for part in (outside, words):
        told = [w.language for w in part if w.language]
        counts = Counter(told)
        if told and len(told) >= sum(not w.named for w in part) * _SHARE:
            (main, most), *others = counts.most_common()
            return main if not others or most >= 2 * others[0][1] else told[0]
    return UNKNOWN


def _by_endings(words: list[_Word]) -> str:
    """For a text of a few words: what their endings say, where the common words do not say otherwise."""
    plain = [w.text.lower().replace("’", "'") for w in words if not w.named]
    if len(plain) > 8:
        return UNKNOWN
    counts = Counter(w.language for w in words)
    german = counts["de"] + sum(bool(_GERMAN_ENDING.fullmatch(w)) for w in plain)
    english = counts["en"] + sum(bool(_ENGLISH_ENDING.fullmatch(w)) for w in plain)
    return UNKNOWN if german == english else "de" if german > english else "en"


def _remarks(text: str, words: list[_Word], main: str, other: str) -> Iterator[Span]:
    in_name = _in_names(text, words, other)
    stretch: list[int] = []
    for i, word in enumerate([*words, None]):
        if word is None or (word.language == main and i not in in_name):
            yield from _remark(text, words, stretch, in_name, other)
            stretch = []
        else:
            stretch.append(i)


def _remark(text: str, words: list[_Word], stretch: list[int], in_name: set[int], other: str) -> Iterator[Span]:
    found = [i for i in stretch if words[i].language == other and i not in in_name]
    if len(found) < 2 or len({words[i].text.lower() for i in found}) < 2:
        return
    inner = [i for i in range(found[0], found[-1] + 1) if i not in in_name]
    if len(found) < len(inner) * _DENSITY:
        return
    start, end = words[found[0]].start, words[found[-1]].end
    # Words beside it that say nothing belong to it, as far as the next mark that parts.
    for i in reversed([i for i in stretch if i < found[0]]):
        if _EDGE.search(text, words[i].end, start):
            break
        start = words[i].start
    for i in (i for i in stretch if i > found[-1]):
        if _EDGE.search(text, end, words[i].start):
            break
        end = words[i].end
    yield Span(start, end, other)


def _in_names(text: str, words: list[_Word], language: str) -> set[int]:
    """The words that stand in what is written as a name of that language."""
    found: set[int] = set()
    run: list[int] = []

    def end_run() -> None:
        while run and not words[run[-1]].text[0].isupper():
            run.pop()
        if len(run) > 1:
            found.update(run)
        run.clear()

    for i, word in enumerate(words):
        if run and not _BETWEEN_NAMES.fullmatch(text, words[i - 1].end, word.start):
            end_run()
        if word.text[0].isupper() or (run and word.text in _JOINS[language]):
            run.append(i)
        else:
            end_run()
    end_run()
    return found
