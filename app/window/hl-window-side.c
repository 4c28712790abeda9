/* SPDX-License-Identifier: MIT */
/* The pane at the side: properties and root locus one below the other where the window is tall, else
 * one at a time behind two tabs. */
#include "app/window/hl-window-private.h"

#include "ui/study/hl-map-window.h"
#include "ui/study/hl-response-window.h"
#include "ui/study/hl-rest-window.h"
#include "ui/study/hl-sensitivity-window.h"
#include "ui/study/hl-studies-window.h"
#include "ui/widget/hl-beside.h"

#include <string.h>

#define TALL_FROM 900 /* px, height of a window that shows both */

static const char *tab_of (HlWindow *self) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), "side-tab");

  return strcmp (g_variant_get_string (state, NULL), "locus") == 0 ? "locus" : "properties";
}

static void show_side (HlWindow *self) {
  gboolean in_hall = self->presentation != NULL; /* where there are no properties */
  gboolean is_locus = in_hall || strcmp (tab_of (self), "locus") == 0;

  gtk_widget_set_visible (self->side_tabs, !in_hall && !self->is_tall &&
                                               gtk_widget_get_visible (GTK_WIDGET (self->side_paned)));
  gtk_widget_set_visible (GTK_WIDGET (self->inspector), !in_hall && (self->is_tall || !is_locus));
  gtk_widget_set_visible (self->locus_box, self->is_tall || is_locus);
  gtk_widget_set_visible (self->locus_heading, self->is_tall); /* else its tab says it */
}

gboolean hl_window_fit_side (HlWindow *self, int height) {
  gboolean was_tall = self->is_tall;

  self->is_tall = height >= TALL_FROM;
  show_side (self);
  return self->is_tall != was_tall;
}

void hl_window_show_tab (HlWindow *self, const char *tab) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "side-tab");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (tab));
  show_side (self);
}

static void side_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  if (!gtk_widget_get_visible (GTK_WIDGET (self->side_paned)))
    g_action_group_change_action_state (G_ACTION_GROUP (self), "side-pane", g_variant_new_boolean (TRUE));
  hl_window_show_tab (self, g_variant_get_string (parameter, NULL));
}

static void side_pane_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;

  gtk_widget_set_visible (GTK_WIDGET (self->side_paned), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
  show_side (self);
  hl_window_show_drive (self);
}

static void study_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  const char *which = g_variant_get_string (parameter, NULL);
  GtkWidget *study = NULL;

  if (strcmp (which, "sensitivities") == 0)
    study = hl_sensitivity_window_new (self->workbench, GTK_WINDOW (self));
  else if (strcmp (which, "map") == 0)
    study = hl_map_window_new (self->workbench, GTK_WINDOW (self));
  else if (strcmp (which, "response") == 0)
    study = hl_response_window_new (self->workbench, GTK_WINDOW (self));
  else if (strcmp (which, "rest") == 0)
    study = hl_rest_window_new (self->workbench, GTK_WINDOW (self));
  else if (strcmp (which, "studies") == 0)
    study = hl_studies_window_new (self->workbench, GTK_WINDOW (self));
  if (study != NULL)
    hl_beside_present (GTK_WINDOW (study), GTK_WIDGET (self->side_paned));
}

static const GActionEntry actions[] = {
    {"side-tab", side_tab_cb, "s", "'properties'", NULL},
    {"side-pane", NULL, NULL, "true", side_pane_cb},
    {"study", study_cb, "s", NULL, NULL},
};

void hl_window_add_side_actions (HlWindow *self) {
  /* long words of another language do not widen the pane */
  for (GtkWidget *button = gtk_widget_get_first_child (self->study_box); button != NULL;
       button = gtk_widget_get_next_sibling (button)) {
    GtkLabel *label = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)));
    gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign (label, 0); /* in two columns, as what is above and below */
  }
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
