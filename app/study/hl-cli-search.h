/* SPDX-License-Identifier: MIT */
/* What the searches, `hydrolink fit` and `hydrolink optimize`, share: their one word and the line that a terminal shows
 * while they go on. */
#pragma once

#include "app/cli/hl-cli-private.h"

/* The only word of the line, a study or a model; NULL with an error. */
const char *hl_cli_search_file (const HlCli *cli, GError **error);

typedef struct {
  gint64 shown_us;
  gboolean is_terminal, has_shown;
} HlCliSearchLine;

void hl_cli_search_begin (HlCliSearchLine *line);
/* Whether a terminal is to be told anew; the line is written over with the next one. */
gboolean hl_cli_search_is_due (HlCliSearchLine *line);
/* Wipes it. */
void hl_cli_search_end (const HlCliSearchLine *line);
