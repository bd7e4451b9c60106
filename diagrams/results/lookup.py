"""Find a trace by the name that a user gives it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..model.wire import End
from .errors import ResultError, UnknownSignal, bad_argument
from .trace import Trace

PICTURES = ("png", "pdf", "svg", "jpg")


def holds(path: object, signals: Mapping[str, Trace], states: Mapping[str, Trace]) -> bool:
    """True if `find` finds a trace."""
    if isinstance(path, str) and (path in signals or path in states):
        return True
    try:
        return bool(find(path, signals, states))
    except ResultError:
        return False


def find(
    path: object, signals: Mapping[str, Trace], states: Mapping[str, Trace], ends: Collection[str] = ()
) -> Trace:
    """The trace that `path` names.

    In this order: a signal, a state, the only logged output of a block, an element of any of these
    (`arm.q[0]`, `uav.position[x]`). The objects that `add` and `signal` of a diagram return are names, too.
    `ends` are states that have an end but no samples. Raises UnknownSignal with the nearest names.
    """
    end = getattr(path, "end", None)  # of a block, a port or a signal of a diagram
    if isinstance(end, End) and not isinstance(end.port, int):
        path = str(end)
    if not isinstance(path, str):
        example = str(getattr(path, "end", next(iter(signals), "motor.y")))  # of a block: its own name
        raise bad_argument("signal", f"found {path!r:.80}", f"a path as text, such as {example!r}")
    for traces in (signals, states):
        if path in traces:
            return traces[path]
    outputs = [name for name in signals if name.rpartition(".")[0] == path]
    if len(outputs) == 1:
        return signals[outputs[0]]
    if outputs:
        raise UnknownSignal(path, signals, hint=f"that block logged several outputs: {', '.join(outputs)}")
    base, bracket, key = path.removesuffix("]").partition("[")
    if bracket and path.endswith("]"):
        return find(base, signals, states, ends).element(key)
    if path in ends:
        hint = f"it is not logged: log an output of {path.rpartition('.')[0]}"
        raise UnknownSignal(path, (), hint=f"{hint}, or take its end from final_states()")
    names = (*signals, *(name for name in states if name not in signals))
    if path in ("t", "time"):
        raise UnknownSignal(path, names, more="; times are in `result.time`, and in each signal's `.time`")
    if path.rpartition(".")[2] in PICTURES:
        raise UnknownSignal(path, names, more=f"; `file` saves a figure: plot(file={path!r})")
    block = path.rpartition(".")[0]
    is_logged = bool(block) and any(name.rpartition(".")[0] == block for name in signals)
    if is_logged:
        more = f"; to keep other outputs of {block}, name them in `log`"
    else:
        more = f"; to log it: d.log({path!r}), in YAML `log: [{path}]`"
    raise UnknownSignal(path, names, more=more)
