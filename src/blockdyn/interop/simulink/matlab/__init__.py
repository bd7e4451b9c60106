"""MATLAB: expressions, scripts of assignments and functions, evaluated here or translated to formulas."""

from .formulas import FormulaText, FunctionText, formula, function_formulas
from .scripts import assignments, read_values, read_workspace
from .syntax import parse
from .values import evaluate, plain
from .words import UnknownName, UnreadableText

__all__ = [
    "FormulaText", "FunctionText", "UnknownName", "UnreadableText", "assignments", "evaluate", "formula",
    "function_formulas", "parse", "plain", "read_values", "read_workspace",
]  # fmt: skip
