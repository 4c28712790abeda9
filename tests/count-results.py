#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count-results.py BUILD STATUS: sums up the last `meson test` of BUILD, which ended with STATUS.

Counts the single cases of the TAP output; a program that failed without a failing case (a crash, a time-out, a wrong
plan) counts as one failure. Prints `N passed, N failed` as the last line; exits 1 on failure or when nothing ran.
"""

import json
import re
import sys
from pathlib import Path

GOOD = ('OK', 'EXPECTEDFAIL')


def count(test):
    """(passed, failed, skipped) of one test program."""
    cases = re.findall(r'^(ok|not ok)\b([^\n]*)', test.get('stdout', ''), re.M)
    if not re.search(r'^1\.\.\d+', test.get('stdout', ''), re.M):
        cases = []
    skipped = sum(1 for word, rest in cases if re.search(r'#\s*skip', rest, re.I))
    failed = sum(1 for word, rest in cases if word == 'not ok')
    passed = len(cases) - skipped - failed
    if test['result'] == 'SKIP':
        return 0, 0, max(skipped, 1)
    if test['result'] in GOOD:
        return (passed, failed, skipped) if cases else (1, 0, 0)
    return passed, max(failed, 1), skipped


def main():
    log = Path(sys.argv[1]) / 'meson-logs' / 'testlog.json'
    status = int(sys.argv[2])
    tests = [json.loads(line) for line in log.read_text(encoding='utf-8').splitlines()] if log.is_file() else []
    counts = [count(test) for test in tests]
    passed, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 0, 0)
    if failed == 0 and (status != 0 or passed == 0):
        print('The tests did not run.' if passed == 0 else f'meson test ended with status {status}.')
        failed = 1
    for test, (_, bad, left_out) in zip(tests, counts):
        if bad or left_out:
            print(f'{"FAILED" if bad else "skipped"}: {test["name"]}')
    if skipped:
        print(f'{skipped} skipped')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
