"""Games checked in the browser: pasted or uploaded, judged in memory, shown, and kept nowhere."""

from __future__ import annotations

import io
from email.parser import BytesParser
from email.policy import HTTP
from typing import Final
from urllib.parse import parse_qsl

from anyio.to_thread import run_sync
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.site.addresses import kept_language
from rulewright.site.context import Site, words
from rulewright.site.judging import LARGEST, Busy, Judge, TooMuch
from rulewright.site.safety import body
from rulewright.site.said import STRING, Said, said

_PACKED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
_TYPES: Final = frozenset((
    "application/json", "application/ld+json", "application/x-ndjson", "text/plain", "text/turtle", "application/trig",
    "application/n-quads", "application/octet-stream",
))  # fmt: skip
_FORM: Final = "application/x-www-form-urlencoded"
_PARTS_OF: Final = "multipart/form-data"
_FIELDS: Final = {"type": "object", "properties": {"text": STRING}}
STYLES: Final = ("game.css", "timeline.css")


class Refused(Exception):
    """What cannot be judged; the words that say why."""


def routes(site: Site) -> list[Route]:
    def form(request: Request, problem: str = "", text: str = "") -> Response:
        language = site.language(request)
        w = words(language)
        html = site.render("check.html", language, problem=problem and w[problem], text=text,
                           largest=LARGEST // 2**20, told=None)  # fmt: skip
        return site.page(request, w["check"], html, status=422 if problem else 200)

    judge = Judge()

    texts = dict.fromkeys(sorted(_TYPES), STRING) | {"application/json": {"type": ["object", "array"]}}

    @said(Said(), Said(bodies={**texts, _FORM: _FIELDS, _PARTS_OF: _FIELDS}, errors=[408, 413, 415, 422, 503]))
    async def check(request: Request) -> Response:
        """Games, judged and kept nowhere."""
        if request.method != "POST":
            return await run_sync(form, request)
        content = await body(request, LARGEST + 2**16)
        language = site.language(request)
        try:
            name, data = given(request.headers.get("content-type", ""), content)
            told = await judge.judge(data, name, language, site.root, kept_language.get())
        except Refused as refused:
            return await run_sync(form, request, str(refused))
        except TooMuch:
            return await run_sync(form, request, "check_too_much")
        except Busy:
            raise HTTPException(503, headers={"Retry-After": "10"}) from None
        w = words(language)
        html = site.render("check.html", language, told=Markup(told), problem="", text="", largest=LARGEST // 2**20)
        response = site.page(request, w["check"], html, styles=STYLES)
        response.headers["Cache-Control"] = "no-store"
        return response

    return [Route("/check", check, methods=["GET", "POST"])]


def given(kind: str, content: bytes) -> tuple[str, bytes]:
    """The name and content of what a form, or a program, sends. Raises Refused."""
    media_type = kind.partition(";")[0].strip().lower()
    name, data = "", content
    if media_type == _FORM:
        try:
            fields = dict(parse_qsl(content.decode("ascii"), max_num_fields=20, encoding="utf-8"))
        except ValueError:
            raise Refused("check_unreadable") from None
        data = fields.get("text", "").encode()
    elif media_type == _PARTS_OF:
        name, data = _parts(kind, content)
    elif media_type not in _TYPES:
        raise HTTPException(415)
    if not data.strip():
        raise Refused("check_nothing")
    if len(data) > LARGEST:
        raise HTTPException(413)
    if data.startswith(_PACKED):
        raise Refused("check_packed")
    return name, data


def _parts(kind: str, content: bytes) -> tuple[str, bytes]:
    """The uploaded file, or else the text (RFC 7578)."""
    head = b"Content-Type: " + kind.encode("latin-1", "replace").replace(b"\r", b"").replace(b"\n", b"") + b"\r\n\r\n"
    try:
        message = BytesParser(policy=HTTP).parse(io.BytesIO(head + content))
        found: dict[str, tuple[str, bytes]] = {}
        for part in message.iter_parts():
            field = part.get_param("name", header="content-disposition")
            payload = part.get_payload(decode=True)
            if isinstance(field, str) and isinstance(payload, bytes):
                found[field] = (part.get_filename() or "", payload)
    except Exception:
        # the standard library's parser of what anyone may send: no error of it is ours to tell apart
        raise Refused("check_unreadable") from None
    name, data = found.get("file", ("", b""))
    if data:
        return name.replace("\\", "/").rpartition("/")[2][:100], data
    return "", found.get("text", ("", b""))[1]
