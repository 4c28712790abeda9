#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The way of a pressure from file to pixel is as data/docs/architecture.md tells it, and short; and the figures of the
structure count what there is. TAP. Each check is first tried on something that breaks it.
"""

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from structure import Structure  # noqa: E402

TOP = Path(__file__).resolve().parent.parent
PAGE = 'data/docs/architecture.md'
MOST_STATIONS = 14
MOST_FILES = 7
# Kinds with a header of their own, because others are made of them: a tank is a source of pressure.
WITH_OTHERS = ('directional-valve', 'pressure-source')
# A table that a kind may stand in and need not: without a letter it has none.
OPTIONAL = ('ui/canvas/hl-palette.c',)
ROW = re.compile(r'^\|\s*\d+ \| `([\w/.-]+\.c)` \| `(\w+)` \|[^|]*\|(?: `(\w+)`(?: through `([\w/.-]+)`)?)? \|$', re.M)


def stations(page):
    return ROW.findall(page)


def code_of(top, path):
    file = top / path
    text = file.read_text(encoding='utf-8') if file.is_file() else ''
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', ' ', text, flags=re.S)


def has_word(code, word):
    return re.search(rf'\b{word}\b', code) is not None


def wrong_steps(way, top):
    """What the way says and the code does not."""
    if not 2 <= len(way) <= MOST_STATIONS:
        yield f'{len(way)} stations; at most {MOST_STATIONS}'
    if len({path for path, *_ in way}) != len(way):
        yield 'a file comes twice'
    in_window = False
    for number, (path, function, joint, through) in enumerate(way):
        code = code_of(top, path)
        if not re.search(rf'^(?:\w[\w *]*[\s*])?{function} \([^;{{}}]*\)\s\{{', code, re.M):
            yield f'{path}: no function {function} ()'
        if in_window and path.startswith('core/'):
            yield f'{path}: comes after the window'
        in_window = in_window or not path.startswith('core/')
        if number + 1 == len(way):
            continue
        following = code_of(top, way[number + 1][0])
        if not joint:
            yield f'{path}: how does it reach {way[number + 1][0]}?'
        elif through:
            if not has_word(code_of(top, through), joint) or not (has_word(code, joint) or has_word(following, joint)):
                yield f'{path}: {joint} does not lead through {through}'
        elif not (has_word(code, joint) and has_word(following, joint)):
            yield f'{path}: {joint} does not lead to {way[number + 1][0]}'


def test_way():
    """the way of a pressure is short, stays in core until the window, and is what the code does"""
    way = stations((TOP / PAGE).read_text(encoding='utf-8'))
    broken = {
        'a station that is gone': way[:3] + [('core/run/hl-gone.c', 'go', 'rhs', '')] + way[4:],
        'a function of another file': [(way[0][0], way[1][1], *way[0][2:])] + way[1:],
        'a step that no code makes': way[:-2] + way[-1:],
        'core after the window': way[:-2] + [way[-1], way[-2]],
        'too many': way + way,
        'none': [],
    }
    blind = [f'does not see {name}' for name, one in broken.items() if not list(wrong_steps(one, TOP))]
    return blind + list(wrong_steps(way, TOP))


def test_figures():
    """the figures count files, lines, includes and circles"""
    files = {
        'core/a/hl-a.c': '#include "core/a/hl-a.h"\n#include "core/b/hl-b.h"\n#include <math.h>\n',
        'core/a/hl-a.h': '#include "core/b/hl-b.h"\n',
        'core/b/hl-b.h': 'int b;\n\n',
        'ui/c/hl-c.c': '#include "core/a/hl-a.h"\n',
        'app/main.c': '#include "ui/c/hl-c.h"\n',
    }
    wrong = []
    for circle, more in ((0, ''), (1, '#include "core/a/hl-a.h"\n')):
        with tempfile.TemporaryDirectory() as top:
            for name, text in files.items():
                (Path(top) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(top) / name).write_text(text + (more if name == 'core/b/hl-b.h' else ''), encoding='utf-8')
            found = Structure(Path(top))
            page, picture = '\n'.join(found.figures()), '\n'.join(found.svg())
        for row in ('| core/a | 2 | 4 | 2 | 1 | ' + str(1 + circle) + ' |', '| ui/c | 1 | 1 | 1 | 1 | 1 |',
                    f'Circles between folders: {circle}'):
            if row not in page:
                wrong.append(f'not told: {row}')
        if picture.count('<rect') != 5 or picture.count('<path') != 3 + circle or ('#c01c28' in picture) != bool(circle):
            wrong.append(f'drawn wrongly with {circle} circles')
    floor = Structure(TOP).floor
    return wrong + [f'{low} does not lie below {high}' for low, high in
                    (('core/base', 'core/hydro'), ('core/run', 'ui/workbench'), ('ui/workbench', 'app/window')) if floor[low] >= floor[high]]


def files_that_know(texts, kind):
    """Those of the program, its build and its words that name a kind of component or its file."""
    name = re.compile(r'(?<![\w-])(?:hl-)?(?:symbol-)?' + kind + r'(?![\w-])|(?<![a-z_])(?:hl_)?(?:symbol_)?' + kind.replace('-', '_')
                      + r'(?![a-z])')
    words = (kind, kind.replace('-', '_'))  # looked for first: it is much faster
    return [path for path, text in texts.items() if any(word in text for word in words) and name.search(text)]


def test_recipe():
    """a kind of component is known in as many files as contributing.md states, and in no other"""
    texts = {}
    for part, pattern in (('core', '*.[ch]'), ('ui', '*.[ch]'), ('app', '*.[ch]'), ('core', 'meson.build'), ('ui', 'meson.build'),
                          ('resources', '*.ui'), ('data/po', '*.po'), ('data/po', 'POTFILES.in')):
        for path in sorted((TOP / part).rglob(pattern)):
            if path.relative_to(TOP).as_posix() not in OPTIONAL:
                texts[path.relative_to(TOP).as_posix()] = path.read_text(encoding='utf-8')
    table = texts['core/hydro/hl-component-table.c']
    # Of one word are names of other things as well: a tank, a pump, a motor.
    kinds = [kind.replace('_', '-') for kind in re.findall(r'\bhl_(\w+_\w+)_class\b', table)
             if any(path.startswith('core/hydro/') and path.endswith(f'/hl-{kind.replace("_", "-")}.c') for path in texts)]
    wrong = [] if len(kinds) > 8 else [f'only {len(kinds)} kinds found']
    for kind in sorted(set(kinds)):
        known = files_that_know(texts, kind)
        if len(known) > MOST_FILES and kind not in WITH_OTHERS:
            wrong.append(f'{kind}: {len(known)} files: {", ".join(known)}')
    seven = files_that_know(texts, 'pilot-check-valve')
    if len(seven) != MOST_FILES:
        wrong.append(f'pilot-check-valve: {len(seven)} files, contributing.md states {MOST_FILES}: {", ".join(seven)}')
    more = {**texts, 'ui/hl-new.c': 'if (strcmp (kind, "pilot-check-valve") == 0)', 'core/hl-new.c': 'hl_pilot_check_valve_class'}
    if len(files_that_know(more, 'pilot-check-valve')) != len(seven) + 2:
        wrong.append('does not see two more files')
    return wrong


# Structs of a compiled system that are written into FMUs; and members of them that are not, though nothing derives them.
WRITTEN = ('HlBody', 'HlRow', 'HlLoad', 'HlIsland', 'HlJoint', 'HlCylinder', 'HlComponent', 'HlNode', 'HlLine', 'HlSource', 'HlBranch',
           'HlSignal', 'HlBlock', 'HlTopology', 'HlSystem', 'HlMechanism', 'HlFluid')
LEFT_OUT = {'arena refs': 'an FMU owns its tables as a whole', 'self': 'points into numbers that are copied',
            'data data_size': 'the numbers of components, written as a list', 'nudge': '0 in every machine that runs',
            'n_probes hand_names': 'names of the program\'s own outputs and levers',
            'model formulation integrator beta gamma': 'how a run is made, which an FMU has its own way for'}


def members_of(headers, struct):
    """Names of a struct's members, without those whose comment says that they are derived."""
    body = re.search(rf'struct \{{([^{{}}]*)\}} {struct};|struct _{struct} \{{([^{{}}]*)\}};', headers)
    return [re.search(r'(\w+)(?:\[[^\]]*\])*$', name.strip())[1]
            for before, line, behind in re.findall(r'(@?)\s*([^;@]+);[ ]*(@?)', body[1] or body[2]) if not before and not behind
            for name in line.split(',')]


def forgotten(headers, source, places):
    """Members of a compiled system that neither FMUs nor its derivation know."""
    lists = dict(re.findall(r'#define OF (\w+)\n([^#]*)#undef OF', source))
    parts = {name: part for name, part in re.findall(r'^static void write_(\w+) (.*?)^}', source, re.M | re.S)}
    arrays = headers[headers.index('#define HL_SYSTEM_ARRAYS'):].split('\n\n')[0] + source[source.index('#define INT_LISTS'):]
    by_hand = {'HlIsland': parts['linkage'], 'HlSignal': parts['signals'] + ' .block = ',
               'HlTopology': parts['topology'] + arrays, 'HlSystem': parts['system'] + arrays + ' .mech =  .fluid = '}
    for struct in WRITTEN:
        within = {'HlBlock': ('HlSignal', 'block.'), 'HlMechanism': ('HlSystem', 'mech.'), 'HlFluid': ('HlSystem', 'fluid.')}
        owner, prefix = within.get(struct, (struct, ''))
        known = set(re.findall(rf'M \({prefix}(\w+)\)', lists.get(owner, ''))) | set(' '.join(LEFT_OUT).split()) | {'klass'}
        known |= {name for names in re.findall(rf' \.{prefix}(\w+) = |^  X \({prefix}(\w+), |\{{"(\w+)", s->',
                                               by_hand.get(owner, '').replace('" .', ' .').replace('".', ' .'), re.M) for name in names}
        for member in members_of(headers, struct):
            if member not in known and not (struct == 'HlCylinder' and re.search(rf'HlCylinder, {member}\b', places)):
                yield f'{struct}.{member}'


def test_fmu_members():
    """every member of a compiled system is written into FMUs, or derived there, or left out for a reason"""
    source = (TOP / 'core/fmu/hl-fmu-sources.c').read_text(encoding='utf-8')
    headers = ''.join(file.read_text(encoding='utf-8') for file in sorted((TOP / 'core').glob('**/*.h')) if file.parent.name != 'fmu')
    headers = re.sub(r'/\*(.*?)\*/',
                     lambda comment: '@' if re.match(r' (?:\w+, )?derived\b', comment[1]) else '', headers, flags=re.S)
    places = ''.join(file.read_text(encoding='utf-8') for file in sorted((TOP / 'core/hydro/actuators').glob('*.[ch]')))
    wrong = [f'{name} is not written' for name in forgotten(headers, source, places)]
    for member, name in (('stiffness', 'HlLoad.stiffness'), ('block.kp', 'HlBlock.kp'), ('step', 'HlSystem.step')):
        if name not in forgotten(headers, source.replace(f'M ({member})', ''), places):
            wrong.append(f'does not see that {name} is missing')
    return wrong


def main():
    failed = 0
    tests = (test_way, test_figures, test_recipe, test_fmu_members)
    print(f'1..{len(tests)}')
    for number, test in enumerate(tests, 1):
        wrong = test()
        for line in wrong:
            print(f'# {line}')
        failed += bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {number} - {test.__doc__}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
