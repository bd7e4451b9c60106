"""`blockdyn new` and `new-block`: what they write passes its test at once, and nothing is written over."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def imported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A module of the folder, as pytest imports one; forgotten afterwards."""
    monkeypatch.syspath_prepend(str(folder))
    before = {*sys.modules}

    def load(name: str) -> Any:
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield load
    for name in {*sys.modules} - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file is not None and Path(file).is_relative_to(folder):
            del sys.modules[name]


def passed(module: Any) -> int:
    """Run the tests of a module; how many there are."""
    count = 0
    for name, test in vars(module).items():
        if name.startswith("test_"):
            for compiled in (True, False) if test.__code__.co_argcount else (None,):
                test(*(() if compiled is None else (compiled,)))
                count += 1
    return count


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("new", "level-control"), ("level-control.yaml", "test_level_control.py")),
        (("new", "level_control.py"), ("level_control.py", "test_level_control.py")),
        (("new-block", "ElasticJoint"), ("elastic_joint.py", "test_elastic_joint.py")),
        (("new-block", "elastic_joint"), ("elastic_joint.py", "test_elastic_joint.py")),
    ],
)
def test_a_start_passes_its_test_and_is_never_written_over(
    command: Any, folder: Path, imported: Any, words: tuple[str, ...], files: tuple[str, str]
) -> None:
    done = command(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(file in done.stdout for file in files)
    assert passed(imported(files[1].removesuffix(".py"))) >= 2
    for kept, other in (files, files[::-1]):
        (folder / kept).write_text("mine")
        (folder / other).unlink(missing_ok=True)
        again = command(*words)
        assert again.returncode == 2
        assert kept in again.stderr
        assert "there is one already" in again.stderr
        assert (folder / kept).read_text() == "mine"
        assert not (folder / other).exists()
        (folder / kept).unlink()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new", "my diagram"), "`my diagram` is not a name for a diagram"),
        (("new", "level-control.py"), "level_control.py"),
        (("new", "class.py"), "not a name for a diagram"),
        (("new", "3"), "not a name"),
        (("new", "nowhere/loop"), "nowhere"),
        (("new-block", "Gain"), "`blockdyn blocks Gain` shows that one"),
        (("new-block", "2x"), "not a name for a block"),
        (("new-block", "Class"), "cannot be imported"),
        (("new-block", "a/b/Joint"), "joint.py"),
    ],
)
def test_names_that_do_not_do_are_told(command: Any, folder: Path, words: tuple[str, ...], told: str) -> None:
    before = {path.name for path in folder.iterdir()}
    done = command(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name for path in folder.iterdir()} == before


def test_a_start_is_a_sound_diagram(command: Any, folder: Path) -> None:
    command("new", "loop")
    assert command("check", "loop.yaml").returncode == 0
