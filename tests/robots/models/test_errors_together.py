"""All that is wrong with a robot's file is told at once, each thing at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from blockdyn.robots import RobotFileError, from_file

ROWS = """\
robot: two
units: {length: m, angle: deg}
gravity: [0, 0]
dh:
  - {d: 0.3, alpha: 90, mass: -1, com: [0, 0]}
  - {a: x, mas: 2, limits: [1]}
  - {theta: 0, d: 0.2}
  - {a: 1, inertia: [1, 2], viscous: true, mass: 1}
poses: {rest: [0, 0], up: [0, 0, 0, y]}
"""
TREE = """\
robot: t
tree:
  - {name: a, kind: revolut, axis: [0, 0, 1]}
  - {name: b, parent: a, mass: heavy, axis: [0, 0, 0]}
  - {parent: b}
"""
TEXT = """\
robot: t
robot: u
dh: [{a: 1, a: 2}, {mass: !x 3}]
"""
PARAMETERS = """\
robot: t
dh: [{a: =k}, {a: =l}]
parameters: {k: x}
"""


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (
            ROWS,
            [
                (3, 1, "gravity"), (5, 25, "mass"), (5, 35, "com"),
                (6, 6, "a is 'x'"), (6, 12, "`mas`"), (6, 20, "limits"),
                (7, 6, "which of them moves"), (8, 12, "inertia"), (8, 29, "viscous"), (9, 9, "found [0, 0]"),
                (9, 23, ""),
            ],
        ),
        (TREE, [(3, 15, "kind"), (4, 26, "mass"), (4, 39, "axis"), (5, 5, "no name")]),
        (TEXT, [(2, 1, "repeated"), (3, 13, "repeated"), (3, 27, "tag")]),
        (PARAMETERS, [(3, 14, "k is 'x'")]),  # what the rows hold follows from it
    ],
)  # fmt: skip
def test_several_rows_and_numbers(tmp_path: Path, text: str, places: list[tuple[int, int, str]]) -> None:
    path = tmp_path / "robot.yaml"
    path.write_text(text)
    with pytest.raises(RobotFileError) as caught:
        from_file(path)
    errors = caught.value.errors
    assert [(error.line, error.column) for error in errors] == [(line, column) for line, column, _ in places]
    for error, (_, _, says) in zip(errors, places):
        assert says in str(error)
        assert str(error) in str(caught.value)
    assert (caught.value.line, caught.value.column) == places[0][:2]
