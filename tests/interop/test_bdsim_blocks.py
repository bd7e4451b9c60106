"""Blocks of bdsim: what each shows, in one diagram, against what it is meant to compute."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from blockdyn import BlockdynError
from blockdyn.interop.bdsim import from_bdsim

M = np.array([[2.0, 1.0], [0.5, 3.0]])
OUTSIDE = [1.0, -2.0, 4.0]


def test_functions_sources_and_matrices(sim: Any) -> None:
    bd = sim.blockdiagram()
    expected: dict[str, Any] = {}

    def show(block: Any, value: Any) -> Any:
        expected[block.name] = value
        return block

    t, T = bd.TIME(name="t"), 0.7
    vector, matrix = bd.CONSTANT([3.0, 4.0], name="vector"), bd.CONSTANT(M, name="matrix")
    show(bd.WAVEFORM("sine", freq=2.0, phase=0.25, amplitude=3.0, offset=1.0, name="sine"),
         1 + 3 * math.sin(2 * math.pi * (2 * T - 0.25)))  # fmt: skip
    show(bd.WAVEFORM("square", freq=2.0, phase=0.1, name="square"), 1.0)
    show(bd.WAVEFORM("triangle", freq=1.0, phase=0.5, name="triangle"), 4 * 0.2)
    show(bd.PIECEWISE((0, 1), (0.5, 2), (0.9, 3), name="staircase"), 2.0)
    show(bd.STEP(0.5, off=-1, on=4, name="step"), 4.0)
    show(bd.RAMP(T=0.2, off=1.0, slope=2.0, name="ramp"), 2.0)
    show(bd.INTERPOLATE((0, 1, math.inf), (0, 2, 5), time=True, name="lines"), 1.4)
    show(bd.INTERPOLATE([0, 1, 2], [0, 1, 4], inputs=[t * 2], name="table"), 2.2)
    show(bd.INTERPOLATE([0, 1, 2], [0, 1, 4], kind="quadratic", inputs=[t], name="curve"), 0.49)
    show(bd.SUM("+-", inputs=[t, t], name="none"), 0.0)
    show(bd.SUM("+-", mode="c", inputs=[t * 10, t], name="angle"), 6.3 - 2 * math.pi)
    show(bd.SUM("++", mode="cr", inputs=[vector, vector], name="angles"), [6.0 - 2 * math.pi, 8.0])
    show(bd.PROD("*/", inputs=[t, t + 1.0], name="quotient"), 0.7 / 1.7)
    show(bd.PROD("**", inputs=[matrix, vector], name="product"), M @ [3.0, 4.0])
    show(bd.PROD("**", inputs=[vector, vector], name="dot"), 25.0)
    show(bd.PROD("*/", inputs=[matrix, matrix], name="ratio"), np.eye(2))
    show(bd.GAIN(M, inputs=[vector], name="right"), np.array([3.0, 4.0]) @ M)
    show(bd.GAIN(M, premul=True, inputs=[vector], name="left"), M @ [3.0, 4.0])
    show(bd.POW(3, inputs=[t], name="cube"), 0.343)
    show(bd.CLIP(min=-0.1, max=0.4, inputs=[t], name="clipped"), 0.4)
    show(bd.MUX(2, inputs=[t, vector], name="joined"), [0.7, 3.0, 4.0])
    show(bd.DEMUX(2, inputs=[vector], name="apart"), 3.0)
    show(bd.INDEX([1, 0], inputs=[vector], name="swapped"), [4.0, 3.0])
    show(bd.SLICE1([1], inputs=[vector], name="slice"), [4.0])
    show(bd.SLICE2(rows=[1], inputs=[matrix], name="row"), [[0.5, 3.0]])
    show(bd.NORM(inputs=[vector], name="norm"), 5.0)
    show(bd.DET(inputs=[matrix], name="determinant"), 5.5)
    show(bd.INVERSE(inputs=[matrix], name="inverse"), np.linalg.inv(M))
    show(bd.COND(inputs=[matrix], name="condition"), np.linalg.cond(M))
    both = bd.INVERSE(inputs=[matrix], name="both")
    show(bd.GAIN(2.0, inputs=[both[1]], name="of_inverse"), 2 * np.linalg.cond(M))
    wide = bd.CONSTANT([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]], name="wide")
    show(bd.INVERSE(inputs=[wide], name="pseudo"), np.linalg.pinv([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]]))
    twist = bd.CONSTANT([0.0, 1.0, 0.5, 0.0, 0.0, 2.0], name="twist")  # a screw about z, at 2 rad/s
    c, s = math.cos(2 * T), math.sin(2 * T)
    screw = [[c, -s, 0, (c - 1) / 2], [s, c, 0, s / 2], [0, 0, 1, 0.5 * T], [0, 0, 0, 1]]
    show(bd.POSEINTEGRATOR(inputs=[twist], name="screw"), screw)
    show(bd.TRANSPOSE(inputs=[matrix], name="turned"), M.T)
    show(bd.FLATTEN(inputs=[matrix], name="flat"), M.ravel())
    values = bd.DICT(["time", "v"], inputs=[t, vector], name="values")
    show(bd.ITEM("v", inputs=[values], name="item"), [3.0, 4.0])
    show(bd.FUNCTION(lambda d: d["v"][1] * d["time"], inputs=[values], name="of_values"), 2.8)
    show(bd.FUNCTION(lambda u: OUTSIDE[1] * u, inputs=[t], name="compiled"), -1.4)
    show(
        bd.FUNCTION(lambda u, a, k=0: a * u + k, fargs=[2.0], fkwargs={"k": 1.0}, inputs=[t], name="more"),
        2.4,
    )
    show(bd.FUNCTION([math.sin, math.cos], nout=2, inputs=[t], name="two"), math.sin(T))
    show(bd.FUNCTION(remember, persistent=True, inputs=[t], name="memory"), 0.0)
    text = bd.FUNCTION(lambda u: f"{u:.1f}", inputs=[t], name="text")
    show(bd.FUNCTION(float, inputs=[text], name="number"), 0.7)
    bd.compile()
    imported = from_bdsim(bd)
    out = imported.simulate(T, watch=list(expected))
    assert out.ynames == [f"{name}[0]" for name in expected]
    for value, rows in zip(expected.values(), out.data[".ywatch"], strict=True):
        np.testing.assert_allclose(rows[-1], value, rtol=1e-12, atol=1e-12)
    in_python = {
        "curve",
        "ratio",
        "inverse",
        "values",
        "memory",
        "text",
        "number",
    }
    assert set(imported.opaque(T)) == in_python - {"inverse"}
    imported.diagram(T).compile()


def remember(u: float, memory: dict[str, float]) -> float:
    """The first time that it was called with."""
    return memory.setdefault("first", u)


def test_what_is_watched_must_be_there(sim: Any) -> None:
    bd = sim.blockdiagram()
    plant = bd.LTI_SISO(1, [1, 2], name="plant")
    bd.connect(bd.STEP(name="demand"), plant)
    bd.compile()
    with pytest.raises(BlockdynError, match="no block of this name, did you mean `plant`"):
        sim.run(bd, watch=["plnt"])
    with pytest.raises(BlockdynError, match="expected: a block of the diagram"):
        sim.run(bd, watch=["plant[3]"])
    with pytest.raises(BlockdynError, match="found str"):
        from_bdsim("plant.bd")
    out = sim.run(bd, 2.0, solver="RK23", solver_args={"rtol": 1e-9}, watch=[plant, "demand"])
    np.testing.assert_allclose(out.y[-1], [(1 - math.exp(-2)) / 2, 1.0], rtol=1e-6)
    with pytest.warns(DeprecationWarning, match="y0"):
        assert out.y0[-1] == out.y[-1, 0]


def test_a_loop_that_bdsim_cannot_compile_is_told(sim: Any) -> None:
    bd = sim.blockdiagram()
    a = bd.GAIN(2.0, name="a")
    b = bd.SUM("++", inputs=[a, bd.CONSTANT(1.0)], name="b")
    bd.connect(b, a)
    with pytest.raises(BlockdynError, match="could not compile"):
        from_bdsim(bd)


def test_a_block_of_bdsims_user_runs_as_it_is(sim: Any) -> None:
    import bdsim

    class Spring(bdsim.components.ContinuousBlock):  # type: ignore[misc,name-defined]
        nin = nout = 1

        def __init__(self, **options: Any) -> None:
            super().__init__(nstates=2, x0=[1.0, 0.0], **options)
            self._x0 = np.array([1.0, 0.0])

        def output(self, t: float, u: Any, x: Any) -> list[Any]:
            return [x[0]]

        def deriv(self, t: float, u: Any, x: Any) -> Any:
            return np.array([x[1], u[0] - 4.0 * x[0]])

    bd = sim.blockdiagram()
    spring = Spring(bd=bd, name="spring")
    bd.connect(bd.CONSTANT(0.0, name="force"), spring)
    bd.compile()
    out = sim.run(bd, T=1.0, watch=[spring], solver_args={"rtol": 1e-10, "atol": 1e-12})
    np.testing.assert_allclose(out.x[-1], [math.cos(2.0), -2.0 * math.sin(2.0)], atol=1e-8)
    np.testing.assert_allclose(out.y[-1], [math.cos(2.0)], atol=1e-8)
