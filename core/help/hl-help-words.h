/* SPDX-License-Identifier: MIT */
/* What is sought in the help. */
#pragma once

#include <glib.h>

/* Whether a text has every one of the words, which blanks separate; case does not matter. Without words: yes. */
gboolean hl_help_has_words (const char *text, const char *words);
