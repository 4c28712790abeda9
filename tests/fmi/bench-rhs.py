#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the right-hand side of an FMU costs beside the program's own: instructions that valgrind counts, which no load on the
computer changes, of the binary that the program itself compiles; and the least time of some runs of each, one after the other.
bench-rhs.py IMPORTER FMU-RHS BENCH-LARGE [NAME...]; exit 1 above 1.2 times as many instructions."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

OWN, LARGE_MACHINES, NAMES = sys.argv[2], sys.argv[3], sys.argv[4:]
sys.path.insert(0, str(Path(__file__).resolve().parent))
import unit  # noqa: E402  pylint: disable=wrong-import-position
from machines import scissors  # noqa: E402  pylint: disable=wrong-import-position
from unit import IMPORTER, WORK, Unit  # noqa: E402  pylint: disable=wrong-import-position

MOST = 1.2
FEW, MANY = 500, 2500
# a pin-jointed linkage, one with two cylinders and eleven valves, one that rolls, one with a control, pipes in segments
USUAL = ['four-bar', 'excavator-arm', 'crank-rocker', 'articulated-vehicle-tyre', 'position-servo', 'water-hammer',
         'load-sensing-loader']
# What no file has: arms and cylinders on scissors, and those of bench-large.
LARGE = {'scissors-30-arms': lambda: json.dumps(scissors(15)), 'scissors-42-arms': lambda: json.dumps(scissors(21)),
         'chain-30': lambda: written('chain', 30), 'chain-80': lambda: written('chain', 80), 'tree-40': lambda: written('tree', 40),
         'lift-20': lambda: written('lift', 20), 'train-20': lambda: written('train', 20), 'ladder-60': lambda: written('ladder', 60)}
RUNS = 5


def written(kind, n):
    """Of bench-large: rods in a row or as a tree, stages of a lift, cars on knife edges, volumes in a row."""
    return subprocess.run([LARGE_MACHINES, 'write', kind, str(n)], capture_output=True, check=True, text=True).stdout


def instructions(*words):
    """Of one run, as cachegrind counts them without a cache."""
    done = subprocess.run(['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', *map(str, words)],
                          capture_output=True, check=True, text=True)
    return int(re.search(r'I\s+refs:\s+([\d,]+)', done.stderr).group(1).replace(',', ''))


def of_one(command):
    """Of one evaluation: what more of them take."""
    return (instructions(*command(MANY)) - instructions(*command(FEW))) / (MANY - FEW)


def seconds(words):
    begin = time.perf_counter()
    subprocess.run([*map(str, words)], capture_output=True, check=True)
    return time.perf_counter() - begin


def time_of_one(commands):
    """Of one evaluation by each of the commands, in turn."""
    few, many = ([[seconds(command(n)) for command in commands] for _ in range(RUNS)] for n in (FEW, 8 * MANY))
    return [(min(run[k] for run in many) - min(run[k] for run in few)) / (8 * MANY - FEW) for k in range(len(commands))]


def draw_large(name):
    """Among the examples, for both."""
    folder = WORK / 'drawn'
    folder.mkdir(exist_ok=True)
    (folder / f'{name}.hydrolink').write_text(LARGE[name](), encoding='utf-8')
    os.environ['HL_EXAMPLES_DIR'] = str(folder)
    unit.EXAMPLES = folder


def main():
    if shutil.which('valgrind') is None:
        print('valgrind is not here: nothing is counted')
        return 0
    worst = 0.0
    print('instructions of a right-hand side      program       FMU     ratio     time: program [us]      FMU     ratio')
    for name in NAMES or [*USUAL, *LARGE]:
        if name in LARGE:
            draw_large(name)
        Unit.optimized = (name,)
        one = Unit.get(name)
        commands = [lambda n: [OWN, f'{name}.hydrolink', n], lambda n: [IMPORTER, one.binary, one.table, 'speed', f'n={n}']]
        own, fmu = map(of_one, commands)
        own_time, fmu_time = time_of_one(commands)
        worst = max(worst, fmu / own)
        print(f'{name:36} {own:9.0f} {fmu:9.0f}   {fmu / own:7.3f} {1e6 * own_time:20.2f} {1e6 * fmu_time:9.2f}'
              f'   {fmu_time / own_time:7.3f}', flush=True)
    print(f'worst {worst:.3f}, allowed {MOST}')
    return 0 if worst <= MOST else 1


try:
    STATUS = main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(STATUS)
