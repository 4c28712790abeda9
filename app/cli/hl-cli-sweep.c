/* SPDX-License-Identifier: MIT */
/* hydrolink sweep: simulates every combination of some parameters and measures its probes. The
 * first parameter varies slowest. A shard is a run of consecutive rows, so that the shards in their
 * order make the whole table. */
#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli-probe.h"
#include "core/study/hl-measure.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROWS 10000000
#define SETTLED 0.02 /* of the largest distance from the final value */

static const char *const measure_names[] = {"min", "max", "last", "rms", "settling", NULL};
static const HlMeasureKind measure_kinds[] = {HL_MEASURE_MIN, HL_MEASURE_MAX, HL_MEASURE_LAST, HL_MEASURE_RMS,
                                              HL_MEASURE_SETTLING};

typedef struct {
  HlMeasureKind kind;
  char *text;  /* "min:ID" as given; owned */
  char *probe; /* owned */
} Measure;

typedef struct {
  char *path; /* owned */
  GArray *values;
} Axis;

typedef struct {
  GArray *axes;     /* Axis */
  GArray *measures; /* Measure */
  int n_rows;
} Plan;

static void axis_clear (void *data) {
  Axis *axis = data;
  g_free (axis->path);
  g_array_unref (axis->values);
}

static void measure_clear (void *data) {
  Measure *measure = data;
  g_free (measure->text);
  g_free (measure->probe);
}

static void plan_clear (Plan *plan) {
  g_array_unref (plan->axes);
  g_array_unref (plan->measures);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* --- the line --- */

/* "PATH=LIST"; every value must lie in the parameter's range. */
static gboolean add_axis (Plan *plan, const HlDocument *document, const char *text, GError **error) {
  const char *equals = strchr (text, '=');

  if (equals == NULL || equals == text) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--parameter ‘%s’: write PATH=LIST, such as cyl.friction.Fc=10,100", text);
    return FALSE;
  }
  g_autofree char *path = g_strndup (text, (gsize)(equals - text));
  g_autofree char *what = g_strdup_printf ("--parameter %s", path);
  g_autoptr (GArray) values = hl_cli_parse_list (equals + 1, what, error);
  if (values == NULL)
    return FALSE;
  for (guint k = 0; k < values->len; k++) {
    g_autoptr (HlDocument) changed =
        hl_document_with_number (document, path, g_array_index (values, double, k), error);
    if (changed == NULL)
      return FALSE;
  }
  Axis axis = {g_steal_pointer (&path), g_steal_pointer (&values)};
  plan->n_rows = (gint64)plan->n_rows * axis.values->len > MOST_ROWS ? MOST_ROWS + 1
                                                                     : plan->n_rows * (int)axis.values->len;
  g_array_append_val (plan->axes, axis);
  return TRUE;
}

static gboolean add_measure (Plan *plan, const char *text, GError **error) {
  const char *colon = strchr (text, ':');
  g_autofree char *name = g_strndup (text, colon != NULL ? (gsize)(colon - text) : strlen (text));

  for (int kind = 0; colon != NULL && colon[1] != '\0' && measure_names[kind] != NULL; kind++)
    if (strcmp (measure_names[kind], name) == 0) {
      Measure measure = {measure_kinds[kind], g_strdup (text), g_strdup (colon + 1)};
      g_array_append_val (plan->measures, measure);
      return TRUE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "--measure ‘%s’: write min, max, last, rms or settling, a colon and a probe", text);
  return FALSE;
}

static gboolean make_plan (const HlCli *cli, Plan *plan, GError **error) {
  const char *const *parameters = hl_cli_texts (cli, "parameter");
  const char *const *measures = hl_cli_texts (cli, "measure");

  for (int k = 0; parameters[k] != NULL; k++)
    if (!add_axis (plan, cli->document, parameters[k], error))
      return FALSE;
  for (int k = 0; measures[k] != NULL; k++)
    if (!add_measure (plan, measures[k], error))
      return FALSE;
  if (plan->n_rows <= MOST_ROWS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "these are more than %d combinations; give fewer values",
               MOST_ROWS);
  return FALSE;
}

/* "I/N": rows [*from, *to) of n. */
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

/* --- measuring --- */

static double measure_value (const HlResults *results, const Measure *measure) {
  HlMeasure of_study = {.kind = measure->kind, .band = SETTLED};

  return hl_measure_eval (&of_study, results, hl_results_find_column (results, measure->probe));
}

/* Paths among the measures that are no probes of the file. */
static char **extra_paths (const HlDocument *document, const Plan *plan) {
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  for (guint k = 0; k < plan->measures->len; k++) {
    const char *name = g_array_index (plan->measures, Measure, k).probe;
    gboolean known = FALSE;
    for (int p = 0; p < hl_document_n_recorded (document); p++) {
      HlProbe probe;
      known = known || (hl_document_recorded (document, p, &probe) && strcmp (probe.id, name) == 0);
    }
    for (guint before = 0; before < k; before++)
      known = known || strcmp (g_array_index (plan->measures, Measure, before).probe, name) == 0;
    if (!known)
      g_strv_builder_add (paths, name);
  }
  return g_strv_builder_end (paths);
}

static void put_columns (HlAnswer *answer, const Plan *plan, const HlDocument *document,
                         const HlResults *like) {
  for (guint k = 0; k < plan->axes->len; k++) {
    const char *path = g_array_index (plan->axes, Axis, k).path;
    hl_answer_row_column (answer, path, hl_cli_unit_of (document, path));
  }
  for (guint k = 0; k < plan->measures->len; k++) {
    const Measure *measure = &g_array_index (plan->measures, Measure, k);
    int column = hl_results_find_column (like, measure->probe);
    const char *unit = measure->kind == HL_MEASURE_SETTLING ? "s"
                       : column >= 0                        ? hl_results_column (like, column)->unit
                                                            : "1";
    hl_answer_row_column (answer, measure->text, unit);
  }
}

/* --- the work --- */

/* The document of a row, and its parameters into values. */
static HlDocument *document_of_row (const HlDocument *document, const Plan *plan, int row, double values[]) {
  HlDocument *changed = hl_document_ref (document);

  for (int k = (int)plan->axes->len - 1; k >= 0; k--) {
    const Axis *axis = &g_array_index (plan->axes, Axis, k);
    values[k] = g_array_index (axis->values, double, (guint)row % axis->values->len);
    row /= (int)axis->values->len;
    HlDocument *next = hl_document_with_number (changed, axis->path, values[k], NULL);
    hl_document_unref (changed);
    changed = next;
  }
  return changed;
}

static gboolean measure_row (const HlCli *cli, const Plan *plan, const HlDocument *document, char **extra,
                             double values[], char **doubt, GError **error) {
  HlCli one = *cli;
  HlSimOptions how;
  gboolean done = FALSE;

  one.system = hl_cli_compile_quietly (document, error);
  if (one.system == NULL)
    return FALSE;
  g_autoptr (HlCliRecorder) recorder =
      hl_cli_recorder_new (document, one.system, HL_RECORD_PROBES, (const char *const *)extra, error);
  if (recorder != NULL && hl_cli_sim_options (&one, &how, error))
    done = hl_cli_recorder_run (recorder, one.system, &how, NULL, error);
  for (guint k = 0; done && k < plan->measures->len; k++)
    values[k] =
        measure_value (hl_cli_recorder_results (recorder), &g_array_index (plan->measures, Measure, k));
  if (recorder != NULL && hl_cavitations_n (hl_cli_recorder_cavitations (recorder)) > 0)
    *doubt = hl_cavitation_text (one.system, hl_cavitations_get (hl_cli_recorder_cavitations (recorder), 0));
  hl_system_unref (one.system);
  return done;
}

/* A combination that fails leaves its cells empty; the others go on. */
static gboolean sweep_rows (HlCli *cli, const Plan *plan, const HlAnswer *answer, HlAnswerFormat format,
                            char **extra, int from, int to, GError **error) {
  int n = (int)(plan->axes->len + plan->measures->len), n_failed = 0, n_doubtful = 0;
  g_autofree double *values = g_new (double, n);
  g_autofree HlAnswerCell *cells = g_new0 (HlAnswerCell, n);

  HlCliWait wait;
  hl_cli_wait_begin (&wait, to - from);
  wait.is_watched = wait.is_watched && isatty (STDOUT_FILENO) == 0;
  for (int row = from; row < to && hl_cli_wait_at (row - from, &wait); row++) {
    g_autoptr (GString) line = g_string_new (NULL);
    g_autoptr (GError) why = NULL;
    g_autofree char *doubt = NULL;
    for (int k = 0; k < n; k++)
      values[k] = NAN;
    g_autoptr (HlDocument) document = document_of_row (cli->document, plan, row, values);
    if (!measure_row (cli, plan, document, extra, values + plan->axes->len, &doubt, &why)) {
      if (hl_cli_is_stopped ())
        break;
      hl_cli_say ("combination %d: %s", row + 1, why->message);
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
    hl_cli_say ("warning: in %d of %d combinations the oil of a line would have to pull or "
                "stands beside vapour",
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
  g_auto (Plan)
      plan = {g_array_new (FALSE, FALSE, sizeof (Axis)), g_array_new (FALSE, FALSE, sizeof (Measure)), 1};
  HlSimOptions how;
  int from, to;

  g_array_set_clear_func (plan.axes, axis_clear);
  g_array_set_clear_func (plan.measures, measure_clear);
  if (!hl_cli_require (cli, "parameter", error) || !hl_cli_require (cli, "measure", error) ||
      !hl_cli_compile (cli, error) || !hl_cli_sim_options (cli, &how, error) ||
      !hl_cli_take_proposals (cli, how.model, error) ||
      !hl_cli_check_oil (cli, how.model, HL_BARS_RUN, error) || !make_plan (cli, &plan, error) ||
      !parse_shard (hl_cli_text (cli, "shard"), plan.n_rows, &from, &to, error))
    return FALSE;
  for (guint k = 0; k < plan.axes->len; k++)
    hl_cli_warn_of_idle (cli, g_array_index (plan.axes, Axis, k).path, hl_oil_models[how.model]->bit);
  g_auto (GStrv) extra = extra_paths (cli->document, &plan);
  g_autoptr (HlCliRecorder) like =
      hl_cli_recorder_new (cli->document, cli->system, HL_RECORD_PROBES, (const char *const *)extra, error);
  if (like == NULL || !hl_cli_check_kept (&how, hl_results_n_columns (hl_cli_recorder_results (like)), error))
    return FALSE;
  g_autoptr (GString) head = g_string_new (NULL);
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  HlAnswerFormat format = hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_CSV;
  put_columns (answer, &plan, cli->document, hl_cli_recorder_results (like));
  hl_answer_append_head (answer, format, head);
  return hl_cli_write (stdout, head->str, error) &&
         sweep_rows (cli, &plan, answer, format, extra, from, to, error);
}

static const HlCliOption options[] = {
    {"parameter", "PATH=LIST", "a parameter and its values; repeatable, all combinations", TRUE},
    {"measure", "KIND:PROBE", "min, max, last, rms or settling of a probe; repeatable", TRUE},
    {"shard", "I/N", "only the I-th of N parts of the rows, I from 1", FALSE},
    {"json", NULL, "one JSON object, its rows written as they come, instead of CSV", FALSE},
    HL_CLI_SIM_OPTIONS,
    {NULL},
};

const HlCliCommand hl_cli_sweep = {
    .name = "sweep",
    .usage = "FILE --parameter PATH=LIST... --measure KIND:PROBE... [--shard I/N]",
    .summary = "simulate every combination of parameters and measure the probes",
    .text = "Simulates every combination of the parameters' values and prints one CSV row each: "
            "the\nparameters, then the measures. rms is over time; settling is the time from which "
            "the probe\nstays within 2 % (of its largest distance) of its last value. The shards "
            "in their order\nmake the whole table; each has the header.",
    .options = options,
    .run = run,
};
