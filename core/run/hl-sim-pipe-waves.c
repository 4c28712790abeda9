/* SPDX-License-Identifier: MIT */
/* Pressure waves at the ends of pipes in segments. Behind a wave that rises within the time T that it
 * takes through one segment, n segments overshoot by up to half of it (Joukowsky's pressure is right);
 * behind one that takes 3 T by 4 %. At each end the pressure is examined at times T/4 apart or less:
 *
 *   A = |p (t) - p (t - T)|,   B = range of p over 4 T;   A > B/2 where the wave takes less than about 2 T
 *
 * A turning point of a slow swing has a large A/B as well, but A is small then beside the range of the
 * run.
 *
 * Between the ends of two steps the pressure is taken to be straight. In most steps the change is below
 * the relevant A, and the check costs two comparisons. */
#include <math.h>
#include <stdlib.h>

#include <glib.h>

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/run/hl-sim-run.h"

#define IN_TRAVEL 4        /* looks in one travel time, */
#define WINDOW 4           /* travel times of B */
#define KEPT 64            /* points, half a look apart at least: more than WINDOW and 2 travel times */
#define STEEP 0.5          /* A/B */
#define LEAST_CHANGE 1.0e5 /* A that counts [Pa] */
#define LEAST_PART 0.2     /* A over the range of the run */
#define SLOW_ENOUGH 3.0    /* travel times that a wave should take */

typedef struct {
  double t, p;
} Point;

typedef struct {
  int component, port, state, n_segments;
  double travel;
  double next;            /* the first time of another point */
  Point points[KEPT];     /* number k at k % KEPT */
  unsigned n;             /* points so far */
  double lowest, highest; /* of the last travel time or longer */
  double low, high;       /* of the run */
  double change, at;      /* the largest A that counts, and its time */
} End;

struct HlSimWaves {
  End *ends; /* n_ends */
  int n_ends;
};

HlSimWaves *hl_sim_waves_new (const HlSystem *sys) {
  int most = 0;

  for (int k = 0; k < sys->n_components; k++)
    most += sys->components[k].klass->travel_time != NULL ? 2 : 0;
  if (most == 0)
    return NULL;
  HlSimWaves *self = calloc (1, sizeof *self);
  self->ends = calloc ((size_t)most, sizeof (End));
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    int n_segments = 0;
    double travel = c->klass->travel_time != NULL ? c->klass->travel_time (c, &n_segments) : 0.0;
    for (int port = 0; port < 2 && travel > 0.0; port++)
      if (c->node[port] >= 0 && sys->nodes[c->node[port]].state >= 0)
        self->ends[self->n_ends++] = (End){.component = k,
                                           .port = port,
                                           .state = sys->nodes[c->node[port]].state,
                                           .n_segments = n_segments,
                                           .travel = travel,
                                           .next = -INFINITY,
                                           .lowest = INFINITY,
                                           .highest = -INFINITY,
                                           .low = INFINITY,
                                           .high = -INFINITY,
                                           .change = LEAST_CHANGE};
  }
  return self;
}

void hl_sim_waves_free (HlSimWaves *self) {
  if (self == NULL)
    return;
  free (self->ends);
  free (self);
}

/* Returns the k-th last one. */
static const Point *point_before (const End *end, unsigned k) {
  return &end->points[(end->n - 1 - k) % KEPT];
}

/* Returns the pressure at t; before the run it counts as constant. */
static double pressure_at (const End *end, double t) {
  unsigned first = MIN (end->n, KEPT) - 1, k = 0;

  while (k < first && point_before (end, k)->t > t)
    k++;
  const Point *a = point_before (end, k), *b = point_before (end, k > 0 ? k - 1 : 0);
  if (!(t > a->t && b->t > a->t))
    return a->p;
  return a->p + (b->p - a->p) * (t - a->t) / (b->t - a->t);
}

static double range_between (const End *end, double from, double to) {
  double p = pressure_at (end, from), q = pressure_at (end, to);
  double low = fmin (p, q), high = fmax (p, q);

  for (unsigned k = 0; k < MIN (end->n, KEPT) && point_before (end, k)->t > from; k++)
    if (point_before (end, k)->t < to) {
      low = fmin (low, point_before (end, k)->p);
      high = fmax (high, point_before (end, k)->p);
    }
  return high - low;
}

/* Examines whether the wave is steep at some time between the last two points. */
static void look_closer (End *end, double least) {
  double from = point_before (end, 1)->t, until = point_before (end, 0)->t;
  bool is_last = false;

  end->lowest = INFINITY;
  end->highest = -INFINITY;
  for (unsigned k = 0; k < MIN (end->n, KEPT); k++) {
    const Point *point = point_before (end, k);
    end->lowest = fmin (end->lowest, point->p);
    end->highest = fmax (end->highest, point->p);
    if (point->t <= from - end->travel)
      break;
  }
  if (!(end->highest - end->lowest > least))
    return;
  /* where two travel times are straight, B is 2 A at least */
  for (int k = 1; k <= 2 * IN_TRAVEL && !is_last; k++) {
    double t = from + k * end->travel / IN_TRAVEL;
    is_last = t >= until;
    t = is_last ? until : t;
    double change = fabs (pressure_at (end, t) - pressure_at (end, t - end->travel));
    if (!(change > least) || !(change > STEEP * range_between (end, t - WINDOW * end->travel, t)))
      continue;
    least = end->change = change;
    end->at = t;
  }
}

void hl_sim_waves_look (HlSimWaves *self, double t, const double p[]) {
  for (int k = 0; self != NULL && k < self->n_ends; k++) {
    End *end = &self->ends[k];
    double now = p[end->state];
    end->low = now < end->low ? now : end->low;
    end->high = now > end->high ? now : end->high;
    if (t < end->next)
      continue;
    end->next = t + 0.5 / IN_TRAVEL * end->travel;
    end->points[end->n++ % KEPT] = (Point){t, now};
    end->lowest = now < end->lowest ? now : end->lowest;
    end->highest = now > end->highest ? now : end->highest;
    if (!(end->highest - end->lowest > end->change))
      continue;
    double part = LEAST_PART * (end->high - end->low);
    if (end->highest - end->lowest > part)
      look_closer (end, end->change > part ? end->change : part);
  }
}

HlSteepWave hl_sim_waves_steepest (const HlSimWaves *self) {
  HlSteepWave found = {.component = -1};

  for (int k = 0; self != NULL && k < self->n_ends; k++) {
    const End *end = &self->ends[k];
    if (end->change > LEAST_CHANGE && end->change > found.change &&
        end->change > LEAST_PART * (end->high - end->low))
      found = (HlSteepWave){.component = end->component,
                            .port = end->port,
                            .n_segments = end->n_segments,
                            .travel = end->travel,
                            .change = end->change,
                            .t = end->at};
  }
  return found;
}

char *hl_steep_wave_text (const HlSystem *sys, const HlSteepWave *wave) {
  if (wave->component < 0)
    return NULL;
  const HlComponent *c = &sys->components[wave->component];
  return hl_number_localize (g_strdup_printf (
      _ ("Pipe ‘%s’: the pressure at its port %s changes by %.3g Pa within %.3g s, the travel time of a wave "
         "through one of its %d segments (t = %.4g s); the segments overshoot behind the wave, by up to half "
         "of this change. Use more segments (64 at most), or let the valve there close or open in %.2g s at "
         "least."),
      hl_system_entity_id (sys, HL_ENTITY_COMPONENT, wave->component), c->klass->kind.ports[wave->port],
      wave->change, wave->travel, wave->n_segments, wave->t, SLOW_ENOUGH * wave->travel));
}
