#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machines of any size beside other programs, in one run: `./dev bench peers`.

    peers.py BENCH_LARGE BENCH_FLOOR PROGRAM OUT

 * the 4 s of the four-bar with three frictions: Octave's ode15s on all coordinates of the links, stabilized; SciPy's LSODA
   on the least of them by hand; all by their error against the golden response
 * rods on pins in a row and as a tree: Simbody (joint angles, dynamics in time of the number of rods), by
   Runge-Kutta-Merson, by CPodes' BDF with Newton's method and with functional iteration, whichever is fastest; and
   scissor lifts without their cylinder, whose loops it closes by constraints;
 * volumes of oil in a row: SciPy's LSODA and BDF on numpy arrays, the band of the Jacobian told;
 * eigenvalues with both sets of vectors: SciPy's eig of the same J, which has nothing else to find.

Each program gets the loosest tolerance whose error at the end stays below the same limit; the reference is a tight run
of one that a tight run of the other must agree with. Each row is told when it is there, on the way the seconds. Processor time of the integration alone, best of several; what is
printed is ratios: above 1, this program is ahead. Plots over the number go to OUT/peers-*.svg."""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ['OPENBLAS_NUM_THREADS'] = '1'  # before numpy reads it: threads that wait for each other take processor time

import numpy as np  # noqa: E402
from scipy.integrate import odeint, ode, solve_ivp  # noqa: E402
from scipy.linalg import eig  # noqa: E402

T_END = 0.2
T_END_OF_LIFT = 0.1  # before its bars lie in line
HOPELESS = 2.5
PATIENCE = 30  # [s], of the other program at one tolerance
BEGAN = time.monotonic()
HERE = Path(__file__).resolve().parent
TESTS = HERE.parent


def numbers_of(command, patience=500):
    """Milliseconds and what else the program answers; nothing where it fails, or takes longer than `patience` seconds."""
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    values = np.array([float(line) for line in done.stdout.split()])
    return values[0], values[1:]


def progress(what):
    print(f'[{time.monotonic() - BEGAN:4.0f} s] {what}', file=sys.stderr, flush=True)


def times(methods, tolerances, reference, limit):
    """By name, the time of methods, functions of a tolerance that answer milliseconds and the end, each by the first of the
    falling tolerances by which its error is below the limit; a method is given up where it is far behind before it is there."""
    out = {}
    for name, method in methods.items():
        for tolerance in tolerances:
            found = method(tolerance)
            if found is not None and np.max(np.abs(found[1] - reference)) <= limit:
                out[name] = found[0]
                break
            if found is not None and found[0] > HOPELESS * least(out):
                break
    return out


def least(found):
    return min(found.values(), default=math.inf)


def hopeful(names, found):
    """Methods that a larger number is tried with: those that are not far behind at this one."""
    return [name for name in names if found.get(name, math.inf) <= HOPELESS * least(found)]


def check(what, ours, other, limit):
    apart = np.max(np.abs(ours - other))
    if not apart <= limit:
        sys.exit(f'{what}: the two programs differ by {apart:g} (allowed {limit:g})')


class Peers:
    def __init__(self, bench, floor, program, out, folder):
        self.bench, self.floor, self.program, self.out, self.folder = bench, floor, program, Path(out), Path(folder)

    def model(self, kind, n, at_rest=True):
        path = self.folder / f'{kind}-{n}.hydrolink'
        text = subprocess.run([self.bench, 'write', kind, str(n)], capture_output=True, text=True, check=True).stdout
        model = json.loads(text)
        for body in model.get('bodies', []) if at_rest else []:
            body.pop('velocity', None)
        if kind == 'lift':
            for word in ('components', 'lines', 'equilibrium', 'probes', 'sliders'):
                model.pop(word, None)
            model['simulation']['start'] = 'as-given'
        path.write_text(json.dumps(model))
        return path

    def own(self, path, rtol, t_end=T_END):
        return numbers_of([self.bench, 'end', path, t_end, rtol])

    # ---- the four-bar ----

    def four_bar(self, limit=1e-4):
        for friction, name in ((1.0, '1'), (0.1, '0p1'), (0.01, '0p01')):
            progress(f'four-bar with friction {friction:g}')
            golden = TESTS / 'golden' / f'response_scale_{name}.csv'
            floor, (own,) = numbers_of([self.floor, 'equal', friction, golden.name, limit])
            want = np.loadtxt(golden, delimiter=',', skiprows=1, usecols=1)
            octave, _ = numbers_of(['octave-cli', '--norc', HERE / 'peers-four-bar.m', friction, golden, limit])
            yield friction, own, floor, octave, four_bar_by_lsoda(friction, want, limit)

    # ---- rods ----

    def rods(self, kind, sizes, limit=1e-6, t_end=T_END):
        simbody = self.folder / 'peers-simbody'
        if not simbody.exists():
            subprocess.run(['g++', '-O2', '-w', '-isystem', '/usr/include/simbody', HERE / 'peers-simbody.cpp', '-o', simbody,
                            '-lSimTKsimbody', '-lSimTKmath', '-lSimTKcommon'], check=True)

        def simbody_by(method, n):
            return lambda accuracy: numbers_of([simbody, kind, n, t_end, method, accuracy], PATIENCE)

        names = ['merson', 'bdf', 'bdf-functional']
        for n in sizes:
            progress(f'{kind} of {n}')
            path = self.model(kind, n)
            reference = self.own(path, 1e-8, t_end)[1]
            check(f'{kind} of {n}', reference, numbers_of([simbody, kind, n, t_end, 'merson', 1e-9])[1], 0.5 * limit)
            own = times({'own': lambda rtol: self.own(path, rtol, t_end)}, [10.0**-k for k in range(1, 8)], reference, limit)
            theirs = times({name: simbody_by(name, n) for name in names}, [10.0**-k for k in range(3, 9)], reference, limit)
            names = hopeful(names, theirs)
            yield n, least(own), least(theirs)

    # ---- oil ----

    def ladder(self, sizes, limit=10.0):
        by_scipy = {'lsoda': ladder_by_lsoda, 'bdf': ladder_by_bdf}
        names = list(by_scipy)
        for n in sizes:
            progress(f'ladder of {n}')
            path = self.model('ladder', n)
            reference = self.own(path, 1e-9)[1]
            check(f'ladder of {n}', reference, ladder_by_lsoda(n, 1e-10)[1], 0.5 * limit)
            own = times({'own': lambda rtol: self.own(path, rtol)}, [10.0**-k for k in range(2, 8)], reference, limit)
            theirs = times({name: lambda rtol, by=by: by(n, rtol) for name, by in by_scipy.items() if name in names},
                           [10.0**-k for k in range(4, 9)], reference, limit)
            names = hopeful(names, theirs)
            yield n, least(own), least(theirs)

    # ---- eigenvalues ----

    def eigenvalues(self, kind, states_of_one, sizes):
        for n in sizes:
            progress(f'eigenvalues of {kind} {n}')
            path = self.model(kind, n, at_rest=False)
            answer = json.loads(subprocess.run([self.program, 'linearize', path, '--json'], capture_output=True, text=True,
                                               check=True).stdout)
            J = np.array(answer['J'])
            by_scipy, values = timed(lambda: eig(J, left=True)[0])
            own = np.array([v['re'] for v in answer['eigenvalues']])
            check(f'eigenvalues of {kind} {n}', np.sort(own) / abs(own).max(), np.sort(values.real) / abs(own).max(), 1e-9)
            told = [subprocess.run([self.bench, 'linearize', kind, str(n)], capture_output=True, text=True, check=True).stdout
                    for _ in range(5)]
            yield states_of_one * n, min(1e3 * float(took.split(': ')[1].split(' s')[0]) for took in told), by_scipy


# ---- the four-bar, by hand ----

AREAS = 0.25 * math.pi * 0.08**2, 0.25 * math.pi * (0.08**2 - 0.035**2)
HOSE, BARREL = 1 / 1.5e9 + 1 / 1.5e8, 1 / 1.5e9 + 1 / 3.15e10
THROTTLE = 0.8 * 0.25 * math.pi * 0.006**2 * math.sqrt(2 / 850)
VALVE = 1.0690449676496976e-08


def orifice(drop):
    return drop / math.sqrt(2e5) if abs(drop) <= 2e5 else math.copysign(math.sqrt(abs(drop)), drop)


def four_bar_rates(y, t, friction, level, slope, corner):
    """y: the angle of the first link, its rate, three pressures and the spool. The loop 2 e2 + 8 e3 + 5 e4 = (10, 0) is closed
    by its triangle; k3, k4 are the other links' turns for one of the first, m the inertia that it feels."""
    phi, w, p1, p2, p3, U = y
    c2, s2 = math.cos(phi), math.sin(phi)
    dx, dy = 10 - 2 * c2, -2 * s2
    d = math.hypot(dx, dy)
    third = math.atan2(dy, dx) + math.acos((39 + d * d) / (16 * d))
    fourth = math.atan2(dy - 8 * math.sin(third), dx - 8 * math.cos(third))
    turn = math.sin(fourth - third)
    k3, k4 = -0.25 * math.sin(fourth - phi) / turn, 0.4 * math.sin(third - phi) / turn
    c43, c32, s32 = math.cos(fourth - third), math.cos(third - phi), math.sin(third - phi)
    dk3 = (2 * math.cos(fourth - phi) + 8 * k3 * k3 * c43 + 5 * k4 * k4) / (8 * turn)
    dk4 = -(2 * c32 + 8 * k3 * k3 + 5 * k4 * k4 * c43) / (5 * turn)
    A3, A4 = 128 / 3 + 128, 125 / 12 + 31.25
    m = 2 / 3 + 2 + 32 + A3 * k3 * k3 + 128 * k3 * c32 + A4 * k4 * k4
    dm = 2 * A3 * k3 * dk3 + 128 * (dk3 * c32 - k3 * s32 * (k3 - 1)) + 2 * A4 * k4 * dk4
    weight = 9.81 * (18 * c2 + 32 * k3 * math.cos(third) - 12.5 * k4 * math.cos(fourth))
    s = math.sqrt(2 + 2 * c2)
    ds = -s2 / s
    rate = ds * w
    z = rate / 0.0125
    n = 0.25 * z * z + 0.75
    rub = friction * (210 * math.tanh(4 * z) + 620 * z / (n * n) + 330 * rate)
    force = AREAS[0] * p2 - AREAS[1] * p3 - rub
    q = THROTTLE * orifice(p1 - p2)
    in_a = VALVE * (max(U, 0) * orifice(7.6e6 - p1) - max(-U, 0) * orifice(p1 - 1e5))
    in_b = VALVE * (max(-U, 0) * orifice(7.6e6 - p3) - max(U, 0) * orifice(p3 - 1e5))
    return (w, (level + slope * (t - corner) - weight + force * ds - 0.5 * dm * w * w) / m, (in_a - q) / (4.71e-5 * HOSE),
            (q - AREAS[0] * rate) / (3.14e-5 * HOSE + AREAS[0] * (s - 1) * BARREL),
            (in_b + AREAS[1] * rate) / (7.85e-5 * HOSE + AREAS[1] * (2 - s) * BARREL), -U / 0.004547284088339867)


def four_bar_by_lsoda(friction, want, limit):
    start = [math.pi / 3, 0, 0, 0, 3.5e6, 0]
    pull = [four_bar_rates([*start[:3], p, *start[4:]], 0, 1, 0, 0, 0)[1] for p in (0, 1e6)]
    start[2] = start[3] = 1e6 * pull[0] / (pull[0] - pull[1])

    def run(tolerance):
        y, phi = np.array(start), [0.0]
        atol = tolerance * np.array([1e-4, 1e-2, 1e5, 1e5, 1e5, 1e-2])
        for begin, end, level, slope in ((0, 100, 0, 250), (100, 150, 250, 0), (150, 400, 0, 0)):
            found = odeint(four_bar_rates, y, np.arange(begin, end + 1) / 100, (friction, level, slope, begin / 100),
                           rtol=1e-12, atol=atol, mxstep=10**6)
            phi += list(found[1:, 0] - start[0])
            y = found[-1]
        return np.array(phi)

    for k in range(4, 20):
        tolerance = 10.0**(-0.5 * k)
        if np.max(np.abs(run(tolerance) - want)) <= limit * np.max(np.abs(want)):
            return timed(lambda: run(tolerance))[0]
    return math.inf


# ---- volumes in a row, by hand ----

CONDUCTANCE = 0.6 * math.pi / 4 * 0.004**2 * math.sqrt(2 / 850)
COMPLIANCE = 1e-4 / 1.5e9
LAMINAR = 2e5


def ladder_rates(t, p):
    drop = -np.diff(p, prepend=1e7, append=1e5)
    size = np.abs(drop)
    flow = CONDUCTANCE * np.where(size <= LAMINAR, drop / math.sqrt(LAMINAR), np.sign(drop) * np.sqrt(np.maximum(size, 1.0)))
    return (flow[:-1] - flow[1:]) / COMPLIANCE


def timed(run):
    best, begin = math.inf, time.process_time()
    while True:
        began = time.process_time()
        end = run()
        best = min(best, time.process_time() - began)
        if time.process_time() - begin > 0.3:
            return 1e3 * best, end


def ladder_by_lsoda(n, rtol):
    def run():
        solver = ode(ladder_rates).set_integrator('lsoda', rtol=1e-12, atol=rtol * 1e5, lband=1, uband=1, nsteps=10**6)
        return solver.set_initial_value(np.full(n, 1e6)).integrate(T_END)
    return timed(run)


def ladder_by_bdf(n, rtol):
    from scipy.sparse import diags
    pattern = diags([1, 1, 1], [-1, 0, 1], shape=(n, n))

    def run():
        return solve_ivp(ladder_rates, (0, T_END), np.full(n, 1e6), method='BDF', rtol=1e-12, atol=rtol * 1e5,
                         jac_sparsity=pattern).y[:, -1]
    return timed(run)


# ---- what is shown ----

def growth(rows, column):
    large = [(r[0], r[column]) for r in rows if r[0] >= 20 and math.isfinite(r[column])]
    if len(large) < 2:
        return math.nan
    (n0, t0), (n1, t1) = large[0], large[-1]
    return math.log(t1 / t0) / math.log(n1 / n0)


def duration(decade):
    """10**decade milliseconds, as an axis names them."""
    return f'{10.0**(decade - 3):g} s' if decade >= 3 else f'{10.0**decade:g} ms' if decade >= 0 else f'{10.0**(decade + 3):g} µs'


def plot(path, title, of_what, rows, names):
    """Times over the number, both logarithmic; each line has its name at its end."""
    points = [(n, t) for n, *times in rows for t in times if math.isfinite(t)]
    lows = [math.floor(math.log10(min(p[k] for p in points))) for k in (0, 1)]
    highs = [math.ceil(math.log10(max(p[k] for p in points))) for k in (0, 1)]
    left, right, top, bottom = 70, 490, 40, 320

    def place(n, t):
        return (left + (right - left) * (math.log10(n) - lows[0]) / (highs[0] - lows[0]),
                bottom - (bottom - top) * (math.log10(t) - lows[1]) / (highs[1] - lows[1]))
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="570" height="370" font-family="sans-serif" font-size="12">',
           '<rect width="570" height="370" fill="white"/>', f'<text x="{left}" y="24" font-size="14">{title}</text>',
           f'<text x="{(left + right) / 2:.0f}" y="360" text-anchor="middle">{of_what}</text>']
    for k in range(lows[0], highs[0] + 1):
        x, y = place(10.0**k, 10.0**lows[1])
        out.append(f'<path d="M{x:.1f} {top}V{bottom}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{10**k}</text>')
    for k in range(lows[1], highs[1] + 1):
        x, y = place(10.0**lows[0], 10.0**k)
        out.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{duration(k)}</text>')
    lines = [[place(r[0], r[1 + which]) for r in rows if math.isfinite(r[1 + which])] for which in range(2)]
    level = [line[-1][1] + 4 for line in lines]
    close = 14 - abs(level[0] - level[1])
    if close > 0:  # the names would stand on each other
        lower = 0 if level[0] > level[1] else 1
        level[lower] += close / 2
        level[1 - lower] -= close / 2
    for line, name, color, y in zip(lines, names, ('#1a5fb4', '#c64600'), level):
        out.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in line)}" fill="none" stroke="{color}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in line]
        out.append(f'<text x="{line[-1][0] + 8:.1f}" y="{y:.1f}" fill="{color}" stroke="white" stroke-width="3" '
                   f'paint-order="stroke">{name}</text>')
    path.write_text('\n'.join([*out, '</svg>', '']), encoding='utf-8')


def show(out, stem, title, of_what, rows, other):
    print(f'\n{title}\n{"number":>8} {"ratio":>10}', flush=True)
    done = []
    for n, own, theirs in rows:
        print(f'{n:8d} {theirs / own:10.2f}', flush=True)
        done.append((n, own, theirs))
    rows = done
    print(f'from 20 on time grows as n^{growth(rows, 1):.2f}, of {other} as n^{growth(rows, 2):.2f}', flush=True)
    plot(out / f'peers-{stem}.svg', title, of_what, rows, ('Hydrolink', other))


def show_four_bar(rows):
    print('\nthe 4 s of the four-bar, error at most 1e-4 of the peak of the golden response\n'
          f'{"friction":>8} {"by hand":>10} {"Octave":>10} {"SciPy":>10}', flush=True)
    for friction, own, *others in rows:
        print(f'{friction:8g}', *(f'{other / own:10.2f}' for other in others), flush=True)


def main():
    bench, floor, program, out = sys.argv[1:5]
    os.environ['HL_GOLDEN_DIR'] = str(TESTS / 'golden')
    os.environ['HL_EXAMPLES_DIR'] = str(TESTS.parent / 'data' / 'examples')
    Path(out).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        peers = Peers(bench, floor, program, out, folder)
        sizes = [1, 5, 20, 80, 160, 300]
        print('Time of the other program over that of this one, at equal error')
        show_four_bar(peers.four_bar())
        show(peers.out, 'chain', 'Rods on pins in a row, 0.2 s', 'rods', peers.rods('chain', sizes), 'Simbody')
        show(peers.out, 'tree', 'Two rods on the end of each, 0.2 s', 'rods', peers.rods('tree', sizes), 'Simbody')
        show(peers.out, 'lift', 'Scissor lift, 0.1 s', 'stages', peers.rods('lift', [1, 3, 10, 40, 150], t_end=T_END_OF_LIFT), 'Simbody')
        show(peers.out, 'ladder', 'Volumes of oil in a row, 0.2 s', 'volumes', peers.ladder([5, 20, 100, 300, 1000]), 'SciPy')
        for kind, of_what, states_of_one in ('ladder', 'volumes in a row', 1), ('chain', 'rods on pins in a row', 2), \
                ('tree', 'two rods on the end of each', 2), ('arms', 'rods with cylinders and volumes', 5):
            show(peers.out, f'eigenvalues-{kind}', f'Linearization with eigenvectors, {of_what}', 'states',
                 peers.eigenvalues(kind, states_of_one, [n // states_of_one for n in (20, 100, 300, 1000)]), 'SciPy')


main()
