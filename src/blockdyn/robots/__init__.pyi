"""The public names of blockdyn.robots, where they come from; each is imported when it is first asked for."""

from . import (
    functions as functions,
    inverse as inverse,
    lie as lie,
    planning as planning,
    trajectories as trajectories,
)
from .calls.frames import frames as frames
from .construct.dh import from_dh as from_dh, from_mdh as from_mdh, from_tree as from_tree
from .construct.elementary import from_elementary as from_elementary
from .construct.screws import from_screws as from_screws
from .construct.urdf import from_urdf as from_urdf
from .convert.dh import to_dh as to_dh, to_mdh as to_mdh
from .convert.products import Screws as Screws, to_elementary as to_elementary, to_screws as to_screws
from .convert.text import DHTable as DHTable
from .equations.symbolic import SymbolicError as SymbolicError, symbolic as symbolic
from .errors import (
    ConversionError as ConversionError,
    InvalidRobot as InvalidRobot,
    RobotError as RobotError,
    RobotFileError as RobotFileError,
    RobotWarning as RobotWarning,
    UnknownFrame as UnknownFrame,
    UnknownRobot as UnknownRobot,
)
from .identification.base_parameters import (
    BaseParameters as BaseParameters,
    IdentificationError as IdentificationError,
    StandardParameters as StandardParameters,
    base_parameters as base_parameters,
    standard_parameters as standard_parameters,
)
from .identification.excitation import (
    ExcitingTrajectory as ExcitingTrajectory,
    FourierSeries as FourierSeries,
    exciting_trajectory as exciting_trajectory,
    fourier_series as fourier_series,
)
from .identification.identify import Identification as Identification, identify as identify
from .library.catalogue import (
    catalogue as catalogue,
    from_file as from_file,
    join as join,
    load as load,
    robot_from as robot_from,
)
from .library.vehicles import (
    load_vehicle as load_vehicle,
    vehicle_catalogue as vehicle_catalogue,
    vehicle_from as vehicle_from,
    vehicle_from_file as vehicle_from_file,
)
from .model.joint import Joint as Joint
from .model.link import Link as Link
from .model.robot import Robot as Robot
from .vehicles.multirotor import Multirotor as Multirotor
from .vehicles.rotor import Battery as Battery, Blades as Blades, Rotor as Rotor
