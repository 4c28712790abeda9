/* SPDX-License-Identifier: MIT */
/* The command line: all commands that need no window. */
#pragma once

#include <glib.h>

/* The line holds no command: the window is meant, with whatever file it names. */
#define HL_CLI_NOT_A_COMMAND (-1)

/* Says where the catalogues are, for every program; the language is chosen later, when the help is
 * written or GTK begins. HL_CATALOGUES names the folder of a program that is not installed. */
void hl_cli_bind_catalogue (void);

/* Runs the command that argv names and returns the program's exit status, or HL_CLI_NOT_A_COMMAND. To be
 * called before a display is opened or a locale is set. */
int hl_cli_run (int argc, char **argv);

/* Becomes the program of the window with that line, NULL behind it; comes back, with the exit status,
 * only when it cannot. */
int hl_cli_open_window (char **argv);
