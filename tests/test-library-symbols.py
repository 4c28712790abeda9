#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What libhydrolink exports: the functions of its header, each with the version that it came in, and what the project's own
programs use of it, under a version that no other program may ask for and that names one release. TAP.

Arguments: the library, the programs that are installed. A function that programs link with never goes and never moves to another version; one that is new
comes in a version of its own, below the last in hydrolink.map.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

API = Path(__file__).resolve().parent.parent / 'core/api'
# How many functions each version has. A published version never changes: only a new line may be added here.
VERSIONS = {'HYDROLINK_1': 42, 'HYDROLINK_2': 7, 'HYDROLINK_3': 9}
PRIVATE = 'HYDROLINK_PRIVATE_'


def declared():
    text = re.sub(r'/\*.*?\*/', '', (API / 'hydrolink.h').read_text(), flags=re.S)
    return set(re.findall(r'\b(hydrolink_\w+) \(', text))


def mapped():
    """Version to its names, in the order of the map."""
    text = (API / 'hydrolink.map').read_text()
    return {version: set(re.findall(r'\b(hydrolink_\w+);', body)) for version, body in
            re.findall(r'^(\w+) \{(.*?)^\}[^;]*;', text, re.S | re.M)}


def symbols(which, file):
    """Names with their versions."""
    out = subprocess.run(['nm', '-D', which, '--with-symbol-versions', file], capture_output=True, text=True, check=True).stdout
    return {tuple(re.split('@+', line.split()[-1])) for line in out.splitlines() if line.split()[-2] != 'A'}


def exported():
    return symbols('--defined-only', sys.argv[1])


def the_map_names_what_the_header_declares():
    names = [name for found in mapped().values() for name in found]
    assert len(names) == len(set(names)), 'a name stands in two versions'
    assert set(names) == declared(), set(names) ^ declared()


def every_symbol_has_its_version():
    want = {(name, version) for version, found in mapped().items() for name in found}
    public = {(name, version) for name, version in exported() if not version.startswith(PRIVATE)}
    assert public == want, public ^ want


def the_rest_is_private_to_this_release():
    rest = {(name, version) for name, version in exported() if version.startswith(PRIVATE)}
    text = (API.parent.parent / 'meson.build').read_text()
    release = re.search(r"version: '([^']+)'", text).group(1)
    assert {version for _, version in rest} == {PRIVATE + release}
    assert all(name.startswith('hl_') for name, _ in rest)


def our_programs_hold_no_core_of_their_own():
    """They are linked with the library, and none of its functions is in them as well."""
    ours = {name for name, _ in exported()}
    for program in sys.argv[2:]:
        wanted = {tuple(name) for name in symbols('--undefined-only', program) if name[0].startswith(('hl_', 'hydrolink_'))}
        assert wanted, f'{program} asks nothing of the library'
        assert wanted <= exported(), wanted - exported()
        out = subprocess.run(['nm', '--defined-only', program], capture_output=True, text=True, check=True).stdout
        twice = {line.split()[-1] for line in out.splitlines() if line.split()[-2] in 'TDRB'} & ours
        assert not twice, f'{program} has its own {sorted(twice)[:5]}'


def versions_do_not_change():
    assert {version: len(found) for version, found in mapped().items()} == VERSIONS, 'see the head of this file'


def main():
    if shutil.which('nm') is None:
        print('1..0 # SKIP there is no nm')
        return 0
    tests = [the_map_names_what_the_header_declares, every_symbol_has_its_version, the_rest_is_private_to_this_release,
             our_programs_hold_no_core_of_their_own, versions_do_not_change]
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
