/* SPDX-License-Identifier: MIT */
/* Every run that a person asked for is kept with its document until memory is needed; a run of the
 * same model (a plot or a place on the sheet was edited) takes the place of the one before. */
#include "ui/bench/hl-runs-private.h"

#include "core/edit/hl-compare.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-plot-panel.h"

#include <string.h>

GPtrArray *
hl_runs_kept (HlRuns *self)
{
  return self->kept;
}

gsize
hl_runs_bytes (HlRuns *self)
{
  gsize bytes = 0;

  for (guint i = 0; i < self->kept->len; i++)
    bytes += hl_results_bytes (((const HlRun *)self->kept->pdata[i])->results);
  return bytes;
}

gsize
hl_runs_limit (HlRuns *self)
{
  return self->limit;
}

const char *
hl_runs_news (HlRuns *self)
{
  return self->news;
}

static void
tell (HlRuns *self, guint n_gone, const char *last_title)
{
  g_autofree char *limit = g_format_size (self->limit);

  g_clear_pointer (&self->news, g_free);
  if (hl_runs_bytes (self) > self->limit)
    self->news =
        g_strdup_printf (_ ("runs take more than %s: pinned ones are never forgotten"), limit);
  else if (n_gone > 0)
    self->news = g_strdup_printf (_ ("“%s” was forgotten: %d runs or %s are kept"), last_title,
                                  HL_RUNS_MOST, limit);
}

static void
make_room (HlRuns *self)
{
  g_autofree char *last_title = NULL;
  guint n_gone = 0;

  while (self->kept->len > HL_RUNS_MOST || hl_runs_bytes (self) > self->limit) {
    guint oldest = 0;
    while (oldest < self->kept->len && (((const HlRun *)self->kept->pdata[oldest])->pinned ||
                                        self->kept->pdata[oldest] == self->shown))
      oldest++;
    if (oldest == self->kept->len)
      break;
    g_free (last_title);
    last_title = hl_run_title (self->kept->pdata[oldest]);
    n_gone++;
    g_ptr_array_remove_index (self->kept, oldest);
  }
  tell (self, n_gone, last_title);
}

void
hl_runs_set_limit (HlRuns *self, gsize bytes)
{
  self->limit = bytes;
  make_room (self);
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}

void
hl_runs_keep (HlRuns *self, HlRun *run)
{
  HlRun *last = self->kept->len > 0 ? self->kept->pdata[self->kept->len - 1] : NULL;

  if (last != NULL && !run->aside && !last->aside && !run->is_driven && !last->is_driven &&
      last->t_end == run->t_end && hl_document_same_model (last->document, run->document)) {
    run->number = last->number;
    run->pinned = last->pinned;
    run->name = g_strdup (last->name);
    g_ptr_array_remove_index (self->kept, self->kept->len - 1);
  }
  if (run->number == 0)
    run->number = ++self->n_made;
  g_ptr_array_add (self->kept, hl_run_ref (run));
  make_room (self);
}

void
hl_runs_remove (HlRuns *self, HlRun *run)
{
  guint index;

  if (!g_ptr_array_find (self->kept, run, &index))
    return;
  if (run == self->shown)
    run->pinned = FALSE; /* it stays on the screen until another one is shown */
  g_ptr_array_remove_index (self->kept, index);
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}

void
hl_runs_restore (HlRuns *self, HlRun *run)
{
  guint index = 0;

  if (g_ptr_array_find (self->kept, run, NULL))
    return;
  while (index < self->kept->len && ((const HlRun *)self->kept->pdata[index])->number < run->number)
    index++;
  g_ptr_array_insert (self->kept, (int)index, hl_run_ref (run));
  make_room (self);
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}

HlRun *
hl_runs_find (HlRuns *self, const char *title)
{
  for (guint i = self->kept->len; i-- > 0;) {
    g_autofree char *own = hl_run_title (self->kept->pdata[i]);
    if (strcmp (own, title) == 0)
      return self->kept->pdata[i];
  }
  return NULL;
}

void
hl_runs_rename (HlRuns *self, HlRun *run, const char *name)
{
  g_autoptr (GPtrArray) panels =
      hl_plot_panels_of_document (hl_editing_document (hl_workbench_editing (self->hub)));
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
    hl_runs_set_panels (self, panels, _ ("Rename a run"));
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}

void
hl_runs_set_pinned (HlRuns *self, HlRun *run, gboolean pinned)
{
  if (run->pinned == pinned)
    return;
  run->pinned = pinned;
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}

HlRun *
hl_runs_pinned (HlRuns *self)
{
  for (guint i = self->kept->len; i-- > 0;) {
    HlRun *run = self->kept->pdata[i];
    if (run->pinned && run != self->shown)
      return run;
  }
  return NULL;
}

void
hl_runs_pin_shown (HlRuns *self, gboolean pin)
{
  for (guint i = 0; i < self->kept->len && !pin; i++)
    ((HlRun *)self->kept->pdata[i])->pinned = FALSE;
  if (pin && self->shown != NULL) {
    /* one that is still under way is kept from now on */
    if (!g_ptr_array_find (self->kept, self->shown, NULL))
      hl_runs_keep (self, self->shown);
    self->shown->pinned = TRUE;
  }
  hl_workbench_announce (self->hub, HL_CHANGED_RUN);
}
