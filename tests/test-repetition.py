#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One thing many times over in a file: twice as many take twice the time, in every reader and every check, and drawings of
any size are made in a time that a person waits for. Doubling is judged by processor time, less that of a small file."""
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
N = 6000
# A square gives 4, a logarithm beside it 2.1.
MOST = 3.0
# Less than this is noise [s].
LEAST = 0.12
TRIES = 3
# The address sanitizer keeps what was freed.
SANITIZED = 'ASAN_OPTIONS' in os.environ
# meson has malloc fill every block, which makes a cost of memory that is only reserved.
os.environ.pop('MALLOC_PERTURB_', None)


def model(**members):
    return {'format': 'hydrolink', 'version': 1, 'name': 'n', 'gravity': [0, -9.81],
            'fluid': {'bulk_modulus': 1.5e9, 'density': 850}, 'ground': {'points': {'O': [0, 0]}}, **members}


def throttle(k):
    return {'id': f't{k}', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.01}


def line(k, *ports):
    return {'id': f'L{k}', 'ports': ports, 'volume': 1e-4, 'pressure': 1e5}


def pump(k):
    return {'id': f'p{k}', 'kind': 'flow-source', 'flow': 1e-4}


def accumulator(k):
    return {'id': f'a{k}', 'kind': 'accumulator', 'volume': 1e-3, 'precharge': 1e6}


def body(k, n_points=2):
    return {'id': f'b{k}', 'points': {f'P{i}': [i, 0] for i in range(n_points)}, 'mass': 1, 'inertia': 1, 'pose': [k, 0, 0]}


JOINT = {'id': 'j', 'kind': 'revolute', 'a': 'ground.O', 'b': 'b0.P0'}


def arm(**members):
    return model(bodies=[body(0)], joints=[JOINT], **members)


def row(n):
    """Throttles in a row, a line between each two."""
    return {'components': [throttle(k) for k in range(n)], 'lines': [line(k, f't{k}.B', f't{k + 1}.A') for k in range(n - 1)]}


MODELS = {
    'throttles': lambda n: model(components=[throttle(k) for k in range(n)]),
    'lines that join nothing': lambda n: model(lines=[line(k) for k in range(n)]),
    'throttles in a row': lambda n: model(**row(n)),
    'one port in a line': lambda n: model(components=[throttle(0), throttle(1)], lines=[line(0, *['t0.A'] * n, 't1.A')]),
    'ports in a line': lambda n: model(components=[throttle(k) for k in range(n)], lines=[line(0, *[f't{k}.A' for k in range(n)])]),
    'returns to one tank': lambda n: model(components=[{'id': 'tank', 'kind': 'tank'}] + [throttle(k) for k in range(n)],
                                           lines=[line(0, 'tank.T', *[f't{k}.B' for k in range(n)])]),
    'tanks': lambda n: model(components=[{'id': f'k{k}', 'kind': 'tank'} for k in range(n)] + [throttle(k) for k in range(n)],
                             lines=[line(k, f'k{k}.T', f't{k}.B') for k in range(n)]),
    'pumps, each to a tank': lambda n: model(
        components=[{'id': 'tank', 'kind': 'tank'}, *(pump(k) for k in range(n)), *(throttle(k) for k in range(n))],
        lines=[line('T', 'tank.T', *[f't{k}.B' for k in range(n)]), *(line(k, f'p{k}.P', f't{k}.A') for k in range(n))]),
    'blocked pumps': lambda n: model(components=[pump(k) for k in range(n)], lines=[line(k, f'p{k}.P') for k in range(n)]),
    'pumps into one line': lambda n: model(components=[throttle(0), *(pump(k) for k in range(n))],
                                           lines=[line(0, 't0.A', *[f'p{k}.P' for k in range(n)])]),
    'accumulators': lambda n: model(components=[throttle(0), *(accumulator(k) for k in range(n)), *(pump(k) for k in range(n))],
                                    lines=[line('A', 't0.A', 'a0.A'), *(line(k, f'p{k}.P', f'a{k}.A') for k in range(1, n))]),
    'check valves in a row': lambda n: model(
        components=[{'id': f't{k}', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5} for k in range(n)], lines=row(n)['lines']),
    'joints twice': lambda n: model(bodies=[body(k) for k in range(n // 2)], joints=[
        {**JOINT, 'id': f'j{k}{which}', 'b': f'b{k}.P0'} for k in range(n // 2) for which in 'ab']),
    'chain joined twice': lambda n: model(bodies=[body(k) for k in range(n // 12)], joints=[JOINT] + [
        {**JOINT, 'id': f'j{k}{which}', 'a': f'b{k - 1}.P1', 'b': f'b{k}.P0'} for k in range(1, n // 12) for which in 'ab']),
    'places by hand': lambda n: model(**row(n), layout={'circuit': {f't{k}': {'at': [0, 0]} for k in range(n)}}),
    'lines by hand': lambda n: model(**row(n), layout={'circuit': {f'L{k}': {'wires': [[[0, 0], [40, 0]]]} for k in range(n)}}),
    'ports that are not there': lambda n: model(lines=[line(k, f'no{k}.A', f'no{k}.B') for k in range(n)]),
    'bodies': lambda n: model(bodies=[body(k) for k in range(n)]),
    'bodies, each on a pin': lambda n: model(bodies=[body(k) for k in range(n // 2)],
                                             joints=[{**JOINT, 'id': f'j{k}', 'b': f'b{k}.P0'} for k in range(n // 2)]),
    'bodies on one body': lambda n: model(bodies=[body(k) for k in range(n // 2)], joints=[JOINT] + [
        {**JOINT, 'id': f'j{k}', 'a': 'b0.P1', 'b': f'b{k}.P0'} for k in range(1, n // 2)]),
    'bodies in a chain': lambda n: model(bodies=[body(k) for k in range(n // 2)], joints=[JOINT] + [
        {**JOINT, 'id': f'j{k}', 'a': f'b{k - 1}.P1', 'b': f'b{k}.P0'} for k in range(1, n // 2)]),
    'cylinders on a body': lambda n: arm(components=[
        {'id': f'c{k}', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'b0.P1', 'piston_area': 1e-3, 'rod_side_area': 1e-3,
         'volume_A': 1e-4, 'volume_B': 1e-4, 'stroke': 2, 'min_length': 0} for k in range(n // 2)]),
    'points of a body': lambda n: model(bodies=[body(0, n)]),
    'points of the ground': lambda n: model(ground={'points': {f'p{k}': [k, 0] for k in range(n)}}),
    'probes': lambda n: arm(probes=[{'id': f'q{k}', 'of': 'b0.angle'} for k in range(n)]),
    'loads': lambda n: arm(loads=[{'id': f'l{k}', 'kind': 'force', 'at': 'b0.P1', 'force': [1, 0]} for k in range(n)]),
    'parameter sets': lambda n: model(components=[throttle(0)],
                                      parameter_sets=[{'name': f's{k}', 'values': {'t0.diameter': 0.01}} for k in range(n)]),
    'sets of one name': lambda n: model(components=[throttle(0)],
                                        parameter_sets=[{'name': 's', 'values': {'t0.diameter': 0.01}} for k in range(n)]),
    'values of a set': lambda n: model(components=[throttle(k) for k in range(n)],
                                       parameter_sets=[{'name': 's', 'values': {f't{k}.diameter': 0.01 for k in range(n)}}]),
    'sliders': lambda n: model(components=[throttle(0)],
                               sliders=[{'path': 't0.diameter', 'from': 0.01, 'to': 0.02} for k in range(n)]),
    'plots': lambda n: arm(probes=[{'id': 'q', 'of': 'b0.angle'}], plots=[{'traces': ['q']} for k in range(n)]),
    'traces of a plot': lambda n: arm(probes=[{'id': 'q', 'of': 'b0.angle'}], plots=[{'traces': ['q'] * n}]),
    'members that nobody knows': lambda n: model(components=[{**throttle(0), **{f'u{k}': k for k in range(n)}}]),
    'components of one id': lambda n: model(components=[throttle(0) for k in range(n)]),
    'kinds that nobody knows': lambda n: model(components=[{'id': f'x{k}', 'kind': 'nonsense'} for k in range(n)]),
    'points of a table': lambda n: arm(loads=[{'id': 'l', 'kind': 'torque', 'body': 'b0', 'torque':
                                               {'kind': 'table', 't': list(range(n)), 'value': [k % 7 for k in range(n)]}}]),
    'parts of a sum': lambda n: arm(loads=[{'id': 'l', 'kind': 'torque', 'body': 'b0', 'torque':
                                            {'kind': 'sum', 'of': [{'kind': 'constant', 'value': 1}] * n}}]),
    'nothing in nothing': lambda n: model(notes=json.loads('[' * min(n // 40 + 1, 400) + ']' * min(n // 40 + 1, 400))),
}

# Files beside a model: what is written into which file, and the command that reads it.
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
READERS = {
    'parameters of an .ssv': (
        'x.ssv', lambda n: '<ParameterSet><Parameters>' + '\n'.join(
            f'<Parameter name="cyl.friction.Fc"><Real value="{k + 1}"/></Parameter>' for k in range(n)) + '</Parameters></ParameterSet>',
        lambda path: ['validate', FOUR_BAR, '--parameter-file', path]),
    'units of an .ssv': (
        'x.ssv', lambda n: '<ParameterSet><Parameters><Parameter name="cyl.friction.Fc"><Real value="1" unit="u1"/></Parameter></Parameters>'
        '<Units>' + '\n'.join(f'<Unit name="u{k}"><BaseUnit kg="1" m="1" s="-2"/></Unit>' for k in range(n)) + '</Units></ParameterSet>',
        lambda path: ['validate', FOUR_BAR, '--parameter-file', path]),
    'elements within elements of an .ssv': (
        'x.ssv', lambda n: '<ParameterSet>' + '<x>' * n + '</x>' * n + '</ParameterSet>',
        lambda path: ['validate', FOUR_BAR, '--parameter-file', path]),
    'moves of a tape': (
        'x.hltape', lambda n: json.dumps({'format': 'hydrolink-tape', 'version': 1, 'tick': 0.01, 'end': 1e9, 'moves':
                                          [{'t': 1e6 + k, 'lever': 'dcv.command', 'value': 0.1 * (k % 3)} for k in range(n)]}),
        lambda path: ['simulate', FOUR_BAR, '--tape', path, '--t-end', '0.001', '--out', '/dev/null']),
    'steps of a lesson': (
        'x.hllesson', lambda n: f'---\ntitle: T\nmodel: {FOUR_BAR}\n---\n' + ''.join(f'# S {k}\nWords.\n' for k in range(n)),
        lambda path: ['lesson', 'check', path]),
    'lines of a measured table': (
        'x.csv', lambda n: 't [s],phi2 [rad]\n' + ''.join(f'{k},0.{k}\n' for k in range(20 * n)) + 'end\n',
        lambda path: ['fit', FOUR_BAR, '--measured', path, '--vary', 'cyl.friction.Fc=1:2']),
}


def processor_time(words, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PROGRAM, *map(str, words)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def judge(name, write, command, folder, n=N):
    """What is wrong with the growth of one kind; None: nothing."""
    def cost(many):
        path = Path(folder) / write[0]
        path.write_text(write[1](many), encoding='utf-8')
        return processor_time(command(path), folder)
    start = cost(2)
    for _ in range(TRIES):
        once, twice = cost(n) - start, cost(2 * n) - start
        if twice < LEAST or twice < MOST * once:
            return None
    return f'{n} {name}: {once:.3f} s, twice as many {twice:.3f} s'


def judge_all(cases, n=N):
    with tempfile.TemporaryDirectory() as folder:
        faults = [fault for name, write, command in cases if (fault := judge(name, write, command, folder, n))]
    if faults:
        raise AssertionError('; '.join(faults))


def test_checks():
    """/repetition/checks-of-a-model"""
    judge_all((name, ('x.hydrolink', lambda n, make=make: json.dumps(make(n))), lambda path: ['validate', path])
              for name, make in MODELS.items())


def test_pictures():
    """/repetition/pictures-of-a-model"""
    judge_all((name, ('x.hydrolink', lambda n, make=make: json.dumps(make(n))), lambda path: ['thumbnail', path, '--out', 'p.png'])
              for name, make in MODELS.items())


def test_readers():
    """/repetition/files-beside-a-model"""
    judge_all(((name, (file, make), command) for name, (file, make, command) in READERS.items()), 5 * N)


def test_thumbnail_gives_up():
    """/repetition/a-thumbnail-takes-two-seconds-at-most"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'x.hydrolink'
        path.write_text(json.dumps(MODELS['one port in a line'](2000)), encoding='utf-8')
        for words, status in ((['thumbnail', path, '--out', 'p.png'], 0),):
            took = processor_time(words, folder)
            if took > 1.0:
                raise AssertionError(f'{took} s')
        path.write_text(json.dumps(MODELS['throttles in a row'](100000)), encoding='utf-8')
        out = Path(folder) / 'q.png'
        done = subprocess.run([PROGRAM, 'thumbnail', path, '--out', out], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode not in (0, 1, 2) or (done.returncode != 0 and (out.exists() or not done.stderr)):
            raise AssertionError(f'{done.returncode} {done.stderr}')
        # far apart, and wires as long as that
        far = model(**row(3), layout={'circuit': {'t0': {'at': [-999998, -999998]}, 't1': {'at': [999998, 999998]},
                                                  'L1': {'wires': [[[-999998, 0], [999998, 0]]] * 200}}})
        path.write_text(json.dumps(far), encoding='utf-8')
        took = processor_time(['thumbnail', path, '--out', out], folder)
        if took > 1.0 or not out.exists():
            raise AssertionError(f'far apart: {took} s')


def most_memory(words, folder):
    """Bytes that a command held at most."""
    with subprocess.Popen([PROGRAM, *map(str, words)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        _, _, used = os.wait4(child.pid, 0)
        child.returncode = 0
    return 1024 * used.ru_maxrss


def test_table_memory():
    """/repetition/a-table-takes-its-size-and-three-times-its-numbers"""
    # the column is no probe, so that the table is read and no fit begins
    tables = (('lines', '\n' * (32 << 20), 0), ('numbers', 't [s],nothing\n' + ''.join(f'{k},0.{k}\n' for k in range(1500000)), 3000000),
              ('columns', ',' * (8 << 20) + '\n', 0), ('cells', 'a' * (8 << 20) + '\n1\n', 1), ('quotes', '"' * (8 << 20), 0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'x.csv'
        path.write_text('t,x\n0,0\n', encoding='utf-8')
        words = ['fit', FOUR_BAR, '--measured', path, '--vary', 'cyl.friction.Fc=1:2']
        start = most_memory(words, folder)
        for name, text, n_numbers in tables:
            path.write_text(text, encoding='utf-8')
            # what is read grows by blocks, and a page here and there is not given back
            bound = 1.1 * (path.stat().st_size + 3 * 8 * n_numbers) + (24 << 20)
            took = most_memory(words, folder) - start
            if took > bound and not SANITIZED:
                raise AssertionError(f'{name}: {took / 2**20:.0f} MiB for {path.stat().st_size / 2**20:.0f} MiB with {n_numbers} numbers')


sys.exit(tap.report(tap.tests_of(globals())))
