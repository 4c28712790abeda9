/* SPDX-License-Identifier: MIT */
/* Questions to a person: over a window (HlQuestion), and for a name where the name stands.
 *
 * HlQuestion: a heading, more about it, and buttons that answer. (GTK's own dialogs are deprecated from 4.10
 * on, and what follows them begins there.) */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_QUESTION (hl_question_get_type ())
G_DECLARE_FINAL_TYPE (HlQuestion, hl_question, HL, QUESTION, GtkWindow)

/* Returns a modal question over `parent`, with which it is destroyed; not shown yet. `more` may be NULL.
 * Emits "response" once, with a GtkResponseType or another number; the handler destroys the dialog. Escape
 * and closing answer GTK_RESPONSE_DELETE_EVENT. */
HlQuestion *hl_question_new (GtkWindow *parent, const char *text, const char *more);
/* Adds a widget below the texts. */
void hl_question_add_child (HlQuestion *self, GtkWidget *child);
/* Adds a button behind those added before. Enter presses the default button. */
void hl_question_add_button (HlQuestion *self, const char *label, int response, gboolean is_default);
/* Answers the question, as its button does. */
void hl_question_answer (HlQuestion *self, int response);

G_END_DECLS

/* A small question for a name, where the name stands: of a plot, of a tab. */

/* Returns a popover with a field that holds the name at present, "" for NULL. Enter closes it and gives
 * "answered" with the text; Escape closes it. The caller places it, shows it and takes it away. */
GtkWidget *hl_name_popover_new (const char *question, const char *present);
