"""A run in Python that waits for the compiler says so where somebody looks, once, and elsewhere nothing."""

from __future__ import annotations

from typing import Any

from blockdyn.diagrams.runs.waiting import make_writer, waiting
from blockdyn.native.compiling import compile_kernel


def loop(u: float) -> float:
    return u + 1.0


loop.__qualname__ = "build.loop"  # as the solver's is called


def test_the_wait_for_the_solver_is_one_line_and_an_inner_one_adds_none() -> None:
    said: list[str] = []
    with waiting(said.append), waiting(said.append):
        compile_kernel(loop, ("d",))
    text = "".join(said)
    assert text.startswith("compiling the solver")
    assert text.count("\n") == 1
    assert " done in " in text


def test_pipes_hear_nothing_unless_asked_for(capsys: Any) -> None:
    assert make_writer(None) is None
    assert make_writer(False) is None
    say = make_writer(True)
    assert say is not None
    say("compiling")
    assert capsys.readouterr().err == "compiling"


def test_nobody_listens_outside() -> None:
    said: list[str] = []
    with waiting(said.append):
        pass
    compile_kernel(loop, ("d",))
    assert said == []
