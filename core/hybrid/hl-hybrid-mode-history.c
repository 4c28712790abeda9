/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-mode-history.h"

#include "core/base/hl-translation-macros.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

struct _HlModeHistory {
  gatomicrefcount ref_count;
  HlSystem *sys;
  GArray *ledger;
  GArray *modes;
  GArray *visits;
  GArray *transitions;
  GHashTable *index_of_mode; /* key text -> mode + 1 */
  int present;               /* mode, -1 = none yet */
  double since;
  GString *causes; /* simultaneous events since the latest mode began */
  double causes_t;
  HlVisitedMode last; /* the end of the run */
  gboolean has_last;
};

static void clear_entry (gpointer data) {
  g_free (((HlLedgerEntry *)data)->id);
}

static void clear_mode (gpointer data) {
  HlVisitedMode *mode = data;

  g_strfreev (mode->closed);
  g_strfreev (mode->stops);
  g_free (mode->closed_components);
  g_free (mode->touched);
  hl_point_free (mode->point);
  g_free (mode->flow);
  g_free (mode->shut_edges);
  g_strfreev (mode->soft_ids);
  g_free (mode->soft);
}

static void clear_transition (gpointer data) {
  g_free (((HlTransition *)data)->cause);
}

static GArray *new_array (gsize size, GDestroyNotify clear) {
  GArray *array = g_array_new (FALSE, FALSE, (guint)size);

  if (clear != NULL)
    g_array_set_clear_func (array, clear);
  return array;
}

HlModeHistory *hl_mode_history_new (const HlSystem *sys) {
  HlModeHistory *self = g_new0 (HlModeHistory, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->sys = hl_system_ref ((HlSystem *)sys);
  self->ledger = new_array (sizeof (HlLedgerEntry), clear_entry);
  self->modes = new_array (sizeof (HlVisitedMode), clear_mode);
  self->visits = new_array (sizeof (HlVisit), NULL);
  self->transitions = new_array (sizeof (HlTransition), clear_transition);
  self->index_of_mode = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->present = -1;
  self->causes = g_string_new (NULL);
  self->causes_t = NAN;
  return self;
}

HlModeHistory *hl_mode_history_ref (HlModeHistory *self) {
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void hl_mode_history_unref (HlModeHistory *self) {
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  GArray *arrays[] = {self->ledger, self->modes, self->visits, self->transitions};
  for (gsize k = 0; k < G_N_ELEMENTS (arrays); k++)
    g_array_unref (arrays[k]);
  if (self->has_last)
    clear_mode (&self->last);
  g_hash_table_unref (self->index_of_mode);
  g_string_free (self->causes, TRUE);
  hl_system_unref (self->sys);
  g_free (self);
}

/* --- filling --- */

static void record_event (const HlSimEvent *event, void *data) {
  HlModeHistory *self = data;
  HlLedgerEntry entry = {.t = event->t,
                         .kind = event->kind,
                         .id = g_strdup (hl_system_entity_id (self->sys, event->entity_kind, event->entity)),
                         .upper = event->upper,
                         .follows = event->follows,
                         .impulse = event->impulse};

  if (event->kind < HL_SIM_CAVITATES && !event->follows) {
    g_autofree char *text = hl_ledger_entry_text (&entry);
    if (event->t != self->causes_t)
      g_string_truncate (self->causes, 0);
    g_string_append_printf (self->causes, "%s%s", self->causes->len > 0 ? ", " : "", text);
    self->causes_t = event->t;
  }
  if (self->ledger->len < HL_MODE_HISTORY_MOST)
    g_array_append_val (self->ledger, entry);
  else
    clear_entry (&entry);
}

static char *key_of (const HlSimMode *mode) {
  GString *key = g_string_new (NULL);

  for (int k = 0; k < mode->n_closed; k++)
    g_string_append_printf (key, "%d ", mode->closed[k]);
  for (int k = 0; k < mode->n_stops; k++)
    g_string_append_printf (key, "%d%c ", mode->stops[k].component, mode->stops[k].upper ? 'u' : 'l');
  for (int k = 0; k < mode->n_soft; k++)
    g_string_append_printf (key, "%ds ", mode->soft[k]);
  return g_string_free (key, FALSE);
}

static HlVisitedMode copy_mode (const HlModeHistory *self, const HlSimMode *from) {
  g_autoptr (GStrvBuilder) closed = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) stops = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) soft = g_strv_builder_new ();
  size_t size = 3 * (size_t)hl_system_n_bodies (self->sys) * sizeof (double);
  HlVisitedMode mode = {
      .n_closed = from->n_closed, .n_touched = from->n_stops, .point = hl_point_new (self->sys)};

  for (int k = 0; k < from->n_closed; k++)
    g_strv_builder_add (closed, hl_system_entity_id (self->sys, HL_ENTITY_COMPONENT, from->closed[k]));
  for (int k = 0; k < from->n_stops; k++) {
    const HlHybridStop *stop = &from->stops[k];
    g_autofree char *name =
        g_strconcat (hl_system_entity_id (self->sys, HL_ENTITY_COMPONENT, stop->component),
                     stop->upper ? ":upper" : ":lower", NULL);
    g_strv_builder_add (stops, name);
  }
  mode.closed = g_strv_builder_end (closed);
  mode.stops = g_strv_builder_end (stops);
  mode.closed_components = g_memdup2 (from->closed, (gsize)from->n_closed * sizeof (int));
  mode.touched = g_memdup2 (from->stops, (gsize)from->n_stops * sizeof (HlHybridStop));
  mode.point->t = from->t;
  memcpy (mode.point->x, from->x, size);
  memcpy (mode.point->v, from->v, size);
  memcpy (mode.point->p, from->p, (size_t)self->sys->n_pressures * sizeof (double));
  memcpy (mode.point->u, from->u, (size_t)self->sys->topology->n_states_u * sizeof (double));
  mode.flow = g_memdup2 (from->flow, (gsize)from->n_flows * sizeof (double));
  mode.n_shut_edges = from->n_shut_edges;
  mode.shut_edges = g_memdup2 (from->shut_edges, (gsize)from->n_shut_edges * sizeof (int));
  for (int k = 0; k < from->n_soft; k++)
    g_strv_builder_add (soft, hl_system_entity_id (self->sys, HL_ENTITY_LINE, from->soft[k]));
  mode.soft_ids = g_strv_builder_end (soft);
  mode.n_soft = from->n_soft;
  mode.soft = g_memdup2 (from->soft, (gsize)from->n_soft * sizeof (int));
  return mode;
}

static void leave_present (HlModeHistory *self, double t) {
  if (self->present < 0)
    return;
  g_array_index (self->modes, HlVisitedMode, (guint)self->present).dwell += t - self->since;
  if (self->visits->len > 0) {
    HlVisit *last = &g_array_index (self->visits, HlVisit, self->visits->len - 1);
    if (isnan (last->to))
      last->to = t;
  }
  self->since = t;
}

static void count_transition (HlModeHistory *self, int from, int to, double t) {
  for (guint k = 0; k < self->transitions->len; k++) {
    HlTransition *known = &g_array_index (self->transitions, HlTransition, k);
    if (known->from != from || known->to != to)
      continue;
    known->count++;
    return;
  }
  HlTransition transition = {.from = from,
                             .to = to,
                             .count = 1,
                             .first = t,
                             .cause = g_strdup (self->causes_t == t ? self->causes->str : "")};
  g_array_append_val (self->transitions, transition);
}

static void record_mode (const HlSimMode *mode, void *data) {
  HlModeHistory *self = data;
  char *key = key_of (mode);
  gpointer known = g_hash_table_lookup (self->index_of_mode, key);
  int index = known != NULL ? GPOINTER_TO_INT (known) - 1 : (int)self->modes->len;

  if (mode->ends) {
    g_free (key);
    self->last = copy_mode (self, mode);
    self->has_last = TRUE;
    return;
  }
  if (known == NULL) {
    HlVisitedMode new_mode = copy_mode (self, mode);
    g_array_append_val (self->modes, new_mode);
    g_hash_table_insert (self->index_of_mode, key, GINT_TO_POINTER (index + 1));
  } else
    g_free (key);
  leave_present (self, mode->t);
  if (self->present >= 0)
    count_transition (self, self->present, index, mode->t);
  g_array_index (self->modes, HlVisitedMode, (guint)index).n_visits++;
  self->present = index;
  self->since = mode->t;
  HlVisit visit = {.mode = index, .from = mode->t, .to = NAN};
  if (self->visits->len < HL_MODE_HISTORY_MOST)
    g_array_append_val (self->visits, visit);
}

void hl_mode_history_attach (HlModeHistory *self, HlSimOptions *options) {
  options->event = record_event;
  options->mode = record_mode;
  options->event_data = self;
}

void hl_mode_history_end (HlModeHistory *self, double t) {
  leave_present (self, t);
}

/* --- reading --- */

const HlSystem *hl_mode_history_system (const HlModeHistory *self) {
  return self->sys;
}

const GArray *hl_mode_history_ledger (const HlModeHistory *self) {
  return self->ledger;
}

const GArray *hl_mode_history_modes (const HlModeHistory *self) {
  return self->modes;
}

const GArray *hl_mode_history_transitions (const HlModeHistory *self) {
  return self->transitions;
}

int hl_mode_history_mode_at (const HlModeHistory *self, double t) {
  guint low = 0, high = self->visits->len; /* visits before `low` begin at t or earlier */

  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (self->visits, HlVisit, middle).from <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? -1 : g_array_index (self->visits, HlVisit, low - 1).mode;
}

HlHybridPlace hl_visited_mode_place (const HlVisitedMode *mode) {
  return (HlHybridPlace){.t = mode->point->t,
                         .x = mode->point->x,
                         .v = mode->point->v,
                         .flow = mode->flow,
                         .p = mode->point->p,
                         .u = mode->point->u};
}

HlHybridChoice hl_visited_mode_choice (const HlVisitedMode *mode) {
  return (HlHybridChoice){.closed = mode->closed_components,
                          .n_closed = mode->n_closed,
                          .stops = mode->touched,
                          .n_stops = mode->n_touched,
                          .shut_edges = mode->shut_edges,
                          .n_shut_edges = mode->n_shut_edges,
                          .soft = mode->soft,
                          .n_soft = mode->n_soft};
}

const HlVisitedMode *hl_mode_history_last (const HlModeHistory *self) {
  return self->has_last ? &self->last : NULL;
}

/* --- words --- */

char *hl_ledger_entry_text (const HlLedgerEntry *entry) {
  switch (entry->kind) {
  case HL_SIM_CLOSES:
    return g_strdup_printf (_ ("%s closes"), entry->id);
  case HL_SIM_OPENS:
    return g_strdup_printf (_ ("%s opens"), entry->id);
  case HL_SIM_HITS_STOP:
    return g_strdup_printf (entry->upper ? _ ("%s hits its upper stop") : _ ("%s hits its lower stop"),
                            entry->id);
  case HL_SIM_LEAVES_STOP:
    return g_strdup_printf (entry->upper ? _ ("%s leaves its upper stop") : _ ("%s leaves its lower stop"),
                            entry->id);
  case HL_SIM_IS_SHUT:
    return g_strdup_printf (_ ("%s is closed by its command"), entry->id);
  case HL_SIM_IS_OPENED:
    return g_strdup_printf (_ ("%s is opened by its command"), entry->id);
  case HL_SIM_CAVITATES:
    return g_strdup_printf (_ ("%s cavitates"), entry->id);
  case HL_SIM_FILLS:
    return g_strdup_printf (_ ("%s is filled again"), entry->id);
  case HL_SIM_TEARS:
    return g_strdup_printf (_ ("cavitation begins in %s"), entry->id);
  case HL_SIM_GIVES_WAY:
    return g_strdup_printf (_ ("the oil in %s is compressible from now on"), entry->id);
  }
  return g_strdup (entry->id);
}

const char *hl_ledger_entry_unit (const HlLedgerEntry *entry) {
  return entry->kind == HL_SIM_HITS_STOP || entry->kind == HL_SIM_LEAVES_STOP ? "N s" : "Pa s";
}

char *hl_visited_mode_text (const HlVisitedMode *mode) {
  GString *text = g_string_new (NULL);

  if (mode->n_closed > 0) {
    g_autofree char *ids = g_strjoinv (", ", mode->closed);
    g_string_append_printf (text, _ ("%s closed"), ids);
  }
  for (int k = 0; k < mode->n_touched; k++) {
    g_autofree char *id = g_strndup (mode->stops[k], strcspn (mode->stops[k], ":"));
    g_string_append (text, text->len > 0 ? "; " : "");
    g_string_append_printf (
        text, mode->touched[k].upper ? _ ("%s at its upper stop") : _ ("%s at its lower stop"), id);
  }
  if (mode->n_soft > 0) {
    g_autofree char *ids = g_strjoinv (", ", mode->soft_ids);
    g_string_append (text, text->len > 0 ? "; " : "");
    g_string_append_printf (text, _ ("the oil in %s is compressible"), ids);
  }
  if (text->len == 0)
    g_string_append (text, _ ("all valves open, all pistons free"));
  return g_string_free (text, FALSE);
}

HlModeHistory *hl_mode_history_until (const HlSystem *sys, double t, bool (*cancel) (void *data),
                                      void *cancel_data, HlFault *fault) {
  HlSimOptions options = hl_sim_options_from_model (sys);
  g_autoptr (HlModeHistory) history = hl_mode_history_new (sys);

  options.model = HL_MODEL_HYBRID;
  options.formulation = HL_FORMULATION_REDUCED;
  options.t_end = options.every = t;
  options.cancel = cancel;
  options.cancel_data = cancel_data;
  hl_mode_history_attach (history, &options);
  if (hl_simulate (sys, &options, NULL, fault) != HL_OK || hl_mode_history_last (history) == NULL)
    return NULL;
  return g_steal_pointer (&history);
}
