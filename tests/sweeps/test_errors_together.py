"""All that is wrong with a sweep is told at once, from a file with the place of each thing."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.sweeps.errors import SweepError
from blockdyn.sweeps.sweep import Sweep

BLOCKS = """\
blockdyn: 1
name: loop
blocks:
  u: {type: Step}
  g: {type: Gain, k: 2}
  x: {type: Integrator}
wires: [u -> g -> x]
simulate: {stop: 1}
sweep:
"""
FILE = (
    BLOCKS
    + """\
  number: 3
  sampling: sobol
  axes:
    g.q: [1, 2]
    g.k: [1, two]
    u.value: {linspace: [0, 1]}
    x.initial: {normal: {mean: 0}}
    u.time: {logspace: [-1, 1, 3]}
    nosuch.k: [1]
  measures:
    worst: {max: abs(y)}
    late: {settlng_time: x}
    twice: {value: worst + nothing}
    good: {final: x}
  keep: {signals: [x, nosuch], worst: 3, by: best}
"""
)


def errors_of(error: BaseException) -> list[tuple[str, int | None]]:
    assert isinstance(error, bd.BlockdynError)
    assert len(error.errors) > 1
    return [(type(each).__name__, each.line) for each in error.errors]


def test_of_axes_measures_and_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.write_text(FILE)
    with pytest.raises(SweepError) as caught:
        Sweep.load(path)
    first = len(BLOCKS.splitlines())
    assert errors_of(caught.value) == [
        ("UnknownPath", first + 4), ("SweepError", first + 5), ("SweepError", first + 6),
        ("SweepError", first + 7),
        ("SweepError", first + 8), ("UnknownPath", first + 9), ("UnknownPath", first + 11),
        ("SweepError", first + 12), ("UnknownBlock", first + 15), ("SweepError", first + 15),
    ]  # fmt: skip
    assert all(str(path) in str(error) for error in caught.value.errors)  # type: ignore[attr-defined]


def test_and_of_a_sweep_made_in_python(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.write_text(BLOCKS.replace("sweep:\n", ""))
    with pytest.raises(SweepError, match=r"^5 errors:") as caught:
        Sweep(
            bd.load(path),
            {"g.k": [1, True, None], "g.q": [1]},
            {"late": {"settlng_time": "x"}},
            chunk=0,
            stopp=3,
        )
    assert {kind for kind, _ in errors_of(caught.value)} == {
        "SweepError",
        "UnknownPath",
    }
    assert all(error.file == __file__ for error in caught.value.errors)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("  axes: {g.q: [1]}\n  zip: [[g.q]]\n", 1),
        ("  axes: {g.k: [], u.time: [1, 2]}\n  zip: [[g.k, u.time]]\n", 1),
        ("  number: 3\n  axes: {g.k: {normal: {mean: x, sd: 1}}}\n", 2),
        ("  axes: {g.k: {normal: {mean: 0, sd: 1}}}\n", 0),
        ("  axes: {g.k: [1]}\n  measures: {a: {max: nosuch}, b: {value: a + 1}}\n", 2),
    ],
)
def test_what_follows_from_an_error_is_none(tmp_path: Path, section: str, line: int) -> None:
    path = tmp_path / "loop.yaml"
    path.write_text(BLOCKS + section)
    with pytest.raises(SweepError) as caught:
        Sweep.load(path)
    assert caught.value.errors == (caught.value,), caught.value
    assert caught.value.line == len(BLOCKS.splitlines()) + (line or 1)
