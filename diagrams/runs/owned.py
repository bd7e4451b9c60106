"""Make the objects that blocks of a run own when it starts; release them when it ends, however it ends."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from ...base.words import short
from ...blocks.contract.owned import Foreign, Instance
from ...solvers.layout import Floats
from ..compiler.plan.layout import OwnedResource
from ..compiler.program import Program
from ..model.run_errors import InstanceFailed, ReleaseWarning

LARGEST = 2**53  # handles go to Python as doubles too


def make_owned_objects(program: Program, p: Floats) -> RunInstances:
    """Objects of a run of a program with the numbers `p`. Raises InstanceFailed if a `create` fails."""
    return RunInstances(program, p) if program.plan.owned else _NOTHING


class RunInstances:
    """Instances of a run, their handles among its numbers `p`, as the addresses of foreign functions are.

    `release`, or the end of a `with` block, releases them, the last one first; `leave` keeps them for machine
    code that did not return. Raises InstanceFailed if a `create` fails.
    """

    def __init__(self, program: Program | None, p: Floats) -> None:
        self._instances: list[tuple[OwnedResource, Callable[[int], object], int]] = []
        words = p.view(np.int64)
        try:
            for each in program.plan.owned if program is not None else ():
                if isinstance(each.resource, Foreign):
                    words[each.at] = each.resource.address
                    continue
                words[each.at] = handle = _create_instance(each, each.resource)
                self._instances.append((each, each.resource.release, handle))
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Release all; failures are ReleaseWarnings after the last release, because the result is valid."""
        failed: list[str] = []
        while self._instances:
            each, release, handle = self._instances.pop()
            try:
                release(handle)
            except Exception as error:  # noqa: BLE001  warned of below, after the other releases
                problem = f"{each.path}: `release` of its Instance `{each.name}` raised"
                failed.append(f"{problem} {type(error).__name__}: {error}; what it held may still be in use")
        for text in failed:
            warnings.warn(text, ReleaseWarning, stacklevel=2)

    def leave(self) -> None:
        """Release nothing: a thread still uses them."""
        self._instances.clear()

    def __enter__(self) -> RunInstances:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.release()


def _create_instance(each: OwnedResource, instance: Instance) -> int:
    try:
        value = instance.create()
    except Exception as error:
        raise InstanceFailed(
            each.path, each.name, f"raised {type(error).__name__}: {error}", error
        ) from error
    handle = index(value) if hasattr(value, "__index__") and not isinstance(value, bool) else -1
    if not 0 <= handle <= LARGEST:
        raise InstanceFailed(each.path, each.name, f"gave {short(value)}")
    return handle


_NOTHING = RunInstances(None, np.zeros(0))
