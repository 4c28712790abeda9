/* SPDX-License-Identifier: MIT */
/* Visits the model once, guided by the schema's field types. Branches without a change are shared, not
 * copied. In elements of an unknown kind, every text that reads like a reference follows a renaming; none is
 * removed. */
#include "core/schema/hl-element-references.h"

#include <string.h>

/* Returns the fate of "link2.C.x" with "link2" renamed. */
static HlReferenceFate fate_of_id (const HlReferenceChange *change, const char *text, char **changed) {
  gpointer new_id;

  if (change->ids == NULL)
    return HL_REFERENCE_STAYS;
  g_autofree char *id = g_strndup (text, strcspn (text, "."));
  if (!g_hash_table_lookup_extended (change->ids, id, NULL, &new_id))
    return HL_REFERENCE_STAYS;
  if (new_id == NULL)
    return HL_REFERENCE_FALLS;
  *changed = g_strconcat (new_id, text + strlen (id), NULL);
  return HL_REFERENCE_CHANGES;
}

/* Returns the fate of "link2.C", "link2.C.x", "link2.points.C.x" with the point C of link2 renamed. */
static HlReferenceFate fate_of_point (const HlReferenceChange *change, const char *text, char **changed) {
  gsize body_length = change->body != NULL ? strlen (change->body) : 0;

  if (change->body == NULL || strncmp (text, change->body, body_length) != 0 || text[body_length] != '.')
    return HL_REFERENCE_STAYS;
  const char *name = text + body_length + 1;
  if (g_str_has_prefix (name, "points."))
    name += strlen ("points.");
  gsize length = strcspn (name, ".");
  if (strlen (change->point) != length || strncmp (name, change->point, length) != 0)
    return HL_REFERENCE_STAYS;
  if (change->new_point == NULL)
    return HL_REFERENCE_FALLS;
  g_autofree char *before = g_strndup (text, (gsize)(name - text));
  *changed = g_strconcat (before, change->new_point, name + length, NULL);
  return HL_REFERENCE_CHANGES;
}

HlReferenceFate hl_reference_fate (const HlReferenceChange *change, HlFieldType type, const char *text,
                                   char **changed) {
  *changed = NULL;
  /* a path without a dot is a named parameter, whatever elements are called */
  if ((type == HL_FIELD_PATH || type == HL_FIELD_PATHS) && strchr (text, '.') == NULL)
    return HL_REFERENCE_STAYS;
  HlReferenceFate fate = fate_of_id (change, text, changed);
  if (fate == HL_REFERENCE_STAYS && type != HL_FIELD_PORTS && type != HL_FIELD_BODY)
    fate = fate_of_point (change, text, changed);
  return fate;
}

static gboolean field_falls (const HlReferenceChange *change, const HlField *field, const HlValue *element) {
  const char *text = hl_value_string (hl_value_member (element, field->name));
  g_autofree char *changed = NULL;

  return text != NULL && hl_reference_fate (change, field->type, text, &changed) == HL_REFERENCE_FALLS;
}

gboolean hl_reference_element_falls (const HlReferenceChange *change, HlSection section,
                                     const HlValue *element) {
  const HlKind *kind = hl_schema_kind_of (section, element);

  if (kind == NULL || section == HL_SECTION_COMPONENTS)
    return FALSE;
  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    if ((field->type == HL_FIELD_POINT || field->type == HL_FIELD_BODY || field->type == HL_FIELD_PATH) &&
        field_falls (change, field, element))
      return TRUE;
  }
  return FALSE;
}

/* Returns a text: the same shared, a new one, or NULL when it falls. */
static HlValue *map_text (const HlReferenceChange *change, HlFieldType type, const HlValue *value) {
  const char *text = hl_value_string (value);
  g_autofree char *changed = NULL;

  if (text == NULL)
    return hl_value_ref (value);
  switch (hl_reference_fate (change, type, text, &changed)) {
  case HL_REFERENCE_CHANGES:
    return hl_value_new_string (changed);
  case HL_REFERENCE_FALLS:
    return NULL;
  default:
    return hl_value_ref (value);
  }
}

/* Returns the list itself where nothing in it has changed, else one of the items (taken). */
static HlValue *same_or_new (const HlValue *list, HlValue **items, gsize n, gboolean same) {
  HlValue *mapped = hl_value_new_array_take (items, n);

  if (!same)
    return mapped;
  hl_value_unref (mapped);
  return hl_value_ref (list);
}

static HlValue *map_list (const HlReferenceChange *change, HlFieldType type, const HlValue *list) {
  gsize n = hl_value_length (list);
  g_autofree HlValue **items = g_new (HlValue *, n);
  gsize kept = 0;
  gboolean same = TRUE;

  if (!hl_value_is_array (list))
    return hl_value_ref (list);
  for (gsize i = 0; i < n; i++) {
    HlValue *item = map_text (change, type, hl_value_item (list, i));
    same &= item == hl_value_item (list, i);
    if (item != NULL)
      items[kept++] = item;
  }
  return same_or_new (list, items, kept, same);
}

/* Returns the object whose keys are references: values of a set, places of a view. */
static HlValue *map_keys (const HlReferenceChange *change, HlFieldType type, const HlValue *object) {
  HlValue *mapped = hl_value_ref (object);

  for (gsize i = 0; hl_value_is_object (object) && i < hl_value_length (object); i++) {
    const char *key = hl_value_key (object, i);
    g_autofree char *changed = NULL;
    HlReferenceFate fate = hl_reference_fate (change, type, key, &changed);
    HlValue *next = NULL;
    if (fate == HL_REFERENCE_CHANGES && hl_value_member (mapped, changed) == NULL)
      next = hl_value_with_key_renamed (mapped, key, changed);
    else if (fate != HL_REFERENCE_STAYS)
      next = hl_value_without_member (mapped, key);
    if (next != NULL) {
      hl_value_unref (mapped);
      mapped = next;
    }
  }
  return mapped;
}

/* Puts `member` (taken) in place of `key` when it is another; takes the key out when it is NULL. */
static void replace_member (HlValue **object, const char *key, HlValue *member) {
  if (member == hl_value_member (*object, key)) {
    hl_value_unref (member);
    return;
  }
  HlValue *next =
      member != NULL ? hl_value_with_member (*object, key, member) : hl_value_without_member (*object, key);
  hl_value_unref (*object);
  *object = next;
}

/* Renames references in all texts inside a value; ids, names and kinds are not references. */
static HlValue *map_unknown (const HlReferenceChange *change, const HlValue *value) {
  static const char *const own[] = {"id", "kind", "name", "label", "description", NULL};
  HlValue *mapped = hl_value_ref (value);

  if (hl_value_is_string (value)) {
    HlValue *text = map_text (change, HL_FIELD_POINT, value);
    if (text == NULL)
      return mapped;
    hl_value_unref (mapped);
    return text;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *key = hl_value_key (value, i);
    if (key != NULL && !g_strv_contains (own, key))
      replace_member (&mapped, key, map_unknown (change, hl_value_member_at (value, i)));
    if (key != NULL)
      continue;
    HlValue *item = map_unknown (change, hl_value_item (value, i));
    if (item == hl_value_item (value, i)) {
      hl_value_unref (item);
      continue;
    }
    HlValue *next = hl_value_with_item (mapped, i, item);
    hl_value_unref (mapped);
    mapped = next;
  }
  return mapped;
}

static HlValue *map_signal (const HlReferenceChange *change, const HlValue *signal);

static HlValue *map_signals (const HlReferenceChange *change, const HlValue *list) {
  gsize n = hl_value_length (list);
  g_autofree HlValue **items = g_new (HlValue *, n + 1);
  gboolean same = TRUE;

  if (!hl_value_is_array (list))
    return hl_value_ref (list);
  for (gsize i = 0; i < n; i++) {
    items[i] = map_signal (change, hl_value_item (list, i));
    same &= items[i] == hl_value_item (list, i);
  }
  return same_or_new (list, items, n, same);
}

static HlValue *map_fields (const HlReferenceChange *change, const HlKind *kind, const HlValue *element) {
  HlValue *mapped = hl_value_ref (element);

  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    const HlValue *value = hl_value_member (element, field->name);
    if (value == NULL)
      continue;
    switch (field->type) {
    case HL_FIELD_POINT:
    case HL_FIELD_BODY:
    case HL_FIELD_PATH:
      replace_member (&mapped, field->name, map_text (change, field->type, value));
      break;
    case HL_FIELD_PORTS:
    case HL_FIELD_PATHS:
    case HL_FIELD_IDS:
      replace_member (&mapped, field->name, map_list (change, field->type, value));
      break;
    case HL_FIELD_VALUES:
      replace_member (&mapped, field->name, map_keys (change, HL_FIELD_PATH, value));
      break;
    case HL_FIELD_SIGNAL:
      replace_member (&mapped, field->name, map_signal (change, value));
      break;
    case HL_FIELD_SIGNALS:
      replace_member (&mapped, field->name, map_signals (change, value));
      break;
    default:
      break;
    }
  }
  return mapped;
}

/* Applies the change to the paths in a signal; if the element that a block measures is removed, the check
 * asks for another path. */
static HlValue *map_signal (const HlReferenceChange *change, const HlValue *signal) {
  const HlKind *kind = hl_value_is_object (signal) ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;

  return kind != NULL ? map_fields (change, kind, signal) : hl_value_ref (signal);
}

static HlValue *map_section (const HlReferenceChange *change, HlSection section, const HlValue *list) {
  gsize n = hl_value_length (list);
  g_autofree HlValue **items = g_new (HlValue *, n);
  gsize kept = 0;
  gboolean same = TRUE;

  if (!hl_value_is_array (list))
    return hl_value_ref (list);
  for (gsize i = 0; i < n; i++) {
    const HlValue *element = hl_value_item (list, i);
    const HlKind *kind = hl_schema_kind_of (section, element);
    gboolean goes = section == HL_SECTION_SLIDERS && hl_reference_element_falls (change, section, element);
    HlValue *item = goes           ? NULL
                    : kind != NULL ? map_fields (change, kind, element)
                                   : map_unknown (change, element);
    same &= item == element;
    if (item != NULL)
      items[kept++] = item;
  }
  return same_or_new (list, items, kept, same);
}

/* Changes layout.VIEW.ID: keys are renamed or removed, texts inside a place as well. */
static HlValue *map_layout (const HlReferenceChange *change, const HlValue *layout) {
  HlValue *mapped = hl_value_ref (layout);

  for (gsize i = 0; hl_value_is_object (layout) && i < hl_value_length (layout); i++) {
    const char *view = hl_value_key (layout, i);
    g_autoptr (HlValue) places = map_keys (change, HL_FIELD_POINT, hl_value_member_at (layout, i));
    replace_member (&mapped, view, map_unknown (change, places));
  }
  return mapped;
}

/* Changes measured[].columns[].trace; a removed one stays as it is: the table does not change with the model,
 * and a probe of that name may be made again. File names are no references. */
static HlValue *map_measured (const HlReferenceChange *change, const HlValue *list) {
  HlValue *mapped = hl_value_ref (list);

  for (gsize entry = 0; hl_value_is_array (list) && entry < hl_value_length (list); entry++) {
    const HlValue *columns = hl_value_member (hl_value_item (list, entry), "columns");
    for (gsize i = 0; hl_value_is_array (columns) && i < hl_value_length (columns); i++) {
      const HlValue *old = hl_value_member (hl_value_item (columns, i), "trace");
      HlValue *trace = old != NULL ? map_text (change, HL_FIELD_POINT, old) : NULL;
      if (trace == NULL || trace == old) {
        hl_value_unref (trace);
        continue;
      }
      g_autofree char *at = g_strdup_printf ("%zu.columns.%zu.trace", entry, i);
      HlValue *next = hl_value_with_at (mapped, at, trace);
      hl_value_unref (mapped);
      mapped = next;
    }
  }
  return mapped;
}

HlValue *hl_reference_apply (const HlReferenceChange *change, const HlValue *root) {
  HlValue *mapped = hl_value_ref (root);

  for (HlSection section = 0; section < HL_SECTION_MODEL; section++) {
    const char *key = hl_section_key (section);
    if (hl_value_member (root, key) != NULL)
      replace_member (&mapped, key, map_section (change, section, hl_value_member (root, key)));
  }
  const char *equilibrium = hl_section_key (HL_SECTION_EQUILIBRIUM);
  if (hl_value_is_object (hl_value_member (root, equilibrium)))
    replace_member (&mapped, equilibrium,
                    map_fields (change, hl_schema_find_kind (HL_SECTION_EQUILIBRIUM, NULL),
                                hl_value_member (root, equilibrium)));
  if (hl_value_member (root, "layout") != NULL)
    replace_member (&mapped, "layout", map_layout (change, hl_value_member (root, "layout")));
  if (hl_value_member (root, "measured") != NULL)
    replace_member (&mapped, "measured", map_measured (change, hl_value_member (root, "measured")));
  return mapped;
}
