"""Native: the block classes that only diagrams of bdsim have; in files `blockdyn:Register` and so on."""

from .operational import AnalyticJacobianInverse
from .pounds import Pounds
from .registers import Register, RegisterDerivative, RegisterIntegrator, RegisterStateSpace
from .tool_motion import RPYAcceleration
from .twists import TwistToPose

__all__ = [
    "AnalyticJacobianInverse", "Pounds", "RPYAcceleration", "Register", "RegisterDerivative",
    "RegisterIntegrator", "RegisterStateSpace", "TwistToPose",
]  # fmt: skip
