"""Blocks that mean something else in Simulink keep that meaning here, or stop the import.

Each case is a small model and its response, a closed form or a difference equation written here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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


@pytest.mark.parametrize(("blocks", "lines", "expected", "times", "tolerance", "options"), CASES)
def test_meaning(
    blocks: Any, lines: str, expected: Response, times: Any, tolerance: float, options: Any, tmp_path: Path
) -> None:
    options = dict(options)
    values, warns = options.pop("values", None), options.pop("warns", None)
    file = write(tmp_path, blocks, lines, options)
    with warnings.catch_warnings() if warns is None else pytest.warns(SimulinkWarning, match=warns):
        diagram = load_simulink(file, values=values)
    fixed = "FixedStep" in options.get("solver", {})
    accuracy: Any = {} if fixed else {"rtol": 1e-9, "atol": 1e-11}
    result = diagram.simulate(times=times, compiled=False, **accuracy)
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
