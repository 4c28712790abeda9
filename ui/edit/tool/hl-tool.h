/* SPDX-License-Identifier: MIT */
/* Canvas tools as state machines without a display. A driver owns one canvas' tool, its working copy of the
 * document and the selection; it receives events in world coordinates and returns what is to be painted: the
 * working copy, marks over it, and a status line with the next expected action. A gesture is one undo step:
 * COMMIT and NEXT pass the working copy to the host, REVERT drops it; Escape is always REVERT. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/document/hl-document.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"
#include "ui/paint/base/hl-view-transform.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/paint/circuit/hl-symbol-shape.h"

typedef enum {
  HL_TOOL_CIRCUIT, /* modules, y down */
  HL_TOOL_LINKAGE  /* metres, y up */
} HlToolCanvas;

/* --- events --- */

typedef enum {
  HL_TOOL_PRESS,
  HL_TOOL_MOVE, /* with or without a button */
  HL_TOOL_RELEASE,
  HL_TOOL_KEY,
  HL_TOOL_TEXT,  /* characters typed */
  HL_TOOL_CANCEL /* the same as Escape */
} HlToolEventType;

typedef enum {
  HL_TOOL_KEY_NONE,
  HL_TOOL_KEY_ENTER,
  HL_TOOL_KEY_ESCAPE,
  HL_TOOL_KEY_TAB,
  HL_TOOL_KEY_BACKSPACE,
  HL_TOOL_KEY_DELETE,
  HL_TOOL_KEY_LEFT,
  HL_TOOL_KEY_RIGHT,
  HL_TOOL_KEY_UP,
  HL_TOOL_KEY_DOWN
} HlToolKey;

typedef enum { HL_TOOL_SHIFT = 1 << 0, HL_TOOL_CONTROL = 1 << 1, HL_TOOL_ALT = 1 << 2 } HlToolModifiers;

typedef struct {
  HlToolEventType type;
  HlSpot at;    /* world */
  double reach; /* distance at which the pointer still hits [world] */
  double grid;  /* step of the grid shown [world]; 0 = none */
  int button;   /* PRESS, RELEASE: 1 = the first */
  int n_press;  /* 2 = second press of a double click */
  guint modifiers;
  HlToolKey key;
  const char *text; /* TEXT; borrowed */
} HlToolEvent;

typedef enum {
  HL_TOOL_NOTHING, /* continue */
  HL_TOOL_COMMIT,  /* the working copy is a new step; back to the select tool */
  HL_TOOL_REVERT,  /* drop the working copy; back to the select tool */
  HL_TOOL_NEXT     /* the working copy is a new step; the same tool again */
} HlToolResponse;

/* --- what is laid over the drawing --- */

typedef enum {
  HL_MARK_LINE,    /* rubber line a to b */
  HL_MARK_GUIDE,   /* alignment, a to b */
  HL_MARK_BAND,    /* rubber band, corners a and b */
  HL_MARK_PORT,    /* highlighted port or point at a */
  HL_MARK_HANDLE,  /* something that can be dragged at a */
  HL_MARK_SYMBOL,  /* symbol about to be placed */
  HL_MARK_TEXT,    /* label at a: a measure, what is being typed */
  HL_MARK_WARNING, /* label at a: what the release would do */
  HL_MARK_LOCK     /* a locked length or angle at a */
} HlToolMarkKind;

typedef struct {
  HlToolMarkKind kind;
  HlSpot a, b;
  HlShapeKind shape;
  HlPlacement place;
  char text[96];
} HlToolMark;

/* --- tools --- */

typedef struct _HlTool HlTool;

/* One tool; its state is a struct of its own. */
typedef struct {
  const char *id;    /* "connect" */
  const char *label; /* "Line": for the palette; untranslated */
  const char *help;  /* one line; untranslated */
  guint canvases;    /* bits 1 << HlToolCanvas */
  gsize state_size;
  void (*begin) (HlTool *tool, void *state, const char *argument); /* state is zeroed */
  HlToolResponse (*event) (HlTool *tool, void *state, const HlToolEvent *event);
  void (*clear) (void *state); /* frees what the state owns; may be NULL */
  /* returns whether a text typed now (a character; "\t", "\n", "\b" for those keys) is for the tool rather
   * than a shortcut of the window; NULL: never. */
  gboolean (*takes) (HlTool *tool, const void *state, const char *text);
} HlToolOps;

/* --- the driver, as the canvas sees it --- */

/* Work that would hold up a window. Exactly one of done and drop is called, on the tool's thread and
 * not before the work is over: done by a host that is still there. */
typedef struct {
  void (*work) (gpointer job); /* in a thread of its own */
  void (*done) (gpointer job);
  void (*drop) (gpointer job);
  gpointer job;
} HlToolTask;

typedef struct {
  /* A step is done: the document is lent, the name is "Move throttle". */
  void (*commit) (const HlDocument *document, const char *step, gpointer data);
  void (*select) (const char *const *ids, gpointer data);
  void (*changed) (gpointer data); /* working copy, marks, status or tool: paint again */
  gpointer data;
  /* Degrees of freedom of a document as hl_linkage_plan_freedom_text says them, "" while they are
   * being counted; NULL, or without this function: the tool counts them itself. */
  const char *(*freedom) (const HlDocument *document, gpointer data);
  /* Has it done elsewhere; the task is copied. Without this function everything is done at once.
   */
  void (*send) (const HlToolTask *task, gpointer data);
} HlToolHost;

HlTool *hl_tool_new (HlToolCanvas canvas, const HlToolHost *host); /* host is copied; may be NULL */
void hl_tool_free (HlTool *tool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTool, hl_tool_free)

/* Sets the present document; if it differs, a gesture in progress is dropped. */
void hl_tool_set_document (HlTool *tool, const HlDocument *document);
void hl_tool_set_selection (HlTool *tool, const char *const *ids);

/* Begins a tool by its id, "select", "place" (argument: the kind), "link" ... A gesture under way
 * is dropped. FALSE: no such tool on this canvas. */
gboolean hl_tool_choose (HlTool *tool, const char *id, const char *argument);
HlToolResponse hl_tool_event (HlTool *tool, const HlToolEvent *event);

const HlDocument *hl_tool_document (const HlTool *tool); /* the working copy, borrowed */
const char *const *hl_tool_selection (const HlTool *tool);
const char *hl_tool_id (const HlTool *tool);
const char *hl_tool_argument (const HlTool *tool); /* of the tool chosen; NULL = none */
const char *hl_tool_status (const HlTool *tool);   /* never NULL */
const HlToolMark *hl_tool_marks (const HlTool *tool, int *n);
gboolean hl_tool_takes (HlTool *tool, const char *text);
gboolean hl_tool_is_busy (const HlTool *tool);       /* in a gesture, or not the select tool */
gboolean hl_tool_is_in_gesture (const HlTool *tool); /* something is half drawn */
HlToolCanvas hl_tool_canvas (const HlTool *tool);

/* --- the driver, as tools see it --- */

const HlDocument *hl_tool_base (const HlTool *tool);           /* before the gesture */
void hl_tool_set_working (HlTool *tool, HlDocument *document); /* taken; NULL changes nothing */
void hl_tool_reset_working (HlTool *tool);
void hl_tool_set_busy (HlTool *tool, gboolean busy);
void hl_tool_name_step (HlTool *tool, const char *format, ...) G_GNUC_PRINTF (2, 3);
void hl_tool_say (HlTool *tool, const char *format, ...) G_GNUC_PRINTF (2, 3);
void hl_tool_clear_marks (HlTool *tool);
HlToolMark *hl_tool_add_mark (HlTool *tool, HlToolMarkKind kind, HlSpot a, HlSpot b);
void hl_tool_add_label (HlTool *tool, HlToolMarkKind kind, HlSpot at, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Selects; ids may be NULL. Announced at once. */
void hl_tool_select (HlTool *tool, const char *const *ids);
void hl_tool_select_one (HlTool *tool, const char *id);
void hl_tool_toggle (HlTool *tool, const char *id);
gboolean hl_tool_is_selected (const HlTool *tool, const char *id);
/* Returns the working copy on paper and in the plane; borrowed until it changes. */
HlCircuitSheet *hl_tool_sheet (HlTool *tool);
/* Returns the same for callers that can wait: NULL while a large circuit whose lines are to be routed is laid out
 * elsewhere; the host is notified when it is there. */
HlCircuitSheet *hl_tool_sheet_or_wait (HlTool *tool);
/* Returns the base as a drawing to change; owned. */
HlCircuitDraft *hl_tool_draft (HlTool *tool);
const HlLinkagePlan *hl_tool_plan (HlTool *tool);
const HlUnit *hl_tool_length_unit (const HlTool *tool);
/* Degrees of freedom in words, "" while they are not known; owned. */
char *hl_tool_freedom_text (HlTool *tool);
/* Sets the selected point of the linkage, beside the selection; NULL: none. Copied. */
void hl_tool_set_point (HlTool *tool, const char *owner, const char *name);
/* Returns the selected point; FALSE: none, or it no longer exists. Borrowed until the next change. */
gboolean hl_tool_point (HlTool *tool, const char **owner, const char **name);
/* Hands the working copy to the host at once and begins the tool anew: for commands from outside,
 * and for work that is answered after its event. */
void hl_tool_commit (HlTool *tool);
/* Announces a new picture, after asynchronous work; events do so as well. */
void hl_tool_announce (HlTool *tool);
gboolean hl_tool_can_send (const HlTool *tool);
/* Sends a task; only if the tool can send. */
void hl_tool_send (HlTool *tool, const HlToolTask *task);
/* Switches to another tool and passes it the event; what it answers is the answer. The state of the caller is gone
 * afterwards. */
HlToolResponse hl_tool_hand_over (HlTool *tool, const char *id, const char *argument,
                                  const HlToolEvent *event);
/* Hands an event to the tool of the moment: after hl_tool_hand_over. */
HlToolResponse hl_tool_forward (HlTool *tool, const HlToolEvent *event);

/* The snapped pointer position: on a point nearby, in line with others, or on the grid. */

typedef struct {
  double grid;          /* step; 0 = none */
  double reach;         /* snapping distance */
  const HlSpot *others; /* points to be in line with, n_others; lent */
  int n_others;
  gboolean off; /* Alt: the pointer is where it is */
} HlSnapField;

typedef struct {
  HlSpot at;
  int above;  /* index of the point with the same x that `at` is in line with; -1 = none */
  int beside; /* the same for y */
} HlSnap;

/* Snaps each axis by itself: to another point within reach, otherwise to the grid. */
HlSnap hl_snap_spot (const HlSnapField *field, HlSpot at);
double hl_snap_to_grid (double value, double grid); /* grid 0 leaves it */

/* Every tool there is. A new one is a file with its operations table and a line in
 * hl-tool.c. */

extern const HlToolOps hl_tool_select_circuit;
extern const HlToolOps hl_tool_place;
extern const HlToolOps hl_tool_connect;
extern const HlToolOps hl_tool_select_linkage;
extern const HlToolOps hl_tool_link;
extern const HlToolOps hl_tool_pair;
extern const HlToolOps hl_tool_spot;
