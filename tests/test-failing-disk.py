#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Disks that are full, folders that are gone, and programs that are killed while they write: what was there stays, what
could not be written is said with status 1 and the name of the file, and nothing half written takes its place. TAP.

A full disk is stood in for by a limit on the length of files (RLIMIT_FSIZE), which needs no root: a write past it is
refused as one on a full disk is. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
MODEL = EXAMPLES / 'slider-crank.hydrolink'
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
OLD = 'what was there before\n'
EXPORTS = [
    ('simulate', 'run.csv', ['--t-end', '0.5', '--every', '0.001']),
    ('simulate', 'run.mat', ['--t-end', '0.5', '--every', '0.001']),
    ('linearize', 'linear.py', []),
    ('linearize', 'linear.m', []),
    ('linearize', 'linear.json', []),
    ('linearize', 'linear.csv', []),
    ('linearize', 'linear.mat', []),
    ('root-locus', 'locus.csv', ['--parameter', 'link2.mass', '--from', '1', '--to', '3', '--points', '5']),
    ('frequency-response', 'response.csv', ['--input', 'dcv.command', '--output', 'phi2', '--points', '5']),
    ('sensitivity', 'sensitivity.csv', ['--parameter', 'link2.mass']),
]
STREAM = ('simulate', 'run.csv')


def limited(most, handler=signal.SIG_IGN):
    """In the child: no file may become longer."""
    def prepare():
        signal.signal(signal.SIGXFSZ, handler)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return prepare


def run(*arguments, prepare=None, **options):
    options = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **options}
    return subprocess.run([PROGRAM, *map(str, arguments)], check=False, timeout=120, preexec_fn=prepare, **options)


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def expect_failure(result, named, what):
    said = result.stderr.decode('utf-8', 'replace')
    expect(result.returncode == 1, f'{what}: status {result.returncode}: {said}')
    expect(str(named) in said, f'{what}: {said!r} does not name {named}')
    expect(all(word not in said for word in ('CRITICAL', 'Sanitizer')), f'{what}: {said}')


def exported(command, name, more, folder):
    """Runs without a limit what it exports, and how long it is; None: this model has no such export."""
    path = Path(folder) / ('whole-' + name)
    result = run(command, FOUR_BAR, *more, '--out', path)
    expect(result.returncode == 0, f'{command} {name}: {result.stderr.decode()}')
    return path.stat().st_size


def test_full_disk():
    """a full disk while exporting: status 1, the file is named, the old one is as it was; rows that stream are whole"""
    for command, name, more in EXPORTS:
        with tempfile.TemporaryDirectory() as folder:
            length = exported(command, name, more, folder)
            path = Path(folder) / name
            for most in sorted({0, 1, length // 2, length - 1}):
                for links in (1, 2):
                    path.unlink(missing_ok=True)
                    path.write_text(OLD, encoding='utf-8')
                    other = Path(folder) / 'other'
                    other.unlink(missing_ok=True)
                    if links == 2:
                        os.link(path, other)
                    what = f'{command} --out {name} with {most} of {length} bytes'
                    result = run(command, FOUR_BAR, *more, '--out', path, prepare=limited(most))
                    expect_failure(result, path, what)
                    if (command, name) == STREAM:
                        content = path.read_bytes()
                        whole = (Path(folder) / ('whole-' + name)).read_bytes()
                        expect(whole.startswith(content) and content[-1:] in (b'', b'\n'), f'{what}: {content[-40:]}')
                    else:
                        expect(path.read_text(encoding='utf-8') == OLD, f'{what}: the old file is another one')
                    left = {entry.name for entry in Path(folder).iterdir()} - {'other', 'whole-' + name}
                    expect(left == {name}, f'{what}: {left}')


def test_full_device():
    """standard output that takes nothing: status 1 and a word"""
    for arguments in (['simulate', MODEL, '--t-end', '0.1'], ['linearize', FOUR_BAR], ['linearize', FOUR_BAR, '--json'],
                      ['equilibrium', FOUR_BAR], ['validate', '/dev/null']):
        with open('/dev/full', 'w', encoding='utf-8') as full:
            result = run(*arguments, stdout=full)
            expect(result.returncode in (1, 2) if arguments[0] == 'validate' else result.returncode == 1,
                   f'{arguments}: status {result.returncode}')
            expect(result.stderr.strip(), f'{arguments}: not a word')
    result = run('simulate', MODEL, '--t-end', '0.1', '--out', '/dev/full')
    expect_failure(result, '/dev/full', 'simulate --out /dev/full')


def test_report():
    """a report on a full disk, and into a place that is none"""
    with tempfile.TemporaryDirectory() as folder:
        for most in (0, 1000, 20000):
            out = Path(folder) / f'out-{most}'
            result = run('report', MODEL, '--t-end', '0.05', '--out', out, prepare=limited(most))
            expect_failure(result, out, f'report with {most} bytes')
            expect(not [entry for entry in out.iterdir() if entry.stat().st_size > most], f'{most}: longer than allowed')
        file = Path(folder) / 'file'
        file.write_text(OLD, encoding='utf-8')
        for out in (file, '/proc/no-such-folder/out'):
            expect_failure(run('report', MODEL, '--out', out), out, 'report')
        expect(file.read_text(encoding='utf-8') == OLD, 'the file in the way is another one')


def test_gone():
    """folders that are gone or take nothing"""
    for command, name, more in EXPORTS:
        for folder in ('/no/such/folder', '/proc'):
            path = f'{folder}/{name}'
            expect_failure(run(command, FOUR_BAR, *more, '--out', path), path, f'{command} --out {path}')


def test_killed():
    """killed at any moment while it exports rows over a file: the file is the old one, or whole rows of the new one"""
    chance = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'run.csv'
        line = [PROGRAM, 'simulate', str(MODEL), '--t-end', '0.6', '--every', '0.0001', '--out', str(path)]
        start = time.monotonic()
        subprocess.run(line, check=True, timeout=120)
        seconds, whole = time.monotonic() - start, path.read_bytes()
        for _ in range(20):
            path.write_text(OLD, encoding='utf-8')
            with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                time.sleep(seconds * chance.uniform(0.3, 1.1))
                process.kill()
            content = path.read_bytes()
            # The kernel looks for a kill between two pages, so the line that lies across them may lack its second half
            # (once in about a thousand kills on a busy machine).
            whole_rows = whole.startswith(content) and (content[-1:] in (b'', b'\n') or len(content) % 4096 == 0)
            expect(content == OLD.encode() or whole_rows,
                   f'{len(content)} bytes, neither the old file nor rows of the new one: ... {content[-60:]}')
        for left in Path(folder).iterdir():
            expect(left.name.startswith('run.csv'), f'{left.name} is left')


def test_killed_in_one_piece():
    """killed in the middle of writing what is saved in one piece: the file is the old one, and nothing of the new one is left"""
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
        except OSError as why:
            raise Skip('the file system has no files without names') from why
        for command, name, more in EXPORTS:
            if (command, name) == STREAM:
                continue
            length = exported(command, name, more, folder)
            path = Path(folder) / name
            path.write_text(OLD, encoding='utf-8')
            # the signal of a write beyond the limit ends the program there and then
            result = run(command, FOUR_BAR, *more, '--out', path, prepare=limited(length // 2, signal.SIG_DFL))
            expect(result.returncode == -signal.SIGXFSZ, f'{command} {name}: status {result.returncode}')
            expect(path.read_text(encoding='utf-8') == OLD, f'{command} {name}: the old file is another one')
            left = {entry.name for entry in Path(folder).iterdir()}
            expect(left == {name, 'whole-' + name}, f'{command} {name}: {left}')
            for entry in Path(folder).iterdir():
                entry.unlink()


def test_read_only():
    """a model file that may only be read is read, and a folder that may only be read is said to be"""
    if os.geteuid() == 0:
        raise Skip('root may write anywhere')
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'model.hydrolink'
        path.write_text(json.dumps(json.loads(MODEL.read_text(encoding='utf-8'))), encoding='utf-8')
        path.chmod(0o400)
        os.chmod(folder, 0o500)
        result = run('simulate', path, '--t-end', '0.01', '--out', Path(folder) / 'run.csv')
        os.chmod(folder, 0o700)
        expect_failure(result, Path(folder) / 'run.csv', 'read-only folder')


class Skip(Exception):
    """Cannot be tried here."""


def main():
    tests = [value for name, value in globals().items() if name.startswith('test_')]
    failed = 0
    print(f'1..{len(tests)}', flush=True)
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f'ok {number} {test.__doc__}', flush=True)
        except Skip as why:
            print(f'ok {number} {test.__doc__} # SKIP {why}', flush=True)
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            failed += 1
            print(f'not ok {number} {test.__doc__}', flush=True)
            print('# ' + str(error).replace('\n', '\n# '), flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
