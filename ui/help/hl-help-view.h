/* SPDX-License-Identifier: MIT */
/* HlHelpView: a page of the help as widgets: symbol, equations with the numbers beside them, curves,
 * properties. */
#pragma once

#include "core/help/hl-help-page.h"
#include "ui/paint/base/hl-scene.h"

#include <gtk/gtk.h>

#define HL_TYPE_HELP_VIEW (hl_help_view_get_type ())
G_DECLARE_FINAL_TYPE (HlHelpView, hl_help_view, HL, HELP_VIEW, GtkBox)

/* Shows a page, which is taken. One with the same equations as before keeps the widgets and changes
 * their numbers only. */
void hl_help_view_show (HlHelpView *self, HlHelpPage *page, HlUnits units);
/* What it shows; borrowed, NULL before the first. */
const HlHelpPage *hl_help_view_page (HlHelpView *self);
