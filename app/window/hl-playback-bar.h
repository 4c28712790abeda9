/* SPDX-License-Identifier: MIT */
/* HlTransportBar: the lower edge of the main window. It starts and stops runs, drives and films of the
 * window, plays runs (HlTimeBar), and shows problems and the status line. Signals: "run-pressed" after a
 * person started a run, "drive-began" and "drive-ended". */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/widget/hl-banner.h"
#include "ui/widget/hl-frame-meter.h"

#include <gtk/gtk.h>

#define HL_TYPE_TRANSPORT_BAR (hl_transport_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlTransportBar, hl_transport_bar, HL, TRANSPORT_BAR, GtkBox)

/* Objects of the bar. Plots, meter and banner must outlive the bar. */
typedef struct {
  HlWorkbench *workbench; /* a reference is taken */
  HlPlotPane *plots;      /* pale while they show another model than the drawings */
  HlFrameMeter *meter;    /* of how fast the window follows a drag */
  HlBanner *banner;
} HlTransportSource;

/* Adds the actions to `map`, the window. Call once. */
void hl_transport_bar_set_source (HlTransportBar *self, const HlTransportSource *source, GActionMap *map);
/* Hides status line, problems and the button for full screen in the lecture hall, or shows them again. */
void hl_transport_bar_set_hall (HlTransportBar *self, gboolean in_hall);
/* Leaves what the menu has as well to the menu, in a window that is too narrow for it. */
void hl_transport_bar_set_tight (HlTransportBar *self, gboolean is_tight);
/* Begins a film of the window. */
gboolean hl_transport_bar_record (HlTransportBar *self, const char *path, GError **error);
/* Pauses the recording while the bar of the presentation mode covers the window. */
void hl_transport_bar_set_film_waiting (HlTransportBar *self, gboolean waits);
/* Completes the film and releases gamepads, before the window is disposed. */
void hl_transport_bar_stop (HlTransportBar *self);
/* Returns the help page for the part of the bar that contains the widget, NULL if there is none. */
const char *hl_transport_bar_topic (HlTransportBar *self, GtkWidget *widget);
/* Returns whether the list of problems is up to date. */
gboolean hl_transport_bar_is_settled (HlTransportBar *self);

/* HlTimeBar: play, pause, scrub. Moves the time cursor that plots and drawings share. */

#define HL_TYPE_TIME_BAR (hl_time_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlTimeBar, hl_time_bar, HL, TIME_BAR, GtkBox)

gboolean hl_time_bar_is_playing (HlTimeBar *self);
void hl_time_bar_set_playing (HlTimeBar *self, gboolean playing);

/* HlProblems: a button that counts what is wrong with the model, with a list behind it; each entry
 * names its element, selects it, and offers the mend where it is mechanical. */

#define HL_TYPE_PROBLEMS (hl_problems_get_type ())
G_DECLARE_FINAL_TYPE (HlProblems, hl_problems, HL, PROBLEMS, GtkBox)

void hl_problems_open (HlProblems *self);
int hl_problems_count (HlProblems *self); /* errors and warnings */
