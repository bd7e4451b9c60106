"""BLOCKDYN: any block of blockdyn's library in a diagram of bdsim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bdsim.components import ContinuousBlock

from blockdyn import Diagram, Inport, Outport
from blockdyn.blocks.contract.registry import block_type
from blockdyn.blocks.contract.wiring import Wiring
from blockdyn.interop.bdsim.values import reaches


class Blockdyn(ContinuousBlock):  # type: ignore[misc]
    """A block of blockdyn's library, by its name and parameters.

    In bdsim's own runs it computes its outputs and slopes at each call, in machine code: modes are those in
    which a run would begin there, states do not jump, and clocks do not tick. In `from_bdsim(bd).simulate` it
    is the block itself, with its events.
    """

    def __init__(
        self, type: str, parameters: dict[str, Any] | None = None, sizes: Sequence[Any] = (), **blockargs: Any
    ) -> None:
        """
        :param type: the name of the block, as `blockdyn blocks` lists them
        :type type: str
        :param parameters: its parameters by name
        :type parameters: dict, optional
        :param sizes: the sizes of its inputs, a number each where they are not given
        :type sizes: list, optional
        """
        self.native = block_type(type)(**(parameters or {}))
        inputs = [port for port in self.native.input_ports() if port.default is None]
        outputs = self.native.output_ports()
        diagram = Diagram("block")
        diagram.add("block", self.native)
        for k, port in enumerate(inputs):
            size = sizes[k] if k < len(sizes) else (1 if port.fixed() is None else None)
            diagram.connect(diagram.add(f"u{k}", Inport(size=size)), f"block.{port.name}")
        for k, port in enumerate(outputs):
            diagram.connect(f"block.{port.name}", diagram.add(f"y{k}", Outport()))
        self.program = diagram.compile()
        width = sum(int(np.prod(state.shape)) for state in self.program.states)
        direct = isinstance(self.native, Wiring) or reaches(self.native)
        kind = {} if width else {"blockclass": "function" if inputs else "source"}
        ports = {"nin": len(inputs), "nout": len(outputs)}
        super().__init__(nstates=width, feedthrough=direct, **ports, **kind, **blockargs)
        self._x0 = np.zeros(0)
        if width:
            names = {f"block.{state.name}": state.initial for state in self.native.states}
            numbers = self.native.numbers()
            starts = [np.broadcast_to(numbers[names[s.name]], s.shape).ravel() for s in self.program.states]
            self._x0 = np.concatenate(starts)

    def output(self, t: float, inputs: list[Any], x: Any) -> list[Any]:
        known = {f"u{k}": value for k, value in enumerate(inputs) if value is not None}
        missing = {name: np.zeros(shape) for name, shape in self._shapes().items() if name not in known}
        signals = self.program.outputs(t, x if self.nstates else None, known | missing)
        return [value if np.ndim(value) else float(value) for value in signals.values()]

    def deriv(self, t: float, inputs: list[Any], x: Any) -> Any:
        return self.program.derivative(t, x, {f"u{k}": value for k, value in enumerate(inputs)})

    def _shapes(self) -> dict[str, Any]:
        return {variable.name: variable.shape for variable in self.program.inputs}
