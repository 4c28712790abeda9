# SPDX-License-Identifier: MIT
"""Cylinders, motors and vanes, and the friction of seals, once more for tests. See components.py."""

from dual import Dual, exp, part, ramp, sign, size, tanh, value
from components import Answer, Oil, q1, q1_one_way, shaft_loss  # noqa: F401


def static_friction(f, v):
    """Against the motion; of the models without bristles."""
    scale, Fc, Fs, vs, s2 = (f.get(name, usual) for name, usual in
                             (('scale', 1.0), ('Fc', 0.0), ('Fs', 0.0), ('vs', None), ('sigma2', 0.0)))
    model = f.get('model', 'none')
    if model == 'none':
        return Dual(0.0)
    viscous = scale * s2 * v
    if model == 'viscous':
        return viscous
    if model == 'brown-mcphee':
        r = size(v) / vs
        return scale * (Fc * tanh(4 * r) + (Fs - Fc) * r / (0.25 * r * r + 0.75)**2) * float(sign(v)) + viscous \
            if value(v) != 0 else (scale * (4 * Fc + (Fs - Fc) / 0.5625) / vs) * v + viscous
    if model == 'stribeck-tanh':
        return scale * (Fc + (Fs - Fc) * exp(-((v / vs) * (v / vs)))) * tanh(v / f['v0']) + viscous
    if abs(value(v)) < vs:
        return scale * Fs * v * (2 * vs - size(v)) / vs**2 + viscous
    return scale * sign(v) * (Fc + (Fs - Fc) * exp(-f['xi'] * (size(v) - vs))) + viscous


def bristles(f, v, z):
    """Force and rate."""
    scale, Fc, Fs, vs = f.get('scale', 1.0), f['Fc'], f['Fs'], f['vs']
    g = Fc + (Fs - Fc) * exp(-((v / vs) * (v / vs)))
    slip, damping = size(v), f.get('sigma1', 0.0)
    if f['model'] == 'modified-lugre':
        slip = v * tanh(v / f['ve'])
        damping = damping * exp(-((v / f['vd']) * (v / f['vd'])))
    rate = v - f['sigma0'] * slip * z / g
    return scale * (f['sigma0'] * z + damping * rate + f.get('sigma2', 0.0) * v), rate


def joint_stop(stop, s, rate, usual):
    """Push of a joint's stop, along its coordinate; usual: stiffness and loss factor that the format has."""
    k, c = stop.get('stiffness', usual[0]), stop.get('loss', usual[1])
    if 'min' in stop and value(s) < stop['min']:
        return k * (stop['min'] - s) * part(1 - c * rate)
    if 'max' in stop and value(s) > stop['max']:
        return -k * (s - stop['max']) * part(1 + c * rate)
    return Dual(0.0)


def stop(area, reach, room, rate, c):
    """Push of an end stop into the chamber's growing; reach: of the whole way. Hunt and Crossley where a stiffness is stated."""
    if value(room) >= 0:
        return Dual(0.0)
    loss = c.get('stop_loss', 2)
    if 'stop_stiffness' in c:
        return -c['stop_stiffness'] * room * part(1 - loss * rate)
    return 20e6 * area / (0.002 * reach)**2 * room * room * part(1 - loss * rate)


def cushion(c, oil, p, pc, length):
    """Flow from the line into the chamber."""
    a = c['end_area'] + (c['area'] - c['end_area']) * ramp(length / c['length'])
    return c.get('Cd', 0.6) * (2 / oil.density)**0.5 * (a * q1(p - pc, c) + c.get('check_area', 0.0) * q1_one_way(p - pc, c))


def cylinder(c, p, x, s, rate, oil):
    """Answer, force in extension, and what each chamber is to its line: (port, area, length, growth, softness)."""
    a = Answer()
    A, B = c['piston_area'], c['rod_side_area']
    length = {'A': s - c.get('c1', 0.0) - c.get('c2', 0.0)}
    length['B'] = c['stroke'] - length['A']
    push = stop(max(A, B), c['stroke'], length['A'], rate, c) - stop(max(A, B), c['stroke'], length['B'], -rate, c)
    softness = 1 / oil.bulk + (1 / c['wall_modulus'] if 'wall_modulus' in c else 0.0)
    inside, chambers = {}, []
    for side, area, grows in (('A', A, rate), ('B', B, -rate)):
        room = part(length[side])
        if 'cushion_' + side in c:
            k = c['cushion_' + side]
            pc = inside[side] = x['cushion_' + side]
            reference = k['dead_volume'] + area * c['stroke']
            q = cushion(k, oil, p[side], pc, room) if p[side] is not None else Dual(0.0)
            volume = k['dead_volume'] + area * room
            soft = volume * (softness + oil.gas(pc)[0]) + oil.pocket(pc, reference)[0]
            if p[side] is not None:
                a.flows[side, None] = q
            a.rates['cushion_' + side] = (q, area * grows, soft)
        elif p[side] is not None:
            inside[side] = p[side]
            chambers.append((side, area, room, grows, softness))
        else:
            inside[side] = None
    def leak(port, q):
        if 'cushion_' + port in c:
            net, grown, soft = a.rates['cushion_' + port]
            a.rates['cushion_' + port] = (net - q, grown, soft)
        else:
            a.flows['leak of ' + port, None] = a.flows.get(('leak of ' + port, None), 0.0) + q
    if inside['A'] is not None and inside['B'] is not None:
        q = c.get('leakage', 0.0) * (inside['A'] - inside['B'])
        leak('A', q)
        leak('B', -q)
    if inside['B'] is not None:
        leak('B', c.get('external_leakage', 0.0) * (inside['B'] - oil.p0))
    for name, (net, grown, soft) in list(a.rates.items()):
        a.rates[name] = (net - grown) / soft
    vent = c.get('vent_pressure', 0.0 if oil.ambient is None else oil.ambient)
    F = (vent if inside['A'] is None else inside['A']) * A - (vent if inside['B'] is None else inside['B']) * B
    if oil.ambient is not None:
        F = F - oil.ambient * (A - B)
    F = F - c.get('spring_preload', 0.0) - c.get('spring_stiffness', 0.0) * length['A'] + push
    f = c.get('friction', {})
    if 'lugre' in f.get('model', 'none'):
        rubbed, a.rates['bristle'] = bristles(f, rate, x['bristle'])
    else:
        rubbed = static_friction(f, rate)
    a.outputs = {'force': F - rubbed, 'friction_force': rubbed}
    return a, F - rubbed, chambers


def rotary(c, p, x, angle, rate, oil):
    """Motor and vane: the same."""
    a, chambers, D = Answer(), [], c['displacement']
    p_A, p_B = (Dual(oil.p0) if p[port] is None else p[port] for port in 'AB')
    M = D * p_A - D * p_B - shaft_loss(rate, c)
    leakage = c.get('leakage', 0.0) * (p_A - p_B)
    if c['kind'] == 'motor':
        a.flows['A', 'B'] = a.outputs['flow'] = D * rate + leakage
        for port in 'AB':
            if p[port] is not None:
                a.flows['leak of ' + port, None] = c.get('case_leakage', 0.0) * (p[port] - oil.p0)
    else:
        rooms = {'A': angle - c['angle_min'], 'B': c['angle_max'] - angle}
        softness = 1 / oil.bulk + (1 / c['wall_modulus'] if 'wall_modulus' in c else 0.0)
        for port, grows in (('A', rate), ('B', -rate)):
            chambers.append((port, D, part(rooms[port]), grows, softness))
        a.flows['A', 'B'] = leakage
        a.outputs['flow'] = D * rate + leakage
        reach = c['angle_max'] - c['angle_min']
        M = M + stop(D, reach, rooms['A'], rate, c) - stop(D, reach, rooms['B'], -rate, c)
    a.outputs['torque'] = M
    return a, M, chambers
