"""A sweep over the rate of a decay, for tests of what is stored of it."""

from __future__ import annotations

TEXT = """\
blockdyn: 1
parameters: {a: 1.0}
blocks: {x: {type: Integrator, initial: 1.0}, g: {type: Gain, k: =-a}}
wires: [x -> g -> x]
simulate: {stop: 1.0}
sweep:
  number: NUMBER
  chunk: 5
  axes: {a: {uniform: {low: 0, high: 1}}}
  measures: {x: {final: x}}
  keep: {signals: [x], every: EVERY}
"""


def decays(number: int, every: float) -> str:
    """The YAML of so many decays in chunks of five, their trajectories kept at these distances, s."""
    return TEXT.replace("NUMBER", str(number)).replace("EVERY", str(every))
