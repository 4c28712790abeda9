/* SPDX-License-Identifier: MIT */
/* HlSliderPanel: one row for each slider of the model: name, slider, exact value; its editor makes new ones.
 * While a slider is dragged, all results that depend on the number are updated; the whole drag is one undo
 * step. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_SLIDER_PANEL (hl_slider_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderPanel, hl_slider_panel, HL, SLIDER_PANEL, GtkBox)

void hl_slider_panel_set_workbench (HlSliderPanel *self, HlWorkbench *workbench);
/* Places each slider between its name and its number, where the panel is wide, or below them. */
void hl_slider_panel_set_one_line (HlSliderPanel *self, gboolean one_line);
/* In the lecture hall the sliders alone are shown, each name in one line. */
void hl_slider_panel_set_hall (HlSliderPanel *self, gboolean in_hall);

/* Ranges of a slider, painted along its trough: where a target is met. They take no place of their
 * own, and the slider does not catch on their ends as it does on marks. */

#define HL_TYPE_SLIDER_BAND (hl_slider_band_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderBand, hl_slider_band, HL, SLIDER_BAND, GtkDrawingArea)

/* Returns the position of a fraction [px of the scale]. */
double hl_slider_band_x (HlSliderBand *self, double fraction);

/* A popover that adds a slider for any number of the model. */

#define HL_TYPE_SLIDER_CHOOSER (hl_slider_chooser_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderChooser, hl_slider_chooser, HL, SLIDER_CHOOSER, GtkPopover)

/* Returns every number of the model that can be set; free with g_ptr_array_unref. */
GPtrArray *hl_slider_paths (const HlDocument *document);

/* A popover that changes or removes one entry of the file's list of sliders. */

#define HL_TYPE_SLIDER_EDITOR (hl_slider_editor_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderEditor, hl_slider_editor, HL, SLIDER_EDITOR, GtkPopover)

/* Adds a slider about the present value of the path: a decade to both sides of a positive number, otherwise
 * linear. FALSE when there is no such number. */
gboolean hl_slider_add (HlWorkbench *workbench, const char *path, GError **error);
