"""The functions of the book Modern Robotics (Lynch, Park 2017), by its names, argument order and results.

Twists and wrenches are (angular, linear) here and nowhere else in blockdyn.
"""

from __future__ import annotations

from .control import ComputedTorque, SimulateControl
from .dynamics import (
    EndEffectorForces,
    EulerStep,
    ForwardDynamics,
    GravityForces,
    InverseDynamics,
    MassMatrix,
    VelQuadraticForces,
)
from .inverse_kinematics import IKinBody, IKinSpace
from .kinematics import FKinBody, FKinSpace, JacobianBody, JacobianSpace
from .motions import (
    Adjoint,
    AxisAng6,
    DistanceToSE3,
    MatrixExp6,
    MatrixLog6,
    ProjectToSE3,
    RpToTrans,
    ScrewToAxis,
    TestIfSE3,
    TransInv,
    TransToRp,
    VecTose3,
    ad,
    se3ToVec,
)
from .rotations import (
    AxisAng3,
    DistanceToSO3,
    MatrixExp3,
    MatrixLog3,
    NearZero,
    Normalize,
    ProjectToSO3,
    RotInv,
    TestIfSO3,
    VecToso3,
    so3ToVec,
)
from .simulation import ForwardDynamicsTrajectory, InverseDynamicsTrajectory
from .trajectories import (
    CartesianTrajectory,
    CubicTimeScaling,
    JointTrajectory,
    QuinticTimeScaling,
    ScrewTrajectory,
)

__all__ = [
    "Adjoint",
    "AxisAng3",
    "AxisAng6",
    "CartesianTrajectory",
    "ComputedTorque",
    "CubicTimeScaling",
    "DistanceToSE3",
    "DistanceToSO3",
    "EndEffectorForces",
    "EulerStep",
    "FKinBody",
    "FKinSpace",
    "ForwardDynamics",
    "ForwardDynamicsTrajectory",
    "GravityForces",
    "IKinBody",
    "IKinSpace",
    "InverseDynamics",
    "InverseDynamicsTrajectory",
    "JacobianBody",
    "JacobianSpace",
    "JointTrajectory",
    "MassMatrix",
    "MatrixExp3",
    "MatrixExp6",
    "MatrixLog3",
    "MatrixLog6",
    "NearZero",
    "Normalize",
    "ProjectToSE3",
    "ProjectToSO3",
    "QuinticTimeScaling",
    "RotInv",
    "RpToTrans",
    "ScrewToAxis",
    "ScrewTrajectory",
    "SimulateControl",
    "TestIfSE3",
    "TestIfSO3",
    "TransInv",
    "TransToRp",
    "VecTose3",
    "VecToso3",
    "VelQuadraticForces",
    "ad",
    "se3ToVec",
    "so3ToVec",
]
