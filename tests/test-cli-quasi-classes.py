#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every class in the quasistatic oil: all reference circuits and examples run; stored pressures against
Runge and Kutta's method here, motors and vanes against speeds written by hand, trapped oil without a number. TAP.

Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_GOLDEN_DIR.
"""

import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
GOLDEN = Path(os.environ['HL_GOLDEN_DIR'])
DENSITY = 850.0


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=200, encoding='utf-8')


def rows_of(text):
    return [[float(cell) if cell else math.nan for cell in row] for row in list(csv.reader(io.StringIO(text)))[1:]]


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def near(got, want, tolerance, what):
    if not abs(got - want) <= tolerance:
        raise AssertionError(f'{what}: {got!r}, expected {want!r} within {tolerance:.1e}')


def simulated(document, t_end, every, model='quasistatic'):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'circuit.hydrolink'
        path.write_text(json.dumps(document), encoding='utf-8')
        result = run('simulate', path, '--model', model, '--t-end', t_end, '--every', every)
    equal(result.returncode, 0, result.stderr)
    return rows_of(result.stdout)


def outcome(path):
    result = run('simulate', path, '--model', 'quasistatic', '--t-end', 0.05, '--every', 0.01)
    return result.returncode == 0 and len(rows_of(result.stdout)) == 6


def test_all():
    """every example and every reference circuit runs in the quasistatic oil"""
    files = sorted((GOLDEN / 'components').glob('*.hydrolink')) + sorted(EXAMPLES.glob('*.hydrolink'))
    equal(len(files) > 85, True, len(files))
    with ThreadPoolExecutor(2) as pool:
        wrong = [path.name for path, right in zip(files, pool.map(outcome, files)) if not right]
    equal(wrong, [], 'other outcomes')


# ---- circuits drawn here ----

def drawing(components, lines, bodies=(), joints=(), loads=(), ground=(), probes=()):
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'density': DENSITY, 'bulk_modulus': 1.4e9},
            'ground': {'points': dict(ground)}, 'bodies': list(bodies), 'joints': list(joints), 'loads': list(loads),
            'components': components, 'lines': lines, 'probes': [{'id': f'p{k}', 'of': of} for k, of in enumerate(probes)],
            'simulation': {'t_end': 1, 'every': 0.1, 'rtol': 1e-9, 'start': 'as-given'}}


def test_bladder():
    """a bladder fills through a turbulent throttle as p' = q(p)/C(p), with C of hose and gas"""
    p_s, p_0, n, V, hose, area = 1.5e7, 4e6, 1.3, 2e-3, 3e-4, 3e-6
    model = drawing([{'id': 'source', 'kind': 'pressure-source', 'pressure': p_s},
                     {'id': 'th', 'kind': 'throttle', 'area': area, 'Cd': 0.6, 'dp_lim': 1e3},
                     {'id': 'ac', 'kind': 'accumulator', 'volume': V, 'precharge': p_0, 'polytropic_index': n}],
                    [{'id': 'S', 'ports': ['source.P', 'th.A']},
                     {'id': 'L', 'ports': ['th.B', 'ac.A'], 'volume': hose, 'pressure': 2e6}],
                    probes=['L.pressure', 'th.flow', 'ac.flow'])

    def rate(p):
        gas = V / (n * p) * (p_0 / p) ** (1 / n) if p > p_0 else 0.0
        return 0.6 * area * math.sqrt(2 / DENSITY * (p_s - p)) / (hose / 1.4e9 + gas)

    rows = simulated(model, 1, 0.1)
    p, h = 2e6, 2e-6
    # to the seat of the bladder, where C jumps, in the short of it: dt = dp/rate, Simpson over p
    steps = 2000
    at = [2e6 + (p_0 - 2e6) * k / steps for k in range(steps + 1)]
    weights = [1 if k in (0, steps) else 4 if k % 2 else 2 for k in range(steps + 1)]
    t = (p_0 - 2e6) / steps / 3 * sum(w / rate(x) for w, x in zip(weights, at))
    p = math.nextafter(p_0, math.inf)
    for row in rows[1:]:
        steps = 400
        h = (row[0] - t) / steps
        for _ in range(steps):
            k1 = rate(p)
            k2 = rate(p + h / 2 * k1)
            k3 = rate(p + h / 2 * k2)
            k4 = rate(p + h * k3)
            p += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = row[0]
        near(row[1], p, 1e-5 * p, f't = {t}')
        near(row[2], 0.6 * area * math.sqrt(2 / DENSITY * (p_s - row[1])), 1e-9 * row[2], 'flow of the throttle')


def shaft(kind, D, more):
    body = {'id': 'rotor', 'points': {'c': [0, 0], 'e': [1, 0]}, 'mass': 10, 'inertia': 0.4, 'pose': [0, 0, 0]}
    return drawing([{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, {'id': 'pump', 'kind': 'flow-source', 'flow': 2e-5},
                    {'id': 'relief', 'kind': 'relief-valve', 'pressure': 2e7, 'Cd': 0.6, 'area': 3e-5},
                    {'id': 'turner', 'kind': kind, 'a': 'ground', 'b': 'rotor', 'displacement': D, **more}],
                   [{'id': 'P', 'ports': ['pump.P', 'turner.A', 'relief.A'], 'volume': 1e-4},
                    {'id': 'T', 'ports': ['tank.T', 'turner.B', 'relief.T']}],
                   [body], [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.o', 'b': 'rotor.c'}],
                   ground={'o': [0, 0]}, probes=['turner.speed', 'turner.torque', 'P.pressure'])


def test_turning():
    """motor and vane: a pump of Q turns them with Q/D less their leak, against c w, at the pressure that this takes"""
    for kind, D, c, leak, more in (('motor', 1e-5, 4.0, 0.0, {}), ('motor', 1e-5, 4.0, 1e-12, {}),
                                   ('rotary-actuator', 2e-4, 500.0, 2e-12, {'angle_min': -1.0, 'angle_max': 1.0})):
        last = simulated(shaft(kind, D, {'viscous_friction': c, 'leakage': leak, **more}), 2, 1)[-1]
        # Q = D w + leak dp,  D dp = c w
        w = 2e-5 / (D + leak * c / D)
        near(last[1], w, 1e-6 * w, f'{kind}: speed')
        near(last[3], 1e5 + c * w / D, 1e-5 * c * w / D, f'{kind}: pressure')
        near(last[2], 0.0, 1e-5 * c * w, f'{kind}: torque after friction')


def carriage(components, lines, cylinder, force=0.0, probes=(), mass=50):
    return drawing([{'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3, 'base': 'ground.b', 'rod': 'load.r',
                     'stroke': 1.0, **cylinder}, *components], lines,
                   [{'id': 'load', 'points': {'r': [0, 0]}, 'mass': mass, 'inertia': 1, 'pose': [0.5, 0, 0]}],
                   [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.b', 'b': 'load.r', 'axis': 0}],
                   [{'id': 'push', 'kind': 'force', 'point': 'load.r', 'direction': [-1, 0], 'signal': force}],
                   {'b': [0, 0]}, probes)


def test_trapped():
    """oil that is shut in on both sides of a piston stands still, bears the load, and its pressures are empty cells"""
    lines = [{'id': 'A', 'ports': ['cyl.A', 'va.A'], 'volume': 1e-4}, {'id': 'B', 'ports': ['cyl.B', 'vb.A'], 'volume': 1e-4},
             {'id': 'T', 'ports': ['tank.T', 'va.B', 'vb.B']}]
    shut = [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, *({'id': v, 'kind': 'metering-valve', 'area': 1e-5, 'opening': 0}
                                                            for v in ('va', 'vb'))]
    rows = simulated(carriage(shut, lines, {}, 5e3, ['load.vx', 'A.pressure', 'B.pressure', 'cyl.force']), 2, 1)
    near(rows[-1][1], 0.0, 1e-6, 'at rest')
    equal([math.isnan(cell) for cell in rows[-1][2:4]], [True, True], 'no pressure is known')
    near(rows[-1][4], 5e3, 1e-3, 'the load is borne')


def test_pumps():
    """two pumps on one line: their flows add"""
    parts = [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, {'id': 'one', 'kind': 'flow-source', 'flow': 1e-5},
             {'id': 'two', 'kind': 'flow-source', 'flow': 3e-5}, {'id': 'relief', 'kind': 'relief-valve', 'pressure': 2e7, 'Cd': 0.6, 'area': 3e-5}]
    lines = [{'id': 'A', 'ports': ['cyl.A', 'one.P', 'two.P', 'relief.A'], 'volume': 1e-4},
             {'id': 'T', 'ports': ['tank.T', 'cyl.B', 'relief.T']}]
    last = simulated(carriage(parts, lines, {}, 2e3, ['load.vx']), 2, 1)[-1]
    near(last[1], 4e-5 / 2e-3, 1e-8, 'speed')


def test_shared_check():
    """two cylinders behind one check valve: one pressure drives both, each against its own load and friction"""
    parts = [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, {'id': 'pump', 'kind': 'flow-source', 'flow': 5e-5},
             {'id': 'relief', 'kind': 'relief-valve', 'pressure': 2e7, 'Cd': 0.6, 'area': 3e-5},
             {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 3e-5},
             {'id': 'other', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3, 'base': 'ground.b', 'rod': 'second.r',
              'stroke': 1.0, 'friction': {'model': 'viscous', 'sigma2': 4e5}}]
    lines = [{'id': 'P', 'ports': ['pump.P', 'relief.A', 'check.A'], 'volume': 1e-4},
             {'id': 'A', 'ports': ['cyl.A', 'other.A', 'check.B'], 'volume': 1e-4},
             {'id': 'T', 'ports': ['tank.T', 'cyl.B', 'other.B', 'relief.T']}]
    model = carriage(parts, lines, {'friction': {'model': 'viscous', 'sigma2': 2e5}}, 1e3, ['load.vx', 'second.vx', 'A.pressure'])
    model['bodies'].append({**model['bodies'][0], 'id': 'second'})
    model['joints'].append({**model['joints'][0], 'id': 'way', 'b': 'second.r'})
    model['loads'].append({**model['loads'][0], 'id': 'pull', 'point': 'second.r', 'signal': -2e3})
    last = simulated(model, 2, 1)[-1]
    # v_j = (A p - B p_T - F_j)/c_j,  A (v_1 + v_2) = Q
    A, B, Q, loads, c = 2e-3, 1.2e-3, 5e-5, (1e3, -2e3), (2e5, 4e5)
    p = (Q / A + sum((B * 1e5 + F) / x for F, x in zip(loads, c))) / (A * sum(1 / x for x in c))
    near(last[3], p, 1e-6 * p, 'pressure')
    for k in range(2):
        near(last[1 + k], (A * p - B * 1e5 - loads[k]) / c[k], 1e-7, f'speed {k}')


def test_drive():
    """a driven joint presses a piston's oil through a throttle: its flow is that of the drive, its pressure that of the flow"""
    area, cd = 2e-5, 0.6
    parts = [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, {'id': 'th', 'kind': 'throttle', 'area': area, 'Cd': cd, 'dp_lim': 1e3}]
    lines = [{'id': 'A', 'ports': ['cyl.A', 'th.A'], 'volume': 1e-4}, {'id': 'T', 'ports': ['tank.T', 'cyl.B', 'th.B']}]
    model = carriage(parts, lines, {}, 0, ['A.pressure', 'cyl.rod_speed', 'load.vx'])
    model['joints'].append({'id': 'drive', 'kind': 'drive-length', 'a': 'ground.b', 'b': 'load.r', 'signal': {
        'kind': 'sine', 'amplitude': 0.05, 'frequency_hz': 1, 'offset': 0.5}})
    row = simulated(model, 0.5, 0.25)[-1]
    v, k = -0.05 * 2 * math.pi, cd * area * math.sqrt(2 / DENSITY)
    near(row[3], v, 1e-6, 'the linkage')
    near(row[2], v, 0.02 * abs(v), 'the piston follows')
    near(row[1], 1e5 + (2e-3 * row[2] / k) ** 2, 1e-6 * row[1], 'pressure')


def test_fixed_step():
    """accumulators, bristles, motors and controllers with a fixed step: shorter, nearer to the integrator"""
    for name, t_end, K, B in (('accumulator-launch', 0.3, 1e7, 1e5), ('hydrostatic-wheel', 0.3, 1e3, 1e2), ('stick-slip', 0.3, 1e6, 1e4),
                              ('position-servo', 0.3, 1e6, 1e4)):
        model = json.loads((EXAMPLES / f'{name}.hydrolink').read_text(encoding='utf-8'))
        for component in model['components']:
            if component['kind'] in ('cylinder', 'motor'):
                component.update(virtual_stiffness=K, virtual_damping=B)
        places = [[float(x) for x in simulated({**model, 'simulation': {**model['simulation'], 'model': 'quasistatic', **how}},
                                               t_end, t_end)[-1][1:2]]
                  for how in ({'formulation': 'relaxed'}, {'formulation': 'discrete', 'step': 2.5e-4},
                              {'formulation': 'discrete', 'step': 5e-5})]
        coarse, fine = (abs(place[0] - places[0][0]) for place in places[1:])
        equal(fine <= 0.6 * coarse + 1e-7, True, (name, coarse, fine))
        near(fine, 0.0, 5e-3 * max(1, abs(places[0][0])), name)


def test_sensor():
    """a controller of the place holds it: the load stands where it is asked to; a pressure is measured with a lag and without"""
    servo = [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, {'id': 'source', 'kind': 'pressure-source', 'pressure': 1e7},
             {'id': 'dcv', 'kind': 'directional-valve', 'Cv': 5e-8, 'command': {
                 'kind': 'pid', 'of': 'load.x', 'target': 0.62, 'kp': 100, 'min': -1, 'max': 1}}]
    lines = [{'id': 'P', 'ports': ['source.P', 'dcv.P']}, {'id': 'A', 'ports': ['cyl.A', 'dcv.A'], 'volume': 1e-4},
             {'id': 'B', 'ports': ['cyl.B', 'dcv.B'], 'volume': 1e-4}, {'id': 'T', 'ports': ['tank.T', 'dcv.T']}]
    last = simulated(carriage(servo, lines, {}, 0, ['load.x', 'load.vx']), 5, 1)[-1]
    near(last[1], 0.62, 1e-5, 'place')
    model = carriage(servo, lines, {}, 0, ['load.vx'])
    for lag in (0, 0.05):
        model['components'][3]['command'] = {'kind': 'sensor', 'of': 'A.pressure', 'gain': 1e-8, 'time_constant': lag}
        equal(len(simulated(model, 0.2, 0.1)), 3, f'lag {lag}')


def main():
    tests = [value for name, value in globals().items() if name.startswith('test_')]
    failed = 0
    print(f'1..{len(tests)}')
    for k, test in enumerate(tests, 1):
        try:
            test()
            print(f'ok {k} - {test.__doc__}')
        except AssertionError as error:
            failed += 1
            print(f'not ok {k} - {test.__doc__}\n# {error}')
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
