"""The command line: `blockdyn run`, `animate`, `check`, `blocks`, `robots`, `gallery` and others."""

from .command import main

__all__ = ["main"]
