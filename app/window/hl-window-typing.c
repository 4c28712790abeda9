/* SPDX-License-Identifier: MIT */
/* Undo and redo of a field's own typing, and of a tape's own changes. The keys of the window's actions come before those of the
 * field that has the keyboard, so the actions ask here first.
 *
 * What a field can take back is exactly the typing that is not applied yet: its own history begins
 * anew when it gets the keyboard and whenever the document becomes another one, for then the text
 * is applied, or was brought from there. */
#include "app/window/hl-window-private.h"

#include "ui/bench/hl-editing.h"
#include "ui/plot/hl-tape-track.h"
#include "ui/widget/hl-rebuild.h"

#include <string.h>

static char *text_of (GtkWidget *field) {
  GtkTextIter start, end;

  if (!GTK_IS_TEXT_VIEW (field))
    return g_strdup (gtk_editable_get_text (GTK_EDITABLE (field)));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (field));
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* The field that has the keyboard, NULL = none. */
static GtkWidget *focused_field (HlWindow *self) {
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus != NULL && (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus)) ? focus : NULL;
}

/* Its history is empty from here on. */
static void begin_field (HlWindow *self) {
  GtkWidget *field = focused_field (self);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  g_clear_pointer (&self->typed_upon, hl_document_unref);
  self->typed_upon = hl_document_ref (document);
  if (field == NULL)
    return;
  if (GTK_IS_TEXT_VIEW (field)) {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (field));
    gtk_text_buffer_set_enable_undo (buffer, FALSE);
    gtk_text_buffer_set_enable_undo (buffer, TRUE);
  } else {
    gtk_editable_set_enable_undo (GTK_EDITABLE (field), FALSE);
    gtk_editable_set_enable_undo (GTK_EDITABLE (field), TRUE);
  }
}

/* The document may have changed without a word yet, in this very frame. */
static void begin_if_applied (HlWindow *self) {
  if (self->typed_upon != hl_editing_document (hl_workbench_editing (self->workbench)))
    begin_field (self);
}

static gboolean take_back (HlWindow *self, const char *action) {
  GtkWidget *field = focused_field (self);

  if (field == NULL)
    return FALSE;
  begin_if_applied (self);
  g_autofree char *before = text_of (field);
  gtk_widget_activate_action (field, action, NULL);
  g_autofree char *after = text_of (field);
  return strcmp (before, after) != 0;
}

/* The tape that has the keyboard, NULL = none. */
static HlTapeTrack *focused_tape (HlWindow *self) {
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *track = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_TAPE_TRACK) : NULL;

  return track != NULL ? HL_TAPE_TRACK (track) : NULL;
}

gboolean hl_window_undo_typing (HlWindow *self) {
  HlTapeTrack *tape = focused_tape (self);
  return tape != NULL ? hl_tape_track_undo (tape) : take_back (self, "text.undo");
}

gboolean hl_window_redo_typing (HlWindow *self) {
  HlTapeTrack *tape = focused_tape (self);
  return tape != NULL ? hl_tape_track_redo (tape) : take_back (self, "text.redo");
}

static void begin_field_later_cb (GtkWidget *widget) {
  begin_field (HL_WINDOW (widget));
}

static void changed_cb (HlWorkbench *workbench, guint what, HlWindow *self) {
  if ((what & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) != 0)
    hl_rebuild_later (GTK_WIDGET (self), begin_field_later_cb); /* the fields show it by then */
}

void hl_window_watch_typing (HlWindow *self) {
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (begin_field), NULL);
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
}
