"""Elsewhere: what blockdyn itself does not have, and its diagrams, results, models or robots do."""

from __future__ import annotations

from typing import Any

KINDS = {
    "LinearModel": '`diagram.linearize("reference", "motor")`',
    "Ensemble": '`diagram.sweep({"kp": [1, 2]}, {"top": {"max": "motor"}}, stop=10).run()`',
    "Fit": '`diagram.fit({"time": t, "motor": y}, ["inertia"])`',
    "Trace": '`result.trace("motor")`',
    "Simulation Sim Simulator": "`diagram.simulate(stop=10)`, which gives the result",
    "load_robot robot": '`robots.load("puma560")`',
}
"""What makes or does that which has this name elsewhere."""
_PLACES = {name: place for names, place in KINDS.items() for name in names.split()}


def place_of(name: str, block: str) -> str:
    """Where what is looked for in blockdyn by a name is found, or an empty string.

    `block` says which block is meant, where one is: it comes before what linear models and results have.
    """
    from . import robots
    from .analysis.models.elsewhere import MODEL
    from .analysis.models.linear_model import LinearModel
    from .diagrams.model.bdsim import answer
    from .diagrams.model.diagram import Diagram
    from .diagrams.results.result import Result

    if place := _PLACES.get(name) or answer(name):
        return place
    if name in dir(robots):
        return f"`blockdyn.robots.{name}`"
    if _is_method(Diagram, name):
        return f"`diagram.{name}(...)`, of a Diagram"
    if block:
        return ""
    linear = {one: place for names, place in MODEL.items() for one in names.split()}
    if _is_method(LinearModel, name):
        return f'`diagram.linearize("reference", "motor").{name}()`, of a linear model'
    if name in linear:
        return f'{linear[name]}, of a linear model: `diagram.linearize("reference", "motor")`'
    if _is_method(Result, name):
        return f"`result.{name}(...)`, of what `diagram.simulate(stop=10)` gives"
    return ""


def _is_method(kind: Any, name: str) -> bool:
    return not name.startswith("_") and callable(getattr(kind, name, None))
