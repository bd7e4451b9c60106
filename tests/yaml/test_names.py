"""What `load` finds under a name: the caller's file first, then the gallery."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml.errors import YamlFileError
from blockdyn.diagrams.yaml.finding import gallery_files

OWN = "blockdyn: 1\nname: own\nblocks: {u: {type: Constant}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", list(gallery_files()))
def test_the_gallery_by_name(name: str) -> None:
    found = bd.load(name)
    assert list(found.blocks) == list(bd.load(gallery_files()[name]).blocks)


def test_a_file_of_that_name_comes_first(folder: Path) -> None:
    (folder / "quadrotor").write_text(OWN)
    assert bd.load("quadrotor").name == "own"


def test_a_folder_of_that_name_is_no_diagram(folder: Path) -> None:
    (folder / "quadrotor").mkdir()
    assert bd.load("quadrotor").name == "quadrotor"


@pytest.mark.parametrize(
    ("name", "near"),
    [("quadrotr", "quadrotor"), ("loop.yml", "loop.yaml"), ("loop", "loop.yaml"), ("lop.yaml", "loop.yaml")],
)
def test_an_unknown_name_has_the_nearest(name: str, near: str, folder: Path) -> None:
    (folder / "loop.yaml").write_text(OWN)
    with pytest.raises(YamlFileError, match=f"`{name}`, did you mean `{near}`"):
        bd.load(name)
    assert issubclass(YamlFileError, bd.DiagramError)


def test_the_gallery_is_listed() -> None:
    with pytest.raises(YamlFileError, match=r"one of the gallery"):
        bd.load(Path("nowhere") / "zzz.yaml")
