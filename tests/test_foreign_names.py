"""What users of bdsim and of the Robotics Toolbox type is answered by ours, whichever way they ask."""

from __future__ import annotations

import re
import subprocess
import sys

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
        ("bd.Simulator", "diagram.simulate(stop=10)"),
        ("d.plot()", "simulate(stop=10).plot()"),
        ("d.save('loop.yaml')", "dump(diagram"),
        ("d.simulate(10)", "simulate(stop=10)"),
        ("d.simulate(stop=1, set={'g.gain': 1})", "did you mean `k`?"),
        ("d.simulate(stop=1, k=1)", "set={...}"),
        ("d.sweep({'k': [1, 2]}, stop=1).run()", "did you mean `g.k`?"),
        ("r.g", "result['g']"),
        ("r.t", "`time`"),
        ("r['t']", "`result.time`"),
        ("r[d['g']]", "such as 'g'"),
        ("r.to_csv('a.csv')", 'save("run.csv")'),
        ("e.top", "ensemble['top']"),
        ("e.plot('top')", "histogram"),
        ("e.to_pandas()", "`to_frame()`"),
    ],
)
def test_a_guess_of_a_newcomer_leads_to_the_name(typed: str, answer: str) -> None:
    d = bd.Diagram("d")
    d.connect(d.add("u", bd.Clock()), d.add("g", bd.Gain(2.0)))
    scope = {"bd": bd, "d": d}
    if typed[0] in "re":
        scope |= {"r": d.simulate(stop=1.0)}
    if typed[0] == "e":
        scope |= {"e": d.sweep({"g.k": [1.0, 2.0]}, {"top": {"max": "g"}}, stop=1.0).run()}
    with pytest.raises((AttributeError, bd.BlockdynError)) as caught:
        eval(typed, scope)
    assert answer in str(caught.value)


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
