#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hydrolink fit and optimize: friction of the four-bar recovered from noisy responses, intervals that cover the truth as often as they
say, what data cannot tell, refusals; optima known by hand. TAP. Environment: HL_PROGRAM, HL_EXAMPLES_DIR; HL_FIT_SEEDS: noise seeds
of the campaign (6; 1000 in `./dev fits`), HL_FIT_JOBS: so many at once (2), HL_FIT_ROWS: a file that keeps them, of which a campaign
that was ended goes on, HL_FIT_PROGRAM: of which program they are. HL_FIT_EVENTS: random machines whose runs pass events (10; 2000 in
`./dev fits`), HL_FIT_FIRST: seed of the first one (1).
"""

import csv
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fit_machines
import tap

PROGRAM = os.environ['HL_PROGRAM']
FOUR_BAR = Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink'
SEEDS = int(os.environ.get('HL_FIT_SEEDS', '6'))
TRUTH = {'cyl.friction.Fc': 210, 'cyl.friction.Fs': 830, 'cyl.friction.vs': 0.0125, 'cyl.friction.sigma2': 330}
VARY = [word for bounds in ('Fc=20:2000', 'Fs=100:5000', 'vs=0.002:0.1', 'sigma2=10:3000')
        for word in ('--vary', f'cyl.friction.{bounds}')]
# A torque that grows for 0.1 s and goes at 0.15 s: the cylinder swings to ten times vs and comes to rest.
LIVELY = [word for setting in ('M2.signal.y.1=3000', 'M2.signal.y.2=3000', 'M2.signal.t.1=0.1', 'M2.signal.t.2=0.15',
                               'M2.signal.t.3=0.15', 'simulation.rtol=1e-6') for word in ('--set', setting)]
NOISE = 3e-4  # of the range of the trace


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=280, encoding='utf-8')


def fit(*arguments):
    result = run('fit', *arguments, '--json')
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def response(settings, t_end, every):
    text = subprocess.run([PROGRAM, 'simulate', str(FOUR_BAR), *settings, '--set', f'simulation.t_end={t_end}', '--set',
                           f'simulation.every={every}'], capture_output=True, check=True, encoding='utf-8').stdout
    rows = list(csv.DictReader(text.splitlines()))
    return [float(row['t [s]']) for row in rows], [float(row['phi2 [rad]']) for row in rows]


def write(path, t, y, noise, seed):
    chance = random.Random(seed)
    size = noise * (max(y) - min(y))
    with open(path, 'w', encoding='utf-8') as file:
        file.write('t [s],phi2 [rad]\n')
        file.writelines(f'{a!r},{b + chance.gauss(0, size)!r}\n' for a, b in zip(t, y))


def start_of(seed):
    """beside the truth, by up to a tenth of each number; of every tenth seed far from it"""
    if seed % 10 == 0:
        return dict(zip(TRUTH, (300, 1000, 0.02, 200)))
    chance = random.Random(-seed)
    return {path: value * chance.uniform(0.9, 1.1) for path, value in TRUTH.items()}


def fit_seed(top, t, y, seed):
    """[value, low, high] of each number"""
    path = Path(top) / f'{seed}.csv'
    write(path, t, y, NOISE, seed)
    start = [word for name, value in start_of(seed).items() for word in ('--set', f'{name}={value!r}')]
    found = fit(FOUR_BAR, '--measured', path, *VARY, *LIVELY, *start, '--jobs', 1)
    path.unlink()
    true(found['result'] == 'converged' and found['sensitivities'] == 'variational equations', f"seed {seed}: {found['result']}")
    true(not found['untold'], f"seed {seed}: {found['untold']}")
    return [[n['value'], n['low'], n['high']] for n in found['numbers']]


def kept_rows(path, program):
    """of seeds that this same program has fitted before"""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()]
    return {row['seed']: row['numbers'] for row in rows if row['program'] == program}


def test_coverage():
    """friction from noisy responses past three times vs: 95 % intervals hold the truth as often as they say"""
    t, y = response(LIVELY, 0.22, 0.001)
    path = Path(os.environ['HL_FIT_ROWS']) if 'HL_FIT_ROWS' in os.environ else None
    program = os.environ.get('HL_FIT_PROGRAM', '')
    rows = kept_rows(path, program)
    with tempfile.TemporaryDirectory() as top:
        def work(seed):
            if seed not in rows:
                rows[seed] = fit_seed(top, t, y, seed)
                if path is not None:
                    with open(path, 'a', encoding='utf-8') as file:  # one write a line
                        file.write(json.dumps({'seed': seed, 'program': program, 'numbers': rows[seed]}) + '\n')
        with ThreadPoolExecutor(int(os.environ.get('HL_FIT_JOBS', '2'))) as pool:
            list(pool.map(work, range(1, SEEDS + 1)))
    rows = [rows[seed] for seed in range(1, SEEDS + 1)]
    hits = [sum(row[k][1] <= truth <= row[k][2] for row in rows) for k, truth in enumerate(TRUTH.values())]
    half = [[(row[k][2] - row[k][1]) / 2 for row in rows] for k in range(len(TRUTH))]
    spread = [math.sqrt(sum(((row[k][0] - truth) / (a / 1.971)) ** 2 for row, a in zip(rows, half[k])) / SEEDS)
              for k, truth in enumerate(TRUTH.values())]
    print(f'# {SEEDS} seeds, covered: {dict(zip(TRUTH, hits))}; errors over standard deviations: '
          f'{[round(z, 3) for z in spread]}')
    # 950 +- 20 of 1000 is 2.9 deviations of the binomial law; a short form is allowed as many
    slack = 20 if SEEDS == 1000 else 2.9 * math.sqrt(SEEDS * 0.95 * 0.05)
    for path, n in zip(TRUTH, hits):
        true(abs(n - 0.95 * SEEDS) <= slack, f'{path}: {n} of {SEEDS}')


def test_untold():
    """on the small response friction is viscous, and the fit names combinations that it cannot tell"""
    t, y = response([], 2, 0.005)
    with tempfile.TemporaryDirectory() as top:
        write(f'{top}/small.csv', t, y, 0.01, 1)
        found = fit(FOUR_BAR, '--measured', f'{top}/small.csv', *VARY)
        told = [one['combination'] for one in found['untold']]
        held = [n['path'] for n in found['numbers'] if n['bound'] != 'inside']
        named = {path for path in TRUTH if any(path in text for text in told)} | set(held)
        true(len(told) + len(held) >= 2 and len(named) >= 3, f'{told} {held}')
        text = run('fit', FOUR_BAR, '--measured', f'{top}/small.csv', *VARY).stdout
        true('the data do not determine this combination' in text, text)


def test_accumulator():
    """precharge and index from starts far off: the accumulator begins and ceases to take oil at times that depend on both"""
    model = Path(__file__).parent / 'golden' / 'found' / 'accumulator-fit.hydrolink'
    truth = {'acc.precharge': 1e7, 'acc.polytropic_index': 1.2}
    vary = ('--vary', 'acc.precharge=2e6:5e7', '--vary', 'acc.polytropic_index=0.8:3')
    with tempfile.TemporaryDirectory() as top:
        result = run('simulate', model, *settings_of(truth), '--rtol', '1e-9')
        Path(f'{top}/m.csv').write_text(result.stdout, encoding='utf-8')
        for start in ((9.5e6, 1.4), (5e6, 1.2), (2e7, 1.4)):
            found = fit(model, '--measured', f'{top}/m.csv', *vary, *settings_of(dict(zip(truth, start))), '--jobs', 1)
            true(found['result'] == 'converged', found['result'])
            for number, want in zip(found['numbers'], truth.values()):
                true(math.isclose(number['value'], want, rel_tol=1e-5), f"{start}: {number}")
                true(number['low'] <= number['value'] <= number['high'], f'{start}: {number}')


def settings_of(numbers):
    return [word for path, value in numbers.items() for word in ('--set', f'{path}={value!r}')]


def write_noisy(path, rows, noise, seed):
    chance = random.Random(seed)
    columns = list(zip(*rows[1:]))
    sizes = [0] + [noise * (max(column) - min(column)) for column in columns[1:]]
    with open(path, 'w', encoding='utf-8') as file:
        csv.writer(file).writerows([rows[0]] + [[repr(x + chance.gauss(0, size)) if size else repr(x) for x, size in zip(row, sizes)]
                                                for row in rows[1:]])


def fit_machine(top, seed):
    """[[truth, value, low, high]] of a random machine, or why there is nothing to be fitted"""
    model, numbers = fit_machines.draw(seed)
    path, data = Path(top) / f'{seed}.hydrolink', Path(top) / f'{seed}.csv'
    path.write_text(json.dumps(model), encoding='utf-8')
    result = run('simulate', path, '--rtol', '1e-9')
    if result.returncode != 0:
        return 'does not run'
    lines = list(csv.reader(result.stdout.splitlines()))
    rows = lines[:1] + [[float(x) for x in row] for row in lines[1:]]
    noise = random.Random(seed).choice([0.003, 0.01])
    vary = [word for name, (_, _, low, high) in numbers.items() for word in ('--vary', f'{name}={low!r}:{high!r}')]
    # what the data can tell is asked of other noise, at the truth
    write_noisy(data, rows, noise, seed + 0.25)
    told = run('fit', path, '--measured', data, *vary, '--jobs', 1, '--json')
    if told.returncode != 0:
        return 'does not run beside the truth'
    told = json.loads(told.stdout)
    if told['untold'] or any(n['deviation'] is None or 2 * n['deviation'] > 0.1 * abs(n['value']) for n in told['numbers']):
        return 'cannot be given'
    write_noisy(data, rows, noise, seed + 0.75)
    start = settings_of({name: begin for name, (_, begin, _, _) in numbers.items()})
    found = fit(path, '--measured', data, *vary, *start, '--jobs', 1)
    path.unlink()
    data.unlink()
    true(found['sensitivities'] == 'variational equations', f"{seed}: {found['sensitivities']}")
    return [[truth, n['value'], n['low'], n['high']] for n, (truth, _, _, _) in zip(found['numbers'], numbers.values())]


def test_events():
    """numbers of machines whose runs pass events, from noisy runs and starts far off: 95 % intervals hold the truth as often as they say"""
    n, first = int(os.environ.get('HL_FIT_EVENTS', '10')), int(os.environ.get('HL_FIT_FIRST', '1'))
    wanted, why, tallies = n, {}, {}
    with tempfile.TemporaryDirectory() as top, ThreadPoolExecutor(int(os.environ.get('HL_FIT_JOBS', '2'))) as pool:
        # a few at a time: no more than are wanted
        seeds = range(first, first + 2 * n)
        batches = (pool.map(lambda seed: (seed, fit_machine(top, seed)), seeds[k:k + 5]) for k in range(0, 2 * n, 5))
        for seed, found in (one for batch in batches for one in batch):
            family = fit_machines.FAMILIES[seed % len(fit_machines.FAMILIES)].__name__
            if isinstance(found, str):
                why[f'{family} {found}'] = why.get(f'{family} {found}', 0) + 1
                continue
            for truth, value, low, high in found:
                hits = tallies.setdefault(family, [0, 0, 0])
                if low is None or high is None:
                    hits[2] += 1
                    continue
                hits[0] += low <= truth <= high
                hits[1] += 1
                if abs(value - truth) > 2 * (high - low):
                    print(f'# {family} {seed}: {value:.6g}, {low:.6g} to {high:.6g}, truth {truth:.6g}')
            wanted -= 1
            if wanted == 0:
                break
    held, all_of, without = (sum(column) for column in zip(*tallies.values()))
    print(f'# {n - wanted} fits, held, intervals and none: {tallies}; {why}')
    print(f'# {held} of {all_of} intervals hold the truth: {100 * held / all_of:.2f} %')
    # 93 to 97 % of many; of a few, 2.9 deviations of the binomial law
    slack = max(0.02, 2.9 * math.sqrt(0.95 * 0.05 / all_of))
    true(abs(held / all_of - 0.95) <= slack, f'{held} of {all_of}')
    true(without <= 0.02 * all_of, f'{without} numbers without intervals')


def test_several():
    """several runs at once, a time offset that is found, starts elsewhere; the same answer for any number of threads"""
    t, y = response(LIVELY, 0.22, 0.001)
    with tempfile.TemporaryDirectory() as top:
        shift = 0.0021
        write(f'{top}/a.csv', [a - shift for a in t if a > 0.01], [b for a, b in zip(t, y) if a > 0.01], 0, 1)
        write(f'{top}/b.csv', t, y, 0, 1)
        study = {'format': 'hydrolink-study', 'version': 1, 'model': str(FOUR_BAR),
                 'set': {'M2.signal.y.1': 3000, 'M2.signal.y.2': 3000, 'M2.signal.t.1': 0.1, 'M2.signal.t.2': 0.15,
                         'M2.signal.t.3': 0.15, 'simulation.rtol': 1e-6},
                 'vary': [{'path': 'cyl.friction.Fc', 'from': 100, 'to': 400, 'start': 300},
                          {'path': 'cyl.friction.vs', 'distribution': 'log-uniform', 'from': 0.005, 'to': 0.05, 'start': 0.03}],
                 'fit': {'runs': [{'file': 'a.csv', 'offset': {'from': -0.005, 'to': 0.005}}, {'file': 'b.csv'}], 'starts': 2}}
        Path(f'{top}/s.hlstudy').write_text(json.dumps(study), encoding='utf-8')
        found = fit(f'{top}/s.hlstudy', '--jobs', 1, '--points', f'{top}/p.csv', '--plot', f'{top}/p.svg')
        for number, want in zip(found['numbers'], (210, 0.0125, shift)):
            true(math.isclose(number['value'], want, rel_tol=1e-4), f"{number['path']} {number['value']}, expected {want}")
        true(found == fit(f'{top}/s.hlstudy', '--jobs', 3), 'other threads')
        true(Path(f'{top}/p.svg').read_bytes().startswith(b'<?xml'), 'picture')
        rows = list(csv.DictReader(Path(f'{top}/p.csv').read_text(encoding='utf-8').splitlines()))
        true(len(rows) == found['points'] and all(abs(float(r['residual [SI]'])) < 1e-7 for r in rows), 'points')


def test_kinks():
    """a fit passes valves that open and shut and a piston that meets its end, finds the number that made the measurement, and names them"""
    for model, number, off, t_end, every, names in (
            ('regenerative-extension', 'fluid.bulk_modulus', 1.2e9, 2.6, 0.05, ('dcv', 'cyl at its end')),
            ('crane-counterbalance', 'boom.mass', 600, 1.5, 0.05, ('cbv', 'dcv'))):
        path = FOUR_BAR.parent / f'{model}.hydrolink'
        fast = ('--set', 'simulation.rtol=1e-7')
        document = json.loads(path.read_text(encoding='utf-8'))
        first, last = number.split('.')
        want = next(body for body in document['bodies'] if body['id'] == first)[last] if first == 'boom' else document[first][last]
        result = run('simulate', path, *fast, '--set', f'simulation.t_end={t_end}', '--set', f'simulation.every={every}')
        rows = list(csv.reader(result.stdout.splitlines()))
        with tempfile.TemporaryDirectory() as top:
            with open(f'{top}/m.csv', 'w', encoding='utf-8') as file:
                csv.writer(file).writerows(row[:3] for row in rows)
            found = fit(path, '--measured', f'{top}/m.csv', '--vary', f'{number}={0.5 * want}:{2 * want}', *fast, '--set',
                        f'{number}={off}', '--jobs', 1)
        true(found['sensitivities'] == 'variational equations', found['sensitivities'])
        # the runs' own errors are 1e-7 of their states
        true(math.isclose(found['numbers'][0]['value'], want, rel_tol=1e-5), f"{number}: {found['numbers']}")
        true(any('kinks' in note and all(name in note for name in names) for note in found['notes']), found['notes'])


def test_refused():
    """slips are refused with the word that is wrong"""
    with tempfile.TemporaryDirectory() as top:
        Path(f'{top}/m.csv').write_text('t [s],phi2 [rad]\n0,0\n0.1,0\n0.2,0\n0.3,0\n', encoding='utf-8')
        Path(f'{top}/n.csv').write_text('t [s],nothing\n0,0\n0.1,0\n0.2,0\n', encoding='utf-8')
        base = ('fit', FOUR_BAR, '--vary', 'cyl.friction.Fc=20:2000')
        for word, line in (('measured', base), ('x.csv', (*base, '--measured', f'{top}/x.csv')),
                           ('n.csv', (*base, '--measured', f'{top}/n.csv')),
                           ('vary', ('fit', FOUR_BAR, '--measured', f'{top}/m.csv')),
                           ('fric', ('fit', FOUR_BAR, '--measured', f'{top}/m.csv', '--vary', 'cyl.fric=1:2')),
                           ('y.ssv', (*base, '--measured', f'{top}/m.csv', '--parameter-file', f'{top}/y.ssv')),
                           ('minimize', ('optimize', FOUR_BAR, '--vary', 'cyl.friction.Fc=20:2000')),
                           ('limit', ('optimize', FOUR_BAR, '--vary', 'cyl.friction.Fc=20:2000', '--minimize', 'max:p1',
                                      '--limit', 'max:p1')),
                           ('maxi', ('optimize', FOUR_BAR, '--vary', 'cyl.friction.Fc=20:2000', '--minimize', 'maxi:p1'))):
            result = run(*line)
            true(result.returncode == 2 and word in result.stderr, f'{line}: {result.returncode} {result.stderr}')


def test_stopped():
    """Ctrl+C ends an optimization within a run that is long, and with the best so far where there is one"""
    line = [PROGRAM, 'optimize', str(FOUR_BAR), '--vary', 'link2.mass=1:5', '--minimize', 'max:p1', '--method', 'crs', '--runs',
            '100000', '--tolerance', '1e-14']
    for t_end, words in (('1e6', 'before the end of the first run'), ('0.02', 'after')):
        with tempfile.TemporaryDirectory() as top:
            process = subprocess.Popen([*line, '--set', f'simulation.t_end={t_end}', '--set', 'simulation.every=0.01', '--set',
                                        'simulation.max_steps=1000000000', '--history', f'{top}/h.csv'], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, encoding='utf-8')
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            try:
                out, told = process.communicate(timeout=20)
            finally:
                process.kill()
            true(process.returncode == 1 and 'stopped by Ctrl+C' in told and words in told, f'{process.returncode} {told}')
            true(('best result so far' in out) == (words == 'after'), out)
            true(Path(f'{top}/h.csv').exists(), 'history')


def test_fit_stopped():
    """Ctrl+C ends a fit from one start, whose only thread is the one that asks, within its runs"""
    with tempfile.TemporaryDirectory() as top:
        Path(f'{top}/m.csv').write_text('t [s],phi2 [rad]\n' + ''.join(f'{k / 1000},{k % 7}e-4\n' for k in range(220)), encoding='utf-8')
        process = subprocess.Popen([PROGRAM, 'fit', str(FOUR_BAR), '--measured', f'{top}/m.csv', *VARY, *LIVELY, '--set',
                                    'simulation.rtol=1e-13', '--jobs', '1'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   encoding='utf-8')
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        try:
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()
        true(process.returncode == 1 and 'stopped' in told, f'{process.returncode} {told}')
        print(f'# {time.monotonic() - began:.1f} s after the key')


MASS = {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'g': [0, 0], 'left': [-1, 0]}},
        'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 3, 'inertia': 1, 'pose': [0, 0, 0]}],
        'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}],
        'loads': [{'id': 'k', 'kind': 'spring', 'a': 'ground.left', 'b': 'm.p', 'stiffness': 700, 'free_length': 1, 'damping': 11}]}


def test_optimum():
    """optima of a mass on a spring are those of the formulas: at a limit, and a front of two objectives"""
    with tempfile.TemporaryDirectory() as top:
        model = Path(top) / 'mass.hydrolink'
        model.write_text(json.dumps(MASS), encoding='utf-8')
        # the damped frequency sqrt (k/m - (c/2m)^2) / 2 pi at most 2 Hz
        want = 3 * ((4 * math.pi) ** 2 + (11 / 6) ** 2)
        for method in ('cobyla', 'bobyqa', 'sbplx', 'direct', 'crs', 'isres'):
            result = run('optimize', model, '--vary', 'k.stiffness=100:2000', '--maximize', 'frequency:2', '--limit', 'frequency:2<=2',
                         '--method', method, '--json', '--history', f'{top}/h.csv')
            found = json.loads(result.stdout)
            true(found['result'] == 'converged', f'{method}: {found}')
            # the usual tolerance, and a limit that counts as kept 1e-6 beyond
            true(math.isclose(found['best']['numbers']['k.stiffness'], want, rel_tol=5e-6), f'{method}: {found}, expected {want}')
            true(found['best']['keeps_limits'], found)
        rows = Path(f'{top}/h.csv').read_text(encoding='utf-8').splitlines()
        true(len(rows) == found['runs'] + 1, 'history')
        found = json.loads(run('optimize', model, '--vary', 'k.damping=1:60', '--vary', 'k.stiffness=100:2000', '--maximize', 'damping',
                               '--maximize', 'frequency:2', '--front', '5', '--runs', '60', '--json').stdout)
        front = [(p['measures']['damping'], p['measures']['frequency:2']) for p in found['front']]
        true(len(front) >= 4, front)
        # stiffer is faster and less damped: along the front one falls as the other grows, and damping stands at its end
        for a, b in zip(front, front[1:]):
            true(a[0] > b[0] and a[1] < b[1], front)


if __name__ == '__main__':
    sys.exit(tap.report(tap.tests_of(globals())))
