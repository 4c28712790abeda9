/* SPDX-License-Identifier: MIT */
/* The golden runs with their switches: event times to 1e-6 s, impulses and velocities after an
 * impact to 1e-6, positions to 1e-7 m, and all columns of the CSV files (ten digits) at every row.
 */
#include <math.h>
#include <string.h>

#include "tests/support/hl-test-piston-circuits.h"
#include "tests/support/hl-test.h"

static json_t *root;

typedef struct {
  HlTestTable *table;
  char **modes; /* mode cell of each row */
  int next_row;
  int n_compared;
  double residual;
} Compare;

static char **read_modes (const char *name) {
  g_autofree char *path = hl_test_golden_path (name);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  guint n = g_strv_length (lines);
  char **modes = g_new0 (char *, n);
  for (guint row = 1; row < n; row++)
    modes[row - 1] = g_strdup (g_strchomp (strrchr (lines[row], ',') + 1));
  return modes;
}

/* Value of a named CSV column. */
static double value_of_column (const HlTestHybrid *sys, const char *name, const HlHybridInstant *now) {
  if (g_str_has_prefix (name, "pos_")) {
    for (int i = 0; i < sys->tables.n_mech; i++)
      if (strcmp (name + 4, sys->piston_names[i]) == 0)
        return sys->position[i];
  } else if (g_str_has_prefix (name, "v_")) {
    for (int i = 0; i < sys->tables.n_lines; i++)
      if (strcmp (name + 2, sys->line_names[i]) == 0)
        return now->v[i];
    for (int i = 0; i < sys->tables.n_mech; i++)
      if (strcmp (name + 2, sys->piston_names[i]) == 0)
        return now->v[sys->tables.n_lines + i];
  }
  int column = hl_test_hybrid_column (sys, name);
  return hl_hybrid_column_value (sys->net, column, now->multiplier[column]);
}

static void compare_sample (HlTestHybrid *sys, double t, const HlHybridInstant *now, void *data) {
  Compare *compare = data;
  const HlTestTable *table = compare->table;
  int row = (int)lround (t / 0.01);
  char mode[256];

  compare->residual =
      fmax (compare->residual,
            hl_test_hybrid_node_residual (sys->net, hl_hybrid_solver_get_inputs (sys->solver), now->v));
  hl_assert_near (table->values[row * table->n_columns], t, 0.0, 1e-9);
  hl_test_hybrid_mode_name (sys, &hl_hybrid_solver_get_mode (sys->solver)->key, mode);
  g_assert_cmpstr (mode, ==, compare->modes[row]);
  for (int c = 1; c < table->n_columns - 1; c++) {
    const char *name = table->names[c];
    double want = table->values[row * table->n_columns + c];
    double got = value_of_column (sys, name, now);
    if (isnan (want))
      g_assert_true ((bool)isnan (got));
    else if (g_str_has_prefix (name, "pos_"))
      hl_assert_near (got, want, 0.0, 1e-7);
    else if (g_str_has_prefix (name, "v_"))
      hl_assert_near (got, want, 1e-6, strchr (name, 'x') != NULL ? 1e-7 : 1e-9);
    else /* Pa and N */
      hl_assert_near (got, want, 1e-6, name[0] == 'F' ? 0.02 : 10.0);
    compare->n_compared++;
  }
}

static const HlTestHybridRecord *next_record (const HlTestHybrid *sys, guint *at) {
  g_assert_cmpuint (*at, <, sys->ledger->len);
  return &g_array_index (sys->ledger, HlTestHybridRecord, (*at)++);
}

static void check_impact (const HlTestHybrid *sys, json_t *want, const HlTestHybridRecord *got) {
  json_t *impulses = json_object_get (want, "impulse");
  double before[16];
  double after[16];
  double scale = 0.0;
  const char *key;
  json_t *value;
  int n = sys->net->n_states;
  int n_given = 0;

  g_assert_true (got->had_impact);
  json_object_foreach (impulses, key, value) if (key[0] != 'F') scale =
      fmax (scale, fabs (json_number_value (value)));
  json_object_foreach (impulses, key, value)
      hl_assert_near (got->impulse[hl_test_hybrid_column (sys, key)], json_number_value (value), 1e-6,
                      key[0] == 'F' ? 1e-6 : 1e-9 * scale);
  for (int column = 0; column < sys->net->n_columns; column++)
    n_given += !isnan (got->impulse[column]);
  g_assert_cmpint (n_given, ==, (int)json_object_size (impulses));
  hl_test_json_numbers (want, "v_before", before, n);
  hl_test_json_numbers (want, "v_after", after, n);
  for (int i = 0; i < n; i++) {
    double size = i < sys->tables.n_lines ? 1e-3 : 1.0;
    hl_assert_near (got->v_before[i], before[i], 1e-6, 1e-8 * size);
    hl_assert_near (got->v_after[i], after[i], 1e-6, 1e-8 * size);
  }
}

static void check_mode (const HlTestHybrid *sys, json_t *want, const HlTestHybridRecord *got) {
  json_t *list = json_object_get (want, "closed_or_stopped");
  HlHybridKey key = {{0}};
  char name[256];
  char what[300];

  for (size_t i = 0; i < json_array_size (list); i++)
    hl_test_hybrid_key_add (sys, &key, json_string_value (json_array_get (list, i)));
  hl_test_hybrid_mode_name (sys, &key, name);
  g_snprintf (what, sizeof what, "mode %s", name);
  g_assert_cmpstr (got->what, ==, what);
}

/* The whole ledger, entry by entry. */
static void check_ledger (const HlTestHybrid *sys, json_t *events) {
  const HlTestHybridRecord *last = NULL;
  guint at = 0;
  size_t index;
  json_t *want;

  json_array_foreach (events, index, want) {
    const char *kind = json_string_value (json_object_get (want, "kind"));
    double t = hl_test_json_number (want, "t");
    if (t == 0.0)
      continue; /* the start has its own test */
    if (strcmp (kind, "impact") == 0) {
      check_impact (sys, want, last);
      continue;
    }
    if (strcmp (kind, "mode") == 0) {
      const HlTestHybridRecord *got = next_record (sys, &at);
      check_mode (sys, want, got);
      continue;
    }
    json_t *what = json_object_get (want, "event");
    if (json_is_array (what)) {
      g_assert_cmpint ((int)json_array_size (what), ==, 1);
      what = json_array_get (what, 0);
    }
    last = next_record (sys, &at);
    g_assert_cmpstr (last->what, ==, json_string_value (what));
    hl_assert_near (last->t, t, 0.0, 1e-6);
    json_t *after = json_array_get (events, index + 1);
    g_assert_true (last->had_impact ==
                   (strcmp (json_string_value (json_object_get (after, "kind")), "impact") == 0));
  }
  g_assert_cmpuint (at, ==, sys->ledger->len);
}

static int line_of_name (const HlTestHybrid *sys, const char *name) {
  for (int line = 0; line < sys->tables.n_lines; line++)
    if (strcmp (sys->line_names[line], name) == 0)
      return line;
  g_error ("no line %s", name);
}

static void run_trajectory (const char *name) {
  json_t *trajectory = json_object_get (json_object_get (root, "trajectories"), name);
  HlTestHybrid *sys = hl_test_hybrid_golden (root, name);
  const char *file = json_string_value (json_object_get (trajectory, "file"));
  Compare compare = {.table = hl_test_golden_csv (file), .modes = read_modes (file)};
  json_t *breaks = json_object_get (trajectory, "breaks");
  json_t *initial = json_object_get (trajectory, "initial_mode");
  double end = hl_test_json_number (trajectory, "T");
  bool shut[HL_TEST_HYBRID_MAX] = {false};
  double v[HL_TEST_HYBRID_MAX] = {0};
  double v0[HL_TEST_HYBRID_MAX];
  double t = 0.0;

  /* valves that are shut at the start stand in the initial mode; everything else of it must be
   * found by the start rule */
  for (size_t i = 0; i < json_array_size (initial); i++)
    for (int line = 0; line < sys->tables.n_lines; line++)
      if (strcmp (sys->line_names[line], json_string_value (json_array_get (initial, i))) == 0 &&
          sys->lines[line].kind == HL_HYBRID_VALVE)
        shut[line] = true;
  g_assert_cmpint (hl_hybrid_solver_start (sys->solver, 0.0, shut, v, NULL), ==, HL_OK);
  hl_test_json_numbers (trajectory, "v0", v0, sys->net->n_states);
  for (int i = 0; i < sys->net->n_states; i++)
    hl_assert_near (v[i], v0[i], 1e-12, 1e-15);
  HlHybridKey key = {{0}};
  char want_mode[256];
  char got_mode[256];
  for (size_t i = 0; i < json_array_size (initial); i++)
    hl_test_hybrid_key_add (sys, &key, json_string_value (json_array_get (initial, i)));
  hl_test_hybrid_mode_name (sys, &key, want_mode);
  hl_test_hybrid_mode_name (sys, &hl_hybrid_solver_get_mode (sys->solver)->key, got_mode);
  g_assert_cmpstr (got_mode, ==, want_mode);

  sys->sample = compare_sample;
  sys->sample_step = 0.01;
  sys->data = &compare;
  for (size_t b = 0; b <= json_array_size (breaks); b++) {
    json_t *stop = json_array_get (breaks, b);
    double t_stop = stop != NULL ? json_number_value (json_array_get (stop, 0)) : end;
    hl_test_hybrid_run (sys, t, t_stop, v);
    t = t_stop;
    if (json_array_size (stop) < 3)
      continue;
    bool closes = strcmp (json_string_value (json_array_get (stop, 1)), "close") == 0;
    HlHybridEvent event = {.kind = closes ? HL_HYBRID_SHUT_VALVE : HL_HYBRID_OPEN_VALVE,
                           .entity = line_of_name (sys, json_string_value (json_array_get (stop, 2)))};
    hl_test_hybrid_command (sys, t, &event, 1, v);
  }
  check_ledger (sys, json_object_get (trajectory, "events"));
  g_assert_cmpint (compare.n_compared, >, 1000);
  hl_assert_near (compare.residual, 0.0, 0.0, 1e-15);
  g_test_message ("%s: %ld steps, %ld evaluations, %d numbers compared", name, sys->n_steps, sys->n_evals,
                  compare.n_compared);
  for (int row = 0; row < compare.table->n_rows; row++)
    g_free (compare.modes[row]);
  g_free (compare.modes);
  hl_test_table_free (compare.table);
  hl_test_hybrid_free (sys);
}

static void test_two_cylinders (void) {
  run_trajectory ("two_cylinders");
}

static void test_regen (void) {
  run_trajectory ("regen");
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  root = hl_test_golden_json ("hybrid.json");
  g_test_add_func ("/hybrid/trajectories/two-cylinders", test_two_cylinders);
  g_test_add_func ("/hybrid/trajectories/regen", test_regen);
  int result = g_test_run ();
  json_decref (root);
  return result;
}
