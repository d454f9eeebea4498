"""Search: a form that needs no script, and suggestions for who has one."""

from __future__ import annotations

from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulewright.index import Hit, Kind
from rulewright.site.context import Site, words
from rulewright.site.pages.parts import heading

LIMIT: Final = 50
SUGGESTED: Final = 8
LONGEST: Final = 200
KINDS: Final[tuple[Kind, ...]] = ("keyword", "card", "ruling", "rule", "term")
assert set(KINDS) == set(get_args(Kind))


def routes(site: Site) -> list[Route]:
    def search(request: Request) -> Response:
        """What fits the words in `q`, of `kind`s if any are given."""
        language = site.language(request)
        w = words(language)
        text = request.query_params.get("q", "")[:LONGEST].strip()
        kinds = [k for k in KINDS if k in request.query_params.getlist("kind")]
        hits, near = site.search(text, kinds, LIMIT, language) if text else ([], [])
        told = [_told(site, hit, language) for hit in hits]
        body = site.render("search.html", language, text=text, kinds=kinds, every=KINDS, hits=told, near=near,
                           limit=LIMIT)  # fmt: skip
        return site.page(request, f"{text} – {w['search']}" if text else w["search"], body, sought=text)

    def suggest(request: Request) -> Response:
        """Names of things as JSON."""
        language = site.language(request)
        text = request.query_params.get("q", "")[:LONGEST].strip()
        hits = site.search(text, (), SUGGESTED, language)[0] if text else []
        w = words(language)
        told = [
            {"title": _without_number(h.title(language), h), "kind": w[f"kind_{h.kind}"], "href": site.href(h.iri)}
            for h in hits
        ]
        return JSONResponse(told, headers={"Vary": "Accept-Language"})

    return [Route("/search", search), Route("/suggest", suggest)]


def _without_number(name: str, hit: Hit) -> str:
    return heading(name) if hit.kind == "rule" else name


def _told(site: Site, hit: Hit, language: str) -> dict[str, Any]:
    title = hit.title(language)
    others = dict.fromkeys((hit.label.get("en" if language == "de" else "de", ""), hit.matched))
    own = (title, hit.label.get(""), hit.label.get(language))
    return {"kind": hit.kind, "title": _without_number(title, hit), "href": site.href(hit.iri), "excerpt": hit.excerpt,
            "others": [_without_number(name, hit) for name in others if name and name not in own]}  # fmt: skip
