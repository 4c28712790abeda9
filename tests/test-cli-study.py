#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hydrolink study: the same bytes for any number of processes and any sharding, through kills, full disks and damage;
rows that fail; measures against what Python makes of `simulate`. TAP. Environment: HL_PROGRAM, HL_EXAMPLES_DIR;
HL_STUDY_KILLS: how many kills (8).
"""

import csv
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
FOUR_BAR = Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink'
KILLS = int(os.environ.get('HL_STUDY_KILLS', '8'))
CHANCE = random.Random(20261123)
# Some rows fail: where max_steps is too small for the friction. Short runs, for the machine is shared.
STUDY = (FOUR_BAR, '--vary', 'cyl.friction.Fc=100:300', '--vary', 'link2.mass=1:5:log', '--design', 'sobol:240', '--seed', '5',
         '--measure', 'max:p1', '--measure', 'rms:phi2', '--measure', 'reached', '--set', 'simulation.t_end=1.5')


def command(*arguments):
    return [PROGRAM, 'study', *map(str, arguments)]


def run(*arguments, **options):
    return subprocess.run(command(*arguments), capture_output=True, check=False, timeout=120, encoding='utf-8', **options)


def good(*arguments):
    result = run(*arguments)
    equal(result.returncode, 0, f'{arguments}: {result.stderr}')
    return result


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def table(folder):
    lines = [line for line in (Path(folder) / 'results.csv').read_text(encoding='utf-8').splitlines() if line[0] != '#']
    return list(csv.DictReader(lines))


def reference(top):
    """The table of an undisturbed run of one process; made once."""
    folder = Path(top) / 'reference'
    if not folder.exists():
        good('run', *STUDY, '--jobs', 1, '--out', folder)
    return (folder / 'results.csv').read_bytes()


def processes_of(folder):
    """Processes whose command line names the folder."""
    found = []
    for entry in Path('/proc').iterdir():
        if entry.name.isdigit():
            try:
                if str(folder).encode() in (entry / 'cmdline').read_bytes() and (entry / 'stat').read_text().split()[2] != 'Z':
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def test_same(top):
    """the same bytes for any number of processes, any shards in any order, and folders merged"""
    want = reference(top)
    for jobs in (2, 5):
        good('run', *STUDY, '--jobs', jobs, '--out', f'{top}/jobs{jobs}')
        equal(Path(f'{top}/jobs{jobs}/results.csv').read_bytes() == want, True, f'{jobs} processes')
    for part in (3, 1, 2):
        good('run', *STUDY, '--shard', f'{part}/3', '--out', f'{top}/shards')
    equal(Path(f'{top}/shards/results.csv').read_bytes() == want, True, 'shards')
    for part in (1, 2):
        good('run', *STUDY, '--shard', f'{part}/2', '--out', f'{top}/half{part}')
    result = run('merge', f'{top}/half1')
    equal(result.returncode, 1, f'a half is no whole: {result.stderr}')
    good('merge', f'{top}/half1', f'{top}/half2')
    equal(Path(f'{top}/half1/results.csv').read_bytes() == want, True, 'merged')
    status = json.loads(good('status', f'{top}/half1', '--json').stdout)
    equal((status['done'], status['rows'], status['results']), (240, 240, True), 'status')
    told = good('run', *STUDY, '--out', f'{top}/half1')
    true('240 rows' in told.stderr, told.stderr)


def test_kills(top):
    """killed at any moment, with any number of processes, it goes on to the same bytes; the processes end with it"""
    want = reference(top)
    done = 0
    while done < KILLS:
        folder = Path(top) / f'killed{done}'
        while True:
            process = subprocess.Popen(command('run', *STUDY, '--jobs', CHANCE.randint(1, 3), '--out', folder),
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(CHANCE.uniform(0.0, 0.9))
                equal(process.returncode, 0, 'a run that was left alone')
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                done += 1
        equal((folder / 'results.csv').read_bytes() == want, True, f'after kills, {folder}')
        equal([path.name for path in folder.glob('results.csv.*')], [], 'half a table left behind')
        deadline = time.monotonic() + 5
        while processes_of(folder) and time.monotonic() < deadline:
            time.sleep(0.05)
        equal(processes_of(folder), [], 'processes left behind')


def holds_rows(process):
    try:
        return any(os.readlink(link).endswith('.part') for link in Path(f'/proc/{process}/fd').iterdir())
    except OSError:
        return False


def test_hand_killed(top):
    """a process that is killed is replaced, and no row is lost or told as failed"""
    want = reference(top)
    folder = Path(top) / 'hands'
    process = subprocess.Popen(command('run', *STUDY, '--jobs', 2, '--out', folder), stderr=subprocess.DEVNULL)
    for _ in range(3):
        time.sleep(0.1)
        children = Path(f'/proc/{process.pid}/task/{process.pid}/children')
        ids = children.read_text().split() if children.exists() else []
        # of a parent that is killed, the lock goes at once
        deadline = time.monotonic() + 5
        while any(holds_rows(one) for one in ids) and time.monotonic() < deadline:
            time.sleep(0.01)
        equal([one for one in ids if holds_rows(one)], [], 'the file of rows is open in a process that computes')
        if ids:
            os.kill(int(CHANCE.choice(ids)), signal.SIGKILL)
    equal(process.wait(60), 0, 'the study')
    equal((folder / 'results.csv').read_bytes() == want, True, 'bytes')


def test_stop(top):
    """Ctrl+C keeps the rows done and says how many"""
    folder = Path(top) / 'stopped'
    process = subprocess.Popen(command('run', *STUDY, '--jobs', 1, '--out', folder), stderr=subprocess.PIPE, encoding='utf-8')
    part = folder / 'rows-1-of-1.part'
    while not part.exists() or part.stat().st_size < 1000:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=30)[1]
    equal(process.returncode, 1, told)
    true('stopped by Ctrl+C after' in told and 'repeat the command' in told, told)
    status = json.loads(good('status', folder, '--json').stdout)
    true(0 < status['done'] < 240, status)
    good('run', *STUDY, '--jobs', 2, '--out', folder)
    equal((folder / 'results.csv').read_bytes() == reference(top), True, 'bytes')


def test_full(top):
    """a full disk is a clear error, loses nothing, and the study goes on when there is room"""
    for limit in (6000, 9000, 12345):
        folder = Path(top) / f'full{limit}'
        result = run('run', *STUDY, '--jobs', 2, '--out', folder,
                     preexec_fn=lambda size=limit: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))
        equal(result.returncode, 1, f'{limit}: {result.stderr}')
        true('cannot be written' in result.stderr and 'File too large' in result.stderr, result.stderr)
        true(not (folder / 'results.csv').exists(), 'no table')
        for line in (folder / 'rows-1-of-1.part').read_text(encoding='utf-8').splitlines():
            equal(int(line[:8], 16), zlib.crc32(line[9:].encode()), 'a sound line')
        good('run', *STUDY, '--jobs', 2, '--out', folder)
        equal((folder / 'results.csv').read_bytes() == reference(top), True, 'bytes')


def test_damage(top):
    """lines that were cut or changed are computed again"""
    folder = Path(top) / 'damaged'
    good('run', *STUDY, '--jobs', 2, '--out', folder)
    part = folder / 'rows-1-of-1.part'
    data = bytearray(part.read_bytes())
    for _ in range(5):
        data[CHANCE.randrange(len(data))] ^= 1 << CHANCE.randrange(7)
    part.write_bytes(data[:-CHANCE.randrange(1, 30)])
    (folder / 'results.csv').unlink()
    result = good('run', *STUDY, '--out', folder)
    true('damaged' in result.stderr, result.stderr)
    equal((folder / 'results.csv').read_bytes() == reference(top), True, 'bytes')


def test_merge_of_itself(top):
    """rows that are there already are not taken again, be it from another folder or from this one"""
    folders = [Path(top) / name for name in ('mine', 'yours')]
    for folder in folders:
        good('run', *STUDY, '--out', folder)
    before = {path.name: path.read_bytes() for path in folders[0].iterdir()}
    for other in (folders[0], folders[1], folders[0] / '..' / 'mine'):
        good('merge', folders[0], other, other)
        equal({path.name: path.read_bytes() == before.get(path.name) for path in folders[0].iterdir()}, dict.fromkeys(before, True), str(other))


def test_pipe(top):
    """rows that have become a pipe are refused at once"""
    folder = Path(top) / 'piped'
    good('run', *STUDY, '--out', folder)
    part = folder / 'rows-1-of-1.part'
    part.unlink()
    os.mkfifo(part)
    for words in (('status', folder), ('run', *STUDY, '--out', folder)):
        result = subprocess.run([PROGRAM, 'study', *map(str, words)], capture_output=True, text=True, timeout=20, check=False)
        true(result.returncode == 2 and 'pipe' in result.stderr, f'{words}: {result.returncode} {result.stderr}')


def test_refused(top):
    """another study in a folder, two runs at once, and slips are refused, with the word that is wrong"""
    reference(top)
    for words, line in ((('another study',), ('run', *('6' if word == '5' else word for word in STUDY), '--out',
                                                f'{top}/reference')),
                        (('link2.mas',), ('run', FOUR_BAR, '--vary', 'link2.mas=1:2', '--design', 'grid:2', '--measure', 'max:p1',
                                          '--out', f'{top}/x')),
                        (('greater than 0',), ('run', FOUR_BAR, '--vary', 'link2.mass=-1:2', '--design', 'grid:2', '--measure',
                                               'max:p1', '--out', f'{top}/x')),
                        (('p9',), ('run', FOUR_BAR, '--vary', 'link2.mass=1:2', '--design', 'grid:2', '--measure', 'max:p9',
                                   '--out', f'{top}/x')),
                        (('maxi',), ('run', FOUR_BAR, '--vary', 'link2.mass=1:2', '--design', 'grid:2', '--measure', 'maxi:p1',
                                     '--out', f'{top}/x')),
                        (('saltelli',), ('run', FOUR_BAR, '--vary', 'link2.mass=1:2', '--design', 'halton:2', '--measure', 'max:p1',
                                       '--out', f'{top}/x')),
                        (('seed',), ('run', *('-1' if word == '5' else word for word in STUDY), '--out', f'{top}/x')),
                        (('DIR',), ('status',)), (('walk',), ('walk', FOUR_BAR)), (('I/N',), ('run', *STUDY, '--shard', '4/3',
                                                                                          '--out', f'{top}/x'))):
        result = run(*line)
        equal(result.returncode, 2, f'{line}: {result.stderr}')
        for word in words:
            true(word in result.stderr, f'{word}: {result.stderr}')
    for member, slip in (('measures', [{'measure': 'max:p1', 'mx': 1}]), ('correlations', [{'between': ['a', 'b'], 'vlue': 0.5}])):
        study = {'format': 'hydrolink-study', 'version': 1, 'model': str(FOUR_BAR), 'design': {'kind': 'grid', 'n': 2},
                 'vary': [{'path': 'link2.mass', 'from': 1, 'to': 2}], 'measures': ['max:p1'], member: slip}
        Path(f'{top}/slip.hlstudy').write_text(json.dumps(study), encoding='utf-8')
        result = run('run', f'{top}/slip.hlstudy', '--out', f'{top}/x')
        true(result.returncode == 2 and any(word in result.stderr for word in ('“mx”', '“vlue”')), result.stderr)
    true(not Path(f'{top}/x').exists(), 'nothing is left of what was refused')


def test_failures(top):
    """rows that fail say why, with element and time, and end nothing; --strict tells by the status"""
    line = ('run', FOUR_BAR, '--vary', 'cyl.stroke=0.2:0.9', '--design', 'grid:6', '--measure', 'max:phi2', '--measure', 'growth')
    good(*line, '--out', f'{top}/fail')
    rows = table(f'{top}/fail')
    equal(len(rows), 6, 'rows')
    true(any('cyl' in row['error'] for row in rows), 'an element is named')
    true(any(row['error'] == '' and row['max:phi2 [rad]'] != '' for row in rows), 'others go on')
    equal(run(*line, '--out', f'{top}/fail', '--strict').returncode, 1, '--strict')
    few = ('run', FOUR_BAR, '--vary', 'link2.mass=1:2', '--design', 'grid:2', '--measure', 'max:phi2', '--measure', 'reached',
           '--set', 'simulation.max_steps=60', '--out', f'{top}/few')
    good(*few)
    for row in table(f'{top}/few'):
        true('steps' in row['error'] and row['max:phi2 [rad]'] == '' and 0 < float(row['reached [s]']) < 4, row)


def test_measures(top):
    """measures are those that Python finds in the rows of simulate, also of numbers that shape the model"""
    kinds = ('min', 'max', 'last', 'mean', 'rms', 'settling', 'overshoot', 'rise', 'max-time', 'crossing')
    ask = [word for kind in kinds for word in ('--measure', f'{kind}:p1' + (':2.83e6' if kind == 'crossing' else ''))]
    good('run', FOUR_BAR, '--vary', 'cyl.friction.Fc=150,250', '--vary', 'link2.points.G.x=0,0.01', '--design', 'grid:1', *ask,
         '--out', f'{top}/measures')
    rows = table(f'{top}/measures')
    equal(len(rows), 4, 'a grid of tables')
    for row in rows:
        line = [PROGRAM, 'simulate', str(FOUR_BAR)]
        for path in ('cyl.friction.Fc', 'link2.points.G.x'):
            line += ['--set', f"{path}={next(value for name, value in row.items() if name.startswith(path))}"]
        text = subprocess.run(line, capture_output=True, check=True, encoding='utf-8').stdout
        cells = list(csv.DictReader(text.splitlines()))
        t, y = [float(c['t [s]']) for c in cells], [float(c['p1 [Pa]']) for c in cells]
        got = {kind: float(next(v for n, v in row.items() if n.startswith(f'{kind}:p1')) or 'nan') for kind in kinds}

        def integral(f):
            return sum((t[k] - t[k - 1]) * (f(y[k]) + f(y[k - 1])) / 2 for k in range(1, len(t)))

        def passing(level, up):
            for k in range(1, len(t)):
                if (y[k - 1] < level <= y[k]) if up else (y[k - 1] > level >= y[k]):
                    return t[k - 1] + (level - y[k - 1]) / (y[k] - y[k - 1]) * (t[k] - t[k - 1])
            return math.nan

        way, largest = y[-1] - y[0], max(abs(v - y[-1]) for v in y)
        outside = max(k for k, v in enumerate(y) if abs(v - y[-1]) > 0.02 * largest)
        edge = y[-1] + math.copysign(0.02 * largest, y[outside] - y[-1])
        either = [passing(2.83e6, up) for up in (True, False)]
        want = {'min': min(y), 'max': max(y), 'last': y[-1], 'mean': integral(lambda v: v) / t[-1],
                'rms': math.sqrt(integral(lambda v: v * v) / t[-1]), 'settling': t[outside] + (t[outside + 1] - t[outside]) * (edge - y[outside]) / (y[outside + 1] - y[outside]),
                'max-time': t[y.index(max(y))],
                'crossing': min((v for v in either if not math.isnan(v)), default=math.nan)}
        for kind, value in want.items():
            true(math.isclose(got[kind], value, rel_tol=1e-9) or (math.isnan(value) and math.isnan(got[kind])),
                 f'{kind}: {got[kind]}, expected {value}')
        # the way back of a closed circuit is a few parts in 1e9 of the pressure: what divides by it knows as many digits less
        true(math.isclose(got['overshoot'], max((v - y[0]) / way for v in y) - 1, rel_tol=1e-3), 'overshoot')


def test_file(top):
    """a study file does what the options do, with limits, correlations, names and several paths of one value"""
    study = {'format': 'hydrolink-study', 'version': 1, 'name': 'friction', 'model': os.path.relpath(FOUR_BAR, top),
             'set': {'simulation.t_end': 1.5},
             'vary': [{'path': 'cyl.friction.Fc', 'distribution': 'normal', 'mean': 200, 'deviation': 30, 'from': 100},
                      {'path': ['link2.mass', 'link4.mass'], 'distribution': 'log-normal', 'median': 3, 'deviation': 0.2}],
             'correlations': [{'between': ['cyl.friction.Fc', 'link2.mass'], 'value': 0.8}],
             'design': {'kind': 'lhs', 'n': 60, 'seed': 9},
             'measures': ['max:p1', {'measure': 'settling:phi2', 'name': 'calm', 'band': 0.05, 'max': 1.6}]}
    path = Path(top) / 'friction.hlstudy'
    path.write_text(json.dumps(study), encoding='utf-8')
    good('run', path, '--out', f'{top}/file')
    rows = table(f'{top}/file')
    equal(list(rows[0]), ['row', 'cyl.friction.Fc [N]', 'link2.mass,link4.mass [kg]', 'max:p1 [Pa]', 'calm [s]',
                          'within limits [1]', 'error'], 'heading')
    for row in rows:
        equal(row['within limits [1]'], '1' if float(row['calm [s]']) <= 1.6 else '0', 'limits')
    a = [(float(row['cyl.friction.Fc [N]']) - 200) / 30 for row in rows]
    b = [math.log(float(row['link2.mass,link4.mass [kg]']) / 3) / 0.2 for row in rows]
    r = sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    true(0.65 < r < 0.92, f'correlation {r}')
    head = [line for line in (Path(top) / 'file/results.csv').read_text(encoding='utf-8').splitlines() if line[0] == '#']
    true(any('lhs:60' in line for line in head) and any('seed: 9' in line for line in head), head)
    study['mesures'] = study.pop('measures')
    path.write_text(json.dumps(study), encoding='utf-8')
    result = run('run', path, '--out', f'{top}/file2')
    true(result.returncode == 2 and 'mesures' in result.stderr, result.stderr)


def test_parameter_file(top):
    """--parameter-file changes the model of all rows, before --set, and one that is not there is refused"""
    line = ('run', FOUR_BAR, '--vary', 'link2.mass=1,2', '--design', 'grid:2', '--measure', 'max:p1', '--set', 'simulation.t_end=0.5')
    result = run(*line, '--parameter-file', f'{top}/none.ssv', '--out', f'{top}/none')
    true(result.returncode == 2 and 'none.ssv' in result.stderr, f'{result.returncode} {result.stderr}')
    true(not Path(f'{top}/none').exists(), 'nothing is left')
    ssv = Path(top) / 'p.ssv'
    ssv.write_text('<?xml version="1.0"?><ssv:ParameterSet version="2.0" name="p" '
                   'xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"><ssv:Parameters>'
                   '<ssv:Parameter name="cyl.friction.Fc"><ssv:Real value="21"/></ssv:Parameter></ssv:Parameters>'
                   '</ssv:ParameterSet>', encoding='utf-8')
    good(*line, '--parameter-file', ssv, '--out', f'{top}/ssv')
    good(*line, '--set', 'cyl.friction.Fc=21', '--out', f'{top}/setting')
    good(*line, '--out', f'{top}/plain')
    equal(table(f'{top}/ssv') == table(f'{top}/setting'), True, 'the file says what --set says')
    true(table(f'{top}/ssv') != table(f'{top}/plain'), 'the file changes something')


def test_measure_members(top):
    """a slip in the name of a limit is refused, for the limit would be gone"""
    study = {'format': 'hydrolink-study', 'version': 1, 'model': str(FOUR_BAR), 'vary': [{'path': 'link2.mass', 'from': 1, 'to': 2}],
             'design': {'kind': 'grid', 'n': 2}, 'measures': [{'measure': 'max:p1', 'mx': 1}]}
    path = Path(top) / 'slip.hlstudy'
    path.write_text(json.dumps(study), encoding='utf-8')
    result = run('run', path, '--out', f'{top}/slip')
    true(result.returncode == 2 and 'mx' in result.stderr and 'max' in result.stderr, f'{result.returncode} {result.stderr}')


def test_progress_json(top):
    """--progress json tells how many seconds are left"""
    result = good('run', *(word if word != 'sobol:240' else 'sobol:2000' for word in STUDY), '--jobs', 1, '--progress', 'json',
                  '--out', f'{top}/progress')
    lines = [json.loads(line) for line in result.stderr.splitlines() if line.startswith('{')]
    true(lines and all(isinstance(line['left'], (int, float)) for line in lines if line['rate'] > 0), lines)
    true(lines[0]['left'] > 0, lines[0])


def test_statistics(top):
    """statistics: mean and quantiles of the table; a saltelli design tells which number a measure comes from"""
    reference(top)
    found = json.loads(good('statistics', f'{top}/reference', '--json').stdout)['measures'][0]
    values = sorted(float(row['max:p1 [Pa]']) for row in table(f'{top}/reference'))
    mean = sum(values) / len(values)
    true(math.isclose(found['mean'], mean, rel_tol=1e-12), found)
    true(math.isclose(found['deviation'], math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)), rel_tol=1e-9), found)
    true(math.isclose(found['median'], (values[119] + values[120]) / 2, rel_tol=1e-12), found)
    good('run', FOUR_BAR, '--vary', 'cyl.friction.Fc=100:300', '--vary', 'link2.mass=1:5', '--design', 'saltelli:64',
         '--measure', 'last:p1', '--set', 'simulation.t_end=0.2', '--out', f'{top}/saltelli')
    told = json.loads(good('statistics', f'{top}/saltelli', '--json').stdout)['measures'][0]['sensitivities']
    true(told[1]['first'] > 0.9 and told[0]['total'] < 0.1, told)
    for one in told:  # every index has its own interval
        for name in ('first', 'total'):
            low, high = one[f'{name}_95']
            true(low <= one[name] <= high and low < high, told)


def test_plots(top):
    """plot: each kind, as SVG and PNG"""
    reference(top)
    for kind in ('scatter', 'histogram', 'surface', 'pareto'):
        for ending, start in (('svg', b'<?xml'), ('png', b'\x89PNG')):
            picture = Path(top) / f'{kind}.{ending}'
            good('plot', f'{top}/reference', '--kind', kind, '--out', picture)
            data = picture.read_bytes()
            true(data.startswith(start) and b'nan' not in data.lower()[:2000], kind)


def test_submit(top):
    """submit writes an array job whose tasks make the study, and asks for missing shards only"""
    want = reference(top)
    folder = Path(top) / 'slurm'
    good('submit', *STUDY, '--shards', 3, '--out', folder)
    script = next(folder.glob('submit-slurm*'))
    true('--array=1-3' in script.read_text(encoding='utf-8'), script.read_text(encoding='utf-8'))
    for task in (1, 3):
        subprocess.run(['sh', str(script)], env={**os.environ, 'SLURM_ARRAY_TASK_ID': str(task)}, check=True, capture_output=True)
    good('submit', *STUDY, '--engine', 'slurm', '--shards', 3, '--out', folder)
    true('--array=2' in script.read_text(encoding='utf-8'), script.read_text(encoding='utf-8'))
    subprocess.run(['sh', str(script)], env={**os.environ, 'SLURM_ARRAY_TASK_ID': '2'}, check=True, capture_output=True)
    equal((folder / 'results.csv').read_bytes() == want, True, 'bytes')


def test_bits(top):
    """stability map, locus, sensitivities and frequency response have the same bits on one processor and with two to four threads"""
    boom = Path(os.environ['HL_EXAMPLES_DIR']) / 'excavator-arm.hydrolink'
    processors = os.sched_getaffinity(0)
    for line in (('stability-map', FOUR_BAR, '--x', 'cyl.friction.scale=log:1e-3:1:7', '--y', 'fluid.bulk_modulus=1e8:2e9:9'),
                 ('stability-map', FOUR_BAR, '--x', 'link2.points.G.x=0:0.1:5', '--y', 'link2.mass=1:3:6'),
                 ('sensitivity', FOUR_BAR, '--parameter', 'cyl.friction.scale', '--parameter', 'link2.mass', '--parameter',
                  'link2.points.G.x', '--parameter', 'fluid.bulk_modulus'),
                 ('sensitivity', boom, '--parameter', 'boom.points.pivot.x', '--parameter', 'fluid.bulk_modulus'),
                 ('root-locus', FOUR_BAR, '--parameter', 'cyl.friction.scale', '--from', 0.01, '--to', 1, '--scale', 'log'),
                 ('root-locus', boom, '--parameter', 'boom.mass', '--from', 300, '--to', 900),
                 ('root-locus', FOUR_BAR, '--parameter', 'link2.points.G.x', '--from', 0, '--to', 0.1, '--points', 40),
                 ('frequency-response', FOUR_BAR, '--input', 'M2.signal', '--output', 'phi2', '--from', 0.1, '--to', 100,
                  '--points', 900)):
        told = []
        for threads in (None, 2, 3, 4):
            allowed = processors if threads else {min(processors)}
            result = subprocess.run([PROGRAM, *map(str, line)], capture_output=True, check=False, timeout=120,
                                    env={**os.environ, **({'HL_THREADS': str(threads)} if threads else {})},
                                    preexec_fn=lambda these=allowed: os.sched_setaffinity(0, these))
            equal(result.returncode, 0, result.stderr)
            told.append(result.stdout)
        true(len(told[0]) > 200 and all(other == told[0] for other in told), f'{line[0]}: other bits')


def titled(test, place):
    def go():
        test(place)
    go.__doc__ = test.__doc__
    return go


TESTS = [test_same, test_kills, test_hand_killed, test_stop, test_full, test_damage, test_refused, test_failures, test_measures,
         test_file, test_statistics, test_plots, test_submit, test_bits]

if __name__ == '__main__':
    # a caller that goes on without its terminal ignores signals, and programs inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as place:
        sys.exit(tap.report([titled(test, place) for test in TESTS]))
