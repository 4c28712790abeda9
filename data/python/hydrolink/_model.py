# SPDX-License-Identifier: MIT
"""Models: numbers by path, parameter sets, and what can be computed of them."""

from __future__ import annotations

import ctypes
import html
import os
import threading
import time
from collections.abc import Callable, Iterator

from ._build import Builder
from ._commands import Commands
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


class Model(Builder, Commands):
    """A drawing with its numbers. m["cyl.friction.Fc"] reads and sets one, a text may have a unit. Of several threads
    with one model each waits for the others; they compute at once with a copy() each."""

    _handle = None

    def __init__(self, path: str | os.PathLike[str]):
        """Reads a model file, as open(path)."""
        self._take(call('open', file_name(path)))

    @classmethod
    def new(cls, name: str | None = None) -> Model:
        """An empty model, to be built in code: m = hydrolink.Model.new("Crane"); m.add_body(...)."""
        self = cls._of(lib.new())
        if name is not None:
            self.change('model', name=name)
        return self

    @classmethod
    def _of(cls, handle):
        """Takes over a model of the library."""
        self = cls.__new__(cls)
        self._take(handle)
        return self

    def _take(self, handle):
        self._handle = handle
        self._quick = set()  # places that were found at once
        self._in_rows = 0  # runs whose rows are being read
        self._lock = threading.RLock()  # held during calls of the library except stop; a row callback may call again

    def __del__(self):
        if self._handle:
            lib.close(self._handle)
            self._handle = None

    def __repr__(self):
        return f'<hydrolink.Model {self.name!r}>'

    def copy(self) -> Model:
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
    def name(self) -> str:
        return self._do(lib.name).decode()

    def to_text(self) -> str:
        """As it would be saved."""
        return text(self._do(lib.to_text))

    def save(self, path: str | os.PathLike[str]) -> None:
        self._call('save', file_name(path))

    def check(self) -> list[str]:
        """Problems, one line each, those that bar every run first; an empty list is a sound model."""
        return text(self._do(lib.check, None)).splitlines()

    # --- numbers ---

    def __getitem__(self, path: str) -> float:
        value = ctypes.c_double()
        self._call('get', encoded(path, 'a path'), ctypes.byref(value))
        return value.value

    def __setitem__(self, path: str, value: float | str) -> None:
        if isinstance(value, str):
            self._call('set_text', encoded(path, 'a path'), encoded(value, 'a number with its unit'))
        else:
            self._call('set', encoded(path, 'a path'), float(value))

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.paths)

    def _repr_html_(self) -> str:
        """Returns the name, how many numbers can be set, and the problems."""
        problems = ''.join(f'<li>{html.escape(line)}</li>' for line in self.check())
        return (f'<p><b>{html.escape(self.name)}</b>: {len(self)} numbers can be set</p>' +
                (f'<ul>{problems}</ul>' if problems else '<p>No problems.</p>'))

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return self._do(lib.n_paths)

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    @property
    def paths(self) -> tuple[str, ...]:
        """Every number that can be set, in the order of the file."""
        with self._lock:
            return names(len(self), lambda k: lib.path(self._handle, k))

    def unit(self, path: str) -> str:
        """SI unit of the number."""
        unit = self._do(lib.unit, encoded(path, 'a path'))
        if unit is None:
            self[path]  # says what is wrong with it
        return unit.decode()

    @property
    def sets(self) -> tuple[str, ...]:
        """Names of the parameter sets of the file."""
        with self._lock:
            return names(lib.n_sets(self._handle), lambda k: lib.set_name(self._handle, k))

    def apply(self, name: str) -> None:
        """Gives the numbers of a parameter set to the model."""
        self._call('apply_set', encoded(name, 'the name of a set'))

    def apply_file(self, path: str | os.PathLike[str]) -> None:
        """Gives the numbers of a parameter file (.ssv) to the model."""
        self._call('apply_file', file_name(path))

    # --- what is computed ---

    def state(self, at: str | float = 'start') -> State:
        """State at "start", "given", "equilibrium" or a time [s] of a run; state["link2.angle"]."""
        return self._at('state', at, State._of)

    def equilibrium(self) -> State:
        """The state of rest."""
        return self.state('equilibrium')

    def linearize(self, at: str | float = 'start') -> Linear:
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

    def simulate(self, t_end: float | str | None = None, every: float | str | None = None, rtol: float | None = None, oil: str | None = None,
                 integrator: str | None = None, row: Callable | None = None, keep: bool = True, step: float | str | None = None,
                 max_steps: int | None = None, formulation: str | None = None, beta: float | None = None,
                 gamma: float | None = None) -> Run:
        """Runs the model. What is not given is as in the file; a number may be a text with its unit, "4 s".

        Parameters
        ----------
        t_end, every, step
            End of the run, time between rows, fixed step of the discrete formulation [s].
        rtol
            Relative tolerance.
        oil, formulation, integrator
            "lumped", "quasistatic" or "hybrid"; the formulation of that oil; "bdf" or "radau".
        row
            Called with every row (time, then the probes); ends the run by returning False.
        keep
            False: the run keeps no rows.
        max_steps, beta, gamma
            Limit of steps; factors of virtual elements and of the decay of constraint errors.

        Returns
        -------
        Run
            A run that stops early has an `error` and its rows until then. Ctrl+C stops it, with `row` after its next row.
        """
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


def open(path: str | os.PathLike[str]) -> Model:
    """Reads a model file."""
    return Model(path)


def parse(source: str) -> Model:
    """Of the text of a model file."""
    return Model._of(call('parse', encoded(source, 'a model')))
