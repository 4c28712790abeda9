/* SPDX-License-Identifier: MIT */
#include "core/run/hl-power-balance-run.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-translation-macros.h"
#include "core/system/hl-power-balance-parts.h"

#define MOST_ROWS 1000
#define LEAST_SHARE 1e-9 /* of the input: smaller bars are rounding */

struct _HlPowerStudy {
  HlSystem *system;
  bool is_dumb;    /* rows come without parts */
  GArray *t;       /* double, one a row */
  GArray *numbers; /* double, n_parts * HL_POWER_ROLES powers, then as many energies, a row */
};

static int row_length (const HlPowerStudy *study) {
  return HL_POWER_ROLES * hl_power_n_parts (study->system);
}

static void keep_parts (double t, const double powers[], const double energies[], void *data) {
  HlPowerStudy *study = data;

  g_array_append_val (study->t, t);
  g_array_append_vals (study->numbers, powers, (guint)row_length (study));
  g_array_append_vals (study->numbers, energies, (guint)row_length (study));
}

/* Clears the rows of the method that failed. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  HlPowerStudy *study = data;

  g_array_set_size (study->t, 0);
  g_array_set_size (study->numbers, 0);
  return true;
}

/* Appends a row. Its parts come before it; if they are missing, the run stops. */
static bool append_row (double t, const double values[], void *data) {
  HlPowerStudy *study = data;

  study->is_dumb = study->t->len == 0;
  return !study->is_dumb;
}

HlPowerStudy *hl_power_study_new (HlSystem *system, const HlSimOptions *options, HlFault *fault) {
  HlSimOptions own = *options;

  HlPowerStudy *study = g_new0 (HlPowerStudy, 1);
  study->system = hl_system_ref (system);
  study->t = g_array_new (FALSE, FALSE, sizeof (double));
  study->numbers = g_array_new (FALSE, FALSE, sizeof (double));
  own.outputs = NULL;
  own.n_outputs = own.n_linear = 0;
  own.linear = false;
  own.row = append_row;
  own.row_data = study;
  own.every = fmax (own.every, own.t_end / MOST_ROWS);
  own.parts = keep_parts;
  own.parts_data = study;
  own.again = begin_again;
  own.again_data = study;
  own.cavitations = NULL;
  own.event = NULL;
  own.mode = NULL;
  HlStatus status = hl_simulate (system, &own, NULL, fault);
  if (study->is_dumb)
    *fault = (HlFault){.status = HL_BAD_MODEL,
                       .entity = -1,
                       .time = NAN,
                       .why = HL_TEXT ("the power balance needs the lumped oil model"),
                       .mend = HL_TEXT ("choose the lumped oil model")};
  if (status == HL_CANCELLED || study->t->len == 0)
    g_clear_pointer (&study, hl_power_study_free);
  return study;
}

void hl_power_study_free (HlPowerStudy *study) {
  if (study == NULL)
    return;
  hl_system_unref (study->system);
  g_array_unref (study->t);
  g_array_unref (study->numbers);
  g_free (study);
}

double hl_power_study_t_end (const HlPowerStudy *study) {
  return g_array_index (study->t, double, study->t->len - 1);
}

static guint row_near (const HlPowerStudy *study, double t) {
  const double *times = (const double *)(gconstpointer)study->t->data;
  guint best = 0;

  for (guint row = 1; row < study->t->len; row++)
    if (fabs (times[row] - t) < fabs (times[best] - t))
      best = row;
  return best;
}

/* --- bars --- */

static void add_bar (GArray *bars, const char *id, const char *name, HlPowerSide side, double value) {
  HlPowerBar bar = {id, name, value < 0.0 ? HL_POWER_BAR_OUT : side, fabs (value)};

  if (value < 0.0 && side == HL_POWER_BAR_OUT)
    bar.side = HL_POWER_BAR_IN;
  if (value < 0.0 && side == HL_POWER_BAR_LOST) /* rounding; a law that gives shows as what it is */
    bar.side = HL_POWER_BAR_IN;
  if (value != 0.0)
    g_array_append_val (bars, bar);
}

static void add_part (GArray *bars, const char *id, const char *name, const double part[]) {
  add_bar (bars, id, name, HL_POWER_BAR_OUT, part[HL_POWER_STORED]);
  add_bar (bars, id, name, HL_POWER_BAR_LOST, part[HL_POWER_LOST]);
  add_bar (bars, id, name, HL_POWER_BAR_IN, part[HL_POWER_SUPPLIED]);
}

/* Returns the name of the element that prescribes a node's pressure. */
static const char *giver_of (const HlSystem *sys, int node) {
  int component = sys->nodes[node].source;

  return component >= 0 ? hl_system_entity_id (sys, HL_ENTITY_COMPONENT, component) : "";
}

/* Adds the nodes: the oil of all lines is one store; a tank or a source is one element, on any number of
 * lines. */
static void add_nodes (GArray *bars, const HlSystem *sys, const double parts[]) {
  const double *nodes = parts + HL_POWER_ROLES * hl_power_first_node (sys);
  double oil = 0.0;

  for (int node = 0; node < sys->n_nodes; node++) {
    const double *part = nodes + HL_POWER_ROLES * node;
    oil += part[HL_POWER_STORED];
    if (sys->nodes[node].state < 0)
      add_bar (bars, giver_of (sys, node), NULL, HL_POWER_BAR_IN, part[HL_POWER_SUPPLIED]);
  }
  add_bar (bars, "", HL_TEXT ("oil in the lines"), HL_POWER_BAR_OUT, oil);
}

/* Returns the name of a load. Friction and stops of a joint are loads after those of the file and have the name of
 * the joint. */
static const char *id_of_load (const HlSystem *sys, int load) {
  const char *id = hl_system_entity_id (sys, HL_ENTITY_LOAD, load);

  if (id == NULL)
    id = hl_system_entity_id (sys, HL_ENTITY_JOINT, hl_system_joint_of_load (sys, load));
  return id != NULL ? id : "";
}

static int by_side_and_size (gconstpointer a, gconstpointer b) {
  const HlPowerBar *x = a, *y = b;

  if (x->side != y->side)
    return x->side < y->side ? -1 : 1;
  return x->value > y->value ? -1 : x->value < y->value;
}

double hl_power_bars_sum (const GArray *bars, HlPowerSide side) {
  double sum = 0.0;

  for (guint k = 0; k < bars->len; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    sum += bar->side == side ? bar->value : 0.0;
  }
  return sum;
}

GArray *hl_power_study_bars (const HlPowerStudy *study, double t, gboolean energies, double *open) {
  const HlSystem *sys = study->system;
  gsize at = 2 * (gsize)row_near (study, t) + (energies ? 1 : 0);
  const double *parts = (const double *)(gconstpointer)study->numbers->data + at * (gsize)row_length (study);
  const double *rest = parts + HL_POWER_ROLES * hl_power_joints (sys);
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (HlPowerBar));

  for (int k = 0; k < sys->n_components; k++)
    add_part (bars, hl_system_entity_id (sys, HL_ENTITY_COMPONENT, k), NULL, parts + HL_POWER_ROLES * k);
  for (int k = 0; k < sys->mech.n_loads; k++)
    add_part (bars, id_of_load (sys, k), NULL, parts + HL_POWER_ROLES * (hl_power_first_load (sys) + k));
  add_nodes (bars, sys, parts);
  add_part (bars, "", HL_TEXT ("joints and drives"), rest);
  add_part (bars, "", HL_TEXT ("kinetic energy"), rest + HL_POWER_ROLES);
  add_part (bars, "", HL_TEXT ("potential energy"), rest + 2 * HL_POWER_ROLES);
  double in = hl_power_bars_sum (bars, HL_POWER_BAR_IN);
  if (open != NULL)
    *open = in - hl_power_bars_sum (bars, HL_POWER_BAR_LOST) - hl_power_bars_sum (bars, HL_POWER_BAR_OUT);
  for (guint k = bars->len; k-- > 0;)
    if (!(g_array_index (bars, HlPowerBar, k).value > LEAST_SHARE * in))
      g_array_remove_index (bars, k);
  g_array_sort (bars, by_side_and_size);
  return bars;
}
