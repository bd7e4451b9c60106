"""Staged: blocks that show what they do only within a diagram: a small one of their own, drawn and run."""

from __future__ import annotations

import tempfile
from pathlib import Path

import blockdyn as bd
from blockdyn.cli.responses import Response, draw
from blockdyn.diagrams.results.table import list_displays
from blockdyn.diagrams.yaml import loads

from .prose import figure

STAGES = Path(__file__).parent / "stages"
NOTHING = {"Terminator": "There is no picture of what it does: it does nothing."}


def part(name: str, out: Path) -> str:
    """What stands on the page of a block that has a stage, or why there is nothing; empty for others."""
    file = STAGES / f"{name}.yaml"
    if not file.exists():
        return NOTHING.get(name, "")
    text = file.read_text(encoding="utf-8")
    diagram = loads(text)
    result, said = run(diagram)
    parts = ["## In a diagram", figure(diagram.draw(open=True)), f"```yaml\n{text.rstrip()}\n```"]
    parts += [f"```text\n{said}\n```"] if said else []
    if picture := _picture(diagram, result, out / f"{name}.svg"):
        parts.append(f"![{picture}]({name}.svg)\n\n{picture}")
    return "\n\n".join(parts)


def run(diagram: bd.Diagram) -> tuple[bd.Result, str]:
    """The run, and what it says: its error, what ended it, a Display's value, a file that it writes."""
    try:
        result = diagram.simulate()
    except bd.RunError as error:
        return error.partial, str(error).replace("<text>", f"{diagram.name}.yaml")
    if result.provenance.stopped_by:
        return result, result.provenance.message
    lines = [f"{title}: {value} {unit}" for title, value, unit in list_displays(result)]
    with tempfile.TemporaryDirectory() as folder:
        for file in result.write_files(folder):
            lines += [file.name, "", *file.read_text(encoding="utf-8").splitlines()]
    return result, "\n".join(lines)


def _picture(diagram: bd.Diagram, result: bd.Result, file: Path) -> str:
    """Draw the scopes of the diagram, or else its signals, those of sources dashed; what is to be seen."""
    if any(scope.form in ("time", "xy") for scope in result.scopes):
        result.plot(file=file)
        return "What `result.plot()` draws of it."
    traces = {path.removesuffix(".y"): trace for path, trace in result.signals.items()}
    sources = {name for name, block in diagram.blocks.items() if not block.input_ports()}
    driven = {name: trace for name, trace in traces.items() if name in sources}
    answer = Response(driven, {name: trace for name, trace in traces.items() if name not in driven})
    picture, caption = draw(answer)
    if picture:
        file.write_text(picture, encoding="utf-8")
    return f"Response: {caption}"
