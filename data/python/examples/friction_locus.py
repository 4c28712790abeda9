#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Eigenvalues of the four-bar while its friction falls from 100 % to 1 % (seed 000): the root locus.

    friction_locus.py four-bar.hydrolink locus.svg
"""
import sys

import matplotlib.pyplot as plt
import numpy

import hydrolink

model = hydrolink.open(sys.argv[1])
scales = numpy.geomspace(1.0, 0.01, 200)
values = []
for scale in scales:
    model['cyl.friction.scale'] = scale
    linear = model.linearize(at='equilibrium')
    values.append(numpy.where(linear.is_null, numpy.nan, linear.eigenvalues))
values = numpy.array(values)

figure, axes = plt.subplots()
for k in range(values.shape[1]):
    axes.plot(values[:, k].real, values[:, k].imag, '.', markersize=3)
axes.set_xscale('symlog', linthresh=10)
axes.set_xlabel('Re λ [1/s]')
axes.set_ylabel('Im λ [1/s]')
axes.grid(True)
figure.savefig(sys.argv[2])
