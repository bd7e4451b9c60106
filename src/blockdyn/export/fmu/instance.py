"""An instance of an FMU in memory: its own numbers, then the run of the diagram, three times.

The block of an instance begins with `Instance` and its arrays. Then the words of the run's image follow: as
the run now is; with the values that were chosen for its start, or for the next event; and as it was before a
step that a communication point cut short. The buffers of the log are last.
"""

from __future__ import annotations

from ...solvers.calls import structure_at
from ...solvers.fields import Count, Counts, Real, Reals, Structure

MODEL_EXCHANGE, CO_SIMULATION = 0, 1  # kinds, as FMI 2.0 numbers them
OK, WARNING, DISCARD, ERROR = range(4)  # statuses of calls
INSTANTIATED, INITIALIZATION, EVENT, CONTINUOUS, STEPS, STEP_FAILED, TERMINATED, FAILED = (
    1 << k for k in range(8)
)
"""States of an instance, FMI 2.0.4, sections 3.2.3 and 4.2.4."""
BEFORE_RUN = INSTANTIATED | INITIALIZATION
CHOSEN = 1 << 8  # next to the states in which a variable can be set: its value is the chosen one at any time


class Instance(Structure):
    """The numbers of an instance that are not its run's."""

    logger = Count()  # the address of the tool's function for messages
    environment = Count()  # its first argument
    name = Count()  # the address of its second argument
    kind = Count()
    state = Count()
    dirty = Count()  # 1: signals and derivatives do not belong to the time, the states and the inputs
    touched = Count()  # 1: chosen values wait for the next event
    marked = Count()  # 1: `mark` is the run before a step that a communication point cut short
    trouble = Count()  # the status of solvers.layout with which the run failed
    stopped = Count()  # 1: a Stop block has ended the run
    memory = Count()  # addresses of the run's Memory and Work
    work = Count()
    end = Real()  # of the run, s: steps before it do not depend on communication points
    first = Counts(dimensions=1)  # per variable: its first entry in `places`; then their number
    places = Counts(dimensions=1)  # indices of words of the block
    settable = Counts(dimensions=1)  # per variable: the states in which it can be set
    slopes = Reals(dimensions=1)
    scale = Reals(dimensions=1)  # the largest value of each zero crossing so far
    kept = Reals(dimensions=1)  # numbers of zero crossings that other values do not change
    live = Counts(dimensions=1)  # the run, three times
    chosen = Counts(dimensions=1)
    mark = Counts(dimensions=1)


class Model(Structure):
    """The constants of an FMU."""

    template = (
        Count()
    )  # the address of the words with which an instance begins, without the second and third run
    addresses = Count()  # the address of the list of words that are addresses
    identity = Count()  # the address of its text
    count = Count()  # of these addresses
    image = Count()  # words before the run
    run = Count()  # words of the run
    bytes = Count()  # of an instance
    kinds = Count()  # the sum of 1 << kind of the kinds that the FMU has


instance_at = structure_at(Instance)
model_at = structure_at(Model)
