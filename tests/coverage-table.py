#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage-table.py SUMMARY: lines and branches that the tests reach, folder by folder, then the files that
they reach least. SUMMARY is the JSON summary of gcovr.
"""

import json
import sys
from collections import defaultdict
from pathlib import PurePosixPath

LEAST_REACHED = 25


def part(reached, of):
    return f'{100 * reached / of:5.1f} %' if of else '      –'


def row(name, counts):
    lines, lines_of, branches, branches_of = counts
    return f'{name:<40}{part(lines, lines_of):>9}{part(branches, branches_of):>10}{branches_of - branches:>10}'


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        files = json.load(file)['files']
    folders = defaultdict(lambda: [0, 0, 0, 0])
    of_file = {}
    for entry in files:
        counts = [entry[key] for key in ('line_covered', 'line_total', 'branch_covered', 'branch_total')]
        of_file[entry['filename']] = counts
        for name in (str(PurePosixPath(entry['filename']).parent), 'all'):
            folders[name] = [a + b for a, b in zip(folders[name], counts)]
    print(f'{"":<40}{"lines":>9}{"branches":>10}{"missed":>10}')
    for name in sorted(folders, key=lambda name: (name == 'all', name)):
        print(row(name, folders[name]))
    print('\nMost branches missed:')
    missed = sorted(of_file.items(), key=lambda item: item[1][2] - item[1][3])
    for name, counts in missed[:LEAST_REACHED]:
        print(row(name, counts))


if __name__ == '__main__':
    main()
