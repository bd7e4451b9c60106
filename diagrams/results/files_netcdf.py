"""Results as NetCDF 4: one variable a trace, one time dimension for each set of sampling instants."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any, BinaryIO

import numpy as np

from .merge import axis_groups
from .record import read as read_record
from .record import written
from .result import Result
from .trace import FloatArray, Trace

_RECORD = "blockdyn_result"
_LONGEST_NAME = 200


def write(result: Result, file: BinaryIO) -> None:
    """Write the result. The image is made in memory, so that a full disk is met by one plain write."""
    import xarray as xr

    variables: dict[Hashable, Any] = {}
    prefixes = [""] * len(result.signals) + ["state "] * len(result.states)
    traces = [*result.signals.values(), *result.states.values()]
    groups = axis_groups([trace.time for trace in traces])
    axes = {f"time_{group}" if group else "time": trace.time for group, trace in zip(groups, traces)}
    for name, time in axes.items():
        variables[name] = ((name,), time, {"units": "s", "long_name": "time", "axis": "T"})
    names = _variable_names((f"{p}{t.path}" for p, t in zip(prefixes, traces)), taken=axes)
    for name, trace, group in zip(names, traces, groups):
        dims = (f"time_{group}" if group else "time", *(f"element_{n}" for n in _apart(trace.shape)))
        variables[name] = (dims, trace.values, _attributes(trace))
    provenance = result.provenance
    dataset = xr.Dataset(
        variables,
        attrs={
            "title": provenance.diagram,
            "source": " ".join(f"{name} {version}" for name, version in provenance.versions.items()),
            "complete": str(provenance.complete),
            "message": provenance.message,
            "variables": names,
            _RECORD: written(result),
        },
    )
    encoding: dict[Hashable, dict[str, Any]] = {
        name: {"_FillValue": None, "fletcher32": variable[1].size > 0} for name, variable in variables.items()
    }
    file.write(dataset.to_netcdf(engine="h5netcdf", encoding=encoding))


def read(file: BinaryIO) -> Result:
    """Read what `write` wrote: a NetCDF 4 file is an HDF5 file, its dimensions HDF5's dimension scales."""
    import h5py

    with h5py.File(file, "r") as opened:
        group: Any = opened  # what an item is, group or variable, is known to the file alone
        if _RECORD not in group.attrs:
            raise ValueError(f"it has no attribute {_RECORD}")
        record = read_record(group.attrs[_RECORD])
        times: dict[str, FloatArray] = {}
        traces = []
        for heading, name in zip(
            record.headings, np.atleast_1d(group.attrs.get("variables", [])), strict=True
        ):
            variable = group[name]
            scale = variable.dims[0][0]
            time = times.setdefault(scale.name, scale[()])
            traces.append(heading.trace(time, variable[()]))
        return record.result(traces)


def _attributes(trace: Trace) -> dict[str, Any]:
    attributes: dict[str, Any] = {"path": trace.path, "units": trace.unit, "kind": trace.kind}
    if trace.labels:
        attributes["labels"] = list(trace.labels)
    return attributes


def _apart(shape: tuple[int, ...]) -> list[str]:
    """A name for each dimension: its length, told apart from earlier dimensions of the same length."""
    return [f"{n}" + "b" * shape[:k].count(n) for k, n in enumerate(shape)]


def _variable_names(paths: Iterable[str], *, taken: Iterable[str]) -> list[str]:
    """NetCDF names for paths: `plant/arm.q` becomes `plant.arm.q`; the attribute `path` keeps the path."""
    names: list[str] = []
    used = set(taken)
    for path in paths:
        stem = re.sub(r"[^\w.+@-]", "_", path.replace("/", "."), flags=re.ASCII)[:_LONGEST_NAME]
        stem = stem if stem[:1].isalnum() else f"v{stem}"
        name, number = stem, 1
        while name in used:
            number += 1
            name = f"{stem}_{number}"
        used.add(name)
        names.append(name)
    return names
