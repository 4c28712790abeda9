#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option of every command with absurd, empty and absent values. TAP.

test-cli-options.py [N]: each option without its value, with an empty one, and with N others of a list (default
HL_OPTION_VALUES, else 1; `all`: all of them), in turn, so that together the options see the whole list. A command
ends with status 0, 1 or 2, prints no message of GLib and no "(null)", and says why where it fails. Commands and options are those
of the help pages. Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_LESSONS_DIR.
"""

import itertools
import os
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
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
LESSONS = Path(os.environ['HL_LESSONS_DIR'])
SECONDS = 5  # of processor time: a command that an option makes longer is ended, and has not failed
SCALE = 'cyl.friction.scale'
SHORT = {'t-end': '0.01', 'every': '0.005'}
MEASURED = 't [s],p1 [Pa]\n0,9e6\n0.005,9.1e6\n0.01,9.2e6\n'
FLAWS = re.compile(r'CRITICAL|WARNING \*\*|ERROR \*\*|Sanitizer|runtime error|ssertion|\(null\)|Traceback')

# A line of each command that works: its words, its options.
LINES = {
    'validate': (['four-bar'], {}),
    'equilibrium': (['four-bar'], {}),
    'linearize': (['four-bar'], {}),
    'simulate': (['four-bar'], SHORT),
    'root-locus': (['four-bar'], {'parameter': SCALE, 'from': '0.5', 'to': '1', 'points': '3'}),
    'sensitivity': (['four-bar'], {'parameter': SCALE}),
    'stability-map': (['four-bar'], {'x': f'{SCALE}=0.5,1', 'y': 'fluid.density=800,900'}),
    'frequency-response': (['four-bar'], {'input': 'M2.signal', 'output': 'p1', 'points': '5'}),
    'sweep': (['four-bar'], {'parameter': f'{SCALE}=0.5,1', 'measure': 'last:p1', **SHORT}),
    'quasistatic': (['metering-arm'], {'actuator': 'cyl', 'velocity': '-0.1,0,0.1'}),
    'modes': (['hybrid-two-cylinders'], {}),
    'paths': (['four-bar'], {}),
    'compare-models': (['four-bar'], SHORT),
    'export-fmu': (['four-bar'], {'sources-only': None, 'out': 'out.fmu'}),
    'format': ([], {}),
    'report': (['four-bar'], {'out': 'report', **SHORT}),
    'reproduce': ([], {'out': 'nowhere/at/all\0'}),  # minutes: only what is refused
    'completion': ([], {'shell': 'bash'}),
    'screenshot': (['four-bar'], {'out': 'out.png'}),  # refused without a display
    'thumbnail': (['four-bar'], {'out': 'out.png', 'size': '64'}),
    'lesson': (['check', os.fspath(LESSONS / 'why-it-rings.hllesson')], {}),
    'study': (['run', 'four-bar'], {'out': 'study', 'jobs': '1', 'vary': f'{SCALE}=0.5:1', 'design': 'grid:2', 'measure': 'last:p1'}),
    'fit': (['four-bar'], {'measured': 'measured.csv', 'vary': f'{SCALE}=0.5:1', 'jobs': '1'}),
    'optimize': (['four-bar'], {'vary': f'{SCALE}=0.5:1', 'minimize': 'last:p1', 'runs': '2'}),
    'help': ([], {'out': 'help'}),
}
VERBS = [['status', 'study'], ['merge', 'study'], ['statistics', 'study'], ['plot', 'study'], ['submit', 'four-bar']]

VALUES = [
    ' ', '0', '-1', '-0', '1', '1e999', 'nan', 'inf', '1e-320', '1e308', '-1e308', '.', '-', '=', ':', '::', ',', ',,', '%s%n',
    'a' * 3000, 'ä', b'\xff', '1:2:3', '1:0:5', '1:1:1', 'log:-1:1:3', 'log:1:2:1000000', 'log:', '1/0', '0/1', '-1/3', '3/2',
    '99999999999999999999', '2147483648', '2147483647', 'x=', '=1', 'x=1', f'{SCALE}=', f'{SCALE}=nan', f'{SCALE}=1,,2', f'{SCALE}=1:2',
    f'{SCALE}=2:1:3', f'{SCALE}=-1:1:log', f'{SCALE},{SCALE}', f'{SCALE},{SCALE}=1,2', SCALE, f',{SCALE}', 'cyl', 'cyl.', '.cyl', 'cyl.A',
    'cyl:lower', 'cyl:lower,', ':upper', 'cyl=', 'cyl=nan', 'V1', 'p1', 'last:', ':p1', 'last:p1', 'max:p1', 'rms:', 'settling:p1', 'last:p1<=',
    '<=', '<=1', 'last:p1<=nan', 'last:p1>=1', 'x>=<=1', 'grid:', 'grid:0', 'lhs:-1', 'sobol:1e9', 'none:3', 'json', 'slurm', 'hybrid', 'start',
    'equilibrium', 'difference', 'direct', '0x0', '1x1', '-1x-1', '1x', 'x1', '100000x100000', '64', '\n', '\x01', '1,0', '0.5,', '1 mm', '"', "'",
    '../nowhere/x', 'four-bar/x', 'sheet.csv', 'x.mat', 'x.fmu', 'x.ssp', 'x.ods', 'x.svg', 'x.pdf', 'four-bar', 'measured.csv',
]


def text_of(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, check=True, encoding='utf-8', timeout=60).stdout


def commands():
    listed = text_of('--help').split('Commands:\n')[1].split('\n\n')[0]
    return [line.split()[0] for line in listed.splitlines() if line.startswith('  ') and line[2] != ' ']


def options_of(command):
    """[name, whether it takes a value]"""
    listed = text_of(command, '--help').split('Options:\n')[1]
    return [(name, bool(value)) for name, value in re.findall(r'^  --([a-z-]+)( \S+)?', listed, re.MULTILINE)]


def prepare(folder):
    for name in ('four-bar', 'metering-arm', 'hybrid-two-cylinders'):
        shutil.copy(EXAMPLES / f'{name}.hydrolink', folder / name)
    (folder / 'measured.csv').write_text(MEASURED, encoding='utf-8')


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))


def run(folder, words):
    environment = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    environment.update(G_DEBUG='fatal-criticals', OPENBLAS_NUM_THREADS='1')
    return subprocess.run([PROGRAM, *words], cwd=folder, env=environment, capture_output=True, check=False, timeout=120,
                          stdin=subprocess.DEVNULL, preexec_fn=limit)


def judge(folder, words):
    """What is wrong with a line; None: nothing."""
    result = run(folder, words)
    said = result.stderr.decode('utf-8', 'replace')
    if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL) and not FLAWS.search(said):
        return None
    shown = ' '.join(repr(word)[:60] for word in words)
    if result.returncode not in (0, 1, 2):
        return f'{shown}: status {result.returncode}: {said[-400:]}'
    if FLAWS.search(said):
        return f'{shown}: {said[-400:]}'
    tells_in_its_answer = words[0] in ('validate', 'lesson')
    if result.returncode != 0 and not said.strip() and not tells_in_its_answer:
        return f'{shown}: status {result.returncode} without a word'
    return None


def written(options):
    return [word for name, value in options.items() for word in ([f'--{name}'] if value is None else [f'--{name}={value}'])]


def with_value(name, value):
    return os.fsencode(f'--{name}=') + (value if isinstance(value, bytes) else os.fsencode(value))


def lines_of(words, options, name, takes_value, chosen):
    """The lines that try one option."""
    others = written({key: value for key, value in options.items() if key != name})
    yield [*words, *others, f'--{name}']
    yield [*words, *others, f'--{name}', f'--{name}']
    yield [*words, *others, f'--{name}=']
    for value in chosen if takes_value else chosen[:1]:
        yield [*words, *others, with_value(name, value)]


def sweep(command, chosen):
    words, options = LINES[command]
    wrong = []
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top) / 'a' / 'b'
        folder.mkdir(parents=True)
        prepare(folder)
        starts = [words] + (VERBS if command == 'study' else [])
        if command == 'reproduce':
            options = {}
        for start, (name, takes_value) in itertools.product(starts, options_of(command)):
            if (command, name) in (('study', 'go'), ('reproduce', 'out'), ('reproduce', 'json')):
                continue
            fitting = options if start is words else {}
            for line in lines_of([command, *start], fitting, name, takes_value, chosen()):
                fault = judge(folder, line)
                if fault:
                    wrong.append(fault)
                prepare(folder)
    if wrong:
        raise AssertionError(f'{len(wrong)} lines:\n' + '\n'.join(wrong))


def without_options(command):
    """Missing, empty, strange and doubled words in place of a file."""
    wrong = []
    words, options = LINES[command]
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        prepare(folder)
        if command == 'reproduce':
            options = {'out': ''}
        for strange in ([], [''], ['.'], ['-'], ['--'], ['nowhere'], ['\x01'], [b'\xff'], ['measured.csv'], ['four-bar', 'four-bar'], ['-x'], ['--=']):
            first = words[:-1] if words else []
            for line in ([command, *first, *strange, *written(options)], [command, *strange]):
                if command != 'reproduce' or '--out=' in line or line[-1] != command:
                    fault = judge(folder, line)
                    if fault:
                        wrong.append(fault)
    if wrong:
        raise AssertionError(f'{len(wrong)} lines:\n' + '\n'.join(wrong))


def tests():
    wanted = sys.argv[1] if len(sys.argv) > 1 else os.environ.get('HL_OPTION_VALUES', '1')
    turn = itertools.cycle(VALUES)

    def chosen():
        return VALUES if wanted == 'all' else list(itertools.islice(turn, int(wanted)))

    def all_known():
        """every command of the help has a line here"""
        if sorted(commands()) != sorted(LINES):
            raise AssertionError(sorted(set(commands()) ^ set(LINES)))

    def work():
        """the lines that options are added to work"""
        for command, (words, options) in LINES.items():
            if command in ('reproduce', 'screenshot'):
                continue
            with tempfile.TemporaryDirectory() as top:
                prepare(Path(top))
                result = run(top, [command, *words, *written(options)])
                if result.returncode not in (0, -signal.SIGXCPU):
                    raise AssertionError(f'{command}: {result.stderr.decode("utf-8", "replace")}')

    def made(command, act, title):
        def test():
            act(command)
        test.__doc__ = title
        return test

    found = [all_known, work]
    for command in LINES:
        found.append(made(command, lambda c: sweep(c, chosen), f'{command}: options'))
        found.append(made(command, without_options, f'{command}: words'))
    return found


if __name__ == '__main__':
    sys.exit(tap.report(tests()))
