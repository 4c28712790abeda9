#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Long commands that are stopped, killed, or find no room to write: what was done is kept, whole rows
only, and the message says where and why. TAP. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import fcntl
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
STICK_SLIP = EXAMPLES / 'stick-slip.hydrolink'
ARM = EXAMPLES / 'metering-arm.hydrolink'
SCALE = 'cyl.friction.scale'
CHANCE = random.Random(20260407)

# Each takes far longer than this program waits; the second is where its rows go: a file, or standard output.
LONG_RUN = ('simulate', FOUR_BAR, '--t-end', 900, '--every', 0.0002)
LONG_SWEEP = ('sweep', FOUR_BAR, '--parameter', f'{SCALE}=log:1e-3:1:100000', '--measure', 'last:p1', '--t-end', 0.05)
LONG_MAP = ('quasistatic', ARM, '--actuator', 'cyl', '--velocity=-0.2:0.2:1000000')
LONG_LOCUS = ('root-locus', FOUR_BAR, '--parameter', SCALE, '--from', 0.01, '--to', 1, '--points', 1000000)
LONG_PLANE = ('stability-map', FOUR_BAR, '--x', f'{SCALE}=log:1e-3:1:1000', '--y', 'fluid.bulk_modulus=1e8:2e9:1000')
SLOPES_OF = tuple(word for _ in range(64) for word in ('--parameter', 'arm3.mass'))  # as many as it takes


N_ARMS = 40  # whose crossings take far longer to find than the few rows of the locus


def environment():
    return {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}


def start(arguments, out):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], env=environment(), stdout=out, stderr=subprocess.PIPE)


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment(), capture_output=True, check=False,
                          timeout=120, encoding='utf-8', **options)


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def true(condition, what):
    if not condition:
        raise AssertionError(what)


PAGE = 4096


def whole_rows(data, what):
    """The rows of a table; every line must end and have the cells of the header."""
    true(data.endswith(b'\n'), f'{what}: the last line has no end: {data[-80:]!r}')
    lines = data.decode('utf-8').splitlines()
    for line in lines:
        equal(line.count(','), lines[0].count(','), f'{what}: {line!r}')
        true('\0' not in line, what)
    return lines


def without_torn_line(data, what):
    """The kernel looks for a kill between two pages of a file: a line that lies across the edge may end there, and
    nowhere else (seen once in several thousand kills)."""
    if data.endswith(b'\n'):
        return data
    equal(len(data) % PAGE, 0, f'{what}: the last line has no end: {data[-80:]!r}')
    return data[:data.rindex(b'\n') + 1]


def wait_for(process, path, least, limit=60):
    """Until the file has grown so far."""
    until = time.monotonic() + limit
    while time.monotonic() < until and process.poll() is None and os.stat(path).st_size < least:
        time.sleep(0.01)


def wait_until_heard(process, number, limit=60):
    """Until the program has a handler of its own for the signal: before, it would just die of it."""
    until = time.monotonic() + limit
    while time.monotonic() < until and process.poll() is None:
        try:
            status = Path(f'/proc/{process.pid}/status').read_text(encoding='ascii')
        except OSError:
            return
        if int(re.search(r'SigCgt:\s*([0-9a-f]+)', status)[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.001)


def spent(process):
    """Seconds of processor time that the running process has used so far."""
    try:
        fields = Path(f'/proc/{process.pid}/stat').read_text(encoding='ascii').rpartition(')')[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def wait_until_spent(process, seconds, limit=120):
    """Until the process has used so much processor time: how long that takes depends on the load of the machine."""
    until = time.monotonic() + limit
    while time.monotonic() < until and process.poll() is None and spent(process) < seconds:
        time.sleep(0.01)


def stop_at_once(arguments, number, folder, least=20000):
    """The command, stopped when some rows are there: its rows and what it said."""
    out = folder / 'out.csv'
    # where no row says that the work has begun, a moment may be too early or too late
    for delay in (0.3, 0.1, 1, 3, 8) if least == 0 else (0,):
        with open(out, 'wb') as stream:
            process = start(arguments, stream)
            if least > 0:
                wait_for(process, out, least)
            else:
                wait_until_heard(process, number)
            time.sleep(delay)
            process.send_signal(number)
            _, said = process.communicate(timeout=60)
        if process.returncode == 1 and out.read_bytes().count(b'\n') > 2:
            break
    equal(process.returncode, 1, f'{arguments[0]}: {said}')
    return out.read_bytes(), said.decode('utf-8')


def test_signals():
    """Ctrl+C, SIGTERM and SIGHUP on every long command: status 1, who, where, and the rows that were done"""
    names = {signal.SIGINT: 'Ctrl+C', signal.SIGTERM: 'SIGTERM', signal.SIGHUP: 'SIGHUP'}
    with tempfile.TemporaryDirectory() as temporary:
        for arguments in (LONG_RUN, LONG_SWEEP, LONG_MAP):
            for number, name in names.items():
                data, said = stop_at_once(arguments, number, Path(temporary), 300)
                rows = whole_rows(data, arguments[0])
                true(f'stopped by {name} ' in said, said)
                true(len(rows) > 2, f'{arguments[0]}: {len(rows)} lines')
        slopes = ('sensitivity', upright(Path(temporary) / 'upright.hydrolink', 4 * N_ARMS)) + SLOPES_OF
        for arguments in (LONG_LOCUS, LONG_PLANE, slopes):
            for number in (signal.SIGINT, signal.SIGTERM):
                data, said = stop_at_once(arguments, number, Path(temporary), 0)
                rows = data.decode('utf-8').splitlines()
                true(len(rows) > 2, f'{arguments[0]}: {len(rows)} lines')
                true(re.search(rf'stopped by {re.escape(names[number])} after \d+ of \d+ ', said), said)


def upright(path, n):
    """A file with n arms that stand upright on springs, each heavy in another height: each falls at another stiffness"""
    model = {'format': 'hydrolink', 'version': 1, 'name': 'upright', 'gravity': [0, -9.81],
             'ground': {'points': {'O': [0, 0]}},
             'bodies': [{'id': f'arm{k}', 'mass': 1, 'inertia': 0.01, 'pose': [0, 0, 0], 'com': [0, 0.3 + 0.6 * k / n],
                         'points': {'O': [0, 0]}} for k in range(n)],
             'joints': [{'id': f'pin{k}', 'kind': 'revolute', 'a': 'ground.O', 'b': f'arm{k}.O'} for k in range(n)],
             'loads': [{'id': f's{k}', 'kind': 'torsion-spring', 'a': 'ground', 'b': f'arm{k}', 'stiffness': 10,
                        'damping': 0.2, 'free_angle': 0} for k in range(n)],
             'components': [], 'lines': [], 'simulation': {'start': 'as-given'}}
    path.write_text(json.dumps(model), encoding='utf-8')
    return path


def test_crossings():
    """Ctrl+C while root-locus looks for crossings: status 1 at once, all rows, and how many branches were searched"""
    with tempfile.TemporaryDirectory() as temporary:
        file = upright(Path(temporary) / 'upright.hydrolink', N_ARMS)
        out = Path(temporary) / 'out.json'
        seen = set()
        # where the search begins is not told: what was stopped earlier or later is tried again at another moment
        for delay in (0.7, 0.3, 1.5, 3, 0.15, 6):
            with open(out, 'wb') as stream:
                process = start(('root-locus', file, '--from', 1, '--to', 20, '--points', 8, '--json',
                                 *(word for k in range(N_ARMS) for word in ('--parameter', f's{k}.stiffness'))), stream)
                wait_until_heard(process, signal.SIGINT)
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=60)
            answer = json.loads(out.read_bytes() or b'{}')
            seen.add(said.decode()[-100:])
            stopped = re.search(rb'stopped by Ctrl\+C after (\d+) of (\d+) branches, in the search for crossings', said)
            if stopped:
                equal(process.returncode, 1, said)
                equal(len(answer['values']), 8, 'rows')
                true(int(stopped[1]) < int(stopped[2]), said)
                return
        raise AssertionError(f'never met in the search: {seen}')


def chain(path, n, **simulation):
    """A file with n links that hang on each other and are let go level: far from where they rest."""
    model = {'format': 'hydrolink', 'version': 1, 'name': 'chain', 'gravity': [0, -9.81],
             'fluid': {'bulk_modulus': 1.5e9, 'density': 850}, 'ground': {'points': {'O': [0, 0]}},
             'bodies': [{'id': f'b{k}', 'mass': 1, 'inertia': 0.01, 'pose': [0.2 * k + 0.1, 0, 0],
                         'points': {'A': [-0.1, 0], 'B': [0.1, 0]}} for k in range(n)],
             'joints': [{'id': f'j{k}', 'kind': 'revolute', 'a': 'ground.O' if k == 0 else f'b{k - 1}.B',
                         'b': f'b{k}.A'} for k in range(n)],
             'loads': [], 'components': [], 'lines': [], 'simulation': simulation}
    path.write_text(json.dumps(model), encoding='utf-8')
    return path


def test_one_answer():
    """commands with one answer at the end, stopped before: status 1, which command and by what, and nothing is written"""
    with tempfile.TemporaryDirectory() as folder:
        file, out = chain(Path(folder) / 'chain.hydrolink', 150), Path(folder) / 'out.m'
        for arguments in (('equilibrium', file), ('modes', file), ('linearize', file, '--at', 'equilibrium', '--out', out)):
            for number, name in ((signal.SIGINT, 'Ctrl+C'), (signal.SIGTERM, 'SIGTERM'), (signal.SIGHUP, 'SIGHUP')):
                process = start(arguments, subprocess.PIPE)
                wait_until_heard(process, number)
                process.send_signal(number)
                shown, said = process.communicate(timeout=60)
                equal((process.returncode, shown), (1, b''), f'{arguments[0]}: {said}')
                equal(said.decode().strip(), f'hydrolink: {arguments[0]}: stopped by {name} before anything was written',
                      arguments[0])
                true(not out.exists(), 'a file is there')


def test_on_the_way():
    """linearize --at TIME, stopped: status 1, and where it was going"""
    with tempfile.TemporaryDirectory() as folder:
        process = start(('linearize', chain(Path(folder) / 'pendulum.hydrolink', 2, start='as-given'), '--at', '100000'), subprocess.PIPE)
        wait_until_heard(process, signal.SIGTERM)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        shown, said = process.communicate(timeout=60)
    equal((process.returncode, shown), (1, b''), said)
    if b'before anything' not in said:
        true(b'stopped by SIGTERM before t = 100000 s; nothing was written' in said, said)


def test_late():
    """Ctrl+C while the answer is being written takes none of it"""
    for arguments in (('root-locus', FOUR_BAR, '--parameter', SCALE, '--from', 0.1, '--to', 1, '--points', 2000),
                      ('stability-map', FOUR_BAR, '--x', f'{SCALE}=log:1e-3:1:60', '--y', 'fluid.bulk_modulus=1e8:2e9:60'),
                      ('linearize', FOUR_BAR, '--json', '--at', 'equilibrium')):
        whole = run(*arguments)
        equal(whole.returncode, 0, whole.stderr)
        room, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        process = start(arguments, writer)
        os.close(writer)
        waiting = bytearray(4)
        until = time.monotonic() + 60
        while time.monotonic() < until and int.from_bytes(waiting, sys.byteorder) < 2000:
            fcntl.ioctl(room, termios.FIONREAD, waiting)
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        with os.fdopen(room, 'rb') as stream:
            equal(stream.read().decode('utf-8'), whole.stdout, f'{arguments[0]}: the answer')
        equal(process.wait(timeout=60), 0, arguments[0])
        process.stderr.close()


def test_where():
    """The message of a stopped run says how far it came, and the last row is not beyond"""
    with tempfile.TemporaryDirectory() as temporary:
        data, said = stop_at_once(LONG_RUN, signal.SIGTERM, Path(temporary))
        reached = re.search(r'(\d+) rows are written: stopped by SIGTERM at t = ([\d.e+-]+) s of 900 s', said)
        true(reached, said)
        rows = whole_rows(data, 'simulate')
        equal(len(rows) - 1, int(reached[1]), said)
        last = float(rows[-1].split(',')[0])
        true(0 < last <= float(reached[2]) * (1 + 1e-5), f'{last}: {said}')


def test_search():
    """Ctrl+C while the state of rest is searched, which has no rows: status 1 at once, in every command that begins there"""
    with tempfile.TemporaryDirectory() as folder:
        file = chain(Path(folder) / 'chain.hydrolink', 150)
        for arguments in (('simulate', file), ('simulate', file, '--out', Path(folder) / 'run.mat'), ('compare-models', file),
                          ('report', file, '--out', Path(folder) / 'report'), ('sensitivity', file, '--parameter', 'b3.mass'),
                          ('root-locus', file, '--parameter', 'b3.mass', '--from', 1, '--to', 2),
                          ('stability-map', file, '--x', 'b3.mass=1,2', '--y', 'b4.mass=1,2'),
                          ('sweep', file, '--parameter', 'b3.mass=1,2', '--measure', 'last:b3.angle')):
            # The search by steps of time begins after 0.3 s; one of its evaluations takes up to 5 s.
            for seconds in (0.1, 0.7):
                before = os.times()
                process = start(arguments, subprocess.PIPE)
                wait_until_heard(process, signal.SIGINT)
                wait_until_spent(process, seconds)
                until = spent(process)
                process.send_signal(signal.SIGINT)
                shown, said = process.communicate(timeout=120)
                after = os.times()
                equal(process.returncode, 1, f'{arguments[0]}: {said}')
                true(b'stopped by Ctrl+C' in said, f'{arguments[0]}: {said}')
                true(shown.count(b'\n') <= 1, f'{arguments[0]}: {shown}')
                used = after.children_user + after.children_system - before.children_user - before.children_system - until
                true(used < 0.6, f'{arguments[0]} goes on for {used:.2f} s of processor time after the signal at {until:.2f} s')


def test_losses():
    """Ctrl+C in the run that finds the losses, behind the rows; what --losses names stays what it is"""
    with tempfile.TemporaryDirectory() as folder:
        file = chain(Path(folder) / 'pendulum.hydrolink', 3, start='as-given', t_end=60, every=60)
        out, losses = Path(folder) / 'rows.csv', Path(folder) / 'losses.csv'
        process = start(('simulate', file, '--out', out, '--losses', losses), subprocess.DEVNULL)
        until = time.monotonic() + 100
        while time.monotonic() < until and (not out.exists() or out.read_bytes().count(b'\n') < 3):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        equal(process.returncode, 1, said)
        true(b'stopped by Ctrl+C in the run for the energy losses' in said and os.fsencode(losses) + b' is not written' in said, said)
        true(not losses.exists(), 'half of the losses')
        equal(len(whole_rows(out.read_bytes(), 'simulate')), 3, 'rows')
        # names of one file stay together, a pipe stays a pipe
        other, pipe = Path(folder) / 'other.csv', Path(folder) / 'pipe'
        losses.write_text('old\n', encoding='utf-8')
        os.link(losses, other)
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        for name in (losses, pipe):
            result = run('simulate', FOUR_BAR, '--t-end', 0.1, '--losses', name)
            equal(result.returncode, 0, result.stderr)
        equal(other.read_bytes(), losses.read_bytes(), 'the other name')
        equal(os.read(reader, 100000), losses.read_bytes(), 'through the pipe')
        os.close(reader)


def test_help_pages():
    """help --out, stopped: status 1, how many pages there are, and each of them is whole"""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / 'help'
        process = start(('help', '--out', folder), subprocess.DEVNULL)
        until = time.monotonic() + 60
        while time.monotonic() < until and not list(folder.glob('*.html')):
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        equal(process.returncode, 1, said)
        stopped = re.search(r'stopped by SIGTERM after (\d+) of (\d+) pages', said.decode())
        true(stopped, said)
        pages = sorted(folder.glob('*.html'))
        equal(len(pages), int(stopped[1]), said)
        for page in pages:
            true(page.read_text(encoding='utf-8').endswith('</html>\n'), page)
        equal({path.suffix for path in folder.iterdir()} - {'.html', '.svg'}, set(), 'left behind')


def test_folders():
    """report and reproduce, stopped: status 1, and what was done is in the folder"""
    with tempfile.TemporaryDirectory() as temporary:
        # A run of many steps and few rows: what was done is written, and rows of hundreds of seconds took twenty.
        for name, arguments, least in (('report', ('report', STICK_SLIP, '--t-end', 1e5, '--every', 2), 'report.md'),
                                       ('reproduce', ('reproduce',), None)):
            folder = Path(temporary) / name
            process = start((*arguments, '--out', folder), subprocess.DEVNULL)
            wait_until_heard(process, signal.SIGINT)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=100)
            equal(process.returncode, 1, said)
            true(b'stopped by Ctrl+C' in said, said)
            true(least is None or (folder / least).exists(), f'{name}: {least}')
        page = (Path(temporary) / 'report' / 'report.md').read_text(encoding='utf-8')
        true('stopped by Ctrl+C at t = ' in page, page)


def test_killed():
    """kill -9 at random points: whole rows in the file, in every command that writes as it goes"""
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary) / 'rows.csv'
        for round_ in range(12):
            arguments = (LONG_RUN, LONG_MAP, LONG_SWEEP)[round_ % 3]
            by_name = arguments is LONG_RUN and round_ % 2 == 0
            with open(out, 'wb') as stream:
                process = start((*arguments, '--out', out) if by_name else arguments,
                                subprocess.DEVNULL if by_name else stream)
                wait_for(process, out, 200)
                time.sleep(CHANCE.uniform(0, 0.3))
                process.kill()
                process.communicate(timeout=60)
            whole_rows(without_torn_line(out.read_bytes(), arguments[0]), arguments[0])


def test_reader_goes():
    """a pipe whose reader has gone ends the command"""
    process = start(LONG_RUN, subprocess.PIPE)
    select.select([process.stdout], [], [], 60)
    process.stdout.read(100)
    process.stdout.close()
    process.wait(timeout=60)
    true(process.returncode != 0, process.returncode)
    process.stderr.close()


def test_no_room():
    """a full disk, a folder that is none and one that may not be written: a clear word and status 1"""
    short = ('--t-end', 0.1)
    for arguments in (('simulate', FOUR_BAR, *short),
                      ('sweep', FOUR_BAR, '--parameter', f'{SCALE}=0.1,1', '--measure', 'last:p1', *short),
                      ('quasistatic', ARM, '--actuator', 'cyl', '--velocity=-0.2:0.2:101'),
                      ('root-locus', FOUR_BAR, '--parameter', SCALE, '--from', 0.1, '--to', 1, '--points', 5),
                      ('stability-map', FOUR_BAR, '--x', f'{SCALE}=0.1,1', '--y', 'fluid.density=800,900'),
                      ('sensitivity', FOUR_BAR, '--parameter', SCALE), ('linearize', FOUR_BAR),
                      ('equilibrium', FOUR_BAR), ('modes', EXAMPLES / 'hybrid-two-cylinders.hydrolink')):
        with open('/dev/full', 'wb') as stream:
            process = start(arguments, stream)
            _, said = process.communicate(timeout=60)
        equal(process.returncode, 1, f'{arguments[0]}: {said}')
        true(b'No space left on device' in said, f'{arguments[0]}: {said}')
    for arguments in (('simulate', FOUR_BAR, *short),
                      ('root-locus', FOUR_BAR, '--parameter', SCALE, '--from', 0.1, '--to', 1, '--points', 5),
                      ('stability-map', FOUR_BAR, '--x', f'{SCALE}=0.1,1', '--y', 'fluid.density=800,900')):
        for out, word in (('/dev/full', 'No space left'), ('/nowhere/at/all.csv', 'No such file'),
                          ('/proc/version', 'denied|not permitted|error|cannot')):
            result = run(*arguments, '--out', out)
            equal(result.returncode, 1, f'{arguments[0]} --out {out}: {result.stderr}')
            true(re.search(word, result.stderr), result.stderr)
            true(out in result.stderr, result.stderr)


def test_disk_runs_full():
    """a disk that runs full in the middle of a row keeps the whole rows before it"""
    limit = 50000
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary) / 'rows.csv'
        # a limit on the size of files fails in the same place; its signal is ignored so that write () tells
        script = ('import os, resource, signal, sys\n'
                  'signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n'
                  f'resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n'
                  'os.execv(sys.argv[1], sys.argv[1:])\n')
        result = subprocess.run([sys.executable, '-c', script, PROGRAM, *map(str, LONG_RUN), '--out', str(out)],
                                env=environment(), capture_output=True, timeout=60, encoding='utf-8', check=False)
        equal(result.returncode, 1, result.stderr)
        true('File too large' in result.stderr, result.stderr)
        rows = whole_rows(out.read_bytes(), 'simulate')
        true(limit - 200 < out.stat().st_size <= limit and len(rows) > 100, out.stat().st_size)


def test_memory():
    """a run of ten times the rows needs no more memory"""
    peaks = []
    for every in (1e-4, 1e-5):
        process = start(('simulate', FOUR_BAR, '--t-end', 4, '--every', every), subprocess.DEVNULL)
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        equal(status, 0, every)
        peaks.append(usage.ru_maxrss)
    true(peaks[1] < peaks[0] + 2000, f'{peaks} KB')


def test_row_limit():
    """more rows than ten million are refused at once, with what would do; --max-rows raises the limit"""
    for arguments in (('--every', 4e-9), ('--t-end', 1e300), ('--every', 1e-3, '--max-rows', 100)):
        result = run('simulate', FOUR_BAR, *arguments)
        equal(result.returncode, 2, f'{arguments}: {result.stderr}')
        true('--every' in result.stderr and '--max-rows' in result.stderr and 'rows' in result.stderr, result.stderr)
        equal(result.stdout, '', 'no row')
    result = run('simulate', FOUR_BAR, '--every', 4e-9)
    enough = re.search(r'use --every ([\d.e+-]+) or more', result.stderr)[1]
    true(4 / float(enough) <= 1e7 < 4 / float(enough) * 1.1, enough)
    result = run('simulate', FOUR_BAR, '--t-end', 0.1, '--every', 1e-3, '--max-rows', 101)
    equal(result.returncode, 0, result.stderr)
    result = run('sweep', FOUR_BAR, '--parameter', f'{SCALE}=1', '--measure', 'last:p1', '--every', 4e-9)
    equal(result.returncode, 2, result.stderr)


def test_step_budget():
    """a run that crawls ends by itself, names what limits its steps, and keeps its rows; the budget can be raised"""
    crawl = ('simulate', FOUR_BAR, '--set', 'cyl.friction.vs=1e-15', '--every', 1e-8, '--t-end', 0.01)
    result = run(*crawl, '--max-steps', 900)
    equal(result.returncode, 1, result.stderr)
    for word in ('cyl', '900 steps', 'max_steps', '--max-steps', 'friction', 'at t = '):
        true(word in result.stderr, f'{word}: {result.stderr}')
    whole_rows(result.stdout.encode(), 'crawl')
    model = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
    model['simulation']['max_steps'] = 100
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / 'few.hydrolink'
        file.write_text(json.dumps(model), encoding='utf-8')
        result = run('simulate', file)
        equal(result.returncode, 1, result.stderr)
        true('the maximum of 100 steps (simulation.max_steps) is reached' in result.stderr, result.stderr)
        equal(run('simulate', file, '--max-steps', 1e6).returncode, 0, 'raised on the line')
    for file, formulation in (('hybrid-two-cylinders', 'reduced'), ('metering-arm', 'relaxed'),
                              ('metering-arm', 'discrete'), ('four-bar', 'baumgarte')):
        result = run('simulate', EXAMPLES / f'{file}.hydrolink', '--formulation', formulation, '--max-steps', 5)
        equal(result.returncode, 1, result.stderr)
        true('the maximum of 5 steps' in result.stderr, result.stderr)


def test_far_end():
    """an end that nobody waits for is no reason to begin otherwise: the same rows, until the budget of steps is spent"""
    with tempfile.TemporaryDirectory() as folder:
        file = chain(Path(folder) / 'chain.hydrolink', 2, start='as-given')
        model = json.loads(file.read_text(encoding='utf-8'))
        model['probes'] = [{'id': 'angle', 'of': 'b0.angle'}]
        file.write_text(json.dumps(model), encoding='utf-8')
        for path in (file, EXAMPLES / 'hybrid-two-cylinders.hydrolink'):
            near = run('simulate', path, '--t-end', 1, '--every', 0.01).stdout.splitlines()
            for end in (1e16, 1e300):
                far = run('simulate', path, '--t-end', end, '--every', 0.01, '--max-rows', 1e305, '--max-steps', 3000)
                equal(far.returncode, 1, far.stderr)
                true('the maximum of 3000 steps' in far.stderr, far.stderr)
                rows = far.stdout.splitlines()
                true(len(rows) > 90, f'{path.name} until {end}: {len(rows)} rows: {far.stderr}')
                for one, other in zip(near[1:], rows[1:]):
                    for a, b in zip(one.split(','), other.split(',')):
                        true(abs(float(a) - float(b)) <= 1e-5 * (1 + abs(float(a))), f'{path.name}: {one}, {other}')


def test_limits_agree():
    """rtol has the same limits on the line and in a file"""
    model = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / 'model.hydrolink'
        for rtol in (1e-15, 1e-14, 1e-3, 0.1, 0.2, 5):
            model['simulation']['rtol'] = rtol
            file.write_text(json.dumps(model), encoding='utf-8')
            by_file = run('simulate', file, '--t-end', 0.001).returncode
            by_line = run('simulate', FOUR_BAR, '--t-end', 0.001, '--rtol', rtol).returncode
            equal(by_line, by_file, f'rtol {rtol}')
            equal(by_line, 0 if 1e-14 <= rtol <= 0.1 else 2, f'rtol {rtol}')


def main():
    # a caller that goes on without its terminal (nohup) ignores it, and programs inherit that
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    return tap.report(tap.tests_of(globals()))


if __name__ == '__main__':
    sys.exit(main())
