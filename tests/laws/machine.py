# SPDX-License-Identifier: MIT
"""The lumped model of a file of a simple kind, once more for tests: lines, components, signals, and sliders and
rotors on the ground. Rates and outputs of a state, and their slopes from both sides.
"""

from components import AIR, LAWS, OPEN, PORTS, Oil, law, stored  # noqa: F401
from dual import Dual, limit, part, value
from motion import cylinder, joint_stop, rotary
from components import shaft_loss

ON_BODIES = {'cylinder': cylinder, 'motor': rotary, 'rotary-actuator': rotary}


class Machine:
    def __init__(self, file):
        self.file, self.oil = file, Oil(file.get('fluid', {}))
        self.components = {c['id']: c for c in file['components']}
        self.line_of = {port: line['id'] for line in file['lines'] for port in line['ports']}
        self.given = {}
        for c in file['components']:
            if c['kind'] in ('tank', 'pressure-source'):
                self.given[self.line_of[c['id'] + '.' + PORTS[c['kind']]]] = c.get('pressure', 1e5)
        self.bodies = {b['id']: b for b in file.get('bodies', [])}

    # --- one state ---

    def evaluate(self, y):
        """Rates by state and outputs by path; y: Dual by state."""
        self.y, self.rates, self.outputs = y, {}, {}
        self.pressures = {line['id']: Dual(self.given[line['id']]) if line['id'] in self.given else
                          y[line['id'] + '.pressure'] for line in self.file['lines']}
        net = {line: Dual(0.0) for line in self.pressures}
        force = {body: Dual(0.0) for body in self.bodies}
        chambers = []
        for c in self.components.values():
            p = {port: self.at(c['id'] + '.' + port) for port in PORTS[c['kind']]}
            states = {name.split('.', 1)[1]: v for name, v in y.items() if name.startswith(c['id'] + '.') and name.count('.') == 1}
            if c['kind'] in ON_BODIES:
                coordinate, rate, body = self.place_of(c)
                a, F, own = ON_BODIES[c['kind']](c, p, states, coordinate, rate, self.oil)
                force[body] = force[body] + F
                for port, area, room, grows, soft in own:
                    line = self.line_of.get(c['id'] + '.' + port)
                    if line is not None:
                        chambers.append((line, area, room, soft))
                        net[line] = net[line] - area * grows
            else:
                signals = {name: self.signal(c.get(name, usual), f'{c["id"]}.{name}')
                           for name, usual in (('command', 1.0 if c['kind'] == 'variable-pump' else 0.0), ('opening', 1.0),
                                               ('speed', 0.0), ('flow', 0.0)) if self.is_signal(c, name)}
                a = law(c, p, states, signals, self.oil)
            for (start, end), q in a.flows.items():
                for port, way in ((start, -1), (end, 1)):
                    line = self.line_of.get(f'{c["id"]}.{port.split()[-1]}') if port else None
                    if line is not None:
                        net[line] = net[line] + way * q
            for name, rate in a.rates.items():
                self.rates[f'{c["id"]}.{name}'] = rate
            for name, output in a.outputs.items():
                self.outputs[f'{c["id"]}.{name}'] = output
        self.fill(net, chambers)
        self.move(force)
        return self.rates, self.outputs

    @staticmethod
    def is_signal(c, name):
        return {'command': c['kind'] in ('directional-valve', 'variable-pump'), 'opening': c['kind'] == 'metering-valve',
                'speed': c['kind'] in ('pump', 'variable-pump'), 'flow': c['kind'] in ('flow-control-valve', 'flow-source')}[name]

    def at(self, port):
        line = self.line_of.get(port)
        return None if line is None else self.pressures[line]

    def place_of(self, c):
        body = (c['rod'].split('.')[0] if c['kind'] == 'cylinder' else c['b'])
        names = (body + '.x', body + '.vx') if c['kind'] == 'cylinder' else (body + '.angle', body + '.omega')
        return self.y[names[0]], self.y[names[1]], body

    def fill(self, net, chambers):
        """Pressures of the lines."""
        for line in self.file['lines']:
            name, pressure = line['id'], self.pressures[line['id']]
            if name in self.given:
                continue
            V = reference = line.get('volume', 0.0)
            C = Dual(V * (1 / self.oil.bulk + (1 / line['wall_modulus'] if 'wall_modulus' in line else 0.0)))
            V = Dual(V)
            for port in line['ports']:
                c = self.components[port.split('.')[0]]
                wall = 1 / c['wall_modulus'] if 'wall_modulus' in c else 0.0
                if c['kind'] == 'accumulator':
                    C, reference = C + stored(c, pressure), reference + c['volume']
                elif c['kind'] == 'volume' or c['kind'] == 'pipe' and c.get('segments', 0) > 0:
                    own = c['volume'] if c['kind'] == 'volume' else \
                        (c['area'] if 'area' in c else 0.7853981633974483 * c['diameter']**2) * c['length'] / (2 * c['segments'])
                    C, V, reference = C + own * (1 / self.oil.bulk + wall), V + own, reference + own
                elif c['kind'] == 'cylinder' and 'cushion_' + port[-1] not in c:
                    reference += c['piston_area' if port[-1] == 'A' else 'rod_side_area'] * c['stroke']
                elif c['kind'] == 'rotary-actuator':
                    reference += c['displacement'] * (c['angle_max'] - c['angle_min'])
            for at, area, room, soft in chambers:
                if at == name:
                    C, V = C + area * room * soft, V + area * room
            air, free = self.oil.gas(pressure)
            pocket, vapour = self.oil.pocket(pressure, reference)
            C = C + V * air + pocket
            self.rates[name + '.pressure'] = net[name] / C
            self.outputs.update({name + '.compliance': C, name + '.air': V * free, name + '.pocket': vapour,
                                 name + '.pressure': pressure})

    def move(self, force):
        for body in self.bodies.values():
            joint = next(j for j in self.file['joints'] if j['b'].split('.')[0] == body['id'])
            x, v, mass, names = (('.x', '.vx', 'mass', ('force', 'speed', 'viscous')) if joint['kind'] == 'prismatic'
                                 else ('.angle', '.omega', 'inertia', ('torque', 'speed', 'viscous')))
            rate = self.y[body['id'] + v]
            rubbed = shaft_loss(rate, joint.get('friction', {}), *names, usual=0.01)
            self.rates[body['id'] + x] = rate
            push = joint_stop(joint.get('stop', {}), self.y[body['id'] + x], rate, (1e7, 2.0) if x == '.x' else (1e6, 1.0))
            self.rates[body['id'] + v] = (force[body['id']] - rubbed + push) / body[mass]

    # --- signals ---

    def measured(self, path):
        element, _, name = path.partition('.')
        if path in self.y:
            return self.y[path]
        if element in self.pressures:
            return self.pressures[element]
        c = self.components[element]
        coordinate, rate, _ = self.place_of(c)
        return {'s': coordinate, 'speed': rate, 'angle': coordinate}[name]

    def signal(self, s, path):
        if not isinstance(s, dict):
            return Dual(float(s))
        kind = s['kind']
        if kind == 'sum':
            values = [self.signal(part_, f'{path}.of.{k}') for k, part_ in enumerate(s['of'])]
            return sum((w * v for w, v in zip(s.get('weights', [1.0] * len(values)), values)), Dual(0.0))
        if kind == 'pid':
            return self.pid(s, path)
        if kind == 'sensor':
            u = s.get('gain', 1.0) * self.measured(s['of']) + s.get('offset', 0.0)
            return self.follow(path, u, s.get('time_constant', 0.0))
        u = self.signal(s['of'], path + '.of')
        if kind == 'gain':
            return s['gain'] * u + s.get('offset', 0.0)
        if kind == 'limit':
            return limit(u, s['min'], s['max'])
        if kind == 'dead-zone':
            return part(u - s['width']) - part(-u - s['width'])
        if kind == 'filter':
            return self.follow(path, u, s['time_constant'])
        x = self.follow(path, u, s['lag'])
        return s.get('gain', 1.0) * (x + s['lead'] / s['lag'] * (u - x))

    def follow(self, path, u, T):
        if T == 0.0:
            return u
        x = self.y[path + '.value']
        self.rates[path + '.value'] = (u - x) / T
        return x

    def pid(self, s, path):
        e = self.signal(s['target'], path + '.target') - self.measured(s['of'])
        kp, ki, kd = s.get('kp', 1.0), s.get('ki', 0.0), s.get('kd', 0.0)
        raw = kp * e
        if ki != 0.0:
            raw = raw + ki * self.y[path + '.integral']
        if kd != 0.0:
            z = self.y[path + '.derivative']
            raw = raw + kd * (e - z) / s['filter']
            self.rates[path + '.derivative'] = (e - z) / s['filter']
        u = limit(raw, s.get('min'), s.get('max'))
        if ki != 0.0:
            back = s.get('anti_windup', 1 / kp if kp != 0.0 else 0.0)
            self.rates[path + '.integral'] = e + back * (u - raw)
        return u

    # --- slopes ---

    def slopes(self, y):
        """Rates by state and outputs by path, and the same along each state upward and downward:
        {state: [(rates, outputs), (rates, outputs)]}; Dual all."""
        still = {name: Dual(v) for name, v in y.items()}
        found = {}
        for name in y:
            found[name] = [self.evaluate({**still, name: Dual(y[name], way)}) for way in (1.0, -1.0)]
        return *self.evaluate(still), found
