/* SPDX-License-Identifier: MIT */
/* Drawing style of a widget: light or dark, with the contrast of its display and the font of the widget. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"

#include <gtk/gtk.h>

HlStyle hl_widget_style (GtkWidget *widget);

/* The theme of high contrast, by GTK's own name. */
#define HL_LOOK_CONTRAST_THEME "HighContrast"

/* Returns whether GTK draws in high contrast: by its theme's name, or by that of the variable GTK_THEME,
 * which GTK takes before it. */
gboolean hl_widget_style_is_contrast (GtkSettings *settings);
