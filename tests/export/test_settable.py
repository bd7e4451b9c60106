"""Numbers that blocks compute from parameters follow them in an export, bit by bit."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.export.fmu.content import Content
from blockdyn.export.fmu.export import export_of
from blockdyn.export.image import image_of
from blockdyn.native.engine import load_object, object_of
from blockdyn.solvers.fields import Integers

from .units import RUNS_HERE, Unit

GALLERY = Path(__file__).parents[2] / "diagrams/gallery"
NAMES = (
    "backing-up", "cruise-gears", "quadrotor-corke", "weak-motor", "two-tanks", "series-elastic",
    "position-loop", "touch-down", "kalman-cart", "pursuit",
)  # fmt: skip


def lag() -> bd.Diagram:
    """A lag and a gain of two parameters: T dx/dt = -x + u, y = (K / T) x, in a subsystem with u = 2 K."""
    inner = bd.Diagram("inner", parameters={"K": 1.0, "T": 0.5})
    u = inner.add("u", bd.Inport())
    inner.connect(
        u,
        inner.add("lag", bd.TransferFunction([1.0], [bd.expression("T"), 1.0])),
        inner.add("scale", bd.Gain(bd.expression("K / T"))),
        inner.add("y", bd.Outport()),
    )
    d = bd.Diagram("outer", parameters={"K": 3.0, "slow": 0.25})
    unit = d.add("part", bd.Subsystem(inner, K=bd.expression("K"), T=bd.expression("2 * slow")))
    source = d.add("source", bd.Constant(bd.expression("2 * K")))
    d.connect(source, unit, d.add("y", bd.Outport()))
    d.settings(stop=1.0, method="dopri5")
    return d


class Words:
    """The words of an export's run for values by path: written by its code, and of the diagram itself."""

    def __init__(self, diagram: bd.Diagram) -> None:
        self.content = Content(export_of(diagram, {}, {}, {}))
        self.settings = self.content._settings
        text = self.content.settable.code("compute", self.content.number_places, "")
        self.code = load_object(object_of(text, [], ["compute"]), ["compute"])
        self.compute = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(self.code.addresses["compute"])
        self.start = image_of(self.content.run, self.content.more).words

    def written(self, values: Mapping[str, float]) -> Integers:
        words = self.start.copy()
        for setting in self.settings:
            value = np.float64(values.get(setting.path, setting.value))
            words[[self.content.number_places[setting.path], *setting.words]] = value.view(np.int64)
        assert self.compute(words.ctypes.data) == 0
        return words[: words.size - self.content.more.size]

    def compare(self, values: Mapping[str, float]) -> None:
        """Compare all words but addresses, which depend on what lies between."""
        addresses = image_of(self.content.run).addresses
        written, expected = (np.delete(x, addresses) for x in (self.written(values), self.of_diagram(values)))
        np.testing.assert_array_equal(written, expected, str(values))

    def of_diagram(self, values: Mapping[str, float]) -> Integers:
        words = self.content.settable._words_of(values)
        assert words is not None
        return words


@pytest.mark.parametrize("name", NAMES)
def test_every_settable_number_gives_the_words_of_the_diagram(name: str) -> None:
    """A run is a function of its words alone. Every number changes by itself, by a part of its value."""
    words = Words(bd.load(GALLERY / f"{name}.yaml"))
    random = np.random.default_rng(7)
    for setting in words.settings:
        factor = random.uniform(0.7, 1.0)
        value = setting.value * factor if setting.value else 0.01 * factor
        expected = words.content.settable._words_of({setting.path: value})
        if expected is not None:  # the diagram takes it
            words.compare({setting.path: value})


def test_expressions_lead_through_subsystems_into_computed_numbers() -> None:
    words = Words(lag())
    assert {setting.path for setting in words.settings} >= {"K", "slow"}
    for values in ({"K": 0.7}, {"slow": 0.1}, {"K": -2.5, "slow": 1.0 / 3.0}):
        words.compare(values)


@RUNS_HERE
@pytest.mark.xdist_group("fmu")
def test_an_fmu_runs_as_the_diagram_with_these_parameters(tmp_path: Path) -> None:
    unit = Unit(lag().export_fmu(tmp_path / "lag.fmu").file, tmp_path)
    values = {"K": -2.5, "slow": 1.0 / 3.0}
    instance = unit.begun(**values)
    instance.doStep(currentCommunicationPoint=0.0, communicationStepSize=1.0)
    assert unit.get(instance, "y", "K") == [lag().simulate(parameters=values).final("y"), -2.5]
    unit.set(instance, slow=0.25)  # during the run, from the next step on
    instance.doStep(currentCommunicationPoint=1.0, communicationStepSize=1.0)
    assert unit.get(instance, "slow") == [0.25]
    instance.freeInstance()
