# SPDX-License-Identifier: MIT
"""States: one instant of a machine."""

from __future__ import annotations

import ctypes

from ._library import Result, call, encoded, lib


class State(Result):
    """state["link2.angle"], state["A.pressure"]: whatever a probe may be of, in SI."""

    _made_by = 'Model.state ()'

    def __del__(self):
        if self._handle:
            lib.state_free(self._handle)
            self._handle = None

    def __getitem__(self, path: str) -> float:
        value = ctypes.c_double()
        call('state_get', self._handle, encoded(path, 'a path'), ctypes.byref(value))
        return value.value

    @property
    def notes(self) -> list[str]:
        """What is worth knowing of it: a line whose oil would have to pull."""
        return lib.state_notes(self._handle).decode().splitlines()
