/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-inspector.h"

#include "ui/inspector/hl-parameter-list.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-element-text.h"
#include "ui/inspector/hl-inspector-editor.h"
#include "ui/inspector/hl-inspector-rows.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

struct _HlInspector
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *title;   /* drop-down with every element */
  GtkStringList *ids; /* what it lists: "", then ids */
  GtkWidget *finding; /* what is wrong with the element */
  GtkWidget *mend;    /* does what would mend it */
  int mended;         /* index of that finding */
  GtkGrid *grid;
  GPtrArray *fields;  /* HlNumberField, borrowed */
  GPtrArray *outputs; /* labels, borrowed */
  GPtrArray *texts;   /* editors of texts, borrowed */
  GtkWidget *many;    /* "3 elements" in place of the title */
  char *signature;    /* of the rows that are shown */
  gboolean selecting;
  gboolean is_drawn; /* at least once */
  int rest_from;     /* row from which rows of the model's page are still to come; 0: none are */
  guint rest;        /* brings them; 0: none do */
  guint late;        /* follows numbers behind another page; 0: it has */
};

G_DEFINE_FINAL_TYPE (HlInspector, hl_inspector, GTK_TYPE_BOX)

/* --- the list of elements --- */

static const HlSection listed[] = {HL_SECTION_COMPONENTS, HL_SECTION_LINES, HL_SECTION_BODIES,
                                   HL_SECTION_JOINTS,     HL_SECTION_LOADS, HL_SECTION_PROBES};

static void
list_elements (HlInspector *self)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  g_ptr_array_add (ids, (gpointer) "");
  for (guint i = 0; i < G_N_ELEMENTS (listed); i++)
    for (int index = 0; index < hl_document_n_elements (document, listed[i]); index++)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (document, listed[i], index));
  g_ptr_array_add (ids, (gpointer) "ground");

  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->ids));
  gboolean same = n == ids->len;
  for (guint i = 0; same && i < n; i++)
    same = strcmp (gtk_string_list_get_string (self->ids, i), ids->pdata[i]) == 0;
  if (same)
    return;
  g_ptr_array_add (ids, NULL);
  self->selecting = TRUE;
  gtk_string_list_splice (self->ids, 0, n, (const char *const *)ids->pdata);
  self->selecting = FALSE;
}

static void
setup_item_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind_item_cb (GtkSignalListItemFactory *factory, GtkListItem *item, HlInspector *self)
{
  GtkStringObject *object = gtk_list_item_get_item (item);
  const char *id = gtk_string_object_get_string (object);
  g_autofree char *words =
      *id == '\0'
          ? g_strdup (_ ("Model"))
          : hl_element_name (hl_editing_document (hl_workbench_editing (self->workbench)), id);
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), words);
}

static void
picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlInspector *self)
{
  guint position = gtk_drop_down_get_selected (drop_down);

  if (self->selecting || position == GTK_INVALID_LIST_POSITION || self->workbench == NULL)
    return;
  const char *id = gtk_string_list_get_string (self->ids, position);
  hl_workbench_select (self->workbench, *id != '\0' ? id : NULL);
}

static void
point_title_at (HlInspector *self, const char *id)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->ids));

  self->selecting = TRUE;
  for (guint i = 0; i < n; i++)
    if (strcmp (gtk_string_list_get_string (self->ids, i), id != NULL ? id : "") == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->title), i);
  self->selecting = FALSE;
}

/* --- rows --- */

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

/* What is shown: the elements selected, else the model. */
static const char *const *
shown_ids (HlInspector *self)
{
  static const char *const none[] = {"model", NULL};

  return hl_workbench_selected (self->workbench) != NULL ? hl_workbench_selection (self->workbench)
                                                         : none;
}

/* What the rows are made for. Owned. */
static char *
signature_of (HlInspector *self)
{
  static const char *const run[] = {"simulation", NULL};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autofree char *of_element = hl_inspector_signature (document, shown_ids (self));
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
  hl_inspector_add_heading (rows, _ ("Simulation"));
  rows->ids = (const char *const[]){"simulation", NULL};
  hl_inspector_add_rows (rows);
  hl_inspector_add_heading (rows, _ ("Oil"));
  rows->ids = (const char *const[]){"fluid", NULL};
  hl_inspector_add_rows (rows);
}

static void
fill (HlInspector *self)
{
  const char *const *ids = shown_ids (self);
  HlInspectorRows rows = {self->grid,    0,          self->workbench, ids, self->fields,
                          self->outputs, self->texts};
  GtkWidget *child;

  self->rest_from = 0;
  g_ptr_array_set_size (self->fields, 0);
  g_ptr_array_set_size (self->outputs, 0);
  g_ptr_array_set_size (self->texts, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->grid))) != NULL)
    gtk_grid_remove (self->grid, child);
  if (ids[1] != NULL)
    hl_inspector_add_kind_rows (&rows);
  hl_inspector_add_rows (&rows);
  if (strcmp (ids[0], "model") == 0) {
    hl_inspector_add_heading (&rows, _ ("Parameters"));
    gtk_grid_attach (self->grid, hl_parameter_list_new (self->workbench), 0, rows.row++, 3, 1);
    if (self->is_drawn)
      add_rest (&rows);
    else
      self->rest_from = rows.row;
  }
}

static void
refresh_fields (HlInspector *self)
{
  for (guint i = 0; i < self->fields->len; i++)
    hl_number_field_refresh (self->fields->pdata[i]);
  for (guint i = 0; i < self->texts->len; i++)
    hl_inspector_text_refresh (self->texts->pdata[i]);
  hl_inspector_refresh_outputs (self->workbench, self->outputs);
  hl_inspector_refresh_notes (self->grid);
}

/* After the first frame, which does not wait for rows that are mostly out of sight. */
static gboolean
rest_cb (gpointer data)
{
  HlInspector *self = data;
  HlInspectorRows rows = {self->grid,   self->rest_from, self->workbench, shown_ids (self),
                          self->fields, self->outputs,   self->texts};

  self->rest = 0;
  if (self->rest_from > 0) {
    add_rest (&rows);
    refresh_fields (self);
  }
  self->rest_from = 0;
  return G_SOURCE_REMOVE;
}

gboolean
hl_inspector_is_filling (HlInspector *self)
{
  return self->rest != 0 || self->late != 0 ||
         (!self->is_drawn && gtk_widget_get_mapped (GTK_WIDGET (self)));
}

static void
hl_inspector_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HlInspector *self = HL_INSPECTOR (widget);

  GTK_WIDGET_CLASS (hl_inspector_parent_class)->snapshot (widget, snapshot);
  if (self->is_drawn)
    return;
  self->is_drawn = TRUE;
  self->rest = g_idle_add (rest_cb, self);
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
  }
  refresh_fields (self);
  if (line >= 0 && gtk_grid_get_child_at (self->grid, 1, line) != NULL)
    gtk_widget_child_focus (gtk_grid_get_child_at (self->grid, 1, line), GTK_DIR_TAB_FORWARD);
}

static void
mend_cb (GtkButton *button, HlInspector *self)
{
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlFindings *findings = hl_editing_findings (editing);

  if (self->mended < hl_findings_n (findings))
    hl_editing_mend (editing, hl_findings_get (findings, self->mended));
}

static void
show_finding (HlInspector *self, const char *id)
{
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  const char *message = NULL, *advice = NULL, *mend = NULL;

  for (int index = 0; id != NULL && message == NULL && index < hl_findings_n (findings); index++) {
    const HlFinding *finding = hl_findings_get (findings, index);
    if (finding->severity != HL_SEVERITY_INFO && g_strcmp0 (finding->id, id) == 0) {
      message = finding->message;
      advice = finding->advice;
      mend = finding->fix.type != HL_FIX_NONE ? finding->fix.label : NULL;
      self->mended = index;
    }
  }
  gtk_widget_set_visible (self->mend, mend != NULL);
  if (mend != NULL)
    gtk_label_set_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->mend))), mend);
  gtk_widget_set_visible (self->finding, message != NULL);
  if (message == NULL)
    return;
  g_autofree char *what = hl_finding_sentence (message);
  g_autofree char *how = hl_finding_sentence (advice);
  g_autofree char *text = g_strjoin (*how != '\0' ? "\n" : "", what, how, NULL);
  gtk_label_set_text (GTK_LABEL (self->finding), text);
}

static void
show_count (HlInspector *self, int n)
{
  g_autofree char *text =
      g_strdup_printf (ngettext ("%d element: what they have in common",
                                 "%d elements: what they have in common", (gulong)n),
                       n);

  gtk_label_set_text (GTK_LABEL (self->many), text);
  gtk_widget_set_visible (self->many, n > 1);
  gtk_widget_set_visible (self->title, n <= 1);
}

static void
refresh (HlInspector *self)
{
  const char *id = hl_workbench_selected (self->workbench);
  g_autofree char *signature = signature_of (self);

  list_elements (self);
  point_title_at (self, id);
  show_count (self, (int)g_strv_length ((char **)shown_ids (self)));
  show_finding (self, id);
  if (g_strcmp0 (signature, self->signature) != 0)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  else
    refresh_fields (self);
}

static gboolean
late_cb (gpointer data)
{
  HlInspector *self = data;

  self->late = 0;
  refresh (self);
  return G_SOURCE_REMOVE;
}

/* Numbers that nobody sees, as those behind the root locus while a slider is dragged there, follow
 * between frames and not in them. */
static void
changed_cb (HlWorkbench *workbench, guint changes, HlInspector *self)
{
  gboolean is_other = (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_SELECTION | HL_CHANGED_UNITS |
                                  HL_CHANGED_FINDINGS)) != 0;

  if ((changes & HL_CHANGED_NUMBERS) && !is_other && !gtk_widget_get_mapped (GTK_WIDGET (self))) {
    if (self->late == 0)
      self->late = g_idle_add_full (G_PRIORITY_LOW, late_cb, self, NULL);
    return;
  }
  if (is_other || (changes & HL_CHANGED_NUMBERS))
    refresh (self);
  else if (changes & (HL_CHANGED_TIME | HL_CHANGED_RUN))
    hl_inspector_refresh_outputs (self->workbench, self->outputs);
}

/* --- life --- */

static void
hl_inspector_dispose (GObject *object)
{
  HlInspector *self = HL_INSPECTOR (object);

  g_clear_handle_id (&self->rest, g_source_remove);
  g_clear_handle_id (&self->late, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_inspector_parent_class)->dispose (object);
}

static void
hl_inspector_finalize (GObject *object)
{
  HlInspector *self = HL_INSPECTOR (object);

  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->texts);
  g_free (self->signature);
  G_OBJECT_CLASS (hl_inspector_parent_class)->finalize (object);
}

static void
hl_inspector_class_init (HlInspectorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_inspector_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_inspector_finalize;
  GTK_WIDGET_CLASS (klass)->snapshot = hl_inspector_snapshot;
  hl_widget_tree_load (klass, "hl-inspector");
  HL_TREE_CHILD (klass, HlInspector, title);
  HL_TREE_CHILD (klass, HlInspector, ids);
  HL_TREE_CHILD (klass, HlInspector, many);
  HL_TREE_CHILD (klass, HlInspector, finding);
  HL_TREE_CHILD (klass, HlInspector, mend);
  HL_TREE_CHILD (klass, HlInspector, grid);
  HL_TREE_CALLBACK (klass, setup_item_cb);
  HL_TREE_CALLBACK (klass, bind_item_cb);
  HL_TREE_CALLBACK (klass, picked_cb);
  HL_TREE_CALLBACK (klass, mend_cb);
}

static void
hl_inspector_init (HlInspector *self)
{
  self->fields = g_ptr_array_new ();
  self->outputs = g_ptr_array_new ();
  self->texts = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkLabel *mend = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->mend)));
  gtk_label_set_wrap (mend, TRUE);
  gtk_label_set_justify (mend, GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (mend, 24); /* asks for no more room than the pane has */
}

void
hl_inspector_set_workbench (HlInspector *self, HlWorkbench *workbench)
{
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (self); /* the rows come when the event is over: a file that is opened brings its own */
}

const char *
hl_inspector_field_at (HlInspector *self, GtkWidget *widget)
{
  for (; widget != NULL && widget != GTK_WIDGET (self); widget = gtk_widget_get_parent (widget)) {
    const char *field = g_object_get_data (G_OBJECT (widget), HL_INSPECTOR_FIELD_KEY);
    if (field != NULL)
      return field;
  }
  return NULL;
}
