/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-test-component.h"

#include <math.h>
#include <string.h>

#include "core/hydro/actuators/hl-cylinder.h"
#include "core/schema/hl-element-schema.h"
#include "tests/support/hl-test.h"

static void put (HlTestElement *e, int k, double value) {
  const HlField *field = &e->c.klass->kind.fields[k];
  char *place = (char *)e->c.self + field->place - 1;

  if (field->place == 0)
    return;
  if (field->type == HL_FIELD_NUMBER)
    *(double *)(void *)place = value;
  else if (field->type == HL_FIELD_BOOLEAN)
    *(bool *)(void *)place = value != 0.0;
  else if (field->type == HL_FIELD_CHOICE)
    *(int *)(void *)place = (int)value;
}

void hl_test_element_init (HlTestElement *e, const char *kind) {
  memset (e, 0, sizeof *e);
  e->c.klass = hl_component_class (kind);
  g_assert_nonnull (e->c.klass);
  g_assert_cmpuint (e->c.klass->size, <=, sizeof e->data);
  e->c.self = e->data;
  e->c.cylinder = -1;
  for (int port = 0; port < HL_MOST_PORTS; port++)
    e->c.node[port] = e->c.line[port] = port;
  for (int k = 0; k < e->c.klass->kind.n_fields; k++) {
    const HlField *field = &e->c.klass->kind.fields[k];
    bool is_given =
        field->need == HL_NEED_REQUIRED || (field->need == HL_NEED_GROUP && field->alternative == 0);
    if (is_given)
      e->c.stated |= (uint64_t)1 << k;
    if (field->type == HL_FIELD_NUMBER)
      put (e, k, is_given ? field->start : field->need == HL_NEED_DEFAULT ? field->fallback : field->absent);
  }
}

void hl_test_element_set (HlTestElement *e, const char *name, double value) {
  int k = hl_component_find_field (&e->c, name);
  g_assert_cmpint (k, >=, 0);
  const HlField *field = &e->c.klass->kind.fields[k];

  for (int other = 0; field->group != NULL && other < e->c.klass->kind.n_fields; other++)
    if (g_strcmp0 (e->c.klass->kind.fields[other].group, field->group) == 0 &&
        e->c.klass->kind.fields[other].alternative != field->alternative)
      e->c.stated &= ~((uint64_t)1 << other);
  e->c.stated |= (uint64_t)1 << k;
  put (e, k, value);
}

/* Returns a number of the usual size of the quantity. */
static double typical (const HlField *field) {
  double of_start = field->need == HL_NEED_DEFAULT ? field->fallback : field->start;

  /* settings also of the size of what lies between neighbouring lines, so that they act */
  if (field->quantity == HL_QUANTITY_PRESSURE_DIFFERENCE && g_test_rand_bit ())
    return hl_test_log_uniform (1e4, 1e6);
  if (isfinite (of_start) && of_start != 0.0)
    return of_start * hl_test_log_uniform (0.5, 2.0);
  switch (field->quantity) {
  case HL_QUANTITY_NONE:
    return hl_test_uniform (field->min_bound != HL_BOUND_NONE ? field->min : 0.0,
                            field->max_bound != HL_BOUND_NONE ? field->max : 1.0);
  case HL_QUANTITY_PRESSURE:
    return hl_test_log_uniform (1e6, 2e7);
  case HL_QUANTITY_PRESSURE_DIFFERENCE:
    return hl_test_log_uniform (1e4, 3e6);
  case HL_QUANTITY_TIME:
    return hl_test_log_uniform (1e-3, 1e-1);
  case HL_QUANTITY_RESISTANCE:
    return hl_test_log_uniform (1e8, 1e11);
  case HL_QUANTITY_LEAKAGE:
    return hl_test_log_uniform (1e-13, 1e-11);
  default:
    return hl_test_log_uniform (1e-2, 1.0);
  }
}

static int count_choices (const HlField *field) {
  int n = 1;

  for (const char *at = field->choices; *at != '\0'; at++)
    n += *at == '|';
  return n;
}

/* Returns a deviation of a state of the usual size of the quantity. */
static double random_state (HlQuantity quantity) {
  double size = quantity == HL_QUANTITY_FLOW ? 1e-3 : quantity == HL_QUANTITY_LENGTH ? 1e-4 : 1.0;

  return hl_test_uniform (-size, size);
}

/* Sets all numbers of a cushion, or none. */
static void randomize_cushion (HlTestElement *e, char side) {
  static const char *const parts[] = {"length", "area", "end_area", "dead_volume"};
  bool has = g_test_rand_bit ();
  double area = hl_test_log_uniform (1e-5, 1e-4);
  double values[] = {hl_test_uniform (0.02, 0.2), area, area * hl_test_uniform (0.0, 1.0),
                     hl_test_log_uniform (1e-5, 1e-4)};

  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++) {
    g_autofree char *name = g_strdup_printf ("cushion_%c.%s", side, parts[k]);
    int field = hl_component_find_field (&e->c, name);
    if (field < 0)
      return;
    e->c.stated &= ~((uint64_t)1 << field);
    if (has)
      hl_test_element_set (e, name, values[k]);
  }
}

/* Forms of a directional valve, with ways around its middle that open; a pipe in whole segments. */
static void randomize_form (HlTestElement *e) {
  static const char *const central[] = {"PT.overlap", "CD.overlap"};
  int form = hl_component_find_field (&e->c, "form");

  if (form >= 0)
    put (e, form, g_test_rand_int_range (0, count_choices (&e->c.klass->kind.fields[form])));
  for (int k = 0; k < 2 && form >= 0; k++)
    hl_test_element_set (e, central[k], -hl_test_uniform (0.2, 1.0));
  if (hl_component_find_field (&e->c, "segments") >= 0)
    hl_test_element_set (e, "segments", g_test_rand_int_range (0, 2) * 3);
}

void hl_test_element_randomize (HlTestElement *e, const char *kind) {
  hl_test_element_init (e, kind);
  for (int k = 0; k < e->c.klass->kind.n_fields; k++) {
    const HlField *field = &e->c.klass->kind.fields[k];
    bool is_choice = field->type == HL_FIELD_BOOLEAN;
    bool may_stay = field->need == HL_NEED_DEFAULT || field->need == HL_NEED_ABSENT;
    if (is_choice)
      put (e, k, g_test_rand_bit () ? 1.0 : 0.0);
    if (field->type == HL_FIELD_CHOICE && e->c.klass->is_cylinder)
      put (e, k, g_test_rand_int_range (0, count_choices (field)));
    if (field->type != HL_FIELD_NUMBER || (may_stay && g_test_rand_bit ()))
      continue;
    if (field->need == HL_NEED_GROUP && field->alternative != g_test_rand_bit ())
      continue;
    double value = typical (field);
    if (hl_field_accepts (field, value))
      hl_test_element_set (e, field->name, value);
  }
  randomize_form (e);
  randomize_cushion (e, 'A');
  randomize_cushion (e, 'B');
  int n = 0;
  for (int k = 0; k < e->c.klass->kind.n_fields; k++)
    if (e->c.klass->kind.fields[k].type == HL_FIELD_SIGNAL) {
      const HlField *field = &e->c.klass->kind.fields[k];
      e->signal[n++] =
          field->max_bound != HL_BOUND_NONE ? hl_test_uniform (field->min, field->max) : typical (field);
    }
  for (int k = 0; k < HL_MOTIONS; k++)
    e->motion[k] = 0.0;
  for (int k = 0; k < e->c.klass->n_states && e->c.klass->word_of == NULL; k++)
    e->state[k] = random_state (e->c.klass->states[k].quantity);
}

void hl_test_element_derive (HlTestElement *e, double density) {
  HlFluid fluid = {.bulk_modulus = 1.5e9, .density = density, .viscosity = 0.04, .ambient_pressure = NAN};

  hl_component_derive (&e->c, &fluid);
  hl_component_count (&e->c);
  g_assert_cmpint (hl_component_n_rows (&e->c), <=, HL_TEST_MOST_ROWS);
  g_assert_cmpint (hl_component_n_columns (&e->c), <=, HL_TEST_MOST_COLUMNS);
}

/* Returns a pressure for a chamber beside a line; sometimes with a pocket of vapour in it. */
static double near_pressure (double pressure) {
  if (g_test_rand_int_range (0, 4) == 0)
    return hl_test_log_uniform (100.0, 900.0);
  return fmax (pressure + hl_test_uniform (-1.5e5, 1.5e5), 0.2 * pressure);
}

void hl_test_element_move (HlTestElement *e, double pressure) {
  if (e->c.klass->is_cylinder) {
    const HlCylinder *cyl = e->c.self;
    e->motion[0] = cyl->c1 + cyl->c2 + cyl->stroke * hl_test_uniform (0.0, 1.0);
    e->motion[1] = hl_test_uniform (-0.05, 0.05);
  }
  for (int k = 0; k < e->c.n_states && e->c.klass->word_of != NULL; k++) {
    HlQuantity quantity = hl_component_word (&e->c, k, NULL)->quantity;
    e->state[k] = quantity == HL_QUANTITY_PRESSURE ? near_pressure (pressure) : random_state (quantity);
  }
}

void hl_test_element_eval (HlTestElement *e, const double p[HL_MOST_PORTS], HlSide side) {
  double own[HL_MOST_PORTS];
  HlLaw law = {.state = e->state,
               .signal = e->signal,
               .length = e->motion[0],
               .speed = e->motion[1],
               .q = e->out,
               .rate = e->out + e->c.n_branches,
               .d = e->d,
               .side = side};

  if (hl_component_n_rows (&e->c) == 0)
    return;
  memcpy (own, p, sizeof own);
  memset (e->d, 0, sizeof e->d);
  hl_component_eval (&e->c, own, &law);
}

double hl_test_element_d (const HlTestElement *e, int row, int column) {
  return e->d[column * hl_component_n_rows (&e->c) + row];
}
