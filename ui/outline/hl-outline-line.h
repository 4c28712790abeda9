/* SPDX-License-Identifier: MIT */
/* HlOutlineLine: one row of the outline: what it is, what it connects, a badge when something is
 * wrong with it, and its name, which can be edited in place. */
#pragma once

#include "ui/edit/outline/hl-outline-list.h"

#include <gtk/gtk.h>

#define HL_TYPE_OUTLINE_LINE (hl_outline_line_get_type ())
G_DECLARE_FINAL_TYPE (HlOutlineLine, hl_outline_line, HL, OUTLINE_LINE, GtkListBoxRow)

/* What a line tells its list. */
typedef struct {
  gboolean (*rename) (HlOutlineLine *line, const char *name, gpointer data); /* FALSE: refused */
  void (*toggle) (HlOutlineLine *line, gpointer data); /* its parts are to be shown or hidden */
  gpointer data;
} HlOutlineHost;

GtkWidget *hl_outline_line_new (const HlOutlineHost *host); /* copied */
void hl_outline_line_show (HlOutlineLine *self, const HlOutlineRow *row, gboolean expanded);
const char *hl_outline_line_key (HlOutlineLine *self);
/* The name becomes an entry: Enter renames, Escape leaves it as it was. */
void hl_outline_line_edit (HlOutlineLine *self);
