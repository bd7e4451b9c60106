"""Describe a method as one value that the loop, the settings and the documents read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from ...base.door import body
from .data import Data, InvalidMethod, Kind

if TYPE_CHECKING:
    from ..backend import Backend, Interpolate, Margin, Phase, PhaseAt

Want = Literal["jacobian", "time derivative", "sparse jacobian"]


class Steps(NamedTuple):
    """The functions that the loop calls for a step, and for the solution within it.

    A family of methods makes them, (backend, margin) -> Steps. `code` is passed on to the program's
    functions, such as `backend.derivative(code, t, x, dx, m)`; `m` is the program's memory
    (`layout.Memory`), `s` the solver's (`layout.Work`). Functions write into arrays that exist and keep
    nothing elsewhere: from one call to the next they have the rows of s.U, as many as the `increments` of
    the method's data.

    take(code, m, s, target) -> status

    1. The step begins at (s.t, m.x), with the slope there in s.K[0] and the zero crossings there in s.G[0].
       s.at_hand is 0 right after an instant that changed something: nothing of earlier steps is valid then.
    2. It ends at `target` or before it, later than s.t: s.t_new is the end, s.h_taken the length, s.x_new the
       state. Neither s.t nor m.x changes: the loop accepts the step later, or calls `take` again from the
       same point with a shorter s.h.
    3. `backend.evaluate` is called at (t_new, x_new), with the slope into s.K[s.stages - 1]. Calls after it
       are of `backend.derivative` only, and m.g holds the zero crossings of the end at last.
    4. The zero crossings, m.g after a call of the program, are in s.G[j] at s.t + s.C[j] h_taken, for every j
       from 1 to s.stages - 1. The data of the method gives C: see `data.Nodes` and `data.without_weights`.
    5. A method that chooses its steps by their error (`adaptive`) tries s.h first, at most s.h_max, and
       leaves in s.h the length of the next step; tolerances are s.atol and s.rtol, one per state. It counts
       refused attempts in s.rejected, and sets s.rejected_last to 1 after one, to 0 at its end. The loop
       that does this for an attempt of a step is `steps.control.make_within_tolerance`. Other methods take
       s.h_fixed.
    6. The result is 0, or a status of `layout`: NONFINITE with s.t_bad, COLLAPSED with s.t_bad where no step
       is short enough, KERNEL_FAILED with s.detail where a function of the program returned a negative
       number. A positive number means that a value is not finite there: a shorter step may succeed.
    7. s.evaluations counts the calls of the program's derivative.

    prepare(code, m, s) -> 0, or a negative number of the program

    8. It computes what `interpolate` needs besides, and is called once or more often before it.

    interpolate(m, s, theta, out)

    9. It writes x(t + theta h_taken) into `out`, 0 <= theta <= 1, for the step that ends at s.t_new as `take`
       left it, also after an event has moved s.t_new and s.x_new; s.h_taken stays. So it reads no s.x_new.
       At theta = 0 and at the end of the uncut step it meets the states there.

    explicit   whether the steps are the formula whose tableau is in the arrays of the run
    """

    take: PhaseAt
    prepare: Phase
    interpolate: Interpolate
    explicit: bool = False


Family: TypeAlias = "Callable[[Backend, Margin], Steps]"
"""Makes the functions of a kind of steps, (backend, margin) -> Steps; margin(s, g, q) is negative where zero
crossing q has fired."""


def runge_kutta(backend: Backend, margin: Margin) -> Steps:
    """The steps of all explicit methods, Runge-Kutta and Adams, by their tableau."""
    make_steps: Family = body("solvers.steps.explicit:make_steps")
    return make_steps(backend, margin)


def rodas5p(backend: Backend, margin: Margin) -> Steps:
    """The steps of Rodas5P, whose numbers stand in the code."""
    make_steps: Family = body("solvers.steps.linearly_implicit:make_steps")
    return make_steps(backend, margin)


def bdf(backend: Backend, margin: Margin) -> Steps:
    """The steps of BDF, whose numbers stand in the code."""
    make_steps: Family = body("solvers.steps.backward:make_steps")
    return make_steps(backend, margin)


def radau5(backend: Backend, margin: Margin) -> Steps:
    """The steps of Radau IIA, whose numbers stand in the code."""
    make_steps: Family = body("solvers.steps.collocation:make_steps")
    return make_steps(backend, margin)


COMPILED: tuple[Family, ...] = (runge_kutta, rodas5p, bdf, radau5)


@dataclass(frozen=True, eq=False)
class Method:
    """A method of integration: `simulate(method=Method(...))`, or by its name once it is registered.

    Example:
        midpoint = Method(
            "midpoint", "Explicit midpoint rule", "C. Runge, Mathematische Annalen 46 (1895) 167-178",
            butcher_tableau([[], ["1/2"]], [0, 1], order=2),
        )
        diagram.simulate(stop=1.0, method=midpoint, step=0.01)

    Raises InvalidMethod if one of these is something else.
    """

    name: str  #: the word that chooses it
    title: str
    source: str  #: where it was published
    data: Data  #: its coefficients, and by them the arrays that a run needs: a Tableau, for explicit methods
    steps: Family = field(default=runge_kutta, repr=False)  #: takes its steps and interpolates within them
    wants: tuple[Want, ...] = ()  #: requirements on a program besides slopes
    aliases: tuple[str, ...] = ()  #: its names elsewhere
    stiff: Method | None = None  #: method for stiff phases; None: itself

    def __post_init__(self) -> None:
        facts: dict[str, Any] = dict(vars(self))
        wants = get_args(Want)
        for name, right, expected in (
            (
                "name",
                isinstance(facts["name"], str) and self.name.isidentifier(),
                "a word of letters and digits",
            ),
            ("title", isinstance(facts["title"], str), "text"),
            ("source", isinstance(facts["source"], str), "text"),
            ("data", isinstance(facts["data"], Data), "a tableau (butcher_tableau), or other Data"),
            ("steps", callable(facts["steps"]), "a function that makes steps, such as `runge_kutta`"),
            ("wants", _is_tuple_of(facts["wants"], wants.__contains__), f"a tuple of {' and '.join(wants)}"),
            ("stiff", self.stiff is None or _follows(self), FOLLOWS),
            (
                "aliases",
                _is_tuple_of(facts["aliases"], lambda word: isinstance(word, str)),
                "a tuple of words",
            ),
        ):
            if not right:
                raise InvalidMethod(f"Method: {name} is {facts[name]!r:.80}\nexpected: {expected}")

    @property
    def order(self) -> int:
        """Order of convergence."""
        return self.data.order

    @property
    def adaptive(self) -> bool:
        """True if it chooses its steps by their error."""
        return self.data.adaptive

    @property
    def kind(self) -> Kind:
        """Fixed steps, of one step or of several; or steps chosen by their error, explicit or implicit."""
        return self.data.kind

    @property
    def compiled(self) -> bool:
        """True if its steps are compiled with the loop; other steps run in Python."""
        return self.steps in COMPILED


FOLLOWS = (
    "a compiled implicit method, after a tableau with an error estimate whose last two stages lie at the end"
)


def _follows(method: Method) -> bool:
    """True if one method can take over from the other."""
    stiff, nodes = method.stiff, getattr(method.data, "c", ())
    right = isinstance(stiff, Method) and stiff.compiled and stiff.kind == "implicit" and stiff.stiff is None
    return right and method.kind == "adaptive" and tuple(nodes[-2:]) == (1, 1)


def _is_tuple_of(values: object, right: Callable[[Any], bool]) -> bool:
    return isinstance(values, tuple) and all(map(right, values))
