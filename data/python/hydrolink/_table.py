# SPDX-License-Identifier: MIT
"""Tables: columns by name with units, as a mapping."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    import pandas


class Columns:
    """What runs and tables share: dict (r), pandas.DataFrame (r), ** and key completion take the columns. The length is that of a
    column."""

    _shown_rows = 10  # of the table in a notebook, at each end
    _index: str | None = None

    columns: tuple[str, ...]
    units: dict[str, str]

    if TYPE_CHECKING:
        def __getitem__(self, name: str) -> numpy.ndarray: ...
        def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

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

    def to_pandas(self, index: str | None = '') -> pandas.DataFrame:
        """Returns the columns as a pandas.DataFrame.

        Parameters
        ----------
        index : str or None
            The column that becomes the index, of a run the time unless another one is given; None: rows are counted.

        Returns
        -------
        pandas.DataFrame
            Copies of the numbers; `.attrs["units"]` has the units.
        """
        from pandas import DataFrame  # pylint: disable=import-outside-toplevel
        frame = DataFrame({name: self[name].copy() for name in self.columns})
        frame.attrs['units'] = dict(self.units)
        index = self._index if index == '' else index
        return frame if index is None else frame.set_index(index)

    def _heading(self, name):
        unit = self.units.get(name, '')
        return f'{name} [{unit}]' if unit else name

    def __repr__(self) -> str:
        return f'<hydrolink.{type(self).__name__} of {len(self)} rows: {", ".join(self.columns)}>'

    def _repr_html_(self) -> str:
        """Returns the first and the last rows as a table."""
        def shown(value):
            return f'{value:.6g}' if isinstance(value, float) else html.escape(str(value))
        n, most = len(self), self._shown_rows
        rows = list(range(n)) if n <= 2 * most else [*range(most), None, *range(n - most, n)]
        head = ''.join(f'<th>{html.escape(self._heading(name))}</th>' for name in self.columns)
        body = ''.join('<tr>' + ''.join('<td>…</td>' if row is None else f'<td>{shown(self[name][row])}</td>' for name in self.columns) + '</tr>'
                       for row in rows)
        return f'<table><tr>{head}</tr>{body}</table><p>{n} rows</p>'


Mapping.register(Columns)


class Table(Columns):
    """Rows that a command computed, one for each set of numbers: t["max:phi2"] is an array.

    Attributes
    ----------
    columns : tuple of str
    units : dict
        SI unit of each column.
    notes : list of str
        Warnings and notes of the command.
    """

    def __init__(self, columns: Mapping[str, numpy.ndarray], units: Mapping[str, str], notes: list[str] | None = None):
        self._data = dict(columns)
        self.columns, self.units, self.notes = tuple(self._data), dict(units), list(notes or [])

    def __len__(self) -> int:
        return len(next(iter(self._data.values()), ()))

    def __getitem__(self, name: str) -> numpy.ndarray:
        if name not in self._data:
            raise KeyError(f'{name!r}: the table has {", ".join(self.columns)}')
        return self._data[name]

    @classmethod
    def of_csv(cls, text: str, notes: list[str] | None = None) -> Table:
        """Of a CSV of the program: "name [unit]" in the heading, lines with # are left out."""
        heading, *rows = csv.reader(io.StringIO(''.join(line + '\n' for line in text.splitlines() if not line.startswith('#'))))
        columns: dict[str, Any] = {}
        units = {}
        for place, cell in enumerate(heading):
            found = re.fullmatch(r'(.*) \[([^]]*)\]', cell)
            name, unit = found.groups() if found else (cell, '')
            cells = [row[place] if place < len(row) else '' for row in rows]
            try:
                if name == 'error':  # a reason in words, or none
                    raise ValueError
                columns[name] = numpy.array([float(cell) if cell else numpy.nan for cell in cells])
            except ValueError:
                columns[name] = numpy.array(cells, dtype=object)
            units[name] = unit
        return cls(columns, units, notes)
