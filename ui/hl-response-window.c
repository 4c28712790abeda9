/* SPDX-License-Identifier: MIT */
#include "ui/hl-response-window.h"

#include "core/analysis/hl-response-study.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/hl-look.h"
#include "ui/hl-study-window.h"
#include "ui/paint/hl-paint-response.h"
#include "ui/paint/hl-scene.h"

#include <math.h>

#define WIDTH 720
#define HEIGHT 600
#define DIGITS 4
#define LEAST_GAIN 1e-12
#define CALM_GROWTH 1e-9 /* a real part beside that of the open loop is zero */

struct _HlResponseWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_input, *pick_output, *pick_view, *gain, *keep, *area, *caption;
  GPtrArray *outputs; /* probe ids, of the entries of pick_output */
  HlResponseStudy *study, *ghost;
  double hover;
  guint tick;
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (HlResponseWindow, hl_response_window, GTK_TYPE_WINDOW)

static guint
chosen (GtkWidget *pick)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (pick));
}

/* The probe that is looked at; FALSE: none. */
static gboolean
chosen_probe (HlResponseWindow *self, HlProbe *probe)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  guint entry = chosen (self->pick_output);

  for (int k = 0; entry < self->outputs->len && k < hl_document_n_probes (document); k++)
    if (hl_document_probe (document, k, probe) &&
        g_strcmp0 (probe->id, self->outputs->pdata[entry]) == 0)
      return TRUE;
  return FALSE;
}

static double
chosen_gain (HlResponseWindow *self)
{
  double gain = g_strtod (gtk_editable_get_text (GTK_EDITABLE (self->gain)), NULL);
  return isfinite (gain) && fabs (gain) > LEAST_GAIN ? gain : 1.0;
}

static const HlUnit *
output_unit (HlResponseWindow *self, const HlProbe *probe)
{
  HlPathInfo info;

  if (!hl_path_find (hl_workbench_document (self->workbench), probe->of, &info, NULL))
    return NULL;
  return hl_workbench_unit (self->workbench, info.quantity);
}

/* --- the study --- */

static HlResponseStudy *
compute (HlResponseWindow *self)
{
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  HlResponseOptions options = hl_response_options_default ();
  HlObservable output;
  HlProbe probe;

  if (at == NULL || at->point == NULL || !chosen_probe (self, &probe) ||
      !hl_observable_find (at->system, probe.of, &output))
    return NULL;
  options.input = (int)chosen (self->pick_input);
  options.gain = chosen_gain (self);
  if (options.input >= hl_linear_model_n_inputs (at->system))
    return NULL;
  HlWork *work = hl_work_new (at->system);
  HlLinearModel *model = hl_linear_model_new (at->system, work, at->point, &output, 1, NULL);
  HlResponseStudy *study = model != NULL ? hl_response_study_new (model, &options) : NULL;
  hl_linear_model_free (model);
  hl_work_free (work);
  return study;
}

/* Where the step response ends. Owned by the caller. */
static char *
rest_text (HlResponseWindow *self)
{
  const HlResponseStudy *study = self->study;
  HlProbe probe;
  const HlUnit *unit = chosen_probe (self, &probe) ? output_unit (self, &probe) : NULL;

  if (study->open_growth > 0.0)
    return g_strdup (_ ("The model is unstable: the response grows without end."));
  if (!isfinite (study->dc_gain))
    return g_strdup (_ ("The input is integrated: the response grows steadily."));
  return g_strdup_printf (_ ("At rest again: %.5g %s"),
                          study->dc_gain * (unit != NULL ? 1.0 / unit->factor : 1.0),
                          unit != NULL ? unit->symbol : "");
}

static char *
margin_text (const HlResponseStudy *study)
{
  g_autoptr (GString) text = g_string_new (_ ("Closed by unity feedback (values in SI): "));

  if (isnan (study->gain_margin) && isnan (study->phase_margin))
    g_string_append (text, _ ("no margin is limited."));
  if (!isnan (study->gain_margin))
    g_string_append_printf (text, _ ("gain margin %.2f dB at %.4g Hz"),
                            20.0 * log10 (study->gain_margin), study->gain_margin_hz);
  if (!isnan (study->gain_margin) && !isnan (study->phase_margin))
    g_string_append (text, ", ");
  if (!isnan (study->phase_margin))
    g_string_append_printf (text, _ ("phase margin %.2f° at %.4g Hz"),
                            study->phase_margin * 180.0 / G_PI, study->phase_margin_hz);
  if (study->n_margins > 2)
    g_string_append_printf (text, _ ("; %d crossings, the narrowest are told"), study->n_margins);
  double calm = isfinite (study->open_growth) ? CALM_GROWTH * fabs (study->open_growth) : 0.0;
  /* margins judge only where the open loop is stable; this always does */
  if (!isnan (study->closed_growth))
    g_string_append (text, study->closed_growth > calm ? _ (". The closed loop is unstable.")
                                                       : _ (". The closed loop is stable."));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Index of the sample at or after x. */
static int
sample_at (const double values[], int n, double x)
{
  int k = 0;

  while (k + 1 < n && values[k] < x)
    k++;
  return k;
}

static char *
hover_text (HlResponseWindow *self)
{
  const HlResponseStudy *study = self->study;
  HlProbe probe;

  if (chosen (self->pick_view) == HL_RESPONSE_STEP) {
    int k = sample_at (study->t, study->n_times, self->hover);
    const HlUnit *unit = chosen_probe (self, &probe) ? output_unit (self, &probe) : NULL;
    double factor = unit != NULL ? 1.0 / unit->factor : 1.0;
    return g_strdup_printf (_ ("t = %.4g s: %.5g %s"), study->t[k], study->y[k] * factor,
                            unit != NULL ? unit->symbol : "");
  }
  int k = sample_at (study->f, study->n, self->hover);
  return g_strdup_printf (_ ("f = %.4g Hz (%.4g rad/s): |G| = %.4g (%.2f dB), phase %.2f°"),
                          study->f[k], 2.0 * G_PI * study->f[k], study->magnitude[k],
                          20.0 * log10 (study->magnitude[k]), study->phase[k] * 180.0 / G_PI);
}

static void
write_caption (HlResponseWindow *self)
{
  g_autofree char *text = NULL;

  if (self->study != NULL)
    text = !isnan (self->hover)                           ? hover_text (self)
           : chosen (self->pick_view) == HL_RESPONSE_STEP ? rest_text (self)
                                                          : margin_text (self->study);
  gtk_label_set_text (GTK_LABEL (self->caption), text != NULL ? text : "");
}

static gboolean
tick_cb (GtkWidget *area, GdkFrameClock *clock, gpointer data)
{
  HlResponseWindow *self = data;

  self->tick = 0;
  g_clear_pointer (&self->study, hl_response_study_free);
  self->study = compute (self);
  write_caption (self);
  gtk_widget_queue_draw (area);
  return G_SOURCE_REMOVE;
}

static void
invalidate (HlResponseWindow *self)
{
  if (self->tick == 0 && !self->is_filling)
    self->tick = gtk_widget_add_tick_callback (self->area, tick_cb, self, NULL);
}

/* --- the lists --- */

static void
fill_inputs (HlResponseWindow *self)
{
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint before = chosen (self->pick_input);
  int n = at != NULL ? hl_linear_model_n_inputs (at->system) : 0;

  for (int k = 0; k < n; k++) {
    g_autofree char *name = hl_linear_model_input_name (at->system, k);
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_input), G_LIST_MODEL (names));
  if (before != GTK_INVALID_LIST_POSITION && before < (guint)n)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_input), before);
}

static void
fill_outputs (HlResponseWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint before = chosen (self->pick_output);
  g_autofree char *old =
      before < self->outputs->len ? g_strdup (self->outputs->pdata[before]) : NULL;
  guint entry = 0;

  g_ptr_array_set_size (self->outputs, 0);
  for (int k = 0; k < hl_document_n_probes (document); k++) {
    HlProbe probe;
    if (!hl_document_probe (document, k, &probe))
      continue;
    if (g_strcmp0 (probe.id, old) == 0)
      entry = self->outputs->len;
    gtk_string_list_append (names, probe.label);
    g_ptr_array_add (self->outputs, g_strdup (probe.id));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_output), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_output), entry);
}

static void
fill (HlResponseWindow *self)
{
  self->is_filling = TRUE;
  fill_inputs (self);
  fill_outputs (self);
  self->is_filling = FALSE;
  invalidate (self);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlResponseWindow *self)
{
  const HlWorkingPoint *at = hl_workbench_point (workbench);
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (self->pick_input)));

  if (changes & HL_CHANGED_DOCUMENT ||
      (changes & HL_CHANGED_POINT && at != NULL && (int)n != hl_linear_model_n_inputs (at->system)))
    fill (self);
  else if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_UNITS))
    invalidate (self);
}

static void
asked_cb (GObject *object, GParamSpec *spec, HlResponseWindow *self)
{
  /* what was kept belongs to the same input and output */
  if (object != G_OBJECT (self->pick_view) && !self->is_filling)
    g_clear_pointer (&self->ghost, hl_response_study_free);
  self->hover = NAN;
  invalidate (self);
}

static void
gain_cb (GtkEditable *entry, HlResponseWindow *self)
{
  invalidate (self);
}

static void
keep_cb (GtkButton *button, HlResponseWindow *self)
{
  g_clear_pointer (&self->ghost, hl_response_study_free);
  self->ghost = compute (self);
  invalidate (self);
}

/* --- the picture --- */

static HlResponsePicture
picture_of (HlResponseWindow *self, HlProbe *probe)
{
  gboolean has_probe = chosen_probe (self, probe);

  return (HlResponsePicture){.study = self->study,
                             .ghost = self->ghost,
                             .empty_text =
                                 _ ("Nothing to answer: it takes a signal or a pump, a probe and a "
                                    "start state."),
                             .view = (HlResponseView)chosen (self->pick_view),
                             .output_label = has_probe ? probe->label : NULL,
                             .output_unit = has_probe ? output_unit (self, probe) : NULL,
                             .f_hover = self->hover};
}

static HlRect
area_of (HlResponseWindow *self)
{
  return (HlRect){0, 0, gtk_widget_get_width (self->area), gtk_widget_get_height (self->area)};
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HlResponseWindow *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));
  HlProbe probe;
  HlResponsePicture picture = picture_of (self, &probe);

  hl_paint_background (cr, 0, 0, width, height, &style);
  hl_paint_response (cr, &picture, area_of (self), &style);
}

static void
hover (HlResponseWindow *self, double x)
{
  self->hover = x;
  write_caption (self);
  gtk_widget_queue_draw (self->area);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlResponseWindow *self)
{
  HlStyle style = hl_look_style (self->area);
  HlProbe probe;
  HlResponsePicture picture = picture_of (self, &probe);
  cairo_t *cr = hl_study_measure ();
  double at = NAN;

  if (!hl_response_at (cr, &picture, area_of (self), &style, (HlSpot){x, y}, &at))
    at = NAN;
  cairo_destroy (cr);
  hover (self, at);
}

static void
leave_cb (GtkEventControllerMotion *controller, HlResponseWindow *self)
{
  hover (self, NAN);
}

/* --- life --- */

static void
hl_response_window_dispose (GObject *object)
{
  HlResponseWindow *self = HL_RESPONSE_WINDOW (object);

  g_clear_pointer (&self->study, hl_response_study_free);
  g_clear_pointer (&self->ghost, hl_response_study_free);
  g_clear_pointer (&self->outputs, g_ptr_array_unref);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_response_window_parent_class)->dispose (object);
}

static void
hl_response_window_class_init (HlResponseWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_response_window_dispose;
}

static void
add_pointer (HlResponseWindow *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->area, motion);
}

static void
hl_response_window_init (HlResponseWindow *self)
{
  GtkWidget *box =
      hl_study_window_dress (GTK_WINDOW (self), _ ("Frequency and step response"), WIDTH, HEIGHT);
  GtkWidget *row = hl_study_add_row (box);
  GCallback asked = G_CALLBACK (asked_cb);

  self->is_filling = TRUE; /* until there is something to ask about */
  self->outputs = g_ptr_array_new_with_free_func (g_free);
  self->hover = NAN;
  self->pick_input = hl_study_add_pick (row, _ ("Input"), _ ("What is moved"), asked, self);
  self->pick_output =
      hl_study_add_pick (row, _ ("Output"), _ ("The probe that answers"), asked, self);
  self->pick_view =
      hl_study_add_pick (row, _ ("View"), _ ("How the response is drawn"), asked, self);
  hl_study_fill_pick (self->pick_view,
                      (const char *[]){_ ("Bode"), _ ("Nyquist"), _ ("Step"), NULL});
  self->gain = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->gain), "1");
  gtk_editable_set_width_chars (GTK_EDITABLE (self->gain), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->gain), 8);
  hl_study_add_named (row, self->gain, _ ("Gain"), _ ("Gain of the loop, in SI units"));
  g_signal_connect (self->gain, "changed", G_CALLBACK (gain_cb), self);
  self->keep = gtk_button_new_with_label (_ ("Keep"));
  gtk_widget_set_tooltip_text (self->keep, _ ("Keep this response behind the next ones"));
  g_signal_connect (self->keep, "clicked", G_CALLBACK (keep_cb), self);
  gtk_box_append (GTK_BOX (row), self->keep);
  self->area = hl_study_add_area (box, _ ("Response of the probe to the input"), draw_cb, self);
  add_pointer (self);
  self->caption = hl_study_add_caption (box);
}

GtkWidget *
hl_response_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlResponseWindow *self = g_object_new (HL_TYPE_RESPONSE_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  fill (self);
  return GTK_WIDGET (self);
}

const char *
hl_response_window_caption (HlResponseWindow *self)
{
  return gtk_label_get_text (GTK_LABEL (self->caption));
}
