"""`python -m tools.studies.crazyflie FOLDER`: identify on two flights, predict others, fly set points."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

import numpy as np

from .by_fit import NAMES, fitted
from .closed_loop import flown, tracking_error
from .flights import FILES, Flight, read
from .thrust import thrust_residual
from .translation import HORIZONS, Model, constant_velocity, fit, median

FITTED = ("circle", "figure eight")


def main() -> None:
    """Print what was identified and how well it predicts."""
    parser = argparse.ArgumentParser(prog="python -m tools.studies.crazyflie", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the flights are, as CSV files")
    folder = parser.parse_args().folder
    missing = [file for file in FILES.values() if not (folder / file).is_file()]
    if missing:
        parser.error(f"{folder} has no {', '.join(missing)}")
    flights = {name: read(folder, name) for name in FILES}
    _thrust(flights)
    model = fit([flights[name] for name in FITTED])
    _translation(model, flights)
    _by_fit(flights)
    _closed_loop(model, flights)


def _thrust(flights: dict[str, Flight]) -> None:
    print("Specific force along z from commands, fitted within each flight")
    for name, flight in flights.items():
        residual, lag = thrust_residual(flight)
        print(f"  {name:13} {residual:.3f} m/s2 rms, lag {lag:g} s")


def _translation(model: Model, flights: dict[str, Flight]) -> None:
    print(f"\nTranslation, fitted to {' and '.join(FITTED)}")
    print("  " + ", ".join(f"{name} {value:.4g}" for name, value in asdict(model).items()))
    print("  median error, cm, after" + "".join(f"{h:8g} s" for h in HORIZONS))
    for name, flight in flights.items():
        for title, errors in ((name, model.errors(flight)), ("constant velocity", constant_velocity(flight))):
            row = "".join(f"{100.0 * error:10.2f}" for error in median(errors).values())
            print(f"  {title:23}{row}")
        axes = 100.0 * np.median(np.abs(model.errors(flight)[max(HORIZONS)]), axis=0)
        print("    along x, y, z after 2 s" + "".join(f"{error:7.2f}" for error in axes))


def _by_fit(flights: dict[str, Flight]) -> None:
    print("\nThe same by `Diagram.fit`: numbers, and their intervals of 95 %")
    chosen = {" and ".join(FITTED): [flights[name] for name in FITTED]}
    chosen |= {name: [flights[name]] for name in FITTED}
    for title, several in chosen.items():
        model, answer = fitted(several)
        intervals = answer.intervals()
        print(f"  {title}, {answer.runs} runs")
        for name in NAMES:
            low, high = intervals[f"body.{name}"]
            print(f"    {name:8} {getattr(model, name):9.4g}  {low:9.4g} to {high:9.4g}")
        noise = ", ".join(f"{1000.0 * sigma:.1f}" for sigma in answer.noise.values())
        print(f"    what remains along x, y, z, mm rms: {noise}")
        if len(several) > 1:
            for name, flight in flights.items():
                for label, numbers in (("before", Model()), ("after", model)):
                    row = "".join(f"{100.0 * e:8.1f}" for e in median(numbers.errors(flight)).values())
                    print(f"    {name:13}{label:7}{row} cm")


def _closed_loop(model: Model, flights: dict[str, Flight]) -> None:
    print("\nClosed loop on the logged set points: rms distance from them, m, as measured and as simulated")
    for name, flight in flights.items():
        vehicle, simulation = (tracking_error(p, flight) for p in (flight.position, flown(model, flight)))
        print(f"  {name:13}{vehicle:8.3f}{simulation:8.3f}{100 * (simulation / vehicle - 1):+7.1f} %")


if __name__ == "__main__":
    main()
