"""Symbolic equations of robots: results of textbooks, an independent derivation, the numeric kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sympy as sp

from blockdyn.robots import SymbolicError, catalogue, from_dh, from_mdh, from_tree, functions, load, symbolic

q1, q2, q3, qd1, qd2, qd3, qdd1, qdd2, qdd3 = sp.symbols("q1:4 qd1:4 qdd1:4")
m1, m2, m3, g, L1, L2, L3, r1, r2, h, r = sp.symbols("m1:4 g L1:4 r1 r2 h r")
I1, I2 = sp.symbols("I1 I2")
s1, c1, s2, c2, s3, c3 = (f(q) for q in (q1, q2, q3) for f in (sp.sin, sp.cos))
c12, s12, c23, s23 = sp.cos(q1 + q2), sp.sin(q1 + q2), sp.cos(q2 + q3), sp.sin(q2 + q3)
c123, s123 = sp.cos(q1 + q2 + q3), sp.sin(q1 + q2 + q3)
DOWN_Y = [0.0, -9.81, 0.0]


def same(ours: Any, book: Any) -> None:
    """Both are identical: the difference of every element is 0."""
    book = sp.Matrix(book)
    assert ours.shape == book.shape
    for x, y in zip(ours, book):
        assert sp.expand((x - y).rewrite(sp.exp)) == 0, (x, y)  # exponentials have one form


def planar(count: int, **options: Any) -> Any:
    """A planar arm with point masses at the tips of its links, gravity along -y."""
    rows = [{"a": 1.0, "mass": 1.0} for _ in range(count)]
    names = {f"a{i}": f"L{i}" for i in range(1, count + 1)} | {f"m{i}": f"m{i}" for i in range(1, count + 1)}
    return symbolic(from_dh(rows, gravity=DOWN_Y), {**names, "g": "g", **options})


def test_planar_2r_of_modern_robotics_and_of_craig() -> None:
    """Lynch, Park, Modern Robotics, 2017, chapter 5 and (8.9); Craig, Introduction to Robotics, 3rd ed.,
    2005, (6.60) to (6.62), where the same arm has masses at the distal ends of its links."""
    arm = planar(2)
    same(arm.jacobian()[:2, :], [[-L1 * s1 - L2 * s12, -L2 * s12], [L1 * c1 + L2 * c12, L2 * c12]])
    M = sp.Matrix(
        [
            [L2**2 * m2 + 2 * L1 * L2 * m2 * c2 + L1**2 * (m1 + m2), L2**2 * m2 + L1 * L2 * m2 * c2],
            [L2**2 * m2 + L1 * L2 * m2 * c2, L2**2 * m2],
        ]
    )
    V = sp.Matrix([-m2 * L1 * L2 * s2 * (qd2**2 + 2 * qd1 * qd2), m2 * L1 * L2 * s2 * qd1**2])
    G = sp.Matrix([m2 * L2 * g * c12 + (m1 + m2) * L1 * g * c1, m2 * L2 * g * c12])
    same(arm.inertia(), M)
    same(arm.coriolis_torque(), V)
    same(arm.gravload(), G)
    same(arm.rne(), M * sp.Matrix([qdd1, qdd2]) + V + G)
    tau = sp.Matrix(arm.tau)
    assert sp.simplify(M * arm.accel() + V + G - tau) == sp.zeros(2, 1)


def test_planar_elbow_of_spong_and_two_link_of_murray() -> None:
    """Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, 2006, section 7.4; the Coriolis matrix too.
    Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 4.2: alpha, beta,
    delta."""
    rows = [{"a": 1.0, "mass": 1.0, "com": [-0.5, 0, 0], "inertia": [0.1, 0.1, 0.1]} for _ in range(2)]
    names: dict[str, Any] = {
        "a1": "L1",
        "a2": "L2",
        "m1": "m1",
        "m2": "m2",
        "g": "g",
        "Izz1": "I1",
        "Izz2": "I2",
    }
    arm = symbolic(from_dh(rows, gravity=DOWN_Y), {**names, "cx1": r1 - L1, "cx2": r2 - L2})
    d12 = m2 * (r2**2 + L1 * r2 * c2) + I2
    d11 = m1 * r1**2 + m2 * (L1**2 + r2**2 + 2 * L1 * r2 * c2) + I1 + I2
    same(arm.inertia(), [[d11, d12], [d12, m2 * r2**2 + I2]])
    slope = -m2 * L1 * r2 * s2
    same(arm.coriolis(), [[slope * qd2, slope * (qd1 + qd2)], [-slope * qd1, 0]])
    same(arm.gravload(), [(m1 * r1 + m2 * L1) * g * c1 + m2 * r2 * g * c12, m2 * r2 * g * c12])
    alpha, beta = I1 + I2 + m1 * r1**2 + m2 * (L1**2 + r2**2), m2 * L1 * r2
    delta = I2 + m2 * r2**2
    same(arm.inertia(), [[alpha + 2 * beta * c2, delta + beta * c2], [delta + beta * c2, delta]])


def test_planar_3r_and_its_independent_derivation() -> None:
    """Pose, Modern Robotics (4.1) to (4.3); Jacobian, Siciliano et al., Robotics, 2009, (3.35). Dynamics: M =
    sum of m J^T J and g = dU/dq of the masses' positions."""
    arm = planar(3)
    x = L1 * c1 + L2 * c12 + L3 * c123
    y = L1 * s1 + L2 * s12 + L3 * s123
    same(arm.fkine()[:2, :], [[c123, -s123, 0, x], [s123, c123, 0, y]])
    rows = [[-L1 * s1 - L2 * s12 - L3 * s123, -L2 * s12 - L3 * s123, -L3 * s123]]
    rows += [[L1 * c1 + L2 * c12 + L3 * c123, L2 * c12 + L3 * c123, L3 * c123], [0, 0, 0]]
    same(arm.jacobian(), [*rows, [0, 0, 0], [0, 0, 0], [1, 1, 1]])
    q = sp.Matrix([q1, q2, q3])
    points = [
        sp.Matrix([L1 * c1, L1 * s1]),
        sp.Matrix([L1 * c1 + L2 * c12, L1 * s1 + L2 * s12]),
        sp.Matrix([x, y]),
    ]
    jacobians = [point.jacobian(q) for point in points]
    same(arm.inertia(), sum((m * J.T * J for m, J in zip((m1, m2, m3), jacobians)), sp.zeros(3, 3)))
    energy: Any = sum(m * g * point[1] for m, point in zip((m1, m2, m3), points))
    same(arm.gravload(), [energy.diff(angle) for angle in q])
    assert str(arm.inertia()[2, 1]) == "L3*m3*(L2*cos(q3) + L3)"  # in the textbook's form, not only equal


def test_three_link_arm_of_murray() -> None:
    """Murray, Li, Sastry, 1994, section 4.2, example of a three-link manipulator: M and the gravity terms."""
    l0, l1 = sp.symbols("l0:2")
    inertia = {f"I{2 * axis}{i}": f"I{axis}{i}" for i in (1, 2, 3) for axis in "xyz"}
    links = ([0, 0, -0.5], [0, 0.5, 0], [0, 0.5, 0])  # along y where q = 0
    places = ([0, 0, 1.0], [0, 0, 0], [0, 1.0, 0])
    axes = ([0, 0, 1], [-1, 0, 0], [-1, 0, 0])
    rows = [
        {
            "name": f"link{i}",
            "place": place,
            "axis": axis,
            "mass": 1.0,
            "com": com,
            "inertia": [0.1, 0.1, 0.1],
        }
        for i, (place, axis, com) in enumerate(zip(places, axes, links), 1)
    ]
    names = {"m2": "m2", "m3": "m3", "d1": l0, "cy2": r1, "cy3": r2, "g": "g", **inertia}
    arm = from_tree(rows)
    second = next(
        name for name, value in symbolic_quantities(arm).items() if name.endswith("3") and value == 1.0
    )
    made = symbolic(arm, {**names, second: l1})
    Iy2, Iz2, Ix2, Iy3, Iz3, Ix3, Iz1 = sp.symbols("Iy2 Iz2 Ix2 Iy3 Iz3 Ix3 Iz1")
    m11 = Iy2 * s2**2 + Iy3 * s23**2 + Iz1 + Iz2 * c2**2 + Iz3 * c23**2
    m11 += m2 * r1**2 * c2**2 + m3 * (l1 * c2 + r2 * c23) ** 2
    m22 = Ix2 + Ix3 + m3 * l1**2 + m2 * r1**2 + m3 * r2**2 + 2 * m3 * l1 * r2 * c3
    m23 = Ix3 + m3 * r2**2 + m3 * l1 * r2 * c3
    same(made.inertia(), [[m11, 0, 0], [0, m22, m23], [0, m23, Ix3 + m3 * r2**2]])
    load = m3 * g * r2 * c23
    same(made.gravload(), [0, -(m2 * g * r1 + m3 * g * l1) * c2 - load, -load])


def symbolic_quantities(robot: Any) -> dict[str, float]:
    from blockdyn.robots.equations.symbolic import quantities

    return quantities(robot)


def test_arms_of_siciliano() -> None:
    """Siciliano, Sciavicco, Villani, Oriolo, Robotics, 2009: spherical arm (2.65), anthropomorphic arm (2.66)
    and its Jacobian (3.38), spherical wrist (2.67)."""
    right = np.pi / 2
    rows = [{"alpha": -right}, {"d": 1.0, "alpha": right}, {"kind": "prismatic"}]
    d2 = sp.Symbol("d2")
    same(
        symbolic(from_dh(rows), {"d2": "d2"}).fkine()[:3, :],
        [
            [c1 * c2, -s1, c1 * s2, c1 * s2 * q3 - s1 * d2],
            [s1 * c2, c1, s1 * s2, s1 * s2 * q3 + c1 * d2],
            [-s2, 0, c2, c2 * q3],
        ],
    )
    arm = symbolic(from_dh([{"alpha": right}, {"a": 1.0}, {"a": 1.0}]), {"a2": L2, "a3": L3})
    reach, height = L2 * c2 + L3 * c23, L2 * s2 + L3 * s23
    pose = [
        [c1 * c23, -c1 * s23, s1, c1 * reach],
        [s1 * c23, -s1 * s23, -c1, s1 * reach],
        [s23, c23, 0, height],
    ]
    same(arm.fkine()[:3, :], pose)
    rates = [[-s1 * reach, -c1 * height, -L3 * c1 * s23], [c1 * reach, -s1 * height, -L3 * s1 * s23]]
    rates += [[0, reach, L3 * c23], [0, s1, s1], [0, -c1, -c1], [1, 0, 0]]
    same(arm.jacobian(), rates)
    wrist = symbolic(from_dh([{"alpha": -right}, {"alpha": right}, {"d": 1.0}]), {"d3": "d6"})
    d6 = sp.Symbol("d6")
    same(
        wrist.fkine()[:3, :],
        [
            [c1 * c2 * c3 - s1 * s3, -c1 * c2 * s3 - s1 * c3, c1 * s2, c1 * s2 * d6],
            [s1 * c2 * c3 + c1 * s3, -s1 * c2 * s3 + c1 * c3, s1 * s2, s1 * s2 * d6],
            [-s2 * c3, s2 * s3, c2, c2 * d6],
        ],
    )


def test_sliding_joints_of_craig_spong_and_the_cart_pole() -> None:
    """Craig, 2005, example 6.5 (an RP arm); Spong et al., 2006, section 7.4 (two sliding joints); the
    cart-pole as in Tedrake, Underactuated Robotics, section 3.2; a planar RPR by its geometry."""
    right = np.pi / 2
    rows: list[dict[str, Any]] = [
        {"alpha": right, "mass": 1.0, "com": [0, 0, 1.0], "inertia": [0.1, 0.1, 0.1], "offset": right},
        {"kind": "prismatic", "mass": 1.0, "inertia": [0.1, 0.1, 0.1]},
    ]
    rows[0]["com"] = [0, 0, 0.5]
    arm = symbolic(
        from_dh(rows, gravity=DOWN_Y),
        {"m1": "m1", "m2": "m2", "cz1": "L1", "Iyy1": "I1", "Iyy2": "I2", "g": "g"},
    )
    turning = (
        (m1 * L1**2 + I1 + I2 + m2 * q2**2) * qdd1 + 2 * m2 * q2 * qd1 * qd2 + (m1 * L1 + m2 * q2) * g * c1
    )
    same(arm.rne(), [turning, m2 * qdd2 - m2 * q2 * qd1**2 + m2 * g * s1])

    slides = [{"kind": "prismatic", "mass": 1.0, "alpha": -right}, {"kind": "prismatic", "mass": 1.0}]
    table = symbolic(from_dh(slides), {"m1": "m1", "m2": "m2", "g": "g"})
    same(table.inertia(), [[m1 + m2, 0], [0, m2]])
    same(table.gravload(), [(m1 + m2) * g, 0])

    cart = from_tree(
        [
            {"name": "cart", "kind": "prismatic", "axis": [1, 0, 0], "mass": 1.0},
            {"name": "pole", "axis": [0, -1, 0], "mass": 1.0, "com": [0, 0, -0.5]},
        ]
    )
    pole = symbolic(cart, {"m1": "m1", "m2": "m2", "cz2": "-L1", "g": "g"})
    force = (m1 + m2) * qdd1 + m2 * L1 * qdd2 * c2 - m2 * L1 * qd2**2 * s2
    same(pole.rne(), [force, m2 * L1 * qdd1 * c2 + m2 * L1**2 * qdd2 + m2 * g * L1 * s2])

    rows = [
        {"alpha": right, "offset": right},
        {"kind": "prismatic", "alpha": -right},
        {"a": 1.0, "offset": -right},
    ]
    arm = symbolic(from_dh(rows), {"a3": "L3"})
    same(arm.fkine()[:2, 3], [q2 * c1 + L3 * sp.cos(q1 + q3), q2 * s1 + L3 * sp.sin(q1 + q3)])
    same(arm.jacobian()[5, :], [[1, 0, 1]])


def test_stanford_arm_of_the_report() -> None:
    """M, V, G of the report on the first three joints of the Stanford arm, as its code has them (its text has
    f in M13; docs/gallery/stanford-equations.md)."""
    names = {"d1": "h", "d2": "r", "m1": "m1", "m2": "m2", "m3": "m3", "g": "g"}
    arm = symbolic("stanford_rrp", names)
    f, fd = q3, qd3
    M = [
        [r**2 * m2 + m3 * f**2 * (1 - c2**2) + r**2 * m3, -r * m3 * c2 * f, -r * m3 * s2],
        [-r * m3 * c2 * f, m3 * f**2, 0],
        [-r * m3 * s2, 0, m3],
    ]
    V = [
        f**2 * m3 * qd1 * qd2 * sp.sin(2 * q2) + r * m3 * f * qd2**2 * s2 - 2 * r * m3 * qd2 * fd * c2
        + f * m3 * qd1 * fd - f * m3 * qd1 * fd * sp.cos(2 * q2),
        -m3 * f * (f * c2 * s2 * qd1**2 - 2 * qd2 * fd),
        m3 * f * (qd1**2 * c2**2 - qd1**2 - qd2**2),
    ]  # fmt: skip
    same(arm.inertia(), M)
    same(arm.coriolis_torque(), V)
    same(arm.gravload(), [0, -g * m3 * s2 * f, g * m3 * c2])
    assert {str(symbol): value for symbol, value in arm.parameters.items()} == {
        "g": 9.8, "h": 0.4, "m1": 4.0, "m2": 2.0, "m3": 2.0, "r": 0.1,
    }  # fmt: skip


def test_a_general_angle_between_two_axes() -> None:
    """With modified rows (Craig, 2005, section 3.4) the rotation is Rz(q1) Rx(alpha) Rz(q2)."""
    arm = symbolic(from_mdh([{}, {"alpha": 0.3, "a": 1.0}]), {"alpha2": "beta", "a2": "L1"})
    beta = sp.Symbol("beta")

    def turn(axis: int, angle: Any) -> Any:
        return [sp.rot_ccw_axis1, sp.rot_ccw_axis2, sp.rot_ccw_axis3][axis](angle)

    same(arm.fkine()[:3, :3], turn(2, q1) * turn(0, beta) * turn(2, q2))
    assert arm.parameters == {beta: 0.3, L1: 1.0}


def evaluate(shared: Any, symbols: Sequence[Any], values: Any) -> list[Any]:
    """The matrices at values of the symbols, name by name."""
    numbers = dict(zip(map(str, symbols), values))
    scope = {"sin": np.sin, "cos": np.cos, "Abs": abs, **numbers}
    scope["Piecewise"] = lambda *pairs: next(value for value, condition in pairs if condition)
    for symbol, value in shared.replacements:
        scope[str(symbol)] = eval(str(value), {}, scope)
    return [
        np.array([eval(str(x), {}, scope) for x in matrix], float).reshape(matrix.shape)
        for matrix in shared.results.values()
    ]


def test_all_arms_agree_with_the_kernels_at_random_states() -> None:
    """To 1e-12 of the largest element; long arms by their poses."""
    rng = np.random.default_rng(8)
    for name in catalogue():
        robot = load(name)
        q, qd, qdd = rng.uniform(-1.0, 1.0, (3, robot.n))
        made = symbolic(robot)
        expected = {"fkine": functions.fkine(robot, q)}
        if robot.has_dynamics:
            expected |= {"rne": functions.rne(robot, q, qd, qdd)}
        if robot.n > 10:  # one line of code has 20 000 characters
            results = [made.straight_line("fkine")(q)[0]]
        else:
            state = [*made.q, *made.qd, *made.qdd]
            results = evaluate(made.shared(*expected), state, [*q, *qd, *qdd])
        for result, right in zip(results, expected.values(), strict=True):
            error = np.abs(result.reshape(right.shape) - right).max()
            assert error <= 1e-12 * max(1.0, np.abs(right).max()), name


@pytest.mark.parametrize("name", ["modern_robotics_3r", "twolink", "stanford_rrp", "puma560"])
def test_expressions_agree_with_the_kernels(name: str) -> None:
    """Of the matrices in the textbook's form, with the robot's own numbers for all symbols."""
    robot = load(name)
    rng = np.random.default_rng(5)
    q, qd = rng.uniform(-1.0, 1.0, (2, robot.n))
    made = symbolic(robot, "symbols" if name in ("twolink", "stanford_rrp") else "numbers")
    values = dict(zip([*made.q, *made.qd], [*q, *qd])) | made.parameters
    results = {"jacobian_dot": functions.jacobian_dot(robot, q, qd), "gravload": functions.gravload(robot, q)}
    results["friction"] = functions.friction(robot, qd)
    if robot.n < 6:
        results |= {"inertia": functions.inertia(robot, q), "coriolis": functions.coriolis(robot, q, qd)}
    for function, right in results.items():
        ours = np.array(getattr(made, function)().xreplace(values).evalf(17), float).reshape(right.shape)
        np.testing.assert_allclose(ours, right, atol=1e-12 * max(1.0, np.abs(right).max()))


def test_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for call, part in (
        (lambda: symbolic("twolink", {"a9": "a"}), "a9"),
        (lambda: symbolic("twolink", "letters"), "letters"),
        (lambda: symbolic("twolink", np.zeros(3)), "array"),
        (lambda: load("twolink").code(parameters=np.zeros(3)), "array"),
        (lambda: symbolic("twolink", [["a1"]]), "['a1']"),
        (lambda: symbolic("twolink", {"a1": "q1"}), "q1"),
        (lambda: symbolic("twolink", {"a1": "1/a"}), "polynomial"),
        (lambda: symbolic("puma560").inertia(), 'shared("inertia")'),
        (lambda: symbolic("twolink").shared("inertai"), "inertia"),
    ):
        with pytest.raises(SymbolicError, match=r".") as caught:
            call()
        assert part in str(caught.value)
    monkeypatch.setattr("blockdyn.robots.equations.symbolic.remedy", lambda package: f"pip install {package}")
    with pytest.raises(SymbolicError, match="extra symbolic"):
        symbolic("twolink")
