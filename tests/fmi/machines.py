# SPDX-License-Identifier: MIT
"""Machines that no file has, as models of this program."""
import numpy as np


def touched_crank():
    """A balanced crank whose cylinder meets its stop by 1 mm once in a turn."""
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'G': [0, 0], 'H': [-1, 0]}},
            'bodies': [{'id': 'crank', 'points': {'O': [0, 0], 'P': [0.1, 0]}, 'mass': 10, 'inertia': 0.5, 'pose': [0, 0, 2],
                        'velocity': [0, 0, 10]}],
            'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.G', 'b': 'crank.O'}],
            'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.H', 'rod': 'crank.P', 'piston_area': 1e-3,
                            'rod_side_area': 1e-3, 'stroke': 0.399, 'c1': 0.35, 'c2': 0.35}, {'id': 'tank', 'kind': 'tank'}],
            'lines': [{'id': 'T', 'ports': ['cyl.A', 'cyl.B', 'tank.T']}],
            'probes': [{'id': 'w', 'of': 'crank.omega'}],
            'simulation': {'t_end': 5, 'every': 0.5, 'rtol': 1e-9, 'start': 'as-given', 'integrator': 'radau'}}


def gated_slide():
    """A valve moves a slide when its sine is beyond the dead zone, a part of each period."""
    command = {'kind': 'sine', 'amplitude': 0.6, 'frequency_hz': 0.2, 'offset': 0.1}
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},
            'ground': {'points': {'G': [0, 0]}},
            'bodies': [{'id': 'm', 'points': {'P': [0, 0]}, 'mass': 50, 'inertia': 1, 'pose': [0.5, 0, 0]}],
            'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.G', 'b': 'm.P', 'axis': 0}],
            'components': [{'id': 'c', 'kind': 'cylinder', 'base': 'ground.G', 'rod': 'm.P', 'piston_area': 1e-3,
                            'rod_side_area': 1e-3, 'stroke': 1, 'friction': {'model': 'viscous', 'sigma2': 2000}},
                           {'id': 's', 'kind': 'pressure-source', 'pressure': 1e7}, {'id': 't', 'kind': 'tank'},
                           {'id': 'v', 'kind': 'directional-valve', 'Cv': 1e-8, 'dead_zone': 0.5, 'command': command}],
            'lines': [{'id': 'LA', 'ports': ['c.A', 'v.A'], 'volume': 1e-4, 'pressure': 5e6},
                      {'id': 'LB', 'ports': ['c.B', 'v.B'], 'volume': 1e-4, 'pressure': 5e6},
                      {'id': 'P', 'ports': ['s.P', 'v.P']}, {'id': 'T', 'ports': ['t.T', 'v.T']}],
            'probes': [{'id': 'x', 'of': 'm.x'}, {'id': 'p', 'of': 'LA.pressure'}],
            'simulation': {'t_end': 10, 'every': 1, 'rtol': 1e-9, 'start': 'as-given', 'integrator': 'radau'}}


def motor_crank():
    """A motor turns a crank round and round; its rocker works a cylinder of bristles that meets its stop in each turn."""
    crank, rod, rocker, apart, angle = 0.15, 0.6, 0.4, 0.65, 0.6

    def places(angle):
        a = crank * np.array([np.cos(angle), np.sin(angle)])
        to = np.array([apart, 0]) - a
        far = np.hypot(*to)
        up = np.arctan2(to[1], to[0]) + np.arccos((rod ** 2 + far ** 2 - rocker ** 2) / (2 * rod * far))
        return a, a + rod * np.array([np.cos(up), np.sin(up)]), up

    a, b, up = places(angle)
    back = np.arctan2(b[1], b[0] - apart)
    foot = np.array([1.3, 0.25])
    longest = max(np.hypot(*(foot - 0.4 * np.array([apart, 0]) - 0.6 * places(turn)[1])) for turn in np.linspace(0, 2 * np.pi, 721))
    table = {'kind': 'table', 't': [0, 0.3, 1.5], 'y': [0, 2.4e-4, 2.4e-4], 'between': 'line'}
    oil = {'volume': 1.5e-4, 'pressure': 1.5e6}
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0], 'D': [apart, 0], 'foot': foot.tolist()}},
            'bodies': [{'id': 'crank', 'points': {'O': [0, 0], 'A': [crank, 0]}, 'mass': 5, 'inertia': 0.35, 'pose': [0, 0, angle]},
                       {'id': 'rod', 'points': {'A': [0, 0], 'B': [rod, 0]}, 'mass': 4, 'inertia': 0.12, 'com': [rod / 2, 0], 'pose': [*a, up]},
                       {'id': 'rocker', 'points': {'D': [0, 0], 'B': [rocker, 0], 'm': [0.6 * rocker, 0]}, 'mass': 6, 'inertia': 0.1,
                        'com': [rocker / 2, 0], 'pose': [apart, 0, back]}],
            'joints': [{'id': 'jO', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.O',
                        'friction': {'torque': 6, 'speed': 0.05, 'viscous': 0.4}},
                       *({'id': f'j{p}', 'kind': 'revolute', 'a': f'{i}.{p}', 'b': f'{j}.{p}'}
                         for p, i, j in (('A', 'crank', 'rod'), ('B', 'rod', 'rocker'), ('D', 'ground', 'rocker')))],
            'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': table, 'relief_pressure': 14e6},
                           {'id': 'tank', 'kind': 'tank', 'pressure': 1.5e6},
                           {'id': 'motor', 'kind': 'motor', 'a': 'ground', 'b': 'crank', 'displacement': 4e-5, 'leakage': 4e-12,
                            'friction_torque': 4, 'friction_speed': 0.5, 'viscous_friction': 0.1},
                           *({'id': k, 'kind': 'throttle', 'diameter': 0.007} for k in ('between', 'back', 'of_A', 'of_B')),
                           {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.foot', 'rod': 'rocker.m', 'piston_diameter': 0.05,
                            'rod_diameter': 0.025, 'stroke': 0.3, 'c1': 0.2, 'c2': float(longest) - 0.5 - 1.2e-4,
                            'friction': {'model': 'lugre', 'Fc': 60, 'Fs': 90, 'vs': 0.01, 'sigma0': 2e5, 'sigma1': 300, 'sigma2': 80}}],
            'lines': [{'id': 'S', 'ports': ['pump.P', 'motor.A'], **oil}, {'id': 'R', 'ports': ['motor.B', 'back.A'], **oil},
                      {'id': 'A', 'ports': ['cyl.A', 'between.A', 'of_A.A'], **oil}, {'id': 'B', 'ports': ['cyl.B', 'between.B', 'of_B.A'], **oil},
                      {'id': 'T', 'ports': ['tank.T', 'back.B', 'of_A.B', 'of_B.B']}],
            'probes': [{'id': k, 'of': of} for k, of in (('turn', 'crank.angle'), ('w', 'crank.omega'), ('s', 'cyl.s'), ('p', 'S.pressure'),
                                                         ('z', 'cyl.bristle'), ('f', 'cyl.force'))],
            'simulation': {'t_end': 2.5, 'every': 0.025, 'rtol': 1e-11, 'start': 'as-given'}}


def scissors(stages):
    """A table on scissors: two arms a stage, a cylinder between them, and its own valves. One degree of freedom."""
    length, angle = 1.0, 0.5
    high, wide = length * np.sin(angle), length * np.cos(angle)
    ends = {'l': [-length / 2, 0], 'm': [0, 0], 'r': [length / 2, 0]}
    bodies, joints, components, lines = [], [], [], []
    pump, tank = ['pump.P'], ['tank.T']
    for k in range(stages):
        bodies += [{'id': f'{arm}{k}', 'points': ends, 'mass': 20, 'inertia': 2, 'pose': [wide / 2, (k + 0.5) * high, turn * angle]}
                   for arm, turn in (('rise', 1), ('fall', -1))]
        pins = [(f'rise{k}.m', f'fall{k}.m')]
        pins += [('ground.O', 'rise0.l')] if k == 0 else [(f'fall{k - 1}.l', f'rise{k}.l'), (f'rise{k - 1}.r', f'fall{k}.r')]
        joints += [{'id': f'pin{k}_{i}', 'kind': 'revolute', 'a': a, 'b': b} for i, (a, b) in enumerate(pins)]
        components += [{'id': f'valve{k}', 'kind': 'directional-valve', 'Cv': 1e-7, 'time_constant': 0.01, 'command': 0.05},
                       {'id': f'relief{k}', 'kind': 'relief-valve', 'pressure': 15e6, 'Cd': 0.6, 'area': 2e-5, 'opening_range': 1e6},
                       {'id': f'cyl{k}', 'kind': 'cylinder', 'base': f'fall{k}.r', 'rod': f'rise{k}.l', 'piston_diameter': 0.06,
                        'rod_diameter': 0.03, 'stroke': 0.6, 'c1': 0.3, 'c2': 0.2,
                        'friction': {'model': 'brown-mcphee', 'Fc': 50, 'Fs': 80, 'vs': 0.02, 'sigma2': 500}}]
        pump.append(f'valve{k}.P')
        tank += [f'valve{k}.T', f'relief{k}.T']
        lines += [{'id': f'{side}{k}', 'ports': [f'valve{k}.{side}', f'cyl{k}.{side}', *([f'relief{k}.A'] if side == 'A' else [])],
                   'volume': 2e-4, 'pressure': 3e6} for side in 'AB']
    joints.append({'id': 'slide', 'kind': 'slot', 'a': 'ground.O', 'b': 'fall0.r', 'axis': 0.0})
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0]}}, 'bodies': bodies, 'joints': joints,
            'components': [{'id': 'pump', 'kind': 'pressure-source', 'pressure': 12e6}, {'id': 'tank', 'kind': 'tank'}, *components],
            'lines': [*lines, {'id': 'P', 'ports': pump}, {'id': 'T', 'ports': tank}],
            'probes': [{'id': 'y', 'of': f'rise{stages - 1}.y'}, {'id': 'p', 'of': 'A0.pressure'}, {'id': 'f', 'of': 'cyl0.force'}],
            'simulation': {'t_end': 0.2, 'every': 0.02, 'rtol': 1e-11, 'start': 'as-given'}}


def rods(angles, closes=False, edges=False):
    """Rods on pins in a row from the ground; the last one ends there, too. With edges in plan and on the move: a knife edge under
    each and springs between them instead."""
    length, n = 0.1, len(angles)
    ends, bodies, joints, loads = [], [], [], []
    for k, angle in enumerate(angles):
        along = length * np.array([np.cos(angle), np.sin(angle)])
        begin = np.array(ends[-1]) if k > 0 else np.zeros(2)
        ends.append((begin + along).tolist())
        bodies.append({'id': f'rod{k}', 'points': {'a': [-length / 2, 0], 'm': [0, 0], 'b': [length / 2, 0]}, 'mass': 0.5, 'inertia': 5e-4,
                       'pose': [*(begin + along / 2), angle], 'velocity': [*(10 * along if edges else (0, 0)), 0.2 if edges else 0]})
        if edges:
            joints.append({'id': f'edge{k}', 'kind': 'knife-edge', 'point': f'rod{k}.m', 'axis': 0})
        if k > 0 or not edges:
            joints.append({'id': f'pin{k}', 'kind': 'revolute', 'a': f'rod{k - 1}.b' if k > 0 else 'ground.O', 'b': f'rod{k}.a'})
        if k > 0:
            loads.append({'id': f'spring{k}', 'kind': 'torsion-spring', 'a': f'rod{k - 1}', 'b': f'rod{k}',
                          'stiffness': 0.02, 'damping': 0.001, 'free_angle': 0})
    points = {'O': [0, 0]}
    if closes:
        points['E'] = ends[-1]
        joints.append({'id': 'end', 'kind': 'revolute', 'a': f'rod{n - 1}.b', 'b': 'ground.E'})
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0 if edges else -9.81], 'ground': {'points': points}, 'bodies': bodies,
            'joints': joints, 'loads': loads if edges else [],
            # places that are looked at are coordinates, and wear out as the rods turn
            'probes': [*({'id': k, 'of': f'rod{n // 2}.{k}'} for k in (['angle'] if edges else 'xy')), {'id': 'w', 'of': f'rod{n - 1}.omega'}],
            'simulation': {'t_end': 0.3, 'every': 0.03, 'rtol': 1e-11, 'start': 'as-given'}}


def chain(n):
    """Rods in a row, in a zigzag."""
    return rods([-0.3 - 0.4 * (k % 2) for k in range(n)])


def bridge(n):
    """The same between two points, and slack: it falls through its middle."""
    return rods([0.9 - 1.8 * k / (n - 1) for k in range(n)], closes=True)


def train(n):
    """Cars in a row."""
    return rods([0.3 * np.sin(1.3 * k) for k in range(n)], edges=True)


def ladder(n):
    """Volumes of oil in a row from a pump to the tank, a throttle before and behind each."""
    return {'format': 'hydrolink', 'version': 1,
            'components': [{'id': 'pump', 'kind': 'pressure-source', 'pressure': 1e7}, {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},
                           *({'id': f'R{k}', 'kind': 'throttle', 'diameter': 0.004} for k in range(n + 1))],
            'lines': [{'id': 'P', 'ports': ['pump.P', 'R0.A']}, {'id': 'T', 'ports': [f'R{n}.B', 'tank.T']},
                      *({'id': f'V{k}', 'ports': [f'R{k}.B', f'R{k + 1}.A'], 'volume': 1e-4, 'pressure': 1e6} for k in range(n))],
            'probes': [{'id': f'p{k}', 'of': f'V{k}.pressure'} for k in (0, n // 2, n - 1)],
            'simulation': {'t_end': 0.2, 'every': 0.02, 'rtol': 1e-11, 'start': 'as-given'}}


def parallelogram(n):
    """Equal rockers from angle 1 under one bar, which they are on a line with when they lie flat; two of them would do."""
    angle, names = 1.0, [f'rocker{k}' for k in range(n)]
    at = {name: 0.4 * k for k, name in enumerate(names)}
    reach = np.array([np.cos(angle), np.sin(angle)])
    rockers = [{'id': name, 'points': {'pin': [-0.25, 0], 'end': [0.25, 0]}, 'mass': 1, 'inertia': 0.02,
                'pose': [at[name] + 0.25 * reach[0], 0.25 * reach[1], angle]} for name in names]
    bar = {'id': 'bar', 'points': {name: [at[name] - 0.4, 0] for name in names}, 'mass': 2, 'inertia': 0.1,
           'pose': [0.4 + 0.5 * reach[0], 0.5 * reach[1], 0]}
    joints = [{'id': f'{a[0]}-{name}', 'kind': 'revolute', 'a': f'{a}.{name}', 'b': f'{name}.{b}'}
              for a, b in (('ground', 'pin'), ('bar', 'end')) for name in names]
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {name: [at[name], 0] for name in names}},
            'bodies': [*rockers, bar], 'joints': joints,
            'probes': [{'id': k, 'of': f'bar.{k}'} for k in ('y', 'vx', 'vy')] + [{'id': 'f', 'of': 'g-rocker1.fx'}],
            'simulation': {'t_end': 0.6, 'every': 0.04, 'rtol': 1e-11, 'start': 'as-given'}}


def braced_boom():
    """A boom that a cylinder lifts past two throttles, with an accumulator at its head side and a spring at its tip."""
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0], 'C': [0.4, -0.9], 'S': [2.4, 1.5]}},
            'bodies': [{'id': 'boom', 'points': {'O': [-1.1, 0], 'C': [-0.1, 0.05], 'tip': [1.2, 0]}, 'mass': 150, 'inertia': 60, 'pose': [1.1, 0, 0]}],
            'joints': [{'id': 'pivot', 'kind': 'revolute', 'a': 'ground.O', 'b': 'boom.O', 'friction': {'torque': 15, 'speed': 0.05, 'viscous': 3}}],
            'loads': [{'id': 'brace', 'kind': 'spring', 'a': 'boom.tip', 'b': 'ground.S', 'stiffness': 900, 'damping': 40, 'free_length': 1.3}],
            'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': {'kind': 'table', 't': [0, 0.05, 0.25], 'y': [2e-5, 2e-5, 2e-4], 'between': 'line'}, 'relief_pressure': 12e6},
                           {'id': 'tank', 'kind': 'tank'}, {'id': 'inlet', 'kind': 'throttle', 'diameter': 0.004}, {'id': 'outlet', 'kind': 'throttle', 'diameter': 0.005},
                           {'id': 'acc', 'kind': 'accumulator', 'volume': 5e-4, 'precharge': 8e5, 'polytropic_index': 1.3},
                           {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.C', 'rod': 'boom.C', 'piston_diameter': 0.063, 'rod_diameter': 0.036, 'stroke': 0.8, 'c1': 0.5,
                            'c2': 0.1, 'friction': {'model': 'brown-mcphee', 'Fc': 120, 'Fs': 180, 'vs': 0.02, 'sigma2': 900}}],
            'lines': [{'id': 'P', 'ports': ['pump.P', 'inlet.A'], 'volume': 1e-4, 'pressure': 1.7e6},
                      {'id': 'A', 'ports': ['inlet.B', 'acc.A', 'cyl.A'], 'volume': 2e-4, 'pressure': 1.6e6},
                      {'id': 'B', 'ports': ['cyl.B', 'outlet.A'], 'volume': 2e-4, 'pressure': 3e5}, {'id': 'T', 'ports': ['outlet.B', 'tank.T']}],
            'probes': [{'id': 'angle', 'of': 'boom.angle'}, {'id': 'pA', 'of': 'A.pressure'}, {'id': 'pB', 'of': 'B.pressure'}, {'id': 'force', 'of': 'cyl.force'}],
            'simulation': {'t_end': 0.5, 'every': 0.005, 'rtol': 1e-11, 'start': 'as-given'}}


def twin_sled():
    """Two sleds on one guide, coupled by a spring; a servo valve drives the first by a sine, a check valve fills the second."""
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'G': [0, 0], 'H': [3, 0]}},
            'bodies': [{'id': 'first', 'points': {'P': [0, 0]}, 'mass': 80, 'inertia': 1, 'pose': [0.9, 0, 0]},
                       {'id': 'second', 'points': {'P': [0, 0]}, 'mass': 60, 'inertia': 1, 'pose': [2.0, 0, 0]}],
            'joints': [{'id': f'g_{b}', 'kind': 'prismatic', 'a': 'ground.G', 'b': f'{b}.P', 'axis': 0} for b in ('first', 'second')],
            'loads': [{'id': 'between', 'kind': 'spring', 'a': 'first.P', 'b': 'second.P', 'stiffness': 4e4, 'damping': 300, 'free_length': 1.1}],
            'components': [{'id': 'drive', 'kind': 'cylinder', 'base': 'ground.G', 'rod': 'first.P', 'piston_area': 1.2e-3, 'rod_side_area': 8e-4, 'stroke': 0.8, 'c1': 0.4, 'c2': 0.1,
                            'friction': {'model': 'viscous', 'sigma2': 800}},
                           {'id': 'brake', 'kind': 'cylinder', 'base': 'ground.H', 'rod': 'second.P', 'piston_area': 9e-4, 'rod_side_area': 9e-4, 'stroke': 0.9, 'c1': 0.4, 'c2': 0.1,
                            'friction': {'model': 'viscous', 'sigma2': 400}},
                           {'id': 'source', 'kind': 'pressure-source', 'pressure': 9e6}, {'id': 'tank', 'kind': 'tank', 'pressure': 3e5},
                           {'id': 'valve', 'kind': 'directional-valve', 'Cv': 4e-8, 'time_constant': 0.004,
                            'command': {'kind': 'sine', 'amplitude': 0.3, 'frequency_hz': 3, 'offset': 0.02}},
                           {'id': 'orifice', 'kind': 'throttle', 'diameter': 0.003}, {'id': 'fill', 'kind': 'check-valve', 'cracking_pressure': 2e4, 'opening_range': 1e5, 'Cd': 0.6, 'area': 2e-5}],
            'lines': [{'id': 'S', 'ports': ['source.P', 'valve.P']}, {'id': 'T', 'ports': ['tank.T', 'valve.T', 'fill.A']},
                      {'id': 'A', 'ports': ['valve.A', 'drive.A'], 'volume': 1e-4, 'pressure': 3e6}, {'id': 'B', 'ports': ['valve.B', 'drive.B'], 'volume': 1e-4, 'pressure': 4.5e6},
                      {'id': 'X', 'ports': ['brake.A', 'orifice.A', 'fill.B'], 'volume': 1e-4, 'pressure': 2e6}, {'id': 'Y', 'ports': ['brake.B', 'orifice.B'], 'volume': 1e-4, 'pressure': 2e6}],
            'probes': [{'id': 'x1', 'of': 'first.x'}, {'id': 'x2', 'of': 'second.x'}, {'id': 'pA', 'of': 'A.pressure'}, {'id': 'pX', 'of': 'X.pressure'}],
            'simulation': {'t_end': 0.6, 'every': 0.006, 'rtol': 1e-11, 'start': 'as-given'}}


def held_beam():
    """A beam whose angle a controller with integral holds against a torque that comes by steps: feedback through its valve."""
    return {'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0], 'C': [0.3, -0.7]}},
            'bodies': [{'id': 'beam', 'points': {'O': [-0.5, 0], 'C': [0.1, 0]}, 'mass': 60, 'inertia': 9, 'pose': [0.5, 0, 0]}],
            'joints': [{'id': 'pivot', 'kind': 'revolute', 'a': 'ground.O', 'b': 'beam.O'}],
            'loads': [{'id': 'push', 'kind': 'torque', 'body': 'beam', 'signal': {'kind': 'table', 't': [0, 0.1, 0.1, 0.3, 0.3], 'y': [0, 0, -200, -200, 100], 'between': 'hold'}}],
            'components': [{'id': 'source', 'kind': 'pressure-source', 'pressure': 14e6}, {'id': 'tank', 'kind': 'tank'},
                           {'id': 'valve', 'kind': 'directional-valve', 'Cv': 3e-8, 'natural_frequency': 400, 'damping_ratio': 0.8,
                            'command': {'kind': 'pid', 'of': 'beam.angle', 'target': {'kind': 'table', 't': [0, 0.05, 0.2], 'y': [0, 0, 0.06], 'between': 'line'},
                                        'kp': 8, 'ki': 20, 'kd': 0.05, 'filter': 0.005, 'min': -1, 'max': 1}},
                           {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.C', 'rod': 'beam.C', 'piston_area': 1.5e-3, 'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.4, 'c2': 0.1,
                            'friction': {'model': 'viscous', 'sigma2': 1500}}],
            'lines': [{'id': 'S', 'ports': ['source.P', 'valve.P']}, {'id': 'T', 'ports': ['tank.T', 'valve.T']},
                      {'id': 'A', 'ports': ['valve.A', 'cyl.A'], 'volume': 8e-5, 'pressure': 4e6}, {'id': 'B', 'ports': ['valve.B', 'cyl.B'], 'volume': 8e-5, 'pressure': 5e6}],
            'probes': [{'id': 'angle', 'of': 'beam.angle'}, {'id': 'pA', 'of': 'A.pressure'}, {'id': 'spool', 'of': 'valve.spool'}],
            'simulation': {'t_end': 0.5, 'every': 0.005, 'rtol': 1e-11, 'start': 'as-given'}}
