/* SPDX-License-Identifier: MIT */
/* The inside of the form of a study, split over two files: the whole and what varies
 * (hl-studies-form.c), and what is measured (hl-studies-measure.c). */
#pragma once

#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-line.h"

struct _HlStudiesForm
{
  GtkBox parent_instance;
  HlWorkbench *workbench; /* borrowed of the window */
  HlValue *draft;
  GtkWidget *numbers, *measures, *add_number, *add_measure, *design, *rows, *seed;
  GtkLabel *rows_label;
  GPtrArray *number_texts, *measure_texts; /* char *, of the entries of the two lists */
  gboolean filling;
};

/* hl-studies-form.c */
const HlDocument *hl_studies_form_document (HlStudiesForm *self);
/* Takes the draft. */
void hl_studies_form_change (HlStudiesForm *self, HlValue *draft, gboolean has_other_lines);
GtkWidget *hl_studies_form_new_line (
    HlStudiesForm *self, HlStudyList list, int place, GCallback edited, GCallback removed);
/* Of a line in its list. */
int hl_studies_form_place (GtkWidget *line);

/* hl-studies-measure.c */
void hl_studies_form_add_measure_line (HlStudiesForm *self, int place);
/* "KIND:OF"; FALSE: it is measured already. */
gboolean hl_studies_form_add_measure (HlStudiesForm *self, const char *text);
/* Its largest value, or the first thing about it that is not measured yet. */
gboolean hl_studies_form_add_measure_of (HlStudiesForm *self, const char *trace);
void hl_studies_form_fill_measures (HlStudiesForm *self);
