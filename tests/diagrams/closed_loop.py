"""A closed loop inside a subsystem, all of it right, for tests that put one mistake into it."""

from __future__ import annotations

from blockdyn.base.location import Location
from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.inport import Inport
from blockdyn.blocks.routing.outport import Outport
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model.diagram import Diagram
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
