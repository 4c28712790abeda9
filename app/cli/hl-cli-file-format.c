/* SPDX-License-Identifier: MIT */
/* hydrolink format: describes the format of model files. */
#include "app/cli/hl-cli-private.h"

#include "core/io/hl-answer-writer.h"
#include "core/io/hl-json-text.h"
#include "core/schema/hl-element-schema.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

/* The page of the file format: text that is in no table, and the tables. */

static const char head[] =
    "# The model file\n"
    "\n"
    "<!-- Made by `hydrolink format`; a test compares. Change the tables that it is made of. -->\n"
    "\n"
    "A model is a JSON text in UTF-8 with the file name ending `.hydrolink`. The JSON is strict: no\n"
    "comments, and no member twice. Numbers are in SI units: m, kg, s, N, rad, m³, and Pa absolute.\n"
    "The program keeps unknown members and kinds, and the order of all members, when it saves a model.\n"
    "`hydrolink format --schema` prints the same tables as a JSON Schema.\n"
    "\n"
    "- **id**: name of an element, unique in the file: a letter or `_`, then letters, digits, `_` and\n"
    "  `-`. The ids `ground`, `fluid`, `energy` and `simulation` are reserved.\n"
    "- **path**: name of one number, `ELEMENT.PROPERTY[.SUBPROPERTY]`, such as `cyl.friction.Fc`.\n"
    "- **point**: `BODY.POINT` or `ground.POINT`. **port**: `COMPONENT.PORT`.\n"
    "- **number**: a JSON number, or a text with a unit (`\"80 mm\"`) or a formula (`\"bore / 2\"`), which\n"
    "  is kept as typed; see [formulas.md](formulas.md). Formulas use the names in `parameters`.\n"
    "- **signal**: a number, or an object of one of the kinds below.\n"
    "\n"
    "The first members are `\"format\": \"hydrolink\"` and `\"version\": 1`. A larger version is an error.\n"
    "Further members: `parameters` (named numbers), `layout` (positions in the drawings, see\n"
    "[layout.md](layout.md)), `measured` (see [measured.md](measured.md)), `photograph` (see\n"
    "[photograph.md](photograph.md)), `studies` (see [studies.md](studies.md)).\n"
    "\n"
    "In the tables, *required* means that the property has no default, and — that it may be absent,\n"
    "with the stated meaning. *or* marks alternatives, of which one is given; a letter numbers them.\n"
    "*Where* names the choice under which a property is used. Numbers that an oil model does not use\n"
    "are marked. The marks of the quasistatic model apply to circuits with a closed form; any other\n"
    "circuit is solved as a network, whose components have the same laws as in the other models.\n";

/* --- one property --- */

static const char *type_word (const HlField *field) {
  switch (field->type) {
  case HL_FIELD_NUMBER:
    return hl_quantity_si (field->quantity);
  case HL_FIELD_BOOLEAN:
    return "true, false";
  case HL_FIELD_TEXT:
    return "text";
  case HL_FIELD_CHOICE:
    return NULL;
  case HL_FIELD_SIGNAL:
    return "signal";
  case HL_FIELD_SIGNALS:
    return "[signal…]";
  case HL_FIELD_NUMBERS:
    return "[number…]";
  case HL_FIELD_VEC2:
    return "[x, y]";
  case HL_FIELD_POSE:
    return "[x, y, angle]";
  case HL_FIELD_VELOCITY:
    return "[vx, vy, omega]";
  case HL_FIELD_POINTS:
    return "{NAME: [x, y]}";
  case HL_FIELD_POINT:
    return "point";
  case HL_FIELD_BODY:
    return "body or `ground`";
  case HL_FIELD_PORTS:
    return "[port…]";
  case HL_FIELD_PATH:
    return "path";
  case HL_FIELD_PATHS:
    return "[path…]";
  case HL_FIELD_IDS:
    return "[probe or path…]";
  case HL_FIELD_VALUES:
    return "{path: number}";
  }
  return NULL;
}

/* Appends the choices "a|b" as "`a`, `b`". */
static void append_choices (GString *page, const char *choices) {
  g_auto (GStrv) words = g_strsplit (choices, "|", -1);

  for (int k = 0; words[k] != NULL; k++)
    g_string_append_printf (page, "%s`%s`", k > 0 ? ", " : "", words[k]);
}

static void append_type (GString *page, const HlField *field) {
  if (field->type == HL_FIELD_CHOICE)
    append_choices (page, field->choices);
  else
    g_string_append (page, type_word (field));
  if (field->type == HL_FIELD_SIGNAL && field->quantity != HL_QUANTITY_NONE)
    g_string_append_printf (page, " in %s", hl_quantity_si (field->quantity));
}

static void append_default (GString *page, const HlField *field) {
  char number[HL_NUMBER_TEXT];

  if (field->need == HL_NEED_REQUIRED)
    g_string_append (page, "*required*");
  else if (field->need == HL_NEED_GROUP)
    g_string_append_printf (page, "*or* %c", 'a' + field->alternative);
  else if (field->type == HL_FIELD_CHOICE)
    g_string_append_printf (page, "`%.*s`", (int)strcspn (field->choices, "|"), field->choices);
  else if (field->type == HL_FIELD_BOOLEAN)
    g_string_append (page, field->fallback > 0.0 ? "true" : "false");
  else if (field->need == HL_NEED_DEFAULT && isfinite (field->fallback))
    g_string_append (page, hl_number_text (number, field->fallback));
  else
    g_string_append (page, "—");
}

/* Appends the oil models that ignore a field: "not lumped, hybrid". */
static void append_idle (GString *page, const HlField *field) {
  bool has_any = false;

  for (int k = 0; k < HL_N_OIL_MODELS && !field->only_warns; k++)
    if (hl_field_is_idle (field, hl_oil_models[k]->bit)) {
      g_string_append_printf (page, "%s%s", has_any ? ", " : " *Not read by: ", hl_oil_models[k]->name);
      has_any = true;
    }
  if (has_any)
    g_string_append (page, ".*");
}

static void append_property (GString *page, const HlField *field) {
  g_autofree char *range = hl_field_range_text (field);

  g_string_append_printf (page, "| `%s` | ", field->name);
  append_type (page, field);
  g_string_append (page, " | ");
  append_default (page, field);
  g_string_append_printf (page, " | %s | %s", range != NULL ? range : "", field->label);
  if (field->help != NULL && *field->help != '\0')
    g_string_append_printf (page, ". %s", field->help);
  g_string_append (page, ".");
  if (field->when != NULL) {
    const char *equals = strchr (field->when, '=');
    g_string_append_printf (page, " *Where* `%.*s` *is* ", (int)(equals - field->when), field->when);
    append_choices (page, equals + 1);
    g_string_append (page, ".");
  }
  append_idle (page, field);
  g_string_append (page, " |\n");
}

/* --- one kind --- */

static void append_ports (GString *page, const HlKind *kind) {
  if (kind->n_ports == 0)
    return;
  g_string_append (page, "Ports: ");
  for (int k = 0; k < kind->n_ports; k++)
    g_string_append_printf (page, "%s`%s`", k > 0 ? ", " : "", kind->ports[k]);
  g_string_append (page, ".\n\n");
}

static void append_outputs (GString *page, const HlKind *kind) {
  if (kind->n_outputs == 0)
    return;
  g_string_append (page, "\nMay be probed: ");
  for (int k = 0; k < kind->n_outputs; k++)
    g_string_append_printf (page, "%s`.%s` (%s, %s)", k > 0 ? "; " : "", kind->outputs[k].name,
                            kind->outputs[k].label, hl_quantity_si (kind->outputs[k].quantity));
  g_string_append (page, ".\n");
}

static void append_kind (GString *page, const HlKind *kind) {
  if (kind->name != NULL)
    g_string_append_printf (page, "\n### `%s`\n\n**%s.** %s.\n\n", kind->name, kind->label, kind->help);
  else
    g_string_append_printf (page, "\n%s.\n\n", kind->help);
  append_ports (page, kind);
  if (kind->n_fields > 0)
    g_string_append (page, "| property | type or unit | default | range | meaning |\n"
                           "| --- | --- | --- | --- | --- |\n");
  for (int k = 0; k < kind->n_fields; k++)
    append_property (page, &kind->fields[k]);
  append_outputs (page, kind);
}

static void append_section (GString *page, HlSection section) {
  const char *key = hl_section_key (section);
  const HlKind *kind;

  if (key != NULL)
    g_string_append_printf (page, "\n## `%s`\n", key);
  else
    g_string_append_printf (page, "\n## %s\n",
                            section == HL_SECTION_MODEL    ? "The model"
                            : section == HL_SECTION_SIGNAL ? "Signals"
                                                           : "Energies");
  for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++) {
    append_kind (page, kind);
    if (!hl_section_has_kinds (section))
      break;
  }
}

/* Returns the page in Markdown; English; owned by the caller (g_free). */
static char *hl_format_page (void) {
  static const HlSection order[] = {
      HL_SECTION_MODEL,   HL_SECTION_FLUID,       HL_SECTION_GROUND,     HL_SECTION_BODIES,
      HL_SECTION_JOINTS,  HL_SECTION_LOADS,       HL_SECTION_COMPONENTS, HL_SECTION_LINES,
      HL_SECTION_SIGNAL,  HL_SECTION_EQUILIBRIUM, HL_SECTION_PROBES,     HL_SECTION_PARAMETER_SETS,
      HL_SECTION_SLIDERS, HL_SECTION_PLOTS,       HL_SECTION_SIMULATION, HL_SECTION_ENERGY};
  GString *page = g_string_new (head);

  for (gsize k = 0; k < G_N_ELEMENTS (order); k++)
    append_section (page, order[k]);
  return g_string_free (page, FALSE);
}

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

/* Adds an array of one of the definitions; n < 0: of any length. */
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

/* Adds the choices of a name, which can occur in the table several times, for different values of another
 * property: the schema permits all of them. */
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

/* Adds the description of a field: "Length: help [m]". */
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

/* Returns the part of a field's name behind `prefix`; NULL: it does not begin so. */
static const char *suffix_of_field (const HlField *field, const char *prefix) {
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

/* Adds "properties" of the members below a prefix: "" or "friction.". */
static void add_properties (HlAnswer *json, const HlKind *kind, const char *prefix) {
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    const char *name = suffix_of_field (field, prefix);
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
  hl_answer_string (json, "description", "in SI units; a text is a number with a unit or a formula");
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
  hl_answer_string (json, "description", "named numbers for formulas");
  hl_answer_string (json, "type", "object");
  put_reference (json, "additionalProperties", "number");
  hl_answer_close (json);
  for (HlSection section = 0; section < HL_SECTION_MODEL; section++)
    put_list (json, section);
  for (HlSection section = HL_SECTION_FLUID; section <= HL_SECTION_SIMULATION; section++)
    put_object (json, section);
  hl_answer_close (json);
}

/* Returns the JSON Schema (draft 2020-12) of a model file; English; owned by the caller (g_free). It is never
 * stricter than the program: what it refuses, `validate` finds an error in. */
static char *hl_format_schema (void) {
  static const char *const required[] = {"format", "version"};
  g_autoptr (HlAnswer) json = hl_answer_new ();

  hl_answer_string (json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  hl_answer_string (json, "title", "Hydrolink model");
  hl_answer_string (json, "description",
                    "A hydraulically actuated linkage. Numbers are in SI units; unknown members are kept.");
  hl_answer_string (json, "type", "object");
  hl_answer_strings (json, "required", required, 2);
  put_top (json);
  put_definitions (json);
  return hl_answer_to_text (json, HL_ANSWER_JSON);
}

static gboolean run (HlCli *cli, GError **error) {
  g_autofree char *text =
      hl_cli_has (cli, "schema") || hl_cli_has (cli, "json") ? hl_format_schema () : hl_format_page ();

  return hl_cli_write (stdout, text, error);
}

static const HlCliOption options[] = {
    {"schema", NULL, "as a JSON Schema (draft 2020-12)", FALSE},
    {"json", NULL, "the same", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_format = {
    .name = "format",
    .usage = "[--schema]",
    .summary = "describe the model file: kinds, properties, units, defaults",
    .text = "Prints the description of the model file, as a page in Markdown or as a JSON Schema with\n"
            "which other programs can check files. Both are generated from the tables with which this\n"
            "program reads files.",
    .examples = {"hydrolink format", "hydrolink format --schema"},
    .options = options,
    .no_file = TRUE,
    .run = run,
};
