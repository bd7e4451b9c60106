"""Structure: the sections of the site, and the pages in each."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Group(NamedTuple):
    """Pages that the side bar shows under one heading, each with what it is about."""

    title: str
    pages: dict[str, str]


class Section(NamedTuple):
    """One entry of the bar at the top: a page that lists its groups."""

    name: str
    title: str
    text: str
    groups: tuple[Group, ...]


# what is no page of docs/, but one of the site
ELSEWHERE = {
    "changes": ROOT / "CHANGELOG.md",
    "contributing": ROOT / "CONTRIBUTING.md",
    "benchmarks": ROOT / "tools" / "benchmarks" / "README.md",
    "studies": ROOT / "tools" / "studies" / "README.md",
}

TUTORIALS = Section(
    "tutorials",
    "Tutorials",
    "Each takes five to fifteen minutes and starts from scratch. Copy the snippets as they are.",
    (
        Group(
            "Tutorials",
            {
                "tutorials/01-first-loop": "a motor under PI control, with a limit and a load",
                "tutorials/02-own-block": "a function or a class as a block",
                "tutorials/03-events": "located instants, and what a result keeps of them",
                "tutorials/04-sampled-control": "controllers that run on a clock, at several rates",
                "tutorials/05-arm": "a Puma 560 with a payload that its controller does not know",
                "tutorials/06-quadrotor": "a figure eight in gusty wind",
                "tutorials/07-state-machine": "a heater with states, guards and timers",
                "tutorials/08-sweep": "five hundred motors, five controllers, one report",
                "tutorials/09-fit": "parameters from a measurement, with their uncertainty",
                "tutorials/10-cluster": "sweeps that survive a power cut, on many machines",
                "tutorials/11-subsystems": "diagrams as blocks, in Python and in files",
                "tutorials/12-bdsim": "running a bdsim program here",
                "tutorials/13-wheels": "a TurtleBot plans a path around walls and drives along it",
                "tutorials/14-robot": "an arm with a gripper from URDF and xacro, without ROS",
                "tutorials/15-identify": "the masses and friction of a Puma 560 from measured torques",
            },
        ),
    ),
)

GUIDES = Section(
    "guides",
    "How-to",
    "One task per page, with every option.",
    (
        Group(
            "Diagrams",
            {
                "yaml": "every key of a diagram's file, expressions, trust",
                "units": "where units come from, and what happens when they disagree",
                "subsystems": "diagrams as blocks with parameters of their own; packages",
                "switching": "enabled, triggered, one of several, one for each element; state machines",
                "tables": "lookup tables, files, signals of earlier runs",
                "open-diagrams": "inputs given at the run; a diagram as a function x' = f(t, x, u)",
                "writing-blocks": "functions, sampled functions, classes",
            },
        ),
        Group(
            "Robots",
            {
                "robots": "the robots that come with blockdyn, and building others",
                "arms": "arms and their controllers in diagrams",
                "mechanics": "inverse and forward dynamics, Jacobians, inertia",
                "symbolic": "equations in symbols, and code from them in C, Python or LaTeX",
                "identification": "base parameters, exciting motions, an arm from measured torques",
                "inverse-kinematics": "joint angles for a pose",
                "trajectories": "motions of joints and poses",
                "planning": "paths over maps with obstacles, and shortest curves for cars",
                "lie-groups": "rotations, poses, twists; the functions of Modern Robotics",
                "vehicles": "multirotors: motors, drag, ground, battery",
                "wheels": "unicycles, differential drives and cars: limits, exact arcs, drivers",
                "flight": "controllers for multirotors, and the trajectories that they follow",
                "sensing": "sensors, filters, estimators",
                "localization": "poses and maps from odometry, landmarks, scans",
            },
        ),
        Group(
            "Sweeps",
            {
                "declaring-sweeps": "what varies, and how scenarios are drawn",
                "measures": "the numbers kept from each run",
                "reading-sweeps": "statistics, sensitivities, pictures, a report",
                "clusters": "stores, and many machines",
            },
        ),
        Group(
            "Analysis",
            {
                "linear-models": "A, B, C, D: poles, loops, margins, sampled models; operating points",
                "orbits": "limit cycles, gaits, periodic responses, and their Floquet multipliers",
                "fits": "how a run changes with any number, and how to find numbers from measured signals",
            },
        ),
        Group(
            "Pictures, exports, notebooks, agents",
            {
                "studio": "an editor of diagrams in a browser: canvas, text and scopes",
                "live": "a run as it goes: scopes, sliders, pause, going back in time",
                "drawing": "a diagram as a picture",
                "animation": "films and pages of moving bodies",
                "run-page": "a finished run in a browser: scopes, events, film, facts",
                "export": "a page that simulates in any browser, without Python",
                "fmu": "a unit that other simulation tools run, by the standard FMI",
                "fmu-import": "an FMU of another tool as a block",
                "c": "a controller in C for a board, with the bits of the simulation",
                "notebooks": "what a cell shows, progress, the stop button",
                "agents": "diagrams built, checked and run by agents, over the Model Context Protocol",
            },
        ),
    ),
)

COMING_FROM = Section(
    "coming",
    "Coming from",
    "What you know from other tools, and what it is called here.",
    (
        Group(
            "From other simulators",
            {
                "coming-from": "Simulink, bdsim, Drake, the Robotics Toolbox: block by block",
                "simulink": "opening a Simulink model without MATLAB",
                "bdsim": "running bdsim diagrams here: what is translated, and what differs",
                "robotics-toolbox": "the functions of the Robotics Toolbox, one by one",
            },
        ),
    ),
)

CONCEPTS = Section(
    "concepts",
    "Concepts",
    "How it works, what you can rely on, and what you cannot.",
    (
        Group(
            "Concepts",
            {
                "limits": "how a run can be wrong: tolerances, Zeno, stiffness, and what is not offered",
                "execution-model": "time, modes, events, ticks, and the order at one instant",
                "errors": "the tree of exceptions, and what each is about",
                "glossary": "the terms of these pages, and whose they are",
                "machine-code": "what is compiled, when, and where it is stored",
                "architecture": "the packages, and the way from a diagram to a result",
            },
        ),
    ),
)

PROJECT = Section(
    "project",
    "Project",
    "How fast and how accurate blockdyn is, and how it is made.",
    (
        Group(
            "Project",
            {
                "install": "sizes, extras, and where compiled code is stored",
                "comparisons": "accuracy and speed, compared with other simulators",
                "benchmarks": "what is measured, against whom, and how",
                "studies": "models compared with measured flights",
                "contributing": "how to change blockdyn",
                "changes": "what changed",
            },
        ),
    ),
)

SECTIONS = (TUTORIALS, GUIDES, COMING_FROM, CONCEPTS, PROJECT)

BAR = (
    "tutorials",
    "guides",
    "coming",
    "concepts",
    "blocks/index",
    "gallery/index",
    "library/index",
    "api/index",
    "project",
)  # at the top of each page
