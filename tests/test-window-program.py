#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line starts without the libraries of a window, and becomes the window's program when one is meant. TAP.

Argument: the folder of an installation where that program is looked for last. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

PROGRAM = os.environ['HL_PROGRAM']
FOUR_BAR = str(Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink')
OF_FILES = {'libmatio', 'libhdf5_serial', 'libhdf5', 'libcurl'}
OF_WINDOWS = {'libgtk-4', 'libmanette-0', 'libepoxy', 'libgdk_pixbuf-2', 'libwayland-client', 'libvulkan', 'libcups'}


def libraries(program):
    """Name to file of each that the loader would load."""
    said = subprocess.run(['ldd', program], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r'^\s*(lib[\w+-]+)\.\S* => (\S+)', said, re.M))


def test_no_gtk():
    """the command line loads no GTK and nothing that only a window wants"""
    own, window = libraries(PROGRAM), libraries(PROGRAM + '-window')
    assert 'libhydrolink' in own and 'libgtk-4' in window, window
    assert not set(own) & OF_WINDOWS, set(own) & OF_WINDOWS
    assert not set(own) & OF_FILES, 'what only a MAT file needs is loaded when one is written'
    # on Debian 12 these are 27 fewer
    assert len(own) <= len(window) - 20, (len(own), len(window))


def with_folder(check):
    """Calls with a folder that holds the program alone, and what starts it there: its output, messages, status and process."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PROGRAM, folder)
        env = dict(os.environ, LD_LIBRARY_PATH=str(Path(libraries(PROGRAM)['libhydrolink']).parent), MARK='kept')

        def start(*words):
            with subprocess.Popen([f'{folder}/hydrolink', *words], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding='utf-8') as process:
                out, said = process.communicate('typed')
                return out, said, process.returncode, process.pid

        check(Path(folder) / 'hydrolink-window', start)


def test_is_the_window():
    """without a command the process becomes the window's program, with its line, streams, environment and status"""
    def check(window, start):
        window.write_text('#!/bin/sh\nprintf "%s|" "$$" "$MARK" "$(cat)" "$@"\nexit 7\n', encoding='utf-8')
        window.chmod(0o755)
        for words in ([], ['--gapplication-service'], ['a b.hydrolink', '', 'c'], ['--new'], ['-n', 'a.hydrolink'],
                      ['--quit-after-startup'], ['screenshot', FOUR_BAR, '--out', 'a.png', '--set', 'cyl.friction.scale=0.1']):
            out, said, status, pid = start(*words)
            want = '|'.join([str(pid), 'kept', 'typed', *words, ''])
            assert (out, said, status) == (want, '', 7), (words, out, said, status)
        window.chmod(0o644)
        out, said, status, _ = start('a.hydrolink')
        assert status == 1 and not out and 'Permission denied' in said, (out, said, status)
    with_folder(check)


def test_without_it():
    """without the window's program it says what is missing and where it belongs; what needs no window does not ask for it"""
    def check(_, start):
        if not (Path(sys.argv[1]) / 'hydrolink-window').exists():
            for words in ([], ['a.hydrolink'], ['screenshot', FOUR_BAR, '--out', 'a.png']):
                out, said, status, _ = start(*words)
                assert status == 1 and not out, (words, out, said, status)
                assert 'hydrolink-window' in said and 'No such file' in said and f'in {sys.argv[1]}' in said, said
        for words, status in ((['screenshot', '--help'], 0), (['screenshot', FOUR_BAR, '--no-such'], 2), (['--version'], 0),
                              (['validate', FOUR_BAR], 0), (['no-such-command'], 2)):
            out, said, got, _ = start(*words)
            assert got == status and 'hydrolink-window' not in said, (words, out, said, got)
    with_folder(check)


def test_mat_files():
    """the library of MAT files is loaded when one is written; without it that file is refused, and every other is written"""
    with tempfile.TemporaryDirectory() as folder:
        name = Path(re.search(r'HL_MAT_LIBRARY "(.*)"', (Path(PROGRAM).parent.parent / 'core/io/hl-mat-name.h').read_text()).group(1))
        (Path(folder) / name).write_text('no library', encoding='utf-8')
        for kind, more in (('mat', {}), ('mat', {'LD_LIBRARY_PATH': folder}), ('json', {'LD_LIBRARY_PATH': folder})):
            out = Path(folder) / f'four-bar.{kind}'
            out.unlink(missing_ok=True)
            done = subprocess.run([PROGRAM, 'linearize', FOUR_BAR, '--out', out], env=dict(os.environ, **more), capture_output=True,
                                  encoding='utf-8', check=False)
            if kind == 'json' or not more:
                assert done.returncode == 0 and out.stat().st_size > 0, (kind, more, done.stderr)
            else:
                assert done.returncode != 0 and not out.exists(), done.returncode
                assert 'four-bar.mat' in done.stderr and 'MAT files need the library' in done.stderr, done.stderr


if __name__ == '__main__':
    if shutil.which('ldd') is None:
        print('1..0 # SKIP there is no ldd')
        sys.exit(0)
    sys.exit(tap.report(tap.tests_of(globals())))
