"""A diagram is linearized between any of its signals, at a point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import BlockdynError
from ..base.schema import is_number
from ..base.words import inflect, short
from ..blocks.contract.block import Block
from ..diagrams.compiler.plan.unit import Unit
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.runs.directions import Element
from ..diagrams.runs.evaluation import evaluation_of, flat
from ..diagrams.values.change import as_it_is
from ..native.tangent.frame import NotDifferentiable
from ..solvers.layout import Integers
from .delayed import befores, delayed, has_history, with_histories, without_history, without_places
from .errors import AnalysisError, UnknownVariable
from .jacobians import jacobians_of
from .loop_sampling import LoopSampling, loop_sampling
from .models.linear_model import LinearModel, Matrix
from .models.linear_models import LinearModels, stack_models
from .opening import IN, OUT, Signal, opened, require_loop, signals
from .own_events import event_holders, find_triggers, shows_held, ticking_by_themselves, ticking_on
from .point import At, OperatingPoint, instants_of, point_of, points_along, stops_along

Names: TypeAlias = "str | Iterable[str] | None"
NEXT = 1e-9  # relative step of a state or an input to the other side of a kink


def linear_model(
    program: Program, inputs: Names, outputs: Names, *, at: At, time: float | None, open: Names,
    sample_time: float | None,
) -> LinearModel:  # fmt: skip
    """Carry out `Diagram.linearize` on a program."""
    question = Question(program, inputs, outputs, open, sample_time)
    question.refuse_own_ticks()
    point = point_of(program, at, time)
    model = finite(question.chosen(question.model(point)))
    still, _ = without_history(question.program, question.settled(point))
    return replace(model, kinks=kinks_at(question.program, still))


def loop_model(
    program: Program, wire: str, *, at: At, time: float | None, sample_time: float | None
) -> LinearModel:  # fmt: skip
    """Carry out `Diagram.loop` on a program."""
    if not isinstance(wire, str):
        raise AnalysisError(f"the wire of a loop is {short(wire)}", 'its name as text, such as "controller"')
    require_loop(wire, program.flat)
    return -linear_model(program, wire, wire, at=at, time=time, open=wire, sample_time=sample_time)


def models_along(
    program: Program, times: ArrayLike, inputs: Names, outputs: Names, *, open: Names,
    sample_time: float | None,
) -> LinearModels:  # fmt: skip
    """Carry out `Diagram.linearize_along` on a program."""
    instants = instants_of(times, program)
    question = Question(program, inputs, outputs, open, sample_time)
    question.refuse_own_ticks()
    if question.flows:
        stack = question.along(instants)
    else:
        stack = stack_models([question.model(point) for point in points_along(program, instants)])
    return LinearModels(instants, finite(question.chosen(stack)))


class Question:
    """The program with its signals opened, and the inputs and outputs of the requested model."""

    def __init__(
        self, program: Program, inputs: Names, outputs: Names, open: Names, sample_time: float | None,
        arguments: tuple[str, str] = ("inputs", "outputs"), *, sampling: bool = True,
    ) -> None:  # fmt: skip
        """`arguments` are the names of inputs and outputs in errors. With `sampling`, a loop from a cut wire
        back to it is taken over the period of its own clocks, see `loop_sampling`.
        """
        if sample_time is not None and not (is_number(sample_time) and 0.0 <= sample_time < np.inf):
            actual = f"sample_time is {short(sample_time)}"
            raise AnalysisError(actual, "a period, s, or 0 for continuous time")
        self._cuts = signals("open", listed(() if open is None else open), program.flat)
        self._loop = None
        if sampling and sample_time is None:
            self._loop = _loop_at(program, self._cuts, (inputs, outputs, open))
        self._named: dict[str, str] = {}
        if self._loop is not None and self._loop.cut is not self._cuts[0]:
            self._named = {self._loop.cut.name: self._cuts[0].name}
            self._cuts = (self._loop.cut,)
            inputs = outputs = self._loop.cut.name
        ports = {variable.name for variable in program.inputs} - {cut.name for cut in self._cuts}
        states = {variable.name for variable in program.states}
        entries = listed(program.flat.inputs if inputs is None else inputs)
        exits = listed(program.flat.outputs if outputs is None else outputs)
        of_blocks = {name: elements for name in entries if (elements := numbers_of(program, name))}
        ports |= of_blocks.keys()
        try:
            added = signals(arguments[0], [name for name in entries if name not in ports], program.flat)
        except UnknownVariable as error:
            refuse_number(program, arguments[0], str(error.name))
            raise
        moved = {path for signal in (*added, *self._cuts) for path, _ in signal.readers}
        others = {*program.flat.outputs, *states} - moved  # blocks after them are read before them
        read = signals(arguments[1], [name for name in exits if name not in others], program.flat)
        changed = added or read or self._cuts
        self.program = opened(program, added, read, self._cuts) if changed else program
        self._closed = opened(program, (), self._cuts, ()) if self._cuts else program
        self._numbers = {
            each: element for name in of_blocks for each, element in numbers_of(self.program, name).items()
        }
        if self._loop is not None:
            flows = not self._loop.instants
        else:
            flows = sample_time is None and not (ticking_on(program) or shows_held(self.program))
        self._sample_time = 0.0 if flows else sample_time
        self._states = [name for name in exits if name in states]
        self.inputs = [*_names(entries, added, IN, ports)]
        self.outputs = [*_names(exits, read, OUT, others)]
        self.program = with_histories(self.program, self.outputs)
        self._delays = befores(self.program)
        begins = [*self.inputs, *(name.rpartition(".")[0] for name in of_blocks)]
        passed = [unit.path for unit in find_triggers(self.program, begins, self.outputs)]
        self_ticking = [
            p for p in ticking_by_themselves(program) if self._loop is None or p in self._loop.paths
        ]
        self._own_ticks = [*self_ticking, *passed] if sample_time != 0.0 else []
        self._held = tuple(event_holders(self.program, begins, self.outputs))

    @property
    def flows(self) -> bool:
        """True if the model describes the flow between ticks, without a cut wire or a delay: a run of the
        opened program, whose added inputs are 0, passes through its points.
        """
        return self._sample_time == 0.0 and not self._cuts and not self._delays

    def with_blocks(self, blocks: Mapping[str, Block]) -> Question | None:
        """The same analysis for the diagram with other blocks; None if more than their numbers differ."""
        other = copy(self)
        for each in (self.program, self._closed):
            assert each.code is not None  # compiled once, shared with the others
        program, closed = self.program.with_blocks(blocks), self._closed.with_blocks(blocks)
        if program is None or closed is None:
            return None
        other.program, other._closed = program, closed
        return other

    def refuse_own_ticks(self) -> None:
        """Raise NotDifferentiable for ticks that a model over a period would leave out."""
        if self._own_ticks:
            expected = (
                "sample_time=0, the model between ticks; `frequency_response`, by sines; or blocks that tick"
                " by a clock, such as DiscretePID or a subsystem that a FunctionCall calls"
            )
            reason = "inputs that it reads at ticks without a fixed sample time"
            raise NotDifferentiable(reason, self._own_ticks, expected)

    def refuse_vectors(self) -> None:
        """Raise AnalysisError for wires that carry more than one number."""
        for variable in self.program.inputs:
            if variable.name in self.inputs and variable.count != 1:
                name = variable.name.replace(IN, "")
                actual = f"the wire {name} has {inflect(variable.count, 'element')}"
                raise AnalysisError(actual, "a loop that closes at a wire of one number")

    def along(self, instants: Matrix) -> LinearModel:
        """The models of the opened program along its run, as arrays with one more dimension."""
        jacobians = jacobians_of(self.program)
        stops = stops_along(self.program, instants, signals=jacobians.directions.loops)
        return jacobians.along(stops, len(instants), self._numbers)

    def settled(self, point: OperatingPoint) -> OperatingPoint:
        """The point, completed with the values of the cut wires."""
        if not self._cuts or self._cuts[0].name + IN in point.inputs:
            return point
        values = self._closed.outputs(point.time, point.states, point.inputs, held=point.held)
        return point.with_inputs({cut.name + IN: values[cut.name + OUT] for cut in self._cuts})

    def model(self, point: OperatingPoint) -> LinearModel:
        """The model of the opened program at a point, with all its inputs and outputs."""
        point = self.settled(point)
        if not self._delays:
            return self._delay_free(point)
        still, times = without_history(self.program, point)
        if self._sample_time != 0.0:
            return self._with_samples(still, times)
        model = by_delays = self._delay_free(still)
        if has_history(self.program, point.held):
            model = self._delay_free(point)  # a variable delay depends on the derivative of its history
        model = delayed(model, by_delays, times, [*self._delays])
        return without_places(model, self.program, self._states)

    def _delay_free(self, point: OperatingPoint) -> LinearModel:
        if self._sample_time == 0.0:
            numbers = {**self._numbers, **self._delays}
            jacobians = jacobians_of(self.program)
            return jacobians.at(point.time, point.states, point.inputs, point.held, numbers)
        return self._over_period(point, (Fraction(0),) if self._loop is None else self._loop.instants)

    def _over_period(self, point: OperatingPoint, changes: tuple[Fraction, ...]) -> LinearModel:
        """The model over a period in which inputs change at these instants."""
        from .sampled import sampled_model

        paths = None if self._loop is None else self._loop.paths
        numbers = {**self._numbers, **self._delays}
        return sampled_model(self.program, point, self._sample_time, numbers, paths, changes)

    def _with_samples(self, point: OperatingPoint, times: Matrix) -> LinearModel:
        """The model over a period, in which the states of delays are the last samples of their inputs."""
        from .sampled_delays import with_sampled_delays

        paths, begin = None, Fraction(0)
        if self._loop is not None:
            paths, begin = self._loop.paths, self._loop.instants[0]
        return with_sampled_delays(
            self.program, partial(self._over_period, point), times, [*self._delays], self._sample_time, paths,
            begin,
        )  # fmt: skip

    def chosen(self, model: LinearModel) -> LinearModel:
        """The requested part of a model, by the requested names."""
        part = _with_states(model, self._states).part(inputs=self.inputs, outputs=self.outputs)
        return replace(
            part,
            inputs=tuple(self._name(name.replace(IN, "")) for name in part.inputs),
            outputs=tuple(self._name(name.replace(OUT, "")) for name in part.outputs),
            held=self._held,
        )

    def _name(self, name: str) -> str:
        """The requested name of a signal in the model."""
        signal, sample, index = name.partition("[")
        return self._named.get(signal, signal) + sample + index


def _loop_at(
    program: Program, cuts: tuple[Signal, ...], asked: tuple[Names, Names, Names]
) -> LoopSampling | None:
    """The sampling of the loop from one cut wire back to it, if such a loop is requested."""
    inputs, outputs, cut = (listed(() if names is None else names) for names in asked)
    if not program.plan.clocks or len(cuts) != 1 or not inputs == outputs == cut:
        return None
    return loop_sampling(program, cuts[0])


def finite(model: LinearModel) -> LinearModel:
    """A model whose matrices are finite. Raises NotDifferentiable."""
    if all(np.isfinite(part).all() for part in (model.A, model.B, model.C, model.D)):
        return model
    matrix = np.block([[model.A, model.B], [model.C, model.D]])
    place = tuple(np.argwhere(~np.isfinite(matrix))[0])
    of = [*(f"the rate of {name}" for name in model.states), *model.outputs][place[-2]]
    by = [*model.states, *model.inputs][place[-1]]
    reason = f"the derivative of {of} by {by}, which is {matrix[place]:g}"
    blocks = model.differences if np.isnan(matrix[place]) else ()
    raise NotDifferentiable(reason, blocks, "a point at which it is finite")


def listed(names: str | Iterable[str]) -> list[str]:
    """Names, each once. Raises AnalysisError."""
    several = [names] if isinstance(names, str) else names
    try:
        listed: list[Any] = list(several)
    except TypeError:  # not iterable, or a 0-dimensional array
        listed = [several]
    if not all(isinstance(name, str) for name in listed):
        raise AnalysisError(f"names of signals are {names!r:.80}", 'text, or a list of it: "plant.u"')
    if len(set(listed)) < len(listed):
        twice = next(name for name in listed if listed.count(name) > 1)
        raise AnalysisError(f"{twice!r} is named twice", "each name once")
    return listed


def _names(asked: Sequence[str], added: Sequence[Signal], suffix: str, ports: Iterable[str]) -> Iterable[str]:
    """The names in the program, in the requested order; a block stands for all its signals."""
    names = {*ports}
    for name in asked:
        if name in names:
            yield name
        else:
            yield from (s.name + suffix for s in added if s.name == name or s.name.startswith(f"{name}."))


def _with_states(model: LinearModel, names: Sequence[str]) -> LinearModel:
    """The model with states among its outputs."""
    rows = [i for name in names for i, each in enumerate(model.states) if each.partition("[")[0] == name]
    if not rows:
        return model
    several = model.A.shape[:-2]
    of_states = np.broadcast_to(np.eye(len(model.states))[rows], (*several, len(rows), len(model.states)))
    return replace(
        model,
        C=np.concatenate([model.C, of_states], axis=-2),
        D=np.concatenate([model.D, np.zeros((*several, len(rows), len(model.inputs)))], axis=-2),
        g_t=np.concatenate([model.g_t, np.zeros((*several, len(rows)))], axis=-1),
        delays=None if model.delays is None else model.delays.beside(len(rows)),
        outputs=(*model.outputs, *(model.states[i] for i in rows)),
    )


def linearize(
    diagram: Diagram,
    inputs: str | Iterable[str] | None = None,
    outputs: str | Iterable[str] | None = None,
    *,
    at: At = None, time: float | None = None, open: str | Iterable[str] = (),
    sample_time: float | None = None, parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None, loops: str | None = None,
) -> LinearModel:  # fmt: skip
    """The linear model of the diagram at a point, exact to rounding: A, B, C, D with names.

        dx' = A dx + B du        dy = C dx + D du        continuous; dx[k+1] = ... with sampled blocks

    inputs       Inports, and signals to which an input is added: "plant.u" one wire, "controller.y" all
                 wires of an output; parameters of blocks, "gain.k"; None: all Inports
    outputs      Outports, signals as they leave their source, and states; None: all Outports
    at           the point; None: when a run begins; values of states, inputs and held signals by name; a
                 number, the time in s of a run of the diagram; an OperatingPoint, such as `trim` finds
    time         the time at that point, s; None: when a run begins
    open         signals whose wires are cut: their targets get a constant, or the input of that name
    sample_time  None: 0, or with sampled blocks the least period common to all clocks, s; 0: continuous,
                 no clock ticks; a period: the model over it, in discrete time, inputs held

    `parameters`, `set` and `loops` are arguments of `compile`. At a kink you get the model of the side on
    which a run from that point would continue. `loop` gives the transfer function of a loop. A transport
    delay stays one in the model, see `LinearModel`.

    Raises UnknownVariable, AnalysisError, NotDifferentiable, DiagramError, RunArgumentError, RunError.
    """
    program = diagram.compile(parameters, set, loops=loops)
    return linear_model(program, inputs, outputs, at=at, time=time, open=open, sample_time=sample_time)


def loop(
    diagram: Diagram,
    wire: str,
    *,
    at: At = None, time: float | None = None, sample_time: float | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    loops: str | None = None,
) -> LinearModel:  # fmt: skip
    """The transfer function L of the loop that closes at a wire; closed, it is 1 / (1 + L).

        L = -d.linearize(wire, wire, open=wire)

    `d.loop("controller").margins()` are its gain and phase margins. The other arguments are passed to
    `linearize`. Raises AnalysisError for a wire that lies on no loop, and the errors of `linearize`.
    """
    program = diagram.compile(parameters, set, loops=loops)
    return loop_model(program, wire, at=at, time=time, sample_time=sample_time)


def linearize_along(
    diagram: Diagram,
    times: ArrayLike,
    inputs: str | Iterable[str] | None = None,
    outputs: str | Iterable[str] | None = None,
    *,
    open: str | Iterable[str] = (), sample_time: float | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    loops: str | None = None,
) -> LinearModels:  # fmt: skip
    """The linear models along a run of the diagram, at increasing times in s: see `linearize`.

    Their A, B, C, D have one more dimension; `models[i]` is the model at `times[i]`. Raises the errors of
    `linearize`.
    """
    program = diagram.compile(parameters, set, loops=loops)
    return models_along(program, times, inputs, outputs, open=open, sample_time=sample_time)


def kinks_at(program: Program, point: OperatingPoint) -> tuple[str, ...]:
    """The blocks whose mode changes if a state or an input changes slightly in either direction.

    Each has the mode of the model and the other: "limit: mode 0, on the other side 1".
    """
    switching = [unit for unit in program.plan.units if unit.mode_at >= 0 and "mode" in unit.functions]
    if not switching:
        return ()
    evaluation = evaluation_of(program)
    arrays = evaluation.at(point.time, point.states, point.inputs, point.held)
    evaluation.go_on(float(point.time), arrays)
    modes, x = arrays.memory.modes.copy(), arrays.memory.x.copy()
    evaluation.give_back(arrays)
    u = flat("u", point.inputs, program.inputs, evaluation.defaults).copy()
    kinks: dict[str, str] = {}
    for others in _modes_nearby(program, point, x, u):
        for unit in switching:
            for at in range(unit.mode_at, unit.mode_at + max(1, unit.mode_count)):
                if others[at] != modes[at]:
                    text = f"{unit.path}: mode {modes[at]}, on the other side {others[at]}"
                    kinks.setdefault(unit.path, text)
    return tuple(kinks[path] for path in sorted(kinks))


def _modes_nearby(program: Program, point: OperatingPoint, x: Matrix, u: Matrix) -> Iterator[Integers]:
    """The modes on either side of the value of each state and input."""
    evaluation = evaluation_of(program)
    for values in (x, u):
        for i, value in enumerate(values.tolist()):
            for sign in (-1.0, 1.0):
                values[i] = value + sign * NEXT * max(1.0, abs(value))
                try:
                    arrays = evaluation.at(point.time, x, u, point.held)
                except BlockdynError:  # a state at its limit has no value beyond
                    continue
                yield arrays.memory.modes.copy()
                evaluation.give_back(arrays)
            values[i] = value


OF_CLOCKS = ("sample_time", "offset")  # these set event times; nothing depends smoothly on them


def numbers_of(program: Program, name: str) -> dict[str, Element]:
    """Places of the elements of a parameter, "block.parameter", by their names; empty for other names.

    A parameter from which a block computes others, such as the polynomials of a TransferFunction, is
    excluded.
    """
    path, _, number = name.rpartition(".")
    for unit in program.plan.units:
        if unit.path != path or number not in unit.numbers_at or number in OF_CLOCKS:
            continue
        if number not in unit.block.rules() or unit.block.random or not _reads_only(unit, number):
            return {}
        place = next(p for p in unit.number_places if (p.number, p.role) == (number, "parameter"))
        indices = np.ndindex(place.shape)
        ends = (f"[{', '.join(map(str, index))}]" if index else "" for index in indices)
        return {f"{name}{end}": ("p", place.start + i) for i, end in enumerate(ends)}
    return {}


def refuse_number(program: Program, argument: str, name: str) -> None:
    """Raise AnalysisError for a parameter, of the diagram or of a block, that `numbers_of` excludes."""
    path, _, number = name.partition("[")[0].rpartition(".")
    blocks = {block.path: block.block for block in program.flat.blocks}
    if name in program.source.parameters:
        reason = "is a parameter of the diagram, from which blocks have their numbers"
    elif path in blocks and number in blocks[path].rules():
        reason = "is not a parameter that the equations of the block use unchanged"
    else:
        return
    expected = "a number that a block reads as it is, such as `k` of a Gain; `sensitivities` take all numbers"
    raise AnalysisError(f"{argument}: `{name}` {reason}", expected)


def _reads_only(unit: Unit, number: str) -> bool:
    """True if a function reads the number, and nothing else of the block depends on it."""
    asked = any(number in names for names in unit.names.values())
    return asked and as_it_is(unit, number)
