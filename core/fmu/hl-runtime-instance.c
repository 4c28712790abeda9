/* SPDX-License-Identifier: MIT */
/* The instance: a copy of the constant tables, as the program copies a system, evaluated by the program's own
 * stages. */
#include "core/fmu/hl-runtime-instance.h"

#include "core/mech/hl-island-private.h"

/* Memory of an instance: allocated before it is needed, and whether that failed. */

#define ROOM ((size_t)1 << 21) /* memory for the C library's own blocks, and all small ones [B] */
#define ARRAYS 96              /* n x n each, at most */

static bool hl_model_has_room (void) {
  const HlSystem *sys = &hl_model_system;
  const HlTopology *top = sys->topology;
  size_t n =
      (size_t)(3 * sys->mech.n_bodies + sys->mech.n_rows + sys->n_pressures + top->n_states_u +
               top->n_inputs + top->n_branches + 2 * sys->n_lines + 3 * sys->n_cylinders + sys->n_signals);
  /* volatile: a compiler that sees it freed at once would take it for granted */
  void *volatile room =
      malloc (ROOM + ARRAYS * n * n * sizeof (double) + (size_t)hl_model_n_slots * 8 * sizeof (double));

  bool has = room != NULL;
  free (room);
  return has;
}

static void hl_model_take_early (HlModel *m) {
  for (int k = 0; k < m->work->n_islands; k++) {
    HlIslandWork *iw = m->work->islands[k];
    int side = iw->n > iw->n_rows ? iw->n : iw->n_rows;
    if (iw->n_rows == 0)
      continue;
    hl_model_take_early_sparse (iw);
    hl_island_bridge_make (&m->sys->mech, &m->sys->mech.islands[k], iw);
    HlArena scratch = hl_arena_beside (&iw->arena);
    hl_arena_take (&scratch, iw->n * iw->n_rows, sizeof (double));
    hl_arena_take (&scratch, side, sizeof (double));
    hl_linalg_work_free (hl_linalg_work_new_beside (&scratch, side, side));
    hl_arena_clear (&scratch);
  }
}

static void hl_visit (HlVisit *visit, void *memory, size_t size) {
  if (visit->at != NULL && size > 0) {
    if (visit->restores)
      memcpy (memory, visit->at + visit->size, size);
    else
      memcpy (visit->at + visit->size, memory, size);
  }
  visit->size += size;
}

static void hl_visit_room (HlVisit *visit, size_t begin, size_t room) {
  if (visit->at != NULL && !visit->restores)
    memset (visit->at + visit->size, 0, begin + room - visit->size);
  visit->size = begin + room;
}

#define VISIT(member) hl_visit (visit, &(member), sizeof (member))
#define VISIT_DOUBLES(array, n) hl_visit (visit, (array), (size_t)(n) * sizeof (double))
#define VISIT_INTS(array, n) hl_visit (visit, (array), (size_t)(n) * sizeof (int))

static void visit_island (const HlIsland *island, HlIslandWork *iw, HlVisit *visit) {
  VISIT (iw->m);
  VISIT (iw->l);
  VISIT (iw->f);
  VISIT_INTS (iw->kept, iw->n_rows);
  VISIT_INTS (iw->ai, iw->n);
  VISIT_INTS (iw->ad, iw->n);
  VISIT_INTS (iw->dep, iw->n);
  VISIT (iw->spread);
  hl_model_visit_sparse (island, iw, visit);
  if (iw->sparse == NULL) {
    VISIT_DOUBLES (iw->C_lu, iw->m * iw->m);
    VISIT_INTS (iw->C_pivots, iw->n_rows);
    VISIT (iw->C_ratio);
    if (visit->restores)
      hl_lu_plan_forget (&iw->plan);
    VISIT_DOUBLES (iw->X, iw->n * (iw->f + iw->l));
  }
  VISIT (iw->has_lu);
  VISIT (iw->side);
  VISIT (iw->branch);
  VISIT (iw->pivot_ratio);
  VISIT_DOUBLES (iw->x_last, iw->n);
  VISIT_DOUBLES (iw->gamma, iw->n);
  VISIT (iw->bend_at);
  VISIT (iw->bend_by);
  for (int k = 0; iw->sparse == NULL && iw->tree != NULL && k < iw->tree->n_bodies; k++)
    VISIT (iw->tree->turns[k]);
  VISIT (iw->clear_ratio);
  VISIT_DOUBLES (iw->x_clear, iw->n);
  VISIT (iw->has_clear);
  VISIT (iw->is_bridged);
  VISIT (iw->n_refused);
  VISIT (iw->is_driven);
  VISIT_DOUBLES (iw->drive_last, iw->n_rows);
}

/* Saves or restores the start values of the next evaluation. */
static void visit_islands (HlModel *m, HlVisit *visit) {
  if (m->form != NULL && m->form->visit_search != NULL)
    m->form->visit_search (&m->run, visit);
  for (int k = 0; k < m->work->n_islands; k++)
    visit_island (&m->sys->mech.islands[k], m->work->islands[k], visit);
}

/* Saves or restores the lists of the coordinates of the states; they follow from the islands, but are read at
 * once. */
static void visit_partition (HlModel *m, HlVisit *visit) {
  HlWork *work = m->work;

  VISIT_INTS (work->ai_column, work->n);
  VISIT_INTS (work->ad_column, work->n);
  VISIT_INTS (work->ai_island, work->n);
  VISIT_INTS (work->ai_slot, work->n);
  VISIT_INTS (work->ad_island, work->n);
  VISIT_INTS (work->ad_slot, work->n);
  for (int k = 0; k < work->n_islands; k++) {
    VISIT_INTS (work->ai_state[k], work->islands[k]->n);
    VISIT_INTS (work->ad_state[k], work->islands[k]->n);
  }
}

static void hl_model_touch (HlModel *m) {
  m->has_rates = m->has_forces = m->has_matrices = false;
}

static void hl_model_go_back (HlModel *m) {
  HlVisit visit = {m->accepted, 0, true};

  visit_islands (m, &visit);
}

static void hl_model_save (HlModel *m) {
  HlVisit visit = {m->accepted, 0, false};

  visit_islands (m, &visit);
}

static bool hl_model_has_states (void) {
  return hl_model_form == NULL || hl_model_form->visit != NULL;
}

/* Saves or restores the parameters that are set, and the derived ones. */
static void visit_numbers (HlModel *m, HlVisit *visit) {
  bool any = false, restores = visit->restores && visit->at != NULL;

  for (int k = 0; k < hl_model_n_slots; k++) {
    double value = m->values[k];
    VISIT (value);
    if (restores && value != m->values[k]) {
      hl_model_set (m, k, value);
      any = true;
    }
  }
  for (int k = 0; k < m->sys->n_components; k++) {
    uint64_t stated = m->sys->components[k].stated;
    VISIT (m->sys->components[k].stated);
    if (restores && stated != m->sys->components[k].stated)
      hl_system_derive_component (m->sys, k);
  }
  if (any && m->form != NULL) {
    hl_form_end (m);
    hl_form_begin (m);
  }
}

static void visit_form (HlModel *m, HlVisit *visit) {
  VISIT (m->is_set);
  VISIT (m->runs);
  VISIT (m->has_entered);
  VISIT (m->mode_end);
  VISIT (m->has_started);
  m->form->visit (&m->run, visit);
}

static void hl_model_visit (HlModel *m, HlVisit *visit) {
  if (visit->restores)
    hl_model_touch (m);
  else if (visit->at != NULL)
    hl_model_go_back (m);
  visit_numbers (m, visit);
  VISIT (m->t);
  VISIT (m->start);
  VISIT (m->rtol);
  VISIT (m->next_corner);
  VISIT_DOUBLES (m->x, m->n);
  VISIT_INTS (m->sides, m->n_z);
  VISIT_DOUBLES (m->base, hl_model_n_slots);
  VISIT_INTS (m->work->segments, m->sys->n_signals);
  VISIT_INTS (m->work->pieces, m->work->n_stores);
  VISIT (m->work->drives_rest);
  VISIT (m->is_changed);
  if (m->form != NULL)
    visit_form (m, visit);
  visit_partition (m, visit);
  /* at full length, since the partition may be another one when this is read */
  HlVisit islands = {visit->at != NULL ? visit->at + visit->size : NULL, 0, visit->restores};
  if (visit->at != NULL)
    visit_islands (m, &islands);
  if (visit->at != NULL && !visit->restores)
    memset (islands.at + islands.size, 0, m->accepted_size - islands.size);
  visit->size += m->accepted_size;
  if (visit->restores && visit->at != NULL)
    hl_model_save (m);
  hl_model_visit_looks (m, visit);
  if (m->integrates)
    hl_model_visit_ode (m, visit);
  hl_model_touch (m);
}

/* ---- making one ---- */

static void fill_components (HlSystem *sys) {
  const double *number = hl_model_numbers;

  for (int k = 0; k < sys->n_components; k++) {
    HlComponent *c = &sys->components[k];
    const HlKind *kind = &c->klass->kind;
    if (c->cylinder < 0)
      c->self = hl_arena_take (&sys->arena, 1, c->klass->size);
    for (int field = 0; field < kind->n_fields; field++, number++) {
      char *place = (char *)c->self + kind->fields[field].place - 1;
      if (kind->fields[field].place == 0)
        continue;
      if (kind->fields[field].type == HL_FIELD_NUMBER)
        *(double *)(void *)place = *number;
      else if (kind->fields[field].type == HL_FIELD_BOOLEAN)
        *(bool *)(void *)place = *number != 0.0;
      else if (kind->fields[field].type == HL_FIELD_CHOICE)
        *(int *)(void *)place = (int)*number;
    }
  }
  hl_system_derive (sys);
}

static HlStatus ode_rates (double t, const double y[], double y_dot[], void *data) {
  return hl_model_rates (data, t, y, y_dot);
}

static HlStatus ode_jacobian (double t, const double y[], double J[], void *data) {
  HlModel *m = data;

  hl_model_touch (m);
  hl_model_go_back (m);
  return m->form != NULL ? m->form->jacobian (&m->run, t, y, J, &m->fault)
                         : hl_jacobian_eval (m->sys, t, y, J, m->work, &m->fault);
}

/* Tightens the tolerance of pressures in vapour pockets, as the program's run does, with the compliance at
 * the start of the step. */
static void ode_tighten (const double y[], bool is_near, double weight[], void *data) {
  HlModel *m = data;
  int first = hl_off_p (m->work);

  if (hl_model_rates (m, m->t, y, m->motion) == HL_OK)
    hl_error_tighten (m->sys, m->work, y + first, is_near, weight + first);
}

static HlStatus ode_events (double t, const double y[], double g[], void *data) {
  HlModel *m = data;

  hl_model_touch (m);
  hl_model_go_back (m);
  return m->form->events (&m->run, t, y, g, &m->fault);
}

/* Edges of stores: Co-Simulation restarts there with the next piece of their law. */
static HlStatus ode_store_edges (double t, const double y[], double g[], void *data) {
  HlModel *m = data;

  (void)t;
  hl_store_edges_eval (m->sys, m->work, y + hl_off_p (m->work), y + hl_off_u (m->work), m->rtol, g);
  return HL_OK;
}

static const double *rates_of_oil (void *data) {
  const HlModel *m = data;

  return m->guard_rates + hl_off_p (m->work);
}

/* Part of a step for the rates of blocks. */
#define GUARD_DIFFERENCE 1.0e-4

static HlStatus ode_guards (double t, double h, bool at_end, HlGuard out[], void *data) {
  HlModel *m = data;
  HlGuardRates rates = {.h = h, .rtol = m->rtol, .find = rates_of_oil, .data = m};
  HlGuard *blocks = out + m->n_guards - m->n_guarded_blocks;
  double dt = GUARD_DIFFERENCE * h;
  HlStatus status = HL_OK;

  (void)at_end;
  hl_integrator_interpolate (m->ode, t, m->guard_x);
  if (m->n_guarded_blocks > 0) {
    status = hl_model_rates (m, t, m->guard_x, m->guard_rates);
    for (int k = 0; k < m->n; k++)
      m->guard_x[k] -= dt * m->guard_rates[k];
    if (status == HL_OK)
      status = hl_model_rates (m, t - dt, m->guard_x, m->guard_rates);
    if (status == HL_OK)
      hl_guards_blocks (m->sys, m->work, m->rtol, m->guard_raw, NULL);
    hl_integrator_interpolate (m->ode, t, m->guard_x);
  }
  if (status == HL_OK)
    status = hl_model_rates (m, t, m->guard_x, m->guard_rates);
  if (status != HL_OK)
    return status;
  hl_guards_eval (m->sys, m->work, &rates, NULL, out);
  hl_guards_blocks (m->sys, m->work, m->rtol, m->guard_raw, blocks);
  for (int k = 0; k < m->n_guarded_blocks; k++)
    blocks[k].rate /= dt;
  return HL_OK;
}

static int ode_guard_pieces (double h, void *data) {
  const HlModel *m = data;
  return hl_guards_pieces (m->sys, m->work, h);
}

static void find_scales (HlModel *m, double scale[]) {
  if (m->form != NULL)
    m->form->scales (&m->run, scale);
  else
    hl_error_scales (m->sys, m->work, scale);
}

static bool hl_model_has_modes (const HlModel *m) {
  return m->form != NULL && m->form->start != NULL;
}

/* Creates the integrator with room for the mode of most states, if there are modes; hl_model_fit_integrator
 * () sets the present number. */
static void hl_model_make_integrator (HlModel *m) {
  bool has_modes = hl_model_has_modes (m);
  HlOde ode = {.n = m->form != NULL && !has_modes ? m->run.n : m->n, .rhs = ode_rates, .data = m};
  HlOdeOptions options = hl_ode_options_default ();

  ode.shortest_period = hl_signal_find_shortest_period (m->sys->signals, m->sys->n_signals);
  if (m->form == NULL) {
    ode.n_places = m->work->f;
    ode.tighten = m->work->r + m->work->u > 0 ? ode_tighten : NULL;
    ode.n_events = hl_store_edges_count (m->sys);
    ode.events = ode_store_edges;
    ode.n_guards = m->n_guards;
    ode.guards = ode_guards;
    ode.guard_pieces = ode_guard_pieces;
  } else {
    ode.n_events = m->form->n_events (&m->run);
    ode.events = ode_events;
    ode.directions = m->run.directions;
    ode.looks = m->form->looks;
  }
  if (m->form == NULL || m->form->jacobian != NULL)
    ode.jacobian = ode_jacobian;
  if (!has_modes)
    find_scales (m, m->dx);
  options.method = HL_METHOD_RADAU;
  options.radau_order = has_modes ? 5 : 0;
  options.rtol = m->rtol;
  options.max_step = m->run.longest;
  options.scale = has_modes ? NULL : m->dx;
  options.beside = &m->work->arena;
  hl_integrator_free (m->ode);
  ode.shifted = hl_model_make_shifted (m);
  m->ode = m->run.integrator = hl_integrator_new (&ode, &options);
  if (has_modes)
    hl_integrator_set_order (m->ode, 0, NULL, m->rtol);
}

/* Sets the number of states to that of the present mode. */
static void hl_model_fit_integrator (HlModel *m) {
  find_scales (m, m->dx);
  hl_integrator_set_order (m->ode, m->run.n, m->dx, m->rtol);
  m->ode->ode.directions = m->run.directions;
  m->ode->options.max_step = m->run.longest;
}

/* Sets the error weights for another tolerance. */
static void set_tolerance (HlModel *m, double rtol) {
  m->rtol = rtol;
  if (m->ode == NULL || hl_model_has_modes (m)) /* those take it where a mode begins */
    return;
  find_scales (m, m->dx);
  m->ode->options.rtol = rtol;
  for (int i = 0; i < m->n; i++)
    m->ode->loose[i] = m->ode->weight[i] = 1.0 / (rtol * m->dx[i]);
}

static HlModel *hl_model_new (HlPool *pool, bool has_integrator) {
  HlArena own = {NULL, pool};
  HlModel *m = hl_arena_take (&own, 1, sizeof *m);
  HlSystem table = hl_model_system;
  HlPoint point = {.x = (double *)hl_model_x,
                   .v = (double *)hl_model_v,
                   .p = (double *)hl_model_p,
                   .u = (double *)hl_model_u};

  m->arena = own;
  table.arena.pool = pool;
  m->sys = hl_system_copy (&table);
  fill_components (m->sys);
  m->work = hl_work_new (m->sys);
  HlArena *arena = &m->work->arena;
  m->values = hl_arena_take (arena, hl_model_n_slots, sizeof (double));
  for (int k = 0; k < hl_model_n_slots; k++)
    if (hl_model_slots[k].role == ROLE_INPUT || hl_model_slots[k].role == ROLE_PARAMETER) {
      double value = hl_system_get_parameter (m->sys, hl_model_slots[k].parameter);
      m->values[k] = value;
      if (hl_model_slots[k].role == ROLE_INPUT)
        m->sys->signals[hl_model_slots[k].parameter.index].kind = HL_SIGNAL_CONSTANT;
    }
  hl_work_enter_segment (m->sys, m->work, 0.0);
  m->form = hl_model_form;
  m->point = m->form == NULL ? hl_point_new (m->sys) : NULL;
  HlStatus status = m->form != NULL ? hl_form_begin (m)
                                    : hl_partition_choose (m->sys, m->work, point.x, HL_PARTITION_PREFERRED,
                                                           NULL, 0, &m->fault);
  if (status != HL_OK) {
    hl_model_free (m);
    return NULL;
  }
  m->n = m->form != NULL ? m->run.n : m->work->n_states;
  m->n_z = hl_model_n_indicators;
  m->x = hl_arena_take (arena, m->n, sizeof (double));
  m->dx = hl_arena_take (arena, m->n, sizeof (double));
  m->A = hl_arena_take (arena, m->n * m->n, sizeof (double));
  m->B = hl_arena_take (arena, m->n * m->sys->topology->n_inputs, sizeof (double));
  m->column = hl_arena_take (arena, hl_model_n_slots, sizeof (double));
  m->motion = hl_arena_take (
      arena, 2 * m->n + 3 * m->work->n + m->sys->n_signals + m->work->u + 4 * m->sys->mech.n_rows,
      sizeof (double));
  m->z = hl_arena_take (arena, m->n_z, sizeof (double));
  m->sides = hl_arena_take (arena, m->n_z, sizeof (int));
  m->base = hl_arena_take (arena, hl_model_n_slots, sizeof (double));
  if (m->form != NULL)
    m->x = m->run.y;
  else
    hl_state_pack (m->sys, m->work, &point, m->x);
  HlVisit search = {NULL, 0, false};
  if (m->form != NULL && m->form->visit_search != NULL)
    m->form->visit_search (&m->run, &search);
  size_t most = search.size;
  for (int k = 0; k < m->work->n_islands; k++) {
    const HlIslandWork *iw = m->work->islands[k];
    size_t n = (size_t)iw->n, rows = (size_t)iw->n_rows;
    most += (n * n + rows * rows + 4 * n + rows) * sizeof (double) + (3 * n + 2 * rows) * sizeof (int) + 128 +
            hl_model_room_of_sparse (iw);
  }
  m->accepted_size = most;
  m->accepted = hl_arena_take (arena, (int)most, 1);
  hl_model_save (m);
  hl_model_enter (m, 0.0);
  m->rtol = m->sys->rtol;
  m->integrates = has_integrator && (m->form == NULL || m->form->run_until == NULL || hl_model_has_modes (m));
  if (!m->integrates && m->form == NULL)
    m->trial_x = hl_arena_take (arena, m->n, sizeof (double));
  if (m->integrates && m->form == NULL) {
    m->n_guards = hl_guards_count (m->sys);
    m->n_guarded_blocks = hl_guards_blocks (m->sys, NULL, 0.0, NULL, NULL);
    m->guard_x = hl_arena_take (arena, m->n, sizeof (double));
    m->guard_rates = hl_arena_take (arena, m->n, sizeof (double));
    m->guard_raw = hl_arena_take (arena, m->n_guarded_blocks, sizeof (double));
  }
  if (m->integrates)
    hl_model_make_integrator (m);
  m->is_changed = true;
  for (int k = 0; k < m->n_z; k++)
    m->sides[k] = 1;
  hl_model_take_early (m);
  return m;
}

static void hl_model_free (HlModel *m) {
  if (m == NULL)
    return;
  hl_integrator_free (m->ode);
  hl_model_free_shifted (m);
  hl_point_free (m->point);
  if (m->form != NULL)
    hl_form_end (m);
  hl_work_free (m->work);
  hl_system_unref (m->sys);
  HlArena arena = m->arena;
  hl_arena_clear (&arena);
}

/* ---- values ---- */

static HlStatus hl_model_rates (HlModel *m, double t, const double y[], double y_dot[]) {
  hl_model_touch (m);
  hl_model_go_back (m);
  m->fault = (HlFault){0};
  return m->form != NULL ? m->form->rhs (&m->run, t, y, y_dot, &m->fault)
                         : hl_dynamics_eval (m->sys, t, y, y_dot, m->work, &m->fault);
}

/* Model Exchange: an importer tries points with pressures at or below 0, where the pocket of vapour would be infinite. Below
 * this part of the onset, where a pocket has a thousand times the volume of its line, the rates continue with
 *   p' (p) = p' (p_floor) + (p_floor - p) / T
 * so that an importer that takes a discarded point for a failure goes on: a shorter step of it, or the next step, is back
 * above. */
#define TRIAL_FLOOR 1.0e-3
#define TRIAL_TIME 1.0e-3 /* T [s] */

/* Returns whether a state is a pressure: of a line, or of oil inside a component. */
static bool is_pressure (const HlModel *m, int k) {
  int state = k - hl_off_u (m->work);

  return state < 0 ? k >= hl_off_p (m->work)
                   : hl_state_component (m->sys, state) != NULL &&
                         hl_state_word (m->sys, state)->quantity == HL_QUANTITY_PRESSURE;
}

static HlStatus hl_model_trial_rates (HlModel *m) {
  double floor = TRIAL_FLOOR * hl_fluid_onset (&m->sys->fluid);

  for (int k = 0; k < m->n; k++)
    m->trial_x[k] = is_pressure (m, k) && m->x[k] < floor ? floor : m->x[k];
  HlStatus status = hl_model_rates (m, m->t, m->trial_x, m->dx);
  for (int k = 0; k < m->n; k++)
    m->dx[k] += (m->trial_x[k] - m->x[k]) / TRIAL_TIME;
  return status;
}

static HlStatus hl_model_eval (HlModel *m) {
  if (m->has_rates)
    return HL_OK;
  HlStatus status = m->form != NULL ? hl_form_make_ready (m) : HL_OK;
  const double *y = m->run.is_between ? m->run.y_row : m->x;
  int n = m->form != NULL ? m->run.n : m->n;
  if (status == HL_OK)
    status = hl_model_rates (m, m->t, y, m->dx);
  if ((status == HL_NO_PRESSURE || status == HL_NOT_FINITE) && m->trial_x != NULL)
    status = hl_model_trial_rates (m);
  for (int k = 0; k < n && status == HL_OK; k++)
    if (!isfinite (m->dx[k]))
      status = HL_NOT_FINITE;
  if (status == HL_OK && m->form != NULL)
    m->form->observe (&m->run, m->t, y);
  m->has_rates = status == HL_OK;
  return status;
}

static HlStatus need_forces (HlModel *m) {
  HlStatus status = hl_model_eval (m);

  if (status == HL_OK && !m->has_forces) {
    status = hl_dynamics_joint_forces (m->sys, m->work);
    m->has_forces = status == HL_OK;
  }
  return status;
}

static HlStatus hl_model_accept (HlModel *m) {
  HlStatus status = hl_model_eval (m);

  if (status == HL_OK) {
    hl_model_save (m);
    /* numbers that are read from here on have Newton's start here, as those of an instance that is restored have */
    hl_model_touch (m);
  }
  return status;
}

static HlStatus read_slot (HlModel *m, const HlSlot *slot, double *value) {
  HlStatus status = hl_observable_needs_multipliers (slot->of) ? need_forces (m) : hl_model_eval (m);

  if (status == HL_OK)
    *value = hl_observable_value (m->sys, m->work, slot->of, NULL);
  return status;
}

static HlStatus hl_model_take_base (HlModel *m) {
  HlStatus status = HL_OK;

  for (int k = 0; k < hl_model_n_slots && status == HL_OK; k++)
    if (hl_model_slots[k].relative)
      status = read_slot (m, &hl_model_slots[k], &m->base[k]);
  return status;
}

static HlStatus hl_model_get (HlModel *m, int k, double *value) {
  const HlSlot *slot = &hl_model_slots[k];
  HlStatus status = HL_OK;

  switch (slot->role) {
  case ROLE_TIME:
    *value = m->t;
    return HL_OK;
  case ROLE_STATE:
    *value = m->x[slot->index];
    return HL_OK;
  case ROLE_INPUT:
  case ROLE_PARAMETER:
    *value = m->values[k];
    return HL_OK;
  case ROLE_CALCULATED:
    *value = hl_system_get_parameter (m->sys, slot->parameter);
    return HL_OK;
  case ROLE_DERIVATIVE:
    status = hl_model_eval (m);
    *value = m->dx[slot->index];
    return status;
  case ROLE_INDICATOR:
    status = hl_model_indicators (m, m->z);
    *value = slot->index < m->n_z ? m->z[slot->index] : 1.0;
    return status;
  default:
    status = read_slot (m, slot, value);
    *value -= slot->relative ? m->base[k] : 0.0;
    return status;
  }
}

static void hl_model_set (HlModel *m, int k, double value) {
  const HlSlot *slot = &hl_model_slots[k];

  if (slot->role == ROLE_STATE) {
    if (m->x[slot->index] == value)
      return;
    m->x[slot->index] = value;
  } else {
    if (m->values[k] == value)
      return;
    m->values[k] = value;
    hl_system_set_parameter (m->sys, slot->parameter, value);
    m->is_set = true;
    m->has_entered = false;
    hl_model_find_corner (m, m->t);
  }
  m->is_changed = true;
  hl_model_touch (m);
}

static int hl_model_find (uint32_t reference) {
  int low = 0, high = hl_model_n_slots;

  while (low < high) {
    int middle = (low + high) / 2;
    if (hl_model_slots[middle].reference < reference)
      low = middle + 1;
    else
      high = middle;
  }
  return low < hl_model_n_slots && hl_model_slots[low].reference == reference ? low : -1;
}

static void hl_model_nominals (const HlModel *m, double nominals[]) {
  hl_error_nominals (m->sys, m->work, nominals);
}
