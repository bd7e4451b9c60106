"""A diagram with one block and constants before it."""

from __future__ import annotations

from typing import Any

import numpy as np

import blockdyn as bd


def fed(block: bd.Block, **inputs: Any) -> bd.Diagram:
    """The block, each of its inputs connected to a constant."""
    d = bd.Diagram("one")
    handle = d.add("block", block)
    for name, value in inputs.items():
        d.connect(d.add(f"given_{name}", bd.Constant(value)), handle[name])
    return d


def shown(block: bd.Block, **inputs: Any) -> dict[str, Any]:
    """The outputs of a block at the start; native and interpreted runs agree to the last bit."""
    d = fed(block, **inputs)
    ports = [port.name for port in block.output_ports()]
    log = [f"block.{name}" for name in ports]
    native, plain = (d.simulate(stop=1e-3, log=log, compiled=way) for way in (True, False))
    for name in log:
        np.testing.assert_array_equal(native[name].values, plain[name].values)
    return {name: np.asarray(native[f"block.{name}"].values[0]) for name in ports}
