"""Absent: what users look for in a result, its traces and events under other names, and where that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.guided import unknown

if TYPE_CHECKING:
    from .result import Result

RESULT = {
    "t times": "`time`",
    "yout tout xout simout logsout sout": '`result["block"].values` over `result["block"].time`',
    "t_events y_events": "`events`, such as `result.events[0].time`",
    "sol evaluate": '`trace("block").at(times)`, or `to_dataset(dt=0.01)` of all',
    "head tail iloc loc index shape rolling": '`to_pandas("block")`, or `to_pandas()` of all signals',
    "find signal watch": '`result["block"]`, of what `diagram.log(...)` names',
    "x y": '`result["block"]` for a signal, `states` for all states',
    "get value values data u": '`result["block"]`, over time, `result["block"].values`, `final("block")`',
    "keys names columns items": "`signals` and `states`, by path",
    "final_value last": '`final("block")`',
    "initial first": '`result["block"].values[0]`',
    "at interp interpolate sample": '`trace("block").at(times)`, or `to_dataset(dt=0.01)` of all',
    "max min mean": '`result["block"].max()`, and so on',
    "overshoot settling_time rise_time step_info stepinfo rms measure measures metrics iae itae": """\
of a run anew, `diagram.measure({"over": {"overshoot": "motor"}, "rise": {"rise_time": "motor"}}, stop=1)`""",
    "df to_dataframe to_frame to_numpy to_dict": """\
`to_pandas()`, one table of all signals, `to_pandas(dt=0.01)`, or `result["block"].values`""",
    "to_csv to_excel to_parquet to_netcdf to_json write export": '`save("run.csv")`, or .parquet or .nc',
    "to_mat savemat matlab to_matlab": """\
`scipy.io.savemat("run.mat", {"t": result["block"].time.values, "y": result["block"].values})`""",
    "savefig show figure scope": '`plot(file="run.png")`, which returns the figure',
    "compare overlay": '`plot("block", compare={"kp = 2": other})`',
    "xy phase": '`plot_xy("a", "b")`',
    "html report": '`page("run.html")`',
    "summary describe info print": "`print(result)`",
    "success status message warnings": "`complete` and `notices`",
    "stats steps nfev wall_time duration": "`statistics`, such as `statistics['steps']`",
    "parameters diagram": "`provenance`",
    "log": "`diagram.log(...)` before the run, or `simulate(log=[...])`",
    "live run rerun simulate": "`diagram.simulate(stop=10)`, or `diagram.live(stop=10)`",
}
"""Of a result."""
CALLS = {
    "*": """\
`result["a"].values - result["b"].values`, of two signals; or a Sum in the diagram; two runs in one picture: \
`plot("block", compare={"kp = 2": other})`""",
    "()": '`trace("block").at(times)`, or `final("block")`',
    "final()": "such as final('motor')",
    "save()": "such as save('run.nc'), or .parquet or .csv",
    "to_pandas()": "such as to_pandas() of all signals, to_pandas('motor'), to_pandas(dt=0.1)",
    "to_dataset()": "such as to_dataset(), or to_dataset(dt=0.1)",
    "animate()": "such as animate('run.gif'), or .mp4 or .html",
}
"""Of calls of its methods that do not fit."""
TRACE = {
    "t x_axis": "`time`",
    "x y value data v": "`values`",
    "max min mean std": "`values.max()`, and so on",
    "plot": '`result.plot("block")`',
    "interp interpolate sample resample": "`at(times)`",
    "to_pandas to_frame df": '`result.to_pandas("block")`',
    "to_numpy": "`values`",
    "last": "`final`",
    "*": "`values`, an array",
    "()": "`at(times)`",
    "[]": "`values[0]` and `time[0]`, or `element(0)` for the trace of an element",
}
"""Of a trace."""
EVENT = {
    "t": "`time`",
    "name block source signal": "`path`",
    "value message": "`detail`",
    "type": "`kind`",
    "[]": "`time`, `path`, `kind`, `detail` and `direction`, without brackets",
}
"""Of an event."""
EVENTS = '`events[0]`, or `[event for event in result.events if event.path == "block"]`'
"""How events are found."""
_PLACES = {name: place for names, place in RESULT.items() for name in names.split()}


def absent(result: Result, name: str) -> AttributeError:
    """The error for an attribute that a result does not have."""
    return unknown(result, name, {} if name in result.__dataclass_fields__ else _PLACES, _signal)


def _signal(result: Result, name: str) -> str:
    """Where the name is a signal's, how that is found."""
    if name in result.__dataclass_fields__ or not any(
        name in (path, path.rpartition(".")[0]) for path in result.signals
    ):
        return ""
    return f"\na signal is found by its path: result[{name!r}]"
