"""Dubins and Reeds-Shepp paths: no word is shorter, they end where they should, and they scale and mirror."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest

from blockdyn.robots.planning import (
    ArcPath,
    ArcPaths,
    PlanningError,
    dubins,
    dubins_many,
    reeds_shepp,
    reeds_shepp_many,
)

from . import words

Many = Callable[..., ArcPaths]
One = Callable[..., ArcPath]

BOTH = pytest.mark.parametrize(
    ("many", "forms"),
    [(dubins_many, words.DUBINS), (reeds_shepp_many, words.REEDS_SHEPP)],
    ids=["dubins", "reeds_shepp"],
)
EACH = pytest.mark.parametrize("plan", [dubins, reeds_shepp])


def random_poses(seed: int, count: int, scale: float) -> Any:
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.uniform(-scale, scale, (count, 2)), rng.uniform(-pi, pi, count)])


def misses(paths: ArcPaths, goals: Any) -> Any:
    """How far the ends are from the goals, m and rad, by integrating the segments."""
    worst = np.zeros(2)
    for letters in np.unique(paths.letters):
        rows = paths.letters == letters
        starts = paths.starts[rows] / [paths.radius, paths.radius, 1.0]
        lengths = paths.lengths[rows, : len(letters)] / paths.radius
        ends = words.drive(starts, letters, lengths) * [paths.radius, paths.radius, 1.0]
        place = np.hypot(*(ends - goals[rows])[:, :2].T).max()
        angle = np.abs(np.exp(1j * ends[:, 2]) - np.exp(1j * goals[rows, 2])).max()
        worst = np.maximum(worst, [place, angle])
    return worst


def test_there_are_six_words_and_forty_eight() -> None:
    assert len(words.DUBINS) == 6
    assert len(words.REEDS_SHEPP) == 48


@BOTH
@pytest.mark.parametrize("scale", [0.05, 1.0, 3.0, 8.0])
def test_no_word_solved_numerically_is_shorter(many: Many, forms: Any, scale: float) -> None:
    goals = random_poses(3, 250, scale)
    lengths = [words.shortest(form, goals) for form in forms]
    assert many([0, 0, 0], goals, 1.0).length == pytest.approx(np.min(lengths, axis=0), rel=0, abs=1e-12)


@BOTH
def test_no_curve_driven_at_random_is_shorter_than_the_path_to_its_end(many: Many, forms: Any) -> None:
    """A million curves, of every word, with arcs up to pi and lines up to 6 radii."""
    rng, count = np.random.default_rng(4), 1_000_000 // len(forms)
    for form in forms:
        u = rng.uniform(0.0, 6.0 if any(side == "S" for side, _ in form) else pi, count)
        first, last = (form[i][1] * rng.uniform(0.0, pi, count) for i in (0, -1))
        lengths = np.column_stack([first, words.middle(form, u), last])
        ends = words.drive(np.zeros((count, 3)), "".join(side for side, _ in form), lengths)
        longer = many([0, 0, 0], ends, 1.0).length - np.abs(lengths).sum(axis=1)
        assert longer.max() < 1e-12


@BOTH
@pytest.mark.parametrize("radius", [0.3, 1.0, 7.0])
def test_a_path_ends_at_its_goal(many: Many, forms: Any, radius: float) -> None:
    for scale in (1e-3, 1.0, 10.0, 100.0):
        starts, goals = random_poses(5, 100_000, scale), random_poses(6, 100_000, scale)
        assert misses(many(starts, goals, radius), goals).max() < 1e-12


@BOTH
def test_the_words_are_those_of_the_theorem(many: Many, forms: Any) -> None:
    theorem = set(forms)
    for path in many([0, 0, 0], random_poses(7, 3000, 4.0), 1.0):
        shape = tuple(zip(path.word.replace("+", "").replace("-", ""), np.sign(path.lengths)))
        assert len(shape) < 3 or shape in theorem


@BOTH
def test_lengths_scale_with_the_radius(many: Many, forms: Any) -> None:
    starts, goals = random_poses(8, 10_000, 4.0), random_poses(9, 10_000, 4.0)
    lengths = many(starts, goals, 1.3).length
    for factor in (0.25, 64.0):  # powers of two change no digit
        stretch = np.array([factor, factor, 1.0])
        assert (many(stretch * starts, stretch * goals, factor * 1.3).length == factor * lengths).all()
    stretch = np.array([1.7, 1.7, 1.0])
    np.testing.assert_allclose(
        many(stretch * starts, stretch * goals, 1.7 * 1.3).length, 1.7 * lengths, rtol=1e-10
    )


@BOTH
def test_mirrored_reversed_and_moved_pairs_have_the_same_length(many: Many, forms: Any) -> None:
    a, b = random_poses(10, 10_000, 4.0), random_poses(11, 10_000, 4.0)
    lengths = many(a, b, 1.0).length
    mirror, about = np.array([1.0, -1.0, -1.0]), np.array([0.0, 0.0, pi])
    assert np.abs(many(mirror * a, mirror * b, 1.0).length - lengths).max() < 1e-10
    assert np.abs(many(b + about, a + about, 1.0).length - lengths).max() < 1e-10  # driven the other way
    turn = np.exp(0.7j)
    place = [(turn * (p[:, 0] + 1j * p[:, 1]), p[:, 2] + 0.7) for p in (a, b)]
    moved = [np.column_stack([z.real + 2.0, z.imag - 5.0, angle]) for z, angle in place]
    assert np.abs(many(*moved, 1.0).length - lengths).max() < 1e-10


def test_a_car_that_drives_both_ways_comes_back_on_the_same_way() -> None:
    """Reeds-Shepp lengths are a distance: symmetric, and the same with the vehicle turned about."""
    a, b, c = (random_poses(seed, 10_000, 4.0) for seed in (12, 13, 14))
    there = reeds_shepp_many(a, b, 1.0).length
    about = np.array([0.0, 0.0, pi])
    assert np.abs(reeds_shepp_many(b, a, 1.0).length - there).max() < 1e-12
    assert np.abs(reeds_shepp_many(a + about, b + about, 1.0).length - there).max() < 1e-12
    assert (there <= dubins_many(a, b, 1.0).length + 1e-12).all()
    by_c = reeds_shepp_many(a, c, 1.0).length + reeds_shepp_many(c, b, 1.0).length
    assert (there <= by_c + 1e-12).all()


@EACH
@pytest.mark.parametrize("heading", [0.0, 0.3, -pi, pi, 5.0])
def test_no_way_and_straight_ways(plan: One, heading: float) -> None:
    start = np.array([3.0, -2.0, heading])
    assert plan(start, start, 2.0).length == 0.0
    assert plan(start, start + np.array([0.0, 0.0, 2.0 * pi]), 2.0).length == pytest.approx(0.0, abs=1e-14)
    for length in (1e-3, 1.0, 1e3):
        ahead = start + length * np.array([np.cos(heading), np.sin(heading), 0.0])
        assert plan(start, ahead, 2.0).length == pytest.approx(length, rel=1e-12)


def test_the_way_back() -> None:
    back = reeds_shepp([0, 0, 0], [-3.0, 0.0, 0.0], 1.0)
    assert (back.word, back.length) == ("S-", 3.0)
    assert dubins([0, 0, 0], [-3.0, 0.0, 0.0], 1.0).length > 2.0 * pi


@EACH
@pytest.mark.parametrize("turn", [1e-9, 0.2, 0.5 * pi, pi])
def test_one_arc(plan: One, turn: float) -> None:
    for side in (1.0, -1.0):
        goal = [2.0 * np.sin(turn), side * 4.0 * np.sin(0.5 * turn) ** 2, side * turn]
        assert plan([0, 0, 0], goal, 2.0).length == pytest.approx(2.0 * turn, rel=1e-12)


def test_published_and_elementary_lengths() -> None:
    # turning about on the spot: three arcs of pi/3 with two cusps; forwards alone 7 pi / 3
    assert reeds_shepp([0, 0, 0], [0, 0, pi], 1.0).length == pytest.approx(pi, abs=1e-14)
    assert dubins([0, 0, 0], [0, 0, pi], 1.0).length == pytest.approx(7.0 * pi / 3.0, abs=1e-13)
    # opposite directions four radii beside each other: a quarter, two radii, a quarter
    assert dubins([0, 0, 0], [0, 4, pi], 1.0).length == pytest.approx(pi + 2.0, abs=1e-14)
    # a change of lanes on two circles that touch: two arcs, and no line between
    angle = pi / 3.0
    lane = dubins([0, 0, 0], [2.0 * np.sin(angle), 2.0 - 2.0 * np.cos(angle), 0.0], 1.0)
    assert lane.length == pytest.approx(2.0 * angle, abs=1e-7)
    assert lane.end == pytest.approx([sqrt(3.0), 1.0, 0.0], abs=1e-14)


def test_many_take_one_pose_beside_rows_and_give_the_paths_of_the_single_calls() -> None:
    goals = random_poses(15, 50, 3.0)
    for many, one in ((dubins_many, dubins), (reeds_shepp_many, reeds_shepp)):
        there, back = many([1, 2, 3], goals, 0.5), many(goals, [1, 2, 3], 0.5)
        assert len(there) == len(back) == 50
        for path, goal, length in zip(there, goals, there.length):
            single = one([1, 2, 3], goal, 0.5)
            assert (single.word, single.length) == (path.word, path.length)
            assert path.length == pytest.approx(length, abs=1e-14)
        assert len(many(np.empty((0, 3)), [0, 0, 0], 1.0)) == 0


@pytest.mark.parametrize("plan", [dubins, dubins_many, reeds_shepp, reeds_shepp_many])
@pytest.mark.parametrize(
    ("values", "named"),
    [
        (([0, 0, 0], [1, 1, 0], 0.0), "radius"),
        (([0, 0, 0], [1, 1, 0], -1.0), "radius"),
        (([0, 0, 0], [1, 1, 0], np.nan), "radius"),
        (([0, 0, 0], [1, 1, 0], np.inf), "radius"),
        (([0, 0, 0], [1, 1, 0], [1.0, 2.0]), "radius"),
        (([0, 0, 0], [1e300, 1, 0], 1e-300), "radius"),
        (([0, 0], [1, 1, 0], 1.0), "start"),
        (([0, 0, 0], [1, np.nan, 0], 1.0), "goal"),
        (([0, 0, 0], "there", 1.0), "goal"),
        ((np.zeros((2, 3)), np.zeros((3, 3)), 1.0), "goals|start"),
        ((np.zeros((2, 2, 3)), [0, 0, 0], 1.0), "start"),
    ],
)
def test_what_is_no_pose_or_radius_is_refused(plan: Any, values: Any, named: str) -> None:
    with pytest.raises(PlanningError, match=named):
        plan(*values)


def test_a_path_has_poses_points_and_directions() -> None:
    goals = random_poses(16, 200, 3.0)
    paths = [*reeds_shepp_many([0, 0, 1], goals, 0.7), *dubins_many([0, 0, 1], goals, 0.7)]
    for path, goal in zip(paths, [*goals, *goals]):
        assert path.end[:2] == pytest.approx(goal[:2], abs=1e-13)
        s = np.linspace(0.0, path.length, 400)
        poses, way = path.pose(s), path.direction(s)
        assert path.pose(0.0) == pytest.approx(path.start)
        assert path.pose(path.length) == pytest.approx(path.end)
        # between two places on one segment the chord bears midway between the headings
        chords = np.diff(poses[:, :2], axis=0)
        assert (np.hypot(*chords.T) <= s[1] + 1e-12).all()
        before, after = path.knots.searchsorted(s[:-1], "right"), path.knots.searchsorted(s[1:], "left")
        smooth = before == after
        middle = 0.5 * (poses[1:, 2] + poses[:-1, 2])
        bearing = way[:-1, None] * np.column_stack([np.cos(middle), np.sin(middle)])
        across = chords[:, 0] * bearing[:, 1] - chords[:, 1] * bearing[:, 0]
        assert np.abs(across[smooth]).max() < 1e-12
        assert (np.sum(chords * bearing, axis=1)[smooth] > 0.0).all()
        points = path.points(0.1)
        assert (np.hypot(*np.diff(points[:, :2], axis=0).T) <= 0.1 + 1e-12).all()
        np.testing.assert_allclose(points[-1], path.end, atol=1e-12)


def test_places_off_a_path_are_refused() -> None:
    path = dubins([0, 0, 0], [5, 0, 0], 1.0)
    for s in (-1e-9, 5.0 + 1e-9, [0.0, 6.0], np.nan, "end"):
        with pytest.raises(PlanningError, match="s is"):
            path.pose(s)
    with pytest.raises(PlanningError, match="step"):
        path.points(0.0)
    nowhere = dubins([1, 2, 3], [1, 2, 3], 1.0)
    assert nowhere.word == ""
    np.testing.assert_array_equal(nowhere.points(0.1), [[1, 2, 3]])
    assert nowhere.direction(0.0) == 1.0
