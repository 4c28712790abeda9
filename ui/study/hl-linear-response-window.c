/* SPDX-License-Identifier: MIT */
/* The window with frequency and step responses, and its chart. */
#include "ui/study/hl-linear-response-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-answer-writer.h"
#include "core/linear/hl-input-response.h"
#include "core/linear/hl-response-study.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/chart/hl-paint-response.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define HL_TYPE_RESPONSE_CHART (hl_response_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlResponseChart, hl_response_chart, HL, RESPONSE_CHART, HlChart)

struct _HlResponseChart {
  HlChart parent_instance;
  HlResponseStudy *study, *ghost;
  HlResponseView view;
  char *label;
  const HlUnit *unit;
  double pointed;
  GArray *tips; /* HlResponseTip of the data tips, in the last picture */
};

G_DEFINE_FINAL_TYPE (HlResponseChart, hl_response_chart, HL_TYPE_CHART)

/* --- names of curves, for what is pinned to them --- */

static const char *const curves[HL_RESPONSE_N_CURVES] = {
    [HL_RESPONSE_MAGNITUDE] = "magnitude", [HL_RESPONSE_PHASE] = "phase", [HL_RESPONSE_ANSWER] = "answer"};

static HlResponseTip tip_of (const HlChartTip *tip) {
  for (int curve = 0; curve < HL_RESPONSE_N_CURVES; curve++)
    if (strcmp (curves[curve], tip->curve) == 0)
      return (HlResponseTip){(HlResponseCurve)curve, tip->at};
  return (HlResponseTip){HL_RESPONSE_N_CURVES, NAN};
}

static HlResponsePicture picture_of (HlResponseChart *self) {
  int n, selected;
  const HlChartTip *pinned = hl_chart_tips (HL_CHART (self), &n, &selected);

  g_array_set_size (self->tips, 0);
  for (int i = 0; i < n; i++) {
    HlResponseTip tip = tip_of (&pinned[i]);
    g_array_append_val (self->tips, tip);
  }
  return (HlResponsePicture){.tips = (gconstpointer)self->tips->data,
                             .n_tips = n,
                             .selected_tip = selected,
                             .study = self->study,
                             .ghost = self->ghost,
                             .empty_text = _ ("Choose an input (a signal or pump) and an output (a probe)."),
                             .view = self->view,
                             .output_label = self->label,
                             .output_unit = self->unit,
                             .f_hover = self->pointed};
}

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlResponsePicture picture = picture_of (HL_RESPONSE_CHART (chart));

  hl_paint_background (cr, 0, 0, area.width, area.height, style);
  hl_paint_response (cr, &picture, area, style);
}

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlResponsePicture picture = picture_of (HL_RESPONSE_CHART (chart));

  picture.f_hover = NAN;
  hl_paint_response (cr, &picture, area, style);
}

/* Returns the table of the view: the step over time, or the response over frequency. */
static char *table (HlChart *chart) {
  HlResponseChart *self = HL_RESPONSE_CHART (chart);
  const HlResponseStudy *study = self->study;

  if (study == NULL)
    return NULL;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  if (self->view == HL_RESPONSE_STEP) {
    hl_answer_column (answer, NULL, "time", "s", study->t, study->n_times, 1);
    /* in the unit of the picture */
    g_autofree double *y = g_new (double, study->n_times + 1);
    for (int k = 0; k < study->n_times; k++)
      y[k] = self->unit != NULL ? study->y[k] / self->unit->factor : study->y[k];
    hl_answer_column (answer, NULL, "response", self->unit != NULL ? self->unit->name : NULL, y,
                      study->n_times, 1);
    return hl_answer_to_text (answer, HL_ANSWER_CSV);
  }
  hl_answer_column (answer, NULL, "frequency", "Hz", study->f, study->n, 1);
  hl_answer_column (answer, NULL, "re", NULL, study->re, study->n, 1);
  hl_answer_column (answer, NULL, "im", NULL, study->im, study->n, 1);
  hl_answer_column (answer, NULL, "magnitude", NULL, study->magnitude, study->n, 1);
  hl_answer_column (answer, NULL, "phase", "rad", study->phase, study->n, 1);
  return hl_answer_to_text (answer, HL_ANSWER_CSV);
}

static void point_at_frequency (HlResponseChart *self, double x) {
  self->pointed = x;
  hl_chart_say_pointed (HL_CHART (self));
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlResponseChart *self = HL_RESPONSE_CHART (chart);
  HlStyle style = hl_widget_style (GTK_WIDGET (self));
  HlResponsePicture picture = picture_of (self);
  cairo_t *cr = hl_chart_measure ();
  double x = NAN;

  gboolean inside = hl_response_at (cr, &picture, hl_chart_area (chart), &style, at, &x);
  cairo_destroy (cr);
  point_at_frequency (self, inside ? x : NAN);
  return NULL;
}

static void leave_chart (HlChart *chart) {
  point_at_frequency (HL_RESPONSE_CHART (chart), NAN);
}

/* --- data tips --- */

/* Arguments of the layout functions of the picture. */
typedef struct {
  HlStyle style;
  HlResponsePicture picture;
  cairo_t *cr;
  HlRect area;
} Question;

static Question read_question (HlChart *chart) {
  return (Question){hl_widget_style (GTK_WIDGET (chart)), picture_of (HL_RESPONSE_CHART (chart)),
                    hl_chart_measure (), hl_chart_area (chart)};
}

static gboolean tip_near (HlChart *chart, HlSpot at, double reach_px, HlChartTip *tip) {
  Question q = read_question (chart);
  HlResponseTip found;

  gboolean any = hl_response_tip_near (q.cr, &q.picture, q.area, &q.style, at, reach_px, &found);
  cairo_destroy (q.cr);
  if (any)
    *tip = (HlChartTip){g_strdup (curves[found.curve]), found.at};
  return any;
}

static void tip_spots (HlChart *chart, HlSpot spots[]) {
  Question q = read_question (chart);

  hl_response_tip_spots (q.cr, &q.picture, q.area, &q.style, spots);
  cairo_destroy (q.cr);
}

static void tip_along (HlChart *chart, HlChartTip *tip, HlSpot to) {
  Question q = read_question (chart);
  HlResponseTip moved = tip_of (tip);

  hl_response_tip_along (q.cr, &q.picture, q.area, &q.style, to, &moved);
  cairo_destroy (q.cr);
  tip->at = moved.at;
}

static void tip_step (HlChart *chart, HlChartTip *tip, int steps) {
  Question q = read_question (chart);
  HlResponseTip moved = tip_of (tip);

  hl_response_tip_step (q.cr, &q.picture, q.area, &q.style, steps, &moved);
  cairo_destroy (q.cr);
  tip->at = moved.at;
}

/* Sets the tip to the middle of the picture; in a frequency response on the magnitude, then on the phase. */
static gboolean tip_usual (HlChart *chart, HlChartTip *tip) {
  HlResponseChart *self = HL_RESPONSE_CHART (chart);
  const HlResponseStudy *study = self->study;
  int n;

  hl_chart_tips (chart, &n, NULL);
  if (study == NULL || self->view == HL_RESPONSE_NYQUIST)
    return FALSE;
  if (self->view == HL_RESPONSE_STEP)
    *tip = (HlChartTip){g_strdup (curves[HL_RESPONSE_ANSWER]), study->t[study->n_times / 2]};
  else
    *tip = (HlChartTip){g_strdup (curves[n % 2 == 0 ? HL_RESPONSE_MAGNITUDE : HL_RESPONSE_PHASE]),
                        study->f[study->n / 2]};
  return TRUE;
}

/* --- life --- */

static void hl_response_chart_finalize (GObject *object) {
  HlResponseChart *self = HL_RESPONSE_CHART (object);

  g_clear_pointer (&self->study, hl_response_study_free);
  g_clear_pointer (&self->ghost, hl_response_study_free);
  g_free (self->label);
  g_array_unref (self->tips);
  G_OBJECT_CLASS (hl_response_chart_parent_class)->finalize (object);
}

static void hl_response_chart_class_init (HlResponseChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_response_chart_finalize;
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->hover = hover;
  chart_class->leave = leave_chart;
  chart_class->tip_near = tip_near;
  chart_class->tip_spots = tip_spots;
  chart_class->tip_along = tip_along;
  chart_class->tip_step = tip_step;
  chart_class->tip_usual = tip_usual;
}

static void hl_response_chart_init (HlResponseChart *self) {
  self->pointed = NAN;
  self->tips = g_array_new (FALSE, FALSE, sizeof (HlResponseTip));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  hl_chart_add_tip_menu (HL_CHART (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Response of the probe to the input"), -1);
}

/* Sets the study, which is taken; NULL: none. */
static void chart_set_study (HlResponseChart *self, HlResponseStudy *study) {
  g_clear_pointer (&self->study, hl_response_study_free);
  self->study = study;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void chart_set_ghost (HlResponseChart *self, HlResponseStudy *ghost) {
  g_clear_pointer (&self->ghost, hl_response_study_free);
  self->ghost = ghost;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* Sets the view and clears the hovered element. */
static void chart_set_view (HlResponseChart *self, HlResponseView view) {
  self->view = view;
  self->pointed = NAN;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* Sets the output of the step response; both may be NULL. */
static void chart_set_output (HlResponseChart *self, const char *label, const HlUnit *unit) {
  g_free (self->label);
  self->label = g_strdup (label);
  self->unit = unit;
}

static const HlResponseStudy *chart_study (HlResponseChart *self) {
  return self->study;
}

/* Returns the frequency [Hz] or time [s] under the pointer; NAN: none. */
static double chart_pointed (HlResponseChart *self) {
  return self->pointed;
}

#define DIGITS 4
#define ASKED_KEY "hl-response-input" /* of the workbench: the last request */
#define LEAST_GAIN 1e-12
#define INPUT_LETTERS 10
#define OUTPUT_LETTERS 7
#define ROUNDING_PART 1e-9 /* of the largest answer */
#define CALM_GROWTH 1e-9   /* a real part beside that of the open loop is zero */

struct _HlResponseWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_input, *pick_output, *pick_view, *gain, *caption;
  HlResponseChart *chart;
  GPtrArray *outputs; /* probe ids, of the entries of pick_output */
  guint tick;
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (HlResponseWindow, hl_response_window, GTK_TYPE_WINDOW)

static guint chosen_index (GtkWidget *pick) {
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (pick));
}

/* Returns the number of inputs in the list. Rates of other inputs are not listed, because they do not change
 * independently. */
static int n_offered (const HlSystem *sys) {
  int n = 0;

  for (int k = 0; k < hl_linear_model_n_inputs (sys); k++)
    n += !hl_input_is_rate (sys, k);
  return n;
}

/* Returns the input that stands at an entry of the list; -1 = behind all of them. */
static int input_of_entry (const HlSystem *sys, int entry) {
  for (int k = 0; k < hl_linear_model_n_inputs (sys); k++)
    if (!hl_input_is_rate (sys, k) && entry-- == 0)
      return k;
  return -1;
}

/* Returns the loop that is cut: they follow the inputs in the list; -1 = an input is chosen. */
static int chosen_loop (HlResponseWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  int loop = at != NULL ? (int)chosen_index (self->pick_input) - n_offered (at->system) : -1;

  return loop >= 0 && loop < hl_loop_n (at->system) ? loop : -1;
}

/* Finds the chosen output; FALSE: none. */
static gboolean chosen_probe (HlResponseWindow *self, HlProbe *probe) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  guint entry = chosen_index (self->pick_output);

  for (int k = 0; entry < self->outputs->len && k < hl_document_n_recorded (document); k++)
    if (hl_document_recorded (document, k, probe) && g_strcmp0 (probe->id, self->outputs->pdata[entry]) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the typed gain; an invalid text is marked, and the gain is then 1. */
static double chosen_gain (HlResponseWindow *self) {
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->gain));
  g_autoptr (GError) error = NULL;
  double gain = 1.0;

  if (*text == '\0' ||
      hl_document_read_typed (hl_editing_document (hl_workbench_editing (self->workbench)), text,
                              HL_QUANTITY_NONE, hl_quantity_default_unit (HL_QUANTITY_NONE), &gain, NULL,
                              &error))
    gtk_widget_remove_css_class (self->gain, "error");
  else
    gtk_widget_add_css_class (self->gain, "error");
  gtk_widget_set_tooltip_text (self->gain,
                               error != NULL ? error->message : _ ("Gain of the loop, in SI units"));
  return isfinite (gain) && fabs (gain) > LEAST_GAIN ? gain : 1.0;
}

static const HlUnit *output_unit (HlResponseWindow *self, const HlProbe *probe) {
  HlPathInfo info;

  if (!hl_path_find (hl_editing_document (hl_workbench_editing (self->workbench)), probe->of, &info, NULL))
    return NULL;
  return hl_workbench_units (self->workbench)[info.quantity];
}

/* --- the study --- */

static HlResponseStudy *compute_study (HlResponseWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  HlResponseOptions options = hl_response_options_default ();
  HlObservable output;
  HlProbe probe;

  if (at == NULL || at->point == NULL ||
      (chosen_loop (self) < 0 &&
       (!chosen_probe (self, &probe) || !hl_observable_find (at->system, probe.of, &output))))
    return NULL;
  int loop = chosen_loop (self);
  if (loop < 0)
    options.input = input_of_entry (at->system, (int)chosen_index (self->pick_input));
  options.gain = chosen_gain (self);
  /* negative: the list of inputs is empty, or nothing in it is chosen */
  if (loop < 0 && (options.input < 0 || options.input >= hl_linear_model_n_inputs (at->system)))
    return NULL;
  HlWork *work = hl_work_new (at->system);
  HlLinearModel *model = loop >= 0 ? hl_loop_model_new (at->system, work, at->point, loop, NULL)
                                   : hl_linear_model_new (at->system, work, at->point, &output, 1, NULL);
  HlResponseStudy *study = model != NULL ? hl_response_study_new (model, &options) : NULL;
  hl_linear_model_free (model);
  hl_work_free (work);
  return study;
}

/* Returns whether growth and decay judge nothing, because the machine moves. */
static gboolean is_on_the_way (HlResponseWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  return at != NULL && at->linearization != NULL && at->linearization->steadiness == HL_ON_THE_WAY;
}

/* Returns a value of the step response, without what is rounding beside its largest one. */
static double step_value (const HlResponseStudy *study, double value) {
  double largest = 0.0;

  for (int k = 0; k < study->n_times; k++)
    largest = isfinite (study->y[k]) ? fmax (largest, fabs (study->y[k])) : largest;
  return fabs (value) > ROUNDING_PART * largest ? value : 0.0;
}

/* Returns the final value of the step response. Owned by the caller. */
static char *rest_text (HlResponseWindow *self) {
  const HlResponseStudy *study = chart_study (self->chart);
  HlProbe probe;
  const HlUnit *unit =
      chosen_loop (self) < 0 && chosen_probe (self, &probe) ? output_unit (self, &probe) : NULL;

  if (is_on_the_way (self))
    return g_strdup (
        _ ("The machine moves: this is the response at one instant, without information about stability."));
  if (study->open_growth > 0.0)
    return g_strdup (_ ("The model is unstable: the response grows without bound."));
  if (!isfinite (study->dc_gain))
    return g_strdup (_ ("The model integrates the input: the response grows steadily."));
  return g_strdup_printf (
      _ ("Steady-state value: %s %s"),
      hl_shown (step_value (study, study->dc_gain) * (unit != NULL ? 1.0 / unit->factor : 1.0), 5).text,
      unit != NULL ? unit->symbol : "");
}

static char *margin_text (const HlResponseStudy *study, gboolean is_loop, gboolean is_on_the_way) {
  g_autoptr (GString) text = g_string_new (is_loop ? _ ("Open loop at this signal: ")
                                                   : _ ("Closed with unity feedback (values in SI units): "));

  if (isnan (study->gain_margin) && isnan (study->phase_margin))
    g_string_append (text, _ ("both margins are infinite"));
  if (!isnan (study->gain_margin))
    g_string_append_printf (text, _ ("gain margin %s dB at %s Hz"),
                            hl_shown (20.0 * log10 (study->gain_margin), 4).text,
                            hl_shown (study->gain_margin_hz, 4).text);
  if (!isnan (study->gain_margin) && !isnan (study->phase_margin))
    g_string_append (text, ", ");
  if (!isnan (study->phase_margin))
    g_string_append_printf (text, _ ("phase margin %s° at %s Hz"),
                            hl_shown (study->phase_margin * 180.0 / G_PI, 4).text,
                            hl_shown (study->phase_margin_hz, 4).text);
  if (study->n_margins > 2)
    g_string_append_printf (text, _ ("; smallest of %d crossings"), study->n_margins);
  double calm = isfinite (study->open_growth) ? CALM_GROWTH * fabs (study->open_growth) : 0.0;
  /* margins judge only where the open loop is stable; this always does */
  if (is_on_the_way)
    g_string_append (text, _ (". The machine moves: no information about stability."));
  else if (!isnan (study->closed_growth))
    g_string_append (text, study->closed_growth > calm ? _ (". The closed loop is unstable.")
                                                       : _ (". The closed loop is stable."));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the index of the sample at or after x. */
static int sample_at (const double values[], int n, double x) {
  int k = 0;

  while (k + 1 < n && values[k] < x)
    k++;
  return k;
}

static char *hover_text (HlResponseWindow *self) {
  const HlResponseStudy *study = chart_study (self->chart);
  double pointed = chart_pointed (self->chart);
  HlProbe probe;

  if (chosen_index (self->pick_view) == HL_RESPONSE_STEP) {
    int k = sample_at (study->t, study->n_times, pointed);
    const HlUnit *unit =
        chosen_loop (self) < 0 && chosen_probe (self, &probe) ? output_unit (self, &probe) : NULL;
    double factor = unit != NULL ? 1.0 / unit->factor : 1.0;
    return g_strdup_printf (_ ("t = %s s: %s %s"), hl_shown (study->t[k], 4).text,
                            hl_shown (step_value (study, study->y[k]) * factor, 5).text,
                            unit != NULL ? unit->symbol : "");
  }
  int k = sample_at (study->f, study->n, pointed);
  return g_strdup_printf (_ ("f = %s Hz (%s rad/s): |G| = %s (%s dB), phase %s°"),
                          hl_shown (study->f[k], 4).text, hl_shown (2.0 * G_PI * study->f[k], 4).text,
                          hl_shown (study->magnitude[k], 4).text,
                          hl_shown (20.0 * log10 (study->magnitude[k]), 5).text,
                          hl_shown (study->phase[k] * 180.0 / G_PI, 5).text);
}

static void write_caption (HlResponseWindow *self) {
  const HlResponseStudy *study = chart_study (self->chart);
  g_autofree char *text = NULL;

  if (study != NULL && hl_response_is_still (study))
    text = g_strdup (hl_response_still_text ());
  else if (study != NULL)
    text = !isnan (chart_pointed (self->chart)) ? hover_text (self)
           : chosen_index (self->pick_view) == HL_RESPONSE_STEP
               ? rest_text (self)
               : margin_text (study, chosen_loop (self) >= 0, is_on_the_way (self));
  gtk_label_set_text (GTK_LABEL (self->caption), text != NULL ? text : "");
}

static gboolean tick_cb (GtkWidget *chart, GdkFrameClock *clock, gpointer data) {
  HlResponseWindow *self = data;
  HlProbe probe;
  gboolean has_probe = chosen_loop (self) < 0 && chosen_probe (self, &probe);

  self->tick = 0;
  gtk_widget_set_sensitive (self->pick_output, chosen_loop (self) < 0);
  chart_set_output (self->chart, has_probe ? probe.label : NULL,
                    has_probe ? output_unit (self, &probe) : NULL);
  chart_set_study (self->chart, compute_study (self));
  write_caption (self);
  return G_SOURCE_REMOVE;
}

static void invalidate (HlResponseWindow *self) {
  if (self->tick == 0 && !self->is_filling)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->chart), tick_cb, self, NULL);
}

/* --- the lists --- */

/* Returns the entry of a name in a list; GTK_INVALID_LIST_POSITION = it is not there. With `is_owner` the
 * entry that an element owns: "dcv" is found in "dcv.command" and "Loop cut at dcv.command". */
static guint entry_of (GtkWidget *pick, const char *name, gboolean is_owner) {
  GListModel *names = gtk_drop_down_get_model (GTK_DROP_DOWN (pick));
  guint n = name != NULL ? g_list_model_get_n_items (names) : 0;
  g_autofree char *owned = name != NULL ? g_strconcat (name, ".", NULL) : NULL;

  for (guint k = 0; k < n; k++) {
    const char *entry = gtk_string_list_get_string (GTK_STRING_LIST (names), k);
    if (is_owner ? g_str_has_prefix (entry, owned) : strcmp (entry, name) == 0)
      return k;
  }
  return GTK_INVALID_LIST_POSITION;
}

static const char *chosen_name (GtkWidget *pick) {
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (pick));
  return item != NULL ? gtk_string_object_get_string (item) : NULL;
}

static void note_asked (HlResponseWindow *self) {
  g_object_set_data_full (G_OBJECT (self->workbench), ASKED_KEY, g_strdup (chosen_name (self->pick_input)),
                          g_free);
}

static void fill_inputs (HlResponseWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *before = g_strdup (chosen_name (self->pick_input));
  int n = at != NULL ? n_offered (at->system) : 0;

  for (int k = 0; k < n; k++) {
    g_autofree char *name = hl_linear_model_input_name (at->system, input_of_entry (at->system, k));
    gtk_string_list_append (names, name);
  }
  int n_loops = at != NULL ? hl_loop_n (at->system) : 0;
  for (int k = 0; k < n_loops; k++) {
    g_autofree char *name = g_strdup_printf (_ ("Loop opened at %s"), hl_loop_name (at->system, k));
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_input), G_LIST_MODEL (names));
  guint entry = entry_of (self->pick_input, before, FALSE);
  if (entry != GTK_INVALID_LIST_POSITION)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_input), entry);
}

static void fill_outputs (HlResponseWindow *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint before = chosen_index (self->pick_output);
  g_autofree char *old = before < self->outputs->len ? g_strdup (self->outputs->pdata[before]) : NULL;
  guint entry = 0;

  g_ptr_array_set_size (self->outputs, 0);
  for (int k = 0; k < hl_document_n_recorded (document); k++) {
    HlProbe probe;
    if (!hl_document_recorded (document, k, &probe))
      continue;
    if (g_strcmp0 (probe.id, old) == 0)
      entry = self->outputs->len;
    gtk_string_list_append (names, probe.label);
    g_ptr_array_add (self->outputs, g_strdup (probe.id));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_output), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_output), entry);
}

/* Chooses the input of a new window: the input of the selection, else the last one, else the first one
 * with a response of the output. */
static void choose_input (HlResponseWindow *self) {
  const char *asked = g_object_get_data (G_OBJECT (self->workbench), ASKED_KEY);
  guint entry = entry_of (self->pick_input, hl_workbench_selected (self->workbench), TRUE);
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (self->pick_input)));

  gboolean is_selected = entry != GTK_INVALID_LIST_POSITION;
  if (!is_selected)
    entry = entry_of (self->pick_input, asked, FALSE);
  for (guint k = 0; entry == GTK_INVALID_LIST_POSITION && k < n; k++) {
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_input), k);
    HlResponseStudy *study = compute_study (self);
    if (study != NULL && !hl_response_is_still (study))
      entry = k;
    hl_response_study_free (study);
  }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_input),
                              entry != GTK_INVALID_LIST_POSITION ? entry : 0);
  if (is_selected)
    note_asked (self);
}

static void fill_choices (HlResponseWindow *self, gboolean is_new) {
  self->is_filling = TRUE;
  fill_inputs (self);
  fill_outputs (self);
  if (is_new)
    choose_input (self);
  self->is_filling = FALSE;
  invalidate (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlResponseWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (workbench));
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (self->pick_input)));

  if (changes & HL_CHANGED_DOCUMENT ||
      (changes & HL_CHANGED_POINT && at != NULL && (int)n != n_offered (at->system) + hl_loop_n (at->system)))
    fill_choices (self, FALSE);
  else if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_UNITS))
    invalidate (self);
}

static void asked_cb (GObject *object, GParamSpec *spec, HlResponseWindow *self) {
  if (object == G_OBJECT (self->pick_input) && !self->is_filling)
    note_asked (self);
  /* the kept response belongs to the same input and output */
  if (object != G_OBJECT (self->pick_view) && !self->is_filling)
    chart_set_ghost (self->chart, NULL);
  chart_set_view (self->chart, (HlResponseView)chosen_index (self->pick_view));
  invalidate (self);
}

static void gain_cb (GtkEditable *entry, HlResponseWindow *self) {
  invalidate (self);
}

static void keep_cb (GtkButton *button, HlResponseWindow *self) {
  chart_set_ghost (self->chart, compute_study (self));
  invalidate (self);
}

/* --- life --- */

static void hl_response_window_dispose (GObject *object) {
  HlResponseWindow *self = HL_RESPONSE_WINDOW (object);

  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_response_window_parent_class)->dispose (object);
}

static void pointed_cb (HlResponseChart *chart, HlResponseWindow *self) {
  write_caption (self);
}

static void export_cb (GtkButton *button, HlResponseWindow *self) {
  hl_workbench_take_away (self->workbench, G_OBJECT (self->chart));
}

static void hl_response_window_class_init (HlResponseWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_response_window_dispose;
  g_type_ensure (HL_TYPE_RESPONSE_CHART);
  hl_widget_tree_load (klass, "hl-linear-response-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlResponseWindow, pick_input);
  HL_TREE_CHILD (klass, HlResponseWindow, pick_output);
  HL_TREE_CHILD (klass, HlResponseWindow, pick_view);
  HL_TREE_CHILD (klass, HlResponseWindow, gain);
  HL_TREE_CHILD (klass, HlResponseWindow, chart);
  HL_TREE_CHILD (klass, HlResponseWindow, caption);
  HL_TREE_CALLBACK (klass, export_cb);
  HL_TREE_CALLBACK (klass, asked_cb);
  HL_TREE_CALLBACK (klass, gain_cb);
  HL_TREE_CALLBACK (klass, keep_cb);
  HL_TREE_CALLBACK (klass, pointed_cb);
}

static void hl_response_window_init (HlResponseWindow *self) {
  self->is_filling = TRUE; /* until there is something to compute */
  self->outputs = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the window is as wide as before whatever is chosen */
  hl_steady_list (GTK_DROP_DOWN (self->pick_input), INPUT_LETTERS);
  hl_steady_list (GTK_DROP_DOWN (self->pick_output), OUTPUT_LETTERS);
  hl_steady_list (GTK_DROP_DOWN (self->pick_view), OUTPUT_LETTERS);
}

GtkWidget *hl_response_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlResponseWindow *self = g_object_new (HL_TYPE_RESPONSE_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  fill_choices (self, TRUE);
  return GTK_WIDGET (self);
}
