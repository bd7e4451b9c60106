"""`Ensemble.plot` draws the scenarios of a sweep in the style of a single run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...base.checked import checked
from ...base.hints import AttributeHints
from ...sweeps.errors import bad_argument

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from ...sweeps.answer.ensemble import Ensemble

File: TypeAlias = str | PathLike[str] | None


class Pictures(AttributeHints):
    """The pictures that an ensemble draws; each method returns the matplotlib Figure.

    Common to all: `file` also writes it there (.png, .pdf, .svg), completely or not at all; `show` opens a
    window, None only if matplotlib is interactive. Measures are drawn over the scenarios that ended
    well; the title gives the number of others. Raises UnknownPath for a name that is not in the ensemble,
    SweepError if there is nothing to draw, ResultFileError if the file cannot be written.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble

    @checked(bad_argument)
    def envelope(
        self, signal: str, *, worst: str | None = None, file: File = None, show: bool | None = None
    ) -> Figure:
        """A stored signal over time: its median, and the middle 50 % and 90 % at each instant.

        Scenarios that ended well count; scenarios that a Stop block ended count up to their end.

        A vector gets one axes per element, up to six; `plant.q[2]` is one element. `worst` names a measure:
        the scenario with its largest value is also drawn.
        """
        from .envelope import envelope

        return envelope(self._ensemble, signal, worst=worst, file=file, show=show)

    @checked(bad_argument)
    def histogram(self, measure: str, *, file: File = None, show: bool | None = None) -> Figure:
        """Distribution of the values of a measure: scenarios per bin, with the median and the 5 and 95 %
        quantiles.

        Width of bins: Freedman and Diaconis, Zeitschrift fuer Wahrscheinlichkeitstheorie 57 (1981) 453-476,
        within 8 to 60 bins. Values far outside the quartiles are counted in a remark instead of drawn.
        """
        from .distribution import histogram

        return histogram(self._ensemble, measure, file=file, show=show)

    @checked(bad_argument)
    def distribution(self, measure: str, *, file: File = None, show: bool | None = None) -> Figure:
        """Empirical distribution function with its 95 % confidence band, and three labelled quantiles.

        The band is F +- sqrt(ln(2/0.05)/(2n)), for any true distribution:
        Massart, Annals of Probability 18 (1990) 1269-1283, doi:10.1214/aop/1176990746.
        """
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
        """A measure over two axes by colour.

        Each pair of values has a cell; values of a sampled axis are grouped into bins of equal width.

        A few unevenly spaced values get cells of equal width.

        `colors` are "linear" or "logarithmic"; None: logarithmic for positive values over two
        decades or more without values near 0, else linear. Scenarios in one cell show their mean
        (or max, min); `failed` shows the share of failures, a stability map. Cells without a
        successful scenario are hatched. `at` fixes other explicit axes.
        """
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
        """Sensitivities of a measure as bars, the strongest on top.

        They are rank correlations (partial and Spearman's) or Sobol indices (first, total), with 95 %
        confidence.

        The fifteen strongest factors are drawn: see `Ensemble.sensitivity`.
        """
        from .tornado import tornado

        return tornado(self._ensemble, measure, kind, at=at, file=file, show=show)

    @checked(bad_argument)
    def parallel(
        self, measures: str | Sequence[str] | None = None, *, file: File = None, show: bool | None = None
    ) -> Figure:
        """Every scenario as a line across axes and measures.

        Upright scales are the axes that vary and the measures (default: the first six).

        The first measure gives the colour. Failed scenarios are dashed, and stop at the first measure without
        a value. Of more than 1500 scenarios a random 1500 are shown; of more
        than 12 scales, the first axes and all measures.
        """
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
        """Scenarios as points over two axes or measures.

        Dots are scenarios that pass, crosses scenarios that fail; scenarios without a run are not drawn.

        passed  None            scenarios that ended well
                {"rms": 0.1}    scenarios that ended well with rms <= 0.1; {"rms": [0.01, 0.1]} for both ends;
                                several measures must all hold
                n truth values  one per scenario

        Of more than 5000 points a random 5000 are shown.
        """
        from .scatter import scatter

        return scatter(self._ensemble, x, y, passed=passed, file=file, show=show)


def _plot(ensemble: Ensemble) -> Pictures:
    """Pictures: `envelope`, `histogram`, `distribution`, `heat`, `tornado`, `parallel`, `scatter`."""
    return Pictures(ensemble)


plot = property(_plot)
