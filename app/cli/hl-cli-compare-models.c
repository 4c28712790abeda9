/* SPDX-License-Identifier: MIT */
/* hydrolink compare-models: runs a model with each of the three hydraulic models and compares the probes. */
#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli-recorded-run.h"
#include "core/oil/hl-hydraulic-model-comparison.h"

#include <math.h>

#define DIGITS 4 /* of a number in the text */
#define NAME_WIDTH 24
#define WIDTH 16

/* Writes one model; the neglected effects of a model follow its first word in the table of models. */
static void put_part (HlAnswer *answer, const HlModelPart *part, int n_traces) {
  const HlOilModel *oil = hl_oil_models[part->model];

  hl_answer_open_object (answer, NULL);
  hl_answer_string (answer, "model", oil->name);
  hl_answer_bool (answer, "ran", part->ran);
  hl_answer_string (answer, "why_not", part->why_not);
  hl_cli_put_fix (answer, part->failure != NULL ? &hl_findings_get (part->failure, 0)->fix
                                                : &(HlFix){.type = HL_FIX_NONE});
  hl_answer_string (answer, "keeps", oil->keeps);
  hl_answer_number (answer, "t_reached", part->ran ? part->stats.t_reached : NAN);
  hl_answer_integer (answer, "steps", part->stats.steps);
  hl_answer_integer (answer, "right_hand_sides", part->stats.rhs);
  hl_answer_number (answer, "seconds", part->ran ? part->stats.seconds : NAN);
  hl_answer_number (answer, "worst_usual_share", part->worst);
  hl_answer_open_list (answer, "traces");
  for (int k = 0; k < n_traces && part->gaps != NULL; k++) {
    const HlColumnInfo *info = hl_results_column (part->results, k + 1);
    hl_answer_open_object (answer, NULL);
    hl_answer_string (answer, "probe", info->id);
    hl_answer_string (answer, "unit", info->unit);
    hl_answer_number (answer, "largest_difference", part->gaps[k].most);
    hl_answer_number (answer, "at", part->gaps[k].at);
    hl_answer_number (answer, "share_of_range", part->gaps[k].share);
    hl_answer_number (answer, "usual_share", part->gaps[k].usual);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
  hl_answer_close (answer);
}

static void append_number (GString *page, double value, int digits) {
  g_autofree char *text = isnan (value) ? g_strdup ("-") : hl_cli_pretty (value, digits);

  hl_cli_append_cell (page, text, WIDTH, FALSE);
}

static void append_head (GString *page, const char *first, const HlModelComparison *found) {
  hl_cli_append_cell (page, first, NAME_WIDTH, TRUE);
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    hl_cli_append_cell (page, hl_oil_models[found->parts[k].model]->name, WIDTH, FALSE);
  g_string_append_c (page, '\n');
}

static void append_costs (GString *page, const HlModelComparison *found) {
  append_head (page, "", found);
  hl_cli_append_cell (page, "time of the run [s]", NAME_WIDTH, TRUE);
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    append_number (page, found->parts[k].ran ? found->parts[k].stats.seconds : NAN, 3);
  g_string_append_c (page, '\n');
  hl_cli_append_cell (page, "steps", NAME_WIDTH, TRUE);
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    append_number (page, found->parts[k].ran ? (double)found->parts[k].stats.steps : NAN, 10);
  g_string_append_c (page, '\n');
}

static void append_gaps (GString *page, const HlModelComparison *found) {
  HlResults *of = found->parts[found->reference].results;

  append_head (page, "largest difference", found);
  for (int trace = 0; trace < found->n_traces; trace++) {
    const HlColumnInfo *info = hl_results_column (of, trace + 1);
    g_autofree char *name = g_strdup_printf ("  %s [%s]", info->id, info->unit);
    hl_cli_append_cell (page, name, NAME_WIDTH, TRUE);
    for (int k = 0; k < HL_N_OIL_MODELS; k++)
      if (k == found->reference)
        hl_cli_append_cell (page, "reference", WIDTH, FALSE);
      else
        append_number (page, found->parts[k].gaps != NULL ? found->parts[k].gaps[trace].most : NAN, DIGITS);
    g_string_append_c (page, '\n');
  }
}

static gboolean write_answer (const HlCli *cli, const HlModelComparison *found, double t_end,
                              GError **error) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  GString *page = hl_answer_page (answer);

  hl_answer_number (answer, "t_end", t_end);
  hl_answer_string (answer, "reference",
                    found->reference >= 0 ? hl_oil_models[found->reference]->name : NULL);
  hl_answer_string (answer, "take", found->trusted >= 0 ? hl_oil_models[found->trusted]->name : NULL);
  hl_answer_open_list (answer, "models");
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    put_part (answer, &found->parts[k], found->n_traces);
  hl_answer_close (answer);
  hl_answer_string (answer, "text", found->text);
  append_costs (page, found);
  if (found->reference >= 0)
    append_gaps (page, found);
  g_string_append_printf (page, "\n%s", found->text);
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

static void say_model (HlModelKind model, void *data) {
  HlCliWait *wait = data;

  hl_cli_wait_at ((double)model, wait);
}

static gboolean run (HlCli *cli, GError **error) {
  HlSimOptions how;
  HlCliWait wait;

  if (!hl_cli_compile (cli, error) || !hl_cli_sim_options (cli, &how, error))
    return FALSE;
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (!hl_cli_take_proposals (cli, hl_oil_models[k]->kind, error))
      return FALSE;
  g_autoptr (HlRecording) recording =
      hl_recording_new (cli->document, cli->system, HL_RECORD_PROBES, NULL, error);
  if (recording == NULL || !hl_cli_check_kept (&how, hl_recording_n_columns (recording), error))
    return FALSE;
  how.cancel = hl_cli_stop_cb;
  hl_cli_wait_begin (&wait, HL_N_OIL_MODELS);
  HlModelComparison *found = hl_model_comparison_new (cli->system, recording, &how, NULL, say_model, &wait);
  gboolean is_whole = hl_cli_wait_end (&wait);
  gboolean told = write_answer (cli, found, how.t_end, error);
  gboolean none = found->reference < 0;
  hl_model_comparison_free (found);
  if (told && !is_whole)
    hl_cli_set_stopped (error, wait.done, HL_N_OIL_MODELS, "models");
  else if (told && none)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                 "no oil model runs this model to the end; see the reasons above");
  return told && is_whole && !none;
}

static const HlCliOption options[] = {
    {"t-end", "S", "end of the run [s]", FALSE},
    {"every", "S", "compare at each multiple of this time [s]", FALSE},
    {"rtol", "R", "tolerance relative to the scale of each state", FALSE},
    {"max-steps", "N", "maximum number of solver steps", FALSE},
    {"integrator", "NAME", "bdf or radau", FALSE},
    {"json", NULL, "one JSON object, numbers with 17 significant digits", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_compare_models = {
    .name = "compare-models",
    .usage = "FILE [--t-end S] [--every S] [--json]",
    .summary = "run the model in all three oil models and compare the probes",
    .text = "Runs the model with the lumped, the hybrid and the quasistatic oil model. Prints for each\n"
            "probe the largest difference to the oil model that neglects least, the cost of each oil\n"
            "model, its assumptions and a recommendation. Prints the reason if an oil model cannot run\n"
            "the model. Exit status 1 if none can.",
    .any_oil = TRUE,
    .examples = {"hydrolink compare-models four-bar.hydrolink --t-end \"500 ms\"",
                 "hydrolink compare-models crane-counterbalance.hydrolink --t-end 0.2 --json"},
    .options = options,
    .run = run,
};
