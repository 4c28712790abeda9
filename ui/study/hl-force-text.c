/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-force-text.h"

#include <math.h>

#include "core/base/hl-i18n.h"

#define DIGITS 4

static char *open_valves (const HlQuasiValves *valves) {
  const char *names[6];
  int n = 0;

  if (valves->head_relief)
    names[n++] = _ ("head relief");
  if (valves->head_suction)
    names[n++] = _ ("head suction");
  if (valves->rod_relief)
    names[n++] = _ ("rod relief");
  if (valves->rod_suction)
    names[n++] = _ ("rod suction");
  if (valves->pump_relief)
    names[n++] = _ ("pump relief");
  if (n == 0)
    return g_strdup (_ ("relief and suction valves shut"));
  names[n] = NULL;
  g_autofree char *list = g_strjoinv (", ", (char **)names);
  return g_strdup_printf (_ ("open: %s"), list);
}

/* Two forces or torques in one unit, in which both read well. */
static void force_texts (HlUnits units, HlQuantity quantity, double a, double b, char *texts[2]) {
  const HlUnit *unit = hl_units_get (units, quantity);
  double largest = fmax (isfinite (a) ? fabs (a) : 0.0, isfinite (b) ? fabs (b) : 0.0);

  if (unit == hl_quantity_default_unit (quantity))
    unit = hl_unit_fitting (quantity, largest);
  texts[0] = hl_unit_format_full (unit, a, DIGITS);
  texts[1] = hl_unit_format_full (unit, b, DIGITS);
}

/* Of a motor or vane actuator, which is always in a network. */
static char *turning_text (const HlQuasiGamma *gamma, const char *speed, const char *low, const char *high) {
  if (isinf (gamma->f_lo) && isinf (gamma->f_hi))
    return g_strdup_printf (gamma->f_lo < gamma->f_hi
                                ? _ ("ω = %s: shut, it bears any torque")
                                : _ ("ω = %s: no torque does it, for nothing relieves a chamber"),
                            speed);
  if (gamma->f_lo < gamma->f_hi)
    return g_strdup_printf (_ ("ω = %s: any torque from %s to %s"), speed, low, high);
  return g_strdup_printf (_ ("ω = %s, M = %s"), speed, low);
}

char *hl_force_state_text (const HlSystem *sys, int component, double t, const HlForceMapOpenings *by_hand,
                           double v, HlUnits units) {
  HlForceMap *map = hl_force_map_new (sys, component, t, by_hand, NULL);

  if (map == NULL)
    return NULL;
  int n = hl_force_map_n_members (map);
  g_autofree double *speeds = g_new0 (double, n);
  g_autofree HlQuasiGamma *gamma = g_new0 (HlQuasiGamma, n);
  double tank = hl_force_map_tank (map);
  speeds[0] = v;
  HlStatus status = hl_force_map_at (map, speeds, gamma, NULL);
  gboolean is_network = hl_force_map_is_network (map);
  const HlCylinderTerms *terms = hl_force_map_terms (map, 0);
  hl_force_map_free (map);
  if (status != HL_OK)
    return NULL;
  g_autofree char *speed = hl_units_format (units, terms->speed, v, DIGITS);
  char *forces[2];
  force_texts (units, terms->force, gamma->f_lo, gamma->f_hi, forces);
  g_autofree char *low = forces[0], *high = forces[1];
  if (terms->is_rotary)
    return turning_text (gamma, speed, low, high);
  if (isinf (gamma->f_lo) && isinf (gamma->f_hi))
    return g_strdup_printf (gamma->f_lo < gamma->f_hi
                                ? _ ("v = %s: shut, it bears any force")
                                : _ ("v = %s: no force does it, for nothing relieves a chamber"),
                            speed);
  if (gamma->f_lo < gamma->f_hi)
    return g_strdup_printf (_ ("v = %s: any force from %s to %s"), speed, low, high);
  if (is_network)
    return g_strdup_printf (_ ("v = %s, f = %s"), speed, low);
  g_autofree char *valves = open_valves (&gamma->valves);
  g_autofree char *P = hl_units_format (units, HL_QUANTITY_PRESSURE, tank + gamma->P, DIGITS);
  g_autofree char *Ph = hl_units_format (units, HL_QUANTITY_PRESSURE, tank + gamma->Ph, DIGITS);
  g_autofree char *Pr = hl_units_format (units, HL_QUANTITY_PRESSURE, tank + gamma->Pr, DIGITS);
  return g_strdup_printf (_ ("v = %s, f = %s: segment %s; %s; pump %s, head %s, rod %s"), speed, low,
                          hl_segment_name (gamma->segment), valves, P, Ph, Pr);
}
