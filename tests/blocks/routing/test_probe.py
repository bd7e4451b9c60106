"""Probe: sizes of scalars, vectors, matrices and buses, as numbers, without feedthrough."""

from __future__ import annotations

import pytest

import blockdyn as bd


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("value", "size"),
    [(2.0, (1, 1, 1)), ([1.0, 2.0, 3.0], (3, 3, 1)), ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], (6, 3, 2))],
)
def test_the_size_of_a_signal(value: object, size: tuple[int, ...], compiled: bool) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(value)), d.add("probe", bd.Probe()))  # type: ignore[arg-type]
    r = d.simulate(stop=0.1, compiled=compiled)
    assert [r.final(f"probe.{port}") for port in ("width", "rows", "columns")] == list(size)


def test_a_bus_has_the_rows_of_its_fields() -> None:
    d = bd.Diagram()
    d.add("bus", bd.BusCreator(["speed", "place"]))
    d.connect(d.add("v", bd.Constant(1.0)), "bus.speed")
    d.connect(d.add("p", bd.Constant([1.0, 2.0])), "bus.place")
    d.connect("bus", d.add("probe", bd.Probe()))
    assert d.simulate(stop=0.1).final("probe.width") == 3


def test_a_mean_is_a_sum_over_the_width_and_no_loop_goes_through_it() -> None:
    d = bd.Diagram()
    u = d.add("u", bd.Constant([1.0, 2.0, 6.0]))
    d.connect(u, d.add("sum", bd.SumOfElements()))
    mean = d.add("mean", bd.Product("*/"))
    d.connect("sum", mean[0])
    d.connect(d.add("probe", bd.Probe())["width"], mean[1])
    d.connect(mean, d.add("same", bd.Repeat(3)), "probe")  # the size of what is computed from the size
    assert d.simulate(stop=0.1).final("mean") == 3.0
