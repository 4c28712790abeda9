#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything that a person can reach, one line each: commands and their options, actions, shortcuts, windows, menu entries and what
the settings keep.

    python3 tests/interface-list.py [TREE [PROGRAM]]             the list of the sources in a folder, of this one without
    python3 tests/interface-list.py TREE PROGRAM --against OLD   what the list has more and less than one printed before

The list is read from the tables of the sources, so a tree needs not be built to be compared with; with a program, commands and
options come from its --help as well and must be the same.
"""

import re
import subprocess
import sys
from pathlib import Path

COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)
STRING = r'"((?:\\.|[^"\\])*)"'
TEXT = rf'(?:N?C?_ \((?:"[^"]*", )?)?{STRING}'


def code(path):
    """Source without comments; neighbouring strings are one."""
    text = COMMENT.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else ' ', path.read_text(encoding='utf-8'))
    return re.sub(r'"\s*\\?\n?\s*"(?=[^"])', '', text)


def bodies(text, declared):
    """The brace bodies behind a declaration."""
    for match in re.finditer(declared, text):
        depth, start = 0, text.index('{', match.end() - 1)
        for at in range(start, len(text)):
            depth += {'{': 1, '}': -1}.get(text[at], 0)
            if depth == 0:
                yield text[start:at]
                break


def of_commands(top):
    shared = {}
    sources = {path: code(path) for path in sorted((top / 'app').rglob('hl-cli*.[ch]'))}
    option = re.compile(rf'\{{\s*\\?\s*"([\w-]+)",\s*\\?\s*(?:{STRING}|NULL)')
    for text in sources.values():
        for match in re.finditer(r'#define (HL_CLI_\w+)((?:[^\n]*\\\n)+[^\n]*)', text):
            shared[match.group(1)] = option.findall(match.group(2))
        for body in bodies(text, r'HlCliOption (hl_cli_common_options)\[\] = \{'):
            shared['common'] = option.findall(body)
    for text in sources.values():
        for body in bodies(text, r'const HlCliCommand \w+ = \{'):
            name = re.search(r'\.name = "([\w-]+)"', body).group(1)
            yield f'command {name}: {re.search(rf".summary = {STRING}", body).group(1)}'
            found = list(shared.get('common', [])) if not re.search(r'\.(no_file|program) = ', body) else []
            for table in bodies(text, r'HlCliOption options\[\] = \{'):
                found += option.findall(table)
                for macro, options in shared.items():
                    found += options if macro in table else []
            for word, value in found:
                if word != 'help':
                    yield f'option {name} --{word} {value}'.rstrip()
    for path in sorted((top / 'app').rglob('*.c')):
        for body in bodies(code(path), r'GOptionEntry \w+\[\] = \{'):
            for word in re.findall(r'\{\s*"([\w-]+)"', body):
                yield f'option of the program --{word}'


def of_help(program):
    def run(*words):
        return subprocess.run([program, *words], capture_output=True, check=True, encoding='utf-8').stdout

    for name, summary in re.findall(r'^  ([a-z-]+) {2,}(.*)$', run('--help').split('Commands:')[1].split('Options:')[0], re.M):
        yield f'command {name}: {summary}'
        for word, value in re.findall(r'^  --([\w-]+) ?([^ \n]*)', run(name, '--help'), re.M):
            if word != 'help':
                yield f'option {name} --{word} {value}'.rstrip()


def of_windows(top):
    for path in sorted([*(top / 'ui').rglob('*.[ch]'), *(top / 'app').rglob('*.[ch]')]):
        text = code(path)
        for body in bodies(text, r'GActionEntry \w+\[\] = \{'):
            for name in re.findall(r'\{\s*"([\w.-]+)"', body):
                yield f'action {name}'
        for name in re.findall(r'install_(?:property_)?action \(\w+, "([\w.-]+)"', text):
            yield f'action {name}'
        # actions that are made one by one stand in tables or calls with their group before them
        for name in re.findall(r'"((?:app|win|run|edit|view|plot|pad|outline|row|signal|inspector|drive|runs)\.[a-z][\w-]*)(?:::[^"]*)?"', text):
            yield f'action named {name}'
        for keys in re.findall(r'"((?:<(?:Control|Shift|Alt|Primary)>)+[\w]+|F\d+|Escape|Delete)"', text):
            yield f'shortcut {keys}'
        for keys in re.findall(r'GDK_KEY_(\w+)', text):
            yield f'key {keys}'
        for title in re.findall(rf'gtk_window_set_title \([^;]*?{TEXT}', text):
            yield f'window {title}'
        for title in re.findall(rf'(?:hl_study_window_new|gtk_file_chooser_native_new|hl_message_\w+) \([^;]*?{TEXT}', text):
            yield f'dialog {title}'
        for label in re.findall(rf'g_menu(?:_item_new|_append|_append_submenu|_append_section) \([^;]*?{TEXT}', text):
            yield f'menu {label}'
    for path in sorted((top / 'resources').rglob('*.ui')):
        text = path.read_text(encoding='utf-8')
        for name in re.findall(r'(?:action-name">|name="action">)([\w.:-]+)<', text):
            yield f'action named {name.split("::")[0]}'
        for label in re.findall(r'name="label"[^>]*>([^<]+)<', text):
            yield f'menu or label {label}'
        for title in re.findall(r'name="title"[^>]*>([^<]+)<', text):
            yield f'window {title}'
        for keys in re.findall(r'name="accelerator">([^<]+)<', text):
            yield f'shortcut shown {keys}'


def of_settings(top):
    for path in sorted((top / 'data').glob('*.gschema.xml')):
        for name in re.findall(r'<key name="([\w-]+)"', path.read_text(encoding='utf-8')):
            yield f'setting {name}'


def listing(top):
    return sorted({*of_commands(top), *of_windows(top), *of_settings(top)})


def main():
    words = [word for word in sys.argv[1:] if word != '--against']
    against = words.pop() if '--against' in sys.argv else None
    top = Path(words[0]) if words else Path(__file__).resolve().parent.parent
    lines = listing(top)
    if len(words) > 1:
        told, of_tables = set(of_help(words[1])), {line for line in lines if line.startswith(('command', 'option '))}
        of_tables = {line for line in of_tables if not line.startswith('option of')}
        for line in sorted(told ^ of_tables):
            print(f'# {"only in the help" if line in told else "not in the help"}: {line}')
    if against is None:
        print('\n'.join(lines))
        return 0
    old = set(Path(against).read_text(encoding='utf-8').splitlines())
    for line in sorted(old - set(lines)):
        print(f'- {line}')
    for line in sorted(set(lines) - old):
        print(f'+ {line}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
