"""The public names of blockdyn, where they come from; each is imported when it is first asked for."""

from . import modern_robotics, robots
from .arm_motion import fdyn
from .base.errors import BlockdynError
from .blocks.arms.cartesian_inertia import CartesianInertia
from .blocks.arms.computed_torque import ComputedTorque
from .blocks.arms.constrained_fdyn import ConstrainedFDyn
from .blocks.arms.coriolis import Coriolis
from .blocks.arms.end_effector_forces import EndEffectorForces
from .blocks.arms.fdyn import FDyn
from .blocks.arms.feed_forward import FeedForward
from .blocks.arms.fkine import FKine
from .blocks.arms.flexible_joint import FlexibleJoint
from .blocks.arms.flexible_transmission import FlexibleTransmission
from .blocks.arms.force_motion import ForceMotion
from .blocks.arms.friction import Friction
from .blocks.arms.gravity_compensation import GravityCompensation
from .blocks.arms.gravload import Gravload
from .blocks.arms.ikine import IKine, SampledIKine
from .blocks.arms.inertia import Inertia
from .blocks.arms.inverse_jacobian import InverseJacobian
from .blocks.arms.itorque import ITorque
from .blocks.arms.jacobian import Jacobian
from .blocks.arms.jacobian_dot import JacobianDot
from .blocks.arms.operational_space import OperationalSpace
from .blocks.arms.pd import PD
from .blocks.arms.pd_gravity import PDGravity
from .blocks.arms.pseudo_inverse_jacobian import PseudoInverseJacobian
from .blocks.arms.resolved_rate import ResolvedRate
from .blocks.arms.rne import RNE
from .blocks.arms.series_elastic import SeriesElastic
from .blocks.arms.slotine import Slotine
from .blocks.continuous.derivative import Derivative
from .blocks.continuous.integrator import Integrator
from .blocks.continuous.pid import PID
from .blocks.continuous.state_space import StateSpace
from .blocks.continuous.transfer_function import TransferFunction
from .blocks.contract.block import Block
from .blocks.contract.capabilities import Body
from .blocks.contract.errors import BlockError, FormulaError, ParameterError, Refusal
from .blocks.contract.formula import expression
from .blocks.contract.parameter import Real, option, parameter
from .blocks.contract.port import Crossing, Like, Port, Size, State
from .blocks.contract.wiring import Wiring
from .blocks.discontinuous.coulomb_friction import CoulombFriction
from .blocks.discontinuous.dead_zone import DeadZone
from .blocks.discontinuous.rate_limiter import RateLimiter
from .blocks.discontinuous.relay import Relay
from .blocks.discontinuous.saturation import Saturation
from .blocks.discrete.discrete_integrator import DiscreteIntegrator
from .blocks.discrete.discrete_pid import DiscretePID
from .blocks.discrete.discrete_rate_limiter import DiscreteRateLimiter
from .blocks.discrete.discrete_state_space import DiscreteStateSpace
from .blocks.discrete.discrete_transfer_function import DiscreteTransferFunction
from .blocks.discrete.unit_delay import UnitDelay
from .blocks.discrete.zero_order_hold import ZeroOrderHold
from .blocks.drives.motor_voltage import MotorVoltage
from .blocks.drives.position_loop import PositionLoop
from .blocks.drives.torque_saturation import TorqueSaturation
from .blocks.drives.velocity_loop import VelocityLoop
from .blocks.logic.compare import Compare
from .blocks.logic.compare_signals import CompareSignals
from .blocks.logic.hit_crossing import HitCrossing
from .blocks.mathematics.abs import Abs
from .blocks.mathematics.angle_difference import AngleDifference
from .blocks.mathematics.expression import Expression
from .blocks.mathematics.gain import Gain
from .blocks.mathematics.matrix_gain import MatrixGain
from .blocks.mathematics.power import Power
from .blocks.mathematics.product import Product
from .blocks.mathematics.sign import Sign
from .blocks.mathematics.sum import Sum
from .blocks.mathematics.trigonometry import Trigonometry
from .blocks.matrices.matrix_inverse import MatrixInverse
from .blocks.matrices.matrix_product import MatrixProduct
from .blocks.matrices.norm import Norm
from .blocks.matrices.pseudo_inverse import PseudoInverse
from .blocks.matrices.transpose import Transpose
from .blocks.poses.delta2tr import Delta2Tr
from .blocks.poses.euler_to_pose import EulerToPose
from .blocks.poses.pose_error import PoseError
from .blocks.poses.pose_integral import PoseIntegral
from .blocks.poses.pose_inverse import PoseInverse
from .blocks.poses.pose_product import PoseProduct
from .blocks.poses.pose_to_euler import PoseToEuler
from .blocks.poses.pose_to_quaternion import PoseToQuaternion
from .blocks.poses.pose_to_rpy import PoseToRPY
from .blocks.poses.pose_to_xyz import PoseToXYZ
from .blocks.poses.quaternion_to_pose import QuaternionToPose
from .blocks.poses.rpy_to_pose import RPYToPose
from .blocks.poses.tr2delta import Tr2Delta
from .blocks.poses.xyz_to_pose import XYZToPose
from .blocks.routing.bus_creator import BusCreator
from .blocks.routing.bus_selector import BusSelector
from .blocks.routing.concatenate import Concatenate
from .blocks.routing.demux import Demux
from .blocks.routing.inport import Inport
from .blocks.routing.mux import Mux
from .blocks.routing.outport import Outport
from .blocks.routing.reshape import Reshape
from .blocks.routing.selector import Selector
from .blocks.routing.switch import Switch
from .blocks.routing.terminator import Terminator
from .blocks.sinks.assertion import Assert
from .blocks.sinks.record import Record
from .blocks.sinks.scope import Scope
from .blocks.sinks.stop import Stop
from .blocks.sources.band_limited_white_noise import BandLimitedWhiteNoise
from .blocks.sources.clock import Clock
from .blocks.sources.constant import Constant
from .blocks.sources.piecewise_constant import PiecewiseConstant
from .blocks.sources.piecewise_linear import PiecewiseLinear
from .blocks.sources.ramp import Ramp
from .blocks.sources.random_number import RandomNumber
from .blocks.sources.repeating_sequence import RepeatingSequence
from .blocks.sources.repeating_stair import RepeatingStair
from .blocks.sources.sine import Sine
from .blocks.sources.square import Square
from .blocks.sources.step import Step
from .blocks.sources.uniform_random_number import UniformRandomNumber
from .blocks.trajectories.cartesian_trajectory import CartesianTrajectory
from .blocks.trajectories.circle import Circle
from .blocks.trajectories.joint_trajectory import JointTrajectory
from .blocks.trajectories.multi_segment import MultiSegment
from .blocks.trajectories.screw_trajectory import ScrewTrajectory
from .blocks.user.declared import block
from .blocks.user.function import Function, SampledFunction
from .blocks.vehicles.quadrotor import Quadrotor
from .blocks.vehicles.quadrotor_mixer import QuadrotorMixer
from .diagrams.model.diagram import Diagram
from .diagrams.model.errors import DiagramError
from .diagrams.model.run_errors import RunError
from .diagrams.model.signal import Signal
from .diagrams.model.subsystem import Subsystem
from .diagrams.results.files import load_result
from .diagrams.results.result import Result
from .diagrams.yaml import dump, dumps, load
from .solvers.events.timer import Timer
from .solvers.methods.butcher import butcher_tableau
from .solvers.methods.method import Method
from .sweeps.sweep import Sweep, load_sweep

__version__: str

__all__ = [
    "PD",
    "PID",
    "RNE",
    "Abs",
    "AngleDifference",
    "Assert",
    "BandLimitedWhiteNoise",
    "Block",
    "BlockError",
    "BlockdynError",
    "Body",
    "BusCreator",
    "BusSelector",
    "CartesianInertia",
    "CartesianTrajectory",
    "Circle",
    "Clock",
    "Compare",
    "CompareSignals",
    "ComputedTorque",
    "Concatenate",
    "Constant",
    "ConstrainedFDyn",
    "Coriolis",
    "CoulombFriction",
    "Crossing",
    "DeadZone",
    "Delta2Tr",
    "Demux",
    "Derivative",
    "Diagram",
    "DiagramError",
    "DiscreteIntegrator",
    "DiscretePID",
    "DiscreteRateLimiter",
    "DiscreteStateSpace",
    "DiscreteTransferFunction",
    "EndEffectorForces",
    "EulerToPose",
    "Expression",
    "FDyn",
    "FKine",
    "FeedForward",
    "FlexibleJoint",
    "FlexibleTransmission",
    "ForceMotion",
    "FormulaError",
    "Friction",
    "Function",
    "Gain",
    "GravityCompensation",
    "Gravload",
    "HitCrossing",
    "IKine",
    "ITorque",
    "Inertia",
    "Inport",
    "Integrator",
    "InverseJacobian",
    "Jacobian",
    "JacobianDot",
    "JointTrajectory",
    "Like",
    "MatrixGain",
    "MatrixInverse",
    "MatrixProduct",
    "Method",
    "MotorVoltage",
    "MultiSegment",
    "Mux",
    "Norm",
    "OperationalSpace",
    "Outport",
    "PDGravity",
    "ParameterError",
    "PiecewiseConstant",
    "PiecewiseLinear",
    "Port",
    "PoseError",
    "PoseIntegral",
    "PoseInverse",
    "PoseProduct",
    "PoseToEuler",
    "PoseToQuaternion",
    "PoseToRPY",
    "PoseToXYZ",
    "PositionLoop",
    "Power",
    "Product",
    "PseudoInverse",
    "PseudoInverseJacobian",
    "Quadrotor",
    "QuadrotorMixer",
    "QuaternionToPose",
    "RPYToPose",
    "Ramp",
    "RandomNumber",
    "RateLimiter",
    "Real",
    "Record",
    "Refusal",
    "Relay",
    "RepeatingSequence",
    "RepeatingStair",
    "Reshape",
    "ResolvedRate",
    "Result",
    "RunError",
    "SampledFunction",
    "SampledIKine",
    "Saturation",
    "Scope",
    "ScrewTrajectory",
    "Selector",
    "SeriesElastic",
    "Sign",
    "Signal",
    "Sine",
    "Size",
    "Slotine",
    "Square",
    "State",
    "StateSpace",
    "Step",
    "Stop",
    "Subsystem",
    "Sum",
    "Sweep",
    "Switch",
    "Terminator",
    "Timer",
    "TorqueSaturation",
    "Tr2Delta",
    "TransferFunction",
    "Transpose",
    "Trigonometry",
    "UniformRandomNumber",
    "UnitDelay",
    "VelocityLoop",
    "Wiring",
    "XYZToPose",
    "ZeroOrderHold",
    "block",
    "butcher_tableau",
    "dump",
    "dumps",
    "expression",
    "fdyn",
    "load",
    "load_result",
    "load_sweep",
    "modern_robotics",
    "option",
    "parameter",
    "robots",
]
