/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-force-map-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-document.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-component.h"
#include "core/io/hl-answer-writer.h"
#include "core/oil/hl-hydraulic-model-comparison.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-model-worker.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

#define COUPLING_DIGITS 3

struct _HlCouplingBar {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *text, *stiff, *oil, *compare;
  char *id; /* of the actuator */
  HlQuasiAdvice advice;
  GCancellable *cancellable; /* a comparison is under way */
};

G_DEFINE_FINAL_TYPE (HlCouplingBar, hl_coupling_bar, GTK_TYPE_BOX)

static const HlCylinderTerms *terms_of (HlCouplingBar *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  HlSection section;
  int index;
  const HlComponentClass *klass =
      hl_document_find (document, self->id, &section, &index) != NULL && section == HL_SECTION_COMPONENTS
          ? hl_component_class (hl_document_element_kind_name (document, section, index))
          : NULL;

  return hl_cylinder_terms (klass != NULL && klass->is_rotary);
}

static double number_of (HlCouplingBar *self, const char *name) {
  g_autofree char *path = g_strdup_printf ("%s.%s", self->id, name);
  double value;

  return hl_document_get_number (hl_editing_document (hl_workbench_editing (self->workbench)), path, &value,
                                 NULL, NULL)
             ? value
             : NAN;
}

/* --- the comparison with the lumped model --- */

typedef struct {
  HlSystem *system;
  int component;
  HlQuasiPrice price;
  char *message; /* error; NULL = done */
} Job;

static void free_job (gpointer data) {
  Job *job = data;
  hl_system_unref (job->system);
  g_free (job->message);
  g_free (job);
}

static bool is_cancelled (void *data) {
  return g_cancellable_is_cancelled (data);
}

static gpointer work (gpointer data, GCancellable *cancellable, GError **error) {
  Job *job = data;
  HlFault fault = {.time = NAN, .entity = -1};

  if (hl_quasi_price (job->system, job->component, is_cancelled, cancellable, &job->price, &fault) != HL_OK)
    job->message = hl_fault_message (job->system, &fault);
  return job;
}

static void stop_computation (HlCouplingBar *self) {
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_button_set_label (GTK_BUTTON (self->compare), _ ("Compare with the lumped model"));
}

/* Returns which of the two runs took a second attempt. Owned by the caller. */
static char *again_note (const HlQuasiPrice *price) {
  const char *names[2];

  for (int k = 0; k < 2; k++)
    names[k] = price->method[k] == HL_METHOD_RADAU ? "Radau" : "BDF";
  g_autofree char *lumped =
      price->again[0] ? g_strdup_printf (_ (" The lumped run failed and was repeated with %s."), names[0])
                      : g_strdup ("");
  g_autofree char *quasi =
      price->again[1]
          ? g_strdup_printf (_ (" The quasistatic run failed and was repeated with %s."), names[1])
          : g_strdup ("");
  return g_strconcat (lumped, quasi, NULL);
}

static void done_cb (gpointer sender, gpointer data, gpointer answer, const GError *error) {
  HlCouplingBar *self = sender;
  const Job *job = data;

  stop_computation (self);
  if (job->message != NULL) {
    gtk_label_set_text (GTK_LABEL (self->text), job->message);
    return;
  }
  HlUnits units = hl_workbench_units (self->workbench);
  const HlCylinderTerms *terms = terms_of (self);
  g_autofree char *rms = hl_units_format (units, terms->place, job->price.rms, COUPLING_DIGITS);
  g_autofree char *most = hl_units_format (units, terms->place, job->price.largest, COUPLING_DIGITS);
  g_autofree char *when = hl_units_format (units, HL_QUANTITY_TIME, job->price.t_largest, COUPLING_DIGITS);
  g_autofree char *travel = hl_units_format (units, terms->place, job->price.travel, COUPLING_DIGITS);
  g_autofree char *force = hl_units_format (units, terms->force, job->price.force_rms, COUPLING_DIGITS);
  g_autofree char *text = g_strdup_printf (
      terms->is_rotary ? _ ("Difference to the lumped model: angle of %s %s rms, maximum %s (at %s), of a "
                            "travel of %s; torque %s rms. %ld instead of %ld steps, %s ms instead of %s ms.")
                       : _ ("Difference to the lumped model: length of %s %s rms, maximum %s (at %s), of a "
                            "travel of %s; force %s rms. %ld instead of %ld steps, %s ms instead of %s ms."),
      self->id, rms, most, when, travel, force, job->price.steps[1], job->price.steps[0],
      hl_shown (1e3 * job->price.seconds[1], 3).text, hl_shown (1e3 * job->price.seconds[0], 3).text);
  g_autofree char *note = again_note (&job->price);
  g_autofree char *whole = g_strconcat (text, note, NULL);
  gtk_label_set_text (GTK_LABEL (self->text), whole);
}

static void compare_cb (GtkButton *button, HlCouplingBar *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  if (self->cancellable != NULL) {
    stop_computation (self);
    return;
  }
  int component = hl_working_point_component (at, self->id);
  if (component < 0)
    return;
  Job *job = g_new0 (Job, 1);
  job->system = hl_system_ref (at->system);
  job->component = component;
  self->cancellable = g_cancellable_new ();
  hl_task_start (&(HlTask){.work = work,
                           .done = done_cb,
                           .free_job = free_job,
                           .sender = self,
                           .keep = G_OBJECT (self),
                           .life = self->cancellable},
                 job);
  gtk_button_set_label (GTK_BUTTON (self->compare), _ ("Cancel"));
}

/* --- proposals --- */

static void apply_coupling (HlCouplingBar *self, double K, double B, const char *key) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autofree char *stiffness = g_strdup_printf ("%s.virtual_stiffness", self->id);
  g_autofree char *damping = g_strdup_printf ("%s.virtual_damping", self->id);
  const char *paths[2][2] = {{stiffness, NULL}, {damping, NULL}};

  /* one key: both are one undo step */
  hl_editing_set_numbers (editing, paths[0], K, key, NULL);
  hl_editing_set_numbers (editing, paths[1], B, key, NULL);
  hl_editing_end_gesture (editing);
}

static void stiff_cb (GtkButton *button, HlCouplingBar *self) {
  apply_coupling (self, self->advice.stiff_K, self->advice.stiff_B, "virtual element");
}

static void oil_cb (GtkButton *button, HlCouplingBar *self) {
  apply_coupling (self, self->advice.oil_K, self->advice.oil_B, "virtual element");
}

static void show_proposal (HlCouplingBar *self, GtkWidget *button, double K, double B, const char *format) {
  HlUnits units = hl_workbench_units (self->workbench);
  const HlCylinderTerms *terms = terms_of (self);
  g_autofree char *stiffness = hl_units_format (units, terms->stiffness, K, COUPLING_DIGITS);
  g_autofree char *damping = hl_units_format (units, terms->damping, B, COUPLING_DIGITS);
  g_autofree char *text = g_strdup_printf (format, stiffness, damping);

  gtk_widget_set_tooltip_text (button, text);
}

void hl_coupling_bar_show (HlCouplingBar *self, const char *id) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  HlUnits units = hl_workbench_units (self->workbench);

  int component = hl_working_point_component (at, id);

  g_free (self->id);
  self->id = g_strdup (id);
  stop_computation (self);
  gboolean known = component >= 0 &&
                   hl_quasi_advice_at_start (at->system, component, &self->advice) == HL_OK &&
                   isfinite (self->advice.mass); /* at its dead point there is nothing to propose */
  gtk_widget_set_visible (GTK_WIDGET (self), known);
  if (!known)
    return;
  double K = number_of (self, "virtual_stiffness"), B = number_of (self, "virtual_damping");
  g_autofree char *stiffness = hl_units_format (units, terms_of (self)->stiffness, K, COUPLING_DIGITS);
  g_autofree char *damping = hl_units_format (units, terms_of (self)->damping, B, COUPLING_DIGITS);
  g_autofree char *longest =
      hl_units_format (units, HL_QUANTITY_TIME, self->advice.longest_step, COUPLING_DIGITS);
  g_autofree char *text =
      K > 0.0 && B > 0.0
          ? g_strdup_printf (_ ("Virtual element of %s: %s and %s. Fixed steps are stable up to %s. The load "
                                "oscillates %s times as slowly on it as on the oil."),
                             self->id, stiffness, damping, longest, hl_shown (self->advice.slowness, 3).text)
          : g_strdup_printf (_ ("%s has no virtual element yet. Choose one of these."), self->id);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  show_proposal (self, self->stiff, self->advice.stiff_K, self->advice.stiff_B,
                 _ ("%s and %s: stiffest stable value for the fixed step"));
  show_proposal (self, self->oil, self->advice.oil_K, self->advice.oil_B,
                 _ ("%s and %s: compliance of the trapped oil, critically damped"));
  gtk_widget_set_sensitive (self->compare, K > 0.0 && B > 0.0);
}

void hl_coupling_bar_set_workbench (HlCouplingBar *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
}

/* --- life --- */

static void hl_coupling_bar_dispose (GObject *object) {
  HlCouplingBar *self = HL_COUPLING_BAR (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->id, g_free);
  G_OBJECT_CLASS (hl_coupling_bar_parent_class)->dispose (object);
}

static void hl_coupling_bar_class_init (HlCouplingBarClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_coupling_bar_dispose;
  hl_widget_tree_load (klass, "hl-coupling-bar");
  HL_TREE_CHILD (klass, HlCouplingBar, text);
  HL_TREE_CHILD (klass, HlCouplingBar, stiff);
  HL_TREE_CHILD (klass, HlCouplingBar, oil);
  HL_TREE_CHILD (klass, HlCouplingBar, compare);
  HL_TREE_CALLBACK (klass, stiff_cb);
  HL_TREE_CALLBACK (klass, oil_cb);
  HL_TREE_CALLBACK (klass, compare_cb);
}

static void hl_coupling_bar_init (HlCouplingBar *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

struct _HlForceChart {
  HlChart parent_instance;
  HlForceFamily *family; /* NULL: does not fit, message says why */
  char *message, *family_label;
  HlForcePicture picture;
};

G_DEFINE_FINAL_TYPE (HlForceChart, hl_force_chart, HL_TYPE_CHART)

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  hl_paint_background (cr, 0, 0, area.width, area.height, style);
  hl_paint_force (cr, &HL_FORCE_CHART (chart)->picture, area, style);
  hl_frame_paint_rubber_band (cr, hl_chart_band (chart), style);
}

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlForcePicture picture = HL_FORCE_CHART (chart)->picture;

  picture.v_hover = NAN;
  hl_paint_force (cr, &picture, area, style);
}

static void add_curve (GArray *columns[4], const HlForceCurve *curve) {
  for (int k = 0; k < curve->n; k++) {
    double row[] = {curve->value, curve->v[k], curve->f[k], curve->P[k]};
    for (int column = 0; column < 4; column++)
      g_array_append_val (columns[column], row[column]);
  }
}

/* Maps in order, the present one first; they differ by the parameter of the family. */
static char *table (HlChart *chart) {
  const HlForceFamily *family = HL_FORCE_CHART (chart)->family;
  GArray *columns[4];

  if (family == NULL)
    return NULL;
  const HlCylinderTerms *terms = family->terms[0];
  const char *titles[4][2] = {{"family", NULL},
                              {terms->speed_title, terms->speed_unit},
                              {terms->force_output, terms->force_unit},
                              {"pump_pressure", "Pa"}};
  for (int column = 0; column < 4; column++)
    columns[column] = g_array_new (FALSE, FALSE, sizeof (double));
  add_curve (columns, &family->now);
  for (int member = 0; member < family->n_family; member++)
    add_curve (columns, &family->family[member]);
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  for (int column = 0; column < 4; column++)
    hl_answer_column (answer, NULL, titles[column][0], titles[column][1],
                      (const double *)(gpointer)columns[column]->data, (int)columns[column]->len, 1);
  char *text = hl_answer_to_text (answer, HL_ANSWER_CSV);
  for (int column = 0; column < 4; column++)
    g_array_unref (columns[column]);
  return text;
}

/* Lays out in SI, so that another display unit does not change the range. */
static gboolean lay_out (HlChart *chart, HlChartAxes *axes) {
  HlForceChart *self = HL_FORCE_CHART (chart);
  const HlChartRange *range = hl_chart_range (chart, HL_CHART_X);
  HlStyle style = hl_widget_style (GTK_WIDGET (self));

  if (self->family == NULL)
    return FALSE;
  cairo_t *cr = hl_chart_measure ();
  axes->frame = hl_force_frame (cr, &self->picture, hl_chart_area (chart), &style);
  cairo_destroy (cr);
  axes->axes[HL_CHART_X] =
      range->is_free
          ? range->axis
          : (HlAxis){.scale = HL_SCALE_LINEAR, .min = self->family->v_from, .max = self->family->v_to};
  return TRUE;
}

static void ranges_changed (HlChart *chart) {
  g_signal_emit_by_name (chart, "range-changed");
}

static void point_at_speed (HlForceChart *self, double v) {
  self->picture.v_hover = v;
  hl_chart_say_pointed (HL_CHART (self));
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlForceChart *self = HL_FORCE_CHART (chart);
  HlStyle style = hl_widget_style (GTK_WIDGET (self));
  cairo_t *cr = hl_chart_measure ();
  double v;

  gboolean inside = hl_force_velocity_at (cr, &self->picture, hl_chart_area (chart), &style, at, &v);
  cairo_destroy (cr);
  point_at_speed (self, inside ? v : NAN);
  return NULL;
}

static void leave_chart (HlChart *chart) {
  point_at_speed (HL_FORCE_CHART (chart), NAN);
}

/* --- life --- */

static void hl_force_chart_finalize (GObject *object) {
  HlForceChart *self = HL_FORCE_CHART (object);

  g_clear_pointer (&self->family, hl_force_family_free);
  g_free (self->message);
  g_free (self->family_label);
  G_OBJECT_CLASS (hl_force_chart_parent_class)->finalize (object);
}

static void hl_force_chart_class_init (HlForceChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_force_chart_finalize;
  chart_class->zooms = HL_CHART_ALONG_X; /* forces are fitted to what is in view */
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->lay_out = lay_out;
  chart_class->hover = hover;
  chart_class->leave = leave_chart;
  chart_class->ranges_changed = ranges_changed;
  g_signal_new ("range-changed", HL_TYPE_FORCE_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_force_chart_init (HlForceChart *self) {
  self->picture = (HlForcePicture){.v_now = NAN, .f_now = NAN, .v_hover = NAN};
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Force over velocity"), -1);
}

/* Takes family and message (why there is none). */
static void chart_set_family (HlForceChart *self, HlForceFamily *family, char *message) {
  g_clear_pointer (&self->family, hl_force_family_free);
  g_free (self->message);
  self->family = family;
  self->message = message;
  self->picture.family = family;
  self->picture.empty_text = message;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* Shows a picture except for the chart's own family, text and hover. */
static void chart_show (HlForceChart *self, const HlForcePicture *picture) {
  double v_hover = self->picture.v_hover;

  g_free (self->family_label);
  self->family_label = g_strdup (picture->family_label);
  self->picture = *picture;
  self->picture.family = self->family;
  self->picture.empty_text = self->message;
  self->picture.family_label = self->family_label;
  self->picture.v_hover = v_hover;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

const HlForceFamily *hl_force_chart_family (HlForceChart *self) {
  return self->family;
}

/* Returns the speed under the pointer; NAN: none. */
static double chart_pointed (HlForceChart *self) {
  return self->picture.v_hover;
}

typedef struct HlForcePick HlForcePick;

/* An entry of the list of families; member: of HL_FORCE_OVER_OTHER_SPEED. */
typedef struct {
  HlForceOver over;
  int member;
} HlForcePicked;

struct HlForcePick {
  GtkDropDown *cylinder, *over;
  GArray *cylinders; /* component index of every entry of `cylinder` */
  GArray *overs;     /* HlForcePicked, of every entry of `over` */
  gboolean is_filling;
};

/* Returns the choice of cylinder and variable. The lists are borrowed; they count as being filled until the
 * cylinders are listed. */
static HlForcePick *pick_new (GtkDropDown *cylinder, GtkDropDown *over) {
  HlForcePick *pick = g_new0 (HlForcePick, 1);

  pick->cylinder = cylinder;
  pick->over = over;
  pick->cylinders = g_array_new (FALSE, FALSE, sizeof (int));
  pick->overs = g_array_new (FALSE, FALSE, sizeof (HlForcePicked));
  pick->is_filling = TRUE; /* until there is something to compute */
  return pick;
}

static void pick_free (HlForcePick *pick) {
  g_array_unref (pick->cylinders);
  g_array_unref (pick->overs);
  g_free (pick);
}

/* --- what is chosen --- */

static int pick_component (const HlForcePick *pick) {
  guint entry = gtk_drop_down_get_selected (pick->cylinder);
  return entry < pick->cylinders->len ? g_array_index (pick->cylinders, int, entry) : -1;
}

static HlForcePicked force_pick_over (const HlForcePick *pick) {
  guint entry = gtk_drop_down_get_selected (pick->over);
  return entry < pick->overs->len ? g_array_index (pick->overs, HlForcePicked, entry) : (HlForcePicked){0};
}

static const char *pick_over_label (const HlForcePick *pick) {
  if (force_pick_over (pick).over == HL_FORCE_OVER_NOTHING)
    return NULL;
  GtkStringObject *item = gtk_drop_down_get_selected_item (pick->over);
  return item != NULL ? gtk_string_object_get_string (item) : NULL;
}

static int pick_n_overs (const HlForcePick *pick) {
  return (int)pick->overs->len;
}

/* Returns whether the lists are being filled by the program, so that their signals are ignored. */
static gboolean pick_is_filling (const HlForcePick *pick) {
  return pick->is_filling;
}

/* --- filling --- */

static const char *component_id (const HlDocument *document, int component) {
  return hl_document_element_id (document, HL_SECTION_COMPONENTS, component);
}

static void add_over (HlForcePick *pick, GtkStringList *names, const char *name, HlForceOver over,
                      int member) {
  HlForcePicked entry = {over, member};

  gtk_string_list_append (names, name);
  g_array_append_val (pick->overs, entry);
}

/* Fills the lists with the openings and members that a family (NULL: none) of that point permits; the
 * selection is kept. */
static void pick_fill_overs (HlForcePick *pick, const HlWorkingPoint *at, const HlForceFamily *family) {
  HlForcePicked before = force_pick_over (pick);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  pick->is_filling = TRUE;
  g_array_set_size (pick->overs, 0);
  add_over (pick, names, _ ("no family"), HL_FORCE_OVER_NOTHING, 0);
  if (family != NULL && family->has_command)
    add_over (pick, names, _ ("command"), HL_FORCE_OVER_COMMAND, 0);
  if (family != NULL && family->has_bleed)
    add_over (pick, names, _ ("bleed opening"), HL_FORCE_OVER_BLEED, 0);
  if (family != NULL && family->has_regeneration)
    add_over (pick, names, _ ("regeneration opening"), HL_FORCE_OVER_REGENERATION, 0);
  for (int member = 1; family != NULL && member < family->n_members; member++) {
    const char *id = hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, family->components[member]);
    g_autofree char *name = g_strdup_printf (_ ("speed of %s"), id);
    add_over (pick, names, name, HL_FORCE_OVER_OTHER_SPEED, member);
  }
  gtk_drop_down_set_model (pick->over, G_LIST_MODEL (names));
  for (guint k = 0; k < pick->overs->len; k++) {
    const HlForcePicked *entry = &g_array_index (pick->overs, HlForcePicked, k);
    if (entry->over == before.over && entry->member == before.member)
      gtk_drop_down_set_selected (pick->over, k);
  }
  pick->is_filling = FALSE;
}

/* Lists the cylinders of a drawing and chooses the selected one, or else the previous one. */
static void pick_fill_cylinders (HlForcePick *pick, const HlDocument *document, const char *selected) {
  int before = pick_component (pick);
  guint entry = 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  pick->is_filling = TRUE;
  g_array_set_size (pick->cylinders, 0);
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const HlComponentClass *klass =
        hl_component_class (hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, k));
    if (klass == NULL || !klass->is_cylinder)
      continue;
    if (g_strcmp0 (component_id (document, k), selected) == 0 ||
        (k == before && g_strcmp0 (component_id (document, before), selected) != 0 && entry == 0))
      entry = pick->cylinders->len;
    gtk_string_list_append (names, component_id (document, k));
    g_array_append_val (pick->cylinders, k);
  }
  gtk_drop_down_set_model (pick->cylinder, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (pick->cylinder, entry);
  pick->is_filling = FALSE;
}

/* Chooses the cylinder with that id, when it is one. */
static void pick_select (HlForcePick *pick, const HlDocument *document, const char *id) {
  for (guint k = 0; k < pick->cylinders->len; k++)
    if (g_strcmp0 (component_id (document, g_array_index (pick->cylinders, int, k)), id) == 0)
      gtk_drop_down_set_selected (pick->cylinder, k);
}

#define DIGITS 4

static char *open_valves (const HlQuasiValves *valves) {
  const char *names[6];
  int n = 0;

  if (valves->head_relief)
    names[n++] = _ ("head relief");
  if (valves->head_suction)
    names[n++] = _ ("head suction");
  if (valves->rod_relief)
    names[n++] = _ ("rod relief");
  if (valves->rod_suction)
    names[n++] = _ ("rod suction");
  if (valves->pump_relief)
    names[n++] = _ ("pump relief");
  if (n == 0)
    return g_strdup (_ ("relief and suction valves closed"));
  names[n] = NULL;
  g_autofree char *list = g_strjoinv (", ", (char **)names);
  return g_strdup_printf (_ ("open: %s"), list);
}

/* Formats two forces or torques in one unit that suits both. */
static void force_texts (HlUnits units, HlQuantity quantity, double a, double b, char *texts[2]) {
  const HlUnit *unit = hl_units_get (units, quantity);
  double largest = fmax (isfinite (a) ? fabs (a) : 0.0, isfinite (b) ? fabs (b) : 0.0);

  if (unit == hl_quantity_default_unit (quantity))
    unit = hl_unit_fitting (quantity, largest);
  texts[0] = hl_unit_format_full (unit, a, DIGITS);
  texts[1] = hl_unit_format_full (unit, b, DIGITS);
}

/* Returns the text of a motor or vane actuator, which is always in a network. */
static char *turning_text (const HlQuasiGamma *gamma, const char *speed, const char *low, const char *high) {
  if (isinf (gamma->f_lo) && isinf (gamma->f_hi))
    return g_strdup_printf (gamma->f_lo < gamma->f_hi
                                ? _ ("ω = %s: closed: holds any torque")
                                : _ ("At ω = %s the torque is unbounded: a chamber has no relief valve"),
                            speed);
  if (gamma->f_lo < gamma->f_hi)
    return g_strdup_printf (_ ("ω = %s: any torque from %s to %s"), speed, low, high);
  return g_strdup_printf (_ ("ω = %s, M = %s"), speed, low);
}

/* Returns "v = 0.1 m/s, f = 790 kN: segment +2a; open: pump relief valve; pump 360 bar, ..."; NULL when the
 * circuit does not fit. v in m/s; other cylinders of the pump stand still. Owned by the caller. */
static char *state_text (const HlSystem *sys, int component, double t, const HlForceMapOpenings *by_hand,
                         double v, HlUnits units) {
  HlForceMap *map = hl_force_map_new (sys, component, t, by_hand, NULL);

  if (map == NULL)
    return NULL;
  int n = hl_force_map_n_members (map);
  g_autofree double *speeds = g_new0 (double, n);
  g_autofree HlQuasiGamma *gamma = g_new0 (HlQuasiGamma, n);
  double tank = hl_force_map_tank (map);
  speeds[0] = v;
  HlStatus status = hl_force_map_at (map, speeds, gamma, NULL);
  gboolean is_network = hl_force_map_is_network (map);
  const HlCylinderTerms *terms = hl_force_map_terms (map, 0);
  hl_force_map_free (map);
  if (status != HL_OK)
    return NULL;
  g_autofree char *speed = hl_units_format (units, terms->speed, v, DIGITS);
  char *forces[2];
  force_texts (units, terms->force, gamma->f_lo, gamma->f_hi, forces);
  g_autofree char *low = forces[0], *high = forces[1];
  if (terms->is_rotary)
    return turning_text (gamma, speed, low, high);
  if (isinf (gamma->f_lo) && isinf (gamma->f_hi))
    return g_strdup_printf (gamma->f_lo < gamma->f_hi
                                ? _ ("v = %s: closed: holds any force")
                                : _ ("At v = %s the force is unbounded: a chamber has no relief valve"),
                            speed);
  if (gamma->f_lo < gamma->f_hi)
    return g_strdup_printf (_ ("v = %s: any force from %s to %s"), speed, low, high);
  if (is_network)
    return g_strdup_printf (_ ("v = %s, f = %s"), speed, low);
  g_autofree char *valves = open_valves (&gamma->valves);
  g_autofree char *P = hl_units_format (units, HL_QUANTITY_PRESSURE, tank + gamma->P, DIGITS);
  g_autofree char *Ph = hl_units_format (units, HL_QUANTITY_PRESSURE, tank + gamma->Ph, DIGITS);
  g_autofree char *Pr = hl_units_format (units, HL_QUANTITY_PRESSURE, tank + gamma->Pr, DIGITS);
  return g_strdup_printf (_ ("v = %s, f = %s: segment %s; %s; pump %s, head %s, rod %s"), speed, low,
                          hl_segment_name (gamma->segment), valves, P, Ph, Pr);
}

enum { BY_HAND_COMMAND, BY_HAND_BLEED, BY_HAND_REGENERATION, N_BY_HAND };

/* An opening set by hand: a check button, and the slider it frees. */
typedef struct {
  GtkWidget *box, *check, *scale;
} ByHand;

struct _HlForceWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_cylinder, *pick_shows, *pick_over, *caption, *coupling;
  HlForceChart *chart;
  ByHand by_hand[N_BY_HAND];
  HlForcePick *pick;  /* NULL: nothing can be computed yet */
  guint tick;         /* a new map is due */
  gboolean is_behind; /* the present drawing is still to be computed */
};

G_DEFINE_FINAL_TYPE (HlForceWindow, hl_force_window, GTK_TYPE_WINDOW)

/* --- request --- */

static double by_hand_value (const ByHand *row) {
  if (!gtk_widget_get_visible (row->box) || !gtk_check_button_get_active (GTK_CHECK_BUTTON (row->check)))
    return NAN;
  return gtk_range_get_value (GTK_RANGE (row->scale));
}

static const HlDocument *document_of (HlForceWindow *self) {
  return hl_editing_document (hl_workbench_editing (self->workbench));
}

static const char *id_of (HlForceWindow *self, int component) {
  return hl_document_element_id (document_of (self), HL_SECTION_COMPONENTS, component);
}

/* Returns the index of the selected item in the last result; -1: not found. */
static int computed_row (HlForceWindow *self) {
  return hl_working_point_component (hl_editing_point (hl_workbench_editing (self->workbench)),
                                     id_of (self, pick_component (self->pick)));
}

/* Returns a number of an actuator in the run that is shown, at the time cursor. */
static double run_value (HlForceWindow *self, const char *id, const char *name) {
  g_autofree char *path = g_strdup_printf ("%s.%s", id, name);
  return hl_run_value (hl_runs_shown (hl_workbench_runs (self->workbench)), path,
                       hl_runs_time (hl_workbench_runs (self->workbench)));
}

static void compute_map (HlForceWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  HlForcePicked over = force_pick_over (self->pick);
  int component = computed_row (self);
  HlFault fault = {.time = NAN, .entity = -1};

  const HlForceFamily *before = at != NULL ? hl_force_chart_family (self->chart) : NULL;
  const HlChartRange *range = hl_chart_range (HL_CHART (self->chart), HL_CHART_X);
  g_autofree double *speeds = g_new0 (double, before != NULL ? before->n_members : 1);
  for (int k = 1; before != NULL && k < before->n_members; k++) {
    const char *id = hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, before->components[k]);
    double speed = id != NULL ? run_value (self, id, before->terms[k]->speed_output) : NAN;
    speeds[k] = isnan (speed) ? 0.0 : speed;
  }
  int n_before = before != NULL ? before->n_members : 0;
  int first_before = n_before > 0 ? before->components[0] : -1;
  if (component < 0 || at == NULL) {
    const char *why = pick_component (self->pick) < 0
                          ? _ ("The model has no cylinder, motor or vane actuator.")
                      : at == NULL ? _ ("Correct the problems of the model first.")
                                   : ""; /* in a moment */
    chart_set_family (self->chart, NULL, g_strdup (why));
    return;
  }
  HlForceFamilyOptions options = {
      .component = component,
      .t = hl_runs_time (hl_workbench_runs (self->workbench)),
      .openings = {.command = by_hand_value (&self->by_hand[BY_HAND_COMMAND]),
                   .bleed = by_hand_value (&self->by_hand[BY_HAND_BLEED]),
                   .regeneration = by_hand_value (&self->by_hand[BY_HAND_REGENERATION])},
      .over = over.over,
      .member = over.member,
      .v_from = range->is_free ? range->axis.min : NAN,
      .v_to = range->is_free ? range->axis.max : NAN,
      .speeds = first_before == component && n_before > 1 ? speeds : NULL,
  };
  HlForceFamily *family = hl_force_family_new (at->system, &options, &fault);
  chart_set_family (self->chart, family, family == NULL ? hl_fault_message (at->system, &fault) : NULL);
}

/* Writes "f = 310 kN: segment +1a, open: head relief" at the pointer, otherwise at the working point. */
static void write_caption (HlForceWindow *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  HlUnits units = hl_workbench_units (self->workbench);
  const HlForceFamily *family = hl_force_chart_family (self->chart);
  double v = chart_pointed (self->chart);
  g_autofree char *text = NULL;

  int component = computed_row (self);

  if (isnan (v) && family != NULL)
    v = run_value (self, id_of (self, pick_component (self->pick)), family->terms[0]->speed_output);
  if (family != NULL && component >= 0 && !isnan (v))
    text = state_text (at->system, component, hl_runs_time (hl_workbench_runs (self->workbench)),
                       &(HlForceMapOpenings){by_hand_value (&self->by_hand[0]),
                                             by_hand_value (&self->by_hand[1]),
                                             by_hand_value (&self->by_hand[2])},
                       v, units);
  gtk_label_set_text (
      GTK_LABEL (self->caption),
      text != NULL
          ? text
          : _ ("Point at the map to see the state of the valves. The wheel changes the range of speeds."));
}

/* --- the list of families, and the openings by hand, follow the circuit --- */

static void fill_overs (HlForceWindow *self) {
  const HlForceFamily *family = hl_force_chart_family (self->chart);

  pick_fill_overs (self->pick, hl_editing_point (hl_workbench_editing (self->workbench)), family);
  gtk_widget_set_visible (self->by_hand[BY_HAND_COMMAND].box, family && family->has_command);
  gtk_widget_set_visible (self->by_hand[BY_HAND_BLEED].box, family && family->has_bleed);
  gtk_widget_set_visible (self->by_hand[BY_HAND_REGENERATION].box, family && family->has_regeneration);
}

static void show_coupling (HlForceWindow *self) {
  hl_coupling_bar_show (HL_COUPLING_BAR (self->coupling), id_of (self, pick_component (self->pick)));
}

/* --- the picture --- */

static void show_map (HlForceWindow *self) {
  HlForcePicked over = force_pick_over (self->pick);
  int component = pick_component (self->pick);
  const char *id = id_of (self, component);
  gboolean is_by_hand = FALSE;
  const HlForceFamily *family = hl_force_chart_family (self->chart);
  const HlCylinderTerms *terms = family != NULL ? family->terms[0] : hl_cylinder_terms (FALSE);

  for (int k = 0; k < N_BY_HAND; k++)
    is_by_hand = is_by_hand || !isnan (by_hand_value (&self->by_hand[k]));
  /* the point of the run is on the map of the run's openings only */
  gboolean has_run =
      !is_by_hand && component >= 0 && hl_runs_shown (hl_workbench_runs (self->workbench)) != NULL;

  HlForcePicture picture = {.shows =
                                (HlForceShows)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_shows)),
                            .family_label = pick_over_label (self->pick),
                            .family_quantity = over.over == HL_FORCE_OVER_OTHER_SPEED && family != NULL &&
                                                       over.member < family->n_members
                                                   ? family->terms[over.member]->speed
                                                   : HL_QUANTITY_NONE,
                            .v_now = has_run ? run_value (self, id, terms->speed_output) : NAN,
                            .f_now = has_run ? run_value (self, id, terms->force_output) : NAN,
                            .units = hl_workbench_units (self->workbench)};
  chart_show (self->chart, &picture);
}

/* Updates the caption once a frame, before it is drawn: a label must not change while it is painted. */
static gboolean tick_cb (GtkWidget *chart, GdkFrameClock *clock, gpointer data) {
  HlForceWindow *self = data;

  self->tick = 0;
  compute_map (self);
  show_map (self);
  write_caption (self);
  return G_SOURCE_REMOVE;
}

static void invalidate (HlForceWindow *self) {
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->chart), tick_cb, self, NULL);
}

static void start_again (HlForceWindow *self) {
  hl_chart_forget_ranges (HL_CHART (self->chart));
  compute_map (self);
  fill_overs (self);
  invalidate (self);
  show_coupling (self);
}

static void picked_cb (GObject *object, GParamSpec *spec, HlForceWindow *self) {
  if (self->pick == NULL || pick_is_filling (self->pick))
    return;
  if (object == G_OBJECT (self->pick_cylinder))
    start_again (self);
  if (object == G_OBJECT (self->pick_over))
    hl_chart_forget_ranges (HL_CHART (self->chart));
  invalidate (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlForceWindow *self) {
  if (changes & HL_CHANGED_DOCUMENT) {
    pick_fill_cylinders (self->pick, document_of (self), hl_workbench_selected (workbench));
    self->is_behind = TRUE;
    start_again (self);
  }
  if (changes & HL_CHANGED_SELECTION)
    pick_select (self->pick, document_of (self), hl_workbench_selected (workbench));
  if (changes &
      (HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_TIME | HL_CHANGED_RUN | HL_CHANGED_UNITS)) {
    if (changes & HL_CHANGED_POINT &&
        (self->is_behind || hl_force_chart_family (self->chart) == NULL || pick_n_overs (self->pick) < 2)) {
      self->is_behind = FALSE;
      compute_map (self);
      fill_overs (self);
    }
    if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_UNITS))
      show_coupling (self);
    invalidate (self);
  }
}

static void by_hand_cb (gpointer widget, HlForceWindow *self) {
  for (int k = 0; k < N_BY_HAND; k++)
    gtk_widget_set_sensitive (self->by_hand[k].scale,
                              gtk_check_button_get_active (GTK_CHECK_BUTTON (self->by_hand[k].check)));
  invalidate (self);
}

/* --- life --- */

static void hl_force_window_dispose (GObject *object) {
  HlForceWindow *self = HL_FORCE_WINDOW (object);

  g_clear_pointer (&self->pick, pick_free);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_force_window_parent_class)->dispose (object);
}

static void pointed_cb (HlForceChart *chart, HlForceWindow *self) {
  write_caption (self);
}

static void range_changed_cb (HlForceChart *chart, HlForceWindow *self) {
  invalidate (self);
}

/* Binds the widgets of an opening set by hand: box, check button and scale. */
static void bind_by_hand (gpointer klass, const char *name, int which) {
  gssize at = G_STRUCT_OFFSET (HlForceWindow, by_hand) + which * (gssize)sizeof (ByHand);
  g_autofree char *box = g_strdup_printf ("%s_box", name);
  g_autofree char *check = g_strdup_printf ("%s_check", name);
  g_autofree char *scale = g_strdup_printf ("%s_scale", name);

  gtk_widget_class_bind_template_child_full (klass, box, FALSE, at + G_STRUCT_OFFSET (ByHand, box));
  gtk_widget_class_bind_template_child_full (klass, check, FALSE, at + G_STRUCT_OFFSET (ByHand, check));
  gtk_widget_class_bind_template_child_full (klass, scale, FALSE, at + G_STRUCT_OFFSET (ByHand, scale));
}

static void export_cb (GtkButton *button, HlForceWindow *self) {
  hl_workbench_take_away (self->workbench, G_OBJECT (self->chart));
}

static void hl_force_window_class_init (HlForceWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_force_window_dispose;
  g_type_ensure (HL_TYPE_FORCE_CHART);
  g_type_ensure (HL_TYPE_COUPLING_BAR);
  hl_widget_tree_load (klass, "hl-force-map-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlForceWindow, pick_cylinder);
  HL_TREE_CHILD (klass, HlForceWindow, pick_shows);
  HL_TREE_CHILD (klass, HlForceWindow, pick_over);
  HL_TREE_CHILD (klass, HlForceWindow, chart);
  HL_TREE_CHILD (klass, HlForceWindow, caption);
  HL_TREE_CHILD (klass, HlForceWindow, coupling);
  bind_by_hand (klass, "command", BY_HAND_COMMAND);
  bind_by_hand (klass, "bleed", BY_HAND_BLEED);
  bind_by_hand (klass, "regeneration", BY_HAND_REGENERATION);
  HL_TREE_CALLBACK (klass, export_cb);
  HL_TREE_CALLBACK (klass, picked_cb);
  HL_TREE_CALLBACK (klass, by_hand_cb);
  HL_TREE_CALLBACK (klass, pointed_cb);
  HL_TREE_CALLBACK (klass, range_changed_cb);
}

static void hl_force_window_init (HlForceWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  for (int k = 0; k < N_BY_HAND; k++)
    gtk_scale_set_format_value_func (GTK_SCALE (self->by_hand[k].scale), hl_scale_number_text, NULL, NULL);
  self->pick = pick_new (GTK_DROP_DOWN (self->pick_cylinder), GTK_DROP_DOWN (self->pick_over));
}

GtkWidget *hl_force_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlForceWindow *self = g_object_new (HL_TYPE_FORCE_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  hl_coupling_bar_set_workbench (HL_COUPLING_BAR (self->coupling), workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  pick_fill_cylinders (self->pick, document_of (self), hl_workbench_selected (workbench));
  start_again (self);
  return GTK_WIDGET (self);
}
