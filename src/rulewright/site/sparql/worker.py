"""Processes that answer queries, one after the other, and may be killed while they do.

The first is started with one argument, the JSON of a `Setting`, and standard input a Unix socket. For each socket that
comes in by that one it makes a worker, by fork: which takes hardly any time, as all modules are there already.

A worker reads a job as a line of JSON from its socket, writes the answer to the file that the job names, and says in a
line of JSON how that went:

    {"status": "ready", "process": 4711}                           once, at the beginning
    {"status": "ok", "kind": "rows", "format": "csv", "number": 3, "cut": false}
    {"status": "bad", "message": …}                                what was asked is no query, or is refused
    {"status": "unacceptable", "kind": "graph"}                    no format was asked for that this can be written in
    {"status": "failed", "of": "format", "message": …}             the format, the `memory` or the `store` failed

Each also says with `"spent": true` that so much memory is kept from the job that a new worker should do the next.

What it may do is bounded by the kernel, not by good will: its memory (RLIMIT_AS), the size of a file (RLIMIT_FSIZE),
and its time, by an alarm that ends it even where nobody is left to kill it.
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from rulewright.store import Dataset

GRACE: Final = 2.0
"""Seconds after its time before a worker ends itself; whoever started it kills it sooner."""
NICE: Final = 5
"""How far it steps back behind the pages."""
MESSAGE: Final = 1000
"""Characters of a message."""
PAGE: Final = "html"
"""The format of a page, for which a worker writes JSON or Turtle, and less of it."""


@dataclass(frozen=True)
class Setting:
    """Where a worker looks: a store's folder, or the address of a server. `memory`: bytes a query may take beyond what
    the worker takes at rest; `time`: seconds that it may run; `size`: bytes of an answer.
    """

    folder: str | None
    endpoint: str | None
    memory: int
    time: float
    size: int


@dataclass(frozen=True)
class Job:
    """`formats`: the name of the format for each kind of answer (`rows`, `graph`), where there is one that will do.
    `rows`, `size`: what is written at most, and `page_rows`, `page_size` of it for a page.
    """

    query: str
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    formats: dict[str, str]
    out: str
    rows: int
    size: int
    page_rows: int
    page_size: int


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def command(setting: Setting) -> list[str]:
    """What starts the process that makes workers."""
    return [sys.executable, "-P", "-m", __name__, json.dumps(asdict(setting))]


def answer(source: Dataset, job: Job, remote: bool = False) -> dict[str, object]:
    """Answers a job, and says how that went. Raises what the store raises where it fails."""
    import pyoxigraph as ox

    from rulewright.site.sparql.formats import write
    from rulewright.store.queries import QueryError, refuse, syntax_problem

    try:
        refuse(job.query)
        if remote:
            _refuse_for_others(job.query)
        for graph in (*job.default_graphs, *job.named_graphs):
            _checked(graph)
        results = source.query(job.query, default_graphs=job.default_graphs, named_graphs=job.named_graphs)
    except SyntaxError as error:
        return {"status": "bad", "message": syntax_problem(error, job.query, "query")}
    except (QueryError, ValueError) as error:
        return {"status": "bad", "message": str(error)}
    kind = "graph" if isinstance(results, ox.QueryTriples) else "rows"
    wanted = job.formats.get(kind)
    if wanted is None:
        return {"status": "unacceptable", "kind": kind}
    form, rows, size = wanted, job.rows, job.size
    if wanted == PAGE:
        form, rows, size = ("ttl" if kind == "graph" else "json"), job.page_rows, job.page_size
    with open(job.out, "wb") as out:
        written = write(results, form, out, rows, size)
    return {"status": "ok", "kind": written.kind, "format": wanted, "number": written.number, "cut": written.cut}


def _checked(graph: str) -> None:
    import pyoxigraph as ox

    try:
        ox.NamedNode(graph)
    except ValueError:
        raise ValueError(f"{graph[:200]!r} is no IRI: name graphs by absolute IRIs") from None


def _refuse_for_others(query: str) -> None:
    """Another's parser may know more than SPARQL 1.1, and, unlike ours, decode `\\u0053` before it reads (§19.2)."""
    import re

    from rulewright.store.queries import QueryError, form_of, refuse

    def decoded(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        return chr(code) if code <= sys.maxunicode else ""

    plain = re.sub(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})", decoded, query)
    refuse(plain)
    for text in (query, plain):
        if form_of(text) not in ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"):
            raise QueryError("query: begin with SELECT, ASK, CONSTRUCT or DESCRIBE: queries only read")


def _serve(source: Dataset, setting: Setting, channel: IO[bytes]) -> None:
    from rulewright.store import StoreError

    most = _pages()[1] * resource.getpagesize() + setting.memory // 4
    for text in iter(channel.readline, b""):
        given = json.loads(text)
        given["default_graphs"], given["named_graphs"] = tuple(given["default_graphs"]), tuple(given["named_graphs"])
        signal.setitimer(signal.ITIMER_REAL, setting.time + GRACE)
        try:
            result = answer(source, Job(**given), remote=setting.endpoint is not None)
        except MemoryError:
            result = {"status": "failed", "of": "memory", "message": ""}
        except ValueError as error:  # of what is written, as a property that is no name in XML
            result = {"status": "failed", "of": "format", "message": str(error)}
        except Exception as error:  # a server may answer anything
            if not isinstance(error, (StoreError, OSError, RuntimeError, SyntaxError)):
                traceback.print_exc()
            result = {"status": "failed", "of": "store", "message": str(error)}
        if "message" in result:
            result["message"] = " ".join(str(result["message"]).split())[:MESSAGE]
        signal.setitimer(signal.ITIMER_REAL, 0)
        channel.write(line({**result, "spent": _pages()[1] * resource.getpagesize() > most}))
        channel.flush()


def _source(setting: Setting) -> Dataset:
    from rulewright.store import Dataset, Endpoint

    if setting.endpoint is None:
        return Dataset.open(Path(setting.folder or ""), read_only=True)
    # that the time is over is for the pool to say: it does so before the server is given up
    return Dataset.connect(Endpoint(setting.endpoint, timeout=math.ceil(setting.time + GRACE)), read_only=True)


def _pages() -> tuple[int, int]:
    """Pages of memory that this process has asked for, and that it has; where /proc is not to be had, a guess."""
    with suppress(OSError, ValueError):
        asked, has, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
        return int(asked), int(has)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 // resource.getpagesize()
    return most + 2**30 // resource.getpagesize(), most


def _bound(setting: Setting) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_pages()[0] * resource.getpagesize() + setting.memory,) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (setting.size * 4 + 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):  # where memory runs out all the same, this goes first
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _work(setting: Setting, number: int) -> None:
    """All that a worker does; `number`: the descriptor of its socket."""
    channel = cast(IO[bytes], socket.socket(fileno=number).makefile("rwb"))
    try:
        source = _source(setting)
        _bound(setting)
    except Exception as error:
        channel.write(line({"status": "failed", "of": "store", "message": str(error)[:MESSAGE]}))
        channel.flush()
        return
    channel.write(line({"status": "ready", "process": os.getpid()}))
    channel.flush()
    os.nice(NICE)
    _serve(source, setting, channel)


def main() -> None:
    setting = Setting(**json.loads(sys.argv[1]))
    # A worker is not waited for by this process; a Ctrl+C is for the server, which then ends all.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then writing fails, and can be told

    if setting.endpoint is not None:
        import SPARQLWrapper  # noqa: F401

    control = socket.socket(fileno=os.dup(0))
    while True:
        said, numbers, _, _ = socket.recv_fds(control, 1, 1)
        if not said:
            break
        if os.fork() == 0:
            status = 1
            try:
                control.close()
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                _work(setting, numbers[0])
                status = 0
            except (BrokenPipeError, ConnectionResetError):
                pass  # nobody asks any more
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)  # whatever happens, there is one that makes workers
        os.close(numbers[0])


if __name__ == "__main__":
    main()
