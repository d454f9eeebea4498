"""A browser and the site as a process, on loopback. Whatever a test does there, the console has to stay clean and no
request may go to another host.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from unhurried import command
from waiting import PATIENCE, eventually

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

Open = Callable[..., Any]
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
LOCALES = {"en": "en-GB", "de": "de-DE"}


@pytest.fixture(scope="package")
def chromium() -> str:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed (Debian: chromium)")
    return program


@pytest.fixture(scope="package")
def address(chromium: str) -> Iterator[str]:
    """Where the site is, on what the package carries. No browser, no site."""
    serving = command("serve", "--port", "0")
    with subprocess.Popen(serving, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as server:
        try:
            assert server.stderr is not None
            found = server.stderr.readline().strip()
            assert found.startswith("http://127.0.0.1:"), found
            assert eventually(lambda: ready(found))
            yield found
        finally:
            server.terminate()


def ready(address: str) -> bool:
    try:
        urllib.request.urlopen(address + "ready", timeout=PATIENCE).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Any]:
    playwright.expect.set_options(timeout=1000 * PATIENCE)
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Open]:
    """Opens pages, each as a visitor of its own. `status`: that of the page, which the console tells of if it is an
    error; the other options are those of a context of Playwright.
    """
    wrong: list[str] = []
    contexts: list[Any] = []

    def open_page(path: str = "", language: str = "en", status: int = 200, **options: Any) -> Any:
        options = {"viewport": {"width": 1440, "height": 900}, "locale": LOCALES[language], **options}
        context = browser.new_context(base_url=address, **options)
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)

        def said(message: Any) -> None:
            expected = f"status of {status}" in message.text
            if message.type in ("error", "warning") and not expected:
                wrong.append(f"console: {message.text} ({message.location})")

        def asked(request: Any) -> None:
            if not request.url.startswith((address, "data:image/")):
                wrong.append(f"a request to another host: {request.url}")

        context.on("console", said)
        context.on("weberror", lambda error: wrong.append(f"script: {error.error}"))
        context.on("request", asked)
        page = context.new_page()
        answer = page.goto(path)
        assert answer.status == status, path
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong, wrong
