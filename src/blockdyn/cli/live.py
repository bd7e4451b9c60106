"""`blockdyn run --live`: a run that is watched and touched in a browser while it goes."""

from __future__ import annotations

from argparse import Namespace
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from .console import note, show
from .diagrams import compiling

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.results.result import Result


def check(arguments: Namespace) -> None:
    """Raise BlockdynError for options that only a live run has."""
    if arguments.live:
        return
    for option in ("pace", "port", "no_browser", "when_closed"):
        if getattr(arguments, option):
            option = f"--{option.replace('_', '-')}"
            raise BlockdynError(f"{option} without --live\nexpected: --live, or no {option}")


def run_live(
    program: Program, settings: dict[str, Any], arguments: Namespace
) -> tuple[Result, BlockdynError | None]:
    """The result of a run that was served until a viewer or Ctrl-C ended it; and why it failed."""
    from ..pages.live.run import LiveRun
    from ..pages.live.server import Server

    with compiling():
        live = LiveRun(program, pace=arguments.pace or 1.0, **settings)
    server = Server(
        live, port=arguments.port or 0, when_closed=arguments.when_closed or "go",
        opened=lambda url: _open_page(url, browser=not arguments.no_browser, quiet=arguments.json),
    )  # fmt: skip
    with suppress(KeyboardInterrupt):  # the samples so far are the result
        server.run()
    return live.result(), live.error if live.at_end else None


def _open_page(url: str, *, browser: bool, quiet: bool) -> None:
    """Print the address of the page, separately from the JSON that follows, and open the page."""
    if quiet:
        note(url)
    else:
        show(f"live at {url}", "Ctrl-C ends the run and keeps its result")
    if browser:
        import webbrowser

        webbrowser.open(url)
