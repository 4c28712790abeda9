#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house that a compiler cannot see, one TAP test a rule.

Layers (who may include what), caged libraries, file size, names in headers, forbidden words, and that core knows no
example. Each rule is first tried on a small tree that breaks it, so a rule that has gone blind fails as well.
"""

import functools
import json
import re
import sys
from pathlib import Path

LIBC = set('''assert complex ctype errno fenv float inttypes limits locale math setjmp stdalign stdarg stdatomic
stdbool stddef stdint stdio stdlib string strings sched threads time unistd fcntl dlfcn link sys/mman'''.split())
SYSTEM = LIBC | {'malloc', 'signal', 'sys/file', 'sys/mman', 'sys/stat', 'sys/types', 'sys/time', 'sys/resource', 'sys/wait', 'sys/prctl', 'poll'}
# The floors of the house: a folder includes from itself and from those before it, so there is no circle.
HOUSE = [
    'core/base', 'core/formula', 'core/math', 'core/hydro', 'core/hydro/valves', 'core/hydro/pumps',
    'core/hydro/actuators', 'core/hydro/lines', 'core/mech', 'core/system', 'core/schema', 'core/document', 'core/edit',
    'core/solve', 'core/compile', 'core/help', 'core/linear', 'core/run', 'core/hybrid', 'core/quasistatic', 'core/oil', 'core/io', 'core/study',
    'core/fmu', 'core/lesson',
    'core/api',
    'ui/paint/base', 'ui/paint/circuit', 'ui/paint/linkage', 'ui/paint/chart', 'ui/paint/formula', 'ui/paint/page',
    'ui/edit/circuit', 'ui/edit/linkage', 'ui/edit/tool', 'ui/edit/outline',
    'ui/workbench', 'ui/widget', 'ui/chart', 'ui/help', 'ui/lesson', 'ui/study', 'ui/plot', 'ui/canvas', 'ui/modes', 'ui/inspector', 'ui/outline',
    'app/cli', 'app/study', 'app/export', 'app/window', 'app/reproduce', 'app',
]
# No folder has more files that are compiled.
MOST_IN_FOLDER = 30
# No object on the bench offers more functions: one that needs more is two.
MOST_FUNCTIONS = 40
# What these objects call of one another, and nobody else.
BENCH = 'ui/workbench/hl-workbench-private.h'
# Each oil model stands by itself: one wing knows nothing of another.
WINGS = ('core/hybrid', 'core/quasistatic')
# The floor of the floors: C11, not even GLib. Of the wings, what runs inside the loops.
FLOOR = re.compile(r'core/(math|hydro|mech|system)/|core/base/hl-(arena|connected-groups|status-codes|element-kind(-macros)?|quantity-units)\.'
                   r'|core/hybrid/hl-hybrid-(mode-decision|events|lcp|network|constraint-reduction|solver)'
                   r'(-private)?\.|core/quasistatic/hl-quasi-(cylinder|force-velocity-map|extending-case|pump-group|regeneration|scalar-roots'
                   r')\.')
TOOL_FROM_PAINT = re.compile(r'ui/paint/(base|circuit)/hl-(symbol-shape|view-transform|circuit-layout|document-circuit-layout|wire-maze-router|circuit-wires)[\w-]*\.h$')

# Libraries that live in one place: header pattern, files that may include it.
CAGES = {
    'LAPACKE': (r'(lapacke?|cblas|f77blas|openblas_config)\b', r'core/math/hl-linalg\.[ch]$|tests/'),
    'the dynamic linker': (r'dlfcn|link', r'core/math/hl-linalg\.c$|core/io/hl-mat-file\.c$|tests/fmi/|tests/ui/test-contrast\.c$'),
    'pages of memory': (r'sys/mman', r'core/base/hl-arena\.c$|core/io/hl-mat-file\.c$|app/window/hl-memory-reserve\.c$|tests/'),
    'SUNDIALS': (r'(cvodes?|sundials|nvector|sunmatrix|sunlinsol|sunnonlinsol|ida|kinsol|arkode|suitesparse)/|klu\.h',
                 r'core/solve/hl-integrator[\w-]*\.[ch]$|core/math/hl-(linalg|sparse-order)\.c$|tests/bench/|tests/compat/|tests/fmi/'),
    'jansson': (r'jansson', r'core/io/hl-json-text\.[ch]$|tests/'),
    'libzip': (r'zip\.h', r'core/io/hl-zip-archive\.c$'),
    'NLopt': (r'nlopt', r'core/study/hl-parameter-optimization\.c$'),
    'ARPACK': (r'arpack', r'core/linear/hl-near-eigenvalues\.c$'),
    'matio': (r'matio', r'core/io/hl-mat-file\.c$|tests/'),
    'libmanette': (r'libmanette', r'ui/workbench/hl-gamepad\.c$'),
    'X11': (r'X11/', r'tests/monkey/(hl-xtest-input|gtk-minimum-size-proof)\.c$'),
}
GLIB = r'(glib|gio|gobject|gmodule)[/.]|glib-(object|unix)\.h|glib/.*|gio/.*'
CAIRO = r'cairo|pango|fontconfig|freetype|ft2'
GTK = r'(gtk|gdk|gsk|graphene|adwaita)'

# What other programs include; the library exports what it declares, and nothing else calls it.
LIBRARY = 'core/api/hydrolink.h'

MAX_LINES, LONG_LINES = 1200, 900
WORDS = re.compile(r'\b(' + '|'.join(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK']) + r')\b')
PRINTING = re.compile(r'\b(printf|vprintf|puts|putchar|g_print|g_printerr|exit|_exit|quick_exit|system)\s*\('
                      r'|\bfprintf\s*\(\s*std(?:out|err)\b|\bfputs\s*\([^;]*std(?:out|err)\b')


# What ends here is a process of its own, and not the program.
FORKING = {'core/fmu/hl-fmu-compile.c'}


def files_below(top):
    """What the rules look at: path relative to top -> text."""
    found = {}
    for folder in ('core', 'ui', 'app', 'tests', 'resources', 'data'):
        for path in sorted((top / folder).rglob('*')):
            if path.suffix in KEPT or path.name == 'meson.build':
                found[path.relative_to(top).as_posix()] = path.read_text(encoding='utf-8')
    for name in ('dev', '.ci/run', 'meson.build', 'README.md'):
        if (top / name).is_file():
            found[name] = (top / name).read_text(encoding='utf-8')
    return found


KEPT = ('.c', '.h', '.hydrolink', '.py', '.sh', '.ui', '.css', '.in', '.desktop')


class Tree:
    """The sources and texts of one folder: path relative to it -> text."""

    def __init__(self, files):
        # the interface of FMI is as the standard has it, and so is what is written for it
        self.sources = {path: text for path, text in files.items()
                        if path.endswith(('.c', '.h')) and path.startswith(('core/', 'ui/', 'app/', 'tests/'))
                        and 'tests/fmi/headers' not in path}
        self.examples = {path: text for path, text in files.items() if re.match(r'data/examples/[^/]*\.hydrolink$', path)}
        self.texts = {path: text for path, text in files.items() if not path.endswith(('.c', '.h', '.hydrolink'))}

    def includes(self):
        for path, text in self.sources.items():
            for number, mark, name in includes_of(text):
                yield path, number, mark, name

    def core(self):
        return {path: text for path, text in self.sources.items() if path.startswith('core/')}


@functools.cache
def includes_of(text):
    found = []
    for match in re.finditer(r'^[ \t]*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M):
        found.append((text.count('\n', 0, match.start()) + 1, match.group(1), match.group(2)))
    return found


def is_floor(path):
    return FLOOR.match(path) is not None


def layer(path):
    if is_floor(path):
        return 'floor'
    for prefix, name in (('core/', 'core'), ('ui/paint/', 'paint'), ('ui/edit/', 'tool'), ('ui/', 'ui'), ('app/', 'app')):
        if path.startswith(prefix):
            return name
    return 'tests'


@functools.cache
def without_comments(text):
    """Comments become blanks, line ends stay; strings are left alone."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)

    def blank(match):
        token = match.group(0)
        return token if token[0] in '"\'' else ' ' + '\n' * token.count('\n')
    return pattern.sub(blank, text)


@functools.cache
def code_only(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', without_comments(text))


def rule_layers(tree):
    """project includes go down the layers only"""
    for path, line, mark, name in tree.includes():
        if mark == '<':
            continue
        first = name.split('/')[0]
        if first not in ('core', 'ui', 'app', 'tests'):
            if not name.endswith(('hl-resources.h', 'hl-config.h')) and not (path.startswith('tests/fmi/') and name.startswith('fmi3')):
                yield f'{path}:{line}: "{name}" is not a path from the root'
            continue
        here, there = layer(path), layer(name)
        allowed = {
            'floor': there == 'floor',
            'core': there in ('floor', 'core'),
            'paint': there in ('floor', 'core', 'paint') and not re.search(r'/hl-(edit|history)\.h$', name),
            'tool': there in ('floor', 'core', 'tool') or bool(TOOL_FROM_PAINT.match(name)),
            'ui': there in ('floor', 'core', 'paint', 'tool', 'ui'),
            'app': there != 'tests',
            'tests': True,
        }[here]
        if not allowed:
            yield f'{path}:{line}: {here} includes "{name}" ({there})'


def folder(path):
    return path.rsplit('/', 1)[0]


def rule_house(tree):
    """every folder includes from the floors below it only, and no wing from another"""
    for path, line, mark, name in tree.includes():
        here, there = folder(path), folder(name)
        if mark == '<' or here.startswith('tests') or there.startswith('tests') or '/' not in name:
            continue
        if here not in HOUSE or there not in HOUSE:
            yield f'{path}:{line}: {here if here not in HOUSE else there} is no floor of the house'
        elif HOUSE.index(there) > HOUSE.index(here):
            yield f'{path}:{line}: {here} stands below {there}'
        elif here != there and here in WINGS and there in WINGS:
            yield f'{path}:{line}: {here} knows {there}'


def rule_full(tree):
    """no folder holds more C files than one can keep in mind"""
    count = {}
    for path in tree.sources:
        if path.endswith('.c') and not path.startswith('tests/'):
            count.setdefault(folder(path), []).append(path)
    for name, paths in count.items():
        if len(paths) > MOST_IN_FOLDER:
            yield from (f'{path}: {name} holds {len(paths)} C files; the limit is {MOST_IN_FOLDER}' for path in paths)


def rule_libraries(tree):
    """each layer includes its own libraries only"""
    for path, line, mark, name in tree.includes():
        if mark == '"':
            continue
        here = layer(path)
        if name.removesuffix('.h') in SYSTEM and (here != 'floor' or name.removesuffix('.h') in LIBC):
            continue
        if any(re.match(pattern, name) for pattern, _ in CAGES.values()):
            continue
        glib, cairo, gtk = (re.match(p, name) is not None for p in (GLIB, CAIRO, GTK))
        allowed = {
            'floor': False,
            'core': glib,
            'paint': glib or cairo,
            'tool': glib,
            'ui': glib or cairo or gtk,
            'app': glib or cairo or gtk,
            'tests': glib or (cairo and not path.startswith(('tests/core/', 'tests/fuzz/')))
                     or (gtk and path.startswith(('tests/ui/', 'tests/monkey/'))) or path.startswith(('tests/bench/', 'tests/support/')),
        }[here]
        if not allowed:
            yield f'{path}:{line}: {here} includes <{name}>'


def rule_cages(tree):
    """LAPACKE, SUNDIALS and jansson stay in their cages"""
    for path, line, mark, name in tree.includes():
        for library, (header, cage) in CAGES.items():
            if mark == '<' and re.match(header, name) and not re.match(cage, path):
                yield f'{path}:{line}: <{name}>: {library} is caged in {cage}'


def rule_own_header_first(tree):
    """a .c file includes its own header first"""
    first = {}
    for path, line, _, name in tree.includes():
        first.setdefault(path, (line, name))
    for path, (line, name) in first.items():
        own = path[:-2] + '.h'
        if path.endswith('.c') and own in tree.sources and name != own:
            yield f'{path}:{line}: "{own}" comes first'


# A word of a library, and the headers of which one must be reached. Builds with a precompiled header do not ask.
WORDS_OF = ((re.compile(r'\b(?:gtk|gdk|gsk)_\w+ \(|\b(?:Gtk|Gdk|Gsk)[A-Z]\w+'), ('gtk/', 'gdk/')),
            (re.compile(r'\bg_\w+ \(|\bg(?:boolean|pointer|size|uint)\b'), ('glib', 'gio/', 'gtk/', 'gdk/')))


def rule_words_are_included(tree):
    """what a .c file says of GTK and of GLib, it or a header of its own includes"""
    beside = {}
    for path, _, _, name in tree.includes():
        beside.setdefault(path, []).append(name)
    for path, text in tree.sources.items():
        if not path.endswith('.c') or not path.startswith(('ui/', 'app/', 'tests/ui/')):
            continue
        found, todo = set(), [path]
        while todo:
            new = set(beside.get(todo.pop(), [])) - found
            found |= new
            todo += new
        for words, headers in WORDS_OF:
            match = words.search(code_only(text))
            if match and not any(name.startswith(headers) for name in found):
                yield f'{path}: {match.group(0)} without an #include <{headers[0]}...>'


def lines_with(pattern, text):
    """(number, line) where the pattern is found; a text without it is not cut into lines."""
    if pattern.search(text):
        yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if pattern.search(line))


def rule_silent_core(tree):
    """core neither prints nor exits"""
    for path, text in tree.core().items():
        for number, line in lines_with(PRINTING, code_only(text)):
            if not (path in FORKING and line.lstrip().startswith('_exit (')):
                yield f'{path}:{number}: {line.strip()}'


def rule_cleanup(tree):
    """no automatic clean-up of an array: it frees the first item only"""
    for path, text in tree.sources.items():
        for number, line in lines_with(re.compile(r'g_auto(free|ptr \(\w+\))[^=;,]*\w\s*\['), code_only(text)):
            yield f'{path}:{number}: {line.strip()}'


# What reads a file that it is given by its name, and who may call it; of what opens for both, who and why.
READING = re.compile(r'(?<![\w.>])(g_file_get_contents|g_file_load_\w+|g_file_read(?:_async)?|g_file_open_readwrite\w*|g_file_copy\w*'
                     r'|g_mapped_file_new\w*|g_key_file_load_from_(?:file|dirs|data_dirs)|g_io_channel_new_file|json_loadf?(?:_file)?'
                     r'|json_load_callback|zip_(?:fd)?open|Mat_Open\w*|gdk_\w+_(?:new|load)_from_(?:file|filename|file_at_\w+)'
                     r'|gtk_\w+_(?:new|load|add)_from_(?:file|path)|gtk_\w+_new_for_file(?:name)?'
                     r'|cairo_image_surface_create_from_png) \(')
OPENING = re.compile(r'(?<![\w.>])((?:g_)?open(?:at)?|(?:g_)?f?re?open|fdopen|(?:g_)?fopen) \(([^;{}]*)')
READERS = {
    'core/io/hl-file-access.c': 'the one way to read',
    'core/io/hl-crash-recovery.c': 'the lock of a session, in a folder of its own',
    'core/study/hl-study-row-file.c': 'rows that are read and appended, of an ordinary file',
}


def rule_reading(tree):
    """what a person or a file names is read by core/io/hl-file-access.c alone"""
    for path, text in tree.sources.items():
        if path in READERS or not path.startswith(('core/', 'ui/', 'app/')):
            continue
        # the modes of fopen () are texts
        code = without_comments(text)
        if not any(word in code for word in ('open', '_load', '_get_contents', 'g_file_', '_from_', '_for_file', 'mapped')):
            continue
        for match in [*READING.finditer(code), *OPENING.finditer(code)]:
            call = match.group(0)
            writes = 'O_WRONLY' in call or 'O_DIRECTORY' in call or re.search(r'open \([^"]*, "[wa]', call)
            if match.re is READING or not writes:
                yield f'{path}:{code.count(chr(10), 0, match.start()) + 1}: {match.group(1)} (): read it by hl_file_read ()'


def rule_drawn(tree):
    """a widget is had drawn by hl_pixels_queue_draw () alone, which notes that what it shows has changed"""
    for path, text in tree.sources.items():
        if path.startswith(('ui/', 'app/')) and path != 'ui/widget/hl-pixel-cache.c':
            for number, line in lines_with(re.compile(r'gtk_widget_queue_draw\b'), code_only(text)):
                yield f'{path}:{number}: {line.strip()}'


def rule_markup(tree):
    """text becomes XML, HTML or markup by core/base/hl-text-escape.c alone: GLib writes control characters that no reader takes"""
    for path, text in tree.sources.items():
        if path.startswith(('core/', 'ui/', 'app/')):
            for number, line in lines_with(re.compile(r'g_markup_escape_text \('), code_only(text)):
                yield f'{path}:{number}: {line.strip()}'


def rule_size(tree):
    """no source file above 1200 lines"""
    for path, text in tree.sources.items():
        lines = text.count('\n')
        if lines > MAX_LINES:
            yield f'{path}: {lines} lines; the limit is {MAX_LINES}'
        elif lines > LONG_LINES and path.endswith('.c'):
            print(f'# {path}: {lines} lines; above {LONG_LINES} look for the second idea')


def rule_form(tree):
    """licence line, #pragma once, no tabs"""
    for path, text in tree.sources.items():
        if 'SPDX-License-Identifier: MIT' not in text.split('\n', 1)[0]:
            yield f'{path}:1: the first line is not the SPDX line'
        # the compiler reads a precompiled header as a file of its own, where it warns of it
        if path.endswith('.h') and '/precompiled/' not in path and not re.search(r'^#pragma once$', text, re.M):
            yield f'{path}: no #pragma once'
    for path, text in {**tree.sources, **tree.texts}.items():
        for number, line in enumerate(text.splitlines(), 1):
            if '\t' in line:
                yield f'{path}:{number}: tab'


def declared_names(header):
    """Names of the functions that a header declares or defines inline."""
    text = re.sub(r'^\s*#(?:[^\n\\]|\\.|\\\n)*', '', code_only(header), flags=re.M)
    text = re.sub(r'\bG_(?:DECLARE|DEFINE)_\w+\s*\([^)]*\)', '', text)
    text = re.sub(r'__attribute__\s*\(\(.*?\)\)|\bG_GNUC_\w+(\s*\([^)]*\))?', '', text)
    while re.search(r'\{[^{}]*\}', text):
        text = re.sub(r'\{[^{}]*\}', ';', text)
    for statement in text.split(';'):
        words = statement.split()
        if words and words[0] not in ('typedef', '_Static_assert', 'static_assert', 'G_BEGIN_DECLS', 'G_STATIC_ASSERT'):
            match = re.search(r'([A-Za-z_]\w*)\s*\(', statement.split('=')[0])
            if match:
                yield match.group(1)


def rule_names(tree):
    """what a header offers begins with hl_ or HL_, that of the library with its name"""
    for path, text in tree.sources.items():
        if not path.endswith('.h') or path.startswith(('tests/core/', 'tests/paint/', 'tests/ui/', 'tests/compat/', 'tests/fmi/',
                                                           'core/fmu/hl-runtime-c99-library')) or '/precompiled/' in path:
            continue
        if path == LIBRARY:
            yield from (f'{path}: {name} () has no prefix' for name in declared_names(text)
                        if not name.startswith('hydrolink_'))
            continue
        for name in declared_names(text):
            if not name.startswith(('hl_', '_hl_', 'HL_')):
                yield f'{path}: {name} () has no prefix'
        for name in re.findall(r'^\s*#\s*define\s+(\w+)', without_comments(text), re.M):
            if not name.startswith(('HL_', 'hl_', '_HL_', '_hl_')):
                yield f'{path}: #define {name} has no prefix'


def rule_words(tree):
    """no work left behind"""
    for path, text in {**tree.sources, **tree.texts}.items():
        for number, line in lines_with(WORDS, text):
            yield f'{path}:{number}: {line.strip()}'


def rule_general(tree):
    """core knows no example"""
    names = set()
    for path, text in tree.examples.items():
        names.add(Path(path).stem)
        model = json.loads(text)
        for table in ('bodies', 'joints', 'loads', 'components', 'lines', 'probes'):
            names |= {element['id'] for element in model.get(table, [])}
    # Ids without a digit (pump, tank, arm) are words of the language as well.
    names = {name for name in names if re.search(r'\d|-', name) and len(name) > 1}
    pattern = re.compile(r'(?<![\w-])(' + '|'.join(sorted(map(re.escape, names), reverse=True)) + r')(?![\w-])')
    if not names:
        yield 'data/examples: no example found'
        return
    for path, text in tree.core().items():
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            for literal in re.findall(r'"((?:\\.|[^"\\])*)"', line):
                if not line.lstrip().startswith('#include') and pattern.search(literal):
                    yield f'{path}:{number}: "{literal}" names something of an example'


def rule_kinds(tree):
    """outside of its class and its symbol no file asks for a kind of component"""
    kinds = set()
    for path, text in tree.sources.items():
        if path.startswith('core/hydro/'):
            kinds |= set(re.findall(r'HL_SECTION_COMPONENTS,\s*"([\w-]+)"', text))
    # every line has a field of that name
    kinds.discard('volume')
    if not kinds:
        yield 'core/hydro: no kind of component found'
        return
    kinds.discard('volume')  # a number of lines has that name as well
    literal = r'"(' + '|'.join(sorted(map(re.escape, kinds))) + r')"'
    asked = re.compile(literal)
    asked_in_core = re.compile(literal + r'|\bhl_(?!component_)\w+_class\b(?!\w* \()|\bswitch \([^)]*\bklass\b|\bklass *[=!]= *&')
    for path, text in tree.sources.items():
        inside = path.startswith('core/hydro/') or re.match(r'ui/paint/circuit/hl-symbol[-.]', path)
        if inside or not path.startswith(('core/', 'ui/paint/')):
            continue
        is_core = path.startswith('core/') and not path.startswith('core/mech/')
        for number, line in lines_with(asked_in_core if is_core else asked, without_comments(text)):
            yield f'{path}:{number}: {line.strip()}'


def rule_bench(tree):
    """what stands on the bench is known by small headers only, and no dialog knows the main window"""
    for path, line, mark, name in tree.includes():
        inside = re.match(r'ui/workbench/(hl-[\w-]+?)-private\.h$', name)
        if mark == '"' and inside:
            is_shared = name == BENCH
            if not path.startswith('ui/workbench/' if is_shared else f'ui/workbench/{inside.group(1)}'):
                yield f'{path}:{line}: "{name}" is for {"ui/workbench" if is_shared else "its own files"}'
        window = re.match(r'app/window/hl-window(-private)?\.h$', name)
        owners = r'app/window/hl-window[-.]' if window and window.group(1) else r'app/window/hl-(window|application|screenshot)[-.]'
        if window and not path.startswith('tests/') and not re.match(owners, path):
            yield f'{path}:{line}: a dialog takes a workbench and a parent, not "{name}"'
    for path, text in tree.sources.items():
        if path.startswith('ui/workbench/') and path.endswith('.h') and path != BENCH:
            n = len(list(declared_names(text)))
            if n > MOST_FUNCTIONS:
                yield f'{path}: {n} functions; the limit is {MOST_FUNCTIONS}'


def rule_linkage_kinds(tree):
    """outside of core/mech no file asks for a kind of joint or load, nor of row"""
    kinds = set()
    for path, text in tree.sources.items():
        if path.startswith('core/mech/'):
            kinds |= set(re.findall(r'HL_SECTION_(?:JOINTS|LOADS),\s*"([\w-]+)"', text))
    if not kinds:
        yield 'core/mech: no kind of joint or load found'
        return
    words = '|'.join(sorted(map(re.escape, kinds)))
    asked = re.compile(rf'\b(?:g_)?str(?:n?cmp0?|_equal) \([^;{{}}]*?"(?:{words})"'
                       r'|[=!]=\s*HL_ROW_[A-Z]+\b|\bHL_ROW_[A-Z]+\s*[=!]=|\bcase HL_ROW_|\bklass *[=!]= *&')
    for path, text in tree.sources.items():
        if path.startswith(('core/mech/', 'tests/')):
            continue
        code = without_comments(text)
        if not any(word in code for word in ('HL_ROW_', 'klass', *kinds)):
            continue
        for match in asked.finditer(code):
            yield f'{path}:{code.count(chr(10), 0, match.start()) + 1}: {" ".join(match.group(0).split())}'


OIL_WORDS = r'"(?:lumped|hybrid|quasistatic)"'
# Comparisons, cases and tables by an oil model, and by what a formulation of one is.
OIL_ASKED = re.compile(OIL_WORDS + r'|[=!]= *HL_(?:MODEL|OIL|FORMULATION)_[A-Z]+\b|\bHL_(?:MODEL|OIL|FORMULATION)_[A-Z]+ *[=!]='
                       r'|\bcase HL_(?:MODEL|OIL|FORMULATION)_|\[HL_(?:MODEL|OIL|FORMULATION)_[A-Z]+\]')


def rule_oils(tree):
    """outside of core/oil and the wings no file asks which model of the oil it has: the table knows"""
    for path, text in tree.sources.items():
        if path.startswith(('core/oil/', 'tests/', *(wing + '/' for wing in WINGS))):
            continue
        for number, line in lines_with(OIL_ASKED, without_comments(text)):
            # a command may be called like a model
            if not (path.startswith('app/') and re.match(rf'\s*\.name = {OIL_WORDS},?$', line)):
                yield f'{path}:{number}: {line.strip()}'


# A function that the linker sees.
DEFINED = re.compile(r'^([A-Za-z_][\w *]*[\s*])(hl_\w+) \([^;{}]*?\)\s\{', re.M)


def used_names(path, code):
    """The names that a file uses; what a header declares is no use, what its macros and inline functions call is."""
    if path.endswith('.h'):
        calls = re.findall(r'^\s*#(?:[^\n\\]|\\.|\\\n)*|^G_DEFINE_\w+[^\n]*', code, re.M)
        while re.search(r'\{[^{}]*\}', code):
            calls += re.findall(r'\{[^{}]*\}', code)
            code = re.sub(r'\{[^{}]*\}', ';', code)
        code = ' '.join(calls)
    return set(re.findall(r'\bhl_\w+', code))


def rule_used(tree):
    """a function that is not static is called from another file"""
    defined, users = {}, {}
    for path, text in tree.sources.items():
        code = code_only(text)
        for name in used_names(path, code):
            users.setdefault(name, set()).add(path)
        if path.endswith('.c') and not path.startswith('tests/'):
            for match in DEFINED.finditer(code):
                if 'static' not in match.group(1):
                    defined.setdefault(match.group(2), (path, code.count('\n', 0, match.start(2)) + 1))
    for name, (path, line) in defined.items():
        if not users[name] - {path}:
            yield f'{path}:{line}: {name} () is called from no other file: make it static or delete it'


BODY = re.compile(r'^[A-Za-z_][^\n;={}]*?[\s*](\w+) \([^;{}]*?\)\s\{\n(?:.*?\n)??\}$', re.M | re.S)
PROTOTYPE = re.compile(r'^(?:static |extern |const )*\w+[ \n*]+\w+\s*\([^;{=]*\)\s*;', re.M)
WORD = re.compile(r'\b[A-Za-z_]\w*\b')
# What a macro makes of the name of a class, and calls.
MADE = re.compile(r'^G_DEFINE_\w+ \(\s*\w+,\s*(\w+)', re.M)
# The other half of what the program calls: tests ask it whether the first half did its work.
ANSWERS = {'hl_system_get_parameter': 'what hl_system_set_parameter () wrote'}
# What tells tests what a person sees, or makes what a person has to wait for long; nothing that acts in a person's place.
SHOWN = {
    'hl_data_table_part': 'how long a bar is',
    'columns_residual': 'what stands below a column',
    'hl_application_settings': 'what a person prefers',
    'hl_data_table_n_rows': 'rows of a table',
    'hl_film_window_is_working': 'a film is being made',
    'hl_friction_curve_picture': 'the curve with its handles',
    'hl_frame_meter_reset': 'a bench begins to count anew',
    'hl_help_window_view': 'the page that is shown',
    'hl_linkage_view_picture': 'the linkage with its texts',
    'hl_locus_view_message': 'what stands in place of the plot',
    'hl_measured_window_n_columns': 'columns of the table',
    'hl_measured_window_residual': 'what stands below a column',
    'hl_meters_track': 'where a bar is',
    'hl_mode_graph_window_chosen': 'the mode that is shown',
    'hl_number_popover_message': 'what is asked below a field',
    'hl_oils_window_is_busy': 'an answer is awaited',
    'hl_outline_message': 'what stands below the outline',
    'hl_palette_button': 'the button of a tool',
    'hl_plot_pane_tab': 'the page in front',
    'hl_plot_pane_tab_of_view': 'the page of a plot',
    'hl_power_window_is_busy': 'an answer is awaited',
    'hl_worker_shutdown_is_busy': 'workers that have not ended',
    'hl_runs_set_limit': 'a memory that is full',
    'hl_start_page_is_moving': 'whether its machine moves',
    'hl_studies_chart_place': 'where a row lies',
    'hl_studies_window_draft': 'what the form says',
    'hl_studies_window_fit': 'the fit that is shown',
    'hl_studies_window_job': 'the rows that are shown',
    'hl_study_run_is_busy': 'an answer is awaited',
    'hl_tape_track_spot': 'where a mark stands',
    'hl_tape_track_tape': 'the moves of the track',
    'hl_trace_picker_n_found': 'what the search leaves',
}


@functools.cache
def bodies_of(text):
    """(name, line, words) of each function, and the words of all that is no function."""
    code = code_only(text)
    bodies = [(match.group(1), code.count('\n', 0, match.start(1)) + 1, set(WORD.findall(match.group(0))))
              for match in BODY.finditer(code)]
    return bodies, set(WORD.findall(PROTOTYPE.sub('', BODY.sub('', code))))


def unreached(tree, folders):
    """The functions of folders that the program does not reach: (name, path, line)."""
    bodies, reached = {}, set()
    for path, text in tree.sources.items():
        if path.startswith('tests/'):
            continue
        code = code_only(text)
        reached |= {name + end for name in MADE.findall(code) for end in ('_init', '_class_init', '_default_init')}
        # what stands inside an FMU is reached by whoever imports it
        if path.startswith(folders) and not re.match(r'core/fmu/hl-(substitute|runtime)-', path):
            own, words = bodies_of(text)
            for name, line, inside in own:
                bodies.setdefault(name, []).append((path, line, inside))
            reached |= words  # tables, macros
        else:
            reached |= set(WORD.findall(code))
    reached |= set(re.findall(r'\bhydrolink_\w+', tree.sources.get(LIBRARY, '')))
    reached = (reached | {'main'}) & bodies.keys()
    todo = list(reached)
    while todo:
        for _, _, words in bodies[todo.pop()]:
            new = {word for word in words if word in bodies} - reached
            reached |= new
            todo += new
    for name in bodies.keys() - reached:
        for path, line, _ in bodies[name]:
            yield name, path, line


def rule_reached(tree):
    """the program reaches every function of core, and not its tests alone"""
    for name, path, line in unreached(tree, ('core/',)):
        if name not in ANSWERS:
            yield f'{path}:{line}: {name} () is not reached by the program: delete it, or move it to tests/support'


def rule_acted(tree):
    """tests act through widgets: what only they call of the window shows what is on it, and does nothing"""
    alone = {name: (path, line) for name, path, line in unreached(tree, ('ui/', 'app/'))}
    for name, (path, line) in alone.items():
        if name not in SHOWN:
            yield f'{path}:{line}: {name} () is called by tests alone: act through the widget, and delete it'
    for path, text in tree.sources.items():
        if path.endswith('.h') and not path.startswith('tests/'):
            for name in SHOWN.keys() - alone.keys():
                if re.search(rf'\b{name} \(', code_only(text)):
                    yield f'{path}: the program itself calls {name} (): take it out of the table SHOWN'


RULES = [rule_layers, rule_house, rule_full, rule_bench, rule_libraries, rule_cages, rule_own_header_first,
         rule_words_are_included, rule_silent_core, rule_cleanup, rule_reading, rule_markup, rule_drawn, rule_size, rule_form, rule_names, rule_words, rule_general,
         rule_kinds, rule_linkage_kinds, rule_oils, rule_used, rule_reached, rule_acted]

SPDX = '/* SPDX-License-Identifier: MIT */\n'
# For each rule, files that break it in as many ways; every file must be reported.
BROKEN = {
    rule_layers: {
        'core/math/hl-a.c': SPDX + '#include "core/run/hl-b.h"\n',
        'core/run/hl-c.c': SPDX + '#include "ui/hl-d.h"\n',
        'ui/paint/base/hl-e.c': SPDX + '#include "core/edit/hl-edit.h"\n',
        'ui/edit/tool/hl-f.c': SPDX + '#include "ui/paint/base/hl-plot-axis.h"\n',
        'ui/workbench/hl-g.c': SPDX + '#include "app/hl-h.h"\n',
        'core/io/hl-i.c': SPDX + '#include "hl-json-text.h"\n',
    },
    rule_house: {
        'core/mech/hl-a.c': SPDX + '#include "core/run/hl-b.h"\n',
        'core/linear/hl-c.c': SPDX + '#include "core/run/hl-d.h"\n',
        'core/quasistatic/hl-e.c': SPDX + '#include "core/hybrid/hl-f.h"\n',
        'core/cellar/hl-g.c': SPDX + '#include "core/math/hl-h.h"\n',
        'ui/paint/base/hl-i.c': SPDX + '#include "ui/workbench/hl-j.h"\n',
    },
    rule_full: {f'core/mech/hl-{k}.c': SPDX for k in range(MOST_IN_FOLDER + 1)},
    rule_bench: {
        'ui/plot/hl-a.c': SPDX + '#include "ui/workbench/hl-runs-private.h"\n',
        'ui/plot/hl-b.c': SPDX + '#include "ui/workbench/hl-workbench-private.h"\n',
        'tests/ui/test-c.c': SPDX + '#include "ui/workbench/hl-workbench-private.h"\n',
        'ui/workbench/hl-lever-driven-run.c': SPDX + '#include "ui/workbench/hl-runs-private.h"\n',
        'app/window/hl-template-gallery.c': SPDX + '#include "app/window/hl-window.h"\n',
        'app/window/hl-application.c': SPDX + '#include "app/window/hl-window-private.h"\n',
        'ui/workbench/hl-god.h': SPDX + ''.join(f'void hl_god_{k} (void);\n' for k in range(MOST_FUNCTIONS + 1)),
    },
    rule_libraries: {
        'core/hydro/hl-a.c': SPDX + '#include <glib.h>\n',
        'core/io/hl-b.c': SPDX + '#include <cairo.h>\n',
        'ui/paint/base/hl-c.c': SPDX + '#include <gtk/gtk.h>\n',
        'ui/edit/tool/hl-d.c': SPDX + '#include <gdk/gdk.h>\n',
        'tests/core/test-e.c': SPDX + '#include <gtk/gtk.h>\n',
    },
    rule_cages: {
        'core/mech/hl-a.c': SPDX + '#include <lapacke.h>\n',
        'core/run/hl-simulate.c': SPDX + '#include <cvode/cvode.h>\n',
        'core/document/hl-b.c': SPDX + '#include <jansson.h>\n',
    },
    rule_own_header_first: {
        'core/mech/hl-body.c': SPDX + '#include <math.h>\n#include "core/mech/hl-body.h"\n',
    },
    rule_words_are_included: {
        'ui/plot/hl-a.c': SPDX + '#include "core/math/hl-b.h"\nvoid f (GtkWidget *w) { gtk_widget_show (w); }\n',
        'app/cli/hl-c.c': SPDX + '#include <math.h>\nvoid f (void) { g_free (0); }\n',
    },
    rule_silent_core: {
        'core/io/hl-a.c': SPDX + 'void f (void) { printf ("x"); }\n',
        'core/io/hl-b.c': SPDX + 'void f (void) { exit (1); }\n',
        'core/io/hl-c.c': SPDX + 'void f (void) { fprintf (stderr, "x"); }\n',
    },
    rule_cleanup: {
        'ui/workbench/hl-a.c': SPDX + 'void f (void) { g_autofree char *names[2] = {0}; }\n',
        'ui/workbench/hl-b.c': SPDX + 'void f (void) { g_autoptr (HlValue) values[3] = {0}; }\n',
    },
    rule_markup: {'core/fmu/hl-a.c': SPDX + 'void f (void) { safe = g_markup_escape_text (name, -1); }\n'},
    rule_reading: {
        'core/io/hl-a.c': SPDX + 'void f (void) { g_file_get_contents (path, &text, &n, NULL); }\n',
        'core/io/hl-b.c': SPDX + 'void f (void) { int fd = open (path, O_RDONLY | O_CLOEXEC); }\n',
        'core/io/hl-c.c': SPDX + 'void f (void) { FILE *file = fopen (path, "rb"); }\n',
        'ui/plot/hl-d.c': SPDX + 'void f (void) { g_file_load_contents (file, NULL, &text, &n, NULL, NULL); }\n',
        'app/cli/hl-e.c': SPDX + 'void f (void) { zip_t *zip = zip_open (path, 0, &why); }\n',
        'app/cli/hl-f.c': SPDX + 'void f (void) { int fd = g_open (path,\n  O_RDWR | O_CREAT, 0666); }\n',
        'ui/canvas/hl-g.c': SPDX + 'void f (void) { GdkPixbuf *p = gdk_pixbuf_new_from_file (path, NULL); }\n',
    },
    rule_drawn: {
        'ui/plot/hl-a.c': SPDX + 'void f (GtkWidget *chart) { gtk_widget_queue_draw (chart); }\n',
        'app/window/hl-b.c': SPDX + 'void f (GObject *x) { g_signal_connect (x, "a", G_CALLBACK (gtk_widget_queue_draw), x); }\n',
    },
    rule_size: {'core/io/hl-a.c': SPDX + '\n' * MAX_LINES},
    rule_form: {
        'core/io/hl-a.c': '#include <glib.h>\n',
        'core/io/hl-b.h': SPDX,
        'core/io/hl-c.c': SPDX + '\tint x;\n',
    },
    rule_names: {
        'core/io/hl-a.h': SPDX + '#pragma once\nint load_it (const char *name);\n',
        'core/io/hl-b.h': SPDX + '#pragma once\nstatic inline double half (double x) { return x / 2; }\n',
        'core/io/hl-c.h': SPDX + '#pragma once\n#define LIMIT 3\n',
    },
    rule_words: {'core/io/hl-a.c': SPDX + '/* TO' 'DO: later */\n'},
    rule_kinds: {
        'core/io/hl-a.c': SPDX + 'int f (const char *k) { return strcmp (k, "relief-valve") == 0; }\n',
        'core/system/hl-b.c': SPDX + 'int f (const HlComponent *c) { return c->klass == &hl_relief_valve_class; }\n',
        'core/system/hl-c.c': SPDX + 'void f (const HlComponent *c) { switch (c->klass->kind.section) { } }\n',
        'ui/paint/hl-d.c': SPDX + 'int f (const char *k) { return strcmp (k, "relief-valve") == 0; }\n',
    },
    rule_linkage_kinds: {
        'core/io/hl-a.c': SPDX + 'int f (const char *k) { return g_strcmp0 (k, "knife-edge") == 0; }\n',
        'core/system/hl-b.c': SPDX + 'int f (const HlRow *row) { return row->kind == HL_ROW_KNIFE; }\n',
        'core/linear/hl-c.c': SPDX + 'int f (const HlLoad *load) { return load->klass == &hl_spring_class; }\n',
        'ui/edit/linkage/hl-d.c': SPDX + 'int f (Item *i) { return strcmp (i->type->name,\n               "tyre") == 0; }\n',
        'core/run/hl-e.c': SPDX + 'int f (const HlRow *row) { switch (row->kind) { case HL_ROW_ANGLE: return 1; } }\n',
    },
    rule_oils: {
        'core/run/hl-a.c': SPDX + 'int f (HlModelKind model) { return model == HL_MODEL_HYBRID; }\n',
        'core/edit/hl-b.c': SPDX + 'int f (const char *model) { return strcmp (model, "lumped") == 0; }\n',
        'app/cli/hl-c.c': SPDX + 'int f (HlModelKind model) { switch (model) { case HL_MODEL_LUMPED: return 1; } }\n',
        'ui/workbench/hl-d.c': SPDX + 'const char *const words[] = { [HL_MODEL_QUASISTATIC] = "slow" };\n',
        'ui/inspector/hl-e.c': SPDX + 'int f (HlOil oil) { return HL_OIL_HYBRID != oil; }\n',
        'app/cli/hl-f.c': SPDX + 'int f (HlFormulation it) { return it == HL_FORMULATION_DISCRETE; }\n',
    },
    rule_used: {
        'core/io/hl-lonely.c': SPDX + 'int hl_a_lonely (void) {\n  return 1;\n}\n',
        'core/io/hl-b.c': SPDX + 'int hl_b_own (int x) {\n  return x;\n}\nint x = hl_b_own (1); /* hl_a_lonely () */\n',
        'ui/workbench/hl-c.c': SPDX + 'const char *hl_c_said (void) {\n  return "hl_c_said ()";\n}\n',
    },
    rule_reached: {
        'core/io/hl-tested.c': SPDX + 'int hl_tested (void) {\n  return 1;\n}\n',
        'core/math/hl-tested.h': SPDX + '#pragma once\n/* */\nstatic inline int hl_tested_inline (int x) {\n  return x;\n}\n',
        'core/io/hl-b.c': SPDX + 'static int only_from_c (void) {\n  return hl_c ();\n}\n',
        'core/io/hl-c.c': SPDX + 'int hl_c (void) {\n  return only_from_c ();\n}\n',
        'core/io/hl-d.c': SPDX + 'int hl_d (void);\nint hl_d (void) {\n  return hl_d (); /* hl_d () */\n}\n',
    },
    rule_acted: {
        'ui/plot/hl-a.c': SPDX + 'void hl_a_press (GtkWidget *a) {\n  press (a);\n}\n',
        'app/window/hl-b.c': SPDX + 'static void press (void) {\n}\nvoid hl_b_press (void) {\n  press ();\n}\n',
        'ui/plot/hl-c.c': SPDX + 'G_DEFINE_TYPE (HlC, hl_c, G)\nstatic void hl_c_finalize (GObject *c) {\n}\n',
        'ui/outline/hl-d.h': SPDX + '#pragma once\nconst char *hl_outline_message (void);\n',
    },
    rule_general: {
        'core/io/hl-a.c': SPDX + 'const char *body = "link2";\n',
        'core/io/hl-b.c': SPDX + 'const char *file = "four-bar.hydrolink";\n',
    },
}
# A tree that keeps every rule.
SOUND = {
    'core/math/hl-used.c': SPDX + '#include "core/math/hl-used.h"\nint hl_used (void) {\n  return 1;\n}\n'
        'void hl_used_free (void *x) {\n}\nint hl_used_inline (void) {\n  return 1;\n}\nstatic int own (void) {\n}\n',
    'core/math/hl-used.h': SPDX + '#pragma once\nint hl_used (void);\nint hl_used_inline (void);\n'
        'G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlUsed, hl_used_free)\n'
        'static inline int hl_used_twice (void) {\n  return 2 * hl_used_inline ();\n}\n',
    'core/io/hl-lonely.h': SPDX + '#pragma once\nint hl_a_lonely (void);\nint hl_b_own (int x);\n',
    'tests/core/test-used.c': SPDX + 'int x = hl_used () + hl_data_table_n_rows ();\n',
    'ui/plot/hl-acts.c': SPDX + 'G_DEFINE_FINAL_TYPE (HlActs, hl_acts, GTK_TYPE_BOX)\nstatic void press_cb (void) {\n}\n'
        'static void hl_acts_class_init (HlActsClass *klass) {\n  HL_TREE_CALLBACK (klass, press_cb);\n}\n'
        'static void hl_acts_init (HlActs *self) {\n}\nint hl_data_table_n_rows (void) {\n  return 1;\n}\n',
    'app/main.c': SPDX + 'int main (void) {\n  return hl_used () + hl_used_twice ();\n}\n',
    'core/mech/hl-body.h': SPDX + '#pragma once\n#include <stdbool.h>\n'
        'typedef struct { bool (*poll) (void *data); double x; } HlBody;\n'
        'typedef bool (*HlPoll) (void *data);\n#define HL_LIMIT 3\n'
        'static inline double hl_body_x (const HlBody *body) { return half (body->x); }\nvoid hl_body_init (HlBody *body);\n',
    'core/mech/hl-body.c': SPDX + '#include "core/mech/hl-body.h"\n#include <math.h>\n/* printf () is not called */\n',
    'core/hydro/hl-relief.c': SPDX + 'const HlComponentClass hl_relief_valve_class = { .kind = {HL_SECTION_COMPONENTS, "relief-valve"} };\n',
    'ui/paint/circuit/hl-symbol-relief.c': SPDX + 'const char *kind = "relief-valve";\n',
    'core/system/hl-reads.c': SPDX + 'const HlComponentClass *f (const char *kind) { return hl_component_class (kind); }\n',
    'core/mech/hl-joint.c': SPDX + 'const HlJointClass edge = { .kind = {HL_SECTION_JOINTS, "knife-edge"} };\n',
    'core/mech/hl-load-tyre.c': SPDX + 'const HlLoadClass hl_tyre_class = { .kind = {HL_SECTION_LOADS, "tyre"} };\n',
    'ui/paint/linkage/hl-marks.c': SPDX + 'const Mark marks[] = { {"tyre", paint_tyre} };\n'
        'void f (void) { HlRow row = {.kind = HL_ROW_ANGLE}; add ("knife-edge", &row); }\n',
    'core/oil/hl-oil-lumped.c': SPDX + 'const HlOilModel hl_oil_lumped = { .kind = HL_MODEL_LUMPED, .name = "lumped" };\n',
    'core/run/hl-asks.c': SPDX + 'int f (HlModelKind model) { return hl_oil_models[model]->has_modes; }\n',
    'app/cli/hl-map.c': SPDX + 'HlCliCommand c = {\n  .name = "quasistatic",\n  .model = HL_MODEL_QUASISTATIC\n};\n',
    'core/math/hl-linalg.c': SPDX + '#include <lapacke.h>\n',
    'core/io/hl-json-text.c': SPDX + '#include <jansson.h>\n#include <glib.h>\n/* like "link2.C" */\n',
    'core/solve/hl-integrator-bdf.c': SPDX + '#include <cvode/cvode.h>\n#include <suitesparse/klu.h>\n',
    'ui/canvas/hl-canvas.c': SPDX + '#include <gtk/gtk.h>\n#include "core/mech/hl-body.h"\n'
        'void f (char *a[2]) { g_autofree char *own = a[1]; g_autofree char **list = g_new0 (char *, 2); }\n',
    'ui/workbench/hl-shelf-rows.c': SPDX + '#include "ui/workbench/hl-shelf-private.h"\n#include "ui/workbench/hl-workbench-private.h"\n',
    'ui/widget/hl-pixel-cache.c': SPDX + '#include <gtk/gtk.h>\nvoid f (GtkWidget *widget) { gtk_widget_queue_draw (widget); }\n',
    'app/window/hl-window-pane-sizes.c': SPDX + '#include "app/window/hl-window-private.h"\n',
    'app/window/hl-window-screenshot.c': SPDX + '#include "app/window/hl-window.h"\n',
    'data/examples/four-bar.hydrolink': '{"bodies": [{"id": "link2"}]}',
}


def is_sharp(rule):
    """Whether the rule finds every broken file and nothing in the sound tree."""
    broken = BROKEN[rule]
    found = list(rule(Tree({**SOUND, **broken})))
    blind = [name for name in broken if not any(line.startswith(name) for line in found)]
    false = list(rule(Tree(SOUND)))
    for name in blind:
        print(f'# this rule does not see what is wrong with: {broken[name]!r}')
    for line in false:
        print(f'# this rule objects to sound code: {line}')
    return not blind and not false


def main():
    tree = Tree(files_below(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)))
    failed = 0
    print(f'1..{len(RULES)}')
    for number, rule in enumerate(RULES, 1):
        sharp = is_sharp(rule)
        found = list(rule(tree))
        for line in found:
            print(f'# {line}')
        ok = sharp and not found
        failed += not ok
        print(f'{"ok" if ok else "not ok"} {number} - {rule.__doc__}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
