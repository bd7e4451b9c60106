"""Files stay in the diagram's folder, and code stays where it is, until the caller consents."""

from __future__ import annotations

from pathlib import Path

import pytest

from blockdyn.diagrams.model.errors import DiagramError, UnknownParameter
from blockdyn.diagrams.model.subsystem import Subsystem
from blockdyn.diagrams.yaml import load, loads
from blockdyn.diagrams.yaml.errors import NotTrusted, YamlError, YamlFileError

INNER = (
    "blockdyn: 1\nparameters: {k: 1}\n"
    "blocks: {u: {type: Inport}, g: {type: Gain, k: =k}, y: {type: Outport}}\n"
)


def outer(folder: Path, file: str) -> Path:
    path = folder / "outer.yaml"
    path.write_text(f"blockdyn: 1\nblocks:\n  s: {{type: Subsystem, file: {file}, parameters: {{k: 3}}}}\n")
    return path


def test_a_file_below_is_read_relative_to_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "inner.yaml").write_text(INNER)
    (tmp_path / "a" / "middle.yaml").write_text(
        "blockdyn: 1\nparameters: {k: 2}\n"
        "blocks: {s: {type: Subsystem, file: b/inner.yaml, parameters: {k: =k}}}\n"
    )
    found = load(outer(tmp_path, "a/middle.yaml")).blocks["s"]
    assert isinstance(found, Subsystem)
    assert found.overrides["k"] == 3.0
    assert list(found.diagram.blocks["s"].diagram.blocks) == ["u", "g", "y"]  # type: ignore[union-attr]


@pytest.mark.parametrize("file", ["../inner.yaml", "here/../../inner.yaml", "link.yaml", "{absolute}"])
def test_a_file_outside_needs_consent(file: str, tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(INNER)
    folder = tmp_path / "project"
    (folder / "here").mkdir(parents=True)
    (folder / "link.yaml").symlink_to(tmp_path / "inner.yaml")
    path = outer(folder, file.format(absolute=tmp_path / "inner.yaml"))
    with pytest.raises(NotTrusted, match='trust="files"') as caught:
        load(path)
    assert (caught.value.line, caught.value.column) == (3, 30)
    assert list(load(path, trust="files").blocks) == ["s"]
    assert list(load(path, trust=True).blocks) == ["s"]


def test_a_text_has_no_folder_unless_it_is_given_one(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(INNER)
    text = outer(tmp_path, "inner.yaml").read_text()
    with pytest.raises(NotTrusted):
        loads(text)
    assert list(loads(text, folder=tmp_path).blocks) == ["s"]


def test_files_that_contain_one_another_are_refused(tmp_path: Path) -> None:
    for name, other in (("outer", "one"), ("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.yaml").write_text(
            f"blockdyn: 1\nblocks: {{s: {{type: Subsystem, file: {other}.yaml}}}}\n"
        )
    with pytest.raises(DiagramError, match=r"one\.yaml -> two\.yaml -> one\.yaml"):
        load(tmp_path / "outer.yaml")


def test_files_that_multiply_are_each_read_once(tmp_path: Path) -> None:
    for i in range(60):  # 2**60 subsystems
        both = f"{{type: Subsystem, file: f{i + 1}.yaml}}"
        (tmp_path / f"f{i}.yaml").write_text(f"blockdyn: 1\nblocks: {{a: {both}, b: {both}}}\n")
    (tmp_path / "f60.yaml").write_text(INNER)
    diagram = load(tmp_path / "f0.yaml")
    assert diagram.blocks["a"].diagram is diagram.blocks["b"].diagram  # type: ignore[union-attr]


def test_a_chain_of_files_ends(tmp_path: Path) -> None:
    for i in range(150):
        inner = f"{{type: Subsystem, file: f{i + 1}.yaml}}"
        (tmp_path / f"f{i}.yaml").write_text(f"blockdyn: 1\nblocks: {{a: {inner}}}\n")
    with pytest.raises(DiagramError, match="nested deeper"):
        load(tmp_path / "f0.yaml")


def test_errors_inside_a_file_name_that_file(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(
        "blockdyn: 1\nblocks:\n  g: {type: Gain, kk: 1}\nparameters: {k: 1}\n"
    )
    with pytest.raises(UnknownParameter) as caught:
        load(outer(tmp_path, "inner.yaml"))
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "inner.yaml"), 3)
    assert caught.value.path == "s/g"
    (tmp_path / "inner.yaml").write_text("blocks: {}\nparameters: {k: 1}\n")
    with pytest.raises(YamlError):
        load(tmp_path / "outer.yaml")
    (tmp_path / "inner.yaml").unlink()
    with pytest.raises(YamlFileError):
        load(tmp_path / "outer.yaml")


def test_a_trusted_file_may_hold_blocks_and_classes_beside_its_function(
    tmp_path: Path,
) -> None:
    (tmp_path / "json.py").write_text(
        "from __future__ import annotations\nfrom typing import ClassVar\nimport blockdyn as bd\n"
        "@bd.block\ndef law(u, k=1.0):\n    return -k * u\n"
        "class Half(bd.Block):\n    inputs: ClassVar = (bd.Port('u'),)\n    elementwise: ClassVar = True\n"
        "    k: bd.Real = bd.parameter(default=0.5)\n"
        "    @staticmethod\n    def output(u, k):\n        return k * u\n"
        "def double(u):\n    return 2.0 * u\n"
    )
    path = tmp_path / "d.yaml"
    path.write_text(
        "blockdyn: 1\nblocks:\n  c: {type: Constant, value: 3.0}\n"
        "  f: {type: Function, function: 'json.py:double'}\nwires: [c -> f]\n"
    )
    assert load(path, trust="code").simulate(stop=1.0).final("f") == 6.0
    path.write_text(path.read_text().replace("json.py:double", "json.py:law"))  # decorated with @block
    assert load(path, trust=True).simulate(stop=1.0).final("f") == -3.0
    import json  # the name of a file takes nothing's place

    assert json.loads("[1]") == [1]


def test_a_python_program_is_told_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text("import blockdyn as bd\n")
    with pytest.raises(YamlFileError, match=r"loop\.py is a Python program\n.*python .*loop\.py"):
        load(tmp_path / "loop.py")


def test_code_is_imported_with_consent_only(tmp_path: Path) -> None:
    from blockdyn.base.location import Location
    from blockdyn.diagrams.yaml.source import Source

    (tmp_path / "law.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('ran').touch()\ndef f(u): return 2*u\n"
    )
    path = outer(tmp_path, "inner.yaml")
    at = Location(str(path), 3, 5)
    for trust in (False, "files"):
        with pytest.raises(NotTrusted, match=r"trust=.code"):
            Source.of_file(path, trust).function("law.py:f", at)  # type: ignore[arg-type]
    assert not (tmp_path / "ran").exists()
    trusted = Source.of_file(path, True)
    assert trusted.function("law.py:f", at)(21) == 42
    assert trusted.function("math:hypot", at)(3, 4) == 5
    for wrong in ("law.py:g", "no_such_module:f", "nothing.py:f", "law.py", ":f", "math:pi"):
        with pytest.raises(YamlError):
            trusted.function(wrong, at)
