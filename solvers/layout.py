"""Memory layout of a run: fields of the program and of the solver, and their status codes."""

from __future__ import annotations

from .fields import Count, Counts, Floats, Integers, Part, Real, Reals, Structure

__all__ = ["Floats", "Integers"]  # from here, too

# ---- phases ----
STEPPING, WRITING, ACCEPTING = 0, 1, 2

# ---- return values of `advance` ----
(
    DONE, PAUSED, FULL, STOPPED, NONFINITE, COLLAPSED, CROWDED_EVENTS, UNSETTLED, KERNEL_FAILED, TOO_MANY,
    CHATTERING, SWITCHED, UNSTRUCTURED, UNPREPARED,
) = range(14)  # fmt: skip

# ---- row flags ----
AT_STEP, LEFT, RIGHT, AT_GRID, INITIAL = range(5)
WITHIN, HELD_ONLY = 5, 6  # the limit from the left within a step; a tick within one, held signals alone

# ---- bits of `fresh`: its block changed mode, or a held state by itself, or is enabled or no longer ----
MODE_CHANGED, STATE_CHANGED, ENABLED = 1, 2, 4

# ---- columns of the table of delays: places in z, number of levels, a crossing or -1, 1 for a delay behind
# another, 1 for one that may be shorter than a step ----
(PASSED, LEVELS, SIZE, MARK, CROSSES, BEHIND, SHORT) = range(7)
# levels that ask for the error of such a delay: at the end of the step, and within it
PROBE_END, PROBE = -2.0, -3.0
UNTOUCHED = 1e3  # the level of an instant that the input of a delay cannot feel

# ---- signals of a row at ticks that only read ----
NOTHING, HELD_SIGNALS, EVERYTHING = range(3)

# ---- columns of the timer table ----
(RATIONAL, DENOMINATOR, OFFSET, PERIOD, COUNT, DATA, MODE, HIT, READS) = range(9)
TIMER_COLUMNS = 9


class Memory(Structure):
    """The memory of a program, whose address its functions receive."""

    x = Reals(dimensions=1)  # continuous states
    z = Reals(dimensions=1)  # held ones
    modes = Counts(dimensions=1)
    p = Reals(dimensions=1)  # parameters
    w = Reals(dimensions=1)  # signals
    g = Reals(dimensions=1)  # zero crossings
    hit = Counts(dimensions=1)  # per clock: 1 while its tick is handled
    fired = Counts(dimensions=1)  # per zero crossing: 1 while its event is handled
    fresh = Counts(dimensions=1)  # per zero crossing: bits of what changed, see MODE_CHANGED


class Clock(Part):
    """The step in time: its start and end, its size, and the limits of the size."""

    t = Real()  # where it begins
    t_new = Real()  # where it ends
    h = Real()  # the size of the next one
    h_taken = Real()  # the size of this one, as it was before an event cut it
    h_max = Real()
    h_first = Real()  # of the run; 0: it is estimated
    h_fixed = Real()  # of methods of fixed steps
    h_calm = Real()  # steps below are never too long for a zero crossing
    h_resumed = Real()  # the next one after an event at which the step taken anew is to end; 0: none
    t_start = Real()  # of the run
    t_end = Real()
    adaptive = Count()  # 1: step-size control, 0: fixed steps
    grid_step = Count()  # the index of the next fixed step's end
    rejected_last = Count()  # 1: the last attempt was rejected


class States(Part):
    """The state along the step, its slopes, its tolerances, and the places at which the loop sees both."""

    x_new = Reals("states")  # the state where the step ends
    x_trial = Reals("states")
    scratch = Reals("states")
    atol = Reals(dimensions=1)
    rtol = Reals(dimensions=1)
    tightest = Real()  # the smallest rtol, for quantities of no single state
    K = Reals("slopes", "states")  # one row a stage
    C = Reals("nodes")
    stages = Count()  # of a step, the last one at its end
    estimate_order = Count()  # power of the step that the error estimate shrinks with
    at_hand = Count()  # such slopes at hand; 0 just after an instant that changed something
    dense = Count()  # 1: the extra stages are there, 2: the parts of solvers.steps.parts
    forced = Count()  # 1: the step ends at an event beyond which nothing is finite
    written_out = Count()  # 1: the default method, its coefficients in the code; 2: in the program's own step
    multistep = Count()  # slopes of earlier steps that an Adams formula uses
    back = Reals("steps_back", "states")  # slopes of earlier steps
    log_error = Real()  # the logarithm of the error of the step before
    log_doubtful = Real()  # one from which on the state at an event within needs such a step
    stable = (
        Real()
    )  # h times the size of the Jacobian at which the method becomes unstable; infinite: unknown
    back_used = Count()  # 1: the step taken is an Adams step


class Events(Part):
    """Zero crossings, timers and delays, and the events that come from them."""

    t_bad = Real()  # of the event in this step, or infinite; where a run ends, where its trouble is
    t_event = Real()  # of the last state event
    zeno_gap = Real()  # state events closer together than that are crowded
    t_close = Real()  # the first of the state events in a row that may be chattering
    crowded = Count()  # state events in a row that come closer than the Zeno gap
    close = Count()  # state events in a row that may be chattering
    came_back = Count()  # 1: a mode has changed and come back among the last of them
    announcer = Count()  # the timer whose state announced the last time event of the instant, or -1
    creeping = Count()  # a timer whose instants crowd together, or -1
    jumper = Count()  # the continuous state that jumped last in such events, or -1
    fired_at = Reals("crossings")  # per zero crossing: when it fired last, upwards where it has no direction
    fired_gap = Reals("crossings")  # the time from one such firing to the next
    fired_ratio = Reals("crossings")  # of this gap to the one before
    switcher = Count()  # the mode, or after the modes the held state, that came back last
    last_crossing = Count()  # the zero crossing found last
    G = Reals("stages", "crossings")  # zero crossings, one row a stage
    side = Counts("crossings")  # the sign it had last
    shift = Reals("crossings")  # the level that counts as zero
    side_before = Counts("crossings")  # both where the step begins
    shift_before = Reals("crossings")
    direction = Counts(dimensions=1)  # per zero crossing: +1 rising, -1 falling, 0 both
    passage = Counts(dimensions=1)  # per zero crossing: 1 where only a change of sign is an event
    turns = Counts(dimensions=1)  # per zero crossing: 1 where turns of its value are its events
    first = Counts(dimensions=1)  # per zero crossing: the first one of its block, or of this element of it
    turning = Count()  # 1: there are such crossings
    touched = Count()  # a crossing that came back from its level within the last step, or -1
    turned = Counts("crossings")  # 1: it turns where the step ends
    previous = Counts(dimensions=2)  # places in w, and in z, of signals kept as they were before an instant
    samples = Reals("sample_rows", "crossings")  # along one step, and what is known of them
    nodes = Reals(dimensions=1)  # where the samples lie, in parts of the step
    watch = Reals(dimensions=2)  # modes and held states at an event, and whether each has changed since
    delays = Counts(dimensions=2)  # blocks with a history
    joint = Count()  # the mode that is 1 while loops and modes are solved together, or -1
    modes_before = Counts(dimensions=1)  # the modes before an instant, where they may be solved for
    passed = Reals(dimensions=1)  # per delay: the breaks that had arrived before an instant
    causes = Count()  # timers and crossings of an instant
    stop_modes = Counts(dimensions=1)  # modes that end the run when not 0
    timers = Counts(dimensions=2)
    timer_integers = Counts(dimensions=1)
    timer_floats = Reals(dimensions=1)


class Log(Part):
    """The rows and events that are written."""

    gridded = Count()  # 1: rows at given times, 0: at every step
    grid_next = Count()  # the first given time not yet written
    refine = Count()  # rows per step; 0: only at events and where the run ends
    refine_next = Count()
    reading = Count()  # 1: some clocks only read, and no step ends at their ticks
    heard = Count()  # which of the signals of a row hear these ticks
    t_row = Real()  # where the rows of this step begin: its start, or the last tick within it that has rows
    rows = Count()  # in the log
    event_rows = Count()  # in the event log
    stale = Count()  # 1: the signals in w do not belong to (t, x)
    grid = Reals(dimensions=1)
    columns = Counts(dimensions=1)  # which signals a row holds
    log = Reals(dimensions=2)
    events = Reals(dimensions=2)


class Progress(Part):
    """The loop between two calls: its counters, its budget, and its status."""

    phase = Count()  # where to go on after a pause
    budget = Count()  # steps until the next pause
    most_steps = Count()  # accepted steps after which a run is given up
    steps = Count()
    rejected = Count()
    evaluations = Count()
    jacobians = Count()
    factorizations = Count()
    state_events = Count()
    time_events = Count()
    looked = Count()  # explicit steps whose stability was looked at, and those that each look stands for
    limited = Count()  # of these, steps that are as long as stability allows
    bad_evaluations = Count()  # attempts in a row that met a number that is not finite
    bad_state = Count()  # the state with the largest error when steps collapsed
    unsound = Count()  # 1: the last signals of an instant are not all finite
    detail = Count()  # return value of a program's function that failed
    leave = Count()  # 1: the other one takes the next step
    implicit = Count()  # 1: it is the implicit one that steps
    implicit_steps = Count()


class Common(Clock, States, Events, Log, Progress):
    """Fields of every run."""


class Explicit(Common):
    """The tableau of an explicit method, see solvers.methods.tableau."""

    extra = Count()  # further stages that only dense output needs
    two_errors = Count()  # 1: the error is put together from two estimates (DOP853)
    A = Reals(dimensions=2)  # the tableau, see solvers.methods.tableau
    E = Reals(dimensions=1)
    E3 = Reals(dimensions=1)
    M = Reals(dimensions=1)  # weights of an Adams formula
    N = Reals(dimensions=2)  # dense output in the products of solvers.methods.tableau.nested
    NM = Reals(dimensions=2)


class Switching(Explicit):
    """Two methods, of which one takes over from the other, see solvers.steps.switching."""

    switching = Count()  # 1: there is another
    patience = Count()  # steps at the bound of stability since the last switch before the next one
    waited = Count()  # such steps so far
    suspicions = Count()  # such steps of late
    reliefs = Count()  # steps in a row below it since
    next_look = Count()  # the number of steps at which stability is looked at
    lost = Real()  # recent cost of implicit steps beyond their savings; -1: unknown
    trial = Real()  # implicit steps that save nothing, after which the explicit method steps again
    price = Real()  # of an implicit step, in explicit ones
    won = Real()  # explicit steps that the implicit ones saved since they took over, less their price
    switches = Count()
    t_switched = Real()  # the time of the first switch, s
    stiff_from = Real()  # h times the size of the Jacobian from which it is stiff
    undamped_from = Real()  # the same where modes are undamped
    log_size = Real()  # a fading mean of the logarithm of h times the Jacobian's size
    along = Real()  # a fading mean of the cosine between differences of states and of their slopes
    log_radius = Real()  # the logarithm of the Jacobian's spectral radius, in 1/s
    fastest = Reals("states")  # the direction in which the Jacobian's products grow most
    other_stages = Count()  # of the method that does not step now, as above
    other_estimate_order = Count()
    other_written_out = Count()
    other_nodes = Reals("nodes")
    h_after = Real()  # size suggested by the step after the last event; 0: none was taken


class Implicit(Switching):
    """Tangents of the program, increments, and the dense output of an implicit step."""

    exact = Count()  # 1: the program has tangents, 0: differences take their place
    timed = Count()  # 1: slopes depend on the time
    shadows = Count()  # where the tangents of the program's memory lie
    cuts = Counts(dimensions=2)  # unknowns of algebraic loops: where in w each is given, and comes out
    signals_d = Reals(dimensions=2)  # the tangents of w
    time_d = Reals("lanes")  # derivatives of the time
    states_d = Reals("states_and_one", "lanes")
    slopes_d = Reals("states_and_one", "lanes")
    U = Reals("increments", "states")  # one row a stage of a Rosenbrock method, and the error within the step
    D = Reals("parts", "states")  # its dense output
    t_dense = Real()  # where the step begins that it is of
    h_dense = Real()
    end_dense = Real()
    t_seen = Real()  # where the part of it begins along which the slopes are in K
    h_seen = Real()


class DenseJacobian(Implicit):
    """A dense Jacobian, and the factors of matrices made of it."""

    J = Reals("square", "states")  # row j: the slopes by state j
    slopes_t = Reals("square")  # the slopes by the time
    wide = Reals("directions", "wide")  # slopes and cut signals by states, the time and cut signals
    loop = Reals("unknowns", "unknowns")  # the matrix of the loops
    loop_pivots = Counts("unknowns")
    LU = Reals("square", "states")  # factors of 1 / (h gamma) I - J, by columns
    pivots = Counts("square")
    LU_real = Reals("complex", "states")  # the factors of a complex matrix, its real and imaginary parts
    LU_imaginary = Reals("complex", "states")
    complex_pivots = Counts("complex")


class SparseJacobian(Implicit):
    """A sparse Jacobian, its structure (see solvers.linear_algebra.structure), and factors."""

    sparse = Count()  # 1: the method that may have a dense one has it
    structured = Count()  # 1: its structure is known, 2: it is as good as can be told; 0: it lacks an entry
    structures = Count()  # found in this run
    columns_at = Counts(dimensions=1)  # where the entries of each column begin
    rows_of = Counts(dimensions=1)
    entries = Reals(dimensions=1)
    colours = Counts(dimensions=1)  # of the columns
    order = Counts(dimensions=1)  # which state is eliminated when
    place_of = Counts(dimensions=1)  # its inverse
    lower_at = Counts(dimensions=1)  # the factors of I - c J, by columns too
    lower_rows = Counts(dimensions=1)
    lower = Reals(dimensions=1)
    upper_at = Counts(dimensions=1)
    upper_rows = Counts(dimensions=1)
    upper = Reals(dimensions=1)
    diagonal = Reals(dimensions=1)
    column = Reals(dimensions=1)  # one that is being eliminated
    lower_pair = Reals(dimensions=2)  # the same of a complex matrix, its real and imaginary parts
    upper_pair = Reals(dimensions=2)
    diagonal_pair = Reals(dimensions=2)
    column_pair = Reals(dimensions=2)
    number = Reals(dimensions=1)  # per state: the direction that tests the entries
    probe = Reals(dimensions=1)  # that direction, as it was gone


class Newton(Implicit):
    """Newton's method over several steps with one Jacobian."""

    iterations = Count()  # of Newton's method, in the last step
    c_factored = Real()  # c of the factors; 0: the Jacobian is to be renewed
    renewed = Count()  # 1: the Jacobian was computed at this point
    events_seen = Count()  # state events until the last step
    rate = Real()  # of convergence of Newton's method


class Collocation(DenseJacobian, SparseJacobian, Newton):
    """Radau IIA, see solvers.steps.collocation."""

    error_before = Real()  # of the step before, in units of the tolerance; 0: none is known
    h_before = Real()  # the length of the attempt before
    predictable = Count()  # 1: the polynomial of the step before goes on


class Backward(SparseJacobian, Newton):
    """Backward differences, see solvers.steps.backward."""

    differences = Reals("differences", "states")  # row j: the j-th, for steps of h_dense
    bdf_order = Count()  # of the step; 0: none was taken
    next_order = Count()
    equal_steps = Count()  # of this length and order


class Work(Collocation, Backward, Structure):
    """The solver's memory between two calls: the parts above in one piece.

    An array whose extents are named is one of the run's own, see `solvers.loop.run.extents`; the others it is
    given. Functions of one family of methods take its part, and so cannot touch what another family keeps.
    """
