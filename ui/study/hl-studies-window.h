/* SPDX-License-Identifier: MIT */
/* HlStudiesWindow: many runs of the model. A study is built and computed on all processors but one while its
 * rows are examined; data can be fitted and an optimum searched. The study is saved in a file of its own that
 * the model names, and the numbers of any row can be applied to the model. Closing the window stops the
 * computation; an unsaved study is still there when the window is opened again. */
#pragma once

#include "core/study/hl-study-draft.h"
#include "ui/workbench/hl-study-job.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_STUDIES_WINDOW (hl_studies_window_get_type ())
G_DECLARE_FINAL_TYPE (HlStudiesWindow, hl_studies_window, HL, STUDIES_WINDOW, GtkWindow)

GtkWidget *hl_studies_window_new (HlWorkbench *workbench, GtkWindow *parent);
/* Returns whether a study is running. */
gboolean hl_studies_window_is_busy (HlStudiesWindow *self);
/* Returns the job; NULL: nothing was computed. Borrowed until the next start. */
HlStudyJob *hl_studies_window_job (HlStudiesWindow *self);
/* Returns the same of a fit. */
HlFitJob *hl_studies_window_fit (HlStudiesWindow *self);
/* Returns the contents of the form; borrowed until it changes. */
const HlValue *hl_studies_window_draft (HlStudiesWindow *self);
/* Reads a study in the place of the present one. FALSE: it says why. */
gboolean hl_studies_window_load (HlStudiesWindow *self, const char *path);
/* Writes it, and names it in the model. FALSE: it says why. */
gboolean hl_studies_window_save (HlStudiesWindow *self, const char *path);
