/* SPDX-License-Identifier: MIT */
/* hydrolink sweep: a study whose rows are all combinations of some values, written as they are computed. The
 * first parameter varies slowest. A shard is a range of consecutive rows, so that the shards in their order
 * form the whole table. */
#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli-recorded-run.h"
#include "core/study/hl-study-draft.h"
#include "core/study/hl-study-row-computation.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROWS 10000000

typedef struct {
  GPtrArray *axes; /* GArray of double: the values of a parameter */
  int n_rows;
  HlValue *root; /* of the study: "vary" and "measures" */
} Plan;

static void plan_clear (Plan *plan) {
  g_ptr_array_unref (plan->axes);
  if (plan->root != NULL)
    hl_value_unref (plan->root);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static void put_item (Plan *plan, HlStudyList list, HlValue *item) {
  HlValue *root = hl_study_draft_put (plan->root, list, -1, item);

  hl_value_unref (plan->root);
  plan->root = root;
}

/* Adds an axis "PATH=LIST"; every value must be in the parameter's range. */
static gboolean add_axis (const HlCli *cli, Plan *plan, const char *text, GError **error) {
  const char *equals = strchr (text, '=');
  double least = INFINITY, most = -INFINITY;

  if (equals == NULL || equals == text) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--parameter ‘%s’: write PATH=LIST, such as cyl.friction.Fc=10,100", text);
    return FALSE;
  }
  g_autofree char *path = g_strndup (text, (gsize)(equals - text));
  g_autofree char *what = g_strdup_printf ("--parameter %s", path);
  g_autoptr (GArray) values =
      hl_cli_parse_list (equals + 1, what, hl_cli_quantity_of (cli->document, path), error);
  if (values == NULL)
    return FALSE;
  for (guint k = 0; k < values->len; k++) {
    double value = g_array_index (values, double, k);
    g_autoptr (HlDocument) changed = hl_document_with_number (cli->document, path, value, error);
    if (changed == NULL)
      return FALSE;
    least = fmin (least, value);
    most = fmax (most, value);
  }
  put_item (plan, HL_STUDY_VARY,
            hl_study_draft_number ((const char *const[]){path, NULL}, least, most, FALSE));
  plan->n_rows = (int)MIN ((gint64)plan->n_rows * values->len, MOST_ROWS + 1);
  g_ptr_array_add (plan->axes, g_steal_pointer (&values));
  return TRUE;
}

static gboolean add_measure (Plan *plan, const char *text, GError **error) {
  static const char *const kinds[] = {"min", "max", "last", "rms", "settling", NULL};
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);

  if (parts[0] != NULL && parts[1] != NULL && *parts[1] != '\0' && g_strv_contains (kinds, parts[0])) {
    put_item (plan, HL_STUDY_MEASURES, hl_value_new_string (text));
    return TRUE;
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "--measure ‘%s’: write min, max, last, rms or settling, a colon and a probe", text);
  return FALSE;
}

static gboolean make_plan (const HlCli *cli, Plan *plan, GError **error) {
  const char *const *parameters = hl_cli_texts (cli, "parameter");
  const char *const *measures = hl_cli_texts (cli, "measure");

  g_autoptr (HlValue) draft = hl_study_draft_new (1);
  plan->root = hl_value_with_member (draft, "design", hl_study_design_of_text ("grid:1", NULL));
  for (int k = 0; parameters[k] != NULL; k++)
    if (!add_axis (cli, plan, parameters[k], error))
      return FALSE;
  for (int k = 0; measures[k] != NULL; k++)
    if (!add_measure (plan, measures[k], error))
      return FALSE;
  if (plan->n_rows <= MOST_ROWS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "there are more than %d combinations; use fewer values",
               MOST_ROWS);
  return FALSE;
}

/* Parses "I/N" into rows [*from, *to) of n. */
static gboolean parse_shard (const char *text, int n, int *from, int *to, GError **error) {
  gint64 part, of;
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "1/1", "/", -1);

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_signed (parts[1], 10, 1, MOST_ROWS, &of, NULL) ||
      !g_ascii_string_to_signed (parts[0], 10, 1, of, &part, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--shard ‘%s’: write I/N with I from 1 to N, such as 1/4",
                 text);
    return FALSE;
  }
  *from = (int)((part - 1) * n / of);
  *to = (int)(part * n / of);
  return TRUE;
}

/* --- rows --- */

/* Applies the run options of the command line. */
static void change_options (const HlSystem *system, HlSimOptions *options, void *data) {
  HlCli cli = *(const HlCli *)data;

  cli.system = (HlSystem *)system;
  hl_cli_sim_options (&cli, options, NULL);
}

static void put_columns (HlAnswer *answer, const HlStudy *study, const HlStudyWork *work) {
  for (int k = 0; k < hl_study_n_numbers (study); k++)
    hl_answer_row_column (answer, hl_study_number (study, k)->name, hl_study_work_unit_of_number (work, k));
  for (int k = 0; k < hl_study_n_measures (study); k++)
    hl_answer_row_column (answer, hl_study_measure (study, k)->name, hl_study_work_unit (work, k));
}

static void values_of_row (const Plan *plan, int row, double values[]) {
  for (int k = (int)plan->axes->len - 1; k >= 0; k--) {
    const GArray *axis = g_ptr_array_index (plan->axes, k);
    values[k] = g_array_index (axis, double, (guint)row % axis->len);
    row /= (int)axis->len;
  }
}

/* Computes the rows; a combination that fails leaves its cells empty. */
static gboolean sweep_rows (const Plan *plan, HlStudyWork *work, int n, const HlAnswer *answer,
                            HlAnswerFormat format, int from, int to, GError **error) {
  int n_failed = 0, n_doubtful = 0;
  g_autofree double *values = g_new (double, n);
  g_autofree HlAnswerCell *cells = g_new0 (HlAnswerCell, n);

  HlCliWait wait;
  hl_cli_wait_begin (&wait, to - from);
  wait.is_watched = wait.is_watched && isatty (STDOUT_FILENO) == 0;
  for (int row = from; row < to && hl_cli_wait_at (row - from, &wait); row++) {
    g_autoptr (GString) line = g_string_new (NULL);
    values_of_row (plan, row, values);
    g_autofree char *wrong = hl_study_work_at (work, values);
    const char *doubt = hl_study_work_doubt (work);
    if (wrong != NULL) {
      if (hl_cli_is_stopped ())
        break;
      hl_cli_say ("combination %d: %s", row + 1, wrong);
      n_failed++;
    }
    if (doubt != NULL && n_doubtful++ == 0)
      hl_cli_say ("combination %d: warning: %s", row + 1, doubt);
    for (int k = 0; k < n; k++)
      cells[k].number = values[k];
    hl_answer_append_row (answer, format, line, cells, row == from);
    if (!hl_cli_write (stdout, line->str, error))
      return FALSE;
  }
  if (n_doubtful > 1)
    hl_cli_say (
        "warning: in %d of %d combinations the oil of a line would be under tension or has a vapour cavity",
        n_doubtful, to - from);
  gboolean was_stopped = !hl_cli_wait_end (&wait);
  g_autoptr (GString) foot = g_string_new (NULL);
  hl_answer_append_foot (answer, format, foot, !was_stopped && n_failed == 0, NULL);
  if (foot->len > 0 && !hl_cli_write (stdout, foot->str, error))
    return FALSE;
  if (was_stopped) {
    hl_cli_set_stopped (error, wait.done, wait.total, "combinations");
    return FALSE;
  }
  if (n_failed == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%d of %d combinations failed", n_failed, to - from);
  return FALSE;
}

static gboolean run (HlCli *cli, GError **error) {
  g_auto (Plan) plan = {g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref), 1, NULL};
  HlSimOptions how;
  int from, to;

  if (!hl_cli_require (cli, "parameter", error) || !hl_cli_require (cli, "measure", error) ||
      !hl_cli_compile (cli, error) || !hl_cli_sim_options (cli, &how, error) ||
      !hl_cli_take_proposals (cli, how.model, error) ||
      !hl_cli_check_oil (cli, how.model, HL_BARS_RUN, error) || !make_plan (cli, &plan, error) ||
      !parse_shard (hl_cli_text (cli, "shard"), plan.n_rows, &from, &to, error))
    return FALSE;
  g_autoptr (HlStudy) study = hl_study_new (hl_study_draft_with_model (plan.root, cli->document), error);
  if (study == NULL)
    return FALSE;
  for (int k = 0; k < hl_study_n_numbers (study); k++)
    hl_cli_warn_of_idle (cli, hl_study_number (study, k)->name, hl_oil_models[how.model]->bit);
  g_autoptr (HlStudyWork) work = hl_study_work_new (study, NULL, NULL, error);
  if (work == NULL || !hl_cli_check_kept (&how, hl_study_work_n_columns (work), error))
    return FALSE;
  g_autoptr (GString) head = g_string_new (NULL);
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  HlAnswerFormat format = hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_CSV;
  hl_study_work_set_run (work, &hl_cli_row_taker, change_options, cli);
  hl_study_work_set_cancel (work, hl_cli_stop_cb, NULL);
  put_columns (answer, study, work);
  hl_answer_append_head (answer, format, head);
  return hl_cli_write (stdout, head->str, error) &&
         sweep_rows (&plan, work, hl_study_n_numbers (study) + hl_study_n_measures (study), answer, format,
                     from, to, error);
}

static const HlCliOption options[] = {
    {"parameter", "PATH=LIST", "a parameter and its values; repeatable, all combinations", TRUE},
    {"measure", "KIND:PROBE", "min, max, last, rms or settling of a probe; repeatable", TRUE},
    {"shard", "I/N", "only part I of N of the rows, I from 1", FALSE},
    {"json", NULL, "one JSON object, rows written during the run, instead of CSV", FALSE},
    HL_CLI_SIM_OPTIONS,
    {NULL},
};

const HlCliCommand hl_cli_sweep = {
    .name = "sweep",
    .usage = "FILE --parameter PATH=LIST... --measure KIND:PROBE... [--shard I/N]",
    .summary = "simulate every combination of parameters and measure the probes",
    .text = "Simulates every combination of the parameter values and prints one CSV row for each: the\n"
            "parameters, then the measures. rms is over time; settling is the time after which the\n"
            "probe stays within 2 % of its final value (relative to its largest distance from it). All\n"
            "shards in order make the whole table; each has the header.",
    .examples =
        {"hydrolink sweep four-bar.hydrolink --parameter link2.mass=1:3:3 --measure max:phi2",
         "hydrolink sweep four-bar.hydrolink --parameter \"pump.pressure=70 bar,80 bar\" --measure rms:p1"},
    .options = options,
    .run = run,
};
