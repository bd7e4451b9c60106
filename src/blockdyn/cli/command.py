"""A command runs one call of `blockdyn`, from its arguments to its exit status."""

from __future__ import annotations

import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Sequence

from ..base.errors import BlockdynError
from . import interrupts
from .arguments import parse
from .console import OutputError, complain, note, silence

WRONG = 2  # the exit status for a mistake that the caller can correct


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0: done. 2: a mistake in the arguments, the diagram or the run, with a message. 130, 143: ended by
    SIGINT, SIGTERM. Any other exception is a defect of blockdyn and is raised unchanged (status 1).
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    interrupts.listen()
    try:
        arguments = parse(sys.argv[1:] if argv is None else list(argv))
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            status = _perform(arguments)
        sys.stdout.flush()
    except OutputError as error:
        silence()
        complain(error)
        return WRONG
    except BlockdynError as error:
        complain(error)
        return WRONG
    except KeyboardInterrupt:
        complain("interrupted")
        return interrupts.status()
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        silence()
        return 0
    finally:
        interrupts.unlisten()
    return status


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as a line for the caller, without the line of code that caused it."""
    note(str(message))


def _perform(arguments: Namespace) -> int:
    """Import only the modules of the command: a short run is mostly imports."""
    action: Callable[[Namespace], int]
    match arguments.command:
        case "run":
            from .run import run as action
        case "sweep":
            from .sweep import sweep as action
        case "check":
            from .check import check as action
        case "blocks":
            from .blocks import blocks as action
        case "methods":
            from .listings import methods as action
        case "robots":
            from .robots import robots as action
        case "vehicles":
            from .vehicles import vehicles as action
        case "animate":
            from .graph import animate as action
        case "graph":
            from .graph import graph as action
        case "linearize":
            from .linear import linearize as action
        case "trim":
            from .linear import trim as action
        case "orbit":
            from .linear import orbit as action
        case "bode":
            from .linear import bode as action
        case "gallery":
            from .listings import gallery as action
        case "log":
            from .listings import log as action
        case "convert":
            from .diagrams import convert as action
        case "diff":
            from .diff import diff as action
        case "export":
            from .export import export as action
        case "docs":
            from .listings import docs as action
        case "new":
            from .new import new as action
        case "new-block":
            from .new import new_block as action
        case "mcp":
            from .mcp import mcp as action
        case "studio":
            from .studio import studio as action
        case "schema":
            from .listings import schema as action
        case "precompile":
            from .precompile import precompile as action
        case _:
            from .listings import version as action
    return action(arguments)
