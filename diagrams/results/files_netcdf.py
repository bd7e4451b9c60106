"""Results as NetCDF 4: one variable per trace, one time dimension for each set of sampling instants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np

from .record import read as read_record, write_record
from .result import Result
from .trace import FloatArray, Trace, axis_groups

_RECORD = "blockdyn_result"
_LONGEST_NAME = 200
_BARE = "This is a netCDF dimension but not a netCDF variable."  # netCDF recognizes one by this text


def write(result: Result, file: BinaryIO) -> None:
    """Write the result. The file is built in memory, so that a full disk fails in a single write."""
    import h5py

    prefixes = [""] * len(result.signals) + ["state "] * len(result.states)
    traces = [*result.signals.values(), *result.states.values()]
    groups = axis_groups([trace.time for trace in traces])
    axes = {f"time_{group}" if group else "time": trace.time for group, trace in zip(groups, traces)}
    names = _variable_names((f"{p}{t.path}" for p, t in zip(prefixes, traces)), taken=axes)
    sizes = {name: time.size for name, time in axes.items()}
    dims = []
    for trace, group in zip(traces, groups):
        elements = dict(zip((f"element_{n}" for n in _name_dimensions(trace.shape)), trace.shape))
        sizes |= elements
        dims.append((f"time_{group}" if group else "time", *elements))
    numbers = {name: number for number, name in enumerate(sizes)}
    image = BytesIO()
    with h5py.File(image, "w", track_order=True) as opened:
        for name in [name for name in sizes if name not in axes]:
            _bare_dimension(opened, name, sizes[name], numbers[name])
        for name, time in axes.items():
            attributes = {"units": "s", "long_name": "time", "axis": "T"}
            _variable(opened, name, time, [numbers[name]], attributes).make_scale(name)
        for name, trace, over in zip(names, traces, dims):
            ids = [numbers[dim] for dim in over]
            variable = _variable(opened, name, trace.values, ids, _attributes(trace))
            for place, dim in enumerate(over):
                variable.dims[place].attach_scale(opened[dim])
        opened.attrs.update(_describe_file(result), variables=names)
        opened.attrs[_RECORD] = write_record(result)
        library = f"version=2,h5py={h5py.__version__},hdf5={h5py.version.hdf5_version}"
        opened.attrs["_NCProperties"] = np.bytes_(library)
    file.write(image.getbuffer())


def read(file: BinaryIO) -> Result:
    """Read a file that `write` wrote: NetCDF 4 is HDF5, with dimensions as HDF5's dimension scales."""
    import h5py

    with h5py.File(file, "r") as opened:
        group: Any = opened  # only the file determines if an item is a group or a variable
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


def _describe_file(result: Result) -> dict[str, str]:
    """Attributes that describe the file to other programs and readers."""
    provenance = result.provenance
    return {
        "title": provenance.diagram,
        "source": " ".join(f"{name} {version}" for name, version in provenance.versions.items()),
        "complete": str(provenance.complete),
        "message": provenance.message,
    }


def _variable(
    opened: Any, name: str, values: FloatArray, dims: Sequence[int], attributes: Mapping[str, Any]
) -> Any:
    """A variable over the dimensions of these numbers; a dimension of length 0 is unlimited."""
    variable = opened.create_dataset(
        name,
        data=values,
        maxshape=tuple(size or None for size in values.shape) if not values.size else None,
        fletcher32=values.size > 0,
        track_order=True,
    )
    variable.attrs["_Netcdf4Coordinates"] = np.array(dims, dtype=np.int32)
    variable.attrs["_Netcdf4Dimid"] = np.int32(dims[0])
    for key, value in attributes.items():
        variable.attrs[key] = value
    return variable


def _bare_dimension(opened: Any, name: str, size: int, number: int) -> None:
    """A dimension without a variable of its own: a scale that holds no numbers."""
    scale = opened.create_dataset(name, shape=(size,), dtype=">f4", track_order=True)
    scale.attrs["_Netcdf4Dimid"] = np.int32(number)
    scale.make_scale(f"{_BARE}{size:10}".encode())


def _attributes(trace: Trace) -> dict[str, Any]:
    attributes: dict[str, Any] = {"path": trace.path, "units": trace.unit, "kind": trace.kind}
    if trace.labels:
        attributes["labels"] = list(trace.labels)
    return attributes


def _name_dimensions(shape: tuple[int, ...]) -> list[str]:
    """A name for each dimension: its length, marked if an earlier dimension has the same length."""
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
