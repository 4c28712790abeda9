/* SPDX-License-Identifier: MIT */
/* Names, position, orientation and units of a drawing do not affect the machine. Examples and random machines
 * are moved, turned, mirrored, renamed, listed backwards and written in other units; they keep their
 * eigenvalues and null structure.
 *
 * At rest eigenvalues do not depend on the coordinates, and every drawing makes its own choice. In
 * motion they do: with other independent coordinates q' = g (q) the Jacobian is not only
 * transformed, it gains a term g_qq q'. A linear g gains none. So a moving machine is linearized in
 * coordinates that the redrawing maps linearly: the same ones by name; and when it is turned,
 * either all of them are angles and whole pairs of x and y, which turn into each other, or the turn
 * is a quarter, which makes an x a y. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "tests/support/hl-transformed-model.h"
#include "tests/support/hl-test-random-machine.h"

/* Relative, times the condition number of the eigenvalue. */
#define TOLERANCE 1e-9

#define MOST_COORDINATES 64

/* Independent and admissible coordinates by path, the independent ones first. */
typedef struct {
  int n, n_independent;
  char *paths[MOST_COORDINATES];
} Coordinates;

static HlLinearization *linearize (json_t *root, HlStart start, const Coordinates *coordinates) {
  HlTestModel model = hl_test_machine_compile (root);
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlFault fault = {0};

  options.vectors = true;
  if (coordinates != NULL) {
    options.coordinates = (const char *const *)coordinates->paths;
    options.n_coordinates = coordinates->n;
  }
  hl_test_model_start (&model, start);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, &fault);
  g_assert_nonnull (lin);
  hl_test_model_clear (&model);
  return lin;
}

/* In scaled states: |x| |y| / |y^H x|. */
static double condition (const HlLinearization *lin, int k) {
  double xx = 0.0, yy = 0.0, re = 0.0, im = 0.0;

  for (int i = 0; i < lin->n; i++) {
    int at = k * lin->n + i;
    double xr = lin->right_re[at] / lin->scale[i], xi = lin->right_im[at] / lin->scale[i];
    double yr = lin->left_re[at] * lin->scale[i], yi = lin->left_im[at] * lin->scale[i];
    xx += xr * xr + xi * xi;
    yy += yr * yr + yi * yi;
    re += yr * xr + yi * xi;
    im += yr * xi - yi * xr;
  }
  return sqrt (xx * yy) / hypot (re, im);
}

static void assert_same_spectrum (const HlLinearization *want, const HlLinearization *got, const char *what) {
  bool used[64] = {false};

  g_assert_cmpint (got->n, ==, want->n);
  g_assert_cmpint (got->n, <=, 64);
  g_assert_cmpint (got->n_null, ==, want->n_null);
  g_assert_cmpint (got->n_null_blocks, ==, want->n_null_blocks);
  for (int b = 0; b < want->n_null_blocks; b++)
    g_assert_cmpint (got->null_blocks[b], ==, want->null_blocks[b]);
  for (int k = 0; k < want->n; k++) {
    if (want->eigenvalues[k].null)
      continue;
    double re = want->eigenvalues[k].re, im = want->eigenvalues[k].im, nearest = INFINITY;
    int best = -1;
    for (int j = 0; j < got->n; j++) {
      double away = hypot (got->eigenvalues[j].re - re, got->eigenvalues[j].im - im);
      if (!used[j] && !got->eigenvalues[j].null && away < nearest) {
        nearest = away;
        best = j;
      }
    }
    g_assert_cmpint (best, >=, 0);
    used[best] = true;
    double limit = TOLERANCE * hypot (re, im) * fmax (1.0, condition (want, k));
    if (!(nearest <= limit))
      g_error ("%s: eigenvalue %g%+gi is off by %.2e, allowed %.2e", what, re, im, nearest, limit);
  }
}

/* ---- coordinates that a redrawing maps linearly ---- */

static const char *part_of (const char *path) {
  return strrchr (path, '.') + 1;
}

/* The positions among the states come first, then the velocities; admissible positions follow. */
static Coordinates coordinates_of (const HlLinearization *lin) {
  static const char *const positions[] = {"x", "y", "angle", NULL};
  static const char *const velocities[] = {"vx", "vy", "omega", NULL};
  Coordinates c = {0};

  for (int state = 0; state < lin->n; state++) {
    const char *part = part_of (lin->state_names[state]);
    if (g_strv_contains (velocities, part))
      c.n_independent++;
    else if (g_strv_contains (positions, part)) {
      g_assert_cmpint (c.n, <, MOST_COORDINATES);
      c.paths[c.n++] = g_strdup (lin->state_names[state]);
    }
  }
  return c;
}

static void coordinates_clear (Coordinates *c) {
  for (int k = 0; k < c->n; k++)
    g_free (c->paths[k]);
}

/* Returns whether each x among the first n has its y and vice versa. */
static bool has_pairs (const Coordinates *c, int n) {
  for (int k = 0; k < n; k++) {
    const char *part = part_of (c->paths[k]);
    bool found = strcmp (part, "angle") == 0;
    g_autofree char *stem = g_strndup (c->paths[k], (gsize)(part - c->paths[k]));
    g_autofree char *partner = g_strconcat (stem, strcmp (part, "x") == 0 ? "y" : "x", NULL);
    for (int j = 0; j < n && !found; j++)
      found = strcmp (c->paths[j], partner) == 0;
    if (!found)
      return false;
  }
  return true;
}

static Coordinates swapped (const Coordinates *c) {
  Coordinates other = *c;

  for (int k = 0; k < c->n; k++) {
    const char *part = part_of (c->paths[k]);
    g_autofree char *stem = g_strndup (c->paths[k], (gsize)(part - c->paths[k]));
    other.paths[k] = g_strconcat (stem,
                                  strcmp (part, "x") == 0   ? "y"
                                  : strcmp (part, "y") == 0 ? "x"
                                                            : part,
                                  NULL);
  }
  return other;
}

static Coordinates renamed (const Coordinates *c, GHashTable *ids) {
  Coordinates other = *c;

  for (int k = 0; k < c->n; k++) {
    g_auto (GStrv) parts = g_strsplit (c->paths[k], ".", 2);
    other.paths[k] = g_strconcat (g_hash_table_lookup (ids, parts[0]), ".", parts[1], NULL);
  }
  return other;
}

/* ---- one machine, all redrawings ---- */

typedef struct {
  json_t *original;
  HlStart start;
  bool in_motion;
  HlLinearization *want;
  Coordinates coordinates; /* of the original; used in motion */
} Subject;

static void compare (const Subject *s, json_t *root, const Coordinates *coordinates, const char *what) {
  HlLinearization *got = linearize (root, s->start, s->in_motion ? coordinates : NULL);

  assert_same_spectrum (s->want, got, what);
  hl_linearization_free (got);
  json_decref (root);
}

static void compare_moved (const Subject *s, HlRedrawMove move) {
  json_t *root = json_deep_copy (s->original);
  const Coordinates *c = &s->coordinates;
  bool is_closed = has_pairs (c, c->n_independent) && has_pairs (c, c->n);

  if (move.angle == 0.0 || is_closed || !s->in_motion) {
    hl_redraw_move (root, &move);
    compare (s, root, c, move.what);
    return;
  }
  move.angle = move.angle > 0.0 ? G_PI / 2.0 : -G_PI / 2.0;
  Coordinates other = swapped (c);
  hl_redraw_move (root, &move);
  compare (s, root, &other, move.what);
  coordinates_clear (&other);
}

static void compare_all (json_t *original, HlStart start, bool in_motion) {
  static const HlRedrawMove moves[] = {{.what = "moved", .x = 137.5, .y = -41.25},
                                       {.what = "turned", .angle = 2.1},
                                       {.what = "turned back and moved", .x = -3.0, .y = 8.0, .angle = -0.7},
                                       {.what = "mirrored", .mirrored = true},
                                       {.what = "mirrored and turned", .mirrored = true, .angle = 1.3}};
  /* A pascal becomes 1, 1, 1000 and 0.056 of the unit: the few constants of the program that are
   * pressures (the narrowest laminar band, 1e3 Pa) stay away from the machine's own. */
  static const struct {
    const char *what;
    double length, mass;
  } units[] = {{"in micrometres and milligrams", 1e6, 1e6},
               {"in kilometres and tonnes", 1e-3, 1e-3},
               {"in millimetres and milligrams", 1e3, 1e6},
               {"in inches and pounds", 1.0 / 0.0254, 1.0 / 0.45359237}};
  Subject s = {original, start, in_motion, linearize (original, start, NULL), {0}};

  s.coordinates = coordinates_of (s.want);
  for (size_t k = 0; k < G_N_ELEMENTS (moves); k++)
    compare_moved (&s, moves[k]);
  for (size_t k = 0; k < G_N_ELEMENTS (units); k++) {
    json_t *root = json_deep_copy (original);
    hl_redraw_units (root, units[k].length, units[k].mass);
    compare (&s, root, &s.coordinates, units[k].what);
  }
  json_t *backwards = json_deep_copy (original);
  hl_redraw_reverse (backwards);
  compare (&s, backwards, &s.coordinates, "listed backwards");

  json_t *root = json_deep_copy (original);
  g_autoptr (GHashTable) ids = hl_redraw_rename (root);
  Coordinates other = renamed (&s.coordinates, ids);
  compare (&s, root, &other, "renamed");
  coordinates_clear (&other);
  coordinates_clear (&s.coordinates);
  hl_linearization_free (s.want);
}

typedef struct {
  const char *file;
  HlStart start;
} Case;

static void test_case (gconstpointer data) {
  const Case *c = data;
  g_autofree char *path = hl_test_example_path (c->file);
  json_t *root = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  compare_all (root, c->start, c->start == HL_START_AS_GIVEN);
  json_decref (root);
}

#define N_MACHINES 50

static void test_at_rest (void) {
  for (int trial = 0; trial < N_MACHINES; trial++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_CLOSED);
    hl_test_machine_balance (machine);
    compare_all (machine, HL_START_AS_GIVEN, false);
    json_decref (machine);
  }
}

static void test_in_motion (void) {
  for (int trial = 0; trial < N_MACHINES; trial++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    compare_all (machine, HL_START_AS_GIVEN, true);
    json_decref (machine);
  }
}

int main (int argc, char **argv) {
  static const Case cases[] = {{"four-bar.hydrolink", HL_START_EQUILIBRIUM},
                               {"watt-six-bar.hydrolink", HL_START_EQUILIBRIUM},
                               {"excavator-arm.hydrolink", HL_START_EQUILIBRIUM},
                               {"slider-crank.hydrolink", HL_START_AS_GIVEN},
                               {"peaucellier.hydrolink", HL_START_AS_GIVEN},
                               {"articulated-vehicle-rigid.hydrolink", HL_START_AS_GIVEN},
                               {"articulated-vehicle-tyre.hydrolink", HL_START_AS_GIVEN}};

  g_test_init (&argc, &argv, NULL);
  for (size_t k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *name = g_strndup (cases[k].file, strlen (cases[k].file) - 10);
    g_autofree char *path = g_strconcat ("/drawing-invariance/", name, NULL);
    g_test_add_data_func (path, &cases[k], test_case);
  }
  g_test_add_func ("/drawing-invariance/random/at-rest", test_at_rest);
  g_test_add_func ("/drawing-invariance/random/in-motion", test_in_motion);
  return g_test_run ();
}
