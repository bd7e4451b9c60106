"""NoDirection: an input that is to be a direction or an attitude, and is 0."""

from __future__ import annotations

from .run_errors import NotFinite, RunError


class NoDirection(NotFinite):
    """An input that is a direction or an attitude, and has the length 0."""

    def __init__(self, path: str, port: str, shape: tuple[int, ...], time: float) -> None:
        self.value = 0.0
        attitude = shape == (4,)
        found = "a quaternion of zeros, which is no attitude" if attitude else "a vector of zeros"
        expected = "a quaternion, scalar first, of any length but 0" if attitude else "any length but 0"
        level = ": [1, 0, 0, 0]" if attitude else ""
        RunError.__init__(
            self,
            f"{path}.{port} is {found}, at t = {time!r} s",
            f"expected: {expected}",
            "look at what is connected to it: a delay, a hold or a filter whose first value is 0 needs"
            f" another{level}",
            path=path,
            port=port,
            time=time,
        )
