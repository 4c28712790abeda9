/* SPDX-License-Identifier: MIT */
/* Asking where to save: a file chooser whose name has the ending of the format. */
#pragma once

#include <gtk/gtk.h>

#include "ui/widget/hl-file-chooser.h"

typedef struct {
  const char *ending; /* with its dot */
  const char *filter; /* what a person reads, marked for translation */
} HlFileFormat;

typedef struct {
  const char *title, *accept; /* in the person's language */
  const char *name;           /* proposed */
  const HlFileFormat *formats;
  int n_formats;
  int only; /* the one that is offered; -1: every one */
  /* Not called when nothing is chosen. One of path and error is NULL. */
  void (*chosen) (gpointer owner, const char *path, const GError *error);
} HlSaveQuestion;

/* A name without an ending of the formats gets that of the filter; with another filter than the first
 * one, a name that still has the first one's ending gets that of the filter. An error where the name
 * so made is a file that nobody was asked about.
 *
 * `place` in `owner` holds the chooser while it is open; one that is open there goes. `formats` live
 * as long as the program. */
void hl_chooser_ask (const HlSaveQuestion *question, HlFileChooser **place, GtkWindow *parent,
                     GObject *owner);
