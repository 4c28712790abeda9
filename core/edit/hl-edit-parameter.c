/* SPDX-License-Identifier: MIT */
/* Edits of named parameters. A change that would leave a number without a value is refused, so that the
 * window never makes a model that cannot be computed; files may contain such numbers. */

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"

#include <string.h>

#define MOST_NAMED 6 /* users in a message */

/* Returns the path of a place: "cyl.friction.Fc" for "components.4.friction.Fc". Owned by the caller. */
static char *path_of_place (const HlDocument *document, const char *place) {
  g_auto (GStrv) parts = g_strsplit (place, ".", 3);

  for (HlSection section = 0; section < HL_SECTION_MODEL && g_strv_length (parts) == 3; section++) {
    if (strcmp (parts[0], hl_section_key (section)) != 0)
      continue;
    const char *id = hl_document_element_id (document, section, (int)g_ascii_strtoll (parts[1], NULL, 10));
    return *id != '\0' ? g_strdup_printf ("%s.%s", id, parts[2])
                       : g_strdup_printf ("%s[%s].%s", parts[0], parts[1], parts[2]);
  }
  return g_strdup (place);
}

static gboolean value_uses_name (const HlValue *value, const char *name) {
  const char *text = hl_value_text (value);
  g_auto (GStrv) names = text != NULL ? hl_formula_names (text) : NULL;

  return names != NULL && g_strv_contains ((const char *const *)names, name);
}

typedef struct {
  const HlDocument *document;
  const char *name, *new_name;
  GStrvBuilder *users;
} Search;

static HlValue *note_user (gpointer data, const HlValue *value, HlQuantity quantity, const char *place) {
  Search *search = data;
  g_autofree char *path = NULL;

  (void)quantity;
  if (value_uses_name (value, search->name)) {
    path = path_of_place (search->document, place);
    g_strv_builder_add (search->users, path);
  }
  return NULL;
}

/* Returns the uses of a parameter as paths, other parameters by their name, in file order. Free with
 * g_strfreev (). */
static char **users_of (const HlDocument *document, const char *name) {
  g_autoptr (GStrvBuilder) users = g_strv_builder_new ();
  Search search = {.document = document, .name = name, .users = users};

  for (int i = 0; i < hl_document_n_parameters (document); i++) {
    const char *other = hl_document_parameter_name (document, i);
    if (value_uses_name (hl_document_parameter (document, other), name))
      g_strv_builder_add (users, other);
  }
  hl_value_unref (hl_document_map_texts (document, note_user, &search));
  return g_strv_builder_end (users);
}

static gboolean check_name (const HlDocument *document, const char *name, gboolean is_new, GError **error) {
  if (!hl_formula_is_name (name))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ cannot be the name of a parameter; start with a letter or _, continue with "
                    "letters, digits or _, and use no name of a function"),
                 name);
  else if (is_new && hl_document_parameter (document, name) != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("a parameter ‘%s’ already exists"), name);
  else
    return TRUE;
  return FALSE;
}

static HlDocument *with_parameters (const HlDocument *document, HlValue *parameters) {
  return hl_document_new (hl_value_with_member (hl_document_root (document), "parameters", parameters));
}

typedef struct {
  const HlDocument *document; /* as it was */
  char *place;                /* of a number that has lost its value; owned, NULL: none has */
} Loss;

static HlValue *note_loss (gpointer data, const HlValue *value, HlQuantity quantity, const char *place) {
  Loss *loss = data;

  (void)quantity;
  if (loss->place == NULL && hl_value_is_string (value) &&
      hl_value_typed (hl_value_at (hl_document_root (loss->document), place)) != NULL)
    loss->place = path_of_place (loss->document, place);
  return NULL;
}

/* Returns whether everything that had a value has one still. */
static gboolean keeps_values (const HlDocument *before, const HlDocument *after, GError **error) {
  Loss loss = {.document = before};
  HlFormulaValue value;

  for (int i = 0; i < hl_document_n_parameters (after); i++) {
    const char *name = hl_document_parameter_name (after, i);
    if (hl_document_parameter_value (before, name, &value, NULL) &&
        !hl_document_parameter_value (after, name, &value, error))
      return FALSE;
  }
  hl_value_unref (hl_document_map_texts (after, note_loss, &loss));
  g_autofree char *path = loss.place;
  if (path == NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("without this parameter, %s would have no value"), path);
  return FALSE;
}

HlDocument *hl_edit_set_parameter (const HlDocument *document, const char *name, const char *text,
                                   GError **error) {
  const HlValue *parameters = hl_value_member (hl_document_root (document), "parameters");
  HlFormulaValue value;

  if (hl_document_parameter (document, name) == NULL) {
    if (!check_name (document, name, TRUE, error) ||
        !hl_formula_evaluate (text, hl_document_lookup, (gpointer)document, &value, NULL, error))
      return NULL;
    g_autoptr (HlDocument) with =
        with_parameters (document, hl_value_with_member (parameters, name, hl_value_new_number (0)));
    return hl_edit_set_parameter (with, name, text, error);
  }
  g_autoptr (HlDocument) changed = hl_document_with_text (document, name, text, error);
  if (changed == NULL || !keeps_values (document, changed, error))
    return NULL;
  return g_steal_pointer (&changed);
}

static HlValue *rename_text (const HlValue *value, const char *name, const char *new_name) {
  if (!value_uses_name (value, name))
    return NULL;
  g_autofree char *renamed = hl_formula_rename (hl_value_text (value), name, new_name);
  return hl_value_new_string (renamed);
}

static HlValue *rename_in_number (gpointer data, const HlValue *value, HlQuantity quantity,
                                  const char *place) {
  Search *search = data;

  (void)quantity;
  (void)place;
  return rename_text (value, search->name, search->new_name);
}

static void replace_value (HlValue **object, HlValue *changed) {
  hl_value_unref (*object);
  *object = changed;
}

/* Returns the root with the sliders, probes and set values of a path moved to another path; NULL: removed. */
static HlValue *with_path (const HlDocument *document, HlValue *root, const char *path,
                           const char *new_path) {
  for (int i = hl_document_n_elements (document, HL_SECTION_SLIDERS); i-- > 0;) {
    const HlValue *sliders = hl_value_member (root, "sliders");
    const HlValue *slider = hl_value_item (sliders, (gsize)i);
    if (g_strcmp0 (hl_value_string (hl_value_member (slider, "path")), path) != 0)
      continue;
    HlValue *left =
        new_path != NULL
            ? hl_value_with_item (sliders, (gsize)i,
                                  hl_value_with_member (slider, "path", hl_value_new_string (new_path)))
            : hl_value_without_item (sliders, (gsize)i);
    replace_value (&root, hl_value_with_member (root, "sliders", left));
  }
  for (int i = 0; i < hl_document_n_sets (document); i++) {
    g_autofree char *place = g_strdup_printf ("parameter_sets.%d.values", i);
    const HlValue *values = hl_value_at (root, place);
    if (hl_value_member (values, path) != NULL)
      replace_value (&root,
                     hl_value_with_at (root, place,
                                       new_path != NULL ? hl_value_with_key_renamed (values, path, new_path)
                                                        : hl_value_without_member (values, path)));
  }
  for (int i = 0; new_path != NULL && i < hl_document_n_probes (document); i++) {
    g_autofree char *place = g_strdup_printf ("probes.%d.of", i);
    if (g_strcmp0 (hl_value_string (hl_value_at (root, place)), path) == 0)
      replace_value (&root, hl_value_with_at (root, place, hl_value_new_string (new_path)));
  }
  return root;
}

HlDocument *hl_edit_rename_parameter (const HlDocument *document, const char *name, const char *new_name,
                                      GError **error) {
  Search search = {.name = name, .new_name = new_name};
  HlFormulaValue value;

  if (hl_document_parameter (document, name) == NULL) {
    hl_document_parameter_value (document, name, &value, error);
    return NULL;
  }
  if (strcmp (name, new_name) == 0)
    return hl_document_ref (document);
  if (!check_name (document, new_name, TRUE, error))
    return NULL;
  HlValue *root = hl_document_map_texts (document, rename_in_number, &search);
  HlValue *parameters = hl_value_with_key_renamed (hl_value_member (root, "parameters"), name, new_name);
  for (gsize i = 0; i < hl_value_length (parameters); i++) {
    HlValue *renamed = rename_text (hl_value_member_at (parameters, i), name, new_name);
    if (renamed != NULL)
      replace_value (&parameters, hl_value_with_member (parameters, hl_value_key (parameters, i), renamed));
  }
  replace_value (&root, hl_value_with_member (root, "parameters", parameters));
  return hl_document_new (with_path (document, root, name, new_name));
}

HlDocument *hl_edit_remove_parameter (const HlDocument *document, const char *name, GError **error) {
  g_auto (GStrv) users = users_of (document, name);
  HlFormulaValue value;

  if (hl_document_parameter (document, name) == NULL) {
    hl_document_parameter_value (document, name, &value, error);
    return NULL;
  }
  guint n = g_strv_length (users);
  if (n > 0) {
    g_autoptr (GString) named = g_string_new (users[0]);
    for (guint k = 1; k < MIN (n, MOST_NAMED); k++)
      g_string_append_printf (named, ", %s", users[k]);
    g_string_append (named, n > MOST_NAMED ? " …" : "");
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is used by %s"), name, named->str);
    return NULL;
  }
  const HlValue *root = hl_document_root (document);
  HlValue *parameters = hl_value_without_member (hl_value_member (root, "parameters"), name);
  return hl_document_new (
      with_path (document, hl_value_with_member (root, "parameters", parameters), name, NULL));
}

/* --- sliders --- */

gboolean hl_edit_slider_acts (const HlDocument *document, const HlSlider *slider) {
  HlPathInfo info;
  double value;

  return hl_path_find (document, slider->path, &info, NULL) && info.type != HL_PATH_OUTPUT &&
         hl_document_get_number (document, slider->path, &value, NULL, NULL) && slider->from < slider->to &&
         (!slider->log || slider->from > 0);
}

static gboolean has_acting_slider (const HlDocument *document, const char *path) {
  for (int i = 0; i < hl_document_n_sliders (document); i++) {
    HlSlider slider;
    if (hl_document_slider (document, i, &slider) && strcmp (slider.path, path) == 0)
      return hl_edit_slider_acts (document, &slider);
  }
  return FALSE;
}

HlDocument *hl_edit_drop_sliders (const HlDocument *before, HlDocument *document) {
  for (int i = hl_document_n_sliders (document); i-- > 0;) {
    HlSlider slider;
    if (!hl_document_slider (document, i, &slider) || hl_edit_slider_acts (document, &slider) ||
        !has_acting_slider (before, slider.path))
      continue;
    HlDocument *without = hl_edit_remove_entry (document, HL_SECTION_SLIDERS, i, NULL);
    hl_document_unref (document);
    document = without;
  }
  return document;
}
