/* SPDX-License-Identifier: MIT */
/* A linear model in a file: the sheet, its plain forms JSON, CSV and MAT, and scripts. In JSON an
 * entry without a simple tangent is null, in CSV an empty cell, in MAT not a number. */
#include "core/io/hl-linear-model-file.h"

#include "core/base/hl-error.h"
#include "core/base/hl-text-escape.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-mat-file.h"
#include "core/io/hl-csv-table.h"

#include <math.h>
#include <string.h>

/* Scripts that run as they are: they define the matrices, names, units and the point, make a
 * state-space object where the toolbox is there, and print the eigenvalues. Numbers are written
 * with the fewest digits that read back to the same bits. */

/* Syntax of an output language. */
typedef struct {
  const char *comment;
  const char *matrix_open, *row_open, *separator, *row_close, *row_separator, *matrix_close;
  const char *list_open, *list_close;
  char quote;
} Language;

static const Language octave = {"%", "[", "", " ", "", ";\n     ", "];", "{", "};", '\''};
static const Language python = {"#", "np.array([", "[", ", ", "]", ",\n              ", "], dtype=float)",
                                "[", "]",          '"'};

/* --- outputs that have a tangent --- */

static gboolean has_tangent (const HlLinearModel *m, int output) {
  for (int k = 0; k < m->n; k++)
    if (isnan (m->C[k * m->n_outputs + output]))
      return FALSE;
  for (int k = 0; k < m->n_inputs; k++)
    if (isnan (m->D[k * m->n_outputs + output]))
      return FALSE;
  return TRUE;
}

/* Chooses the rows that are written, into kept[n_outputs]; returns their number. */
static int keep_outputs (const HlLinearModel *m, int kept[]) {
  int n = 0;

  for (int k = 0; k < m->n_outputs; k++)
    if (has_tangent (m, k))
      kept[n++] = k;
  return n;
}

/* --- pieces --- */

static void append_number (GString *out, double value) {
  char text[HL_NUMBER_TEXT];
  g_string_append (out, hl_number_text (text, value + 0.0)); /* no -0 */
}

/* Appends a comment such that no character of the text ends it. */
static void append_comment (GString *out, const Language *in, const char *text) {
  g_autofree char *line = hl_shown_text (text, FALSE);

  g_string_append_printf (out, "%s %s\n", in->comment, line);
}

/* Appends the model's name, which comes from an untrusted file, below the lines of a script in which programs
 * look for instructions: Python a "coding:" cookie from lines 1 and 2 (PEP 263), Emacs a mode line from the
 * same, vi and vim a mode line from the first and last five, Octave a Texinfo mark from the first block of
 * comments. */
static void append_title (GString *out, const Language *in, const HlLinearSheet *sheet) {
  g_autofree char *text = g_strconcat ("Model: ", sheet->title, NULL);

  append_comment (out, in, text);
}

static void append_string (GString *out, const Language *in, const char *name, gboolean plain) {
  g_autofree char *text = hl_shown_text (name, FALSE);

  g_string_append_c (out, in->quote);
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == in->quote && in->quote == '\'')
      g_string_append (out, "''");
    else if ((*c == in->quote || *c == '\\') && in->quote == '"')
      g_string_append_printf (out, "\\%c", *c);
    else
      g_string_append_c (out, plain && *c == '.' ? '_' : *c);
  }
  g_string_append_c (out, in->quote);
}

/* Appends a matrix; rows: indices of the source's rows, NULL = the first n_rows. */
static void append_matrix (GString *out, const Language *in, const char *name, const double value[],
                           const int *rows, int n_rows, int n_columns, int stride) {
  if (n_rows == 0 || n_columns == 0) { /* an empty list has no shape */
    g_string_append_printf (out, in == &python ? "%s = np.zeros((%d, %d))\n" : "%s = zeros(%d, %d);\n", name,
                            n_rows, n_columns);
    return;
  }
  g_string_append_printf (out, "%s = %s", name, in->matrix_open);
  for (int r = 0; r < n_rows; r++) {
    int row = rows != NULL ? rows[r] : r;
    g_string_append_printf (out, "%s%s", r > 0 ? in->row_separator : "", in->row_open);
    for (int column = 0; column < n_columns; column++) {
      g_string_append (out, column > 0 ? in->separator : "");
      append_number (out, value[column * stride + row]);
    }
    g_string_append (out, in->row_close);
  }
  g_string_append_printf (out, "%s\n", in->matrix_close);
}

typedef enum {
  NAMES,
  PLAIN_NAMES, /* python-control keeps the dot for itself */
  UNITS
} ListKind;

static void append_list (GString *out, const Language *in, const char *name, const HlSheetEntry *entries,
                         const int *rows, int n, ListKind kind) {
  g_string_append_printf (out, "%s = %s", name, in->list_open);
  for (int k = 0; k < n; k++) {
    const HlSheetEntry *entry = &entries[rows != NULL ? rows[k] : k];
    g_string_append (out, k > 0 ? ", " : "");
    append_string (out, in, kind == UNITS ? entry->unit : entry->name, kind == PLAIN_NAMES);
  }
  g_string_append_printf (out, "%s\n", in->list_close);
}

static void append_data (GString *out, const Language *in, const HlLinearSheet *sheet, const int kept[],
                         int n_kept, ListKind names) {
  const HlLinearModel *m = sheet->model;
  const HlSheetEntry *disturbances = sheet->inputs + m->n_signals;
  int n_disturbances = m->n_inputs - m->n_signals;

  append_title (out, in, sheet);
  for (int k = 0; k < m->n_outputs; k++)
    if (!has_tangent (m, k)) {
      g_autofree char *text =
          g_strdup_printf ("left out: the output %s has no unique tangent here", sheet->outputs[k].name);
      append_comment (out, in, text);
    }
  append_matrix (out, in, "A", m->A, NULL, m->n, m->n, m->n);
  append_matrix (out, in, "B", m->B, NULL, m->n, m->n_signals, m->n);
  append_matrix (out, in, "C", m->C, kept, n_kept, m->n, m->n_outputs);
  append_matrix (out, in, "D", m->D, kept, n_kept, m->n_signals, m->n_outputs);
  append_matrix (out, in, "E", hl_linear_sheet_disturbances (sheet, 'E'), NULL, m->n, n_disturbances, m->n);
  append_matrix (out, in, "F", hl_linear_sheet_disturbances (sheet, 'F'), kept, n_kept, n_disturbances,
                 m->n_outputs);
  append_matrix (out, in, "x0", m->x0, NULL, m->n, 1, m->n);
  append_matrix (out, in, "u0", m->u0, NULL, m->n_signals, 1, m->n_signals);
  append_matrix (out, in, "d0", hl_linear_sheet_disturbances (sheet, 'd'), NULL, n_disturbances, 1,
                 n_disturbances);
  append_matrix (out, in, "y0", m->y0, kept, n_kept, 1, m->n_outputs);
  append_list (out, in, "state_names", sheet->states, NULL, m->n, names);
  append_list (out, in, "state_units", sheet->states, NULL, m->n, UNITS);
  append_list (out, in, "input_names", sheet->inputs, NULL, m->n_signals, names);
  append_list (out, in, "input_units", sheet->inputs, NULL, m->n_signals, UNITS);
  append_list (out, in, "disturbance_names", disturbances, NULL, n_disturbances, names);
  append_list (out, in, "disturbance_units", disturbances, NULL, n_disturbances, UNITS);
  append_list (out, in, "output_names", sheet->outputs, kept, n_kept, names);
  append_list (out, in, "output_units", sheet->outputs, kept, n_kept, UNITS);
}

/* --- the scripts --- */

/* Appends title and meaning of the letters, in as many lines as append_title needs. */
static void append_head (GString *out, const Language *in, const char *what, const char *imports) {
  append_comment (out, in, what);
  append_comment (out, in,
                  "z' = A z + B w + E v,  y = y0 + C z + D w + F v;  z = x - x0, w = u - u0, v = d "
                  "- d0; SI units");
  append_comment (out, in, "x: states, u: inputs, d: disturbances, y: outputs; x0, u0, d0, y0: at the point");
  g_string_append_printf (out, "\n%s", imports);
  append_comment (out, in, "The matrices of the model, one row per state or output");
  g_string_append_c (out, '\n');
}

char *hl_linear_sheet_octave (const HlLinearSheet *sheet) {
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree int *kept = g_new (int, sheet->model->n_outputs + 1);
  int n_kept = keep_outputs (sheet->model, kept);

  append_head (out, &octave, "Linear model written by Hydrolink, for MATLAB and GNU Octave", "");
  append_data (out, &octave, sheet, kept, n_kept, NAMES);
  g_string_append (out,
                   "\n% A state-space object, where the control toolbox (Octave: pkg control) is there\n"
                   "if exist('OCTAVE_VERSION', 'builtin')\n"
                   "  try, pkg load control; catch, end\n"
                   "end\n"
                   "if exist('ss') && ~isempty(B) && ~isempty(C)\n"
                   "  sys = ss(A, B, C, D);\n"
                   "  if exist('OCTAVE_VERSION', 'builtin')\n"
                   "    sys = set(sys, 'stname', state_names, 'inname', input_names, 'outname', "
                   "output_names);\n"
                   "  else\n"
                   "    sys = set(sys, 'StateName', state_names, 'InputName', input_names, 'OutputName', "
                   "output_names);\n"
                   "  end\n"
                   "end\n"
                   "lambda = eig(A)\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *hl_linear_sheet_python (const HlLinearSheet *sheet) {
  g_autoptr (GString) out = g_string_new ("#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n");
  g_autofree int *kept = g_new (int, sheet->model->n_outputs + 1);
  int n_kept = keep_outputs (sheet->model, kept);

  append_head (out, &python, "Linear model written by Hydrolink, for Python with python-control",
               "import numpy as np\n\n");
  append_data (out, &python, sheet, kept, n_kept, PLAIN_NAMES);
  g_string_append (out,
                   "\n# A state-space object: of python-control, which keeps dots in names for itself, else "
                   "of SciPy\n"
                   "sys = None\n"
                   "if input_names and output_names:\n"
                   "    try:\n"
                   "        import control\n"
                   "        sys = control.ss(A, B, C, D, states=state_names, inputs=input_names, "
                   "outputs=output_names)\n"
                   "    except ImportError:\n"
                   "        try:\n"
                   "            import scipy.signal\n"
                   "            sys = scipy.signal.StateSpace(A, B, C, D)\n"
                   "        except ImportError:\n"
                   "            pass\n"
                   "if __name__ == \"__main__\":\n"
                   "    print(np.linalg.eigvals(A))\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* --- the sheet --- */

static char *copy_text (HlArena *arena, const char *text) {
  size_t length = strlen (text);
  return memcpy (hl_arena_take (arena, 1, length + 1), text, length);
}

static HlSheetEntry entry_new (HlArena *arena, const char *name, const char *unit) {
  return (HlSheetEntry){copy_text (arena, name), copy_text (arena, unit)};
}

static const char *unit_of_path (const HlDocument *document, const char *path) {
  HlPathInfo info;
  return hl_path_find (document, path, &info, NULL) ? hl_quantity_si (info.quantity) : "1";
}

/* Returns the unit of the input with this name: a signal, with one ' per differentiation. Owned by the
 * caller. */
static char *unit_of_input (const HlDocument *document, const char *name) {
  g_autofree char *path = g_strndup (name, strcspn (name, "'"));
  const char *unit = unit_of_path (document, path);
  int order = (int)(strlen (name) - strlen (path)) + (g_str_has_suffix (unit, "/s") ? 1 : 0);

  if (strlen (name) == strlen (path))
    return g_strdup (unit);
  g_autofree char *base =
      g_str_has_suffix (unit, "/s") ? g_strndup (unit, strlen (unit) - 2) : g_strdup (unit);
  return order > 1 ? g_strdup_printf ("%s/s%d", base, order) : g_strconcat (base, "/s", NULL);
}

/* Returns a sheet whose outputs are the probes that a run has: outputs, n_outputs of them, room for all probes. */
static HlLinearSheet *sheet_new (const HlDocument *document, const HlSystem *sys, HlObservable *outputs,
                                 int *n_outputs) {
  HlArena own = {0};
  HlLinearSheet *sheet = hl_arena_take (&own, 1, sizeof *sheet);
  int n = 0;

  sheet->arena = own;
  sheet->title = copy_text (&sheet->arena, hl_document_name (document));
  sheet->outputs = hl_arena_take (&sheet->arena, hl_document_n_recorded (document), sizeof (HlSheetEntry));

  for (int k = 0; k < hl_document_n_recorded (document); k++) {
    HlProbe probe;
    if (!hl_document_recorded (document, k, &probe) || probe.of == NULL ||
        !hl_observable_find (sys, probe.of, &outputs[n]))
      continue;
    const char *unit = hl_observable_unit (outputs[n]);
    /* a signal has the unit of what it drives */
    sheet->outputs[n++] = entry_new (&sheet->arena, probe.id,
                                     strcmp (unit, "1") == 0 ? unit_of_path (document, probe.of) : unit);
  }
  *n_outputs = n;
  return sheet;
}

/* Names states and inputs. */
static void name_entries (HlLinearSheet *sheet, const HlDocument *document, const HlSystem *sys,
                          const HlLinearization *lin) {
  const HlLinearModel *model = sheet->model;
  HlArena *arena = &sheet->arena;

  sheet->states = hl_arena_take (arena, model->n, sizeof (HlSheetEntry));
  for (int k = 0; k < model->n; k++)
    sheet->states[k] = entry_new (arena, lin->state_names[k], lin->state_units[k]);
  sheet->inputs = hl_arena_take (arena, model->n_inputs, sizeof (HlSheetEntry));
  for (int k = 0; k < model->n_inputs; k++) {
    g_autofree char *name =
        k < lin->n_inputs ? g_strdup (lin->input_names[k]) : hl_linear_model_input_name (sys, k);
    gboolean is_pressure = hl_linear_model_is_pressure (sys, k);
    g_autofree char *unit = is_pressure ? g_strdup ("Pa") : unit_of_input (document, name);
    sheet->inputs[k] = entry_new (arena, name, unit);
  }
}

/* Brings the last columns, n_last of n, before the n_between in front of them; column: the bytes of one. */
static void move_forward (void *columns, gsize column, int n, int n_between, int n_last) {
  char *first = (char *)columns + column * (gsize)(n - n_last - n_between);
  gsize between = column * (gsize)n_between, last = column * (gsize)n_last;
  g_autofree char *kept = between > 0 ? g_memdup2 (first, between) : NULL;

  memmove (first, first + between, last);
  if (between > 0)
    memcpy (first + last, kept, between);
}

/* Moves the rates of signals, which follow the disturbances, to their signals. */
static void move_rates (HlLinearSheet *sheet, const HlLinearization *lin) {
  HlLinearModel *m = sheet->model;
  int n_between = lin->n_disturbances, n_rates = m->n_inputs - m->n_signals - n_between;

  if (n_rates <= 0)
    return;
  move_forward (m->B, sizeof (double) * (gsize)m->n, m->n_inputs, n_between, n_rates);
  move_forward (m->D, sizeof (double) * (gsize)m->n_outputs, m->n_inputs, n_between, n_rates);
  move_forward (m->u0, sizeof (double), m->n_inputs, n_between, n_rates);
  move_forward (sheet->inputs, sizeof (HlSheetEntry), m->n_inputs, n_between, n_rates);
  for (int k = 0; k < m->n_inputs && m->rates != NULL; k++)
    if (m->rates[k].n > 0 && m->rates[k].first >= m->n_signals + n_between)
      m->rates[k].first -= n_between;
  m->n_signals += n_rates;
}

const double *hl_linear_sheet_disturbances (const HlLinearSheet *sheet, char letter) {
  const HlLinearModel *m = sheet->model;

  return letter == 'E'   ? m->B + m->n * m->n_signals
         : letter == 'F' ? m->D + m->n_outputs * m->n_signals
                         : m->u0 + m->n_signals;
}

HlLinearSheet *hl_linear_sheet_new_of (const HlDocument *document, const HlSystem *sys, HlWork *work,
                                       const HlPoint *point, const HlLinearization *lin, HlFault *fault) {
  g_autofree HlObservable *outputs = g_new0 (HlObservable, hl_document_n_recorded (document) + 1);
  int n_outputs;
  g_autoptr (HlLinearSheet) sheet = sheet_new (document, sys, outputs, &n_outputs);

  sheet->model = hl_linear_model_new (sys, work, point, outputs, n_outputs, fault);
  if (sheet->model == NULL)
    return NULL;
  name_entries (sheet, document, sys, lin);
  return g_steal_pointer (&sheet);
}

HlLinearSheet *hl_linear_sheet_new (const HlDocument *document, const HlSystem *sys, HlWork *work,
                                    const HlPoint *point, HlFault *fault) {
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (sys, work, point, &how, fault);
  HlLinearSheet *sheet = lin != NULL ? hl_linear_sheet_new_of (document, sys, work, point, lin, fault) : NULL;

  hl_linearization_free (lin);
  return sheet;
}

HlLinearSheet *hl_linear_sheet_new_hybrid (const HlDocument *document, const HlSystem *sys,
                                           const HlHybridPlace *place, const HlHybridChoice *choice,
                                           HlFault *fault) {
  g_autofree HlObservable *outputs = g_new0 (HlObservable, hl_document_n_recorded (document) + 1);
  int n_outputs;
  g_autoptr (HlLinearSheet) sheet = sheet_new (document, sys, outputs, &n_outputs);

  HlHybridLinear *linear = hl_hybrid_linearize_with_outputs (sys, place, choice, outputs, n_outputs, fault);
  if (linear == NULL)
    return NULL;
  sheet->model = g_steal_pointer (&linear->model);
  name_entries (sheet, document, sys, linear->lin);
  move_rates (sheet, linear->lin);
  hl_hybrid_linear_free (linear);
  return g_steal_pointer (&sheet);
}

void hl_linear_sheet_free (HlLinearSheet *sheet) {
  if (sheet == NULL)
    return;
  if (sheet->model != NULL)
    hl_linear_model_free (sheet->model);
  HlArena arena = sheet->arena;
  hl_arena_clear (&arena);
}

/* --- JSON --- */

static HlValue *entries_value (const HlSheetEntry *entries, const double at[], int n) {
  g_autofree HlValue **items = g_new (HlValue *, n + 1);
  static const char *const keys[] = {"name", "unit", "at"};

  for (int k = 0; k < n; k++) {
    HlValue *const members[] = {hl_value_new_string (entries[k].name), hl_value_new_string (entries[k].unit),
                                hl_value_new_number (at[k] + 0.0)};
    items[k] = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
  }
  return hl_value_new_array_take (items, (gsize)n);
}

static HlValue *matrix_value (const double value[], int rows, int columns) {
  g_autofree HlValue **lines = g_new (HlValue *, rows + 1);
  g_autofree double *line = g_new (double, columns + 1);

  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++)
      line[column] = value[column * rows + row] + 0.0; /* no -0 */
    lines[row] = hl_value_new_numbers (line, (gsize)columns);
  }
  return hl_value_new_array_take (lines, (gsize)rows);
}

char *hl_linear_sheet_json (const HlLinearSheet *sheet) {
  const HlLinearModel *m = sheet->model;
  int n_disturbances = m->n_inputs - m->n_signals;
  static const char *const keys[] = {"name", "states", "inputs",       "outputs", "A", "B",
                                     "C",    "D",      "disturbances", "E",       "F"};
  HlValue *const members[] = {
      hl_value_new_string (sheet->title),
      entries_value (sheet->states, m->x0, m->n),
      entries_value (sheet->inputs, m->u0, m->n_signals),
      entries_value (sheet->outputs, m->y0, m->n_outputs),
      matrix_value (m->A, m->n, m->n),
      matrix_value (m->B, m->n, m->n_signals),
      matrix_value (m->C, m->n_outputs, m->n),
      matrix_value (m->D, m->n_outputs, m->n_signals),
      entries_value (sheet->inputs + m->n_signals, hl_linear_sheet_disturbances (sheet, 'd'), n_disturbances),
      matrix_value (hl_linear_sheet_disturbances (sheet, 'E'), m->n, n_disturbances),
      matrix_value (hl_linear_sheet_disturbances (sheet, 'F'), m->n_outputs, n_disturbances),
  };
  g_autoptr (HlValue) root = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
  g_autoptr (GString) out = g_string_new (NULL);

  hl_json_write (out, root);
  g_string_append_c (out, '\n');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* --- CSV: the block matrix [A B; C D] with names, the point in its first line --- */

static void append_name (GString *out, const char *prefix, const HlSheetEntry *entry, const char *suffix) {
  g_autofree char *text = g_strdup_printf ("%s%s [%s%s]", prefix, entry->name, entry->unit, suffix);
  hl_table_append_text (out, text);
}

/* Appends one row of the two matrices side by side; `stride` rows each. */
static void append_row (GString *out, const HlLinearModel *m, const double x[], const double u[],
                        int stride) {
  g_autofree double *row = g_new (double, m->n + m->n_inputs + 1);

  for (int k = 0; k < m->n; k++)
    row[k] = x[k * stride];
  for (int k = 0; k < m->n_inputs; k++)
    row[m->n + k] = u[k * stride];
  g_string_append_c (out, ',');
  hl_table_append_numbers (out, row, m->n + m->n_inputs);
}

char *hl_linear_sheet_csv (const HlLinearSheet *sheet) {
  const HlLinearModel *m = sheet->model;
  g_autoptr (GString) out = g_string_new ("row");

  for (int k = 0; k < m->n + m->n_inputs; k++) {
    g_string_append_c (out, ',');
    append_name (out, "", k < m->n ? &sheet->states[k] : &sheet->inputs[k - m->n], "");
  }
  g_string_append (out, "\npoint");
  append_row (out, m, m->x0, m->u0, 1);
  for (int k = 0; k < m->n; k++) {
    append_name (out, "d/dt ", &sheet->states[k], "/s");
    append_row (out, m, m->A + k, m->B + k, m->n);
  }
  for (int k = 0; k < m->n_outputs; k++) {
    append_name (out, "", &sheet->outputs[k], "");
    append_row (out, m, m->C + k, m->D + k, m->n_outputs);
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* --- MAT --- */

static void put_entries (HlMat *mat, const char *what, const HlSheetEntry *entries, int n) {
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree const char **units = g_new0 (const char *, n + 1);
  g_autofree char *names_key = g_strconcat (what, "_names", NULL);
  g_autofree char *units_key = g_strconcat (what, "_units", NULL);

  for (int k = 0; k < n; k++) {
    names[k] = entries[k].name;
    units[k] = entries[k].unit;
  }
  hl_mat_put_texts (mat, names_key, names, n);
  hl_mat_put_texts (mat, units_key, units, n);
}

static gboolean save_mat (const HlLinearSheet *sheet, const char *path, GError **error) {
  const HlLinearModel *m = sheet->model;
  HlMat *mat = hl_mat_new (path, error);

  if (mat == NULL)
    return FALSE;
  hl_mat_put_text (mat, "name", sheet->title);
  hl_mat_put_matrix (mat, "A", m->A, m->n, m->n);
  int n_disturbances = m->n_inputs - m->n_signals;
  hl_mat_put_matrix (mat, "B", m->B, m->n, m->n_signals);
  hl_mat_put_matrix (mat, "C", m->C, m->n_outputs, m->n);
  hl_mat_put_matrix (mat, "D", m->D, m->n_outputs, m->n_signals);
  hl_mat_put_matrix (mat, "E", hl_linear_sheet_disturbances (sheet, 'E'), m->n, n_disturbances);
  hl_mat_put_matrix (mat, "F", hl_linear_sheet_disturbances (sheet, 'F'), m->n_outputs, n_disturbances);
  hl_mat_put_matrix (mat, "x0", m->x0, m->n, 1);
  hl_mat_put_matrix (mat, "u0", m->u0, m->n_signals, 1);
  hl_mat_put_matrix (mat, "d0", hl_linear_sheet_disturbances (sheet, 'd'), n_disturbances, 1);
  hl_mat_put_matrix (mat, "y0", m->y0, m->n_outputs, 1);
  put_entries (mat, "state", sheet->states, m->n);
  put_entries (mat, "input", sheet->inputs, m->n_signals);
  put_entries (mat, "disturbance", sheet->inputs + m->n_signals, n_disturbances);
  put_entries (mat, "output", sheet->outputs, m->n_outputs);
  return hl_mat_close (mat, error);
}

/* --- files --- */

gboolean hl_linear_sheet_save (const HlLinearSheet *sheet, const char *path, GError **error) {
  static const struct {
    const char *ending;
    char *(*make) (const HlLinearSheet *sheet);
  } kinds[] = {
      {".json", hl_linear_sheet_json},
      {".csv", hl_linear_sheet_csv},
      {".m", hl_linear_sheet_octave},
      {".py", hl_linear_sheet_python},
  };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".mat"))
    return save_mat (sheet, path, error);
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    if (g_str_has_suffix (lower, kinds[k].ending)) {
      g_autofree char *text = kinds[k].make (sheet);
      return hl_file_save_text (path, text, -1, error);
    }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("%s: the name of a linear model must end in .json, .csv, .mat, .m or .py"), path);
  return FALSE;
}
