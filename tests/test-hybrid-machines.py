#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random cylinders and motors between one-way valves in incompressible oil: relief, suction and cross-port valves, bridges of
check valves onto an accumulator, pumps whose flow begins from 0, counterbalance and pilot-operated check valves, stops under
the flow of a pump, clamps, motors in series. Each runs with no line that keeps its compliance. The order and the names of its
elements decide nothing, nor do its mirror image, the sense in which throttles and cylinders are put in, an idle branch, and
three such machines as one. Where the lumped oil moves by more than ten times what it can be compressed, so does the
incompressible one. TAP. Environment: HL_PROGRAM.

    test-hybrid-machines.py [N [SEED [FOLDER]]]

FOLDER: instead, writes the files there, for random-stiff-oil-limit. Seeds below 100000 draw from the first six kinds, others from the rest."""
import copy
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
N, SEED = (int(a) for a in (sys.argv[1:3] + ['10', '1'][len(sys.argv[1:3]):]))
FOLDER = Path(sys.argv[3]) if len(sys.argv) > 3 else None
# Where the decision went round between two edges: a relief valve that shuts beside a counterbalance valve, moving and at
# rest, and a piston that meets its stop between two relief valves. The next three begin with no flow through a counterbalance
# valve that opens: one was refused, in the others a line gave way.
FOUND = (327, 1002, 7022, 3000, 3133, 7017)
# Stood still between two pilot-operated check valves.
HELD = 110354
# Two such valves, with a load that pulls: the oil that comes back through one lowers the pressure of its pilot, and lines became
# compressible, with 8 and 28 mm more than stiff oil.
PULLED = (105004, 105014)
STIFFER = 100
BULK = 1.5e9
STROKE, MIDDLE = 2.0, 1.2
FIRST_OF_OTHERS = 100000
SEVERAL = 3
# What grows with the number of machines that are taken as one.
EXTENSIVE = ('area', 'end_area', 'piston_area', 'rod_side_area', 'displacement', 'volume', 'mass', 'inertia', 'Cv', 'sigma2',
             'flow', 'viscous_friction')


class Machine:
    """One cylinder that a load pushes to and fro, and what stands between its lines A, B and the tank's line T."""

    def __init__(self, seed):
        dice = self.dice = random.Random(seed)
        self.components, self.ports, self.lines = [], {'A': ['c.A'], 'B': ['c.B'], 'T': ['tank.T']}, []
        self.piston = dice.uniform(1e-3, 4e-3)
        self.rod = self.piston * (1.0 if dice.random() < 0.3 else dice.uniform(0.4, 0.9))
        self.kind = dice.randrange(6) + (6 if seed >= FIRST_OF_OTHERS else 0)
        self.tank = 6e6 if self.kind == 5 else 3e7
        self.stroke, self.others, self.motors, self.probe = STROKE, [], [], 'l.x'
        (self.reliefs, self.cross_ports, self.relief_and_suction, self.bridge, self.pump, self.counterbalance,
         self.pump_to_stop, self.parallel, self.series, self.locks, self.clamp, self.store)[self.kind]()
        self.load = [dice.uniform(-3e4, 3e4) for _ in range(4)]
        if dice.random() < 0.6:
            self.load[0] = 0.0
        if self.kind == 5:
            self.load = [-0.5 * abs(force) - 5e3 for force in self.load]

    def add(self, name, kind, ports, **numbers):
        self.components.append({'id': name, 'kind': kind, **numbers})
        for port, line in ports.items():
            self.ports.setdefault(line, []).append(f'{name}.{port}')

    def relief(self, name, start, end):
        numbers = {'pressure': self.dice.uniform(3e6, 1.2e7), 'Cd': 0.6, 'area': self.dice.uniform(1e-5, 5e-5)}
        if self.dice.random() < 0.5:
            numbers['opening_range'] = self.dice.uniform(2e5, 1e6)
        self.add(name, 'relief-valve', {'A': start, 'T': end}, **numbers)

    def check(self, name, start, end):
        numbers = {'Cd': 0.6, 'area': self.dice.uniform(2e-5, 1e-4)}
        if self.dice.random() < 0.4:
            numbers['cracking_pressure'] = self.dice.uniform(1e4, 3e5)
        self.add(name, 'check-valve', {'A': start, 'B': end}, **numbers)

    def source(self, line, most):
        flows = [0.0, self.dice.uniform(2e-5, most), self.dice.uniform(2e-5, most)]
        self.add('pump', 'flow-source', {'P': line}, flow={'kind': 'table', 't': [0, 0.2, 9], 'y': flows})

    def reliefs(self):
        self.relief('ra', 'A', 'T')
        self.relief('rb', 'B', 'T')
        self.check('sa', 'T', 'A')
        self.check('sb', 'T', 'B')

    def cross_ports(self):
        self.relief('ab', 'A', 'B')
        self.relief('ba', 'B', 'A')
        self.check('sa', 'T', 'A')
        self.check('sb', 'T', 'B')

    def relief_and_suction(self):
        self.relief('ra', 'A', 'T')
        self.check('sb', 'T', 'B')

    def bridge(self):
        self.add('store', 'accumulator', {'A': 'H'}, volume=5e-3, precharge=2.5e7)
        self.add('out', 'throttle', {'A': 'H', 'B': 'T'}, Cd=0.7, diameter=self.dice.uniform(5e-4, 3e-3))
        for name, start, end in (('v1', 'A', 'H'), ('v2', 'B', 'H'), ('v3', 'T', 'A'), ('v4', 'T', 'B')):
            self.check(name, start, end)
        self.lines.append({'id': 'H', 'volume': 1e-3, 'pressure': 3.1e7})

    def pump(self):
        self.source('A', 3e-4)
        self.relief('ra', 'A', 'T')
        self.check('sa', 'T', 'A')
        self.add('th', 'throttle', {'A': 'B', 'B': 'T'}, Cd=0.7, diameter=self.dice.uniform(1e-3, 4e-3))

    def counterbalance(self):
        self.source('B', 1e-4)
        self.relief('rb', 'B', 'T')
        self.add('cb', 'counterbalance-valve', {'A': 'A', 'B': 'T', 'X': 'B'}, pressure=self.dice.uniform(1e7, 2e7),
                 pilot_ratio=self.dice.uniform(1, 4), opening_range=self.dice.uniform(5e6, 1.5e7),
                 area=self.dice.uniform(1e-5, 3e-5))

    def pump_to_stop(self):
        """Meets its upper stop, and may be pushed from it."""
        self.stroke = MIDDLE - 0.2 + self.dice.uniform(0.002, 0.03)
        if self.dice.random() < 0.5:
            self.source('A', 3e-4)
        else:
            self.add('pump', 'flow-source', {'P': 'A'}, flow=self.dice.uniform(5e-5, 3e-4))
        self.relief('ra', 'A', 'T')
        self.check('sa', 'T', 'A')
        if self.dice.random() < 0.5:
            self.relief('rb', 'B', 'T')
            self.check('sb', 'T', 'B')
        else:
            self.add('th', 'throttle', {'A': 'B', 'B': 'T'}, Cd=0.7, diameter=self.dice.uniform(1e-3, 4e-3))

    def parallel(self):
        """Two cylinders share a pump; each meets its stop."""
        self.stroke = MIDDLE - 0.2 + self.dice.uniform(0.002, 0.03)
        self.others.append(self.dice.uniform(2e3, 3e4))
        self.add('pump', 'flow-source', {'P': 'A'}, flow=self.dice.uniform(1e-4, 4e-4))
        self.relief('ra', 'A', 'T')
        self.check('sa', 'T', 'A')
        self.add('th', 'throttle', {'A': 'B', 'B': 'T'}, Cd=0.7, diameter=self.dice.uniform(2e-3, 4e-3))
        self.ports['A'].append('c1.A')
        self.ports['T'].append('c1.B')

    def series(self):
        """Motors in series behind a pump, with or without the cylinder's circuit at rest."""
        self.probe = 'm0.angle'
        lines = ['P', 'M', 'T'] if self.dice.random() < 0.5 else ['P', 'M', 'N', 'T']
        for k, (start, end) in enumerate(zip(lines, lines[1:])):
            self.motors.append((self.dice.uniform(2, 10), self.dice.uniform(5, 40)))
            leak = {'leakage': self.dice.uniform(1e-13, 1e-12)} if self.dice.random() < 0.5 else {}
            self.add(f'd{k}', 'motor', {'A': start, 'B': end}, a='ground', b=f'm{k}',
                     displacement=self.dice.uniform(5e-6, 3e-5), viscous_friction=self.dice.uniform(0.1, 0.5), **leak)
        if self.dice.random() < 0.5:
            self.source('P', 3e-4)
        else:
            self.add('pump', 'flow-source', {'P': 'P'}, flow=self.dice.uniform(5e-5, 3e-4))
        self.relief('rp', 'P', 'T')
        self.check('sp', 'T', 'P')
        if self.dice.random() < 0.5:
            self.check('sm', 'T', 'M')
        self.relief('ra', 'A', 'T')
        self.check('sb', 'T', 'B')
        self.lines += [{'id': line, 'volume': 1e-4, 'pressure': self.tank} for line in lines[:-1]]

    def locks(self):
        """Two pilot-operated check valves between a directional valve and the cylinder."""
        self.relief('rp', 'P', 'T')
        self.add('pump', 'flow-source', {'P': 'P'}, flow=self.dice.uniform(5e-5, 3e-4))
        side = self.dice.choice([-1, 1])
        self.add('dcv', 'directional-valve', {'P': 'P', 'T': 'T', 'A': 'a', 'B': 'b'}, Cv=self.dice.uniform(2e-8, 1e-7),
                 centre='float', centre_opening=0.1,
                 command={'kind': 'table', 't': [0, 0.1, 0.15, 0.5, 0.55], 'y': [0, 0, side, side, 0], 'between': 'line'})
        for near, far, other in (('a', 'A', 'b'), ('b', 'B', 'a')):
            self.add(f'lock_{near}', 'pilot-check-valve', {'A': near, 'B': far, 'X': other}, area=self.dice.uniform(1e-5, 4e-5),
                     opening_range=self.dice.uniform(2e5, 6e5), pilot_ratio=self.dice.uniform(2, 5))
        self.lines += [{'id': line, 'volume': 1e-4, 'pressure': self.tank} for line in 'Pab']

    def clamp(self):
        """A pump presses the piston onto its stop through a check valve; its flow ends, the pressure stays."""
        self.stroke = MIDDLE - 0.2 + self.dice.uniform(0.002, 0.02)
        flow = self.dice.uniform(1e-4, 3e-4)
        self.add('pump', 'flow-source', {'P': 'P'}, flow={'kind': 'table', 't': [0, 0.5, 0.55, 9], 'y': [flow, flow, 0, 0]})
        self.relief('rp', 'P', 'T')
        self.check('cv', 'P', 'A')
        if self.dice.random() < 0.5:
            self.relief('ra', 'A', 'T')
        self.add('th', 'throttle', {'A': 'B', 'B': 'T'}, Cd=0.7, diameter=self.dice.uniform(1e-3, 4e-3))
        self.lines.append({'id': 'P', 'volume': 1e-4, 'pressure': self.tank})

    def store(self):
        """A pump fills an accumulator through a check valve, and that a cylinder through another one or a throttle."""
        self.source('P', 3e-4)
        self.relief('rp', 'P', 'T')
        self.check('cv', 'P', 'H')
        self.add('store', 'accumulator', {'A': 'H'}, volume=5e-3, precharge=2.5e7)
        if self.dice.random() < 0.5:
            self.check('ca', 'H', 'A')
            self.relief('ra', 'A', 'T')
        else:
            self.add('out', 'throttle', {'A': 'H', 'B': 'A'}, Cd=0.7, diameter=self.dice.uniform(1e-3, 3e-3))
        self.add('th', 'throttle', {'A': 'B', 'B': 'T'}, Cd=0.7, diameter=self.dice.uniform(1e-3, 4e-3))
        self.lines += [{'id': 'P', 'volume': 1e-4, 'pressure': self.tank}, {'id': 'H', 'volume': 1e-3, 'pressure': 3.1e7}]

    def document(self, shuffled=False, side=1, idle=False, swapped=False):
        """side: -1 is the mirror image. swapped: throttles and cylinders are put in the other way round."""
        if idle:
            self = copy.deepcopy(self)
            self.add('idle', 'relief-valve', {'A': 'A', 'T': 'T'}, pressure=1e9, Cd=0.6, area=1e-5)
            self.add('dead', 'throttle', {'A': 'B', 'B': 'E'}, Cd=0.7, diameter=1e-3)
            self.lines.append({'id': 'E', 'volume': 1e-4, 'pressure': self.tank})
        lines = [{'id': 'A', 'volume': 1e-4, 'pressure': self.tank}, {'id': 'B', 'volume': 1e-4, 'pressure': self.tank}, {'id': 'T'}]
        lines = [{**line, 'ports': list(self.ports[line['id']])} for line in lines + self.lines]
        components = [{'id': 'tank', 'kind': 'tank', 'pressure': self.tank},
                      {'id': 'c', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'l.O', 'piston_area': self.piston,
                       'rod_side_area': self.rod, 'stroke': self.stroke, 'c1': 0.2,
                       'friction': {'model': 'viscous', 'sigma2': 1000.0}}, *map(dict, self.components)]
        if swapped:
            turned = {c['id'] for c in components if c['kind'] == 'throttle'}
            for line in lines:
                line['ports'] = [name + {'.A': '.B', '.B': '.A'}[end] if name in turned else name + end
                                 for name, end in ((port[:-2], port[-2:]) for port in line['ports'])]
        bodies = [{'id': 'l', 'mass': 100, 'inertia': 1, 'pose': [side * MIDDLE, 0, 0], 'points': {'O': [0, 0]}}]
        joints = [{'id': 'g', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'l.O', 'axis': 0}]
        loads = [{'id': 'push', 'kind': 'force', 'point': 'l.O', 'direction': [side, 0],
                  'signal': {'kind': 'table', 't': [0, 0.3, 0.6, 1.0], 'y': self.load}}]
        for k, force in enumerate(self.others):
            bodies.append({'id': f'l{k}', 'mass': 60, 'inertia': 1, 'pose': [side * MIDDLE, 0, 0], 'points': {'O': [0, 0]}})
            joints.append({'id': f'g{k}', 'kind': 'prismatic', 'a': 'ground.O', 'b': f'l{k}.O', 'axis': 0})
            loads.append({'id': f'push{k}', 'kind': 'force', 'point': f'l{k}.O', 'direction': [-side, 0],
                          'signal': {'kind': 'constant', 'value': force}})
            components.append({'id': f'c{k + 1}', 'kind': 'cylinder', 'base': 'ground.O', 'rod': f'l{k}.O',
                               'piston_area': 0.7 * self.piston, 'rod_side_area': 0.6 * self.piston, 'stroke': self.stroke,
                               'c1': 0.2, 'friction': {'model': 'viscous', 'sigma2': 1000.0}})
        for k, (inertia, torque) in enumerate(self.motors):
            bodies.append({'id': f'm{k}', 'mass': 1, 'inertia': inertia, 'pose': [0, 1 + k, 0], 'points': {'O': [0, 0]}})
            joints.append({'id': f'g{k}', 'kind': 'revolute', 'a': f'ground.m{k}', 'b': f'm{k}.O'})
            loads.append({'id': f'turn{k}', 'kind': 'torque', 'body': f'm{k}', 'signal': {'kind': 'constant', 'value': -torque}})
        ground = {'O': [0, 0], **{f'm{k}': [0, 1 + k] for k in range(len(self.motors))}}
        for cylinder in components if swapped else []:
            if cylinder['kind'] == 'cylinder':
                cylinder['base'], cylinder['rod'] = cylinder['rod'], cylinder['base']
        parts = {'components': components, 'lines': lines}
        if shuffled:
            new = {component['id']: f'z{99 - k}' for k, component in enumerate(components)}
            for component in components:
                component['id'] = new[component['id']]
            for line in lines:
                line['id'] = f"n{line['id']}"
                line['ports'] = [new[port.split('.')[0]] + '.' + port.split('.')[1] for port in reversed(line['ports'])]
            for part in parts.values():
                random.Random(1).shuffle(part)
        return {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'bulk_modulus': BULK},
                'ground': {'points': ground}, 'bodies': bodies, 'joints': joints, 'loads': loads, **parts,
                'probes': [{'id': 'x', 'of': self.probe}],
                'simulation': {'t_end': 1, 'every': 0.05, 'rtol': 1e-8, 'start': 'as-given'}}


def times(what, by):
    """A number or a signal, so many times as large."""
    if isinstance(what, dict):
        return {**what, **{name: times(what[name], by) for name in ('value', 'y') if name in what}}
    return [by * number for number in what] if isinstance(what, list) else by * what


def several(document):
    """So many of the machines as one: places and pressures are the same."""
    for part in document['bodies'] + document['components'] + document['lines']:
        for of in (part, part.get('friction', {})):
            of.update({name: times(of[name], SEVERAL) for name in EXTENSIVE if name in of})
        for name, power in (('diameter', 0.5), ('leakage', 1.0)):
            if name in part:
                part[name] *= SEVERAL ** power
    for load in document['loads']:
        load['signal'] = times(load['signal'], SEVERAL)
    return document


def simulate(document, model, folder, *words):
    """Places over time; None: it did not come to its end in time."""
    path = Path(folder) / 'machine.hydrolink'
    path.write_text(json.dumps(document), encoding='utf-8')
    try:
        done = subprocess.run([PROGRAM, 'simulate', '--model', model, *words, path], capture_output=True, encoding='utf-8',
                              timeout=120 if model == 'hybrid' else 20, check=False)
    except subprocess.TimeoutExpired:
        return None, 'takes too long'
    if done.returncode != 0:
        return None, done.stderr
    return [float(row[1]) for row in list(csv.reader(io.StringIO(done.stdout)))[1:]], done.stderr


def moved(places):
    return max(places) - min(places)


def check_machine(seed, folder):
    machine = Machine(seed)
    places, words = simulate(machine.document(), 'hybrid', folder)
    what = f'machine {seed} of kind {machine.kind}'
    if places is None or 'compressible' in words or 'compliance' in words:
        raise AssertionError(f'{what}: {words}')
    for name, other, side in (('in another order', machine.document(shuffled=True), 1),
                              ('in its mirror image', machine.document(side=-1), 1 if machine.motors else -1),
                              ('with its throttles and cylinders turned round', machine.document(swapped=True), 1),
                              ('with an idle branch', machine.document(idle=True), 1),
                              (f'{SEVERAL} times as one', several(machine.document()), 1)):
        again, words = simulate(other, 'hybrid', folder)
        off = max(abs(a - side * b) for a, b in zip(places, again or [9.0]))
        if off > 1e-6 * max(1.0, moved(places)):
            raise AssertionError(f'{what}: {name} it is {off:.2g} m elsewhere {words}')
    lumped, words = simulate(machine.document(), 'lumped', folder)
    volume = 2e-4 + STROKE * machine.piston
    soft = 10.0 * volume / BULK * max(map(abs, machine.load)) / machine.rod / machine.rod + 0.01
    if lumped is not None and moved(lumped) > soft and moved(places) < 0.1 * moved(lumped):
        raise AssertionError(f'{what}: it stands still where the lumped oil moves by {moved(lumped):.3g} m')


def test_machines():
    """/hybrid-machines/no-order-decides-and-none-stands-still"""
    with tempfile.TemporaryDirectory() as folder:
        wrong = []
        for seed in [*FOUND, *range(SEED, SEED + N)]:
            try:
                check_machine(seed, folder)
            except AssertionError as error:
                wrong.append(str(error))
                print(f'# {error}'.replace('\n', ' '), flush=True)
        if wrong:
            raise AssertionError(f'{len(wrong)} of {N + len(FOUND)}')


def test_pilot_checks():
    """/hybrid-machines/a-pilot-operated-check-valve-lets-the-oil-back"""
    with tempfile.TemporaryDirectory() as folder:
        check_machine(HELD, folder)
        places, _ = simulate(Machine(HELD).document(), 'hybrid', folder)
        stiff, words = simulate(Machine(HELD).document(), 'lumped', folder, '--set', f'fluid.bulk_modulus={STIFFER * BULK}')
        if stiff is None:
            raise AssertionError(words)
        off = max(abs(a - b) for a, b in zip(places, stiff))
        print(f'# {moved(stiff):.3g} m, {off:.2g} m off')
        if off > 0.02 * moved(stiff):
            raise AssertionError(f'{off:.2g} m of {moved(stiff):.3g} m off')


def test_pulled_pilot_checks():
    """/hybrid-machines/a-pilot-operated-check-valve-that-loses-its-pilot-pressure-stops-the-load"""
    with tempfile.TemporaryDirectory() as folder:
        for seed in PULLED:
            places, words = simulate(Machine(seed).document(), 'hybrid', folder)
            stiff, _ = simulate(Machine(seed).document(), 'lumped', folder, '--set', f'fluid.bulk_modulus={10 * STIFFER * BULK}')
            if places is None or stiff is None:
                raise AssertionError(words)
            off = max(abs(a - b) for a, b in zip(places, stiff))
            print(f'# machine {seed}: {moved(stiff):.3g} m, {off:.2g} m off')
            if off > 1e-3:
                raise AssertionError(f'machine {seed}: {off:.2g} m off the {moved(stiff):.3g} m of stiff oil')


if __name__ == '__main__':
    if FOLDER is not None:
        for machine in range(SEED, SEED + N):
            (FOLDER / f'machine-{machine}.hydrolink').write_text(json.dumps(Machine(machine).document()), encoding='utf-8')
        sys.exit(0)
    sys.exit(tap.report(tap.tests_of(globals())))
