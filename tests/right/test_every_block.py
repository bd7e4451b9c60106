"""Every block of the library, as its documentation declares it: compiled whole, and as it is interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import specimen
from blockdyn.diagrams.model.errors import DiagramError

SHAPES = [(), (2,), (3,), (4,), (6,), (4, 4), (6, 6), (3, 3)]
TURN = [[0.8, -0.6, 0.0, 0.3], [0.48, 0.64, -0.6, -0.1], [0.36, 0.48, 0.8, 0.5], [0.0, 0.0, 0.0, 1.0]]
# a bus, a function of one's own, an end of a run, a part of a subsystem, a delay within limits, an FMU whose
# sample holds no library: elsewhere
ELSEWHERE = {
    "BusSelector", "Function", "SampledFunction", "Assert", "Inport", "Outport", "Enable", "Trigger",
    "Merge", "ForEach", "VariableTransportDelay", "BusAssignment", "While",
    "AlgebraicConstraint", "DescriptorIntegrator", "FMU",
}  # fmt: skip


def source(shape: tuple[int, ...]) -> bd.Block:
    """A signal of that shape: a wave, a pose where it can be one, a regular matrix."""
    if len(shape) < 2:
        count = np.arange(1.0, 1.0 + (shape[0] if shape else 1))
        given = 0.3 + 0.1 * count if shape else 0.4
        return bd.Sine(amplitude=given, frequency=1.3, phase=0.2, bias=0.05 * given)
    if shape == (4, 4):
        return bd.Constant(TURN)
    return bd.Constant(np.eye(*shape) + 0.1 * np.random.default_rng(3).standard_normal(shape))


def diagrams(block: bd.Block) -> Iterator[bd.Diagram]:
    """The block, its open sizes filled in every way that might be meant."""
    ports = block.input_ports()
    choices = [[port.fixed().shape] if port.fixed() else SHAPES for port in ports]
    for shapes in sorted(product(*choices), key=lambda shapes: len(set(shapes))):
        d = bd.Diagram(block.kind())
        d.add("block", block)
        for number, shape in enumerate(shapes):
            d.connect(d.add(f"in{number}", source(shape)), f"block[{number}]")
        yield d


def compiled(kind: str) -> bd.Diagram:
    block = specimen(library()[kind])
    for d in diagrams(block):
        try:
            d.compile()
        except DiagramError:
            continue
        return d
    raise AssertionError(f"{kind} takes none of the shapes tried")


SAMPLED = sorted(kind for kind, block in library().items() if block.sampled and kind not in ELSEWHERE)


@pytest.mark.parametrize("kind", SAMPLED)
def test_a_run_goes_on_where_another_ended_between_two_ticks(kind: str) -> None:
    """Inputs are functions of the time, so what a sampled block puts out is the same to the last bit."""
    d = compiled(kind)
    period = float(d.blocks["block"].sample_time)  # type: ignore[union-attr]
    times = np.array([1.6, 1.8, 2.2, 3.4]) * period  # ticks fall on 0, 1, 2 and 3 periods
    whole = d.simulate(times=times)
    first = d.simulate(stop=times[0])
    second = d.simulate(start=times[0], times=times, initial=first.final_states())
    for path in whole:
        np.testing.assert_array_equal(second.trace(path).values, whole.trace(path).values)
    for path, value in whole.final_states().items():
        np.testing.assert_array_equal(second.final_states()[path], value)


@pytest.mark.parametrize("kind", sorted(set(library()) - ELSEWHERE))
def test_compiled_as_interpreted(kind: str) -> None:
    """No function of the library falls back to Python, and both ways give the same signals."""
    d = compiled(kind)
    native, plain = (d.simulate(stop=0.15, compiled=how, every=0.05) for how in (True, False))
    assert [key for key in native.statistics if key.startswith("python")] == []
    for path in native:
        a, b = native.trace(path), plain.trace(path)
        np.testing.assert_allclose(a.time, b.time, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(a.values, b.values, rtol=1e-8, atol=1e-9)
