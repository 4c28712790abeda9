/* SPDX-License-Identifier: MIT */
/* The unit table: exact factors (inch 25.4 mm, pound-force 4.4482216152605 N, psi from both, gallon
 * 231 in^3), the SI unit of a quantity first. Sources: SI brochure; NIST SP 811. */
#include "core/document/hl-unit.h"
#include "core/document/hl-error.h"
#include "core/document/hl-i18n.h"

#include <math.h>
#include <string.h>

#define DEG (G_PI / 180)
#define INCH 0.0254
#define FOOT 0.3048
#define POUND 0.45359237
#define GRAVITY 9.80665 /* standard, m/s2 */
#define PSI (POUND * GRAVITY / (INCH * INCH))
#define GALLON (231 * INCH * INCH * INCH)
#define ATMOSPHERE 101325.0 /* zero of a gauge */

/* clang-format off */
#define Q(name) HL_QUANTITY_##name
static const HlUnit units[] = {
  { Q (NONE), "1", "", 1, 0 }, { Q (NONE), "%", "%", 0.01, 0 },
  { Q (LENGTH), "m", "m", 1, 0 }, { Q (LENGTH), "mm", "mm", 1e-3, 0 }, { Q (LENGTH), "cm", "cm", 1e-2, 0 },
  { Q (LENGTH), "um", "µm", 1e-6, 0 }, { Q (LENGTH), "km", "km", 1e3, 0 }, { Q (LENGTH), "in", "in", INCH, 0 },
  { Q (LENGTH), "ft", "ft", FOOT, 0 },
  { Q (AREA), "m2", "m²", 1, 0 }, { Q (AREA), "mm2", "mm²", 1e-6, 0 }, { Q (AREA), "cm2", "cm²", 1e-4, 0 },
  { Q (AREA), "in2", "in²", INCH *INCH, 0 },
  { Q (VOLUME), "m3", "m³", 1, 0 }, { Q (VOLUME), "cm3", "cm³", 1e-6, 0 }, { Q (VOLUME), "mm3", "mm³", 1e-9, 0 },
  { Q (VOLUME), "L", "L", 1e-3, 0 }, { Q (VOLUME), "mL", "mL", 1e-6, 0 }, { Q (VOLUME), "in3", "in³", INCH *INCH *INCH, 0 },
  { Q (VOLUME), "gal", "gal", GALLON, 0 },
  { Q (ANGLE), "rad", "rad", 1, 0 }, { Q (ANGLE), "deg", "°", DEG, 0 }, { Q (ANGLE), "mrad", "mrad", 1e-3, 0 },
  { Q (ANGLE), "mdeg", "m°", 1e-3 * DEG, 0 },
  { Q (TIME), "s", "s", 1, 0 }, { Q (TIME), "ms", "ms", 1e-3, 0 }, { Q (TIME), "us", "µs", 1e-6, 0 }, { Q (TIME), "min", "min", 60, 0 },
  { Q (RATE), "1/s", "1/s", 1, 0 }, { Q (RATE), "1/ms", "1/ms", 1e3, 0 },
  { Q (FREQUENCY), "Hz", "Hz", 1, 0 }, { Q (FREQUENCY), "kHz", "kHz", 1e3, 0 }, { Q (FREQUENCY), "1/min", "1/min", 1.0 / 60, 0 },
  { Q (SPEED), "m/s", "m/s", 1, 0 }, { Q (SPEED), "mm/s", "mm/s", 1e-3, 0 }, { Q (SPEED), "km/h", "km/h", 1 / 3.6, 0 },
  { Q (SPEED), "in/s", "in/s", INCH, 0 }, { Q (SPEED), "ft/s", "ft/s", FOOT, 0 },
  { Q (ANGULAR_SPEED), "rad/s", "rad/s", 1, 0 }, { Q (ANGULAR_SPEED), "deg/s", "°/s", DEG, 0 },
  { Q (ANGULAR_SPEED), "rpm", "1/min", 2 * G_PI / 60, 0 },
  { Q (ACCELERATION), "m/s2", "m/s²", 1, 0 }, { Q (ACCELERATION), "g", "g", GRAVITY, 0 },
  { Q (MASS), "kg", "kg", 1, 0 }, { Q (MASS), "g", "g", 1e-3, 0 }, { Q (MASS), "t", "t", 1e3, 0 }, { Q (MASS), "lb", "lb", POUND, 0 },
  { Q (INERTIA), "kg m2", "kg·m²", 1, 0 }, { Q (INERTIA), "kg cm2", "kg·cm²", 1e-4, 0 }, { Q (INERTIA), "lb ft2", "lb·ft²", POUND *FOOT *FOOT, 0 },
  { Q (DENSITY), "kg/m3", "kg/m³", 1, 0 }, { Q (DENSITY), "g/cm3", "g/cm³", 1e3, 0 },
  { Q (LINE_DENSITY), "kg/m", "kg/m", 1, 0 }, { Q (LINE_DENSITY), "g/mm", "g/mm", 1, 0 }, { Q (LINE_DENSITY), "lb/ft", "lb/ft", POUND / FOOT, 0 },
  { Q (FORCE), "N", "N", 1, 0 }, { Q (FORCE), "kN", "kN", 1e3, 0 }, { Q (FORCE), "mN", "mN", 1e-3, 0 }, { Q (FORCE), "MN", "MN", 1e6, 0 },
  { Q (FORCE), "lbf", "lbf", POUND *GRAVITY, 0 },
  { Q (TORQUE), "N m", "N·m", 1, 0 }, { Q (TORQUE), "kN m", "kN·m", 1e3, 0 }, { Q (TORQUE), "mN m", "mN·m", 1e-3, 0 },
  { Q (TORQUE), "lbf ft", "lbf·ft", POUND *GRAVITY *FOOT, 0 },
  { Q (STIFFNESS), "N/m", "N/m", 1, 0 }, { Q (STIFFNESS), "N/mm", "N/mm", 1e3, 0 }, { Q (STIFFNESS), "kN/m", "kN/m", 1e3, 0 },
  { Q (STIFFNESS), "MN/m", "MN/m", 1e6, 0 }, { Q (STIFFNESS), "lbf/in", "lbf/in", POUND *GRAVITY / INCH, 0 },
  { Q (DAMPING), "N s/m", "N·s/m", 1, 0 }, { Q (DAMPING), "kN s/m", "kN·s/m", 1e3, 0 }, { Q (DAMPING), "N s/mm", "N·s/mm", 1e3, 0 },
  { Q (TORSION_STIFFNESS), "N m/rad", "N·m/rad", 1, 0 }, { Q (TORSION_STIFFNESS), "N m/deg", "N·m/°", 1 / DEG, 0 },
  { Q (TORSION_DAMPING), "N m s/rad", "N·m·s/rad", 1, 0 }, { Q (TORSION_DAMPING), "N m s/deg", "N·m·s/°", 1 / DEG, 0 },
  { Q (TYRE_STIFFNESS), "N/rad", "N/rad", 1, 0 }, { Q (TYRE_STIFFNESS), "kN/rad", "kN/rad", 1e3, 0 }, { Q (TYRE_STIFFNESS), "N/deg", "N/°", 1 / DEG, 0 },
  { Q (PRESSURE), "Pa", "Pa", 1, 0 }, { Q (PRESSURE), "bar", "bar", 1e5, 0 }, { Q (PRESSURE), "MPa", "MPa", 1e6, 0 },
  { Q (PRESSURE), "kPa", "kPa", 1e3, 0 }, { Q (PRESSURE), "mbar", "mbar", 1e2, 0 }, { Q (PRESSURE), "psi", "psi", PSI, 0 },
  { Q (PRESSURE), "bar(g)", "bar(g)", 1e5, ATMOSPHERE }, { Q (PRESSURE), "psi(g)", "psi(g)", PSI, ATMOSPHERE },
  { Q (PRESSURE_DIFFERENCE), "Pa", "Pa", 1, 0 }, { Q (PRESSURE_DIFFERENCE), "bar", "bar", 1e5, 0 }, { Q (PRESSURE_DIFFERENCE), "MPa", "MPa", 1e6, 0 },
  { Q (PRESSURE_DIFFERENCE), "kPa", "kPa", 1e3, 0 }, { Q (PRESSURE_DIFFERENCE), "mbar", "mbar", 1e2, 0 }, { Q (PRESSURE_DIFFERENCE), "psi", "psi", PSI, 0 },
  { Q (MODULUS), "Pa", "Pa", 1, 0 }, { Q (MODULUS), "GPa", "GPa", 1e9, 0 }, { Q (MODULUS), "MPa", "MPa", 1e6, 0 }, { Q (MODULUS), "bar", "bar", 1e5, 0 },
  { Q (MODULUS), "psi", "psi", PSI, 0 },
  { Q (FLOW), "m3/s", "m³/s", 1, 0 }, { Q (FLOW), "L/min", "L/min", 1e-3 / 60, 0 }, { Q (FLOW), "cm3/s", "cm³/s", 1e-6, 0 },
  { Q (FLOW), "L/s", "L/s", 1e-3, 0 }, { Q (FLOW), "mL/min", "mL/min", 1e-6 / 60, 0 }, { Q (FLOW), "m3/h", "m³/h", 1.0 / 3600, 0 }, { Q (FLOW), "gpm", "gpm", GALLON / 60, 0 },
  { Q (VISCOSITY), "Pa s", "Pa·s", 1, 0 }, { Q (VISCOSITY), "mPa s", "mPa·s", 1e-3, 0 }, { Q (VISCOSITY), "cP", "cP", 1e-3, 0 },
  { Q (RESISTANCE), "Pa s/m3", "Pa·s/m³", 1, 0 }, { Q (RESISTANCE), "bar min/L", "bar·min/L", 1e5 * 60e3, 0 },
  { Q (LEAKAGE), "m3/(s Pa)", "m³/(s·Pa)", 1, 0 }, { Q (LEAKAGE), "L/(min bar)", "L/(min·bar)", 1e-8 / 60, 0 },
  { Q (VALVE_FLOW), "m3/(s sqrt(Pa))", "m³/(s·√Pa)", 1, 0 },
  { Q (POWER), "W", "W", 1, 0 }, { Q (POWER), "kW", "kW", 1e3, 0 }, { Q (POWER), "hp", "hp", 550 * FOOT *POUND *GRAVITY, 0 },
  { Q (ENERGY), "J", "J", 1, 0 }, { Q (ENERGY), "kJ", "kJ", 1e3, 0 }, { Q (ENERGY), "mJ", "mJ", 1e-3, 0 }, { Q (ENERGY), "MJ", "MJ", 1e6, 0 },
};
#undef Q

static const struct { const char *name; const char *shown; } quantities[HL_N_QUANTITIES] = {
  [HL_QUANTITY_NONE] = { N_ ("number"), "1" },
  [HL_QUANTITY_LENGTH] = { N_ ("length"), "mm" },
  [HL_QUANTITY_AREA] = { N_ ("area"), "mm2" },
  [HL_QUANTITY_VOLUME] = { N_ ("volume"), "cm3" },
  [HL_QUANTITY_ANGLE] = { N_ ("angle"), "deg" },
  [HL_QUANTITY_TIME] = { N_ ("time"), "s" },
  [HL_QUANTITY_FREQUENCY] = { N_ ("frequency"), "Hz" },
  [HL_QUANTITY_SPEED] = { N_ ("speed"), "mm/s" },
  [HL_QUANTITY_ANGULAR_SPEED] = { N_ ("angular speed"), "deg/s" },
  [HL_QUANTITY_ACCELERATION] = { N_ ("acceleration"), "m/s2" },
  [HL_QUANTITY_MASS] = { N_ ("mass"), "kg" },
  [HL_QUANTITY_INERTIA] = { N_ ("moment of inertia"), "kg m2" },
  [HL_QUANTITY_DENSITY] = { N_ ("density"), "kg/m3" },
  [HL_QUANTITY_FORCE] = { N_ ("force"), "N" },
  [HL_QUANTITY_TORQUE] = { N_ ("torque"), "N m" },
  [HL_QUANTITY_STIFFNESS] = { N_ ("stiffness"), "N/mm" },
  [HL_QUANTITY_DAMPING] = { N_ ("damping"), "N s/m" },
  [HL_QUANTITY_TORSION_STIFFNESS] = { N_ ("torsional stiffness"), "N m/rad" },
  [HL_QUANTITY_TORSION_DAMPING] = { N_ ("torsional damping"), "N m s/rad" },
  [HL_QUANTITY_TYRE_STIFFNESS] = { N_ ("cornering stiffness"), "kN/rad" },
  [HL_QUANTITY_PRESSURE] = { N_ ("pressure"), "bar" },
  [HL_QUANTITY_PRESSURE_DIFFERENCE] = { N_ ("pressure difference"), "bar" },
  [HL_QUANTITY_MODULUS] = { N_ ("modulus"), "MPa" },
  [HL_QUANTITY_FLOW] = { N_ ("flow"), "L/min" },
  [HL_QUANTITY_VISCOSITY] = { N_ ("viscosity"), "mPa s" },
  [HL_QUANTITY_RESISTANCE] = { N_ ("flow resistance"), "bar min/L" },
  [HL_QUANTITY_LEAKAGE] = { N_ ("leakage"), "L/(min bar)" },
  [HL_QUANTITY_VALVE_FLOW] = { N_ ("valve flow coefficient"), "m3/(s sqrt(Pa))" },
  [HL_QUANTITY_POWER] = { N_ ("power"), "kW" },
  [HL_QUANTITY_ENERGY] = { N_ ("energy"), "J" },
  [HL_QUANTITY_RATE] = { N_ ("rate"), "1/s" },
  [HL_QUANTITY_LINE_DENSITY] = { N_ ("mass per length"), "kg/m" },
};
/* clang-format on */

const HlUnit *
hl_quantity_units (HlQuantity quantity, int *n)
{
  const HlUnit *first = NULL;

  *n = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].quantity == quantity) {
      first = first != NULL ? first : &units[i];
      *n += 1;
    }
  return first;
}

const char *
hl_quantity_si (HlQuantity quantity)
{
  int n;
  return hl_quantity_units (quantity, &n)->name;
}

const char *
hl_quantity_name (HlQuantity quantity)
{
  g_return_val_if_fail (quantity >= 0 && quantity < HL_N_QUANTITIES, NULL);
  return _ (quantities[quantity].name);
}

HlQuantity
hl_quantity_of_si (const char *si_unit)
{
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    if (g_strcmp0 (hl_quantity_si ((HlQuantity)quantity), si_unit) == 0)
      return (HlQuantity)quantity;
  return HL_QUANTITY_NONE;
}

const HlUnit *
hl_quantity_default_unit (HlQuantity quantity)
{
  g_return_val_if_fail (quantity >= 0 && quantity < HL_N_QUANTITIES, NULL);
  return hl_unit_find (quantity, quantities[quantity].shown);
}

/* Names are compared without spaces and product dots, and with ^ dropped, so that "N*m", "N m",
 * "N·m" and "mm^2" are found. */
static char *
plain_unit_name (const char *name)
{
  GString *plain = g_string_new (NULL);

  for (const char *c = name; *c != '\0'; c = g_utf8_next_char (c)) {
    gunichar letter = g_utf8_get_char (c);
    if (letter == 0x00B2 || letter == 0x00B3) /* superscript 2, 3 */
      g_string_append_c (plain, letter == 0x00B2 ? '2' : '3');
    else if (letter == 0x00B5 || letter == 0x03BC) /* micro sign, Greek mu */
      g_string_append_c (plain, 'u');
    else if (letter == 0x2126) /* nothing is measured in ohm: kept, and so not found */
      g_string_append (plain, "ohm");
    else if (letter != ' ' && letter != '*' && letter != '^' && letter != 0x00B7 &&
             letter != 0x22C5)
      g_string_append_unichar (plain, letter);
  }
  return g_string_free (plain, FALSE);
}

const HlUnit *
hl_unit_find (HlQuantity quantity, const char *name)
{
  int n;
  const HlUnit *list = hl_quantity_units (quantity, &n);

  if (name == NULL || !g_utf8_validate (name, -1, NULL))
    return NULL;
  g_autofree char *plain = plain_unit_name (name);
  for (int i = 0; i < n; i++) {
    g_autofree char *known = plain_unit_name (list[i].name);
    g_autofree char *shown = plain_unit_name (list[i].symbol);
    if (strcmp (plain, known) == 0 || strcmp (plain, shown) == 0)
      return &list[i];
  }
  /* "l/min" is as common as "L/min" */
  if (strchr (plain, 'l') != NULL) {
    g_autofree char *large = g_strdelimit (g_strdup (plain), "l", 'L');
    for (int i = 0; i < n; i++) {
      g_autofree char *known = plain_unit_name (list[i].name);
      if (strcmp (large, known) == 0)
        return &list[i];
    }
  }
  return NULL;
}

double
hl_unit_to_si (const HlUnit *unit, double value)
{
  return value * unit->factor + unit->offset;
}

double
hl_unit_from_si (const HlUnit *unit, double si)
{
  return (si - unit->offset) / unit->factor;
}

/* A decimal number; TRUE and *end behind it. Only what JSON would call a number, with an optional
 * plus: no "inf", no hex. */
static gboolean
read_decimal (const char *text, double *number, const char **end)
{
  const char *c = text;
  char *stop;

  if (*c == '+' || *c == '-')
    c++;
  if (!g_ascii_isdigit (*c) && !(*c == '.' && g_ascii_isdigit (c[1])))
    return FALSE;
  if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
    return FALSE;
  *number = g_ascii_strtod (text, &stop);
  *end = stop;
  return isfinite (*number);
}

static gboolean
refuse_comma (const char *text, GError **error)
{
  g_autofree char *point = g_strdelimit (g_strdup (text), ",", '.');
  g_autofree char *none = g_strdup (text);
  char *to = none;

  for (const char *from = text; *from != '\0'; from++)
    if (*from != ',')
      *to++ = *from;
  *to = '\0';
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("‘%s’ has a comma: is it %s or %s? Write a point before the decimals"), text,
               point, none);
  return FALSE;
}

/* Reads "20", "3/8", "1 3/8" and moves *rest behind it. */
static gboolean
read_amount (const char *text, double *amount, const char **rest)
{
  double first, upper, lower;
  const char *after;

  if (!read_decimal (text, &first, &after))
    return FALSE;
  *amount = first;
  *rest = after;
  if (*after == '/' && g_ascii_isdigit (after[1]) && read_decimal (after + 1, &lower, rest)) {
    *amount = first / lower;
    return lower != 0;
  }
  const char *next = after;
  while (*next == ' ')
    next++;
  if (next > after && g_ascii_isdigit (*next) && read_decimal (next, &upper, &after) &&
      *after == '/' && g_ascii_isdigit (after[1]) && read_decimal (after + 1, &lower, &after)) {
    *amount = first < 0 ? first - upper / lower : first + upper / lower;
    *rest = after;
    return lower != 0;
  }
  return TRUE;
}

/* "20 rod/fortnight": tells which units there are. */
static gboolean
refuse_unit (const char *name, HlQuantity quantity, GError **error)
{
  GString *known = g_string_new (NULL);
  int n;
  const HlUnit *list = hl_quantity_units (quantity, &n);

  for (int i = 0; i < n; i++)
    if (*list[i].symbol != '\0')
      g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", list[i].symbol);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is no unit of %s; it can be %s"), name,
               hl_quantity_name (quantity), known->str);
  g_string_free (known, TRUE);
  return FALSE;
}

gboolean
hl_unit_parse (const char *text,
               HlQuantity quantity,
               const HlUnit *assumed,
               double *si,
               const HlUnit **unit,
               GError **error)
{
  g_autofree char *typed = g_strstrip (g_strdup (text));
  const HlUnit *used = assumed;
  const char *rest;
  double amount;

  if (strchr (typed, ',') != NULL)
    return refuse_comma (typed, error);
  if (!read_amount (typed, &amount, &rest)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is no number"), typed);
    return FALSE;
  }
  while (*rest == ' ')
    rest++;
  if (*rest != '\0')
    used = hl_unit_find (quantity, rest);
  if (used == NULL)
    return refuse_unit (rest, quantity, error);
  *si = hl_unit_to_si (used, amount);
  if (unit != NULL)
    *unit = used;
  if (isfinite (*si))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is too large"), typed);
  return FALSE;
}

char *
hl_unit_format (const HlUnit *unit, double si, int digits)
{
  char format[16];
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double value = hl_unit_from_si (unit, si);

  g_snprintf (format, sizeof format, "%%.%dg", CLAMP (digits, 1, 17));
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value == 0 ? 0.0 : value));
}

char *
hl_unit_format_full (const HlUnit *unit, double si, int digits)
{
  g_autofree char *number = hl_unit_format (unit, si, digits);
  const char *space = *unit->symbol == '\0' || strcmp (unit->symbol, "°") == 0 ? "" : " ";

  return g_strconcat (number, space, unit->symbol, NULL);
}

const HlUnit *
hl_unit_fitting (HlQuantity quantity, double largest)
{
  const HlUnit *shown = hl_quantity_default_unit (quantity);
  const HlUnit *best = shown;
  double best_miss = INFINITY;
  int n;
  const HlUnit *list = hl_quantity_units (quantity, &n);

  for (int i = 0; i < n; i++) {
    /* Metric steps of the shown unit only: a plot does not turn to inches by itself. */
    double steps = log10 (list[i].factor / shown->factor);
    double value = fabs (largest) / list[i].factor;
    double miss = value < 0.1     ? log10 (0.1 / value)
                  : value >= 1000 ? log10 (value / 1000) + 0.01
                                  : 0;
    if (list[i].offset != 0 || fabs (steps - round (steps)) > 1e-9 || !(value > 0))
      continue;
    miss += &list[i] == shown ? 0 : 1e-3;
    if (miss < best_miss) {
      best_miss = miss;
      best = &list[i];
    }
  }
  return best;
}
