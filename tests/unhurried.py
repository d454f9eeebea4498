"""The site without its limits of time, which a busy machine reaches with what is quick elsewhere.

As a program it is `rulewright`, with these: `command("serve", "--port", "0")`.
"""

from __future__ import annotations

import sys
from functools import partial

import pytest

from waiting import PATIENCE


def unhurried(patch: pytest.MonkeyPatch, query: float = PATIENCE) -> None:
    """Whatever ends is waited for, and nobody gets more of what is costly by the time that it takes.

    `query`: seconds that a query may run.
    """
    from rulewright.site.rates import Rates
    from rulewright.site.sparql.pool import Limits

    patch.setattr("rulewright.cli.serve.PATIENCE", PATIENCE)
    patch.setattr("rulewright.site.judging.TIME", PATIENCE)
    patch.setattr("rulewright.site.safety.PATIENCE", PATIENCE)
    patch.setattr("rulewright.site.safety.Rates", partial(Rates, clock=lambda: 0.0))
    patch.setattr("rulewright.site.sparql.endpoint.Limits", partial(Limits, time=query, patience=PATIENCE))


def command(*arguments: str, query: float = PATIENCE) -> list[str]:
    return [sys.executable, __file__, str(query), *arguments]


if __name__ == "__main__":
    from rulewright.cli import main

    unhurried(pytest.MonkeyPatch(), float(sys.argv.pop(1)))
    main()
