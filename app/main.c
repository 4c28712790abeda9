/* SPDX-License-Identifier: MIT */
/* The program: a command of the command line, or the window. */
#include "app/hl-cli.h"

#include <stdio.h>

int
main (int argc, char **argv)
{
  int status = hl_cli_run (argc, argv);

  if (status != HL_CLI_NOT_A_COMMAND)
    return status;
  fputs ("hydrolink: this build has no window; see hydrolink --help\n", stderr);
  return 2;
}

int
hl_screenshot_run (const char *file, const char *out, int width, int height, gboolean dark)
{
  (void)file, (void)out, (void)width, (void)height, (void)dark;
  fputs ("hydrolink: a picture of the window needs the window, which this build has not\n", stderr);
  return 1;
}
