#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare-models against separate runs of simulate, subtracted here.

TAP. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, EXAMPLES = os.environ["HL_PROGRAM"], Path(os.environ["HL_EXAMPLES_DIR"])
MODELS = ('lumped', 'hybrid', 'quasistatic')
failures = 0


def program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


count = 0


def check(name, work):
    global failures, count
    count += 1
    try:
        work()
        print(f'ok {count} - {name}')
    except AssertionError as why:
        failures += 1
        print(f'not ok {count} - {name}: {why}')


def rows_of(file, model, end):
    code, out, err = program('simulate', file, '--model', model, '--t-end', end)
    if code != 0:
        return None, err
    table = list(csv.reader(io.StringIO(out)))
    return [[float(cell) if cell else math.nan for cell in row] for row in table[1:]], table[0]


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-300)


def compared_with_runs(name, end, runs, cannot):
    """Every gap is that of two runs made apart; a model that cannot run names what keeps it."""
    file = EXAMPLES / name
    code, out, err = program('compare-models', file, '--t-end', end, '--json')
    assert code == 0, err
    answer = json.loads(out)
    assert answer['reference'] == 'lumped', answer['reference']
    measure, head = rows_of(file, 'lumped', end)
    for part in answer['models']:
        if part['model'] in cannot:
            assert not part['ran'] and cannot[part['model']] in part['why_not'], part
            assert rows_of(file, part['model'], end)[0] is None, 'simulate runs it'
            continue
        assert part['model'] in runs and part['ran'] and part['why_not'] is None, part
        assert part['t_reached'] == float(end) and part['steps'] > 0, part
        if part['model'] == 'lumped':
            assert part['traces'] == [], part
            continue
        other, _ = rows_of(file, part['model'], end)
        assert len(part['traces']) == len(head) - 1
        worst = 0.0
        for k, trace in enumerate(part['traces'], 1):
            assert head[k].startswith(trace['probe']), (head[k], trace)
            apart = [(abs(b[k] - a[k]), a[0]) for a, b in zip(measure, other) if math.isfinite(b[k] - a[k])]
            if not apart:  # a pressure that incompressible oil leaves undetermined
                assert trace['largest_difference'] is None, trace
                continue
            known = [row[k] for row in measure if math.isfinite(row[k])]
            if not apart:  # oil that is shut in has no pressure in the quasistatic model
                assert trace['largest_difference'] is None, trace
                continue
            swing, size = max(known) - min(known), max(map(abs, known))
            if swing <= 1e-6 * size:  # it stands: a share of what it is
                swing = size
            most = max(gap for gap, _ in apart)
            assert close(trace['largest_difference'], most), (trace, most)
            assert any(gap == most or close(gap, most) for gap, t in apart if close(t, trace['at']) or t == trace['at']), trace
            if swing > 0:
                # over time, the smaller difference of two rows between them
                pairs = list(zip(apart, apart[1:]))
                usual = sum((b[1] - a[1]) * min(a[0], b[0]) for a, b in pairs) / (apart[-1][1] - apart[0][1]) / swing
                assert close(trace['share_of_range'], most / swing), (trace, most / swing)
                assert close(trace['usual_share'], usual), (trace, usual)
                worst = max(worst, usual)
        assert close(part['worst_usual_share'], worst), (part['worst_usual_share'], worst)


def hybrid_in_the_limit():
    """Stiffer oil brings them together, as far as their starts let it: a hybrid run begins with the flow of the pump in
    the lines, a lumped one with lines at rest, whose first knock opens the relief valve."""
    model = json.loads((EXAMPLES / 'hybrid-regeneration.hydrolink').read_text(encoding='utf-8'))
    shares = []
    for factor in (1, 10, 100):
        stiff = json.loads(json.dumps(model))
        stiff['fluid']['bulk_modulus'] *= factor
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'stiff.hydrolink'
            file.write_text(json.dumps(stiff), encoding='utf-8')
            code, out, err = program('compare-models', file, '--t-end', '0.2', '--json')
        assert code == 0, err
        hybrid = [part for part in json.loads(out)['models'] if part['model'] == 'hybrid'][0]
        shares.append(hybrid['traces'][0]['usual_share'])
    assert shares[1] < 0.5 * shares[0] and shares[2] < shares[1], shares


def proposals():
    """A run that needs virtual elements takes those that are proposed, says so, and is the run with these numbers."""
    model = json.loads((EXAMPLES / 'metering-arm.hydrolink').read_text(encoding='utf-8'))
    for component in model['components']:
        for name in ('virtual_stiffness', 'virtual_damping'):
            component.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'bare.hydrolink'
        file.write_text(json.dumps(model), encoding='utf-8')
        short = ('--model', 'quasistatic', '--t-end', '0.2')
        code, rows, err = program('simulate', file, *short)
        assert code == 0, err
        taken = re.findall(r'needs (cyl\.virtual_\w+), which is not in the file; the proposed value ([0-9.e+]+) ', err)
        assert [path for path, _ in taken] == ['cyl.virtual_stiffness', 'cyl.virtual_damping'], err
        sets = [word for path, value in taken for word in ('--set', f'{path}={value}')]
        code, again, err = program('simulate', file, *short, *sets)
        assert code == 0 and again == rows and 'the proposed value' not in err, err
        code, out, err = program('compare-models', file, '--t-end', '0.2', '--json')
        assert code == 0 and [part['ran'] for part in json.loads(out)['models']] == [True, True, True], err
        assert json.loads(file.read_text(encoding='utf-8')) == model, 'the file is as it was'


def at_rest():
    """What stands is no motion to measure by: its solver's noise is no range. And a start elsewhere is said."""
    model = {'format': 'hydrolink', 'version': 1, 'name': 'rest', 'ground': {'points': {'O': [0, 0], 'B': [0.3, -0.5]}},
             'bodies': [{'id': 'arm', 'points': {'pivot': [0, 0], 'lug': [0.4, 0.05]}, 'mass': 60, 'inertia': 8,
                         'com': [0.5, 0], 'pose': [0, 0, 0.3]}],
             'joints': [{'id': 'J', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.pivot'}],
             'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},
                            {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.B', 'rod': 'arm.lug', 'piston_diameter': 0.05,
                             'rod_diameter': 0.03, 'stroke': 0.85, 'c1': 0.02, 'c2': 0.02, 'virtual_stiffness': 3e6,
                             'virtual_damping': 47000, 'friction': {'model': 'viscous', 'sigma2': 800}},
                            {'id': 'src', 'kind': 'pressure-source', 'pressure': 25e6},
                            {'id': 't1', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.002},
                            {'id': 't2', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.003}],
             'lines': [{'id': 'P', 'ports': ['src.P', 't1.A'], 'volume': 1e-4, 'pressure': 2.5e7},
                       {'id': 'A', 'ports': ['t1.B', 'cyl.A', 't2.A'], 'volume': 1e-4},
                       {'id': 'T', 'ports': ['tank.T', 't2.B', 'cyl.B']}],
             'probes': [{'id': 'phi', 'of': 'arm.angle'}, {'id': 'pA', 'of': 'A.pressure'}]}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'rest.hydrolink'
        file.write_text(json.dumps(model), encoding='utf-8')
        code, out, err = program('compare-models', file)
        assert code == 0, err
        lines = [line for line in out.splitlines() if line.startswith(('The ', 'It '))]
        hybrid, quasistatic, start = lines[1:4]
        assert hybrid.startswith('The hybrid model suits these traces') and 'which is constant' in hybrid, hybrid
        assert 'does not suit' in quasistatic, quasistatic
        assert start.startswith('The start state differs: ‘phi’ is 0.3 instead of 1.08'), start
        model['equilibrium'] = {'hold': ['arm.angle']}
        file.write_text(json.dumps(model), encoding='utf-8')
        code, out, err = program('compare-models', file, '--t-end', '0.01')
        assert not any('‘phi’' in line for line in out.splitlines() if line.startswith('The start state differs')), out
        del model['equilibrium']
        model['simulation'] = {'start': 'as-given', 'every': 0.01}
        file.write_text(json.dumps(model), encoding='utf-8')
        code, out, err = program('compare-models', file, '--t-end', '0.02')
        starts = [line for line in out.splitlines() if line.startswith('The start state differs')]
        assert starts and all('pA' in line and 'All models start from the values of the file' in line for line in starts), out


def none_can():
    """Where no model comes to the end the reasons are printed, and the status is 1."""
    code, out, err = program('compare-models', EXAMPLES / 'four-bar.hydrolink', '--t-end', '1', '--max-steps', '3')
    assert code == 1 and 'no oil model' in err and 'steps' in out, (code, out, err)


def page():
    """The page names every model and probe, and what to take."""
    code, out, _ = program('compare-models', EXAMPLES / 'two-arms-1.hydrolink', '--t-end', '0.1')
    assert code == 0
    for word in (*MODELS, 'theta1', 'Recommended:'):
        assert word in out, word


def pipes():
    """What the lumped model leaves out is said: oil of a pipe without “Oil inertia” has it in the hybrid model alone."""
    with tempfile.TemporaryDirectory() as folder:
        model = json.loads((EXAMPLES / 'hybrid-two-cylinders.hydrolink').read_text(encoding='utf-8'))
        pipes = [c for c in model['components'] if c['kind'] == 'pipe']
        file = Path(folder) / 'pipes.hydrolink'
        for heavy, said in (0, f'the inertia of the oil in ‘{pipes[0]["id"]}’ and {len(pipes) - 1} more pipes'), (len(pipes), None):
            for pipe in pipes[:heavy]:
                pipe['inertia'] = True
            file.write_text(json.dumps(model), encoding='utf-8')
            code, out, err = program('compare-models', file, '--t-end', '0.02')
            assert code == 0, err
            assert (said in out) if said else ('the inertia of the oil' not in out), out


check('/compare-models/gaps-are-those-of-separate-runs', lambda: [
    compared_with_runs('two-arms-1.hydrolink', '0.5', MODELS, {}),
    compared_with_runs('hybrid-regeneration.hydrolink', '0.3', MODELS, {}),
    compared_with_runs('four-bar.hydrolink', '0.5', MODELS, {})])
check('/compare-models/stiffer-oil-brings-the-hybrid-model-nearer', hybrid_in_the_limit)
check('/compare-models/proposed-numbers-are-taken-with-a-note', proposals)
check('/compare-models/a-rest-is-measured-by-its-size', at_rest)
check('/compare-models/says-when-none-can', none_can)
check('/compare-models/page-names-all', page)
check('/compare-models/says-which-pipes-are-heavy-in-the-hybrid-model-alone', pipes)
print(f'1..{count}')
sys.exit(1 if failures else 0)
