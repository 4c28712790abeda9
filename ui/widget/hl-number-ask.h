/* SPDX-License-Identifier: MIT */
/* What could not be read is said below its entry; "1,5" is asked about, not guessed. */
#pragma once

#include <gtk/gtk.h>

/* Shows the message at the entry. A text with one comma gets two buttons, one a reading; the one
 * that is pressed goes into the entry and `take` is called. */
void hl_number_ask (GtkWidget *entry, const char *message, GCallback take, gpointer data);
void hl_number_ask_close (GtkWidget *entry);
/* The message that stands there; NULL = none. */
const char *hl_number_ask_message (GtkWidget *entry);
