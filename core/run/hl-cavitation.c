/* SPDX-License-Identifier: MIT */
#include "core/run/hl-cavitation.h"

#include <math.h>

#include "core/base/hl-i18n.h"
#include "core/system/hl-system-private.h"

/* A tank or source below this stands in a vacuum: its pressure was meant to count from the
 * outside's. [Pa] */
#define VACUUM 1.0e4

typedef struct
{
  double t, pressure; /* of the latest look; NAN = none */
  gboolean is_below;
  int entry; /* into the entries; -1 = never below */
} Watch;

struct _HlCavitations
{
  int n_lines;
  Watch *watches;  /* n_lines */
  GArray *entries; /* HlCavitation */
};

HlCavitations *
hl_cavitations_new (const HlSystem *sys)
{
  HlCavitations *self = g_new0 (HlCavitations, 1);

  self->n_lines = sys->n_lines;
  self->watches = g_new0 (Watch, sys->n_lines + 1);
  self->entries = g_array_new (FALSE, FALSE, sizeof (HlCavitation));
  hl_cavitations_clear (self);
  return self;
}

void
hl_cavitations_clear (HlCavitations *self)
{
  for (int line = 0; line < self->n_lines; line++)
    self->watches[line] = (Watch){.t = NAN, .pressure = NAN, .entry = -1};
  g_array_set_size (self->entries, 0);
}

HlCavitations *
hl_cavitations_copy (const HlCavitations *self)
{
  HlCavitations *copy = g_new0 (HlCavitations, 1);

  copy->n_lines = self->n_lines;
  copy->watches = g_memdup2 (self->watches, sizeof (Watch) * (gsize)(self->n_lines + 1));
  copy->entries = g_array_copy (self->entries);
  return copy;
}

void
hl_cavitations_free (HlCavitations *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_free (self->watches);
  g_free (self);
}

int
hl_cavitations_n (const HlCavitations *self)
{
  return self != NULL ? (int)self->entries->len : 0;
}

const HlCavitation *
hl_cavitations_get (const HlCavitations *self, int index)
{
  return &g_array_index (self->entries, HlCavitation, index);
}

static void
note (HlCavitations *self, int line, double since, double t, double pressure)
{
  Watch *watch = &self->watches[line];

  if (watch->entry < 0) {
    HlCavitation entry = {.line = line, .since = since, .lowest = INFINITY, .lowest_at = t};
    watch->entry = (int)self->entries->len;
    g_array_append_val (self->entries, entry);
  }
  HlCavitation *entry = &g_array_index (self->entries, HlCavitation, watch->entry);
  if (pressure < entry->lowest) {
    entry->lowest = pressure;
    entry->lowest_at = t;
  }
}

int
hl_cavitations_look (HlCavitations *self,
                     const HlSystem *sys,
                     int line,
                     double t,
                     double pressure,
                     bool jumped,
                     double *at)
{
  double limit = sys->fluid.vapour_pressure;
  Watch *watch = &self->watches[line];
  gboolean is_below = pressure < limit - HL_CAVITATION_MARGIN, was_below = watch->is_below;

  if (is_below != was_below) {
    double part = jumped || isnan (watch->pressure)
                      ? 1.0
                      : (limit - watch->pressure) / (pressure - watch->pressure);
    double when = watch->t + fmin (fmax (part, 0.0), 1.0) * (t - watch->t);
    if (jumped || !isfinite (when))
      when = t;
    if (at != NULL)
      *at = when;
    if (is_below)
      note (self, line, when, t, pressure);
  } else if (is_below)
    note (self, line, t, t, pressure);
  *watch = (Watch){.t = t, .pressure = pressure, .is_below = is_below, .entry = watch->entry};
  return (int)is_below - (int)was_below;
}

void
hl_cavitations_look_at_point (HlCavitations *self, const HlSystem *sys, const HlPoint *point)
{
  for (int k = 0; k < sys->n_pressures; k++)
    if (point->p[k] < sys->fluid.vapour_pressure - HL_CAVITATION_MARGIN)
      note (self, sys->topology->line_of_pressure[k], NAN, NAN, point->p[k]);
}

char *
hl_cavitation_what (const HlSystem *sys, const HlCavitation *cavitation)
{
  double limit = sys->fluid.vapour_pressure;

  if (isnan (cavitation->since))
    return g_strdup_printf (_ ("its oil would have to pull: its pressure is %.4g Pa, below "
                               "%.4g Pa absolute"),
                            cavitation->lowest, limit);
  return g_strdup_printf (_ ("its oil would have to pull: its pressure falls below %.4g Pa "
                             "absolute at t = %.6g s, and down to %.4g Pa at t = %.6g s"),
                          limit, cavitation->since, cavitation->lowest, cavitation->lowest_at);
}

const char *
hl_cavitation_advice (const HlSystem *sys)
{
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].pressure < VACUUM)
      return _ ("pressures are absolute: give the tank that of the air, 1e5 Pa; where oil still "
                "has to pull it cavitates, which this model does not show");
  return _ ("real oil cavitates there, which this model does not show, so do not trust what "
            "follows; give the line a suction valve or a wider way from the tank, a higher tank "
            "pressure, or move the load more slowly");
}

char *
hl_cavitation_text (const HlSystem *sys, const HlCavitation *cavitation)
{
  g_autofree char *what = hl_cavitation_what (sys, cavitation);

  return g_strdup_printf (_ ("Line ‘%s’: %s; %s"),
                          hl_system_entity_id (sys, HL_ENTITY_LINE, cavitation->line), what,
                          hl_cavitation_advice (sys));
}
