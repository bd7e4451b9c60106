"""The public names of modern_robotics, where they come from; each is imported when it is first asked for."""

from .control import ComputedTorque as ComputedTorque, SimulateControl as SimulateControl
from .dynamics import (
    EndEffectorForces as EndEffectorForces,
    EulerStep as EulerStep,
    ForwardDynamics as ForwardDynamics,
    ForwardDynamicsTrajectory as ForwardDynamicsTrajectory,
    GravityForces as GravityForces,
    InverseDynamics as InverseDynamics,
    InverseDynamicsTrajectory as InverseDynamicsTrajectory,
    MassMatrix as MassMatrix,
    VelQuadraticForces as VelQuadraticForces,
)
from .kinematics import (
    FKinBody as FKinBody,
    FKinSpace as FKinSpace,
    IKinBody as IKinBody,
    IKinSpace as IKinSpace,
    JacobianBody as JacobianBody,
    JacobianSpace as JacobianSpace,
)
from .rigid_motions import (
    Adjoint as Adjoint,
    AxisAng3 as AxisAng3,
    AxisAng6 as AxisAng6,
    DistanceToSE3 as DistanceToSE3,
    DistanceToSO3 as DistanceToSO3,
    MatrixExp3 as MatrixExp3,
    MatrixExp6 as MatrixExp6,
    MatrixLog3 as MatrixLog3,
    MatrixLog6 as MatrixLog6,
    NearZero as NearZero,
    Normalize as Normalize,
    ProjectToSE3 as ProjectToSE3,
    ProjectToSO3 as ProjectToSO3,
    RotInv as RotInv,
    RpToTrans as RpToTrans,
    ScrewToAxis as ScrewToAxis,
    TestIfSE3 as TestIfSE3,
    TestIfSO3 as TestIfSO3,
    TransInv as TransInv,
    TransToRp as TransToRp,
    VecTose3 as VecTose3,
    VecToso3 as VecToso3,
    ad as ad,
    se3ToVec as se3ToVec,
    so3ToVec as so3ToVec,
)
from .trajectories import (
    CartesianTrajectory as CartesianTrajectory,
    CubicTimeScaling as CubicTimeScaling,
    JointTrajectory as JointTrajectory,
    QuinticTimeScaling as QuinticTimeScaling,
    ScrewTrajectory as ScrewTrajectory,
)
