/* SPDX-License-Identifier: MIT */
/* The list of elements at the top of the inspector. */
#include "ui/inspector/hl-inspector-private.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-element-text.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

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

void
hl_inspector_refresh_title (HlInspector *self)
{
  list_elements (self);
  point_title_at (self, hl_workbench_selected (self->workbench));
  show_count (self, (int)g_strv_length ((char **)hl_inspector_shown_ids (self)));
}

void
hl_inspector_bind_title (HlInspectorClass *klass)
{
  HL_TREE_CHILD (klass, HlInspector, title);
  HL_TREE_CHILD (klass, HlInspector, ids);
  HL_TREE_CHILD (klass, HlInspector, many);
  HL_TREE_CALLBACK (klass, setup_item_cb);
  HL_TREE_CALLBACK (klass, bind_item_cb);
  HL_TREE_CALLBACK (klass, picked_cb);
}
