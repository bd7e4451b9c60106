"""`blockdyn docs`: open the documentation site, where it has been built."""

from __future__ import annotations

import webbrowser
from argparse import Namespace
from pathlib import Path

from ..base.errors import BlockdynError
from .console import show

PLACE = Path("build", "site", "index.html")  # where `python -m tools.website` puts it


class NoSite(BlockdynError):
    """The site is not on this machine."""

    def __init__(self) -> None:
        super().__init__(
            "the documentation site is not here: it is 40 MB, and the installed package comes without it\n"
            'build it in a copy of the repository: pip install ".[docs]" && python -m tools.website\n'
            "without it: `blockdyn blocks NAME`, `blockdyn gallery NAME`, `blockdyn COMMAND --help`"
        )


def docs(_: Namespace) -> int:
    """Open the site of the repository around the working folder or this installation. Raises NoSite."""
    roots = [Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents]
    page = next((root / PLACE for root in roots if (root / PLACE).is_file()), None)
    if page is None:
        raise NoSite
    show(str(page))
    webbrowser.open(page.as_uri())
    return 0
