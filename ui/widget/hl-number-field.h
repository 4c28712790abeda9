/* SPDX-License-Identifier: MIT */
/* HlNumberField: one number of the document with its unit. Typed with or without a unit; Enter or leaving the
 * field applies it, Escape restores it; an invalid text stays, marked, with the reason as its tooltip. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "core/document/hl-document.h"

#include <gtk/gtk.h>

#define HL_TYPE_NUMBER_FIELD (hl_number_field_get_type ())
G_DECLARE_FINAL_TYPE (HlNumberField, hl_number_field, HL, NUMBER_FIELD, GtkBox)

/* Numbers that are no paths of the file, or whose change brings others with it. */
typedef struct {
  /* NAN: nothing to show; NULL: read as a path */
  double (*get) (const HlDocument *document, const char *path, gpointer data);
  HlDocument *(*set) (const HlDocument *document, const char *path, double value, GError **error);
  /* Text that means more than a number and its unit; NULL: there is none. FALSE without an error: it
   * is read as usual. */
  gboolean (*parse) (const HlDocument *document, const char *path, const char *text, double *value,
                     GError **error);
} HlNumberSource;

/* Returns all paths get the value that is typed; while they differ none is shown. `name` is the accessible
 * name, `help` the tooltip. */
GtkWidget *hl_number_field_new (HlWorkbench *workbench, const char *const *paths, HlQuantity quantity,
                                const char *name, const char *help);
/* Reads and sets another way than by path; borrowed, static. `data` is handed to the source's get;
 * it stays as long as the field. */
void hl_number_field_set_source (HlNumberField *self, const HlNumberSource *source, gpointer data);
/* Shows the unit of a number of no quantity, "1/(m·s)": it is not converted. */
void hl_number_field_set_unit_text (HlNumberField *self, const char *text);
/* Sets the text shown while the file states no value, such as "rigid". */
void hl_number_field_set_placeholder (HlNumberField *self, const char *text);
/* Updates the field after a change of the document or of the units; a value that is being typed stays. */
void hl_number_field_refresh (HlNumberField *self);
/* Applies what is being typed; FALSE when it cannot be read. */
gboolean hl_number_field_flush (HlNumberField *self);

/* Makes the spin buttons of GTK show the decimal sign of the windows from now on, in the whole program; they
 * read both signs. */
void hl_spin_buttons_localize (void);
/* Returns the same for the value beside a scale: a GtkScaleFormatValueFunc. */
char *hl_scale_number_text (GtkScale *scale, double value, gpointer data);

/* A text that is not a number has a message below its entry; "1,5" leads to a question. */

/* Returns the message that stands there; NULL = none. */
const char *hl_number_popover_message (GtkWidget *entry);
