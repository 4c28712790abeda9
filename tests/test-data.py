#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What lies in data/ fits together: ids, MIME type, icons, examples, catalogue. TAP.

With --write-potfiles it lists the files with text in data/po/POTFILES.in instead, and writes the names and descriptions of
the examples for the translators (./dev texts).
"""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
DATA = TOP / 'data'
APP = 'io.github.hydrolink.Hydrolink'
MIME = 'application/vnd.hydrolink+json'
EXAMPLES = sorted((DATA / 'examples').glob('*.hydrolink'))


def desktop_entry():
    parser = configparser.ConfigParser(interpolation=None, delimiters=('=',))
    parser.optionxform = str
    parser.read(DATA / f'{APP}.desktop.in', encoding='utf-8')
    return parser['Desktop Entry']


def test_ids():
    """the desktop file, the metainfo and the MIME type agree"""
    entry = desktop_entry()
    info = xml.parse(DATA / f'{APP}.metainfo.xml.in').getroot()
    mime = xml.parse(DATA / f'{APP}.mime.xml').getroot()
    space = '{http://www.freedesktop.org/standards/shared-mime-info}'
    kind = mime.find(f'{space}mime-type')
    expected = {
        'desktop Icon': (entry['Icon'], APP),
        'desktop MimeType': (entry['MimeType'], MIME + ';'),
        'metainfo id': (info.findtext('id'), APP),
        'metainfo launchable': (info.findtext('launchable'), APP + '.desktop'),
        'metainfo mediatype': (info.findtext('provides/mediatype'), MIME),
        'mime type': (kind.get('type'), MIME),
        'mime glob': (kind.find(f'{space}glob').get('pattern'), '*.hydrolink'),
    }
    version = re.search(r"version: '([^']+)'", (TOP / 'meson.build').read_text(encoding='utf-8')).group(1)
    expected['metainfo release'] = (info.find('releases/release').get('version'), version)
    return [f'{what}: {got!r}, expected {want!r}' for what, (got, want) in expected.items() if got != want]


def test_icons():
    """both icons are SVG of the right size; the symbolic one has one colour"""
    wrong = []
    for path, size in ((f'scalable/apps/{APP}.svg', '128'), (f'symbolic/apps/{APP}-symbolic.svg', '16')):
        root = xml.parse(DATA / 'icons' / 'hicolor' / path).getroot()
        if (root.get('width'), root.get('height')) != (size, size):
            wrong.append(f'{path} is not {size} px wide and high')
    symbolic = (DATA / f'icons/hicolor/symbolic/apps/{APP}-symbolic.svg').read_text(encoding='utf-8')
    colours = set(re.findall(r'#[0-9a-fA-F]{3,8}\b', symbolic))
    return wrong + ([] if len(colours) == 1 else [f'symbolic icon has the colours {colours}'])


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f'duplicate key among {keys}')
    return dict(pairs)


def refuse(constant):
    raise ValueError(f'{constant} is not JSON')


def test_examples():
    """every example is strict JSON with unique, well-formed ids"""
    wrong = [] if EXAMPLES else ['there is no example']
    for path in EXAMPLES:
        try:
            model = json.loads(path.read_text(encoding='utf-8'), object_pairs_hook=no_duplicates, parse_constant=refuse)
        except ValueError as error:
            wrong.append(f'{path.name}: {error}')
            continue
        ids = [element.get('id') for table in ('bodies', 'joints', 'loads', 'components', 'lines')
               for element in model.get(table, [])]
        wrong += [f'{path.name}: bad id {id!r}' for id in ids if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_-]*', id or '')]
        wrong += [f'{path.name}: id {id!r} twice' for id in set(ids) if ids.count(id) > 1]
        if (model.get('format'), model.get('version')) != ('hydrolink', 1):
            wrong.append(f'{path.name}: not format hydrolink, version 1')
    return wrong


def test_example_list():
    """every example stands in the list of examples, with its source"""
    readme = (DATA / 'examples' / 'README.md').read_text(encoding='utf-8')
    patterns = [re.escape(name).replace(r'\*', '.*') for name in re.findall(r'`([\w*.-]+\.hydrolink)`', readme)]
    return [path.name for path in EXAMPLES if not any(re.fullmatch(pattern, path.name) for pattern in patterns)]


POTFILES = DATA / 'po' / 'POTFILES.in'


# Names and descriptions of the examples: their files stay English, and the program shows them in its language.
EXAMPLE_TEXTS = DATA / 'po' / 'example-texts.h'


def example_texts():
    """That file, as the examples have it now."""
    texts = {}
    for path in EXAMPLES:
        model = json.loads(path.read_text(encoding='utf-8'))
        for text in [model.get('name'), model.get('description')] + [one.get('name') for one in model.get('parameter_sets', [])]:
            texts[text] = True
    lines = ''.join(f'  NC_ ("example", {json.dumps(text, ensure_ascii=False)}),\n' for text in texts if text)
    return ('/* SPDX-License-Identifier: MIT */\n'
            '/* Names, descriptions and parameter sets of the examples, for the translators; written by ./dev texts. Not compiled. */\n'
            f'/* clang-format off */\n{{\n{lines}}}\n')


def text_files():
    """Every file with text that people read."""
    names = [f'data/{APP}.desktop.in', f'data/{APP}.metainfo.xml.in', EXAMPLE_TEXTS.relative_to(TOP).as_posix()]
    for folder in ('app', 'core', 'resources', 'ui'):
        for path in sorted((TOP / folder).rglob('*')):
            if path.suffix in ('.c', '.h'):
                marked = re.search(r'(?<!\w)(_|N_|C_|NC_|ngettext|HL_TEXT) \(\s*"|g_dngettext \(', path.read_text(encoding='utf-8'))
            else:
                marked = path.suffix == '.ui' and 'translatable="yes"' in path.read_text(encoding='utf-8')
            if marked:
                names.append(path.relative_to(TOP).as_posix())
    return names


def test_texts():
    """every file with text that people read is known to the translators"""
    listed = [line for line in POTFILES.read_text(encoding='utf-8').splitlines() if line and not line.startswith('#')]
    wrong = [] if EXAMPLE_TEXTS.read_text(encoding='utf-8') == example_texts() else ['the examples have other texts: ./dev texts']
    wrong += [f'{name} does not stand in data/po/POTFILES.in: ./dev texts mends it'
             for name in text_files() if name not in listed]
    return wrong + [f'{name} does not exist: ./dev texts mends it' for name in listed if not (TOP / name).is_file()]


def entries(text):
    """(msgid and plural, translations, is fuzzy) of a catalogue."""
    for block in text.split('\n\n'):
        words = {}
        for key, first, more in re.findall(r'^(msg\w+(?:\[\d\])?) (".*")\n?((?:".*"\n?)*)', block, re.M):
            words[key] = ''.join(json.loads(line) for line in [first] + more.split('\n') if line)
        ids = [words[key] for key in ('msgid', 'msgid_plural') if key in words]
        if ids and ids[0]:
            yield ids, [text for key, text in words.items() if key.startswith('msgstr')], '#, fuzzy' in block


DIRECTIVE = re.compile(r'%(?:%|(?:\d+\$)?[-+0 #]*(?:\d+|\*)?(?:\.\d+|\.\*)?(?:l|z)?[diufgesxc])')


def texts_of_sources():
    """The texts that xgettext finds now, as meson asks it to; None without xgettext."""
    if shutil.which('xgettext') is None:
        return None
    keywords = ('_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'g_dngettext:2,3', 'HL_TEXT')
    found = subprocess.run(['xgettext', f'--files-from={POTFILES}', f'--directory={TOP}', '--from-code=UTF-8', '-o', '-',
                            *(f'--keyword={word}' for word in keywords)], capture_output=True, text=True, check=True)
    return [ids[0] for ids, _, _ in entries(found.stdout)]


def test_catalogues():
    """every text is translated, with the directives and the spaces at the ends of the original"""
    wrong = []
    wanted = texts_of_sources()
    for name in (DATA / 'po' / 'LINGUAS').read_text(encoding='utf-8').split():
        known = set()
        for ids, texts, is_fuzzy in entries((DATA / 'po' / f'{name}.po').read_text(encoding='utf-8')):
            known.add(ids[0])
            if is_fuzzy or not all(texts):
                wrong.append(f'{name}: {ids[0]!r} is not translated')
            for text in texts:
                if sorted(DIRECTIVE.findall(text)) not in [sorted(DIRECTIVE.findall(original)) for original in ids]:
                    wrong.append(f'{name}: {text!r} has other directives than {ids[0]!r}')
                if (text != text.strip(' ')) != (ids[0] != ids[0].strip(' ')):
                    wrong.append(f'{name}: {text!r} has other spaces at its ends than {ids[0]!r}')
        wrong += [f'{name}: {text!r} is missing: ./dev texts brings it in' for text in wanted or [] if text not in known]
        if len(known) < 1800:
            wrong.append(f'{name} has only {len(known)} texts')
    return wrong


def test_letters():
    """each letter of the export menu leads to one of its items, in every language: pressing it needs no second key"""
    menu = next(m for m in xml.parse(TOP / 'resources' / 'ui' / 'hl-header-bar.ui').getroot().iter('menu') if m.get('id') == 'export_menu')
    labels = [a.text for item in menu.iter('item') for a in item.iter('attribute') if a.get('name') == 'label']
    wrong = [] if len(labels) > 8 else ['the menu is another one']
    for name in [None, *(DATA / 'po' / 'LINGUAS').read_text(encoding='utf-8').split()]:
        said = {} if name is None else {ids[0]: texts[0] for ids, texts, _ in entries((DATA / 'po' / f'{name}.po').read_text(encoding='utf-8'))}
        taken = {}
        for label in (said.get(label, label) for label in labels):
            letter = label[label.find('_') + 1].lower()
            if letter in taken:
                wrong.append(f'{name or "the original"}: ‘{letter}’ is {taken[letter]!r} and {label!r}')
            taken[letter] = label
    return wrong


def write_potfiles():
    EXAMPLE_TEXTS.write_text(example_texts(), encoding='utf-8')
    POTFILES.write_text('# Files with text that people read, paths from the root; written by ./dev texts.\n'
                        + '\n'.join(text_files()) + '\n', encoding='utf-8')


def test_commands():
    """the manual page explains every command of the program"""
    page = (DATA / 'hydrolink.1.in').read_text(encoding='utf-8').replace('\\-', '-')
    text = subprocess.run([os.environ['HL_PROGRAM'], '--help'], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r'^  ([a-z][a-z-]+) ', text.split('Commands:')[1].split('Options:')[0], re.M)
    wrong = [f'{name} is not explained' for name in commands if not re.search(rf'^\.BI "?{name}"? ', page, re.M)]
    return wrong + ([] if 'simulate' in commands and len(commands) > 9 else [f'only {commands} in --help'])


TESTS = [test_ids, test_icons, test_examples, test_example_list, test_texts, test_catalogues, test_letters, test_commands]


def main():
    if '--write-potfiles' in sys.argv:
        write_potfiles()
        return 0
    failed = 0
    print(f'1..{len(TESTS)}')
    for number, test in enumerate(TESTS, 1):
        wrong = test()
        for line in wrong:
            print(f'# {line}')
        failed += bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {number} - {test.__doc__}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
