#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The floor of the program as the one translation unit that stands inside an exported FMU.

    inside.py OUT.c DEPENDENCIES ROOT

Every one of them becomes a text of the table hl_fmu_texts[] in OUT.c. On the way
 * includes lose their folders, and those of libraries that an FMU has not are dropped;
 * every function and table gets internal linkage, so that two FMUs link beside each other;
 * what is static in a .c gets the file's name before it, since all of them meet in one unit;
 * macros of a .c end with it.
Nothing else changes: the arithmetic is the program's own."""
import os
import re
import sys

DROPPED = {"glib.h", "complex.h", "assert.h", "lapacke.h", "stdalign.h"}
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*\#(?:\\\n|[^\n])*|[A-Za-z_]\w*'
                   r'|\.?\d(?:[eEpP][+-]|[\w.])*|->|\s+|.', re.S | re.M)


def is_word(token):
    return bool(token) and (token[0].isalpha() or token[0] == "_")


def is_blank(token):
    return token.isspace() or token.startswith(("/*", "//"))


def statements(tokens):
    """Begin and end of each declaration at the top level; directives stand alone."""
    begin, depth, round_depth, k = None, 0, 0, 0
    while k < len(tokens):
        token = tokens[k]
        if token.lstrip().startswith("#") and depth == 0 and round_depth == 0:
            k += 1
            continue
        if begin is None and not is_blank(token):
            begin = k
        depth += {"{": 1, "}": -1}.get(token, 0)
        round_depth += {"(": 1, ")": -1}.get(token, 0)
        if begin is not None and depth == 0 and round_depth == 0:
            if token == ";" or (token == "}" and is_function(tokens[begin:k])):
                yield begin, k + 1
                begin = None
        k += 1


def head(tokens):
    """What stands before the body, the initial value or the end."""
    out, depth = [], 0
    for token in tokens:
        if depth == 0 and token in ("{", "=", ";"):
            break
        depth += {"(": 1, ")": -1}.get(token, 0)
        if not is_blank(token):
            out.append(token)
    return out


def is_function(tokens):
    words = head(tokens)
    return "(" in words and words[0] != "typedef" and "=" not in words


def name_of(words):
    depth = 0
    for k, token in enumerate(words):
        if token == "(" and depth == 0 and k > 0:
            return words[k - 1] if is_word(words[k - 1]) else None
        depth += {"[": 1, "]": -1}.get(token, 0)
    plain = [w for k, w in enumerate(words) if is_word(w)]
    return plain[-1] if plain else None


def own_names(tokens):
    """Names with internal linkage of a .c: static functions and tables, types, enumerators."""
    names = set()
    for begin, end in statements(tokens):
        part = [t for t in tokens[begin:end] if not is_blank(t)]
        words = head(part)
        if words[0] == "static":
            if "(" in words and "[" not in words[:words.index("(")]:
                names.add(name_of(words))
            else:
                names |= declared(part)
        elif words[0] == "typedef" and not any(w.startswith("Hl") for w in part[-2:-1]):
            names.add(part[-2] if is_word(part[-2]) else None)
        elif words[0] == "struct" and len(words) > 1 and not words[1].startswith("Hl") and is_word(words[1]):
            names.add(words[1])
        if "enum" in words[:2]:
            body = part[part.index("{") + 1:part.index("}")] if "{" in part else []
            fresh = True
            for token in body:
                if fresh and is_word(token):
                    names.add(token)
                    fresh = False
                if token == ",":
                    fresh = True
    return {n for n in names if n and not n.startswith(("hl_", "HL_", "Hl"))}


def declared(part):
    """Names of one declaration of objects."""
    names, depth, last, waiting, in_type = set(), 0, None, True, True
    for token in part:
        if token in "{([":
            if depth == 0 and waiting and last:
                names.add(last)
                waiting = token == "{" and last in ("struct",)
            depth += 1
        elif token in "})]":
            depth -= 1
            if token == "}" and depth == 0 and names & {"struct"}:
                names.discard("struct")
                waiting = True
        elif depth == 0:
            if is_word(token):
                last = token
            elif token in ("=", ";", ",") and waiting and last:
                names.add(last)
                waiting = False
            if token == ",":
                waiting = True
    names.discard("struct")
    return names


def inside_name(path):
    """A substitute has the name of the file that it replaces."""
    return os.path.basename(path).replace("hl-substitute-", "hl-")


def include(line):
    system = re.match(r'\s*#\s*include\s*<(.*?)>', line)
    if system:
        return "" if system.group(1) in DROPPED else line
    own = re.match(r'\s*#\s*include\s*"(.*?)"', line)
    return '#include "%s"' % inside_name(own.group(1)) if own else line


# Macros whose arguments name members of a struct.
OF_MEMBERS = {"HL_AT", "HL_LET", "HL_STATES", "HL_FORMULA_OF_CONDUCTANCE", "FIELD", "offsetof"}


def renamed(text, names, stem):
    text = text.replace("-INFINITY", "HL_MINUS_INFINITY")
    out, before, bodies, recent, members = [], "", [], "", 0
    for token in TOKEN.findall(text):
        word = token
        if token.lstrip().startswith("#"):
            if "include" not in token:
                mark = token.index("#") + 1
                word = token[:mark] + renamed(token[mark:], names, stem)
        elif is_word(token) and token in names and before not in (".", "->") and not (
                members and token[0].islower()):
            if not (bodies and bodies[-1] and token[0].islower()):
                word = stem + "__" + token
        if members or (token == "(" and before in OF_MEMBERS):
            members += {"(": 1, ")": -1}.get(token, 0)
        if token == "{":
            bodies.append(recent in ("struct", "union"))
        elif token == "}" and bodies:
            bodies.pop()
        if not is_blank(token):
            recent = token if token in ("struct", "union") else recent if before in ("struct", "union") else ""
            before = token
        out.append(word)
    return "".join(out)


def guarded(stem, text):
    guard = stem.upper() + "_H"
    return "#ifndef %s\n#define %s\n%s\n#endif\n" % (guard, guard, text.replace("#pragma once", "").rstrip())


def with_template(text, root):
    """A header that each of those who include it has with words of its own takes the place of the include; and the names of
    its functions, which become those of the file as well."""
    mark = re.search(r'^#include "(%s)"$' % "|".join(TEMPLATES), text, flags=re.M)
    if not mark:
        return text, set()
    with open(os.path.join(root, mark.group(1)), encoding="utf-8") as f:
        template = f.read().replace("#pragma once", "")
    tokens = TOKEN.findall(template)
    names = {name_of(head(tokens[begin:end])) for begin, end in statements(tokens)
             if is_function(tokens[begin:end])}
    return text.replace(mark.group(), template), names


def inside(path, text, root):
    stem = os.path.basename(path)[:-2].replace("-", "_")
    text, more_names = with_template(text, root)
    text = re.sub(r'^\s*#\s*include.*$', lambda m: include(m.group().strip()), text, flags=re.M)
    if stem.startswith("hl_runtime_"):  # written for this place
        return guarded(stem, text) if path.endswith(".h") else text
    tokens = TOKEN.findall(text)
    marks = {}
    for begin, end in statements(tokens):
        part = [t for t in tokens[begin:end] if not is_blank(t)]
        words = head(part)
        if words[0] in ("static", "typedef") or (words[0] == "_Static_assert"):
            continue
        if words[0] == "extern":
            if "]" in words and "=" not in part:
                for k in range(begin, end):
                    tokens[k] = ""  # of a table, which is defined before whoever reads it
            else:
                tokens[begin] = "static"
            continue
        if words[0] in ("enum", "struct", "union") and (part[-2] == "}" or len(words) < 4 and "(" not in words):
            continue
        marks[begin] = True
    text = "".join(("static " if k in marks else "") + t for k, t in enumerate(tokens))
    if path.endswith(".h"):
        return guarded(stem, text)
    text = renamed(text, own_names(TOKEN.findall(text)) | more_names, stem)
    macros = re.findall(r'^\s*#\s*define\s+(\w+)', text, flags=re.M)
    return text.rstrip() + "\n" + "".join("#undef %s\n" % m for m in dict.fromkeys(macros))


def literal(text):
    out = []
    for line in text.split("\n")[:-1]:
        out.append('  "%s\\n"' % line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?"))
    return "\n".join(out)


QUASISTATIC = "core/quasistatic"
HYBRID = "core/hybrid"
# Whole floors; of others what these need.
FLOORS = ["core/hydro", "core/hydro/valves", "core/hydro/pumps", "core/hydro/actuators", "core/hydro/lines", "core/mech", "core/system", QUASISTATIC, HYBRID]
MORE = """core/base/hl-connected-groups.h core/base/hl-element-kind-macros.h core/base/hl-element-kind.h core/base/hl-quantity-units.c
core/base/hl-status-codes.c core/base/hl-status-codes.h core/base/hl-unit.h core/math/hl-sparse-elimination.h core/math/hl-event-function.h core/math/hl-hyperdual.h core/math/hl-minmax.h
core/math/hl-linalg-without-lapack.c core/math/hl-lu-pivot-reuse.c core/math/hl-lu-pivot-reuse.h
core/math/hl-sparse-lu.h core/solve/hl-integrator-private.h
core/solve/hl-integrator.c core/solve/hl-integrator.h
core/solve/hl-radau.c core/solve/hl-radau.h""".split()
# Sparse matrices, which large machines alone have; what others have instead.
LARGE = """core/math/hl-sparse-lu-complex.c core/math/hl-sparse-lu.c core/math/hl-sparse-rank.c core/math/hl-sparse-lu-real.c
core/mech/hl-island-sparse-private.h core/mech/hl-island-sparse.c core/system/hl-jacobian-large-islands.c core/system/hl-unreduced-newton-matrix.c
core/system/hl-unreduced-newton-matrix.h core/fmu/hl-substitute-sparse-order.c core/fmu/hl-runtime-large-islands.c""".split()
SMALL = ["core/fmu/hl-substitute-small-islands.c", "core/fmu/hl-runtime-small-islands.c"]
OF_HYBRID = ["core/fmu/hl-substitute-sim-hybrid-report.h"]
TEMPLATES = ["core/math/hl-sparse-lu-template.h"]
# Assembly, dragging, the other models of the oil, and tables of all kinds: an FMU has one machine that is assembled.
WITHOUT = re.compile(r"hl-(linkage-assembly|mechanism-drag|hydraulic-model|sparsity-pattern|component-table\.c|quasistatic-findings"
                     r"|force-velocity-diagram|sim-quasistatic-discrete\.c|hybrid-(linearization|mode-state|mode-history)"
                     r"|sim-hybrid-(report|event-log)\.[ch])\b")


def wanted(root):
    paths = MORE + [path for path in LARGE if path.startswith("core/math")]
    for folder in FLOORS:
        paths += [folder + "/" + name for name in sorted(os.listdir(os.path.join(root, folder)))
                  if name.endswith((".c", ".h")) and not WITHOUT.match(name)]
    paths += ["core/fmu/" + name for name in sorted(os.listdir(os.path.join(root, "core/fmu")))
              if name.startswith(("hl-substitute-", "hl-runtime-"))]
    return sorted(paths)


def wing_of(path):
    if path in LARGE or path in SMALL:
        return "'l'" if path in LARGE else "'s'"
    return "'q'" if path.startswith(QUASISTATIC) else "'h'" if path.startswith(HYBRID) or path in OF_HYBRID else "0"


def main():
    out, dependencies, root = sys.argv[1:4]
    rows, paths, folder = [], wanted(root), os.environ.get("HL_INSIDE_FOLDER")
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        name = inside_name(path)
        text = inside("core/" + name, text, root)
        if folder:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        rows.append('  {"%s",\n%s, %s},\n' % (name, literal(text), wing_of(path)))
    with open(out, "w", encoding="utf-8") as f:
        f.write('/* Made by core/fmu/inside.py. */\n#include "core/fmu/hl-fmu.h"\n\n'
                "const HlFmuText hl_fmu_texts[] = {\n%s};\nconst int hl_n_fmu_texts = %d;\n" % ("".join(rows), len(rows)))
    with open(dependencies, "w", encoding="utf-8") as f:
        f.write("%s: %s\n" % (out, " ".join(os.path.join(root, path) for path in paths + TEMPLATES)))


if __name__ == "__main__":
    main()
