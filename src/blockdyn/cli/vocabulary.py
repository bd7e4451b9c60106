"""Words around the commands: the calls that their help ends with, and names from elsewhere for each."""

from __future__ import annotations

from collections.abc import Collection

from ..base.hints import equivalent, words
from ..base.words import nearest

RUN = """\
examples:
  blockdyn run quadrotor
  blockdyn run loop.yaml --stop 20 --param kp=3 --set motor.gain=2.5 --out loop.nc
  blockdyn run loop.yaml --log motor --log control.y --plot loop.pdf
  blockdyn run loop.yaml --files measured
  blockdyn run quadrotor --live --pace 2"""

SWEEP = """\
examples:
  blockdyn sweep quadrotor-errors --report flights.html
  blockdyn sweep loop.yaml --number 1000000 --store loop.zarr --workers 8
  blockdyn sweep loop.yaml --number 1000000 --store loop.zarr --resume
  blockdyn sweep loop.yaml --store /shared/loop.zarr --dask tcp://scheduler:8786
  blockdyn run loop.yaml --scenario 17 --plot worst.png"""

ROBOTS = """\
examples:
  blockdyn robots 6R dynamics
  blockdyn robots puma560 --pose qn --plot puma.pdf --workspace
  blockdyn robots stanford_rrp --equations"""

EXPORT = """\
examples:
  blockdyn export page quadrotor --out flight.html --stop 8
  blockdyn export c sampled-cascade --part cascade
  blockdyn export robot puma560 --functions rne,fkine --lang c"""

VEHICLES = """\
examples:
  blockdyn vehicles hexarotor
  blockdyn vehicles crazyflie --plot crazyflie.png"""

ANIMATE = """\
examples:
  blockdyn run computed-torque --out arm.nc && blockdyn animate arm.nc
  blockdyn animate computed-torque --out arm.mp4 --speed 0.5 --view 25,-60
  blockdyn animate quadrotor --out flight.html
  blockdyn animate computed-torque --block arm --block motion
  blockdyn animate data.csv --robot puma560 --signal plant.q --frames strip.pdf"""


def nearest_command(word: str, commands: Collection[str]) -> str:
    """', did you mean `run FILE`?' for an unknown command, or an empty string."""
    if word.endswith((".yaml", ".yml")):
        return f", did you mean `run {word}`?"
    place = words("commands").get(word, "").replace("NAME(", f"{word}(")
    return f", did you mean {place}?" if place else nearest(word, commands)


def nearest_option(word: str, options: Collection[str]) -> str:
    """', did you mean `--stop`?' for an unknown option of a command, or the way to set a parameter."""
    bare = [option.removeprefix("--") for option in options]  # without the part that all share
    near = equivalent(word, options, "options")
    near = near or nearest(word.lstrip("-"), bare, likeness=0.7).replace("`", "`--", 1)
    if near or "--param" not in options or not word.startswith("--"):
        return near
    return f"; a parameter is set by `--param {word.removeprefix('--')}=VALUE`"
