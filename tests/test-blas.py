#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The libraries behind LAPACKE that this machine has (the reference one, OpenBLAS without and with threads) come to the
same: TAP. What differs is the order of sums, so eigenvalues agree to the rounding of their matrix.

Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, EXAMPLES = os.environ['HL_PROGRAM'], Path(os.environ['HL_EXAMPLES_DIR'])
# Of the largest eigenvalue. Measured: 8e-15 over 300 states.
TOLERANCE = 1e-11
COPIES = 12


def libraries():
    """Name and folders of each, as Debian lays them down beside each other."""
    found = {}
    for blas in glob.glob('/usr/lib/*/blas/libblas.so.3'):
        lapack = Path(blas).parent.parent / 'lapack'
        if (lapack / 'liblapack.so.3').exists():
            found['reference'] = f'{Path(blas).parent}:{lapack}'
    for lapack in glob.glob('/usr/lib/*/openblas-*/liblapack.so.3'):
        found[Path(lapack).parent.name] = str(Path(lapack).parent)
    # where somebody looks at one that is not installed
    for folder in filter(None, os.environ.get('HL_BLAS_DIRS', '').split(':')):
        found[Path(folder).name] = folder
    return found


def said(folders, *arguments, **more):
    env = dict(os.environ, LD_LIBRARY_PATH=folders, **more)
    done = subprocess.run([PROGRAM, *map(str, arguments)], env=env, capture_output=True, text=True, timeout=120)
    return done


def machine(n):
    """n four-bars in one file, no two alike: larger than what the plain loops do without LAPACK."""
    one = json.loads((EXAMPLES / 'four-bar.hydrolink').read_text())
    lists = ('bodies', 'joints', 'loads', 'components', 'lines')
    ids = {element['id'] for name in lists for element in one.get(name, [])}

    def renamed(value, k):
        if isinstance(value, str):
            head, dot, rest = value.partition('.')
            if head in ids:
                return f'{head}_{k}{dot}{rest}'
            return f'{value}_{k}' if head == 'ground' else value
        if isinstance(value, list):
            return [renamed(item, k) for item in value]
        if isinstance(value, dict):
            return {key: item if key in ('kind', 'model', 'points') else renamed(item, k) for key, item in value.items()}
        return value

    all_of = {'format': 'hydrolink', 'version': 1, 'gravity': one.get('gravity', [0, -9.81]), 'fluid': one.get('fluid', {}),
              'ground': {'points': {}}, **{name: [] for name in lists}}
    for k in range(n):
        for name, point in one['ground']['points'].items():
            all_of['ground']['points'][f'{name}_{k}'] = point
        for name in lists:
            all_of[name] += [renamed(element, k) for element in one.get(name, [])]
    for k, body in enumerate(all_of['bodies']):
        body['mass'] *= 1 + 1e-3 * k
    return json.dumps(all_of)


def values(text):
    answer = json.loads(text)
    return sorted((complex(v['re'], v['im']) for v in answer['eigenvalues']), key=lambda v: (v.real, v.imag)), answer['null']


def same(path, found):
    told = {name: said(folders, 'linearize', path, '--at', 'start', '--json') for name, folders in found.items()}
    first, *others = told
    for name in others:
        assert told[name].returncode == told[first].returncode, (path, name, told[name].stderr, told[first].stderr)
    if told[first].returncode != 0:
        return 0
    want, null = values(told[first].stdout)
    size = max(map(abs, want), default=0)
    worst = 0.0
    for name in others:
        got, null_too = values(told[name].stdout)
        assert null_too['count'] == null['count'] and len(got) == len(want), (path, name)
        for value in want:
            worst = max(worst, min(abs(other - value) for other in got) / (abs(value) + 1e-3 * size or 1))
        assert worst <= TOLERANCE or null['count'] > 0 and worst <= math.sqrt(TOLERANCE), (path, name, worst)
    return worst


def eigenvalues_agree(found):
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / 'large.hydrolink'
        large.write_text(machine(COPIES))
        print(f'# {COPIES} four-bars: {same(large, found):.1e}')
    for name in ('four-bar', 'excavator-arm', 'load-sensing-loader', 'two-arms-1', 'articulated-vehicle-tyre', 'watt-six-bar'):
        print(f'# {name}: {same(EXAMPLES / f"{name}.hydrolink", found):.1e}')


def a_run_agrees(found):
    rows = {}
    for name, folders in found.items():
        done = said(folders, 'simulate', EXAMPLES / 'four-bar.hydrolink', '--t-end', '0.5', '--every', '0.1')
        assert done.returncode == 0, done.stderr
        rows[name] = [[float(cell) for cell in line.split(',')] for line in done.stdout.splitlines()[1:]]
    first, *others = rows.values()
    for other in others:
        for a, b in zip(first, other, strict=True):
            assert all(abs(x - y) <= 1e-6 * abs(x) + 1e-9 for x, y in zip(a, b, strict=True)), (a, b)


def threads_are_one(found):
    """However many the person asks for: OpenBLAS has a thread for each of them from its start, none of which works."""
    threaded = {name: folders for name, folders in found.items() if re.search('pthread|openmp', name)}
    if not threaded:
        return 'no OpenBLAS with threads is here'
    for name, folders in threaded.items():
        with tempfile.TemporaryDirectory() as folder:
            large = Path(folder) / 'large.hydrolink'
            large.write_text(machine(COPIES))
            one = said(folders, 'linearize', large, '--json', OPENBLAS_NUM_THREADS='1')
            many = said(folders, 'linearize', large, '--json', OPENBLAS_NUM_THREADS='4')
            # divided sums would be rounded otherwise
            assert one.stdout == many.stdout, name
    return None


def main():
    found = libraries()
    tests = [eigenvalues_agree, a_run_agrees, threads_are_one]
    if len(found) < 2:
        print('1..0 # SKIP there is one library only (Debian: libopenblas0-serial, libopenblas0-pthread)')
        return 0
    print(f'1..{len(tests)}\n# {", ".join(found)}')
    failed = 0
    for number, test in enumerate(tests, 1):
        name = test.__name__.replace('_', '-')
        try:
            skip = test(found)
            print(f'ok {number} /blas/{name}' + (f' # SKIP {skip}' if skip else ''))
        except Exception as error:  # a test that breaks is one that fails
            failed = 1
            print(f'not ok {number} /blas/{name}\n# {type(error).__name__}: {error}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
