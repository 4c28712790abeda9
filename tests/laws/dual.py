# SPDX-License-Identifier: MIT
"""Numbers with the slope along one direction, from the side towards which it leads, and with what rounding may have
done to both.

At a kink a law has two slopes by a state: that along +1, and the negative of that along -1. Nothing here knows a
derivative of a law: each follows from the law as it is written. Roundings are counted as running sums of what each
operation gives, so that a difference of two large numbers is not asked for more than it has.
"""

import math


class Dual:
    """A value, what it changes by for a small step along the direction, and bounds of both in units of rounding."""

    __slots__ = ('v', 'd', 'ev', 'ed')

    def __init__(self, v, d=0.0, ev=0.0, ed=0.0):
        self.v, self.d, self.ev, self.ed = v, d, ev, ed

    def __add__(self, o):
        if not isinstance(o, Dual):
            return Dual(self.v + o, self.d, self.ev + abs(self.v + o), self.ed)
        v, d = self.v + o.v, self.d + o.d
        return Dual(v, d, self.ev + o.ev + abs(v), self.ed + o.ed + abs(d))

    __radd__ = __add__

    def __neg__(self):
        return Dual(-self.v, -self.d, self.ev, self.ed)

    def __sub__(self, o):
        return self + -o

    def __rsub__(self, o):
        return -self + o

    def __mul__(self, o):
        if not isinstance(o, Dual):
            o = Dual(o)
        v, one, two = self.v * o.v, self.d * o.v, self.v * o.d
        return Dual(v, one + two, self.ev * abs(o.v) + o.ev * abs(self.v) + abs(v),
                    self.ed * abs(o.v) + abs(self.d) * o.ev + o.ed * abs(self.v) + abs(o.d) * self.ev + abs(one) + abs(two))

    __rmul__ = __mul__

    def __truediv__(self, o):
        if not isinstance(o, Dual):
            o = Dual(o)
        q, size_ = self.v / o.v, abs(o.v)
        d = (self.d - q * o.d) / o.v
        ev = (self.ev + abs(q) * o.ev) / size_ + abs(q)
        return Dual(q, d, ev, (self.ed + abs(q) * o.ed + ev * abs(o.d) + abs(q * o.d) + abs(self.d) + abs(d) * o.ev) / size_ + abs(d))

    def __rtruediv__(self, o):
        return Dual(o) / self

    def __pow__(self, n):
        """By a constant power."""
        return of(self, self.v**n, n * self.v**(n - 1), n * (n - 1) * self.v**(n - 2))


def of(x, f, rate, bend):
    """f (x), with its first and second derivative."""
    return Dual(f, rate * x.d, abs(rate) * x.ev + abs(f), abs(rate) * x.ed + abs(bend * x.d) * x.ev + abs(rate * x.d))


def value(x):
    return x.v if isinstance(x, Dual) else x


def slope(x):
    return x.d if isinstance(x, Dual) else 0.0


def exp(x):
    f = math.exp(x.v)
    return of(x, f, f, f)


def log(x):
    return of(x, math.log(x.v), 1 / x.v, -1 / x.v**2)


def sqrt(x):
    f = math.sqrt(x.v)
    return of(x, f, 0.5 / f, -0.25 / (f * x.v))


def tanh(x):
    f, rate = math.tanh(x.v), 1 / math.cosh(min(abs(x.v), 300.0))**2
    y = of(x, f, rate, -2 * f * rate)
    y.ed += abs(x.d)  # the page writes it 1 - tanh^2
    return y


def part(x):
    """(x)+"""
    return x if x.v > 0 else Dual(0.0, max(x.d, 0.0) if x.v == 0 else 0.0, x.ev, x.ed)


def size(x):
    """|x|"""
    return x if x.v > 0 else -x if x.v < 0 else Dual(0.0, abs(x.d), x.ev, x.ed)


def sign(x):
    v = value(x)
    return (v > 0) - (v < 0)


def limit(x, a, b):
    """lim (x; a, b); None: no bound there."""
    if a is not None and x.v <= a:
        return Dual(a, max(x.d, 0.0) if x.v == a else 0.0, x.ev, x.ed)
    if b is not None and x.v >= b:
        return Dual(b, min(x.d, 0.0) if x.v == b else 0.0, x.ev, x.ed)
    return x


def within(x, a, b):
    """in (x; a, b): the bounds count as inside."""
    return Dual(a) if x.v < a else Dual(b) if x.v > b else x


def ramp(e):
    """S (e)"""
    return Dual(0.0, 0.0, e.ev, e.ed) if e.v <= 0 else Dual(1.0, 0.0, e.ev, e.ed) if e.v >= 1 else e * e * (3 - 2 * e)
