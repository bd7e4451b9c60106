"""Blocks that mean something else in Simulink keep that meaning here, or stop the import.

Each case is a small model and its response, a closed form or a difference equation written here.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat

from blockdyn.base.errors import BlockdynError
from blockdyn.interop.simulink import SimulinkWarning, UntranslatedModel, load_simulink

from .simulink_files import Inside, write_slx

Response = Callable[[Any], Any]
CASES: list[Any] = []
OBSTACLES: list[Any] = []
TICKS = np.arange(0.05, 2.0, 0.1)  # in the middle of samples of 0.1 s
SMOOTH = np.array([0.0, 0.13, 0.37, 0.71, 1.13, 1.49, 1.77, 1.93])


def b(kind: str, name: str, inside: Inside | None = None, **fields: str) -> tuple[Any, ...]:
    """A block of a model."""
    return (kind, name, fields) if inside is None else (kind, name, fields, inside)


Y = b("ToWorkspace", "y", VariableName="y")
PULSE = b("DiscretePulseGenerator", "p", PulseType="Time based", Period="0.8", PulseWidth="50")  # 1 until 0.4


def case(
    name: str,
    blocks: Sequence[tuple[Any, ...]],
    lines: str,
    expected: Response,
    times: Any = SMOOTH,
    tolerance: float = 1e-6,
    **options: Any,
) -> None:
    """A model whose signal `y` is a function of the times."""
    CASES.append(pytest.param(blocks, lines, expected, times, tolerance, options, id=name))


def stops(name: str, paths: str, blocks: Sequence[tuple[Any, ...]], lines: str, **options: Any) -> None:
    """A model that has no counterpart, with the paths of all its obstacles."""
    OBSTACLES.append(pytest.param(blocks, lines, paths.split(", "), options, id=name))


def samples(step: Callable[[int, float], float], period: float = 0.1, offset: float = 0.0) -> Response:
    """A held signal: `step` gives the value of sample k from k and the time."""

    def at(times: Any) -> Any:
        values = []
        for k in range(int((np.max(times) - offset) / period + 1e-9) + 1):
            values.append(step(k, offset + k * period))
        return np.array([values[int((t - offset) / period + 1e-9)] for t in times])

    return at


def sequence(values: Iterator[float], period: float = 0.1) -> Response:
    """A held signal whose samples a generator gives one after another."""
    listed: list[float] = []

    def step(k: int, _: float) -> float:
        while len(listed) <= k:
            listed.append(next(values))
        return listed[k]

    return samples(step, period)


def write(folder: Path, blocks: Sequence[tuple[Any, ...]], lines: str, options: Any) -> Path:
    """The file of a case."""
    listed = [line.strip() for line in lines.split(";") if line.strip()]
    return write_slx(folder / "model.slx", [*blocks, Y], listed, **{"stop": "2", **options})


CLOCK, SINE = b("Clock", "t"), b("Sin", "s", Amplitude="2", Frequency="3")
FAST = b("Sin", "s", Amplitude="2", Frequency="3", SampleTime="0.1")
STEP = b("Step", "u", Time="0")


def wave(t: Any) -> Any:
    """The sine of the models."""
    return 2 * np.sin(3 * np.asarray(t))


# defaults and units

case(
    "saturation's limits", [SINE, b("Saturate", "B")], "s -> B; B -> y", lambda t: np.clip(wave(t), -0.5, 0.5)
)
case(
    "quantizer's interval, halves away from 0",
    [b("Step", "u", Time="1", Before="-0.75", After="0.75"), b("Quantizer", "B")],
    "u -> B; B -> y", lambda t: np.where(t < 1, -1.0, 1.0),
)  # fmt: skip
case(
    "switch's inputs and threshold",
    [b("Constant", "a", Value="10"), SINE, b("Constant", "c", Value="20"), b("Switch", "B")],
    "a -> B; s -> B.2; c -> B.3; B -> y", lambda t: np.where(wave(t) >= 0, 10.0, 20.0),
)  # fmt: skip
case(
    "switch for not 0",
    [b("Constant", "a", Value="10"), b("Step", "u", Before="-0.1", After="0"), b("Constant", "c", Value="20"),
     b("Switch", "B", Criteria="u2 ~= 0", Threshold="3")],
    "a -> B; u -> B.2; c -> B.3; B -> y", lambda t: np.where(t < 1, 10.0, 20.0),
)  # fmt: skip
case(
    "relay is off at 0 by default",
    [b("Constant", "u", Value="0"), b("Relay", "B", OnOutputValue="3", OffOutputValue="-3")],
    "u -> B; B -> y", lambda t: -3.0 + 0 * t,
)  # fmt: skip
case(
    "relay switches at its thresholds",
    [b("Sin", "u", Amplitude="1", SampleTime="0.1"),
     b("Relay", "B", OnSwitchValue="0.5", OffSwitchValue="-0.5")],
    "u -> B; B -> y",
    sequence((1.0 if np.sin(0.1 * k) >= 0.5 or (0.5 < 0.1 * k < 3.6) else 0.0) for k in range(40)), TICKS,
)  # fmt: skip
case(
    "dead zone's limits", [SINE, b("DeadZone", "B")], "s -> B; B -> y",
    lambda t: wave(t) - np.clip(wave(t), -0.5, 0.5),
)  # fmt: skip
case(
    "pulse's width in percent and phase delay",
    [b("DiscretePulseGenerator", "B", PulseType="Time based", Amplitude="4", Period="0.5", PulseWidth="20",
       PhaseDelay="0.1")],
    "B -> y", lambda t: np.where((t >= 0.1) & ((t - 0.1) % 0.5 < 0.1), 4.0, 0.0), TICKS,
)  # fmt: skip
case(
    "pulse of samples",
    [b("DiscretePulseGenerator", "B", PulseType="Sample based", Period="5", PulseWidth="2", PhaseDelay="1",
       SampleTime="0.1")],
    "B -> y", samples(lambda k, t: 1.0 if k >= 1 and (k - 1) % 5 < 2 else 0.0), TICKS,
)  # fmt: skip
case("sampled sine", [FAST], "s -> y", samples(lambda k, t: wave(t)), TICKS)
case(
    "sine of samples",
    [b("Sin", "B", SineType="Sample based", Samples="8", Offset="2", Amplitude="3", Bias="1",
       SampleTime="0.1")],
    "B -> y", samples(lambda k, t: 1 + 3 * np.sin(2 * np.pi * (k + 2) / 8)), TICKS,
)  # fmt: skip
case(
    "chirp in Hz", [b("simulink/Sources/Chirp Signal", "B", f1="0.2", T="2", f2="1")], "B -> y",
    lambda t: np.sin(2 * np.pi * (0.2 * t + 0.2 * t**2)), warns="B: steps",
)  # fmt: skip
case(
    "ramp's start and initial output",
    [b("simulink/Sources/Ramp", "B", slope="2", start="0.5", InitialOutput="-1")],
    "B -> y", lambda t: -1 + 2 * np.maximum(t - 0.5, 0),
)  # fmt: skip
case(
    "square of a signal generator",
    [b("SignalGenerator", "B", WaveForm="square", Amplitude="2", Frequency="1")],
    "B -> y", lambda t: np.where(t % 1 < 0.5, -2.0, 2.0),
)  # fmt: skip
case(
    "repeating sequence", [b("simulink/Sources/Repeating Sequence", "B", rep_seq_t="[0 0.5 1]",
    rep_seq_y="[0 2 1]")],
    "B -> y", lambda t: np.interp(t % 1, [0, 0.5, 1], [0, 2, 1]),
)  # fmt: skip
case(
    "gain with a sample time samples its input",
    [CLOCK, b("Gain", "B", Gain="3", SampleTime="0.1")], "t -> B; B -> y", samples(lambda k, t: 3 * t), TICKS,
)  # fmt: skip
case(
    "sum with a sample time and offset",
    [CLOCK, b("Sum", "B", Inputs="|+-", SampleTime="[0.2 0.05]"), b("Constant", "c", Value="2")],
    "t -> B.1; c -> B.2; B -> y", samples(lambda k, t: t - 2, 0.2, 0.05), TICKS[1:] + 0.01,
)  # fmt: skip

# discrete


def euler(gain: float, method: str, low: float = -np.inf, high: float = np.inf) -> Iterator[float]:
    """A discrete integral of the sampled sine."""
    x, k = 0.5, 0
    while True:
        u, nxt = gain * wave(0.1 * k), gain * wave(0.1 * (k + 1))
        if method == "forward":
            yield x
            x = min(max(x + 0.1 * u, low), high)
        elif method == "backward":
            x = min(max(x + 0.1 * u, low), high)
            yield x
        else:
            y = min(max(x + 0.05 * u, low), high)
            yield y
            x = y + 0.05 * u
        k += 1
        del nxt


for rule, title in (
    ("Forward Euler", "forward"),
    ("Backward Euler", "backward"),
    ("Trapezoidal", "trapezoidal"),
):
    case(
        f"discrete integrator, {title}, with a gain",
        [FAST, b("DiscreteIntegrator", "B", IntegratorMethod=f"Integration: {rule}", gainval="3",
                 InitialCondition="0.5", SampleTime="-1")],
        "s -> B; B -> y", sequence(euler(3.0, title)), TICKS,
    )  # fmt: skip
case(
    "discrete integrator's limits",
    [FAST, b("DiscreteIntegrator", "B", InitialCondition="0.5", LimitOutput="on", UpperSaturationLimit="0.9",
             LowerSaturationLimit="0.2", SampleTime="0.1")],
    "s -> B; B -> y", sequence(euler(1.0, "forward", 0.2, 0.9)), TICKS,
)  # fmt: skip
case(
    "accumulation",
    [FAST, b("DiscreteIntegrator", "B", IntegratorMethod="Accumulation: Forward Euler",
             InitialCondition="0.5", SampleTime="0.1")],
    "s -> B; B -> y", sequence(euler(10.0, "forward")), TICKS,
)  # fmt: skip
case(
    "unit delay at the first sample", [FAST, b("UnitDelay", "B", InitialCondition="7", SampleTime="-1")],
    "s -> B; B -> y", samples(lambda k, t: wave(t - 0.1) if k else 7.0), TICKS,
)  # fmt: skip
case(
    "delay has a length of 2", [FAST, b("Delay", "B", InitialCondition="7", SampleTime="-1")],
    "s -> B; B -> y", samples(lambda k, t: wave(t - 0.2) if k > 1 else 7.0), TICKS,
)  # fmt: skip
case(
    "delay of no samples takes samples", [CLOCK, b("Delay", "B", DelayLength="0", SampleTime="0.1")],
    "t -> B; B -> y", samples(lambda k, t: t), TICKS,
)  # fmt: skip
case(
    "transport delay's initial output",
    [SINE, b("TransportDelay", "B", DelayTime="0.5", InitialOutput="7")], "s -> B; B -> y",
    lambda t: np.where(t < 0.5, 7.0, wave(t - 0.5)),
)  # fmt: skip
case("hold", [SINE, b("ZeroOrderHold", "B", SampleTime="0.2")], "s -> B; B -> y",
     samples(lambda k, t: wave(t), 0.2), TICKS)  # fmt: skip
case(
    "hold with an offset", [SINE, b("ZeroOrderHold", "B", SampleTime="[0.2 0.1]")], "s -> B; B -> y",
    samples(lambda k, t: wave(t), 0.2, 0.1), TICKS[2:],
)  # fmt: skip
case(
    "rate transition to a slower clock",
    [FAST, b("RateTransition", "B"), b("UnitDelay", "z", SampleTime="0.5")], "s -> B; B -> z; z -> y",
    samples(lambda k, t: wave(t - 0.5) if k else 0.0, 0.5), TICKS,
)  # fmt: skip
case(
    "rate transition to a faster clock delays",
    [b("Sin", "s", Amplitude="2", Frequency="3", SampleTime="0.5"),
     b("RateTransition", "B", InitialCondition="7"),
     b("UnitDelay", "z", SampleTime="0.1")],
    "s -> B; B -> z; z -> y",
    samples(lambda k, t: 0.0 if k == 0 else 7.0 if k < 6 else wave(0.5 * ((k - 1) // 5 - 1))), TICKS,
)  # fmt: skip
case(
    "rate transition with its own clock samples",
    [CLOCK, b("RateTransition", "B", OutPortSampleTime="0.5")], "t -> B; B -> y",
    samples(lambda k, t: t, 0.5), TICKS,
)  # fmt: skip
case(
    "sample time inherited in a loop",
    [FAST, b("Sum", "a", Inputs="++"), b("UnitDelay", "z", SampleTime="-1")],
    "s -> a; z -> a.2; a -> z, y", sequence(np.cumsum([wave(0.1 * k) for k in range(40)]).__iter__()), TICKS,
)  # fmt: skip
case(
    "blocks of two clocks take the faster",
    [FAST, b("Sin", "slow", SampleTime="0.3"), b("Sum", "a"), b("UnitDelay", "z", SampleTime="-1")],
    "s -> a; slow -> a.2; a -> z; z -> y",
    samples(lambda k, t: wave(t - 0.1) + np.sin(0.3 * ((k - 1) // 3)) if k else 0.0), TICKS,
)  # fmt: skip
FIXED = {"SolverName": "ode1", "SolverType": "Fixed-step", "FixedStep": "0.1"}
case(
    "memory with fixed steps", [CLOCK, b("Memory", "B", InitialCondition="7")], "t -> B; B -> y",
    samples(lambda k, t: t - 0.1 if k else 7.0), TICKS[:-1] + 0.05, solver=FIXED,
)  # fmt: skip
case(
    "memory with fixed steps of a slower signal",
    [b("Sin", "s", SampleTime="0.2"), b("Memory", "B")], "s -> B; B -> y",
    samples(lambda k, t: np.sin(0.2 * ((k - 1) // 2)) if k else 0.0), TICKS, solver=FIXED,
)  # fmt: skip
stops("memory with variable steps", "B", [SINE, b("Memory", "B")], "s -> B; B -> y")
stops(
    "memory of a sampled signal among continuous ones", "B",
    [b("Sin", "s", SampleTime="0.2"), b("Memory", "B"), b("Integrator", "x")], "s -> B, x; B -> y",
)  # fmt: skip


def filtered(num: Sequence[float], den: Sequence[float]) -> Iterator[float]:
    """Output of a filter of rising powers of 1/z for the sampled sine."""
    u: list[float] = []
    y: list[float] = []
    while True:
        u.insert(0, wave(0.1 * len(u)))
        value = sum(c * v for c, v in zip(num, u, strict=False))
        value -= sum(c * v for c, v in zip(den[1:], y, strict=False))
        y.insert(0, value / den[0])
        yield y[0]


case(
    "discrete transfer function in z",
    [FAST, b("DiscreteTransferFcn", "B", Numerator="[1 2]", Denominator="[2 -1 0.5]", SampleTime="0.1")],
    "s -> B; B -> y", sequence(filtered([0, 1, 2], [2, -1, 0.5])), TICKS,
)  # fmt: skip
case(
    "discrete filter in 1/z",
    [FAST, b("DiscreteFilter", "B", Numerator="[1 2]", Denominator="[2 -1 0.5]", SampleTime="0.1")],
    "s -> B; B -> y", sequence(filtered([1, 2], [2, -1, 0.5])), TICKS,
)  # fmt: skip
case(
    "discrete transfer function without a state takes samples",
    [CLOCK, b("DiscreteTransferFcn", "B", Numerator="4", Denominator="2", SampleTime="0.1")],
    "t -> B; B -> y", samples(lambda k, t: 2 * t), TICKS,
)  # fmt: skip
case(
    "fir filter's defaults", [FAST, b("DiscreteFir", "B", SampleTime="-1")], "s -> B; B -> y",
    sequence(filtered([0.5, 0.5], [1.0])), TICKS,
)  # fmt: skip
case(
    "discrete zeros and poles",
    [FAST, b("DiscreteZeroPole", "B", Zeros="[0.5]", Poles="[0 -0.5]", Gain="3", SampleTime="0.1")],
    "s -> B; B -> y", sequence(filtered([0, 3, -1.5], [1, 0.5])), TICKS,
)  # fmt: skip
case(
    "discrete derivative",
    [FAST, b("simulink/Discrete/Discrete Derivative", "B", gainval="2", ICPrevScaledInput="3")],
    "s -> B; B -> y",
    samples(lambda k, t: 20 * (wave(t) - wave(t - 0.1)) if k else 20 * wave(0) - 3.0), TICKS,
)  # fmt: skip
case(
    "difference", [FAST, b("simulink/Discrete/Difference", "B", ICPrevInput="3")], "s -> B; B -> y",
    samples(lambda k, t: wave(t) - wave(t - 0.1) if k else -3.0), TICKS,
)  # fmt: skip

LOGIC = "simulink/Logic and Bit Operations/"
case(
    "detect increase", [FAST, b(f"{LOGIC}Detect Increase", "B", vinit="-3")], "s -> B; B -> y",
    samples(lambda k, t: float(wave(t) > (wave(t - 0.1) if k else -3.0))), TICKS,
)  # fmt: skip
case(
    "detect change", [b("ZeroOrderHold", "h", SampleTime="0.1"), b("Step", "s", Time="0.25"),
                      b(f"{LOGIC}Detect\nChange", "B", vinit="0")], "s -> h; h -> B; B -> y",
    samples(lambda k, t: float(k == 3)), TICKS,
)  # fmt: skip


def limited(rise: float, fall: float, start: float) -> Iterator[float]:
    """A sampled rate limiter."""
    y, k = start, 0
    while True:
        y += min(max(wave(0.1 * k) - y, fall * 0.1), rise * 0.1)
        yield y
        k += 1


case(
    "sampled rate limiter's start",
    [FAST, b("RateLimiter", "B", RisingSlewLimit="4", FallingSlewLimit="-2", InitialCondition="1",
             SampleTimeMode="inherited")],
    "s -> B; B -> y", sequence(limited(4, -2, 1)), TICKS,
)  # fmt: skip
case(
    "continuous rate limiter starts at its input",
    [b("Ramp", "s", slope="5", X0="3"),
     b("RateLimiter", "B", RisingSlewLimit="2", SampleTimeMode="continuous")],
    "s -> B; B -> y", lambda t: 3 + 2 * t,
)  # fmt: skip
case(
    "backlash's initial output",
    [SINE, b("Backlash", "B", BacklashWidth="1", InitialOutput="1")], "s -> B; B -> y",
    lambda t: np.where(t < np.pi / 18, 0.5, np.where(t < np.pi / 6, wave(t) - 0.5, 1.5)),
    np.linspace(0, 0.6, 7),
)  # fmt: skip


# mathematics and routing

VECTOR = b("Constant", "v", Value="[1 2 3 4 5 6]")
MATRIX = b("Constant", "A", Value="[2 1; 1 3]")


def constant(*values: float) -> Response:
    """A vector, or a number, that never changes."""
    return lambda t: np.tile(values, (len(t), 1)) if len(values) > 1 else values[0] + 0 * t


def static(name: str, block: tuple[Any, ...], value: str, *expected: float, **options: Any) -> None:
    """A block of one constant input."""
    case(
        name,
        [b("Constant", "c", Value=value), block],
        f"c -> {block[1]}; {block[1]} -> y",
        constant(*expected),
        np.array([0.5, 1.5]),
        **options,
    )


static(
    "polar coordinates around a goal in front",
    b("M-S-Function", "B", FunctionName="polar_sfunc"), "[-3 -4 0.1]", 5, -0.1 + math.atan2(4, 3),
    -math.atan2(4, 3), 1,
)  # fmt: skip
static(
    "polar coordinates around a goal behind",
    b("M-S-Function", "B", FunctionName="polar_sfunc"), "[3 -4 0.1]", 5, -0.1 - math.atan2(4, 3),
    math.atan2(4, 3), -1,
)  # fmt: skip
static(
    "pose in the plane times a point",
    b("MATLABFcn", "B", MATLABFcn="SE2(u)*[1; 2]", OutputDimensions="2"), "[3 4 pi/2]", 1, 5,
)  # fmt: skip
static("field around (60, 90)", b("MATLABFcn", "B", MATLABFcn="sensorfield(u(1), u(2))"), "[50 90]", 2 / 3)
case(
    "sinc, also at 0", [CLOCK, b("MATLABFcn", "B", MATLABFcn="sinc(u - 0.5)*sinc(0)")], "t -> B; B -> y",
    lambda t: np.sinc(t - 0.5), np.array([0.0, 0.3, 0.5, 1.2]),
)  # fmt: skip
static("degrees", b("simulink_extras/Transformations/Radians to Degrees", "B"), "[pi/2 -pi]", 90, -180)
static(
    "radians",
    b("simulink_extras/Transformations/Degrees to Radians", "B"),
    "[90 -180]",
    math.pi / 2,
    -math.pi,
)
static("block diagonal", b("Gain", "B", Gain="sum(sum(blkdiag([1 2], 3)))"), "2", 12)


def two(name: str, block: tuple[Any, ...], first: str, second: str, *expected: float) -> None:
    """A block of two constant inputs."""
    case(
        name, [b("Constant", "c", Value=first), b("Constant", "d", Value=second), block],
        f"c -> {block[1]}; d -> {block[1]}.2; {block[1]} -> y", constant(*expected), np.array([0.5, 1.5]),
    )  # fmt: skip


for name, matrix, options in (
    ("demux of a number", "3", [[1, 2], [3, 4], [5, 6]]),
    ("demux with remainders", "[1 -1 2]", [[1], [2, 3, 4], [5, 6]]),
):
    for k, part in enumerate(options, 1):
        case(f"{name}, part {k}", [VECTOR, b("Demux", "B", Outputs=matrix, Ports="[1, 3]")],
             f"v -> B; B.{k} -> y", constant(*part), np.array([0.5, 1.5]))  # fmt: skip
static("selector counts from 1", b("Selector", "B", IndexOptions="Index vector (dialog)", Indices="[3 1]",
       InputPortWidth="4"), "[10 20 30 40]", 30, 10)  # fmt: skip
static("selector that counts from 0", b("Selector", "B", IndexMode="Zero-based", Indices="[3 1]",
       InputPortWidth="4"), "[10 20 30 40]", 40, 20)  # fmt: skip
case(
    "reshape fills by columns",
    [VECTOR, b("Reshape", "R", OutputDimensionality="Customize", OutputDimensions="[2 3]"),
     b("Constant", "d", Value="[1; 10; 100]"), b("Product", "B", Multiplication="Matrix(*)")],
    "v -> R; R -> B; d -> B.2; B -> y", constant(531, 642), np.array([0.5]),
)  # fmt: skip
static(
    "gain times a vector", b("Gain", "B", Gain="[1 2; 3 4]", Multiplication="Matrix(K*u)"), "[5; 6]", 17, 39
)
static(
    "vector times a gain", b("Gain", "B", Gain="[1 2; 3 4]", Multiplication="Matrix(u*K)"), "[5 6]", 23, 34
)
static("gain by elements", b("Gain", "B", Gain="[1 2]"), "[5 6]", 5, 12)
two("product's inverse of a matrix", b("Product", "B", Inputs="/*", Multiplication="Matrix(*)"), "[2 1; 1 3]",
    "[5; 10]", 1, 3)  # fmt: skip
two("product's quotient", b("Product", "B", Inputs="/*"), "4", "[8 2]", 2, 0.5)
static("product of the elements of an input", b("Product", "B", Inputs="1"), "[2 3 4]", 24)
static("quotients of the elements of an input", b("Product", "B", Inputs="/"), "[2 4]", 0.125)
static("sum of the elements of an input", b("Sum", "B", Inputs="-"), "[2 3 4]", -9)
two("mux of vectors", b("Mux", "B", Inputs="2"), "[1 2]", "3", 1, 2, 3)
two("any value but 0 is true", b("Logic", "B", Operator="AND"), "-0.1", "0.2", 1)
case(
    "exclusive or of three", [b("Constant", "c", Value="3"), b("Logic", "B", Operator="XOR", Inputs="3")],
    "c -> B, B.2, B.3; B -> y", constant(1),
)  # fmt: skip
two("comparison at equality", b("RelationalOperator", "B", Operator=">="), "2", "2", 1)
static("comparison to a constant", b("simulink/Logic and Bit Operations/Compare To Constant", "B"), "3", 1)
static("least of the elements", b("MinMax", "B", Inputs="1"), "[4 -2 3]", -2)
two(
    "mod has the sign of the divisor",
    b("Math", "B", Operator="mod"),
    "[5 -5 5 -5]",
    "[3 3 -3 -3]",
    2,
    1,
    -1,
    -2,
)
two(
    "rem has the sign of the dividend",
    b("Math", "B", Operator="rem"),
    "[5 -5 5 -5]",
    "[3 3 -3 -3]",
    2,
    -2,
    2,
    -2,
)
two("mod by 0", b("Math", "B", Operator="mod"), "5", "0", 5)
case(
    "mod of samples next to a multiple",
    [
        b("DigitalClock", "t", SampleTime="0.1"),
        b("Constant", "d", Value="0.1"),
        b("Math", "B", Operator="mod"),
    ],
    "t -> B; d -> B.2; B -> y",
    constant(0),
    TICKS,
)
static("round's halves", b("Rounding", "B", Operator="round"), "[0.5 -0.5 2.5 -2.5]", 1, -1, 3, -3)
static("fix", b("Rounding", "B", Operator="fix"), "[1.7 -1.7]", 1, -1)
static("signed square root", b("Sqrt", "B", Operator="signedSqrt"), "[4 -9]", 2, -3)
static("reciprocal square root", b("Sqrt", "B", Operator="rSqrt"), "4", 0.5)
two("atan2 of y and x", b("Trigonometry", "B", Operator="atan2"), "1", "-2", np.arctan2(1, -2))
two("power", b("Math", "B", Operator="pow"), "2", "-3", 0.125)
for text, value in (
    ("u[1]+10*u(2)", 45.0), ("-u(1)^2", -25.0), ("2*u(1)^2", 50.0), ("(u(1)>3)&&(u(2)<4)", 0.0),
    ("rem(-u(1), u(2))", -1.0), ("(u(1)==5)+(u(2)!=4)", 1.0), ("sgn(-u)*fabs(u[2])", -4.0),
):  # fmt: skip
    static(f"fcn {text}", b("Fcn", "B", Expr=text), "[5 4]", value)
static(
    "matlab expression", b("MATLABFcn", "B", MATLABFcn="[u(2)*2 sum(u)]", OutputDimensions="2"), "[5 4]", 8, 9
)
static("coulomb friction", b("simulink/Discontinuities/Coulomb & Viscous Friction", "B", offset="1",
       gain="2"), "[-2 0.5 0]", -5, 2, 0)  # fmt: skip
static("wrap to zero", b("simulink/Discontinuities/Wrap To Zero", "B", Threshold="3"), "[3 3.1]", 3, 0)
for value, result in (("0", 1.0), ("1", 0.0)):
    case(f"manual switch at {value}", [b("Constant", "c", Value="0"), b("Constant", "d", Value="1"),
         b("ManualSwitch", "B", sw=value)], "c -> B; d -> B.2; B -> y", constant(result))  # fmt: skip
case(
    "multiport switch counts from 1 and truncates",
    [b("Constant", "c", Value="2.9"), b("Constant", "d", Value="10"), b("Constant", "e", Value="20"),
     b("MultiPortSwitch", "B", Inputs="2")],
    "c -> B; d -> B.2; e -> B.3; B -> y", constant(20),
)  # fmt: skip
case("input without a line is 0", [CLOCK, b("Sum", "B", Inputs="+-")], "t -> B.2; B -> y", lambda t: -t)
case(
    "block commented out", [CLOCK, b("Gain", "G", Gain="5", Commented="on"), b("Sum", "B", Inputs="++")],
    "t -> G, B; G -> B.2; B -> y", lambda t: t,
)  # fmt: skip
case("block commented through", [CLOCK, b("Gain", "B", Gain="5", Commented="through")], "t -> B; B -> y",
     lambda t: t)  # fmt: skip

# tables and data

case(
    "table extrapolates",
    [
        CLOCK,
        b("Lookup_n-D", "B", NumberOfTableDimensions="1", BreakpointsForDimension1="[0.5 1]", Table="[2 3]"),
    ],
    "t -> B; B -> y",
    lambda t: 1 + 2 * t,
)
case(
    "table of values below",
    [CLOCK, b("Lookup_n-D", "B", NumberOfTableDimensions="1", BreakpointsForDimension1="[0 0.5 1]",
              Table="[2 3 4]", InterpMethod="Flat", ExtrapMethod="Clip")],
    "t -> B; B -> y", lambda t: 2.0 + np.minimum(np.floor(2 * t), 2),
)  # fmt: skip
for name, fields, after in (
    ("extrapolate by default", {}, lambda t: 6 - 2 * t),
    ("hold their last value", {"OutputAfterFinalValue": "Holding final value"}, lambda t: 4 + 0 * t),
):
    case(
        f"data of the workspace {name}",
        [b("FromWorkspace", "B", VariableName="[0 0; 0.5 5; 1 4]", **fields)],
        "B -> y",
        lambda t, f=after: np.where(t < 1, np.interp(t, [0, 0.5, 1], [0, 5, 4]), f(t)),
    )
case(
    "data of the workspace beyond the model's end",
    [b("FromWorkspace", "B", VariableName="[0 0; 1 2]")],
    "B -> y",
    lambda t: 2 * t,
    stop="1",
    run={"stop": 2.0},
)
stops("data of the workspace go to 0", "B", [b("FromWorkspace", "B", VariableName="[0 0; 1 2]",
      OutputAfterFinalValue="Setting to zero")], "B -> y")  # fmt: skip

# continuous dynamics

case(
    "integrator's limits",
    [
        STEP,
        b(
            "Integrator",
            "B",
            InitialCondition="-1",
            LimitOutput="on",
            UpperSaturationLimit="0.5",
            LowerSaturationLimit="-2",
        ),
    ],
    "u -> B; B -> y",
    lambda t: np.minimum(t - 1, 0.5),
)
case(
    "integrator's reset at a passage through 0",
    [STEP, b("Step", "r", Time="1.05", Before="-0.1", After="0.1"),
     b("Integrator", "B", InitialCondition="3", ExternalReset="rising")],
    "u -> B; r -> B.2; B -> y", lambda t: np.where(t < 1.05, 3 + t, 3 + t - 1.05),
)  # fmt: skip
case(
    "integrator's reset by a pulse",
    [STEP, b("DiscretePulseGenerator", "r", PulseType="Time based", Period="0.8", PulseWidth="50"),
     b("Integrator", "B", InitialCondition="3", ExternalReset="falling")],
    "u -> B; r -> B.2; B -> y", lambda t: 3 + np.where(t < 0.4, t, (t - 0.4) % 0.8),
)  # fmt: skip
for level in ("level", "level hold"):
    case(
        f"integrator's reset by a pulse, {level}", [STEP, PULSE,
         b("Integrator", "B", InitialCondition="3", ExternalReset=level)],
        "u -> B; p -> B.2; B -> y", lambda t: 3 + np.maximum(t % 0.8 - 0.4, 0),
    )  # fmt: skip
    case(
        f"integrator's reset while a signal is below 0, {level}",
        [b("Constant", "c", Value="[1 -2]"), b("Step", "r", Time="0.9", Before="-2", After="0"),
         b("Integrator", "B", InitialCondition="[3 4]", ExternalReset=level)],
        "c -> B; r -> B.2; B -> y",
        lambda t: np.stack([3 + np.maximum(t - 0.9, 0), 4 - 2 * np.maximum(t - 0.9, 0)], axis=-1),
    )  # fmt: skip
case(
    "integrator's initial value from a port",
    [STEP, b("Constant", "c", Value="3"), b("Integrator", "B", InitialConditionSource="external")],
    "u -> B; c -> B.2; B -> y", lambda t: 3 + t,
)  # fmt: skip
case(
    "integrator that begins at a computed signal",
    [STEP, b("Constant", "c", Value="3"), b("Gain", "g", Gain="2"),
     b("Integrator", "B", InitialConditionSource="external")],
    "u -> B.1; c -> g; g -> B.2; B -> y", lambda t: 6 + t,
)  # fmt: skip
case(
    "state space", [STEP, b("StateSpace", "B", A="[0 1; -4 0]", B="[0; 1]", C="[1 0]", D="0", X0="[1; 0]")],
    "u -> B; B -> y", lambda t: 0.25 + 0.75 * np.cos(2 * t),
)  # fmt: skip
case("zeros and poles", [STEP, b("ZeroPole", "B")], "u -> B; B -> y", lambda t: 2 - 2 * np.exp(-t) - t)
case(
    "transfer function with leading zeros", [STEP, b("TransferFcn", "B", Numerator="[0 0 2]",
    Denominator="[2 4]")], "u -> B; B -> y", lambda t: 0.5 * (1 - np.exp(-2 * t)),
)  # fmt: skip
case(
    "algebraic loop", [SINE, b("Sum", "a", Inputs="+-"), b("Gain", "k", Gain="3")],
    "s -> a; k -> a.2; a -> k, y", lambda t: wave(t) / 4,
)  # fmt: skip
PID = "simulink/Continuous/PID Controller"
case(
    "ideal controller", [STEP, b(PID, "B", Form="Ideal", P="2", I="3", D="0.5", N="10",
    InitialConditionForIntegrator="0.4", InitialConditionForFilter="0.2")],
    "u -> B; B -> y", lambda t: 2 * (1 + 3 * t + 0.4 + 10 * (0.5 - 0.2) * np.exp(-10 * t)),
)  # fmt: skip
case(
    "controller's back-calculation", [STEP, b(PID, "B", P="1", I="2", D="0", LimitOutput="on",
    UpperSaturationLimit="0.5", LowerSaturationLimit="-1", AntiWindupMode="back-calculation", Kb="4",
    Controller="PI"), b("Step", "d", Time="1", Before="1", After="0.1")],
    "d -> B; B -> y",
    lambda t: np.where(t < 1, 0.5, np.minimum(0.5, 0.1 + 0.2 * (t - 1) + 0 * np.exp(-4 * t))),
    np.array([0.3, 0.7]),
)  # fmt: skip


def controller(ideal: bool, low: float, high: float, back: float) -> Iterator[float]:
    """A sampled controller by forward Euler with back-calculation."""
    x, f, k, scale = 0.4, 0.2, 0, 2.0 if ideal else 1.0
    p, i, d, n = 1.0 if ideal else 2.0, 3.0, 0.5, 5.0
    while True:
        u = wave(0.1 * k)
        v = scale * (p * u + x + n * (d * u - f))
        y = min(max(v, low), high)
        yield y
        x, f, k = x + 0.1 * (i * u + back * (y - v)), f + 0.1 * n * (d * u - f), k + 1


for ideal in (False, True):
    case(
        f"sampled controller, {'ideal' if ideal else 'parallel'}",
        [
            FAST,
            b(
                "simulink/Discrete/Discrete PID Controller",
                "B",
                P="2",
                I="3",
                D="0.5",
                N="5",
                SampleTime="0.1",
                TimeDomain="Discrete-time",
                Form="Ideal" if ideal else "Parallel",
                LimitOutput="on",
                InitialConditionForIntegrator="0.4",
                InitialConditionForFilter="0.2",
                Kb="4",
                UpperSaturationLimit="3",
                LowerSaturationLimit="-2",
                AntiWindupMode="back-calculation",
            ),
        ],
        "s -> B; B -> y",
        sequence(controller(ideal, -2, 3, 4)),
        TICKS,
    )

# solvers


def fixed(slope: Callable[[float, float], float], order: int) -> Iterator[float]:
    """Euler's or Runge and Kutta's steps of 0.1 s."""
    x, k, h = 1.0, 0, 0.1
    while True:
        yield x
        t = k * h
        a = slope(t, x)
        if order == 1:
            x += h * a
        else:
            c = slope(t + h / 2, x + h / 2 * a)
            d = slope(t + h / 2, x + h / 2 * c)
            e = slope(t + h, x + h * d)
            x += h / 6 * (a + 2 * c + 2 * d + e)
        k += 1


HITS = np.arange(20) * 0.1 + 1e-12
for order in (1, 4):
    case(
        f"steps of ode{order}",
        [
            SINE,
            b("Sum", "a", Inputs="+-"),
            b("Integrator", "x", InitialCondition="1"),
            b("Gain", "k", Gain="5"),
        ],
        "s -> a; x -> k, y; k -> a.2; a -> x",
        sequence(fixed(lambda t, x: wave(t) - 5 * x, order)),
        HITS,
        1e-9,
        solver={**FIXED, "SolverName": f"ode{order}"},
    )
case(
    "step between fixed steps", [b("Step", "u", Time="0.25"), b("Integrator", "x", InitialCondition="1")],
    "u -> x; x -> y", sequence(fixed(lambda t, x: 1.0 if t > 0.28 else 0.0, 1)), HITS, 1e-9, solver=FIXED,
)  # fmt: skip

# subsystems

IN, OUT = b("Inport", "u", Port="1"), b("Outport", "y", Port="1")


def sub(name: str, blocks: Sequence[tuple[Any, ...]], lines: str, **more: Any) -> tuple[Any, ...]:
    """A subsystem."""
    mask, commands = more.pop("mask", None), more.pop("commands", "")
    listed = [line.strip() for line in lines.split(";") if line.strip()]
    return b("SubSystem", name, Inside(blocks, listed, mask, commands), **more)


for states in ("held", "reset"):
    for outputs in ("held", "reset"):
        integral = (lambda t: np.minimum(t % 0.8, 0.4)) if states == "reset" else (
            lambda t: 0.4 * (t // 0.8) + np.minimum(t % 0.8, 0.4))  # fmt: skip
        case(
            f"enabled subsystem, states {states}, outputs {outputs}",
            [PULSE, b("Constant", "c"), sub("S", [IN, b("EnablePort", "e", StatesWhenEnabling=states),
             b("Integrator", "x"), b("Outport", "y", OutputWhenDisabled=outputs, InitialOutput="9")],
             "u -> x; x -> y")],
            "p -> S.enable; c -> S; S -> y",
            lambda t, f=integral, o=outputs: np.where((t % 0.8 > 0.4) & (o == "reset"), 9.0, f(t)),
            SMOOTH + 0.01,
        )  # fmt: skip
case(
    "enabled above 0",
    [b("Step", "p", Time="1", Before="0", After="0.1"), CLOCK, sub("S", [IN, b("EnablePort", "e"),
     b("Outport", "y", InitialOutput="5")], "u -> y")],
    "p -> S.enable; t -> S; S -> y", lambda t: np.where(t < 1, 5.0, t),
)  # fmt: skip
for kind, ticks in (
    ("rising", (0.8, 1.6)),
    ("falling", (0.4, 1.2, 2.0)),
    ("either", (0.4, 0.8, 1.2, 1.6, 2.0)),
):
    case(
        f"triggered subsystem, {kind}",
        [
            PULSE,
            CLOCK,
            sub(
                "S",
                [IN, b("TriggerPort", "e", TriggerType=kind), b("Outport", "y", InitialOutput="5")],
                "u -> y",
            ),
        ],
        "p -> S.trigger; t -> S; S -> y",
        lambda t, k=ticks: np.array([max([x for x in k if x <= v], default=5.0) for v in t]),
        SMOOTH,
    )
case(
    "falling trigger from 0",
    [
        b("Step", "p", Time="1.05", Before="0", After="-1"),
        CLOCK,
        sub(
            "S",
            [IN, b("TriggerPort", "e", TriggerType="falling"), b("Outport", "y", InitialOutput="5")],
            "u -> y",
        ),
    ],
    "p -> S.trigger; t -> S; S -> y",
    lambda t: np.where(t < 1.05, 5.0, 1.05),
)
case(
    "rising trigger to 0",
    [
        b("Step", "p", Time="1.05", Before="-1", After="0"),
        CLOCK,
        sub(
            "S",
            [IN, b("TriggerPort", "e", TriggerType="rising"), b("Outport", "y", InitialOutput="5")],
            "u -> y",
        ),
    ],
    "p -> S.trigger; t -> S; S -> y",
    lambda t: np.where(t < 1.05, 5.0, 1.05),
)


def action(name: str, gain: str) -> tuple[Any, ...]:
    """A subsystem that an If or a Switch Case enables."""
    return sub(name, [IN, b("ActionPort", "a"), b("Gain", "k", Gain=gain), OUT], "u -> k; k -> y")


case(
    "if and else with a merge",
    [SINE, b("If", "B", IfExpression="u1 >= 0.5"), action("P", "10"), action("Q", "-10"),
     b("Merge", "m", Inputs="2", Ports="[2, 1]")],
    "s -> B, P, Q; B.1 -> P.ifaction; B.2 -> Q.ifaction; P -> m; Q -> m.2; m -> y",
    lambda t: np.where(wave(t) >= 0.5, 10, -10) * wave(t),
)  # fmt: skip
case(
    "switch case truncates",
    [
        b("Constant", "c", Value="-1.9"),
        CLOCK,
        b("SwitchCase", "B", CaseConditions="{-2, -1}", ShowDefaultCase="off"),
        action("P", "10"),
        action("Q", "-10"),
        b("Merge", "m", Inputs="2", Ports="[2, 1]"),
    ],
    "c -> B; t -> P, Q; B.1 -> P.ifaction; B.2 -> Q.ifaction; P -> m; Q -> m.2; m -> y",
    lambda t: -10 * t,
)
CALLS = b("simulink/Ports & Subsystems/Function-Call Generator", "g", sample_time="[0.2 0.1]")


def called(name: str, *blocks: tuple[Any, ...], lines: str = "u -> y") -> tuple[Any, ...]:
    """A subsystem that works when it is called; its output begins at 5."""
    port, out = b("TriggerPort", "f", TriggerType="function-call"), b("Outport", "y", InitialOutput="5")
    return sub(name, [IN, port, *blocks, out], lines)


def at_calls(f: Response) -> Response:
    """Values of the last call, 5 before the first."""
    return lambda t: np.where(t < 0.1, 5.0, f(np.floor((t - 0.1) / 0.2 + 1e-9)))


case(
    "called subsystem holds between calls", [CALLS, CLOCK, called("S")], "g -> S.trigger; t -> S; S -> y",
    at_calls(lambda k: 0.1 + 0.2 * k), TICKS + 0.01,
)  # fmt: skip
case(
    "states of a called subsystem take a step at each call",
    [CALLS, b("Constant", "c", Value="3"),
     called("S", b("Sum", "a"), b("UnitDelay", "z", SampleTime="-1"),
            lines="u -> a; z -> a.2; a -> z; a -> y")],
    "g -> S.trigger; c -> S; S -> y", at_calls(lambda k: 3 * (k + 1)), TICKS + 0.01,
)  # fmt: skip
case(
    "a split call: the second subsystem reads the result of the first at the same call",
    [CALLS, CLOCK, b("FunctionCallSplit", "f"), called("S"), called("Q")],
    "g -> f; f.1 -> S.trigger; f.2 -> Q.trigger; t -> S; S -> Q; Q -> y",
    at_calls(lambda k: 0.1 + 0.2 * k), TICKS + 0.01,
)  # fmt: skip
case(
    "a call within a subsystem that is enabled",
    [CALLS, PULSE, CLOCK,
     sub("E", [IN, b("EnablePort", "e"), b("simulink/Ports & Subsystems/Function-Call Generator", "g",
         sample_time="0.2"), called("S"), OUT], "g -> S.trigger; u -> S; S -> y")],
    "p -> E.enable; t -> E; E -> y",
    lambda t: np.array([max([5.0 * (v < 0), *(k * 0.2 for k in range(11) if k * 0.2 <= v and k % 4 < 2)])
                        for v in t]),
    np.array([0.05, 0.25, 0.35, 0.55, 0.75, 0.85, 1.05, 1.15, 1.35]),
)  # fmt: skip
stops("edges of a called subsystem", "S", [PULSE, CLOCK, called("S")], "p -> S.trigger; t -> S; S -> y")
stops(
    "several calls at an instant", "g",
    [b("simulink/Ports & Subsystems/Function-Call Generator", "g", numberOfIterations="3"), CLOCK,
     called("S")],
    "g -> S.trigger; t -> S; S -> y",
)  # fmt: skip
case(
    "enabled by any element above 0",
    [b("Step", "p", Time="0.5", Before="-1", After="0.1"), b("Step", "q", Time="1", Before="1", After="0"),
     b("Step", "r", Time="1.5", Before="0", After="2"), b("Mux", "v", Inputs="3"), CLOCK,
     sub("S", [IN, b("EnablePort", "e"), OUT], "u -> y")],
    "p -> v; q -> v.2; r -> v.3; v -> S.enable; t -> S; S -> y", lambda t: t,
)  # fmt: skip
case(
    "enabled by none of the elements",
    [b("Step", "p", Time="1", Before="1", After="0"), b("Constant", "q", Value="[-1 0]"),
     b("Mux", "v", Inputs="2"), CLOCK, sub("S", [IN, b("EnablePort", "e"), OUT], "u -> y")],
    "p -> v; q -> v.2; v -> S.enable; t -> S; S -> y", lambda t: np.minimum(t, 1.0),
)  # fmt: skip
stops(
    "a vector as the trigger", "S",
    [b("Constant", "q", Value="[-1 0]"), CLOCK, sub("S", [IN, b("TriggerPort", "e"), OUT], "u -> y")],
    "q -> S.trigger; t -> S; S -> y",
)  # fmt: skip


def each(*blocks: tuple[Any, ...], lines: str, **fields: str) -> tuple[Any, ...]:
    """A for-each subsystem."""
    return sub("S", [b("ForEach", "e", **fields), *blocks], lines)


SUMMED = b("Sum", "s", Inputs="+", Ports="[1, 1]")
M = "[1 2 3; 4 5 6]"
case(
    "each copy has states of its own",
    [b("Constant", "c", Value="[1 -2 3]"), each(IN, b("Integrator", "x"), OUT, lines="u -> x; x -> y"),
     b("DotProduct", "d"), b("Constant", "w", Value="[1 10 100]")],
    "c -> S; S -> d; w -> d.2; d -> y", lambda t: (1 - 20 + 300) * t,
)  # fmt: skip
for label, value, fields, inner, expected in (
    ("parts of two elements", "[1 2 3 4 5 6]", {"InputPartitionWidth": "'2'"}, "sum", [3, 7, 11]),
    ("rows of a matrix", M, {"InputPartitionDimension": "'1'"}, "sum", [6, 15]),
    ("columns of a matrix", M, {"InputPartitionDimension": "'2'"}, "sum", [5, 7, 9]),
    ("vectors one after another", "[1 2 3 4]", {"InputPartitionWidth": "'2'"}, "twice", [2, 4, 6, 8]),
    ("rows one below another", M, {"InputPartitionDimension": "'1'"}, "twice", [2, 8, 4, 10, 6, 12]),
    ("rows side by side", M, {"OutputConcatenationDimension": "'2'"}, "twice", [2, 4, 6, 8, 10, 12]),
    ("columns side by side", M, {"InputPartitionDimension": "'2'", "OutputConcatenationDimension": "'2'"},
     "twice", [2, 8, 4, 10, 6, 12]),
    ("columns below one another", M, {"InputPartitionDimension": "'2'"}, "twice", [2, 8, 4, 10, 6, 12]),
):  # fmt: skip
    body = SUMMED if inner == "sum" else b("Gain", "s", Gain="2")
    static_each = each(IN, body, OUT, lines="u -> s; s -> y", **fields)
    case(
        f"for each: {label}",
        [b("Constant", "c", Value=value, VectorParams1D="on"), static_each,
         b("Reshape", "r", OutputDimensionality="1-D array")],
        "c -> S; S -> r; r -> y", constant(*expected), np.array([0.5, 1.5]),
    )  # fmt: skip
case(
    "for each: an input that all copies share",
    [b("Constant", "c", Value="[1 2 3]"), b("Constant", "k", Value="[10 20]"),
     each(IN, b("Inport", "v", Port="2"), SUMMED, b("Sum", "a"), OUT, InputPartition="'on','off'",
          lines="v -> s; u -> a; s -> a.2; a -> y")],
    "c -> S; k -> S.2; S -> y", constant(31, 32, 33), np.array([0.5, 1.5]),
)  # fmt: skip
for fields in ({"StateReset": "reset"}, {"ShowIterationIndex": "on"}, {"InputPartitionWidth": "'2'"}):
    stops(
        f"for each with {fields}", "S",
        [b("Constant", "c", Value="[1 2 3]"), each(IN, OUT, lines="u -> y", **fields)], "c -> S; S -> y",
    )  # fmt: skip
case(
    "goto and from, global and local",
    [CLOCK, SINE, b("Goto", "g", GotoTag="T", TagVisibility="global"), b("Goto", "h", GotoTag="L"),
     sub("S", [b("From", "f", GotoTag="T"), b("From", "k", GotoTag="L"), b("Constant", "c", Value="3"),
               b("Goto", "l", GotoTag="L"), b("Sum", "a"), OUT], "c -> l; f -> a; k -> a.2; a -> y")],
    "t -> g; s -> h; S -> y", lambda t: t + 3,
)  # fmt: skip
SCOPED = [b("GotoTagVisibility", "v", GotoTag="T"), b("Goto", "g", GotoTag="T", TagVisibility="scoped"),
          sub("N", [b("From", "f", GotoTag="T"), OUT], "f -> y"), IN, OUT]  # fmt: skip
case(
    "goto and from by scope",
    [
        CLOCK,
        SINE,
        sub("P", SCOPED, "u -> g; N -> y"),
        sub("Q", SCOPED, "u -> g; N -> y"),
        b("Sum", "a", Inputs="+-"),
    ],
    "t -> P; s -> Q; P -> a; Q -> a.2; a -> y",
    lambda t: t - wave(t),
)
stops("from without a goto", "f", [b("From", "f", GotoTag="nowhere")], "f -> y")
MASKED = [IN, b("Gain", "k", Gain="k*n"), OUT]
case(
    "mask's parameter hides the workspace's variable, commands compute more",
    [CLOCK, sub("S", MASKED, "u -> k; k -> y", mask=[("k", "edit", "w+1")], commands="n = 2*k;")],
    "t -> S; S -> y", lambda t: 18 * t, model={"InitFcn": "k = 100; n = 50; w = 2;"},
)  # fmt: skip
case(
    "masks in masks",
    [
        CLOCK,
        sub(
            "S",
            [
                IN,
                sub("N", [IN, b("Gain", "k", Gain="k"), OUT], "u -> k; k -> y", mask=[("k", "edit", "2*k")]),
                OUT,
            ],
            "u -> N; N -> y",
            mask=[("k", "edit", "5")],
        ),
    ],
    "t -> S; S -> y",
    lambda t: 10 * t,
    model={"InitFcn": "k = 100;"},
)
case(
    "mask's checkbox is 1 or 0",
    [
        CLOCK,
        sub("S", [IN, b("Gain", "k", Gain="3*on+1"), OUT], "u -> k; k -> y", mask=[("on", "checkbox", "on")]),
    ],
    "t -> S; S -> y",
    lambda t: 4 * t,
)
case(
    "sample time inherited in a subsystem",
    [FAST, sub("S", [IN, b("UnitDelay", "z", SampleTime="-1"), OUT], "u -> z; z -> y")],
    "s -> S; S -> y", samples(lambda k, t: wave(t - 0.1) if k else 0.0), TICKS,
)  # fmt: skip
case(
    "subsystem's ports by number",
    [
        CLOCK,
        SINE,
        sub(
            "S",
            [b("Inport", "b", Port="2"), b("Inport", "a", Port="1"), b("Sum", "B", Inputs="+-"), OUT],
            "a -> B; b -> B.2; B -> y",
        ),
    ],
    "t -> S; s -> S.2; S -> y",
    lambda t: t - wave(t),
)

# obstacles

for kind in ("int8", "uint16", "single", "fixdt(1,16,4)"):
    stops(f"data type {kind}", "S/B", [CLOCK, sub("S", [IN, b("Gain", "B", OutDataTypeStr=kind), OUT],
          "u -> B; B -> y")], "t -> S; S -> y")  # fmt: skip
stops(
    "conversion to int8", "B", [CLOCK, b("DataTypeConversion", "B", OutDataTypeStr="int8")], "t -> B; B -> y"
)
stops(
    "constant of int8",
    "c",
    [b("Constant", "c", Value="int8(200)"), b("Gain", "k", Gain="2")],
    "c -> k; k -> y",
)
stops("constant of single", "c", [b("Constant", "c", Value="single(0.1)")], "c -> y")
stops("gain of int8", "k", [CLOCK, b("Gain", "k", Gain="int8(2)")], "t -> k; k -> y")
case(
    "conversion to logical values", [SINE, b("DataTypeConversion", "B", OutDataTypeStr="boolean")],
    "s -> B; B -> y", lambda t: (t > 0) * 1.0,
)  # fmt: skip
stops(
    "all obstacles at once", "S/F, A, R, C",
    [CLOCK, sub("S", [IN, b("S-Function", "F", FunctionName="f"), OUT], "u -> F; F -> y"),
     b("Assignment", "A"), b("SimscapeBlock", "R"), b("SimscapeBlock", "C")],
    "t -> S; S -> A; A -> y; R.rconn:1 -> C.lconn:1",
)  # fmt: skip
stops(
    "stateflow's chart", "S", [CLOCK, sub("S", [IN, b("S-Function", "F", FunctionName="sf_sfun"), OUT],
    "u -> F; F -> y", SFBlockType="Chart")], "t -> S; S -> y",
)  # fmt: skip
stops("for-iterator", "S", [CLOCK, sub("S", [IN, b("ForIterator", "f"), OUT], "u -> y")], "t -> S; S -> y")
stops(
    "integrator's reset by a sampled level",
    "B",
    [CLOCK, b("Integrator", "B", ExternalReset="sampled level")],
    "t -> B, B.2; B -> y",
)
stops("discrete integrator's reset", "B", [FAST, b("DiscreteIntegrator", "B", ExternalReset="rising")],
      "s -> B, B.2; B -> y")  # fmt: skip
stops(
    "selector's index from a port",
    "B",
    [VECTOR, CLOCK, b("Selector", "B", IndexOptions="Index vector (port)")],
    "v -> B; t -> B.2; B -> y",
)
case(
    "matlab function with branches",
    [SINE, sub("S", [IN, b("S-Function", "F", FunctionName="sf_sfun"), OUT], "u -> F; F -> y",
               SFBlockType="MATLAB Function")],
    "s -> S; S -> y", lambda t: np.where(wave(t) > 1, 1 + (wave(t) - 1) / 2, wave(t)),
    scripts={"S": "function y = f(u)\ny = u;\nif u > 1\n  y = 1 + (u - 1)/2;\nend\n"},
)  # fmt: skip


static("masked block sees its mask", b("Gain", "B", Inside((), (), [("k", "edit", "3")]), Gain="k"), "2", 6,
       model={"InitFcn": "k = 100;"})  # fmt: skip
case(
    "mask's parameter that is not evaluated is a text",
    [CLOCK,
     sub("S", MASKED, "u -> k; k -> y", commands="n = 2 + 3*strcmp(m, 'w') + 5*strcmp(c, 'on');",
         mask=[("m", "edit!", "w"), ("c", "checkbox!", "on"), ("k", "edit", "1")])],
    "t -> S; S -> y", lambda t: 10 * t, model={"InitFcn": "w = 100;"},
)  # fmt: skip
case(
    "mask's choice is its number",
    [CLOCK, sub("S", [IN, b("Gain", "k", Gain="m"), OUT], "u -> k; k -> y", mask=[("m", "popup:a|b", "b")])],
    "t -> S; S -> y", lambda t: 2 * t,
)  # fmt: skip
case(
    "steps of ode4 by default", [STEP, b("Integrator", "x")], "u -> x; x -> y", lambda t: t,
    solver={"SolverName": "ode4", "SolverType": "Fixed-step", "FixedStep": "auto"},
)  # fmt: skip
case(
    "signal generator's sample time",
    [b("SignalGenerator", "B", Amplitude="2", Frequency="3", Units="rad/sec",
    SampleTime="0.1")], "B -> y", samples(lambda k, t: wave(t)), TICKS,
)  # fmt: skip
case(
    "sampled sine of a vector", [b("Sin", "B", Amplitude="[1 2]", SampleTime="0.1")], "B -> y",
    lambda t: np.outer(np.sin(np.floor(10 * t + 1e-9) / 10), [1, 2]), TICKS,
)  # fmt: skip
stops("controller in continuous time gives no clock", "z", [FAST, b(PID, "B", TimeDomain="Continuous-time"),
      b("UnitDelay", "z")], "s -> B; B -> z; z -> y")  # fmt: skip
stops("time-based pulse gives no clock", "z", [b("DiscretePulseGenerator", "p", PulseType="Time based",
      SampleTime="1"), b("UnitDelay", "z")], "p -> z; z -> y")  # fmt: skip


def clamped(low: float, high: float) -> Iterator[float]:
    """A sampled controller that stops its integral at a limit, if the integral would go further."""
    x, k = 0.0, 0
    while True:
        u = wave(0.1 * k)
        v = u + x
        y = min(max(v, low), high)
        yield y
        x += 0.0 if v != y and (v - y) * 6 * u > 0 else 0.1 * 6 * u
        k += 1


case(
    "sampled controller's clamping",
    [FAST, b("simulink/Discrete/Discrete PID Controller", "B", Controller="PI", I="6", SampleTime="0.1",
             TimeDomain="Discrete-time", LimitOutput="on", UpperSaturationLimit="3",
             LowerSaturationLimit="-1",
             AntiWindupMode="clamping")],
    "s -> B; B -> y", sequence(clamped(-1, 3)), TICKS,
)  # fmt: skip
for spline in ("Cubic spline", "Akima spline"):  # natural ends, and the modified rule, there
    stops(f"table of a {spline}", "B", [CLOCK, b("Lookup_n-D", "B", NumberOfTableDimensions="1",
          BreakpointsForDimension1="[0 1 2 3]", Table="[0 1 4 9]", InterpMethod=spline, ExtrapMethod="Clip")],
          "t -> B; B -> y")  # fmt: skip
LIMITED = {
    "TimeDomain": "Discrete-time",
    "SampleTime": "0.1",
    "LimitOutput": "on",
    "UpperSaturationLimit": "1",
    "LowerSaturationLimit": "-1",
    "AntiWindupMode": "back-calculation",
}
stops("back-calculation by the trapezoidal rule", "B", [FAST, b(PID, "B", **LIMITED,
      IntegratorMethod="Trapezoidal")], "s -> B; B -> y")  # fmt: skip
stops("back-calculation within a sample", "B", [FAST, b(PID, "B", **LIMITED, Kb="30")], "s -> B; B -> y")
case(
    "table of two inputs", [CLOCK, b("Constant", "c", Value="15"), b("Lookup_n-D", "B",
    NumberOfTableDimensions="2", BreakpointsForDimension1="[0 1]", BreakpointsForDimension2="[10 20]",
    Table="[0 1; 2 5]")], "t -> B; c -> B.2; B -> y", lambda t: 0.5 + 3 * t,
)  # fmt: skip


case(
    "unit delay in an enabled subsystem",
    [
        b(
            "DiscretePulseGenerator",
            "p",
            PulseType="Sample based",
            Period="4",
            PulseWidth="2",
            SampleTime="0.1",
        ),
        FAST,
        sub("S", [IN, b("EnablePort", "e"), b("UnitDelay", "z", SampleTime="-1"), OUT], "u -> z; z -> y"),
    ],
    "p -> S.enable; s -> S; S -> y",
    samples(
        lambda k, t: wave(
            0.1 * max((j for j in range(max([m for m in range(k + 1) if m % 4 < 2])) if j % 4 < 2), default=0)
        )
    ),
    TICKS,
)
case(
    "counter in a triggered subsystem",
    [
        PULSE,
        b("Constant", "c"),
        sub(
            "S",
            [IN, b("TriggerPort", "e"), b("Sum", "a"), b("UnitDelay", "z"), OUT],
            "u -> a; z -> a.2; a -> z, y",
        ),
    ],
    "p -> S.trigger; c -> S; S -> y",
    lambda t: np.floor(t / 0.8),
)
case(
    "bus by names of signals",
    [
        CLOCK,
        SINE,
        b("BusCreator", "c", Inputs="2", Ports="[2, 1]"),
        b("BusSelector", "B", OutputSignals="signal2,signal1"),
    ],
    "t -> c; s -> c.2; c -> B; B.1 -> y",
    wave,
)

# parameters that change a block, and signals that would be lost

case(
    "sine of a signal in place of the time",
    [b("Ramp", "t"), b("Sin", "B", TimeSource="Use external signal", Amplitude="2", Frequency="3", Bias="1")],
    "t -> B; B -> y", lambda t: 1 + wave(t),
)  # fmt: skip
stops(
    "input without a counterpart", "B",
    [CLOCK, b("DiscretePulseGenerator", "B", TimeSource="Use external signal")], "t -> B; B -> y",
)  # fmt: skip
stops(
    "further port of a multiport switch", "B",
    [b("Constant", "c", Value="5"), CLOCK,
     b("MultiPortSwitch", "B", Inputs="2", DataPortForDefault="Additional data port")],
    "c -> B; t -> B.2, B.3, B.4; B -> y",
)  # fmt: skip
for names, setting in (
    ("table in an object", b("Lookup_n-D", "B", DataSpecification="Lookup table object")),
    ("limits of a controller's integral", b(PID, "B", LimitIntegrator="on")),
    ("integral gain per sample", b(PID, "B", TimeDomain="Discrete-time", SampleTime="0.1", UseKiTs="on")),
    ("filter's initial states", b("DiscreteFir", "B", InitialStates="3", SampleTime="0.1")),
    ("block of an absent library with a name of Simulink's", b("mylib/PID Controller", "B")),
):
    stops(names, "B", [CLOCK, setting], "t -> B; B -> y")
stops(
    "subsystem of variants", "S",
    [CLOCK, sub("S", [IN, OUT, sub("A", [IN, OUT], "u -> y")], "", Variant="on")], "t -> S; S -> y",
)  # fmt: skip
BUS = [b("Constant", "v"), b("Constant", "w", Value="2"), b("BusCreator", "c", Inputs="'first','second'")]
FIELD = b("BusSelector", "B", OutputSignals="second")
case("bus by listed names", [*BUS, FIELD], "v -> c; w -> c.2; c -> B; B -> y", constant(2))
case(
    "bus through a conversion", [*BUS, FIELD, b("SignalConversion", "s")],
    "v -> c; w -> c.2; c -> s; s -> B; B -> y", constant(2),
)  # fmt: skip
stops(
    "bus through a delay", "s", [*BUS, FIELD, b("UnitDelay", "s", SampleTime="0.1")],
    "v -> c; w -> c.2; c -> s; s -> B; B -> y",
)  # fmt: skip
stops(
    "port for an element of a bus", "S/u",
    [*BUS, sub("S", [b("Inport", "u", IsBusElementPort="on", Element="second"), OUT], "u -> y")],
    "v -> c; w -> c.2; c -> S; S -> y",
)  # fmt: skip
case(
    "only integral, in the ideal form",
    [STEP, b(PID, "B", Controller="I", Form="Ideal", I="2")], "u -> B; B -> y", lambda t: 2 * t,
)  # fmt: skip
case(
    "goto without a signal is 0", [CLOCK, b("Goto", "g"), b("From", "f"), b("Sum", "B", Inputs="++")],
    "t -> B; f -> B.2; B -> y", lambda t: t,
)  # fmt: skip
case(
    "atomic subsystem's sample time",
    [SINE, sub("S", [IN, b("Gain", "k", Gain="2"), OUT], "u -> k; k -> y", TreatAsAtomicUnit="on",
               SystemSampleTime="0.1")],
    "s -> S; S -> y", samples(lambda k, t: 2 * wave(t)), TICKS,
)  # fmt: skip
stops("empty sample time", "B", [CLOCK, b("UnitDelay", "B", SampleTime="[]")], "t -> B; B -> y")

# sizes

case(
    "input of the model has a size", [b("Inport", "u", PortDimensions="3"), b("Bias", "a", Bias="1"),
    b("Sum", "B", Inputs="+")], "u -> a; a -> B; B -> y", constant(3),
)  # fmt: skip
case(
    "sum of taps",
    [CLOCK, b("simulink/Discrete/Tapped Delay", "d", DelayOrder="Newest", NumDelays="2", samptime="0.1"),
     b("Sum", "B", Inputs="+")],
    "t -> d; d -> B; B -> y", samples(lambda k, t: max(t - 0.1, 0) + max(t - 0.2, 0)), TICKS,
)  # fmt: skip
case(
    "elements of a diagonal",
    [b("Constant", "v", Value="[1 2;3 4]"), b("dspmtrx3/Extract Diagonal", "d"),
     b("Demux", "B", Outputs="2")],
    "v -> d; d -> B; B.2 -> y", constant(4),
)  # fmt: skip
case(
    "vectors below one another are a column",
    [b("Constant", "v", Value="[1 2]"), b("Concatenate", "B", Mode="Multidimensional array",
     ConcatenateDimension="1", NumInputs="2")],
    "v -> B, B.2; B -> y", constant(1, 2, 1, 2),
)  # fmt: skip
case(
    "row of numbers times a matrix",
    [b("Constant", "v"), b("Constant", "M", Value="[1 2;3 4]"), b("Concatenate", "c",
     Mode="Multidimensional array", ConcatenateDimension="2", NumInputs="2"),
     b("Product", "B", Multiplication="Matrix(*)")],
    "v -> c, c.2; c -> B; M -> B.2; B -> y", constant(4, 6),
)  # fmt: skip
case(
    "selector of rows and columns",
    [b("Constant", "v", Value="[1 2 3;4 5 6]"), b("Selector", "B", NumberOfDimensions="2",
     IndexOptions="Index vector (dialog),Index vector (dialog)", Indices="[2],[1 3]")],
    "v -> B; B -> y", constant(4, 6),
)  # fmt: skip
case(
    "selector of a variable number of elements",
    [b("Constant", "v", Value="[1 2 3 4]"), b("Selector", "B", IndexOptions="Starting index (dialog)",
     Indices="2", OutputSizes="n")],
    "v -> B; B -> y", constant(2, 3), model={"InitFcn": "n = 2;"},
)  # fmt: skip
case(
    "table of two inputs in one vector",
    [b("Constant", "v", Value="[15 25]"), b("Lookup_n-D", "B", NumberOfTableDimensions="2",
     UseOneInputPortForAllInputData="on", BreakpointsForDimension1="[10 20]",
     BreakpointsForDimension2="[20 40]", Table="[1 2;3 4]")],
    "v -> B; B -> y", constant(2.25),
)  # fmt: skip
stops(
    "data without times", "B", [b("FromWorkspace", "B", VariableName="s")], "B -> y",
    model={"InitFcn": "s.time = []; s.signals.values = [1; 2];"},
)  # fmt: skip
stops(
    "unknown variable in a switch case", "B",
    [b("Constant", "c"), b("SwitchCase", "B", CaseConditions="{n}"), action("P", "1")],
    "c -> B, P; B.1 -> P.ifaction; P -> y",
)  # fmt: skip

case(
    "multiport switch below 1 takes the last port",
    [b("Constant", "c", Value="0"), b("Constant", "d"), b("Constant", "e", Value="20"),
     b("MultiPortSwitch", "B", Inputs="2", DiagnosticForDefault="None")],
    "c -> B; d -> B.2; e -> B.3; B -> y", constant(20),
)  # fmt: skip
case(
    "goto commented out", [CLOCK, SINE, b("Goto", "h", Commented="on"), b("Goto", "g"), b("From", "f")],
    "s -> h; t -> g; f -> y", lambda t: t,
)  # fmt: skip
case(
    "one initial value for all states",
    [STEP, b("StateSpace", "B", A="[0 1; -4 0]", B="[0; 0]", C="[1 0]", D="0", X0="2")],
    "u -> B; B -> y", lambda t: 2 * np.cos(2 * t) + np.sin(2 * t),
)  # fmt: skip
case(
    "comparison of a number with a vector",
    [b("Constant", "c", Value="1.5"),
     b("simulink/Logic and Bit Operations/Compare To Constant", "B", const="[1 2 3]"),
     b("Sum", "s", Inputs="+")],
    "c -> B; B -> s; s -> y", constant(2),
)  # fmt: skip
stops(
    "input of a subsystem with a delay", "S/u",
    [CLOCK, sub("S", [b("Inport", "u", LatchByDelayingOutsideSignal="on"), b("TriggerPort", "r"), OUT],
                "u -> y")],
    "t -> S, S.trigger; S -> y",
)  # fmt: skip

stops(
    "table of the workspace that is a text", "B", [b("FromWorkspace", "B", VariableName="s")], "B -> y",
    model={"InitFcn": "s = 'abc';"},
)  # fmt: skip
stops("sum in integers", "B", [CLOCK, b("Sum", "B", AccumDataTypeStr="int8")], "t -> B, B.2; B -> y")
stops(
    "old type of an output",
    "B",
    [CLOCK, b("Gain", "B", OutDataTypeMode="Specify via dialog", OutDataType="sfix(16)")],
    "t -> B; B -> y",
)
stops(
    "approximated sine", "B", [CLOCK, b("Trigonometry", "B", ApproximationMethod="CORDIC")], "t -> B; B -> y"
)
stops(
    "approximated reciprocal",
    "B",
    [CLOCK, b("Math", "B", Operator="reciprocal", AlgorithmType="Newton-Raphson")],
    "t -> B; B -> y",
)
stops(
    "ports with sample times",
    "S/u, S/y",
    [CLOCK, sub("S", [b("Inport", "u", SampleTime="0.1"), b("Outport", "y", SampleTime="0.1")], "u -> y")],
    "t -> S; S -> y",
)
stops(
    "block's callback against the model's",
    "B",
    [CLOCK, b("Gain", "B", Gain="k", InitFcn="k = 5;")],
    "t -> B; B -> y",
    model={"InitFcn": "k = 3;"},
)
static("block's callback", b("Gain", "B", Gain="k", InitFcn="k = 5;"), "2", 10)
for place, block in (
    ("sine of no samples", b("Sin", "B", SineType="Sample based", Samples="0", SampleTime="0.1")),
    ("empty sequence", b("simulink/Sources/Repeating Sequence", "B", rep_seq_t="[]", rep_seq_y="[]")),
):
    stops(place, "B", [block], "B -> y")
for place, block in (
    ("unknown reset", b("Integrator", "B", ExternalReset="sideways")),
    ("inverse of a number", b("dspmtrx3/LU Inverse", "B")),
    ("unknown comparison", b("simulink/Logic and Bit Operations/Compare To Constant", "B", relop="isNaN")),
    ("selector of nothing", b("Selector", "B", Indices="[]")),
):
    stops(place, "B", [CLOCK, block], "t -> B; B -> y")
case(
    "width", [b("Constant", "v", Value="[1 2;3 4]"), b("Width", "B")], "v -> B; B -> y", constant(4),
)  # fmt: skip
for place, field in (("alias of a type", "OutDataTypeStr"), ("type of a parameter", "ParamDataTypeStr")):
    stops(
        place, "B", [CLOCK, b("Gain", "B", **{field: "int8" if "Param" in field else "MyType"})],
        "t -> B; B -> y",
    )  # fmt: skip
stops(
    "type of an input of a subsystem", "S/u",
    [CLOCK, sub("S", [b("Inport", "u", OutDataTypeStr="int8"), OUT], "u -> y")], "t -> S; S -> y",
)  # fmt: skip
case(
    "no zeros", [FAST, b("DiscreteZeroPole", "B", Zeros="[]", Poles="[0.5]", Gain="2", SampleTime="0.1")],
    "s -> B; B -> y", sequence(filtered([0, 2], [1, -0.5])), TICKS,
)  # fmt: skip
case(
    "selector copies a number",
    [b("Constant", "v", Value="3"), b("Selector", "s", Indices="[1 1]"), b("Sum", "B", Inputs="+")],
    "v -> s; s -> B; B -> y", constant(6),
)  # fmt: skip
case(
    "dimensions in their order",
    [b("Constant", "v", Value="[1 2;3 4]"), b("PermuteDimensions", "p", Order="[1 2 3]"),
     b("Selector", "B", NumberOfDimensions="2", Indices="1,2",
       IndexOptions="Index vector (dialog),Index vector (dialog)")],
    "v -> p; p -> B; B -> y", constant(2),
)  # fmt: skip

# variables

case(
    "mask of a block that is no subsystem",
    [CLOCK, b("Fcn", "B", Inside([], mask=[("k", "edit", "3")]), Expr="k*u")], "t -> B; B -> y",
    lambda t: 3 * t, model={"InitFcn": "k = 7;"},
)  # fmt: skip
case(
    "mask's commands change its parameter",
    [CLOCK, sub("S", MASKED, "u -> k; k -> y", mask=[("k", "edit", "3")], commands="k = 2*k; n = 1;")],
    "t -> S; S -> y", lambda t: 6 * t,
)  # fmt: skip
for code in ("k = 1;\nif mode == 1\n k = 2;\nelse\n k = 3;\nend", "k = 1;\nfor i = 1:3\n k = k*2;\nend",
             "k = 1;\nk = get_param(gcs, 'k');"):  # fmt: skip
    stops(
        f"variable of unread statements, {code[8:12].strip()}", "B", [CLOCK, b("Gain", "B", Gain="k")],
        "t -> B; B -> y", model={"InitFcn": f"mode = 1;\n{code}"},
    )  # fmt: skip


@pytest.mark.parametrize("names", ["on", "second"])
def test_a_link_gives_a_checkbox_and_a_choice_as_numbers(names: str, tmp_path: Path) -> None:
    style = "checkbox" if names == "on" else "popup:first|second"
    inside = [IN, b("Gain", "k", Gain="k"), OUT]
    write_slx(tmp_path / "lib.slx", [sub("S", inside, "u -> k; k -> y", mask=[("k", style, "off")])], [])
    file = write(tmp_path, [CLOCK, b("lib/S", "S", k=names, Ports="[1, 1]")], "t -> S; S -> y", {})
    result = load_simulink(file).simulate(times=SMOOTH, compiled=False)
    np.testing.assert_allclose(result["y"].values, (1 if names == "on" else 2) * SMOOTH, atol=1e-9)


@pytest.mark.parametrize(("blocks", "lines", "expected", "times", "tolerance", "options"), CASES)
def test_meaning(
    blocks: Any, lines: str, expected: Response, times: Any, tolerance: float, options: Any, tmp_path: Path
) -> None:
    options = dict(options)
    values, warns, run = (options.pop(name, None) for name in ("values", "warns", "run"))
    file = write(tmp_path, blocks, lines, options)
    with warnings.catch_warnings() if warns is None else pytest.warns(SimulinkWarning, match=warns):
        diagram = load_simulink(file, values=values)
    fixed = "FixedStep" in options.get("solver", {})
    accuracy: Any = {} if fixed else {"rtol": 1e-9, "atol": 1e-11}
    result = diagram.simulate(times=times, compiled=False, **accuracy, **(run or {}))
    actual = result["y"].values
    want = np.asarray(expected(np.asarray(times)), float)
    assert actual.shape == want.shape
    assert np.abs(actual - want).max() <= tolerance, np.c_[
        times, actual.reshape(len(times), -1), want.reshape(len(times), -1)
    ]


@pytest.mark.parametrize(("blocks", "lines", "paths", "options"), OBSTACLES)
def test_obstacles(blocks: Any, lines: str, paths: list[str], options: Any, tmp_path: Path) -> None:
    with pytest.raises(UntranslatedModel) as error:
        load_simulink(write(tmp_path, blocks, lines, options))
    assert sorted({o.path for o in error.value.obstacles}) == sorted(paths)


def test_commands_of_a_library_mask_compute_its_variables(tmp_path: Path) -> None:
    block = sub("S", MASKED, "u -> k; k -> y", mask=[("k", "edit", "1")], commands="n = 2*k;")
    write_slx(tmp_path / "lib.slx", [block], [])
    link = b("lib/S", "S", k="3", Ports="[1, 1]")
    file = write(tmp_path, [CLOCK, link], "t -> S; S -> y", {"model": {"InitFcn": "n = 50;"}})
    result = load_simulink(file).simulate(times=SMOOTH, compiled=False)
    np.testing.assert_allclose(result["y"].values, 18 * SMOOTH, atol=1e-9)


def test_a_link_to_a_block_of_a_library_is_this_block(tmp_path: Path) -> None:
    inside = Inside([], mask=[("k", "edit", "3")])
    write_slx(tmp_path / "lib.slx", [b("Gain", "a"), b("Gain", "Saturate", inside, Gain="2*k")], [])
    file = write(
        tmp_path, [CLOCK, b("lib/Saturate", "B", k="n")], "t -> B; B -> y", {"model": {"InitFcn": "n = 4;"}}
    )
    result = load_simulink(file).simulate(times=SMOOTH, compiled=False)
    np.testing.assert_allclose(result["y"].values, 8 * SMOOTH, atol=1e-9)


def test_a_referenced_model_sees_its_arguments_and_the_workspace(tmp_path: Path) -> None:
    inside = [b("Inport", "u"), b("Gain", "k", Gain="k*n"), b("Outport", "z")]
    write_slx(tmp_path / "inner.slx", inside, ["u -> k", "k -> z"])
    fields = {"ParameterArgumentNames": "k", "ParameterArgumentValues": "2*n", "Ports": "[1, 1]"}
    link = b("ModelReference", "M", ModelNameDialog="inner", **fields)
    system = sub("S", [IN, link, OUT], "u -> M; M -> y", mask=[("n", "edit", "5")])
    file = write(tmp_path, [CLOCK, system], "t -> S; S -> y", {"model": {"InitFcn": "n = 3;"}})
    result = load_simulink(file).simulate(times=SMOOTH, compiled=False)
    np.testing.assert_allclose(result["y"].values, 30 * SMOOTH, atol=1e-9)


INNER = [b("Inport", "u"), b("Gain", "k", Gain="K"), b("Outport", "z")]
LINK = b("ModelReference", "M", ModelNameDialog="inner", Ports="[1, 1]")


def test_callbacks_of_a_referenced_model_set_variables_of_the_base_workspace(tmp_path: Path) -> None:
    write_slx(tmp_path / "inner.slx", INNER, ["u -> k", "k -> z"], model={"PreLoadFcn": "K = 7;"})
    blocks = [CLOCK, LINK, b("Gain", "two", Gain="K")]
    result = load_simulink(write(tmp_path, blocks, "t -> M; M -> two; two -> y", {})).simulate(
        times=SMOOTH, compiled=False
    )
    np.testing.assert_allclose(result["y"].values, 49 * SMOOTH, atol=1e-9)
    file = write(tmp_path, blocks, "t -> M; M -> two; two -> y", {"model": {"InitFcn": "K = 3;"}})
    with pytest.raises(
        UntranslatedModel, match=r"inner\.slx: PreLoadFcn gives `K` another value than .*model"
    ):
        load_simulink(file)
    result = load_simulink(file, values={"K": 2}).simulate(times=SMOOTH, compiled=False)
    np.testing.assert_allclose(result["y"].values, 4 * SMOOTH, atol=1e-9)


def streamed(variables: dict[str, Any]) -> bytes:
    """A struct without a name, as MATLAB streams it into a part of the file."""
    buffer = io.BytesIO()
    savemat(buffer, {"x": variables})
    data = bytearray(buffer.getvalue()[128:])
    place = 8 + 16 + 16  # after the tag, the flags and the two dimensions
    data[place : place + 8] = b"\x01\0\0\0\0\0\0\0"
    return b"\0\x01IM\0\0\0\0" + bytes(data)


def test_a_model_workspace_hides_the_base_workspace(tmp_path: Path) -> None:
    base = {"model": {"InitFcn": "K = 3; n = 2;"}}
    blocks = [CLOCK, b("Gain", "k", Gain="K*n"), LINK]
    buffer = io.BytesIO()
    savemat(buffer, {"K": 7.0})
    write_slx(
        tmp_path / "inner.slx", INNER, ["u -> k", "k -> z"], parts={"modelworkspace.mat": buffer.getvalue()}
    )
    for options, factor in (({}, 6), ({"parts": {"modelWorkspace.mxarray": streamed({"K": 5.0})}}, 10)):
        file = write(tmp_path, blocks, "t -> k; k -> M; M -> y", base | options)
        result = load_simulink(file).simulate(times=SMOOTH, compiled=False)
        np.testing.assert_allclose(result["y"].values, 7 * factor * SMOOTH, atol=1e-9)
    write_slx(
        tmp_path / "inner.slx", INNER, ["u -> k", "k -> z"], parts={"modelWorkspace.mxarray": b"?" * 99}
    )
    with pytest.raises(UntranslatedModel, match=r"inner\.slx: the model workspace"):
        load_simulink(file)


def test_values_that_nothing_reads_are_errors(tmp_path: Path) -> None:
    blocks = [CLOCK, b("Gain", "k", Gain="Kp*n")]
    file = write(tmp_path, blocks, "t -> k; k -> y", {"model": {"InitFcn": "Kp = 3; n = 2;"}})
    with pytest.raises(BlockdynError, match=r"reads `Kpp`, did you mean `Kp`"):
        load_simulink(file, values={"Kpp": 4})
    script = tmp_path / "values.m"
    script.write_text("Kpp = 5;\nmass = 7;")
    with pytest.raises(BlockdynError, match=r"reads `Kpp`, did you mean `Kp`"):
        load_simulink(file, values=script)
    script.write_text("Kpp = 5;\nmass = 7;\nKp = Kpp + 1;")
    result = load_simulink(file, values=[script, {"n": "mass"}]).simulate(times=SMOOTH, compiled=False)
    np.testing.assert_allclose(result["y"].values, 42 * SMOOTH, atol=1e-9)


def test_data_of_the_workspace_at_inputs_are_a_notice(tmp_path: Path) -> None:
    (tmp_path / "model.mdl").write_text(
        """
Model {
  Simulink.DataIOCC { LoadExternalInput on ExternalInput "[t, u]" }
  System {
    Block { BlockType Inport Name "u" SID "1" }
    Block { BlockType Outport Name "y" SID "2" }
    Line { SrcBlock "u" SrcPort 1 DstBlock "y" DstPort 1 }
  }
}
"""
    )
    with pytest.warns(SimulinkWarning, match=r"\[t, u\] is not read"):
        load_simulink(tmp_path / "model.mdl")
