#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage-table.py COUNTED [--page PAGE]: lines and branches that the tests reach, folder by folder, then each file
below the limit: how many of its missed branches are guards, which functions no test enters, and the reason that
tests/coverage-reasons.txt gives it or its kind. COUNTED is the JSON of gcovr. With --page the same as a page in Markdown. Files of
which more than guards is missed and that have no reason are named at the end. Status 1: a reason has no file.
"""

import argparse
import fnmatch
import json
import re
import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath

TOP = Path(__file__).resolve().parent.parent
REASONS = 'tests/coverage-reasons.txt'
LIMIT = 80  # percent of branches
MOST_NAMED = 3  # functions that are not entered
# a branch that no test should be able to take, or that a macro of GLib writes
GUARDS = re.compile(r'^\s*(g_)?assert\w* \(|^\s*g_return_(val_)?if_fail|^\s*abort \(|\bg_auto\w*\b|\bg_clear_\w+ \(|'
                    r'^G_DE(FINE|CLARE)_|\bG_(TYPE|DEFINE)_\w+ \(')
HEAD = """# Test coverage

{date} Made by `./dev coverage --page` after `./dev coverage`. This command builds `core` and `ui` with counters, runs all tests
except those of the desktop files, and sums the counts, including those of the command line programs. A branch is one outcome of a
decision in the compiled code: `a && b` has four branches, an assertion two, one of which must never be taken. Files below 80 % of
branches are listed by the command, each with its reason (`tests/coverage-reasons.txt`).

"""


class Counts:
    def __init__(self):
        self.lines = self.lines_of = self.branches = self.branches_of = self.guards = 0
        self.unentered = []

    def add(self, other):
        for key in ('lines', 'lines_of', 'branches', 'branches_of', 'guards'):
            setattr(self, key, getattr(self, key) + getattr(other, key))

    @property
    def missed(self):
        return self.branches_of - self.branches

    @property
    def percent(self):
        return 100 * self.branches / self.branches_of if self.branches_of else 100.0


def unentered(entry, source):
    """Functions that nothing calls; a definition begins in the first column."""
    names = []
    for line in entry['lines']:
        at = line['line_number'] - 1
        name = re.match(r'(?:\w[\w *]*[ *])?(\w+) \(', source[at]) if at < len(source) else None
        if name and not line.get('gcovr/noncode') and line['count'] == 0:
            names.append(name[1])
    return names


def reason_for(name, reasons):
    """That of the file, or of the first pattern that takes it; None: nobody has said."""
    return next((reasons[key] for key in (name, *reasons) if key in reasons and fnmatch.fnmatchcase(name, key)), None)


def why(name, counts, reasons):
    """In words; empty: nobody has said."""
    words = [reason for reason in [reason_for(name, reasons)] if reason]
    if not words and counts.missed <= counts.guards:
        return 'guards'
    first = [function for function in counts.unentered if not function.startswith('G_DE')]
    more = f' and {len(first) - MOST_NAMED} more' if len(first) > MOST_NAMED else ''
    if first and name not in reasons:
        words.append(f'not entered: {", ".join(first[:MOST_NAMED])}{more}')
    return '; '.join(words)


def count(entry):
    counts = Counts()
    source = (TOP / entry['file']).read_text(encoding='utf-8').splitlines()
    counts.unentered = unentered(entry, source)
    for line in entry['lines']:
        if line.get('gcovr/noncode'):
            continue
        counts.lines_of += 1
        counts.lines += line['count'] > 0
        taken = [branch['count'] > 0 for branch in line['branches']]
        counts.branches_of += len(taken)
        counts.branches += sum(taken)
        at = line['line_number'] - 1
        if at < len(source) and (GUARDS.search(source[at])):
            counts.guards += taken.count(False)
    return counts


def read_reasons():
    """FILE: reason, or PATTERN: reason, one a line; # begins a remark. Of patterns the first that takes a file counts."""
    reasons = {}
    for number, line in enumerate((TOP / REASONS).read_text(encoding='utf-8').splitlines(), 1):
        if not line.strip() or line.startswith('#'):
            continue
        name, colon, reason = line.partition(': ')
        if not colon or not reason.strip() or name in reasons:
            sys.exit(f'{REASONS}:{number}: write FILE: reason, once for each file')
        reasons[name] = reason.strip()
    return reasons


def part(reached, of):
    return f'{100 * reached / of:.1f} %' if of else '–'


def cells(counts):
    return part(counts.lines, counts.lines_of), part(counts.branches, counts.branches_of), str(counts.missed)


def as_text(folders, low, reasons):
    yield f'{"":<44}{"lines":>9}{"branches":>10}{"missed":>8}'
    for name, counts in folders:
        yield f'{name:<44}' + '{:>9}{:>10}{:>8}'.format(*cells(counts))
    yield f'\nBelow {LIMIT} % of branches:'
    for name, counts in low:
        yield f'{name:<44}' + '{:>9}{:>10}{:>8}  {}'.format(*cells(counts), why(name, counts, reasons))


def as_page(folders, date):
    yield HEAD.format(date=date).rstrip('\n') + '\n'
    yield '| folder | lines | branches | missed |\n| --- | ---: | ---: | ---: |'
    for name, counts in folders:
        yield f'| {name} | ' + ' | '.join(cells(counts)) + ' |'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('counted')
    parser.add_argument('--page')
    parser.add_argument('--date', default='')
    given = parser.parse_args()
    reasons = read_reasons()
    of_folder, of_file = defaultdict(Counts), {}
    for entry in json.loads(Path(given.counted).read_text(encoding='utf-8'))['files']:
        of_file[entry['file']] = counts = count(entry)
        for name in (str(PurePosixPath(entry['file']).parent), 'all'):
            of_folder[name].add(counts)
    folders = sorted(of_folder.items(), key=lambda item: (item[0] == 'all', item[0]))
    low = sorted(((name, counts) for name, counts in of_file.items() if counts.percent < LIMIT),
                 key=lambda item: item[1].percent)
    print('\n'.join(as_text(folders, low, reasons)))
    if given.page:
        Path(given.page).write_text('\n'.join(as_page(folders, given.date)) + '\n', encoding='utf-8')
    bare = [name for name, counts in low if reason_for(name, reasons) is None and counts.missed > counts.guards]
    print(f'\n{len(bare)} of {len(low)} files below the limit have no reason in {REASONS}.')
    for name in (name for name in reasons if name in of_file and name not in dict(low)):
        print(f'{REASONS}: {name} is above the limit and needs no reason')
    wrong = [f'{REASONS}: there is no {name}' for name in reasons
             if not (TOP / name).is_file() and not fnmatch.filter(of_file, name)]
    print('\n'.join(wrong), end='\n' if wrong else '')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
