"""Blocks, S-functions and formulas with robots of the Robotics Toolbox become blocks of blockdyn."""

from __future__ import annotations

import math
import re
from typing import Any

from ...base.errors import BlockdynError
from ...blocks.arms.cartesian_inertia import CartesianInertia
from ...blocks.arms.fdyn import FDyn
from ...blocks.arms.fkine import FKine
from ...blocks.arms.gravload import Gravload
from ...blocks.arms.ikine import IKine
from ...blocks.arms.inertia import Inertia
from ...blocks.arms.jacobian import Jacobian
from ...blocks.arms.rne import RNE
from ...blocks.logic.compare import Compare
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.sum import Sum
from ...blocks.matrices.matrix_inverse import MatrixInverse
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.routing.demux import Demux
from ...blocks.routing.mux import Mux
from ...blocks.sources.constant import Constant
from ...robots.library.catalogue import load as load_robot, robot_from
from .mathematics import matlab_expression, replace_remedy
from .use import FOREIGN, Ends, Untranslated, Use, input_of, output_of

FRICTIONLESS = re.compile(
    r"(?:nofriction\(\s*(\w+)\s*(?:,\s*'(\w+)')?\)|(\w+)\.nofriction(?:\(\s*(?:'(\w+)')?\s*\))?)"
)


def robot_of(use: Use) -> Any:
    """The robot that a block's parameter names, through masks."""
    text, scope = use.block.system.scope.text(use.text("robot", "robot"))
    match = FRICTIONLESS.fullmatch(text)
    which = ""
    if match:
        text, which = match[1] or match[3], match[2] or match[4] or "coulomb"
        if scope is not None:
            text, scope = scope.text(text)
    explicit = use.translator.model.workspace.values.get(text)
    if isinstance(explicit, dict) and "name" in explicit:
        which = which or explicit.get("friction", "")
        explicit = explicit["name"]
    name = explicit if isinstance(explicit, str) else text
    try:
        load_robot(name)
    except BlockdynError:
        raise Untranslated(
            f"the robot {text} is not known here", f"name one of the library: --value {text}=\"'puma560'\""
        ) from None
    return {"name": name, "without_friction": which} if which else name


def joints(use: Use) -> int:
    """Number of joints of the block's robot."""
    robot = robot_of(use)
    return load_robot(robot["name"] if isinstance(robot, dict) else robot).n


def rne(use: Use) -> Ends:
    return _take(use.single(RNE(robot_of(use))), 3)


def _take(ends: Ends, count: int) -> Ends:
    """The first inputs; further inputs of the block stay unconnected."""
    return Ends({k: v for k, v in ends.inputs.items() if not isinstance(k, int) or k <= count}, ends.outputs)


def dynamics(use: Use) -> Ends:
    """q, qd and qdd for the torque; qd starts at 0."""
    return _take(use.single(FDyn(robot_of(use), q0=use.vector("q0", "0"))), 1)


def fkine(use: Use) -> Ends:
    return use.single(FKine(robot_of(use)))


def jacobian(use: Use) -> Ends:
    return use.single(
        Jacobian(robot_of(use), frame="body" if use.block.kind.strip().endswith("n") else "world")
    )


def cartesian_inertia(use: Use) -> Ends:
    return use.single(CartesianInertia(robot_of(use)))


def inertia(use: Use) -> Ends:
    return use.single(Inertia(robot_of(use)))


def gravload(use: Use) -> Ends:
    return use.single(Gravload(robot_of(use)))


def ikine(use: Use) -> Ends:
    block = IKine(robot_of(use), q0=use.vector("q0", "0"), mask=use.vector("M", "[1 1 1 1 1 1]"))
    return use.single(block, outputs=["q"])


ROBOT_CALL = re.compile(
    r"(?:(\w+)\.(gravload|inertia|cinertia|fkine|jacob0)\(u'?\)|(gravload|inertia|cinertia)\((\w+),\s*u'?\))'?"
)
ROBOT_BLOCKS = {
    "gravload": Gravload, "inertia": Inertia, "cinertia": CartesianInertia, "fkine": FKine,
    "jacob0": Jacobian,
}  # fmt: skip


def interpreted_function(use: Use) -> Ends:
    """A function of a robot, or arithmetic, in an Interpreted MATLAB Function."""
    friction = re.fullmatch(r"slcoulomb\((\w+),\s*u\)", use.text("MATLABFcn"))
    if friction:
        return coulomb(use, friction[1])
    call = ROBOT_CALL.fullmatch(use.text("MATLABFcn", "sin"))
    if call is None:
        return matlab_expression(use)
    use.block.fields = {**use.block.fields, "robot": call[1] or call[4]}
    return use.single(ROBOT_BLOCKS[call[2] or call[3]](robot_of(use)))


def s_function(use: Use) -> Ends:
    """The S-functions of the Toolbox: accelerations of a robot, and polar coordinates around a goal."""
    maker = {"slaccel": acceleration, "polar_sfunc": polar}.get(use.text("FunctionName"))
    if maker is None:
        raise Untranslated(FOREIGN["S-Function"], replace_remedy(use))
    return maker(use)


def s_function_size(use: Use) -> list[Any]:
    use.block.fields = {"robot": use.text("Parameters"), **use.block.fields}
    return [(joints(use),)] * use.block.outputs


def acceleration(use: Use) -> Ends:
    """qdd = inv(M(q)) (tau - rne(q, qd, 0)) of the vector [q qd tau]."""
    use.block.fields = {**use.block.fields, "robot": use.text("Parameters")}
    robot, n = robot_of(use), joints(use)
    parts = use.add(Demux(counts=[n] * 3), "parts")
    still = use.add(Constant([0.0] * n), "still")
    torque, free = use.add(RNE(robot), "torque"), use.add(Sum(signs="+-"), "free")
    mass, inverse = use.add(Inertia(robot), "mass"), use.add(MatrixInverse(n=n), "inverse")
    product = use.add(MatrixProduct())
    q, qd, qdd = [port.name for port in RNE(robot).input_ports()][:3]
    for source, target in (
        (f"{parts}.y0", f"{torque}.{q}"),
        (f"{parts}.y1", f"{torque}.{qd}"),
        (f"{still}.y", f"{torque}.{qdd}"),
        (f"{parts}.y2", f"{free}.u0"),
        (f"{torque}.{output_of(use.diagram, torque)}", f"{free}.u1"),
        (f"{parts}.y0", f"{mass}.{input_of(use.diagram, mass)}"),
        (f"{mass}.{output_of(use.diagram, mass)}", f"{inverse}.{input_of(use.diagram, inverse)}"),
        (f"{inverse}.{output_of(use.diagram, inverse)}", f"{product}.A"),
        (f"{free}.y", f"{product}.u"),
    ):
        use.wire(source, target)
    return Ends({1: [f"{parts}.u"]}, [f"{product}.y"])


def polar(use: Use) -> Ends:
    """Distance, alpha, beta and the direction of driving, 1 or -1, which is chosen at the start.

    beta = -atan2(-s y, -s x), alpha = -theta - beta within a right angle: Corke (2017), section 4.2.4.
    """
    parts, out = use.add(Demux(counts=[1] * 3), "parts"), use.add(Mux(count=4))

    def direction(pose: Any) -> float:
        x, y, theta = pose
        return -1.0 if abs(-theta + math.atan2(-y, -x)) > math.pi / 2 else 1.0

    texts = {
        "rho": "sqrt(x**2 + y**2)",
        "alpha": "min(max(-theta + atan2(-s*y, -s*x), -pi/2), pi/2)",
        "beta": "-atan2(-s*y, -s*x)",
        "direction": "s + 0*x",
    }
    for k, (name, text) in enumerate(texts.items()):
        part = use.add(Expression(text, coefficients={"s": 1.0} if "s*" in text or k == 3 else {}), name)
        for signal, port in enumerate(("x", "y", "theta")):
            if re.search(rf"\b{port}\b", text):
                use.wire(f"{parts}.y{signal}", f"{part}.{port}")
        use.wire(f"{part}.y", f"{out}.u{k}")
        if name != "rho":

            def start(pose: Any, text: str = text) -> Expression:
                return Expression(text, coefficients={"s": direction(pose)})

            use.begin_at(part, f"{parts}.u", start)
    return Ends({1: [f"{parts}.u"]}, [f"{out}.y"])


def coulomb(use: Use, robot: str) -> Ends:
    """Coulomb friction of the motors by the signs of their speeds, as in the Toolbox's slcoulomb."""
    use.block.fields = {**use.block.fields, "robot": robot}
    data = robot_of(use)
    model = robot_from(data if isinstance(data, dict) else {"name": data})
    out = use.add(Sum(signs="+-"))
    readers = []
    for k, sign in enumerate(">< "[:2]):
        side = use.add(Compare(sign, value=0.0), "forward" if k == 0 else "backward")
        torque = use.add(Gain([joint.coulomb[k] for joint in model.moving]), f"torque {k + 1}")
        use.wire(f"{side}.y", f"{torque}.u")
        use.wire(f"{torque}.y", f"{out}.u{k}")
        readers.append(f"{side}.u")
    return Ends({1: readers}, [f"{out}.y"])
