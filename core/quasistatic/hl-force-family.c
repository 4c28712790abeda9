/* SPDX-License-Identifier: MIT */
#include "core/quasistatic/hl-force-family.h"

#include <math.h>

#define SAMPLES 241
#define MOST_POINTS (2 * SAMPLES + HL_QUASI_MAP_EXTRA)
#define HEADROOM 1.25 /* the range reaches this much beyond the greatest speed */
/* A chamber that drains faster than this many pump speeds is not shown. */
#define FASTEST_DRAIN 3.0
#define LEAST_RANGE 0.01  /* [m/s] */
#define LEAST_TURNING 0.1 /* [rad/s] */
/* Load lines of a cylinder that nothing holds, and of one that hardly moves [N s/m]; the same of what
 * turns, with some 1e-5 m3/rad for 1e-2 m2 [N m s/rad]. */
#define FREE_BETA 1.0
#define HELD_BETA 1.0e12
#define FREE_TURNING_BETA 1.0e-6
#define HELD_TURNING_BETA 1.0e6
#define BACK_PART 0.3 /* the part of the range on the side where the map is flat */

static double *numbers (HlArena *arena, int n) {
  return hl_arena_take (arena, n, sizeof (double));
}

static void start_curve (HlForceCurve *curve, HlArena *arena, double value) {
  *curve = (HlForceCurve){.v = numbers (arena, MOST_POINTS),
                          .f = numbers (arena, MOST_POINTS),
                          .P = numbers (arena, MOST_POINTS),
                          .relief = numbers (arena, MOST_POINTS),
                          .recycled = numbers (arena, MOST_POINTS),
                          .segment = hl_arena_take (arena, MOST_POINTS, sizeof (HlSegment)),
                          .value = value};
}

/* speeds: of all members, the first is the caller's to spoil. */
static HlStatus fill_curve (HlForceCurve *curve, HlForceMap *map, double speeds[], double from, double to,
                            HlFault *fault) {
  HlArena scratch = {0};
  HlQuasiMapPoint *points = hl_arena_take (&scratch, MOST_POINTS, sizeof *points);
  HlQuasiGamma *gamma = hl_arena_take (&scratch, hl_force_map_n_members (map), sizeof *gamma);
  HlStatus status =
      hl_force_map_sample (map, speeds, (HlQuasiMapRange){from, to, SAMPLES}, points, &curve->n, fault);

  for (int k = 0; k < curve->n && status == HL_OK; k++) {
    speeds[0] = points[k].v;
    status = hl_force_map_at (map, speeds, gamma, fault);
    curve->v[k] = points[k].v;
    curve->f[k] = points[k].f;
    curve->segment[k] = points[k].segment;
    curve->P[k] = hl_force_map_tank (map) + gamma->P;
    curve->relief[k] = gamma->Q_pump_relief;
    curve->recycled[k] = gamma->Q_regeneration;
  }
  hl_arena_clear (&scratch);
  return status;
}

/* Of the load line of a member that is free, or held. */
static double beta_of (const HlForceMap *map, int member, bool is_free) {
  if (hl_force_map_terms (map, member)->is_rotary)
    return is_free ? FREE_TURNING_BETA : HELD_TURNING_BETA;
  return is_free ? FREE_BETA : HELD_BETA;
}

/* Of a network: how fast a piston or shaft runs that nothing loads, and a bit more. */
static void choose_network_range (HlForceMap *map, double *from, double *to) {
  int n = hl_force_map_n_members (map);
  HlArena scratch = {0};
  double *beta = hl_arena_take (&scratch, n, sizeof *beta);
  double *fbar = hl_arena_take (&scratch, n, sizeof *fbar), P;
  bool turns = hl_force_map_terms (map, 0)->is_rotary;
  double reach = turns ? LEAST_TURNING : LEAST_RANGE;
  HlQuasiLambda *lambda = hl_arena_take (&scratch, n, sizeof *lambda);

  for (int member = 0; member < n; member++)
    beta[member] = beta_of (map, member, member == 0);
  if (hl_force_map_meet (map, beta, fbar, lambda, &P, NULL) == HL_OK)
    reach = fmax (reach, HEADROOM * fabs (lambda->v));
  *from = -reach;
  *to = reach;
  hl_arena_clear (&scratch);
}

/* The speeds at which something can still happen: the pump's flow on the driven area, or the speed
 * at which the draining chamber reaches its relief pressure. */
static void choose_range (HlForceMap *map, double *from, double *to) {
  if (hl_force_map_is_network (map)) {
    choose_network_range (map, from, to);
    return;
  }

  const HlActuator *a = hl_force_map_actuator (map, 0);
  double Q = hl_force_map_pump (map)->Q;
  HlOpening opening = hl_actuator_opening (a);
  double area = opening == HL_OPENING_RETRACT ? a->Ar : a->Ah;
  double drain =
      opening == HL_OPENING_RETRACT ? a->th * sqrt (a->PhM * a->Ah) : a->tr * sqrt (a->PrM * a->Ar);
  double fill = Q / (area - (a->ua > 0.0 && a->Ah > a->Ar ? a->Ar : 0.0));
  double reach = HEADROOM * fmax (fill, fmin (drain, FASTEST_DRAIN * fill));

  reach = fmax (reach, LEAST_RANGE);
  *from = opening == HL_OPENING_EXTEND ? -BACK_PART * reach : -reach;
  *to = opening == HL_OPENING_RETRACT ? BACK_PART * reach : reach;
}

static int family_size (HlForceOver over) {
  static const int sizes[HL_FORCE_N_OVER] = {0, 9, 6, 5, 5};
  return sizes[over];
}

/* Value k of a family. */
static double family_value (HlForceOver over, int k, double reach) {
  double part = (double)k / (family_size (over) - 1);

  switch (over) {
  case HL_FORCE_OVER_COMMAND:
    return 2.0 * part - 1.0;
  case HL_FORCE_OVER_OTHER_SPEED:
    return part * reach;
  default:
    return part;
  }
}

static HlForceMapOpenings openings_with (const HlForceFamilyOptions *options, double value) {
  HlForceMapOpenings openings = options->openings;

  if (options->over == HL_FORCE_OVER_COMMAND)
    openings.command = value;
  else if (options->over == HL_FORCE_OVER_BLEED)
    openings.bleed = value;
  else if (options->over == HL_FORCE_OVER_REGENERATION)
    openings.regeneration = value;
  return openings;
}

static void set_speeds (const HlForceFamilyOptions *options, int n, double speeds[]) {
  for (int k = 0; k < n; k++)
    speeds[k] = options->speeds != NULL ? options->speeds[k] : 0.0;
}

/* The speed that the other cylinder is given at most, in the direction it is open to. */
static double other_reach (HlForceMap *map, int member) {
  double from, to;

  if (hl_force_map_is_network (map)) {
    choose_network_range (map, &from, &to);
    return to;
  }

  const HlActuator *a = hl_force_map_actuator (map, member);
  double Q = hl_force_map_pump (map)->Q;

  return hl_actuator_opening (a) == HL_OPENING_RETRACT ? -Q / a->Ar : Q / a->Ah;
}

static void add_family (HlForceFamily *out, const HlSystem *sys, const HlForceFamilyOptions *options) {
  HlArena scratch = {0};
  double *speeds = numbers (&scratch, out->n_members), reach = 0.0;

  for (int k = 0; k < family_size (options->over); k++) {
    double value = family_value (options->over, k, reach);
    HlForceMapOpenings openings = openings_with (options, value);
    HlForceMap *map = hl_force_map_new (sys, options->component, options->t, &openings, NULL);
    if (map == NULL)
      continue;
    set_speeds (options, out->n_members, speeds);
    if (options->over == HL_FORCE_OVER_OTHER_SPEED) {
      reach = other_reach (map, options->member);
      speeds[options->member] = value = family_value (options->over, k, reach);
    }
    HlForceCurve *curve = &out->family[out->n_family];
    start_curve (curve, &out->arena, value);
    if (fill_curve (curve, map, speeds, out->v_from, out->v_to, NULL) == HL_OK)
      out->n_family++;
    hl_force_map_free (map);
  }
  hl_arena_clear (&scratch);
}

HlForceFamily *hl_force_family_new (const HlSystem *sys, const HlForceFamilyOptions *options,
                                    HlFault *fault) {
  HlForceMap *map = hl_force_map_new (sys, options->component, options->t, &options->openings, fault);

  if (map == NULL)
    return NULL;
  HlArena own = {0}, scratch = {0};
  HlForceFamily *out = hl_arena_take (&own, 1, sizeof *out);
  out->arena = own;
  out->n_members = hl_force_map_n_members (map);
  out->components = hl_arena_take (&out->arena, out->n_members, sizeof *out->components);
  out->terms = hl_arena_take (&out->arena, out->n_members, sizeof *out->terms);
  for (int k = 0; k < out->n_members; k++) {
    out->components[k] = hl_force_map_component (map, k);
    out->terms[k] = hl_force_map_terms (map, k);
  }
  hl_force_map_has (map, &out->has_command, &out->has_bleed, &out->has_regeneration);
  out->v_from = options->v_from;
  out->v_to = options->v_to;
  if (isnan (options->v_from) || isnan (options->v_to)) {
    choose_range (map, &out->v_from, &out->v_to);
    if (options->over == HL_FORCE_OVER_COMMAND)
      out->v_from = -(out->v_to = fmax (out->v_to, -out->v_from));
  }
  double *speeds = numbers (&scratch, out->n_members);
  set_speeds (options, out->n_members, speeds);
  start_curve (&out->now, &out->arena, NAN);
  HlStatus status = fill_curve (&out->now, map, speeds, out->v_from, out->v_to, fault);
  hl_arena_clear (&scratch);
  hl_force_map_free (map);
  if (status != HL_OK) {
    hl_force_family_free (out);
    return NULL;
  }
  add_family (out, sys, options);
  return out;
}

void hl_force_family_free (HlForceFamily *family) {
  if (family == NULL)
    return;
  HlArena arena = family->arena;
  hl_arena_clear (&arena);
}
