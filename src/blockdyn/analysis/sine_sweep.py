"""The frequency response of a nonlinear diagram comes from runs with a sine at one of its signals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, pi, sin
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..base.checked import checked
from ..blocks.contract.block import Block
from ..blocks.contract.parameter import Real, parameter
from ..blocks.contract.port import Like, Port, State
from ..blocks.routing.inport import Inport
from ..blocks.sources.sine import Sine
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.errors import RunArgumentError
from ..diagrams.results.result import Result
from .errors import AnalysisError, wrong_argument
from .linearize import Names, Question
from .models.frequency import pencil
from .models.frequency_response import FrequencyResponse
from .models.linear_model import Complex, LinearModel, Matrix
from .opening import OUT, with_blocks
from .point import At, OperatingPoint, point_of

FLAT, SMOOTH = 1.0, 0.375  # the mean of a window


class FourierIntegral(Block):
    """Integrals of a signal u times a window, element by element.

        da/dt = w(t) u cos(frequency (t - begin))     db/dt = w(t) u sin(frequency (t - begin))

    w is 1, or with a `window` of W > 0, s, it is sin^4(pi (t - begin) / W), whose spectrum falls with the
    fifth power of the distance in frequency. As steps end at events and ticks, staircases are integrated
    exactly.
    Source: Harris, Proceedings of the IEEE 66(1) (1978), 51-83, section V.
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("a", like=Like(("u",))), Port("b", like=Like(("u",))))
    states: ClassVar = (State("x", "initial", like="a"), State("y", "initial", like="b"))
    elementwise: ClassVar = True

    frequency: Real = parameter(default=1.0, unit="rad/s", doc="of cosine and sine")
    begin: Real = parameter(default=0.0, unit="s", doc="time at which these begin")
    window: Real = parameter(default=0.0, unit="s", doc="period of the window; 0: none")
    initial: Real = parameter(default=0.0, doc="integrals at the start")

    @staticmethod
    def output_a(x: float) -> float:
        return x

    @staticmethod
    def output_b(y: float) -> float:
        return y

    @staticmethod
    def derivative(t: float, u: float, frequency: float, begin: float, window: float) -> tuple[float, float]:
        weighted = u if window == 0.0 else u * sin(pi * (t - begin) / window) ** 4
        angle = frequency * (t - begin)
        return weighted * cos(angle), weighted * sin(angle)


def coefficients(a: Matrix, b: Matrix, duration: float, mean: float) -> Complex:
    """The first Fourier coefficients over stretches of such a duration, between rows of the integrals."""
    return np.asarray(2.0 / (mean * duration) * (np.diff(a, axis=0) - 1j * np.diff(b, axis=0)), np.complex128)


INTEGRAL = "@integral"  # after the path of a signal
FIRST = 8  # periods of the shortest run: the last two quarters are compared
SAMPLED = 64  # with clocks, whose ticks are not a multiple of the periods: see `FourierIntegral`
ROWS, FEWEST = 4096, 64  # rows of the evaluated half, and of a period: hundreds of harmonics, or 32
SETTLED, PERIODS = 1e-4, 4096  # the arguments where none is given
TOLERANCES = {"rtol": 1e-9, "atol": 1e-12}


@checked(wrong_argument)
def response_to_sines(
    program: Program, omega: ArrayLike, input: str, outputs: Names, *, amplitude: float, at: At,
    time: float | None, open: str | Iterable[str], settled: float, periods: int,
    simulation: Mapping[str, Any],
) -> FrequencyResponse:  # fmt: skip
    """Carry out `Diagram.frequency_response` on a program."""
    frequencies = _frequencies(omega)
    if not amplitude > 0.0 or not np.isfinite(amplitude):
        raise AnalysisError(f"amplitude is {amplitude!r}", "a number above 0, in the unit of the input")
    question = Question(program, [input], outputs, open, None, sampling=False)
    point = question.settled(point_of(program, at, time))
    full_model = question.model(point)
    model = _loop_model(program, input, outputs, open, point) or question.chosen(full_model)
    swept = _Swept(question, point, full_model, amplitude, {**TOLERANCES, **simulation})
    values = np.empty((frequencies.size, len(model.outputs)), np.complex128)
    distortion = np.empty(values.shape)
    for k, frequency in enumerate(frequencies.tolist()):
        values[k], distortion[k] = swept.at(frequency, settled, periods)
    return FrequencyResponse(frequencies, values, distortion, amplitude, input, model.outputs, model)


def _loop_model(
    program: Program, input: str, outputs: Names, open: str | Iterable[str], point: OperatingPoint
) -> LinearModel | None:
    """The model of a sampled loop over the period of its own clocks; None without such a loop."""
    if not program.plan.clocks:
        return None
    try:
        question = Question(program, [input], outputs, open, None)
        model = question.chosen(question.model(point))
    except AnalysisError:  # the wire changes between ticks; sines can still be measured
        return None
    return model if len(model.inputs) == 1 else None


class _Swept:
    """Runs of the opened program from one point, with a sine at one of its inputs."""

    def __init__(
        self, question: Question, point: OperatingPoint, model: LinearModel, amplitude: float,
        simulation: Mapping[str, Any],
    ) -> None:  # fmt: skip
        (self._name,) = question.inputs
        variable = next((each for each in question.program.inputs if each.name == self._name), None)
        if variable is None or np.prod(variable.shape) != 1:
            actual = f"{self._name.partition('@')[0]} is {'a parameter' if variable is None else 'a vector'}"
            raise AnalysisError(actual, "an input or a signal that is one number")
        blocks = question.program.flat.blocks
        block = next(each.block for each in blocks if each.path == self._name)
        default = block.default if isinstance(block, Inport) else 0.0
        self._bias = np.asarray(point.inputs.get(self._name, default), np.float64)
        sources = {each.path: end for each in blocks if (end := each.sources.get("u"))}
        self._signals = [".".join(sources[name]) if name.endswith(OUT) else name for name in question.outputs]
        self._opened = question.program
        self._clocked = bool(question.program.plan.clocks)
        outports = {*question.program.flat.outputs}
        ends = {i: sources[name] for i, name in enumerate(question.outputs) if name in outports}
        self._integrals = {i: f"{'.'.join(end)}{INTEGRAL}" for i, end in ends.items()}
        added = {self._integrals[i]: (FourierIntegral(), {"u": end}) for i, end in ends.items()}
        self._program = with_blocks(question.program.with_log(self._signals), added)
        self._point, self._model = point, model
        self._amplitude, self._simulation = amplitude, dict(simulation)

    def at(self, omega: float, settled: float, periods: int) -> tuple[Complex, Matrix]:
        """The response at one frequency, and the distortion, as soon as two quarters of a run agree."""
        first = SAMPLED if self._clocked else FIRST
        count, initial, change = first, self._initial(omega), np.inf
        while count <= max(periods, first):
            try:
                result = self._run(omega, count, initial)
            except RunArgumentError:
                if initial is self._point.initial:
                    raise
                initial = self._point.initial  # the linear response violates a limit of a state
                continue
            (before, values), distortion = self._seen(omega, count, result)
            change = float(np.max(np.abs(values - before)))
            if change <= settled * float(np.max(np.abs(values))):
                return values, distortion
            count *= 2
        raise AnalysisError(
            f"at {omega:g} rad/s the response still changes by {change:.2g} after {count // 2} periods",
            "a diagram that settles to a period of the sine: another point, a smaller amplitude, more"
            " `periods`, or a larger `settled`",
        )

    def _initial(self, omega: float) -> Mapping[str, Any]:
        """Start on the periodic response of the linear model: nothing linear has to decay."""
        model, initial = self._model, self._point.initial
        if model.sample_time or not model.states:
            return initial
        shifted, into, _ = pencil(model, np.array([1j * omega]))
        column = next(i for i, name in enumerate(model.inputs) if name.partition("[")[0] == self._name)
        try:
            x = np.linalg.solve(shifted[0], into[0, :, column])
        except np.linalg.LinAlgError:
            return initial
        moved, begin = dict(initial), 0
        arrays = self._opened.memory().x
        for variable in self._opened.states:
            size = int(np.prod(variable.shape))
            state = np.asarray(initial.get(variable.name, arrays[begin : begin + size]), np.float64)
            part = self._amplitude * x.imag[begin : begin + size]
            moved[variable.name] = state.reshape(variable.shape) + part.reshape(variable.shape)
            begin += size
        return moved

    def _run(self, omega: float, count: int, initial: Mapping[str, Any]) -> Result:
        """A run of this number of periods, with rows over its second half."""
        rows = max(FEWEST, 2 * ROWS // count) * (count // 2)
        t = (count / 2 + np.arange(rows + 1) / rows * (count / 2)) * (2.0 * pi / omega)
        begin = self._point.time
        shape = self._bias.shape
        sine = Sine(
            amplitude=np.full(shape, self._amplitude) if shape else self._amplitude, frequency=omega,
            phase=-omega * begin, bias=self._bias if shape else float(self._bias),
        )  # fmt: skip
        inputs = {**self._point.inputs, self._name: sine}
        window = count / 4 * 2.0 * pi / omega if self._clocked else 0.0
        integral = FourierIntegral(frequency=omega, begin=begin, window=window)
        program = self._program.with_inputs(inputs)
        self._program = program.with_blocks(dict.fromkeys(self._integrals.values(), integral)) or program
        result = self._program.simulate(
            start=begin, stop=begin + count * 2.0 * pi / omega, times=begin + t, initial=initial,
            progress=False, **self._simulation,
        )  # fmt: skip
        if result.provenance.stopped_by:
            raise AnalysisError(
                f"the run at {omega:g} rad/s is stopped by {result.provenance.stopped_by}",
                "a diagram that does not stop: a smaller amplitude, or another point",
            )
        return result

    def _seen(self, omega: float, count: int, result: Result) -> tuple[Complex, Matrix]:
        """G by the first Fourier coefficient over the third and the last quarter, a row each, and the rms of
        the remainder over the rms of its sine.
        """
        y = np.concatenate([self._rows(result, name) for name in self._signals], axis=1)[:-1]
        quarter, duration = len(y) // 2, count / 4 * 2.0 * pi / omega
        turning = np.exp(-1j * 2.0 * pi * count / 4 * np.arange(len(y)) / quarter)[:, None]
        first = np.array([2.0 * np.mean(part, axis=0) for part in np.split(y * turning, 2)])
        column = 0
        for i, name in enumerate(self._signals):
            size = self._rows(result, name).shape[1]
            if i in self._integrals:
                a, b = (self._rows(result, f"{self._integrals[i]}.{port}")[::quarter] for port in "ab")
                mean = SMOOTH if self._clocked else FLAT
                first[:, column : column + size] = coefficients(a, b, duration, mean)
            column += size
        fundamental = np.real(first[1] * np.conj(turning))
        power = np.mean(fundamental**2, axis=0)
        residual = np.mean((y - np.mean(y, axis=0) - fundamental) ** 2, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            distortion: Matrix = np.sqrt(residual / power)
        return 1j * first / self._amplitude, distortion

    def _rows(self, result: Result, name: str) -> Matrix:
        values = np.asarray(result.trace(name).values, np.float64)
        return values.reshape(len(values), -1)


def _frequencies(omega: ArrayLike) -> Matrix:
    try:
        frequencies = np.atleast_1d(np.asarray(omega, np.float64))
    except (TypeError, ValueError, OverflowError):
        frequencies = np.zeros(0)
    if frequencies.ndim != 1 or not frequencies.size or not np.all(np.isfinite(frequencies)):
        raise AnalysisError(f"omega is {omega!r:.80}", "frequencies above 0 in one list, rad/s")
    if np.any(frequencies <= 0.0):
        raise AnalysisError(f"omega has {np.min(frequencies):g}", "frequencies above 0, rad/s")
    return frequencies


def frequency_response(
    diagram: Diagram,
    omega: ArrayLike,
    input: str,
    outputs: str | Iterable[str] | None = None,
    *,
    amplitude: float, at: At = None, time: float | None = None, open: str | Iterable[str] = (),
    settled: float = 1e-4, periods: int = 4096, parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None, loops: str | None = None, **simulation: Any,
) -> FrequencyResponse:  # fmt: skip
    """The response of the diagram to sines at one input, from runs with all limits, friction and ticks.

        u = u0 + a sin(omega t)  leads to  y = y0 + |G| a sin(omega t + arg G) + harmonics

    omega      frequencies, rad/s: a run for each
    input      an Inport, or a signal to which the sine is added, as for `linearize`; one number
    outputs    Outports, and signals as they leave their source; None: all Outports
    amplitude  a, in the unit of the input
    settled    allowed change of G, relative to the largest |G| of the outputs, between the last two
               quarters of a run; the run length doubles until this is met, up to `periods` periods

    `at`, `time` and `open` are arguments of `linearize`, the others of `simulate`; by default
    runs have rtol=1e-9 and atol=1e-12. A run starts from the response of the linear model, so that only
    the nonlinear part has to settle. G is the first Fourier coefficient over a quarter of the run, with a
    smooth window for diagrams with clocks: for a nonlinear diagram, the describing function. Signals held
    between ticks count as staircases. `bode()` of the returned object draws G over the linear model.

    Raises AnalysisError if it does not settle, and the errors of `linearize` and `simulate`.

    Source: Gelb and Vander Velde, Multiple-Input Describing Functions (1968), chapter 2.
    """
    program = diagram.compile(parameters, set, loops=loops)
    return response_to_sines(
        program, omega, input, outputs, amplitude=amplitude, at=at, time=time, open=open,
        settled=settled, periods=periods, simulation=simulation,
    )  # fmt: skip
