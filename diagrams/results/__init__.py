"""Results of a run: in memory, on disk, drawn."""

from .errors import ResultError, ResultFileError, UnknownSignal
from .files import check_target, load_result, save
from .provenance import EventRecord, Provenance, ScopeFigure
from .result import Resample, Result
from .trace import Kind, Trace

__all__ = [
    "EventRecord",
    "Kind",
    "Provenance",
    "Resample",
    "Result",
    "ResultError",
    "ResultFileError",
    "ScopeFigure",
    "Trace",
    "UnknownSignal",
    "check_target",
    "load_result",
    "save",
]
