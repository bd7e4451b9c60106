"""ToFile: signals that a result writes into a file of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from ..contract.block import Block
from ..contract.capabilities import Form
from ..contract.errors import ParameterError
from ..contract.parameter import option
from ..contract.port import Port, numbered_ports

SUFFIXES = (".csv", ".npz", ".parquet", ".nc")
_PLAIN = re.compile(r"\w[\w .+-]{0,119}")
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class ToFile(Block):
    """Keeps its inputs in the result for a file of their own: a table of the time t and all elements.

    A run writes nothing by itself. You choose the folder when you run the diagram:
    `blockdyn run --files FOLDER`, or `result.write_files(folder)` in Python; existing files are overwritten
    only on request. `file` is a plain name without folders. FromFile can read .csv, .npz and .parquet: a row
    for each instant at which one of the signals was sampled, with the values after an event. A .nc file is a
    result with these signals alone. Raises ParameterError for another name.

    Example:
        {type: ToFile, file: speeds.csv, count: 2}
    """

    icon = "file"
    outputs: ClassVar = ()
    logs: ClassVar[bool] = True
    figure_form: ClassVar[Form] = "file"

    file: str = option(doc="name of the file, .csv, .npz, .parquet or .nc")
    count: int = option(default=1, doc="number of inputs")

    def check(self) -> None:
        plain = _PLAIN.fullmatch(self.file) and not _DEVICES.fullmatch(self.file)
        if not plain or not self.file.lower().endswith(SUFFIXES):
            suffixes = ", ".join(SUFFIXES)
            expected = f"a plain name that ends in {suffixes}; the folder is given to the run, --files FOLDER"
            raise ParameterError("ToFile", "file", self.file, expected)
        if not 1 <= self.count <= 100:
            raise ParameterError("ToFile", "count", self.count, "a whole number from 1 to 100")

    @property
    def title(self) -> str:
        """The file's name."""
        return self.file

    @property
    def units(self) -> tuple[str, ...]:
        """None."""
        return ()

    def figure(self) -> ToFile:
        return self

    def element_labels(self, counts: Sequence[int]) -> list[tuple[str, ...]]:
        """None."""
        return [() for _ in counts]

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(self.count)
