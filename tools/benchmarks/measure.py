"""Interleaved timing: ours, peer, ours, peer, so that a disturbance of the machine hits both."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from statistics import median
from time import perf_counter, process_time

from .contract import Candidate, NotInstalled, RatioCase, Row, Settings, worst_error

SAMPLE = 0.1  # s: a fast engine is run in a loop that lasts at least this long
SAMPLE_QUICK = 0.02
LONG = 2.0  # s: an engine slower than this is timed in at most LONG_RUNS rounds
LONG_RUNS = 3
INNER_MOST = 2000


@dataclass
class Sample:
    """Seconds per run, one entry a round, by the wall clock and by the processor (all threads)."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def take(self, run: Callable[[], object], inner: int) -> None:
        cpu, wall = process_time(), perf_counter()
        for _ in range(inner):
            run()
        self.wall.append((perf_counter() - wall) / inner)
        self.cpu.append((process_time() - cpu) / inner)


def once(run: Callable[[], object]) -> float:
    """Wall time of one run, s."""
    start = perf_counter()
    run()
    return perf_counter() - start


def warm_up(run: Callable[[], object]) -> float:
    """Run until compiled and cached; the time of a warm run, s."""
    first = once(run)
    if first > LONG:
        return first
    return min(once(run), once(run))


def inner_count(seconds: float, sample: float) -> int:
    return max(1, min(INNER_MOST, math.ceil(sample / max(seconds, 1e-9))))


def build(factory: Callable[[], Candidate], name: str) -> Candidate | str:
    """The candidate, or the reason why there is none."""
    try:
        return factory()
    except ImportError as missing:
        return f"skipped: {name} is not installed ({missing})"
    except NotInstalled as missing:
        return f"skipped: {missing}"
    except Exception as failure:  # a peer may fail in any way; the table must still come out
        return f"failed to build: {type(failure).__name__}: {failure}"


def measure_case(name: str, case: RatioCase, settings: Settings) -> list[Row]:
    """All engines of one case against ours."""
    with redirect_stdout(StringIO()):  # peers print
        return list(_rows(name, case, settings))


def _rows(name: str, case: RatioCase, settings: Settings) -> list[Row]:
    ours = build(case.ENGINES["ours"], "blockdyn")
    all_ours = Sample()
    rows: list[Row] = []
    for engine, factory in case.ENGINES.items():
        if engine == "ours":
            continue
        required = case.REQUIRED.get(engine)
        text = "" if required is None else f">= {required:g}"
        if settings.quick and engine in case.SLOW:
            rows.append(Row(name, engine, required=text, note="skipped: slow, not run with --quick"))
            continue
        peer = build(factory, engine)
        if isinstance(peer, str):
            rows.append(Row(name, engine, required=text, note=peer))
            continue
        try:
            rows.append(_against(name, engine, case, ours, peer, all_ours, settings))
        except Exception as failure:  # as in build
            note = f"failed to run: {type(failure).__name__}: {failure}"
            rows.append(Row(name, engine, required=text, note=note))
    return [_our_row(name, case, ours, all_ours, settings), *rows]


def _against(
    name: str,
    engine: str,
    case: RatioCase,
    ours: Candidate | str,
    peer: Candidate,
    all_ours: Sample,
    settings: Settings,
) -> Row:
    """Interleaved rounds of one peer against ours; the ratio is the median of the rounds' ratios."""
    sample = SAMPLE_QUICK if settings.quick else SAMPLE
    seconds = warm_up(peer.run)
    runs = min(settings.runs, LONG_RUNS) if seconds > LONG else settings.runs
    inner = inner_count(seconds, sample)
    present = isinstance(ours, Candidate)
    our_inner = inner_count(warm_up(ours.run), sample) if isinstance(ours, Candidate) else 0
    mine, theirs = Sample(), Sample()
    gc.collect()
    gc.freeze()  # the other engines' objects are not this engine's garbage to look through
    for _ in range(runs):
        if isinstance(ours, Candidate):
            mine.take(ours.run, our_inner)
        theirs.take(peer.run, inner)
    gc.unfreeze()
    all_ours.wall += mine.wall
    all_ours.cpu += mine.cpu
    ratio = _median_ratio(theirs.wall, mine.wall) if present else None
    cpu_ratio = _median_ratio(theirs.cpu, mine.cpu) if present else None
    required = case.REQUIRED.get(engine)
    reference = case.REFERENCE if peer.reference is None else peer.reference
    return Row(
        name,
        engine,
        wall=1e3 * median(theirs.wall),
        cpu=1e3 * median(theirs.cpu),
        ratio=ratio,
        cpu_ratio=cpu_ratio,
        required="" if required is None else f">= {required:g}",
        met=None if required is None or ratio is None else ratio >= required,
        error=worst_error(peer.final(), reference),
        note=peer.note,
        runs=runs,
    )


def _median_ratio(theirs: list[float], mine: list[float]) -> float:
    return median(t / m for t, m in zip(theirs, mine, strict=True) if m > 0)


def _our_row(name: str, case: RatioCase, ours: Candidate | str, taken: Sample, settings: Settings) -> Row:
    if isinstance(ours, str):
        return Row(name, "ours", note=ours)
    if not taken.wall:  # no peer at all: ours alone
        try:
            inner = inner_count(warm_up(ours.run), SAMPLE)
            for _ in range(settings.runs):
                taken.take(ours.run, inner)
        except Exception as failure:  # the table must still come out
            return Row(name, "ours", note=f"failed to run: {type(failure).__name__}: {failure}")
    reference = case.REFERENCE if ours.reference is None else ours.reference
    error = worst_error(ours.final(), reference)
    limit: float | None = getattr(case, "WORST_ERROR", None)
    return Row(
        name,
        "ours",
        wall=1e3 * median(taken.wall),
        cpu=1e3 * median(taken.cpu),
        required="" if limit is None else f"error < {limit:g}",
        met=None if limit is None else error < limit,
        error=error,
        note=ours.note,
        runs=len(taken.wall),
    )
