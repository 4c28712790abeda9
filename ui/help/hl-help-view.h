/* SPDX-License-Identifier: MIT */
/* HlHelpView: a page of the help as widgets: symbol, equations with the numbers beside them, curves,
 * properties. */
#pragma once

#include "core/help/hl-help-page.h"
#include "core/help/hl-help-topic.h"
#include "ui/paint/base/hl-scene.h"

#include <gtk/gtk.h>

#define HL_TYPE_HELP_VIEW (hl_help_view_get_type ())
G_DECLARE_FINAL_TYPE (HlHelpView, hl_help_view, HL, HELP_VIEW, GtkBox)

/* Shows a page, which is taken. One with the same equations as before keeps the widgets and changes
 * their numbers only. */
void hl_help_view_show (HlHelpView *self, HlHelpPage *page, HlUnits units);
/* What it shows; borrowed, NULL before the first. */
const HlHelpPage *hl_help_view_page (HlHelpView *self);

/* Who is asked for a number of the page's element when a curve is dragged; NULL as the field: the drag
 * has ended. Before the first page; without one nothing is dragged. */
typedef void (*HlHelpViewSet) (gpointer owner, const HlField *field, double number);
void hl_help_view_set_setter (HlHelpView *self, HlHelpViewSet set, gpointer owner);
/* Marks a property and returns what names it; NULL: the page has none such, nothing is marked. */
GtkWidget *hl_help_view_point_at (HlHelpView *self, const char *field);
/* Shows a page on what is no part; `shortcuts`: keys and what they do by turns. Its page is NULL. */
void hl_help_view_show_topic (HlHelpView *self, const HlHelpTopic *topic, const GPtrArray *shortcuts);
