"""The page of errors draws the tree of exceptions as it is."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import blockdyn

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def drawn() -> set[tuple[str, str]]:
    """Child and parent of each line of the tree on the page."""
    tree = re.search(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert tree
    trail: list[str] = []
    pairs = set()
    for line in tree[1].splitlines():
        name = line.split()[0]
        trail[(len(line) - len(line.lstrip())) // 4 :] = [name]
        pairs.add((name, trail[-2] if len(trail) > 1 else ""))
    return pairs


def declared(kind: type[BaseException]) -> set[tuple[str, str]]:
    """Child and parent of each class of the package under this one."""
    pairs = set()
    for child in kind.__subclasses__():
        if child.__module__.partition(".")[0] == "blockdyn":
            pairs |= {(child.__name__, kind.__name__)} | declared(child)
    return pairs


def test_the_tree_on_the_page_has_every_error_under_its_base() -> None:
    for module in pkgutil.walk_packages(blockdyn.__path__, "blockdyn."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    assert drawn() == declared(blockdyn.BlockdynError) | {("BlockdynError", "")}
