/* SPDX-License-Identifier: MIT */
/* One evaluation of the machine, and what can be read from it. The state at a time is read from a
 * run whose outputs are the coordinates, velocities, pressures and component states themselves. */
#include "core/run/hl-state-snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"

#define PATH_ROOM 512 /* bytes of an id and a name behind it */

HlStatus hl_snapshot_eval (const HlSystem *sys, HlWork *work, const HlPoint *point,
                           const HlObservable outputs[], int n_outputs, double values[], HlFault *fault) {
  hl_work_enter_point (sys, work, point);
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, fault);
  size_t room = (size_t)hl_work_n_states (work) + 1;
  double *y = calloc (room, sizeof *y), *y_dot = calloc (room, sizeof *y_dot);

  if (status == HL_OK) {
    hl_state_pack (sys, work, point, y);
    status = hl_dynamics_eval (sys, point->t, y, y_dot, work, fault);
  }
  if (status == HL_OK)
    status = hl_dynamics_joint_forces (sys, work);
  for (int k = 0; k < n_outputs; k++)
    values[k] = status == HL_OK ? hl_observable_value (sys, work, outputs[k], NULL) : NAN;
  free (y);
  free (y_dot);
  return status;
}

int hl_system_n_joints (const HlSystem *sys) {
  return sys->topology->n_joints;
}

static bool find_output (const HlSystem *sys, const char *id, const char *part, HlObservable *output) {
  char path[PATH_ROOM];

  snprintf (path, sizeof path, "%s.%s", id, part);
  return hl_observable_find (sys, path, output);
}

int hl_snapshot_multipliers (const HlSystem *sys, const HlWork *work, int joint_idx,
                             double values[HL_JOINT_MOST_MULTIPLIERS]) {
  static const char *const parts[HL_JOINT_MOST_MULTIPLIERS] = {"fx", "fy", "moment"};
  const HlJoint *joint = &sys->topology->joints[joint_idx];
  int n = joint->klass->has_angle ? 3 : 2;

  if (hl_joint_has_one_end (joint->klass)) {
    values[0] = work->lambda[joint->first_row];
    return 1;
  }
  if (joint->klass->is_driven) {
    values[0] = -work->lambda[joint->first_row]; /* as HL_JOINT_READS_DRIVE */
    return 1;
  }
  for (int k = 0; k < n; k++) {
    HlObservable output;
    bool found = find_output (sys, hl_system_entity_id (sys, HL_ENTITY_JOINT, joint_idx), parts[k], &output);
    values[k] = found ? hl_observable_value (sys, work, output, NULL) : NAN;
  }
  return n;
}

/* Every number of a point as an output, and where it goes. */
typedef struct {
  int n;
  HlObservable *outputs;
  double **places; /* n: where their values go */
} Readings;

static void add_reading (Readings *readings, const HlSystem *sys, const char *id, const char *part,
                         double *place) {
  if (find_output (sys, id, part, &readings->outputs[readings->n]))
    readings->places[readings->n++] = place;
}

static Readings readings_of (const HlSystem *sys, HlPoint *point) {
  static const char *const positions[] = {"x", "y", "angle"};
  static const char *const velocities[] = {"vx", "vy", "omega"};
  const HlTopology *top = sys->topology;
  size_t room = (size_t)(6 * sys->mech.n_bodies + sys->n_pressures + top->n_states_u) + 1;
  Readings readings = {.outputs = calloc (room, sizeof (HlObservable)),
                       .places = calloc (room, sizeof (double *))};

  for (int k = 0; k < 3 * sys->mech.n_bodies; k++) {
    const char *id = top->names[HL_ENTITY_BODY][k / 3];
    add_reading (&readings, sys, id, positions[k % 3], &point->x[k]);
    add_reading (&readings, sys, id, velocities[k % 3], &point->v[k]);
  }
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0)
      add_reading (&readings, sys, top->names[HL_ENTITY_LINE][sys->nodes[node].line], "pressure",
                   &point->p[sys->nodes[node].state]);
  for (int k = 0; k < top->n_states_u; k++)
    if (hl_observable_find (sys, hl_state_path (sys, k), &readings.outputs[readings.n]))
      readings.places[readings.n++] = &point->u[k];
  return readings;
}

/* Stores a row; every row overwrites the one before, so the last one stays. */
static bool keep_row (double t, const double values[], void *data) {
  const Readings *readings = data;

  (void)t;
  for (int k = 0; k < readings->n; k++)
    *readings->places[k] = values[k];
  return true;
}

HlStatus hl_point_at_time (const HlSystem *sys, const HlSimOptions *options, double t, HlPoint *point,
                           HlFault *fault) {
  Readings readings = readings_of (sys, point);
  HlSimOptions run = *options;

  run.t_end = run.every = t;
  run.outputs = readings.outputs;
  run.n_outputs = readings.n;
  run.linear = false;
  run.row = keep_row;
  run.row_data = &readings;
  HlStatus status = hl_simulate (sys, &run, NULL, fault);
  point->t = t;
  point->rests = false;
  free (readings.outputs);
  free (readings.places);
  return status;
}
