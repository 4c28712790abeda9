/* SPDX-License-Identifier: MIT */
#include "app/study/hl-cli-search.h"

#include <unistd.h>

#define PERIOD_US 500000

const char *hl_cli_search_file (const HlCli *cli, GError **error) {
  const char *const *words = hl_cli_texts (cli, HL_CLI_WORDS);

  if (words[0] != NULL && words[1] == NULL)
    return words[0];
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "write hydrolink %s FILE, with one study or model as FILE",
               cli->command->name);
  return NULL;
}

void hl_cli_search_begin (HlCliSearchLine *line) {
  *line = (HlCliSearchLine){.is_terminal = isatty (STDERR_FILENO) != 0};
}

gboolean hl_cli_search_is_due (HlCliSearchLine *line) {
  gint64 now = g_get_monotonic_time ();

  if (!line->is_terminal || now - line->shown_us <= PERIOD_US)
    return FALSE;
  line->shown_us = now;
  line->has_shown = TRUE;
  return TRUE;
}

void hl_cli_search_end (const HlCliSearchLine *line) {
  if (line->has_shown)
    fputs ("\r\x1b[K", stderr);
}
