"""Runnable: what is done with a diagram once it is declared: it is compiled, run, watched and drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Never, Unpack

from ...base.hints import hinting
from .argument_errors import RunArgumentError
from .differentiable import Differentiable
from .settings import Arguments, takes_settings

if TYPE_CHECKING:
    from os import PathLike

    from ...drawing.drawing import Drawing
    from ...sweeps.sweep import Sweep
    from ..compiler.program import Program
    from ..results.result import Result


class Runnable(Differentiable):
    """The methods of a Diagram that lead on from its declaration."""

    @hinting
    def compile(
        self,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        *,
        loops: str | None = None, inputs: Mapping[str, Any] | None = None,
    ) -> Program:  # fmt: skip
        """The program of the diagram as it is now.

        `parameters` gives diagram parameters other values, `set` whatever an axis of a sweep may name:
        `{"plant/arm.mass": 2.0, "gain.k[0]": 1.0, "arm.robot.payload.mass": 1.5, "x.x": [1.0, 0.0],
        "simulate.rtol": 1e-8}`. Different numbers need no recompilation; a different shape of a parameter
        acts as if it were declared so. `inputs` gives the signals of its Inports, see
        `docs/open-diagrams.md`. Algebraic loops are errors, or with `loops="solve"` equations that Newton's
        method solves at every evaluation.
        """
        from ..targets.changed import compile_changed

        return compile_changed(self._diagram, parameters=parameters, set=set, loops=loops, inputs=inputs)

    def check(self) -> None:
        """Raise what is wrong with the diagram, without running it."""
        self.compile()

    def live(self, *, pace: float = 1.0, **arguments: Any) -> Any:
        """A run that you watch and change below the notebook cell as it goes: see `docs/live.md`.

        `pace` and the other arguments are those of `LiveRun`; `result()` of the returned object is the run up
        to the time shown. Raises what LiveRun does, and LiveError without the extra `live`.
        """
        from ...pages.live.run import LiveRun
        from ...pages.live.widget import live_widget

        return live_widget(LiveRun(self._diagram, pace=pace, **arguments))

    def sweep(
        self,
        axes: Mapping[str, Any] | None = None,
        measures: Mapping[str, Any] | None = None,
        **arguments: Any,
    ) -> Sweep:
        """Many scenarios of the diagram: `Sweep(diagram, ...)`; its `run()` returns the ensemble.

        All arguments are those of `Sweep`. Raises what it does.
        """
        from ...sweeps.sweep import Sweep

        return Sweep(self._diagram, axes, measures, **arguments)

    def measure(
        self,
        measures: Mapping[str, Any] | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> dict[str, float]:
        """Numbers of one run, by name: `measure({"over": {"overshoot": "motor"}}, stop=10)["over"]`.

        measures   by name, as a sweep takes them: {"rise": {"rise_time": "motor"}}; None: those that the
                   diagram's file has under `sweep`

        `parameters`, `set` and the other arguments are those of `simulate`. The numbers are those that a
        sweep computes for the same run, from the dense output of every step; NaN if a measure is undefined in
        the run. `docs/measures.md` lists the kinds. Raises BadMeasure, and what `simulate` raises.
        """
        from ...sweeps.one_run import measure

        return measure(self._diagram, measures, parameters, set, simulation)

    @takes_settings
    def simulate(
        self,
        *values: Never,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        **arguments: Unpack[Arguments],
    ) -> Result:
        """Compile and run. Omitted arguments take the diagram's own settings, or the defaults in brackets.

        {settings}

        parameters, set   other values of parameters, see `compile`

        Raises DiagramError, RunArgumentError, RunError (with the result so far as its `partial`), and
        ResultFileError for `stream`. Ctrl-C and SIGTERM end a run with an incomplete result.
        """
        if values:
            raise RunArgumentError("an argument", values[0], "all by name, such as simulate(stop=10)")
        loops, inputs = arguments.pop("loops", None), arguments.get("inputs")
        try:
            program = self.compile(parameters, set, loops=loops, inputs=inputs)
        except RunArgumentError as error:
            from ..runs.wrong_arguments import tell_beside

            tell_beside(error, lambda: self.compile(parameters, set, loops=loops), arguments)
            raise
        return program.simulate(**arguments)

    @hinting
    def draw(
        self, file: str | PathLike[str] | None = None, *,
        open: bool | Collection[str] = False, units: bool = False, sizes: bool = False,
    ) -> Drawing:  # fmt: skip
        """The diagram as a picture, which a notebook shows and `file` keeps (.svg, .png, .pdf, .mmd).

        `open` lists the paths of subsystems that are drawn with their contents, or is True for all; `units`
        and `sizes` are shown at the wires. Raises DrawingError, also if mini-racer is not installed.
        """
        from ...drawing.drawing import draw

        return draw(self._diagram, open=open, units=units, sizes=sizes).into(file)
