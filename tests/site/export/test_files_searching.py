"""What the script of the search reads."""

from __future__ import annotations

import json

from rulewright.index import Document, Name, Text
from rulewright.site.export import searching
from rulewright.site.export.names import Names
from rulewright.vocabulary import BASE


def test_names_texts_and_where_they_are() -> None:
    documents = [
        Document(BASE + "keyword/rebound", "keyword", (Name("Rebound", "en"), Name("Abprall", "de"))),
        Document(BASE + "card/x", "card", (Name("</script>\u2028", "en"),)),
        Document(BASE + "text/1", "ruling", (), (Text("A text.", "en"),), (Name("Of this", "en"),)),
    ]
    told = searching.index(documents, Names([BASE + "keyword/rebound", BASE + "text/1"]))
    start, _, rest = told.partition(" = ")
    assert start == '"use strict";\nglobalThis.rulewrightIndex'
    assert json.loads(rest.rstrip().removesuffix(";")) == [
        ["keyword", "keyword/rebound", [["Rebound", "en", 0], ["Abprall", "de", 0]], [], []],
        ["ruling", "text/1", [], [["A text.", "en"]], [["Of this", "en"]]],
    ]
    assert told.isascii()
