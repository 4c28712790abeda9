# SPDX-License-Identifier: MIT
"""Circuits that stand at a kink to the last bit, by numbers that are sums of powers of two."""

P, Q = 4194304.0, 1048576.0  # [Pa]


def _line(id_, pressure, *ports):
    return {'id': id_, 'ports': list(ports), 'volume': 0.001, 'pressure': pressure}


def _file(component, lines, **more):
    return {'format': 'hydrolink', 'version': 1, 'components': [{'id': 'v', **component}], 'lines': lines,
            'simulation': {'start': 'as-given', 't_end': 1e-6, 'every': 1e-6}, **more}


def _valve(r, at, **more):
    pressures = {port: P * k / 2 for port, k in zip('PTAB', r.sample(range(1, 9), 4))}
    return _file({'kind': 'directional-valve', 'Cv': r.uniform(1e-8, 1e-6), 'time_constant': 0.125, 'command': r.uniform(-1, 1),
                  'spool': at} | more, [_line('L' + port, pressures[port], 'v.' + port) for port in 'PTAB'])


def _metered(r, signal, **more):
    return _file({'kind': 'metering-valve', 'area': r.uniform(1e-6, 1e-5), 'opening': signal} | more,
                 [_line('A', 4 * P, 'v.A'), _line('B', P, 'v.B')])


def _seal(r, model, z):
    friction = {'model': model, 'Fc': 200.0, 'Fs': 350.0, 'vs': 0.02, 'sigma0': 1e6, 'sigma1': 500.0, 'sigma2': 100.0,
                've': 0.001, 'vd': 0.05, 'bristle': z}
    if model == 'lugre':
        del friction['ve'], friction['vd']
    return _file({'kind': 'cylinder', 'base': 'ground.O', 'rod': 'load.O', 'piston_area': r.uniform(1e-3, 2e-3),
                  'rod_side_area': 7e-4, 'stroke': 0.5, 'friction': friction},
                 [_line('A', P, 'v.A'), _line('B', Q, 'v.B')], ground={'points': {'O': [0, 0]}},
                 bodies=[{'id': 'load', 'points': {'O': [0, 0]}, 'mass': 50.0, 'inertia': 1.0, 'pose': [0.25, 0, 0]}],
                 joints=[{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'load.O', 'axis': 0.0, 'angle': 0}])


def cases(r):
    """(name, file)"""
    sensor = {'kind': 'sensor', 'of': 'B.pressure', 'gain': 0.5 / P}
    yield 'dead zone', _valve(r, 0.25, dead_zone=0.25)
    yield 'dead zone, other side', _valve(r, -0.25, dead_zone=0.25)
    yield 'beside it', _valve(r, 0.25 + 2**-40, dead_zone=0.25)
    yield 'edge of its own', _valve(r, -0.5, PB={'overlap': 0.5, 'gain': r.uniform(0.5, 2)}, AT={'overlap': -0.125})
    yield 'negative overlap', _valve(r, -0.125, PA={'overlap': -0.125}, BT={'overlap': -0.125})
    yield 'tandem, middle', _valve(r, 0.0, centre='tandem', dead_zone=0.25)
    yield 'tandem, its edge', _valve(r, 0.25, centre='tandem', centre_opening=0.25)
    yield 'open centre at rest', _valve(r, 0.0, centre='open')
    yield 'rate limit', _valve(r, 0.25, command=0.5, rate_limit=2.0)
    yield 'rate limit backward', _valve(r, 0.25, command=0.0, rate_limit=2.0)
    yield 'rate limit of second order', _valve(r, 0.25, command=0.5, rate_limit=50.0, time_constant=0.0, natural_frequency=256.0,
                                               damping_ratio=0.64, spool_rate=r.uniform(-9, 9))
    yield 'feedback at an edge', _file({'kind': 'directional-valve', 'Cv': 1e-7, 'dead_zone': 0.125, 'command':
                                        {'kind': 'sensor', 'of': 'LA.pressure', 'gain': 0.125 / P}},
                                       [_line('LP', 4 * P, 'v.P'), _line('LT', Q, 'v.T'), _line('LA', P, 'v.A'), _line('LB', Q / 2, 'v.B')])
    yield 'metering full', _metered(r, sensor | {'offset': 0.5})
    yield 'metering shut', _metered(r, sensor | {'offset': -0.5})
    yield 'limit', _metered(r, {'kind': 'limit', 'of': sensor, 'min': 0.5, 'max': 0.75})
    yield 'limit above', _metered(r, {'kind': 'limit', 'of': sensor, 'min': 0.25, 'max': 0.5})
    yield 'dead zone of a signal', _metered(r, {'kind': 'gain', 'gain': 1.0, 'offset': 0.375, 'of':
                                                {'kind': 'dead-zone', 'of': sensor, 'width': 0.5}})
    yield 'pid at a bound', _metered(r, {'kind': 'pid', 'of': 'B.pressure', 'target': 2 * P, 'kp': 0.5 / P, 'ki': 1 / P, 'min': 0.0,
                                         'max': 0.5, 'anti_windup': r.uniform(1, 2) * P})
    yield 'pid within', _metered(r, {'kind': 'pid', 'of': 'B.pressure', 'target': 2 * P, 'kp': 0.5 / P, 'ki': 1 / P, 'min': 0.0,
                                     'max': 0.625})
    yield 'one way at its zero', _metered(r, 0.5, one_way=True) | {'lines': [_line('A', P, 'v.A'), _line('B', P, 'v.B')]}
    yield 'laminar limit', _metered(r, 0.5, dp_lim=Q) | {'lines': [_line('A', P + Q, 'v.A'), _line('B', P, 'v.B')]}
    yield 'check at its cracking', _file({'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5, 'cracking_pressure': Q},
                                         [_line('A', P + Q, 'v.A'), _line('B', P, 'v.B')])
    yield 'relief at its setting', _file({'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 2 * P},
                                         [_line('A', 3 * P, 'v.A'), _line('T', P, 'v.T')])
    yield 'relief with a range', _file({'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 2 * P, 'opening_range': Q},
                                       [_line('A', 3 * P, 'v.A'), _line('T', P, 'v.T')])
    yield 'by-pass', _file({'kind': 'counterbalance-valve', 'area': 1e-5, 'pressure': P, 'pilot_ratio': 3.0, 'opening_range': Q,
                            'check_cracking_pressure': Q, 'time_constant': 0.01}, [_line('A', P, 'v.A'), _line('B', P + Q, 'v.B'), _line('X', P, 'v.X')])
    yield 'pilot piston', _file({'kind': 'pilot-check-valve', 'area': 1e-5, 'pilot_ratio': 3.0, 'opening_range': 4 * Q},
                                [_line('A', P, 'v.A'), _line('B', P - Q, 'v.B'), _line('X', P, 'v.X')])
    yield 'least swash', _file({'kind': 'variable-pump', 'displacement': 1e-5, 'speed': 150, 'time_constant': 0.05, 'minimum_swash': 0.25,
                                'cut_off_pressure': P, 'cut_off_range': 4 * P, 'command': {'kind': 'sensor', 'of': 'X.pressure', 'gain': 0.25 / P}},
                               [_line('P', 3 * P, 'v.P'), _line('S', Q, 'v.S'), _line('X', P, 'v.X')])
    yield 'bent bristle', _seal(r, 'lugre', 1e-5)
    yield 'straight bristle', _seal(r, 'lugre', 0.0)
    yield 'modified bristle', _seal(r, 'modified-lugre', 1e-5)
