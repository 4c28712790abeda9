/* SPDX-License-Identifier: MIT */
#include "ui/outline/hl-outline-row-widget.h"

#include "core/base/hl-translation-macros.h"
#include "ui/plot/hl-plot-view.h"

#include <string.h>

#define STEP_PX 16 /* a part stands this much to the right of its element */

struct _HlOutlineRowWidget {
  GtkListBoxRow parent_instance;
  HlOutlineHost host;
  char *key;
  char *name;
  char *sentence; /* the last shown text */
  gboolean expanded, has_parts;
  GtkWidget *arrow, *badge, *label, *entry, *status;
};

G_DEFINE_FINAL_TYPE (HlOutlineRowWidget, hl_outline_row_widget, GTK_TYPE_LIST_BOX_ROW)

/* --- the name as an entry --- */

static void end_edit (HlOutlineRowWidget *self) {
  gboolean had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;

  gtk_widget_set_visible (self->entry, FALSE);
  gtk_widget_set_visible (self->label, TRUE);
  gtk_widget_set_visible (self->status, TRUE);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Commits a name. A new name makes a new row, so this one may be removed from the list when the host returns. */
static void entry_activate_cb (GtkEntry *entry, HlOutlineRowWidget *self) {
  g_autoptr (HlOutlineRowWidget) kept = g_object_ref (self);
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));

  if (strcmp (text, kept->name) != 0 && !kept->host.rename (kept, text, kept->host.data))
    gtk_widget_add_css_class (kept->entry, "error");
  else if (gtk_widget_get_parent (GTK_WIDGET (kept)) != NULL)
    end_edit (kept);
}

static gboolean entry_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                              GdkModifierType state, HlOutlineRowWidget *self) {
  if (keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  end_edit (self);
  return GDK_EVENT_STOP;
}

static void entry_leave_cb (GtkEventControllerFocus *controller, HlOutlineRowWidget *self) {
  if (gtk_widget_get_visible (self->entry) && gtk_widget_get_mapped (self->entry))
    end_edit (self);
}

static void make_entry (HlOutlineRowWidget *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->entry = gtk_entry_new ();
  gtk_widget_set_visible (self->entry, FALSE);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("New name"),
                                  -1);
  g_signal_connect (self->entry, "activate", G_CALLBACK (entry_activate_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (entry_leave_cb), self);
  gtk_widget_add_controller (self->entry, keys);
  gtk_widget_add_controller (self->entry, focus);
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (self->label)), self->entry, self->label);
}

/* Returns the text of a dragged row: elements can be dragged onto a plot; groups cannot. */
static char *drag_text (gpointer line) {
  HlOutlineRowWidget *self = HL_OUTLINE_ROW_WIDGET (line);
  return gtk_list_box_row_get_selectable (GTK_LIST_BOX_ROW (self)) ? g_strdup (self->name) : NULL;
}

void hl_outline_row_widget_edit (HlOutlineRowWidget *self) {
  if (self->entry == NULL) /* few rows are ever renamed */
    make_entry (self);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), self->name);
  gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_visible (self->label, FALSE);
  gtk_widget_set_visible (self->status, FALSE);
  gtk_widget_set_visible (self->entry, TRUE);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

/* --- what it shows --- */

static void set_text (GtkWidget *label, const char *text) {
  if (strcmp (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

static void show_badge (HlOutlineRowWidget *self, const HlOutlineRow *row) {
  gtk_widget_set_visible (self->badge, row->problem != NULL);
  if (row->problem == NULL)
    return;
  gboolean is_error = row->severity == HL_SEVERITY_ERROR;
  gtk_image_set_from_icon_name (GTK_IMAGE (self->badge),
                                is_error ? "dialog-error-symbolic" : "dialog-warning-symbolic");
  gtk_widget_remove_css_class (self->badge, is_error ? "warning" : "problem");
  gtk_widget_add_css_class (self->badge, is_error ? "problem" : "warning");
}

static void show_parts (HlOutlineRowWidget *self, const HlOutlineRow *row, gboolean expanded) {
  if (row->has_parts)
    gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow),
                                  expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  else
    gtk_image_clear (GTK_IMAGE (self->arrow));
  if (row->has_parts)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED);
}

/* Returns the text next to the name; for elements with kinds the kind comes first. */
static char *words_of (const HlOutlineRow *row) {
  gboolean says_kind = row->level == 1 && *row->kind != '\0' && row->type == HL_OUTLINE_ELEMENT &&
                       hl_section_has_kinds (row->section);

  return says_kind ? g_strdup_printf ("%s%s%s", row->kind, *row->status != '\0' ? " · " : "", row->status)
                   : g_strdup (row->status);
}

/* Begins a row, once per line: its key identifies the element. */
static void begin_row (HlOutlineRowWidget *self, const HlOutlineRow *row) {
  self->key = g_strdup (row->key);
  gtk_widget_set_margin_start (self->arrow, row->level == 2 ? STEP_PX : 0);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), row->type != HL_OUTLINE_GROUP);
  if (row->type == HL_OUTLINE_GROUP)
    gtk_widget_add_css_class (GTK_WIDGET (self), "group");
}

/* Shows a row; the sentence contains everything that is shown except whether the parts are. */
void hl_outline_row_widget_show (HlOutlineRowWidget *self, const HlOutlineRow *row, gboolean expanded) {
  g_autofree char *sentence = hl_outline_row_sentence (row);
  g_autofree char *words = NULL;

  if (self->key == NULL)
    begin_row (self, row);
  else if (self->expanded == expanded && self->has_parts == row->has_parts &&
           strcmp (self->sentence, sentence) == 0)
    return;
  self->expanded = expanded;
  self->has_parts = row->has_parts;
  g_free (self->name);
  self->name = g_strdup (row->name);
  words = words_of (row);
  set_text (self->label, row->name);
  set_text (self->status, words);
  show_badge (self, row);
  show_parts (self, row, expanded);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), sentence);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                  GTK_ACCESSIBLE_PROPERTY_LEVEL, row->level + 1, -1);
  g_free (self->sentence);
  self->sentence = g_steal_pointer (&sentence);
}

const char *hl_outline_row_widget_key (HlOutlineRowWidget *self) {
  return self->key;
}

/* --- life --- */

static void arrow_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y,
                              HlOutlineRowWidget *self) {
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->host.toggle (self, self->host.data);
}

static void hl_outline_row_widget_finalize (GObject *object) {
  g_free (HL_OUTLINE_ROW_WIDGET (object)->key);
  g_free (HL_OUTLINE_ROW_WIDGET (object)->name);
  g_free (HL_OUTLINE_ROW_WIDGET (object)->sentence);
  G_OBJECT_CLASS (hl_outline_row_widget_parent_class)->finalize (object);
}

static void hl_outline_row_widget_class_init (HlOutlineRowWidgetClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_outline_row_widget_finalize;
}

/* Returns a label; the shorter one of name and status gets its width first. */
static GtkWidget *new_label (void) {
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

static void hl_outline_row_widget_init (HlOutlineRowWidget *self) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkGesture *click = gtk_gesture_click_new ();

  self->arrow = gtk_image_new ();
  gtk_widget_set_size_request (self->arrow, STEP_PX, -1);
  gtk_widget_add_css_class (self->arrow, "dim-label");
  self->badge = gtk_image_new ();
  self->label = new_label ();
  self->status = new_label ();
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_widget_add_css_class (self->status, "dim-label");
  gtk_widget_add_css_class (self->status, "numeric");
  gtk_box_append (GTK_BOX (box), self->arrow);
  gtk_box_append (GTK_BOX (box), self->badge);
  gtk_box_append (GTK_BOX (box), self->label);
  gtk_box_append (GTK_BOX (box), self->status);
  g_signal_connect (click, "pressed", G_CALLBACK (arrow_pressed_cb), self);
  gtk_widget_add_controller (self->arrow, GTK_EVENT_CONTROLLER (click));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  hl_plot_drag_source_add (box, drag_text, self);
}

GtkWidget *hl_outline_row_widget_new (const HlOutlineHost *host) {
  HlOutlineRowWidget *self = g_object_new (HL_TYPE_OUTLINE_ROW_WIDGET, NULL);
  self->host = *host;
  return GTK_WIDGET (self);
}
