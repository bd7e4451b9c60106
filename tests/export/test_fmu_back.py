"""FMUs of diagrams come back as blocks, and give the runs of their diagrams."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import blockdyn as bd

from .units import RUNS_HERE, ball, impacts, loop, oscillator

pytestmark = [RUNS_HERE, pytest.mark.xdist_group("fmu")]


def imported(file: Path, **options: object) -> bd.Diagram:
    d = bd.Diagram("back")
    d.add("fmu", bd.FMU(file, **options))  # type: ignore[arg-type]
    return d


def test_a_ball_comes_back_with_its_impacts(tmp_path: Path) -> None:
    file = ball().export_fmu(tmp_path / "ball.fmu").file
    r = imported(file).simulate(stop=2.0, rtol=1e-9, atol=1e-12)
    times = sorted({event.time for event in r.events})
    assert times == pytest.approx(impacts(2.0), abs=1e-9)
    other = imported(file, values={"g": 1.62}).simulate(stop=2.0, rtol=1e-9, atol=1e-12)
    assert other.final("fmu.height") == pytest.approx(ball().simulate(parameters={"g": 1.62}).final("h"))


def test_one_communication_step_has_the_bits_of_the_run(tmp_path: Path) -> None:
    native = ball().simulate()
    d = imported(ball().export_fmu(tmp_path / "ball.fmu").file, fmi_type="cs", sample_time=2.0)
    r = d.simulate(stop=2.0)
    assert (r.final("fmu.height"), r.final("fmu.speed")) == (native.final("h"), native.final("v"))


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_a_loop_with_a_clock_and_an_input_comes_back(tmp_path: Path, kind: str) -> None:
    native = loop().simulate(inputs={"u": 0.5})
    options = {"sample_time": 3.0} if kind == "cs" else {}
    d = imported(loop().export_fmu(tmp_path / "loop.fmu").file, fmi_type=kind, **options)
    d.connect(d.add("u", bd.Constant(0.5)), "fmu.u")
    r = d.simulate(stop=3.0, rtol=1e-9, atol=1e-12)
    found = [r.final("fmu.speed"), r.final("fmu.command")]
    assert found == pytest.approx([native.final("speed"), native.final("command")], abs=1e-9)


def test_equations_without_a_value_beyond_an_event_come_back(tmp_path: Path) -> None:
    """The root has no value beyond u = 0 before the event there: y' = sqrt(max(u, 0)), u' = -1, y = 2/3."""
    d = bd.Diagram("root")
    d.add("down", bd.Constant(-1.0))
    d.add("u", bd.Integrator(1.0))
    d.add("root", bd.Expression("sqrt(max(u, 0)) + 0.1"))
    d.add("y", bd.Integrator())
    d.connect("down", "u", "root", "y", d.add("out", bd.Outport()))
    file = d.export_fmu(tmp_path / "root.fmu", stop=2.0).file
    r = imported(file).simulate(stop=2.0, rtol=1e-9, atol=1e-12)
    assert r.final("fmu.out") == pytest.approx(2 / 3 + 0.2, abs=1e-8)
    assert sorted({e.time for e in r.events}) == pytest.approx([1.0], abs=1e-8)


def test_a_diagram_of_the_gallery_comes_back(tmp_path: Path) -> None:
    """Gears are changed at events; the states of the FMU are its variables."""
    d = bd.load("cruise-gears")
    native, file = d.simulate(), d.export_fmu(tmp_path / "gears.fmu").file
    stop = float(native.statistics["end"])
    for options in ({}, {"fmi_type": "cs", "sample_time": stop}):
        block = bd.FMU(file, **options)  # type: ignore[arg-type]
        names = [state.name for state in block.description.states]
        shown = bd.FMU(file, shown=names, **options)  # type: ignore[arg-type]
        back = bd.Diagram("back")
        back.add("fmu", shown)
        r = back.simulate(stop=stop, rtol=1e-9, atol=1e-12)
        expected = np.concatenate([np.ravel(native.final_states()[name]) for name in names])
        ports = [signal.port for signal in shown.interface.outputs if signal.variables[0].name in names]
        found = np.concatenate([np.ravel(r.final(f"fmu.{port}")) for port in ports])
        assert found == pytest.approx(expected, rel=1e-6)


def test_an_input_that_moves_is_read_at_every_stage(tmp_path: Path) -> None:
    """w' = u/J with u = 2 sin t; the linear model of the block has B = 1/J, by the FMU's derivatives."""
    d = bd.Diagram("motor", parameters={"J": 0.02})
    d.connect(
        d.add("u", bd.Inport(default=0.5)),
        d.add("a", bd.Gain(bd.expression("1/J"))),
        d.add("w", bd.Integrator()),
    )
    d.connect("w", d.add("speed", bd.Outport()))
    file = d.export_fmu(tmp_path / "motor.fmu", stop=1.0).file
    back = imported(file)
    back.connect(back.add("s", bd.Sine(amplitude=2.0)), "fmu.u")
    r = back.simulate(stop=1.0, rtol=1e-9, atol=1e-12)
    assert r.final("fmu.speed") == pytest.approx(100.0 * (1.0 - np.cos(1.0)), rel=1e-8)
    alone = bd.load(file, trust="code")
    assert alone.simulate().final("fmu.speed") == pytest.approx(25.0)
    model = alone.linearize()
    assert (model.A.tolist(), model.B) == ([[0.0]], pytest.approx(np.array([[50.0]]), rel=1e-15))


@pytest.mark.parametrize("fmi", [2, 3])
def test_a_stiff_oscillator_comes_back_with_its_jacobian(tmp_path: Path, fmi: Literal[2, 3]) -> None:
    """v' = mu (1 - x^2) v - x, x' = v; an algebraic loop makes the output 2 v/3."""
    d = oscillator(method="dopri5")
    back = imported(d.export_fmu(tmp_path / "it.fmu", type="me", fmi=fmi).file)
    model = back.linearize(outputs="fmu.scaled")
    assert pytest.approx(np.array([[-300.0, -1.0], [1.0, 0.0]]), rel=1e-14) == model.A
    assert pytest.approx(np.array([[2.0 / 3.0, 0.0]]), rel=1e-14) == model.C
    native, r = (each.simulate(stop=120.0, method="rodas5p", rtol=1e-6, atol=1e-9) for each in (d, back))
    assert r.final("fmu.position") == pytest.approx(native.final("x"), abs=1e-7)
    assert r.statistics["jacobians"] == pytest.approx(native.statistics["jacobians"], rel=0.02)
