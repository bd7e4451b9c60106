"""A diagram exported as C, compiled, called step by step, and run by the engine under the same inputs."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.values.programs import program_of
from blockdyn.export.c.export import export_c
from blockdyn.export.c.part import part_of
from blockdyn.solvers.events.timer import fraction

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-ffp-contract=off")
COMPILERS = [each for each in ("gcc", "clang") if shutil.which(each)]
NEEDS_A_COMPILER = pytest.mark.skipif(not COMPILERS, reason="needs gcc or clang")
ROOM = 1 << 20  # bytes of an instance, at most


class Controller:
    """The shared library of an export, with one instance that has begun."""

    def __init__(
        self, diagram: bd.Diagram, folder: Path, *, part: str | Sequence[str] | None = None,
        step: float | None = None, method: str | None = None,
        compiler: str = COMPILERS[0] if COMPILERS else "gcc", level: str = "-O2",
    ) -> None:  # fmt: skip
        self.written = export_c(diagram, folder, part=part, step=step, method=method, name="unit")
        program = program_of(diagram, {}, {})
        self.program = (
            program if part is None else part_of(program, [part] if isinstance(part, str) else part)
        )
        library = folder / f"unit{compiler}{level}.so"
        command = [compiler, *STRICT, level, "-fPIC", "-shared", "-o", library, self.written.source, "-lm"]
        subprocess.run(command, check=True, capture_output=True, text=True)
        self._library = ctypes.CDLL(str(library))
        period = self.written.step
        self.settings: dict[str, Any] = {"method": "dopri5", "max_step": period}
        if self.program.states:
            self.settings = {"method": method or "rk4", "step": period}
        self.inputs = {v.name: v.shape for v in self.program.inputs}
        self.outputs = {v.name: v.shape for v in self.program.output_ports}
        self.begin()

    def begin(self) -> None:
        """Begin anew."""
        self._instance = ctypes.create_string_buffer(ROOM)
        self._library.unit_init(self._instance)

    def step(self, values: Mapping[str, Any]) -> tuple[int, list[float]]:
        """What a step returns, and its outputs one after the other."""
        given = np.concatenate([[], *(np.ravel(np.asarray(values[name], float)) for name in self.inputs)])
        count = sum(int(np.prod(shape)) for shape in self.outputs.values())
        results = np.full(count, np.nan)
        data = [array.ctypes.data_as(ctypes.c_void_p) for array in (given, results) if array.size]
        return int(self._library.unit_step(self._instance, *data)), results.tolist()

    def run(self, steps: int, values: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The outputs of all steps, one row each; every step is accepted."""
        rows = []
        for k in range(steps):
            status, row = self.step({name: each[k] for name, each in values.items()})
            assert status == 0, f"step {k} returns {status}"
            rows.append(row)
        return np.array(rows)

    def engine(self, steps: int, values: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The same outputs in a run whose inputs change at the same instants."""
        period = self.written.step
        times = np.array([float(fraction(period) * k) for k in range(steps)])
        signals = {name: bd.Signal(times, each, "hold") for name, each in values.items()}
        names = [name.partition("@")[0] for name in self.outputs]
        program = self.program if any("@" in name for name in self.outputs) else self.program.with_log(names)
        result = program.simulate(stop=times[-1] + period / 2, inputs=signals, **self.settings)
        return np.column_stack([np.reshape(result.trace(name).at(times), (steps, -1)) for name in names])


def agree(controller: Controller, steps: int, values: Mapping[str, Any]) -> None:
    """Assert that both give the same bits."""
    ours, engine = controller.run(steps, values), controller.engine(steps, values)
    np.testing.assert_array_equal(ours.view(np.int64), np.ascontiguousarray(engine).view(np.int64))
