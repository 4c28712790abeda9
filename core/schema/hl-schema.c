/* SPDX-License-Identifier: MIT */
/* Look-ups in the tables of kinds and the reading of one field of an element with its default.
 * Alternatives of a group (a diameter or an area) are converted into each other here, so that
 * everybody else may ask for the one it needs. */
#include "core/schema/hl-schema.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-unit.h"
#include "core/schema/hl-schema-private.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"
#include "core/system/hl-block.h"
#include "core/system/hl-oil-model.h"

#include <string.h>

typedef struct
{
  const char *key;
  const char *noun;
  gboolean has_kinds;
} SectionInfo;

static const SectionInfo sections[HL_N_SECTIONS] = {
    [HL_SECTION_BODIES] = {"bodies", N_ ("body"), FALSE},
    [HL_SECTION_JOINTS] = {"joints", N_ ("joint"), TRUE},
    [HL_SECTION_LOADS] = {"loads", N_ ("load"), TRUE},
    [HL_SECTION_COMPONENTS] = {"components", N_ ("component"), TRUE},
    [HL_SECTION_LINES] = {"lines", N_ ("line"), FALSE},
    [HL_SECTION_PROBES] = {"probes", N_ ("probe"), FALSE},
    [HL_SECTION_PARAMETER_SETS] = {"parameter_sets", N_ ("parameter set"), FALSE},
    [HL_SECTION_SLIDERS] = {"sliders", N_ ("slider"), FALSE},
    [HL_SECTION_PLOTS] = {"plots", N_ ("plot"), FALSE},
    [HL_SECTION_MODEL] = {NULL, N_ ("model"), FALSE},
    [HL_SECTION_FLUID] = {"fluid", N_ ("fluid"), FALSE},
    [HL_SECTION_GROUND] = {"ground", N_ ("ground"), FALSE},
    [HL_SECTION_EQUILIBRIUM] = {"equilibrium", N_ ("equilibrium"), FALSE},
    [HL_SECTION_SIMULATION] = {"simulation", N_ ("simulation"), FALSE},
    [HL_SECTION_ENERGY] = {NULL, N_ ("energy"), FALSE},
    [HL_SECTION_SIGNAL] = {NULL, N_ ("signal"), TRUE},
};

const char *
hl_section_key (HlSection section)
{
  g_return_val_if_fail (section >= 0 && section < HL_N_SECTIONS, NULL);
  return sections[section].key;
}

const char *
hl_section_noun (HlSection section)
{
  g_return_val_if_fail (section >= 0 && section < HL_N_SECTIONS, NULL);
  return sections[section].noun;
}

gboolean
hl_section_has_kinds (HlSection section)
{
  g_return_val_if_fail (section >= 0 && section < HL_N_SECTIONS, FALSE);
  return sections[section].has_kinds;
}

/* The kinds of a section whose kinds are no classes. */
static const HlKind *
own_kinds (HlSection section, int *n)
{
  const struct
  {
    const HlKind *kinds;
    int n;
  } tables[] = {{hl_schema_linkage_kinds, hl_schema_n_linkage_kinds},
                {hl_schema_hydraulic_kinds, hl_schema_n_hydraulic_kinds},
                {hl_schema_model_kinds, hl_schema_n_model_kinds}};
  const HlKind *first = NULL;

  *n = 0;
  for (gsize table = 0; table < G_N_ELEMENTS (tables); table++)
    for (int kind = 0; kind < tables[table].n; kind++)
      if (tables[table].kinds[kind].section == section) {
        first = first != NULL ? first : &tables[table].kinds[kind];
        *n += 1;
      }
  return first;
}

const HlKind *
hl_schema_kind (HlSection section, int k)
{
  int n;

  if (section == HL_SECTION_COMPONENTS)
    return k >= 0 && k < hl_n_components ? &hl_components[k]->kind : NULL;
  if (section == HL_SECTION_JOINTS)
    return k >= 0 && k < hl_n_joints ? &hl_joints[k]->kind : NULL;
  if (section == HL_SECTION_LOADS)
    return k >= 0 && k < hl_n_loads ? &hl_loads[k]->kind : NULL;
  const HlKind *kinds = own_kinds (section, &n);
  if (section == HL_SECTION_SIGNAL && k >= n)
    return k < n + hl_n_blocks ? &hl_blocks[k - n]->kind : NULL;
  return k >= 0 && k < n ? &kinds[k] : NULL;
}

const HlKind *
hl_schema_find_kind (HlSection section, const char *name)
{
  const HlKind *kind = hl_schema_kind (section, 0);

  if (kind != NULL && !hl_section_has_kinds (section))
    return kind;
  for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++)
    if (g_strcmp0 (kind->name, name) == 0)
      return kind;
  return NULL;
}

const HlKind *
hl_schema_kind_of (HlSection section, const HlValue *element)
{
  if (section == HL_SECTION_SIGNAL && hl_value_is_number (element))
    return hl_schema_find_kind (section, "constant");
  return hl_schema_find_kind (section, hl_value_string (hl_value_member (element, "kind")));
}

const HlField *
hl_kind_find_field (const HlKind *kind, const char *name)
{
  if (kind == NULL)
    return NULL;
  for (int field = 0; field < kind->n_fields; field++)
    if (strcmp (kind->fields[field].name, name) == 0)
      return &kind->fields[field];
  return NULL;
}

const HlOutput *
hl_kind_find_output (const HlKind *kind, const char *name)
{
  if (kind == NULL)
    return NULL;
  for (int output = 0; output < kind->n_outputs; output++)
    if (strcmp (kind->outputs[output].name, name) == 0)
      return &kind->outputs[output];
  return NULL;
}

int
hl_kind_find_port (const HlKind *kind, const char *port)
{
  if (kind == NULL)
    return -1;
  for (int i = 0; i < kind->n_ports; i++)
    if (strcmp (kind->ports[i], port) == 0)
      return i;
  return -1;
}

/* "friction.model=lugre|modified-lugre": whether a choice of the element is one of these. */
static gboolean
holds (const HlKind *kind, const char *when, const HlValue *element)
{
  if (when == NULL)
    return TRUE;
  const char *equals = strchr (when, '=');
  g_autofree char *name = g_strndup (when, (gsize)(equals - when));
  g_auto (GStrv) wanted = g_strsplit (equals + 1, "|", -1);
  const char *given = hl_kind_text (kind, element, name);
  return given != NULL && g_strv_contains ((const char *const *)wanted, given);
}

gboolean
hl_field_matters (const HlKind *kind, const HlField *field, const HlValue *element)
{
  return holds (kind, field->when, element);
}

gboolean
hl_kind_has_port (const HlKind *kind, const HlValue *element, int port)
{
  return kind != NULL && port >= 0 && port < kind->n_ports &&
         holds (kind, kind->port_when[port], element);
}

gboolean
hl_field_is_idle (const HlField *field, HlOil oil)
{
  return (field->idle & (unsigned)oil) != 0;
}

const char *
hl_field_idle_text (const HlField *field, HlOil oil)
{
  if (!hl_field_is_idle (field, oil))
    return NULL;
  if (field->only_warns)
    return _ ("Only for warnings: no run depends on it");
  int k = 0;

  while (k + 1 < HL_N_OIL_MODELS && hl_oil_models[k]->bit != oil)
    k++;
  return _ (hl_oil_models[k]->idle);
}

gboolean
hl_field_accepts (const HlField *field, double value)
{
  if (!isfinite (value))
    return FALSE;
  if (field->min_bound == HL_BOUND_OPEN ? value <= field->min
                                        : field->min_bound == HL_BOUND_CLOSED && value < field->min)
    return FALSE;
  if (field->max_bound == HL_BOUND_OPEN ? value >= field->max
                                        : field->max_bound == HL_BOUND_CLOSED && value > field->max)
    return FALSE;
  return TRUE;
}

/* "-500 bar"; unit NULL: "-50000000". Owned by the caller. */
static char *
number_text (double si, const HlUnit *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.15g", unit != NULL ? hl_unit_from_si (unit, si) : si);
  return unit != NULL ? g_strconcat (number, " ", unit->name, NULL) : g_strdup (number);
}

static char *
range_text (const HlField *field, const HlUnit *unit)
{
  const char *above = field->min_bound == HL_BOUND_OPEN ? _ ("greater than") : _ ("at least");
  const char *below = field->max_bound == HL_BOUND_OPEN ? _ ("less than") : _ ("at most");
  g_autofree char *low = number_text (field->min, unit), *high = number_text (field->max, unit);

  if (field->min_bound == HL_BOUND_CLOSED && field->max_bound == HL_BOUND_CLOSED)
    return g_strdup_printf (_ ("from %s to %s"), low, high);
  if (field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE)
    return g_strdup_printf (_ ("%s %s and %s %s"), above, low, below, high);
  if (field->min_bound != HL_BOUND_NONE)
    return g_strdup_printf ("%s %s", above, low);
  if (field->max_bound != HL_BOUND_NONE)
    return g_strdup_printf ("%s %s", below, high);
  return NULL;
}

char *
hl_field_range_text (const HlField *field)
{
  return range_text (field, NULL);
}

void
hl_field_number_texts (
    const HlField *field, double si, const char *typed, char **number, char **range)
{
  int n;
  const HlUnit *base = hl_quantity_units (field->quantity, &n), *unit = base;
  double read;

  if (typed == NULL || !hl_unit_parse (typed, field->quantity, base, &read, &unit, NULL) ||
      unit == base)
    unit = NULL;
  *number = number_text (si, unit);
  *range = range_text (field, unit);
}

/* A number of a bore group from the other alternative: circles, and the ring beside a cylinder's
 * rod. NAN when it is not given. */
static double
number_from_alternative (const HlValue *element, const char *name)
{
  double diameter = hl_value_number (hl_value_member (element, "diameter"));
  double area = hl_value_number (hl_value_member (element, "area"));
  double D = hl_value_number (hl_value_member (element, "piston_diameter"));
  double d = hl_value_number (hl_value_member (element, "rod_diameter"));
  double A = hl_value_number (hl_value_member (element, "piston_area"));
  double a = hl_value_number (hl_value_member (element, "rod_side_area"));

  if (strcmp (name, "area") == 0)
    return G_PI / 4 * diameter * diameter;
  if (strcmp (name, "diameter") == 0)
    return sqrt (4 / G_PI * area);
  if (strcmp (name, "piston_area") == 0)
    return G_PI / 4 * D * D;
  if (strcmp (name, "rod_side_area") == 0)
    return G_PI / 4 * (D * D - d * d);
  if (strcmp (name, "piston_diameter") == 0)
    return sqrt (4 / G_PI * A);
  if (strcmp (name, "rod_diameter") == 0)
    return sqrt (4 / G_PI * (A - a));
  return NAN;
}

double
hl_kind_number (const HlKind *kind, const HlValue *element, const char *name, gboolean *present)
{
  const HlField *field = hl_kind_find_field (kind, name);
  double stated = hl_value_number (hl_value_at (element, name));

  if (isnan (stated) && field != NULL && field->need == HL_NEED_GROUP)
    stated = number_from_alternative (element, name);
  if (present != NULL)
    *present = !isnan (stated);
  return isnan (stated) && field != NULL ? field->fallback : stated;
}

gboolean
hl_kind_boolean (const HlKind *kind, const HlValue *element, const char *field)
{
  return hl_value_boolean (hl_value_at (element, field));
}

/* First entry of "a|b|c", as a string that lives for ever. */
static const char *
first_choice (const char *choices)
{
  const char *bar = strchr (choices, '|');

  if (bar == NULL)
    return g_intern_string (choices);
  g_autofree char *first = g_strndup (choices, (gsize)(bar - choices));
  return g_intern_string (first);
}

const char *
hl_kind_text (const HlKind *kind, const HlValue *element, const char *name)
{
  const char *stated = hl_value_string (hl_value_at (element, name));

  if (stated != NULL || kind == NULL)
    return stated;
  /* The same name may stand twice with different conditions: each has its own default. */
  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    if (strcmp (field->name, name) == 0 && field->choices != NULL &&
        hl_field_matters (kind, field, element))
      return first_choice (field->choices);
  }
  return NULL;
}

gboolean
hl_id_is_reserved (const char *id)
{
  static const char *const reserved[] = {"ground", "fluid", "energy", "simulation", NULL};
  return g_strv_contains (reserved, id);
}

gboolean
hl_id_is_well_formed (const char *id)
{
  if (id == NULL || !(g_ascii_isalpha (*id) || *id == '_'))
    return FALSE;
  for (const char *c = id; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;
  return TRUE;
}
