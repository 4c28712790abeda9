#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The file format: its page is that of the tables, its JSON Schema takes every sound file, refuses a file without
what is required, and never refuses what `validate` takes; and what shells complete. TAP.

Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_GOLDEN_DIR. The schema's checks need Debian's python3-jsonschema.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:  # another Python of this machine may have it
    OTHER = '/usr/bin/python3'
    if 'HL_OTHER_PYTHON' not in os.environ and os.path.exists(OTHER) and \
            subprocess.run([OTHER, '-c', 'import jsonschema'], capture_output=True).returncode == 0:
        os.execve(OTHER, [OTHER, *sys.argv], {**os.environ, 'HL_OTHER_PYTHON': '1'})
    jsonschema = None

PROGRAM = os.environ['HL_PROGRAM']
TOP = Path(__file__).resolve().parent.parent
FILES = sorted(Path(os.environ['HL_EXAMPLES_DIR']).glob('*.hydrolink')) + \
    sorted(Path(os.environ['HL_GOLDEN_DIR']).rglob('*.hydrolink'))
MUTANTS = 60
WRONG = (True, None, [], {}, 'no such word', ['no such word'], -1.5, {'kind': 'no such kind'})


def program(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          env={**os.environ, 'LC_ALL': 'C', 'LANGUAGE': ''})


def the_page_is_of_the_tables():
    made = program('format').stdout
    page = TOP / 'data' / 'docs' / 'format.md'
    assert made == page.read_text(), 'write it anew: build/app/hydrolink format > data/docs/format.md'


def german_makes_no_difference():
    german = subprocess.run([PROGRAM, 'format'], capture_output=True, text=True,
                            env={**os.environ, 'LC_ALL': 'de_DE.UTF-8', 'LANGUAGE': 'de'}).stdout
    assert german == program('format').stdout


def completions_know_every_option():
    """Every option that --help shows, in each shell's words; bash completes with it."""
    scripts = {shell: program('completion', '--shell', shell).stdout for shell in ('bash', 'zsh', 'fish')}
    names = re.findall(r'^  ([a-z][a-z-]+) ', program('--help').stdout.split('Commands:')[1].split('Options:')[0], re.M)
    assert len(names) > 15, names
    for name in names:
        shown = re.findall(r'^  --([a-z-]+)', program(name, '--help').stdout, re.M)
        if name == 'reproduce':  # a program of its own tells its options itself
            continue
        words = re.search(rf"^    {name}\) options='([^']*)'", scripts['bash'], re.M).group(1).split()
        assert sorted(words) == sorted('--' + option for option in shown), (name, words, shown)
        for option in shown:
            assert re.search(rf"^    {name}\)(?:.*\n)*?.*--{option}\[", scripts['zsh'], re.M), (name, option)
            assert f"__fish_seen_subcommand_from {name}' -l {option} " in scripts['fish'], (name, option)
    bash = 'COMP_WORDS=(hydrolink simulate x --t-); COMP_CWORD=3; _hydrolink; echo "${COMPREPLY[@]}"'
    done = subprocess.run(['bash', '-c', scripts['bash'] + bash], capture_output=True, text=True)
    assert done.stdout == '--t-end\n', done
    for shell, script in scripts.items():
        if shutil.which(shell):
            done = subprocess.run([shell, '-n', '/dev/stdin'], input=script, capture_output=True, text=True)
            assert done.returncode == 0 and not done.stderr, (shell, done.stderr)
    assert program('completion', '--shell', 'csh').returncode == 2


def validator():
    schema = json.loads(program('format', '--schema').stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def sound(path):
    return program('validate', path).returncode == 0


def takes_every_sound_file():
    check, n = validator(), 0
    for path in FILES:
        if sound(path):
            n += 1
            why = next(check.iter_errors(json.loads(path.read_text())), None)
            assert why is None, f'{path.name}: {why.json_path}: {why.message}'
    assert n >= 50, n


def refuses_what_lacks_something():
    """Every member that is required, taken away, where it stands."""
    check = validator()
    schema = check.schema['properties']
    seen = set()
    for path in FILES:
        model = json.loads(path.read_text())
        for section in ('bodies', 'joints', 'loads', 'components', 'lines', 'probes', 'sliders', 'parameter_sets'):
            items = schema[section]['items']
            for at, element in enumerate(model.get(section, [])):
                kinds = [kind for kind in items.get('oneOf', [items])
                         if kind['properties'].get('kind', {}).get('const') in (None, element.get('kind'))]
                for name in kinds[0]['required'] if kinds else []:
                    if name in element:
                        if (section, element.get('kind'), name) in seen:
                            continue
                        alone = {'format': 'hydrolink', 'version': 1, section: [dict(element)]}
                        assert check.is_valid(alone), (path.name, section, at)
                        del alone[section][0][name]
                        assert not check.is_valid(alone), (path.name, section, at, name)
                        seen.add((section, element.get('kind'), name))
    assert len(seen) > 60, len(seen)


def places(value, at=()):
    """Every member and entry below a value, but for what is only drawn."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in below:
        if key not in ('layout', 'photograph', 'measured'):
            yield at + (key,)
            yield from places(member, at + (key,))


def is_never_stricter_than_the_program():
    check, draw, found = validator(), random.Random(19), 0
    small = [path for path in FILES if path.stat().st_size < 12000]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'mutant.hydrolink'
        for _ in range(MUTANTS):
            path = draw.choice(small)
            model = json.loads(path.read_text())
            place = draw.choice(list(places(model)))
            holder = model
            for key in place[:-1]:
                holder = holder[key]
            holder[place[-1]] = draw.choice(WRONG)
            if check.is_valid(model):
                continue
            found += 1
            file.write_text(json.dumps(model))
            done = program('validate', file)
            assert done.returncode == 2, f'{path.name}: {place} = {holder[place[-1]]!r} is taken: ' + \
                next(check.iter_errors(model)).message
    print(f'# {found} of {MUTANTS} mutants are refused by the schema, and all of them by the program')
    assert found > MUTANTS // 3, found


CHECKS = [the_page_is_of_the_tables, german_makes_no_difference, completions_know_every_option, takes_every_sound_file, refuses_what_lacks_something,
          is_never_stricter_than_the_program]

failures = 0
print(f'1..{len(CHECKS)}')
for number, check in enumerate(CHECKS, 1):
    if jsonschema is None and number > 3:
        print(f'ok {number} - {check.__name__} # SKIP python3-jsonschema is not there')
        continue
    try:
        check()
        print(f'ok {number} - {check.__name__}', flush=True)
    except Exception as error:
        failures += 1
        print(f'not ok {number} - {check.__name__}: {type(error).__name__}: {error}', flush=True)
sys.exit(failures > 0)
