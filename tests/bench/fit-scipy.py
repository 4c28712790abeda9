#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hydrolink fit beside SciPy's least_squares over the same program: the four-bar's friction from a noisy response, the same start
and bounds. SciPy sees residuals of `hydrolink simulate` and makes its Jacobian of differences. By hand, not in CI:
HL_PROGRAM=build/app/hydrolink HL_EXAMPLES_DIR=data/examples /usr/bin/python3 tests/bench/fit-scipy.py [SEED]
"""

import importlib.util
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))
spec = importlib.util.spec_from_file_location('fits', HERE / 'test-cli-fit.py')
fits = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fits)

START = {'cyl.friction.Fc': 300, 'cyl.friction.Fs': 600, 'cyl.friction.vs': 0.02, 'cyl.friction.sigma2': 200}
BOUNDS = np.array([[20, 2000], [100, 5000], [0.002, 0.1], [10, 3000]]).T


def used():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(what):
    processor, wall = used(), time.monotonic()
    answer = what()
    return answer, used() - processor, time.monotonic() - wall


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    t, y = fits.response(fits.LIVELY, 0.22, 0.001)
    start = [word for path, value in START.items() for word in ('--set', f'{path}={value}')]
    with tempfile.TemporaryDirectory() as top:
        table = Path(top) / 'm.csv'
        fits.write(table, t, y, fits.NOISE, seed)
        measured = np.loadtxt(table, delimiter=',', skiprows=1)[:, 1]
        size = max(measured) - min(measured)  # by which hydrolink weighs a trace as well
        n_runs = 0

        def residuals(numbers):
            nonlocal n_runs
            n_runs += 1
            at = [word for path, value in zip(START, numbers) for word in ('--set', f'{path}={float(value)!r}')]
            return np.array(fits.response([*fits.LIVELY, *at], 0.22, 0.001)[1]) / size - measured / size

        own, own_time, own_wall = timed(lambda: fits.fit(fits.FOUR_BAR, '--measured', table, *fits.VARY, *fits.LIVELY, *start,
                                                         '--jobs', 1))
        begin = np.array(list(START.values()), dtype=float)
        other, other_time, other_wall = timed(lambda: least_squares(residuals, begin, bounds=BOUNDS, x_scale=begin, diff_step=1e-4,
                                                                    xtol=1e-8, ftol=1e-12, gtol=None))
    print(f'{"":24}{"hydrolink fit":>16}{"least_squares":>16}{"truth":>12}')
    for k, path in enumerate(START):
        print(f'{path:24}{own["numbers"][k]["value"]:16.8g}{other.x[k]:16.8g}{fits.TRUTH[path]:12g}')
    print(f'{"half the squares":24}{own["cost"]:16.8g}{other.cost:16.8g}')
    print(f'{"runs":24}{own["runs"]:16d}{n_runs:16d}')
    print(f'{"processor [s]":24}{own_time:16.2f}{other_time:16.2f}')
    print(f'{"wall [s]":24}{own_wall:16.2f}{other_wall:16.2f}')


if __name__ == '__main__':
    main()
