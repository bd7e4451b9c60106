"""A linear model describes small changes of a diagram by four matrices with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.door import door
from ...base.hints import AttributeHints
from ...base.shown import NotebookText
from ..errors import AnalysisError, UnknownVariable
from .delays import Delays

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...doors import LinearModel as Doors
else:
    Doors = object

Matrix = NDArray[np.float64]
Complex = NDArray[np.complex128]
MOST_SHOWN = 6  # curves that a notebook draws by itself


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(AttributeHints, NotebookText, Doors):
    """A linear model of x' = f(t, x, u), y = g(t, x, u) at a point, for small changes from it:

        dx' = A dx + B du + f_t dt        dy = C dx + D du + g_t dt            sample_time = 0
        dx[k+1] = A dx[k] + B du[k]       dy[k] = C dx[k] + D du[k]            else

    A (n, n), B (n, m), C (p, n), D (p, m), f_t (n,), g_t (p,), in the units of the dependent variable divided
    by the units of the independent one. `states`, `inputs` and `outputs` name the elements: "arm.q[2]".
    `differences` lists the paths of blocks that run in Python, whose part is a finite difference (accurate to
    about 1e-11). `sample_time` is the period in s of a model in discrete time, whose inputs are constant over
    it. `delays` holds the transport delays or None; with delays, A, B, C and D describe the paths that pass
    through no delay, see `Delays`. Frequency responses, margins and `stable` are exact with delays; methods
    that need
    finitely many states require `pade`. `held` lists the paths of triggered subsystems, state machines and
    user blocks that keep values of signals at events: these are constant in the model. `kinks` lists the
    blocks that change branch at the point, with the mode of the model and the mode on the other side.
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
        """The model with negated outputs."""
        delays = None if self.delays is None else replace(self.delays, D12=-self.delays.D12)
        return replace(self, C=-self.C, D=-self.D, g_t=-self.g_t, delays=delays)

    def poles(self) -> Complex:
        """The eigenvalues of A, ordered by modulus: in 1/s, without a unit in discrete time.

        A pole within rounding of the edge of stability has a real part of 0, in discrete time a modulus of 1.
        Raises AnalysisError for a model with delays, which has infinitely many.
        """
        from .edge import eigenvalues

        return _sort_eigenvalues(eigenvalues(self.finite(".poles()").A, self.sample_time))

    def zeros(self) -> Complex:
        """The invariant zeros: values of s at which some nonzero input and state leave every output at 0.

        They are the finite numbers s at which [A - s I, B; C, D] loses rank, also with more outputs than
        inputs or fewer. Source: Emami-Naeini and Van Dooren, Automatica 18(4) (1982), 415-430.
        """
        from .pole import invariant_zeros

        return _sort_eigenvalues(invariant_zeros(self))

    @property
    def stable(self) -> bool:
        """True if every pole lies left of the imaginary axis; in discrete time, within the unit circle.

        A pole within rounding of that edge is not stable, see `marginal`. With delays all infinitely many
        poles count.
        """
        from .stability import growth

        return growth(self) < 0.0

    @property
    def marginal(self) -> bool:
        """True if no pole is unstable and at least one lies on the stability boundary within rounding."""
        from .stability import growth

        return growth(self) == 0.0

    def _figure(self) -> Figure | None:
        return self.bode(show=False) if 0 < self.D.size <= MOST_SHOWN else None

    def finite(self, call: str = "") -> LinearModel:
        """This model if it has finitely many states; `call` completes the remedy. Raises AnalysisError if it
        has delays.
        """
        if self.delays is not None:
            actual = (
                f"a model with delays ({', '.join(self.delays.names)}) has infinitely many states and poles"
            )
            raise AnalysisError(actual, f"a finite model in its place: model.pade(4){call}")
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
        frequency_response = door("analysis.models.frequency:frequency_response")
        gain = door("analysis.models.frequency:static_gain")
        margins = door("analysis.models.margins:margins")
        step = door("analysis.models.response:step")
        impulse = door("analysis.models.response:impulse")
        root_locus = door("analysis.models.root_locus:root_locus")
        to_scipy = door("analysis.models.text:to_scipy")
        to_control = door("analysis.models.text:to_control")
        damping = door("analysis.models.pole:damping")
        pade = door("analysis.models.delays:finite")
        __repr__ = door("analysis.models.text:described")
        place_poles = door("analysis.models.design:place_poles")
        lqr = door("analysis.models.design:regulator")
        kalman_gain = door("analysis.models.design:kalman_gain")
        discretize = door("analysis.models.design:discretize")
        gramian = door("analysis.models.norms:gramian")
        h2_norm = door("analysis.models.norms:h2_norm")
        hinf_norm = door("analysis.models.norms:hinf_norm")


def chosen(argument: str, names: str | Sequence[str] | None, all_names: tuple[str, ...]) -> list[int]:
    """Indices of the named elements; a vector's name stands for all its elements."""
    if names is None:
        return list(range(len(all_names)))
    places: list[int] = []
    for name in [names] if isinstance(names, str) else names:
        of_name = [i for i, each in enumerate(all_names) if name in (each, each.partition("[")[0])]
        if not of_name:
            raise UnknownVariable(argument, name, all_names, argument.removesuffix("s"))
        places += of_name
    return places


def _sort_eigenvalues(eigenvalues: ArrayLike) -> Complex:
    values: Complex = np.asarray(eigenvalues, np.complex128)
    return values[np.lexsort((values.imag, values.real, np.round(np.abs(values), 12)))]
