"""Pictures of an ensemble: one look with the plots of a single run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Never, TypeAlias

from ....base.checked import checked
from ....base.guided import guided
from ...errors import SweepError, bad_argument

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from ..ensemble import Ensemble

File: TypeAlias = str | PathLike[str] | None


ELSEWHERE = {
    "hist bar": '`histogram("top")`',
    "box violin cdf ecdf": '`distribution("top")`',
    "line plot points": '`scatter("kp", "top")`',
    "heatmap surface contour map": '`heat("top", "kp", "ki")`',
    "signals traces timeseries band": '`envelope("motor")`, of signals that the sweep keeps',
    "[]": '`ensemble.plot.histogram("top")`; the numbers are `ensemble["top"]`',
    "sensitivity": '`tornado("top")`',
    "scatter()": "such as scatter('kp', 'top')",
    "heat()": "such as heat('top', 'kp', 'ki')",
}
"""What users look for under other names, and where it is."""


@guided(ELSEWHERE)
class Pictures:
    """The pictures that an ensemble draws; each method returns the matplotlib Figure.

    Common to all: `file` also writes it there (.png, .pdf, .svg), whole or not at all; `show` opens a
    window, None only where matplotlib is interactive. Measures are drawn over the scenarios that ended
    well; the title tells how many did not. Raises UnknownPath for a name that the ensemble does not hold,
    SweepError where there is nothing to draw, ResultFileError where the file cannot be written.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble

    def __call__(self, *_: Any, **__: Any) -> Never:
        """Raises SweepError: each kind of picture is a method."""
        kinds = ", ".join(name for name in vars(Pictures) if not name.startswith("_"))
        raise SweepError(f"`plot` of an ensemble is no function\nexpected: one of its methods, {kinds}")

    @checked(bad_argument)
    def envelope(
        self, signal: str, *, worst: str | None = None, file: File = None, show: bool | None = None
    ) -> Figure:
        """Median and quantile bands of a kept signal over time: see `envelope.envelope`."""
        from .envelope import envelope

        return envelope(self._ensemble, signal, worst=worst, file=file, show=show)

    @checked(bad_argument)
    def histogram(self, measure: str, *, file: File = None, show: bool | None = None) -> Figure:
        """How often a measure takes which values: see `histogram.histogram`."""
        from .histogram import histogram

        return histogram(self._ensemble, measure, file=file, show=show)

    @checked(bad_argument)
    def distribution(self, measure: str, *, file: File = None, show: bool | None = None) -> Figure:
        """Empirical distribution function of a measure: see `distribution.distribution`."""
        from .distribution import distribution

        return distribution(self._ensemble, measure, file=file, show=show)

    @checked(bad_argument)
    def heat(
        self,
        measure: str,
        x: str,
        y: str,
        *,
        reduce: Literal["mean", "max", "min"] = "mean",
        at: Mapping[str, Any] | None = None,
        colors: Literal["linear", "logarithmic"] | None = None,
        file: File = None,
        show: bool | None = None,
    ) -> Figure:
        """A measure over two axes, by colour; "failed" is a stability map: see `heat.heat`."""
        from .heat import heat

        return heat(self._ensemble, measure, x, y, reduce=reduce, at=at, colors=colors, file=file, show=show)

    @checked(bad_argument)
    def tornado(
        self,
        measure: str,
        kind: Literal["rank", "sobol"] = "rank",
        *,
        at: Mapping[str, Any] | None = None,
        file: File = None,
        show: bool | None = None,
    ) -> Figure:
        """Sensitivities of a measure as bars, the strongest on top: see `tornado.tornado`."""
        from .tornado import tornado

        return tornado(self._ensemble, measure, kind, at=at, file=file, show=show)

    @checked(bad_argument)
    def parallel(
        self, measures: str | Sequence[str] | None = None, *, file: File = None, show: bool | None = None
    ) -> Figure:
        """Every scenario as a line across axes and measures: see `parallel.parallel`."""
        from .parallel import parallel

        return parallel(self._ensemble, measures, file=file, show=show)

    @checked(bad_argument)
    def scatter(
        self,
        x: str,
        y: str,
        *,
        passed: ArrayLike | Mapping[str, Any] | None = None,
        file: File = None,
        show: bool | None = None,
    ) -> Figure:
        """Scenarios as points over two axes or measures, pass and fail told apart: see `scatter.scatter`."""
        from .scatter import scatter

        return scatter(self._ensemble, x, y, passed=passed, file=file, show=show)
