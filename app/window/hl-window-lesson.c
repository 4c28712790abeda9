/* SPDX-License-Identifier: MIT */
/* What a lesson beside the model, or a list of experiments, does to the rest of the window. */
#include "app/window/hl-window-private.h"

#include <string.h>

#define ROOM_FROM_PX 1500 /* width of a window that has room for palettes beside a lesson */

static void look_at_cb (HlLessonBox *box, const char *what, HlWindow *self) {
  if (strcmp (what, "locus") == 0 || strcmp (what, "properties") == 0)
    g_action_group_activate_action (G_ACTION_GROUP (self), "side-tab", g_variant_new_string (what));
  else if (strcmp (what, "plots") == 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->plot_pane));
  else
    gtk_widget_grab_focus (strcmp (what, "circuit") == 0
                               ? GTK_WIDGET (hl_drawing_pane_circuit (self->drawings))
                               : GTK_WIDGET (hl_drawing_pane_linkage (self->drawings)));
}

static void curtain_cb (HlLessonBox *box, gboolean covers, HlWindow *self) {
  gtk_widget_set_visible (GTK_WIDGET (self->plot_pane), !covers && hl_window_may_show_plots (self));
  hl_side_pane_cover (self->side, covers);
}

/* Palettes and outline step back where there is no room for them and the lesson. */
static void fold (HlWindow *self, gboolean folds) {
  if (self->lesson_folded == folds || (folds && gtk_widget_get_width (GTK_WIDGET (self)) >= ROOM_FROM_PX))
    return;
  self->lesson_folded = folds;
  self->has_outline_choice = TRUE;
  g_action_group_change_action_state (G_ACTION_GROUP (self), "palettes", g_variant_new_boolean (!folds));
  if (folds)
    hl_window_show_outline (self, FALSE);
}

/* The panes share what the lesson leaves of the window, once that is known. */
static gboolean place_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  int lesson = hl_lesson_box_width (self->lessons);

  if (lesson == 0 && gtk_widget_get_visible (GTK_WIDGET (self->lessons)))
    return G_SOURCE_CONTINUE;
  hl_window_place_panes (self, gtk_widget_get_width (widget) - lesson, gtk_widget_get_height (widget));
  return G_SOURCE_REMOVE;
}

static void room_cb (HlLessonBox *box, gboolean comes, HlWindow *self) {
  fold (self, comes);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), place_cb, NULL, NULL);
}

/* In the lecture hall what the experiment asks to be shown, else a notice. */
static void experiment_cb (HlExperimentDeck *deck, const char *const *panes, const char *text,
                           HlWindow *self) {
  hl_drawing_pane_fit (self->drawings);
  if (self->presentation != NULL)
    hl_window_present_panes (self, panes, text);
  else
    hl_banner_show (self->banner, text, FALSE);
}

void hl_window_bind_lessons (HlWindow *self) {
  g_signal_connect (self->lessons, "look-at", G_CALLBACK (look_at_cb), self);
  g_signal_connect (self->lessons, "curtain", G_CALLBACK (curtain_cb), self);
  g_signal_connect (self->lessons, "room", G_CALLBACK (room_cb), self);
  hl_lesson_box_set_workbench (self->lessons, self->workbench, self->banner, G_ACTION_MAP (self));
  self->deck = hl_experiment_deck_new (self->workbench, self->banner, GTK_APPLICATION_WINDOW (self));
  g_signal_connect_swapped (self->deck, "begins", G_CALLBACK (hl_lesson_box_close), self->lessons);
  g_signal_connect (self->deck, "shown", G_CALLBACK (experiment_cb), self);
}
