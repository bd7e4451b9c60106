"""FMUs of FMI 3.0: valid, the same runs as those of the diagrams, and the functions of that version."""

from __future__ import annotations

from ctypes import c_double
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.validation import validate_fmu

import blockdyn as bd
from blockdyn.cli import main

from .units import RUNS_HERE, Unit, ball, impacts, loop

pytestmark = [RUNS_HERE, pytest.mark.xdist_group("fmu")]


@pytest.fixture(scope="module")
def bouncing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ball().export_fmu(tmp_path_factory.mktemp("three") / "ball.fmu", fmi=3).file


@pytest.fixture(scope="module")
def unit(bouncing: Path) -> Unit:
    return Unit(bouncing, bouncing.parent)


def instance(unit: Unit, kind: Any = FMU3Slave, **options: Any) -> Any:
    made = kind(
        guid=unit.description.guid, unzipDirectory=unit.folder, instanceName="one", modelIdentifier="ball"
    )
    made.instantiate(**options)
    return made


def begun(unit: Unit, kind: Any = FMU3Slave, **options: Any) -> Any:
    made = instance(unit, kind, **options)
    made.enterInitializationMode()
    made.exitInitializationMode()
    return made


def read(unit: Unit, made: Any, *names: str) -> list[float]:
    return list(made.getFloat64([unit.references[name] for name in names]))


def imported(file: Path, **options: Any) -> bd.Diagram:
    d = bd.Diagram("back")
    d.add("fmu", bd.FMU(file, **options))
    return d


@pytest.mark.parametrize("steps", [1, 16])
def test_communication_steps_give_the_bits_of_the_run(unit: Unit, steps: int) -> None:
    native, made = ball().simulate(), begun(unit)
    for k in range(steps):
        reports = made.doStep(currentCommunicationPoint=k * 2.0 / steps, communicationStepSize=2.0 / steps)
        assert reports == (False, False, False, (k + 1) * 2.0 / steps)
    assert read(unit, made, "height", "speed") == [native.final("h"), native.final("v")]
    made.terminate()
    made.freeInstance()


def test_the_block_has_the_bits_in_one_step_and_finds_the_impacts(bouncing: Path) -> None:
    native = ball().simulate(parameters={"g": 1.62})
    r = imported(bouncing, fmi_type="cs", sample_time=2.0, values={"g": 1.62}).simulate(stop=2.0)
    assert (r.final("fmu.height"), r.final("fmu.speed")) == (native.final("h"), native.final("v"))
    r = imported(bouncing).simulate(stop=2.0, rtol=1e-9, atol=1e-12)
    assert sorted({event.time for event in r.events}) == pytest.approx(impacts(2.0), abs=1e-9)


def test_another_tool_finds_the_impacts_of_the_closed_form(unit: Unit) -> None:
    rows: Any = fmpy.simulate_fmu(
        unit.folder, fmi_type="ModelExchange", stop_time=2.0, relative_tolerance=1e-10,
        output_interval=0.01, output=["speed", "height", "crossing(0)"], record_events=True,
    )  # fmt: skip
    jumps = rows["time"][1:][np.diff(rows["speed"]) > 0.5]
    assert jumps == pytest.approx(impacts(2.0), abs=1e-6)
    first = rows["time"] < impacts(2.0)[0]  # the ball's indicator is its height
    assert rows["crossing(0)"][first] == pytest.approx(rows["height"][first], abs=1e-9)


def test_a_loop_with_a_clock_and_an_input_runs_in_the_block_and_in_another_tool(tmp_path: Path) -> None:
    file = loop().export_fmu(tmp_path / "loop.fmu", fmi=3).file
    native = loop().simulate(inputs={"u": 0.5})
    expected = [native.final("speed"), native.final("command")]
    d = imported(file, fmi_type="me")
    d.connect(d.add("u", bd.Constant(0.5)), "fmu.u")
    r = d.simulate(stop=3.0, rtol=1e-9, atol=1e-12)
    assert [r.final("fmu.speed"), r.final("fmu.command")] == pytest.approx(expected, abs=1e-9)
    step = np.array([(0.0, 0.5), (3.0, 0.5)], [("time", float), ("u", float)])
    for kind in ("ModelExchange", "CoSimulation"):
        rows: Any = fmpy.simulate_fmu(
            str(file), fmi_type=kind, stop_time=3.0, relative_tolerance=1e-10, output_interval=0.05,
            input=step, output=["speed", "command"],
        )  # fmt: skip
        assert [rows["speed"][-1], rows["command"][-1]] == pytest.approx(expected, abs=1e-6)
    description: Any = fmpy.read_model_description(str(file))
    variables = {v.name: v for v in description.modelVariables}
    assert (variables["u"].type, variables["u"].unit, float(variables["u"].start)) == ("Float64", "V", 0.0)


def test_the_validator_of_fmpy_finds_nothing(bouncing: Path, tmp_path: Path) -> None:
    """In the file of both types, and in that of the command for one of them."""
    assert validate_fmu(str(bouncing)) == []
    file = tmp_path / "b.fmu"
    assert main(["export", "fmu", "battery", "--out", str(file), "--type", "cs", "--fmi", "3"]) == 0
    assert validate_fmu(str(file)) == []
    description: Any = fmpy.read_model_description(str(file))
    assert (description.fmiVersion, description.modelExchange) == ("3.0", None)
    assert not description.coSimulation.hasEventMode


def test_a_stop_block_terminates_and_returns_early_where_the_tool_allows_it(tmp_path: Path) -> None:
    d = bd.Diagram("end")
    x = d.add("x", bd.Integrator(0.0))
    d.connect(d.add("one", bd.Constant(1.0)), x)
    d.connect(x, d.add("late", bd.Compare(">", 0.35)), d.add("end", bd.Stop()))
    d.settings(stop=1.0)
    unit = Unit(d.export_fmu(tmp_path / "ball.fmu", fmi=3).file, tmp_path)
    for allowed in (True, False):
        made = begun(unit, earlyReturnAllowed=allowed)
        event, terminate, early, last = made.doStep(0.0, 1.0)
        assert (event, terminate, early, last) == (False, True, allowed, pytest.approx(0.35))
        made.terminate()
        made.freeInstance()


def test_event_indicators_and_derivatives_are_variables_too(unit: Unit) -> None:
    made = instance(unit, FMU3Model)
    made.enterInitializationMode()
    made.setFloat64([unit.references["h.x"]], [3.0])
    rows = {name: (c_double * 2)() for name in ("states", "derivatives", "indicators")}
    made.getContinuousStates(rows["states"], 2)
    made.getContinuousStateDerivatives(rows["derivatives"], 2)
    made.getEventIndicators(rows["indicators"], 1)
    assert list(rows["states"]) == read(unit, made, "h.x", "v.x") == [3.0, 0.0]
    assert list(rows["derivatives"]) == read(unit, made, "der(h.x)", "der(v.x)") == [0.0, -9.81]
    assert rows["indicators"][0] == read(unit, made, "crossing(0)")[0] == pytest.approx(3.0)
    assert (made.getNumberOfContinuousStates(), made.getNumberOfEventIndicators()) == (2, 1)
    made.exitInitializationMode()
    assert made.updateDiscreteStates()[:3] == (False, False, False)
    made.enterContinuousTimeMode()
    assert made.completedIntegratorStep() == (False, False)
    made.freeInstance()


def test_a_saved_state_is_restored_from_its_bytes(unit: Unit) -> None:
    made = begun(unit)
    made.doStep(0.0, 1.0)
    state = made.getFMUState()
    data = made.serializeFMUState(state)
    made.doStep(1.0, 1.0)
    ends = read(unit, made, "height", "speed")
    other = begun(unit)
    restored = other.deserializeFMUState(data)
    other.setFMUState(restored)
    other.doStep(1.0, 1.0)
    assert read(unit, other, "height", "speed") == ends
    made.freeFMUState(state)
    other.freeFMUState(restored)
    made.freeInstance()
    other.freeInstance()


def test_forbidden_calls_return_errors_whose_messages_name_the_function(unit: Unit) -> None:
    messages: list[str] = []
    made = instance(unit, logMessage=lambda environment, status, kind, text: messages.append(text.decode()))
    calls = {
        "fmi3DoStep": lambda: made.doStep(0.0, 1.0),
        "fmi3EnterEventMode": made.enterEventMode,
        "fmi3GetFloat64": lambda: read(unit, made, "height"),
        "fmi3GetInt32": lambda: made.getInt32([0]),
        "fmi3SetFloat64": lambda: made.setFloat64([unit.references["h.x"]], [1.0, 2.0]),
        "fmi3GetDirectionalDerivative": lambda: made.getDirectionalDerivative([3], [1], [1.0], 1),
    }
    for name, call in calls.items():
        with pytest.raises(FMICallException, match="status 3"):
            call()
        assert messages[-1].startswith(name)
    made.reset()
    made.enterInitializationMode(startTime=0.0, stopTime=2.0)
    made.exitInitializationMode()
    assert made.doStep(0.0, 0.5)[3] == 0.5
    made.freeInstance()
    with pytest.raises(Exception, match="instantiate"):  # events are handled within steps
        instance(unit, eventModeUsed=True)
