/* SPDX-License-Identifier: MIT */
/* hydrolink validate: problems on standard output, remarks on standard error. */
#include "app/cli/hl-cli-private.h"
#include "core/base/hl-text-escape.h"
#include "core/base/hl-number-format.h"

#include "core/compile/hl-compile.h"
#include "core/run/hl-simulate.h"

#include <string.h>

/* Writes an entry of "findings". oil NULL: a finding of the model itself; otherwise a reason why that oil
 * model cannot compute it. */
static void put_finding (HlAnswer *answer, const HlFinding *finding, const char *oil) {
  static const char *const severities[] = {"error", "warning", "note"};

  hl_answer_open_object (answer, NULL);
  hl_answer_string (answer, "severity", severities[oil != NULL ? HL_SEVERITY_INFO : finding->severity]);
  hl_answer_string (answer, "oil", oil);
  hl_cli_put_finding (answer, finding);
  hl_answer_close (answer);
}

/* Writes the findings and ends the answer. */
static gboolean write_findings (HlCli *cli, HlAnswer *answer, GError **error) {
  hl_answer_close (answer);
  hl_answer_bool (answer, "sound", cli->status == HL_CLI_OK);
  return hl_cli_answer (cli, answer, HL_ANSWER_TEXT, error);
}

/* Reports a file that is not a model as a problem of the file; a missing file is a usage error. */
static gboolean report_unreadable (HlCli *cli, HlAnswer *answer, GError *problem, GError **error) {
  if (g_error_matches (problem, HL_ERROR, HL_ERROR_FILE) ||
      g_error_matches (problem, HL_ERROR, HL_ERROR_USAGE)) {
    g_propagate_error (error, problem);
    return FALSE;
  }
  g_autofree char *shown = hl_shown_text (problem->message, FALSE);
  HlFinding finding = {.severity = HL_SEVERITY_ERROR, .message = problem->message};
  g_string_append_printf (hl_answer_page (answer), "%s\n", shown);
  put_finding (answer, &finding, NULL);
  g_error_free (problem);
  cli->status = HL_CLI_USAGE;
  return write_findings (cli, answer, error);
}

/* Reasons why the oil models that the file does not choose cannot run it: not errors, but useful before a choice. */
static void say_other_oils (const HlCli *cli, HlAnswer *answer) {
  int chosen = hl_sim_options_from_model (cli->system).model;

  if (hl_document_n_elements (cli->document, HL_SECTION_COMPONENTS) == 0)
    return;
  for (int model = 0; model < HL_N_OIL_MODELS; model++) {
    const char *name = hl_oil_models[model]->name;
    g_autoptr (HlFindings) findings = hl_findings_new ();
    if (model != chosen)
      hl_compile_verify_oil (cli->document, cli->system, (HlModelKind)model, findings);
    for (int k = 0; k < hl_findings_n (findings); k++) {
      const HlFinding *finding = hl_findings_get (findings, k);
      g_autofree char *text = hl_finding_format (finding);
      if (finding->severity != HL_SEVERITY_ERROR)
        continue;
      put_finding (answer, finding, name);
      hl_cli_say ("%s: note: the %s oil model cannot run this: %s", cli->file, name, text);
    }
  }
}

static gboolean run (HlCli *cli, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  GString *problems = hl_answer_page (answer);
  GError *problem = NULL;

  hl_answer_string (answer, "file", cli->file);
  hl_answer_open_list (answer, "findings");
  if (!hl_cli_load (cli, &problem))
    return report_unreadable (cli, answer, problem, error);
  hl_cli_compile_model (cli, findings);
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *format = hl_finding_format (finding);
    g_autofree char *plain = hl_number_plain (format);
    g_autofree char *text = hl_shown_text (plain, FALSE);
    put_finding (answer, finding, NULL);
    if (finding->severity == HL_SEVERITY_ERROR)
      g_string_append_printf (problems, "%s: %s\n", cli->file, text);
    else
      hl_cli_say ("%s: %s: %s", cli->file, finding->severity == HL_SEVERITY_WARNING ? "warning" : "note",
                  text);
  }
  if (problems->len > 0 || cli->system == NULL)
    cli->status = HL_CLI_USAGE;
  if (cli->system != NULL)
    say_other_oils (cli, answer);
  return write_findings (cli, answer, error);
}

static const HlCliOption options[] = {
    {"json", NULL, "one JSON object of all findings, including notes", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_validate = {
    .name = "validate",
    .usage = "FILE [--json]",
    .summary = "print every problem of a model: place, problem and remedy",
    .text = "Prints every problem of the model on one line of standard output:\n"
            "FILE: PATH: problem; remedy. Prints nothing if the model has no problems. Exit status 2\n"
            "if there is a problem, also if the oil model of the file cannot run the model. Warnings\n"
            "and notes go to standard error, with the reasons why another oil model could not run the\n"
            "model.",
    .examples = {"hydrolink validate four-bar.hydrolink",
                 "hydrolink validate four-bar.hydrolink --set cyl.stroke=\"1.2 m\" --json"},
    .options = options,
    .run = run,
};
