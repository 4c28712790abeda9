/* SPDX-License-Identifier: MIT */
/* HlStudiesForm: a study as a form of lines (HlStudiesLine). Numbers and measures are chosen from lists or
 * dropped: rows of the inspector, names of sliders, elements, traces. "changed": the draft is another one. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/study/hl-study-draft.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_STUDIES_FORM (hl_studies_form_get_type ())
G_DECLARE_FINAL_TYPE (HlStudiesForm, hl_studies_form, HL, STUDIES_FORM, GtkBox)

void hl_studies_form_set_workbench (HlStudiesForm *self, HlWorkbench *workbench);
const HlValue *hl_studies_form_draft (HlStudiesForm *self); /* borrowed until it changes */
void hl_studies_form_set_draft (HlStudiesForm *self, const HlValue *draft);
/* Returns the purpose of the runs. */
HlStudyPurpose hl_studies_form_purpose (HlStudiesForm *self);
void hl_studies_form_set_purpose (HlStudiesForm *self, HlStudyPurpose purpose);
/* Adds a measured table (.csv) by its full name; the form becomes that of a fit. FALSE: the table is in the
 * form already. */
gboolean hl_studies_form_add_table (HlStudiesForm *self, const char *path);
/* Updates the lists after a change of the model or of the units. */
void hl_studies_form_refresh (HlStudiesForm *self);
/* Adds a dropped path, several with commas between them, a probe or an element. FALSE: it means nothing to a study. */
gboolean hl_studies_form_drop (HlStudiesForm *self, const char *text);

/* HlStudiesLine: one number that varies, or one measure, in the form of a study: what it is, a choice,
 * two numbers with their unit, and a button that takes it out. Says "edited" when any of them is
 * another one, and "removed". It keeps no study: the form does. */

#define HL_TYPE_STUDIES_LINE (hl_studies_line_get_type ())
G_DECLARE_FINAL_TYPE (HlStudiesLine, hl_studies_line, HL, STUDIES_LINE, GtkBox)
