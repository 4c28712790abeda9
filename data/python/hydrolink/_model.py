# SPDX-License-Identifier: MIT
"""Models: numbers by path, parameter sets, and what can be computed of them."""

import ctypes
import threading
import time

from ._interrupt import held_back, in_reach
from ._library import AGAIN, ROW, Error, call, encoded, file_name, lib, names, text
from ._linear import Linear
from ._run import Run
from ._state import State

PLACES = {'start': 0, 'given': 1, 'equilibrium': 2}
AT_TIME = 3
QUICK = 0.1  # nobody interrupts what takes no longer [s]


def _place(at):
    if at in PLACES:
        return PLACES[at], 0.0
    if isinstance(at, str):
        raise Error(f'there is no state ‘{at}’; there is start, given, equilibrium, or a time in seconds')
    return AT_TIME, float(at)


def _number(name, given):
    """As the library reads it: SI, or with its unit."""
    if isinstance(given, str):
        return encoded(given, name)
    try:
        value = float(given)
    except (TypeError, ValueError):
        raise TypeError(f'{name} is a number or a text with its unit, not {given!r}') from None
    if not abs(value) < float('inf'):
        raise Error(f'{name} must be a finite number, not {value}')
    return repr(value).encode()


class Model:
    """A drawing with its numbers. m["cyl.friction.Fc"] reads and sets one, a text may have a unit. Of several threads
    with one model each waits for the others; they compute at once with a copy() each."""

    _handle = None

    def __init__(self, path):
        """Reads a model file, as open(path)."""
        self._take(call('open', file_name(path)))

    @classmethod
    def _of(cls, handle):
        """Takes over a model of the library."""
        self = cls.__new__(cls)
        self._take(handle)
        return self

    def _take(self, handle):
        self._handle = handle
        self._quick = set()  # places that were found at once
        self._in_rows = 0  # runs that somebody takes the rows of
        self._lock = threading.RLock()  # of what the library does with it, but to stop it; a row may ask for more

    def __del__(self):
        if self._handle:
            lib.close(self._handle)
            self._handle = None

    def __repr__(self):
        return f'<hydrolink.Model {self.name!r}>'

    def copy(self):
        """Another model with the same numbers, for another thread or another try."""
        return Model._of(self._do(lib.copy))

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return parse, (self.to_text(),)

    def _do(self, function, *arguments):
        with self._lock:
            return function(self._handle, *arguments)

    def _call(self, name, *arguments):
        with self._lock:
            return call(name, self._handle, *arguments)

    # --- the file ---

    @property
    def name(self):
        return self._do(lib.name).decode()

    def to_text(self):
        """As it would be saved."""
        return text(self._do(lib.to_text))

    def save(self, path):
        self._call('save', file_name(path))

    def check(self):
        """Problems, one line each, those that bar every run first; an empty list is a sound model."""
        return text(self._do(lib.check, None)).splitlines()

    # --- numbers ---

    def __getitem__(self, path):
        value = ctypes.c_double()
        self._call('get', encoded(path, 'a path'), ctypes.byref(value))
        return value.value

    def __setitem__(self, path, value):
        if isinstance(value, str):
            self._call('set_text', encoded(path, 'a path'), encoded(value, 'a number with its unit'))
        else:
            self._call('set', encoded(path, 'a path'), float(value))

    def __iter__(self):
        return iter(self.paths)

    def __len__(self):
        return self._do(lib.n_paths)

    def __contains__(self, path):
        return path in self.paths

    @property
    def paths(self):
        """Every number that can be set, in the order of the file."""
        with self._lock:
            return names(len(self), lambda k: lib.path(self._handle, k))

    def unit(self, path):
        """SI unit of the number."""
        unit = self._do(lib.unit, encoded(path, 'a path'))
        if unit is None:
            self[path]  # says what is wrong with it
        return unit.decode()

    @property
    def sets(self):
        """Names of the parameter sets of the file."""
        with self._lock:
            return names(lib.n_sets(self._handle), lambda k: lib.set_name(self._handle, k))

    def apply(self, name):
        """Gives the numbers of a parameter set to the model."""
        self._call('apply_set', encoded(name, 'the name of a set'))

    def apply_file(self, path):
        """Gives the numbers of a parameter file (.ssv) to the model."""
        self._call('apply_file', file_name(path))

    # --- what is computed ---

    def state(self, at='start'):
        """State at "start", "given", "equilibrium" or a time [s] of a run; state["link2.angle"]."""
        return self._at('state', at, State._of)

    def equilibrium(self):
        """The state of rest."""
        return self.state('equilibrium')

    def linearize(self, at='start'):
        """The exact linear model about a state: A, B, C, D = m.linearize()."""
        return self._at('linearize', at, Linear._of)

    def _at(self, what, at, made):
        place, seconds = _place(at)

        def work():
            return made(self._call(what, place, seconds))

        # threads cost more than what is quick, and would wait for the run whose row asks
        if place in self._quick or self._in_rows:
            return work()
        began = time.monotonic()
        result = in_reach(self._handle, work)
        if place != AT_TIME and time.monotonic() - began < QUICK:
            self._quick.add(place)
        return result

    def simulate(self, t_end=None, every=None, rtol=None, oil=None, integrator=None, row=None, keep=True, step=None,
                 max_steps=None, formulation=None, beta=None, gamma=None):
        """One run, what is not given as the file says; a number may be a text with its unit, "4 s". row(values), called with every row (time, then the
        probes), may end it by returning False. A run that breaks off has an `error` and its rows up to then.
        Ctrl+C ends it, with `row` behind its next row."""
        failure, interrupted = [], []

        def each(values, n, data):
            try:
                return not interrupted and row(values[:n]) is not False
            except BaseException as error:  # goes on where the run was called
                failure.append(error)
                return False

        numbers = {'t_end': t_end, 'every': every, 'rtol': rtol, 'step': step, 'max_steps': max_steps, 'beta': beta,
                   'gamma': gamma}
        words = {'oil': oil, 'formulation': formulation, 'integrator': integrator}
        options = [text for name, value in words.items() if value is not None
                   for text in (name.encode(), encoded(value, name))]
        options += [text for name, value in numbers.items() if value is not None for text in (name.encode(), _number(name, value))]
        taken = ROW(each) if row else ROW()

        def work():
            with self._lock:
                handle = call('run_new', self._handle, (ctypes.c_char_p * (len(options) + 1))(*options))
                lib.run_listen(handle, keep, taken, AGAIN(), None)
                try:
                    call('run_go', handle)
                except Error:
                    lib.run_free(handle)
                    raise
            return Run._of(handle)

        if row is None:
            return work() if self._in_rows else in_reach(self._handle, work)
        with held_back(interrupted), self._lock:
            self._in_rows += 1
            try:
                run = work()
            finally:
                self._in_rows -= 1
        if failure:
            raise failure[0]
        return run


def open(path):
    """Reads a model file."""
    return Model(path)


def parse(source):
    """Of the text of a model file."""
    return Model._of(call('parse', encoded(source, 'a model')))
