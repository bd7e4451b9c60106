"""An ensemble holds the results of a sweep, and makes tables, statistics and pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import NDArray

from ...base.checked import checked
from ...base.door import door
from ...base.hints import AttributeHints
from ...base.words import short
from ..errors import SweepError, bad_argument
from ..store.part import Part
from .gathered import NOT_RUN, EnsembleData, PartSource
from .tables import Table

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from ...diagrams.model.diagram import Diagram
    from ...diagrams.results.result import Result
    from ...doors import Ensemble as Doors
    from ..declare.design import Design
    from ..measures.declared import Measures
    from .sensitivity import Sensitivity
    from .summary import Summary
else:
    Doors = object


class Ensemble(AttributeHints, Doors):
    """The results of a sweep. Immutable, except for `trajectories`, which the run fills in.

    design    the scenarios
    measures  names of the measures
    units     of measures, by name
    info      origin of the numbers; all may be absent: `diagram` (name), `file`, `declaration`
              (YAML), `seed`, `times` (grid of kept signals, s), `units` (of kept signals and
              axes, by name), `simulate`, `versions`, `wall` (s) and any other values of JSON
    diagram   the diagram of the sweep, or None

    A scenario ends well if it reaches its stop time or a Stop block; statistics, worst cases and pictures of
    measures cover these scenarios, and report how many failed. `dataset` holds everything.
    """

    def __init__(
        self,
        design: Design,
        measures: Measures,
        parts: Sequence[Part] | PartSource,
        info: Mapping[str, Any] | None = None,
        rerun: Callable[[int], Result] | None = None,
        diagram: Diagram | None = None,
    ) -> None:
        self.design = design
        self.measures = tuple(measures.names)
        units = measures.units
        named = units if isinstance(units, Mapping) else dict(zip(self.measures, units))
        self.units = MappingProxyType({name: str(named.get(name) or "") for name in self.measures})
        self.info = MappingProxyType(dict(info or {}))
        self._parts, self._rerun = parts, rerun
        self.diagram = diagram
        self.trajectories: dict[int, Result] = {}  # whole results by scenario: `keep: {worst: ...}`

    @cached_property
    def gathered(self) -> EnsembleData:
        """The scalars of all scenarios, put together on first use."""
        return EnsembleData(self.design.count, len(self.measures), self._parts)

    @cached_property
    def dataset(self) -> xr.Dataset:
        """Everything about every scenario, as an xarray.Dataset.

        Dimensions are the dimensions of the design: every list or range is one, axes that are zipped share
        one, all sampled axes share `sample`; their values are coordinates. Variables:

            measures   with units; a measure that has the name of an axis becomes `measure_NAME`
          outcome    int8 with the attributes flag_values and flag_meanings; -1 for a scenario not run
          reason     text, empty where the scenario ended well
          end        time at which the run ended, s
          steps      accepted steps
          kept signals over (design, time, their own dimensions), read when they are used

        Attributes hold the origin of the numbers; values that are neither numbers nor texts are JSON.
        """
        from .dataset import dataset

        return dataset(self.design, self.gathered, self.measures, self.units, self.info)

    @property
    def complete(self) -> bool:
        """True if every scenario was run."""
        return bool((self.gathered.outcome != NOT_RUN).all())

    @checked(bad_argument)
    def save_table(self, path: str | PathLike[str]) -> None:
        """Write the table of `to_frame`, a row per scenario: .parquet or .csv. Raises ResultFileError."""
        from .tables import save_table

        save_table(self, path)

    def __len__(self) -> int:
        return self.design.count

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A measure or axis, or `end`, `steps`, `failed`, for all scenarios (n,).

        Raises UnknownPath, and SweepError for an unknown name.
        """
        from .factors import column

        asked: object = name
        if not isinstance(asked, str):
            expected = (
                f"expected: a measure or an axis by its name, such as {', '.join(self.measures)}; scenario k"
                " is run again by `ensemble.result(k)`, its numbers are `ensemble.to_frame().loc[k]`"
            )
            raise SweepError(f"ensemble[{short(asked)}]", expected)
        return column(self, name).copy()

    def _hint(self, name: str) -> str:
        varied = [path for axis in self.design.axes for path in axis.paths]
        return f"\nuse ensemble[{name!r}]" if name in (*varied, *self.measures) else ""

    @property
    def signals(self) -> tuple[str, ...]:
        """Names of the kept signals."""
        return tuple(self.gathered.signals)

    def summary(self) -> Summary:
        """Counts, failures by reason, and the distribution of each measure."""
        from .summary import summary

        made = summary(str(self.info.get("diagram", "")), self.gathered, self.measures, self.units)
        return replace(made, notices=(*self.notices, *made.notices))

    @property
    def notices(self) -> tuple[str, ...]:
        """Facts that may be unintended, and blocks that run in Python, one sentence each."""
        return tuple(self.info.get("notices", ()))

    def to_frame(self) -> pd.DataFrame:
        """One row per scenario: axes, measures, outcome, reason, end, steps; the index is its number."""
        from .tables import frame

        return frame(self)

    @checked(bad_argument)
    def worst(self, measure: str, n: int = 10, *, lowest: bool = False) -> Table:
        """The n scenarios with the largest (or lowest) value of the measure, the worst first.

        Only scenarios that ended well; for the others, see `failures()`. Raises UnknownPath.
        """
        from .summary import worst

        return worst(self, measure, n, lowest=lowest)

    @checked(bad_argument)
    def failures(self, n: int = 10) -> Table:
        """The first n scenarios that failed, each with its reason and the values of its axes."""
        from .summary import failures

        return failures(self, n)

    @checked(bad_argument)
    def result(self, k: int) -> Result:
        """Run scenario k again: its full Result, bit for bit as in the sweep.

        The equivalent call is `diagram.simulate(scenario=k, ...)` with its values: with the seed only, noise
        differs, unless the sweep has `common_random_numbers`.

        Raises SweepError if there is no such scenario or no diagram to run it with.
        """
        number = int(k)
        if not 0 <= number < len(self):
            raise SweepError(f"no scenario {k}; there are {len(self)}, from 0 to {len(self) - 1}")
        if self._rerun is None:
            raise SweepError(
                f"scenario {number} cannot be run again: this ensemble was made without its diagram",
                "load the sweep with blockdyn.load_sweep and call its simulate(k)",
            )
        return self._rerun(number)

    @checked(bad_argument)
    def sensitivity(
        self,
        measure: str,
        kind: Literal["rank", "sobol"] = "rank",
        *,
        at: Mapping[str, Any] | None = None,
    ) -> Sensitivity:
        """Effect of each axis on the measure: rank correlations, or Sobol indices.

        kind  "rank"   Spearman's rho and the partial rank correlation, each with 95 % confidence
              "sobol"  shares of the variance; how they are computed depends on the design
        at    only the scenarios with these values of explicit axes, such as {"controller.Kp": 20}

        "sobol" gives first and total indices with intervals for Saltelli's design, and exact ones for
        explicit axes alone; for other samples first indices with intervals, and of correlated axes each holds
        their common part. In Saltelli's design the indices of a correlated axis belong to the independent
        numbers that its components are made of.

        Raises UnknownPath for a name of neither a measure nor an axis, SweepError if nothing varies or the
        design does not allow it, SweepError without SALib. Sources: Bonett and Wright, Psychometrika 65
        (2000) 23-28; Marino et al., Journal of Theoretical Biology 254 (2008) 178-196; Saltelli et al.
        (2010); Tarantola et al., Reliability Engineering and System Safety 91 (2006) 717-727.
        """
        from .sensitivity import sensitivity

        return sensitivity(self, measure, kind, at=at)

    def __repr__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    if not TYPE_CHECKING:  # see doors.pyi
        report = door("plots.ensembles.report:report")
        plot = door("plots.ensembles.pictures:plot")
