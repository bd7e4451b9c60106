"""Touches of a level and starts at it are no passages: measures against closed forms."""

from __future__ import annotations

import math

import pytest

from .test_measures import measured, oscillator


@pytest.mark.parametrize("options", [{}, {"max_step": 0.05}, {"rtol": 1e-9, "atol": 1e-12}])
@pytest.mark.parametrize("touching", ["1 - cos(t)", "x*x", "(t - 3)**2", "1 + sin(t)", "sin(t)**4", "abs(v)"])
def test_a_touch_of_a_level_is_no_passage(touching, options):
    """Signals that are at 0 at times, and above it at all others."""
    declared = {
        "rises": {"count": touching, "above": 0.0}, "falls": {"count": touching, "below": 0.0},
        "above": {"time_above": touching, "level": 0.0}, "below": {"time_below": touching, "level": 0.0},
        "first": {"time_to": touching, "below": 0.0},
    }  # fmt: skip
    found = measured(oscillator(), declared, stop=20.0, **options)
    assert (found["rises"], found["falls"], found["below"]) == (0.0, 0.0, 0.0)
    assert found["above"] == 1.0
    assert math.isnan(found["first"])


def test_a_band_that_is_touched_is_not_left():
    declared = {"settled": {"settling_time": "1 - cos(t)", "target": 0.0, "tolerance": 2.0}}
    assert measured(oscillator(), declared, stop=20.0)["settled"] == 0.0


@pytest.mark.parametrize(
    ("signal", "rises", "falls"),
    [
        ("sin(t)", 3, 3),
        ("-sin(t)", 3, 3),
        ("x", 3, 3),
        (f"sin(t + {math.pi})", 3, 3),  # 1.2e-16 at the start, and falling
        ("0.3 - 0.1 - 0.2 + t", 0, 0),  # -2.8e-17 at the start
        ("0.3 - 0.1 - 0.2 + t*t", 0, 0),
        ("1e-6 - cos(t) - 1", 3, 3),
        ("(t - 3)**2 - 1e-8", 1, 1),
        ("t - 1e-9", 1, 0),
    ],
)
def test_passages_by_closed_forms(signal, rises, falls):
    """To t = 20; sin t is 0 at multiples of pi up to 6 pi, 1 + cos t is below 1e-6 around pi, 3 pi, 5 pi."""
    declared = {"rises": {"count": signal, "above": 0.0}, "falls": {"count": signal, "below": 0.0}}
    found = measured(oscillator(), declared, stop=20.0, max_step=0.1)
    assert (found["rises"], found["falls"]) == (rises, falls)
