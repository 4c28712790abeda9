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
            ('pair.count = 0', 'set cyl.friction.scale 0.01', 'is already true before the task'),
            ('max(phi2) > 1 deg', 'set cyl.friction.scale 0.01', 'there is no run yet')]:
        (folder / 'a.hllesson').write_text(do(until, solution))
        done = run('check', folder / 'a.hllesson')
        assert done.returncode == 1, done.stdout + done.stderr
        assert 'a.hllesson:7: NOT SATISFIED' in done.stdout and because in done.stdout, done.stdout
    (folder / 'a.hllesson').write_text(HEAD + '# S\n```predict\nanswer: eig.count\nabout: 8\n```\n')
    done = run('check', folder / 'a.hllesson')
    assert done.returncode == 1 and 'the answer is 6, not 8' in done.stdout
    both = '```predict\nchoice: a\nif: eig.count > 5\nchoice: b\nif: eig.count > 4\n```\n'
    (folder / 'a.hllesson').write_text(HEAD + '# S\n' + both)
    done = run('check', folder / 'a.hllesson')
    assert done.returncode == 1 and 'both correct' in done.stdout


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
    assert done.returncode == 2 and 'holds' in done.stdout and 'never be true' in done.stdout
    assert run('check', folder / 'not-there.hllesson').returncode == 2
    assert run('check').returncode == 2
    assert run('chekc', folder / 'good.hllesson').returncode == 2
    assert run('check', folder / 'good.hllesson', '--jsn').returncode == 2


def test_hostile(folder):
    """What is wrong is named with its line, and nothing crashes or hangs."""
    body = '# S\n'
    deep = '(' * 20000 + '1' + ')' * 20000
    bad = {
        'empty': ('', 'empty.hllesson'),
        'zeros': ('\0' * 5000, 'zeros.hllesson:1:'),
        'latin': (b'---\ntitle: \xfc\nmodel: m.hydrolink\n---\n# S\n', 'latin.hllesson:2:'),
        'head': ('---\ntitle: T\n', 'head.hllesson'),
        'key': (HEAD.replace('title: T', 'title: T\nmodle: x'), 'key.hllesson:3:'),
        'twice': (HEAD + body + '```do\nuntil: eig.count > 7\n```\n```run\nrun:\n```\n', 'twice.hllesson:9:'),
        'deep': (HEAD + body + f'```do\nuntil: {deep} > pair.count\n```\n', 'deep.hllesson:7:'),
        'unit': (HEAD + body + '```do\nuntil: V1.pressure > 20\nsolution: run\n```\n', 'unit.hllesson:7:'),
        'act': (HEAD + body + '```setup\nset: cyl.friction.scale ' + '9' * 5000 + 'x\n```\n', 'act.hllesson:7:'),
        'mend': (HEAD + body + '```setup\nfault: f cyl.nothing 3\n```\n', 'mend.hllesson:7:'),
        'oil': (HEAD + body + '```setup\noil: snake\n```\n', 'oil.hllesson:7:'),
        'choice': (HEAD + body + '```predict\nchoice: a\n```\n', 'choice.hllesson:'),
        'sketch': (HEAD + body + '```predict\nsketch: phi2\nfrom: 3 bar\nto: 4 bar\nrun:\n```\n', 'sketch.hllesson:'),
        'range': (HEAD + body + '```predict\nsketch: phi2\nfrom: 1 deg\nto: -1 deg\nrun:\n```\n', 'range.hllesson:'),
        'circle': ('---\ntitle: T\nmodel: circle.hllesson\n---\n# S\n', 'circle.hllesson:3:'),
        'folder': ('---\ntitle: T\nmodel: .\n---\n# S\n', 'folder.hllesson:3:'),
    }
    for name, (text, _) in bad.items():
        (folder / f'{name}.hllesson').write_bytes(text if isinstance(text, bytes) else text.encode())
    done = run('check', *(folder / f'{name}.hllesson' for name in bad))
    assert done.returncode == 2, done.stdout + done.stderr
    assert max(map(len, done.stdout.splitlines())) < 600  # what a message repeats has an end
    missed = [where for _, where in bad.values() if where not in done.stdout]
    assert not missed, f'{missed} not in\n{done.stdout[:6000]}'
    for name in bad:  # each by itself: nothing of it is said by another one's
        assert any(line.startswith(str(folder / name)) or f'{name}.hllesson' in line
                   for line in done.stdout.splitlines()), name


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
