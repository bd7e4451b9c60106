"""Differentiable: what follows from the derivatives of a diagram: linear models, fits, tuned gains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ...base.guided import guided

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...analysis.models.frequency_response import FrequencyResponse
    from ...analysis.models.linear_model import LinearModel
    from ...analysis.models.linear_models import LinearModels
    from ...analysis.models.root_locus import RootLocus
    from ...analysis.point import At
    from ...analysis.trim import Trim
    from ...gradients.experiment import Data, Experiment
    from ...gradients.fitted import Fit
    from ...gradients.gradient import Gradient
    from ...gradients.orbit import Orbit
    from ...gradients.sensitivities import Sensitivities
    from ...gradients.tuned import Tuned
    from ..compiler.program import Program
    from .diagram import Diagram


@guided()
class Differentiable:
    """The methods of a Diagram that need derivatives."""

    @property
    def _diagram(self) -> Diagram:
        return cast("Diagram", self)

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

        program = self._diagram.compile(parameters, set, loops=loops)
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

        program = self._diagram.compile(parameters, set, loops=loops)
        return linearize_along(program, times, inputs, outputs, open=open, sample_time=sample_time)

    def frequency_response(
        self,
        omega: ArrayLike,
        input: str,
        outputs: str | Iterable[str] | None = None,
        *,
        amplitude: float, at: At = None, time: float | None = None, open: str | Iterable[str] = (),
        settled: float = 1e-4, periods: int = 4096, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None, loops: str | None = None, **simulation: Any,
    ) -> FrequencyResponse:  # fmt: skip
        """The response of the diagram to sines at one input, by runs: with its limits, friction, ticks.

            u = u0 + a sin(omega t)  leads to  y = y0 + |G| a sin(omega t + arg G) + harmonics

        omega      frequencies, rad/s: a run for each
        input      an Inport, or a signal to which the sine is added, as for `linearize`; one number
        outputs    Outports, and signals as they leave their source; None: all Outports
        amplitude  a, in the unit of the input
        settled    how much G may change, relative to the largest of the outputs, between the last two
                   quarters of a run; runs get twice as long until it is reached, up to so many `periods`

        `at`, `time` and `open` are those of `linearize`, the other arguments those of `simulate`; runs have
        rtol=1e-9 and atol=1e-12 unless told otherwise. A run begins where the linear model's answer does, so
        that only what is not linear has to settle. G is the first Fourier coefficient of a quarter of the
        run: the describing function, where the diagram is not linear. What is held between ticks counts as
        it is, in steps. `bode()` of what is returned draws G over the linear model.

        Raises AnalysisError where it does not settle, and what `linearize` and `simulate` raise.

        Source: Gelb and Vander Velde, Multiple-Input Describing Functions (1968), chapter 2.
        """
        from ...analysis.sine_sweep import frequency_response

        program = self._diagram.compile(parameters, set, loops=loops)
        return frequency_response(
            program, omega, input, outputs, amplitude=amplitude, at=at, time=time, open=open,
            settled=settled, periods=periods, simulation=simulation,
        )  # fmt: skip

    def root_locus(
        self, number: str, values: ArrayLike, *,
        at: At = None, time: float | None = None, sample_time: float | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        loops: str | None = None,
    ) -> RootLocus:  # fmt: skip
        """The poles of the diagram over one of its numbers: "control.kp", "arm.robot.payload.mass".

        `values` are those of the number, growing; a path is that of an axis of a sweep. The other arguments
        are those of `linearize`. The locus of a loop over its gain is `model.root_locus()`.

        Raises AnalysisError, UnknownPath, and what `linearize` raises.
        """
        from ...analysis.locus import locus

        def program_at(value: float) -> Program:
            return self._diagram.compile(parameters, {**(set or {}), number: value}, loops=loops)

        return locus(program_at, number, values, at=at, time=time, sample_time=sample_time)

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
                         vector leaves that one free; "arm.position[2]" is one element
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

        program = self._diagram.compile(parameters, set, loops=loops)
        return trim(
            program, states=states, inputs=inputs, outputs=outputs, slopes=slopes, bounds=bounds,
            at=at, time=time,
        )  # fmt: skip

    def orbit(
        self,
        period: float | None = None,
        *,
        at: At = None, advances: Mapping[str, float] | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> Orbit:  # fmt: skip
        """The periodic orbit near where the search begins, x(t + T) = x(t), and its Floquet multipliers.

        period     T, s: of what drives the diagram, where the time does; otherwise a first guess of it, or
                   None: when a run first comes back
        at         where the search begins, as for `linearize`: a time in s lets a run settle up to there
        advances   what states gain in a period: {"wheel.x": 2 * pi}

        `parameters`, `set` and the other arguments are those of `simulate`; runs have rtol=1e-10 and
        atol=1e-12 unless told otherwise. The state is found by Newton's method on the state after a period,
        with the monodromy matrix of the run, exact through events, impacts and ticks. The multipliers are its
        eigenvalues: what begins beside the orbit comes back to it if they lie within the unit circle. Where
        nothing but the state decides, one of them is 1, that along the orbit. Orbits that do not attract are
        found, too. With sampled blocks a period begins between two ticks. Modes are not a part of the state:
        the orbit begins where they follow from it.

        Raises OrbitError where there is none, or an equilibrium, or a second period that differs;
        NotDifferentiable, and what `simulate` raises.

        Source: Parker and Chua, Practical Numerical Algorithms for Chaotic Systems (1989), chapter 5; Leine
        and Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems (2004), chapter 7.
        """
        from ...gradients.shooting import orbit

        program = self._diagram.compile(parameters, set, loops=simulation.pop("loops", None))
        return orbit(program, period, at, advances, simulation)

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

    def tune(
        self,
        gains: str | Iterable[str] | Mapping[str, float],
        minimize: str,
        measures: Mapping[str, Any],
        *,
        limits: Mapping[str, Any] | None = None, bounds: Mapping[str, Any] | None = None,
        scenarios: Sequence[Mapping[str, Any]] | None = None, over: str = "mean",
        method: str | None = None, seed: int = 0, points: int = 100,
        set: Mapping[str, Any] | None = None, **simulation: Any,
    ) -> Tuned:  # fmt: skip
        """Numbers at which a measure is least over all scenarios, while others stay within limits.

        gains      paths of numbers, as `sensitivities` takes them, or their starts by path
        minimize   the name of a measure; a `value` weighs several
        measures   by name, as a sweep takes them: {"iae": {"absolute": "error"}, "effort": {"rms": "u"}}
        limits     of measures, in every scenario: {"overshoot": 0.05}, {"rise": (0.1, 0.5)}
        bounds     the least and greatest value by path: {"kp": (0.0, 50.0)}
        scenarios  other numbers of the diagram, by path, the same in all: [{"mass": 0.8}, {"mass": 1.3}]
        over       "mean" or "worst" of the scenarios
        method     "gradient": SciPy's SLSQP on exact gradients; "evolution": CMA-ES, by sweeps (the extra
                   `tune`); None: by gradients where they exist, and what is returned says why not
        seed       of the evolution
        points     the most iterations, or generations

        `set` and the other arguments are those of `simulate`. Raises TuneError, BadMeasure, and what
        `gradient` raises.

        Source: Nocedal and Wright, Numerical Optimization (2006), chapter 18; Hansen and Ostermeier,
        Evolutionary Computation 9(2) (2001) 159-195.
        """
        from ...gradients.tune import tune

        return tune(
            self._diagram, gains, minimize, measures, limits, bounds, scenarios, over, method, seed, points,
            set, simulation,
        )  # fmt: skip
