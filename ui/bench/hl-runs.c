/* SPDX-License-Identifier: MIT */
/* The run that is shown, the time cursor in it, and what plots show. */
#include "ui/bench/hl-runs.h"

#include "core/edit/hl-compare.h"
#include "core/edit/hl-edit.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/document/hl-plot-panel.h"
#include "core/document/hl-trace.h"
#include "core/system/hl-observable.h"
#include "ui/bench/hl-driving-peer.h"
#include "ui/bench/hl-locus-study-peer.h"
#include "ui/bench/hl-measured-shelf-peer.h"
#include "ui/bench/hl-runs-private.h"
#include "ui/paint/base/hl-scene.h"

#include <math.h>

#define SHORTEST_DRIVE 0.01 /* [s] */

HlRuns *
hl_runs_new (HlWorkbench *hub)
{
  HlRuns *self = g_new0 (HlRuns, 1);

  self->hub = hub;
  g_queue_init (&self->asked);
  g_queue_init (&self->models);
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_run_unref);
  self->limit = HL_RUNS_MOST_BYTES;
  self->measured = hl_measured_shelf_new (hub);
  return self;
}

void
hl_runs_free (HlRuns *self)
{
  hl_runs_drop_asked (self);
  hl_runs_drop_models (self);
  g_clear_pointer (&self->shown, hl_run_unref);
  g_ptr_array_unref (self->kept);
  g_free (self->news);
  hl_measured_shelf_free (self->measured);
  g_free (self);
}

void
hl_runs_forget (HlRuns *self)
{
  hl_runner_stop (hl_workbench_runner (self->hub));
  hl_runs_drop_asked (self);
  hl_runs_drop_models (self);
  g_clear_pointer (&self->shown, hl_run_unref);
  g_ptr_array_set_size (self->kept, 0);
  g_clear_pointer (&self->news, g_free);
  self->n_made = 0;
  hl_measured_shelf_forget (self->measured);
  self->time = 0;
  self->has_span = FALSE;
}

void
hl_runs_follow_document (HlRuns *self)
{
  hl_measured_shelf_follow (self->measured);
}

HlMeasuredShelf *
hl_runs_measured (HlRuns *self)
{
  return self->measured;
}

/* --- the run that is shown --- */

void
hl_runs_start (HlRuns *self)
{
  hl_driving_leave (hl_workbench_driving (self->hub), NULL);
  hl_editing_solve_anew (hl_workbench_editing (self->hub));
}

void
hl_runs_stop (HlRuns *self)
{
  hl_driving_give_up (hl_workbench_driving (self->hub));
  hl_runner_stop (hl_workbench_runner (self->hub));
  hl_runs_drop_models (self);
  hl_editing_give_up_run (hl_workbench_editing (self->hub));
  /* One that never began sends nothing back. */
  while (self->asked.length > 1)
    hl_run_unref (g_queue_pop_tail (&self->asked));
  hl_workbench_wake (self->hub, HL_CHANGED_ACTIVITY);
}

gboolean
hl_runs_is_running (HlRuns *self)
{
  return hl_runner_is_simulating (hl_workbench_runner (self->hub)) ||
         hl_editing_is_run_due (hl_workbench_editing (self->hub));
}

HlRun *
hl_runs_shown (HlRuns *self)
{
  return self->shown;
}

void
hl_runs_show (HlRuns *self, HlRun *run)
{
  if (run == self->shown)
    return;
  hl_run_ref (run);
  g_clear_pointer (&self->shown, hl_run_unref);
  self->shown = run;
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}

char *
hl_runs_doubt_text (HlRuns *self, const HlRun *run)
{
  int n = run != NULL ? hl_cavitations_n (run->cavitations) : 0;

  if (n == 0 && run != NULL && hl_run_is_over (run) && !run->is_driven &&
      run->stats.wave.component >= 0 && run->stats.wave.travel > 0.0)
    return g_strdup_printf (
        _ ("%s: waves too steep for %d segments"),
        hl_system_entity_id (run->system, HL_ENTITY_COMPONENT, run->stats.wave.component),
        run->stats.wave.n_segments);
  if (n == 0)
    return NULL;
  const HlCavitation *first = hl_cavitations_get (run->cavitations, 0);
  const char *id = hl_system_entity_id (run->system, HL_ENTITY_LINE, first->line);
  g_autofree char *lowest =
      hl_units_format (hl_workbench_units (self->hub), HL_QUANTITY_PRESSURE, first->lowest, 3);
  g_autofree char *text = first->kind == HL_DOUBT_BURSTS
                              ? g_strdup_printf (_ ("%s over the limit at %s s, up to %s"), id,
                                                 hl_shown (first->since, 3).text, lowest)
                          : first->kind == HL_DOUBT_POCKET
                              ? g_strdup_printf (_ ("%s: vapour at %s s, down to %s"), id,
                                                 hl_shown (first->since, 3).text, lowest)
                              : g_strdup_printf (_ ("%s cavitates at %s s, down to %s"), id,
                                                 hl_shown (first->since, 3).text, lowest);
  if (n == 1)
    return g_steal_pointer (&text);
  return g_strdup_printf (
      ngettext ("%s; and %d more line", "%s; and %d more lines", (gulong)(n - 1)), text, n - 1);
}

gboolean
hl_runs_is_of_document (HlRuns *self, const HlRun *run)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->hub));

  return (run->is_driven && hl_driving_is_under_way (hl_workbench_driving (self->hub))) ||
         hl_document_same_model (run->document, document);
}

gboolean
hl_runs_tell_doubts (HlRuns *self)
{
  const HlRun *run = self->shown;

  if (run == NULL || run->cavitations == NULL || run->preview || !hl_run_is_over (run) ||
      !hl_runs_is_of_document (self, run))
    return FALSE;
  hl_editing_tell_doubts (hl_workbench_editing (self->hub), run->system, run->cavitations,
                          &run->stats.gives_way);
  return TRUE;
}

void
hl_runs_tell_failure (HlRuns *self)
{
  const HlRun *run = self->shown;

  if (run != NULL && run->state == HL_RUN_FAILED && run->failure != NULL &&
      hl_runs_is_of_document (self, run))
    hl_editing_add_failure (hl_workbench_editing (self->hub), hl_findings_get (run->failure, 0));
}

/* --- time --- */

static const HlRun *
shown_drive (HlRuns *self)
{
  return self->shown != NULL && self->shown->is_driven &&
                 hl_results_n_rows (self->shown->results) > 0
             ? self->shown
             : NULL;
}

double
hl_runs_t_end (HlRuns *self)
{
  const HlRun *drive = shown_drive (self);

  if (drive != NULL)
    return fmax (drive->t_end, SHORTEST_DRIVE);
  double t_end = hl_document_object_number (hl_editing_document (hl_workbench_editing (self->hub)),
                                            HL_SECTION_SIMULATION, "t_end");
  return isfinite (t_end) && t_end > 0 ? t_end : 1;
}

double
hl_runs_time (HlRuns *self)
{
  return self->time;
}

void
hl_runs_set_time (HlRuns *self, double t)
{
  const HlRun *drive = shown_drive (self);
  double begin = drive != NULL ? hl_results_get (drive->results, 0, 0) : 0;

  t = CLAMP (t, begin, hl_runs_t_end (self));
  if (t == self->time)
    return;
  self->time = t;
  hl_locus_study_follow_time (hl_workbench_locus (self->hub));
  hl_workbench_announce (self->hub, HL_CHANGED_TIME);
}

void
hl_runs_put_time (HlRuns *self, double t)
{
  self->time = t;
  hl_workbench_note (self->hub, HL_CHANGED_TIME);
}

gboolean
hl_runs_span (HlRuns *self, double *a, double *b)
{
  *a = self->span[0];
  *b = self->span[1];
  return self->has_span;
}

void
hl_runs_set_span (HlRuns *self, double a, double b)
{
  double t_end = hl_runs_t_end (self);

  a = CLAMP (a, 0, t_end);
  b = CLAMP (b, 0, t_end);
  if (self->has_span && self->span[0] == a && self->span[1] == b)
    return;
  self->has_span = TRUE;
  self->span[0] = a;
  self->span[1] = b;
  hl_workbench_announce (self->hub, HL_CHANGED_TIME);
}

void
hl_runs_clear_span (HlRuns *self)
{
  if (!self->has_span)
    return;
  self->has_span = FALSE;
  hl_workbench_announce (self->hub, HL_CHANGED_TIME);
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
hl_runs_trace_entries (HlRuns *self)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->hub));
  Listing listing = {document, hl_trace_entries_of_probes (document)};

  if (hl_editing_has_system (hl_workbench_editing (self->hub)))
    hl_observable_visit (hl_editing_system (hl_workbench_editing (self->hub)), list_cb, &listing);
  return listing.entries;
}

void
hl_runs_set_panels (HlRuns *self, GPtrArray *panels, const char *step)
{
  HlEditing *editing = hl_workbench_editing (self->hub);
  hl_editing_commit (editing, hl_edit_set_plots (hl_editing_document (editing), panels), step,
                     NULL);
}

gboolean
hl_runs_is_recorded (HlRuns *self)
{
  HlEditing *editing = hl_workbench_editing (self->hub);
  const HlDocument *document = hl_editing_document (editing);
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_auto (GStrv) paths = hl_plot_panels_paths (panels, document);

  if (self->shown == NULL)
    return FALSE;
  for (char **path = paths; *path != NULL; path++)
    if (hl_results_find_column (self->shown->results, *path) < 0 &&
        hl_editing_can_record (editing, *path))
      return FALSE;
  return TRUE;
}
