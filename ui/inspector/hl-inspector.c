/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-inspector.h"

#include "ui/inspector/hl-inspector-private.h"

#include "ui/inspector/hl-inspector-rows.h"
#include "ui/widget/hl-widget-tree.h"

G_DEFINE_FINAL_TYPE (HlInspector, hl_inspector, GTK_TYPE_BOX)

const char *const *
hl_inspector_shown_ids (HlInspector *self)
{
  static const char *const none[] = {"model", NULL};

  return hl_workbench_selected (self->workbench) != NULL ? hl_workbench_selection (self->workbench)
                                                         : none;
}

gboolean
hl_inspector_is_filling (HlInspector *self)
{
  return self->turn != 0 || self->late != 0 ||
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
  hl_inspector_go_on (self);
}

static void
refresh (HlInspector *self)
{
  hl_inspector_refresh_title (self);
  hl_inspector_show_finding (self, hl_workbench_selected (self->workbench));
  hl_inspector_refresh_fill (self);
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

  g_clear_handle_id (&self->turn, g_source_remove);
  g_clear_handle_id (&self->late, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_inspector_parent_class)->dispose (object);
}

static void
hl_inspector_finalize (GObject *object)
{
  HlInspector *self = HL_INSPECTOR (object);

  g_ptr_array_unref (self->leaving);
  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->texts);
  g_free (self->signature);
  g_free (self->of);
  G_OBJECT_CLASS (hl_inspector_parent_class)->finalize (object);
}

static void
hl_inspector_class_init (HlInspectorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_inspector_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_inspector_finalize;
  GTK_WIDGET_CLASS (klass)->snapshot = hl_inspector_snapshot;
  hl_widget_tree_load (klass, "hl-inspector");
  HL_TREE_CHILD (klass, HlInspector, page);
  hl_inspector_bind_title (klass);
  hl_inspector_bind_finding (klass);
}

static void
hl_inspector_init (HlInspector *self)
{
  self->leaving = g_ptr_array_new ();
  self->fields = g_ptr_array_new ();
  self->outputs = g_ptr_array_new ();
  self->texts = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_inspector_add_grid (self);
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
