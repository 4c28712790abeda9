/* SPDX-License-Identifier: MIT */
/* What the windows of studies share: a box with margins under a header bar, rows of named choices,
 * a sentence at the bottom. */
#pragma once

#include <gtk/gtk.h>

/* Dresses the window and returns the box for its content. */
GtkWidget *hl_study_window_dress (GtkWindow *window, const char *title, int width, int height);
/* A row of the box. */
GtkWidget *hl_study_add_row (GtkWidget *box);
/* A widget behind its name; `help` is its tooltip and its accessible name. */
void hl_study_add_named (GtkWidget *row, GtkWidget *widget, const char *name, const char *help);
/* A drop-down behind its name; `changed` (may be NULL) is called with `data` when another entry is
 * chosen. */
GtkWidget *hl_study_add_pick (
    GtkWidget *row, const char *name, const char *help, GCallback changed, gpointer data);
/* Fills a drop-down; `texts` is NULL-terminated. */
void hl_study_fill_pick (GtkWidget *pick, const char *const *texts);
/* The drawing area of the study; `name` is its accessible name. */
GtkWidget *
hl_study_add_area (GtkWidget *box, const char *name, GtkDrawingAreaDrawFunc draw, gpointer data);
/* A sentence that may wrap. */
GtkWidget *hl_study_add_caption (GtkWidget *box);

/* A context for measuring text, without a surface to see. cairo_destroy () frees all. */
cairo_t *hl_study_measure (void);
