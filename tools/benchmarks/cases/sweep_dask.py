"""A chunk on a Dask cluster of one process against the same chunk here, on one thread each."""

from __future__ import annotations

from statistics import median

from ..contract import Row, Settings
from ..rounds import interleaved, ratio
from .sweep_van_der_pol import FINAL, sweep

TITLE = "a chunk over Dask"
CASE = "sweep_dask"
CHUNKS, CHUNK = 3, 8000  # a chunk takes a second or more
LIMIT = 1.05  # most time on the cluster / time here


def rows(settings: Settings) -> list[Row]:
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError as missing:
        return [Row(CASE, "dask", required=f"<= {LIMIT:g}", note=f"skipped: {missing}")]

    chunk = CHUNK // 10 if settings.quick else CHUNK
    total = sweep(FINAL, CHUNKS * chunk, chunk)
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        times = interleaved(
            {
                "here": lambda: total.run(workers=1, progress=False),
                "dask": lambda: total.run(cluster=client, progress=False),
            },
            settings.runs,
        )
    here, there = times["here"], times["dask"]
    quotient = ratio(there, here)
    note = f"{CHUNKS} chunks of {chunk}; ratio: Dask / here"
    return [
        Row(CASE, "ours: a chunk here", wall=1e3 * median(here.wall) / CHUNKS, runs=settings.runs),
        Row(
            CASE, "ours: a chunk over Dask", wall=1e3 * median(there.wall) / CHUNKS, ratio=quotient,
            required=f"<= {LIMIT:g}", met=quotient <= LIMIT, note=note, runs=settings.runs,
        ),
    ]  # fmt: skip
