"""Random sources: published answers of the generator, moments, independence, the same bits in any order."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import blockdyn as bd
from blockdyn.blocks.contract.random_numbers import philox


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (0xFFFFFFFF, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ],
)
def test_philox_gives_the_published_words(word: int, answer: tuple[int, ...]) -> None:
    """The known answers that its authors publish with Random123, for counters and keys of equal words."""
    assert philox(word, word, word, word, word, word) == answer


def samples(block: bd.Block, count: int = 20_000, **given: object) -> np.ndarray:
    d = bd.Diagram("noise")
    d.add("noise", block)
    r = d.simulate(stop=(count - 0.5) * 0.1, **given)  # type: ignore[arg-type]
    return np.asarray(r["noise"].values)[:count]  # and once more the last one, at the end of the run


def test_normal_samples_are_normal() -> None:
    found = samples(bd.RandomNumber(mean=2.0, sd=3.0, sample_time=0.1), seed=7)
    assert found.size == 20_000
    assert stats.kstest(found, "norm", args=(2.0, 3.0)).pvalue > 1e-3
    lagged = np.corrcoef(found[:-1], found[1:])[0, 1]
    assert abs(lagged) < 4.0 / np.sqrt(found.size)


def test_uniform_samples_are_uniform() -> None:
    found = samples(bd.UniformRandomNumber(low=-1.0, high=5.0, sample_time=0.1), seed=7)
    assert stats.kstest(found, "uniform", args=(-1.0, 6.0)).pvalue > 1e-3


def test_elements_and_blocks_are_independent() -> None:
    found = samples(bd.RandomNumber(mean=[0.0, 0.0], sd=[1.0, 2.0], sample_time=0.1), seed=1)
    assert np.std(found, axis=0) == pytest.approx([1.0, 2.0], rel=0.05)
    assert abs(np.corrcoef(found.T)[0, 1]) < 4.0 / np.sqrt(len(found))
    d = bd.Diagram("two")
    d.add("a", bd.RandomNumber())
    d.add("b", bd.RandomNumber())
    r = d.simulate(stop=10.0)
    assert not np.any(r["a"].values == r["b"].values)


def test_the_integral_of_white_noise_has_the_variance_of_a_wiener_process() -> None:
    """Var x(t) = power t, over the scenarios of one seed, for two sample times."""
    for sample_time in (0.01, 0.05):
        d = bd.Diagram("wiener")
        noise = bd.BandLimitedWhiteNoise(power=0.3, sample_time=sample_time)
        d.connect(d.add("noise", noise), d.add("x", bd.Integrator()))
        program = d.compile()
        ends = [float(program.simulate(stop=2.0, scenario=k)["x"].values[-1]) for k in range(200)]
        low, high = stats.chi2.ppf([1e-4, 1 - 1e-4], 200) / 200
        assert low < np.var(ends) / 0.6 < high


def test_numbers_depend_on_seed_scenario_and_path_alone() -> None:
    def run(name: str = "noise", **given: object) -> np.ndarray:
        d = bd.Diagram("noise")
        d.add(name, bd.RandomNumber(sample_time=0.1))
        d.connect(d.add("wave", bd.Sine()), d.add("x", bd.Integrator()))
        return np.asarray(d.simulate(stop=5.0, **given)[name].values)  # type: ignore[arg-type]

    first = run()
    assert np.array_equal(first, run(method="rk4", step=0.003))
    assert np.array_equal(first, run(rtol=1e-10))
    assert np.array_equal(first, run(compiled=False))
    assert np.array_equal(first, run(seed=0, scenario=0))
    for other in (run(seed=1), run(scenario=1), run("noise2")):
        assert not np.any(first == other)


def test_a_later_start_goes_on_with_the_same_numbers() -> None:
    d = bd.Diagram("noise")
    d.add("noise", bd.RandomNumber(sample_time=0.1))
    whole = d.simulate(stop=4.0)["noise"].values
    later = d.simulate(start=2.0, stop=4.0)["noise"].values
    assert np.array_equal(whole[-len(later) :], later)


def test_vectors_of_other_lengths_are_refused() -> None:
    with pytest.raises(bd.BlockdynError, match="as many numbers as `mean` has"):
        bd.RandomNumber(mean=[0.0, 0.0], sd=[1.0, 1.0, 1.0])
    with pytest.raises(bd.BlockdynError, match="at least `low`"):
        bd.UniformRandomNumber(low=1.0, high=0.0)
