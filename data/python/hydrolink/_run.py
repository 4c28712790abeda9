# SPDX-License-Identifier: MIT
"""Runs: rows over time, column by column."""

from __future__ import annotations

import ctypes
import html
import os
import threading

import numpy

from ._library import Result, call, file_name, lib, names
from ._table import Columns


class Run(Columns, Result):
    """Rows over time, by columns: r["t"], r["phi2"] are arrays that are not copied and live as long as they are used.

    Attributes
    ----------
    columns : tuple of str
        The time `t`, then the probes.
    units : dict
        SI unit of each column.
    error : str or None
        Why the run stopped early.
    notes : list of str
        What is worth knowing about the run.
    steps, seconds
        Steps of the integrator, and the time that they took.
    """

    _made_by = 'Model.simulate ()'
    _index = 't'

    columns: tuple[str, ...]
    units: dict[str, str]
    error: str | None
    notes: list[str]
    steps: int
    seconds: float

    def _read(self):
        handle = self._handle
        self._lock = threading.Lock()  # a column is put together when it is first asked for
        self.columns = names(lib.run_n_columns(handle), lambda k: lib.run_column_name(handle, k))
        self.units = dict(zip(self.columns, names(len(self.columns), lambda k: lib.run_column_unit(handle, k))))
        error = lib.run_error(handle)
        self.error = error.decode(errors='backslashreplace') if error else None
        self.notes = lib.run_notes(handle).decode().splitlines()
        self.steps, self.seconds = lib.run_steps(handle), lib.run_seconds(handle)

    def __del__(self):
        if self._handle:
            lib.run_free(self._handle)
            self._handle = None

    def __len__(self) -> int:
        return lib.run_n_rows(self._handle)

    def __getitem__(self, name: str) -> numpy.ndarray:
        if name not in self.columns:
            raise KeyError(f'{name!r}: the run has {", ".join(self.columns)}')
        if len(self) == 0:
            return numpy.zeros(0)
        with self._lock:
            pointer = lib.run_column(self._handle, self.columns.index(name))
        return numpy.asarray(_Lent(self, pointer))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all columns to FILE.mat, FILE.npz or, as CSV, FILE.csv; other endings raise Error."""
        call('run_save', self._handle, file_name(path))

    def _repr_html_(self) -> str:
        """Returns the first and the last rows as a table."""
        return super()._repr_html_() + (f'<p>{html.escape(self.error)}</p>' if self.error else '')


class _Lent:
    """Numbers of a run, which they keep."""

    def __init__(self, run, pointer):
        self._run = run
        self.__array_interface__ = {'shape': (len(run),), 'typestr': numpy.dtype(float).str,
                                    'data': (ctypes.addressof(pointer.contents), True), 'version': 3}
