#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The published study of the hydraulically actuated four-bar (seed 000), figure by figure. An editor that knows cells ("# %%")
shows it as a notebook.

    four_bar_study.py four-bar.hydrolink FOLDER
"""
# %% The model, and where figures go
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy

import hydrolink

model = hydrolink.open(sys.argv[1])
folder = Path(sys.argv[2])
folder.mkdir(exist_ok=True)
STEP = 1e-3  # s
END = 1.5  # s, of the torque
t = numpy.arange(4001) * STEP


# %% Fig. 6: the torque on the input link grows for one second, stays for half a second, and ends
ramp = numpy.interp(t, [0, 1, END], [0, 250, 250])  # N m
torque = numpy.where(t < END - STEP / 2, ramp, 0)
until = numpy.where(t < END + STEP / 2, ramp, 0)  # just before each time
figure, axes = plt.subplots()
axes.plot(t, torque)
axes.set_xlabel('t [s]')
axes.set_ylabel('M₂ [N m]')
figure.savefig(folder / 'fig06-torque.svg')


# %% The linear model's answer to an input that is a straight line between two rows
def exponential(matrix):
    """By squaring: nothing but NumPy is needed."""
    squarings = max(0, int(numpy.ceil(numpy.log2(max(abs(matrix).sum(axis=1).max(), 1e-300)))) + 4)
    small, term, total = matrix / 2.0 ** squarings, numpy.eye(len(matrix)), numpy.eye(len(matrix))
    for k in range(1, 14):
        term = term @ small / k
        total = total + term
    for _ in range(squarings):
        total = total @ total
    return total


def linear_answer(linear, column, inputs, until):
    """Rows of y - y0, exact where the input is straight between a row and what it is until the next one."""
    n = len(linear.states)
    whole = numpy.zeros((n + 2, n + 2))
    # time counts in steps, so that entries of all sizes stay together
    whole[:n, :n] = linear.A * STEP
    whole[:n, n] = linear.B[:, column] * STEP
    whole[n, n + 1] = 1
    over = exponential(whole)
    z, rows = numpy.zeros(n), []
    for now, then in zip(inputs, numpy.append(until[1:], until[-1])):
        rows.append(linear.C @ z + linear.D[:, column] * now)
        z = over[:n, :n] @ z + over[:n, n] * now + over[:n, n + 1] * (then - now)
    return numpy.array(rows)


# %% Figs. 7 to 12: the three scenarios, nonlinear and linear
for number, name in enumerate(model.sets):
    model.apply(name)
    run = model.simulate(t_end=4, every=STEP)
    linear = model.linearize(at='equilibrium')
    answer = linear_answer(linear, linear.inputs.index('M2.signal'), torque, until)
    phi, p2 = linear.outputs.index('phi2'), linear.outputs.index('p2')

    figure, axes = plt.subplots()
    axes.plot(run['t'], numpy.degrees(run['phi2']), label='nonlinear')
    axes.plot(t, numpy.degrees(answer[:, phi]), '--', label='linear')
    axes.set_title(name)
    axes.set_xlabel('t [s]')
    axes.set_ylabel('φ₂ [°]')
    axes.legend()
    figure.savefig(folder / f'fig{7 + 2 * number:02d}-angle.svg')

    figure, axes = plt.subplots()
    axes.plot(run['t'], run['p2'] / 1e6, label='nonlinear')
    axes.plot(t, (linear.point[2][p2] + answer[:, p2]) / 1e6, '--', label='linear')
    axes.set_title(name)
    axes.set_xlabel('t [s]')
    axes.set_ylabel('p₂ [MPa]')
    axes.legend()
    figure.savefig(folder / f'fig{8 + 2 * number:02d}-pressure.svg')
    angle = numpy.degrees(numpy.interp(t, run['t'], run['phi2']))
    gap = abs(angle - numpy.degrees(answer[:, phi])).max()
    print(f'{name}: linear and nonlinear angle are at most {gap:.3g}° apart, of {abs(angle).max():.3g}°')


# %% Fig. 13: the friction of the cylinder over its speed, and the tangent at rest
model.apply(model.sets[0])
equilibrium = model.equilibrium()
bodies = ('link2', 'link3', 'link4')
for body in bodies:  # what is "given" is the equilibrium from here on
    for part in ('x', 'y', 'angle'):
        model[f'{body}.{part}'] = equilibrium[f'{body}.{part}']
lengths = []
for turn in (-1e-4, 1e-4):
    turned = model.copy()
    turned['link2.angle'] = equilibrium['link2.angle'] + turn
    lengths.append(turned.state('given')['cyl.s'])
per_turn = (lengths[1] - lengths[0]) / 2e-4  # m of the cylinder for a radian of the input link
speeds, forces = [], []
for omega in numpy.linspace(-2, 2, 2001):
    model['link2.omega'] = omega
    state = model.state('given')
    speeds.append(per_turn * state['link2.omega'])
    forces.append(state['cyl.friction_force'])
speeds, forces = numpy.array(speeds), numpy.array(forces)
middle = len(speeds) // 2
slope = (forces[middle + 1] - forces[middle - 1]) / (speeds[middle + 1] - speeds[middle - 1])
figure, axes = plt.subplots()
axes.plot(speeds, forces)
axes.plot(speeds, numpy.clip(slope * speeds, forces.min(), forces.max()), '--')
axes.set_xlabel('v [m/s]')
axes.set_ylabel('friction [N]')
figure.savefig(folder / 'fig13-friction.svg')

# %% The same linear model for python-control, where that is installed
try:
    print(linear.to_control())
except ImportError:
    print('python-control is not here: linear.to_control() makes its StateSpace')
