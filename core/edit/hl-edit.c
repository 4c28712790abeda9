/* SPDX-License-Identifier: MIT */
/* Verbs on whole elements. Points are in hl-edit-point.c, nets in hl-edit-circuit.c, copies in
 * hl-edit-paste.c. */
#include "core/edit/hl-edit.h"
#include "core/edit/hl-edit-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

/* Root with another list for a section (taken). */
static HlValue *with_list (const HlValue *root, HlSection section, HlValue *list) {
  return hl_value_with_member (root, hl_section_key (section), list);
}

HlDocument *hl_edit_with_element (const HlDocument *document, HlSection section, int index,
                                  HlValue *element) {
  const HlValue *root = hl_document_root (document);
  const HlValue *list = hl_value_member (root, hl_section_key (section));

  return hl_document_new (with_list (root, section, hl_value_with_item (list, (gsize)index, element)));
}

static const HlValue *find_element (const HlDocument *document, const char *id, HlSection *section,
                                    int *index, GError **error) {
  const HlValue *element = hl_document_find (document, id, section, index);

  if (element == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no element ‘%s’"), id != NULL ? id : "");
  return element;
}

gboolean hl_edit_id_is_free (const HlDocument *document, const char *id, GError **error) {
  if (!hl_id_is_well_formed (id))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ cannot be an id: it begins with a letter or _ and goes on with letters, "
                    "digits, _ or -"),
                 id != NULL ? id : "");
  else if (hl_id_is_reserved (id))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the id ‘%s’ is reserved; choose another"), id);
  else if (hl_document_find (document, id, NULL, NULL) != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the id ‘%s’ is taken; choose another"), id);
  else
    return TRUE;
  return FALSE;
}

char *hl_edit_fresh_id (const HlDocument *document, const char *stem) {
  for (int number = 1;; number++) {
    g_autofree char *id = g_strdup_printf ("%s%d", stem, number);
    if (hl_document_find (document, id, NULL, NULL) == NULL)
      return g_steal_pointer (&id);
  }
}

static void put (HlValue **object, const char *name, HlValue *value) {
  HlValue *next = hl_value_with_at (*object, name, value);

  hl_value_unref (*object);
  *object = next;
}

/* What is required and was not given gets a starting value; references are the caller's business.
 */
static void put_starting_values (HlValue **element, const HlKind *kind) {
  static const double zeros[3] = {0, 0, 0};
  static const double downward[2] = {0, -1};

  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    gboolean given = hl_value_at (*element, field->name) != NULL || !hl_field_matters (kind, field, *element);
    if (field->need == HL_NEED_GROUP)
      given |= field->alternative != 0 || !isnan (hl_kind_number (kind, *element, field->name, NULL));
    else
      given |= field->need != HL_NEED_REQUIRED;
    if (given)
      continue;
    if (field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_SIGNAL)
      put (element, field->name, hl_value_new_number (field->start));
    else if (field->type == HL_FIELD_POSE)
      put (element, field->name, hl_value_new_numbers (zeros, 3));
    else if (field->type == HL_FIELD_VEC2)
      put (element, field->name, hl_value_new_numbers (downward, 2));
    else if (field->type == HL_FIELD_PORTS)
      put (element, field->name, hl_value_new_array ());
  }
}

HlDocument *hl_edit_add (const HlDocument *document, HlSection section, const char *kind_name,
                         HlValue *members, char **id, GError **error) {
  g_autoptr (HlValue) given = members;
  const HlKind *kind = hl_schema_find_kind (section, kind_name);
  const char *given_id = hl_value_string (hl_value_member (given, "id"));

  if (section < 0 || section >= HL_N_ELEMENT_SECTIONS || kind == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no kind ‘%s’"),
                 kind_name != NULL ? kind_name : "");
    return NULL;
  }
  if (given_id != NULL && !hl_edit_id_is_free (document, given_id, error))
    return NULL;
  g_autofree char *new_id =
      given_id != NULL ? g_strdup (given_id) : hl_edit_fresh_id (document, kind->id_stem);
  g_autoptr (HlValue) element = hl_value_with_member (NULL, "id", hl_value_new_string (new_id));
  if (kind->name != NULL)
    put (&element, "kind", hl_value_new_string (kind->name));
  for (gsize i = 0; hl_value_is_object (given) && i < hl_value_length (given); i++)
    if (strcmp (hl_value_key (given, i), "id") != 0 && strcmp (hl_value_key (given, i), "kind") != 0) {
      HlValue *next = hl_value_with_member (element, hl_value_key (given, i),
                                            hl_value_ref (hl_value_member_at (given, i)));
      hl_value_unref (element);
      element = next;
    }
  put_starting_values (&element, kind);
  const HlValue *root = hl_document_root (document);
  const HlValue *list = hl_value_member (root, hl_section_key (section));
  HlValue *longer = hl_value_with_inserted (list, hl_value_length (list), g_steal_pointer (&element));
  if (id != NULL)
    *id = g_steal_pointer (&new_id);
  return hl_document_new (with_list (root, section, longer));
}

/* Adds to the change what falls with it: joints and loads on a body, lines of which no port is
 * left, probes. Sections are in the order in which one can fall with another. */
static void collect_fallen (const HlDocument *document, HlReferenceChange *change) {
  for (HlSection section = HL_SECTION_JOINTS; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++) {
      const HlValue *element = hl_document_element (document, section, i);
      const char *id = hl_document_element_id (document, section, i);
      gboolean falls = hl_reference_element_falls (change, section, element);
      const HlValue *ports = hl_value_member (element, "ports");
      gsize n_left = 0;
      for (gsize p = 0; section == HL_SECTION_LINES && p < hl_value_length (ports); p++) {
        const char *port = hl_value_string (hl_value_item (ports, p));
        g_autofree char *changed = NULL;
        n_left +=
            port == NULL || hl_reference_fate (change, HL_FIELD_PORTS, port, &changed) != HL_REFERENCE_FALLS;
      }
      falls |= section == HL_SECTION_LINES && hl_value_length (ports) > 0 && n_left == 0;
      if (falls && *id != '\0' && !g_hash_table_contains (change->ids, id))
        g_hash_table_insert (change->ids, g_strdup (id), NULL);
    }
}

HlDocument *hl_edit_remove_fallen (const HlDocument *document, HlReferenceChange *change) {
  const HlValue *root = hl_document_root (document);
  g_autoptr (HlValue) mapped = NULL;

  collect_fallen (document, change);
  mapped = hl_reference_apply (change, root);
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    const HlValue *list = hl_value_member (mapped, hl_section_key (section));
    g_autoptr (HlValue) left = hl_value_ref (list);
    for (gsize i = hl_value_length (list); hl_value_is_array (list) && i-- > 0;) {
      const char *id = hl_value_string (hl_value_member (hl_value_item (list, i), "id"));
      if (id == NULL || !g_hash_table_contains (change->ids, id))
        continue;
      HlValue *shorter = hl_value_without_item (left, i);
      hl_value_unref (left);
      left = shorter;
    }
    if (left == list)
      continue;
    HlValue *next = with_list (mapped, section, g_steal_pointer (&left));
    hl_value_unref (mapped);
    mapped = next;
  }
  return hl_document_new (g_steal_pointer (&mapped));
}

HlDocument *hl_edit_remove (const HlDocument *document, const char *const *ids, GError **error) {
  g_autoptr (GHashTable) gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  HlReferenceChange change = {.ids = gone};

  for (int i = 0; ids[i] != NULL; i++) {
    if (find_element (document, ids[i], NULL, NULL, error) == NULL)
      return NULL;
    g_hash_table_insert (gone, g_strdup (ids[i]), NULL);
  }
  return hl_edit_remove_fallen (document, &change);
}

HlDocument *hl_edit_rename (const HlDocument *document, const char *id, const char *new_id, GError **error) {
  g_autoptr (GHashTable) renamed = g_hash_table_new (g_str_hash, g_str_equal);
  HlReferenceChange change = {.ids = renamed};
  HlSection section;
  int index;

  if (find_element (document, id, &section, &index, error) == NULL)
    return NULL;
  if (g_strcmp0 (id, new_id) == 0)
    return hl_document_ref (document);
  if (!hl_edit_id_is_free (document, new_id, error))
    return NULL;
  g_hash_table_insert (renamed, (gpointer)id, (gpointer)new_id);
  g_autoptr (HlValue) mapped = hl_reference_apply (&change, hl_document_root (document));
  const HlValue *list = hl_value_member (mapped, hl_section_key (section));
  HlValue *element =
      hl_value_with_member (hl_value_item (list, (gsize)index), "id", hl_value_new_string (new_id));
  return hl_document_new (with_list (mapped, section, hl_value_with_item (list, (gsize)index, element)));
}

/* "fluid" and the other single objects. */
static HlDocument *set_in_object (const HlDocument *document, HlSection section, const char *field,
                                  HlValue *value) {
  const HlValue *root = hl_document_root (document);
  const HlValue *object = hl_document_object (document, section);
  HlValue *changed;

  if (value != NULL)
    changed = hl_value_with_at (object, field, value);
  else
    changed = object != NULL ? hl_value_without_at (object, field) : hl_value_new_object ();
  if (section == HL_SECTION_MODEL)
    return hl_document_new (changed);
  return hl_document_new (with_list (root, section, changed));
}

HlDocument *hl_edit_set (const HlDocument *document, const char *id, const char *field, HlValue *value,
                         GError **error) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_SIMULATION, HL_SECTION_EQUILIBRIUM,
                                      HL_SECTION_GROUND, HL_SECTION_MODEL};
  g_autoptr (HlValue) given = value;
  HlSection section = HL_SECTION_NONE;
  int index = 0;
  const HlValue *element = hl_document_find (document, id, &section, &index);

  if (strcmp (field, "id") == 0 || strcmp (field, "kind") == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the %s of ‘%s’ cannot be set this way"), field, id);
    return NULL;
  }
  for (gsize i = 0; element == NULL && i < G_N_ELEMENTS (objects); i++)
    if (g_strcmp0 (id, hl_section_noun (objects[i])) == 0)
      return set_in_object (document, objects[i], field, g_steal_pointer (&given));
  if (find_element (document, id, &section, &index, error) == NULL)
    return NULL;
  const HlField *known = hl_kind_find_field (hl_schema_kind_of (section, element), field);
  /* A number goes the way of paths, which knows ranges and the other ways to state a size. */
  if (known != NULL && known->type == HL_FIELD_NUMBER && hl_value_is_number (given)) {
    g_autofree char *path = g_strconcat (id, ".", field, NULL);
    return hl_document_with_number (document, path, hl_value_number (given), error);
  }
  HlValue *changed = given != NULL ? hl_value_with_at (element, field, g_steal_pointer (&given))
                                   : hl_value_without_at (element, field);
  return hl_edit_with_element (document, section, index, changed);
}

static gboolean check_entry (const HlDocument *document, HlSection section, int index, int n,
                             GError **error) {
  if (section >= 0 && section < HL_SECTION_MODEL && index >= 0 && index < n)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no entry %d there"), index);
  return FALSE;
}

HlDocument *hl_edit_insert_entry (const HlDocument *document, HlSection section, int index, HlValue *entry,
                                  GError **error) {
  const HlValue *root = hl_document_root (document);
  int n = hl_document_n_elements (document, section);

  if (!check_entry (document, section, index, n + 1, error)) {
    hl_value_unref (entry);
    return NULL;
  }
  HlValue *list =
      hl_value_with_inserted (hl_value_member (root, hl_section_key (section)), (gsize)index, entry);
  return hl_document_new (with_list (root, section, list));
}

HlDocument *hl_edit_replace_entry (const HlDocument *document, HlSection section, int index, HlValue *entry,
                                   GError **error) {
  if (check_entry (document, section, index, hl_document_n_elements (document, section), error))
    return hl_edit_with_element (document, section, index, entry);
  hl_value_unref (entry);
  return NULL;
}

HlDocument *hl_edit_remove_entry (const HlDocument *document, HlSection section, int index, GError **error) {
  const HlValue *root = hl_document_root (document);

  if (!check_entry (document, section, index, hl_document_n_elements (document, section), error))
    return NULL;
  HlValue *list = hl_value_without_item (hl_value_member (root, hl_section_key (section)), (gsize)index);
  return hl_document_new (with_list (root, section, list));
}

HlDocument *hl_edit_set_layout (const HlDocument *document, const char *view, const char *id, HlValue *place,
                                GError **error) {
  const HlValue *root = hl_document_root (document);
  const HlValue *layout = hl_value_member (root, "layout");
  const HlValue *places = hl_value_member (layout, view);
  HlValue *changed;

  if (id == NULL)
    changed = place != NULL ? place : hl_value_new_object ();
  else if (place != NULL)
    changed = hl_value_with_member (places, id, place);
  else
    changed = places != NULL ? hl_value_without_member (places, id) : hl_value_new_object ();
  return hl_document_new (
      hl_value_with_member (root, "layout", hl_value_with_member (layout, view, changed)));
}

const HlValue *hl_document_layout (const HlDocument *document, const char *view, const char *id) {
  return hl_value_member (hl_value_member (hl_value_member (hl_document_root (document), "layout"), view),
                          id);
}
