/* SPDX-License-Identifier: MIT */
/* HlStudiesLine: one number that varies, or one measure, in the form of a study: what it is, a choice,
 * two numbers with their unit, and a button that takes it out. Says "edited" when any of them is
 * another one, and "removed". It keeps no study: the form does. */
#pragma once

#include "core/base/hl-unit.h"

#include <gtk/gtk.h>

#define HL_TYPE_STUDIES_LINE (hl_studies_line_get_type ())
G_DECLARE_FINAL_TYPE (HlStudiesLine, hl_studies_line, HL, STUDIES_LINE, GtkBox)

GtkWidget *hl_studies_line_new (void);
/* `detail` becomes the tooltip; both are copied. */
void hl_studies_line_set_title (HlStudiesLine *self, const char *title, const char *detail);
/* NULL-terminated; NULL: no choice. `name` is the accessible name. */
void hl_studies_line_set_choices (HlStudiesLine *self, const char *const *words, const char *name,
                                  int chosen);
int hl_studies_line_choice (HlStudiesLine *self);
/* Names and hints of the two numbers, and their unit; NULL: there are none. */
void hl_studies_line_set_numbers (HlStudiesLine *self, const char *const names[2], const HlUnit *unit);
/* SI; not finite: empty. */
void hl_studies_line_set_value (HlStudiesLine *self, int which, double si);
double hl_studies_line_value (HlStudiesLine *self, int which);
