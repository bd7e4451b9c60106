"""The public names of blockdyn, where they come from; each is imported when it is first asked for.

Every block of the library is public, being found by itself. A test says the line that it is to have here too,
for editors and type checkers.
"""

from . import modern_robotics as modern_robotics, robots as robots
from .analysis.derivative import derivative as derivative
from .arm_motion import fdyn as fdyn
from .base.errors import BlockdynError as BlockdynError
from .blocks.arms.cartesian_inertia import CartesianInertia as CartesianInertia
from .blocks.arms.computed_torque import ComputedTorque as ComputedTorque
from .blocks.arms.constrained_fdyn import ConstrainedFDyn as ConstrainedFDyn
from .blocks.arms.coriolis import Coriolis as Coriolis
from .blocks.arms.end_effector_forces import EndEffectorForces as EndEffectorForces
from .blocks.arms.fdyn import FDyn as FDyn
from .blocks.arms.feed_forward import FeedForward as FeedForward
from .blocks.arms.fkine import FKine as FKine
from .blocks.arms.flexible_joint import FlexibleJoint as FlexibleJoint
from .blocks.arms.flexible_transmission import FlexibleTransmission as FlexibleTransmission
from .blocks.arms.force_motion import ForceMotion as ForceMotion
from .blocks.arms.friction import Friction as Friction
from .blocks.arms.gravity_compensation import GravityCompensation as GravityCompensation
from .blocks.arms.gravload import Gravload as Gravload
from .blocks.arms.ikine import IKine as IKine, SampledIKine as SampledIKine
from .blocks.arms.inertia import Inertia as Inertia
from .blocks.arms.inverse_jacobian import InverseJacobian as InverseJacobian
from .blocks.arms.itorque import ITorque as ITorque
from .blocks.arms.jacobian import Jacobian as Jacobian
from .blocks.arms.jacobian_dot import JacobianDot as JacobianDot
from .blocks.arms.operational_space import OperationalSpace as OperationalSpace
from .blocks.arms.pd import PD as PD
from .blocks.arms.pd_gravity import PDGravity as PDGravity
from .blocks.arms.pseudo_inverse_jacobian import PseudoInverseJacobian as PseudoInverseJacobian
from .blocks.arms.regressor import Regressor as Regressor
from .blocks.arms.resolved_rate import ResolvedRate as ResolvedRate
from .blocks.arms.rne import RNE as RNE
from .blocks.arms.series_elastic import SeriesElastic as SeriesElastic
from .blocks.arms.slotine import Slotine as Slotine
from .blocks.cameras.central_camera import CentralCamera as CentralCamera
from .blocks.cameras.image_jacobian import (
    ImageJacobian as ImageJacobian,
    SphericalImageJacobian as SphericalImageJacobian,
)
from .blocks.cameras.pose_from_points import PoseFromPoints as PoseFromPoints
from .blocks.cameras.spherical_camera import SphericalCamera as SphericalCamera
from .blocks.continuous.derivative import Derivative as Derivative
from .blocks.continuous.descriptor_integrator import DescriptorIntegrator as DescriptorIntegrator
from .blocks.continuous.descriptor_state_space import DescriptorStateSpace as DescriptorStateSpace
from .blocks.continuous.integrator import Integrator as Integrator
from .blocks.continuous.lead_lag import LeadLag as LeadLag
from .blocks.continuous.low_pass import HighPass as HighPass, LowPass as LowPass
from .blocks.continuous.notch import Notch as Notch
from .blocks.continuous.pid import PID as PID
from .blocks.continuous.pid2dof import PID2DOF as PID2DOF
from .blocks.continuous.pipe import Pipe as Pipe
from .blocks.continuous.second_order import SecondOrder as SecondOrder
from .blocks.continuous.second_order_integrator import SecondOrderIntegrator as SecondOrderIntegrator
from .blocks.continuous.state_space import StateSpace as StateSpace
from .blocks.continuous.transfer_function import TransferFunction as TransferFunction
from .blocks.continuous.transport_delay import TransportDelay as TransportDelay
from .blocks.continuous.variable_transport_delay import VariableTransportDelay as VariableTransportDelay
from .blocks.continuous.zero_pole_gain import ZeroPoleGain as ZeroPoleGain
from .blocks.contract.block import Block as Block
from .blocks.contract.capabilities import Body as Body, FlightSignals as FlightSignals
from .blocks.contract.errors import (
    BlockError as BlockError,
    FormulaError as FormulaError,
    ParameterError as ParameterError,
    Refusal as Refusal,
)
from .blocks.contract.icon import Icon as Icon
from .blocks.contract.owned import Foreign as Foreign, Instance as Instance
from .blocks.contract.parameter import Real as Real, option as option, parameter as parameter
from .blocks.contract.parameter_expression import expression as expression
from .blocks.contract.port import (
    Crossing as Crossing,
    Like as Like,
    Port as Port,
    Size as Size,
    State as State,
)
from .blocks.contract.wiring import Wiring as Wiring
from .blocks.control.gain_scheduling import GainScheduling as GainScheduling
from .blocks.control.lqr import LQR as LQR, SampledLQR as SampledLQR
from .blocks.control.model_predictive import ModelPredictive as ModelPredictive
from .blocks.control.state_feedback import StateFeedback as StateFeedback
from .blocks.discontinuous.backlash import Backlash as Backlash
from .blocks.discontinuous.coulomb_friction import CoulombFriction as CoulombFriction
from .blocks.discontinuous.dead_zone import DeadZone as DeadZone
from .blocks.discontinuous.generalized_play import GeneralizedPlay as GeneralizedPlay
from .blocks.discontinuous.hysteresis import Hysteresis as Hysteresis
from .blocks.discontinuous.lugre_friction import LuGreFriction as LuGreFriction
from .blocks.discontinuous.quantizer import Quantizer as Quantizer
from .blocks.discontinuous.rate_limited_lag import RateLimitedLag as RateLimitedLag
from .blocks.discontinuous.rate_limiter import RateLimiter as RateLimiter
from .blocks.discontinuous.relay import Relay as Relay
from .blocks.discontinuous.saturation import Saturation as Saturation
from .blocks.discontinuous.stribeck_friction import StribeckFriction as StribeckFriction
from .blocks.discontinuous.wrap_to_zero import WrapToZero as WrapToZero
from .blocks.discrete.delay import Delay as Delay
from .blocks.discrete.discrete_derivative import DiscreteDerivative as DiscreteDerivative
from .blocks.discrete.discrete_filter import DiscreteFilter as DiscreteFilter
from .blocks.discrete.discrete_integrator import DiscreteIntegrator as DiscreteIntegrator
from .blocks.discrete.discrete_pid import DiscretePID as DiscretePID
from .blocks.discrete.discrete_rate_limiter import DiscreteRateLimiter as DiscreteRateLimiter
from .blocks.discrete.discrete_state_space import DiscreteStateSpace as DiscreteStateSpace
from .blocks.discrete.discrete_transfer_function import DiscreteTransferFunction as DiscreteTransferFunction
from .blocks.discrete.first_order_hold import FirstOrderHold as FirstOrderHold
from .blocks.discrete.memory import Memory as Memory
from .blocks.discrete.moving_average import MovingAverage as MovingAverage
from .blocks.discrete.tapped_delay import TappedDelay as TappedDelay
from .blocks.discrete.unit_delay import UnitDelay as UnitDelay
from .blocks.discrete.zero_order_hold import ZeroOrderHold as ZeroOrderHold
from .blocks.drives.motor_voltage import MotorVoltage as MotorVoltage
from .blocks.drives.position_loop import PositionLoop as PositionLoop
from .blocks.drives.torque_saturation import TorqueSaturation as TorqueSaturation
from .blocks.drives.velocity_loop import VelocityLoop as VelocityLoop
from .blocks.driving.braitenberg import Braitenberg as Braitenberg
from .blocks.driving.drive_along_line import DriveAlongLine as DriveAlongLine
from .blocks.driving.drive_arcs import DriveArcs as DriveArcs
from .blocks.driving.drive_to_point import DriveToPoint as DriveToPoint
from .blocks.driving.drive_to_pose import DriveToPose as DriveToPose
from .blocks.driving.field_sensor import FieldSensor as FieldSensor
from .blocks.driving.follow_path import FollowPath as FollowPath
from .blocks.driving.lane_change import LaneChange as LaneChange
from .blocks.driving.nearest_on_path import NearestOnPath as NearestOnPath
from .blocks.driving.pure_pursuit import PurePursuit as PurePursuit
from .blocks.driving.random_path import RandomPath as RandomPath
from .blocks.driving.stanley import Stanley as Stanley
from .blocks.driving.wall_following import WallFollowing as WallFollowing
from .blocks.estimation.attitude_ekf import AttitudeEKF as AttitudeEKF
from .blocks.estimation.complementary_filter import ComplementaryFilter as ComplementaryFilter
from .blocks.estimation.error_state_ekf import ErrorStateEKF as ErrorStateEKF
from .blocks.estimation.extended_kalman_filter import ExtendedKalmanFilter as ExtendedKalmanFilter
from .blocks.estimation.kalman_filter import (
    KalmanFilter as KalmanFilter,
    SampledKalmanFilter as SampledKalmanFilter,
)
from .blocks.estimation.luenberger_observer import (
    LuenbergerObserver as LuenbergerObserver,
    SampledLuenbergerObserver as SampledLuenbergerObserver,
)
from .blocks.fmus.fmu import FMU as FMU
from .blocks.localization.dead_reckoning import DeadReckoning as DeadReckoning
from .blocks.localization.ekf_localization import EKFLocalization as EKFLocalization
from .blocks.localization.ekf_mapping import EKFMapping as EKFMapping
from .blocks.localization.ekf_slam import EKFSLAM as EKFSLAM
from .blocks.localization.lidar import Lidar as Lidar
from .blocks.localization.nees import NEES as NEES
from .blocks.localization.odometry import Odometry as Odometry
from .blocks.localization.particle_filter import ParticleFilter as ParticleFilter
from .blocks.localization.range_bearing import RangeBearing as RangeBearing
from .blocks.localization.ukf_localization import UKFLocalization as UKFLocalization
from .blocks.localization.wheel_encoders import WheelEncoders as WheelEncoders
from .blocks.logic.bit_operation import BitOperation as BitOperation
from .blocks.logic.compare import Compare as Compare
from .blocks.logic.compare_signals import CompareSignals as CompareSignals
from .blocks.logic.counter import Counter as Counter
from .blocks.logic.d_flip_flop import DFlipFlop as DFlipFlop
from .blocks.logic.delay_timer import DelayTimer as DelayTimer
from .blocks.logic.edge_detector import EdgeDetector as EdgeDetector
from .blocks.logic.hit_crossing import HitCrossing as HitCrossing
from .blocks.logic.interval_test import IntervalTest as IntervalTest
from .blocks.logic.jk_flip_flop import JKFlipFlop as JKFlipFlop
from .blocks.logic.logic import Logic as Logic
from .blocks.logic.sr_flip_flop import SRFlipFlop as SRFlipFlop
from .blocks.lookup.inverse_lookup import InverseLookup as InverseLookup
from .blocks.lookup.lookup_1d import Lookup1D as Lookup1D
from .blocks.lookup.lookup_2d import Lookup2D as Lookup2D
from .blocks.lookup.lookup_nd import LookupND as LookupND
from .blocks.lookup.prelookup import InterpolationPrelookup as InterpolationPrelookup, Prelookup as Prelookup
from .blocks.mathematics.abs import Abs as Abs
from .blocks.mathematics.algebraic_constraint import AlgebraicConstraint as AlgebraicConstraint
from .blocks.mathematics.angle_difference import AngleDifference as AngleDifference
from .blocks.mathematics.clip import Clip as Clip
from .blocks.mathematics.cross import Cross as Cross
from .blocks.mathematics.cumulative_sum import CumulativeSum as CumulativeSum
from .blocks.mathematics.dot import Dot as Dot
from .blocks.mathematics.exp import Exp as Exp
from .blocks.mathematics.expression import Expression as Expression
from .blocks.mathematics.gain import Gain as Gain
from .blocks.mathematics.hypot import Hypot as Hypot
from .blocks.mathematics.log import Log as Log
from .blocks.mathematics.matrix_gain import MatrixGain as MatrixGain
from .blocks.mathematics.min_max import MinMax as MinMax
from .blocks.mathematics.modulo import Modulo as Modulo
from .blocks.mathematics.polynomial import Polynomial as Polynomial
from .blocks.mathematics.power import Power as Power
from .blocks.mathematics.product import Product as Product
from .blocks.mathematics.round import Round as Round
from .blocks.mathematics.sign import Sign as Sign
from .blocks.mathematics.sqrt import Sqrt as Sqrt
from .blocks.mathematics.sum import Sum as Sum
from .blocks.mathematics.sum_of_elements import SumOfElements as SumOfElements
from .blocks.mathematics.trigonometry import Trigonometry as Trigonometry
from .blocks.matrices.determinant import Determinant as Determinant
from .blocks.matrices.diagonal import Diagonal as Diagonal
from .blocks.matrices.matrix_inverse import MatrixInverse as MatrixInverse
from .blocks.matrices.matrix_product import MatrixProduct as MatrixProduct
from .blocks.matrices.norm import Norm as Norm
from .blocks.matrices.pseudo_inverse import PseudoInverse as PseudoInverse
from .blocks.matrices.solve import Solve as Solve
from .blocks.matrices.trace import Trace as Trace
from .blocks.matrices.transpose import Transpose as Transpose
from .blocks.poses.delta2tr import Delta2Tr as Delta2Tr
from .blocks.poses.euler_to_pose import EulerToPose as EulerToPose
from .blocks.poses.pose_error import PoseError as PoseError
from .blocks.poses.pose_integral import PoseIntegral as PoseIntegral
from .blocks.poses.pose_inverse import PoseInverse as PoseInverse
from .blocks.poses.pose_product import PoseProduct as PoseProduct
from .blocks.poses.pose_to_euler import PoseToEuler as PoseToEuler
from .blocks.poses.pose_to_quaternion import PoseToQuaternion as PoseToQuaternion
from .blocks.poses.pose_to_rpy import PoseToRPY as PoseToRPY
from .blocks.poses.pose_to_xyz import PoseToXYZ as PoseToXYZ
from .blocks.poses.quaternion_to_pose import QuaternionToPose as QuaternionToPose
from .blocks.poses.rpy_to_pose import RPYToPose as RPYToPose
from .blocks.poses.tr2delta import Tr2Delta as Tr2Delta
from .blocks.poses.xyz_to_pose import XYZToPose as XYZToPose
from .blocks.routing.bus_assignment import BusAssignment as BusAssignment
from .blocks.routing.bus_creator import BusCreator as BusCreator
from .blocks.routing.bus_selector import BusSelector as BusSelector
from .blocks.routing.concatenate import Concatenate as Concatenate
from .blocks.routing.demux import Demux as Demux
from .blocks.routing.inport import Inport as Inport
from .blocks.routing.multiport_switch import MultiportSwitch as MultiportSwitch
from .blocks.routing.mux import Mux as Mux
from .blocks.routing.outport import Outport as Outport
from .blocks.routing.probe import Probe as Probe
from .blocks.routing.repeat import Repeat as Repeat
from .blocks.routing.reshape import Reshape as Reshape
from .blocks.routing.selector import Selector as Selector
from .blocks.routing.signal_specification import SignalSpecification as SignalSpecification
from .blocks.routing.slice import Slice as Slice
from .blocks.routing.switch import Switch as Switch
from .blocks.routing.terminator import Terminator as Terminator
from .blocks.sensors.barometer import Barometer as Barometer
from .blocks.sensors.gps import GPS as GPS
from .blocks.sensors.imu import IMU as IMU
from .blocks.sensors.magnetometer import Magnetometer as Magnetometer
from .blocks.sensors.motion_capture import MotionCapture as MotionCapture
from .blocks.sensors.planar_gps import PlanarGPS as PlanarGPS
from .blocks.sensors.planar_imu import PlanarIMU as PlanarIMU
from .blocks.sensors.range_finder import RangeFinder as RangeFinder
from .blocks.sinks.assertion import Assert as Assert
from .blocks.sinks.display import Display as Display
from .blocks.sinks.record import Record as Record
from .blocks.sinks.scope import Scope as Scope
from .blocks.sinks.settling_time import SettlingTime as SettlingTime
from .blocks.sinks.spectrum import Spectrum as Spectrum
from .blocks.sinks.statistics import Statistics as Statistics
from .blocks.sinks.stop import Stop as Stop
from .blocks.sinks.to_file import ToFile as ToFile
from .blocks.sinks.xy_scope import XYScope as XYScope
from .blocks.sources.band_limited_white_noise import BandLimitedWhiteNoise as BandLimitedWhiteNoise
from .blocks.sources.chirp import Chirp as Chirp
from .blocks.sources.clock import Clock as Clock
from .blocks.sources.constant import Constant as Constant
from .blocks.sources.filtered_noise import FilteredNoise as FilteredNoise
from .blocks.sources.from_file import FromFile as FromFile
from .blocks.sources.piecewise_constant import PiecewiseConstant as PiecewiseConstant
from .blocks.sources.piecewise_linear import PiecewiseLinear as PiecewiseLinear
from .blocks.sources.pink_noise import PinkNoise as PinkNoise
from .blocks.sources.prbs import PRBS as PRBS
from .blocks.sources.pulse import Pulse as Pulse
from .blocks.sources.ramp import Ramp as Ramp
from .blocks.sources.random_number import RandomNumber as RandomNumber
from .blocks.sources.recorded import Recorded as Recorded
from .blocks.sources.repeating_sequence import RepeatingSequence as RepeatingSequence
from .blocks.sources.repeating_stair import RepeatingStair as RepeatingStair
from .blocks.sources.sawtooth import Sawtooth as Sawtooth
from .blocks.sources.sine import Sine as Sine
from .blocks.sources.square import Square as Square
from .blocks.sources.step import Step as Step
from .blocks.sources.table import Table as Table
from .blocks.sources.uniform_random_number import UniformRandomNumber as UniformRandomNumber
from .blocks.switching.enable import Enable as Enable
from .blocks.switching.for_each import ForEach as ForEach
from .blocks.switching.function_call import FunctionCall as FunctionCall
from .blocks.switching.if_else import If as If
from .blocks.switching.merge import Merge as Merge
from .blocks.switching.state_machine import StateMachine as StateMachine
from .blocks.switching.switch_case import SwitchCase as SwitchCase
from .blocks.switching.trigger import Trigger as Trigger
from .blocks.switching.while_loop import While as While
from .blocks.trajectories.cartesian_trajectory import CartesianTrajectory as CartesianTrajectory
from .blocks.trajectories.circle import Circle as Circle
from .blocks.trajectories.figure_eight import FigureEight as FigureEight
from .blocks.trajectories.flight_file import FlightFile as FlightFile
from .blocks.trajectories.fourier_trajectory import FourierTrajectory as FourierTrajectory
from .blocks.trajectories.helix import Helix as Helix
from .blocks.trajectories.joint_trajectory import JointTrajectory as JointTrajectory
from .blocks.trajectories.lissajous import Lissajous as Lissajous
from .blocks.trajectories.minimum_snap import MinimumSnap as MinimumSnap
from .blocks.trajectories.multi_segment import MultiSegment as MultiSegment
from .blocks.trajectories.screw_trajectory import ScrewTrajectory as ScrewTrajectory
from .blocks.trajectories.straight_lines import StraightLines as StraightLines
from .blocks.user.declared import block as block
from .blocks.user.function import Function as Function, SampledFunction as SampledFunction
from .blocks.vehicles.cascade_control import (
    CascadeControl as CascadeControl,
    SampledCascadeControl as SampledCascadeControl,
)
from .blocks.vehicles.flatness import Flatness as Flatness
from .blocks.vehicles.geometric_control import (
    GeometricControl as GeometricControl,
    SampledGeometricControl as SampledGeometricControl,
)
from .blocks.vehicles.hover_lqr import HoverLQR as HoverLQR, SampledHoverLQR as SampledHoverLQR
from .blocks.vehicles.indi_control import INDIControl as INDIControl, SampledINDIControl as SampledINDIControl
from .blocks.vehicles.mellinger_control import (
    MellingerControl as MellingerControl,
    SampledMellingerControl as SampledMellingerControl,
)
from .blocks.vehicles.motor_mixer import MotorMixer as MotorMixer
from .blocks.vehicles.nrotor import NRotor as NRotor
from .blocks.vehicles.quadrotor import Quadrotor as Quadrotor
from .blocks.vehicles.quadrotor_mixer import QuadrotorMixer as QuadrotorMixer
from .blocks.wheels.bicycle import Bicycle as Bicycle
from .blocks.wheels.differential_drive import DifferentialDrive as DifferentialDrive
from .blocks.wheels.differential_wheels import DifferentialWheels as DifferentialWheels
from .blocks.wheels.dynamic_bicycle import DynamicBicycle as DynamicBicycle
from .blocks.wheels.omni_base import OmniBase as OmniBase
from .blocks.wheels.omni_drive import OmniDrive as OmniDrive
from .blocks.wheels.trailer import Trailer as Trailer
from .blocks.wheels.unicycle import Unicycle as Unicycle
from .blocks.wind.gust import Gust as Gust
from .blocks.wind.turbulence import Turbulence as Turbulence
from .blocks.wind.wind_shear import WindShear as WindShear
from .diagrams.model.diagram import Diagram as Diagram
from .diagrams.model.errors import DiagramError as DiagramError
from .diagrams.model.run_errors import RunError as RunError
from .diagrams.model.signal import Signal as Signal
from .diagrams.model.subsystem import Subsystem as Subsystem
from .diagrams.results.files import load_result as load_result
from .diagrams.results.result import Result as Result
from .diagrams.yaml import (
    dump as dump,
    dumps as dumps,
    edit as edit,
    fix as fix,
    load as load,
    subsystem as subsystem,
)
from .gradients.experiment import Experiment as Experiment
from .native.tangent.frame import NotDifferentiable as NotDifferentiable
from .pages.live.run import LiveRun as LiveRun
from .robots.vehicles.multirotor import Multirotor as Multirotor
from .solvers.events.timer import Timer as Timer
from .solvers.methods.butcher import butcher_tableau as butcher_tableau
from .solvers.methods.method import Method as Method
from .sweeps.sweep import Sweep as Sweep, load_sweep as load_sweep

__version__: str
