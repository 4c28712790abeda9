/* SPDX-License-Identifier: MIT */
#include "core/system/hl-unreduced-newton-matrix.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-jacobian-private.h"
#include "core/system/hl-observable-values.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  HlArena arena;
  int n;              /* rows and columns, by sparse_sites_end () */
  int n_sites, room;  /* of the walk; room of the next two while it is the first one */
  int *row, *column;  /* n_sites: until the pattern is known */
  double *first;      /* n_sites: values of the first walk */
  int *entry;         /* n_sites: where it adds; NULL: the first walk is not over */
  int at;             /* next site of the walk */
  int n_entries;      /* start[n] */
  int *start, *index; /* n + 1, n_entries: compressed columns, rows of a column rising */
  double *value;      /* n_entries */
} HlSparseSites;

/* Begins a walk: all entries are zero. */
static void sparse_sites_begin (HlSparseSites *self) {
  self->at = 0;
  if (self->entry != NULL)
    memset (self->value, 0, sizeof (double) * (size_t)self->n_entries);
}

/* Adds the next site. */
static void sparse_sites_add (HlSparseSites *self, int row, int column, double value) {
  if (self->entry != NULL) {
    assert (self->at < self->n_sites);
    self->value[self->entry[self->at++]] += value;
    return;
  }
  HlArena *arena = &self->arena;
  int n = self->n_sites, room_of_column = self->room, room_of_first = self->room;
  self->row = hl_arena_grow (arena, self->row, n, &self->room, sizeof (int));
  self->column = hl_arena_grow (arena, self->column, n, &room_of_column, sizeof (int));
  self->first = hl_arena_grow (arena, self->first, n, &room_of_first, sizeof (double));
  self->row[n] = row;
  self->column[n] = column;
  self->first[n] = value;
  self->n_sites++;
}

typedef struct {
  int column, row, site;
} Site;

static int compare_sites (const void *a, const void *b) {
  const Site *x = a, *y = b;

  return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                : (x->row > y->row) - (x->row < y->row);
}

static void make_pattern (HlSparseSites *self, int n) {
  HlArena own = hl_arena_beside (&self->arena), walk = self->arena;
  int count = self->n_sites;
  Site *sites = hl_arena_take (&walk, count, sizeof *sites);

  for (int k = 0; k < count; k++)
    sites[k] = (Site){self->column[k], self->row[k], k};
  qsort (sites, (size_t)count, sizeof *sites, compare_sites);
  self->n = n;
  self->entry = hl_arena_take (&own, count, sizeof (int));
  self->start = hl_arena_take (&own, n + 1, sizeof (int));
  for (int k = 0; k < count; k++) {
    bool is_new = k == 0 || compare_sites (&sites[k - 1], &sites[k]) != 0;
    self->n_entries += is_new;
    self->entry[sites[k].site] = self->n_entries - 1;
    self->start[sites[k].column + 1] += is_new;
  }
  for (int k = 0; k < n; k++)
    self->start[k + 1] += self->start[k];
  self->index = hl_arena_take (&own, self->n_entries, sizeof (int));
  self->value = hl_arena_take (&own, self->n_entries, sizeof (double));
  for (int k = 0; k < count; k++) {
    self->index[self->entry[sites[k].site]] = sites[k].row;
    self->value[self->entry[k]] += self->first[k];
  }
  self->row = self->column = NULL;
  self->first = NULL;
  hl_arena_clear (&walk);
  self->arena = own;
}

/* Ends a walk; after the first one the matrix is one of n rows and columns. */
static void sparse_sites_end (HlSparseSites *self, int n) {
  if (self->entry == NULL)
    make_pattern (self, n);
  else
    assert (self->at == self->n_sites);
}

/* Returns the index of an entry; -1: none. */
static int sparse_sites_find (const HlSparseSites *self, int row, int column) {
  for (int k = self->start[column]; k < self->start[column + 1]; k++)
    if (self->index[k] == row)
      return k;
  return -1;
}

static void sparse_sites_clear (HlSparseSites *self) {
  HlArena beside = hl_arena_beside (&self->arena);

  hl_arena_clear (&self->arena);
  *self = (HlSparseSites){.arena = beside};
}

/* Degrees of freedom of an island from which on it pays, and states of oil where there is nothing else. */
#define MANY_WAYS 12
#define MUCH_OIL 200

/* The kinds of unknowns of a body. */
enum { DX, DV, DA, BODY_UNKNOWNS };
/* The unknowns of a cylinder: changes of its length, of its rate and of its force. */
enum { LENGTH, RATE, FORCE, CYLINDER_UNKNOWNS };

struct HlUnreduced {
  HlArena arena;
  const HlSystem *sys;
  HlWork *work;
  HlSparseSites sites;
  int n_equations;                           /* used so far, while the walk numbers them */
  int first_cylinder;                        /* unknown */
  int first_oil;                             /* unknown: pressures and component states */
  int n_unknowns;                            /* and equations */
  int *multiplier;                           /* n_rows of the mechanism: unknown, -1: not in force */
  int *unknown;                              /* n_states */
  int *equation;                             /* n_states */
  int *shifted;                              /* n_states: entry that s is added to */
  double *column;                            /* n_states: zero between uses */
  double *values;                            /* n_entries: shifted */
  double *values_z;                          /* 2 n_entries */
  double *right;                             /* 2 n_unknowns */
  HlSparseLu *lu, *lu_z[HL_UNREDUCED_PAIRS]; /* NULL: not requested yet */
};

bool hl_unreduced_can (const HlSystem *sys, const HlWork *work) {
  for (int state = 0; state < work->u; state++)
    if (hl_state_component (sys, state) == NULL)
      return false;
  return work->along == NULL && work->l == 0;
}

bool hl_unreduced_pays (const HlSystem *sys, const HlWork *work) {
  int most = 0;

  for (int k = 0; k < work->n_islands; k++)
    if (work->islands[k]->sparse != NULL && work->islands[k]->f > most)
      most = work->islands[k]->f;
  bool is_much = most >= MANY_WAYS || (work->n_islands == 0 && work->n_states >= MUCH_OIL);
  return is_much && hl_unreduced_can (sys, work);
}

HlUnreduced *hl_unreduced_new (const HlSystem *sys, HlWork *work) {
  HlArena own = hl_arena_beside (&work->arena);
  HlUnreduced *self = hl_arena_take (&own, 1, sizeof *self);
  HlArena *arena = &self->arena;
  const HlMechanism *mech = &sys->mech;
  int next = 3 * BODY_UNKNOWNS * mech->n_bodies;

  *arena = own;
  self->sites.arena = hl_arena_beside (arena);
  self->sys = sys;
  self->work = work;
  self->multiplier = hl_arena_take (arena, mech->n_rows, sizeof (int));
  for (int row = 0; row < mech->n_rows; row++)
    self->multiplier[row] = -1;
  for (int k = 0; k < mech->n_islands; k++)
    for (int r = 0; r < work->islands[k]->m; r++)
      self->multiplier[mech->islands[k].rows[work->islands[k]->kept[r]]] = next++;
  self->first_cylinder = next;
  self->first_oil = next + CYLINDER_UNKNOWNS * sys->n_cylinders;
  self->n_unknowns = self->first_oil + work->r + work->u;
  self->unknown = hl_arena_take (arena, work->n_states, sizeof (int));
  self->equation = hl_arena_take (arena, work->n_states, sizeof (int));
  self->shifted = hl_arena_take (arena, work->n_states, sizeof (int));
  self->column = hl_arena_take (arena, work->n_states, sizeof (double));
  self->right = hl_arena_take (arena, 2 * self->n_unknowns, sizeof (double));
  return self;
}

void hl_unreduced_free (HlUnreduced *self) {
  if (self == NULL)
    return;
  hl_sparse_lu_free (self->lu);
  for (int pair = 0; pair < HL_UNREDUCED_PAIRS; pair++)
    hl_sparse_lu_free (self->lu_z[pair]);
  sparse_sites_clear (&self->sites);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* ---- the walk ---- */

static int of_body (int body, int kind, int c) {
  return 3 * BODY_UNKNOWNS * body + 3 * kind + c;
}

static int of_cylinder (const HlUnreduced *self, int cylinder, int kind) {
  return self->first_cylinder + CYLINDER_UNKNOWNS * cylinder + kind;
}

/* Returns the index of a force balance of a body; these balances come first among the equations. */
static int balance_of (int body, int c) {
  return 3 * body + c;
}

static void add_entry (HlUnreduced *self, int equation, int unknown, double value) {
  sparse_sites_add (&self->sites, equation, unknown, value);
}

/* Adds a row of six local columns times `by`, of one kind of unknowns. */
static void put_row (HlUnreduced *self, int equation, const int bodies[2], int kind, const double row[6],
                     double by) {
  for (int c = 0; c < 6; c++)
    if (bodies[c / 3] >= 0)
      add_entry (self, equation, of_body (bodies[c / 3], kind, c % 3), by * row[c]);
}

/* Adds a block of six by six local columns, row-major, times `by`, in the balances of two bodies. */
static void put_block (HlUnreduced *self, const int bodies[2], int kind, const double block[36], double by) {
  for (int row = 0; row < 6; row++)
    if (bodies[row / 3] >= 0)
      put_row (self, balance_of (bodies[row / 3], row % 3), bodies, kind, block + 6 * row, by);
}

static void put_angles (HlUnreduced *self, int equation, const int bodies[2], int kind, const double row[6]) {
  for (int side = 0; side < 2; side++)
    if (bodies[side] >= 0)
      add_entry (self, equation, of_body (bodies[side], kind, 2), row[3 * side + 2]);
}

static void put_gradient (HlUnreduced *self, int equation, const HlRow *row, int kind, const double grad[6]) {
  int bodies[2] = {row->body_i, row->body_j};

  for (int c = 0; c < 6; c++)
    if (bodies[c / 3] >= 0 && hl_row_is_filled (row->kind, c % 3))
      add_entry (self, equation, of_body (bodies[c / 3], kind, c % 3), grad[c]);
}

static void walk_row (HlUnreduced *self, int index) {
  const HlRow *row = &self->sys->mech.rows[index];
  const HlRowTangent *tangent = &self->work->row_tangents[index];
  int bodies[2] = {row->body_i, row->body_j}, first = self->n_equations;
  double grad[6];

  hl_row_gradient (row, hl_work_frame (self->work, row->body_i), hl_work_frame (self->work, row->body_j),
                   grad);
  for (int kind = DX; kind <= DA; kind++)
    put_gradient (self, first + kind, row, kind, grad);
  for (int c = 0; c < 6; c++)
    if (bodies[c / 3] >= 0)
      add_entry (self, balance_of (bodies[c / 3], c % 3), self->multiplier[index], grad[c]);
  if (tangent->angles_only) {
    put_angles (self, first + DV, bodies, DX, tangent->dv_dx);
    put_angles (self, first + DA, bodies, DX, tangent->acc_dx);
    put_angles (self, first + DA, bodies, DV, tangent->acc_dv);
    for (int side = 0; side < 2; side++)
      if (bodies[side] >= 0)
        add_entry (self, balance_of (bodies[side], 2), of_body (bodies[side], DX, 2),
                   tangent->force[7 * (3 * side + 2)]);
  } else {
    put_row (self, first + DV, bodies, DX, tangent->dv_dx, 1.0);
    put_row (self, first + DA, bodies, DX, tangent->acc_dx, 1.0);
    put_row (self, first + DA, bodies, DV, tangent->acc_dv, 1.0);
    put_block (self, bodies, DX, tangent->force, 1.0);
  }
  self->n_equations += 3;
}

static void walk_island (HlUnreduced *self, int k) {
  const HlIsland *island = &self->sys->mech.islands[k];
  HlWork *work = self->work;
  const HlIslandWork *iw = work->islands[k];

  for (int j = 0; j < iw->f; j++) {
    int column = hl_island_column (island, iw->ai[j]), state = work->ai_state[k][j];
    for (int kind = DX; kind <= DV; kind++) {
      int of = kind == DX ? state : hl_off_v (work) + state;
      self->equation[of] = self->n_equations;
      self->unknown[of] = of_body (column / 3, kind, column % 3);
      add_entry (self, self->n_equations, self->unknown[of], 0.0); /* s */
      add_entry (self, self->n_equations++, of_body (column / 3, kind + 1, column % 3), -1.0);
    }
  }
  for (int r = 0; r < iw->m; r++)
    walk_row (self, island->rows[iw->kept[r]]);
}

static void walk_body (HlUnreduced *self, int index) {
  const HlBody *body = &self->sys->mech.bodies[index];
  const HlFrame *frame = hl_work_frame (self->work, index);
  double gravity[2];

  for (int c = 0; c < 3; c++) {
    double unit[3] = {c == 0, c == 1, c == 2}, out[3];
    hl_body_mass_times (body, frame, unit, out);
    for (int row = 0; row < 3; row++)
      if (row == c || row == 2 || c == 2)
        add_entry (self, balance_of (index, row), of_body (index, DA, c), out[row]);
  }
  hl_mechanism_gravity (&self->sys->mech, self->work->frames, gravity);
  for (int kind = DX; kind <= DV; kind++) {
    double turn[3] = {0.0, 0.0, 1.0}, none[3] = {0.0}, dq[3] = {0.0};
    hl_body_force_tangent (body, gravity, frame, kind == DX ? turn : none, kind == DV ? turn : none, dq);
    for (int row = 0; row < 3; row++)
      add_entry (self, balance_of (index, row), of_body (index, kind, 2), -dq[row]);
  }
}

static void walk_load (HlUnreduced *self, int k) {
  const HlLoad *load = &self->sys->mech.loads[k];
  int bodies[2] = {load->body_i, load->body_j};

  if (!hl_load_has_tangent (load))
    return;
  put_block (self, bodies, DX, self->work->load_tangents[k].Qx, -1.0);
  put_block (self, bodies, DV, self->work->load_tangents[k].Qv, -1.0);
}

static int of_node (const HlUnreduced *self, int node) {
  int state = node >= 0 ? self->sys->nodes[node].state : -1;

  return state >= 0 ? hl_off_p (self->work) + state : -1;
}

/* Adds the state's row of the gathered column, which is cleared; -1: none. */
static void put_state (HlUnreduced *self, int state, int unknown) {
  if (state < 0)
    return;
  add_entry (self, self->equation[state], unknown, -self->column[state]);
  self->column[state] = 0.0;
}

/* Marks the entries of a law's column: its own states and the ends of its branches. */
static void put_law (HlUnreduced *self, const HlComponent *c, int unknown) {
  for (int k = 0; k < c->n_branches; k++) {
    put_state (self, of_node (self, self->sys->topology->branches[c->first_branch + k].a), unknown);
    put_state (self, of_node (self, self->sys->topology->branches[c->first_branch + k].b), unknown);
  }
  for (int k = 0; k < c->n_states; k++)
    put_state (self, hl_off_u (self->work) + c->first_state + k, unknown);
}

static void walk_law (HlUnreduced *self, const HlComponent *c) {
  int n_ports = c->klass->kind.n_ports;

  for (int column = 0; column < n_ports + c->n_states; column++) {
    int state = column < n_ports ? of_node (self, c->node[column])
                                 : hl_off_u (self->work) + c->first_state + column - n_ports;
    if (state < 0)
      continue;
    hl_jacobian_law_column (self->sys, self->work, c, column, self->column);
    put_law (self, c, self->unknown[state]);
  }
}

static void walk_cylinder (HlUnreduced *self, int k) {
  const HlSystem *sys = self->sys;
  const HlCylinder *cyl = &sys->cylinders[k];
  const HlCylinderState *state = &self->work->cylinders[k];
  const HlComponent *c = &sys->components[cyl->component];
  int bodies[2] = {cyl->body_i, cyl->body_j}, first = self->n_equations;
  int unknown[CYLINDER_UNKNOWNS];

  for (int kind = 0; kind < CYLINDER_UNKNOWNS; kind++) {
    unknown[kind] = of_cylinder (self, k, kind);
    add_entry (self, first + kind, unknown[kind], 1.0);
  }
  put_row (self, first + LENGTH, bodies, DX, state->length.grad, -1.0);
  put_row (self, first + RATE, bodies, DX, state->hess_v, -1.0);
  put_row (self, first + RATE, bodies, DV, state->length.grad, -1.0);
  add_entry (self, first + FORCE, unknown[LENGTH], state->stop.stiffness);
  add_entry (self, first + FORCE, unknown[RATE], state->friction_slope + state->stop.damping);
  for (int side = 0; side < 2; side++) {
    int p = of_node (self, side == 0 ? cyl->node_a : cyl->node_b);
    if (p >= 0)
      add_entry (self, first + FORCE, self->unknown[p], side == 0 ? -cyl->area_a : cyl->area_b);
  }
  for (int part = 0; part < c->n_states; part++)
    add_entry (self, first + FORCE, self->unknown[hl_off_u (self->work) + c->first_state + part],
               -hl_cylinder_push_by_state (sys, self->work, c, part));
  for (int at = 0; at < 6; at++)
    if (bodies[at / 3] >= 0)
      add_entry (self, balance_of (bodies[at / 3], at % 3), unknown[FORCE], -state->length.grad[at]);
  put_block (self, bodies, DX, state->hess, -state->force);
  for (int kind = LENGTH; kind <= RATE; kind++) {
    HlCylinderMotion motion = {k, kind == LENGTH, kind == RATE};
    hl_jacobian_chambers.move (sys, self->work, motion, self->column, NULL);
    put_law (self, c, unknown[kind]);
    put_state (self, of_node (self, cyl->node_a), unknown[kind]);
    put_state (self, of_node (self, cyl->node_b), unknown[kind]);
  }
  self->n_equations += CYLINDER_UNKNOWNS;
}

static void walk_oil (HlUnreduced *self) {
  const HlSystem *sys = self->sys;
  const HlTopology *top = sys->topology;
  HlWork *work = self->work;

  for (int k = 0; k < work->r + work->u; k++) {
    int state = hl_off_p (work) + k;
    self->equation[state] = self->n_equations++;
    self->unknown[state] = self->first_oil + k;
    add_entry (self, self->equation[state], self->unknown[state], 0.0); /* s */
  }
  for (int k = 0; k < top->n_laws; k++)
    walk_law (self, &sys->components[top->laws[k]]);
  for (int node = 0; node < sys->n_nodes; node++) {
    int p = of_node (self, node);
    if (p < 0)
      continue;
    hl_jacobian_own_pressure (sys, work, node, self->column);
    put_state (self, p, self->unknown[p]);
  }
}

static void walk_equations (HlUnreduced *self) {
  const HlMechanism *mech = &self->sys->mech;

  sparse_sites_begin (&self->sites);
  self->n_equations = 3 * mech->n_bodies;
  for (int k = 0; k < mech->n_islands; k++)
    walk_island (self, k);
  for (int body = 0; body < mech->n_bodies; body++)
    walk_body (self, body);
  for (int k = 0; k < mech->n_loads; k++)
    walk_load (self, k);
  walk_oil (self);
  for (int k = 0; k < self->sys->n_cylinders; k++)
    walk_cylinder (self, k);
  sparse_sites_end (&self->sites, self->n_unknowns);
}

HlStatus hl_unreduced_eval (HlUnreduced *self, double t, const double y[], HlFault *fault) {
  bool is_first = self->values == NULL;
  HlStatus status = hl_jacobian_begin (self->sys, t, y, self->work, fault);

  if (status != HL_OK)
    return status;
  walk_equations (self);
  if (is_first) {
    self->values = hl_arena_take (&self->arena, self->sites.n_entries, sizeof (double));
    for (int state = 0; state < self->work->n_states; state++)
      self->shifted[state] = sparse_sites_find (&self->sites, self->equation[state], self->unknown[state]);
  }
  return HL_OK;
}

/* ---- its solutions ---- */

HlStatus hl_unreduced_factor (HlUnreduced *self, double s) {
  const HlSparseSites *sites = &self->sites;

  if (self->lu == NULL) {
    self->lu = hl_sparse_lu_new_beside (&self->arena, sites->n, sites->start, sites->index, false);
    hl_sparse_lu_choose_by_size (self->lu);
  }
  memcpy (self->values, sites->value, sizeof (double) * (size_t)sites->n_entries);
  for (int state = 0; state < self->work->n_states; state++)
    self->values[self->shifted[state]] += s;
  return hl_sparse_lu_factor (self->lu, self->values);
}

HlStatus hl_unreduced_factor_complex (HlUnreduced *self, int pair, double re, double im) {
  const HlSparseSites *sites = &self->sites;

  if (self->lu_z[pair] == NULL) {
    self->lu_z[pair] = hl_sparse_lu_new_beside (&self->arena, sites->n, sites->start, sites->index, true);
    hl_sparse_lu_choose_by_size (self->lu_z[pair]);
  }
  if (self->values_z == NULL)
    self->values_z = hl_arena_take (&self->arena, 2 * sites->n_entries, sizeof (double));
  for (int k = 0; k < sites->n_entries; k++) {
    self->values_z[2 * k] = sites->value[k];
    self->values_z[2 * k + 1] = 0.0;
  }
  for (int state = 0; state < self->work->n_states; state++) {
    self->values_z[2 * self->shifted[state]] += re;
    self->values_z[2 * self->shifted[state] + 1] += im;
  }
  return hl_sparse_lu_factor (self->lu_z[pair], self->values_z);
}

/* Solves for `width` numbers per state. */
static void solve_columns (HlUnreduced *self, HlSparseLu *lu, int width, double x[]) {
  int n = self->work->n_states;

  memset (self->right, 0, sizeof (double) * (size_t)(width * self->n_unknowns));
  for (int k = 0; k < width * n; k++)
    self->right[width * self->equation[k / width] + k % width] = x[k];
  hl_sparse_lu_solve (lu, self->right);
  for (int k = 0; k < width * n; k++)
    x[k] = self->right[width * self->unknown[k / width] + k % width];
}

void hl_unreduced_solve (HlUnreduced *self, double x[]) {
  solve_columns (self, self->lu, 1, x);
}

void hl_unreduced_solve_complex (HlUnreduced *self, int pair, double x[]) {
  solve_columns (self, self->lu_z[pair], 2, x);
}

void hl_unreduced_forget_pivots (HlUnreduced *self) {
  if (self->lu != NULL)
    hl_sparse_lu_forget (self->lu);
  for (int pair = 0; pair < HL_UNREDUCED_PAIRS; pair++)
    if (self->lu_z[pair] != NULL)
      hl_sparse_lu_forget (self->lu_z[pair]);
}
