"""Guards: the comparisons in a guard, and values for which two guards hold together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from ...contract.formula import Node, evaluate

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
TRUE_ABOVE = Node("number", 0.5)
MOST = 20_000  # maximum number of combinations of values that are tried for two guards


def logical(node: Node) -> Node:
    """The guard with every value used as a condition compared with 0.5, above which it is true."""
    if node.operation in COMPARISONS:
        return node
    if node.operation in ("and", "or", "not"):
        return Node(node.operation, parts=tuple(map(logical, node.parts)))
    return Node(">", parts=(node, TRUE_ABOVE))


def comparisons(node: Node, sign: int = 1) -> Iterator[tuple[Node, int]]:
    """The comparisons of a logical guard, each with -1 if `not` reverses it, 0 for (in)equality."""
    if node.operation in COMPARISONS:
        yield node, 0 if node.operation in ("==", "!=") else sign
        return
    turned = -sign if node.operation == "not" else sign
    for part in node.parts:
        yield from comparisons(part, turned)


def level(comparison: Node) -> Node:
    """A value that is positive if a comparison holds, and passes zero when it changes."""
    a, b = comparison.parts
    return Node("-", parts=(b, a) if comparison.operation in ("<", "<=") else (a, b))


def overlap(a: Node, b: Node) -> dict[str, float] | None:
    """Values of the compared expressions for which two logical guards both hold; None: there are none.

    Each expression that is compared with numbers is tried at, between and beyond these numbers, independently
    of the other expressions.
    """
    limits: dict[Node, set[float]] = {}
    for guard in (a, b):
        for comparison, _ in comparisons(guard):
            expression, limit, _ = _against_number(comparison, limits)
            limits.setdefault(expression, set()).add(limit)
    tries = [
        [float(evaluate(node, {}))] if _constant(node) else _tries(sorted(values))
        for node, values in limits.items()
    ]
    combinations = 1
    for each in tries:
        combinations *= len(each)
    if combinations > MOST:
        return None
    for trial in product(*tries):
        chosen = dict(zip(limits, trial, strict=True))
        if _holds(a, chosen) and _holds(b, chosen):
            return {format_formula(node): value for node, value in chosen.items()}
    return None


def _against_number(comparison: Node, listed: Mapping[Node, object]) -> tuple[Node, float, int]:
    """A comparison as an expression and a number, and -1 if its sides were exchanged."""
    a, b = comparison.parts
    if b.operation == "number":
        return a, float(b.value), 1
    if a.operation == "number":
        return b, float(a.value), -1
    turned = Node("-", parts=(b, a))
    return (turned, 0.0, -1) if turned in listed else (Node("-", parts=(a, b)), 0.0, 1)


def _constant(node: Node) -> bool:
    return node.operation != "name" and all(map(_constant, node.parts))


def _tries(limits: Sequence[float]) -> list[float]:
    between = [(a + b) / 2 for a, b in pairwise(limits)]
    return [limits[0] - 1.0, *limits, *between, limits[-1] + 1.0]


def _holds(guard: Node, chosen: Mapping[Node, float]) -> bool:
    match guard.operation:
        case "and":
            return all(_holds(part, chosen) for part in guard.parts)
        case "or":
            return any(_holds(part, chosen) for part in guard.parts)
        case "not":
            return not _holds(guard.parts[0], chosen)
    expression, limit, side = _against_number(guard, chosen)
    pair = (chosen[expression], limit) if side > 0 else (limit, chosen[expression])
    if side < 0 and guard.parts[0].operation != "number":  # a < b, kept as b - a
        pair = (-chosen[expression], limit)
    numbers = tuple(Node("number", value) for value in pair)
    return bool(evaluate(Node(guard.operation, parts=numbers), {}))


def format_formula(node: Node, written: Mapping[Node, Node] | None = None) -> str:
    """A tree as a formula, with the spelling in `written` for some parts."""
    node = (written or {}).get(node, node)
    if node.operation == "number":
        return f"{float(node.value):g}"
    if node.operation == "name":
        return str(node.value)
    parts = [format_formula(part, written) for part in node.parts]
    if node.operation.isalnum() and node.operation not in ("and", "or", "not", "neg", "pos"):
        return f"{node.operation}({', '.join(parts)})"
    if len(parts) == 1:
        return f"{ {'neg': '-', 'pos': '+', 'not': 'not '}[node.operation] }{parts[0]}"
    return (
        f"({f' {node.operation} '.join(parts)})"
        if node.operation in "+-"
        else f" {node.operation} ".join(parts)
    )
