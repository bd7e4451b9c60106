"""The public names of planning, where they come from; each is imported when it is first asked for."""

from .arc_path import ArcPath as ArcPath, ArcPaths as ArcPaths
from .dubins import dubins as dubins, dubins_many as dubins_many
from .errors import PlanningError as PlanningError
from .reeds_shepp import reeds_shepp as reeds_shepp, reeds_shepp_many as reeds_shepp_many
