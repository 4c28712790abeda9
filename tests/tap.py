# SPDX-License-Identifier: MIT
"""Runs functions as tests and reports them as TAP."""
import os


class Skipped(Exception):
    """Raised by a test that cannot run on this machine, with the reason."""


def report(tests):
    """Each test's first line of words is its title; every failure is one line or more behind it. Returns the exit status.
    What each of them took, itself and the programs that it ran, stands behind it."""
    failed = 0
    print(f'1..{len(tests)}')
    for number, test in enumerate(tests, 1):
        title = test.__doc__.splitlines()[0]
        before = sum(os.times()[:4])
        try:
            test()
            print(f'ok {number} - {title}', flush=True)
        except Skipped as why:
            print(f'ok {number} - {title} # SKIP {why}', flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            why = f'{type(error).__name__}: {error}'.replace('\n', '\n# ')
            print(f'not ok {number} - {title}\n# {why}', flush=True)
        print(f'# {sum(os.times()[:4]) - before:.2f} s of processor time', flush=True)
    return 1 if failed else 0


def share(cases, unsaid='1/1'):
    """The part of a long list that is tried: all of it, or with HL_SHARE=K/N every N-th from the K-th on."""
    part, parts = map(int, os.environ.get('HL_SHARE', unsaid).split('/'))
    return cases[part - 1::parts]


def tests_of(names):
    """The functions test_... of a file's globals (), in their order."""
    return [value for name, value in names.items() if name.startswith('test_')]
