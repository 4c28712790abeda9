/* SPDX-License-Identifier: MIT */
/* The drawing style that goes with a widget: light or dark as its display is, with the widget's
 * font. */
#pragma once

#include "ui/paint/base/hl-style.h"

#include <gtk/gtk.h>

gboolean hl_look_is_dark (GtkWidget *widget);
HlStyle hl_look_style (GtkWidget *widget);
