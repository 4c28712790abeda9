/* SPDX-License-Identifier: MIT */
/* What is done to one number from beside the drawing: back to its default, into a parameter set,
 * into a plot. */
#include "core/edit/hl-edit.h"
#include "core/edit/hl-edit-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

/* --- the default --- */

static gboolean find_field (const HlDocument *document, const char *path, HlPathInfo *info, GError **error) {
  if (!hl_path_find (document, path, info, error))
    return FALSE;
  if (info->type != HL_PATH_OUTPUT && info->field != NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no default"), path);
  return FALSE;
}

gboolean hl_edit_default_number (const HlDocument *document, const char *path, double *value) {
  HlPathInfo info;

  if (!find_field (document, path, &info, NULL))
    return FALSE;
  switch (info.field->type) {
  case HL_FIELD_NUMBER:
  case HL_FIELD_SIGNAL:
    *value = info.field->need == HL_NEED_DEFAULT  ? info.field->fallback
             : info.field->need == HL_NEED_ABSENT ? NAN
                                                  : info.field->start;
    return info.field->need == HL_NEED_ABSENT || hl_field_accepts (info.field, *value);
  case HL_FIELD_VELOCITY:
    *value = 0.0;
    return TRUE;
  case HL_FIELD_VEC2:
    *value = strcmp (path, "gravity.y") == 0 ? -9.81 : 0.0;
    return info.field->need == HL_NEED_ABSENT;
  default:
    return FALSE; /* a place has no usual value */
  }
}

HlDocument *hl_edit_complete (const HlDocument *document, const char *id, GError **error) {
  HlSection section;
  const HlValue *element = hl_document_find (document, id, &section, NULL);
  const HlKind *kind = element != NULL ? hl_schema_kind_of (section, element) : NULL;
  HlDocument *complete = hl_document_ref (document);

  for (int i = 0; kind != NULL && i < kind->n_fields && complete != NULL; i++) {
    const HlField *field = &kind->fields[i];
    if (field->type != HL_FIELD_NUMBER || field->need != HL_NEED_REQUIRED || field->group != NULL ||
        !hl_field_accepts (field, field->start) || hl_value_at (element, field->name) != NULL ||
        !hl_field_matters (kind, field, element))
      continue;
    HlDocument *next = hl_edit_set (complete, id, field->name, hl_value_new_number (field->start), error);
    hl_document_unref (complete);
    complete = next;
  }
  return complete;
}

HlDocument *hl_edit_reset_number (const HlDocument *document, const char *path, GError **error) {
  HlPathInfo info;
  double value;

  if (!find_field (document, path, &info, error))
    return NULL;
  if (!hl_edit_default_number (document, path, &value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no default"), path);
    return NULL;
  }
  gboolean is_single = info.field->type == HL_FIELD_NUMBER || info.field->type == HL_FIELD_SIGNAL;
  if (is_single && (info.field->need == HL_NEED_DEFAULT || info.field->need == HL_NEED_ABSENT) &&
      info.kind != NULL && info.id != NULL && strcmp (info.name, info.field->name) == 0)
    return hl_edit_set (document, info.id, info.field->name, NULL, error);
  return hl_document_with_number (document, path, value, error);
}

/* --- parameter sets --- */

HlDocument *hl_edit_put_in_set (const HlDocument *document, const char *name, const char *path, double value,
                                GError **error) {
  static const char *const keys[] = {"name", "values"};
  int set = hl_document_find_set (document, name);
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, error))
    return NULL;
  if (info.type == HL_PATH_OUTPUT || !isfinite (value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ cannot be set"), path);
    return NULL;
  }
  const HlValue *element = set >= 0 ? hl_document_element (document, HL_SECTION_PARAMETER_SETS, set) : NULL;
  HlValue *values =
      hl_value_with_member (hl_value_member (element, "values"), path, hl_value_new_number (value));
  if (set >= 0)
    return hl_edit_with_element (document, HL_SECTION_PARAMETER_SETS, set,
                                 hl_value_with_member (element, "values", values));
  HlValue *members[] = {hl_value_new_string (name), values};
  return hl_edit_insert_entry (document, HL_SECTION_PARAMETER_SETS, hl_document_n_sets (document),
                               hl_value_new_object_take (keys, members, 2), error);
}

/* --- plots --- */

/* The probe that records a path as it is; -1 = none. */
static int probe_of (const HlDocument *document, const char *path) {
  for (int index = 0; index < hl_document_n_probes (document); index++) {
    HlProbe probe;
    if (hl_document_probe (document, index, &probe) && !probe.relative && strcmp (probe.of, path) == 0)
      return index;
  }
  return -1;
}

/* "link2.angle" as an id: "link2_angle", or with a number behind it. */
static char *probe_id (const HlDocument *document, const char *path) {
  g_autofree char *id =
      g_strcanon (g_strdup (path), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", '_');

  return hl_edit_id_is_free (document, id, NULL) ? g_steal_pointer (&id) : hl_edit_fresh_id (document, id);
}

static HlQuantity quantity_of (const HlDocument *document, const char *probe) {
  const char *path = hl_value_string (hl_value_member (hl_document_find (document, probe, NULL, NULL), "of"));
  HlPathInfo info;

  return path != NULL && hl_path_find (document, path, &info, NULL) ? info.quantity : HL_N_QUANTITIES;
}

/* A stated plot whose first trace has the probe's quantity; the number of plots when there is none,
 * -1 when some plot shows the probe already. */
static int plot_for (const HlDocument *document, const char *probe) {
  int n = hl_document_n_elements (document, HL_SECTION_PLOTS), fitting = n;

  for (int plot = n; plot-- > 0;) {
    const HlValue *traces =
        hl_value_member (hl_document_element (document, HL_SECTION_PLOTS, plot), "traces");
    for (gsize i = 0; i < hl_value_length (traces); i++)
      if (g_strcmp0 (hl_value_string (hl_value_item (traces, i)), probe) == 0)
        return -1;
    const char *first = hl_value_string (hl_value_item (traces, 0));
    if (first != NULL && quantity_of (document, first) == quantity_of (document, probe))
      fitting = plot;
  }
  return fitting;
}

HlDocument *hl_edit_plot_path (const HlDocument *document, const char *path, char **id, GError **error) {
  static const char *const keys[] = {"id", "of", "label"};
  int index = probe_of (document, path);
  g_autoptr (HlDocument) next = hl_document_ref (document);
  g_autofree char *probe = NULL;
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, error))
    return NULL;
  if (index >= 0)
    probe = g_strdup (hl_document_element_id (document, HL_SECTION_PROBES, index));
  else {
    probe = probe_id (document, path);
    HlValue *members[] = {hl_value_new_string (probe), hl_value_new_string (path),
                          hl_value_new_string (path)};
    HlDocument *with = hl_edit_add (document, HL_SECTION_PROBES, NULL,
                                    hl_value_new_object_take (keys, members, 3), NULL, error);
    if (with == NULL)
      return NULL;
    hl_document_unref (next);
    next = with;
  }
  int plot = plot_for (next, probe), n = hl_document_n_elements (next, HL_SECTION_PLOTS);
  if (n > 0 && plot >= 0) { /* without stated plots every probe is shown */
    const HlValue *old = plot < n ? hl_document_element (next, HL_SECTION_PLOTS, plot) : NULL;
    const HlValue *traces = hl_value_member (old, "traces");
    HlValue *longer = hl_value_with_inserted (traces, hl_value_length (traces), hl_value_new_string (probe));
    HlValue *entry = hl_value_with_member (old, "traces", longer);
    HlDocument *with = plot < n ? hl_edit_replace_entry (next, HL_SECTION_PLOTS, plot, entry, error)
                                : hl_edit_insert_entry (next, HL_SECTION_PLOTS, n, entry, error);
    if (with == NULL)
      return NULL;
    hl_document_unref (next);
    next = with;
  }
  if (id != NULL)
    *id = g_steal_pointer (&probe);
  return g_steal_pointer (&next);
}
