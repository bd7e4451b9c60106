"""The dynamics of one chain in the book's terms are machine code with preallocated arrays.

x   theta, dtheta, and ddtheta or tau, n numbers each; gravity, 3; the tip wrench (moment, force) that the
        end-effector applies, in its own frame, 6
    y   n numbers, or the mass matrix as n rows

The table may have more rows than the chain has joints (see `chain`); `wide` arrays have one number per row.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import of_truth, plain_numbers, real_numbers
from ..lie.checks import WrongShape
from ..mechanics.bodies import GRAVITY, inertias, work_shape
from ..mechanics.forward_dynamics import forward_dynamics
from ..mechanics.inverse_dynamics import bias, rnea
from ..mechanics.kinematics import tool_pose
from ..mechanics.mass_matrix import factor, lower_mass_matrix, mass_matrix, solve
from ..model.table import GRAVITY as FALL
from .chain import chain

Array = NDArray[np.float64]


class Rows(NamedTuple):
    """The joint of each row of the table, and the row's share of the joint's motion."""

    source: Array
    scale: Array


def widen(rows: Rows, x: Array, at: int, wide: Array) -> None:
    """wide = a joint's quantity, from x[at] on, distributed to the rows."""
    for row in range(rows.source.shape[0]):
        wide[row] = rows.scale[row] * x[at + int(rows.source[row])]


def gather(rows: Rows, wide: Array, y: Array) -> None:
    """y = the rows' forces, summed up for each joint."""
    for i in range(y.shape[0]):
        y[i] = 0.0
    for row in range(rows.source.shape[0]):
        y[int(rows.source[row])] += rows.scale[row] * wide[row]


def take_gravity_and_tip(
    arm: Array, n: int, x: Array, q: Array, work: Array, pose: Array, wrench: Array
) -> None:
    """Write gravity into the table, and return the tip's wrench as a wrench on the tool in world axes."""
    last = arm.shape[0] - 1
    for k in range(3):
        arm[last, FALL + k] = x[3 * n + k]
    at = 3 * n + 3
    tool_pose(arm, q, work, pose)
    for i in range(3):
        wrench[i] = -(pose[i, 0] * x[at + 3] + pose[i, 1] * x[at + 4] + pose[i, 2] * x[at + 5])
        wrench[3 + i] = -(pose[i, 0] * x[at] + pose[i, 1] * x[at + 1] + pose[i, 2] * x[at + 2])


def inverse_dynamics(
    arm: Array, rows: Rows, x: Array, y: Array,
    q: Array, qd: Array, qdd: Array, tau: Array, work: Array, pose: Array, wrench: Array,
) -> int:  # fmt: skip
    """y = M ddtheta + c + g + J^T Ftip."""
    n = y.shape[0]
    widen(rows, x, 0, q)
    widen(rows, x, n, qd)
    widen(rows, x, 2 * n, qdd)
    take_gravity_and_tip(arm, n, x, q, work, pose, wrench)
    rnea(arm, q, qd, qdd, wrench, GRAVITY, work, tau)
    gather(rows, tau, y)
    return -1


def mass(arm: Array, rows: Rows, x: Array, matrix: Array, q: Array, work: Array, wide: Array) -> int:
    """matrix (n, n) = M(theta)."""
    widen(rows, x, 0, q)
    mass_matrix(arm, q, work, wide)
    gather_both(rows, wide, matrix)
    return -1


def gather_both(rows: Rows, wide: Array, matrix: Array) -> None:
    """matrix = the rows' mass matrix (its lower triangle is read), summed up for each pair of joints."""
    n = matrix.shape[0]
    for i in range(n):
        for j in range(n):
            matrix[i, j] = 0.0
    for r in range(rows.source.shape[0]):
        i = int(rows.source[r])
        for s in range(r):
            share = rows.scale[r] * rows.scale[s] * wide[r, s]
            matrix[i, int(rows.source[s])] += share
            matrix[int(rows.source[s]), i] += share
        matrix[i, i] += rows.scale[r] * rows.scale[r] * wide[r, r]


def forward_dynamics_of_rows(
    arm: Array, rows: Rows, x: Array, y: Array,
    q: Array, qd: Array, qdd: Array, tau: Array, work: Array, pose: Array, wrench: Array,
) -> int:  # fmt: skip
    """y = M^-1 (tau - c - g - J^T Ftip) if each joint is one row; -1, or a joint at which M is singular."""
    n = y.shape[0]
    widen(rows, x, 0, q)
    widen(rows, x, n, qd)
    for i in range(n):
        tau[i] = x[2 * n + i] / rows.scale[i]
    take_gravity_and_tip(arm, n, x, q, work, pose, wrench)
    singular = forward_dynamics(arm, q, qd, tau, wrench, GRAVITY, work, qdd)
    for i in range(n):
        y[i] = qdd[i] / rows.scale[i]
    return singular


def forward_dynamics_of_shares(
    arm: Array, rows: Rows, x: Array, y: Array, matrix: Array,
    q: Array, qd: Array, tau: Array, work: Array, wide: Array, pose: Array, wrench: Array,
) -> int:  # fmt: skip
    """Forward dynamics of joints that share rows: by the mass matrix of the rows, summed for the joints."""
    n = y.shape[0]
    widen(rows, x, 0, q)
    widen(rows, x, n, qd)
    take_gravity_and_tip(arm, n, x, q, work, pose, wrench)
    inertias(arm, work)
    bias(arm, qd, wrench, GRAVITY, work, tau)
    lower_mass_matrix(arm, work, wide, 0)
    gather(rows, tau, y)
    gather_both(rows, wide, matrix)
    singular = factor(matrix, 0, n)
    if singular < 0:
        for i in range(n):
            y[i] = x[2 * n + i] - y[i]
        solve(matrix, 0, n, y)
    return singular


_FLOAT = np.dtype(np.float64)
REMEMBERED = 32  # chains kept ready in each thread
_threads = threading.local()


class Machine:
    """One chain, its work space, and the three calls on it. Not to be shared by threads."""

    def __init__(self, Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike) -> None:
        bodies = chain(Mlist, Glist, Slist)
        n, rows = bodies.joints, len(bodies.source)
        self.n, self.at_rest = n, np.zeros(n)
        self.x, self.y, self.matrix = np.zeros(3 * n + 9), np.zeros(n), np.zeros((n, n))
        common = bodies.arm, bodies.source, bodies.scale, self.x
        self._simple = rows == n and bool(bodies.scale.all())
        q, qd, qdd, tau = (np.zeros(rows) for _ in range(4))
        work, wide = np.zeros(work_shape(rows)), np.zeros((rows, rows))
        pose, wrench = np.zeros((4, 4)), np.zeros(6)
        self._arrays = (*common, self.y, q, qd, qdd, tau, work, pose, wrench)
        self._mass = (*common, self.matrix, q, work, wide)
        self._shared = (*common, self.y, self.matrix, q, qd, tau, work, wide, pose, wrench)

    @cached_property
    def run_inverse(self) -> Callable[[], int]:
        """y = the torques for the values loaded."""
        return ready(inverse_dynamics, self._arrays)

    @cached_property
    def run_mass(self) -> Callable[[], int]:
        """matrix = the mass matrix."""
        return ready(mass, self._mass)

    @cached_property
    def run_forward(self) -> Callable[[], int]:
        """y = the accelerations; -1, or a joint along which the mass matrix is not positive definite."""
        if self._simple:
            return ready(forward_dynamics_of_rows, self._arrays)
        return ready(forward_dynamics_of_shares, self._shared)

    def load(self, theta: Any, dtheta: Any, third: Any, g: Any, tip: Any) -> None:
        """Store the arguments of a call for the kernels. Raises WrongShape."""
        n = self.n
        try:
            values = theta, dtheta, third, g, tip
            lengths = len(theta) == len(dtheta) == len(third) == n and len(g) == 3
            if lengths and (type(g) is np.ndarray or plain_numbers(g)):
                np.concatenate(values, out=self.x, casting="no")  # other types take the slow path
                return
        except (TypeError, ValueError):
            pass
        self._load_slowly((theta, dtheta, third, g, tip))

    def _load_slowly(self, values: Sequence[Any]) -> None:
        """Store arguments that can be read as vectors; raise an error for the first that cannot."""
        n, at = self.n, 0
        names = "thetalist", "dthetalist", "ddthetalist or taulist", "g", "Ftip"
        for name, value, size in zip(names, values, (n, n, n, 3, 6), strict=True):
            try:
                numbers = real_numbers(value).ravel()
            except (TypeError, ValueError):
                raise WrongShape(name, f"found {value!r:.60}", f"{size} numbers{of_truth(value)}") from None
            if numbers.size != size:
                raise WrongShape(name, f"found shape {np.shape(value)}", f"{size} numbers")
            self.x[at : at + size] = numbers
            at += size


def machine(Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike) -> Machine:
    """The machine of these lists, cached by their contents. Raises as `chain`."""
    try:
        remembered: OrderedDict[Hashable, Machine] = _threads.machines
    except AttributeError:
        remembered = _threads.machines = OrderedDict()
    key = content(Mlist), content(Glist), content(Slist), np.shape(Slist)
    ready_machine = remembered.get(key)
    if ready_machine is None:
        ready_machine = remembered[key] = Machine(Mlist, Glist, Slist)
        if len(remembered) > REMEMBERED:
            remembered.popitem(last=False)
    return ready_machine


def content(values: Any) -> bytes:
    """The bytes of an array of numbers."""
    if type(values) is list:  # of matrices, as in most loops: one join
        parts = [item.tobytes() for item in values if type(item) is np.ndarray and item.dtype is _FLOAT]
        if len(parts) == len(values):
            return b"".join(parts)
    if type(values) is not np.ndarray or values.dtype != np.float64:
        values = real_numbers(values)
    return values.tobytes()  # type: ignore[no-any-return]


def ready(kernel: Callable[..., int], arrays: tuple[Array, ...]) -> Callable[[], int]:
    """The compiled kernel with its arrays bound, for repeated calls."""
    native = compile_kernel(kernel, tuple(f"d{array.ndim}" for array in arrays))
    block = native.pack(*arrays)
    run = native.run
    return lambda: run(block)


@cache
def compile_kernel(kernel: Callable[..., int], types: tuple[str, ...]) -> Any:
    """The kernel as machine code, from the store or compiled."""
    from ...native.callable import Native
    from ...native.fingerprint import fingerprint

    return Native(lambda _: kernel, fingerprint(kernel, types, "called"), types)
