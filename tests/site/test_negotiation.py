"""`Accept` and `Accept-Language` as clients send them, well and badly formed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.site.negotiation import DATA, DOCUMENTS, SUFFIXES, choose, language

BROWSERS = {
    "Firefox": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Chromium": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
    "application/signed-exchange;v=b3;q=0.7",
}
CASES = [
    # nothing asked: the first offer
    (None, "html", "text/html"),
    ("", "html", "text/html"),
    ("*/*", "html", "text/html"),
    # one thing asked
    ("text/html", "html", "text/html"),
    ("text/turtle", "ttl", "text/turtle"),
    ("TEXT/Turtle", "ttl", "text/turtle"),
    ("application/x-turtle", "ttl", "application/x-turtle"),
    ("application/trig", "trig", "application/trig"),
    ("application/n-triples", "nt", "application/n-triples"),
    ("application/n-quads", "nq", "application/n-quads"),
    ("application/ld+json", "jsonld", "application/ld+json"),
    ("application/json", "jsonld", "application/json"),
    ("application/rdf+xml", "rdf", "application/rdf+xml"),
    ("image/png", None, None),
    # wildcards
    ("text/*", "html", "text/html"),
    ("application/*", "trig", "application/trig"),
    ("application/xhtml+xml", "html", "application/xhtml+xml"),
    ("image/*", None, None),
    ("image/*, */*;q=0.1", "html", "text/html"),
    # quality
    ("text/turtle;q=0.5, application/ld+json;q=0.9", "jsonld", "application/ld+json"),
    ("application/ld+json;q=0.9, text/turtle;q=0.5", "jsonld", "application/ld+json"),
    ("text/html;q=0.2, text/turtle;q=0.7", "ttl", "text/turtle"),
    ("text/turtle;q=0", None, None),
    ("text/turtle;q=0.000, */*;q=0.1", "html", "text/html"),
    ("text/html;q=0, */*", "ttl", "text/turtle"),
    # the narrower range holds, whatever its quality and place (RFC 9110 §12.5.1)
    ("text/*, text/html;q=0.1", "ttl", "text/turtle"),
    ("*/*, text/*;q=0.2", "trig", "application/trig"),
    ("text/html;q=0.4, text/*;q=0.9, */*;q=0.5", "ttl", "text/turtle"),
    ("text/html;level=1, text/turtle;q=0.5", "ttl", "text/turtle"),
    # parameters that exclude nothing
    ("text/turtle;charset=utf-8", "ttl", "text/turtle"),
    ('application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', "jsonld", "application/ld+json"),
    ('application/ld+json;profile="a,b;q=0";q=0.9, text/html;q=0.1', "jsonld", "application/ld+json"),
    ("text/turtle;q=0.9;ext=1", "ttl", "text/turtle"),
    # of equals, the first that is offered
    ("text/turtle, text/html", "html", "text/html"),
    ("application/ld+json, application/rdf+xml", "jsonld", "application/ld+json"),
    # browsers, and clients of linked data
    (BROWSERS["Firefox"], "html", "text/html"),
    (BROWSERS["Chromium"], "html", "text/html"),
    ("text/turtle, application/rdf+xml;q=0.8, */*;q=0.1", "ttl", "text/turtle"),
    # malformed: what cannot be read is not there
    ("text", "html", "text/html"),
    (",,,;;q=1", "html", "text/html"),
    ("*/turtle", "html", "text/html"),
    ("*", "html", "text/html"),
    ("text/turtle;q=high, application/rdf+xml;q=0.1", "rdf", "application/rdf+xml"),
    ("text/turtle;q=, application/rdf+xml;q=0.1", "rdf", "application/rdf+xml"),
    ("text/turtle;q=-1, application/rdf+xml", "rdf", "application/rdf+xml"),
    ("text/turtle;q=nan, application/rdf+xml;q=0.1", "rdf", "application/rdf+xml"),
    ("text/html;q=0.9, text/turtle;q=7", "ttl", "text/turtle"),
    ("text/turtle ; q = 0.9 , text/html;q=0.1", "ttl", "text/turtle"),
    ('text/turtle;x="never closed, text/html', "html", "text/html"),
    ("te xt/html, text/turtle", "ttl", "text/turtle"),
    ("text/turtle\x00", "html", "text/html"),
    (", text/turtle", "ttl", "text/turtle"),
]


@pytest.mark.parametrize(("accept", "suffix", "media_type"), CASES)
def test_accept(accept: str | None, suffix: str | None, media_type: str | None) -> None:
    chosen = choose(accept, DOCUMENTS)
    if suffix is None:
        assert chosen is None
    else:
        assert chosen is not None
        assert (chosen.format.suffix, chosen.media_type) == (suffix, media_type)


def test_who_does_not_mind_gets_turtle_where_there_is_no_page() -> None:
    chosen = choose("*/*", DATA)
    assert chosen is not None
    assert chosen.media_type == "text/turtle"


def test_every_format_has_a_suffix_of_its_own() -> None:
    assert list(SUFFIXES) == ["html", "ttl", "trig", "nt", "nq", "jsonld", "rdf"]
    assert [SUFFIXES[s].suffix for s in SUFFIXES] == list(SUFFIXES)


@pytest.mark.parametrize("form", DOCUMENTS, ids=lambda form: form.suffix)
def test_a_media_type_asked_for_alone_is_the_one_that_is_given(form: object) -> None:
    for media_type in SUFFIXES[form.suffix].types:  # type: ignore[attr-defined]
        chosen = choose(media_type, DOCUMENTS)
        assert chosen is not None
        assert chosen.media_type == media_type


LANGUAGES = [
    (None, "en"),
    ("", "en"),
    ("*", "en"),
    ("de", "de"),
    ("DE", "de"),
    ("de-AT", "de"),
    ("de-CH-1996, en;q=0.1", "de"),
    ("en, de", "en"),
    ("de;q=0.9, en;q=0.8", "de"),
    ("en;q=0.8, de;q=0.9", "de"),
    ("fr, de;q=0.5, en;q=0.4", "de"),
    ("fr, *;q=0.5", "en"),
    ("en;q=0, *;q=0.5", "de"),
    ("de;q=0, *;q=0.5", "en"),
    ("fr", "en"),
    ("de;q=x", "en"),
    ("deutsch!, de;q=0.3", "de"),
    ("-, ;, de_DE", "en"),
]


@pytest.mark.parametrize(("accept", "expected"), LANGUAGES)
def test_accept_language(accept: str | None, expected: str) -> None:
    assert language(accept, ("en", "de"), "en") == expected


@given(st.text(alphabet=st.sampled_from('texhmlur/*;,q=0.19 "\\-'), max_size=60) | st.text(max_size=40))
def test_no_header_is_too_odd(accept: str) -> None:
    assert choose(accept, DOCUMENTS) is None or choose(accept, DOCUMENTS).format in DOCUMENTS  # type: ignore[union-attr]
    assert language(accept, ("en", "de"), "en") in ("en", "de")


LONG = ['"' * 60_000, 'a/b;x="\\' * 9_000, "," * 60_000, "text/html;" * 6_000, 'a"b,' * 15_000]


@pytest.mark.parametrize("accept", LONG)
def test_a_long_header_takes_no_time(accept: str) -> None:
    began = time.thread_time()
    choose(accept, DOCUMENTS)
    language(accept, ("en", "de"), "en")
    assert time.thread_time() - began < 5.0, "of the processor: what is read again and again takes minutes of it"
