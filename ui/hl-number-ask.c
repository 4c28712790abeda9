/* SPDX-License-Identifier: MIT */
#include "ui/hl-number-ask.h"

#include "core/document/hl-i18n.h"

#include <string.h>

#define ASK_KEY "hl-ask"
#define MOST_CHARS 40

typedef struct
{
  GtkWidget *entry, *popover, *label;
  char *readings[2];
  GCallback take;
  gpointer data;
} Ask;

gboolean
hl_number_readings (const char *text, char *readings[2])
{
  if (strchr (text, ',') == NULL)
    return FALSE;
  readings[0] = g_strdelimit (g_strdup (text), ",", '.');
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  readings[1] = g_strjoinv ("", parts);
  return TRUE;
}

static void
free_ask (gpointer data)
{
  Ask *ask = data;

  gtk_widget_unparent (ask->popover);
  g_free (ask->readings[0]);
  g_free (ask->readings[1]);
  g_free (ask);
}

void
hl_number_ask_close (GtkWidget *entry)
{
  g_object_set_data (G_OBJECT (entry), ASK_KEY, NULL);
}

const char *
hl_number_ask_message (GtkWidget *entry)
{
  const Ask *ask = g_object_get_data (G_OBJECT (entry), ASK_KEY);
  return ask != NULL ? gtk_label_get_text (GTK_LABEL (ask->label)) : NULL;
}

static void
take_cb (GtkButton *button, Ask *ask)
{
  GtkWidget *entry = ask->entry;
  void (*take) (gpointer) = (void (*) (gpointer))ask->take;
  gpointer data = ask->data;

  gtk_editable_set_text (GTK_EDITABLE (entry), gtk_button_get_label (button));
  g_signal_handlers_disconnect_by_data (button, ask); /* which goes with its popover */
  hl_number_ask_close (entry);
  take (data);
}

static void
add_readings (Ask *ask, GtkWidget *box)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_set_halign (row, GTK_ALIGN_CENTER);
  for (int k = 0; k < 2; k++) {
    GtkWidget *button = gtk_button_new_with_label (ask->readings[k]);
    gtk_widget_set_focus_on_click (button, FALSE); /* leaving the entry closes the question */
    g_signal_connect (button, "clicked", G_CALLBACK (take_cb), ask);
    gtk_box_append (GTK_BOX (row), button);
  }
  gtk_box_append (GTK_BOX (box), row);
}

void
hl_number_ask (GtkWidget *entry, const char *message, GCallback take, gpointer data)
{
  Ask *ask = g_new0 (Ask, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  hl_number_ask_close (entry);
  ask->entry = entry;
  ask->take = take;
  ask->data = data;
  ask->popover = gtk_popover_new ();
  ask->label = gtk_label_new (message);
  gtk_label_set_wrap (GTK_LABEL (ask->label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (ask->label), MOST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (ask->label), 0);
  gtk_box_append (GTK_BOX (box), ask->label);
  if (hl_number_readings (gtk_editable_get_text (GTK_EDITABLE (entry)), ask->readings))
    add_readings (ask, box);
  gtk_popover_set_child (GTK_POPOVER (ask->popover), box);
  gtk_popover_set_autohide (GTK_POPOVER (ask->popover), FALSE); /* typing goes on below it */
  gtk_widget_set_can_focus (ask->popover, TRUE);
  gtk_widget_set_parent (ask->popover, entry);
  g_object_set_data_full (G_OBJECT (entry), ASK_KEY, ask, free_ask);
  gtk_popover_popup (GTK_POPOVER (ask->popover));
}
