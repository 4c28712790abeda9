/* SPDX-License-Identifier: MIT */
/* Blocks of signals, the ramp of openings and the end stops of cylinders against golden numbers: values
 * and all partial derivatives, also on the two sides of a corner. */
#include <math.h>
#include <string.h>

#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-flow-law.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-signal-block.h"
#include "tests/support/hl-test.h"

#define SMALL 1e-13 /* of the largest summand */

static json_t *law_of (json_t *golden, const char *name) {
  json_t *law = json_object_get (json_object_get (golden, "laws"), name);

  g_assert_nonnull (law);
  g_assert_cmpint ((int)json_array_size (json_object_get (law, "points")), >=, 6);
  return law;
}

static double number (json_t *object, const char *name) {
  json_t *value = json_object_get (object, name);

  g_assert_nonnull (value);
  return json_number_value (value);
}

/* The numbers of the golden law in the block's fields. */
static HlBlock block_of (const HlBlockClass *klass, json_t *parameters) {
  HlBlock block = {.gain = 1.0, .anti_windup = NAN, .min = NAN, .max = NAN};

  for (int k = 0; k < klass->kind.n_fields; k++) {
    const HlField *field = &klass->kind.fields[k];
    json_t *value = json_object_get (parameters, field->name);
    if (field->place != 0 && value != NULL)
      *hl_block_number (&block, field) = json_number_value (value);
  }
  return block;
}

/* Inputs of a law: "u" and "error" are the signal, the others states by the class's words. */
static int column_of (const HlBlockClass *klass, const char *name) {
  for (int k = 0; k < klass->n_words; k++)
    if (strcmp (klass->words[k], name) == 0)
      return k;
  return -1;
}

static double slope_of (const HlBlockSlopes *slopes, int column) {
  return column < 0 ? slopes->u : slopes->x[column];
}

/* The value, or the rate of a state, and its slope by a column on a side of a corner. */
static double result (const HlBlockClass *klass, const HlBlock *block, HlBlockPoint *at, int row, int column,
                      HlSide side, double *slope) {
  double bend, value = hl_block_eval (klass, block, at, side, &bend);

  if (row < 0) {
    *slope = bend * slope_of (&at->d_raw, column);
    return value;
  }
  *slope = slope_of (&at->d_base[row], column) + at->back[row] * (bend - 1.0) * slope_of (&at->d_raw, column);
  return at->base[row] + at->back[row] * (value - at->raw);
}

static void check_point (const HlBlockClass *klass, const HlBlock *block, json_t *point) {
  json_t *in = json_object_get (point, "in"), *d = json_object_get (point, "d"), *value;
  json_t *sides = json_object_get (point, "sides");
  double x[HL_BLOCK_STATES] = {0.0}, u = 0.0, slope;
  const char *name, *by;

  json_object_foreach (in, name, value) {
    int column = column_of (klass, name);
    *(column < 0 ? &u : &x[column]) = json_number_value (value);
  }
  json_object_foreach (json_object_get (point, "out"), name, value) {
    g_autofree char *state = g_strdup (name);
    if (g_str_has_suffix (state, "_rate"))
      state[strlen (state) - 5] = '\0';
    int row = column_of (klass, state);
    json_t *unused;
    json_object_foreach (in, by, unused) {
      g_autofree char *pair = g_strdup_printf ("%s/%s", name, by);
      json_t *both = sides != NULL ? json_object_get (sides, pair) : NULL;
      int column = column_of (klass, by);
      double size = fmax (1.0, fabs (json_number_value (json_object_get (d, pair))));
      HlBlockPoint at = {.u = u, .x = x};
      double got = result (klass, block, &at, row, column, HL_SIDE_MEAN, &slope);
      /* at 5 times 0.2 the doubles stand on the bound, which exact arithmetic is beyond */
      if (both == NULL && klass->is_at_corner != NULL && klass->is_at_corner (block, at.raw))
        continue;
      double summands = fabs (at.raw) + fabs (at.base[0]) + fabs (at.base[1]) + 1.0;
      hl_assert_near (got, json_number_value (value), SMALL, SMALL * summands);
      hl_assert_near (slope, json_number_value (json_object_get (d, pair)), SMALL, SMALL * size);
      for (int side = HL_SIDE_UP; both != NULL && side <= HL_SIDE_DOWN; side++) {
        HlBlockPoint beside = {.u = u, .x = x};
        result (klass, block, &beside, row, column, (HlSide)side, &slope);
        hl_assert_near (slope, number (both, side == HL_SIDE_UP ? "up" : "down"), SMALL, SMALL * size);
      }
    }
  }
}

static void test_blocks (void) {
  static const char *const kinds[] = {"pid", "lead-lag", "dead-zone", "limit"};
  json_t *golden = hl_test_golden_json ("components.json");

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
    json_t *law = law_of (golden, kinds[k]), *points = json_object_get (law, "points");
    const HlBlockClass *klass = hl_block_class (kinds[k]);
    HlBlock block = block_of (klass, json_object_get (law, "parameters"));
    g_test_message ("%s", kinds[k]);
    for (gsize n = 0; n < json_array_size (points); n++)
      check_point (klass, &block, json_array_get (points, n));
  }
  json_decref (golden);
}

static void test_ramp (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *points = json_object_get (law_of (golden, "ramp"), "points");

  for (gsize n = 0; n < json_array_size (points); n++) {
    json_t *point = json_array_get (points, n);
    double slope, y = hl_ramp (number (json_object_get (point, "in"), "e"), &slope);
    hl_assert_near (y, number (json_object_get (point, "out"), "y"), SMALL, SMALL);
    hl_assert_near (slope, number (json_object_get (point, "d"), "y/e"), SMALL, SMALL);
  }
  json_decref (golden);
}

/* The lower stop of a cylinder whose stiffness is the law's; its room is the length of chamber A. */
static void test_end_stop (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *law = law_of (golden, "end-stop"), *points = json_object_get (law, "points");
  double K = number (json_object_get (law, "parameters"), "K"), stroke = 0.5;
  double depth = HL_STOP_DEPTH * stroke;
  HlCylinder cyl = {
      .stroke = stroke, .area_a = K * depth * depth / HL_STOP_PRESSURE, .stop_loss = HL_STOP_LOSS};

  hl_assert_near (number (json_object_get (law, "parameters"), "loss"), HL_STOP_LOSS, 0.0, 0.0);
  for (gsize n = 0; n < json_array_size (points); n++) {
    json_t *point = json_array_get (points, n), *d = json_object_get (point, "d");
    HlStopForce stop;
    hl_cylinder_stops (&cyl, number (json_object_get (point, "in"), "room"),
                       number (json_object_get (point, "in"), "rate"), &stop);
    double force = number (json_object_get (point, "out"), "force");
    hl_assert_near (stop.force, force, SMALL, SMALL);
    hl_assert_near (-stop.stiffness, number (d, "force/room"), SMALL, SMALL);
    hl_assert_near (-stop.damping, number (d, "force/rate"), SMALL, SMALL);
  }
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/signal-block-golden/blocks", test_blocks);
  g_test_add_func ("/signal-block-golden/ramp", test_ramp);
  g_test_add_func ("/signal-block-golden/end-stop", test_end_stop);
  return g_test_run ();
}
