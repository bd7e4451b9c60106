"""Elsewhere: what users look for in a linear model under the names of other libraries, and where it is."""

from __future__ import annotations

STEP_INFO = """\
`diagram.measure({"rise": {"rise_time": "motor"}, "settled": {"settling_time": "motor"}}, stop=10)`, of a \
run with a step, exactly: `control.step_info` looks at a coarse grid of times unless it is given `T`"""
MODEL = {
    "a b c d ABCD matrices": "`A`, `B`, `C` and `D`",
    "dcgain dc_gain static_gain": "`gain()`",
    "eig eigenvalues eigvals pole": "`poles()`",
    "zero tzero tzeros transmission_zeros": "`zeros()`",
    "damp natural_frequency": "`damping()`",
    "is_stable isstable": "`stable`, without a call",
    "margin gain_margin phase_margin stability_margins": """\
`margins()`, such as `margins().gain`; drawn by `bode(margins=True)` and `nyquist()`""",
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
    "InternalDelay InputDelay OutputDelay IODelay getDelayModel setDelayModel deadtime": """\
`delays`, with `times` and the matrices around them""",
    "absorbDelay delay2z thiran": "`pade(4)`; sampled delays by whole periods are states",
    "tf to_tf transfer_function num den": """\
`control.ss2tf(model.to_control())`, or `scipy.signal.ss2tf(model.A, model.B, model.C, model.D)`""",
    "ss to_ss state_space": "`to_scipy()` or `to_control()`",
    "c2d sample sample_system to_discrete cont2discrete": "`discretize(0.1)`, or `discretize(0.1, 'tustin')`",
    "feedback series parallel append": """\
the diagram with that loop in it, linearized; or `control.feedback(model.to_control())`""",
    "lsim forced_response simulate output": """\
`scipy.signal.lsim(model.to_scipy(), U, T)`, or `diagram.simulate(stop=10)` with its limits""",
    "step_info stepinfo overshoot rise_time settling_time": STEP_INFO,
    "bandwidth": """\
where, of many frequencies in rad/s, `abs(model.frequency_response(omega)[:, 0, 0])` falls below \
`0.7071 * abs(model.gain()[0, 0])`""",
    "place acker": "`place_poles([-2.0])`",
    "dlqr": "`lqr([[1.0]], [[1.0]])`",
    "lqe dlqe kalman": "`kalman_gain([[1.0]], [[1.0]])`",
    "gram": '`gramian("controllability")`',
    "norm h2 hinf system_norm linfnorm": "`model.h2_norm()` and `model.hinf_norm()`",
    "ctrb obsv controllable observable minreal balance reduce": """\
a function of the library `control`, which takes `model.to_control()`""",
    "x0 u0 point operating_point": "what was given as its point; `diagram.trim()` finds one at rest",
    "horner": "`frequency_response([1.0])`, G at s = 1j",
    "()": "`frequency_response([1.0, 10.0])`, in rad/s: G at s = 1j and 10j",
    "shape size": "`D.shape`: outputs and inputs",
    "save to_dict to_json": '`numpy.savez("model.npz", A=model.A, B=model.B, C=model.C, D=model.D)`',
    "poles()": "of one place after the call: poles()[0]",
    "zeros()": "of one place after the call: zeros()[0]",
    "gain()": "a matrix, gain()[0, 0] for the first output and input",
    "margins()": "such as margins().phase, in degrees",
    "frequency_response()": "such as frequency_response([1.0, 10.0]), in rad/s",
    "[]": '`model.A` and so on; one input and output is `part("speed", "voltage")`',
    "*": "the diagram with these blocks in it, linearized; or arithmetic of `model.to_control()`",
    "step()": "times are an array that begins with 0: step(numpy.linspace(0, 10, 500))",
    "impulse()": "times are an array that begins with 0: impulse(numpy.linspace(0, 10, 500))",
    "bode()": "frequencies are in rad/s: bode(numpy.logspace(-1, 2, 500))",
}
"""Of a linear model."""
MODELS = {
    "poles zeros margins stable bode step gain damping nyquist states inputs outputs impulse": """\
of each: `models[0].poles()`, `[model.stable for model in models]`, `models[0].states`""",
    "time t": "`times`",
    "plot": "`models[0].bode()`, of one",
    "[]": "`models[0]`, the model at `models.times[0]`",
}
"""Of the linear models along a run."""
RESPONSE = {
    "t time T": "`times`",
    "y yout output outputs value data": "`values`, `response.values[:, 0, 0]` for the first output and input",
    "x states": 'the outputs; with states among them: `diagram.linearize("reference", ["motor.x"])`',
    "plot show": "`matplotlib.pyplot.plot(response.times, response.values[:, 0, 0])`",
    "max min mean std argmax": "`response.values.max()`, and so on",
    "overshoot rise_time settling_time peak step_info stepinfo info": STEP_INFO,
    "to_pandas to_frame df": "`pandas.Series(response.values[:, 0, 0], response.times)`",
    "[]": "`response.times` and `response.values[:, 0, 0]`",
    "*": "`response.values`, an array",
}
"""Of a response in time."""
MARGINS = {
    "gm Gm GM gain_margin": "`gain`, a factor: `20 * numpy.log10(margins.gain)` dB",
    "pm Pm PM phase_margin": "`phase`, in degrees",
    "dm delay_margin": "`delay`, in s",
    "sm modulus_margin stability_margin disk_margin": "`modulus`",
    "wcg wpc Wcg w_gm": "`gain_frequency`, in rad/s",
    "wcp wgc Wcp w_pm crossover bandwidth": "`phase_frequency`, in rad/s",
    "plot show": "`model.bode(margins=True)` of the loop, or `model.nyquist()`",
    "to_dict as_dict": "`margins._asdict()`",
    "is_stable isstable Stable": "`stable`, of the closed loop, without a call",
    "[]": "`margins.gain`, `margins.phase`, `margins.delay`, `margins.modulus`",
    "*": "`margins.gain`, and so on",
}
"""Of margins."""
POLE = {
    "zeta damping_ratio": "`damping`",
    "wn omega omega_n natural_frequency w": "`frequency`, in rad/s",
    "tau T": "`time_constant`, in s",
    "real imag": "`pole.value.real` and `pole.value.imag`",
    "[]": "`pole.value`, `pole.frequency`, `pole.damping`, `pole.time_constant`",
    "*": "`pole.value`, a complex number",
}
"""Of a pole."""
FREQUENCY = {
    "frequency frequencies freq w f": "`omega`, in rad/s",
    "gain magnitude mag": "`abs(sines.values)`; in dB on `bode()`",
    "phase arg": "`numpy.angle(sines.values)`, in rad",
    "response complex fresp": "`values`",
    "plot show": "`bode()`",
    "margins": "`-sines.model` has margins, of the loop; see `model.margins()`",
    "harmonics thd": "`distortion`",
    "[]": "`sines.values[0]` at `sines.omega[0]`",
    "*": "`sines.values`, an array",
    "()": "`diagram.frequency_response(omega, input, outputs, amplitude=...)`, at other frequencies",
}
"""Of the response to sines."""
LOCUS = {
    "k K gain parameter": "`gains`",
    "roots rlist branches": "`poles`",
    "breakpoints breakaway break_away": "`break_points`",
    "asymptotes": "`centre` and `angles`",
    "show draw": "`plot()`",
    "zeta damping": "`model.damping()`, of one model",
    "[]": "`locus.poles[0]` at `locus.gains[0]`",
}
"""Of a root locus."""
POINT = {
    "x x0 state": "`states` by name, and `initial`, which `simulate(initial=...)` takes",
    "u u0 input": "`inputs`, by name",
    "y y0 output": "`outputs`, by name",
    "success converged": "a point that is returned is one: otherwise an error is raised",
    "point operating_point": "the point itself: `diagram.linearize(at=point)`",
    "fun residuals error": "`residual`",
    "[]": '`point.states["motor.x"]`, `point.inputs`, `point.outputs`',
    "()": """\
`diagram.linearize(at=point)`, or `diagram.simulate(initial=point.initial, inputs=point.inputs, stop=10)`""",
}
"""Of an operating point."""
