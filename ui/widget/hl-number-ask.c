/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-number-ask.h"

#include "core/base/hl-i18n.h"

#include <string.h>

#define ASK_KEY "hl-ask"
#define MOST_CHARS 40

/* Made with the first question of an entry and kept as long as that: it closes while the keyboard
 * leaves the entry or one of its own buttons is pressed, when nothing may be taken out. */
typedef struct
{
  GtkWidget *entry, *popover, *label, *row;
  GtkWidget *buttons[2]; /* one for each reading */
  GCallback take;
  gpointer data;
  gboolean open;
} Ask;

/* The two readings of a text with a comma: readings[0] of "1,5" is "1.5", point[1] "15". FALSE: it has
 * none. Owned. */
static gboolean
readings_of (const char *text, char *readings[2])
{
  if (strchr (text, ',') == NULL)
    return FALSE;
  readings[0] = g_strdelimit (g_strdup (text), ",", '.');
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  readings[1] = g_strjoinv ("", parts);
  return TRUE;
}

static Ask *
ask_of (GtkWidget *entry)
{
  return g_object_get_data (G_OBJECT (entry), ASK_KEY);
}

static void
destroyed_cb (GtkWidget *entry, Ask *ask)
{
  ask->open = FALSE;
  g_clear_pointer (&ask->popover, gtk_widget_unparent);
}

void
hl_number_ask_close (GtkWidget *entry)
{
  Ask *ask = ask_of (entry);

  if (ask == NULL || !ask->open)
    return;
  ask->open = FALSE;
  gtk_popover_popdown (GTK_POPOVER (ask->popover));
}

const char *
hl_number_ask_message (GtkWidget *entry)
{
  const Ask *ask = ask_of (entry);
  return ask != NULL && ask->open ? gtk_label_get_text (GTK_LABEL (ask->label)) : NULL;
}

static void
take_cb (GtkButton *button, Ask *ask)
{
  void (*take) (gpointer) = (void (*) (gpointer))ask->take;

  gtk_editable_set_text (GTK_EDITABLE (ask->entry), gtk_button_get_label (button));
  hl_number_ask_close (ask->entry);
  take (ask->data);
}

static Ask *
new_ask (GtkWidget *entry)
{
  Ask *ask = g_new0 (Ask, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  ask->entry = entry;
  ask->popover = gtk_popover_new ();
  ask->label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (ask->label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (ask->label), MOST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (ask->label), 0);
  gtk_box_append (GTK_BOX (box), ask->label);
  ask->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_halign (ask->row, GTK_ALIGN_CENTER);
  for (int k = 0; k < 2; k++) {
    ask->buttons[k] = gtk_button_new_with_label ("");
    /* leaving the entry closes the question */
    gtk_widget_set_focus_on_click (ask->buttons[k], FALSE);
    g_signal_connect (ask->buttons[k], "clicked", G_CALLBACK (take_cb), ask);
    gtk_box_append (GTK_BOX (ask->row), ask->buttons[k]);
  }
  gtk_box_append (GTK_BOX (box), ask->row);
  gtk_popover_set_child (GTK_POPOVER (ask->popover), box);
  gtk_popover_set_autohide (GTK_POPOVER (ask->popover), FALSE); /* typing goes on below it */
  gtk_widget_set_can_focus (ask->popover, TRUE);
  gtk_widget_set_parent (ask->popover, entry);
  g_object_set_data_full (G_OBJECT (entry), ASK_KEY, ask, g_free);
  g_signal_connect (entry, "destroy", G_CALLBACK (destroyed_cb), ask);
  return ask;
}

void
hl_number_ask (GtkWidget *entry, const char *message, GCallback take, gpointer data)
{
  Ask *ask = ask_of (entry) != NULL ? ask_of (entry) : new_ask (entry);
  char *readings[2] = {NULL, NULL};
  gboolean has_readings = readings_of (gtk_editable_get_text (GTK_EDITABLE (entry)), readings);

  ask->take = take;
  ask->data = data;
  ask->open = TRUE;
  gtk_label_set_text (GTK_LABEL (ask->label), message);
  gtk_widget_set_visible (ask->row, has_readings);
  for (int k = 0; k < 2; k++) {
    gtk_button_set_label (GTK_BUTTON (ask->buttons[k]), has_readings ? readings[k] : "");
    g_free (readings[k]);
  }
  gtk_popover_popup (GTK_POPOVER (ask->popover));
}
