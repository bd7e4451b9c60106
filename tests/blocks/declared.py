"""A block class written to a file, of parts that tests replace."""

from __future__ import annotations

import runpy
import textwrap
from pathlib import Path
from typing import Any

GOOD = {
    "inputs": 'inputs = (bd.Port("u", 1, "m"),)',
    "outputs": 'outputs = (bd.Port("y", 1),)',
    "states": 'states = (bd.State("x", "x0"), bd.State("on", "on0", held=True))',
    "crossings": 'crossings = (bd.Crossing("floor", -1),)',
    "x0": "x0: bd.Real = bd.parameter(default=1.0, dimensions=(0,))",
    "on0": "on0: bd.Real = bd.parameter(default=0.0)",
    "label": 'label: str = bd.option(default="a", choices=("a", "b"))',
    "derivative": "@staticmethod\ndef derivative(u, x):\n    return -x + u",
    "crossing": "@staticmethod\ndef crossing(x):\n    return x - 0.5",
    "jump": "@staticmethod\ndef jump(x, on, crossed_floor):\n    return x, on + crossed_floor",
    "output": "@staticmethod\ndef output(x):\n    return x",
}
SAMPLED = GOOD | {
    "inputs": 'inputs = (bd.Port("u"),)\nsampled = True\nelementwise = True',
    "states": 'states = (bd.State("x", "x0"),)',
    "crossings": "sample_time: bd.Real = bd.parameter(default=0.1, above=0)",
    "crossing": "offset: bd.Real = bd.parameter(default=0.0)",
    "derivative": "",
    "jump": 'held_initial = "x0"',
    "update": "@staticmethod\ndef update(u):\n    return u",
}


def written(folder: Path, parts: dict[str, str]) -> Path:
    body = "\n".join(part for part in parts.values() if part)
    file = folder / "own.py"
    file.write_text("import blockdyn as bd\n\n\nclass Own(bd.Block):\n" + textwrap.indent(body, "    "))
    return file


def define(file: Path) -> Any:
    return runpy.run_path(str(file))["Own"]
