"""Simulink's sources, sinks and lookup tables become blocks of blockdyn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...blocks.lookup.lookup_1d import Lookup1D
from ...blocks.lookup.lookup_2d import Lookup2D
from ...blocks.mathematics.expression import Expression
from ...blocks.routing.demux import Demux
from ...blocks.routing.inport import Inport
from ...blocks.routing.mux import Mux
from ...blocks.routing.outport import Outport
from ...blocks.routing.terminator import Terminator
from ...blocks.sinks.display import Display
from ...blocks.sinks.record import Record
from ...blocks.sinks.scope import Scope
from ...blocks.sinks.stop import Stop
from ...blocks.sinks.to_file import ToFile
from ...blocks.sinks.xy_scope import XYScope
from ...blocks.sources.band_limited_white_noise import BandLimitedWhiteNoise
from ...blocks.sources.clock import Clock
from ...blocks.sources.constant import Constant
from ...blocks.sources.pulse import Pulse
from ...blocks.sources.ramp import Ramp
from ...blocks.sources.random_number import RandomNumber
from ...blocks.sources.repeating_sequence import RepeatingSequence
from ...blocks.sources.repeating_stair import RepeatingStair
from ...blocks.sources.sine import Sine
from ...blocks.sources.square import Square
from ...blocks.sources.step import Step
from ...blocks.sources.table import Table
from ...blocks.sources.uniform_random_number import UniformRandomNumber
from .use import Ends, Maker, Rate, Untranslated, Use, plain

SEEDS = "random numbers come from another generator, with the same distribution and rate"


def constant(use: Use) -> Ends:
    return use.single(Constant(use.plain("Value", "1")))


def ground(use: Use) -> Ends:
    return use.single(Constant(0.0))


def step(use: Use) -> Ends:
    """Steps of a vector of times begin one after another; a sampled one shows its value at ticks."""
    times = use.vector("Time", "1")
    first, last = use.plain("Before", "0"), use.plain("After", "1")
    if len(times) == 1:
        return at_steps(use, use.single(Step(times[0], initial=first, final=last)), *times)
    before, after = np.broadcast_to(first, len(times)), np.broadcast_to(last, len(times))
    names = [
        use.add(Step(t, initial=float(a), final=float(b)), f"{k + 1}")
        for k, (t, a, b) in enumerate(zip(times, before, after, strict=True))
    ]
    mux = use.add(Mux(count=len(names)))
    for k, name in enumerate(names):
        use.wire(f"{name}.y", f"{mux}.u{k}")
    return at_steps(use, Ends({}, [f"{mux}.y"]), *times)


def at_steps(use: Use, ends: Ends, *times: float) -> Ends:
    """A source whose jumps between fixed steps take effect at the next step, as in Simulink."""
    step = use.translator.fixed_step
    if step and not use.rate.sampled and any(abs(t / step - round(t / step)) > 1e-9 for t in times):
        use.rate = Rate(step)
    return use.hold_source(ends)


def ramp(use: Use) -> Ends:
    initial = "InitialOutput" if "InitialOutput" in use.block.fields else "X0"
    return use.single(
        Ramp(use.plain("slope", "1"), start=use.number("start", "0"), initial=use.plain(initial, "0"))
    )


def sine(use: Use) -> Ends:
    """A wave of the time, sampled if it has a sample time; one of samples counts them instead."""
    amplitude, bias = use.plain("Amplitude", "1"), use.plain("Bias", "0")
    if use.text("SineType", "Time based").startswith("Sample"):
        if not use.rate.sampled or use.rate.triggered:
            raise Untranslated("a sample-based sine wave needs a sample time")
        samples, shift = use.number("Samples", "10"), use.number("Offset", "0")
        frequency: Any = 2 * math.pi / (samples * use.rate.period)
        phase: Any = 2 * math.pi * shift / samples
    else:
        frequency, phase = use.plain("Frequency", "1"), use.plain("Phase", "0")
        if use.text("TimeSource") == "Use external signal":
            return _sine_of_input(use)
    return use.hold_source(use.single(Sine(amplitude, frequency=frequency, phase=phase, bias=bias)))


def _sine_of_input(use: Use) -> Ends:
    """A wave of the time that the input gives."""
    names = ("Amplitude", "Frequency", "Phase", "Bias")
    values = {name.lower(): use.number(name, "1" if name[0] in "AF" else "0") for name in names}
    return use.single(Expression("amplitude * sin(frequency * u + phase) + bias", coefficients=dict(values)))


def pulse(use: Use) -> Ends:
    """The width is a part of the period, in percent; a sample-based one counts samples."""
    scale = 1.0
    width = use.number("PulseWidth", "50") / 100
    period = use.number("Period", "2")
    if use.text("PulseType", "Time based").startswith("Sample"):
        scale, width = use.rate.period, use.number("PulseWidth", "1") / period
    if not 0 < width < 1:
        if width <= 0:
            return use.single(Constant(0.0))
        raise Untranslated(f"a pulse as wide as its period, {use.text('PulseWidth')}", "use a Step")
    delay = use.number("PhaseDelay", "0") * scale
    period *= scale
    if delay < 0:
        delay += math.ceil(-delay / period) * period - period
    pulses = use.single(Pulse(use.plain("Amplitude", "1"), period=period, width=width * period, delay=delay))
    return pulses if scale != 1.0 else at_steps(use, pulses, delay, period, width * period)


def signal_generator(use: Use) -> Ends:
    """The square wave begins with -amplitude, the sawtooth falls from amplitude to -amplitude."""
    wave, amplitude = use.text("WaveForm", "sine"), use.plain("Amplitude", "1")
    frequency = use.number("Frequency", "1")
    if not use.text("Units", "Hertz").startswith("rad"):
        frequency *= 2 * math.pi
    period = 2 * math.pi / frequency if frequency else math.inf
    if wave == "sine":
        return use.hold_source(use.single(Sine(amplitude, frequency=frequency)))
    if wave == "square":
        low = np.negative(amplitude).tolist()
        return use.hold_source(use.single(Square(low, period=period)))
    if wave == "sawtooth":
        high = np.asarray(amplitude, float)
        rows = [high.tolist(), np.negative(high).tolist()]
        return use.hold_source(use.single(RepeatingSequence(times=[0.0, period], values=rows)))
    raise Untranslated(f"WaveForm {wave}", "use a Random Number block")


def clock(use: Use) -> Ends:
    return use.single(Clock()) if use.rate.triggered else use.hold_source(use.single(Clock()))


def digital_clock(use: Use) -> Ends:
    return use.hold_source(use.single(Clock()))


def random_number(use: Use) -> Ends:
    use.difference(SEEDS)
    _needs_clock(use)
    return use.single(
        RandomNumber(
            mean=use.plain("Mean", "0"), sd=plain(np.sqrt(use.array("Variance", "1"))), **use.rate.arguments()
        )
    )


def uniform_random_number(use: Use) -> Ends:
    use.difference(SEEDS)
    _needs_clock(use)
    return use.single(
        UniformRandomNumber(
            low=use.plain("Minimum", "-1"), high=use.plain("Maximum", "1"), **use.rate.arguments()
        )
    )


def white_noise(use: Use) -> Ends:
    use.difference(SEEDS)
    return use.single(
        BandLimitedWhiteNoise(power=use.plain("Cov", "[0.1]"), sample_time=use.number("Ts", "0.1"))
    )


def _needs_clock(use: Use) -> None:
    if not use.rate.sampled:
        raise Untranslated("random numbers at every step of the solver", "give the block a sample time")


def repeating_sequence(use: Use) -> Ends:
    times, values = use.vector("rep_seq_t", "[0 2]"), use.vector("rep_seq_y", "[0 2]")
    if times[0] != 0:
        raise Untranslated(f"a sequence that begins at {times[0]}", "begin its times at 0")
    return use.single(RepeatingSequence(times=times, values=values))


def repeating_stair(use: Use) -> Ends:
    return use.single(
        RepeatingStair(values=use.vector("OutValues", "[3 1 4 2 1]"), interval=use.number("tsamp", "-1"))
    )


def chirp(use: Use) -> Ends:
    """Frequencies in Hz; at the target time the instantaneous frequency is f2."""
    first, last = use.number("f1", "0.1"), use.number("f2", "1")
    duration = use.number("T", "100")
    formula = "sin(2 * pi * (f1 * t + (f2 - f1) / (2 * T) * t ** 2))"
    name = use.add(Expression(formula, coefficients={"f1": first, "f2": last, "T": duration}))
    use.difference(
        "steps are not shortened for the chirp: give max_step if nothing else in the model is as fast"
    )
    return Ends({}, [f"{name}.y"])


FAR = 2.0**20  # times the span of a table: where the line through its last two points ends


def from_workspace(use: Use) -> Ends:
    """A matrix with times in its first column, or a structure with time and signals."""
    value = use.value("VariableName", "simin")
    if isinstance(value, dict):
        try:
            times = np.asarray(value["time"], float).ravel()
            values = np.asarray(value["signals"]["values"], float)
        except (KeyError, TypeError) as error:
            raise Untranslated(f"{use.text('VariableName')} has no field {error}") from None
    elif isinstance(value, np.ndarray) and value.ndim == 2 and value.shape[1] > 1:
        times, values = value[:, 0], value[:, 1:]
    else:
        raise Untranslated(f"{use.text('VariableName')} is not a matrix with times in its first column")
    if not times.size:
        raise Untranslated("data without times", "give the structure its times")
    if times[0] > use.translator.setting("StartTime", 0.0):
        raise Untranslated(f"data that begin at {times[0]:g} s", "begin them at the start of the run")
    rule = use.text("OutputAfterFinalValue", "Extrapolation")
    linear = use.flag("Interpolate", "on")
    if rule == "Extrapolation" and linear and len(times) > 1 and times[-1] > times[-2]:
        slope = (values[-1] - values[-2]) / (times[-1] - times[-2])
        far = FAR * max(times[-1] - times[0], 1.0)
        times = np.append(times, times[-1] + far)
        values = np.append(values, (values[-1] + slope * far).reshape(1, *values.shape[1:]), axis=0)
    elif rule not in ("Holding final value", "Extrapolation"):
        raise Untranslated(f"after the last time: {rule}", "hold the final value")
    rows = values.reshape(len(times), -1)
    return use.hold_source(
        use.single(
            Table(
                times=times.tolist(),
                values=rows[:, 0].tolist() if rows.shape[1] == 1 else rows.tolist(),
                interpolation="linear" if linear else "held",
            )
        )
    )


def inport(use: Use) -> Ends:
    """Input of a diagram: its dimensions if they are given."""
    number = int(use.number("Port", "1")) - 1
    size = use.text("PortDimensions", "-1")
    fixed: Any = None
    if size != "-1":
        listed = [int(v) for v in use.vector("PortDimensions", "-1")]
        fixed = listed[0] if len(listed) == 1 else listed
        fixed = None if fixed == 1 else fixed
    inner = use.block.system.owner is not None
    if inner:
        return use.single(Inport(number=number))
    zero: Any = 0.0 if fixed is None else np.zeros(fixed).tolist()  # an input that nothing drives is 0 there
    return use.single(Inport(number=number, default=zero))


def outport(use: Use) -> Ends:
    """Output of a diagram, with its value before a conditional subsystem has worked."""
    initial = use.text("InitialOutput", "[]")
    number = int(use.number("Port", "1")) - 1
    if initial in ("[]", ""):
        return use.single(Outport(number=number))
    return use.single(Outport(number=number, initial=use.plain("InitialOutput")))


def scope(use: Use) -> Ends:
    count = use.block.inputs or 1
    title = use.block.name if not use.block.name.startswith("Scope") else ""
    return use.single(Scope(count=count, title=title))


def xy_graph(use: Use) -> Ends:
    return use.single(XYScope())


def display(use: Use) -> Ends:
    return use.single(Display())


def to_workspace(use: Use) -> Ends:
    name = use.text("VariableName", "simout")
    return use.single(
        Record(name) if name.isidentifier() and name not in use.translator.records(name) else Record()
    )


def to_file(use: Use) -> Ends:
    stem = use.text("Filename", "untitled.mat").rpartition("/")[2].rpartition(".")[0] or "untitled"
    use.difference("its file is a table, .csv, written with --files FOLDER")
    return use.single(ToFile(f"{stem}.csv"))


def terminator(use: Use) -> Ends:
    return use.single(Terminator())


def nothing(use: Use) -> Ends:
    """A block that shows or checks something, without an effect on the run: its inputs end here."""
    ends, kind = Ends(), use.block.kind.rpartition("/")[2]
    if kind.startswith(("Check", "Assertion")) and use.flag(
        "enabled" if "/" in use.block.kind else "Enabled", "on"
    ):
        use.difference("a check does not end the run")
    for block, port in use.block.system.sources:
        if block is use.block:
            ends.inputs[port] = [f"{use.add(Terminator(), '' if port == 1 else f'{port}')}.u"]
    return ends


def stop(use: Use) -> Ends:
    """End the run where the input is not zero."""
    name, any_of = use.add(Stop()), use.add(_nonzero(use), "condition")
    use.wire(f"{any_of}.y", f"{name}.u")
    return Ends({1: [f"{any_of}.u"]})


def _nonzero(use: Use) -> Expression:
    if use.width(1) != 1:
        raise Untranslated("a condition that is a vector", "reduce it with a Logical Operator")
    return Expression("u != 0")


METHODS = {
    "linear": "linear", "flat": "held", "akima": "akima", "cubic": "cubic", "below": "held",
    "interpolation-extrapolation": "linear",
}  # fmt: skip


def _table_rules(use: Use, method: str, outside: str) -> dict[str, Any]:
    """Interpolation and rule beyond the ends."""
    name = use.text(method, "Linear").lower()
    result = next((ours for theirs, ours in METHODS.items() if name.startswith(theirs)), None)
    if result is None or "nearest" in name:
        raise Untranslated(f"{method} {use.text(method)}")
    rule = use.text(outside, "Linear").lower()
    if result in ("cubic", "akima"):
        raise Untranslated(f"{use.text(method)}, whose ends differ from splines here", "interpolate linearly")
    return {
        "method": result,
        "outside": "clip" if rule.startswith(("clip", "none")) or result == "held" else "extrapolate",
        "events": True,
    }


def lookup(use: Use) -> Ends:
    """A table over one input, of the older and the newer block."""
    if "InputValues" in use.block.fields or use.block.kind == "Lookup":
        points, table = (
            use.vector("InputValues", "[-5:5]"),
            use.vector("Table" if "Table" in use.block.fields else "OutputValues", "tanh([-5:5])"),
        )
        rules = _old_rules(use)
        return use.single(Lookup1D(breakpoints=points, table=table, **rules))
    return lookup_nd(use)


def _old_rules(use: Use) -> dict[str, Any]:
    """Rules of the older blocks."""
    rule = use.text("LookUpMeth", "Interpolation-Extrapolation")
    rules = {
        "Interpolation-Extrapolation": {"method": "linear", "outside": "extrapolate"},
        "Interpolation-Use End Values": {"method": "linear", "outside": "clip"},
        "Use Input Below": {"method": "held", "outside": "clip"},
    }
    if rule not in rules:
        raise Untranslated(f"LookUpMeth {rule}")
    return {**rules[rule], "events": True}


def lookup_2d(use: Use) -> Ends:
    rows, columns = use.vector("RowIndex", "[1 2 3]"), use.vector("ColumnIndex", "[1 2 3]")
    table = "Table" if "Table" in use.block.fields else "OutputValues"
    return use.single(
        Lookup2D(
            rows=rows,
            columns=columns,
            table=use.matrix(table, "[4 5 6;16 19 20;10 18 23]"),
            **_old_rules(use),
        )
    )


def lookup_nd(use: Use) -> Ends:
    """A table over one, two or more inputs."""
    count = int(use.number("NumberOfTableDimensions", "1"))
    if use.text("BreakpointsSpecification", "Explicit values") != "Explicit values":
        raise Untranslated("breakpoints with even spacing", "list them")
    axes = [use.vector(f"BreakpointsForDimension{k + 1}", "[1:3]") for k in range(count)]
    rules = _table_rules(use, "InterpMethod", "ExtrapMethod")
    if count == 1:
        return use.single(Lookup1D(breakpoints=axes[0], table=use.vector("Table", "[1:3]"), **rules))
    if count == 2:
        ends = use.single(Lookup2D(rows=axes[0], columns=axes[1], table=use.matrix("Table"), **rules))
        return _from_vector(use, ends) if use.flag("UseOneInputPortForAllInputData") else ends
    raise Untranslated(f"a table of {count} dimensions")


def _from_vector(use: Use, ends: Ends) -> Ends:
    """Two inputs as the elements of a vector."""
    parts = use.add(Demux(counts=[1, 1]), "elements")
    for k, readers in enumerate(ends.inputs.values()):
        for reader in readers:
            use.wire(f"{parts}.y{k}", reader)
    return Ends({1: [f"{parts}.u"]}, ends.outputs)


SOURCES: dict[str, Maker] = {
    "Constant": constant, "Ground": ground, "Step": step, "Ramp": ramp, "Sin": sine,
    "DiscretePulseGenerator": pulse, "SignalGenerator": signal_generator, "Clock": clock,
    "DigitalClock": digital_clock, "RandomNumber": random_number,
    "UniformRandomNumber": uniform_random_number,
    "Band-Limited White Noise": white_noise, "Repeating Sequence": repeating_sequence,
    "Repeating Sequence Stair": repeating_stair, "Chirp Signal": chirp, "FromWorkspace": from_workspace,
    "Inport": inport, "Outport": outport,
    "Scope": scope, "XY Graph": xy_graph, "Record": xy_graph, "Display": display, "ToWorkspace": to_workspace,
    "ToFile": to_file, "Terminator": terminator, "Stop": stop,
    "Lookup": lookup, "Lookup_n-D": lookup_nd, "Lookup2D": lookup_2d,
    **dict.fromkeys((
        "SliderBlock", "SemiCircularGaugeBlock", "CircularGaugeBlock", "KnobBlock", "DashboardScope",
        "LampBlock",
        "DisplayBlock", "ToggleSwitchBlock", "RockerSwitchBlock", "RotarySwitchBlock", "EditField",
        "Model Info",
        "HalfGaugeBlock", "QuarterGaugeBlock", "SliderSwitchBlock", "DocBlock", "Floating Scope",
        "LinearGaugeBlock", "CustomGaugeBlock", "CustomCallbackButton", "CallbackButton", "PushButtonBlock",
        "ComboBox", "CheckBox", "RadioButtonGroup", "MultiStateImageBlock",
        "Check Bode Characteristics", "Check Gain and Phase Margins",
        "Check Pole-Zero Characteristics", "Check Step Response Characteristics", "Check Static Range",
        "Check Static Upper Bound", "Assertion", "Check Static Lower Bound", "GotoTagVisibility",
    ), nothing),
}  # fmt: skip
