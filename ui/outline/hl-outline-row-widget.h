/* SPDX-License-Identifier: MIT */
/* HlOutlineRowWidget: one row of the outline: the element, its connections, a badge if it has a problem, and
 * its name, which can be edited in place. */
#pragma once

#include "ui/edit/outline/hl-outline-rows.h"

#include <gtk/gtk.h>

#define HL_TYPE_OUTLINE_ROW_WIDGET (hl_outline_row_widget_get_type ())
G_DECLARE_FINAL_TYPE (HlOutlineRowWidget, hl_outline_row_widget, HL, OUTLINE_ROW_WIDGET, GtkListBoxRow)

/* Callbacks of a row to its list. */
typedef struct {
  gboolean (*rename) (HlOutlineRowWidget *line, const char *name, gpointer data); /* FALSE: refused */
  void (*toggle) (HlOutlineRowWidget *line, gpointer data); /* its parts are to be shown or hidden */
  gpointer data;
} HlOutlineHost;

GtkWidget *hl_outline_row_widget_new (const HlOutlineHost *host); /* copied */
void hl_outline_row_widget_show (HlOutlineRowWidget *self, const HlOutlineRow *row, gboolean expanded);
const char *hl_outline_row_widget_key (HlOutlineRowWidget *self);
/* Turns the name into an entry: Enter renames, Escape cancels. */
void hl_outline_row_widget_edit (HlOutlineRowWidget *self);
