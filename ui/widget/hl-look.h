/* SPDX-License-Identifier: MIT */
/* The drawing style that goes with a widget: light or dark and of which contrast as its display is,
 * with the widget's font. */
#pragma once

#include "ui/paint/base/hl-style.h"

#include <gtk/gtk.h>

HlStyle hl_look_style (GtkWidget *widget);

/* The theme of high contrast, by GTK's own name. */
#define HL_LOOK_CONTRAST_THEME "HighContrast"

/* Whether GTK draws in high contrast: by its theme's name, or by that of the variable GTK_THEME, which GTK takes
 * before it. */
gboolean hl_look_is_contrast (GtkSettings *settings);
