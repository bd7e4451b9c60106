"""Runnable: what is done with a diagram once it is declared: it is compiled, run, watched and drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from .run_errors import RunArgumentError
from .settings import Arguments, takes_settings

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...analysis.models.linear_model import LinearModel
    from ...analysis.models.linear_models import LinearModels
    from ...analysis.point import At
    from ...analysis.trim import Trim
    from ...drawing.drawing import Drawing
    from ...gradients.experiment import Data, Experiment
    from ...gradients.fitted import Fit
    from ...gradients.gradient import Gradient
    from ...gradients.sensitivities import Sensitivities
    from ..compiler.program import Program
    from ..results.result import Result
    from .diagram import Diagram


class Runnable:
    """The methods of a Diagram that lead on from its declaration."""

    @property
    def _diagram(self) -> Diagram:
        return cast("Diagram", self)

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
        "simulate.rtol": 1e-8}`. Other numbers compile nothing again; another shape of a parameter is as if
        it were declared so. `inputs` is what its Inports give, see `docs/open-diagrams.md`. Algebraic loops
        are errors, or with `loops="solve"` equations that Newton's method solves at every evaluation.
        """
        from ..targets.changed import compile_changed

        return compile_changed(self._diagram, parameters=parameters, set=set, loops=loops, inputs=inputs)

    def check(self) -> None:
        """Raise what is wrong with the diagram, without running it."""
        self.compile()

    def live(self, *, pace: float = 1.0, **arguments: Any) -> Any:
        """A run that is watched and touched below the cell of a notebook while it goes: see `docs/live.md`.

        `pace` and the other arguments are those of `LiveRun`; `result()` of what is returned is the run up to
        the time shown. Raises what LiveRun does, and LiveError without the extra `live`.
        """
        from ...pages.live.run import LiveRun
        from ...pages.live.widget import live_widget

        return live_widget(LiveRun(self._diagram, pace=pace, **arguments))

    @takes_settings
    def simulate(
        self,
        *,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        **arguments: Unpack[Arguments],
    ) -> Result:
        """Compile and run. What is not given is the diagram's own setting, or the default in brackets.

        {settings}

        parameters, set   other values of parameters, see `compile`

        Raises DiagramError, RunArgumentError, RunError (with what was computed as its `partial`), and
        ResultFileError for `stream`. Ctrl-C and SIGTERM end a run with an incomplete result.
        """
        loops, inputs = arguments.pop("loops", None), arguments.get("inputs")
        try:
            program = self.compile(parameters, set, loops=loops, inputs=inputs)
        except RunArgumentError as error:
            from ..runs.wrong_arguments import tell_beside

            tell_beside(error, lambda: self.compile(parameters, set, loops=loops), arguments)
            raise
        return program.simulate(**arguments)

    def linearize(
        self,
        inputs: str | Iterable[str] | None = None,
        outputs: str | Iterable[str] | None = None,
        *,
        at: At = None, time: float | None = None, open: str | Iterable[str] = (),
        sample_time: float | None = None, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None, loops: str | None = None,
    ) -> LinearModel:  # fmt: skip
        """The linear model of the diagram at a point, exact to rounding: A, B, C, D with names.

            dx' = A dx + B du        dy = C dx + D du        continuous, and dx[k+1] = ... with sampled blocks

        inputs       Inports, and signals to which an input is added: "plant.u" one wire, "controller.y" all
                     wires of an output; parameters of blocks, "gain.k"; None: all Inports
        outputs      Outports, signals as they leave their source, and states; None: all Outports
        at           the point: None as a run begins; values of states, inputs and held signals by name; a
                     number, the time in s of a run of the diagram; an OperatingPoint, such as `trim` finds
        time         the time at that point, s; None: when a run begins
        open         signals whose wires are cut: what they lead to is constant, or the input of that name
        sample_time  None: 0, or with sampled blocks the least period common to all clocks, s; 0: continuous,
                     no clock ticks; a period: the model over it, in discrete time, inputs held

        `parameters`, `set` and `loops` are those of `compile`. At a kink it is the side on which a run that
        begins there goes on. The transfer of a loop opened at a wire is `-d.linearize(w, w, open=w)`.

        Raises UnknownVariable, AnalysisError, NotDifferentiable, DiagramError, RunArgumentError, RunError.
        """
        from ...analysis.linearize import linearize

        program = self.compile(parameters, set, loops=loops)
        return linearize(program, inputs, outputs, at=at, time=time, open=open, sample_time=sample_time)

    def linearize_along(
        self,
        times: ArrayLike,
        inputs: str | Iterable[str] | None = None,
        outputs: str | Iterable[str] | None = None,
        *,
        open: str | Iterable[str] = (), sample_time: float | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        loops: str | None = None,
    ) -> LinearModels:  # fmt: skip
        """The linear models along a run of the diagram, at growing times in s: see `linearize`.

        Their A, B, C, D have one more dimension; `models[i]` is that at `times[i]`. Raises what `linearize`
        raises.
        """
        from ...analysis.linearize import linearize_along

        program = self.compile(parameters, set, loops=loops)
        return linearize_along(program, times, inputs, outputs, open=open, sample_time=sample_time)

    def trim(
        self, *,
        states: Mapping[str, Any] | None = None, inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None, slopes: Mapping[str, Any] | None = None,
        bounds: Mapping[str, Any] | None = None, at: At = None, time: float | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        loops: str | None = None,
    ) -> Trim:  # fmt: skip
        """The operating point where the diagram is at rest, or moves steadily, near where the search begins:

            f(t, x, u) = slopes,  g(t, x, u) = outputs,  and the next discrete states are the present ones

        states, inputs   values that are fixed, by name; all others are free. NaN among the elements of a
                         vector leaves that one free; "arm.q[2]" is one element
        outputs          what Outports have to be
        slopes           of states that move, 1/s times their unit, else 0; None: not asked for
        bounds           the least and greatest value of free states and inputs: {"u": (0.0, 12.0)}
        at, time         where the search begins, as for `linearize`

        Where the equations leave something open, it stays near the begin; `floating` of what is returned
        says what. Every equation is met to 1e-12, or to the rounding of its terms. The result is a point for
        `linearize(at=...)`, and a run begins there with `initial=point.initial, inputs=point.inputs`.

        Raises TrimError, which names the equations that cannot be met, and what `linearize` raises.
        """
        from ...analysis.trim import trim

        program = self.compile(parameters, set, loops=loops)
        return trim(
            program, states=states, inputs=inputs, outputs=outputs, slopes=slopes, bounds=bounds,
            at=at, time=time,
        )  # fmt: skip

    def sensitivities(
        self,
        to: str | Iterable[str],
        of: str | Iterable[str] | None = None,
        times: ArrayLike | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> Sensitivities:
        """The derivatives dy/dp of signals along a run by numbers of the diagram, through events and ticks.

        to      paths of numbers, as an axis of a sweep names them: a parameter of the diagram or of a block,
                "control.kp", one element, "plant.A[0, 1]", a mass of a robot, an initial state, "ball.x"
        of      signals, as `log` names them; None: those that the diagram logs
        times   growing, s; None: 201 from the start to the stop

        `parameters`, `set` and the other arguments are those of `simulate`. The state's derivatives S solve
        S' = f_x S + f_p with the steps of the run, by its explicit method; at an event the derivative of its
        instant, dT = -(g_x S + g_p) / (g_x f + g_t), carries over what jumps and which slopes change. At an
        instant at which a signal jumps, its derivative is the one behind it. At kinks that are no events it
        is that of the side on which the run is.

        Raises NotDifferentiable for delays, algebraic loops, numbers that decide what the diagram is made of,
        and events that only touch their level; GradientError, UnknownPath, and what `simulate` raises.

        Source: Hairer, Norsett, Wanner (1993), section II.6; Hiskens and Pai, IEEE Trans. Circuits and
        Systems I 47 (2000) 204-220.
        """
        from ...gradients.sensitivities import sensitivities

        return sensitivities(self._diagram, to, of, times, parameters, set, simulation)

    def gradient(
        self,
        measures: Mapping[str, Any],
        to: str | Iterable[str],
        *,
        parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> Gradient:
        """Measures of a run and their derivatives by numbers of the diagram, through events and ticks.

        measures   by name, as a sweep takes them: {"peak": {"max": "y"}, "rise": {"rise_time": "y"}}
        to         paths of numbers, as `sensitivities` takes them

        A largest value moves as the signal does where it lies, an instant T at which a level L is passed by
        dT = (dL - S) / y', and integrals are states whose derivatives are carried along.

        Raises BadMeasure, NotDifferentiable for counts, GradientError for a measure that has no value in the
        run, and what `sensitivities` raises.
        """
        from ...gradients.gradient import gradient

        return gradient(self._diagram, measures, to, parameters, set, simulation)

    def fit(
        self,
        data: Data | Experiment | Sequence[Data | Experiment],
        unknown: str | Iterable[str] | Mapping[str, float],
        *,
        bounds: Mapping[str, Any] | None = None,
        noise: float | Mapping[str, float] | None = None,
        set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> Fit:
        """Numbers of the diagram with which its runs come nearest to measured signals, by least squares.

            minimize  sum over experiments, signals and times of  ((y(t; p) - data) / noise)^2

        data      columns by name, `time` in s and signals ("rotor", "arm.q[0]"): a mapping, a table of
                  pandas, an xarray.Dataset, a file in CSV, NPZ or Parquet; an Experiment; or several of these
        unknown   paths of numbers, as `sensitivities` takes them, or their starts by path; a path alone
                  starts at the diagram's own value
        bounds    the least and greatest value by path: {"plant.mass": (0.1, 10.0)}
        noise     the standard deviation of the signals, in their units; None: one for each signal, found
                  together with the numbers from what remains

        `set` and the other arguments are those of `simulate`; a run goes to the last time of its data. The
        search is SciPy's trust region method of Gauss and Newton, on exact derivatives. What is returned has
        estimates, confidence intervals, and the combinations of numbers that the data cannot tell.

        Raises FitError, UnknownSignal, DataFileError, and what `sensitivities` raises.

        Source: Branch, Coleman and Li, SIAM J. Scientific Computing 21 (1999) 1-23; Seber and Wild, Nonlinear
        Regression (1989).
        """
        from ...gradients.fit import fit

        return fit(self._diagram, data, unknown, bounds, noise, set, simulation)

    def draw(
        self, *, open: bool | Collection[str] = False, units: bool = False, sizes: bool = False
    ) -> Drawing:
        """The diagram as a picture, which a notebook shows and `.save("loop.svg")` writes.

        `open` are the paths of subsystems that are drawn with what is in them, or True; `units` and `sizes`
        are told at the wires. Raises DrawingError, also where mini-racer is not installed.
        """
        from ...drawing.drawing import draw

        return draw(self._diagram, open=open, units=units, sizes=sizes)
