#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every lumped example and every circuit of the reference that moves as an FMU: description, sources by gcc and clang, Model
Exchange and Co-Simulation against the program's own run. test-fmu-machines.py IMPORTER [NAME...]: of these, or of every
third, since a compiler needs seconds for each; HL_SHARE=K/N is another part of them, 1/1 all."""
import os
import shutil
import sys
from pathlib import Path

import tap

sys.path.insert(0, str(Path(__file__).resolve().parent / 'fmi'))
from unit import (CIRCUITS, COMPILERS, EXAMPLES, WORK, Unit, compare, each, export, is_lumped,  # noqa: E402
                  keeps_the_rules)


def names():
    if len(sys.argv) > 2:
        return sys.argv[2:]
    # those of one instant are there for their statics: one of each kind of law is enough here
    moving = [p for p in CIRCUITS.glob('*.hydrolink') if not p.stem.startswith('static-')]
    examples = [p.stem for p in sorted(EXAMPLES.glob('*.hydrolink')) if is_lumped(p)]
    every = examples + [f'circuit_{p.stem}' if p.stem in examples else p.stem for p in sorted(moving) if is_lumped(p)]
    part, parts = map(int, os.environ.get('HL_SHARE', '1/3').split('/'))
    return every[part - 1::parts]


def test_machines():
    """/fmu/every-lumped-machine-is-valid-compiles-and-runs-as-the-program-does"""
    def one(name):
        keeps_the_rules(name, export(name))
        # the circuits have every component between them: enough for the other compiler
        if (CIRCUITS / f'{name}.hydrolink').exists() or len(sys.argv) > 2:
            for compiler in COMPILERS[1:]:
                Unit.get(name).build(compiler, None)
        compare(name, 2.0)
        shutil.rmtree(Unit.get(name).folder)
    each(one, names())


def main():
    try:
        return tap.report(tap.tests_of(globals()))
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


sys.exit(main())
