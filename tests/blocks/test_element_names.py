"""Names of elements: ports declare them; traces, tables and legends show them; elements are found by them."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import library


@pytest.fixture(scope="module")
def result() -> bd.Result:
    d = bd.Diagram("flight")
    d.add("uav", bd.NRotor("hummingbird", initial_attitude=[0.1, 0.2, 0.3]))
    d.connect(d.add("speeds", bd.Constant([400.0, -410.0, 420.0, -430.0])), "uav.omega")
    return d.simulate(stop=0.01)


@pytest.mark.parametrize(
    ("signal", "names"),
    [
        ("position", ["x", "y", "z"]),
        ("rpy", ["roll", "pitch", "yaw"]),
        ("quaternion", ["w", "x", "y", "z"]),
        ("rotor_speeds", ["rotor 1", "rotor 2", "rotor 3", "rotor 4"]),
    ],
)
def test_elements_are_named_and_found_by_name_and_number(
    result: bd.Result, signal: str, names: list[str]
) -> None:
    path = f"uav.{signal}"
    assert result.trace(path).names == tuple(f"{path}[{name}]" for name in names)
    assert result[path].coords["element"].values.tolist() == names
    for i, name in enumerate(names):
        np.testing.assert_array_equal(result[f"{path}[{name}]"].values, result[f"{path}[{i}]"].values)
    legend = result.plot(path).axes[0].get_legend()
    shown = [text.get_text() for text in legend.get_texts()]
    assert all(any(name in text for text in shown) for name in names)


def test_a_port_names_all_of_its_elements() -> None:
    for kind in library().values():
        for port in (*kind.inputs, *kind.outputs):
            size = port.fixed()
            assert not port.elements or (size is not None and size.count == len(port.elements)), kind
