/* SPDX-License-Identifier: MIT */
/* Numbers by path: reading falls back on the schema's default, writing inserts what was there only by
 * default. */
#include "core/document/hl-path.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-named.h"
#include "core/document/hl-path-place.h"

#include <math.h>
#include <string.h>

gboolean
hl_path_find (const HlDocument *document, const char *path, HlPathInfo *info, GError **error)
{
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;

  return hl_path_place_resolve (document, path, info, &place, &element, error);
}

static double
read_number (const HlPathInfo *info, const HlPathPlace *place, const HlValue *element)
{
  double stated = hl_value_number (hl_value_at (element, place->where));

  if (!isnan (stated) || place->vector != NULL)
    return isnan (stated) ? place->fallback : stated;
  if (info->field != NULL && strcmp (info->field->name, place->where) == 0)
    return hl_kind_number (info->kind, element, place->where, NULL);
  return place->fallback;
}

/* A constant signal: a number, a lever, or nothing where the schema has a default. */
static double
read_signal (const HlPathInfo *info, const HlPathPlace *place, const HlValue *element)
{
  const HlValue *signal = hl_value_at (element, place->where);

  if (signal == NULL)
    return info->field->fallback;
  if (g_strcmp0 (hl_value_string (hl_value_member (signal, "kind")), "lever") == 0)
    return hl_kind_number (hl_schema_kind_of (HL_SECTION_SIGNAL, signal), signal, "value", NULL);
  return hl_value_number (signal);
}

gboolean
hl_document_get_number (
    const HlDocument *document, const char *path, double *value, const char **unit, GError **error)
{
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  if (!hl_path_place_resolve (document, path, &info, &place, &element, error))
    return FALSE;
  if (info.type == HL_PATH_OUTPUT) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is computed by a run; the file does not state it"), path);
    return FALSE;
  }
  *value = info.type == HL_PATH_SIGNAL ? read_signal (&info, &place, element)
                                       : read_number (&info, &place, element);
  if (unit != NULL)
    *unit = hl_quantity_si (info.quantity);
  if (!isnan (*value))
    return TRUE;
  if (info.type == HL_PATH_SIGNAL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ changes with time, it is no single number"), path);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not stated and has no default"),
                 path);
  return FALSE;
}

/* Setting a member of the other alternative of a group (an area where the file has a diameter)
 * converts the whole group. */
static HlValue *
with_alternative (const HlPathInfo *info, const HlValue *element)
{
  HlValue *changed = hl_value_ref (element);

  if (hl_value_member (element, info->field->name) != NULL)
    return changed;
  for (int i = 0; i < info->kind->n_fields; i++) {
    const HlField *field = &info->kind->fields[i];
    if (g_strcmp0 (field->group, info->field->group) != 0)
      continue;
    double number = hl_kind_number (info->kind, element, field->name, NULL);
    HlValue *next = field->alternative == info->field->alternative && !isnan (number)
                        ? hl_value_with_member (changed, field->name, hl_value_new_number (number))
                        : hl_value_without_member (changed, field->name);
    hl_value_unref (changed);
    changed = next;
  }
  return changed;
}

/* The element with its number (taken) set; vectors and inner objects that are missing are made. */
static HlValue *
element_with_number (const HlPathInfo *info,
                     const HlPathPlace *place,
                     const HlValue *element,
                     HlValue *number)
{
  g_autoptr (HlValue) ready = NULL;

  if (info->field != NULL && info->field->need == HL_NEED_GROUP)
    ready = with_alternative (info, element);
  else
    ready = hl_value_ref (element);
  if (place->vector != NULL &&
      hl_value_length (hl_value_at (ready, place->vector)) != (gsize)place->vector_size) {
    double entries[3] = {0, 0, 0};
    if (info->section == HL_SECTION_MODEL)
      entries[1] = -9.81;
    HlValue *made = hl_value_with_at (ready, place->vector,
                                      hl_value_new_numbers (entries, (gsize)place->vector_size));
    hl_value_unref (ready);
    ready = made;
  }
  return hl_value_with_at (ready, place->where, number);
}

/* Whether the number, of the text that was typed or NULL, may stand there. */
static gboolean
accepts (const HlPathInfo *info, const char *path, double value, const char *typed, GError **error)
{
  if (!isfinite (value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ must be a finite number"), path);
    return FALSE;
  }
  if (info->field == NULL || hl_field_accepts (info->field, value))
    return TRUE;
  g_autofree char *range = NULL, *text = NULL;
  hl_field_number_texts (info->field, value, typed, &text, &range);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ cannot be %s: it must be %s"), path, text,
               range);
  return FALSE;
}

/* A parameter that had a unit keeps one: that of before where the number comes through it unchanged,
 * else the SI unit. */
static HlValue *
parameter_number (const HlPathInfo *info, const char *typed, double value)
{
  const char *unit = typed + strspn (typed, "0123456789.eE+-");
  const char *const units[] = {unit + strspn (unit, " "), hl_quantity_si (info->quantity)};

  for (gsize k = 0; k < G_N_ELEMENTS (units); k++) {
    const HlUnit *found = hl_unit_find (info->quantity, units[k]);
    if (found == NULL || found->offset != 0)
      continue;
    for (int digits = 6; digits <= 17; digits++) {
      g_autofree char *number = hl_unit_format_plain (found, value, digits);
      g_autofree char *text = g_strdup_printf ("%s %s", number, found->name);
      HlFormulaValue read;
      if (hl_formula_evaluate (text, NULL, NULL, &read, NULL, NULL) && read.value == value)
        return hl_value_new_typed (text, value);
    }
  }
  return hl_value_new_number (value);
}

/* Document with a number (taken) at a resolved path. */
static HlDocument *
with_value (const HlDocument *document,
            const HlPathInfo *info,
            const HlPathPlace *place,
            const HlValue *element,
            HlValue *number)
{
  const HlValue *root = hl_document_root (document);
  gboolean is_typed = hl_value_typed (number) != NULL;
  HlValue *changed = element_with_number (info, place, element, number);

  if (info->section != HL_SECTION_MODEL) {
    const char *key = hl_section_key (info->section);
    if (info->section < HL_N_ELEMENT_SECTIONS)
      changed = hl_value_with_item (hl_value_member (root, key), (gsize)info->index, changed);
    changed = hl_value_with_member (root, key, changed);
  }
  return is_typed || strcmp (info->id, "parameters") == 0
             ? hl_document_new_renewed (document, changed)
             : hl_document_new_same_ids (document, changed);
}

/* The path where a number may be set; FALSE and why not. */
static gboolean
resolve_settable (const HlDocument *document,
                  const char *path,
                  HlPathInfo *info,
                  HlPathPlace *place,
                  const HlValue **element,
                  GError **error)
{
  if (!hl_path_place_resolve (document, path, info, place, element, error))
    return FALSE;
  if (info->type == HL_PATH_OUTPUT)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is computed by a run and cannot be set"),
                 path);
  return info->type != HL_PATH_OUTPUT;
}

gboolean
hl_document_accepts (
    const HlDocument *document, const char *path, double value, const char *typed, GError **error)
{
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  return resolve_settable (document, path, &info, &place, &element, error) &&
         accepts (&info, path, value, typed, error);
}

HlDocument *
hl_document_with_number (const HlDocument *document, const char *path, double value, GError **error)
{
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  if (!resolve_settable (document, path, &info, &place, &element, error) ||
      !accepts (&info, path, value, NULL, error))
    return NULL;
  const char *typed = hl_value_typed (hl_value_at (element, place.where));
  gboolean has_unit =
      typed != NULL && strcmp (info.id, "parameters") == 0 && info.quantity != HL_QUANTITY_NONE;
  return with_value (document, &info, &place, element,
                     has_unit ? parameter_number (&info, typed, value)
                              : hl_value_new_number (value));
}

HlDocument *
hl_document_with_text (const HlDocument *document,
                       const char *path,
                       const char *text,
                       GError **error)
{
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;
  double value;
  int n;

  if (!resolve_settable (document, path, &info, &place, &element, error))
    return NULL;
  const HlUnit *si = hl_quantity_units (info.quantity, &n);
  gboolean is_number = hl_unit_parse (text, info.quantity, si, &value, &si, NULL) &&
                       si == hl_quantity_units (info.quantity, &n);
  gboolean is_parameter = strcmp (info.id, "parameters") == 0;
  HlFormulaValue result = {0};
  if (is_parameter && !is_number) {
    if (!hl_formula_evaluate (text, hl_document_lookup, (gpointer)document, &result, NULL, error))
      return NULL;
    value = result.value;
  } else if (!is_number &&
             !hl_document_read_number (document, text, info.quantity,
                                       hl_quantity_units (info.quantity, &n), &value, error))
    return NULL;
  if (!accepts (&info, path, value, text, error))
    return NULL;
  gboolean is_pure = is_number && text[strspn (text, " 0123456789.eE+-")] == '\0';
  g_autoptr (HlDocument) changed =
      with_value (document, &info, &place, element,
                  is_pure ? hl_value_new_number (value) : hl_value_new_typed (text, value));
  /* now it may rest on itself */
  if (is_parameter && !hl_document_parameter_value (changed, info.name, &result, error))
    return NULL;
  return g_steal_pointer (&changed);
}

const char *
hl_document_typed (const HlDocument *document, const char *path)
{
  g_auto (HlPathPlace) place = {0};
  const HlValue *element = NULL;
  HlPathInfo info;

  return hl_path_place_resolve_in (document, path, TRUE, &info, &place, &element) &&
                 place.where != NULL
             ? hl_value_typed (hl_value_at (element, place.where))
             : NULL;
}

void
hl_path_narrow (const HlPathInfo *info, double *low, double *high)
{
  const HlField *field = info->field;

  if (field == NULL || (field->type != HL_FIELD_NUMBER && field->type != HL_FIELD_SIGNAL))
    return;
  if (field->min_bound != HL_BOUND_NONE) {
    gboolean is_open = field->min_bound == HL_BOUND_OPEN;
    *low = fmax (*low, is_open ? nextafter (field->min, INFINITY) : field->min);
  }
  if (field->max_bound != HL_BOUND_NONE) {
    gboolean is_open = field->max_bound == HL_BOUND_OPEN;
    *high = fmin (*high, is_open ? nextafter (field->max, -INFINITY) : field->max);
  }
}
