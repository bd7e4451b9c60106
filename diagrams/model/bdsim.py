"""Bdsim: what its users, and those of Simulink, Drake and no simulator, type, and where that is here."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.nearest import nearest

TABLE = {
    "BDSim BlockDiagram blockdiagram DiagramBuilder new_system": '`Diagram("name")`, with `simulate`',
    "bdload bdfile": "`load(path)`, of a YAML file",
    "run simulate run_interval sim Simulator": "`diagram.simulate(stop=10)`, which gives the result",
    "add_block AddSystem AddNamedSystem": '`diagram.add("name", block)`',
    "add_wire add_line Connect connect wire link": "`diagram.connect(a, b)`, or `a >> b`",
    "report report_summary report_lists report_schedule info summary describe": "`blockdyn check FILE`",
    "build validate verify": "`diagram.check()`",
    "set set_parameter set_param": '`diagram.simulate(parameters={"kp": 2}, set={"motor.k": 3})`',
    "param Param Parameter expr Expr symbol": '`diagram.parameter("kp", 2)`; a block has `expression("kp")`',
    "add_parameter": '`diagram.parameter("kp", 2)`',
    "reset initialize init": "`diagram.simulate(stop=10)`, which always begins anew",
    "remove delete disconnect replace": "the code that makes the diagram: leave the block or wire out there",
    "copy clone": "`copy.deepcopy(diagram)`",
    "inputs outputs": "what its Inport and Outport blocks take and give",
    "states": "`diagram.simulate(stop=10).states`, of the result",
    "step_response impulse_response bode nyquist poles zeros eig margins": """\
`diagram.linearize(inputs=["a"], outputs=["b"])`, which has step, impulse, bode, nyquist, poles, margins""",
    "parameter_sweep MonteCarlo monte_carlo": '`diagram.sweep({"kp": [1, 2]}, {"top": {"max": "y"}})`',
    "from_yaml load_yaml read_yaml read open parse": '`load("loop.yaml")`',
    "list_blocks help examples gallery": "`blockdyn blocks` and `blockdyn gallery`, commands",
    "version": "`__version__`",
    "set_options options": "arguments of `simulate`",
    "done savefig savefigs": "`result.plot()`, a figure of Matplotlib",
    "out": "the result of `simulate`",
    "plot": "`diagram.simulate(stop=10).plot()`, of the result",
    "show view graph picture render to_svg": '`diagram.draw("loop.svg")`, which a notebook shows',
    "save to_yaml dump write export": '`dump(diagram, "loop.yaml")`, a function of blockdyn',
}
"""Their names, and what they are here."""

_ANSWERS = {name: text for names, text in TABLE.items() for name in names.split()}


def answer(name: str) -> str:
    """What a name of theirs is here, or an empty string."""
    return _ANSWERS.get(name, "")


_ARGUMENTS = {
    "stop": "T tf t t_end tend end until duration length t_final final_time tmax t_max",
    "start": "t0 t_start",
    "max_step": "dt h timestep",
    "method": "solver integrator",
    "initial": "x0 y0 ic initial_conditions",
    "parameters": "params param p args",
    "rtol": "tolerance tol reltol",
    "atol": "abstol",
    "every": "sample_time output_step",
    "progress": "verbose",
    "simulate(stop=10).plot()": "plot show",
    "diagram.live(stop=10)": "live",
}
"""What `simulate` calls the arguments of other runs."""


def argument(name: str, arguments: Sequence[str]) -> str:
    """', did you mean `stop`?' for such an argument or a misspelt one, or an empty string."""
    for ours, theirs in _ARGUMENTS.items():
        if name in theirs.split():
            return f", did you mean `{ours}`?"
    return nearest(name, arguments)


def absent(name: str) -> str:
    """What to add of an attribute that a diagram does not have: what it is here, or how a block is added."""
    from ...blocks.contract.foreign_names import block_named
    from ...blocks.contract.registry import names

    place, block = answer(name), block_named(name, list(names()))
    if place or not block:
        return f"\nhere it is {place}" if place else ""
    return f'{block}\na block is added by `diagram.add("name", block)`, its class is of blockdyn itself'
