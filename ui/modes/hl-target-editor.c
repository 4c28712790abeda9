/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-target-editor.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/paint/base/hl-scene.h"

#include <math.h>

#define MOST_RANGES 8
#define DIGITS 4
#define BRIEF_DIGITS 3
#define WIDTH_CHARS 34
#define MET_LINES 3

typedef struct
{
  HlWorkbench *workbench;
  GtkSpinButton *zeta, *omega;
} Editor;

static void
editor_free (gpointer data, GClosure *closure)
{
  Editor *editor = data;

  g_object_unref (editor->workbench);
  g_free (editor);
}

/* 0 asks for nothing. */
static void
changed_cb (GtkSpinButton *spin, gpointer data)
{
  Editor *editor = data;
  double zeta = gtk_spin_button_get_value (editor->zeta);
  double omega = gtk_spin_button_get_value (editor->omega);
  HlLocusTarget target = {zeta > 0 ? zeta : NAN, omega > 0 ? omega : NAN};

  hl_locus_study_set_target (hl_workbench_locus (editor->workbench), &target);
}

/* What comes of it, in a place of its own: the popover stays as high as it is. */
static void
say_met (HlWorkbench *workbench, guint changes, GtkLabel *met)
{
  g_autofree char *text = hl_target_text (workbench, FALSE);

  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_UNITS))
    gtk_label_set_text (met, text != NULL ? text : "");
}

static GtkWidget *
new_met (HlWorkbench *workbench)
{
  GtkWidget *met = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (met), TRUE);
  gtk_label_set_lines (GTK_LABEL (met), MET_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (met), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (met), WIDTH_CHARS);
  gtk_label_set_xalign (GTK_LABEL (met), 0);
  gtk_label_set_yalign (GTK_LABEL (met), 0);
  gtk_widget_add_css_class (met, "target-met");
  g_signal_connect_object (workbench, "changed", G_CALLBACK (say_met), met, 0);
  say_met (workbench, HL_CHANGED_LOCUS, GTK_LABEL (met));
  return met;
}

static GtkSpinButton *
add_row (GtkGrid *grid, int row, const char *name, double most, double step, guint digits)
{
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *spin = gtk_spin_button_new_with_range (0, most, step);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, spin, 1, row, 1, 1);
  return GTK_SPIN_BUTTON (spin);
}

GtkWidget *
hl_target_editor_new (HlWorkbench *workbench)
{
  GtkWidget *popover = gtk_popover_new (), *grid = gtk_grid_new ();
  const HlLocusTarget *target = hl_locus_study_target (hl_workbench_locus (workbench));
  Editor *editor = g_new0 (Editor, 1);
  GtkWidget *help =
      gtk_label_new (_ ("What every eigenvalue should keep; 0 asks for nothing. The plane shows "
                        "where that is, the slider of the locus the range that meets it."));

  editor->workbench = g_object_ref (workbench);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  editor->zeta = add_row (GTK_GRID (grid), 0, _ ("Damping ζ at least"), 1, 0.05, 3);
  editor->omega = add_row (GTK_GRID (grid), 1, _ ("ωₙ at least [rad/s]"), 1e6, 1, 2);
  gtk_spin_button_set_value (editor->zeta, isnan (target->zeta) ? 0 : target->zeta);
  gtk_spin_button_set_value (editor->omega, isnan (target->omega) ? 0 : target->omega);
  gtk_label_set_wrap (GTK_LABEL (help), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (help), WIDTH_CHARS);
  gtk_label_set_xalign (GTK_LABEL (help), 0);
  gtk_widget_add_css_class (help, "dim-label");
  gtk_grid_attach (GTK_GRID (grid), help, 0, 2, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), new_met (workbench), 0, 3, 2, 1);
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  g_signal_connect (editor->zeta, "value-changed", G_CALLBACK (changed_cb), editor);
  g_signal_connect_data (editor->omega, "value-changed", G_CALLBACK (changed_cb), editor,
                         editor_free, 0);
  return popover;
}

/* "0.1 kN to 0.4 kN, 0.9 kN to 1 kN" */
static char *
ranges_text (const double ranges[][2], int n, HlUnits units, HlQuantity quantity, int digits)
{
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

char *
hl_target_text (HlWorkbench *workbench, gboolean is_brief)
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
  if (n == 0 && is_brief)
    return g_strdup (_ ("never met"));
  if (n == 0)
    return g_strdup_printf (_ ("No value of %s meets the target"), what->label);
  g_autofree char *text = ranges_text (ranges, n, hl_workbench_units (workbench), what->quantity,
                                       is_brief ? BRIEF_DIGITS : DIGITS);
  return is_brief ? g_steal_pointer (&text)
                  : g_strdup_printf (_ ("Target met with %s from %s"), what->label, text);
}
