/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-power-balance-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/io/hl-results-file.h"
#include "core/run/hl-power-balance-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/study/hl-restarting-computation.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>

struct _HlPowerChart {
  HlChart parent_instance;
  GArray *bars; /* HlPowerBar, or NULL */
  char *empty_text;
  HlPowerPicture picture;
};

G_DEFINE_FINAL_TYPE (HlPowerChart, hl_power_chart, HL_TYPE_CHART)

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  hl_paint_background (cr, 0, 0, area.width, area.height, style);
  hl_paint_power (cr, &HL_POWER_CHART (chart)->picture, area, style);
}

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlPowerPicture picture = HL_POWER_CHART (chart)->picture;

  picture.hovered = -1;
  hl_paint_power (cr, &picture, area, style);
}

static char *table (HlChart *chart) {
  HlPowerChart *self = HL_POWER_CHART (chart);

  return self->bars != NULL && self->bars->len > 0 ? hl_power_table (self->bars, self->picture.energies)
                                                   : NULL;
}

static void point_at_bar (HlPowerChart *self, int bar) {
  if (self->picture.hovered == bar)
    return;
  self->picture.hovered = bar;
  hl_chart_say_pointed (HL_CHART (self));
}

static int bar_at (HlPowerChart *self, HlSpot at) {
  HlStyle style = hl_widget_style (GTK_WIDGET (self));

  return hl_power_bar_at (&self->picture, hl_chart_area (HL_CHART (self)), &style, at);
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlPowerChart *self = HL_POWER_CHART (chart);

  point_at_bar (self, bar_at (self, at));
  return self->picture.hovered >= 0 ? "pointer" : NULL;
}

static void leave_chart (HlChart *chart) {
  point_at_bar (HL_POWER_CHART (chart), -1);
}

static void click (HlChart *chart, HlSpot at) {
  int bar = bar_at (HL_POWER_CHART (chart), at);

  if (bar >= 0)
    g_signal_emit_by_name (chart, "picked", bar);
}

/* --- life --- */

static void hl_power_chart_finalize (GObject *object) {
  HlPowerChart *self = HL_POWER_CHART (object);

  g_clear_pointer (&self->bars, g_array_unref);
  g_free (self->empty_text);
  G_OBJECT_CLASS (hl_power_chart_parent_class)->finalize (object);
}

static void hl_power_chart_class_init (HlPowerChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_power_chart_finalize;
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->hover = hover;
  chart_class->leave = leave_chart;
  chart_class->click = click;
  g_signal_new ("picked", HL_TYPE_POWER_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_INT);
}

static void hl_power_chart_init (HlPowerChart *self) {
  self->picture.hovered = -1;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Power balance"),
                                  -1);
}

/* Takes the bars; NULL: none, and `empty_text` (copied) says why. The ids are borrowed: their owner sets other bars
 * before it frees them. */
static void chart_show (HlPowerChart *self, GArray *bars, gboolean energies, HlUnits units,
                        const char *empty_text) {
  char *text = g_strdup (empty_text);

  g_clear_pointer (&self->bars, g_array_unref);
  g_free (self->empty_text);
  self->bars = bars;
  self->empty_text = text;
  self->picture =
      (HlPowerPicture){.bars = bars, .energies = energies, .units = units, .empty_text = text, .hovered = -1};
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* Returns the bar under the pointer; NULL: none. */
static const HlPowerBar *chart_pointed (HlPowerChart *self) {
  int bar = self->picture.hovered;

  return self->bars != NULL && bar >= 0 && bar < (int)self->bars->len
             ? &g_array_index (self->bars, HlPowerBar, bar)
             : NULL;
}

#define DIGITS 4
#define PAUSE_MS 150

/* Choices of the list, in its order. */
enum {
  SHOWS_POWER,      /* at the cursor */
  SHOWS_ENERGY,     /* from the start to the cursor */
  SHOWS_ALL_ENERGY, /* of the run */
};

struct _HlPowerWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_shows, *caption;
  HlPowerChart *chart;
  HlPowerStudy *study; /* NULL: none yet */
  char *message;       /* reason for an empty chart */
  double open;         /* balance error of the bars */
  HlStudyRun *run;     /* makes the next one */
};

G_DEFINE_FINAL_TYPE (HlPowerWindow, hl_power_window, GTK_TYPE_WINDOW)

/* --- the run --- */

typedef struct {
  HlSystem *system;
  HlSimOptions options;
  char *message;
} PowerJob;

static void free_job (gpointer data) {
  PowerJob *job = data;

  hl_system_unref (job->system);
  g_free (job->message);
  g_free (job);
}

static gpointer work (gpointer data, GCancellable *life, GError **error) {
  PowerJob *job = data;
  HlFault fault = {.status = HL_OK, .entity = -1, .time = NAN};

  job->options.cancel = hl_study_run_is_cancelled;
  job->options.cancel_data = life;
  HlPowerStudy *study = hl_power_study_new (job->system, &job->options, &fault);
  if (study == NULL)
    job->message = hl_fault_message (job->system, &fault);
  return study;
}

static void free_study (gpointer study) {
  hl_power_study_free (study);
}

/* --- what is shown --- */

/* Returns "99.9 % of it becomes heat, most of it in cyl. " Owned by the caller. */
static char *heat_text (const GArray *bars, double in) {
  double lost = hl_power_bars_sum (bars, HL_POWER_BAR_LOST);
  const HlPowerBar *largest = NULL;

  for (guint k = 0; k < bars->len; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    if (bar->side == HL_POWER_BAR_LOST && (largest == NULL || bar->value > largest->value))
      largest = bar;
  }
  if (largest == NULL)
    return g_strdup (_ ("None of the input becomes heat."));
  return g_strdup_printf (_ ("%s %% of the input becomes heat, most of it (%s %%) in %s."),
                          hl_shown (100.0 * lost / in, 3).text,
                          hl_shown (100.0 * largest->value / in, 3).text, hl_power_bar_label (largest));
}

static void write_caption (HlPowerWindow *self, const GArray *bars, double in) {
  const HlPowerBar *bar = chart_pointed (self->chart);
  gboolean energies = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_shows)) != SHOWS_POWER;
  g_autofree char *text = NULL;

  if (bar != NULL && in > 0.0) {
    g_autofree char *value =
        hl_units_format (hl_workbench_units (self->workbench),
                         energies ? HL_QUANTITY_ENERGY : HL_QUANTITY_POWER, bar->value, DIGITS);
    g_autofree char *part = g_strdup_printf (_ ("%s: %s, %s %% of the input"), hl_power_bar_label (bar),
                                             value, hl_shown (100.0 * bar->value / in, 3).text);
    text = g_strconcat (part, "\n", NULL); /* two lines as well: the chart stays */
  } else if (in > 0.0) {
    char part[32];
    hl_axis_format (fabs (self->open) / in, 1, part, sizeof part);
    g_autofree char *heat = heat_text (bars, in);
    g_autofree char *sum =
        g_strdup_printf (_ ("Energy balance error: %s. Click a bar to select its element."), part);
    text = g_strdup_printf ("%s\n%s", heat, sum);
  }
  gtk_label_set_text (GTK_LABEL (self->caption), text != NULL ? text : "");
}

static GArray *bars_now (HlPowerWindow *self) {
  guint shows = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_shows));
  double t = shows == SHOWS_ALL_ENERGY ? hl_power_study_t_end (self->study)
                                       : hl_runs_time (hl_workbench_runs (self->workbench));

  return hl_power_study_bars (self->study, t, shows != SHOWS_POWER, &self->open);
}

static void show_balance (HlPowerWindow *self) {
  gboolean energies = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_shows)) != SHOWS_POWER;
  GArray *bars = self->study != NULL ? bars_now (self) : NULL;
  const char *empty = bars != NULL            ? _ ("Nothing moves, so there is no power.")
                      : self->message != NULL ? self->message
                                              : _ ("Computing…");
  double in = bars != NULL ? hl_power_bars_sum (bars, HL_POWER_BAR_IN) : 0.0;

  chart_show (self->chart, bars, energies, hl_workbench_units (self->workbench), empty);
  write_caption (self, bars, in);
}

/* Takes both. */
static void set_study (HlPowerWindow *self, HlPowerStudy *study, char *message) {
  chart_show (self->chart, NULL, FALSE, NULL, NULL); /* its bars are the old study's */
  g_clear_pointer (&self->study, hl_power_study_free);
  g_free (self->message);
  self->study = study;
  self->message = message;
  show_balance (self);
}

static void done_cb (gpointer window, gpointer data, gpointer answer, const GError *error) {
  PowerJob *job = data;

  set_study (window, answer, g_steal_pointer (&job->message));
}

static gpointer begin_job (gpointer window) {
  HlPowerWindow *self = window;
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  if (at == NULL || at->system == NULL) {
    set_study (self, NULL, g_strdup (_ ("Correct the problems of the model first.")));
    return NULL;
  }
  PowerJob *job = g_new0 (PowerJob, 1);
  job->system = hl_system_ref (at->system);
  job->options = hl_sim_options_from_model (at->system);
  return job;
}

static const HlStudyKind power_kind = {
    .pause_ms = PAUSE_MS,
    .begin = begin_job,
    .work = work,
    .done = done_cb,
    .free_job = free_job,
    .free_answer = free_study,
};

gboolean hl_power_window_is_busy (HlPowerWindow *self) {
  return hl_study_run_is_busy (self->run);
}

/* --- what happens --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlPowerWindow *self) {
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_POINT))
    hl_study_run_request (self->run);
  else if (changes & (HL_CHANGED_TIME | HL_CHANGED_UNITS))
    show_balance (self);
}

static void picked_cb (GObject *object, GParamSpec *spec, HlPowerWindow *self) {
  if (self->workbench != NULL)
    show_balance (self);
}

static void pointed_cb (HlPowerChart *chart, HlPowerWindow *self) {
  g_autoptr (GArray) bars = self->study != NULL ? bars_now (self) : NULL;

  write_caption (self, bars, bars != NULL ? hl_power_bars_sum (bars, HL_POWER_BAR_IN) : 0.0);
}

static void bar_picked_cb (HlPowerChart *chart, int index, HlPowerWindow *self) {
  const HlPowerBar *bar = chart_pointed (chart);

  if (bar != NULL && bar->name == NULL && *bar->id != '\0')
    hl_workbench_select (self->workbench, bar->id);
}

static void export_cb (GtkButton *button, HlPowerWindow *self) {
  hl_workbench_take_away (self->workbench, G_OBJECT (self->chart));
}

/* --- life --- */

static void hl_power_window_dispose (GObject *object) {
  HlPowerWindow *self = HL_POWER_WINDOW (object);

  g_clear_pointer (&self->run, hl_study_run_free);
  if (self->study != NULL)
    chart_show (self->chart, NULL, FALSE, NULL, NULL);
  g_clear_pointer (&self->study, hl_power_study_free);
  g_clear_pointer (&self->message, g_free);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_power_window_parent_class)->dispose (object);
}

static void hl_power_window_class_init (HlPowerWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_power_window_dispose;
  g_type_ensure (HL_TYPE_POWER_CHART);
  hl_widget_tree_load (klass, "hl-power-balance-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlPowerWindow, pick_shows);
  HL_TREE_CHILD (klass, HlPowerWindow, chart);
  HL_TREE_CHILD (klass, HlPowerWindow, caption);
  HL_TREE_CALLBACK (klass, export_cb);
  HL_TREE_CALLBACK (klass, picked_cb);
  HL_TREE_CALLBACK (klass, pointed_cb);
  HL_TREE_CALLBACK (klass, bar_picked_cb);
}

static void hl_power_window_init (HlPowerWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->run = hl_study_run_new (&power_kind, GTK_WINDOW (self));
}

GtkWidget *hl_power_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlPowerWindow *self = g_object_new (HL_TYPE_POWER_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  show_balance (self);
  hl_study_run_request (self->run);
  return GTK_WIDGET (self);
}
