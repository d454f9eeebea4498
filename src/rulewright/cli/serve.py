"""`rulewright serve`: the linked-data site with its SPARQL endpoint."""

from __future__ import annotations

import socket

import click

from rulewright.cli.options import Home, fail, home_options

CONNECTIONS = 400
"""At once; whoever comes then is told to come back."""
PATIENCE = 10
"""Seconds in which what is being answered may end when the site stops."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: one that is free.")
@click.option("--base", metavar="URL", help="Where the site is to be reached, if that is elsewhere: behind a proxy.")
@home_options
def serve(home: Home, host: str, port: int, base: str | None) -> None:
    """Serve the site: pages, data and SPARQL, of what the package carries, a store or an endpoint."""
    try:
        import uvicorn

        from rulewright.site.app import application
        from rulewright.site.context import Site
    except ImportError as error:
        fail(f"the site needs more packages ({error.name}): pip install 'rulewright[site]'")
    from rulewright.store import StoreError

    if base is not None and not base.startswith(("http://", "https://")):
        raise click.UsageError(f"--base: {base} is no web address: give one such as https://example.org/")
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        fail(f"cannot listen at {host}, port {port}: {error.strerror or error}; name another --host or --port")
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}/"
    try:
        with listening, home.open(read_only=True) as dataset:
            config = uvicorn.Config(
                application(Site(dataset, base or address)), log_level="warning", server_header=False,
                timeout_graceful_shutdown=PATIENCE, limit_concurrency=CONNECTIONS,
            )  # fmt: skip
            click.echo(address, err=True)
            uvicorn.Server(config).run(sockets=[listening])
    except StoreError as error:
        fail(str(error))
