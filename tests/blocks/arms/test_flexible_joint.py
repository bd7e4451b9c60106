"""FlexibleJoint and FlexibleTransmission: two inertias on a spring, an arm that hangs in its springs."""

import numpy as np

import blockdyn as bd
from blockdyn.blocks.arms.fdyn import FDyn
from blockdyn.blocks.arms.flexible_joint import FlexibleJoint
from blockdyn.blocks.arms.flexible_transmission import FlexibleTransmission
from blockdyn.robots import Joint, Link, Robot, load

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def disc(inertia):
    return Robot("disc", (Joint("shaft"),), (Link("disc", inertia=[inertia, inertia, inertia]),))


def test_motor_and_disc_swing_against_each_other():
    """w^2 = k (1/J1 + 1/J2); with 0.5 and 2 kg m2 and 10 N m/rad, w = 5 rad/s."""
    d = bd.Diagram()
    arm, joint = (
        d.add("arm", FDyn(robot=disc(2.0))),
        d.add("joint", FlexibleJoint(inertia=0.5, stiffness=10.0, qm0=[0.5])),
    )
    d.connect(joint["tau"], arm["tau"])
    d.connect(arm["q"], joint["q"])
    d.connect(arm["qd"], joint["qd"])
    d.connect(d.add("u", bd.Constant([0.0])), joint["u"])
    r = d.simulate(stop=1.0, **TIGHT)
    np.testing.assert_allclose(r.final("joint.qm") - r.final("arm.q"), 0.5 * np.cos(5.0), rtol=1e-8)
    np.testing.assert_allclose(0.5 * r.final("joint.qm") + 2.0 * r.final("arm.q"), 0.25, rtol=1e-10)


def test_a_transmission_settles_where_the_spring_carries_gravity():
    """sl_flex at rest: K (qm - q) = g(q), solved by fixed-point steps."""
    K, wanted = 100.0, np.array([1.0, 0.0])
    d = bd.Diagram()
    arm = d.add("arm", FDyn(robot=load("twolink")))
    spring = d.add("spring", FlexibleTransmission(stiffness=K, damping=20.0))
    d.connect(d.add("qm", bd.Constant(wanted)), spring["qm"])
    d.connect(d.add("qmd", bd.Constant([0.0, 0.0])), spring["qmd"])
    d.connect(arm["q"], spring["q"])
    d.connect(arm["qd"], spring["qd"])
    d.connect(spring, arm["tau"])
    r = d.simulate(stop=20.0, **TIGHT)
    q = wanted
    for _ in range(100):
        outer = 0.5 * 9.81 * np.cos(q.sum())
        q = wanted - np.array([1.5 * 9.81 * np.cos(q[0]) + outer, outer]) / K
    np.testing.assert_allclose(r.final("arm.q"), q, rtol=1e-8)
