/* SPDX-License-Identifier: MIT */
/* The inside of the form of a study, split over four files: the whole and what varies
 * (hl-studies-form.c), what is measured of each run (hl-studies-measure.c), what is wanted of it
 * (hl-studies-goal.c), and the tables that it is fitted to (hl-studies-tables.c). */
#pragma once

#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-line.h"
#include "ui/widget/hl-file-chooser.h"

struct _HlStudiesForm
{
  GtkBox parent_instance;
  HlWorkbench *workbench; /* borrowed of the window */
  HlValue *draft;
  HlStudyPurpose purpose;
  GtkWidget *numbers, *measures, *add_number, *add_measure, *design, *rows, *seed;
  GtkWidget *goal, *objectives, *add_objective, *runs, *tables, *add_table;
  GtkWidget *measure_group, *fit_group, *objective_group, *design_group;
  GtkLabel *rows_label;
  /* char *, of the entries of the lists */
  GPtrArray *number_texts, *measure_texts, *objective_texts, *table_texts;
  HlFileChooser *chooser;
  gboolean filling;
};

/* hl-studies-form.c */
const HlDocument *hl_studies_form_document (HlStudiesForm *self);
/* Takes the draft. */
void hl_studies_form_change (HlStudiesForm *self, HlValue *draft, gboolean has_other_lines);
GtkWidget *hl_studies_form_new_line (
    HlStudiesForm *self, HlStudyList list, int place, GCallback edited, GCallback removed);
/* The entry that was chosen, and the list says what it is for again; NULL: none. */
const char *hl_studies_form_take_chosen (HlStudiesForm *self, GtkWidget *list, GPtrArray *texts);
/* Of a line in its list. */
int hl_studies_form_place (GtkWidget *line);

/* hl-studies-measure.c */
void hl_studies_form_add_measure_line (HlStudiesForm *self, int place);
/* "KIND:OF"; FALSE: it is measured already. */
gboolean hl_studies_form_add_measure (HlStudiesForm *self, const char *text);
/* Its largest value, or the first thing about it that is not measured yet. */
gboolean hl_studies_form_add_measure_of (HlStudiesForm *self, const char *trace);
void hl_studies_form_fill_measures (HlStudiesForm *self);
/* What a measure is called on the screen, of its text; owned by the caller. */
char *hl_studies_form_measure_title (HlStudiesForm *self, const char *text);

/* hl-studies-goal.c */
void hl_studies_form_show_goal (HlStudiesForm *self);
void hl_studies_form_add_objective_line (HlStudiesForm *self, int place);
void hl_studies_form_fill_objectives (HlStudiesForm *self);
void hl_studies_form_goal_cb (HlStudiesForm *self);
void hl_studies_form_objective_added_cb (HlStudiesForm *self);
void hl_studies_form_runs_cb (HlStudiesForm *self);

/* hl-studies-tables.c */
void hl_studies_form_add_table_line (HlStudiesForm *self, int place);
void hl_studies_form_fill_tables (HlStudiesForm *self);
void hl_studies_form_table_added_cb (HlStudiesForm *self);
/* Lets files be dropped. */
void hl_studies_form_take_files (HlStudiesForm *self);
