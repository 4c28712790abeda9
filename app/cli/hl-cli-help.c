/* SPDX-License-Identifier: MIT */
/* hydrolink help --out DIR: the help for every part as HTML, in the person's language. */
#include "app/cli/hl-cli-help.h"
#include "app/cli/hl-cli-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>

static gboolean
tell (const HlCli *cli, const char *folder, int n, GError **error)
{
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  g_autofree char *index = g_build_filename (folder, "index.html", NULL);

  g_string_append_printf (hl_answer_page (answer), "%s: %d pages, index.html\n", folder, n);
  hl_answer_string (answer, "index", index);
  hl_answer_integer (answer, "pages", n);
  g_autofree char *text =
      hl_answer_to_text (answer, hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_TEXT);
  return hl_cli_write (stdout, text, error);
}

static gboolean
run (HlCli *cli, GError **error)
{
  const char *folder = hl_cli_text (cli, "out");
  HlCliWait wait;
  int n = 0, n_kinds = 0, n_topics = 0;

  if (!hl_cli_require (cli, "out", error))
    return FALSE;
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be made: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }
  while (hl_help_kind (n_kinds) != NULL)
    n_kinds++;
  while (hl_help_topic (n_topics) != NULL)
    n_topics++;
  hl_cli_wait_begin (&wait, n_kinds + n_topics);
  hl_cli_hold_signals ();
  for (; n < n_kinds + n_topics && hl_cli_wait_at (n, &wait); n++)
    if (n < n_kinds ? !hl_cli_help_write_page (hl_help_kind (n), folder, error)
                    : !hl_cli_help_write_topic (hl_help_topic (n - n_kinds), folder, error))
      return FALSE;
  if (!hl_cli_wait_end (&wait)) {
    hl_cli_set_stopped (error, n, n_kinds + n_topics, "pages");
    return FALSE;
  }
  if (!hl_cli_help_write_index (folder, error))
    return FALSE;
  return tell (cli, folder, n, error);
}

static const HlCliOption options[] = {
    {"out", "DIR", "the folder to write, made when it is not there", FALSE},
    {"json", NULL, "say as one JSON object what was written", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_help = {
    .name = "help",
    .usage = "--out DIR",
    .summary = "write the help for every part as HTML",
    .text =
        "Writes a page for every component, line, body, joint, load and signal: symbol, ports,\n"
        "equations, curves, properties, states, and how each model of the oil takes it; and one\n"
        "for every pane of the window; with index.html. The language is that of the environment\n"
        "(LANGUAGE). `hydrolink help COMMAND` explains a command instead.",
    .options = options,
    .no_file = TRUE,
    .run = run,
};
