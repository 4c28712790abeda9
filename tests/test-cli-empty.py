#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machines in which something is missing, each alone and together: no input, no probe, no volume of oil, no body that moves.
Every command answers in text, CSV and JSON, or refuses and says what is missing; what there is has its closed form. TAP.

Environment: HL_PROGRAM.
"""

import csv
import io
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
MASS, STIFFNESS, DAMPING = 3.0, 700.0, 11.0
BULK, VOLUME, RESISTANCE = 1e9, 1e-3, 1e9
AWAY, HIGHER = 0.1, 5e5  # where the mass starts, and the oil
KINDS = list(itertools.product((False, True), repeat=4))
# For the commands that say the same of a pair as of its halves: nothing, one of them, all.
FEW_KINDS = [kind for kind in KINDS if sum(kind) in (0, 1, 4)]
SWEPT = ['--parameter', 'gravity.y', '--from', '-10', '--to', '-5', '--points', '3']


def run(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=60, encoding='utf-8')
    if result.returncode not in (0, 1, 2):
        raise AssertionError(f'{arguments}: status {result.returncode}: {result.stderr}')
    return result


def answer(*arguments):
    result = run(*arguments)
    equal((result.returncode, result.stderr), (0, ''), arguments)
    return result.stdout


def answer_json(*arguments):
    return json.loads(answer(*arguments, '--json'))


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def near(got, want, tolerance, what):
    if not abs(got - want) <= tolerance:
        raise AssertionError(f'{what}: {got!r}, expected {want!r} within {tolerance:.1e}')


def same_matrix(got, want, what):
    equal([len(row) for row in got], [len(row) for row in want], f'{what}, its shape')
    for row, (ours, theirs) in enumerate(zip(got, want)):
        for column, (a, b) in enumerate(zip(ours, theirs)):
            near(a, b, 1e-9 * abs(b), f'{what}, row {row}, column {column}')


class Machine:
    """has_input, has_probe, has_oil (a volume that empties through a pipe), moves (a mass on a spring); all of it at rest, or
    let go."""

    def __init__(self, folder, kind, at_rest):
        self.away, self.higher = (0, 0) if at_rest else (AWAY, HIGHER)
        self.has_input, self.has_probe, self.has_oil, self.moves = kind
        self.path = Path(folder) / ('machine-' + ''.join('01'[part] for part in kind) + '.hydrolink')
        self.path.write_text(json.dumps(self.document()), encoding='utf-8')
        self.name = f'input {kind[0]:d}, probe {kind[1]:d}, oil {kind[2]:d}, body {kind[3]:d}'

    def document(self):
        """Nothing is written that is empty: a file without lines has no list of lines."""
        document = {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],
                    'simulation': {'t_end': 0.02, 'every': 0.01, 'rtol': 1e-9, 'start': 'as-given'}}
        if self.moves:
            document.update(
                ground={'points': {'O': [0, 0]}},
                bodies=[{'id': 'm', 'points': {'p': [0, 0]}, 'mass': MASS, 'inertia': 1, 'pose': [1 + self.away, 0, 0]}],
                joints=[{'id': 'j', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'm.p', 'axis': 0}],
                loads=[{'id': 'k', 'kind': 'spring', 'a': 'ground.O', 'b': 'm.p', 'stiffness': STIFFNESS, 'free_length': 1,
                        'damping': DAMPING}])
            if self.has_input:
                document['loads'].append({'id': 'f', 'kind': 'force', 'point': 'm.p', 'direction': [1, 0], 'signal': 0})
        if self.has_oil or (self.has_input and not self.moves):
            document['fluid'] = {'bulk_modulus': BULK}
            tank = {'id': 'T', 'ports': ['tank.T']}
            document.update(components=[{'id': 'tank', 'kind': 'tank', 'pressure': 1e6}], lines=[tank])
            if self.has_oil:
                tank['ports'].append('pipe.B')
                document['components'].append({'id': 'pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-4, 'resistance': RESISTANCE,
                                               'inertia': False})
                document['lines'].append({'id': 'L', 'ports': ['pipe.A'], 'volume': VOLUME, 'pressure': 1e6 + self.higher})
            if self.has_input and not self.moves:
                document['components'].append({'id': 'pump', 'kind': 'flow-source', 'flow': 0})
                document['lines'][-1]['ports'].append('pump.P')
        if self.has_probe:
            document['probes'] = [{'id': 'probe', 'of': 'm.x' if self.moves else 'L.pressure' if self.has_oil else
                                   'energy.kinetic'}]
        return document

    def states(self):
        return ['m.x', 'm.vx'] * self.moves + ['L.pressure'] * self.has_oil

    def inputs(self):
        return ['f.signal' if self.moves else 'pump.flow'] * self.has_input

    def recorded(self):
        """the columns of a run without its time: the probe, else poses and pressures"""
        if self.has_probe:
            return ['probe [m]' if self.moves else 'probe [Pa]' if self.has_oil else 'probe [J]']
        lines = self.has_oil or (self.has_input and not self.moves)
        return ['m.x [m]', 'm.y [m]', 'm.angle [rad]'] * self.moves + ['T.pressure [Pa]'] * lines + ['L.pressure [Pa]'] * self.has_oil

    def jacobian(self):
        rows = [[0, 1], [-STIFFNESS / MASS, -DAMPING / MASS]] if self.moves else []
        if self.has_oil:
            rows = [[*row, 0] for row in rows] + [[0] * len(rows) + [-BULK / (VOLUME * RESISTANCE)]]
        return rows

    def b(self):
        column = [0, 1 / MASS] * self.moves + [0 if self.moves else BULK / VOLUME] * self.has_oil
        return [[entry] * self.has_input for entry in column]

    def eigenvalues(self):
        decay = DAMPING / (2 * MASS)
        swing = math.sqrt(STIFFNESS / MASS - decay * decay)
        return [complex(-decay, swing), complex(-decay, -swing)] * self.moves + [complex(-1000, 0)] * self.has_oil

    def probe(self, t):
        if self.moves:
            decay, swing = DAMPING / (2 * MASS), self.eigenvalues()[0].imag
            return 1 + self.away * math.exp(-decay * t) * (math.cos(swing * t) + decay / swing * math.sin(swing * t))
        return 1e6 + self.higher * math.exp(-1000 * t) if self.has_oil else 0


def machines(at_rest=True, kinds=KINDS):
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            yield Machine(folder, kind, at_rest)


def check_eigenvalues(found, machine, what):
    equal(len(found), len(machine.eigenvalues()), f'{what}: how many')
    for value, want in zip(sorted(found, key=lambda v: (v.real, v.imag)),
                           sorted(machine.eigenvalues(), key=lambda v: (v.real, v.imag))):
        near(value, want, 1e-9 * abs(want), what)


def test_linearize():
    """linearize: states, inputs, J and B of every machine have their closed form, in JSON and on the page"""
    for machine in machines():
        found = answer_json('linearize', machine.path)
        equal((found['states'], found['inputs']), (machine.states(), machine.inputs()), machine.name)
        same_matrix(found['J'], machine.jacobian(), f'{machine.name}: J')
        same_matrix(found['B'], machine.b(), f'{machine.name}: B')
        check_eigenvalues([complex(e['re'], e['im']) for e in found['eigenvalues']], machine, machine.name)
        equal((found['unstable'], found['null'], found['kinks']), (False, {'count': 0, 'blocks': []}, []), machine.name)
        page = answer('linearize', machine.path)
        equal(page.splitlines()[-1], 'Not unstable', machine.name)
        equal(any(line == 'J' for line in page.splitlines()), bool(machine.states()), f'{machine.name}: J on the page')
        equal(('B: ' + ', '.join(machine.inputs())) in page.splitlines(), machine.has_input, f'{machine.name}: B on the page')
        for state in machine.states():
            equal(sum(line.startswith(f'  {state} ') for line in page.splitlines()), 2 if machine.has_input else 1,
                  f'{machine.name}: rows of {state}')


def test_linearize_hybrid():
    """linearize --model hybrid and modes: oil that does not give way has no state of its own, the mass is as in the lumped oil"""
    for machine in machines(kinds=FEW_KINDS):
        found = answer_json('linearize', machine.path, '--model', 'hybrid')
        # a pump's oil has to be set moving: its rate is an input, too
        inputs = [name + mark for name in machine.inputs() for mark in ('', "'")[:1 if machine.moves else 2]]
        equal((found['states'], found['inputs']), (['m.x', 'm.vx'] * machine.moves, inputs), machine.name)
        want = [row[:2] for row in machine.jacobian()[:2]] if machine.moves else []
        equal([len(row) for row in found['J']], [len(row) for row in want], f'{machine.name}: J')
        for ours, theirs in zip(found['J'], want):
            for a, b in zip(ours, theirs):
                near(a, b, 1e-6 * STIFFNESS / MASS, f'{machine.name}: J')
        equal('Not unstable' in answer('linearize', machine.path, '--model', 'hybrid'), True, machine.name)
        equal(answer('modes', machine.path).startswith('ok, '), True, f'{machine.name}: modes')


def test_linear_files():
    """linearize --out: every format is written; the CSV has a row a state and a column a state or input"""
    for machine in machines(kinds=FEW_KINDS):
        for suffix in ('json', 'csv', 'mat', 'm', 'py'):
            out = machine.path.with_suffix('.' + suffix)
            equal(answer('linearize', machine.path, '--out', out), '', f'{machine.name}: {suffix}')
            equal(out.stat().st_size > 0, True, f'{machine.name}: {suffix}')
        sheet = json.loads(machine.path.with_suffix('.json').read_text(encoding='utf-8'))
        same_matrix(sheet['A'], machine.jacobian(), f'{machine.name}: A')
        same_matrix(sheet['B'], machine.b(), f'{machine.name}: B')
        equal([len(row) for row in sheet['C']], [len(machine.states())] * len(machine.recorded()), f'{machine.name}: C')
        equal([len(row) for row in sheet['D']], [len(machine.inputs())] * len(machine.recorded()), f'{machine.name}: D')


def test_simulate():
    """simulate: the probe follows its closed form, without one poses and pressures are written; CSV and JSON hold the same"""
    for machine in machines(at_rest=False):
        rows = list(csv.reader(io.StringIO(answer('simulate', machine.path))))
        equal(rows[0], ['t [s]', *machine.recorded()], f'{machine.name}: header')
        values = [[float(cell) for cell in row] for row in rows[1:]]
        equal([row[0] for row in values], [0, 0.01, 0.02], f'{machine.name}: times')
        for row in values:
            if machine.has_probe:
                want = machine.probe(row[0])
                near(row[1], want, 1e-7 * abs(want), f'{machine.name}: at {row[0]}')
        found = answer_json('simulate', machine.path)
        equal((found['rows'], found['complete']), (values, True), f'{machine.name}: JSON')
        equal(run('simulate', machine.path, '--model', 'hybrid').returncode, 0, f'{machine.name}: hybrid')


def test_equilibrium():
    """equilibrium: the mass rests where the spring is slack, the oil at the pressure of the tank"""
    for machine in machines(at_rest=False):
        found = answer_json('equilibrium', machine.path)
        equal(list(found['coordinates']), ['m.x', 'm.y', 'm.angle'] * machine.moves, machine.name)
        if machine.moves:
            near(found['coordinates']['m.x'], 1, 1e-9, machine.name)
        if machine.has_oil:
            near(found['pressures']['L'], 1e6, 1e-3, machine.name)
        equal('Residual' in answer('equilibrium', machine.path), True, machine.name)


def test_studies():
    """sensitivity, root-locus and stability-map: as many eigenvalues as there are, and gravity moves none of them"""
    for machine in machines(kinds=FEW_KINDS):
        n = len(machine.states())
        found = answer_json('sensitivity', machine.path, '--parameter', 'gravity.y')
        check_eigenvalues([complex(e['re'], e['im']) for e in found['eigenvalues']], machine, f'{machine.name}: sensitivity')
        equal([len(found['parameters'][0][key]) for key in ('kind', 'd_re', 'd_im', 'error')], [n] * 4, machine.name)
        rows = list(csv.reader(io.StringIO(answer('sensitivity', machine.path, '--parameter', 'gravity.y'))))
        equal(len(rows), n + 1, f'{machine.name}: sensitivity, rows')
        rows = list(csv.reader(io.StringIO(answer('root-locus', machine.path, *SWEPT))))
        equal([len(row) for row in rows], [1 + 2 * n] * 4, f'{machine.name}: root-locus')
        for row in rows[1:]:
            check_eigenvalues([complex(float(re), float(im)) for re, im in zip(row[1::2], row[2::2])], machine, machine.name)
        equal(answer_json('root-locus', machine.path, *SWEPT)['values'], [-10, -7.5, -5], f'{machine.name}: root-locus')
        rows = list(csv.reader(io.StringIO(answer('stability-map', machine.path, '--x', 'gravity.y=-10,-5', '--y',
                                                  'gravity.x=0,0.001'))))
        equal(len(rows), 5, f'{machine.name}: stability-map')
        for row in rows[1:]:
            if n == 0:
                equal(row[2], '', f'{machine.name}: growth of nothing')
            else:
                near(float(row[2]), max(value.real for value in machine.eigenvalues()), 1e-3, f'{machine.name}: growth')


def test_frequency_response():
    """frequency-response: without an input it says so; with one and any output it has its closed form"""
    for machine in machines():
        if not machine.has_input:
            refused = run('frequency-response', machine.path, '--input', 'f.signal', '--output', 'm.x')
            equal((refused.returncode, refused.stdout), (2, ''), machine.name)
            equal('the model has no input; add a load with a signal, a valve or a pump' in refused.stderr, True, machine.name)
            continue
        if not machine.states():
            continue
        output = 'm.x' if machine.moves else 'L.pressure'
        line = ('frequency-response', machine.path, '--input', machine.inputs()[0], '--output', output)
        found = answer_json(*line)
        for f, re, im in zip(found['frequency_hz'], found['re'], found['im']):
            s = 2j * math.pi * f
            want = (1 / (MASS * s * s + DAMPING * s + STIFFNESS) if machine.moves else
                    BULK / VOLUME / (s + BULK / (VOLUME * RESISTANCE)))
            near(complex(re, im), want, 1e-9 * abs(want), f'{machine.name}: at {f} Hz')
        equal(len(answer(*line).splitlines()), len(found['frequency_hz']) + 1, machine.name)


def test_refusals():
    """what needs something that is not there says what, and prints nothing"""
    lines = {'sensitivity': 'the file has no sliders', 'root-locus': '--parameter', 'stability-map': '--x',
             'sweep': '--parameter', 'quasistatic': '--actuator'}
    for machine in machines(kinds=FEW_KINDS):
        for command, word in lines.items():
            for more in ([], ['--json']):
                refused = run(command, machine.path, *more)
                equal((refused.returncode, refused.stdout), (2, ''), f'{machine.name}: {command}')
                equal(word in refused.stderr, True, f'{machine.name}: {command}: {refused.stderr}')
        no_probe = run('sweep', machine.path, '--parameter', 'gravity.y=-1,0', '--measure', 'last:probe')
        equal(no_probe.returncode, 0 if machine.has_probe else 2, f'{machine.name}: sweep: {no_probe.stderr}')


def test_report():
    """report, validate and compare-models: nothing is too little for them"""
    for machine in machines(kinds=FEW_KINDS):
        out = machine.path.with_suffix('')
        written = run('report', machine.path, '--out', out)
        equal(written.returncode, 0, f'{machine.name}: {written.stderr}')
        equal((out / 'linear-model.json').is_file() and (out / 'report.md').is_file(), True, machine.name)
        equal((out / 'B.csv').is_file(), machine.has_input, f'{machine.name}: B.csv')
        equal(answer_json('validate', machine.path)['sound'], True, machine.name)
        equal(run('compare-models', machine.path).returncode, 0, f'{machine.name}: compare-models')


if __name__ == '__main__':
    sys.exit(tap.report(tap.tests_of(globals())))
