# SPDX-License-Identifier: MIT
"""Runs: rows over time, column by column."""

import ctypes
import threading

import numpy

from ._library import Result, call, file_name, lib, names


class Run(Result):
    """r["t"], r["phi2"]: columns, which are not copied: they live as long as somebody holds them. `error`
    tells why the run broke off, None if it did not; `notes` what is worth knowing of it."""

    _made_by = 'Model.simulate ()'

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

    def __len__(self):
        return lib.run_n_rows(self._handle)

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        if name not in self.columns:
            raise KeyError(f'{name!r}: the run has {", ".join(self.columns)}')
        if len(self) == 0:
            return numpy.zeros(0)
        with self._lock:
            pointer = lib.run_column(self._handle, self.columns.index(name))
        return numpy.asarray(_Lent(self, pointer))

    def save(self, path):
        """All columns to FILE.mat, or as CSV under any other name."""
        call('run_save', self._handle, file_name(path))

    def keys(self):
        return self.columns

    def __repr__(self):
        return f'<hydrolink.Run of {len(self)} rows: {", ".join(self.columns)}>'


class _Lent:
    """Numbers of a run, which they keep."""

    def __init__(self, run, pointer):
        self._run = run
        self.__array_interface__ = {'shape': (len(run),), 'typestr': numpy.dtype(float).str,
                                    'data': (ctypes.addressof(pointer.contents), True), 'version': 3}
