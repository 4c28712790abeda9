# SPDX-License-Identifier: MIT
"""FMUs as the tests handle them: exported by the program, compiled from their own build description, driven by the
importer that is the first argument of the test."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from description import Description

PROGRAM = os.environ['HL_PROGRAM']
EXAMPLES = Path(os.environ['HL_EXAMPLES_DIR'])
CIRCUITS = Path(os.environ['HL_GOLDEN_DIR']) / 'components'
SUPPLIES = Path(__file__).resolve().parent
IMPORTER = sys.argv[1]
WORK = Path(tempfile.mkdtemp(prefix='hl-fmu-'))
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
NATIVE = os.uname().machine + '-linux'
# The first one makes what runs. Compilers are what the tests of FMUs spend their time with: clang without optimization needs
# 0.7 s for a machine, gcc 2.5 s, and either of them 4 to 7 s with it. What a compiler sees or does by optimizing is
# shown by the binary that the program itself makes, once.
COMPILERS = ('clang', 'gcc')


def run(*words, status=0, timeout=300, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, check=False, timeout=timeout, **more)
    error = done.stderr.decode(errors='replace')
    if done.returncode != status:
        raise AssertionError(f'{" ".join(map(str, words))}: exit {done.returncode}, not {status}\n{error[-2000:]}')
    return done.stdout.decode(), error


def hydrolink(*words, status=0):
    return run(PROGRAM, *words, status=status)


def xmllint(schema, text):
    folder = 'schema2' if schema.startswith('fmi2') else 'schema'
    run('xmllint', '--nonet', '--noout', '--schema', SUPPLIES / folder / schema, '-', input=text)


def equal(one, other, what=''):
    if one != other:
        raise AssertionError(f'{what}: {one!r} is not {other!r}')


def model_of(name):
    """The file of an example, or of a circuit that others have solved: one that has an example's name is circuit_NAME."""
    path = EXAMPLES / f'{name}.hydrolink'
    return path if path.exists() else CIRCUITS / f'{name.removeprefix("circuit_")}.hydrolink'


def export(name, oil=None, fmi=3):
    """An archive of sources, made once."""
    archive = WORK / (f'{name}.fmu' if fmi == 3 else f'{name}-fmi{fmi}.fmu')
    if not archive.exists():
        hydrolink('export-fmu', model_of(name), *(['--model', oil] if oil else []), '--fmi', fmi, '--sources-only', '--out', archive)
    return archive


def with_binary(name):
    """An archive with what the program compiles, optimized; the compiler may warn of nothing."""
    archive = WORK / f'{name}-binary.fmu'
    if not archive.exists():
        found = next(filter(None, map(shutil.which, ('cc', 'gcc', 'clang'))))
        strict = WORK / 'strict' / 'cc'
        strict.parent.mkdir(exist_ok=True)
        strict.write_text(f'#!/bin/sh\nexec "{found}" -Wall -Werror "$@"\n', encoding='utf-8')
        strict.chmod(0o755)
        path = f'{strict.parent}:{os.environ["PATH"]}'
        error = run(PROGRAM, 'export-fmu', model_of(name), '--platforms', NATIVE, '--out', archive, env={**os.environ, 'PATH': path})[1]
        equal(error, '', 'what is said of a binary')
    return archive


class Unit:
    """One FMU, unpacked; compiled when it is first driven."""
    made = {}
    optimized = ()  # of these the binary that the program makes is driven

    def __init__(self, name, archive=None):
        self.folder = WORK / name
        self.folder.mkdir(exist_ok=True)
        self.sources = self.folder / 'sources'
        if archive is not None:
            with zipfile.ZipFile(archive) as archived:
                archived.extractall(self.folder)
        else:
            self.sources.mkdir()
            shutil.copy(SUPPLIES / 'pi-controller.c', self.sources / 'all.c')
            shutil.copy(SUPPLIES / 'pi-controller.xml', self.folder / 'modelDescription.xml')
        self.text = (self.folder / 'modelDescription.xml').read_bytes()
        self.description = Description(self.text)
        self.table = self.folder / 'table'
        self.table.write_text(self.description.table(), encoding='utf-8')
        inside = self.folder / 'binaries' / ('linux64' if self.description.is_2 else 'x86_64-linux') / f'{self.description.identifier}.so'
        self.binary = inside if inside.exists() and os.uname().machine == 'x86_64' else self.folder / 'model.so'

    @classmethod
    def get(cls, name):
        if name not in cls.made:
            cls.made[name] = cls(name, None if name == 'pi' else with_binary(name) if name in cls.optimized else export(name))
        return cls.made[name]

    def names(self):
        build = self.sources / 'buildDescription.xml'
        if not build.exists():
            return ['all.c']
        root = ElementTree.parse(build).getroot()
        equal(root[0].get('modelIdentifier'), self.description.identifier)
        return [e.get('name') for e in root.iter('SourceFile')]

    def build(self, compiler, library):
        """With no warning; library None: only looked at."""
        words = [compiler, '-std=c99', '-O0', '-Wall', '-Werror', '-ffp-contract=off', '-fPIC',
                 f'-DFMI{2 if self.description.is_2 else 3}_OVERRIDE_FUNCTION_PREFIX', '-I', SUPPLIES / 'headers']
        if library is None:
            run(*words, '-fsyntax-only', *self.names(), cwd=self.sources)
            return
        # the same sources were compiled by an earlier run of the tests, perhaps
        cached = [shutil.which('ccache')] if shutil.which('ccache') else []
        for name in self.names():
            run(*cached, *words, '-c', name, '-o', name + '.o', cwd=self.sources)
        run(compiler, '-shared', '-o', library, *[name + '.o' for name in self.names()], '-lm', cwd=self.sources)

    def importer(self, *words, **more):
        if not self.binary.exists():
            self.build(COMPILERS[0], self.binary)
        return run(IMPORTER, self.binary, self.table, *words, **more)

    def rows(self, *words):
        """Of a run; which asks for no memory, and its initialization for none unless a number was set."""
        text, told = self.importer(*words)
        is_set = any(word.startswith('vr') for word in words)
        equal(set(re.findall(r'asked (\d+)' if is_set else r'(?:asked|prepared) (\d+)', told)), {'0'},
              f'{self.folder.name}, {words[0]}: how often it asks for memory')
        return [[float(x) for x in row] for row in csv.reader(io.StringIO(text))]


def asks_for_nothing(unit, stop):
    """Once it is made: not for numbers that are set, for what is read, at events, for states, for another start."""
    text = unit.importer('asks', f'stop={stop}', f'every={stop / 3}')[0]
    equal(set(re.findall(r' (-?\d+)', text)), {'0'}, f'{unit.folder.name}: how often it asks for memory when\n{text}')


def goes_on(unit, stop, *more):
    """A state saved, and restored in another process, goes on with the same bits; and so does a run beside another."""
    state = unit.folder / 'state'
    words = [f'stop={stop}', f'every={stop / 20}', 'jitter=1', 'seed=3', *more]
    whole = unit.rows('cs', *words)
    saved = unit.rows('cs', f'file={state}', f'at={stop / 2}', *words)
    equal(saved, whole, 'a run that was saved on the way')
    equal(unit.rows('twins', *words), whole, 'a run beside another')
    # the same lengths of steps from there on: one a row
    words[2] = 'jitter=0'
    whole = unit.rows('cs', f'file={state}', f'at={stop / 2}', *words)
    rest = unit.rows('continue', f'file={state}', *words)
    equal(rest, whole[-len(rest):], 'a run that goes on in another process')


def simulate(name, *words):
    """Rows of the program's own run, without the header; columns without a number are left out."""
    text, _ = hydrolink('simulate', model_of(name), *words)
    return [[float(x) if x else float('nan') for x in row] for row in list(csv.reader(io.StringIO(text)))[1:]]


# A column that is smaller all the time is nothing but rounding: the tilt of a platform between two equal scissors.
NOTHING = 1e-12


def deviation(ours, theirs):
    """Largest difference of a column over its peak."""
    equal(len(ours), len(theirs), 'rows')
    worst = 0.0
    for column in range(1, len(ours[0])):
        peak = max(abs(row[column]) for row in theirs)
        if peak > NOTHING:
            gap = max(abs(a[column] - b[column]) for a, b in zip(ours, theirs))
            worst = max(worst, gap / peak) if gap == gap else float('inf')
    return worst


def keeps_the_rules(name, archive):
    """Schemas, the rules behind them, terminals, and the probes as outputs."""
    with zipfile.ZipFile(archive) as files:
        text = files.read('modelDescription.xml')
        xmllint('fmi3ModelDescription.xsd', text)
        xmllint('fmi3BuildDescription.xsd', files.read('sources/buildDescription.xml'))
        description = Description(text)
        terminals = 'terminalsAndIcons/terminalsAndIcons.xml'
        if terminals in files.namelist():
            xmllint('fmi3TerminalsAndIcons.xsd', files.read(terminals))
            known = {v.name for v in description.variables}
            for member in ElementTree.fromstring(files.read(terminals)).iter('TerminalMemberVariable'):
                if member.get('variableName') not in known:
                    raise AssertionError(f'{name}: terminal of {member.get("variableName")}')
    faults = list(description.faults())
    if faults:
        raise AssertionError(f'{name}: ' + '; '.join(faults[:5]))
    probes = [p['id'] for p in json.loads(model_of(name).read_text(encoding='utf-8')).get('probes', [])]
    equal([v.name.strip("'") for v in description.of('output')], probes, name)


# The tolerance of CVODE with which Model Exchange is within 1e-6 of the peak: 1e-9, but for
LOOSEST = {
    'stick-slip': '1e-10',               # 1.7e-6 at 1e-9: friction that sticks and slips many times
    'driven-base': '1e-10',              # 1.9e-6: a pocket of vapour that collapses
    'slack-bridge': '1e-10',             # 1.2e-6: eighteen rods that fall between two points
    'counterbalance-unstable': '1e-10',  # 2.3e-6: the valve and its load swing ever more, and so does every error
    'pulled-line': '1e-11',              # 5.8e-6: a pocket, see below
    # 2.7e-5: an importer keeps 1e-9 of the pressure, hence of the volume of a pocket, and when that collapses within
    # milliseconds its time is that of the pressure's peak. The error falls with the tolerance.
    'vapour-pocket': '1e-11',
    'cushioned-stop': '1e-12',           # 1.0e-4, likewise; the program's own BDF at 1e-9 is off by 2e-5
}

# The valve shuts at 0.05 s; what follows is one wave again and again, and costs 15 s of processor time a second.
SHORTER = {'water-hammer': 0.12}


# Whose one lever is at rest in the file: it would stand still.
DRIVEN = {'articulated-vehicle-tyre-throttle': ('dcv.command', 0.3)}


def own_run(name, longest, *how):
    """Rows of the program, and the words with which the importer drives the same run."""
    t_end = json.loads(model_of(name).read_text(encoding='utf-8'))['simulation'].get('t_end', 1)
    stop = min(t_end, longest, SHORTER.get(name, t_end))
    words, more = [f'stop={stop}', f'every={stop / 100}'], []
    if name in DRIVEN:
        path, value = DRIVEN[name]
        reference = next(v.reference for v in Unit.get(name).description.of('input') if v.name == path)
        words.append(f'vr{reference}={value}')
        more = ['--set', f'{path}={value}']
    return simulate(name, '--t-end', stop, '--every', stop / 100, *how, *more), words


def compare(name, longest):
    """Model Exchange and Co-Simulation against a run of the program that is ten times closer than what is asked."""
    own, words = own_run(name, longest, '--rtol', '1e-11', '--integrator', 'radau', '--formulation', 'reduced')
    me = deviation(Unit.get(name).rows('me', f'tolerance={LOOSEST.get(name, "1e-9")}', *words), own)
    cs = deviation(Unit.get(name).rows('cs', *words), own)
    print(f'# {name}: model exchange {me:.2e}, co-simulation {cs:.2e} of the peak', flush=True)
    if not me < 1e-6 or not cs < 1e-5:
        raise AssertionError(f'{name}: model exchange {me:.2e}, co-simulation {cs:.2e} of the peak')


def each(function, names, n_jobs=2):
    """The function for every name, so many at a time; all that failed are told."""
    def tried(name):
        try:
            function(name)
        except Exception as error:  # pylint: disable=broad-except
            return f'{name}: {error}'
        return None
    with ThreadPoolExecutor(n_jobs) as pool:
        wrong = [why for why in pool.map(tried, names) if why]
    if wrong:
        raise AssertionError('\n'.join(wrong))


def is_lumped(path):
    return json.loads(path.read_text(encoding='utf-8')).get('simulation', {}).get('model', 'lumped') == 'lumped'
