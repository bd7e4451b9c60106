"""The public names of modern_robotics, where they come from; each is imported when it is first asked for."""

from .control import ComputedTorque as ComputedTorque, SimulateControl as SimulateControl
from .dynamics import (
    EndEffectorForces as EndEffectorForces,
    EulerStep as EulerStep,
    ForwardDynamics as ForwardDynamics,
    GravityForces as GravityForces,
    InverseDynamics as InverseDynamics,
    MassMatrix as MassMatrix,
    VelQuadraticForces as VelQuadraticForces,
)
from .inverse_kinematics import IKinBody as IKinBody, IKinSpace as IKinSpace
from .kinematics import (
    FKinBody as FKinBody,
    FKinSpace as FKinSpace,
    JacobianBody as JacobianBody,
    JacobianSpace as JacobianSpace,
)
from .motions import (
    Adjoint as Adjoint,
    AxisAng6 as AxisAng6,
    DistanceToSE3 as DistanceToSE3,
    MatrixExp6 as MatrixExp6,
    MatrixLog6 as MatrixLog6,
    ProjectToSE3 as ProjectToSE3,
    RpToTrans as RpToTrans,
    ScrewToAxis as ScrewToAxis,
    TestIfSE3 as TestIfSE3,
    TransInv as TransInv,
    TransToRp as TransToRp,
    VecTose3 as VecTose3,
    ad as ad,
    se3ToVec as se3ToVec,
)
from .rotations import (
    AxisAng3 as AxisAng3,
    DistanceToSO3 as DistanceToSO3,
    MatrixExp3 as MatrixExp3,
    MatrixLog3 as MatrixLog3,
    NearZero as NearZero,
    Normalize as Normalize,
    ProjectToSO3 as ProjectToSO3,
    RotInv as RotInv,
    TestIfSO3 as TestIfSO3,
    VecToso3 as VecToso3,
    so3ToVec as so3ToVec,
)
from .simulation import (
    ForwardDynamicsTrajectory as ForwardDynamicsTrajectory,
    InverseDynamicsTrajectory as InverseDynamicsTrajectory,
)
from .trajectories import (
    CartesianTrajectory as CartesianTrajectory,
    CubicTimeScaling as CubicTimeScaling,
    JointTrajectory as JointTrajectory,
    QuinticTimeScaling as QuinticTimeScaling,
    ScrewTrajectory as ScrewTrajectory,
)
