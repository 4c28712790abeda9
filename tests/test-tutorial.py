#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The second part of the tutorial (data/docs/tutorial.md), block by block as it is printed, in an empty folder: what is fitted there is the
friction that the measurement was made with. TAP.

test-tutorial.py LIBRARY. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = Path(os.environ['HL_PROGRAM']).resolve()
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR']).resolve()
PAGE = EXAMPLES.parent / 'docs' / 'tutorial.md'
# Debian's own, which has Debian's NumPy
PYTHON = '/usr/bin/python3' if os.access('/usr/bin/python3', os.X_OK) else sys.executable
TRUTH = {'cyl.friction.Fc': 180.0, 'cyl.friction.Fs': 700.0}


def test_friction():
    """commands and Python of the tutorial fit the friction of the measurement, with intervals that hold it"""
    blocks = re.findall(r'^```(sh|python)\n(.*?)^```', PAGE.read_text(encoding='utf-8'), flags=re.M | re.S)
    if len(blocks) != 6:
        raise AssertionError(f'{len(blocks)} blocks')
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXAMPLES / 'four-bar.hydrolink', folder)
        environment = os.environ | {'PATH': f'{PROGRAM.parent}:{os.environ["PATH"]}', 'PYTHONPATH': str(EXAMPLES.parent / 'python'),
                                    'HYDROLINK_LIBRARY': os.path.abspath(sys.argv[1])}
        for kind, text in blocks:
            command = ['sh', '-e', '-c', text] if kind == 'sh' else [PYTHON, '-c', text]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise AssertionError(f'{text}: {done.stderr}')
        for name in ('fit.svg', 'report/report.html'):
            if not (Path(folder) / name).is_file():
                raise AssertionError(f'{name} was not written')
        for number in json.loads((Path(folder) / 'fit.json').read_text(encoding='utf-8'))['numbers']:
            if not (number['low'] <= TRUTH[number['path']] <= number['high'] and number['high'] - number['low'] < 0.1 * number['value']):
                raise AssertionError(number)


def test_pictures():
    """every picture of the tutorial is there"""
    for picture in re.findall(r'\.\./screenshots/([^)]*)', PAGE.read_text(encoding='utf-8')):
        if not (EXAMPLES.parent / 'screenshots' / picture).is_file():
            raise AssertionError(picture)


sys.exit(tap.report([test_friction, test_pictures]))
