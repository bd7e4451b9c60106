"""Random linear diagrams match their state-space solution; random mis-wirings give the right error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, seed as seeded, settings, strategies as st
from scipy.linalg import expm

import blockdyn as bd
from blockdyn.diagrams.model.errors import (
    AlgebraicLoop,
    BadWire,
    DuplicateName,
    MissingInput,
    SizeMismatch,
    UnknownBlock,
    UnknownPort,
)

SEEDS = st.integers(0, 2**32 - 1)


def drawn(**strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of 40 draws from this run's own seed."""

    def decorate(claim: Callable[..., None]) -> Callable[..., None]:
        def test(fresh_seed: int) -> None:
            draws = settings(max_examples=40, database=None, suppress_health_check=list(HealthCheck))
            try:
                seeded(fresh_seed)(draws(given(**strategies)(claim)))()
            except Exception as failure:
                failure.add_note(f"again: BLOCKDYN_FUZZ_SEED={fresh_seed} pytest {__file__}")
                raise

        test.__doc__ = claim.__doc__
        return test

    return decorate


class Network:
    """A random diagram of Sums, Gains and blocks with state, and its matrices, found by elimination.

    Every block with state reads a weighted sum of all outputs; y = C x + D u is written out for each.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.diagram = bd.Diagram()
        n = int(rng.integers(1, 6))
        kinds = rng.choice(["integrator", "lag", "second"], n)
        names = [f"{'zyxwvu'[i]}{i}" for i in rng.permutation(n)]
        A, B, C = [], [], []
        for name, kind in zip(names, kinds, strict=True):
            x0 = rng.normal(size=2 if kind == "second" else 1)
            a, b = rng.uniform(0.3, 2.0, 2)
            if kind == "integrator":
                self.diagram.add(name, bd.Integrator(float(x0[0])))
                part = np.zeros((1, 1)), np.ones((1, 1)), np.ones((1, 1))
            elif kind == "lag":
                self.diagram.add(name, bd.TransferFunction(num=[b], den=[1.0, a], initial=float(x0[0])))
                part = np.array([[-a]]), np.ones((1, 1)), np.array([[b]])
            else:
                self.diagram.add(name, bd.TransferFunction(num=[b, 1.0], den=[1.0, a, b], initial=x0))
                part = np.array([[-a, -b], [1.0, 0.0]]), np.array([[1.0], [0.0]]), np.array([[b, 1.0]])
            A.append(part[0])
            B.append(part[1])
            C.append(part[2])
            self.x0 = np.concatenate([getattr(self, "x0", np.zeros(0)), x0])
        self.names, self.kinds = names, kinds
        self.C = block_diagonal(C)
        W = np.where(rng.random((n, n)) < 0.5, np.round(rng.uniform(-1, 1, (n, n)), 3), 0.0)
        drive = np.round(rng.uniform(-1, 1, n), 3)
        self.wire(W, drive, rng)
        Bd = block_diagonal(B)
        self.A, self.drive = block_diagonal(A) + Bd @ W @ self.C, Bd @ drive

    def wire(self, W: np.ndarray, drive: np.ndarray, rng: Any) -> None:
        d = self.diagram
        d.add("one", bd.Constant(1.0))
        for i, name in enumerate(self.names):
            signs = "".join(rng.choice(["+", "-"], len(self.names) + 1))
            total = d.add(f"{rng.choice(list('amz'))}_sum{i}", bd.Sum(signs))
            for j, source in enumerate([*self.names, "one"]):
                weight = float([*W[i], drive[i]][j]) * (1 if signs[j] == "+" else -1)
                d.connect(source, d.add(f"{rng.choice(list('amz'))}_gain{i}_{j}", bd.Gain(weight)), total[j])
            d.connect(total, name)

    def exact(self, t: float) -> np.ndarray:
        n = len(self.x0)
        whole = np.zeros((n + 1, n + 1))
        whole[:n, :n], whole[:n, n] = self.A, self.drive
        return self.C @ (expm(whole * t) @ np.append(self.x0, 1.0))[:n]


def block_diagonal(parts: list[np.ndarray]) -> np.ndarray:
    rows, columns = sum(p.shape[0] for p in parts), sum(p.shape[1] for p in parts)
    found = np.zeros((rows, columns))
    i = j = 0
    for p in parts:
        found[i : i + p.shape[0], j : j + p.shape[1]] = p
        i, j = i + p.shape[0], j + p.shape[1]
    return found


@drawn(seed=SEEDS, method=st.sampled_from(["dopri5", "tsit5", "dop853", "bs32"]))
def test_random_linear_diagrams_match_the_matrix_exponential(seed, method):
    network = Network(seed)
    r = network.diagram.simulate(stop=2, method=method, rtol=1e-8, atol=1e-10)
    exact = network.exact(2.0)
    np.testing.assert_allclose(
        [r.final(n) for n in network.names], exact, atol=2e-5 * (1 + np.abs(exact).max())
    )


@drawn(seed=SEEDS, period=st.sampled_from([0.1, 0.25, 0.07]))
def test_random_networks_held_by_a_clock_match_their_recursion(seed, period):
    """Each block reads its sum through a ZeroOrderHold: x_{k+1} = phi x_k + gamma u_k."""
    network = Network(seed)
    d = bd.Diagram()
    for name, block in network.diagram.blocks.items():
        d.add(name, block)
    for wire in network.diagram.wires:
        ends = [
            f"{e.block}[{e.port}]"
            if isinstance(e.port, int)
            else (f"{e.block}.{e.port}" if e.port else e.block)
            for e in (wire.source, wire.destination)
        ]
        if wire.destination.block in network.names:
            hold = f"hold_{wire.destination.block}"
            d.add(hold, bd.ZeroOrderHold(period))
            d.connect(ends[0], hold, ends[1])
        else:
            d.connect(*ends)
    steps = 8
    r = d.simulate(stop=steps * period, rtol=1e-10, atol=1e-12)
    x = network.x0.copy()
    free, inputs, const = separate(network)
    n, m = inputs.shape
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:] = free, inputs
    phi = expm(whole * period)
    for _ in range(steps):
        u = const[0] @ (network.C @ x) + const[1]
        x = phi[:n, :n] @ x + phi[:n, n:] @ u
    exact = network.C @ x
    np.testing.assert_allclose(
        [r.final(name) for name in network.names], exact, atol=1e-7 * (1 + np.abs(exact).max())
    )


def separate(network: Network) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Free dynamics, input matrix and the feedback u = W y + w of a network."""
    blocks = [network.diagram.blocks[n] for n in network.names]
    A, B = [], []
    for kind, block in zip(network.kinds, blocks, strict=True):
        if kind == "integrator":
            A.append(np.zeros((1, 1)))
            B.append(np.ones((1, 1)))
        else:
            den = np.asarray(block.den)
            a = np.eye(den.size - 1, k=-1)
            a[0] = -den[1:]
            A.append(a)
            B.append(np.eye(den.size - 1, 1))
    free, inputs = block_diagonal(A), block_diagonal(B)
    left = np.linalg.pinv(inputs)
    W = left @ (network.A - free) @ np.linalg.pinv(network.C)
    return free, inputs, (W, left @ network.drive)


Break = Callable[[bd.Diagram, Any], type[Exception]]


def forget_a_wire(d: bd.Diagram, rng: Any) -> type[Exception]:
    d._wires.pop(int(rng.integers(len(d._wires))))
    return MissingInput


def drive_twice(d: bd.Diagram, rng: Any) -> type[Exception]:
    wire = d.wires[int(rng.integers(len(d.wires)))]
    d.connect(
        "one",
        f"{wire.destination.block}[{wire.destination.port or 0}]"
        if not isinstance(wire.destination.port, str)
        else f"{wire.destination.block}.{wire.destination.port}",
    )
    return BadWire


def name_no_block(d: bd.Diagram, rng: Any) -> type[Exception]:
    d.connect("one", d.add("spare", bd.Gain()), f"nobody{rng.integers(9)}")
    return UnknownBlock


def name_no_port(d: bd.Diagram, rng: Any) -> type[Exception]:
    d.connect("one", f"{rng.choice(list(d.blocks))}.nothing")
    return UnknownPort


def count_too_far(d: bd.Diagram, rng: Any) -> type[Exception]:
    d.connect("one", f"{rng.choice(list(d.blocks))}[99]")
    return UnknownPort


def close_a_loop(d: bd.Diagram, rng: Any) -> type[Exception]:
    n = int(rng.integers(1, 5))
    names = [d.add(f"{'qrst'[k]}loop", bd.Gain(0.5)) for k in range(n)]
    d.connect(*names, names[0])
    return AlgebraicLoop


def mix_sizes(d: bd.Diagram, rng: Any) -> type[Exception]:
    d.connect(d.add("two", bd.Constant([1.0, 2.0])), d.add("mix", bd.Sum("++"))[0])
    d.connect(d.add("three", bd.Constant([1.0, 2.0, 3.0])), "mix[1]")
    return SizeMismatch


def add_again(d: bd.Diagram, rng: Any) -> type[Exception]:
    name = str(rng.choice(list(d.blocks)))
    d.add(name, bd.Gain())
    return DuplicateName


BREAKS: tuple[Break, ...] = (
    forget_a_wire, drive_twice, name_no_block, name_no_port,
    count_too_far, close_a_loop, mix_sizes, add_again,
)  # fmt: skip


@drawn(seed=SEEDS, break_it=st.sampled_from(BREAKS))
def test_random_mis_wirings_give_the_right_error(seed, break_it):
    rng = np.random.default_rng(seed)
    d = Network(seed).diagram
    expected: list[type[Exception]] = []

    def run() -> None:
        expected.append(break_it(d, rng))
        d.check()

    with pytest.raises(bd.DiagramError) as caught:
        run()
    wanted = expected[0] if expected else DuplicateName
    assert type(caught.value) is wanted
    assert str(caught.value).strip()


@drawn(seed=SEEDS)
def test_names_and_order_of_declaration_do_not_matter(seed):
    """The same network declared in reverse gives the same bits."""
    d = Network(seed).diagram
    back = bd.Diagram()
    for name, block in reversed(list(d.blocks.items())):
        back.add(name, block)
    back._wires.extend(reversed(d.wires))
    a, b = d.simulate(stop=1), back.simulate(stop=1)
    assume(len(a) > 0)
    assert all(a.trace(p).identical(b.trace(p)) for p in a)
