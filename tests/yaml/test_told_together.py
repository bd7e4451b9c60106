"""Errors of the text itself, of `simulate` and of blocks are told together; nothing follows from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.yaml import load, loads

Told = set[tuple[str, int | None, int | None]]


def told(text: str) -> Told:
    """Type, line and column of every error of a text."""
    with pytest.raises(DiagramError) as caught:
        loads(text)
    errors = caught.value.errors
    return {(type(error).__name__, error.line, error.column) for error in errors}


FILES: dict[str, tuple[str, Told]] = {
    "keys that stand twice": (
        "blockdyn: 1\n"
        "parameters: {a: 1, a: 2}\n"
        "blocks:\n"
        "  g: {type: Gain, k: =a, k: 3}\n"
        "  h: {type: Gian}\n"
        "  g: {type: CoulombFriction}\n"
        "wires: [g.force -> h, nowhere -> g.velocity]\n"
        "blocks:\n"
        "  z: {type: Nothing}\n",
        {
            ("YamlError", 2, 20), ("YamlError", 4, 26), ("YamlError", 5, 13), ("YamlError", 6, 3),
            ("YamlError", 8, 1),
        },
    ),
    "values that are no YAML": (
        "blockdyn: 1\n"
        "parameters: {c: 1e999, d: 2}\n"
        "blocks:\n"
        "  12: {type: Gain}\n"
        '  s: {type: Sum, signs: !!str "+-"}\n'
        "  g: {type: Gain, k: *nobody}\n"
        "  i: {type: Integrator, initial: [0, x]}\n"
        "wires: [i -> g]\n",
        {
            ("YamlError", 2, 17), ("YamlError", 4, 3), ("YamlSyntaxError", 5, 25), ("YamlSyntaxError", 6, 22),
            ("BadParameter", 7, 38),
        },
    ),
    "stars from and to blocks that have errors, or are not there": (
        "blockdyn: 1\n"
        "blocks:\n"
        "  eight: {type: FigureEight, length: -3}\n"
        "  control: {type: CascadeControl, vehicle: hummingbird}\n"
        "  camera: {type: CascadeControl, vehicle: hummingbirt}\n"
        "wires: [eight.* -> control.*_ref, control.* -> camera.*,\n"
        "  plant.* -> control.*, control.* -> mixer.*]\n",
        {("BadParameter", 3, 38), ("BadParameter", 5, 43), ("UnknownBlock", 7, 3), ("UnknownBlock", 7, 25)},
    ),
    "signals and inputs that are not there, and settings": (
        "blockdyn: 1\n"
        "blocks: {u: {type: Inport}, i: {type: Integrator}}\n"
        "wires: [u -> i]\n"
        "log: [nix, i]\n"
        "simulate: {foo: 1, rtol: -1, inputs: {v: 1.0, u: 2.0}}\n",
        {("UnknownBlock", 4, 7), ("YamlError", 5, 12), ("YamlError", 5, 26), ("YamlError", 5, 39)},
    ),
    "an error of syntax, and what stands before it": (
        "blockdyn: 1\n"
        "parameters: {k: =nix}\n"
        "blocks:\n"
        "  g: {type: Gain, k: [1, true]}\n"
        "  h: {type: Gian}\n"
        "  i: {type: Gain, k: 2\n"
        "  j: {type: Gain}\n"
        "wires: [g -> j -> l]\n",
        {("UnknownName", 2, 17), ("YamlError", 4, 26), ("YamlError", 5, 13), ("YamlSyntaxError", 7, 4)},
    ),
    "an error of syntax in the wires": (
        "blockdyn: 1\n"
        "blocks: {g: {type: Gain}, h: {type: Gain, k: 1, k: 2}}\n"
        "wires:\n"
        "  - g -> h\n"
        "  - {from: h\n"
        "simulate: {stop: 1}\n",
        {("YamlError", 2, 49), ("YamlSyntaxError", 6, 9)},
    ),
    "settings of the run": (
        "blockdyn: 1\n"
        "blocks: {g: {type: Clock}}\n"
        "simulate: {stop: -1, start: 0, method: rq4, times: [1, 0], rtol: x, sed: 3}\n",
        {
            ("YamlError", 3, 18), ("YamlError", 3, 40), ("YamlError", 3, 56), ("YamlError", 3, 66),
            ("YamlError", 3, 69),
        },
    ),
    "axes of a sweep": (
        "blockdyn: 1\n"
        "blocks: {g: {type: Gain}}\n"
        "sweep:\n"
        "  numbr: 3\n"
        "  axes:\n"
        "    g.k: {linspac: [0, 1, 3]}\n"
        "    b: {normal: {mean: 0, sigma: 1}, paths: [g.k]}\n"
        "    c: {unifrm: {}}\n",
        {
            ("YamlError", 4, 3), ("YamlError", 6, 11), ("YamlError", 7, 27), ("YamlError", 8, 9),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "errors"), FILES.values(), ids=FILES)
def test_all_errors_of_a_text(text: str, errors: Told) -> None:
    assert told(text) == errors


def test_of_two_equal_sections_nothing_is_told_but_that() -> None:
    """Names of the second one would be unknown if it were left out."""
    text = (
        "blockdyn: 1\nblocks: {a: {type: Clock}}\nparameters: {k: 1}\nsignals: {s: a}\n"
        "parameters: {l: 1}\nsignals: {t: a}\nblocks: {b: {type: Gain, k: =l}}\nwires: [t -> b]\n"
    )
    assert told(text) == {("YamlError", 5, 1), ("YamlError", 6, 1), ("YamlError", 7, 1)}


def test_errors_of_two_files_are_told_together_also_where_one_is_no_yaml(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text("blockdyn: 1\nblocks:\n  g: {type: Gian}\n  h: {type: Gain\n")
    (tmp_path / "outer.yaml").write_text(
        "blockdyn: 1\nblocks:\n  a: {type: Subsystem, file: inner.yaml}\n  b: {type: Gain, q: 1, q: 2}\n"
        "wires: [a -> b]\n"
    )
    with pytest.raises(DiagramError) as caught:
        load(tmp_path / "outer.yaml")
    places = [(type(e).__name__, Path(e.file or "").name, e.line) for e in caught.value.errors]
    assert sorted(places) == [
        ("UnknownParameter", "outer.yaml", 4),
        ("YamlError", "inner.yaml", 3),
        ("YamlError", "outer.yaml", 4),
        ("YamlSyntaxError", "inner.yaml", 5),
    ]


@pytest.mark.parametrize("number", range(40))
def test_a_text_cut_anywhere_tells_the_cut_alone(number: int) -> None:
    """What stands before an error of syntax is right, and what would come after it is not missed."""
    text = (
        "blockdyn: 1\nparameters: {k: 2, h: =k/2}\nblocks:\n  one: {type: Constant, value: [1, 2]}\n"
        "  law: {type: Gain, k: =k}\n  in:\n    type: Subsystem\n    diagram:\n      blocks:\n"
        "        u: {type: Inport}\n        y: {type: Outport}\n      wires: [u -> y]\n"
        "  end: {type: Scope, labels: [a]}\nsignals: {s: law}\nwires:\n  - one -> law\n  - s -> in -> end\n"
        "simulate: {stop: 2}\n"
    )
    cut = (number + 1) * len(text) // 41
    kinds = {kind for kind, _, _ in told(text[:cut] + "\n ]}\n")}
    assert kinds <= {"YamlSyntaxError", "YamlError"}, (text[:cut], kinds)
