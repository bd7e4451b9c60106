"""Native: the block classes that only diagrams of bdsim have; in files `blockdyn:Register` and so on."""

from .pounds import Pounds
from .registers import Register, RegisterDerivative, RegisterIntegrator, RegisterStateSpace
from .twists import TwistToPose

__all__ = [
    "Pounds", "Register", "RegisterDerivative", "RegisterIntegrator", "RegisterStateSpace", "TwistToPose",
]  # fmt: skip
