"""Interpreted and compiled runs agree to rounding, on diagrams whose events, vectors and rates mix."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def chain(*blocks: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(*(d.add(f"b{i}", block) for i, block in enumerate(blocks)))
    return d


def fan(inputs: list[bd.Block], block: bd.Block, *after: bd.Block) -> bd.Diagram:
    """Sources into the inputs of one block, in order."""
    d = bd.Diagram()
    centre = d.add("centre", block)
    for i, source in enumerate(inputs):
        d.connect(d.add(f"in{i}", source), centre[i])
    for i, block in enumerate(after):
        d.connect(centre if i == 0 else f"after{i - 1}", d.add(f"after{i}", block))
    return d


def waves(n: int) -> bd.Block:
    return bd.Sine(amplitude=np.arange(1.0, n + 1), frequency=np.linspace(1, 3, n), phase=0.2, bias=0.1)


def bus() -> bd.Diagram:
    d = fan([waves(2), bd.Clock()], bd.BusCreator(names=["q", "time"]))
    s = d.add("s", bd.BusSelector(fields=["time", "q"]))
    d.connect("centre", s)
    d.connect(s["q"], d.add("x", bd.Integrator([0.0, 0.0])))
    d.connect(s["time"], d.add("end", bd.Terminator()))
    return d


def subsystem() -> bd.Diagram:
    inner = bd.Diagram("inner", parameters={"k": 2.0})
    inner.connect(
        inner.add("u", bd.Inport()),
        inner.add("gain", bd.Gain(k=bd.expression("k"))),
        inner.add("y", bd.Outport()),
    )
    d = bd.Diagram()
    d.connect(
        d.add("s", waves(1)),
        d.add("a", bd.Subsystem(inner, k=3.0)),
        d.add("b", bd.Subsystem(inner)),
        d.add("x", bd.Integrator([0.0])),
    )
    return d


def flight() -> bd.Diagram:
    d = bd.Diagram()
    mixer, body = (
        d.add("mixer", bd.QuadrotorMixer()),
        d.add("body", bd.Quadrotor(initial_attitude=[0.1, -0.2, 0.3])),
    )
    for port in mixer.block.input_ports():
        value = -40.0 if "thrust" in port.name.lower() or port.name.upper() == "T" else 0.01
        d.connect(
            d.add(
                f"c_{port.name}", bd.Constant(np.full(port.fixed().shape, value) if port.fixed() else value)
            ),
            mixer[port.name],
        )
    d.connect(mixer, body)
    return d


def ball() -> bd.Diagram:
    d = bd.Diagram()
    v, x = (
        d.add("v", bd.Integrator([0.0, 1.0], reset="falling", level=0.0)),
        d.add("x", bd.Integrator([3.0, 2.0])),
    )
    d.connect(d.add("g", bd.Constant([-9.81, -3.7])), v["u"])
    d.connect(v, x, v["trigger"])
    d.connect(v, d.add("back", bd.Gain(-0.8)), v["value"])
    return d


def friction() -> bd.Diagram:
    d = bd.Diagram()
    f, v, rub, total = (
        d.add("f", bd.Sine(amplitude=[1.5, 3.0])),
        d.add("v", bd.Integrator([0.5, 0.0])),
        d.add("rub", bd.CoulombFriction(coulomb=[1.0, 0.5], viscous=0.1)),
        d.add("total", bd.Sum("++")),
    )
    d.connect(f, [rub["force"], total[0]])
    d.connect(v, rub["velocity"])
    d.connect(rub, total[1])
    d.connect(total, v)
    return d


I2 = bd.Integrator([0.0, 0.0])
S = bd.Sine(amplitude=1.4, frequency=2.0)
DIAGRAMS = {
    "gain_sum": fan(
        [waves(2), bd.Constant([1.0, -2.0]), bd.Ramp(start=0.7)], bd.Sum("+-+"), bd.Gain([2.0, 0.5]), I2
    ),
    "product": fan([waves(2), bd.Expression("2 + cos(t)"), bd.Constant(3.0)], bd.Product("*/*"), I2),
    "abs_sign": chain(waves(2), bd.Abs(), bd.Gain(2.0), bd.Sum("+"), I2),
    "sign": chain(bd.Sine(phase=0.3), bd.Sign(), bd.Integrator()),
    "power": chain(bd.Expression("1.5 + sin(t)"), bd.Power(-1.7), bd.Integrator()),
    "matrix_gain": chain(waves(3), bd.MatrixGain([[1.0, 2.0, 3.0], [0.0, -1.0, 1.0]]), I2),
    "atan2": fan(
        [bd.Sine(), bd.Sine(phase=np.pi / 2 + 0.1)], bd.Trigonometry(function="atan2"), bd.Integrator()
    ),
    "expression": chain(
        S,
        bd.Expression("a * exp(-a ** 2) + min(a, 0.3) + floor(2 * a) + hypot(a, 1) + log(2 + a) + a % 0.4"),
        bd.Integrator(),
    ),
    "logic": fan(
        [S, bd.Sine(frequency=3.0)],
        bd.Expression("(a > 0.2 and b < 0.5) or not (a + b > 0)"),
        bd.Integrator(),
    ),
    "compare": fan([S, bd.Sine(frequency=3.0)], bd.CompareSignals(operator="<"), bd.Integrator()),
    "compare_constant": chain(S, bd.Compare(operator=">=", value=0.3), bd.Integrator()),
    "hits": chain(S, bd.HitCrossing(level=0.2), bd.Integrator()),
    "switch": fan([S, waves(2), bd.Constant(1.0)], bd.Switch(threshold=0.4), I2),
    "relay": chain(S, bd.Relay(switch_on=0.5, switch_off=-0.5), bd.Integrator()),
    "dead_zone": chain(waves(2), bd.DeadZone(lower=-0.3, upper=[0.2, 0.4]), I2),
    "saturation": chain(waves(2), bd.Saturation(lower=[-0.3, -1.0], upper=0.5), I2),
    "friction": friction(),
    "limits": chain(bd.Sine(phase=1.5), bd.Integrator(lower=-0.4, upper=0.4), bd.Gain(2.0)),
    "ball": ball(),
    "transfer": chain(bd.Step(time=0.5), bd.TransferFunction(num=[1.0, 2.0], den=[1.0, 0.4, 4.0])),
    "state_space": chain(
        waves(2),
        bd.StateSpace(A=[[0.0, 1.0], [-2.0, -0.3]], B=np.eye(2), C=np.eye(2), D=[[0.0, 0.1], [0.0, 0.0]]),
    ),
    "pid": chain(bd.Square(period=0.9), bd.PID(kp=2.0, ki=3.0, kd=0.1, lower=-2.2, upper=2.2)),
    "pid_clamped": chain(S, bd.PID(kp=1.0, ki=3.0, lower=-1.0, upper=1.0, anti_windup="limited-integral")),
    "square": chain(bd.Square(period=0.37, duty=0.3, offset=0.1), bd.Integrator()),
    "staircase": chain(bd.PiecewiseConstant(times=[0.3, 0.9], values=[[1.0, 2.0], [0.0, -1.0]]), I2),
    "hold_delay": chain(bd.Clock(), bd.ZeroOrderHold(0.1), bd.UnitDelay(0.25), bd.Integrator()),
    "sampled": chain(
        S,
        bd.DiscreteIntegrator(0.1, method="trapezoidal", upper=0.5),
        bd.DiscreteTransferFunction(0.2, num=[0.3], den=[1.0, -0.7]),
    ),
    "sampled_pid": chain(S, bd.DiscretePID(0.1, kp=2.0, ki=1.0, kd=0.05, upper=2.0)),
    "sampled_space": chain(
        waves(2), bd.DiscreteStateSpace(0.1, A=0.5 * np.eye(2), B=np.eye(2), C=[[1.0, 1.0]])
    ),
    "mux_demux": fan([waves(2), bd.Clock()], bd.Mux(2), bd.Demux([3]), bd.Integrator([0.0, 0.0, 0.0])),
    "reshape": chain(waves(4), bd.Reshape([2, 2]), bd.Selector(rows=1), I2),
    "concatenate": fan([waves(2), bd.Constant([1.0, 2.0])], bd.Concatenate(2), bd.MatrixGain([[1.0, 1.0]])),
    "bus": bus(),
    "subsystem": subsystem(),
    "flight": flight(),
    "stop": chain(bd.Clock(), bd.Compare(operator=">", value=1.234), bd.Stop()),
    "assert": chain(bd.Constant(1.0), bd.Assert()),
    "scope": chain(S, bd.Integrator(), bd.Scope()),
    "record": chain(S, bd.Integrator(), bd.Record(name="kept")),
}


@pytest.mark.parametrize("method", ["dopri5", "rk4"])
@pytest.mark.parametrize("name", DIAGRAMS)
def test_interpreted_and_compiled_agree(name, method):
    how = {"step": 0.01} if method == "rk4" else {}
    stop = 1.5 if method == "dopri5" else 0.5
    native = DIAGRAMS[name].simulate(stop=stop, method=method, compiled=True, **how)
    plain = DIAGRAMS[name].simulate(stop=stop, method=method, compiled=False, **how)
    assert list(native) == list(plain)
    assert [(e.path, e.kind, e.detail) for e in native.events] == [
        (e.path, e.kind, e.detail) for e in plain.events
    ]
    np.testing.assert_allclose([e.time for e in native.events], [e.time for e in plain.events], rtol=1e-12)
    assert native.statistics["steps"] == plain.statistics["steps"]
    for path in native:
        a, b = native.trace(path), plain.trace(path)
        np.testing.assert_allclose(a.time, b.time, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(a.values, b.values, rtol=1e-9, atol=1e-11)
