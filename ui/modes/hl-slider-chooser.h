/* SPDX-License-Identifier: MIT */
/* A popover that adds a slider for any number of the model. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_SLIDER_CHOOSER (hl_slider_chooser_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderChooser, hl_slider_chooser, HL, SLIDER_CHOOSER, GtkPopover)

/* A searchable list of all paths; what is typed may be a path of its own. */
GtkWidget *hl_slider_chooser_new (HlWorkbench *workbench);

/* Every number of the model that can be set; free with g_ptr_array_unref. */
GPtrArray *hl_slider_paths (const HlDocument *document);
