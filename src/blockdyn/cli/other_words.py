"""Other words: commands and options as they are called elsewhere, and what they are here."""

from __future__ import annotations

from collections.abc import Collection

from ..base.nearest import nearest

_COMMANDS = {
    "run FILE": "simulate sim start exec execute",
    "run FILE --plot": "plot",
    "run FILE --live": "live watch",
    "run FILE --page run.html": "page html",
    "graph FILE": "draw show view diagram picture render",
    "check FILE": "validate verify lint",
    "sweep FILE": "montecarlo monte-carlo ensemble study",
    "gallery": "list ls examples example demo demos",
    "blocks NAME": "block library",
    "docs": "doc documentation site",
    "new NAME": "init create",
    "--help": "help",
}
_METHODS = {
    "fit": "diagram.fit", "tune": "diagram.tune", "measure": "diagram.measure", "optimize": "diagram.tune",
    "sensitivity": "diagram.sensitivities", "gradient": "diagram.gradient",
}  # fmt: skip
"""What is done in Python alone."""
_OPTIONS = {
    "--stop": "--time --until --duration --tstop --t-end --end --tf -t",
    "--at": "--time -t",
    "--out": "--output --save --write --csv --file -o",
    "--table": "--output --out --save --csv",
    "--report": "--html --plot",
    "--step": "--dt --h --fixed-step --timestep --time-step --step-size",
    "--search": "--find --grep",
    "--param": "-p --parameter --params --parameters -P --axis",
    "--method": "--solver --integrator",
    "--picture": "--draw --svg --graph",
    "--port": "--host",
}


def nearest_command(word: str, commands: Collection[str]) -> str:
    """', did you mean `run FILE`?' for a word that is no command, or an empty string."""
    if word.endswith((".yaml", ".yml")):
        return f", did you mean `run {word}`?"
    if word in _METHODS:
        return f"; in Python it is `{_METHODS[word]}(...)`, of `diagram = blockdyn.load(FILE)`"
    meant = _meant(word, _COMMANDS)
    return f", did you mean `{meant[0]}`?" if meant else nearest(word, commands)


def nearest_option(word: str, options: Collection[str]) -> str:
    """', did you mean `--stop`?' for a word that is no option of a command, or what sets a parameter."""
    meant = [option for option in _meant(word, _OPTIONS) if option in options]
    bare = [option.removeprefix("--") for option in options]  # without what is the same in all of them
    near = f", did you mean `{meant[0]}`?" if meant else nearest(word.lstrip("-"), bare, likeness=0.7)
    near = near if meant else near.replace("`", "`--", 1)
    if near or "--param" not in options or not word.startswith("--"):
        return near
    return f"; a parameter is set by `--param {word.removeprefix('--')}=VALUE`"


def _meant(word: str, table: dict[str, str]) -> list[str]:
    return [ours for ours, theirs in table.items() if word in theirs.split()]
