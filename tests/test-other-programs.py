#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is exported, in the hands of those it is for: the linear model and results are read by GNU Octave with its
control package and by Python with NumPy and SciPy, and give the numbers that Hydrolink gives. TAP.

Programs that are not there are skipped, each by itself. python-control is stood in for by a module that takes down
how it was called. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import cmath
import csv
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
MODELS = ('four-bar', 'excavator-arm', 'crank-rocker', 'articulated-vehicle-rigid')
FREQUENCIES = (0.05, 0.8, 7.0, 60.0)  # Hz
OCTAVE = shutil.which('octave-cli') or shutil.which('octave')

STAND_IN = '''
import numpy
def ss(A, B, C, D, states, inputs, outputs):
    n, m, p = len(states), len(inputs), len(outputs)
    for value, shape in ((A, (n, n)), (B, (n, m)), (C, (p, n)), (D, (p, m))):
        assert isinstance(value, numpy.ndarray) and value.shape == shape and value.dtype == float, (value, shape)
    for names in (states, inputs, outputs):
        assert len(set(names)) == len(names) and all(name and '.' not in name for name in names), names
    return ('control', n, m, p)
'''
PYTHON_PART = '''
import json
H = [[[complex(v) for v in row] for row in (C @ np.linalg.solve(2j*np.pi*f*np.eye(len(A)) - A, B) + D)] for f in %r]
print("RESULT" + json.dumps({
    "kind": "none" if sys is None else sys[0] if isinstance(sys, tuple) else type(sys).__module__.split(".")[0],
    "poles": [[v.real, v.imag] for v in np.linalg.eigvals(A).astype(complex)],
    "response": [[[[v.real, v.imag] for v in row] for row in h] for h in H],
    "inputs": input_names, "outputs": output_names, "x0": x0.ravel().tolist()}))
'''
# freqresp: outputs x inputs x frequencies; a run of step() is compared with the matrix exponential
OCTAVE_PART = '''
f = [%s];
H = freqresp (sys, 2*pi*f);
printf ('POLE %%.17g %%.17g\\n', [real(lambda) imag(lambda)]');
for k = 1:numel (f), for j = 1:columns (B), for i = 1:rows (C)
  printf ('H %%d %%d %%d %%.17g %%.17g\\n', k, i, j, real (H(i,j,k)), imag (H(i,j,k)));
end, end, end
t = linspace (0, 0.5, 26);
[y, t] = step (sys, t);
worst = 0;
for j = 1:columns (B)
  x = expm ([A B(:,j); zeros(1, rows (A) + 1)] * t(end)) * [zeros(rows (A), 1); 1];
  for i = 1:rows (C)
    expected = C(i,:) * x(1:end-1) + D(i,j);
    swing = max (abs (y(:,i,j))) + 1e-300;
    worst = max (worst, abs (y(end,i,j) - expected) / swing);
  end
end
printf ('STEP %%.17g\\n', worst);
n = get (sys, 'stname'); printf ('NAME %%s\\n', n{:});
n = get (sys, 'inname'); printf ('NAME %%s\\n', n{:});
n = get (sys, 'outname'); printf ('NAME %%s\\n', n{:});
'''
OCTAVE_MAT = '''
m = load ('%s'); s = struct ();
run ('%s');
same = isequal (m.A, A) && isequal (m.B, B) && isequal (m.x0(:), x0(:)) && isequal (m.u0(:), u0(:));
printf ('SAME %%d\\n', same && isequaln_names (m.state_names, state_names) && isequaln_names (m.input_names, input_names) ...
  && isequaln_names (m.state_units, state_units));
r = load ('%s');
printf ('SIZE %%d %%d %%d\\n', rows (r.t), rows (r.y), columns (r.y));
printf ('NAME %%s\\n', r.names{:}); printf ('UNIT %%s\\n', r.units{:});
printf ('Y %%.17g\\n', [r.t r.y]');
'''
SAME_NAMES = '''
1;
function same = isequaln_names (a, b)
  same = numel (a) == numel (b) && all (cellfun (@(x, y) strcmp (char (x), char (y)), a(:), b(:)));
end
'''


class Skip(Exception):
    """The program that reads it is not there."""


def hydrolink(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=120, encoding='utf-8')
    if result.returncode != 0:
        raise AssertionError(f'{arguments}: status {result.returncode}: {result.stderr}')
    return result.stdout


def python_with(modules):
    """A Python that has them."""
    for name in (sys.executable, '/usr/bin/python3', shutil.which('python3') or ''):
        code = 'import ' + ', '.join(modules)
        if name and os.path.exists(name) and subprocess.run([name, '-c', code], capture_output=True, check=False).returncode == 0:
            return name
    raise Skip(' and '.join(modules) + ' for Python are not installed')


def octave(script, folder):
    if OCTAVE is None:
        raise Skip('GNU Octave is not installed')
    path = Path(folder) / 'check_it.m'
    path.write_text(script, encoding='utf-8')
    result = subprocess.run([OCTAVE, '--no-gui', '--norc', '-q', str(path)], capture_output=True, check=False, timeout=120,
                            encoding='utf-8', cwd=folder)
    if result.returncode != 0:
        raise AssertionError(f'octave: {result.stderr}')
    return [line.split(' ', 1) for line in result.stdout.splitlines() if ' ' in line]


def need_control(folder):
    """The package is found and loads: the words of the script alone are wrapped in a try."""
    lines = octave("try, pkg load control; sys = ss (-1, 1, 1, 0); printf ('LOADED yes\\n'); catch, end\n", folder)
    if ['LOADED', 'yes'] not in lines:
        raise Skip('the package control of GNU Octave (Debian: octave-control) is not installed')


def model(name):
    return EXAMPLES / f'{name}.hydrolink'


def eigenvalues(name):
    """Not null; those are rounding in any other program."""
    answer = json.loads(hydrolink('linearize', model(name), '--json'))
    scale = max(abs(complex(v['re'], v['im'])) for v in answer['eigenvalues'])
    return [complex(v['re'], v['im']) for v in answer['eigenvalues'] if abs(complex(v['re'], v['im'])) > 1e-6 * scale]


def responses(name, inputs, outputs):
    """{(frequency, output, input): value} by the command line."""
    found = {}
    for j, signal in enumerate(inputs):
        for i, output in enumerate(outputs):
            text = hydrolink('frequency-response', model(name), '--input', signal, '--output', output, '--frequencies',
                             ','.join(map(str, FREQUENCIES)))
            for k, row in enumerate(list(csv.reader(io.StringIO(text)))[1:]):
                found[k, i, j] = complex(float(row[1]), float(row[2]))
    return found


def check_poles(got, name):
    for value in eigenvalues(name):
        nearest = min(got, key=lambda other, value=value: abs(other - value))
        assert abs(nearest - value) < 1e-7 * max(1, abs(value)), f'{name}: {value} became {nearest}'


def check_responses(got, name, inputs, outputs):
    """Against the largest of the channel: zeros of the one are rounding of the other."""
    ours = responses(name, inputs, outputs)
    assert ours.keys() == got.keys(), f'{name}: {len(got)} of {len(ours)} responses'
    largest = max(map(abs, ours.values()))
    for (k, i, j), value in ours.items():
        assert largest > 0 or got[k, i, j] == 0, f'{name}: {got[k, i, j]} where nothing moves'
        channel = max(abs(ours[other, i, j]) for other in range(len(FREQUENCIES)))
        assert cmath.isclose(got[k, i, j], value, rel_tol=1e-6, abs_tol=1e-6 * channel + 1e-15 * largest), \
            f'{name}: {outputs[i]} of {inputs[j]} at {FREQUENCIES[k]} Hz: {got[k, i, j]}, not {value}'


def entries(name):
    """Names of states, inputs and outputs as the JSON form has them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'm.json'
        hydrolink('linearize', model(name), '--out', path)
        sheet = json.loads(path.read_text(encoding='utf-8'))
    return [[entry['name'] for entry in sheet[key]] for key in ('states', 'inputs', 'outputs')]


def test_octave_script():
    """The script for Octave runs; poles, responses, a step and names are right."""
    for name in MODELS[:3]:
        with tempfile.TemporaryDirectory() as folder:
            need_control(folder)
            script = Path(folder) / 'linear_model.m'
            hydrolink('linearize', model(name), '--out', script)
            text = script.read_text(encoding='utf-8')
            lines = octave(text + OCTAVE_PART % ' '.join(map(str, FREQUENCIES)), folder)
        states, inputs, outputs = entries(name)
        check_poles([complex(*map(float, rest.split())) for key, rest in lines if key == 'POLE'], name)
        got = {}
        for key, rest in lines:
            if key == 'H':
                k, i, j, re, im = rest.split()
                got[int(k) - 1, int(i) - 1, int(j) - 1] = complex(float(re), float(im))
        check_responses(got, name, inputs, outputs)
        steps = [float(rest) for key, rest in lines if key == 'STEP']
        assert len(steps) == 1 and steps[0] < 1e-6, f'{name}: step off by {steps}'
        assert [rest for key, rest in lines if key == 'NAME'] == states + inputs + outputs


def test_octave_without_control():
    """Without the control package the script gives the matrices, and no object of it."""
    part = ("\nlambda = eig (A);\nprintf ('POLE %.17g %.17g\\n', [real(lambda) imag(lambda)]');\n"
            "printf ('SYS %d\\n', exist ('sys', 'var'));\n")
    for name in MODELS[:2]:
        with tempfile.TemporaryDirectory() as folder:
            # nearer than Octave's own: as if nothing were installed
            (Path(folder) / 'pkg.m').write_text("function varargout = pkg (varargin)\n  error ('no packages');\nend\n",
                                                encoding='utf-8')
            script = Path(folder) / 'linear_model.m'
            hydrolink('linearize', model(name), '--out', script)
            lines = octave(script.read_text(encoding='utf-8') + part, folder)
        check_poles([complex(*map(float, rest.split())) for key, rest in lines if key == 'POLE'], name)
        assert ['SYS', '0'] in lines, f'{name}: {lines}'


def test_octave_mat():
    """MAT files of the linear model and of a run are those of the script and of the CSV, to the bit."""
    for name in MODELS[:2]:
        with tempfile.TemporaryDirectory() as folder:
            script, mat, run, table = (Path(folder) / file for file in ('lin.m', 'lin.mat', 'run.mat', 'run.csv'))
            hydrolink('linearize', model(name), '--out', script)
            hydrolink('linearize', model(name), '--out', mat)
            for path in (run, table):
                hydrolink('simulate', model(name), '--every', 0.01, '--out', path)
            lines = octave(SAME_NAMES + OCTAVE_MAT % (mat, script, run), folder)
            rows = list(csv.reader(table.read_text(encoding='utf-8').splitlines()))
        assert ['SAME', '1'] in lines, f'{name}: the MAT file and the script differ'
        check_run(rows, [rest for key, rest in lines if key == 'NAME'], [rest for key, rest in lines if key == 'UNIT'],
                  [float(rest) for key, rest in lines if key == 'Y'])


def check_run(rows, names, units, values):
    titles = [f'{name} [{unit}]' for name, unit in zip(names, units)]
    assert titles == rows[0][1:], (titles, rows[0])
    expected = [float(cell) if cell else math.nan for row in rows[1:] for cell in row]
    assert len(expected) == len(values)
    assert all(a == b or math.isnan(a) and math.isnan(b) for a, b in zip(expected, values))


def run_python(python, name, folder):
    script = Path(folder) / 'linear_model.py'
    hydrolink('linearize', model(name), '--out', script)
    script.write_text(script.read_text(encoding='utf-8') + PYTHON_PART % (FREQUENCIES,), encoding='utf-8')
    result = subprocess.run([python, str(script)], capture_output=True, check=False, timeout=120, encoding='utf-8', cwd=folder)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.split('RESULT')[1])


def test_python_script():
    """The script for Python runs; without python-control it makes a system of SciPy; poles and responses are right."""
    python = python_with(('numpy', 'scipy.signal'))
    for name in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            got = run_python(python, name, folder)
        _, inputs, outputs = entries(name)
        assert got['kind'] in (('scipy', 'control') if inputs and outputs else ('none',)), f'{name}: {got["kind"]}'
        check_poles([complex(*v) for v in got['poles']], name)
        assert [text.replace('_', '.') for text in got['inputs']] == [text.replace('_', '.') for text in inputs]
        if inputs and outputs:
            check_responses({(k, i, j): complex(*got['response'][k][i][j]) for k in range(len(FREQUENCIES))
                             for i in range(len(outputs)) for j in range(len(inputs))}, name, inputs, outputs)


def test_python_control():
    """python-control is called with matrices that fit, and with names it can take."""
    python = python_with(('numpy',))
    for name in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / 'control.py').write_text(STAND_IN, encoding='utf-8')
            got = run_python(python, name, folder)
        states, inputs, outputs = entries(name)
        assert got['kind'] == ('control' if inputs and outputs else 'none'), f'{name}: {got["kind"]}'
        assert len(got['x0']) == len(states)


def test_scipy_mat():
    """MAT files read by SciPy have the names, units and numbers of the CSV."""
    python = python_with(('numpy', 'scipy.io'))
    code = ('import sys, json, scipy.io; m = scipy.io.loadmat(sys.argv[1]);'
            'text = lambda key: [str(cell[0][0]) for cell in m[key]];'
            'rows = [[float(t)] + [float(v) for v in y] for t, y in zip(m["t"][:, 0], m["y"])];'
            'print(json.dumps([text("names"), text("units"), [v for row in rows for v in row]]))')
    for name in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            run, table = Path(folder) / 'run.mat', Path(folder) / 'run.csv'
            for path in (run, table):
                hydrolink('simulate', model(name), '--every', 0.01, '--out', path)
            result = subprocess.run([python, '-c', code, str(run)], capture_output=True, check=False, encoding='utf-8', timeout=120)
            assert result.returncode == 0, result.stderr
            rows = list(csv.reader(table.read_text(encoding='utf-8').splitlines()))
        check_run(rows, *json.loads(result.stdout))


def main():
    tests = (test_octave_script, test_octave_without_control, test_octave_mat, test_python_script, test_python_control, test_scipy_mat)
    failed = 0
    print(f'1..{len(tests)}')
    for number, test in enumerate(tests, 1):
        title = f'{number} - {test.__doc__}'
        try:
            test()
        except Skip as why:
            print(f'ok {title} # SKIP {why}')
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f'not ok {title}\n# ' + str(error).replace('\n', '\n# '))
        else:
            print(f'ok {title}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
