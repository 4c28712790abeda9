/* SPDX-License-Identifier: MIT */
#include "core/run/hl-run-warnings.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/system/hl-system-private.h"

#include <glib.h>

#include <math.h>

char *hl_compressible_lines_text (const HlSystem *sys, const HlCompressibleLines *of) {
  if (of->n == 0)
    return NULL;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_LINE, of->line);
  if (of->n == 1)
    return hl_number_localize (g_strdup_printf (
        _ ("the oil of ‘%s’ is compressible from t = %.4g s, as in the lumped model: incompressible oil has "
           "no solution for a valve that lowers its own pilot pressure, or a pump controlled by that "
           "pressure; this time depends on the tolerance (rtol), so compare runs with two tolerances, or put "
           "a throttle in the pilot line to keep the oil incompressible"),
        id, of->t));
  return hl_number_localize (g_strdup_printf (
      _ ("the oil of ‘%s’ and of %d more lines is compressible from t = %.4g s, as in the lumped model: "
         "incompressible oil has no solution for a valve that lowers its own pilot pressure, or a pump "
         "controlled by that pressure; this time depends on the tolerance (rtol), so compare runs with two "
         "tolerances, or put a throttle in the pilot line to keep the oil incompressible"),
      id, of->n - 1, of->t));
}

char *hl_start_loss_text (const HlSystem *sys, const HlStartLoss *loss) {
  if (loss->component < 0 || !(loss->energy > HL_START_LOSS_PART * loss->before))
    return NULL;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, loss->component);
  return hl_number_localize (
      g_strdup_printf (loss->is_stop ? _ ("the start: %.4g of %.4g J lost, because the bodies move at t = 0 "
                                          "and ‘%s’ is at its stop; start the bodies at rest or off the stop")
                                     : _ ("the start: %.4g of %.4g J lost, because the bodies move at t = 0 "
                                          "and the oil at ‘%s’ is at rest, so the speeds equalize in an "
                                          "impact; start the bodies at rest, or use the lumped oil model"),
                       loss->energy, loss->before, id));
}

/* A tank or source below this stands in a vacuum: its pressure was meant to count from the
 * outside's. [Pa] */
#define VACUUM 1.0e4

/* A pressure nearer to the onset than this part of it is held there. */
#define HELD 1.0e-9

typedef struct {
  double t, pressure; /* of the latest look; NAN = none */
  gboolean is_below;
  int entry[HL_DOUBT_BURSTS + 1]; /* into the entries, by kind; -1 = none */
} Watch;

static const Watch fresh = {.t = NAN, .pressure = NAN, .entry = {-1, -1, -1}};

struct _HlCavitations {
  int n_lines;
  Watch *watches;  /* n_lines */
  GArray *entries; /* HlCavitation */
  GArray *events;  /* HlOilEvent */
};

HlCavitations *hl_cavitations_new (const HlSystem *sys) {
  HlCavitations *self = g_new0 (HlCavitations, 1);

  self->n_lines = sys->n_lines;
  self->watches = g_new0 (Watch, sys->n_lines + 1);
  self->entries = g_array_new (FALSE, FALSE, sizeof (HlCavitation));
  self->events = g_array_new (FALSE, FALSE, sizeof (HlOilEvent));
  hl_cavitations_clear (self);
  return self;
}

void hl_cavitations_clear (HlCavitations *self) {
  for (int line = 0; line < self->n_lines; line++)
    self->watches[line] = fresh;
  g_array_set_size (self->entries, 0);
  g_array_set_size (self->events, 0);
}

HlCavitations *hl_cavitations_copy (const HlCavitations *self) {
  HlCavitations *copy = g_new0 (HlCavitations, 1);

  copy->n_lines = self->n_lines;
  copy->watches = g_memdup2 (self->watches, sizeof (Watch) * (gsize)(self->n_lines + 1));
  copy->entries = g_array_copy (self->entries);
  copy->events = g_array_copy (self->events);
  return copy;
}

void hl_cavitations_free (HlCavitations *self) {
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_array_unref (self->events);
  g_free (self->watches);
  g_free (self);
}

int hl_cavitations_n (const HlCavitations *self) {
  return self != NULL ? (int)self->entries->len : 0;
}

const HlCavitation *hl_cavitations_get (const HlCavitations *self, int index) {
  return &g_array_index (self->entries, HlCavitation, index);
}

/* Returns the entry of a line and kind, a new one when there is none. */
static HlCavitation *entry_of (HlCavitations *self, HlDoubt kind, int line, double since) {
  Watch *watch = &self->watches[line];

  if (watch->entry[kind] < 0) {
    HlCavitation entry = {.kind = kind,
                          .line = line,
                          .cushion = -1,
                          .since = since,
                          .lowest = kind == HL_DOUBT_BURSTS ? -INFINITY : INFINITY,
                          .lowest_at = since};
    watch->entry[kind] = (int)self->entries->len;
    g_array_append_val (self->entries, entry);
  }
  return &g_array_index (self->entries, HlCavitation, watch->entry[kind]);
}

static bool note_cavitation (HlCavitations *self, HlDoubt kind, int line, double since, double t,
                             double pressure) {
  HlCavitation *entry = entry_of (self, kind, line, since);
  bool is_beyond = kind == HL_DOUBT_BURSTS ? pressure > entry->lowest : pressure < entry->lowest;

  if (is_beyond) {
    entry->lowest = pressure;
    entry->lowest_at = t;
  }
  return is_beyond;
}

static void note_pull (HlCavitations *self, int line, int cushion, double since, double t, double pressure) {
  if (note_cavitation (self, HL_DOUBT_PULLS, line, since, t, pressure))
    entry_of (self, HL_DOUBT_PULLS, line, since)->cushion = cushion;
}

int hl_cavitations_look (HlCavitations *self, const HlSystem *sys, int line, int cushion, double t,
                         double pressure, bool jumped, double *at) {
  double limit = sys->fluid.vapour_pressure, onset = hl_fluid_onset (&sys->fluid);
  Watch *watch = &self->watches[line];
  /* the quasistatic network lets no pressure fall below the onset, and holds it there */
  gboolean is_held = fabs (pressure - onset) <= HELD * onset;
  gboolean is_below = pressure < limit - HL_CAVITATION_MARGIN || is_held;
  gboolean was_below = watch->is_below;

  limit = is_held ? onset : limit;

  if (is_below != was_below) {
    double part =
        jumped || isnan (watch->pressure) ? 1.0 : (limit - watch->pressure) / (pressure - watch->pressure);
    double when = watch->t + fmin (fmax (part, 0.0), 1.0) * (t - watch->t);
    if (jumped || !isfinite (when))
      when = t;
    if (at != NULL)
      *at = when;
    if (is_below)
      note_pull (self, line, cushion, when, t, pressure);
  } else if (is_below)
    note_pull (self, line, cushion, t, t, pressure);
  watch->t = t;
  watch->pressure = pressure;
  watch->is_below = is_below;
  return (int)is_below - (int)was_below;
}

void hl_cavitations_look_at_point (HlCavitations *self, const HlSystem *sys, const HlPoint *point) {
  double onset = hl_fluid_onset (&sys->fluid);

  for (int k = 0; k < sys->n_pressures; k++)
    if (point->p[k] < onset - HL_CAVITATION_MARGIN)
      note_cavitation (self, HL_DOUBT_POCKET, sys->topology->line_of_pressure[k], NAN, NAN, point->p[k]);
    else if (point->p[k] > sys->pressure_limit)
      note_cavitation (self, HL_DOUBT_BURSTS, sys->topology->line_of_pressure[k], NAN, NAN, point->p[k]);
}

/* --- the ledger of the lumped model --- */

int hl_cavitations_n_events (const HlCavitations *self) {
  return self != NULL ? (int)self->events->len : 0;
}

const HlOilEvent *hl_cavitations_get_event (const HlCavitations *self, int index) {
  return &g_array_index (self->events, HlOilEvent, index);
}

void hl_cavitations_add_event (HlCavitations *self, const HlSystem *sys, const HlOilEvent *event,
                               const int feeds[]) {
  HlDoubt kind = event->kind == HL_LEDGER_OVER_LIMIT ? HL_DOUBT_BURSTS : HL_DOUBT_POCKET;
  guint at = self->events->len;

  (void)sys;
  /* two lines within one step are found one after the other */
  while (at > 0 && g_array_index (self->events, HlOilEvent, at - 1).t > event->t)
    at--;
  if (self->events->len < HL_OIL_LEDGER_MOST)
    g_array_insert_val (self->events, at, *event);
  HlCavitation *entry = entry_of (self, kind, event->line, event->t);
  if (event->kind == HL_LEDGER_POCKET_OPENS)
    entry->n++;
  if (event->kind == HL_LEDGER_POCKET_COLLAPSES && event->rate > entry->hardest) {
    entry->hardest = event->rate;
    entry->hardest_at = event->t;
  }
  for (int k = 0; feeds != NULL && feeds[k] >= 0 && entry->n_feeds < HL_MOST_FEEDS; k++)
    entry->feeds[entry->n_feeds++] = feeds[k];
}

void hl_cavitations_note_pressure (HlCavitations *self, const HlSystem *sys, int line, double t,
                                   double pressure) {
  Watch *watch = &self->watches[line];

  if (pressure < hl_fluid_onset (&sys->fluid) && watch->entry[HL_DOUBT_POCKET] >= 0)
    note_cavitation (self, HL_DOUBT_POCKET, line, t, t, pressure);
  if (pressure > sys->pressure_limit && watch->entry[HL_DOUBT_BURSTS] >= 0)
    note_cavitation (self, HL_DOUBT_BURSTS, line, t, t, pressure);
  watch->t = t;
  watch->pressure = pressure;
}

double hl_cavitations_last_pressure (const HlCavitations *self, int line, double *t) {
  *t = self->watches[line].t;
  return self->watches[line].pressure;
}

char *hl_oil_event_text (const HlSystem *sys, const HlOilEvent *event) {
  const char *id = hl_system_entity_id (sys, HL_ENTITY_LINE, event->line);

  switch (event->kind) {
  case HL_LEDGER_POCKET_OPENS:
    return g_strdup_printf (_ ("a vapour cavity opens in %s"), id);
  case HL_LEDGER_POCKET_COLLAPSES:
    return g_strdup_printf (_ ("the vapour cavity in %s collapses, and the pressure rises by %s Pa/s"), id,
                            hl_shown (event->rate, 4).text);
  case HL_LEDGER_OVER_LIMIT:
    break;
  }
  return g_strdup_printf (_ ("%s rises above %s Pa"), id, hl_shown (sys->pressure_limit, 4).text);
}

/* --- words --- */

static char *pocket_what (const HlSystem *sys, const HlCavitation *pocket) {
  double onset = hl_fluid_onset (&sys->fluid);

  if (isnan (pocket->since))
    return g_strdup_printf (
        _ ("the line contains a vapour cavity: its pressure is %s Pa, below %s Pa absolute"),
        hl_shown (pocket->lowest, 4).text, hl_shown (onset, 4).text);
  g_autofree char *opens = g_strdup_printf (
      ngettext ("a vapour cavity opens in the line at t = %s s, and its pressure falls to %s Pa at t = %s s",
                "a vapour cavity opens in the line at t = %s s and again later, and its pressure falls to %s "
                "Pa at t = %s s",
                (gulong)MAX (pocket->n, 1)),
      hl_shown (pocket->since, 6).text, hl_shown (pocket->lowest, 4).text,
      hl_shown (pocket->lowest_at, 6).text);
  if (!(pocket->hardest > 0.0))
    return g_steal_pointer (&opens);
  g_autofree char *slams = g_strdup_printf (
      _ ("the hardest collapse is at t = %s s, where the pressure begins to rise by %s Pa/s"),
      hl_shown (pocket->hardest_at, 6).text, hl_shown (pocket->hardest, 4).text);
  return g_strdup_printf ("%s; %s", opens, slams);
}

static char *burst_what (const HlSystem *sys, const HlCavitation *burst) {
  g_autoptr (GString) text = g_string_new (NULL);

  if (isnan (burst->since))
    return hl_number_localize (g_strdup_printf (
        _ ("the pressure of this line is %.4g Pa, above %.4g Pa (simulation.pressure_limit)"), burst->lowest,
        sys->pressure_limit));
  g_string_printf (text,
                   _ ("the pressure of this line rises above %s Pa (simulation.pressure_limit) at t = %s s, "
                      "up to %s Pa at t = %s s"),
                   hl_shown (sys->pressure_limit, 4).text, hl_shown (burst->since, 6).text,
                   hl_shown (burst->lowest, 4).text, hl_shown (burst->lowest_at, 6).text);
  for (int k = 0; k < burst->n_feeds; k++)
    g_string_append_printf (text, k == 0 ? _ ("; ‘%s’ feeds the line") : ", ‘%s’",
                            hl_system_entity_id (sys, HL_ENTITY_COMPONENT, burst->feeds[k]));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *hl_cavitation_what (const HlSystem *sys, const HlCavitation *cavitation) {
  if (cavitation->kind == HL_DOUBT_BURSTS)
    return burst_what (sys, cavitation);
  if (cavitation->kind == HL_DOUBT_POCKET)
    return pocket_what (sys, cavitation);
  if (cavitation->cushion >= 0)
    return g_strdup_printf (_ ("the oil behind a cushion of ‘%s’ would be under tension: its pressure falls "
                               "below %s Pa absolute at t = %s s, down to %s Pa at t = %s s"),
                            hl_system_entity_id (sys, HL_ENTITY_COMPONENT, cavitation->cushion),
                            hl_shown (sys->fluid.vapour_pressure, 4).text,
                            hl_shown (cavitation->since, 6).text, hl_shown (cavitation->lowest, 4).text,
                            hl_shown (cavitation->lowest_at, 6).text);
  if (cavitation->lowest > sys->fluid.vapour_pressure)
    return g_strdup_printf (_ ("the oil of this line would be under tension: the pressure is held at %s Pa "
                               "absolute from t = %s s, where vapour forms"),
                            hl_shown (cavitation->lowest, 4).text, hl_shown (cavitation->since, 6).text);
  return g_strdup_printf (_ ("the oil of this line would be under tension: the pressure falls below %s Pa "
                             "absolute at t = %s s, down to %s Pa at t = %s s"),
                          hl_shown (sys->fluid.vapour_pressure, 4).text, hl_shown (cavitation->since, 6).text,
                          hl_shown (cavitation->lowest, 4).text, hl_shown (cavitation->lowest_at, 6).text);
}

const char *hl_cavitation_advice (const HlSystem *sys, const HlCavitation *cavitation) {
  if (cavitation->kind == HL_DOUBT_BURSTS)
    return _ ("give the line a relief valve, or more volume where a load stops abruptly");
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].pressure < VACUUM)
      return cavitation->kind == HL_DOUBT_POCKET
                 ? _ ("pressures are absolute; set the tank to atmospheric pressure, 1e5 Pa")
                 : _ ("pressures are absolute; set the tank to atmospheric pressure, 1e5 Pa; oil that is "
                      "still under tension then cavitates, which this model does not show");
  if (cavitation->kind == HL_DOUBT_POCKET)
    return _ ("add a suction valve or a wider path from the tank, increase the tank pressure, or move the "
              "load more slowly");
  if (cavitation->cushion >= 0)
    return _ ("real oil would cavitate, which this model does not show, so do not trust the run after this "
              "time; give the cushion a larger area, add a check valve to the cushion, increase "
              "the tank pressure, or move the load more slowly");
  /* oil that keeps its volume passes what a pump gives at t = 0 on to the load at once */
  if (cavitation->since <= 0.0 && cavitation->lowest_at <= 0.0)
    return _ ("real oil would cavitate, which this model does not show, so do not trust the run after this "
              "time; if a pump runs from t = 0, let the flow of the pump rise from 0, because incompressible "
              "oil moves the load at once; otherwise add a suction valve or a wider path from the tank, "
              "increase the tank pressure, or move the load more slowly");
  return _ ("real oil would cavitate, which this model does not show, so do not trust the run after this "
            "time; add a suction valve or a wider path from the tank, increase the tank pressure, or move "
            "the load more slowly");
}

char *hl_cavitation_text (const HlSystem *sys, const HlCavitation *cavitation) {
  g_autofree char *what = hl_cavitation_what (sys, cavitation);

  return g_strdup_printf (_ ("Line ‘%s’: %s; %s"),
                          hl_system_entity_id (sys, HL_ENTITY_LINE, cavitation->line), what,
                          hl_cavitation_advice (sys, cavitation));
}
