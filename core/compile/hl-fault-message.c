/* SPDX-License-Identifier: MIT */
/* Text of a fault: the element, the problem and the remedy. */

#include <math.h>

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/mech/hl-linkage-assembly.h"
#include "core/system/hl-system-private.h"

/* Returns "Component ‘boom’". Owned by the caller. */
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

/* Returns the text of a cylinder out of its stroke; the fault's value is the length by the geometry. */
static char *out_of_stroke (const HlSystem *sys, const HlFault *fault) {
  int index = fault->entity_kind == HL_ENTITY_COMPONENT && fault->entity >= 0
                  ? sys->components[fault->entity].cylinder
                  : -1;

  if (index < 0)
    return g_strdup (_ ("a cylinder is out of its stroke"));
  const HlCylinder *cyl = &sys->cylinders[index];
  double shortest = cyl->c1 + cyl->c2;
  if (cyl->is_rotary)
    return g_strdup_printf (
        _ ("the actuator is out of its range: its angle is %s rad, its range is %s to %s rad"),
        hl_shown (fault->value, 4).text, hl_shown (shortest, 4).text,
        hl_shown (shortest + cyl->stroke, 4).text);
  return g_strdup_printf (
      _ ("the cylinder is out of its stroke: its points are %s m apart, its length can be %s to %s m"),
      hl_shown (fault->value, 4).text, hl_shown (shortest, 4).text,
      hl_shown (shortest + cyl->stroke, 4).text);
}

/* Returns the position at which a joint is driven further than the linkage can follow. */
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
      return g_strdup_printf (_ ("the linkage cannot be assembled: this joint has a gap of %s m"),
                              hl_shown (fault->value, 4).text);
    return g_strdup (_ ("the conditions contradict each other"));
  case HL_DEAD_POINT:
    if (fault->entity_kind == HL_ENTITY_JOINT)
      return limit_position (sys, fault);
    if (fault->entity_kind == HL_ENTITY_BODY)
      return g_strdup (_ ("dead point: the linkage cannot continue in this direction, because this body "
                          "would have to reverse"));
    return g_strdup (
        _ ("dead point: the cylinder has no lever arm here, so no pressure can balance the load"));
  case HL_OVERHELD:
    return g_strdup (fault->entity_kind == HL_ENTITY_BODY
                         ? _ ("the held values (equilibrium.hold) keep the position of this body, and no "
                              "free value can balance the forces on the body in this position")
                         : _ ("a value of this element is held (equilibrium.hold), and there is no "
                              "equilibrium with this value"));
  case HL_ZERO_LENGTH:
    return g_strdup (_ ("the two end points of this element coincide, so its direction is undefined"));
  case HL_NO_VOLUME:
    return g_strdup (_ ("there is no oil volume here, so the pressure is undefined"));
  case HL_NO_PRESSURE:
    return g_strdup_printf (
        _ ("the pressure of this line would be %s Pa, but the absolute pressure of a line must be above 0"),
        hl_shown (fault->value, 3).text);
  case HL_NO_CONVERGENCE:
    return g_strdup (
        fault->entity_kind == HL_ENTITY_BODY
            ? _ ("no equilibrium was found: no position in which the forces on this body balance")
        : fault->entity_kind == HL_ENTITY_LINE
            ? _ ("no equilibrium was found: no pressure at which the flows into this line balance")
            : _ ("no equilibrium was found: no state in which everything stays at rest"));
  case HL_TOO_MUCH_WORK:
    return g_strdup (
        fault->entity_kind == HL_ENTITY_BODY
            ? _ ("the motion of this body cannot be computed further: even the smallest time step fails")
        : fault->entity_kind == HL_ENTITY_LINE
            ? _ ("the pressure of this line cannot be computed further: even the smallest time step fails")
        : fault->entity_kind == HL_ENTITY_COMPONENT
            ? _ ("the state of this element cannot be computed further: even the smallest time step fails")
            : _ ("the integrator failed: even the smallest step fails"));
  case HL_OUT_OF_STEPS:
    return g_strdup_printf (
        fault->entity_kind == HL_ENTITY_NONE ? _ ("the maximum of %s steps (simulation.max_steps) is reached")
        : isnan (fault->value) ? _ ("the maximum of %s steps (simulation.max_steps) is reached; nothing "
                                    "moves between events, and this element switched last")
                               : _ ("the maximum of %s steps (simulation.max_steps) is reached; this element "
                                    "limits the steps to %s s"),
        hl_shown (fault->limit, 15).text, hl_shown (fault->value, 3).text);
  case HL_NOT_FINITE:
    return g_strdup (
        fault->entity_kind == HL_ENTITY_LINE   ? _ ("the pressure of this line became infinite or undefined")
        : fault->entity_kind == HL_ENTITY_BODY ? _ ("the motion of this body became infinite or undefined")
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
    return _ ("change the stroke, c1 or c2, or the start pose");
  case HL_INFEASIBLE:
    return _ (
        "check the lengths, the start poses and the held values (equilibrium.hold), which may be too many");
  case HL_DEAD_POINT:
    if (fault->entity_kind == HL_ENTITY_JOINT)
      return _ ("limit the signal of the driven joint to the reach of the links, change the lengths of the "
                "links, or end the run earlier");
    return fault->entity_kind == HL_ENTITY_BODY
               ? _ ("choose a position that the links reach without passing the dead point")
               : _ ("move the linkage off the dead point, or move an end of the cylinder");
  case HL_ZERO_LENGTH:
    return _ ("move one of the two end points");
  case HL_OVERHELD:
    return _ ("remove this value from the held values (equilibrium.hold), or hold another value");
  case HL_NO_VOLUME:
    return _ ("give the line a volume, or connect it to a tank or a pressure source; a pump contains no oil, "
              "and an accumulator contains oil only above its precharge pressure");
  case HL_NO_PRESSURE:
    return _ (
        "give the line a start pressure above 0, draw oil from the line more slowly, or add a suction valve");
  case HL_NO_CONVERGENCE:
    return fault->entity_kind == HL_ENTITY_BODY
               ? _ ("add a support, reduce the loads, hold fewer values (equilibrium.hold), or start the run "
                    "from the values of the file (simulation.start: as-given)")
               : _ ("remove or change held values (equilibrium.hold), or start the run from the values of "
                    "the file (simulation.start: as-given)");
  case HL_SINGULAR:
    return _ ("start the run from another position");
  case HL_TOO_MUCH_WORK:
    return _ ("check for very small volumes or very stiff valves, or increase the tolerance (rtol)");
  case HL_OUT_OF_STEPS:
    return _ ("end the run earlier");
  default:
    return _ ("check the values of the element");
  }
}

char *hl_fault_message (const HlSystem *sys, const HlFault *fault) {
  const char *id = hl_system_entity_id (sys, fault->entity_kind, fault->entity);
  g_autofree char *what = hl_fault_what (sys, fault);
  g_autofree char *when = isnan (fault->time)
                              ? g_strdup ("")
                              : g_strdup_printf (_ (" at t = %s s"), hl_shown (fault->time, 6).text);

  const char *more = fault->status == HL_OUT_OF_STEPS
                         ? _ (", or increase the maximum number of steps (simulation.max_steps, --max-steps)")
                         : "";

  if (id == NULL)
    return g_strdup_printf ("%s%s; %s%s", what, when, hl_fault_advice (fault), more);
  g_autofree char *entity = entity_text (fault->entity_kind, id);
  return g_strdup_printf ("%s: %s%s; %s%s", entity, what, when, hl_fault_advice (fault), more);
}
