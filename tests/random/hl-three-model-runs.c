/* SPDX-License-Identifier: MIT */
#include "tests/random/hl-three-model-runs.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/quasistatic/hl-quasi-valve-network.h"
#include "core/system/hl-lumped-dynamics.h"

#define LEAST_FLOW                                                                                           \
  1e-7 /* a last digit of 10 MPa through a wide laminar throttle, over the tolerance [m3/s] */

/* ---- reports ---- */

static int add (const HlSystem *sys, HlOilsOutputs *out, const char *id, const char *name) {
  g_autofree char *path = g_strconcat (id, ".", name, NULL);

  if (out->n >= HL_OILS_OUTPUTS || !hl_observable_find (sys, path, &out->of[out->n]))
    return -1;
  return out->n++;
}

/* Adds an output that is the flow of this branch alone. */
static void add_branch (const HlSystem *sys, HlOilsOutputs *out, const HlComponent *c, const char *id,
                        int branch) {
  for (int k = 0; k < c->klass->kind.n_outputs; k++) {
    const HlOutput *output = &c->klass->kind.outputs[k];
    int n = 0;
    for (int other = 0; other < HL_KIND_MAX_BRANCHES; other++)
      n += output->sign[other] != 0.0 ? 1 : 0;
    if (output->reads != HL_READS_FLOWS || n != 1 || output->sign[branch] == 0.0)
      continue;
    out->flow[c->first_branch + branch] = add (sys, out, id, output->name);
    out->flow_sign[c->first_branch + branch] = output->sign[branch];
    return;
  }
}

static void add_component (const HlSystem *sys, HlOilsOutputs *out, int component) {
  const HlComponent *c = &sys->components[component];
  const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, component);

  for (int k = 0; k < c->n_branches; k++)
    add_branch (sys, out, c, id, k);
  for (int k = 0; k < c->n_states; k++) {
    char name[HL_STATE_NAME_ROOM];
    const char *state = hl_component_state_name (c, k, name);
    int at = add (sys, out, id, state);
    out->state[c->first_state + k] = at;
    if (at >= 0 && g_str_has_prefix (state, "cushion_") && out->n_chambers < HL_OILS_LINES)
      out->chamber[out->n_chambers++] = at;
  }
  if (c->cylinder < 0)
    return;
  out->speed[c->cylinder] = add (sys, out, id, "speed");
  out->length[c->cylinder] = add (sys, out, id, c->klass->is_rotary ? "angle" : "s");
  out->piston[c->cylinder] = c->klass->is_rotary ? -1 : add (sys, out, id, "rod_speed");
}

bool hl_oils_list (const HlSystem *sys, HlOilsOutputs *out) {
  static const char *const energies[] = {"kinetic", "potential", "oil", "dissipated", "supplied"};
  static const char *const body[] = {"x", "y", "angle", "vx", "vy", "omega"};
  const HlTopology *top = sys->topology;

  *out = (HlOilsOutputs){.pressure = g_new (int, sys->n_nodes + 1),
                         .flow = g_new (int, top->n_branches + 1),
                         .flow_sign = g_new0 (double, top->n_branches + 1),
                         .speed = g_new (int, sys->n_cylinders + 1),
                         .length = g_new (int, sys->n_cylinders + 1),
                         .piston = g_new (int, sys->n_cylinders + 1),
                         .state = g_new (int, top->n_states_u + 1),
                         .body = g_new (int, 6 * sys->mech.n_bodies + 1)};
  for (int k = 0; k < 5; k++)
    add (sys, out, "energy", energies[k]);
  for (int node = 0; node < sys->n_nodes; node++)
    out->pressure[node] =
        sys->nodes[node].state < 0
            ? -1
            : add (sys, out, hl_system_entity_id (sys, HL_ENTITY_LINE, sys->nodes[node].line), "pressure");
  for (int k = 0; k < top->n_branches; k++)
    out->flow[k] = -1;
  for (int k = 0; k < top->n_states_u; k++)
    out->state[k] = -1;
  for (int k = 0; k < sys->n_components; k++)
    add_component (sys, out, k);
  for (int k = 0; k < 6 * sys->mech.n_bodies; k++)
    out->body[k] = add (sys, out, hl_system_entity_id (sys, HL_ENTITY_BODY, k / 6), body[k % 6]);
  return out->n < HL_OILS_OUTPUTS;
}

void hl_oils_list_clear (HlOilsOutputs *out) {
  void *parts[] = {out->pressure, out->flow,   out->flow_sign, out->speed,
                   out->length,   out->piston, out->state,     out->body};

  for (size_t k = 0; k < G_N_ELEMENTS (parts); k++)
    g_free (parts[k]);
  *out = (HlOilsOutputs){0};
}

static bool keep_row (double t, const double values[], void *data) {
  HlOilsTable *table = data;

  if (table->n >= HL_OILS_ROWS)
    return false;
  table->t[table->n] = t;
  memcpy (table->value[table->n++], values, (size_t)table->width * sizeof (double));
  return true;
}

static void note_impact (const HlSimEvent *event, void *data) {
  HlOilsTable *table = data;
  bool knocks = event->kind == HL_SIM_CAVITATES || event->kind == HL_SIM_HITS_STOP ||
                (isfinite (event->impulse) && event->impulse != 0.0);

  if (knocks)
    table->impact = fmin (table->impact, event->t);
  if (event->kind == HL_SIM_GIVES_WAY && event->entity < HL_OILS_LINES)
    table->compressible_lines[event->entity] = true;
}

/* Drops all rows so far. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  (void)method;
  (void)why;
  ((HlOilsTable *)data)->n = 0;
  return true;
}

HlStatus hl_oils_run (const HlSystem *sys, HlModelKind model, const HlOilsOutputs *out, double t_end,
                      const HlPoint *from, HlOilsTable *table, HlFault *fault) {
  HlSimOptions options = hl_sim_options_from_model (sys);

  table->n = 0;
  table->impact = INFINITY;
  memset (table->compressible_lines, 0, sizeof table->compressible_lines);
  options.event = note_impact;
  options.event_data = table;
  table->width = out->n;
  options.model = model;
  options.formulation = model == HL_MODEL_QUASISTATIC ? HL_FORMULATION_RELAXED : HL_FORMULATION_REDUCED;
  options.outputs = out->of;
  options.n_outputs = out->n;
  options.row = keep_row;
  options.row_data = table;
  options.again = begin_again;
  options.again_data = table;
  options.max_steps = 4e4;
  options.t_end = t_end;
  options.from = from;
  *fault = (HlFault){.entity = -1};
  return hl_simulate (sys, &options, NULL, fault);
}

static double told (const HlOilsTable *table, int output) {
  return output >= 0 ? table->value[0][output] : NAN;
}

HlPoint *hl_oils_first_point (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *table) {
  HlPoint *point = hl_point_new (sys);
  bool is_whole = true;

  for (int k = 0; k < 3 * sys->mech.n_bodies; k++) {
    point->x[k] = told (table, out->body[6 * (k / 3) + k % 3]);
    point->v[k] = told (table, out->body[6 * (k / 3) + 3 + k % 3]);
    is_whole = is_whole && isfinite (point->x[k]) && isfinite (point->v[k]);
  }
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0) {
      point->p[sys->nodes[node].state] = told (table, out->pressure[node]);
      is_whole = is_whole && isfinite (point->p[sys->nodes[node].state]);
    }
  for (int k = 0; k < sys->topology->n_states_u; k++) {
    point->u[k] = told (table, out->state[k]);
    is_whole = is_whole && isfinite (point->u[k]);
  }
  if (is_whole)
    return point;
  hl_point_free (point);
  return NULL;
}

/* ---- files ---- */

HlDocument *hl_oils_with_inertia (const json_t *drawn, bool has_mass) {
  json_t *heavy = json_deep_copy (drawn);
  json_t *component;
  size_t k;

  json_array_foreach (
      json_object_get (heavy, "components"), k,
      component) if (strcmp (json_string_value (json_object_get (component, "kind")), "pipe") == 0)
      json_object_set_new (component, "inertia", json_boolean (has_mass));
  g_autofree char *text = json_dumps (heavy, JSON_REAL_PRECISION (17));
  json_decref (heavy);
  return hl_document_parse (text, strlen (text), "drawn", NULL);
}

HlSystem *hl_oils_compile (HlDocument *doc, HlModelKind model, HlFindings *findings, const HlFinding **bar) {
  g_autoptr (HlFindings) of_file = hl_findings_new ();
  HlSystem *sys = hl_compile (doc, of_file);

  if (sys == NULL) {
    hl_compile (doc, findings);
    *bar = hl_findings_first_error (findings);
    return NULL;
  }
  HlDocument *mended = hl_oil_take_proposals (doc, sys, model, NULL, NULL);
  if (mended != NULL) {
    hl_system_unref (sys);
    sys = hl_compile (mended, of_file);
  }
  hl_compile_verify_oil (mended != NULL ? mended : doc, sys, model, findings);
  *bar = hl_findings_first_barrier (findings, HL_BARS_RUN);
  if (mended != NULL)
    hl_document_unref (mended);
  if (*bar == NULL)
    return sys;
  hl_system_unref (sys);
  return NULL;
}

/* ---- flows sum to zero ---- */

typedef struct {
  double sum, size;
  bool is_reported;
} Balance;

static void add_flow (const HlSystem *sys, Balance balances[], int node, double into, bool is_reported) {
  if (node < 0 || sys->nodes[node].state < 0)
    return;
  balances[node].sum += into;
  balances[node].size += fabs (into);
  balances[node].is_reported = balances[node].is_reported && is_reported && isfinite (into);
}

static void balance (const HlSystem *sys, HlModelKind model, const HlOilsOutputs *out, const double row[],
                     Balance balances[]) {
  const HlTopology *top = sys->topology;

  for (int node = 0; node < sys->n_nodes; node++)
    balances[node] = (Balance){0.0, 0.0, true};
  for (int k = 0; k < top->n_branches; k++) {
    bool is_reported = out->flow[k] >= 0;
    double q = is_reported ? row[out->flow[k]] / out->flow_sign[k] : 0.0;
    add_flow (sys, balances, top->branches[k].a, -q, is_reported);
    add_flow (sys, balances, top->branches[k].b, q, is_reported);
  }
  for (int k = 0; k < top->n_stores; k++)
    if (sys->components[top->stores[k]].n_states == 0)
      add_flow (sys, balances, sys->components[top->stores[k]].node[0], 0.0, false);
  for (int k = 0; k < top->n_soft && model == HL_MODEL_QUASISTATIC; k++)
    add_flow (sys, balances, top->soft[k], 0.0, false); /* what comes in fills them */
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    int at = model == HL_MODEL_QUASISTATIC ? out->piston[k] : out->speed[k];
    double v = at >= 0 ? row[at] : 0.0;
    add_flow (sys, balances, cyl->node_a, -cyl->area_a * v, at >= 0);
    add_flow (sys, balances, cyl->node_b, cyl->area_b * v, at >= 0);
  }
}

double hl_oils_imbalance (const HlSystem *sys, HlModelKind model, const HlOilsOutputs *out,
                          const HlOilsTable *table) {
  Balance *balances = g_new (Balance, sys->n_nodes + 1);
  double onset = hl_fluid_onset (&sys->fluid), most = -1.0;

  for (int row = 1; row < table->n; row++) {
    balance (sys, model, out, table->value[row], balances);
    for (int node = 0; node < sys->n_nodes; node++) {
      const Balance *of = &balances[node];
      int line = sys->nodes[node].line;
      if (line >= 0 && line < HL_OILS_LINES && table->compressible_lines[line])
        continue;
      double p = out->pressure[node] >= 0 ? table->value[row][out->pressure[node]] : 0.0;
      if (of->is_reported && of->size > 0.0 && !(p <= 1.01 * onset)) /* a pocket gives oil */
        most = fmax (most, fabs (of->sum) / (of->size + LEAST_FLOW));
    }
  }
  g_free (balances);
  return most;
}

/* ---- energy ---- */

/* Where less than this goes through nothing happens: what rounding makes of 1e4 J in pressures and volumes, 1e-12 to 2e-11 J
 * at machines that are locked (26112781:95, 26112782:129), would be judged [J]. */
#define NOTHING 2e-5

double hl_oils_energy (const HlOilsTable *table, double *gained) {
  double worst = 0.0, most = NOTHING;

  *gained = 0.0;
  for (int row = 0; row < table->n; row++) {
    const double *e = table->value[row], *first = table->value[0];
    double sum = first[4] - e[4];
    for (int k = 0; k < 4; k++)
      sum += e[k] - first[k];
    for (int k = 0; k < 5; k++)
      most = fmax (most, fabs (e[k] - first[k]));
    worst = fmax (worst, fabs (sum));
    if (row > 0)
      *gained = fmax (*gained, table->value[row - 1][3] - e[3]);
  }
  *gained /= most;
  return worst / most;
}

/* ---- steady states ---- */

/* Returns whether the flow through all branches is turbulent there. */
static bool is_turbulent (const HlSystem *sys, const HlQuasiNet *net) {
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_branches; k++) {
    int a = top->branches[k].a, b = top->branches[k].b;
    if (a < 0 || b < 0 || fabs (hl_quasi_net_flow (net, k)) < LEAST_FLOW)
      continue;
    if (fabs (hl_quasi_net_pressure (net, a) - hl_quasi_net_pressure (net, b)) < 2.5e5)
      return false;
  }
  return true;
}

double hl_oils_unrest (const HlSystem *sys, HlPoint *point, double speed) {
  HlWork *work = hl_work_new (sys);
  HlQuasiNet *net = hl_quasi_net_new_steady (sys);
  double most = -1.0;
  int infinite = 0;

  if (hl_partition_choose (sys, work, point->x, HL_PARTITION_PIVOT, NULL, 0, NULL) != HL_OK)
    goto out;
  double *y = g_new0 (double, work->n_states + 1), *y_dot = g_new0 (double, work->n_states + 1);
  hl_state_pack (sys, work, point, y);
  hl_work_enter_segment (sys, work, 0.0);
  for (int k = 0; k < work->f; k++)
    y[hl_off_v (work) + k] = speed * (k % 2 == 0 ? 1.0 : -0.6);
  bool is_known = hl_dynamics_eval (sys, 0.0, y, y_dot, work, NULL) == HL_OK;
  if (is_known)
    hl_quasi_net_open (net, work);
  for (int k = 0; k < sys->n_cylinders && is_known; k++) {
    hl_quasi_net_pistons (net)[k].beta = INFINITY;
    hl_quasi_net_pistons (net)[k].fbar = work->cylinders[k].length.rate;
  }
  is_known = is_known && hl_quasi_net_solve_given (net, 0, &infinite, NULL) == HL_OK && infinite == 0 &&
             is_turbulent (sys, net);
  for (int node = 0; node < sys->n_nodes && is_known; node++) {
    double p = hl_quasi_net_pressure (net, node);
    is_known = !isnan (p) && (sys->nodes[node].state < 0 || p > 2.0 * hl_fluid_onset (&sys->fluid));
    if (sys->nodes[node].state >= 0)
      y[hl_off_p (work) + sys->nodes[node].state] = p;
  }
  for (int k = 0; k < work->u && is_known; k++) /* flows of pipes rest where their drop is spent */
    if (sys->topology->component_of_state[k] >= 0 &&
        sys->components[sys->topology->component_of_state[k]].klass->carries)
      is_known = false;
  is_known = is_known && hl_dynamics_eval (sys, 0.0, y, y_dot, work, NULL) == HL_OK;
  for (int node = 0; node < sys->n_nodes && is_known; node++) {
    double size = 0.0;
    bool has_store = false;
    for (int k = 0; k < sys->topology->n_branches; k++)
      if (sys->topology->branches[k].a == node || sys->topology->branches[k].b == node)
        size += fabs (work->flow[k]);
    for (int k = 0; k < sys->topology->n_stores; k++)
      has_store = has_store || sys->components[sys->topology->stores[k]].node[0] == node;
    if (sys->nodes[node].state >= 0 && size > 0.0 && !has_store)
      most = fmax (most, fabs (work->net[node]) / (size + LEAST_FLOW));
  }
  g_free (y);
  g_free (y_dot);
out:
  hl_quasi_net_free (net);
  hl_work_free (work);
  return most;
}
