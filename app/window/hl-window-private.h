/* SPDX-License-Identifier: MIT */
/* The window's inside, split by what it does: binding (hl-window.c), actions, files, export,
 * remembered state. */
#pragma once

#include "app/window/hl-drawing-pane.h"
#include "app/window/hl-exporter.h"
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

/* hl-window-actions.c */
void hl_window_add_actions (HlWindow *self);

/* hl-window-files.c */
void hl_window_bind_files (HlWindow *self);

/* hl-window-state.c */
/* Units, an empty model, and unsaved changes that are kept. */
void hl_window_apply_settings (HlWindow *self);
void hl_window_restore_state (HlWindow *self);
void hl_window_place_panes (HlWindow *self, int width, int height);
void hl_window_remember_state (HlWindow *self);

/* hl-window-size.c */
/* Fits the header to the window's width from now on; once there is a surface. */
void hl_window_watch_size (HlWindow *self);

/* hl-window-outline.c */
void hl_window_show_outline (HlWindow *self, gboolean show);
void hl_window_add_outline_actions (HlWindow *self);

/* hl-window-lesson.c */
void hl_window_bind_lessons (HlWindow *self);
/* Neither the lecture hall has them away, nor does a lesson cover them. */
gboolean hl_window_may_show_plots (HlWindow *self);

/* hl-window-present.c */
/* In the lecture hall: only these panes ("circuit" ..., NULL-terminated; none: all), and a caption. */
void hl_window_present_panes (HlWindow *self, const char *const *panes, const char *caption);
void hl_window_add_present_actions (HlWindow *self);
/* Of a window that goes away. */
void hl_window_drop_presentation (HlWindow *self);
