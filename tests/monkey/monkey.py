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
REPLAYS = 2  # of a failure that depends on the time
MESSAGE_LINES, REASON_LINES, NEXT_FRAMES = 4, 12, 5
SHORT_LINES = 60
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def environment(program, home):
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(program))))
    env = {k: v for k, v in os.environ.items() if not k.startswith("XDG_") and k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(HOME=home, XDG_RUNTIME_DIR=home, TMPDIR=os.environ.get("TMPDIR", "/tmp"), DBUS_SESSION_BUS_ADDRESS="disabled:",
               GDK_BACKEND="x11", GSK_RENDERER="cairo", GDK_DEBUG="gl-disable", GDK_DISABLE="gl", GSETTINGS_BACKEND="memory",
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
        self.at_end = "".join(re.findall(r"^at the end: (.*)", out, re.M)[-1:])  # what it did when the steps were over

    def summary(self):
        """One line that tells failures apart."""
        for pattern in (r"monkey: .*", r"SUMMARY: .*", r".*runtime error.*", r".*(?:ERROR|CRITICAL|WARNING).*"):
            found = re.search(pattern, self.err)
            if found:
                line = re.sub(r"0x[0-9a-f]+|\b\d+(\.\d+)? s\b|step \d+|\d+ (MB|calls|waits)|\(nil\)", "…", found.group(0))
                frames = re.findall(r"#\d+ \S+ in ((?:hl_(?!watch_)|[a-z_]+_cb|refresh|rebuild|fill)\w*)", self.err)
                return line + (" in " + frames[0] if frames else "")
        return f"exit {self.status}"

    def reason(self):
        """What it said and where it was, in at most as many lines as the end of a long log is surely looked at: the message, the
        program's way there without what ended it, and who freed or made what is read wrongly."""
        lines = [line.strip()[:150] for line in self.err.splitlines() if line.strip()]
        at = next((i for i, line in enumerate(lines) if re.search(r"monkey: |runtime error|ERROR: \w+Sanitizer", line)), 0)
        stacks = [[]]
        message, others = [], []
        for line in lines[at:]:
            if line.startswith("#0 ") and stacks[-1]:
                stacks.append([])
            if line.startswith("#"):
                stacks[-1].append(line)
            elif not stacks[-1]:
                message.append(line)
            elif re.search(r"(freed|allocated) by thread|Thread T\d+ .*created", line):
                others.append((len(stacks), line))
        way = stacks[0]
        ends = [i for i, line in enumerate(way[:10]) if re.search(r" in (hl_hang_watchdog_fail|write_log|g_log|__GI_|__pthread_kill|g_assert)", line)]
        way = way[ends[-1] + 1:] if ends else way
        is_named = lambda frame: re.search(r" in \S+ \.\./(?!\.\.)", frame)  # noqa: E731
        way = way[:NEXT_FRAMES] + [frame for frame in way[NEXT_FRAMES:] if is_named(frame)]
        least = 2 if others else 0
        told = [line for line in message if not re.match(r"=+$|AddressSanitizer:DEADLY", line)][:MESSAGE_LINES] + way[:REASON_LINES - 3 * least]
        for n, line in others[:least]:
            told += [line] + [frame for frame in (stacks[n] if n < len(stacks) else []) if "libsanitizer" not in frame][:2]
        return told


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
    where = f"failed at step {result.last_step}" + (f" ({result.at_end} at the end)" if result.at_end else "")
    say(f"{where}: {wanted}")
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
        for _ in range(REPLAYS):
            again = play(program, flat)
            if again.status not in (0, 77) or time.monotonic() > deadline:
                break
        if again.status not in (0, 77) and again.summary() == wanted:
            pieces = shorten(program, pieces, wanted, deadline, say)
            pieces = shorten(program, [[line] for piece in pieces for line in piece], wanted, deadline, say)
        else:
            say(f"  played again it gives: {again.summary() if again.status else 'nothing'}")
    flat = [line for piece in pieces for line in piece]
    with open(name + ".short", "w") as file:
        file.write("\n".join(flat) + "\n")
    say("\n".join(flat) if len(flat) < SHORT_LINES else f"{len(flat)} steps")
    say("\n".join(result.reason()))  # again, where it is looked for
    say(f"{where}: {wanted}")
    say(f"seed {seed}; again: {os.path.relpath(__file__)} {program} --replay {name}.short")
    say("0 passed, 1 failed")
    return 1


if __name__ == "__main__":
    sys.exit(main())
