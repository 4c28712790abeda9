/* SPDX-License-Identifier: MIT */
/* The end of a file chooser.
 *
 * The list of files of GTK 4.8 puts its menu up in an idle call that nobody takes back when the
 * chooser goes: what was waiting is done first, and the chooser goes then. */
#pragma once

#include <gtk/gtk.h>

/* Hides the chooser and gives the reference to it back when nothing of the present turn is due any
 * more. Nobody's callback may be connected to it but by g_signal_connect_object (). */
void hl_chooser_end (GtkNativeDialog *chooser);
