/* SPDX-License-Identifier: MIT */
/* Signals: numbers, tables with rising times, sines, sums, levers, blocks. */
#include "core/edit/hl-check-private.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"

#include "core/document/hl-path.h"
#include "core/system/hl-block.h"

#include <math.h>
#include <string.h>

#define USUAL_FILTER 0.01 /* [s] */

static void check_value (const HlCheckPlace *place, const HlField *field, const HlValue *given,
                         const char *name) {
  hl_check_range (place, field, given, name, _ ("write finite numbers"));
}

/* TRUE when every entry is a finite number. */
static gboolean are_numbers (const HlCheckPlace *place, const HlValue *list, const char *name) {
  if (!hl_value_is_array (list) || hl_value_length (list) == 0) {
    hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write a list of numbers"),
                  _ ("%s is not a list with numbers"), name);
    return FALSE;
  }
  for (gsize i = 0; i < hl_value_length (list); i++)
    if (!isfinite (hl_value_number (hl_value_item (list, i)))) {
      if (hl_check_text (place, HL_QUANTITY_NONE, hl_value_item (list, i), name) == NULL)
        hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write finite numbers only"),
                      _ ("entry %d of %s is no finite number"), (int)i, name);
      return FALSE;
    }
  return TRUE;
}

/* The first `n` entries. */
static HlValue *cut (const HlValue *list, gsize n) {
  g_autofree double *numbers = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++)
    numbers[i] = hl_value_number (hl_value_item (list, i));
  return hl_value_new_numbers (numbers, n);
}

typedef struct {
  double t, y;
  gsize row;
} Row;

static int compare_rows (gconstpointer a, gconstpointer b) {
  const Row *left = a, *right = b;
  if (left->t != right->t)
    return left->t < right->t ? -1 : 1;
  return left->row < right->row ? -1 : 1; /* a jump keeps its two sides */
}

static HlValue *in_order_of_time (const HlValue *signal, const HlValue *t, const HlValue *y) {
  gsize n = hl_value_length (t);
  g_autofree Row *rows = g_new (Row, n + 1);
  g_autofree double *times = g_new (double, n + 1);
  g_autofree double *values = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++)
    rows[i] = (Row){hl_value_number (hl_value_item (t, i)), hl_value_number (hl_value_item (y, i)), i};
  qsort (rows, n, sizeof *rows, compare_rows);
  for (gsize i = 0; i < n; i++) {
    times[i] = rows[i].t;
    values[i] = rows[i].y;
  }
  g_autoptr (HlValue) sorted = hl_value_with_member (signal, "t", hl_value_new_numbers (times, n));
  return hl_value_with_member (sorted, "y", hl_value_new_numbers (values, n));
}

/* Every value that is not allowed goes to the end of the range. */
static void mend_values (const HlCheckPlace *place, HlFinding *finding, const HlField *field,
                         const HlValue *y, const char *name) {
  gsize n = hl_value_length (y);
  g_autofree double *values = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++) {
    values[i] = hl_value_number (hl_value_item (y, i));
    if (field->min_bound == HL_BOUND_CLOSED)
      values[i] = fmax (values[i], field->min);
    if (field->max_bound == HL_BOUND_CLOSED)
      values[i] = fmin (values[i], field->max);
    if (!hl_field_accepts (field, values[i]))
      return; /* an open end: which number beside it is meant nobody knows */
  }
  hl_mend_json (place, finding, name, _ ("Bring the values into the range"),
                hl_value_new_numbers (values, n));
}

/* A smooth curve passes through its points, one a time. */
static void check_no_jump (const HlCheckPlace *place, const HlValue *t, const char *name,
                           const char *t_name) {
  for (gsize i = 1; i < hl_value_length (t); i++)
    if (hl_value_number (hl_value_item (t, i)) == hl_value_number (hl_value_item (t, i - 1))) {
      g_autofree char *between = g_strconcat (name, ".between", NULL);
      hl_mend_text (place,
                    hl_check_add (place, HL_SEVERITY_ERROR, t_name,
                                  _ ("move one of the two, or take straight lines between them"),
                                  _ ("the table is smooth and jumps at entry %d"), (int)i),
                    between, "line");
      return;
    }
}

static void check_table (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                         const char *name) {
  const HlValue *t = hl_value_member (signal, "t");
  const HlValue *y = hl_value_member (signal, "y");
  g_autofree char *t_name = g_strconcat (name, ".t", NULL);
  g_autofree char *y_name = g_strconcat (name, ".y", NULL);

  if (!are_numbers (place, t, t_name) || !are_numbers (place, y, y_name))
    return;
  gsize n_t = hl_value_length (t), n_y = hl_value_length (y);
  if (n_t != n_y) {
    HlFinding *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("give one value for each time"),
                                       _ ("the table has %d times and %d values"), (int)n_t, (int)n_y);
    g_autofree char *label = g_strdup_printf (_ ("Keep the first %d rows"), (int)MIN (n_t, n_y));
    hl_mend_json (place, finding, n_t > n_y ? t_name : y_name, label,
                  cut (n_t > n_y ? t : y, MIN (n_t, n_y)));
  }
  for (gsize i = 1; i < n_t; i++)
    if (hl_value_number (hl_value_item (t, i)) < hl_value_number (hl_value_item (t, i - 1))) {
      HlFinding *finding =
          hl_check_add (place, HL_SEVERITY_ERROR, t_name, _ ("put the rows into the order of time"),
                        _ ("the times fall at entry %d"), (int)i);
      if (n_t == n_y)
        hl_mend_json (place, finding, name, _ ("Put the rows into order"), in_order_of_time (signal, t, y));
      break;
    }
  if (g_strcmp0 (hl_value_string (hl_value_member (signal, "between")), "smooth") == 0)
    check_no_jump (place, t, name, t_name);
  for (gsize i = 0; i < n_y; i++)
    if (!hl_field_accepts (field, hl_value_number (hl_value_item (y, i)))) {
      check_value (place, field, hl_value_item (y, i), y_name);
      mend_values (place, hl_findings_last (place->findings), field, y, y_name);
      break;
    }
}

/* What a sensor or a controller looks at: whether it may, only the compiled model knows. */
static void check_measured (const HlCheckPlace *place, const HlValue *path, const char *name,
                            const char *advice) {
  const char *text = hl_value_string (path);
  g_autoptr (GError) error = NULL;
  HlPathInfo info;

  if (path == NULL)
    hl_check_add (place, HL_SEVERITY_ERROR, name, advice, _ ("%s is missing"), name);
  else if (text == NULL)
    hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write a path, \"ELEMENT.PROPERTY\""),
                  _ ("%s is no path"), name);
  else if (!hl_path_find (place->document, text, &info, &error))
    hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("name something else to measure"), "%s", error->message);
}

/* A required or stated number of a signal. */
static void check_parts (const HlCheckPlace *place, const HlKind *kind, const HlValue *signal,
                         const char *name) {
  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    const HlValue *part = hl_value_member (signal, field->name);
    g_autofree char *part_name = g_strconcat (name, ".", field->name, NULL);
    g_autofree char *advice = g_strdup_printf (_ ("give \"%s\": %s"), field->name, _ (field->help));
    if (part == NULL && field->need == HL_NEED_REQUIRED && field->type == HL_FIELD_NUMBER)
      hl_mend_number (
          place, hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, _ ("%s is missing"), part_name),
          field, part_name, NULL);
    else if (part != NULL && field->type == HL_FIELD_NUMBER)
      check_value (place, field, part, part_name);
    else if (part != NULL && field->type == HL_FIELD_CHOICE) {
      g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
      g_autofree char *known = g_strjoinv (_ (" or "), choices);
      const char *given = hl_value_string (part);
      if (given == NULL || !g_strv_contains ((const char *const *)choices, given))
        hl_mend_text (
            place,
            hl_check_add (place, HL_SEVERITY_ERROR, part_name, known, _ ("%s must be %s"), part_name, known),
            part_name, choices[0]);
    } else if (part != NULL && field->type == HL_FIELD_TEXT && !hl_value_is_string (part))
      hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, _ ("%s is not %s"), part_name, _ ("a text"));
    else if (field->type == HL_FIELD_PATH)
      check_measured (place, part, part_name, advice);
    else if (field->type == HL_FIELD_SIGNAL && part == NULL) {
      HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL};
      hl_mend_number (
          place, hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, _ ("%s is missing"), part_name),
          &any, part_name, NULL);
    } else if (field->type == HL_FIELD_SIGNAL) {
      HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL};
      hl_check_signal (place, &any, part, part_name);
    }
  }
}

/* Sets a number of a block. */
static void mend_to (const HlCheckPlace *place, HlFinding *finding, const HlKind *kind, const char *field,
                     const char *name, double to) {
  g_autoptr (HlValue) number = hl_value_new_number (to);

  hl_mend_number (place, finding, hl_kind_find_field (kind, field), name, number);
}

/* Bounds the wrong way round change places; where they are one number the upper one goes up. */
static void mend_bounds (const HlCheckPlace *place, HlFinding *finding, const HlValue *signal,
                         const char *name) {
  const HlValue *min = hl_value_member (signal, "min"), *max = hl_value_member (signal, "max");
  double low = hl_value_number (min), high = hl_value_number (max);

  if (low > high) {
    g_autoptr (HlValue) half = hl_value_with_member (signal, "min", hl_value_ref ((HlValue *)max));
    hl_mend_json (place, finding, name, _ ("Swap the two bounds"),
                  hl_value_with_member (half, "max", hl_value_ref ((HlValue *)min)));
    return;
  }
  g_autofree char *label = g_strdup_printf (_ ("Set %s.max to %s"), name, hl_shown (low + 1.0, 6).text);
  hl_mend_json (place, finding, name, label,
                hl_value_with_member (signal, "max", hl_value_new_number (low + 1.0)));
}

/* What the numbers of a block must be to each other. */
static void check_block (const HlCheckPlace *place, const HlKind *kind, const HlValue *signal,
                         const char *name) {
  double min = hl_kind_number (kind, signal, "min", NULL);
  double max = hl_kind_number (kind, signal, "max", NULL);
  g_autofree char *filter = g_strconcat (name, ".filter", NULL);
  g_autofree char *windup = g_strconcat (name, ".anti_windup", NULL);
  g_autofree char *least = g_strconcat (name, ".min", NULL);

  if (min >= max)
    mend_bounds (place,
                 hl_check_add (place, HL_SEVERITY_ERROR, least,
                               _ ("let the greatest value lie above the least"),
                               _ ("%s holds its signal from %s to %s, which leaves it no room"), name,
                               hl_shown (min, 6).text, hl_shown (max, 6).text),
                 signal, name);
  if (strcmp (kind->name, "pid") != 0)
    return;
  double kp = hl_kind_number (kind, signal, "kp", NULL), ki = hl_kind_number (kind, signal, "ki", NULL),
         kd = hl_kind_number (kind, signal, "kd", NULL);
  gboolean has_filter = hl_value_member (signal, "filter") != NULL;
  gboolean lets_go = hl_value_member (signal, "anti_windup") != NULL;
  if (kd != 0.0 && !has_filter)
    mend_to (place,
             hl_check_add (place, HL_SEVERITY_ERROR, filter,
                           _ ("give a time constant, or make the gain of the rate 0"),
                           _ ("%s takes the rate of its error and has no filter for it"), name),
             kind, "filter", filter, USUAL_FILTER);
  if (ki != 0.0 && kp == 0.0 && !lets_go && (!isnan (min) || !isnan (max)))
    mend_to (place,
             hl_check_add (place, HL_SEVERITY_WARNING, windup,
                           _ ("give a number above 0, or 0 where it is meant"),
                           _ ("%s winds up at its bound: without k_p nothing tells how fast the "
                              "integral shall let go"),
                           name),
             kind, "anti_windup", windup, 1.0 / fabs (ki));
}

static void check_sum (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                       const char *name) {
  const HlValue *parts = hl_value_member (signal, "of");
  HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL, .quantity = field->quantity};
  g_autofree char *of = g_strconcat (name, ".of", NULL);

  if (!hl_value_is_array (parts))
    hl_check_add (place, HL_SEVERITY_ERROR, of, _ ("write a list of signals"),
                  _ ("%s is not a list of signals"), of);
  const HlValue *weights = hl_value_member (signal, "weights");
  g_autofree char *by = g_strconcat (name, ".weights", NULL);
  if (weights != NULL && are_numbers (place, weights, by) &&
      hl_value_length (weights) != hl_value_length (parts))
    hl_mend_drop (place,
                  hl_check_add (place, HL_SEVERITY_ERROR, by, _ ("give one weight for each signal"),
                                _ ("the sum has %d signals and %d weights"), (int)hl_value_length (parts),
                                (int)hl_value_length (weights)),
                  by, _ ("Leave it out"));
  for (gsize i = 0; hl_value_is_array (parts) && i < hl_value_length (parts); i++) {
    g_autofree char *part = g_strdup_printf ("%s.%d", of, (int)i);
    hl_check_signal (place, &any, hl_value_item (parts, i), part);
  }
}

void hl_check_signal (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                      const char *name) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);

  if (hl_value_is_number (signal)) {
    check_value (place, field, signal, name);
    return;
  }
  if (kind == NULL || !hl_value_is_object (signal)) {
    const char *given = hl_value_string (hl_value_member (signal, "kind"));
    HlFinding *finding = hl_check_text (place, field->quantity, signal, name);
    finding = finding != NULL ? finding
                              : hl_check_add (place, HL_SEVERITY_ERROR, name,
                                              _ ("write a number, or {\"kind\": \"table\", \"sine\", "
                                                 "\"sum\", \"lever\" or a block such as "
                                                 "\"sensor\" or \"pid\", …}"),
                                              given != NULL ? _ ("the signal kind ‘%s’ is not known")
                                                            : _ ("%s is no signal"),
                                              given != NULL ? given : name);
    hl_mend_number (place, finding, field, name, signal);
    return;
  }
  check_parts (place, kind, signal, name);
  if (g_strcmp0 (kind->name, "table") == 0)
    check_table (place, field, signal, name);
  if (g_strcmp0 (kind->name, "sum") == 0)
    check_sum (place, field, signal, name);
  if (hl_block_class (kind->name) != NULL)
    check_block (place, kind, signal, name);
}
