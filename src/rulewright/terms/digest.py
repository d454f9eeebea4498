"""The digest by which a text is known without being kept.

Normalisation 1, in this order (the same steps stand in ``docs/normalisation.md``):

1. Unicode normalisation form C (UAX #15).
2. Invisible characters go: soft hyphen U+00AD, zero-width U+200B to U+200D, word joiner U+2060, byte order mark U+FEFF.
3. Single quotation marks, primes and the grave and acute accents standing alone become U+0027; double ones,
   double primes and guillemets become U+0022; single guillemets become U+0027.
4. Hyphens U+2010 and U+2011, dashes U+2012 to U+2015 and the minus sign U+2212 become U+002D; a run of U+002D, as
   typewriters write a dash, becomes one.
5. The ellipsis U+2026 becomes three full stops.
6. Each run of white space (any character with the Unicode property White_Space, no-break spaces and line ends among
   them) becomes one U+0020; none is left at the beginning and end.
7. Form C again, since steps 2 and 3 may bring characters together.

Kept: case, punctuation, digits, symbols such as {X}, letters with their marks, the spaces around dashes. The digest is
SHA-256 over the UTF-8 form, in lower-case hexadecimal. ``normalise`` is idempotent.
"""

import hashlib
import re
import unicodedata
from typing import Final

NORMALISATION: Final = "1"

_SINGLE: Final = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u0060\u00b4"
_DOUBLE: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"

_TABLE: Final[dict[int, str]] = {
    **{ord(c): "'" for c in _SINGLE},
    **{ord(c): '"' for c in _DOUBLE},
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): "" for c in _INVISIBLE},
    0x2026: "...",
}
# str.split() also splits at U+001C to U+001F, which are not White_Space.
_SPACES: Final = (
    *range(0x09, 0x0E),
    0x20,
    0x85,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
)
_TO_SPACE: Final[dict[int, str]] = dict.fromkeys(_SPACES, " ")
_RUN: Final = re.compile("--+")


def normalise(text: str) -> str:
    """The form of ``text`` over which its digest is made."""
    folded = _RUN.sub("-", unicodedata.normalize("NFC", text).translate(_TABLE).translate(_TO_SPACE))
    return unicodedata.normalize("NFC", " ".join(part for part in folded.split(" ") if part))


def digest(text: str) -> str:
    """SHA-256 of the normalised text, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(normalise(text).encode("utf-8")).hexdigest()
