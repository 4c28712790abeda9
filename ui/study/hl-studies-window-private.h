/* SPDX-License-Identifier: MIT */
/* The inside of the page of studies, split over two files: what is computed and shown
 * (hl-studies-window.c), and the files that it is kept in (hl-studies-file.c). */
#pragma once

#include "ui/bench/hl-editing.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-view.h"
#include "ui/study/hl-studies-window.h"
#include "ui/widget/hl-data-table.h"

struct _HlStudiesWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlStudiesView *view;
  HlStudyJob *job;
  char *path;         /* of the study; NULL: it has none yet */
  HlValue *saved;     /* what stands there; NULL: not known */
  gboolean is_closed; /* nothing is begun any more */
  guint look_source;
  gint64 filled_us;
  int n_ready; /* columns that the lists of axes have */
  gboolean filling;
  GtkNativeDialog *chooser;
  HlStudiesForm *form;
  HlStudiesChart *matrix, *cloud, *histograms;
  HlDataTable *table; /* of the present columns; NULL */
  GArray *table_rows; /* int: row of each line */
  GtkWidget *pick, *start, *progress, *status, *axes, *pick_x, *pick_y, *stack, *rows, *rows_note,
      *caption, *use, *open, *save, *forget;
};

/* hl-studies-window.c */
HlEditing *hl_studies_editing (HlStudiesWindow *self);
void hl_studies_say (HlStudiesWindow *self, const char *text);
void hl_studies_show_activity (HlStudiesWindow *self);
/* What was computed goes, and what is under way is given up. */
void hl_studies_forget_job (HlStudiesWindow *self);

/* hl-studies-file.c */
void hl_studies_show_title (HlStudiesWindow *self);
void hl_studies_fill_pick (HlStudiesWindow *self);
void hl_studies_picked_cb (HlStudiesWindow *self);
void hl_studies_open_cb (HlStudiesWindow *self);
void hl_studies_save_cb (HlStudiesWindow *self);
void hl_studies_forget_cb (HlStudiesWindow *self);
