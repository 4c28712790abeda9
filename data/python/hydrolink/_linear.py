# SPDX-License-Identifier: MIT
"""Linear models: z' = A z + B w + E v, y = y0 + C z + D w + F v."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator

import numpy

from ._library import Result, call, file_name, lib, names

STATES, INPUTS, OUTPUTS, DISTURBANCES = range(4)


def _array(pointer, *shape):
    """A copy of numbers that the library lends; a matrix is column-major."""
    count = int(numpy.prod(shape))
    if count == 0:
        return numpy.zeros(shape)
    return numpy.ctypeslib.as_array(pointer, (count,)).reshape(shape, order='F').copy()


class Linear(Result):
    """Unpacks as A, B, C, D. states, inputs and outputs are names, units their SI units in the same order,
    and point the numbers that z, w and y are counted from. disturbances are the names of what else acts from
    outside, the pressures of pumps, with the matrices E and F, disturbance_units and disturbance_point."""

    _made_by = 'Model.linearize ()'

    A: numpy.ndarray
    B: numpy.ndarray
    C: numpy.ndarray
    D: numpy.ndarray
    E: numpy.ndarray
    F: numpy.ndarray
    eigenvalues: numpy.ndarray
    is_null: numpy.ndarray

    def _read(self):
        handle = self._handle
        n = self._n = [lib.linear_n(handle, axis) for axis in range(4)]
        for letter, rows, columns in ((b'A', STATES, STATES), (b'B', STATES, INPUTS), (b'C', OUTPUTS, STATES),
                                      (b'D', OUTPUTS, INPUTS), (b'E', STATES, DISTURBANCES),
                                      (b'F', OUTPUTS, DISTURBANCES)):
            setattr(self, letter.decode(), _array(lib.linear_matrix(handle, letter), n[rows], n[columns]))
        re, im = numpy.zeros(n[STATES]), numpy.zeros(n[STATES])
        null = numpy.zeros(n[STATES], dtype=numpy.intc)
        lib.linear_eigenvalues(handle, *(a.ctypes.data_as(t) for a, t in zip((re, im, null), _POINTERS)))
        #: by falling real part; is_null: zero by the structure of the machine
        self.eigenvalues, self.is_null = re + 1j * im, null != 0

    def __del__(self):
        if self._handle:
            lib.linear_free(self._handle)
            self._handle = None

    def _names(self, axis):
        return names(self._n[axis], lambda k: lib.linear_name(self._handle, axis, k))

    def _units(self, axis):
        return names(self._n[axis], lambda k: lib.linear_unit(self._handle, axis, k))

    @functools.cached_property
    def states(self) -> tuple[str, ...]:
        return self._names(STATES)

    @functools.cached_property
    def inputs(self) -> tuple[str, ...]:
        return self._names(INPUTS)

    @functools.cached_property
    def outputs(self) -> tuple[str, ...]:
        return self._names(OUTPUTS)

    @functools.cached_property
    def disturbances(self) -> tuple[str, ...]:
        return self._names(DISTURBANCES)

    @functools.cached_property
    def disturbance_units(self) -> tuple[str, ...]:
        return self._units(DISTURBANCES)

    @functools.cached_property
    def disturbance_point(self) -> numpy.ndarray:
        return _array(lib.linear_point(self._handle, DISTURBANCES), self._n[DISTURBANCES])

    @functools.cached_property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """Three tuples, of states, inputs and outputs."""
        return tuple(self._units(axis) for axis in range(3))

    @functools.cached_property
    def point(self) -> tuple[numpy.ndarray, ...]:
        """Three arrays, of states, inputs and outputs."""
        return tuple(_array(lib.linear_point(self._handle, axis), self._n[axis]) for axis in range(3))

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return iter((self.A, self.B, self.C, self.D))

    def __repr__(self):
        return f'<hydrolink.Linear of {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """With names, units and the point, to FILE.json, .csv, .mat, .m (MATLAB, Octave) or .py."""
        call('linear_save', self._handle, file_name(path))

    def to_control(self):
        """As python-control's StateSpace; outputs without a tangent (energies) are left out. Its names have no
        dot and are unique."""
        import control
        known = [k for k in range(len(self.outputs)) if numpy.isfinite(self.C[k]).all() and numpy.isfinite(self.D[k]).all()]
        taken = set()

        def plain(names, kind):
            found = []
            for name in (name.replace('.', '_') for name in names):
                while name in taken:
                    name += '_' + kind
                taken.add(name)
                found.append(name)
            return found

        return control.StateSpace(self.A, self.B, self.C[known], self.D[known], states=plain(self.states, 'state'),
                                  inputs=plain(self.inputs, 'input'),
                                  outputs=plain([self.outputs[k] for k in known], 'output'))


_POINTERS = lib.linear_eigenvalues.argtypes[1:]
