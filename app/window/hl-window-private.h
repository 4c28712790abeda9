/* SPDX-License-Identifier: MIT */
/* The window's inside, split by what it does: binding (hl-window.c), actions, files, export,
 * remembered state. */
#pragma once

#include "app/window/hl-autosave.h"
#include "app/window/hl-camera.h"
#include "app/window/hl-data-window.h"
#include "app/window/hl-export-window.h"
#include "app/window/hl-file-watch.h"
#include "app/window/hl-film-window.h"
#include "app/window/hl-fmu-window.h"
#include "app/window/hl-photograph-window.h"
#include "app/window/hl-picture.h"
#include "app/window/hl-window.h"
#include "ui/bench/hl-pad-device.h"
#include "ui/canvas/hl-circuit-view.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/outline/hl-history-list.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/lesson/hl-lesson-author.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/widget/hl-lever-panel.h"
#include "ui/canvas/hl-linkage-view.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/outline/hl-outline.h"
#include "ui/canvas/hl-palette.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/outline/hl-problems.h"
#include "ui/plot/hl-time-bar.h"
#include "ui/widget/hl-status-line.h"
#include "ui/widget/hl-file-chooser.h"

typedef struct _HlPresentation HlPresentation;

struct _HlWindow {
  GtkApplicationWindow parent_instance;

  HlWorkbench *workbench;
  HlFrameMeter *meter;
  HlFileWatch *watch;
  HlAutosave *autosave; /* NULL: nothing is kept */
  char *lost_formula;   /* what was told of one; NULL: nothing */
  char *unprotected;    /* what the banner falls back to: why nothing is kept; NULL: something is,
                           or it was dismissed */
  guint tick;
  GdkFrameClock *clock;        /* whose frames they are; NULL: not realized */
  gboolean answer_due;         /* what this frame asked for may still come in it */
  guint shown_serial;          /* run whose latency was noted */
  gboolean has_outline_choice; /* whether it is shown was chosen once */
  gboolean is_narrow;          /* laid out for a narrow window */
  gboolean is_wordless;        /* so narrow that Run is a picture without its word */
  gboolean is_tight;           /* and there is no room for the name of the parameter set */
  gboolean is_start_moved;     /* a run does not start as drawn */
  gboolean is_tall;            /* properties and root locus are both shown */
  int least_wide;              /* width from which it is not [px] */
  guint fit_id;                /* tick that lays it out for another width; 0: none is due */
  gboolean has_places;         /* panes stand where they stood last time */
  gboolean remembers;          /* size and panes, from window to window */
  gboolean is_asking;          /* about unsaved changes */
  gboolean close_anyway;       /* unsaved changes were dealt with */
  gboolean leaves_lesson;      /* so was the lesson that was recorded */
  gboolean locus_picking;      /* the drop-down is being filled */
  gint64 status_us;            /* when a drag last wrote the status line; 0: it did not */
  gboolean was_driving;
  HlPad *pad;                   /* of the drive under way, else NULL */
  HlPadDevice *pad_device;      /* NULL: there are no gamepads */
  HlDocument *typed_upon;       /* the document when the field with the keyboard began anew */
  HlLessonPane *lesson;         /* NULL: none is gone through */
  HlLessonAuthor *author;       /* NULL: none is recorded */
  HlCamera *camera;             /* NULL: the window is not filmed */
  GFile *lesson_file;           /* where it came from last */
  char *lesson_key;             /* what its progress is kept under */
  gboolean lesson_folded;       /* palettes and outline stepped back for it */
  GPtrArray *experiments;       /* HlExperiment; NULL: no list of them is open */
  int experiment;               /* which of them is shown */
  HlPresentation *presentation; /* NULL: not in the lecture hall */
  HlFileChooser *chooser;       /* kept until it answers */
  char **fmu_hoses;             /* those of the last FMU; NULL: it had none */

  /* template */
  GtkWidget *set_icon; /* in place of the word for no set */
  GtkLabel *title_label, *subtitle_label, *set_label, *circuit_caption, *linkage_caption;
  GtkLabel *banner_label, *circuit_status, *linkage_status;
  GtkLabel *moved_label;
  GtkRevealer *banner;
  GtkBox *banner_box;
  GtkButton *banner_button;
  GtkMenuButton *set_button, *model_button, *export_button, *menu_button;
  GMenuModel *set_menu, *model_menu, *export_menu, *primary_menu;
  GtkBox *lesson_box;
  GtkWidget *undo_button, *redo_button, *start_box, *side_box, *drive_label, *run_label;
  GtkWidget *side_tabs, *locus_box, *locus_heading, *study_box;
  GtkWidget *recording_button; /* there while a film is made */
  guint recording_id;          /* counts its seconds */
  GtkWidget *moved_box, *hold_button, *as_given_button, *unfullscreen_button;
  GtkButton *open_button, *save_button;
  GtkPaned *main_paned, *outline_paned, *left_paned, *drawings_paned, *side_paned;
  GMenu *edit_section, *recent_menu, *set_section, *plot_section;
  HlCircuitView *circuit_view;
  HlLinkageView *linkage_view;
  HlPalette *circuit_palette, *linkage_palette;
  HlPlotPane *plot_pane;
  HlOutline *outline;
  HlHistoryList *history_list;
  HlInspector *inspector;
  HlLocusView *locus_view;
  HlKnobPanel *knob_panel;
  HlLeverPanel *lever_panel;
  HlEigenTable *eigen_table;
  HlTimeBar *time_bar;
  HlStatusLine *status_line;
  HlProblems *problems;
  GtkDropDown *locus_drop_down;
};

/* A menu item named by a person's words, in which an underscore is no mnemonic; `ending` may be
 * NULL. Owned by the caller. */
GMenuItem *hl_window_menu_item (const char *text, const char *ending);

/* A notice with a button that activates an action. */
void hl_window_ask_banner (HlWindow *self, const char *message, const char *button, const char *action);

/* Whatever it says is over. What it falls back to stays until it is dismissed. */
void hl_window_hide_banner (HlWindow *self);
void hl_window_dismiss_banner (HlWindow *self);

/* hl-window-status.c */
void hl_window_show_title (HlWindow *self);
void hl_window_show_present_set (HlWindow *self);
void hl_window_show_captions (HlWindow *self);
void hl_window_show_status (HlWindow *self);
/* Tells of a formula that a drag replaced, as long as undo would bring it back. */
void hl_window_show_lost_formula (HlWindow *self);

/* hl-window-start.c */
/* "held as drawn: 12.3 MPa carry it", NULL = nothing is held; owned by the caller. */
char *hl_window_carried_text (HlWindow *self);
/* Whether a run starts as drawn, told beside the linkage if not. */
void hl_window_show_start (HlWindow *self);
/* Holds the linkage as it is drawn, or says why not. */
void hl_window_hold_start (HlWindow *self);
/* Lets a run begin as drawn with the pressures of the file, held by nothing. */
void hl_window_start_as_given (HlWindow *self);
/* What is said of the start gives way to a tool in the hand. */
void hl_window_place_moved_box (HlWindow *self);

/* hl-window-actions.c */
void hl_window_add_actions (HlWindow *self);
/* Sets what is enabled and every action's state from the present state. */
void hl_window_update_actions (HlWindow *self);

/* hl-window-drive.c */
void hl_window_bind_drive (HlWindow *self);
void hl_window_update_drive_actions (HlWindow *self);
void hl_window_show_drive (HlWindow *self);
/* Sticks of gamepads move nothing any more. */
void hl_window_put_pad_away (HlWindow *self);
/* Pauses or goes on; FALSE: nothing is driven. */
gboolean hl_window_pause_drive (HlWindow *self);

/* hl-window-files.c */
/* No component, no body, no point: the way to begin is shown. */
gboolean hl_window_is_empty (HlWindow *self);
void hl_window_choose_and_open (HlWindow *self);
void hl_window_open_here_or_beside (HlWindow *self, GFile *file);
/* Filters, and the folder of the model's file. */
void hl_window_prepare_chooser (HlWindow *self, HlFileChooser *chooser);
void hl_window_note_recent (GFile *file);
void hl_window_watch_recent (HlWindow *self);
void hl_window_accept_drops (HlWindow *self);

/* hl-window-save.c */
/* `then` (may be NULL) is called when the document is saved. */
void hl_window_save (HlWindow *self, gboolean as, void (*then) (HlWindow *self));
/* TRUE: the window may close now; FALSE: a dialog asks and closes it later. */
gboolean hl_window_confirm_close (HlWindow *self);
void hl_window_watch_file (HlWindow *self);
void hl_window_follow_file (HlWindow *self); /* it may be another one */
/* What the file holds now, as one undo step. */
void hl_window_reload (HlWindow *self);

/* hl-window-export.c */
void hl_window_export (HlWindow *self, const char *what);
/* Without a dialog, for tests: `what` as the action's parameter, the format from the name's ending.
 */
gboolean hl_window_export_to (HlWindow *self, const char *what, const char *path, GError **error);
/* hl-window-fmu.c */
/* Asks for the hoses, where to, and writes the model as an FMU or SSP. NULL: no hose can be on it, and only
 * the file is asked for. */
HlFmuWindow *hl_window_export_fmu (HlWindow *self);
/* The views that figures come from. */
HlPictureSource hl_window_pictures (HlWindow *self);
/* The chart of a study in the export window. */
void hl_window_take_away (HlWindow *self, GObject *chart);
/* Dialogs of this window; NULL: the banner says why there is nothing to export. */
HlExportWindow *hl_window_show_export (HlWindow *self, const char *what);
HlDataWindow *hl_window_show_data (HlWindow *self);
HlFilmWindow *hl_window_show_film (HlWindow *self);
HlPhotographWindow *hl_window_show_photograph (HlWindow *self);
void hl_window_ask_set_name (HlWindow *self);

/* hl-window-state.c */
/* Units, an empty model, and unsaved changes that are kept. */
void hl_window_apply_settings (HlWindow *self);
void hl_window_restore_state (HlWindow *self);
void hl_window_place_panes (HlWindow *self, int width, int height);
void hl_window_remember_state (HlWindow *self);

/* hl-window-side.c */
void hl_window_add_side_actions (HlWindow *self);
/* Both parts of the side pane, or tabs, as the height of the window has it. TRUE: it is otherwise
 * than before. */
gboolean hl_window_fit_side (HlWindow *self, int height);
/* "properties" or "locus". */
void hl_window_show_tab (HlWindow *self, const char *tab);

/* hl-window-size.c */
/* Fits the header to the window's width from now on; once there is a surface. */
void hl_window_watch_size (HlWindow *self);
void hl_window_show_oil_model (HlWindow *self);

/* hl-window-outline.c */
void hl_window_show_outline (HlWindow *self, gboolean show);
void hl_window_add_outline_actions (HlWindow *self);

/* hl-window-lesson.c */
void hl_window_add_lesson_actions (HlWindow *self);
/* Opens a lesson beside its model; FALSE: the banner says what is wrong with it. */
gboolean hl_window_open_lesson (HlWindow *self, GFile *file);
/* Its progress is kept. */
void hl_window_close_lesson (HlWindow *self);
/* The same of a window that goes away. */
void hl_window_drop_lesson (HlWindow *self);
/* Neither the lecture hall has them away, nor does a lesson cover them. */
gboolean hl_window_may_show_plots (HlWindow *self);
/* Palettes step back for a pane beside the model, where there is no room for both; or come again. */
void hl_window_fold_for_lesson (HlWindow *self, gboolean folds);
/* What it takes of the window, or the recording of one [px]; 0: there is none. */
int hl_window_lesson_width (HlWindow *self);

/* hl-window-record.c */
void hl_window_add_record_actions (HlWindow *self);
/* Begins a film of what the window shows. */
gboolean hl_window_record (HlWindow *self, const char *path, GError **error);
void hl_window_drop_camera (HlWindow *self);

/* hl-window-author.c */
void hl_window_add_author_actions (HlWindow *self);
/* Writes the lesson that is recorded, and has it gone through. */
gboolean hl_window_save_lesson (HlWindow *self, const char *path, GError **error);
/* What was not saved is kept in the state folder, and a banner says where. */
void hl_window_close_author (HlWindow *self);
/* As the window goes. */
void hl_window_drop_author (HlWindow *self);
/* Whether the window may close, as far as a recorded lesson goes; else a question stands over it. */
gboolean hl_window_confirm_author (HlWindow *self);

/* hl-window-experiments.c */
gboolean hl_window_is_experiments (GFile *file);
void hl_window_add_experiment_actions (HlWindow *self);
/* The first of a list; FALSE: the banner says what is wrong with it. */
gboolean hl_window_open_experiments (HlWindow *self, GFile *file);
void hl_window_drop_experiments (HlWindow *self);

/* hl-window-present.c */
/* In the lecture hall: only these panes ("circuit" ..., NULL-terminated; none: all), and a caption. */
void hl_window_present_panes (HlWindow *self, const char *const *panes, const char *caption);
void hl_window_add_present_actions (HlWindow *self);
/* Of a window that goes away. */
void hl_window_drop_presentation (HlWindow *self);

/* hl-window-typing.c: FALSE: no field has the keyboard, or nothing is typed that is not applied. */
gboolean hl_window_undo_typing (HlWindow *self);
gboolean hl_window_redo_typing (HlWindow *self);
void hl_window_watch_typing (HlWindow *self);

/* hl-window-tools.c */
void hl_window_bind_tools (HlWindow *self);
/* What an empty model begins with, but while a symbol is to be placed there. */
void hl_window_show_start_box (HlWindow *self);
/* What the tools of both canvases say, anew. */
void hl_window_say_tools (HlWindow *self);
void hl_window_add_tool_actions (HlWindow *self);
/* Names beside the symbols of the palettes. */
void hl_window_show_tool_names (HlWindow *self, gboolean names);
