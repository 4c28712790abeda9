#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mathematics in comments can be read, and what a comment cites exists. TAP.

Each rule is first tried on text that breaks it, so a rule that has gone blind fails as well; then on text that keeps it.
With --list it prints every public function of core that stands without a word about it.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PAGES = 'data/docs/theory'
COMMENT = re.compile(r'/\*.*?\*/', re.S)

# Lowercase names of mathematics that would pass as words of a sentence.
NAMES = set('''sqrt sin cos tan tanh atan exp log max min sign diag rot det sum proj abs hypot psi phi lam lambda alpha beta
gamma kappa sigma theta omega tau rho eps mu nu dpsi dgamma vbar fbar'''.split())
RELATIONS = ('=', '<=', '>=')
# Operators of one line of running text, from which on an equation belongs on a line of its own.
MOST_OPERATORS = 4


def lines_of(comment):
    """The text of a comment, line by line, without its frame."""
    body = comment[2:-2].split('\n')
    first = body[0][1:] if body[0].startswith(' ') else body[0]
    return [first.rstrip()] + [re.sub(r'^\s*\* ?', '', line).rstrip() for line in body[1:]]


def paragraphs(comment):
    """Running text: neighbouring lines that are not indented, as (line within the comment, text)."""
    found, present = [], []
    for number, line in enumerate(lines_of(comment)):
        if line.strip() and not line.startswith(' '):
            present.append((number, line))
            continue
        found.append(present)
        present = []
    return [paragraph for paragraph in found + [present] if len(paragraph) > 1]


def is_word(token):
    bare = token.strip('.,;:()[]{}"`\u201c\u201d')
    if re.search(r'[\^=+*/|_]', token) or bare in NAMES:
        return False
    return re.fullmatch(r"[A-Za-z][a-z]{2,}(-[a-z]+)*('s)?|a|is|it|to|of|in|on|at|by|an|as|or|if|no|so|we|be|its", bare) is not None


def operators(tokens):
    return sum(len(re.findall(r'\^|\*|=|(?<![a-z])/', token)) + (token in ('+', '-')) for token in tokens)


def spans(tokens):
    """Runs of mathematics among (token, line): what stands between words."""
    run, following = [], tokens[1:] + [('word', -1), ('word', -1)]
    for token, after in zip(tokens + [('word', -1)], following):
        if is_word(token[0]) and not (token[0] == 'a' and not is_word(after[0])):  # 'a x^2' is no article
            if any(text in RELATIONS for text, _ in run):
                yield run
            run = []
        else:
            run.append(token)


def equations_in_text(comment):
    """(line, why) of equations that running text swallowed."""
    for paragraph in paragraphs(comment):
        for number, line in paragraph:
            for run in spans([(token, number) for token in line.split()]):
                if operators([token for token, _ in run]) > MOST_OPERATORS:
                    yield number, 'an equation of this size stands on a line of its own, indented'
            if re.search(r'[^\s.:;,!?*] {2,}\S', line):
                yield number, 'columns that were aligned once'
        tokens = [(token, number) for number, line in paragraph for token in line.split()]
        parts, part = [], []
        for token in tokens:  # a comma or full stop ends an equation
            part.append(token)
            if re.search(r'[.,:;]$', token[0]):
                parts.append(part)
                part = []
        for part in parts + [part]:
            for run in spans(part):
                numbers = {number for _, number in run}
                if len(numbers) > 1 and operators([token for token, _ in run]) >= 2:
                    yield max(numbers), 'an equation broken at the end of a line'


def rule_equations(tree):
    """equations stand on lines of their own"""
    for path, text in tree.items():
        if not path.startswith(('core/', 'ui/paint/')) or not path.endswith(('.c', '.h')):
            continue
        for match in COMMENT.finditer(text):
            start = text.count('\n', 0, match.start()) + 1
            for number, why in equations_in_text(match.group(0)):
                yield f'{path}:{start + number}: {why}: {lines_of(match.group(0))[number].strip()}'


def numbers_of(page):
    return [int(number) for number in re.findall(r'^ {4,}.*\((\d+)\)$', page, re.M)]


def pages(tree):
    return {Path(path).name: numbers_of(text) for path, text in tree.items()
            if path.startswith(PAGES + '/') and path.endswith('.md')}


REFERENCE = r'\(\d+\)(?:-\(\d+\))?'
CITATION = re.compile(r'\b(?:theory/)?([a-z]+\.md)((?:[\s,;]*(?:and\s+|to\s+)?' + REFERENCE + r')*)')


# What the program itself cites, in the help of a part.
CITING = re.compile(r'"(?:\\.|[^"\\\n])*\btheory/(?:\\.|[^"\\\n])*"')
# Names that are no pages: what the program writes.
WRITTEN = ('report.md',)
BARE = r'(?<=\s)\((\d+)\)$|(?<=[\s,])\((\d+)\)(?=[,;.-]?\s)'


def rule_citations(tree):
    """what a comment or a text of the program cites stands in data/docs/theory"""
    known = pages(tree)
    for path, text in tree.items():
        in_pages = path.startswith(PAGES + '/')
        if in_pages:
            pieces = [(0, text)]
        elif path.endswith(('.c', '.h')):
            pieces = [(match.start(), match.group(0)) for match in COMMENT.finditer(text)]
            pieces += [(match.start(), match.group(0)) for match in CITING.finditer(text)]
        else:
            continue
        for offset, piece in pieces:
            flat = re.sub(r'\n\s*\* ?', lambda match: ' ' * len(match.group(0)), piece) if not in_pages else piece
            cited = set()
            for match in CITATION.finditer(flat):
                page, line = match.group(1), text.count('\n', 0, offset + match.start()) + 1
                if not in_pages and not match.group(0).startswith('theory/'):
                    if page not in WRITTEN and f'data/docs/{page}' not in tree:
                        yield f'{path}:{line}: {page} is not a page of the project: theory/NAME.md is'
                    continue
                if page not in known and page != 'README.md':
                    yield f'{path}:{line}: there is no {PAGES}/{page}'
                    continue
                cited.add(page)
                for number in re.findall(r'\d+', match.group(2)):
                    if int(number) not in known.get(page, []):
                        yield f'{path}:{line}: {page} has no equation ({number})'
            bare = CITATION.sub(lambda match: re.sub(r'\S', '.', match.group(0)), flat)
            if in_pages:
                cited = {Path(path).name}
            if len(cited) == 1 and not re.search(r'seed 00|eqs?\.', piece):  # bare numbers are of the one page cited
                (page,) = cited
                for match in re.finditer(BARE, bare, re.M):
                    number = int(match.group(1) or match.group(2))
                    if known.get(page) and number not in known[page] and number > 0:
                        line = text.count('\n', 0, offset + match.start()) + 1
                        yield f'{path}:{line}: {page} has no equation ({number})'


def rule_pages(tree):
    """equations of a page are numbered from 1 without a gap, and every page stands in the list of pages"""
    index = tree.get(PAGES + '/README.md', '')
    for path, text in tree.items():
        if not path.startswith(PAGES + '/'):
            continue
        name, numbers = Path(path).name, numbers_of(text)
        if name == 'README.md':
            for link in re.findall(r'\]\(([\w.-]+\.md)\)', text):
                if f'{PAGES}/{link}' not in tree:
                    yield f'{path}: links to {link}, which is not there'
            continue
        if numbers != list(range(1, len(numbers) + 1)):
            yield f'{path}: numbers of equations: {numbers}'
        if not numbers:
            yield f'{path}: no numbered equation'
        if f'({name})' not in index:
            yield f'{path}: not in the list of {PAGES}/README.md'


def undocumented(header):
    """(line, name) of the functions a header offers that neither have a comment nor stand in a group that has one."""
    def mark(match):
        heading = re.match(r'/\* -{4}', match.group(0))  # says nothing about the function below it
        return '\n' * match.group(0).count('\n') + ('' if heading else '\x01')

    blank = COMMENT.sub(mark, header)
    depth, has_comment, statement, start = 0, False, '', 0
    for number, line in enumerate(blank.split('\n'), 1):
        stripped = line.strip()
        if depth == 0 and not statement:
            if stripped == '':
                has_comment = False
                continue
            if stripped.replace('\x01', '') == '':
                has_comment = True
                continue
            if stripped.startswith('#') or line.endswith('\\'):
                continue
            start = number
        if depth == 0:
            statement += ' ' + stripped
        depth += stripped.count('{') - stripped.count('}')
        clean = statement.replace('\x01', ' ').strip()
        if depth > 0 or not stripped.rstrip('\x01 ').endswith((';', '}')):
            continue
        if statement.lstrip().startswith('\x01'):
            has_comment = True
        declared = re.search(r'\b(hl_\w+)\s*\(', clean.split('{')[0])
        is_type = re.match(r'(typedef|struct|enum|union|extern|G_)', clean)
        if declared and not is_type:
            if not has_comment and '\x01' not in statement:
                yield start, declared.group(1)
        elif is_type:
            has_comment = False
        statement = ''


def rule_contracts(tree):
    """every function that a header of core offers has a word about it"""
    for path, text in tree.items():
        if path.startswith('core/') and path.endswith('.h'):
            for number, name in undocumented(text):
                yield f'{path}:{number}: {name} ()'


FAILING = re.compile(r'\bHL_[A-Z]{2}|\b[Ff]ault|\b[Ff]ail|\b[Ss]tatus|\bcannot|\b[Ee]rror|\b[Rr]efus|\bwhy\b|\bNULL\b|\bFALSE\b|\bfalse\b'
                     r'|\b[Tt]he same\b|\b[Aa]s (?:hl_|HlSim)|HlSimForm')
DECLARED = re.compile(r'(?:^|[;}\n])\s*((?:const )?\w+[ \n*]+)(hl_\w+)\s*\(([^;{]*)\)\s*[;{]')


def rule_failures(tree):
    """of a public function of core that may fail its header says so, with it or at its head"""
    for path, text in tree.items():
        if not (path.startswith('core/') and path.endswith('.h')) or path.endswith('-private.h'):
            continue
        comments = COMMENT.findall(text)
        head = comments[1] if len(comments) > 1 else ''
        if text[:text.find(head)].count('\n') <= 2 and FAILING.search(head):
            continue
        for block in re.split(r'\n[ \t]*\n', text):
            if FAILING.search(' '.join(COMMENT.findall(block))):
                continue
            for match in DECLARED.finditer(COMMENT.sub(' ', block)):
                result, name, arguments = match.groups()
                if result.strip() == 'HlStatus' or 'GError **' in arguments:
                    yield f'{path}: {name} ()'


NUMBER = r'(?:const )?(?:double|double complex|float|int|bool|gboolean|guint|guint8|gsize|size_t|unsigned|u?int\d+_t)'
ARRAY = re.compile(rf'{NUMBER}\s*((?:\*|const|\s)+)?\b(\w+)(\[\])?')
FUNCTION = re.compile(r'(?:^|[;}\n])\s*((?:static inline |extern )?(?:const )?\w+(?: complex)?[ \n*]+)(hl_\w+)\s*\(([^;{]*?)\)\s*[;{]')
SIZE = r'(?:n(?:_\w+)?|m|k|max(?:_\w+)?|\d+|HL_[A-Z_]+|hl_\w+|\w+ x \w+)'


def tells_shape(name, text):
    """Whether a text says how many numbers there are: 'x[n_states]', '*slope' for one, 'x (n)', or a table's row 'x   n'."""
    word, flat = rf'(?<![\w.]){name}(?!\w)', re.sub(r'\s+', ' ', text)
    more = r'(?:(?:,| and|, and|,? or) [\w|]+)*(?: \(optional\))?'
    fold = re.I if len(name) == 1 else re.NOFLAG  # a matrix A is the array a
    return (re.search(rf'{word}\s*\[|\*{word}', flat, fold) is not None
            or re.search(rf'{word}{more}(?: \(|: | is | are | has | have | holds | of |, )(?:[\w ]{{0,12}}\b)?{SIZE}\b', flat, fold) is not None
            or re.search(rf'^ *(?:\w+, )*{word}{more} {{2,}}\S', text, re.M) is not None)


def rule_shapes(tree):
    """of an array of numbers that a function of core takes or gives its header says the shape, with it or at its head"""
    for path, text in tree.items():
        if not (path.startswith('core/') and path.endswith('.h')):
            continue
        comments = COMMENT.findall(text)
        head = comments[1] if len(comments) > 1 else ''
        head = '\n'.join(lines_of(head)) if head and text[:text.find(head)].count('\n') <= 2 else ''
        for block in re.split(r'\n[ \t]*\n', text):
            said = '\n'.join('\n'.join(lines_of(comment)) for comment in COMMENT.findall(block))
            for result, name, arguments in FUNCTION.findall(COMMENT.sub(' ', block)):
                gives = re.search(rf'\b{NUMBER}\s*\*', result)
                if gives and not re.search(r'\[|\b(?:n|n_\w+|one each|place of)\b|\b[Ww]here\b', said):
                    yield f'{path}: what {name} () gives'
                for argument in arguments.split(','):
                    match = ARRAY.fullmatch(' '.join(argument.split()))
                    if match and ('*' in (match.group(1) or '') or match.group(3)) and not tells_shape(match.group(2), said + '\n' + head):
                        yield f'{path}: {match.group(2)} of {name} ()'


STRUCT = re.compile(r'^(?:typedef struct(?: \w+)?|struct (\w+))\s\{\n(.*?)^\}(?: (\w+))?;', re.S | re.M)
FIELD = re.compile(r'(?P<above>(?:^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n)*)^[ \t]*(?P<field>[^\n/;{}][^;/{}]*;)[ \t]*(?P<beside>/\*(?:(?!\*/).)*\*/)?',
                   re.S | re.M)
EXTENT = re.compile(r'\b(?:n|m|k|f|l|most|length)\b|\b(?:n|max|largest)_\w+|\[|\d|\w x \w|\bhl_\w+ \(\)|\bone an?\b|\b[Bb]y (?:slot|column)\b')


def rule_fields(tree):
    """of an array of numbers in a struct of core a comment says how long it is: beside it, above it, or above its group"""
    for path, text in tree.items():
        if not path.startswith('core/') or not path.endswith(('.c', '.h')):
            continue
        for match in STRUCT.finditer(text):
            group = ''
            for field in FIELD.finditer(match.group(2)):
                above, beside = field['above'], field['beside'] or ''
                group = above or group
                if re.match(rf'{NUMBER}\s*\*', field['field']) and not EXTENT.search(above + beside + group):
                    yield f'{path}: {" ".join(field["field"].split())} of {match.group(1) or match.group(3)}'


def rule_names(tree):
    """functions, types and files that a comment speaks of exist"""
    sources = {path: text for path, text in tree.items() if path.endswith(('.c', '.h'))}
    known = set(re.findall(r'\b[A-Za-z_]\w*\b', '\n'.join(COMMENT.sub(' ', text) for text in sources.values())))
    files = {Path(path).name for path in tree}
    for path, text in sources.items():
        for match in COMMENT.finditer(text):
            flat = re.sub(r'\n\s*\* ?', ' ', match.group(0))
            line = text.count('\n', 0, match.start()) + 1
            for name in re.findall(r'\b(hl_\w*[a-z0-9]|Hl[A-Z]\w+|HL_[A-Z0-9_]*[A-Z0-9])\b(?!\*|_)', flat):
                if name not in known:
                    yield f'{path}:{line}: there is no {name}'
            for name in re.findall(r'\bhl-[\w-]+\.[ch]\b', flat):
                if name not in files:
                    yield f'{path}:{line}: there is no {name}'


RULES = [rule_equations, rule_citations, rule_pages, rule_contracts, rule_failures, rule_shapes, rule_fields, rule_names]

PAGE = '# Page\n\n    a = b                    (1)\n    c = d                    (2)\n'
INDEX = '| [page.md](page.md) | a page |\n'
SOUND = {
    f'{PAGES}/README.md': INDEX,
    f'{PAGES}/page.md': PAGE,
    'core/mech/hl-a.h': '''/* Lengths of rods, with r = 0 for the ground and a wheel of radius r > 0 for the others; the
 * numbers follow theory/page.md (1), (2), line by line:
 *
 *   s_x = e^T Wm + k^2           theory/page.md (1)
 *   Hs  = Wm^T N Wm / s          N = I - e e^T
 */
typedef struct
{
  double x;      /* length [m] */
  double *parts; /* n_parts: lengths [m] */
  /* n each: pivots and their order */
  double *pivots;
  int *order;
  const char *name;
} HlRod;

/* Length of a rod [m]. */
double hl_rod_length (const HlRod *rod);
double hl_rod_width (const HlRod *rod);

/* Cuts it; fails when nothing is left. */
HlStatus hl_rod_cut (HlRod *rod, double by);

/* x[n] [m], and *ratio of the last two; A is n x n. */
void hl_rod_fill (int n, double x[], double *ratio, const double a[]);
/* The lengths, [n_rods]. */
const double *hl_rod_lengths (void);

/* Half of it. */
static inline double
hl_rod_half (const HlRod *rod)
{
  return 0.5 * rod->x;
}
''',
}
# For each rule, files that break it in as many ways.
BROKEN = {
    rule_equations: {
        'core/mech/hl-b.c': '/* Closed forms of the rows, where everything follows from Hs: d = v^T Hs v, d(D v)/dx = (Hs v)^T,\n'
                            ' * and from the motion. */\n',
        'core/mech/hl-c.c': '/* The motion of the positions follows from that of the pivots as seen before: d Q = Q_x dx + Q_v\n'
                            ' * dv for every row that moves. */\n',
        'core/mech/hl-d.c': '/* Fills the table. n_samples  at least two out   capacity for the samples and a few more, which\n'
                            ' * are written. */\n',
        'ui/paint/hl-e.c': '/* A curve that is drawn between its points as the cubic y = a x^3 + b x^2 + c x + d with the slopes\n'
                           ' * of both ends. */\n',
    },
    rule_citations: {
        'core/mech/hl-b.c': '/* The rows of theory/page.md (3). */\n',
        'core/mech/hl-c.c': '/* As in theory/other.md (1). */\n',
        'core/mech/hl-d.c': '/* As the reference says (hybrid.md, section 3). */\n',
        'core/mech/hl-e.c': '/* Solves, for theory/page.md (1) and\n *\n *   x = y + z       (7)\n */\n',
        'core/hydro/hl-f.c': 'static const char sources[] = "theory/page.md (1); theory/page.md (2)-(4)";\n',
        f'{PAGES}/second.md': '# Second\n\nSee page.md (9).\n\n    a = b  (1)\n',
    },
    rule_pages: {
        f'{PAGES}/gap.md': '# Gap\n\n    a = b  (1)\n    c = d  (3)\n',
        f'{PAGES}/bare.md': '# Bare\n\nNothing.\n',
        f'{PAGES}/lost.md': '# Lost\n\n    a = b  (1)\n',
    },
    rule_names: {
        'core/io/hl-b.c': '/* Called by hl_rod_forget (). */\n',
        'core/io/hl-c.c': '/* The other half is in\n * hl-gone.c. */\n',
        'core/io/hl-d.c': '/* A list of HlGone. */\n',
    },
    rule_failures: {
        'core/io/hl-b.h': '/* About files. */\n#pragma once\n\n/* Reads it. */\nint hl_b_read (const char *name, GError **error);\n',
        'core/mech/hl-c.h': '/* Turns it. */\nHlStatus hl_c_turn (double angle);\n\n/* Fails never. */\nvoid hl_c_stop (void);\n',
    },
    rule_shapes: {
        'core/math/hl-b.h': '/* Fills x, and y[n] as well. */\nvoid hl_b_fill (int n, double x[], double y[]);\n',
        'core/math/hl-c.h': '/* Asks for slope. */\ndouble hl_c_at (double x, double *slope);\n',
        'core/math/hl-d.h': '/* The lengths of rods. */\nconst double *hl_d_lengths (void);\n',
        'core/math/hl-e-private.h': '/* Adds. */\nstatic inline void hl_e_add (const int part[], double complex *sum) {\n}\n',
    },
    rule_fields: {
        'core/math/hl-b.h': 'typedef struct {\n  int n;\n  double *x; /* positions */\n} HlB;\n',
        'core/math/hl-c.c': 'struct _HlC {\n  /* scratch */\n  const bool *is_open;\n  int *n_open; /* n */\n};\n',
        'core/math/hl-d.c': 'typedef struct HlD {\n  double *x; /* n: positions */\n  double *y;\n} HlD;\n',
    },
    rule_contracts: {
        'core/io/hl-b.h': '#pragma once\n\nint hl_b_read (const char *name);\n',
        'core/io/hl-c.h': '/* What is read. */\ntypedef struct {\n  int x;\n} HlC;\n\n\nvoid\nhl_c_free (HlC *c);\n',
        'core/io/hl-d.h': '/* ---- d ---- */\n\nstatic inline int hl_d_half (int x) {\n  return x / 2;\n}\n',
    },
}


def read_tree():
    tree = {}
    for folder, pattern in (('core', '*.[ch]'), ('ui', '*.[ch]'), ('app', '*.[ch]'), ('tests', '*.[ch]'), ('data/docs', '*.md')):
        for path in sorted((TOP / folder).rglob(pattern)):
            if path.name.startswith('hl-substitute-') or path.parent.name == 'headers':
                continue  # stands for a header of the program inside an FMU, which has the words
            tree[path.relative_to(TOP).as_posix()] = path.read_text(encoding='utf-8')
    return tree


def is_sharp(rule):
    """Whether the rule finds every broken file and nothing in the sound ones."""
    found = list(rule({**SOUND, **BROKEN[rule]}))
    blind = [path for path in BROKEN[rule] if not any(line.startswith(path) for line in found)]
    false = list(rule(SOUND))
    for path in blind:
        print(f'# this rule does not see what is wrong with: {BROKEN[rule][path]!r}')
    for line in false:
        print(f'# this rule objects to a sound text: {line}')
    return not blind and not false


def main():
    tree = read_tree()
    if '--list' in sys.argv:
        print('\n'.join(rule_contracts(tree)))
        return 0
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
