/* SPDX-License-Identifier: MIT */
/* The window's inside, for its own files: what connects the parts (hl-window.c), where they stand (hl-window-pane-sizes.c), and
 * the lecture hall (hl-window-presentation-mode.c). */
#pragma once

#include "app/window/hl-drawing-pane.h"
#include "app/export/hl-exporter.h"
#include "app/window/hl-document-open-save.h"
#include "app/window/hl-experiment-slideshow.h"
#include "app/window/hl-header-bar.h"
#include "app/window/hl-lesson-side-pane.h"
#include "app/window/hl-properties-and-locus-pane.h"
#include "app/window/hl-playback-bar.h"
#include "app/window/hl-window.h"
#include "ui/outline/hl-outline.h"
#include "ui/plot/hl-plot-pane.h"

#define HL_WINDOW_GROUP "window" /* of the key file of the window's state */
#define HL_WINDOW_LARGEST 16384  /* px: beyond, no display server makes a window, nor memory a picture */

typedef struct _HlPresentation HlPresentation;

/* A pane that can have the window to itself. */
typedef enum { HL_PANE_NONE, HL_PANE_CIRCUIT, HL_PANE_LINKAGE, HL_PANE_PLOTS, HL_PANE_LOCUS } HlPane;

/* Positions of the borders [px]; 0: never placed. */
typedef struct {
  int main, outline, left, drawings, side;
} HlPlaces;

struct _HlWindow {
  GtkApplicationWindow parent_instance;

  HlWorkbench *workbench;
  HlFrameMeter *meter;
  char *lost_formula; /* the reported message of one; NULL: nothing */
  guint tick;
  GdkFrameClock *clock;        /* clock of its frames; NULL: not realized */
  gboolean answer_due;         /* results of requests in this frame may still arrive in it */
  guint shown_serial;          /* run whose latency was noted */
  gboolean has_outline_choice; /* its visibility was chosen once */
  gboolean remembers;          /* size and panes, from window to window */
  guint fit_id;                /* tick that lays it out for another width; 0: none is due */
  gboolean has_places;         /* panes stand where they stood last time */
  gboolean lesson_folded;      /* palettes and outline stepped back for it */
  HlArrangement arrangement;
  HlPlaces places[HL_N_ARRANGEMENTS]; /* where a person left the borders of each arrangement */
  HlPlaces before_large;              /* the borders before a pane became large */
  HlPlaces due;                       /* of the inner borders, when the outer ones are laid out */
  int frames_to_place;                /* until then */
  HlPane large;                       /* the pane that has the window to itself */
  HlPane lesson_large;                /* the same as the step of a lesson has made it */
  HlPane large_before_lesson;
  HlPane large_after_hall;        /* the pane that the lecture hall put back */
  gboolean is_wide, is_low_width; /* as the arrangement was last laid out for */
  gboolean has_pressed_run;       /* a run was asked for: its plots are shown */
  gboolean hides_plots;           /* a person switched the plots off in this arrangement */
  HlFileSession *session;
  HlExperimentDeck *deck;
  HlExporter *exporter;
  HlPresentation *presentation; /* NULL: not in the lecture hall */

  /* template */
  HlBanner *banner;
  GtkPaned *main_paned, *outline_paned, *left_paned;
  HlHeaderBar *header;
  HlLessonFiles *lessons;
  HlDrawingPane *drawings;
  HlSidePane *side;
  HlTransportBar *transport;
  HlPlotPane *plot_pane;
  HlOutline *outline;
};

/* hl-window-pane-sizes.c */
void hl_window_add_layout_actions (HlWindow *self);
void hl_window_show_outline (HlWindow *self, gboolean show);
/* Fits header and side pane to the window's size from now on; once there is a surface. */
void hl_window_watch_size (HlWindow *self);
/* Palettes step back for a pane beside the model, where there is no room for both; or come again. */
void hl_window_make_room (HlWindow *self, gboolean comes);
void hl_window_restore_state (HlWindow *self);
void hl_window_remember_state (HlWindow *self);

/* hl-window-arrangements.c */
void hl_window_add_arrangement_actions (HlWindow *self);
/* Places the panes as in a first window of that size [px]. */
void hl_window_place_panes (HlWindow *self, int width, int height);
/* Shows the panes that arrangement, large pane and lesson have. */
void hl_window_show_panes (HlWindow *self);
/* Lays the arrangement out for a window of that width [px]. Returns TRUE if its panes need other places. */
gboolean hl_window_fit_arrangement (HlWindow *self, int width);
/* Makes the pane of that name large, or puts back what a lesson made large (NULL). What a person changed meanwhile stays. */
void hl_window_show_lesson_pane (HlWindow *self, const char *pane);
/* Puts a large pane back for the lecture hall, and makes it large again afterwards. */
void hl_window_enter_hall (HlWindow *self);
void hl_window_leave_hall (HlWindow *self);
/* Puts a large pane back to its place; FALSE: none is large. */
gboolean hl_window_put_large_back (HlWindow *self);
/* Notes that a person asked for a run. */
void hl_window_note_run (HlWindow *self);
void hl_window_restore_places (HlWindow *self, GKeyFile *file);
void hl_window_remember_places (HlWindow *self, GKeyFile *file);

/* hl-window-presentation-mode.c */
/* Returns whether plots may be shown: not in presentation mode without them, nor below a lesson. */
gboolean hl_window_may_show_plots (HlWindow *self);
/* Shows only these panes ("circuit" ..., NULL-terminated; none: all) and a caption, in presentation mode. */
void hl_window_present_panes (HlWindow *self, const char *const *panes, const char *caption);
void hl_window_add_present_actions (HlWindow *self);
/* Ends the presentation mode of a window that is being destroyed. */
void hl_window_drop_presentation (HlWindow *self);
