"""Scalars are those of YAML 1.2's core schema (specification 1.2.2, section 10.3.2), not of YAML 1.1."""

from __future__ import annotations

import math

import pytest

from blockdyn.base.yaml.scanning import resolve

SPECIFICATION = [  # examples 10.8 and 10.9 of the specification, and the regular expressions beside them
    ("", None), ("~", None), ("null", None), ("NULL", None), ("true", True), ("False", False),
    ("0", 0),
    ("0o7", 7), ("0x3A", 58), ("-19", -19), ("0.", 0.0), ("-0.0", -0.0), (".5", 0.5), ("+12e03", 12000.0),
    ("-2E+05", -200000.0), (".inf", math.inf), ("-.Inf", -math.inf), ("+.INF", math.inf),
]  # fmt: skip
DIFFERENT_IN_1_1 = [
    ("1e5", 100000.0), ("012", 12),
    ("on", "on"),
    ("off", "off"), ("yes", "yes"), ("No", "No"), ("y", "y"),
    ("1_000", "1_000"), ("1:30", "1:30"), ("0b11", "0b11"), ("=", "="), ("<<", "<<"),
    ("2026-01-31", "2026-01-31"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), [*SPECIFICATION, *DIFFERENT_IN_1_1])
def test_unquoted_text_is_what_the_core_schema_says(text: str, value: object) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is type(value)


def test_not_a_number() -> None:
    assert math.isnan(resolve(".nan"))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["1e999", "-1e999", "9" * 400, "0x" + "f" * 400, "0o" + "7" * 400])
def test_numbers_beyond_double_precision_do_not_become_infinite(text: str) -> None:
    with pytest.raises(OverflowError):
        resolve(text)


def test_the_largest_and_smallest_doubles_are_exact() -> None:
    assert resolve("1.7976931348623157e308") == 1.7976931348623157e308
    assert resolve("5e-324") == 5e-324
