"""The public names of planning, where they come from; each is imported when it is first asked for."""

from .arc_path import ArcPath as ArcPath, ArcPaths as ArcPaths, spline as spline
from .arguments import PlanningError as PlanningError
from .bug2 import bug2 as bug2
from .car_paths import (
    dubins as dubins,
    dubins_many as dubins_many,
    reeds_shepp as reeds_shepp,
    reeds_shepp_many as reeds_shepp_many,
)
from .d_star_lite import DStarLite as DStarLite
from .grid_planners import (
    DistanceTransform as DistanceTransform,
    Plan as Plan,
    Searched as Searched,
    astar as astar,
    distance_transform as distance_transform,
)
from .lattice import DrivenPlan as DrivenPlan, lattice as lattice
from .map_files import read_image as read_image, read_map as read_map
from .occupancy_map import OccupancyMap as OccupancyMap
from .path_speed import SpeedProfile as SpeedProfile, speed_profile as speed_profile
from .random_trees import rrt as rrt, rrt_star as rrt_star
from .roadmap import Roadmap as Roadmap, roadmap as roadmap
