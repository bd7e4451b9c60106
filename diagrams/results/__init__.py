"""Results of a run: in memory, on disk, drawn."""

from .errors import (
    ResultError as ResultError,
    ResultFileError as ResultFileError,
    UnknownSignal as UnknownSignal,
)
from .files import check_target as check_target, load_result as load_result, save as save
from .provenance import EventRecord as EventRecord, Provenance as Provenance, ScopeFigure as ScopeFigure
from .result import Resample as Resample, Result as Result
from .trace import Kind as Kind, Trace as Trace
