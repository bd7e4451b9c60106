"""What can be wrong with subsystems in subsystems; see `errors` for the whole tree."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.location import Location
from .diagram_error import DiagramError


class RecursiveSubsystem(DiagramError):
    """A diagram that contains itself."""

    def __init__(self, cycle: Sequence[str], *, location: Location | None = None) -> None:
        self.cycle = tuple(cycle)
        super().__init__(
            f"a diagram contains itself: {' -> '.join(self.cycle)}",
            "a subsystem holds other diagrams only: take it out of itself",
            path="/".join(self.cycle[1:]),
            location=location,
        )


class NestingTooDeep(DiagramError):
    """Subsystems in subsystems, more levels than anybody reads."""

    def __init__(self, path: str, deepest: int, *, location: Location | None = None) -> None:
        self.deepest = deepest
        start = "/".join(path.split("/", 4)[:4])
        super().__init__(
            f"subsystems are nested deeper than {deepest} levels: {start}/...",
            "flatten some of them into their parents",
            path=path,
            location=location,
        )


class DiagramTooLarge(DiagramError):
    """Subsystems of subsystems that multiply to more blocks than memory holds."""

    def __init__(self, blocks: int, most: int) -> None:
        self.blocks, self.most = blocks, most
        super().__init__(
            f"with all subsystems opened the diagram holds {blocks} blocks; at most {most} are accepted",
            "subsystems that hold one another several times multiply: use vector signals instead of copies",
        )


class NotEnoughMemory(DiagramError):
    """Signals and states that take more memory than this process may have."""

    def __init__(self, path: str, excess: str, *, location: Location | None = None) -> None:
        super().__init__(
            f"the signals and states of the diagram do not fit into memory, most of all those of {path}",
            f"expected: fewer numbers: {excess}",
            "take shorter vectors, a smaller `buffer` of a delay, fewer copies",
            path=path,
            location=location,
        )
