#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""needed-targets.py BUILD [OPTION OF MESON TEST]...: prints what ninja must build for the tests that `meson test` would run, a line each.

Meson itself builds the programs of all tests as soon as no test is named: for the tests of one suite twice of what is needed.
"""

import json
import subprocess
import sys
from pathlib import Path


def main():
    build = Path(sys.argv[1]).resolve()
    listed = subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', '--list', *sys.argv[2:]], stdout=subprocess.PIPE, check=False,
                            encoding='utf-8').stdout
    names = {line.rsplit(' / ', 1)[-1] for line in listed.splitlines()}
    tests, targets = (json.loads((build / 'meson-info' / f'intro-{kind}.json').read_text(encoding='utf-8')) for kind in ('tests', 'targets'))
    files = {target['id']: target['filename'] for target in targets}
    needed = {file for test in tests if test['name'] in names for target in test['depends'] for file in files[target]}
    print('\n'.join(sorted(str(Path(file).relative_to(build)) for file in needed)))


if __name__ == '__main__':
    main()
