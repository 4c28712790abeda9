/* SPDX-License-Identifier: MIT */
/* Popovers that change the file's list of sliders: one to edit or remove a slider, one to add a
 * slider for any number of the model. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "core/document/hl-document.h"

#include <gtk/gtk.h>

/* Limits, scale and removal of entry `index` of the file's sliders. */
GtkWidget *hl_slider_editor_new (HlWorkbench *workbench, int index);
/* A searchable list of all paths; what is typed may be a path of its own. */
GtkWidget *hl_slider_chooser_new (HlWorkbench *workbench);

/* A slider about the present value of the path: a decade to both sides of a positive number, else
 * linear. FALSE when there is no such number. */
gboolean hl_slider_add (HlWorkbench *workbench, const char *path, GError **error);
/* Every number of the model that can be set; free with g_ptr_array_unref. */
GPtrArray *hl_slider_paths (const HlDocument *document);
