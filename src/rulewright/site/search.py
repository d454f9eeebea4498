"""Search: a form that needs no script, and suggestions for who has one."""

from __future__ import annotations

from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulewright.index import Hit, Kind
from rulewright.site.context import Site, words
from rulewright.site.pages.parts import heading
from rulewright.site.said import LANGUAGE, STRING, Parameter, Said, said

LIMIT: Final = 50
SUGGESTED: Final = 8
LONGEST: Final = 200
KINDS: Final[tuple[Kind, ...]] = ("keyword", "card", "ruling", "rule", "term")
_SUGGESTED: Final = {
    "type": "array", "maxItems": SUGGESTED,
    "items": {"type": "object", "required": ["title", "kind", "href"],
              "properties": dict.fromkeys(("title", "kind", "href"), STRING)},
}  # fmt: skip
assert set(KINDS) == set(get_args(Kind))


def routes(site: Site) -> list[Route]:
    kind = Parameter("kind", "Of which kinds.", {"type": "array", "items": {"enum": list(KINDS)}})

    @said(Said([Parameter("q", "What to look for.", example="Abprall"), kind]))
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

    @said(Said([Parameter("q", "The beginning of a name.", example="Abpr"), LANGUAGE],
               {200: ("application/json",)}, schemas={"application/json": _SUGGESTED}))  # fmt: skip
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
    others = [_without_number(name, hit) for name in hit.others(language)]
    title = _without_number(hit.title(language), hit)
    return {"kind": hit.kind, "title": title, "href": site.href(hit.iri), "excerpt": hit.excerpt, "others": others}
