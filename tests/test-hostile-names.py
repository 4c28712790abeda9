#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names that mean harm: whatever a model is called, what is exported says the same program, and what is printed gives
no orders to the terminal. TAP.

The scripts are judged by the languages themselves: Python parses, imports and runs them, Octave runs them where it is
installed. A marker file tells whether anything of a name was executed. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import ast
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
FOUR_BAR = Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink'
OCTAVE = shutil.which('octave-cli') or shutil.which('octave')
MARKER = 'marker-file'
DO_IT = f'import os;os.system("touch {MARKER}")'
SYSTEM = f"system('touch {MARKER}');"
ESCAPES = '\x1b[2J\x1b]0;title\x07\x9b31m\x7f\b\r\n\u202e\u2066\u2028'

NAMES = [
    'coding: unicode_escape \\n' + DO_IT + '#',
    'coding: utf-7 +AAo-' + DO_IT + '#',
    '-*- coding: raw_unicode_escape -*- \\u000a' + DO_IT,
    'plain\n' + DO_IT,
    'plain\r' + DO_IT,
    'plain\r\n' + DO_IT + '\n#',
    'plain\f' + DO_IT,
    'plain\v' + DO_IT,
    'plain\x1c' + DO_IT + '\x85' + DO_IT + '\u2028' + DO_IT + '\u2029' + DO_IT,
    'plain\\\n' + DO_IT,
    '"""\n' + DO_IT + '\n"""',
    "'''\n" + DO_IT + "\n'''",
    'a"; ' + DO_IT + ' #',
    "a'; " + SYSTEM + ' %',
    '\n' + SYSTEM,
    '%{\n%}\n' + SYSTEM,
    '{',
    '}\n' + SYSTEM,
    '...\n' + SYSTEM,
    '!touch ' + MARKER,
    '\n!touch ' + MARKER,
    '-*- texinfo -*- @include /etc/passwd',
    'vim: set modeline foldexpr=execute(\\"!touch\\ ' + MARKER + '\\"):',
    '-*- eval: (shell-command "touch ' + MARKER + '") -*-',
    ESCAPES,
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '](javascript:alert(1)) ![x](http://tracker.invalid/x.png) [x](javascript:alert(1))',
    '\n```\n<script>alert(1)</script>\n```\n\n    <b>code</b>\n\n1. one\n- two\n# head\n===\n| a | b |\n|---|---|\n',
    '&lt;script&gt; `code` **bold** _it_ ~~s~~ <!-- gone',
    'x' * 5000,
]

NUMPY = '''
import numbers
def array(value, dtype=None): return value
def zeros(shape): return [[0.0] * shape[1] for _ in range(shape[0])]
class linalg:
    @staticmethod
    def eigvals(A): return A
'''


class Skip(Exception):
    """The program that reads it is not there."""


def run(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=120, cwd=cwd)


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


PENDULUM = {
    'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0]}},
    'bodies': [{'id': 'bar', 'points': {'A': [0, 0]}, 'mass': 2, 'inertia': 0.5, 'pose': [0, 0, 0.1]}],
    'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'bar.A'}],
    'loads': [{'id': 'M', 'kind': 'torque', 'body': 'bar', 'signal': {'kind': 'constant', 'value': 0}}],
    'probes': [{'id': 'phi', 'of': 'bar.angle'}],
    'simulation': {'t_end': 0.01},
}


def model(folder, name, **changes):
    """A pendulum under that name."""
    content = dict(PENDULUM)
    content.update({'name': name, **changes})
    path = Path(folder) / 'model.hydrolink'
    path.write_text(json.dumps(content), encoding='utf-8')
    return path


def export(folder, name, file):
    path = Path(folder) / file
    result = run('linearize', model(folder, name), '--out', path)
    equal((result.returncode, result.stderr), (0, b''), name)
    return path


def no_marker(folder, name):
    if (Path(folder) / MARKER).exists():
        raise AssertionError(f'the name was executed: {name!r}')


def test_python_is_the_same_program():
    """the Python script parses to the same program whatever the name of the model"""
    with tempfile.TemporaryDirectory() as folder:
        plain = ast.dump(ast.parse(export(folder, 'plain', 'linear.py').read_bytes()))
        for name in NAMES:
            equal(ast.dump(ast.parse(export(folder, name, 'linear.py').read_bytes())), plain, name)


def test_python_run_and_imported():
    """run and imported, the Python script does nothing that the name says"""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'numpy.py').write_text(NUMPY, encoding='utf-8')
        paths = []
        for k, name in enumerate(NAMES):
            paths.append(export(folder, name, f'linear_{k}.py'))
        environment = {**os.environ, 'PYTHONDONTWRITEBYTECODE': '1', 'PYTHONPATH': folder}
        every = '; '.join(f'import {path.stem}; {path.stem}.A' for path in paths)
        runs = "import runpy; [runpy.run_path(p, run_name='__main__') for p in %r]" % [str(path) for path in paths]
        for code in (every, runs):
            result = subprocess.run([sys.executable, '-c', code], cwd=folder, env=environment, capture_output=True, check=False,
                                    timeout=120)
            equal((result.returncode, result.stderr), (0, b''), 'python')
            no_marker(folder, code)
        result = subprocess.run([sys.executable, str(paths[0])], cwd=folder, env=environment, capture_output=True, check=False,
                                timeout=60)
        equal((result.returncode, result.stderr), (0, b''), 'python as a program')
        no_marker(folder, NAMES[0])


def test_octave_differs_in_a_comment():
    """the Octave script differs only in one line, which is a comment below the first five"""
    with tempfile.TemporaryDirectory() as folder:
        plain = export(folder, 'plain', 'linear.m').read_bytes().split(b'\n')
        for name in NAMES:
            lines = re.split(rb'[\n\r\f\v]', export(folder, name, 'linear.m').read_bytes())
            equal(len(lines), len(plain), name)
            other = [k for k, (line, usual) in enumerate(zip(lines, plain)) if line != usual]
            equal(len(other), 1, name)
            if other[0] < 5 or other[0] > len(lines) - 6 or not re.match(rb'% Model: ', lines[other[0]]):
                raise AssertionError(f'{name!r}: line {other[0] + 1}: {lines[other[0]]!r}')


def test_octave_runs():
    """Octave runs the script and nothing of the name"""
    if OCTAVE is None:
        raise Skip('GNU Octave is not installed')
    with tempfile.TemporaryDirectory() as folder:
        paths = [export(folder, name, f'linear_{k}.m') for k, name in enumerate(NAMES)]
        script = Path(folder) / 'all.m'
        script.write_text('\n'.join(f"run ('{path}'); x = get_help_text ('{path}');" for path in paths), encoding='utf-8')
        result = subprocess.run([OCTAVE, '--no-gui', '--norc', '-q', str(script)], cwd=folder, capture_output=True, check=False,
                                timeout=240)
        equal(result.returncode, 0, result.stderr.decode(errors='replace'))
        no_marker(folder, 'one of them')


class Markup(html.parser.HTMLParser):
    """What tags a page has for a program that lets HTML through."""

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_comment(self, data):
        self.tags.append('comment')


def skeleton(page):
    """What gives a page its shape: lines that begin with markup, links and pictures that are not escaped."""
    plain = re.sub(r'\\[!-/:-@\[-`{-~]', 'x', page)
    return ([line for line in plain.split('\n') if re.match(r'\s*(#|[-+*] |```|~~~|\||===|---|\d+[.)] |    )', line)],
            re.findall(r'!?\[[^]]*\]\([^)]*\)', plain))


def test_report():
    """the report has the same headings, tables, links and no HTML, whatever name and description say"""
    with tempfile.TemporaryDirectory() as folder:
        pages = []
        for name in ['plain', *NAMES[-7:-1]]:
            out = Path(folder) / 'out'
            path = model(folder, name, description=name)
            equal(run('report', path, '--out', out).returncode, 0, name)
            page = (out / 'report.md').read_text(encoding='utf-8')
            markup = Markup()
            markup.feed(page)
            equal(markup.tags, [], name)
            equal(re.findall('[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069]', page), [], name)
            lines, links = skeleton(page)
            heads = [line for line in lines if not re.match(r'# ', line) and 'seconds' not in line]
            pages.append((heads, links))
        for name, page in zip(NAMES[-7:-1], pages[1:]):
            equal(page, pages[0], name)


def shown(result, what):
    """Nothing but printable text and line ends, one line where one is due."""
    for text in (result.stdout.decode(), result.stderr.decode()):
        found = re.findall('[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069]', text)
        equal(found, [], f'{what}: {text!r}')
    if result.returncode not in (0, 1, 2):
        raise AssertionError(f'{what}: status {result.returncode}')


def test_terminal():
    """escapes in names, identifiers, sets, keys, options and file names are shown and not sent to the terminal"""
    with tempfile.TemporaryDirectory() as folder:
        hostile = Path(folder) / (ESCAPES.replace('/', '') + '.hydrolink')
        element = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
        element['bodies'][0]['id'] = 'link' + ESCAPES
        element['components'][0]['kind'] = 'pump' + ESCAPES
        element['parameter_sets'] = [{'name': 'set' + ESCAPES, 'values': {'no' + ESCAPES: 1}}]
        element['key' + ESCAPES] = 1
        hostile.write_text(json.dumps(element), encoding='utf-8')
        broken = Path(folder) / 'broken.hydrolink'
        broken.write_bytes(b'{"format": "hydrolink", "id": "a\x1b[2J", \x1b[2J}')
        raw = Path(folder) / 'raw.hydrolink'
        raw.write_bytes(b'{"format": "hydrolink", "version": 1, "bodies": [{"id": "\xc2\x9b31m"}], ]')
        probes = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
        probes['probes'][0]['id'] = '=cmd()' + ESCAPES
        probe = Path(folder) / 'probe.hydrolink'
        probe.write_text(json.dumps(probes), encoding='utf-8')
        sound = model(folder, 'name' + ESCAPES)
        for path in (hostile, broken, raw, probe, Path(folder) / ('missing' + ESCAPES)):
            for command in ('validate', 'simulate', 'linearize', 'equilibrium'):
                result = run(command, path)
                shown(result, f'{command} {path}')
                equal(result.returncode, 2, f'{command} {path}')
        for arguments in (['--set', 'a' + ESCAPES + '=1'], ['--parameter-set', 'x' + ESCAPES], ['--at', 'x' + ESCAPES],
                          ['--o' + ESCAPES], ['--out', folder + '/no' + ESCAPES + '/x.py']):
            result = run('linearize', sound, *arguments)
            shown(result, arguments)
            if result.returncode == 0:
                raise AssertionError(arguments)
        shown(run('command' + ESCAPES), 'command')
        for command in ('linearize', 'equilibrium', 'linearize --json', 'modes', 'sensitivity', 'quasistatic'):
            shown(run(*command.split(), sound), command)


def test_forged_lines():
    """a name with line ends cannot write a line of its own among the messages"""
    with tempfile.TemporaryDirectory() as folder:
        content = json.loads(FOUR_BAR.read_text(encoding='utf-8'))
        content['bodies'][0]['id'] = 'x\nhydrolink: all is well\nFORGED'
        path = Path(folder) / 'model.hydrolink'
        path.write_text(json.dumps(content), encoding='utf-8')
        for command in ('validate', 'simulate'):
            result = run(command, path)
            equal(result.returncode, 2, command)
            for line in (result.stdout + result.stderr).decode().splitlines():
                if line.startswith('FORGED') or line == 'hydrolink: all is well':
                    raise AssertionError(f'{command}: {line}')


def main():
    tests = [value for name, value in globals().items() if name.startswith('test_')]
    failed = 0
    print(f'1..{len(tests)}', flush=True)
    for number, test in enumerate(tests, 1):
        what = test.__doc__.splitlines()[0]
        try:
            test()
            print(f'ok {number} {what}', flush=True)
        except Skip as why:
            print(f'ok {number} {what} # SKIP {why}', flush=True)
        except (AssertionError, SyntaxError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f'not ok {number} {what}', flush=True)
            for line in str(error).splitlines():
                print(f'# {line[:1500]}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
