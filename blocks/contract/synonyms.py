"""Synonyms: what blocks of other simulators are called here, and what does their work where none is the same.

Names of Simulink, bdsim, the Modelica Standard Library and Drake. A line is the foreign name, the types here
that do its work (`-` where none does), and how; case, spaces, `_` and `-` of the name do not count.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from ...base.nearest import nearest

TABLE = """
IntegerDelay              Delay              of some samples
Pre                       Memory             value: previous
DiscreteTimeDelay         Delay              of some samples
FixedDelay                TransportDelay     exact: no approximation is needed
VariableDelay             VariableTransportDelay   between `minimum` and `maximum`
VariableTimeDelay         VariableTransportDelay   between `minimum` and `maximum`
DeadTime                  TransportDelay     exact: no approximation is needed
TimeDelay                 TransportDelay     exact: no approximation is needed
PadeDelay                 TransportDelay     exact; TransferFunction with the approximation's coefficients
UnscentedKalmanFilter     ExtendedKalmanFilter of functions, by their slopes
EKF                       ExtendedKalmanFilter of functions; AttitudeEKF of an attitude
UKF                       ExtendedKalmanFilter of functions, by their slopes
MPC                       ModelPredictive    limits of the inputs
LQG                       LQR                behind a KalmanFilter
LinearQuadraticRegulator  LQR                -
Bicycle                   -                  Function or a subsystem with Integrator states its equations
Unicycle                  -                  Function or a subsystem with Integrator states its equations
DiffSteer                 -                  Function or a subsystem with Integrator states its equations
VehiclePlot               -                  Scope draws signals over time
Camera                    CentralCamera      SphericalCamera sees in all directions
PerspectiveCamera         CentralCamera      in pixels
PoseEstimation            PoseFromPoints     from a CentralCamera's image
VisualJacobian            ImageJacobian      SphericalImageJacobian on a sphere
MultiRotor                Quadrotor          four rotors
MultiRotorMixer           QuadrotorMixer     four rotors
QuadrotorPlant            Quadrotor          four rotors
Multicopter               Quadrotor          four rotors
FirstOrder                LowPass            LeadLag with lead: 0 has a gain
LowPassFilter             LowPass            of any order
Lag                       LeadLag            lead: 0
HighPassFilter            HighPass           of any order
Lead                      LeadLag            -
ZOH                       ZeroOrderHold      sample and hold
Sampler                   ZeroOrderHold      sample and hold
SampleHold                ZeroOrderHold      sample and hold
RateTransition            ZeroOrderHold      to a slower clock; UnitDelay of the slow clock to a faster one
TransferFcn               TransferFunction   num and den
LTI_SISO                  TransferFunction   num and den
LTI_SS                    StateSpace         A, B, C, D
LinearSystem              StateSpace         A, B, C, D
AffineSystem              StateSpace         A, B, C, D
ZeroPole                  ZeroPoleGain       -
ZerosPoles                ZeroPoleGain       -
DiscreteTransferFcn       DiscreteTransferFunction num and den
DIntegrator               DiscreteIntegrator a rule of three
DPoseIntegrator           PoseIntegral       continuous
DiscreteTimeIntegrator    DiscreteIntegrator a rule of three
LimIntegrator             Integrator         with lower and upper
LimitedIntegrator         Integrator         with lower and upper
PIDController             PID                -
LimPID                    PID                with limits of its output
PI                        PID                kd: 0
DiscretePIDController     DiscretePID        -
Derivate                  Derivative         filtered
StateInterpolatorWithDiscreteDerivative DiscreteDerivative of samples; Derivative is continuous
Der                       Derivative         filtered
Add                       Sum                signs: "++"
Add3                      Sum                signs: "+++"
Adder                     Sum                signs: "++"
Subtract                  Sum                signs: "+-"
Feedback                  Sum                signs: "+-"
Multiply                  Product            signs: "**"
Divide                    Product            signs: "*/"
Division                  Product            signs: "*/"
Prod                      Product            -
Slew                      RateLimiter        exact; RateLimitedLag has a lag, for loops
SlewRateLimiter           RateLimiter        exact; RateLimitedLag has a lag
Limit                     Saturation         lower and upper
Limiter                   Saturation         lower and upper
Saturate                  Saturation         lower and upper
OnOffController           Relay              -
Coulomb&ViscousFriction   CoulombFriction    with its viscous part
Fcn                       Expression         a formula
Interpreted               Function           of Python
MATLABFunction            Function           of Python
InterpretedMATLABFunction Function           of Python
SFunction                 Function           or a Block class with states of one's own
S-Function                Function           or a Block class with states of one's own
SymbolicVectorSystem      Expression         a formula each
Min                       MinMax             function: min
Max                       MinMax             function: max
Minimum                   MinMax             function: min
Maximum                   MinMax             function: max
SquareRoot                Sqrt               -
SignedSqrt                Sqrt               signed: true
Exponential               Exp                base: e, 2 or 10
Ln                        Log                base: e
Log10                     Log                base: "10"
Logarithm                 Log                base: e, 2 or 10
MathFunction              Expression         a formula
Rounding                  Round              round, floor, ceil, fix
RoundingFunction          Round              round, floor, ceil, fix
Floor                     Round              function: floor
Ceil                      Round              function: ceil
Ceiling                   Round              function: ceil
Fix                       Round              function: fix
Truncate                  Round              function: fix
RealToInteger             Round              function: round
Mod                       Modulo             -
Rem                       Modulo             sign: dividend
Remainder                 Modulo             sign: dividend
Fmod                      Modulo             sign: dividend
SaturationDynamic         Clip               its limits are inputs
VariableLimiter           Clip               its limits are inputs
Polyval                   Polynomial         -
DotProduct                Dot                -
ScalarProduct             Dot                -
CrossProduct              Cross              -
3x3CrossProduct           Cross              -
Cumsum                    CumulativeSum      -
CumulativeSumProduct      CumulativeSum      -
MultiSum                  SumOfElements      -
Det                       Determinant        -
3x3Determinant            Determinant        n: 3
LinearSolve               Solve              A y = b
MatrixDivide              Solve              A y = b
Diag                      Diagonal           make: vector, or matrix
ExtractDiagonal           Diagonal           make: vector
CreateDiagonalMatrix      Diagonal           make: matrix
Sin                       Trigonometry       function: sin
Cos                       Trigonometry       function: cos
Tan                       Trigonometry       function: tan
Asin                      Trigonometry       function: asin
Acos                      Trigonometry       function: acos
Atan                      Trigonometry       function: atan
Sinh                      Trigonometry       function: sinh
Cosh                      Trigonometry       function: cosh
Tanh                      Trigonometry       function: tanh
Atan2                     Trigonometry       function: atan2
TrigonometricFunction     Trigonometry       -
Pow                       Power              -
WrapToPi                  AngleDifference    to zero
AngleWrap                 AngleDifference    to zero
Bias                      Expression         u + bias
SliderGain                Gain               -
MatrixMultiply            MatrixProduct      -
MatrixGainBlock           MatrixGain         -
RelationalOperator        CompareSignals     of two signals; Compare with a constant
CompareToConstant         Compare            -
CompareToZero             Compare            value: 0
GreaterThreshold          Compare            operator: ">"
LessThreshold             Compare            operator: "<"
LogicalOperator           Logic              and, or, not, nand, nor, xor, xnor
CombinatorialLogic        Logic              and, or, not, nand, nor, xor, xnor; Lookup1D of a truth table
And                       Logic              function: and
Or                        Logic              function: or
Not                       Logic              function: not
Nand                      Logic              function: nand
Nor                       Logic              function: nor
Xor                       Logic              function: xor
Nxor                      Logic              function: xnor
Edge                      EdgeDetector       sampled; HitCrossing counts edges
FallingEdge               EdgeDetector       direction: falling
DetectRisePositive        EdgeDetector       direction: rising
DetectFallNegative        EdgeDetector       direction: falling
DetectChange              EdgeDetector       direction: either
FlipFlop                  DFlipFlop          SRFlipFlop is a latch, JKFlipFlop can turn over
SRLatch                   SRFlipFlop         -
RSFlipFlop                SRFlipFlop         -
DLatch                    DFlipFlop          at the edge of its clock
TFlipFlop                 JKFlipFlop         with both inputs tied together
Toggle                    JKFlipFlop         with both inputs tied together
OnDelay                   DelayTimer         function: "on"
OffDelay                  DelayTimer         function: "off"
Monoflop                  DelayTimer         function: pulse
Monostable                DelayTimer         function: pulse
TON                       DelayTimer         function: "on"
TOF                       DelayTimer         function: "off"
TP                        DelayTimer         function: pulse
OnDelayTimer              DelayTimer         function: "on"
HDLCounter                Counter            -
EdgeCounter               Counter            -
IntervalTestDynamic       Expression         lower <= u and u <= upper
BitwiseOperator           BitOperation       and, or, xor, not
BitwiseAnd                BitOperation       function: and
ShiftArithmetic           BitOperation       shift_left, shift_right
BitShift                  BitOperation       shift_left, shift_right
BitSet                    BitOperation       function: or, with an operand
BitClear                  BitOperation       function: and, with an operand
ZeroCrossing              HitCrossing        level 0
DetectCross               HitCrossing        -
IfActionSubsystem         If                 with a Subsystem that has an Enable
SwitchCaseActionSubsystem SwitchCase         with a Subsystem that has an Enable
Chart                     StateMachine       -
Stateflow                 StateMachine       -
ManualSwitch              Switch             -
IndexVector               MultiportSwitch    -
Extractor                 Selector           with a place that changes: MultiportSwitch
LogicalSwitch             Switch             -
Goto                      -                  write its name under `signals`: wires begin with it
GotoTagVisibility         -                  names under `signals` hold in their diagram
From                      -                  begin a wire with a name under `signals`
Index                     Selector           from 0
Slice1                    Slice              start, stop, step; Selector takes a list
Submatrix                 Selector           rows and columns
PermuteDimensions         Transpose          Selector reorders elements
Permute                   Transpose          Selector reorders elements
Squeeze                   Reshape            -
Replicator                Repeat             -
Tile                      Repeat             -
BusMerge                  BusCreator         -
Assignment                BusAssignment      of the fields of a bus
SignalSpec                SignalSpecification size and unit
Probe                     -                  `blockdyn check` shows size, unit and clock of every signal
Width                     -                  `blockdyn check` shows size, unit and clock of every signal
In1                       Inport             -
Out1                      Outport            -
In                        Inport             -
Out                       Outport            -
Input                     Inport             -
Output                    Outport            -
PortInput                 Inport             -
PortOutput                Outport            -
RealInput                 Inport             -
RealOutput                Outport            -
Multiplexer               Mux                -
Demultiplexer             Demux              -
DeMux                     Demux              -
Item                      BusSelector        of a bus
Dict                      BusCreator         of a bus
VectorConcatenate         Mux                Concatenate makes a matrix
MatrixConcatenate         Concatenate        -
PassThrough               Gain               k: 1
SharedPointerSystem       -                  -
SignalConversion          -                  not needed
DataTypeConversion        -                  every signal is a double
Null                      Terminator         -
Ground                    Constant           value: 0
Constants                 Constant           -
ConstantVectorSource      Constant           -
ConstantValueSource       Constant           -
TrajectorySource          PiecewiseLinear    or a block of the family trajectories
DigitalClock              Clock              then ZeroOrderHold
Time                      Clock              -
ContinuousClock           Clock              -
SineWave                  Sine               -
Waveform                  Sine               Square and RepeatingSequence for the other shapes
SignalGenerator           Sine               Square and RepeatingSequence for the other shapes
Trapezoid                 RepeatingSequence  -
Lookup                    Lookup1D           Lookup2D and LookupND for more signals, Table over time
LookupTable               Lookup1D           Lookup2D and LookupND for more signals, Table over time
Lookup1                   Lookup1D           -
1DLookupTable             Lookup1D           -
2DLookupTable             Lookup2D           -
nDLookupTable             LookupND           -
LookupTableDynamic        Lookup1D           its table is a parameter of the run
DirectLookupTable         LookupND           method: held
DirectLookupTablenD       LookupND           method: held
Interpolate               Lookup1D           Lookup2D and LookupND for more signals
CombiTable1Ds             Lookup1D           -
CombiTable1Dv             Lookup1D           element by element
CombiTable2Ds             Lookup2D           -
CombiTable2Dv             Lookup2D           element by element
Spline                    Lookup1D           method: cubic; over time Table
CubicSpline               Lookup1D           method: cubic; over time Table
Interp                    Lookup1D           -
Interp1                   Lookup1D           -
Interp2                   Lookup2D           -
Interpn                   LookupND           -
Interpolation             Lookup1D           -
InterpolationUsingPrelookup InterpolationPrelookup -
Lut                       Lookup1D           -
CombiTimeTable            Table              a table over time; FromFile reads one
TimeTable                 Table              a table over time; FromFile reads one
FromWorkspace             Table              a table over time; FromFile reads one, Recorded a signal of a run
FromSpreadsheet           FromFile           a file of columns
SignalBuilder             Table              linear, held or cubic
SignalEditor              Table              linear, held or cubic
Playback                  Recorded           a signal of an earlier run
ChirpSignal               Chirp              -
SweptSine                 Chirp              -
PulseGenerator            Pulse              Square swings about its bias
BooleanPulse              Pulse              -
Triangle                  Sawtooth           rise: 0.5
TriangleWave              Sawtooth           rise: 0.5
PRBSSource                PRBS               -
PNSequence                PRBS               -
PseudoRandom              PRBS               -
FlickerNoise              PinkNoise          -
ColoredNoise              PinkNoise          FilteredNoise is behind a low pass of first order
GaussMarkovNoise          FilteredNoise      -
OrnsteinUhlenbeck         FilteredNoise      -
FunctionOfTime            Function           with t as its argument; Expression for a formula
RepeatingSequenceStair    RepeatingStair     -
Noise                     BandLimitedWhiteNoise continuous; RandomNumber is sampled
WhiteNoise                BandLimitedWhiteNoise -
NormalNoise               RandomNumber       -
UniformNoise              UniformRandomNumber -
GaussianNoise             RandomNumber       -
Piecewise                 PiecewiseConstant  PiecewiseLinear joins its points
Traj                      JointTrajectory    -
JTraj                     JointTrajectory    -
LSPB                      JointTrajectory    with its trapezoidal profile
CTraj                     CartesianTrajectory -
CirclePath                Circle             -
ScopeXY                   Scope              the result draws one signal over another: plot_xy
ScopeXY1                  Scope              the result draws one signal over another: plot_xy
XYGraph                   Scope              the result draws one signal over another: plot_xy
Plot                      Scope              draws signals over time
Plotter                   Scope              draws signals over time
Graph                     Scope              draws signals over time
Oscilloscope              Scope              -
TimeScope                 Scope              -
ScopeViewer               Scope              -
FloatingScope             Scope              -
Display                   Scope              the last value: Result.final
Print                     Scope              the last value: Result.final
Watch                     Record             -
ToWorkspace               Record             -
ToFile                    Record             Result.save writes the file
OutputToFile              Record             Result.save writes the file
VectorLogSink             Record             -
StopSimulation            Stop               -
Terminate                 Stop               -
Assertion                 Assert             -
ForwardKinematics         FKine              -
InverseKinematics         IKine              -
InverseDynamics           RNE                -
ForwardDynamics           FDyn               -
IDyn                      RNE                -
FDyn_X                    FDyn               -
MultibodyPlant            FDyn               -
ArmPlot                   -                  `blockdyn animate` draws the arm
Gravity                   Gravload           -
JointSpaceInertia         Inertia            -
InverseDynamicsController ComputedTorque     -
PidController             PID                -
PidControlledSystem       PID                -
JointStiffnessController  PDGravity          -
Tr2T                      PoseToXYZ          -
Point2Tr                  XYZToPose          -
TransformInverse          PoseInverse        -
EnabledSubsystem          Enable             in a Subsystem
TriggeredSubsystem        Trigger            in a Subsystem
FunctionCallGenerator     FunctionCall       -
ForEachSubsystem          ForEach            in a Subsystem
WhileIterator             -                  Function takes a loop in its Python
WhileIteratorSubsystem    -                  Function takes a loop in its Python
ForIterator               ForEach            in a Subsystem
AtomicSubsystem           Subsystem          -
ModelReference            Subsystem          with file
Diagram                   Subsystem          -
LowpassButterworth        LowPass            of its order
FirstOrderLowPassFilter   LowPass            order: 1
NotchFilter               Notch              -
BandStop                  Notch              -
VariableNotchFilter       Notch              of fixed frequency
Zpk                       ZeroPoleGain       -
SecondOrderIntegratorLimited SecondOrderIntegrator with its limits
DoubleIntegrator          SecondOrderIntegrator -
SecondOrderActuator       SecondOrder        -
NonlinearSecondOrderActuator SecondOrder        with its limits
PIDController2DOF         PID2DOF            -
PIDController(2DOF)       PID2DOF            -
TwoDegreeOfFreedomPID     PID2DOF            -
VariableLimitIntegrator   Integrator         with limit_inputs
IntegratorLimited         Integrator         with lower and upper
Play                      Backlash           -
DeadBand                  Backlash           of a play; DeadZone is zero between two limits
UnitDelayExternalIC       UnitDelay          -
DiscreteFIRFilter         DiscreteFilter     b alone
FIRFilter                 DiscreteFilter     b alone
FIR                       DiscreteFilter     b alone
IIRFilter                 DiscreteFilter     b and a
IIR                       DiscreteFilter     b and a
DiscreteIIRFilter         DiscreteFilter     b and a
BiquadFilter              DiscreteFilter     sos
Biquad                    DiscreteFilter     sos
SOSFilter                 DiscreteFilter     sos
DiscreteDifference        DiscreteDerivative times the sample time
Difference                DiscreteDerivative times the sample time
TappedDelayLine           TappedDelay        -
DelayLine                 TappedDelay        -
Buffer                    TappedDelay        -
RunningMean               MovingAverage      -
MovingMean                MovingAverage      -
SlidingAverage            MovingAverage      -
FirstOrderHolder          FirstOrderHold     -
Filter                    DiscreteFilter     of samples; LowPass, HighPass and Notch are continuous
FOH                       FirstOrderHold     -
InitialValue              Memory             value: first
Quantization              Quantizer          -
QuantizerUniform          Quantizer          -
Preisach                  Hysteresis         of another model
PrandtlIshlinskii         Hysteresis         -
HysteresisLoop            Hysteresis         Relay has two values
HysteresisController      Relay              -
Stribeck                  StribeckFriction   -
LuGre                     LuGreFriction      -
Mean                      Statistics         its output `mean`
RMS                       Statistics         its output `rms`
RootMeanSquare            Statistics         its output `rms`
RunningMinMax             Statistics         its outputs `min` and `max`
MinMaxRunningResettable   Statistics         its outputs `min` and `max`
Variance                  Statistics         rms and mean
StandardDeviation         Statistics         rms and mean
KalmanFilterDiscrete      SampledKalmanFilter KalmanFilter is continuous
DiscreteKalmanFilter      SampledKalmanFilter -
LQE                       KalmanFilter       steady where P0 is left out
LinearQuadraticEstimator  KalmanFilter       steady where P0 is left out
DLQR                      SampledLQR         -
DiscreteLQR               SampledLQR         -
Observer                  LuenbergerObserver -
StateObserver             LuenbergerObserver -
LuenbergerObserverDiscrete SampledLuenbergerObserver -
FullStateFeedback         StateFeedback      -
PolePlacement             LuenbergerObserver of an observer
ScheduledGain             GainScheduling     -
GainScheduled             GainScheduling     -
Inverse                   MatrixInverse      -
RandomSource              RandomNumber       UniformRandomNumber is uniform
Model                     Subsystem          with file
WaveformGenerator         Sine               Pulse, Square, Sawtooth for the other shapes
CounterFreeRunning        Counter            of the edges of a Pulse
CounterLimited            Counter            with modulus
EnumeratedConstant        Constant           every signal is a double
ComplexToRealImag         -                  signals are real
FindNonzeroElements       -                  sizes do not change in a run
UnaryMinus                Gain               k: -1
IdentityMatrix            Constant           value: the matrix
DescriptorStateSpace      -                  `loops: solve` solves algebraic loops
DiscreteZeroPole          DiscreteTransferFunction num and den
VariableIntegerDelay      -                  TappedDelay and MultiportSwitch
DeadZoneDynamic           Expression         min(u - lower, 0) + max(u - upper, 0)
CoulombAndViscousFriction CoulombFriction    with its viscous part
DataStoreMemory           -                  wires carry all data; Memory keeps a value
DataStoreRead             -                  wires carry all data; Memory keeps a value
DataStoreWrite            -                  wires carry all data; Memory keeps a value
IC                        -                  every state has an initial value
FunctionCallSubsystem     Trigger            in a Subsystem; FunctionCall calls it
ForEachSubsystem          ForEach            in a Subsystem
WhileIteratorSubsystem    -                  a Function has loops
ForIteratorSubsystem      -                  a Function has loops
CheckStaticRange          Assert             of an IntervalTest
Flatten                   Reshape            -
Slice2                    Selector           rows and columns
Cond                      -                  a Function, numpy.linalg.cond
Deriv                     Derivative         filtered
Deriv2                    SecondOrder        -
Integrator_S              DiscreteIntegrator method: forward
Deriv_S                   DiscreteDerivative -
LTI_SS_S                  DiscreteStateSpace A, B, C, D
LTI_SISO_S                DiscreteTransferFunction num and den
PID_S                     DiscretePID        -
Event                     HitCrossing        counts; blocks of your own jump: see `jump`
Animation                 -                  `blockdyn animate` draws arms and vehicles
Pose_PostMul              PoseProduct        -
Pose_PreMul               PoseProduct        -
Transform_Vector          MatrixProduct      of a pose and [x, y, z, 1]
PoseIntegrator            PoseIntegral       -
PoseIntegrator_S          PoseIntegral       continuous
Gravload_X                Gravload           then a Jacobian
Inertia_X                 CartesianInertia   -
Trapezoidal               JointTrajectory    method: trapezoidal
MultirotorPlot            -                  `blockdyn animate` draws the vehicle
LinearTransformDensity    -                  numbers are drawn by RandomNumber
Multilayer                -                  a Function holds a network
PortSwitch                MultiportSwitch    -
SparseMatrixGain          MatrixGain         -
TrajectoryAffineSystem    -                  LookupND and MatrixProduct: matrices over time
WrapToSystem              AngleDifference    to zero, between -pi and pi
MPCController             ModelPredictive    limits of the inputs
ModelPredictiveController ModelPredictive    limits of the inputs
LinearModelPredictiveController ModelPredictive    limits of the inputs
SpectrumAnalyzer          Spectrum           -
FFT                       Spectrum           amplitudes
RealFFT                   Spectrum           amplitudes
"""


class Synonym(NamedTuple):
    """A name elsewhere, the type here that does its work (`-` where none does), and how."""

    name: str
    type: str
    how: str


def meant(name: str, choices: Collection[str]) -> str:
    """What to add to `there is no block type NAME`: what the block is called here, or the nearest name."""
    entry = counterpart(name)
    if entry is not None and entry.type == "-":
        return ", nor one that does the same" + (f"; {entry.how}" if entry.how else "")
    if entry is not None and entry.type in choices:
        return f", did you mean `{entry.type}`?" + (f" ({entry.how})" if entry.how else "")
    return nearest(name, list(choices), likeness=0.75)


def counterpart(name: str) -> Synonym | None:
    """What a foreign name is called here; None where it is not known."""
    return _by_name().get(normal(name))


@cache
def synonyms() -> tuple[Synonym, ...]:
    """The whole table."""
    rows = (line.split(None, 2) for line in TABLE.strip().splitlines())
    return tuple(Synonym(name, types, "" if how == "-" else how) for name, types, how in rows)


@cache
def _by_name() -> dict[str, Synonym]:
    return {normal(entry.name): entry for entry in synonyms()}


def normal(name: str) -> str:
    """A name as it is compared: without case, spaces, `_` and `-`."""
    return "".join(letter for letter in name.casefold() if letter not in " _-\n")
