"""Differentiable: what follows from the derivatives of runs: orbits, sensitivities, fits, tuned gains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .linearizable import Linearizable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...analysis.point import At
    from ...gradients.experiment import Data, Experiment
    from ...gradients.fitted import Fit
    from ...gradients.gradient import Gradient
    from ...gradients.orbit import Orbit
    from ...gradients.sensitivities import Sensitivities
    from ...gradients.tuned import Tuned


class Differentiable(Linearizable):
    """The methods of a Diagram that need derivatives."""

    def orbit(
        self,
        period: float | None = None,
        *,
        at: At = None, advances: Mapping[str, float] | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> Orbit:  # fmt: skip
        """The periodic orbit near the start of the search, x(t + T) = x(t), and its Floquet multipliers.

        period     T, s: of what drives the diagram, where the time does; otherwise a first guess of it, or
                   None: when a run first comes back
        at         where the search begins, as for `linearize`: a time in s lets a run settle up to there
        advances   what states gain in a period: {"wheel.x": 2 * pi}

        `parameters`, `set` and the other arguments are those of `simulate`; by default runs have rtol=1e-10
        and atol=1e-12. Newton's method finds the state from the state after a period, with the monodromy
        matrix of the run, exact through events, impacts and ticks. The multipliers are its eigenvalues:
        motions that begin near the orbit converge to it if they lie inside the unit circle. For an autonomous
        diagram one of them, along the orbit, is 1. Unstable orbits are found too. With sampled blocks a
        period begins between two ticks. Modes are not part of the state: the orbit begins where they follow
        from it.

        Raises OrbitError if there is no orbit, or only an equilibrium, or if a second period differs;
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
        S' = f_x S + f_p on the steps of the run, or on parts of them if the error of S requires it. At an
        event the derivative of its instant, dT = -(g_x S + g_p) / (g_x f + g_t), accounts for the jumps and
        the changes of slope. At an instant at which a signal jumps, you get the derivative just after it. At
        kinks that are not events it is that of the side on which the run is.

        Raises NotDifferentiable for numbers that decide the structure of the diagram, events that only touch
        their level, singular algebraic loops, and methods whose steps cannot be followed; GradientError,
        UnknownPath, and what `simulate` raises.

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

        A largest value moves as the signal does at that instant; the instant T at which a level L is passed
        moves by dT = (dL - S) / y'; integrals are states whose derivatives are carried along.

        Raises BadMeasure, NotDifferentiable for counts, GradientError for a measure that is undefined in the
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
        """Numbers of the diagram for which its runs come closest to measured signals, by least squares.

            minimize  sum over experiments, signals and times of  ((y(t; p) - data) / noise)^2

        data      columns by name, `time` in s and signals ("rotor", "arm.q[0]"): a mapping, a table of
                  pandas, an xarray.Dataset, a file in CSV, NPZ or Parquet; an Experiment; or several of these
        unknown   paths of numbers, as `sensitivities` takes them, or their starts by path; a path alone
                  starts at the diagram's own value
        bounds    the least and greatest value by path: {"plant.mass": (0.1, 10.0)}
        noise     the standard deviation of the signals, in their units; None: one for each signal, found
                  together with the numbers from what remains

        `set` and the other arguments are those of `simulate`; a run goes to the last time of its data. The
        search is SciPy's trust-region Gauss-Newton method, with exact derivatives. The returned object has
        estimates, confidence intervals, and the combinations of numbers that the data do not determine.

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
        """Numbers that minimise a measure over all scenarios, while other measures stay within limits.

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
