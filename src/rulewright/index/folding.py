"""The one form in which names and texts are compared, however they are spelt.

Case goes, and so do marks and apostrophes; everything else that is neither letter nor digit parts words. ß is ss. An
umlaut may be typed as such, as a vowel with e, or as the bare vowel: ä, ae and a are all a, and so for o and u. That
makes "true" into "tru" on both sides, and tells apart nothing that a name is told apart by.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_SPELT: Final = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "œ": "oe", "ø": "oe", "å": "a", "ð": "d", "þ": "th", "ł": "l", "đ": "d",
    **dict.fromkeys("'’‘ʼ`´′", ""),
})  # fmt: skip
_MARKS: Final = re.compile("[\u0300-\u036f]+")
_DIGRAPH: Final = re.compile("([aou])e")
_OTHER: Final = re.compile(r"[^0-9a-z]+")
_ENDINGS: Final = ("ing", "ern", "em", "er", "en", "es", "ed", "e", "s", "n")
STEM: Final = 4
"""Characters that are left of a word at least."""


def raw(text: str) -> str:
    """A text as it is, but for case, white space and the form of its apostrophes."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().replace("’", "'").split())


def fold(text: str) -> str:
    """Words of a to z and 0 to 9, one space between them."""
    spelt = unicodedata.normalize("NFC", text).casefold().translate(_SPELT)
    if not spelt.isascii():
        spelt = _MARKS.sub("", unicodedata.normalize("NFKD", spelt))
    return _OTHER.sub(" ", _DIGRAPH.sub(r"\1", spelt)).strip()


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """A folded word without its ending, English or German: rough, and the same for a text and for what is sought."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM:
            word = word.removesuffix(ending)
            break
    return word[:-1] + "i" if word.endswith("y") and len(word) >= STEM else word


def stems(folded: str) -> str:
    """The stems of a folded text."""
    return " ".join(map(stem, folded.split()))
