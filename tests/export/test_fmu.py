"""FMUs of diagrams in FMPy, which is another tool: valid, and the same runs."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Model
from fmpy.validation import validate_fmu

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.export.errors import ExportError

from .units import RUNS_HERE, Unit, ball, impacts, loop, oscillator

pytestmark = [RUNS_HERE, pytest.mark.xdist_group("fmu")]  # one worker makes the interface


@pytest.fixture(scope="module")
def bouncing(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    folder = tmp_path_factory.mktemp("ball")
    return Unit(ball().export_fmu(folder / "ball.fmu").file, folder)


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    folder = tmp_path_factory.mktemp("loop")
    return Unit(loop().export_fmu(folder / "loop.fmu").file, folder)


def final(unit: Unit, steps: int, stop: float, **values: float) -> list[float]:
    """Height and speed after so many communication steps."""
    instance = unit.begun(**values)
    for k in range(steps):
        instance.doStep(currentCommunicationPoint=k * stop / steps, communicationStepSize=stop / steps)
    ends = unit.get(instance, "height", "speed")
    instance.freeInstance()
    return ends


@pytest.mark.parametrize("steps", [1, 16, 128])
def test_any_number_of_communication_steps_gives_the_bits_of_the_run(bouncing: Unit, steps: int) -> None:
    native = ball().simulate()
    assert final(bouncing, steps, 2.0) == [native.final("h"), native.final("v")]


@pytest.mark.parametrize("method", ["auto", "rodas5p"])
def test_a_stiff_run_has_the_bits_of_the_run(tmp_path: Path, method: str) -> None:
    native = oscillator(method=method).simulate()
    unit = Unit(oscillator(method=method).export_fmu(tmp_path / "it.fmu", type="cs").file, tmp_path)
    for steps in (1, 16):
        instance = unit.begun()
        for k in range(steps):
            instance.doStep(currentCommunicationPoint=300.0 * k / steps, communicationStepSize=300.0 / steps)
        position, scaled = unit.get(instance, "position", "scaled")
        assert position == native.final("x")
        assert scaled == pytest.approx(native.final("v") / 1.5, abs=1e-12)
        instance.freeInstance()


def test_a_parameter_set_before_the_run_is_the_diagrams_other_value(bouncing: Unit) -> None:
    native = ball().simulate(parameters={"g": 1.62})
    assert final(bouncing, 4, 2.0, g=1.62) == [native.final("h"), native.final("v")]
    native = ball().simulate(set={"bounce.k": -0.9})
    assert final(bouncing, 4, 2.0, **{"bounce.k": -0.9}) == [native.final("h"), native.final("v")]


def test_a_state_begins_where_its_variable_is_set(bouncing: Unit) -> None:
    native = ball().simulate(initial={"h.x": 0.5})
    assert final(bouncing, 2, 2.0, **{"h.x": 0.5}) == [native.final("h"), native.final("v")]


def test_model_exchange_finds_every_impact_of_the_closed_form(bouncing: Unit) -> None:
    rows: Any = fmpy.simulate_fmu(
        bouncing.folder, fmi_type="ModelExchange", stop_time=2.0, relative_tolerance=1e-10,
        output_interval=0.01, output=["speed"], record_events=True,
    )  # fmt: skip
    jumps = rows["time"][1:][np.diff(rows["speed"]) > 0.5]
    assert jumps == pytest.approx(impacts(2.0), abs=1e-6)


def test_inputs_are_held_between_communication_points(driven: Unit) -> None:
    times = np.linspace(0.0, 3.0, 31)
    native = loop().simulate(inputs={"u": bd.Signal(times, 2.0 * np.sin(3.0 * times), "hold")})
    instance = driven.begun()
    for t in times[:-1].tolist():
        driven.set(instance, u=2.0 * np.sin(3.0 * t))
        instance.doStep(currentCommunicationPoint=t, communicationStepSize=0.1)
    expected = [native.final("speed"), native.final("command")]
    assert driven.get(instance, "speed", "command") == pytest.approx(expected, abs=1e-8)
    instance.freeInstance()


def test_model_exchange_ticks_the_sampled_blocks(driven: Unit) -> None:
    step = np.array([(0.0, 0.5), (3.0, 0.5)], [("time", float), ("u", float)])
    rows: Any = fmpy.simulate_fmu(
        driven.folder, fmi_type="ModelExchange", stop_time=3.0, relative_tolerance=1e-10,
        output_interval=0.05, input=step, output=["speed", "command"],
    )  # fmt: skip
    native = loop().simulate(inputs={"u": 0.5})
    assert rows["speed"] == pytest.approx(1.0 - np.exp(-2.0 * rows["time"]), abs=1e-6)
    assert rows["command"][-1] == pytest.approx(native.final("command"), abs=1e-6)


def test_an_input_without_a_default_starts_at_zero(tmp_path: Path) -> None:
    d = bd.Diagram("open")
    d.connect(d.add("u", bd.Inport()), d.add("x", bd.Integrator(1.0)), d.add("y", bd.Outport()))
    unit = Unit(d.export_fmu(tmp_path / "open.fmu", stop=1.0).file, tmp_path)
    assert float(unit.variables["u"].start) == 0.0
    instance = unit.begun(u=2.0)
    instance.doStep(currentCommunicationPoint=0.0, communicationStepSize=1.0)
    assert unit.get(instance, "y") == pytest.approx([3.0])
    instance.freeInstance()


def test_variables_have_units_and_starts(driven: Unit) -> None:
    u = driven.variables["u"]
    assert (u.causality, u.unit, float(u.start)) == ("input", "V", 0.0)
    assert {driven.variables[name].causality for name in ("speed", "command")} == {"output"}
    gain = driven.variables["gain.k"]
    assert (gain.causality, gain.variability, float(gain.start)) == ("parameter", "tunable", 2.0)
    pole = driven.variables["lag.den[0]"]
    assert (pole.causality, pole.variability, float(pole.start)) == ("parameter", "tunable", 0.5)


def test_the_page_of_an_fmu_names_its_fixed_numbers(driven: Unit) -> None:
    text = Path(driven.folder, "documentation", "index.html").read_text(encoding="utf-8")
    assert "pid.sample_time" in text.partition("Fixed numbers")[2]


@pytest.mark.parametrize("name", ["battery", "two-tanks", "cruise-gears"])
def test_the_validator_of_fmpy_finds_nothing(tmp_path: Path, name: str) -> None:
    assert validate_fmu(str(bd.load(name).export_fmu(tmp_path / "it.fmu").file)) == []


def test_the_same_diagram_is_the_same_file(tmp_path: Path) -> None:
    one, other = (ball().export_fmu(tmp_path / f"{k}" / "b.fmu") for k in _folders(tmp_path))
    assert one.file.read_bytes() == other.file.read_bytes()


def _folders(tmp_path: Path) -> list[str]:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    return ["one", "other"]


def test_a_stop_block_ends_the_run(tmp_path: Path) -> None:
    d = bd.Diagram("end")
    x = d.add("x", bd.Integrator(0.0))
    d.connect(d.add("one", bd.Constant(1.0)), x)
    d.connect(x, d.add("late", bd.Compare(">", 0.35)), d.add("end", bd.Stop()))
    d.settings(stop=1.0)
    unit = Unit(d.export_fmu(tmp_path / "end.fmu").file, tmp_path)
    instance = unit.begun()
    with pytest.raises(FMICallException, match="status 2"):
        instance.doStep(currentCommunicationPoint=0.0, communicationStepSize=1.0)
    assert instance.getBooleanStatus(3)
    assert instance.getRealStatus(2) == pytest.approx(0.35)
    instance.terminate()
    instance.freeInstance()


def test_only_what_the_type_needs_is_in_the_file(tmp_path: Path) -> None:
    file = ball().export_fmu(tmp_path / "ball.fmu", type="me").file
    description: Any = fmpy.read_model_description(str(file))
    assert description.coSimulation is None
    assert description.modelExchange is not None
    with zipfile.ZipFile(file) as archive:
        assert "binaries/linux64/ball.so" in archive.namelist()
    unit = Unit(file, tmp_path)
    unit.begun(FMU2Model).freeInstance()
    with pytest.raises(Exception, match="instantiate"):
        unit.instance()


def test_every_obstacle_is_named_at_once(tmp_path: Path) -> None:
    d = bd.Diagram("obstacles")
    late = d.add("late", bd.TransportDelay(0.1))
    d.connect(d.add("one", bd.Sine()), late, d.add("own", bd.Function(_python, compiled=False)))
    with pytest.raises(ExportError) as error:
        d.export_fmu(tmp_path / "it.fmu", method="bdf", stop=1.0)
    assert {path for path, _ in error.value.obstacles} == {"own", "method", "late"}


def _python(u: float) -> float:
    return u + 1.0


def test_the_command_writes_checks_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "fmu", "battery", "--out", str(tmp_path / "b.fmu"), "--type", "cs"]) == 0
    assert (tmp_path / "b.fmu").exists()
    assert main(["export", "fmu", "battery", "--check"]) == 0
    assert "can be exported" in capsys.readouterr().out
    assert main(["export", "fmu", "battery", "--slider", "kp"]) != 0
    assert "export page" in capsys.readouterr().err
