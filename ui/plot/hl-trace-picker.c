/* SPDX-License-Identifier: MIT */
/* The tree has groups at the top (probes, bodies, joints ...), below them elements, below these their traces;
 * probes have no element. A search reduces the tree to its matches and expands it. */
#include "ui/plot/hl-trace-picker.h"

#include "core/document/hl-trace-name.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <string.h>

/* Builds a row. The check mark is only an indicator: the user presses the row. */
static void setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkWidget *expander = gtk_tree_expander_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *check = gtk_check_button_new (), *title = gtk_label_new (NULL);
  GtkWidget *hint = gtk_label_new (NULL);

  gtk_widget_set_can_target (check, FALSE);
  gtk_widget_set_can_focus (check, FALSE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), hint);
  gtk_widget_set_focusable (expander, FALSE); /* nor is there a second stop of Tab */
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (item, expander);
}

static void bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkTreeListRow *at = gtk_list_item_get_item (item);
  g_autoptr (HlTraceRow) row = gtk_tree_list_row_get_item (at);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  GtkWidget *check = gtk_widget_get_first_child (gtk_tree_expander_get_child (expander));
  GtkWidget *title = gtk_widget_get_next_sibling (check);
  GtkWidget *hint = gtk_widget_get_next_sibling (title);

  gtk_tree_expander_set_list_row (expander, at);
  gtk_widget_set_visible (check, row->trace != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, row->title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (GTK_WIDGET (expander))),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, row->title, -1); /* the widget that takes the
                                                                                   * focus */
  gtk_label_set_text (GTK_LABEL (title), row->title);
  gtk_label_set_text (GTK_LABEL (hint), row->hint != NULL ? row->hint : "");
  GBinding *ticking = g_object_bind_property (row, "ticked", check, "active", G_BINDING_SYNC_CREATE);
  g_object_set_data_full (G_OBJECT (item), "ticking", g_object_ref (ticking), g_object_unref);
}

static void unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GBinding *ticking = g_object_steal_data (G_OBJECT (item), "ticking");

  g_binding_unbind (ticking); /* which it is already when the row is gone */
  g_object_unref (ticking);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)), NULL);
}

/* Returns a factory of lines for a GtkTreeListModel of HlTraceRow. Owned by the caller. */
static GtkListItemFactory *line_factory_new (void) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}

enum { PROP_TICKED = 1 };

G_DEFINE_FINAL_TYPE (HlTraceRow, hl_trace_row, G_TYPE_OBJECT)

static void hl_trace_row_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec) {
  g_value_set_boolean (value, HL_TRACE_ROW (object)->ticked);
}

static void hl_trace_row_finalize (GObject *object) {
  HlTraceRow *self = HL_TRACE_ROW (object);

  g_free (self->title);
  g_free (self->hint);
  g_free (self->trace);
  g_free (self->element);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (hl_trace_row_parent_class)->finalize (object);
}

static void hl_trace_row_class_init (HlTraceRowClass *klass) {
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_trace_row_get_property;
  object_class->finalize = hl_trace_row_finalize;
  g_object_class_install_property (
      object_class, PROP_TICKED,
      g_param_spec_boolean ("ticked", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void hl_trace_row_init (HlTraceRow *self) {
}

static void row_tick (HlTraceRow *self, gboolean ticked) {
  if (self->ticked == ticked)
    return;
  self->ticked = ticked;
  g_object_notify (G_OBJECT (self), "ticked");
}

/* Returns the row of that name among siblings that is no trace, made when there is none. Borrowed. */
static HlTraceRow *row_find (GListStore *among, const char *title, const char *element) {
  guint n = g_list_model_get_n_items (G_LIST_MODEL (among));

  for (guint i = 0; i < n; i++) {
    g_autoptr (HlTraceRow) row = g_list_model_get_item (G_LIST_MODEL (among), i);
    if (row->trace == NULL && strcmp (row->title, title) == 0)
      return row; /* the list holds on to it */
  }
  g_autoptr (HlTraceRow) row = g_object_new (HL_TYPE_TRACE_ROW, NULL);
  row->title = g_strdup (title);
  row->element = g_strdup (element);
  row->children = g_list_store_new (HL_TYPE_TRACE_ROW);
  g_list_store_append (among, row);
  return row;
}

#define OPEN_UP_TO 24 /* a tree of so few traces is open from the start */

struct _HlTracePicker {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  int panel;
  HlPlotPanel *path; /* that holds the one path to choose; NULL: a panel of the document is edited */
  GtkWidget *search, *tree, *nothing;
  GListStore *groups;     /* HlTraceRow at the top */
  GtkTreeListModel *rows; /* expanded rows of the tree; borrowed from the view */
  GPtrArray *entries;     /* HlTraceEntry */
  int n_found;
};

G_DEFINE_FINAL_TYPE (HlTracePicker, hl_trace_picker, GTK_TYPE_BOX)

static guint chosen_signal;

static HlPlotPanel *present_panel (HlTracePicker *self) {
  if (self->path != NULL)
    return hl_plot_panel_copy (self->path);
  g_autoptr (GPtrArray) panels = hl_plot_edit_panels (self->workbench);
  return self->panel < (int)panels->len ? hl_plot_panel_copy (panels->pdata[self->panel])
                                        : hl_plot_panel_new ();
}

/* --- filling --- */

static void add_entry (HlTracePicker *self, GListStore *groups, const HlTraceEntry *entry,
                       const HlPlotPanel *panel) {
  const HlUnit *unit = hl_workbench_units (self->workbench)[entry->quantity];
  const char *dot = entry->element != NULL ? strchr (entry->trace, '.') : NULL;
  const char *symbol = entry->quantity != HL_QUANTITY_NONE && unit != NULL ? unit->symbol : "";
  const char *name = dot != NULL ? dot + 1 : entry->trace;
  gboolean told = strcmp (name, entry->title) == 0; /* a path that is its own title */
  g_autoptr (HlTraceRow) row = g_object_new (HL_TYPE_TRACE_ROW, NULL);

  HlTraceRow *above = row_find (groups, entry->group, NULL);
  if (entry->element != NULL && strcmp (entry->element, "energy") != 0) {
    const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
    g_autofree char *ends = hl_line_ends (document, entry->element);
    g_autofree char *title = ends != NULL ? g_strdup_printf ("%s · %s", entry->element, ends) : NULL;
    above = row_find (above->children, title != NULL ? title : entry->element, entry->element);
  }
  row->title = g_strdup (entry->title);
  row->hint = g_strdup_printf ("%s%s%s", told ? "" : name, *symbol != '\0' && !told ? "  " : "", symbol);
  row->trace = g_strdup (entry->trace);
  row->ticked = hl_plot_panel_has (panel, entry->trace);
  g_list_store_append (above->children, row);
}

/* Expands rows. New rows are inserted right after their parent, so that the loop visits them too. */
static void open_rows (HlTracePicker *self, gboolean all) {
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++) {
    g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->rows, i);
    if (!all && i > 0 && gtk_tree_list_row_get_depth (row) == 0)
      return;
    gtk_tree_list_row_set_expanded (row, TRUE);
  }
}

static void refill (HlTracePicker *self) {
  const char *query = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (HlPlotPanel) panel = present_panel (self);
  g_autoptr (GListStore) groups = g_list_store_new (HL_TYPE_TRACE_ROW);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);

  self->n_found = 0;
  for (guint i = 0; i < self->entries->len; i++)
    if (hl_trace_entry_matches (self->entries->pdata[i], query)) {
      add_entry (self, groups, self->entries->pdata[i], panel);
      self->n_found++;
    }
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (groups)); i++)
    g_ptr_array_add (fresh, g_list_model_get_item (G_LIST_MODEL (groups), i));
  g_list_store_splice (self->groups, 0, g_list_model_get_n_items (G_LIST_MODEL (self->groups)), fresh->pdata,
                       fresh->len);
  open_rows (self, *query != '\0' || self->n_found <= OPEN_UP_TO); /* else the probes */
  gtk_widget_set_visible (self->nothing, self->n_found == 0);
}

/* Updates the check marks from the panel; expanded rows stay expanded. */
static void tick_below (GListStore *rows, const HlPlotPanel *panel) {
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++) {
    g_autoptr (HlTraceRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);
    if (row->trace != NULL)
      row_tick (row, hl_plot_panel_has (panel, row->trace));
    else
      tick_below (row->children, panel);
  }
}

static void refresh_ticks (HlTracePicker *self) {
  g_autoptr (HlPlotPanel) panel = present_panel (self);
  tick_below (self->groups, panel);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlTracePicker *self) {
  if (changes & HL_CHANGED_DOCUMENT)
    refresh_ticks (self);
}

/* --- acting --- */

static void toggle_trace (HlTracePicker *self, const char *trace) {
  g_autoptr (HlPlotPanel) panel = present_panel (self);
  const char *one[] = {trace, NULL};

  if (self->path != NULL) {
    g_signal_emit (self, chosen_signal, 0, trace);
    return;
  }
  if (hl_plot_panel_has (panel, trace))
    hl_plot_edit_remove_trace (self->workbench, self->panel, trace);
  else
    hl_plot_edit_add_traces (self->workbench, self->panel, one);
}

/* Adds or removes the trace of a row, or opens or closes a group. */
static void activate (HlTracePicker *self, GtkTreeListRow *at) {
  g_autoptr (HlTraceRow) row = gtk_tree_list_row_get_item (at);

  if (row->trace != NULL)
    toggle_trace (self, row->trace);
  else
    gtk_tree_list_row_set_expanded (at, !gtk_tree_list_row_get_expanded (at));
}

static void activate_cb (GtkListView *view, guint position, HlTracePicker *self) {
  g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->rows, position);

  if (row != NULL)
    activate (self, row);
}

/* Returns the row that a widget of the list belongs to; NULL: none. Borrowed. */
static GtkTreeListRow *row_of (GtkWidget *widget) {
  GtkWidget *expander = widget != NULL ? gtk_widget_get_ancestor (widget, GTK_TYPE_TREE_EXPANDER) : NULL;

  if (expander == NULL && widget != NULL)
    expander = gtk_widget_get_first_child (widget); /* the item of the list itself */
  return GTK_IS_TREE_EXPANDER (expander) ? gtk_tree_expander_get_list_row (GTK_TREE_EXPANDER (expander))
                                         : NULL;
}

/* Handles keys in addition to those of every list: expanding and collapsing, and Space as Return. */
static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlTracePicker *self) {
  GtkRoot *root = gtk_widget_get_root (self->tree);
  GtkTreeListRow *row = root != NULL ? row_of (gtk_root_get_focus (root)) : NULL;

  if (row == NULL || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (keyval) {
  case GDK_KEY_Right:
  case GDK_KEY_plus:
  case GDK_KEY_KP_Add:
    gtk_tree_list_row_set_expanded (row, TRUE);
    return TRUE;
  case GDK_KEY_Left:
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    gtk_tree_list_row_set_expanded (row, FALSE);
    return TRUE;
  case GDK_KEY_space:
  case GDK_KEY_KP_Space:
    activate (self, row);
    return TRUE;
  default:
    return FALSE;
  }
}

/* Adds the only match when Return is pressed in the search field. */
static void search_activate_cb (GtkSearchEntry *entry, HlTracePicker *self) {
  const char *query = gtk_editable_get_text (GTK_EDITABLE (entry));

  for (guint i = 0; self->n_found == 1 && i < self->entries->len; i++)
    if (hl_trace_entry_matches (self->entries->pdata[i], query))
      toggle_trace (self, ((const HlTraceEntry *)self->entries->pdata[i])->trace);
}

/* Handles Escape: clears the search text, then closes the picker. */
static void stop_search_cb (GtkSearchEntry *entry, HlTracePicker *self) {
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  if (*gtk_editable_get_text (GTK_EDITABLE (entry)) != '\0')
    hl_trace_picker_search (self, "");
  else if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static GdkContentProvider *prepare_cb (GtkDragSource *source, double x, double y, HlTracePicker *self) {
  GtkTreeListRow *at = row_of (gtk_widget_pick (self->tree, x, y, GTK_PICK_DEFAULT));
  g_autoptr (HlTraceRow) row = at != NULL ? gtk_tree_list_row_get_item (at) : NULL;
  const char *text = row == NULL ? NULL : row->trace != NULL ? row->trace : row->element;

  return text != NULL ? gdk_content_provider_new_typed (G_TYPE_STRING, text) : NULL;
}

/* Returns a new reference; NULL: a trace has none. */
static GListModel *children_of (gpointer item, gpointer data) {
  HlTraceRow *row = item;
  return row->children != NULL ? G_LIST_MODEL (g_object_ref (row->children)) : NULL;
}

/* --- life --- */

static void hl_trace_picker_dispose (GObject *object) {
  HlTracePicker *self = HL_TRACE_PICKER (object);

  g_clear_object (&self->workbench);
  g_clear_object (&self->groups);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->path, hl_plot_panel_free);
  G_OBJECT_CLASS (hl_trace_picker_parent_class)->dispose (object);
}

static void hl_trace_picker_class_init (HlTracePickerClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_trace_picker_dispose;
  chosen_signal = g_signal_new ("chosen", HL_TYPE_TRACE_PICKER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  hl_widget_tree_load (klass, "hl-trace-picker");
  HL_TREE_CHILD (klass, HlTracePicker, search);
  HL_TREE_CHILD (klass, HlTracePicker, tree);
  HL_TREE_CHILD (klass, HlTracePicker, nothing);
  HL_TREE_CALLBACK (klass, refill);
  HL_TREE_CALLBACK (klass, search_activate_cb);
  HL_TREE_CALLBACK (klass, stop_search_cb);
  HL_TREE_CALLBACK (klass, activate_cb);
  HL_TREE_CALLBACK (klass, prepare_cb);
  HL_TREE_CALLBACK (klass, key_pressed_cb);
}

static void hl_trace_picker_init (HlTracePicker *self) {
  g_autoptr (GtkListItemFactory) factory = line_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->groups = g_list_store_new (HL_TYPE_TRACE_ROW);
  self->rows = gtk_tree_list_model_new (G_LIST_MODEL (g_object_ref (self->groups)), FALSE, FALSE, children_of,
                                        NULL, NULL);
  g_autoptr (GtkNoSelection) selection = gtk_no_selection_new (G_LIST_MODEL (self->rows));
  gtk_list_view_set_model (GTK_LIST_VIEW (self->tree), GTK_SELECTION_MODEL (selection));
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->tree), factory);
}

/* Takes the panel. */
static GtkWidget *picker_new (HlWorkbench *workbench, int panel, HlPlotPanel *path) {
  HlTracePicker *self = g_object_new (HL_TYPE_TRACE_PICKER, NULL);

  self->workbench = g_object_ref (workbench);
  self->panel = panel;
  self->path = path;
  self->entries = hl_runs_trace_entries (hl_workbench_runs (workbench));
  for (guint i = self->entries->len; path != NULL && i-- > 0;)
    if (((const HlTraceEntry *)self->entries->pdata[i])->element == NULL)
      g_ptr_array_remove_index (self->entries, i); /* the id of a probe is not a path */
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refill (self);
  return GTK_WIDGET (self);
}

GtkWidget *hl_trace_picker_new (HlWorkbench *workbench, int panel) {
  return picker_new (workbench, panel, NULL);
}

GtkWidget *hl_trace_picker_new_of_path (HlWorkbench *workbench, const char *present) {
  HlPlotPanel *path = hl_plot_panel_new ();

  if (present != NULL && *present != '\0')
    hl_plot_panel_add (path, present);
  return picker_new (workbench, -1, path);
}

void hl_trace_picker_search (HlTracePicker *self, const char *query) {
  gtk_editable_set_text (GTK_EDITABLE (self->search), query);
  refill (self); /* the entry itself waits for the typing to pause */
}

int hl_trace_picker_n_found (HlTracePicker *self) {
  return self->n_found;
}
