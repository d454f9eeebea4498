"""`rulewright serve`: the linked-data site with its SPARQL endpoint."""

from __future__ import annotations

import sys

import click

from rulewright.cli.options import BAD_INPUT, Home, home_options


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--base", metavar="URL", help="Where the site is to be reached, if that is elsewhere: behind a proxy.")
@home_options
def serve(home: Home, host: str, port: int, base: str | None) -> None:
    """Serve the site: pages, data and SPARQL, of what the package carries, a store or an endpoint."""
    try:
        import uvicorn

        from rulewright.site.app import application
        from rulewright.site.context import Site
    except ImportError as error:
        click.echo(f"the site needs more packages ({error.name}): pip install 'rulewright[site]'", err=True)
        sys.exit(BAD_INPUT)
    from rulewright.store import StoreError

    shown = f"[{host}]" if ":" in host else host
    try:
        with home.open(read_only=True) as dataset:
            site = Site(dataset, base or f"http://{shown}:{port}/")
            app = application(site)
            click.echo(f"http://{shown}:{port}/", err=True)
            uvicorn.run(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=10,
                        server_header=False, limit_concurrency=400)  # fmt: skip
    except StoreError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)
