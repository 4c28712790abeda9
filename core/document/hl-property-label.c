/* SPDX-License-Identifier: MIT */
/* Labels of properties inside a sentence: the field of the schema is looked up along the dotted name, which
 * may continue inside a signal. */
#include "core/document/hl-property-label.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/schema/hl-element-schema.h"

#include <string.h>

/* Returns whether a label begins with a name, which keeps its capital inside a sentence. */
static gboolean begins_with_name (const char *label) {
  static const char *const names[] = {"Coulomb", "Stribeck"};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    if (g_str_has_prefix (label, names[k]))
      return TRUE;
  return FALSE;
}

/* Returns a translated label in its form inside a sentence; owned by the caller. */
static char *label_in_sentence (const char *label) {
  /* TRANSLATORS: translate as "lower" where a label starts with a lower-case letter inside a sentence, else as "keep" */
  gboolean lowers = strcmp (C_ ("labels inside a sentence", "lower"), "lower") == 0;
  gboolean is_word = g_ascii_isupper (label[0]) && g_ascii_islower (label[1]);

  if (!lowers || !is_word || begins_with_name (label))
    return g_strdup (label);
  return g_strdup_printf ("%c%s", g_ascii_tolower (label[0]), label + 1);
}

char *hl_field_label (const HlField *field) {
  return label_in_sentence (field->label != NULL ? _ (field->label) : field->name);
}

/* Returns the field of the longest beginning of a dotted name, and what follows of the name; NULL: no field. */
static const HlField *find_longest_field (const HlKind *kind, const char *name, const char **rest) {
  for (gsize length = strlen (name); kind != NULL && length > 0; length--) {
    if (name[length] != '.' && name[length] != '\0')
      continue;
    g_autofree char *beginning = g_strndup (name, length);
    const HlField *field = hl_kind_find_field (kind, beginning);
    *rest = name[length] == '.' ? name + length + 1 : name + length;
    if (field != NULL)
      return field;
  }
  return NULL;
}

static char *label_of_part (char *part, char *whole) {
  char *text = g_strdup_printf (C_ ("number of a part", "%s of %s"), part, whole);

  g_free (part);
  g_free (whole);
  return text;
}

/* Returns the label of what follows the name of a field. */
static char *label_below (const HlDocument *document, const HlField *field, const HlValue *value,
                          const char *rest) {
  if (field->type == HL_FIELD_SIGNAL && hl_value_is_object (value))
    return label_of_part (
        hl_property_label (document, hl_schema_kind_of (HL_SECTION_SIGNAL, value), value, rest),
        hl_field_label (field));
  if (field->type == HL_FIELD_SIGNALS && hl_value_is_array (value)) {
    char *end;
    guint64 index = g_ascii_strtoull (rest, &end, 10);
    const HlValue *entry = index < hl_value_length (value) ? hl_value_item (value, (gsize)index) : NULL;
    if (*end == '.' && hl_value_is_object (entry))
      return hl_property_label (document, hl_schema_kind_of (HL_SECTION_SIGNAL, entry), entry, end + 1);
  }
  if (field->type == HL_FIELD_POINTS) {
    const char *dot = strchr (rest, '.');
    g_autofree char *name = dot != NULL ? g_strndup (rest, (gsize)(dot - rest)) : g_strdup (rest);
    char *point = g_strdup_printf (_ ("point ‘%s’"), name);
    return dot != NULL ? label_of_part (g_strdup (dot + 1), point) : point;
  }
  if (field->type == HL_FIELD_VALUES)
    return hl_path_label (document, rest);
  if (g_ascii_isdigit (*rest)) {
    g_autofree char *list = hl_field_label (field);
    return g_strdup_printf (C_ ("of a list", "entry %s of %s"), rest, list);
  }
  return label_of_part (g_strdup (rest), hl_field_label (field));
}

char *hl_property_label (const HlDocument *document, const HlKind *kind, const HlValue *element,
                         const char *name) {
  const char *rest = "";
  const HlField *field = find_longest_field (kind, name, &rest);

  if (field == NULL)
    return g_strdup_printf (_ ("‘%s’"), name);
  if (*rest == '\0')
    return hl_field_label (field);
  return label_below (document, field, hl_value_at (element, field->name), rest);
}

/* Returns the kind of the element or single object with an id, NULL when there is none; *element: its JSON. */
static const HlKind *find_kind (const HlDocument *document, const char *id, const HlValue **element,
                                gboolean *is_single) {
  HlSection section;

  *element = hl_document_find (document, id, &section, NULL);
  *is_single = *element == NULL;
  if (*element != NULL)
    return hl_schema_kind_of (section, *element);
  for (section = HL_SECTION_MODEL; section < HL_N_SECTIONS; section++) {
    const HlKind *kind = hl_section_has_kinds (section) ? NULL : hl_schema_find_kind (section, NULL);
    if (kind != NULL && g_strcmp0 (hl_section_key (section), id) == 0) {
      *element = hl_document_object (document, section);
      return kind;
    }
  }
  return strcmp (id, "model") == 0 ? hl_schema_find_kind (HL_SECTION_MODEL, NULL) : NULL;
}

/* Returns the label of a value that a run computes, without its element: "force", "pressure at A", "angular speed"; NULL:
 * the path has none. Owned by the caller. */
static char *label_of_output (const HlDocument *document, const char *path) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL))
    return NULL;
  if (info.port != NULL) {
    g_autofree char *pressure = g_strdup_printf (_ ("Pressure at %s"), info.port);
    return label_in_sentence (pressure);
  }
  if (info.output != NULL) { /* without what follows a comma: "Force, positive in extension" */
    const char *label = _ (info.output->label);
    g_autofree char *short_label = g_strndup (label, strcspn (label, ","));
    return label_in_sentence (short_label);
  }
  if (info.name == NULL || info.field == NULL)
    return NULL;
  return g_strdup (strcmp (info.name, "omega") == 0   ? _ ("angular speed")
                   : strcmp (info.name, "angle") == 0 ? _ ("angle")
                                                      : info.name);
}

char *hl_path_label (const HlDocument *document, const char *path) {
  const char *dot = strchr (path, '.'), *rest = "";
  const HlValue *element = NULL;
  gboolean is_single;

  if (dot == NULL)
    return g_strdup (path);
  g_autofree char *id = g_strndup (path, (gsize)(dot - path));
  const HlKind *kind = find_kind (document, id, &element, &is_single);
  if (find_longest_field (kind, dot + 1, &rest) == NULL) {
    char *output = label_of_output (document, path);
    if (output == NULL)
      return g_strdup (path);
    return is_single ? output : label_of_part (output, g_steal_pointer (&id));
  }
  char *label = hl_property_label (document, kind, element, dot + 1);
  return is_single ? label : label_of_part (label, g_steal_pointer (&id));
}
