"""Errors of a run name the block, the port and the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.errors import BlockdynError, PrintableText
from ...base.location import Location
from ...blocks.contract.errors import Refusal

MOST_NAMED = 4  # unknowns, or further blocks, of a loop in an error


class RunError(BlockdynError):
    """A run that cannot continue: the error has the event, its place and time, and a remedy."""

    location: Location | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __init__(self, *lines: str, path: str = "", port: str = "", time: float | None = None) -> None:
        self.path, self.port, self.time = path, port, time
        super().__init__("\n".join(line for line in lines if line))

    def declared_at(self, location: Location | None) -> None:
        """Add the location of the named block's declaration."""
        self.location = location
        if location is not None:
            self.file, self.line, self.column = location.file, location.line, location.column

    def _text(self) -> str:
        text = super()._text()
        return f"{self.location}: {text}" if self.location else text


class NotFinite(RunError):
    """A signal that became NaN or infinite, or a direction of length 0."""

    def __init__(self, path: str, port: str, time: float, value: float, *lines: str) -> None:
        self.value = value
        lines = lines or (
            f"{path}.{port} became {value} at t = {time!r} s",
            "expected: finite numbers",
            "look upstream for a division by zero, a root or logarithm of a negative number, or divergence",
        )
        super().__init__(*lines, path=path, port=port, time=time)


class LoopNotSolved(RunError):
    """An algebraic loop for which no solution was found.

    ports      ports of a shortest loop, in the direction of the signals
    blocks     the paths of all blocks that are solved together
    iterate    the last iterate of Newton's method, by signal and element
    residual   output of the loop for this iterate, minus the iterate

    A `constraint` is an intended loop, through an equation of a block.
    """

    def __init__(
        self, ports: Sequence[str], time: float, iterate: Mapping[str, float], computed: Mapping[str, float],
        *, blocks: Sequence[str] = (), constraint: bool = False,
    ) -> None:  # fmt: skip
        self.ports, self.blocks, self.iterate = tuple(ports), tuple(blocks), dict(iterate)
        self.residual = {name: computed[name] - value for name, value in iterate.items()}
        path, _, port = self.ports[0].rpartition(".")
        circle = " -> ".join([*self.ports, self.ports[0]])
        worst = sorted(self.residual, key=lambda name: -abs(self.residual[name]))  # NaN stays in front
        parts = [f"{name} = {iterate[name]:.6g} (residual {self.residual[name]:.3g})" for name in worst]
        more = [f"and {len(parts) - MOST_NAMED} more"] if len(parts) > MOST_NAMED else []
        others = [block for block in blocks if not any(port.startswith(f"{block}.") for port in ports)]
        unnamed = [f"and {len(others) - MOST_NAMED} more"] if len(others) > MOST_NAMED else []
        way_out = (
            "; where they do not depend on the iterate, some must be differentiated first (an index above 1)"
            if constraint
            else "; or put a block with state (integrator, delay, filter) on one of these wires"
        )
        super().__init__(
            f"the algebraic loop {circle} was not solved at t = {time!r} s",
            f"other blocks of the loop: {', '.join([*others[:MOST_NAMED], *unnamed])}" if others else "",
            f"the last iterate was {', '.join([*parts[:MOST_NAMED], *more])}",
            "expected: signals that satisfy all of its blocks, near those of the instant before",
            "look for a loop whose equations have no solution there, any number of them (then the residual is"
            f" small), or one that jumps{way_out}",
            path=path,
            port=port,
            time=time,
        )


class StepCollapse(RunError):
    """A step size that fell below the resolution of time."""

    def __init__(self, time: float, step: float, states: Sequence[str], causes: Sequence[str] = ()) -> None:
        self.step, self.states = step, tuple(states)
        blame = f": {', '.join(states)} could not be integrated" if states else ""
        super().__init__(
            f"the step size fell to {step:.3g} s at t = {time!r} s{blame}",
            "expected: a smooth solution within the tolerances",
            "loosen rtol and atol, take a stiff method (method='rodas5p'), look for a solution that runs"
            " away",
            *causes,
            path=states[0].rpartition(".")[0] if states else "",
            time=time,
        )


class TooManySteps(RunError):
    """More steps than the caller or `solvers.loop.run.usual_steps` allows."""

    def __init__(self, time: float, steps: int, causes: Sequence[str] = ()) -> None:
        self.steps = steps
        super().__init__(
            f"{steps} steps had been taken at t = {time!r} s",
            "expected: the end of the run within `max_steps`",
            *causes,
            "allow more steps, loosen rtol and atol, or take a stiff method (method='rodas5p')",
            time=time,
        )


class LogFull(RunError):
    """Rows that take more memory than allowed and cannot be thinned, because they are rows of events."""

    def __init__(self, time: float, count: int, most: float) -> None:
        self.bytes, self.most = count, most
        super().__init__(
            f"the events of the run up to t = {time!r} s take {count} bytes of the log",
            f"expected: at most {most:.4g} (`max_log`)",
            "log fewer signals, take rows at times of your own (`every`), write them to a file (`stream`),"
            " or allow more bytes",
            time=time,
        )


class TimeLimit(RunError):
    """More wall-clock time than the caller allows; `path` is the block whose Python function it was in.

    `stepping`: the run was still taking steps, see `causes`, and was not waiting for a function to return.
    """

    def __init__(
        self,
        time: float,
        seconds: float,
        path: str = "",
        causes: Sequence[str] = (),
        *,
        stepping: bool = False,
    ) -> None:
        self.seconds = seconds
        where = f", in the function of {path}" if path else ""
        remedy = "allow more time, loosen rtol and atol"
        if not stepping:
            remedy += ", take a stiff method (method='rodas5p'),"
            remedy += " or look for a loop in a block's function that never ends"
        super().__init__(
            f"{seconds:g} s of wall-clock time had passed at t = {time!r} s{where}",
            "expected: the end of the run within `max_time`",
            remedy,
            *causes,
            path=path,
            time=time,
        )


class Zeno(RunError):
    """Events at ever shorter intervals: zero crossings, or time events that a state announces."""

    def __init__(self, path: str, time: float, count: int, *, port: str = "") -> None:
        self.count = count
        super().__init__(
            f"{path} has had {count} events that follow one another ever faster towards t = {time!r} s",
            "expected: events that leave time to pass between them",
            'end the run there with a Stop block or on_zeno="stop" (--on-zeno stop), or let the block come to'
            " rest below a smallest speed or interval",
            path=path,
            port=port,
            time=time,
        )


class Chattering(RunError):
    """A mode that switches back and forth at one time, or within `lasting` s."""

    def __init__(self, paths: Sequence[str], time: float, count: int, lasting: float = 0.0) -> None:
        self.paths, self.count, self.lasting = tuple(paths), count, lasting
        within = f" within {lasting:.3g} s, and so on," if lasting > 0.0 else ""
        meant = (
            f"; if it is meant to, set max_step to {lasting / count:.1g} s, its pace" if lasting > 0.0 else ""
        )
        super().__init__(
            f"{', '.join(paths)} switched {count} times back and forth{within} at t = {time!r} s",
            "expected: a mode that holds once it is taken",
            f"give the switching a hysteresis (Relay), a dead zone, or a sample time{meant}",
            path=paths[0] if paths else "",
            time=time,
        )


class Unsettled(RunError):
    """Mode switches, or announced time events, that do not end at one instant."""

    def __init__(self, paths: Sequence[str], time: float, count: int, *lines: str, port: str = "") -> None:
        self.paths, self.count = tuple(paths), count
        lines = lines or (
            f"the modes of {', '.join(paths)} still change after {count} evaluations at t = {time!r} s",
            "expected: modes that agree with one another",
            "break the circle between them with a delay, a hysteresis or a sample time",
        )
        super().__init__(*lines, path=paths[0] if paths else "", port=port, time=time)


def no_later_instant(path: str, port: str, time: float, count: int, value: float) -> Unsettled:
    """Return the error for a state that announces time events without end, all due at the same instant."""
    return Unsettled(
        (path,), time, count,
        f"{path}.{port} still schedules another time event after {count} time events at t = {time!r} s;"
        f" the last one is {value!r} s",
        "expected: a later time after each event, or inf if there is none",
        f"let the `jump` of {path} return a later time",
        port=port,
    )  # fmt: skip


class BlockFailed(RunError):
    """A block's function that raised an exception, chained as the cause.

    A message of several lines contains its remedy. `inputs` are printed, "F is a vector of 1".
    """

    def __init__(
        self, path: str, time: float | None, error: BaseException, *, port: str = "",
        inputs: Sequence[str] = (),
    ) -> None:  # fmt: skip
        when = f" at t = {time!r} s" if time is not None else ""
        what, *remedy = str(error).split("\n")
        explained = bool(remedy) or isinstance(error, Refusal)
        raised = "failed" if explained else f"raised {type(error).__name__}"
        owner = path if explained else f"the function of {path}"
        if not explained:
            remedy = [
                "expected: a function with a result for every input",
                "correct that function, or keep its inputs to values that it takes (Saturation, an Assert)",
            ]
            if inputs and isinstance(error, (ValueError, TypeError, IndexError)):
                remedy.append(f"its inputs: {', '.join(inputs)}")
        super().__init__(
            f"{owner} {raised}{when}: {what}",
            *remedy,
            path=path,
            port=port,
            time=time,
        )
        self.__cause__ = error


class InstanceFailed(BlockFailed):
    """A foreign object for a block's run that `create` failed to make."""

    def __init__(self, path: str, name: str, problem: str, error: BaseException | None = None) -> None:
        lines = [
            f"{path}: `create` of its Instance `{name}` {problem}",
            "expected: a handle, an integer from 0 to 2^53",
            f"correct the function that `memory` of {path} names, or what it needs",
        ]
        if isinstance(error, BlockdynError):  # its message has the remedy
            lines = f"{path}: {error}".split("\n")
        RunError.__init__(self, *lines, path=path, port=name)
        self.__cause__ = error


class ReleaseWarning(PrintableText, UserWarning):
    """A foreign object of a block's run that `release` failed to release; the result is kept."""


class AssertionFailed(RunError):
    """An Assert block whose input became false, or another block that ended the run with a message.

    A message of several lines contains its own remedy.
    """

    def __init__(self, path: str, time: float, message: str = "") -> None:
        self.message = message
        what, *remedy = message.split("\n")
        super().__init__(
            f"{path} failed at t = {time!r} s" + (f": {what}" if what else ""),
            *(remedy or ["expected: an input that stays true (greater than 0.5)"]),
            path=path,
            port="u",
            time=time,
        )


def no_direction(path: str, port: str, shape: tuple[int, ...], time: float) -> NotFinite:
    """Return the error for a direction or an attitude of length 0 at an input."""
    attitude = shape == (4,)
    actual = "a quaternion of zeros, which is not an attitude" if attitude else "a vector of zeros"
    return NotFinite(
        path, port, time, 0.0,
        f"{path}.{port} is {actual}, at t = {time!r} s",
        f"expected: {'a quaternion, scalar first, of ' if attitude else ''}any length but 0",
        "look at what is connected to it: a delay, a hold or a filter whose first value is 0 needs"
        f" another{': [1, 0, 0, 0]' if attitude else ''}",
    )  # fmt: skip
