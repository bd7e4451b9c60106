"""These block classes exist only for diagrams of bdsim; files name them `blockdyn:Register` and so on."""

from .operational import AnalyticJacobianInverse
from .registers import Register, RegisterDerivative, RegisterIntegrator, RegisterStateSpace
from .tool_motion import RPYAcceleration, TwistToPose
from .vehicles import Pounds

__all__ = [
    "AnalyticJacobianInverse", "Pounds", "RPYAcceleration", "Register", "RegisterDerivative",
    "RegisterIntegrator", "RegisterStateSpace", "TwistToPose",
]  # fmt: skip
