/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-target-editor.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>

#define MOST_RANGES 8
#define DIGITS 4

#define HL_TYPE_TARGET_EDITOR (hl_target_editor_get_type ())
G_DECLARE_FINAL_TYPE (HlTargetEditor, hl_target_editor, HL, TARGET_EDITOR, GtkPopover)

struct _HlTargetEditor
{
  GtkPopover parent_instance;
  HlWorkbench *workbench;
  GtkSpinButton *zeta, *omega;
};

G_DEFINE_FINAL_TYPE (HlTargetEditor, hl_target_editor, GTK_TYPE_POPOVER)

/* 0 asks for nothing. */
static void
changed_cb (GtkSpinButton *spin, HlTargetEditor *self)
{
  double zeta = gtk_spin_button_get_value (self->zeta);
  double omega = gtk_spin_button_get_value (self->omega);
  HlLocusTarget target = {zeta > 0 ? zeta : NAN, omega > 0 ? omega : NAN};

  hl_locus_study_set_target (hl_workbench_locus (self->workbench), &target);
}

static void
hl_target_editor_dispose (GObject *object)
{
  g_clear_object (&HL_TARGET_EDITOR (object)->workbench);
  G_OBJECT_CLASS (hl_target_editor_parent_class)->dispose (object);
}

static void
hl_target_editor_class_init (HlTargetEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_target_editor_dispose;
  hl_widget_tree_load (klass, "hl-target-editor");
  HL_TREE_CHILD (klass, HlTargetEditor, zeta);
  HL_TREE_CHILD (klass, HlTargetEditor, omega);
}

static void
hl_target_editor_init (HlTargetEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hl_target_editor_new (HlWorkbench *workbench)
{
  HlTargetEditor *self = g_object_new (HL_TYPE_TARGET_EDITOR, NULL);
  const HlLocusTarget *target = hl_locus_study_target (hl_workbench_locus (workbench));

  self->workbench = g_object_ref (workbench);
  gtk_spin_button_set_value (self->zeta, isnan (target->zeta) ? 0 : target->zeta);
  gtk_spin_button_set_value (self->omega, isnan (target->omega) ? 0 : target->omega);
  g_signal_connect (self->zeta, "value-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect (self->omega, "value-changed", G_CALLBACK (changed_cb), self);
  return GTK_WIDGET (self);
}

char *
hl_target_text (HlWorkbench *workbench)
{
  HlLocusStudy *study = hl_workbench_locus (workbench);
  const HlLocus *locus = hl_locus_study_locus (study);
  const HlLocusTarget *target = hl_locus_study_target (study);
  int knob = hl_locus_study_knob (study);
  double ranges[MOST_RANGES][2];

  if (!hl_locus_target_is_set (target) || locus == NULL || knob < 0)
    return NULL;
  const HlKnob *what = hl_locus_study_knobs (study)->pdata[knob];
  int n = hl_locus_target_ranges (locus, target, ranges, MOST_RANGES);
  if (n == 0)
    return g_strdup_printf (_ ("No value of %s meets the target"), what->label);
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < n; i++) {
    HlUnits units = hl_workbench_units (workbench);
    g_autofree char *from = hl_units_format (units, what->quantity, ranges[i][0], DIGITS);
    g_autofree char *to = hl_units_format (units, what->quantity, ranges[i][1], DIGITS);
    if (i > 0)
      g_string_append (text, ", ");
    g_string_append_printf (text, _ ("from %s to %s"), from, to);
  }
  return g_strdup_printf (_ ("Target met with %s %s"), what->label, text->str);
}
