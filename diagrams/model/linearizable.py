"""Linearizable: what is asked of a diagram at a point: linear models, frequency responses, where it rests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ...base.hints import hinting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...analysis.models.frequency_response import FrequencyResponse
    from ...analysis.models.linear_model import LinearModel
    from ...analysis.models.linear_models import LinearModels
    from ...analysis.models.root_locus import RootLocus
    from ...analysis.point import At
    from ...analysis.trim import Trim
    from ..compiler.program import Program
    from .diagram import Diagram


class Linearizable:
    """The methods of a Diagram that need derivatives at a point."""

    @property
    def _diagram(self) -> Diagram:
        return cast("Diagram", self)

    @hinting
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

        `parameters`, `set` and `loops` are those of `compile`. At a kink you get the model of the side on
        which a run from that point would continue. `loop` gives the transfer function of a loop. A transport
        delay stays one in the model, see `LinearModel`.

        Raises UnknownVariable, AnalysisError, NotDifferentiable, DiagramError, RunArgumentError, RunError.
        """
        from ...analysis.linearize import linearize

        program = self._diagram.compile(parameters, set, loops=loops)
        return linearize(program, inputs, outputs, at=at, time=time, open=open, sample_time=sample_time)

    @hinting
    def loop(
        self,
        wire: str,
        *,
        at: At = None, time: float | None = None, sample_time: float | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        loops: str | None = None,
    ) -> LinearModel:  # fmt: skip
        """The transfer function L of the loop that closes at a wire; closed, it is 1 / (1 + L).

            L = -d.linearize(wire, wire, open=wire)

        `d.loop("controller").margins()` are its gain and phase margins. The other arguments are those of
        `linearize`. Raises AnalysisError for a wire that lies on no loop, and what `linearize` raises.
        """
        from ...analysis.linearize import loop

        program = self._diagram.compile(parameters, set, loops=loops)
        return loop(program, wire, at=at, time=time, sample_time=sample_time)

    @hinting
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
        """The linear models along a run of the diagram, at increasing times in s: see `linearize`.

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
        """The response of the diagram to sines at one input, from runs with all limits, friction and ticks.

            u = u0 + a sin(omega t)  leads to  y = y0 + |G| a sin(omega t + arg G) + harmonics

        omega      frequencies, rad/s: a run for each
        input      an Inport, or a signal to which the sine is added, as for `linearize`; one number
        outputs    Outports, and signals as they leave their source; None: all Outports
        amplitude  a, in the unit of the input
        settled    how much G may change, relative to the largest of the outputs, between the last two
                   quarters of a run; runs get twice as long until it is reached, up to so many `periods`

        `at`, `time` and `open` are those of `linearize`, the other arguments those of `simulate`; by default
        runs have rtol=1e-9 and atol=1e-12. A run starts from the response of the linear model, so that only
        the nonlinear part has to settle. G is the first Fourier coefficient over a quarter of the run, with a
        smooth window for diagrams with clocks: for a nonlinear diagram, the describing function. Signals held
        between ticks count as staircases. `bode()` of the returned object draws G over the linear model.

        Raises AnalysisError if it does not settle, and what `linearize` and `simulate` raise.

        Source: Gelb and Vander Velde, Multiple-Input Describing Functions (1968), chapter 2.
        """
        from ...analysis.sine_sweep import frequency_response

        program = self._diagram.compile(parameters, set, loops=loops)
        return frequency_response(
            program, omega, input, outputs, amplitude=amplitude, at=at, time=time, open=open,
            settled=settled, periods=periods, simulation=simulation,
        )  # fmt: skip

    @hinting
    def root_locus(
        self, number: str, values: ArrayLike, *,
        at: At = None, time: float | None = None, sample_time: float | None = None, pade: int | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        loops: str | None = None,
    ) -> RootLocus:  # fmt: skip
        """The poles of the diagram over one of its numbers: "control.kp", "arm.robot.payload.mass".

        `values` are increasing values of the number; the path is like that of a sweep's axis. The other
        arguments are those of `linearize`. With transport delays, `pade` is the order of the approximants in
        their place, see `LinearModel.pade`. The locus of a loop over its gain is `LinearModel.root_locus`.

        Raises AnalysisError, UnknownPath, and what `linearize` raises.
        """
        from ...analysis.locus import locus

        def program_at(value: float) -> Program:
            return self._diagram.compile(parameters, {**(set or {}), number: value}, loops=loops)

        return locus(program_at, number, values, at=at, time=time, sample_time=sample_time, pade=pade)

    @hinting
    def trim(
        self, *,
        states: Mapping[str, Any] | None = None, inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None, slopes: Mapping[str, Any] | None = None,
        bounds: Mapping[str, Any] | None = None, at: At = None, time: float | None = None,
        parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
        loops: str | None = None,
    ) -> Trim:  # fmt: skip
        """The operating point where the diagram is at rest, or moves steadily, near the start of the search:

            f(t, x, u) = slopes,  g(t, x, u) = outputs,  and the next discrete states are the present ones

        states, inputs   values that are fixed, by name; all others are free. NaN among the elements of a
                         vector leaves that one free; "arm.position[2]" is one element
        outputs          what Outports or signals have to be: {"speed": 3.0, "arm.q[2]": -1.0}
        slopes           of states that move, 1/s times their unit, else 0; None: not asked for
        bounds           the least and greatest value of free states and inputs: {"u": (0.0, 12.0)}
        at, time         where the search begins, as for `linearize`

        Values that the equations leave open stay near the start of the search; `floating` of the returned
        point names them. Every equation is met to 1e-12, or to the rounding of its terms. The result is a
        point for `linearize(at=...)`; to start a run there, pass `initial=point.initial,
        inputs=point.inputs`.

        Raises TrimError, which names the equations that cannot be met, and what `linearize` raises.
        """
        from ...analysis.trim import trim

        program = self._diagram.compile(parameters, set, loops=loops)
        return trim(
            program, states=states, inputs=inputs, outputs=outputs, slopes=slopes, bounds=bounds,
            at=at, time=time,
        )  # fmt: skip
