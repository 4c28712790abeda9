/* SPDX-License-Identifier: MIT */
/* hydrolink help --out DIR: the help for every part as HTML, in the person's language. */
#include "app/cli/hl-cli-help.h"
#include "app/cli/hl-cli-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>

static gboolean
run (HlCli *cli, GError **error)
{
  const char *folder = hl_cli_text (cli, "out");
  int n = 0;

  if (!hl_cli_require (cli, "out", error))
    return FALSE;
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be made: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }
  for (; hl_help_kind (n) != NULL; n++)
    if (!hl_cli_help_write_page (hl_help_kind (n), folder, error))
      return FALSE;
  if (!hl_cli_help_write_index (folder, error))
    return FALSE;
  g_autofree char *told = g_strdup_printf ("%s: %d pages, index.html\n", folder, n);
  return hl_cli_write (stdout, told, error);
}

static const HlCliOption options[] = {
    {"out", "DIR", "the folder to write, made when it is not there", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_help = {
    .name = "help",
    .usage = "--out DIR",
    .summary = "write the help for every part as HTML",
    .text = "Writes a page for every component, joint and load: symbol, ports, equations, curves,\n"
            "properties, states, and how each model of the oil takes it; with index.html. The\n"
            "language is that of the environment (LANGUAGE). `hydrolink help COMMAND` explains a\n"
            "command instead.",
    .options = options,
    .no_file = TRUE,
    .run = run,
};
