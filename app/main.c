/* SPDX-License-Identifier: MIT */
/* The program: a command of the command line, which must not need a display, or the application
 * with its windows. */
#include "app/hl-application.h"
#include "app/hl-cli.h"

int
main (int argc, char **argv)
{
  int status = hl_cli_run (argc, argv);

  if (status != HL_CLI_NOT_A_COMMAND)
    return status;
  g_autoptr (HlApplication) application = hl_application_new (FALSE);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
