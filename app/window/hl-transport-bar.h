/* SPDX-License-Identifier: MIT */
/* HlTransportBar: the lower edge of the main window: runs and drives the model, plays what was run, records the window as a
 * film, and says how it went. Signals: "run-pressed" when a person has started a run, "drive-began" and "drive-ended". */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/widget/hl-banner.h"
#include "ui/widget/hl-frame-meter.h"

#include <gtk/gtk.h>

#define HL_TYPE_TRANSPORT_BAR (hl_transport_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlTransportBar, hl_transport_bar, HL, TRANSPORT_BAR, GtkBox)

/* What the bar shows and tells, all of the window, which outlives it. */
typedef struct {
  HlWorkbench *workbench; /* a reference is taken */
  HlPlotPane *plots;      /* pale while they show another model than the drawings */
  HlFrameMeter *meter;    /* of how fast the window follows a drag */
  HlBanner *banner;
} HlTransportSource;

/* Adds the actions to those of the window, `map`; once. */
void hl_transport_bar_set_source (HlTransportBar *self, const HlTransportSource *source, GActionMap *map);
/* In the lecture hall nothing is said, and full screen is left otherwise. */
void hl_transport_bar_set_hall (HlTransportBar *self, gboolean in_hall);
/* Begins a film of what the window shows. */
gboolean hl_transport_bar_record (HlTransportBar *self, const char *path, GError **error);
/* Completes the film and puts gamepads away; before the window goes. */
void hl_transport_bar_stop (HlTransportBar *self);
/* The page of help on the part of the bar that a widget is in; NULL: none. */
const char *hl_transport_bar_topic (HlTransportBar *self, GtkWidget *widget);
/* The list of problems shows the present ones. */
gboolean hl_transport_bar_is_settled (HlTransportBar *self);
