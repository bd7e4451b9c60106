"""Arms that are let go: diagrams for the tests of FDyn."""

import numpy as np

import blockdyn as bd
from blockdyn.blocks.arms.fdyn import FDyn
from blockdyn.robots import Joint, Link, Robot


def let_go(robot, torque=0.0, wrench=None, **parameters):
    d = bd.Diagram()
    arm = d.add("arm", FDyn(robot=robot, **parameters))
    d.connect(d.add("tau", bd.Constant(np.full(robot.n, torque))), arm["tau"])
    if wrench is not None:
        d.connect(d.add("wrench", bd.Constant(wrench)), arm["wrench"])
    return d


def slider(mass=2.0, **friction):
    """A mass on a rail along x."""
    joint = Joint("rail", "prismatic", axis=(1.0, 0.0, 0.0), **friction)
    return Robot("slider", (joint,), (Link("cart", mass=mass),))
