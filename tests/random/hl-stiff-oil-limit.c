/* SPDX-License-Identifier: MIT */
/* Compares the oil models in their common limit: stiff oil, no inertia. */
#include "tests/random/hl-three-model-runs.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define STIFF 1e11 /* bulk modulus of the softest of the stiff oils [Pa] */
/* Virtual elements where they are not to be seen: measured 1e-6 of a way; a hundred times as stiff what a length is
 * off by the tolerance of the run is a force that counts, 2e-3 where the bodies are light. */
#define STIFFER 1e3
#define LEAST_AFTER 4
#define LEAST_WAY 1e-3 /* [m or rad] */
#define FIRST_ROW 2    /* what the start stirs up has died away */
#define JUMP 0.02      /* of the largest pressure */
#define FINER 200      /* rows where jumps are looked for, for one of the others */
#define CLOSE 1e-10    /* tolerance of runs that are compared */
#define SMALL 1e-9     /* below, rounding and tolerances are all that is left [m] */

/* ---- stiff oil ---- */

static bool starts_with_vapour (const HlSystem *sys, const HlPoint *point) {
  for (int k = 0; k < sys->n_pressures; k++)
    if (!(point->p[k] > 2.0 * hl_fluid_onset (&sys->fluid)))
      return true;
  return false;
}

/* Returns whether a line came near to vapour, which the other oil models do not compute. */
static bool has_vapour (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *table) {
  for (int row = 0; row < table->n; row++)
    for (int node = 0; node < sys->n_nodes; node++)
      if (out->pressure[node] >= 0 &&
          table->value[row][out->pressure[node]] < 2.0 * hl_fluid_onset (&sys->fluid))
        return true;
  return false;
}

/* Returns whether a chamber behind its cushion came near to vapour: the quasistatic oil keeps its vapour, the
 * hybrid oil would be under tension. */
static bool has_vapour_behind_cushion (const HlSystem *sys, const HlOilsOutputs *out,
                                       const HlOilsTable *table) {
  for (int row = 0; row < table->n; row++)
    for (int k = 0; k < out->n_chambers; k++)
      if (table->value[row][out->chamber[k]] < 2.0 * hl_fluid_onset (&sys->fluid))
        return true;
  return false;
}

/* Returns whether the model has an accumulator: in the hybrid model its line is compliant as well. */
static bool has_store (const HlSystem *sys) {
  for (int k = 0; k < sys->topology->n_stores; k++)
    if (sys->components[sys->topology->stores[k]].n_states == 0)
      return true;
  return false;
}

/* Returns the difference of positions, averaged over the rows before `until` or an impact of b: positions do
 * not ring as speeds and pressures do. */
static double gap (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *a, const HlOilsTable *b,
                   double until) {
  double sum = 0.0;
  int n = 0;

  for (int row = FIRST_ROW; row < a->n && row < b->n && b->t[row] < fmin (until, b->impact); row++)
    for (int k = 0; k < sys->n_cylinders; k++, n++)
      sum += fabs (a->value[row][out->length[k]] - b->value[row][out->length[k]]);
  return n > 0 ? sum / n : NAN;
}

/* Returns the difference of positions after the first impact of b, each averaged over its rows, so that
 * oscillations cancel, relative to the whole motion in the run; NAN: fewer than LEAST_AFTER rows. */
static double gap_after (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *a,
                         const HlOilsTable *b) {
  double sum = 0.0, ways = 0.0;
  int n = 0;

  for (int k = 0; k < sys->n_cylinders; k++) {
    double mean = 0.0, least = INFINITY, most = -INFINITY;
    n = 0;
    for (int row = FIRST_ROW; row < a->n && row < b->n; row++) {
      double place = b->value[row][out->length[k]];
      least = fmin (least, place);
      most = fmax (most, place);
      if (b->t[row] < b->impact)
        continue;
      mean += a->value[row][out->length[k]] - place;
      n++;
    }
    sum += n > 0 ? fabs (mean) / n : 0.0;
    ways += fmax (most - least, 0.0);
  }
  return n >= LEAST_AFTER ? sum / fmax (ways, LEAST_WAY) : NAN;
}

/* ---- where incompressible oil jumps ---- */

/* Looks for pressures that jump at an event. */
typedef struct {
  const HlSystem *sys;
  const HlOilsOutputs *out;
  double size;                     /* what a jump is a part of [Pa] */
  double last[HL_OILS_OUTPUTS], t; /* the row before */
  double event, jump;              /* latest event; first jump, INFINITY: none [s] */
} Jumps;

static bool look_for_jump (double t, const double values[], void *data) {
  Jumps *jumps = data;

  for (int node = 0; node < jumps->sys->n_nodes; node++) {
    int at = jumps->out->pressure[node];
    if (at >= 0 && jumps->event >= jumps->t && fabs (values[at] - jumps->last[at]) > JUMP * jumps->size)
      jumps->jump = fmin (jumps->jump, jumps->t);
  }
  memcpy (jumps->last, values, (size_t)jumps->out->n * sizeof (double));
  jumps->t = t;
  return jumps->jump == INFINITY;
}

static void note_event (const HlSimEvent *event, void *data) {
  ((Jumps *)data)->event = event->t;
}

/* Returns the time of the first pressure jump of a hybrid run. Compressible oil then oscillates, and its
 * small damping does not grow with the stiffness of the oil: nonlinear laws have the mean of the oscillation. */
static double first_jump (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *hybrid) {
  HlSimOptions options = hl_sim_options_from_model (sys);
  Jumps *jumps = g_new0 (Jumps, 1);

  *jumps = (Jumps){.sys = sys, .out = out, .event = -INFINITY, .jump = INFINITY};
  for (int row = 0; row < hybrid->n; row++)
    for (int node = 0; node < sys->n_nodes; node++)
      if (out->pressure[node] >= 0)
        jumps->size = fmax (jumps->size, fabs (hybrid->value[row][out->pressure[node]]));
  options.model = HL_MODEL_HYBRID;
  options.formulation = HL_FORMULATION_REDUCED;
  options.every /= FINER;
  options.outputs = out->of;
  options.n_outputs = out->n;
  options.row = look_for_jump;
  options.row_data = jumps;
  options.event = note_event;
  options.event_data = jumps;
  options.max_steps = 4e4;
  options.t_end = hybrid->t[hybrid->n - 1];
  hl_simulate (sys, &options, NULL, NULL);
  double jump = jumps->jump;
  g_free (jumps);
  return jump;
}

static HlSystem *stiffen (const HlSystem *sys, double modulus) {
  HlSystem *stiff = hl_system_copy (sys);
  HlParameter bulk;

  if (!hl_system_find_parameter (stiff, "fluid.bulk_modulus", &bulk))
    g_error ("the bulk modulus is no parameter");
  hl_system_set_parameter (stiff, bulk, modulus);
  stiff->rtol = CLOSE;
  return stiff;
}

/* Returns the exponent of the gaps[n] so far: of all of them, or of the last two where they converge late. */
static double exponent_of (const double gaps[], int n) {
  if (n < 2 || gaps[0] < SMALL || !(gaps[0] > 0.0) || !(gaps[n - 1] > 0.0))
    return NAN;
  double all = log10 (gaps[0] / gaps[n - 1]) / (n - 1);
  return gaps[n - 1] < SMALL ? fmax (all, 1.0) : fmax (all, log10 (gaps[n - 2] / gaps[n - 1]));
}

/* Makes the lumped run of one modulus from the hybrid run's own state; false: it does not end, or has vapour. */
static bool run_stiff (const HlSystem *sys, double modulus, const HlOilsOutputs *out,
                       const HlOilsTable *hybrid, const HlPoint *from, HlOilsTable *table) {
  HlSystem *stiff = stiffen (sys, modulus);
  HlFault fault;
  bool ran =
      hl_oils_run (stiff, HL_MODEL_LUMPED, out, hybrid->t[hybrid->n - 1], from, table, &fault) == HL_OK &&
      !has_vapour (sys, out, table) && !has_vapour_behind_cushion (sys, out, table);

  hl_system_unref (stiff);
  return ran;
}

HlOilsStiff hl_oils_stiff (const HlSystem *sys, const HlSystem *incompressible, const HlOilsOutputs *out,
                           double least) {
  HlOilsTable *table = g_new (HlOilsTable, 1), *hybrid = g_new (HlOilsTable, 1);
  HlSystem *stiffest = stiffen (incompressible, STIFF * pow (10.0, HL_OILS_MOST_STIFF - 1));
  double gaps[3][HL_OILS_MOST_STIFF], jump = INFINITY;
  HlOilsStiff told = {.exponent = NAN, .last = NAN, .after = {NAN, NAN}, .exponent_after = NAN};
  HlFault fault;
  HlPoint *from = NULL;

  if (!has_store (sys) &&
      hl_oils_run (stiffest, HL_MODEL_HYBRID, out, sys->t_end, NULL, hybrid, &fault) == HL_OK)
    from = hl_oils_first_point (sys, out, hybrid);
  if (from != NULL && starts_with_vapour (sys, from)) {
    hl_point_free (from);
    from = NULL;
  }
  if (from != NULL)
    jump = first_jump (stiffest, out, hybrid);
  for (int k = 0; k < HL_OILS_MOST_STIFF && from != NULL; k++) {
    if (!run_stiff (sys, STIFF * pow (10.0, k), out, hybrid, from, table))
      break;
    gaps[0][k] = gap (sys, out, table, hybrid, INFINITY);
    gaps[1][k] = gap (sys, out, table, hybrid, jump);
    gaps[2][k] = gap_after (sys, out, table, hybrid);
    told.after[k > 0 ? 1 : 0] = gaps[2][k];
    told.exponent_after = k > 0 ? log10 (gaps[2][0] / gaps[2][k]) / k : NAN;
    told.exponent = exponent_of (gaps[0], k + 1);
    told.is_cut = told.exponent < least; /* where it oscillates, only the rows before are compared */
    if (told.is_cut)
      told.exponent = exponent_of (gaps[1], k + 1);
    told.last = gaps[told.is_cut ? 1 : 0][k];
    if (k + 1 >= HL_OILS_STIFF && (told.exponent >= least || gaps[0][0] < SMALL))
      break;
  }
  hl_point_free (from);
  hl_system_unref (stiffest);
  g_free (hybrid);
  g_free (table);
  return told;
}

/* ---- without inertia ---- */

static void scale_number (HlSystem *sys, HlEntityKind kind, int entity, const char *name, double by) {
  g_autofree char *path = g_strconcat (hl_system_entity_id (sys, kind, entity), ".", name, NULL);
  HlParameter number;

  if (hl_system_find_parameter (sys, path, &number))
    hl_system_set_parameter (sys, number, by * hl_system_get_parameter (sys, number));
}

/* Masses lighter by `lighter`; oil and virtual elements so stiff that neither of them is seen. But lines that are
 * compressible in the quasistatic oil too are so because of the effect of their oil's stiffness on a pump or a
 * controller, which swings ever faster with stiffer oil (as the root of the modulus, and dies away no sooner): they
 * keep their spring, V/B. */
static HlSystem *lighten (const HlSystem *sys, double lighter) {
  HlSystem *light = hl_system_copy (sys);
  const HlTopology *top = sys->topology;
  HlParameter bulk;

  if (!hl_system_find_parameter (light, "fluid.bulk_modulus", &bulk))
    g_error ("the bulk modulus is no parameter");
  /* what the oil stores must stay little beside what lighter bodies have */
  double stiffer = 100.0 * STIFF / lighter / hl_system_get_parameter (light, bulk);
  hl_system_set_parameter (light, bulk, 100.0 * STIFF / lighter);
  for (int k = top->n_stored; k < top->n_soft; k++)
    scale_number (light, HL_ENTITY_LINE, sys->nodes[top->soft[k]].line, "volume", stiffer);
  for (int k = 0; k < light->mech.n_bodies; k++) {
    scale_number (light, HL_ENTITY_BODY, k, "mass", lighter);
    scale_number (light, HL_ENTITY_BODY, k, "inertia", lighter);
  }
  for (int k = 0; k < light->n_cylinders; k++) {
    int component = light->cylinders[k].component;
    scale_number (light, HL_ENTITY_COMPONENT, component, "virtual_stiffness", STIFFER);
    scale_number (light, HL_ENTITY_COMPONENT, component, "virtual_damping", sqrt (STIFFER * lighter));
  }
  return light;
}

/* Returns the longest of all motions [m or rad]. */
static double way (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *table) {
  double most = 0.0;

  for (int k = 0; k < sys->n_cylinders; k++)
    for (int row = 0; row < table->n; row++)
      most = fmax (most, fabs (table->value[row][out->length[k]] - table->value[0][out->length[k]]));
  return most;
}

void hl_oils_inertia (const HlSystem *sys, const HlOilsOutputs *out, double t_end,
                      double gaps[HL_OILS_MASSES]) {
  HlOilsTable *quasi = g_new (HlOilsTable, 1), *lumped = g_new (HlOilsTable, 1);
  HlFault fault;

  for (int k = 0; k < HL_OILS_MASSES; k++) {
    gaps[k] = NAN;
    if (k > 0 && isnan (gaps[k - 1])) /* lighter ones are harder */
      continue;
    HlSystem *light = lighten (sys, pow (0.1, k));
    HlPoint *from = NULL;
    if (hl_oils_run (light, HL_MODEL_QUASISTATIC, out, t_end, NULL, quasi, &fault) == HL_OK)
      from = hl_oils_first_point (light, out, quasi);
    if (from != NULL && !starts_with_vapour (light, from) &&
        hl_oils_run (light, HL_MODEL_LUMPED, out, t_end, from, lumped, &fault) == HL_OK &&
        !has_vapour (sys, out, lumped))
      gaps[k] = gap (sys, out, lumped, quasi, INFINITY) / fmax (1.0, way (sys, out, quasi));
    hl_point_free (from);
    hl_system_unref (light);
  }
  g_free (quasi);
  g_free (lumped);
}
