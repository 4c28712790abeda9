#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hydrolink reproduce` against golden numbers, and its pictures. TAP. Environment: HL_PROGRAM, HL_EXAMPLES_DIR,
HL_GOLDEN_DIR.
"""

import csv
import json
import math
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib
from pathlib import Path

PROGRAM = os.environ['HL_PROGRAM']
GOLDEN = Path(os.environ['HL_GOLDEN_DIR'])
FOUR_BAR = Path(os.environ['HL_EXAMPLES_DIR']) / 'four-bar.hydrolink'
SCENARIOS = {'overdamped': ('1', '1'), 'underdamped-high-friction': ('0.1', '0p1'),
             'underdamped-low-friction': ('0.01', '0p01')}
MAPS = ['quasistatic-fig03-map', 'quasistatic-fig06-arm', 'quasistatic-fig08-regeneration',
        'quasistatic-fig10-regeneration', 'quasistatic-fig12-shared-pump', 'quasistatic-fig13-two-arms']
FIGURES = MAPS + ['linkage', 'circuit', 'fig06-torque', 'fig13-friction', 'fig14-counterpart-error'] + [
    f'fig{2 * k + start:02d}-{name}-{what}' for k, name in enumerate(SCENARIOS)
    for start, what in ((7, 'angle'), (8, 'pressures'))]
TABLES = ['fig06-torque', 'fig13-friction', 'fig14-counterpart-error', 'table3-eigenvalues', 'matrix88', 'differences',
          'timing'] + MAPS + [f'response-{name}' for name in SCENARIOS]
MOST_SECONDS = 10


def run(*arguments):
    environment = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    return subprocess.run([PROGRAM, 'reproduce', *map(str, arguments)], env=environment, capture_output=True, check=False,
                          timeout=120, encoding='utf-8')


def near(got, want, tolerance, what):
    if not abs(got - want) <= tolerance:
        raise AssertionError(f'{what}: {got!r}, expected {want!r} within {tolerance:.1e}')


def equal(got, want, what):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def golden(name):
    return json.loads((GOLDEN / name).read_text(encoding='utf-8'))


def rows(path):
    with open(path, encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan


def case_of(scenario):
    scale = float(SCENARIOS[scenario][0])
    return next(case for case in golden('linearization.json')['cases'] if case['friction_scale'] == scale)


# ---- what it writes ----------------------------------------------------------------------------------

def test_files(out):
    """every file is there, and the page shows each of them"""
    wanted = {'report.md', *(f'{stem}.csv' for stem in TABLES), *(f'{stem}.{kind}' for stem in FIGURES
                                                                  for kind in ('svg', 'png'))}
    equal({path.name for path in out.iterdir()}, wanted, 'files')
    page = (out / 'report.md').read_text(encoding='utf-8')
    for stem in FIGURES:
        if f'({stem}.svg)' not in page:
            raise AssertionError(f'report.md does not show {stem}')
    for stem in TABLES:
        if f'{stem}.csv' not in page:
            raise AssertionError(f'report.md does not name {stem}.csv')
    for link in re.findall(r'\]\(([^)]+)\)', page):
        if not link.startswith('https://') and not (out / link).is_file():
            raise AssertionError(f'report.md points at {link}')


def share_of_ink(png):
    """Share of the bytes of a PNG that differ from their neighbour: nearly none on a blank page."""
    if png[:8] != b'\x89PNG\r\n\x1a\n':
        raise AssertionError('no PNG')
    at, data = 8, b''
    while at < len(png):
        length, kind = struct.unpack('>I4s', png[at:at + 8])
        if kind == b'IDAT':
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    pixels = zlib.decompress(data)
    return 1 - pixels.count(0) / len(pixels)


def test_pictures(out):
    """no picture is blank, as PNG or as SVG drawn by another program"""
    renderer = shutil.which('rsvg-convert')
    for stem in FIGURES:
        inked = {'png': share_of_ink((out / f'{stem}.png').read_bytes())}
        tree = xml.etree.ElementTree.parse(out / f'{stem}.svg')
        if not tree.getroot().tag.endswith('svg'):
            raise AssertionError(f'{stem}.svg is no SVG')
        if renderer:
            drawn = subprocess.run([renderer, '-w', '600', out / f'{stem}.svg'], capture_output=True, check=True)
            inked['svg'] = share_of_ink(drawn.stdout)
        for kind, share in inked.items():
            if not 0.004 < share < 0.5:
                raise AssertionError(f'{stem}.{kind}: {share:.4f} of it is drawn')


# ---- its numbers -------------------------------------------------------------------------------------

def golden_table_3(scenario):
    """lambda 1 to 6: two zeros, the motion, the spool."""
    values = [complex(value['re'], value['im']) for value in case_of(scenario)['eigenvalues']['nonzero']]
    spool = min(values, key=lambda value: abs(value + 219.91148575128551))
    values.remove(spool)
    return [0, 0, *values, spool]


def test_table_3(out):
    """Table 3 has fourteen digits, and they are right"""
    page = (out / 'report.md').read_text(encoding='utf-8').replace('\u2212', '-')
    lines = [line.split('|')[2:5] for line in page.splitlines() if re.match(r'\| λ\d \|', line)]
    equal(len(lines), 6, 'lines of Table 3')
    for column, scenario in enumerate(SCENARIOS):
        for k, want in enumerate(golden_table_3(scenario)):
            text = lines[k][column].strip()
            parts = re.fullmatch(r'(-?[\d.]+)(?: ([+-]) ([\d.]+) i)?', text)
            if parts is None:
                raise AssertionError(f'λ{k + 1} {scenario}: {text!r}')
            got = complex(float(parts[1]), float((parts[2] or '+') + (parts[3] or '0')))
            # half a unit of the fourteenth digit, and what double precision loses
            near(got, want, 6e-14 * abs(want), f'λ{k + 1} {scenario}')
            for digits in filter(None, (parts[1], parts[3])):
                if want != 0:
                    equal(len(digits.strip('-').replace('.', '').lstrip('0')), 14, f'digits of {digits}')
    for row in rows(out / 'table3-eigenvalues.csv'):
        want = golden_table_3(row['scenario'])[int(row['eigenvalue']) - 1]
        near(complex(number(row['re [1/s]']), number(row['im [rad/s]'])), want, 3e-14 * abs(want), 'table3')


def test_matrix(out):
    """matrix (88) of the planar and of the spatial model is the golden one"""
    states = ['link2.angle', 'link2.omega', 'V1.pressure', 'V2.pressure', 'V3.pressure', 'dcv.spool']
    found = rows(out / 'matrix88.csv')
    equal(len(found), 3 * 36, 'entries')
    for row in found:
        line, column = states.index(row['row']), states.index(row['column'])
        want = case_of(row['scenario'])['J'][line][column]
        if column == 5 and line != 5:
            continue  # a closed valve: the mean of both sides, not the printed zero
        largest = max(map(abs, case_of(row['scenario'])['J'][line]))
        for model in ('planar model', 'spatial model of ten coordinates'):
            near(number(row[model]), want, 1e-11 * abs(want) + (1e-13 * largest if want == 0 else 0), f'{model} {row}')


def test_responses(out):
    """the responses are the golden ones at every hundredth of a second"""
    for scenario, (_, stem) in SCENARIOS.items():
        found = {round(number(row['t [s]']), 6): row for row in rows(out / f'response-{scenario}.csv')}
        equal(len(found), 4001, 'rows')
        want = rows(GOLDEN / f'response_scale_{stem}.csv')
        for name, column, wanted in (('phi2', 'phi2 [rad]', 'phi2_minus_phi20_rad'), ('p1', 'p1 [Pa]', 'p1'),
                                     ('p3', 'p3 [Pa]', 'p3')):
            start = number(want[0][wanted])
            peak = max(abs(number(row[wanted]) - start) for row in want)
            linear = column.replace(' [', ' L [')
            wanted_linear = 'phi2_lin' if name == 'phi2' else f'{name}_lin'
            for row in want:
                here = found[round(number(row['t']), 6)]
                near(number(here[column]), number(row[wanted]), 1e-5 * peak, f'{scenario} {column} at {row["t"]}')
                if row[wanted_linear] and number(row['t']) > 1.5:
                    near(number(here[linear]), number(row[wanted_linear]), 1e-5 * peak,
                         f'{scenario} {linear} at {row["t"]}')


def test_differences(out):
    """NL and L are as far apart as they should"""
    summary = golden('response_summary.json')
    found = rows(out / 'differences.csv')
    equal(len(found), 12, 'rows')
    for row in found:
        name = row['quantity'].split()[0]
        want = summary[SCENARIOS[row['scenario']][0]]
        near(number(row['rms']), want['rms_difference'][name], 1e-4 * want['rms_difference'][name], f'rms {row}')
        near(number(row['max']), want['max_difference'][name], 1e-4 * want['max_difference'][name], f'max {row}')


def test_torque(out):
    """Fig. 6 is eq. (92)"""
    for row in rows(out / 'fig06-torque.csv'):
        t = number(row['t [s]'])
        near(number(row['M2 [N m]']), 0 if t >= 1.5 - 1e-9 else min(250 * t, 250), 1e-9, f'torque at {t}')


def test_friction(out):
    """Fig. 13: the tangent has the slope at rest, the curve is eq. (8)"""
    slope = golden('linearization.json')['scalars_at_equilibrium_friction_scale_1']['friction_slope_at_rest']
    for row in rows(out / 'fig13-friction.csv'):
        v = number(row['speed [m/s]'])
        z = v / 0.0125
        near(number(row['tangent [N]']), slope * v, 1e-12 * abs(slope * v), f'tangent at {v}')
        near(number(row['F [N]']), 210 * math.tanh(4 * z) + 620 * z / (z * z / 4 + 0.75) ** 2 + 330 * v, 1e-9, f'F at {v}')


def test_counterpart(out):
    """Fig. 14: truncation grows with the square of the step; the counterpart has 18 null eigenvalues too many"""
    curve = golden('linearization.json')['counterpart']['truncation_only_si_step']
    factor = curve[2]['eps3'] / curve[2]['h'] ** 2
    compared = 0
    for row in rows(out / 'fig14-counterpart-error.csv'):
        h = number(row['h'])
        if 1e-5 <= h <= 2e-4:
            near(number(row['eps3 with 1e6 h Pa']) / (factor * h * h), 1, 0.01, f'eps3 at {h}')
            near(number(row['eps4 with 1e6 h Pa']) / (factor * h * h), 1, 0.01, f'eps4 at {h}')
            compared += 1
        if 1e-7 <= h <= 1e-4 and not number(row['eps3 with h Pa']) < 0.1:
            raise AssertionError(f'eps3 with one h at {h}')
    if compared < 8:
        raise AssertionError(f'only {compared} steps compared')
    page = (out / 'report.md').read_text(encoding='utf-8')
    for words in ('24 states, 20 null eigenvalues in 11 blocks: 18 more', 'two for each of the 9 constraints'):
        if words not in page:
            raise AssertionError(f'report.md does not say {words!r}')


# ---- the quasistatic cylinder ------------------------------------------------------------------------

ROOT = 0.6 * 1e-4 * math.sqrt(2 / 850)
TANK = 1e5  # of the examples
AH, AR, PHM, PRM, PM, Q = 0.024, 0.012, 42e6, 40e6, 36e6, 0.5 / 60


def gamma(v, uc, ub):
    """The map of a cylinder with a pump of its own for v != 0, from the formulas of the source."""
    if uc == 0 or uc * v < 0:
        return AH * PHM if v < 0 else -AR * PRM
    driving, draining = ((AH, PHM), (AR, PRM)) if uc > 0 else ((AR, PRM), (AH, PHM))
    (area, limit), (other, other_limit) = driving, draining
    speed, bleed = abs(v), ROOT * ub
    spare = Q / area - speed
    supply = area ** 3 / bleed ** 2 * math.copysign(spare ** 2, spare) if bleed > 0 else math.copysign(math.inf, spare)
    push = min(area * PM, supply) - (speed * area ** 1.5 / (ROOT * uc)) ** 2
    brake = min((speed * other ** 1.5 / (ROOT * uc)) ** 2, other * other_limit)
    return math.copysign(1, uc) * (min(max(push, 0), area * limit) - brake)


def families(found, *keys):
    """Rows with equal keys, in order."""
    groups = {}
    for row in found:
        groups.setdefault(tuple(number(row[key]) for key in keys), []).append(row)
    return groups


def test_map(out):
    """Fig. 3: the map is that of the reference formulas, and it never rises"""
    groups = families(rows(out / 'quasistatic-fig03-map.csv'), 'uc', 'ub')
    equal(len(groups), 9 + 6, 'curves')  # (a) and (b) are two of (c)
    for (uc, ub), curve in groups.items():
        for row in curve:
            v, f = number(row['v [m/s]']), number(row['f [N]'])
            if v != 0 and not (ub == 0 and abs(v - Q / AH) < 1e-12):
                near(f, gamma(v, uc, ub), 1e-9 * AH * PHM, f'uc {uc}, ub {ub}, v {v}')
    segments = {row['segment'] for row in groups[(0.5, 0.2)]}
    if not {'FhM', '+2a', '+1a', '+3', 'FrM'} <= segments:
        raise AssertionError(f'segments {segments}')


def test_regeneration(out):
    """Fig. 8: the force grows with the opening, and shut it is the map of Fig. 3"""
    groups = families(rows(out / 'quasistatic-fig08-regeneration.csv'), 'ua')
    equal([key[0] for key in groups], [0, 0.25, 0.5, 0.75, 1], 'openings')
    for row in groups[(0.0,)]:
        v = number(row['v [m/s]'])
        if v != 0:
            near(number(row['f [N]']), gamma(v, 0.5, 0.2), 1e-9 * AH * PHM, f'v {v}')
    at = [{round(number(row['v [m/s]']), 9): number(row['f [N]']) for row in curve if number(row['v [m/s]']) > 0}
          for curve in groups.values()]
    common = set.intersection(*map(set, at))
    if len(common) < 200:
        raise AssertionError(f'only {len(common)} velocities in common')
    for less, more in zip(at, at[1:]):
        if any(more[v] < less[v] - 1e-6 for v in common) or not any(more[v] > less[v] + 1e4 for v in common):
            raise AssertionError('a larger opening does not help')


def test_shared_pump(out):
    """Fig. 12: flows balance at the node, and a faster second cylinder leaves less for the first"""
    groups = families(rows(out / 'quasistatic-fig12-shared-pump.csv'), 'uc', 'v2 [m/s]')
    equal(len(groups), 8, 'curves')
    for (uc, v2), curve in groups.items():
        area, limit = (AH, PHM) if uc > 0 else (AR, PRM)
        opening = ROOT * abs(uc) / area ** 1.5
        for row in curve:
            P, relief = number(row['P [Pa]']), number(row['relief flow [m3/s]'])
            drawn = 0
            for v in (number(row['v1 [m/s]']), v2):
                speed = v if uc > 0 else -v
                drawn += area * max(min(speed, opening * math.sqrt(area * P)),
                                    opening * math.sqrt(max(area * P - area * limit, 0)), 0)
            near(Q - ROOT * 0.2 * math.sqrt(P) - drawn - relief, 0, 1e-9 * Q, f'balance at {row}')
            if relief > 1e-9 * Q:
                near(P, PM, 1e-9 * PM, f'relief pressure at {row}')
    for uc, sign in ((0.5, 1), (-0.5, -1)):
        curves = [[number(row['f1 [N]']) for row in curve] for (u, _), curve in groups.items() if u == uc]
        for slow, fast in zip(curves, curves[1:]):
            if any(sign * (b - a) > 1e-6 for a, b in zip(slow, fast)):
                raise AssertionError(f'uc {uc}: a faster second cylinder helps the first')


def same_columns(found, want, columns, what):
    """Columns (of the file, golden, tolerance) at every hundredth of a second; golden pressures count from the tank."""
    found = {round(number(row['t [s]']), 6): row for row in found}
    equal(len(found), len(want), f'rows of {what}')
    for row in want:
        here = found[round(number(row['t']), 6)]
        for column, wanted, tolerance in columns:
            outside = TANK if column.endswith('[Pa]') else 0.0
            near(number(here[column]), number(row[wanted]) + outside, tolerance, f'{what} {column} at {row["t"]}')


def test_arm(out):
    """Fig. 6: ODE and discrete form are the golden trajectories; the relief valve opens at t*"""
    found = rows(out / 'quasistatic-fig06-arm.csv')
    same_columns(found, rows(GOLDEN / 'arm_70.csv'),
                 [('uc', 'uc', 1e-9), ('fey [N]', 'fey', 1e-6), ('theta [rad]', 'theta', 1e-5),
                  ('length [m]', 'length', 1e-5), ('p [m]', 'p', 1e-5), ('f [N]', 'f', 1e-3 * AR * PRM)], 'ODE form')
    same_columns(found, rows(GOLDEN / 'arm_72.csv'),
                 [('discrete theta [rad]', 'theta', 1e-8), ('discrete f [N]', 'f', 1e-6 * AR * PRM)], 'discrete form')
    page = (out / 'report.md').read_text(encoding='utf-8')
    opens = re.search(r'The relief valve opens at t\* = ([\d.]+) s', page)
    # rows lie 2 ms apart, and the one after the opening is told
    near(float(opens[1]) - 0.001, golden('arm.json')['hold_lift_drop']['t_star_ode'], 0.0011, 't*')


def test_regeneration_arm(out):
    """Fig. 10: both arms sink as they should"""
    found = rows(out / 'quasistatic-fig10-regeneration.csv')
    for name, column in (('ua0', 'shut'), ('ua05', 'open')):
        same_columns(found, rows(GOLDEN / f'regen_{name}_70.csv'), [(f'theta {column} [rad]', 'theta', 1e-5)], column)


def test_two_arms(out):
    """Fig. 13: both scenarios are the golden trajectories"""
    found = rows(out / 'quasistatic-fig13-two-arms.csv')
    for scenario, name in (('I', '1'), ('II', '2')):
        same_columns(found, rows(GOLDEN / f'two_arms_{name}.csv'),
                     [(f'{scenario} theta{k} [rad]', f'theta{k}', 1e-8) for k in (1, 2)] +
                     [(f'{scenario} P [Pa]', 'P', 1e-6 * PM)], f'scenario {scenario}')


def test_timing(out):
    """the exact matrix is the faster one in both models; the published times stand beside"""
    found = rows(out / 'timing.csv')
    times = [number(row['time [s]']) for row in found]
    equal([number(row['published time [s]']) for row in found[:2]], [0.005, 0.016], 'published times')
    equal([row['states'] for row in found[:4]], ['6', '24', '6', '22'], 'states')
    if not (0 < times[0] < times[1] and 0 < times[2] < times[3]):
        raise AssertionError(f'times {times}')


def test_misuse(_):
    """bad usage is refused with a reason"""
    for arguments, word in (([], '--out'), ([FOUR_BAR, '--out', 'never'], 'takes no file'),
                            (['--out', 'never', '--set', 'cyl.friction.Fc=1'], 'published'),
                            (['--out', '/dev/null/never'], 'folder')):
        result = run(*arguments)
        equal(result.returncode, 1 if word == 'folder' else 2, f'status of {arguments}')
        if word not in result.stderr:
            raise AssertionError(f'{arguments}: {result.stderr}')


TESTS = [value for name, value in list(globals().items()) if name.startswith('test_')]


def main():
    failed = 0
    print(f'1..{len(TESTS) + 1}')
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'a' / 'b'
        result = run('--out', out)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = used.ru_utime + used.ru_stime
        good = result.returncode == 0 and seconds < MOST_SECONDS
        if not good:
            print(f'# status {result.returncode}, {seconds:.1f} s: ' + result.stderr.replace('\n', '\n# '))
        print(f'{"ok" if good else "not ok"} 1 - it runs in {MOST_SECONDS} seconds of computing')
        for index, test in enumerate(TESTS, 2):
            try:
                test(out)
                good = True
            except Exception as error:  # every failure is one line of the report
                good = False
                print('# ' + f'{type(error).__name__}: {error}'.replace('\n', '\n# '))
            failed += not good
            print(f'{"ok" if good else "not ok"} {index} - {test.__doc__}', flush=True)
    return 1 if failed or result.returncode != 0 or seconds >= MOST_SECONDS else 0


if __name__ == '__main__':
    sys.exit(main())
