/* SPDX-License-Identifier: MIT */
/* hydrolink validate: problems on standard output, remarks on standard error. */
#include "app/hl-cli-private.h"

#include <string.h>

/* What cannot even be read as a model is a problem of the file too; a file that is not there is
 * bad usage. */
static gboolean
report_unreadable (HlCli *cli, GError *problem, GError **error)
{
  if (g_error_matches (problem, HL_ERROR, HL_ERROR_FILE) ||
      g_error_matches (problem, HL_ERROR, HL_ERROR_USAGE)) {
    g_propagate_error (error, problem);
    return FALSE;
  }
  g_autofree char *line = g_strconcat (problem->message, "\n", NULL);
  g_error_free (problem);
  cli->status = HL_CLI_USAGE;
  return hl_cli_write (stdout, line, error);
}

static gboolean
run (HlCli *cli, GError **error)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (GString) problems = g_string_new (NULL);
  GError *problem = NULL;

  if (!hl_cli_load (cli, &problem))
    return report_unreadable (cli, problem, error);
  cli->system = hl_compile (cli->document, findings);
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *text = hl_finding_format (finding);
    if (finding->severity == HL_SEVERITY_ERROR)
      g_string_append_printf (problems, "%s: %s\n", cli->file, text);
    else
      hl_cli_say ("%s: %s: %s", cli->file,
                  finding->severity == HL_SEVERITY_WARNING ? "warning" : "note", text);
  }
  if (problems->len > 0 || cli->system == NULL)
    cli->status = HL_CLI_USAGE;
  return hl_cli_write (stdout, problems->str, error);
}

static const HlCliOption options[] = {{NULL}};

const HlCliCommand hl_cli_validate = {
    .name = "validate",
    .usage = "FILE",
    .summary = "print every problem of a model: where, what, and what would mend it",
    .text = "Prints every problem of the model on a line of its own, on standard output:\n"
            "FILE: PATH: what is wrong; what would mend it. Nothing is printed for a sound model.\n"
            "Exit status 2 if there is any problem. Warnings and notes go to standard error.",
    .options = options,
    .run = run,
};
