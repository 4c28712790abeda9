/* SPDX-License-Identifier: MIT */
/* The draft is the truth: a line that is edited changes the draft, and the lines are made anew from it
 * when there are others. What a line cannot say (a table of values, what is measured of an element)
 * it names, and leaves as it is. */
#include "ui/study/hl-studies-form.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "core/document/hl-trace.h"
#include "core/study/hl-design.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/study/hl-studies-form-private.h"
#include "ui/study/hl-studies-line.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

#define USUAL_ROWS 256
#define USUAL_SPREAD 0.25 /* of a number without a slider, to both sides */

G_DEFINE_FINAL_TYPE (HlStudiesForm, hl_studies_form, GTK_TYPE_BOX)

/* What a line can say of a number: the two members of each distribution. */
static const struct
{
  const char *name, *keys[2], *words, *hints[2];
} distributions[] = {
    {"uniform", {"from", "to"}, N_ ("uniform"), {N_ ("from"), N_ ("to")}},
    {"log-uniform", {"from", "to"}, N_ ("log uniform"), {N_ ("from"), N_ ("to")}},
    {"normal", {"mean", "deviation"}, N_ ("normal"), {N_ ("mean"), N_ ("deviation")}},
};

const HlDocument *
hl_studies_form_document (HlStudiesForm *self)
{
  return hl_editing_document (hl_workbench_editing (self->workbench));
}

static void rebuild (GtkWidget *widget);

/* Takes the draft. */
void
hl_studies_form_change (HlStudiesForm *self, HlValue *draft, gboolean has_other_lines)
{
  hl_value_unref (self->draft);
  self->draft = draft;
  if (has_other_lines)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  g_signal_emit_by_name (self, "changed");
}

/* --- lines --- */

int
hl_studies_form_place (GtkWidget *line)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (line), "place"));
}

GtkWidget *
hl_studies_form_new_line (
    HlStudiesForm *self, HlStudyList list, int place, GCallback edited, GCallback removed)
{
  GtkWidget *line = hl_studies_line_new (),
            **boxes[] = {&self->numbers, &self->measures, &self->objectives, &self->tables};

  g_object_set_data (G_OBJECT (line), "place", GINT_TO_POINTER (place));
  g_signal_connect (line, "edited", edited, self);
  g_signal_connect (line, "removed", removed, self);
  gtk_box_append (GTK_BOX (*boxes[list]), line);
  return line;
}

/* --- numbers --- */

/* A number by a path of the model; FALSE: it has no such number. */
static gboolean
look_up (HlStudiesForm *self, const char *path, HlPathInfo *info, double *now)
{
  return hl_path_find (hl_studies_form_document (self), path, info, NULL) &&
         hl_document_get_number (hl_studies_form_document (self), path, now, NULL, NULL);
}

static const HlKnob *
knob_of (HlStudiesForm *self, char **paths)
{
  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));

  for (guint k = 0; k < knobs->len; k++) {
    const HlKnob *knob = knobs->pdata[k];
    if (g_strv_equal ((const char *const *)knob->paths, (const char *const *)paths))
      return knob;
  }
  return NULL;
}

static int
distribution_of (const HlValue *item)
{
  const char *name = hl_value_string (hl_value_member (item, "distribution"));

  for (gsize k = 0; k < G_N_ELEMENTS (distributions); k++)
    if (g_strcmp0 (distributions[k].name, name != NULL ? name : "uniform") == 0)
      return (int)k;
  return -1;
}

static void
number_edited_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  int place = hl_studies_form_place (GTK_WIDGET (line)), which = hl_studies_line_choice (line);
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_VARY, place);
  int before = distribution_of (item);

  if (item == NULL || before < 0)
    return;
  double values[2] = {hl_studies_line_value (line, 0), hl_studies_line_value (line, 1)};
  gboolean was_range = before < 2, is_range = which < 2;
  if (was_range && !is_range) { /* about the middle, nearly all within the ends */
    double from = values[0], to = values[1];
    values[0] = 0.5 * (from + to);
    values[1] = (to - from) / 4;
  } else if (!was_range && is_range) {
    double mean = values[0], deviation = values[1];
    values[0] = mean - 2 * deviation;
    values[1] = mean + 2 * deviation;
  }
  HlValue *next = hl_study_draft_with_text (item, "distribution", distributions[which].name);
  for (int k = 0; k < 2; k++) {
    HlValue *bare = was_range == is_range
                        ? hl_value_ref (next)
                        : hl_value_without_member (next, distributions[before].keys[k]);
    hl_value_unref (next);
    next = isnan (values[k])
               ? hl_value_without_member (bare, distributions[which].keys[k])
               : hl_study_draft_with_number (bare, distributions[which].keys[k], values[k]);
    hl_value_unref (bare);
  }
  hl_studies_form_change (self, hl_study_draft_put (self->draft, HL_STUDY_VARY, place, next),
                          before != which);
}

static void
number_removed_cb (HlStudiesLine *line, HlStudiesForm *self)
{
  hl_studies_form_change (self,
                          hl_study_draft_put (self->draft, HL_STUDY_VARY,
                                              hl_studies_form_place (GTK_WIDGET (line)), NULL),
                          TRUE);
}

static void
add_number_line (HlStudiesForm *self, int place)
{
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_VARY, place);
  g_auto (GStrv) paths = hl_study_draft_paths (item);
  const HlKnob *knob = knob_of (self, paths);
  GtkWidget *widget = hl_studies_form_new_line (
      self, HL_STUDY_VARY, place, G_CALLBACK (number_edited_cb), G_CALLBACK (number_removed_cb));
  HlStudiesLine *line = HL_STUDIES_LINE (widget);
  g_autofree char *all = g_strjoinv (", ", paths);
  int which = distribution_of (item);
  const char *words[G_N_ELEMENTS (distributions) + 1] = {NULL};
  HlPathInfo info;
  double now;

  gboolean is_there = paths[0] != NULL && look_up (self, paths[0], &info, &now);
  g_autofree char *detail =
      is_there ? g_strdup (all) : g_strdup_printf (_ ("The model has no number %s"), all);
  hl_studies_line_set_title (line, knob != NULL ? knob->label : all, detail);
  if (which < 0) { /* a table, or another that only a file can say */
    words[0] = hl_value_string (hl_value_member (item, "distribution"));
    hl_studies_line_set_choices (line, words, _ ("How it varies stands in the file"), 0);
    hl_studies_line_set_numbers (line, NULL, NULL);
    return;
  }
  for (gsize k = 0; k < G_N_ELEMENTS (distributions); k++)
    words[k] = _ (distributions[k].words);
  hl_studies_line_set_choices (line, words, _ ("How it varies"), which);
  const char *const hints[2] = {_ (distributions[which].hints[0]),
                                _ (distributions[which].hints[1])};
  hl_studies_line_set_numbers (line, hints,
                               hl_units_get (hl_workbench_units (self->workbench),
                                             is_there ? info.quantity : HL_QUANTITY_NONE));
  for (int k = 0; k < 2; k++)
    hl_studies_line_set_value (
        line, k, hl_value_number (hl_value_member (item, distributions[which].keys[k])));
}

/* Range of a slider; else about what the number is, within what it may be. */
static gboolean
add_number (HlStudiesForm *self, char **paths)
{
  const HlKnob *knob = knob_of (self, paths);
  double from = -INFINITY, to = INFINITY, now;
  HlPathInfo info;

  for (char **path = paths; *path != NULL; path++)
    if (!look_up (self, *path, &info, &now) || hl_study_draft_find_path (self->draft, *path) >= 0)
      return FALSE;
  if (paths[0] == NULL)
    return FALSE;
  if (knob != NULL) {
    from = knob->from;
    to = knob->to;
  } else {
    double spread = now != 0.0 ? USUAL_SPREAD * fabs (now) : 1.0;
    hl_path_narrow (&info, &from, &to);
    from = fmax (from, now - spread);
    to = fmin (to, now + spread);
  }
  HlValue *item = hl_study_draft_number ((const char *const *)paths, from, to,
                                         knob != NULL && knob->log && from > 0.0);
  hl_studies_form_change (self, hl_study_draft_put (self->draft, HL_STUDY_VARY, -1, item), TRUE);
  return TRUE;
}

/* --- the lists to choose from --- */

static void
fill_add_number (HlStudiesForm *self)
{
  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));
  g_auto (GStrv) paths = hl_document_list_paths (hl_studies_form_document (self), TRUE);
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->number_texts, 0);
  gtk_string_list_append (words, _ ("Add a number…"));
  g_ptr_array_add (self->number_texts, g_strdup (""));
  for (guint k = 0; k < knobs->len; k++) {
    const HlKnob *knob = knobs->pdata[k];
    gtk_string_list_append (words, knob->label);
    g_ptr_array_add (self->number_texts, g_strjoinv (",", knob->paths));
  }
  for (char **path = paths; *path != NULL; path++) {
    gtk_string_list_append (words, *path);
    g_ptr_array_add (self->number_texts, g_strdup (*path));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_number), G_LIST_MODEL (words));
}

const char *
hl_studies_form_take_chosen (HlStudiesForm *self, GtkWidget *list, GPtrArray *texts)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (list));

  if (self->filling || chosen == 0 || chosen >= texts->len)
    return NULL;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (list), 0);
  return texts->pdata[chosen];
}

static void
number_added_cb (HlStudiesForm *self)
{
  const char *text = hl_studies_form_take_chosen (self, self->add_number, self->number_texts);
  g_auto (GStrv) paths = g_strsplit (text != NULL ? text : "", ",", -1);

  if (text != NULL)
    add_number (self, paths);
}

static void
measure_added_cb (HlStudiesForm *self)
{
  const char *text = hl_studies_form_take_chosen (self, self->add_measure, self->measure_texts);

  if (text != NULL && *text == '=')
    hl_studies_form_add_measure (self, text + 1);
  else if (text != NULL)
    hl_studies_form_add_measure_of (self, text);
}

/* --- the design --- */

static void
show_design (HlStudiesForm *self)
{
  const HlValue *design = hl_value_member (self->draft, "design");
  const char *kind = hl_value_string (hl_value_member (design, "kind"));
  double n = hl_value_number (hl_value_member (design, "n")),
         seed = hl_value_number (hl_value_member (design, "seed"));
  int which = HL_DESIGN_SOBOL;

  for (int k = 0; hl_design_names[k] != NULL; k++)
    if (g_strcmp0 (kind, hl_design_names[k]) == 0)
      which = k;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->design), (guint)which);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->rows), isfinite (n) ? n : USUAL_ROWS);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->seed), isfinite (seed) ? seed : 0);
  gtk_label_set_text (self->rows_label, which == HL_DESIGN_GRID || which == HL_DESIGN_ONE_AT_A_TIME
                                            ? _ ("Values of each number")
                                        : which == HL_DESIGN_SALTELLI ? _ ("Base points")
                                                                      : _ ("Rows"));
}

static void
design_cb (HlStudiesForm *self)
{
  if (self->filling || self->draft == NULL)
    return;
  guint which = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->design));
  const HlValue *old = hl_value_member (self->draft, "design");
  g_autoptr (HlValue) kind = hl_study_draft_with_text (old, "kind", hl_design_names[which]);
  g_autoptr (HlValue) n = hl_study_draft_with_number (
      kind, "n", gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->rows)));
  HlValue *seed = hl_study_draft_with_number (
      n, "seed", gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->seed)));
  hl_studies_form_change (self, hl_value_with_member (self->draft, "design", seed), FALSE);
  self->filling = TRUE;
  show_design (self);
  self->filling = FALSE;
}

/* --- the whole --- */

static void
empty (GtkWidget *box)
{
  for (GtkWidget *line; (line = gtk_widget_get_first_child (box)) != NULL;)
    gtk_box_remove (GTK_BOX (box), line);
}

static void
rebuild (GtkWidget *widget)
{
  HlStudiesForm *self = HL_STUDIES_FORM (widget);

  if (self->workbench == NULL || self->draft == NULL)
    return;
  self->filling = TRUE;
  empty (self->numbers);
  empty (self->measures);
  empty (self->objectives);
  empty (self->tables);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_VARY); k++)
    add_number_line (self, k);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++)
    hl_studies_form_add_measure_line (self, k);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_OBJECTIVES); k++)
    hl_studies_form_add_objective_line (self, k);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_FIT_RUNS); k++)
    hl_studies_form_add_table_line (self, k);
  hl_studies_form_fill_objectives (self);
  hl_studies_form_show_goal (self);
  show_design (self);
  self->filling = FALSE;
}

void
hl_studies_form_refresh (HlStudiesForm *self)
{
  self->filling = TRUE;
  fill_add_number (self);
  hl_studies_form_fill_measures (self);
  hl_studies_form_fill_tables (self);
  self->filling = FALSE;
  hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

static gboolean
is_probe (HlStudiesForm *self, const char *text)
{
  HlProbe probe;

  for (int k = 0; k < hl_document_n_recorded (hl_studies_form_document (self)); k++)
    if (hl_document_recorded (hl_studies_form_document (self), k, &probe) &&
        g_strcmp0 (probe.id, text) == 0)
      return TRUE;
  return FALSE;
}

/* What one would look at first of an element. */
static gboolean
add_element (HlStudiesForm *self, const char *id)
{
  g_autoptr (GPtrArray) entries = hl_trace_entries_of_probes (hl_studies_form_document (self));
  g_auto (GStrv) paths = hl_document_list_paths (hl_studies_form_document (self), FALSE);
  gboolean any = FALSE;

  if (hl_document_find (hl_studies_form_document (self), id, NULL, NULL) == NULL)
    return FALSE;
  for (char **path = paths; *path != NULL; path++)
    g_ptr_array_add (entries, hl_trace_entry_new (hl_studies_form_document (self), *path));
  g_auto (GStrv) usual = hl_trace_usual_of_element (entries, id);
  for (char **trace = usual; *trace != NULL; trace++)
    any = hl_studies_form_add_measure_of (self, *trace) || any;
  return any;
}

gboolean
hl_studies_form_drop (HlStudiesForm *self, const char *text)
{
  g_auto (GStrv) paths = g_strsplit (text, ",", -1);

  return is_probe (self, text)      ? hl_studies_form_add_measure_of (self, text)
         : add_number (self, paths) ? TRUE
         : hl_document_find (hl_studies_form_document (self), text, NULL, NULL) != NULL
             ? add_element (self, text)
         : hl_trace_info (hl_studies_form_document (self), text).known
             ? hl_studies_form_add_measure_of (self, text)
             : FALSE;
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlStudiesForm *self)
{
  return G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) != NULL &&
         hl_studies_form_drop (self, g_value_get_string (value));
}

/* --- life --- */

static void
hl_studies_form_finalize (GObject *object)
{
  HlStudiesForm *self = HL_STUDIES_FORM (object);

  hl_value_unref (self->draft);
  g_ptr_array_unref (self->number_texts);
  g_ptr_array_unref (self->measure_texts);
  g_ptr_array_unref (self->objective_texts);
  g_ptr_array_unref (self->table_texts);
  G_OBJECT_CLASS (hl_studies_form_parent_class)->finalize (object);
}

static void
hl_studies_form_dispose (GObject *object)
{
  g_clear_pointer (&HL_STUDIES_FORM (object)->chooser, hl_file_chooser_end);
  G_OBJECT_CLASS (hl_studies_form_parent_class)->dispose (object);
}

static void
hl_studies_form_class_init (HlStudiesFormClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_studies_form_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_studies_form_finalize;
  hl_widget_tree_load (klass, "hl-studies-form");
  g_signal_new ("changed", HL_TYPE_STUDIES_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  HL_TREE_CHILD (klass, HlStudiesForm, numbers);
  HL_TREE_CHILD (klass, HlStudiesForm, measures);
  HL_TREE_CHILD (klass, HlStudiesForm, add_number);
  HL_TREE_CHILD (klass, HlStudiesForm, add_measure);
  HL_TREE_CHILD (klass, HlStudiesForm, design);
  HL_TREE_CHILD (klass, HlStudiesForm, rows);
  HL_TREE_CHILD (klass, HlStudiesForm, rows_label);
  HL_TREE_CHILD (klass, HlStudiesForm, seed);
  HL_TREE_CHILD (klass, HlStudiesForm, goal);
  HL_TREE_CHILD (klass, HlStudiesForm, objectives);
  HL_TREE_CHILD (klass, HlStudiesForm, add_objective);
  HL_TREE_CHILD (klass, HlStudiesForm, runs);
  HL_TREE_CHILD (klass, HlStudiesForm, tables);
  HL_TREE_CHILD (klass, HlStudiesForm, add_table);
  HL_TREE_CHILD (klass, HlStudiesForm, measure_group);
  HL_TREE_CHILD (klass, HlStudiesForm, fit_group);
  HL_TREE_CHILD (klass, HlStudiesForm, objective_group);
  HL_TREE_CHILD (klass, HlStudiesForm, design_group);
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "goal_cb",
                                                G_CALLBACK (hl_studies_form_goal_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "objective_added_cb",
                                                G_CALLBACK (hl_studies_form_objective_added_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "runs_cb",
                                                G_CALLBACK (hl_studies_form_runs_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "table_added_cb",
                                                G_CALLBACK (hl_studies_form_table_added_cb));
  HL_TREE_CALLBACK (klass, number_added_cb);
  HL_TREE_CALLBACK (klass, measure_added_cb);
  HL_TREE_CALLBACK (klass, design_cb);
}

static void
hl_studies_form_init (HlStudiesForm *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);

  self->number_texts = g_ptr_array_new_with_free_func (g_free);
  self->measure_texts = g_ptr_array_new_with_free_func (g_free);
  self->objective_texts = g_ptr_array_new_with_free_func (g_free);
  self->table_texts = g_ptr_array_new_with_free_func (g_free);
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->filling = FALSE;
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  hl_studies_form_take_files (self);
  self->draft = hl_study_draft_new (USUAL_ROWS);
}

void
hl_studies_form_set_workbench (HlStudiesForm *self, HlWorkbench *workbench)
{
  self->workbench = workbench;
  hl_studies_form_refresh (self);
  hl_rebuild_now (GTK_WIDGET (self));
}

const HlValue *
hl_studies_form_draft (HlStudiesForm *self)
{
  return self->draft;
}

void
hl_studies_form_set_draft (HlStudiesForm *self, const HlValue *draft)
{
  self->purpose = hl_study_draft_purpose (draft);
  hl_studies_form_change (self, hl_value_ref (draft), TRUE);
}
