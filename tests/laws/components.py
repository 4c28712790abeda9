# SPDX-License-Identifier: MIT
"""Laws of the components, once more and in other words, for tests: each takes what the file says (c), pressures
by port (p; None: on no line), states, signals and the oil, and gives flows {(from, to): q}, rates of its states,
and outputs. Flows from or to None come from or go to the outside.
"""

from math import pi

from dual import Dual, exp, limit, log, part, ramp, sign, size, sqrt, tanh, value, within

AIR = 101325.0


class Oil:
    def __init__(self, fluid):
        self.bulk = fluid.get('bulk_modulus', 1.5e9)
        self.density = fluid.get('density', 850.0)
        self.viscosity = fluid.get('viscosity', 0.04)
        self.onset = max(fluid.get('vapour_pressure', 0.0), 1000.0)
        self.air = fluid.get('air_fraction', 0.0)
        self.ambient = fluid.get('ambient_pressure')
        self.p0 = 1e5 if self.ambient is None else self.ambient

    def pocket(self, p, reference):
        """Compliance and volume of vapour."""
        if value(p) >= self.onset:
            return Dual(0.0), Dual(0.0)
        x = p / self.onset
        u = (self.onset - p) / p
        if value(u) > 0.4:
            volume = reference * (1 / x - x + 2 * log(x))
        else:
            volume = reference * sum((-1)**(k + 1) * (k - 2) / k * u**k for k in range(3, 60))
        return reference / self.onset * u * u, volume

    def gas(self, p):
        """Compliance and volume of air in a unit of volume."""
        if not self.air:
            return Dual(0.0), Dual(0.0)
        volume = self.air * (AIR / p)**(1 / 1.4)
        return volume / (1.4 * p), volume


def q1(dp, c):
    """Of an orifice."""
    L = max(c.get('dp_lim', 2e5), 1e3)
    return dp / L**0.5 if abs(value(dp)) <= L else sign(dp) * sqrt(size(dp))


def q1_one_way(dp, c):
    return q1(dp, c) if value(dp) > 0 else part(dp) / max(c.get('dp_lim', 2e5), 1e3)**0.5


def K(c, oil, area='area', Cd=0.6):
    return c.get('Cd', Cd) * c.get(area, 0.0) * (2 / oil.density)**0.5


def shaft_loss(w, c, torque='friction_torque', speed='friction_speed', viscous='viscous_friction', usual=1.0):
    return c.get(torque, 0.0) * tanh(w / c.get(speed, usual)) + c.get(viscous, 0.0) * w


class Answer:
    def __init__(self):
        self.flows, self.rates, self.outputs = {}, {}, {}

    def opens(self, asked, c, x):
        """The opening, which may be a state."""
        if c.get('time_constant', 0.0) > 0:
            self.rates['opening'] = (asked - x['opening']) / c['time_constant']
            asked = x['opening']
        self.outputs['opening'] = asked
        return asked


def throttle(c, p, x, s, oil):
    a = Answer()
    k = K(c, oil) if c['kind'] == 'throttle' else K(c, oil) * limit(s['opening'], 0.0, 1.0)
    dp = p['A'] - p['B']
    a.flows['A', 'B'] = a.outputs['flow'] = k * (q1_one_way(dp, c) if c.get('one_way') else q1(dp, c))
    return a


def seat(c, p, x, s, oil):
    """Checks and reliefs."""
    a, (A, B) = Answer(), ('A', 'B' if c['kind'] == 'check-valve' else 'T')
    over = p[A] - p[B] - c.get('cracking_pressure' if B == 'B' else 'pressure', 0.0)
    if 'opening_range' in c:
        q = K(c, oil) * a.opens(ramp(over / c['opening_range']), c, x) * q1(p[A] - p[B], c)
    else:
        q = K(c, oil) * q1_one_way(over, c)
    a.flows[A, B] = a.outputs['flow'] = q
    return a


def pilot_check(c, p, x, s, oil):
    a = Answer()
    e = (p['A'] - p['B'] + c['pilot_ratio'] * part(p['X'] - p['A']) - c.get('cracking_pressure', 0.0)) / c['opening_range']
    a.outputs['opening'] = ramp(e)
    a.flows['A', 'B'] = a.outputs['flow'] = K(c, oil) * a.outputs['opening'] * q1(p['A'] - p['B'], c)
    return a


def back_flow(c, p, oil, area):
    return K({**c, 'by': area}, oil, 'by') * q1_one_way(p['B'] - p['A'] - c.get('check_cracking_pressure', 0.0), c)


def spool_in_sleeve(c, p, x, s, oil):
    """Sequence valve and compensator."""
    a = Answer()
    d = (p['X'] - p['Y'] - c['pressure']) / c['opening_range']
    usual, area = ('closed', c.get('check_area', 0.0)) if c['kind'] == 'sequence-valve' else ('open', 0.0)
    y = a.opens(ramp(d if c.get('normally', usual) == 'closed' else 1 - d), c, x)
    a.flows['A', 'B'] = a.outputs['flow'] = K(c, oil) * y * q1(p['A'] - p['B'], c) - back_flow(c, p, oil, area)
    return a


def counterbalance(c, p, x, s, oil):
    a, R = Answer(), c['pilot_ratio']
    b = c.get('back_pressure_gain', 1 + R)
    e = ((p['A'] - oil.p0) + R * (p['X'] - oil.p0) - b * (p['B'] - oil.p0) - c['pressure']) / c['opening_range']
    y = a.opens(ramp(e), c, x)
    a.flows['A', 'B'] = a.outputs['flow'] = (K(c, oil) * y * q1(p['A'] - p['B'], c)
                                             - back_flow(c, p, oil, c.get('check_area', c['area'])))
    return a


def reducing(c, p, x, s, oil):
    a = Answer()
    g = (p['A'] - p['T'] - c['pressure']) / c['opening_range']
    a.outputs['opening'] = ramp(1 - g)
    a.flows['P', 'A'] = a.outputs['flow'] = K(c, oil) * ramp(1 - g) * q1(p['P'] - p['A'], c)
    offset = c.get('relief_offset', 0.0) / c['opening_range']
    a.flows['A', 'T'] = a.outputs['flow_T'] = K(c, oil) * ramp(g - 1 - offset) * q1(p['A'] - p['T'], c)
    return a


def flow_control(c, p, x, s, oil):
    a = Answer()
    e = (p['A'] - p['B']) / c['minimum_drop']
    t = e * (3 - e * e) / 2 if abs(value(e)) <= 1 else Dual(float(sign(e)))
    a.flows['A', 'B'] = a.outputs['flow'] = max(s['flow'], Dual(0.0), key=value) * t - back_flow(c, p, oil, c.get('check_area', 0.0))
    return a


def shuttle(c, p, x, s, oil):
    a = Answer()
    m = ramp((p['A'] - p['B']) / c['switching_range'] + 0.5)
    a.flows['A', 'C'] = a.outputs['flow_A'] = K(c, oil) * m * q1(p['A'] - p['C'], c)
    a.flows['B', 'C'] = a.outputs['flow_B'] = K(c, oil) * (1 - m) * q1(p['B'] - p['C'], c)
    a.outputs['opening'] = m
    return a


def restrictor(c, p, x, s, oil):
    """Hagen and Poiseuille, by the radius."""
    a = Answer()
    R = c['resistance'] if 'resistance' in c else 8 * oil.viscosity * c['length'] / (pi * (c['diameter'] / 2)**4)
    a.flows['A', 'B'] = a.outputs['flow'] = (p['A'] - p['B']) / R
    return a


def divider(c, p, x, s, oil):
    """Each unit is an ideal hydrostatic machine beside a leak; Newton's law of the shaft."""
    a = Answer()
    w, torque = x['speed'], -1.0 * c['viscous_friction'] * x['speed']
    for port in 'AB':
        D, drop = c['displacement_' + port], p['P'] - p[port]
        a.flows['P', port] = a.outputs['flow_' + port] = w * D + drop * c.get('leakage', 0.0)
        torque = torque + drop * D
    a.outputs['flow'] = a.outputs['flow_A'] + a.outputs['flow_B']
    a.rates['speed'] = torque / c['inertia']
    return a


EDGES = {'PA': 1, 'BT': 1, 'PB': -1, 'AT': -1, 'PT': 0, 'CD': 0}
FORMS = {'4/3': 'PA PB AT BT PT', '4/2': 'PA PB AT BT PT', '3/2': 'PA AT PT', '2/2': 'PA', '6/3': 'PA PB AT BT PT CD'}
CENTRES = {'closed': '', 'open': 'PA PB AT BT', 'float': 'AT BT', 'regenerative': 'PA PB', 'tandem': ''}


def edge_numbers(c, edge):
    """Gain and overlap: as stated, else of the form and the centre."""
    w, centre, form = c.get('centre_opening', 0.1), c.get('centre', 'closed'), c.get('form', '4/3')
    if edge == 'PT':
        gain, overlap = float(centre == 'tandem'), -w
    elif edge == 'CD':
        gain, overlap = float(form == '6/3'), -1.0
    else:
        gain, overlap = 1.0, -w if edge in CENTRES[centre] else c.get('dead_zone', 0.0)
    given = c.get(edge, {})
    return given.get('gain', gain), given.get('overlap', overlap)


def directional_valve(c, p, x, s, oil):
    a, form, u = Answer(), c.get('form', '4/3'), s['command']
    if form in ('4/2', '3/2'):
        u = 2 * within(u, 0.0, 1.0) - 1
    else:
        u = within(u, 0.0 if form == '2/2' else -1.0, 1.0)
    r = c.get('rate_limit')
    bounds = (None, None) if r is None else (-r, r)
    wn, z = c.get('natural_frequency', 0.0), c.get('damping_ratio', 0.8)
    U = x.get('spool', u)
    if wn > 0:
        a.rates['spool'] = x['spool_rate']
        a.rates['spool_rate'] = 2 * z * wn * (limit(wn * (u - U) / (2 * z), *bounds) - x['spool_rate'])
    elif c.get('time_constant', 0.0) > 0:
        a.rates['spool'] = limit((u - U) / c['time_constant'], *bounds)
    U = within(U, -1.0, 1.0)
    into = {}
    for edge in FORMS[form].split():
        gain, overlap = edge_numbers(c, edge)
        way = EDGES[edge]
        o = gain * part(-overlap - size(U) if way == 0 else way * U - overlap)
        if p[edge[0]] is None or p[edge[1]] is None:
            continue
        q = c['Cv'] * o * q1(p[edge[0]] - p[edge[1]], c)
        a.flows[edge[0], edge[1]] = q
        into[edge[0]] = into.get(edge[0], 0.0) + q
        into[edge[1]] = into.get(edge[1], 0.0) - q
    a.outputs = {'flow_' + port: q for port, q in into.items()}
    return a


def delivered(c, p, swash, s, oil):
    """Flow and torque of a pump."""
    D, w = c['displacement'], s['speed']
    suction = 'P' if value(w) < 0 else 'S'
    phi = Dual(1.0)
    if c['on_line'][suction] and value(p[suction]) < oil.onset:
        e = p[suction] / oil.onset
        phi = e * (2 - e)
    dp = p['P'] - p['S']
    a = Answer()
    a.flows['S', 'P'] = a.outputs['flow'] = swash * D * w * phi - c.get('leakage', 0.0) * dp
    a.outputs['torque'] = swash * D * dp + shaft_loss(w, c)
    a.outputs['power'] = a.outputs['torque'] * w
    return a


def pump(c, p, x, s, oil):
    return delivered(c, p, 1.0, s, oil)


def variable_pump(c, p, x, s, oil):
    a = delivered(c, p, x['swash'], s, oil)
    command = within(s['command'], 0.0, 1.0)
    low = c.get('minimum_swash', 0.0)
    m = low - part(low - command) if low > 0 else 0.0
    h = 1.0
    if 'cut_off_pressure' in c:
        h = h * (1 - ramp((p['P'] - p['S'] - c['cut_off_pressure']) / c.get('cut_off_range', 1e6)))
    if 'margin' in c:
        h = h * (1 - ramp((p['P'] - p['X'] - c['margin']) / c.get('margin_range', 5e5)))
    wanted = m + (command - m) * h
    if 'torque_limit' in c:
        drop = p['P'] - p['S']
        over = wanted * c['displacement'] * drop / c['torque_limit']
        if value(over) >= 1.05:
            wanted = c['torque_limit'] / (c['displacement'] * drop)
        elif value(over) > 0.95:
            wanted = wanted * (over - 5 * (over - 0.95)**2) / over
    a.rates['swash'] = (wanted - x['swash']) / c['time_constant']
    return a


def accumulator(c, p, x, s, oil):
    """Of a piston; what bladders and springs store belongs to the line."""
    a = Answer()
    if c.get('type', 'bladder') != 'piston':
        return a
    v, V, p_0, n, f = x['oil_volume'], c['volume'], c['precharge'], c.get('polytropic_index', 1.2), c.get('friction_pressure', 0.0)
    gas = p_0 * (V / (V - v))**n if value(v) > 0 else p_0 + 1000 * n * p_0 * v / V
    X = p['A'] - gas
    if f == 0.0:
        q = X / c['resistance']
    else:
        e = part(size(X) - f)
        q = sign(X) * e * e / ((e + f / 10) * c['resistance'])
    a.flows['A', None] = a.outputs['flow'] = a.rates['oil_volume'] = q
    return a


def stored(c, p):
    """Compliance of a bladder or a spring at its line."""
    kind = c.get('type', 'bladder')
    n = c.get('polytropic_index', 1.2)
    if kind == 'bladder' and value(p) > c['precharge']:
        return c['volume'] / (n * p) * (c['precharge'] / p)**(1 / n)
    if kind == 'spring' and c['precharge'] < value(p) < c['full_pressure']:
        return Dual(c['volume'] / (c['full_pressure'] - c['precharge']))
    return Dual(0.0)


def lost(c, q, length, area, oil):
    """Pressure that a pipe takes."""
    d = (4 * area / pi)**0.5
    if c.get('friction', 'linear') == 'linear':
        R = c.get('resistance', 128 * oil.viscosity * c['length'] / (pi * d**4))
        return R * length / c['length'] * q
    Re = size(q) * d * oil.density / (area * oil.viscosity)
    if value(Re) < 1:
        return 128 * oil.viscosity * length * q / (pi * d**4)
    A1 = 2.457 * log(1 / ((7 / Re)**0.9 + 0.27 * c.get('roughness', 0.0) / d))
    a, b = A1**16, (37530 / Re)**16
    f = 8 * ((8 / Re)**12 + (a + b)**-1.5)**(1 / 12)
    return f * (length / d) * oil.density * q * size(q) / (2 * area**2)


def bore(c):
    return c['area'] if 'area' in c else pi * c['diameter']**2 / 4


def pipe(c, p, x, s, oil):
    a, area, n = Answer(), bore(c), c.get('segments', 0)
    if n == 0 and not c.get('inertia'):
        d = (4 * area / pi)**0.5
        R = c.get('resistance', 128 * oil.viscosity * c['length'] / (pi * d**4))
        a.flows['A', 'B'] = a.outputs['flow'] = (p['A'] - p['B']) / R
        return a
    length = c['length'] / max(n, 1)
    names = ['flow'] if n == 0 else [f'flow_{k + 1}' for k in range(n)]
    q = [x[name] for name in names]
    inner = [x[f'pressure_{k + 1}'] for k in range(n - 1)]
    ends = [p['A'], *inner, p['B']]
    for k, name in enumerate(names):
        a.rates[name] = (ends[k] - ends[k + 1] - lost(c, q[k], length, area, oil)) * (area / (oil.density * length))
    softness = 1 / oil.bulk + (1 / c['wall_modulus'] if 'wall_modulus' in c else 0.0)
    for k, pressure in enumerate(inner):
        soft = area * length * (softness + oil.gas(pressure)[0]) + oil.pocket(pressure, area * length)[0]
        a.rates[f'pressure_{k + 1}'] = (q[k] - q[k + 1]) / soft
    a.flows['A', None], a.flows[None, 'B'] = q[0], q[-1]
    a.outputs['flow'] = q[0]
    return a


def nothing(c, p, x, s, oil):
    return Answer()


def flow_source(c, p, x, s, oil):
    a = Answer()
    a.flows[None, 'P'] = a.outputs['flow'] = s['flow']
    return a


LAWS = {'throttle': throttle, 'metering-valve': throttle, 'check-valve': seat, 'relief-valve': seat,
        'pilot-check-valve': pilot_check, 'sequence-valve': spool_in_sleeve, 'pressure-compensator': spool_in_sleeve,
        'counterbalance-valve': counterbalance, 'reducing-valve': reducing, 'flow-control-valve': flow_control,
        'shuttle-valve': shuttle, 'laminar-restrictor': restrictor, 'gear-flow-divider': divider, 'directional-valve': directional_valve, 'pump': pump, 'variable-pump': variable_pump,
        'accumulator': accumulator, 'pipe': pipe, 'volume': nothing, 'plug': nothing, 'tank': nothing,
        'pressure-source': nothing, 'flow-source': flow_source}

PORTS = {'throttle': 'AB', 'metering-valve': 'AB', 'check-valve': 'AB', 'relief-valve': 'AT', 'pilot-check-valve': 'ABX',
         'sequence-valve': 'ABXY', 'pressure-compensator': 'ABXY', 'counterbalance-valve': 'ABX', 'reducing-valve': 'PAT',
         'flow-control-valve': 'AB', 'shuttle-valve': 'ABC', 'laminar-restrictor': 'AB', 'gear-flow-divider': 'PAB', 'directional-valve': 'PTABCD', 'pump': 'SP',
         'variable-pump': 'SPX', 'accumulator': 'A', 'pipe': 'AB', 'volume': 'A', 'plug': 'A', 'tank': 'T',
         'pressure-source': 'P', 'flow-source': 'P', 'cylinder': 'AB', 'motor': 'AB', 'rotary-actuator': 'AB'}

# what a port on no line reads: another port, or the outside; and which of them are open to it
READS = {'pilot-check-valve': {'X': 'A'}, 'sequence-valve': {'X': 'A', 'Y': None}, 'pressure-compensator': {'X': 'A', 'Y': 'B'},
         'counterbalance-valve': {'X': None}, 'reducing-valve': {'T': None}, 'shuttle-valve': {'A': None, 'B': None}, 'pump': {'S': None, 'P': None},
         'gear-flow-divider': {'P': None, 'A': None, 'B': None},
         'variable-pump': {'S': None, 'P': None, 'X': None}, 'motor': {'A': None, 'B': None}}
OPEN = {'gear-flow-divider': 'PAB', 'pump': 'SP', 'variable-pump': 'SP', 'motor': 'AB'}


def read_absent(kind, p, oil):
    """Pressures as the law reads them."""
    return {port: pressure if pressure is not None else
            None if port not in READS.get(kind, {}) else
            p[READS[kind][port]] if READS[kind][port] else Dual(oil.p0) for port, pressure in p.items()}


def law(c, p, x, s, oil):
    """Of one component; p: None where a port is on no line. What ends at a wall does not flow."""
    kind = c['kind']
    read = read_absent(kind, p, oil)
    c = {**c, 'on_line': {port: pressure is not None for port, pressure in p.items()}}
    filled = {port: Dual(1e5) if pressure is None and kind != 'directional-valve' else pressure
              for port, pressure in read.items()}
    a = LAWS[kind](c, filled, x, s, oil)
    shut = [way for way in a.flows for port in way
            if port is not None and p[port] is None and port not in OPEN.get(kind, '')]
    if shut:
        a.outputs.pop('opening', None)  # of a valve that leads nowhere
    for way in shut:
        for name, q in a.outputs.items():
            if q is a.flows[way]:
                a.outputs[name] = Dual(0.0)
        a.flows[way] = Dual(0.0)
    return a
