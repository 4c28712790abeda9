/* SPDX-License-Identifier: MIT */
#include "core/io/hl-measured-data.h"

#include "core/base/hl-error.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-file-reference.h"
#include "core/base/hl-translation-macros.h"

#include <math.h>
#include <string.h>

/* --- guessing --- */

static gboolean is_time_name (const char *name) {
  static const char *const names[] = {"t", "time", "zeit", "temps", "tiempo", "sec", NULL};
  g_autofree char *folded = g_utf8_casefold (name, -1);
  return g_strv_contains (names, folded);
}

/* Returns a unit by its name, in any quantity. */
static const HlUnit *find_unit (const char *name) {
  for (HlQuantity quantity = HL_QUANTITY_NONE + 1; quantity < HL_N_QUANTITIES; quantity++) {
    const HlUnit *unit = hl_unit_find (quantity, name);
    if (unit != NULL)
      return unit;
  }
  return NULL;
}

/* Returns the trace of that name: id or label of a probe, or a path. NULL: none. */
static const char *find_trace (const HlDocument *document, const char *name) {
  for (int index = 0; index < hl_document_n_recorded (document); index++) {
    HlProbe probe;
    if (hl_document_recorded (document, index, &probe) &&
        (g_ascii_strcasecmp (probe.id, name) == 0 || strcmp (probe.label, name) == 0 ||
         strcmp (probe.of, name) == 0))
      return probe.id;
  }
  return strchr (name, '.') != NULL && hl_trace_info (document, name).known ? name : NULL;
}

HlMeasuredColumn *hl_measured_guess (const HlDocument *document, const HlTable *table,
                                     const HlUnit *const *units) {
  HlMeasuredColumn *mapping = g_new0 (HlMeasuredColumn, MAX (table->n_columns, 1));
  gboolean has_time = FALSE;

  for (int column = 0; column < table->n_columns; column++) {
    HlMeasuredColumn *one = &mapping[column];
    const char *trace = find_trace (document, table->names[column]);
    if (trace != NULL) {
      HlQuantity quantity = hl_trace_info (document, trace).quantity;
      const HlUnit *stated = hl_unit_find (quantity, table->units[column]);
      one->role = HL_MEASURED_TRACE;
      one->trace = g_strdup (trace);
      one->unit = stated != NULL ? stated : units[quantity];
    } else if (!has_time && is_time_name (table->names[column])) {
      one->role = HL_MEASURED_TIME;
      has_time = TRUE;
    } else {
      one->unit = find_unit (table->units[column]);
    }
  }
  if (!has_time && table->n_columns > 0 && mapping[0].role == HL_MEASURED_UNUSED)
    mapping[0].role = HL_MEASURED_TIME;
  for (int column = 0; column < table->n_columns; column++)
    if (mapping[column].role == HL_MEASURED_TIME) {
      const HlUnit *stated = hl_unit_find (HL_QUANTITY_TIME, table->units[column]);
      mapping[column].unit = stated != NULL ? stated : hl_unit_find (HL_QUANTITY_TIME, "s");
    }
  return mapping;
}

void hl_measured_mapping_free (HlMeasuredColumn *mapping, int n_columns) {
  for (int column = 0; mapping != NULL && column < n_columns; column++)
    g_free (mapping[column].trace);
  g_free (mapping);
}

/* --- taking over --- */

/* Returns the column of the time; -1 with an error. Counts the traces. */
static int check_mapping (const HlTable *table, const HlMeasuredColumn *mapping, int *n_traces,
                          GError **error) {
  int time = -1;

  *n_traces = 0;
  for (int column = 0; column < table->n_columns; column++) {
    if (mapping[column].role == HL_MEASURED_TIME && time >= 0) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("columns ‘%s’ and ‘%s’ are both assigned to the time; choose one of the two columns"),
                   table->names[time], table->names[column]);
      return -1;
    }
    if (mapping[column].role == HL_MEASURED_TIME)
      time = column;
    if (mapping[column].role != HL_MEASURED_TRACE)
      continue;
    for (int other = 0; other < column; other++)
      if (mapping[other].role == HL_MEASURED_TRACE &&
          strcmp (mapping[other].trace, mapping[column].trace) == 0) {
        g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                     _ ("columns ‘%s’ and ‘%s’ are both assigned to %s; leave one of the two columns out"),
                     table->names[other], table->names[column], mapping[column].trace);
        return -1;
      }
    *n_traces += 1;
  }
  if (time < 0)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("no column is assigned to the time; choose the column that contains the times"));
  else if (*n_traces == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("no column is assigned to a quantity of the model; choose the measured quantity for one "
                    "column at least"));
  return *n_traces > 0 ? time : -1;
}

static double first_known (const double *values, int n) {
  for (int row = 0; row < n; row++)
    if (isfinite (values[row]))
      return values[row];
  return NAN;
}

/* Converts to SI; a difference of two readings has no offset, whatever zero its unit counts from. */
static double to_si (const HlUnit *unit, double value, gboolean relative, double first) {
  return relative ? (value - first) * unit->factor : hl_unit_to_si (unit, value);
}

HlResults *hl_measured_new (const HlDocument *document, const HlTable *table, const HlMeasuredColumn *mapping,
                            double offset, GError **error) {
  int n_traces, at = 0;
  int time = check_mapping (table, mapping, &n_traces, error);

  if (time < 0)
    return NULL;
  g_autofree HlColumnInfo *infos = g_new0 (HlColumnInfo, n_traces);
  g_autofree int *columns = g_new (int, n_traces);
  g_autofree double *row_values = g_new (double, n_traces);
  for (int column = 0; column < table->n_columns; column++)
    if (mapping[column].role == HL_MEASURED_TRACE) {
      HlTraceInfo info = hl_trace_info (document, mapping[column].trace);
      infos[at] = (HlColumnInfo){mapping[column].trace, info.label, hl_quantity_si (info.quantity)};
      columns[at++] = column;
    }
  g_autoptr (HlResults) results = hl_results_new (infos, n_traces);
  const double *times = hl_table_column (table, time);
  double last = -INFINITY;
  for (int row = 0; row < table->n_rows; row++) {
    double t = hl_unit_to_si (mapping[time].unit, times[row]) + offset;
    if (!isfinite (t))
      continue;
    if (t < last) {
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   _ ("the time decreases in row %d of the data (%s s after %s s); sort the rows, or choose "
                      "another column as the time"),
                   row + 1, hl_shown (t, 6).text, hl_shown (last, 6).text);
      return NULL;
    }
    last = t;
    for (int i = 0; i < n_traces; i++) {
      const double *values = hl_table_column (table, columns[i]);
      gboolean relative = hl_trace_info (document, mapping[columns[i]].trace).relative;
      row_values[i] = to_si (mapping[columns[i]].unit, values[row], relative,
                             relative ? first_known (values, table->n_rows) : 0);
    }
    hl_results_append (results, t, row_values);
  }
  if (hl_results_n_rows (results) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                 _ ("column ‘%s’ contains no numbers; check the separator and the decimal mark"),
                 table->names[time]);
    return NULL;
  }
  return g_steal_pointer (&results);
}

/* --- what the model remembers of it --- */

/* Returns the present index of a column chosen earlier; -1 = it is absent. */
static int place_of (const HlTable *table, const HlMeasurementColumn *column) {
  int there = column->number - 1;

  if (there >= 0 && there < table->n_columns &&
      (column->name == NULL || strcmp (table->names[there], column->name) == 0))
    return there;
  return column->name != NULL ? hl_table_find_column (table, column->name) : -1;
}

HlMeasuredColumn *hl_measured_mapping (const HlDocument *document, const HlTable *table,
                                       const HlMeasurement *measurement, GError **error) {
  HlMeasuredColumn *mapping = g_new0 (HlMeasuredColumn, MAX (table->n_columns, 1));

  for (guint i = 0; i < measurement->columns->len; i++) {
    const HlMeasurementColumn *column = measurement->columns->pdata[i];
    int at = place_of (table, column), n;
    if (at < 0) {
      g_autofree char *number = g_strdup_printf ("%d", column->number);
      g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                   _ ("the table no longer has the column ‘%s’; choose the columns of the table again"),
                   column->name != NULL ? column->name : number);
      hl_measured_mapping_free (mapping, table->n_columns);
      return NULL;
    }
    HlQuantity quantity =
        column->is_time ? HL_QUANTITY_TIME : hl_trace_info (document, column->trace).quantity;
    /* an entry written by hand need not repeat the heading */
    const char *named = column->unit != NULL ? column->unit : table->units[at];
    const HlUnit *unit = hl_unit_find (quantity, named);
    g_free (mapping[at].trace);
    mapping[at] =
        (HlMeasuredColumn){column->is_time ? HL_MEASURED_TIME : HL_MEASURED_TRACE, g_strdup (column->trace),
                           unit != NULL ? unit : hl_quantity_units (quantity, &n)};
  }
  return mapping;
}

void hl_measured_note (HlMeasurement *measurement, const HlTable *table, const HlMeasuredColumn *mapping) {
  g_ptr_array_set_size (measurement->columns, 0);
  for (int at = 0; at < table->n_columns; at++) {
    g_autofree char *number = g_strdup_printf ("%d", at + 1);
    gboolean has_name = strcmp (table->names[at], number) != 0;
    HlMeasurementColumn column = {
        .number = at + 1,
        .name = has_name ? table->names[at] : NULL,
        .is_time = mapping[at].role == HL_MEASURED_TIME,
        .trace = mapping[at].role == HL_MEASURED_TRACE ? mapping[at].trace : NULL,
        .unit = mapping[at].unit != NULL ? (char *)mapping[at].unit->name : NULL,
    };
    if (mapping[at].role != HL_MEASURED_UNUSED)
      hl_measurement_add_column (measurement, &column);
  }
}

HlResults *hl_measured_load (const HlDocument *document, const HlMeasurement *measurement,
                             const char *model_path, GError **error) {
  g_autofree char *path = hl_file_reference_path (measurement->file, model_path);
  HlTableFormat format = {measurement->separator, measurement->decimal};
  g_autoptr (HlTable) table = hl_table_load (path, &format, error);
  HlMeasuredColumn *mapping =
      table != NULL ? hl_measured_mapping (document, table, measurement, error) : NULL;
  HlResults *results =
      mapping != NULL ? hl_measured_new (document, table, mapping, measurement->offset, error) : NULL;

  if (table != NULL)
    hl_measured_mapping_free (mapping, table->n_columns);
  return results;
}
