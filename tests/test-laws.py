#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Laws of all components against the same laws written once more (tests/laws): random numbers within the ranges of
such parts, ports on lines of their own, on another one's or on none; flows and other outputs, rates, and J with
its kinks. TAP.

Arguments: the library; then a count and a seed to look further. Needs NumPy (Debian's python3-numpy).
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
except ImportError:  # another Python of this machine may have it
    others = [name for name in ('/usr/bin/python3',) if os.path.exists(name) and 'HL_OTHER_PYTHON' not in os.environ]
    if others and subprocess.run([others[0], '-c', 'import numpy'], capture_output=True).returncode == 0:
        os.execve(others[0], [others[0], *sys.argv], {**os.environ, 'HL_OTHER_PYTHON': '1'})
    print('1..0 # SKIP NumPy is not there (Debian: python3-numpy)')
    sys.exit(0)

HERE = Path(__file__).resolve().parent
os.environ['HYDROLINK_LIBRARY'] = sys.argv[1]
sys.path[:0] = [str(HERE.parent / 'data' / 'python'), str(HERE / 'laws')]
sys.dont_write_bytecode = True
import hydrolink  # noqa: E402
import kinks  # noqa: E402
import pipes  # noqa: E402
from components import PORTS  # noqa: E402
from dual import Dual  # noqa: E402
from draw import Draw  # noqa: E402
from machine import Machine  # noqa: E402

COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 40
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 15
VALUES, SLOPES = 1e-13, 1e-12  # relative
ROUNDINGS = 50.0
ZERO = Dual(0.0)


def near(got, want, rounding, allowed):
    """Within what so many roundings make of it."""
    return abs(got - want) <= allowed * abs(want) + ROUNDINGS * 2.2e-16 * rounding


def mean(sides, name):
    """Slope of an entry from both sides, and its rounding."""
    up, down = (entries.get(name, ZERO) for entries in sides)
    return 0.5 * (up.d - down.d), up.d, -down.d, max(up.ed, down.ed)


def check(file, where):
    machine = Machine(file)
    start = hydrolink.parse(json.dumps(file)).linearize(at='given')
    y = {name: float(v) for name, v in zip(start.states, start.point[0])}
    rates, outputs, found = machine.slopes(y)
    file['probes'] = [{'id': f'o{k}', 'of': path} for k, path in enumerate(outputs)]
    linear = hydrolink.parse(json.dumps(file)).linearize(at='given')
    assert set(rates) == set(y), (where, set(rates) ^ set(y))
    for (path, want), got in zip(outputs.items(), linear.point[2]):
        assert near(got, want.v, want.ev, VALUES), (where, path, got, want.v, want.ev)
    for part, matrix, names in ((0, linear.A, linear.states), (1, linear.C, outputs)):
        for i, row in enumerate(names):
            wanted = [mean([side[part] for side in found[column]], row) for column in linear.states]
            least = max(abs(want) for want, *_ in wanted) or 1e-9 * part
            for got, column, (want, up, down, rounding) in zip(matrix[i], linear.states, wanted):
                assert near(got, want, rounding + least, SLOPES), (where, row, column, got, want, up, down, rounding)
    return linear, found


def one(kinds, where, shared=0.08, more=lambda file, linear, found, where: None):
    """A file of these components; it stays where it was when it fails."""
    file = Draw(where).file(kinds, shared)
    try:
        more(file, *check(file, where), where)
    except Exception as error:
        if 'HL_LAWS_DIR' in os.environ:
            (Path(os.environ['HL_LAWS_DIR']) / f'{where.replace(" ", "-").replace(":", "-")}.hydrolink').write_text(json.dumps(file))
        raise AssertionError(f'{where}: {error!r}') from error


def family(kind):
    def case():
        for k in range(COUNT):
            one([kind], f'{kind} {SEED}:{k}')
    case.__name__ = kind
    return case


def eigenvalues(file, linear, found, where):
    """Those of the matrix that the laws give, where it is not near one with a chain of eigenvectors."""
    names = linear.states
    J = numpy.array([[mean([side[0] for side in found[column]], row)[0] for column in names] for row in names])
    scale = numpy.array([1e6 if name.split('.')[-1].startswith(('pressure', 'cushion')) else 1.0 for name in names])
    values, left = numpy.linalg.eig(J * scale / scale[:, None])
    if numpy.linalg.cond(left) > 1e4:
        return
    slow = 1e-11 * abs(values).max()
    for value in linear.eigenvalues:
        nearest = values[abs(values - value).argmin()]
        assert abs(nearest - value) <= 1e-9 * abs(value) + slow, (value, nearest)


def circuits():
    """A few components on lines that they share."""
    for k in range(4 * COUNT):
        where = f'circuit {SEED}:{k}'
        r = random.Random(where)
        kinds = [r.choice(KINDS) for _ in range(r.randint(2, 5))]
        moved = [kind for kind in kinds if kind in ('cylinder', 'motor', 'rotary-actuator')]
        kinds = [kind for kind in kinds if kind not in moved] + moved[:1]
        one(kinds, where, 0.5, eigenvalues)


def at_kinks():
    """What stands at a kink is listed with the columns of both sides, and nothing else is."""
    for name, file in kinks.cases(random.Random(SEED)):
        linear, found = check(file, name)
        with tempfile.NamedTemporaryFile('w', suffix='.hydrolink') as copy:
            copy.write(json.dumps(file))
            copy.flush()
            answer = json.loads(subprocess.run([os.environ['HL_PROGRAM'], 'linearize', copy.name, '--at', 'start', '--json'],
                                               capture_output=True, text=True, check=True, timeout=60).stdout)
        listed = {kink['state']: (kink['toward_positive'], kink['toward_negative']) for kink in answer['kinks']}
        if name == 'laminar limit':
            # Up to dp_lim q = K dp / dp_lim^0.5, beyond it K dp^0.5, whose slope is half as steep there. J takes the laminar side.
            assert sorted(listed) == sorted(linear.states) == ['A.pressure', 'B.pressure'], listed
            for column, steep, flat in (('A.pressure', 1, 0), ('B.pressure', 0, 1)):
                for k in range(2):
                    laminar = answer['J'][k][linear.states.index(column)]
                    assert near(listed[column][steep][k], laminar, abs(laminar), VALUES), (column, k, listed)
                    assert near(listed[column][flat][k], laminar / 2, abs(laminar), 1e-6), (column, k, listed)
            continue
        for column in linear.states:
            sides = [mean([side[0] for side in found[column]], row) for row in linear.states]
            least = max(abs(slope) for entry in sides for slope in entry[1:3])
            is_kinked = any(abs(up - down) > 1e-9 * max(abs(up), abs(down)) for _, up, down, _ in sides)
            assert is_kinked == (column in listed), (name, column, is_kinked, list(listed))
            if is_kinked:
                for k, (_, up, down, rounding) in enumerate(sides):
                    for got, want in zip((columns[k] for columns in listed[column]), (up, down)):
                        assert near(got, want, rounding + least, VALUES), (name, linear.states[k], column, got, want)


def turbulent_oil_with_inertia():
    """Churchill's friction in the hybrid model: what a Runge-Kutta gives, also for the pressure between two pipes; the
    lumped model comes there as its oil grows stiff; segments do not count; and the linear law is another one."""
    rows = numpy.array(pipes.flows()).T
    run = hydrolink.parse(json.dumps(pipes.file('churchill'))).simulate(oil='hybrid')
    assert run.error is None and len(run) == len(rows[0]), run.error
    for name, want in zip(('q', 'p'), rows):
        assert abs(run[name][1:] - want[1:]).max() <= 1e-7 * abs(want).max(), (name, run[name], want)
    cut = hydrolink.parse(json.dumps(pipes.file('churchill', segments=5, inertia=False))).simulate(oil='hybrid')
    assert abs(cut['q'] - run['q']).max() <= 1e-12 * run['q'].max(), (cut['q'], run['q'])
    straight = hydrolink.parse(json.dumps(pipes.file('linear'))).simulate(oil='hybrid')
    assert abs(straight['q'] - run['q']).max() > 0.05 * run['q'].max()
    # one pipe: between two the oil would ring on; the throttle is laminar as the lumped model has it at least
    wanted = numpy.array(pipes.flows(1e3, 1)).T[0]
    gaps = [abs(hydrolink.parse(json.dumps(pipes.file('churchill', bulk, 1))).simulate()['q'] - wanted).max()
            for bulk in (1e10, 1e11, 1e12)]
    assert gaps[1] < 0.2 * gaps[0] and gaps[2] < 0.2 * gaps[1] and gaps[2] < 1e-4 * rows[0].max(), gaps


KINDS = [kind for kind in PORTS if kind not in ('tank', 'pressure-source', 'plug')]
CASES = [family(kind) for kind in KINDS] + [circuits, at_kinks, turbulent_oil_with_inertia]

if __name__ == '__main__':
    print(f'1..{len(CASES)}')
    failed = 0
    for number, case in enumerate(CASES, 1):
        try:
            case()
            print(f'ok {number} - {case.__name__}', flush=True)
        except Exception as error:  # noqa: BLE001
            failed += 1
            print(f'not ok {number} - {case.__name__}\n# {str(error)[:600]}', flush=True)
    sys.exit(failed > 0)
