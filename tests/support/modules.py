#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""modules.py PROGRAM OUT FOLDER NAME...: sources for one test program of many modules, in the folder OUT.

Each FOLDER/test-NAME.c is written as a program of its own. Here its main gets the name hl_test_main_NAME, and PROGRAM.c calls
the one that its first argument names: `PROGRAM NAME [OPTION]...`. A file whose text stays as it was keeps its time.
"""

import sys
from pathlib import Path

MODULE = '''/* Made by tests/support/modules.py. */
int hl_test_main_{word} (int argc, char **argv);
#define main hl_test_main_{word}
#include "{folder}/test-{name}.c"
'''

PROGRAM = '''/* Made by tests/support/modules.py. */
#include "tests/support/hl-test-module.h"

{declarations}

int
main (int argc, char **argv)
{{
  static const HlTestModule modules[] = {{
{rows}
  }};

  return hl_test_module_run (modules, {n}, argc, argv);
}}
'''


def write(path, text):
    if not path.is_file() or path.read_text(encoding='utf-8') != text:
        path.write_text(text, encoding='utf-8')


def main():
    program, out, folder, *names = sys.argv[1:]
    words = [name.replace('-', '_') for name in names]
    for name, word in zip(names, words):
        write(Path(out) / f'{program}-{name}.c', MODULE.format(word=word, folder=folder, name=name))
    write(Path(out) / f'{program}.c', PROGRAM.format(
        declarations='\n'.join(f'int hl_test_main_{word} (int argc, char **argv);' for word in words),
        rows='\n'.join(f'    {{"{name}", hl_test_main_{word}}},' for name, word in zip(names, words)), n=len(names)))


if __name__ == '__main__':
    main()
