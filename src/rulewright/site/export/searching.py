"""What is searched where there is no server: a list of names and texts, which a script of the page reads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from rulewright.index import Document
from rulewright.site.export.names import Names

FILE: Final = "search-index.js"


def index(documents: Iterable[Document], names: Names) -> str:
    """The list as a script: of a file on a disk, browsers let a page read nothing else.

    An entry is the kind of a thing, the path of its page, its names with language and rank, its texts with language,
    and the names that it is shown under where it has none of its own.
    """
    entries: list[Any] = []
    for document in documents:
        stem = names.get(document.iri)
        if stem is None:
            continue
        own = [[name.text, name.language, name.rank] for name in dict.fromkeys(document.names)]
        texts = [[text.text, text.language] for text in document.texts]
        heading = [[name.text, name.language] for name in document.heading]
        entries.append([document.kind, stem, own, texts, heading])
    lines = ",\n".join(json.dumps(entry, ensure_ascii=True, separators=(",", ":")) for entry in entries)
    return f'"use strict";\nglobalThis.rulewrightIndex = [\n{lines}\n];\n'
