/* SPDX-License-Identifier: MIT */
/* Units: exact factors against definitions written out here, what a person types, what is shown. */
#include "core/base/hl-error.h"
#include "core/base/hl-number-format.h"
#include "core/base/hl-unit.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static void factors_are_exact (void) {
  /* From the definitions: inch 25.4 mm, pound 0.45359237 kg, standard gravity 9.80665 m/s2, gallon
   * 231 cubic inches, mechanical horsepower 550 foot-pounds-force a second; psi, gpm and hp from
   * the tables of NIST SP 811, appendix B. */
  static const struct {
    HlQuantity quantity;
    const char *unit;
    double si;
    double rel;
  } known[] = {{HL_QUANTITY_LENGTH, "in", 0.0254, 0},
               {HL_QUANTITY_LENGTH, "ft", 0.3048, 0},
               {HL_QUANTITY_PRESSURE, "bar", 1e5, 0},
               {HL_QUANTITY_PRESSURE, "psi", 6894.757293168361, 1e-15},
               {HL_QUANTITY_FLOW, "L/min", 1.0 / 60000, 1e-15},
               {HL_QUANTITY_FLOW, "gpm", 6.30901964e-5, 1e-9},
               {HL_QUANTITY_ANGLE, "deg", 0.017453292519943295, 0},
               {HL_QUANTITY_ANGULAR_SPEED, "rpm", 0.10471975511965977, 2e-16},
               {HL_QUANTITY_ANGULAR_FREQUENCY, "Hz", 6.283185307179586, 2e-16},
               {HL_QUANTITY_FORCE, "lbf", 4.4482216152605, 1e-15},
               {HL_QUANTITY_POWER, "hp", 745.6998715822702, 1e-15},
               {HL_QUANTITY_VOLUME, "cm3", 1e-6, 0},
               {HL_QUANTITY_VOLUME, "gal", 3.785411784e-3, 1e-15},
               {HL_QUANTITY_VISCOSITY, "cP", 1e-3, 0},
               {HL_QUANTITY_RESISTANCE, "bar min/L", 6e9, 0},
               {HL_QUANTITY_LEAKAGE, "L/(min bar)", 1e-3 / 60 / 1e5, 1e-15}};

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    const HlUnit *unit = hl_unit_find (known[i].quantity, known[i].unit);
    g_assert_nonnull (unit);
    hl_assert_near (hl_unit_to_si (unit, 1), known[i].si, known[i].rel, 0);
  }
}

/* A typed number is a decimal number, and so is the factor of its unit: the stored double is the one nearest
 * to their product, which a decimal text states and the C library reads. */
static void typed_is_stored_exactly (void) {
  /* the unit is factor times 10^exponent */
  static const struct {
    HlQuantity quantity;
    const char *unit;
    gint64 factor;
    int exponent;
  } units[] = {{HL_QUANTITY_VOLUME, "cm3", 1, -6},     {HL_QUANTITY_LENGTH, "mm", 1, -3},
               {HL_QUANTITY_LENGTH, "um", 1, -6},      {HL_QUANTITY_VOLUME, "mm3", 1, -9},
               {HL_QUANTITY_PRESSURE, "bar", 1, 5},    {HL_QUANTITY_LENGTH, "in", 254, -4},
               {HL_QUANTITY_MASS, "lb", 45359237, -8}, {HL_QUANTITY_VOLUME, "gal", 3785411784, -12},
               {HL_QUANTITY_TIME, "min", 60, 0},       {HL_QUANTITY_VISCOSITY, "mPa s", 1, -3}};

  for (int round = 0; round < 2000; round++)
    for (gsize k = 0; k < G_N_ELEMENTS (units); k++) {
      gint64 digits = g_test_rand_int_range (-999999, 1000000);
      int power = g_test_rand_int_range (-9, 4);
      const HlUnit *unit = hl_unit_find (units[k].quantity, units[k].unit);
      g_autofree char *typed = g_strdup_printf ("%" G_GINT64_FORMAT "e%d %s", digits, power, units[k].unit);
      g_autofree char *meant =
          g_strdup_printf ("%" G_GINT64_FORMAT "e%d", digits * units[k].factor, power + units[k].exponent);
      double si = NAN;
      g_assert_true (hl_unit_parse (typed, units[k].quantity, unit, &si, NULL, NULL));
      g_assert_cmpfloat (si, ==, g_ascii_strtod (meant, NULL));
    }
  /* a sixtieth ends nowhere: 60 of them are 1 to the last digit all the same */
  static const struct {
    HlQuantity quantity;
    const char *typed;
    double si;
  } fractions[] = {{HL_QUANTITY_FLOW, "60 L/min", 1e-3},     {HL_QUANTITY_FLOW, "6e-1 L/min", 1e-5},
                   {HL_QUANTITY_FLOW, "3 m3/h", 3.0 / 3600}, {HL_QUANTITY_SPEED, "36 km/h", 10},
                   {HL_QUANTITY_SPEED, "7.2 km/h", 2},       {HL_QUANTITY_ANGLE, "90 deg", G_PI / 2},
                   {HL_QUANTITY_VOLUME, "5 cm3", 5e-6},      {HL_QUANTITY_VOLUME, "-5.0 cm3", -5e-6},
                   {HL_QUANTITY_LENGTH, "3/8 in", 0.009525}, {HL_QUANTITY_LENGTH, ".1 mm", 1e-4}};
  for (gsize k = 0; k < G_N_ELEMENTS (fractions); k++) {
    double si = NAN;
    g_assert_true (hl_unit_parse (fractions[k].typed, fractions[k].quantity, NULL, &si, NULL, NULL));
    g_assert_cmpfloat (si, ==, fractions[k].si);
  }
}

static void every_quantity_has_its_units (void) {
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    int n;
    const HlUnit *units = hl_quantity_units (quantity, &n);
    g_assert_cmpint (n, >, 0);
    g_assert_cmpfloat (units[0].factor, ==, 1);
    g_assert_cmpfloat (units[0].offset, ==, 0);
    g_assert_cmpstr (units[0].name, ==, hl_quantity_si (quantity));
    g_assert_nonnull (hl_quantity_name (quantity));
    g_assert_nonnull (hl_quantity_default_unit (quantity));
    for (int i = 0; i < n; i++) {
      g_assert_cmpint (units[i].quantity, ==, quantity);
      g_assert_true (hl_unit_find (quantity, units[i].name) == &units[i]);
      g_assert_true (hl_unit_find (quantity, units[i].symbol) == &units[i] || *units[i].symbol == '\0');
      for (int k = 0; k < 50; k++) {
        double value = hl_test_uniform (-100, 100);
        hl_assert_near (hl_unit_from_si (&units[i], hl_unit_to_si (&units[i], value)), value, 4e-16, 1e-13);
      }
    }
  }
}

static void typed_values_are_read (void) {
  static const struct {
    const char *text;
    HlQuantity quantity;
    const char *assumed;
    double si;
  } typed[] = {{"20 bar", HL_QUANTITY_PRESSURE, "MPa", 20e5},
               {"20bar", HL_QUANTITY_PRESSURE, "MPa", 20e5},
               {"20", HL_QUANTITY_PRESSURE, "MPa", 20e6},
               {"0 bar(g)", HL_QUANTITY_PRESSURE, "MPa", 101325},
               {"3/8 in", HL_QUANTITY_LENGTH, "mm", 0.0254 * 0.375},
               {"1 3/8 in", HL_QUANTITY_LENGTH, "mm", 0.0254 * 1.375},
               {"-1 1/2", HL_QUANTITY_LENGTH, "m", -1.5},
               {"1.5e-3", HL_QUANTITY_LENGTH, "m", 1.5e-3},
               {"  -2  ", HL_QUANTITY_NONE, "1", -2},
               {"+.5", HL_QUANTITY_NONE, "1", 0.5},
               {"50 %", HL_QUANTITY_NONE, "1", 0.5},
               {"90°", HL_QUANTITY_ANGLE, "rad", G_PI_2},
               {"60 l/min", HL_QUANTITY_FLOW, "m3/s", 1e-3},
               {"60 L/min", HL_QUANTITY_FLOW, "m3/s", 1e-3},
               {"5 N·m", HL_QUANTITY_TORQUE, "N m", 5},
               {"5 N*m", HL_QUANTITY_TORQUE, "N m", 5},
               {"5 Nm", HL_QUANTITY_TORQUE, "N m", 5},
               {"12 mm²", HL_QUANTITY_AREA, "m2", 12e-6},
               {"12 mm^2", HL_QUANTITY_AREA, "m2", 12e-6},
               {"−2.5", HL_QUANTITY_LENGTH, "m", -2.5},
               {"7.9·10⁻⁶", HL_QUANTITY_TIME, "s", 7.9e-6},
               {"7.9·10⁻⁶ ms", HL_QUANTITY_TIME, "s", 7.9e-9},
               {"7.9·10^-6", HL_QUANTITY_TIME, "s", 7.9e-6},
               {"7.9 × 10^−6 s", HL_QUANTITY_TIME, "s", 7.9e-6},
               {"7.9*10^-6", HL_QUANTITY_TIME, "s", 7.9e-6},
               {"10⁻⁶", HL_QUANTITY_TIME, "s", 1e-6},
               {"10^-6 s", HL_QUANTITY_TIME, "s", 1e-6},
               {"−10³ N", HL_QUANTITY_FORCE, "kN", -1e3},
               {"10 m", HL_QUANTITY_LENGTH, "m", 10},
               {"1·10⁷", HL_QUANTITY_NONE, "1", 1e7}};

  for (gsize i = 0; i < G_N_ELEMENTS (typed); i++) {
    g_autoptr (GError) error = NULL;
    double si = NAN;
    g_assert_true (hl_unit_parse (typed[i].text, typed[i].quantity,
                                  hl_unit_find (typed[i].quantity, typed[i].assumed), &si, NULL, &error));
    g_assert_no_error (error);
    hl_assert_near (si, typed[i].si, 3e-16, 0);
  }
}

static void nonsense_is_refused_with_a_reason (void) {
  static const struct {
    const char *text;
    const char *says;
  } bad[] = {{"1,5", "write 1.5 if the comma is the decimal mark, or 15"},
             {"1,500.0 bar", "comma"},
             {"", "not a valid number"},
             {"bar", "not a valid number"},
             {"nan", "not a valid number"},
             {"inf", "not a valid number"},
             {"0x10", "not a valid number"},
             {"1/0 bar", "not a valid number"},
             {"20 furlong", "bar"},
             {"20 mm", "not a unit of"},
             {"1e999 bar", "number"},
             {"1e308 MPa", "too large"},
             {"--1", "not a valid number"},
             {"1 2", "not a unit"},
             {"20 bar bar", "not a unit"}};

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    double si = 7;
    const HlUnit *assumed = hl_quantity_default_unit (HL_QUANTITY_PRESSURE);
    g_assert_false (hl_unit_parse (bad[i].text, HL_QUANTITY_PRESSURE, assumed, &si, NULL, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
    if (strstr (error->message, bad[i].says) == NULL)
      g_error ("‘%s’: %s", bad[i].text, error->message);
  }
}

static void shown_values_read_back (void) {
  g_autofree char *bar = hl_unit_format_full (hl_unit_find (HL_QUANTITY_PRESSURE, "bar"), 20e5, 6);
  g_autofree char *degree = hl_unit_format_full (hl_unit_find (HL_QUANTITY_ANGLE, "deg"), G_PI_2, 6);
  g_autofree char *zero = hl_unit_format (hl_unit_find (HL_QUANTITY_LENGTH, "mm"), -0.0, 6);

  g_assert_cmpstr (bar, ==, "20 bar");
  g_assert_cmpstr (degree, ==, "90°");
  g_assert_cmpstr (zero, ==, "0");
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    int n;
    const HlUnit *units = hl_quantity_units (quantity, &n);
    for (int i = 0; i < n; i++) {
      double si = hl_test_log_uniform (1e-6, 1e6);
      g_autofree char *text = hl_unit_format_full (&units[i], si, 17);
      const HlUnit *read;
      double back;
      g_assert_true (hl_unit_parse (text, quantity, &units[i], &back, &read, NULL));
      g_assert_true (read == &units[i]);
      hl_assert_near (back, si, 1e-15, 1e-10 * fabs (units[i].offset));
    }
  }
}

/* One form for people, written out here; what machines read has another. */
static void numbers_have_one_form (void) {
  static const struct {
    double value;
    int digits;
    const char *shown;
  } forms[] = {{1e-8, 6, "1·10⁻⁸"},
               {-7.912e-6, 2, "−7.9·10⁻⁶"},
               {0.001, 3, "0.001"},
               {0.00099996, 3, "0.001"},
               {9.9999e-4, 5, "9.9999·10⁻⁴"},
               {123456, 6, "123456"},
               {999999.6, 6, "1·10⁶"},
               {1234567, 4, "1.235·10⁶"},
               {-0.0, 3, "0"},
               {2.5, 17, "2.5"},
               {100, 1, "100"},
               {NAN, 3, "–"},
               {-INFINITY, 3, "−∞"},
               {5e-324, 1, "5·10⁻³²⁴"}};
  const HlUnit *metre = hl_unit_find (HL_QUANTITY_LENGTH, "m");

  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    g_assert_cmpstr (hl_shown (forms[i].value, forms[i].digits).text, ==, forms[i].shown);
  g_autofree char *shown = hl_unit_format (metre, -1e-6, 6);
  g_autofree char *plain = hl_unit_format_plain (metre, -1e-6, 6);
  g_autofree char *entry = hl_unit_format_entry (metre, -1.5e-6, 6);
  g_autofree char *large = hl_unit_format_entry (metre, 1234567, 4);
  g_autofree char *usual = hl_unit_format_entry (metre, 0.25, 4);
  g_assert_cmpstr (shown, ==, "−1·10⁻⁶");
  g_assert_cmpstr (plain, ==, "-1e-06");
  /* in fields, whose font is the system's */
  g_assert_cmpstr (entry, ==, "−1.5e-6");
  g_assert_cmpstr (large, ==, "1.235e6");
  g_assert_cmpstr (usual, ==, "0.25");
  /* no text is too long for its place, and what is shown whole reads back to the bit */
  for (int round = 0; round < 2000; round++) {
    double value = g_test_rand_double_range (-1, 1) * pow (10, g_test_rand_int_range (-300, 300));
    g_autofree char *text = hl_number_plain (hl_shown (value, 17).text);
    g_assert_cmpfloat (g_ascii_strtod (text, NULL), ==, value);
  }
}

/* Signs that cannot belong to a number remain a product or a power. */
static void plain_numbers_keep_their_meaning (void) {
  static const char *const typed[][2] = {{"2*10^3", "2e3"},
                                         {"d*10^3", "d*1e3"},
                                         {"d2·10³", "d2*1e3"},
                                         {"5/2·10³", "5/2*1e3"},
                                         {"2^3·10²", "2^3*1e2"},
                                         {"1e3·10²", "1e3*1e2"},
                                         {"d10^2", "d10^2"},
                                         {"210^2", "210^2"},
                                         {"10^n", "10^n"},
                                         {"10^2^3", "10^2^3"},
                                         {"10^0.5", "10^0.5"},
                                         {"10", "10"},
                                         {"2,5·10⁻³", "2,5e-3"},
                                         {"10 mm²", "10 mm²"},
                                         {"3 − 2", "3 - 2"},
                                         {"max(1, 2·10³)", "max(1, 2e3)"},
                                         {"max(2·10³, 1)", "max(2e3, 1)"},
                                         {"3·10⁷ and 1·10⁶, or 2·10⁴.", "3e7 and 1e6, or 2e4."},
                                         {"10^2,5", "10^2,5"}};

  for (gsize i = 0; i < G_N_ELEMENTS (typed); i++) {
    g_autofree char *plain = hl_number_plain (typed[i][0]);
    g_assert_cmpstr (plain, ==, typed[i][1]);
  }
}

static void axes_find_a_fitting_unit (void) {
  g_assert_cmpstr (hl_unit_fitting (HL_QUANTITY_ANGLE, 0.5)->name, ==, "deg");
  /* The four-bar moves by 3e-3 degrees. */
  g_assert_cmpstr (hl_unit_fitting (HL_QUANTITY_ANGLE, 5e-5)->name, ==, "mdeg");
  g_assert_cmpstr (hl_unit_fitting (HL_QUANTITY_PRESSURE, 20e6)->name, ==, "bar");
  g_assert_cmpstr (hl_unit_fitting (HL_QUANTITY_FORCE, 50)->name, ==, "N");
  g_assert_cmpstr (hl_unit_fitting (HL_QUANTITY_FORCE, 80e3)->name, ==, "kN");
  g_assert_nonnull (hl_unit_fitting (HL_QUANTITY_FORCE, 0));
  g_assert_nonnull (hl_unit_fitting (HL_QUANTITY_FORCE, NAN));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/physical-units/factors-are-exact", factors_are_exact);
  g_test_add_func ("/physical-units/typed-is-stored-exactly", typed_is_stored_exactly);
  g_test_add_func ("/physical-units/every-quantity-has-its-units", every_quantity_has_its_units);
  g_test_add_func ("/physical-units/typed-values-are-read", typed_values_are_read);
  g_test_add_func ("/physical-units/nonsense-is-refused-with-a-reason", nonsense_is_refused_with_a_reason);
  g_test_add_func ("/physical-units/shown-values-read-back", shown_values_read_back);
  g_test_add_func ("/physical-units/numbers-have-one-form", numbers_have_one_form);
  g_test_add_func ("/physical-units/plain-numbers-keep-their-meaning", plain_numbers_keep_their_meaning);
  g_test_add_func ("/physical-units/axes-find-a-fitting-unit", axes_find_a_fitting_unit);
  return g_test_run ();
}
