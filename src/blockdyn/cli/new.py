"""`blockdyn new` and `blockdyn new-block`: a start, with its test that passes, under names that are free."""

from __future__ import annotations

import keyword
import re
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from ..base.atomic import refused
from ..base.errors import BlockdynError, FileError
from ..blocks.contract.registry import library
from .console import show
from .starts import BLOCK, BLOCK_TEST, DIAGRAM, DIAGRAM_TEST, PROGRAM, PROGRAM_TEST

ENDINGS = (".yaml", ".yml", ".py")


class BadStart(BlockdynError):
    """A name under which nothing can be started: what was found, what is expected."""

    def __init__(self, problem: str, expected: str) -> None:
        self.problem, self.expected = problem, expected
        super().__init__(f"{problem}\nexpected: {expected}")


def new(arguments: Namespace) -> int:
    """Write a diagram, in YAML or, for a name that ends in `.py`, in Python, and a test beside it."""
    path = Path(arguments.name)
    ending = path.suffix if path.suffix in ENDINGS else ".yaml"
    stem = path.name.removesuffix(ending)
    words = "letters, digits, - and _, such as `level-control`; or `level_control.py`"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", stem) or (ending == ".py" and not _is_module(stem)):
        raise BadStart(f"`{arguments.name}` is no name for a diagram", words)
    module = stem.replace("-", "_")
    start, test = (PROGRAM, PROGRAM_TEST) if ending == ".py" else (DIAGRAM, DIAGRAM_TEST)
    file = path.with_name(stem + ending)
    tested = path.with_name(f"test_{module}.py")
    names = {"NAME": stem, "MODULE": module, "FILE": file.name}
    _write({file: _filled(start, names), tested: _filled(test, names)})
    run = f"python {file}" if ending == ".py" else f"blockdyn run {file} --plot"
    show(f"{file}: a diagram; {tested}: its test", "", f"  {run}", f"  {_pytest(tested)}")
    return 0


def new_block(arguments: Namespace) -> int:
    """Write a block type in a file named after it, and a test beside it."""
    path = Path(arguments.name)
    words = [word for word in re.split(r"[_-]", path.name.removesuffix(".py")) if word]
    kind = "".join(word[:1].upper() + word[1:] for word in words)
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", kind):
        raise BadStart(f"`{arguments.name}` is no name for a block", "a name such as `ElasticJoint`")
    if kind in library():
        expected = f"another name: `blockdyn blocks {kind}` shows that one"
        raise BadStart(f"the library has a block {kind}", expected)
    module = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    if not _is_module(module):
        raise BadStart(f"`{module}.py` cannot be imported", "another name than a word of Python")
    file, tested = path.with_name(f"{module}.py"), path.with_name(f"test_{module}.py")
    names = {"NAME": kind, "MODULE": module}
    _write({file: _filled(BLOCK, names), tested: _filled(BLOCK_TEST, names)})
    show(f"{file}: the block {kind}; {tested}: its test", "", f"  {_pytest(tested)}")
    return 0


def _pytest(file: Path) -> str:
    """The command that runs a test, with what installs pytest where it is missing."""
    return f"pytest {file}" if find_spec("pytest") else f"pip install pytest && pytest {file}"


def _is_module(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def _filled(text: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"<{name}>", value)
    return text


def _write(texts: dict[Path, str]) -> None:
    """Write files that are not there; none of them where one is. Raises FileError."""
    for path in texts:
        if path.exists() or path.is_symlink():
            raise FileError("write", path, "there is one already", "choose another name, or move it away")
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise refused(path, error, FileError) from error
