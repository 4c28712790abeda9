#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The structure of the program as its #include lines show it: figures a folder, and a picture.

usage: structure.py [TREE] [--svg FILE]    TREE: a checkout, without it this one

Prints as Markdown: files and lines of each folder, to how many folders its includes go and from how many they come, and
the circles between folders. --svg draws the folders as boxes, each above all that it includes, with an arrow for each
pair, as thick as there are includes; arrows to folders that are reached over others as well are faint and without a
number. What belongs to a circle is red. Of older commits:

    git archive COMMIT | tar -x -C DIR && python3 tests/structure.py DIR
"""

import re
import sys
from collections import Counter
from html import escape
from pathlib import Path

PARTS = ('core', 'ui', 'app')
BOX, HIGH, GAP, FLOOR, MARGIN = 152, 40, 56, 84, 24
STAGGER = 70  # of a floor with few folders, to the left and to the right in turn: arrows pass beside its boxes


class Structure:
    """Folders with files and lines, and how often a file of one includes a header of another."""

    def __init__(self, top):
        self.files, self.lines, self.arrows = Counter(), Counter(), Counter()
        for part in PARTS:
            for path in sorted((top / part).rglob('*.[ch]')):
                name = path.relative_to(top).parent.as_posix()
                text = path.read_text(encoding='utf-8')
                self.files[name] += 1
                self.lines[name] += text.count('\n')
                for there in re.findall(r'^\s*#\s*include\s*"([^"]+)/[^"/]+"', text, re.M):
                    if there != name and there.split('/')[0] in PARTS:
                        self.arrows[name, there] += 1
        self.folders = sorted(self.files)
        self.below = {name: {b for a, b in self.arrows if a == name and b in self.files} for name in self.folders}
        self.circles = self.find_circles()
        self.floor = self.find_floors()

    def reach(self, name):
        """All folders that one needs, over others as well."""
        found, todo = set(), [name]
        while todo:
            for there in self.below[todo.pop()] - found:
                found.add(there)
                todo.append(there)
        return found

    def find_circles(self):
        """Sets of folders that all need each other."""
        reach = {name: self.reach(name) for name in self.folders}
        circles = []
        for name in self.folders:
            if name in reach[name] and not any(name in circle for circle in circles):
                circles.append({there for there in reach[name] if name in reach[there]})
        return circles

    def find_floors(self):
        """One above the highest of what it includes; a circle stands on one floor."""
        group = {name: frozenset({name}) for name in self.folders}
        for circle in self.circles:
            group.update({name: frozenset(circle) for name in circle})
        floor = {}

        def of(members):
            if members not in floor:
                others = {group[b] for a in members for b in self.below[a]} - {members}
                floor[members] = 1 + max((of(other) for other in others), default=-1)
            return floor[members]
        return {name: of(group[name]) for name in self.folders}

    def figures(self):
        yield '| folder | files | lines | includes from others | of folders | included by folders |'
        yield '| --- | ---: | ---: | ---: | ---: | ---: |'
        for name in self.folders:
            out = [count for (a, _), count in self.arrows.items() if a == name]
            into = sum(b == name for _, b in self.arrows)
            yield f'| {name} | {self.files[name]} | {self.lines[name]} | {sum(out)} | {len(out)} | {into} |'
        yield (f'| together | {sum(self.files.values())} | {sum(self.lines.values())} | {sum(self.arrows.values())} '
               f'| {len(self.arrows)} | |')
        yield ''
        yield f'Circles between folders: {len(self.circles)}' + ''.join(
            f'; {len(circle)} folders: {", ".join(sorted(circle))}' for circle in self.circles) + '.'

    def places(self):
        """Left upper corners of the boxes: on each floor in the order of what stands above, so that arrows are short."""
        floors = [[] for _ in range(1 + max(self.floor.values()))]
        for name in self.folders:
            floors[self.floor[name]].append(name)
        width = max(max(len(row) for row in floors), 4) * (BOX + GAP) - GAP + 2 * MARGIN
        x = {}
        for row in reversed(floors):
            users = {name: [x[a] for a, b in self.arrows if b == name and a in x] for name in row}
            row.sort(key=lambda name: (sum(users[name]) / len(users[name]) if users[name] else 0.0, name))
            left = (width - len(row) * (BOX + GAP) + GAP) / 2
            if len(row) < 3:
                left += STAGGER if self.floor[row[0]] % 2 else -STAGGER
            x.update({name: left + k * (BOX + GAP) for k, name in enumerate(row)})
        top = len(floors) - 1
        return {name: (x[name], MARGIN + (top - self.floor[name]) * FLOOR) for name in self.folders}, width

    def svg(self):
        place, width = self.places()
        height = max(y for _, y in place.values()) + HIGH + MARGIN
        in_circle = {name: k for k, circle in enumerate(self.circles) for name in circle}
        yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
               f'font-family="sans-serif" font-size="11">')
        yield f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
        numbers = []
        reach = {name: self.reach(name) for name in self.folders}
        for (a, b), count in sorted(self.arrows.items(), key=lambda item: item[1]):
            if a not in place or b not in place:
                continue
            (xa, ya), (xb, yb) = place[a], place[b]
            red = a in in_circle and in_circle.get(b) == in_circle[a]
            color = '#c01c28' if red else '#3a6ea5'
            x1, x2 = xa + BOX / 2, xb + BOX / 2
            if ya == yb:
                y1 = y2 = ya + HIGH
                bend = f'C {x1:.0f} {y1 + 60:.0f} {x2:.0f} {y2 + 60:.0f}'
                middle = (x1 + x2) / 2, y1 + 45
            else:
                y1, y2 = ya + HIGH, yb
                bend = f'C {x1:.0f} {y1 + 30:.0f} {x2:.0f} {y2 - 30:.0f}'
                middle = (x1 + x2) / 2, (y1 + y2) / 2
            is_implied = not red and any(b in reach[other] for other in self.below[a] - {b})
            thick = 0.4 + count ** 0.5 / 3
            strength = 0.1 if is_implied else 0.7
            yield (f'<path d="M {x1:.0f} {y1:.0f} {bend} {x2:.0f} {y2:.0f}" fill="none" stroke="{color}" '
                   f'stroke-opacity="{strength}" stroke-width="{thick:.1f}"><title>{a} includes {b}: {count}</title></path>')
            if not is_implied:
                numbers.append((*middle, count, color))
        for x, y, count, color in numbers:
            yield (f'<text x="{x:.0f}" y="{y:.0f}" fill="{color}" text-anchor="middle" stroke="white" stroke-width="3" '
                   f'paint-order="stroke" font-size="9">{count}</text>')
        for name, (x, y) in place.items():
            color = '#c01c28' if name in in_circle else '#333333'
            fill = {'core': '#e8f0e4', 'ui': '#e6eef8', 'app': '#f6eddc'}[name.split('/')[0]]
            yield (f'<rect x="{x:.0f}" y="{y:.0f}" width="{BOX}" height="{HIGH}" rx="6" fill="{fill}" stroke="{color}"/>'
                   f'<text x="{x + BOX / 2:.0f}" y="{y + 18:.0f}" text-anchor="middle" font-weight="bold">{escape(name)}'
                   f'</text><text x="{x + BOX / 2:.0f}" y="{y + 34:.0f}" text-anchor="middle" fill="#555555">'
                   f'{self.files[name]} files, {self.lines[name]} lines</text>')
        yield '</svg>'


def main():
    words = sys.argv[1:]
    drawing = None
    if '--svg' in words:
        at = words.index('--svg')
        drawing = words[at + 1]
        del words[at:at + 2]
    structure = Structure(Path(words[0]) if words else Path(__file__).resolve().parent.parent)
    if drawing is not None:
        Path(drawing).write_text('\n'.join(structure.svg()) + '\n', encoding='utf-8')
    print('\n'.join(structure.figures()))


if __name__ == '__main__':
    main()
