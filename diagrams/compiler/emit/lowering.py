"""Print formulas as LLVM text: each operation is one or a few instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....blocks.contract.formula import Node
from ....native.elementary.names import OF_ONE, OF_TWO, PREFIX, declaration
from .writer import Writer, double

_BINARY = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_COMPARE = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_INTRINSIC = {
    "sqrt": "llvm.sqrt.f64", "abs": "llvm.fabs.f64", "floor": "llvm.floor.f64", "ceil": "llvm.ceil.f64",
}  # fmt: skip
DECLARATIONS = "\n".join(
    [f"declare double @{name}(double)" for name in _INTRINSIC.values()]
    + ["declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"]
)

Lookup = Callable[[str], str]


def declare_elementary(bodies: Iterable[str]) -> list[str]:
    """Declarations of the elementary functions that are called."""
    text = "\n".join(bodies)
    return [declaration(name) for name in (*OF_ONE, *OF_TWO) if f"@{PREFIX}{name}(" in text]


def lower(writer: Writer, node: Node, lookup: Lookup) -> str:
    """The value of a formula's tree as a double; `lookup` gives the value of a name."""
    operation = node.operation
    if operation == "number":
        return double(float(node.value))
    if operation == "name":
        return lookup(str(node.value))
    if operation == "**":
        return _power(writer, node, lookup)
    if operation == "bit":
        mode = lookup(str(node.parts[0].value))
        bit = writer.do(f"and i64 {mode}, {1 << int(node.value)}")
        return _number(writer, writer.do(f"icmp ne i64 {bit}, 0"))
    values = [lower(writer, part, lookup) for part in node.parts]
    if operation in _BINARY:
        return writer.do(f"{_BINARY[operation]} double {values[0]}, {values[1]}")
    if operation in _COMPARE:
        return _number(writer, writer.do(f"fcmp {_COMPARE[operation]} double {values[0]}, {values[1]}"))
    if operation in _INTRINSIC:
        return writer.do(f"call double @{_INTRINSIC[operation]}(double {values[0]})")
    if operation in OF_ONE or operation in OF_TWO:
        arguments = ", ".join(f"double {value}" for value in values)
        return writer.do(f"call double @{PREFIX}{operation}({arguments})")
    return _LOWER[operation](writer, values)


def lower_bits(writer: Writer, node: Node, lookup: Lookup) -> str:
    """The truth values of a `bits` node's parts as the bits of an integer."""
    total = "0"
    for i, part in enumerate(node.parts):
        true = _truth(writer, lower(writer, part, lookup))
        bit = writer.do(f"select i1 {true}, i64 {1 << i}, i64 0")
        total = writer.do(f"or i64 {total}, {bit}")
    return total


def _number(writer: Writer, truth: str) -> str:
    return writer.do(f"uitofp i1 {truth} to double")


def _truth(writer: Writer, value: str) -> str:
    return writer.do(f"fcmp une double {value}, 0.0")


def _power(writer: Writer, node: Node, lookup: Lookup) -> str:
    base, exponent = node.parts
    value = lower(writer, base, lookup)
    if exponent.operation == "number" and exponent.value == 2.0:
        return writer.do(f"fmul double {value}, {value}")
    if exponent.operation == "number" and exponent.value == 0.5:
        return writer.do(f"call double @llvm.sqrt.f64(double {value})")
    power = lower(writer, exponent, lookup)
    return writer.do(f"call double @{PREFIX}pow(double {value}, double {power})")


def _negative(writer: Writer, values: list[str]) -> str:
    return writer.do(f"fneg double {values[0]}")


def _positive(writer: Writer, values: list[str]) -> str:
    return values[0]


def _remainder(writer: Writer, values: list[str]) -> str:
    """The remainder with the divisor's sign, as in NumPy and Python."""
    a, b = values
    remainder = writer.do(f"call double @{PREFIX}fmod(double {a}, double {b})")
    moved = writer.do(f"fadd double {remainder}, {b}")
    product = writer.do(f"fmul double {remainder}, {b}")
    opposite = writer.do(f"fcmp olt double {product}, 0.0")
    return writer.do(f"select i1 {opposite}, double {moved}, double {remainder}")


def _sign(writer: Writer, values: list[str]) -> str:
    up = _number(writer, writer.do(f"fcmp ogt double {values[0]}, 0.0"))
    down = _number(writer, writer.do(f"fcmp olt double {values[0]}, 0.0"))
    return writer.do(f"fsub double {up}, {down}")


def _pick(relation: str) -> Callable[[Writer, list[str]], str]:
    def pick(writer: Writer, values: list[str]) -> str:
        a, b = values
        wins = writer.do(f"fcmp {relation} double {a}, {b}")
        undefined = writer.do(f"fcmp uno double {a}, {a}")
        first = writer.do(f"or i1 {wins}, {undefined}")
        return writer.do(f"select i1 {first}, double {a}, double {b}")

    return pick


def _select(writer: Writer, values: list[str]) -> str:
    return writer.do(f"select i1 {_truth(writer, values[0])}, double {values[1]}, double {values[2]}")


def _logic(operation: str) -> Callable[[Writer, list[str]], str]:
    def combine(writer: Writer, values: list[str]) -> str:
        a, b = (_truth(writer, value) for value in values)
        return _number(writer, writer.do(f"{operation} i1 {a}, {b}"))

    return combine


def _not(writer: Writer, values: list[str]) -> str:
    return _number(writer, writer.do(f"fcmp oeq double {values[0]}, 0.0"))


_LOWER: dict[str, Callable[[Writer, list[str]], str]] = {
    "neg": _negative, "pos": _positive, "%": _remainder, "sign": _sign,
    "min": _pick("olt"), "max": _pick("ogt"), "where": _select,
    "and": _logic("and"), "or": _logic("or"), "not": _not,
}  # fmt: skip
