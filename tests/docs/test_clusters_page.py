"""The page on clusters: its code runs, on a cluster of this machine in place of hosts, queue and pods."""

from __future__ import annotations

import inspect
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.cli import main

from .test_code_blocks import ROOT, blocks, diagrams

distributed = pytest.importorskip("distributed", reason='needs Dask: pip install "blockdyn[cluster]"')
pytestmark = pytest.mark.xdist_group("clusters page")
PAGE = ROOT / "docs" / "clusters.md"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=":0"
    ) as here:
        yield here


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's diagram as loop.yaml, and nothing else."""
    (text,) = diagrams(PAGE)
    (tmp_path / "loop.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_python_runs_on_a_cluster_of_any_kind(
    cluster: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xarray")
    ssh = inspect.signature(distributed.SSHCluster)

    def by_ssh(*arguments: Any, **options: Any) -> Any:
        ssh.bind(*arguments, **options)
        return cluster

    monkeypatch.setattr(cluster, "scale", lambda *, jobs: None)  # they are here already
    monkeypatch.setattr(distributed, "SSHCluster", by_ssh)
    monkeypatch.setattr("dask.distributed.SSHCluster", by_ssh)
    for name, attribute, value in (
        ("dask_jobqueue", "SLURMCluster", lambda **options: cluster),
        ("dask_kubernetes", "operator", None),
        ("dask_kubernetes.operator", "KubeCluster", lambda **options: cluster),
    ):
        module = ModuleType(name)
        setattr(module, attribute, value)
        monkeypatch.setitem(sys.modules, name, module)
    expected = bd.load_sweep("loop.yaml").run(progress=False)
    names: dict[str, Any] = {"bd": bd}
    ran = 0
    for number, text in enumerate(blocks(PAGE, "py")):
        names.pop("ensemble", None)
        store = str(folder / f"{number}-loop.zarr")
        exec(text.replace('"/shared/loop.zarr"', repr(store)), names)
        if "ensemble" in names:
            ran += 1
            assert (names["ensemble"]["last"] == expected["last"]).all()
    assert ran == 4
    assert (names["last"].values == expected["last"]).all()
    names["client"].close()


def test_sweeps_of_the_command_line_run(cluster: Any, folder: Path) -> None:
    (first,) = (text for text in blocks(PAGE, "sh") if "--dask" in text)
    for line in first.splitlines()[-2:]:
        short = line.replace("tcp://scheduler:8786", cluster.scheduler_address)
        short = short.replace("/shared/", f"{folder.as_posix()}/").replace("1000000", "100")
        assert main(shlex.split(short)[1:]) == 0, line


def test_commands_of_dask_are_understood() -> None:
    from distributed.cli import dask_scheduler, dask_ssh, dask_worker

    programs = {"scheduler": dask_scheduler, "worker": dask_worker, "ssh": dask_ssh}
    mentioned = re.findall(r"`(dask [^`]+)`", PAGE.read_text(encoding="utf-8"))
    lines = [*"".join(blocks(PAGE, "bash")).splitlines(), *mentioned]
    commands = [words for line in lines if (words := shlex.split(line, comments=True))[:1] == ["dask"]]
    assert {words[1] for words in commands} == set(programs)
    for _, program, *arguments in commands:
        programs[program].main.make_context(program, arguments)
