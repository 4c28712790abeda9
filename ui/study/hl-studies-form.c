/* SPDX-License-Identifier: MIT */
/* The form of a study: numbers that vary, measures, objectives, measured tables. The draft holds the data: an
 * edited line changes the draft, and the lines are rebuilt from the draft when lines are added or removed.
 * Content that a line cannot edit (a table of values, a measure of an element) is named in the line and kept
 * unchanged. */
#include "ui/study/hl-studies-form.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-trace-name.h"
#include "core/study/hl-study-design.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define DIGITS 6

struct _HlStudiesLine {
  GtkBox parent_instance;
  GtkLabel *title, *unit;
  GtkWidget *remove, *choice, *low, *between, *high;
  const HlUnit *shown; /* unit; NULL: none */
  double values[2];    /* SI; NAN: empty */
  gboolean filling;    /* set, not typed */
};

G_DEFINE_FINAL_TYPE (HlStudiesLine, hl_studies_line, GTK_TYPE_BOX)

static GtkWidget *entry_of (HlStudiesLine *self, int which) {
  return which == 0 ? self->low : self->high;
}

static void mark_wrong (GtkWidget *entry, const char *wrong) {
  if (wrong != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, wrong);
}

/* Reads an entry. An invalid text stays and is marked with the reason. */
static gboolean read_entry (HlStudiesLine *self, int which, double *si) {
  GtkWidget *entry = entry_of (self, which);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_autoptr (GError) error = NULL;
  HlQuantity quantity = self->shown != NULL ? self->shown->quantity : HL_QUANTITY_NONE;

  *si = NAN;
  if (*text != '\0')
    hl_unit_parse_typed (text, quantity, self->shown, si, NULL, &error);
  mark_wrong (entry, error != NULL ? error->message : NULL);
  return error == NULL;
}

static gboolean is_same (double a, double b) {
  return a == b || (isnan (a) && isnan (b));
}

static void apply_cb (HlStudiesLine *self) {
  gboolean is_other = FALSE;

  if (self->filling)
    return;
  for (int which = 0; which < 2; which++) {
    double si;
    if (!gtk_widget_get_visible (entry_of (self, which)) || !read_entry (self, which, &si))
      continue;
    /* the shown number has fewer digits than its value */
    g_autofree char *now = isnan (self->values[which])
                               ? g_strdup ("")
                               : hl_unit_format_entry (self->shown, self->values[which], DIGITS);
    if (strcmp (now, gtk_editable_get_text (GTK_EDITABLE (entry_of (self, which)))) == 0 ||
        is_same (si, self->values[which]))
      continue;
    self->values[which] = si;
    is_other = TRUE;
  }
  if (is_other)
    g_signal_emit_by_name (self, "edited");
}

static void left_cb (GtkEventControllerFocus *controller, HlStudiesLine *self) {
  apply_cb (self);
}

static void chosen_cb (HlStudiesLine *self) {
  if (!self->filling)
    g_signal_emit_by_name (self, "edited");
}

static void remove_cb (GtkButton *button, HlStudiesLine *self) {
  g_signal_emit_by_name (self, "removed");
}

static void hl_studies_line_class_init (HlStudiesLineClass *klass) {
  hl_widget_tree_load (klass, "hl-studies-line");
  g_signal_new ("edited", HL_TYPE_STUDIES_LINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("removed", HL_TYPE_STUDIES_LINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  HL_TREE_CHILD (klass, HlStudiesLine, title);
  HL_TREE_CHILD (klass, HlStudiesLine, unit);
  HL_TREE_CHILD (klass, HlStudiesLine, remove);
  HL_TREE_CHILD (klass, HlStudiesLine, choice);
  HL_TREE_CHILD (klass, HlStudiesLine, low);
  HL_TREE_CHILD (klass, HlStudiesLine, between);
  HL_TREE_CHILD (klass, HlStudiesLine, high);
  HL_TREE_CALLBACK (klass, apply_cb);
  HL_TREE_CALLBACK (klass, chosen_cb);
  HL_TREE_CALLBACK (klass, remove_cb);
}

static void hl_studies_line_init (HlStudiesLine *self) {
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->values[0] = self->values[1] = NAN;
  for (int which = 0; which < 2; which++) {
    GtkEventController *focus = gtk_event_controller_focus_new ();
    g_signal_connect (focus, "leave", G_CALLBACK (left_cb), self);
    gtk_widget_add_controller (entry_of (self, which), focus);
  }
  self->filling = FALSE;
}

static GtkWidget *line_new (void) {
  return g_object_new (HL_TYPE_STUDIES_LINE, NULL);
}

/* Sets the title of a line; `detail` becomes the tooltip; both are copied. */
static void line_set_title (HlStudiesLine *self, const char *title, const char *detail) {
  g_autofree char *remove = g_strdup_printf (_ ("Remove %s from the study"), title);

  gtk_label_set_text (self->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), detail);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remove), GTK_ACCESSIBLE_PROPERTY_LABEL, remove, -1);
}

/* Sets the choices, NULL-terminated; NULL: no choice. `name` is the accessible name. */
static void line_set_choices (HlStudiesLine *self, const char *const *words, const char *name, int chosen) {
  g_autoptr (GtkStringList) list = gtk_string_list_new (words);

  self->filling = TRUE;
  gtk_widget_set_visible (self->choice, words != NULL);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), (guint)chosen);
  gtk_widget_set_tooltip_text (self->choice, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  self->filling = FALSE;
}

static int line_choice (HlStudiesLine *self) {
  return (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
}

/* Sets names and hints of the two numbers, and their unit; NULL: no numbers. */
static void line_set_numbers (HlStudiesLine *self, const char *const names[2], const HlUnit *unit) {
  self->shown = unit;
  gtk_widget_set_visible (self->low, names != NULL);
  gtk_widget_set_visible (self->between, names != NULL);
  gtk_widget_set_visible (self->high, names != NULL);
  gtk_label_set_text (self->unit, unit != NULL && strcmp (unit->symbol, "1") != 0 ? unit->symbol : "");
  for (int which = 0; names != NULL && which < 2; which++) {
    g_autofree char *name = g_strdup_printf ("%s, %s", gtk_label_get_text (self->title), names[which]);
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry_of (self, which)), names[which]);
    gtk_accessible_update_property (GTK_ACCESSIBLE (entry_of (self, which)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    name, -1);
  }
}

/* Shows a value [SI] in an entry; the entry is empty if the value is not finite. */
static void line_set_value (HlStudiesLine *self, int which, double si) {
  GtkWidget *entry = entry_of (self, which);

  self->values[which] = isfinite (si) ? si : NAN;
  g_autofree char *text = isfinite (si) ? hl_unit_format_entry (self->shown, si, DIGITS) : g_strdup ("");
  self->filling = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  mark_wrong (entry, NULL);
  self->filling = FALSE;
}

static double line_value (HlStudiesLine *self, int which) {
  return self->values[which];
}

struct _HlStudiesForm {
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

static const HlDocument *document (HlStudiesForm *self);
static void set_draft (HlStudiesForm *self, HlValue *draft, gboolean has_other_lines);
static GtkWidget *new_line (HlStudiesForm *self, HlStudyList list, int place, GCallback edited,
                            GCallback removed);
static const char *read_choice (HlStudiesForm *self, GtkWidget *list, GPtrArray *texts);
static int studies_form_place (GtkWidget *line);
static char *measure_title (HlStudiesForm *self, const char *text);
static void show_goal (HlStudiesForm *self);

/* The purpose of a study, and the objectives of an optimum. */

#define USUAL_RUNS 200

HlStudyPurpose hl_studies_form_purpose (HlStudiesForm *self) {
  return self->purpose;
}

void hl_studies_form_set_purpose (HlStudiesForm *self, HlStudyPurpose purpose) {
  self->purpose = purpose;
  self->filling = TRUE;
  show_goal (self);
  self->filling = FALSE;
  g_signal_emit_by_name (self, "changed");
}

/* Shows the purpose of the study. The entries of the list are in the order of HlStudyPurpose. */
static void show_goal (HlStudiesForm *self) {
  double runs = hl_value_number (hl_value_member (hl_value_member (self->draft, "optimize"), "runs"));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->goal), (guint)self->purpose);
  gtk_widget_set_visible (self->measure_group, self->purpose != HL_STUDY_FIT);
  gtk_widget_set_visible (self->fit_group, self->purpose == HL_STUDY_FIT);
  gtk_widget_set_visible (self->objective_group, self->purpose == HL_STUDY_OPTIMIZE);
  gtk_widget_set_visible (self->design_group, self->purpose == HL_STUDY_ROWS);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->runs), isfinite (runs) ? runs : USUAL_RUNS);
}

static void goal_cb (HlStudiesForm *self) {
  if (!self->filling)
    hl_studies_form_set_purpose (self,
                                 (HlStudyPurpose)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->goal)));
}

static void runs_cb (HlStudiesForm *self) {
  if (!self->filling && self->draft != NULL)
    set_draft (self,
               hl_study_draft_with_search (self->draft, "runs",
                                           gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->runs))),
               FALSE);
}

/* --- objectives --- */

static const char *const senses[] = {"minimize", "maximize"};

/* Returns the measure of an objective; borrowed, NULL: none. */
static const char *measure_of (const HlValue *item, int *sense) {
  *sense = hl_value_member (item, senses[1]) != NULL;
  return hl_value_string (hl_value_member (item, senses[*sense]));
}

/* Returns the name of a measure in the file: its name, else its text. */
static const char *name_of (const HlValue *measure) {
  const char *name = hl_value_string (hl_value_member (measure, "name"));

  return name != NULL ? name : hl_study_draft_measure (measure);
}

static HlValue *new_objective (int sense, const char *measure) {
  HlValue *name = hl_value_new_string (measure);

  return hl_value_new_object_take (&senses[sense], &name, 1);
}

static void objective_edited_cb (HlStudiesLine *line, HlStudiesForm *self) {
  int place = studies_form_place (GTK_WIDGET (line)), sense;
  const char *measure = measure_of (hl_study_draft_item (self->draft, HL_STUDY_OBJECTIVES, place), &sense);

  if (measure != NULL)
    set_draft (self,
               hl_study_draft_put (self->draft, HL_STUDY_OBJECTIVES, place,
                                   new_objective (line_choice (line), measure)),
               FALSE);
}

static void objective_removed_cb (HlStudiesLine *line, HlStudiesForm *self) {
  set_draft (
      self,
      hl_study_draft_put (self->draft, HL_STUDY_OBJECTIVES, studies_form_place (GTK_WIDGET (line)), NULL),
      TRUE);
}

static const HlValue *find_measure (HlStudiesForm *self, const char *name) {
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++) {
    const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, k);
    if (g_strcmp0 (name_of (item), name) == 0)
      return item;
  }
  return NULL;
}

static void add_objective_line (HlStudiesForm *self, int place) {
  const char *const words[] = {_ ("minimize"), _ ("maximize"), NULL};
  int sense;
  const char *name = measure_of (hl_study_draft_item (self->draft, HL_STUDY_OBJECTIVES, place), &sense);
  HlStudiesLine *line = HL_STUDIES_LINE (new_line (
      self, HL_STUDY_OBJECTIVES, place, G_CALLBACK (objective_edited_cb), G_CALLBACK (objective_removed_cb)));
  const HlValue *measure = find_measure (self, name);
  g_autofree char *title = measure != NULL ? measure_title (self, hl_study_draft_measure (measure))
                                           : g_strdup (name != NULL ? name : "");
  g_autofree char *detail =
      measure != NULL ? g_strdup (name) : g_strdup_printf (_ ("There is no measure of %s"), title);

  line_set_title (line, title, detail);
  line_set_choices (line, words, _ ("Objective for this measure"), sense);
  line_set_numbers (line, NULL, NULL);
}

static gboolean is_wanted (HlStudiesForm *self, const char *name) {
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_OBJECTIVES); k++) {
    int sense;
    if (g_strcmp0 (measure_of (hl_study_draft_item (self->draft, HL_STUDY_OBJECTIVES, k), &sense), name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Fills the list of measures that have no objective yet. */
static void fill_objectives (HlStudiesForm *self) {
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->objective_texts, 0);
  gtk_string_list_append (words, _ ("Add an objective…"));
  g_ptr_array_add (self->objective_texts, g_strdup (""));
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++) {
    const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, k);
    if (name_of (item) == NULL || is_wanted (self, name_of (item)))
      continue;
    g_autofree char *title = measure_title (self, hl_study_draft_measure (item));
    gtk_string_list_append (words, title);
    g_ptr_array_add (self->objective_texts, g_strdup (name_of (item)));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_objective), G_LIST_MODEL (words));
}

static void objective_added_cb (HlStudiesForm *self) {
  const char *name = read_choice (self, self->add_objective, self->objective_texts);

  if (name != NULL)
    set_draft (self, hl_study_draft_put (self->draft, HL_STUDY_OBJECTIVES, -1, new_objective (0, name)),
               TRUE);
}

/* The measures of a study in its form: lines, limits, and the list to choose from. */

/* Measures of a probe in a run. */
static const struct {
  const char *name, *words;
} kinds[] = {
    {"max", N_ ("maximum")},
    {"min", N_ ("minimum")},
    {"last", N_ ("final value")},
    {"mean", N_ ("mean")},
    {"rms", N_ ("root mean square")},
    {"settling", N_ ("settling time")},
    {"overshoot", N_ ("overshoot")},
    {"rise", N_ ("rise time")},
    {"max-time", N_ ("time of the maximum")},
};

/* Measures without a probe. */
static const struct {
  const char *name, *words;
} others[] = {
    {"lost:*", N_ ("total energy lost")},
    {"supplied:*", N_ ("total energy supplied")},
    {"reached", N_ ("end time of the run")},
    {"growth", N_ ("largest Re λ at the start")},
    {"damping", N_ ("minimum damping ratio at the start")},
};

/* Splits "KIND:PROBE": returns the index in `kinds`, and the probe in *of (owned by the caller); -1: another
 * kind. */
static int kind_of (const char *text, char **of) {
  const char *colon = text != NULL ? strchr (text, ':') : NULL;

  *of = NULL;
  for (gsize k = 0; colon != NULL && strchr (colon + 1, ':') == NULL && k < G_N_ELEMENTS (kinds); k++)
    if (strlen (kinds[k].name) == (gsize)(colon - text) &&
        strncmp (kinds[k].name, text, (gsize)(colon - text)) == 0) {
      *of = g_strdup (colon + 1);
      return (int)k;
    }
  return -1;
}

static HlValue *with_limits (HlValue *taken, HlStudiesLine *line) {
  static const char *const keys[2] = {"min", "max"};
  g_autoptr (HlValue) item = taken;

  for (int k = 0; k < 2; k++) {
    double value = line_value (line, k);
    if (isnan (value) && hl_value_member (item, keys[k]) == NULL)
      continue;
    if (!hl_value_is_object (item)) {
      HlValue *member = hl_value_ref (item);
      hl_value_unref (item);
      item = hl_value_new_object_take ((const char *const[]){"measure"}, &member, 1);
    }
    HlValue *next = isnan (value) ? hl_value_without_member (item, keys[k])
                                  : hl_study_draft_with_number (item, keys[k], value);
    hl_value_unref (item);
    item = next;
  }
  return g_steal_pointer (&item);
}

static void measure_edited_cb (HlStudiesLine *line, HlStudiesForm *self) {
  int place = studies_form_place (GTK_WIDGET (line)), which = line_choice (line);
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, place);
  g_autofree char *of = NULL;
  int before = kind_of (hl_study_draft_measure (item), &of);

  if (item == NULL)
    return;
  HlValue *next = hl_value_ref (item);
  if (before >= 0 && which != before) {
    g_autofree char *text = g_strdup_printf ("%s:%s", kinds[which].name, of);
    hl_value_unref (next);
    next = hl_study_draft_with_measure (item, text);
  }
  set_draft (self, hl_study_draft_put (self->draft, HL_STUDY_MEASURES, place, with_limits (next, line)),
             which != before);
}

static void measure_removed_cb (HlStudiesLine *line, HlStudiesForm *self) {
  set_draft (
      self, hl_study_draft_put (self->draft, HL_STUDY_MEASURES, studies_form_place (GTK_WIDGET (line)), NULL),
      TRUE);
}

/* Returns the quantity of a measure's limits. */
static HlQuantity quantity_of (HlStudiesForm *self, int kind, const char *of) {
  HlTraceInfo info = hl_trace_info (document (self), of);

  return kind <= 3                                     ? info.quantity
         : strcmp (kinds[kind].name, "rms") == 0       ? hl_quantity_of_si (hl_quantity_si (info.quantity))
         : strcmp (kinds[kind].name, "overshoot") == 0 ? HL_QUANTITY_NONE
                                                       : HL_QUANTITY_TIME;
}

static const char *words_of (const char *measure) {
  for (gsize k = 0; k < G_N_ELEMENTS (others); k++)
    if (g_strcmp0 (others[k].name, measure) == 0)
      return _ (others[k].words);
  return measure != NULL ? measure : "";
}

/* Returns the title of a measure; owned by the caller. */
static char *measure_title (HlStudiesForm *self, const char *text) {
  g_autofree char *of = NULL;
  int which = kind_of (text, &of);

  if (which < 0)
    return g_strdup (words_of (text));
  HlTraceInfo info = hl_trace_info (document (self), of);
  return g_strdup_printf ("%s: %s", info.known ? info.label : of, _ (kinds[which].words));
}

static void add_measure_line (HlStudiesForm *self, int place) {
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_MEASURES, place);
  const char *text = hl_study_draft_measure (item);
  const char *const hints[2] = {_ ("min"), _ ("max")};
  GtkWidget *widget = new_line (self, HL_STUDY_MEASURES, place, G_CALLBACK (measure_edited_cb),
                                G_CALLBACK (measure_removed_cb));
  HlStudiesLine *line = HL_STUDIES_LINE (widget);
  g_autofree char *of = NULL;
  int which = kind_of (text, &of);
  const char *words[G_N_ELEMENTS (kinds) + 1] = {NULL};

  if (which < 0) {
    line_set_title (line, words_of (text), text);
    line_set_choices (line, NULL, NULL, 0);
    line_set_numbers (line, NULL, NULL);
    return;
  }
  HlTraceInfo info = hl_trace_info (document (self), of);
  g_autofree char *detail =
      info.known ? g_strdup (text) : g_strdup_printf (_ ("The model has no element %s"), of);
  line_set_title (line, info.known ? info.label : of, detail);
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    words[k] = _ (kinds[k].words);
  line_set_choices (line, words, _ ("Measure of this quantity"), which);
  line_set_numbers (line, hints,
                    hl_units_get (hl_workbench_units (self->workbench), quantity_of (self, which, of)));
  line_set_value (line, 0, hl_value_number (hl_value_member (item, "min")));
  line_set_value (line, 1, hl_value_number (hl_value_member (item, "max")));
}

/* Adds the measure "KIND:OF"; FALSE: it exists already. */
static gboolean studies_form_add_measure (HlStudiesForm *self, const char *text) {
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++)
    if (g_strcmp0 (hl_study_draft_measure (hl_study_draft_item (self->draft, HL_STUDY_MEASURES, k)), text) ==
        0)
      return FALSE;
  set_draft (self, hl_study_draft_put (self->draft, HL_STUDY_MEASURES, -1, hl_value_new_string (text)), TRUE);
  return TRUE;
}

/* Adds the maximum of a trace as a measure, or the first statistic of it that is no measure yet. */
static gboolean add_measure_of (HlStudiesForm *self, const char *trace) {
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autofree char *text = g_strdup_printf ("%s:%s", kinds[k].name, trace);
    if (studies_form_add_measure (self, text))
      return TRUE;
  }
  return FALSE;
}

static void fill_measures (HlStudiesForm *self) {
  g_autoptr (GPtrArray) probes = hl_trace_entries_of_probes (document (self));
  g_auto (GStrv) paths = hl_document_list_paths (document (self), FALSE);
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->measure_texts, 0);
  gtk_string_list_append (words, _ ("Add a measure…"));
  g_ptr_array_add (self->measure_texts, g_strdup (""));
  for (guint k = 0; k < probes->len; k++) {
    const HlTraceEntry *entry = probes->pdata[k];
    gtk_string_list_append (words, entry->title);
    g_ptr_array_add (self->measure_texts, g_strdup (entry->trace));
  }
  for (gsize k = 0; k < G_N_ELEMENTS (others); k++) {
    gtk_string_list_append (words, _ (others[k].words));
    g_ptr_array_add (self->measure_texts, g_strconcat ("=", others[k].name, NULL));
  }
  for (char **path = paths; *path != NULL; path++) {
    HlPathInfo info;
    if (!hl_path_find (document (self), *path, &info, NULL) || info.type != HL_PATH_OUTPUT)
      continue;
    gtk_string_list_append (words, *path);
    g_ptr_array_add (self->measure_texts, g_strdup (*path));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_measure), G_LIST_MODEL (words));
}

/* The measured tables that a study is fitted to: chosen from those that the model names, from a file,
 * or dropped. */

#define FROM_FILE "?"
#define USUAL_OFFSET 0.1 /* to both sides [s] */

static const char *file_of (const HlValue *item) {
  return hl_value_string (hl_value_member (item, "file"));
}

/* Updates the time offset of a table. A given number stays until the user requests a fit of the offset. */
static void table_edited_cb (HlStudiesLine *line, HlStudiesForm *self) {
  int place = studies_form_place (GTK_WIDGET (line));
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_FIT_RUNS, place);
  gboolean was_sought = hl_value_is_object (hl_value_member (item, "offset")),
           is_sought = line_choice (line) == 1;
  double from = line_value (line, 0), to = line_value (line, 1);

  if (item == NULL)
    return;
  if (!is_sought) {
    if (was_sought)
      set_draft (self,
                 hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, place,
                                     hl_value_without_member (item, "offset")),
                 TRUE);
    return;
  }
  HlValue *ends[] = {hl_value_new_number (was_sought && isfinite (from) ? from : -USUAL_OFFSET),
                     hl_value_new_number (was_sought && isfinite (to) ? to : USUAL_OFFSET)};
  HlValue *offset = hl_value_new_object_take ((const char *const[]){"from", "to"}, ends, 2);
  set_draft (self,
             hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, place,
                                 hl_value_with_member (item, "offset", offset)),
             !was_sought);
}

static void table_removed_cb (HlStudiesLine *line, HlStudiesForm *self) {
  set_draft (
      self, hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, studies_form_place (GTK_WIDGET (line)), NULL),
      TRUE);
}

static void add_table_line (HlStudiesForm *self, int place) {
  const char *const words[] = {_ ("times of the table"), _ ("with a fitted time offset"), NULL};
  const char *const hints[] = {_ ("from"), _ ("to")};
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_FIT_RUNS, place),
                *offset = hl_value_member (item, "offset");
  HlStudiesLine *line = HL_STUDIES_LINE (
      new_line (self, HL_STUDY_FIT_RUNS, place, G_CALLBACK (table_edited_cb), G_CALLBACK (table_removed_cb)));
  const char *file = file_of (item);
  g_autofree char *name = g_path_get_basename (file != NULL ? file : "");
  gboolean is_sought = hl_value_is_object (offset);

  line_set_title (line, name, file);
  line_set_choices (line, words, _ ("Times of the data"), is_sought);
  line_set_numbers (line, is_sought ? hints : NULL,
                    is_sought ? hl_quantity_default_unit (HL_QUANTITY_TIME) : NULL);
  if (!is_sought)
    return;
  line_set_value (line, 0, hl_value_number (hl_value_member (offset, "from")));
  line_set_value (line, 1, hl_value_number (hl_value_member (offset, "to")));
}

gboolean hl_studies_form_add_table (HlStudiesForm *self, const char *path) {
  HlValue *file = hl_value_new_string (path);
  HlValue *item = hl_value_new_object_take ((const char *const[]){"file"}, &file, 1);

  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_FIT_RUNS); k++)
    if (g_strcmp0 (file_of (hl_study_draft_item (self->draft, HL_STUDY_FIT_RUNS, k)), path) == 0) {
      hl_value_unref (item);
      return FALSE;
    }
  self->purpose = HL_STUDY_FIT;
  set_draft (self, hl_study_draft_put (self->draft, HL_STUDY_FIT_RUNS, -1, item), TRUE);
  return TRUE;
}

static void fill_tables (HlStudiesForm *self) {
  GPtrArray *shelf = hl_measured_tables_data (hl_workbench_measured (self->workbench));
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->table_texts, 0);
  gtk_string_list_append (words, _ ("Add measured data…"));
  g_ptr_array_add (self->table_texts, g_strdup (""));
  for (guint k = 0; k < shelf->len; k++) {
    const HlMeasuredData *data = shelf->pdata[k];
    gtk_string_list_append (words, data->name);
    g_ptr_array_add (self->table_texts, g_strdup (data->path));
  }
  gtk_string_list_append (words, _ ("From a file…"));
  g_ptr_array_add (self->table_texts, g_strdup (FROM_FILE));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_table), G_LIST_MODEL (words));
}

static void response_cb (HlFileChooser *dialog, int response, HlStudiesForm *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    hl_studies_form_add_table (self, path);
}

static void ask_file (HlStudiesForm *self) {
  HlFileChooser *native = hl_file_chooser_new (
      _ ("Measured data"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), FALSE, _ ("_Open"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Tables (.csv)"));
  gtk_file_filter_add_pattern (filter, "*.csv");
  hl_file_chooser_add_filter (native, filter);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = native;
  g_signal_connect_object (native, "response", G_CALLBACK (response_cb), self, 0);
  hl_file_chooser_show (native);
}

static void table_added_cb (HlStudiesForm *self) {
  const char *path = read_choice (self, self->add_table, self->table_texts);

  if (g_strcmp0 (path, FROM_FILE) == 0)
    ask_file (self);
  else if (path != NULL)
    hl_studies_form_add_table (self, path);
}

static gboolean table_drop_cb (GtkDropTarget *target, const GValue *value, double x, double y,
                               HlStudiesForm *self) {
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  gboolean any = FALSE;

  for (GSList *l = files; l != NULL; l = l->next) {
    const char *path = g_file_peek_path (l->data);
    if (path != NULL && g_str_has_suffix (path, ".csv"))
      any = hl_studies_form_add_table (self, path) || any;
  }
  return any;
}

/* Lets files be dropped. */
static void accept_dropped_files (HlStudiesForm *self) {
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "drop", G_CALLBACK (table_drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

#define USUAL_ROWS 256
#define USUAL_SPREAD 0.25 /* of a number without a slider, to both sides */

G_DEFINE_FINAL_TYPE (HlStudiesForm, hl_studies_form, GTK_TYPE_BOX)

/* Entries of a number's line: the two members of each distribution. */
static const struct {
  const char *name, *keys[2], *words, *hints[2];
} distributions[] = {
    {"uniform", {"from", "to"}, N_ ("uniform"), {N_ ("from"), N_ ("to")}},
    {"log-uniform", {"from", "to"}, N_ ("log uniform"), {N_ ("from"), N_ ("to")}},
    {"normal", {"mean", "deviation"}, N_ ("normal"), {N_ ("mean"), N_ ("deviation")}},
};

static const HlDocument *document (HlStudiesForm *self) {
  return hl_editing_document (hl_workbench_editing (self->workbench));
}

static void rebuild (GtkWidget *widget);

/* Makes `draft`, which it takes, the draft of the form. */
static void set_draft (HlStudiesForm *self, HlValue *draft, gboolean has_other_lines) {
  hl_value_unref (self->draft);
  self->draft = draft;
  if (has_other_lines)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  g_signal_emit_by_name (self, "changed");
}

/* --- lines --- */

/* Returns the index of a line in its list. */
static int studies_form_place (GtkWidget *line) {
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (line), "place"));
}

static GtkWidget *new_line (HlStudiesForm *self, HlStudyList list, int place, GCallback edited,
                            GCallback removed) {
  GtkWidget *line = line_new (),
            **boxes[] = {&self->numbers, &self->measures, &self->objectives, &self->tables};

  g_object_set_data (G_OBJECT (line), "place", GINT_TO_POINTER (place));
  g_signal_connect (line, "edited", edited, self);
  g_signal_connect (line, "removed", removed, self);
  gtk_box_append (GTK_BOX (*boxes[list]), line);
  return line;
}

/* --- numbers --- */

/* Finds a number of the model by its path; FALSE: there is no such number. */
static gboolean look_up (HlStudiesForm *self, const char *path, HlPathInfo *info, double *now) {
  return hl_path_find (document (self), path, info, NULL) &&
         hl_document_get_number (document (self), path, now, NULL, NULL);
}

static const HlModelSlider *model_slider_of (HlStudiesForm *self, char **paths) {
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));

  for (guint k = 0; k < model_sliders->len; k++) {
    const HlModelSlider *model_slider = model_sliders->pdata[k];
    if (g_strv_equal ((const char *const *)model_slider->paths, (const char *const *)paths))
      return model_slider;
  }
  return NULL;
}

static int distribution_of (const HlValue *item) {
  const char *name = hl_value_string (hl_value_member (item, "distribution"));

  for (gsize k = 0; k < G_N_ELEMENTS (distributions); k++)
    if (g_strcmp0 (distributions[k].name, name != NULL ? name : "uniform") == 0)
      return (int)k;
  return -1;
}

static void number_edited_cb (HlStudiesLine *line, HlStudiesForm *self) {
  int place = studies_form_place (GTK_WIDGET (line)), which = line_choice (line);
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_VARY, place);
  int before = distribution_of (item);

  if (item == NULL || before < 0)
    return;
  double values[2] = {line_value (line, 0), line_value (line, 1)};
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
    HlValue *bare = was_range == is_range ? hl_value_ref (next)
                                          : hl_value_without_member (next, distributions[before].keys[k]);
    hl_value_unref (next);
    next = isnan (values[k]) ? hl_value_without_member (bare, distributions[which].keys[k])
                             : hl_study_draft_with_number (bare, distributions[which].keys[k], values[k]);
    hl_value_unref (bare);
  }
  set_draft (self, hl_study_draft_put (self->draft, HL_STUDY_VARY, place, next), before != which);
}

static void number_removed_cb (HlStudiesLine *line, HlStudiesForm *self) {
  set_draft (self,
             hl_study_draft_put (self->draft, HL_STUDY_VARY, studies_form_place (GTK_WIDGET (line)), NULL),
             TRUE);
}

static void add_number_line (HlStudiesForm *self, int place) {
  const HlValue *item = hl_study_draft_item (self->draft, HL_STUDY_VARY, place);
  g_auto (GStrv) paths = hl_study_draft_paths (item);
  const HlModelSlider *model_slider = model_slider_of (self, paths);
  GtkWidget *widget =
      new_line (self, HL_STUDY_VARY, place, G_CALLBACK (number_edited_cb), G_CALLBACK (number_removed_cb));
  HlStudiesLine *line = HL_STUDIES_LINE (widget);
  g_autofree char *all = g_strjoinv (", ", paths);
  int which = distribution_of (item);
  const char *words[G_N_ELEMENTS (distributions) + 1] = {NULL};
  HlPathInfo info;
  double now;

  gboolean is_there = paths[0] != NULL && look_up (self, paths[0], &info, &now);
  g_autofree char *detail =
      is_there ? g_strdup (all) : g_strdup_printf (_ ("The model has no number %s"), all);
  line_set_title (line, model_slider != NULL ? model_slider->label : all, detail);
  if (which < 0) { /* a table, or another that only a file can say */
    words[0] = hl_value_string (hl_value_member (item, "distribution"));
    line_set_choices (line, words, _ ("The file defines the distribution"), 0);
    line_set_numbers (line, NULL, NULL);
    return;
  }
  for (gsize k = 0; k < G_N_ELEMENTS (distributions); k++)
    words[k] = _ (distributions[k].words);
  line_set_choices (line, words, _ ("Distribution"), which);
  const char *const hints[2] = {_ (distributions[which].hints[0]), _ (distributions[which].hints[1])};
  line_set_numbers (
      line, hints,
      hl_units_get (hl_workbench_units (self->workbench), is_there ? info.quantity : HL_QUANTITY_NONE));
  for (int k = 0; k < 2; k++)
    line_set_value (line, k, hl_value_number (hl_value_member (item, distributions[which].keys[k])));
}

/* Adds a number with the range of its slider, or else a range around its value within its limits. */
static gboolean add_number (HlStudiesForm *self, char **paths) {
  const HlModelSlider *model_slider = model_slider_of (self, paths);
  double from = -INFINITY, to = INFINITY, now;
  HlPathInfo info;

  for (char **path = paths; *path != NULL; path++)
    if (!look_up (self, *path, &info, &now) || hl_study_draft_find_path (self->draft, *path) >= 0)
      return FALSE;
  if (paths[0] == NULL)
    return FALSE;
  if (model_slider != NULL) {
    from = model_slider->from;
    to = model_slider->to;
  } else {
    double spread = now != 0.0 ? USUAL_SPREAD * fabs (now) : 1.0;
    hl_path_narrow (&info, &from, &to);
    from = fmax (from, now - spread);
    to = fmin (to, now + spread);
  }
  HlValue *item = hl_study_draft_number ((const char *const *)paths, from, to,
                                         model_slider != NULL && model_slider->log && from > 0.0);
  set_draft (self, hl_study_draft_put (self->draft, HL_STUDY_VARY, -1, item), TRUE);
  return TRUE;
}

/* --- the lists to choose from --- */

static void fill_add_number (HlStudiesForm *self) {
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  g_auto (GStrv) paths = hl_document_list_paths (document (self), TRUE);
  g_autoptr (GtkStringList) words = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->number_texts, 0);
  gtk_string_list_append (words, _ ("Add a number…"));
  g_ptr_array_add (self->number_texts, g_strdup (""));
  for (guint k = 0; k < model_sliders->len; k++) {
    const HlModelSlider *model_slider = model_sliders->pdata[k];
    gtk_string_list_append (words, model_slider->label);
    g_ptr_array_add (self->number_texts, g_strjoinv (",", model_slider->paths));
  }
  for (char **path = paths; *path != NULL; path++) {
    gtk_string_list_append (words, *path);
    g_ptr_array_add (self->number_texts, g_strdup (*path));
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->add_number), G_LIST_MODEL (words));
}

/* Returns the entry that was chosen, and the list says what it is for again; NULL: none. */
static const char *read_choice (HlStudiesForm *self, GtkWidget *list, GPtrArray *texts) {
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (list));

  if (self->filling || chosen == 0 || chosen >= texts->len)
    return NULL;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (list), 0);
  return texts->pdata[chosen];
}

static void number_added_cb (HlStudiesForm *self) {
  const char *text = read_choice (self, self->add_number, self->number_texts);
  g_auto (GStrv) paths = g_strsplit (text != NULL ? text : "", ",", -1);

  if (text != NULL)
    add_number (self, paths);
}

static void measure_added_cb (HlStudiesForm *self) {
  const char *text = read_choice (self, self->add_measure, self->measure_texts);

  if (text != NULL && *text == '=')
    studies_form_add_measure (self, text + 1);
  else if (text != NULL)
    add_measure_of (self, text);
}

/* --- the design --- */

static void show_design (HlStudiesForm *self) {
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
                                            ? _ ("Values per number")
                                        : which == HL_DESIGN_SALTELLI ? _ ("Base points")
                                                                      : _ ("Rows"));
}

static void design_cb (HlStudiesForm *self) {
  if (self->filling || self->draft == NULL)
    return;
  guint which = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->design));
  const HlValue *old = hl_value_member (self->draft, "design");
  g_autoptr (HlValue) kind = hl_study_draft_with_text (old, "kind", hl_design_names[which]);
  g_autoptr (HlValue) n =
      hl_study_draft_with_number (kind, "n", gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->rows)));
  HlValue *seed =
      hl_study_draft_with_number (n, "seed", gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->seed)));
  set_draft (self, hl_value_with_member (self->draft, "design", seed), FALSE);
  self->filling = TRUE;
  show_design (self);
  self->filling = FALSE;
}

/* --- the whole --- */

static void remove_children (GtkWidget *box) {
  for (GtkWidget *line; (line = gtk_widget_get_first_child (box)) != NULL;)
    gtk_box_remove (GTK_BOX (box), line);
}

static void rebuild (GtkWidget *widget) {
  HlStudiesForm *self = HL_STUDIES_FORM (widget);

  if (self->workbench == NULL || self->draft == NULL)
    return;
  self->filling = TRUE;
  remove_children (self->numbers);
  remove_children (self->measures);
  remove_children (self->objectives);
  remove_children (self->tables);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_VARY); k++)
    add_number_line (self, k);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_MEASURES); k++)
    add_measure_line (self, k);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_OBJECTIVES); k++)
    add_objective_line (self, k);
  for (int k = 0; k < hl_study_draft_n (self->draft, HL_STUDY_FIT_RUNS); k++)
    add_table_line (self, k);
  fill_objectives (self);
  show_goal (self);
  show_design (self);
  self->filling = FALSE;
}

void hl_studies_form_refresh (HlStudiesForm *self) {
  self->filling = TRUE;
  fill_add_number (self);
  fill_measures (self);
  fill_tables (self);
  self->filling = FALSE;
  hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

static gboolean is_probe (HlStudiesForm *self, const char *text) {
  HlProbe probe;

  for (int k = 0; k < hl_document_n_recorded (document (self)); k++)
    if (hl_document_recorded (document (self), k, &probe) && g_strcmp0 (probe.id, text) == 0)
      return TRUE;
  return FALSE;
}

/* Adds the usual measures of an element. */
static gboolean add_element (HlStudiesForm *self, const char *id) {
  g_autoptr (GPtrArray) entries = hl_trace_entries_of_probes (document (self));
  g_auto (GStrv) paths = hl_document_list_paths (document (self), FALSE);
  gboolean any = FALSE;

  if (hl_document_find (document (self), id, NULL, NULL) == NULL)
    return FALSE;
  for (char **path = paths; *path != NULL; path++)
    g_ptr_array_add (entries, hl_trace_entry_new (document (self), *path));
  g_auto (GStrv) usual = hl_trace_usual_of_element (entries, id);
  for (char **trace = usual; *trace != NULL; trace++)
    any = add_measure_of (self, *trace) || any;
  return any;
}

gboolean hl_studies_form_drop (HlStudiesForm *self, const char *text) {
  g_auto (GStrv) paths = g_strsplit (text, ",", -1);

  return is_probe (self, text)                                          ? add_measure_of (self, text)
         : add_number (self, paths)                                     ? TRUE
         : hl_document_find (document (self), text, NULL, NULL) != NULL ? add_element (self, text)
         : hl_trace_info (document (self), text).known                  ? add_measure_of (self, text)
                                                                        : FALSE;
}

static gboolean drop_cb (GtkDropTarget *target, const GValue *value, double x, double y,
                         HlStudiesForm *self) {
  return G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) != NULL &&
         hl_studies_form_drop (self, g_value_get_string (value));
}

/* --- life --- */

static void studies_form_finalize (GObject *object) {
  HlStudiesForm *self = HL_STUDIES_FORM (object);

  hl_value_unref (self->draft);
  g_ptr_array_unref (self->number_texts);
  g_ptr_array_unref (self->measure_texts);
  g_ptr_array_unref (self->objective_texts);
  g_ptr_array_unref (self->table_texts);
  G_OBJECT_CLASS (hl_studies_form_parent_class)->finalize (object);
}

static void studies_form_dispose (GObject *object) {
  g_clear_pointer (&HL_STUDIES_FORM (object)->chooser, hl_file_chooser_end);
  G_OBJECT_CLASS (hl_studies_form_parent_class)->dispose (object);
}

static void hl_studies_form_class_init (HlStudiesFormClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = studies_form_dispose;
  G_OBJECT_CLASS (klass)->finalize = studies_form_finalize;
  hl_widget_tree_load (klass, "hl-studies-form");
  g_signal_new ("changed", HL_TYPE_STUDIES_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "goal_cb", G_CALLBACK (goal_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "objective_added_cb",
                                                G_CALLBACK (objective_added_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "runs_cb", G_CALLBACK (runs_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "table_added_cb",
                                                G_CALLBACK (table_added_cb));
  HL_TREE_CALLBACK (klass, number_added_cb);
  HL_TREE_CALLBACK (klass, measure_added_cb);
  HL_TREE_CALLBACK (klass, design_cb);
}

static void hl_studies_form_init (HlStudiesForm *self) {
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
  accept_dropped_files (self);
  self->draft = hl_study_draft_new (USUAL_ROWS);
}

void hl_studies_form_set_workbench (HlStudiesForm *self, HlWorkbench *workbench) {
  self->workbench = workbench;
  hl_studies_form_refresh (self);
  hl_rebuild_now (GTK_WIDGET (self));
}

const HlValue *hl_studies_form_draft (HlStudiesForm *self) {
  return self->draft;
}

void hl_studies_form_set_draft (HlStudiesForm *self, const HlValue *draft) {
  self->purpose = hl_study_draft_purpose (draft);
  set_draft (self, hl_value_ref (draft), TRUE);
}
