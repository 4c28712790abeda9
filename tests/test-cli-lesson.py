#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hydrolink lesson check: the eight lessons hold, one that does not and one that is broken say so."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
LESSONS = Path(os.environ['HL_LESSONS_DIR'])
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])

HEAD = f'---\ntitle: T\nmodel: {EXAMPLES}/four-bar.hydrolink\n---\n'


def run(*arguments):
    return subprocess.run([PROGRAM, 'lesson', *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, 'LC_ALL': 'C.UTF-8'}, timeout=200)


def do(until, solution):
    return f'{HEAD}# S\n```do\nuntil: {until}\nsolution: {solution}\n```\n'


def test_all_hold(_):
    done = run('check', *sorted(LESSONS.glob('*.hllesson')), '--json')
    assert done.returncode == 0, done.stdout + done.stderr
    lessons = json.loads(done.stdout)['lessons']
    assert len(lessons) >= 8
    for lesson in lessons:
        assert not lesson['problems'] and len(lesson['steps']) >= 3
        assert all(step['holds'] for step in lesson['steps'])


def test_does_not_hold(folder):
    for until, solution, because in [
            ('pair.count = 3', 'set cyl.friction.scale 0.01', 'pair.count = 1'),
            ('pair.count = 0', 'set cyl.friction.scale 0.01', 'holds before anything is done'),
            ('max(phi2) > 1 deg', 'set cyl.friction.scale 0.01', 'nothing has been run')]:
        (folder / 'a.hllesson').write_text(do(until, solution))
        done = run('check', folder / 'a.hllesson')
        assert done.returncode == 1, done.stdout + done.stderr
        assert 'a.hllesson:7: DOES NOT HOLD' in done.stdout and because in done.stdout, done.stdout
    (folder / 'a.hllesson').write_text(HEAD + '# S\n```predict\nanswer: eig.count\nabout: 8\n```\n')
    done = run('check', folder / 'a.hllesson')
    assert done.returncode == 1 and 'the answer is 6, not about 8' in done.stdout
    both = '```predict\nchoice: a\nif: eig.count > 5\nchoice: b\nif: eig.count > 4\n```\n'
    (folder / 'a.hllesson').write_text(HEAD + '# S\n' + both)
    done = run('check', folder / 'a.hllesson')
    assert done.returncode == 1 and 'both right' in done.stdout


def test_broken(folder):
    bad = {
        'path': (do('cyl.friction.Fq > 3', 'set cyl.friction.scale 1'), 'path.hllesson:7:'),
        'never': (do('eig.damping(1) > 2', 'set cyl.friction.scale 1'), 'never.hllesson:7:'),
        'model': ('---\ntitle: T\nmodel: gone.hydrolink\n---\n# S\n', 'model.hllesson:3:'),
        'fence': (HEAD + '# S\n```do\n', 'fence.hllesson:6:'),
    }
    for name, (text, where) in bad.items():
        (folder / f'{name}.hllesson').write_text(text)
        done = run('check', folder / f'{name}.hllesson')
        assert done.returncode == 2 and where in done.stdout, done.stdout + done.stderr
    # a bad one among good ones is still a bad file; the others are gone through
    (folder / 'good.hllesson').write_text(do('pair.count = 1', 'set cyl.friction.scale 0.01'))
    done = run('check', folder / 'good.hllesson', folder / 'never.hllesson')
    assert done.returncode == 2 and 'holds' in done.stdout and 'never hold' in done.stdout
    assert run('check', folder / 'not-there.hllesson').returncode == 2
    assert run('check').returncode == 2
    assert run('chekc', folder / 'good.hllesson').returncode == 2
    assert run('check', folder / 'good.hllesson', '--jsn').returncode == 2


def test_translation(folder):
    (folder / 'a.hllesson').write_text(do('pair.count = 1', 'set cyl.friction.scale 0.01'))
    other = do('pair.count = 1', 'set cyl.friction.scale 0.02').replace('---\n#', 'language: de\n---\n#')
    (folder / 'a.de.hllesson').write_text(other)
    done = run('check', folder / 'a.de.hllesson')
    assert done.returncode == 2 and 'differs from the original' in done.stdout


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith('test_')]
    failed = 0
    print(f'1..{len(tests)}')
    for number, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Path(folder))
                print(f'ok {number} {name}')
            except Exception as error:  # every one of them fails the test
                failed += 1
                print(f'not ok {number} {name}')
                print('# ' + repr(error).replace('\\n', '\n# '))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
