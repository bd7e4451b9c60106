"""Chapter 11: the computed-torque controller, and its simulation with a true and a wrong model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ...base.door import body
from ..lie import checks
from ..lie.checks import WrongShape
from .dynamics import NOTHING, InverseDynamics, advance_state, rows, tip_rows

Array = NDArray[np.float64]


@checked_numbers(WrongShape)
def ComputedTorque(
    thetalist: Any, dthetalist: Any, eint: Any, g: Any, Mlist: Any, Glist: Any, Slist: Any,
    thetalistd: Any, dthetalistd: Any, ddthetalistd: Any, Kp: Any, Ki: Any, Kd: Any,
    *, as_library: bool = False,
) -> Array:  # fmt: skip
    """tau = M(theta) (ddthetad + Kp e + Ki eint + Kd de) + h(theta, dtheta), e = thetad - theta.

    Modern Robotics, equation 11.35. Gains: a number, or one for each joint. `as_library` multiplies Ki by
    eint + e, as the code that accompanies the book does, contrary to this law. Raises as InverseDynamics.
    """
    theta = real_numbers(thetalist).ravel()
    e = checks.array(thetalistd, theta.shape, "thetalistd") - theta
    de = checks.array(dthetalistd, theta.shape, "dthetalistd") - checks.array(
        dthetalist, theta.shape, "dthetalist"
    )
    integral = checks.array(eint, theta.shape, "eint")
    if as_library:
        integral = integral + e
    acceleration = checks.array(ddthetalistd, theta.shape, "ddthetalistd") + Kp * e + Ki * integral + Kd * de
    return InverseDynamics(theta, dthetalist, acceleration, g, NOTHING, Mlist, Glist, Slist)


@checked_numbers(WrongShape)
def SimulateControl(
    thetalist: ArrayLike,
    dthetalist: ArrayLike,
    g: ArrayLike,
    Ftipmat: ArrayLike,
    Mlist: ArrayLike,
    Glist: ArrayLike,
    Slist: ArrayLike,
    thetamatd: ArrayLike,
    dthetamatd: ArrayLike,
    ddthetamatd: ArrayLike,
    gtilde: ArrayLike,
    Mtildelist: ArrayLike,
    Gtildelist: ArrayLike,
    Kp: ArrayLike,
    Ki: ArrayLike,
    Kd: ArrayLike,
    dt: float,
    intRes: float,
    *,
    as_library: bool = False,
    plot: bool = False,
    rtol: float | None = None,
) -> tuple[Array, Array]:
    """(taumat, thetamat), both (N, n): the arm under ComputedTorque along a reference of N rows, every dt s.

    The controller computes with gtilde, Mtildelist, Gtildelist; the arm moves by g, Ftipmat (N, 6 or 0),
    Mlist, Glist. A torque is held for dt. The motion is integrated by intRes Euler steps per dt, or by
    DOP853 to rtol if it is given; the error is integrated by rectangles dt e. Row i of both results is
    at the time of row i of the reference.

    `as_library` follows the code that accompanies the book: its law (see ComputedTorque), with joint
    variables and errors at the end of each dt. `plot` draws actual and desired joint variables and returns.
    """
    thetas = rows(thetamatd, None, "thetamatd")
    rates = rows(dthetamatd, thetas.shape, "dthetamatd")
    accelerations = rows(ddthetamatd, thetas.shape, "ddthetamatd")
    tips = tip_rows(Ftipmat, len(thetas))
    theta = checks.array(thetalist, thetas.shape[1:], "thetalist")
    dtheta = checks.array(dthetalist, thetas.shape[1:], "dthetalist")
    eint, model = np.zeros_like(theta), (Mlist, Glist, Slist)
    taumat, thetamat = np.empty_like(thetas), np.empty_like(thetas)
    for i in range(len(thetas)):
        taumat[i] = ComputedTorque(
            theta, dtheta, eint, gtilde, Mtildelist, Gtildelist, Slist,
            thetas[i], rates[i], accelerations[i], Kp, Ki, Kd, as_library=as_library,
        )  # fmt: skip
        before = theta
        theta, dtheta = advance_state(theta, dtheta, taumat[i], g, tips[i], model, dt, intRes, rtol)
        thetamat[i] = theta if as_library else before
        eint = eint + dt * (thetas[i] - thetamat[i])
    if plot:
        body("plots.robots.paths:plot_motion")(dt, thetamat, thetas)
    return taumat, thetamat
