#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The wheel of the Python module: built by the backend in the tree, installed by pip without an index, complete beside the C
library, and of the same bits. test-wheel.py LIBRARY"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

import tap

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = Path(sys.argv[1]).resolve()
MODEL = Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink'
WORK = Path(tempfile.mkdtemp(prefix='hl-wheel-'))
# NumPy is Debian's.
PYTHON = '/usr/bin/python3'
# Prints the matrices and a run as hexadecimal numbers, and what was loaded with the module and is not the C library's.
ASK = '''
import bz2, json, lzma, sys, numpy  # what Python itself links is there before
def loaded():
    return {line.split()[-1] for line in open('/proc/self/maps') if '.so' in line}
before = loaded()
import hydrolink
m = hydrolink.open(sys.argv[1])
numbers = [x.hex() for part in (*m.linearize(), *m.simulate(t_end='50 ms').values()) for x in numpy.ravel(part).tolist()]
print(json.dumps([hydrolink.__file__, numbers, sorted(loaded() - before)]))
'''


def ask(python, **environment):
    env = {key: value for key, value in os.environ.items() if key not in ('LD_LIBRARY_PATH', 'HYDROLINK_LIBRARY', 'PYTHONPATH')}
    done = subprocess.run([python, '-c', ASK, MODEL], env={**env, **environment}, cwd=WORK, capture_output=True, check=False, encoding='utf-8')
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def needs(what, reason):
    if subprocess.run([PYTHON, '-c', what], capture_output=True, check=False).returncode != 0:
        raise tap.Skipped(reason)


def wheel():
    """The wheel, built once."""
    found = list(WORK.glob('*.whl'))
    if not found:
        subprocess.run([PYTHON, '-c', 'import hydrolink_build, sys; hydrolink_build.build_wheel(sys.argv[1])', WORK], check=True,
                       env={**os.environ, 'PYTHONPATH': str(ROOT / 'data' / 'python'), 'HYDROLINK_LIBRARY': str(LIBRARY)})
        found = list(WORK.glob('*.whl'))
    return found[0]


def test_record():
    """/wheel/the-record-lists-every-file-and-its-checksum-and-the-same-tree-gives-the-same-bytes"""
    with zipfile.ZipFile(wheel()) as archive:
        names = archive.namelist()
        record = next(name for name in names if name.endswith('RECORD'))
        lines = dict(line.split(',', 1) for line in archive.read(record).decode().splitlines())
        assert sorted(lines) == sorted(names), set(lines) ^ set(names)
        for name in names:
            if name != record:
                data = archive.read(name)
                want = 'sha256=' + urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=') + f',{len(data)}'
                assert lines[name] == want, name
        assert 'hydrolink/py.typed' in names and 'hydrolink/lib/libhydrolink.so.1' in names
        assert any(name.endswith('.dist-info/METADATA') for name in names)
    first = wheel().read_bytes()
    wheel().unlink()
    assert wheel().read_bytes() == first


def test_pip():
    """/wheel/pip-installs-the-tree-without-an-index-and-what-it-installs-needs-the-c-library-alone-and-gives-the-same-bits"""
    needs('import numpy', 'NumPy is not installed (package python3-numpy)')
    needs('import ensurepip, venv, pip', 'venv and pip are not installed (packages python3-venv, python3-pip)')
    place = WORK / 'venv'
    subprocess.run([PYTHON, '-m', 'venv', '--system-site-packages', place], check=True)
    done = subprocess.run([place / 'bin' / 'pip', 'install', '--no-index', ROOT], env={**os.environ, 'HYDROLINK_LIBRARY': str(LIBRARY)},
                          capture_output=True, check=False, encoding='utf-8')
    assert done.returncode == 0, done.stdout + done.stderr
    file, numbers, loaded = ask(place / 'bin' / 'python')
    assert Path(file).is_relative_to(place), file
    beside = str(Path(file).parent)
    outside = [path for path in loaded if not path.startswith(beside) and '/python3' not in path and '/libc.so' not in path and '/libm.so' not in path
               and '/libmvec.so' not in path and '/ld-linux' not in path and '/lib-dynload/' not in path]
    # a file that NumPy has loaded already is not loaded a second time
    assert outside == [], outside
    assert numbers == ask(PYTHON, PYTHONPATH=str(ROOT / 'data' / 'python'), HYDROLINK_LIBRARY=str(LIBRARY))[1]
    program_of_the_wheel(place, Path(beside))


def program_of_the_wheel(place, module):
    """The command, and the analyses of a model, by the program in the wheel with the libraries in the wheel."""
    env = {key: value for key, value in os.environ.items() if key not in ('LD_LIBRARY_PATH', 'HYDROLINK_LIBRARY', 'HYDROLINK_PROGRAM', 'PYTHONPATH')}
    words = ['root-locus', MODEL, '--parameter', 'cyl.friction.Fc', '--from', '1', '--to', '300', '--points', '5', '--json']
    ours = subprocess.run([place / 'bin' / 'hydrolink', *words], env=env, check=True, capture_output=True).stdout
    assert ours == subprocess.run([os.environ['HL_PROGRAM'], *words], check=True, capture_output=True).stdout
    asked = 'import hydrolink, sys; print(hydrolink.open(sys.argv[1]).root_locus("cyl.friction.Fc", 1, 300, points=5)["values"].tolist()); print(hydrolink._program.find_program())'
    values, program = subprocess.run([place / 'bin' / 'python', '-c', asked, MODEL], env=env, cwd=WORK, check=True, capture_output=True, encoding='utf-8').stdout.splitlines()
    assert json.loads(values) == json.loads(ours)['values'] and program == str(module / 'bin' / 'hydrolink'), program
    linked = subprocess.run(['ldd', program], env={**env, 'LD_LIBRARY_PATH': str(module / 'lib')}, check=True, capture_output=True, encoding='utf-8').stdout
    outside = [line for line in linked.splitlines() if '=> /' in line and str(module) not in line
               and not any(name in line for name in ('libc.so', 'libm.so', 'libdl.so', 'librt.so', 'libpthread.so', 'libresolv.so', 'libmvec.so', 'ld-linux'))]
    assert outside == [], outside


def test_broken():
    """/wheel/a-wheel-without-one-of-its-libraries-says-so"""
    needs('import numpy', 'NumPy is not installed (package python3-numpy)')
    place = WORK / 'broken'
    with zipfile.ZipFile(wheel()) as archive:
        archive.extractall(place)
    next((place / 'hydrolink' / 'lib').glob('libklu*')).unlink()
    try:
        ask(PYTHON, PYTHONPATH=str(place))
    except AssertionError as error:
        assert 'ImportError' in str(error) and 'libklu' in str(error), error
    else:
        raise AssertionError('it was loaded')


def main():
    try:
        return tap.report(tap.tests_of(globals()))
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


sys.exit(main())
