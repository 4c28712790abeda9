/* SPDX-License-Identifier: MIT */
#include "ui/workbench/hl-workbench-hub.h"

struct _HlHub {
  GObject parent_instance;
  HlEditing *editing;
  HlRuns *runs;
  HlManualRun *driving;
  HlRunner *runner;
  const HlUnit *const *units;
  guint noted; /* HlChange flags */
};

G_DEFINE_FINAL_TYPE (HlHub, hl_hub, G_TYPE_OBJECT)

enum {
  ANNOUNCE,
  WAKE,
  FRAME,
  START_OVER,
  PREFER_UNIT,
  DOCUMENT,
  SYSTEM,
  NUMBERS,
  POINT,
  STALE,
  TIME,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void hl_hub_class_init (HlHubClass *klass) {
  const struct {
    const char *name;
    guint n; /* arguments */
    GType first, second;
  } kinds[N_SIGNALS] = {{"announce", 1, G_TYPE_UINT, 0},
                        {"wake", 0, 0, 0},
                        {"frame", 0, 0, 0},
                        {"start-over", 0, 0, 0},
                        {"prefer-unit", 1, G_TYPE_POINTER, 0},
                        {"document", 0, 0, 0},
                        {"system", 0, 0, 0},
                        {"numbers", 1, G_TYPE_POINTER, 0},
                        {"point", 2, G_TYPE_POINTER, G_TYPE_POINTER},
                        {"stale", 0, 0, 0},
                        {"time", 0, 0, 0}};

  for (int k = 0; k < N_SIGNALS; k++)
    signals[k] = g_signal_new (kinds[k].name, HL_TYPE_HUB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, kinds[k].n, kinds[k].first, kinds[k].second);
}

static void hl_hub_init (HlHub *self) {
}

HlHub *hl_hub_new (void) {
  return g_object_new (HL_TYPE_HUB, NULL);
}

void hl_hub_place (HlHub *self, HlEditing *editing, HlRuns *runs, HlManualRun *driving,
                   const HlUnit *const *units) {
  self->editing = editing;
  self->runs = runs;
  self->driving = driving;
  self->units = units;
}

void hl_hub_set_runner (HlHub *self, HlRunner *runner) {
  self->runner = runner;
}

HlEditing *hl_hub_editing (HlHub *self) {
  return self->editing;
}

HlRuns *hl_hub_runs (HlHub *self) {
  return self->runs;
}

HlManualRun *hl_hub_manual_run (HlHub *self) {
  return self->driving;
}

const HlUnit *const *hl_hub_units (HlHub *self) {
  return self->units;
}

HlRunner *hl_hub_runner (HlHub *self) {
  return self->runner;
}

void hl_hub_announce (HlHub *self, guint changes) {
  g_signal_emit (self, signals[ANNOUNCE], 0, changes);
}

void hl_hub_note (HlHub *self, guint changes) {
  self->noted |= changes;
}

void hl_hub_wake (HlHub *self, guint changes) {
  self->noted |= changes;
  g_signal_emit (self, signals[WAKE], 0);
}

guint hl_hub_noted (HlHub *self, gboolean take) {
  guint noted = self->noted;

  if (take)
    self->noted = 0;
  return noted;
}

void hl_hub_frame (HlHub *self) {
  g_signal_emit (self, signals[FRAME], 0);
}

void hl_hub_start_over (HlHub *self) {
  g_signal_emit (self, signals[START_OVER], 0);
}

void hl_hub_prefer_unit (HlHub *self, const HlUnit *unit) {
  g_signal_emit (self, signals[PREFER_UNIT], 0, unit);
}

void hl_hub_notify_document (HlHub *self) {
  g_signal_emit (self, signals[DOCUMENT], 0);
}

void hl_hub_notify_system (HlHub *self) {
  g_signal_emit (self, signals[SYSTEM], 0);
}

void hl_hub_notify_numbers (HlHub *self, const char *const *paths) {
  g_signal_emit (self, signals[NUMBERS], 0, paths);
}

void hl_hub_notify_point (HlHub *self, const HlLinearization *before, const HlLinearization *now) {
  g_signal_emit (self, signals[POINT], 0, before, now);
}

void hl_hub_notify_stale (HlHub *self) {
  g_signal_emit (self, signals[STALE], 0);
}

void hl_hub_notify_time (HlHub *self) {
  g_signal_emit (self, signals[TIME], 0);
}
