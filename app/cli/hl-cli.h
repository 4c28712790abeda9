/* SPDX-License-Identifier: MIT */
/* The command line: everything the program does without a window. */
#pragma once

#include <glib.h>

/* The line holds no command: open the window with whatever file it names. */
#define HL_CLI_NOT_A_COMMAND (-1)

/* Runs the command that argv names and returns the program's exit status, or HL_CLI_NOT_A_COMMAND.
 * Called before anything opens a display or sets a locale. */
int hl_cli_run (int argc, char **argv);

/* Writes the main window as a picture; returns the exit status. The window's side implements it. */
int hl_screenshot_run (const char *file, const char *out, int width, int height, gboolean dark);
