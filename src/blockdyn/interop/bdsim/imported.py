"""Diagrams of bdsim are translated block by block and run here, with results in the form of bdsim."""

from __future__ import annotations

import contextlib
import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import BlockdynError
from ...base.words import nearest
from ...blocks.contract.block import Block
from ...blocks.contract.port import Size
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.routing.reshape import Reshape
from ...blocks.routing.selector import Selector
from ...diagrams.compiler.program import Program
from ...diagrams.model.diagram import Diagram
from ...diagrams.results.logged_rows import LoggedRows, logged_rows
from ...diagrams.results.result import Result
from ...diagrams.results.trace import FloatArray
from .arms import ARMS
from .events import EVENTS, event_kind, handled, handles
from .functions import DYNAMICS, FUNCTIONS, SOURCES, clock
from .operational import OPERATIONAL
from .python_blocks import PythonBlock, PythonDerivative, PythonOutput, PythonSampledBlock, function_of
from .tool_motion import TOOL_MOTION, TWISTS
from .values import Form, Forms, Maker, Place, probe, start_state, started, unused
from .vehicles import FLYING, ROLLING

NATIVE: Mapping[str, Callable[[Maker], Place | None]] = {
    **SOURCES, **FUNCTIONS, **DYNAMICS, **ARMS, **OPERATIONAL, **TOOL_MOTION, **TWISTS, **ROLLING, **FLYING,
    **EVENTS,
}  # fmt: skip
OURS = "blockdyn_bdsim.Blockdyn"
PORTS = ("bdsim.InPort", "bdsim.OutPort")  # of subsystems: their inputs are their outputs


@dataclass
class Translation:
    """A diagram made from bdsim's, and the parts of it that each block of bdsim became.

    `in_python` are bdsim's blocks that run as Python.
    """

    diagram: Diagram
    places: dict[Any, Place]
    in_python: tuple[Any, ...] = ()

    @property
    def opaque(self) -> tuple[str, ...]:
        """The names of the blocks that run as Python."""
        return tuple(block.name for block in self.in_python)

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The continuous states of continuous blocks."""
        places = (place for block, place in self.places.items() if block.blockclass == "continuous")
        return tuple(path for place in places for path in place.states)

    @cached_property
    def sampled_signals(self) -> tuple[str, ...]:
        """The signals that are the states of sampled blocks."""
        places = (place for block, place in self.places.items() if block.blockclass == "sampled")
        return tuple(signal for place in places for signal in place.state)

    def clocked(self, clock: Any) -> tuple[str, ...]:
        """The blocks of a clock."""
        return tuple(signal for block in clock.blocklist for signal in self.places[block].state)

    def holds(self, block: Any) -> bool:
        """True if a block belongs to the diagram."""
        return block in self.places or key_of(block) in PORTS

    def source(self, block: Any, port: int) -> str:
        """The signal of an output of one of bdsim's blocks, through the ports of subsystems."""
        while block not in self.places:  # a port of a subsystem
            start = block._input_wires[port].start
            block, port = start.block, start.port
        return self.places[block].outputs[port]


def key_of(block: Any) -> str:
    """The package and the class of a block: `bdsim.Gain`."""
    kind = type(block)
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def translate(source: Any, stop: float) -> Translation:
    """The Diagram of a compiled bdsim diagram, for a run until `stop`."""
    forms = probe(source, stop)
    diagram = Diagram(unused(str(source.name or "bdsim"), Diagram()))
    translation = Translation(diagram, {})
    eventful = any(block.nin and handles(block, forms.value(block, 0)) for block in source.blocklist)
    for block in source.blocklist:
        if key_of(block) in PORTS and block.nin and block.nout:
            continue
        arriving = [forms.arriving(block, k) for k in range(block.nin)]
        values = [forms.value(block, k) for k in range(block.nin)]
        make = Maker(block, block.name, arriving, values, diagram, stop, eventful)
        place = _native(make, forms)
        if place is None:
            place = _python(make, forms)
            place.in_python = bool(place.inputs or place.outputs)
        translation.places[block] = place
    translation.in_python = tuple(block for block, place in translation.places.items() if place.in_python)
    for block, place in translation.places.items():
        for port, readers in enumerate(place.inputs):
            start = block._input_wires[port].start
            signal = translation.source(start.block, start.port)
            for reader in readers:
                _add_wire(diagram, signal, reader, forms.arriving(block, port))
    handled(diagram, translation.places, lambda name: unused(name, diagram), stop)
    return translation


def _add_wire(diagram: Diagram, signal: str, reader: str, form: Form | None) -> None:
    """A wire; a vector of one element in bdsim becomes a number for a block that reads numbers."""
    name, _, port = reader.partition(".")
    sizes = {p.name: p.size for p in diagram.blocks[name].input_ports()}
    if form is not None and form.shape == (1,) and sizes.get(port) in (1, Size()):
        one = unused(f"{name}_{port}", diagram)
        diagram.add(one, Selector(indices=0))
        diagram.connect(signal, f"{one}.u")
        signal = f"{one}.y"
    diagram.connect(signal, reader)


def _native(make: Maker, forms: Forms) -> Place | None:
    key = key_of(make.block)
    if key == "bdsim.Function":
        return function_of(make, forms.leaving(make.block))
    if key == OURS:
        return _ours(make)
    if key in PORTS:
        return _entry(make) if make.block.nout else _exit(make)
    maker = NATIVE.get(key) or NATIVE.get(event_kind(make.block))
    return maker(make) if maker else None


def _ours(make: Maker) -> Place:
    """A block of this library that stands in a diagram of bdsim."""
    block: Block = make.block.native
    name = make.add(block)
    inputs = [port.name for port in block.input_ports() if port.default is None]
    states = [f"{name}.{state.name}" for state in block.states if not (state.held or block.sampled)]
    return Place(
        [[f"{name}.{port}"] for port in inputs],
        [f"{name}.{port.name}" for port in block.output_ports()],
        states,
    )


def _entry(make: Maker) -> Place:
    """The inputs of a diagram that will be a part of another one."""
    names = [make.add(Inport(number=k), f"{k}") for k in range(make.block.nout)]
    return Place([], [f"{name}.y" for name in names])


def _exit(make: Maker) -> Place:
    """Its outputs."""
    names = [make.add(Outport(number=k), f"{k}") for k in range(make.block.nin)]
    return Place([[f"{name}.u"] for name in names])


def _python(make: Maker, forms: Forms) -> Place:
    """The unchanged block; sinks compute nothing."""
    b = make.block
    inward = [form or Form(kind="object") for form in make.forms]
    outward = forms.leaving(b)
    if b.blockclass == "continuous":
        return _continuous(make, inward, outward)
    if b.blockclass == "sampled":
        return _split_outputs(make, inward, outward)
    if b.nout:
        return make.alone(PythonBlock(b, inward, outward))
    return Place()


def _continuous(make: Maker, inward: Sequence[Form], outward: Sequence[Form]) -> Place:
    b = make.block
    x = np.asarray(b.getstate0(), float).ravel()
    place = make.integral(x, "x")
    slope = make.add(PythonDerivative(b, inward, outward, width=x.size), "slope")
    make.wire(place.outputs[0], f"{slope}.x")
    make.wire(f"{slope}.d_x", place.inputs[0][0])
    place.inputs = [[f"{slope}.u{k}"] for k in range(b.nin)]
    if b.nout:
        shown = make.add(PythonOutput(b, inward, outward, width=x.size))
        make.wire(place.outputs[0], f"{shown}.x")
        place.outputs = [f"{shown}.y{k}" for k in range(b.nout)]
        if b._feedthrough:
            place.inputs = [[*readers, f"{shown}.u{k}"] for k, readers in enumerate(place.inputs)]
    return place


def _split_outputs(make: Maker, inward: Sequence[Form], outward: Sequence[Form]) -> Place:
    """The outputs of a block that returns all their numbers in one vector."""
    b = make.block
    x = np.asarray(b.getstate0(), float).ravel()
    block = PythonSampledBlock(
        block=b, inward=inward, outward=outward, settable=make.eventful, initial=x, **clock(make)
    )  # fmt: skip
    name, start, outputs = make.add(block), 0, []
    for k, form in enumerate(outward):
        count = form.size.count
        places = list(range(start, start + count))
        end = make.add(Selector(indices=places if form.shape else start), f"y{k}")
        make.wire(f"{name}.y", f"{end}.u")
        if len(form.shape) == 2:
            shaped = make.add(Reshape(form.shape), f"m{k}")
            make.wire(f"{end}.y", f"{shaped}.u")
            end = shaped
        outputs.append(f"{end}.y")
        start += count
    inputs = [[f"{name}.u{k}"] for k in range(b.nin)]
    return Place(inputs, outputs, state=[f"{name}.x_now"], settable=name if make.eventful else "")


@dataclass(frozen=True)
class WatchedSignal:
    """A watched output: bdsim's name of it, and its signal here."""

    name: str
    path: str


def watched(source: Any, translation: Translation, watch: Sequence[Any]) -> list[WatchedSignal]:
    """Signals in a list of blocks, ports and names. Raises BlockdynError."""
    return [_resolve_signal(source, translation, item) for item in watch]


def _resolve_signal(source: Any, translation: Translation, item: Any) -> WatchedSignal:
    block, port = item, 0
    if isinstance(item, str):
        match = re.fullmatch(r"([^\[]+)(?:\[(\d+)\])?", item)
        block = _find_block(source, match[1]) if match else None
        port = int(match[2] or 0) if match else 0
        if block is None:
            hint = nearest(match[1] if match else item, list(source.blocknames))
            raise BlockdynError(f"watch={item!r}: the diagram has no block of this name{hint}")
    elif hasattr(item, "block"):
        block, port = item.block, int(item.port or 0)
    block = getattr(block, "outport", block)
    if (
        not hasattr(block, "nout")
        or not 0 <= port < max(block.nout, block.nin)
        or not translation.holds(block)
    ):
        expected = 'a block of the diagram, one of its outputs, or their names, "plant" or "plant[0]"'
        raise BlockdynError(f"watch: found {item!r:.80}\nexpected: {expected}")
    path = translation.source(block, port)
    if not path:
        raise BlockdynError(f"watch: output {port} of {block.name} is not computed where nothing reads it")
    return WatchedSignal(f"{block.name}[{port}]", path)


def _find_block(source: Any, name: str) -> Any:
    """The block of a name; for a subsystem, which is flattened, the source of its output."""
    exits = (
        b for b in source.blocklist if b.name.rpartition("/")[0] == name and key_of(b) == "bdsim.OutPort"
    )
    return source.blocknames.get(name) or next(exits, None)


def structured(
    source: Any, translation: Translation, signals: Sequence[WatchedSignal], result: Result, stop: float
) -> Any:
    """bdsim's BDStruct of a run."""
    from .session import LazyStruct  # late: it needs bdsim itself

    watched = tuple(signal.path for signal in signals)

    def entries() -> dict[str, Any]:
        logged = logged_rows(result, (*translation.states, *translation.sampled_signals, *watched))
        rows, columns = logged.steps, logged.columns
        time = rows[:, 0].copy()
        out = {
            "t": time,
            "x": _take_columns(rows, columns.side_by_side(translation.states)),
            "xnames": list(source.statenames),
        }
        end = float(time[-1]) if time.size else stop
        for number, timer in enumerate(source.clocklist):
            sampled = LazyStruct(f"clock{number}", result, partial(_clock, timer, translation, logged, end))
            out[f"clock{number}"] = out[str(timer.name).replace(".", "")] = sampled
        if watched:
            out["y"] = _take_columns(rows, columns.side_by_side(watched))
            out["ynames"] = [signal.name for signal in signals]
            out[".ywatch"] = [rows[:, columns[path]] for path in watched]
        out[".stats"] = LazyStruct("stats", result, partial(_stats, result, time.size))
        return out

    return LazyStruct("results", result, entries)


def _clock(clock: Any, translation: Translation, logged: LoggedRows, end: float) -> dict[str, Any]:
    """The states of the blocks of a clock at its ticks."""
    time, after = ticks(clock.T, clock.offset, end)
    X = _take_columns(logged.at(after), logged.columns.side_by_side(translation.clocked(clock)))
    return {"t": time.copy(), "X": X, "Xnames": list(clock.statenames)}


def _take_columns(rows: FloatArray, columns: NDArray[np.int64]) -> FloatArray:
    """Columns of rows; without columns bdsim has no rows."""
    return rows.take(columns, axis=1) if columns.size else np.array([])


def _stats(result: Result, points: int) -> dict[str, Any]:
    """The counts of a run as in bdsim, and seconds; its intervals lie between events."""
    counted = result.statistics
    instants = {event.time for event in result.events if event.time < counted["end"]}
    crossings = Counter(event.path for event in result.events if event.kind == "zero crossing")
    return {
        "integration_time_points": points,
        "run_interval_calls": len(instants) + 1,
        "ydot_calls": counted["evaluations"],
        "integrator_wall_time": counted["wall time"],
        "events_detected_total": crossings.total(),
        "events_detected_by_source": dict(crossings),
    }


@lru_cache(maxsize=64)
def ticks(period: float, offset: float, end: float) -> tuple[FloatArray, FloatArray]:
    """The times of a clock's ticks, of which the first is a period after its offset, and soon after them."""
    count = int(np.floor((end - offset) / period + 1e-9))
    time = np.asarray(np.arange(1, count + 1) * period + offset, np.float64)
    return time, time + 1e-9 * np.maximum(time, 1.0)


METHODS = {"RK45": "dopri5", "RK23": "bs32", "DOP853": "dop853", "LSODA": "auto"}
"""What SciPy's explicit methods are called here; the implicit ones have the same names."""


def from_bdsim(diagram: Any) -> ImportedDiagram:
    """A diagram of bdsim that blockdyn runs.

    Every block with a counterpart becomes native, any other runs unchanged in Python. A diagram that is
    not compiled yet is compiled, by bdsim. Block parameters are read at the first run, and again for
    another `T`: call this function again for a changed diagram.

    Raises BlockdynError.
    """
    if not all(hasattr(diagram, name) for name in ("blocklist", "wirelist", "compile")):
        raise BlockdynError(
            f"found {type(diagram).__name__}\nexpected: a diagram of bdsim, `sim.blockdiagram()`"
        )
    if not diagram.compiled:
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                diagram.compile(evaluate=False)
        except Exception as error:
            reasons = [line.strip() for line in output.getvalue().splitlines() if "ERROR" in line]
            text = "\n".join([f"bdsim does not compile {diagram.name}: {error}", *reasons])
            raise BlockdynError(text) from error
    return ImportedDiagram(diagram)


class ImportedDiagram:
    """A compiled diagram of bdsim and its translation: see `from_bdsim`."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self._translations: dict[float, tuple[Translation, Program | None]] = {}

    def diagram(self, T: float = 5.0) -> Diagram:
        """The Diagram that a run until T, s, has; blocks that last as long as the run depend on it."""
        return self._translation(T).diagram

    def opaque(self, T: float = 5.0) -> tuple[str, ...]:
        """The names of bdsim's blocks that run unchanged, in Python."""
        return self._translation(T).opaque

    def simulate(
        self,
        T: float = 5.0,
        dt: float | None = None,
        *,
        max_step: float | None = None,
        solver: str = "RK45",
        solver_args: Mapping[str, Any] | None = None,
        watch: Sequence[Any] = (),
        stop: float | None = None,
        log: Sequence[str] = (),
        **arguments: Any,
    ) -> Any:
        """Run from 0 to T, s, with the arguments of bdsim's `run`, and of `Diagram.simulate`.

        `stop` is another name of T; signals of `log` are kept in addition to the watched ones.

        `dt` is the distance of the rows; without it there is one per step. `solver` is a name of SciPy's, or
        a method here. `watch` are bdsim's blocks, their ports, or names, `"plant[0]"`. Tolerances are
        blockdyn's, rtol 1e-6 and atol 1e-9, unless given here or in `solver_args`; no step is bounded by
        T/100.

        Returns bdsim's BDStruct: `t`, `x` (one row per time), `xnames`, of watched signals `y`, `ynames` and
        `y0`, `y1`, ..., for each clock `clock0.t`, `clock0.X` and `clock0.Xnames`, `stats`; `result` is the
        Result. They are computed at first use. At the instant of an event
        there are two rows, the limits from both sides. Raises the errors of `Diagram.simulate`.
        """
        T = T if stop is None else stop
        translation = self._translation(T)
        signals = watched(self.source, translation, watch)
        settings = dict(solver_args or {}) | {"method": METHODS.get(solver, solver), "every": dt} | arguments
        if max_step is not None:
            settings["max_step"] = max_step
        settings = {name: value for name, value in settings.items() if value is not None}
        self._restart(translation, T)
        paths = [*(signal.path for signal in signals), *translation.sampled_signals, *log]
        result = self._program(T).simulate(stop=T, log=[*dict.fromkeys(paths)], **settings)
        return structured(self.source, translation, signals, result, T)

    def _translation(self, T: float) -> Translation:
        if T not in self._translations:
            self._translations = {T: (translate(self.source, T), None)}
        return self._translations[T][0]

    def _program(self, T: float) -> Program:
        translation, program = self._translations[T]
        if program is None:
            program = translation.diagram.compile()
            self._translations[T] = translation, program
        return program

    def _restart(self, translation: Translation, T: float) -> None:
        """Start the blocks that run unchanged, as bdsim does: they forget an earlier run."""
        for block in translation.in_python:
            started(block, start_state(T))
