"""Every bdsim block is evaluated once at the start, to find the forms of the values on its wires."""

from __future__ import annotations

import contextlib
import inspect
import io
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from .values import Form, form_of


@dataclass
class Forms:
    """The form of every output, by block and port; an output that could not be evaluated has none."""

    outputs: dict[tuple[Any, int], Form | None] = field(default_factory=dict)
    values: dict[tuple[Any, int], Any] = field(default_factory=dict)

    def arriving(self, block: Any, port: int) -> Form | None:
        """The form of an input; None if it is not determined."""
        start = block._input_wires[port].start
        return self.outputs.get((start.block, start.port))

    def value(self, block: Any, port: int) -> Any:
        """The value of an input at the start."""
        start = block._input_wires[port].start
        return self.values.get((start.block, start.port))

    def leaving(self, block: Any) -> list[Form]:
        """The forms of the outputs; any object for a form that is not determined."""
        forms = (self.outputs.get((block, k)) for k in range(block.nout))
        return [form or Form(kind="object") for form in forms]


def probe(source: Any, stop: float) -> Forms:
    """Start every block of a compiled diagram, as its run does, and evaluate it in bdsim's own order."""
    forms = Forms()
    values = forms.values
    state = start_state(stop)
    for group in source.plan:
        for block in group:
            inputs = [values.get((w.start.block, w.start.port)) for w in block._input_wires]
            x = np.array(block.getstate0()) if block.hasstate else None
            with contextlib.suppress(Exception):
                started(block, state)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    outputs = block.output(0.0, inputs, x)
            except Exception:  # noqa: BLE001  its run will report the error
                outputs = []
            for port, value in enumerate(outputs):
                values[block, port] = value
                forms.outputs[block, port] = None if value is None else form_of(value)
    return forms


def started(block: Any, state: Any) -> None:
    """Start a block quietly, as bdsim does. IKINE's `start`, which takes no state, cannot be called."""
    if inspect.signature(block.start).parameters:
        with contextlib.redirect_stdout(io.StringIO()):
            block.start(state)


def start_state(stop: float) -> Any:
    """State that bdsim's blocks read at the start of a run: its end, and a place for their events."""

    def ignored(*_: Any) -> None:
        return None

    options = SimpleNamespace(graphics=False, animation=False, debug="", movies=None)
    return SimpleNamespace(
        T=stop, tf=stop, t=0.0, count=0, stop=None, options=options, watchlist=[], watchnamelist=[],
        declare_event=ignored, declare_crossing_event=ignored, ensure_event_probe_evaluated=ignored,
    )  # fmt: skip
