"""The transfer function of a loop that closes at a wire is computed for varying numbers of its diagram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..diagrams.model.diagram import Diagram
from ..diagrams.values.overrides import overrides
from ..diagrams.values.reach import Reach
from ..diagrams.values.resolve import resolve
from ..diagrams.values.view import View
from .linearize import Question, finite
from .models.linear_model import LinearModel
from .opening import require_loop
from .point import point_of


class Loop:
    """A loop opened at a wire, at the state with which runs begin, or in which they are at a time, s."""

    def __init__(
        self, diagram: Diagram, wire: str, time: float | None = None, loops: str | None = None
    ) -> None:
        self._diagram, self._wire, self._time, self._loops = diagram, wire, time, loops
        self._view = View(diagram)
        self._paths: tuple[str, ...] | None = None

    def model(self, numbers: Mapping[str, Any]) -> LinearModel:
        """The transfer L of the loop, closed by 1 / (1 + L), with these numbers by path.

        Compiled code serves while the same paths have other numbers. Raises the errors of `linearize`.
        """
        if self._paths != (*numbers,):
            self.open(numbers)
        meant = overrides(self._targets, numbers)
        question = None
        if not (meant.initial or meant.simulate):
            blocks, _ = self._reach.changed(meant.parameters, meant.set)
            program, question = self._program.with_blocks(blocks), self._question.with_blocks(blocks)
        if question is None or program is None:
            self.open(numbers)
            program, question = self._program, self._question
        return -finite(question.chosen(question.model(point_of(program, self._time, None))))

    def open(self, numbers: Mapping[str, Any]) -> None:
        """Compile for numbers at these paths. Raises the errors of `linearize`."""
        self._paths = (*numbers,)
        self._targets = {path: resolve(self._view, path) for path in numbers}
        self._reach = Reach.of(self._diagram, self._targets.values())
        self._program = self._diagram.compile(None, dict(numbers), loops=self._loops)
        require_loop(self._wire, self._program.flat)
        self._question = Question(self._program, self._wire, self._wire, self._wire, None)
        self._question.refuse_own_ticks()
        self._question.refuse_vectors()
