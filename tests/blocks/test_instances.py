"""Instances of something foreign: made for a run or a scenario, and released however that ends."""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
import threading
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import BlockError
from blockdyn.diagrams.model.run_errors import (
    BlockFailed,
    InstanceFailed,
    ReleaseWarning,
    RunError,
    TimeLimit,
)
from blockdyn.sweeps.store.part import OUTCOMES
from blockdyn.sweeps.sweep import Sweep

libm = ctypes.CDLL(ctypes.util.find_library("m") or ctypes.util.find_library("msvcrt"))
libm.modf.restype, libm.modf.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_void_p]


def through(block: bd.Block, *factors: float) -> bd.Diagram:
    diagram = bd.Diagram("through")
    gain = bd.Gain(list(factors) if len(factors) > 1 else next(iter(factors)))
    diagram.connect(diagram.add("time", bd.Clock()), diagram.add("k", gain), diagram.add("f", block))
    diagram.connect("f", diagram.add("x", bd.Integrator([0.0] * len(factors) if len(factors) > 1 else 0.0)))
    return diagram


def outcomes(sweep: Sweep) -> list[str]:
    return [OUTCOMES[k] for k in sweep.run(progress=False).dataset["outcome"].values]


class Counted:
    """Doubles in memory, each the state of something foreign, counted."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.begin()

    def begin(self) -> None:
        self.alive: dict[int, Any] = {}
        self.made = self.most = 0

    def create(self) -> int:
        room = (ctypes.c_double * 1)()
        with self.lock:
            self.alive[ctypes.addressof(room)] = room
            self.made += 1
            self.most = max(self.most, len(self.alive))
        return ctypes.addressof(room)

    def release(self, handle: int) -> None:
        with self.lock:
            del self.alive[handle]


COUNTED = Counted()


@pytest.fixture
def counted() -> Iterator[Counted]:
    COUNTED.begin()
    yield COUNTED
    gc.collect()
    assert COUNTED.alive == {}


class Fraction(bd.Block):
    """y = u - floor(u) for u > 0, by modf, which leaves the whole part in the run's instance."""

    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = (bd.Port("y", 1),)
    output = staticmethod(bd.Foreign(libm.modf, "u", "whole"))

    def memory(self) -> dict[str, Any]:
        return {"whole": bd.Instance(COUNTED.create, COUNTED.release)}


class Whole(Fraction):
    """The whole part, as modf has left it; fails behind `last`, or as somebody presses Ctrl-C."""

    last: bd.Real = bd.parameter(default=100.0)
    how: str = bd.option(default="")

    def functions(self) -> dict[str, Any]:
        how = self.how

        def output(u: float, whole: int, last: float) -> float:
            part = ctypes.c_double.from_address(whole)
            if u > last:
                raise KeyboardInterrupt if how == "interrupt" else ValueError("enough")
            libm.modf(u, ctypes.byref(part))
            return part.value

        return {"output": output}


@pytest.mark.parametrize("compiled", [True, False])
def test_an_instance_is_made_for_a_run_and_released(compiled: bool, counted: Counted) -> None:
    program = through(Fraction(), 1.0).compile()
    for run in range(3):
        result = program.simulate(times=[0.25, 1.5, 2.75], stop=3.0, compiled=compiled, log=["f"])
        assert result["f"].values.tolist() == [0.25, 0.5, 0.75]
        assert (counted.made, counted.alive) == (run + 1, {})
    program = through(Whole(), 1.0).compile()
    result = program.simulate(times=[1.5, 2.75], stop=3.0, compiled=compiled, log=["f"])
    assert result["f"].values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("compiled", [True, False])
def test_instances_are_released_after_failures(compiled: bool, counted: Counted) -> None:
    with pytest.raises(BlockFailed, match="enough"):
        through(Whole(last=0.5), 1.0).simulate(stop=3.0, compiled=compiled)
    assert (counted.made, counted.alive) == (1, {})
    result = through(Whole(last=0.5, how="interrupt"), 1.0).simulate(stop=3.0, compiled=compiled)
    assert not result.complete
    assert (counted.made, counted.alive) == (2, {})
    with pytest.raises(TimeLimit):
        through(Fraction(), 1.0).simulate(
            stop=1e6, times=[0.0], max_step=1e-3, max_time=0.2, compiled=compiled
        )
    assert (counted.made, counted.alive) == (3, {})


class Broken(Fraction):
    """A block whose instance cannot be made, or not be released."""

    where: str = bd.option(default="create")

    def memory(self) -> dict[str, Any]:
        def refuse(*handle: int) -> int:
            raise OSError("no licence")

        if self.where == "create":
            return {"whole": bd.Instance(refuse, COUNTED.release)}

        def release(handle: int) -> None:
            COUNTED.release(handle)
            refuse()

        return {"whole": bd.Instance(COUNTED.create, release)}


def two(where: str) -> bd.Diagram:
    diagram = bd.Diagram("two")
    time = diagram.add("time", bd.Clock())
    diagram.connect(time, diagram.add("a", Fraction()))
    diagram.connect(time, diagram.add("b", Broken(where=where)))
    return diagram


def test_what_cannot_be_made_is_told(counted: Counted) -> None:
    """The block's path, its instance, what it raised; what others have made by then is released."""
    diagram = two("create")
    with pytest.raises(
        InstanceFailed, match=r"b: `create` of its Instance `whole` raised OSError: no licence"
    ):
        diagram.simulate(stop=1.0)
    assert (counted.made, counted.alive) == (1, {})
    sweep = Sweep(diagram, {"simulate.stop": [1.0, 2.0]}, {"last": {"final": "a"}})
    assert outcomes(sweep) == ["failed", "failed"]


@pytest.mark.filterwarnings("default::blockdyn.diagrams.model.run_errors.ReleaseWarning")
def test_what_cannot_be_released_leaves_the_result(counted: Counted) -> None:
    diagram = two("release")
    with pytest.warns(
        ReleaseWarning, match=r"b: `release` of its Instance `whole` raised OSError: no licence"
    ):
        result = diagram.simulate(stop=1.75)
    assert result.complete
    assert result.final("a") == 0.75
    assert (counted.made, counted.alive) == (2, {})
    for compiled in (True, False):
        axes = {"simulate.stop": [1.25, 2.5]}
        sweep = Sweep(diagram, axes, {"last": {"final": "a"}}, compiled=compiled)
        with pytest.warns(ReleaseWarning):
            ensemble = sweep.run(progress=False)
        assert ensemble["last"].tolist() == [0.25, 0.5]
        assert set(ensemble.dataset["outcome"].values) == {OUTCOMES.index("complete")}


@pytest.mark.parametrize(
    ("create", "release", "wrong"),
    [(3, 4, "create is 3"), (len, print, "create is"), (lambda: 1, 4, "release is 4"),
     (lambda: 1, lambda: None, "release is")],
)  # fmt: skip
def test_an_instance_is_made_of_two_functions(create: Any, release: Any, wrong: str) -> None:
    with pytest.raises(BlockError, match=rf"Instance: {wrong}(.|\n)*expected: a function"):
        bd.Instance(create, release)


@pytest.mark.parametrize("kind", [Fraction, Whole])
def test_every_scenario_has_an_instance_of_its_own(kind: type[Fraction], counted: Counted) -> None:
    """In machine code on four threads, and from Python; also with rows that are kept, in a second run."""
    axes = {"k.k": {"linspace": [0.5, 3.0, 11]}}
    sweep = Sweep(
        through(kind(), 1.0),
        axes,
        {"last": {"final": "f"}},
        stop=1.25,
        keep={"signals": ["f"], "every": 0.25},
    )
    found = sweep.run(workers=4, progress=False).dataset
    u = 1.25 * found["k.k"].values
    assert found["last"].values == pytest.approx(np.floor(u) if kind is Whole else u - np.floor(u), abs=1e-12)
    assert counted.made == 22
    assert counted.most <= 4
    assert counted.alive == {}


def test_a_failing_scenario_releases_its_instance(counted: Counted) -> None:
    sweep = Sweep(
        through(Whole(), 1.0), {"f.last": {"values": [0.5, 10.0, 0.7]}}, {"last": {"final": "f"}}, stop=1.25
    )
    assert outcomes(sweep) == ["failed", "complete", "failed"]
    assert (counted.made, counted.alive) == (3, {})


def test_a_program_as_a_function_releases_with_itself(counted: Counted) -> None:
    program = through(Fraction(), 1.0).compile()
    assert [program.derivative(t).tolist() for t in (0.25, 1.5)] == [[0.25], [0.5]]
    assert counted.made == 1
    assert len(counted.alive) == 1
    del program
    gc.collect()
    assert counted.alive == {}


def test_a_handle_is_an_integer() -> None:
    class Half(Fraction):
        def memory(self) -> dict[str, Any]:
            return {"whole": bd.Instance(lambda: 0.5, lambda handle: None)}  # type: ignore[arg-type,return-value]

    with pytest.raises(RunError, match=r"f: `create` of its Instance `whole` gave 0\.5\nexpected: a handle"):
        through(Half(), 1.0).simulate(stop=1.0)
