/* SPDX-License-Identifier: MIT */
/* What the window says in words: title, parameter set, captions, and the status line. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "ui/bench/hl-driving.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/bench/hl-runs.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/widget/hl-tooltip.h"

#include <string.h>

#define READING_US 300000
#define SUFFIX ".hydrolink"

/* Texts that stay as they are cost nothing while a slider is dragged. */
static void set_text (GtkLabel *label, const char *text) {
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

void hl_window_show_title (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlDocument *document = hl_editing_document (editing);
  gboolean modified = hl_editing_is_modified (editing);
  const char *name = hl_document_name (document);
  g_autofree char *title = g_strconcat (modified ? "• " : "", hl_editing_title (editing), NULL);
  g_autofree char *window_title = g_strdup_printf ("%s — Hydrolink", title);
  g_autofree char *subtitle = modified && *name != '\0' ? g_strdup_printf (_ ("%s — edited"), name)
                              : modified                ? g_strdup (_ ("edited"))
                                                        : g_strdup (name);

  /* what every file ends in says nothing, and its name is worth the place */
  g_autofree char *shown = g_strdup (hl_editing_title (editing));
  if (g_str_has_suffix (shown, SUFFIX) && strlen (shown) > strlen (SUFFIX))
    shown[strlen (shown) - strlen (SUFFIX)] = '\0';
  set_text (self->title_label, shown);
  set_text (self->subtitle_label, subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_label), *subtitle != '\0');
  if (g_strcmp0 (gtk_window_get_title (GTK_WINDOW (self)), window_title) != 0)
    gtk_window_set_title (GTK_WINDOW (self), window_title);
}

void hl_window_show_present_set (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlDocument *document = hl_editing_document (editing);
  const char *present = hl_editing_current_set (editing);
  int n = hl_document_n_sets (document);

  set_text (self->set_label, present != NULL ? present : n > 0 ? _ ("Own parameters") : _ ("Parameters"));
  /* a word that is cut says less than a picture; the name of a set is worth its place */
  gboolean is_word = !self->is_narrow || (present != NULL && !self->is_tight);
  gtk_widget_set_visible (self->set_icon, !is_word);
  gtk_widget_set_visible (GTK_WIDGET (self->set_label), is_word);
  GtkWidget *button = gtk_widget_get_ancestor (GTK_WIDGET (self->set_label), GTK_TYPE_MENU_BUTTON);
  g_autofree char *whole = present != NULL ? g_strdup_printf (_ ("Parameter set: %s"), present) : NULL;
  hl_tooltip_set (button, whole != NULL ? whole : _ ("Parameter set"));
  hl_window_show_oil_model (self);
}

void hl_window_show_captions (HlWindow *self) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));

  /* of the drawing, whether it can be computed yet or not */
  const char *freedom = hl_editing_freedom_text (hl_workbench_editing (self->workbench));
  g_autofree char *carried = hl_window_carried_text (self);
  g_autofree char *caption = carried != NULL && *freedom != '\0'
                                 ? g_strdup_printf ("%s · %s", freedom, carried)
                                 : g_strdup (freedom);
  set_text (self->linkage_caption, caption);
  gboolean has_lines = hl_document_n_elements (hl_editing_document (hl_workbench_editing (self->workbench)),
                                               HL_SECTION_LINES) > 0;
  set_text (self->circuit_caption, has_lines && run != NULL && hl_results_n_rows (run->results) > 0
                                       ? _ ("lines coloured by pressure")
                                       : "");
}

static void append_part (GArray *parts, HlWorth worth, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void append_part (GArray *parts, HlWorth worth, const char *format, ...) {
  va_list args;

  va_start (args, format);
  HlStatusPart part = {g_strdup_vprintf (format, args), worth};
  va_end (args);
  g_array_append_val (parts, part);
}

/* The start state's lines beside whose oil vapour stands, as they were given or where a source keeps
 * them there; NULL: none. Owned. */
static char *doubt_of_point (HlWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  g_autoptr (HlCavitations) cavitations = hl_working_point_cavitations (at);
  int n = hl_cavitations_n (cavitations);

  if (n == 0)
    return NULL;
  const HlCavitation *first = hl_cavitations_get (cavitations, 0);
  const char *id = hl_system_entity_id (at->system, HL_ENTITY_LINE, first->line);
  g_autofree char *pressure =
      hl_units_format (hl_workbench_units (self->workbench), HL_QUANTITY_PRESSURE, first->lowest, 3);
  g_autofree char *text =
      first->kind == HL_DOUBT_BURSTS
          ? g_strdup_printf (_ ("%s is over the limit in the start state, at %s"), id, pressure)
          : g_strdup_printf (_ ("%s cavitates in the start state, at %s"), id, pressure);
  if (n == 1)
    return g_steal_pointer (&text);
  return g_strdup_printf (ngettext ("%s; and %d more line", "%s; and %d more lines", (gulong)(n - 1)), text,
                          n - 1);
}

/* The model as it is now cannot be run, and what the plots show is of another one. */
static gboolean shows_earlier_model (HlWindow *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlRun *run = hl_runs_shown (runs);

  return run != NULL && !run->is_driven && hl_results_n_rows (run->results) > 0 &&
         !hl_runs_is_running (runs) && hl_findings_first_error (hl_editing_findings (editing)) &&
         !hl_document_equal (run->document, hl_editing_document (editing)) &&
         hl_plot_edit_has_traces (self->workbench);
}

/* What the runs of a drag took changes faster than it can be read, and a line of another length is
 * laid out anew. */
static gboolean is_hurried (HlWindow *self, const HlRun *run) {
  gint64 now = g_get_monotonic_time ();

  if (run == NULL || !run->preview || run->state != HL_RUN_DONE || run->refines) {
    self->status_us = 0;
    return FALSE;
  }
  if (now - self->status_us < READING_US)
    return TRUE;
  self->status_us = now;
  return FALSE;
}

void hl_window_show_status (HlWindow *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  HlRuns *runs = hl_workbench_runs (self->workbench);
  g_autoptr (GArray) parts = hl_status_parts_new ();
  HlRun *run = hl_runs_shown (runs);

  if (is_hurried (self, run))
    return;
  HlFrameTimes latency = hl_frame_meter_latencies (self->meter);

  g_autofree char *drive = hl_driving_text (hl_workbench_driving (self->workbench));
  gboolean is_over = run != NULL && hl_run_is_over (run);

  gboolean is_stale = drive == NULL && shows_earlier_model (self);
  if (is_stale)
    append_part (parts, HL_WORTH_NEWS, _ ("the plots show the run before the last changes"));
  if (is_stale != gtk_widget_has_css_class (GTK_WIDGET (self->plot_pane), "earlier"))
    (is_stale ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (self->plot_pane),
                                                                         "earlier");
  if (drive != NULL)
    append_part (parts, HL_WORTH_NEWS, "%s", drive);
  else if (hl_runs_is_running (runs) && run != NULL && !is_over)
    append_part (parts, HL_WORTH_NEWS, _ ("running"));
  if (is_over && run->is_driven)
    append_part (parts, HL_WORTH_FACT, _ ("driven %s s"), hl_shown (run->t_end, 3).text);
  else if (run != NULL && run->state == HL_RUN_STOPPED)
    append_part (parts, HL_WORTH_NEWS, _ ("stopped by user at %s s"),
                 hl_shown (run->stats.t_reached, 3).text);
  if (run != NULL && run->state == HL_RUN_FAILED)
    append_part (parts, HL_WORTH_NEWS, _ ("run failed"));
  if (is_over && run->state != HL_RUN_FAILED && !run->is_driven) {
    append_part (parts, HL_WORTH_FACT, _ ("%s s run %.1f ms"), hl_shown (run->t_end, 3).text,
                 1e3 * run->stats.seconds);
    append_part (parts, HL_WORTH_SPEED, _ ("%ld steps"), run->stats.steps);
    if (run->stats.again)
      append_part (parts, HL_WORTH_FACT, _ ("by %s: %s gave up at %s s"),
                   run->stats.method == HL_METHOD_RADAU ? "Radau" : "BDF",
                   run->stats.method == HL_METHOD_RADAU ? "BDF" : "Radau",
                   hl_shown (run->stats.t_gave_up, 3).text);
    if (run->stats.takeover.why != HL_TAKEOVER_NONE)
      append_part (parts, HL_WORTH_FACT, _ ("by %s from %s s on"),
                   run->stats.takeover.method == HL_METHOD_RADAU ? "Radau" : "BDF",
                   hl_shown (run->stats.takeover.t, 3).text);
    if (run->stats.start_loss.energy > 0.0)
      append_part (parts, HL_WORTH_FACT, _ ("%s J lost at the start"),
                   hl_shown (run->stats.start_loss.energy, 3).text);
    if (run->stats.gives_way.n > 0)
      append_part (parts, HL_WORTH_FACT, _ ("a line gives way from %s s on"),
                   hl_shown (run->stats.gives_way.t, 3).text);
  }
  g_autofree char *doubt = hl_runs_doubt_text (runs, run);
  if (doubt == NULL && !(is_over && run->state == HL_RUN_DONE))
    doubt = doubt_of_point (self); /* before a run says more, or where none came of it */
  if (doubt != NULL)
    append_part (parts, HL_WORTH_NEWS, "%s", doubt);
  g_autofree char *size = run != NULL && !run->is_driven ? hl_run_size_text (run) : NULL;
  if (size != NULL)
    append_part (parts, HL_WORTH_SPEED, "%s", size);
  if (hl_runs_news (runs) != NULL)
    append_part (parts, HL_WORTH_FACT, "%s", hl_runs_news (runs));
  else if (hl_runs_kept (runs)->len > 1) {
    g_autofree char *bytes = g_format_size (hl_runs_bytes (runs));
    append_part (parts, HL_WORTH_SPEED, _ ("runs %s"), bytes);
  }
  if (hl_locus_study_locus (study) != NULL)
    append_part (parts, HL_WORTH_SPEED, _ ("locus %.1f ms"), 1e3 * hl_locus_study_seconds (study));
  if (latency.n > 1) {
    append_part (parts, HL_WORTH_SPEED, _ ("slider to trace %.0f ms"), latency.median_ms);
    append_part (parts, HL_WORTH_SPEED, _ ("frame %.0f ms"), hl_frame_meter_frames (self->meter).median_ms);
  }
  hl_status_line_set (self->status_line, g_steal_pointer (&parts));
}

void hl_window_show_lost_formula (HlWindow *self) {
  const char *lost = hl_editing_lost_formula (hl_workbench_editing (self->workbench));

  if (g_strcmp0 (lost, self->lost_formula) == 0)
    return;
  if (lost != NULL)
    hl_window_show_banner (self, lost, FALSE);
  else if (g_strcmp0 (hl_window_banner (self), self->lost_formula) == 0)
    hl_window_hide_banner (self);
  g_free (self->lost_formula);
  self->lost_formula = g_strdup (lost);
}
