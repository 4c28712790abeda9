/* SPDX-License-Identifier: MIT */
/* What a drawing is called, where it lies and how it is turned does not matter to the machine: the
 * examples are moved, turned, mirrored, renamed and listed backwards, and keep their eigenvalues.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/analysis/hl-linearize.h"
#include "tests/support/hl-model.h"
#include "tests/support/hl-test.h"

/* Relative, times the condition number of the eigenvalue. */
#define TOLERANCE 1e-9

typedef struct
{
  double x, y, angle;
  bool mirrored; /* y to -y, before the turn */
} Move;

static double
number (const json_t *list, size_t k)
{
  return json_number_value (json_array_get (list, k));
}

static void
put (json_t *list, size_t k, double value)
{
  json_array_set_new (list, k, json_real (value));
}

/* A vector of the ground frame; shifted too when it is a place. */
static void
move_pair (json_t *pair, const Move *m, bool place)
{
  double x = number (pair, 0), y = number (pair, 1) * (m->mirrored ? -1.0 : 1.0);

  put (pair, 0, cos (m->angle) * x - sin (m->angle) * y + (place ? m->x : 0.0));
  put (pair, 1, sin (m->angle) * x + cos (m->angle) * y + (place ? m->y : 0.0));
}

static void
mirror_pair (json_t *pair)
{
  if (json_is_array (pair))
    put (pair, 1, -number (pair, 1));
}

static void
move_document (json_t *root, const Move *m)
{
  const char *id;
  json_t *point, *item;
  size_t k;

  move_pair (json_object_get (root, "gravity"), m, false);
  json_object_foreach (json_object_get (json_object_get (root, "ground"), "points"), id, point)
      move_pair (point, m, true);
  json_array_foreach (json_object_get (root, "bodies"), k, item)
  {
    json_t *pose = json_object_get (item, "pose"), *velocity = json_object_get (item, "velocity");
    double sign = m->mirrored ? -1.0 : 1.0;

    move_pair (pose, m, true);
    put (pose, 2, sign * number (pose, 2) + m->angle);
    if (velocity) {
      move_pair (velocity, m, false);
      put (velocity, 2, sign * number (velocity, 2));
    }
    if (m->mirrored) {
      json_object_foreach (json_object_get (item, "points"), id, point) mirror_pair (point);
      mirror_pair (json_object_get (item, "com"));
    }
  }
  json_array_foreach (json_object_get (root, "joints"), k, item)
  {
    json_t *axis = json_object_get (item, "axis");
    const char *a = json_string_value (json_object_get (item, "a"));

    if (axis) /* of the frame of a, which turns along unless it is the ground */
      json_object_set_new (item, "axis",
                           json_real (json_number_value (axis) * (m->mirrored ? -1.0 : 1.0) +
                                      (a && g_str_has_prefix (a, "ground.") ? m->angle : 0.0)));
  }
}

static void
reverse_lists (json_t *root)
{
  static const char *const lists[] = {"bodies", "joints", "loads", "components", "lines"};

  for (size_t l = 0; l < G_N_ELEMENTS (lists); l++) {
    json_t *list = json_object_get (root, lists[l]), *backwards = json_array ();
    for (size_t k = json_array_size (list); k > 0; k--)
      json_array_append (backwards, json_array_get (list, k - 1));
    if (list)
      json_object_set_new (root, lists[l], backwards);
    else
      json_decref (backwards);
  }
}

/* The new name of an element or of a path that begins with it; NULL when it begins with none. */
static char *
renamed (const char *text, GHashTable *ids)
{
  const char *dot = strchr (text, '.');
  g_autofree char *first = dot ? g_strndup (text, (gsize)(dot - text)) : g_strdup (text);
  const char *name = g_hash_table_lookup (ids, first);

  return name ? g_strconcat (name, dot, NULL) : NULL;
}

static void
rename_strings (json_t *at, GHashTable *ids)
{
  static const char *const words[] = {"kind", "name", "description", "label", "model", "signal"};
  const char *key;
  json_t *item;
  size_t k;
  void *next;

  json_object_foreach_safe (at, next, key, item)
  {
    bool word = false;
    for (size_t w = 0; w < G_N_ELEMENTS (words); w++)
      word = word || strcmp (key, words[w]) == 0;
    g_autofree char *text =
        json_is_string (item) && !word ? renamed (json_string_value (item), ids) : NULL;
    if (text)
      json_string_set (item, text);
    rename_strings (item, ids);
  }
  json_array_foreach (at, k, item)
  {
    g_autofree char *text = json_is_string (item) ? renamed (json_string_value (item), ids) : NULL;
    if (text)
      json_string_set (item, text);
    rename_strings (item, ids);
  }
}

/* New names in the opposite alphabetical order. */
static void
rename_all (json_t *root)
{
  static const char *const lists[] = {"bodies", "joints", "loads", "components", "lines"};
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  int n = 0;

  for (size_t l = 0; l < G_N_ELEMENTS (lists); l++) {
    size_t k;
    json_t *item;
    json_array_foreach (json_object_get (root, lists[l]), k, item)
        g_hash_table_insert (ids, g_strdup (json_string_value (json_object_get (item, "id"))),
                             g_strdup_printf ("z%03d", 999 - n++));
  }
  /* Probes stay: in a machine that moves, the eigenvalues belong to the coordinates, and those are
   * the probed ones. */
  static const char *const shown[] = {"plots", "sliders", "layout", "parameter_sets", "studies"};
  for (size_t k = 0; k < G_N_ELEMENTS (shown); k++)
    json_object_del (root, shown[k]);
  rename_strings (root, ids);
}

static HlLinearization *
linearize_text (json_t *root, HlStart start)
{
  char *text = json_dumps (root, JSON_REAL_PRECISION (17));
  HlTestModel model = hl_test_model_from_text (text);
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlFault fault = {0};

  options.vectors = true;
  hl_test_model_start (&model, start);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, &fault);
  g_assert_nonnull (lin);
  hl_test_model_clear (&model);
  free (text);
  return lin;
}

/* In scaled states: |x| |y| / |y^H x|. */
static double
condition (const HlLinearization *lin, int k)
{
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

static void
assert_same_spectrum (const HlLinearization *want, const HlLinearization *got, const char *what)
{
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

typedef struct
{
  const char *file;
  HlStart start;
} Case;

static json_t *
load (const Case *c)
{
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), c->file, NULL);
  json_t *root = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  return root;
}

static void
test_case (gconstpointer data)
{
  static const struct
  {
    const char *what;
    Move move;
  } moves[] = {{"moved", {.x = 137.5, .y = -41.25}},
               {"turned", {.angle = 2.1}},
               {"turned back and moved", {.x = -3.0, .y = 8.0, .angle = -0.7}},
               {"mirrored", {.mirrored = true}},
               {"mirrored and turned", {.mirrored = true, .angle = 1.3}}};
  const Case *c = data;
  json_t *original = load (c);
  HlLinearization *want = linearize_text (original, c->start);

  for (size_t k = 0; k < G_N_ELEMENTS (moves) + 2; k++) {
    json_t *root = json_deep_copy (original);
    const char *what = "renamed";
    if (k < G_N_ELEMENTS (moves)) {
      what = moves[k].what;
      move_document (root, &moves[k].move);
    } else if (k == G_N_ELEMENTS (moves)) {
      what = "listed backwards";
      reverse_lists (root);
    } else
      rename_all (root);
    HlLinearization *got = linearize_text (root, c->start);
    assert_same_spectrum (want, got, what);
    hl_linearization_free (got);
    json_decref (root);
  }
  hl_linearization_free (want);
  json_decref (original);
}

int
main (int argc, char **argv)
{
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
    g_autofree char *path = g_strconcat ("/invariance/", name, NULL);
    g_test_add_data_func (path, &cases[k], test_case);
  }
  return g_test_run ();
}
