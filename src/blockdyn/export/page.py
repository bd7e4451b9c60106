"""Export a page that simulates: one HTML file that runs the diagram again whenever a slider moves."""

from __future__ import annotations

import base64
import html
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from ..base.checked import checked
from ..base.files import replacing
from ..base.words import nearest
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.settings import Arguments, takes_settings
from ..diagrams.results.errors import ResultFileError, bad_argument
from ..diagrams.runs.outcome import has_one_value
from ..pages.document import document, script
from ..pages.finished.page import RunPage, check_page, draw_on_page
from ..pages.finished.scopes import doubles
from ..pages.live.controls import Control, controls
from ..pages.live.description import shown
from ..pages.live.run import LiveRun
from ..solvers import layout
from .errors import ExportError
from .run import STACK, Export, Slider
from .wasm import data_end

OTHER_CODE = 20  # after the statuses of solvers.layout, as in front/src/simulated/engine.ts
LINE = 64  # bytes, to which the image is aligned
ENDS = {
    layout.DONE: "complete", layout.STOPPED: "a Stop block ended the run",
    layout.NONFINITE: "a value is not finite", layout.COLLAPSED: "no step is short enough",
    layout.CROWDED_EVENTS: "events follow each other without end",
    layout.UNSETTLED: "the modes of the blocks contradict one another",
    layout.KERNEL_FAILED: "a block failed", layout.TOO_MANY: "the run takes too many steps",
    layout.CHATTERING: "a block switches to and fro without end",
    OTHER_CODE: "a number needs another page: the code that computes with it takes another branch",
}  # fmt: skip


@takes_settings
@checked(bad_argument)
def export_page(
    diagram: Diagram, file: str | PathLike[str], *, sliders: Sequence[str] | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    **arguments: Unpack[Arguments],
) -> RunPage:  # fmt: skip
    """Write the diagram as one HTML file that simulates, in any browser, without a network.

    The file contains the run as WebAssembly: blocks, solver and event location. Moving a slider computes
    the whole run again.

    file     the file, .html
    sliders  paths of the numbers that have sliders, in this order; default: the parameters of the diagram,
             its inputs, and the numbers of its blocks that are used unchanged. If other numbers are
             computed from one by more than arithmetic, its slider has 101 positions.
    parameters, set   other values, see `compile`

    The other arguments are those of `Diagram.simulate`. `auto` has its implicit part
    only if this run is stiff somewhere. Raises ExportError for what cannot leave Python, ResultFileError for
    the file, and the errors of `compile`.
    """
    check_page(file)
    text = _page(Export(diagram, parameters or {}, set or {}, arguments), sliders)
    with replacing(file, ResultFileError) as target:
        target.write(text.encode("utf-8"))
    return RunPage(Path(file))


def _page(export: Export, sliders: Sequence[str] | None) -> str:
    export.check()
    live = LiveRun(export.program, **export.arguments)
    dials, fixed = _sliders(export, controls(live), sliders)
    title = export.program.flat.name or "a diagram"
    main = (
        f"<h1>{html.escape(title)}</h1>",
        '<noscript><p class="warn">The run needs JavaScript.</p></noscript>',
        '<div id="run"></div>',
        f'<p class="quiet">Fixed in this page: {html.escape(", ".join(fixed))}.</p>' if fixed else "",
        draw_on_page(export.diagram.draw),
        '<div id="keys"></div>',
    )
    scripts = [script("simulated"), "blockdynSimulated.show();"]
    return document(title, "\n".join(main), scripts, data=_data(export, live, dials), wasm=True)


def _sliders(
    export: Export, offered: Sequence[Control], paths: Sequence[str] | None
) -> tuple[list[Slider], list[str]]:
    """The sliders for numbers of the diagram, and the paths of its parameters that are fixed; or the sliders
    of `paths`.
    """
    by_path = {control.path: control for control in offered}
    name = export.program.flat.name
    sliders: list[Slider] = []
    fixed: list[str] = []
    expected = "a parameter of the diagram, an input, or a number of a block that a run reads"
    for path in by_path if paths is None else paths:
        if path not in by_path:
            raise ExportError(
                name, [(path, f"no number that a slider can set{nearest(path, by_path)}")], expected
            )
        parameter = by_path[path].kind == "parameter"
        slider = export.slider(by_path[path], table=parameter or paths is not None)
        if slider is not None:
            sliders.append(slider)
        elif parameter or paths is not None:
            fixed.append(path)
    if not export.agree(sliders):
        candidates, sliders = sliders, []
        for slider in candidates:
            if export.agree([*sliders, slider]):
                sliders.append(slider)
            else:
                fixed.append(slider.control.path)
    if paths is not None and fixed:
        reason = "it decides more than numbers, or numbers that another slider decides too"
        raise ExportError(name, [(path, reason) for path in fixed], expected)
    return sliders, fixed


def _data(export: Export, live: LiveRun, sliders: Sequence[Slider]) -> dict[str, Any]:
    """The data of the page's script: `SimulatedData` in front/src/simulated/data.ts."""
    lines, plan, settings = shown(live), export.prepared.program.plan, export.prepared.settings
    units = plan.units
    return {
        "start": settings.start, "stop": settings.stop, "image": _image(export),
        "series": [
            {"name": line["name"], "unit": line["unit"], "held": line["held"], "column": int(column)}
            for line, column in zip(lines.series, lines.columns, strict=True)
        ],
        "scopes": [
            {key: scope[key] for key in ("title", "form", "series", "labels")} for scope in lines.scopes
        ],
        "sliders": [
            {**asdict(each.control), "kind": "parameter", "words": each.words, "table": _table(each)}
            for each in sliders
        ],
        "timers": [units[owner].path for owner in plan.timer_owner],
        "crossings": [
            (units[unit].path, name, has_one_value(units[unit])) for unit, name in plan.crossing_owner
        ],
        "ends": [ENDS.get(status, "") for status in range(max(ENDS) + 1)],
    }  # fmt: skip


def _table(slider: Slider) -> dict[str, Any] | None:
    """The table of a slider: `Table` in front/src/simulated/data.ts."""
    if slider.table is None:
        return None
    return {"count": len(slider.table), "values": doubles(slider.table.ravel().view(np.float64))}


def _image(export: Export) -> dict[str, Any]:
    """The run as WebAssembly: `ImageData` in front/src/simulated/data.ts."""
    image, run, code = export.image, export.run, export.code
    guard = -(-data_end(code) // LINE) * LINE
    stack = guard + LINE + STACK
    return {
        "code": base64.b64encode(zlib.compress(code, 9)).decode("ascii"), "guard": guard, "stack": stack,
        "words": doubles(image.words.view(np.float64)), "addresses": image.addresses.tolist(),
        "work": image.work, "bytes": image.bytes, "log": asdict(image.log), "events": asdict(image.events),
        "budget": image.word(run, "budget"), "rows": image.word(run, "rows"),
        "eventRows": image.word(run, "event_rows"), "time": image.word(run, "t"),
        "trouble": image.word(run, "t_bad"),
    }  # fmt: skip
