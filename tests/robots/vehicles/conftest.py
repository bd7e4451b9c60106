"""The functions of a block, called in Python with what they name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.groups import arguments_with_groups, taking_fields

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def call() -> Call:
    """call(block, role, targets, **values): what a function writes, by the names of the targets."""

    def call(block: bd.Block, role: str, targets: dict[str, Any], **values: Any) -> dict[str, Any]:
        function = block.functions()[role]
        names = arguments_with_groups(function).names or tuple(inspect.signature(function).parameters)
        out = {name: np.zeros(shape) for name, shape in targets.items()}
        scratch = {name: np.zeros(shape) for name, shape in block.scratch().items()}
        n = block.model.n  # type: ignore[attr-defined]
        known = {
            **block.numbers(),
            **scratch,
            "force": np.zeros(3),
            "torque": np.zeros(3),
            "health": np.ones(n),
        }
        known |= {**({"wind": np.zeros(3)} if "wind" not in known else {}), **out, **values}
        taking_fields(function)(*(known[name] for name in names))
        return out

    return call
