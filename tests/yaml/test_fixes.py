"""Fixes: a file with mistakes becomes the file that was meant, and nothing else of it changes."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml.errors import FileChanged

MEANT = """\
blockdyn: 1
# a loop
blocks:
  step: {type: Step, time: 1}   # the reference
  err: {type: Sum, signs: '+-'}
  pid: {type: PID, kp: 2, ki: 1}
  plant: {type: TransferFunction, num: [1], den: [1, 1]}
wires:
  - step -> err.u0
  - plant -> err.u1
  - err -> pid -> plant
log: [plant]
simulate:
  stop: 10
"""
GIVEN = """\
# a loop
blocks:
  step: {type: step, Time: 1}   # the reference
  err: {type: Sum, sign: '+-'}
  pid: {type: PID, kp: 2, ki=1}
  plant: {type: TransferFunc, num: [1], den: [1, 1]
wires:
  - step -> err.u1
  - plant -> err.u2
  - err -> pid => plant
log: plant
stop: 10
"""


def test_eleven_mistakes_of_a_newcomer() -> None:
    fixed = bd.fix(GIVEN)
    assert fixed.text == MEANT
    assert (len(fixed.fixes), fixed.errors) == (11, ())
    assert bd.load(fixed.text).simulate()["plant"].values[-1] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ki: 1", "ki: 1, limits: [0, 1]"),
        ("- step -> err.u0", "- err.u0 -> step"),
        ("  - plant -> err.u1\n", ""),
        ("stop: 10", "stop: 10 s"),
        ("num: [1]", "num: [1], label: motor"),
        ("  step: {type: Step, time: 1}   # the reference\n", ""),
        ("kp: 2", "kp: 1/3"),
        ("TransferFunction, num: [1], den: [1, 1]", "Gain, k: 0.5"),
    ],
)
def test_a_mistake_that_takes_more_than_a_word(right: str, wrong: str) -> None:
    fixed = bd.fix(MEANT.replace(right, wrong))
    assert (len(fixed.fixes), fixed.errors) == (1, ())
    bd.load(fixed.text).compile()


def test_a_vector_is_divided_for_inputs_that_take_one_number() -> None:
    text = """\
blockdyn: 1
blocks:
  source: {type: Constant, value: [1.0, 0.2]}
  car: {type: Bicycle}
wires:
  - source -> car.v
  - source -> car.gamma
log: [car.pose]
simulate: {stop: 1}
"""
    fixed = bd.fix(text)
    assert fixed.errors == ()
    result = bd.load(fixed.text).simulate()
    turn = math.tan(0.2)  # rad in the second that it takes, on a circle of radius 1 / turn
    assert result["car.pose"].values[-1, 0] == pytest.approx(math.sin(turn) / turn, rel=1e-6)


def test_what_no_fix_mends_stays() -> None:
    text = MEANT.replace("- plant -> err.u1", "- plant -> err.u1\n  - pid -> err.u1")
    fixed = bd.fix(text)  # two wires to one input: nobody but the author knows which one is meant
    assert (fixed.text, fixed.fixes) == (text, ())
    assert len(fixed.errors) == 1


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "loop.yaml"
    file.write_text(GIVEN)
    fixed = bd.fix(file)
    file.write_text(GIVEN + "# more\n")
    with pytest.raises(FileChanged):
        fixed.save()
    assert file.read_text() == GIVEN + "# more\n"
