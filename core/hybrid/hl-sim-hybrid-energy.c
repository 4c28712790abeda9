/* SPDX-License-Identifier: MIT */
/* Power balance of the hybrid model. Incompressible oil stores energy by its motion alone:
 *   oil         I v v' of the flow paths
 *   dissipated  losses and cracking pressures of the paths, friction, dampers, tyres
 *   supplied    pumps, nodes of given pressure, loads with a signal
 *
 * In an impact a pump supplies its flow times the impulse of the pressure, bodies and oil keep less
 * than they had, and the rest is dissipated at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways.h"
#include "core/hybrid/hl-sim-hybrid.h"
#include "core/system/hl-dynamics-stages.h"
#include "core/system/hl-observable-eval.h"

static double
loss_power (const HlHybridNetwork *net, const HlHybridInputs *in, int row, double v)
{
  const HlHybridLine *line = &net->tables.lines[row];
  double loss = line->loss_quadratic + in->extra_loss[row];

  if (line->valve_loss > 0.0)
    loss += line->valve_loss / pow (fmax (in->opening[row], line->min_opening), 2.0);
  double drop = line->loss_linear * v + loss * v * fabs (v) + line->crack_pressure;
  for (int k = 0; k < line->n_churchill; k++)
    drop +=
        hl_hybrid_churchill_drop (&net->tables.churchill[line->first_churchill + k], NULL, row, v);
  return v * drop;
}

void
hl_sim_hybrid_powers (HlSimRun *run, double powers[3])
{
  const HlSimHybrid *h = run->own;
  const HlSystem *sys = run->sys;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  const HlHybridInstant *now = &h->instant;

  hl_hybrid_coupling_observe (h->coupling, h->solver, now);
  powers[0] = powers[1] = powers[2] = 0.0;
  for (int line = 0; line < net->tables.n_lines; line++) {
    powers[0] += net->tables.lines[line].inertia * now->v[line] * now->v_dot[line];
    powers[1] += loss_power (net, in, line, now->v[line]);
  }
  if (h->coupling->ways != NULL) {
    for (int k = 0; k < sys->n_passages; k++) {
      const HlPassage *at = &sys->passages[k];
      if (at->kind != HL_PASSAGE_PUMP || at->line_b < 0 ||
          h->coupling->machine->has_law[at->component])
        continue;
      double from = at->line_a >= 0 ? run->work->line_p[at->line_a] : 0.0;
      powers[2] += hl_work_pump_flow (run->work, at) * (run->work->line_p[at->line_b] - from);
    }
    hl_hybrid_ways_powers (h->coupling->ways, run->work, in, now->v, powers);
  }
  for (int node = 0; node < net->tables.n_nodes && h->coupling->ways == NULL; node++)
    if (in->inflow[node] != 0.0)
      powers[2] += in->inflow[node] * (net->tables.node_is_fixed[node]
                                           ? in->node_pressure[node]
                                           : now->multiplier[hl_hybrid_node_column (net, node)]);
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].node >= 0)
      powers[2] -= sys->sources[k].pressure * run->work->net[sys->sources[k].node] /
                   sys->nodes[sys->sources[k].node].n_sources;
  hl_power_add_motion (sys, run->work, powers);
  hl_power_add_ambient (sys, run->work, powers);
  hl_drive_powers (sys, run->work, powers);
}

/* Of the flows and of the bodies. */
static void
energies_of (const HlSimHybrid *h, double energy[2])
{
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  const double *w = h->v + tables->n_lines;

  energy[0] = energy[1] = 0.0;
  for (int line = 0; line < tables->n_lines; line++)
    energy[0] += 0.5 * tables->lines[line].inertia * h->v[line] * h->v[line];
  for (int j = 0; j < tables->n_mech; j++)
    for (int k = 0; k < tables->n_mech; k++)
      energy[1] += 0.5 * w[j] * in->mass[j + tables->n_mech * k] * w[k];
  for (int j = 0; j < tables->n_mech; j++)
    energy[1] += in->momentum[j] * w[j]; /* beside what only driven joints change */
}

/* s' of a cylinder for velocities w[n_mech] of the bodies, but for what driven joints add. */
static double
stroke_rate (const HlSimHybrid *h, int cylinder, const double w[])
{
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  double sum = 0.0;

  for (int j = 0; j < tables->n_mech; j++)
    sum += in->stroke_row[cylinder + tables->n_cylinders * j] * w[j];
  return sum;
}

/* The cylinder whose oil the jump of the bodies changes most. */
static int
most_changed_cylinder (const HlSimRun *run, const double jump[])
{
  double most = 0.0;
  int found = -1;

  for (int k = 0; k < run->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &run->sys->cylinders[k];
    double flow =
        fmax (fabs (cyl->area_a), fabs (cyl->area_b)) * fabs (stroke_rate (run->own, k, jump));
    if (flow > most) {
      most = flow;
      found = k;
    }
  }
  return found;
}

/* Whether the file has the cylinder run into its stop: then no oil is to blame. */
static bool
runs_into_stop (const HlSimHybrid *h, int cylinder)
{
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridCylinder *limits = &tables->cylinders[cylinder];
  double s = hl_hybrid_solver_get_inputs (h->solver)->stroke[cylinder];
  double rate = stroke_rate (h, cylinder, h->v_file + tables->n_lines) +
                hl_hybrid_solver_get_inputs (h->solver)->stroke_drift[cylinder];

  return rate > 0.0 ? limits->stroke_max - s <= HL_HYBRID_TOUCH
                    : rate < 0.0 && s - limits->stroke_min <= HL_HYBRID_TOUCH;
}

/* The impulses W s = M (v - v+) take from the bodies, and pumps whose flow rises evenly from 0 give,
 *
 *   T (v) + b^T s/2 - T (v+) = s^T W^T v/2 = v^T M (v - v+)/2
 *
 * where the flows of v are 0. */
HlStartLoss
hl_sim_hybrid_start_loss (const HlSimRun *run)
{
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  int n_lines = net->tables.n_lines, n = net->tables.n_mech;
  double *jump = calloc ((size_t)n + 1, sizeof *jump);
  HlStartLoss loss = {.component = -1};

  for (int j = 0; j < n; j++)
    jump[j] = h->v_file[n_lines + j] - h->v[n_lines + j];
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      double momentum = h->v_file[n_lines + j] * in->mass[j + n * k];
      loss.energy += 0.5 * momentum * jump[k];
      loss.before += 0.5 * momentum * h->v_file[n_lines + k];
    }
  int cylinder = most_changed_cylinder (run, jump);
  if (cylinder >= 0) {
    loss.component = run->sys->cylinders[cylinder].component;
    loss.is_stop = runs_into_stop (h, cylinder);
  }
  free (jump);
  if (!(loss.energy > HL_START_LOSS_PART * loss.before))
    loss.energy = 0.0;
  return loss;
}

/* What driven joints give in an impact: they keep their speed against what the bodies' momentum and
 * the impulses of the oil and the stops ask of them. */
static double
given_by_drives (const HlSimHybrid *h, const HlHybridReport *report)
{
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  const HlHybridTables *tables = &net->tables;
  double sum = 0.0;

  for (int j = 0; j < tables->n_mech; j++)
    sum += in->momentum[j] * (h->v[tables->n_lines + j] - h->w_before[j]);
  for (int row = 0; row < tables->n_chambers; row++) {
    const HlHybridChamber *chamber = &tables->chambers[row];
    int level = in->group != NULL ? in->group[chamber->node] : chamber->node;
    double impulse = level >= 0 ? report->impulse[hl_hybrid_node_column (net, level)] : NAN;
    if (isfinite (impulse))
      sum -= in->stroke_drift[chamber->cylinder] * chamber->area * impulse;
  }
  for (int slot = 0; slot < 2 * tables->n_cylinders; slot++) {
    double impulse = report->impulse[hl_hybrid_stop_column (net, slot / 2, slot % 2 == 1)];
    if (isfinite (impulse))
      sum += in->stroke_drift[slot / 2] * (slot % 2 == 1 ? impulse : -impulse);
  }
  return sum;
}

void
hl_sim_hybrid_before_jump (const HlSimRun *run, double energy[2])
{
  const HlSimHybrid *h = run->own;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);

  energies_of (h, energy);
  memcpy (h->inflow, in->inflow,
          (size_t)h->coupling->machine->net->tables.n_nodes * sizeof (double));
  memcpy (h->w_before, h->v + h->coupling->machine->n_paths,
          (size_t)run->work->f * sizeof (double));
}

void
hl_sim_hybrid_add_jump (HlSimRun *run, const double before[2], const HlHybridReport *report)
{
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  double after[2], supplied = 0.0;

  energies_of (h, after);
  for (int node = 0; node < net->tables.n_nodes && report->had_impact; node++) {
    int level = in->group != NULL ? in->group[node] : node;
    double impulse = level >= 0 ? report->impulse[hl_hybrid_node_column (net, level)] : NAN;
    /* a pump whose flow jumps gives the impulse times its mean flow */
    double flow = 0.5 * (h->inflow[node] + in->inflow[node]);
    if (flow != 0.0 && isfinite (impulse))
      supplied += flow * impulse;
  }
  if (report->had_impact)
    supplied += given_by_drives (h, report);
  run->energies[0] += after[0] - before[0];
  run->energies[1] += supplied - (after[0] - before[0]) - (after[1] - before[1]);
  run->energies[2] += supplied;
}
