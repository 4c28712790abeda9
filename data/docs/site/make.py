#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py PROGRAM LIBRARY OUT: the pages of this folder, the gallery, the lessons and the help of every part as one static site, which
needs no network. Prints the pages and the broken links; exit status 1 if there is one, 77 without Sphinx, MyST or Furo.
"""
import html.parser
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

TOP = Path(__file__).resolve().parents[3]
DOCS = TOP / 'data' / 'docs'

INDEX = '''# Hydrolink

{about}

![The window with the four-bar](screenshots/light-1920x1080.png)

```{{toctree}}
:caption: Learn
:maxdepth: 1

docs/tutorial
examples/README
lessons/index
docs/workbench
```

```{{toctree}}
:caption: Use
:maxdepth: 1

docs/simulation
docs/studies
docs/measured
docs/photograph
docs/formulas
docs/fmu
docs/library
python
commands
Help of every part <https://help.invalid/>
```

```{{toctree}}
:caption: Look up
:maxdepth: 1

docs/glossary
docs/format
docs/layout
docs/lessons
docs/news
```

```{{toctree}}
:caption: Theory
:maxdepth: 1
:glob:

docs/theory/README
docs/theory/*
```

```{{toctree}}
:caption: Contribute
:maxdepth: 1

docs/contributing
docs/architecture
docs/help
docs/coverage
```
'''

PYTHON = '''# Python module

```{eval-rst}
.. automodule:: hydrolink
   :members:
```
'''


def run(*words, **more):
    return subprocess.run([os.fspath(word) for word in words], check=True, capture_output=True, text=True, **more).stdout


def block_of_lesson(kind, text):
    """What a block of a lesson says to a reader: the choices of a question, the hint of a task."""
    lines = [line.split(': ', 1) for line in text.splitlines() if ': ' in line]
    choices = [words for key, words in lines if key == 'choice']
    about = [words for key, words in lines if key == 'about']
    hints = [words for key, words in lines if key == 'hint']
    if kind == 'predict' and choices:
        return '\n'.join(f'- {words}' for words in choices) + '\n'
    if kind == 'predict':
        return f'> In the window you answer before the machine does{": " + about[0] if about else ""}.\n'
    return f'> {hints[0]}\n' if hints else ''


def write_lessons(source):
    """A page for each English lesson: its words, with tasks and questions as quotations."""
    names = []
    (source / 'lessons').mkdir()
    for path in sorted((TOP / 'data' / 'lessons').glob('*.hllesson')):
        if path.name.endswith('.de.hllesson'):
            continue
        text = path.read_text(encoding='utf-8')
        head, body = re.match(r'---\n(.*?)\n---\n(.*)', text, re.S).groups()
        fields = dict(re.findall(r'^(\w+): (.*)$', head, re.M))
        body = re.sub(r'^# ', '## ', body, flags=re.M)
        body = re.sub(r'^```(\w+)\n(.*?)^```', lambda block: block_of_lesson(*block.groups()), body, flags=re.M | re.S)
        body = re.sub(r'^\$ (.*)$', r'    \1', body, flags=re.M)
        body = re.sub(r'\$([^$\n]+)\$', r'*\1*', body)
        body = re.sub(r'\{([^{}|]+)(\|[^{}]*)?\}', lambda live: f'`{live.group(1).strip()}`', body)
        body = re.sub(r'!\[([^\]]*)\]\((circuit|linkage)\)', r'*\1*', body)
        (source / 'lessons' / f'{path.stem}.md').write_text(f"# {fields['title']}\n\n{fields.get('about', '')}\n\n{body}", encoding='utf-8')
        names.append(path.stem)
    (source / 'lessons' / 'index.md').write_text(
        '# Lessons\n\nThe lessons of the window, to read. In the window each step is done on the machine, and predictions are '
        'judged.\n\n```{toctree}\n:maxdepth: 1\n\n' + '\n'.join(names) + '\n```\n', encoding='utf-8')


def write_commands(source, program):
    """The page of all commands, as --help prints them."""
    commands = re.findall(r'^  ([a-z-]+)  ', run(program, '--help').split('Commands:')[1].split('Options:')[0], re.M)
    parts = [f'# Commands\n\n```text\n{run(program, "--help")}```\n']
    parts += [f'## {name}\n\n```text\n{run(program, name, "--help")}```\n' for name in commands]
    (source / 'commands.md').write_text('\n'.join(parts), encoding='utf-8')


class Links(html.parser.HTMLParser):
    """What a page leads to, and the places that it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.places = [], [], {''}
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.places |= {found[key] for key in ('id', 'name') if found.get(key)}
        self.links += [found[key] for key in ('href', 'src') if found.get(key)]
        if tag in ('img', 'script', 'link') and found.get('rel') not in ('search', 'index', 'next', 'prev', 'canonical'):
            self.loaded += [found[key] for key in ('href', 'src') if found.get(key)]


def broken_links(site):
    """Links that lead nowhere in the site, and anything that a page would load from a network."""
    pages = {path: Links(path) for path in site.rglob('*.html')}
    for path, page in sorted(pages.items()):
        yield from (f'{path.relative_to(site)}: loads {link}' for link in page.loaded if urlsplit(link).netloc)
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ('http', 'https', 'mailto', 'data', 'javascript') or link.startswith('#') and path.name in ('search.html',):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= 'index.html'
            if not target.is_file():
                yield f'{path.relative_to(site)}: {link}'
            elif target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].places:
                yield f'{path.relative_to(site)}: {link}: no such place'


def main():
    missing = [name for name in ('sphinx', 'myst_parser', 'furo', 'numpy') if importlib.util.find_spec(name) is None]
    if missing:
        print(f'Python has no {", ".join(missing)}')
        return 77
    program, library, out = (Path(word).resolve() for word in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        for name in ('docs', 'screenshots'):
            shutil.copytree(TOP / 'data' / name, source / name, ignore=shutil.ignore_patterns('site'))
        (source / 'examples').mkdir()
        shutil.copy(TOP / 'data' / 'examples' / 'README.md', source / 'examples')
        shutil.copy(DOCS / 'site' / 'conf.py', source)
        about = (TOP / 'README.md').read_text(encoding='utf-8').split('\n\n')[1]
        (source / 'index.md').write_text(INDEX.format(about=about), encoding='utf-8')
        (source / 'python.md').write_text(PYTHON, encoding='utf-8')
        write_lessons(source)
        write_commands(source, program)
        run(program, 'help', '--out', source / 'extra' / 'help', env=os.environ | {'LANGUAGE': 'en'})
        shutil.rmtree(out, ignore_errors=True)
        environment = os.environ | {'PYTHONPATH': os.fspath(TOP / 'data' / 'python'), 'HYDROLINK_LIBRARY': os.fspath(library),
                                    'HYDROLINK_PROGRAM': os.fspath(program), 'HL_SITE_VERSION': run(program, '--version').split()[-1]}
        done = subprocess.run([sys.executable, '-m', 'sphinx', '-q', '-b', 'html', '-d', f'{folder}/trees', folder, os.fspath(out)],
                              env=environment, capture_output=True, text=True, check=False)
        print(done.stderr, end='')
        if done.returncode != 0:
            return 1
    for path in out.rglob('*.html'):
        text = path.read_text(encoding='utf-8')
        if 'https://help.invalid/' in text:
            up = '../' * (len(path.relative_to(out).parts) - 1)
            path.write_text(text.replace('https://help.invalid/', f'{up}help/index.html'), encoding='utf-8')
    broken = list(broken_links(out))
    print(*broken, sep='\n')
    print(f'{len(list(out.rglob("*.html")))} pages in {out}, {len(broken)} broken links')
    return 1 if broken else 0


sys.exit(main())
