/* SPDX-License-Identifier: MIT */
/* Elements are matched by their ids, so that a changed order is no difference. Inside an element
 * both trees are walked together down to numbers and texts. */
#include "core/edit/hl-document-difference.h"

#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/formula/hl-formula.h"

#include <math.h>
#include <string.h>

typedef struct {
  const HlDocument *before, *after;
  GPtrArray *differences;
  /* of the element that is compared at the moment */
  HlSection section;
  gsize prefix; /* length of "ID." in its paths */
  const HlValue *before_element, *after_element;
} Comparison;

/* Frees the strings too; NULL is fine. */
static void difference_free (HlDifference *difference) {
  if (difference == NULL)
    return;
  g_free (difference->path);
  g_free (difference->before_text);
  g_free (difference->after_text);
  g_free (difference);
}

/* Returns the text of a value that is not a number; NULL if there is no value. */
static char *in_words (const HlValue *value) {
  g_autoptr (GString) text = NULL;

  if (value == NULL)
    return NULL;
  switch (hl_value_type (value)) {
  case HL_VALUE_STRING:
    return g_strdup (hl_value_string (value));
  case HL_VALUE_BOOLEAN:
    return g_strdup (hl_value_boolean (value) ? "true" : "false");
  case HL_VALUE_NUMBER: {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup (g_ascii_formatd (number, sizeof number, "%.6g", hl_value_number (value)));
  }
  case HL_VALUE_NULL:
    return g_strdup ("null");
  default:
    text = g_string_new (NULL);
    for (gsize i = 0; i < hl_value_length (value); i++) {
      const char *key = hl_value_key (value, i);
      g_autofree char *item =
          in_words (key != NULL ? hl_value_member_at (value, i) : hl_value_item (value, i));
      g_string_append_printf (text, "%s%s%s%s", i > 0 ? ", " : "", key != NULL ? key : "",
                              key != NULL ? " " : "", item);
    }
    return g_strdup (text->str);
  }
}

/* Returns the path "link2.angle" for the place pose.2 of the file. */
static char *path_of (const char *where) {
  static const char *const names[][2] = {
      {".pose.0", ".x"},          {".pose.1", ".y"},         {".pose.2", ".angle"}, {".velocity.0", ".vx"},
      {".velocity.1", ".vy"},     {".velocity.2", ".omega"}, {".com.0", ".com.x"},  {".com.1", ".com.y"},
      {"gravity.0", "gravity.x"}, {"gravity.1", "gravity.y"}};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (where, names[i][0])) {
      g_autofree char *stem = g_strndup (where, strlen (where) - strlen (names[i][0]));
      return g_strconcat (stem, names[i][1], NULL);
    }
  if (strstr (where, "points.") != NULL &&
      (g_str_has_suffix (where, ".0") || g_str_has_suffix (where, ".1"))) {
    g_autofree char *stem = g_strndup (where, strlen (where) - 2);
    const char *axis = g_str_has_suffix (where, ".0") ? ".x" : ".y";
    /* the ground's points are addressed without "points" */
    if (g_str_has_prefix (stem, "ground.points."))
      return g_strconcat ("ground.", stem + strlen ("ground.points."), axis, NULL);
    return g_strconcat (stem, axis, NULL);
  }
  return g_strdup (where);
}

/* Returns the number of a document by path, the default where it states none. */
static double number_at (const HlDocument *document, const char *path) {
  double value;
  return hl_document_get_number (document, path, &value, NULL, NULL) ? value : NAN;
}

/* Returns a choice that is not stated; NULL: none. */
static char *text_by_default (const Comparison *comparison, const HlValue *element, const char *where) {
  const HlKind *kind = hl_schema_kind_of (comparison->section, element);

  if (kind == NULL || strlen (where) <= comparison->prefix)
    return NULL;
  return g_strdup (hl_kind_text (kind, element, where + comparison->prefix));
}

static void add_difference (Comparison *comparison, const char *where, const HlValue *before,
                            const HlValue *after) {
  HlDifference *difference = g_new0 (HlDifference, 1);
  HlPathInfo info;

  difference->path = path_of (where);
  difference->before = hl_value_number (before);
  difference->after = hl_value_number (after);
  if (hl_path_find (comparison->after, difference->path, &info, NULL) ||
      hl_path_find (comparison->before, difference->path, &info, NULL)) {
    difference->quantity = info.quantity;
    if (before == NULL)
      difference->before = number_at (comparison->before, difference->path);
    if (after == NULL)
      difference->after = number_at (comparison->after, difference->path);
  }
  difference->is_number = (isfinite (difference->before) || isfinite (difference->after)) &&
                          (before == NULL || hl_value_is_number (before)) &&
                          (after == NULL || hl_value_is_number (after));
  if (difference->is_number && difference->before == difference->after) {
    difference_free (difference); /* stated here, left to its default there */
    return;
  }
  if (!difference->is_number) {
    difference->before_text =
        before != NULL ? in_words (before) : text_by_default (comparison, comparison->before_element, where);
    difference->after_text =
        after != NULL ? in_words (after) : text_by_default (comparison, comparison->after_element, where);
    if (g_strcmp0 (difference->before_text, difference->after_text) == 0) {
      difference_free (difference);
      return;
    }
  }
  g_ptr_array_add (comparison->differences, difference);
}

static void compare_values (Comparison *comparison, const char *where, const HlValue *before,
                            const HlValue *after);

static void walk_member (Comparison *comparison, const char *where, const char *key, const HlValue *before,
                         const HlValue *after) {
  g_autofree char *inner = *where != '\0' ? g_strconcat (where, ".", key, NULL) : g_strdup (key);
  compare_values (comparison, inner, before, after);
}

static void compare_values (Comparison *comparison, const char *where, const HlValue *before,
                            const HlValue *after) {
  if (before == after || (before != NULL && after != NULL && hl_value_equal (before, after)))
    return;
  if (hl_value_is_object (before) && hl_value_is_object (after)) {
    for (gsize i = 0; i < hl_value_length (before); i++) {
      const char *key = hl_value_key (before, i);
      walk_member (comparison, where, key, hl_value_member_at (before, i), hl_value_member (after, key));
    }
    for (gsize i = 0; i < hl_value_length (after); i++)
      if (hl_value_member (before, hl_value_key (after, i)) == NULL)
        walk_member (comparison, where, hl_value_key (after, i), NULL, hl_value_member_at (after, i));
    return;
  }
  if (hl_value_is_array (before) && hl_value_is_array (after) &&
      hl_value_length (before) == hl_value_length (after)) {
    for (gsize i = 0; i < hl_value_length (before); i++) {
      char index[16];
      g_snprintf (index, sizeof index, "%u", (guint)i);
      walk_member (comparison, where, index, hl_value_item (before, i), hl_value_item (after, i));
    }
    return;
  }
  /* an object that only one of them has: compares its members, so that numbers stay numbers */
  const HlValue *only = before == NULL ? after : after == NULL ? before : NULL;
  if (hl_value_is_object (only) || hl_value_is_number (hl_value_item (only, 0))) {
    for (gsize i = 0; i < hl_value_length (only); i++) {
      char index[16];
      const char *key = hl_value_key (only, i);
      const HlValue *member = key != NULL ? hl_value_member_at (only, i) : hl_value_item (only, i);
      g_snprintf (index, sizeof index, "%u", (guint)i);
      walk_member (comparison, where, key != NULL ? key : index, before != NULL ? member : NULL,
                   after != NULL ? member : NULL);
    }
    return;
  }
  add_difference (comparison, where, before, after);
}

/* --- the model --- */

static void compare_elements (Comparison *comparison, HlSection section, const char *id,
                              const HlValue *before, const HlValue *after) {
  comparison->section = section;
  comparison->prefix = strlen (id) + 1;
  comparison->before_element = before;
  comparison->after_element = after;
  compare_values (comparison, id, before, after);
}

/* Adds an element that only one document has as one difference: its kind. */
static void add_element (Comparison *comparison, HlSection section, const HlValue *element,
                         gboolean is_before) {
  HlDifference *difference = g_new0 (HlDifference, 1);
  const char *kind = hl_value_string (hl_value_member (element, "kind"));
  const char *id = hl_value_string (hl_value_member (element, "id"));
  char *words = g_strdup (kind != NULL ? kind : hl_section_noun (section));

  difference->path = g_strdup (id != NULL ? id : "");
  difference->before = difference->after = NAN;
  if (is_before)
    difference->before_text = words;
  else
    difference->after_text = words;
  g_ptr_array_add (comparison->differences, difference);
}

/* Returns the element of that id, at the same index if it is there: so two elements that share an id by mistake are
 * distinguished. NULL: none. */
static const HlValue *find_partner (const HlDocument *document, HlSection section, int index,
                                    const char *id) {
  HlSection found;

  if (index < hl_document_n_elements (document, section) &&
      strcmp (hl_document_element_id (document, section, index), id) == 0)
    return hl_document_element (document, section, index);
  const HlValue *element = hl_document_find (document, id, &found, NULL);
  return element != NULL && found == section ? element : NULL;
}

static void compare_section (Comparison *comparison, HlSection section) {
  for (int i = 0; i < hl_document_n_elements (comparison->before, section); i++) {
    const HlValue *element = hl_document_element (comparison->before, section, i);
    const char *id = hl_document_element_id (comparison->before, section, i);
    const HlValue *other = find_partner (comparison->after, section, i, id);
    if (other != NULL)
      compare_elements (comparison, section, id, element, other);
    else
      add_element (comparison, section, element, TRUE);
  }
  for (int i = 0; i < hl_document_n_elements (comparison->after, section); i++) {
    const char *id = hl_document_element_id (comparison->after, section, i);
    if (find_partner (comparison->before, section, i, id) == NULL)
      add_element (comparison, section, hl_document_element (comparison->after, section, i), FALSE);
  }
}

GPtrArray *hl_document_differences (const HlDocument *before, const HlDocument *after) {
  static const HlSection lists[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS,
                                    HL_SECTION_COMPONENTS, HL_SECTION_LINES};
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_GROUND, HL_SECTION_EQUILIBRIUM,
                                      HL_SECTION_SIMULATION};
  Comparison comparison = {before, after, g_ptr_array_new_with_free_func ((GDestroyNotify)difference_free)};

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    compare_section (&comparison, lists[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    compare_elements (&comparison, objects[i], hl_section_key (objects[i]),
                      hl_document_object (before, objects[i]), hl_document_object (after, objects[i]));
  compare_values (&comparison, "gravity", hl_value_member (hl_document_root (before), "gravity"),
                  hl_value_member (hl_document_root (after), "gravity"));
  return comparison.differences;
}

gboolean hl_document_lost_formula_at (const HlDocument *before, const HlDocument *after, const char *path) {
  const char *typed = hl_document_typed (before, path);
  HlPathInfo info;

  return typed != NULL && hl_document_typed (after, path) == NULL &&
         hl_path_find (before, path, &info, NULL) && hl_formula_is_one (typed, info.quantity);
}

char *hl_document_lost_formula (const HlDocument *before, const HlDocument *after) {
  if (hl_document_n_parameters (before) == 0) /* most drawings: nothing to look for */
    return NULL;

  g_autoptr (GPtrArray) differences = hl_document_differences (before, after);
  for (guint i = 0; i < differences->len; i++) {
    const HlDifference *difference = differences->pdata[i];
    if (difference->is_number && isfinite (difference->after) &&
        hl_document_lost_formula_at (before, after, difference->path))
      return g_strdup (difference->path);
  }
  return NULL;
}

gboolean hl_document_same_model (const HlDocument *a, const HlDocument *b) {
  static const char *const pictures[] = {"layout",         "plots",   "sliders",     "probes",
                                         "parameter_sets", "name",    "description", "measured",
                                         "photograph",     "studies", NULL};
  const HlValue *roots[] = {hl_document_root (a), hl_document_root (b)};

  for (int side = 0; side < 2; side++)
    for (gsize i = 0; i < hl_value_length (roots[side]); i++) {
      const char *key = hl_value_key (roots[side], i);
      const HlValue *mine = hl_value_member_at (roots[side], i);
      const HlValue *other = hl_value_member (roots[1 - side], key);
      if (mine == other || g_strv_contains (pictures, key))
        continue;
      if (other == NULL || !hl_value_equal (mine, other))
        return FALSE;
    }
  return TRUE;
}
