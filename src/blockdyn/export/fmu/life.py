"""Create and free an instance of an FMU; save and restore its memory for a tool.

Calls take the address of the instance first, and return a status.
"""

from __future__ import annotations

from ...solvers.calls import memory, work
from ...solvers.fields import WORD
from ...solvers.layout import READS
from .core import begin, copy, start_at
from .instance import (
    CO_SIMULATION,
    ERROR,
    EVENT,
    FAILED,
    INITIALIZATION,
    INSTANTIATED,
    MODEL_EXCHANGE,
    OK,
    STEPS,
    TERMINATED,
    allocate,
    get_byte,
    get_real,
    get_word,
    instance_at,
    model,
    model_at,
    release,
    set_byte,
    set_real,
    set_word,
)

LOGGER, ENVIRONMENT = 0, 4  # words of fmi2CallbackFunctions
NEVER = 1e300  # s


def shift(block: int, by: int) -> None:
    """Add a distance to all addresses in the block of an instance."""
    constants = model_at(model())
    for k in range(constants.count):
        word = get_word(constants.addresses, k)
        set_word(block, word, get_word(block, word) + by)


def fill(block: int, kind: int) -> None:
    """Write the numbers with which an instance begins.

    For Model Exchange, where the tool makes the steps, every tick is a time event.
    """
    constants = model_at(model())
    for k in range(constants.image + constants.run):
        set_word(block, k, get_word(constants.template, k))
    for k in range(constants.run):
        value = get_word(block, constants.image + k)
        set_word(block, constants.image + constants.run + k, value)
        set_word(block, constants.image + 2 * constants.run + k, value)
    shift(block, block)
    i = instance_at(block)
    i.kind = kind
    i.state = INSTANTIATED
    if kind == MODEL_EXCHANGE:
        s = work(i.work)
        for k in range(s.timers.shape[0]):
            s.timers[k, READS] = 0
        s.reading = 0
        s.t_end = NEVER
        copy(i.live, i.chosen)


def instantiate(name: int, kind: int, identity: int, callbacks: int) -> int:
    """The address of a new instance, or 0."""
    if callbacks == 0:
        return new_instance(name, kind, identity, 0, 0)
    return new_instance(name, kind, identity, get_word(callbacks, LOGGER), get_word(callbacks, ENVIRONMENT))


def instantiate_exchange(name: int, identity: int, environment: int, logger: int) -> int:
    """The address of a new instance for Model Exchange, or 0."""
    return new_instance(name, MODEL_EXCHANGE, identity, logger, environment)


def instantiate_steps(
    name: int, identity: int, events: int, early: int, environment: int, logger: int
) -> int:
    """The address of a new instance for Co-Simulation, or 0: for a tool that handles its events, too."""
    if events != 0:
        return 0
    block = new_instance(name, CO_SIMULATION, identity, logger, environment)
    if block != 0:
        instance_at(block).early = early
    return block


def new_instance(name: int, kind: int, identity: int, logger: int, environment: int) -> int:
    """The address of a new instance, or 0: of a kind that the FMU has, by the identity of its description."""
    constants = model_at(model())
    if (constants.kinds >> kind) & 1 == 0:
        return 0
    k = 0
    while get_byte(identity, k) == get_byte(constants.identity, k) and get_byte(identity, k) != 0:
        k += 1
    if get_byte(identity, k) != get_byte(constants.identity, k):
        return 0
    length = 0
    while get_byte(name, length) != 0:
        length += 1
    block = allocate(constants.bytes + length + 1)
    if block == 0:
        return 0
    fill(block, kind)
    i = instance_at(block)
    i.name = block + constants.bytes
    for k in range(length):
        set_byte(i.name, k, get_byte(name, k))
    i.logger = logger
    i.environment = environment
    return int(block)


def free_instance(c: int) -> int:
    """Free the memory of an instance."""
    release(c)
    return OK


def reset(c: int) -> int:
    """Reset the instance to its initial state."""
    i = instance_at(c)
    logger, environment, name, early = i.logger, i.environment, i.name, i.early
    fill(c, i.kind)
    i.logger, i.environment, i.name, i.early = logger, environment, name, early
    return OK


def set_up_experiment(
    c: int, tolerance_defined: int, tolerance: float, start: float, stop_defined: int, stop: float
) -> int:
    """Set the start and the end of the run, and the relative tolerance of its steps; the absolute one keeps
    its ratio to it.
    """
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    if tolerance_defined != 0 and tolerance > 0.0 and tolerance != s.tightest:
        factor = tolerance / s.tightest
        for k in range(m.x.size):
            s.rtol[k] *= factor
            s.atol[k] *= factor
        common = i.live.size - 1
        set_real(i.live.ctypes.data, common, factor * get_real(i.live.ctypes.data, common))
        s.tightest = tolerance
    if start != s.t_start:
        i.end += start - s.t_start
        start_at(i, m, s, start)
    if stop_defined != 0:
        if not stop >= start:
            return ERROR
        i.end = stop
    copy(i.live, i.chosen)
    return OK


def enter_initialization(c: int) -> int:
    """Allow values to be set that determine signals at the start."""
    i = instance_at(c)
    i.state = INITIALIZATION
    i.touched = 1
    return OK


def set_up_initialization(
    c: int, tolerance_defined: int, tolerance: float, start: float, stop_defined: int, stop: float
) -> int:
    """Set up the run, then allow values to be set."""
    status = set_up_experiment(c, tolerance_defined, tolerance, start, stop_defined, stop)
    return enter_initialization(c) if status == OK else status


def exit_initialization(c: int) -> int:
    """Begin the run."""
    i = instance_at(c)
    status = begin(i, work(i.work)) if i.touched == 1 else OK
    i.state = FAILED if status == ERROR else STEPS if i.kind == CO_SIMULATION else EVENT
    return status


def terminate(c: int) -> int:
    """End the run; variables can still be read."""
    instance_at(c).state = TERMINATED
    return OK


# ---- memory of an instance ----


def state_size() -> int:
    """Words of a saved instance: all but the buffers of its log."""
    constants = model_at(model())
    return int(constants.image + 3 * constants.run)


def copy_block(source: int, target: int) -> None:
    """Copy the words of a saved instance."""
    for k in range(state_size()):
        set_word(target, k, get_word(source, k))


def saved_block(address: int) -> int:
    """The block whose address the tool keeps, a new one if there is none; 0 without memory."""
    if get_word(address, 0) == 0:
        set_word(address, 0, allocate(WORD * state_size()))
    return int(get_word(address, 0))


def get_state(c: int, address: int) -> int:
    """Copy the instance into a block, a new one if there is none; addresses in it are distances."""
    saved = saved_block(address)
    if saved == 0:
        return ERROR
    copy_block(c, saved)
    shift(saved, -c)
    return OK


def set_state(c: int, saved: int) -> int:
    """Restore the instance from a copy."""
    i = instance_at(c)
    if saved == 0 or instance_at(saved).kind != i.kind:
        return ERROR
    logger, environment, name, early = i.logger, i.environment, i.name, i.early
    copy_block(saved, c)
    shift(c, c)
    i.logger, i.environment, i.name, i.early = logger, environment, name, early
    return OK


def free_state(c: int, address: int) -> int:
    """Free a copy's memory."""
    if get_word(address, 0) != 0:
        release(get_word(address, 0))
        set_word(address, 0, 0)
    return OK


def size_of_state(c: int, saved: int, size: int) -> int:
    """Bytes of a copy."""
    set_word(size, 0, WORD * state_size())
    return OK


def serialize_state(c: int, saved: int, target: int, size: int) -> int:
    """Copy the words of a copy into the tool's bytes."""
    if saved == 0 or size < WORD * state_size():
        return ERROR
    copy_block(saved, target)
    return OK


def deserialize_state(c: int, source: int, size: int, address: int) -> int:
    """Make a copy of bytes."""
    if size != WORD * state_size():
        return ERROR
    saved = saved_block(address)
    if saved == 0:
        return ERROR
    copy_block(source, saved)
    return OK
