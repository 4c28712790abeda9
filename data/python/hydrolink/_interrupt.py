# SPDX-License-Identifier: MIT
"""Ctrl+C while the library computes. Python tells of a signal between two of its own instructions, and there are none
while a run goes on."""

import contextlib
import signal
import threading

from ._library import lib

PATIENCE = 0.02  # between two words to a run that is to end [s]


def _is_main():
    return threading.current_thread() is threading.main_thread()


def in_reach(handle, work):
    """work(), which computes with the model: in a thread of its own, so that this one can be interrupted."""
    if not _is_main():
        return work()
    outcome, is_done = [], threading.Event()

    def do():
        try:
            outcome.append((work(), None))
        except BaseException as error:  # goes on where the work was asked for
            outcome.append((None, error))
        finally:
            is_done.set()

    threading.Thread(target=do).start()
    try:
        is_done.wait()  # a join that is interrupted takes the thread for ended
    except BaseException:
        while not is_done.is_set():  # it may just be about to begin
            lib.stop(handle)
            is_done.wait(PATIENCE)
        raise
    result, error = outcome[0]
    if error is not None:
        raise error
    return result


@contextlib.contextmanager
def held_back(interrupted):
    """Notes Ctrl+C in a list, and passes it on at the end: where it would be raised at the head of a function that the
    library calls, it would be lost. A handler of the caller's own is left alone."""
    handler = signal.getsignal(signal.SIGINT) if _is_main() else None
    if handler is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: interrupted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupted:
        raise KeyboardInterrupt
