#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every class of component on the command line: its small machine is found sound, runs, comes to rest and has
a linear model, and what these say about it goes together. TAP.

Environment: HL_PROGRAM, HL_CLASS_MACHINES (the program that writes the machines).
"""

import csv
import io
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']


def run(*arguments):
    environment = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    result = subprocess.run([PROGRAM, *map(str, arguments)], env=environment, capture_output=True, check=False,
                            timeout=120, encoding='utf-8')
    if result.returncode != 0:
        raise AssertionError(f'{arguments}: status {result.returncode}: {result.stderr}')
    return result.stdout


def same_eigenvalues(got, want):
    """Two lists of eigenvalues, without order."""
    size = max(abs(value) for value in want)
    for value in want:
        nearest = min(got, key=lambda other: abs(other - value))
        if abs(nearest - value) > 1e-6 * size:
            raise AssertionError(f'eigenvalue {value}, nearest is {nearest}')
        got = [other for other in got if other is not nearest]


def look_at(path):
    run('validate', path)
    # a run ends at the time of the file, and all of its columns are numbers
    rows = list(csv.reader(io.StringIO(run('simulate', path))))
    for row in rows[1:]:
        if not all(math.isfinite(float(cell)) for cell in row):
            raise AssertionError(f'simulate: {row}')
    if len(rows) != 62 or abs(float(rows[-1][0]) - 0.3) > 1e-12:
        raise AssertionError(f'simulate: {len(rows)} rows to {rows[-1][0]}')
    json.loads(run('equilibrium', path, '--json'))
    linear = json.loads(run('linearize', path, '--json'))
    found = [complex(value['re'], value['im']) for value in linear['eigenvalues']]
    trace = sum(linear['J'][k][k] for k in range(len(linear['J'])))
    if abs(sum(found) - trace) > 1e-9 * max(abs(value) for value in found):
        raise AssertionError(f'the eigenvalues add up to {sum(found)}, the diagonal of J to {trace}')
    # where no law has two slopes at rest, differences find the same
    if not linear.get('kinks'):
        other = json.loads(run('linearize', path, '--method', 'difference', '--json'))
        same_eigenvalues([complex(value['re'], value['im']) for value in other['eigenvalues']], found)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.environ['HL_CLASS_MACHINES'], folder], check=True)
        paths = sorted(Path(folder).glob('*.hydrolink'))
        print(f'1..{len(paths)}')
        for number, path in enumerate(paths, 1):
            try:
                look_at(path)
                print(f'ok {number} /cli-classes/{path.stem}')
            except (AssertionError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
                print(f'not ok {number} /cli-classes/{path.stem}\n# {error}')


main()
