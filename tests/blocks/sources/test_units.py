"""Sources say in what unit their output is; what follows of them is known from it."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import block_type, library
from blockdyn.cli.specimen import SAMPLES
from blockdyn.diagrams.yaml import dumps, loads

SOURCES = [
    name for name, kind in library().items() if kind.__module__.rpartition(".")[0].endswith(".sources")
]
NEEDED: dict[str, dict[str, object]] = {
    "FromFile": {"file": SAMPLES / "wind.csv", "columns": "east"},
    "PiecewiseConstant": {"times": [0.0, 1.0], "values": [1.0, 2.0]},
    "PiecewiseLinear": {"times": [0.0, 1.0], "values": [1.0, 2.0]},
    "Recorded": {"run": SAMPLES / "run.csv", "signal": "wave"},
    "RepeatingSequence": {"times": [0.0, 1.0], "values": [1.0, 2.0]},
    "RepeatingStair": {"values": [1.0, 2.0]},
    "Table": {"times": [0.0, 1.0], "values": [1.0, 2.0]},
}


def made(name: str, unit: str) -> bd.Block:
    return block_type(name)(**NEEDED.get(name, {}), unit=unit)


@pytest.mark.parametrize("name", [name for name in SOURCES if name != "Clock"])
def test_the_unit_of_a_source_is_that_of_its_trace_and_of_what_is_integrated(name: str) -> None:
    d = bd.Diagram("d")
    d.connect(d.add("u", made(name, "m/s")), d.add("x", bd.Integrator()))
    for diagram in (d, loads(dumps(d), trust="files")):
        result = diagram.simulate(stop=1.0, max_step=0.1)
        assert result["u"].attrs["units"] == "m/s"
        assert result["x"].attrs["units"] == "m"
    assert "unit: m/s" in dumps(d)


def test_sources_without_it_say_nothing() -> None:
    d = bd.Diagram("d")
    d.add("u", bd.Sine())
    assert d.simulate(stop=1.0)["u"].attrs["units"] == ""


def test_elements_have_units_of_their_own_and_a_sum_with_another_one_is_told() -> None:
    d = bd.Diagram("d")
    d.add("place", bd.Constant([1.0, 2.0], unit="rad, m"))
    d.add("other", bd.Constant([1.0, 2.0], unit="rad, rad"))
    d.add("sum", bd.Sum())
    d.connect("place", "sum[0]")
    d.connect("other", "sum[1]")
    result = d.simulate(stop=1.0)
    assert result["place"].attrs["units"] == "rad, m"
    assert result["sum"].attrs["units"] in ("rad, ", "rad,")


@pytest.mark.parametrize("wrong", [3, True, ["m"], None])
def test_a_unit_is_text(wrong: object) -> None:
    with pytest.raises(bd.ParameterError, match=r"Sine\.unit"):
        bd.Sine(unit=wrong)  # type: ignore[arg-type]
    with pytest.raises(bd.BlockdynError, match=r"u\.unit is .*\nexpected: text"):
        loads("blockdyn: 1\nblocks: {u: {type: Sine, unit: 3}}\n")


def law(**units: str) -> dict[str, str]:
    """The units of error, gain and law where a proportional law drives what takes N m."""
    d = bd.Diagram("d")
    d.add("angle", bd.Constant(0.1, unit="rad"))
    d.add("kp", bd.Gain(40.0, **units))
    d.add("sum", bd.Sum())
    d.add("load", bd.Constant(1.0, unit="N m"))
    d.connect("angle", "kp", "sum[0]")
    d.connect("load", "sum[1]")
    result = d.simulate(stop=1.0)
    return {name: result[name].attrs["units"] for name in ("angle", "kp", "sum")}


def test_a_gain_that_says_its_unit_and_one_that_hides_it() -> None:
    """A torque proportional to an angle: N m where it is said; where it is not, no wrong unit."""
    assert law(unit="N m") == {"angle": "rad", "kp": "N m", "sum": "N m"}
    assert law() == {"angle": "rad", "kp": "", "sum": "N m"}
