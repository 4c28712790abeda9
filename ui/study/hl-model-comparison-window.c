/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-model-comparison-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/oil/hl-hydraulic-model-comparison.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/study/hl-restarting-computation.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

struct _HlModelAdviceWindow {
  GtkWindow parent_instance;
  GtkWidget *text, *choice;
  const char *model; /* that suits: its name in the file is the target of win.oil-model */
};

G_DEFINE_FINAL_TYPE (HlModelAdviceWindow, hl_model_advice_window, GTK_TYPE_WINDOW)

static void choose_cb (GtkButton *button, HlModelAdviceWindow *self) {
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

  gtk_widget_activate_action (GTK_WIDGET (parent), "win.oil-model", "s", self->model);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Shows the lines of the text as paragraphs. */
static void show_text_model_advice_window (HlModelAdviceWindow *self, const char *text) {
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_auto (GStrv) lines = g_strsplit (stripped, "\n", -1);
  g_autofree char *spaced = g_strjoinv ("\n\n", lines);

  gtk_label_set_text (GTK_LABEL (self->text), spaced);
}

static void hl_model_advice_window_class_init (HlModelAdviceWindowClass *klass) {
  hl_widget_tree_load (klass, "hl-model-advice-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlModelAdviceWindow, text);
  HL_TREE_CHILD (klass, HlModelAdviceWindow, choice);
  HL_TREE_CALLBACK (klass, choose_cb);
}

static void hl_model_advice_window_init (HlModelAdviceWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_model_advice_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlModelAdviceWindow *self =
      g_object_new (HL_TYPE_MODEL_ADVICE_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (hl_editing_document (hl_workbench_editing (workbench)), findings);

  gtk_widget_set_visible (self->choice, system != NULL);
  if (system == NULL) {
    show_text_model_advice_window (self, _ ("The model has problems. Correct them first."));
    return GTK_WIDGET (self);
  }
  HlModelAdvice *advice = hl_model_advice_new (system);
  const HlOilModel *oil = hl_oil_models[advice->suits];
  show_text_model_advice_window (self, advice->text);
  self->model = oil->name;
  gtk_button_set_label (GTK_BUTTON (self->choice), _ (oil->use));
  hl_model_advice_free (advice);
  hl_system_unref (system);
  return GTK_WIDGET (self);
}

#define DIGITS 4
#define PAUSE_MS 300
#define MOST_ROWS 20000 /* of a run, in the comparison */

struct _HlOilsWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *text, *heading, *spinner, *overlay;
  HlDataTable *costs, *gaps;
  HlStudyRun *run; /* of the comparison */
};

G_DEFINE_FINAL_TYPE (HlOilsWindow, hl_oils_window, GTK_TYPE_WINDOW)

/* --- the runs --- */

typedef struct {
  HlDocument *document;
  HlSystem *system;
  const HlUnit *units[HL_N_QUANTITIES]; /* of the window at its request */
} OilsJob;

static void free_job (gpointer data) {
  OilsJob *job = data;

  hl_document_unref (job->document);
  hl_system_unref (job->system);
  g_free (job);
}

static void free_comparison (gpointer comparison) {
  hl_model_comparison_free (comparison);
}

/* Adopts the proposed value of every number that one of the models needs and the drawing does not state. */
static void adopt_proposals (OilsJob *job) {
  for (int k = 0; k < HL_N_OIL_MODELS; k++) {
    g_autoptr (HlFindings) findings = hl_findings_new ();
    g_autoptr (HlDocument) mended =
        hl_oil_take_proposals (job->document, job->system, hl_oil_models[k]->kind, NULL, NULL);
    HlSystem *system = mended != NULL ? hl_compile (mended, findings) : NULL;
    if (system == NULL)
      continue;
    hl_system_unref (job->system);
    hl_document_unref (job->document);
    job->system = system;
    job->document = g_steal_pointer (&mended);
  }
}

static gpointer work (gpointer data, GCancellable *life, GError **error) {
  OilsJob *job = data;

  adopt_proposals (job);
  g_autoptr (HlRecording) recording =
      hl_recording_new (job->document, job->system, HL_RECORD_PROBES, NULL, error);
  HlSimOptions how = hl_sim_options_from_model (job->system);
  how.every = fmax (how.every, how.t_end / MOST_ROWS);
  how.cancel = hl_study_run_is_cancelled;
  how.cancel_data = life;
  return recording != NULL ? hl_model_comparison_new (job->system, recording, &how, job->units, NULL, NULL)
                           : NULL;
}

/* --- what is shown --- */

static const char *model_name (int model) {
  return g_dpgettext2 (NULL, "choice", hl_oil_models[model]->label);
}

/* Replaces the space between a number and its unit by a non-breaking one. */
static char *keep_units (const char *text) {
  g_autoptr (GString) kept = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c++)
    if (*c == ' ' && c > text && g_ascii_isdigit (c[-1]))
      g_string_append (kept, "\302\240");
    else
      g_string_append_c (kept, *c);
  return g_string_free (g_steal_pointer (&kept), FALSE);
}

/* Shows the lines of the text as paragraphs; from the second on each is about one model. */
static void show_text (HlOilsWindow *self, const char *text) {
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_autofree char *kept = keep_units (stripped);

  gtk_label_set_text (GTK_LABEL (self->text), kept);
}

/* Returns a description of the end of a model's run and of neglected effects. */
static char *end_of (const HlModelPart *part, gboolean is_reference) {
  const HlCompressibleLines *soft = &part->stats.compressible_lines;
  const char *end = !part->ran              ? _ ("cannot run this model")
                    : part->why_not != NULL ? _ ("stopped early")
                    : is_reference          ? _ ("reference")
                                            : _ ("finished");

  if (!part->ran || soft->n == 0)
    return g_strdup (end);
  g_autofree char *lines = g_strdup_printf (
      ngettext ("the oil of %d line is compressible from %.3g s",
                "the oil of %d lines is compressible, the first from %.3g s", (gulong)soft->n),
      soft->n, soft->t);
  return hl_number_localize (g_strdup_printf ("%s; %s", end, lines));
}

static void fill_costs (HlOilsWindow *self, const HlModelComparison *found) {
  for (int k = 0; k < HL_N_OIL_MODELS; k++) {
    const HlModelPart *part = &found->parts[k];
    char seconds[48] = "–", steps[48] = "–";
    g_autofree char *end = end_of (part, k == found->reference);
    if (part->ran) {
      hl_axis_format (1e3 * part->stats.seconds, 3, seconds, sizeof seconds);
      g_snprintf (steps, sizeof steps, "%ld", part->stats.steps);
    }
    hl_data_table_add (self->costs, (const char *[]){model_name (k), seconds, steps, end}, NULL);
  }
  hl_data_table_show (self->costs);
}

/* Formats a difference. It has no offset, whatever the zero of its unit. */
static char *gap_text (HlOilsWindow *self, HlQuantity quantity, const HlTraceGap *gap) {
  const HlUnit *unit = hl_workbench_units (self->workbench)[quantity];
  char number[48], share[48];

  if (gap == NULL || isnan (gap->most))
    return g_strdup ("–");
  hl_axis_format (gap->most / unit->factor, DIGITS, number, sizeof number);
  if (isnan (gap->usual))
    return g_strdup_printf ("%s %s", number, unit->symbol);
  hl_axis_format (100.0 * gap->usual, 2, share, sizeof share);
  return g_strdup_printf ("%s %s  (%s %%)", number, unit->symbol, share);
}

static void fill_gaps (HlOilsWindow *self, const HlModelComparison *found) {
  for (int trace = 0; found->reference >= 0 && trace < found->n_traces; trace++) {
    const HlColumnInfo *info = hl_results_column (found->parts[found->reference].results, trace + 1);
    HlQuantity quantity = hl_quantity_of_si (info->unit);
    char *cells[HL_N_OIL_MODELS];
    for (int k = 0; k < HL_N_OIL_MODELS; k++)
      cells[k] =
          k == found->reference
              ? g_strdup (_ ("reference"))
              : gap_text (self, quantity, found->parts[k].gaps != NULL ? &found->parts[k].gaps[trace] : NULL);
    hl_data_table_add (
        self->gaps,
        (const char *[]){info->label != NULL ? info->label : info->id, cells[0], cells[1], cells[2]}, NULL);
    for (int k = 0; k < HL_N_OIL_MODELS; k++)
      g_free (cells[k]);
  }
  hl_data_table_show (self->gaps);
}

static void set_busy (HlOilsWindow *self, gboolean busy) {
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), busy);
}

static void show_nothing (HlOilsWindow *self, const char *why) {
  show_text (self, why);
  hl_data_table_show (self->costs);
  hl_data_table_show (self->gaps);
}

static void done_cb (gpointer window, gpointer data, gpointer answer, const GError *error) {
  HlOilsWindow *self = window;
  HlModelComparison *found = answer;

  set_busy (self, FALSE);
  if (found == NULL) {
    show_nothing (self, error != NULL ? error->message : "");
    return;
  }
  show_text (self, found->text);
  fill_costs (self, found);
  fill_gaps (self, found);
  hl_model_comparison_free (found);
}

static gpointer begin_job (gpointer window) {
  HlOilsWindow *self = window;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlWorkingPoint *at = hl_editing_point (editing);
  gboolean can = at != NULL && at->system != NULL;

  gtk_widget_set_sensitive (self->overlay, can);
  set_busy (self, can);
  if (!can) {
    show_nothing (self, _ ("Correct the problems of the model first."));
    return NULL;
  }
  OilsJob *job = g_new0 (OilsJob, 1);
  job->system = hl_system_ref (at->system);
  memcpy (job->units, hl_workbench_units (self->workbench), sizeof job->units);
  job->document = hl_document_ref (hl_editing_document (editing));
  return job;
}

static const HlStudyKind comparison_kind = {
    .pause_ms = PAUSE_MS,
    .begin = begin_job,
    .work = work,
    .done = done_cb,
    .free_job = free_job,
    .free_answer = free_comparison,
};

gboolean hl_oils_window_is_busy (HlOilsWindow *self) {
  return hl_study_run_is_busy (self->run);
}

/* --- what happens --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlOilsWindow *self) {
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_UNITS))
    hl_study_run_request (self->run);
}

static void overlay_cb (GtkButton *button, HlOilsWindow *self) {
  hl_runs_compare_models (hl_workbench_runs (self->workbench));
  gtk_window_close (GTK_WINDOW (self)); /* it would cover the requested window */
}

/* --- life --- */

static void set_columns (HlOilsWindow *self) {
  HlDataTableColumn costs[] = {{.title = _ ("Model")},
                               {.title = _ ("Time [ms]"), .is_number = TRUE},
                               {.title = _ ("Steps"), .is_number = TRUE},
                               {.title = _ ("Outcome"), .is_wide = TRUE}};
  HlDataTableColumn gaps[1 + HL_N_OIL_MODELS] = {
      {.title = _ ("Trace"), .is_wide = TRUE, .is_resizable = TRUE}};

  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    gaps[k + 1] = (HlDataTableColumn){
        .title = model_name (k),
        .help = _ ("Largest difference (mean over time, as a share of the range of the trace)"),
        .is_number = TRUE,
        .is_resizable = TRUE};
  hl_data_table_set_columns (self->costs, _ ("Computing cost"), costs, G_N_ELEMENTS (costs));
  hl_data_table_set_columns (self->gaps, _ ("Differences"), gaps, G_N_ELEMENTS (gaps));
  gtk_label_set_text (GTK_LABEL (self->heading), _ ("Largest and mean difference"));
}

static void hl_oils_window_dispose (GObject *object) {
  HlOilsWindow *self = HL_OILS_WINDOW (object);

  g_clear_pointer (&self->run, hl_study_run_free);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_oils_window_parent_class)->dispose (object);
}

static void hl_oils_window_class_init (HlOilsWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_oils_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  g_type_ensure (HL_TYPE_DATA_TABLE);
  hl_widget_tree_load (klass, "hl-model-comparison-window");
  HL_TREE_CHILD (klass, HlOilsWindow, text);
  HL_TREE_CHILD (klass, HlOilsWindow, heading);
  HL_TREE_CHILD (klass, HlOilsWindow, spinner);
  HL_TREE_CHILD (klass, HlOilsWindow, overlay);
  HL_TREE_CHILD (klass, HlOilsWindow, costs);
  HL_TREE_CHILD (klass, HlOilsWindow, gaps);
  HL_TREE_CALLBACK (klass, overlay_cb);
}

static void hl_oils_window_init (HlOilsWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->run = hl_study_run_new (&comparison_kind, GTK_WINDOW (self));
  set_columns (self);
}

GtkWidget *hl_oils_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlOilsWindow *self = g_object_new (HL_TYPE_OILS_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  show_text (self, _ ("The model runs with all three oil models…"));
  hl_study_run_request (self->run);
  set_busy (self, TRUE);
  return GTK_WIDGET (self);
}
