/* SPDX-License-Identifier: MIT */
/* Copy and paste through fragments: small models that hold only the copied elements and their
 * places. */
#include "core/edit/hl-edit.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-named-parameters.h"

#include <string.h>

/* Formulas in copied elements. A fragment includes the parameters that its formulas use. On pasting, a
 * parameter with the same name and value is used; a missing parameter is added; a formula whose parameter has
 * another value in the target document is replaced by its number. */

#define PARAMETERS "parameters"

typedef struct {
  const HlDocument *document;
  GHashTable *names; /* borrowed of `kept` */
  GPtrArray *kept;   /* owned names */
} Names;

static gboolean has (const Names *names, const char *name) {
  return g_hash_table_contains (names->names, name);
}

static void add_name (Names *names, const char *name) {
  char *own = g_strdup (name);

  g_ptr_array_add (names->kept, own);
  g_hash_table_add (names->names, own);
}

static Names names_new (const HlDocument *document) {
  return (Names){document, g_hash_table_new (g_str_hash, g_str_equal),
                 g_ptr_array_new_with_free_func (g_free)};
}

static void names_clear (Names *names) {
  g_hash_table_unref (names->names);
  g_ptr_array_unref (names->kept);
}

/* --- copying --- */

/* Adds the parameters of the document that a text names, and those that they depend on. */
static void add_used (Names *names, const char *text) {
  g_auto (GStrv) used = text != NULL ? hl_formula_names (text) : NULL;

  for (int k = 0; used != NULL && used[k] != NULL; k++) {
    const HlValue *stated = hl_document_parameter (names->document, used[k]);
    if (stated == NULL || has (names, used[k]))
      continue;
    add_name (names, used[k]);
    add_used (names, hl_value_text (stated));
  }
}

static HlValue *note_used (gpointer data, const HlValue *value, HlQuantity quantity, const char *place) {
  (void)quantity;
  (void)place;
  add_used (data, hl_value_text (value));
  return NULL;
}

/* Returns a fragment (taken) with the parameters of the document that its numbers rest on. */
static HlValue *copy_parameters (const HlDocument *document, HlValue *fragment) {
  if (hl_document_n_parameters (document) == 0)
    return fragment;
  g_autoptr (HlDocument) alone = hl_document_new (hl_value_ref (fragment));
  g_autoptr (HlValue) parameters = NULL;
  Names names = names_new (document);

  hl_value_unref (hl_document_map_texts (alone, note_used, &names));
  for (int k = 0; k < hl_document_n_parameters (document); k++) {
    const char *name = hl_document_parameter_name (document, k);
    if (!has (&names, name))
      continue;
    HlValue *more =
        hl_value_with_member (parameters, name, hl_value_ref (hl_document_parameter (document, name)));
    hl_value_unref (parameters);
    parameters = more;
  }
  names_clear (&names);
  if (parameters == NULL)
    return fragment;
  HlValue *with = hl_value_with_member (fragment, PARAMETERS, g_steal_pointer (&parameters));
  hl_value_unref (fragment);
  return with;
}

/* --- pasting --- */

static gboolean uses_any (const Names *names, const char *text) {
  g_auto (GStrv) used = text != NULL ? hl_formula_names (text) : NULL;

  for (int k = 0; used != NULL && used[k] != NULL; k++)
    if (has (names, used[k]))
      return TRUE;
  return FALSE;
}

static gboolean is_same (const HlDocument *a, const HlDocument *b, const char *name) {
  HlFormulaValue in_a, in_b;

  return hl_document_parameter_value (a, name, &in_a, NULL) &&
         hl_document_parameter_value (b, name, &in_b, NULL) && in_a.value == in_b.value &&
         in_a.is_open == in_b.is_open && hl_dimension_agrees (in_a.dimension, in_b.dimension);
}

/* Returns the document's root with the fragment's parameters that it lacks, but for `others`. */
static HlValue *with_missing (const HlDocument *document, const HlDocument *fragment, const Names *others) {
  const HlValue *root = hl_document_root (document);
  HlValue *parameters = hl_value_ref (hl_value_member (root, PARAMETERS));
  gboolean any = FALSE;

  for (int k = 0; k < hl_document_n_parameters (fragment); k++) {
    const char *name = hl_document_parameter_name (fragment, k);
    if (hl_document_parameter (document, name) != NULL || has (others, name))
      continue;
    HlValue *more =
        hl_value_with_member (parameters, name, hl_value_ref (hl_document_parameter (fragment, name)));
    hl_value_unref (parameters);
    parameters = more;
    any = TRUE;
  }
  if (any)
    return hl_value_with_member (root, PARAMETERS, parameters);
  hl_value_unref (parameters);
  return hl_value_ref (root);
}

/* Fills `others`, the parameters of the fragment that do not come to the same in the document, and
 * what rests on these. */
static void find_others (const HlDocument *document, const HlDocument *fragment, Names *others) {
  int n = hl_document_n_parameters (fragment), before;
  g_autoptr (HlDocument) both = hl_document_new (with_missing (document, fragment, others));

  for (int k = 0; k < n; k++)
    if (!is_same (fragment, both, hl_document_parameter_name (fragment, k)))
      add_name (others, hl_document_parameter_name (fragment, k));
  do {
    before = (int)others->kept->len;
    for (int k = 0; k < n; k++) {
      const char *name = hl_document_parameter_name (fragment, k);
      if (!has (others, name) && uses_any (others, hl_value_text (hl_document_parameter (fragment, name))))
        add_name (others, name);
    }
  } while ((int)others->kept->len > before);
}

static HlValue *as_number (gpointer data, const HlValue *value, HlQuantity quantity, const char *place) {
  (void)quantity;
  (void)place;
  return hl_value_typed (value) != NULL && uses_any (data, hl_value_typed (value))
             ? hl_value_new_number (hl_value_number (value))
             : NULL;
}

/* Returns the fragment as it is pasted: a formula that would have another value in this document is replaced
 * by its number. *root receives the document's parameters with those that were missing. Both are owned by the
 * caller. */
static HlValue *edit_paste_parameters (const HlDocument *document, const HlValue *fragment, HlValue **root) {
  g_autoptr (HlDocument) from = hl_document_new (hl_value_ref (fragment));
  Names others = names_new (from);

  find_others (document, from, &others);
  *root = with_missing (document, from, &others);
  HlValue *meant = hl_document_map_texts (from, as_number, &others);
  names_clear (&others);
  return meant;
}

/* Returns whether every body that an element names is among the copied ones (the ground does not count). */
static gboolean stands_on (const HlValue *element, const HlKind *kind, GHashTable *ids) {
  int n_bodies = 0;

  for (int i = 0; kind != NULL && i < kind->n_fields; i++) {
    const char *text = hl_value_string (hl_value_member (element, kind->fields[i].name));
    if (text == NULL || (kind->fields[i].type != HL_FIELD_POINT && kind->fields[i].type != HL_FIELD_BODY))
      continue;
    g_autofree char *body = g_strndup (text, strcspn (text, "."));
    if (!g_hash_table_contains (ids, body))
      return FALSE;
    n_bodies++;
  }
  return n_bodies > 1;
}

static HlValue *ports_inside (const HlValue *ports, GHashTable *ids) {
  HlValue *inside = hl_value_new_array ();

  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    g_autofree char *component = port != NULL ? g_strndup (port, strcspn (port, ".")) : NULL;
    if (component == NULL || !g_hash_table_contains (ids, component))
      continue;
    HlValue *longer = hl_value_with_inserted (inside, G_MAXSIZE, hl_value_new_string (port));
    hl_value_unref (inside);
    inside = longer;
  }
  return inside;
}

/* Returns the copy of the element: of named ones, lines between copied components, joints between copied bodies; else
 * NULL. */
static HlValue *copied_element (const HlDocument *document, HlSection section, int index, GHashTable *ids) {
  const HlValue *element = hl_document_element (document, section, index);
  gboolean named = g_hash_table_contains (ids, hl_document_element_id (document, section, index));

  if (section == HL_SECTION_LINES) {
    HlValue *ports = ports_inside (hl_value_member (element, "ports"), ids);
    if (named || hl_value_length (ports) > 1)
      return hl_value_with_member (element, "ports", ports);
    hl_value_unref (ports);
    return NULL;
  }
  if (section == HL_SECTION_JOINTS && !named)
    named = stands_on (element, hl_schema_kind_of (section, element), ids);
  return named ? hl_value_ref (element) : NULL;
}

static HlValue *append_to (HlValue *object, const char *key, HlValue *item) {
  HlValue *with = hl_value_with_member (
      object, key, hl_value_with_inserted (hl_value_member (object, key), G_MAXSIZE, item));

  hl_value_unref (object);
  return with;
}

/* Returns the places of the copied elements in every view. */
static HlValue *copy_layout (const HlDocument *document, GHashTable *copied, HlValue *fragment) {
  const HlValue *layout = hl_value_member (hl_document_root (document), "layout");

  for (gsize view = 0; hl_value_is_object (layout) && view < hl_value_length (layout); view++) {
    const HlValue *places = hl_value_member_at (layout, view);
    for (gsize i = 0; hl_value_is_object (places) && i < hl_value_length (places); i++) {
      g_autofree char *where =
          g_strdup_printf ("layout.%s.%s", hl_value_key (layout, view), hl_value_key (places, i));
      if (!g_hash_table_contains (copied, hl_value_key (places, i)))
        continue;
      HlValue *with = hl_value_with_at (fragment, where, hl_value_ref (hl_value_member_at (places, i)));
      hl_value_unref (fragment);
      fragment = with;
    }
  }
  return fragment;
}

HlValue *hl_edit_copy (const HlDocument *document, const char *const *ids) {
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) copied = g_hash_table_new (g_str_hash, g_str_equal);
  HlValue *fragment = hl_value_new_object ();

  for (int i = 0; ids[i] != NULL; i++)
    g_hash_table_add (wanted, (gpointer)ids[i]);
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++) {
      HlValue *element = copied_element (document, section, i, wanted);
      if (element == NULL)
        continue;
      g_hash_table_add (copied, (gpointer)hl_document_element_id (document, section, i));
      fragment = append_to (fragment, hl_section_key (section), element);
    }
  return copy_parameters (document, copy_layout (document, copied, fragment));
}

/* Returns an id for a copy, "valve2" for a copy of "valve1": the id without its number, with the next free
 * one. */
static char *id_for_copy (const HlDocument *document, GHashTable *given, const char *id) {
  gsize length = strlen (id);

  while (length > 1 && g_ascii_isdigit (id[length - 1]))
    length--;
  g_autofree char *stem = g_strndup (id, length);
  for (int number = 2;; number++) {
    g_autofree char *fresh = g_strdup_printf ("%s%d", stem, number);
    if (hl_document_find (document, fresh, NULL, NULL) == NULL && !g_hash_table_contains (given, fresh))
      return g_steal_pointer (&fresh);
  }
}

/* Returns the old id -> new id for every element of the fragment. */
static GHashTable *ids_for_fragment (const HlDocument *document, const HlValue *fragment) {
  GHashTable *renamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) given = g_hash_table_new (g_str_hash, g_str_equal);

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    const HlValue *list = hl_value_member (fragment, hl_section_key (section));
    for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++) {
      const char *id = hl_value_string (hl_value_member (hl_value_item (list, i), "id"));
      if (id == NULL || g_hash_table_contains (renamed, id))
        continue;
      gboolean free_id = hl_edit_id_is_free (document, id, NULL) && !g_hash_table_contains (given, id);
      char *fresh =
          free_id ? g_strdup (id) : id_for_copy (document, given, hl_id_is_well_formed (id) ? id : "copy1");
      g_hash_table_insert (renamed, g_strdup (id), fresh);
      g_hash_table_add (given, fresh);
    }
  }
  return renamed;
}

/* Returns the ports of a pasted line that exist and are on no other line. */
static HlValue *ports_that_hold (const HlDocument *document, int line, const HlValue *ports) {
  HlValue *hold = hl_value_new_array ();

  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    int component, index;
    if (port == NULL || !hl_document_resolve_port (document, port, &component, &index, NULL) ||
        hl_document_line_of_port (document, port) != line)
      continue;
    HlValue *longer = hl_value_with_inserted (hold, G_MAXSIZE, hl_value_new_string (port));
    hl_value_unref (hold);
    hold = longer;
  }
  return hold;
}

static gboolean field_dangles (const HlDocument *document, const HlField *field, const char *text) {
  double xy[2];
  int body;

  if (text != NULL && field->type == HL_FIELD_POINT)
    return !hl_document_resolve_point (document, text, &body, xy, NULL);
  if (text != NULL && field->type == HL_FIELD_BODY)
    return !hl_document_resolve_body (document, text, &body, NULL);
  return FALSE;
}

/* Returns a pasted element without references to what is not there. */
static HlValue *without_dangling (const HlDocument *document, HlSection section, int index,
                                  const HlValue *element) {
  const HlKind *kind = hl_schema_kind_of (section, element);
  HlValue *clean = hl_value_ref (element);

  for (int i = 0; kind != NULL && i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    const HlValue *value = hl_value_member (element, field->name);
    HlValue *next = NULL;
    if (value != NULL && field->type == HL_FIELD_PORTS)
      next = hl_value_with_member (clean, field->name, ports_that_hold (document, index, value));
    else if (field_dangles (document, field, hl_value_string (value)))
      next = hl_value_without_member (clean, field->name);
    if (next == NULL)
      continue;
    hl_value_unref (clean);
    clean = next;
  }
  return clean;
}

/* Returns the fragment's elements under their new ids at the end of the document's lists. */
static HlValue *append_elements (const HlValue *root, const HlValue *fragment, GHashTable *renamed,
                                 GPtrArray *new_ids) {
  HlValue *whole = hl_value_ref (root);

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    const HlValue *list = hl_value_member (fragment, hl_section_key (section));
    for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++) {
      const HlValue *element = hl_value_item (list, i);
      const char *id = hl_value_string (hl_value_member (element, "id"));
      const char *new_id = id != NULL ? g_hash_table_lookup (renamed, id) : NULL;
      if (new_id == NULL)
        continue;
      whole = append_to (whole, hl_section_key (section),
                         hl_value_with_member (element, "id", hl_value_new_string (new_id)));
      g_ptr_array_add (new_ids, g_strdup (new_id));
    }
  }
  return whole;
}

static HlValue *append_layout (HlValue *root, const HlValue *fragment) {
  const HlValue *layout = hl_value_member (fragment, "layout");

  for (gsize view = 0; hl_value_is_object (layout) && view < hl_value_length (layout); view++) {
    const HlValue *places = hl_value_member_at (layout, view);
    for (gsize i = 0; hl_value_is_object (places) && i < hl_value_length (places); i++) {
      g_autofree char *where =
          g_strdup_printf ("layout.%s.%s", hl_value_key (layout, view), hl_value_key (places, i));
      HlValue *with = hl_value_with_at (root, where, hl_value_ref (hl_value_member_at (places, i)));
      hl_value_unref (root);
      root = with;
    }
  }
  return root;
}

HlDocument *hl_edit_paste (const HlDocument *document, const HlValue *fragment, char ***new_ids,
                           GError **error) {
  if (!hl_value_is_object (fragment)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is nothing to paste"));
    return NULL;
  }
  g_autoptr (GHashTable) renamed = ids_for_fragment (document, fragment);
  HlReferenceChange change = {.ids = renamed};
  g_autoptr (HlValue) root = NULL;
  g_autoptr (HlValue) meant = edit_paste_parameters (document, fragment, &root);
  g_autoptr (HlValue) followed = hl_reference_apply (&change, meant);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  HlValue *whole = append_elements (root, followed, renamed, ids);
  g_autoptr (HlDocument) pasted = hl_document_new (append_layout (whole, followed));

  for (guint i = 0; i < ids->len; i++) {
    HlSection section;
    int index;
    const HlValue *element = hl_document_find (pasted, g_ptr_array_index (ids, i), &section, &index);
    HlValue *clean = without_dangling (pasted, section, index, element);
    if (clean == element) {
      hl_value_unref (clean);
      continue;
    }
    HlDocument *next = hl_edit_with_element (pasted, section, index, clean);
    hl_document_unref (pasted);
    pasted = next;
  }
  if (new_ids != NULL) {
    g_ptr_array_add (ids, NULL);
    g_ptr_array_set_free_func (ids, NULL);
    *new_ids = (char **)g_ptr_array_free (g_steal_pointer (&ids), FALSE);
  }
  return g_steal_pointer (&pasted);
}
