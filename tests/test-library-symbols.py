#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What libhydrolink exports: the functions of its header and nothing else, each with the version that it came in. TAP.

Argument: the library. A function that programs link with never goes and never moves to another version; one that is new
comes in a version of its own, below the last in hydrolink.map.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

API = Path(__file__).resolve().parent.parent / 'core/api'
# How many functions each version has. A published version never changes: only a new line may be added here.
VERSIONS = {'HYDROLINK_1': 42}


def declared():
    text = re.sub(r'/\*.*?\*/', '', (API / 'hydrolink.h').read_text(), flags=re.S)
    return set(re.findall(r'\b(hydrolink_\w+) \(', text))


def mapped():
    """Version to its names, in the order of the map."""
    text = (API / 'hydrolink.map').read_text()
    return {version: set(re.findall(r'\b(hydrolink_\w+);', body)) for version, body in
            re.findall(r'^(\w+) \{(.*?)^\}[^;]*;', text, re.S | re.M)}


def exported():
    out = subprocess.run(['nm', '-D', '--defined-only', '--with-symbol-versions', sys.argv[1]], capture_output=True, text=True,
                         check=True).stdout
    return {tuple(line.split()[-1].split('@@')) for line in out.splitlines() if line.split()[-2] != 'A'}


def the_map_names_what_the_header_declares():
    names = [name for found in mapped().values() for name in found]
    assert len(names) == len(set(names)), 'a name stands in two versions'
    assert set(names) == declared(), set(names) ^ declared()


def every_symbol_has_its_version():
    want = {(name, version) for version, found in mapped().items() for name in found}
    assert exported() == want, exported() ^ want


def versions_do_not_change():
    assert {version: len(found) for version, found in mapped().items()} == VERSIONS, 'see the head of this file'


def main():
    if shutil.which('nm') is None:
        print('1..0 # SKIP there is no nm')
        return 0
    tests = [the_map_names_what_the_header_declares, every_symbol_has_its_version, versions_do_not_change]
    failed = 0
    print(f'1..{len(tests)}')
    for number, test in enumerate(tests, 1):
        name = test.__name__.replace('_', '-')
        try:
            test()
            print(f'ok {number} /library-symbols/{name}')
        except Exception as error:  # a test that breaks is one that fails
            failed = 1
            print(f'not ok {number} /library-symbols/{name}\n# {type(error).__name__}: {error}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
