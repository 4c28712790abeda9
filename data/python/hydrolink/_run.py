# SPDX-License-Identifier: MIT
"""Runs: rows over time, column by column."""

from __future__ import annotations

import ctypes
import html
import os
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    import pandas

from ._library import Result, call, file_name, lib, names


class Run(Result):
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
    _ipython_display_rows = 10  # of the table in a notebook, at each end

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

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

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

    # As a mapping of columns, so that dict (r), pandas.DataFrame (r) and ** work. The length is that of a column.

    def keys(self) -> tuple[str, ...]:
        return self.columns

    def values(self) -> list[numpy.ndarray]:
        return [self[name] for name in self.columns]

    def items(self) -> list[tuple[str, numpy.ndarray]]:
        return [(name, self[name]) for name in self.columns]

    def get(self, name: str, otherwise=None):
        return self[name] if name in self.columns else otherwise

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.columns)

    def to_pandas(self, index: str | None = 't') -> pandas.DataFrame:
        """Returns the columns as a pandas.DataFrame.

        Parameters
        ----------
        index : str or None
            The column that becomes the index; None: rows are counted.

        Returns
        -------
        pandas.DataFrame
            Copies of the numbers; `.attrs["units"]` has the units.
        """
        from pandas import DataFrame  # pylint: disable=import-outside-toplevel
        frame = DataFrame({name: self[name].copy() for name in self.columns})
        frame.attrs['units'] = dict(self.units)
        return frame if index is None else frame.set_index(index)

    def __repr__(self) -> str:
        return f'<hydrolink.Run of {len(self)} rows: {", ".join(self.columns)}>'

    def _repr_html_(self) -> str:
        """Returns the first and the last rows as a table."""
        n, most = len(self), self._ipython_display_rows
        shown = list(range(n)) if n <= 2 * most else [*range(most), None, *range(n - most, n)]
        head = ''.join(f'<th>{html.escape(name)} [{html.escape(self.units[name])}]</th>' for name in self.columns)
        rows = ''.join('<tr>' + ''.join('<td>…</td>' if row is None else f'<td>{self[name][row]:.6g}</td>' for name in self.columns) + '</tr>'
                       for row in shown)
        error = f'<p>{html.escape(self.error)}</p>' if self.error else ''
        return f'<table><tr>{head}</tr>{rows}</table><p>{n} rows</p>{error}'


class _Lent:
    """Numbers of a run, which they keep."""

    def __init__(self, run, pointer):
        self._run = run
        self.__array_interface__ = {'shape': (len(run),), 'typestr': numpy.dtype(float).str,
                                    'data': (ctypes.addressof(pointer.contents), True), 'version': 3}


Mapping.register(Run)
