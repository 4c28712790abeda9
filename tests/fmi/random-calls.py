#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random calls of exported FMUs under the address and undefined-behaviour sanitizers: instances, states, references, NaN,
steps backwards, any order. random-calls.py IMPORTER [CALLS [SEED]]: so many (a million) are shared among the machines
below, two at a time or HL_JOBS; a fresh seed is printed. FMUs and a second importer are compiled with the sanitizers here."""
import json
import os
import random
import re
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import sundials  # noqa: E402  pylint: disable=wrong-import-position
from machines import bridge, scissors, train  # noqa: E402  pylint: disable=wrong-import-position
from unit import SUPPLIES, WORK, Unit, each, hydrolink, model_of, run  # noqa: E402  pylint: disable=wrong-import-position

CALLS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1, 2**31)
# Without optimization: half of the time goes to instances that are made and freed.
CLANG = ['clang', '-fsanitize=address,undefined', '-fno-sanitize-recover=all',
         '-gline-tables-only', '-O0', '-ffp-contract=off', '-I', SUPPLIES / 'headers']
SOURCES = ['fmu.c', 'fmu-memory.c', 'fmu-check.c', 'fmu-allocations.c', 'fmu-call-order.c', 'fmu-run.c', 'fmu-repeatability.c', 'importer.c']
# How many of forty-six calls each gets: a step of the oils without compression costs ten times one of the lumped oil. A linkage in
# two oils; gas, ends of strokes; check valves; what sticks and slips; signals of signals; a tyre on soft ground; the quasistatic
# oil in both formulations; the hybrid oil in many modes; three that no file has, by sparse matrices.
MACHINES = {('four-bar', 'lumped'): 6, ('accumulator-launch', 'lumped'): 6, ('regenerative-extension', 'lumped'): 6,
            ('stick-slip', 'lumped'): 6, ('position-servo', 'lumped'): 6, ('articulated-vehicle-tyre', 'lumped'): 6,
            ('four-bar', 'hybrid'): 1, ('hybrid-two-cylinders', 'hybrid'): 1, ('metering-arm', 'quasistatic'): 1,
            ('two-arms-1', 'quasistatic'): 1, ('slack-bridge', 'lumped'): 2, ('scissors', 'lumped'): 2, ('train', 'lumped'): 2}
DRAWN = {'slack-bridge': bridge(18), 'scissors': scissors(9), 'train': train(18)}


def drive(machine):
    """One of them, compiled and called."""
    name, oil = machine
    path, archive = WORK / f'{name}.hydrolink', WORK / f'{name}-{oil}.fmu'
    if name in DRAWN:
        path.write_text(json.dumps(DRAWN[name]), encoding='utf-8')
    hydrolink('export-fmu', path if name in DRAWN else model_of(name), '--model', oil, '--sources-only', '--out', archive)
    unit = Unit(f'{name}-{oil}', archive)
    run(*CLANG, '-std=c99', '-w', '-fPIC', '-DFMI3_OVERRIDE_FUNCTION_PREFIX', '-shared', '-o', unit.binary, 'all.c', '-lm', cwd=unit.sources)
    n = -(-CALLS * MACHINES[machine] // sum(MACHINES.values()))
    began = time.monotonic()
    text, _ = run(WORK / 'fmu-importer', unit.binary, unit.table, 'random', f'n={n}', f'seed={SEED % 2**31 + list(MACHINES).index(machine)}',
                  env={**os.environ, 'ASAN_OPTIONS': 'abort_on_error=0', 'UBSAN_OPTIONS': 'print_stacktrace=1'}, timeout=7200)
    print(f'{name}, {oil}: {text.strip()}, {n / (time.monotonic() - began):.0f} calls a second', flush=True)
    shutil.rmtree(unit.folder)
    return [int(x) for x in re.findall(r'\d+', text)]


def main():
    print(f'seed {SEED}', flush=True)
    run(*CLANG, '-I', SUPPLIES.parent.parent, '-o', WORK / 'fmu-importer', *[SUPPLIES / name for name in SOURCES], *sundials.options(), '-ldl')
    told = []
    each(lambda machine: told.append(drive(machine)), MACHINES, int(os.environ.get('HL_JOBS', '2')))
    legal, illegal, _, sequences = [sum(row[k] for row in told) for k in range(4)]
    print(f'{legal + illegal} calls, {illegal} of them forbidden, in {sequences} sequences of {len(told)} machines: '
          'the standard\'s answer to every one')


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
