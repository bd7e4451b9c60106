"""Simulink's sampled blocks become blocks of blockdyn."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...blocks.discrete.delay import Delay
from ...blocks.discrete.discrete_derivative import DiscreteDerivative
from ...blocks.discrete.discrete_filter import DiscreteFilter
from ...blocks.discrete.discrete_integrator import DiscreteIntegrator
from ...blocks.discrete.discrete_state_space import DiscreteStateSpace
from ...blocks.discrete.discrete_transfer_function import DiscreteTransferFunction
from ...blocks.discrete.tapped_delay import TappedDelay
from ...blocks.discrete.unit_delay import UnitDelay
from ...blocks.discrete.zero_order_hold import ZeroOrderHold
from ...blocks.logic.compare_signals import CompareSignals
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.sum import Sum
from .dynamics import expand, initial_states, limits, read_feedthrough, read_roots, trim_zeros
from .model import kind_of
from .use import CONSTANT, CONTINUOUS, Ends, Maker, Rate, Untranslated, Use, plain


def clock_of(use: Use, kind: str) -> dict[str, Any]:
    """Sample time of a sampled block. Raises Untranslated if it has none."""
    if not use.rate.sampled:
        raise Untranslated(f"{kind} inherits its sample time from continuous signals", "set SampleTime")
    return use.rate.arguments()


def unit_delay(use: Use) -> Ends:
    name = "InitialCondition" if "InitialCondition" in use.block.fields else "X0"
    return use.single(UnitDelay(initial=expand(use.plain(name, "0"), use), **clock_of(use, "a unit delay")))


def memory(use: Use) -> Ends:
    """The value at the previous step: a sample ago if all steps are samples, undefined with variable ones."""
    name = "InitialCondition" if "InitialCondition" in use.block.fields else "X0"
    initial = expand(use.plain(name, "0"), use)
    rate, step = use.rate, use.translator.fixed_step
    if not use.flag("InheritSampleTime") and not rate.triggered:
        rates = {use.translator.rates.of(b) for b in use.translator.model.root.walk() if b is not use.block}
        others = {r for r in rates if r != CONSTANT and not r.triggered}
        rate = Rate(step) if step else others.pop() if len(others) == 1 else CONTINUOUS
    if rate.sampled:
        return use.single(UnitDelay(initial=initial, **rate.arguments()))
    raise Untranslated(
        "its output depends on the steps of a variable-step solver", "use a Unit Delay with a sample time"
    )


def hold(use: Use) -> Ends:
    return use.single(ZeroOrderHold(initial=expand(0.0, use), **clock_of(use, "a hold")))


def delay(use: Use) -> Ends:
    """A delay by a constant number of samples; a variable delay or a reset has no counterpart."""
    for name, fine in (("DelayLengthSource", "Dialog"), ("InitialConditionSource", "Dialog")):
        if use.text(name, fine) != fine:
            raise Untranslated(f"{name} {use.text(name)}", "give it in the dialog")
    if use.text("ExternalReset", "None") not in ("None", "none") or use.flag("ShowEnablePort"):
        raise Untranslated("a delay with a reset or enable port", "put it into an enabled subsystem")
    length = round(use.number("DelayLength" if "DelayLength" in use.block.fields else "NumDelays", "2"))
    name = "InitialCondition" if "InitialCondition" in use.block.fields else "vinit"
    initial = use.array(name, "0.0")
    if length == 0:
        return use.sample(use.single(Gain(1.0)))
    if initial.size > 1 and initial.size != use.width(1):
        raise Untranslated("initial values for each sample of the delay", "give one value")
    return use.single(Delay(length=length, initial=expand(plain(initial), use), **clock_of(use, "a delay")))


def discrete_integrator(use: Use) -> Ends:
    """A gain and one of three rules; `Accumulation` counts samples instead of seconds."""
    rule = use.text("IntegratorMethod", "Integration: Forward Euler")
    method = {"Forward": "forward", "Backward": "backward", "Trapezoidal": "trapezoidal"}[
        rule.partition(":")[2].split()[0]
        if ":" in rule
        else rule.replace("ForwardEuler", "Forward").split()[0]
    ]
    if (
        use.text("ExternalReset", "none") != "none"
        or use.flag("ShowStatePort")
        or use.flag("ShowSaturationPort")
    ):
        raise Untranslated(
            "a reset or a further port", "put it into an enabled subsystem that resets its states"
        )
    initial: Any
    external = use.text("InitialConditionSource", "internal") == "external"
    initial = 0.0 if external else use.plain("InitialCondition", "0")
    setting = use.text("InitialConditionSetting", use.text("InitialConditionMode", "Auto"))
    if setting.startswith("Output") and method != "forward":
        raise Untranslated("an initial output with this rule", "set the initial condition of the state")
    gain = use.plain("gainval", "1.0")
    clock = clock_of(use, "a discrete integrator")
    if use.rate.triggered:
        raise Untranslated("an integrator in a triggered subsystem: its step is the time between triggers")
    if rule.startswith("Accumulation"):
        gain = np.divide(gain, use.rate.period).tolist()
    bounds = limits(use, "UpperSaturationLimit", "LowerSaturationLimit")

    def make(start: Any) -> DiscreteIntegrator:
        return DiscreteIntegrator(method=method, initial=expand(start, use), **clock, **bounds)

    ends = use.single(make(initial)) if gain == 1.0 else use.chain(Gain(gain), make(initial))
    if external:
        use.begin_at_initial(ends, 2, make)
    return ends


def discrete_transfer(use: Use) -> Ends:
    """Coefficients of falling powers of z; with one coefficient below, a filter."""
    for name in ("NumeratorSource", "DenominatorSource"):
        if use.text(name, "Dialog") != "Dialog":
            raise Untranslated("coefficients from ports", "give them in the dialog")
    num, den = use.vector("Numerator", "[1]"), use.vector("Denominator", "[1 0.5]")
    clock = clock_of(use, "a discrete transfer function")
    start = use.vector("InitialStates", "0")
    if len(den) == 1:
        return use.sample(use.single(Gain(num[0] / den[0])))
    if any(start):
        raise Untranslated("initial states", "give the states of a Discrete State-Space")
    if use.width(1) > 1:
        lead = [0.0] * (len(den) - len(num))
        return use.single(DiscreteFilter(b=lead + num, a=den, **clock))
    return use.single(DiscreteTransferFunction(num=trim_zeros(num), den=den, **clock))


def discrete_filter(use: Use) -> Ends:
    """Coefficients of rising powers of 1/z."""
    num, den = use.vector("Numerator", "[1]"), use.vector("Denominator", "[1 0.5]")
    if any(use.vector("InitialStates", "0")):
        raise Untranslated("initial states", "give the states of a Discrete State-Space")
    return use.single(DiscreteFilter(b=num, a=den, **clock_of(use, "a discrete filter")))


def fir(use: Use) -> Ends:
    if any(use.vector("InitialStates", "0")):
        raise Untranslated("initial states", "give the states of a Discrete State-Space")
    name = "Coefficients" if "Coefficients" in use.block.fields else "NumCoeffs"
    return use.single(DiscreteFilter(b=use.vector(name, "[0.5 0.5]"), **clock_of(use, "a discrete filter")))


def discrete_zero_pole(use: Use) -> Ends:
    zeros, poles = read_roots(use, "Zeros", "[1]"), read_roots(use, "Poles", "[0 0.5]")
    num, den = np.atleast_1d(np.poly(zeros)) * use.number("Gain", "1"), np.atleast_1d(np.poly(poles))
    return use.single(
        DiscreteTransferFunction(
            num=num.tolist(), den=den.tolist(), **clock_of(use, "a discrete transfer function")
        )
    )


def discrete_state_space(use: Use) -> Ends:
    initial = initial_states(use)
    return use.single(
        DiscreteStateSpace(
            A=use.matrix("A", "1"), B=use.matrix("B", "1"), C=use.matrix("C", "1"), D=read_feedthrough(use),
            initial=initial, **clock_of(use, "a discrete state space"),
        )
    )  # fmt: skip


def tapped_delay(use: Use) -> Ends:
    """Samples; by default Simulink puts the oldest first."""
    if use.text("DelayOrder", "Oldest") != "Newest":
        raise Untranslated("samples with the oldest first", "set DelayOrder to Newest")
    return use.single(
        TappedDelay(
            length=int(use.number("NumDelays", "4")) + use.flag("includeCurrent"),
            current=use.flag("includeCurrent"),
            initial=use.plain("vinit", "0.0"), **clock_of(use, "a tapped delay"),
        )
    )  # fmt: skip


def difference(use: Use) -> Ends:
    """The change from sample to sample."""
    initial = use.plain("ICPrevInput", "0.0")
    clock = clock_of(use, "a difference")
    before, out = (
        use.add(UnitDelay(initial=expand(initial, use), **clock), "before"),
        use.add(Sum(signs="+-")),
    )
    held = use.add(ZeroOrderHold(initial=expand(0.0, use), **clock), "sample")
    use.wire(f"{held}.y", f"{out}.u0")
    use.wire(f"{held}.y", f"{before}.u")
    use.wire(f"{before}.y", f"{out}.u1")
    return Ends({1: [f"{held}.u"]}, [f"{out}.y"])


DETECTED = {"Detect Change": "!=", "Detect Increase": ">", "Detect Decrease": "<"}


def detect(use: Use) -> Ends:
    """True at the samples at which the input differs from the sample before, or is larger or smaller."""
    clock = clock_of(use, "a detector")
    held = use.add(ZeroOrderHold(initial=expand(0.0, use), **clock), "sample")
    before = use.add(UnitDelay(initial=expand(use.plain("vinit", "0"), use), **clock), "before")
    out = use.add(CompareSignals(DETECTED[kind_of(use.block)]))
    for source, reader in ((held, f"{before}.u"), (held, f"{out}.u0"), (before, f"{out}.u1")):
        use.wire(f"{source}.y", reader)
    return Ends({1: [f"{held}.u"]}, [f"{out}.y"])


def discrete_derivative(use: Use) -> Ends:
    """K (u - u before) / T; the initial value in Simulink is the scaled input before the start."""
    gain, start = use.number("gainval", "1.0"), use.number("ICPrevScaledInput", "0.0")
    clock = clock_of(use, "a discrete derivative")
    if use.rate.triggered:
        raise Untranslated("a derivative in a triggered subsystem")
    block = DiscreteDerivative(initial=start * use.rate.period, **clock)
    return use.chain(Gain(gain), block) if gain != 1 else use.single(block)


def rate_transition(use: Use) -> Ends:
    """A hold to a slower clock; a unit delay of the slow clock to a faster one, if it is deterministic."""
    if use.text("OutPortSampleTimeOpt", "Specify").startswith("Multiple"):
        raise Untranslated("a sample time as a multiple of the input's", "give it in seconds")
    source = use.translator.rates.of_inputs(use.block)[0]
    target = use.translator.rates.of_reader(use.block) or source
    if source == target or CONSTANT in (source, target):
        return use.single(Gain(1.0))
    if target.sampled and (not source.sampled or target.period >= source.period):
        return use.single(ZeroOrderHold(initial=expand(0.0, use), **target.arguments()))
    if not (use.flag("Integrity", "on") and use.flag("Deterministic", "on")):
        return use.single(Gain(1.0))
    initial = expand(
        use.plain("InitialCondition" if "InitialCondition" in use.block.fields else "X0", "0"), use
    )
    return use.single(UnitDelay(initial=initial, **source.arguments()))


DISCRETE: dict[str, Maker] = {
    "UnitDelay": unit_delay,
    "Memory": memory,
    "ZeroOrderHold": hold,
    "Delay": delay,
    "Integer Delay": delay,
    "DiscreteIntegrator": discrete_integrator,
    "DiscreteTransferFcn": discrete_transfer,
    "DiscreteFilter": discrete_filter,
    "DiscreteFir": fir,
    "DiscreteZeroPole": discrete_zero_pole,
    "DiscreteStateSpace": discrete_state_space,
    "Tapped Delay": tapped_delay,
    "Difference": difference,
    **dict.fromkeys(DETECTED, detect),
    "Discrete Derivative": discrete_derivative,
    "RateTransition": rate_transition,
}
