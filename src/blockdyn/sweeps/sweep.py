"""A sweep describes a diagram, its varied numbers, and the measures of each scenario; it is not a run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from ..base.hints import AttributeHints
from ..base.location import Location, caller
from ..base.words import inflect, visible
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.gathered import Errors
from ..diagrams.model.section import Section
from ..diagrams.model.subsystem import copied
from ..diagrams.runs.settings import check_end
from ..diagrams.values.overrides import overrides
from ..diagrams.values.target import Overrides, Target
from ..diagrams.values.view import View
from ..diagrams.yaml import load
from ..diagrams.yaml.writer import section_text
from ..robots.errors import count_own_frames
from .declare.acceptance import check_diagram, check_run, check_targets, resolve, with_fixed
from .declare.axes.explicit import is_whole, plain
from .declare.declaration import Declaration, declaration, without_axes
from .declare.design import Design
from .declare.keep import Keep, check_signals
from .declare.sampling import SamplingWarning, remark
from .errors import SweepError
from .execute.lane import SignalGrid
from .execute.task import Task
from .measures.declared import Measures

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.results.result import Result
    from ..diagrams.yaml.source import Trust
    from .answer.ensemble import Ensemble


class Sweep(AttributeHints):
    """Scenarios of a diagram.

        axes       varied numbers, by path: a list, {linspace: [first, last, n]}, {logspace: ...}, {count: n},
                   or a distribution: {normal: {mean, sd}}, uniform, truncated, lognormal, gaussian. Under a
                   separate name an axis has `paths`, which all get its value
        measures   numbers that are kept of each scenario, by name: {"worst": {"max": "abs(error)"}}
        number     how many values are drawn of the axes with a distribution
        seed       of all draws, and with the scenario's number of all noise [0]
        sampling   "random", "latin-hypercube", "sobol", or "saltelli" for Sobol' indices ["random"]
        zip        groups of listed axes that go together, instead of crossing: [["a.k", "b.k"]]
        file       scenarios in CSV or Parquet: columns are paths
        keep       trajectories: {"signals": [...], "every": 0.01}, {"worst": 10, "by": "rms"}, {} for none
        chunk      scenarios that are run and stored together [256]
        common_random_numbers   whether noise is the same in every scenario [False]
        set        values of all scenarios, by path: {"arm.robot.payload.mass": 2}; axes of one value each

    Anything that you omit is taken from the diagram's file, under `sweep`; if you give other `axes`, the
    file's `zip` and `file` are ignored, and its `number` if nothing is drawn. Further arguments are passed to
    `Diagram.simulate`, for every scenario. A sweep is immutable, and does not run until you call `run`;
    mistakes in it are reported at once.

    Raises SweepError; RunArgumentError if neither the diagram nor an
    argument gives the end of runs; and the errors of the diagram.

    Example:
        Sweep(diagram, {"controller.Kp": [10, 20, 40], "plant.mass": {"normal": {"mean": 1, "sd": 0.1}}},
              {"worst": {"max": "abs(error)"}}, number=1000, seed=1)
    """

    def __init__(
        self,
        diagram: Diagram,
        axes: Mapping[str, Any] | None = None,
        measures: Mapping[str, Any] | None = None,
        *,
        number: int | None = None,
        seed: int | None = None,
        sampling: Literal["random", "latin-hypercube", "sobol", "saltelli"] | None = None,
        zip: Sequence[Sequence[str]] | None = None,
        file: str | PathLike[str] | None = None,
        keep: Mapping[str, Any] | None = None,
        chunk: int | None = None,
        common_random_numbers: bool | None = None,
        set: Mapping[str, Any] | None = None,
        **simulation: Any,
    ) -> None:
        check_diagram(diagram)
        if "sweep" not in diagram.sections and axes is None and file is None and measures is None:
            problem = f"{diagram.name} declares no sweep"
            expected = "expected: a section such as `sweep: {axes: {controller.kp: [1, 2, 4]}}`, or `axes`"
            place = diagram.location
            raise SweepError(problem, expected, location=Location(place.file) if place else caller())
        arguments = {
            "axes": axes, "measures": measures, "number": number, "seed": seed, "sampling": sampling,
            "zip": zip, "file": None if file is None else str(file), "keep": keep, "chunk": chunk,
            "common_random_numbers": common_random_numbers,
        }  # fmt: skip
        changes = {key: value for key, value in arguments.items() if value is not None}
        at = caller()
        declared = diagram.sections.get("sweep") or Section({})
        section = (declared if axes is None else without_axes(declared, axes)).changed(at, **changes)
        self._diagram = copied(diagram)
        self._simulation = dict(simulation)
        errors = Errors(SweepError)
        with errors:
            section = with_fixed(section, {} if set is None else set, at)
        check_run(simulation, at, errors)
        self._declaration = declaration(section, errors)
        view = View(self._diagram)
        self._targets: dict[str, Target] = {}
        for axis in self.design.axes:
            for path in axis.paths:
                with errors:
                    self._targets[path] = resolve(view, path, axis.location)
        check_targets(self.design, self._targets, errors)
        with errors:
            self._measures = Measures(
                self._declaration.measures, self._diagram, section, simulation.get("loops")
            )
        check_signals(self._diagram, section, errors)
        errors.finish()
        varied = {path.removeprefix("simulate."): path for path in self._targets}
        check_end({**varied, **self._diagram.simulation, **simulation})
        advice = remark(self.design.sampling, self.design.number) if self.design.sampled else ""
        if advice:
            warnings.warn(advice, SamplingWarning, stacklevel=count_own_frames())

    @classmethod
    def load(cls, path: str | PathLike[str], *, trust: Trust = False, **changes: Any) -> Sweep:
        """The sweep declared in a diagram's file under `sweep`, with some of its keys changed.

        Raises SweepError for a file without one, and the errors of `load`.
        """
        return cls(load(path, trust=trust), **changes)

    @property
    def diagram(self) -> Diagram:
        """The diagram as it was when the sweep was declared."""
        return self._diagram

    @property
    def declaration(self) -> Declaration:
        """Everything that was declared."""
        return self._declaration

    @property
    def design(self) -> Design:
        """The scenarios."""
        return self._declaration.design

    @property
    def targets(self) -> Mapping[str, Target]:
        """Targets of the axes' values, by path."""
        return self._targets

    @property
    def measures(self) -> Measures:
        """The measures of each scenario."""
        return self._measures

    @property
    def simulation(self) -> Mapping[str, Any]:
        """The arguments with which every scenario runs."""
        return self._simulation

    @property
    def keep(self) -> Keep | None:
        """The trajectories that are kept."""
        return self._declaration.keep

    @cached_property
    def count(self) -> int:
        """Number of scenarios."""
        return self.design.count

    def declared(self) -> str:
        """The declaration as YAML, as a diagram's file has it. Raises NotWritable."""
        return section_text("sweep", plain(self.declaration.section.data))

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        sizes = " x ".join(f"{d.name} {d.size}" for d in self.design.dimensions)
        return visible(
            f"<Sweep of {self.diagram.name}: {sizes}, {inflect(self.count, 'scenario')}>", lines=False
        )

    def _repr_html_(self) -> str:
        from ..base.shown import page, table

        rows = [(d.name, str(d.size)) for d in self.design.dimensions]
        return page(repr(self).strip("<>"), table(("dimension", "values"), rows))

    # ---- one scenario ----

    def scenario(self, k: int) -> dict[str, Any]:
        """The values of scenario k by path. Raises SweepError if there is no such scenario."""
        if not is_whole(k) or not 0 <= k < self.count:
            expected = f"expected: a whole number from 0 to {self.count - 1}"
            raise SweepError(f"there is no scenario {k!r}", expected)
        return self.design.scenario(int(k))

    def overrides(self, k: int) -> Overrides:
        """Changes of scenario k, as arguments of `Diagram.compile` and `Program.simulate`."""
        return overrides(self.targets, self.scenario(k))

    def simulate(self, k: int, **settings: Any) -> Result:
        """Scenario k alone, with its whole result: the run of the sweep, bit for bit.

        `settings` are further arguments of `Diagram.simulate`. Raises the errors of `Diagram.simulate`.
        """
        self.scenario(k)
        return self.task.result(int(k), **settings)

    def prepared(self, k: int) -> tuple[Program, dict[str, Any]]:
        """The program of scenario k, and the arguments with which `simulate` runs it."""
        self.scenario(k)
        return self.task.prepared(int(k))

    # ---- all scenarios ----

    @cached_property
    def task(self) -> Task:
        """The data with which a worker can run any of the scenarios."""
        keep, data = self.keep, self.declaration.section.data
        keeping = SignalGrid()
        if keep is not None and not keep.worst and keep.every is not None:
            taps = self.measures.diagram.compile().flat.taps
            keeping = SignalGrid(keep.signals or tuple(tap.name for tap in taps), keep.every)
        seed = {} if data.get("seed") is None else {"seed": self.design.seed}
        return Task(
            self.measures.diagram, self.design, self.targets, self.measures, keeping,
            {**seed, **self.simulation}, self.declaration.common_random_numbers,
        )  # fmt: skip

    def run(
        self,
        *,
        workers: int | None = None,
        store: str | PathLike[str] | None = None,
        resume: bool = False,
        cluster: object = None,
        progress: bool | None = None,
    ) -> Ensemble:
        """Run all scenarios.

        workers   threads [one per processor]; blocks in Python and methods of SciPy run on one
        store     a folder that takes the results chunk by chunk, in Zarr's format; memory then holds a few
                  chunks at a time
        resume    continue with a store: its finished scenarios are not run again
        cluster   a Dask cluster: the address of its scheduler, a cluster object or a `distributed.Client`
        progress  a bar: True always, False never [on a terminal]

        The numbers are the same, bit for bit, for any number of workers, on a cluster, resumed or not. A
        scenario that fails is a result, with its outcome and reason. Ctrl-C keeps the finished scenarios.
        Raises the errors of the diagram, StoreError, ClusterError, SweepError.
        """
        from .running import run

        return run(self, workers=workers, store=store, resume=resume, cluster=cluster, progress=progress)


def load_sweep(path: str | PathLike[str], *, trust: Trust = False, **changes: Any) -> Sweep:
    """The sweep that a diagram's file declares; see `Sweep.load`."""
    return Sweep.load(path, trust=trust, **changes)


def sweep(
    diagram: Diagram,
    axes: Mapping[str, Any] | None = None,
    measures: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Sweep:
    """Many scenarios of the diagram: `Sweep(diagram, ...)`; its `run()` returns the ensemble.

    All arguments are arguments of `Sweep`. Raises its errors.
    """
    return Sweep(diagram, axes, measures, **arguments)
