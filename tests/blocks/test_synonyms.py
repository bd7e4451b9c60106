"""Names of blocks in other simulators lead to the block that does their work."""

from __future__ import annotations

import re

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import UnknownBlockType, block_type, names
from blockdyn.blocks.contract.synonyms import meant, normal, synonyms
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.errors import UnknownType

KNOWN = {*names(), "Subsystem"}
ROWS = synonyms()


def test_every_type_that_is_suggested_exists() -> None:
    assert {row.type for row in ROWS} - {"-"} <= KNOWN


def test_every_capitalised_word_of_a_remark_that_looks_like_a_type_is_one() -> None:
    words = {word for row in ROWS for word in re.findall(r"\b[A-Z][a-z]+[A-Za-z]*\b", row.how)}
    assert words - {"Python", "Block", "Result"} <= KNOWN


def test_a_name_stands_once() -> None:
    listed = [normal(row.name) for row in ROWS]
    assert listed == sorted(set(listed))


def test_no_name_of_ours_is_taken_for_a_foreign_one() -> None:
    assert {row.name for row in ROWS}.isdisjoint(KNOWN)


# Simulink's library, bdsim 1.1's blocks, Modelica.Blocks 4.0, Drake's systems/primitives
FOREIGN = {
    "IntegerDelay": "Delay",
    "Lookup": "Lookup1D",
    "Spline": "Lookup1D",
    "2-D Lookup Table": "Lookup2D",
    "TransferFcn": "TransferFunction",
    "Transfer Fcn": "TransferFunction",
    "ToWorkspace": "Record",
    "PulseGenerator": "Pulse",
    "LTI_SS": "StateSpace",
    "MultiRotor": "Quadrotor",
    "Waveform": "Sine",
    "ScopeXY": "XYScope",
    "DIntegrator": "DiscreteIntegrator",
    "Limiter": "Saturation",
    "CombiTimeTable": "Table",
    "LimPID": "PID",
    "Adder": "Sum",
    "Multiplexer": "Mux",
    "LinearSystem": "StateSpace",
    "ZOH": "ZeroOrderHold",
    "ConstantVectorSource": "Constant",
    "Tan": "Trigonometry",
    "Truth Table": "LookupND",
    "Stateflow Chart": "StateMachine",
    "ElastoBacklash": "DeadZone",
    "AcrobotPlant": "FDyn",
    "LogVectorOutput": "Record",
    "Limit": "Saturation",
    "LowPassFilter": "LowPass",
    "ZerosPoles": "ZeroPoleGain",
    "Lag": "LeadLag",
    "Play": "Backlash",
    "Filter": "DiscreteFilter",
    "Noise": "BandLimitedWhiteNoise",
    "Input": "Inport",
    "Output": "Outport",
    "Plot": "Scope",
    "TimeScope": "Scope",
}


@pytest.mark.parametrize(("name", "ours"), FOREIGN.items())
def test_a_foreign_name_leads_to_ours(name: str, ours: str) -> None:
    with pytest.raises(UnknownBlockType, match=f"no block type `{name}`, did you mean `{ours}`"):
        block_type(name)
    with pytest.raises(UnknownType, match=f"did you mean `{ours}`"):
        loads(f"blockdyn: 1\nblocks: {{b: {{type: {name}}}}}\n")


@pytest.mark.parametrize(
    ("name", "ours"),
    [("Integrator, Second-Order", "SecondOrderIntegrator"), ("Direct Lookup Table (n-D)", "LookupND")],
)
def test_commas_and_brackets_of_a_name_do_not_count(name: str, ours: str) -> None:
    assert meant(name, KNOWN).startswith(f", did you mean `{ours}`?")


ABSENT = (
    "SharedPointerSystem", "Goto", "Queue", "Scene Graph", "Complex to Magnitude-Angle",
)  # fmt: skip


@pytest.mark.parametrize("name", ABSENT)
def test_what_has_no_block_is_told_plainly(name: str) -> None:
    text = meant(name, KNOWN)
    assert text.startswith(", nor one that does the same")
    assert "did you mean" not in text


@pytest.mark.parametrize("name", ["Banana", "Hydraulics", "Telephone", "Xyz", "ThermalConductor"])
def test_what_resembles_nothing_gets_no_suggestion(name: str) -> None:
    assert meant(name, KNOWN) == ""


@pytest.mark.parametrize(("name", "ours"), [("Gian", "Gain"), ("integrator", "Integrator"), ("Sume", "Sum")])
def test_a_slip_of_the_pen_is_seen(name: str, ours: str) -> None:
    assert meant(name, KNOWN) == f", did you mean `{ours}`?"


def test_so_does_the_package_itself() -> None:
    with pytest.raises(AttributeError, match="no attribute 'TransferFcn', did you mean `TransferFunction`"):
        _ = bd.TransferFcn
    with pytest.raises(AttributeError, match="no attribute 'SharedPointerSystem', nor one that does"):
        _ = bd.SharedPointerSystem
    assert not hasattr(bd, "Banana")
