/* SPDX-License-Identifier: MIT */
/* From the file to the compiled system, with the changes that the line asks for. */
#include "app/hl-cli-private.h"
#include "core/document/hl-path.h"
#include "core/document/hl-unit.h"
#include "core/io/hl-json.h"

#include <string.h>

HlDocument *
hl_cli_with_setting (const HlDocument *document, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  HlPathInfo info;
  double value;

  if (equals == NULL || equals == text || equals[1] == '\0') {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--set ‘%s’: write PATH=VALUE, such as fluid.density=850", text);
    return NULL;
  }
  g_autofree char *path = g_strndup (text, (gsize)(equals - text));
  g_autofree char *what = g_strdup_printf ("--set %s", path);
  if (!hl_path_find (document, path, &info, error) ||
      !hl_cli_parse_number (equals + 1, what, &value, error))
    return NULL;
  return hl_document_with_number (document, path, value, error);
}

gboolean
hl_cli_load (HlCli *cli, GError **error)
{
  const char *const *sets = hl_cli_texts (cli, "parameter-set");
  const char *const *settings = hl_cli_texts (cli, "set");

  cli->document = hl_document_load (cli->file, error);
  for (int k = 0; cli->document != NULL && sets[k] != NULL; k++) {
    HlDocument *changed = hl_document_apply_set (cli->document, sets[k], error);
    hl_document_unref (cli->document);
    cli->document = changed;
  }
  for (int k = 0; cli->document != NULL && settings[k] != NULL; k++) {
    HlDocument *changed = hl_cli_with_setting (cli->document, settings[k], error);
    hl_document_unref (cli->document);
    cli->document = changed;
  }
  return cli->document != NULL;
}

static void
say_findings (const HlCli *cli, const HlFindings *findings)
{
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *text = hl_finding_format (finding);
    if (finding->severity == HL_SEVERITY_ERROR)
      hl_cli_say ("%s: %s", cli->file, text);
    else if (finding->severity == HL_SEVERITY_WARNING)
      hl_cli_say ("%s: warning: %s", cli->file, text);
  }
}

gboolean
hl_cli_check (HlCli *cli, GError **error)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_check_document (cli->document, findings);
  say_findings (cli, findings);
  if (hl_findings_first_error (findings) == NULL)
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, "");
  return FALSE;
}

gboolean
hl_cli_compile (HlCli *cli, GError **error)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();

  if (!hl_cli_load (cli, error))
    return FALSE;
  cli->system = hl_compile (cli->document, findings);
  say_findings (cli, findings);
  if (cli->system == NULL)
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, "");
  return cli->system != NULL;
}

HlSystem *
hl_cli_compile_quietly (const HlDocument *document, GError **error)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL)
    return sys;
  const HlFinding *first = hl_findings_first_error (findings);
  g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup ("it is unsound");
  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
  return NULL;
}

const char *
hl_cli_unit_of (const HlDocument *document, const char *path)
{
  HlPathInfo info;

  return hl_path_find (document, path, &info, NULL) ? hl_quantity_si (info.quantity) : "1";
}

void
hl_cli_set_fault (GError **error, const HlSystem *sys, const HlFault *fault)
{
  g_autofree char *text = hl_fault_message (sys, fault);

  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
}
