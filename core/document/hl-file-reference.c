/* SPDX-License-Identifier: MIT */
#include "core/document/hl-file-reference.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <math.h>
#include <string.h>

/* Entries are rewritten member by member, so that what another program added to them stays. */

/* Measured data. */

#define MEASURED_KEY "measured"
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
  const HlValue *list = hl_value_member (hl_document_root (document), MEASURED_KEY);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_measurement_free);

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++) {
    HlMeasurement *one = parse (hl_value_item (list, i), (int)i);
    if (one != NULL)
      g_ptr_array_add (all, one);
  }
  return all;
}

/* --- to the file --- */

/* Replaces a member of an object; `member` is taken, NULL removes the key. */
static void put_member (HlValue **object, const char *key, HlValue *member) {
  HlValue *next =
      member != NULL ? hl_value_with_member (*object, key, member) : hl_value_without_member (*object, key);
  hl_value_unref (*object);
  *object = next;
}

static HlValue *text_or_null (const char *text) {
  return text != NULL ? hl_value_new_string (text) : NULL;
}

/* Returns the entry of a column in the file, or NULL if there is none. */
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

  put_member (&value, "column", hl_value_new_number (column->number));
  put_member (&value, "name", text_or_null (column->name));
  put_member (&value, "time", column->is_time ? hl_value_new_boolean (TRUE) : NULL);
  put_member (&value, "trace", text_or_null (column->trace));
  put_member (&value, "unit", text_or_null (column->unit));
  return value;
}

static HlValue *format (const HlValue *old, const HlMeasurement *measurement) {
  HlValue *value = hl_value_is_object (old) ? hl_value_ref (old) : hl_value_new_object ();
  const HlValue *columns = hl_value_member (old, "columns");
  guint n = measurement->columns->len;
  g_autofree HlValue **items = g_new (HlValue *, n + 1);

  for (guint i = 0; i < n; i++)
    items[i] = format_column (columns, measurement->columns->pdata[i]);
  put_member (&value, "file", hl_value_new_string (measurement->file));
  put_member (&value, "separator", hl_value_new_string ((char[]){measurement->separator, '\0'}));
  put_member (&value, "decimal", hl_value_new_string ((char[]){measurement->decimal, '\0'}));
  put_member (&value, "offset", measurement->offset != 0 ? hl_value_new_number (measurement->offset) : NULL);
  put_member (&value, "columns", hl_value_new_array_take (items, n));
  return value;
}

/* Returns the list; another value there becomes the first entry of a list, so that it is kept. */
static HlValue *list_of (const HlDocument *document) {
  const HlValue *list = hl_value_member (hl_document_root (document), MEASURED_KEY);

  return hl_value_is_array (list) ? hl_value_ref (list)
         : list == NULL           ? hl_value_new_array ()
                                  : hl_value_with_inserted (NULL, 0, hl_value_ref (list));
}

HlDocument *hl_edit_put_measurement (const HlDocument *document, const HlMeasurement *measurement) {
  g_autoptr (HlValue) list = list_of (document);
  gsize n = hl_value_length (list), index = (gsize)measurement->index;
  gboolean has_place = measurement->index >= 0 && index < n;
  HlValue *entry = format (has_place ? hl_value_item (list, index) : NULL, measurement);

  return hl_document_new (hl_value_with_member (hl_document_root (document), MEASURED_KEY,
                                                has_place ? hl_value_with_item (list, index, entry)
                                                          : hl_value_with_inserted (list, n, entry)));
}

HlDocument *hl_edit_remove_measurement (const HlDocument *document, int index) {
  const HlValue *root = hl_document_root (document), *list = hl_value_member (root, MEASURED_KEY);

  if (index < 0 || index >= (int)hl_value_length (list))
    return hl_document_ref (document);
  HlValue *rest = hl_value_without_item (list, (gsize)index);
  if (hl_value_length (rest) > 0)
    return hl_document_new (hl_value_with_member (root, MEASURED_KEY, rest));
  hl_value_unref (rest);
  return hl_document_new (hl_value_without_member (root, MEASURED_KEY));
}

/* Numbers that make no sense (a scale of zero, an opacity of 7) read as the nearest that do: a
 * picture is no reason to refuse a model. */

/* The photograph. */

#define PHOTOGRAPH_KEY "photograph"
#define USUAL_SCALE 1e-3 /* [m] a pixel */
#define USUAL_OPACITY 0.5

HlPhotograph *hl_photograph_new (const char *file) {
  HlPhotograph *photograph = g_new0 (HlPhotograph, 1);

  photograph->file = g_strdup (file);
  photograph->scale = USUAL_SCALE;
  photograph->opacity = USUAL_OPACITY;
  return photograph;
}

void hl_photograph_free (HlPhotograph *photograph) {
  if (photograph == NULL)
    return;
  g_free (photograph->file);
  g_free (photograph);
}

static double number_or (const HlValue *value, double usual) {
  double number = hl_value_number (value);
  return isfinite (number) ? number : usual;
}

HlPhotograph *hl_photograph_of_document (const HlDocument *document) {
  const HlValue *value = hl_value_member (hl_document_root (document), PHOTOGRAPH_KEY);
  const char *file = hl_value_string (hl_value_member (value, "file"));
  const HlValue *at = hl_value_member (value, "at");

  if (file == NULL || *file == '\0')
    return NULL;
  HlPhotograph *photograph = hl_photograph_new (file);
  double scale = number_or (hl_value_member (value, "scale"), USUAL_SCALE);
  photograph->scale = scale > 0 ? scale : USUAL_SCALE;
  photograph->at[0] = number_or (hl_value_item (at, 0), 0);
  photograph->at[1] = number_or (hl_value_item (at, 1), 0);
  photograph->opacity = CLAMP (number_or (hl_value_member (value, "opacity"), USUAL_OPACITY), 0, 1);
  photograph->hidden = hl_value_boolean (hl_value_member (value, "hidden"));
  return photograph;
}

/* Takes both values. */
static HlValue *object_with_member (HlValue *object, const char *key, HlValue *member) {
  HlValue *changed = hl_value_with_member (object, key, member);
  hl_value_unref (object);
  return changed;
}

HlDocument *hl_photograph_put (const HlDocument *document, const HlPhotograph *photograph) {
  const HlValue *root = hl_document_root (document);

  if (photograph == NULL)
    return hl_document_new (hl_value_without_member (root, PHOTOGRAPH_KEY));
  const HlValue *old = hl_value_member (root, PHOTOGRAPH_KEY);
  HlValue *value = hl_value_is_object (old) ? hl_value_ref (old) : hl_value_new_object ();
  value = object_with_member (value, "file", hl_value_new_string (photograph->file));
  value = object_with_member (value, "scale", hl_value_new_number (photograph->scale));
  value = object_with_member (value, "at", hl_value_new_numbers (photograph->at, 2));
  value = object_with_member (value, "opacity", hl_value_new_number (photograph->opacity));
  value = object_with_member (value, "hidden", hl_value_new_boolean (photograph->hidden));
  return hl_document_new (hl_value_with_member (root, PHOTOGRAPH_KEY, value));
}

gboolean hl_photograph_set_distance (HlPhotograph *photograph, const double a[2], const double b[2],
                                     double distance, GError **error) {
  double now = hypot (b[0] - a[0], b[1] - a[1]);
  double factor = distance / now;

  if (!(now > 0) || !(distance > 0) || !isfinite (factor) || !(factor > 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 now > 0 ? _ ("The distance must be larger than zero")
                         : _ ("The two points are the same. Click two different points."));
    return FALSE;
  }
  photograph->scale *= factor;
  for (int axis = 0; axis < 2; axis++)
    photograph->at[axis] = a[axis] + (photograph->at[axis] - a[axis]) * factor;
  return TRUE;
}

/* Studies, and the places of all files. */

#define STUDIES_KEY "studies"

static const char *file_of (const HlValue *entry) {
  const char *file = hl_value_string (hl_value_member (entry, "file"));

  return file != NULL && *file != '\0' ? file : NULL;
}

static const HlValue *list_in (const HlDocument *document) {
  return hl_value_member (hl_document_root (document), STUDIES_KEY);
}

char **hl_studies_of_document (const HlDocument *document) {
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  const HlValue *list = list_in (document);

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++)
    if (file_of (hl_value_item (list, i)) != NULL)
      g_strv_builder_add (files, file_of (hl_value_item (list, i)));
  return g_strv_builder_end (files);
}

HlDocument *hl_edit_put_study (const HlDocument *document, const char *file) {
  g_auto (GStrv) files = hl_studies_of_document (document);
  const HlValue *list = list_in (document);

  if (g_strv_contains ((const char *const *)files, file))
    return hl_document_ref (document);
  HlValue *member = hl_value_new_string (file);
  HlValue *entry = hl_value_new_object_take ((const char *const[]){"file"}, &member, 1);
  /* a value there that is not a list becomes the first entry of one, so that it is kept */
  g_autoptr (HlValue) old = list == NULL || hl_value_is_array (list)
                                ? hl_value_ref (list)
                                : hl_value_with_inserted (NULL, 0, hl_value_ref (list));
  return hl_document_new (hl_value_with_member (hl_document_root (document), STUDIES_KEY,
                                                hl_value_with_inserted (old, hl_value_length (old), entry)));
}

HlDocument *hl_edit_remove_study (const HlDocument *document, const char *file) {
  const HlValue *root = hl_document_root (document);
  g_autoptr (HlValue) rest = hl_value_ref (list_in (document));

  for (gsize i = hl_value_length (rest); hl_value_is_array (rest) && i-- > 0;)
    if (g_strcmp0 (file_of (hl_value_item (rest, i)), file) == 0) {
      HlValue *next = hl_value_without_item (rest, i);
      hl_value_unref (rest);
      rest = next;
    }
  if (rest == list_in (document))
    return hl_document_ref (document);
  return hl_document_new (hl_value_length (rest) > 0
                              ? hl_value_with_member (root, STUDIES_KEY, g_steal_pointer (&rest))
                              : hl_value_without_member (root, STUDIES_KEY));
}

char *hl_file_reference_path (const char *reference, const char *model_path) {
  if (g_path_is_absolute (reference) || model_path == NULL)
    return g_strdup (reference);
  g_autofree char *folder = g_path_get_dirname (model_path);
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  return g_canonicalize_filename (reference, absolute);
}

char *hl_file_reference_name (const char *path, const char *model_path) {
  if (model_path == NULL)
    return g_strdup (path);
  g_autofree char *model = g_canonicalize_filename (model_path, NULL);
  g_autofree char *file = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (model);
  gsize length = strcmp (folder, "/") == 0 ? 0 : strlen (folder);

  if (strncmp (file, folder, length) == 0 && file[length] == '/')
    return g_strdup (file + length + 1);
  return g_steal_pointer (&file);
}

/* Returns the entry with its "file" named from the new place; the same shared one when nothing changes. */
static HlValue *moved (const HlValue *entry, const char *from, const char *to) {
  const char *file = hl_value_string (hl_value_member (entry, "file"));

  /* without a place before, a relative name says nothing */
  if (file == NULL || *file == '\0' || (from == NULL && !g_path_is_absolute (file)))
    return hl_value_ref (entry);
  g_autofree char *path = hl_file_reference_path (file, from);
  g_autofree char *name = hl_file_reference_name (path, to);
  return strcmp (name, file) == 0 ? hl_value_ref (entry)
                                  : hl_value_with_member (entry, "file", hl_value_new_string (name));
}

/* Returns an object with a "file", or a list of them. */
static HlValue *moved_member (const HlValue *member, const char *from, const char *to) {
  HlValue *all = hl_value_is_array (member) ? hl_value_ref (member) : moved (member, from, to);

  for (gsize i = 0; hl_value_is_array (member) && i < hl_value_length (member); i++) {
    HlValue *entry = moved (hl_value_item (member, i), from, to);
    if (entry == hl_value_item (member, i)) {
      hl_value_unref (entry);
      continue;
    }
    HlValue *next = hl_value_with_item (all, i, entry);
    hl_value_unref (all);
    all = next;
  }
  return all;
}

HlDocument *hl_file_references_moved (const HlDocument *document, const char *from, const char *to) {
  static const char *const keys[] = {"photograph", "measured", "studies"};
  HlValue *root = hl_value_ref (hl_document_root (document));

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    const HlValue *member = hl_value_member (root, keys[i]);
    HlValue *there = moved_member (member, from, to);
    if (there == member) {
      hl_value_unref (there);
      continue;
    }
    HlValue *next = hl_value_with_member (root, keys[i], there);
    hl_value_unref (root);
    root = next;
  }
  if (root != hl_document_root (document))
    return hl_document_new (root);
  hl_value_unref (root);
  return NULL;
}
