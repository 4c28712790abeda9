#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands that study a model, sensitivity, root-locus, stability-map and frequency-response, against closed forms,
golden numbers, difference quotients and each other. TAP.

Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_GOLDEN_DIR.
"""

import cmath
import csv
import io
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
GOLDEN = Path(os.environ['HL_GOLDEN_DIR'])
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
METERING = EXAMPLES / 'metering-arm.hydrolink'
EXCAVATOR = GOLDEN / 'excavator-one-supply.hydrolink'
TWO_CYLINDERS = EXAMPLES / 'hybrid-two-cylinders.hydrolink'
SERVO = EXAMPLES / 'position-servo.hydrolink'
RIGID = EXAMPLES / 'articulated-vehicle-rigid.hydrolink'
TYRE = EXAMPLES / 'articulated-vehicle-tyre.hydrolink'
SPEEDS = 'front.vx,rear.vx'


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=120, encoding='utf-8',
                          **options)


def answer(*arguments):
    result = run(*arguments)
    if result.returncode != 0:
        raise AssertionError(f'{arguments}: status {result.returncode}: {result.stderr}')
    return result.stdout


def answer_json(*arguments):
    return json.loads(answer(*arguments, '--json'))


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], rows[1:]


def near(got, want, tolerance, what):
    if not abs(got - want) <= tolerance:
        raise AssertionError(f'{what}: {got!r}, expected {want!r} within {tolerance:.1e}')


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def refused(status, words, *arguments):
    result = run(*arguments)
    equal(result.returncode, status, f'{arguments}: {result.stderr}')
    if result.stdout:
        raise AssertionError(f'{arguments}: {result.stdout[:80]}')
    for word in words:
        if word not in result.stderr:
            raise AssertionError(f'{arguments}: ‘{word}’ is not in {result.stderr}')


def eigenvalues(file, *settings):
    words = [word for setting in settings for word in ('--set', setting)]
    return [complex(e['re'], e['im']) for e in answer_json('linearize', file, *words)['eigenvalues']]


def nearest(values, to):
    return min(values, key=lambda value: abs(value - to))


# --- sensitivities ---

def check_slopes(file, path, step, tolerance):
    """Against central differences of the eigenvalues that linearize prints, at two steps."""
    found = answer_json('sensitivity', file, '--parameter', path)
    parameter = found['parameters'][0]
    value, compared = parameter['value'], 0
    # far more digits than a step loses, and Richardson's rule for its square
    at = {h: eigenvalues(file, *(f'{p}={value + h!r}' for p in path.split(','))) for h in (-step, -step / 2, step / 2, step)}
    for k, e in enumerate(found['eigenvalues']):
        if parameter['kind'][k] != 'smooth':
            continue
        here, slope = complex(e['re'], e['im']), complex(parameter['d_re'][k], parameter['d_im'][k])
        moved = {h: nearest(at[h], here + h * slope) for h in at}
        coarse = (moved[step] - moved[-step]) / (2 * step)
        fine = (moved[step / 2] - moved[-step / 2]) / step
        want = (4 * fine - coarse) / 3
        near(slope, want, tolerance * abs(want) + abs(want - fine) / 2 + 1e-11 * abs(here) / step + parameter['error'][k],
             f'{file.name}: d {here} / d {path}')
        compared += 1
    if compared == 0:
        raise AssertionError(f'{file.name}: nothing is smooth in {path}: {parameter["kind"]}')


def test_slopes():
    """sensitivity: slopes of every kind of parameter, those that shape the model included, are those of linearize"""
    for path, step in (('cyl.friction.Fc', 1), ('link2.mass', 0.05), ('V3.pressure', 2000), ('fluid.bulk_modulus', 1e6),
                       ('cyl.stroke', 1e-3), ('cyl.piston_diameter', 1e-5), ('throttle.diameter', 1e-6),
                       ('link2.points.C.x', 1e-3), ('ground.O1.x', 1e-3), ('link3.com.x', 1e-3), ('gravity.y', 1e-2)):
        check_slopes(FOUR_BAR, path, step, 1e-6)
    check_slopes(TYRE, SPEEDS, 1e-3, 1e-6)


def test_closed_form_slope():
    """sensitivity: the trace of J holds friction in nu2 = -F'(0) s'^2 / I only, so the slopes add up to its slope"""
    document = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
    vs = next(c for c in document['components'] if c['id'] == 'cyl')['friction']['vs']
    parameters = {p: answer_json('sensitivity', FOUR_BAR, '--parameter', f'cyl.friction.{p}')['parameters'][0]
                  for p in ('Fc', 'Fs', 'sigma2')}
    total = {p: math.fsum(v for v in parameters[p]['d_re'] if v is not None) for p in parameters}
    # F'(0) = (4 Fc + 16/9 (Fs - Fc)) / vs + sigma2
    near(total['Fc'] / total['sigma2'], (4 - 16 / 9) / vs, 1e-9 * 4 / vs, 'Fc')
    near(total['Fs'] / total['sigma2'], 16 / 9 / vs, 1e-9 * 4 / vs, 'Fs')


def test_kinks():
    """sensitivity: at a check valve with equal pressures no slope is made up, and both sides are told where there are any"""
    found = answer_json('sensitivity', METERING, '--parameter', 'Pnode.pressure')
    for e, kind, slope in zip(found['eigenvalues'], found['parameters'][0]['kind'], found['parameters'][0]['d_re']):
        if e['re'] < -1000:  # of the valve; the arm's swing does not feel it
            equal(kind in ('jump', 'kink'), True, kind)
            equal(slope, None, kind)
    header, rows = table(answer('sensitivity', METERING, '--parameter', 'Pnode.pressure'))
    equal(header[-1], 'note Pnode.pressure', 'header')
    equal(header[2], 'd_re/d Pnode.pressure [1/s per Pa]', 'header')
    equal({row[-1].split(':')[0] for row in rows} >= {'jump', ''}, True, 'notes')


def test_limits():
    """sensitivity: at the limit of a parameter the slope to the inside; a parameter that cannot move says why, alone"""
    found = answer_json('sensitivity', RIGID, '--parameter', 'cyl.leakage')['parameters'][0]
    equal('one-sided' in found['kind'], True, found['kind'])
    e = answer_json('sensitivity', RIGID, '--parameter', 'cyl.leakage')['eigenvalues']
    h = 2e-15
    moved = [eigenvalues(RIGID, f'cyl.leakage={part * h!r}') for part in (1, 2)]
    for k, kind in enumerate(found['kind']):
        if kind == 'one-sided' and e[k]['im'] > 0:
            here = complex(e[k]['re'], e[k]['im'])
            one, two = (nearest(values, here) for values in moved)
            want = (4 * one - 3 * here - two) / (2 * h)
            near(complex(found['d_re'][k], found['d_im'][k]), want, 1e-3 * abs(want), 'leakage')
    both = answer_json('sensitivity', FOUR_BAR, '--parameter', 'dcv.spool', '--parameter', 'cyl.friction.Fc')['parameters']
    equal(set(both[0]['kind']), {'null', 'stuck'}, 'held spool')
    equal('dcv' in both[0]['why'], True, both[0])
    equal('smooth' in both[1]['kind'], True, both[1]['kind'])


def twins():
    """Two pendulums of one kind side by side: each swing is there twice."""
    def body(k):
        return {'id': f'b{k}', 'points': {'O': [0, 0]}, 'mass': 2, 'inertia': 0.3, 'com': [0.5, 0], 'pose': [k, 0, -math.pi / 2]}
    return {'format': 'hydrolink', 'version': 1, 'ground': {'points': {'P1': [1, 0], 'P2': [2, 0]}},
            'bodies': [body(1), body(2)],
            'joints': [{'id': f'j{k}', 'kind': 'revolute', 'a': f'ground.P{k}', 'b': f'b{k}.O'} for k in (1, 2)],
            'simulation': {'model': 'lumped'}}


def test_repeated():
    """sensitivity: repeated eigenvalues are said to be; once they differ, the slope is that of the pendulum's closed form"""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'twins.hydrolink'
        file.write_text(json.dumps(twins()), encoding='utf-8')
        found = answer_json('sensitivity', file, '--parameter', 'b1.inertia')['parameters'][0]
        equal(set(found['kind']), {'repeated'}, 'twins')
        found = answer_json('sensitivity', file, '--parameter', 'b1.inertia', '--set', 'b2.inertia=0.5')
    # w^2 = m g l / (I + m l^2), so dw/dI = -w / (2 (I + m l^2))
    w = math.sqrt(2 * 9.81 * 0.5 / 0.8)
    slopes = [v for e, v in zip(found['eigenvalues'], found['parameters'][0]['d_im']) if abs(e['im'] - w) < 1e-9]
    equal(len(slopes), 1, 'swing')
    near(slopes[0], -w / (2 * 0.8), 1e-9 * w, 'pendulum')


# --- crossings and maps ---

def test_critical_speeds():
    """root-locus --crossings, --json: the critical speeds of the articulated vehicle to the printed digits"""
    for file, want in ((RIGID, 5.9704), (TYRE, 6.7907)):
        line = ('root-locus', file, '--parameter', 'front.vx', '--parameter', 'rear.vx', '--from', '2', '--to', '12',
                '--points', '60')
        header, rows = table(answer(*line, '--crossings'))
        equal(header, ['front.vx [m/s]', 'frequency [Hz]', 'branch', 'into_right_half'], file.name)
        equal(any(abs(float(row[0]) - want) < 5e-5 for row in rows), True, f'{file.name}: {rows}')
        found = answer_json(*line)
        equal([c['value'] for c in found['crossings']], [float(row[0]) for row in rows], 'json')
        equal(len(found['values']), 60, 'values')
        equal(found['parameters'], ['front.vx', 'rear.vx'], 'parameters')


def test_map_boundary():
    """stability-map: its boundary is where root-locus crosses, along every line of the grid, also of a shaping number"""
    shape = 'front.points.axle.x'
    found = answer_json('stability-map', RIGID, '--x', f'{SPEEDS}=4,9', '--y', f'{shape}=-0.25:-0.15:3')
    equal(len(found['boundary']), 3, 'boundary')
    for speed, place in found['boundary']:
        _, rows = table(answer('root-locus', RIGID, '--parameter', 'front.vx', '--parameter', 'rear.vx', '--from', '4', '--to',
                               '9', '--points', '40', '--crossings', '--set', f'{shape}={place!r}'))
        near(speed, min((float(row[0]) for row in rows), key=lambda v: abs(v - speed)), 1e-9, 'critical speed')
    near(min(v for v, place in found['boundary'] if abs(place + 0.2) < 1e-12), 5.9704, 5e-5, 'golden')
    header, rows = table(answer('stability-map', RIGID, '--x', f'{SPEEDS}=4,9', '--y', f'{shape}=-0.25:-0.15:3'))
    equal(header, [f'{SPEEDS} [m/s]', f'{shape} [m]', 'growth [1/s]', 'damping_ratio [1]'], 'header')
    equal(len(rows), 9, 'rows')


def test_empty_cells():
    """stability-map: cells where the model has no start state are empty, the others are there"""
    found = answer_json('stability-map', FOUR_BAR, '--x', 'cyl.stroke=0.2:0.9:8', '--y', 'link2.mass=1,5')
    cells = [cell for row in found['growth'] for cell in row]
    equal(any(cell is None for cell in cells) and any(cell is not None for cell in cells), True, cells)


# --- frequency response ---

def test_response_of_everything():
    """frequency-response: every input to every output, joint forces included, is C (i w - A)^-1 B + D, row by row"""
    every_response(FOUR_BAR)
    every_response(SERVO)


def test_response_of_a_hybrid_mode():
    """frequency-response --model hybrid: C (i w - A)^-1 B + D of the mode at that time"""
    every_response(TWO_CYLINDERS, '--model', 'hybrid', '--at', '1.35')


def every_response(file, *how):
    with tempfile.TemporaryDirectory() as folder:
        sheet = Path(folder) / 'linear.json'
        answer('linearize', file, *how, '--out', sheet)
        model = json.loads(sheet.read_text(encoding='utf-8'))
    inputs = [i if isinstance(i, str) else i['name'] for i in model['inputs'] + model['disturbances']]
    B, D = ([own + other for own, other in zip(model[one], model[two])] for one, two in (('B', 'E'), ('D', 'F')))
    n, w = len(model['A']), 2 * math.pi * 7.3
    for name in inputs:
        if name.endswith("'"):  # a rate goes with its signal
            continue
        # the columns of the signal and of its rates, times the powers of i w
        powers = [(inputs.index(name + "'" * k), (1j * w) ** k) for k in range(3) if name + "'" * k in inputs]
        x = solve([[(1j * w if i == j else 0) - model['A'][i][j] for j in range(n)] for i in range(n)],
                  [sum(row[column] * power for column, power in powers) for row in B])
        for k, output in enumerate(model['outputs']):
            want = sum(c * v for c, v in zip(model['C'][k], x)) + sum(D[k][column] * power for column, power in powers)
            got = answer_json('frequency-response', file, *how, '--input', name, '--output',
                              output if isinstance(output, str) else output['name'], '--frequencies', '7.3')
            near(complex(got['re'][0], got['im'][0]), want, 1e-9 * abs(want) + 1e-30, f'{name} to {output}')


def solve(a, b):
    """Gauss with pivots, complex."""
    a, b, n = [list(row) for row in a], list(b), len(b)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= factor * a[k][j]
            b[i] -= factor * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - sum(a[k][j] * b[j] for j in range(k + 1, n))) / a[k][k]
    return b


def test_gain_at_rest():
    """frequency-response: at 0 the integrating input is infinite, its rate finite, what nothing reaches exactly zero"""
    rate = answer_json('frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'link2.omega', '--frequencies', '0')
    slow = answer_json('frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'link2.angle', '--frequencies',
                       '0,1e-6')
    equal(slow['re'][0], None, 'integrator')
    equal(slow['dc_gain'], None, 'integrator')
    # an integral of the rate: G_angle (i w) i w = G_rate
    near(complex(slow['re'][1], slow['im'][1]) * 2j * math.pi * 1e-6, rate['re'][0], 1e-6 * abs(rate['re'][0]), 'rate')
    pump = answer_json('frequency-response', METERING, '--input', 'bleed.opening', '--output', 'theta', '--frequencies', '0,2')
    equal(pump['re'] + pump['im'], [0, 0, 0, 0], 'not a path')
    # a pump's constant flow through an opening u: p - p_T ~ u^-2
    pressure = answer_json('frequency-response', METERING, '--input', 'bleed.opening', '--output', 'Pnode.pressure',
                           '--frequencies', '0')
    opening = next(c for c in json.loads(METERING.read_text(encoding='utf-8'))['components'] if c['id'] == 'bleed')['opening']
    near(pressure['dc_gain'], -2 * 1e6 / opening, 1e-4 * 1e7, 'pump')


def test_loop_that_is_cut():
    """frequency-response --cut: with K the controller, command by target is K/(1 + L); the margins are those of L"""
    kp, ki, kd, lag = 30, 90, 0.1, 0.004
    for hertz in ('0.3', '2.05', '11', '41'):
        s = 2j * math.pi * float(hertz)
        controller = kp + ki / s + kd * s / (1 + lag * s)
        loop = answer_json('frequency-response', SERVO, '--cut', 'dcv.command', '--frequencies', hertz)
        closed = answer_json('frequency-response', SERVO, '--input', 'dcv.command.target', '--output', 'dcv.command',
                             '--frequencies', hertz)
        want = controller / complex(closed['re'][0], closed['im'][0]) - 1
        near(complex(loop['re'][0], loop['im'][0]), want, 1e-8 * (1 + abs(want)), f'L at {hertz} Hz')
    margins = {margin['kind']: margin for margin in loop['margins']}
    for kind, size in (('phase', lambda m: 1), ('gain', lambda m: 1 / m['value'])):
        at = answer_json('frequency-response', SERVO, '--cut', 'dcv.command', '--frequencies', repr(margins[kind]['frequency_hz']))
        near(at['magnitude'][0], size(margins[kind]), 1e-9, kind)
    near(at['phase'][0] % (2 * math.pi), math.pi, 1e-8, 'L is negative at the gain margin')
    for wrong in (('--cut', 'dcv.comand'), ('--cut', 'dcv.command', '--input', 'push.signal')):
        equal(run('frequency-response', SERVO, *wrong).returncode, 2, wrong)


def test_response_of_reactions():
    """frequency-response: a spring's force is its stiffness times its length's response, a bearing carries what hangs on it"""
    document = {'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'S': [0, 0.4]}},
                'bodies': [{'id': 'b', 'points': {'O': [0, 0], 'E': [1, 0]}, 'mass': 2, 'inertia': 0.3, 'com': [0.5, 0],
                            'pose': [0, 0, 0]}],
                'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'b.O'}],
                'loads': [{'id': 's', 'kind': 'spring', 'a': 'ground.S', 'b': 'b.E', 'stiffness': 900, 'damping': 0,
                           'free_length': 0.9},
                          {'id': 'f', 'kind': 'force', 'point': 'b.E', 'direction': [0, 1], 'signal': 0}]}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'arm.hydrolink'
        file.write_text(json.dumps(document), encoding='utf-8')
        got = {of: answer_json('frequency-response', file, '--input', 'f.signal', '--output', of, '--frequencies', '0.7')
               for of in ('s.force', 's.length', 'pin.fx', 'pin.fy', 'b.angle')}
        at = answer_json('equilibrium', file)['coordinates']
    value = {of: complex(got[of]['re'][0], got[of]['im'][0]) for of in got}
    near(value['s.force'], 900 * value['s.length'], 1e-9 * abs(value['s.force']), 'spring')
    # Newton for the centre of mass, at rest: m a = f + spring + pin; a = -w^2 e90 l phi
    angle, w2 = at['b.angle'], (2 * math.pi * 0.7) ** 2
    end = (math.cos(angle), math.sin(angle))
    along = (end[0], end[1] - 0.4)
    s = math.hypot(*along)
    force = 900 * (s - 0.9)
    phi = value['b.angle']
    for k, name in enumerate(('pin.fx', 'pin.fy')):
        across = (-end[1], end[0])
        d_end = across[k] * phi
        d_spring = -value['s.force'] * along[k] / s - force * (d_end / s - along[k] / s ** 2 * value['s.length'])
        want = -w2 * 2 * 0.5 * across[k] * phi - d_spring - (1 if k == 1 else 0)
        near(value[name], want, 1e-8 * (abs(want) + 1), name)


def test_response_of_a_run():
    """frequency-response: amplitude and phase of a long sinusoidal run of the nonlinear model"""
    f, amplitude = 12.0, 40.0
    document = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
    next(load for load in document['loads'] if load['id'] == 'M2')['signal'] = {
        'kind': 'sine', 'amplitude': amplitude, 'frequency_hz': f, 'phase': 0, 'offset': 0}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'sine.hydrolink'
        file.write_text(json.dumps(document), encoding='utf-8')
        _, rows = table(answer('simulate', file, '--t-end', '2', '--every', '0.0005', '--rtol', '1e-10'))
    # whole periods at the end, all probes by projection on sine and cosine
    probes = [probe['id'] for probe in document['probes']]
    last = [[float(cell) for cell in row] for row in rows if float(row[0]) >= 1.0 - 1e-9][:2000]
    for column, probe in enumerate(probes, 1):
        got = answer_json('frequency-response', FOUR_BAR, '--input', 'M2.signal', '--output', probe, '--frequencies', f)
        want = 2 / len(last) / amplitude * sum(row[column] * 1j * cmath.exp(-2j * math.pi * f * row[0]) for row in last)
        near(complex(got['re'][0], got['im'][0]), want, 2e-3 * abs(want), probe)


def test_margins():
    """frequency-response --json: margins lie on the response, and the loop is at the limit when its gain is the margin's"""
    line = ('frequency-response', EXAMPLES / 'ackermann-steering.hydrolink', '--input', 'orbitrol.command', '--output', 'dl')
    margins = [m for m in answer_json(*line)['margins'] if m['kind'] == 'gain']
    equal(len(margins), 1, 'crossings')
    at = answer_json(*line, '--frequencies', repr(margins[0]['frequency_hz']))
    near(complex(at['re'][0], at['im'][0]) * margins[0]['value'], -1, 1e-6, 'on the axis')
    below, above = (answer_json(*line, '--gain', repr(margins[0]['value'] * part))['closed_growth'] for part in (0.999, 1.001))
    equal(below < 0 < above, True, f'{below} {above}')


# --- the line ---

def test_words():
    """misspelt paths, inputs and outputs get a near name; ranges over zero and unknown lists are refused kindly"""
    refused(2, ['cyl.friction.Fc'], 'sensitivity', FOUR_BAR, '--parameter', 'cyl.friction.FC')
    refused(2, ['perhaps ‘dcv.command’'], 'frequency-response', FOUR_BAR, '--input', 'dvc.command', '--output', 'phi2')
    refused(2, ['perhaps ‘phi2’'], 'frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'phi')
    refused(2, ['energy.kinetic', 'no linear response'], 'frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output',
            'energy.kinetic')
    refused(2, ['must have the same sign'], 'frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'phi2', '--from', '0',
            '--to', '9')
    refused(2, ['must have the same sign'], 'stability-map', FOUR_BAR, '--x', 'cyl.friction.scale=log:0:1:4', '--y', 'link2.mass=1,2')
    refused(2, ['link2.mass', 'greater than 0'], 'stability-map', FOUR_BAR, '--x', 'link2.mass=-1:3:4', '--y',
            'link3.mass=1,2')
    refused(2, ['--to'], 'frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'phi2', '--from', '1')
    refused(1, ['cannot'], 'sensitivity', FOUR_BAR, '-o', '/nowhere/at/all.csv')


def test_files():
    """-o and --out write what standard output would get, in one step"""
    lines = (('sensitivity', FOUR_BAR), ('root-locus', FOUR_BAR, '--parameter', 'link2.mass', '--from', 1, '--to', 2),
             ('stability-map', FOUR_BAR, '--x', 'cyl.friction.scale=log:0.01:1:3', '--y', 'link2.mass=1,2'),
             ('frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'phi2'))
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            for form in ((), ('--json',)):
                file = Path(folder) / 'out'
                equal(answer(*line, *form, '-o', file), '', 'silent')
                equal(file.read_text(encoding='utf-8'), answer(*line, *form), line[0])


def wait_until_it_listens(process, work=0.5):
    """Until the program catches Ctrl+C, and a moment of work more [s]."""
    status = Path(f'/proc/{process.pid}/status')
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        caught = re.search(r'^SigCgt:\s*([0-9a-f]+)', status.read_text(encoding='ascii'), re.M)
        if int(caught[1], 16) >> (signal.SIGINT - 1) & 1:
            break
        time.sleep(0.01)
    time.sleep(work)


def test_stop():
    """Ctrl+C on a long locus, a long map and a long response: status 1, a word, and the rows that were done"""
    lines = (('root-locus', FOUR_BAR, '--parameter', 'link2.mass', '--from', '1', '--to', '9', '--points', '1000000'),
             ('stability-map', FOUR_BAR, '--x', 'link2.mass=1:9:2000', '--y', 'link3.mass=1:9:2000'),
             ('frequency-response', FOUR_BAR, '--input', 'dcv.command', '--output', 'phi2', '--frequencies',
              'log:1e-3:1e3:1000000'))
    for line in lines:
        # a response takes a moment only: too early there is no row yet, too late nothing is left to stop
        work = 0.02 if line[0] == 'frequency-response' else 0.5
        for _ in range(30):
            process = subprocess.Popen([PROGRAM, *map(str, line)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       encoding='utf-8')
            wait_until_it_listens(process, work)
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=60)
            if process.returncode == 1 and len(out.splitlines()) > 10:
                break
            work *= 1.6 if process.returncode == 1 else 0.8
        equal(process.returncode, 1, said)
        equal('stopped by Ctrl+C' in said, True, said)
        equal(len(out.splitlines()) > 10, True, out[:200])
    process = subprocess.Popen([PROGRAM, 'linearize', EXAMPLES / 'hybrid-two-cylinders.hydrolink', '--model', 'hybrid',
                                '--at', '1e5'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8')
    wait_until_it_listens(process)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    equal((process.returncode, out, 'stopped by Ctrl+C' in said), (1, '', True), said)


def test_broken_files():
    """a file that is empty, cut off, too deep or begins with a byte order mark is refused with what mends it"""
    text = FOUR_BAR.read_text(encoding='utf-8')
    for content, mend in (('', 'empty'), (text[:690], 'cut off'), (text[:text.index('"link') + 4], 'cut off'),
                          ('[' * 100000, 'remove the deeper levels'),
                          ('\ufeff' + text, 'byte order mark')):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'broken.hydrolink'
            file.write_text(content, encoding='utf-8')
            refused(2, ['broken.hydrolink', mend], 'sensitivity', file)


def test_no_oil():
    """simulate --model hybrid: a linkage without any oil moves as in the lumped model"""
    file = EXAMPLES / 'peaucellier.hydrolink'
    runs = [table(answer('simulate', file, '--model', model, '--t-end', '0.2', '--every', '0.05', '--rtol', '1e-9'))[1]
            for model in ('lumped', 'hybrid')]
    for one, other in zip(*runs):
        for a, b in zip(one, other):
            near(float(a), float(b), 1e-6, 'peaucellier')


def test_idle_numbers():
    """a number that the oil does not read: a warning on stderr, and the rows all the same"""
    line = ('--from', 1e5, '--to', 2e5, '--points', 2)
    for command in (('root-locus', FOUR_BAR, '--set', 'cyl.virtual_stiffness=1e5', '--parameter', 'cyl.virtual_stiffness', *line),
                    ('sensitivity', FOUR_BAR, '--set', 'cyl.virtual_stiffness=1e5', '--parameter', 'cyl.virtual_stiffness'),
                    ('sweep', TWO_CYLINDERS, '--set', 'cyl1.virtual_stiffness=1e5', '--parameter', 'cyl1.virtual_stiffness=1e5,2e5', '--measure', 'max:x1', '--t-end', 0.01)):
        result = run(*command)
        equal(result.returncode, 0, command)
        equal('has no effect here' in result.stderr, True, result.stderr)
        equal(len(result.stdout.splitlines()) > 1, True, result.stdout)
    result = run('root-locus', FOUR_BAR, '--parameter', 'throttle.dp_lim', *line)
    equal((result.returncode, result.stderr), (0, ''), 'a number that is read')


def test_another_shape():
    """root-locus: a value that takes a state away is refused with the element's name, the rows before it stay"""
    result = run('root-locus', FOUR_BAR, '--parameter', 'dcv.time_constant', '--from', 0.01, '--to', 0, '--points', 3)
    equal(result.returncode, 1, result.stderr)
    equal('dcv' in result.stderr and 'spool is a state only if the time constant' in result.stderr, True, result.stderr)
    equal(len(result.stdout.splitlines()), 3, result.stdout)


def test_impossible_machines():
    """root-locus, sweep: values that contradict another number are refused, in place or compiled, with numbers of that value"""
    result = run('sweep', EXCAVATOR, '--parameter', 'stick_cyl.piston_area=0.0143,0.0028', '--parameter',
                 'fluid.density=850,860', '--measure', 'last:stick_angle', '--t-end', '0.01')
    equal(result.returncode, 1, result.stderr)
    equal([row.endswith(',') for row in result.stdout.splitlines()[1:]], [False, False, True, True], result.stdout)
    equal(result.stderr.count('the rod is larger than the piston'), 2, result.stderr)
    result = run('root-locus', EXCAVATOR, '--parameter', 'stick_cyl.rod_side_area', '--from', '0.01', '--to', '0.02', '--points', '5')
    equal((result.returncode, len(result.stdout.splitlines())), (1, 3), result.stderr)
    equal('the rod is larger than the piston' in result.stderr, True, result.stderr)
    # c1 = 0.25 and a stroke of 1 put the longest cylinder at c1 + c2 + 1
    result = run('root-locus', FOUR_BAR, '--parameter', 'cyl.c1', '--from', '0.25', '--to', '0.85', '--points', '2')
    equal((result.returncode, 'can be 0.4 to 1.4 m' in result.stderr), (1, True), result.stderr)


def test_within_of_a_compiled_locus():
    """root-locus --within: of a number that shapes the model as well, the branches that come near"""
    line = ('root-locus', FOUR_BAR, '--parameter', 'ground.Oc.x', '--from', '-1', '--to', '-0.9', '--points', '6')
    _, every = table(answer(*line))
    for within in (1, 30, 400):
        _, rows = table(answer(*line, '--within', within))
        kept = [k for k in range(1, 13, 2) if min(math.hypot(float(row[k]), float(row[k + 1])) for row in every) <= within]
        equal(rows, [[row[0]] + [x for k in kept for x in row[k:k + 2]] for row in every], f'within {within}')


TESTS = [value for name, value in list(globals().items()) if name.startswith('test_')]


if __name__ == '__main__':
    sys.exit(tap.report(TESTS))
