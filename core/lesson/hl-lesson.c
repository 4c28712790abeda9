/* SPDX-License-Identifier: MIT */
/* A lesson and the reader of its file: front matter, steps, tasks and questions. */
#include "core/lesson/hl-lesson.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/edit/hl-edit.h"
#include "core/help/hl-formula-tree.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-markup.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

#define LOGARITHMIC 30.0 /* ratio of the ends from which on a slider is logarithmic */

/* Reads "FROM to TO", formulas without names; FALSE: it is not a range, or not increasing. */
static gboolean read_range (const char *text, HlFormulaValue *from, HlFormulaValue *to) {
  const char *between = strstr (text, " to ");
  g_autofree char *first = between != NULL ? g_strndup (text, (gsize)(between - text)) : NULL;

  return between != NULL && hl_formula_evaluate (first, NULL, NULL, from, NULL, NULL) &&
         hl_formula_evaluate (between + strlen (" to "), NULL, NULL, to, NULL, NULL) &&
         hl_dimension_agrees (from->dimension, to->dimension) && from->value < to->value;
}

/* Sets the range of the model's slider of that path, or adds a slider. */
static HlDocument *set_slider (const HlDocument *document, const char *path, const char *range,
                               GError **error) {
  int n = hl_document_n_sliders (document), index = 0;
  HlFormulaValue from, to;
  HlSlider slider;

  if (range == NULL || !read_range (range, &from, &to))
    return hl_document_ref (document);
  while (index < n && !(hl_document_slider (document, index, &slider) && strcmp (slider.path, path) == 0))
    index++;
  gboolean is_log = from.value > 0 && to.value >= LOGARITHMIC * from.value;
  const char *keys[] = {"path", "from", "to", "scale"};
  HlValue *members[] = {hl_value_new_string (path), hl_value_new_number (from.value),
                        hl_value_new_number (to.value), hl_value_new_string (is_log ? "log" : "linear")};
  HlValue *entry = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
  return index < n ? hl_edit_replace_entry (document, HL_SECTION_SLIDERS, index, entry, error)
                   : hl_edit_insert_entry (document, HL_SECTION_SLIDERS, n, entry, error);
}

/* Sets one plot for each part between commas: the traces between blanks over time, or the bars of the
 * energies. */
static HlDocument *set_traces (const HlDocument *document, const char *text) {
  g_autoptr (GPtrArray) panels = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_plot_panel_free);
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (int k = 0; parts[k] != NULL; k++) {
    g_auto (GStrv) traces = g_strsplit_set (parts[k], " ", -1);
    HlPlotPanel *panel = hl_plot_panel_new ();
    for (int i = 0; traces[i] != NULL; i++)
      if (strcmp (traces[i], HL_LESSON_ENERGIES) == 0)
        panel->kind = HL_PLOT_ENERGY;
      else if (*traces[i] != '\0')
        hl_plot_panel_add (panel, traces[i]);
    g_ptr_array_add (panels, panel);
  }
  return hl_edit_set_plots (document, panels);
}

/* Returns the drawing of a file without the elements that are neither in the document nor among those of the act; a file that
 * there is no way to leaves the document as it is. */
static HlDocument *draw_elements (const HlDocument *document, const HlLessonAct *act, GError **error) {
  g_autoptr (HlDocument) whole =
      act->file != NULL ? hl_document_load (act->file, error) : hl_document_ref (document);
  g_auto (GStrv) drawn = g_strsplit (act->value != NULL ? act->value : "", " ", -1);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  if (whole == NULL)
    return NULL;
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int k = 0; k < hl_document_n_elements (whole, section); k++) {
      const char *id = hl_document_element_id (whole, section, k);
      if (!g_strv_contains ((const char *const *)drawn, id) &&
          hl_document_find (document, id, NULL, NULL) == NULL)
        g_ptr_array_add (others, (gpointer)id);
    }
  g_ptr_array_add (others, NULL);
  return others->len > 1 ? hl_edit_remove (whole, (const char *const *)others->pdata, error)
                         : g_steal_pointer (&whole);
}

HlDocument *hl_lesson_act_apply (const HlLessonAct *act, const HlDocument *document, GError **error) {
  switch (act->kind) {
  case HL_LESSON_LOCUS:
    return set_slider (document, act->path, act->value, error);
  case HL_LESSON_TRACES:
    return set_traces (document, act->value);
  case HL_LESSON_SET:
  case HL_LESSON_FAULT:
    return hl_document_with_text (document, act->path, act->value, error);
  case HL_LESSON_DRAW:
    return draw_elements (document, act, error);
  case HL_LESSON_OIL:
    return hl_edit_set_oil (document, act->name, error);
  default:
    return hl_document_ref (document);
  }
}

HlDocument *hl_lesson_put_back (const HlDocument *document, const HlDocument *model, const char *path,
                                gboolean *differs, GError **error) {
  const char *typed = hl_document_typed (model, path);
  double is, was;

  *differs = FALSE;
  if (!hl_document_get_number (document, path, &is, NULL, error) ||
      !hl_document_get_number (model, path, &was, NULL, error))
    return NULL;
  *differs = is != was;
  if (!*differs)
    return hl_document_ref (document);
  return typed != NULL ? hl_document_with_text (document, path, typed, error)
                       : hl_document_with_number (document, path, was, error);
}

static HlLessonStep *step_new (const char *title, int line);
static void step_free (gpointer step);
static void act_free (gpointer act);
static void read_key (HlLessonStep *step, const char *fence, const char *key, const char *value, int line,
                      GPtrArray *problems);
static void lesson_begin_fence (HlLessonStep *step, const char *fence, int line, GPtrArray *problems);
static void lesson_end_step (const HlLessonStep *step, GPtrArray *problems);

/* The reader of lesson files, line by line. An error does not stop it: all problems of a file are reported
 * together. */

#define MOST_STEPS 200
#define MOST_BLOCKS 400 /* of a step */
#define MOST_PROBLEMS 100
#define MARK "```"

typedef struct {
  HlLesson *lesson;
  GPtrArray *problems;
  HlLessonStep *step; /* NULL before the first */
  int line;
  /* a paragraph, bullet or value that continues */
  GString *text;
  HlLessonBlockKind kind;
  int text_line;
  char *fence; /* inside of one; NULL: not */
  int fence_line;
  char *key; /* in the fence, its value being `text` */
} Reader;

static void problem (Reader *reader, const char *text) {
  hl_lesson_problem_add (reader->problems, reader->line, "%s", text);
}

/* --- text --- */

static void check_block (Reader *reader, const HlLessonBlock *block) {
  g_autoptr (GError) error = NULL;

  if (block->kind == HL_LESSON_FORMULA) {
    HlTerm *term = hl_term_parse (block->text, &error);
    hl_term_free (term);
  } else if (!hl_lesson_inline_check (block->text, &error))
    g_assert (error != NULL);
  if (error != NULL)
    hl_lesson_problem_add (reader->problems, block->line, "%s", error->message);
}

static void add_block (Reader *reader, HlLessonBlockKind kind, int line, const char *text, const char *what) {
  GPtrArray *list;

  if (reader->step == NULL) {
    hl_lesson_problem_add (reader->problems, line,
                           _ ("text outside a step; start a step with a line ‘# TITLE’"));
    return;
  }
  list = reader->step->task == HL_LESSON_READ ? reader->step->before : reader->step->after;
  if (list->len == MOST_BLOCKS) {
    problem (reader, _ ("the step is too long"));
    return;
  }
  HlLessonBlock *block = g_new0 (HlLessonBlock, 1);
  *block = (HlLessonBlock){kind, line, g_strdup (text), g_strdup (what)};
  g_ptr_array_add (list, block);
  check_block (reader, block);
}

static void end_text (Reader *reader) {
  if (reader->text == NULL)
    return;
  g_autofree char *text = g_string_free (g_steal_pointer (&reader->text), FALSE);
  add_block (reader, reader->kind, reader->text_line, g_strstrip (text), NULL);
}

static void begin_text (Reader *reader, HlLessonBlockKind kind, const char *text) {
  end_text (reader);
  reader->text = g_string_new (text);
  reader->kind = kind;
  reader->text_line = reader->line;
}

/* Reads a picture, "![caption](circuit)". */
static void read_picture (Reader *reader, const char *line) {
  const char *middle = strstr (line, "](");
  const char *end = middle != NULL ? strchr (middle, ')') : NULL;

  end_text (reader);
  if (end == NULL || end[1] != '\0') {
    problem (reader, _ ("the picture is not understood; write ![caption](circuit) or ![caption](linkage)"));
    return;
  }
  g_autofree char *caption = g_strndup (line + 2, (gsize)(middle - line - 2));
  g_autofree char *what = g_strndup (middle + 2, (gsize)(end - middle - 2));
  if (strcmp (what, "circuit") != 0 && strcmp (what, "linkage") != 0)
    problem (reader, _ ("the picture is not understood; write ![caption](circuit) or ![caption](linkage)"));
  add_block (reader, HL_LESSON_PICTURE, reader->line, caption, what);
}

static void end_step (Reader *reader) {
  end_text (reader);
  if (reader->step != NULL)
    lesson_end_step (reader->step, reader->problems);
}

static void begin_step (Reader *reader, const char *title) {
  end_step (reader);
  if (*title == '\0')
    problem (reader, _ ("the step has no title"));
  if (reader->lesson->steps->len == MOST_STEPS) {
    problem (reader, _ ("the lesson is too long"));
    return;
  }
  reader->step = step_new (title, reader->line);
  g_ptr_array_add (reader->lesson->steps, reader->step);
}

/* --- fences --- */

static void end_key (Reader *reader) {
  if (reader->key == NULL)
    return;
  g_autofree char *key = g_steal_pointer (&reader->key);
  g_autofree char *value = g_string_free (g_steal_pointer (&reader->text), FALSE);
  read_key (reader->step, reader->fence, key, g_strstrip (value), reader->text_line, reader->problems);
}

static void begin_fence (Reader *reader, const char *name) {
  end_text (reader);
  g_free (reader->fence);
  reader->fence = g_strdup (name);
  reader->fence_line = reader->line;
  if (reader->step == NULL)
    problem (reader, _ ("text outside a step; start a step with a line ‘# TITLE’"));
  else
    lesson_begin_fence (reader->step, name, reader->line, reader->problems);
}

static void end_fence (Reader *reader) {
  end_key (reader);
  g_clear_pointer (&reader->fence, g_free);
}

/* Reads a line; one with blanks before it continues the value above. */
static void read_fence_line (Reader *reader, const char *line) {
  const char *colon = strchr (line, ':');

  if (reader->key != NULL && (*line == ' ')) {
    g_string_append_c (reader->text, ' ');
    g_string_append (reader->text, line + strspn (line, " "));
    return;
  }
  end_key (reader);
  if (*line == '\0' || *line == '#' || reader->step == NULL)
    return;
  if (colon == NULL || colon == line) {
    problem (reader, _ ("this line of a block is not a key with a value; write ‘KEY: VALUE’"));
    return;
  }
  reader->key = g_strstrip (g_strndup (line, (gsize)(colon - line)));
  reader->text = g_string_new (colon + 1 + strspn (colon + 1, " "));
  reader->text_line = reader->line;
}

/* --- front matter --- */

static void read_front_line (Reader *reader, const char *line) {
  HlLesson *lesson = reader->lesson;
  const char *colon = strchr (line, ':');
  const struct {
    const char *key;
    char **value;
  } keys[] = {{"title", &lesson->title},
              {"model", &lesson->model},
              {"language", &lesson->language},
              {"about", &lesson->about},
              {"time", &lesson->time}};

  if (*line == '\0' || *line == '#')
    return;
  g_autofree char *key =
      colon != NULL ? g_strstrip (g_strndup (line, (gsize)(colon - line))) : g_strdup (line);
  for (guint k = 0; k < G_N_ELEMENTS (keys); k++) {
    if (colon == NULL || strcmp (key, keys[k].key) != 0)
      continue;
    if (*keys[k].value != NULL)
      hl_lesson_problem_add (reader->problems, reader->line, _ ("‘%s’ occurs twice"), key);
    g_free (*keys[k].value);
    *keys[k].value = g_strstrip (g_strdup (colon + 1));
    if (keys[k].value == &lesson->model)
      lesson->model_line = reader->line;
    return;
  }
  hl_lesson_problem_add (
      reader->problems, reader->line,
      _ ("‘%s’ is not a key of the head of a lesson; the keys are title, model, language, about and time"),
      key);
}

/* --- lines --- */

static void read_line (Reader *reader, const char *line) {
  if (reader->fence != NULL && strcmp (line, MARK) == 0)
    end_fence (reader);
  else if (reader->fence != NULL)
    read_fence_line (reader, line);
  else if (g_str_has_prefix (line, MARK))
    begin_fence (reader, line + strlen (MARK) + strspn (line + strlen (MARK), " "));
  else if (line[0] == '#' && (line[1] == ' ' || line[1] == '\0'))
    begin_step (reader, line + 1 + strspn (line + 1, " "));
  else if (line[0] == '$' && line[1] == ' ') {
    end_text (reader);
    add_block (reader, HL_LESSON_FORMULA, reader->line, line + 2, NULL);
  } else if (g_str_has_prefix (line, "!["))
    read_picture (reader, line);
  else if ((line[0] == '-' || line[0] == '*') && line[1] == ' ')
    begin_text (reader, HL_LESSON_BULLET, line + 2);
  else if (*line == '\0')
    end_text (reader);
  else if (reader->text != NULL) {
    g_string_append_c (reader->text, ' ');
    g_string_append (reader->text, line + strspn (line, " "));
  } else
    begin_text (reader, HL_LESSON_PARAGRAPH, line + strspn (line, " "));
}

/* Reads the lines between two "---" at the start; returns their number. */
static int read_front (Reader *reader, char **lines) {
  int n = 0;

  if (lines[0] == NULL || strcmp (lines[0], "---") != 0) {
    reader->line = 1;
    problem (
        reader,
        _ ("the head of the lesson is missing; start the file with a line ‘---’, the title and the model"));
    return 0;
  }
  for (n = 1; lines[n] != NULL && strcmp (lines[n], "---") != 0; n++) {
    reader->line = n + 1;
    read_front_line (reader, lines[n]);
  }
  reader->line = 1;
  if (lines[n] == NULL)
    problem (reader, _ ("the head of the lesson is not closed by a second line ‘---’"));
  return lines[n] != NULL ? n + 1 : n;
}

static void check_whole (Reader *reader) {
  HlLesson *lesson = reader->lesson;

  reader->line = 1;
  if (lesson->title == NULL || *lesson->title == '\0')
    problem (reader, _ ("the lesson has no title"));
  if (lesson->model == NULL || *lesson->model == '\0')
    problem (reader, _ ("the lesson names no model"));
  if (lesson->steps->len == 0)
    problem (reader, _ ("the lesson has no step"));
  if (lesson->language == NULL)
    lesson->language = g_strdup ("en");
}

static void read_lines (Reader *reader, char **lines) {
  for (int k = read_front (reader, lines); lines[k] != NULL && reader->problems->len < MOST_PROBLEMS; k++) {
    reader->line = k + 1;
    read_line (reader, g_strchomp (lines[k]));
  }
  if (reader->fence != NULL) {
    hl_lesson_problem_add (reader->problems, reader->fence_line, _ ("the block ‘%s’ is not closed"),
                           reader->fence);
    end_fence (reader);
  }
  end_step (reader);
  check_whole (reader);
}

HlLesson *hl_lesson_parse (const char *text, gsize length, GPtrArray *problems) {
  Reader reader = {.lesson = g_new0 (HlLesson, 1), .problems = problems};
  guint before = problems->len;

  reader.lesson->steps = g_ptr_array_new_with_free_func (step_free);
  const char *wrong;
  if (!g_utf8_validate (text, (gssize)length, &wrong)) {
    int line = 1;
    for (const char *at = text; at < wrong; at++)
      line += *at == '\n';
    hl_lesson_problem_add (problems, line, _ ("the file is not UTF-8 text"));
  } else {
    g_autofree char *copy = g_strndup (text, length);
    g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
    for (int k = 0; lines[k] != NULL; k++)
      g_strchomp (lines[k]);
    read_lines (&reader, lines);
  }
  g_free (reader.key);
  if (problems->len == before)
    return reader.lesson;
  hl_lesson_free (reader.lesson);
  return NULL;
}

/* Blocks of a lesson: setup, do, predict, run. */

#define MOST_ENTRIES 100 /* acts or choices of a step */

/* Panes that a lesson can show. */
static const char *const panes[] = {"circuit", "linkage", "plots", "locus", "properties", NULL};

static const struct {
  const char *key;
  HlLessonActKind kind;
  gboolean has_name, has_path, has_value; /* in this order; a value is the rest of the line */
} acts[] = {
    {"set", HL_LESSON_SET, FALSE, TRUE, TRUE},         {"oil", HL_LESSON_OIL, TRUE, FALSE, FALSE},
    {"lock", HL_LESSON_LOCK, FALSE, TRUE, FALSE},      {"unlock", HL_LESSON_UNLOCK, FALSE, TRUE, FALSE},
    {"hide", HL_LESSON_HIDE, FALSE, TRUE, FALSE},      {"unhide", HL_LESSON_UNHIDE, FALSE, TRUE, FALSE},
    {"fault", HL_LESSON_FAULT, TRUE, TRUE, TRUE},      {"mend", HL_LESSON_MEND, TRUE, FALSE, FALSE},
    {"show", HL_LESSON_SHOW, TRUE, FALSE, FALSE},      {"locus", HL_LESSON_LOCUS, FALSE, TRUE, TRUE},
    {"traces", HL_LESSON_TRACES, FALSE, FALSE, TRUE},  {"time", HL_LESSON_TIME, FALSE, FALSE, TRUE},
    {"overlay", HL_LESSON_OVERLAY, TRUE, FALSE, TRUE}, {"response", HL_LESSON_RESPONSE, TRUE, FALSE, FALSE},
    {"draw", HL_LESSON_DRAW, TRUE, FALSE, TRUE},       {"large", HL_LESSON_LARGE, TRUE, FALSE, FALSE},
    {"target", HL_LESSON_TARGET, TRUE, FALSE, TRUE},   {"moment", HL_LESSON_MOMENT, FALSE, FALSE, TRUE},
};

/* Returns the next word of a text, owned; moves on. NULL at its end. */
static char *next_word (const char **c) {
  const char *start = *c + strspn (*c, " ");
  gsize length = strcspn (start, " ");

  *c = start + length + strspn (start + length, " ");
  return length > 0 ? g_strndup (start, length) : NULL;
}

/* Reads "[OIL] [as NAME]". */
static HlLessonAct *read_run (const char *text, int line, GPtrArray *problems) {
  HlLessonAct *act = g_new0 (HlLessonAct, 1);
  g_autofree char *word = next_word (&text);

  act->kind = HL_LESSON_RUN;
  act->line = line;
  if (word != NULL && strcmp (word, "as") != 0) {
    if (hl_oil_model_find (word) == NULL)
      hl_lesson_problem_add (problems, line, _ ("there is no oil model ‘%s’"), word);
    act->value = g_steal_pointer (&word);
    word = next_word (&text);
  }
  if (word != NULL && strcmp (word, "as") == 0)
    act->name = next_word (&text);
  if ((word != NULL && (act->name == NULL || !hl_formula_is_name (act->name))) || *text != '\0')
    hl_lesson_problem_add (
        problems, line,
        _ ("the run is not understood; write run: [OIL] [as NAME], such as run: hybrid as first"));
  return act;
}

static void check_act (const HlLessonAct *act, GPtrArray *problems) {
  if (act->kind == HL_LESSON_OIL && hl_oil_model_find (act->name) == NULL)
    hl_lesson_problem_add (problems, act->line, _ ("there is no oil model ‘%s’"), act->name);
  HlFormulaValue from, to;
  gboolean has_range = act->value != NULL && read_range (act->value, &from, &to);
  if (act->kind == HL_LESSON_LOCUS && act->value != NULL && !has_range)
    hl_lesson_problem_add (problems, act->line,
                           _ ("‘%s’ is not a range; write locus: PATH FROM to TO, such as 0.01 to 1"),
                           act->value);
  if (act->kind == HL_LESSON_TIME &&
      !(has_range && hl_dimension_agrees (to.dimension, hl_dimension_of (HL_QUANTITY_TIME))))
    hl_lesson_problem_add (problems, act->line,
                           _ ("‘%s’ is not a range of time; write time: FROM to TO, such as 0 s to 60 ms"),
                           act->value);
  if (act->kind == HL_LESSON_RESPONSE && strcmp (act->name, "on") != 0 && strcmp (act->name, "off") != 0)
    hl_lesson_problem_add (problems, act->line, _ ("response is on or off, not ‘%s’"), act->name);
  if (act->kind == HL_LESSON_SHOW && !g_strv_contains (panes, act->name))
    hl_lesson_problem_add (
        problems, act->line,
        _ ("‘%s’ is not a pane that can be shown; use circuit, linkage, plots, locus or properties"),
        act->name);
}

/* Reads the number of a target into its damping ratio or its frequency; FALSE: it is none. */
static gboolean read_target (const HlLessonAct *act, HlLocusTarget *target) {
  gboolean is_damping = strcmp (act->name, "damping") == 0;
  HlFormulaValue number;

  if ((!is_damping && strcmp (act->name, "frequency") != 0) ||
      !hl_formula_evaluate (act->value, NULL, NULL, &number, NULL, NULL) || !(number.value > 0) ||
      !hl_dimension_agrees (number.dimension,
                            hl_dimension_of (is_damping ? HL_QUANTITY_NONE : HL_QUANTITY_FREQUENCY)))
    return FALSE;
  if (is_damping)
    target->zeta = number.value;
  else
    target->omega = 2.0 * G_PI * number.value;
  return TRUE;
}

/* Reads a time [s]; NAN: it is none. */
static double read_moment (const HlLessonAct *act) {
  HlFormulaValue time;
  gboolean is_time = hl_formula_evaluate (act->value, NULL, NULL, &time, NULL, NULL) && time.value >= 0 &&
                     hl_dimension_agrees (time.dimension, hl_dimension_of (HL_QUANTITY_TIME));

  return is_time ? time.value : NAN;
}

static void check_view (const HlLessonAct *act, GPtrArray *problems) {
  HlLocusTarget target;

  if (act->kind == HL_LESSON_MOMENT && isnan (read_moment (act)))
    hl_lesson_problem_add (problems, act->line, _ ("‘%s’ is not a time; write moment: 2.8 s"), act->value);
  if (act->kind == HL_LESSON_LARGE &&
      (!g_strv_contains (panes, act->name) || strcmp (act->name, "properties") == 0))
    hl_lesson_problem_add (problems, act->line,
                           _ ("‘%s’ is not a pane that can be large; use circuit, linkage, plots or locus"),
                           act->name);
  if (act->kind == HL_LESSON_TARGET && !read_target (act, &target))
    hl_lesson_problem_add (
        problems, act->line,
        _ ("‘%s %s’ is not a target; write target: damping 0.2 or target: frequency 10 Hz"), act->name,
        act->value);
}

static gboolean may_lack_value (HlLessonActKind kind) {
  return kind == HL_LESSON_LOCUS || kind == HL_LESSON_OVERLAY || kind == HL_LESSON_DRAW;
}

/* Reads an act; NULL: the key is not that of an act, or the act is incomplete, which is reported. */
static HlLessonAct *read_act (const char *key, const char *text, int line, GPtrArray *problems) {
  if (strcmp (key, "run") == 0)
    return read_run (text, line, problems);
  for (guint k = 0; k < G_N_ELEMENTS (acts); k++) {
    if (strcmp (key, acts[k].key) != 0)
      continue;
    HlLessonAct *act = g_new0 (HlLessonAct, 1);
    act->kind = acts[k].kind;
    act->line = line;
    act->name = acts[k].has_name ? next_word (&text) : NULL;
    act->path = acts[k].has_path ? next_word (&text) : NULL;
    act->value = acts[k].has_value && *text != '\0' ? g_strdup (text) : NULL;
    if ((acts[k].has_name && act->name == NULL) || (acts[k].has_path && act->path == NULL) ||
        (acts[k].has_value ? act->value == NULL && !may_lack_value (act->kind) : *text != '\0')) {
      hl_lesson_problem_add (problems, line,
                             _ ("this line is incomplete or has too many words; write %s:%s%s%s"), key,
                             acts[k].has_name ? " NAME" : "", acts[k].has_path ? " PATH" : "",
                             acts[k].has_value ? " VALUE" : "");
      act_free (act);
      return NULL;
    }
    check_act (act, problems);
    check_view (act, problems);
    return act;
  }
  hl_lesson_problem_add (problems, line, _ ("‘%s’ is not allowed here"), key);
  return NULL;
}

static void add_act (GPtrArray *list, HlLessonAct *act, GPtrArray *problems) {
  if (act == NULL)
    return;
  if (list->len == MOST_ENTRIES)
    hl_lesson_problem_add (problems, act->line, _ ("a step can have at most %d of these"), MOST_ENTRIES);
  if (list->len >= MOST_ENTRIES)
    act_free (act);
  else
    g_ptr_array_add (list, act);
}

/* Sets *text, which may be set once. */
static void put_text (char **text, const char *key, const char *value, int line, GPtrArray *problems) {
  if (*text != NULL)
    hl_lesson_problem_add (problems, line, _ ("‘%s’ occurs twice"), key);
  else if (*value == '\0')
    hl_lesson_problem_add (problems, line, _ ("the value of ‘%s’ is missing"), key);
  else
    *text = g_strdup (value);
}

static HlCondition *read_condition (const char *value, int line, GPtrArray *problems) {
  g_autoptr (GError) error = NULL;
  HlCondition *condition = hl_condition_parse (value, &error);

  if (condition == NULL)
    hl_lesson_problem_add (problems, line, "%s", error->message);
  return condition;
}

/* Reads a tolerance: "10 %", or a number in the unit of the answer. */
static void read_tolerance (HlLessonStep *step, const char *value, int line, GPtrArray *problems) {
  char *end;
  double number = g_ascii_strtod (value, &end);

  end += strspn (end, " ");
  step->is_relative = *end == '%';
  step->tolerance = step->is_relative ? 0.01 * number : number;
  if (end == value || !isfinite (number) || number <= 0 || strlen (end) != (step->is_relative ? 1 : 0))
    hl_lesson_problem_add (problems, line,
                           _ ("a tolerance must be a number in the unit of the answer, or in %%"));
}

/* Stores a sentence for a wrong prediction, with emphasis and numbers of the model. */
static void put_reason (char **text, const char *key, const char *value, int line, GPtrArray *problems) {
  g_autoptr (GError) error = NULL;

  put_text (text, key, value, line, problems);
  if (!hl_lesson_inline_check (value, &error))
    hl_lesson_problem_add (problems, line, "%s", error->message);
}

static void read_choice (HlLessonStep *step, const char *key, const char *value, int line,
                         GPtrArray *problems) {
  HlLessonChoice *last = step->choices->len > 0 ? step->choices->pdata[step->choices->len - 1] : NULL;

  if (strcmp (key, "choice") == 0) {
    if (step->choices->len == MOST_ENTRIES)
      return;
    last = g_new0 (HlLessonChoice, 1);
    last->line = line;
    put_text (&last->text, key, value, line, problems);
    g_ptr_array_add (step->choices, last);
    step->task = HL_LESSON_CHOICE;
  } else if (strcmp (key, "why") == 0) {
    put_reason (&last->why, key, value, line, problems);
    last->why_line = line;
  } else if (last == NULL || last->when != NULL)
    hl_lesson_problem_add (problems, line, _ ("‘if’ is allowed once, after a choice"));
  else {
    last->when = g_strdup (value);
    last->line = line;
    last->condition = read_condition (value, line, problems);
  }
}

static void read_predict_key (HlLessonStep *step, const char *key, const char *value, int line,
                              GPtrArray *problems) {
  if (strcmp (key, "answer") == 0) {
    put_text (&step->answer, key, value, line, problems);
    step->answer_line = line;
  } else if (strcmp (key, "unit") == 0)
    put_text (&step->unit, key, value, line, problems);
  else if (strcmp (key, "about") == 0)
    put_text (&step->about, key, value, line, problems);
  else if (strcmp (key, "tolerance") == 0)
    read_tolerance (step, value, line, problems);
  else if (strcmp (key, "choice") == 0 || strcmp (key, "if") == 0 ||
           (strcmp (key, "why") == 0 && step->choices->len > 0))
    read_choice (step, key, value, line, problems);
  else if (strcmp (key, "why") == 0 || strcmp (key, "low") == 0 || strcmp (key, "high") == 0) {
    put_reason (*key == 'w'   ? &step->why
                : *key == 'l' ? &step->low
                              : &step->high,
                key, value, line, problems);
    step->reason_line = line;
  } else if (strcmp (key, "sketch") == 0) {
    put_text (&step->sketch, key, value, line, problems);
    step->task = HL_LESSON_CURVE;
  } else if (strcmp (key, "plots") == 0) {
    step->is_open = strcmp (value, "open") == 0;
    if (!step->is_open)
      hl_lesson_problem_add (problems, line, _ ("the value of plots is wrong; write plots: open"));
  } else if (strcmp (key, "from") == 0)
    put_text (&step->from, key, value, line, problems);
  else if (strcmp (key, "to") == 0)
    put_text (&step->to, key, value, line, problems);
  else if (strcmp (key, "run") == 0)
    add_act (step->runs, read_run (value, line, problems), problems);
  else
    hl_lesson_problem_add (problems, line, _ ("‘%s’ is not allowed in predict"), key);
}

static void read_do_key (HlLessonStep *step, const char *key, const char *value, int line,
                         GPtrArray *problems) {
  if (strcmp (key, "until") == 0) {
    put_text (&step->until, key, value, line, problems);
    step->until_line = line;
    if (step->condition == NULL)
      step->condition = read_condition (value, line, problems);
  } else if (strcmp (key, "solution") == 0) {
    g_autofree char *act = next_word (&value);
    if (act == NULL)
      hl_lesson_problem_add (problems, line, _ ("the value of ‘%s’ is missing"), key);
    else
      add_act (step->solution, read_act (act, value, line, problems), problems);
  } else if (strcmp (key, "then") == 0) {
    step->goes_on = strcmp (value, "next") == 0;
    if (!step->goes_on)
      hl_lesson_problem_add (problems, line, _ ("the value of then is wrong; write then: next"));
  } else
    hl_lesson_problem_add (problems, line, _ ("‘%s’ is not allowed in do"), key);
}

/* Reads one line of a block, "KEY: VALUE", into the step; `fence` is the first word of the block. Errors are
 * added to the problems. */
static void read_key (HlLessonStep *step, const char *fence, const char *key, const char *value, int line,
                      GPtrArray *problems) {
  if (strcmp (fence, "setup") == 0)
    add_act (step->setup, read_act (key, value, line, problems), problems);
  else if (strcmp (key, "hint") == 0)
    put_text (&step->hint, key, value, line, problems);
  else if (strcmp (fence, "do") == 0)
    read_do_key (step, key, value, line, problems);
  else if (strcmp (fence, "predict") == 0)
    read_predict_key (step, key, value, line, problems);
  else if (strcmp (key, "run") == 0)
    add_act (step->runs, read_run (value, line, problems), problems);
  else
    hl_lesson_problem_add (problems, line, _ ("‘%s’ is not allowed in run"), key);
}

/* Begins a block: checks its name, and whether the step may have it. */
static void lesson_begin_fence (HlLessonStep *step, const char *fence, int line, GPtrArray *problems) {
  static const struct {
    const char *name;
    HlLessonTask task;
  } tasks[] = {{"do", HL_LESSON_DO}, {"predict", HL_LESSON_NUMBER}, {"run", HL_LESSON_WATCH}};

  if (strcmp (fence, "setup") == 0)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++) {
    if (strcmp (fence, tasks[k].name) != 0)
      continue;
    if (step->task != HL_LESSON_READ)
      hl_lesson_problem_add (problems, line,
                             _ ("a step has only one task; start another step with a line ‘# TITLE’"));
    step->task = tasks[k].task;
    step->task_line = line;
    return;
  }
  hl_lesson_problem_add (problems, line, _ ("there is no block ‘%s’; use setup, do, predict or run"), fence);
}

/* Checks the relations between a numeric answer and one that is chosen or drawn. */
static void check_prediction (const HlLessonStep *step, GPtrArray *problems) {
  int n_kinds = (step->answer != NULL) + (step->choices->len > 0) + (step->sketch != NULL);

  if (n_kinds != 1)
    hl_lesson_problem_add (problems, step->task_line,
                           _ ("a prediction needs an answer, choices or a sketch"));
  if (step->task == HL_LESSON_CHOICE && step->choices->len < 2)
    hl_lesson_problem_add (problems, step->task_line, _ ("there is only one choice"));
  if (step->task != HL_LESSON_NUMBER && (step->low != NULL || step->high != NULL))
    hl_lesson_problem_add (
        problems, step->reason_line,
        _ ("‘low’ and ‘high’ are reasons where a number is asked for; give a choice its own ‘why’"));
  if (step->task != HL_LESSON_CURVE && step->why != NULL)
    hl_lesson_problem_add (problems, step->reason_line,
                           _ ("‘why’ is allowed after a choice, and where a curve is sketched"));
  for (guint k = 0; k < step->choices->len; k++) {
    const HlLessonChoice *choice = step->choices->pdata[k];
    if (choice->when == NULL)
      hl_lesson_problem_add (problems, choice->line,
                             _ ("‘if’ is missing: the condition for which this choice is correct"));
  }
  double low, high;
  if (step->task == HL_LESSON_CURVE && !hl_lesson_sketch_range (step, &low, &high))
    hl_lesson_problem_add (problems, step->task_line,
                           _ ("‘from’ and ‘to’ are missing or wrong: the range of values of the sketch"));
  if (step->task == HL_LESSON_CURVE && step->runs->len == 0)
    hl_lesson_problem_add (problems, step->task_line, _ ("the sketch needs a run"));
}

/* Ends a step: checks whether its task is complete. */
static void lesson_end_step (const HlLessonStep *step, GPtrArray *problems) {
  if (step->task == HL_LESSON_DO && step->until == NULL)
    hl_lesson_problem_add (problems, step->task_line,
                           _ ("‘until’ is missing: the condition that ends the task"));
  if (step->task == HL_LESSON_DO && step->solution->len == 0)
    hl_lesson_problem_add (problems, step->task_line,
                           _ ("‘solution’ is missing: it shows that the task can be solved"));
  if (step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE || step->task == HL_LESSON_CURVE)
    check_prediction (step, problems);
  if (step->task == HL_LESSON_WATCH && step->runs->len == 0)
    hl_lesson_problem_add (problems, step->task_line, _ ("‘run’ is missing: the run of this step"));
}

static void problem_free (gpointer data) {
  HlLessonProblem *problem = data;

  g_free (problem->text);
  g_free (problem);
}

GPtrArray *hl_lesson_problems_new (void) {
  return g_ptr_array_new_with_free_func (problem_free);
}

/* Maximum number of letters of a file that a message quotes. */
#define MOST_LETTERS 400

void hl_lesson_problem_add (GPtrArray *problems, int line, const char *format, ...) {
  HlLessonProblem *problem = g_new0 (HlLessonProblem, 1);
  va_list arguments;

  va_start (arguments, format);
  problem->line = line;
  problem->text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (g_utf8_validate (problem->text, -1, NULL) && g_utf8_strlen (problem->text, -1) > MOST_LETTERS) {
    g_autofree char *begin = g_utf8_substring (problem->text, 0, MOST_LETTERS);
    g_free (problem->text);
    problem->text = g_strconcat (begin, "…", NULL);
  }
  g_ptr_array_add (problems, problem);
}

static void block_free (gpointer data) {
  HlLessonBlock *block = data;

  g_free (block->text);
  g_free (block->what);
  g_free (block);
}

static void act_free (gpointer data) {
  HlLessonAct *act = data;

  g_free (act->path);
  g_free (act->value);
  g_free (act->name);
  g_free (act->file);
  g_free (act);
}

static void choice_free (gpointer data) {
  HlLessonChoice *choice = data;

  g_free (choice->text);
  g_free (choice->when);
  g_free (choice->why);
  hl_condition_free (choice->condition);
  g_free (choice);
}

/* Returns a new, empty step; owned by the lesson that gets it. */
static HlLessonStep *step_new (const char *title, int line) {
  HlLessonStep *step = g_new0 (HlLessonStep, 1);

  step->title = g_strdup (title);
  step->line = line;
  step->before = g_ptr_array_new_with_free_func (block_free);
  step->after = g_ptr_array_new_with_free_func (block_free);
  step->setup = g_ptr_array_new_with_free_func (act_free);
  step->solution = g_ptr_array_new_with_free_func (act_free);
  step->runs = g_ptr_array_new_with_free_func (act_free);
  step->choices = g_ptr_array_new_with_free_func (choice_free);
  step->tolerance = NAN;
  return step;
}

static void step_free (gpointer data) {
  HlLessonStep *step = data;

  g_free (step->title);
  g_ptr_array_unref (step->before);
  g_ptr_array_unref (step->after);
  g_ptr_array_unref (step->setup);
  g_ptr_array_unref (step->solution);
  g_ptr_array_unref (step->runs);
  g_ptr_array_unref (step->choices);
  g_free (step->hint);
  g_free (step->until);
  hl_condition_free (step->condition);
  g_free (step->answer);
  g_free (step->unit);
  g_free (step->about);
  g_free (step->sketch);
  g_free (step->from);
  g_free (step->to);
  g_free (step->low);
  g_free (step->high);
  g_free (step->why);
  g_free (step);
}

void hl_lesson_free (HlLesson *lesson) {
  if (lesson == NULL)
    return;
  g_free (lesson->title);
  g_free (lesson->model);
  g_free (lesson->language);
  g_free (lesson->about);
  g_free (lesson->time);
  g_free (lesson->folder);
  g_free (lesson->path);
  g_ptr_array_unref (lesson->steps);
  g_free (lesson);
}

static void find_drawings (const HlLesson *lesson, const GPtrArray *solution) {
  for (guint k = 0; k < solution->len; k++) {
    HlLessonAct *act = solution->pdata[k];
    if (act->kind == HL_LESSON_DRAW)
      act->file = g_build_filename (lesson->folder, act->name, NULL);
  }
}

HlLesson *hl_lesson_load (const char *path, GPtrArray *problems) {
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_LESSON_MAX_BYTES, NULL, NULL, &length, &error);

  if (text == NULL) {
    hl_lesson_problem_add (problems, 0, "%s", error->message);
    return NULL;
  }
  HlLesson *lesson = hl_lesson_parse (text, length, problems);
  if (lesson != NULL) {
    lesson->folder = g_path_get_dirname (path);
    for (guint k = 0; k < lesson->steps->len; k++)
      find_drawings (lesson, hl_lesson_step (lesson, (int)k)->solution);
    lesson->path = g_strdup (path);
  }
  return lesson;
}

char *hl_lesson_model_path (const HlLesson *lesson) {
  return lesson->folder == NULL || g_path_is_absolute (lesson->model)
             ? g_strdup (lesson->model)
             : g_build_filename (lesson->folder, lesson->model, NULL);
}

gboolean hl_lesson_sketch_range (const HlLessonStep *step, double *low, double *high) {
  HlFormulaValue from, to;

  if (step->from == NULL || step->to == NULL ||
      !hl_formula_evaluate (step->from, NULL, NULL, &from, NULL, NULL) ||
      !hl_formula_evaluate (step->to, NULL, NULL, &to, NULL, NULL) || !(from.value < to.value) ||
      !hl_dimension_agrees (from.dimension, to.dimension))
    return FALSE;
  *low = from.value;
  *high = to.value;
  return TRUE;
}

gboolean hl_lesson_time_range (const HlLessonStep *step, double *from, double *to) {
  HlFormulaValue low, high;

  for (guint k = 0; k < step->setup->len; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    if (act->kind == HL_LESSON_TIME && read_range (act->value, &low, &high)) {
      *from = low.value;
      *to = high.value;
      return TRUE;
    }
  }
  return FALSE;
}

double hl_lesson_moment (const HlLessonStep *step) {
  double moment = NAN;

  for (guint k = 0; k < step->setup->len; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    if (act->kind == HL_LESSON_MOMENT)
      moment = read_moment (act);
  }
  return moment;
}

HlLocusTarget hl_lesson_target (const HlLessonStep *step) {
  HlLocusTarget target = {NAN, NAN};

  for (guint k = 0; k < step->setup->len; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    if (act->kind == HL_LESSON_TARGET)
      read_target (act, &target);
  }
  return target;
}

const char *hl_lesson_task_name (HlLessonTask task) {
  static const char *const names[] = {"read", "do", "number", "choice", "sketch", "run"};

  return names[task];
}

/* --- two languages --- */

static gboolean acts_agree (const GPtrArray *one, const GPtrArray *other) {
  gboolean same = one->len == other->len;

  for (guint k = 0; same && k < one->len; k++) {
    const HlLessonAct *a = one->pdata[k], *b = other->pdata[k];
    gboolean is_title = a->kind == HL_LESSON_OVERLAY; /* a text, which is translated */
    same = a->kind == b->kind && g_strcmp0 (a->path, b->path) == 0 &&
           (is_title || g_strcmp0 (a->value, b->value) == 0) && g_strcmp0 (a->name, b->name) == 0;
  }
  return same;
}

static gboolean choices_agree (const GPtrArray *one, const GPtrArray *other) {
  gboolean same = one->len == other->len;

  for (guint k = 0; same && k < one->len; k++) {
    const HlLessonChoice *a = one->pdata[k], *b = other->pdata[k];
    same = g_strcmp0 (a->when, b->when) == 0 && (a->why != NULL) == (b->why != NULL);
  }
  return same;
}

static gboolean steps_agree (const HlLessonStep *one, const HlLessonStep *other) {
  gboolean same_tolerance =
      one->tolerance == other->tolerance || (isnan (one->tolerance) && isnan (other->tolerance));

  return one->task == other->task && same_tolerance && one->is_relative == other->is_relative &&
         g_strcmp0 (one->until, other->until) == 0 && g_strcmp0 (one->answer, other->answer) == 0 &&
         g_strcmp0 (one->unit, other->unit) == 0 && g_strcmp0 (one->about, other->about) == 0 &&
         g_strcmp0 (one->sketch, other->sketch) == 0 && g_strcmp0 (one->from, other->from) == 0 &&
         g_strcmp0 (one->to, other->to) == 0 && acts_agree (one->setup, other->setup) &&
         acts_agree (one->solution, other->solution) && acts_agree (one->runs, other->runs) &&
         one->goes_on == other->goes_on && (one->low != NULL) == (other->low != NULL) &&
         (one->high != NULL) == (other->high != NULL) && (one->why != NULL) == (other->why != NULL) &&
         choices_agree (one->choices, other->choices);
}

gboolean hl_lesson_agrees (const HlLesson *lesson, const HlLesson *other, GPtrArray *problems) {
  guint before = problems->len;

  if (strcmp (lesson->model, other->model) != 0)
    hl_lesson_problem_add (problems, other->model_line, _ ("the model differs from that of the original"));
  if (lesson->steps->len != other->steps->len)
    hl_lesson_problem_add (problems, 0, _ ("it has %u steps, the original has %u"), other->steps->len,
                           lesson->steps->len);
  for (guint k = 0; k < MIN (lesson->steps->len, other->steps->len); k++)
    if (!steps_agree (hl_lesson_step (lesson, (int)k), hl_lesson_step (other, (int)k)))
      hl_lesson_problem_add (problems, hl_lesson_step (other, (int)k)->line,
                             _ ("step %u differs from the original in more than its text"), k + 1);
  return problems->len == before;
}
