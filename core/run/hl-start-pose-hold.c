/* SPDX-License-Identifier: MIT */
#include "core/run/hl-start-pose-hold.h"

#include <math.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#define MOST_BODIES 60     /* of a linkage that is tried while a person draws */
#define MOST_COMPONENTS 60 /* likewise */
#define MOST_COORDINATES 8 /* to hold: each may be tried by itself */
#define MOST_TORN 5        /* rounds in which one more line keeps its pressure */
#define MOVED 0.01         /* [rad, or part of the linkage's size] a start that is reported */

static const char *const coordinate_names[] = {"x", "y", "angle"};

static HlSystem *compile_document (const HlDocument *document) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  return hl_compile (document, findings);
}

static bool is_moved_by (const HlSystem *sys, const HlCylinder *cyl, int island) {
  const int *island_of = sys->mech.island_of_body;

  return (cyl->body_i >= 0 && island_of[cyl->body_i] == island) ||
         (cyl->body_j >= 0 && island_of[cyl->body_j] == island);
}

static bool has_cylinder (const HlSystem *sys, int body) {
  for (int k = 0; k < sys->n_cylinders; k++)
    if (is_moved_by (sys, &sys->cylinders[k], sys->mech.island_of_body[body]))
      return true;
  return false;
}

/* Returns whether the oil may carry one coordinate more of what moves with a body: a cylinder carries one. */
static bool may_carry (const HlSystem *sys, int body) {
  const HlTopology *top = sys->topology;
  int island = sys->mech.island_of_body[body], n = 0;

  for (int k = 0; k < sys->n_cylinders; k++)
    n += is_moved_by (sys, &sys->cylinders[k], island);
  for (int h = 0; h < top->n_hold_coordinates; h++)
    n -= sys->mech.island_of_body[top->hold_coordinates[h] / 3] == island;
  return n > 0;
}

/* --- what to hold --- */

static bool is_held (const HlSystem *sys, int column) {
  for (int k = 0; k < sys->topology->n_hold_coordinates; k++)
    if (sys->topology->hold_coordinates[k] == column)
      return true;
  return false;
}

/* Chooses independent coordinates of the drawn pose: held ones, then angles, then the rest. */
static HlStatus choose_coordinates (const HlSystem *sys, HlWork *work, const double x[]) {
  const HlTopology *top = sys->topology;
  int n_bodies = sys->mech.n_bodies, n = 0;
  g_autofree int *columns = g_new (int, top->n_hold_coordinates + n_bodies + 1);

  for (int k = 0; k < top->n_hold_coordinates; k++)
    columns[n++] = top->hold_coordinates[k];
  for (int body = 0; body < n_bodies; body++)
    columns[n++] = 3 * body + 2;
  return hl_partition_choose (sys, work, x, HL_PARTITION_PREFERRED, columns, n, NULL);
}

/* Returns the paths that are not held yet of coordinates that a cylinder moves; empty where there is no pose. */
static GPtrArray *candidates (const HlSystem *sys) {
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);

  if (hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL) == HL_OK &&
      choose_coordinates (sys, work, point->x) == HL_OK)
    for (int k = 0; k < work->f; k++) {
      int column = work->ai_column[k], body = column / 3;
      if (!is_held (sys, column) && has_cylinder (sys, body))
        g_ptr_array_add (paths, g_strdup_printf ("%s.%s", hl_system_entity_id (sys, HL_ENTITY_BODY, body),
                                                 coordinate_names[column % 3]));
    }
  hl_point_free (point);
  hl_work_free (work);
  return paths;
}

/* Balances the pose that the document holds; only Newton's method from the drawing, for what moves on its
 * own before it rests is not carried as drawn. FALSE: nothing does. *torn (owned, may be NULL) is the path
 * of the pressure of a line whose oil would be under tension. */
static bool balance (const HlDocument *document, char **torn) {
  HlSystem *sys = compile_document (document);

  *torn = NULL;
  if (sys == NULL)
    return false;
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlEquilibriumInfo info = {0};
  HlFault fault = {.entity = -1};
  bool is = hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL) == HL_OK &&
            hl_balance_search (sys, work, false, point, &info, &fault) == HL_OK;

  if (!is && fault.why == hl_balance_pulls && fault.entity_kind == HL_ENTITY_LINE)
    *torn = g_strdup_printf ("%s.pressure", hl_system_entity_id (sys, HL_ENTITY_LINE, fault.entity));
  hl_point_free (point);
  hl_work_free (work);
  hl_system_unref (sys);
  return is;
}

/* Returns the document if its oil carries the drawn pose. The balance with the smallest change of pressures
 * may leave one chamber under tension although the other one could be relieved: the pressure of such a
 * chamber is then held at its stated value. Takes the document; returns it, maybe with such held pressures,
 * or NULL, and then it is freed. */
static HlDocument *if_carried (HlDocument *document) {
  for (int round = 0; document != NULL && round < MOST_TORN; round++) {
    g_autofree char *torn = NULL;
    if (balance (document, &torn))
      return document;
    HlDocument *next = torn != NULL && !hl_document_is_held (document, torn)
                           ? hl_edit_toggle_hold (document, torn, NULL)
                           : NULL;
    hl_document_unref (document);
    document = next;
  }
  hl_document_unref (document);
  return NULL;
}

static HlDocument *with_all (const HlDocument *document, const GPtrArray *paths) {
  HlDocument *held = hl_document_ref (document);

  for (guint k = 0; k < paths->len && held != NULL; k++) {
    HlDocument *next = hl_edit_toggle_hold (held, paths->pdata[k], NULL);
    hl_document_unref (held);
    held = next;
  }
  return held;
}

static HlDocument *with_as_many_as_can_be (const HlDocument *document, const GPtrArray *paths) {
  HlDocument *held = NULL;

  for (guint k = 0; k < paths->len; k++) {
    HlDocument *next =
        if_carried (hl_edit_toggle_hold (held != NULL ? held : document, paths->pdata[k], NULL));
    if (next == NULL)
      continue;
    hl_document_unref (held);
    held = next;
  }
  return held;
}

HlDocument *hl_start_hold_drawn (const HlDocument *document) {
  int n_bodies = hl_document_n_elements (document, HL_SECTION_BODIES);
  int n_components = hl_document_n_elements (document, HL_SECTION_COMPONENTS);

  if (n_bodies == 0 || n_bodies > MOST_BODIES || n_components == 0 || n_components > MOST_COMPONENTS)
    return NULL;
  HlSystem *sys = compile_document (document);
  if (sys == NULL)
    return NULL;
  g_autoptr (GPtrArray) paths = sys->start == HL_START_EQUILIBRIUM ? candidates (sys) : NULL;

  hl_system_unref (sys);
  if (paths == NULL || paths->len == 0 || paths->len > MOST_COORDINATES)
    return NULL;
  HlDocument *all = if_carried (with_all (document, paths));
  if (all != NULL || paths->len == 1)
    return all;
  return with_as_many_as_can_be (document, paths);
}

/* --- what the start did --- */

bool hl_start_shift (const HlSystem *sys, const HlPoint *point, HlStartShift *shift) {
  const HlMechanism *mech = &sys->mech;
  double farthest = MOVED;

  if (sys->start != HL_START_EQUILIBRIUM)
    return false;
  for (int column = 0; column < 3 * mech->n_bodies; column++) {
    int body = column / 3;
    double unit = column % 3 == 2 ? 1.0 : mech->islands[mech->island_of_body[body]].length;
    double drawn = mech->bodies[body].pose[column % 3], start = point->x[column];
    if (!(fabs (start - drawn) > farthest * unit))
      continue;
    farthest = fabs (start - drawn) / unit;
    *shift = (HlStartShift){body, column % 3, drawn, start, may_carry (sys, body)};
  }
  return farthest > MOVED;
}

double hl_start_carrying_pressure (const HlSystem *sys, const HlPoint *point) {
  const HlTopology *top = sys->topology;
  double largest = NAN;

  for (int h = 0; h < top->n_hold_coordinates; h++)
    for (int k = 0; k < sys->n_cylinders; k++) {
      const HlCylinder *cyl = &sys->cylinders[k];
      int nodes[] = {cyl->node_a, cyl->node_b};
      if (!is_moved_by (sys, cyl, sys->mech.island_of_body[top->hold_coordinates[h] / 3]))
        continue;
      for (int side = 0; side < 2; side++)
        if (nodes[side] >= 0 && sys->nodes[nodes[side]].state >= 0)
          largest = fmax (largest, point->p[sys->nodes[nodes[side]].state]);
    }
  return largest;
}
