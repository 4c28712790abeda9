# SPDX-License-Identifier: MIT
"""Scripts for monkey.c: what somebody might do who knows nothing and is in a hurry. The same seed gives the same script.
An episode is a list of steps that belong together; a script that fails is shortened by episodes first."""
import random

TEXTS = ["x", "1", "0", "-1", "7.5", "1e3", "1e999", "nan", "1,5", "20 bar", "3/8 in", "2 m", "abc def", "", " ", "a.b",
         "cyl", "valve1", "0 0; 1 250; 1.5 0", "(", "%s%n", "1 2 3", "ground", "-0.0001", "99999999999", "link2.C", "_x_y",
         "Größe", "φ₂", "30 °", "2 µm", "−3", "Ωα", "中 е", "\U0001f600", "1 m²"]
NAMES = ["a", "x", "cyl2", "valve", "p 1", "", "1", "ground", "model", "Kübel", "φ"]
LEAVES = ["canvas", "plot", "slider", "button", "row", "entry", "inspector", "any", "menu"]
SHORTCUTS = ["F5", "shift+F5", "ctrl+z", "ctrl+shift+z", "ctrl+s", "F6", "F9", "ctrl+p", "ctrl+f", "ctrl+e", "ctrl+n", "F2",
             "Escape", "F10", "ctrl+question", "ctrl+comma", "F11", "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "Delete",
             "ctrl+plus", "ctrl+minus", "ctrl+0", "ctrl+w", "ctrl+o", "ctrl+shift+s", "F1", "space", "Home", "F8", "ctrl+d",
             "alt+Return", "shift+F10", "Menu", "ctrl+Tab", "ctrl+1", "ctrl+r", "ctrl+h", "ctrl+i", "ctrl+l", "ctrl+m"]
KEYS = ["Tab", "shift+Tab", "Up", "Down", "Left", "Right", "Return", "Escape", "space", "Home", "End", "Page_Up", "Page_Down",
        "Delete", "BackSpace", "r", "m", "f", "l", "j", "c", "g", "v", "1", "2", "3", "0", "period", "plus", "minus"]


EXAMPLES = ["position-servo", "metering-arm", "hydrostatic-wheel", "stick-slip", "excavator-arm", "load-sensing-loader",
            "articulated-vehicle-tyre", "hybrid-regeneration", "double-pilot-check", "four-bar", "scissor-lift"]


LESSONS = ["why-it-rings", "trapped-oil-is-a-spring", "load-holding", "closing-the-loop", "a-valve-that-is-shut"]


class Script:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.episodes = []

    def number(self):
        return self.random.randrange(1 << 20)

    def place(self):
        r = self.random
        return f"{r.uniform(0.03, 0.97):.3f} {r.uniform(0.03, 0.97):.3f}"

    def at(self, kind, middle=False):
        return f"at {kind} {self.number()}" + ("" if middle else " " + self.place())

    def click(self, kind, button=1):
        return [self.at(kind), f"click {button}"]

    def hurry(self, steps):
        """Some of the steps come before the program has seen the ones before."""
        return [s if i == 0 or self.random.random() < 0.6 else "+" + s for i, s in enumerate(steps)]

    def leave(self):
        r = self.random
        way = r.randrange(6)
        if way < 2:
            return self.click(r.choice(LEAVES))
        if way == 2:
            return ["key " + r.choice(["Tab", "shift+Tab"])]
        if way == 3:
            return ["key " + r.choice(SHORTCUTS)]
        if way == 4:
            return [f"action {self.number()}"]
        return ["key " + r.choice(["Return", "Escape", "Up", "Down"])]

    # ---- episodes ----

    def type_in_row(self):
        r = self.random
        steps = []
        if r.random() < 0.6:
            steps += self.click(r.choice(["canvas", "outline", "canvas", "row"]))
        steps += self.click("inspector")
        steps += [f"key Tab"] * r.randrange(0, 14)
        if r.random() < 0.5:
            steps.append("key ctrl+a")
        steps.append("type " + r.choice(TEXTS))
        return steps + self.leave()

    def type_anywhere(self):
        r = self.random
        steps = self.click(r.choice(["entry", "lever", "knob"]))
        if r.random() < 0.5:
            steps.append("key ctrl+a")
        return steps + ["type " + r.choice(TEXTS)] + self.leave()

    def rows_by_tab(self):
        """Every row of the inspector below the one that was clicked."""
        steps = self.click("canvas") + self.click("inspector")
        for _ in range(self.random.randrange(3, 12)):
            steps += ["type " + self.random.choice(TEXTS), "key Tab"]
        return steps

    def choose(self):
        r = self.random
        return (self.click(r.choice(["choice", "drop-down", "menu"])) +
                (self.click(r.choice(["item", "row"])) if r.random() < 0.6 else
                 ["key Down"] * r.randrange(3) + ["key Return"]))

    def draw(self):
        r = self.random
        steps = self.click(r.choice(["palette", "canvas"]))
        for _ in range(r.randrange(1, 5)):
            steps += self.click("canvas")
        if r.random() < 0.5:
            steps += ["type " + r.choice(["0; 0", "2 m < 60", "1; 1", "x", "0.5"]), "key Return"]
        return steps + (["key Escape"] if r.random() < 0.7 else [])

    def drag(self):
        r = self.random
        kind = r.choice(["canvas", "plot", "slider", "paned", "outline", "any", "inspector", "canvas"])
        steps = [self.at(kind), "press 1"]
        for _ in range(r.randrange(1, 6)):
            steps.append(f"drag {r.randrange(-300, 301)} {r.randrange(-200, 201)}")
            if r.random() < 0.1:
                steps.append("key " + r.choice(KEYS + SHORTCUTS))
        return steps + ["release 1"]

    def drop(self):
        """From one thing onto another."""
        r = self.random
        return ([self.at(r.choice(["outline", "any", "canvas"])), "press 1", "drag 12 9",
                 self.at(r.choice(["plot", "canvas"])), "drag 2 2", "release 1"])

    def wheel(self):
        r = self.random
        steps = [self.at(r.choice(["canvas", "plot", "any", "inspector"])), f"wheel {r.choice([-5, -2, 1, 3, 6])}"]
        held = r.choice([None, None, "ctrl", "shift"])
        return ["hold " + held] + steps + ["let " + held] if held else steps

    def menu(self):
        r = self.random
        steps = self.click("menu") if r.random() < 0.5 else self.click(r.choice(["canvas", "plot", "outline", "any"]), 3)
        for _ in range(r.randrange(1, 4)):
            steps += self.click("item")
        return steps + (["key Escape"] * r.randrange(3))

    def double(self):
        r = self.random
        return [self.at(r.choice(["canvas", "any", "outline", "plot"])), "double"] + (
            ["type " + r.choice(["4/3", "thr", "cyl", "x"]), "key Return"] if r.random() < 0.6 else [])

    def press_buttons(self):
        return sum((self.click(self.random.choice(["button", "any", "row"])) for _ in range(self.random.randrange(1, 4))), [])

    def keys(self):
        r = self.random
        return self.click(r.choice(["canvas", "plot", "outline", "any", "slider"])) + [
            "key " + r.choice(KEYS if r.random() < 0.7 else SHORTCUTS) for _ in range(r.randrange(1, 8))]

    def undo(self):
        return ["key ctrl+z"] * self.random.randrange(1, 5) + ["key ctrl+shift+z"] * self.random.randrange(4)

    def rename(self):
        return self.click("outline") + ["key F2", "type " + self.random.choice(NAMES)] + self.leave()

    def drive(self):
        """By its key where the keyboard happens to be, or in a model that is there and nothing before it: only then are there
        levers for certain."""
        r = self.random
        steps, stop = ["key F6"], "key F6"
        if r.random() < 0.7:
            steps = ["key Escape", "key Escape"]
            steps += self.other_model()[:2] if r.random() < 0.4 else []
            steps += ["do drive", "wait 500"]
            stop = "do drive"
        for _ in range(r.randrange(3, 9)):
            steps += r.choice([self.click("lever"), ["key " + r.choice(["1", "2", "Right", "Left", "Home", "End", "0", "Escape"])],
                               self.pull_lever(), self.pull_lever(),
                               self.click("lever") + ["key ctrl+a", "type 0.5"] + self.leave(), ["wait 120"], ["do drive-pause"]])
        return steps + ([stop] if r.random() < 0.8 else [])

    def pull_lever(self):
        """Levers stand upright; one that is let go may spring back."""
        r = self.random
        steps = [self.at("lever"), "press 1"]
        for _ in range(r.randrange(1, 4)):
            steps.append(f"drag {r.randrange(-12, 13)} {r.randrange(-90, 91)}")
        return steps + ["release 1"]

    def friction(self):
        """The handles of a friction curve, by hand and by keys; what an element of a model with friction shows."""
        r = self.random
        steps = self.other_model() if r.random() < 0.3 else []
        steps += ["key ctrl+1"] + self.click(r.choice(["outline", "canvas"]))
        for _ in range(r.randrange(1, 4)):
            steps += [self.at("curve"), "press 1", f"drag {r.randrange(-90, 91)} {r.randrange(-60, 61)}"]
            steps += ["release 1"] if r.random() < 0.8 else ["key Escape", "release 1"]
        for _ in range(r.randrange(5)):
            steps.append("key " + r.choice(["Up", "Down", "Left", "Right", "Tab", "shift+Tab", "Home", "ctrl+z"]))
        return steps + (["double"] if r.random() < 0.2 else [])

    def row_menu(self):
        """The menu of a row with what lies below it: sizes that can be bought, reset, slider, trace."""
        r = self.random
        steps = ["key ctrl+1"] + self.click(r.choice(["outline", "canvas"])) + self.click("row-menu")
        for _ in range(r.randrange(1, 4)):
            steps += r.choice([self.click("item"), ["key Down"] * r.randrange(1, 5) + ["key Return"], ["key Right"]])
        return steps + ["key Escape"] * r.randrange(3)

    def rating(self):
        """What a catalogue says of an opening, in any row that takes it or not."""
        r = self.random
        steps = ["key ctrl+1"] + self.click(r.choice(["outline", "canvas"])) + self.click("inspector")
        steps += ["key Tab"] * r.randrange(0, 14) + ["key ctrl+a", "type " + r.choice(
            ["40 L/min at 5 bar", "40 L/min @ 5 bar", "-40 L/min at 5 bar", "40 L/min at 0 bar", "1e9 L/min at 5 bar", "5 bar",
             "at", "40 at 5"])]
        return steps + self.leave()

    def loop_cut(self):
        """The loop that is cut stands last in the list of inputs."""
        r = self.random
        steps = ["do open-example position-servo.hydrolink", "wait 300", "do study response", "wait 250"]
        steps += self.click("drop-down") + ["key End", "key Return"]
        for _ in range(r.randrange(1, 5)):
            steps += r.choice([self.click("drop-down") + ["key Down"] * r.randrange(3) + ["key Return"],
                               self.click("entry") + ["key ctrl+a", "type " + r.choice(TEXTS), "key Return"],
                               self.data_tips(), self.click("button"), ["key ctrl+z"]])
        return steps + r.choice([["key Escape"], ["key ctrl+w"], []])

    def help(self):
        """The one help window: for what is selected, or for a class; its search, its links, its live numbers."""
        r = self.random
        steps = self.click(r.choice(["outline", "canvas", "palette"])) + [r.choice(["key F1", "do help"]), "wait 120"]
        for _ in range(r.randrange(1, 6)):
            steps += r.choice([self.click("help"), self.click("row"), self.click("search") + ["type " + r.choice(
                ["valve", "pump", "x", "Größe", "friction"])], [self.at("help"), "wheel 3"],
                [self.at("help"), "press 1", f"drag {r.randrange(-90, 91)} {r.randrange(-40, 41)}", "release 1"],
                ["key " + r.choice(["F1", "Tab", "Up", "Down", "ctrl+f", "Return"])], self.click("outline")])
        return steps + r.choice([["key Escape"], ["key ctrl+w"], []])

    def data_tips(self):
        """Pinned beside a curve, moved along it, and away."""
        r = self.random
        steps = []
        for _ in range(r.randrange(1, 4)):
            steps += ["hold ctrl", self.at("chart"), "click 1", "let ctrl"]
        steps += r.choice([[], [self.at("chart"), "press 1", f"drag {r.randrange(-60, 61)} {r.randrange(-20, 21)}", "release 1"]])
        for _ in range(r.randrange(6)):
            steps.append("key " + r.choice(["Left", "Right", "shift+Right", "Tab", "Delete", "Escape", "ctrl+z", "t", "Menu"]))
        return steps

    def target(self):
        """A target of the eigenvalues and a slider that comes by its words."""
        r = self.random
        steps = ["do side-tab locus"] + self.click("knob")
        if r.random() < 0.5:
            return steps + ["type " + r.choice(["mass", "piston", "cyl.friction.Fc", "x", "0.3", "1e9"]), "key Return", "key Escape"]
        return steps + ["key ctrl+a", "type " + r.choice(["0.3", "0", "2", "1e9", "nan", "x"]), "key Tab"] + self.leave()

    def second_window(self):
        """Something of its own: study windows, dialogs, questions, another window of the program."""
        r = self.random
        steps = [f"action {self.number()}", "wait 60"]
        for _ in range(r.randrange(1, 5)):
            steps += r.choice([self.click("button"), self.click("any"), self.click("drop-down"), self.click("entry") +
                               ["type " + r.choice(TEXTS), "key Return"], ["key Tab"], [self.at("plot"), "wheel 2"],
                               [self.at("plot"), "press 1", "drag 60 30", "release 1"], self.click("row")])
        return steps + r.choice([["key Escape"], ["key ctrl+w"], ["key Escape", "key Escape"], []])

    def search_tool(self):
        """A tool by its name, and its place on the canvas."""
        r = self.random
        return (["do find-tool", "type " + r.choice(["valve", "4/3", "cyl", "pid", "rel", "x", "Größe", "tank"])] +
                ["key Down"] * r.randrange(3) + ["key " + r.choice(["Return", "Return", "Escape", "Tab"])] +
                sum((self.click("canvas") for _ in range(r.randrange(3))), []))

    def side(self):
        r = self.random
        return [f"do side-tab {r.choice(['locus', 'properties'])}"] + r.choice(
            [self.click("knob"), self.click("plot"), self.click("inspector"), [self.at("plot"), "wheel 2"], self.click("choice")])

    def other_model(self):
        """Controllers, friction, tyres: what the first model has not."""
        return [f"do open-example {self.random.choice(EXAMPLES)}.hydrolink", "wait 400"] + self.click("outline") + self.click("canvas")

    def study(self):
        r = self.random
        steps = ["do " + r.choice(["study response", "study response", "study map", "study sensitivities", "power", "export plots",
                                   "force-map", "mode-graph", "model-advice", "photograph", "preferences", "compare-oils"]), "wait 200"]
        for _ in range(r.randrange(2, 7)):
            steps += r.choice([self.click("drop-down") + ["key Down"] * r.randrange(4) + ["key Return"], self.click("button"),
                               self.click("entry") + ["key ctrl+a", "type " + r.choice(TEXTS)] + self.leave(),
                               [self.at("plot"), "press 1", "drag 60 30", "release 1"], [self.at("plot"), "wheel -2"],
                               self.click("row"), ["key Tab", "key space"]])
        return steps + r.choice([["key Escape"], ["key ctrl+w"], []])

    def use(self, part, n):
        """Things that are done in one part of the window, named by its type."""
        r = self.random
        steps = []
        for _ in range(n):
            steps += r.choice([self.click("in:" + part), self.click("in:" + part), ["key " + r.choice(KEYS)],
                               self.click("in:" + part) + ["key ctrl+a", "type " + r.choice(TEXTS)] + self.leave(),
                               [self.at("in:" + part), "press 1", f"drag {r.randrange(-90, 91)} {r.randrange(-40, 41)}", "release 1"],
                               [self.at("in:" + part), "wheel " + r.choice(["-2", "3"])], self.click("menu-in:" + part) + self.click("item"),
                               self.click("in:" + part) + ["key Down"] * r.randrange(3) + ["key Return"]])
        return steps

    def studies(self):
        """The page of studies: what varies, what is measured, computing, brushing, tables."""
        r = self.random
        steps = ["do study studies", "wait 250"] + self.use("HlStudiesWindow", r.randrange(3, 10))
        if r.random() < 0.5:
            steps += self.use("HlStudiesChart", 3)
        return steps + r.choice([["key Escape"], ["key ctrl+w"], []])

    def export(self):
        r = self.random
        steps = ["do export " + r.choice(["plots", "results", "film", "circuit", "linkage", "locus", "linear-model"]), "wait 200"]
        part = r.choice(["HlExportWindow", "HlExportWindow", "HlDataWindow", "HlFilmWindow"])
        return steps + self.use(part, r.randrange(2, 6)) + r.choice([["key Escape"], ["key ctrl+w"], []])

    def sliders(self):
        """The chooser of sliders: searched, walked through by keys, chosen from."""
        r = self.random
        steps = ["do side-tab locus"] + self.click("menu-in:HlSliderPanel") + ["wait 80"]
        steps += r.choice([[], ["type " + r.choice(["mass", "piston", "bore", "x", "Größe"])]]) + self.use("HlSliderChooser", 2)
        return steps + ["key Return", "key Escape"] + self.use("HlSliderPanel", r.randrange(3))

    def lesson(self):
        """A lesson with its questions and sketches, or one that is recorded."""
        r = self.random
        if r.random() < 0.35:
            steps = ["do author-lesson", "wait 150"] + self.use("HlLessonAuthor", r.randrange(2, 6)) + self.type_in_row()
            return steps + self.use("HlLessonAuthor", 2) + r.choice([["do save-lesson"], ["do close-lesson"], ["do author-lesson"], []])
        steps = [f"do open-example ../lessons/{r.choice(LESSONS)}.hllesson", "wait 500"]
        steps += self.use("HlLessonPane", r.randrange(3, 9))
        return steps + r.choice([["do close-lesson"], ["do restart-lesson"] + self.use("HlLessonPane", 3), ["do lesson-report"], []])

    def tape(self):
        """What was driven, edited on its track."""
        r = self.random
        steps = ["key Escape", "do drive", "wait 500"] + self.pull_lever() + ["wait 150"] + self.pull_lever() + ["do drive", "wait 100"]
        steps += self.use("HlTapeTrack", r.randrange(2, 7))
        return steps + r.choice([["key ctrl+z"], ["do keep-levers"], ["key F5"], []])

    def present(self):
        """The lecture hall, with what is used there."""
        r = self.random
        steps = ["do present", "wait 100"]
        for _ in range(r.randrange(1, 6)):
            steps += r.choice([["do present-size " + r.choice(["1.5", "2", "2.5"])], ["do next-experiment"], ["do previous-experiment"],
                               ["do present-" + r.choice(["circuit", "linkage", "plots", "locus"])], self.keys(), self.click("any"),
                               self.click("button"), ["key F11"], self.drag()])
        return steps + r.choice([["do present"], ["key Escape"], ["key shift+F11"]])

    def manage(self):
        r = self.random
        return [r.choice([f"size {self.number()} {r.randrange(200, 1600)} {r.randrange(150, 1000)}",
                          f"size {self.number()} 1280 800",
                          f"place {self.number()} {r.randrange(0, 500)} {r.randrange(0, 300)}",
                          f"raise {self.number()}"]), "wait 30"]

    def make(self, n_steps):
        kinds = [(self.type_in_row, 26), (self.type_anywhere, 8), (self.rows_by_tab, 4), (self.choose, 8), (self.draw, 9),
                 (self.drag, 10), (self.drop, 3), (self.wheel, 5), (self.menu, 9), (self.double, 5), (self.press_buttons, 7),
                 (self.keys, 8), (self.undo, 5), (self.rename, 4), (self.drive, 6), (self.second_window, 10), (self.manage, 3),
                 (self.search_tool, 4), (self.side, 4), (self.other_model, 2), (self.study, 6), (self.friction, 5), (self.row_menu, 5),
                 (self.rating, 4), (self.loop_cut, 2), (self.help, 4), (self.data_tips, 5), (self.target, 3), (self.studies, 4),
                 (self.export, 3), (self.sliders, 3), (self.lesson, 4), (self.tape, 3), (self.present, 3)]
        makers, weights = zip(*kinds)
        n = 0
        while n < n_steps:
            steps = self.random.choices(makers, weights)[0]()
            if self.random.random() < 0.35:
                steps = self.hurry(steps)
            self.episodes.append(steps)
            n += len(steps)
            if len(self.episodes) % 40 == 0:
                self.episodes.append([self.random.choice(["rest", "leave"])])
        return self.episodes
