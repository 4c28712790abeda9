/* SPDX-License-Identifier: MIT */
/* What only computation can say of a model: whether it assembles, its degrees of freedom, redundant
 * constraints, strokes and volumes; and the words for a fault. */
#include <math.h>

#include "core/analysis/hl-compile-private.h"
#include "core/analysis/hl-equilibrium.h"
#include "core/system/hl-dynamics.h"

static const char *
entity_noun (HlEntityKind kind)
{
  switch (kind) {
  case HL_ENTITY_BODY:
    return "Body";
  case HL_ENTITY_JOINT:
    return "Joint";
  case HL_ENTITY_LOAD:
    return "Load";
  case HL_ENTITY_COMPONENT:
    return "Component";
  case HL_ENTITY_LINE:
    return "Line";
  case HL_ENTITY_NONE:
    break;
  }
  return "Model";
}

static char *
what_is_wrong (const HlFault *fault)
{
  if (fault->why != NULL)
    return g_strdup (fault->why);
  switch (fault->status) {
  case HL_OUT_OF_STROKE:
    return g_strdup_printf ("the cylinder is out of its stroke: a chamber would be %.4g m long",
                            fault->value);
  case HL_INFEASIBLE:
    if (fault->entity_kind == HL_ENTITY_JOINT)
      return g_strdup_printf ("the linkage cannot be assembled: this joint stays open by %.4g m",
                              fault->value);
    return g_strdup ("the conditions contradict each other");
  case HL_DEAD_POINT:
    return g_strdup (
        "dead point: the cylinder has no lever arm here, so no pressure can balance the load");
  case HL_ZERO_LENGTH:
    return g_strdup ("its two end points coincide, so its direction is undefined");
  case HL_NO_VOLUME:
    return g_strdup ("there is no oil volume, so its pressure is undefined");
  case HL_NO_CONVERGENCE:
    return g_strdup_printf (
        "no balance was found; the rate that is left is %.3g of what a single force or flow causes",
        fault->value);
  case HL_SINGULAR:
    return g_strdup ("singular position: the constraints lose rank here");
  default:
    return g_strdup (hl_status_text (fault->status));
  }
}

static const char *
advice_for (const HlFault *fault)
{
  if (fault->mend != NULL)
    return fault->mend;
  switch (fault->status) {
  case HL_OUT_OF_STROKE:
    return "change the stroke, c1 or c2, or the pose the run starts from";
  case HL_INFEASIBLE:
    return "check the lengths and the starting poses, and whether equilibrium.hold keeps too much";
  case HL_DEAD_POINT:
    return "move the linkage off the dead point, or move an end of the cylinder";
  case HL_ZERO_LENGTH:
    return "move one of the points";
  case HL_NO_VOLUME:
    return "give the line a volume, or connect it to a source or a tank";
  case HL_NO_CONVERGENCE:
    return "hold less or something else in equilibrium.hold, or start as given";
  case HL_SINGULAR:
    return "start from another position";
  case HL_TOO_MUCH_WORK:
    return "look for very small volumes or very stiff valves, or loosen rtol";
  default:
    return "look at the values of the element";
  }
}

char *
hl_fault_message (const HlSystem *sys, const HlFault *fault)
{
  const char *id = hl_system_entity_id (sys, fault->entity_kind, fault->entity);
  g_autofree char *what = what_is_wrong (fault);
  g_autofree char *when =
      isnan (fault->time) ? g_strdup ("") : g_strdup_printf (" at t = %.6g s", fault->time);

  if (id == NULL)
    return g_strdup_printf ("%s%s; %s", what, when, advice_for (fault));
  return g_strdup_printf ("%s ‘%s’: %s%s; %s", entity_noun (fault->entity_kind), id, what, when,
                          advice_for (fault));
}

static void
report_fault (HlCompiler *c, HlSeverity severity, const HlFault *fault)
{
  const char *id = hl_system_entity_id (c->sys, fault->entity_kind, fault->entity);
  g_autofree char *what = what_is_wrong (fault);

  hl_findings_add (c->findings, severity, id, id, advice_for (fault), "%s", what);
}

/* Rows that the partition leaves out are implied by the others. */
static void
report_redundant (HlCompiler *c, const HlWork *work)
{
  const HlMechanism *mech = &c->sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    const HlIslandWork *iw = work->islands[k];
    for (int row = 0; row < island->n_rows; row++) {
      gboolean kept = FALSE;
      for (int j = 0; j < iw->m + iw->l; j++)
        kept = kept || iw->kept[j] == row;
      if (kept)
        continue;
      const char *id = c->topology->names[HL_ENTITY_JOINT][mech->rows[island->rows[row]].joint];
      hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                       "nothing need be done: the motion does not depend on it",
                       "joint ‘%s’ repeats what other joints already ensure; joint forces are then "
                       "the least-norm ones",
                       id);
    }
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
  if (status != HL_OK)
    report_fault (c, HL_SEVERITY_ERROR, &fault);
  else
    report_redundant (c, work);
  hl_point_free (point);
  hl_work_free (work);
}

int
hl_system_degrees_of_freedom (const HlSystem *sys)
{
  return sys->f;
}

int
hl_system_n_states (const HlSystem *sys)
{
  return 2 * sys->f + sys->l + sys->n_pressures + sys->topology->n_states_u;
}
