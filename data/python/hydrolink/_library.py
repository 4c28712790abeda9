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


# c_void_p of a text that is to be given back, c_char_p of one that is borrowed
_ERROR = POINTER(c_void_p)
_FUNCTIONS = {
    'version': (c_char_p,),
    'free': (None, c_void_p),
    'open': (c_void_p, c_char_p, _ERROR),
    'parse': (c_void_p, c_char_p, _ERROR),
    'copy': (c_void_p, c_void_p),
    'close': (None, c_void_p),
    'save': (c_int, c_void_p, c_char_p, _ERROR),
    'to_text': (c_void_p, c_void_p),
    'name': (c_char_p, c_void_p),
    'check': (c_void_p, c_void_p, POINTER(c_int)),
    'stop': (None, c_void_p),
    'n_paths': (c_int, c_void_p),
    'path': (c_char_p, c_void_p, c_int),
    'unit': (c_char_p, c_void_p, c_char_p),
    'get': (c_int, c_void_p, c_char_p, POINTER(c_double), _ERROR),
    'set': (c_int, c_void_p, c_char_p, c_double, _ERROR),
    'set_text': (c_int, c_void_p, c_char_p, c_char_p, _ERROR),
    'n_sets': (c_int, c_void_p),
    'set_name': (c_char_p, c_void_p, c_int),
    'apply_set': (c_int, c_void_p, c_char_p, _ERROR),
    'apply_file': (c_int, c_void_p, c_char_p, _ERROR),
    'state': (c_void_p, c_void_p, c_int, c_double, _ERROR),
    'state_free': (None, c_void_p),
    'state_get': (c_int, c_void_p, c_char_p, POINTER(c_double), _ERROR),
    'state_notes': (c_char_p, c_void_p),
    'linearize': (c_void_p, c_void_p, c_int, c_double, _ERROR),
    'linear_free': (None, c_void_p),
    'linear_n': (c_int, c_void_p, c_int),
    'linear_name': (c_char_p, c_void_p, c_int, c_int),
    'linear_unit': (c_char_p, c_void_p, c_int, c_int),
    'linear_point': (POINTER(c_double), c_void_p, c_int),
    'linear_matrix': (POINTER(c_double), c_void_p, c_char),
    'linear_eigenvalues': (None, c_void_p, POINTER(c_double), POINTER(c_double), POINTER(c_int)),
    'linear_save': (c_int, c_void_p, c_char_p, _ERROR),
    'run_new': (c_void_p, c_void_p, POINTER(c_char_p), _ERROR),
    'run_listen': (None, c_void_p, c_int, ROW, AGAIN, c_void_p),
    'run_go': (c_int, c_void_p, _ERROR),
    'run_free': (None, c_void_p),
    'run_error': (c_char_p, c_void_p),
    'run_notes': (c_char_p, c_void_p),
    'run_n_rows': (c_int, c_void_p),
    'run_n_columns': (c_int, c_void_p),
    'run_column_name': (c_char_p, c_void_p, c_int),
    'run_column_unit': (c_char_p, c_void_p, c_int),
    'run_column': (POINTER(c_double), c_void_p, c_int),
    'run_save': (c_int, c_void_p, c_char_p, _ERROR),
    'run_steps': (c_long, c_void_p),
    'run_seconds': (c_double, c_void_p),
}


def _load():
    named = os.environ.get('HYDROLINK_LIBRARY')
    for name in [named] if named else ['libhydrolink.so.1', ctypes.util.find_library('hydrolink')]:
        try:
            if name:
                return ctypes.CDLL(name)
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


lib = _Library(_load())


def text(pointer):
    """A text that is given away."""
    try:
        return ctypes.string_at(pointer).decode()
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
    """What the library gave and is given back once: a copy is the same one, and none leaves the process."""

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


def version():
    """Of the library."""
    return lib.version().decode()


def names(count, name):
    """name(0), name(1) ... as a tuple of texts."""
    return tuple(name(k).decode() for k in range(count))
