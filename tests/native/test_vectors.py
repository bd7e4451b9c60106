"""Kernels hold single numbers, and are read the same for every processor; machine code has vectors."""

from __future__ import annotations

import re

import llvmlite.binding as llvm
import numpy as np

from blockdyn.blocks.continuous.transport_delay import TransportDelay
from blockdyn.native.compiling import compile_kernel
from blockdyn.native.engine import join_module
from blockdyn.native.kernel import Kernel, with_parts
from blockdyn.native.tangent.code import refusal
from blockdyn.native.target import Target, optimise

WIDE = Target("x86_64-unknown-linux-gnu", "icelake-server")  # vectors of eight, masks, scattered stores
VECTOR = re.compile(r"<\d+ x (?:double|i64|ptr)>")


def weighted(a, b, out):
    """A loop that every processor has vectors for, and a function of NumPy beside it."""
    for i in range(a.shape[0]):
        out[i] = 2.0 * a[i] + b[i]
    return np.sum(a)


def texts_of(kernel: Kernel) -> list[str]:
    return [str(llvm.parse_bitcode(each.bitcode)) for each in with_parts([kernel])]


def test_a_kernel_has_no_vectors():
    kernel = compile_kernel(weighted, ("d1", "d1", "d1"))
    assert not any(VECTOR.search(text) for text in texts_of(kernel))
    machine = WIDE.machine(2)
    whole = join_module("", [kernel], [kernel.symbol], WIDE, machine)
    optimise(whole, machine, 2)
    assert VECTOR.search(str(whole))


def test_a_history_can_be_followed_whichever_vectors_a_processor_has():
    kernel = compile_kernel(TransportDelay.remember, ("d", "d1", "d", "d2", "d1", "d1", "d1", "d", "d1"))
    assert not any(VECTOR.search(text) for text in texts_of(kernel))
    assert refusal(kernel) is None
