/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-studies-line.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

#define DIGITS 6

struct _HlStudiesLine {
  GtkBox parent_instance;
  GtkLabel *title, *unit;
  GtkWidget *remove, *choice, *low, *between, *high;
  const HlUnit *shown; /* unit; NULL: none */
  double values[2];    /* SI; NAN: empty */
  gboolean filling;    /* set, not typed */
};

G_DEFINE_FINAL_TYPE (HlStudiesLine, hl_studies_line, GTK_TYPE_BOX)

static GtkWidget *entry_of (HlStudiesLine *self, int which) {
  return which == 0 ? self->low : self->high;
}

static void mark (GtkWidget *entry, const char *wrong) {
  if (wrong != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, wrong);
}

/* What cannot be read stays, marked, with the reason. */
static gboolean read_entry (HlStudiesLine *self, int which, double *si) {
  GtkWidget *entry = entry_of (self, which);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_autoptr (GError) error = NULL;
  HlQuantity quantity = self->shown != NULL ? self->shown->quantity : HL_QUANTITY_NONE;

  *si = NAN;
  if (*text != '\0')
    hl_unit_parse_typed (text, quantity, self->shown, si, NULL, &error);
  mark (entry, error != NULL ? error->message : NULL);
  return error == NULL;
}

static gboolean is_same (double a, double b) {
  return a == b || (isnan (a) && isnan (b));
}

static void apply_cb (HlStudiesLine *self) {
  gboolean is_other = FALSE;

  if (self->filling)
    return;
  for (int which = 0; which < 2; which++) {
    double si;
    if (!gtk_widget_get_visible (entry_of (self, which)) || !read_entry (self, which, &si))
      continue;
    /* what is shown has fewer digits than what it came from */
    g_autofree char *now = isnan (self->values[which])
                               ? g_strdup ("")
                               : hl_unit_format_entry (self->shown, self->values[which], DIGITS);
    if (strcmp (now, gtk_editable_get_text (GTK_EDITABLE (entry_of (self, which)))) == 0 ||
        is_same (si, self->values[which]))
      continue;
    self->values[which] = si;
    is_other = TRUE;
  }
  if (is_other)
    g_signal_emit_by_name (self, "edited");
}

static void left_cb (GtkEventControllerFocus *controller, HlStudiesLine *self) {
  apply_cb (self);
}

static void chosen_cb (HlStudiesLine *self) {
  if (!self->filling)
    g_signal_emit_by_name (self, "edited");
}

static void remove_cb (GtkButton *button, HlStudiesLine *self) {
  g_signal_emit_by_name (self, "removed");
}

static void hl_studies_line_class_init (HlStudiesLineClass *klass) {
  hl_widget_tree_load (klass, "hl-studies-line");
  g_signal_new ("edited", HL_TYPE_STUDIES_LINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("removed", HL_TYPE_STUDIES_LINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  HL_TREE_CHILD (klass, HlStudiesLine, title);
  HL_TREE_CHILD (klass, HlStudiesLine, unit);
  HL_TREE_CHILD (klass, HlStudiesLine, remove);
  HL_TREE_CHILD (klass, HlStudiesLine, choice);
  HL_TREE_CHILD (klass, HlStudiesLine, low);
  HL_TREE_CHILD (klass, HlStudiesLine, between);
  HL_TREE_CHILD (klass, HlStudiesLine, high);
  HL_TREE_CALLBACK (klass, apply_cb);
  HL_TREE_CALLBACK (klass, chosen_cb);
  HL_TREE_CALLBACK (klass, remove_cb);
}

static void hl_studies_line_init (HlStudiesLine *self) {
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->values[0] = self->values[1] = NAN;
  for (int which = 0; which < 2; which++) {
    GtkEventController *focus = gtk_event_controller_focus_new ();
    g_signal_connect (focus, "leave", G_CALLBACK (left_cb), self);
    gtk_widget_add_controller (entry_of (self, which), focus);
  }
  self->filling = FALSE;
}

GtkWidget *hl_studies_line_new (void) {
  return g_object_new (HL_TYPE_STUDIES_LINE, NULL);
}

void hl_studies_line_set_title (HlStudiesLine *self, const char *title, const char *detail) {
  g_autofree char *remove = g_strdup_printf (_ ("Take %s out of the study"), title);

  gtk_label_set_text (self->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), detail);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remove), GTK_ACCESSIBLE_PROPERTY_LABEL, remove, -1);
}

void hl_studies_line_set_choices (HlStudiesLine *self, const char *const *words, const char *name,
                                  int chosen) {
  g_autoptr (GtkStringList) list = gtk_string_list_new (words);

  self->filling = TRUE;
  gtk_widget_set_visible (self->choice, words != NULL);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), (guint)chosen);
  gtk_widget_set_tooltip_text (self->choice, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  self->filling = FALSE;
}

int hl_studies_line_choice (HlStudiesLine *self) {
  return (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
}

void hl_studies_line_set_numbers (HlStudiesLine *self, const char *const names[2], const HlUnit *unit) {
  self->shown = unit;
  gtk_widget_set_visible (self->low, names != NULL);
  gtk_widget_set_visible (self->between, names != NULL);
  gtk_widget_set_visible (self->high, names != NULL);
  gtk_label_set_text (self->unit, unit != NULL && strcmp (unit->symbol, "1") != 0 ? unit->symbol : "");
  for (int which = 0; names != NULL && which < 2; which++) {
    g_autofree char *name = g_strdup_printf ("%s, %s", gtk_label_get_text (self->title), names[which]);
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry_of (self, which)), names[which]);
    gtk_accessible_update_property (GTK_ACCESSIBLE (entry_of (self, which)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    name, -1);
  }
}

void hl_studies_line_set_value (HlStudiesLine *self, int which, double si) {
  GtkWidget *entry = entry_of (self, which);

  self->values[which] = isfinite (si) ? si : NAN;
  g_autofree char *text = isfinite (si) ? hl_unit_format_entry (self->shown, si, DIGITS) : g_strdup ("");
  self->filling = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  mark (entry, NULL);
  self->filling = FALSE;
}

double hl_studies_line_value (HlStudiesLine *self, int which) {
  return self->values[which];
}
