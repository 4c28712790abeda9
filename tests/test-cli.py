#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line against golden numbers, its exit statuses and its messages. TAP.

Every command runs without DISPLAY. Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_GOLDEN_DIR.
"""

import base64
import csv
import html.parser
import io
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
GOLDEN = Path(os.environ['HL_GOLDEN_DIR'])
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
TRAILER = EXAMPLES / 'articulated-vehicle-rigid.hydrolink'
SCALE = 'cyl.friction.scale'
COMMANDS = ('validate', 'equilibrium', 'linearize', 'simulate', 'root-locus', 'sensitivity', 'stability-map',
            'frequency-response', 'sweep', 'quasistatic', 'modes', 'compare-models', 'paths', 'report', 'screenshot',
            'thumbnail')
FILELESS = ('reproduce', 'help', 'format', 'completion')  # tests/test-reproduce.py has the numbers of the first


def run(*arguments):
    environment = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment, capture_output=True, check=False, timeout=120,
                          encoding='utf-8')


def answer(*arguments):
    """Output of a command that must succeed."""
    result = run(*arguments)
    if result.returncode != 0:
        raise AssertionError(f'{arguments}: status {result.returncode}: {result.stderr}')
    return result.stdout


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], [[float(cell) if cell else math.nan for cell in row] for row in rows[1:]]


def golden(name):
    return json.loads((GOLDEN / name).read_text(encoding='utf-8'))


def near(got, want, tolerance, what):
    if not abs(got - want) <= tolerance:
        raise AssertionError(f'{what}: {got!r}, expected {want!r} within {tolerance:.1e}')


def equal(got, want, what=''):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def nonzero(linear):
    """The eigenvalues that are not zero, as printed."""
    return [(e['re'], e['im']) for e in linear['eigenvalues'] if e['re'] != 0 or e['im'] != 0]


def same_eigenvalues(linear, case, what):
    equal(linear['null'], {'count': case['null']['algebraic'], 'blocks': case['null']['jordan_block_sizes']}, what)
    found = [e for e in linear['eigenvalues'] if math.hypot(e['re'], e['im']) > 1e-3]
    equal(len(found), len(case['nonzero']), f'{what}: nonzero eigenvalues')
    for got, want in zip(found, case['nonzero']):
        size = math.hypot(want['re'], want['im'])
        near(got['re'], want['re'], 1e-11 * size, what)
        near(got['im'], want['im'], 1e-11 * size, what)
        near(got['frequency_hz'], abs(want['im']) / (2 * math.pi), 1e-11 * size, what)
        near(got['damping_ratio'], -want['re'] / size, 1e-10, what)
        near(sum(got['participation'].values()), 1, 1e-12, what)


# ---- golden numbers ----------------------------------------------------------------------------------

def test_equilibrium():
    """equilibrium of the four-bar to 1e-13, multipliers to 1e-12"""
    want = golden('linearization.json')['equilibrium']
    got = json.loads(answer('equilibrium', FOUR_BAR, '--json'))
    names = [f'{body}.{part}' for body in ('link2', 'link3', 'link4') for part in ('x', 'y', 'angle')]
    equal(list(got['coordinates']), names, 'coordinates')
    for name, value in zip(names, want['coordinates_planar9_xG_yG_psi_per_link']):
        near(got['coordinates'][name], value, 1e-13 * max(1, abs(value)), name)
    near(got['pressures']['V1'], want['p1'], 1e-13 * want['p1'], 'V1')
    near(got['pressures']['V2'], want['p2'], 1e-13 * want['p2'], 'V2')
    equal(got['pressures']['V3'], 3.5e6, 'V3')
    equal(got['pressures']['Pline'], 7.6e6, 'Pline')
    forces = [force for joint in ('jO1', 'jC', 'jD', 'jO2') for force in got['multipliers'][joint]]
    for force, value in zip(forces, want['multipliers_planar9'], strict=True):
        near(force, value, 1e-12 * abs(value), 'multiplier')
    if not 0 <= got['residual'] < 1e-10:
        raise AssertionError(f'residual {got["residual"]}')


def test_eigenvalues():
    """J and eigenvalues of the four-bar at four friction scales to 1e-11"""
    for case in golden('linearization.json')['cases']:
        linear = json.loads(answer('linearize', FOUR_BAR, '--set', f'{SCALE}={case["friction_scale"]!r}', '--json'))
        same_eigenvalues(linear, case['eigenvalues'], f'scale {case["friction_scale"]}')
        for row in range(6):
            largest = max(map(abs, case['J'][row]))
            for column in range(5):
                want = case['J'][row][column]
                near(linear['J'][row][column], want, 1e-11 * abs(want) or 1e-13 * largest, f'J[{row}][{column}]')
        equal(linear['states'][0], 'link2.angle', 'state')
        equal(linear['inputs'], ['M2.signal', 'dcv.command'], 'inputs')
        equal((len(linear['B']), len(linear['B'][0])), (6, 2), 'B')


def test_kink():
    """the closed valve is a kink: the mean in J, both sides beside it"""
    want = golden('linearization.json')['U_column']
    linear = json.loads(answer('linearize', FOUR_BAR, '--json'))
    equal([kink['state'] for kink in linear['kinks']], ['dcv.spool'], 'kinks')
    for side, name in (('toward_positive', 'opening_positive'), ('toward_negative', 'opening_negative')):
        for got, value in zip(linear['kinks'][0][side], want[name], strict=True):
            near(got, value, 1e-11 * abs(value) + 1e-20, side)
    for row in range(6):
        mean = 0.5 * (want['opening_positive'][row] + want['opening_negative'][row])
        near(linear['J'][row][5], mean, 1e-11 * abs(mean) + 1e-20, 'mean')


def test_vehicle():
    """null blocks and eigenvalues of the nonholonomic vehicle"""
    for case in golden('articulated_vehicle.json')['cases']:
        if case['variant'] != 'rigid':
            continue
        linear = json.loads(answer('linearize', TRAILER, '--at', 'start', '--set', f'front.vx={case["speed"]}', '--set',
                                   f'rear.vx={case["speed"]}', '--json'))
        same_eigenvalues(linear, case['eigenvalues'], f'speed {case["speed"]}')


def test_parameter_sets():
    """a parameter set is the friction scale it stands for; --set comes behind it"""
    cases = {case['friction_scale']: case for case in golden('linearization.json')['cases']}
    for name, scale in (('Overdamped', 1.0), ('Underdamped, high friction', 0.1), ('Underdamped, low friction', 0.01)):
        linear = json.loads(answer('linearize', FOUR_BAR, '--parameter-set', name, '--json'))
        same_eigenvalues(linear, cases[scale]['eigenvalues'], name)
    linear = json.loads(answer('linearize', FOUR_BAR, '--set', f'{SCALE}=0', '--parameter-set', 'Overdamped', '--json'))
    same_eigenvalues(linear, cases[0.0]['eigenvalues'], 'set behind a parameter set')


def test_coordinates():
    """another choice of coordinates: other states, the same eigenvalues"""
    case = golden('linearization.json')['cases'][2]
    linear = json.loads(answer('linearize', FOUR_BAR, '--set', f'{SCALE}=0.01', '--coordinates', 'link4.angle', '--json'))
    equal(linear['states'][:2], ['link4.angle', 'link4.omega'], 'states')
    for got, want in zip(nonzero(linear), case['eigenvalues']['nonzero'], strict=True):
        near(complex(*got), complex(want['re'], want['im']), 1e-9 * math.hypot(*got), 'eigenvalue')
    equal(run('linearize', FOUR_BAR, '--coordinates', 'link9.angle').returncode, 2, 'unknown body')
    equal(run('linearize', FOUR_BAR, '--coordinates', 'link2.angle,link4.angle').returncode, 1, 'too many')


def test_model_files():
    """linearize --out: A is J, inputs and outputs have names, the scripts hold the same numbers"""
    linear = json.loads(answer('linearize', FOUR_BAR, '--json'))
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / 'model.json'
        equal(answer('linearize', FOUR_BAR, '--out', model), '', 'output')
        got = json.loads(model.read_text(encoding='utf-8'))
        for got_row, row in zip(got['A'], linear['J'], strict=True):
            for a, b in zip(got_row, row, strict=True):
                near(a, b, 1e-14 * abs(b), 'entry of A')
        equal([state['name'] for state in got['states']], linear['states'], 'states')
        equal([probe['name'] for probe in got['outputs']], ['phi2', 'p1', 'p2', 'p3'], 'outputs')
        equal(got['C'][0], [1, 0, 0, 0, 0, 0], 'the angle is an output')
        for name in ('model.csv', 'model.m', 'model.py'):
            answer('linearize', FOUR_BAR, '--out', Path(folder) / name)
            text = (Path(folder) / name).read_text(encoding='utf-8')
            equal(str(got['A'][1][1]) in text, True, f'damping in {name}')
        answer('linearize', FOUR_BAR, '--out', Path(folder) / 'model.mat')
        equal((Path(folder) / 'model.mat').read_bytes()[:6], b'MATLAB', 'MAT file')
        equal(run('linearize', FOUR_BAR, '--out', Path(folder) / 'model.xls').returncode, 2, 'unknown ending')
        equal(run('linearize', FOUR_BAR, '--out', model, '--json').returncode, 2, '--json with --out')
        answer('simulate', FOUR_BAR, '--t-end', '0.05', '--out', Path(folder) / 'run.mat')
        equal((Path(folder) / 'run.mat').read_bytes()[:6], b'MATLAB', 'MAT file of a run')


def test_difference():
    """the counterpart by differences: 22 states, the nonzero eigenvalues to its own accuracy"""
    case = golden('linearization.json')['cases'][2]
    linear = json.loads(answer('linearize', FOUR_BAR, '--set', f'{SCALE}=0.01', '--method', 'difference', '--json'))
    equal(len(linear['states']), 22, 'states')
    for want in case['eigenvalues']['nonzero']:
        value = complex(want['re'], want['im'])
        distance = min(abs(complex(e['re'], e['im']) - value) for e in linear['eigenvalues'])
        near(distance, 0, 1e-5 * abs(value), f'eigenvalue {value}')
    equal(run('linearize', FOUR_BAR, '--step', '1e-6').returncode, 2, '--step without difference')


def test_at_time():
    """linearize --at TIME: behind the pulse the machine rests again, during it the angle has moved"""
    rest = json.loads(answer('linearize', FOUR_BAR, '--at', 'equilibrium', '--json'))
    late = json.loads(answer('linearize', FOUR_BAR, '--at', '30', '--json'))
    during = json.loads(answer('linearize', FOUR_BAR, '--at', '1.2', '--json'))
    for got, want in zip(nonzero(late), nonzero(rest), strict=True):
        near(got[0], want[0], 1e-6 * abs(want[0]), 'eigenvalue')
    moved = max(abs(a[0] / b[0] - 1) for a, b in zip(nonzero(during), nonzero(rest)))
    if not 1e-6 < moved < 0.1:
        raise AssertionError(f'eigenvalues move by {moved} during the pulse')
    equal(len(during['kinks']), 1, 'kinks')


def check_response(name, *settings):
    want = (GOLDEN / name).read_text(encoding='utf-8')
    want_header, want_rows = table(want)
    header, rows = table(answer('simulate', FOUR_BAR, '--rtol', '1e-9', '--every', '0.01', '--t-end', '4', *settings))
    equal(header, ['t [s]', 'phi2 [rad]', 'p1 [Pa]', 'p2 [Pa]', 'p3 [Pa]'], 'header')
    equal(len(rows), len(want_rows), 'rows')
    for column, name_there in enumerate(['t', 'phi2_minus_phi20_rad', 'p1', 'p2', 'p3']):
        there = want_header.index(name_there)
        start = want_rows[0][there]
        peak = max(abs(row[there] - start) for row in want_rows)
        error = max(abs(a[column] - b[there]) for a, b in zip(rows, want_rows))
        near(error, 0, 1e-6 * peak, f'{name}: {name_there}')


def test_response():
    """the run of the four-bar within 1e-6 of the peak at rtol 1e-9"""
    check_response('response_scale_1.csv')


def test_responses_low_friction():
    """the same with a tenth and a hundredth of the friction"""
    check_response('response_scale_0p1.csv', '--set', f'{SCALE}=0.1')
    check_response('response_scale_0p01.csv', '--set', f'{SCALE}=0.01')


def test_baumgarte():
    """the second formulation of the same system agrees"""
    _, reduced = table(answer('simulate', FOUR_BAR, '--rtol', '1e-9', '--t-end', '2', '--every', '0.02'))
    _, other = table(answer('simulate', FOUR_BAR, '--rtol', '1e-9', '--t-end', '2', '--every', '0.02', '--formulation',
                            'baumgarte'))
    peak = max(abs(row[1]) for row in reduced)
    near(max(abs(a[1] - b[1]) for a, b in zip(reduced, other, strict=True)), 0, 1e-5 * peak, 'angle')


def test_method_of_a_run():
    """--beta, --gamma and --integrator do what simulation.beta, .gamma and .integrator of the file do"""
    short = ('--rtol', '1e-7', '--t-end', '0.3', '--every', '0.01')
    stable = ('--formulation', 'baumgarte')
    given = answer('simulate', FOUR_BAR, *short, *stable, '--beta', '7', '--gamma', '9')
    equal(given, answer('simulate', FOUR_BAR, *short, *stable, '--set', 'simulation.beta=7', '--set', 'simulation.gamma=9'),
          'rates from line and file')
    if given == answer('simulate', FOUR_BAR, *short, *stable):
        raise AssertionError('beta and gamma change nothing')
    peak = max(abs(row[1]) for row in table(given)[1])
    runs = {}
    for name in ('bdf', 'radau'):
        result = run('simulate', FOUR_BAR, *short, '--integrator', name, '--stats')
        runs[name] = table(result.stdout)[1], json.loads(result.stderr)['steps']
    equal(runs['bdf'][0], table(answer('simulate', FOUR_BAR, *short))[1], 'bdf is the integrator when nothing is said')
    if runs['radau'][1] * 2 > runs['bdf'][1]:
        raise AssertionError(f'radau takes {runs["radau"][1]} steps where bdf takes {runs["bdf"][1]}')
    near(max(abs(a[1] - b[1]) for a, b in zip(runs['bdf'][0], runs['radau'][0], strict=True)), 0, 1e-4 * peak, 'angle')


def test_simulate_rows():
    """one row at each multiple of --every and at the end; --out writes the same; --stats is JSON"""
    text = answer('simulate', FOUR_BAR, '--t-end', '0.07', '--every', '0.02')
    times = [row[0] for row in table(text)[1]]
    for got, want in zip(times, [0, 0.02, 0.04, 0.06, 0.07], strict=True):
        near(got, want, 1e-15, 'time')
    for every, n in (('0.57', 7), ('0.57', 19), ('0.013', 31), ('0.0007', 25), ('0.1', 3)):
        rows = table(answer('simulate', FOUR_BAR, '--t-end', repr(round(n * float(every), 10)), '--every', every))[1]
        equal(len(rows), n + 1, f'rows at each {every} s')
    equal([row[0] for row in rows], [0, 0.1, 0.2, 0.3], 'times of tenths')
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'run.csv'
        result = run('simulate', FOUR_BAR, '--t-end', '0.07', '--every', '0.02', '--out', out, '--stats')
        equal((result.returncode, result.stdout), (0, ''), 'status and output')
        equal(out.read_text(encoding='utf-8'), text, 'file')
        stats = json.loads(result.stderr)
        if not (stats['steps'] > 0 and stats['right_hand_sides'] > 0 and stats['jacobians'] > 0):
            raise AssertionError(f'statistics {stats}')


def test_losses():
    """where the energy of a run went: what comes in is what is lost and goes on, and a throttle's part is flow times drop"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'losses.csv'
        result = run('simulate', EXAMPLES / 'slider-crank.hydrolink', '--losses', path)
        equal(result.returncode, 0, result.stderr)
        rows = list(csv.reader(path.read_text(encoding='utf-8').splitlines()))
        equal(rows[0], ['side', 'element', 'energy [J]'], 'columns')
        sums = {side: sum(float(row[2]) for row in rows[1:] if row[0] == side) for side in ('in', 'lost', 'out')}
        near(sums['lost'] + sums['out'], sums['in'], 1e-6 * sums['in'], 'the sum of what becomes of it')
        equal('throttle' in [row[1] for row in rows if row[0] == 'lost'], True, 'a bar of the throttle')
        result = run('simulate', EXAMPLES / 'metering-arm.hydrolink', '--t-end', 0.01, '--out', Path(folder) / 'run.csv', '--losses', path)
        equal(result.returncode, 1, result.stdout)
        equal('lumped' in result.stderr, True, result.stderr)


def test_root_locus():
    """root locus: golden at the friction scales, branches unbroken, also for a point of the linkage"""
    cases = {case['friction_scale']: case for case in golden('linearization.json')['cases']}
    header, rows = table(answer('root-locus', FOUR_BAR, '--parameter', SCALE, '--from', '0.01', '--to', '1', '--points', '201',
                                '--scale', 'log'))
    equal((header[0], len(header), len(rows)), (f'{SCALE} [1]', 13, 201), 'shape')
    for row, scale in ((rows[0], 0.01), (rows[100], 0.1), (rows[200], 1.0)):
        near(row[0], scale, 1e-15, 'parameter')
        found = [complex(re, im) for re, im in zip(row[1::2], row[2::2])]
        for want in cases[scale]['eigenvalues']['nonzero']:
            value = complex(want['re'], want['im'])
            near(min(abs(value - z) for z in found), 0, 1e-11 * abs(value), f'eigenvalue at {scale}')
    line = ('root-locus', FOUR_BAR, '--parameter', SCALE, '--from', '0.1', '--to', '1', '--points', '9', '--within')
    _, every = table(answer(*line, '1e9'))
    for within in (1, 30, 400):
        header, rows = table(answer(*line, within))
        kept = [k for k in range(1, 13, 2) if min(abs(complex(row[k], row[k + 1])) for row in every) <= within]
        equal(rows, [[row[0]] + [x for k in kept for x in row[k:k + 2]] for row in every], f'within {within}')
        equal(header[-1], f'im{len(kept)} [rad/s]', 'columns')
    _, rows = table(answer('root-locus', FOUR_BAR, '--parameter', 'ground.Oc.x', '--from', '-1', '--to', '-0.9', '--points', '6'))
    found = sorted(rows[0][1::2])
    for got, want in zip(found[:4], sorted(e['re'] for e in cases[1.0]['eigenvalues']['nonzero'])):
        near(got, want, 1e-10 * abs(want), 'eigenvalue of the compiled locus')
    for k in range(1, 13):
        if max(abs(b[k] - a[k]) for a, b in zip(rows, rows[1:])) > 60:  # the branches are 76 apart
            raise AssertionError(f'column {k} jumps')


def test_locus_of_a_held_value():
    """a root locus over what equilibrium.hold keeps: the equilibrium moves with it"""
    for path, start, value in (('link2.angle', '1', '1.1'), ('V3.pressure', '1e6', '2e6')):
        _, rows = table(answer('root-locus', FOUR_BAR, '--parameter', path, '--from', start, '--to', value, '--points', '2'))
        linear = json.loads(answer('linearize', FOUR_BAR, '--set', f'{path}={value}', '--json'))
        want = sorted(e['re'] for e in linear['eigenvalues'])
        for got, one in zip(sorted(rows[1][1::2]), want):
            near(got, one, 1e-9 * max(1, abs(one)), path)


def test_several_parameters():
    """several parameters of a root locus get the same value"""
    _, rows = table(answer('root-locus', FOUR_BAR, '--parameter', 'cyl.friction.Fc', '--parameter', 'cyl.friction.Fs', '--from',
                           '100', '--to', '200', '--points', '2'))
    linear = json.loads(answer('linearize', FOUR_BAR, '--set', 'cyl.friction.Fc=200', '--set', 'cyl.friction.Fs=200', '--json'))
    for got, want in zip(sorted(rows[1][1::2]), sorted(e['re'] for e in linear['eigenvalues'])):
        near(got, want, 1e-9 * max(1, abs(want)), 'eigenvalue')


def test_sweep():
    """sweep: measures of the golden response, and the shards make the whole table"""
    line = ['sweep', FOUR_BAR, '--parameter', f'{SCALE}=0.1,1', '--parameter', 'M2.signal.y.1=250,250,250', '--measure',
            'max:phi2', '--measure', 'last:p3', '--measure', 'rms:phi2', '--measure', 'min:p1', '--measure', 'settling:phi2',
            '--rtol', '1e-9']
    text = answer(*line)
    header, rows = table(text)
    equal(header, [f'{SCALE} [1]', 'M2.signal.y.1 [N m]', 'max:phi2 [rad]', 'last:p3 [Pa]', 'rms:phi2 [rad]', 'min:p1 [Pa]',
                   'settling:phi2 [s]'], 'header')
    equal([row[:2] for row in rows], [[s, 250] for s in (0.1, 1) for _ in range(3)], 'combinations')
    names, response = table((GOLDEN / 'response_scale_1.csv').read_text(encoding='utf-8'))
    angle = [row[names.index('phi2_minus_phi20_rad')] for row in response]
    pressure = [row[names.index('p1')] for row in response]
    near(rows[3][2], max(angle), 2e-6 * max(angle), 'max')
    near(rows[3][3], response[-1][names.index('p3')], 1, 'last')
    square = sum(0.005 * (a * a + b * b) for a, b in zip(angle, angle[1:])) / 4
    near(rows[3][4], math.sqrt(square), 2e-6 * max(angle), 'rms')
    near(rows[3][5], min(pressure), 1, 'min')
    outside = [k for k, a in enumerate(angle) if abs(a - angle[-1]) > 0.02 * max(abs(b - angle[-1]) for b in angle)]
    # where the straight line between the last row outside and the next one enters the band
    k, band = outside[-1], 0.02 * max(abs(b - angle[-1]) for b in angle)
    level = angle[-1] + math.copysign(band, angle[k] - angle[-1])
    near(rows[3][6], 0.01 * (k + (level - angle[k]) / (angle[k + 1] - angle[k])), 1e-6, 'settling')
    shards = [answer(*line, '--shard', f'{part}/4').splitlines() for part in range(1, 5)]
    equal([row for shard in shards for row in shard[1:]], text.splitlines()[1:], 'shards')


PNG_START = b'\x89PNG\r\n\x1a\n'


def pictures(folder, stems):
    for stem in stems:
        svg = (Path(folder) / f'{stem}.svg').read_text(encoding='utf-8')
        if '<svg' not in svg or 'nan' in svg.lower().replace('nano', ''):
            raise AssertionError(f'{stem}.svg is no sound picture')
        if not (Path(folder) / f'{stem}.png').read_bytes().startswith(PNG_START):
            raise AssertionError(f'{stem}.png is no PNG')


def test_report():
    """report: every picture as SVG and PNG, tables that agree with the commands, a page whose links lead somewhere"""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'a' / 'b'
        answer('report', FOUR_BAR, '--out', out, '--set', f'{SCALE}=0.01')
        pictures(out, ['plot-1', 'plot-2', 'eigenvalues', 'circuit', 'linkage'])
        linear = json.loads(answer('linearize', FOUR_BAR, '--set', f'{SCALE}=0.01', '--json'))
        equal(json.loads((out / 'linear-model.json').read_text(encoding='utf-8')), linear, 'linear model')
        for name, key, columns in (('A.csv', 'J', linear['states']), ('B.csv', 'B', linear['inputs'])):
            rows = list(csv.reader(io.StringIO((out / name).read_text(encoding='utf-8'))))
            equal(rows[0], ['state', *columns], name)
            equal([row[0] for row in rows[1:]], linear['states'], name)
            equal([[float(cell) for cell in row[1:]] for row in rows[1:]], linear[key], name)
        names, rows = table((out / 'results.csv').read_text(encoding='utf-8'))
        equal(names, ['t [s]', *(f'{p}{kind} [{u}]' for kind in ('', '.linear')
                                 for p, u in (('phi2', 'rad'), ('p1', 'Pa'), ('p2', 'Pa'), ('p3', 'Pa')))], 'results')
        peak = max(abs(row[1]) for row in rows)
        if not max(abs(row[1] - row[5]) for row in rows if row[0] > 1.5) < 0.3 * peak or not math.isnan(rows[0][5]):
            raise AssertionError('the linear response is not beside the run')
        page = (out / 'report.md').read_text(encoding='utf-8')
        links = set(re.findall(r'\]\(([^)]+)\)', page))
        equal(sorted(link for link in links if not (out / link).is_file()), [], 'links without a file')
        left = {path.name for path in out.iterdir() if path.suffix != '.png'} - links - {'report.md'}
        equal(left, set(), 'files that the page does not name')
        for case in golden('linearization.json')['cases'][2]['eigenvalues']['nonzero']:
            if f'{case["re"]:.10g}' not in page:
                raise AssertionError(f'{case["re"]} is not on the page')
        shown = HtmlPage((out / 'report.html').read_text(encoding='utf-8'))
        equal(shown.open, [], 'tags that are not closed')
        rows = [[cell.strip(' `') for cell in line.strip('|').split('|')] for line in page.splitlines()
                if line.startswith('|') and not line.startswith('|---')]
        equal(shown.rows, rows, 'tables of the HTML page')
        equal(len(shown.pictures), len(re.findall(r'^!\[', page, flags=re.M)), 'pictures of the HTML page')
        for picture, (_, stem) in zip(shown.pictures, re.findall(r'^!\[(.*?)\]\((.*?)\)', page, flags=re.M)):
            equal(base64.b64decode(picture.removeprefix('data:image/svg+xml;base64,')), (out / stem).read_bytes(), stem)


class HtmlPage(html.parser.HTMLParser):
    """Cells of the tables, pictures, and tags that are left open."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.pictures, self.open, self.cell = [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == 'img':
            self.pictures.append(dict(attrs)['src'])
        elif tag != 'meta':
            self.open.append(tag)
        if tag == 'tr':
            self.rows.append([])
        if tag in ('td', 'th'):
            self.rows[-1].append('')

    def handle_endtag(self, tag):
        equal(self.open.pop(), tag, 'closed tag')

    def handle_data(self, data):
        if set(self.open) & {'td', 'th'}:
            self.rows[-1][-1] += data


def test_report_markup():
    """report: markup in the names of a model stays text on both pages"""
    with tempfile.TemporaryDirectory() as folder:
        model = json.loads(Path(FOUR_BAR).read_text(encoding='utf-8'))
        model.update(name='a<b> | **c** `d` &amp;', description='# one\n- two\n<script>x</script>')
        path = Path(folder) / 'm.hydrolink'
        path.write_text(json.dumps(model), encoding='utf-8')
        answer('report', path, '--out', Path(folder) / 'out', '--t-end', '0.01')
        text = (Path(folder) / 'out' / 'report.html').read_text(encoding='utf-8')
        page = HtmlPage(text)
        equal(page.open, [], 'tags that are not closed')
        equal('<script' in text, False, 'a script')
        equal('<h1>a&lt;b&gt; | **c** `d` &amp;amp;</h1>' in text, True, 'name')


def test_report_formulas():
    """report: parameters and numbers that rest on them, with what was typed"""
    with tempfile.TemporaryDirectory() as folder:
        model = json.loads(Path(FOUR_BAR).read_text(encoding='utf-8'))
        model['parameters'] = {'bore': 0.08, 'p_supply': '7.6 MPa'}
        for part in model['components']:
            part.update({'cyl': {'rod_diameter': 'bore*7/16'}, 'pump': {'pressure': 'p_supply'}}.get(part['id'], {}))
        path = Path(folder) / 'named.hydrolink'
        path.write_text(json.dumps(model), encoding='utf-8')
        answer('report', path, '--out', Path(folder) / 'out', '--t-end', '0.01')
        page = (Path(folder) / 'out' / 'report.md').read_text(encoding='utf-8')
        for row in ('| `bore` | 0.08 | 1 | |', '| `p_supply` | 7600000 | Pa | `7.6 MPa` |',
                    '| `cyl.rod_diameter` | 0.035 | m | `bore*7/16` |', '| `pump.pressure` | 7600000 | Pa | `p_supply` |'):
            if row not in page.splitlines():
                raise AssertionError(f'{row} is not on the page')


def test_report_examples():
    """report on every example: whatever the model, the page says what could not be computed"""
    for path in tap.share(sorted(EXAMPLES.glob('*.hydrolink'))):
        with tempfile.TemporaryDirectory() as folder:
            result = run('report', path, '--out', folder, '--t-end', '0.05')
            page = (Path(folder) / 'report.md').read_text(encoding='utf-8')
            equal(result.returncode, 1 if 'Not computed' in page else 0, path.name)


# ---- messages and exit statuses ----------------------------------------------------------------------

def changed(folder, change):
    """The four-bar with one change, as a file."""
    model = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
    change(model)
    path = Path(folder) / 'changed.hydrolink'
    path.write_text(json.dumps(model), encoding='utf-8')
    return path


def element(model, table_name, name):
    return next(one for one in model[table_name] if one['id'] == name)


def test_formulas():
    """units, formulas and named parameters, in a file and behind --set, give the eigenvalues of the numbers"""
    def name_sizes(model):
        model['parameters'] = {'bore': 0.08, 'rod': 'bore*7/16', 'p_supply': '7.6 MPa'}
        element(model, 'components', 'cyl').update(piston_diameter='bore', rod_diameter='rod')
        element(model, 'components', 'pump').update(pressure='p_supply')

    def eigenvalues(*line):
        return nonzero(json.loads(answer('linearize', *line, '--json')))

    with tempfile.TemporaryDirectory() as folder:
        path = changed(folder, name_sizes)
        equal(answer('validate', path), '', 'validate')
        plain = eigenvalues(FOUR_BAR, '--set', 'cyl.piston_diameter=0.1', '--set', f'cyl.rod_diameter={0.1 * 7 / 16!r}')
        for setting in ('bore=0.1', 'bore=100 mm', 'bore=2*5 cm'):
            equal(eigenvalues(path, '--set', setting), plain, setting)
        equal(eigenvalues(FOUR_BAR, '--set', 'cyl.piston_diameter=100 mm', '--set', f'cyl.rod_diameter={0.1 * 7 / 16!r}'), plain,
              'a unit on the line')
        rows = list(csv.reader(answer('root-locus', path, '--parameter', 'bore', '--from', '0.08', '--to', '0.1', '--points',
                                      '2').splitlines()))
        near(sum(map(float, rows[2][1::2])), sum(re for re, _ in plain), 1e-6 * abs(sum(re for re, _ in plain)), 'root locus')
        for setting, says in (('bore=2 bar', 'cyl'), ('boer=1', 'bore'), ('bore=rod', 'bore → rod → bore'), ('bore=80 mm+1 bar', 'cannot add'),
                              ('link2.mass=kg', 'write 1 kg'), ('bore=80 mm + mm', 'write 1 mm')):
            failed = run('linearize', path, '--set', setting)
            equal(failed.returncode, 2, setting)
            if says not in failed.stderr:
                raise AssertionError(f'{setting}: {failed.stderr!r} does not tell of {says}')


BAD_MODELS = {
    'a newer version': (lambda m: m.update(version=99), 'version'),
    'no format': (lambda m: m.update(format='other'), 'format'),
    'an unknown body in a joint': (lambda m: element(m, 'joints', 'jC').update(b='link9.C'), 'jC'),
    'a unit without a number': (lambda m: element(m, 'bodies', 'link3').update(mass='kg'), 'link3.mass'),
    'a negative mass': (lambda m: element(m, 'bodies', 'link3').update(mass=-8), 'link3.mass'),
    'a number that is not finite': (lambda m: element(m, 'bodies', 'link3').update(mass=math.nan), 'line 1'),
    'a linkage that cannot be assembled':
        (lambda m: m['ground']['points'].update(O2=[100, 0]), 'assembled'),
    'a cylinder out of its stroke': (lambda m: element(m, 'components', 'cyl').update(stroke=0.1), 'cyl'),
    'a line without volume': (lambda m: element(m, 'lines', 'V1').update(volume=0), 'V1'),
    'an unknown kind': (lambda m: element(m, 'components', 'throttle').update(kind='magic'), 'magic'),
    'an id that is there twice': (lambda m: element(m, 'bodies', 'link3').update(id='link2'), 'link2'),
    'an unknown port': (lambda m: element(m, 'lines', 'V1').update(ports=['dcv.X', 'throttle.A']), 'V1.ports'),
}


def test_bad_files():
    """bad files: status 2, one clear message that names the element, on every command that computes"""
    with tempfile.TemporaryDirectory() as folder:
        for name, (change, word) in BAD_MODELS.items():
            path = changed(folder, change)
            result = run('validate', path)
            equal(result.returncode, 2, f'{name}: validate')
            lines = result.stdout.splitlines()
            if not lines or any(not line.startswith(f'{path}: ') for line in lines) or not any(word in line for line in lines):
                raise AssertionError(f'{name}: {result.stdout!r} does not speak of {word!r}')
            for command in ('equilibrium', 'linearize', 'simulate'):
                result = run(command, path)
                equal((result.returncode, result.stdout), (2, ''), f'{name}: {command}')
                if word not in result.stderr:
                    raise AssertionError(f'{name}: {command} says {result.stderr!r}')


def test_unreadable_files():
    """missing files, folders and text that is no JSON: status 2 and a message"""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / 'text.hydrolink'
        text.write_text('{"format": "hydrolink", "version": 1,}', encoding='utf-8')
        double = Path(folder) / 'double.hydrolink'
        double.write_text('{"format": "hydrolink", "version": 1, "name": "a", "name": "b"}', encoding='utf-8')
        binary = Path(folder) / 'binary.hydrolink'
        binary.write_bytes(bytes(range(256)))
        empty = Path(folder) / 'empty.hydrolink'
        empty.write_text('', encoding='utf-8')
        for path in (Path(folder) / 'missing.hydrolink', folder, text, double, binary, empty):
            for command in ('validate', 'simulate'):
                result = run(command, path)
                equal(result.returncode, 2, f'{command} {path}')
                said = result.stdout + result.stderr
                if str(path) not in said or len(said.splitlines()) != 1:
                    raise AssertionError(f'{command} {path}: {said!r}')


def test_sound_files():
    """validate says nothing of the examples"""
    for path in sorted(EXAMPLES.glob('*.hydrolink')):
        result = run('validate', path)
        equal((result.returncode, result.stdout), (0, ''), path.name)


def test_unknown_is_kept():
    """unknown keys are no problem"""
    with tempfile.TemporaryDirectory() as folder:
        path = changed(folder, lambda m: (m.update(my_notes={'a': 1}), element(m, 'bodies', 'link3').update(colour='red')))
        result = run('validate', path)
        equal((result.returncode, result.stdout), (0, ''), 'validate')
        equal(answer('equilibrium', path, '--json'), answer('equilibrium', FOUR_BAR, '--json'), 'equilibrium')


def test_usage():
    """bad usage: status 2, a hint, nothing on standard output"""
    cases = [
        (['simulat', FOUR_BAR], 'simulate'), (['--bogus'], '--help'), (['simulate'], 'FILE'),
        (['simulate', FOUR_BAR, '--tend', '1'], '--t-end'), (['simulate', FOUR_BAR, '--t-end'], '--t-end S'),
        (['simulate', FOUR_BAR, '--t-end', '-1'], 'greater than 0'), (['simulate', FOUR_BAR, '--t-end', 'nan'], 'nan'),
        (['simulate', FOUR_BAR, '--every', '0,01'], 'point'), (['simulate', FOUR_BAR, '--every', '0x1'], '0x1'),
        (['simulate', FOUR_BAR, TRAILER], 'one file'), (['simulate', FOUR_BAR, '--model', 'magic'], 'hybrid'),
        (['simulate', FOUR_BAR, '--formulation', 'discrete', '--model', 'lumped'], 'baumgarte'),
        (['simulate', FOUR_BAR, '--beta', '1'], 'baumgarte'), (['simulate', FOUR_BAR, '--integrator', 'euler'], 'radau'),
        (['simulate', FOUR_BAR, '--formulation', 'baumgarte', '--gamma', '-1'], 'negative'),
        (['simulate', EXAMPLES / 'metering-arm.hydrolink', '--model', 'quasistatic', '--formulation', 'discrete', '--integrator', 'bdf'], 'relaxed'),
        (['simulate', FOUR_BAR, '--t-end', '1', '--t-end', '2'], 'twice'),
        (['linearize', FOUR_BAR, '--json=1'], 'no value'), (['linearize', FOUR_BAR, '--at', 'somewhere'], 'somewhere'),
        (['linearize', FOUR_BAR, '--at', '-1'], 'before'),
        (['linearize', FOUR_BAR, '--set', 'link2.mas=1'], 'link2.mass'), (['linearize', FOUR_BAR, '--set', 'link2.mass'], '='),
        (['linearize', FOUR_BAR, '--set', 'link2.mass=-1'], 'link2.mass'), (['linearize', FOUR_BAR, '--set', 'cyl.force=1'], 'run'),
        (['linearize', FOUR_BAR, '--parameter-set', 'nothing'], 'Overdamped'),
        (['root-locus', FOUR_BAR, '--parameter', SCALE, '--from', '0'], '--to'),
        (['root-locus', FOUR_BAR, '--parameter', SCALE, '--from', '0', '--to', '1', '--scale', 'log'], 'above 0'),
        (['root-locus', FOUR_BAR, '--parameter', 'link2.mass', '--from', '-1', '--to', '1'], 'link2.mass'),
        (['root-locus', FOUR_BAR, '--parameter', SCALE, '--from', '0', '--to', '1', '--points', '0'], '--points'),
        (['root-locus', FOUR_BAR, '--parameter', SCALE, '--from', '0', '--to', '1', '--within', '0'], '--within'),
        (['sweep', FOUR_BAR, '--parameter', SCALE, '--measure', 'max:phi2'], 'PATH=LIST'),
        (['sweep', FOUR_BAR, '--parameter', f'{SCALE}=1', '--measure', 'mean:phi2'], 'rms'),
        (['sweep', FOUR_BAR, '--parameter', f'{SCALE}=1', '--measure', 'max:phi9'], 'phi9'),
        (['sweep', FOUR_BAR, '--parameter', f'{SCALE}=1', '--measure', 'max:phi2', '--shard', '0/4'], '1/4'),
        (['sweep', FOUR_BAR, '--parameter', f'{SCALE}=1:2', '--measure', 'max:phi2'], 'A:B:N'),
        (['quasistatic', FOUR_BAR, '--actuator', 'cyl'], '--velocity'),
        (['quasistatic', FOUR_BAR, '--actuator', 'dcv', '--velocity', '0'], 'cylinder'),
        (['quasistatic', FOUR_BAR, '--actuator', 'cyl', '--beta', '1'], '--fbar'),
        (['quasistatic', FOUR_BAR, '--actuator', 'cyl', '--velocity=-0.1,0', '--with', 'cyl=a'], '--with'),
        (['modes', FOUR_BAR, '--closed', 'nothing'], 'nothing'), (['modes', FOUR_BAR, '--stop', 'cyl'], 'lower'),
        (['modes', EXAMPLES / 'hydrostatic-wheel.hydrolink', '--stop', 'motor:upper'], 'has no stop'),
        (['report', FOUR_BAR], '--out'), (['screenshot', FOUR_BAR], '--out'),
        (['screenshot', FOUR_BAR, '--out', 'a.png', '--size', '10'], '1280x800'), (['thumbnail', FOUR_BAR], '--out'),
        (['thumbnail', FOUR_BAR, '--out', 'a', '--size', '5000'], '--size'),
        (['thumbnail', '/no/such', '--out', 'a'], '/no/such'),
        # what works on no model takes nothing that changes one
        *[([command, '--out', '/no/such/a', option, 'x'], option) for command in ('reproduce', 'help') for option in
          ('--parameter-file', '--parameter-set', '--set')],
    ]
    for line, word in cases:
        result = run(*line)
        equal((result.returncode, result.stdout), (2, ''), str(line))
        if word not in result.stderr or len(result.stderr.splitlines()) != 1:
            raise AssertionError(f'{line}: {result.stderr!r} does not say {word!r} on one line')


MODE_NAMES = {'relief': 'relief_pipe', 'dump': 'dump_pipe', 'x1': 'mass1.vx', 'x2': 'mass2.vx'}
MODE_STOPS = {'x1': 'cyl1', 'x2': 'cyl2'}
MODE_ENDS = {'lo': 'lower', 'hi': 'upper'}


def mode_column(name):
    """P:J0, F:x2:lo and D:relief as the program names them"""
    kind, _, rest = name.partition(':')
    if kind == 'F':
        piston, end = rest.split(':')
        return f'F:{MODE_STOPS[piston]}:{MODE_ENDS[end]}'
    return f'{kind}:{MODE_NAMES.get(rest, rest)}' if kind == 'D' else name


def test_modes():
    """modes: matrix, rank, independent states and reduced equations of every golden mode of the two cylinders"""
    model = EXAMPLES / 'hybrid-two-cylinders.hydrolink'
    met = 0
    for case in golden('hybrid.json')['mode_cases']:
        if case['system'] != 'two_cylinders':
            continue
        options = []
        for item in case['mode']:
            piston, _, end = item.partition(':')
            options += ['--stop', f'{MODE_STOPS[piston]}:{MODE_ENDS[end]}'] if end else ['--closed', MODE_NAMES.get(item, item)]
        got = json.loads(answer('modes', model, *(options or ['--closed', 'pump']), '--json'))
        what = f'mode {case["mode"]}'
        equal(got['status'], case['status'], what)
        equal(got['constraints'], [mode_column(name) for name in case['constraints']], what)
        if case['status'] == 'infeasible':
            continue
        equal(got['rank'], case['rank'], what)
        equal(got['states'], [MODE_NAMES.get(name, name) for name in case['states']], what)
        equal(got['independent'], [MODE_NAMES.get(name, name) for name in case['independent']], what)
        for key, mine in (('W', 'W'), ('alpha', 'alpha'), ('Mr', 'mass')):
            for row, want_row in zip(got[mine], case[key]):
                for value, want in zip(row, want_row):
                    near(value, want, 1e-9 * max(1.0, abs(want)), f'{what} {key}')
        met += 1
    if met < 6:
        raise AssertionError(f'only {met} modes were compared')


def test_failed_work():
    """a dead point: no equilibrium is status 1; an unstable system is a result"""
    with tempfile.TemporaryDirectory() as folder:
        path = changed(folder, lambda m: element(m, 'components', 'cyl').update(base='ground.O1'))
        result = run('equilibrium', path)
        equal((result.returncode, result.stdout), (1, ''), 'a cylinder without lever arm')
        if 'cyl' not in result.stderr:
            raise AssertionError(result.stderr)
        out = Path(folder) / 'no' / 'such' / 'folder.csv'
        equal(run('simulate', FOUR_BAR, '--t-end', '0.01', '--out', out).returncode, 1, 'cannot be written')
        falling = changed(folder, lambda m: m.update(gravity=[0, 9.81]))
        equal(run('linearize', falling).returncode, 0, 'turned upside down')


def column_of(path, name):
    """(t, value) of a column of a CSV file."""
    with open(path, encoding='utf-8') as file:
        header, *rows = csv.reader(file)
    at = next(k for k, title in enumerate(header) if title.split(' [')[0] == name)
    return [(float(row[0]), float(row[at])) for row in rows]


def test_cavitation():
    """pockets of vapour: a warning with line, time and pressure by simulate, sweep and report, and the ledger; status 0"""
    slider = EXAMPLES / 'slider-crank.hydrolink'
    onset, words = 1e3, re.compile(r'Line ‘A’: a vapour cavity opens in the line at t = (\S+) s, '
                                   r'and its pressure falls to (\S+) (Pa) at t = (\S+) s')
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / 'rows.csv'
        result = run('simulate', slider, '--t-end', '0.05', '--every', '1e-5', '--out', table)
        equal(result.returncode, 0, 'the run is a result')
        # what the rows say themselves
        rows = column_of(table, 'pA')
        opens = next(k for k, (_, p) in enumerate(rows) if p < onset)
        lowest = min(rows, key=lambda row: row[1])
        run('report', slider, '--t-end', '0.05', '--out', folder)
        page = (Path(folder) / 'report.md').read_text(encoding='utf-8')
        for where, text, begins in (('stderr', result.stderr, 'warning: '), ('report.md', page, '**Warning.** ')):
            # the page has powers of ten as people write them
            text = re.sub(r'·10([⁻⁰¹²³⁴-⁹]+)', lambda m: 'e' + m[1].translate(str.maketrans('⁻⁰¹²³⁴⁵⁶⁷⁸⁹', '-0123456789')), text)
            told = words.search(text)
            if told is None or not text[:told.start()].endswith(begins):
                raise AssertionError(f'{where} does not warn of line, time and pressure: {text!r}')
            since, falls, _, when = told.groups()
            if not rows[opens - 1][0] <= float(since) <= rows[opens][0]:
                raise AssertionError(f'{where}: opens at {since}, by the rows at {rows[opens][0]}')
            near(float(falls), lowest[1], 1e-3 * lowest[1], f'{where}: the lowest pressure')
            near(float(when), lowest[0], 1e-3 * lowest[0], f'{where}: when it is lowest')
        if 'note: t = ' not in result.stderr:
            raise AssertionError(f'{result.stderr!r} has no ledger')
        equal(result.stderr.count('‘A’'), 1, 'once a line')
    probe = json.loads(slider.read_text(encoding='utf-8'))['probes'][0]['id']
    result = run('sweep', slider, '--t-end', '0.05', '--parameter', 'fluid.density=850,860', '--measure', f'last:{probe}')
    equal((result.returncode, result.stderr.count('warning')), (0, 2), result.stderr)
    if '2 of 2 combinations' not in result.stderr:
        raise AssertionError(result.stderr)
    equal(run('simulate', FOUR_BAR, '--t-end', '0.01').stderr, '', 'nothing pulls there')


def test_cavitation_at_rest():
    """an equilibrium in which oil would have to pull is none: each study says so of the line; none says it of another start"""
    # a load pulls at a piston with one chamber shut in: p_H = (p_tank A_r - F) / A = -2.45 MPa
    model = {'format': 'hydrolink', 'version': 1, 'name': 'pulled', 'gravity': [0, 0],
             'fluid': {'bulk_modulus': 1.4e9, 'density': 870}, 'ground': {'points': {'b': [-1, 0], 'g': [0, 0]}},
             'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 200, 'inertia': 1, 'pose': [0.1, 0, 0]}],
             'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}],
             'loads': [{'id': 'F', 'kind': 'force', 'point': 'm.p', 'direction': [1, 0], 'signal': 6000}],
             'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},
                            {'id': 'out', 'kind': 'throttle', 'Cd': 0.6, 'area': 5e-5},
                            {'id': 'c', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', 'piston_area': 2.4e-3,
                             'rod_side_area': 1.2e-3, 'stroke': 1, 'c1': 1}],
             'lines': [{'id': 'T', 'ports': ['tank.T', 'out.B'], 'volume': 1e-4, 'pressure': 1e5},
                       {'id': 'R', 'ports': ['out.A', 'c.B'], 'volume': 1e-4, 'pressure': 1e5},
                       {'id': 'H', 'ports': ['c.A'], 'volume': 1e-4, 'pressure': 1e5}]}
    with tempfile.TemporaryDirectory() as folder:
        resting, pulling = (Path(folder) / f'{name}.hydrolink' for name in ('resting', 'pulling'))
        for path, start in ((resting, 'equilibrium'), (pulling, 'as-given')):
            path.write_text(json.dumps({**model, 'simulation': {'start': start}}), encoding='utf-8')
        for command in (('equilibrium',), ('linearize',), ('sensitivity', '--parameter', 'fluid.density'),
                        ('root-locus', '--parameter', 'fluid.density', '--from', 850, '--to', 860, '--points', 3),
                        ('stability-map', '--x', 'fluid.density=850,860', '--y', 'fluid.bulk_modulus=1e9,2e9'),
                        ('frequency-response', '--input', 'F.signal', '--output', 'm.x')):
            result = run(command[0], resting, *map(str, command[1:]))
            equal((result.returncode, result.stderr.count('Line ‘H’: the oil of this line would be under tension')), (1, 1),
                  f'{command}: {result.stderr}')
            equal(run(command[0], pulling, *map(str, command[1:])).stderr.count('would be under tension'), command[0] == 'equilibrium',
                  f'{command} as the file starts')


def test_no_display():
    """screenshot without a display: status 1 and a hint; a file that is not there: status 2"""
    with tempfile.TemporaryDirectory() as folder:
        result = run('screenshot', FOUR_BAR, '--out', Path(folder) / 'window.png')
        equal(result.returncode, 1, 'status')
        if 'display' not in result.stderr:
            raise AssertionError(result.stderr)
        equal(run('screenshot', Path(folder) / 'no.hydrolink', '--out', Path(folder) / 'window.png').returncode, 2, 'no file')


def test_help():
    """--help of the program and of every command; --version"""
    page = answer('--help')
    for command in COMMANDS + FILELESS:
        if f'\n  {command} ' not in page:
            raise AssertionError(f'{command} is not in --help')
        own = answer(command, '--help')
        needed = (f'hydrolink {command} FILE', '--set PATH=VALUE', '--parameter-set NAME', '--help')
        for word in (f'hydrolink {command} --', '--help') if command in FILELESS else needed:
            if word not in own.replace('[--', '--'):
                raise AssertionError(f'{word!r} is not in {command} --help')
        equal(answer('help', command), own, f'help {command}')
        if 'LIST' in own and 'A LIST is A:B:N' not in own:
            raise AssertionError(f'{command} --help leaves LIST unexplained')
        if max(map(len, own.splitlines())) > 100:
            raise AssertionError(f'{command} --help is wider than 100 characters')
    if not answer('--version').startswith('hydrolink '):
        raise AssertionError('--version')
    equal([answer('-V'), answer('version')], [answer('--version')] * 2)


def test_paths():
    """paths: every number that may be set or recorded, with value, unit and meaning; by patterns"""
    head, *rows = csv.reader(io.StringIO(answer('paths', FOUR_BAR)))
    equal(head, ['path', 'use', 'value', 'unit', 'meaning'])
    listed = {row[0]: row[1:] for row in rows}
    equal(len(listed), len(rows), 'a path twice')
    model = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
    coulomb = next(c for c in model['components'] if c['id'] == 'cyl')['friction']['Fc']
    equal(listed['cyl.friction.Fc'], ['set', str(coulomb), 'N', 'Coulomb force F_c of cyl'])
    equal(listed['cyl.friction_force'][:3], ['record', '', 'N'])
    equal(listed['dcv.spool'][0], 'set, record')
    equal([probe['of'] for probe in model['probes'] if 'record' not in listed[probe['of']][0]], [], 'probes')
    for path, (use, value, unit, _) in listed.items():
        if use == 'set' and value and path.startswith('cyl.friction'):
            answer('validate', FOUR_BAR, '--set', f'{path}={value}')
        equal(bool(unit), True, path)
    some = {row[0] for row in csv.reader(io.StringIO(answer('paths', FOUR_BAR, 'friction', 'dcv.*')))} - {'path'}
    equal(some, {path for path in listed if 'friction' in path or path.startswith('dcv.')})
    equal({p['path'] for p in json.loads(answer('paths', FOUR_BAR, 'friction', 'dcv.*', '--json'))['paths']}, some)
    equal(run('paths', FOUR_BAR, 'nosuch').returncode, 1)


def test_streams():
    """- is standard input and standard output; a time may have a unit"""
    plain = answer('simulate', FOUR_BAR, '--t-end', '0.05', '--every', '0.025')
    equal(answer('simulate', FOUR_BAR, '--t-end', '50 ms', '--every', '25ms', '--out', '-'), plain)
    piped = subprocess.run([PROGRAM, 'simulate', '-', '--t-end', '50 ms', '--every', '0.025'], input=FOUR_BAR.read_text(encoding='utf-8'),
                           capture_output=True, check=True, encoding='utf-8')
    equal(piped.stdout, plain)
    for text, why in (('{', 'standard input: '), ('{"a": "\0"}', 'standard input: this is not a model file')):
        broken = subprocess.run([PROGRAM, 'simulate', '-'], input=text, capture_output=True, check=False, encoding='utf-8')
        equal((broken.returncode, why in broken.stderr), (2, True), broken.stderr)
    for value, why in (('5 bar', 'is not a unit of time'), ('-50 ms', 'must be greater than 0'), ('0x10', 'not a finite number')):
        result = run('simulate', FOUR_BAR, f'--t-end={value}')
        equal((result.returncode, why in result.stderr), (2, True), result.stderr)


def test_endings():
    """results go to CSV, MAT and NumPy files by their ending, and to no other"""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answer('simulate', FOUR_BAR, '--t-end', 0.05, '--out', folder / 'run.npz')
        answer('simulate', FOUR_BAR, '--t-end', 0.05, '--out', folder / 'run.csv')
        _, rows = table((folder / 'run.csv').read_text(encoding='utf-8'))
        with zipfile.ZipFile(folder / 'run.npz') as archive:
            arrays = {entry.removesuffix('.npy'): archive.read(entry) for entry in archive.namelist()}
        equal(sorted(arrays), ['names', 'p1', 'p2', 'p3', 'phi2', 't', 'units'])
        for k, column in enumerate(('t', 'phi2', 'p1', 'p2', 'p3')):
            data = arrays[column]
            equal(data[:8], b'\x93NUMPY\x01\x00')
            length = int.from_bytes(data[8:10], 'little')
            equal(((10 + length) % 64, data[9 + length:10 + length]), (0, b'\n'))
            equal(data[10:10 + length].decode().strip(), f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)},), }}")
            equal(list(struct.unpack(f'<{len(rows)}d', data[10 + length:])), [row[k] for row in rows])
        units = arrays['units'][-4 * 5 * 3:].decode('utf-32-le')  # five texts of three letters
        equal([units[at:at + 3].rstrip('\0') for at in range(0, 15, 3)], ['s', 'rad', 'Pa', 'Pa', 'Pa'])
        for ending in ('.h5', '.xlsx', '.parquet'):
            result = run('simulate', FOUR_BAR, '--t-end', 0.05, '--out', folder / f'run{ending}')
            equal((result.returncode, f'‘{ending}’' in result.stderr, (folder / f'run{ending}').exists()), (2, True, False), result.stderr)


def rows_of(answer_text):
    """Header and cells of a table as JSON gives it, in the words of the CSV."""
    got = json.loads(answer_text)
    equal(got['complete'], True, 'complete')
    return [(column['name'], column['unit']) for column in got['columns']], got['rows']


def test_json_rows():
    """--json of a table: the names, units and numbers of its CSV, and whether it is complete"""
    sweep = ('sweep', FOUR_BAR, '--parameter', f'{SCALE}=1,0.5', '--parameter', 'cyl.friction.Fc=10,20',
             '--measure', 'max:phi2', '--measure', 'settling:p1', '--t-end', '0.01')
    for command in (('simulate', FOUR_BAR, '--t-end', '0.02'), sweep, (*sweep, '--shard', '2/3')):
        head, rows = table(answer(*command))
        columns, got = rows_of(answer(*command, '--json'))
        equal([f'{name} [{unit}]' for name, unit in columns], head, f'{command[0]}: columns')
        equal(got, rows, f'{command[0]}: rows')
    # a file holds what standard output would; an empty cell is null, texts are texts
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'run.json'
        answer('simulate', FOUR_BAR, '--t-end', '0.02', '--json', '--out', out)
        equal(out.read_text(encoding='utf-8'), answer('simulate', FOUR_BAR, '--t-end', '0.02', '--json'), '--out')
        result = run('simulate', FOUR_BAR, '--json', '--out', Path(folder) / 'run.mat')
        equal((result.returncode, result.stdout), (2, ''), '--json into a MAT file')
    arm = EXAMPLES / 'metering-arm.hydrolink'
    cylinder = next(part['id'] for part in json.loads(arm.read_text(encoding='utf-8'))['components'] if part['kind'] == 'cylinder')
    for line in (('--velocity=-0.1,0,0.1',), ('--beta', '1e5', '--fbar=-1e4,0,1e4')):
        text = list(csv.reader(io.StringIO(answer('quasistatic', arm, '--actuator', cylinder, *line))))
        columns, got = rows_of(answer('quasistatic', arm, '--actuator', cylinder, *line, '--json'))
        equal([name for name, _ in columns], text[0], 'quasistatic: columns')
        for cells, want in zip(got, text[1:], strict=True):
            equal(['' if cell is None else cell if isinstance(cell, str) else float(cell) for cell in cells],
                  [cell if cell in ('', 'o', 'x', 'FhM', 'FrM') else float(cell) for cell in want], 'quasistatic: row')


def test_json_incomplete():
    """--json of a run or a sweep that breaks off is a whole object that says so"""
    result = run('simulate', FOUR_BAR, '--json', '--max-steps', '200')
    equal(result.returncode, 1, 'status of a run without steps')
    got = json.loads(result.stdout)
    equal(got['complete'], False, 'complete')
    if not 1 < len(got['rows']) < 4001:
        raise AssertionError(f'{len(got["rows"])} rows')
    result = run('sweep', FOUR_BAR, '--parameter', f'{SCALE}=1,2', '--measure', 'last:phi2', '--max-steps', '20', '--json')
    equal(result.returncode, 1, 'status of a sweep whose rows fail')
    got = json.loads(result.stdout)
    equal((got['complete'], got['rows']), (False, [[1, None], [2, None]]), 'a sweep whose rows fail')


def test_help_of_parts():
    """help --out writes a page for every part, each with formulas or properties and no broken link"""
    with tempfile.TemporaryDirectory() as folder:
        told = json.loads(answer('help', '--out', Path(folder) / 'pages', '--json'))
        pages = sorted(page for page in (Path(folder) / 'pages').glob('*.html') if page.name != 'index.html')
        equal(len(pages), told['pages'], 'pages')
        index = Path(told['index']).read_text(encoding='utf-8')
        for page in pages:
            if f'href="{page.name}"' not in index:
                raise AssertionError(f'{page.name} is not in the index')
            for name in re.findall(r'(?:src|href)="([^"]+)"', page.read_text(encoding='utf-8')):
                if not (page.parent / name).is_file():
                    raise AssertionError(f'{page.name}: {name} is not there')
        equal(run('help', '--out', pages[0]).returncode, 1, 'a folder that is a file')
    equal(run('help', '--wrong').returncode, 2, 'an option that it does not know')


def test_json_of_all():
    """every command knows --json; validate tells all findings, report and screenshot what they wrote"""
    for command in COMMANDS + FILELESS:
        if '--json' not in answer(command, '--help'):
            raise AssertionError(f'{command} has no --json')
    sound = json.loads(answer('validate', FOUR_BAR, '--json'))
    equal((sound['sound'], [f['severity'] for f in sound['findings']], [f['oil'] for f in sound['findings']]),
          (True, ['note', 'note'], ['quasistatic', 'quasistatic']), 'no problems')
    with tempfile.TemporaryDirectory() as folder:
        bad = Path(folder) / 'bad.hydrolink'
        model = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
        model['bodies'][0]['mass'] = -1
        bad.write_text(json.dumps(model), encoding='utf-8')
        plain, told = run('validate', bad), run('validate', bad, '--json')
        equal((plain.returncode, told.returncode), (2, 2), 'status of a broken model')
        found = [f for f in json.loads(told.stdout)['findings'] if f['severity'] == 'error']
        equal(len(found), len(plain.stdout.splitlines()), 'problems')
        equal(plain.stdout.splitlines()[0], f'{bad}: {found[0]["path"]}: {found[0]["message"]}; {found[0]["advice"]}', 'problem')
        bad.write_text('{', encoding='utf-8')
        told = run('validate', bad, '--json')
        equal((told.returncode, json.loads(told.stdout)['sound']), (2, False), 'a file that is cut off')
        report = json.loads(answer('report', FOUR_BAR, '--t-end', '0.01', '--out', folder, '--json'))
        for name in report['tables'] + [f'{stem}.svg' for stem in report['plots'] + report['drawings']]:
            if not (Path(folder) / name).is_file():
                raise AssertionError(f'{name} was not written')
        equal(report['report'], str(Path(folder) / 'report.md'), 'report')
        equal(report['linear_model'], json.loads(answer('linearize', FOUR_BAR, '--json')), 'linear model')
        equal(report['run']['t_reached'], 0.01, 'end of the run')


def motion_model(folder, joints, velocity):
    """A body on joints of its own with a cylinder without oil of the linkage's."""
    path = Path(folder) / 'motion.hydrolink'
    path.write_text(json.dumps({
        'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0]}},
        'bodies': [{'id': 'wall', 'mass': 10, 'inertia': 1, 'pose': [0.3, 0, 0], 'velocity': velocity,
                    'points': {'O': [0, 0], 'P': [-0.3, 0]}}],
        'joints': joints,
        'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'wall.O', 'piston_area': 1e-3,
                        'rod_side_area': 5e-4, 'stroke': 0.4, 'c1': 0.1}, {'id': 'tank', 'kind': 'tank'}],
        'lines': [{'id': 'T', 'ports': ['tank.T', 'cyl.A', 'cyl.B']}],
        'simulation': {'start': 'as-given'}}), encoding='utf-8')
    return path


def test_motion_of_the_start():
    """validate: a driven body is not told to lose a joint; a start velocity that joints do not allow is told with what it becomes"""
    guide = {'id': 'g', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'wall.O', 'axis': 0, 'angle': 0}
    drive = {'id': 'drv', 'kind': 'drive-length', 'a': 'ground.O', 'b': 'wall.O',
             'signal': {'kind': 'sine', 'amplitude': 0.02, 'frequency_hz': 1, 'offset': 0.3}}
    with tempfile.TemporaryDirectory() as folder:
        for joints, velocity, said in (([guide, drive], [0, 0, 0], None), ([guide], [2, 0, 0], None),
                                       ([guide], [3, 4, 0], '(3, 0, 0)')):
            result = run('validate', motion_model(folder, joints, velocity))
            told = result.stdout + result.stderr
            equal([word for word in ('remove a joint', 'moves nothing', 'dead point') if word in told], [], told)
            equal('wall.velocity' in told, said is not None, told)
            equal(said is None or said in told, True, told)


def test_oil_of_an_accumulator_alone():
    """validate: a line whose only oil is that of an accumulator is reported: it has none while the accumulator is empty; hose volume mends it"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'store.hydrolink'
        for volume, others, told in ((0, [], 1), (1e-5, [], 0), (0, ['tank.T'], 0)):
            path.write_text(json.dumps({
                'format': 'hydrolink', 'version': 1,
                'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': 1e-4, 'relief_pressure': 2e7},
                               {'id': 'acc', 'kind': 'accumulator', 'volume': 1e-3, 'precharge': 5e6}, {'id': 'tank', 'kind': 'tank'}],
                'lines': [{'id': 'L', 'ports': ['pump.P', 'acc.A', *others], 'volume': volume, 'pressure': 6e6}]}), encoding='utf-8')
            result = run('validate', path)
            equal((result.returncode, result.stderr.count('the only oil of the line is that of accumulator ‘acc’')), (0, told), result.stderr)


def option_names(text):
    return set(re.findall(r'(?<!-)--[a-z][a-z-]*', text))


def test_manual():
    """every option of --help is in the manual page, and the other way round"""
    manual = (EXAMPLES.parent / 'hydrolink.1.in').read_text(encoding='utf-8').replace('\\-', '-')
    pages = [answer('--help'), *(answer(command, '--help') for command in COMMANDS + FILELESS + ('study', 'fit', 'optimize', 'export-fmu'))]
    here = set().union(*map(option_names, pages))
    equal(sorted(here - option_names(manual) - {'--version'}), [], 'options that the manual page lacks')
    equal(sorted(option_names(manual) - here), [], 'options that only the manual page has')
    equal([command for command in COMMANDS + FILELESS if command not in manual.replace('"', '')], [], 'commands that it lacks')


TESTS = [value for name, value in list(globals().items()) if name.startswith('test_')]


if __name__ == '__main__':
    sys.exit(tap.report(TESTS))
