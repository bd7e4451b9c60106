"""Designable: the methods of a linear model with which regulators, observers and filters are designed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from .linear_model import LinearModel, Matrix

Method = Literal["hold", "first_order_hold", "tustin", "matched"]
"""How a model in continuous time is put into discrete time."""


class Designable:
    """What a LinearModel gives for design; models with delays take `pade` before."""

    __slots__ = ()

    @property
    def _model(self) -> LinearModel:
        return cast("LinearModel", self).finite()

    def place_poles(self, poles: ArrayLike) -> Matrix:
        """The gain K (m, n) of u = -K x with which A - B K has these eigenvalues, by `scipy.signal`.

        Complex poles come in pairs. Raises AnalysisError.
        Source: Tits and Yang, IEEE Transactions on Automatic Control 41(10) (1996), 1432-1452.
        """
        from .design import place_poles

        return place_poles(self._model, poles)

    def lqr(self, Q: ArrayLike, R: ArrayLike) -> Matrix:
        """The gain K (m, n) of u = -K x that minimises the integral, or sum, of x'Q x + u'R u.

        A number stands for its multiple of the identity, numbers for a diagonal. Raises AnalysisError,
        ParameterError.
        Source: Anderson and Moore, Optimal Control: Linear Quadratic Methods (1990), chapters 2 and 3.
        """
        from .design import regulator

        return regulator(self._model, Q, R)

    def kalman_gain(self, Q: ArrayLike, R: ArrayLike) -> Matrix:
        """The stationary gain L (n, p) of a Kalman filter, with the covariances Q (n, n) of the noise of the
        states and R (p, p) of the outputs; densities in continuous time.

            x' = A x + B u + L (y - C x - D u)        in discrete time the gain of the prediction of x[k+1]

        Source: Anderson and Moore, Optimal Filtering (1979), chapter 4. Raises AnalysisError, ParameterError.
        """
        from .design import kalman_gain

        return kalman_gain(self._model, Q, R)

    def discretize(self, sample_time: float, method: Method = "hold") -> LinearModel:
        """A model in continuous time as one in discrete time, over a period in s.

        hold              inputs constant over a period: exact for what a sampled block puts out
        first_order_hold  inputs straight between ticks
        tustin            s = 2 / T (z - 1) / (z + 1), which keeps stability and gain at rest
        matched           poles and zeros at exp(s T), of one input and output; needs the extra `control`

        By `scipy.signal` and `control`. `diagram.linearize(sample_time=T)` is the first of these for a
        diagram. Raises AnalysisError.
        Source: Franklin, Powell and Workman, Digital Control of Dynamic Systems (1998), chapter 6.
        """
        from .design import discretize

        return discretize(self._model, sample_time, method)

    def gramian(self, kind: Literal["controllability", "observability"]) -> Matrix:
        """The gramian W (n, n): A W + W A' + B B' = 0, or A'W + W A + C'C = 0; in discrete time
        W = A W A' + B B', or W = A'W A + C'C. Raises AnalysisError for a model that is not stable.
        """
        from .norms import gramian

        return gramian(self._model, kind)

    def h2_norm(self) -> float:
        """The root of the energy of the impulse response, over all inputs; the rms of outputs under white
        noise. Infinite for a model that is not stable, or in continuous time passes inputs on at once.

        Source: Zhou, Doyle and Glover, Robust and Optimal Control (1996), section 4.5.
        """
        from .norms import h2_norm

        return h2_norm(self._model)

    def hinf_norm(self) -> float:
        """The largest singular value of G over all frequencies, to 1e-9; infinite if it is not stable.

        Source: Bruinsma and Steinbuch, Systems and Control Letters 14 (1990), 287-293.
        """
        from .norms import hinf_norm

        return hinf_norm(self._model)
