#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module over libhydrolink: golden eigenvalues, runs as those of the command line to the last bit,
errors as exceptions, memory over many rounds; and the C program of its page. TAP.

Argument: the library. Environment: HL_PROGRAM, HL_EXAMPLES_DIR, HL_GOLDEN_DIR. Needs NumPy (Debian's python3-numpy).
"""

import copy
import csv
import ctypes
import gc
import importlib.util
import io
import json
import os
import pickle
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import types
from pathlib import Path

try:
    import numpy
except ImportError:  # another Python of this machine may have it
    others = [name for name in ('/usr/bin/python3',) if os.path.exists(name) and 'HL_OTHER_PYTHON' not in os.environ]
    if others and subprocess.run([others[0], '-c', 'import numpy'], capture_output=True).returncode == 0:
        os.execve(others[0], [others[0], *sys.argv], {**os.environ, 'HL_OTHER_PYTHON': '1'})
    print('1..0 # SKIP NumPy is not there (Debian: python3-numpy)')
    sys.exit(0)

os.environ['HYDROLINK_LIBRARY'] = sys.argv[1]
os.environ['HYDROLINK_PROGRAM'] = os.environ['HL_PROGRAM']
PYTHON = Path(__file__).resolve().parent.parent / 'data' / 'python'
sys.path.insert(0, str(PYTHON))
sys.dont_write_bytecode = True
import hydrolink  # noqa: E402

PROGRAM, EXAMPLES = os.environ['HL_PROGRAM'], Path(os.environ['HL_EXAMPLES_DIR'])
GOLDEN = json.loads((Path(os.environ['HL_GOLDEN_DIR']) / 'linearization.json').read_text())
FOUR_BAR = EXAMPLES / 'four-bar.hydrolink'
ROUNDS = 4000


def golden_eigenvalues():
    """Seed 000's, at three frictions; A has the same ones by NumPy."""
    m = hydrolink.open(FOUR_BAR)
    for case in GOLDEN['cases']:
        m['cyl.friction.scale'] = case['friction_scale']
        linear = m.linearize()
        A, B, C, D = linear
        want = numpy.array([complex(v['re'], v['im']) for v in case['eigenvalues']['nonzero']])
        got = linear.eigenvalues[~linear.is_null]
        assert (abs(got - want) <= 1e-11 * abs(want)).all(), (got, want)
        assert linear.is_null.sum() == case['eigenvalues']['null']['algebraic']
        for value in want:
            assert min(abs(numpy.linalg.eigvals(A) - value)) <= 1e-9 * abs(value), value
        assert A.shape == (6, 6) and B.shape == (6, len(linear.inputs)) and C.shape == (len(linear.outputs), 6)
        assert D.shape == (len(linear.outputs), len(linear.inputs))


def linear_models_of_the_program():
    """The same matrices as `linearize` prints, of every example that has a linear model."""
    n = n_disturbed = 0
    for path in sorted(EXAMPLES.glob('*.hydrolink')):
        done = subprocess.run([PROGRAM, 'linearize', path, '--json'], capture_output=True, text=True, timeout=120)
        try:
            linear = hydrolink.open(path).linearize()
        except hydrolink.Error as error:
            assert done.returncode != 0 and str(error), (path.name, error, done.stderr)
            continue
        assert done.returncode == 0, (path.name, done.stderr)
        answer = json.loads(done.stdout)
        assert list(linear.states) == answer['states']
        assert (linear.A == numpy.array(answer['J'])).all(), path.name
        same_inputs(path, linear, answer)
        n_disturbed += bool(linear.disturbances)
        n += 1
    assert n >= 20 and n_disturbed >= 5, (n, n_disturbed)


def same_inputs(path, linear, answer):
    """Inputs are signals, and disturbances what else acts from outside: as many, of the same names and numbers, on the
    page, in JSON, in the files of --out and here."""
    assert list(linear.inputs) == answer['inputs'] and list(linear.disturbances) == answer['disturbances'], path.name
    n, p, m, d = (len(names) for names in (linear.states, linear.outputs, linear.inputs, linear.disturbances))
    for letter, shape in (('B', (n, m)), ('D', (p, m)), ('E', (n, d)), ('F', (p, d))):
        assert getattr(linear, letter).shape == shape, (path.name, letter)
    for letter, columns in (('B', m), ('E', d)):
        assert (getattr(linear, letter) == numpy.array(answer[letter]).reshape(n, columns)).all(), (path.name, letter)
    assert len(linear.disturbance_units) == len(linear.disturbance_point) == d
    page = subprocess.run([PROGRAM, 'linearize', path], capture_output=True, text=True, check=True).stdout.splitlines()
    assert ('B: ' + ', '.join(linear.inputs) in page) == (m > 0), path.name
    assert ('E, of disturbances: ' + ', '.join(linear.disturbances) in page) == (d > 0), path.name
    with tempfile.TemporaryDirectory() as folder:
        files = {kind: Path(folder) / f'model.{kind}' for kind in ('json', 'csv', 'mat', 'm', 'py')}
        for file in files.values():
            subprocess.run([PROGRAM, 'linearize', path, '--out', file], check=True)
        sheet = json.loads(files['json'].read_text())
        heading, _, *rows = csv.reader(io.StringIO(files['csv'].read_text()))
        script, octave = files['py'].read_text(), files['m'].read_text()
        assert files['mat'].stat().st_size > 0
    for key in ('inputs', 'disturbances'):
        assert [entry['name'] for entry in sheet[key]] == list(getattr(linear, key)), (path.name, key)
    for letter in 'BDEF':
        want = numpy.array([[numpy.nan if x is None else x for x in row] for row in sheet[letter]], dtype=float)
        assert numpy.array_equal(getattr(linear, letter), want.reshape(getattr(linear, letter).shape), equal_nan=True), (path.name, letter)
    assert [cell.rpartition(' [')[0] for cell in heading[1 + n:]] == list(linear.inputs + linear.disturbances), path.name
    got = numpy.array([[float(cell or 'nan') for cell in row[1 + n:]] for row in rows], dtype=float).reshape(n + p, m + d)
    both = numpy.block([[linear.B, linear.E], [linear.D, linear.F]])
    assert numpy.array_equal(got, both, equal_nan=True), path.name
    quoted = ', '.join('"' + name.replace('.', '_') + '"' for name in linear.disturbances)
    assert f'disturbance_names = [{quoted}]' in script, path.name
    quoted = ', '.join("'" + name.replace("'", "''") + "'" for name in linear.disturbances)
    assert f'disturbance_names = {{{quoted}}};' in octave, path.name


def runs_to_the_bit():
    for name, options in (('four-bar', {'t_end': 4}), ('four-bar', {'t_end': 0.5, 'every': 1e-3, 'integrator': 'radau'}),
                          ('hybrid-two-cylinders', {'t_end': 1}), ('two-arms-1', {'t_end': 1}),
                          ('water-hammer', {'rtol': 1e-7})):
        path = EXAMPLES / f'{name}.hydrolink'
        line = [text for key, value in options.items() for text in ('--' + key.replace('_', '-'), str(value))]
        out = subprocess.run([PROGRAM, 'simulate', path, *line], capture_output=True, text=True, check=True).stdout
        heading, *rows = csv.reader(io.StringIO(out))
        run = hydrolink.open(path).simulate(**options)
        assert run.error is None
        assert [f'{name} [{run.units[name]}]' for name in run.columns] == heading, (run.units, heading)
        for k, column in enumerate(run.columns):
            want = numpy.array([float(row[k]) if row[k] else numpy.nan for row in rows])
            assert numpy.array_equal(run[column], want, equal_nan=True), (name, column)


def columns_outlive_their_run():
    run = hydrolink.open(FOUR_BAR).simulate(t_end=0.1)
    column = run['phi2']
    kept = column.copy()
    del run
    gc.collect()
    hydrolink.open(FOUR_BAR).simulate(t_end=0.1)
    assert (column == kept).all() and not column.flags.writeable


def names_of_files_in_any_encoding():
    folder = os.fsencode(tempfile.mkdtemp())
    missing, there = folder + b'/\xe4\xff.hydrolink', folder + b'/\xff.hydrolink'
    try:
        for name in (missing, os.fsdecode(missing)):
            try:
                hydrolink.open(name)
            except hydrolink.Error as error:
                assert 'hydrolink' in str(error), error
            else:
                raise AssertionError(name)
        shutil.copyfile(FOUR_BAR, there)
        m = hydrolink.open(os.fsdecode(there))
        m.save(folder + b'/\xfe.hydrolink')
        try:
            m.save(folder + b'/\xfe/\xfd')
        except hydrolink.Error as error:
            assert '\\xfd' in str(error), error
        else:
            raise AssertionError('no error')
    finally:
        shutil.rmtree(folder)


def errors_are_exceptions():
    m = hydrolink.open(FOUR_BAR)
    for work, part in ((lambda: m['cyl.friction.F'], 'cyl.friction.F'), (lambda: m.__setitem__('link2.mass', -1), 'link2'),
                       (lambda: m.__setitem__('link2.mass', '3 bar'), 'link2.mass'), (lambda: m.apply('none'), 'none'),
                       (lambda: m.linearize(at='lunch'), 'lunch'), (lambda: m.simulate(t_end=-1), 't_end'),
                       (lambda: m.simulate(rtol=1e-300), 'rtol'), (lambda: m.state(at=float('inf')), 'inf'),
                       (lambda: m.simulate(oil='olive'), 'olive'), (lambda: m.unit('no.path'), 'no'),
                       (lambda: hydrolink.open('/no/such'), '/no/such'), (lambda: hydrolink.parse('{'), 'line 1'),
                       (lambda: m.state()['no.path'], 'no.path'), (lambda: hydrolink.open(EXAMPLES.parents[1] / 'tests/golden/cushion-without-line.hydrolink').simulate(oil='hybrid'), 'no line')):
        try:
            work()
        except hydrolink.Error as error:
            assert part in str(error), (part, error)
        else:
            raise AssertionError(f'nothing was said of {part}')


def numbers_of_a_run_have_units():
    """What a run is given is read as a file has it, and what it cannot be is named."""
    m = hydrolink.open(FOUR_BAR)
    want = m.simulate(t_end=0.2, every=0.01)
    run = m.simulate(t_end='200 ms', every='1/100 s')
    assert (run['phi2'] == want['phi2']).all() and len(run) == 21
    assert len(m.simulate(t_end=0.2, every=0.1, formulation='baumgarte', beta='60 1/s', gamma=60)) == 3
    for work, kind, part in ((lambda: m.simulate(t_end='4 bar'), hydrolink.Error, 't_end'),
                             (lambda: m.simulate(every='soon'), hydrolink.Error, 'every'),
                             (lambda: m.simulate(t_end=[4]), TypeError, 't_end'), (lambda: m.simulate(rtol=None, every=3j), TypeError, 'every'),
                             (lambda: m.simulate(oil=3), TypeError, 'oil'), (lambda: m.simulate(t_end=float('nan')), hydrolink.Error, 't_end'),
                             (lambda: m.simulate(oil='hybrid', formulation='relaxed'), hydrolink.Error, 'relaxed'),
                             (lambda: m.simulate(max_steps=0), hydrolink.Error, 'max_steps')):
        try:
            work()
        except kind as error:
            assert part in str(error), (part, error)
        else:
            raise AssertionError(f'nothing was said of {part}')


def oil_of_a_run():
    """An oil that a run asks for is what the model is checked for: a reason of the lumped oil bars no other oil."""
    path = EXAMPLES.parents[1] / 'tests/golden/found/empty-at-stop.hydrolink'
    m = hydrolink.open(path)
    with tempfile.TemporaryDirectory() as folder:
        model = json.loads(path.read_text(encoding='utf-8'))
        model['simulation']['model'] = 'hybrid'
        hybrid = Path(folder) / 'hybrid.hydrolink'
        hybrid.write_text(json.dumps(model), encoding='utf-8')
        want = hydrolink.open(hybrid).simulate(t_end=0.1)
    run = m.simulate(oil='hybrid', t_end=0.1)
    assert len(run['x']) == 11 and (run['x'] == want['x']).all() and (run['p'] == want['p']).all()
    assert len(m.simulate(oil='quasistatic', t_end=0.1)['x']) == 11
    for work in (lambda: m.simulate(t_end=0.1), lambda: m.simulate(oil='lumped', t_end=0.1), lambda: m.state()):
        try:
            work()
        except hydrolink.Error as error:
            assert 'no oil volume' in str(error), error
        else:
            raise AssertionError('lumped oil ran')


class _Frame:
    """Stands for pandas.DataFrame where pandas is not installed: it takes a mapping, as that does."""

    def __init__(self, data):
        from collections.abc import Mapping
        assert isinstance(data, Mapping)
        self.data, self.attrs, self.index = dict(data), {}, None

    def set_index(self, name):
        self.index = name
        return self


def runs_are_mappings():
    """Of columns, for dict, DataFrame and notebooks; keys are completed."""
    m = hydrolink.open(FOUR_BAR)
    r = m.simulate(t_end='50 ms')
    assert dict(r).keys() == dict(r.items()).keys() == set(r.columns) and r.get('no') is None
    assert all((column == r[name]).all() for name, column in zip(r.columns, r.values()))
    assert r._ipython_key_completions_() == list(r.columns) and 'cyl.friction.Fc' in m._ipython_key_completions_()
    page = r._repr_html_()
    assert page.count('<tr>') == 1 + len(r) and 'phi2 [rad]' in page, page
    long_page = m.simulate(t_end=1)._repr_html_()
    assert long_page.count('<tr>') == 1 + 21 and '…' in long_page
    assert m.name in m._repr_html_() and 'No problems' in m._repr_html_()
    try:
        import pandas
    except ImportError:
        pandas = types.ModuleType('pandas')
        pandas.DataFrame = _Frame
        sys.modules['pandas'] = pandas
    frame = r.to_pandas()
    assert frame.attrs['units']['phi2'] == 'rad'
    if pandas.DataFrame is _Frame:
        assert frame.index == 't' and (frame.data['phi2'] == r['phi2']).all()
        assert (pandas.DataFrame(r).data['p1'] == r['p1']).all()
        del sys.modules['pandas']
    else:
        assert (frame['phi2'].to_numpy() == r['phi2']).all() and (frame.index.to_numpy() == r['t']).all()
        assert (pandas.DataFrame(r)['p1'].to_numpy() == r['p1']).all()


def arrays_are_saved():
    """To .npz, bit by bit; another ending is refused."""
    r = hydrolink.open(FOUR_BAR).simulate(t_end=0.2)
    with tempfile.TemporaryDirectory() as folder:
        r.save(Path(folder) / 'run.npz')
        with numpy.load(Path(folder) / 'run.npz') as saved:
            assert all((saved[name] == r[name]).all() for name in r.columns)
            assert tuple(saved['names']) == r.columns and tuple(saved['units']) == tuple(r.units.values())
        for ending in ('h5', 'xlsx', 'feather'):
            try:
                r.save(Path(folder) / f'run.{ending}')
            except hydrolink.Error as error:
                assert f'.{ending}' in str(error) and '.npz' in str(error), error
            else:
                raise AssertionError(f'{ending} was saved')


def module_is_typed():
    """Every public function states its types."""
    import inspect
    assert (PYTHON / 'hydrolink' / 'py.typed').exists()
    for what in (hydrolink.Model, hydrolink.Run, hydrolink.Table):
        for name, function in inspect.getmembers(what, inspect.isfunction):
            if not name.startswith('_') and name not in ('get',):
                assert 'return' in function.__annotations__, f'{what.__name__}.{name}'
    assert 'return' in hydrolink.open.__annotations__ and 'return' in hydrolink.parse.__annotations__


def results_are_saved():
    """As the program writes them, to the byte."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        m = hydrolink.open(FOUR_BAR)
        m.simulate(t_end=0.2).save(folder / 'run.csv')
        m.linearize().save(folder / 'linear.m')
        subprocess.run([PROGRAM, 'simulate', FOUR_BAR, '--t-end', '0.2', '--out', folder / 'want.csv'], check=True)
        subprocess.run([PROGRAM, 'linearize', FOUR_BAR, '--out', folder / 'want.m'], check=True)
        assert (folder / 'run.csv').read_bytes() == (folder / 'want.csv').read_bytes()
        assert (folder / 'linear.m').read_bytes() == (folder / 'want.m').read_bytes()
        try:
            m.linearize().save(folder / 'linear.doc')
        except hydrolink.Error as error:
            assert '.json' in str(error), error
        else:
            raise AssertionError('it was saved')


LISTS = {'bodies': 'add_body', 'lines': 'add_line', 'probes': 'add_probe', 'sliders': 'add_slider', 'plots': 'add_plot', 'parameter_sets': 'add_set'}


def rebuilt(given):
    """A model built in code, by what a program would call for the text of a file."""
    m = hydrolink.Model.new()
    for key, value in given.items():
        if key in ('format', 'version'):
            continue
        if key in ('joints', 'loads', 'components'):
            for element in value:
                rest = {name: item for name, item in element.items() if name not in ('id', 'kind')}
                assert m.add(element['kind'], element['id'], **rest) == element['id']
        elif key in LISTS:
            for element in value:
                getattr(m, LISTS[key])(**{name + '_' if name == 'from' else name: item for name, item in element.items()})
        elif key == 'parameters':
            for name, item in value.items():
                m.add_parameter(name, item)
        elif key in ('fluid', 'ground', 'equilibrium', 'simulation'):
            m.change(key, **value)
        if key not in json.loads(m.to_text()):
            m.change('model', **{key: value})
    return m


def models_built_in_code_equal_their_files():
    """Every example: the bytes that are saved, and for some the bits of a run."""
    n = 0
    for path in sorted(EXAMPLES.glob('*.hydrolink')):
        m, want = rebuilt(json.loads(path.read_text(encoding='utf-8'))), hydrolink.open(path)
        assert m.to_text() == want.to_text(), path.name
        assert m.check() == want.check(), path.name
        n += 1
        if path.stem in ('four-bar', 'hybrid-two-cylinders', 'position-servo', 'crane'):
            ours, theirs = m.simulate(t_end=0.2), want.simulate(t_end=0.2)
            assert all((ours[name] == theirs[name]).all() for name in theirs.columns), path.name
    assert n >= 25, n


def crane_in_code():
    """As one writes it by hand: units as text, formulas, NumPy, ports that are connected one by one, free ids."""
    m = hydrolink.Model.new('Crane')
    m.add_parameter('bore', '80 mm')
    m.add_point('ground', 'O', (0, 0))
    m.add_point('ground', 'C', numpy.array([0.4, -0.8]))
    m.add_body('boom', points={'O': (-1, 0), 'C': (0, 0), 'tip': (1, 0)}, mass='200 kg', inertia=70, pose=(1, 0, '0 deg'))
    m.add('revolute', a='ground.O', b='boom.O')
    m.add('cylinder', 'cyl', base='ground.C', rod='boom.C', piston_diameter='bore', rod_diameter='bore / 2', stroke='1.2 m', c1='400 mm', c2=0.1)
    m.add('pressure_source', 'pump', pressure='210 bar')
    m.add('tank', 'tank')
    m.add('directional-valve', 'dcv', Cv=2e-8, command={'kind': 'table', 't': [0, 0.1], 'y': [0, 0.2], 'between': 'line'})
    for a, b in (('pump.P', 'dcv.P'), ('tank.T', 'dcv.T')):
        m.connect(a, b)
    line = m.connect('dcv.A', 'cyl.A', volume='60 cm3', pressure='60 bar')
    assert m.connect('dcv.B', 'cyl.B', pressure='40 bar') != line
    m.add_probe('angle', 'boom.angle')
    m.add_probe('p', f'{line}.pressure')
    assert abs(m[f'{line}.volume'] - 60e-6) < 1e-18 and m['cyl.piston_diameter'] == 0.08 and m['cyl.rod_diameter'] == 0.04
    m['bore'] = '100 mm'
    assert m['cyl.piston_diameter'] == 0.1 and '"bore / 2"' in m.to_text()
    run = m.simulate(t_end='0.3 s')
    assert run.error is None and numpy.ptp(run['p']) > 1e5
    m.rename(line, 'lift')
    m.disconnect('cyl.B')
    m.remove('tank')
    assert m['lift.pressure'] == 60e5 and json.loads(m.to_text())['probes'][1]['of'] == 'lift.pressure' and 'tank' not in m.to_text()
    assert 'lift.pressure' in m and m.copy().to_text() == m.to_text()


def what_cannot_be_built_is_refused():
    """With the element, the reason and what is near; the model stays as it was."""
    m = hydrolink.open(FOUR_BAR)
    was = m.to_text()
    for work, parts in ((lambda: m.add('cylindre', 'c2'), ('cylindre', 'cylinder')), (lambda: m.add_joint('revolut', a='ground.O1', b='link2.O1'), ('revolut', 'revolute')),
                        (lambda: m.add_body('b', mass=1, pose=(0, 0, 0)), ('b.inertia', 'missing')), (lambda: m.add_body('link2', mass=1, inertia=1, pose=(0, 0, 0)), ('link2',)),
                        (lambda: m.add_body('b', mass=-1, inertia=1, pose=(0, 0, 0)), ('b.mass', 'greater than 0')), (lambda: m.add_body('b', mass='1 bar', inertia=1, pose=(0, 0, 0)), ('b.mass',)),
                        (lambda: m.add_body('b', weight=3, mass=1, inertia=1, pose=(0, 0, 0)), ('weight', '‘mass’')),
                        (lambda: m.add('revolute', 'j', a='ground.O9', b='link2.O1'), ('j.a', 'O9')), (lambda: m.add('tank', 'ground'), ('ground',)),
                        (lambda: m.add('tank', '9'), ('9',)), (lambda: m.add_line('L', ['pump.P']), ('pump.P', 'Pline')), (lambda: m.add_line('L', ['pump.X']), ('pump', '‘X’')),
                        (lambda: m.add_probe('q', 'cyl.bore'), ('cyl.bore',)), (lambda: m.change('link2', mass=0), ('link2.mass',)), (lambda: m.change('cyl', bore=0.1), ('bore', 'piston_diameter')),
                        (lambda: m.change('cyl', friction={'model': 'viscous', 'sigma': 2}), ('friction.sigma', 'sigma2')), (lambda: m.change('fluid', densty=2), ('densty', 'density')),
                        (lambda: m.connect('pump.P', 'pump.Q'), ('pump', 'Q')), (lambda: m.remove('nobody'), ('nobody',)), (lambda: m.rename('cyl', 'pump'), ('pump',)),
                        (lambda: m.change('simulation', start='soon'), ('start',)), (lambda: m.disconnect('pump.Z'), ('pump', 'Z')), (lambda: m.add('tank', 't\0'), ('t',))):
        try:
            work()
        except (hydrolink.Error, ValueError) as error:
            assert all(part in str(error) for part in parts), (parts, str(error))
        else:
            raise AssertionError(f'nothing was said of {parts}')
        assert m.to_text() == was, parts
    for wrong, kind in ((float('nan'), ValueError), (object(), TypeError)):
        try:
            m.change('link2', mass=wrong)
        except kind:
            assert m.to_text() == was
        else:
            raise AssertionError(f'{wrong} was taken')


def commands_of_the_program():
    """Every analysis gives the numbers of the command line, of a model that was changed in memory, to the last bit."""
    m = hydrolink.open(FOUR_BAR)
    m['cyl.friction.scale'] = 0.1 + 0.2

    def said(*words):
        done = subprocess.run([PROGRAM, words[0], FOUR_BAR, *words[1:], '--set', 'cyl.friction.scale=0.30000000000000004', '--json'], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    locus = m.root_locus('cyl.friction.Fc', 1, 300, points=7, scale='log')
    want = said('root-locus', '--parameter', 'cyl.friction.Fc', '--from', '1', '--to', '300', '--points', '7', '--scale', 'log')
    assert locus['eigenvalues'].shape == (7, 6) and (locus['values'] == want['values']).all()
    assert (locus['eigenvalues'][:, 2] == numpy.array(want['branches'][2]['re']) + 1j * numpy.array(want['branches'][2]['im'])).all()
    # an eigenvalue of the linear model is one of the locus there
    m['cyl.friction.Fc'] = float(locus['values'][3])
    for value in m.linearize().eigenvalues:
        assert abs(locus['eigenvalues'][3] - value).min() <= 1e-9 * max(1, abs(value))
    m['cyl.friction.Fc'] = 210
    sensitivity = m.sensitivity('cyl.friction.Fc')['derivatives']['cyl.friction.Fc']
    assert numpy.array_equal(sensitivity.real, numpy.array(said('sensitivity', '--parameter', 'cyl.friction.Fc')['parameters'][0]['d_re'], dtype=float), equal_nan=True)
    response = m.frequency_response('dcv.command', 'phi2', [0.5, 2])
    want = said('frequency-response', '--input', 'dcv.command', '--output', 'phi2', '--frequencies', '0.5,2')
    assert (response['response'] == numpy.array(want['re']) + 1j * numpy.array(want['im'])).all()
    chart = m.stability_map({'cyl.friction.Fc': [10, 100, 200]}, {'link2.mass': [1, 2]})
    assert (chart['growth'] == said('stability-map', '--x', 'cyl.friction.Fc=10,100,200', '--y', 'link2.mass=1,2')['growth']).all()
    table = m.sweep({'link2.mass': numpy.array([1, 2.5])}, ['max:phi2', 'last:p1'], t_end=0.5)
    assert (table['max:phi2'] == [row[1] for row in said('sweep', '--parameter', 'link2.mass=1,2.5', '--measure', 'max:phi2', '--measure', 'last:p1', '--t-end', '0.5')['rows']]).all()
    assert table.units == {'link2.mass': 'kg', 'max:phi2': 'rad', 'last:p1': 'Pa'} and len(table) == 2 and '<table>' in table._repr_html_()
    assert max(m.simulate(t_end=0.5, every=None)['phi2']) <= table['max:phi2'].max()
    assert [oil['model'] for oil in m.compare_oils(t_end=0.1)['models']] == ['lumped', 'hybrid', 'quasistatic']
    assert m.modes()['rank'] == said('modes')['rank']
    assert any(finding['path'] == 'cyl.virtual_stiffness' for finding in m.findings())
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        study = m.study(folder / 'study', {'link2.mass': (1, 3)}, 'max:phi2', design='grid:3')
        assert (study['link2.mass'] == [1, 2, 3]).all() and len(study['max:phi2']) == 3
        assert (m.study(folder / 'study', {'link2.mass': (1, 3)}, 'max:phi2', design='grid:3')['max:phi2'] == study['max:phi2']).all()
        assert hydrolink.study_statistics(folder / 'study')['rows'] == 3
        hydrolink.study_plot(folder / 'study', folder / 'study.svg')
        truth = m.simulate(t_end=1.2)
        other = m.copy()
        other['link2.mass'] = 2.2
        found = other.fit(truth, {'link2.mass': (1, 4)}, plot=folder / 'fit.png')
        assert abs(found['numbers'][0]['value'] - 2) < 1e-3, found['numbers']
        best = m.optimize({'link2.mass': (1, 4)}, minimize='max:phi2', runs=10)['best']
        assert 1 <= best['numbers']['link2.mass'] <= 4
        notes = m.export_fmu(folder / 'crane.fmu', fmi=2, sources_only=True)
        m.save(folder / 'crane.hydrolink')
        subprocess.run([PROGRAM, 'export-fmu', folder / 'crane.hydrolink', '--fmi', '2', '--sources-only', '--out', folder / 'same.fmu'], check=True)
        assert notes == [] and (folder / 'crane.fmu').read_bytes() == (folder / 'same.fmu').read_bytes()
        report = m.report(folder / 'report', t_end=0.1)
        assert (folder / 'report' / 'report.md').exists() and 'run' in report
        m.figure(folder / 'linkage.svg', 'linkage', t_end=0.1)
        m.figure(folder / 'plot.png', t_end=0.1)
        assert (folder / 'plot.png').read_bytes()[:4] == b'\x89PNG' and b'<svg' in (folder / 'linkage.svg').read_bytes()
        for name in ('study.svg', 'fit.png'):
            assert (folder / name).stat().st_size > 1000, name
        for work, kind, part in ((lambda: m.root_locus('cyl.bore', 1, 2), hydrolink.Error, 'piston_diameter'), (lambda: m.figure(folder / 'a.svg', 'none', t_end=0.1), ValueError, 'linkage'),
                                 (lambda: m.figure(folder / 'a.doc'), ValueError, '.svg'), (lambda: m.export_fmu(folder / 'a.zip'), hydrolink.Error, '.fmu'),
                                 (lambda: m.sweep({'link2.mass': [1]}, 'most:phi2'), hydrolink.Error, 'most'), (lambda: m.command('lunch'), hydrolink.Error, 'lunch')):
            try:
                work()
            except kind as error:
                assert part in str(error) and 'hydrolink-' not in str(error), error
            else:
                raise AssertionError(f'nothing was said of {part}')


def the_program_is_of_the_same_release():
    """Another one is refused with its release."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / 'hydrolink'
        other.write_text('#!/bin/sh\necho hydrolink 0.0.1\n', encoding='utf-8')
        other.chmod(0o755)
        done = subprocess.run([sys.executable, '-c', f'import hydrolink; hydrolink.open({str(FOUR_BAR)!r}).modes()'], capture_output=True, text=True,
                              env={**os.environ, 'PYTHONPATH': str(PYTHON), 'HYDROLINK_PROGRAM': str(other)})
        assert done.returncode != 0 and '0.0.1' in done.stderr and hydrolink.version() in done.stderr, done.stderr


def of_later_versions(value, n=0):
    """The same with a member at every object of it that no version knows yet, the deepest ones too."""
    if isinstance(value, list):
        return [of_later_versions(item, n + 1) for item in value]
    if not isinstance(value, dict):
        return value
    return {**{key: of_later_versions(item, n + 1) for key, item in value.items()}, f'later_{n}': {'of': [n, None, {'deep': True}]}}


#: Objects whose members are all names that a person gave: another member is another name there.
NAMES = {'points', 'parameters', 'values', 'units'}


def without_names(value, key=None):
    """Of such objects the members of later versions are taken out again."""
    if isinstance(value, list):
        return [without_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: without_names(item, name) for name, item in value.items() if not (key in NAMES and name.startswith('later_'))}


def unknown_members_survive():
    """At every object of every example and of every old file version: read, changed, saved, read again."""
    n = 0
    for path in sorted([*EXAMPLES.glob('*.hydrolink'), *Path(os.environ['HL_GOLDEN_DIR']).glob('old-versions/**/*.hydrolink')]):
        given = json.loads(path.read_text(encoding='utf-8'))
        later = without_names(of_later_versions(given))
        m = hydrolink.parse(json.dumps(later))
        assert json.loads(m.to_text()) == later, path
        was = m['fluid.density']
        m['fluid.density'] = was + 1
        m['fluid.density'] = was
        for name in m.sets:
            m.apply(name)
        kept = json.loads(hydrolink.parse(m.to_text()).to_text())

        def missing(want, got, at):
            if isinstance(want, dict):
                return [f'{at}.{key}' for key in want if key not in got] + [
                    found for key in want if key in got for found in missing(want[key], got[key], f'{at}.{key}')]
            return [found for k, item in enumerate(want) for found in missing(item, got[k], f'{at}[{k}]')] if isinstance(want, list) else []

        assert not missing(later, kept, ''), (path, missing(later, kept, '')[:3])
        n += json.dumps(later).count('later_')
    assert n > 1000, n


def what_a_row_raises_comes_out():
    seen = []

    def row(values):
        seen.append(values[0])
        if len(seen) == 3:
            raise RuntimeError('enough')

    try:
        hydrolink.open(FOUR_BAR).simulate(t_end=1, every=0.1, row=row)
    except RuntimeError as error:
        assert str(error) == 'enough' and len(seen) == 3
    else:
        raise AssertionError('nothing came out')


def chain(n, **simulation):
    """n links that hang on each other and are let go level: swings for ever, and is far from where it rests."""
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0]}},
            'bodies': [{'id': f'b{k}', 'mass': 1, 'inertia': 0.01, 'pose': [0.2 * k + 0.1, 0, 0],
                        'points': {'A': [-0.1, 0], 'B': [0.1, 0]}} for k in range(n)],
            'joints': [{'id': f'j{k}', 'kind': 'revolute', 'a': 'ground.O' if k == 0 else f'b{k - 1}.B', 'b': f'b{k}.A'}
                       for k in range(n)],
            'probes': [{'id': 'angle', 'of': 'b0.angle'}], 'simulation': {'max_steps': 1e15, **simulation}}


LONG = '''\
import hydrolink, os, signal, sys, threading, time
m = hydrolink.parse(sys.argv[1])
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
rows = []
try:
    {work}
except KeyboardInterrupt:
    print('interrupted', len(rows) > 0)
else:
    print('went on')
time.sleep(0.6)
m['simulation.rtol'] = 1e-6
print(m.state('given')['b0.x'])  # the model is as good as before
'''


def ctrl_c_ends_what_is_computed():
    """In the library there is no Python that a signal could break: a run that takes hours, one with rows, a state."""
    pendulum, resting = chain(1, start='as-given'), chain(150)
    for model, work, has_rows in ((pendulum, 'm.simulate(t_end=1e7, every=1e4)', False),
                                  (pendulum, 'm.state(at=1e7)', False), (pendulum, 'm.linearize(at=1e7)', False),
                                  (pendulum, 'm.simulate(t_end=1e7, every=0.01, keep=False, row=rows.append)', True),
                                  (resting, 'm.equilibrium()', False), (resting, 'm.simulate()', False)):
        began = time.monotonic()
        done = subprocess.run([sys.executable, '-c', LONG.replace('{work}', work), json.dumps(model)],
                              capture_output=True, text=True, timeout=120, env={**os.environ, 'PYTHONPATH': str(PYTHON)})
        assert done.stdout == f'interrupted {has_rows}\n0.1\n' and not done.stderr, (work, done.returncode, done.stdout, done.stderr)
        assert time.monotonic() - began < 60, work


def control_systems():
    """python-control is no package of Debian 12: it is stood in for by a module that takes down how it was called, and it
    itself is asked where it is installed."""
    stand_in = types.ModuleType('control')
    stand_in.StateSpace = lambda A, B, C, D, **names: (A, B, C, D, names)
    sys.modules['control'] = stand_in
    linear = hydrolink.open(FOUR_BAR).linearize()
    A, B, C, D, names = linear.to_control()
    assert C.shape[0] == len(names['outputs']) and numpy.isfinite(C).all() and numpy.isfinite(D).all()
    every = names['states'] + names['inputs'] + names['outputs']
    assert len(set(every)) == len(every) and not any('.' in name for name in every), every
    del sys.modules['control']
    if importlib.util.find_spec('control') is None:
        print('# python-control is not installed: only how it is called was looked at')
        return
    system = linear.to_control()
    want = sorted(linear.eigenvalues, key=lambda value: (value.real, value.imag))
    got = sorted(system.poles(), key=lambda value: (value.real, value.imag))
    assert numpy.allclose(got, want, rtol=1e-6, atol=1e-6 * abs(linear.eigenvalues).max()), (got, want)


def threads():
    m = hydrolink.open(FOUR_BAR)
    want, got = m.simulate()['phi2'], {}

    def work(k, own):
        got[k] = own.simulate()['phi2']

    workers = [threading.Thread(target=work, args=(k, m.copy())) for k in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((got[k] == want).all() for k in range(8))


def wrong_texts():
    """A zero would end a text early, and what is no text has no path."""
    m = hydrolink.open(FOUR_BAR)
    for work, kind in ((lambda: m['link2.mass\0x'], hydrolink.Error), (lambda: hydrolink.open(f'{FOUR_BAR}\0x'), hydrolink.Error),
                       (lambda: m.save('x\0y'), hydrolink.Error), (lambda: m[3], TypeError), (lambda: m.state()[None], TypeError),
                       (lambda: m.__setitem__('link2.mass', '1 kg\0'), hydrolink.Error), (lambda: hydrolink.parse(b'{'), TypeError)):
        try:
            work()
        except kind as error:
            assert 'zero' in str(error) or 'is a text' in str(error), error
        else:
            raise AssertionError('nothing was said')


def copies_and_pickles():
    """A model goes to another process with its numbers; what was computed is given back to the library once."""
    m = hydrolink.open(FOUR_BAR)
    m['cyl.friction.scale'] = 0.1 + 0.2
    m['cyl.piston_diameter'] = '80 mm'
    for other in (pickle.loads(pickle.dumps(m)), copy.copy(m), copy.deepcopy(m)):
        assert other.to_text() == m.to_text() and (other.linearize().A == m.linearize().A).all()
    for computed in (m.simulate(t_end=0.05), m.linearize(), m.state()):
        assert copy.copy(computed) is computed and copy.deepcopy({'its': computed})['its'] is computed
        try:
            pickle.dumps(computed)
        except TypeError as error:
            assert 'stays in its process' in str(error), error
        else:
            raise AssertionError('it was pickled')


SHARED = '''\
import hydrolink, sys, threading
m = hydrolink.open(sys.argv[1])
run = m.simulate(t_end=1)
def work(k):
    for scale in range(1, 31):
        m['cyl.friction.scale'] = scale / 30
        m.linearize()
        m.state('given')['link2.angle']
        assert len(m.paths) == len(m) and m.to_text()
        assert run['phi2'].sum() == run['phi2'].sum()
threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print('there')
'''


def one_model_of_many_threads():
    """They wait for each other (in a process of its own: without that it falls)."""
    done = subprocess.run([sys.executable, '-c', SHARED, FOUR_BAR], capture_output=True, text=True, timeout=120,
                          env={**os.environ, 'PYTHONPATH': str(PYTHON)})
    assert done.returncode == 0 and done.stdout == 'there\n' and not done.stderr, (done.returncode, done.stderr)


def a_row_sets_the_numbers_of_the_next_run():
    m = hydrolink.open(FOUR_BAR)
    m['cyl.friction.scale'] = 1
    want = m.simulate(t_end=0.2)['phi2']

    def row(values):
        m['cyl.friction.scale'] = 0.01
        m.state('given')
        m.linearize()

    assert (m.simulate(t_end=0.2, row=row)['phi2'] == want).all()
    assert m['cyl.friction.scale'] == 0.01 and (m.simulate(t_end=0.2)['phi2'] != want).any()


PLOTTING = '''
class Anything:
    def __getattr__(self, name):
        return lambda *a, **k: self
def subplots(*a, **k):
    return Anything(), Anything() if not a else (Anything(), Anything())
'''


def examples_run():
    """Plotting is stood in for: what counts is that the scripts call what is there."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'matplotlib').mkdir()
        (Path(folder) / 'matplotlib' / '__init__.py').write_text('')
        (Path(folder) / 'matplotlib' / 'pyplot.py').write_text(PLOTTING)
        for script in sorted((PYTHON / 'examples').glob('*.py')):
            done = subprocess.run([sys.executable, script, FOUR_BAR, Path(folder) / 'figure.svg'], capture_output=True,
                                  text=True, env={**os.environ, 'PYTHONPATH': f'{folder}:{PYTHON}'})
            assert done.returncode == 0 and not done.stderr, (script.name, done.stderr)


def program_of_the_page():
    """The C program of data/docs/library.md builds as strict C99 and runs; as C++ the header does."""
    text = (PYTHON.parent / 'docs' / 'library.md').read_text()
    library = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'page.c').write_text(text.split('```c\n')[1].split('```')[0])
        subprocess.run(['cc', '-std=c99', '-pedantic', '-Wall', '-Werror', '-I', PYTHON.parent.parent / 'core' / 'api',
                        'page.c', '-o', 'page', f'-L{library.parent}', '-lhydrolink', f'-Wl,-rpath,{library.parent}'],
                       cwd=folder, check=True)
        done = subprocess.run([Path(folder) / 'page'], cwd=EXAMPLES, capture_output=True, text=True)
        assert done.stdout == '401 rows of 5 columns\n', done


def resident():
    with open('/proc/self/statm') as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def rounds_do_not_grow():
    m = hydrolink.open(FOUR_BAR)

    def rounds(n):
        for k in range(n):
            m['cyl.friction.scale'] = 0.1 + 0.9 * k / n
            m.linearize()

    rounds(1000)
    before, began = resident(), time.perf_counter()
    rounds(ROUNDS)
    each = (time.perf_counter() - began) / ROUNDS
    began = time.perf_counter()
    for k in range(ROUNDS):
        m['cyl.friction.scale'] = 0.1 + 0.9 * k / ROUNDS
    alone = (time.perf_counter() - began) / ROUNDS
    began = time.perf_counter()
    for k in range(ROUNDS // 10):
        hydrolink._library.lib.linear_free(hydrolink._library.call('linearize', m._handle, 0, 0.0))
    pure = (time.perf_counter() - began) / (ROUNDS // 10)
    print(f'# set and linearize: {1e6 * each:.0f} us a round, of which {1e6 * alone:.0f} us set a number and '
          f'{1e6 * pure:.0f} us are the library linearizing')
    assert resident() - before < 1 << 20, resident() - before


def nothing_ends_the_interpreter():
    """Constructors take a path or refuse, and handles are opaque: what is no object of the library raises."""
    m = hydrolink.Model(FOUR_BAR)
    assert m.name == hydrolink.open(FOUR_BAR).name and m.copy()['link2.mass'] == m['link2.mass']
    lib, call = hydrolink._library.lib, hydrolink._library.call
    made = [lambda v: hydrolink.Model(v), lambda v: hydrolink.Run(v), lambda v: hydrolink.State(v), lambda v: hydrolink.Linear(v)]
    for given in (None, 5, 0, 'x', b'x', [], m, m._handle, object()):
        for make in made:
            try:
                make(given)
            except (TypeError, hydrolink.Error) as error:
                assert str(error), (make, given)
            else:
                raise AssertionError(f'{given!r} made something')
        if given is m._handle:
            continue
        for work in (lambda: lib.name(given), lambda: lib.close(given), lambda: lib.run_free(given), lambda: lib.state_notes(given),
                     lambda: call('linearize', given, 0, 0.0), lambda: lib.linear_n(given, 0)):
            try:
                work()
            except ctypes.ArgumentError:
                continue
            raise AssertionError(f'the library took {given!r}')
    for empty in (hydrolink.Model, hydrolink.Run, hydrolink.State, hydrolink.Linear):
        thing = empty.__new__(empty)
        for name in dir(empty):
            try:
                getattr(thing, name)
            except (AttributeError, TypeError, ctypes.ArgumentError):
                pass
    m.__del__()
    for work in (lambda: m.name, lambda: m['link2.mass'], lambda: m.copy(), lambda: m.simulate(), lambda: m.linearize(), lambda: m.check()):
        try:
            work()
        except (TypeError, ctypes.ArgumentError):
            continue
        raise AssertionError('a closed model answered')


CHECKS = [golden_eigenvalues, linear_models_of_the_program, runs_to_the_bit, columns_outlive_their_run,
          numbers_of_a_run_have_units, oil_of_a_run, unknown_members_survive, results_are_saved, runs_are_mappings, arrays_are_saved, module_is_typed,
          errors_are_exceptions, names_of_files_in_any_encoding, nothing_ends_the_interpreter, what_a_row_raises_comes_out, ctrl_c_ends_what_is_computed, control_systems, threads,
          wrong_texts, models_built_in_code_equal_their_files, crane_in_code, what_cannot_be_built_is_refused, commands_of_the_program,
          the_program_is_of_the_same_release, copies_and_pickles, one_model_of_many_threads, a_row_sets_the_numbers_of_the_next_run, examples_run,
          program_of_the_page, rounds_do_not_grow]

failures = 0
print(f'1..{len(CHECKS)}')
for number, check in enumerate(CHECKS, 1):
    try:
        check()
        print(f'ok {number} - {check.__name__}', flush=True)
    except Exception as error:
        failures += 1
        print(f'not ok {number} - {check.__name__}: {type(error).__name__}: {error}', flush=True)
sys.exit(failures > 0)
