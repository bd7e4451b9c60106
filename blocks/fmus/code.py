"""Make the functions of a block from the interface of its FMU: machine code, loaded once."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from ...native import cache as store
from ...native.engine import Code, load_object, object_of
from ...native.fingerprint import toolchain
from .exchange import ExchangeWriter
from .instance import Call
from .interface import Interface
from .steps import StepWriter
from .writer import TANGENT, Writer


def calls(spec: Interface) -> dict[str, Call]:
    """The functions of an interface, by name."""
    code, writer = _code(spec), _writer(spec)
    functions = {}
    for name in writer.names():
        tangent = code.addresses.get(f"{name}{TANGENT}")
        call = Call(code.addresses[name], *_names(spec, writer, name), tangent=tangent)
        call._function = code  # the code lives as long as its addresses
        functions[name] = call
    return functions


def _names(spec: Interface, writer: Writer, name: str) -> list[str]:
    """The arguments of one of the functions, by the names in the block."""
    if name == "mode":
        return ["instance"]
    if name.startswith("output"):
        k = int(name.removeprefix("output"))
        names = writer.arguments(name, spec.feedthrough[k] if spec.exchange else ())
        return [*names, *([spec.outputs[k].port] if spec.outputs[k].shape else [])]
    names = writer.arguments(name)
    if name == "derivative":
        return [*names, "d_states"]
    if name == "crossing":
        return [*names, "z"]
    if name == "jump":
        names += ["due", "events", *(["crossed_z"] if spec.indicators else [])]
        return [*names, *(["next_states"] if spec.states else []), "next_due", "next_events"]
    return [*names, *(["due"] if name == "remember" else [])]


def _writer(spec: Interface) -> Writer:
    return ExchangeWriter(spec) if spec.exchange else StepWriter(spec)


@cache
def _code(spec: Interface) -> Code:
    """The machine code of an interface, from the store if it is there."""
    writer = _writer(spec)
    text, names = writer.text(), [*writer.names(), *writer.tangents()]
    for letter in ("s", "u"):
        for bits in (8, 16, 32, 64):
            name = f"@llvm.fpto{letter}i.sat.i{bits}.f64"
            if name in text:
                text = f"declare i{bits} {name}(double)\n{text}"
    key = sha256(f"{toolchain()} {text}".encode()).hexdigest()
    data = store.read(f"{key}.object")
    if data is None:
        data = object_of(text, [], names)
        store.write(f"{key}.object", data)
    return load_object(data, names)
