/* SPDX-License-Identifier: MIT */
/* Scripts that run as they are: they define the matrices, names, units and the point, make a
 * state-space object where the toolbox is there, and print the eigenvalues. Numbers are written
 * with the fewest digits that read back to the same bits. */
#include "core/io/hl-json-write.h"
#include "core/io/hl-linear-file.h"
#include "core/io/hl-shown-text.h"

#include <math.h>

/* How a language writes things. */
typedef struct
{
  const char *comment;
  const char *matrix_open, *row_open, *separator, *row_close, *row_separator, *matrix_close;
  const char *list_open, *list_close;
  char quote;
} Language;

static const Language octave = {"%", "[", "", " ", "", ";\n     ", "];", "{", "};", '\''};
static const Language python = {
    "#", "np.array([", "[", ", ", "]", ",\n              ", "], dtype=float)", "[", "]", '"'};

/* --- outputs that have a tangent --- */

static gboolean
has_tangent (const HlLinearModel *m, int output)
{
  for (int k = 0; k < m->n; k++)
    if (isnan (m->C[k * m->n_outputs + output]))
      return FALSE;
  for (int k = 0; k < m->n_inputs; k++)
    if (isnan (m->D[k * m->n_outputs + output]))
      return FALSE;
  return TRUE;
}

/* Rows that are written, into kept[n_outputs]; returns how many. */
static int
keep_outputs (const HlLinearModel *m, int kept[])
{
  int n = 0;

  for (int k = 0; k < m->n_outputs; k++)
    if (has_tangent (m, k))
      kept[n++] = k;
  return n;
}

/* --- pieces --- */

static void
append_number (GString *out, double value)
{
  char text[HL_NUMBER_TEXT];
  g_string_append (out, hl_number_text (text, value + 0.0)); /* no -0 */
}

/* Nothing in the text ends the comment. */
static void
append_comment (GString *out, const Language *in, const char *text)
{
  g_autofree char *line = hl_shown_text (text, FALSE);

  g_string_append_printf (out, "%s %s\n", in->comment, line);
}

/* The name of the model comes from a file that others may have written. It stands below the lines
 * of a script that programs take orders from: Python a "coding:" cookie from lines 1 and 2
 * (PEP 263), Emacs a mode line from the same, vi and vim a mode line from the first and last five,
 * Octave a Texinfo mark from the first block of comments. */
static void
append_title (GString *out, const Language *in, const HlLinearSheet *sheet)
{
  g_autofree char *text = g_strconcat ("Model: ", sheet->title, NULL);

  append_comment (out, in, text);
}

static void
append_string (GString *out, const Language *in, const char *name, gboolean plain)
{
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

/* rows: which rows of the source, NULL = the first n_rows. */
static void
append_matrix (GString *out,
               const Language *in,
               const char *name,
               const double value[],
               const int *rows,
               int n_rows,
               int n_columns,
               int stride)
{
  if (n_rows == 0 || n_columns == 0) { /* an empty list has no shape */
    g_string_append_printf (out,
                            in == &python ? "%s = np.zeros((%d, %d))\n" : "%s = zeros(%d, %d);\n",
                            name, n_rows, n_columns);
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

typedef enum
{
  NAMES,
  PLAIN_NAMES, /* python-control keeps the dot for itself */
  UNITS
} ListKind;

static void
append_list (GString *out,
             const Language *in,
             const char *name,
             const HlSheetEntry *entries,
             const int *rows,
             int n,
             ListKind kind)
{
  g_string_append_printf (out, "%s = %s", name, in->list_open);
  for (int k = 0; k < n; k++) {
    const HlSheetEntry *entry = &entries[rows != NULL ? rows[k] : k];
    g_string_append (out, k > 0 ? ", " : "");
    append_string (out, in, kind == UNITS ? entry->unit : entry->name, kind == PLAIN_NAMES);
  }
  g_string_append_printf (out, "%s\n", in->list_close);
}

static void
append_data (GString *out,
             const Language *in,
             const HlLinearSheet *sheet,
             const int kept[],
             int n_kept,
             ListKind names)
{
  const HlLinearModel *m = sheet->model;
  const HlSheetEntry *disturbances = sheet->inputs + m->n_signals;
  int n_disturbances = m->n_inputs - m->n_signals;

  append_title (out, in, sheet);
  for (int k = 0; k < m->n_outputs; k++)
    if (!has_tangent (m, k)) {
      g_autofree char *text = g_strdup_printf ("left out: the output %s has no simple tangent here",
                                               sheet->outputs[k].name);
      append_comment (out, in, text);
    }
  append_matrix (out, in, "A", m->A, NULL, m->n, m->n, m->n);
  append_matrix (out, in, "B", m->B, NULL, m->n, m->n_signals, m->n);
  append_matrix (out, in, "C", m->C, kept, n_kept, m->n, m->n_outputs);
  append_matrix (out, in, "D", m->D, kept, n_kept, m->n_signals, m->n_outputs);
  append_matrix (out, in, "E", hl_linear_sheet_disturbances (sheet, 'E'), NULL, m->n,
                 n_disturbances, m->n);
  append_matrix (out, in, "F", hl_linear_sheet_disturbances (sheet, 'F'), kept, n_kept,
                 n_disturbances, m->n_outputs);
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

/* What it is, and what its letters mean: as many lines as append_title asks for. */
static void
append_head (GString *out, const Language *in, const char *what, const char *imports)
{
  append_comment (out, in, what);
  append_comment (out, in,
                  "z' = A z + B w + E v,  y = y0 + C z + D w + F v;  z = x - x0, w = u - u0, v = d "
                  "- d0; SI units");
  append_comment (
      out, in, "x: states, u: inputs, d: disturbances, y: outputs; x0, u0, d0, y0: at the point");
  g_string_append_printf (out, "\n%s", imports);
  append_comment (out, in, "The matrices of the model, one row a state or an output");
  g_string_append_c (out, '\n');
}

char *
hl_linear_sheet_octave (const HlLinearSheet *sheet)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree int *kept = g_new (int, sheet->model->n_outputs + 1);
  int n_kept = keep_outputs (sheet->model, kept);

  append_head (out, &octave, "Linear model written by Hydrolink, for MATLAB and GNU Octave", "");
  append_data (out, &octave, sheet, kept, n_kept, NAMES);
  g_string_append (
      out, "\n% A state-space object, where the control toolbox (Octave: pkg control) is there\n"
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

char *
hl_linear_sheet_python (const HlLinearSheet *sheet)
{
  g_autoptr (GString) out = g_string_new ("#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n");
  g_autofree int *kept = g_new (int, sheet->model->n_outputs + 1);
  int n_kept = keep_outputs (sheet->model, kept);

  append_head (out, &python, "Linear model written by Hydrolink, for Python with python-control",
               "import numpy as np\n\n");
  append_data (out, &python, sheet, kept, n_kept, PLAIN_NAMES);
  g_string_append (
      out,
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
