# SPDX-License-Identifier: MIT
"""A column of oil that a source sets off through a throttle and pipes with Churchill's friction: the hybrid model
against a Runge-Kutta of one's own, and the lumped one on its way there as the oil grows stiff.
"""

from components import K, Oil, bore, lost
from dual import Dual

OIL = {'density': 870.0, 'viscosity': 0.02}
PIPES = [{'length': 6.0, 'diameter': 0.012, 'roughness': 2e-5}, {'length': 3.0, 'diameter': 0.009, 'roughness': 0.0}]
THROTTLE = {'kind': 'throttle', 'area': 4e-5, 'Cd': 0.62, 'dp_lim': 0.0}
DRIVE, BACK = 4e6, 1e5


def file(friction, bulk=1.5e9, n=2, **of_pipes):
    """n pipes behind each other."""
    pipes = [{'id': f'pipe{k}', 'kind': 'pipe', 'inertia': True, 'friction': friction, **pipe, **of_pipes}
             for k, pipe in enumerate(PIPES[:n])]
    if friction == 'linear':
        for pipe in pipes:
            del pipe['roughness']
    return {'format': 'hydrolink', 'version': 1, 'fluid': OIL | {'bulk_modulus': bulk},
            'components': [{'id': 'pump', 'kind': 'pressure-source', 'pressure': DRIVE}, {'id': 'throttle', **THROTTLE}, *pipes,
                           {'id': 'tank', 'kind': 'tank', 'pressure': BACK}],
            'lines': [{'id': 'P', 'ports': ['pump.P', 'throttle.A']},
                      {'id': 'M', 'ports': ['throttle.B', 'pipe0.A'], 'volume': 2e-6, 'pressure': BACK},
                      *({'id': f'N{k}', 'ports': [f'pipe{k}.B', f'pipe{k + 1}.A'], 'volume': 2e-6, 'pressure': BACK} for k in range(n - 1)),
                      {'id': 'T', 'ports': [f'pipe{n - 1}.B', 'tank.T']}],
            'probes': [{'id': 'q', 'of': 'pipe0.flow'}, {'id': 'p', 'of': ('N0' if n > 1 else 'T') + '.pressure'}],
            'simulation': {'t_end': 0.2, 'every': 0.01, 'rtol': 1e-9, 'start': 'as-given'}}


def flows(laminar=0.0, n=2, step=4e-5, every=250, n_rows=20):
    """Flow and pressure between the pipes at the rows of the file, by Runge-Kutta; laminar: pressure difference below
    which the throttle is so."""
    oil, k = Oil(OIL), K(THROTTLE, Oil(OIL))
    inertia = [oil.density * pipe['length'] / bore(pipe) for pipe in PIPES[:n]]

    def drop(pipe, q):
        return lost(pipe | {'friction': 'churchill'}, Dual(q), pipe['length'], bore(pipe), oil).v

    def rate(q):
        throttled = q * max(abs(q), k * laminar**0.5) / k**2
        return (DRIVE - BACK - throttled - sum(drop(pipe, q) for pipe in PIPES[:n])) / sum(inertia)

    q, rows = 0.0, []
    for number in range(n_rows * every + 1):
        if number % every == 0:
            rows.append((q, BACK + (drop(PIPES[1], q) + inertia[1] * rate(q) if n > 1 else 0.0)))
        a = rate(q)
        b = rate(q + 0.5 * step * a)
        c = rate(q + 0.5 * step * b)
        d = rate(q + step * c)
        q += step * (a + 2 * b + 2 * c + d) / 6
    return rows
