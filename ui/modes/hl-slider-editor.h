/* SPDX-License-Identifier: MIT */
/* A popover that changes or removes one entry of the file's list of sliders. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_SLIDER_EDITOR (hl_slider_editor_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderEditor, hl_slider_editor, HL, SLIDER_EDITOR, GtkPopover)

/* Limits, scale and removal of entry `index` of the file's sliders. */
GtkWidget *hl_slider_editor_new (HlWorkbench *workbench, int index);

/* A slider about the present value of the path: a decade to both sides of a positive number, else
 * linear. FALSE when there is no such number. */
gboolean hl_slider_add (HlWorkbench *workbench, const char *path, GError **error);
