"""Public names: each is written once, every block of the library is one, and a new one is found by itself."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import library

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "blockdyn"
STUBS = (PACKAGE / "__init__.pyi", *sorted(PACKAGE.glob("robots/**/__init__.pyi")))
DOUBLE = '''"""Double: twice the input."""

from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Port


class Double(Block):
    """y = 2 u."""

    inputs: ClassVar = (Port("u"),)
    elementwise: ClassVar = True

    @staticmethod
    def output(u: float) -> float:
        return 2.0 * u
'''


def listed(stub: Path) -> list[str]:
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    return [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_each_public_name_is_written_once(stub: Path) -> None:
    assert [name for name, count in Counter(listed(stub)).items() if count > 1] == []


def test_every_block_of_the_library_has_its_line_for_type_checkers() -> None:
    missing = [
        f"from .{kind.__module__.removeprefix('blockdyn.')} import {name} as {name}"
        for name, kind in library().items()
        if name not in listed(STUBS[0])
    ]
    assert missing == [], "add these lines to src/blockdyn/__init__.pyi"
    assert all(getattr(bd, name) is kind for name, kind in library().items())


def test_a_new_block_is_public_by_being_there(tmp_path: Path) -> None:
    package = tmp_path / "blockdyn"
    package.mkdir()
    for item in (ROOT / "src" / "blockdyn").iterdir():
        if item.name == "blocks":
            shutil.copytree(item.resolve(), package / "blocks", ignore=shutil.ignore_patterns("__pycache__"))
        elif item.name != "__pycache__":
            (package / item.name).symlink_to(item.resolve())
    (package / "blocks" / "mathematics" / "double.py").write_text(DOUBLE)
    code = (
        "import blockdyn as bd\nd = bd.Diagram('d')\n"
        "d.connect(d.add('one', bd.Constant(1.5)), d.add('double', bd.Double()))\n"
        "print(bd.__file__, d.simulate(stop=1.0).final('double'))"
    )
    store = {name: value for name, value in os.environ.items() if name == "BLOCKDYN_CACHE"}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env={"PATH": "", **store}
    )
    assert run.stdout.split() == [str(package / "__init__.py"), "3.0"], run.stderr
