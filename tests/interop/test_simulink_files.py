"""Simulink files are read within limits, and the models in them have the right responses."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.interop.simulink import BadSimulinkFile, UntranslatedModel, load_simulink

from .simulink_files import Inside, write_slx

LAG = """
<ModelInformation><Model><P Name="InitFcn">K = 4; T = [0.5 1];</P><System>
<Block BlockType="Step" Name="step" SID="1"><P Name="Time">0</P></Block>
<Block BlockType="Gain" Name="gain" SID="2"><P Name="Gain">K/2</P></Block>
<Block BlockType="TransferFcn" Name="lag" SID="3"><P Name="Denominator">[T(1) 1]</P></Block>
<Block BlockType="Outport" Name="y" SID="4"/>
<Line><P Name="Src">1#out:1</P><P Name="Dst">2#in:1</P></Line>
<Line><P Name="Src">2#out:1</P><P Name="Dst">3#in:1</P></Line>
<Line><P Name="Src">3#out:1</P><P Name="Dst">4#in:1</P></Line>
</System></Model></ModelInformation>
"""
TEXT = """
Model {
  Name "lag"
  InitFcn "K = 4; "
  "T = [0.5 1];"
  System {
    Block { BlockType Step  Name "step"  Time "0" }
    Block { BlockType Gain  Name "gain"  Gain "K/2" }
    Block { BlockType TransferFcn  Name "lag"  Denominator "[T(1) 1]" }
    Block { BlockType Outport  Name "y" }
    Line { SrcBlock "step" SrcPort 1 DstBlock "gain" DstPort 1 }
    Line { SrcBlock "gain" SrcPort 1 DstBlock "lag" DstPort 1 }
    Line { SrcBlock "lag" SrcPort 1 DstBlock "y" DstPort 1 }
  }
}
"""


def archive(path: Path, diagram: str, **parts: str) -> Path:
    """An .slx file with a block diagram and further parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("simulink/blockdiagram.xml", diagram)
        for name, text in parts.items():
            out.writestr(f"simulink/{name}.xml", text)
    return path


def package(diagram: str) -> str:
    """The newer form of an .mdl file: parts as text."""
    return (
        "# MathWorks OPC Text Package\n"
        "__MWOPC_PACKAGE_BEGIN__ R2023b\n"
        f"__MWOPC_PART_BEGIN__ /simulink/blockdiagram.xml\n{diagram}\n__MWOPC_PACKAGE_END__\n"
    )


def write(folder: Path, form: str) -> Path:
    """The same model in one of the three forms."""
    if form == "slx":
        return archive(folder / "lag.slx", LAG)
    path = folder / "lag.mdl"
    path.write_text(TEXT if form == "mdl" else package(LAG.strip()), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["slx", "mdl", "package"])
def test_the_three_forms_of_a_file_are_the_same_lag(tmp_path: Path, form: str) -> None:
    r = bd.load(write(tmp_path, form)).simulate(stop=2.0, rtol=1e-10)
    assert r.final("lag") == pytest.approx(2.0 * (1 - math.exp(-2.0 / 0.5)), abs=1e-8)


def test_values_of_the_user_come_before_callbacks(tmp_path: Path) -> None:
    path = write(tmp_path, "slx")
    script = tmp_path / "values.m"
    script.write_text("K = 10; % of the file\nT = [2, 1];\n", encoding="utf-8")
    r = load_simulink(path, values=script).simulate(stop=2.0, rtol=1e-10)
    assert r.final("lag") == pytest.approx(5.0 * (1 - math.exp(-1.0)), abs=1e-8)
    r = load_simulink(path, values={"K": 6.0}).simulate(stop=2.0, rtol=1e-10)
    assert r.final("lag") == pytest.approx(3.0 * (1 - math.exp(-4.0)), abs=1e-8)


def test_a_converted_model_is_the_model(tmp_path: Path) -> None:
    diagram = bd.load(write(tmp_path, "slx"))
    again = bd.load(bd.dumps(diagram))
    assert again.simulate(stop=1.0).digest == diagram.simulate(stop=1.0).digest


BLOCK = '<Block BlockType="{}" Name="{}" SID="{}"><P Name="Ports">[1, 1]</P></Block>'


def test_all_obstacles_are_listed_with_their_paths(tmp_path: Path) -> None:
    inner = (
        "<System>" + BLOCK.format("S-Function", "law", 11) + BLOCK.format("Gain", "fine", 12) + "</System>"
    )
    system = (
        BLOCK.format("DataStoreRead", "store", 1)
        + f'<Block BlockType="SubSystem" Name="plant" SID="2"><P Name="Ports">[0, 0]</P>{inner}</Block>'
        + '<Block BlockType="Gain" Name="scaled" SID="3"><P Name="Gain">unknown_gain</P></Block>'
        + '<Block BlockType="Gain" Name="whole" SID="4"><P Name="OutDataTypeStr">int16</P></Block>'
    )
    path = archive(
        tmp_path / "m.slx", f"<ModelInformation><Model><System>{system}</System></Model></ModelInformation>"
    )
    with pytest.raises(UntranslatedModel) as caught:
        load_simulink(path)
    assert {o.path for o in caught.value.obstacles} == {"store", "plant/law", "scaled", "whole"}
    assert "2 of 6 blocks translate" in str(caught.value)
    assert "unknown_gain" in str(caught.value)


def test_a_function_stands_for_a_block(tmp_path: Path) -> None:
    system = (
        '<Block BlockType="Clock" Name="t" SID="1"/>'
        + BLOCK.format("S-Function", "law", 2)
        + '<Line><P Name="Src">1#out:1</P><P Name="Dst">2#in:1</P></Line>'
    )
    path = archive(
        tmp_path / "m.slx", f"<ModelInformation><Model><System>{system}</System></Model></ModelInformation>"
    )

    def law(u: float) -> float:
        return 3.0 * u

    assert load_simulink(path, replace={"law": law}).simulate(stop=2.0).final("law") == 6.0


HEAD, TAIL = "<ModelInformation><Model><System>", "</System></Model></ModelInformation>"


def nested(levels: int) -> str:
    """A subsystem within a subsystem, many times."""
    start = '<Block BlockType="SubSystem" Name="s" SID="1"><System>' * levels
    return f"{HEAD}{start}{'</System></Block>' * levels}{TAIL}"


HOSTILE = {
    "entities": '<!DOCTYPE x [<!ENTITY a "aaaa">]><ModelInformation>&a;</ModelInformation>',
    "deep": nested(5000),
    "upward": '<ModelInformation><Model><System Ref="../../etc/passwd"/></Model></ModelInformation>',
    "missing": '<ModelInformation><Model><System Ref="system_9"/></Model></ModelInformation>',
    "broken": "<ModelInformation><Model>",
    "empty": "<ModelInformation/>",
    "many": "<ModelInformation><Model><System>"
    + "<Block/>" * 2_100_000
    + "</System></Model></ModelInformation>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadSimulinkFile):
        load_simulink(archive(tmp_path / "m.slx", HOSTILE[name]))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.slx", " " * 200_000_000)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(BadSimulinkFile, match="too large"):
        load_simulink(path)


@pytest.mark.parametrize(
    "text", ["", "Model {", "Model { } }", "\0\0\0", "{" * 500, "Model { " * 500, '"' * 99]
)
def test_text_that_is_not_a_model_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSimulinkFile):
        load_simulink(path)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    data = archive(tmp_path / "m.slx", LAG).read_bytes()
    (tmp_path / "m.slx").write_bytes(data[: len(data) // 2])
    with pytest.raises(BadSimulinkFile):
        load_simulink(tmp_path / "m.slx")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        out.writestr("readme.txt", "no model")
    (tmp_path / "m.slx").write_bytes(buffer.getvalue())
    with pytest.raises(BadSimulinkFile, match=r"blockdiagram\.xml"):
        load_simulink(tmp_path / "m.slx")


EACH = """
<ModelInformation><Model><System>
<Block BlockType="Constant" Name="c" SID="1"><P Name="Value">[1 2 3 4]</P></Block>
<Block BlockType="SubSystem" Name="S" SID="2"><P Name="Ports">[1, 1]</P><System>
<Block BlockType="ForEach" Name="For Each" SID="3">
<Array PropName="InputPartition" Type="Cell" Dimension="1*1"><Cell Class="char">on</Cell></Array>
<Array PropName="InputPartitionWidth" Type="Cell" Dimension="1*1"><Cell Class="char">2</Cell></Array></Block>
<Block BlockType="Inport" Name="u" SID="4"/><Block BlockType="Outport" Name="y" SID="5"/>
<Block BlockType="Sum" Name="s" SID="6"><P Name="Ports">[1, 1]</P><P Name="Inputs">+</P></Block>
<Line><P Name="Src">4#out:1</P><P Name="Dst">6#in:1</P></Line>
<Line><P Name="Src">6#out:1</P><P Name="Dst">5#in:1</P></Line></System></Block>
<Block BlockType="Outport" Name="y" SID="7"/>
<Line><P Name="Src">1#out:1</P><P Name="Dst">2#in:1</P></Line>
<Line><P Name="Src">2#out:1</P><P Name="Dst">7#in:1</P></Line></System></Model></ModelInformation>
"""


def test_cell_arrays_of_a_block_are_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "m.slx", EACH)
    assert load_simulink(path).simulate(stop=1.0).final("S.y").tolist() == [3.0, 7.0]


ROBOT = """
<ModelInformation><Model><P Name="InitFcn">mdl_puma560</P><System>
<Block BlockType="Constant" Name="torque" SID="1"><P Name="Value">[0 0 0 0 0 0]'</P></Block>
<Block BlockType="Reference" Name="arm" SID="2"><P Name="Ports">[1, 3]</P>
<P Name="SourceBlock">roblocks/Arm/Robot</P><InstanceData><P Name="robot">p560.nofriction</P>
<P Name="q0">[0 0 0 0 0 0]</P></InstanceData></Block>
<Line><P Name="Src">1#out:1</P><P Name="Dst">2#in:1</P></Line>
</System></Model></ModelInformation>
"""


def test_the_puma_collapses_as_its_gallery_copy(tmp_path: Path) -> None:
    """Zero torque with the Toolbox's own block gives the motion of the diagram made by hand."""
    mine = bd.load("zero-torque").simulate(stop=2.0, rtol=1e-9)
    theirs = load_simulink(archive(tmp_path / "m.slx", ROBOT)).simulate(stop=2.0, rtol=1e-9)
    name = next(n for n, b in bd.load("zero-torque").blocks.items() if b.kind() == "FDyn")
    assert np.allclose(theirs["arm.q"].values[-1], mine[f"{name}.q"].values[-1], atol=1e-7)


def test_accelerations_and_poses_of_a_robot_are_its_inverse_dynamics_and_kinematics(tmp_path: Path) -> None:
    """The S-function slaccel gives back the accelerations from which rne made the torque; fkine is FKine."""
    q, qd, qdd = "[0.1 -0.7 0.4 1 -0.5 0.3]", "[0.2 0.1 -0.3 0.5 1 -0.6]", "[1 -2 3 0.5 -1.5 2]"
    blocks = [
        ("Constant", name, {"Value": value})
        for name, value in (("q", q), ("qd", qd), ("qdd", qdd), ("place", f"transl(transl(p560.fkine({q})))"))
    ]
    blocks += [
        ("roblocks/Arm/RNE", "rne", {"robot": "p560"}),
        ("Mux", "all", {"Inputs": "3"}),
        ("S-Function", "law", {"FunctionName": "slaccel", "Parameters": "p560"}),
        ("roblocks/Arm/fkine", "tool", {"robot": "p560"}),
        ("roblocks/Toolbox/T2xyz", "xyz", {}),
        ("roblocks/Toolbox/T2xyz", "same", {}),
        ("ToWorkspace", "y", {"VariableName": "y"}),
    ]
    lines = ["q -> rne, all, tool", "qd -> rne.2, all.2", "qdd -> rne.3", "rne -> all.3", "all -> law"]
    lines += ["law -> y", "tool -> xyz", "place -> same"]
    lines += [f"{name}.{k} -> {name}{k}" for name in ("xyz", "same") for k in (1, 2, 3)]
    blocks += [("Terminator", f"{name}{k}", {}) for name in ("xyz", "same") for k in (1, 2, 3)]
    diagram = load_simulink(write_slx(tmp_path / "m.slx", blocks, lines))
    r = diagram.simulate(stop=1.0)
    np.testing.assert_allclose(r.final("y"), [1, -2, 3, 0.5, -1.5, 2], atol=1e-11)
    np.testing.assert_allclose(r.final("xyz.xyz"), r.final("same.xyz"), atol=1e-14)


def test_differences_that_remain_are_a_warning_with_the_path(tmp_path: Path) -> None:
    system = '<Block BlockType="Clock" Name="t" SID="1"/>' + BLOCK.format("Derivative", "rate", 2)
    system += '<Block BlockType="Assertion" Name="check" SID="3"/>'
    system += '<Line><P Name="Src">1#out:1</P><P Name="Dst">2#in:1</P></Line>'
    path = archive(
        tmp_path / "m.slx", f"<ModelInformation><Model><System>{system}</System></Model></ModelInformation>"
    )
    with pytest.warns(
        UserWarning, match=r"(?s)rate: its result depends.*check: a check does not end the run"
    ):
        diagram = load_simulink(path)
    assert diagram.simulate(stop=1.0).final("rate") == pytest.approx(1.0, abs=1e-6)


def test_functions_in_files_next_to_the_model_become_formulas(tmp_path: Path) -> None:
    """A pendulum with a limited torque, x'' = limited(-sin x); a file comes before a function of MATLAB."""
    (tmp_path / "pull.m").write_text(
        "function a = pull(u)\n% of gravity\na = limited(-sin(u(1)), hypot(1, 2));\n"
    )
    (tmp_path / "hypot.m").write_text(
        "function y = hypot(a, b)\n[y, z] = half(a);\ny = y * 0 + z;\nend\n"
        "function [y, z] = half(x)\ny = x/2;\nz = 0.25;\nend\n"
    )
    (tmp_path / "limited.m").write_text(
        "function y = limited(u, most)\nif u > most\n y = most;\nelseif u < -most\n y = -most;\n"
        "else\n y = u;\nend\nend\n"
    )
    (tmp_path / "long.m").write_text("function y = long(u)\ny = 1;\nwhile u > 0\n y = 2;\nend\n")
    blocks = [
        ("MATLABFcn", "pull", {"MATLABFcn": "pull(u)"}),
        ("Integrator", "v", {"InitialCondition": "0"}), ("Integrator", "x", {"InitialCondition": "1.5"}),
        ("Outport", "y"),
    ]  # fmt: skip
    file = write_slx(tmp_path / "m.slx", blocks, ["pull -> v", "v -> x", "x -> pull, y"], stop="2")
    r = load_simulink(file).simulate(rtol=1e-10, atol=1e-12, times=[0.0, 1.0, 2.0])
    assert r["x"].values == pytest.approx([1.5, 1.5 - 0.25 / 2, 1.5 - 0.25 * 2**2 / 2], abs=1e-9)
    blocks[0] = ("MATLABFcn", "pull", {"MATLABFcn": "long(u)"})
    write_slx(file, blocks, ["pull -> v", "v -> x", "x -> pull, y"])
    with pytest.raises(bd.BlockdynError, match=r"long\.m, line 3"):
        load_simulink(file)


def matlab(name: str) -> tuple[str, str, dict[str, str], Inside]:
    """A MATLAB Function block with one input u and one output y."""
    ports = [("Inport", "u"), ("Outport", "y"), ("S-Function", "f", {"FunctionName": "sf_sfun"})]
    return "SubSystem", name, {"SFBlockType": "MATLAB Function"}, Inside(ports)


def test_functions_of_libraries_and_referenced_subsystems_are_read(tmp_path: Path) -> None:
    """Three MATLAB functions of the time, one in each file, in the form of R2019a and later."""
    ends = [("Inport", "u"), ("Outport", "y")]
    through = ["u -> f", "f -> y"]
    write_slx(
        tmp_path / "shelf.slx", [matlab("f"), matlab("deviation")], [], root="Library",
        scripts={"f": "function y = f(u)\ny = 0;", "deviation": "function y = f(u)\ny = std([u 0 -u]);"},
    )  # fmt: skip
    write_slx(
        tmp_path / "part.slx", [*ends, matlab("f")], through, root="Subsystem",
        scripts={"f": "function y = f(u)\ny = u^2;"},
    )  # fmt: skip
    named = ("SubSystem", "S", {}, Inside([*ends, matlab("f")], through))
    part = ("SubSystem", "part", {"ReferencedSubsystem": "part", "Ports": "[1, 1]"})
    link = ("shelf/deviation", "link", {"Ports": "[1, 1]"})
    outs = [("Outport", f"y{k}", {"Port": str(k)}) for k in (1, 2, 3)]
    gadget = ("CustomCallbackButton", "button", {})
    file = write_slx(
        tmp_path / "m.slx", [("Clock", "t"), named, part, link, gadget, *outs],
        ["t -> S, part, link", "S -> y1", "part -> y2", "link -> y3"], root="Subsystem",
        scripts={"S/f": "function y = f(u)\ny = 3*u;"},
    )  # fmt: skip
    r = load_simulink(file).simulate(stop=2.0)
    assert [r.final(f"y{k}") for k in (1, 2, 3)] == pytest.approx([6.0, 4.0, 2.0], abs=1e-12)


def test_files_that_multiply_by_references_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten files, of which each refers to the next one ten times, are a model of 10^10 blocks."""
    monkeypatch.setattr("blockdyn.interop.simulink.model.LARGEST_MODEL", 5000)
    for k in range(10):
        parts = [("SubSystem", f"r{i}", {"ReferencedSubsystem": f"c{k + 1}"}) for i in range(10)]
        write_slx(tmp_path / f"c{k}.slx", parts, [])
    with pytest.raises(BadSimulinkFile, match="too many blocks and lines"):
        load_simulink(tmp_path / "c0.slx")


@pytest.mark.parametrize(
    ("mode", "fields", "factor"),
    [
        ("MODE = 1; A = Simulink.Variant('MODE == 1'); B = Simulink.Variant('MODE == 2')", {}, 2.0),
        ("MODE = 2; A = Simulink.Variant('MODE == 1'); B = Simulink.Variant('MODE == 2')", {}, -3.0),
        ("A = false; B = true", {}, -3.0),
        ("A = 0; B = 0", {}, 5.0),
        ("", {"VariantControlMode": "label", "LabelModeActiveChoice": "A"}, 2.0),
        ("A = 1; B = 1", {}, None),
        ("", {}, None),
    ],
)
def test_the_active_choice_of_variants_is_translated(
    tmp_path: Path, mode: str, fields: dict[str, str], factor: float | None
) -> None:
    """y = factor u; the choice B has its ports in another order, and they are matched by name."""
    u, v, y = ("Inport", "u"), ("Inport", "v"), ("Outport", "y")

    def choice(name: str, gain: str, *ports: tuple[str, str]) -> tuple[object, ...]:
        numbered = [(kind, port, {"Port": str(k)}) for k, (kind, port) in enumerate(ports, 1)]
        inner = Inside([*numbered, y, ("Gain", "k", {"Gain": gain}), ("Terminator", "t")],
                       ["u -> k", "k -> y", "v -> t"])  # fmt: skip
        return "SubSystem", f"choice {name}", {"VariantControl": name}, inner

    choices = [choice("A", "2", u, v), choice("B", "-3", v, u), choice("(default)", "5", u, v)]
    inside = Inside([u, ("Inport", "v", {"Port": "2"}), *choices, y])
    file = write_slx(
        tmp_path / "m.slx",
        [("Constant", "one"), ("Constant", "ten", {"Value": "10"}),
         ("SubSystem", "S", {"Variant": "on", **fields}, inside), ("Outport", "out")],
        ["one -> S", "ten -> S.2", "S -> out"], model={"PreLoadFcn": mode},
    )  # fmt: skip
    if factor is None:
        with pytest.raises(UntranslatedModel, match="S: a subsystem of variants"):
            load_simulink(file)
    else:
        assert load_simulink(file).simulate(stop=1.0).final("S.y") == factor
