"""Gallery: gains tuned on four scenarios, judged on a hundred others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd


def rms(
    diagram: str, axes: dict[str, Any], measure: dict[str, Any], gains: dict[str, float], **more: Any
) -> Any:
    sweep = bd.Sweep(bd.load(diagram), axes, {"rms": measure}, set=gains, **more)
    ensemble = sweep.run(progress=False)
    assert not ensemble["failed"].any()
    return np.ravel(ensemble["rms"])


def test_the_quadrotor_flies_seven_times_nearer() -> None:
    axes = {
        "breeze": {"uniform": {"low": 0, "high": 6}},
        "payload": {"uniform": {"low": 0.0, "high": 0.1}},
    }
    measure = {"rms": "norm(eight.position - quadrotor.position)", "after": 2.0}
    tuned = {"control.Kp": 5.7, "control.Kv": 13.2, "control.Ki": 2.2}
    before, after = (rms("quadrotor", axes, measure, g, number=100, seed=1, stop=8.0) for g in ({}, tuned))
    assert np.mean(before) == pytest.approx(0.304, rel=0.1)
    assert np.mean(after) == pytest.approx(0.041, rel=0.1)
    assert (after < before).all()


def test_four_arms_teach_the_gains_of_others() -> None:
    puma, measure = bd.load("computed-torque"), {"rms": "norm(error)"}
    four = ((0.3, 0.0, 1), (0.3, 4.0, 2), (0.1, 2.0, 3), (0.2, 4.0, 4))
    tuned = puma.tune(
        ["Kp", "Kd"], "rms", {"rms": measure}, bounds={"Kp": (5, 400), "Kd": (2, 60)},
        scenarios=[{"error": error, "payload": payload, "seed": seed} for error, payload, seed in four],
    )  # fmt: skip
    assert tuned.values["Kp"] == pytest.approx(400.0)
    assert tuned.values["Kd"] == pytest.approx(23.9, abs=0.1)
    axes = {
        "error": {"uniform": {"low": 0, "high": 0.3}},
        "payload": {"uniform": {"low": 0.0, "high": 4.0}},
        "seed": {"count": 20},
    }
    before, after = (rms("computed-torque", axes, measure, g, number=5) for g in ({}, dict(tuned.values)))
    assert np.mean(before) == pytest.approx(0.107, rel=0.2)
    assert np.mean(after) == pytest.approx(0.0035, rel=0.25)
    assert (after < before).all()
