/* SPDX-License-Identifier: MIT */
/* Entries are rewritten member by member, so that what another program added to them stays. */
#include "core/document/hl-measurement.h"

#include <math.h>
#include <string.h>

#define KEY "measured"
#define MOST_COLUMNS 100000 /* a larger number of a column is a slip of the pen */

static void free_column (HlMeasurementColumn *column) {
  g_free (column->name);
  g_free (column->trace);
  g_free (column->unit);
  g_free (column);
}

HlMeasurement *hl_measurement_new (const char *file) {
  HlMeasurement *measurement = g_new0 (HlMeasurement, 1);

  measurement->file = g_strdup (file);
  measurement->separator = ',';
  measurement->decimal = '.';
  measurement->columns = g_ptr_array_new_with_free_func ((GDestroyNotify)free_column);
  measurement->index = -1;
  return measurement;
}

void hl_measurement_free (HlMeasurement *measurement) {
  if (measurement == NULL)
    return;
  g_free (measurement->file);
  g_ptr_array_unref (measurement->columns);
  g_free (measurement);
}

void hl_measurement_add_column (HlMeasurement *measurement, const HlMeasurementColumn *column) {
  HlMeasurementColumn *copy = g_new (HlMeasurementColumn, 1);

  *copy = *column;
  copy->name = g_strdup (column->name);
  copy->trace = g_strdup (column->trace);
  copy->unit = g_strdup (column->unit);
  g_ptr_array_add (measurement->columns, copy);
}

/* --- from the file --- */

static char mark_member (const HlValue *entry, const char *key, const char *known) {
  const char *text = hl_value_string (hl_value_member (entry, key));
  return text != NULL && strlen (text) == 1 && strchr (known, *text) != NULL ? *text : known[0];
}

static void parse_column (HlMeasurement *measurement, const HlValue *entry) {
  double number = hl_value_number (hl_value_member (entry, "column"));
  HlMeasurementColumn column = {
      .number = number >= 1 && number <= MOST_COLUMNS ? (int)number : 0,
      .name = (char *)hl_value_string (hl_value_member (entry, "name")),
      .is_time = hl_value_boolean (hl_value_member (entry, "time")),
      .trace = (char *)hl_value_string (hl_value_member (entry, "trace")),
      .unit = (char *)hl_value_string (hl_value_member (entry, "unit")),
  };

  if (column.is_time)
    column.trace = NULL;
  if ((column.is_time || column.trace != NULL) && (column.number > 0 || column.name != NULL))
    hl_measurement_add_column (measurement, &column);
}

static HlMeasurement *parse (const HlValue *entry, int index) {
  const char *file = hl_value_string (hl_value_member (entry, "file"));
  const HlValue *columns = hl_value_member (entry, "columns");
  double offset = hl_value_number (hl_value_member (entry, "offset"));

  if (file == NULL || *file == '\0')
    return NULL;
  HlMeasurement *measurement = hl_measurement_new (file);
  measurement->index = index;
  measurement->separator = mark_member (entry, "separator", ",;\t ");
  measurement->decimal = mark_member (entry, "decimal", ".,");
  measurement->offset = isfinite (offset) ? offset : 0;
  for (gsize i = 0; i < hl_value_length (columns); i++)
    parse_column (measurement, hl_value_item (columns, i));
  return measurement;
}

GPtrArray *hl_measurements_of_document (const HlDocument *document) {
  const HlValue *list = hl_value_member (hl_document_root (document), KEY);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_measurement_free);

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++) {
    HlMeasurement *one = parse (hl_value_item (list, i), (int)i);
    if (one != NULL)
      g_ptr_array_add (all, one);
  }
  return all;
}

/* --- to the file --- */

/* `member` is taken; NULL: the key goes. */
static void put (HlValue **object, const char *key, HlValue *member) {
  HlValue *next =
      member != NULL ? hl_value_with_member (*object, key, member) : hl_value_without_member (*object, key);
  hl_value_unref (*object);
  *object = next;
}

static HlValue *text_or_null (const char *text) {
  return text != NULL ? hl_value_new_string (text) : NULL;
}

/* What the file says of this column now; NULL: nothing. */
static const HlValue *old_column (const HlValue *columns, const HlMeasurementColumn *column) {
  for (gsize i = 0; i < hl_value_length (columns); i++) {
    const HlValue *old = hl_value_item (columns, i);
    if (hl_value_number (hl_value_member (old, "column")) == column->number)
      return old;
  }
  return NULL;
}

static HlValue *format_column (const HlValue *columns, const HlMeasurementColumn *column) {
  const HlValue *old = old_column (columns, column);
  HlValue *value = old != NULL ? hl_value_ref (old) : hl_value_new_object ();

  put (&value, "column", hl_value_new_number (column->number));
  put (&value, "name", text_or_null (column->name));
  put (&value, "time", column->is_time ? hl_value_new_boolean (TRUE) : NULL);
  put (&value, "trace", text_or_null (column->trace));
  put (&value, "unit", text_or_null (column->unit));
  return value;
}

static HlValue *format (const HlValue *old, const HlMeasurement *measurement) {
  HlValue *value = hl_value_is_object (old) ? hl_value_ref (old) : hl_value_new_object ();
  const HlValue *columns = hl_value_member (old, "columns");
  guint n = measurement->columns->len;
  g_autofree HlValue **items = g_new (HlValue *, n + 1);

  for (guint i = 0; i < n; i++)
    items[i] = format_column (columns, measurement->columns->pdata[i]);
  put (&value, "file", hl_value_new_string (measurement->file));
  put (&value, "separator", hl_value_new_string ((char[]){measurement->separator, '\0'}));
  put (&value, "decimal", hl_value_new_string ((char[]){measurement->decimal, '\0'}));
  put (&value, "offset", measurement->offset != 0 ? hl_value_new_number (measurement->offset) : NULL);
  put (&value, "columns", hl_value_new_array_take (items, n));
  return value;
}

/* What stands there and is no list becomes the first entry of one: it is not ours to throw away. */
static HlValue *list_of (const HlDocument *document) {
  const HlValue *list = hl_value_member (hl_document_root (document), KEY);

  return hl_value_is_array (list) ? hl_value_ref (list)
         : list == NULL           ? hl_value_new_array ()
                                  : hl_value_with_inserted (NULL, 0, hl_value_ref (list));
}

HlDocument *hl_edit_put_measurement (const HlDocument *document, const HlMeasurement *measurement) {
  g_autoptr (HlValue) list = list_of (document);
  gsize n = hl_value_length (list), index = (gsize)measurement->index;
  gboolean has_place = measurement->index >= 0 && index < n;
  HlValue *entry = format (has_place ? hl_value_item (list, index) : NULL, measurement);

  return hl_document_new (hl_value_with_member (hl_document_root (document), KEY,
                                                has_place ? hl_value_with_item (list, index, entry)
                                                          : hl_value_with_inserted (list, n, entry)));
}

HlDocument *hl_edit_remove_measurement (const HlDocument *document, int index) {
  const HlValue *root = hl_document_root (document), *list = hl_value_member (root, KEY);

  if (index < 0 || index >= (int)hl_value_length (list))
    return hl_document_ref (document);
  HlValue *rest = hl_value_without_item (list, (gsize)index);
  if (hl_value_length (rest) > 0)
    return hl_document_new (hl_value_with_member (root, KEY, rest));
  hl_value_unref (rest);
  return hl_document_new (hl_value_without_member (root, KEY));
}
