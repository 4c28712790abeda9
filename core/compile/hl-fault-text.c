/* SPDX-License-Identifier: MIT */
/* Words for a fault: what is wrong, where, and what would mend it. */

#include <math.h>

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/compile/hl-compile.h"
#include "core/mech/hl-assemble.h"
#include "core/system/hl-system-private.h"

/* "Component ‘boom’"; owned. */
static char *entity_text (HlEntityKind kind, const char *id) {
  switch (kind) {
  case HL_ENTITY_BODY:
    return g_strdup_printf (_ ("Body ‘%s’"), id);
  case HL_ENTITY_JOINT:
    return g_strdup_printf (_ ("Joint ‘%s’"), id);
  case HL_ENTITY_LOAD:
    return g_strdup_printf (_ ("Load ‘%s’"), id);
  case HL_ENTITY_COMPONENT:
    return g_strdup_printf (_ ("Component ‘%s’"), id);
  case HL_ENTITY_LINE:
    return g_strdup_printf (_ ("Line ‘%s’"), id);
  case HL_ENTITY_NONE:
    break;
  }
  return g_strdup_printf (_ ("Model ‘%s’"), id);
}

/* The fault's value is the length that the geometry gives the cylinder. */
static char *out_of_stroke (const HlSystem *sys, const HlFault *fault) {
  int index = fault->entity_kind == HL_ENTITY_COMPONENT && fault->entity >= 0
                  ? sys->components[fault->entity].cylinder
                  : -1;

  if (index < 0)
    return g_strdup (_ ("a cylinder is out of its stroke"));
  const HlCylinder *cyl = &sys->cylinders[index];
  double shortest = cyl->c1 + cyl->c2;
  if (cyl->is_rotary)
    return g_strdup_printf (_ ("the actuator is out of its range: it stands at %s rad, but it can "
                               "turn from %s to %s rad"),
                            hl_shown (fault->value, 4).text, hl_shown (shortest, 4).text,
                            hl_shown (shortest + cyl->stroke, 4).text);
  return g_strdup_printf (_ ("the cylinder is out of its stroke: its points are %s m apart, but it "
                             "can be %s to %s m long"),
                          hl_shown (fault->value, 4).text, hl_shown (shortest, 4).text,
                          hl_shown (shortest + cyl->stroke, 4).text);
}

/* Of a joint that is driven further than the linkage can follow. */
static char *limit_position (const HlSystem *sys, const HlFault *fault) {
  const HlRow *row = NULL;

  for (int k = 0; fault->entity >= 0 && k < sys->mech.n_rows; k++)
    if (sys->mech.rows[k].joint == fault->entity && sys->mech.rows[k].is_driven)
      row = &sys->mech.rows[k];
  if (row == NULL)
    return g_strdup (_ ("limit position of the linkage"));
  const char *body = hl_system_entity_id (sys, HL_ENTITY_BODY, MAX (row->body_i, row->body_j));
  double crank = hl_row_is_angle (row) ? hl_crank_limit_angle (&sys->mech, row, fault->value) : NAN;
  if (!isnan (crank))
    return g_strdup_printf (
        _ ("limit position of ‘%s’: %s deg from the line of the frame's pivots (drive at %s deg)"), body,
        hl_shown (crank * 180.0 / G_PI, 6).text, hl_shown (fault->value * 180.0 / G_PI, 6).text);
  if (hl_row_is_angle (row))
    return g_strdup_printf (_ ("limit position of ‘%s’: %s deg"), body,
                            hl_shown (fault->value * 180.0 / G_PI, 6).text);
  return g_strdup_printf (_ ("limit position of ‘%s’: %s m"), body, hl_shown (fault->value, 6).text);
}

char *hl_fault_what (const HlSystem *sys, const HlFault *fault) {
  if (fault->why != NULL)
    return g_strdup (_ (fault->why));
  switch (fault->status) {
  case HL_OUT_OF_STROKE:
    return out_of_stroke (sys, fault);
  case HL_INFEASIBLE:
    if (fault->entity_kind == HL_ENTITY_JOINT)
      return g_strdup_printf (_ ("the linkage cannot be assembled: this joint stays open by %s m"),
                              hl_shown (fault->value, 4).text);
    return g_strdup (_ ("the conditions contradict each other"));
  case HL_DEAD_POINT:
    if (fault->entity_kind == HL_ENTITY_JOINT)
      return limit_position (sys, fault);
    if (fault->entity_kind == HL_ENTITY_BODY)
      return g_strdup (_ ("dead point of the linkage: this body would have to turn back, so the "
                          "others cannot go on the way they were sent"));
    return g_strdup (
        _ ("dead point: the cylinder has no lever arm here, so no pressure can balance the load"));
  case HL_OVERHELD:
    return g_strdup (
        fault->entity_kind == HL_ENTITY_BODY
            ? _ ("equilibrium.hold keeps its place, and nothing that may change balances it there")
            : _ ("equilibrium.hold keeps its value, and with it there is no balance"));
  case HL_ZERO_LENGTH:
    return g_strdup (_ ("its two end points coincide, so its direction is undefined"));
  case HL_NO_VOLUME:
    return g_strdup (_ ("there is no oil volume, so its pressure is undefined"));
  case HL_NO_PRESSURE:
    return g_strdup_printf (_ ("its pressure would be %s Pa, but a line of oil has no state at 0 and below"),
                            hl_shown (fault->value, 3).text);
  case HL_NO_CONVERGENCE:
    return g_strdup (fault->entity_kind == HL_ENTITY_BODY
                         ? _ ("no place was found where the forces that act on it balance")
                     : fault->entity_kind == HL_ENTITY_LINE
                         ? _ ("no pressure was found at which the flows into it balance")
                         : _ ("no state was found in which it stays at rest"));
  case HL_TOO_MUCH_WORK:
    return g_strdup (fault->entity_kind == HL_ENTITY_BODY
                         ? _ ("its motion cannot be followed any further: no step is short enough")
                     : fault->entity_kind == HL_ENTITY_LINE
                         ? _ ("its pressure cannot be followed any further: no step is short enough")
                     : fault->entity_kind == HL_ENTITY_COMPONENT
                         ? _ ("its state cannot be followed any further: no step is short enough")
                         : _ ("the integrator gave up: no step is short enough"));
  case HL_OUT_OF_STEPS:
    return g_strdup_printf (
        fault->entity_kind == HL_ENTITY_NONE
            ? _ ("the %s steps of the run (simulation.max_steps) are used up")
        : isnan (fault->value)
            ? _ ("the %s steps of the run (simulation.max_steps) are used up; nothing moves by "
                 "itself, and this element is what switched last")
            : _ ("the %s steps of the run (simulation.max_steps) are used up; it is what limits "
                 "them, to %s s each"),
        hl_shown (fault->limit, 15).text, hl_shown (fault->value, 3).text);
  case HL_NOT_FINITE:
    return g_strdup (fault->entity_kind == HL_ENTITY_LINE   ? _ ("its pressure became infinite or undefined")
                     : fault->entity_kind == HL_ENTITY_BODY ? _ ("its motion became infinite or undefined")
                                                            : _ ("a value became infinite or undefined"));
  case HL_SINGULAR:
    return g_strdup (_ ("singular position: the constraints lose rank here"));
  default:
    return g_strdup (_ (hl_status_text (fault->status)));
  }
}

const char *hl_fault_advice (const HlFault *fault) {
  if (fault->mend != NULL)
    return _ (fault->mend);
  switch (fault->status) {
  case HL_OUT_OF_STROKE:
    return _ ("change the stroke, c1 or c2, or the pose the run starts from");
  case HL_INFEASIBLE:
    return _ ("check the lengths and the starting poses, and whether equilibrium.hold keeps too much");
  case HL_DEAD_POINT:
    if (fault->entity_kind == HL_ENTITY_JOINT)
      return _ ("keep its signal within what the links reach, change their lengths, or end the run "
                "before");
    return fault->entity_kind == HL_ENTITY_BODY
               ? _ ("ask for a position that its links can reach without passing the dead point")
               : _ ("move the linkage off the dead point, or move an end of the cylinder");
  case HL_ZERO_LENGTH:
    return _ ("move one of the points");
  case HL_OVERHELD:
    return _ ("take it out of equilibrium.hold, or hold another value");
  case HL_NO_VOLUME:
    return _ ("give the line a volume, or connect it to a tank or a pressure source: a pump has no oil, "
              "and an accumulator takes some in above its precharge only");
  case HL_NO_PRESSURE:
    return _ ("start it above 0, draw oil from the line more slowly, or let a suction valve fill it");
  case HL_NO_CONVERGENCE:
    return fault->entity_kind == HL_ENTITY_BODY
               ? _ ("give it a support or smaller loads, hold less in equilibrium.hold, or let the "
                    "run "
                    "start as given")
               : _ ("hold less or something else in equilibrium.hold, or let the run start as "
                    "given");
  case HL_SINGULAR:
    return _ ("start from another position");
  case HL_TOO_MUCH_WORK:
    return _ ("look for very small volumes or very stiff valves, or loosen rtol");
  case HL_OUT_OF_STEPS:
    return _ ("end the run earlier");
  default:
    return _ ("look at the values of the element");
  }
}

char *hl_fault_message (const HlSystem *sys, const HlFault *fault) {
  const char *id = hl_system_entity_id (sys, fault->entity_kind, fault->entity);
  g_autofree char *what = hl_fault_what (sys, fault);
  g_autofree char *when = isnan (fault->time)
                              ? g_strdup ("")
                              : g_strdup_printf (_ (" at t = %s s"), hl_shown (fault->time, 6).text);

  const char *more =
      fault->status == HL_OUT_OF_STEPS ? _ (", or raise simulation.max_steps (--max-steps)") : "";

  if (id == NULL)
    return g_strdup_printf ("%s%s; %s%s", what, when, hl_fault_advice (fault), more);
  g_autofree char *entity = entity_text (fault->entity_kind, id);
  return g_strdup_printf ("%s: %s%s; %s%s", entity, what, when, hl_fault_advice (fault), more);
}
