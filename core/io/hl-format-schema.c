/* SPDX-License-Identifier: MIT */
#include "core/io/hl-format-schema.h"

#include "core/io/hl-answer.h"
#include "core/schema/hl-schema.h"

#include <math.h>
#include <string.h>

/* --- types --- */

static void put_type (HlAnswer *json, const char *key, const char *type) {
  hl_answer_open_object (json, key);
  hl_answer_string (json, "type", type);
  hl_answer_close (json);
}

static void put_reference (HlAnswer *json, const char *key, const char *name) {
  g_autofree char *place = g_strconcat ("#/$defs/", name, NULL);

  hl_answer_open_object (json, key);
  hl_answer_string (json, "$ref", place);
  hl_answer_close (json);
}

/* An array of what one of the definitions is; n < 0: of any length. */
static void add_array (HlAnswer *json, const char *of, int n) {
  hl_answer_string (json, "type", "array");
  put_reference (json, "items", of);
  if (n < 0)
    return;
  hl_answer_integer (json, "minItems", n);
  hl_answer_integer (json, "maxItems", n);
}

/* Bounds hold for plain numbers; a text is a formula, whose value the program checks. */
static void add_number (HlAnswer *json, const HlField *field) {
  static const char *const types[] = {"number", "string"};

  hl_answer_strings (json, "type", types, 2);
  if (field->min_bound != HL_BOUND_NONE)
    hl_answer_number (json, field->min_bound == HL_BOUND_OPEN ? "exclusiveMinimum" : "minimum", field->min);
  if (field->max_bound != HL_BOUND_NONE)
    hl_answer_number (json, field->max_bound == HL_BOUND_OPEN ? "exclusiveMaximum" : "maximum", field->max);
}

/* A name may stand in the table several times, for different choices elsewhere: all that any of
 * them allows. */
static void add_choices (HlAnswer *json, const HlKind *kind, const char *name) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (int k = 0; k < kind->n_fields; k++) {
    if (strcmp (kind->fields[k].name, name) != 0)
      continue;
    g_auto (GStrv) choices = g_strsplit (kind->fields[k].choices, "|", -1);
    for (char **choice = choices; *choice != NULL; choice++)
      if (!g_ptr_array_find_with_equal_func (words, *choice, g_str_equal, NULL))
        g_ptr_array_add (words, g_strdup (*choice));
  }
  hl_answer_strings (json, "enum", (const char *const *)words->pdata, (int)words->len);
}

static void add_type (HlAnswer *json, const HlKind *kind, const HlField *field) {
  switch (field->type) {
  case HL_FIELD_NUMBER:
    add_number (json, field);
    break;
  case HL_FIELD_BOOLEAN:
    hl_answer_string (json, "type", "boolean");
    break;
  case HL_FIELD_CHOICE:
    add_choices (json, kind, field->name);
    break;
  case HL_FIELD_SIGNAL:
    hl_answer_string (json, "$ref", "#/$defs/signal");
    break;
  case HL_FIELD_SIGNALS:
    add_array (json, "signal", -1);
    break;
  case HL_FIELD_NUMBERS:
    add_array (json, "number", -1);
    break;
  case HL_FIELD_VEC2:
    add_array (json, "number", 2);
    break;
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
    add_array (json, "number", 3);
    break;
  case HL_FIELD_POINTS:
    hl_answer_string (json, "type", "object");
    put_reference (json, "additionalProperties", "point");
    break;
  case HL_FIELD_PORTS:
  case HL_FIELD_PATHS:
  case HL_FIELD_IDS:
    add_array (json, "text", -1);
    break;
  case HL_FIELD_VALUES:
    hl_answer_string (json, "type", "object");
    put_reference (json, "additionalProperties", "number");
    break;
  case HL_FIELD_TEXT:
  case HL_FIELD_POINT:
  case HL_FIELD_BODY:
  case HL_FIELD_PATH:
    hl_answer_string (json, "type", "string");
    break;
  }
}

/* --- one kind --- */

/* "Length: help [m]" */
static void add_words (HlAnswer *json, const HlField *field) {
  GString *text = g_string_new (field->label);

  if (field->help != NULL && *field->help != '\0')
    g_string_append_printf (text, ": %s", field->help);
  if (field->quantity != HL_QUANTITY_NONE)
    g_string_append_printf (text, " [%s]", hl_quantity_si (field->quantity));
  if (field->when != NULL)
    g_string_append_printf (text, "; counts where %s", field->when);
  hl_answer_string (json, "description", text->str);
  g_string_free (text, TRUE);
  if (field->need == HL_NEED_DEFAULT && field->type == HL_FIELD_NUMBER && isfinite (field->fallback))
    hl_answer_number (json, "default", field->fallback);
}

/* The part of a field's name behind `prefix`; NULL: it does not begin so. */
static const char *behind (const HlField *field, const char *prefix) {
  return g_str_has_prefix (field->name, prefix) ? field->name + strlen (prefix) : NULL;
}

static bool is_first (const HlKind *kind, int at, gsize length) {
  for (int k = 0; k < at; k++)
    if (strncmp (kind->fields[k].name, kind->fields[at].name, length) == 0 &&
        (kind->fields[k].name[length] == '\0' || kind->fields[k].name[length] == '.' ||
         kind->fields[at].name[length - 1] == '.'))
      return false;
  return true;
}

/* "properties" of the members below a prefix: "" or "friction.". */
static void add_properties (HlAnswer *json, const HlKind *kind, const char *prefix) {
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    const char *name = behind (field, prefix);
    const char *dot = name != NULL ? strchr (name, '.') : NULL;
    if (name == NULL ||
        !is_first (kind, k, strlen (prefix) + (dot != NULL ? (gsize)(dot - name) + 1 : strlen (name))))
      continue;
    g_autofree char *key = dot != NULL ? g_strndup (name, (gsize)(dot - name)) : g_strdup (name);
    hl_answer_open_object (json, key);
    if (dot != NULL) {
      g_autofree char *deeper = g_strdup_printf ("%s%s.", prefix, key);
      hl_answer_string (json, "type", "object");
      hl_answer_open_object (json, "properties");
      add_properties (json, kind, deeper);
      hl_answer_close (json);
    } else {
      add_type (json, kind, field);
      add_words (json, field);
    }
    hl_answer_close (json);
  }
}

static bool is_required (const HlField *field) {
  return field->need == HL_NEED_REQUIRED && field->when == NULL && strchr (field->name, '.') == NULL;
}

static void add_required (HlAnswer *json, const HlKind *kind, bool has_id, bool has_kind) {
  hl_answer_open_list (json, "required");
  if (has_id)
    hl_answer_string (json, NULL, "id");
  if (has_kind)
    hl_answer_string (json, NULL, "kind");
  for (int k = 0; k < kind->n_fields; k++)
    if (is_required (&kind->fields[k]))
      hl_answer_string (json, NULL, kind->fields[k].name);
  hl_answer_close (json);
}

/* Members of the object that an element of the kind is, without its braces. */
static void add_kind (HlAnswer *json, const HlKind *kind, bool has_id, bool has_kind) {
  hl_answer_string (json, "title", kind->label);
  hl_answer_string (json, "description", kind->help);
  hl_answer_string (json, "type", "object");
  hl_answer_open_object (json, "properties");
  if (has_id)
    put_reference (json, "id", "id");
  if (has_kind) {
    hl_answer_open_object (json, "kind");
    hl_answer_string (json, "const", kind->name);
    hl_answer_close (json);
  }
  add_properties (json, kind, "");
  hl_answer_close (json);
  add_required (json, kind, has_id, has_kind);
}

/* --- the file --- */

static void put_list (HlAnswer *json, HlSection section) {
  bool has_id = section < HL_N_ELEMENT_SECTIONS, has_kinds = hl_section_has_kinds (section);
  const HlKind *kind;

  hl_answer_open_object (json, hl_section_key (section));
  hl_answer_string (json, "type", "array");
  hl_answer_open_object (json, "items");
  if (has_kinds)
    hl_answer_open_list (json, "oneOf");
  for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL && (has_kinds || k == 0); k++) {
    if (has_kinds)
      hl_answer_open_object (json, NULL);
    add_kind (json, kind, has_id, has_kinds);
    if (has_kinds)
      hl_answer_close (json);
  }
  if (has_kinds)
    hl_answer_close (json);
  hl_answer_close (json);
  hl_answer_close (json);
}

static void put_object (HlAnswer *json, HlSection section) {
  hl_answer_open_object (json, hl_section_key (section));
  add_kind (json, hl_schema_kind (section, 0), false, false);
  hl_answer_close (json);
}

static void put_signal (HlAnswer *json) {
  const HlKind *kind;

  hl_answer_open_object (json, "signal");
  hl_answer_open_list (json, "anyOf");
  put_reference (json, NULL, "number");
  for (int k = 0; (kind = hl_schema_kind (HL_SECTION_SIGNAL, k)) != NULL; k++) {
    hl_answer_open_object (json, NULL);
    add_kind (json, kind, false, true);
    hl_answer_close (json);
  }
  hl_answer_close (json);
  hl_answer_close (json);
}

static void put_definitions (HlAnswer *json) {
  static const char *const number[] = {"number", "string"};

  hl_answer_open_object (json, "$defs");
  hl_answer_open_object (json, "id");
  hl_answer_string (json, "type", "string");
  hl_answer_string (json, "pattern", "^[A-Za-z_][A-Za-z0-9_-]*$");
  hl_answer_close (json);
  hl_answer_open_object (json, "number");
  hl_answer_string (json, "description", "in SI; a text is a number with a unit or a formula");
  hl_answer_strings (json, "type", number, 2);
  hl_answer_close (json);
  put_type (json, "text", "string");
  hl_answer_open_object (json, "point");
  add_array (json, "number", 2);
  hl_answer_close (json);
  put_signal (json);
  hl_answer_close (json);
}

static void put_top (HlAnswer *json) {
  hl_answer_open_object (json, "properties");
  hl_answer_open_object (json, "format");
  hl_answer_string (json, "const", "hydrolink");
  hl_answer_close (json);
  hl_answer_open_object (json, "version");
  hl_answer_integer (json, "const", 1);
  hl_answer_close (json);
  add_properties (json, hl_schema_kind (HL_SECTION_MODEL, 0), "");
  hl_answer_open_object (json, "parameters");
  hl_answer_string (json, "description", "named numbers that formulas read");
  hl_answer_string (json, "type", "object");
  put_reference (json, "additionalProperties", "number");
  hl_answer_close (json);
  for (HlSection section = 0; section < HL_SECTION_MODEL; section++)
    put_list (json, section);
  for (HlSection section = HL_SECTION_FLUID; section <= HL_SECTION_SIMULATION; section++)
    put_object (json, section);
  hl_answer_close (json);
}

char *hl_format_schema (void) {
  static const char *const required[] = {"format", "version"};
  g_autoptr (HlAnswer) json = hl_answer_new ();

  hl_answer_string (json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  hl_answer_string (json, "title", "Hydrolink model");
  hl_answer_string (json, "description",
                    "A hydraulically actuated linkage. Numbers are in SI; members that are not "
                    "listed are kept as they are.");
  hl_answer_string (json, "type", "object");
  hl_answer_strings (json, "required", required, 2);
  put_top (json);
  put_definitions (json);
  return hl_answer_to_text (json, HL_ANSWER_JSON);
}
