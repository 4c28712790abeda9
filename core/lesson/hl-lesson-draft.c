/* SPDX-License-Identifier: MIT */
/* A draft of a lesson: the steps that a teacher did in the window, and the text that comes of
 * them. */
#include "core/lesson/hl-lesson-draft.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/document/hl-trace-name.h"
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/lesson/hl-lesson-linear-values.h"

#include <math.h>
#include <string.h>

struct _HlLessonDraft {
  GPtrArray *steps;    /* HlDraftStep */
  GPtrArray *past;     /* GPtrArray of HlDraftStep, oldest first */
  char *key;           /* of the change that the next one may continue with; NULL: none */
  HlDocument *start;   /* the model as its file has it */
  HlDocument *current; /* at the last update */
  int n_pairs, n_unstable;
  guint serial; /* of the last step */
};

static char *draft_value_text (const HlDocument *document, const char *path, HlQuantity quantity, double si);

#define SKETCH "sketch: "
#define FRAME 0.25 /* of the range of a trace, above and below it */

/* Gets the value of a spectrum function for the first eigenvalue; FALSE: none. */
static gboolean find_first (HlLessonValues *bench, const char *name, double *value) {
  HlLessonSpectrumWord word;

  return hl_lesson_spectrum_find (name, &word) && hl_lesson_spectrum_value (bench, &word, "1", value, NULL) &&
         isfinite (*value);
}

char *hl_lesson_propose_number (const HlDocument *document) {
  g_autoptr (HlLessonValues) bench = hl_lesson_values_new (document);
  char room[G_ASCII_DTOSTR_BUF_SIZE];
  double value;

  if (find_first (bench, "pair.frequency", &value))
    return g_strdup_printf ("answer: pair.frequency(1)\nunit: Hz\nabout: %s Hz\ntolerance: 30 %%\n",
                            g_ascii_formatd (room, sizeof room, "%.3g", value));
  if (find_first (bench, "eig.re", &value))
    return g_strdup_printf ("answer: eig.re(1)\nunit: 1/s\nabout: %s/s\ntolerance: 30 %%\n",
                            g_ascii_formatd (room, sizeof room, "%.3g", value));
  return g_strdup ("answer: eig.count\ntolerance: 0.1\n");
}

char *hl_lesson_propose_choice (void) {
  return g_strdup_printf ("choice: %s\nif: pair.count > 0\nchoice: %s\nif: pair.count = 0\n",
                          _ ("It oscillates"), _ ("It does not oscillate"));
}

/* Returns the first trace that a plot shows; NULL: none. Borrowed of the panels. */
static const char *first_trace (const GPtrArray *panels) {
  for (guint k = 0; k < panels->len; k++) {
    const HlPlotPanel *panel = panels->pdata[k];
    if (panel->traces[0] != NULL)
      return panel->traces[0];
  }
  return NULL;
}

char *hl_lesson_propose_curve (const HlDocument *document, HlResults *results) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  const char *trace = first_trace (panels);
  double low, high;

  if (trace == NULL || results == NULL || hl_results_n_rows (results) == 0)
    return NULL;
  HlTraceInfo info = hl_trace_info (document, trace);
  int column = hl_results_find_column (results, trace); /* a probe by its id, else a path */
  if (column < 0)
    return NULL;
  hl_results_range (results, column, 0, hl_results_n_rows (results), &low, &high);
  double before = info.relative ? hl_results_get (results, column, 0) : 0;
  double room = high > low ? FRAME * (high - low) : fmax (fabs (high), 1);
  if (!isfinite (low) || !isfinite (high))
    return NULL;
  g_autofree char *from = draft_value_text (document, NULL, info.quantity, low - before - room);
  g_autofree char *to = draft_value_text (document, NULL, info.quantity, high - before + room);
  return g_strdup_printf (SKETCH "%s\nfrom: %s\nto: %s\ntolerance: 20 %%\nrun:\n", trace, from, to);
}

/* Returns the text proposed for a question, which the author may replace: the question, which ends with a
 * question mark and is the title, and an explanation. "" for lines of another kind. */
static char *propose_words (const HlDocument *document, const char *ask) {
  static const struct {
    const char *begin, *words;
  } known[] = {
      {"answer: pair.frequency(1)", N_ ("At which frequency does it oscillate?")},
      {"answer: eig.re(1)",
       N_ ("How fast does the slowest motion decay? Enter its eigenvalue (negative if the motion decays).")},
      {"answer: eig.count", N_ ("How many eigenvalues does the linear model have?")},
      {"choice: ", N_ ("Does it oscillate after a small disturbance?")},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (g_str_has_prefix (ask, known[k].begin))
      return g_strdup (_ (known[k].words));
  if (!g_str_has_prefix (ask, SKETCH))
    return g_strdup ("");
  const char *name = ask + strlen (SKETCH);
  g_autofree char *trace = g_strndup (name, strcspn (name, "\n"));
  return g_strdup_printf (_ ("What will %s do? Sketch the curve from the start to the end of the run."),
                          hl_trace_info (document, trace).label);
}

/* The text of a lesson that was written by doing it. */

#define OIL "simulation.model"
#define DIGITS 6        /* of numbers in the file */
#define BAND 0.05       /* relative, of a number that is waited for */
#define BAND_OF_WAY 0.5 /* but not more than this part of the way to it */
#define MARK "```"

static const HlDraftStep *line_step_at (const HlLessonDraft *draft, int step) {
  return step >= 0 && step < (int)draft->steps->len ? draft->steps->pdata[step] : NULL;
}

/* --- numbers in words --- */

/* Returns a value in the displayed unit if a file reads it back exactly, otherwise in SI. A text that was
 * typed at the path (NULL: none) is kept. Owned by the caller. */
static char *draft_value_text (const HlDocument *document, const char *path, HlQuantity quantity, double si) {
  const HlUnit *unit = hl_quantity_default_unit (quantity);
  const char *typed = path != NULL ? hl_document_typed (document, path) : NULL;
  char room[G_ASCII_DTOSTR_BUF_SIZE];
  double read;

  if (typed != NULL)
    return g_strdup (typed);
  if (quantity == HL_QUANTITY_NONE || unit == NULL)
    return g_strdup (g_ascii_formatd (room, sizeof room, "%.6g", si));
  g_autofree char *number = hl_unit_format_plain (unit, si, DIGITS);
  gboolean is_per = g_str_has_prefix (unit->name, "1/"); /* formulas read 50/s, not 50 1/s */
  g_autofree char *text =
      g_strdup_printf ("%s%s%s", number, is_per ? "" : " ", unit->name + (is_per ? 1 : 0));
  if (hl_document_read_number (document, text, quantity, unit, &read, NULL) &&
      fabs (read - si) <= 1e-5 * fabs (si))
    return g_steal_pointer (&text);
  g_ascii_formatd (room, sizeof room, "%.6g", si);
  const char *name = hl_quantity_si (quantity);
  return name != NULL && *name != '\0' ? g_strdup_printf ("%s %s", room, name) : g_strdup (room);
}

/* Returns the model of the oil that a difference chooses; NULL: it is none of the oil. Borrowed. */
static const char *draft_oil_of (const HlDifference *difference) {
  return strcmp (difference->path, OIL) == 0 ? difference->after_text : NULL;
}

/* Returns an act as text, "set cyl.friction.scale 0.54". */
static char *act_text (const HlDocument *after, const HlDifference *difference, const char *joint) {
  if (draft_oil_of (difference) != NULL)
    return g_strdup_printf ("oil%s%s", joint, draft_oil_of (difference));
  g_autofree char *value =
      draft_value_text (after, difference->path, difference->quantity, difference->after);
  return g_strdup_printf ("set%s%s %s", joint, difference->path, value);
}

/* Appends the acts, one per line, after the indent. */
static void append_acts (GString *text, const HlDocument *before, const HlDocument *after, const char *indent,
                         const char *joint) {
  g_autoptr (GPtrArray) differences = hl_document_differences (before, after);

  for (guint k = 0; k < differences->len; k++) {
    g_autofree char *act = act_text (after, differences->pdata[k], joint);
    g_string_append_printf (text, "%s%s\n", indent, act);
  }
}

char *hl_lesson_draft_done (const HlLessonDraft *draft, int step) {
  GString *text = g_string_new (NULL);
  const HlDraftStep *at = line_step_at (draft, step);

  if (at != NULL)
    append_acts (text, at->before, at->after, "", " ");
  if (text->len > 0)
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

/* --- what is waited for --- */

static char *number_condition (const HlDocument *after, const HlDifference *difference) {
  double a = difference->before, b = difference->after;
  gboolean is_plain = strchr (difference->path, '-') == NULL;
  const char *quote = is_plain ? "" : "\"";
  g_autofree char *value = draft_value_text (after, NULL, difference->quantity, b);
  double way = isfinite (a) ? fabs (b - a) : fabs (b);

  if (b == 0) {
    g_autofree char *band = draft_value_text (after, NULL, difference->quantity, BAND_OF_WAY * way);
    return g_strdup_printf ("%s%s%s = %s ± %s", quote, difference->path, quote, value, band);
  }
  char band[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (band, sizeof band, "%.2g", 100 * fmin (BAND, BAND_OF_WAY * way / fabs (b)));
  return g_strdup_printf ("%s%s%s = %s ± %s %%", quote, difference->path, quote, value, band);
}

char *hl_lesson_draft_until (const HlLessonDraft *draft, int step) {
  const HlDraftStep *at = line_step_at (draft, step);

  if (at == NULL || at->kind != HL_DRAFT_DO)
    return NULL;
  if (at->until != NULL)
    return g_strdup (at->until);
  if (at->unstable[0] >= 0 && at->unstable[1] >= 0 && at->unstable[0] != at->unstable[1])
    return g_strdup_printf ("eig.unstable = %d", at->unstable[1]);
  if (at->pairs[0] >= 0 && at->pairs[1] >= 0 && at->pairs[0] != at->pairs[1])
    return g_strdup_printf ("pair.count = %d", at->pairs[1]);
  g_autoptr (GPtrArray) differences = hl_document_differences (at->before, at->after);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    g_autofree char *part = draft_oil_of (difference) != NULL
                                ? g_strdup_printf ("oil(%s) = 1", draft_oil_of (difference))
                                : number_condition (at->after, difference);
    g_string_append_printf (text, "%s%s", k > 0 ? " and " : "", part);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- the file --- */

/* Returns one line, for a title. */
static char *one_line (const char *text, const char *otherwise) {
  g_autofree char *line = g_strdelimit (g_strdup (text), "\r\n", ' ');
  g_strstrip (line);
  return g_strdup (*line != '\0' ? line : otherwise);
}

/* Appends typed text such that none of its lines begins a step or a block. */
static void append_typed (GString *text, const char *typed) {
  g_auto (GStrv) lines = g_strsplit (typed, "\n", -1);
  gboolean any = FALSE;

  for (int k = 0; lines[k] != NULL; k++) {
    g_strchomp (lines[k]);
    any = any || *lines[k] != '\0';
    if (!any)
      continue;
    if (lines[k][0] == '#' && (lines[k][1] == ' ' || lines[k][1] == '\0'))
      g_string_append_c (text, '\\');
    if (g_str_has_prefix (lines[k], MARK)) {
      g_string_append_printf (text, "\\`\\`\\`%s\n", lines[k] + strlen (MARK));
      continue;
    }
    g_string_append_printf (text, "%s\n", lines[k]);
  }
  if (any)
    g_string_append_c (text, '\n');
}

/* Keeps account of what the lesson has taken from the student. */
typedef struct {
  GHashTable *kept;   /* path: HlDraftRole, LOCK or HIDE */
  GHashTable *faults; /* path: name of the fault */
} Account;

/* Appends the lines by which the lesson sets a number; a fault of that number ends first. */
static void append_set (GString *text, Account *account, const HlDocument *after,
                        const HlDifference *difference) {
  const char *fault = g_hash_table_lookup (account->faults, difference->path);
  g_autofree char *act = act_text (after, difference, ": ");

  if (fault != NULL)
    g_string_append_printf (text, "mend: %s\n", fault);
  g_string_append_printf (text, "%s\n", act);
  g_hash_table_remove (account->faults, difference->path);
}

static void append_fault (GString *text, Account *account, const HlDraftStep *at,
                          const HlDifference *difference, guint number) {
  if (draft_oil_of (difference) != NULL || g_hash_table_contains (account->faults, difference->path)) {
    append_set (text, account, at->after, difference);
    return;
  }
  g_autofree char *value =
      draft_value_text (at->after, difference->path, difference->quantity, difference->after);
  char *fault = g_strdup_printf ("fault%u_%u", at->serial, number);
  g_string_append_printf (text, "fault: %s %s %s\n", fault, difference->path, value);
  g_hash_table_insert (account->faults, g_strdup (difference->path), fault);
}

/* Appends the release of a number, which the student may change again. */
static void append_release (GString *text, Account *account, const char *path) {
  HlDraftRole kept = GPOINTER_TO_INT (g_hash_table_lookup (account->kept, path));

  if (kept != HL_DRAFT_STUDENT)
    g_string_append_printf (text, "unlock: %s\n", path);
  if (kept == HL_DRAFT_HIDE)
    g_string_append_printf (text, "unhide: %s\n", path);
  g_hash_table_remove (account->kept, path);
}

/* Appends the restrictions that the role of a step imposes on the student from then on, at the start of the
 * next step. */
static void append_keeping (GString *text, Account *account, const HlDraftStep *at) {
  if (at->kind != HL_DRAFT_DO || (at->role != HL_DRAFT_LOCK && at->role != HL_DRAFT_HIDE))
    return;
  g_autoptr (GPtrArray) differences = hl_document_differences (at->before, at->after);
  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    if (draft_oil_of (difference) != NULL)
      continue;
    g_string_append_printf (text, "lock: %s\n", difference->path);
    if (at->role == HL_DRAFT_HIDE)
      g_string_append_printf (text, "hide: %s\n", difference->path);
    g_hash_table_insert (account->kept, g_strdup (difference->path), GINT_TO_POINTER (at->role));
  }
}

/* Returns the setup of a step, the changes made by the lesson when the step begins; *has_task: whether the
 * student has something left to do. */
static char *setup_text (const HlDraftStep *at, const HlDraftStep *last, const HlDocument *state,
                         Account *account, gboolean *has_task) {
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) between = hl_document_differences (state, at->before);
  g_autoptr (GPtrArray) own = hl_document_differences (at->before, at->after);

  if (last != NULL)
    append_keeping (text, account, last);
  for (guint k = 0; k < between->len; k++)
    append_set (text, account, at->before, between->pdata[k]);
  *has_task = FALSE;
  for (guint k = 0; k < own->len; k++) {
    const HlDifference *difference = own->pdata[k];
    if (at->role == HL_DRAFT_FAULT)
      append_fault (text, account, at, difference, k + 1);
    else if (g_hash_table_contains (account->faults, difference->path))
      append_set (text, account, at->after, difference); /* of a fault only the lesson can */
    else {
      append_release (text, account, difference->path);
      *has_task = TRUE;
    }
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Appends a block between its marks; no line of it ends the block. */
static void append_block (GString *text, const char *name, const char *lines) {
  g_auto (GStrv) parts = g_strsplit (lines, "\n", -1);

  g_string_append_printf (text, MARK "%s\n", name);
  for (int k = 0; parts[k] != NULL; k++) {
    g_strchomp (parts[k]);
    if (*parts[k] != '\0' && !g_str_has_prefix (parts[k], MARK))
      g_string_append_printf (text, "%s\n", parts[k]);
  }
  g_string_append (text, MARK "\n");
}

/* Appends the task of a step without a text of the author: "Set Friction scale of cyl to 0.1." */
static void append_proposed (GString *text, const HlDraftStep *at) {
  g_autoptr (GPtrArray) differences = hl_document_differences (at->before, at->after);

  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    const char *oil = draft_oil_of (difference);
    if (oil != NULL) {
      g_string_append_printf (text, _ ("Choose the oil model “%s”."), hl_schema_word (oil));
      g_string_append_c (text, '\n');
      continue;
    }
    g_autofree char *words = hl_path_label (at->after, difference->path);
    g_autofree char *value =
        draft_value_text (at->after, difference->path, difference->quantity, difference->after);
    g_string_append_printf (text, _ ("Set %s to %s."), words, value);
    g_string_append_c (text, '\n');
  }
  g_string_append_c (text, '\n');
}

static gboolean is_blank (const char *text) {
  return text[strspn (text, " \t\r\n")] == '\0';
}

static void append_step (GString *text, const HlLessonDraft *draft, int step, const HlDocument *state,
                         Account *account) {
  const HlDraftStep *at = draft->steps->pdata[step];
  const HlDraftStep *last = step > 0 ? draft->steps->pdata[step - 1] : NULL;
  g_autofree char *title = one_line (at->title, _ ("Step"));
  gboolean has_task;
  g_autofree char *setup = setup_text (at, last, state, account, &has_task);

  g_string_append_printf (text, "\n# %s\n\n", title);
  if (is_blank (at->text) && at->kind == HL_DRAFT_DO && has_task)
    append_proposed (text, at);
  else
    append_typed (text, at->text);
  if (*setup != '\0') {
    append_block (text, "setup", setup);
    g_string_append_c (text, '\n');
  }
  if (at->kind == HL_DRAFT_RUN)
    append_block (text, "run", "run:");
  if (at->kind == HL_DRAFT_ASK)
    append_block (text, "predict", at->ask);
  if (at->kind == HL_DRAFT_DO && has_task) {
    g_autofree char *until = hl_lesson_draft_until (draft, step);
    g_autofree char *line = one_line (until, "");
    g_string_append_printf (text, MARK "do\nuntil: %s\n", line);
    append_acts (text, at->before, at->after, "solution: ", " ");
    g_string_append (text, MARK "\n");
  }
}

char *hl_lesson_draft_text (const HlLessonDraft *draft, const char *title, const char *model) {
  GString *text = g_string_new (NULL);
  g_autofree char *named = one_line (title, _ ("A lesson"));
  const char *const *languages = g_get_language_names ();
  g_autofree char *language = g_strndup (languages[0], strcspn (languages[0], "_.@"));
  const HlDocument *state = draft->start;
  Account account = {g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                     g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};

  g_string_append_printf (text, "---\ntitle: %s\nmodel: %s\nlanguage: %s\n---\n", named, model,
                          strlen (language) == 2 ? language : "en");
  for (guint k = 0; k < draft->steps->len; k++) {
    append_step (text, draft, (int)k, state, &account);
    state = ((const HlDraftStep *)draft->steps->pdata[k])->after;
  }
  g_hash_table_unref (account.kept);
  g_hash_table_unref (account.faults);
  return g_string_free (text, FALSE);
}

char *hl_lesson_draft_way (const char *from_file, const char *to_file) {
  g_autofree char *folder = g_path_get_dirname (from_file);
  g_auto (GStrv) from = g_strsplit (folder, G_DIR_SEPARATOR_S, -1);
  g_auto (GStrv) to = g_strsplit (to_file, G_DIR_SEPARATOR_S, -1);
  GString *way = g_string_new (NULL);
  int n = 0;

  while (from[n] != NULL && to[n] != NULL && strcmp (from[n], to[n]) == 0)
    n++;
  for (int k = n; from[k] != NULL; k++)
    if (*from[k] != '\0')
      g_string_append (way, "../");
  for (int k = n; to[k] != NULL; k++)
    g_string_append_printf (way, "%s%s", to[k], to[k + 1] != NULL ? "/" : "");
  return g_string_free (way, FALSE);
}

#define MOST_UNDONE 200

static void step_free (gpointer data) {
  HlDraftStep *step = data;

  g_free (step->title);
  g_free (step->text);
  g_free (step->until);
  g_free (step->ask);
  hl_document_unref (step->before);
  hl_document_unref (step->after);
  g_free (step);
}

static GPtrArray *copy_steps (const GPtrArray *steps) {
  GPtrArray *copies = g_ptr_array_new_with_free_func (step_free);

  for (guint k = 0; k < steps->len; k++) {
    HlDraftStep *copy = g_new (HlDraftStep, 1);
    *copy = *(const HlDraftStep *)steps->pdata[k];
    copy->title = g_strdup (copy->title);
    copy->text = g_strdup (copy->text);
    copy->until = g_strdup (copy->until);
    copy->ask = g_strdup (copy->ask);
    hl_document_ref (copy->before);
    hl_document_ref (copy->after);
    g_ptr_array_add (copies, copy);
  }
  return copies;
}

/* Stores the present draft before a change, for undo. Consecutive changes with the same key are one. */
static void push_undo (HlLessonDraft *draft, const char *key) {
  if (key != NULL && g_strcmp0 (key, draft->key) == 0)
    return;
  g_free (draft->key);
  draft->key = g_strdup (key);
  g_ptr_array_add (draft->past, copy_steps (draft->steps));
  if (draft->past->len > MOST_UNDONE)
    g_ptr_array_remove_index (draft->past, 0);
}

static HlDraftStep *step_at (const HlLessonDraft *draft, int step) {
  return step >= 0 && step < (int)draft->steps->len ? draft->steps->pdata[step] : NULL;
}

static HlDraftStep *last_step (const HlLessonDraft *draft) {
  return step_at (draft, (int)draft->steps->len - 1);
}

/* Appends a step with the present model. */
static HlDraftStep *append_new_step (HlLessonDraft *draft, HlDraftKind kind, const char *title) {
  HlDraftStep *step = g_new0 (HlDraftStep, 1);

  *step = (HlDraftStep){.kind = kind,
                        .serial = ++draft->serial,
                        .title = g_strdup (title),
                        .text = g_strdup (""),
                        .before = hl_document_ref (draft->current),
                        .after = hl_document_ref (draft->current),
                        .pairs = {draft->n_pairs, draft->n_pairs},
                        .unstable = {draft->n_unstable, draft->n_unstable}};
  g_ptr_array_add (draft->steps, step);
  return step;
}

HlLessonDraft *hl_lesson_draft_new (const HlDocument *document) {
  HlLessonDraft *draft = g_new0 (HlLessonDraft, 1);

  draft->steps = g_ptr_array_new_with_free_func (step_free);
  draft->past = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  draft->start = hl_document_ref (document);
  draft->current = hl_document_ref (document);
  draft->n_pairs = draft->n_unstable = -1;
  append_new_step (draft, HL_DRAFT_TEXT, _ ("What this is about"));
  return draft;
}

void hl_lesson_draft_free (HlLessonDraft *draft) {
  if (draft == NULL)
    return;
  g_ptr_array_unref (draft->steps);
  g_ptr_array_unref (draft->past);
  g_free (draft->key);
  hl_document_unref (draft->start);
  hl_document_unref (draft->current);
  g_free (draft);
}

/* --- what is done --- */

/* Returns the document with one difference by the acts of a lesson; NULL: there is no such act. */
static HlDocument *apply_difference (const HlDocument *document, const HlDocument *after,
                                     const HlDifference *difference) {
  const char *typed = hl_document_typed (after, difference->path);

  if (draft_oil_of (difference) != NULL)
    return hl_edit_set_oil (document, draft_oil_of (difference), NULL);
  if (!difference->is_number || !isfinite (difference->after))
    return NULL;
  return typed != NULL ? hl_document_with_text (document, difference->path, typed, NULL)
                       : hl_document_with_number (document, difference->path, difference->after, NULL);
}

/* Returns whether acts lead from one model to the other. */
static gboolean can_go (const HlDocument *from, const HlDocument *to, const GPtrArray *differences,
                        GError **error) {
  g_autoptr (HlDocument) at = hl_document_ref (from);

  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    HlDocument *next = apply_difference (at, to, difference);
    if (next == NULL) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("A lesson can set numbers and the oil model, but it cannot change %s. Undo this "
                      "change, or save the model and restart the lesson."),
                   difference->path);
      return FALSE;
    }
    hl_document_unref (at);
    at = next;
  }
  return TRUE;
}

static gboolean has_path (const GPtrArray *differences, const char *path) {
  for (guint k = 0; k < differences->len; k++)
    if (strcmp (((const HlDifference *)differences->pdata[k])->path, path) == 0)
      return TRUE;
  return FALSE;
}

/* Returns whether two documents are equal; a stated number equals the same one left to its default. */
static gboolean is_same (const HlDocument *a, const HlDocument *b) {
  g_autoptr (GPtrArray) differences = hl_document_differences (a, b);
  return differences->len == 0;
}

/* Returns whether the last step continues: nothing new is changed, or all of it is taken back. */
static gboolean goes_on (const HlDraftStep *last, const HlDocument *document, const GPtrArray *differences) {
  if (last == NULL || last->kind != HL_DRAFT_DO)
    return FALSE;
  g_autoptr (GPtrArray) of_step = hl_document_differences (last->before, last->after);
  gboolean all = TRUE;
  for (guint k = 0; k < differences->len && all; k++)
    all = has_path (of_step, ((const HlDifference *)differences->pdata[k])->path);
  return all || is_same (last->before, document);
}

/* Returns the title proposed for a step that has no title of the author. */
static char *proposed_title (const HlDocument *document, const GPtrArray *differences) {
  const HlDifference *first = differences->pdata[0];
  g_autofree char *words = hl_path_label (document, first->path);

  return draft_oil_of (first) != NULL ? g_strdup (_ ("Choose another oil model"))
                                      : g_strdup_printf (_ ("Change %s"), words);
}

static void set_document (HlLessonDraft *draft, const HlDocument *document) {
  hl_document_ref (document);
  hl_document_unref (draft->current);
  draft->current = (HlDocument *)document;
}

gboolean hl_lesson_draft_follow (HlLessonDraft *draft, const HlDocument *document, GError **error) {
  g_autoptr (GPtrArray) differences = hl_document_differences (draft->current, document);
  HlDraftStep *last = last_step (draft);

  if (differences->len == 0)
    return TRUE;
  if (!can_go (draft->current, document, differences, error))
    return FALSE;
  if (goes_on (last, document, differences)) {
    g_autofree char *key = g_strdup_printf ("follow %u", last->serial);
    push_undo (draft, key);
    hl_document_unref (last->after);
    last->after = hl_document_ref (document);
    set_document (draft, document);
    if (is_same (last->before, last->after)) {
      draft->n_pairs = last->pairs[0];
      draft->n_unstable = last->unstable[0];
      g_ptr_array_remove_index (draft->steps, draft->steps->len - 1);
      g_clear_pointer (&draft->key, g_free);
    }
    return TRUE;
  }
  g_autofree char *title = proposed_title (document, differences);
  g_autofree char *key = g_strdup_printf ("follow %u", draft->serial + 1);
  push_undo (draft, key);
  HlDraftStep *step = append_new_step (draft, HL_DRAFT_DO, title);
  hl_document_unref (step->after);
  step->after = hl_document_ref (document);
  set_document (draft, document);
  return TRUE;
}

void hl_lesson_draft_note_spectrum (HlLessonDraft *draft, int n_pairs, int n_unstable) {
  HlDraftStep *last = last_step (draft);

  draft->n_pairs = n_pairs;
  draft->n_unstable = n_unstable;
  if (last == NULL || last->after != draft->current)
    return;
  gboolean is_first = last->pairs[0] < 0 && last->kind != HL_DRAFT_DO;
  last->pairs[1] = n_pairs;
  last->unstable[1] = n_unstable;
  if (is_first || last->kind != HL_DRAFT_DO) {
    last->pairs[0] = n_pairs;
    last->unstable[0] = n_unstable;
  }
}

void hl_lesson_draft_note_run (HlLessonDraft *draft) {
  HlDraftStep *last = last_step (draft);

  if (last != NULL && last->kind == HL_DRAFT_RUN && last->after == draft->current)
    return; /* once more is no other step */
  push_undo (draft, NULL);
  append_new_step (draft, HL_DRAFT_RUN, _ ("Run the model"));
}

void hl_lesson_draft_add_text (HlLessonDraft *draft) {
  push_undo (draft, NULL);
  append_new_step (draft, HL_DRAFT_TEXT, _ ("Text to read"));
}

void hl_lesson_draft_add_question (HlLessonDraft *draft, const char *ask) {
  g_autofree char *words = propose_words (draft->current, ask);
  const char *mark = strchr (words, '?');
  g_autofree char *question = mark != NULL ? g_strndup (words, (gsize)(mark + 1 - words)) : NULL;

  push_undo (draft, NULL);
  HlDraftStep *step =
      append_new_step (draft, HL_DRAFT_ASK, question != NULL ? question : _ ("What do you expect?"));
  step->ask = g_strdup (ask);
  g_free (step->text);
  step->text = g_strstrip (g_strdup (mark != NULL ? mark + 1 : words));
}

/* --- what is typed --- */

int hl_lesson_draft_n_steps (const HlLessonDraft *draft) {
  return (int)draft->steps->len;
}

const HlDraftStep *hl_lesson_draft_step (const HlLessonDraft *draft, int step) {
  return step_at (draft, step);
}

/* Replaces a text of one step; consecutive typing is one change. */
static void type (HlLessonDraft *draft, int step, const char *what, gsize place, const char *text) {
  HlDraftStep *at = step_at (draft, step);

  if (at == NULL || g_strcmp0 (G_STRUCT_MEMBER (char *, at, place), text) == 0)
    return;
  g_autofree char *key = g_strdup_printf ("%s %u", what, at->serial);
  push_undo (draft, key);
  g_free (G_STRUCT_MEMBER (char *, at, place));
  G_STRUCT_MEMBER (char *, at, place) = g_strdup (text);
}

void hl_lesson_draft_set_title (HlLessonDraft *draft, int step, const char *title) {
  type (draft, step, "title", G_STRUCT_OFFSET (HlDraftStep, title), title);
}

void hl_lesson_draft_set_text (HlLessonDraft *draft, int step, const char *text) {
  type (draft, step, "text", G_STRUCT_OFFSET (HlDraftStep, text), text);
}

void hl_lesson_draft_set_until (HlLessonDraft *draft, int step, const char *until) {
  const HlDraftStep *at = step_at (draft, step);

  if (at != NULL && at->kind == HL_DRAFT_DO)
    type (draft, step, "until", G_STRUCT_OFFSET (HlDraftStep, until),
          until != NULL && *until != '\0' ? until : NULL);
}

void hl_lesson_draft_set_question (HlLessonDraft *draft, int step, const char *ask) {
  const HlDraftStep *at = step_at (draft, step);

  if (at != NULL && at->kind == HL_DRAFT_ASK)
    type (draft, step, "ask", G_STRUCT_OFFSET (HlDraftStep, ask), ask);
}

void hl_lesson_draft_set_role (HlLessonDraft *draft, int step, HlDraftRole role) {
  HlDraftStep *at = step_at (draft, step);

  if (at == NULL || at->kind != HL_DRAFT_DO || at->role == role)
    return;
  push_undo (draft, NULL);
  at = step_at (draft, step);
  at->role = role;
}

void hl_lesson_draft_remove (HlLessonDraft *draft, int step) {
  if (step_at (draft, step) == NULL)
    return;
  push_undo (draft, NULL);
  g_ptr_array_remove_index (draft->steps, (guint)step);
}

gboolean hl_lesson_draft_can_undo (const HlLessonDraft *draft) {
  return draft->past->len > 0;
}

void hl_lesson_draft_undo (HlLessonDraft *draft) {
  if (draft->past->len == 0)
    return;
  g_clear_pointer (&draft->key, g_free);
  g_ptr_array_unref (draft->steps);
  draft->steps = g_ptr_array_steal_index (draft->past, draft->past->len - 1);
}
