/* SPDX-License-Identifier: MIT */
/* The inside of the page of studies, split over four files: what is computed and shown
 * (hl-studies-window.c), its rows as a table (hl-studies-rows.c), what a fit or a search found (hl-studies-answer.c), and the files that it is
 * kept in (hl-studies-file.c). */
#pragma once

#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-fit-job.h"
#include "ui/study/hl-fit-chart.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-view.h"
#include "ui/study/hl-studies-window.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-file-chooser.h"

struct _HlStudiesWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlStudiesView *view;
  HlStudyJob *job;
  HlFitJob *fit;      /* one of both, or none */
  char *path;         /* of the study; NULL: it has none yet */
  HlValue *saved;     /* what stands there; NULL: not known */
  gboolean is_closed; /* nothing is begun any more */
  guint look_source;
  gint64 filled_us;
  int n_ready; /* columns that the lists of axes have */
  gboolean filling;
  HlFileChooser *chooser;
  HlStudiesForm *form;
  HlStudiesChart *matrix, *cloud, *histograms;
  HlFitChart *overlay;
  HlDataTable *table; /* of the present columns; NULL */
  GArray *table_rows; /* int: row of each line */
  GtkWidget *pick, *start, *progress, *status, *axes, *pick_x, *pick_y, *stack, *rows, *rows_note,
      *caption, *use, *open, *save, *forget, *fitted, *fitted_scroll, *fit_page;
};

/* hl-studies-window.c */
HlEditing *hl_studies_editing (HlStudiesWindow *self);
void hl_studies_say (HlStudiesWindow *self, const char *text);
void hl_studies_show_activity (HlStudiesWindow *self);
/* What was computed goes, and what is under way is given up. */
void hl_studies_forget_job (HlStudiesWindow *self);

void hl_studies_table_chosen_cb (HlStudiesWindow *self);

/* hl-studies-rows.c */
void hl_studies_make_table (HlStudiesWindow *self);
/* Rows that are lit, or all; only while somebody looks. */
void hl_studies_fill_table (HlStudiesWindow *self);

/* hl-studies-answer.c */
/* Every number, paths[k] (NULL-terminated texts) with values[k], as one step with that name. */
void hl_studies_use (HlStudiesWindow *self,
                     const GPtrArray *paths,
                     const GArray *values,
                     const char *step);
void hl_studies_use_fit (HlStudiesWindow *self);
/* Where it stands, in a line or two. Owned by the caller. */
char *hl_studies_fit_status (HlStudiesWindow *self);
void hl_studies_show_fit (HlStudiesWindow *self);
/* Marks what a search found, once it ended. */
void hl_studies_show_found (HlStudiesWindow *self);
/* Of a search that ended. Owned by the caller. */
char *hl_studies_found_text (HlStudiesWindow *self);

/* hl-studies-file.c */
void hl_studies_show_title (HlStudiesWindow *self);
void hl_studies_fill_pick (HlStudiesWindow *self);
void hl_studies_picked_cb (HlStudiesWindow *self);
void hl_studies_open_cb (HlStudiesWindow *self);
void hl_studies_save_cb (HlStudiesWindow *self);
void hl_studies_forget_cb (HlStudiesWindow *self);
