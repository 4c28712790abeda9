# SPDX-License-Identifier: MIT
"""The program `hydrolink`, which computes what is more than a run or a linear model: found, started with a model, its JSON read."""

from __future__ import annotations

import functools
import html
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy

from ._library import Error, library_path, version

_LIB = Path(__file__).resolve().parent / 'lib'
_BIN = Path(__file__).resolve().parent / 'bin' / 'hydrolink'


def _candidates():
    named = os.environ.get('HYDROLINK_PROGRAM')
    if named:
        yield Path(named)
        return
    yield _BIN  # of a wheel
    library = Path(library_path()).resolve()
    yield library.parent.parent.parent / 'app' / 'hydrolink'  # of a build folder
    found = shutil.which('hydrolink')
    if found and Path(found).read_bytes()[:4] == b'\x7fELF':  # not the script of a wheel
        yield Path(found)


def _environment(program):
    """With the libraries of the wheel for the program of the wheel."""
    if program != _BIN:
        return dict(os.environ)
    paths = [str(_LIB), *filter(None, [os.environ.get('LD_LIBRARY_PATH')])]
    return {**os.environ, 'LD_LIBRARY_PATH': ':'.join(paths)}


@functools.cache
def find_program() -> Path:
    """The program of the same release as the library."""
    others = []
    for program in _candidates():
        if not program.exists():
            continue
        if not os.access(program, os.X_OK):
            others.append(f'{program} may not be executed')
            continue
        done = subprocess.run([program, '--version'], capture_output=True, check=False, env=_environment(program), encoding='utf-8')
        release = done.stdout.split()[-1] if done.returncode == 0 and done.stdout else None
        if release == version():
            return program
        others.append(f'{program} is {release or "no program"}')
    raise Error(f'the program hydrolink {version()} is needed for this and was not found ({"; ".join(others) or "nothing is installed"}); '
                'install it, or name it in HYDROLINK_PROGRAM')


class Answer(dict):
    """What a command of the program found: its JSON with arrays instead of lists of numbers.

    Attributes
    ----------
    notes : list of str
        Warnings and notes of the command.
    """

    notes: list[str]

    def __repr__(self) -> str:
        return f'<hydrolink.Answer: {", ".join(self)}>'

    def _repr_html_(self) -> str:
        """Returns the members as a table."""
        rows = ''.join(f'<tr><th>{html.escape(str(key))}</th><td>{html.escape(_short(value))}</td></tr>' for key, value in self.items())
        notes = ''.join(f'<li>{html.escape(note)}</li>' for note in self.notes)
        return f'<table>{rows}</table>' + (f'<ul>{notes}</ul>' if notes else '')


def _short(value):
    if isinstance(value, numpy.ndarray):
        return f'array of {" × ".join(map(str, value.shape))}'
    shown = str(value)
    return shown if len(shown) < 200 else shown[:200] + ' …'


def _is_rectangular(value):
    if not isinstance(value, list) or not value:
        return False
    if all(isinstance(item, list) for item in value):
        return all(_is_rectangular(item) and len(item) == len(value[0]) for item in value)
    numbers = [item for item in value if item is not None]
    return bool(numbers) and all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in numbers)


def arrays(value: Any) -> Any:
    """Lists of numbers become arrays, null becomes NaN in them."""
    if _is_rectangular(value):
        return numpy.array(value, dtype=float)
    if isinstance(value, list):
        return [arrays(item) for item in value]
    if isinstance(value, dict):
        return {key: arrays(item) for key, item in value.items()}
    return value


def _lines(text, file):
    """Without the name of the program and of the file of a moment."""
    for line in text.splitlines():
        line = line.removeprefix('hydrolink: ').replace(f'{file}: ', '')
        if line:
            yield line


def _wait(process):
    """Its output; Ctrl+C ends it, and is raised here when it has ended."""
    try:
        return process.communicate()
    except BaseException:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise


def call_program(command: str | Sequence[str], model: str | None, arguments: Iterable[Any], name: str = 'model',
                 may_be: Sequence[int] = (0,)) -> tuple[str, list[str]]:
    """Runs a command on the text of a model, which goes where the arguments say None; standard output, and notes.

    Raises
    ------
    Error
        With what the program says.
    """
    program = find_program()
    words = [command] if isinstance(command, str) else list(command)
    with tempfile.TemporaryDirectory(prefix='hydrolink-') as folder:
        file = Path(folder) / f'{name}.hydrolink'
        if model is not None:
            file.write_text(model, encoding='utf-8')
        line = [program, *words, *(file if word is None else str(word) for word in arguments)]
        with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment(program),
                              encoding='utf-8', errors='backslashreplace') as process:
            output, told = _wait(process)
    lines = list(_lines(told, file))
    if process.returncode not in may_be:
        wrong = [line for line in lines if not line.startswith(('note: ', 'warning: '))] or lines
        raise Error('\n'.join(wrong) or output.strip() or f'hydrolink {words[0]} failed with status {process.returncode}')
    return output, [line.removeprefix('note: ').removeprefix('warning: ') for line in lines]


def ask_program(command: str | Sequence[str], model: str | None, arguments: Iterable[Any], name: str = 'model',
                may_be: Sequence[int] = (0,)) -> Answer:
    """Runs a command with --json and reads its answer."""
    output, notes = call_program(command, model, [*arguments, '--json'], name, may_be)
    answer = Answer(arrays(json.loads(output)) if output.strip() else {})
    answer.notes = notes
    return answer


def number(value: Any) -> str:
    """A number as the program reads it, to the bit; a text as it is."""
    return value if isinstance(value, str) else repr(float(value))


def numbers(values: Any) -> str:
    """A LIST of the program."""
    return values if isinstance(values, str) else ','.join(number(value) for value in values)


def options(named: Mapping[str, Any]) -> list[str]:
    """Options of a command: None leaves one out, True is one without a value, a list repeats it."""
    words = []
    for key, value in named.items():
        option = '--' + key.rstrip('_').replace('_', '-')
        if value is None or value is False:
            continue
        for item in value if isinstance(value, (list, tuple)) else [value]:
            words.append(option if item is True else f'{option}={item if isinstance(item, (str, int, os.PathLike)) else number(item)}')
    return words


def vary(ranges: Mapping[str, Any]) -> list[str]:
    """--vary of every path: (from, to), (from, to, "log"), a list of values, or a text as in the command line."""
    words = []
    for path, given in ranges.items():
        if isinstance(given, str):
            text = given
        elif isinstance(given, tuple) and len(given) in (2, 3):
            text = ':'.join([number(given[0]), number(given[1]), *given[2:]])
        else:
            text = numbers(given)
        words.append(f'--vary={path}={text}')
    return words


def main() -> None:
    """The command `hydrolink` of a wheel."""
    program = find_program()
    os.execve(program, [program, *sys.argv[1:]], _environment(program))
