/* SPDX-License-Identifier: MIT */
/* The page of the file format: prose that no table knows, and the tables. */
#include "core/io/hl-format-schema.h"

#include "core/io/hl-json-write.h"
#include "core/schema/hl-schema.h"
#include "core/system/hl-oil-model.h"

#include <math.h>
#include <string.h>

static const char head[] =
    "# The model file\n"
    "\n"
    "<!-- Made by `hydrolink format`; a test compares. Change the tables that it is made of. -->\n"
    "\n"
    "A model is a JSON text (strict: no comments, no member twice) in UTF-8 with the ending\n"
    "`.hydrolink`. Numbers are in SI: m, kg, s, N, rad, m³, and Pa absolute. What the program "
    "does\n"
    "not know it keeps: members, kinds and their order survive a load and a save. `hydrolink "
    "format\n"
    "--schema` prints the same as a JSON Schema.\n"
    "\n"
    "- **id**: every element has one, unique in the file: a letter or `_`, then letters, digits, "
    "`_`\n"
    "  and `-`. `ground`, `fluid`, `energy` and `simulation` are taken.\n"
    "- **path**: the name of one number, `ELEMENT.PROPERTY[.SUBPROPERTY]`: `cyl.friction.Fc`.\n"
    "- **point**: `BODY.POINT` or `ground.POINT`. **port**: `COMPONENT.PORT`.\n"
    "- **number**: plain, or a text with a unit (`\"80 mm\"`) or a formula (`\"bore / 2\"`) that "
    "is kept as\n"
    "  typed; see [formulas.md](formulas.md). Names of formulas stand in `parameters` at the top.\n"
    "- **signal**: a number, or an object of one of the kinds below.\n"
    "\n"
    "At the top stand `\"format\": \"hydrolink\"` and `\"version\": 1`. A larger version is "
    "refused. Further\n"
    "members: `parameters` (named numbers), `layout` (where things stand on the drawings, see\n"
    "[layout.md](layout.md)), `measured` (see [measured.md](measured.md)), `photograph` (see\n"
    "[photograph.md](photograph.md)), `studies` (see [studies.md](studies.md)).\n"
    "\n"
    "In the tables *required* has no default; — may be absent, which has the meaning said there; "
    "*or*\n"
    "means that one of several ways to state it is given, counted by letters. *Where* names a "
    "choice\n"
    "beside which alone the property counts. A number that an oil model does not read is marked; "
    "what\n"
    "is said of quasistatic oil holds where the circuit has a closed form: in a network, which "
    "any\n"
    "other circuit becomes, components have the laws that they have everywhere.\n";

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

/* "`a`, `b`" of "a|b" */
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

/* "not lumped, hybrid" */
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

char *hl_format_page (void) {
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
