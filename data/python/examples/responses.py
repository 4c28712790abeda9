#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Angle of the four-bar and the pressures of its cylinder for each parameter set of the file (seed 000).

    responses.py four-bar.hydrolink responses.svg
"""
import sys

import matplotlib.pyplot as plt
import numpy

import hydrolink

model = hydrolink.open(sys.argv[1])
figure, (angle, pressure) = plt.subplots(2, 1)
for name in model.sets:
    model.apply(name)
    run = model.simulate(t_end=4, every=1e-3)
    if run.error:
        print(f'{name}: {run.error}', file=sys.stderr)
    angle.plot(run['t'], numpy.degrees(run['phi2']), label=name)
    pressure.plot(run['t'], run['p2'] / 1e6)
angle.set_ylabel('φ₂ [°]')
angle.legend()
pressure.set_ylabel('p₂ [MPa]')
pressure.set_xlabel('t [s]')
figure.savefig(sys.argv[2])
