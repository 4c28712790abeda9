#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random input on the real windows: monkey.py PROGRAM [SECONDS [SEED]], or monkey.py PROGRAM --replay SCRIPT.

A failure is shortened to a script that can be played again. Files are written to the folder of the program and to a folder of
its own below /tmp, which is the home of what runs. Exit 1: a failure."""
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from monkey_script import Script  # noqa: E402

STEPS_PER_SECOND = 60  # more than any machine plays
SHORTEN_SECONDS = 400
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def environment(program, home):
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(program))))
    env = {k: v for k, v in os.environ.items() if not k.startswith("XDG_") and k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(HOME=home, XDG_RUNTIME_DIR=home, TMPDIR=os.environ.get("TMPDIR", "/tmp"), DBUS_SESSION_BUS_ADDRESS="disabled:",
               GDK_BACKEND="x11", GSK_RENDERER="cairo", GDK_DEBUG="gl-disable", GSETTINGS_BACKEND="memory",
               GIO_USE_VFS="local", GTK_A11Y="none", NO_AT_BRIDGE="1", GTK_USE_PORTAL="0", LANGUAGE="", LC_ALL="C.UTF-8",
               GSETTINGS_SCHEMA_DIR=os.path.join(build, "data"), OPENBLAS_NUM_THREADS="1",
               ASAN_OPTIONS="detect_leaks=0:handle_abort=1:quarantine_size_mb=32:allocator_may_return_null=1",
               UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")
    return env


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err
        steps = re.findall(r"^(\d+) ", out, re.M)
        self.last_step = int(steps[-1]) if steps else 0

    def summary(self):
        """One line that tells failures apart."""
        for pattern in (r"monkey: .*", r"SUMMARY: .*", r".*runtime error.*", r".*(?:ERROR|CRITICAL|WARNING).*"):
            found = re.search(pattern, self.err)
            if found:
                line = re.sub(r"0x[0-9a-f]+|\b\d+(\.\d+)? s\b|step \d+|\d+ MB|\(nil\)", "…", found.group(0))
                frames = re.findall(r"#\d+ \S+ in ((?:hl_|[a-z_]+_cb|refresh|rebuild|fill)\w*)", self.err)
                return line + (" in " + frames[0] if frames else "")
        return f"exit {self.status}"


def play(program, lines, seconds=None):
    home = tempfile.mkdtemp(prefix="monkey-")
    script = os.path.join(home, "script")
    with open(script, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    for example in sorted(os.listdir(os.path.join(TOP, "data", "examples"))):
        path = os.path.join(TOP, "data", "examples", example)
        if os.path.isfile(path):
            shutil.copy(path, home)
    command = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", os.path.abspath(program), script]
    if seconds is not None:
        command.append(str(seconds))
    try:
        done = subprocess.run(command, cwd=home, env=environment(program, home), capture_output=True, text=True,
                              errors="replace", timeout=(seconds or 600) + 300, check=False)
        return Result(done.returncode, done.stdout, done.stderr)
    except subprocess.TimeoutExpired as late:
        texts = [t.decode(errors="replace") if isinstance(t, bytes) else t or "" for t in (late.stdout, late.stderr)]
        return Result(-1, texts[0], texts[1] + "\nmonkey: the program did not end")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def shorten(program, pieces, wanted, deadline, say):
    """Leaves out as much as it can (delta debugging) while the same failure comes."""
    size = max(1, len(pieces) // 2)
    while size >= 1 and time.monotonic() < deadline:
        start, shorter = 0, False
        while start < len(pieces) and time.monotonic() < deadline:
            candidate = pieces[:start] + pieces[start + size:]
            result = play(program, [line for piece in candidate for line in piece])
            if candidate and result.status not in (0, 77) and result.summary() == wanted:
                pieces, shorter = candidate, True
                say(f"  {sum(map(len, pieces))} steps")
            else:
                start += size
        if not shorter or size > 1:
            if size == 1:
                break
            size //= 2
    return pieces


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program = sys.argv[1]
    say = lambda text: print(text, flush=True)  # noqa: E731
    if len(sys.argv) > 3 and sys.argv[2] == "--replay":
        with open(sys.argv[3]) as file:
            result = play(program, file.read().rstrip("\n").split("\n"))
        print(result.err[-6000:] if result.status else "", end="")
        say(f"{result.last_step} steps: " + (result.summary() if result.status else "clean"))
        return 1 if result.status else 0
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else secrets.randbelow(1 << 31)
    say(f"seed {seed}: {seconds:g} s")
    episodes = Script(seed).make(int(seconds * STEPS_PER_SECOND))
    result = play(program, [line for steps in episodes for line in steps], seconds)
    if result.status == 77:
        say("skipped: no display with XTEST")
        return 0
    if result.status == 0:
        say("\n".join(re.findall(r"^reached: .*", result.out, re.M)))
        say(f"{result.out.strip().splitlines()[-1]}, seed {seed}")
        say("1 passed, 0 failed")
        return 0

    wanted = result.summary()
    name = os.path.join(os.path.dirname(os.path.abspath(program)), f"monkey-{seed}")
    with open(name + ".log", "w") as file:
        file.write(result.err)
    say(result.err[-8000:])
    say(f"failed at step {result.last_step}: {wanted}")
    pieces, n = [], 0
    for steps in episodes:  # what was played, by episodes
        if n < result.last_step:
            pieces.append(steps[:result.last_step - n])
        n += len(steps)
    flat = [line for piece in pieces for line in piece]
    with open(name + ".script", "w") as file:
        file.write("\n".join(flat) + "\n")
    budget = float(os.environ.get("HL_MONKEY_SHORTEN", SHORTEN_SECONDS))
    deadline = time.monotonic() + budget
    if budget > 0:
        say("shortening …")
        again = play(program, flat)
        if again.status not in (0, 77) and again.summary() == wanted:
            pieces = shorten(program, pieces, wanted, deadline, say)
            pieces = shorten(program, [[line] for piece in pieces for line in piece], wanted, deadline, say)
        else:
            say(f"  played again it gives: {again.summary() if again.status else 'nothing'}")
    flat = [line for piece in pieces for line in piece]
    with open(name + ".short", "w") as file:
        file.write("\n".join(flat) + "\n")
    say("\n".join(flat) if len(flat) < 60 else f"{len(flat)} steps")
    say(f"seed {seed}; again: {os.path.relpath(__file__)} {program} --replay {name}.short")
    say("0 passed, 1 failed")
    return 1


if __name__ == "__main__":
    sys.exit(main())
