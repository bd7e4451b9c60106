"""What blocks own in a run: arrays that are its own, instances of something foreign, functions in C."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import threading
from typing import Any, ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import DeclarationError
from blockdyn.sweeps.sweep import Sweep

libm = ctypes.CDLL(ctypes.util.find_library("m") or ctypes.util.find_library("msvcrt"))
libc = ctypes.CDLL(ctypes.util.find_library("c") or ctypes.util.find_library("msvcrt"))
libm.cos.restype, libm.cos.argtypes = ctypes.c_double, [ctypes.c_double]


class Delay(bd.Block):
    """y_k = u_(k - length): a ring of samples, of which each tick writes one."""

    inputs: ClassVar = (bd.Port("u", 1),)
    outputs: ClassVar = (bd.Port("y", 1),)
    sampled: ClassVar = True

    length: int = bd.option(default=5)
    before: bd.Real = bd.parameter(default=0.0)
    sample_time: bd.Real = bd.parameter(default=0.125)
    offset: bd.Real = bd.parameter(default=0.0)

    def memory(self) -> dict[str, Any]:
        return {"ring": np.full(self.length, self.before), "place": np.zeros(1)}

    @staticmethod
    def output(ring: np.ndarray, place: np.ndarray) -> float:
        return ring[int(place[0])]

    @staticmethod
    def update(u: float, ring: np.ndarray, place: np.ndarray) -> None:
        ring[int(place[0])] = u
        place[0] = (place[0] + 1) % ring.shape[0]


NAMES = {"turned": 1}


class DelayInPython(Delay):
    """The same; numba does not take its `update`."""

    @staticmethod
    def update(u: float, ring: np.ndarray, place: np.ndarray) -> None:
        setattr(threading.local(), "_".join(NAMES), u)
        ring[int(place[0])] = u
        place[0] = (place[0] + 1) % ring.shape[0]


def delayed(kind: type[Delay] = Delay, **options: Any) -> bd.Diagram:
    diagram = bd.Diagram("delayed")
    diagram.connect(diagram.add("time", bd.Clock()), diagram.add("delay", kind(**options)))
    diagram.connect("time", diagram.add("x", bd.Integrator()))
    return diagram


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("kind", [Delay, DelayInPython])
@pytest.mark.parametrize("length", [1, 7])
def test_a_ring_of_samples_is_a_delay(kind: type[Delay], length: int, compiled: bool) -> None:
    """Sample k is that of tick k - N, before it what the ring began with; the second run begins anew."""
    program = delayed(kind, length=length, before=-1.0).compile()
    k = np.arange(17)
    for _ in range(2):
        samples = program.simulate(stop=2.0, compiled=compiled, log=["delay"])["delay"].values
        assert np.array_equal(samples, np.where(k < length, -1.0, 0.125 * (k - length)))


def test_every_scenario_has_a_ring_of_its_own() -> None:
    """On four threads: each begins with its own first value; another length is another program."""
    axes = {"delay.before": {"values": list(np.linspace(1.0, 2.0, 40))}, "delay.length": {"values": [3, 16]}}
    sweep = Sweep(delayed(), axes, {"sum": {"integral": "delay"}, "last": {"final": "delay"}}, stop=2.0)
    found = sweep.run(workers=4, progress=False).dataset
    for before, length, total, last in zip(
        *map(np.ravel, np.meshgrid(found["delay.before"], found["delay.length"], indexing="ij")),
        np.ravel(found["sum"]), np.ravel(found["last"]),
    ):  # fmt: skip
        ring = [before] * int(length) + [0.125 * k for k in range(17)]
        assert last == ring[16]
        assert total == pytest.approx(0.125 * sum(ring[:16]), rel=1e-12)


class Cosine(bd.Block):
    """y = cos(u), by the C library."""

    inputs: ClassVar = (bd.Port("u"),)
    elementwise: ClassVar = True
    output = staticmethod(bd.Foreign(libm.cos, "u"))


class Sine(bd.Block):
    """y = sin(u), by the C library."""

    inputs: ClassVar = (bd.Port("u"),)
    elementwise: ClassVar = True
    output = staticmethod(bd.Foreign(libm.sin, "u"))


def through(block: bd.Block, *factors: float) -> bd.Diagram:
    diagram = bd.Diagram("through")
    gain = bd.Gain(list(factors) if len(factors) > 1 else next(iter(factors)))
    diagram.connect(diagram.add("time", bd.Clock()), diagram.add("k", gain), diagram.add("f", block))
    diagram.connect("f", diagram.add("x", bd.Integrator([0.0] * len(factors) if len(factors) > 1 else 0.0)))
    return diagram


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("count", [1, 3, 40])
def test_a_function_in_c_by_its_address_gives_the_bits_of_c(count: int, compiled: bool) -> None:
    """Scalars, vectors written out and vectors in loops: y = cos(k t), and its integral sin(k t) / k."""
    factors = np.linspace(1.0, 2.0, count)
    diagram = through(Cosine(), *factors)
    result = diagram.simulate(stop=1.0, compiled=compiled, rtol=1e-9, atol=1e-12, log=["f", "k"])
    angles, cosines = np.ravel(result["k"].values), np.ravel(result["f"].values)
    assert cosines.tolist() == [libm.cos(angle) for angle in angles.tolist()]
    assert np.ravel(result.final_states()["x.x"]) == pytest.approx(np.sin(factors) / factors, rel=1e-8)


def test_machine_code_does_not_hold_the_address() -> None:
    """So that the store has it for other processes, in which the library lies elsewhere."""
    cosine, sine = through(Cosine(), 1.0).compile(), through(Sine(), 1.0).compile()
    assert cosine.text.text == sine.text.text
    assert cosine.simulate(stop=1.0, rtol=1e-9).final("x") == pytest.approx(math.sin(1.0), rel=1e-8)
    assert sine.simulate(stop=1.0, rtol=1e-9).final("x") == pytest.approx(1.0 - math.cos(1.0), rel=1e-8)
    assert sine.derivative(0.5, {"x.x": 0.0}).tolist() == [math.sin(0.5)]


def test_functions_in_c_run_on_threads() -> None:
    axes = {"k.k": {"linspace": [1.0, 2.0, 50]}}
    sweep = Sweep(through(Cosine(), 1.0), axes, {"x": {"final": "x"}}, stop=1.0)
    found = sweep.run(workers=4, progress=False).dataset
    assert sweep.task.parallel
    assert found["x"].values == pytest.approx(np.sin(found["k.k"]) / found["k.k"], rel=1e-5)


class Copy(bd.Block):
    """y = u by memcpy(y, u, 24): arrays as they lie in memory, and an integer that stands for a handle."""

    inputs: ClassVar = (bd.Port("u", 3),)
    outputs: ClassVar = (bd.Port("y", 3),)
    output = staticmethod(bd.Foreign(libc.memcpy, "y", "u", "size"))

    def memory(self) -> dict[str, Any]:
        return {"size": bd.Instance(lambda: 24, lambda handle: None)}


@pytest.mark.parametrize("compiled", [True, False])
def test_arrays_go_to_c_by_their_address(compiled: bool) -> None:
    result = through(Copy(), 1.0, 2.0, 3.0).simulate(stop=1.0, compiled=compiled, log=["f"])
    assert np.asarray(result.final("f")).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("wrong", [None, 0, "cos", math.cos, 2.5])
def test_what_is_no_compiled_function_is_refused(wrong: Any) -> None:
    with pytest.raises(bd.BlockError, match="not a compiled function"):
        bd.Foreign(wrong, "u")


def test_what_a_function_in_c_cannot_be_given_is_refused() -> None:
    with pytest.raises(bd.BlockError, match="names"):
        bd.Foreign(libm.cos, "lambda")
    single = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_float)(lambda u: u)
    with pytest.raises(bd.BlockError, match="takes c_float for `u`"):
        bd.Foreign(single, "u")


@pytest.mark.parametrize(
    ("memory", "told"),
    [
        ([1.0], "memory"),
        ({"u": np.zeros(3)}, "'u' is something else already"),
        ({"ring": "text"}, "'ring' is 'text'"),
        ({"ring": 1.0}, "'ring' is 1.0"),
        ({"t": np.zeros(3)}, "the name `t`, which is reserved"),
        ({"a b": np.zeros(3)}, "the name 'a b'"),
        ({3: np.zeros(3)}, "the name 3"),
    ],
)
def test_what_is_no_memory_is_refused_when_a_block_is_made(memory: Any, told: str) -> None:
    class Wrong(bd.Block):
        inputs: ClassVar = (bd.Port("u", 1),)
        outputs: ClassVar = (bd.Port("y", 1),)

        def memory(self) -> Any:
            return memory

        @staticmethod
        def output(u: float) -> float:
            return u

    with pytest.raises(DeclarationError, match=told):
        Wrong()
