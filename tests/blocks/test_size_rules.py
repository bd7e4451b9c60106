"""Help shows the rule of a port's size where it depends on the block's parameters or inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import describe_ports, specimen

N3 = [[0.9, 0.1, 0.0], [0.0, 0.9, 0.1], [0.0, 0.0, 0.9]]
MODEL = {
    "A": N3,
    "B": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
    "C": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    "D": 0.0,
}
OTHER: dict[str, dict[str, Any]] = {
    "CentralCamera": {"points": [[0.0, 0.0, 1.0]]},
    "ConstrainedFDyn": {"rows": [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]},
    "DescriptorIntegrator": {"E": [[1.0, 0.0], [0.0, 1.0]], "initial": 0.0},
    "DescriptorStateSpace": MODEL | {"E": N3},
    "DiscreteStateSpace": MODEL,
    "ExtendedKalmanFilter": {"initial": [0.0, 0.0, 0.0], "R": [1.0, 1.0], "Q": 1.0},
    "GainScheduling": {"points": [0.0, 1.0], "gains": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]},
    "KalmanFilter": MODEL | {"Q": 1.0, "R": 1.0},
    "LQR": {"A": N3, "B": MODEL["B"], "Q": 1.0, "R": 1.0},
    "LookupND": {"breakpoints": [[0.0, 1.0]] * 4, "table": [[[[0.0, 1.0]] * 2] * 2] * 2},
    "LuenbergerObserver": MODEL | {"L": None, "poles": [-1.0, -2.0, -3.0]},
    "ModelPredictive": MODEL | {"D": None, "Q": 1.0, "R": 1.0},
    "PoseFromPoints": {"points": [[i, i * i, i**3] for i in range(7)]},
    "RangeBearing": {"landmarks": [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]},
    "StateFeedback": {"K": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "N": [[1.0, 0.0], [0.0, 1.0]]},
    "StateSpace": MODEL,
}  # fmt: skip
for sampled in ("KalmanFilter", "LQR", "LuenbergerObserver"):
    OTHER[f"Sampled{sampled}"] = OTHER[sampled]
for filtered in ("EKFLocalization", "UKFLocalization", "ParticleFilter"):
    OTHER[filtered] = OTHER["RangeBearing"]


def of_other_sizes(block: bd.Block) -> Iterator[bd.Block]:
    """The block with another robot or vehicle, one more of what it counts, and larger matrices."""
    changes: list[dict[str, Any]] = [{"robot": "panda"}, {"robot": "puma560"}, {"vehicle": "neo"}]
    changes += [{name: value + 1} for name in block.rules() if type(value := getattr(block, name)) is int]
    larger = {name: value for name, value in OTHER.get(block.kind(), {}).items() if name in block.rules()}
    for change in [*changes, larger]:
        try:
            yield block.with_parameters(**change)
        except (BlockdynError, TypeError):  # not a parameter of this block, or not for this robot
            continue


@pytest.mark.parametrize("kind", library().values(), ids=lambda kind: kind.__name__)
def test_a_size_that_differs_between_blocks_of_a_type_has_a_rule(kind: type[bd.Block]) -> None:
    block = specimen(kind)
    for other in of_other_sizes(block):
        for side in ("input_ports", "output_ports"):
            ports = {port.name: port.fixed() for port in getattr(other, side)()}
            plain = [
                p for p in getattr(block, side)() if not p.size_rule and not (p.fixed() and p.fixed().fields)
            ]
            assert not [port.name for port in plain if port.fixed() != ports.get(port.name, port.fixed())]


@pytest.mark.parametrize("kind", sorted({*OTHER}))
def test_the_larger_example_is_one(kind: str) -> None:
    block = specimen(library()[kind])
    larger = [*of_other_sizes(block)][-1]
    assert sizes(larger) != sizes(block)


def sizes(block: bd.Block) -> list[object]:
    """The sizes of all ports."""
    return [port.fixed() for port in (*block.input_ports(), *block.output_ports())]


@pytest.mark.parametrize("kind", library().values(), ids=lambda kind: kind.__name__)
def test_the_size_of_every_output_is_known_from_the_parameters_or_the_inputs(kind: type[bd.Block]) -> None:
    assert "any" not in {row[1] for row in describe_ports(specimen(kind), "output_ports")}


@pytest.mark.parametrize(
    ("kind", "port", "size"),
    [
        ("NRotor", "omega", "n, one per rotor"),
        ("FDyn", "tau", "n, one per joint"),
        ("FDyn", "wrench", "vector 6"),
        ("Gain", "u", "any"),
        ("Gain", "y", "as u"),
        ("Sum", "y", "as the inputs"),
        ("LowPass", "y", "as u"),
        ("Step", "y", "as the parameters"),
        ("Transpose", "y", "n x m"),
    ],
)
def test_help_shows_the_rule(kind: str, port: str, size: str) -> None:
    block = specimen(library()[kind])
    rows = describe_ports(block, "input_ports") + describe_ports(block, "output_ports")
    assert {row[0]: row[1] for row in rows}[port] == size
