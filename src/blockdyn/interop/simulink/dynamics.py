"""Simulink's continuous and discontinuous blocks become blocks of blockdyn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...blocks.continuous.derivative import Derivative
from ...blocks.continuous.integrator import Integrator
from ...blocks.continuous.pid import PID
from ...blocks.continuous.second_order_integrator import SecondOrderIntegrator
from ...blocks.continuous.state_space import StateSpace
from ...blocks.continuous.transfer_function import TransferFunction
from ...blocks.continuous.transport_delay import TransportDelay
from ...blocks.continuous.variable_transport_delay import VariableTransportDelay
from ...blocks.continuous.zero_pole_gain import ZeroPoleGain
from ...blocks.discontinuous.backlash import Backlash
from ...blocks.discontinuous.dead_zone import DeadZone
from ...blocks.discontinuous.rate_limiter import RateLimiter
from ...blocks.discontinuous.relay import Relay
from ...blocks.discontinuous.saturation import Saturation
from ...blocks.discontinuous.wrap_to_zero import WrapToZero
from ...blocks.discrete.discrete_pid import DiscretePID
from ...blocks.discrete.discrete_rate_limiter import DiscreteRateLimiter
from ...blocks.logic.compare import Compare
from ...blocks.mathematics.clip import Clip
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.product import Product
from ...blocks.mathematics.round import Round
from ...blocks.routing.mux import Mux
from ...blocks.sources.constant import Constant
from .use import Ends, Maker, Untranslated, Use, ends_at_zero, local_shape, plain

FASTEST = 1e-4


"""Time constant of a Derivative here, as a part of the run; Simulink takes differences over its steps."""


def limits(use: Use, upper: str, lower: str) -> dict[str, Any]:
    """Limits of an integrator, infinite ones left out."""
    if not use.flag("LimitOutput"):
        return {}
    return {"upper": use.plain(upper, "inf"), "lower": use.plain(lower, "-inf")}


def expand(initial: Any, use: Use) -> Any:
    """An initial value of the size of the input."""
    size = local_shape(use.shape(1))
    if size and np.ndim(initial) == 0:
        return np.full(size, initial).tolist()
    return initial


def integrator(use: Use) -> Ends:
    """With limits, an external initial value, and a reset at an edge of a signal through 0."""
    reset = use.text("ExternalReset", "none")
    if use.flag("WrapState"):
        raise Untranslated("a state that wraps", "wrap the output with a formula: mod(u, 2*pi)")
    if use.flag("ShowStatePort"):
        raise Untranslated("a state port", "break the loop with the output port")
    bounds = limits(use, "UpperSaturationLimit", "LowerSaturationLimit")
    external = use.text("InitialConditionSource", "internal") == "external"
    initial = 0.0 if external else use.plain("InitialCondition", "0")
    if use.flag("ShowSaturationPort"):
        raise Untranslated("a saturation port", "compare the output with its limits")
    held = reset in ("level", "level hold")
    if reset == "sampled level" or (held and external):
        source = " to an initial value from a port" if held else ""
        raise Untranslated(f"a reset by level ({reset}){source}", "reset at an edge")
    edges = {"none": "none", "rising": "rising", "falling": "falling", "either": "either"}
    edges |= {"level": "rising", "level hold": "rising"}

    def make(start: Any) -> Integrator:
        return Integrator(expand(start, use), reset=edges[reset], **bounds)

    name = use.add(make(initial))
    ends = Ends({1: [f"{name}.u"]}, [f"{name}.y"])
    if held:
        _hold(use, name, ends)
    elif reset != "none":
        wire = use.translator.tracer.driver(use.block, 2)
        below = wire is not None and ends_at_zero(use.translator.use(wire.block, use.diagram))
        edge = use.add(Compare(">=" if below else ">", value=0.0), "reset")
        use.wire(f"{edge}.y", f"{name}.trigger")
        ends.inputs[2] = [f"{edge}.u"]
    if external:
        port = len(ends.inputs) + 1
        use.begin_at_initial(ends, port, make)
        if reset != "none":
            ends.inputs[port].append(f"{name}.value")
    elif reset != "none" and np.any(np.asarray(initial) != 0):
        value = use.add(Constant(initial), "initial")
        use.wire(f"{value}.y", f"{name}.value")
    return ends


def _hold(use: Use, name: str, ends: Ends) -> None:
    """Keep an integrator at its initial value while the signal at its reset port is not 0."""
    active = use.add(Compare("!=", value=0.0), "reset")
    free, rate = use.add(Compare("==", value=0.0), "free"), use.add(Product(), "rate")
    use.wire(f"{active}.y", f"{name}.trigger")
    use.wire(f"{free}.y", f"{rate}.u0")
    use.wire(f"{rate}.y", f"{name}.u")
    ends.inputs |= {1: [f"{rate}.u1"], 2: [f"{active}.u", f"{free}.u"]}


def second_order(use: Use) -> Ends:
    """Position and rate; only internal initial values."""
    for name in ("ICSourceX", "ICSourceDXDT"):
        if use.text(name, "internal") != "internal":
            raise Untranslated("an initial value from a port", "give it as a parameter")
    if use.text("ExternalReset", "none") != "none":
        raise Untranslated("a reset of two integrators", "use two Integrators")
    bounds: dict[str, Any] = {}
    if use.flag("LimitX"):
        bounds |= {"upper": use.plain("UpperLimitX", "inf"), "lower": use.plain("LowerLimitX", "-inf")}
    if use.flag("LimitDXDT"):
        bounds |= {
            "upper_rate": use.plain("UpperLimitDXDT", "inf"),
            "lower_rate": use.plain("LowerLimitDXDT", "-inf"),
        }
    shown = use.text("StateOutput", use.text("ShowOutput", "both")).lower()
    outputs = {"x": ["y"], "dx": ["rate"], "both": ["y", "rate"]}.get(shown, ["y", "rate"])
    return use.single(
        SecondOrderIntegrator(
            initial=expand(use.plain("ICX", "0"), use),
            initial_rate=expand(use.plain("ICDXDT", "0"), use),
            **bounds,
        ),
        outputs=outputs,
    )


def derivative(use: Use) -> Ends:
    """Simulink takes differences over the solver's steps; this is a filtered derivative from the start on."""
    stop = use.translator.stop
    constant = FASTEST * (stop if math.isfinite(stop) else 10.0)
    use.difference(
        "its result depends on the solver's steps in Simulink;"
        f" here it is a derivative with a lag of {constant:g} s"
    )
    return use.single(Derivative(time_constant=constant))


def transfer(use: Use) -> Ends:
    """Rational function; a numerator with several rows gives several outputs."""
    num, den = use.array("Numerator", "[1]"), use.vector("Denominator", "[1 1]")
    if len(den) == 1:
        return use.single(Gain(plain(num / den[0])))
    rows = np.atleast_2d(num)
    if num.shape[1] == 1 and num.shape[0] > 1:
        rows = num.T if num.shape[0] <= len(den) and not use.block.outputs > 1 else num
    if use.width(1) > 1:
        raise Untranslated("a transfer function of a vector", "use a block for each element")
    names = [
        use.add(TransferFunction(num=trim_zeros(row), den=den), "" if len(rows) == 1 else f"{k + 1}")
        for k, row in enumerate(rows)
    ]
    inputs: dict[int | str, list[str]] = {1: [f"{name}.u" for name in names]}
    if len(names) == 1:
        return Ends(inputs, [f"{names[0]}.y"])
    mux = use.add(Mux(count=len(names)))
    for k, name in enumerate(names):
        use.wire(f"{name}.y", f"{mux}.u{k}")
    return Ends(inputs, [f"{mux}.y"])


def trim_zeros(row: Any) -> list[float]:
    values = [float(v) for v in np.ravel(row)]
    while len(values) > 1 and values[0] == 0:
        values.pop(0)
    return values


def state_space(use: Use) -> Ends:
    initial = initial_states(use)
    return use.single(
        StateSpace(
            A=use.matrix("A", "1"),
            B=use.matrix("B", "1"),
            C=use.matrix("C", "1"),
            D=read_feedthrough(use),
            initial=initial,
        )
    )


def initial_states(use: Use) -> Any:
    """Initial states of a state space, one value for all of them or a value for each."""
    initial = use.plain("InitialCondition" if "InitialCondition" in use.block.fields else "X0", "0")
    count = len(use.matrix("A", "1"))
    return [initial] * count if count > 1 and np.ndim(initial) == 0 else initial


def read_feedthrough(use: Use) -> Any:
    d = use.array("D", "1")
    return float(d.reshape(-1)[0]) if d.size == 1 and (d == 0).all() else np.atleast_2d(d).tolist()


def zero_pole(use: Use) -> Ends:
    """Roots and a gain."""
    zeros, poles = read_roots(use, "Zeros", "[1]"), read_roots(use, "Poles", "[0 -1]")
    return use.single(ZeroPoleGain(poles=poles, zeros=zeros or None, k=use.number("Gain", "[1]")))


def read_roots(use: Use, name: str, default: str) -> list[float]:
    if use.text(name, default).replace(" ", "") == "[]":
        return []
    return use.vector(name, default)


def transport_delay(use: Use) -> Ends:
    delay, initial = use.number("DelayTime", "1"), expand(use.plain("InitialOutput", "0"), use)
    if delay == 0:
        return use.single(Gain(1.0))
    return use.single(TransportDelay(delay=delay, initial=initial))


def variable_delay(use: Use) -> Ends:
    """Simulink's variable time delay; its pipe has another equation."""
    kind = use.text("VariableDelayType", "Variable transport delay")
    if "time delay" not in kind.lower():
        raise Untranslated("a variable transport delay", "use a Pipe for the flow of a fluid")
    return use.single(
        VariableTransportDelay(
            minimum=0.0,
            maximum=use.number("MaximumDelay", "10"),
            initial=expand(use.plain("InitialOutput", "0"), use),
        )
    )


def pid(use: Use) -> Ends:
    """Continuous or sampled, parallel or ideal."""
    terms = use.text("Controller", "PID")
    p = use.plain("P", "1") if "P" in terms else 0.0
    i = use.plain("I", "1") if "I" in terms else 0.0
    d = use.plain("D", "0") if "D" in terms else 0.0
    scale = p if use.text("Form", "Parallel") == "Ideal" and "P" in terms else 1.0
    i, d = np.multiply(scale, i).tolist(), np.multiply(scale, d).tolist()
    for name in ("ControllerParametersSource", "InitialConditionSource"):
        if use.text(name, "internal") != "internal":
            raise Untranslated("parameters from ports", "give them as numbers")
    if use.text("ExternalReset", "none") != "none":
        raise Untranslated("a reset of the controller", "use a PID here with `reset`")
    if use.flag("TrackingMode"):
        raise Untranslated("a tracking input", "use a PID here with `tracks`")
    options: dict[str, Any] = {
        "kp": p,
        "ki": i,
        "kd": d,
        "initial": np.multiply(scale, use.plain("InitialConditionForIntegrator", "0")).tolist(),
    }
    if use.flag("LimitOutput"):
        mode = use.text("AntiWindupMode", "none")
        options |= {
            "upper": use.plain("UpperSaturationLimit", "inf"),
            "lower": use.plain("LowerSaturationLimit", "-inf"),
            "anti_windup": mode,
        }  # fmt: skip
        if mode == "back-calculation":
            options["tracking"] = np.multiply(scale, use.plain("Kb", "1")).tolist()
        if mode == "clamping" and not _discrete(use):
            use.difference("clamping slows the integral at a limit, where Simulink switches it off and on")
    else:
        options["anti_windup"] = "none"
    start = np.multiply(scale, use.plain("InitialConditionForFilter", "0")).tolist()
    if np.any(np.asarray(d) != 0):
        if use.flag("UseFilter", "on"):
            options |= {"n": use.plain("N", "100"), "filter_initial": start}
        elif not _discrete(use):
            raise Untranslated("a derivative without a filter", "set UseFilter on")
    if not _discrete(use):
        return use.single(PID(**options))
    rules = {"Forward Euler": "forward", "Backward Euler": "backward", "Trapezoidal": "trapezoidal"}
    if not use.rate.sampled:
        raise Untranslated("a sampled controller without a sample time", "set SampleTime")
    unfiltered = "n" not in options
    method = rules[use.text("IntegratorMethod", "Forward Euler")]
    if options["anti_windup"] != "none" and method != "forward":
        raise Untranslated(f"anti-windup with the {method} rule, an algebraic loop", "use forward Euler")
    if np.any(np.multiply(options.get("tracking", 0.0), use.rate.period) > 1):
        raise Untranslated("back-calculation within less than a sample", "choose Kb of at most 1/T")
    return use.single(
        DiscretePID(
            **options | ({"n": math.inf} if unfiltered else {}), **use.rate.arguments(),
            method=method,
            filter_method="backward" if unfiltered else rules[use.text("FilterMethod", "Forward Euler")],
        )
    )  # fmt: skip


def _discrete(use: Use) -> bool:
    return "Discrete" in use.block.kind or use.text("TimeDomain", "Continuous-time").startswith("Discrete")


def old_pid(use: Use) -> Ends:
    """The older block: P, I, D, whose derivative has no filter."""
    if use.number("D", "0") != 0:
        raise Untranslated("a derivative without a filter", "use the newer PID Controller")
    return use.single(PID(kp=use.plain("P", "1"), ki=use.plain("I", "0"), anti_windup="none"))


def saturation(use: Use) -> Ends:
    return use.single(Saturation(lower=use.plain("LowerLimit", "-0.5"), upper=use.plain("UpperLimit", "0.5")))


def dynamic_saturation(use: Use) -> Ends:
    """Simulink's inputs are the upper limit, the signal, the lower limit."""
    name = use.add(Clip())
    return Ends({1: [f"{name}.upper"], 2: [f"{name}.u"], 3: [f"{name}.lower"]}, [f"{name}.y"])


def dynamic_dead_zone(use: Use) -> Ends:
    name = use.add(Expression("min(u - lower, 0) + max(u - upper, 0)"))
    return Ends({1: [f"{name}.upper"], 2: [f"{name}.u"], 3: [f"{name}.lower"]}, [f"{name}.y"])


def dead_zone(use: Use) -> Ends:
    return use.single(DeadZone(lower=use.plain("LowerValue", "-0.5"), upper=use.plain("UpperValue", "0.5")))


def rate_limiter(use: Use) -> Ends:
    """Continuous limits start at the input; sampled ones at the initial condition."""
    rising, falling = use.plain("RisingSlewLimit", "1"), use.plain("FallingSlewLimit", "-1")
    if use.rate.sampled and use.text("SampleTimeMode", "inherited") != "continuous":
        initial = expand(use.plain("InitialCondition", "0"), use)
        return use.single(
            DiscreteRateLimiter(rising=rising, falling=falling, initial=initial, **use.rate.arguments())
        )
    return use.begin_at_input(
        1, lambda start: RateLimiter(rising=rising, falling=falling, initial=expand(start, use))
    )


def relay(use: Use) -> Ends:
    """Off between the thresholds at the start."""
    return use.single(
        Relay(
            switch_on=use.plain("OnSwitchValue", "eps"), switch_off=use.plain("OffSwitchValue", "eps"),
            on=use.plain("OnOutputValue", "1"), off=use.plain("OffOutputValue", "0"),
        )
    )  # fmt: skip


def backlash(use: Use) -> Ends:
    return use.single(
        Backlash(width=use.plain("BacklashWidth", "1"), initial=expand(use.plain("InitialOutput", "0"), use))
    )


def quantizer(use: Use) -> Ends:
    """The nearest multiple, halves away from zero."""
    q = use.array("QuantizationInterval", "0.5")
    return use.chain(Gain(plain(1 / q)), Round("round"), Gain(plain(q)))


def friction(use: Use) -> Ends:
    """y = sign(u) (gain |u| + offset)."""
    offset, gain = use.number("offset", "[1 3 2 0]"), use.number("gain", "1")
    return use.single(
        Expression("sign(u) * (gain * abs(u) + offset)", coefficients={"gain": gain, "offset": offset})
    )


def wrap_to_zero(use: Use) -> Ends:
    return use.single(WrapToZero(use.number("Threshold", "255")))


DYNAMICS: dict[str, Maker] = {
    "Integrator": integrator,
    "SecondOrderIntegrator": second_order,
    "Derivative": derivative,
    "TransferFcn": transfer,
    "StateSpace": state_space,
    "ZeroPole": zero_pole,
    "TransportDelay": transport_delay,
    "VariableTransportDelay": variable_delay,
    "PID Controller": pid,
    "Discrete PID Controller": pid,
    "PID 1dof": pid,
    "simulink_need_slupdate/PID Controller": old_pid,
    "Saturate": saturation,
    "Saturation Dynamic": dynamic_saturation,
    "Dead Zone Dynamic": dynamic_dead_zone,
    "DeadZone": dead_zone,
    "RateLimiter": rate_limiter,
    "Relay": relay,
    "Backlash": backlash,
    "Quantizer": quantizer,
    "Coulomb & Viscous Friction": friction,
    "Wrap To Zero": wrap_to_zero,
}
