/* SPDX-License-Identifier: MIT */
#include "ui/hl-study-window.h"

#define MARGIN 8
#define SPACING 6

GtkWidget *
hl_study_window_dress (GtkWindow *window, const char *title, int width, int height)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);

  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_widget_set_margin_top (box, MARGIN);
  gtk_widget_set_margin_bottom (box, MARGIN);
  gtk_window_set_titlebar (window, gtk_header_bar_new ());
  gtk_window_set_child (window, box);
  gtk_window_set_title (window, title);
  gtk_window_set_default_size (window, width, height);
  return box;
}

GtkWidget *
hl_study_add_row (GtkWidget *box)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  gtk_box_append (GTK_BOX (box), row);
  return row;
}

void
hl_study_add_named (GtkWidget *row, GtkWidget *widget, const char *name, const char *help)
{
  gtk_widget_set_tooltip_text (widget, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, help, -1);
  gtk_box_append (GTK_BOX (row), gtk_label_new (name));
  gtk_box_append (GTK_BOX (row), widget);
}

GtkWidget *
hl_study_add_pick (
    GtkWidget *row, const char *name, const char *help, GCallback changed, gpointer data)
{
  GtkWidget *pick = gtk_drop_down_new (NULL, NULL);

  hl_study_add_named (row, pick, name, help);
  if (changed != NULL)
    g_signal_connect (pick, "notify::selected", changed, data);
  return pick;
}

void
hl_study_fill_pick (GtkWidget *pick, const char *const *texts)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (texts);
  gtk_drop_down_set_model (GTK_DROP_DOWN (pick), G_LIST_MODEL (list));
}

GtkWidget *
hl_study_add_area (GtkWidget *box, const char *name, GtkDrawingAreaDrawFunc draw, gpointer data)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_widget_set_hexpand (area, TRUE);
  gtk_widget_set_vexpand (area, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, data, NULL);
  gtk_box_append (GTK_BOX (box), area);
  return area;
}

GtkWidget *
hl_study_add_caption (GtkWidget *box)
{
  GtkWidget *caption = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (caption), 0);
  gtk_label_set_wrap (GTK_LABEL (caption), TRUE);
  gtk_box_append (GTK_BOX (box), caption);
  return caption;
}

cairo_t *
hl_study_measure (void)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
  cairo_t *cr = cairo_create (surface);

  cairo_surface_destroy (surface); /* the context holds on to it */
  return cr;
}
