/* SPDX-License-Identifier: MIT */
/* The rows of the inspector are made when what is shown changes: those in sight first, of a large model the
 * others by and by, a few a frame; old ones are taken apart in the same way. */
#include "ui/inspector/hl-inspector-private.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/inspector/hl-inspector-editor.h"
#include "ui/inspector/hl-inspector-rows.h"
#include "ui/inspector/hl-parameter-list.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-rebuild.h"

#include <string.h>

#define LARGE 200  /* elements of a model whose frames have no time for all rows at once */
#define ROWS 5     /* made in a turn then, some milliseconds */
#define LEAVING 15 /* children of rows taken out in a turn then */
#define MANY 10000 /* rows or children: all of them */
#define TURN_MS 16 /* at most one turn a frame, which lays out what has come */

/* The row that has the keyboard; -1 = none. */
static int
focused_line (HlInspector *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  for (int line = 0; focus != NULL && gtk_grid_get_child_at (self->grid, 0, line) != NULL; line++)
    for (int column = 0; column <= 2; column++) {
      GtkWidget *child = gtk_grid_get_child_at (self->grid, column, line);
      if (child != NULL && (focus == child || gtk_widget_is_ancestor (focus, child)))
        return line;
    }
  return -1;
}

/* What the rows are made for. Owned. */
static char *
signature_of (HlInspector *self)
{
  static const char *const run[] = {"simulation", NULL};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autofree char *of_element = hl_inspector_signature (document, hl_inspector_shown_ids (self));
  g_autofree char *of_run = hl_workbench_selected (self->workbench) == NULL
                                ? hl_inspector_signature (document, run)
                                : NULL;

  g_autofree char *veiled = g_strjoinv (
      " ", (char **)hl_workbench_veiled (self->workbench)); /* rows that are not there */
  return g_strconcat (of_element, veiled, of_run, NULL);
}

/* How a run is made, and the oil: below what is seen of the model first. */
static void
add_rest (HlInspectorRows *rows)
{
  if (hl_inspector_is_part (rows))
    hl_inspector_add_heading (rows, _ ("Simulation"));
  rows->ids = (const char *const[]){"simulation", NULL};
  hl_inspector_add_rows (rows);
  if (hl_inspector_is_part (rows))
    hl_inspector_add_heading (rows, _ ("Oil"));
  rows->ids = (const char *const[]){"fluid", NULL};
  hl_inspector_add_rows (rows);
}

static void
refresh_from (HlInspector *self, guint field, guint text)
{
  for (guint i = field; i < self->fields->len; i++)
    hl_number_field_refresh (self->fields->pdata[i]);
  for (guint i = text; i < self->texts->len; i++)
    hl_inspector_text_refresh (self->texts->pdata[i]);
  hl_inspector_refresh_outputs (self->workbench, self->outputs);
  hl_inspector_refresh_notes (self->grid);
}

static void
refresh_fields (HlInspector *self)
{
  refresh_from (self, 0, 0);
}

/* Makes so many rows more, or some more than that: a field has all of its own. */
static void
add_parts (HlInspector *self, int n)
{
  const char *const *ids = hl_inspector_shown_ids (self);
  guint field = self->fields->len, text = self->texts->len;
  HlInspectorRows rows = {.grid = self->grid,
                          .row = self->n_rows,
                          .workbench = self->workbench,
                          .ids = ids,
                          .fields = self->fields,
                          .outputs = self->outputs,
                          .texts = self->texts,
                          .from = self->next,
                          .full = self->n_rows + n};

  if (ids[1] != NULL && hl_inspector_is_part (&rows))
    hl_inspector_add_kind_rows (&rows);
  hl_inspector_add_rows (&rows);
  if (strcmp (ids[0], "model") == 0) {
    if (hl_inspector_is_part (&rows)) {
      hl_inspector_add_heading (&rows, _ ("Parameters"));
      gtk_grid_attach (self->grid, hl_parameter_list_new (self->workbench), 0, rows.row++, 3, 1);
    }
    if (!self->is_drawn && rows.next == 0) /* mostly out of sight: no first frame waits for them */
      rows.next = MAX (rows.part, rows.from);
    add_rest (&rows);
  }
  self->n_rows = rows.row;
  self->next = rows.next;
  refresh_from (self, field, text);
  if (self->next == 0)
    gtk_widget_set_size_request (GTK_WIDGET (self->grid), -1, -1);
}

static gboolean
is_large (HlInspector *self)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return hl_document_n_elements (document, HL_SECTION_BODIES) +
             hl_document_n_elements (document, HL_SECTION_JOINTS) +
             hl_document_n_elements (document, HL_SECTION_LINES) +
             hl_document_n_elements (document, HL_SECTION_COMPONENTS) >
         LARGE;
}

static void
take_apart (HlInspector *self, int most)
{
  GtkWidget *grid = self->leaving->pdata[0], *child;

  for (int n = 0; n < most && (child = gtk_widget_get_first_child (grid)) != NULL; n++)
    gtk_grid_remove (GTK_GRID (grid), child);
  if (gtk_widget_get_first_child (grid) != NULL)
    return;
  g_ptr_array_remove_index (self->leaving, 0);
  gtk_box_remove (GTK_BOX (self->page), grid);
}

static gboolean
is_turn_due (HlInspector *self)
{
  return (self->is_drawn && self->next > 0) || self->leaving->len > 0;
}

static void rebuild (GtkWidget *widget);

/* Unless they are of something that is not shown any more, of which nobody has told yet. */
static void
add_more (HlInspector *self, int n)
{
  g_autofree char *signature = signature_of (self);

  if (g_strcmp0 (signature, self->signature) == 0)
    add_parts (self, n);
  else
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

static gboolean
turn_cb (gpointer data)
{
  HlInspector *self = data;

  if (self->is_drawn && self->next > 0)
    add_more (self, ROWS);
  else if (self->leaving->len > 0)
    take_apart (self, LEAVING);
  if (is_turn_due (self))
    return G_SOURCE_CONTINUE;
  self->turn = 0;
  return G_SOURCE_REMOVE;
}

static void
take_turns (HlInspector *self)
{
  if (self->turn == 0 && is_turn_due (self))
    self->turn = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, TURN_MS, turn_cb, self, NULL);
}

void
hl_inspector_add_grid (HlInspector *self)
{
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 4, "row-spacing", 2, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->grid), "properties");
  gtk_box_append (GTK_BOX (self->page), GTK_WIDGET (self->grid));
}

/* The rows of what is shown, those in sight first. Of the same elements as before they are as high as
 * they were: nothing is scrolled meanwhile. */
static void
fill (HlInspector *self)
{
  g_autofree char *of = g_strjoinv (" ", (char **)hl_inspector_shown_ids (self));
  int height = g_strcmp0 (of, self->of) == 0 ? gtk_widget_get_height (GTK_WIDGET (self->grid)) : -1;

  g_ptr_array_set_size (self->fields, 0);
  g_ptr_array_set_size (self->outputs, 0);
  g_ptr_array_set_size (self->texts, 0);
  if (self->n_rows > 0) {
    GtkWidget *old = GTK_WIDGET (self->grid);
    gtk_widget_set_visible (old, FALSE);
    hl_inspector_add_grid (self);
    gtk_box_reorder_child_after (GTK_BOX (self->page), old, GTK_WIDGET (self->grid));
    g_ptr_array_add (self->leaving, old);
    gtk_widget_set_size_request (GTK_WIDGET (self->grid), -1, height);
  }
  g_free (self->of);
  self->of = g_steal_pointer (&of);
  self->n_rows = 0;
  self->next = 0;
  gboolean at_once = !is_large (self);
  add_parts (self, at_once || !self->is_drawn ? MANY : ROWS);
  while (at_once && self->leaving->len > 0)
    take_apart (self, MANY);
  take_turns (self);
}

static void
rebuild (GtkWidget *widget)
{
  HlInspector *self = HL_INSPECTOR (widget);
  int line = focused_line (self);

  if (self->workbench == NULL)
    return;
  /* What is typed is committed by leaving it, before one looks what there is to show. A list that
   * hangs on a row closes with it and asks where the keyboard is then. */
  if (line >= 0)
    gtk_widget_child_focus (self->title, GTK_DIR_TAB_FORWARD);
  g_autofree char *signature = signature_of (self);
  if (g_strcmp0 (signature, self->signature) != 0) {
    g_free (self->signature);
    self->signature = g_steal_pointer (&signature);
    fill (self);
  } else {
    refresh_fields (self);
  }
  while (self->next > 0 && line >= self->n_rows) /* keys that are typed meanwhile find their row */
    add_parts (self, ROWS);
  if (line >= 0 && gtk_grid_get_child_at (self->grid, 1, line) != NULL)
    gtk_widget_child_focus (gtk_grid_get_child_at (self->grid, 1, line), GTK_DIR_TAB_FORWARD);
}

void
hl_inspector_refresh_fill (HlInspector *self)
{
  g_autofree char *signature = signature_of (self);

  if (g_strcmp0 (signature, self->signature) != 0)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  else
    refresh_fields (self);
}

void
hl_inspector_go_on (HlInspector *self)
{
  take_turns (self);
}
