"""The public names of trajectories, where they come from; each is imported when it is first asked for."""

from .curves import (
    FlightCurve as FlightCurve,
    figure_eight as figure_eight,
    helix as helix,
    lissajous as lissajous,
)
from .flight_files import (
    local_position as local_position,
    read_flight as read_flight,
    read_waypoints as read_waypoints,
)
from .flight_path import (
    FlatValues as FlatValues,
    FlightPath as FlightPath,
    FlightValues as FlightValues,
    flat_motion as flat_motion,
)
from .least_snap import minimum_snap as minimum_snap
from .lines import straight_lines as straight_lines
from .motion import Pieces as Pieces, TrajectoryError as TrajectoryError, Values as Values
from .point_to_point import (
    cubic as cubic,
    point_to_point as point_to_point,
    quintic as quintic,
    trapezoidal as trapezoidal,
)
from .poses import (
    PoseValues as PoseValues,
    cartesian_motion as cartesian_motion,
    scaling as scaling,
    screw_motion as screw_motion,
)
from .via_points import segments as segments, via_points as via_points
