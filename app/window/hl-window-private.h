/* SPDX-License-Identifier: MIT */
/* The window's inside, for its own files: what connects the parts (hl-window.c), where they stand (hl-window-layout.c), and
 * the lecture hall (hl-window-present.c). */
#pragma once

#include "app/window/hl-drawing-pane.h"
#include "app/export/hl-exporter.h"
#include "app/window/hl-file-session.h"
#include "app/window/hl-experiment-deck.h"
#include "app/window/hl-header-bar.h"
#include "app/window/hl-lesson-box.h"
#include "app/window/hl-side-pane.h"
#include "app/window/hl-transport-bar.h"
#include "app/window/hl-window.h"
#include "ui/outline/hl-outline.h"
#include "ui/plot/hl-plot-pane.h"

typedef struct _HlPresentation HlPresentation;

struct _HlWindow {
  GtkApplicationWindow parent_instance;

  HlWorkbench *workbench;
  HlFrameMeter *meter;
  char *lost_formula; /* what was told of one; NULL: nothing */
  guint tick;
  GdkFrameClock *clock;        /* whose frames they are; NULL: not realized */
  gboolean answer_due;         /* what this frame asked for may still come in it */
  guint shown_serial;          /* run whose latency was noted */
  gboolean has_outline_choice; /* whether it is shown was chosen once */
  gboolean remembers;          /* size and panes, from window to window */
  guint fit_id;                /* tick that lays it out for another width; 0: none is due */
  gboolean has_places;         /* panes stand where they stood last time */
  gboolean lesson_folded;      /* palettes and outline stepped back for it */
  HlFileSession *session;
  HlExperimentDeck *deck;
  HlExporter *exporter;
  HlPresentation *presentation; /* NULL: not in the lecture hall */

  /* template */
  HlBanner *banner;
  GtkPaned *main_paned, *outline_paned, *left_paned;
  HlHeaderBar *header;
  HlLessonBox *lessons;
  HlDrawingPane *drawings;
  HlSidePane *side;
  HlTransportBar *transport;
  HlPlotPane *plot_pane;
  HlOutline *outline;
};

/* hl-window-layout.c */
void hl_window_add_layout_actions (HlWindow *self);
void hl_window_show_outline (HlWindow *self, gboolean show);
/* Places the panes as in a first window of that size [px]. */
void hl_window_place_panes (HlWindow *self, int width, int height);
/* Fits header and side pane to the window's size from now on; once there is a surface. */
void hl_window_watch_size (HlWindow *self);
/* Palettes step back for a pane beside the model, where there is no room for both; or come again. */
void hl_window_make_room (HlWindow *self, gboolean comes);
void hl_window_restore_state (HlWindow *self);
void hl_window_remember_state (HlWindow *self);

/* hl-window-present.c */
/* Neither the lecture hall has them away, nor does a lesson cover them. */
gboolean hl_window_may_show_plots (HlWindow *self);
/* In the lecture hall: only these panes ("circuit" ..., NULL-terminated; none: all), and a caption. */
void hl_window_present_panes (HlWindow *self, const char *const *panes, const char *caption);
void hl_window_add_present_actions (HlWindow *self);
/* Of a window that goes away. */
void hl_window_drop_presentation (HlWindow *self);
