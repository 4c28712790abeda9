/* SPDX-License-Identifier: MIT */
/* The drawing style that goes with a widget: light or dark as its display is, with the widget's
 * font. */
#pragma once

#include "ui/paint/base/hl-style.h"

#include <gtk/gtk.h>

HlStyle hl_look_style (GtkWidget *widget);
