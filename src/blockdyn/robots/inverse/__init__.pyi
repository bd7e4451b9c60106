"""The public names of inverse, where they come from; each is imported when it is first asked for."""

from .analytic import ikine_all as ikine_all, ikine_closed as ikine_closed
from .arguments import (
    InvalidTask as InvalidTask,
    InverseKinematicsError as InverseKinematicsError,
    NoClosedForm as NoClosedForm,
    Solution as Solution,
)
from .form import form_of as form_of
from .null_space import Centred as Centred, qmincon as qmincon
from .numeric import ikine as ikine, ikine_path as ikine_path
from .resolved_rate import resolved_rate as resolved_rate
from .three_joints import ikine3 as ikine3
