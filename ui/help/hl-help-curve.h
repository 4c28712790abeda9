/* SPDX-License-Identifier: MIT */
/* A curve of a help page as a widget. That of an element is dragged: the number that shapes it most
 * where the pointer took it follows, so that it goes through the pointer. */
#pragma once

#include "core/help/hl-help-part.h"
#include "ui/paint/base/hl-scene.h"

#include <gtk/gtk.h>

/* Asks for a number of the element; NULL: the drag has ended. */
typedef void (*HlHelpCurveSet) (gpointer owner, const HlField *field, double number);

/* `set`: who is asked for numbers; the owner outlives the widget. */
GtkWidget *hl_help_curve_new (const char *name, HlHelpCurveSet set, gpointer owner);
/* What it shows: borrowed until the next. `is_live`: an element's, whose numbers can be set. */
void hl_help_curve_show (GtkWidget *widget,
                         const HlHelpPart *part,
                         const HlCurve *curve,
                         HlUnits units,
                         gboolean is_live);
