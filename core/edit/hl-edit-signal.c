/* SPDX-License-Identifier: MIT */
/* Edits of signals: another kind with the same start value; the terms of sums; blocks added around a signal
 * and removed again; tables as text. */
#include "core/edit/hl-edit.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-named-parameters.h"
#include "core/system/hl-signal-block.h"

#include <math.h>
#include <string.h>

/* Blocks put around a signal, and taken off again. */

/* Returns the path that a new sensor measures: the position of the first body, otherwise the length of the
 * first cylinder, otherwise the pressure of the first line. NULL: the document has none. Owned by the caller. */
static char *first_measure (const HlDocument *document) {
  static const struct {
    HlSection section;
    const char *output;
  } first[] = {{HL_SECTION_BODIES, "x"}, {HL_SECTION_COMPONENTS, "s"}, {HL_SECTION_LINES, "pressure"}};

  for (gsize k = 0; k < G_N_ELEMENTS (first); k++)
    for (int i = 0; i < hl_document_n_elements (document, first[k].section); i++) {
      const HlKind *kind = hl_document_element_kind (document, first[k].section, i);
      if (first[k].section == HL_SECTION_COMPONENTS &&
          (kind == NULL || hl_kind_find_output (kind, first[k].output) == NULL))
        continue;
      return g_strdup_printf ("%s.%s", hl_document_element_id (document, first[k].section, i),
                              first[k].output);
    }
  return NULL;
}

/* Returns a number that the model states for the path, for a target to begin with; else 0. */
static double stated (const HlDocument *document, const char *path) {
  double value;
  return path != NULL && hl_document_get_number (document, path, &value, NULL, NULL) ? value : 0.0;
}

/* Returns a block of a kind around a signal; one that measures looks at the first thing there is. Owned. */
static HlValue *new_block (const HlDocument *document, const HlValue *signal, const char *kind) {
  const HlBlockClass *block = hl_block_class (kind);
  g_autofree char *measure = block->measures ? first_measure (document) : NULL;
  HlValue *made = hl_value_with_member (NULL, "kind", hl_value_new_string (kind));

  for (int k = 0; k < block->kind.n_fields; k++) {
    const HlField *field = &block->kind.fields[k];
    HlValue *value = NULL;
    if (field->type == HL_FIELD_PATH)
      value = hl_value_new_string (measure != NULL ? measure : "");
    else if (field->type == HL_FIELD_SIGNAL)
      value = block->measures  ? hl_value_new_number (stated (document, measure))
              : signal != NULL ? hl_value_ref (signal)
                               : hl_value_new_number (0.0);
    else if (field->need == HL_NEED_REQUIRED)
      value = hl_value_new_number (field->start);
    if (value == NULL)
      continue;
    HlValue *next = hl_value_with_member (made, field->name, value);
    hl_value_unref (made);
    made = next;
  }
  return made;
}

const HlValue *hl_edit_inner_signal (const HlValue *signal) {
  const HlBlockClass *block = hl_block_class (hl_value_string (hl_value_member (signal, "kind")));

  return block != NULL && block->input != NULL ? hl_value_member (signal, block->input) : NULL;
}

#define TABLE_DIGITS 9

#define NEW_TABLE_END 1.0 /* [s] */

static double first_value (const HlValue *signal);

static double first_of_sum (const HlValue *terms) {
  double sum = 0.0;

  for (gsize i = 0; i < hl_value_length (terms); i++)
    sum += first_value (hl_value_item (terms, i));
  return sum;
}

/* Returns the value at t = 0, of a sine its mean. */
static double first_value (const HlValue *signal) {
  const char *kind = hl_value_string (hl_value_member (signal, "kind"));
  double value = hl_value_number (signal);

  if (g_strcmp0 (kind, "table") == 0)
    value = hl_value_number (hl_value_item (hl_value_member (signal, "y"), 0));
  else if (g_strcmp0 (kind, "sine") == 0)
    value = hl_value_number (hl_value_member (signal, "offset"));
  else if (g_strcmp0 (kind, "motion") == 0)
    value = hl_value_number (hl_value_member (signal, "from"));
  else if (g_strcmp0 (kind, "lever") == 0)
    value = hl_value_number (hl_value_member (signal, "value"));
  else if (g_strcmp0 (kind, "sum") == 0)
    value = first_of_sum (hl_value_member (signal, "of"));
  else if (hl_edit_inner_signal (signal) != NULL && g_strcmp0 (kind, "pid") != 0)
    value = first_value (hl_edit_inner_signal (signal));
  return isfinite (value) ? value : 0.0;
}

/* Returns an amplitude that stays in the field's range about the value. */
static double fitting_amplitude (const HlField *field, double value) {
  double amplitude = value != 0.0 ? fabs (value) : 1.0;

  if (field->max_bound != HL_BOUND_NONE)
    amplitude = fmin (amplitude, field->max - value);
  if (field->min_bound != HL_BOUND_NONE)
    amplitude = fmin (amplitude, value - field->min);
  return fmax (amplitude, 0.0);
}

/* Returns a step of the size of the number, downwards if the field does not permit larger values. */
static double fitting_step (const HlField *field, double value) {
  double step = value != 0.0 ? fabs (value) : 1.0;
  double up = field->max_bound != HL_BOUND_NONE ? fmin (step, field->max - value) : step;

  if (up > 0.0)
    return up;
  return field->min_bound != HL_BOUND_NONE ? -fmin (step, value - field->min) : -step;
}

static HlValue *new_signal (const HlField *field, const char *kind, double value) {
  static const char *const table[] = {"kind", "t", "y", "between"};
  static const char *const sine[] = {"kind", "amplitude", "frequency_hz", "offset"};
  static const char *const lever[] = {"kind", "value"};
  static const char *const motion[] = {"kind", "from", "to", "duration"};
  double times[2] = {0.0, NEW_TABLE_END}, values[2] = {value, value};
  gboolean is_step = strcmp (kind, "step") == 0;
  HlValue *parts[4] = {NULL};

  if (strcmp (kind, "constant") == 0)
    return hl_value_new_number (value);
  parts[0] = hl_value_new_string (kind);
  if (strcmp (kind, "table") == 0) {
    parts[1] = hl_value_new_numbers (times, 2);
    parts[2] = hl_value_new_numbers (values, 2);
    parts[3] = hl_value_new_string (field->is_smooth ? "smooth" : "line");
    return hl_value_new_object_take (table, parts, 4);
  }
  if (is_step || strcmp (kind, "ramp") == 0) {
    double end = value + fitting_step (field, value);
    double from = 0.1 * NEW_TABLE_END, to = is_step ? from : 0.5 * NEW_TABLE_END;
    hl_value_unref (parts[0]);
    parts[0] = hl_value_new_string ("table");
    parts[1] = hl_value_new_numbers ((const double[]){0.0, from, to, NEW_TABLE_END}, 4);
    parts[2] = hl_value_new_numbers ((const double[]){value, value, end, end}, 4);
    parts[3] = hl_value_new_string ("line");
    return hl_value_new_object_take (table, parts, 4);
  }
  if (strcmp (kind, "sine") == 0) {
    parts[1] = hl_value_new_number (fitting_amplitude (field, value));
    parts[2] = hl_value_new_number (1.0);
    parts[3] = hl_value_new_number (value);
    return hl_value_new_object_take (sine, parts, 4);
  }
  parts[1] = hl_value_new_number (value);
  if (strcmp (kind, "motion") == 0) {
    parts[2] = hl_value_new_number (value + fitting_step (field, value));
    parts[3] = hl_value_new_number (NEW_TABLE_END);
    return hl_value_new_object_take (motion, parts, 4);
  }
  return hl_value_new_object_take (lever, parts, 2);
}

/* Returns the signal and a new term. */
static HlValue *new_sum (const HlValue *signal) {
  static const char *const sum[] = {"kind", "of"};
  HlValue *terms[] = {signal != NULL ? hl_value_ref (signal) : hl_value_new_number (0),
                      hl_value_new_number (0)};
  HlValue *parts[] = {hl_value_new_string ("sum"), hl_value_new_array_take (terms, 2)};

  return hl_value_new_object_take (sum, parts, 2);
}

/* --- places in an element --- */

/* Finds the signal at a dotted place of an element, "command" or "command.of.1"; FALSE with an error for a
 * place without a signal. *signal is NULL while the field has its default. */
static gboolean find_signal (const HlDocument *document, const char *id, const char *where,
                             const HlField **field, const HlValue **signal, GError **error) {
  HlSection section;
  int index;
  const HlValue *element = hl_document_find (document, id, &section, &index);
  const HlKind *owner = element != NULL ? hl_schema_kind_of (section, element) : NULL;
  g_autofree char *name = g_strndup (where, strcspn (where, "."));

  *field = owner != NULL ? hl_kind_find_field (owner, name) : NULL;
  *signal = hl_value_at (element, where);
  if (*field != NULL && (*field)->type == HL_FIELD_SIGNAL && (*signal != NULL || strcmp (where, name) == 0))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s.%s’ is not a signal"), id, where);
  return FALSE;
}

/* Returns the sum that a term belongs to, and which term it is; NULL with an error. *list is the place of
 * its terms, "command.of", owned. */
static const HlValue *find_term (const HlDocument *document, const char *id, const char *where, gsize *term,
                                 char **list, GError **error) {
  const char *last = strrchr (where, '.');
  const HlField *field;
  const HlValue *signal;

  *list = NULL;
  if (!find_signal (document, id, where, &field, &signal, error))
    return NULL;
  char *place = g_strndup (where, last != NULL ? (gsize)(last - where) : 0);
  const HlValue *terms = hl_value_at (hl_document_find (document, id, NULL, NULL), place);
  if (last != NULL && hl_value_is_array (terms)) {
    *list = place;
    *term = (gsize)g_ascii_strtoull (last + 1, NULL, 10);
    return terms;
  }
  g_free (place);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s.%s’ is not a term of a sum"), id, where);
  return NULL;
}

HlDocument *hl_edit_signal_kind (const HlDocument *document, const char *id, const char *where,
                                 const char *kind, GError **error) {
  static const char *const kinds[] = {"constant", "table", "step", "ramp", "motion",
                                      "sine",     "lever", "sum",  NULL};
  const HlField *field;
  const HlValue *signal;

  gboolean is_block = hl_block_class (kind) != NULL, is_inner = strcmp (kind, "inner") == 0;
  if (!is_block && !is_inner && !g_strv_contains (kinds, kind)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s.%s’ cannot be a %s"), id, where, kind);
    return NULL;
  }
  if (!find_signal (document, id, where, &field, &signal, error))
    return NULL;
  if (strcmp (kind, "sum") == 0)
    return hl_edit_set (document, id, where, new_sum (signal), error);
  if (is_block)
    return hl_edit_set (document, id, where, new_block (document, signal, kind), error);
  if (is_inner && hl_edit_inner_signal (signal) != NULL)
    return hl_edit_set (document, id, where, hl_value_ref (hl_edit_inner_signal (signal)), error);
  if (is_inner) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s.%s’ has no input signal"), id, where);
    return NULL;
  }
  return hl_edit_set (document, id, where, new_signal (field, kind, first_value (signal)), error);
}

HlDocument *hl_edit_add_term (const HlDocument *document, const char *id, const char *where, GError **error) {
  const HlField *field;
  const HlValue *signal;

  if (!find_signal (document, id, where, &field, &signal, error))
    return NULL;
  const HlValue *terms = hl_value_member (signal, "of");
  if (!hl_value_is_array (terms))
    return hl_edit_signal_kind (document, id, where, "sum", error);
  g_autofree char *list = g_strconcat (where, ".of", NULL);
  return hl_edit_set (document, id, list,
                      hl_value_with_inserted (terms, hl_value_length (terms), hl_value_new_number (0)),
                      error);
}

HlDocument *hl_edit_remove_term (const HlDocument *document, const char *id, const char *where,
                                 GError **error) {
  g_autofree char *list = NULL;
  gsize term;
  const HlValue *terms = find_term (document, id, where, &term, &list, error);

  if (terms == NULL)
    return NULL;
  if (hl_value_length (terms) == 1) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        _ ("the last term of a sum cannot be removed; choose another kind of signal instead of the sum"));
    return NULL;
  }
  return hl_edit_set (document, id, list, hl_value_without_item (terms, term), error);
}

HlDocument *hl_edit_move_term (const HlDocument *document, const char *id, const char *where, int by,
                               GError **error) {
  g_autofree char *list = NULL;
  gsize term;
  const HlValue *terms = find_term (document, id, where, &term, &list, error);

  if (terms == NULL)
    return NULL;
  gint64 to = (gint64)term + by;
  if (to < 0 || to >= (gint64)hl_value_length (terms)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s.%s’ cannot be moved beyond the ends of the sum"),
                 id, where);
    return NULL;
  }
  g_autoptr (HlValue) moved = hl_value_ref (hl_value_item (terms, term));
  g_autoptr (HlValue) without = hl_value_without_item (terms, term);
  return hl_edit_set (document, id, list, hl_value_with_inserted (without, (gsize)to, hl_value_ref (moved)),
                      error);
}

/* --- tables as text --- */

static const HlUnit *seconds (void) {
  int n;
  return &hl_quantity_units (HL_QUANTITY_TIME, &n)[0];
}

/* Returns the displayed text of a number of a table, or the text itself if it is not a number; owned. */
static char *cell_text (const HlValue *list, gsize row, const HlUnit *unit) {
  const HlValue *cell = hl_value_item (list, row);

  return hl_value_is_string (cell) ? g_strdup (hl_value_string (cell))
                                   : hl_unit_format (unit, hl_value_number (cell), TABLE_DIGITS);
}

char *hl_edit_format_table (const HlValue *signal, const HlUnit *unit) {
  const HlValue *t = hl_value_member (signal, "t"), *y = hl_value_member (signal, "y");
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < MIN (hl_value_length (t), hl_value_length (y)); i++) {
    g_autofree char *time = cell_text (t, i, seconds ());
    g_autofree char *value = cell_text (y, i, unit);
    g_string_append_printf (text, "%s%s %s", i > 0 ? "; " : "", time, value);
  }
  return g_string_free (text, FALSE);
}

typedef struct {
  const HlDocument *document;
  const HlValue *old;
  GPtrArray *times, *values; /* HlValue */
} TableReader;

/* Reads a cell: the value of the old table if its displayed text is unchanged, otherwise the typed text. */
static gboolean read_cell (const TableReader *reader, GPtrArray *cells, const char *list, const char *typed,
                           const HlUnit *unit, GError **error) {
  const HlValue *before = hl_value_member (reader->old, list);
  g_autofree char *shown = cell_text (before, cells->len, unit);
  g_autofree char *kept = NULL;
  double si;

  if (hl_value_text (hl_value_item (before, cells->len)) != NULL && strcmp (shown, typed) == 0) {
    g_ptr_array_add (cells, hl_value_ref (hl_value_item (before, cells->len)));
    return TRUE;
  }
  if (!hl_document_read_typed (reader->document, typed, unit->quantity, unit, &si, &kept, error))
    return FALSE;
  g_ptr_array_add (cells, kept != NULL ? hl_value_new_typed (kept, si) : hl_value_new_number (si));
  return TRUE;
}

/* Reads a row "1.5 250": a time in seconds and a value. */
static gboolean read_row (const TableReader *reader, const char *row, const HlUnit *unit, GError **error) {
  g_autofree char *typed = g_strstrip (g_strdup (row));
  char *gap = strpbrk (typed, " \t:");

  if (gap == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is not a list of times and values; write \"0 0; 1 250; 1.5 0\""), typed);
    return FALSE;
  }
  *gap = '\0';
  return read_cell (reader, reader->times, "t", typed, seconds (), error) &&
         read_cell (reader, reader->values, "y", g_strstrip (gap + 1), unit, error);
}

static gboolean time_decreases (const GPtrArray *times) {
  return times->len > 1 &&
         hl_value_number (times->pdata[times->len - 1]) < hl_value_number (times->pdata[times->len - 2]);
}

HlValue *hl_edit_parse_table (const HlDocument *document, const char *text, const HlValue *old,
                              const HlUnit *unit, GError **error) {
  g_auto (GStrv) rows = g_strsplit (text, ";", -1);
  g_autoptr (GPtrArray) times = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_value_unref);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_value_unref);
  TableReader reader = {document, old, times, values};

  for (char **row = rows; *row != NULL; row++) {
    if (*g_strstrip (*row) == '\0')
      continue;
    if (!read_row (&reader, *row, unit, error))
      return NULL;
    if (time_decreases (times)) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("the time decreases in row ‘%s’; sort the rows by time"), *row);
      return NULL;
    }
  }
  if (times->len == 0) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        _ ("the table is empty; write at least one row of a time and a value, such as \"0 0; 1 250\""));
    return NULL;
  }
  g_ptr_array_set_free_func (times, NULL); /* the new arrays own the items */
  g_ptr_array_set_free_func (values, NULL);
  g_autoptr (HlValue) kind = hl_value_with_member (old, "kind", hl_value_new_string ("table"));
  g_autoptr (HlValue) with_t =
      hl_value_with_member (kind, "t", hl_value_new_array_take ((HlValue *const *)times->pdata, times->len));
  return hl_value_with_member (with_t, "y",
                               hl_value_new_array_take ((HlValue *const *)values->pdata, values->len));
}
