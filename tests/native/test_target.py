"""Targets: text and bitcode belong to no processor until the last step."""

from __future__ import annotations

import struct

import llvmlite.binding as llvm
import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler.emit.functions import NAMES
from blockdyn.native.engine import object_of
from blockdyn.native.target import Target, host

ELF, AARCH64, ARM, RISCV = b"\x7fELF", 183, 40, 243  # e_machine: ELF for the Arm Architecture; RISC-V psABI


def program() -> bd.Diagram:
    diagram = bd.Diagram("pendulum")
    angle, rate = diagram.add("angle", bd.Integrator(initial=0.5)), diagram.add("rate", bd.Integrator())
    gravity = diagram.add("gravity", bd.Trigonometry("sin"))
    diagram.connect(angle, gravity, diagram.add("k", bd.Gain(-9.81)), rate, angle)
    return diagram


def compiled_for(target: Target) -> bytes:
    text = program().compile().text
    return object_of(text.text, list(text.kernels.values()), list(NAMES), target=target)


@pytest.mark.parametrize(
    ("triple", "machine", "bits"),
    [
        ("aarch64-unknown-linux-gnu", AARCH64, 64),
        ("thumbv7em-none-eabihf", ARM, 32),
        ("riscv64-unknown-linux-gnu", RISCV, 64),
    ],
)
def test_a_diagram_is_compiled_for_another_processor(triple: str, machine: int, bits: int) -> None:
    """The ELF header names it: class in byte 4, machine in bytes 18 and 19."""
    data = compiled_for(Target(triple))
    assert data[:4] == ELF
    assert data[4] == (1 if bits == 32 else 2)
    assert struct.unpack_from("<H", data, 18) == (machine,)
    assert all(name.encode() in data for name in NAMES)


def test_a_diagram_is_compiled_for_the_web() -> None:
    """WebAssembly begins with a zero, "asm" and version 1; its linking section names the functions."""
    data = compiled_for(Target("wasm32-unknown-unknown"))
    assert data[:8] == b"\0asm\1\0\0\0"
    assert all(name.encode() in data for name in NAMES)


def test_a_model_counts() -> None:
    """A Cortex-M7 computes with doubles in hardware, others call libgcc."""
    common = compiled_for(Target("thumbv7em-none-eabi"))
    assert b"__muldf3" in common
    assert b"__muldf3" not in compiled_for(Target("thumbv7em-none-eabihf", "cortex-m7"))


def test_this_processor_is_one_of_them() -> None:
    assert host().is_host
    assert not Target(host().triple, features="-sse2").is_host


def test_the_host_lacks_what_its_processor_hides() -> None:
    """A virtual machine may report a model without all of its features, such as Zen 4 without AVX-512."""
    absent = {f"-{name}" for name, on in llvm.get_host_cpu_features().items() if not on}
    assert absent <= set(host().features.split(","))


def test_what_llvm_does_not_know_is_refused() -> None:
    with pytest.raises(bd.BlockdynError, match="pdp11-dec-unix"):
        Target("pdp11-dec-unix").machine(2)
