#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hydrolink quasistatic and the quasistatic runs of hydrolink simulate, against the golden data. TAP.

The golden circuits are written as model files: what is tested is the whole way from the drawing through the recognition of the
pattern to the printed numbers. Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_GOLDEN_DIR.
"""

import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
GOLDEN = Path(os.environ['HL_GOLDEN_DIR'])
TANK = 2.0e5  # pressures are printed absolute, and forces are those of absolute pressures
CD = 0.6


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=120, encoding='utf-8')


def answer(*arguments):
    result = run(*arguments)
    if result.returncode != 0:
        raise AssertionError(f'{arguments}: status {result.returncode}: {result.stderr}')
    return list(csv.DictReader(io.StringIO(result.stdout)))


def near(got, want, tolerance, what):
    if not abs(float(got) - want) <= tolerance:
        raise AssertionError(f'{what}: {got!r}, expected {want!r} within {tolerance:.1e}')


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def numbers(values):
    return ','.join(repr(value) for value in values)


# ---- golden circuits as drawings -----------------------------------------------------------------------

def valve(name, conductance, opening, density, **more):
    """An orifice of that conductance at full opening."""
    area = conductance / (CD * math.sqrt(2 / density))
    return {'id': name, 'kind': 'metering-valve', 'Cd': CD, 'area': area, 'opening': opening, 'dp_lim': 0, **more}


def set_arm(model, suffix, actuator, density):
    components = {component['id']: component for component in model['components']}
    for part in ('ph', 'th', 'pr', 'tr'):
        components[part + suffix].update(valve(part + suffix, actuator['c' + part], actuator['u' + part], density))
    components['cyl' + suffix].update(piston_area=actuator['Ah'], rod_side_area=actuator['Ar'])
    components['head_relief' + suffix]['pressure'] = actuator['PhM']
    components['rod_relief' + suffix]['pressure'] = actuator['PrM']
    if actuator.get('ua', 0) > 0:
        name = 'regen' + suffix
        model['components'].append(valve(name, actuator['ca'], actuator['ua'], density, one_way=True))
        for line in model['lines']:
            if line['id'] == 'R' + suffix:
                line['ports'].append(name + '.A')
            if line['id'] == 'H' + suffix:
                line['ports'].append(name + '.B')


def drawing(folder, pump, actuators):
    """The model file of a golden circuit, or None when its areas are no cylinder's or no example has as many."""
    if len(actuators) > 2 or any(actuator['Ar'] >= actuator['Ah'] for actuator in actuators):
        return None
    name = 'metering-arm' if len(actuators) == 1 else 'two-arms-1'
    model = json.loads((EXAMPLES / f'{name}.hydrolink').read_text(encoding='utf-8'))
    components = {component['id']: component for component in model['components']}
    density = model['fluid']['density']
    components['pump']['flow'] = pump['Q']
    components['tank']['pressure'] = TANK
    components['pump_relief']['pressure'] = pump['PM']
    components['bleed'].update(valve('bleed', pump['cb'], pump['ub'], density))
    for k, actuator in enumerate(actuators):
        set_arm(model, '' if len(actuators) == 1 else str(k + 1), actuator, density)
    path = Path(folder) / 'circuit.hydrolink'
    path.write_text(json.dumps(model), encoding='utf-8')
    return path


class Golden:
    """A group of golden circuits, one after the other as drawings; counts what was compared."""

    def __init__(self, group, every=1):
        self.cases = json.loads((GOLDEN / 'quasistatic.json').read_text(encoding='utf-8'))[group][::every]
        self.compared = 0

    def __iter__(self):
        with tempfile.TemporaryDirectory() as folder:
            for case in self.cases:
                actuators = case['actuators'] if 'actuators' in case else [case['actuator']]
                path = drawing(folder, case['pump'], actuators)
                if path is not None:
                    self.compared += 1
                    yield case, path, actuators[0]['Ah'] * actuators[0]['PhM']


def of_tank(actuator):
    """What the tank's pressure adds to a golden force, which is of pressures relative to the tank."""
    return (actuator['Ah'] - actuator['Ar']) * TANK


def enough(group, least):
    if group.compared < least:
        raise AssertionError(f'only {group.compared} circuits were compared')


# ---- tests ---------------------------------------------------------------------------------------------

def check_sample(row, sample, case, size):
    what = f'{case["id"]}, v = {sample["v"]}'
    near(row['force_low'], sample['f'] + of_tank(case['actuator']), 1e-9 * size, what)
    near(row['force_high'], sample['f'] + of_tank(case['actuator']), 1e-9 * size, what)
    equal(row['segment'], sample['segment'], what)
    for key, name in (('hR', 'head_relief'), ('hSC', 'head_suction'), ('pR', 'pump_relief'), ('rSC', 'rod_suction'),
                      ('rR', 'rod_relief')):
        equal(row[name], sample['valves'][key], f'{what}: {name}')
    pump = case['pump']['PM']
    near(row['pump_pressure'], TANK + sample['P'], 1e-9 * pump, what)
    near(row['head_pressure'], TANK + sample['Ph'], 1e-9 * case['actuator']['PhM'], what)
    near(row['rod_pressure'], TANK + sample['Pr'], 1e-9 * case['actuator']['PrM'], what)
    equal(row['regeneration_velocity'], '0', what)


def test_map():
    """golden Gamma: force, segment, valves and pressures at every sample, and the interval at rest"""
    group = Golden('gamma')
    for case, path, size in group:
        samples = [sample for sample in case['samples'] if sample['v'] != 0]
        rows = answer('quasistatic', path, '--actuator', 'cyl', f'--velocity={numbers([s["v"] for s in samples] + [0])}')
        equal(len(rows), len(samples) + 1, 'rows')
        for row, sample in zip(rows, samples):
            check_sample(row, sample, case, size)
        rest = rows[-1]
        near(rest['force_low'], case['at_zero'][0] + of_tank(case['actuator']), 1e-9 * size, case['id'])
        near(rest['force_high'], case['at_zero'][1] + of_tank(case['actuator']), 1e-9 * size, case['id'])
        equal((rest['segment'], rest['pump_relief']), ('', ''), f'{case["id"]} at rest')
    enough(group, 30)


def test_load():
    """golden Lambda: the velocity at which a load line meets the map"""
    group = Golden('lambda', 2)
    for case, path, size in group:
        for row in case['rows'][:2]:
            fbar = row['fbar'] + of_tank(case['actuator'])
            got, = answer('quasistatic', path, '--actuator', 'cyl', '--beta', repr(row['beta']), f'--fbar={fbar!r}')
            near(got['velocity'], row['v'], 1e-10 * abs(row['v']) + 1e-12, row['tag'])
            near(got['force'], row['f'] + of_tank(case['actuator']), 1e-9 * size, row['tag'])
            equal((float(got['beta']), float(got['fbar'])), (row['beta'], fbar), 'input')
    enough(group, 40)


def test_regeneration():
    """golden maps and load lines with regeneration"""
    group = Golden('gamma_reg')
    for case, path, size in group:
        rows = answer('quasistatic', path, '--actuator', 'cyl', f'--velocity={numbers([r["v"] for r in case["rows"]])}')
        for got, row in zip(rows, case['rows'], strict=True):
            near(got['force_low'], row['f'] + of_tank(case['actuator']), 1e-9 * size, row['tag'])
            near(got['regeneration_velocity'], row['va'], 1e-9 * abs(row['va']) + 1e-12, row['tag'])
            near(got['head_pressure'], TANK + row['Ph'], 1e-9 * case['actuator']['PhM'], row['tag'])
            near(got['rod_pressure'], TANK + row['Pr'], 1e-9 * case['actuator']['PrM'], row['tag'])
    enough(group, 50)
    group = Golden('lambda_reg')
    for case, path, size in group:
        row = case['rows'][-1]
        fbar = row['fbar'] + of_tank(case['actuator'])
        got, = answer('quasistatic', path, '--actuator', 'cyl', '--beta', repr(row['beta']), f'--fbar={fbar!r}')
        near(got['velocity'], row['v'], 1e-10 * abs(row['v']) + 1e-12, row['tag'])
        near(got['regeneration_velocity'], row['va'], 1e-9 * abs(row['va']) + 1e-12, row['tag'])
    enough(group, 50)


def check_shared_map(name, every):
    group = Golden(name, every)
    for case, path, size in group:
        v = case['v']
        got, = answer('quasistatic', path, '--actuator', 'cyl1', f'--velocity={v[0]!r}', f'--with=cyl2={v[1]!r}')
        shift = of_tank(case['actuators'][0])
        near(got['force_low'], case['f'][0][0] + shift, 1e-9 * size, case['tag'])
        near(got['force_high'], case['f'][0][1] + shift, 1e-9 * size, case['tag'])
        near(got['pump_pressure'], TANK + case['P'], 1e-9 * case['pump']['PM'], case['tag'])
    return group


def check_shared_load(name, every):
    group = Golden(name, every)
    for case, path, _size in group:
        beta = case['beta']
        fbar = [f + of_tank(actuator) for f, actuator in zip(case['fbar'], case['actuators'])]
        for k in (0, 1):
            got, = answer('quasistatic', path, '--actuator', f'cyl{k + 1}', '--beta', repr(beta[k]), f'--fbar={fbar[k]!r}',
                          f'--with=cyl{2 - k}={beta[1 - k]!r},{fbar[1 - k]!r}')
            near(got['velocity'], case['v'][k], 1e-10 * abs(case['v'][k]) + 1e-12, case['tag'])
            near(got['pump_pressure'], TANK + case['P'], 1e-9 * case['pump']['PM'], case['tag'])
    return group


def test_shared_pump():
    """golden maps and load lines of two cylinders on one pump, with and without regeneration"""
    enough(check_shared_map('gamma_mul', 3), 20)
    enough(check_shared_map('gamma_mulreg', 2), 10)
    enough(check_shared_load('lambda_mul', 3), 15)
    enough(check_shared_load('lambda_mulreg', 2), 10)


def columns(text):
    rows = list(csv.reader(io.StringIO(text)))
    names = [name.split(' ')[0] for name in rows[0]]
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(names)}


def check_run(model, formulation, reference, pairs, tolerance):
    result = run('simulate', EXAMPLES / f'{model}.hydrolink', '--model', 'quasistatic', '--formulation', formulation)
    equal(result.returncode, 0, f'{model}: {result.stderr}')
    got = columns(result.stdout)
    want = columns((GOLDEN / reference).read_text(encoding='utf-8'))
    for ours, theirs, size in pairs:
        equal(len(got[ours]), len(want[theirs]), 'rows')
        outside = 1e5 if theirs == 'P' else 0.0  # the tank of the examples; the golden pressures count from it
        worst = max(abs(a - outside - b) for a, b in zip(got[ours], want[theirs]))
        if not worst <= tolerance * size:
            raise AssertionError(f'{reference}: {theirs} differs by {worst:.2e}')


def test_runs():
    """simulate repeats the reference trajectories from the files"""
    arm = (('theta', 'theta', 1), ('omega', 'omega', 1), ('length', 'length', 1), ('force', 'f', 1e6))
    for model, stem in (('metering-arm', 'arm'), ('regeneration-arm-ua0', 'regen_ua0'), ('regeneration-arm-ua05', 'regen_ua05')):
        check_run(model, 'relaxed', f'{stem}_70.csv', arm, 1e-7)
        check_run(model, 'discrete', f'{stem}_72.csv', arm, 1e-11)
    two = (('theta1', 'theta1', 1), ('theta2', 'theta2', 1), ('pump_pressure', 'P', 3.6e7), ('force1', 'f1', 1e6),
           ('force2', 'f2', 1e6))
    for k in (1, 2):
        check_run(f'two-arms-{k}', 'discrete', f'two_arms_{k}.csv', two, 1e-11)


def test_usage():
    """bad lines of quasistatic: status 2; a circuit that does not fit: status 1, and its name"""
    two = EXAMPLES / 'two-arms-1.hydrolink'
    for arguments, word in ((['--velocity', '0', '--with', 'cyl1=0'], 'same pump'), (['--beta', '1e6', '--fbar', '0'], 'cyl2'),
                            (['--velocity', '0', '--with', 'cyl2=1,2'], 'ACT=V'),
                            (['--beta', '0', '--fbar', '0'], 'beta'), (['--velocity', 'x'], '--velocity')):
        result = run('quasistatic', two, '--actuator', 'cyl1', *arguments)
        equal(result.returncode, 2, arguments)
        if word not in result.stderr:
            raise AssertionError(f'{arguments}: {result.stderr}')
    model = json.loads((GOLDEN / 'found' / 'bare-pipe-quasistatic.hydrolink').read_text(encoding='utf-8'))
    model['simulation'] = {'t_end': 1}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'bare-pipe.hydrolink'
        path.write_text(json.dumps(model), encoding='utf-8')
        result = run('quasistatic', path, '--actuator', 'cyl0', '--velocity', '0')
    equal((result.returncode, 'bare' in result.stderr), (1, True), 'a pipe without resistance')


def test_cushion_map():
    """the map of a cylinder with cushions is that of the same cylinder without them: they act near its ends alone"""
    model = json.loads((EXAMPLES / 'press-cushions.hydrolink').read_text(encoding='utf-8'))
    line = ('--actuator', 'cyl', '--velocity=-0.05,0.02,0.05', '--command', '0.5')
    bare = json.loads(json.dumps(model))
    for component in bare['components']:
        for side in ('cushion_A', 'cushion_B'):
            component.pop(side, None)
        if component['kind'] == 'cylinder':
            component.pop('leakage', None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'bare.hydrolink'
        path.write_text(json.dumps(bare), encoding='utf-8')
        for got, want in zip(answer('quasistatic', EXAMPLES / 'press-cushions.hydrolink', *line), answer('quasistatic', path, *line)):
            near(got['force_low'], float(want['force_low']), 1e-9 * abs(float(want['force_low'])) + 1e-6, want)


def test_network():
    """what has no closed form is solved as a network: oil that is shut in has no pressure, and its cell stays empty"""
    row, = answer('quasistatic', EXAMPLES / 'four-bar.hydrolink', '--actuator', 'cyl', '--velocity', '0')
    equal([row[name] for name in ('velocity', 'force_low', 'head_pressure', 'rod_pressure')], ['0', '', '', ''], 'shut')
    row, = answer('quasistatic', EXAMPLES / 'four-bar.hydrolink', '--actuator', 'cyl', '--velocity', '0', '--command', '1')
    equal((row['head_pressure'], row['force_low']), ('7.6e6', row['force_high']), 'open')
    row, = answer('quasistatic', EXAMPLES / 'metering-arm.hydrolink', '--actuator', 'cyl', '--velocity', '0', '--at-time', '4',
                  '--set', 'ph.opening=0.5')
    equal(row['segment'], '', 'mixed openings')


def test_motor():
    """torque over speed of a motor: its relief valve below the speed that the pump gives, what leaks above it, both by hand"""
    path, D, pump = EXAMPLES / 'hydrostatic-wheel.hydrolink', 2e-5, 1e-5 * 60
    leaks, housing, outside, relief = 2e-12 + 1e-12, 3e-13, 1e5, (25e6, 1e6)
    for row in answer('quasistatic', path, '--actuator', 'motor', '--velocity=-60,0,20,29,31,40,60'):
        w, M, A, B = (float(row[name]) for name in ('speed', 'torque_low', 'A_pressure', 'B_pressure'))
        equal(row['torque_low'], row['torque_high'], 'leaks leave no interval')
        near(M, D * (A - B), 1e-9 * 500, f'torque at {w} rad/s')
        if w > 30:  # the motor draws oil: A is at the vapour, and what it has too much leaks back out of B
            near(leaks * (B - A) + housing * (B - outside), D * w - pump, 1e-9 * pump, f'flow at {w} rad/s')
        elif w < 29:  # what the motor does not take goes through the relief valve, whose opening rises over its range
            q = pump - D * w - leaks * (A - B) - housing * (A - outside)
            part = (A - B - relief[0]) / relief[1]  # of its range: the opening rises smoothly over it
            opening = part * part * (3 - 2 * part)
            near(q, 0.6 * 4e-5 * opening * math.sqrt(2 / 850 * (A - B)), 1e-6 * pump, f'relief flow at {w} rad/s')
    line, = answer('quasistatic', path, '--actuator', 'motor', '--beta', '2', '--fbar', '60')
    at, = answer('quasistatic', path, '--actuator', 'motor', '--velocity=' + line['speed'])
    near(line['torque'], 60 + 2 * float(line['speed']), 1e-9 * 500, 'on its load line')
    near(line['torque'], float(at['torque_low']), 1e-6 * 500, 'and on the map')
    equal(list(line), ['beta', 'fbar', 'speed', 'torque', 'pump_pressure'], 'columns')


def test_vane_actuator():
    """a vane actuator with the displacement and the leak of a motor without housing leaks has its map"""
    model = json.loads((EXAMPLES / 'hydrostatic-wheel.hydrolink').read_text(encoding='utf-8'))
    motor, = (component for component in model['components'] if component['kind'] == 'motor')
    motor.pop('case_leakage')
    maps, pump = [], 1e-5 * 60
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'model.hydrolink'
        for vane in (False, True):
            if vane:
                motor.update(kind='rotary-actuator', angle_min=-20, angle_max=20)
            path.write_text(json.dumps(model), encoding='utf-8')
            maps.append(answer('quasistatic', path, '--actuator', 'motor', '--velocity=-20,0,5,25,29,35'))
    for of_motor, of_vane in zip(*maps):
        w, M = float(of_motor['speed']), float(of_motor['torque_low'])
        near(of_vane['torque_low'], M, 1e-9 * 500, w)
        equal((of_motor['A_pressure'], of_motor['B_pressure']), ('', ''), 'no oil leaves the two lines: only their difference is determined')
        if w > 28:  # below the pressure of the relief valve
            near(M, 2e-5 * (pump - 2e-5 * w) / 3e-12, 1e-9 * 500, w)


if __name__ == '__main__':
    sys.exit(tap.report(tap.tests_of(globals())))
