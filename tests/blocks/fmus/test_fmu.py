"""FMUs as blocks: closed forms in Model Exchange and Co-Simulation, of FMI 2.0 and 3.0."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed, InstanceFailed
from blockdyn.diagrams.yaml.errors import NotTrusted

from .made import NEEDS_A_COMPILER, fmu

pytestmark = [NEEDS_A_COMPILER, pytest.mark.xdist_group("fmus")]
BOTH = pytest.mark.parametrize("version", [2, 3])
WAYS = pytest.mark.parametrize("compiled", [True, False])


def alone(file: Path, **options: Any) -> bd.Diagram:
    d = bd.Diagram("imported")
    d.add("fmu", bd.FMU(file, **options))
    return d


def instants(result: bd.Result) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(sorted({event.time for event in result.events}))


def bounces(e: float = 0.7, g: float = 9.81) -> list[float]:
    """Instants at which a ball that falls from 1 m bounces, until it is slower than 0.1 m/s."""
    times, v = [math.sqrt(2.0 / g)], math.sqrt(2.0 * g)
    while (v := v * e) >= 0.1:
        times.append(times[-1] + 2.0 * v / g)
    return times


@BOTH
@pytest.mark.parametrize(("method", "compiled"), [("dopri5", True), ("rodas5p", True), ("dopri5", False)])
def test_a_ball_bounces_as_in_the_closed_form(
    tmp_path: Path, version: int, compiled: bool, method: str
) -> None:
    """Events of others, of the time and of the sawtooth, are in between."""
    r = alone(fmu(tmp_path, version)).simulate(
        stop=3.0, method=method, rtol=1e-9, atol=1e-12, compiled=compiled, log=["fmu"]
    )
    found = instants(r)
    assert [np.min(np.abs(found - t)) for t in bounces()] == pytest.approx(np.zeros(11), abs=1e-12)
    assert np.isin(0.25 * np.arange(1, 13), found).all()
    assert r.final("fmu.ticks") == 12.0
    assert r.final("fmu.h") == pytest.approx(0.0, abs=1e-12)
    assert r.final("fmu.v") == 0.0


@BOTH
def test_a_state_that_jumps_is_a_sawtooth(tmp_path: Path, version: int) -> None:
    """With a speed u = 3 before 0.5 s and 1 after it, and with the level as a parameter."""
    d = alone(fmu(tmp_path, version), values={"level": 0.75, "k": 2.0})
    d.connect(d.add("u", bd.Step(time=0.5, initial=3.0, final=1.0)), "fmu.u")
    r = d.simulate(stop=2.0, rtol=1e-9, atol=1e-12)
    assert r.final("fmu.x") == pytest.approx((3.0 * 2.0 * 0.5 + 2.0 * 1.5) % 0.75, abs=1e-10) or (
        r.final("fmu.x") == pytest.approx(0.75, abs=1e-10)
    )
    resets = np.array([0.125, 0.25, 0.375, 0.5, 0.875, 1.25, 1.625])
    found = instants(r)
    assert [np.min(np.abs(found - t)) for t in resets] == pytest.approx(np.zeros(7), abs=1e-12)


@BOTH
@WAYS
def test_discrete_inputs_change_at_events(tmp_path: Path, version: int, compiled: bool) -> None:
    """p = q + n, where n is as of the last event; a boolean goes through at once; a clock makes events."""
    d = alone(fmu(tmp_path, version, completedIntegratorStepNotNeeded="true"))
    d.connect(d.add("n", bd.Step(time=0.3, final=4.0)), "fmu.n")
    d.connect(d.add("b", bd.Step(time=0.6)), "fmu.b")
    d.connect(d.add("q", bd.Constant([1.0, 2.0])), "fmu.q")
    r = d.simulate(stop=1.0, times=[0.0, 0.2, 0.3, 0.5, 0.7], compiled=compiled, log=["fmu"])
    assert r["fmu.p"].values.tolist() == [[1, 2], [1, 2], [5, 6], [5, 6], [5, 6]]
    assert r["fmu.not_b"].values.tolist() == [1, 1, 1, 1, 0]


@BOTH
def test_an_fmu_ends_the_run(tmp_path: Path, version: int) -> None:
    r = alone(fmu(tmp_path, version), values={"last": 3}).simulate(stop=3.0)
    assert (r.statistics["end"], r.final("fmu.ticks")) == (0.75, 3.0)
    d = alone(fmu(tmp_path, version), values={"last": 3}, fmi_type="cs", sample_time=0.5)
    assert d.simulate(stop=3.0).statistics["end"] == 1.0


@BOTH
@WAYS
def test_a_step_may_wish_for_an_event(tmp_path: Path, version: int, compiled: bool) -> None:
    d = alone(fmu(tmp_path, version), values={"wish": 2, "e": 0.0, "period": 10.0, "level": 100.0})
    r = d.simulate(stop=1.0, method="rk4", step=0.125, compiled=compiled)
    assert r.final("fmu.wishes") == 1.0
    assert instants(r)[0] == 0.25


@BOTH
@WAYS
def test_co_simulation_is_the_closed_form_at_every_tick(tmp_path: Path, version: int, compiled: bool) -> None:
    """3.0 returns early at each reset and each time event, and so does 2.0, whose step is discarded there."""
    d = alone(fmu(tmp_path, version), fmi_type="cs", values={"level": 0.3, "k": 0.5, "wish": 1})
    r = d.simulate(stop=2.0, compiled=compiled)
    t = 0.125 * np.arange(17)
    distance = np.abs(r["fmu.x"].values - (0.5 * t) % 0.3)
    assert np.minimum(distance, 0.3 - distance) == pytest.approx(np.zeros(17), abs=1e-12)
    assert r["fmu.ticks"].values.tolist() == np.floor(4.0 * t).tolist()


@BOTH
def test_inputs_of_co_simulation_are_held_over_a_step(tmp_path: Path, version: int) -> None:
    d = alone(fmu(tmp_path, version), fmi_type="cs", sample_time=0.25, values={"level": 100.0})
    d.connect(d.add("u", bd.Ramp()), "fmu.u")
    r = d.simulate(stop=1.0)
    assert r.final("fmu.x") == pytest.approx(0.25 * (0.0 + 0.25 + 0.5 + 0.75))


@BOTH
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_an_error_of_the_fmu_names_block_and_time(tmp_path: Path, version: int, kind: str) -> None:
    d = alone(fmu(tmp_path, version), fmi_type=kind, values={"bad": 0.5})
    with pytest.raises(BlockFailed, match=r"fmu(.|\n)*returned fmi\dError: x is beyond its limit") as error:
        d.simulate(stop=3.0)
    assert "fmu" in str(error.value)


@BOTH
def test_a_value_that_the_fmu_refuses(tmp_path: Path, version: int) -> None:
    with pytest.raises(InstanceFailed, match=r"does not take -1\.0 for `period`: the period is not above 0"):
        alone(fmu(tmp_path, version), values={"period": -1.0}).simulate(stop=1.0)


@BOTH
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_every_scenario_has_an_instance_of_its_own(tmp_path: Path, version: int, kind: str) -> None:
    d = bd.Diagram("swept", parameters={"k": 1.0})
    options = {"sample_time": 0.5} if kind == "cs" else {}
    d.add("fmu", bd.FMU(fmu(tmp_path, version), fmi_type=kind, values={"k": bd.expression("k")}, **options))
    d.add("other", bd.FMU(fmu(tmp_path, version), fmi_type=kind, values={"level": 100.0}, **options))
    d.connect(d.add("u", bd.Constant(bd.expression("k"))), "other.u")
    sweep = d.sweep(
        {"k": {"linspace": [0.05, 0.95, 10]}}, {"x": {"final": "fmu.x"}, "y": {"final": "other.x"}}, stop=1.0
    )
    found = sweep.run(workers=4, progress=False).dataset
    assert found["x"].values == pytest.approx(found["k"].values, abs=1e-9)
    assert found["y"].values == pytest.approx(found["k"].values, abs=1e-9)


@BOTH
def test_a_diagrams_file_names_an_fmu_if_it_is_trusted(tmp_path: Path, version: int) -> None:
    fmu(tmp_path, version)
    file = tmp_path / "d.yaml"
    file.write_text(
        f"""\
blockdyn: 1
name: named
parameters: {{k: 0.5}}
blocks:
  one: {{type: model{version}.fmu}}
  other: {{type: FMU, file: model{version}.fmu, type: FMU}}
simulate: {{stop: 0.5}}
""".replace(", type: FMU}", ', values: {k: "=k"}}'),
        encoding="utf-8",
    )
    with pytest.raises(bd.BlockdynError, match="holds machine code") as error:
        bd.load(file)
    assert isinstance(error.value, NotTrusted) or "--trust code" in str(error.value)
    r = bd.load(file, trust="code").simulate()
    assert (r.final("one.x"), r.final("other.x")) == pytest.approx((0.5, 0.25), abs=1e-9)


def test_ports_have_units_texts_and_first_values(tmp_path: Path) -> None:
    for version in (2, 3):
        block = bd.FMU(fmu(tmp_path, version))
        inputs = {p.name: (p.unit, p.default) for p in block.input_ports()}
        assert inputs == {"u": ("m/s", 1.0), "n": ("", 0.0), "q": ("V", 0.0), "b": ("", 0.0)}
        assert [p.name for p in block.output_ports()] == ["x", "ticks", "wishes", "p", "not_b", "h", "v"]


def test_what_an_output_does_not_need_makes_no_loop(tmp_path: Path) -> None:
    d = alone(fmu(tmp_path, 2), values={"level": 100.0})
    d.connect("fmu.x", d.add("less", bd.Gain(-1.0)), "fmu.u")
    d.connect("fmu.not_b", "fmu.n")
    assert d.simulate(stop=1.0, initial={"fmu.states": [2.0, 1.0, 0.0]}, rtol=1e-9).final(
        "fmu.x"
    ) == pytest.approx(2.0 * math.exp(-1.0), rel=1e-7)


@BOTH
def test_other_variables_are_outputs_on_request(tmp_path: Path, version: int) -> None:
    r = alone(fmu(tmp_path, version), shown=["der(x)", "k"], values={"k": 3.0}).simulate(stop=0.1)
    assert (r.final("fmu.der_x"), r.final("fmu.k")) == (3.0, 3.0)
    with pytest.raises(bd.BlockdynError, match=r"no number `der\(y\)` besides its outputs, did you mean"):
        alone(fmu(tmp_path, version), shown=["der(y)"])
