"""Run a sweep: its chunks on threads or a cluster, its results in memory or a store."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.progress import Bar
from ..base.words import inflect
from ..diagrams.compiler.notices import memory_notices
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.section import Section
from ..diagrams.runs.ended import versions
from ..diagrams.runs.interruption import terminable
from ..diagrams.runs.waiting import make_writer, waiting
from ..diagrams.yaml.entries import kinds
from ..diagrams.yaml.errors import NotWritable
from ..diagrams.yaml.finding import gallery_files
from ..diagrams.yaml.machines import FILES
from ..diagrams.yaml.writer import dumps
from .answer.ensemble import Ensemble
from .declare.axes.explicit import is_whole, plain
from .errors import SweepError
from .execute.pool import Pool
from .execute.suspects import DIED, name_dead, run_suspects
from .store.files import TEMPORARY
from .store.folder import claim_folder
from .store.layout import Layout
from .store.part import Part
from .store.store import Store
from .store.tried import CrashRecord

if TYPE_CHECKING:
    from .sweep import Sweep

SUFFIXES = (".yaml", ".yml", ".urdf", ".xacro")  # of files that blocks read


def run(
    sweep: Sweep, *, workers: int | None, store: str | PathLike[str] | None, resume: bool,
    cluster: object, progress: bool | None,
) -> Ensemble:  # fmt: skip
    """Run the scenarios that are not done yet. See `Sweep.run`."""
    began = clock.perf_counter()
    if workers is not None and not (is_whole(workers) and workers >= 1):
        raise SweepError(f"workers = {workers!r}", "expected: a whole number of threads, 1 or greater")
    if resume and store is None:
        raise SweepError("resume without a store", "expected: the store to continue, store=FOLDER")
    task = sweep.task
    with waiting(make_writer(progress)):
        task.ready()
    with claim_folder(store):
        return _run(sweep, workers, store, resume, cluster, progress, began)


def _run(
    sweep: Sweep, workers: int | None, store: str | PathLike[str] | None, resume: bool, cluster: object,
    progress: bool | None, began: float,
) -> Ensemble:  # fmt: skip
    opened = _open(sweep, store, resume) if store is not None else None
    ranges = opened.missing() if opened is not None else chunks(sweep)
    parts: list[Part] = []
    done = sweep.count - _count(ranges)
    bar = Bar(sweep.diagram.name, sweep.count, done, shown=progress)
    try:
        if cluster is not None:
            complete = _on_cluster(sweep, cluster, ranges, opened, parts, bar)
        else:
            complete = _on_this_machine(sweep, workers, ranges, opened, parts, bar)
    finally:
        bar.close()
        if opened is not None:
            opened.commit()
    if opened is not None:
        opened.close()
    not_run = (
        _count(opened.missing()) if opened is not None else sweep.count - sum(len(p.outcome) for p in parts)
    )
    info = facts(sweep) | {"wall": clock.perf_counter() - began, "ran": sweep.count - done - not_run}
    ensemble = Ensemble(
        sweep.design, sweep.measures, parts if opened is None else opened, info, sweep.simulate, sweep.diagram
    )
    if complete:
        _keep_worst(sweep, ensemble, opened)
    return ensemble


def chunks(sweep: Sweep) -> list[tuple[int, int]]:
    """The scenarios in pieces of the declared size."""
    size = sweep.declaration.chunk
    return [(at, min(at + size, sweep.count)) for at in range(0, sweep.count, size)]


def _count(ranges: Sequence[tuple[int, int]]) -> int:
    return sum(stop - start for start, stop in ranges)


def advance(bar: Bar, finished: int) -> None:
    """Count further finished scenarios."""
    done = bar.done + finished
    bar.show(done, f"{done:.0f} of {inflect(int(bar.total), 'scenario')}, {bar.speed:,.3g} a second")


def _on_this_machine(
    sweep: Sweep, workers: int | None, ranges: Sequence[tuple[int, int]], store: Store | None,
    parts: list[Part], bar: Bar,
) -> bool:  # fmt: skip
    if store is None:
        pool = Pool(sweep.task, ranges, parts.append, workers=workers, on_progress=partial(advance, bar))
        with terminable(ends=False):
            complete = pool.run()
        parts += pool.unfinished()
        return complete
    tried = CrashRecord(store.path / TEMPORARY)
    with terminable(ends=True):
        try:
            dead_parts = run_suspects(sweep.task, tried, ranges, workers)
        except KeyboardInterrupt:
            return False
        pool = Pool(
            sweep.task,
            ranges,
            store.take,
            workers=workers,
            on_progress=partial(advance, bar),
            finished_parts=dead_parts,
        )
        with tried.watching(pool.workers) as slots:
            complete = pool.run(slots)
    if complete:
        tried.forget()
    return complete


def _on_cluster(
    sweep: Sweep,
    cluster: object,
    ranges: Sequence[tuple[int, int]],
    store: Store | None,
    parts: list[Part],
    bar: Bar,
) -> bool:
    from .execute.cluster import run_on

    dead: list[int] = []

    def arrived(part: Part) -> None:
        dead.extend((part.start + np.flatnonzero(part.outcome == DIED)).tolist())
        if store is None:
            parts.append(part)
        advance(bar, len(part.outcome))

    try:
        run_on(cluster, sweep.task, ranges, None if store is None else store.path, arrived)
        complete = True
    except KeyboardInterrupt:
        complete = False
    name_dead(sorted(dead))
    return complete


def _open(sweep: Sweep, store: str | PathLike[str], resume: bool) -> Store:
    task = sweep.task
    layout = Layout(
        sweep.count, sweep.declaration.chunk, tuple(sweep.measures.names), tuple(sweep.measures.units),
        task.shapes, task.times, sweep.design.coordinates,
    )  # fmt: skip
    return Store.open(Path(store), identity(sweep), layout, resume=resume)


def facts(sweep: Sweep) -> dict[str, Any]:
    """Origin of the numbers of a result."""
    task = sweep.task
    location = sweep.diagram.location
    provenance: dict[str, Any] = {
        "diagram": sweep.diagram.name,
        "seed": sweep.design.seed,
        "simulate": {**sweep.diagram.simulation, **sweep.simulation},
        "versions": versions(),
    }
    with suppress(NotWritable):  # a robot or an array made in Python
        provenance["declaration"] = sweep.declared()
    if location is not None and location.file:
        gallery = {str(file): name for name, file in gallery_files().items()}
        provenance["file"] = gallery.get(str(location.file), str(location.file))
        provenance["changed"] = _changed_settings(sweep)
    if task.times is not None:
        provenance["times"] = task.times
        provenance["units"] = task.units
    if notices := [*_in_python(task.base.program), *memory_notices(task.base.program)]:
        provenance["notices"] = notices
    return provenance


def _in_python(program: Program) -> Iterator[str]:
    for path, reason in program.callbacks.reasons.items():
        yield f"{path} runs in Python, and so do the scenarios, one after the other: {reason}"


def _changed_settings(sweep: Sweep) -> dict[str, Any] | None:
    """Number, seed and stop if the file declares others; None if more than these differ."""
    declared, here = (
        plain((part or Section({})).data)
        for part in (sweep.diagram.sections.get("sweep"), sweep.declaration.section)
    )
    keys = [key for key in {**declared, **here} if key not in ("keep", "chunk")]
    changed = {key: here.get(key) for key in keys if repr(here.get(key)) != repr(declared.get(key))}
    changed |= sweep.simulation
    return None if changed.keys() - {"number", "seed", "stop"} else changed


def _keep_worst(sweep: Sweep, ensemble: Ensemble, store: Store | None) -> None:
    """The whole results of the worst scenarios, in the ensemble, and in the store's folder `worst`."""
    keep = sweep.keep
    if keep is None or not keep.worst:
        return
    settings: Mapping[str, Any] = {} if keep.every is None else {"every": keep.every}
    if keep.signals is not None:
        settings = {**settings, "log": list(keep.signals)}
    for k in (int(row[0]) for row in ensemble.worst(keep.by, keep.worst).rows):
        result = sweep.simulate(k, **settings)
        ensemble.trajectories[k] = result
        if store is not None:
            folder = store.path / "worst"
            folder.mkdir(exist_ok=True)
            result.save(folder / f"scenario-{k}.nc")


def identity(sweep: Sweep) -> dict[str, Any]:
    """Diagram, scenarios, measures, kept signals, the arguments of the runs, and the versions."""
    keep = sweep.keep
    return {
        "diagram": {"name": sweep.diagram.name, "sha256": digest(sweep.diagram, sweep.task.base.program)},
        "scenarios": sweep.design.described(),
        "common random numbers": sweep.declaration.common_random_numbers,
        "measures": sweep.measures.described(),
        "keep": keep.described() if keep is not None else None,
        "simulate": {name: value for name, value in sweep.simulation.items() if name != "max_time"},
        "versions": versions(),
    }


def digest(diagram: Diagram, program: Program) -> str:
    """SHA-256 of a diagram: of its YAML without the sweep, and the files it names, or of code and numbers."""
    try:
        text = dumps(diagram, sweep=False).encode()
    except BlockdynError:
        memory = program.memory()
        checksum = sha256(b"" if len(program.callbacks) else program.text.text.encode())
        for block in program.flat.blocks:
            checksum.update(f"{block.path} {block.block.kind()}".encode())
        for array in (memory.p, memory.x, memory.z, memory.w):
            checksum.update(array.tobytes())
        return checksum.hexdigest()
    checksum = sha256(text)
    for file in named_files(program):
        with suppress(OSError):  # it has already been read: that content is gone
            checksum.update(file.read_bytes())
    return checksum.hexdigest()


def named_files(program: Program) -> Iterator[Path]:
    """The files that blocks have read: tables, robots, vehicles."""
    for placed in program.flat.blocks:
        for name, kind in kinds(type(placed.block)).items():
            if not (kind.file or kind.robot or kind.vehicle):
                continue
            value = getattr(placed.block, name)
            named = [value[key] for key in FILES if key in value] if isinstance(value, Mapping) else [value]
            for path in named:
                if isinstance(path, str) and (kind.file or Path(path).suffix.lower() in SUFFIXES):
                    yield Path(path)
