/* SPDX-License-Identifier: MIT */
/* What only computation can say of a model: whether it assembles, its degrees of freedom, redundant
 * constraints, strokes and volumes. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile-private.h"
#include "core/compile/hl-conflict.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/solve/hl-equilibrium.h"
#include "core/compile/hl-fault-text.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/mech/hl-dead-point.h"
#include "core/mech/hl-least-norm.h"

#define MEND_VOLUME 50e-6 /* m3: the oil of about two metres of hose */

/* Relative differences of the start velocity from the stated one that make a note and a warning. */
#define VELOCITY_OFF 1e-2
#define VELOCITY_OTHER 0.1

static void
report_fault (HlCompiler *c, HlSeverity severity, const HlFault *fault)
{
  const char *id = hl_system_entity_id (c->sys, fault->entity_kind, fault->entity);
  g_autofree char *what = hl_fault_what (c->sys, fault);

  HlFinding *finding =
      hl_findings_add (c->findings, severity, id, id, hl_fault_advice (fault), "%s", what);
  if (fault->status == HL_NO_VOLUME && fault->entity_kind == HL_ENTITY_LINE) {
    g_autofree char *volume = g_strconcat (id, ".volume", NULL);
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, _ ("Give the line a volume of 50 cm³"), volume,
                        NULL, MEND_VOLUME);
  }
}

/* "‘a’, ‘b’ and ‘c’" */
static void
append_name (GString *text, const char *name, int index, int count)
{
  g_string_append (text, index == 0 ? "" : index == count - 1 ? _ (" and ") : ", ");
  g_string_append_printf (text, _ ("‘%s’"), name);
}

static const char *
joint_id (const HlCompiler *c, int joint)
{
  return c->topology->names[HL_ENTITY_JOINT][joint];
}

/* One set of parts that contradict each other. */
static void
report_conflict (HlCompiler *c, const HlConflict *conflict)
{
  static const char *const coordinates[] = {"x", "y", "angle"};
  g_autoptr (GString) names = g_string_new (NULL);
  int count = conflict->n_joints + conflict->n_holds;

  for (int k = 0; k < conflict->n_joints; k++)
    append_name (names, joint_id (c, conflict->joints[k]), k, count);
  for (int k = 0; k < conflict->n_holds; k++) {
    g_autofree char *path = g_strconcat (c->topology->names[HL_ENTITY_BODY][conflict->holds[k] / 3],
                                         ".", coordinates[conflict->holds[k] % 3], NULL);
    append_name (names, path, conflict->n_joints + k, count);
  }
  const char *id = conflict->n_joints > 0
                       ? joint_id (c, conflict->joints[0])
                       : c->topology->names[HL_ENTITY_BODY][conflict->holds[0] / 3];
  if (count == 1)
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id,
                     _ ("change its length or its points, or the poses it starts from"),
                     _ ("the linkage cannot be assembled: %s stays open by %s m"), names->str,
                     hl_shown (conflict->gap, 3).text);
  else {
    HlFinding *finding = hl_findings_add (
        c->findings, HL_SEVERITY_ERROR, id, id,
        conflict->n_holds > 0
            ? _ ("take one of the coordinates out of equilibrium.hold, or correct its value")
            : _ ("change a length or a point of one of them, or remove one"),
        _ ("the linkage cannot be assembled: %s contradict each other; together they stay open by "
           "%s m"),
        names->str, hl_shown (conflict->gap, 3).text);
    if (conflict->n_holds > 0) {
      int hold = conflict->holds[conflict->n_holds - 1];
      g_autofree char *path = g_strconcat (c->topology->names[HL_ENTITY_BODY][hold / 3], ".",
                                           coordinates[hold % 3], NULL);
      g_autofree char *label = g_strdup_printf (_ ("No longer hold %s"), path);
      hl_finding_set_fix (finding, HL_FIX_DROP_ENTRY, label, path, "equilibrium.hold", 0);
    }
  }
}

/* The linkage cannot be assembled: which parts contradict each other, or that only the way there is
 * not found. */
static void
report_conflicts (HlCompiler *c, const HlFault *fault)
{
  int n;
  HlConflict *conflicts = hl_conflicts_find (c->sys, &n);

  for (int k = 0; k < n; k++)
    report_conflict (c, &conflicts[k]);
  if (n == 0)
    hl_findings_add (
        c->findings, HL_SEVERITY_ERROR, joint_id (c, fault->entity), joint_id (c, fault->entity),
        _ ("move the bodies that it joins nearer to where they belong"),
        _ ("the linkage can be assembled, but not from the poses that are stated: joint "
           "‘%s’ stays open by %s m"),
        joint_id (c, fault->entity), hl_shown (fault->value, 3).text);
  hl_conflicts_free (conflicts, n);
}

/* Joints other than `joint` that hold what the dropped row of it holds, *n of them: "‘a’ and ‘b’".
 */
static char *
partners_text (const HlCompiler *c, const HlIsland *island, const HlIslandWork *iw, int row, int *n)
{
  const HlMechanism *mech = &c->sys->mech;
  g_autofree double *share = g_new0 (double, island->n_rows + 1);
  g_autofree gboolean *listed = g_new0 (gboolean, c->topology->n_joints + 1);
  int joint = mech->rows[island->rows[row]].joint, count = 0, at = 0;
  GString *text = g_string_new (NULL);

  hl_island_dependency (island, iw, row, share);
  for (int k = 0; k < island->n_rows; k++) {
    int other = mech->rows[island->rows[k]].joint;
    if (share[k] != 0.0 && other != joint && !listed[other])
      count++;
    listed[other] = listed[other] || share[k] != 0.0;
  }
  for (int other = 0; other < c->topology->n_joints; other++)
    if (listed[other] && other != joint)
      append_name (text, joint_id (c, other), at++, count);
  *n = count;
  return g_string_free (text, FALSE);
}

/* A row that the partition leaves out: implied by the others, or without effect here only. */
static void
report_dropped (
    HlCompiler *c, const HlIsland *island, const HlIslandWork *iw, int row, HlRankKind kind)
{
  const char *id = joint_id (c, c->sys->mech.rows[island->rows[row]].joint);
  int n_partners;
  g_autofree char *partners = partners_text (c, island, iw, row, &n_partners);

  if (kind == HL_RANK_DEAD_POINT)
    hl_findings_add (
        c->findings, HL_SEVERITY_ERROR, id, id,
        _ ("start a little beside it: turn one of the bodies that they join by a degree"),
        _ ("the linkage starts exactly on a dead point: here ‘%s’ holds a direction that %s "
           "hold already, and another one stays open"),
        id, n_partners > 0 ? partners : _ ("the others"));
  else
    hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                     _ ("nothing need be done: the motion does not depend on it"),
                     n_partners == 1
                         ? _ ("joint ‘%s’ repeats what %s already ensures; joint forces are then "
                              "the least-norm ones")
                         : _ ("joint ‘%s’ repeats what %s already ensure; joint forces are then "
                              "the least-norm ones"),
                     id, n_partners > 0 ? partners : _ ("other joints"));
}

/* "‘a’, ‘b’ and ‘c’" of the bodies of an island. */
static char *
bodies_text (const HlCompiler *c, const HlIsland *island)
{
  GString *text = g_string_new (NULL);

  for (int k = 0; k < island->n_bodies; k++)
    append_name (text, c->topology->names[HL_ENTITY_BODY][island->bodies[k]], k, island->n_bodies);
  return g_string_free (text, FALSE);
}

static void
report_fixed (HlCompiler *c, const HlIsland *island)
{
  const char *id = c->topology->names[HL_ENTITY_BODY][island->bodies[0]];
  g_autofree char *names = bodies_text (c, island);

  hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id, _ ("remove a joint if it should move"),
                   _ ("%s cannot move: the joints leave no degree of freedom"), names);
}

/* A drive of the linkage takes its freedom away: it moves as the signal says. */
static gboolean
is_driven (const HlCompiler *c, int island)
{
  const HlMechanism *mech = &c->sys->mech;

  for (int k = 0; k < mech->islands[island].n_rows; k++)
    if (mech->rows[mech->islands[island].rows[k]].is_driven)
      return TRUE;
  return FALSE;
}

/* Bodies whose stated velocity their joints do not allow: they start at the nearest one that fits. */
static void
report_velocities (HlCompiler *c, const HlPoint *point)
{
  const HlMechanism *mech = &c->sys->mech;

  for (int body = 0; body < mech->n_bodies; body++) {
    const double *stated = mech->bodies[body].velocity, *found = point->v + 3 * body;
    double length = mech->islands[mech->island_of_body[body]].length;
    double size = hypot (hypot (stated[0], stated[1]), length * stated[2]);
    double off =
        hypot (hypot (found[0] - stated[0], found[1] - stated[1]), length * (found[2] - stated[2]));
    if (!(size > 0.0) || !(off > VELOCITY_OFF * size))
      continue;
    const char *id = c->topology->names[HL_ENTITY_BODY][body];
    g_autofree char *path = g_strconcat (id, ".velocity", NULL);
    hl_findings_add (
        c->findings, off > VELOCITY_OTHER * size ? HL_SEVERITY_WARNING : HL_SEVERITY_INFO, id, path,
        _ ("state a velocity that the joints allow"),
        _ ("the joints of body ‘%s’ do not allow its start velocity (%s m/s, %s m/s, %s rad/s): it "
           "starts with (%s, %s, %s)"),
        id, hl_shown (stated[0], 4).text, hl_shown (stated[1], 4).text,
        hl_shown (stated[2], 4).text, hl_shown (found[0], 4).text, hl_shown (found[1], 4).text,
        hl_shown (found[2], 4).text);
  }
}

/* Bodies that are joined to each other and not to the ground, where there is gravity. */
static gboolean
falls (const HlCompiler *c, const HlIsland *island)
{
  double gravity[2];

  hl_document_gravity (c->doc, gravity);
  for (int row = 0; row < island->n_rows; row++) {
    const HlRow *at = &c->sys->mech.rows[island->rows[row]];
    if (at->body_i < 0 || at->body_j < 0)
      return FALSE;
  }
  return hypot (gravity[0], gravity[1]) > 0.0;
}

static void
report_rank (HlCompiler *c, const HlWork *work, const HlPoint *point)
{
  const HlMechanism *mech = &c->sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    const HlIslandWork *iw = work->islands[k];
    HlRankKind kind = hl_island_rank_kind (mech, island, iw, point->x);
    int last_joint = -1;

    for (int row = 0; row < island->n_rows && kind != HL_RANK_FULL; row++) {
      int joint = mech->rows[island->rows[row]].joint;
      gboolean kept = FALSE;
      for (int j = 0; j < iw->m + iw->l; j++)
        kept = kept || iw->kept[j] == row;
      if (!kept && joint != last_joint) {
        report_dropped (c, island, iw, row, kind);
        last_joint = joint;
      }
    }
    if (iw->f == 0 && !is_driven (c, k))
      report_fixed (c, island);
    if (island->n_rows == 0) {
      const char *id = c->topology->names[HL_ENTITY_BODY][island->bodies[0]];
      HlFinding *finding =
          hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                           _ ("join it to another body or to the ground if it should not"),
                           _ ("no joint holds body ‘%s’: it moves freely"), id);
      hl_finding_set_fix (finding, HL_FIX_PIN, _ ("Pin it to the ground"), id, NULL, 0);
    } else if (falls (c, island)) {
      const char *id = c->topology->names[HL_ENTITY_BODY][island->bodies[0]];
      HlFinding *finding = hl_findings_add (
          c->findings, HL_SEVERITY_INFO, id, id,
          _ ("join one of them to the ground if they should not"),
          _ ("no joint ties ‘%s’ and what is joined to it to the ground: they fall"), id);
      hl_finding_set_fix (finding, HL_FIX_PIN, _ ("Pin it to the ground"), id, NULL, 0);
    }
  }
}

/* Cylinders that move nothing at the start. */
static void
report_arms (HlCompiler *c, const HlWork *work)
{
  for (int k = 0; k < c->sys->n_cylinders; k++) {
    const char *id = c->topology->names[HL_ENTITY_COMPONENT][c->sys->cylinders[k].component];
    int body = MAX (c->sys->cylinders[k].body_i, c->sys->cylinders[k].body_j);
    if (hl_cylinder_arm (c->sys, work, k) >= HL_NO_ARM || c->sys->cylinders[k].is_rotary ||
        (body >= 0 && is_driven (c, c->sys->mech.island_of_body[body])))
      continue;
    if (work->f == 0)
      hl_findings_add (
          c->findings, HL_SEVERITY_WARNING, id, id, _ ("remove a joint"),
          _ ("the linkage has no degree of freedom left, so cylinder ‘%s’ moves nothing"), id);
    else
      hl_findings_add (c->findings, HL_SEVERITY_WARNING, id, id,
                       _ ("move the linkage off the dead point, or move an end of the cylinder"),
                       _ ("cylinder ‘%s’ starts at its dead point: it has no lever arm on anything "
                          "that moves"),
                       id);
  }
}

void
hl_compile_verify (HlCompiler *c)
{
  HlSystem *sys = c->sys;
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlFault fault = {0};
  HlStatus status = hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, &fault);

  sys->f = work->f;
  sys->l = work->l;
  if (status == HL_INFEASIBLE && fault.entity_kind == HL_ENTITY_JOINT && fault.entity >= 0)
    report_conflicts (c, &fault);
  else if (status != HL_OK)
    report_fault (c, HL_SEVERITY_ERROR, &fault);
  else {
    report_rank (c, work, point);
    report_arms (c, work);
    report_velocities (c, point);
    hl_compile_ways_out (c, work, point);
  }
  hl_point_free (point);
  hl_work_free (work);
}
