/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-name.h"

#include "core/base/hl-text-escape.h"
#include "core/formula/hl-formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *dotted (const char *name) {
  g_autofree char *text = g_strdelimit (g_strdup (name), " *", '.');

  return g_intern_string (text);
}

const char *hl_fmu_unit_name (const char *si) {
  return si == NULL || si[0] == '\0' || strcmp (si, "1") == 0 ? NULL : dotted (si);
}

const char *hl_fmu_display_unit (HlQuantity quantity) {
  const HlUnit *unit = hl_quantity_default_unit (quantity);

  if (quantity == HL_QUANTITY_NONE || unit == NULL || strcmp (unit->name, hl_quantity_si (quantity)) == 0)
    return NULL;
  return dotted (unit->name);
}

const char *hl_fmu_quantity_name (HlQuantity quantity) {
  static const char *const names[HL_N_QUANTITIES] = {
      [HL_QUANTITY_LENGTH] = "Length",
      [HL_QUANTITY_AREA] = "Area",
      [HL_QUANTITY_VOLUME] = "Volume",
      [HL_QUANTITY_ANGLE] = "Angle",
      [HL_QUANTITY_TIME] = "Time",
      [HL_QUANTITY_RATE] = "DampingCoefficient",
      [HL_QUANTITY_FREQUENCY] = "Frequency",
      [HL_QUANTITY_SPEED] = "Velocity",
      [HL_QUANTITY_INVERSE_SPEED] = "InverseVelocity",
      [HL_QUANTITY_INVERSE_ANGULAR_SPEED] = "InverseAngularVelocity",
      [HL_QUANTITY_ANGULAR_SPEED] = "AngularVelocity",
      [HL_QUANTITY_SHAFT_SPEED] = "AngularVelocity",
      [HL_QUANTITY_ANGULAR_FREQUENCY] = "AngularFrequency",
      [HL_QUANTITY_ACCELERATION] = "Acceleration",
      [HL_QUANTITY_ANGULAR_ACCELERATION] = "AngularAcceleration",
      [HL_QUANTITY_MASS] = "Mass",
      [HL_QUANTITY_INERTIA] = "MomentOfInertia",
      [HL_QUANTITY_DENSITY] = "Density",
      [HL_QUANTITY_LINE_DENSITY] = "LinearDensity",
      [HL_QUANTITY_DISPLACEMENT] = "VolumePerAngle",
      [HL_QUANTITY_COMPLIANCE] = "VolumePerPressure",
      [HL_QUANTITY_FORCE] = "Force",
      [HL_QUANTITY_TORQUE] = "Torque",
      [HL_QUANTITY_STIFFNESS] = "TranslationalSpringConstant",
      [HL_QUANTITY_DAMPING] = "TranslationalDampingConstant",
      [HL_QUANTITY_TORSION_STIFFNESS] = "RotationalSpringConstant",
      [HL_QUANTITY_TORSION_DAMPING] = "RotationalDampingConstant",
      [HL_QUANTITY_TYRE_STIFFNESS] = "ForcePerAngle",
      [HL_QUANTITY_PRESSURE] = "Pressure",
      [HL_QUANTITY_PRESSURE_DIFFERENCE] = "PressureDifference",
      [HL_QUANTITY_MODULUS] = "BulkModulus",
      [HL_QUANTITY_FLOW] = "VolumeFlowRate",
      [HL_QUANTITY_VISCOSITY] = "DynamicViscosity",
      [HL_QUANTITY_RESISTANCE] = "HydraulicResistance",
      [HL_QUANTITY_LEAKAGE] = "HydraulicConductance",
      [HL_QUANTITY_VALVE_FLOW] = "ValveFlowCoefficient",
      [HL_QUANTITY_POWER] = "Power",
      [HL_QUANTITY_ENERGY] = "Energy",
  };
  return names[quantity];
}

typedef struct {
  const char *name;
  GPtrArray *displays;
} Unit;

struct _HlFmuUnits {
  GArray *list; /* Unit */
};

static void clear_unit (gpointer data) {
  g_ptr_array_unref (((Unit *)data)->displays);
}

HlFmuUnits *hl_fmu_units_new (void) {
  HlFmuUnits *units = g_new0 (HlFmuUnits, 1);

  units->list = g_array_new (FALSE, FALSE, sizeof (Unit));
  g_array_set_clear_func (units->list, clear_unit);
  return units;
}

void hl_fmu_units_free (HlFmuUnits *units) {
  if (units == NULL)
    return;
  g_array_unref (units->list);
  g_free (units);
}

gboolean hl_fmu_units_is_empty (const HlFmuUnits *units) {
  return units->list->len == 0;
}

void hl_fmu_units_add (HlFmuUnits *units, const char *unit, const char *display) {
  Unit *found = NULL;

  if (unit == NULL)
    return;
  for (guint k = 0; k < units->list->len && found == NULL; k++)
    if (strcmp (g_array_index (units->list, Unit, k).name, unit) == 0)
      found = &g_array_index (units->list, Unit, k);
  if (found == NULL) {
    Unit fresh = {unit, g_ptr_array_new ()};
    g_array_append_val (units->list, fresh);
    found = &g_array_index (units->list, Unit, units->list->len - 1);
  }
  if (display != NULL && !g_ptr_array_find_with_equal_func (found->displays, display, g_str_equal, NULL))
    g_ptr_array_add (found->displays, (gpointer)display);
}

/* Returns the quantities that are measured in it, each one after `from`; -1 behind the last one. */
static int next_quantity (const char *unit, int from) {
  for (int q = from; q < HL_N_QUANTITIES; q++) {
    const char *name = hl_fmu_unit_name (hl_quantity_si ((HlQuantity)q));
    if (name != NULL && strcmp (name, unit) == 0)
      return q;
  }
  return -1;
}

static void append_power (GString *xml, const char *name, double power) {
  if (power != 0.0)
    g_string_append_printf (xml, " %s=\"%d\"", name, (int)lround (power));
}

/* Finds the dimension of a unit; rates such as "Pa/s", "rad/s2" and "(m3/s)/s" are split into the unit and
 * the time. */
static gboolean find_dimension (const char *unit, HlDimension *d) {
  const HlDimension second = {.second = 1.0};
  int quantity = next_quantity (unit, 0);
  gsize n = strlen (unit);

  if (quantity >= 0) {
    *d = hl_dimension_of ((HlQuantity)quantity);
    return TRUE;
  }
  gboolean twice = g_str_has_suffix (unit, "/s2");
  if (!twice && !g_str_has_suffix (unit, "/s"))
    return FALSE;
  gboolean grouped = unit[0] == '(';
  g_autofree char *of = g_strndup (unit + grouped, n - (twice ? 3 : 2) - 2 * grouped);
  if (!find_dimension (of, d))
    return FALSE;
  *d = hl_dimension_product (*d, 1.0, second, twice ? -2.0 : -1.0);
  return TRUE;
}

/* Writes the powers of base units if all of them are integers: those of a flow per square root of a pressure
 * are not, and such a unit has a name only. */
static void write_base (GString *xml, const char *unit, const char *prefix) {
  HlDimension d;

  if (!find_dimension (unit, &d))
    return;
  if (d.kilogram != rint (d.kilogram) || d.metre != rint (d.metre) || d.second != rint (d.second))
    return;
  g_string_append_printf (xml, "<%sBaseUnit", prefix);
  append_power (xml, "kg", d.kilogram);
  append_power (xml, "m", d.metre);
  append_power (xml, "s", d.second);
  append_power (xml, "rad", d.radian);
  g_string_append (xml, "/>");
}

static const HlUnit *find_display (const char *unit, const char *display) {
  for (int q = next_quantity (unit, 0); q >= 0; q = next_quantity (unit, q + 1)) {
    int n;
    const HlUnit *list = hl_quantity_units ((HlQuantity)q, &n);
    for (int k = 0; k < n; k++)
      if (strcmp (dotted (list[k].name), display) == 0)
        return &list[k];
  }
  return NULL;
}

void hl_fmu_units_write (const HlFmuUnits *units, GString *xml, const char *indent, const char *prefix,
                         gboolean display) {
  for (guint k = 0; k < units->list->len; k++) {
    const Unit *unit = &g_array_index (units->list, Unit, k);
    g_string_append_printf (xml, "%s<%sUnit", indent, prefix);
    hl_fmu_attribute (xml, "name", unit->name);
    g_string_append_c (xml, '>');
    write_base (xml, unit->name, prefix);
    for (guint j = 0; display && j < unit->displays->len; j++) {
      const char *name = g_ptr_array_index (unit->displays, j);
      const HlUnit *shown = find_display (unit->name, name);
      g_string_append (xml, "<DisplayUnit");
      hl_fmu_attribute (xml, "name", name);
      hl_fmu_number_attribute (xml, "factor", shown->down / shown->up);
      if (shown->offset != 0.0)
        hl_fmu_number_attribute (xml, "offset", -shown->offset * shown->down / shown->up);
      g_string_append (xml, "/>");
    }
    g_string_append_printf (xml, "</%sUnit>\n", prefix);
  }
}

HlFmuNumber hl_fmu_number (double value) {
  static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
  HlFmuNumber number;

  for (gsize k = 0; k < G_N_ELEMENTS (formats); k++) {
    g_ascii_formatd (number.text, sizeof number.text, formats[k], value);
    if (g_ascii_strtod (number.text, NULL) == value)
      break;
  }
  return number;
}

void hl_fmu_attribute (GString *xml, const char *name, const char *value) {
  if (value == NULL)
    return;
  g_string_append_printf (xml, " %s=\"", name);
  hl_xml_append (xml, HL_XML_ATTRIBUTE, value);
  g_string_append_c (xml, '"');
}

void hl_fmu_number_attribute (GString *xml, const char *name, double value) {
  hl_fmu_attribute (xml, name, hl_fmu_number (value).text);
}

static gboolean is_word (const char *part) {
  if (!g_ascii_isalpha (part[0]) && part[0] != '_')
    return FALSE;
  for (; *part != '\0'; part++)
    if (!g_ascii_isalnum (*part) && *part != '_')
      return FALSE;
  return TRUE;
}

static gboolean is_place (const char *part) {
  return part[0] != '\0' && part[strspn (part, "0123456789")] == '\0';
}

/* Appends a part between apostrophes: printable ASCII as it is, other characters as their codes, #e4#. */
static void append_quoted (GString *name, const char *part) {
  g_string_append_c (name, '\'');
  for (const char *at = part; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (c == '\'' || c == '\\')
      g_string_append_printf (name, "\\%c", (char)c);
    else if (c >= 0x20 && c < 0x7f && c != '#')
      g_string_append_c (name, (char)c);
    else
      g_string_append_printf (name, "#%x#", c);
  }
  g_string_append_c (name, '\'');
}

char *hl_fmu_name_of_path (const char *path) {
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  GString *name = g_string_new (NULL);

  for (int k = 0; parts[k] != NULL; k++) {
    if (k > 0 && is_place (parts[k])) {
      g_string_append_printf (name, "[%s]", parts[k]);
      continue;
    }
    if (k > 0)
      g_string_append_c (name, '.');
    if (is_word (parts[k]))
      g_string_append (name, parts[k]);
    else
      append_quoted (name, parts[k]);
  }
  return g_string_free (name, FALSE);
}

/* Reads "#e4#" as its letter; returns the end of the code, or NULL if it is not a code. */
static const char *read_code (const char *at, GString *path) {
  char *end = NULL;
  guint64 code = g_ascii_strtoull (at + 1, &end, 16);

  if (end == at + 1 || *end != '#' || code > 0x10ffff || !g_unichar_validate ((gunichar)code))
    return NULL;
  g_string_append_unichar (path, (gunichar)code);
  return end;
}

char *hl_fmu_path_of_name (const char *name) {
  GString *path = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *at = name; *at != '\0'; at++) {
    const char *behind = quoted && *at == '#' ? read_code (at, path) : NULL;
    if (behind != NULL)
      at = behind;
    else if (*at == '\'')
      quoted = !quoted;
    else if (quoted && *at == '\\' && at[1] != '\0')
      g_string_append_c (path, *++at);
    else if (!quoted && *at == '[')
      g_string_append_c (path, '.');
    else if (quoted || *at != ']')
      g_string_append_c (path, *at);
  }
  return g_string_free (path, FALSE);
}

char *hl_fmu_flat_name (const char *path) {
  char *name = g_strdup (path);

  for (char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at))
      *at = '_';
  return name;
}

/* Keywords of C99, and names that no file of some systems may have. */
static gboolean is_reserved (const char *name) {
  static const char *const words[] = {
      "auto",   "break",  "case",     "char",   "const",    "continue", "default", "do",
      "double", "else",   "enum",     "extern", "float",    "for",      "goto",    "if",
      "inline", "int",    "long",     "main",   "register", "restrict", "return",  "short",
      "signed", "sizeof", "static",   "struct", "switch",   "typedef",  "union",   "unsigned",
      "void",   "while",  "volatile", "aux",    "con",      "nul",      "prn"};
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean is_one = (g_str_has_prefix (lower, "com") || g_str_has_prefix (lower, "lpt")) &&
                    g_ascii_isdigit (lower[3]) && lower[4] == '\0';

  for (gsize k = 0; k < G_N_ELEMENTS (words) && !is_one; k++)
    is_one = strcmp (lower, words[k]) == 0;
  return is_one;
}

/* Names of files end at 255 bytes, and paths to them on some systems too. */
enum { LONGEST = 100 };

char *hl_fmu_identifier (const char *title) {
  GString *name = g_string_new (NULL);

  for (const char *at = title; *at != '\0'; at++) {
    if (g_ascii_isalnum (*at))
      g_string_append_c (name, *at);
    else if (name->len > 0 && name->str[name->len - 1] != '_')
      g_string_append_c (name, '_');
  }
  if (name->len > LONGEST)
    g_string_truncate (name, LONGEST);
  if (name->len > 0 && name->str[name->len - 1] == '_')
    g_string_truncate (name, name->len - 1);
  if (name->len == 0)
    g_string_append (name, "model");
  if (g_ascii_isdigit (name->str[0]) || is_reserved (name->str))
    g_string_prepend (name, "model_");
  return g_string_free (name, FALSE);
}
