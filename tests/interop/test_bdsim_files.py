""".bd files of bdedit: read without running what they say, run, and written as YAML."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn
from blockdyn.interop.bdsim.files import UnreadableValue, value_of

from .programs import FOLDER

EXECUTED = "__import__('os').remove('x')"


def block(number: int, kind: str, title: str, inputs: int, outputs: int, **parameters: Any) -> dict[str, Any]:
    """A block as bdedit writes it; its sockets are 100 n + k in, 100 n + 50 + k out."""
    return {
        "id": number, "block_type": kind, "title": title, "pos_x": 10.0 * number, "pos_y": -5.0,
        "inputs": [{"id": 100 * number + k, "index": k} for k in range(inputs)],
        "outputs": [{"id": 100 * number + 50 + k, "index": k} for k in range(outputs)],
        "parameters": [*map(list, parameters.items()), ["blockargs", None]],
    }  # fmt: skip


def wires(*ends: tuple[int, int]) -> list[dict[str, int]]:
    return [{"start_socket": start, "end_socket": end} for start, end in ends]


def written(folder: Path, blocks: list[dict[str, Any]], wired: list[dict[str, int]]) -> str:
    path = folder / "loop.bd"
    path.write_text(json.dumps({"blocks": blocks, "wires": wired}))
    return str(path)


@pytest.fixture
def loop(tmp_path: Path, sim: Any) -> str:
    """x' = a (r - x) where |r - x| < 3, through a connector, with the law as a lambda."""
    law = block(3, "FUNCTION", "law", 1, 1, func="=lambda e: a * min(e, 3)", args=[])
    return written(tmp_path, [
        block(1, "CONSTANT", "reference", 0, 1, value="=4 - 2"),
        block(2, "SUM", "e rror", 2, 1, signs="+-", mode=None),
        law,
        block(4, "INTEGRATOR", "x", 1, 1, x0="=np.sqrt(4) - 2", min=None, max=None),
        block(5, "CONNECTOR", "", 1, 1),
        block(6, "SCOPE", "scope", 1, 0, styles=None, no_such_argument=1),
        block(7, "MAIN", "main", 0, 0, **{"file name": "loop.py"}),
    ], wires((150, 200), (250, 300), (350, 400), (450, 500), (550, 201), (450, 600)))  # fmt: skip


def test_a_file_runs_and_is_written_with_its_places(loop: str) -> None:
    from blockdyn.interop.bdsim import load_bd

    diagram = load_bd(loop, {"a": 3.0})
    out = diagram.simulate(1.0, watch=["x"])
    assert abs(out.y[-1, 0] - 2.0 * (1.0 - math.exp(-3.0))) < 1e-6
    yaml = blockdyn.dumps(diagram.diagram(1.0))
    again = blockdyn.load(yaml)
    assert again.positions["e_rror"] == [20.0, -5.0]
    assert abs(again.simulate(stop=1.0).final("x") - out.y[-1, 0]) < 1e-12


def test_an_error_names_block_and_field(loop: str, tmp_path: Path, sim: Any) -> None:
    from blockdyn.interop.bdsim import load_bd
    from blockdyn.interop.bdsim.session import BadDiagramFile

    with pytest.raises(BadDiagramFile, match=r"loop.bd, block `law`, func: .*no value for `a`"):
        load_bd(loop)
    cases: list[tuple[dict[str, Any], str]] = [
        (block(1, "GAIN", "K", 0, 1, K=f"={EXECUTED}"), r"block `K`, K: .* is not read"),
        (block(1, "GAIM", "K", 0, 1), "no block GAIM, did you mean `GAIN`"),
        (block(1, "STEP", "s", 0, 1, on=1, when=2), "block `s`: bdsim refuses STEP"),
        (block(1, "GAIN", "K", 1, 1, K=2), "block `K`, input 0: nothing is wired"),
        (block(1, "FUNCTION", "f", 0, 1, func="=lambda u: [u]"), "a lambda beyond formulas of numbers"),
    ]
    for wrong, message in cases:
        with pytest.raises(BadDiagramFile, match=message):
            load_bd(written(tmp_path, [wrong], []))
    for text in ("", "[]", '{"blocks": [1], "wires": []}', "[" * 100_000):
        (tmp_path / "bad.bd").write_text(text)
        with pytest.raises(BadDiagramFile, match="expected: a"):
            load_bd(tmp_path / "bad.bd")


@pytest.mark.parametrize(
    ("text", "value"),
    [("[1, -2.5]", [1, -2.5]), ("2 * pi", 2 * math.pi), ("np.array([1, 0]) * k", [3.0, 0.0]),
     ("math.pi*0.45", 0.45 * math.pi), ("np.r_[1, 2]", [1, 2]), ("np.c_[1, 2].T", [[1], [2]]),
     ("robot.qz", [0.0, 0.0]), ('list("XYZ")', ["X", "Y", "Z"]), ("(0, 0.5, np.inf)", (0, 0.5, math.inf))],
)  # fmt: skip
def test_values_are_read(text: str, value: Any) -> None:
    class Robot:
        qz = np.zeros(2)

    np.testing.assert_equal(np.asarray(value_of(text, {"k": 3.0, "robot": Robot()})), np.asarray(value))


@pytest.mark.parametrize(
    "text",
    [EXECUTED, "(1).__class__", "k.__class__", "().__class__.__bases__", "[x for x in (1, 2)]", "open('x')",
     "9**9**9", "zeros((10**4, 10**4))", "eye(9999)", "ones((9999, 1)) * ones((1, 9999))",
     "'a' * 10**9", "[0] * 10**9", "np.ones(10**9)", "lambda: 1 if True else open('x')", "f'{k}'",
     "exec('1')", "k()", "1 if k else 2", "(" * 5000, "1/0", "k.real.x"],
)  # fmt: skip
def test_what_would_be_run_is_refused(text: str) -> None:
    with pytest.raises(UnreadableValue):
        value_of(text, {"k": 3.0})


# What is said of each file of RVC3: it runs, or the place and the reason why not.
SAID = {
    "SEA": "LQR gain`, K: '=LQR': there is no value for `LQR`",
    "lanechange": "",
    "RRMC": "block `Jacobian`: bdsim refuses JACOBIAN(robot='p560'",
    "computed-torque": "block `forward dynamics`, robot: '=robot': there is no value for `robot`",
    "driveline": "block `distance from line`: bdsim refuses FUNCTION",
    "driveconfig": "func: '=lambda v, w: math.atan(w*L/v)': there is no value for `L`",
    "opspace": "block `w*`, value: '=Fstar': there is no value for `Fstar`",
    "quadrotor": "block `Multirotor dynamics`, model: '=quadrotor': there is no value for `quadrotor`",
    "cartspace": "robot is not defined",
    "vloop": "",
}


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"needs bdsim's diagrams in {FOLDER}")
def test_files_that_others_drew(sim: Any) -> None:
    pytest.importorskip("roboticstoolbox", reason="needs roboticstoolbox: pip install roboticstoolbox-python")
    from blockdyn.interop.bdsim import load_bd
    from blockdyn.interop.bdsim.session import BadDiagramFile

    for name, message in SAID.items():
        path = FOLDER / "RVC3" / f"{name}.bd"
        if message:
            with pytest.raises(BadDiagramFile) as caught:
                load_bd(path)
            assert message in str(caught.value)
        else:
            load_bd(path).diagram(1.0).compile()
    values = {"obstacle_pos": 0.8, "m1": 0.5, "m2": 1, "Ks": 5, "force_lim": 2}
    gain = np.array([[169.9563, 62.9010, -19.9563, 71.1092]]).T
    out = load_bd(FOLDER / "RVC3" / "SEA.bd", values | {"LQR": gain}).simulate(
        5.0, watch=["x1", "x2"], solver_args={"rtol": 1e-10, "atol": 1e-12}
    )
    states = json.loads((Path(__file__).parent / "bdsim_states.json").read_text())["RVC3/SEA.py"]["x"]
    np.testing.assert_allclose(out.y[-1], [states[1], states[3]], atol=1e-7)


@pytest.mark.parametrize(
    "part",
    [{"block_type": "CONSTANT"}, {"block_type": "CONSTANT", "id": 1, "parameters": 5},
     {"block_type": "CONSTANT", "id": 1, "outputs": [{"id": []}]}, {"block_type": "CONNECTOR", "id": 1},
     {"block_type": "CONSTANT", "id": 1, "pos_x": "x"}],
)  # fmt: skip
def test_a_block_that_bdedit_would_not_write(part: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("bdsim", reason='needs bdsim: pip install "blockdyn[bdsim]"')
    from blockdyn.interop.bdsim import load_bd
    from blockdyn.interop.bdsim.session import BadDiagramFile

    path = tmp_path / "odd.bd"
    path.write_text(json.dumps({"blocks": [{"title": "odd", **part}], "wires": []}))
    with pytest.raises(BadDiagramFile, match=r"odd\.bd, block `odd`: not as bdedit writes it"):
        load_bd(path)
    path.write_text(json.dumps({"blocks": [block(1, "TIME", "clock", 0, 1)], "wires": [{}]}))
    with pytest.raises(BadDiagramFile, match="a wire with start_socket and end_socket"):
        load_bd(path)


@pytest.mark.parametrize(
    ("blocks", "wired", "message"),
    [([], [], r"loop\.bd: it draws no blocks"),
     ([block(1, "MAIN", "main", 0, 0)], [], r"loop\.bd: it draws no blocks"),
     ([], [(999, 998)], r"loop\.bd: a wire begins at 999\nexpected: the number of an output"),
     ([block(3, "NULL", "end", 1, 0)], [(300, 200)], r"a wire begins at 300"),
     ([], [(150, 998)], r"block `one`, output 0: a wire of it ends at 998"),
     ([block(3, "CONSTANT", "two", 0, 1, value="=2")], [(350, 200)],
      r"block `x`, input 0: wires of `one` and of `two` end there"),
     ([block(1, "TIME", "clock", 0, 0)], [], r"block `clock`: its id 1 is also the id of `one`"),
     ([{**block(3, "TIME", "clock", 0, 0), "outputs": [{"id": 150, "index": 0}]}], [],
      r"block `clock`, output 0: its id 150 occurs twice"),
     ([block(3, "GAIN", "K", 2, 1, K="=2")], [(150, 300), (150, 301)],
      r"block `K`, input 1: the block has 1 input\nexpected: an index below 1"),
     ([block(3, "TIME", "clock", 0, 2)], [], r"block `clock`, output 1: the block has 1 output"),
     ([{**block(3, "NULL", "end", 0, 0), "inputs": [{"id": 300, "index": -1}]}], [(150, 300)],
      r"block `end`, input -1"),
     ([block(3, "NULL", "end", 1, 0), block(4, "CONNECTOR", "", 1, 1), block(5, "CONNECTOR", "", 1, 1)],
      [(450, 500), (550, 400), (450, 300)], r"block `end`, input 0: connectors are wired in a cycle")],
)  # fmt: skip
def test_what_is_drawn_must_hang_together(
    blocks: list[dict[str, Any]], wired: list[tuple[int, int]], message: str, tmp_path: Path, sim: Any
) -> None:
    from blockdyn.interop.bdsim import load_bd
    from blockdyn.interop.bdsim.session import BadDiagramFile

    loop = [block(1, "CONSTANT", "one", 0, 1, value="=1"), block(2, "INTEGRATOR", "x", 1, 1, x0="=0")]
    empty = "draws no blocks" in message
    drawn = written(
        tmp_path, [*(() if empty else loop), *blocks], wires(*(() if empty else [(150, 200)]), *wired)
    )
    with pytest.raises(BadDiagramFile, match=message):
        load_bd(drawn)
