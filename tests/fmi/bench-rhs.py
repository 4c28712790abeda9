#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the right-hand side of an FMU costs beside the program's own: instructions that valgrind counts, which no load on the
computer changes, of the binary that the program itself compiles. bench-rhs.py IMPORTER FMU-RHS [NAME...]; exit 1 above 1.2."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OWN, NAMES = sys.argv[2], sys.argv[3:]
sys.path.insert(0, str(Path(__file__).resolve().parent))
import unit  # noqa: E402  pylint: disable=wrong-import-position
from machines import scissors  # noqa: E402  pylint: disable=wrong-import-position
from unit import IMPORTER, WORK, Unit  # noqa: E402  pylint: disable=wrong-import-position

MOST = 1.2
FEW, MANY = 500, 2500
# a pin-jointed linkage, one with two cylinders and eleven valves, one that rolls, one with a control, pipes in segments
USUAL = ['four-bar', 'excavator-arm', 'crank-rocker', 'articulated-vehicle-tyre', 'position-servo', 'water-hammer',
         'load-sensing-loader']
# of thirty arms and fifteen cylinders, which no file has
LARGE = 'scissors'


def instructions(*words):
    """Of one run, as cachegrind counts them without a cache."""
    done = subprocess.run(['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', *map(str, words)],
                          capture_output=True, check=True, text=True)
    return int(re.search(r'I\s+refs:\s+([\d,]+)', done.stderr).group(1).replace(',', ''))


def of_one(command):
    """Of one evaluation: what more of them take."""
    return (instructions(*command(MANY)) - instructions(*command(FEW))) / (MANY - FEW)


def draw_large():
    """Among the examples, for both."""
    folder = WORK / 'drawn'
    folder.mkdir()
    (folder / f'{LARGE}.hydrolink').write_text(json.dumps(scissors(15)), encoding='utf-8')
    os.environ['HL_EXAMPLES_DIR'] = str(folder)
    unit.EXAMPLES = folder


def main():
    if shutil.which('valgrind') is None:
        print('valgrind is not here: nothing is counted')
        return 0
    worst = 0.0
    print('instructions of a right-hand side      program       FMU     ratio')
    for name in NAMES or [*USUAL, LARGE]:
        if name == LARGE:
            draw_large()
        Unit.optimized = (name,)
        one = Unit.get(name)
        own = of_one(lambda n: [OWN, f'{name}.hydrolink', n])
        fmu = of_one(lambda n: [IMPORTER, one.binary, one.table, 'speed', f'n={n}'])
        worst = max(worst, fmu / own)
        print(f'{name:36} {own:9.0f} {fmu:9.0f}   {fmu / own:7.3f}', flush=True)
    print(f'worst {worst:.3f}, allowed {MOST}')
    return 0 if worst <= MOST else 1


try:
    STATUS = main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(STATUS)
