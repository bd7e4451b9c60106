"""Kernels of the functions in this package are compiled before the first call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from operator import itemgetter
from pkgutil import iter_modules
from types import ModuleType

import numpy as np

from .calls.kernel import Kernel, machine_code
from .planning.bug2 import native_walk
from .planning.car_paths import native_dubins, native_reeds_shepp
from .planning.d_star_lite import native_around, native_mending
from .planning.grid_planners import native_search
from .planning.lattice import native_lattice
from .planning.random_trees import native_growth, native_pairs, native_star
from .planning.sight import native_sight
from .trajectories.poses import native_along

PACKAGES = ("functions", "inverse")
PLANNERS = {
    "dubins": native_dubins, "reeds_shepp": native_reeds_shepp, "in_sight": native_sight,
    "astar": native_search, "DStarLite": native_mending, "DStarLite.change": native_around,
    "bug2": native_walk, "rrt": native_growth, "rrt_star": native_star, "roadmap": native_pairs,
    "lattice": native_lattice,
}  # fmt: skip
AXES = np.array([[0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0, 0.0, 0.0]])
"""Two screw axes; the second does not have unit length, so the chain's joints have shares."""


def preparations() -> list[tuple[str, Callable[[], object]]]:
    """Names and compilers of each kernel that the functions of this package and of `modern_robotics` call.

    A kernel that is already in the store is fast.
    """
    different = {(kernel.function, kernel.types) for kernel in kernels()}
    steps: list[tuple[str, Callable[[], object]]] = [
        (function.__name__, partial(machine_code, function, types)) for function, types in different
    ]
    return [
        *sorted(steps, key=itemgetter(0)), ("trajectories", native_along), *PLANNERS.items(),
        ("modern_robotics", _prepare_book),
    ]  # fmt: skip


def kernels() -> Iterator[Kernel]:
    """The kernels that the modules of PACKAGES name, alone or in tables."""
    root = __name__.rpartition(".")[0]
    for package in PACKAGES:
        folder: ModuleType = import_module(f"{root}.{package}")
        for module in iter_modules(folder.__path__):
            names = vars(import_module(f"{root}.{package}.{module.name}"))
            yield from _find_kernels([value for name, value in names.items() if name.isupper()])


def _find_kernels(value: object) -> Iterator[Kernel]:
    if isinstance(value, Kernel):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _find_kernels(item)
    elif isinstance(value, Mapping):
        yield from _find_kernels(list(value.values()))


def _prepare_book() -> None:
    """The three calls on a chain of the book, and the call on a chain with axes of other lengths than 1."""
    import warnings

    from .modern_robotics.machine import Machine

    for axes in (AXES[:1], AXES):
        n = len(axes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = Machine(np.tile(np.eye(4), (n + 1, 1, 1)), np.tile(np.eye(6), (n, 1, 1)), axes.T)
        _ = machine.run_inverse, machine.run_mass, machine.run_forward
