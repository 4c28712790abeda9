#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every lumped example and every circuit of the reference that moves as an FMU: description, sources by gcc and clang, Model
Exchange and Co-Simulation against the program's own run. test-fmu-machines.py IMPORTER [NAME...]: of these, or of every
third, since each is compiled; HL_SHARE=K/N is another part of them, 1/1 all. HL_FMU_OIL=hybrid takes them with the hybrid oil,
those that it can start, in Co-Simulation; HL_LONGEST=S another length of run than 2 s."""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import tap

sys.path.insert(0, str(Path(__file__).resolve().parent / 'fmi'))
from unit import (CIRCUITS, COMPILERS, EXAMPLES, PROGRAM, WORK, Unit, asks_for_nothing, compare, deviation, each, equal, export,  # noqa: E402
                  goes_on, hydrolink, is_lumped, keeps_the_rules, model_of, own_run, run)


OIL = os.environ.get('HL_FMU_OIL')


def why_not(name):
    """What export says of a machine that the other oil cannot have; the run of the program says the same."""
    words = [model_of(name), '--model', OIL]
    done = subprocess.run([PROGRAM, 'export-fmu', *words, '--sources-only', '--out', WORK / f'{name}.fmu'], capture_output=True,
                          check=False, text=True)
    if done.returncode == 0:
        return None
    equal(done.returncode, 1, done.stderr)
    run(PROGRAM, 'simulate', *words, '--t-end', '0.001', status=1)
    return done.stderr.strip()


# Until when a run of hybrid oil tells anything [s]. The loader's bucket valve opens at 1.26 s; its oil would have to pull there, as
# the run itself warns, and the pump's control swings: `simulate` at 1e-8 and 1e-10 is 1e-9 of the peak apart before and 7e-3 behind.
SENSIBLE = {'load-sensing-loader': 1.2}


def compare_co_simulation(name, longest):
    """Co-Simulation alone, of what is no model of constant size."""
    longest = min(longest, SENSIBLE.get(name, longest))
    own, words = own_run(name, longest, '--model', OIL, '--rtol', '1e-10', '--integrator', 'radau')
    cs = deviation(Unit.get(name).rows('cs', *words), own)
    print(f'# {name}: co-simulation {cs:.2e} of the peak', flush=True)
    if not cs < 1e-5:
        raise AssertionError(f'{name}: co-simulation {cs:.2e} of the peak')


def names():
    if len(sys.argv) > 2:
        return sys.argv[2:]
    # those of one instant are there for their statics: one of each kind of law is enough here
    moving = [p for p in CIRCUITS.glob('*.hydrolink') if not p.stem.startswith('static-')]
    examples = [p.stem for p in sorted(EXAMPLES.glob('*.hydrolink')) if is_lumped(p)]
    every = examples + [f'circuit_{p.stem}' if p.stem in examples else p.stem for p in sorted(moving) if is_lumped(p)]
    return tap.share(every, '1/3')


def test_machines():
    """/fmu/every-lumped-machine-is-valid-compiles-and-runs-as-the-program-does"""
    def one(name):
        if OIL is not None:
            refused = why_not(name)
            if refused:
                print(f'# {name}: refused: {refused}', flush=True)
                return
        keeps_the_rules(name, export(name, OIL))
        for compiler in COMPILERS[1:]:
            Unit.get(name).build(compiler, None)
        (compare if OIL is None else compare_co_simulation)(name, float(os.environ.get('HL_LONGEST', '2')))
        asks_for_nothing(Unit.get(name), 0.1)
        shutil.rmtree(Unit.get(name).folder)
    each(one, names())


def check_hybrid(path):
    """Co-Simulation of a file in hybrid oil against the program's own run; its unit and its end."""
    stop = json.loads(path.read_text(encoding='utf-8'))['simulation']['t_end']
    archive = WORK / f'{path.stem}.fmu'
    hydrolink('export-fmu', path, '--model', 'hybrid', '--sources-only', '--out', archive)
    text, told = hydrolink('simulate', path, '--model', 'hybrid', '--every', stop / 20, '--rtol', '1e-10', '--integrator', 'radau')
    own = [[float(x) if x else float('nan') for x in row] for row in list(csv.reader(io.StringIO(text)))[1:]]
    unit = Unit(path.stem, archive)
    off = deviation(unit.rows('cs', f'stop={stop}', f'every={stop / 20}'), own)
    print(f'# {path.stem}: {off:.1e} of the peak', flush=True)
    if not off < 1e-5:
        raise AssertionError(f'{off:.2e} of the peak')
    return unit, stop, told


# Machines of test-hybrid-machines.py: two whose load pulls at pilot-operated check valves, so that flows are cut, and ten others; the
# first of so many.
RANDOM = ((105004, 1), (105014, 1), (1, 5), (100001, 5))


def test_random_hybrid():
    """/fmu/random-machines-of-hybrid-oil-run-as-the-program-does"""
    folder = WORK / 'random'
    folder.mkdir()
    for seed, n in RANDOM:
        run(sys.executable, Path(__file__).with_name('test-hybrid-machines.py'), n, seed, folder)
    each(check_hybrid, sorted(folder.iterdir()))


def test_compressible_lines():
    """/fmu/lines-that-become-compressible-in-hybrid-oil-do-so-in-an-fmu-and-in-its-states"""
    def one(x):
        document = json.loads((CIRCUITS.parent / 'found' / 'late-relief-at-stop.hydrolink').read_text(encoding='utf-8'))
        document['bodies'][0]['pose'][0] = x
        document['simulation'].update(model='hybrid', t_end=0.2)
        path = WORK / f'late-{x}.hydrolink'
        path.write_text(json.dumps(document), encoding='utf-8')
        unit, stop, told = check_hybrid(path)
        equal('is compressible from t = ' in told, True, told)
        goes_on(unit, stop)
        asks_for_nothing(unit, stop)
    each(one, [0.5, 0.497])  # a line at the start, and when the piston meets its stop


def main():
    try:
        return tap.report(tap.tests_of(globals()))
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


sys.exit(main())
