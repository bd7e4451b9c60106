"""What is shipped: sdist, wheel and editable install hold the tree's packages, each file once."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

pytestmark = pytest.mark.xdist_group("package")  # one worker makes what they share

ROOT = Path(__file__).parents[1]
GLUE = ROOT / "src" / "blockdyn"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCES: dict[str, str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["sources"]
FOUND_BY_BDSIM = "src/blockdyn_bdsim"  # a package of its own at the top level: bdsim looks nowhere else
PACKAGES = sorted(SOURCES.keys() - {"src/blockdyn", FOUND_BY_BDSIM})  # those at the top level
LEFT_BEHIND = {"__pycache__", ".DS_Store", ".ruff_cache", ".mypy_cache", ".pytest_cache", ".hypothesis"}


def files_below(folder: Path) -> set[str]:
    """Relative names of the files that belong to a package: code and data, not what tools leave behind."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {name.as_posix() for name in names if not LEFT_BEHIND & set(name.parts)}


def tree_as_imported() -> set[str]:
    """The files of the tree under the names that they have once installed."""
    glue = {f"blockdyn/{name}" for name in files_below(GLUE) if name.split("/")[0] not in PACKAGES}
    inside = {f"blockdyn/{package}/{name}" for package in PACKAGES for name in files_below(ROOT / package)}
    return glue | inside | {f"blockdyn_bdsim/{name}" for name in files_below(ROOT / FOUND_BY_BDSIM)}


def build(source: Path, out: Path, *what: str) -> Path:
    """Run `python -m build` without isolation, so without a network, and return the one file it made."""
    command = [sys.executable, "-m", "build", "--no-isolation", *what, "--outdir", str(out), str(source)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("sdist"), "--sdist")


@pytest.fixture(scope="module")
def sdist_names(sdist: Path) -> list[str]:
    with tarfile.open(sdist) as archive:
        members = [PurePosixPath(member.name) for member in archive if not member.isdir()]
        assert not [m.name for m in archive if m.issym() or m.islnk()], "links do not survive on every system"
    return ["/".join(name.parts[1:]) for name in members]


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return build(source, tmp_path_factory.mktemp("wheel"), "--wheel")


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if not name.endswith("/")]


def test_wheel_made_from_the_sdist_holds_exactly_the_packages_of_the_tree(wheel_names: list[str]) -> None:
    shipped = {name for name in wheel_names if name.startswith(("blockdyn/", "blockdyn_bdsim/"))}
    assert shipped == tree_as_imported()


def test_wheel_made_from_the_tree_is_the_one_made_from_the_sdist(wheel: Path, tmp_path: Path) -> None:
    direct = build(ROOT, tmp_path, "--wheel")
    with zipfile.ZipFile(direct) as ours, zipfile.ZipFile(wheel) as theirs:
        assert {n: ours.read(n) for n in ours.namelist()} == {n: theirs.read(n) for n in theirs.namelist()}


def test_wheel_puts_one_package_into_site_packages(wheel_names: list[str]) -> None:
    version = PROJECT["project"]["version"]
    assert {name.split("/")[0] for name in wheel_names} == {
        "blockdyn",
        "blockdyn_bdsim",
        f"blockdyn-{version}.dist-info",
    }


def test_no_file_is_shipped_twice(sdist_names: list[str], wheel_names: list[str]) -> None:
    for names in (sdist_names, wheel_names):
        assert [name for name, count in Counter(names).items() if count > 1] == []
    linked = tuple(f"src/blockdyn/{package}/" for package in PACKAGES)
    assert [name for name in sdist_names if name.startswith(linked)] == []


def test_types_gallery_and_licence_are_shipped(wheel_names: list[str]) -> None:
    assert "blockdyn/py.typed" in wheel_names
    assert "blockdyn/diagrams/gallery/quadrotor.yaml" in wheel_names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel_names)


def test_sdist_holds_packages_tests_and_papers(sdist_names: list[str]) -> None:
    packages = {f"{package}/{name}" for package in PACKAGES for name in files_below(ROOT / package)}
    tests = {f"tests/{name}" for name in files_below(ROOT / "tests")}
    papers = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md"}
    assert packages | tests | papers | {"src/blockdyn/py.typed"} <= set(sdist_names)


def test_editable_install_is_one_plain_path(tmp_path: Path) -> None:
    """Type checkers follow a path in a .pth file and no import hook."""
    hook = f"from hatchling.build import build_editable; print(build_editable({str(tmp_path)!r}))"
    run = subprocess.run([sys.executable, "-c", hook], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    with zipfile.ZipFile(tmp_path / run.stdout.strip()) as archive:
        code = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    ((name, content),) = code.items()
    assert name.endswith(".pth")
    assert [Path(line) for line in content.decode().splitlines()] == [ROOT / "src"]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_bare_import_is_refused_and_says_what_to_write(package: str) -> None:
    """From the root of the tree the folders would import by their own names, one of which PyPI knows too."""
    command = [sys.executable, "-c", f"import {package}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1
    assert f"import blockdyn.{package}" in run.stderr.splitlines()[-1]
    assert run.stderr.splitlines()[-1].startswith("ImportError")


def test_both_type_checkers_see_every_package() -> None:
    """pyright passes over a link that it is not told of, and reports no errors there."""
    named = set(PROJECT["tool"]["pyright"]["include"])
    assert named == {"src/blockdyn", *(f"src/blockdyn/{package}" for package in PACKAGES)}
    assert PROJECT["tool"]["mypy"]["files"] == ["src/blockdyn"]


def test_declared_version_is_the_installed_one() -> None:
    code = "import importlib.metadata as m; print(m.version('blockdyn'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == PROJECT["project"]["version"]
