# SPDX-License-Identifier: MIT
"""Small random machines whose runs pass events, with two numbers each that a measurement can tell: accumulators that begin and cease to
take oil, valves that open and shut, spools that leave their dead zone, pilots, signals that turn at a time, pistons at their stops.
"""

import math
import random


def log(chance, a, b):
    return math.exp(chance.uniform(math.log(a), math.log(b)))


def sine(amplitude, frequency, offset=0.0):
    return {'kind': 'sine', 'amplitude': amplitude, 'frequency_hz': frequency, 'offset': offset}


def orifice(flow, pressure):
    """its area, for this flow at this pressure difference"""
    return flow / 0.6 / math.sqrt(2 * pressure / 850)


def line(name, ports, volume=1e-4, pressure=1e5):
    return {'id': name, 'ports': ports, 'volume': volume, 'pressure': pressure}


def machine(components, lines, probes, t_end, **more):
    return {'format': 'hydrolink', 'version': 1, 'name': 'fit', 'gravity': [0, 0], 'fluid': {'bulk_modulus': 1.2e9, 'density': 850},
            'components': components, 'lines': lines, 'probes': [{'id': name.replace('.', '_'), 'of': name} for name in probes],
            'simulation': {'t_end': t_end, 'every': t_end / 60, 'start': 'as-given', 'rtol': 1e-7}, **more}


def accumulator(chance):
    """oil goes in and out over the precharge"""
    kind = chance.choice(['bladder', 'piston', 'spring'])
    p0, volume, f = log(chance, 1e6, 8e6), log(chance, 1e-4, 1e-3), log(chance, 0.2, 1)
    it = {'id': 'acc', 'kind': 'accumulator', 'type': kind, 'volume': volume, 'precharge': p0}
    names = ['acc.precharge', 'acc.volume']
    if kind == 'spring':
        it['full_pressure'] = p0 * chance.uniform(1.6, 2.5)
        names[1] = chance.choice(['acc.volume', 'acc.full_pressure'])
    else:
        it['polytropic_index'] = chance.uniform(1, 1.5)
    if kind == 'bladder':
        names[1] = chance.choice(['acc.volume', 'acc.polytropic_index'])
    if kind == 'piston':
        it['resistance'] = log(chance, 1e8, 2e9)
    swing = volume * chance.uniform(0.15, 0.4)
    source = {'id': 'src', 'kind': 'flow-source', 'flow': sine(swing * math.pi * f, f)}
    return machine([source, it], [line('L', ['src.P', 'acc.A'], swing * 0.15 * 1.2e9 / p0)], ['L.pressure'],
                   chance.choice([0.9, 1.4]) / f), names


def valve(chance):
    """a valve opens when a sine of flow has filled its line"""
    kind = chance.choice(['relief-valve', 'check-valve', 'sequence-valve', 'counterbalance-valve'])
    q, f, p = log(chance, 5e-5, 3e-4), log(chance, 1, 5), log(chance, 2e6, 1e7)
    area = orifice(q, 0.25 * p) * chance.uniform(0.8, 2)
    it = {'id': 'it', 'kind': kind, 'Cd': 0.6, 'area': area, 'pressure': p, 'opening_range': p * chance.uniform(0.05, 0.3)}
    ends = {'relief-valve': 'AT', 'counterbalance-valve': 'BA'}.get(kind, 'AB')
    names = ['it.pressure', 'it.area']
    if kind == 'check-valve':
        it['cracking_pressure'] = it.pop('pressure')
        names[0] = 'it.cracking_pressure'
    if kind == 'counterbalance-valve':
        it['pilot_ratio'] = 3
    components = [{'id': 'src', 'kind': 'flow-source', 'flow': sine(q, f, q * chance.uniform(0, 0.5))}, {'id': 'sump', 'kind': 'tank'}, it,
                  {'id': 'leak', 'kind': 'throttle', 'Cd': 0.6, 'area': 0.05 * area}]
    return machine(components, [line('L', ['src.P', f'it.{ends[0]}', 'leak.A'], q / f / 4 * 1.2e9 / p * chance.uniform(0.1, 0.5)),
                                line('T', ['sump.T', f'it.{ends[1]}', 'leak.B'])], ['L.pressure'], 1.5 / f), names


def corner(chance):
    """oil comes between two times"""
    q, start, rise = log(chance, 5e-5, 3e-4), chance.uniform(0.02, 0.08), chance.uniform(0.02, 0.05)
    end = start + rise + chance.uniform(0.03, 0.1)
    flow = {'kind': 'table', 't': [0, start, start + rise, end, end], 'y': [0, 0, q, q, 0]}
    components = [{'id': 'src', 'kind': 'flow-source', 'flow': flow}, {'id': 'sump', 'kind': 'tank'},
                  {'id': 'leak', 'kind': 'throttle', 'Cd': 0.6, 'area': orifice(q, 5e6)}]
    names = [chance.choice(['src.flow.t.1', 'src.flow.t.2']), chance.choice(['fluid.bulk_modulus', 'leak.area'])]
    return machine(components, [line('L', ['src.P', 'leak.A'], q * 0.02 * 1.2e9 / 5e6), line('T', ['sump.T', 'leak.B'])],
                   ['L.pressure'], 0.3), names


def spool(chance):
    """a spool leaves its dead zone and comes back into it"""
    f = log(chance, 1, 4)
    it = {'id': 'it', 'kind': 'directional-valve', 'Cv': log(chance, 2.5e-8, 1e-7), 'dead_zone': chance.uniform(0.1, 0.4),
          'time_constant': chance.uniform(0.003, 0.02), 'command': sine(chance.uniform(0.6, 0.9), f)}
    components = [it, {'id': 'supply', 'kind': 'pressure-source', 'pressure': 8e6}, {'id': 'sump', 'kind': 'tank'},
                  {'id': 'a', 'kind': 'throttle', 'Cd': 0.6, 'area': 3e-6}, {'id': 'b', 'kind': 'throttle', 'Cd': 0.6, 'area': 3e-6}]
    lines = [line('S', ['supply.P', 'it.P']), line('T', ['sump.T', 'it.T', 'a.B', 'b.B']),
             line('A', ['it.A', 'a.A'], log(chance, 1e-4, 1e-3)), line('B', ['it.B', 'b.A'], 3e-4)]
    return machine(components, lines, ['A.pressure', 'B.pressure'], 1.3 / f), ['it.dead_zone', chance.choice(['it.Cv', 'it.time_constant'])]


def pilot(chance):
    """a pilot opens a check valve"""
    f, q = log(chance, 1, 4), log(chance, 5e-5, 2e-4)
    it = {'id': 'it', 'kind': 'pilot-check-valve', 'Cd': 0.6, 'area': orifice(q, 1e6), 'cracking_pressure': chance.uniform(1e5, 5e5),
          'pilot_ratio': chance.uniform(2, 4), 'opening_range': chance.uniform(2e5, 6e5)}
    components = [it, {'id': 'src', 'kind': 'flow-source', 'flow': sine(q, f)}, {'id': 'sump', 'kind': 'tank'},
                  {'id': 'pil', 'kind': 'flow-source', 'flow': sine(0.5 * q, 1.7 * f)},
                  {'id': 'w', 'kind': 'throttle', 'Cd': 0.6, 'area': orifice(q, 2e6)},
                  {'id': 'x', 'kind': 'throttle', 'Cd': 0.6, 'area': orifice(0.5 * q, 2e6)}]
    lines = [line('A', ['src.P', 'it.A'], 3e-4, 5e5), line('B', ['it.B', 'w.A'], 3e-4, 5e5), line('X', ['pil.P', 'it.X', 'x.A'], 3e-4, 3e5),
             line('T', ['sump.T', 'w.B', 'x.B'])]
    return machine(components, lines, ['A.pressure', 'B.pressure'], 1 / f), chance.choice(
        [['it.cracking_pressure', 'it.pilot_ratio'], ['it.area', 'it.opening_range'], ['it.cracking_pressure', 'w.area']])


def stop(chance):
    """a mass comes to the end of its cylinder, and a relief valve opens"""
    f = log(chance, 0.7, 2)
    friction = {'model': 'stribeck-tanh', 'Fc': 50, 'Fs': 80, 'vs': 0.05, 'v0': 0.02, 'sigma2': log(chance, 1500, 5000)}
    components = [{'id': 'it', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'cart.P', 'piston_area': 1e-3, 'rod_side_area': 6e-4,
                   'stroke': 0.4, 'c1': 0.7, 'leakage': 2e-12, 'friction': friction},
                  {'id': 'src', 'kind': 'flow-source', 'flow': sine(1e-3 * chance.uniform(0.15, 0.25) * math.pi * f, f)},
                  {'id': 'sump', 'kind': 'tank'},
                  {'id': 'rel', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 2e-5, 'pressure': log(chance, 3e6, 8e6), 'opening_range': 1e6}]
    return machine(components, [line('a', ['src.P', 'it.A', 'rel.A'], 2e-4, 1e6), line('T', ['sump.T', 'it.B', 'rel.T'])],
                   ['cart.x', 'a.pressure'], 0.5 / f, ground={'points': {'O': [0, 0], 'G': [1, 0], 'W': [3, 0]}},
                   bodies=[{'id': 'cart', 'points': {'P': [0, 0]}, 'mass': log(chance, 20, 60), 'inertia': 1, 'pose': [0.95, 0, 0]}],
                   joints=[{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.G', 'b': 'cart.P', 'axis': 0}],
                   loads=[{'id': 'stay', 'kind': 'spring', 'a': 'cart.P', 'b': 'ground.W', 'stiffness': log(chance, 3e3, 1e4),
                           'damping': 300, 'free_length': 2.1}]), chance.choice(
                               [['rel.pressure', 'it.friction.sigma2'], ['rel.pressure', 'it.piston_area'], ['rel.pressure', 'it.c1']])


FAMILIES = (accumulator, accumulator, accumulator, valve, corner, spool, pilot, stop)


def value_of(model, path):
    """the number at a path"""
    first, *parts = path.split('.')
    at = model['fluid'] if first == 'fluid' else next(e for e in model['components'] if e['id'] == first)
    for part in parts:
        at = at[int(part)] if part.isdigit() else at[part]
    return at


def draw(seed):
    """a machine, and {path: (truth, start, from, to)} of its numbers; starts lie up to a factor of 1.6 off, times half way to the next"""
    chance = random.Random(seed)
    model, names = FAMILIES[seed % len(FAMILIES)](chance)
    numbers = {}
    for name in names:
        value = value_of(model, name)
        if '.t.' in name:
            times, k = model['components'][0]['flow']['t'], int(name.rsplit('.', maxsplit=1)[-1])
            room = min(value - times[k - 1], times[k + 1] - value)
            numbers[name] = (value, value + chance.uniform(-0.5, 0.5) * room, times[k - 1] + 1e-4, times[k + 1] - 1e-4)
        elif name == 'it.c1':
            numbers[name] = (value, value + chance.uniform(-0.05, 0.05), 0.6, 0.8)
        else:
            # the start is a machine too: a spring is not full below its precharge
            is_spring = model['components'][-1].get('type') == 'spring' and name != 'acc.volume'
            start = value * (log(chance, 0.85, 1.2) if is_spring else log(chance, 0.6, 1.6))
            numbers[name] = (value, start, value / 4, min(4 * value, 0.9 if 'dead_zone' in name else math.inf))
    return model, numbers
