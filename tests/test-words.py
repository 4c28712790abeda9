#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts use the words of textbooks. TAP.

A stop list names words and phrases that may not return, each with the reason and the plain word. In texts and docs none may
occur. In the source (code, templates, German catalogue) each has a count that may only fall: lower it here when it has fallen.
The glossary and the docs name things of the code; these exist.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
GLOSSARY = 'data/docs/glossary.md'
MOST_ROWS = 150
# Printed by the program from its tables, where texts are corrected.
PRINTED = ('data/docs/format.md',)
# Texts with hits that may only become fewer.
LATER = {}

# phrase (regular expression, spaces match line ends), why, plain word, most in the source
STOP = [
    (r'\b(?:gives?|gave|given|giving) way\b', 'a picture', 'compliance, compressible, yields', 0),
    (r'\b(?:Asked|Found|Told|Kept|Shown|Drawn) (?:is|are)\b', 'verb before the subject', 'subject, verb, object', 0),
    (r'\b[Ww]hoever\b', 'a pronoun without a noun', 'the caller, the program', 0),
    (r'\b(?:is|are) told\b', 'a program does not talk to its parts', 'is set, receives', 0),
    (r'\b[Tt]ells? of\b', 'a picture', 'reports, lists', 0),
    (r'\b[Hh]ears? (?:of|that|a|its|the)\b', 'a picture', 'is notified, measures', 0),
    (r'\bis called so\b', 'not English', 'No matching …', 0),
    (r'\b[Nn]othing of that name\b', 'not English', 'No match', 0),
    (r'\b(?:is|are) no (?:number|text|file|folder|path|list|unit|model|picture|name|finite)\b', 'word order', 'is not a …', 5),
    (r'\bis on no\b', 'word order', 'is not connected', 0),
    (r'\bin peace\b', 'a picture', 'smoothly', 0),
    (r'\bits cure\b|\b[Cc]ure it\b|\bCured\b', 'a picture', 'remedy, corrected', 0),
    (r'\bto live with\b', 'a picture', 'a workable …', 0),
    (r'\bMake it so\b', 'not a label', 'Try it', 0),
    (r'\b[Ww]hen to forget\b', 'a picture', 'When compressibility can be neglected', 0),
    (r'\bcreeps? home\b', 'a picture', 'returns slowly', 0),
    (r'\b(?:oil|structure|picture) that pulls?\b|\bwould have to pull\b', 'a picture', 'tension, negative pressure', 0),
    (r'\bgoes? round in circles\b|\bgoes? in a circle\b', 'a picture', 'does not converge; circular', 0),
    (r'\bthe [Hh]and (?:is|has|did|took)\b', 'a picture', 'the person, the lever', 0),
    (r'\bMost steps\b', 'usual pair words', 'Maximum steps', 0),
    (r'\bLeast\b(?! [Ss]quares| norm)', 'usual pair words', 'Minimum, smallest', 0),
    (r'\bGreatest\b', 'usual pair words', 'Maximum, largest', 0),
    (r'\b[Vv]iew (?:before|after)\b', 'usual pair words', 'Previous view, Next view', 0),
    (r'\b[Dd]ead length\b', 'not the word of the field', 'retracted length', 4),
    (r'\bin the mean\b', 'not English', 'on average, mean', 0),
    (r'\bbears? any\b', 'a picture', 'holds any', 0),
    (r'\bNobody\b', 'who is it?', 'no element, no caller', 0),
    (r'\b[Ww]atches over\b|\bsees to it\b', 'a picture', 'checks', 0),
    (r'\bstands? in (?:the|a|its) (?:file|table|list)\b', 'a picture', 'is in the file', 0),
    (r'\bgoes with the root\b', 'not English', 'scales with the square root', 0),
    (r'\b[Hh]eilung\b|\b[Hh]eilen Sie\b', 'wörtlich übersetzt', 'Abhilfe', 0),
    (r'\bzum Leben\b|\bkriecht heim\b|\b[Mm]achen Sie es so\b', 'wörtlich übersetzt', 'brauchbar; kehrt langsam zurück; Probieren Sie es aus', 0),
    (r'\bhülfe\b', 'veraltet', 'würde helfen', 0),
    (r'\b[Kk]onzentriert(?:e[snrm]?)?\b', 'wörtlich übersetzt', 'kompressibel', 0),
    (r'\b[Dd]osierventil', 'kein Wort des Fachs', 'verstellbare Drossel', 0),
    (r'\bÖl, das nicht nachgibt\b', 'ein Bild', 'inkompressibles Öl', 0),
    (r'\bWhat came\b', 'not a label', 'Model', 0),
    (r'\bcame (?:otherwise|true)\b', 'not English', 'incorrect, correct', 0),
    (r'\bdid not end as it should\b', 'not English', 'closed unexpectedly', 0),
    (r'\bused up\b', 'a picture', 'limit reached', 0),
    (r'\bRoom of chamber\b', 'not the word of the field', 'Volume of chamber', 0),
    (r'\bsteps bear\b', 'a picture', 'stiffest stable value', 0),
    (r'\bwhatever the numbers\b', 'not the word of the field', 'structurally zero', 0),
    (r'\b[Cc]omes in\b', 'a picture', 'input, supplied', 0),
    (r'\bforgotten\b', 'a picture', 'removed, cleared', 0),
    (r'\bcan be done to it\b', 'not a label', 'Actions', 0),
    (r'\bThe film is\b', 'word order', 'Recording saved to …', 0),
    (r'\b(?:is|are) lit\b|\blit up\b', 'a picture', 'highlighted', 0),
    (r'\bstands? here once\b', 'a picture', 'appears here once', 0),
    (r'\bfar (?:they|it) lies?\b', 'word order', 'difference', 0),
    (r'\bhands? on what\b', 'a picture', 'forwards', 0),
    (r'\bby a slip\b', 'a picture', 'by mistake', 0),
    (r'\bStromquelle', 'elektrisch', 'Volumenstromquelle', 0),
    (r'\b[Ss]omebody\b', 'who is it?', 'the user, the caller, the importer', 0),
    (r'\bnobody\b', 'who is it?', 'no element, no caller', 0),
    (r'\bknows? (?:nothing|no|neither|which|how|why|whether|where|that|all|only)\b', 'a program knows nothing', 'has, depends on, supports', 0),
    (r'\b(?:was|were|be|been|as|not|once) told\b|\btold (?:apart|of|by|otherwise)\b', 'a program does not talk to its parts', 'reported, set, distinguished', 0),
    (r'\btells? (?:the|an|it|its|what|which|how|whether|where|why|nothing|no|them|apart)\b', 'a picture', 'reports, returns, shows', 1),
    (r'\basked (?:for|about|again)\b', 'a picture', 'requested', 7),
    (r'\bthe wish(?:es)?\b|\bwish(?:es|ed) (?:for|to|by|time)\b', 'a picture', 'preferred, requested', 0),
    (r'\b[Ww]ho (?:asks|asked|wants|owns|sends|sent|takes|gets|reads|moves|does|dies|goes|continues|begins|holds|shows|had|needs)\b',
     'a pronoun without a noun', 'the caller, the user, the owner', 0),
    (r'\bas (?:it|they) (?:is|are|was|were) (?:shown|painted|written|typed|stated|found|seen|set|asked|now|last|left|edited|read|stored|recorded)\b',
     'not the usual order', 'the displayed, present, last …', 0),
    (r'\bhand(?:s|ed) (?:on|over)\b', 'a picture', 'passes, forwards', 0),
    (r'\bshut in\b', 'not the word of the field', 'trapped, closed', 0),
    (r'\blives? (?:as long|until|longer)\b', 'a picture', 'valid as long as', 0),
    (r'\bspeaks? of\b', 'a picture', 'names, refers to', 1),
    (r'\bheld by nothing\b', 'word order', 'not held', 0),
    (r'\berrands?\b|\bretired\b', 'GLib has a word', 'task, worker shutdown', 0),
    (r'\bupon\b', 'old', 'on, over', 0),
    (r'\bleaves as it is\b|\bdrove %s\b', 'word order', 'does not change; driven for', 0),
    (r'\b[Ss]ichern\b|\b[Gg]esichert', 'nicht das Wort der Oberfläche', 'speichern', 0),
    (r'/\* (?:What|How|Who|Whom|Whose|Why|Of|Those|what|how|who|whose|why)\b', 'a comment that begins with a question or in the middle',
     'Returns …, Sets …, or the noun', 0),
    (r'/\* (?:Whether|Which|whether)\b', 'a comment that begins with a question', 'Returns whether …, or the noun', 2),
    (r'\bSchlitz', 'nicht das Wort der Getriebelehre', 'Kulisse', 0),
]


class Phrase:
    """A phrase of the stop list. A leading \\b is looked at behind the match: without it `re` finds what a pattern begins with
    by its quick search, with it at every place of the text."""

    def __init__(self, phrase):
        self.pattern = phrase.replace(' ', r'\s+')
        self.is_word = re.match(r'\\b[\w ]', self.pattern) is not None and '|' not in re.sub(r'\([^()]*\)', '', self.pattern)
        self.quick = re.compile(self.pattern[2:] if self.is_word else self.pattern)

    def finditer(self, text):
        for match in self.quick.finditer(text):
            at = match.start()
            if not self.is_word or at == 0 or not (text[at - 1].isalnum() or text[at - 1] == '_'):
                yield match


def patterns():
    return [(Phrase(phrase), why, plain, most) for phrase, why, plain, most in STOP]


def texts():
    """What people read: README, docs, lessons, names and descriptions of the examples, manual page, metainfo."""
    found = {}
    for pattern in ('README.md', 'data/docs/**/*.md', 'data/examples/*', 'data/lessons/*', 'data/*.in', 'data/python/**/*.md'):
        for path in sorted(TOP.glob(pattern)):
            name = path.relative_to(TOP).as_posix()
            if path.is_file() and name not in PRINTED:
                found[name] = path.read_text(encoding='utf-8')
    return found


# Comments, and strings with those that follow at once.
PROSE = re.compile(r'/\*.*?\*/|(?:"(?:\\.|[^"\\\n])*"\s*)+', re.S)


def source():
    """One text: comments and strings of the code, templates, the catalogue."""
    parts = []
    for folder, endings in (('core', ('.c', '.h')), ('ui', ('.c', '.h')), ('app', ('.c', '.h')), ('resources', ('.ui',)), ('data/po', ('.po',))):
        for path in sorted((TOP / folder).rglob('*')):
            if path.suffix in endings:
                text = path.read_text(encoding='utf-8')
                parts += PROSE.findall(text) if path.suffix in ('.c', '.h') else [text]
    return re.sub(r'"\n\s*"|\n\s*\*? ?', ' ', '\n'.join(parts))


def rule_texts(found):
    for name, text in found.items():
        wrong = [f'{name}:{text.count(chr(10), 0, match.start()) + 1}: “{" ".join(match.group(0).split())}” ({why}): {plain}'
                 for pattern, why, plain, _ in patterns() for match in pattern.finditer(text)]
        if len(wrong) > LATER.get(name, 0):
            yield from wrong


def test_texts():
    """texts and docs are free of the words of the stop list"""
    broken = {'a.md': 'A line that gives\nway. Asked is its eigenvalue. It is no number.'}
    blind = [] if len(list(rule_texts(broken))) == 3 else ['the rule is blind']
    return blind + list(rule_texts(texts()))


def rule_source(text, none=False):
    for pattern, why, plain, most in patterns():
        most = 0 if none else most
        count = sum(1 for _ in pattern.finditer(text))
        if count > most:
            yield f'{pattern.pattern}: {count} times in the source, at most {most} ({why}): {plain}'
        elif count < most:
            print(f'# {pattern.pattern}: {count} times in the source, lower {most} to that')


def test_source():
    """no word of the stop list becomes more frequent in the source"""
    blind = [] if len(list(rule_source('who is told; a line gives way; whoever; in peace', True))) == 4 else ['the rule is blind']
    return blind + list(rule_source(source()))


# A message whose numbers have decimals printed by the C library, which knows no decimal sign of a window.
PRINTS_POINT = re.compile(r'\b(?:_|N_|ngettext|C_)\s*\(\s*(?:"(?:\\.|[^"\\\n])*"\s*)*"(?:\\.|[^"\\\n])*%[-+ 0-9]*(?!\.0)(?:\.[1-9*])?[0-9]*[efg](?![A-Za-z])')
# Functions that replace the points of what they print.
LOCALIZE = ('hl_number_localize', 'append_part', 'g_date_time_format')


def rule_decimals(files):
    """files: {name: text}. A function that prints decimals into a message hands them to hl_number_localize (), or prints
    hl_shown () as text."""
    for name, text in files.items():
        for block in re.split(r'(?m)^}', text):
            found = PRINTS_POINT.search(block)
            if found and not any(word in block for word in LOCALIZE):
                yield f'{name}: a decimal point in a German window: {found.group(0)[-60:]}'


def test_decimals():
    """numbers in messages have the decimal sign of the window"""
    blind = [] if len(list(rule_decimals({'a.c': 'char *f (void) {\n  return g_strdup_printf (_ ("at %g s"), t);\n}\n'}))) == 1 else ['the rule is blind']
    files = {path.relative_to(TOP).as_posix(): path.read_text(encoding='utf-8')
             for folder in ('core', 'ui', 'app') for path in sorted((TOP / folder).rglob('*.c'))}
    return blind + list(rule_decimals(files))


def names_of_code():
    paths = [path for folder in ('core', 'ui', 'app') for path in (TOP / folder).rglob('*.[ch]')]
    words = set()
    for path in paths:
        words.update(re.findall(r'[A-Za-z_][\w-]*', path.read_text(encoding='utf-8')))
    return {path.name for path in paths}, words


def rule_glossary(page, files, words):
    rows = [line for line in page.split('\n') if line.startswith('| ') and not line.startswith(('| ---', '| term |'))]
    if not 100 < len(rows) <= MOST_ROWS:
        yield f'{len(rows)} rows'
    seen = set()
    for row in rows:
        cells = [cell.strip() for cell in row.strip().strip('|').split('|')]
        if len(cells) != 6 or not (cells[0] and cells[1] and cells[2] and cells[5]):
            yield f'term, meaning, German, symbol, unit, code: {row}'
            continue
        if cells[0] in seen:
            yield f'{cells[0]} twice'
        seen.add(cells[0])
        for name in re.findall(r'`([^`]+)`', cells[5]):
            known = name in files if name.endswith(('.c', '.h')) else all(part in words for part in name.split('.'))
            if not known:
                yield f'{cells[0]}: there is no {name} in the code'


def test_glossary():
    """every term has a meaning, a German word and a name that the code has"""
    files, words = names_of_code()
    page = (TOP / GLOSSARY).read_text(encoding='utf-8')
    blind = [f'does not see {line}' for line in ('| a | b | c | | | `hl-gone.c` |', '| a | b | | | | `pressure` |')
             if len(list(rule_glossary(page + line, files, words))) <= len(list(rule_glossary(page, files, words)))]
    return blind + list(rule_glossary(page, files, words))


def rule_paths(page):
    """Paths in backticks that lead nowhere; NAME, * and braces stand for more than one."""
    for path in re.findall(r'`((?:core|ui|app|tests|data|resources)/[\w./-]*)`', page):
        built = path.startswith('data/hydrolink.1') or 'NAME' in path
        if not built and not (TOP / path).exists():
            yield f'there is no {path}'
    for path, function in re.findall(r'`([\w/.-]+\.c)` \| `(\w+)`', page):
        if (TOP / path).is_file() and not re.search(rf'\b{function} \(', (TOP / path).read_text(encoding='utf-8')):
            yield f'{path} has no {function} ()'


def test_paths():
    """files and functions that README and the pages for newcomers name exist"""
    blind = [] if len(list(rule_paths('`core/gone.c` and | `core/edit/hl-edit.c` | `gone` |'))) == 2 else ['the rule is blind']
    pages = ('README.md', 'data/docs/architecture.md', 'data/docs/contributing.md', 'data/docs/help.md')
    return blind + [f'{name}: {line}' for name in pages for line in rule_paths((TOP / name).read_text(encoding='utf-8'))]


def main():
    failed = 0
    tests = (test_texts, test_source, test_decimals, test_glossary, test_paths)
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
