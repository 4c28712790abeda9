#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damaged models through every command of the command line. TAP.

test-cli-mutants.py [N [SEED]]: N mutants (default HL_MUTANTS, else 5) of the examples, each a few changes of the tree:
a member or an item goes, is doubled or takes another one's value, a number becomes one at which laws break. Whatever a
command makes of one, it ends with 0, 1 or 2 and in time; with 0 it prints no number that is none; else it says
something that names a place in the file. Environment: HL_PROGRAM, HL_EXAMPLES_DIR.
"""

import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = sorted(Path(os.environ['HL_EXAMPLES_DIR']).glob('*.hydrolink'))
SECONDS = 120
NUMBERS = [0, -0.0, 1, -1, 1e-9, -1e-9, 1e-320, 1e300, -1e300, 3.141592653589793, 2, 1e6, 1e-15, 0.5, 1e9, 1e-4, 100]
SHORT = ['--t-end', '0.02', '--every', '0.002']
NO_NUMBER = re.compile(r'(?i)(?<![\w.‘])[-+]?(nan|inf|infinity)(?![\w’])')
FLAWS = re.compile(r'CRITICAL|WARNING \*\*|Sanitizer|runtime error|assertion|\(null\)')


def commands(model, folder):
    """Every command but those that need a display or no file, short."""
    bodies = [body.get('id') for body in items(model, 'bodies')]
    path = f'{bodies[0]}.mass' if bodies and isinstance(bodies[0], str) and bodies[0] else 'fluid.density'
    signal = next((f'{e["id"]}.{end}' for key, end in (('components', 'command'), ('loads', 'signal'))
                   for e in items(model, key) if end in e and isinstance(e.get('id'), str)), 'M.signal')
    probe = next((e['id'] for e in items(model, 'probes') if isinstance(e.get('id'), str) and e['id']), 'phi')
    for name in ('validate', 'equilibrium', 'linearize', 'modes'):
        yield [name]
    yield ['equilibrium', '--json']
    yield ['linearize', '--json', '--at', 'start']
    yield ['linearize', '--out', f'{folder}/linear.py']
    yield ['simulate', *SHORT]
    yield ['simulate', *SHORT, '--model', 'hybrid']
    yield ['simulate', *SHORT, '--model', 'quasistatic']
    yield ['simulate', *SHORT, '--out', f'{folder}/run.mat']
    yield ['compare-models', *SHORT]
    yield ['root-locus', '--parameter', path, '--from', '1', '--to', '3', '--points', '3']
    yield ['sensitivity', '--parameter', path]
    yield ['stability-map', '--x', f'{path}=1:2:2', '--y', f'{path}=1:2:2']
    yield ['frequency-response', '--input', signal, '--output', probe, '--points', '5']
    yield ['sweep', '--parameter', path, '--from', '1', '--to', '2', '--points', '2']
    yield ['quasistatic', '--velocity=-0.1,0,0.1']


def items(model, key):
    value = model.get(key) if isinstance(model, dict) else None
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def places(value, way=()):
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in pairs:
        yield way + (key,)
        yield from places(child, way + (key,))


def at(value, way):
    for key in way:
        value = value[key]
    return value


def mutate(model, rng):
    """One change, in place; what it was, for a message."""
    ways = list(places(model))
    way = rng.choice(ways)
    parent, key, old = at(model, way[:-1]), way[-1], at(model, way)
    other = at(model, rng.choice(ways))
    if isinstance(old, (int, float)) and not isinstance(old, bool) and rng.random() < 0.8:
        new = rng.choice([rng.choice(NUMBERS), -old, old * 10.0 ** rng.randint(-6, 6), old * rng.uniform(0.5, 1.5)])
    else:
        kind = rng.random()
        if kind < 0.3:
            del parent[key]
            return f'{way} removed'
        if kind < 0.5 and isinstance(parent, list):
            parent.insert(rng.randint(0, len(parent)), copy.deepcopy(old))
            return f'{way} doubled'
        same = [at(model, one) for one in ways if type(at(model, one)) is type(old)]
        new = rng.choice(same) if kind < 0.9 else rng.choice([None, '', [], {}, True, other])
    parent[key] = copy.deepcopy(new)
    return f'{way} = {json.dumps(new)[:80]}'


def names(model):
    """What a message may name: identifiers, keys on the way to them, and words of the file."""
    found = {'format', 'version', 'line', 'simulation', 'fluid', 'equilibrium', 'gravity'}

    def walk(value):
        if isinstance(value, dict):
            for key, child in value.items():
                found.add(key)
                walk(child)
        elif isinstance(value, list):
            for child in value:
                walk(child)
        elif isinstance(value, str) and value:
            found.add(value)
    walk(model)
    return found


def judge(arguments, result, known, path):
    """What is wrong with an answer; None: nothing."""
    out, err = result.stdout.decode('utf-8', 'replace'), result.stderr.decode('utf-8', 'replace')
    if result.returncode not in (0, 1, 2):
        return f'status {result.returncode}: {err[-600:]}'
    flaw = FLAWS.search(err)
    if flaw:
        return f'{flaw.group()}: {err[-600:]}'
    if result.returncode == 0:
        bad = NO_NUMBER.search(out)
        return f'prints {bad.group()} with status 0: …{out[max(0, bad.start() - 80):bad.end() + 20]!r}' if bad else None
    said = (err + (out if arguments[0] == 'validate' else '')).replace(str(path), '').strip()
    if not said:
        return f'status {result.returncode} without a word'
    words = set(re.findall(r'[\w-]+', said))
    if not words & known and not any(len(name) > 1 and f'‘{name}’' in said for name in known):
        return f'status {result.returncode}, names nothing: {said[:400]}'
    return None


def try_mutant(number, seed, folder):
    """Failures of one mutant, as lines."""
    rng = random.Random(f'{seed}/{number}')
    source = rng.choice(EXAMPLES)
    model = json.loads(source.read_text(encoding='utf-8'))
    changes = [mutate(model, rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    path = Path(folder) / 'mutant.hydrolink'
    path.write_text(json.dumps(model), encoding='utf-8')
    known, failures = names(model), []
    for arguments in commands(model, folder):
        line = [PROGRAM, arguments[0], str(path), *arguments[1:]]
        try:
            result = subprocess.run(line, capture_output=True, check=False, timeout=SECONDS,
                                    env={**os.environ, 'G_DEBUG': '', 'OPENBLAS_NUM_THREADS': '1'})
            wrong = judge(arguments, result, known, path)
        except subprocess.TimeoutExpired:
            wrong = f'no end after {SECONDS} s'
        if wrong:
            failures.append(f'{" ".join(arguments)}: {wrong}')
    return source.name, changes, failures


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else int(os.environ.get('HL_MUTANTS', '5'))
    seed = sys.argv[2] if len(sys.argv) > 2 else '1'
    keep = os.environ.get('HL_KEEP_MUTANTS')
    failed = 0
    print(f'1..{count}', flush=True)
    for number in range(1, count + 1):
        with tempfile.TemporaryDirectory() as folder:
            name, changes, failures = try_mutant(number, seed, folder)
            if failures and keep:
                (Path(keep) / f'{seed}-{number}.hydrolink').write_bytes((Path(folder) / 'mutant.hydrolink').read_bytes())
        failed += bool(failures)
        print(f'{"not ok" if failures else "ok"} {number} {name}, seed {seed}', flush=True)
        for line in ([*changes, *failures] if failures else []):
            print('# ' + line.replace('\n', '\n# '), flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
