/* SPDX-License-Identifier: MIT */
/* Checks the fields of one element against the schema, including its signals, and adds corrections to the
 * findings. Each field type has one checking function; `check_field` is their table. */
#include "core/edit/hl-document-check.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/edit/hl-edit.h"
#include "core/mech/hl-joint.h"
#include "core/system/hl-signal-block.h"

#include <math.h>
#include <string.h>

/* Signals: numbers, tables with rising times, sines, sums, levers, blocks. */

#define USUAL_FILTER 0.01 /* [s] */

static void check_range (const HlCheckPlace *place, const HlField *field, const HlValue *value,
                         const char *name, const char *advice);

static void check_value (const HlCheckPlace *place, const HlField *field, const HlValue *given,
                         const char *name) {
  check_range (place, field, given, name, _ ("write finite numbers"));
}

/* Returns the label of a property for a message; owned by the caller. */
static char *label_of (const HlCheckPlace *place, const char *name) {
  return hl_property_label (place->document, place->kind, place->element, name);
}

/* Returns the label of a property for a mend, with its element where that has an id; owned by the caller. */
static char *label_with_element (const HlCheckPlace *place, const char *name) {
  g_autofree char *label = label_of (place, name);

  return *place->id != '\0' ? g_strdup_printf (C_ ("number of a part", "%s of %s"), label, place->id)
                            : g_steal_pointer (&label);
}

/* Returns whether every entry is a finite number; an error where one is not. */
static gboolean are_numbers (const HlCheckPlace *place, const HlValue *list, const char *name) {
  g_autofree char *label = label_of (place, name);

  if (!hl_value_is_array (list) || hl_value_length (list) == 0) {
    hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write a list of numbers"),
                  _ ("%s is not a list of numbers"), label);
    return FALSE;
  }
  for (gsize i = 0; i < hl_value_length (list); i++)
    if (!isfinite (hl_value_number (hl_value_item (list, i)))) {
      if (hl_check_text (place, HL_QUANTITY_NONE, hl_value_item (list, i), name) == NULL)
        hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write finite numbers only"),
                      _ ("entry %d of %s is not a finite number"), (int)i, label);
      return FALSE;
    }
  return TRUE;
}

/* Returns the first `n` entries. */
static HlValue *first_entries (const HlValue *list, gsize n) {
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

/* Adds a fix that moves each value outside the permitted range to the end of the range. */
static void mend_json (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label,
                       HlValue *json);

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
      return; /* an open end: the intended number next to it is unknown */
  }
  mend_json (place, finding, name, _ ("Bring the values into the range"), hl_value_new_numbers (values, n));
}

/* Writes a fix for a text. A smooth curve passes through its points, one at each time. */
static void mend_text (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *text);

static void check_no_jump (const HlCheckPlace *place, const HlValue *t, const char *name,
                           const char *t_name) {
  for (gsize i = 1; i < hl_value_length (t); i++)
    if (hl_value_number (hl_value_item (t, i)) == hl_value_number (hl_value_item (t, i - 1))) {
      g_autofree char *between = g_strconcat (name, ".between", NULL);
      mend_text (place,
                 hl_check_add (place, HL_SEVERITY_ERROR, t_name,
                               _ ("change the time of one of the two points at the jump, or use straight "
                                  "lines between the points"),
                               _ ("the table is smooth but jumps at entry %d"), (int)i),
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
    mend_json (place, finding, n_t > n_y ? t_name : y_name, label,
               first_entries (n_t > n_y ? t : y, MIN (n_t, n_y)));
  }
  for (gsize i = 1; i < n_t; i++)
    if (hl_value_number (hl_value_item (t, i)) < hl_value_number (hl_value_item (t, i - 1))) {
      HlFinding *finding = hl_check_add (place, HL_SEVERITY_ERROR, t_name, _ ("sort the rows by time"),
                                         _ ("the times decrease at entry %d"), (int)i);
      if (n_t == n_y)
        mend_json (place, finding, name, _ ("Sort the rows"), in_order_of_time (signal, t, y));
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

/* Checks the path that a sensor or a controller measures. Whether the quantity can be measured is checked on
 * compiling. */
static void check_measured (const HlCheckPlace *place, const HlValue *path, const char *name,
                            const char *advice) {
  const char *text = hl_value_string (path);
  g_autofree char *label = label_of (place, name);
  g_autoptr (GError) error = NULL;
  HlPathInfo info;

  if (path == NULL)
    hl_check_add (place, HL_SEVERITY_ERROR, name, advice, _ ("%s is missing"), label);
  else if (text == NULL)
    hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write a path, \"ELEMENT.PROPERTY\""),
                  _ ("%s is not a path"), label);
  else if (!hl_path_find (place->document, text, &info, &error))
    hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("choose another quantity to measure"), "%s",
                  error->message);
}

/* Checks a required or stated number of a signal. */
static void check_signal (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                          const char *name);

static void mend_number (const HlCheckPlace *place, HlFinding *finding, const HlField *field,
                         const char *name, const HlValue *value);

/* Returns "add "stroke": Travel of the piston from end to end"; owned by the caller. */
static char *advice_to_add (const HlField *field) {
  return g_strdup_printf (_ ("add \"%s\": %s"), field->name, _ (field->help));
}

static void check_parts_signal (const HlCheckPlace *place, const HlKind *kind, const HlValue *signal,
                                const char *name) {
  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    const HlValue *part = hl_value_member (signal, field->name);
    g_autofree char *part_name = g_strconcat (name, ".", field->name, NULL);
    g_autofree char *label = label_of (place, part_name);
    g_autofree char *advice = advice_to_add (field);
    if (part == NULL && field->need == HL_NEED_REQUIRED && field->type == HL_FIELD_NUMBER)
      mend_number (place,
                   hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, _ ("%s is missing"), label),
                   field, part_name, NULL);
    else if (part != NULL && field->type == HL_FIELD_NUMBER)
      check_value (place, field, part, part_name);
    else if (part != NULL && field->type == HL_FIELD_CHOICE) {
      g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
      g_autofree char *known = g_strjoinv (_ (" or "), choices);
      const char *given = hl_value_string (part);
      if (given == NULL || !g_strv_contains ((const char *const *)choices, given))
        mend_text (
            place,
            hl_check_add (place, HL_SEVERITY_ERROR, part_name, known, _ ("%s must be %s"), label, known),
            part_name, choices[0]);
    } else if (part != NULL && field->type == HL_FIELD_TEXT && !hl_value_is_string (part))
      hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, _ ("%s is not %s"), label, _ ("a text"));
    else if (field->type == HL_FIELD_PATH)
      check_measured (place, part, part_name, advice);
    else if (field->type == HL_FIELD_SIGNAL && part == NULL) {
      HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL};
      mend_number (place,
                   hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, _ ("%s is missing"), label),
                   &any, part_name, NULL);
    } else if (field->type == HL_FIELD_SIGNAL) {
      HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL};
      check_signal (place, &any, part, part_name);
    }
  }
}

/* Sets a number of a block. */
static void mend_to (const HlCheckPlace *place, HlFinding *finding, const HlKind *kind, const char *field,
                     const char *name, double to) {
  g_autoptr (HlValue) number = hl_value_new_number (to);

  mend_number (place, finding, hl_kind_find_field (kind, field), name, number);
}

/* Bounds the wrong way round change places; where they are one number the upper one goes up. */
static void mend_bounds (const HlCheckPlace *place, HlFinding *finding, const HlValue *signal,
                         const char *name) {
  const HlValue *min = hl_value_member (signal, "min"), *max = hl_value_member (signal, "max");
  double low = hl_value_number (min), high = hl_value_number (max);

  if (low > high) {
    g_autoptr (HlValue) half = hl_value_with_member (signal, "min", hl_value_ref ((HlValue *)max));
    mend_json (place, finding, name, _ ("Swap the two bounds"),
               hl_value_with_member (half, "max", hl_value_ref ((HlValue *)min)));
    return;
  }
  g_autofree char *upper = g_strconcat (name, ".max", NULL);
  g_autofree char *bound = label_with_element (place, upper);
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), bound, hl_shown (low + 1.0, 6).text);
  mend_json (place, finding, name, label,
             hl_value_with_member (signal, "max", hl_value_new_number (low + 1.0)));
}

/* Checks the relations between the numbers of a block. */
static void check_block (const HlCheckPlace *place, const HlKind *kind, const HlValue *signal,
                         const char *name) {
  double min = hl_kind_number (kind, signal, "min", NULL);
  double max = hl_kind_number (kind, signal, "max", NULL);
  g_autofree char *filter = g_strconcat (name, ".filter", NULL);
  g_autofree char *windup = g_strconcat (name, ".anti_windup", NULL);
  g_autofree char *least = g_strconcat (name, ".min", NULL);
  g_autofree char *label = label_of (place, name);

  if (min >= max)
    mend_bounds (place,
                 hl_check_add (place, HL_SEVERITY_ERROR, least, _ ("set the maximum above the minimum"),
                               _ ("%s limits its signal to %s … %s, which is an empty range"), label,
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
                           _ ("give the derivative filter a time constant, or set the derivative gain to 0"),
                           _ ("%s has a derivative gain but no derivative filter"), label),
             kind, "filter", filter, USUAL_FILTER);
  if (ki != 0.0 && kp == 0.0 && !lets_go && (!isnan (min) || !isnan (max)))
    mend_to (place,
             hl_check_add (place, HL_SEVERITY_WARNING, windup,
                           _ ("give the anti-windup a number above 0, or 0 if windup is intended"),
                           _ ("%s winds up at its limit: without k_p the anti-windup has no default"), label),
             kind, "anti_windup", windup, 1.0 / fabs (ki));
}

static void check_sum (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                       const char *name) {
  const HlValue *parts = hl_value_member (signal, "of");
  HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL, .quantity = field->quantity};
  g_autofree char *of = g_strconcat (name, ".of", NULL);
  g_autofree char *label = label_of (place, of);

  if (!hl_value_is_array (parts))
    hl_check_add (place, HL_SEVERITY_ERROR, of, _ ("write a list of signals"),
                  _ ("%s is not a list of signals"), label);
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
    check_signal (place, &any, hl_value_item (parts, i), part);
  }
}

/* Checks that a motion stays in the range of the property, and that it has time to accelerate. */
static void check_motion (const HlCheckPlace *place, const HlKind *kind, const HlField *field,
                          const HlValue *signal, const char *name) {
  static const char *const ends[] = {"from", "to"};
  double duration = hl_kind_number (kind, signal, "duration", NULL);
  gboolean is_trapezoid = g_strcmp0 (hl_kind_text (kind, signal, "law"), "trapezoid") == 0;
  double most = is_trapezoid ? 0.5 * duration : INFINITY;

  for (gsize k = 0; k < G_N_ELEMENTS (ends); k++) {
    const HlValue *end = hl_value_member (signal, ends[k]);
    g_autofree char *end_name = g_strconcat (name, ".", ends[k], NULL);
    if (isfinite (hl_value_number (end)) && !hl_field_accepts (field, hl_value_number (end)))
      check_value (place, field, end, end_name);
  }
  if (!(hl_kind_number (kind, signal, "acceleration_time", NULL) > most))
    return;
  g_autofree char *time = g_strconcat (name, ".acceleration_time", NULL);
  g_autofree char *text = hl_unit_format_full (hl_unit_fitting (HL_QUANTITY_TIME, most), most, 6);
  g_autofree char *advice = g_strdup_printf (_ ("make it %s or less"), text);
  g_autofree char *mend = g_strdup_printf (_ ("Set it to %s"), text);
  HlFinding *finding = hl_check_add (place, HL_SEVERITY_ERROR, time, advice,
                                     _ ("the acceleration time is longer than the motion permits"));
  mend_json (place, finding, time, mend, hl_value_new_number (most));
}

/* Checks a signal value; `name` is the dotted name below the place. */
static void check_signal (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                          const char *name) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);

  if (hl_value_is_number (signal)) {
    check_value (place, field, signal, name);
    return;
  }
  if (kind == NULL || !hl_value_is_object (signal)) {
    const char *given = hl_value_string (hl_value_member (signal, "kind"));
    g_autofree char *label = label_of (place, name);
    HlFinding *finding = hl_check_text (place, field->quantity, signal, name);
    finding =
        finding != NULL
            ? finding
            : hl_check_add (
                  place, HL_SEVERITY_ERROR, name,
                  given != NULL
                      ? _ ("write \"table\", \"sine\", \"motion\", \"sum\", \"lever\" or a block such as "
                           "\"sensor\" or \"pid\" as the kind")
                      : _ ("write a number, or {\"kind\": K, …} with K one of \"table\", \"sine\", "
                           "\"motion\", \"sum\", \"lever\" or a block such as \"sensor\" or \"pid\""),
                  given != NULL ? _ ("‘%s’ is not a kind of signal") : _ ("%s is not a signal"),
                  given != NULL ? given : label);
    mend_number (place, finding, field, name, signal);
    return;
  }
  check_parts_signal (place, kind, signal, name);
  if (g_strcmp0 (kind->name, "table") == 0)
    check_table (place, field, signal, name);
  if (g_strcmp0 (kind->name, "motion") == 0)
    check_motion (place, kind, field, signal, name);
  if (g_strcmp0 (kind->name, "sum") == 0)
    check_sum (place, field, signal, name);
  if (hl_block_class (kind->name) != NULL)
    check_block (place, kind, signal, name);
}

/* Corrections of a finding that need no decision: the nearest allowed number, the default, a free id, the removal of
 * the entry. */

#define SHOWN_DIGITS 6
#define ROD_SHARE 0.5   /* of the piston's diameter: a rod that fits */
#define RING_SHARE 0.75 /* of the piston's area: the same rod */
#define DECADE 10.0

/* Returns the dotted place of a member in the file; owned. */
static char *where_is (const HlCheckPlace *place, const char *name) {
  if (*place->where == '\0')
    return g_strdup (name);
  return *name != '\0' ? g_strconcat (place->where, ".", name, NULL) : g_strdup (place->where);
}

static void set_at (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label,
                    HlValue *json) {
  g_autofree char *where = where_is (place, name);
  hl_finding_set_place_fix (finding, label, where, json);
}

void hl_mend_drop (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label) {
  set_at (place, finding, name, label, NULL);
}

static void mend_element (const HlCheckPlace *place, HlFinding *finding, const char *label,
                          HlValue *element) {
  set_at (place, finding, "", label, element);
}

/* Returns a number in a suitable unit, "50 cm³". */
static char *number_text (HlQuantity quantity, double value) {
  return hl_unit_format_full (hl_unit_fitting (quantity, value), value, SHOWN_DIGITS);
}

static void set_number (const HlCheckPlace *place, HlFinding *finding, HlQuantity quantity, const char *name,
                        double to) {
  g_autofree char *number = number_text (quantity, to);
  g_autofree char *property = label_with_element (place, name);
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), property, number);

  set_at (place, finding, name, label, hl_value_new_number (to));
}

/* Sets the property to a number. */
static void mend_set (const HlCheckPlace *place, HlFinding *finding, const char *name, double to) {
  const HlField *field = hl_kind_find_field (place->kind, name);

  set_number (place, finding, field->quantity, name, to);
}

/* Returns the allowed number that is nearest to one that is not; beside an open end the default or what a
 * new element gets. NAN: none. */
static double nearest_allowed (const HlField *field, double number) {
  if (field->max_bound == HL_BOUND_CLOSED && number > field->max)
    return field->max;
  if (field->min_bound == HL_BOUND_CLOSED && number < field->min &&
      !(field->need == HL_NEED_DEFAULT && hl_field_accepts (field, field->fallback)))
    return field->min;
  if (field->need == HL_NEED_DEFAULT && hl_field_accepts (field, field->fallback))
    return field->fallback;
  return hl_field_accepts (field, field->start) ? field->start : NAN;
}

/* Adds a fix of a number: clamped, read from a text, or the default. */
static void mend_number (const HlCheckPlace *place, HlFinding *finding, const HlField *field,
                         const char *name, const HlValue *value) {
  int n_units;
  const HlUnit *si = hl_quantity_units (field->quantity, &n_units);
  const char *text = hl_value_string (value);
  double number = hl_value_number (value), read;

  if (text != NULL && hl_unit_parse (text, field->quantity, si, &read, NULL, NULL))
    number = read;
  if (!hl_field_accepts (field, number))
    number = nearest_allowed (field, number);
  if (isfinite (number))
    set_number (place, finding, field->quantity, name, number);
  else if (field->need == HL_NEED_ABSENT) {
    g_autofree char *property = label_with_element (place, name);
    g_autofree char *label = g_strdup_printf (_ ("Remove %s"), property);
    hl_mend_drop (place, finding, name, label);
  }
}

/* Proposes the value of a new element for a missing required field; if there is no such value, proposes to
 * remove the element. */
static void mend_remove (const HlCheckPlace *place, HlFinding *finding);

static void mend_missing (const HlCheckPlace *place, HlFinding *finding, const HlField *field) {
  static const double zeros[3] = {0, 0, 0};
  static const double downward[2] = {0, -1};
  g_autofree char *label = NULL;

  if (hl_field_accepts (field, field->start) &&
      (field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_SIGNAL))
    set_number (place, finding, field->quantity, field->name, field->start);
  else if (field->type == HL_FIELD_POSE || field->type == HL_FIELD_VEC2) {
    gboolean is_pose = field->type == HL_FIELD_POSE;
    g_autofree char *property = label_with_element (place, field->name);
    label = g_strdup_printf (_ ("Set %s to %s"), property, is_pose ? "[0, 0, 0]" : "[0, -1]");
    set_at (place, finding, field->name, label,
            is_pose ? hl_value_new_numbers (zeros, 3) : hl_value_new_numbers (downward, 2));
  } else
    mend_remove (place, finding);
}

/* Adds a fix with the missing members of one alternative of a group. */
static void mend_size (const HlCheckPlace *place, HlFinding *finding, const char *group, int alternative) {
  HlValue *element = hl_value_ref (place->element);
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    if (g_strcmp0 (field->group, group) != 0 || (field->alternative != 0) != (alternative != 0) ||
        hl_value_member (element, field->name) != NULL || !isfinite (field->start))
      continue;
    g_autofree char *number = number_text (field->quantity, field->start);
    HlValue *more = hl_value_with_member (element, field->name, hl_value_new_number (field->start));
    hl_value_unref (element);
    element = more;
    g_autofree char *name = hl_field_label (field);
    g_string_append_printf (names, "%s%s %s", names->len > 0 ? _ (" and ") : "", name, number);
  }
  g_autofree char *label = g_strdup_printf (_ ("Add %s"), names->str);
  if (names->len > 0)
    mend_element (place, finding, label, element);
  else
    hl_value_unref (element);
}

/* Adds a fix for two given alternatives: removes the second. */
static void mend_double_size (const HlCheckPlace *place, HlFinding *finding, const char *group) {
  HlValue *element = hl_value_ref (place->element);
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    if (g_strcmp0 (field->group, group) != 0 || field->alternative == 0 ||
        hl_value_member (element, field->name) == NULL)
      continue;
    HlValue *less = hl_value_without_member (element, field->name);
    hl_value_unref (element);
    element = less;
    g_autofree char *name = hl_field_label (field);
    g_string_append_printf (names, "%s%s", names->len > 0 ? _ (" and ") : "", name);
  }
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), names->str);
  mend_element (place, finding, label, element);
}

static void mend_rod (const HlCheckPlace *place, HlFinding *finding) {
  double bore = hl_value_number (hl_value_member (place->element, "piston_diameter"));
  double area = hl_value_number (hl_value_member (place->element, "piston_area"));

  if (bore > 0.0)
    set_number (place, finding, HL_QUANTITY_LENGTH, "rod_diameter", ROD_SHARE * bore);
  else if (area > 0.0)
    set_number (place, finding, HL_QUANTITY_AREA, "rod_side_area", RING_SHARE * area);
}

static void mend_remove (const HlCheckPlace *place, HlFinding *finding) {
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), place->place);

  if (*place->id != '\0')
    hl_finding_set_fix (finding, HL_FIX_REMOVE, label, place->id, NULL, 0);
  else if (*place->where != '\0' && place->kind != NULL && place->kind->section <= HL_SECTION_PLOTS)
    hl_mend_drop (place, finding, "", label);
}

/* Finds the position of a joint's other end, in the frame of the body that lacks the point. */
static gboolean other_end (const HlCheckPlace *place, const char *name, int body, double xy[2]) {
  const char *other = hl_value_string (hl_value_member (place->element, strcmp (name, "a") == 0 ? "b" : "a"));
  double poses[2][3] = {{0, 0, 0}, {0, 0, 0}}, u[2];
  int bodies[2] = {body, -1};

  if (other == NULL || !hl_document_resolve_point (place->document, other, &bodies[1], u, NULL))
    return FALSE;
  for (int k = 0; k < 2; k++)
    for (gsize i = 0; bodies[k] >= 0 && i < 3; i++)
      poses[k][i] = hl_value_number (hl_value_item (
          hl_value_member (hl_document_element (place->document, HL_SECTION_BODIES, bodies[k]), "pose"), i));
  double x = poses[1][0] + cos (poses[1][2]) * u[0] - sin (poses[1][2]) * u[1] - poses[0][0];
  double y = poses[1][1] + sin (poses[1][2]) * u[0] + cos (poses[1][2]) * u[1] - poses[0][1];
  xy[0] = cos (poses[0][2]) * x + sin (poses[0][2]) * y;
  xy[1] = cos (poses[0][2]) * y - sin (poses[0][2]) * x;
  return isfinite (xy[0]) && isfinite (xy[1]) && bodies[0] != bodies[1];
}

static gboolean can_have_points (const HlDocument *document, int body) {
  const HlValue *owner = body < 0 ? hl_document_object (document, HL_SECTION_GROUND)
                                  : hl_document_element (document, HL_SECTION_BODIES, body);
  const HlValue *points = hl_value_member (owner, "points");

  return (owner == NULL || hl_value_is_object (owner)) && (points == NULL || hl_value_is_object (points));
}

/* Adds a fix for a missing point or body: adds the point at the joint's other end, otherwise removes the
 * reference. */
static void mend_reference (const HlCheckPlace *place, HlFinding *finding, const char *name,
                            const char *text) {
  const char *dot = text != NULL ? strchr (text, '.') : NULL;
  g_autofree char *owner = dot != NULL ? g_strndup (text, (gsize)(dot - text)) : NULL;
  const HlJointClass *klass = hl_joint_class (place->kind->name);
  gboolean is_pin = klass != NULL && klass->joins_points;
  g_autofree char *label = NULL;
  double xy[2];
  int body;

  if (is_pin && dot != NULL && hl_id_is_well_formed (dot + 1) &&
      hl_document_resolve_body (place->document, owner, &body, NULL) &&
      can_have_points (place->document, body) && other_end (place, name, body, xy)) {
    g_autofree char *where = body < 0 ? g_strdup_printf ("ground.points.%s", dot + 1)
                                      : g_strdup_printf ("bodies.%d.points.%s", body, dot + 1);
    label = g_strdup_printf (_ ("Add the point %s at the other end"), text);
    hl_finding_set_place_fix (finding, label, where, hl_value_new_numbers (xy, 2));
    return;
  }
  if (place->kind->section != HL_SECTION_COMPONENTS) {
    mend_remove (place, finding);
    return;
  }
  g_autofree char *end = label_of (place, name);
  label = g_strdup_printf (_ ("Release %s"), end);
  hl_mend_drop (place, finding, name, label);
}

void hl_mend_id (const HlCheckPlace *place, HlFinding *finding, HlSection section) {
  const char *stem = place->kind != NULL ? place->kind->id_stem : NULL;
  g_autofree char *id = hl_edit_fresh_id (place->document, stem != NULL ? stem : hl_section_noun (section));
  g_autofree char *label = g_strdup_printf (_ ("Rename it %s"), id);

  set_at (place, finding, "id", label, hl_value_new_string (id));
}

static void mend_text (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *text) {
  g_autofree char *property = label_with_element (place, name);
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), property, text);

  set_at (place, finding, name, label, hl_value_new_string (text));
}

static void mend_json (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label,
                       HlValue *json) {
  set_at (place, finding, name, label, json);
}

void hl_mend_slider (HlFinding *finding, int index, const HlSlider *slider) {
  g_autofree char *where = g_strdup_printf ("sliders.%d.to", index);
  double to = slider->from > 0.0 ? DECADE * slider->from : slider->from + 1.0;
  g_autofree char *label = g_strdup_printf (_ ("Extend the slider to %s"), hl_shown (to, 6).text);

  hl_finding_set_place_fix (finding, label, where, hl_value_new_number (to));
}

/* Rules about several fields of one element. */

/* Checks that exactly one alternative of a group is given in full: a diameter or an area. */
static void check_group (const HlCheckPlace *place, const char *group) {
  GString *missing[2] = {g_string_new (NULL), g_string_new (NULL)};
  const char *first_given[2] = {NULL, NULL};
  const char *first_missing[2] = {NULL, NULL};
  const char *first_name = NULL;

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    if (g_strcmp0 (field->group, group) != 0)
      continue;
    int alternative = field->alternative != 0;
    first_name = first_name != NULL ? first_name : field->name;
    if (hl_value_member (place->element, field->name) != NULL)
      first_given[alternative] = first_given[alternative] != NULL ? first_given[alternative] : field->name;
    else {
      g_autofree char *label = hl_field_label (field);
      g_string_append_printf (missing[alternative], "%s%s", missing[alternative]->len > 0 ? _ (" and ") : "",
                              label);
      first_missing[alternative] =
          first_missing[alternative] != NULL ? first_missing[alternative] : field->name;
    }
  }
  if (first_given[0] != NULL && first_given[1] != NULL) {
    g_autofree char *one = label_of (place, first_given[0]), *other = label_of (place, first_given[1]);
    mend_double_size (place,
                      hl_check_add (place, HL_SEVERITY_ERROR, first_given[1],
                                    _ ("keep one of the two values and delete the other"),
                                    _ ("both %s and %s are given"), one, other),
                      group);
  } else if (first_given[0] == NULL && first_given[1] == NULL) {
    g_autofree char *advice = g_strdup_printf (_ ("give %s or %s"), missing[0]->str, missing[1]->str);
    mend_size (place, hl_check_add (place, HL_SEVERITY_ERROR, first_name, advice, _ ("the size is missing")),
               group, 0);
  } else if (missing[first_given[1] != NULL]->len > 0) {
    const char *lacking = missing[first_given[1] != NULL]->str;
    g_autofree char *advice = g_strdup_printf (_ ("give %s"), lacking);
    mend_size (place,
               hl_check_add (place, HL_SEVERITY_ERROR, first_missing[first_given[1] != NULL], advice,
                             _ ("%s is missing"), lacking),
               group, first_given[1] != NULL);
  }
  g_string_free (missing[0], TRUE);
  g_string_free (missing[1], TRUE);
}

/* Reports a load that acts between two points of the ground, or at one point of the ground: it has no effect. */
static void check_moves (const HlCheckPlace *place) {
  const char *point = hl_value_string (hl_value_member (place->element, "point"));
  const char *body = hl_value_string (hl_value_member (place->element, "body"));
  int index;
  double xy[2];

  if (place->kind->section != HL_SECTION_JOINTS && place->kind->section != HL_SECTION_LOADS)
    return;
  if (point != NULL && hl_document_resolve_point (place->document, point, &index, xy, NULL) && index < 0)
    mend_remove (place, hl_check_add (place, HL_SEVERITY_ERROR, "point", _ ("name a point of a body"),
                                      _ ("the point is on the ground, which does not move")));
  if (body != NULL && hl_document_resolve_body (place->document, body, &index, NULL) && index < 0)
    mend_remove (place, hl_check_add (place, HL_SEVERITY_ERROR, "body", _ ("name a body"),
                                      _ ("the torque acts on the ground, which does not move")));
}

/* Checks friction: static friction below the sliding friction is not physical. */
static void check_friction (const HlCheckPlace *place) {
  const HlField *field = hl_kind_find_field (place->kind, "friction.Fs");

  if (field == NULL || !hl_field_matters (place->kind, field, place->element))
    return;
  double Fs = hl_kind_number (place->kind, place->element, "friction.Fs", NULL);
  double Fc = hl_kind_number (place->kind, place->element, "friction.Fc", NULL);
  if (Fs < Fc)
    mend_set (place,
              hl_check_add (place, HL_SEVERITY_WARNING, "friction.Fs", _ ("set Fs to at least Fc"),
                            _ ("the static force Fs = %s N is below the Coulomb force Fc = %s N: the seals "
                               "would hold less at standstill than while sliding"),
                            hl_shown (Fs, 4).text, hl_shown (Fc, 4).text),
              "friction.Fs", Fc);
}

/* Checks the ends of an element and the distance between them. */
static void check_ends (const HlCheckPlace *place) {
  const HlValue *element = place->element;
  gboolean is_cylinder = hl_kind_find_field (place->kind, "rod") != NULL;
  const char *first = hl_value_string (hl_value_member (element, is_cylinder ? "base" : "a"));
  const char *second = hl_value_string (hl_value_member (element, is_cylinder ? "rod" : "b"));
  double piston = hl_kind_number (place->kind, element, "piston_area", NULL);
  double ring = hl_kind_number (place->kind, element, "rod_side_area", NULL);
  double rod = hl_value_number (hl_value_member (element, "rod_diameter"));
  int body_of_first, body_of_second;
  double xy[2];

  if (ring > piston || (!isnan (rod) && !(ring >= 0)))
    mend_rod (place, hl_check_add (place, HL_SEVERITY_ERROR, isnan (rod) ? "rod_side_area" : "rod_diameter",
                                   isnan (rod) ? _ ("make the rod-side area smaller than the piston area")
                                               : _ ("make the rod diameter smaller than the piston diameter"),
                                   _ ("the rod is larger than the piston")));
  if (first == NULL || second == NULL)
    return;
  gboolean both = strchr (first, '.') == NULL
                      ? hl_document_resolve_body (place->document, first, &body_of_first, NULL) &&
                            hl_document_resolve_body (place->document, second, &body_of_second, NULL)
                      : hl_document_resolve_point (place->document, first, &body_of_first, xy, NULL) &&
                            hl_document_resolve_point (place->document, second, &body_of_second, xy, NULL);
  if (!both || body_of_first != body_of_second)
    return;
  HlFinding *finding =
      hl_check_add (place, HL_SEVERITY_ERROR, is_cylinder ? "rod" : "b", _ ("join two different bodies"),
                    body_of_first < 0 ? _ ("this element joins the ground to itself")
                                      : _ ("this element joins a body to itself"));
  if (is_cylinder)
    hl_mend_drop (place, finding, "rod", _ ("Release the rod"));
  else
    mend_remove (place, finding);
}

/* Checks relations between several fields of an element: ends on two bodies, a rod that fits into its piston,
 * friction, a movable point of application. */
static void relations (const HlCheckPlace *place) {
  check_ends (place);
  check_friction (place);
  check_moves (place);
}

static const char *type_text (const HlValue *value) {
  static const char *const names[] = {N_ ("null"),   N_ ("true or false"), N_ ("a number"),
                                      N_ ("a text"), N_ ("a list"),        N_ ("an object")};
  return _ (names[hl_value_type (value)]);
}

static HlFinding *add_wrong_type (const HlCheckPlace *place, const char *name, const HlValue *value,
                                  const char *wanted) {
  g_autofree char *advice = g_strdup_printf (_ ("write %s"), wanted);
  g_autofree char *label = label_of (place, name);
  return hl_check_add (place, HL_SEVERITY_ERROR, name, advice, _ ("%s is %s, not %s"), label,
                       type_text (value), wanted);
}

/* Checks that a number is finite and within the range of its field; otherwise adds an error at PLACE.name
 * with a fix; advice: when it is not finite. */
static void check_range (const HlCheckPlace *place, const HlField *field, const HlValue *value,
                         const char *name, const char *advice) {
  double number = hl_value_number (value);
  g_autofree char *label = label_of (place, name);

  if (!isfinite (number)) {
    mend_number (
        place, hl_check_add (place, HL_SEVERITY_ERROR, name, advice, _ ("%s is not a finite number"), label),
        field, name, value);
    return;
  }
  if (hl_field_accepts (field, number))
    return;
  g_autofree char *range = NULL, *text = NULL;
  hl_field_number_texts (field, number, hl_value_typed (value), &text, &range);
  g_autofree char *within = g_strdup_printf (_ ("allowed is %s"), range);
  mend_number (place, hl_check_add (place, HL_SEVERITY_ERROR, name, within, _ ("%s is %s"), label, text),
               field, name, value);
}

static void check_number (const HlCheckPlace *place, const HlField *field, const HlValue *value,
                          const char *name) {
  HlFinding *text = hl_check_text (place, field->quantity, value, name);

  if (!hl_value_is_number (value)) {
    mend_number (place, text != NULL ? text : add_wrong_type (place, name, value, _ ("a number")), field,
                 name, value);
    return;
  }
  check_range (place, field, value, name, _ ("write a finite number"));
}

static void check_choice (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
  const char *given = hl_value_string (value);

  if (given == NULL) {
    mend_text (place, add_wrong_type (place, field->name, value, _ ("a text")), field->name, choices[0]);
    return;
  }
  if (g_strv_contains ((const char *const *)choices, given))
    return;
  g_autofree char *known = g_strjoinv (", ", choices);
  g_autofree char *advice = g_strdup_printf (_ ("use %s"), known);
  g_autofree char *label = hl_field_label (field);
  HlFinding *finding = hl_check_add (place, HL_SEVERITY_ERROR, field->name, advice,
                                     _ ("%s: ‘%s’ is not one of the choices"), label, given);
  mend_text (place, finding, field->name, choices[0]);
}

static gboolean is_vector (const HlValue *value, gsize n) {
  if (!hl_value_is_array (value) || hl_value_length (value) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (hl_value_number (hl_value_item (value, i))))
      return FALSE;
  return TRUE;
}

static void check_vector (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  const char *shape = field->type == HL_FIELD_VEC2   ? "[x, y]"
                      : field->type == HL_FIELD_POSE ? "[x, y, angle]"
                                                     : "[vx, vy, omega]";
  g_autofree char *advice = g_strdup_printf (_ ("write %s with finite numbers"), shape);
  g_autofree char *label = hl_field_label (field);

  if (!is_vector (value, field->type == HL_FIELD_VEC2 ? 2 : 3)) {
    HlFinding *text = hl_check_texts (place, field->quantity, value, field->name);
    HlFinding *finding = text != NULL ? text
                                      : hl_check_add (place, HL_SEVERITY_ERROR, field->name, advice,
                                                      _ ("%s is not %s"), label, shape);
    if (field->need == HL_NEED_REQUIRED)
      mend_missing (place, finding, field);
    else
      hl_mend_drop (place, finding, field->name, _ ("Leave it out"));
  } else if (strcmp (field->name, "direction") == 0 &&
             hypot (hl_value_number (hl_value_item (value, 0)), hl_value_number (hl_value_item (value, 1))) ==
                 0)
    mend_missing (place,
                  hl_check_add (place, HL_SEVERITY_ERROR, field->name, _ ("write a vector other than [0, 0]"),
                                _ ("%s is [0, 0], which has no direction"), label),
                  field);
}

static void check_points (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_object (value)) {
    add_wrong_type (place, field->name, value, _ ("an object of points {NAME: [x, y]}"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *point = hl_value_key (value, i);
    g_autofree char *name = g_strdup_printf ("%s.%s", field->name, point);
    g_autofree char *label = label_of (place, name);
    if (!hl_id_is_well_formed (point))
      hl_check_add (place, HL_SEVERITY_ERROR, field->name,
                    _ ("start with a letter or _ and continue with letters, digits, _ or -"),
                    _ ("‘%s’ cannot be the name of a point"), point);
    if (!is_vector (hl_value_member_at (value, i), 2)) {
      const double origin[2] = {0, 0};
      HlFinding *text = hl_check_texts (place, field->quantity, hl_value_member_at (value, i), name);
      HlFinding *finding =
          text != NULL ? text
                       : hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write [x, y] with finite numbers"),
                                       _ ("%s is not [x, y]"), label);
      if (hl_id_is_well_formed (point))
        mend_json (place, finding, name, _ ("Move the point to [0, 0]"), hl_value_new_numbers (origin, 2));
    }
  }
}

static void check_reference (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  const char *text = hl_value_string (value);
  g_autoptr (GError) error = NULL;
  HlFinding *finding = NULL;
  double xy[2];
  int body;

  if (text == NULL)
    finding =
        add_wrong_type (place, field->name, value,
                        field->type == HL_FIELD_BODY ? _ ("a body's id") : _ ("a point, \"BODY.POINT\""));
  else if (field->type == HL_FIELD_BODY && !hl_document_resolve_body (place->document, text, &body, &error))
    finding = hl_check_add (place, HL_SEVERITY_ERROR, field->name, _ ("name a body of the file, or ground"),
                            "%s", error->message);
  else if (field->type == HL_FIELD_POINT &&
           !hl_document_resolve_point (place->document, text, &body, xy, &error))
    finding = hl_check_add (
        place, HL_SEVERITY_ERROR, field->name,
        _ ("name a point of a body or of the ground with coordinates [x, y], as \"BODY.POINT\""), "%s",
        error->message);
  if (finding != NULL)
    mend_reference (place, finding, field->name, text);
}

/* Checks a path in `name`; those of sliders, sets and held values must be settable. */
static gboolean check_path (const HlCheckPlace *place, const char *name, const char *path, gboolean settable,
                            HlPathInfo *info, HlFinding **finding) {
  g_autoptr (GError) error = NULL;
  g_autofree char *label = label_of (place, name);

  *finding = NULL;
  if (path == NULL)
    *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write a path, \"ELEMENT.PROPERTY\""),
                             _ ("%s is not a path"), label);
  else if (!hl_path_find (place->document, path, info, &error))
    *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("correct the path, or remove it"), "%s",
                             error->message);
  else if (settable && info->type == HL_PATH_OUTPUT)
    *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("name a number of the file"),
                             _ ("‘%s’ is computed and cannot be set"), path);
  return *finding == NULL;
}

static void check_path_field (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  const char *path = hl_value_string (value);
  gboolean is_probe = place->kind->section == HL_SECTION_PROBES;
  HlFinding *finding;
  HlPathInfo info;

  if (check_path (place, field->name, path, !is_probe, &info, &finding))
    return;
  if (is_probe && *place->id != '\0')
    hl_finding_set_fix (finding, HL_FIX_REMOVE, _ ("Remove the probe"), place->id, NULL, 0);
  else if (!is_probe)
    hl_mend_drop (place, finding, "", _ ("Remove the slider"));
}

static void check_paths (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_array (value)) {
    hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("a list of paths")), field->name,
                  _ ("Leave it out"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *path = hl_value_string (hl_value_item (value, i));
    g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
    HlFinding *finding;
    HlPathInfo info;
    if (!check_path (place, field->name, path, TRUE, &info, &finding))
      hl_mend_drop (place, finding, entry, _ ("No longer hold it"));
  }
}

static void check_values (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_object (value)) {
    add_wrong_type (place, field->name, value, _ ("an object {PATH: number}"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *path = hl_value_key (value, i);
    g_autofree char *name = g_strdup_printf ("%s.%s", field->name, path);
    HlFinding *finding;
    HlPathInfo info;
    HlField anything = {.name = path, .type = HL_FIELD_NUMBER};
    int before = hl_findings_n (place->findings);
    if (check_path (place, name, path, TRUE, &info, &finding))
      check_number (place, info.field != NULL ? info.field : &anything, hl_value_member_at (value, i), name);
    if (hl_findings_n (place->findings) == before)
      continue;
    /* the key is a path with dots of its own: the whole set is written anew */
    HlFinding *last = hl_findings_last (place->findings);
    mend_json (place, last, field->name, _ ("Remove it from the set"), hl_value_without_member (value, path));
  }
}

/* Probes and paths that a plot names: a trace that is gone is no reason not to run. */
static void check_ids (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_array (value)) {
    hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("a list")), field->name,
                  _ ("Leave it out"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *id = hl_value_string (hl_value_item (value, i));
    HlSection section = HL_SECTION_NONE;
    if (id == NULL) {
      g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
      hl_mend_drop (place, add_wrong_type (place, field->name, hl_value_item (value, i), _ ("a text")), entry,
                    _ ("Remove the trace"));
    }
    if (id != NULL && strchr (id, '.') == NULL &&
        (hl_document_find (place->document, id, &section, NULL) == NULL || section != HL_SECTION_PROBES)) {
      g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
      hl_mend_drop (place,
                    hl_check_add (place, HL_SEVERITY_WARNING, field->name,
                                  _ ("name a probe of the file, or remove the trace"),
                                  _ ("there is no probe ‘%s’"), id),
                    entry, _ ("Remove the trace"));
    }
    g_autoptr (GError) error = NULL;
    HlPathInfo path;
    if (id != NULL && strchr (id, '.') != NULL && !hl_path_find (place->document, id, &path, &error)) {
      g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
      hl_mend_drop (place,
                    hl_check_add (place, HL_SEVERITY_WARNING, field->name,
                                  _ ("choose another trace, or remove it"), "%s", error->message),
                    entry, _ ("Remove the trace"));
    }
  }
}

static void check_field (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  switch (field->type) {
  case HL_FIELD_NUMBER:
    check_number (place, field, value, field->name);
    break;
  case HL_FIELD_BOOLEAN:
    if (hl_value_type (value) != HL_VALUE_BOOLEAN)
      hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("true or false")), field->name,
                    _ ("Leave it out"));
    break;
  case HL_FIELD_TEXT:
    if (!hl_value_is_string (value) && field->need == HL_NEED_REQUIRED)
      add_wrong_type (place, field->name, value, _ ("a text"));
    else if (!hl_value_is_string (value))
      hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("a text")), field->name,
                    _ ("Leave it out"));
    break;
  case HL_FIELD_CHOICE:
    check_choice (place, field, value);
    break;
  case HL_FIELD_SIGNAL:
    check_signal (place, field, value, field->name);
    break;
  case HL_FIELD_VEC2:
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
    check_vector (place, field, value);
    break;
  case HL_FIELD_POINTS:
    check_points (place, field, value);
    break;
  case HL_FIELD_POINT:
  case HL_FIELD_BODY:
    check_reference (place, field, value);
    break;
  case HL_FIELD_PATH:
    check_path_field (place, field, value);
    break;
  case HL_FIELD_PATHS:
    check_paths (place, field, value);
    break;
  case HL_FIELD_VALUES:
    check_values (place, field, value);
    break;
  case HL_FIELD_IDS:
    check_ids (place, field, value);
    break;
  case HL_FIELD_PORTS: /* the circuit's */
  case HL_FIELD_SIGNALS:
  case HL_FIELD_NUMBERS: /* the signals' */
    break;
  }
}

/* Checks the object that holds a property of several parts ("friction.Fc"). */
static void check_parts (const HlCheckPlace *place) {
  const char *before = NULL;

  for (int i = 0; i < place->kind->n_fields; i++) {
    const char *dot = strchr (place->kind->fields[i].name, '.');
    if (dot == NULL)
      continue;
    g_autofree char *key =
        g_strndup (place->kind->fields[i].name, (gsize)(dot - place->kind->fields[i].name));
    const HlValue *parts = hl_value_member (place->element, key);
    gboolean is_next = before != NULL && g_str_has_prefix (before, key) && before[strlen (key)] == '.';
    before = place->kind->fields[i].name;
    if (is_next || parts == NULL || hl_value_type (parts) == HL_VALUE_OBJECT)
      continue;
    add_wrong_type (place, key, parts, _ ("an object"));
  }
}

/* Reports keys that differ from a known key by upper or lower case only. Other unknown keys belong to other
 * programs and are kept without a finding. */
static void check_unknown_keys (const HlCheckPlace *place) {
  for (gsize i = 0; i < hl_value_length (place->element); i++) {
    const char *key = hl_value_key (place->element, i);
    for (int f = 0; f < place->kind->n_fields; f++) {
      const char *name = place->kind->fields[f].name;
      if (strcmp (key, name) != 0 && g_ascii_strcasecmp (key, name) == 0 &&
          hl_kind_find_field (place->kind, key) == NULL) {
        g_autofree char *advice = g_strdup_printf (_ ("write \"%s\""), name);
        HlFinding *finding = hl_check_add (place, HL_SEVERITY_WARNING, key, advice,
                                           _ ("‘%s’ is not a known key and is ignored"), key);
        g_autofree char *label = g_strdup_printf (_ ("Rename it %s"), name);
        if (hl_value_member (place->element, name) == NULL)
          mend_element (place, finding, label, hl_value_with_key_renamed (place->element, key, name));
        else
          hl_mend_drop (place, finding, key, _ ("Remove it"));
      }
    }
  }
}

void hl_check_fields (const HlCheckPlace *place) {
  const char *group = NULL;

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    const HlValue *value = hl_value_at (place->element, field->name);
    gboolean matters = hl_field_matters (place->kind, field, place->element);
    if (field->group != NULL && g_strcmp0 (field->group, group) != 0)
      check_group (place, field->group);
    group = field->group != NULL ? field->group : group;
    if (value != NULL && (matters || field->type == HL_FIELD_NUMBER))
      check_field (place, field, value);
    else if (value == NULL && field->need == HL_NEED_REQUIRED && matters) {
      g_autofree char *advice = advice_to_add (field);
      g_autofree char *label = hl_field_label (field);
      mend_missing (place,
                    hl_check_add (place, HL_SEVERITY_ERROR, field->name, advice, _ ("%s is missing"), label),
                    field);
    }
  }
  relations (place);
  check_parts (place);
  check_unknown_keys (place);
}
