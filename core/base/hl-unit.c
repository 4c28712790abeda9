/* SPDX-License-Identifier: MIT */
/* The unit table: exact factors (inch 25.4 mm, pound-force 4.4482216152605 N, psi from both, gallon
 * 231 in^3), the SI unit of a quantity first. Sources: SI brochure; NIST SP 811. */
#include "core/base/hl-unit.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* Returns whether users type a comma before the decimals. The program reads and writes numbers in the C
 * locale, whatever the user's locale is; so the window asks the locale here. */

gboolean hl_unit_has_decimal_comma (void) {
  if (hl_number_has_comma ())
    return TRUE;
  /* of the environment, not of the program */
  locale_t own = newlocale (LC_NUMERIC_MASK, "", (locale_t)0);

  if (own == (locale_t)0)
    return FALSE;
  locale_t before = uselocale (own);
  gboolean has = strcmp (localeconv ()->decimal_point, ",") == 0;
  uselocale (before);
  freelocale (own);
  return has;
}

gboolean hl_unit_parse_typed (const char *text, HlQuantity quantity, const HlUnit *assumed, double *si,
                              const HlUnit **unit, GError **error) {
  const char *comma = strchr (text, ',');

  if (comma == NULL || strchr (comma + 1, ',') != NULL || strchr (text, '.') != NULL ||
      !hl_unit_has_decimal_comma ())
    return hl_unit_parse (text, quantity, assumed, si, unit, error);
  g_autofree char *point = g_strdelimit (g_strdup (text), ",", '.');
  return hl_unit_parse (point, quantity, assumed, si, unit, error);
}

/* A factor is a fraction of two numbers that are exact as double (but for pi): UNIT (up, down). */
#define UNIT(up, down) (double)(up) / (down), up, down
#define INCH UNIT (254, 1e4)
#define SQUARE_INCH UNIT (64516, 1e8)
#define CUBIC_INCH UNIT (16387064, 1e12)
#define FOOT UNIT (3048, 1e4)
#define POUND UNIT (45359237, 1e8)
#define POUND_FORCE UNIT (44482216152605, 1e13) /* pound times 9.80665 m/s2 */
#define PSI UNIT (44482216152605, 64516e5)
#define GALLON UNIT (3785411784, 1e12)
#define ATMOSPHERE 101325.0 /* zero of a gauge */

/* clang-format off */
#define Q(name) HL_QUANTITY_##name
static const HlUnit units[] = {
  { Q (NONE), "1", "", UNIT (1, 1), 0 }, { Q (NONE), "%", "%", UNIT (1, 1e2), 0 },
  { Q (LENGTH), "m", "m", UNIT (1, 1), 0 }, { Q (LENGTH), "mm", "mm", UNIT (1, 1e3), 0 }, { Q (LENGTH), "cm", "cm", UNIT (1, 1e2), 0 },
  { Q (LENGTH), "um", "µm", UNIT (1, 1e6), 0 }, { Q (LENGTH), "km", "km", UNIT (1e3, 1), 0 }, { Q (LENGTH), "in", "in", INCH, 0 },
  { Q (LENGTH), "ft", "ft", FOOT, 0 },
  { Q (AREA), "m2", "m²", UNIT (1, 1), 0 }, { Q (AREA), "mm2", "mm²", UNIT (1, 1e6), 0 }, { Q (AREA), "cm2", "cm²", UNIT (1, 1e4), 0 },
  { Q (AREA), "in2", "in²", SQUARE_INCH, 0 },
  { Q (VOLUME), "m3", "m³", UNIT (1, 1), 0 }, { Q (VOLUME), "cm3", "cm³", UNIT (1, 1e6), 0 }, { Q (VOLUME), "mm3", "mm³", UNIT (1, 1e9), 0 },
  { Q (VOLUME), "L", "L", UNIT (1, 1e3), 0 }, { Q (VOLUME), "mL", "mL", UNIT (1, 1e6), 0 }, { Q (VOLUME), "in3", "in³", CUBIC_INCH, 0 },
  { Q (VOLUME), "gal", "gal", GALLON, 0 },
  { Q (ANGLE), "rad", "rad", UNIT (1, 1), 0 }, { Q (ANGLE), "deg", "°", UNIT (G_PI, 180), 0 }, { Q (ANGLE), "mrad", "mrad", UNIT (1, 1e3), 0 },
  { Q (ANGLE), "mdeg", "m°", UNIT (G_PI, 180e3), 0 },
  { Q (TIME), "s", "s", UNIT (1, 1), 0 }, { Q (TIME), "ms", "ms", UNIT (1, 1e3), 0 }, { Q (TIME), "us", "µs", UNIT (1, 1e6), 0 }, { Q (TIME), "min", "min", UNIT (60, 1), 0 },
  { Q (RATE), "1/s", "1/s", UNIT (1, 1), 0 }, { Q (RATE), "1/ms", "1/ms", UNIT (1e3, 1), 0 },
  { Q (FREQUENCY), "Hz", "Hz", UNIT (1, 1), 0 }, { Q (FREQUENCY), "kHz", "kHz", UNIT (1e3, 1), 0 }, { Q (FREQUENCY), "1/min", "1/min", UNIT (1, 60), 0 },
  { Q (SPEED), "m/s", "m/s", UNIT (1, 1), 0 }, { Q (SPEED), "mm/s", "mm/s", UNIT (1, 1e3), 0 }, { Q (SPEED), "km/h", "km/h", UNIT (10, 36), 0 },
  { Q (SPEED), "in/s", "in/s", INCH, 0 }, { Q (SPEED), "ft/s", "ft/s", FOOT, 0 },
  { Q (ANGULAR_SPEED), "rad/s", "rad/s", UNIT (1, 1), 0 }, { Q (ANGULAR_SPEED), "deg/s", "°/s", UNIT (G_PI, 180), 0 },
  { Q (ANGULAR_SPEED), "rpm", "1/min", UNIT (G_PI, 30), 0 },
  { Q (SHAFT_SPEED), "rad/s", "rad/s", UNIT (1, 1), 0 }, { Q (SHAFT_SPEED), "rpm", "1/min", UNIT (G_PI, 30), 0 }, { Q (SHAFT_SPEED), "deg/s", "°/s", UNIT (G_PI, 180), 0 },
  { Q (ANGULAR_FREQUENCY), "rad/s", "rad/s", UNIT (1, 1), 0 }, { Q (ANGULAR_FREQUENCY), "Hz", "Hz", UNIT (2 * G_PI, 1), 0 },
  { Q (ANGULAR_ACCELERATION), "rad/s2", "rad/s²", UNIT (1, 1), 0 }, { Q (ANGULAR_ACCELERATION), "deg/s2", "°/s²", UNIT (G_PI, 180), 0 },
  { Q (ACCELERATION), "m/s2", "m/s²", UNIT (1, 1), 0 }, { Q (ACCELERATION), "g", "g", UNIT (980665, 1e5), 0 },
  { Q (MASS), "kg", "kg", UNIT (1, 1), 0 }, { Q (MASS), "g", "g", UNIT (1, 1e3), 0 }, { Q (MASS), "t", "t", UNIT (1e3, 1), 0 }, { Q (MASS), "lb", "lb", POUND, 0 },
  { Q (INERTIA), "kg m2", "kg·m²", UNIT (1, 1), 0 }, { Q (INERTIA), "kg cm2", "kg·cm²", UNIT (1, 1e4), 0 }, { Q (INERTIA), "lb ft2", "lb·ft²", UNIT (421401100938048, 1e16), 0 },
  { Q (DENSITY), "kg/m3", "kg/m³", UNIT (1, 1), 0 }, { Q (DENSITY), "g/cm3", "g/cm³", UNIT (1e3, 1), 0 },
  { Q (LINE_DENSITY), "kg/m", "kg/m", UNIT (1, 1), 0 }, { Q (LINE_DENSITY), "g/mm", "g/mm", UNIT (1, 1), 0 }, { Q (LINE_DENSITY), "lb/ft", "lb/ft", UNIT (45359237, 3048e4), 0 },
  { Q (FORCE), "N", "N", UNIT (1, 1), 0 }, { Q (FORCE), "kN", "kN", UNIT (1e3, 1), 0 }, { Q (FORCE), "mN", "mN", UNIT (1, 1e3), 0 }, { Q (FORCE), "MN", "MN", UNIT (1e6, 1), 0 },
  { Q (FORCE), "lbf", "lbf", POUND_FORCE, 0 },
  { Q (TORQUE), "N m", "N·m", UNIT (1, 1), 0 }, { Q (TORQUE), "kN m", "kN·m", UNIT (1e3, 1), 0 }, { Q (TORQUE), "mN m", "mN·m", UNIT (1, 1e3), 0 },
  { Q (TORQUE), "lbf ft", "lbf·ft", UNIT (3389544870828501, 25e14), 0 },
  { Q (STIFFNESS), "N/m", "N/m", UNIT (1, 1), 0 }, { Q (STIFFNESS), "N/mm", "N/mm", UNIT (1e3, 1), 0 }, { Q (STIFFNESS), "kN/m", "kN/m", UNIT (1e3, 1), 0 },
  { Q (STIFFNESS), "MN/m", "MN/m", UNIT (1e6, 1), 0 }, { Q (STIFFNESS), "lbf/in", "lbf/in", UNIT (44482216152605, 254e9), 0 },
  { Q (DAMPING), "N s/m", "N·s/m", UNIT (1, 1), 0 }, { Q (DAMPING), "kN s/m", "kN·s/m", UNIT (1e3, 1), 0 }, { Q (DAMPING), "N s/mm", "N·s/mm", UNIT (1e3, 1), 0 },
  { Q (TORSION_STIFFNESS), "N m/rad", "N·m/rad", UNIT (1, 1), 0 }, { Q (TORSION_STIFFNESS), "N m/deg", "N·m/°", UNIT (180, G_PI), 0 },
  { Q (TORSION_DAMPING), "N m s/rad", "N·m·s/rad", UNIT (1, 1), 0 }, { Q (TORSION_DAMPING), "N m s/deg", "N·m·s/°", UNIT (180, G_PI), 0 },
  { Q (TYRE_STIFFNESS), "N/rad", "N/rad", UNIT (1, 1), 0 }, { Q (TYRE_STIFFNESS), "kN/rad", "kN/rad", UNIT (1e3, 1), 0 }, { Q (TYRE_STIFFNESS), "N/deg", "N/°", UNIT (180, G_PI), 0 },
  { Q (PRESSURE), "Pa", "Pa", UNIT (1, 1), 0 }, { Q (PRESSURE), "bar", "bar", UNIT (1e5, 1), 0 }, { Q (PRESSURE), "MPa", "MPa", UNIT (1e6, 1), 0 },
  { Q (PRESSURE), "kPa", "kPa", UNIT (1e3, 1), 0 }, { Q (PRESSURE), "mbar", "mbar", UNIT (1e2, 1), 0 }, { Q (PRESSURE), "psi", "psi", PSI, 0 },
  { Q (PRESSURE), "bar(g)", "bar(g)", UNIT (1e5, 1), ATMOSPHERE }, { Q (PRESSURE), "psi(g)", "psi(g)", PSI, ATMOSPHERE },
  { Q (PRESSURE_DIFFERENCE), "Pa", "Pa", UNIT (1, 1), 0 }, { Q (PRESSURE_DIFFERENCE), "bar", "bar", UNIT (1e5, 1), 0 }, { Q (PRESSURE_DIFFERENCE), "MPa", "MPa", UNIT (1e6, 1), 0 },
  { Q (PRESSURE_DIFFERENCE), "kPa", "kPa", UNIT (1e3, 1), 0 }, { Q (PRESSURE_DIFFERENCE), "mbar", "mbar", UNIT (1e2, 1), 0 }, { Q (PRESSURE_DIFFERENCE), "psi", "psi", PSI, 0 },
  { Q (MODULUS), "Pa", "Pa", UNIT (1, 1), 0 }, { Q (MODULUS), "GPa", "GPa", UNIT (1e9, 1), 0 }, { Q (MODULUS), "MPa", "MPa", UNIT (1e6, 1), 0 }, { Q (MODULUS), "bar", "bar", UNIT (1e5, 1), 0 },
  { Q (MODULUS), "psi", "psi", PSI, 0 },
  { Q (FLOW), "m3/s", "m³/s", UNIT (1, 1), 0 }, { Q (FLOW), "L/min", "L/min", UNIT (1, 60e3), 0 }, { Q (FLOW), "cm3/s", "cm³/s", UNIT (1, 1e6), 0 },
  { Q (FLOW), "L/s", "L/s", UNIT (1, 1e3), 0 }, { Q (FLOW), "mL/min", "mL/min", UNIT (1, 60e6), 0 }, { Q (FLOW), "m3/h", "m³/h", UNIT (1, 3600), 0 }, { Q (FLOW), "gpm", "gpm", UNIT (3785411784, 60e12), 0 },
  { Q (VISCOSITY), "Pa s", "Pa·s", UNIT (1, 1), 0 }, { Q (VISCOSITY), "mPa s", "mPa·s", UNIT (1, 1e3), 0 }, { Q (VISCOSITY), "cP", "cP", UNIT (1, 1e3), 0 },
  { Q (RESISTANCE), "Pa s/m3", "Pa·s/m³", UNIT (1, 1), 0 }, { Q (RESISTANCE), "bar min/L", "bar·min/L", UNIT (6e9, 1), 0 },
  { Q (LEAKAGE), "m3/(s Pa)", "m³/(s·Pa)", UNIT (1, 1), 0 }, { Q (LEAKAGE), "L/(min bar)", "L/(min·bar)", UNIT (1, 60e8), 0 },
  { Q (VALVE_FLOW), "m3/(s sqrt(Pa))", "m³/(s·√Pa)", UNIT (1, 1), 0 },
  { Q (DISPLACEMENT), "m3/rad", "m³/rad", UNIT (1, 1), 0 }, { Q (DISPLACEMENT), "cm3/rev", "cm³", UNIT (1, 2e6 * G_PI), 0 }, { Q (DISPLACEMENT), "in3/rev", "in³", UNIT (16387064, 2e12 * G_PI), 0 },
  { Q (COMPLIANCE), "m3/Pa", "m³/Pa", UNIT (1, 1), 0 }, { Q (COMPLIANCE), "cm3/bar", "cm³/bar", UNIT (1, 1e11), 0 },
  { Q (INVERSE_ANGULAR_SPEED), "s/rad", "s/rad", UNIT (1, 1), 0 }, { Q (INVERSE_ANGULAR_SPEED), "s/deg", "s/°", UNIT (180, G_PI), 0 },
  { Q (INVERSE_SPEED), "s/m", "s/m", UNIT (1, 1), 0 }, { Q (INVERSE_SPEED), "s/mm", "s/mm", UNIT (1e3, 1), 0 },
  { Q (POWER), "W", "W", UNIT (1, 1), 0 }, { Q (POWER), "kW", "kW", UNIT (1e3, 1), 0 }, { Q (POWER), "hp", "hp", UNIT (745.69987158227022, 1), 0 },
  { Q (ENERGY), "J", "J", UNIT (1, 1), 0 }, { Q (ENERGY), "kJ", "kJ", UNIT (1e3, 1), 0 }, { Q (ENERGY), "mJ", "mJ", UNIT (1, 1e3), 0 }, { Q (ENERGY), "MJ", "MJ", UNIT (1e6, 1), 0 },
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
  [HL_QUANTITY_SHAFT_SPEED] = { N_ ("shaft speed"), "rpm" },
  [HL_QUANTITY_ANGULAR_FREQUENCY] = { N_ ("angular frequency"), "Hz" },
  [HL_QUANTITY_ANGULAR_ACCELERATION] = { N_ ("angular acceleration"), "rad/s2" },
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
  [HL_QUANTITY_DISPLACEMENT] = { N_ ("displacement"), "cm3/rev" },
  [HL_QUANTITY_COMPLIANCE] = { N_ ("compliance"), "cm3/bar" },
  [HL_QUANTITY_INVERSE_SPEED] = { N_ ("inverse speed"), "s/m" },
  [HL_QUANTITY_INVERSE_ANGULAR_SPEED] = { N_ ("inverse angular speed"), "s/rad" },
  [HL_QUANTITY_POWER] = { N_ ("power"), "kW" },
  [HL_QUANTITY_ENERGY] = { N_ ("energy"), "J" },
  [HL_QUANTITY_RATE] = { N_ ("rate"), "1/s" },
  [HL_QUANTITY_LINE_DENSITY] = { N_ ("mass per length"), "kg/m" },
};
/* clang-format on */

const HlUnit *hl_quantity_units (HlQuantity quantity, int *n) {
  const HlUnit *first = NULL;

  *n = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].quantity == quantity) {
      first = first != NULL ? first : &units[i];
      *n += 1;
    }
  return first;
}

const char *hl_quantity_name (HlQuantity quantity) {
  g_return_val_if_fail (quantity >= 0 && quantity < HL_N_QUANTITIES, NULL);
  return _ (quantities[quantity].name);
}

HlQuantity hl_quantity_of_si (const char *si_unit) {
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    if (g_strcmp0 (hl_quantity_si ((HlQuantity)quantity), si_unit) == 0)
      return (HlQuantity)quantity;
  return HL_QUANTITY_NONE;
}

const HlUnit *hl_quantity_default_unit (HlQuantity quantity) {
  g_return_val_if_fail (quantity >= 0 && quantity < HL_N_QUANTITIES, NULL);
  return hl_unit_find (quantity, quantities[quantity].shown);
}

/* Returns a name without spaces, product dots and ^, so that "N*m", "N m", "N·m" and "mm^2" are found. */
static char *plain_unit_name (const char *name) {
  GString *plain = g_string_new (NULL);

  for (const char *c = name; *c != '\0'; c = g_utf8_next_char (c)) {
    gunichar letter = g_utf8_get_char (c);
    if (letter == 0x00B2 || letter == 0x00B3) /* superscript 2, 3 */
      g_string_append_c (plain, letter == 0x00B2 ? '2' : '3');
    else if (letter == 0x00B5 || letter == 0x03BC) /* micro sign, Greek mu */
      g_string_append_c (plain, 'u');
    else if (letter == 0x2126) /* nothing is measured in ohm: kept, and so not found */
      g_string_append (plain, "ohm");
    else if (letter != ' ' && letter != '*' && letter != '^' && letter != 0x00B7 && letter != 0x22C5)
      g_string_append_unichar (plain, letter);
  }
  return g_string_free (plain, FALSE);
}

const HlUnit *hl_unit_find (HlQuantity quantity, const char *name) {
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

/* Converts a value to SI. Computes with the unit's fraction, so that 5 cm3 are exactly 5e-6 m3, which the
 * product of 5 and the rounded 1e-6 is not. */
double hl_unit_to_si (const HlUnit *unit, double value) {
  return (double)((long double)value * (long double)unit->up / (long double)unit->down) + unit->offset;
}

double hl_unit_from_si (const HlUnit *unit, double si) {
  return (double)((long double)(si - unit->offset) * (long double)unit->down / (long double)unit->up);
}

/* Reads a decimal number; TRUE and *end behind it. Accepts numbers of JSON, with an optional plus: no "inf",
 * no hex. */
static gboolean read_decimal (const char *text, double *number, const char **end) {
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

/* ---- the double next to what was typed ---- */

#define EXTRA_DIGITS 40 /* behind those of the text: far more than a double holds */
#define MOST_EXPONENT 100000

/* Digits of a decimal text without sign, point and exponent; *exponent: of the last of them. */
static GString *read_digits (const char *text, const char *end, int *exponent) {
  GString *digits = g_string_new (NULL);
  gboolean behind_point = FALSE;
  const char *c = text;

  *exponent = 0;
  for (; c < end && *c != 'e' && *c != 'E'; c++) {
    behind_point = behind_point || *c == '.';
    if (!g_ascii_isdigit (*c))
      continue;
    g_string_append_c (digits, *c);
    *exponent -= behind_point;
  }
  if (c < end)
    *exponent += (int)CLAMP (g_ascii_strtoll (c + 1, NULL, 10), -MOST_EXPONENT, MOST_EXPONENT);
  return digits;
}

/* Multiplies the digits by an integer below 2^53, from the last digit on. */
static void multiply_digits (GString *digits, guint64 by) {
  guint64 carry = 0;

  for (gsize k = digits->len; k-- > 0;) {
    carry += (guint64)(digits->str[k] - '0') * by;
    digits->str[k] = (char)('0' + carry % 10);
    carry /= 10;
  }
  for (; carry > 0; carry /= 10)
    g_string_prepend_c (digits, (char)('0' + carry % 10));
}

/* Divides the digits by an integer below 2^53; a remainder is kept as a last digit for correct rounding. */
static void divide_digits (GString *digits, guint64 by) {
  guint64 rest = 0;

  for (gsize k = 0; k < digits->len; k++) {
    rest = 10 * rest + (guint64)(digits->str[k] - '0');
    digits->str[k] = (char)('0' + rest / by);
    rest %= by;
  }
  g_string_append_c (digits, rest > 0 ? '1' : '0');
}

static gboolean is_whole (double number) {
  return number >= 1.0 && number < 9007199254740992.0 && floor (number) == number;
}

/* Computes the double nearest to the decimal text [text, end) in a unit, in SI; FALSE if the unit is no
 * fraction of integers (those with pi). */
static gboolean convert_text (const char *text, const char *end, const HlUnit *unit, double *si) {
  double down = unit->down;
  int exponent, shift = 0;

  while (is_whole (down / 10.0) && down > 1.0) {
    down /= 10.0;
    shift++;
  }
  if (!is_whole (unit->up) || !is_whole (down))
    return FALSE;
  GString *digits = read_digits (text, end, &exponent);
  multiply_digits (digits, (guint64)unit->up);
  if (down > 1.0) {
    for (int k = 0; k < EXTRA_DIGITS; k++)
      g_string_append_c (digits, '0');
    divide_digits (digits, (guint64)down);
    exponent -= EXTRA_DIGITS + 1;
  }
  g_string_append_printf (digits, "e%d", exponent - shift);
  *si = g_ascii_strtod (digits->str, NULL);
  *si = (*text == '-' ? -*si : *si) + unit->offset;
  g_string_free (digits, TRUE);
  return TRUE;
}

static gboolean refuse_comma (const char *text, GError **error) {
  g_autofree char *point = g_strdelimit (g_strdup (text), ",", '.');
  g_autofree char *none = g_strdup (text);
  char *to = none;

  for (const char *from = text; *from != '\0'; from++)
    if (*from != ',')
      *to++ = *from;
  *to = '\0';
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("‘%s’ contains a comma; write %s if the comma is the decimal mark, or %s if the comma "
                  "separates thousands"),
               text, point, none);
  return FALSE;
}

/* Reads "20", "3/8", "1 3/8" and moves *rest behind it; *decimal is the end of a number without a
 * fraction, else NULL. */
static gboolean read_amount (const char *text, double *amount, const char **rest, const char **decimal) {
  double first, upper, lower;
  const char *after;

  if (!read_decimal (text, &first, &after))
    return FALSE;
  *amount = first;
  *rest = after;
  *decimal = NULL;
  if (*after == '/' && g_ascii_isdigit (after[1]) && read_decimal (after + 1, &lower, rest)) {
    *amount = first / lower;
    return lower != 0;
  }
  const char *next = after;
  while (*next == ' ')
    next++;
  if (next > after && g_ascii_isdigit (*next) && read_decimal (next, &upper, &after) && *after == '/' &&
      g_ascii_isdigit (after[1]) && read_decimal (after + 1, &lower, &after)) {
    *amount = first < 0 ? first - upper / lower : first + upper / lower;
    *rest = after;
    return lower != 0;
  }
  *decimal = *rest;
  return TRUE;
}

/* Fails for an unknown unit, "20 rod/fortnight": the message lists the known units. */
static gboolean refuse_unit (const char *name, HlQuantity quantity, GError **error) {
  GString *known = g_string_new (NULL);
  int n;
  const HlUnit *list = hl_quantity_units (quantity, &n);

  for (int i = 0; i < n; i++)
    if (*list[i].symbol != '\0')
      g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", list[i].symbol);
  if (quantity == HL_QUANTITY_NONE)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is a unit, but this number has none; write the number without a unit, or in %s"),
                 name, known->str);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not a unit of %s; use %s"), name,
                 hl_quantity_name (quantity), known->str);
  g_string_free (known, TRUE);
  return FALSE;
}

gboolean hl_unit_parse (const char *text, HlQuantity quantity, const HlUnit *assumed, double *si,
                        const HlUnit **unit, GError **error) {
  g_autofree char *plain = hl_number_plain (text);
  const char *typed = g_strstrip (plain);
  const HlUnit *used = assumed;
  const char *rest, *decimal;
  double amount;

  if (strchr (typed, ',') != NULL)
    return refuse_comma (typed, error);
  if (!read_amount (typed, &amount, &rest, &decimal)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is not a valid number"), typed);
    return FALSE;
  }
  while (*rest == ' ')
    rest++;
  if (*rest != '\0')
    used = hl_unit_find (quantity, rest);
  if (used == NULL)
    return refuse_unit (rest, quantity, error);
  if (decimal == NULL || !convert_text (typed, decimal, used, si))
    *si = hl_unit_to_si (used, amount);
  if (unit != NULL)
    *unit = used;
  if (isfinite (*si))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is too large"), typed);
  return FALSE;
}

char *hl_unit_format (const HlUnit *unit, double si, int digits) {
  return g_strdup (hl_shown (hl_unit_from_si (unit, si), digits).text);
}

char *hl_unit_format_entry (const HlUnit *unit, double si, int digits) {
  char text[48];

  hl_number_format_entry (hl_unit_from_si (unit, si), digits, text, sizeof text);
  return g_strdup (text);
}

char *hl_unit_format_plain (const HlUnit *unit, double si, int digits) {
  char format[16];
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double value = hl_unit_from_si (unit, si);

  g_snprintf (format, sizeof format, "%%.%dg", CLAMP (digits, 1, 17));
  return g_strdup (g_ascii_formatd (text, sizeof text, format, value == 0 ? 0.0 : value));
}

char *hl_unit_format_full (const HlUnit *unit, double si, int digits) {
  g_autofree char *number = hl_unit_format (unit, si, digits);
  const char *space = *unit->symbol == '\0' || strcmp (unit->symbol, "°") == 0 ? "" : " ";

  return g_strconcat (number, space, unit->symbol, NULL);
}

const HlUnit *hl_unit_fitting (HlQuantity quantity, double largest) {
  const HlUnit *shown = hl_quantity_default_unit (quantity);
  const HlUnit *best = shown;
  double best_miss = INFINITY;
  int n;
  const HlUnit *list = hl_quantity_units (quantity, &n);

  for (int i = 0; i < n; i++) {
    /* Metric steps of the shown unit only: a plot does not turn to inches by itself. */
    double steps = log10 (list[i].factor / shown->factor);
    double value = fabs (largest) / list[i].factor;
    double miss = value < 0.1 ? log10 (0.1 / value) : value >= 1000 ? log10 (value / 1000) + 0.01 : 0;
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
