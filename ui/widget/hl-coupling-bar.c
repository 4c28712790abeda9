/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-coupling-bar.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/compile/hl-compile.h"
#include "core/hydro/actuators/hl-cylinder-terms.h"
#include "core/hydro/hl-component.h"
#include "core/quasistatic/hl-quasi-price.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-errand.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>

#define DIGITS 3

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
  char *message; /* why not; NULL = done */
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

static void stop (HlCouplingBar *self) {
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_button_set_label (GTK_BUTTON (self->compare), _ ("Compare with the lumped model"));
}

/* Which of the two runs took a second try; owned by the caller. */
static char *again_note (const HlQuasiPrice *price) {
  const char *names[2];

  for (int k = 0; k < 2; k++)
    names[k] = price->method[k] == HL_METHOD_RADAU ? "Radau" : "BDF";
  g_autofree char *lumped =
      price->again[0] ? g_strdup_printf (_ (" The lumped run gave up and was made again with %s."), names[0])
                      : g_strdup ("");
  g_autofree char *quasi =
      price->again[1]
          ? g_strdup_printf (_ (" The quasistatic run gave up and was made again with %s."), names[1])
          : g_strdup ("");
  return g_strconcat (lumped, quasi, NULL);
}

static void done_cb (gpointer sender, gpointer data, gpointer answer, const GError *error) {
  HlCouplingBar *self = sender;
  const Job *job = data;

  stop (self);
  if (job->message != NULL) {
    gtk_label_set_text (GTK_LABEL (self->text), job->message);
    return;
  }
  HlUnits units = hl_workbench_units (self->workbench);
  const HlCylinderTerms *terms = terms_of (self);
  g_autofree char *rms = hl_units_format (units, terms->place, job->price.rms, DIGITS);
  g_autofree char *most = hl_units_format (units, terms->place, job->price.largest, DIGITS);
  g_autofree char *when = hl_units_format (units, HL_QUANTITY_TIME, job->price.t_largest, DIGITS);
  g_autofree char *travel = hl_units_format (units, terms->place, job->price.travel, DIGITS);
  g_autofree char *force = hl_units_format (units, terms->force, job->price.force_rms, DIGITS);
  g_autofree char *text = g_strdup_printf (
      terms->is_rotary
          ? _ ("Against the lumped model the angle of %s differs by %s rms and %s at most (at %s), "
               "of a travel of %s; the torque by %s rms. Steps %ld instead of %ld, time %s ms "
               "instead of %s ms.")
          : _ ("Against the lumped model the length of %s differs by %s rms and %s at most (at "
               "%s), "
               "of a travel of %s; the force by %s rms. Steps %ld instead of %ld, time %s ms "
               "instead of %s ms."),
      self->id, rms, most, when, travel, force, job->price.steps[1], job->price.steps[0],
      hl_shown (1e3 * job->price.seconds[1], 3).text, hl_shown (1e3 * job->price.seconds[0], 3).text);
  g_autofree char *note = again_note (&job->price);
  g_autofree char *whole = g_strconcat (text, note, NULL);
  gtk_label_set_text (GTK_LABEL (self->text), whole);
}

static void compare_cb (GtkButton *button, HlCouplingBar *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  if (self->cancellable != NULL) {
    stop (self);
    return;
  }
  int component = hl_working_point_component (at, self->id);
  if (component < 0)
    return;
  Job *job = g_new0 (Job, 1);
  job->system = hl_system_ref (at->system);
  job->component = component;
  self->cancellable = g_cancellable_new ();
  hl_errand_send (&(HlErrand){.work = work,
                              .done = done_cb,
                              .free_job = free_job,
                              .sender = self,
                              .keep = G_OBJECT (self),
                              .life = self->cancellable},
                  job);
  gtk_button_set_label (GTK_BUTTON (self->compare), _ ("Cancel"));
}

/* --- proposals --- */

static void apply (HlCouplingBar *self, double K, double B, const char *key) {
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
  apply (self, self->advice.stiff_K, self->advice.stiff_B, "virtual element");
}

static void oil_cb (GtkButton *button, HlCouplingBar *self) {
  apply (self, self->advice.oil_K, self->advice.oil_B, "virtual element");
}

static void show_proposal (HlCouplingBar *self, GtkWidget *button, double K, double B, const char *format) {
  HlUnits units = hl_workbench_units (self->workbench);
  const HlCylinderTerms *terms = terms_of (self);
  g_autofree char *stiffness = hl_units_format (units, terms->stiffness, K, DIGITS);
  g_autofree char *damping = hl_units_format (units, terms->damping, B, DIGITS);
  g_autofree char *text = g_strdup_printf (format, stiffness, damping);

  gtk_widget_set_tooltip_text (button, text);
}

void hl_coupling_bar_show (HlCouplingBar *self, const char *id) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  HlUnits units = hl_workbench_units (self->workbench);

  int component = hl_working_point_component (at, id);

  g_free (self->id);
  self->id = g_strdup (id);
  stop (self);
  gboolean known = component >= 0 &&
                   hl_quasi_advice_at_start (at->system, component, &self->advice) == HL_OK &&
                   isfinite (self->advice.mass); /* at its dead point there is nothing to propose */
  gtk_widget_set_visible (GTK_WIDGET (self), known);
  if (!known)
    return;
  double K = number_of (self, "virtual_stiffness"), B = number_of (self, "virtual_damping");
  g_autofree char *stiffness = hl_units_format (units, terms_of (self)->stiffness, K, DIGITS);
  g_autofree char *damping = hl_units_format (units, terms_of (self)->damping, B, DIGITS);
  g_autofree char *longest = hl_units_format (units, HL_QUANTITY_TIME, self->advice.longest_step, DIGITS);
  g_autofree char *text =
      K > 0.0 && B > 0.0
          ? g_strdup_printf (_ ("Virtual element of %s: %s and %s. Fixed steps are stable up to %s. The load "
                                "swings %s times as slowly on it as on the oil itself."),
                             self->id, stiffness, damping, longest, hl_shown (self->advice.slowness, 3).text)
          : g_strdup_printf (_ ("%s has no virtual element yet: take one of these."), self->id);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  show_proposal (self, self->stiff, self->advice.stiff_K, self->advice.stiff_B,
                 _ ("%s and %s: as stiff as the fixed step bears"));
  show_proposal (self, self->oil, self->advice.oil_K, self->advice.oil_B,
                 _ ("%s and %s: as compliant as the enclosed oil, critically damped"));
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
