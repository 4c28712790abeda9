/* SPDX-License-Identifier: MIT */
/* The tool of a canvas, a state machine without GTK: the gesture in progress, and its effect on the drawing. */
#include "ui/edit/tool/hl-tool.h"

#include "core/base/hl-translation-macros.h"

#include <math.h>
#include <string.h>

double hl_snap_to_grid (double value, double grid) {
  return grid > 0.0 ? grid * round (value / grid) + 0.0 : value; /* never -0 */
}

HlSnap hl_snap_spot (const HlSnapField *field, HlSpot at) {
  HlSnap snap = {at, -1, -1};
  double best_x = field->reach, best_y = field->reach;

  if (field->off)
    return snap;
  snap.at = (HlSpot){hl_snap_to_grid (at.x, field->grid), hl_snap_to_grid (at.y, field->grid)};
  for (int i = 0; i < field->n_others; i++) {
    double dx = fabs (field->others[i].x - at.x), dy = fabs (field->others[i].y - at.y);
    if (dx < best_x) {
      best_x = dx;
      snap.above = i;
    }
    if (dy < best_y) {
      best_y = dy;
      snap.beside = i;
    }
  }
  if (snap.above >= 0)
    snap.at.x = field->others[snap.above].x;
  if (snap.beside >= 0)
    snap.at.y = field->others[snap.beside].y;
  return snap;
}

static const HlToolOps *const table[] = {
    &hl_tool_select_circuit, &hl_tool_place, &hl_tool_connect, &hl_tool_select_linkage,
    &hl_tool_link,           &hl_tool_pair,  &hl_tool_spot,
};

/* Returns all tools of a canvas in palette order; *n their number. Owned (the array only). */
static const HlToolOps **tool_list (HlToolCanvas canvas, int *n) {
  const HlToolOps **list = g_new (const HlToolOps *, G_N_ELEMENTS (table));

  *n = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i]->canvases & 1u << canvas)
      list[(*n)++] = table[i];
  return list;
}

typedef struct HlToolSheets HlToolSheets;

#define KEPT 8        /* steps that are undone without laying out anew */
#define MOST_LINES 60 /* that are routed while a window waits */

typedef struct {
  HlToolSheets *owner; /* NULL: it is gone */
  HlDocument *document;
  HlCircuitSheet *sheet;
} Order;

struct HlToolSheets {
  HlTool *tool;
  HlCircuitSheet *now;        /* NULL: none yet */
  HlCircuitSheet *kept[KEPT]; /* the latest first */
  Order *order;               /* NULL: none is under way */
};

static HlToolSheets *sheets_new (HlTool *tool) {
  HlToolSheets *sheets = g_new0 (HlToolSheets, 1);

  sheets->tool = tool;
  return sheets;
}

static void sheets_free (HlToolSheets *sheets) {
  if (sheets == NULL)
    return;
  if (sheets->order != NULL)
    sheets->order->owner = NULL;
  hl_circuit_sheet_free (sheets->now);
  for (int k = 0; k < KEPT; k++)
    hl_circuit_sheet_free (sheets->kept[k]);
  g_free (sheets);
}

/* Takes the sheet. */
static void push_sheet (HlToolSheets *sheets, HlCircuitSheet *sheet) {
  hl_circuit_sheet_free (sheets->kept[KEPT - 1]);
  memmove (&sheets->kept[1], &sheets->kept[0], (KEPT - 1) * sizeof sheets->kept[0]);
  sheets->kept[0] = sheet;
}

/* Keeps the present sheet for later if it is that of the tool's base, which is about to change. */
static void sheets_keep (HlToolSheets *sheets) {
  if (sheets->now == NULL || sheets->now->fits != hl_tool_base (sheets->tool))
    return;
  for (int k = 0; k < KEPT; k++)
    if (sheets->kept[k] == sheets->now)
      return;
  push_sheet (sheets, hl_circuit_sheet_ref (sheets->now));
}

/* Takes the sheet. */
static void set_now (HlToolSheets *sheets, HlCircuitSheet *sheet) {
  sheets_keep (sheets);
  hl_circuit_sheet_free (sheets->now);
  sheets->now = sheet;
}

/* --- made elsewhere --- */

/* Returns whether routing takes long: it is needed for lines without a route in the file. */
static gboolean is_long (const HlDocument *document) {
  const HlValue *places = hl_value_at (hl_document_root (document), "layout.circuit");
  int n = 0;

  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++)
    n += hl_value_member (places, hl_document_element_id (document, HL_SECTION_LINES, line)) == NULL;
  return n > MOST_LINES;
}

static void work (gpointer job) {
  Order *order = job;
  order->sheet = hl_circuit_sheet_new (order->document);
}

static void free_order (gpointer job) {
  Order *order = job;

  if (order->owner != NULL)
    order->owner->order = NULL;
  hl_circuit_sheet_free (order->sheet);
  hl_document_unref (order->document);
  g_free (order);
}

/* Keeps the finished sheet. A later request finds it there, unless the document has changed. */
static void done (gpointer job) {
  Order *order = job;
  HlToolSheets *sheets = order->owner;

  if (sheets != NULL)
    push_sheet (sheets, g_steal_pointer (&order->sheet));
  free_order (job);
  if (sheets != NULL)
    hl_tool_announce (sheets->tool);
}

static void send_document (HlToolSheets *sheets, const HlDocument *document) {
  Order *order = g_new0 (Order, 1);

  order->owner = sheets;
  order->document = hl_document_ref (document);
  sheets->order = order;
  hl_tool_send (sheets->tool, &(HlToolTask){work, done, free_order, order});
}

/* Returns the sheet of a document, borrowed until the next call. NULL only when `may_wait` and it is being made: the
 * tool announces it. */
static HlCircuitSheet *sheets_get (HlToolSheets *sheets, const HlDocument *document, gboolean may_wait) {
  if (sheets->now != NULL && hl_circuit_sheet_fits (sheets->now, document))
    return sheets->now;
  for (int k = 0; k < KEPT; k++)
    if (sheets->kept[k] != NULL && hl_circuit_sheet_fits (sheets->kept[k], document)) {
      set_now (sheets, hl_circuit_sheet_ref (sheets->kept[k]));
      return sheets->now;
    }
  if (may_wait && is_long (document)) {
    if (sheets->order == NULL)
      send_document (sheets, document);
    return NULL;
  }
  set_now (sheets, hl_circuit_sheet_new (document));
  return sheets->now;
}

struct _HlTool {
  HlToolCanvas canvas;
  HlToolHost host;
  HlDocument *base;
  HlDocument *working;
  GPtrArray *selection; /* char *, NULL-terminated */
  GArray *marks;
  char *status;
  char *step;
  const HlToolOps *ops;
  char *argument;
  void *state;
  gboolean is_busy;
  HlToolSheets *sheets;
  HlLinkagePlan *plan;
  const HlUnit *length_unit;
  char *point_owner, *point_name;
};

void hl_tool_announce (HlTool *tool) {
  if (tool->host.changed != NULL)
    tool->host.changed (tool->host.data);
}

static void end_state (HlTool *tool) {
  if (tool->state != NULL && tool->ops->clear != NULL)
    tool->ops->clear (tool->state);
  g_clear_pointer (&tool->state, g_free);
}

static void begin (HlTool *tool, const HlToolOps *ops, const char *argument) {
  g_autofree char *kept = g_strdup (argument);

  end_state (tool);
  g_free (tool->argument);
  tool->argument = g_steal_pointer (&kept);
  tool->ops = ops;
  tool->state = g_malloc0 (MAX (ops->state_size, 1));
  tool->is_busy = FALSE;
  hl_tool_clear_marks (tool);
  hl_tool_say (tool, "%s", "");
  g_clear_pointer (&tool->step, g_free);
  ops->begin (tool, tool->state, tool->argument);
}

static const HlToolOps *find_ops (HlToolCanvas canvas, const char *id) {
  int n;
  g_autofree const HlToolOps **list = tool_list (canvas, &n);

  for (int i = 0; i < n; i++)
    if (strcmp (list[i]->id, id) == 0)
      return list[i];
  return NULL;
}

static void begin_select (HlTool *tool) {
  begin (tool, find_ops (tool->canvas, "select"), NULL);
}

HlTool *hl_tool_new (HlToolCanvas canvas, const HlToolHost *host) {
  HlTool *tool = g_new0 (HlTool, 1);
  int n;

  tool->canvas = canvas;
  if (host != NULL)
    tool->host = *host;
  tool->sheets = sheets_new (tool);
  tool->base = hl_document_new_empty ();
  tool->working = hl_document_ref (tool->base);
  tool->selection = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (tool->selection, NULL);
  tool->marks = g_array_new (FALSE, FALSE, sizeof (HlToolMark));
  tool->status = g_strdup ("");
  tool->length_unit = &hl_quantity_units (HL_QUANTITY_LENGTH, &n)[0];
  begin_select (tool);
  return tool;
}

void hl_tool_free (HlTool *tool) {
  if (tool == NULL)
    return;
  end_state (tool);
  g_free (tool->argument);
  hl_document_unref (tool->base);
  hl_document_unref (tool->working);
  g_ptr_array_unref (tool->selection);
  g_array_unref (tool->marks);
  g_free (tool->status);
  g_free (tool->step);
  g_free (tool->point_owner);
  g_free (tool->point_name);
  sheets_free (tool->sheets);
  g_clear_pointer (&tool->plan, hl_linkage_plan_free);
  g_free (tool);
}

void hl_tool_set_document (HlTool *tool, const HlDocument *document) {
  gboolean other = !hl_document_equal (tool->base, document);
  HlDocument *kept = hl_document_ref (document);

  if (!other && tool->is_busy) {
    hl_document_unref (kept);
    return;
  }
  sheets_keep (tool->sheets);
  hl_document_unref (tool->base);
  tool->base = kept;
  hl_tool_reset_working (tool);
  if (other) {
    begin (tool, tool->ops, tool->argument);
    hl_tool_announce (tool);
  }
}

static gboolean set_ids (HlTool *tool, const char *const *ids) {
  const char *const *old = (const char *const *)tool->selection->pdata;
  static const char *const none[] = {NULL};

  if (ids == NULL)
    ids = none;
  if (g_strv_equal (old, ids))
    return FALSE;
  GPtrArray *next = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; ids[i] != NULL; i++)
    g_ptr_array_add (next, g_strdup (ids[i]));
  g_ptr_array_add (next, NULL);
  g_ptr_array_unref (tool->selection);
  tool->selection = next;
  return TRUE;
}

void hl_tool_set_selection (HlTool *tool, const char *const *ids) {
  set_ids (tool, ids);
}

void hl_tool_set_point (HlTool *tool, const char *owner, const char *name) {
  g_autofree char *kept_owner = g_strdup (owner);
  g_autofree char *kept_name = g_strdup (name);

  g_free (tool->point_owner);
  g_free (tool->point_name);
  tool->point_owner = g_steal_pointer (&kept_owner);
  tool->point_name = g_steal_pointer (&kept_name);
}

gboolean hl_tool_point (HlTool *tool, const char **owner, const char **name) {
  *owner = tool->point_owner;
  *name = tool->point_name;
  return tool->point_owner != NULL && tool->point_name != NULL &&
         hl_linkage_plan_find_point (hl_tool_plan (tool), *owner, *name) != NULL;
}

gboolean hl_tool_choose (HlTool *tool, const char *id, const char *argument) {
  const HlToolOps *ops = find_ops (tool->canvas, id);

  if (ops == NULL)
    return FALSE;
  hl_tool_reset_working (tool);
  begin (tool, ops, argument);
  hl_tool_announce (tool);
  return TRUE;
}

/* Gives the working copy to the host, which makes it the document. */
static void commit (HlTool *tool) {
  g_autofree char *step = g_steal_pointer (&tool->step);

  if (hl_document_equal (tool->base, tool->working))
    return;
  sheets_keep (tool->sheets);
  hl_document_unref (tool->base);
  tool->base = hl_document_ref (tool->working);
  tool->is_busy = FALSE;
  if (tool->host.commit != NULL)
    tool->host.commit (tool->base, step != NULL ? step : _ ("Edit"), tool->host.data);
}

HlToolResponse hl_tool_event (HlTool *tool, const HlToolEvent *event) {
  gboolean cancel =
      event->type == HL_TOOL_CANCEL || (event->type == HL_TOOL_KEY && event->key == HL_TOOL_KEY_ESCAPE);
  HlToolResponse response = cancel ? HL_TOOL_REVERT : tool->ops->event (tool, tool->state, event);

  switch (response) {
  case HL_TOOL_REVERT:
    if (cancel && !hl_tool_is_busy (tool))
      hl_tool_select (tool, NULL);
    hl_tool_reset_working (tool);
    begin_select (tool);
    break;
  case HL_TOOL_COMMIT:
    commit (tool);
    begin_select (tool);
    break;
  case HL_TOOL_NEXT:
    commit (tool);
    begin (tool, tool->ops, tool->argument);
    break;
  case HL_TOOL_NOTHING:
    break;
  }
  hl_tool_announce (tool);
  return response;
}

void hl_tool_commit (HlTool *tool) {
  commit (tool);
  begin (tool, tool->ops, tool->argument);
  hl_tool_announce (tool);
}

gboolean hl_tool_can_send (const HlTool *tool) {
  return tool->host.send != NULL;
}

void hl_tool_send (HlTool *tool, const HlToolTask *task) {
  g_return_if_fail (hl_tool_can_send (tool));
  tool->host.send (task, tool->host.data);
}

HlToolResponse hl_tool_hand_over (HlTool *tool, const char *id, const char *argument,
                                  const HlToolEvent *event) {
  const HlToolOps *ops = find_ops (tool->canvas, id);

  g_return_val_if_fail (ops != NULL, HL_TOOL_REVERT);
  begin (tool, ops, argument);
  return event != NULL ? ops->event (tool, tool->state, event) : HL_TOOL_NOTHING;
}

HlToolResponse hl_tool_forward (HlTool *tool, const HlToolEvent *event) {
  return tool->ops->event (tool, tool->state, event);
}

/* --- state of the tool --- */

const HlDocument *hl_tool_document (const HlTool *tool) {
  return tool->working;
}

const HlDocument *hl_tool_base (const HlTool *tool) {
  return tool->base;
}

const char *const *hl_tool_selection (const HlTool *tool) {
  return (const char *const *)tool->selection->pdata;
}

const char *hl_tool_id (const HlTool *tool) {
  return tool->ops->id;
}

const char *hl_tool_argument (const HlTool *tool) {
  return tool->argument;
}

const char *hl_tool_status (const HlTool *tool) {
  return tool->status;
}

const HlToolMark *hl_tool_marks (const HlTool *tool, int *n) {
  *n = (int)tool->marks->len;
  return (const HlToolMark *)(gpointer)tool->marks->data;
}

gboolean hl_tool_takes (HlTool *tool, const char *text) {
  return tool->ops->takes != NULL && tool->ops->takes (tool, tool->state, text);
}

gboolean hl_tool_is_busy (const HlTool *tool) {
  return tool->is_busy || strcmp (tool->ops->id, "select") != 0;
}

gboolean hl_tool_is_in_gesture (const HlTool *tool) {
  return tool->is_busy;
}

HlToolCanvas hl_tool_canvas (const HlTool *tool) {
  return tool->canvas;
}

const HlUnit *hl_tool_length_unit (const HlTool *tool) {
  return tool->length_unit;
}

HlCircuitSheet *hl_tool_sheet (HlTool *tool) {
  return sheets_get (tool->sheets, tool->working, FALSE);
}

HlCircuitSheet *hl_tool_sheet_or_wait (HlTool *tool) {
  return sheets_get (tool->sheets, tool->working, hl_tool_can_send (tool) && !tool->is_busy);
}

HlCircuitDraft *hl_tool_draft (HlTool *tool) {
  HlCircuitSheet *sheet = hl_tool_sheet (tool);

  return hl_circuit_sheet_fits (sheet, tool->base) ? hl_circuit_draft_new_on (tool->base, sheet)
                                                   : hl_circuit_draft_new (tool->base);
}

char *hl_tool_freedom_text (HlTool *tool) {
  const char *known = tool->host.freedom != NULL ? tool->host.freedom (tool->working, tool->host.data) : NULL;
  return known != NULL ? g_strdup (known) : hl_linkage_plan_freedom_text (hl_tool_plan (tool));
}

const HlLinkagePlan *hl_tool_plan (HlTool *tool) {
  if (tool->plan == NULL)
    tool->plan = hl_linkage_plan_new (tool->working);
  return tool->plan;
}

/* --- what tools change --- */

void hl_tool_set_working (HlTool *tool, HlDocument *document) {
  if (document == NULL)
    return;
  hl_document_unref (tool->working);
  tool->working = document;
  g_clear_pointer (&tool->plan, hl_linkage_plan_free);
}

void hl_tool_reset_working (HlTool *tool) {
  hl_tool_set_working (tool, hl_document_ref (tool->base));
}

void hl_tool_set_busy (HlTool *tool, gboolean busy) {
  tool->is_busy = busy;
}

void hl_tool_name_step (HlTool *tool, const char *format, ...) {
  va_list args;

  g_free (tool->step);
  va_start (args, format);
  tool->step = g_strdup_vprintf (format, args);
  va_end (args);
}

void hl_tool_say (HlTool *tool, const char *format, ...) {
  va_list args;

  g_free (tool->status);
  va_start (args, format);
  tool->status = g_strdup_vprintf (format, args);
  va_end (args);
}

void hl_tool_clear_marks (HlTool *tool) {
  g_array_set_size (tool->marks, 0);
}

HlToolMark *hl_tool_add_mark (HlTool *tool, HlToolMarkKind kind, HlSpot a, HlSpot b) {
  HlToolMark mark = {.kind = kind, .a = a, .b = b};

  g_array_append_val (tool->marks, mark);
  return &g_array_index (tool->marks, HlToolMark, tool->marks->len - 1);
}

void hl_tool_add_label (HlTool *tool, HlToolMarkKind kind, HlSpot at, const char *format, ...) {
  HlToolMark *mark = hl_tool_add_mark (tool, kind, at, at);
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  /* a label that is too long is cut between characters */
  gsize length = strlen (text);
  if (length >= sizeof mark->text) {
    length = sizeof mark->text - 1;
    while (length > 0 && ((guchar)text[length] & 0xc0) == 0x80)
      length--;
  }
  memcpy (mark->text, text, length);
  mark->text[length] = '\0';
}

void hl_tool_select (HlTool *tool, const char *const *ids) {
  if (set_ids (tool, ids) && tool->host.select != NULL)
    tool->host.select (hl_tool_selection (tool), tool->host.data);
}

void hl_tool_select_one (HlTool *tool, const char *id) {
  const char *ids[] = {id, NULL};
  hl_tool_select (tool, ids);
}

void hl_tool_toggle (HlTool *tool, const char *id) {
  const char *const *old = hl_tool_selection (tool);
  g_autoptr (GPtrArray) next = g_ptr_array_new ();
  gboolean was_there = FALSE;

  for (int i = 0; old[i] != NULL; i++) {
    if (strcmp (old[i], id) == 0)
      was_there = TRUE;
    else
      g_ptr_array_add (next, (gpointer)old[i]);
  }
  if (!was_there)
    g_ptr_array_add (next, (gpointer)id);
  g_ptr_array_add (next, NULL);
  hl_tool_select (tool, (const char *const *)next->pdata);
}

gboolean hl_tool_is_selected (const HlTool *tool, const char *id) {
  return id != NULL && g_strv_contains (hl_tool_selection (tool), id);
}
