"""Signals and rooms to work in that are larger than a thread's stack."""

from __future__ import annotations

import numpy as np

import blockdyn as bd

MANY = 1_200_000  # numbers: 9.6 MB, and a stack has 8


def test_vectors_larger_than_the_stack_pass_through_blocks() -> None:
    d = bd.Diagram()
    numbers = np.arange(float(MANY))
    twice, thrice = d.add("twice", bd.Gain(2.0)), d.add("thrice", bd.Gain(3.0))
    d.connect(d.add("numbers", bd.Constant(numbers)), twice, thrice, d.add("total", bd.SumOfElements()))
    assert d.simulate(stop=0.1, log=["total"]).final("total") == 3.0 * MANY * (MANY - 1.0)


def test_their_derivatives_are_exact() -> None:
    d = bd.Diagram()
    u, spread = d.add("u", bd.Constant(1.0)), d.add("spread", bd.Gain(np.full(MANY, 2.0)))
    square, total = d.add("square", bd.Expression("u*u")), d.add("total", bd.SumOfElements())
    d.connect(u, spread, square, total, d.add("x", bd.Integrator()))
    model = d.linearize(inputs=["u"], outputs=["total"])
    np.testing.assert_array_equal(model.D, [[8.0 * MANY]])


def test_a_block_may_work_in_more_room_than_the_stack_has() -> None:
    d = bd.Diagram()
    car = d.add("car", bd.Unicycle())
    d.connect(d.add("v", bd.Constant(1.0)), car["v"])
    d.connect(d.add("omega", bd.Constant(0.0)), car["omega"])
    d.connect(car["*"], d.add("odometry", bd.Odometry(V=0.0))["*"])
    d.connect(car["pose"], d.add("sensor", bd.RangeBearing([[5.0, 2.0]], W=0.0)))
    particles = bd.ParticleFilter([[5.0, 2.0]], count=500_000, V=0.0, P0=0.0)
    d.connect(d["odometry"], d.add("filter", particles)["odometry"])
    d.connect(d["sensor"]["*"], d["filter"]["*"])
    pose = d.simulate(stop=0.25, log=["filter.pose"]).final("filter.pose")
    np.testing.assert_allclose(pose, [0.2, 0.0, 0.0], atol=1e-9)
