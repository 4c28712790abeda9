# SPDX-License-Identifier: MIT
"""The shared library: found, and its functions described as hydrolink.h states them."""

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_long, c_void_p

ROW = ctypes.CFUNCTYPE(c_int, POINTER(c_double), c_int, c_void_p)
AGAIN = ctypes.CFUNCTYPE(c_int, c_char_p, c_void_p)


class Error(Exception):
    """What the library could not do: the element, why, and mostly what would mend it."""


class _Handle(c_void_p):
    """An object of the library. The library reads no other pointer as one: not None, a number or a text."""

    @classmethod
    def from_param(cls, given):
        if isinstance(given, cls) and given.value:
            return given
        raise TypeError(f'expected an open {cls.__name__}, not {given!r}')


class ModelHandle(_Handle):
    pass


class StateHandle(_Handle):
    pass


class LinearHandle(_Handle):
    pass


class RunHandle(_Handle):
    pass


# c_void_p: a text to be freed; c_char_p: a borrowed one
_ERROR = POINTER(c_void_p)
_FUNCTIONS = {
    'version': (c_char_p,),
    'free': (None, c_void_p),
    'open': (ModelHandle, c_char_p, _ERROR),
    'parse': (ModelHandle, c_char_p, _ERROR),
    'copy': (ModelHandle, ModelHandle),
    'close': (None, ModelHandle),
    'save': (c_int, ModelHandle, c_char_p, _ERROR),
    'to_text': (c_void_p, ModelHandle),
    'name': (c_char_p, ModelHandle),
    'check': (c_void_p, ModelHandle, POINTER(c_int)),
    'stop': (None, ModelHandle),
    'n_paths': (c_int, ModelHandle),
    'path': (c_char_p, ModelHandle, c_int),
    'unit': (c_char_p, ModelHandle, c_char_p),
    'get': (c_int, ModelHandle, c_char_p, POINTER(c_double), _ERROR),
    'set': (c_int, ModelHandle, c_char_p, c_double, _ERROR),
    'set_text': (c_int, ModelHandle, c_char_p, c_char_p, _ERROR),
    'n_sets': (c_int, ModelHandle),
    'set_name': (c_char_p, ModelHandle, c_int),
    'apply_set': (c_int, ModelHandle, c_char_p, _ERROR),
    'apply_file': (c_int, ModelHandle, c_char_p, _ERROR),
    'new': (ModelHandle,),
    'n_kinds': (c_int, c_char_p),
    'kind': (c_char_p, c_char_p, c_int),
    'add': (c_void_p, ModelHandle, c_char_p, c_char_p, _ERROR),
    'remove': (c_int, ModelHandle, c_char_p, _ERROR),
    'rename': (c_int, ModelHandle, c_char_p, c_char_p, _ERROR),
    'change': (c_int, ModelHandle, c_char_p, c_char_p, c_char_p, _ERROR),
    'connect': (c_void_p, ModelHandle, c_char_p, c_char_p, _ERROR),
    'disconnect': (c_int, ModelHandle, c_char_p, _ERROR),
    'state': (StateHandle, ModelHandle, c_int, c_double, _ERROR),
    'state_free': (None, StateHandle),
    'state_get': (c_int, StateHandle, c_char_p, POINTER(c_double), _ERROR),
    'state_notes': (c_char_p, StateHandle),
    'linearize': (LinearHandle, ModelHandle, c_int, c_double, _ERROR),
    'linear_free': (None, LinearHandle),
    'linear_n': (c_int, LinearHandle, c_int),
    'linear_name': (c_char_p, LinearHandle, c_int, c_int),
    'linear_unit': (c_char_p, LinearHandle, c_int, c_int),
    'linear_point': (POINTER(c_double), LinearHandle, c_int),
    'linear_matrix': (POINTER(c_double), LinearHandle, c_char),
    'linear_eigenvalues': (None, LinearHandle, POINTER(c_double), POINTER(c_double), POINTER(c_int)),
    'linear_save': (c_int, LinearHandle, c_char_p, _ERROR),
    'run_new': (RunHandle, ModelHandle, POINTER(c_char_p), _ERROR),
    'run_listen': (None, RunHandle, c_int, ROW, AGAIN, c_void_p),
    'run_go': (c_int, RunHandle, _ERROR),
    'run_free': (None, RunHandle),
    'run_error': (c_char_p, RunHandle),
    'run_notes': (c_char_p, RunHandle),
    'run_n_rows': (c_int, RunHandle),
    'run_n_columns': (c_int, RunHandle),
    'run_column_name': (c_char_p, RunHandle, c_int),
    'run_column_unit': (c_char_p, RunHandle, c_int),
    'run_column': (POINTER(c_double), RunHandle, c_int),
    'run_save': (c_int, RunHandle, c_char_p, _ERROR),
    'run_steps': (c_long, RunHandle),
    'run_seconds': (c_double, RunHandle),
}


def _beside():
    """The library of a wheel, with what it links, which is loaded before it; None where the module was installed without."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lib')
    library = os.path.join(folder, 'libhydrolink.so.1')
    if not os.path.exists(library):
        return None
    with open(os.path.join(folder, 'order'), encoding='utf-8') as order:
        for name in order.read().split():
            try:
                ctypes.CDLL(os.path.join(folder, name))
            except OSError as error:
                raise ImportError(f'a library of this wheel cannot be loaded ({error}); install the wheel again') from None
    return library


def _load():
    """The library and its path."""
    named = os.environ.get('HYDROLINK_LIBRARY')
    for name in [named] if named else [_beside(), 'libhydrolink.so.1', ctypes.util.find_library('hydrolink')]:
        try:
            if name:
                return ctypes.CDLL(name), name
        except OSError as error:
            reason = error
    raise ImportError(f'the library of Hydrolink is not there ({reason}); install libhydrolink, or name it in '
                      f'HYDROLINK_LIBRARY')


class _Library:
    def __init__(self, library):
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, 'hydrolink_' + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


_loaded, _name = _load()
lib = _Library(_loaded)


def library_path() -> str:
    """Of the library, as it was found."""
    return _name


def text(pointer):
    """A text that is given away."""
    try:
        # a message may quote the name of a file, which may be in any encoding
        return ctypes.string_at(pointer).decode(errors='backslashreplace')
    finally:
        lib.free(pointer)


def encoded(given, what):
    """A text for C, where it ends at its first zero."""
    if not isinstance(given, str):
        raise TypeError(f'{what} is a text, not {given!r}')
    if '\0' in given:
        raise Error(f'{what} cannot hold a zero: {given!r}')
    return given.encode()


def file_name(given):
    """The name of a file for the system."""
    found = os.fsencode(given)
    if b'\0' in found:
        raise Error(f'the name of a file cannot hold a zero: {given!r}')
    return found


class Result:
    """An object of the library, made by a model's function alone. A copy is the same object, and none leaves the process."""

    _handle = None
    _made_by = ''  # how a program gets one

    def __init__(self, *arguments, **named):
        name = type(self).__name__
        raise TypeError(f'a hydrolink.{name} cannot be made directly; call {self._made_by}')

    @classmethod
    def _of(cls, handle):
        """Takes over an object of the library."""
        self = cls.__new__(cls)
        self._handle = handle
        self._read()
        return self

    def _read(self):
        """Reads what does not change."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, protocol):
        raise TypeError(f'a hydrolink.{type(self).__name__} stays in its process; take its arrays or numbers along')


def call(name, *arguments):
    """A function whose last argument is its error."""
    error = c_void_p()
    result = getattr(lib, name)(*arguments, ctypes.byref(error))
    if result:
        return result
    raise Error(text(error) if error.value else f'{name} failed')


def version() -> str:
    """Of the library."""
    return lib.version().decode()


def names(count, name):
    """name(0), name(1) ... as a tuple of texts."""
    return tuple(name(k).decode() for k in range(count))
