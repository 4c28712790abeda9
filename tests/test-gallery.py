#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gallery (data/examples/README.md): every example has an entry with a picture, and the figures that an entry states are those
that the program computes, to their last digit. Physics is tested elsewhere (machine-examples, mechanisms, four-bar). TAP.
Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import csv
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
SCREENSHOTS = EXAMPLES.parent / 'screenshots'


def true(holds, why):
    if not holds:
        raise AssertionError(why)


def entries():
    """text after *Expect* by example"""
    text = (EXAMPLES / 'README.md').read_text()
    found = {}
    for part in re.split(r'^### ', text, flags=re.M)[1:]:
        name = re.search(r'^`([a-z0-9-]+)\.hydrolink`\.', part, flags=re.M).group(1)
        picture = re.search(r'\.\./screenshots/([^)]*)', part).group(1)
        expect = re.search(r'\*\*Expect:\*\*(.*?)^- ', part, flags=re.M | re.S).group(1)
        found[name] = (' '.join(expect.split()), picture)
    return found


def command(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True, cwd=EXAMPLES).stdout


def run(name, *options):
    """columns of a run by the names of the probes"""
    table = list(csv.reader(command('simulate', f'{name}.hydrolink', *options).splitlines()))
    return {head.split(' ')[0]: [float(x) if x else math.nan for x in column]
            for head, column in zip(table[0], zip(*table[1:]))}


def parameter_set(name):
    return '--parameter-set', name


def oscillation(name, *options):
    """frequency [Hz] and damping ratio of the slowest oscillation"""
    values = json.loads(command('linearize', f'{name}.hydrolink', '--json', *options))['eigenvalues']
    return min((e['frequency_hz'], e['damping_ratio']) for e in values if e['im'] > 0)


def frequency(decimals, at_least=0.0):
    def of(name):
        values = json.loads(command('linearize', f'{name}.hydrolink', '--json'))['eigenvalues']
        return [(min(e['frequency_hz'] for e in values if e['im'] > 0 and e['frequency_hz'] > at_least), decimals)]
    return of


def turns(of):
    return (of[-1] - of[0]) / (2 * math.pi)


def last_angle(probe, decimals=1):
    return lambda name: [(math.degrees(run(name)[probe][-1]), decimals)]


def four_bar(name):
    hz, damping = oscillation(name, *parameter_set('Underdamped, low friction'))
    values = json.loads(command('linearize', f'{name}.hydrolink', '--json', *parameter_set('Overdamped')))['eigenvalues']
    true(all(e['im'] == 0 for e in values), 'Overdamped oscillates')
    return [(hz, 1), (damping, 3)]


def crane(name):
    figures = []
    for which in ('Unstable', 'Stable'):
        r = run(name, *parameter_set(which))
        late = [1000 * v for t, v in zip(r['t'], r['v']) if t > 1.2]
        figures += [(min(late), 0), (max(late), 0)]
    return figures


def loader(name):
    r = run(name)
    at = {round(t, 3): 1000 * v for t, v in zip(r['t'], r['v_arm'])}
    return [(at[1.16], 1), (at[2.0], 1)]


def outrigger(name):
    r = run(name)
    before = max(k for k, t in enumerate(r['t']) if t <= 0.8)
    return [(1000 * (r['y'][-1] - r['y'][before]), 2)]


def regenerative(name):
    r = run(name)
    early = min(range(len(r['t'])), key=lambda k: abs(r['t'][k] - 0.5))
    return [(r['v'][early], 3), (r['v'][-1], 3), (63**2 / 41**2, 2)]


def wheel(name):
    w = run(name)['w']
    return [(w[0], 1), (w[-1], 1)]


def ackermann(name):
    r = run(name)
    k = max(range(len(r['t'])), key=lambda k: abs(r['dl'][k]))
    return [(math.degrees(r['dl'][k]), 1), (math.degrees(r['dr'][k]), 1)]


def stick_slip(name):
    r = run(name)
    return [(max(r['p']) / 1e5, 2), (1000 * r['x'][-1], 2)]


def water_hammer(name):
    figures = []
    for which in ('Hose', 'Steel tube'):
        p = run(name, *parameter_set(which))['pE']
        figures.append(((max(p) - p[0]) / 1e5, 1))
    return figures


def crank_rocker(name):
    r = run(name)
    return [(turns(r['phi']), 2), (math.degrees(max(r['psi']) - min(r['psi'])), 1)]


def servo(name):
    return [(1000 * (max(run(name)['x']) - 0.53), 1), (frequency(1, 40)(name)[0][0], 1)]


def two_cylinders(name):
    r = run(name)
    return [(r['x1'][-1], 3), (r['x2'][-1], 3)]


def metering(name):
    r = run(name)
    return [(math.degrees(r['theta'][-1]), 1), (r['force'][-1] / 1e3, 0)]


def aerial_platform(name):
    r = run(name)
    return [(math.degrees(r['angle'][-1] - r['angle'][0]), 1), (math.degrees(max(map(abs, r['tilt']))), 2)]


def wave_flap(name):
    """4 N m s/rad times the square of the speed, by the trapezoidal rule"""
    r = run(name)
    late = [(t, 4 * n**2) for t, n in zip(r['t'], r['n']) if t >= 20]
    energy = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(late, late[1:]))
    return [(energy / (late[-1][0] - late[0][0]) / 1e3, 1), (20, 0), (60, 0)]


FIGURES = {
    'excavator-arm': lambda name: [(max(run(name)['pb']) / 1e5, 0)],
    'load-sensing-loader': loader,
    'crane-counterbalance': crane,
    'double-pilot-check': outrigger,
    'scissor-lift-plunger': lambda name: [(-1000 * run(name)['s'][-1], 1)],
    'press-cushions': lambda name: [(max(run(name)['cb']) / 1e5, 0)],
    'regenerative-extension': regenerative,
    'hydrostatic-wheel': wheel,
    'accumulator-launch': lambda name: [(max(run(name)['v']), 2)],
    'aerial-platform': aerial_platform,
    'wave-flap': wave_flap,
    'position-servo': servo,
    'ackermann-steering': ackermann,
    'stick-slip': stick_slip,
    'water-hammer': water_hammer,
    'four-bar': four_bar,
    'crank-rocker': crank_rocker,
    'slider-crank': lambda name: [(turns(run(name)['theta']), 2)],
    'inverted-slider-crank': lambda name: [(turns(run(name)['theta']), 2)],
    'peaucellier': lambda name: [(x, 3) for x in (min(run(name)['x']), max(run(name)['x']))],
    'scissor-lift': frequency(1),
    'watt-six-bar': lambda name: list(zip(oscillation(name), (1, 2))),
    'articulated-vehicle-rigid': frequency(2),
    'articulated-vehicle-tyre': frequency(2),
    'articulated-vehicle-tyre-throttle': frequency(2),
    'metering-arm': metering,
    'regeneration-arm-ua0': last_angle('theta'),
    'regeneration-arm-ua05': last_angle('theta'),
    'two-arms-1': last_angle('theta1'),
    'two-arms-2': last_angle('theta1'),
    'hybrid-regeneration': lambda name: [(run(name)['v'][0], 3)],
    'hybrid-two-cylinders': two_cylinders,
}


def test_all():
    """every example has an entry with a picture"""
    found = entries()
    true(set(found) == {path.stem for path in EXAMPLES.glob('*.hydrolink')}, sorted(found))
    for name, (_, picture) in found.items():
        true((SCREENSHOTS / picture).exists(), f'{name}: {picture}')


def test_figures():
    """the figures to expect are those that the program computes"""
    found = entries()
    for name in tap.share(sorted(found)):
        expect = found[name][0]
        for value, decimals in FIGURES[name](name):
            figure = f'{value:.{decimals}f}'.replace('-', '−')
            true(re.search(rf'(?<![\d.]){re.escape(figure)}(?![\d]|\.\d)', expect), f'{name}: {figure} is not in “{expect}”')


sys.exit(tap.report([test_all, test_figures]))
