"""A closed loop inside a subsystem, all of it right, for tests that put one mistake into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from blockdyn.base.errors import BlockdynError
from blockdyn.base.location import Location
from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.inport import Inport
from blockdyn.blocks.routing.outport import Outport
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.diagram_error import DiagramError
from blockdyn.diagrams.model.flatten import flatten
from blockdyn.diagrams.model.subsystem import Subsystem

HERE = Location("loop.yaml", 12, 5)
AT = "loop.yaml:12:5"


def loop() -> Diagram:
    """A closed loop inside subsystem `plant`, all of it right."""
    plant = Diagram("plant", {"gain": 2.0})
    plant.add("force", Inport(), at=HERE)
    plant.add("error", Sum(signs="+-"), at=HERE)
    plant.add("arm", Integrator(), at=HERE)
    plant.add("speed", Outport(), at=HERE)
    plant.connect("force", "error[0]", at=HERE)
    plant.connect("arm", "error.u1", at=HERE)
    plant.connect("error", "arm", "speed", at=HERE)
    diagram = Diagram("loop", {"kp": 1.0, "ki": 2.0})
    diagram.add("reference", Constant(), at=HERE)
    diagram.add("control", Gain(k=expression("kp")), at=HERE)
    diagram.add("plant", plant, at=HERE)
    diagram.connect("reference", "control", "plant", at=HERE)
    return diagram


def inner(diagram: Diagram) -> Diagram:
    block = diagram.blocks["plant"]
    assert isinstance(block, Subsystem)
    return block.diagram


def require_error(
    spoil: Callable[[Diagram], object], kind: type[BlockdynError], fragments: Sequence[str]
) -> None:
    """A mistake in the loop raises this error, with its place and these parts of its message."""
    diagram = loop()

    def run() -> None:
        spoil(diagram)
        flatten(diagram)

    with pytest.raises(kind) as caught:
        run()
    message = str(caught.value)
    assert type(caught.value) is kind
    assert [part for part in fragments if part not in message] == [], message
    if AT in fragments:
        assert isinstance(caught.value, DiagramError)
        assert (caught.value.file, caught.value.line, caught.value.column) == ("loop.yaml", 12, 5)
