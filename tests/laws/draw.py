# SPDX-License-Identifier: MIT
"""Random files for tests of laws: one or two components of a family with numbers within what such parts have,
every port on a line of its own, now and then on another one's or on none; signals by chance.
"""

import random

from components import FORMS, PORTS, READS


class Draw:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def between(self, low, high):
        """Evenly by ratio."""
        return float(f'{low * (high / low)**self.r.random():.6g}')

    def evenly(self, low, high):
        return float(f'{self.r.uniform(low, high):.6g}')

    def chance(self, part):
        return self.r.random() < part

    def maybe(self, c, name, low, high, part=0.5):
        if self.chance(part):
            c[name] = self.between(low, high)

    def orifice(self, area=(1e-6, 1e-4)):
        c = {'area': self.between(*area), 'Cd': self.evenly(0.5, 0.9)}
        if self.chance(0.7):
            c['dp_lim'] = self.r.choice([0.0, self.between(1e2, 1e6)])
        return c

    # --- families ---

    def spring(self, low, high):
        return {'pressure': self.between(low, high), 'opening_range': self.between(1e5, 8e6)}

    def lag(self, c):
        if self.chance(0.5):
            c['time_constant'] = self.between(1e-3, 5e-2)
            self.maybe_opening(c)
        return c

    def maybe_opening(self, c):
        if self.chance(0.7):
            c['opening'] = self.evenly(0, 1)

    def by_pass(self, c, part=0.5):
        if self.chance(part):
            c['check_area'] = self.between(1e-6, 1e-4)
            if self.chance(0.5):
                c['check_cracking_pressure'] = self.between(1e4, 1e6)
        return c

    def component(self, kind, lines):
        """Numbers of one, without its id."""
        c = {'kind': kind}
        if kind == 'throttle':
            c.update(self.orifice())
        elif kind == 'metering-valve':
            c.update(self.orifice(), opening=self.signal(0.0, 1.0, lines), one_way=self.chance(0.5))
        elif kind == 'check-valve':
            c.update(self.orifice())
            self.maybe(c, 'cracking_pressure', 2e4, 5e5)
            self.maybe(c, 'opening_range', 5e4, 5e6, 0.7)
        elif kind == 'relief-valve':
            c.update(self.orifice(), pressure=self.between(1e6, 3e7))
            if self.chance(0.7):
                c['opening_range'] = self.between(2e5, 8e6)
                self.lag(c)
        elif kind == 'pilot-check-valve':
            c.update(self.orifice(), opening_range=self.between(5e4, 8e6), pilot_ratio=self.evenly(1.5, 10))
            self.maybe(c, 'cracking_pressure', 2e4, 5e5)
        elif kind in ('sequence-valve', 'pressure-compensator'):
            c.update(self.orifice(), **self.spring(3e5, 2e7))
            if self.chance(0.4):
                c['normally'] = self.r.choice(['open', 'closed'])
            self.lag(c)
            if kind == 'sequence-valve':
                self.by_pass(c)
        elif kind == 'counterbalance-valve':
            c.update(self.orifice(), **self.spring(8e6, 3e7), pilot_ratio=self.r.choice([0.0, self.evenly(1.5, 10)]))
            if self.chance(0.5):
                c['back_pressure_gain'] = self.r.choice([0.0, 1.0, self.evenly(0, 6)])
            self.lag(c)
            self.by_pass(c)
        elif kind == 'reducing-valve':
            c.update(self.orifice(), **self.spring(1e6, 1e7))
            self.maybe(c, 'relief_offset', 1e4, 1e6)
        elif kind == 'flow-control-valve':
            c.update(flow=self.signal(0.0, 5e-4, lines), minimum_drop=self.between(3e5, 3e6))
            self.by_pass(c)
        elif kind == 'shuttle-valve':
            c.update(self.orifice(), switching_range=self.between(5e4, 5e6))
        elif kind == 'laminar-restrictor':
            if self.chance(0.5):
                c['resistance'] = self.between(1e8, 1e12)
            else:
                c.update(length=self.between(0.01, 1), diameter=self.between(3e-4, 3e-3))
        elif kind == 'gear-flow-divider':
            c.update(displacement_A=self.between(1e-7, 3e-5), displacement_B=self.between(1e-7, 3e-5),
                     inertia=self.between(1e-5, 1e-2), viscous_friction=self.between(1e-4, 0.1))
            self.maybe(c, 'leakage', 1e-13, 5e-12)
            if self.chance(0.5):
                c['speed'] = self.evenly(-100, 100)
        elif kind == 'directional-valve':
            self.directional(c, lines)
        elif kind in ('pump', 'variable-pump'):
            c.update(displacement=self.between(1e-7, 3e-5), speed=self.r.choice([1, 1, 1, -1]) * self.evenly(50, 300))
            self.maybe(c, 'leakage', 1e-13, 5e-12)
            self.maybe(c, 'friction_torque', 0.1, 20)
            self.maybe(c, 'friction_speed', 0.1, 100)
            self.maybe(c, 'viscous_friction', 1e-3, 0.5)
            if kind == 'variable-pump':
                self.controllers(c, lines)
        elif kind == 'accumulator':
            self.accumulator(c)
        elif kind == 'volume':
            c['volume'] = self.between(1e-5, 1e-2)
            self.maybe(c, 'wall_modulus', 1e8, 1e11)
        elif kind == 'pipe':
            self.pipe(c)
        elif kind == 'flow-source':
            c['flow'] = self.signal(-5e-4, 5e-4, lines)
        return c

    def controllers(self, c, lines):
        c.update(command=self.signal(0.0, 1.0, lines), time_constant=self.between(0.01, 0.2))
        self.maybe(c, 'torque_limit', c['displacement'] * 1e5, c['displacement'] * 2e7, 0.5)
        self.maybe(c, 'minimum_swash', 0.01, 0.5)
        for name, low, high in (('cut_off', 5e6, 3e7), ('margin', 5e5, 5e6)):
            if self.chance(0.7):
                c['cut_off_pressure' if name == 'cut_off' else name] = self.between(low, high)
                self.maybe(c, name + '_range', 2e5, 2e7)
        if self.chance(0.7):
            c['swash'] = self.evenly(0, 1)

    def directional(self, c, lines):
        form = self.r.choice(list(FORMS))
        c.update(Cv=self.between(1e-8, 3e-6), form=form)
        self.maybe(c, 'dp_lim', 1e2, 1e6)
        if self.chance(0.4):
            c['dead_zone'] = self.evenly(0, 0.3)
        if self.chance(0.6):
            c['centre'] = self.r.choice(['closed', 'open', 'tandem', 'float', 'regenerative'])
            if c['centre'] != 'closed':
                self.maybe(c, 'centre_opening', 0.02, 1)
        for edge in FORMS[form].split():
            if self.chance(0.3):
                c[edge] = {}
                if self.chance(0.7):
                    c[edge]['gain'] = self.between(0.1, 4)
                if self.chance(0.7):
                    c[edge]['overlap'] = -self.evenly(0.01, 1) if edge in ('PT', 'CD') else self.evenly(-0.9, 0.9)
        dynamic = self.r.choice(['none', 'first', 'second'])
        c['command'] = self.signal(-1.0, 1.0, lines)
        if dynamic == 'first':
            c['time_constant'] = self.between(5e-3, 0.1)
        elif dynamic == 'second':
            c.update(natural_frequency=self.between(30, 900), spool_rate=self.evenly(-10, 10))
            self.maybe(c, 'damping_ratio', 0.3, 1.5)
        if dynamic != 'none':
            c['spool'] = self.evenly(-1, 1)
            self.maybe(c, 'rate_limit', 1, 100)

    def accumulator(self, c):
        c.update(type=self.r.choice(['bladder', 'piston', 'spring']), volume=self.between(1e-4, 1e-2),
                 precharge=self.between(1e6, 1e7))
        if c['type'] == 'spring':
            c['full_pressure'] = float(f'{c["precharge"] * self.evenly(1.5, 4):.6g}')
        else:
            self.maybe(c, 'polytropic_index', 1.0, 1.8)
        if c['type'] == 'piston':
            self.maybe(c, 'friction_pressure', 2e4, 1e6)
            c.update(resistance=self.between(1e8, 1e11), oil_volume=c['volume'] * self.evenly(-0.05, 0.8))

    def pipe(self, c):
        c.update(length=self.between(0.2, 30), diameter=self.between(4e-3, 6e-2))
        if self.chance(0.3):
            c['area'] = float(f'{0.785 * c.pop("diameter")**2:.6g}')
        if self.chance(0.5):
            c['segments'] = self.r.randint(1, 6)
            self.maybe(c, 'wall_modulus', 1e8, 1e11)
        else:
            c['inertia'] = self.chance(0.7)
        if (c.get('inertia') or 'segments' in c) and self.chance(0.6):
            c['friction'] = 'churchill'
            self.maybe(c, 'roughness', 1e-6, 1e-4)
        elif self.chance(0.4):
            c['resistance'] = self.between(1e6, 1e11)
        if c.get('inertia') or 'segments' in c:
            c['flow'] = self.r.choice([-1, 1]) * self.between(1e-7, 3e-3)

    # --- on bodies ---

    def friction(self):
        f = {'model': self.r.choice(['viscous', 'brown-mcphee', 'stribeck-tanh', 'bengisu-akay', 'lugre', 'modified-lugre']),
             'sigma2': self.between(10, 5e3)}
        self.maybe(f, 'scale', 0.1, 3)
        if f['model'] == 'viscous':
            return f
        f.update(Fc=self.between(50, 900), vs=self.between(2e-3, 5e-2))
        f['Fs'] = float(f'{f["Fc"] * self.evenly(1, 2.5):.6g}')
        more = {'stribeck-tanh': {'v0': (5e-4, 1e-2)}, 'bengisu-akay': {'xi': (10, 300)}}.get(f['model'], {})
        if 'lugre' in f['model']:
            more = {'sigma0': (1e5, 5e7), 'sigma1': (1e2, 1e4)}
            f['bristle'] = self.r.choice([0.0, self.evenly(-2e-5, 2e-5)])
        if f['model'] == 'modified-lugre':
            more |= {'ve': (1e-4, 1e-2), 'vd': (1e-3, 0.2)}
        return f | {name: self.between(*range_) for name, range_ in more.items()}

    def cylinder(self, lines):
        A, stroke = self.between(3e-4, 2e-2), self.between(0.1, 1.5)
        c = {'kind': 'cylinder', 'base': 'ground.O', 'rod': 'load.O', 'piston_area': A, 'stroke': stroke,
             'rod_side_area': self.r.choice([0.0, float(f'{A * self.evenly(0.3, 1):.6g}')]), 'c1': self.evenly(0, 0.3),
             'c2': self.evenly(0, 0.3)}
        plunger = c['rod_side_area'] == 0.0
        self.maybe(c, 'wall_modulus', 1e9, 1e11)
        for name, low, high in (('leakage', 1e-14, 1e-11), ('external_leakage', 1e-14, 1e-12), ('vent_pressure', 1e4, 5e5),
                                ('spring_stiffness', 1e3, 1e5), ('spring_preload', 10, 5e3)):
            self.maybe(c, name, low, high, 0.4)
        self.maybe(c, 'stop_stiffness', 1e5, 1e9, 0.3)
        self.maybe(c, 'stop_loss', 0.1, 10, 0.3)
        for side in 'A' if plunger else 'AB':
            if self.chance(0.3):
                c['cushion_' + side] = {'length': self.between(0.01, 0.06), 'area': self.between(1e-5, 1e-4),
                                        'end_area': self.r.choice([0.0, self.between(1e-7, 5e-6)]),
                                        'dead_volume': self.between(1e-6, 1e-4)}
                for name, low, high in (('check_area', 1e-6, 1e-4), ('Cd', 0.5, 0.9), ('dp_lim', 1e3, 1e6)):
                    self.maybe(c['cushion_' + side], name, low, high)
        if self.chance(0.7):
            c['friction'] = self.friction()
        length = self.r.choice([0.0005, 0.02, 0.5, 0.5, 0.97, 0.9995]) * stroke
        v = self.r.choice([0.0, self.evenly(-1, 1), self.evenly(-0.03, 0.03)])
        body = {'id': 'load', 'points': {'O': [0, 0]}, 'mass': self.between(10, 3000), 'inertia': 1.0,
                'pose': [c['c1'] + c['c2'] + length, 0, 0], 'velocity': [v, 0, 0]}
        joint = {'id': 'guide', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'load.O', 'axis': 0.0, 'angle': 0}
        if self.chance(0.4):
            joint['friction'] = {'force': self.between(10, 1e3), 'speed': self.between(1e-3, 0.1), 'viscous': self.between(1, 1e3)}
        self.joint_stop(joint, c['c1'] + c['c2'] + length, 0.01, (1e5, 1e8), (0.1, 5))
        return c, body, joint

    def rotary(self, kind):
        c = {'kind': kind, 'a': 'ground', 'b': 'rotor', 'displacement': self.between(1e-6, 1e-4)}
        for name, low, high in (('leakage', 1e-14, 1e-11), ('friction_torque', 0.1, 50), ('friction_speed', 0.05, 5),
                                ('viscous_friction', 1e-3, 1.0)):
            self.maybe(c, name, low, high)
        angle = self.evenly(-1, 1)
        if kind == 'motor':
            self.maybe(c, 'case_leakage', 1e-14, 1e-11)
        else:
            c.update(angle_min=self.evenly(-2, -0.5), angle_max=self.evenly(0.5, 2))
            self.maybe(c, 'wall_modulus', 1e9, 1e11)
            reach = c['angle_max'] - c['angle_min']
            angle = self.r.choice([self.evenly(c['angle_min'], c['angle_max']), c['angle_min'] + 3e-4 * reach,
                                   c['angle_max'] - 3e-4 * reach])
        body = {'id': 'rotor', 'points': {'O': [0, 0]}, 'mass': 10.0, 'inertia': self.between(0.05, 100), 'pose': [0, 0, angle],
                'velocity': [0, 0, self.r.choice([0.0, self.evenly(-10, 10)])]}
        joint = {'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'rotor.O'}
        if self.chance(0.4):
            joint['friction'] = {'torque': self.between(0.1, 50), 'speed': self.between(1e-3, 0.1), 'viscous': self.between(0.01, 10)}
        self.joint_stop(joint, angle, 0.02, (1e3, 1e6), (0.05, 2))
        return c, body, joint

    def joint_stop(self, joint, at, near, stiffness, loss):
        """Stops near the place where the joint begins, which may be beyond one of them."""
        if not self.chance(0.4):
            return
        joint['stop'] = stop = {}
        if self.chance(0.6):
            stop['min'] = at + self.evenly(-near, near)
        if 'min' not in stop or self.chance(0.5):
            stop['max'] = max(at, stop.get('min', at)) + self.evenly(0 if 'min' in stop else -near, near)
        self.maybe(stop, 'stiffness', *stiffness)
        self.maybe(stop, 'loss', *loss)

    # --- signals ---

    def signal(self, low, high, lines, depth=0):
        """A number of that range, or blocks about what the lines' pressures are."""
        if depth == 0 and self.chance(0.55) or depth > 2:
            return self.evenly(low, high)
        span = high - low
        kind = self.r.choice(['sensor', 'gain', 'sum', 'limit', 'dead-zone', 'filter', 'lead-lag', 'pid'])
        of = self.r.choice(lines) + '.pressure'
        deeper = self.sensor(low, high, of) if self.chance(0.4) else self.signal(low, high, lines, depth + 1)
        if kind == 'sensor':
            return self.sensor(low, high, of)
        if kind == 'gain':
            return {'kind': 'gain', 'of': deeper, 'gain': self.evenly(-2, 2), 'offset': self.evenly(low, high)}
        if kind == 'sum':
            return {'kind': 'sum', 'of': [deeper, self.signal(low, high, lines, depth + 1)],
                    'weights': [self.evenly(-1, 1), self.evenly(-1, 1)]}
        if kind == 'limit':
            return {'kind': 'limit', 'of': deeper, 'min': self.evenly(low, low + 0.4 * span), 'max': self.evenly(high - 0.4 * span, high)}
        if kind == 'dead-zone':
            return {'kind': 'dead-zone', 'of': deeper, 'width': self.evenly(0, 0.3) * span}
        if kind == 'filter':
            return {'kind': 'filter', 'of': deeper, 'time_constant': self.between(1e-3, 0.1)}
        if kind == 'lead-lag':
            return {'kind': 'lead-lag', 'of': deeper, 'gain': self.evenly(-2, 2), 'lead': self.between(1e-3, 0.1),
                    'lag': self.between(1e-3, 0.1)}
        c = {'kind': 'pid', 'of': of, 'target': self.evenly(1e5, 1e7), 'kp': self.evenly(-2, 2) * span * 1e-7,
             'ki': self.r.choice([0.0, self.evenly(-2, 2) * span * 1e-6])}
        if self.chance(0.5):
            c.update(kd=self.evenly(-2, 2) * span * 1e-9, filter=self.between(1e-3, 0.1))
        if self.chance(0.5):
            c.update(min=low, max=high)
        if c['ki'] != 0.0:
            self.maybe(c, 'anti_windup', 1e3, 1e8)
            c['integral'] = self.evenly(-1, 1) * 1e6
        return c

    def sensor(self, low, high, of):
        span = high - low
        s = {'kind': 'sensor', 'of': of, 'gain': self.evenly(-1, 1) * span * 1e-7, 'offset': self.evenly(low, high)}
        self.maybe(s, 'time_constant', 1e-3, 0.1, 0.4)
        return s

    # --- files ---

    def fluid(self):
        f = {'bulk_modulus': self.between(8e8, 2.5e9), 'density': self.evenly(780, 1200), 'viscosity': self.between(5e-3, 0.2)}
        if self.chance(0.4):
            f['air_fraction'] = self.between(1e-4, 0.05)
        if self.chance(0.4):
            f['vapour_pressure'] = self.r.choice([self.between(1, 4e4), self.between(1e3, 4e4)])
        if self.chance(0.4):
            f['ambient_pressure'] = self.between(5e4, 2e5)
        return f

    def pressure(self, onset):
        return self.r.choice([self.between(1e5, 3e7), self.between(1e5, 3e7), self.between(1e6, 3e7), self.between(0.1, 2) * onset])

    def file(self, kinds, shared=0.08):
        """With these components; shared: the part of ports that come to a line that is there already."""
        r, fluid = self.r, self.fluid()
        onset = max(fluid.get('vapour_pressure', 0.0), 1000.0)
        file = {'format': 'hydrolink', 'version': 1, 'fluid': fluid, 'ground': {'points': {'O': [0, 0]}}, 'bodies': [], 'joints': [],
                'components': [], 'lines': [], 'simulation': {'start': 'as-given', 't_end': 1e-6, 'every': 1e-6}}
        lines = []
        used = [[port for port in PORTS[kind]] for kind in kinds]
        for k, kind in enumerate(kinds):
            c = {'id': f'v{k}'}
            lines += [f'L{k}{port}' for port in used[k]]
            if kind in ('cylinder', 'motor', 'rotary-actuator'):
                own, body, joint = self.cylinder(lines) if kind == 'cylinder' else self.rotary(kind)
                file['bodies'].append(body)
                file['joints'].append(joint)
                file['components'].append(c | own)
                continue
            drawn = self.component(kind, [f'L{k}{PORTS[kind][0]}'])
            if kind == 'directional-valve':
                used[k] = {'3/2': 'PTA', '2/2': 'PA', '6/3': 'PTABCD'}.get(drawn['form'], 'PTAB')
            file['components'].append(c | drawn)
        for k, kind in enumerate(kinds):
            for port in used[k]:
                absent = port in READS.get(kind, {}) or kind not in ('cylinder', 'rotary-actuator', 'pipe')
                if port not in READS.get(kind, {}) and 'time_constant' in file['components'][k]:
                    absent = False  # its opening would hang on a pressure that is none
                if port != PORTS[kind][0] and (absent and self.chance(0.15) or kind == 'cylinder' and self.chance(0.3)):
                    continue
                if file['lines'] and port != PORTS[kind][0] and self.chance(shared):
                    r.choice(file['lines'])['ports'].append(f'v{k}.{port}')
                    continue
                line = {'id': f'L{k}{port}', 'ports': [f'v{k}.{port}'], 'volume': self.between(1e-5, 1e-2),
                        'pressure': self.pressure(onset)}
                self.maybe(line, 'wall_modulus', 1e8, 1e11, 0.3)
                file['lines'].append(line)
        self.give_cushions(file, onset)
        return file

    def give_cushions(self, file, onset):
        """A plunger has no port B."""
        for c in file['components']:
            if c['kind'] == 'cylinder' and c['rod_side_area'] == 0.0:
                for line in list(file['lines']):
                    line['ports'] = [port for port in line['ports'] if port != c['id'] + '.B']
                    if not line['ports']:
                        file['lines'].remove(line)
