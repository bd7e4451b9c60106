"""Signals by the names that users give them: outputs, their elements, fields of buses, named signals."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...base.words import nearest
from ...blocks.contract.port import Size
from ...blocks.contract.units import element_units
from ...diagrams.compiler.compile import make_plan
from ...diagrams.compiler.plan.unit import HELD
from ...diagrams.model.diagram_error import listed
from ...diagrams.model.flatten import flatten
from ...diagrams.runs.logged import labels

if TYPE_CHECKING:
    from ...diagrams.model.diagram import Diagram

_PATH = re.compile(r"([^\W\d]\w*(?:/[^\W\d]\w*)*)((?:\.[^\W\d]\w*)*)(?:\[\s*([^\[\]]*?)\s*\])?")


class NoSignal(Exception):
    """A path that does not name a signal; the message gives the path and the expected form."""


@dataclass(frozen=True)
class Signal:
    """An output of a block, or one element of it (`index`, counted in C order)."""

    path: str
    port: str
    size: Size
    index: int | None = None
    unit: str = ""
    held: bool = False

    @property
    def log(self) -> str:
        """Name of the output in a log."""
        return f"{self.path}.{self.port}"

    @property
    def name(self) -> str:
        """The output, or its element as a result names it."""
        if self.index is None:
            return self.log
        place = np.unravel_index(self.index, self.size.shape)
        return f"{self.log}[{','.join(str(int(i)) for i in place)}]"

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the element, or of the whole."""
        return self.size.shape if self.index is None else ()

    def element(self, index: int) -> Signal:
        """One element of it."""
        unit = element_units(self.unit, self.size.shape)[index]
        return replace(self, index=index, unit="" if "," in unit else unit)


class Signals:
    """The signals of a diagram. Raises the DiagramError family when it cannot be compiled."""

    def __init__(self, diagram: Diagram, loops: str | None = None) -> None:
        """`loops` is the treatment of algebraic loops in a run, for a diagram that does not specify it."""
        self.flat = flatten(diagram)
        if loops is not None:
            self.flat = replace(self.flat, simulation={**self.flat.simulation, "loops": loops})
        self.plan = make_plan(self.flat)
        self.units = self.plan.by_path
        self.names = [f"{path}.{port}" for path, ports in self.flat.ports.items() for port in ports]
        self.names += [name for name in self.flat.aliases if "." not in name]

    def find(self, text: str) -> Signal | None:
        """The signal at a path; None if nothing in the diagram has its name.

        Raises NoSignal if the block is found but the rest of the path is not.
        """
        read = _PATH.fullmatch(text)
        if read is None:
            return None
        path, words, key = read[1], read[2].split(".")[1:], read[3]
        if path in self.flat.aliases:
            signal = self._output(*self.flat.aliases[path])
        elif path in self.flat.ports:
            signal = self._of_block(path, words, self.flat.ports[path])
        else:
            return None
        return self._part(signal, text, words, key)

    def unknown(self, text: str, *more: str) -> str:
        """Error text for an unknown name."""
        names = [*self.names, *self.flat.ports, *more]
        near = nearest(text, names) or nearest(text.partition("[")[0], names)
        return f"`{text}` is not a signal of the diagram{near}"

    def _of_block(self, path: str, fields: list[str], ports: tuple[str, ...]) -> Signal:
        """The output named by the first of `fields`, which is removed, or the only output."""
        if fields and fields[0] in ports:
            return self._tap(path, fields.pop(0))
        if len(ports) == 1:
            signal = self._tap(path, ports[0])
            if not fields or signal.size.fields:
                return signal
        if not fields and ports:
            raise NoSignal(f"`{path}` has {len(ports)} outputs: name one of {listed(ports)}")
        output = f"`{fields[0]}`{nearest(fields[0], list(ports))}" if fields else "an output"
        raise NoSignal(f"`{path}` has no output {output}: it has {listed(ports)}")

    def _tap(self, path: str, port: str) -> Signal:
        return self._output(*self.flat.aliases.get(f"{path}.{port}", (path, port)))

    def _output(self, path: str, port: str) -> Signal:
        unit = self.units[path]
        held = unit.rate.get(port) == HELD
        return Signal(path, port, unit.out_sizes[port], None, self.plan.signal_units.of(unit, port), held)

    def _part(self, signal: Signal, text: str, fields: list[str], key: str | None) -> Signal:
        """The element that fields and an index pick."""
        start, size = 0, signal.size
        for field in fields:
            part = size.part(field)
            if part is None:
                names = [name for name, _ in size.fields]
                has = f"its fields are {listed(names)}" if names else f"it is a {size}"
                raise NoSignal(f"`{text}` has no field `{field}`{nearest(field, names)}: {has}")
            start, size = start + part[0], part[1]
        if key is not None:
            return signal.element(start + _index(text, size, key))
        if fields and size.shape:
            raise NoSignal(f"`{text}` is a {size}: name one element, `{text}[0]`")
        return signal.element(start) if fields else signal


def _index(text: str, size: Size, key: str) -> int:
    """The element that `[key]` picks: by numbers, or by the label of a bus's field."""
    named = labels(size)
    if key in named:
        return named.index(key)
    try:
        place = tuple(int(part) for part in key.split(","))
        if len(place) == len(size.shape):
            return int(np.ravel_multi_index(tuple(np.add(place, np.where(np.less(place, 0), size.shape, 0))),
                                            size.shape))  # fmt: skip
    except ValueError:
        pass
    ends = ",".join(str(n - 1) for n in size.shape)
    has = f"elements up to [{ends}]" if size.shape else "no elements"
    raise NoSignal(f"`{text}` is not an element: the signal is a {size} and has {has}")
