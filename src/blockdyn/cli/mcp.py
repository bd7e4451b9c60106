"""`blockdyn mcp` serves diagrams to agents by the Model Context Protocol, on standard input and output.

A tool takes a diagram as text, as a name of the gallery, or as a file in the working folder. Nothing in a
diagram is executed, and nothing is written without `--write FOLDER`.
Source: Model Context Protocol, specification of 2025-06-18, sections Lifecycle and Server features / Tools.
"""

from __future__ import annotations

import functools
import tempfile
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..base.errors import BlockdynError, FileError
from ..base.files import replacing
from ..base.text_table import in_lines
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.diagram_error import DiagramError
from .console import for_json, show

if TYPE_CHECKING:
    from mcp.server import MCPServer

LONGEST_RUN = 20.0  # s of wall-clock time
MOST = 40  # rows of a table, samples of a signal, names in a list
GUIDE = Path(__file__).with_name("guide.md")
Answer = dict[str, Any]


def mcp(arguments: Namespace) -> int:
    """Serve until standard input ends, or print the guide. Raises BlockdynError without the package mcp."""
    if arguments.skill:
        show(GUIDE.read_text("utf-8").rstrip("\n"))
        return 0
    make_server(Path.cwd(), None if arguments.write is None else Path(arguments.write)).run()
    return 0


def make_server(folder: Path, target: Path | None) -> MCPServer:
    """The server of a folder; with `target`, its diagrams may be written there. Raises BlockdynError."""
    try:
        from mcp.server import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError:
        install = 'pip install "blockdyn[mcp]"'
        raise BlockdynError(f"this needs the package mcp, 2.0 or newer\n{install}") from None
    from .. import __version__

    if target is not None and not target.is_dir():
        raise FileError("write to", target, "it is not a folder", "make it first")
    server = MCPServer(
        "blockdyn", version=__version__, instructions=GUIDE.read_text("utf-8"), log_level="ERROR"
    )
    tools = Tools(folder.resolve(), None if target is None else target.resolve())
    for tool in (
        tools.find_blocks, tools.explain_block, tools.find_robots, tools.gallery, tools.guide, tools.check,
        tools.fix, tools.draw, tools.run, tools.measure, tools.sweep, tools.linearize, tools.margins,
    ):  # fmt: skip
        server.tool(annotations=ToolAnnotations(read_only_hint=True))(_answering(tool))
    if target is not None:
        server.tool(annotations=ToolAnnotations(read_only_hint=False))(_answering(tools.write))
    return server


def _answering(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with errors of blockdyn as its answer: type, message, file, line, path, port."""

    @functools.wraps(tool)
    def answer(*values: Any, **named: Any) -> Any:
        try:
            value = tool(*values, **named)
        except BlockdynError as error:
            value = {"errors": [describe_error(each) for each in error.errors]}
        return for_json(value)

    return answer


def describe_error(error: BlockdynError) -> Answer:
    """The facts of an error that are not empty."""
    facts = {"type": type(error).__name__, "message": str(error)}
    places = {name: getattr(error, name, None) for name in ("file", "line", "column", "path", "port", "time")}
    return facts | {name: value for name, value in places.items() if value not in (None, "")}


class Tools:
    """The tools. `diagram` is YAML text, the name of a gallery diagram, or a file in the folder."""

    def __init__(self, folder: Path, target: Path | None) -> None:
        self.folder, self.target = folder, target

    # ---- what there is ----

    def find_blocks(self, words: str = "") -> Answer:
        """Block types for words such as "limit" or "Saturation" of Simulink; without words all types."""
        from .blocks import list_types, search

        types = list_types()
        if not words:
            return {"types": [name for name, _ in types]}
        hits = search(words, types)[:MOST]
        return {"types": [{"type": hit.type, "title": hit.title} for hit in hits]}

    def explain_block(self, name: str) -> Answer:
        """Equations, ports, parameters with units and defaults, and an example of a block type."""
        from .blocks import explain

        return {"text": in_lines(explain(name))}

    def find_robots(self, words: str = "") -> Answer:
        """Robots, multirotors and vehicles on wheels of the library that fit a word."""
        from ..robots.library.catalogue import catalogue
        from ..robots.library.vehicles import vehicle_catalogue, wheeled_catalogue

        kinds = {"arms": catalogue(), "multirotors": vehicle_catalogue(), "on wheels": wheeled_catalogue()}
        return {
            kind: [name for name in files if all(word in name for word in words.lower().split())]
            for kind, files in kinds.items()
        }

    def gallery(self, name: str = "") -> Answer:
        """The names of ready-made diagrams, or the YAML text of one, to begin with."""
        from ..diagrams.yaml.finding import find, gallery_files

        files = gallery_files()
        return {"names": list(files)} if not name else {"text": find(name).read_text(encoding="utf-8")}

    def guide(self) -> Answer:
        """The format of a diagram: the format in two pages."""
        return {"text": GUIDE.read_text(encoding="utf-8")}

    # ---- the text of a diagram ----

    def check(self, diagram: str) -> Answer:
        """Errors with line, column and fixes; of a valid diagram its blocks, signals and events."""
        from ..diagrams.compiler.report import make_report

        try:
            report = make_report(self._load(diagram).compile())
        except DiagramError as error:
            fixes = [str(fix) for fix in self._fixed(diagram).fixes]
            return {"errors": [describe_error(each) for each in error.errors], "fixes": fixes}
        return {
            "errors": [],
            "notices": list(report.notices),
            "blocks": {block.path: block.type for block in report.blocks[:MOST]},
            "signals": {
                s.path: f"{'x'.join(map(str, s.shape)) or 'scalar'} {s.unit}".strip()
                for s in report.signals[:MOST]
            },
            "events": [f"{event.path}: {event.what}" for event in report.events[:MOST]],
        }

    def fix(self, diagram: str) -> Answer:
        """The text with corrected mistakes (names, ports, wires, YAML), and the remaining errors."""
        fixed = self._fixed(diagram)
        return {
            "fixes": [str(fix) for fix in fixed.fixes],
            "text": fixed.text,
            "errors": [describe_error(error) for error in fixed.errors],
        }

    def draw(self, diagram: str, format: Literal["svg", "png"] = "png") -> Any:
        """The block diagram as a picture."""
        draw = self._load(diagram).draw
        if format == "png":
            return _picture(draw)
        with tempfile.TemporaryDirectory() as folder:
            draw(file := Path(folder) / "diagram.svg")
            return {"svg": file.read_text(encoding="utf-8")}

    def write(self, file: str, diagram: str, overwrite: bool = False) -> Answer:
        """Write the text of a valid diagram to a YAML file in the folder that the server may write to."""
        assert self.target is not None
        path = self._inside(file, self.target)
        if path.suffix not in (".yaml", ".yml"):
            raise FileError("write", file, "it is not a YAML file", "end its name in .yaml")
        if path.exists() and not overwrite:
            raise FileError("write", file, "it exists already", "choose another name, or set overwrite")
        self._load(diagram).compile()
        with replacing(path) as stream:
            stream.write(self._text(diagram).encode("utf-8"))
        return {"written": str(path.relative_to(self.target))}

    # ---- computing ----

    def run(
        self,
        diagram: str,
        stop: float | None = None,
        set: dict[str, Any] | None = None,
        log: list[str] | None = None,
        samples: int = 0,
        plot: bool = False,
    ) -> Any:
        """Run a diagram: final values, units, events, notices.

        `set` changes parameters, {"kp": 2, "arm.q0": 0.1}. `samples` is a number of evenly spaced samples of
        each signal to return, `plot` whether to return a picture of the signals.
        """
        from .summary import facts

        settings: Answer = _changes(stop, set) | ({"log": log} if log else {})
        result = self._load(diagram).simulate(max_time=LONGEST_RUN, **settings)
        report = facts(result, [])
        answer: Answer = {name: report[name] for name in ("complete", "message", "final", "units", "notices")}
        answer["events"] = [
            f"{event.time:.9g} s: {event.path} {event.detail or event.kind}" for event in result.events[:MOST]
        ]
        if samples > 1:
            times = np.linspace(result.time[0], result.time[-1], min(samples, MOST))
            answer["time"] = times.tolist()
            answer["samples"] = {path: trace.at(times).tolist() for path, trace in result.signals.items()}
        return [answer, _picture(lambda file: result.plot(file=file))] if plot else answer

    def measure(
        self,
        diagram: str,
        measures: dict[str, Any],
        stop: float | None = None,
        set: dict[str, Any] | None = None,
    ) -> Answer:
        """Figures of a run, {"over": {"overshoot": "plant"}, "rise": {"rise_time": "plant"}}."""
        figures = self._load(diagram).measure(measures, max_time=LONGEST_RUN, **_changes(stop, set))
        return {"measures": figures}

    def sweep(
        self, diagram: str, axes: dict[str, Any], measures: dict[str, Any], number: int | None = None
    ) -> Answer:
        """Runs over values of parameters, {"kp": {"linspace": [1, 5, 9]}}, with measures in a table."""
        from ..sweeps.sweep import Sweep

        declared = Sweep(self._load(diagram), axes, measures, max_time=LONGEST_RUN, number=number)
        ensemble = declared.run(progress=False)
        table = ensemble.to_frame()
        return {
            "scenarios": len(table),
            "table": table.head(MOST).to_dict("list"),
            "summary": str(ensemble.summary()),
        }

    def linearize(
        self, diagram: str, inputs: list[str] | None = None, outputs: list[str] | None = None
    ) -> Answer:
        """The linear model at the start of the run: A, B, C, D, poles, stability."""
        from .linear import plain_model

        return plain_model(self._load(diagram).linearize(inputs, outputs))

    def margins(self, diagram: str, loop: str) -> Answer:
        """Gain margin, phase margin and crossover frequencies of the loop that is opened at a signal."""
        return {"margins": str(self._load(diagram).loop(loop).margins())}

    # ---- places ----

    def _inside(self, file: str, folder: Path) -> Path:
        try:
            path = (folder / file).resolve()
        except (OSError, ValueError) as error:  # a ring of links, a NUL in the name
            raise FileError("use", file, str(error), f"name a file in {folder}") from None
        if not path.is_relative_to(folder):
            raise FileError(
                "use", file, "it lies outside the folder of the server", f"name a file in {folder}"
            )
        return path

    def _file(self, diagram: str) -> Path | None:
        """The file of a diagram that is given by name; None for a text."""
        from ..diagrams.yaml.finding import gallery_files

        if "\n" in diagram:
            return None
        return gallery_files().get(diagram) or self._inside(diagram, self.folder)

    def _load(self, diagram: str) -> Diagram:
        from ..diagrams.yaml import load

        return load(self._file(diagram) or diagram)

    def _text(self, diagram: str) -> str:
        file = self._file(diagram)
        return diagram if file is None else file.read_text(encoding="utf-8")

    def _fixed(self, diagram: str) -> Any:
        from ..diagrams.yaml import fix

        return fix(self._file(diagram) or diagram)


def _changes(stop: float | None, values: Mapping[str, Any] | None) -> Answer:
    """The arguments of a run: paths with a dot are values of blocks, names are parameters of the diagram."""
    values = values or {}
    arguments: Answer = {} if stop is None else {"stop": stop}
    blocks = {path: value for path, value in values.items() if "." in path}
    return arguments | {"set": blocks, "parameters": {k: v for k, v in values.items() if k not in blocks}}


def _picture(draw: Callable[[Path], Any]) -> Any:
    """The drawing of a function as a picture of the protocol."""
    from mcp.server.mcpserver import Image

    with tempfile.TemporaryDirectory() as folder:
        draw(file := Path(folder) / "picture.png")
        return Image(data=file.read_bytes(), format="png")
