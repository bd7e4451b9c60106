"""Bdsim: what its users, and those of Simulink, Drake and no simulator, type, and where that is here."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.nearest import nearest

TABLE = {
    "BDSim BlockDiagram blockdiagram DiagramBuilder new_system": '`Diagram("name")`, with `simulate`',
    "bdload bdfile": '`load("loop.yaml")`',
    "run simulate run_interval sim Simulator": "`diagram.simulate(stop=10)`, which gives the result",
    "add_block AddSystem AddNamedSystem": '`diagram.add("name", block)`',
    "add_wire add_line Connect connect wire link": "`diagram.connect(a, b)`, or `a >> b`",
    "report report_summary report_lists report_schedule info summary describe": "`blockdyn check FILE`",
    "build validate verify": "`diagram.check()`",
    "set set_parameter set_param": '`diagram.simulate(stop=10, parameters={"kp": 2}, set={"gain.k": 3})`',
    "param Param Parameter expr Expr symbol": '`diagram.parameter("kp", 2)`; a block has `expression("kp")`',
    "add_parameter": '`diagram.parameter("kp", 2)`',
    "reset initialize init": "`diagram.simulate(stop=10)`, which always begins anew",
    "remove delete disconnect replace": "the code that makes the diagram: leave the block or wire out there",
    "copy clone": "`copy.deepcopy(diagram)`",
    "inputs outputs": "what its Inport and Outport blocks take and give",
    "states": "`diagram.simulate(stop=10).states`, of the result",
    "step_response impulse_response step impulse bode nyquist poles zeros eig margins": """\
`diagram.linearize(inputs=["a"], outputs=["b"])`, which has step, impulse, bode, nyquist, poles, margins""",
    "measures metrics overshoot rise_time settling_time itae iae": """\
`diagram.measure({"over": {"overshoot": "motor"}, "rise": {"rise_time": "motor"}}, stop=10)`""",
    "compare overlay": '`diagram.simulate(stop=10).plot("motor", compare={"other": result})`',
    "parameter_sweep MonteCarlo monte_carlo": """\
`diagram.sweep({"kp": [1, 2]}, {"top": {"max": "motor"}}, stop=10)`""",
    "from_yaml load_yaml read_yaml read open parse": '`load("loop.yaml")`',
    "list_blocks help examples gallery": "`blockdyn blocks` and `blockdyn gallery`, commands",
    "version": "`bd.__version__`, of blockdyn itself",
    "optimize optimise minimize minimise optimizer": """\
`diagram.tune(["kp"], "iae", {"iae": {"absolute": "error"}}, stop=10)`; from data: `diagram.fit(...)`""",
    "curve_fit identify estimate calibrate least_squares system_identification": """\
`diagram.fit({"time": t, "motor": y}, ["inertia"])`""",
    "linmod linearise Linearize to_ss state_space transfer_function to_tf": """\
`diagram.linearize("reference", "motor")`""",
    "jacobian jacobians": """\
`diagram.linearize(inputs=["a"], outputs=["b"])`, whose A, B, C and D are Jacobians""",
    "animate": "`result.animate(...)`, of what `diagram.simulate(stop=10)` gives",
    "duration stop_time set_stop_time tspan": "`diagram.settings(stop=10)`, or `diagram.simulate(stop=10)`",
    "to_mermaid to_dot graphviz GetGraphvizString ToGraphviz plot_system_graphviz open_system layout": """\
`diagram.draw("loop.svg")`, which a notebook shows; .mmd is Mermaid""",
    "add_scope scope probe add_logger LogVectorOutput": '`diagram.log("motor")`',
    "get_param get_parameter": '`diagram["motor"].block`, which has the numbers of a block',
    "Build Finalize": "`diagram.check()`; a Diagram needs no building",
    "ExportInput": '`diagram.add("u", Inport())`',
    "ExportOutput": '`diagram.add("y", Outport())`',
    "CreateDefaultContext get_mutable_context Context FixedInputPortValue": """\
arguments of `diagram.simulate(stop=10, initial={...}, inputs={...})`; there is no context to make""",
    "AdvanceTo Initialize step_to advance": "`diagram.simulate(stop=10)`, from the start to there",
    "EvalTimeDerivatives derivatives rhs": "`diagram.compile().derivative(0.0)`",
    "GetSystemByName get_subsystem get_block GetSubsystemByName block": '`diagram["motor"]`',
    "get_input_port get_output_port GetInputPort GetOutputPort": '`diagram.connect("a", "b")`',
    "solve_ivp odeint ode ODE integrate solve": """\
`diagram.simulate(stop=10)`, of Integrators, or of a Block of yours with a derivative""",
    "interconnect NonlinearIOSystem LinearIOSystem iosys summing_junction": """\
`Diagram("name")`, with `add` and `connect`; `a - b` of two blocks makes a Sum""",
    "input_output_response forced_response lsim": "`diagram.simulate(stop=10, inputs={...})`",
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


ARGUMENTS = {
    "stop": """\
T tf t t_end tend tstop t_stop stop_time end until duration length t_final final_time tmax t_max""",
    "start": "t0 t_start",
    "step": "dt h timestep time_step step_size fixed_step delta_t Ts",
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
BESIDE = {"step": " with method rk4 for fixed steps, `every` for even rows, `max_step` for the longest step"}
"""What else an argument of theirs may mean."""


def argument(name: str, arguments: Sequence[str]) -> str:
    """', did you mean `stop`?' for such an argument or a misspelt one, or an empty string."""
    for ours, theirs in ARGUMENTS.items():
        if name in theirs.split():
            return f", did you mean `{ours}`{BESIDE.get(ours, '')}?"
    return nearest(name, arguments)


def absent(name: str) -> str:
    """What to add of an attribute that a diagram does not have: what it is here, or how a block is added."""
    from ...blocks.contract.foreign_names import block_named
    from ...blocks.contract.registry import names

    place, block = answer(name), block_named(name, list(names()))
    if place or not block:
        return f"\nhere it is {place}" if place else ""
    return f'{block}\na block is added by `diagram.add("name", block)`, its class is of blockdyn itself'
