"""The dynamics of one chain as machine code that is ready to be called: all its arrays laid out once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.annotations import of_truth, plain_numbers, real_numbers
from ..lie.errors import WrongShape
from ..mechanics.work import work_shape
from . import kernels
from .chain import chain

Array = NDArray[np.float64]

_FLOAT = np.dtype(np.float64)
REMEMBERED = 32  # chains kept ready in each thread
_threads = threading.local()


class Machine:
    """One chain, its work space, and the three calls on it. Not to be shared by threads."""

    def __init__(self, Mlist: Any, Glist: Any, Slist: Any) -> None:
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
        """y = the torques of what is loaded."""
        return ready(kernels.inverse_dynamics, self._arrays)

    @cached_property
    def run_mass(self) -> Callable[[], int]:
        """matrix = the mass matrix."""
        return ready(kernels.mass, self._mass)

    @cached_property
    def run_forward(self) -> Callable[[], int]:
        """y = the accelerations; -1, or a joint along which the mass matrix is not positive definite."""
        if self._simple:
            return ready(kernels.forward_dynamics_of_rows, self._arrays)
        return ready(kernels.forward_dynamics_of_shares, self._shared)

    def load(self, theta: Any, dtheta: Any, third: Any, g: Any, tip: Any) -> None:
        """Put the arguments of a call where the kernels find them. Raises WrongShape."""
        n = self.n
        try:
            values = theta, dtheta, third, g, tip
            lengths = len(theta) == len(dtheta) == len(third) == n and len(g) == 3
            if lengths and (type(g) is np.ndarray or plain_numbers(g)):
                np.concatenate(values, out=self.x, casting="no")  # anything but float64 is read slowly
                return
        except (TypeError, ValueError):
            pass
        self._load_slowly((theta, dtheta, third, g, tip))

    def _load_slowly(self, values: Sequence[Any]) -> None:
        """The same for anything that can be read as vectors; says which of them cannot."""
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


def machine(Mlist: Any, Glist: Any, Slist: Any) -> Machine:
    """The machine of these lists, found again by their contents. Raises as `chain`."""
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
    """What an array of numbers holds."""
    if type(values) is list:  # of matrices, as calls in a loop have them: at once
        parts = [item.tobytes() for item in values if type(item) is np.ndarray and item.dtype is _FLOAT]
        if len(parts) == len(values):
            return b"".join(parts)
    if type(values) is not np.ndarray or values.dtype != np.float64:
        values = real_numbers(values)
    return values.tobytes()  # type: ignore[no-any-return]


def ready(kernel: Callable[..., int], arrays: tuple[Array, ...]) -> Callable[[], int]:
    """The compiled kernel with its arrays bound, for one call after another."""
    native = compiled(kernel, tuple(f"d{array.ndim}" for array in arrays))
    block = native.pack(*arrays)
    run = native.run
    return lambda: run(block)


@cache
def compiled(kernel: Callable[..., int], types: tuple[str, ...]) -> Any:
    """The kernel as machine code, from the store or compiled."""
    from ...native.callable import Native
    from ...native.fingerprint import fingerprint

    return Native(lambda _: kernel, fingerprint(kernel, types, "called"), types)
