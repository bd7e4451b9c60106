"""Nonsense in a sweep's declaration gives an error of blockdyn, and never another one."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

from hypothesis import given, settings, strategies as st

from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.sweep import Sweep

DIAGRAM = loads("""\
blockdyn: 1
parameters: {kp: 2.0, gains: [1, 2, 3]}
blocks:
  c:   {type: Constant, value: =gains}
  x:   {type: Integrator, initial: [1, 2, 3]}
  arm: {type: Gravload, robot: puma560}
  q:   {type: Constant, value: [0, 0, 0, 0, 0, 0]}
wires: [c -> x, q -> arm]
simulate: {stop: 1.0}
""")
SCALARS = st.sampled_from(
    [None, True, 0, -1, 3, 1e300, float("nan"), float("inf"), "", "kp", "=kp", "x" * 99]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["normal", "mean", "sd", "linspace", "paths", "signals", "a"]), inner
        )
    ),
    max_leaves=12,
)
KEYS = [
    "axes",
    "number",
    "seed",
    "sampling",
    "zip",
    "file",
    "keep",
    "measures",
    "chunk",
    "common_random_numbers",
]


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4),
    st.dictionaries(
        st.sampled_from(["kp", "gains[0]", "arm.robot", "x.x[1]", "simulate.seed"]), VALUES, max_size=3
    ),
)
def test_nothing_but_an_error_of_blockdyn_comes_of_nonsense(
    given: dict[str, Any], axes: dict[str, Any]
) -> None:
    with warnings.catch_warnings(), contextlib.suppress(BlockdynError):
        warnings.simplefilter("ignore")
        Sweep(DIAGRAM, **{"axes": axes, **given})
