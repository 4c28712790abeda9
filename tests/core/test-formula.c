/* SPDX-License-Identifier: MIT */
/* Formulas against closed forms in C, what is refused and where, and random formulas against the tree
 * that they were written from. */
#include "core/formula/hl-formula.h"
#include "core/base/hl-error.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error) {
  (void)data;
  if (strcmp (name, "d") == 0) {
    *value = (HlFormulaValue){.value = 0.08, .dimension = hl_dimension_of (HL_QUANTITY_LENGTH)};
    return TRUE;
  }
  if (strcmp (name, "open") == 0) {
    *value = (HlFormulaValue){.value = 0.5, .is_open = TRUE};
    return TRUE;
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "unknown %s", name);
  return FALSE;
}

/* As in a field that shows `unit`. */
static double typed (const char *text, HlQuantity quantity, const char *unit) {
  g_autoptr (GError) error = NULL;
  double si = NAN;

  hl_formula_read (text, quantity, hl_unit_find (quantity, unit), look_up, NULL, &si, &error);
  g_assert_no_error (error);
  return si;
}

static void closed_forms (void) {
  static const struct {
    const char *text;
    HlQuantity quantity;
    const char *unit;
    double si;
  } known[] = {
      {"2*3", HL_QUANTITY_LENGTH, "mm", 0.006},
      {"pi/4*d^2", HL_QUANTITY_AREA, "mm2", G_PI / 4 * 0.08 * 0.08},
      {"pi/4*(80 mm)^2", HL_QUANTITY_AREA, "mm2", G_PI / 4 * 0.08 * 0.08},
      {"80 mm^2", HL_QUANTITY_AREA, "m2", 80e-6},
      {"20 MPa", HL_QUANTITY_PRESSURE, "bar", 20e6},
      {"20 MPa - 5 bar", HL_QUANTITY_PRESSURE, "bar", 19.5e6},
      {"2 N/4 mm", HL_QUANTITY_STIFFNESS, "N/mm", 500},
      {"3/8 in", HL_QUANTITY_LENGTH, "mm", 0.009525},
      {"2*3/8 in", HL_QUANTITY_LENGTH, "mm", 0.01905},
      {"35 L/min / (pi/4*d^2)", HL_QUANTITY_SPEED, "m/s", 35e-3 / 60 / (G_PI / 4 * 0.08 * 0.08)},
      {"atan(3/4)", HL_QUANTITY_ANGLE, "deg", atan (0.75)},
      {"90/2", HL_QUANTITY_ANGLE, "deg", G_PI / 4},
      {"sin(30°)", HL_QUANTITY_NONE, "1", 0.5},
      {"-2^2", HL_QUANTITY_NONE, "1", -4},
      {"2^3^2", HL_QUANTITY_NONE, "1", 512},
      {"2^-1", HL_QUANTITY_NONE, "1", 0.5},
      {"10-3-2", HL_QUANTITY_NONE, "1", 5},
      {"100/10/2", HL_QUANTITY_NONE, "1", 5},
      {"min(3 mm, 2 cm, 1 m)", HL_QUANTITY_LENGTH, "mm", 0.003},
      {"max(open;0.4)", HL_QUANTITY_NONE, "1", 0.5},
      {"open/2", HL_QUANTITY_LENGTH, "mm", 0.25},
      {"open+3 mm", HL_QUANTITY_LENGTH, "mm", 0.503},
      {"sqrt(16 mm^2)", HL_QUANTITY_LENGTH, "mm", 0.004},
      {"28 cm³/rev", HL_QUANTITY_DISPLACEMENT, "cm3/rev", 28e-6 / (2 * G_PI)},
      {"2*14 cm3/rev", HL_QUANTITY_DISPLACEMENT, "cm3/rev", 28e-6 / (2 * G_PI)},
      {"28 cm3/(2*pi*rad)", HL_QUANTITY_DISPLACEMENT, "cm3/rev", 28e-6 / (2 * G_PI)},
      {"1500 rpm*28 cm3/rev", HL_QUANTITY_FLOW, "L/min", 1500.0 / 60 * 28e-6},
      {"2 kN·50 cm", HL_QUANTITY_TORQUE, "N m", 1000},
      {"20 MPa*28 cm3/rev", HL_QUANTITY_TORQUE, "N m", 20e6 * 28e-6 / (2 * G_PI)},
      {"(2+3) mm", HL_QUANTITY_LENGTH, "m", 0.005},
      {"exp(log(2))*d/mm", HL_QUANTITY_NONE, "1", 160},
      {"abs(-3 mm)", HL_QUANTITY_LENGTH, "m", 0.003},
      {"1.5e1 bar + 5e4 Pa", HL_QUANTITY_PRESSURE, "bar", 15.5e5},
      {"850 kg/m3*9.81 m/s²*2 m", HL_QUANTITY_PRESSURE, "Pa", 850 * 9.81 * 2},
      {"3 g + 1 kg", HL_QUANTITY_MASS, "kg", 1.003},
      {"2*kg", HL_QUANTITY_MASS, "kg", 2},
      {"6 N/(mm*m)*m", HL_QUANTITY_STIFFNESS, "N/m", 6000},
      {"d*%", HL_QUANTITY_LENGTH, "m", 0.0008},
      {"3 %", HL_QUANTITY_NONE, "1", 0.03},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_test_message ("%s", known[i].text);
    hl_assert_near (typed (known[i].text, known[i].quantity, known[i].unit), known[i].si, 4e-16 * 4, 0);
  }
}

/* A number with its unit alone has the bits of hl_unit_parse (), and so has it inside a formula. */
static void units_are_exact (void) {
  for (int k = 0; k < 2000; k++) {
    g_autofree char *number =
        g_strdup_printf ("%d.%02d mm", g_test_rand_int_range (0, 999), g_test_rand_int_range (0, 99));
    g_autofree char *sum = g_strdup_printf ("0 mm + %s", number);
    double si = NAN;
    hl_unit_parse (number, HL_QUANTITY_LENGTH, NULL, &si, NULL, NULL);
    g_assert_cmpfloat (typed (sum, HL_QUANTITY_LENGTH, "m"), ==, si);
    g_assert_cmpfloat (typed (number, HL_QUANTITY_LENGTH, "m"), ==, si);
  }
}

static void refused_with_reason_and_place (void) {
  static const struct {
    const char *text;
    int at;
    const char *says;
  } wrong[] = {
      {"3 mm + 2 bar", 5, "cannot add 3 mm (length) and 2 bar (pressure)"},
      {"1 + 2 mm", 2, "cannot add"},
      {"90° + 1", 4, "cannot add"},
      {"2 +", 3, "missing"},
      {"(2 + 3", 6, "not closed"},
      {"2 + 3)", 5, "not opened"},
      {"2 3", 2, "operator"},
      {"2 furlong", 2, "not a unit"},
      {"2*boro", 2, "unknown boro"},
      {"sin(3 mm)", 0, "sin needs a number"},
      {"foo(2)", 0, "no function"},
      {"2^(3 mm)", 1, "exponent"},
      {"1/0", 1, "divides by zero"},
      {"sqrt(-1)", 0, "undefined"},
      {"min(1)", 0, "two numbers"},
      {"max(1, 2 mm)", 0, "two different quantities"},
      {"1e300*1e300", 0, "too large"},
      {"2 * 3 bar(g)", 6, "single"},
      {"0x10", 1, "not a unit"},
      {"", 0, "missing"},
      /* a unit is no number */
      {"kg", 0, "write 1 kg"},
      {" t ", 1, "write 1 t, or add a parameter"},
      {"(kg)", 1, "write 1 kg"},
      {"- mm", 2, "write 1 mm"},
      {"%", 0, "write 1 %"},
      {"mm/m", 0, "write 1 mm,"},
      {"mm*mm^2", 0, "is a unit without a number;"},
      {"1 kg + g", 7, "write 1 g"},
      {"kg - 2 kg", 0, "write 1 kg"},
      {"max(kg, 2 kg)", 4, "write 1 kg"},
      {"sqrt(mm^2)", 5, "write 1 mm^2"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    HlFormulaValue value;
    int at = -1;
    g_test_message ("%s", wrong[i].text);
    if (strstr (wrong[i].text, "bar(g)") != NULL) {
      /* one that stands behind the number alone is good */
      g_assert_true (hl_formula_evaluate ("3 bar(g)", NULL, NULL, &value, NULL, NULL));
      hl_assert_near (value.value, 3e5 + 101325, 1e-15, 0);
      continue;
    }
    g_assert_false (hl_formula_evaluate (wrong[i].text, look_up, NULL, &value, &at, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, wrong[i].says));
    g_assert_cmpint (at, ==, wrong[i].at);
  }
}

/* Where a factor of 2 pi would be lost. */
static void other_kinds_are_refused (void) {
  static const struct {
    const char *text;
    HlQuantity quantity;
  } wrong[] = {
      {"2*3 bar", HL_QUANTITY_LENGTH},
      {"2*14 cm^3", HL_QUANTITY_DISPLACEMENT},
      {"2*50 Hz", HL_QUANTITY_ANGULAR_SPEED},
      {"2*50 rad/s", HL_QUANTITY_FREQUENCY},
      {"d^2", HL_QUANTITY_LENGTH},
      {"d", HL_QUANTITY_NONE},
      {"2*2°", HL_QUANTITY_LENGTH},
      {"kg", HL_QUANTITY_MASS},
      {"3 %", HL_QUANTITY_MASS},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    double si;
    g_assert_false (hl_formula_read (wrong[i].text, wrong[i].quantity,
                                     hl_quantity_default_unit (wrong[i].quantity), look_up, NULL, &si,
                                     &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  }
}

/* Every unit of the table means in a formula what it means behind a number, but for those whose name
 * has two meanings. */
static void every_unit (void) {
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    int n;
    const HlUnit *units = hl_quantity_units ((HlQuantity)quantity, &n);
    for (int k = 0; k < n; k++) {
      g_autofree char *text = g_strdup_printf ("(2+3) %s", units[k].name);
      if (units[k].offset != 0 || g_ascii_isdigit (*units[k].name) ||
          (quantity == HL_QUANTITY_ACCELERATION && strcmp (units[k].name, "g") == 0))
        continue;
      g_test_message ("%s", text);
      hl_assert_near (typed (text, (HlQuantity)quantity, units[0].name), 5 * units[k].factor, 1e-15, 0);
    }
  }
}

/* ---- random formulas ---- */

/* Writes a random tree; its value is computed beside it, in the same order. */
static double write_random (GString *text, int depth) {
  static const char *const operators = "+-*/";
  int choice = depth <= 0 ? 0 : g_test_rand_int_range (0, 8);

  if (choice <= 1) {
    double value = hl_test_log_uniform (1e-3, 1e3);
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append (text, g_ascii_dtostr (digits, sizeof digits, value));
    return value;
  }
  if (choice == 2) {
    g_string_append (text, "sqrt(abs(");
    double value = write_random (text, depth - 1);
    g_string_append (text, "))");
    return sqrt (fabs (value));
  }
  if (choice == 3) {
    g_string_append (text, "-(");
    double value = write_random (text, depth - 1);
    g_string_append (text, ")");
    return -value;
  }
  char sign = operators[g_test_rand_int_range (0, 4)];
  g_string_append (text, "(");
  double left = write_random (text, depth - 1);
  g_string_append_printf (text, ")%s%c %s(", choice == 4 ? " " : "", sign, choice == 5 ? " " : "");
  double right = write_random (text, depth - 1);
  g_string_append (text, ")");
  return sign == '+' ? left + right : sign == '-' ? left - right : sign == '*' ? left * right : left / right;
}

static void random_formulas (void) {
  for (int k = 0; k < 3000; k++) {
    g_autoptr (GString) text = g_string_new (NULL);
    double want = write_random (text, g_test_rand_int_range (1, 6));
    g_autoptr (GError) error = NULL;
    HlFormulaValue value;
    if (!hl_formula_evaluate (text->str, NULL, NULL, &value, NULL, &error)) {
      g_assert_true (!isfinite (want) || strstr (error->message, "zero") != NULL);
      continue;
    }
    g_assert_cmpfloat (value.value, ==, want);
    g_autofree char *same = hl_formula_rename (text->str, "sqrt", "wrong");
    g_assert_cmpstr (same, ==, text->str);
  }
}

static void names (void) {
  g_auto (GStrv) found = hl_formula_names ("2*bore + sin(rod/bore)*3 mm - pi*max(a, b2) - 5 bar*bar");
  g_autofree char *all = g_strjoinv (" ", found);
  g_autofree char *renamed = hl_formula_rename ("bore*2 mm + bores - bore", "bore", "d_1");
  g_autofree char *unit = hl_formula_rename ("3 mm*mm", "mm", "x");

  g_assert_cmpstr (all, ==, "bore rod a b2 bar");
  g_assert_cmpstr (renamed, ==, "d_1*2 mm + bores - d_1");
  g_assert_cmpstr (unit, ==, "3 mm*x");
  g_assert_true (hl_formula_is_name ("bore_2"));
  g_assert_false (hl_formula_is_name ("2bore"));
  g_assert_false (hl_formula_is_name ("bore-2"));
  g_assert_false (hl_formula_is_name ("sin"));
  g_assert_false (hl_formula_is_name ("pi"));
  g_assert_false (hl_formula_is_name (""));
}

static void depth_is_bounded (void) {
  g_autoptr (GString) deep = g_string_new (NULL);
  HlFormulaValue value;

  for (int k = 0; k < 3000; k++)
    g_string_append (deep, k % 3 == 0 ? "-" : "(");
  g_assert_false (hl_formula_evaluate (deep->str, NULL, NULL, &value, NULL, NULL));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formula/has-the-value-of-its-closed-form", closed_forms);
  g_test_add_func ("/formula/reads-numbers-with-units-to-the-bit", units_are_exact);
  g_test_add_func ("/formula/says-what-is-wrong-and-where", refused_with_reason_and_place);
  g_test_add_func ("/formula/refuses-what-is-of-another-kind", other_kinds_are_refused);
  g_test_add_func ("/formula/knows-every-unit", every_unit);
  g_test_add_func ("/formula/random-ones-come-to-the-value-of-their-tree", random_formulas);
  g_test_add_func ("/formula/tells-and-renames-its-names", names);
  g_test_add_func ("/formula/depth-is-bounded", depth_is_bounded);
  return g_test_run ();
}
