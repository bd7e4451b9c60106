"""Elsewhere: what users look for in a linear model under the names of other libraries, and where it is."""

from __future__ import annotations

MODEL = {
    "a b c d ABCD matrices": "`A`, `B`, `C` and `D`",
    "dcgain dc_gain static_gain": "`gain()`",
    "eig eigenvalues eigvals pole": "`poles()`",
    "zero tzero tzeros transmission_zeros": "`zeros()`",
    "damp natural_frequency": "`damping()`",
    "is_stable isstable": "`stable`, without a call",
    "margin gain_margin phase_margin stability_margins": "`margins()`, such as `margins().gain`",
    "freqresp freq_response frequencyresponse evalfr": "`frequency_response([1.0, 10.0])`, in rad/s",
    "rlocus locus": "`root_locus()`, and `poles()` are points of it",
    "pzmap pole_zero_map pole_zero_plot": "`pole_map()`",
    "step_response": "`step()`",
    "impulse_response": "`impulse()`",
    "plot show": '`bode(file="bode.png")`, `nyquist()`, `pole_map()`, `root_locus()`',
    "state_labels state_names": "`states`",
    "input_labels input_names u": "`inputs`",
    "output_labels output_names y": "`outputs`",
    "nstates n order": "`len(model.states)`",
    "ninputs": "`len(model.inputs)`",
    "noutputs": "`len(model.outputs)`",
    "dt Ts": "`sample_time`",
    "tf to_tf transfer_function num den": """\
`model.to_scipy().to_tf()`, or `control.ss2tf(model.to_control())`""",
    "ss to_ss state_space": "`to_scipy()` or `to_control()`",
    "c2d discretize sample to_discrete": "`diagram.linearize(..., sample_time=0.1)`, inputs held",
    "feedback series parallel append": """\
the diagram with that loop in it, linearized; or `control.feedback(model.to_control())`""",
    "lsim forced_response simulate output": """\
`scipy.signal.lsim(model.to_scipy(), U, T)`, or `diagram.simulate(stop=10)` with its limits""",
    "step_info stepinfo bandwidth": "`control.step_info(model.to_control())`, `control.bandwidth` and so on",
    "ctrb obsv controllable observable gram gramian lqr lqe place minreal balance reduce hinf norm": """\
a function of the library `control`, which takes `model.to_control()`""",
    "x0 u0 point operating_point": "what was given as `at`; `diagram.trim()` finds such a point",
    "[]": '`model.A` and so on; one input and output is `part("speed", "voltage")`',
    "*": "the diagram with these blocks in it, linearized; or arithmetic of `model.to_control()`",
    "step()": "times are an array that begins with 0: step(numpy.linspace(0, 10, 500))",
    "impulse()": "times are an array that begins with 0: impulse(numpy.linspace(0, 10, 500))",
    "bode()": "frequencies are in rad/s: bode(numpy.logspace(-1, 2, 500))",
}
"""Of a linear model."""
