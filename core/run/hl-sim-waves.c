/* SPDX-License-Identifier: MIT */
/* Pressure waves at the ends of pipes in segments. Behind a wave that rises within the time T that it takes through one
 * segment, n segments overshoot by up to half of it (Joukowsky's pressure is right); behind one that takes 3 T by
 * 4 %. At each end the pressure is kept at times T/4 apart:
 *
 *   A = |p (t) - p (t - T)|,   B = range of p over 4 T;   A > B/2 where the wave takes less than about 2 T
 *
 * A turning point of a slow swing has a large A/B as well, but A is small then beside the range of the run. */
#include <math.h>
#include <stdlib.h>

#include <glib.h>

#include "core/base/hl-i18n.h"
#include "core/run/hl-sim-run.h"

#define IN_TRAVEL 4                 /* samples in one travel time */
#define SAMPLES (4 * IN_TRAVEL + 1) /* kept */
#define STEEP 0.5                   /* A/B */
#define LEAST_CHANGE 1.0e5          /* A that counts [Pa] */
#define LEAST_PART 0.2              /* A over the range of the run */
#define SLOW_ENOUGH 3.0             /* travel times that a wave should take */

typedef struct
{
  int component, port, state, n_segments;
  double travel;
  double last_t, last_p; /* end of the last step */
  double next;           /* time of the next sample */
  double p[SAMPLES];     /* the newest one first */
  int n;
  double low, high; /* of the run */
  double change, at;
} End;

struct HlSimWaves
{
  End *ends; /* n_ends */
  int n_ends;
};

HlSimWaves *
hl_sim_waves_new (const HlSystem *sys)
{
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
                                           .last_t = NAN,
                                           .low = INFINITY,
                                           .high = -INFINITY};
  }
  return self;
}

void
hl_sim_waves_free (HlSimWaves *self)
{
  if (self == NULL)
    return;
  free (self->ends);
  free (self);
}

static void
add_sample (End *end, double t, double p)
{
  double low = p, high = p;

  for (int k = SAMPLES - 1; k > 0; k--)
    end->p[k] = end->p[k - 1];
  end->p[0] = p;
  end->n += end->n < SAMPLES ? 1 : 0;
  for (int k = 1; k < end->n; k++) {
    low = fmin (low, end->p[k]);
    high = fmax (high, end->p[k]);
  }
  double change = end->n > IN_TRAVEL ? fabs (p - end->p[IN_TRAVEL]) : 0.0;
  if (end->n < SAMPLES || change <= end->change || !(change > STEEP * (high - low)))
    return;
  end->change = change;
  end->at = t;
}

void
hl_sim_waves_look (HlSimWaves *self, double t, const double p[])
{
  for (int k = 0; self != NULL && k < self->n_ends; k++) {
    End *end = &self->ends[k];
    double pitch = end->travel / IN_TRAVEL, now = p[end->state], from = end->last_t;
    if (isnan (from)) {
      end->next = t;
      for (int past = 0; past < SAMPLES; past++)
        add_sample (end, t, now); /* the state before the run is taken to have been at rest */
    } else {
      if (t - end->next > SAMPLES * pitch) /* a step so long holds no steep wave */
        end->next = t - SAMPLES * pitch;
      for (; end->next <= t; end->next += pitch)
        add_sample (end, end->next,
                    end->last_p + (now - end->last_p) * (end->next - from) / (t - from));
    }
    end->last_t = t;
    end->last_p = now;
    end->low = fmin (end->low, now);
    end->high = fmax (end->high, now);
  }
}

HlSteepWave
hl_sim_waves_steepest (const HlSimWaves *self)
{
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

char *
hl_steep_wave_text (const HlSystem *sys, const HlSteepWave *wave)
{
  if (wave->component < 0)
    return NULL;
  const HlComponent *c = &sys->components[wave->component];
  return g_strdup_printf (_ ("Pipe ‘%s’: the pressure at its port %s changes by %.3g Pa within "
                             "%.3g s, the time that a wave takes through one "
                             "of its %d segments (t = %.4g s); the segments overshoot behind it, "
                             "by up to half of that. Use more segments (64 at most), "
                             "or let what closes or opens there take %.2g s at least."),
                          hl_system_entity_id (sys, HL_ENTITY_COMPONENT, wave->component),
                          c->klass->kind.ports[wave->port], wave->change, wave->travel,
                          wave->n_segments, wave->t, SLOW_ENOUGH * wave->travel);
}
