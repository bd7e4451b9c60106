"""LinearModel: what a diagram does with small changes, as four matrices with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.door import door
from ...base.hints import AttributeHints
from ...base.shown import Shown
from ..errors import AnalysisError, UnknownVariable
from .delays import Delays
from .designable import Designable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...doors import LinearModel as Doors
    from .margins import Margins
    from .pole import Pole
    from .response import Response
    from .root_locus import RootLocus
else:
    Doors = object

Matrix = NDArray[np.float64]
Complex = NDArray[np.complex128]
MOST_SHOWN = 6  # curves that a notebook draws by itself


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(AttributeHints, Designable, Shown, Doors):
    """A linear model of x' = f(t, x, u), y = g(t, x, u) at a point, for small changes from it:

        dx' = A dx + B du + f_t dt        dy = C dx + D du + g_t dt            sample_time = 0
        dx[k+1] = A dx[k] + B du[k]       dy[k] = C dx[k] + D du[k]            else

    A (n, n), B (n, m), C (p, n), D (p, m), f_t (n,), g_t (p,), in the units of the dependent variable divided
    by those of the independent one. `states`, `inputs` and `outputs` name the elements: "arm.q[2]".
    `differences` lists the paths of blocks that run in Python, whose part is a finite difference (accurate to
    about 1e-11). `sample_time` is the period in s of a model in discrete time, whose inputs are constant over
    it. `delays` has the transport delays, or None: A, B, C and D are then those of what passes through no
    delay, see `Delays`. Frequency responses, margins and `stable` are exact with delays; methods that need
    finitely many states ask for `pade`. `held` lists the paths of triggered subsystems, state machines and
    blocks of users that keep values of signals at events: these are constant in the model. `kinks` lists the
    blocks that change branch at the point, with the mode of the model and that on the other side.
    """

    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix
    f_t: Matrix
    g_t: Matrix
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    differences: tuple[str, ...] = ()
    sample_time: float = 0.0
    delays: Delays | None = None
    held: tuple[str, ...] = ()
    kinks: tuple[str, ...] = ()

    def part(
        self, outputs: str | Sequence[str] | None = None, inputs: str | Sequence[str] | None = None
    ) -> LinearModel:
        """The same model with only these inputs and outputs: `part("speed", "voltage")`.

        A name stands for all elements of a vector. Raises UnknownVariable.
        """
        rows, columns = chosen("outputs", outputs, self.outputs), chosen("inputs", inputs, self.inputs)
        return replace(
            self,
            B=self.B[..., columns], C=self.C[..., rows, :], D=self.D[..., rows, :][..., columns],
            g_t=self.g_t[..., rows], delays=None if self.delays is None else self.delays.part(rows, columns),
            inputs=tuple(self.inputs[i] for i in columns), outputs=tuple(self.outputs[i] for i in rows),
        )  # fmt: skip

    def __neg__(self) -> LinearModel:
        """The model with outputs of the other sign."""
        delays = None if self.delays is None else replace(self.delays, D12=-self.delays.D12)
        return replace(self, C=-self.C, D=-self.D, g_t=-self.g_t, delays=delays)

    def pade(self, order: int = 4) -> LinearModel:
        """The model with a finite one of each delay, exp(-s T) by the approximant of Pade [order/order].

        It has `order` states more a delay, "late.pade[0]", and is good for frequencies up to about order / T.
        A model without delays is itself. Raises AnalysisError.
        """
        from .delays import finite

        return finite(self, order)

    def poles(self) -> Complex:
        """The eigenvalues of A, in 1/s (of a model in discrete time, numbers), by their distance from 0.

        A pole within rounding of the edge of stability has a real part of 0, in discrete time a size of 1.
        Raises AnalysisError for a model with delays, which has infinitely many.
        """
        from .edge import eigenvalues

        return _sorted(eigenvalues(self.finite(".poles()").A, self.sample_time))

    def zeros(self) -> Complex:
        """The invariant zeros: values of s at which some nonzero input and state leave every output at 0.

        They are the finite numbers s at which [A - s I, B; C, D] loses rank, also with more outputs than
        inputs or fewer. Source: Emami-Naeini and Van Dooren, Automatica 18(4) (1982), 415-430.
        """
        from .pole import invariant_zeros

        return _sorted(invariant_zeros(self))

    def damping(self) -> tuple[Pole, ...]:
        """Each pole with its natural frequency, rad/s, damping ratio and time constant, s; see `Pole`."""
        from .pole import described

        return described(self)

    @property
    def stable(self) -> bool:
        """Whether every pole lies left of the imaginary axis; in discrete time, within the unit circle.

        A pole within rounding of that edge is not stable, see `marginal`. With delays it counts the
        infinitely many.
        """
        from .stability import growth

        return growth(self) < 0.0

    @property
    def marginal(self) -> bool:
        """Whether no pole is unstable, and one lies on the edge of stability within rounding."""
        from .stability import growth

        return growth(self) == 0.0

    def frequency_response(self, omega: ArrayLike) -> Complex:
        """G(i omega) = C (i omega I - A)^-1 B + D at frequencies in rad/s, (k,) -> (k, p, m).

        Delays are in it, exactly. In discrete time the argument is exp(i omega sample_time).
        """
        from .frequency import frequency_response

        return frequency_response(self, omega)

    def gain(self) -> Matrix:
        """The steady-state gain for constant inputs, D - C A^-1 B, (p, m); infinite if they do not settle."""
        from .frequency import static_gain

        return static_gain(self)

    def margins(self) -> Margins:
        """Gain, phase and delay margin of this loop transfer L, closed by 1 / (1 + L): see `Margins`.

        Raises AnalysisError unless there is one input and one output, or each sample of one wire.
        """
        from .margins import margins

        return margins(self)

    def step(self, times: ArrayLike | None = None) -> Response:
        """The outputs after a step of 1 of each input at t = 0, exact at any times from 0 on.

        In discrete time an output lasts until the next tick.
        """
        from .response import step

        return step(self, times)

    def impulse(self, times: ArrayLike | None = None) -> Response:
        """The outputs after an impulse of area 1 of each input at t = 0; see `step`.

        In discrete time it is one sample of 1 / sample_time.
        """
        from .response import impulse

        return impulse(self, times)

    def root_locus(self, gains: ArrayLike | None = None) -> RootLocus:
        """The poles of this loop transfer L, closed by 1 / (1 + k L), over the gain k: see `RootLocus`.

        `gains` grow; None: from 0 to far beyond those at which something happens, closer where poles move
        fast. Raises AnalysisError unless there is one input and one output, and a state.

        Source: Evans, Trans. AIEE 67 (1948) 547-551; Franklin, Powell and Emami-Naeini, Feedback Control of
        Dynamic Systems (2019), chapter 5.
        """
        from .root_locus import root_locus

        return root_locus(self, gains)

    def to_scipy(self) -> Any:
        """As `scipy.signal.StateSpace`."""
        from .export import to_scipy

        return to_scipy(self)

    def to_control(self) -> Any:
        """As `control.StateSpace` with its names. Raises AnalysisError without the extra `control`."""
        from .export import to_control

        return to_control(self)

    def _figure(self) -> Figure | None:
        return self.bode(show=False) if 0 < self.D.size <= MOST_SHOWN else None

    def __repr__(self) -> str:
        from .text import described

        return described(self)

    def finite(self, call: str = "") -> LinearModel:
        """This model, which has finitely many states; `call` is what follows. Raises AnalysisError for one
        with delays.
        """
        if self.delays is not None:
            found = (
                f"a model with delays ({', '.join(self.delays.names)}) has infinitely many states and poles"
            )
            raise AnalysisError(found, f"a finite model in its place: model.pade(4){call}")
        return self

    def only(self) -> LinearModel:
        """This model, which has one input and one output. Raises AnalysisError for others."""
        if self.D.shape != (1, 1):
            from .text import sizes

            expected = 'one of each: model.part("speed", "voltage")'
            if self.sample_time and self.inputs == self.outputs:
                expected = (
                    "a wire that changes once in the period of its loop; or `margins()`, `root_locus()`"
                )
            raise AnalysisError(sizes(self), expected)
        return self

    if not TYPE_CHECKING:  # see doors.pyi
        bode = door("plots.models.bode:bode")
        nyquist = door("plots.models.planes:nyquist")
        pole_map = door("plots.models.planes:pole_map")


def chosen(argument: str, names: str | Sequence[str] | None, all_names: tuple[str, ...]) -> list[int]:
    """The places of names, each of an element or of a vector."""
    if names is None:
        return list(range(len(all_names)))
    places: list[int] = []
    for name in [names] if isinstance(names, str) else names:
        of_name = [i for i, each in enumerate(all_names) if name in (each, each.partition("[")[0])]
        if not of_name:
            raise UnknownVariable(argument, name, all_names, argument.removesuffix("s"))
        places += of_name
    return places


def _sorted(eigenvalues: ArrayLike) -> Complex:
    values: Complex = np.asarray(eigenvalues, np.complex128)
    return values[np.lexsort((values.imag, values.real, np.round(np.abs(values), 12)))]
