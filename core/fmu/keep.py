#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts that the program carries with it, as they are.

    keep.py OUT.c NAME=FILE...

Every FILE becomes a text of the table hl_fmu_kept[] in OUT.c, under its NAME."""
import sys
from pathlib import Path


def quoted(text):
    for line in text.splitlines(keepends=True):
        escaped = line.replace('\\', '\\\\').replace('"', '\\"').replace('?', '\\?').replace('\n', '\\n')
        yield f'    "{escaped}"'


def main():
    out = ['/* SPDX-License-Identifier: MIT */', '/* Made by keep.py. */', '#include "core/fmu/hl-fmu.h"', '',
           'const HlFmuKept hl_fmu_kept[] = {']
    for argument in sys.argv[2:]:
        name, path = argument.split('=', 1)
        out.append(f'  {{"{name}",')
        out += quoted(Path(path).read_text(encoding='utf-8'))
        out.append('  },')
    out += ['  {0, 0}};', '']
    Path(sys.argv[1]).write_text('\n'.join(out), encoding='utf-8')


main()
