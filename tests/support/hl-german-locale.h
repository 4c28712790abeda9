/* SPDX-License-Identifier: MIT */
/* A program in German, with a decimal comma in its locale; none needs to be installed. */
#pragma once

#include <glib.h>

/* Makes the locale in its own folder and switches to it; FALSE where the tools or the catalogues are not there (the
 * test is skipped then). */
gboolean hl_language_begin (char **folder);
/* Begins the same for numbers only: messages stay English, and the environment names no language. setlocale
 * (LC_ALL, "C") ends it. */
gboolean hl_comma_begin (char **folder);
/* Removes the folder (taken). */
void hl_language_end (char *folder);
