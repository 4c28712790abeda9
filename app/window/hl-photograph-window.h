/* SPDX-License-Identifier: MIT */
/* HlPhotographWindow: chooses the photograph behind the linkage, its scale, and its display. */
#pragma once

#include "ui/canvas/hl-linkage-view.h"

#include <gtk/gtk.h>

#define HL_TYPE_PHOTOGRAPH_WINDOW (hl_photograph_window_get_type ())
G_DECLARE_FINAL_TYPE (HlPhotographWindow, hl_photograph_window, HL, PHOTOGRAPH_WINDOW, GtkWindow)

/* Presents the window. `status`: a label beside the view for the prompts of its tools. */
HlPhotographWindow *hl_photograph_window_present (HlWorkbench *workbench, HlLinkageView *view,
                                                  GtkLabel *status, GtkWindow *parent);
/* Makes a file the photograph, placed so that it fills the view, in one undo step. */
void hl_photograph_window_load (HlPhotographWindow *self, const char *path);
/* Applies the typed distance between the two clicked points. For tests. */
void hl_photograph_window_apply_distance (HlPhotographWindow *self, double metres);
