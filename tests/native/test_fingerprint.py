"""Whatever is compiled into stored machine code is a part of the name that it is stored under."""

import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import blockdyn.native
import blockdyn.solvers
from blockdyn.native.fingerprint import APART, compiler, fingerprint
from blockdyn.solvers import methods
from blockdyn.solvers.loop.compiled import loop_key
from blockdyn.sweeps.execute import driver
from blockdyn.sweeps.measures import kernel as measures

SOLVERS = Path(blockdyn.solvers.__path__[0])
NATIVE = Path(blockdyn.native.__path__[0])


def modules(package: Path) -> list[str]:
    return sorted(str(file.relative_to(package)) for file in package.rglob("*.py"))


@pytest.mark.parametrize("name", modules(SOLVERS))
def test_every_module_of_the_solvers_is_part_of_the_loops_key(name: str, tmp_path: Path) -> None:
    copy = tmp_path / SOLVERS.name
    shutil.copytree(SOLVERS, copy)
    before = loop_key(copy)
    assert before == loop_key(SOLVERS)
    (copy / name).write_text((copy / name).read_text() + "\nCHANGED = 1\n")
    assert loop_key(copy) != before


@pytest.mark.parametrize("name", [name for name in modules(NATIVE) if name[:-3] not in APART])
def test_every_module_of_the_compiler_is_part_of_all_keys(name: str, tmp_path: Path) -> None:
    copy = tmp_path / NATIVE.name
    shutil.copytree(NATIVE, copy)
    before = compiler(copy)
    assert before == compiler(NATIVE)
    (copy / name).write_text((copy / name).read_text() + "\nCHANGED = 1\n")
    assert compiler(copy) != before


def test_a_new_or_renamed_module_is_another_key(tmp_path: Path) -> None:
    copy = tmp_path / SOLVERS.name
    shutil.copytree(SOLVERS, copy)
    before = loop_key(copy)
    (copy / "methods" / "new.py").write_text("")
    added = loop_key(copy)
    (copy / "methods" / "new.py").rename(copy / "methods" / "newer.py")
    assert len({before, added, loop_key(copy)}) == 3


def test_another_tableau_written_out_or_other_steps_are_another_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    from blockdyn.solvers.loop import compiled

    def other_steps(backend: object, margin: object) -> None: ...

    before = loop_key(SOLVERS)
    assert loop_key(SOLVERS, other_steps) != before  # type: ignore[arg-type]
    monkeypatch.setattr(compiled, "WRITTEN_OUT", methods.TSIT5.data)
    assert loop_key(SOLVERS) != before


def test_what_the_loop_is_compiled_from_lies_where_the_key_looks() -> None:
    """Every module of blockdyn that the loop's making loads is a file of the solvers or of the compiler.

    But for `base`, which judges arguments in Python: no function that is compiled names anything of it.
    """
    text = (
        "import sys\n"
        "from blockdyn.solvers.loop import compiled\n"
        "from types import FunctionType\n"
        "seen = set()\n"
        "class Pieces:\n"
        "    names = {}\n"
        "    def piece(self, function):\n"
        "        if function in seen:\n"
        "            return function\n"
        "        seen.add(function)\n"
        "        for name in function.__code__.co_names:\n"
        "            value = function.__globals__.get(name)\n"
        "            module = getattr(value, '__module__', None) or getattr(value, '__name__', '')\n"
        "            assert not str(module).startswith('blockdyn.base'), name\n"
        "            if isinstance(value, FunctionType):\n"
        "                self.piece(value)\n"
        "        return function\n"
        "    inlined = apart = piece\n"
        "compiled._make(compiled.runge_kutta, True, Pieces())\n"
        "print(*(m for m in sys.modules if m.startswith('blockdyn.') and '.base' not in m))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert {name.split(".")[1] for name in done.stdout.split()} == {"solvers", "native"}


def test_the_keys_are_made_without_a_compiler() -> None:
    text = (
        "import sys\n"
        "from blockdyn.sweeps.execute.driver import build\n"
        "from blockdyn.native.fingerprint import fingerprint\n"
        "from blockdyn.solvers.loop.compiled import loop_key\n"
        "from pathlib import Path\n"
        f"loop_key(Path({str(SOLVERS)!r})), fingerprint(build(None, None, None))\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True)


@pytest.mark.parametrize("module", ["kernel", "kinds", "levels", "outcome", "panel", "quartic"])
@pytest.mark.parametrize("made", [lambda: driver.build(None, None, None), lambda: measures.measures])
def test_a_number_of_any_module_of_the_measures_is_part_of_their_key(module, made, monkeypatch) -> None:
    """Each of the modules has numbers that are compiled in; with others the key is another."""
    from importlib import import_module

    space = import_module(f"blockdyn.sweeps.measures.{module}")
    before = fingerprint(made())
    changed = 0
    for name, value in list(vars(space).items()):
        if isinstance(value, int) and not name.startswith("__"):
            monkeypatch.setattr(space, name, value + 1000)
            changed += fingerprint(made()) != before
            monkeypatch.undo()
    assert changed or not any(isinstance(v, int) for k, v in vars(space).items() if not k.startswith("__"))
    assert fingerprint(made()) == before


class Mode(IntEnum):
    OFF = 1


@pytest.mark.parametrize(
    "other", ["b = Count(); a = Count()", "a = Real(); b = Count()", "a = Count(); b = Reals()"]
)
def test_fields_elsewhere_in_a_structure_are_another_key(other: str) -> None:
    """What is compiled for a structure reads its fields at their places."""
    from blockdyn.solvers.calls import StructureType, structure_at

    keys = set()
    for body in ("a = Count(); b = Count()", other):
        space: dict[str, object] = {}
        exec(f"from blockdyn.solvers.fields import *\nclass Room(Structure): {body}\n", space)
        keys.add((str(StructureType(space["Room"])), fingerprint(structure_at(space["Room"]))))
    assert len({kind for kind, _ in keys}) == len({key for _, key in keys}) == 2


def of(text: str, **space: object) -> str:
    exec(text, space)
    return fingerprint(space["f"])  # type: ignore[arg-type]


def module(name: str, **content: object) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(content)
    return made


LONG = np.arange(5000.0)
OTHER = np.where(LONG == 2500, -1.0, LONG)
IDENTITY, DOUBLE = (lambda u: u), (lambda u: 2 * u)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("def f(u):\n    return u * a[0][0]", {"a": (LONG,)}, {"a": (OTHER,)}),
        ("def f(u):\n    return u * a", {"a": [LONG, 1]}, {"a": [OTHER, 1]}),
        ("def f(u, a=a):\n    return u", {"a": (LONG,)}, {"a": (OTHER,)}),
        ("def f(u, *, a=a):\n    return u", {"a": 1}, {"a": 2}),
        ("def f(u):\n    return u * a", {"a": 1.0}, {"a": np.float32(1.0)}),
        ("def f(u):\n    return a.OFF", {"a": Mode}, {"a": IntEnum("Mode", {"OFF": 2})}),
        ("def f(u):\n    return a", {"a": Mode.OFF}, {"a": IntEnum("Mode", {"OFF": 2}).OFF}),  # type: ignore[attr-defined]
        (
            "def f(u):\n    return a.b.C",
            {"a": module("a", b=module("b", C=1))},
            {"a": module("a", b=module("b", C=2))},
        ),
        (
            "def f(u):\n    return a(u) + b(u) + c(u)",
            {"a": IDENTITY, "b": DOUBLE, "c": DOUBLE},
            {"a": IDENTITY, "b": DOUBLE, "c": IDENTITY},
        ),
    ],
)
def test_what_a_function_reads_is_part_of_its_key(text: str, one: dict, other: dict) -> None:
    assert of(text, **one) == of(text, **one)
    assert of(text, **one) != of(text, **other)


def test_a_docstring_is_no_part_of_a_key_and_a_text_is() -> None:
    docs = ("'A letter.'\n    ", "'The letter.'\n    ", "")
    texts = [f"def f(u):\n    {doc}return '{text}'" for doc in docs for text in "ab"]
    a, b, reworded, b_too, undocumented, _ = map(of, texts)
    assert a == reworded == undocumented
    assert b == b_too != a


def test_what_lies_within_a_try_is_part_of_the_key() -> None:
    """Both have the same instructions."""
    head = "def f(u):\n    try:\n        x = u\n    "
    within = head + "    y = 1 / x\n    except Exception:\n        return 0\n    return y"
    behind = head + "except Exception:\n        return 0\n    else:\n        y = 1 / x\n    return y"
    assert of(within) != of(behind)


def test_what_numba_makes_of_a_function_is_part_of_its_key() -> None:
    """Compiled functions and ufuncs: by code, options and the types that they were declared for."""
    from numba import njit, vectorize

    made = [
        *(njit(f) for f in (IDENTITY, DOUBLE)),
        njit(fastmath=True)(DOUBLE),
        *(njit(kind)(DOUBLE) for kind in ("float32(float32)", "float64(float64)")),
        *(vectorize(["float64(float64)"])(f) for f in (IDENTITY, DOUBLE)),
        vectorize(["float32(float32)"])(DOUBLE),
    ]
    assert len({of("def f(u):\n    return a(u)", a=a) for a in made}) == len(made)
    assert of("def f(u):\n    return a(u)", a=made[0]) == of("def f(u):\n    return a(u)", a=njit(IDENTITY))


def test_values_and_modules_that_hold_themselves_have_a_key() -> None:
    values: list[object] = [1.0]
    values.append(values)
    around = module("around")
    vars(around)["around"] = around
    text = "def f(u):\n    return f(u) + len(values) + around.around.around"
    assert of(text, values=values, around=around)
