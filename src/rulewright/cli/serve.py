"""`rulewright serve`: the linked-data site with its SPARQL endpoint."""

from __future__ import annotations

import ipaddress
import logging
import socket
import time

import click

from rulewright.cli.options import Home, fail, home_options, without_the_site

CONNECTIONS = 400
"""At once; whoever comes then is told to come back."""
PATIENCE = 15
"""Seconds in which what is being answered may end when the site stops: longer than a query may take."""


def _networks(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(str(ipaddress.ip_network(address)) for address in given)
    except ValueError as error:
        raise click.BadParameter(f"{error}: give one such as 127.0.0.1 or 10.0.0.0/8") from None


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: one that is free.")
@click.option("--base", metavar="URL", help="Where the site is to be reached, if that is elsewhere: behind a proxy.")
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", callback=_networks,
              help="A proxy before the site, or a network of them: whom it names in X-Forwarded-For is the client.")
@click.option("--rate", type=click.FloatRange(0), default=120, show_default=True, metavar="N",
              help="Searches and queries a minute of each client but this machine; a game is 4, a dump 20. 0: no limit")
@click.option("--access-log", is_flag=True, help="A line on standard error for each request.")
@home_options
def serve(
    home: Home, host: str, port: int, base: str | None, proxies: tuple[str, ...], rate: float, access_log: bool
) -> None:
    """Serve the site: pages, data and SPARQL, of what the package carries, a store or an endpoint."""
    try:
        import uvicorn

        from rulewright.site.app import application
        from rulewright.site.connections import Connection
        from rulewright.site.context import Site
        from rulewright.site.safety import ACCESS, Care
    except ImportError as error:
        without_the_site(error)
    from rulewright.store import StoreError

    if base is not None and not base.startswith(("http://", "https://")):
        raise click.UsageError(f"--base: {base} is no web address: give one such as https://example.org/")
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        fail(f"cannot listen at {host}, port {port}: {error.strerror or error}; name another --host or --port")
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}/"
    if access_log:
        _show(ACCESS)
    try:
        with listening, home.open(read_only=True) as dataset:
            config = uvicorn.Config(
                application(Site(dataset, base or address), care=Care(rate, access_log, bool(proxies))),
                proxy_headers=bool(proxies), forwarded_allow_ips=list(proxies), log_level="error",
                timeout_graceful_shutdown=PATIENCE, limit_concurrency=CONNECTIONS, server_header=False,
                http=Connection,
            )  # fmt: skip
            click.echo(address, err=True)
            uvicorn.Server(config).run(sockets=[listening])
    except StoreError as error:
        fail(str(error))


def _show(log: logging.Logger) -> None:
    form = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    form.converter = time.gmtime
    lines = logging.StreamHandler()
    lines.setFormatter(form)
    log.addHandler(lines)
    log.setLevel(logging.INFO)
    log.propagate = False
