"""What users of bdsim and of the Robotics Toolbox type is answered by ours, whichever way they ask."""

from __future__ import annotations

import math
import re
import subprocess
import sys

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.bdsim import TABLE

ROBOTS = "from blockdyn.robots import load, Link, Joint, functions; puma = load('puma560');"


@pytest.mark.parametrize(
    ("typed", "kind", "answer"),
    [
        ("from blockdyn.robots.functions import jacob0", ImportError, "functions.jacobian(robot, q)"),
        ("from blockdyn.robots import jtraj", ImportError, "trajectories.quintic"),
        ("from blockdyn.robots.lie import trotx", ImportError, "lie.rotx"),
        ("from blockdyn.robots.trajectories import lspb", ImportError, "trajectories.trapezoidal"),
        ("from blockdyn.robots.inverse import ikine6s", ImportError, "inverse.ikine_closed"),
        ("from blockdyn import jtraj", ImportError, "trajectories.quintic"),
        ("from blockdyn import (\n  Gain,\n  jtraj as j,\n)", ImportError, "trajectories.quintic"),
        ("import blockdyn.robots.functions as f; f.jacob0", AttributeError, "functions.jacobian(robot, q)"),
        ("import blockdyn.robots as r; r.functions.jacob0", AttributeError, "functions.jacobian(robot, q)"),
        ("from blockdyn import GAIN", ImportError, "`Gain`"),
        ("from blockdyn.blocks import GAIN", ImportError, "from blockdyn import Gain"),
        ("from blockdyn.blocks import Integrator", ImportError, "from blockdyn import Integrator"),
        ("import blockdyn.blocks as b; b.LTI_SISO", AttributeError, "TransferFunction"),
        ("import blockdyn as bd; bd.gain", AttributeError, "`Gain`"),
        ("import blockdyn as bd; bd.LTI_SISO", AttributeError, "`TransferFunction`"),
        ("from blockdyn import BDSim", ImportError, "Diagram("),
        ("import blockdyn as bd; bd.BDSim()", AttributeError, "Diagram("),
        ("import blockdyn as bd; bd.Diagram().GAIN(3)", AttributeError, '`diagram.add("name", block)`'),
        ("import blockdyn as bd; bd.Diagram().gain(3)", AttributeError, "`Gain`"),
        ("import blockdyn as bd; bd.Diagram().add_block", AttributeError, 'diagram.add("name", block)'),
        ("import blockdyn as bd; bd.Diagram().run(5)", AttributeError, "simulate"),
        ("import blockdyn as bd; bd.load('position-loop').simulate(T=5)", bd.BlockdynError, "`stop`"),
        ("import blockdyn as bd; bd.load('position-loop').simulate(dt=5)", bd.BlockdynError, "`max_step`"),
        (ROBOTS + "puma.jacob0", AttributeError, "functions.jacobian(robot, q)"),
        (ROBOTS + "Link('a', m=1)", TypeError, "`mass`"),
        (ROBOTS + "Link('a', r=[0, 0, 0])", TypeError, "`com`"),
        (ROBOTS + "Joint('j', qlim=[0, 1])", TypeError, "`lower` and `upper`"),
        (ROBOTS + "Joint('j', Jm=1)", TypeError, "`motor_inertia`"),
        (
            "from blockdyn.robots.trajectories import quintic; quintic(0, 1, t=2)",
            TypeError,
            "duration, times",
        ),
        ("from blockdyn.robots.lie import rotx; rotx(90, 'deg')", TypeError, "it takes: "),
    ],
)
def test_the_error_tells_ours(typed: str, kind: type[Exception], answer: str) -> None:
    with pytest.raises(kind) as caught:
        exec(typed, {})
    assert answer in str(caught.value)


def test_a_name_that_is_no_ones_stays_pythons() -> None:
    for typed in ("from blockdyn.robots import nothing_of_it", "from blockdyn.blocks import nothing_of_it"):
        with pytest.raises(ImportError, match="nothing_of_it"):
            exec(typed, {})
    assert not hasattr(bd, "nothing_of_it")
    assert not hasattr(bd.Diagram(), "nothing_of_it")
    assert getattr(bd.Diagram(), "GAIN", None) is None
    exec("from blockdyn.blocks import sources, contract", {})


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("bd.PID(limits=(-1, 1))", "did you mean `lower` and `upper`?"),
        ("bd.Gain(gain=2)", "did you mean `k`?"),
        ("bd.Integrator(x0=1)", "did you mean `initial`?"),
        ("bd.Step(T=1)", "did you mean `time`?"),
        ("bd.ZeroOrderHold(Ts=1)", "did you mean `sample_time`?"),
        ("bd.Scope(nin=2)", "did you mean `count`?"),
        ("bd.PID(kp=1, ti=0.5)", "here it is `ki = kp / ti`"),
        ("bd.DiscretePID(kp=1, Td=0.5, sample_time=1)", "here it is `kd = kp * Td`"),
        ("bd.PID(kp=1, sample_time=0.1)", "the block `DiscretePID`"),
        ("bd.Integrator(Ts=0.1)", "the block `DiscreteIntegrator`"),
        ("bd.Quantizer(step=0.1)", "did you mean `interval`?"),
        ("bd.RateLimiter(rate=1)", "did you mean `rising` and `falling`?"),
        ("bd.Sum(inputs=2)", "did you mean `signs`?"),
        ("d.simulate(stop=1, dt=0.1)", "`step` with method rk4 for fixed steps, `every` for even rows"),
        ("d.simulate(stop=1, fixed_step=0.1)", "`step` with method rk4"),
        ("d.simulate(stop=1, parameters={'g.k': 3})", "set={'g.k': ...}"),
        ("d.add('c', bd.Diagram(), J=4e-4)", "Subsystem(motor, J=4e-4)"),
        ("bd.Subsystem(bd.Diagram(), {'J': 1})", "Subsystem(motor, J=4e-4)"),
        ("d.sweep({'g.k': {'normal': {'mean': 1, 'sd': 1}}}, stop=1, n=3)", "did you mean `number`?"),
        (
            "d.tune(['g.k'], {'absolute': 'g'})",
            'tune(["kp"], "iae", {"iae": {"absolute"',
        ),
        ("d.rise_time", "diagram.measure("),
        ("r.to_mat('a.mat')", "scipy.io.savemat("),
        ("r.save('a.mat')", "scipy.io.savemat("),
        ("r.save('a.xlsx')", "to_pandas().to_excel("),
        ("r.df", "`to_pandas()`"),
        ("r.compare(r)", "compare={"),
        ("bd.Simulator", "diagram.simulate(stop=10)"),
        ("d.plot()", "simulate(stop=10).plot()"),
        ("d.save('loop.yaml')", "dump(diagram"),
        ("d.simulate(10)", "simulate(stop=10)"),
        ("d.simulate(t_end=1)", "`stop`"),
        ("d.simulate(stop=1, plot=True)", "simulate(stop=10).plot()"),
        ("d.add(bd.Gain(2))", 'add("gain", Gain(k=2.0))'),
        ("d.connect(d['u'], src=d['g'])", "connect(a, [b, c])"),
        ("bd.Diagram('d', params={'k': 1})", "did you mean `parameters`?"),
        ("d.view()", 'draw("loop.svg")'),
        ("d.conect", "did you mean `connect`?"),
        ("d.g", "diagram['g']"),
        ("setattr(d, 'rate', 3)", "parameters={'rate'"),
        ("d.parameters.__setitem__('rate', 3)", 'parameter("name", value)'),
        ("d.parameters.rate", "['rate']"),
        ("d.blocks()", "no function"),
        ("d.log(['u', 'g'])", "log('u', 'g')"),
        ("d['g'].k", ".block.k"),
        ("setattr(d['g'], 'k', 3)", "set={'g.k'"),
        ("setattr(d['g'].block, 'k', 3)", "NAME.k"),
        ("d['g'].connect(d['u'])", "diagram.connect(a, b)"),
        ("d['g']['y'].value", 'final("block")'),
        ("d['g'] > 3", "Expression("),
        ("np.sin(d['g'])", "Expression("),
        ("math.sin(d['g'])", "Expression("),
        ("bd.tf([1], [1, 1])", "TransferFunction"),
        ("bd.expr('kp')", 'expression("kp")'),
        ("bd.plot(3)", "simulate(stop=10).plot()"),
        ("d.simulate(stop=1, set={'g.gain': 1})", "did you mean `k`?"),
        ("d.simulate(stop=1, k=1)", "set={...}"),
        ("d.sweep({'k': [1, 2]}, stop=1).run()", "did you mean `g.k`?"),
        ("r.g", "result['g']"),
        ("r.t", "`time`"),
        ("r['t']", "`result.time`"),
        ("r[d['g'][0]]", "such as 'g"),
        ("r.to_csv('a.csv')", 'save("run.csv")'),
        ("r.plot('g', 'u')", "plot(['g', 'u'])"),
        ("r.plot(title='x')", "figure.axes[0]"),
        ("r.overshoot", '{"overshoot"'),
        ("r.final()", "final('motor')"),
        ("r.trace('g').t", "`time`"),
        ("r.events[0].t", "`time`"),
        ("e.top", "ensemble['top']"),
        ("e[0]", "ensemble.result(k)"),
        ("e[:1]", "ensemble.result(k)"),
        ("e.plot.hist('top')", '`histogram("top")`'),
        ("e.worst()", "worst('top', 3)"),
        ("e.diagram.sweep({'g.k': [1]}, stop=1).summary()", "sweep.run()"),
        ("e.plot('top')", "histogram"),
        ("e.to_pandas()", "`to_frame()`"),
    ],
)
def test_a_guess_of_a_newcomer_leads_to_the_name(typed: str, answer: str) -> None:
    d = bd.Diagram("d")
    d.parameter("rate", 1.0)
    d.connect(d.add("u", bd.Step(time=0.5)), d.add("g", bd.Gain(2.0)))
    scope = {"bd": bd, "d": d, "math": math, "np": np}
    if typed[0] in "re":
        scope |= {"r": d.simulate(stop=1.0)}
    if typed[0] == "e":
        scope |= {"e": d.sweep({"g.k": [1.0, 2.0]}, {"top": {"max": "g"}}, stop=1.0).run()}
    with pytest.raises((AttributeError, bd.BlockdynError)) as caught:
        eval(typed, scope)
    assert answer in str(caught.value)


def test_an_error_inside_a_method_stays_what_it_is() -> None:
    d = bd.Diagram("d")

    class Odd(str):
        def isidentifier(self) -> bool:
            raise TypeError("from inside")

    with pytest.raises(TypeError, match="from inside"):
        d.add(Odd("gain"), bd.Gain(2.0))


def test_arrays_to_the_left_of_a_signal_are_blocks() -> None:
    d = bd.Diagram("d")
    u = d.add("u", bd.Constant([1.0, 2.0]))
    a, b = np.array([3.0, 5.0]), np.array([1.0, 2.0])
    for name, made in {"sum": a + u, "less": a - u, "times": a * u, "over": a / u, "power": a**u}.items():
        d.signal(name, made)
    d.log("sum", "less", "times", "over", "power")
    r = d.simulate(stop=0.0)
    for name, value in {"sum": a + b, "less": a - b, "times": a * b}.items():
        np.testing.assert_array_equal(r.final(name), value)
    np.testing.assert_allclose(r.final("over"), [3.0, 2.5], rtol=1e-15)
    np.testing.assert_allclose(r.final("power"), [3.0, 25.0], rtol=1e-15)


def test_answers_for_bdsim_name_what_exists() -> None:
    for text in TABLE.values():
        for name in re.findall(r"`diagram\.(\w+)\(", text):
            assert hasattr(bd.Diagram, name), text


def test_running_a_diagram_asks_for_no_foreign_name() -> None:
    """What answers them loads the whole library."""
    code = (
        "import sys, blockdyn as bd; d = bd.Diagram();"
        "d.connect(d.add('u', bd.Clock()), d.add('x', bd.Integrator()));"
        "d.simulate(stop=1); sys.exit('blockdyn.blocks.contract.foreign_names' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    ("key", "ours"), [("T: 10", "stop"), ("dt: 0.1", "step"), ("solver: ode45", "method")]
)
def test_a_file_takes_the_same_words_for_settings_of_a_run_as_python(key: str, ours: str) -> None:
    name = key.partition(":")[0]
    text = f"blockdyn: 1\nname: d\nblocks: {{g: {{type: Clock}}}}\nsimulate: {{{key}}}\n"
    with pytest.raises(bd.BlockdynError, match=f"`{ours}`"):
        bd.load(text.partition("simulate")[0]).simulate(**{name: 1.0})
    with pytest.raises(bd.BlockdynError, match=f"unknown key `{name}` in `simulate`, did you mean `{ours}`"):
        bd.load(text)
