/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-number-ask.h"

#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define ASK_KEY "hl-ask"

#define HL_TYPE_NUMBER_ASK (hl_number_ask_get_type ())
G_DECLARE_FINAL_TYPE (HlNumberAsk, hl_number_ask, HL, NUMBER_ASK, GtkPopover)

/* Made with the first question of an entry and kept as long as that: it closes while the keyboard
 * leaves the entry or one of its own buttons is pressed, when nothing may be taken out. */
struct _HlNumberAsk {
  GtkPopover parent_instance;
  GtkWidget *entry; /* borrowed: holds it */
  GtkWidget *label, *row;
  GtkWidget *with_point, *without; /* one for each reading */
  GCallback take;
  gpointer data;
  gboolean open;
};

G_DEFINE_FINAL_TYPE (HlNumberAsk, hl_number_ask, GTK_TYPE_POPOVER)

/* The two readings of a text with a comma: readings[0] of "1,5" is "1.5", point[1] "15". FALSE: it has
 * none. Owned. */
static gboolean readings_of (const char *text, char *readings[2]) {
  if (strchr (text, ',') == NULL)
    return FALSE;
  readings[0] = g_strdelimit (g_strdup (text), ",", '.');
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  readings[1] = g_strjoinv ("", parts);
  return TRUE;
}

static HlNumberAsk *ask_of (GtkWidget *entry) {
  return g_object_get_data (G_OBJECT (entry), ASK_KEY);
}

static void destroyed_cb (GtkWidget *entry, HlNumberAsk *ask) {
  ask->open = FALSE;
  gtk_widget_unparent (GTK_WIDGET (ask));
}

void hl_number_ask_close (GtkWidget *entry) {
  HlNumberAsk *ask = ask_of (entry);

  if (ask == NULL || !ask->open)
    return;
  ask->open = FALSE;
  gtk_popover_popdown (GTK_POPOVER (ask));
}

const char *hl_number_ask_message (GtkWidget *entry) {
  const HlNumberAsk *ask = ask_of (entry);
  return ask != NULL && ask->open ? gtk_label_get_text (GTK_LABEL (ask->label)) : NULL;
}

static void take_cb (GtkButton *button, HlNumberAsk *ask) {
  void (*take) (gpointer) = (void (*) (gpointer))ask->take;

  gtk_editable_set_text (GTK_EDITABLE (ask->entry), gtk_button_get_label (button));
  hl_number_ask_close (ask->entry);
  take (ask->data);
}

static void hl_number_ask_class_init (HlNumberAskClass *klass) {
  hl_widget_tree_load (klass, "hl-number-ask");
  HL_TREE_CHILD (klass, HlNumberAsk, label);
  HL_TREE_CHILD (klass, HlNumberAsk, row);
  HL_TREE_CHILD (klass, HlNumberAsk, with_point);
  HL_TREE_CHILD (klass, HlNumberAsk, without);
  HL_TREE_CALLBACK (klass, take_cb);
}

static void hl_number_ask_init (HlNumberAsk *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static HlNumberAsk *new_ask (GtkWidget *entry) {
  HlNumberAsk *ask = g_object_new (HL_TYPE_NUMBER_ASK, NULL);

  ask->entry = entry;
  gtk_widget_set_parent (GTK_WIDGET (ask), entry);
  g_object_set_data_full (G_OBJECT (entry), ASK_KEY, g_object_ref (ask), g_object_unref);
  g_signal_connect (entry, "destroy", G_CALLBACK (destroyed_cb), ask);
  return ask;
}

static void show_reading (GtkWidget *button, char *reading) {
  gtk_button_set_label (GTK_BUTTON (button), reading != NULL ? reading : "");
  g_free (reading);
}

void hl_number_ask (GtkWidget *entry, const char *message, GCallback take, gpointer data) {
  HlNumberAsk *ask = ask_of (entry) != NULL ? ask_of (entry) : new_ask (entry);
  char *readings[2] = {NULL, NULL};
  gboolean has_readings = readings_of (gtk_editable_get_text (GTK_EDITABLE (entry)), readings);

  ask->take = take;
  ask->data = data;
  ask->open = TRUE;
  gtk_label_set_text (GTK_LABEL (ask->label), message);
  gtk_widget_set_visible (ask->row, has_readings);
  show_reading (ask->with_point, readings[0]);
  show_reading (ask->without, readings[1]);
  gtk_popover_popup (GTK_POPOVER (ask));
}
