"""Options that are mappings: compared by content, with expressions over the diagram's parameters inside."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import names

TEXT = """\
blockdyn: 1
parameters: {k: 2.0}
blocks:
  u: {type: Constant, value: 3}
  y: {type: Expression, formula: k*u + c, coefficients: {k: =k^2, c: 1}}
wires: [u -> y]
"""


def test_a_mapping_follows_the_parameters_of_the_diagram() -> None:
    d = bd.load(TEXT.replace("=k^2", "=k*k"))
    assert d.simulate(stop=1.0).final("y") == 13.0
    assert d.simulate(stop=1.0, parameters={"k": 3.0}).final("y") == 28.0
    assert bd.dumps(bd.load(bd.dumps(d))) == bd.dumps(d)


def test_a_wrong_expression_inside_is_shown_where_it_stands() -> None:
    with pytest.raises(bd.DiagramError, match=r"5:\d+: expression `=k\^2`"):
        bd.load(TEXT)


def test_mappings_with_the_same_content_make_equal_robots() -> None:
    spec = {"name": "puma560", "payload": {"mass": 2, "at": [0, 0, 0.1]}}
    one, other = bd.Gravload(spec), bd.Gravload({**spec})
    spec["payload"]["mass"] = 3  # type: ignore[index]
    assert one.robot == other.robot
    assert one.model == other.model
    assert hash(one.robot) == hash(other.robot)


def test_bases_of_blocks_are_no_block_types() -> None:
    assert not {"ArmBlock", "FramedBlock", "VelocityBlock", "DriveBlock"} & set(names())
