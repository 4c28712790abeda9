/* SPDX-License-Identifier: MIT */
/* What the runs of a study are for, and what is wanted of an optimum. */
#include "ui/study/hl-studies-form-private.h"

#include "core/base/hl-i18n.h"

#include <math.h>
#include <string.h>

#define USUAL_RUNS 200

HlStudyPurpose
hl_studies_form_purpose (HlStudiesForm *self)
{
  return self->purpose;
}

void
hl_studies_form_set_purpose (HlStudiesForm *self, HlStudyPurpose purpose)
{
  self->purpose = purpose;
  self->filling = TRUE;
  hl_studies_form_show_goal (self);
  self->filling = FALSE;
  g_signal_emit_by_name (self, "changed");
}

/* The entries of the list are in the order of HlStudyPurpose. */
void
hl_studies_form_show_goal (HlStudiesForm *self)
{
  double runs =
      hl_value_number (hl_value_member (hl_value_member (self->draft, "optimize"), "runs"));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->goal), (guint)self->purpose);
  gtk_widget_set_visible (self->measure_group, self->purpose != HL_STUDY_FIT);
  gtk_widget_set_visible (self->fit_group, self->purpose == HL_STUDY_FIT);
  gtk_widget_set_visible (self->objective_group, self->purpose == HL_STUDY_OPTIMIZE);
  gtk_widget_set_visible (self->design_group, self->purpose == HL_STUDY_ROWS);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->runs), isfinite (runs) ? runs : USUAL_RUNS);
}

void
hl_studies_form_goal_cb (HlStudiesForm *self)
{
  if (!self->filling)
    hl_studies_form_set_purpose (
        self, (HlStudyPurpose)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->goal)));
}

void
hl_studies_form_runs_cb (HlStudiesForm *self)
{
  if (!self->filling && self->draft != NULL)
    hl_studies_form_change (
        self,
        hl_study_draft_with_search (self->draft, "runs",
                                    gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->runs))),
        FALSE);
}

/* --- objectives --- */

static const char *const senses[] = {"minimize", "maximize"};

/* What an objective makes small or large; borrowed, NULL: nothing. */
static const char *
measure_of (const HlValue *item, int *sense)
{
  *sense = hl_value_member (item, senses[1]) != NULL;
  return hl_value_string (hl_value_member (item, senses[*sense]));
}

/* What a measure is called in the file: its name, else what it says. */
static const char *
name_of (const HlValue *measure)
{
  const char *name = hl_value_string (hl_value_member (measure, "name"));

  return name != NULL ? name : hl_study_draft_measure (measure);
}

static HlValue *
new_objective (int sense, const char *measure)
{
  HlValue *name = hl_value_new_string (measure);

  return hl_value_new_object_take (&senses[sense], &name, 1);
}

static void
edited_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  int place = hl_studies_form_place (GTK_WIDGET (line)), sense;
  const char *measure =
      measure_of (hl_study_draft_item (self->draft, HL_STUDY_OBJECTIVES, place), &sense);

  if (measure != NULL)
    hl_studies_form_change (
        self,
        hl_study_draft_put (self->draft, HL_STUDY_OBJECTIVES, place,
                            new_objective (hl_studies_line_choice (line), measure)),
        FALSE);
}

static void
removed_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  hl_studies_form_change (self,
                          hl_study_draft_put (self->draft, HL_STUDY_OBJECTIVES,
                                              hl_studies_form_place (GTK_WIDGET (line)), NULL),
                          TRUE);
}

static const HlValue *
find_measure (HlStudiesForm *self, const char *name)
{
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++) {
    const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, k);
    if (g_strcmp0 (name_of (item), name) == 0)
      return item;
  }
  return NULL;
}

void
hl_studies_form_add_objective_line (HlStudiesForm *self, int place)
{
  const char *const words[] = {_ ("as small as possible"), _ ("as large as possible"), NULL};
  int sense;
  const char *name =
      measure_of (hl_study_draft_item (self->draft, HL_STUDY_OBJECTIVES, place), &sense);
  HlStudiesLine *line = HL_STUDIES_LINE (hl_studies_form_new_line (
      self, HL_STUDY_OBJECTIVES, place, G_CALLBACK (edited_cb), G_CALLBACK (removed_cb)));
  const HlValue *measure = find_measure (self, name);
  g_autofree char *title =
      measure != NULL ? hl_studies_form_measure_title (self, hl_study_draft_measure (measure))
                      : g_strdup (name != NULL ? name : "");
  g_autofree char *detail =
      measure != NULL ? g_strdup (name) : g_strdup_printf (_ ("Nothing measures %s"), title);

  hl_studies_line_set_title (line, title, detail);
  hl_studies_line_set_choices (line, words, _ ("What is wanted of it"), sense);
  hl_studies_line_set_numbers (line, NULL, NULL);
}

static gboolean
is_wanted (HlStudiesForm *self, const char *name)
{
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_OBJECTIVES); k++) {
    int sense;
    if (g_strcmp0 (measure_of (hl_study_draft_item (self->draft, HL_STUDY_OBJECTIVES, k), &sense),
                   name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* The measures of which nothing is wanted yet. */
void
hl_studies_form_fill_objectives (HlStudiesForm *self)
{
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->objective_texts, 0);
  gtk_string_list_append (words, _ ("Want something of a measure…"));
  g_ptr_array_add (self->objective_texts, g_strdup (""));
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++) {
    const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, k);
    if (name_of (item) == NULL || is_wanted (self, name_of (item)))
      continue;
    g_autofree char *title = hl_studies_form_measure_title (self, hl_study_draft_measure (item));
    gtk_string_list_append (words, title);
    g_ptr_array_add (self->objective_texts, g_strdup (name_of (item)));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_objective), G_LIST_MODEL (words));
}

void
hl_studies_form_objective_added_cb (HlStudiesForm *self)
{
  const char *name = hl_studies_form_take_chosen (self, self->add_objective, self->objective_texts);

  if (name != NULL)
    hl_studies_form_change (
        self, hl_study_draft_put (self->draft, HL_STUDY_OBJECTIVES, -1, new_objective (0, name)),
        TRUE);
}
