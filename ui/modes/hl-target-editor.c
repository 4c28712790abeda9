/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-target-editor.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>

#define MOST_RANGES 8
#define DIGITS 4
#define BRIEF_DIGITS 3

#define HL_TYPE_TARGET_EDITOR (hl_target_editor_get_type ())
G_DECLARE_FINAL_TYPE (HlTargetEditor, hl_target_editor, HL, TARGET_EDITOR, GtkPopover)

struct _HlTargetEditor {
  GtkPopover parent_instance;
  HlWorkbench *workbench;
  GtkSpinButton *zeta, *omega;
  GtkLabel *met;
};

G_DEFINE_FINAL_TYPE (HlTargetEditor, hl_target_editor, GTK_TYPE_POPOVER)

/* 0 asks for nothing. */
static void changed_cb (GtkSpinButton *spin, HlTargetEditor *self) {
  double zeta = gtk_spin_button_get_value (self->zeta);
  double omega = gtk_spin_button_get_value (self->omega);
  HlLocusTarget target = {zeta > 0 ? zeta : NAN, omega > 0 ? omega : NAN};

  hl_locus_study_set_target (hl_workbench_locus (self->workbench), &target);
}

/* What comes of it, in a place of its own: the popover stays as high as it is. */
static void say_met (HlWorkbench *workbench, guint changes, GtkLabel *met) {
  g_autofree char *text = hl_target_text (workbench, FALSE);

  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_UNITS))
    gtk_label_set_text (met, text != NULL ? text : "");
}

static void hl_target_editor_dispose (GObject *object) {
  g_clear_object (&HL_TARGET_EDITOR (object)->workbench);
  G_OBJECT_CLASS (hl_target_editor_parent_class)->dispose (object);
}

static void hl_target_editor_class_init (HlTargetEditorClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_target_editor_dispose;
  hl_widget_tree_load (klass, "hl-target-editor");
  HL_TREE_CHILD (klass, HlTargetEditor, zeta);
  HL_TREE_CHILD (klass, HlTargetEditor, omega);
  HL_TREE_CHILD (klass, HlTargetEditor, met);
}

static void hl_target_editor_init (HlTargetEditor *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_target_editor_new (HlWorkbench *workbench) {
  HlTargetEditor *self = g_object_new (HL_TYPE_TARGET_EDITOR, NULL);
  const HlLocusTarget *target = hl_locus_study_target (hl_workbench_locus (workbench));

  self->workbench = g_object_ref (workbench);
  gtk_spin_button_set_value (self->zeta, isnan (target->zeta) ? 0 : target->zeta);
  gtk_spin_button_set_value (self->omega, isnan (target->omega) ? 0 : target->omega);
  g_signal_connect (self->zeta, "value-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect (self->omega, "value-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (say_met), self->met, 0);
  say_met (workbench, HL_CHANGED_LOCUS, self->met);
  return GTK_WIDGET (self);
}

/* "0.1 kN to 0.4 kN, 0.9 kN to 1 kN" */
static char *ranges_text (const double ranges[][2], int n, HlUnits units, HlQuantity quantity, int digits) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    g_autofree char *from = hl_units_format (units, quantity, ranges[i][0], digits);
    g_autofree char *to = hl_units_format (units, quantity, ranges[i][1], digits);
    if (i > 0)
      g_string_append (text, ", ");
    /* translators: a range: "0.1 kN to 0.4 kN" */
    g_string_append_printf (text, _ ("%s to %s"), from, to);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *hl_target_text (HlWorkbench *workbench, gboolean is_brief) {
  HlLocusStudy *study = hl_workbench_locus (workbench);
  const HlLocus *locus = hl_locus_study_locus (study);
  const HlLocusTarget *target = hl_locus_study_target (study);
  int knob = hl_locus_study_knob (study);
  double ranges[MOST_RANGES][2];

  if (!hl_locus_target_is_set (target) || locus == NULL || knob < 0)
    return NULL;
  const HlKnob *what = hl_locus_study_knobs (study)->pdata[knob];
  int n = hl_locus_target_ranges (locus, target, ranges, MOST_RANGES);
  if (n == 0 && is_brief)
    return g_strdup (_ ("never met"));
  if (n == 0)
    return g_strdup_printf (_ ("No value of %s meets the target"), what->label);
  g_autofree char *text = ranges_text (ranges, n, hl_workbench_units (workbench), what->quantity,
                                       is_brief ? BRIEF_DIGITS : DIGITS);
  return is_brief ? g_steal_pointer (&text)
                  : g_strdup_printf (_ ("Target met with %s from %s"), what->label, text);
}
