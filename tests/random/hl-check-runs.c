/* SPDX-License-Identifier: MIT */
/* Runs by every method against the explicit integration of the second formulation; balances of
 * energy; constraints at the end; every output of the first and the last row. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-random-checks.h"

#define T_END 0.02       /* [s] */
#define MOST_STIFF 100.0 /* decay times in a run that the explicit integration follows */
#define FOLLOWED 3       /* one machine in so many is integrated: it takes the longest */
#define RTOL 1.0e-10
#define RUN_LIMIT 1.0e-5
#define DRIFT_LIMIT 1.0e-6
#define ENERGY_LIMIT 1.0e-5
#define SLOW_TYRE 1.0e-2 /* [m/s] about to stand: what its force does then is in no state */
#define MOST_EVALS 2500

typedef struct {
  GPtrArray *paths;
  GArray *outputs;
  GArray *rows; /* of double: t, then the outputs */
  bool has_nan;
} Rows;

static void add_output (const char *path, const char *unit, void *data) {
  Rows *rows = data;

  (void)unit;
  g_ptr_array_add (rows->paths, g_strdup (path));
}

static bool keep_row (double t, const double values[], void *data) {
  Rows *rows = data;

  g_array_append_val (rows->rows, t);
  g_array_append_vals (rows->rows, values, rows->outputs->len);
  for (guint k = 0; k < rows->outputs->len; k++)
    rows->has_nan = rows->has_nan || !isfinite (values[k]);
  return true;
}

static Rows rows_new (HlRandomMachine *m) {
  Rows rows = {g_ptr_array_new_with_free_func (g_free), g_array_new (FALSE, FALSE, sizeof (HlObservable)),
               g_array_new (FALSE, FALSE, sizeof (double)), false};

  hl_observable_visit (m->sys, add_output, &rows);
  for (guint k = 0; k < rows.paths->len; k++) {
    HlObservable of;
    if (!hl_observable_find (m->sys, g_ptr_array_index (rows.paths, k), &of))
      hl_random_fail (m->report, "an output is offered and not found: %s",
                      (char *)g_ptr_array_index (rows.paths, k));
    g_array_append_val (rows.outputs, of);
  }
  return rows;
}

static void rows_clear (Rows *rows) {
  g_ptr_array_free (rows->paths, TRUE);
  g_array_free (rows->outputs, TRUE);
  g_array_free (rows->rows, TRUE);
}

static int n_rows (const Rows *rows) {
  return (int)(rows->rows->len / (rows->outputs->len + 1));
}

static const double *row_at (const Rows *rows, int row) {
  return &g_array_index (rows->rows, double, (guint)row *(rows->outputs->len + 1));
}

double hl_random_value (const HlRandomRow *row, const char *id, const char *part) {
  for (guint k = 0; k < row->paths->len; k++) {
    const char *path = g_ptr_array_index (row->paths, k);
    size_t n = strlen (id);
    if (strncmp (path, id, n) == 0 && path[n] == '.' && strcmp (path + n + 1, part) == 0)
      return row->values[k];
  }
  return NAN;
}

/* The state in a row. */
static void state_of_row (const HlOracle *o, const HlRandomRow *row, double t, HlOracleState *s) {
  static const char *const parts[] = {"x", "y", "angle", "vx", "vy", "omega"};

  s->t = s->segment = t;
  for (int k = 0; k < o->n; k++) {
    s->x[k] = hl_random_value (row, o->bodies[k / 3].id, parts[k % 3]);
    s->v[k] = hl_random_value (row, o->bodies[k / 3].id, parts[3 + k % 3]);
  }
  for (int k = 0; k < o->n_nets; k++)
    if (o->nets[k].state >= 0)
      s->p[o->nets[k].state] = hl_random_value (row, o->nets[k].id, "pressure");
  for (int k = 0; k < o->n_components; k++)
    if (o->components[k].state >= 0)
      s->u[o->components[k].state] = hl_random_value (
          row, o->components[k].id, strcmp (o->components[k].kind, "pipe") == 0 ? "flow" : "spool");
}

/* Largest difference of two states: metres, radians, their rates, bars. */
static double state_gap (const HlOracle *o, const HlOracleState *a, const HlOracleState *b) {
  double worst = 0.0;

  for (int k = 0; k < o->n; k++) {
    worst = fmax (worst, fabs ((double)creall (a->x[k] - b->x[k])));
    worst = fmax (worst, 0.1 * fabs ((double)creall (a->v[k] - b->v[k])));
  }
  for (int k = 0; k < o->n_p; k++)
    worst = fmax (worst, 1e-6 * fabs ((double)creall (a->p[k] - b->p[k])));
  for (int k = 0; k < o->n_u; k++)
    worst = fmax (worst, fabs ((double)creall (a->u[k] - b->u[k])));
  return worst;
}

/* From the start to t, corner by corner. */
static bool integrate (HlRandomMachine *m, double t, HlOracleState *s) {
  g_autoptr (GArray) corners = hl_oracle_corners (m->oracle, t);
  long n_evals = 0;
  bool good = true;

  g_array_append_val (corners, t);
  hl_oracle_state_copy (m->oracle, s, &m->state);
  for (guint k = 0; k < corners->len && good; k++) {
    double next = g_array_index (corners, double, k);
    if (next <= s->t)
      continue;
    s->segment = 0.5 * (s->t + next);
    good = hl_oracle_run (m->oracle, s, next, 1e-11, MOST_EVALS, &n_evals);
  }
  return good;
}

static void check_drift (HlRandomMachine *m, const HlOracleState *s, const char *what) {
  const HlOracle *o = m->oracle;
  g_autofree HlZ *C = g_new (HlZ, o->n_rows + 1), *D = g_new (HlZ, o->n_rows * (o->n + 3) + 1),
                 *d = g_new (HlZ, o->n_rows + 1);
  double worst = 0.0;

  hl_oracle_rows (o, s, C, D, d);
  for (int k = 0; k < o->n_rows; k++)
    worst = fmax (worst, (double)cabsl (C[k]));
  hl_random_note (m->report, HL_RANDOM_DRIFT, worst, DRIFT_LIMIT, what);
}

/* kinetic + potential + oil + dissipated - supplied stays what it was. */
static void check_energy (HlRandomMachine *m, const HlRandomRow *first, const HlRandomRow *last,
                          const char *what) {
  static const char *const parts[] = {"kinetic", "potential", "oil", "dissipated", "supplied"};
  static const double signs[] = {1.0, 1.0, 1.0, 1.0, -1.0};
  double sum = 0.0, size = 1.0;

  for (int k = 0; k < 5; k++) {
    double moved = hl_random_value (last, "energy", parts[k]) - hl_random_value (first, "energy", parts[k]);
    sum += signs[k] * moved;
    size = fmax (size, fabs (moved));
  }
  hl_random_note (m->report, HL_RANDOM_ENERGY, fabs (sum) / size, ENERGY_LIMIT, what);
}

/* One run; its last state in `end`. False: it did not get there. */
static bool run_once (HlRandomMachine *m, const HlSimOptions *given, const char *what, HlOracleState *end) {
  Rows rows = rows_new (m);
  HlSimOptions options = *given;
  HlSimStats stats = {0};
  HlFault fault = {0};

  options.from = m->point;
  options.outputs = (const HlObservable *)(void *)rows.outputs->data;
  options.n_outputs = (int)rows.outputs->len;
  options.row = keep_row;
  options.row_data = &rows;
  HlStatus status = hl_simulate (m->sys, &options, &stats, &fault);
  int n = n_rows (&rows);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (m->sys, &fault);
    g_autofree char *how = g_strdup_printf ("no end of the run (%s)", what);
    hl_random_say (m->report, how, message);
    m->report->n_no_end++;
    if (strstr (message, "‘") == NULL)
      hl_random_fail (m->report, "%s: a run ends without naming an element: %s", what, message);
  } else if (n < 2 || row_at (&rows, n - 1)[0] != options.t_end)
    hl_random_fail (m->report, "%s: %d rows, the last one not at the end", what, n);
  if (rows.has_nan)
    hl_random_fail (m->report, "%s: a row holds what is no number", what);
  bool arrived = status == HL_OK && n >= 2 && !rows.has_nan;
  if (arrived) {
    HlRandomRow last = {rows.paths, row_at (&rows, n - 1) + 1};
    state_of_row (m->oracle, &last, options.t_end, end);
    end->beta = options.formulation == HL_FORMULATION_BAUMGARTE ? options.beta : 0.0;
    end->gamma = options.formulation == HL_FORMULATION_BAUMGARTE ? options.gamma : 0.0;
    check_drift (m, end, what);
    arrived = hl_oracle_slowest_tyre (m->oracle, end) > SLOW_TYRE;
  }
  if (arrived) {
    HlRandomRow first = {rows.paths, row_at (&rows, 0) + 1}, last = {rows.paths, row_at (&rows, n - 1) + 1};
    check_energy (m, &first, &last, what);
    hl_random_check_outputs (m, &first, &m->state, what);
    hl_random_check_outputs (m, &last, end, what);
  }
  rows_clear (&rows);
  return arrived;
}

void hl_random_check_run (HlRandomMachine *m) {
  static const struct {
    const char *name;
    HlFormulation formulation;
    HlMethod method;
  } ways[] = {{"bdf", HL_FORMULATION_REDUCED, HL_METHOD_BDF},
              {"radau", HL_FORMULATION_REDUCED, HL_METHOD_RADAU},
              {"baumgarte", HL_FORMULATION_BAUMGARTE, HL_METHOD_BDF}};
  HlSimOptions options = hl_sim_options_from_model (m->sys);
  HlOracleState want = hl_oracle_state_new (m->oracle), got = hl_oracle_state_new (m->oracle);
  bool is_stiff = m->stiffness * T_END > MOST_STIFF;

  options.t_end = is_stiff && m->stiffness * 0.1 * T_END < MOST_STIFF ? 0.1 * T_END : T_END;
  is_stiff = m->stiffness * options.t_end > MOST_STIFF;
  options.every = 0.5 * options.t_end;
  options.rtol = RTOL;
  options.model = HL_MODEL_LUMPED;
  options.start = HL_START_AS_GIVEN;
  bool has_want = !is_stiff && m->report->index % FOLLOWED == 0 && integrate (m, options.t_end, &want);
  m->report->n_followed += has_want;
  for (gsize k = 0; k < G_N_ELEMENTS (ways); k++) {
    /* each machine by one way, those that were integrated by all */
    if (!has_want && m->report->index % G_N_ELEMENTS (ways) != k)
      continue;
    options.formulation = ways[k].formulation;
    options.method = ways[k].method;
    bool there = run_once (m, &options, ways[k].name, &got);
    if (there && has_want)
      hl_random_note (m->report, HL_RANDOM_RUN, state_gap (m->oracle, &got, &want), RUN_LIMIT, ways[k].name);
  }
  hl_oracle_state_clear (&want);
  hl_oracle_state_clear (&got);
}
