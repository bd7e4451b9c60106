"""A diagram with a ForEach block is expanded into its copies, one for each element of its inputs."""

from __future__ import annotations

import numpy as np

from ...base.words import nearest
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.parameter_expression import expression
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.switching.for_each import ForEach
from ...blocks.switching.parts import AllOfEach, PartOfEach
from .diagram import Diagram
from .errors import BadParameter
from .subsystem import Subsystem, conditions
from .values import Number


class Copy(Subsystem):
    """The subsystem of one element."""

    __slots__ = ("each", "index")

    def __init__(self, diagram: Diagram, index: int, each: ForEach) -> None:
        super().__init__(diagram, **{name: expression(name) for name in diagram.parameters})
        self.index = index
        self.each = each

    def part(self, path: str, name: str, number: Number) -> Number:
        """The parameter of this element: its part of the parameter if this is split.

        Raises BadParameter if there are not as many parts as elements.
        """
        if name not in self.each.split:
            return number
        count, numbers = self.each.count, np.asarray(number)
        if numbers.shape[:1] != (count,):
            expected = f"a vector of {count} elements, or a matrix of as many rows, since it is split"
            subsystem = path.rpartition("/")[0]
            raise BadParameter(subsystem, name, ParameterError("Subsystem", name, number, expected))
        part = numbers[self.index]
        return float(part) if part.ndim == 0 else part


def each_of(diagram: Diagram) -> tuple[str, ForEach] | None:
    """The name of a diagram's ForEach block, and the block."""
    return next(((name, block) for name, block in diagram.blocks.items() if isinstance(block, ForEach)), None)


def opened(subsystem: Subsystem) -> Diagram:
    """The diagram inside a subsystem; with a ForEach its copies, wired to its ports. Raises BadParameter."""
    inner = subsystem.diagram
    each = each_of(inner)
    if each is None or isinstance(subsystem, Copy):
        return inner
    name, block = each
    _check(inner, name, block)
    outer = Diagram(inner.name)
    outer.location = inner.location
    outer.rules = {key: rule for key, rule in inner.rules.items() if key not in block.split}
    for key, value in inner.parameters.items():
        outer.parameter(key, value, at=inner.parameter_locations.get(key))
    copies = [f"each_{i}" for i in range(block.count)]
    for i, copy in enumerate(copies):
        outer.add(copy, Copy(inner, i, block), at=inner.locations.get(name))
    gates = {key: gate for key, gate in inner.blocks.items() if isinstance(gate, (Inport, Outport))}
    for key, gate in (gates | dict.fromkeys(conditions(inner), Inport())).items():
        at = inner.locations.get(key)
        outer.add(key, gate, at=at)
        if isinstance(gate, Outport):
            outer.add(f"{key}_all", AllOfEach(block.count), at=at)
            for i, copy in enumerate(copies):
                outer.connect(f"{copy}.{key}", f"{key}_all[{i}]", at=at)
            outer.connect(f"{key}_all", key, at=at)
        elif key in block.shared or key not in gates:
            outer.connect(key, [f"{copy}.{key}" for copy in copies], at=at)
        else:
            for i, copy in enumerate(copies):
                outer.add(f"{key}_{i}", PartOfEach(block.count, i), at=at)
                outer.connect(key, f"{key}_{i}", f"{copy}.{key}", at=at)
    return outer


def _check(diagram: Diagram, name: str, block: ForEach) -> None:
    """Raise BadParameter for names in `shared` and `split` that the diagram does not have."""
    inports = [key for key, gate in diagram.blocks.items() if isinstance(gate, Inport)]
    at = diagram.locations.get(name)
    for option, known in (("shared", inports), ("split", list(diagram.parameters))):
        for each in getattr(block, option):
            if each not in known:
                expected = f"names of {', '.join(known) or 'none'}{nearest(each, known)}"
                error = ParameterError("ForEach", option, each, expected)
                raise BadParameter(name, option, error, location=at)
