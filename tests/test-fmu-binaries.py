#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where the binaries of FMUs run, and which compilers take the sources. test-fmu-binaries.py IMPORTER"""
import csv
import ctypes
import io
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import tap

sys.path.insert(0, str(Path(__file__).resolve().parent / 'fmi'))
from unit import EXAMPLES, FOUR_BAR, NATIVE, PROGRAM, SUPPLIES, WORK, Unit, deviation, each, equal, export, hydrolink, own_run, run  # noqa: E402

OILS = ('lumped', 'quasistatic', 'hybrid')
OLDEST_GLIBC = (2, 28)
# Its laws take hypot, exp, log and pow.
MACHINE = 'load-sensing-loader'


def compiled(oil):
    archive = WORK / f'{MACHINE}-{oil}.fmu'
    hydrolink('export-fmu', EXAMPLES / f'{MACHINE}.hydrolink', '--model', oil, '--platforms', NATIVE, '--out', archive)
    return Unit(f'{MACHINE}-{oil}', archive)


def test_glibc():
    """/fmu-binaries/the-binary-needs-no-symbol-above-glibc-2-28-in-all-three-oils"""
    if not sys.platform.startswith('linux') or os.uname().machine not in ('x86_64', 'aarch64'):
        raise tap.Skipped('another platform')

    def one(oil):
        symbols = re.findall(r'\(GLIBC_([\d.]+)\) (\w+)', run('objdump', '-T', compiled(oil).binary)[0])
        equal({'exp', 'hypot'} <= {name for _, name in symbols}, True, f'{oil}: {symbols}')
        young = [f'{name} of {version}' for version, name in symbols if tuple(map(int, version.split('.')))[:2] > OLDEST_GLIBC]
        equal(young, [], f'{oil}: symbols above 2.28')
    each(one, OILS)


def by_tcc(unit):
    """Compiles the unit; returns whether this C library loads it: from 2.41 on it refuses objects that do not state that their
    stack is not executable, and tcc states nothing."""
    run('tcc', '-std=c99', '-shared', '-DFMI3_OVERRIDE_FUNCTION_PREFIX', '-I', SUPPLIES / 'headers', '-o', unit.binary, *unit.names(), '-lm',
        cwd=unit.sources)
    try:
        ctypes.CDLL(str(unit.binary))
    except OSError as error:
        if 'executable stack' not in str(error):
            raise
        print(f'# {unit.folder.name} is compiled; this C library does not load it: {error}', flush=True)
        return False
    return True


def test_tcc():
    """/fmu-binaries/tinycc-compiles-the-sources-in-all-three-oils-and-what-it-makes-runs"""
    if shutil.which('tcc') is None:
        raise tap.Skipped('tcc is not installed (package tcc)')

    def one(oil):
        archive = WORK / f'{MACHINE}-{oil}-sources.fmu'
        hydrolink('export-fmu', EXAMPLES / f'{MACHINE}.hydrolink', '--model', oil, '--sources-only', '--out', archive)
        unit = Unit(f'tcc-{oil}', archive)
        if by_tcc(unit):
            unit.importer('cs', 'stop=0.02', 'every=0.01')
    each(one, OILS)
    export('four-bar')
    own, words = own_run('four-bar', 0.2, '--rtol', '1e-11', '--integrator', 'radau', '--formulation', 'reduced')
    unit = Unit('tcc-four-bar', WORK / 'four-bar.fmu')
    if not by_tcc(unit):
        return
    off = deviation(unit.rows('cs', *words), own)
    print(f'# four-bar by tcc: {off:.2e} of the peak')
    if not off < 1e-5:
        raise AssertionError(f'four-bar by tcc is {off} of the peak off')


MINGW = 'x86_64-w64-mingw32-gcc'
MINGW_PACKAGE = 'gcc-mingw-w64-x86-64'


def path_without(*compilers):
    """A PATH on which the compilers are not."""
    folder = WORK / 'path'
    folder.mkdir(exist_ok=True)
    for place in os.environ['PATH'].split(':'):
        for tool in Path(place).glob('*') if Path(place).is_dir() else ():
            target = folder / tool.name
            if tool.name not in compilers and not target.is_symlink():
                target.symlink_to(tool)
    return str(folder)


def test_without_compiler():
    """/fmu-binaries/a-platform-without-compiler-is-an-error-that-names-the-package-where-it-was-asked-for"""
    out = WORK / 'no.fmu'
    env = {**os.environ, 'PATH': path_without(MINGW)}
    error = run(PROGRAM, 'export-fmu', FOUR_BAR, '--platforms', 'x86_64-windows', '--out', out, env=env, status=1)[1]
    equal(MINGW in error and f'install the package {MINGW_PACKAGE}' in error, True, error)
    equal(out.exists(), False)
    error = hydrolink('export-fmu', FOUR_BAR, '--platforms', 'x86_64-linux,amiga', '--out', out, status=2)[1]
    equal('‘amiga’' in error and 'x86_64-windows' in error, True, error)
    error = hydrolink('export-fmu', FOUR_BAR, '--platforms', NATIVE, '--sources-only', '--out', out, status=2)[1]
    equal('exclude each other' in error, True, error)


def test_default():
    """/fmu-binaries/an-export-compiles-for-this-machine-alone-unless-asked-also-where-a-cross-compiler-is-installed"""
    folder = WORK / 'cross'
    folder.mkdir()
    cross = folder / MINGW
    cross.write_text('#!/bin/sh\nfor word; do case $last in -o) printf MZ > "$word" ;; esac; last=$word; done\n', encoding='utf-8')
    cross.chmod(0o755)
    env = {**os.environ, 'PATH': f'{folder}:{os.environ["PATH"]}'}
    for words, want in (((), [NATIVE]), (('--platforms', f'{NATIVE},x86_64-windows'), [NATIVE, 'x86_64-windows'])):
        out = WORK / f'default{len(words)}.fmu'
        run(PROGRAM, 'export-fmu', FOUR_BAR, *words, '--out', out, env=env)
        with zipfile.ZipFile(out) as files:
            equal(sorted({name.split('/')[1] for name in files.namelist() if name.startswith('binaries/')}), want)


def rows_under_wine(archive, fmi, stop, every):
    """Rows of Co-Simulation by the Windows binary, and the unit."""
    unit = Unit(archive.stem, archive)
    drive = WORK / 'drive.exe'
    if not drive.exists():
        run(MINGW, '-std=c99', '-Wall', '-I', SUPPLIES.parent.parent, '-I', SUPPLIES / 'headers', '-o', drive, SUPPLIES / 'windows-importer.c')
    folder = 'win64' if fmi == 2 else 'x86_64-windows'
    outputs = [v.reference for v in unit.description.of('output')]
    token = unit.description.root.get('guid' if fmi == 2 else 'instantiationToken')
    env = {**os.environ, 'WINEPREFIX': str(WORK / 'wine'), 'WINEDEBUG': '-all', 'DISPLAY': ''}
    text = run('wine', drive, unit.folder / 'binaries' / folder / f'{unit.description.identifier}.dll', fmi, token, stop, every, *outputs, env=env)[0]
    return [[float(x) for x in row] for row in csv.reader(io.StringIO(text))], unit


def test_windows():
    """/fmu-binaries/the-windows-binary-loads-and-steps-under-wine-as-this-machine-does"""
    if shutil.which(MINGW) is None:
        raise tap.Skipped(f'{MINGW} is not installed (package {MINGW_PACKAGE})')
    if shutil.which('wine') is None:
        raise tap.Skipped('wine is not installed (package wine)')
    for fmi in (3, 2):
        archive = WORK / f'windows{fmi}.fmu'
        hydrolink('export-fmu', FOUR_BAR, '--fmi', fmi, '--platforms', 'x86_64-windows', '--out', archive)
        with zipfile.ZipFile(archive) as files:
            equal([n for n in files.namelist() if n.startswith('binaries/')], [f'binaries/{"win64" if fmi == 2 else "x86_64-windows"}/four_bar.dll'])
        theirs, unit = rows_under_wine(archive, fmi, 0.3, 0.01)
        ours = unit.rows('cs', 'tolerance=1e-9', 'stop=0.3', 'every=0.01')
        off = deviation(theirs, ours)
        print(f'# FMI {fmi} under wine: {off:.2e} of the peak')
        if not off < 1e-9:
            raise AssertionError(f'FMI {fmi} under wine: {off:.2e} of the peak')


def main():
    try:
        return tap.report(tap.tests_of(globals()))
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


sys.exit(main())
