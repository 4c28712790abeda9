# SPDX-License-Identifier: MIT
"""Building and changing a model in code: elements, points, lines, probes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._library import encoded, lib, text

#: A number in SI, or a text with a unit ("80 mm") or a formula ("bore / 2").
Number = 'float | str'

# Lists of the file whose elements have kinds, and the method of each.
_KINDS = {'joints': 'add_joint', 'loads': 'add_load', 'components': 'add_component'}


def _plain(value):
    """As JSON has it: NumPy's numbers and arrays, tuples, mappings."""
    if isinstance(value, Mapping):
        return {_name(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, 'tolist'):
        return _plain(value.tolist())
    return value


def _name(key):
    """"from_" is the member "from", which is a word of Python."""
    if not isinstance(key, str):
        raise TypeError(f'the name of a property is a text, not {key!r}')
    return key[:-1] if key.endswith('_') else key


def _json(value):
    try:
        return encoded(json.dumps(_plain(value), ensure_ascii=False, allow_nan=False), 'a value')
    except ValueError:
        raise ValueError(f'a number of a model is finite: {value!r}') from None


class Builder:
    """What changes the drawing. Every change is checked; one that would leave an error raises Error and changes nothing."""

    if TYPE_CHECKING:
        def _call(self, name: str, *arguments: Any) -> Any: ...

    def _add(self, where, members):
        given = {key: value for key, value in members.items() if value is not None}
        return text(self._call('add', where.encode(), _json(given)))

    def add(self, kind: str, id: str | None = None, **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a joint, a load or a component.

        Parameters
        ----------
        kind
            As in the file: "cylinder", "revolute", "directional-valve"; "_" serves as well as "-".
        id
            Name of the element; None: a free one is given, "cylinder1".
        **properties
            As in the file. A number is in SI, or a text with its unit or a formula. An inner object is a dict
            (`friction={"model": "viscous", "sigma2": 300}`), a signal a number or a dict. A name that is a word of
            Python takes a `_` behind it (`from_=0`).

        Returns
        -------
        str
            The id.

        Raises
        ------
        Error
            An unknown kind, property, point or port, a missing or impossible number.
        """
        kind = kind.replace('_', '-')
        where = next((place for place, kinds in kinds_by_list().items() if kind in kinds), 'components')
        return self._add(where, {'id': id, 'kind': kind, **properties})

    def add_joint(self, kind: str, id: str | None = None, **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a joint: `m.add_joint("revolute", "j1", a="ground.O", b="boom.O")`. See add()."""
        return self._add('joints', {'id': id, 'kind': kind.replace('_', '-'), **properties})

    def add_load(self, kind: str, id: str | None = None, **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a load: `m.add_load("force", point="boom.tip", signal=0)`. See add()."""
        return self._add('loads', {'id': id, 'kind': kind.replace('_', '-'), **properties})

    def add_component(self, kind: str, id: str | None = None, **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a component: `m.add_component("tank", "tank")`. See add()."""
        return self._add('components', {'id': id, 'kind': kind.replace('_', '-'), **properties})

    def add_body(self, id: str | None = None, **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a body: `m.add_body("boom", points={"O": (0, 0)}, mass="80 kg", inertia=12, pose=(0, 0, 0))`."""
        return self._add('bodies', {'id': id, **properties})

    def add_line(self, id: str | None = None, ports: Any = (), **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a line between ports: `m.add_line("P", ["pump.P", "dcv.P"], volume="50 cm3")`."""
        return self._add('lines', {'id': id, 'ports': list(ports), **properties})

    def add_probe(self, id: str | None = None, of: str = '', **properties: Any) -> str:  # pylint: disable=redefined-builtin
        """Adds a probe, which a run records: `m.add_probe("p1", "V1.pressure", label="p₁")`."""
        return self._add('probes', {'id': id, 'of': of, **properties})

    def add_parameter(self, name: str, value: Number) -> None:
        """Adds a named number, which formulas may use, or changes it: `m.add_parameter("bore", "80 mm")`."""
        self.change('parameters', **{name: value})

    def add_set(self, name: str, values: Mapping[str, Number]) -> None:
        """Adds a parameter set: numbers by path."""
        self._add('parameter_sets', {'name': name, 'values': dict(values)})

    def add_slider(self, path: str, from_: float, to: float, **properties: Any) -> None:
        """Adds a slider of the window: a path and its range; `scale="log"`."""
        self._add('sliders', {'path': path, 'from': from_, 'to': to, **properties})

    def add_plot(self, **properties: Any) -> None:
        """Adds a plot of the window: `m.add_plot(traces=["phi2"])`."""
        self._add('plots', properties)

    def add_point(self, body: str, name: str, xy: Any) -> None:
        """Adds a point to a body or to "ground", or moves it: `m.add_point("ground", "O", (0, 0))`."""
        self.change(body, **{f'points.{name}': xy})

    def change(self, id: str, **properties: Any) -> None:  # pylint: disable=redefined-builtin
        """Sets members of an element, or of "fluid", "simulation", "equilibrium", "ground", "parameters" or "model" (the
        file as a whole: name, description, gravity); None removes one: `m.change("fluid", density="870 kg/m3")`."""
        for key, value in properties.items():
            self._call('change', encoded(id, 'an id'), encoded(_name(key), 'the name of a property'), None if value is None else _json(value))

    def remove(self, id: str) -> None:  # pylint: disable=redefined-builtin
        """Removes an element and all that depends on it: joints of a body, ports in lines, probes."""
        self._call('remove', encoded(id, 'an id'))

    def rename(self, id: str, new_id: str) -> None:  # pylint: disable=redefined-builtin
        """Renames an element; every reference follows."""
        self._call('rename', encoded(id, 'an id'), encoded(new_id, 'an id'))

    def connect(self, a: str, b: str, **properties: Any) -> str:
        """Connects two ports or lines as drawing a line in the window does, and returns the id of the line.

        Parameters
        ----------
        a, b
            Ports ("cyl.A") or ids of lines. Two lines become one.
        **properties
            Of the line: `volume`, `pressure`, `wall_modulus`. A new line without a volume gets that of a hose of 1 m
            and 12 mm.
        """
        line = text(self._call('connect', encoded(a, 'a port'), encoded(b, 'a port')))
        self.change(line, **properties)
        return line

    def disconnect(self, port: str) -> None:
        """Takes a port off its line; a line without ports goes."""
        self._call('disconnect', encoded(port, 'a port'))


_kinds: dict[str, tuple[str, ...]] = {}


def kinds_by_list() -> dict[str, tuple[str, ...]]:
    """Kinds of joints, loads and components, as the library knows them."""
    if not _kinds:
        for where in _KINDS:
            number = lib.n_kinds(where.encode())
            _kinds[where] = tuple(lib.kind(where.encode(), k).decode() for k in range(number))
    return _kinds
