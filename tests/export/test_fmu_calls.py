"""Calls of an FMU: orders that the standard forbids, saved states, two instances at once, memory."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Model, fmi2CoSimulation

from .units import RUNS_HERE, SILENT, Unit, ball

pytestmark = [RUNS_HERE, pytest.mark.xdist_group("fmu")]
ERROR = 3  # fmi2Status
ORDERS = {
    "a step before the initialization": ["step"],
    "no setup after the initialization has begun": ["enter", "setup"],
    "an end of no initialization": ["exit"],
    "a second initialization": ["enter", "exit", "enter"],
    "an output before the initialization": ["read"],
    "a step after the end": ["enter", "exit", "terminate", "step"],
    "an input after the end": ["enter", "exit", "terminate", "set"],
    "a fixed state during the run": ["enter", "exit", "set state"],
    "an output that is set": ["set output"],
    "a derivative before the initialization": ["differentiate"],
    "a derivative by an output": ["enter", "exit", "differentiate by an output"],
}


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    folder = tmp_path_factory.mktemp("ball")
    return Unit(ball().export_fmu(folder / "ball.fmu").file, folder)


def differentiate(unit: Unit, instance: Any, unknown: str, known: str) -> float:
    ends = [[unit.references[name]] for name in (unknown, known)]
    return float(*instance.getDirectionalDerivative(*ends, [1.0]))


def call(unit: Unit, instance: Any, name: str) -> None:
    calls = {
        "setup": lambda: instance.setupExperiment(startTime=0.0),
        "enter": instance.enterInitializationMode, "exit": instance.exitInitializationMode,
        "terminate": instance.terminate, "read": lambda: unit.get(instance, "height"),
        "step": lambda: instance.doStep(currentCommunicationPoint=0.0, communicationStepSize=0.1),
        "set": lambda: unit.set(instance, g=1.0), "set state": lambda: unit.set(instance, **{"h.x": 2.0}),
        "set output": lambda: unit.set(instance, height=2.0),
        "differentiate": lambda: differentiate(unit, instance, "der(h.x)", "v.x"),
        "differentiate by an output": lambda: differentiate(unit, instance, "der(h.x)", "height"),
    }  # fmt: skip
    calls[name]()


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS.keys())
def test_a_forbidden_call_returns_an_error_and_reset_mends_it(unit: Unit, order: list[str]) -> None:
    instance = unit.instance()
    *before, forbidden = order
    for name in before:
        call(unit, instance, name)
    with pytest.raises(FMICallException, match="status 3"):
        call(unit, instance, forbidden)
    instance.reset()
    for name in ("enter", "exit", "step", "read"):
        call(unit, instance, name)
    instance.freeInstance()


def test_calls_of_model_exchange_are_refused_in_co_simulation(unit: Unit) -> None:
    instance = unit.begun()
    component = ctypes.c_void_p(instance.component)
    assert instance.dll.fmi2SetTime(component, ctypes.c_double(1.0)) == ERROR
    assert instance.dll.fmi2EnterEventMode(component) == ERROR
    assert instance.dll.fmi2CancelStep(component) == ERROR
    assert instance.dll.fmi2DoStep(None, ctypes.c_double(0.0), ctypes.c_double(0.1), 0) == ERROR
    instance.freeInstance()


def test_derivatives_of_a_ball_are_those_of_its_equations(unit: Unit) -> None:
    """h' = v and v' = -g; both are outputs."""
    instance = unit.begun(FMU2Model)
    pairs = {
        ("der(h.x)", "v.x"): 1.0,
        ("der(v.x)", "v.x"): 0.0,
        ("height", "h.x"): 1.0,
        ("speed", "h.x"): 0.0,
    }
    assert {pair: differentiate(unit, instance, *pair) for pair in pairs} == pairs
    instance.freeInstance()


def test_a_wrong_identity_makes_no_instance(unit: Unit) -> None:
    made = unit.instance()
    made.guid = "{another}"
    with pytest.raises(Exception, match="instantiate"):
        made.instantiate()
    made.freeInstance()


def advance(instance: Any, start: float, steps: int) -> None:
    for k in range(steps):
        instance.doStep(currentCommunicationPoint=start + 0.1 * k, communicationStepSize=0.1)


def test_a_saved_state_continues_as_the_run_did(unit: Unit) -> None:
    instance = unit.begun()
    advance(instance, 0.0, 5)
    saved = instance.getFMUState()
    data = instance.serializeFMUstate(saved)
    advance(instance, 0.5, 5)
    expected = unit.get(instance, "time", "height", "speed")
    instance.setFMUState(saved)
    advance(instance, 0.5, 5)
    assert unit.get(instance, "time", "height", "speed") == expected
    instance.freeFMUState(saved)
    other = unit.begun(g=1.0)
    again = other.deSerializeFMUstate(data)
    other.setFMUState(again)
    instance.freeInstance()
    advance(other, 0.5, 5)
    assert unit.get(other, "time", "height", "speed") == expected
    other.freeFMUState(again)
    other.freeInstance()


def test_two_instances_do_not_know_each_other(unit: Unit) -> None:
    one, other = unit.begun(), unit.begun(g=1.62)
    advance(one, 0.0, 10)
    advance(other, 0.0, 10)
    alone = unit.begun(g=1.62)
    advance(alone, 0.0, 10)
    assert unit.get(other, "height") == unit.get(alone, "height") != unit.get(one, "height")
    for instance in (one, other, alone):
        instance.freeInstance()


class _Mallinfo2(ctypes.Structure):
    """Counts of the C library's allocator (mallinfo2(3)), bytes."""

    _fields_ = (
        ("before", ctypes.c_size_t * 4),
        ("mapped", ctypes.c_size_t),
        ("unused", ctypes.c_size_t * 2),
        ("allocated", ctypes.c_size_t),
        ("after", ctypes.c_size_t * 2),
    )


def test_many_instances_leave_no_memory_behind(unit: Unit) -> None:
    """The allocator counts; its least of three batches, as threads of the process allocate too."""
    library = unit.instance()
    count = ctypes.CDLL(None).mallinfo2
    count.restype = _Mallinfo2

    def allocated() -> int:
        counts = count()
        return int(counts.allocated + counts.mapped)

    def growth(instances: int) -> int:
        before = allocated()
        for _ in range(instances):
            guid = unit.description.guid.encode()
            instance = library.fmi2Instantiate(b"another", fmi2CoSimulation, guid, b"", SILENT, 0, 0)
            library.fmi2FreeInstance(instance)
        return allocated() - before

    growth(100)
    assert min(growth(2000) for _ in range(3)) < 2000, "bytes, less than one per instance"
    library.freeInstance()
