"""Methods that classes have by doors, for type checkers: a class inherits its namesake here, for them alone.

A test compares these lines with the doors.
"""

import blockdyn.analysis.jacobians
import blockdyn.analysis.linearize
import blockdyn.analysis.locus
import blockdyn.analysis.models.delays
import blockdyn.analysis.models.design
import blockdyn.analysis.models.frequency
import blockdyn.analysis.models.margins
import blockdyn.analysis.models.norms
import blockdyn.analysis.models.pole
import blockdyn.analysis.models.response
import blockdyn.analysis.models.root_locus
import blockdyn.analysis.models.text
import blockdyn.analysis.sine_sweep
import blockdyn.analysis.trim
import blockdyn.cli.studio
import blockdyn.diagrams.results.dataset
import blockdyn.diagrams.results.files
import blockdyn.diagrams.results.frame
import blockdyn.diagrams.results.sink_files
import blockdyn.diagrams.runs.evaluation
import blockdyn.diagrams.runs.simulate
import blockdyn.diagrams.values.programs
import blockdyn.drawing.drawing
import blockdyn.drawing.machine
import blockdyn.export.c.export
import blockdyn.export.fmu.export
import blockdyn.export.page
import blockdyn.export.robot
import blockdyn.gradients.fit
import blockdyn.gradients.gradient
import blockdyn.gradients.sensitivities
import blockdyn.gradients.shooting
import blockdyn.gradients.tune
import blockdyn.pages.finished.page
import blockdyn.pages.live.widget
import blockdyn.plots.ensembles.pictures
import blockdyn.plots.ensembles.report
import blockdyn.plots.films.animate
import blockdyn.plots.models.bode
import blockdyn.plots.models.gradients
import blockdyn.plots.models.planes
import blockdyn.plots.robots.paths
import blockdyn.plots.runs.figure
import blockdyn.plots.runs.spectrum
import blockdyn.robots.convert.text
import blockdyn.robots.model.transforms
import blockdyn.robots.vehicles.changes
import blockdyn.sweeps.one_run
import blockdyn.sweeps.sweep

class StateMachine:
    draw = blockdyn.drawing.machine.draw

class Program:
    simulate = blockdyn.diagrams.runs.simulate.simulate
    derivative = blockdyn.diagrams.runs.evaluation.derivative
    outputs = blockdyn.diagrams.runs.evaluation.outputs
    jacobian = blockdyn.analysis.jacobians.jacobian

class Diagram:
    linearize = blockdyn.analysis.linearize.linearize
    loop = blockdyn.analysis.linearize.loop
    linearize_along = blockdyn.analysis.linearize.linearize_along
    frequency_response = blockdyn.analysis.sine_sweep.frequency_response
    root_locus = blockdyn.analysis.locus.root_locus
    trim = blockdyn.analysis.trim.trim
    orbit = blockdyn.gradients.shooting.orbit
    sensitivities = blockdyn.gradients.sensitivities.sensitivities
    gradient = blockdyn.gradients.gradient.gradient
    fit = blockdyn.gradients.fit.fit
    tune = blockdyn.gradients.tune.tune
    compile = blockdyn.diagrams.values.programs.program_of
    live = blockdyn.pages.live.widget.live
    studio = blockdyn.cli.studio.show_diagram
    sweep = blockdyn.sweeps.sweep.sweep
    measure = blockdyn.sweeps.one_run.measure
    simulate = blockdyn.diagrams.runs.simulate.simulate_diagram
    draw = blockdyn.drawing.drawing.draw
    export_page = blockdyn.export.page.export_page
    export_fmu = blockdyn.export.fmu.export.export_fmu
    export_c = blockdyn.export.c.export.export_c

class DiagramError:
    draw = blockdyn.drawing.drawing.draw_error

class Result:
    plot = blockdyn.plots.runs.figure.plot
    plot_xy = blockdyn.plots.runs.figure.plot_xy
    plot_spectrum = blockdyn.plots.runs.spectrum.plot_spectrum
    page = blockdyn.pages.finished.page.write_page
    animate = blockdyn.plots.films.animate.animate
    strip = blockdyn.plots.films.animate.strip
    draw = blockdyn.drawing.drawing.draw_run
    measure = blockdyn.sweeps.one_run.measure_result
    to_dataset = blockdyn.diagrams.results.dataset.to_dataset
    to_pandas = blockdyn.diagrams.results.frame.to_pandas
    save = blockdyn.diagrams.results.files.save
    write_files = blockdyn.diagrams.results.sink_files.write_files

class FrequencyResponse:
    bode = blockdyn.plots.models.bode.bode_of_sines

class LinearModel:
    bode = blockdyn.plots.models.bode.bode
    nyquist = blockdyn.plots.models.planes.nyquist
    pole_map = blockdyn.plots.models.planes.pole_map
    frequency_response = blockdyn.analysis.models.frequency.frequency_response
    gain = blockdyn.analysis.models.frequency.static_gain
    margins = blockdyn.analysis.models.margins.margins
    step = blockdyn.analysis.models.response.step
    impulse = blockdyn.analysis.models.response.impulse
    root_locus = blockdyn.analysis.models.root_locus.root_locus
    to_scipy = blockdyn.analysis.models.text.to_scipy
    to_control = blockdyn.analysis.models.text.to_control
    damping = blockdyn.analysis.models.pole.damping
    pade = blockdyn.analysis.models.delays.finite
    place_poles = blockdyn.analysis.models.design.place_poles
    lqr = blockdyn.analysis.models.design.regulator
    kalman_gain = blockdyn.analysis.models.design.kalman_gain
    discretize = blockdyn.analysis.models.design.discretize
    gramian = blockdyn.analysis.models.norms.gramian
    h2_norm = blockdyn.analysis.models.norms.h2_norm
    hinf_norm = blockdyn.analysis.models.norms.hinf_norm

class RootLocus:
    plot = blockdyn.plots.models.planes.plot_locus

class Fit:
    plot = blockdyn.plots.models.gradients.plot_fit

class Orbit:
    plot = blockdyn.plots.models.gradients.plot_orbit

class Sensitivities:
    plot = blockdyn.plots.models.gradients.plot_sensitivities

class Tuned:
    plot = blockdyn.plots.models.gradients.plot_tuning

class Robot:
    dh = blockdyn.robots.convert.text.dh_table
    save = blockdyn.robots.convert.text.save
    code = blockdyn.export.robot.robot_code
    payload = blockdyn.robots.model.transforms.payload
    perturb = blockdyn.robots.model.transforms.perturb
    without_friction = blockdyn.robots.model.transforms.without_friction

class SymbolicRobot:
    code = blockdyn.export.robot.robot_code

class OccupancyMap:
    plot = blockdyn.plots.robots.paths.plot_map

class Multirotor:
    payload = blockdyn.robots.vehicles.changes.payload
    perturb = blockdyn.robots.vehicles.changes.perturb

class Ensemble:
    report = blockdyn.plots.ensembles.report.report
    @property
    def plot(self) -> blockdyn.plots.ensembles.pictures.Pictures: ...
