/* SPDX-License-Identifier: MIT */
/* Groups stand at the top (probes, bodies, joints ...), below them elements, below these their
 * traces; probes have no element. A search fills the tree with what it finds and opens it. */
#include "ui/hl-trace-picker.h"

#include "core/document/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "ui/hl-plot-edit.h"

#include <string.h>

#define WIDTH 320
#define HEIGHT 340
#define OPEN_UP_TO 24 /* a tree of so few traces is open from the start */

enum
{
  COLUMN_TITLE,
  COLUMN_HINT,  /* path, unit */
  COLUMN_TRACE, /* NULL: a group or an element */
  COLUMN_TICKED,
  COLUMN_ELEMENT, /* of an element's row */
  N_COLUMNS
};

struct _HlTracePicker
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  int panel;
  GtkWidget *search, *tree, *nothing;
  GtkTreeStore *store;
  GPtrArray *entries; /* HlTraceEntry */
  int n_found;
};

G_DEFINE_FINAL_TYPE (HlTracePicker, hl_trace_picker, GTK_TYPE_BOX)

static HlPlotPanel *
present_panel (HlTracePicker *self)
{
  g_autoptr (GPtrArray) panels = hl_plot_edit_panels (self->workbench);
  return self->panel < (int)panels->len ? hl_plot_panel_copy (panels->pdata[self->panel])
                                        : hl_plot_panel_new ();
}

/* --- filling --- */

/* The row of that name below `parent`, made when there is none. */
static void
find_row (HlTracePicker *self,
          GtkTreeIter *parent,
          const char *title,
          const char *element,
          GtkTreeIter *row)
{
  GtkTreeModel *model = GTK_TREE_MODEL (self->store);
  gboolean more = gtk_tree_model_iter_children (model, row, parent);

  for (; more; more = gtk_tree_model_iter_next (model, row)) {
    g_autofree char *name = NULL, *trace = NULL;
    gtk_tree_model_get (model, row, COLUMN_TITLE, &name, COLUMN_TRACE, &trace, -1);
    if (trace == NULL && strcmp (name, title) == 0)
      return;
  }
  gtk_tree_store_insert_with_values (self->store, row, parent, -1, COLUMN_TITLE, title,
                                     COLUMN_ELEMENT, element, -1);
}

static void
add_entry (HlTracePicker *self, const HlTraceEntry *entry, const HlPlotPanel *panel)
{
  GtkTreeIter group, element, row;
  const HlUnit *unit = hl_workbench_unit (self->workbench, entry->quantity);
  const char *dot = entry->element != NULL ? strchr (entry->trace, '.') : NULL;
  const char *symbol = entry->quantity != HL_QUANTITY_NONE && unit != NULL ? unit->symbol : "";
  const char *name = dot != NULL ? dot + 1 : entry->trace;
  gboolean told = strcmp (name, entry->title) == 0; /* a path that is its own title */
  g_autofree char *hint =
      g_strdup_printf ("%s%s%s", told ? "" : name, *symbol != '\0' && !told ? "  " : "", symbol);

  find_row (self, NULL, entry->group, NULL, &group);
  gboolean has_row = entry->element != NULL && strcmp (entry->element, "energy") != 0;
  if (has_row)
    find_row (self, &group, entry->element, entry->element, &element);
  gtk_tree_store_insert_with_values (
      self->store, &row, has_row ? &element : &group, -1, COLUMN_TITLE, entry->title, COLUMN_HINT,
      hint, COLUMN_TRACE, entry->trace, COLUMN_TICKED, hl_plot_panel_has (panel, entry->trace), -1);
}

static void
refill (HlTracePicker *self)
{
  const char *query = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (HlPlotPanel) panel = present_panel (self);

  gtk_tree_store_clear (self->store);
  self->n_found = 0;
  for (guint i = 0; i < self->entries->len; i++)
    if (hl_trace_entry_matches (self->entries->pdata[i], query)) {
      add_entry (self, self->entries->pdata[i], panel);
      self->n_found++;
    }
  if (*query != '\0' || self->n_found <= OPEN_UP_TO) {
    gtk_tree_view_expand_all (GTK_TREE_VIEW (self->tree));
  } else {
    g_autoptr (GtkTreePath) first = gtk_tree_path_new_first (); /* the probes */
    gtk_tree_view_expand_row (GTK_TREE_VIEW (self->tree), first, TRUE);
  }
  gtk_widget_set_visible (self->nothing, self->n_found == 0);
}

/* Ticks follow the panel, the tree stays as it is open. */
static gboolean
tick_row (GtkTreeModel *model, GtkTreePath *path, GtkTreeIter *row, gpointer data)
{
  g_autofree char *trace = NULL;

  gtk_tree_model_get (model, row, COLUMN_TRACE, &trace, -1);
  if (trace != NULL)
    gtk_tree_store_set (GTK_TREE_STORE (model), row, COLUMN_TICKED, hl_plot_panel_has (data, trace),
                        -1);
  return FALSE;
}

static void
refresh_ticks (HlTracePicker *self)
{
  g_autoptr (HlPlotPanel) panel = present_panel (self);
  gtk_tree_model_foreach (GTK_TREE_MODEL (self->store), tick_row, panel);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlTracePicker *self)
{
  if (changes & HL_CHANGED_DOCUMENT)
    refresh_ticks (self);
}

/* --- acting --- */

static void
toggle (HlTracePicker *self, const char *trace)
{
  g_autoptr (HlPlotPanel) panel = present_panel (self);
  const char *one[] = {trace, NULL};

  if (hl_plot_panel_has (panel, trace))
    hl_plot_edit_remove_trace (self->workbench, self->panel, trace);
  else
    hl_plot_edit_add_traces (self->workbench, self->panel, one);
}

/* A trace is ticked or not, a group opens or closes. */
static void
row_activated_cb (GtkTreeView *tree,
                  GtkTreePath *path,
                  GtkTreeViewColumn *column,
                  HlTracePicker *self)
{
  GtkTreeIter row;
  g_autofree char *trace = NULL;

  if (!gtk_tree_model_get_iter (GTK_TREE_MODEL (self->store), &row, path))
    return;
  gtk_tree_model_get (GTK_TREE_MODEL (self->store), &row, COLUMN_TRACE, &trace, -1);
  if (trace != NULL)
    toggle (self, trace);
  else if (gtk_tree_view_row_expanded (tree, path))
    gtk_tree_view_collapse_row (tree, path);
  else
    gtk_tree_view_expand_row (tree, path, FALSE);
}

/* Return in the search field takes the only one that is left. */
static void
search_activate_cb (GtkSearchEntry *entry, HlTracePicker *self)
{
  const char *query = gtk_editable_get_text (GTK_EDITABLE (entry));

  for (guint i = 0; self->n_found == 1 && i < self->entries->len; i++)
    if (hl_trace_entry_matches (self->entries->pdata[i], query))
      toggle (self, ((const HlTraceEntry *)self->entries->pdata[i])->trace);
}

/* Escape clears what was typed, then closes. */
static void
stop_search_cb (GtkSearchEntry *entry, HlTracePicker *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  if (*gtk_editable_get_text (GTK_EDITABLE (entry)) != '\0')
    hl_trace_picker_search (self, "");
  else if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static GdkContentProvider *
prepare_cb (GtkDragSource *source, double x, double y, HlTracePicker *self)
{
  GtkTreeView *tree = GTK_TREE_VIEW (self->tree);
  g_autoptr (GtkTreePath) path = NULL;
  g_autofree char *trace = NULL, *element = NULL;
  GtkTreeIter row;
  int bin_x, bin_y;

  gtk_tree_view_convert_widget_to_bin_window_coords (tree, (int)x, (int)y, &bin_x, &bin_y);
  if (!gtk_tree_view_get_path_at_pos (tree, bin_x, bin_y, &path, NULL, NULL, NULL) ||
      !gtk_tree_model_get_iter (GTK_TREE_MODEL (self->store), &row, path))
    return NULL;
  gtk_tree_model_get (GTK_TREE_MODEL (self->store), &row, COLUMN_TRACE, &trace, COLUMN_ELEMENT,
                      &element, -1);
  const char *text = trace != NULL ? trace : element;
  return text != NULL ? gdk_content_provider_new_typed (G_TYPE_STRING, text) : NULL;
}

/* --- life --- */

static void
show_tick_only_on_traces (GtkTreeViewColumn *column,
                          GtkCellRenderer *cell,
                          GtkTreeModel *model,
                          GtkTreeIter *row,
                          gpointer data)
{
  g_autofree char *trace = NULL;
  gtk_tree_model_get (model, row, COLUMN_TRACE, &trace, -1);
  g_object_set (cell, "visible", trace != NULL, NULL);
}

static void
add_column (HlTracePicker *self)
{
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  GtkCellRenderer *tick = gtk_cell_renderer_toggle_new ();
  GtkCellRenderer *title = gtk_cell_renderer_text_new ();
  GtkCellRenderer *hint = gtk_cell_renderer_text_new ();

  g_object_set (title, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  g_object_set (hint, "xalign", 1.0f, "sensitive", FALSE, NULL);
  gtk_tree_view_column_pack_start (column, tick, FALSE);
  gtk_tree_view_column_pack_start (column, title, TRUE);
  gtk_tree_view_column_pack_start (column, hint, FALSE);
  gtk_tree_view_column_add_attribute (column, tick, "active", COLUMN_TICKED);
  gtk_tree_view_column_set_cell_data_func (column, tick, show_tick_only_on_traces, NULL, NULL);
  gtk_tree_view_column_add_attribute (column, title, "text", COLUMN_TITLE);
  gtk_tree_view_column_add_attribute (column, hint, "text", COLUMN_HINT);
  gtk_tree_view_append_column (GTK_TREE_VIEW (self->tree), column);
}

static void
hl_trace_picker_dispose (GObject *object)
{
  HlTracePicker *self = HL_TRACE_PICKER (object);

  g_clear_object (&self->workbench);
  g_clear_object (&self->store);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_trace_picker_parent_class)->dispose (object);
}

static void
hl_trace_picker_class_init (HlTracePickerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_trace_picker_dispose;
}

static void
hl_trace_picker_init (HlTracePicker *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH, HEIGHT);
  self->store = gtk_tree_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                    G_TYPE_BOOLEAN, G_TYPE_STRING);
  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _ ("Search: cylinder force, V1, flow …"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search traces"), -1);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (refill), self);
  g_signal_connect (self->search, "activate", G_CALLBACK (search_activate_cb), self);
  g_signal_connect (self->search, "stop-search", G_CALLBACK (stop_search_cb), self);
  gtk_box_append (GTK_BOX (self), self->search);

  self->tree = gtk_tree_view_new_with_model (GTK_TREE_MODEL (self->store));
  gtk_tree_view_set_headers_visible (GTK_TREE_VIEW (self->tree), FALSE);
  gtk_tree_view_set_activate_on_single_click (GTK_TREE_VIEW (self->tree), TRUE);
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (self->tree), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->tree), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Traces"), -1);
  add_column (self);
  g_signal_connect (self->tree, "row-activated", G_CALLBACK (row_activated_cb), self);
  GtkDragSource *drag = gtk_drag_source_new ();
  g_signal_connect (drag, "prepare", G_CALLBACK (prepare_cb), self);
  gtk_widget_add_controller (self->tree, GTK_EVENT_CONTROLLER (drag));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->tree);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);

  self->nothing = gtk_label_new (_ ("Nothing of that name"));
  gtk_widget_add_css_class (self->nothing, "dim-label");
  gtk_box_append (GTK_BOX (self), self->nothing);
}

GtkWidget *
hl_trace_picker_new (HlWorkbench *workbench, int panel)
{
  HlTracePicker *self = g_object_new (HL_TYPE_TRACE_PICKER, NULL);

  self->workbench = g_object_ref (workbench);
  self->panel = panel;
  self->entries = hl_workbench_trace_entries (workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refill (self);
  return GTK_WIDGET (self);
}

void
hl_trace_picker_search (HlTracePicker *self, const char *query)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), query);
  refill (self); /* the entry itself waits for the typing to pause */
}

int
hl_trace_picker_n_found (HlTracePicker *self)
{
  return self->n_found;
}

gboolean
hl_trace_picker_toggle (HlTracePicker *self, const char *trace)
{
  const char *query = gtk_editable_get_text (GTK_EDITABLE (self->search));

  for (guint i = 0; i < self->entries->len; i++) {
    const HlTraceEntry *entry = self->entries->pdata[i];
    if (strcmp (entry->trace, trace) == 0 && hl_trace_entry_matches (entry, query)) {
      toggle (self, trace);
      return TRUE;
    }
  }
  return FALSE;
}
