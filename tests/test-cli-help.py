#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the command line says and takes as people expect: the examples of every help page run as they are printed, a name that is not
there is suggested by its meaning, numbers have units, and long work shows a bar on a terminal and nothing in a pipe. TAP.
Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_LESSONS_DIR."""

import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES, LESSONS = Path(os.environ['HL_EXAMPLES_DIR']), Path(os.environ['HL_LESSONS_DIR'])
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
# Of a command that takes minutes, and is tested elsewhere: that it begins [s of processor time].
SHORTENED = {'reproduce': 5}
FLAWS = re.compile(r'CRITICAL|WARNING \*\*|ERROR \*\*|ssertion|\(null\)|Traceback')


def answer(*words, status=0):
    done = subprocess.run([PROGRAM, *words], capture_output=True, check=False, encoding='utf-8', timeout=120)
    if done.returncode != status:
        raise AssertionError(f'{words}: exit {done.returncode}, not {status}: {done.stderr}')
    return done.stdout if status == 0 else done.stderr


def commands():
    return re.findall(r'^  ([a-z-]+) ', answer('--help').split('Commands:\n')[1].split('\n\n')[0], re.M)


def examples_of(command):
    """The lines of its help page."""
    page = answer(command, '--help')
    return re.findall(r'^  (\S.*)', page.split('\nExamples:\n')[1], re.M)


def run_line(folder, line, seconds):
    """By a shell, in a folder with models and lessons, where the program is called hydrolink."""
    def limit():
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    env = {**os.environ, 'PATH': f'{folder.parent}/.bin:{os.environ["PATH"]}', 'LC_ALL': 'C.UTF-8'}
    return subprocess.run(['sh', '-c', 'exec ' + line if '=' not in line.split()[0] else line], cwd=folder, env=env, capture_output=True, check=False, timeout=240,
                          encoding='utf-8', preexec_fn=limit)  # pylint: disable=subprocess-popen-preexec-fn


def test_examples():
    """/cli-help/two-examples-of-every-command-run-as-they-are-printed"""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / '.bin').mkdir()
        (folder / '.bin' / 'hydrolink').write_text(f'#!/bin/sh\nexec "{Path(PROGRAM).resolve()}" "$@"\n', encoding='utf-8')
        (folder / '.bin' / 'hydrolink').chmod(0o755)
        for place, name in ((EXAMPLES, 'examples'), (LESSONS, 'lessons')):
            shutil.copytree(place, folder / name)
        n = 0
        for command in commands():
            lines = examples_of(command)
            if len(lines) != 2 or len(set(lines)) != 2:
                raise AssertionError(f'{command}: {lines}')
            for line in lines:
                if f'hydrolink {command}' not in line:
                    raise AssertionError(line)
                if 'xvfb-run' in line and shutil.which('xvfb-run') is None:
                    continue
                where = folder / ('lessons' if command == 'lesson' else 'examples')
                done = run_line(where, line, SHORTENED.get(command))
                is_ended = command in SHORTENED and done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
                if done.returncode != 0 and not is_ended or ('xvfb-run' not in line and FLAWS.search(done.stderr)):
                    raise AssertionError(f'{line}: exit {done.returncode}: {done.stderr}')
                if '--json' in line and '--out s' not in line and not is_ended and done.stdout:
                    json.loads(done.stdout)
                out = re.search(r'--out (\S+)', line)
                if out and not is_ended and not (where / out.group(1)).exists():
                    raise AssertionError(f'{line}: {out.group(1)} is not there')
                n += 1
        if n < 2 * len(commands()) - 2:
            raise AssertionError(n)


MEANT = {'cyl.bore': ['cyl.piston_diameter'], 'cyl.diameter': ['cyl.piston_diameter', 'cyl.rod_diameter'], 'cyl.piston_diametr': ['cyl.piston_diameter'],
         'link2.weight': ['link2.mass'], 'pump.p': ['pump.pressure'], 'cyl.friction.coulomb': ['cyl.friction.Fc'], 'cyl.Fc': ['cyl.friction.Fc'],
         'dcv.input': ['dcv.command'], 'simulation.duration': ['simulation.t_end'], 'fluid.rho': ['fluid.density'], 'V1.p': ['V1.pressure']}


def test_meaning():
    """/cli-help/a-property-that-is-not-there-is-suggested-by-its-meaning-or-its-letters"""
    for asked, meant in MEANT.items():
        error = answer('simulate', FOUR_BAR, '--set', f'{asked}=1', status=2)
        if re.findall(r'‘([^’]*)’', error) != [asked, *meant]:
            raise AssertionError(f'{asked}: {error}')
    error = answer('simulate', FOUR_BAR, '--set', 'cyl.zzz=1', status=2)
    if 'perhaps' in error:
        raise AssertionError(error)


# A line with units, and the same in SI.
SAME = [
    (['root-locus', '--parameter', 'pump.pressure', '--from', '70 bar', '--to', '8 MPa', '--points', '3'],
     ['root-locus', '--parameter', 'pump.pressure', '--from', '7e6', '--to', '8e6', '--points', '3']),
    (['sweep', '--parameter', 'link2.mass=500 g,2 kg', '--measure', 'max:phi2', '--t-end', '100 ms'],
     ['sweep', '--parameter', 'link2.mass=0.5,2', '--measure', 'max:phi2', '--t-end', '0.1']),
    (['stability-map', '--x', 'link2.mass=500 g:2 kg:3', '--y', 'pump.pressure=log:70 bar:8 MPa:2'],
     ['stability-map', '--x', 'link2.mass=0.5:2:3', '--y', 'pump.pressure=log:7e6:8e6:2']),
    (['frequency-response', '--input', 'dcv.command', '--output', 'phi2', '--frequencies', '1 Hz,2 kHz'],
     ['frequency-response', '--input', 'dcv.command', '--output', 'phi2', '--frequencies', '1,2000']),
    (['linearize', '--at', '100 ms'], ['linearize', '--at', '0.1']),
    (['optimize', '--vary', 'link2.mass=500 g:2 kg', '--minimize', 'max:phi2', '--runs', '3'],
     ['optimize', '--vary', 'link2.mass=0.5:2', '--minimize', 'max:phi2', '--runs', '3']),
]


def test_units():
    """/cli-help/numbers-of-every-command-have-units-and-a-wrong-one-is-refused"""
    for given, plain in SAME:
        ours, theirs = (answer(words[0], FOUR_BAR, *words[1:]) for words in (given, plain))
        if ours != theirs or not ours:
            raise AssertionError(f'{given}:\n{ours[:300]}\n{theirs[:300]}')
    for words, part in ((['root-locus', '--parameter', 'pump.pressure', '--from', '1 kg', '--to', '2'], '--from'),
                        (['sweep', '--parameter', 'link2.mass=1 bar', '--measure', 'max:phi2'], 'link2.mass'),
                        (['frequency-response', '--input', 'dcv.command', '--output', 'phi2', '--frequencies', '1 s'], '--frequencies'),
                        (['optimize', '--vary', 'link2.mass=1 bar:2', '--minimize', 'max:phi2'], 'link2.mass')):
        error = answer(words[0], FOUR_BAR, *words[1:], status=2)
        if part not in error or ('bar' in ' '.join(words) and 'bar' not in error):
            raise AssertionError(f'{words}: {error}')


LONG = ['stability-map', str(FOUR_BAR), '--x', 'link2.mass=1:2:60', '--y', 'cyl.friction.Fc=1:300:400', '--out', '/dev/null']


def test_bar():
    """/cli-help/long-work-shows-a-bar-on-a-terminal-and-nothing-in-a-pipe"""
    told = subprocess.run([PROGRAM, *LONG], capture_output=True, check=True, encoding='utf-8').stderr
    if '[' in told or '\r' in told or '%' in told:
        raise AssertionError(told)
    main, terminal = pty.openpty()
    with subprocess.Popen([PROGRAM, *LONG], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal) as process:
        os.close(terminal)
        shown = b''
        while True:
            try:
                part = os.read(main, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(main)
    bars = re.findall(r'\[(#* *)\] +(\d+) %(?:  (\d+) s left)?', shown.decode())
    # a machine that is through before the first look shows none; otherwise bars grow
    parts = [int(part) for _, part, _ in bars]
    if process.returncode != 0 or parts != sorted(parts) or any(len(bar) != 30 for bar, _, _ in bars):
        raise AssertionError(shown)
    if not bars:
        raise tap.Skipped('the work was done before a bar was due')


if __name__ == '__main__':
    sys.exit(tap.report(tap.tests_of(globals())))
