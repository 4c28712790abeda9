/* SPDX-License-Identifier: MIT */
/* Building and changing a model: the edit verbs of the window, each followed by the checks of the element that changed. A
 * change that leaves an error in that element is refused and leaves the model as it was. */
#include "core/api/hl-api-private.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-similar-names.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"

#include <string.h>

HydrolinkModel *hydrolink_new (void) {
  HydrolinkModel *model = g_new0 (HydrolinkModel, 1);
  g_autoptr (HlValue) root = hl_value_with_member (NULL, "format", hl_value_new_string ("hydrolink"));

  model->document = hl_document_new (hl_value_with_member (root, "version", hl_value_new_number (1)));
  return model;
}

/* --- checks --- */

/* Returns whether a member of an element is a property of its kind, or the beginning of one ("friction"). */
static gboolean is_property (const HlKind *kind, const char *name) {
  gsize length = strlen (name);

  if (strcmp (name, "id") == 0 || strcmp (name, "kind") == 0)
    return TRUE;
  for (int k = 0; k < kind->n_fields; k++)
    if (strncmp (kind->fields[k].name, name, length) == 0 &&
        (kind->fields[k].name[length] == '\0' || kind->fields[k].name[length] == '.'))
      return TRUE;
  return FALSE;
}

/* Refuses members that no equation reads: in a file they may belong to a later version, in code they are mistakes. */
static gboolean check_names (const HlKind *kind, const HlValue *object, const char *before, const char *id,
                             GError **error) {
  for (gsize k = 0; kind->n_fields > 0 && hl_value_is_object (object) && k < hl_value_length (object); k++) {
    g_autofree char *name = g_strconcat (before, hl_value_key (object, k), NULL);
    if (is_property (kind, name)) {
      g_autofree char *inner = g_strconcat (name, ".", NULL);
      if (hl_kind_find_field (kind, name) == NULL &&
          !check_names (kind, hl_value_member_at (object, k), inner, id, error))
        return FALSE;
      continue;
    }
    g_autofree char *near = hl_near_fields (kind, name);
    const char *what = kind->name != NULL ? kind->name : hl_section_noun (kind->section);
    if (near != NULL)
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("%s: a %s has no property ‘%s’; perhaps %s"), id, what,
                   name, near);
    else
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("%s: a %s has no property ‘%s’"), id, what, name);
    return FALSE;
  }
  return TRUE;
}

/* Checks that every entry is a port, and on this line only. */
static gboolean check_ports (const HlDocument *document, int line, GError **error) {
  const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");

  for (gsize k = 0; hl_value_is_array (ports) && k < hl_value_length (ports); k++) {
    const char *port = hl_value_string (hl_value_item (ports, k));
    int component, index;
    if (port == NULL) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("entry %d is not a text"), (int)k);
      return FALSE;
    }
    if (!hl_document_resolve_port (document, port, &component, &index, error))
      return FALSE;
    int first = hl_document_line_of_port (document, port);
    if (first != line) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("port ‘%s’ is also connected to ‘%s’"), port,
                   hl_document_element_id (document, HL_SECTION_LINES, first));
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean check_place (const HlDocument *document, HlSection section, int index, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  gboolean is_list = section < HL_SECTION_MODEL;
  const HlValue *element =
      is_list ? hl_document_element (document, section, index) : hl_document_object (document, section);
  const HlKind *kind = hl_schema_kind_of (section, element);
  const char *id = section < HL_N_ELEMENT_SECTIONS ? hl_document_element_id (document, section, index)
                                                   : hl_section_noun (section);

  hl_check_place (document, section, index, findings);
  const HlFinding *first = hl_findings_first_error (findings);
  if (first != NULL) {
    g_autofree char *text = hl_finding_format (first);
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
    return FALSE;
  }
  if (kind != NULL && section != HL_SECTION_MODEL && !check_names (kind, element, "", id, error))
    return FALSE;
  return section != HL_SECTION_LINES || check_ports (document, index, error);
}

/* Takes the changed document; the element is looked over before. */
static int accept_change (HydrolinkModel *model, HlDocument *changed, HlSection section, int index,
                          GError *why, char **error) {
  if (changed != NULL && !check_place (changed, section, index, &why))
    g_clear_pointer (&changed, hl_document_unref);
  return hl_api_replace_document (model, changed, why, error);
}

/* --- verbs --- */

static HlValue *parse_members (const char *text, GError **error) {
  HlValue *members = hl_json_parse (text, strlen (text), NULL, error);

  if (members == NULL || hl_value_is_object (members))
    return members;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("this entry must be an object"));
  hl_value_unref (members);
  return NULL;
}

/* Finds the section of a list by its name in the file; the next function finds that of an element of a kind;
 * -1: there is none. */
static int find_list (const char *list) {
  for (int section = 0; section < HL_SECTION_MODEL; section++)
    if (g_strcmp0 (hl_section_key ((HlSection)section), list) == 0)
      return section;
  return -1;
}

/* Returns the kind of new members; NULL and an error that names similar kinds. */
static const HlKind *kind_of_members (HlSection section, const HlValue *members, GError **error) {
  const char *name = hl_value_string (hl_value_member (members, "kind"));
  const HlKind *kind = hl_section_has_kinds (section) ? hl_schema_find_kind (section, name)
                                                      : hl_schema_find_kind (section, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (kind != NULL)
    return kind;
  for (int k = 0; hl_schema_kind (section, k) != NULL; k++)
    g_ptr_array_add (names, (gpointer)hl_schema_kind (section, k)->name);
  g_ptr_array_add (names, NULL);
  g_autofree char *near = name != NULL ? hl_near_names ((const char *const *)names->pdata, name) : NULL;
  g_autofree char *all = g_strjoinv (", ", (char **)names->pdata);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no %s of the kind ‘%s’; choose from %s"),
               _ (hl_section_noun (section)), name != NULL ? name : "", near != NULL ? near : all);
  return NULL;
}

/* Returns the members with the id first, then the kind, as in files; takes the members. */
static HlValue *with_id_first (const HlDocument *document, const HlKind *kind, HlValue *members) {
  g_autoptr (HlValue) given = members;
  const char *id = hl_value_string (hl_value_member (given, "id"));
  const HlValue *own_id = hl_value_member (given, "id");
  HlValue *element = hl_value_with_member (
      NULL, "id",
      own_id != NULL ? hl_value_ref (own_id)
                     : hl_value_new_string (id = hl_edit_fresh_id (document, kind->id_stem)));

  if (own_id == NULL)
    g_free ((char *)id);
  for (gsize k = 0; k < hl_value_length (given); k++) {
    if (strcmp (hl_value_key (given, k), "id") == 0)
      continue;
    HlValue *next =
        hl_value_with_member (element, hl_value_key (given, k), hl_value_ref (hl_value_member_at (given, k)));
    hl_value_unref (element);
    element = next;
  }
  return element;
}

int hydrolink_n_kinds (const char *list) {
  int section = find_list (list), n = 0;

  while (section >= 0 && hl_section_has_kinds ((HlSection)section) &&
         hl_schema_kind ((HlSection)section, n) != NULL)
    n++;
  return n;
}

const char *hydrolink_kind (const char *list, int index) {
  return index >= 0 && index < hydrolink_n_kinds (list)
             ? hl_schema_kind ((HlSection)find_list (list), index)->name
             : NULL;
}

char *hydrolink_add (HydrolinkModel *model, const char *list, const char *members, char **error) {
  GError *why = NULL;
  int section = find_list (list);
  HlValue *element = NULL;
  const HlKind *kind = NULL;

  if (section < 0)
    g_set_error (&why, HL_ERROR, HL_ERROR_USAGE, _ ("a model has no list ‘%s’"), list != NULL ? list : "");
  else if ((element = parse_members (members, &why)) != NULL)
    kind = kind_of_members ((HlSection)section, element, &why);
  if (kind == NULL) {
    hl_value_unref (element);
    hl_api_fail (why, error);
    return NULL;
  }
  if (section < HL_N_ELEMENT_SECTIONS)
    element = with_id_first (model->document, kind, element);
  g_autofree char *id = g_strdup (hl_value_string (hl_value_member (element, "id")));
  int index = hl_document_n_elements (model->document, (HlSection)section);
  HlDocument *changed = hl_edit_insert_entry (model->document, (HlSection)section, index, element, &why);
  if (!accept_change (model, changed, (HlSection)section, index, why, error))
    return NULL;
  return id != NULL ? g_steal_pointer (&id) : g_strdup ("");
}

int hydrolink_remove (HydrolinkModel *model, const char *id, char **error) {
  const char *const ids[] = {id, NULL};
  GError *why = NULL;
  HlDocument *changed = hl_edit_remove (model->document, ids, &why);

  return hl_api_replace_document (model, changed, why, error);
}

int hydrolink_rename (HydrolinkModel *model, const char *id, const char *new_id, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_edit_rename (model->document, id, new_id, &why);

  return hl_api_replace_document (model, changed, why, error);
}

/* Changes a named parameter; value NULL removes it. */
static HlDocument *change_parameter (const HlDocument *document, const char *name, const HlValue *value,
                                     GError **error) {
  char text[HL_NUMBER_TEXT];

  if (value == NULL)
    return hl_edit_remove_parameter (document, name, error);
  const char *typed = hl_value_typed (value) != NULL ? hl_value_typed (value) : hl_value_string (value);
  if (typed == NULL && !hl_value_is_number (value)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("parameter ‘%s’ must be a number or a text"), name);
    return NULL;
  }
  return hl_edit_set_parameter (
      document, name, typed != NULL ? typed : hl_number_text (text, hl_value_number (value)), error);
}

/* Returns the section of "fluid" and the other single objects; HL_SECTION_NONE: an element. */
static HlSection section_of_object (const char *id) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_SIMULATION, HL_SECTION_EQUILIBRIUM,
                                      HL_SECTION_GROUND, HL_SECTION_MODEL};

  for (gsize k = 0; k < G_N_ELEMENTS (objects); k++)
    if (g_strcmp0 (id, hl_section_noun (objects[k])) == 0)
      return objects[k];
  return HL_SECTION_NONE;
}

int hydrolink_change (HydrolinkModel *model, const char *id, const char *property, const char *value,
                      char **error) {
  GError *why = NULL;
  g_autoptr (HlValue) parsed = NULL;
  HlSection section = section_of_object (id);
  int index = 0;

  if (value != NULL) {
    /* a number or text alone is no JSON text of the parser: it becomes the entry of a list */
    g_autofree char *around = g_strconcat ("[", value, "]", NULL);
    g_autoptr (HlValue) list = hl_json_parse (around, strlen (around), NULL, &why);
    if (list == NULL || hl_value_length (list) != 1) {
      if (why == NULL)
        g_set_error (&why, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not one JSON value"), value);
      return hl_api_fail (why, error);
    }
    parsed = hl_value_ref (hl_value_item (list, 0));
  }
  if (g_strcmp0 (id, "parameters") == 0) {
    HlDocument *changed = change_parameter (model->document, property, parsed, &why);
    return hl_api_replace_document (model, changed, why, error);
  }
  HlDocument *changed =
      hl_edit_set (model->document, id, property, parsed != NULL ? hl_value_ref (parsed) : NULL, &why);
  if (changed != NULL && section == HL_SECTION_NONE)
    hl_document_find (changed, id, &section, &index);
  return accept_change (model, changed, section, index, why, error);
}

char *hydrolink_connect (HydrolinkModel *model, const char *a, const char *b, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_edit_draw_line (model->document, a, b, &why);

  if (!hl_api_replace_document (model, changed, why, error))
    return NULL;
  int line = hl_document_line_of_port (model->document, a);
  if (line < 0)
    line = hl_document_line_of_port (model->document, b);
  return g_strdup (line >= 0 ? hl_document_element_id (model->document, HL_SECTION_LINES, line) : "");
}

int hydrolink_disconnect (HydrolinkModel *model, const char *port, char **error) {
  GError *why = NULL;
  HlDocument *changed = hl_edit_disconnect (model->document, port, &why);

  return hl_api_replace_document (model, changed, why, error);
}
