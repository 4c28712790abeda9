#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fmi-compare.py PROGRAM EXPORT DRIVE_SOURCE HEADERS SCRATCH MODEL [T_END] [WHAT]: exports the sources of a model, compiles
them by gcc and clang, drives them, and compares with the program's own run. One line a model; exit 1 when a promise does
not hold."""
import csv
import os
import shutil
import subprocess
import sys

import sundials

ME, CS = 1e-6, 1e-5  # of the peak of each column


def table(text):
    rows = list(csv.reader(text.splitlines()))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


def worst(own, other):
    names, rows = own
    heads, theirs = other
    far, where = 0.0, "-"
    if len(rows) != len(theirs):
        return float("inf"), "%d rows and %d" % (len(rows), len(theirs))
    for column, head in enumerate(heads[1:], 1):
        k = [n.split(" ")[0].split("[")[0] for n in names].index(head)
        peak = max(abs(row[k]) for row in rows)
        if peak < 1e-12:  # nothing but rounding
            continue
        gap = max(abs(a[k] - b[column]) for a, b in zip(rows, theirs)) / peak
        if gap > far:
            far, where = gap, head
    return far, where


def main():
    program, export, source, headers, scratch, model = sys.argv[1:7]
    t_end = float(sys.argv[7]) if len(sys.argv) > 7 else 1.0
    what = sys.argv[8:]
    name = os.path.basename(model).rsplit(".", 1)[0]
    folder = os.path.join(scratch, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run([export, model, folder, "token"], capture_output=True, text=True)
    if done.returncode != 0:
        print("%-32s refused: %s" % (name, done.stderr.strip()))
        return 0
    strict = ["-std=c99", "-Wall", "-Werror", "-DFMI3_OVERRIDE_FUNCTION_PREFIX", "-I" + headers, os.path.join(folder, "all.c")]
    # The last one makes what runs; without optimization clang needs a tenth of the time.
    compilers = os.environ.get("HL_FMI_COMPILERS", "gcc clang").split()
    for compiler in compilers:
        how = ["-c", "-o", os.path.join(folder, "all.o")] if compiler is compilers[-1] else ["-fsyntax-only"]
        done = subprocess.run([compiler] + os.environ.get("HL_FMI_FLAGS", "").split() + strict + how, capture_output=True, text=True)
        if done.returncode != 0:
            print("%-32s %s: %s" % (name, compiler, done.stderr.strip()[:1500]))
            return 1
    drive = os.path.join(folder, "drive")
    link = (["gcc", "-g", "-DFMI3_OVERRIDE_FUNCTION_PREFIX", "-I" + headers, "-I" + os.path.join(os.path.dirname(source), "..", ".."), source,
             source.replace("fmi-importer-run", "fmi-invalid-calls"), os.path.join(folder, "all.o"),
             "-o", drive] + os.environ.get("HL_FMI_FLAGS", "").split() + sundials.options())
    subprocess.run(link, check=True)
    every = t_end / 100
    done = subprocess.run([drive, folder, "token", repr(t_end), repr(every)] + what, capture_output=True, text=True)
    bad = [line for line in done.stdout.splitlines() if not line.startswith(("ok", "note", "log: 2"))]
    notes = "; ".join(line[7:] for line in done.stdout.splitlines() if line.startswith("note"))
    if done.returncode != 0 or bad:
        print("%-32s drive answers %d: %s %s" % (name, done.returncode, " | ".join(bad[:6]), done.stderr[:1500]))
        if done.returncode < 0 or not os.path.exists(os.path.join(folder, "cs.csv")):
            return 1
    if what:
        return done.returncode != 0
    own = subprocess.run([program, "simulate", model, "--t-end", repr(t_end), "--every", repr(every), "--rtol", "1e-9",
                          "--integrator", "radau", "--formulation", "reduced"], capture_output=True, text=True)
    if own.returncode != 0:
        print("%-32s simulate: %s" % (name, own.stderr.strip()))
        return 0
    own = table(own.stdout)
    gaps = []
    for kind in ("me", "cs", "cs-events"):
        with open(os.path.join(folder, kind + ".csv"), encoding="utf-8") as f:
            gaps.append((kind,) + worst(own, table(f.read())))
    text = ", ".join("%s %.1e (%s)" % gap for gap in gaps)
    holds = all(gap <= (ME if kind == "me" else CS) for kind, gap, _ in gaps) and not bad and done.returncode == 0
    print("%-32s %s %s  %s" % (name, "ok    " if holds else "FAILED", text, notes))
    return not holds


if __name__ == "__main__":
    sys.exit(main())
