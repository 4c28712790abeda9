#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run under a German locale, with a decimal comma and a catalogue, writes the same bytes as one in the C locale. TAP.

The locale de_DE.UTF-8 is made in a temporary folder, so none has to be installed. Environment: HL_PROGRAM,
HL_EXAMPLES_DIR, HL_CATALOGUES.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
MODEL = str(Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink')
COMMANDS = {
    'validate': ['validate', MODEL],
    'equilibrium': ['equilibrium', MODEL, '--json'],
    'linearize as text': ['linearize', MODEL, '--set', 'cyl.friction.Fc=2.5'],
    'linearize as JSON': ['linearize', MODEL, '--set', 'cyl.friction.Fc=2.5', '--json'],
    'simulate': ['simulate', MODEL, '--t-end', '0.05', '--every', '0.001'],
    'root locus': ['root-locus', MODEL, '--parameter', 'cyl.friction.Fc', '--from', '0.5', '--to', '1.5', '--points', '5'],
    'a mistake': ['linearize', MODEL, '--set', 'cyl.friction.Fc=2,5'],
}


def break_models(folder):
    """Models with mistakes that the document, the compile step and a run find; commands over them."""
    def write(name, change):
        model = json.loads(Path(MODEL).read_text(encoding='utf-8'))
        change(model)
        path = Path(folder) / f'{name}.hydrolink'
        path.write_text(json.dumps(model), encoding='utf-8')
        return str(path)

    cylinder = lambda model: next(part for part in model['components'] if part['kind'] == 'cylinder')
    wrong = write('wrong', lambda model: (cylinder(model).update(stroke=-1, rod='nowhere.P'), model['lines'][0].update(ports=7)))
    short = write('short', lambda model: cylinder(model).update(stroke=1e-3))
    torn = Path(folder) / 'torn.hydrolink'
    torn.write_text('{"format": "hydrolink", }', encoding='utf-8')
    return {
        'validate, wrong': (['validate', wrong], 2),
        'simulate, wrong': (['simulate', wrong], 2),
        'simulate, short of stroke': (['simulate', short], 2),
        'hybrid, refused': (['simulate', os.path.join(os.path.dirname(MODEL), '../../tests/golden/cushion-without-line.hydrolink'), '--model', 'hybrid'], 1),
        'no JSON': (['validate', str(torn)], 2),
    }


def make_locale(folder):
    """Compiles de_DE.UTF-8 into folder; whether it has a decimal comma there."""
    if shutil.which('localedef') is None:
        return False
    subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', f'{folder}/de_DE.UTF-8'], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    probe = 'import locale; locale.setlocale(locale.LC_ALL, ""); print(locale.localeconv()["decimal_point"])'
    answer = subprocess.run([sys.executable, '-c', probe], env=comma_environment(folder), capture_output=True, check=False)
    return answer.stdout.strip() == b','


def environment(**changes):
    names = ('LANG', 'LANGUAGE', 'LOCPATH')
    plain = {key: value for key, value in os.environ.items() if key not in names and not key.startswith('LC_')}
    return {**plain, **changes}


def comma_environment(folder):
    return environment(LOCPATH=folder, LC_ALL='de_DE.UTF-8', LANGUAGE='de')


def run(arguments, env):
    result = subprocess.run([PROGRAM, *arguments], env=env, capture_output=True, check=False, timeout=120)
    return result.returncode, result.stdout, result.stderr


def report(env):
    """Every file of `report`, by name."""
    with tempfile.TemporaryDirectory() as out:
        status = subprocess.run([PROGRAM, 'report', MODEL, '--out', out, '--set', 'simulation.t_end=0.05'], env=env,
                                capture_output=True, check=False, timeout=120).returncode
        return status, {path.name: path.read_bytes() for path in sorted(Path(out).rglob('*'))
                        if path.suffix in ('.csv', '.md', '.json', '.svg')}


def differing_files(plain, comma):
    if plain[0] != 0 or not plain[1]:
        return [f'report ended with status {plain[0]} and {len(plain[1])} files']
    names = sorted(set(plain[1]) | set(comma[1]))
    return [f'{name} differs' for name in names if plain[1].get(name) != comma[1].get(name)]


def main():
    with tempfile.TemporaryDirectory() as folder:
        if not make_locale(folder):
            print('1..0 # SKIP de_DE.UTF-8 cannot be made here (package locales)')
            return 0
        c_env, comma_env = environment(LC_ALL='C.UTF-8'), comma_environment(folder)
        commands = {name: (arguments, 2 if name == 'a mistake' else 0) for name, arguments in COMMANDS.items()}
        commands |= break_models(folder)
        print(f'1..{len(commands) + 1}')
        failed = 0
        for number, (name, (arguments, status)) in enumerate(commands.items(), 1):
            plain, comma = run(arguments, c_env), run(arguments, comma_env)
            good = plain == comma and plain[0] == status and (status == 0 or bool(plain[1] + plain[2]))
            if not good:
                print(f'# status {plain[0]} and {comma[0]}')
                print(f'# C:  {plain[1:]!r:.600}\n# de: {comma[1:]!r:.600}')
            failed += not good
            print(f'{"ok" if good else "not ok"} {number} - {name}', flush=True)
        wrong = differing_files(report(c_env), report(comma_env))
        for line in wrong:
            print(f'# {line}')
        failed += bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {len(commands) + 1} - report')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
