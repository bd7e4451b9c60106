"""What is wrong in a file is told with the place where it stands, down to the expression and the wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from blockdyn.diagrams.model.errors import AlgebraicLoop, BadExpression, DiagramError
from blockdyn.diagrams.yaml import load, loads
from blockdyn.diagrams.yaml.errors import YamlFileError

LOOP = """\
blockdyn: 1
blocks:
  u: {type: Constant}
  error: {type: Sum, signs: "+-"}
  plant:
    type: Subsystem
    diagram:
      blocks:
        force: {type: Inport}
        gain: {type: Gain, k: 2}
        speed: {type: Outport}
      wires: [force -> gain -> speed]
wires:
  - u -> error[0]
  - error -> plant
  - plant -> error[1]
"""


def test_an_algebraic_loop_is_told_with_its_blocks_and_wires(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.write_text(LOOP)
    with pytest.raises(AlgebraicLoop) as caught:
        load(path).check()
    error = caught.value
    assert error.cycle == ("error.y", "plant/gain.u", "plant/gain.y", "error.u1")
    assert (error.file, error.line, error.column) == (str(path), 4, 3)
    assert [(place.line, place.column) for place in error.places if place] == [
        (4, 3),
        (12, 15),
        (10, 9),
        (16, 5),
    ]
    assert f"error.u1 {path}:16:5" in str(error)


GAIN = """\
blockdyn: 1
parameters: {{x: 0, v: [2, 0]}}
blocks:
  u: {{type: Constant}}
  g:
    type: Gain
    k: {}
wires: [u -> g]
simulate: {{stop: 1}}
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("=1/0", "1 / 0 divides by zero"),
        ("=3/x", "3 / 0 divides by zero"),
        ("=0/x", "0 / 0 divides by zero"),
        ("=5 % x", "5 % 0 divides by zero"),
        ("=1/v", "1 / [2.0, 0.0] divides by zero"),
        ("[1, =2/x]", "2 / 0 divides by zero"),
        ("=1/(1/x)", "1 / 0 divides by zero"),
        ("=log(x)", "log(0) is infinite"),
        ("=sqrt(x - 1)", "sqrt(-1) is not a real number"),
        ("=asin(2)", "asin(2) is not a real number"),
        ("=inf - inf", "inf - inf is not a real number"),
        ("=9**9**9**9", "larger than 1.8e308"),
        ("=exp(1000)", "exp(1000) is larger than 1.8e308"),
        ("=1e400", "too large"),
    ],
)
def test_an_expression_without_a_value_is_shown_where_it_stands(text: str, reason: str) -> None:
    with pytest.raises(BadExpression) as caught:
        loads(GAIN.format(text)).check()
    error = caught.value
    assert (error.line, error.column, error.path) == (7, 8, "g.k")
    assert text.strip("[]").rpartition("=")[2] in str(error)
    assert reason in str(error)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("=1/x if x != 0 else 7", 7.0),
        ("=0 if x == 0 else 1/x", 0.0),
        ("=x != 0 and 1/x > 1", 0.0),
        ("=x == 0 or 1/x > 1", 1.0),
        ("=1/inf", 0.0),
        ("=min(inf, 3)", 3.0),
    ],
)
def test_what_a_condition_leaves_out_is_not_computed(text: str, value: float) -> None:
    assert loads(GAIN.format(text)).simulate().final("g") == value


def test_expressions_of_parameters_and_subsystems_are_shown_where_they_stand() -> None:
    outside = "blockdyn: 1\nparameters:\n  x: 0\n  y: =1/x\nblocks: {u: {type: Constant, value: =y}}\n"
    with pytest.raises(BadExpression, match="1 / 0 divides by zero") as caught:
        loads(outside).check()
    assert (caught.value.line, caught.value.column) == (4, 6)
    inside = LOOP.replace("blocks:", "parameters: {x: 0}\nblocks:", 1).replace(
        "    type: Subsystem\n", "    type: Subsystem\n    parameters: {k: =1/x}\n"
    )
    inside = inside.replace("      blocks:", "      parameters: {k: 2}\n      blocks:")
    with pytest.raises(BadExpression, match="1 / 0 divides by zero") as caught:
        loads(inside + "simulate: {loops: solve}\n").check()
    assert (caught.value.line, caught.value.column, caught.value.path) == (8, 21, "plant.k")


@pytest.mark.parametrize(
    ("text", "line"),
    [("blockdyn: 1\nblocks: {}\n", 2), ("blockdyn: 1\nname: nothing\n", 1), ("blockdyn: 1\nblocks:\n", 1)],
)
def test_a_diagram_without_blocks(text: str, line: int) -> None:
    diagram = loads(text)
    for run in (diagram.check, lambda: diagram.simulate(stop=1.0)):
        with pytest.raises(DiagramError, match="has no blocks") as caught:
            run()
        assert caught.value.line == line


def test_a_missing_file_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "motor.yaml").write_text("blockdyn: 1\nblocks: {u: {type: Constant}}\n")
    path = tmp_path / "robot.yaml"
    path.write_text(
        "blockdyn: 1\nblocks:\n  arm:\n    type: Subsystem\n    diagram:\n      blocks:\n"
        "        motor: {type: Subsystem, file: motr.yaml}\n"
    )
    with pytest.raises(YamlFileError) as caught:
        load(path)
    error = caught.value
    assert (error.file, error.line, error.column, error.path) == (str(path), 7, 40, "arm/motor")
    assert "`motr.yaml`, did you mean `motor.yaml`?" in str(error)
    assert "No such file" in str(error)
