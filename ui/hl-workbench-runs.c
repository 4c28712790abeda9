/* SPDX-License-Identifier: MIT */
/* Every run that a person asked for is kept with its document until memory is needed; a run of the
 * same model (a plot or a place on the sheet was edited) takes the place of the one before. */
#include "ui/hl-workbench-drive.h"
#include "ui/hl-workbench-private.h"

#include "core/document/hl-compare.h"
#include "core/document/hl-edit.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-plot-panel.h"
#include "core/document/hl-trace.h"

#include <string.h>

/* --- kept runs --- */

GPtrArray *
hl_workbench_runs (HlWorkbench *self)
{
  return self->runs;
}

gsize
hl_workbench_runs_bytes (HlWorkbench *self)
{
  gsize bytes = 0;

  for (guint i = 0; i < self->runs->len; i++)
    bytes += hl_results_bytes (((const HlRun *)self->runs->pdata[i])->results);
  return bytes;
}

gsize
hl_workbench_runs_limit (HlWorkbench *self)
{
  return self->runs_limit;
}

const char *
hl_workbench_runs_news (HlWorkbench *self)
{
  return self->runs_news;
}

static void
tell (HlWorkbench *self, guint n_gone, const char *last_title)
{
  g_autofree char *limit = g_format_size (self->runs_limit);

  g_clear_pointer (&self->runs_news, g_free);
  if (hl_workbench_runs_bytes (self) > self->runs_limit)
    self->runs_news =
        g_strdup_printf (_ ("runs take more than %s: pinned ones are never forgotten"), limit);
  else if (n_gone > 0)
    self->runs_news = g_strdup_printf (_ ("“%s” was forgotten: %d runs or %s are kept"), last_title,
                                       HL_RUNS_MOST, limit);
}

static void
make_room (HlWorkbench *self)
{
  g_autofree char *last_title = NULL;
  guint n_gone = 0;

  while (self->runs->len > HL_RUNS_MOST || hl_workbench_runs_bytes (self) > self->runs_limit) {
    guint oldest = 0;
    while (oldest < self->runs->len && (((const HlRun *)self->runs->pdata[oldest])->pinned ||
                                        self->runs->pdata[oldest] == self->shown))
      oldest++;
    if (oldest == self->runs->len)
      break;
    g_free (last_title);
    last_title = hl_run_title (self->runs->pdata[oldest]);
    n_gone++;
    g_ptr_array_remove_index (self->runs, oldest);
  }
  tell (self, n_gone, last_title);
}

void
hl_workbench_set_runs_limit (HlWorkbench *self, gsize bytes)
{
  self->runs_limit = bytes;
  make_room (self);
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

void
hl_workbench_keep_run (HlWorkbench *self, HlRun *run)
{
  HlRun *last = self->runs->len > 0 ? self->runs->pdata[self->runs->len - 1] : NULL;

  if (last != NULL && !run->aside && !last->aside && !run->is_driven && !last->is_driven &&
      last->t_end == run->t_end && hl_document_same_model (last->document, run->document)) {
    run->number = last->number;
    run->pinned = last->pinned;
    run->name = g_strdup (last->name);
    g_ptr_array_remove_index (self->runs, self->runs->len - 1);
  }
  if (run->number == 0)
    run->number = ++self->n_runs_made;
  g_ptr_array_add (self->runs, hl_run_ref (run));
  make_room (self);
}

void
hl_workbench_forget_runs (HlWorkbench *self)
{
  g_ptr_array_set_size (self->runs, 0);
  g_clear_pointer (&self->runs_news, g_free);
  g_queue_clear (&self->models);
  self->n_runs_made = 0;
  hl_workbench_forget_measured (self);
  self->has_span = FALSE;
}

void
hl_workbench_show_run (HlWorkbench *self, HlRun *run)
{
  if (run == self->shown)
    return;
  hl_run_ref (run);
  g_clear_pointer (&self->shown, hl_run_unref);
  self->shown = run;
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

void
hl_workbench_remove_run (HlWorkbench *self, HlRun *run)
{
  guint index;

  if (!g_ptr_array_find (self->runs, run, &index))
    return;
  if (run == self->shown)
    run->pinned = FALSE; /* it stays on the screen until another one is shown */
  g_ptr_array_remove_index (self->runs, index);
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

void
hl_workbench_restore_run (HlWorkbench *self, HlRun *run)
{
  guint index = 0;

  if (g_ptr_array_find (self->runs, run, NULL))
    return;
  while (index < self->runs->len && ((const HlRun *)self->runs->pdata[index])->number < run->number)
    index++;
  g_ptr_array_insert (self->runs, (int)index, hl_run_ref (run));
  make_room (self);
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

HlRun *
hl_workbench_find_run (HlWorkbench *self, const char *title)
{
  for (guint i = self->runs->len; i-- > 0;) {
    g_autofree char *own = hl_run_title (self->runs->pdata[i]);
    if (strcmp (own, title) == 0)
      return self->runs->pdata[i];
  }
  return NULL;
}

void
hl_workbench_rename_run (HlWorkbench *self, HlRun *run, const char *name)
{
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (hl_workbench_document (self));
  g_autofree char *before = hl_run_title (run);
  gboolean followed = FALSE;

  g_free (run->name);
  run->name = name != NULL && *name != '\0' ? g_strdup (name) : NULL;
  g_autofree char *after = hl_run_title (run);
  for (guint i = 0; i < panels->len; i++) {
    HlPlotPanel *panel = panels->pdata[i];
    if (g_strcmp0 (panel->run, before) != 0)
      continue;
    g_free (panel->run);
    panel->run = g_strdup (after);
    followed = TRUE;
  }
  if (followed)
    hl_workbench_set_panels (self, panels, _ ("Rename a run"));
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

void
hl_workbench_set_run_pinned (HlWorkbench *self, HlRun *run, gboolean pinned)
{
  if (run->pinned == pinned)
    return;
  run->pinned = pinned;
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

HlRun *
hl_workbench_pinned_run (HlWorkbench *self)
{
  for (guint i = self->runs->len; i-- > 0;) {
    HlRun *run = self->runs->pdata[i];
    if (run->pinned && run != self->shown)
      return run;
  }
  return NULL;
}

void
hl_workbench_pin_run (HlWorkbench *self, gboolean pin)
{
  for (guint i = 0; i < self->runs->len && !pin; i++)
    ((HlRun *)self->runs->pdata[i])->pinned = FALSE;
  if (pin && self->shown != NULL) {
    /* one that is still under way is kept from now on */
    if (!g_ptr_array_find (self->runs, self->shown, NULL))
      hl_workbench_keep_run (self, self->shown);
    self->shown->pinned = TRUE;
  }
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

/* --- models of the oil --- */

void
hl_workbench_compare_models (HlWorkbench *self)
{
  static const char *const models[] = {"lumped", "hybrid", "quasistatic"};
  const char *present =
      hl_document_object_text (hl_workbench_document (self), HL_SECTION_SIMULATION, "model");

  g_queue_clear (&self->models);
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    if (strcmp (models[i], present != NULL ? present : models[0]) != 0)
      g_queue_push_tail (&self->models, (gpointer)models[i]);
  hl_workbench_wake (self, 0);
}

void
hl_workbench_run_next_model (HlWorkbench *self)
{
  if (self->models.length == 0 || hl_workbench_is_running (self) || self->asked.length > 0)
    return;
  const char *model = g_queue_pop_head (&self->models);
  /* a formulation of one model is none of another */
  g_autoptr (HlDocument) bare =
      hl_edit_set (hl_workbench_document (self), "simulation", "formulation", NULL, NULL);
  g_autoptr (HlDocument) document =
      bare != NULL ? hl_edit_set (bare, "simulation", "model", hl_value_new_string (model), NULL)
                   : NULL;
  if (document != NULL)
    hl_workbench_ask_aside (self, document, model);
}

/* --- cursors --- */

gboolean
hl_workbench_span (HlWorkbench *self, double *a, double *b)
{
  *a = self->span[0];
  *b = self->span[1];
  return self->has_span;
}

void
hl_workbench_set_span (HlWorkbench *self, double a, double b)
{
  double t_end = hl_workbench_t_end (self);

  a = CLAMP (a, 0, t_end);
  b = CLAMP (b, 0, t_end);
  if (self->has_span && self->span[0] == a && self->span[1] == b)
    return;
  self->has_span = TRUE;
  self->span[0] = a;
  self->span[1] = b;
  hl_workbench_announce (self, HL_CHANGED_TIME);
}

void
hl_workbench_clear_span (HlWorkbench *self)
{
  if (!self->has_span)
    return;
  self->has_span = FALSE;
  hl_workbench_announce (self, HL_CHANGED_TIME);
}

/* --- traces and panels --- */

typedef struct
{
  const HlDocument *document;
  GPtrArray *entries;
} Listing;

static void
list_cb (const char *path, const char *unit, void *data)
{
  Listing *listing = data;
  g_ptr_array_add (listing->entries, hl_trace_entry_new (listing->document, path));
}

GPtrArray *
hl_workbench_trace_entries (HlWorkbench *self)
{
  const HlDocument *document = hl_workbench_document (self);
  Listing listing = {document, hl_trace_entries_of_probes (document)};

  if (self->system != NULL)
    hl_observable_visit (self->system, list_cb, &listing);
  return listing.entries;
}

void
hl_workbench_set_panels (HlWorkbench *self, GPtrArray *panels, const char *step)
{
  hl_workbench_commit (self, hl_edit_set_plots (hl_workbench_document (self), panels), step, NULL);
}

/* Whether the run that is shown has a column for every trace of the plots. */
static gboolean
is_recorded (HlWorkbench *self)
{
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (hl_workbench_document (self));
  g_auto (GStrv) paths = hl_plot_panels_paths (panels, hl_workbench_document (self));

  if (self->shown == NULL)
    return FALSE;
  for (char **path = paths; *path != NULL; path++)
    if (hl_results_find_column (self->shown->results, *path) < 0 && self->system != NULL &&
        hl_observable_find (self->system, *path, &(HlObservable){0}))
      return FALSE;
  return TRUE;
}

/* What runs, knobs and the locus with its other poles are made of besides the model. */
static gboolean
same_questions (const HlDocument *a, const HlDocument *b)
{
  static const char *const keys[] = {"probes", "sliders", "parameter_sets"};

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    const HlValue *x = hl_value_member (hl_document_root (a), keys[i]);
    const HlValue *y = hl_value_member (hl_document_root (b), keys[i]);
    if (x != y && (x == NULL || y == NULL || !hl_value_equal (x, y)))
      return FALSE;
  }
  return TRUE;
}

void
hl_workbench_invalidate_after (HlWorkbench *self, const HlDocument *before)
{
  const HlDocument *now = hl_workbench_document (self);
  gboolean picture_only = self->stale <= STALE_FINDINGS && self->point != NULL &&
                          hl_document_same_model (before, now) && same_questions (before, now) &&
                          is_recorded (self);

  /* a drive goes on as long as it can; a trace that it does not record waits for the next run */
  if (!picture_only && hl_workbench_is_driving (self) && self->stale <= STALE_FINDINGS)
    picture_only = hl_document_same_model (before, now) || hl_workbench_tune_drive (self, before);
  hl_workbench_invalidate (self, picture_only ? STALE_FINDINGS : STALE_SYSTEM);
}
