"""The command line: `blockdyn run`, `check`, `blocks`, `gallery`, `schema`, `precompile`, `version`."""

from .command import main

__all__ = ["main"]
