"""Attach formulas of measures to a copy of the diagram, one block each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...blocks.continuous.integrator import Integrator
from ...blocks.contract.block import Block
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.parameter_expression import expression
from ...blocks.mathematics.expression import Expression
from ...blocks.matrices.norm import Norm
from ...blocks.routing.outport import Outport
from ...blocks.routing.selector import Selector
from ...blocks.sources.constant import Constant
from ...diagrams.model.subsystem import Subsystem, copied
from ...diagrams.model.wire import End
from .declaration import Measure
from .signals import Signal
from .text import Formula, Parameter

if TYPE_CHECKING:
    from ...diagrams.model.diagram import Diagram

STEM = "measure"


class MeasuredDiagram:
    """A copy of a diagram, with blocks of measures; `logged` are the paths that it kept before."""

    def __init__(self, diagram: Diagram, logged: tuple[str, ...]) -> None:
        self.diagram = copied(diagram)
        self._logged = logged
        self._prepared: dict[object, str] = {}

    def formula(self, measure: Measure, formula: Formula) -> str:
        """The name of the block that computes a formula; measures with the same formula share one block.

        Raises SweepError.
        """
        key = (formula.text, *formula.inputs.items())
        if key not in self._prepared:
            try:
                block = Expression(formula=formula.text)
            except ParameterError as error:
                raise measure.wrong(f"`{measure.of}`: {error}") from None
            inputs = {name: self._source(measure, part) for name, part in formula.inputs.items()}
            self._prepared[key] = name = self._add(measure.name, block)
            for port, source in inputs.items():
                self.diagram.connect(source, f"{name}.{port}")
        return self._prepared[key]

    def integral(self, measure: Measure, formula: Formula) -> str:
        """The name of a block that integrates a formula from the start of the run."""
        key = ("integral", formula.text, *formula.inputs.items())
        if key not in self._prepared:
            integrand = self.formula(measure, formula)
            self._prepared[key] = name = self._add(f"{measure.name}_integral", Integrator())
            self.diagram.connect(integrand, name)
        return self._prepared[key]

    def difference(self, measure: Measure, first: Signal, second: Signal) -> str:
        """The name of a block that computes first - second."""
        return self.formula(measure, Formula("u0 - u1", {"u0": first, "u1": second}))

    def _source(self, measure: Measure, part: Signal | Parameter | Formula) -> str:
        """First part of a wire to a formula's input."""
        if isinstance(part, Formula):
            return self._norm(measure, part)
        if part not in self._prepared:
            if isinstance(part, Parameter):
                self._prepared[part] = self._add(part.name, Constant(value=expression(part.name)))
            elif part.index is None or not part.size.shape:
                self._prepared[part] = self._outside(part.path, part.port)
            else:
                self._prepared[part] = self._element(measure, part, part.index)
        return self._prepared[part]

    def _norm(self, measure: Measure, inner: Formula) -> str:
        key = ("norm", inner.text, *inner.inputs.items())
        if key not in self._prepared:
            inside = inner.alone
            source = self._source(measure, inside) if inside else self.formula(measure, inner)
            self._prepared[key] = self._add(f"{measure.name}_norm", Norm())
            self.diagram.connect(source, self._prepared[key])
        return self._prepared[key]

    def _element(self, measure: Measure, signal: Signal, index: int) -> str:
        shape = signal.size.shape
        if len(shape) == 1:
            picked = Selector(indices=index)
        else:
            picked = Selector(rows=index // shape[1], columns=index % shape[1])
        name = self._add(f"{measure.name}_element", picked)
        self.diagram.connect(self._outside(signal.path, signal.port), name)
        return name

    def _add(self, label: str, block: Block) -> str:
        self.diagram._logged = self._logged
        name = _free(f"{STEM}_{label}", self.diagram)
        self.diagram.add(name, block)
        return name

    def _outside(self, path: str, port: str) -> str:
        """The end of a wire of the outermost diagram that an output anywhere inside reaches."""
        *subsystems, block = path.split("/")
        chain = [self.diagram]
        for name in subsystems:
            inner = chain[-1].blocks[name]
            assert isinstance(inner, Subsystem)
            chain.append(inner.diagram)
        end = End(block, port)
        for inside, name in zip(reversed(chain[1:]), reversed(subsystems)):
            end = End(name, self._way_out(inside, end))
        return str(end)

    def _way_out(self, inside: Diagram, end: End) -> str:
        """The port by which an output leaves a subsystem's diagram."""
        key = (id(inside), end)
        if key not in self._prepared:
            name_only_outputs(self.diagram, inside)
            self._prepared[key] = name = _free(f"{STEM}_{end.block}", inside)
            inside.add(name, Outport())
            inside.connect(str(end), name)
        return self._prepared[key]


def _free(name: str, diagram: Diagram) -> str:
    """The name, with a number if the diagram already has it."""
    number, free = 1, name
    while free in diagram or free in diagram.signals:
        number += 1
        free = f"{name}{number}"
    return free


def name_only_outputs(diagram: Diagram, inside: Diagram) -> None:
    """Name the port wherever a wire or a named signal begins with the only output of a subsystem of `inside`:
    it will no longer be the only one.
    """
    outputs = Subsystem(inside).output_ports()
    if len(outputs) != 1:
        return
    port = outputs[0].name
    for around in diagrams_of(diagram):
        ours = {name for name, b in around.blocks.items() if isinstance(b, Subsystem) and b.diagram is inside}
        for i, wire in enumerate(around._wires):
            if wire.source.block in ours and wire.source.port is None:
                around._wires[i] = replace(wire, source=End(wire.source.block, port))
        for name, end in around._signals.items():
            if end.block in ours and end.port is None:
                around._signals[name] = End(end.block, port)


def diagrams_of(diagram: Diagram) -> list[Diagram]:
    """A diagram and all its subsystems, each once."""
    diagrams = [diagram]
    for each in diagrams:
        for block in each.blocks.values():
            if isinstance(block, Subsystem) and all(block.diagram is not other for other in diagrams):
                diagrams.append(block.diagram)
    return diagrams
