"""Localization: the filter of ekf-localization is off as far as its covariance says, over 500 seeded runs."""

from __future__ import annotations

import pytest
from scipy.stats import chi2

import blockdyn as bd


def test_nees_lies_in_its_band_of_95_percent() -> None:
    runs = bd.load_sweep("ekf-localization").run()
    low, high = chi2.ppf([0.025, 0.975], 3 * 500) / 500
    means = {name: runs[name].mean() for name in ("early", "middle", "nees")}
    assert all(low < mean < high for mean in means.values()), means
    assert means == pytest.approx({"early": 2.866, "middle": 2.978, "nees": 3.123}, abs=5e-4)
