"""Elsewhere: what users look for in fits, tunings and derivatives under other names, and where it is."""

from __future__ import annotations

FIT = {
    "x popt params parameters best best_values solution p theta": "`values` by path, `found` as an array",
    "cov pcov covariances": "`covariance`",
    "std stderr sd perr uncertainties bse": "`errors`, by path",
    "ci conf_int conf_interval confidence": "`intervals(0.95)`",
    "success": "`converged`, and `message`",
    "residual resid": "`residuals`, such as `fit.residuals[0].data - fit.residuals[0].model`",
    "r2 rsquared cost chi2 redchi fun rmse": "`noise`, the root mean square of what remains of each signal",
    "nfev nit iterations": "`runs`",
    "summary report fit_report info": "`print(fit)`",
    "simulate run result diagram predict model": "`diagram.simulate(stop=10, set=fit.values)`",
    "to_pandas to_frame df": "`pandas.DataFrame({'value': fit.values, 'error': fit.errors})`",
    "corr": "`correlation`",
    "intervals()": "such as intervals(0.95)",
    "*": "`fit.values`, by path, or `fit.found`, an array",
    "()": "`diagram.simulate(stop=10, set=fit.values)`",
}
"""Of a fit."""
TUNED = {
    "x params parameters best gains solution found": "`values`, by path",
    "fun cost value minimum": "`after`, the measures in each scenario, and `worst`",
    "success": "`converged`, `unmet` and `message`",
    "nit nfev iterations history": "`runs`; the way of the search is not kept",
    "simulate run result diagram": "`diagram.simulate(stop=10, set=tuned.values)`",
    "show draw picture": "`plot()`; of a run: `diagram.simulate(stop=10, set=tuned.values).plot()`",
    "summary report": "`print(tuned)`",
    "*": "`tuned.values`, by path",
    "()": "`diagram.simulate(stop=10, set=tuned.values)`",
}
"""Of a tuning."""
GRADIENT = {
    "slopes derivatives jacobian grad": '`matrix`, or `gradient["top", "kp"]`, one of them',
    "to_pandas to_frame df": "`pandas.DataFrame(gradient.matrix, gradient.measures, gradient.to)`",
    "summary report": "`print(gradient)`",
    "parameters params names": "`to`",
    "*": "`gradient.matrix`, an array",
    "()": '`gradient["top", "kp"]`',
}
"""Of gradients of measures."""
SENSITIVITIES = {
    "t time": "`times`",
    "to_pandas to_frame df to_dataset": '`sensitivities["motor", "kp"].to_pandas()`, of one',
    "matrix jacobian slopes": '`sensitivities["motor", "kp"]`, or `derivatives` by path and signal',
    "parameters params names": "`to`",
    "summary report": "`print(sensitivities)`, and `plot()`",
    "*": '`sensitivities["motor", "kp"]`, an xarray.DataArray',
    "()": '`sensitivities["motor", "kp"]`',
}
"""Of sensitivities."""
