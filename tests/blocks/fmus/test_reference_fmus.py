"""The Reference FMUs of the Modelica Association, compiled from their source, against closed forms.

BLOCKDYN_REFERENCE_FMUS names a folder with https://github.com/modelica/Reference-FMUs (2-clause BSD license).
"""

from __future__ import annotations

import math
import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed

from .made import COMPILER, NEEDS_A_COMPILER, archive
from .test_fmu import bounces, instants

SOURCES = os.environ.get("BLOCKDYN_REFERENCE_FMUS", "")
pytestmark = [
    NEEDS_A_COMPILER,
    pytest.mark.xdist_group("fmus"),
    pytest.mark.skipif(not SOURCES, reason="BLOCKDYN_REFERENCE_FMUS names no folder with the Reference FMUs"),
]
BOTH = pytest.mark.parametrize("version", [2, 3])
PLACES = {2: "linux64", 3: "x86_64-linux"}
TIGHT: Any = {"rtol": 1e-10, "atol": 1e-13}


@cache
def reference(name: str, version: int) -> Path:
    """One of the Reference FMUs."""
    root, folder = Path(SOURCES), Path(mkdtemp())
    library = folder / f"{name}.so"
    codes = [root / "src" / f"fmi{version}Functions.c", root / "src/cosimulation.c", root / name / "model.c"]
    options = [
        "-O2",
        "-fPIC",
        "-shared",
        f"-DFMI_VERSION={version}",
        "-DDISABLE_PREFIX",
        f"-I{root}/include",
        f"-I{root}/{name}",
    ]
    subprocess.run([COMPILER, *options, *codes, "-o", library, "-lm"], check=True, capture_output=True)
    files: dict[str, Any] = {
        "modelDescription.xml": (root / name / f"FMI{version}.xml").read_text("utf-8"),
        f"binaries/{PLACES[version]}/{name}.so": library.read_bytes(),
    }
    if name == "Resource":
        files["resources/y.txt"] = (root / name / "y.txt").read_bytes()
    return archive(folder / f"{name}.fmu", files)


def alone(name: str, version: int, **options: Any) -> bd.Diagram:
    d = bd.Diagram("reference")
    d.add("fmu", bd.FMU(reference(name, version), **options))
    return d


@BOTH
def test_a_ball_bounces_at_the_instants_of_the_closed_form(version: int) -> None:
    r = alone("BouncingBall", version, fmi_type="me").simulate(stop=3.0, **TIGHT)
    times = instants(r)
    assert [np.min(np.abs(times - t)) for t in bounces()] == pytest.approx(np.zeros(11), abs=1e-12)
    assert abs(r.final("fmu.h")) < 1e-12
    assert r.final("fmu.v") == 0.0
    steps = alone("BouncingBall", version, fmi_type="cs", sample_time=0.01).simulate(stop=0.45)
    assert steps.final("fmu.h") == pytest.approx(1.0 - 9.81 * 0.45**2 / 2.0, abs=3e-3)  # Euler, steps of 1 ms


@BOTH
def test_an_oscillator_is_equal_to_the_solution_of_scipy(version: int) -> None:
    """Its Co-Simulation takes forward Euler steps of 0.01 s."""
    d = alone("VanDerPol", version, fmi_type="me")
    r = d.simulate(stop=20.0, method="dop853", rtol=1e-12, atol=1e-14)
    truth = solve_ivp(
        lambda t, x: (x[1], (1.0 - x[0] ** 2) * x[1] - x[0]), (0.0, 20.0), (2.0, 0.0),
        method="DOP853", rtol=1e-13, atol=1e-14,
    ).y[:, -1]  # fmt: skip
    assert (r.final("fmu.x0"), r.final("fmu.x1")) == pytest.approx(truth, abs=1e-10)
    assert d.linearize().A.tolist() == [[0.0, 1.0], [-1.0, -3.0]]  # by its directional derivatives
    r = d.simulate(stop=20.0, method="rodas5p", rtol=1e-8, atol=1e-10)
    assert (r.final("fmu.x0"), r.final("fmu.x1")) == pytest.approx(truth, abs=1e-6)
    x, v = 2.0, 0.0
    for _ in range(100):
        x, v = x + 0.01 * v, v + 0.01 * ((1.0 - x * x) * v - x)
    steps = alone("VanDerPol", version, fmi_type="cs", sample_time=0.1).simulate(stop=1.0)
    assert (steps.final("fmu.x0"), steps.final("fmu.x1")) == pytest.approx((x, v), abs=1e-12)


@BOTH
def test_the_equation_of_dahlquist_decays(version: int) -> None:
    r = alone("Dahlquist", version, fmi_type="me", values={"k": 2.0}).simulate(stop=3.0, **TIGHT)
    assert r.final("fmu.x") == pytest.approx(math.exp(-6.0), rel=1e-8)
    steps = alone("Dahlquist", version, fmi_type="cs", sample_time=0.5).simulate(stop=2.0)
    assert steps.final("fmu.x") == pytest.approx(0.9**20, rel=1e-12)


@BOTH
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_a_stair_has_a_step_every_second_and_ends_the_run(version: int, kind: str) -> None:
    options: dict[str, Any] = {"sample_time": 0.25} if kind == "cs" else {}
    d = alone("Stair", version, fmi_type=kind, **options)
    r = d.simulate(stop=20.0, times=[0.5, 1.5, 4.5, 8.5], log=["fmu"])
    assert r["fmu.counter"].values.tolist() == [1, 2, 5, 9]
    assert r.statistics["end"] == pytest.approx(9.0, abs=0.25 if kind == "cs" else 1e-12)


@BOTH
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_inputs_of_every_type_reach_their_outputs(version: int, kind: str) -> None:
    options: dict[str, Any] = {"sample_time": 0.1} if kind == "cs" else {}
    d = alone("Feedthrough", version, fmi_type=kind, **options)
    block: Any = d.blocks["fmu"]
    values = {"Boolean_input": 1.0, "Enumeration_input": 2.0}
    expected = {}
    for k, port in enumerate(p.name for p in block.input_ports()):
        value = values.get(port, 3.0 + k)
        d.connect(
            d.add(f"u{k}", bd.Step(time=0.3, initial=float("Enum" in port), final=value)), f"fmu.{port}"
        )
        expected[port.replace("_input", "_output")] = value
    r = d.simulate(stop=1.0)
    outputs = {p.name for p in block.output_ports()}
    assert outputs == {*expected}
    assert {name: r.final(f"fmu.{name}") for name in outputs} == expected


@BOTH
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_an_fmu_reads_its_resource(version: int, kind: str) -> None:
    assert alone("Resource", version, fmi_type=kind).simulate(stop=1.0).final("fmu.y") == ord("a")


def test_a_value_that_an_fmu_does_not_take_at_the_start_is_its_own_error() -> None:
    d = alone("Feedthrough", 3, fmi_type="me")
    d.connect(d.add("zero", bd.Constant(0.0)), "fmu.Enumeration_input")
    with pytest.raises(BlockFailed, match="fmi3SetInt64 returned fmi3Error"):
        d.simulate(stop=1.0)
